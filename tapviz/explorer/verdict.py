"""The verdict as the page and the report show it: sentences, and where each of them is proved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tapviz.explorer.score_table import subscripts
from tapviz.live.templates import Markup, render
from tapviz.scores import Compared
from tapviz.scores.holds import Holds
from tapviz.scores.more import COMMON_E
from tapviz.scores.verdict import Sentence, Verdict, Words
from tapviz.scores.words import describe
from tapviz.state import Choices

if TYPE_CHECKING:  # it loads Panel, which a report does without
    from tapviz.live.background import BackgroundTask

COMMON = f"at E = {COMMON_E:g}"
CURRENT, UPDATING = 'aria-busy="false"', 'aria-busy="true"'
"""Whether the verdict is that of the present choices."""
GIVEN = (
    "These are scores of each query, read from a table: thresholds, curves and other scores need "
    "ranked lists, and are missing."
)
HYPHENED, UNBROKEN = re.compile(r"\b\w{1,12}-\w{1,12}\b"), r'<span class="unbroken">\g<0></span>'


class Proof(NamedTuple):
    """What a press of the button after a sentence opens."""

    label: str
    choices: dict[str, object]
    where: str = ""
    """Of a place at which programs may come in another order."""
    plays: bool = False
    """Whether the plot then appears row by row."""


class Said(NamedTuple):
    """A sentence as HTML, and the button after it."""

    words: Markup
    link: str = ""
    label: str = ""


Parts = list[list[Said]]
"""Paragraphs of sentences."""


def proofs(explorer: Choices) -> dict[str, Proof]:
    """Where sentences, and cautions, are proved, by the value of their buttons.

    Examples
    --------
    >>> from tapviz import Explorer, load_results
    >>> from tapviz.explorer.verdict import proofs
    >>> proofs(Explorer(load_results("profiles")))["common"].label
    'scores at E = 0.01'
    """
    known = {
        "differences": Proof("all differences", {"view": "differences"}),
        "pooled": Proof("show me", {"view": "pooled"}, plays=True),
        "order": Proof("ranking by k", {"view": "order"}, "by k"),
        "common": Proof(f"scores {COMMON}", {"mode": "e0", "e0": COMMON_E}, COMMON),
    }
    offered, mode = explorer.param.view.objects, explorer.mode
    return {
        name: one
        for name, one in known.items()
        if one.choices.get("view", explorer.view) in offered and one.choices.get("mode") != mode
    }


def conclusion(
    explorer: Choices, compared: Compared | None, task: BackgroundTask[Compared], before: str
) -> str:
    """What may be concluded; while that is worked out, what it was before, dimmed.

    Parameters
    ----------
    explorer : Choices
    compared : Compared or None
        Of the present choices; None while there is none.
    task : BackgroundTask
        Works it out.
    before : str
        What is shown, as this function returned it.
    """
    if found := concluded(explorer, compared):
        return found
    if not explorer.compared_names:
        words = "No verdict: no program is shown."
    elif not explorer.selection.n_queries:
        words = "No verdict: no query is selected."
    elif task.error:
        words = f"No verdict: {task.error}."
    elif task.cancelled:
        words = "No verdict yet: Compute, below the table, begins it."
    elif before:
        return before.replace(CURRENT, UPDATING)
    else:
        words = "The verdict is being worked out."
    return _render([[Said(Markup.escape(words))]])


def concluded(explorer: Choices, compared: Compared | None) -> str | None:
    """What may be concluded, as HTML; None while it is not known."""
    if compared is None or (found := compared.verdict(explorer.compared_score)) is None:
        return None
    said = describe(found)
    more = [[Said(Markup(GIVEN))]] if explorer.first.given else []
    holds = compared.holding(explorer.compared_score)
    known = proofs(explorer)
    parts, brief = _seen_first(said, known, len(found.left_out))
    return _render([*parts, *more], _rest(said, holds, known), brief)


def verdict_words(found: Verdict, holds: Holds | None = None) -> str:
    """What may be concluded, and how far it holds, as HTML without buttons.

    Examples
    --------
    >>> from tapviz import Explorer, load_results
    >>> from tapviz.explorer.verdict import verdict_words
    >>> found = Explorer(load_results("profiles"), k=5).compared(n_resamples=0).verdict("tap")
    >>> verdict_words(found).count("<p>")
    3
    """
    words = describe(found)
    return _render([[Said(_html(one.text)) for one in words.conclusion], *_rest(words, holds, {})])


def _seen_first(words: Words, known: dict[str, Proof], left_out: int) -> tuple[Parts, str]:
    """The answer, and what else is concluded; how much changes at other places, in few words.

    And how many programs cannot be judged.
    """
    second, brief = [*words.conclusion[1:]], list[str]()
    order: dict[str, Sentence] = {}
    for one in words.order:
        order.setdefault(_place(one), one)
    for place, one in order.items():
        if one.changed is None or place not in known:
            second.append(one)
            continue
        changed, pairs = one.changed
        some = f"{changed or 'none'} of {pairs}"
        if not brief:
            some += f" pairs {'change' if changed > 1 else 'changes'} places"
        brief.append(f"{known[place].where}, {some}")
    if left_out:
        brief.append(f"{left_out} left out")
    parts = words.conclusion[:1], second
    shown = [[Said(_html(one.text)) for one in part] for part in parts if part]
    return shown, "; ".join(brief) or "more"


def _rest(words: Words, holds: Holds | None, known: dict[str, Proof]) -> Parts:
    """All sentences of other places, how far it holds, and what it rests on.

    With buttons after the last sentence of each place, that open what proves it.
    """
    order = [*_linked(words.order, known)]
    if "differences" in known and words.conclusion:
        order.insert(0, Said(Markup(), "differences", known["differences"].label))
    if holds is not None and holds.text:
        order.append(Said(_html(holds.text)))
    return [one for one in (order, [*_linked(words.basis, {})]) if one]


def _linked(sentences: Iterable[Sentence], known: dict[str, Proof]) -> Iterator[Said]:
    """Sentences, the last of each place with the button that opens its proof."""
    some = [*sentences]
    places = [_place(one) for one in some]
    for at, (one, place) in enumerate(zip(some, places, strict=True)):
        last = place in known and place not in places[at + 1 :]
        yield Said(_html(one.text), place, known[place].label) if last else Said(_html(one.text))


def _place(sentence: Sentence) -> str:
    """What proves a sentence."""
    if sentence.last_k:
        return "order"
    places = {at for at, _, _ in sentence.pairs}
    if any(at.startswith("E=") for at in places):
        return "common"
    return "differences" if places else ""


def _html(text: str) -> Markup:
    """Text as HTML, in which a word with a hyphen is not broken."""
    return Markup(HYPHENED.sub(UNBROKEN, str(subscripts(text))))


def _render(parts: Parts, more: Sequence[list[Said]] = (), brief: str = "") -> str:
    return render("verdict.html", parts=parts, more=more, brief=brief, state=Markup(CURRENT))
