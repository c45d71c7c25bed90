"""TAP of every query with one algorithm against its TAP with another."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import NamedTuple

import holoviews as hv
import numpy as np
from bokeh.models import FixedTicker
from numpy.typing import NDArray

from tapviz.measures import Tap
from tapviz.plots.frame import (
    Columns,
    Drawn,
    curve,
    labels,
    marks,
    overlay,
    points,
    shortened,
    texts,
    told,
)
from tapviz.plots.style import ACCENT, GHOST, INK, Style, number

# TAPs that differ by no more than this may be equal but for rounding.
EQUAL = 1e-12
NAMED = 5
"""Queries at one place that are named; the others are counted."""
SAME = "#8A8A8A"
"""Colour of queries with equal TAPs."""
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
        "focus" (x, y, color): the query to mark. "point" (x, y, color, text): all queries in
        their order, or none; `text` is HTML for the mouse. "diagonal" (x, y): equal TAPs. "corner
        left" and "corner right" (x, y, text, color): how many queries are above, on, and below
        it. "hint": what the hand can do. "view".
    """
    nothing = np.zeros(0)
    drawn: Columns = {
        "diagonal": {"x": np.array([0.0, 1.0]), "y": np.array([0.0, 1.0])},
        "point": dict.fromkeys(("x", "y"), nothing)
        | dict.fromkeys(("color", "text"), nothing.astype(np.object_)),
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
        "text": sayings(
            dict(zip(duel.names, (duel.a, duel.b), strict=True)),
            query,
            n_relevant,
            (duel.b, duel.a),
        ),
    }
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
    return [
        told(columns, "point", dims, drawn, size=6, fill_alpha=0.45, line_color=None),
        points(columns, "focus", dims, drawn, tools=["box_select"], **ring),
    ]


def sayings(
    values: Mapping[str, NDArray[np.float64]],
    query: NDArray[np.str_],
    n_relevant: NDArray[np.int64],
    places: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> NDArray[np.object_]:
    """What the mouse is told at each query: also of others that lie at the same place.

    Parameters
    ----------
    values : mapping of str to ndarray of float, shape (Q,)
        TAP of each query with each algorithm.
    query, n_relevant
        As in `columns`.
    places : pair of ndarray of float, shape (Q,)
        x and y of the points; queries at one place have the same values.
    """
    own = [
        f"<b>{html.escape(name)}</b>, T(q) = {total:,}"
        for name, total in zip(query.tolist(), n_relevant.tolist(), strict=True)
    ]
    taps = [(f"<b>{html.escape(name)}</b> ", of.tolist()) for name, of in values.items()]
    there: dict[tuple[float, float], list[int]] = {}
    for row, place in enumerate(zip(*(part.tolist() for part in places), strict=True)):
        there.setdefault(place, []).append(row)
    # One text for all at a place: the mouse cannot tell which it is at.
    said = [""] * len(own)
    for rows in there.values():
        lines = [own[row] for row in rows[:NAMED]]
        if len(rows) > NAMED:
            lines.append(f"and {len(rows) - NAMED:,} more queries here")
        lines += [f"{name}{of[rows[0]]:.3f}" for name, of in taps]
        shared = "<br>".join(lines)
        for row in rows:
            said[row] = shared
    return np.array(said, np.object_)


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
