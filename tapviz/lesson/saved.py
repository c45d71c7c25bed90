"""What a reader keeps: their predictions and the answers, in one file that needs no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tapviz.lesson import numbers
from tapviz.lesson.classroom import questions
from tapviz.lesson.codes import encode
from tapviz.lesson.lists import two_lists
from tapviz.lesson.progress import QUESTIONS, Progress
from tapviz.lesson.scenes import BY_NAME, FOOTNOTES, truth
from tapviz.live.templates import Markup, render

WIDTH, HEIGHT = 860, 118
OWN, YOU, TRUTH = "#333333", "#0A58A8", "#8F2D78"
LETTER = 9.0
"""Width of a character of a label, in pixels."""


class Mark(NamedTuple):
    """A value on a scale from 0 to 1."""

    label: str
    value: float
    color: str
    above: bool = True


class Row(NamedTuple):
    """A prediction and the answer, in words."""

    question: str
    prediction: str
    why: str
    truth: str


def rows(progress: Progress) -> list[Row]:
    """Each prediction and its answer, as far as it has been shown."""
    found = []
    for scene, names in QUESTIONS.items():
        for ask in (a for a in BY_NAME[scene].asks if a.question in names):
            answer = progress.answer(ask.question)
            mine = "—"
            if answer is not None:
                mine = (
                    "skipped"
                    if answer.prediction is None
                    else _words(ask.options, answer.prediction)
                )
            right = "not shown yet"
            if progress.knows(scene):
                digits = 3 if ask.high <= 1 else 1
                right = _words(ask.options, truth(ask.question), digits)
            label = ask.label.removesuffix(", your prediction")
            found.append(Row(label, mine, answer.why if answer is not None else "", right))
    return found


def code(progress: Progress) -> str:
    """The predictions as a short code, which the page for the class reads."""
    found = {name: answer.prediction for name, answer in progress.answers.items()}
    return encode(questions(), found)


def table(progress: Progress) -> str:
    """The predictions as an HTML table, with their code."""
    return render("predictions.html", rows=rows(progress), code=code(progress))


def pair_scale(progress: Progress, scene: str) -> str:
    """A scale with what both lists have alone, the prediction, and the truth once it is known.

    Parameters
    ----------
    progress : Progress
    scene : {"predict", "real"}
    """
    lists = two_lists() if scene == "predict" else numbers.real_pair()
    both = numbers.pair(lists)
    (question,) = QUESTIONS[scene]
    marks = [
        Mark(f"{name} alone {own:.3f}", own, OWN)
        for name, own in zip(lists.query.tolist(), both.own, strict=True)
    ]
    answer = progress.answer(question)
    if answer is not None and isinstance(answer.prediction, float):
        marks.append(Mark(f"you {answer.prediction:.2f}", answer.prediction, YOU, above=False))
    if progress.knows(scene):
        marks.append(Mark(f"pooled {both.pooled:.3f}", both.pooled, TRUTH, above=False))
    return scale(marks)


def scale(marks: Sequence[Mark]) -> str:
    """A scale from 0 to 1 with marks, as SVG; its description says the same in words."""
    left, right, middle = 30, WIDTH - 30, HEIGHT / 2
    labels = []
    for above in (True, False):
        end = -1e9
        for mark in sorted((m for m in marks if m.above == above), key=lambda m: m.value):
            half = LETTER * len(mark.label) / 2
            x = left + (right - left) * mark.value
            label_x = min(max(x, end + half + 8, half), WIDTH - half)
            end = label_x + half
            labels.append((mark, x, label_x))
    return render(
        "prediction_scale.html",
        words="; ".join(mark.label for mark in marks),
        width=WIDTH,
        height=HEIGHT,
        left=left,
        right=right,
        middle=middle,
        ticks=[(left + (right - left) * tick / 5, f"{tick / 5:g}") for tick in range(6)],
        labels=labels,
    )


def page(progress: Progress) -> str:
    """The whole page, one HTML file."""
    answer = progress.answer("report")
    return render(
        "saved_lesson.html",
        code=code(progress),
        table=Markup(table(progress)),
        scales=[
            (title, Markup(pair_scale(progress, scene)))
            for scene, title in (
                ("predict", "Lists A and B, pooled"),
                ("real", "Two real queries, pooled"),
            )
            if progress.knows(scene)
        ],
        report=(answer.prediction if answer is not None else "") or "Nothing written.",
        notes=[Markup(note) for note in FOOTNOTES],
    )


def _words(options: Mapping[str, str], value: float | str, digits: int = 2) -> str:
    if isinstance(value, str):
        return options.get(value, value)
    return f"{value:,.{digits}f}"
