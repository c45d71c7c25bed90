"""TAP of every query with one algorithm against its TAP with another."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any, NamedTuple

import holoviews as hv
import numpy as np
from bokeh.models import CustomJSHover, FixedTicker
from numpy.typing import NDArray

from tapviz.draw.style import ACCENT, GHOST, INK, Style, number
from tapviz.measures import Tap
from tapviz.plots.frame import (
    Columns,
    Drawn,
    curve,
    hover,
    labels,
    marks,
    overlay,
    points,
    shortened,
    texts,
    told,
)

# TAPs that differ by no more than this may be equal but for rounding.
EQUAL = 1e-12
NAMED = 5
"""Queries at one place that are named; the others are counted."""
SAME = "#8A8A8A"
"""Colour of queries with equal TAPs."""
# The mouse cannot tell which of the queries at one place it is at.
OTHERS = """
const {x, y, query, total} = special_vars.glyph_view.parent.model.data_source.data
const at = special_vars.index
const others = []
for (let i = 0; i < x.length; i++) {
    if (i !== at && x[i] === x[at] && y[i] === y[at]) {
        others.push(`${query[i]}, T(q) = ${total[i].toLocaleString("en")}`)
    }
}
const more = others.splice(%(others)d).length
const rest = `${more.toLocaleString("en")} more ${more > 1 ? "queries" : "query"}`
if (more) others.push(`and ${rest} here`)
return others.join("\\n")
"""
HINT = "click: lists · drag: subset"
# Above and below the points there is a line of text each.
VIEW = {"x": np.array([-0.02, 1.02]), "y": np.array([-0.12, 1.12])}

X = hv.Dimension("tap_of_b", label="TAP of B")
Y = hv.Dimension("tap_of_a", label="TAP of A")


class _Duel(NamedTuple):
    """Two algorithms that can be compared, and the TAP of each query with each, shape (Q,)."""

    names: tuple[str, str]
    a: NDArray[np.float64]
    b: NDArray[np.float64]
    better: NDArray[np.int64]
    """1 where A is better, -1 where B is, else 0; shape (Q,)."""


def columns(
    taps: Mapping[str, Tap],
    query: NDArray[np.str_],
    n_relevant: NDArray[np.int64],
    looks: Mapping[str, Style],
    focus: str = "",
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    taps : mapping of str to Tap
        A, then B, each at its threshold.
    query : ndarray of str, shape (Q,)
        Ids.
    n_relevant : ndarray of int, shape (Q,)
        T(q).
    looks : mapping of str to Style
    focus : str, optional
        Query to mark.

    Returns
    -------
    Columns
        "focus" (x, y, color): the query to mark. "point" (x, y, color, query, total): all queries
        in their order, or none. "told" (text): what the mouse is told at each, a template.
        "diagonal" (x, y): equal TAPs. "corner left" and "corner right" (x, y, text, color): how
        many queries are above, on, and below it. "hint": what the hand can do. "view".
    """
    drawn: Columns = {
        "diagonal": {"x": np.array([0.0, 1.0]), "y": np.array([0.0, 1.0])},
        "point": no_dots(),
        "told": sayings({}),
        "focus": marks([], [], []),
        "corner left": texts([], [], [], []),
        "corner right": texts([], [], [], []),
        "hint": texts([], [], [], []),
        "view": VIEW,
    }
    duel = _duel(taps)
    if isinstance(duel, str):
        return drawn
    colors = [looks[name].color for name in duel.names]
    drawn["point"] = {
        "x": duel.b,
        "y": duel.a,
        "color": np.array([SAME, colors[0], colors[1]], np.object_)[duel.better],
        "query": query,
        "total": n_relevant,
    }
    drawn["told"] = sayings(dict(zip(duel.names, "yx", strict=True)))
    at = np.flatnonzero(query == focus)
    drawn["focus"] = marks(duel.b[at].tolist(), duel.a[at].tolist(), [ACCENT] * len(at))
    wins, losses, equal = _counts(duel)
    a, b = (shortened(name) for name in duel.names)
    top, bottom = 1.055, -0.06
    drawn["corner left"] = texts(
        [0.0, 0.0],
        [top, bottom],
        [f"{a} better: {wins:,}", f"equal: {equal:,}"],
        [colors[0], INK],
        60,
    )
    drawn["corner right"] = texts([1.0], [bottom], [f"{b} better: {losses:,}"], [colors[1]], 60)
    drawn["hint"] = texts([0.42], [bottom], [HINT], [INK], 60)
    return drawn


