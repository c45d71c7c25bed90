"""The lesson as one value that a page shows: words, questions, pictures and tables; and as a file.

All that a reader may not know yet is inside, so the value travels encoded: nobody stumbles over an
answer in the text of the page.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files

import numpy as np
from markdown_it import MarkdownIt

from tapviz.draw.browser import DARK, custom_properties
from tapviz.draw.tokens import controls, sheet
from tapviz.lesson.charts import DARK_COLOR, chart_data
from tapviz.lesson.codes import Question, edition
from tapviz.lesson.scene import Scene, Shown
from tapviz.lesson.scenes import scenes
from tapviz.live.script import script, style_sheet
from tapviz.live.templates import Markup, render

WORDS = files("tapviz.lesson").joinpath("words")
WRITTEN = "report"
"""The question that is answered by a sentence."""
TITLE = "Why pooled ROCₙ misleads"
HEADING = f"Which program would you install? {TITLE}"
DESCRIPTION = (
    "862 proteins, two search programs, one pooled score. How many proteins decide which program "
    "it prefers? Predict, then click them away. Six scenes, seven minutes."
)
"""What is said of the lesson where its address is shared."""
PICTURE = "https://github.com/tapviz/tapviz/raw/main/docs/_static/lesson.png"
"""What is shown of it there; the page itself does not fetch it."""
BLOCK = re.compile(r"^::: (\w+)\n", re.MULTILINE)
BLOCKS = ("now", "known", "shown", "done", "foot")
"""When words are seen: always, and they follow the controls; once the answer is known; then, and
they follow the controls; once the scene is done; always, in small letters."""
CHECK = "check"
"""A block of its own: a question with one right answer, and why each answer is right or not."""
OPTION = re.compile(r"^- \[([ x])\] (.+)\n\n  (.+)$", re.MULTILINE)
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
SLOT = re.compile(r"\{(?:(you|away):)?(\w+)\}")
CONSTANT = re.compile(r"\{()(\w+)\}")
TERM = re.compile(r'<a href="term:([\w-]+)">(.*?)</a>')
MODULE = script("lesson.js", "tapviz.lesson")
"""The ES module that shows the lesson."""
ADDRESS = re.compile(r"https?://[^\s?#]+")


@cache
def content() -> Shown:
    """All of the lesson.

    Returns
    -------
    dict
        "title"; "scenes", each with its words as HTML in blocks, questions, controls, tables,
        charts and lists; "glossary": HTML of each term; "codes": the questions whose answers are in
        the code of a reader, for ``codes.js``.

    Raises
    ------
    ValueError
        If words name a number that the scene does not have.
    """
    found = scenes()
    texts = [f"{place:02}-{one.name}.md" for place, one in enumerate(found, 1)]
    return content_of(found, texts, TITLE, found)


def content_of(
    found: Sequence[Scene], texts: Sequence[str], title: str, asked: Sequence[Scene] = ()
) -> Shown:
    """The same of some scenes, with the names of the files that have their words.

    `asked` are those whose answers are in a code.
    """
    shown = [_scene(one, text) for one, text in zip(found, texts, strict=True)]
    codes = _codes(asked) | ({} if asked else {"edition": sha256(_text(shown)).hexdigest()})
    return {"title": title, "glossary": _glossary(), "codes": codes, "scenes": shown}


@cache
def encoded() -> str:
    """The lesson as base64 of JSON."""
    return encoded_of(content())


def encoded_of(shown: Shown) -> str:
    """Scenes as base64 of JSON."""
    return base64.b64encode(_text(shown)).decode()


def _text(shown: object) -> bytes:
    return json.dumps(
        shown, ensure_ascii=False, separators=(",", ":"), default=np.generic.item
    ).encode()


@cache
def styles() -> str:
    """Style sheet of the lesson, light and dark."""
    dark = f"{DARK} {custom_properties(DARK_COLOR)}"
    own = style_sheet("lesson.css", "tapviz.lesson").replace("/* dark */", dark)
    return sheet() + controls() + own


def html_page(explorer: str = "") -> str:
    """The lesson as one HTML file that fetches nothing.

    Parameters
    ----------
    explorer : str
        Address of an explorer that its scenes lead to; without one, there are no such links.

    Raises
    ------
    ValueError
        If the address is none of a web page, or already has settings.
    """
    if explorer and not ADDRESS.fullmatch(explorer):
        raise ValueError(
            f"--explorer {explorer}: expected an address such as https://lab.example.org/explore, "
            "without ? and what follows it"
        )
    return rendered(encoded(), HEADING, explorer)


def class_lesson(explorer: str) -> str:
    """The lesson as a page whose predictions go to the server that it comes from.

    Parameters
    ----------
    explorer : str
        Address of the explorer.
    """
    return rendered(encoded(), HEADING, explorer, script("collects.js", "tapviz.lesson"))


def rendered(text: str, title: str, explorer: str = "", collects: str = "") -> str:
    """Scenes, as `encoded_of` returns them, as one HTML file."""
    return render(
        "lesson.html",
        title=title,
        description=DESCRIPTION,
        picture=PICTURE,
        explorer=explorer,
        collects=Markup(collects),
        content=text,
        styles=Markup(styles()),
        module=Markup(MODULE),
    )


def _markdown(text: str) -> str:
    made: str = MARKDOWN.render(text)
    return TERM.sub(r'<button type="button" class="term" data-term="\1">\2</button>', made)


def _check(text: str) -> Shown:
    """A question, and of each option its words, whether it is right, and why."""
    options = [
        (MARKDOWN.renderInline(words), mark == "x", MARKDOWN.renderInline(why))
        for mark, words, why in OPTION.findall(text)
    ]
    if sum(right for _, right, _ in options) != 1:
        raise ValueError(f"expected one right answer, marked [x], found {text.strip()}")
    question = text.partition("\n- [")[0].strip()
    return {"question": MARKDOWN.renderInline(question), "options": options}


def _glossary() -> dict[str, str]:
    text = WORDS.joinpath("glossary.md").read_text(encoding="utf-8")
    entries = (entry.split("\n: ", 1) for entry in text.strip().split("\n\n"))
    return {term.strip(): words.strip() for term, words in entries}


def _scene(scene: Scene, file: str) -> Shown:
    heading, _, text = WORDS.joinpath(file).read_text(encoding="utf-8").partition("\n")
    first, *rest = BLOCK.split(text)
    slots = {name for table in scene.tables for name in table.columns}
    asked = {ask.question for ask in scene.asks}

    def fill(found: re.Match[str]) -> str:
        kind, name = found.groups()
        if kind and name in asked:
            return f'<span data-{kind}="{name}"></span>'
        if not kind and name in slots:
            return f'<b class="num" data-slot="{name}"></b>'
        if not kind and (value := scene.constants.get(name)) is not None:
            return f"{value:,}" if isinstance(value, int | np.integer) else str(value)
        raise ValueError(f"{file}: {found[0]} is not a number of this scene")

    def constant(found: re.Match[str]) -> str:
        if found[2] in slots:
            return found[0]
        return str(scene.constants.get(found[2]) or fill(found))

    blocks = [["words", first], *zip(rest[::2], rest[1::2], strict=True)]
    if unknown := {when for when, _ in blocks} - {"words", *BLOCKS, CHECK}:
        raise ValueError(f"{file}: unknown blocks {unknown}")
    plain = asdict(replace(scene, charts=()))
    del plain["constants"]
    return {
        "movesFirst": plain.pop("moves_first"),
        **plain,
        "title": heading.removeprefix("# "),
        "blocks": [
            [when, SLOT.sub(fill, _markdown(words))] for when, words in blocks if when != CHECK
        ],
        "asks": [asdict(ask) | {"answer": ask.answer} for ask in scene.asks],
        "charts": [
            data | {of: CONSTANT.sub(constant, data[of]) for of in ("words", "told")}
            for data in map(chart_data, scene.charts)
        ],
        "check": next(
            (_check(SLOT.sub(fill, words)) for when, words in blocks if when == CHECK), None
        ),
    }


def questions(found: Sequence[Scene] | None = None) -> list[Question]:
    """The questions of a code, as `tapviz.lesson.codes` takes them; a sentence is in none.

    Parameters
    ----------
    found : sequence of Scene, optional
        The scenes that ask; by default, those of the lesson.

    Examples
    --------
    >>> from tapviz.lesson.content import questions
    >>> [question.name for question in questions()][:3]
    ['lifted', 'pooled', 'added']
    """
    asks = [ask for scene in (scenes() if found is None else found) for ask in scene.asks]
    return [
        Question(ask.question, tuple(ask.options), ask.low, ask.high, ask.step)
        for ask in asks
        if ask.question != WRITTEN
    ]


def _codes(found: Sequence[Scene]) -> Shown:
    """The same for a page, with the words for the options."""
    words = {ask.question: list(ask.options.items()) for scene in found for ask in scene.asks}
    asked = questions(found)
    return {
        "edition": edition(asked),
        "questions": [one._asdict() | {"options": words[one.name]} for one in asked],
    }
