"""What a reader keeps: their predictions beside the truth, in one file that asks for nothing."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tapviz.lesson import numbers
from tapviz.lesson.lists import two_lists
from tapviz.lesson.progress import QUESTIONS, Progress
from tapviz.lesson.scenes import BY_NAME, FOOTNOTES, truth

WIDTH, HEIGHT = 860, 118
OWN, YOU, TRUTH = "#333333", "#0A58A8", "#8F2D78"
LETTER = 9.0
"""Width of a character of a label, in pixels."""

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Why pooled ROC_n misleads: my predictions</title>
<meta name="viewport" content="width=device-width">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 900px; margin: 32px auto;
  padding: 0 16px; }}
h1 {{ font-size: 24px; }} h2 {{ font-size: 18px; margin-top: 28px; }}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid #ddd;
  vertical-align: top; }}
blockquote {{ margin: 8px 0; padding: 4px 14px; border-left: 3px solid #0a58a8; }}
svg {{ max-width: 100%; height: auto; }}
.foot {{ font-size: 14px; color: #555; }} sub {{ line-height: 0; }}
</style></head><body>
<h1>Why pooled ROC<sub>n</sub> misleads</h1>
{table}
{scales}
<h2>What I would report instead</h2>
<blockquote>{report}</blockquote>
<p>One answer: TAP-k of each search, with its k and E<sub>k</sub> and an interval over the queries;
and with any pooled score, which queries supply its errors.</p>
{notes}
<p class="foot">Made with tapviz.</p>
</body></html>
"""


class Mark(NamedTuple):
    """A value on a scale from 0 to 1."""

    label: str
    value: float
    color: str
    above: bool = True


class Row(NamedTuple):
    """A prediction beside the truth, in words."""

    question: str
    said: str
    why: str
    truth: str


def rows(progress: Progress) -> list[Row]:
    """Each prediction beside the truth; what has not been shown yet is not told."""
    found = []
    for scene, questions in QUESTIONS.items():
        for ask in (a for a in BY_NAME[scene].asks if a.question in questions):
            answer = progress.answer(ask.question)
            mine = "—"
            if answer is not None:
                mine = "had it shown" if answer.said is None else _words(ask.options, answer.said)
            right = "not shown yet"
            if progress.knows(scene):
                digits = 3 if ask.high <= 1 else 1
                right = _words(ask.options, truth(ask.question), digits)
            label = ask.label.removesuffix(", your prediction")
            found.append(Row(label, mine, answer.why if answer is not None else "", right))
    return found


def table(progress: Progress) -> str:
    """The predictions as an HTML table."""
    body = "".join(
        f"<tr><th scope=row>{html.escape(row.question)}</th><td>{html.escape(row.said)}"
        + (f"<br><i>{html.escape(row.why)}</i>" if row.why else "")
        + f"</td><td><b>{html.escape(row.truth)}</b></td></tr>"
        for row in rows(progress)
    )
    return (
        '<table class="kept"><thead><tr><th></th><th>you said</th><th>it is</th></tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


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
    if answer is not None and isinstance(answer.said, float):
        marks.append(Mark(f"you {answer.said:.2f}", answer.said, YOU, above=False))
    if progress.knows(scene):
        marks.append(Mark(f"pooled {both.pooled:.3f}", both.pooled, TRUTH, above=False))
    return scale(marks)


def scale(marks: Sequence[Mark]) -> str:
    """A scale from 0 to 1 with marks, as SVG; its description says the same in words."""
    left, right, middle = 30, WIDTH - 30, HEIGHT / 2
    parts = [
        f'<line x1="{left}" y1="{middle}" x2="{right}" y2="{middle}" stroke="#555"/>',
        *(
            f'<line x1="{x:.0f}" y1="{middle - 4}" x2="{x:.0f}" y2="{middle + 4}" stroke="#555"/>'
            f'<text x="{x:.0f}" y="{middle + 19}" fill="#666" font-size="13">{tick / 5:g}</text>'
            for tick in range(6)
            for x in [left + (right - left) * tick / 5]
        ),
    ]
    for side in (True, False):
        placed = -1e9
        for mark in sorted((m for m in marks if m.above == side), key=lambda m: m.value):
            x = left + (right - left) * mark.value
            half = LETTER * len(mark.label) / 2
            at = min(max(x, placed + half + 8, half), WIDTH - half)
            placed = at + half
            y = middle - 30 if side else middle + 50
            end = middle - 24 if side else middle + 36
            parts.append(
                f'<line x1="{x:.1f}" y1="{middle}" x2="{x:.1f}" y2="{end}" stroke="{mark.color}" '
                f'stroke-width="3"/><circle cx="{x:.1f}" cy="{middle}" r="6" fill="{mark.color}"/>'
                f'<text x="{at:.1f}" y="{y}" fill="{mark.color}" font-size="14" '
                f'font-weight="600">{html.escape(mark.label)}</text>'
            )
    words = "; ".join(mark.label for mark in marks)
    return (
        f'<svg role="img" aria-label="Scale from 0 to 1: {html.escape(words)}" width="{WIDTH}" '
        f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" text-anchor="middle" '
        f'font-family="system-ui, sans-serif">{"".join(parts)}</svg>'
    )


def page(progress: Progress) -> str:
    """The whole page, one HTML file."""
    scales = "".join(
        f"<h2>{title}</h2>{pair_scale(progress, scene)}"
        for scene, title in (
            ("predict", "Lists A and B, pooled (ROC<sub>50</sub>)"),
            ("real", "Two real queries, pooled (ROC<sub>50</sub>)"),
        )
        if progress.knows(scene)
    )
    answer = progress.answer("report")
    report = str(answer.said) if answer is not None and answer.said else "Nothing written."
    return PAGE.format(
        table=table(progress),
        scales=scales,
        report=html.escape(report),
        notes="".join(f'<p class="foot">{note}</p>' for note in FOOTNOTES),
    )


def _words(options: Mapping[str, str], value: float | str, digits: int = 2) -> str:
    if isinstance(value, str):
        return options.get(value, value)
    return f"{value:,.{digits}f}"