def text(taps: Mapping[str, Tap], query: NDArray[np.str_]) -> str:
    """The plot in words.

    Parameters
    ----------
    taps, query
        As in `columns`.
    """
    duel = _duel(taps)
    if isinstance(duel, str):
        return duel
    (a, b), (at_a, at_b) = duel.names, taps.values()
    wins, losses, equal = _counts(duel)
    mean = at_a.tap - at_b.tap
    said = (
        f"{a} has the larger {measured(at_a)} for {wins:,} of {duel.a.size:,} queries, {b} for "
        f"{losses:,}; {equal:,} are equal. The mean difference is {_signed(mean)} "
        f"({at_a.tap:.3f} against {at_b.tap:.3f})"
    )
    apart = [
        f"{name} by query {query[at]} ({duel.a[at]:.3f} against {duel.b[at]:.3f})"
        for name, sign in ((a, 1), (b, -1))
        if (duel.better == sign).any()
        for at in [int(np.argmax(sign * (duel.a - duel.b)))]
    ]
    return said + (f", most in favour of {', of '.join(apart)}." if apart else ".")


def undefined(taps: Mapping[str, Tap]) -> str:
    """Why there are no points to draw; empty if there are."""
    if not all(at.per_query.size for at in taps.values()):
        return "No query is selected."
    return " ".join(
        f"{name} has no TAP: {at.reason}" for name, at in taps.items() if np.isnan(at.tap)
    )


def dots(
    columns: Columns, dims: tuple[hv.Dimension, hv.Dimension], drawn: Drawn | None
) -> list[hv.Element]:
    """A dot for each query, which the mouse can box, and a ring around the one in focus."""
    ring = {"size": 15, "fill_alpha": 0, "line_color": ACCENT, "line_width": 2.5}
    tool = hover(
        columns["told"]["text"][0],
        formatters={"$index": CustomJSHover(code=OTHERS % {"others": NAMED - 1})},
    )
    return [
        told(columns, "point", dims, drawn, tool, size=6, fill_alpha=0.45, line_color=None),
        points(columns, "focus", dims, drawn, tools=["box_select"], **ring),
    ]


def no_dots() -> dict[str, NDArray[Any]]:
    """Columns of the dots where there is no query."""
    texts_of = ("color", "query")
    return dict.fromkeys(("x", "y", "total"), np.zeros(0)) | dict.fromkeys(
        texts_of, np.zeros(0, np.object_)
    )


def sayings(columns: Mapping[str, str]) -> dict[str, NDArray[np.object_]]:
    """What the mouse is told at a query: also of others that lie at the same place.

    Parameters
    ----------
    columns : mapping of str to {"x", "y"}
        The column that holds the TAP with each algorithm.

    Returns
    -------
    dict
        "text": one template for all queries, HTML.
    """
    lines = ["<b>@query</b>, T(q) = @total{0,0}", "$index{others}"]
    for name, column in columns.items():
        # The mark of a column is none in a name.
        plain = html.escape(name).replace("@", "&commat;").replace("$", "&dollar;")
        lines.append(f"<b>{plain}</b> @{column}{{0.000}}")
    rows = "".join(f'<div style="white-space:pre-line">{line}</div>' for line in lines)
    return {"text": np.array([rows], np.object_)}


def measured(at: Tap) -> str:
    """Name of the measure."""
    return "TAP" if at.k is None else f"TAP-{at.k}"


def draw(columns: Columns, drawn: Drawn | None = None) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    elements = [
        curve(columns, "diagonal", dims, drawn, color=GHOST, line_width=1),
        *dots(columns, dims, drawn),
        labels(columns, "corner left", dims, drawn, text_align="left"),
        labels(columns, "hint", dims, drawn, text_align="center"),
        labels(columns, "corner right", dims, drawn, text_align="right"),
    ]
    ticks = np.linspace(0, 1, 6).tolist()
    return overlay(
        elements,
        drag="box_select",
        xlabel="TAP of B, per query",
        ylabel="TAP of A, per query",
        xlim=tuple(columns["view"]["x"]),
        ylim=tuple(columns["view"]["y"]),
        xticks=FixedTicker(ticks=ticks),
        yticks=FixedTicker(ticks=ticks),
    )


def _duel(taps: Mapping[str, Tap]) -> _Duel | str:
    """What can be compared, or why nothing can."""
    if problem := undefined(taps):
        return problem
    (a, b), (at_a, at_b) = taps, taps.values()
    difference = at_a.per_query - at_b.per_query
    better = np.where(np.abs(difference) > EQUAL, np.sign(difference), 0).astype(np.int64)
    return _Duel((a, b), at_a.per_query, at_b.per_query, better)


def _counts(duel: _Duel) -> tuple[int, int, int]:
    """Queries for which A is better, B is better, and neither."""
    wins, losses = int((duel.better > 0).sum()), int((duel.better < 0).sum())
    return wins, losses, duel.better.size - wins - losses


def _signed(value: float) -> str:
    return ("+" if value >= 0 else "") + number(value)
