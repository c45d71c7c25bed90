"""TAP of every query with one algorithm against T(q): what A against B is where there is no B."""

from __future__ import annotations

import holoviews as hv
import numpy as np
from bokeh.models import FixedTicker
from numpy.typing import NDArray

from tapviz.draw.log_axis import LogAxis
from tapviz.draw.style import ACCENT, INK, Style
from tapviz.measures import Tap
from tapviz.plots.frame import (
    Columns,
    Drawn,
    curve,
    labels,
    marks,
    overlay,
    texts,
)
from tapviz.plots.scatter import HINT, dots, measured, no_dots, sayings, undefined

ENDS = np.array([-0.12, 1.12])
"""Of the axis of TAP: above and below the points there is a line of text each."""

X = hv.Dimension("t_q", label="T(q)")
Y = hv.Dimension("tap_of_a", label="TAP of A")


def axis(n_relevant: NDArray[np.int64]) -> LogAxis:
    """Axis of T(q) for these and smaller sets of queries; 0 has a place where it occurs."""
    some = n_relevant[n_relevant > 0]
    least, most = int(some.min(initial=2**31)), int(some.max(initial=1))
    return LogAxis.of(min(least, most), most, zero=bool((n_relevant == 0).any()))


def columns(
    name: str,
    at: Tap,
    query: NDArray[np.str_],
    n_relevant: NDArray[np.int64],
    totals: LogAxis,
    look: Style,
    focus: str = "",
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    name : str
        The algorithm.
    at : Tap
        At its threshold.
    query : ndarray of str, shape (Q,)
        Ids.
    n_relevant : ndarray of int, shape (Q,)
        T(q).
    totals : LogAxis
        Of T(q).
    look : Style
    focus : str, optional
        Query to mark.

    Returns
    -------
    Columns
        "focus" (x, y, color): the query to mark. "point" (x, y, color, query, total): all queries
        in their order, or none. "told" (text): what the mouse is told at each, a template. "mean"
        (x, y): a line at their mean TAP, as the score table has it. "corner" (x, y, text, color):
        what it says. "hint": what the hand can do. "view".
    """
    ends = np.array(totals.view(0.02))
    nothing = np.zeros(0)
    drawn: Columns = {
        "mean": {"x": nothing, "y": nothing},
        "point": no_dots(),
        "told": sayings({}),
        "focus": marks([], [], []),
        "corner": texts([], [], [], []),
        "hint": texts([], [], [], []),
        "view": {"x": ends, "y": ENDS},
    }
    if undefined({name: at}):
        return drawn
    x, y = totals.position(n_relevant), at.per_query
    drawn["point"] = {
        "x": x,
        "y": y,
        "color": np.full(y.size, look.color, np.object_),
        "query": query,
        "total": n_relevant,
    }
    drawn["told"] = sayings({name: "y"})
    place = np.flatnonzero(query == focus)
    drawn["focus"] = marks(x[place].tolist(), y[place].tolist(), [ACCENT] * len(place))
    drawn["mean"] = {"x": ends, "y": np.full(2, at.tap)}
    said = f"mean {measured(at)} {at.tap:.3f}"
    drawn["corner"] = texts([totals.start], [1.055], [said], [INK], 60)
    drawn["hint"] = texts([(totals.start + totals.end) / 2], [-0.06], [HINT], [INK], 60)
    return drawn


def text(name: str, at: Tap, query: NDArray[np.str_], n_relevant: NDArray[np.int64]) -> str:
    """The plot in words.

    Parameters
    ----------
    name, at, query, n_relevant
        As in `columns`.
    """
    if problem := undefined({name: at}):
        return problem
    value = at.per_query
    low, middle, high = np.quantile(value, [0.25, 0.5, 0.75])
    said = (
        f"The mean {measured(at)} of {name} over {value.size:,} queries is {at.tap:.3f}; half of "
        f"the queries lie from {low:.3f} to {high:.3f}, the median is {middle:.3f}."
    )
    cut = int(np.sort(n_relevant)[(value.size - 1) // 2])
    few = n_relevant <= cut
    if not few.all():
        said += (
            f" It is {np.median(value[few]):.3f} for the {few.sum():,} queries with T(q) of at "
            f"most {cut:,}, {np.median(value[~few]):.3f} for the others."
        )
    if value.max() > value.min():
        ends = [f"{query[i]} ({value[i]:.3f})" for i in (int(value.argmin()), int(value.argmax()))]
        said += f" The lowest is that of {ends[0]}, the highest that of {ends[1]}."
    return said


def draw(columns: Columns, totals: LogAxis, drawn: Drawn | None = None) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    elements = totals.background()
    elements += [
        curve(columns, "mean", dims, drawn, color=INK, line_width=1, line_dash="dashed"),
        *dots(columns, dims, drawn),
        labels(columns, "corner", dims, drawn, text_align="left"),
        labels(columns, "hint", dims, drawn, text_align="center"),
    ]
    return overlay(
        elements,
        drag="box_select",
        xlabel="relevant records in the database (T(q), log scale)",
        ylabel="TAP, per query",
        xlim=tuple(columns["view"]["x"]),
        ylim=tuple(columns["view"]["y"]),
        yticks=FixedTicker(ticks=np.linspace(0, 1, 6).tolist()),
        **totals.ticks("x"),
    )
