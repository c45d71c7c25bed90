"""The score compared of every query with one algorithm against that with another."""

from __future__ import annotations

import numpy as np

from tapviz.choices import Range
from tapviz.draw.picture import Axis, Picture, line, points, texts
from tapviz.draw.style import GHOST, INK, shortened, styles
from tapviz.measures import win_tie_loss
from tapviz.plots.columns import LONGEST, label_columns
from tapviz.plots.data import PlotData
from tapviz.plots.distribution import limits, title_of
from tapviz.plots.plot import FILTER, Plot
from tapviz.plots.scatter import SAME, SHAPES, notice, side_colors, tooltip


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    explorer, lists, score = data.explorer, data.lists, data.explorer.score_compared
    names = data.pair
    found = [explorer.case(name).per_query(score) for name in names]
    title = title_of(data)
    words = _missing(data)
    if words or found[0] is None or found[-1] is None:
        blank = (
            Axis(f"{title} of {names[-1]}, per query", 0, 1),
            Axis(f"{title} of {names[0]}, per query", 0, 1),
        )
        return Picture((texts("notice", notice(words, 0.5, 0.5), align="center"),), *blank)
    a, b = found[0], found[-1]
    low, high = limits([a, b])
    sign = 1 if score.higher_is_better is not False else -1
    better = np.sign(np.nan_to_num(sign * (a - b))).astype(np.int64)
    colors = side_colors(*(styles(explorer.style_order)[name].color for name in names))
    known = ~np.isnan(a - b)
    dots = {
        "x": b,
        "y": a,
        "color": np.array([SAME, *colors], np.object_)[better],
        "marker": np.array(SHAPES, np.object_)[better],
        "query": lists.query,
        "total": lists.n_relevant,
    }
    wins, ties, losses = win_tie_loss(sign * a[known], sign * b[known])[:3]
    room = 0.07 * (high - low)
    first, second = (shortened(name, LONGEST) for name in names)
    corners = label_columns(
        [low, low],
        [high + 0.5 * room, low - room],
        [f"▲ {first} better: {wins:,}", f"● equal: {ties:,}"],
        [colors[0], INK],
        60,
    )
    right = label_columns([high], [low - room], [f"◆ {second} better: {losses:,}"], [colors[1]], 60)
    about = str(tooltip(dict(zip(names, "yx", strict=True)))["text"][0])
    return Picture(
        (
            line("diagonal", {"x": np.array([low, high]), "y": np.array([low, high])}, GHOST),
            points(
                "point",
                {name: column[known] for name, column in dots.items()},
                size=7.5,
                fill_alpha=0.45,
                line_color=None,
                tooltip=about,
            ),
            texts("corner left", corners),
            texts("corner right", right, align="right"),
        ),
        Axis(f"{title} of {names[-1]}, per query", low, high),
        Axis(f"{title} of {names[0]}, per query", low - 2 * room, high + 1.5 * room),
        drag="box_select",
    )


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries whose dots are in a box drawn; returns why not, or nothing."""
    if words := _missing(data):
        return words
    a, b = data.pair
    score = data.explorer.score_compared.name
    below, above, lowest, highest = (round(end, 4) for end in (bottom, top, left, right))
    return data.explorer.keep(
        Range("score", a, 0.0, below, above, score), Range("score", b, 0.0, lowest, highest, score)
    )


def text(data: PlotData) -> str:
    """The plot in words."""
    if words := _missing(data):
        return words
    explorer, score = data.explorer, data.explorer.score_compared
    a, b = (explorer.case(name) for name in data.pair)
    sign = 1 if score.higher_is_better is not False else -1
    own = [sign * values for case in (a, b) if (values := case.per_query(score)) is not None]
    known = ~np.isnan(own[0] - own[1])
    wins, ties, losses = win_tie_loss(*(values[known] for values in own))[:3]
    first, second = data.pair
    return (
        f"{first} has the better {title_of(data)} for {wins:,} of {known.sum():,} queries, "
        f"{second} for {losses:,}; {ties:,} are equal. The means are {score.text(a.value(score))} "
        f"and {score.text(b.value(score))}."
    )


def _missing(data: PlotData) -> str:
    """Why there is nothing to draw; empty if there is."""
    if len(data.pair) < 2:  # noqa: PLR2004
        return "There is no other algorithm to compare with."
    score = data.explorer.score_compared
    if any(data.explorer.case(name).per_query(score) is None for name in data.pair):
        return f"{title_of(data)} is no mean over queries."
    return ""


PLOT = Plot(
    name="score_pair",
    title="Score with A and with B",
    caption="Each query:",
    how_to_read=(
        "Each mark is a query, at its score with B and with A. Triangles are queries that A "
        "answers better, diamonds those that B answers better. A box drawn over marks makes them "
        "the subset. Shown for tables of scores; the score is chosen under Baseline."
    ),
    printed=(
        "Each mark is a query, at its score with {b} and with {a}. Triangles: {a} is better; "
        "diamonds: {b} is better."
    ),
    depends=(*FILTER, "algorithms", "focus_algorithm", "baseline", "opponent", "compared_score"),
    picture=picture,
    text=text,
    of="pair",
    needs="several",
    reads="scores",
    select=select,
)
