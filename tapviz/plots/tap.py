"""Mean TAP against the threshold E_0, with each algorithm's peak and E_k."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import holoviews as hv
import numpy as np

from tapviz.draw.style import INK, Style, brief, number
from tapviz.draw.threshold_axis import ThresholdAxis
from tapviz.measures import EpqDistribution, Tap, TapCurve
from tapviz.plots.frame import (
    NAME_GAP,
    NAME_MARGIN,
    Columns,
    Drawn,
    ceiling,
    curve,
    each_curve,
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

DRAWN_POINTS = 360
"""Thresholds at which a curve is drawn, about one per pixel, besides its peak."""

X = hv.Dimension("threshold_position", label="threshold")
Y = hv.Dimension("mean_tap", label="mean TAP", range=(0, None))


def columns(
    axis: ThresholdAxis,
    curves: Mapping[str, TapCurve],
    epqs: Mapping[str, EpqDistribution],
    looks: Mapping[str, Style],
    *,
    ghosts: Mapping[str, TapCurve] | None = None,
) -> Columns:
    """Layers of the curves, which no choice of a threshold changes.

    Parameters
    ----------
    axis : ThresholdAxis
    curves : mapping of str to TapCurve
        Mean TAP of each algorithm shown.
    epqs : mapping of str to EpqDistribution
        Errors per query of each on one grid of thresholds, for the read-out.
    looks : mapping of str to Style
        Every algorithm of the bench, shown or not.
    ghosts : mapping of str to TapCurve, optional
        The curves of all queries, while a subset is selected.

    Returns
    -------
    Columns
        "curve NAME" (x, y): mean TAP, exact at every threshold drawn. "peak" (x, y, color): the
        largest mean TAP. "name": texts at the ends. "ghost" (x, y). "readout": what the mouse
        is told. "view": limits of the axes.
    """
    grid = axis.grid(DRAWN_POINTS)
    drawn: Columns = {}
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
    faint = {name: _points(axis, c, grid) for name, c in (ghosts or {}).items() if name in curves}
    drawn["ghost"] = joined({name: (c["x"], c["y"]) for name, c in faint.items()})
    colors = [looks[name].color for name in curves]
    drawn["peak"] = marks(
        [float(axis.position(c.peak_threshold)) for c in curves.values()],
        [c.peak_tap for c in curves.values()],
        colors,
    )
    top = ceiling([c.peak_tap for c in (*curves.values(), *(ghosts or {}).values())])
    ends = {name: float(c.tap[-1]) for name, c in curves.items() if c.tap.size}
    ends = {name: end for name, end in ends.items() if np.isfinite(end)}
    width = (axis.end - axis.start) or 1.0
    drawn["name"] = texts(
        [axis.end + 0.015 * width] * len(ends),
        spread(list(ends.values()), NAME_GAP * top, 0.02 * top, 0.98 * top),
        list(ends),
        [looks[name].color for name in ends],
    )
    drawn["readout"] = _readout(axis, curves, epqs, top)
    drawn["view"] = {"x": np.array(axis.view(NAME_MARGIN)), "y": np.array([0.0, top])}
    return drawn


def threshold_columns(
    axis: ThresholdAxis,
    taps: Mapping[str, Tap],
    looks: Mapping[str, Style],
    *,
    line: float | None = None,
) -> Columns:
    """Layers that follow the threshold.

    Parameters
    ----------
    axis : ThresholdAxis
    taps : mapping of str to Tap
        TAP of each algorithm shown at the present threshold.
    looks : mapping of str to Style
    line : float, optional
        Threshold common to all algorithms.

    Returns
    -------
    Columns
        "threshold" (x, y, color): each algorithm's TAP at the threshold, where there is one.
        "line" (x, y).
    """
    thresholds = [taps[name].e0 if np.isfinite(taps[name].tap) else np.nan for name in taps]
    at = np.zeros(0) if line is None else np.repeat(axis.position(line), 2)
    return {
        "threshold": marks(
            axis.position(thresholds).tolist(),
            [at.tap for at in taps.values()],
            [looks[name].color for name in taps],
        ),
        "line": {"x": at, "y": np.array([0.0, 1.0])[: at.size]},
    }


def text(taps: Mapping[str, Tap], curves: Mapping[str, TapCurve]) -> str:
    """The plot in words.

    Parameters
    ----------
    taps : mapping of str to Tap
        TAP of each algorithm shown at its threshold.
    curves : mapping of str to TapCurve
    """
    parts = []
    for name, found in curves.items():
        at = taps[name]
        here = f"{at.tap:.3f} at {brief(at.e0)}" if np.isfinite(at.tap) else "undefined"
        if np.isfinite(found.peak_tap):
            here += f" (peak {found.peak_tap:.3f} at {brief(found.peak_threshold)})"
        parts.append(f"{name} {here}")
    return f"Mean TAP at the threshold: {'; '.join(parts) or 'no algorithm is shown'}."


def draw(
    columns: Columns,
    axis: ThresholdAxis,
    looks: Mapping[str, Style],
    drawn: Drawn | None = None,
) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    elements = axis.background()
    elements += each_curve(columns, dims, looks, drawn)
    elements += [
        curve(columns, "line", dims, drawn, color=INK, line_width=1),
        points(
            columns,
            "peak",
            dims,
            drawn,
            marker="triangle",
            size=11,
            line_color="white",
        ),
        points(
            columns,
            "threshold",
            dims,
            drawn,
            marker="diamond",
            size=13,
            line_color="white",
        ),
        labels(columns, "name", dims, drawn, text_align="left"),
        readout(columns, dims, drawn),
    ]
    return overlay(elements, ylabel="mean TAP", **axis.options(columns["view"]))


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
