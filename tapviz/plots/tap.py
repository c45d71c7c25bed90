"""Mean TAP against the threshold E_0, with each algorithm's peak and E_k."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tapviz.choices import BY_E_VALUE
from tapviz.draw.picture import Axis, Layer, Picture, line, points
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import INK, Style, brief, number
from tapviz.lists import RetrievalLists
from tapviz.measures import (
    EpqDistribution,
    Tap,
    TapCurve,
    epq_distribution,
    tap_at_thresholds,
    tap_curve,
)
from tapviz.plots.axes import epq_grid, threshold_axis
from tapviz.plots.bands import mean_bands
from tapviz.plots.columns import (
    NO_LINE,
    Columns,
    ceiling,
    each_line,
    end_names,
    end_place,
    is_hatched,
    joined,
    mark_columns,
    mark_not_measured,
    names_at,
    not_measured,
    readout_columns,
    top_layers,
    view,
)
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, THRESHOLD, Plot

DRAWN_POINTS = 360
"""Thresholds at which a curve is drawn, about one per pixel, besides its peak."""


def columns(
    axis: ThresholdAxis,
    curves: Mapping[str, TapCurve],
    epqs: Mapping[str, EpqDistribution],
    styles: Mapping[str, Style],
    *,
    ghosts: Mapping[str, TapCurve] | None = None,
    ends: Mapping[str, float] | None = None,
) -> Columns:
    """Layers of the curves, which no choice of a threshold changes.

    Parameters
    ----------
    axis : ThresholdAxis
    curves : mapping of str to TapCurve
        Mean TAP of each algorithm shown.
    epqs : mapping of str to EpqDistribution
        Errors per query of each on one grid of thresholds, for the read-out.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    ghosts : mapping of str to TapCurve, optional
        The curves of all queries, while a subset is selected.
    ends : mapping of str to float, optional
        Threshold at which each algorithm stopped reporting.

    Returns
    -------
    Columns
        "curve NAME" (x, y): mean TAP, exact at every threshold drawn. "beyond NAME" and "hatch
        NAME" (x, y): beyond what was reported. "peak" (x, y, color): the largest mean TAP.
        "name": texts at the ends. "ghost" (x, y). "readout": the tooltip. "view": limits of the
        axes.
    """
    grid = axis.grid(DRAWN_POINTS)
    ends_at = ends or {}
    top = ceiling([_highest(c) for c in (*curves.values(), *(ghosts or {}).values())])
    layers: Columns = {}
    for name in styles:
        data = curves.get(name)
        thresholds = grid
        if data is not None and np.isfinite(data.peak_threshold):
            at = np.searchsorted(_sign(axis) * grid, _sign(axis) * data.peak_threshold)
            thresholds = np.insert(grid, at, data.peak_threshold)
        points = NO_LINE if data is None else _points(axis, data, thresholds)
        end = end_place(axis, ends_at.get(name, np.inf))
        layers |= not_measured(points["x"], points["y"], end, name, (axis.end - axis.start, top))
    ghost_curves = {
        name: _points(axis, c, grid) for name, c in (ghosts or {}).items() if name in curves
    }
    layers["ghost"] = joined({name: (c["x"], c["y"]) for name, c in ghost_curves.items()})
    colors = [styles[name].color for name in curves]
    layers["peak"] = mark_columns(
        [float(axis.position(c.peak_threshold)) for c in curves.values()],
        [c.peak_tap for c in curves.values()],
        colors,
    )
    heights = {name: float(c.tap[-1]) for name, c in curves.items() if c.tap.size}
    layers["name"] = end_names(
        heights, styles, names_at(axis), (0.0, top), axis.end, hatched=is_hatched(layers)
    )
    layers["readout"] = _readout(axis, curves, epqs, top, ends_at)
    layers["view"] = view(axis, 0.0, top, styles)
    return layers


def threshold_columns(
    axis: ThresholdAxis,
    taps: Mapping[str, Tap],
    styles: Mapping[str, Style],
    *,
    line: float | None = None,
) -> Columns:
    """Layers that follow the threshold.

    Parameters
    ----------
    axis : ThresholdAxis
    taps : mapping of str to Tap
        TAP of each algorithm shown at the present threshold.
    styles : mapping of str to Style
    line : float, optional
        Threshold common to all algorithms.

    Returns
    -------
    Columns
        "threshold" (x, y, color): each algorithm's TAP at the threshold, where there is one.
        "line" (x, y).
    """
    thresholds = [taps[name].e0 if np.isfinite(taps[name].value) else np.nan for name in taps]
    at = np.zeros(0) if line is None else np.repeat(axis.position(line), 2)
    return {
        "threshold": mark_columns(
            axis.position(thresholds).tolist(),
            [at.value for at in taps.values()],
            [styles[name].color for name in taps],
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
    for name, curve in curves.items():
        at = taps[name]
        part = f"{at.value:.3f} at {brief(at.e0)}" if np.isfinite(at.value) else "undefined"
        if at.reason and np.isfinite(at.e0):
            part = at.reason
        if np.isfinite(curve.peak_tap):
            part += f" (peak {curve.peak_tap:.3f} at {brief(curve.peak_threshold)})"
        parts.append(f"{name} {part}")
    return f"Mean TAP at the threshold: {'; '.join(parts) or 'no algorithm is shown'}."


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    explorer, axis, styles = data.explorer, data.axis, data.styles
    layers = data.curves(
        PLOT.name,
        lambda: columns(
            axis,
            data.each(tap_curve),
            data.each(epq_distribution, data.settled(epq_grid)),
            styles,
            ghosts=data.ghosts(tap_curve),
            ends=data.ends,
        ),
    )
    line_at = explorer.e0 if explorer.mode == BY_E_VALUE else None
    layers = layers | threshold_columns(axis, data.taps, styles, line=line_at)
    return Picture(
        (
            *each_line(layers, styles),
            line("line", layers["line"], INK, moving=True, drags="e0"),
            points("peak", layers["peak"], marker="triangle", size=11),
            points("threshold", layers["threshold"], marker="diamond", size=13, moving=True),
            *top_layers(layers),
        ),
        threshold_axis(axis, layers["view"]),
        Axis("mean TAP", *layers["view"]["y"].tolist()),
    )


def bands(data: PlotData) -> list[Layer]:
    """Intervals of the curves, as far as was measured."""
    axis = data.axis
    grid = axis.grid(DRAWN_POINTS)

    def values(name: str, lists: RetrievalLists) -> Any:
        end = data.ends[name]
        within = grid[_sign(axis) * grid <= _sign(axis) * end] if np.isfinite(end) else grid
        return tap_at_thresholds(lists, within)

    return mean_bands(data, axis.position(grid), values)


PLOT = Plot(
    name="tap",
    title="TAP against E<sub>0</sub>",
    caption="◆ at the threshold · ▲ peak, not advised",
    how_to_read=(
        "Each line is the mean TAP of one program at every E-value threshold E₀. It rises while "
        "looser thresholds find more relevant records, and falls when errors outweigh them. A "
        "diamond marks the threshold at hand, a triangle the peak, which was found with the labels "
        "known and is no threshold to recommend: the tab Threshold finds one. Where there is one "
        "threshold for all, its line can be dragged. A line is faint and hatched where its program "
        "had stopped reporting: nothing was measured there."
    ),
    printed=(
        "Mean TAP of the queries at every threshold E₀. Diamonds: at {at}; triangles: the "
        "largest mean TAP of each program. Hatched: beyond where a program stopped reporting."
    ),
    depends=(*FILTER, *THRESHOLD, "algorithms"),
    picture=picture,
    text=lambda data: text(data.taps, data.each(tap_curve)),
    leads_to=("threshold", "Find a threshold"),
    bands=bands,
)


def _sign(axis: ThresholdAxis) -> int:
    return -1 if axis.descending else 1


def _highest(curve: TapCurve) -> float:
    """The peak, or the highest point that is known."""
    known = curve.tap.max(initial=0.0) if np.isnan(curve.peak_tap) else curve.peak_tap
    return float(known)


def _points(axis: ThresholdAxis, data: TapCurve, thresholds: Any) -> dict[str, Any]:
    return {"x": axis.position(thresholds), "y": data.at(thresholds, _sign(axis))}


def _readout(
    axis: ThresholdAxis,
    curves: Mapping[str, TapCurve],
    epqs: Mapping[str, EpqDistribution],
    top: float,
    ends: Mapping[str, float],
) -> dict[str, Any]:
    grid = next((epq.threshold for epq in epqs.values()), np.zeros(0))
    rows = {}
    for name, data in curves.items():
        values = zip(data.at(grid, _sign(axis)), epqs[name].median, epqs[name].mean, strict=True)
        rows[name] = [
            f"TAP {tap:.3f} (EPQ median {median:,.0f}, mean {number(mean)})"
            for tap, median, mean in values
        ]
        mark_not_measured(rows[name], grid, ends.get(name, np.inf), axis)
    heads = [axis.describe(value) for value in grid.tolist()]
    return readout_columns(axis.position(grid), top / 2, heads, rows)
