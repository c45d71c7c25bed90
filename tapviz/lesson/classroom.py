"""The teacher's page: the predictions of a class beside the answers, in one file."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from tapviz.lesson.codes import Question, edition
from tapviz.lesson.progress import QUESTIONS, SCENES
from tapviz.lesson.scenes import BY_NAME, Ask, truth
from tapviz.live.script import script
from tapviz.live.templates import Markup, render

WRITTEN = "report"
"""The one question that is answered by a sentence, which no code holds."""


def asked() -> list[tuple[str, Ask]]:
    """Name of the scene, and question, of each prediction that a code holds."""
    return [
        (scene, ask)
        for scene, names in QUESTIONS.items()
        for ask in BY_NAME[scene].asks
        if ask.question in names and ask.question != WRITTEN
    ]


def questions() -> list[Question]:
    """The questions of the lesson as `tapviz.lesson.codes` takes them.

    Examples
    --------
    >>> from tapviz.lesson.classroom import questions
    >>> [question.name for question in questions()][:3]
    ['favourite', 'pooled', 'moves']
    """
    return [
        Question(ask.question, tuple(ask.options), ask.low, ask.high, ask.step)
        for _, ask in asked()
    ]


def class_page() -> str:
    """The page that reads the codes of a class and shows what was predicted; one HTML file."""
    shown: list[dict[str, Any]] = [
        {
            "name": ask.question,
            "scene": SCENES.index(scene) + 1,
            "title": BY_NAME[scene].title,
            "label": ask.label.removesuffix(", your prediction"),
            "options": list(ask.options.items()),
            "low": ask.low,
            "high": ask.high,
            "step": ask.step,
            "truth": truth(ask.question),
        }
        for scene, ask in asked()
    ]
    data = json.dumps({"edition": edition(questions()), "questions": shown})
    return render(
        "class.html",
        style=Markup(_text("class.css")),
        # Nothing in it may end the element that it stands in.
        data=Markup(data.replace("<", "\\u003c")),
        script=Markup(script("class.js", "tapviz.lesson")),
    )


def _text(name: str) -> str:
    return files("tapviz.lesson").joinpath(name).read_text(encoding="utf-8")
