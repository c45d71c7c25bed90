"""Distribution of errors per query against the threshold, for one algorithm."""

from __future__ import annotations

from typing import Any

import holoviews as hv
import numpy as np
from bokeh.models import CustomJSTickFormatter, FixedTicker
from numpy.typing import NDArray

from tapviz.draw.style import INK, Style, brief, number
from tapviz.draw.threshold_axis import ThresholdAxis
from tapviz.measures import EpqDistribution
from tapviz.plots.frame import (
    NAME_GAP,
    NAME_MARGIN,
    Columns,
    Drawn,
    curve,
    labels,
    layer,
    marks,
    overlay,
    points,
    readout,
    readout_columns,
    spread,
    texts,
)
from tapviz.plots.tap import X

GRID_SIZE = 160
"""Thresholds at which errors are counted; every fourth gets a box."""
BOX_EVERY = 4
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000)
FORMATTER = "return Math.round(Math.pow(10, tick) - 1).toLocaleString('en')"

Y = hv.Dimension("errors_position", label="errors per query")


def height(errors: Any) -> NDArray[np.float64]:
    """Where a number of errors is drawn: log10(1 + errors), which has a 0 and shows 1 and 1,000."""
    return np.log10(1 + np.asarray(errors, np.float64))


def columns(
    axis: ThresholdAxis, epq: EpqDistribution, name: str, look: Style, *, limit: float
) -> Columns:
    """Layers of the distribution, which no choice of a threshold changes.

    Parameters
    ----------
    axis : ThresholdAxis
    epq : EpqDistribution
        Errors per query on ``axis.grid(GRID_SIZE)``.
    name, look
        The algorithm.
    limit : float
        Most errors that the axis must hold.

    Returns
    -------
    Columns
        "box" (x0, y0, x1, y1): quartiles; "whisker" (x0, y0, x1, y1): minimum and maximum;
        "median", "mean" (x, y); "name"; "view"; "readout".
    """
    x = axis.position(epq.threshold)
    kept = slice(None, None, BOX_EVERY)
    step = float(np.median(np.diff(x[kept]))) if x[kept].size > 1 else 1.0
    side = 0.32 * abs(step)
    boxed = np.isfinite(epq.median[kept])
    at = x[kept][boxed]

    def here(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return height(values[kept][boxed])

    top = float(height(limit)) * 1.04
    ends = {"mean": float(height(epq.mean[-1])), "median": float(height(epq.median[-1]))}
    ends = {text: end for text, end in ends.items() if np.isfinite(end)}
    placed = spread(list(ends.values()), NAME_GAP * top, 0.0, top)
    right = axis.end + 0.015 * ((axis.end - axis.start) or 1.0)
    return {
        "box": {"x0": at - side, "y0": here(epq.q1), "x1": at + side, "y1": here(epq.q3)},
        "whisker": {"x0": at, "y0": here(epq.minimum), "x1": at, "y1": here(epq.maximum)},
        "median": {"x": x, "y": height(epq.median)},
        "mean": {"x": x, "y": height(epq.mean)},
        "name": texts([right] * len(ends), placed, list(ends), [look.color] * len(ends)),
        "readout": _readout(axis, epq, name, top),
        "view": {"x": np.array(axis.view(NAME_MARGIN)), "y": np.array([-0.03 * top, top])},
    }


def threshold_columns(axis: ThresholdAxis, threshold: float, errors: float, look: Style) -> Columns:
    """Layers that follow the threshold.

    Parameters
    ----------
    axis : ThresholdAxis
    threshold : float
        E_k or E_0; NaN if there is none.
    errors : float
        Errors of the median query there.
    look : Style

    Returns
    -------
    Columns
        "line", "level" (x, y): the threshold, and the errors of the median query there; "mark"
        (x, y, color): where they cross.
    """
    x, y = float(axis.position(threshold)), float(height(errors))
    there = int(np.isfinite(x) and np.isfinite(y))
    return {
        "line": {"x": np.repeat(x, 2 * there), "y": np.array([0.0, 5.0])[: 2 * there]},
        "level": {"x": np.array([axis.start, axis.end])[: 2 * there], "y": np.repeat(y, 2 * there)},
        "mark": marks([x], [y], [look.color]),
    }


def text(epq: EpqDistribution, name: str, threshold: float, median: float, mean: float) -> str:
    """The plot in words.

    Parameters
    ----------
    epq : EpqDistribution
    name : str
        The algorithm.
    threshold, median, mean : float
        Where the threshold is, and errors per query there.
    """
    if not epq.n_queries:
        return "No query is selected."
    most = f"at most {epq.maximum[-1]:,.0f} errors, with the median query at {epq.median[-1]:,.0f}"
    here = ""
    if np.isfinite(threshold):
        here = (
            f"at {brief(threshold)} the median query of {name} has {median:,.0f} errors and the "
            f"mean is {number(mean)}; "
        )
    said = f"{here}over all records {most}."
    return said[0].upper() + said[1:]


def draw(
    columns: Columns, axis: ThresholdAxis, look: Style, drawn: Drawn | None = None
) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims, color = (X, Y), look.color
    ends = [hv.Dimension("x0"), hv.Dimension("y0"), hv.Dimension("x1"), hv.Dimension("y1")]

    def corners(name: str) -> tuple[NDArray[Any], ...]:
        return tuple(columns[name][key] for key in ("x0", "y0", "x1", "y1"))

    elements = [
        *axis.background(),
        layer(
            hv.Segments(corners("whisker"), ends),
            "whisker",
            drawn,
            color=color,
            line_width=1,
            line_alpha=0.55,
        ),
        layer(
            hv.Rectangles(corners("box"), ends),
            "box",
            drawn,
            color=color,
            fill_alpha=0.22,
            line_color=color,
            line_alpha=0.7,
        ),
        curve(columns, "level", dims, drawn, color=INK, line_width=1, line_alpha=0.5),
        curve(columns, "line", dims, drawn, color=INK, line_width=1),
        curve(columns, "median", dims, drawn, color=color, line_width=2.2),
        curve(columns, "mean", dims, drawn, color=color, line_width=1.6, line_dash=[5, 4]),
        points(columns, "mark", dims, drawn, marker="diamond", size=13, line_color="white"),
        labels(columns, "name", dims, drawn, text_align="left"),
        readout(columns, dims, drawn),
    ]
    return overlay(
        elements,
        ylabel="errors per query",
        yticks=FixedTicker(ticks=height(TICKS).tolist()),
        yformatter=CustomJSTickFormatter(code=FORMATTER),
        **axis.options(columns["view"]),
    )


def _readout(
    axis: ThresholdAxis, epq: EpqDistribution, name: str, top: float
) -> dict[str, NDArray[Any]]:
    def whole(value: float) -> str:
        return f"{value:,.0f}"

    rows = [
        f"min {whole(a)}, Q1 {whole(b)}, median {whole(c)}, Q3 {whole(d)}, max {whole(e)}, "
        f"mean {number(m)}"
        for a, b, c, d, e, m in zip(
            epq.minimum, epq.q1, epq.median, epq.q3, epq.maximum, epq.mean, strict=True
        )
    ]
    heads = [axis.describe(value) for value in epq.threshold.tolist()]
    return readout_columns(axis.position(epq.threshold), top / 2, heads, {name: rows})
