"""Mean TAP against the threshold E_0, with each algorithm's peak and E_k."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import holoviews as hv
import numpy as np

from tapviz.measures import EpqDistribution, Tap, TapCurve
from tapviz.plots.axis import ThresholdAxis
from tapviz.plots.frame import (
    NAME_MARGIN,
    Columns,
    Drawn,
    ceiling,
    curve,
    joined,
    labels,

    marks,
    overlay,
    points,
    readout,
    readout_columns,
    spread,
    texts,
)
from tapviz.plots.style import GHOST, INK, Style, number

DRAWN_POINTS = 360
"""Thresholds at which a curve is drawn, about one per pixel, besides its peak."""

X = hv.Dimension("threshold_position", label="threshold")
Y = hv.Dimension("mean_tap", label="mean TAP", range=(0, None))


def columns(
    axis: ThresholdAxis,
    curves: Mapping[str, TapCurve],
    taps: Mapping[str, Tap],
    epqs: Mapping[str, EpqDistribution],
    looks: Mapping[str, Style],
    *,
    ghosts: Mapping[str, TapCurve] | None = None,
    line: float | None = None,
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    axis : ThresholdAxis
    curves : mapping of str to TapCurve
        Mean TAP of each algorithm shown.
    taps : mapping of str to Tap
        TAP of each algorithm shown at the present threshold.
    epqs : mapping of str to EpqDistribution
        Errors per query of each on one grid of thresholds, for the read-out.
    looks : mapping of str to Style
        Every algorithm of the bench, shown or not.
    ghosts : mapping of str to TapCurve, optional
        The curves of all queries, while a subset is selected.
    line : float, optional
        Threshold common to all algorithms.

    Returns
    -------
    Columns
        "curve NAME" (x, y): mean TAP, exact at every threshold drawn. "peak", "threshold" (x,
        y, color): the largest mean TAP, and the TAP at the present threshold. "name": texts at
        the ends. "ghost", "line" (x, y). "readout": what the mouse is told. "view": limits of
        the axes.
    """
    grid = axis.grid(DRAWN_POINTS)
    drawn: dict[str, dict[str, Any]] = {}
    nothing = np.zeros(0)
    for name in looks:
        data = curves.get(name)
        thresholds = grid
        if data is not None and np.isfinite(data.peak_threshold):
            at = np.searchsorted(_sign(axis) * grid, _sign(axis) * data.peak_threshold)
            thresholds = np.insert(grid, at, data.peak_threshold)
        drawn[f"curve {name}"] = (
            {"x": nothing, "y": nothing} if data is None else _points(axis, data, thresholds)
        )
    top = ceiling([c.peak_tap for c in (*curves.values(), *(ghosts or {}).values())])
    ends = [float(c.tap[-1]) if c.tap.size else np.nan for c in curves.values()]
    named = [(name, end) for name, end in zip(curves, ends, strict=True) if np.isfinite(end)]
    heights = spread([end for _, end in named], 0.062 * top, 0.02 * top, 0.98 * top)
    width = (axis.end - axis.start) or 1.0
    faint = {name: _points(axis, c, grid) for name, c in (ghosts or {}).items() if name in curves}
    drawn["ghost"] = joined({name: (c["x"], c["y"]) for name, c in faint.items()})
    drawn["line"] = (
        {"x": nothing, "y": nothing}
        if line is None
        else {"x": np.repeat(axis.position(line), 2), "y": np.array([0.0, top])}
    )
    colors = [looks[name].color for name in curves]
    drawn["peak"] = marks(
        [float(axis.position(c.peak_threshold)) for c in curves.values()],
        [c.peak_tap for c in curves.values()],
        colors,
    )
    drawn["threshold"] = marks(
        [float(axis.position(taps[name].e0)) for name in curves],
        [taps[name].tap for name in curves],
        colors,
    )
    drawn["name"] = texts(
        [axis.end + 0.015 * width] * len(named),
        heights,
        [name for name, _ in named],
        [looks[name].color for name, _ in named],
    )
    drawn["readout"] = _readout(axis, curves, epqs, top)
    drawn["view"] = {"x": np.array(axis.view(NAME_MARGIN)), "y": np.array([0.0, top])}
    return drawn


def draw(
    columns: Columns,
    axis: ThresholdAxis,
    looks: Mapping[str, Style],
    drawn: Drawn | None = None,
) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    elements = axis.background()
    elements += [curve(columns, "ghost", dims, drawn, color=GHOST, line_width=1)]
    elements += [
        curve(
            columns, f"curve {name}", dims, drawn,
            color=look.color, line_dash=look.line_dash, line_width=2,
        )
        for name, look in looks.items()
    ]  # fmt: skip
    elements += [
        curve(columns, "line", dims, drawn, color=INK, line_width=1),
        points(
            columns, "peak", dims, drawn, marker="triangle", size=11, line_color="white",
        ),
        points(
            columns, "threshold", dims, drawn, marker="diamond", size=13, line_color="white",
        ),
        labels(columns, "name", dims, drawn, text_align="left"),
        readout(columns, dims, drawn),
    ]  # fmt: skip
    view = columns["view"]
    return overlay(
        elements,
        xlabel=axis.title,
        ylabel="mean TAP",
        xlim=tuple(view["x"]),
        ylim=tuple(view["y"]),
        invert_xaxis=axis.descending,
        **axis.ticks(),
    )


def _sign(axis: ThresholdAxis) -> int:
    return -1 if axis.descending else 1


def _points(axis: ThresholdAxis, data: TapCurve, thresholds: Any) -> dict[str, Any]:
    return {"x": axis.position(thresholds), "y": data.at(thresholds, _sign(axis))}


def _readout(
    axis: ThresholdAxis,
    curves: Mapping[str, TapCurve],
    epqs: Mapping[str, EpqDistribution],
    top: float,
) -> dict[str, Any]:
    grid = next((epq.threshold for epq in epqs.values()), np.zeros(0))
    rows = {}
    for name, data in curves.items():
        values = zip(data.at(grid, _sign(axis)), epqs[name].median, epqs[name].mean, strict=True)
        rows[name] = [
            f"TAP {tap:.3f} (EPQ median {median:,.0f}, mean {number(mean)})"
            for tap, median, mean in values
        ]
    heads = [axis.describe(value) for value in grid.tolist()]
    return readout_columns(axis.position(grid), top / 2, heads, rows)
