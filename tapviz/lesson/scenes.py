"""What each scene says, asks and lets the reader move. No Panel here: words, and numbers in them.

A sentence holds a number only if the reader may know it: `Progress.knows` says so.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from tapviz.draw.style import brief
from tapviz.lesson import numbers
from tapviz.lesson.lists import E0, N_RELEVANT, A, B, two_lists
from tapviz.lesson.numbers import CLOSELY, LONGEST, PAIR, K, N
from tapviz.lesson.progress import MIN_TRIES, SCENES, Progress, meeting
from tapviz.measures import tap

ROC = f"ROC<sub>{N}</sub>"
PLAIN_ROC = "ROC" + str(N).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
"""For labels, which are no HTML."""
FLAT = sum(n for kind, n, *_ in B[1:4])
"""Errors of B in a row."""
LOOSE = 0.01
"""Threshold at which the errors of the bundled data set are given."""
CAVEAT = (
    "What is an error here is decided by SCOPe: a record of another fold is one. SCOPe splits some "
    "families that many call related, such as c.2 to c.5; by the rule their hits are errors."
)
FOOTNOTES = (
    (
        "The lists of A and B are synthetic: made to have the numbers of the paper's Figure 4, "
        "whose lists are not public. Their mean TAP is 0.746, where the paper has 0.745."
    ),
    (
        "The paper is fair: studies usually reach the same ranking with either measure. The harm "
        "is in the cases where they disagree."
    ),
    "ROC<sub>n</sub> of a single query is not the culprit. Pooling the lists of many queries is.",
    (
        "TAP can keep rising as the threshold is loosened (the paper's Supplement), and its peak "
        "is found with the answers at hand: it is not for choosing a threshold."
    ),
    (
        "Carroll HD, Kann MG, Sheetlin SL, Spouge JL (2010) Threshold Average Precision (TAP-k): a "
        "measure of retrieval designed for bioinformatics. Bioinformatics 26:1708-1713."
    ),
)
NAMES = {PAIR[0]: "a dockerin domain", PAIR[1]: "a domain of complement factor B"}


class Ask(NamedTuple):
    """A prediction: one of several options, or a number if there are none."""

    question: str
    """Its name in `Progress`."""
    label: str
    options: Mapping[str, str] = {}
    """What is kept, and the words for it."""
    low: float = 0.0
    high: float = 1.0
    step: float = 0.01


class Move(NamedTuple):
    """Something the reader moves, with a slider, a box and a few places to jump to."""

    name: str
    """The parameter of `Progress`."""
    label: str
    start: float
    end: float
    step: float = 1
    stops: tuple[float, ...] = ()
    log: bool = False
    whole: bool = True


class Check(NamedTuple):
    """A question with one right answer, whose reason is given at once."""

    question: str
    options: tuple[tuple[str, bool, str], ...]
    """Words, whether they are right, and why."""


class Scene(NamedTuple):
    """One step of the lesson."""

    name: str
    title: str
    words: Callable[[Progress], tuple[str, str]]
    """HTML that stands above what the reader does, and that below, which changes with it."""
    call: Callable[[Progress], str]
    """What to do next, in a line."""
    asks: tuple[Ask, ...] = ()
    moves: tuple[Move, ...] = ()
    check: Check | None = None
    explorer: str = ""
    """Address of the explorer that shows the same, empty if none does."""
    why: bool = False
    """Whether the reason of a prediction is asked for."""
    moves_first: bool = False
    """Whether the reader may move before they predict."""


def num(value: float, digits: int = 3) -> str:
    """A number of a sentence that changes: of fixed width, so that nothing moves."""
    return f'<b class="num">{value:.{digits}f}</b>'


def count(value: float, width: int = 3) -> str:
    """A whole number of a sentence that changes."""
    return f'<b class="num" style="min-width:{width}ch">{value:,.0f}</b>'


def percent(value: float, digits: int = 2) -> str:
    """A signed change in per cent, with so many digits after the point."""
    return f"{100 * value:+.{digits}f} %".replace("-", "−")


def guess(progress: Progress, question: str, digits: int = 2) -> str:
    """What the reader predicted, in words."""
    answer = progress.answer(question)
    if answer is None or answer.prediction is None:
        return "You skipped this prediction."
    if isinstance(answer.prediction, str):
        options = next(a for s in ALL for a in s.asks if a.question == question).options
        return f"You said: {html.escape(options.get(answer.prediction, answer.prediction))}."
    return f"You said {answer.prediction:,.{digits}f}."


def truth(question: str) -> float | str:
    """The answer to a prediction, computed from the lists; only for those who may know it.

    Raises
    ------
    KeyError
        If the question has no answer that is computed.
    """
    return TRUTHS[question]()


def _favourite() -> str:
    own = numbers.pair(two_lists()).own
    return "A" if own[0] > own[1] else "B"


def _moves() -> str:
    return "no" if numbers.recalibrated(1.0).own == numbers.recalibrated(0.02).own else "yes"


def _direction() -> str:
    apart = numbers.added(49).pooled - numbers.added(1).pooled
    return "down" if apart < 0 else "up" if apart > 0 else "same"


def _shape() -> str:
    curve = numbers.bundled_curve(CLOSELY)
    return "peaks" if curve.tap[-1] < curve.peak_tap else "rises"


TRUTHS: dict[str, Callable[[], float | str]] = {
    "favourite": _favourite,
    "pooled": lambda: numbers.pair(two_lists()).pooled,
    "moves": _moves,
    "direction": _direction,
    "mean": lambda: numbers.one_query_errs(1_000_000, 2_000_000).mean,
    "median": lambda: numbers.one_query_errs(1_000_000, 2_000_000).median,
    "shape": _shape,
    "real": lambda: numbers.pair(numbers.real_pair()).pooled,
}


# --- the words of each scene --------------------------------------------------------------------


def _look(p: Progress) -> tuple[str, str]:
    before = (
        "<p>Two queries were searched in one database. Each list is what came back, best E-value "
        f"first. Each query has {N_RELEVANT} relevant records in the database, found or not.</p>"
        '<p>A bar up, lettered <span class="rel">R</span>, is a relevant record; a bar down, '
        'lettered <span class="irr">I</span>, is an irrelevant one: an error.</p>'
    )
    rows = ""
    for name, parts, at in (("A", A, p.a_at), ("B", B, p.b_at)):
        right, first = _seen(parts, at)
        rows += (
            f"<tr><th scope=row>list {name}</th><td>{count(at, 4)}</td><td>{count(right)}</td>"
            f"<td>{count(at - right)}</td><td>{count(first)}</td></tr>"
        )
    after = (
        '<table class="seen"><thead><tr><th>so far</th><th>records</th>'
        '<th><span class="rel">R</span></th><th><span class="irr">I</span></th>'
        f"<th>R before the first I</th></tr></thead><tbody>{rows}</tbody></table>"
    )
    if p.knows("look"):
        after += (
            f"<p>{guess(p, 'favourite')} A has {_first(A)} relevant records before its first "
            f"error. B has {_first(B)}, and then {FLAT} errors in a row. A is nearly ideal; B is "
            "not.</p>"
        )
    return before, after + (
        '<p class="foot">The lists are synthetic, made to have the numbers of Figure 4 of the '
        "paper, whose lists are not public.</p>"
    )


def _alone(p: Progress) -> tuple[str, str]:
    own = numbers.pair(two_lists(), p.n).own
    before = (
        "<p>ROC<sub>n</sub> reads a list up to its n-th error. Before each of these errors it "
        "asks: what share of all relevant records has been found so far? ROC<sub>n</sub> is the "
        "mean of the n shares.</p>"
    )
    after = (
        f"<p>ROC<sub>n</sub> at n = {count(p.n)}: list A {num(own[0])}, list B {num(own[1])}.</p>"
    )
    if p.done("alone"):
        after += (
            "<p>That matches what you saw: A is nearly ideal, B is not. For B nothing changes up "
            f"to n = {FLAT}: its next relevant record comes after its {FLAT}th error.</p>"
            "<p>Of a single list, ROC<sub>n</sub> is a fair score.</p>"
        )
    return before, after


def _predict(p: Progress) -> tuple[str, str]:
    both = numbers.pair(two_lists())
    before = (
        "<p>Now one number for both searches. Merge the two lists, sort all records by "
        f"E-value, and compute {ROC} of what you get: that is <b>pooled</b> {ROC}.</p>"
        f"<p>Alone, A has {num(both.own[0])} and B has {num(both.own[1])}.</p>"
    )
    if not p.knows("predict"):
        return before, ""
    seen = numbers.read_until(numbers.merged(two_lists()), N)
    answer = p.answer("pooled")
    gap = ""
    if answer is not None and isinstance(answer.prediction, float):
        gap = f", {abs(answer.prediction - both.pooled):.2f} away"
    return before, (
        f"<p>Pooled {ROC} is {num(both.pooled)}, <b>below both</b>. "
        f"{guess(p, 'pooled').rstrip('.')}{gap}.</p>"
        f"<p>Before each of the first {N} errors {sum(seen.relevant_of)} relevant records had been "
        f"found, of {N_RELEVANT} + {N_RELEVANT}.</p>"
        "<p>You would expect the combined score to lie between the two separate scores; the paper "
        "asks for it, as Condition 6. Pooled ROC<sub>n</sub> breaks it.</p>"
    )


def _merge(p: Progress) -> tuple[str, str]:
    pool = numbers.merged(two_lists())
    seen = numbers.read_until(pool, p.f)
    drawn = numbers.curves(two_lists())
    pooled, own = drawn.pooled[p.f - 1], drawn.own[1][p.f - 1]
    before = (
        "<p>The merged list is read, best E-value first, up to its f-th error. Each record "
        "stays in the lane of the list that it came from.</p>"
    )
    after = (
        f"<p>Up to error {count(p.f)}: {count(seen.records, 4)} records, {count(seen.of[0])} of "
        f"A's and {count(seen.of[1], 4)} of B's.</p>"
        f"<p>Relevant found so far: merged {num(pooled)}, B alone {num(own)}. The merged curve is "
        f"<b>{'below' if pooled < own else 'not below'}</b> B's.</p>"
    )
    if p.done("merge"):
        early, late = numbers.read_until(pool, N), numbers.read_until(pool, meeting() - 1)
        after += (
            f"<p>The first {N} errors all came from B, before A was read: {early.of[0]} of the "
            f"first {early.records} records are A's. Only at error {meeting()} does the merged "
            f"curve reach B's, when {late.relevant_of[0]} relevant records of A have been read.</p>"
        )
    return before, after


def _scale(p: Progress) -> tuple[str, str]:
    before = (
        "<p>Suppose B's search wrote its E-values on another scale: E<sup>c</sup> instead of E. It "
        "is the same list in the same order; only the numbers beside it differ, and its errors no "
        "longer look so sure.</p>"
    )
    if not p.knows("scale"):
        return before, ""
    now = numbers.recalibrated(p.c)
    after = (
        f"<p>{guess(p, 'moves')} It {'does not change' if truth('moves') == 'no' else 'changes'}: "
        "ROC<sub>n</sub> of one list reads its order only.</p>"
        f"<p>At c = {num(p.c, 2)}: pooled {ROC} {num(now.pooled)}. B's own {ROC} {num(now.own)}, "
        f"B's TAP at E<sub>0</sub> = {E0} {num(now.tap)}: both stay.</p>"
    )
    if p.done("scale"):
        first, last = numbers.recalibrated(1.0), numbers.recalibrated(0.02)
        after += (
            f"<p>Pooled {ROC} can go from {first.pooled:.3f} to {last.pooled:.3f}, and no search "
            "got better. Pooling grades how the E-values of different queries compare, not what "
            "was retrieved.</p>"
        )
    return before, after + (
        '<p class="foot">TAP does see the scale where records cross E<sub>0</sub>; at '
        f"{E0} none does.</p>"
    )


def _add(p: Progress) -> tuple[str, str]:
    before = (
        "<p>Now a whole benchmark: beside the one search like B, more and more searches like A, "
        "nearly ideal.</p>"
    )
    if not p.knows("add"):
        return before, ""
    now = numbers.added(p.copies)
    after = (
        f"<p>{guess(p, 'direction')} It goes {truth('direction')}.</p>"
        f"<p>{count(p.copies, 2)} good and 1 bad: pooled {ROC} {num(now.pooled)}, mean TAP at "
        f"E<sub>0</sub> = {E0} {num(now.mean_tap)}.</p>"
    )
    if p.done("add"):
        many = numbers.added(49)
        after += (
            f"<p>Of fifty searches one is bad. Pooled {ROC} is {many.pooled:.3f}, close to the "
            f"worst score possible; mean TAP is {many.mean_tap:.3f}. All {N} pooled errors are "
            "still B's, held against the relevant records of fifty queries. No single query should "
            "decide: Condition 5.</p>"
        )
    return before, after


def _build(p: Progress) -> tuple[str, str]:
    lists = two_lists()
    at = tap(lists, p.e0)
    group = numbers.between_tap(two_lists(copies=p.group), p.e0)
    pooled = numbers.between_pooled(two_lists(copies=p.group))
    before = (
        "<p>TAP reads every list up to one threshold E<sub>0</sub>, as people do. It adds the "
        "precision at each relevant record, plus the precision at E<sub>0</sub> (the "
        "<i>sentinel</i>), which penalises errors after the last relevant record. It divides by "
        "T + 1.</p>"
    )
    after = (
        f"<p>At E<sub>0</sub> = {brief(p.e0)}: A {num(at.per_query[0])}, B "
        f"{num(at.per_query[1])}, mean {num(at.value)}.</p>"
        f"<p>The group, {count(p.group, 2)} × A and B: mean TAP {num(group.value)} "
        f"{_inside(group)}; pooled {ROC} {num(pooled.value)} {_inside(pooled)}.</p>"
    )
    if p.drawn:
        after += (
            f"<p>{p.drawn.tries:,} groups of real queries, each at a threshold of its own: mean "
            f"TAP outside {p.drawn.tap:,} times, pooled {ROC} {p.drawn.pooled:,} times.</p>"
        )
    outside = (0 if group.inside else 1) + (p.drawn.tap if p.drawn else 0)
    after += f"<p>Tries: {count(p.tries, 3)}. Mean TAP outside its parts: {count(outside, 1)}.</p>"
    if p.done("build"):
        after += "<p>An average always lies between its parts. Keep trying if you like.</p>"
    return before, after + (
        '<p class="foot">At E<sub>0</sub> = 8.1 the mean is 0.746; the paper has 0.745.</p>'
    )


def _errors(p: Progress) -> tuple[str, str]:
    before = (
        "<p>At which threshold? TAP-k takes E<sub>k</sub>, where a user has k errors. Which user? "
        f"Say {count(p.n_queries, 8)} people run a query each. One of them gets "
        f"{count(p.n_errors, 8)} errors, the others none.</p>"
    )
    if not p.knows("errors"):
        return before, ""
    now = numbers.one_query_errs(p.n_queries, p.n_errors)
    here = numbers.bundled_errors(CLOSELY, LOOSE)
    return before, (
        f"<p>Errors per query: mean {num(now.mean, 1)}, median {num(now.median, 1)}. "
        f"{_both_predictions(p)}</p>"
        "<p>Almost every user sees the median; no user sees the mean. So k is a median: "
        "at E<sub>k</sub> half of the queries have k errors, however bad the worst one is.</p>"
        f"<p>In the bundled data set, {CLOSELY} at E = {LOOSE}: mean {here.mean:.3f}, median "
        f"{here.median:.0f}, and {here.largest:,.0f} errors for the worst of "
        f"{numbers.bundled_lists().n_queries:,} queries.</p>"
    )


def _loose(p: Progress) -> tuple[str, str]:
    before = (
        f"<p>These searches are real: {numbers.bundled_lists().n_queries} domains of SCOPe, four "
        "programs. Loosen the threshold and the lists get longer. A ROC curve can then only "
        "rise: more is found. But a user would drown in errors.</p>"
    )
    if not p.knows("loose"):
        return before, ""
    return before, (
        f"<p>{guess(p, 'shape')} All four rise, peak and fall; the share found only ever rises.</p>"
        '<p class="foot">The paper, for HMMER semi-global: peak 0.237 at 0.861, TAP-20 0.185 at '
        "82.7. TAP can keep rising (its Supplement), and a peak is found with the answers at "
        "hand: it is not for choosing a threshold.</p>"
    )


def _real(p: Progress) -> tuple[str, str]:
    lists = numbers.real_pair()
    both = numbers.pair(lists)
    names = lists.query.tolist()
    classes = lists.query_class if lists.query_class is not None else [""] * len(names)
    two = "".join(
        f"<li><b>{name}</b>, {NAMES[name]} ({where}): {ROC} {num(own)}</li>"
        for name, where, own in zip(names, classes, both.own, strict=True)
    )
    before = (
        f"<p>Nothing made up now: two of the {numbers.bundled_lists().n_queries} queries of "
        f"{CLOSELY}, alone:</p><ul>{two}</ul>"
    )
    caveat = f'<p class="foot">{CAVEAT}</p>'
    if not p.knows("real"):
        return before, caveat
    seen = numbers.read_until(numbers.merged(lists), N)
    wrong = [of - right for of, right in zip(seen.of, seen.relevant_of, strict=True)]
    at = tap(lists, numbers.bundled_tap(CLOSELY).e0)
    return before, (
        f"<p>Pooled {num(both.pooled)}, <b>below both</b>. {guess(p, 'real')}</p>"
        f"<p>Of the first {N} errors of the pool {wrong[0]} are of {names[0]}, {wrong[1]} of "
        f"{names[1]}. By then {seen.relevant_of[0]} of {lists.n_relevant[0]} and "
        f"{seen.relevant_of[1]} of {lists.n_relevant[1]} relevant records had been read: the good "
        "search of the small family uses up the errors.</p>"
        f"<p>TAP at the E<sub>{K}</sub> of all queries, {brief(at.e0)}: "
        f"{at.per_query[0]:.3f} and {at.per_query[1]:.3f}, mean {at.value:.3f}, between.</p>"
        f"{caveat}"
    )


def _influence(p: Progress) -> tuple[str, str]:
    found = numbers.left_out()
    before = (
        f"<p>All {found.query.size} queries of {CLOSELY}: pooled {ROC} {num(found.pooled_roc_n)}, "
        f"TAP-{K} {num(found.tap)}.</p>"
        f"<p>Only {len(numbers.suppliers(found))} of them supply all {N} errors of the pool. Which "
        "one matters most? Leave one out; the others stay.</p>"
    )
    after = ""
    if p.away:
        row = found.query.tolist().index(p.away)
        after += (
            f"<p>Without <b>{p.away}</b>: pooled {ROC} "
            f"{percent(found.pooled_change[row] / found.pooled_roc_n)}, TAP-{K} "
            f"{percent(found.tap_change[row] / found.tap, 3)}.</p>"
        )
    if p.done("influence"):
        row = numbers.dominant(found)
        other = numbers.left_out("PSI-BLAST")
        same = numbers.dominant(other)
        after += (
            f"<p><b>{found.query[row]}</b> alone supplies {found.supplied[row]:g} of the {N} "
            f"errors. With PSI-BLAST it is {other.query[same]} that supplies "
            f"{other.supplied[same]:.1f}: {percent(other.pooled_change[same] / other.pooled_roc_n)}"
            f" and {percent(other.tap_change[same] / other.tap, 3)}.</p>"
        )
    return before, after + f'<p class="foot">{CAVEAT}</p>'


def _end(p: Progress) -> tuple[str, str]:
    before = (
        "<p>You have seen a pooled score near zero for fifty searches, of which all but one were "
        "nearly ideal. In a sentence: what would you report instead, and why?</p>"
    )
    after = ""
    if p.knows("end"):
        after = (
            "<p><b>One answer:</b> TAP-k of each search, with its k and E<sub>k</sub> and an "
            "interval over the queries; and with any pooled score, which queries supply its "
            "errors.</p>"
        )
    return before, after + "".join(f'<p class="foot">{note}</p>' for note in FOOTNOTES)


# --- what to do next ----------------------------------------------------------------------------

GO_ON = "Press Next."
CHECK = "Answer the question below, or press Next."


def _call_look(p: Progress) -> str:
    if not {"a_at", "b_at"} <= p.moved and not p.done():
        return "Slide along both lists, then choose the one you would rather have."
    return GO_ON if p.done() else "Choose the list you would rather have."


def _call(before: str, act: str = "", after: str = GO_ON) -> Callable[[Progress], str]:
    """Say what to predict, then what to do, then that Next is open."""

    def call(p: Progress) -> str:
        if p.done():
            return after
        if before and p.can_reveal():
            return "Press Reveal."
        return before if before and not p.knows(p.scene) else act

    return call


def _call_influence(p: Progress) -> str:
    if p.done():
        return GO_ON
    return (
        "Leave queries out, one at a time, until you find the one that moves the pooled score most."
    )


def _call_end(p: Progress) -> str:
    if p.knows("end"):
        return "Save the page: your predictions and the answers."
    return "Write one sentence, then press Enter."


PLACE_IT = f"Predict pooled {ROC}: place the marker, then press Reveal."
SHARE: dict[str, float] = {"low": 0.0, "high": 1.0, "step": 0.01}
FIGURE4 = "?dataset=figure4&view=roc&n=50"

ALL = (
    Scene(
        "look",
        "Two searches, two lists",
        _look,
        _call_look,
        asks=(
            Ask("favourite", "Which list would you rather have?", {"A": "list A", "B": "list B"}),
        ),
        moves=(
            Move("a_at", "record of list A", 1, 567, stops=(1, 467, 468)),
            Move("b_at", "record of list B", 1, 1010, stops=(1, 94, 95, 375)),
        ),
        moves_first=True,
    ),
    Scene(
        "alone",
        "Score each list alone",
        _alone,
        _call("", "Move n from 1 to 50 and on to 280."),
        moves=(Move("n", "n, errors considered", 1, LONGEST, stops=(1, 50, 280, 300)),),
        explorer=FIGURE4,
    ),
    Scene(
        "predict",
        "Merge the two lists",
        _predict,
        _call(PLACE_IT),
        asks=(Ask("pooled", f"pooled {PLAIN_ROC}, your prediction"),),
        why=True,
        explorer=FIGURE4,
    ),
    Scene(
        "merge",
        "Where did A go?",
        _merge,
        _call("", "Press Play, or move f by hand, until the merged curve reaches B's.", CHECK),
        moves=(Move("f", "f, errors read so far", 1, LONGEST, stops=(1, 50, 203, 204)),),
        check=Check(
            f"Why is nothing of A in pooled {PLAIN_ROC}?",
            (
                (
                    "A has too few relevant records",
                    False,
                    (
                        "A has 467 before its first error. They come too late in the merged list "
                        "to be counted."
                    ),
                ),
                (
                    "B's first 50 errors have smaller E-values than A's first record",
                    True,
                    (
                        "The pool is read by E-value up to its 50th error. B's search has errors "
                        "at 1e-134 and below, before A's first record: they use up all 50."
                    ),
                ),
                (
                    "A's search made the errors",
                    False,
                    "A makes its first error at 0.01. All of the first 50 are B's.",
                ),
            ),
        ),
        explorer=FIGURE4,
    ),
    Scene(
        "scale",
        "Change only the scale",
        _scale,
        _call(f"Predict whether B's own {ROC} changes.", "Move c from 1 to 0.5 and on to 0.02."),
        asks=(
            Ask(
                "moves",
                f"B's own {PLAIN_ROC}, as c goes down",
                {"yes": "it changes", "no": "it stays the same"},
            ),
        ),
        moves=(Move("c", "c", 0.02, 1.0, 0.01, stops=(1.0, 0.5, 0.02), whole=False),),
        explorer=FIGURE4,
    ),
    Scene(
        "add",
        "Add good searches",
        _add,
        _call(
            f"Predict where pooled {ROC} goes.",
            "Add good queries: 4, 9, then 49.",
            CHECK,
        ),
        asks=(
            Ask(
                "direction",
                f"With more good searches, pooled {PLAIN_ROC}",
                {"up": "goes up", "same": "stays", "down": "goes down"},
            ),
        ),
        moves=(Move("copies", "good queries", 1, 99, stops=(1, 4, 9, 49)),),
        check=Check(
            "Ten perfect searches are added whose records all have smaller E-values than B's "
            f"errors. Pooled {PLAIN_ROC}",
            (
                (
                    "goes up",
                    True,
                    (
                        "Up: now they come before B's errors, so they are counted. Whether a good "
                        "search counts depends on the scale of its E-values."
                    ),
                ),
                (
                    "goes down",
                    False,
                    (
                        "No: it went down because A's records came after B's errors. These come "
                        "before them, are counted, and it goes up."
                    ),
                ),
                (
                    "stays",
                    False,
                    "No: relevant records before the first 50 errors are counted; it goes up.",
                ),
            ),
        ),
    ),
    Scene(
        "build",
        "A score that stays between",
        _build,
        _call(
            "",
            f"Move E₀. Then try {MIN_TRIES} times to get a mean TAP outside the range of the "
            "queries' own TAPs.",
        ),
        moves=(
            Move(
                "e0",
                "E₀, threshold",
                1e-180,
                10.0,
                0.1,
                stops=(1e-100, 1e-20, E0),
                log=True,
                whole=False,
            ),
            Move("group", "queries like A in the group", 1, 99, stops=(1, 9, 49)),
        ),
        explorer=f"?dataset=figure4&view=roc&mode=e0&e0={E0}",
    ),
    Scene(
        "errors",
        "Whose errors?",
        _errors,
        _call("Predict the mean and the median, then press Reveal."),
        asks=(
            Ask("mean", "mean errors per query", high=2_000_000, step=0.1),
            Ask("median", "median errors per query", high=2_000_000, step=0.1),
        ),
        moves=(
            Move("n_queries", "queries", 1, 1_000_000, stops=(100, 10_000, 1_000_000), log=True),
            Move(
                "n_errors",
                "errors of one of them",
                1,
                2_000_000,
                stops=(20, 2000, 2_000_000),
                log=True,
            ),
        ),
        explorer=f"?view=calibration&mode=e0&e0={LOOSE}&focus_algorithm={CLOSELY}",
    ),
    Scene(
        "loose",
        "A threshold can be too loose",
        _loose,
        _call("Predict what mean TAP does.", "Move E₀ from 1e-10 to 100.", CHECK),
        asks=(
            Ask(
                "shape",
                "As E₀ goes from 1e-10 to 100, mean TAP",
                {"rises": "only rises", "peaks": "rises and falls", "falls": "only falls"},
            ),
        ),
        moves=(
            Move(
                "sweep",
                "E₀, threshold",
                1e-50,
                100.0,
                0.1,
                stops=(1e-10, 0.2, 10.0, 100.0),
                log=True,
                whole=False,
            ),
        ),
        check=Check(
            "You compare two programs. What do you report?",
            (
                (
                    f"pooled {PLAIN_ROC}",
                    False,
                    "A few queries may supply all its errors, and it may lie outside its parts.",
                ),
                (
                    "TAP-k and Eₖ of each",
                    True,
                    (
                        "Each at the threshold where its median user has k errors, and every query "
                        "counts alike. Say k and Eₖ."
                    ),
                ),
                (
                    "the peak of TAP of each",
                    False,
                    "The peak was found with the answers at hand. No user knows that threshold.",
                ),
            ),
        ),
        explorer="?view=roc&mode=e0&e0=0.2",
    ),
    Scene(
        "real",
        "A real pair",
        _real,
        _call(PLACE_IT),
        asks=(Ask("real", f"pooled {PLAIN_ROC} of the two, your prediction"),),
        moves=(Move("real_at", "record of the merged list", 1, 403),),
        explorer=f"?view=violations&focus_algorithm={CLOSELY}",
    ),
    Scene(
        "influence",
        "One query of 862",
        _influence,
        _call_influence,
        explorer=f"?view=influence&focus_algorithm={CLOSELY}",
    ),
    Scene("end", "Your predictions and the answers", _end, _call_end),
)
BY_NAME = {scene.name: scene for scene in ALL}
assert tuple(BY_NAME) == SCENES  # noqa: S101  # one order for both


def _first(parts: tuple[tuple[str, int, float, float], ...]) -> int:
    """Relevant records before the first error."""
    return parts[0][1] + (parts[1][1] if parts[1][0] == "R" else 0)


def _seen(parts: tuple[tuple[str, int, float, float], ...], at: int) -> tuple[int, int]:
    """Relevant records among the first `at`, and those of them before the first error."""
    relevant = np.repeat([kind == "R" for kind, *_ in parts], [n for _, n, *_ in parts])
    return int(relevant[:at].sum()), min(at, _first(parts))


def _inside(score: numbers.Between) -> str:
    if score.inside:
        return '<span class="yes">✓ between</span>'
    return '<span class="no">✗ not between</span>'


def _both_predictions(p: Progress) -> str:
    answers = [p.answer(name) for name in ("mean", "median")]
    if any(a is None or not isinstance(a.prediction, float) for a in answers):
        return "You skipped this prediction."
    mean, median = (a.prediction for a in answers if a is not None)
    return f"You said {mean:,g} and {median:,g}."
