"""Mean TAP against the threshold E_0, with each algorithm's peak and E_k."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tapviz import measures as m
from tapviz.draw.picture import Axis, Layer, Picture, points
from tapviz.draw.style import brief, number
from tapviz.lists import RetrievalLists
from tapviz.plots import chart
from tapviz.plots import columns as c
from tapviz.plots.axes import epq_grid, threshold_axis
from tapviz.plots.bands import mean_bands
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, THRESHOLD, Plot
from tapviz.state import BY_E_VALUE

DRAWN_POINTS = 360
"""Thresholds at which a curve is drawn, about one per pixel, besides its peak."""


def curves(data: PlotData) -> chart.Chart:
    """Mean TAP, exact at every threshold drawn."""
    axis, sign = data.axis, data.explorer.first.sign
    grid = axis.grid(DRAWN_POINTS)
    found, whole = data.each(m.tap_curve), data.ghosts(m.tap_curve)
    top = c.ceiling([_highest(one) for one in (*found.values(), *whole.values())])

    def drawn(curve: m.TapCurve, at: Any) -> dict[str, Any]:
        return {"x": axis.position(at), "y": curve.at(at, sign)}

    def with_peak(peak: float) -> Any:
        at = np.searchsorted(sign * grid, sign * peak)
        return np.insert(grid, at, peak) if np.isfinite(peak) else grid

    return chart.line_chart(
        data,
        {name: drawn(one, with_peak(one.peak_threshold)) for name, one in found.items()},
        threshold_axis(axis),
        Axis("mean TAP", 0.0, top),
        _readout(data, found),
        ghosts={name: drawn(one, grid) for name, one in whole.items()},
        ends={name: c.end_place(axis, end) for name, end in data.ends.items()},
    )


def text(taps: Mapping[str, m.Tap], curves: Mapping[str, m.TapCurve]) -> str:
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
    explorer, axis = data.explorer, data.axis
    common = float(axis.position(explorer.e0)) if explorer.mode == BY_E_VALUE else None
    peaks = {
        name: (float(axis.position(one.peak_threshold)), one.peak_tap)
        for name, one in data.each(m.tap_curve).items()
    }
    at = {
        name: (float(axis.position(one.e0)), one.value)
        for name, one in data.taps.items()
        if np.isfinite(one.value)
    }
    return data.curves(PLOT.name, lambda: curves(data)).picture(
        chart.upright(common, drags="e0"),
        points("peak", chart.marks(data, peaks), marker="triangle", size=11),
        chart.diamonds(data, at),
    )


def bands(data: PlotData) -> list[Layer]:
    """Intervals of the curves, as far as was measured."""
    axis, sign = data.axis, data.explorer.first.sign
    grid = axis.grid(DRAWN_POINTS)

    def values(name: str, lists: RetrievalLists) -> Any:
        end = data.ends[name]
        within = grid[sign * grid <= sign * end] if np.isfinite(end) else grid
        return m.tap_at_thresholds(lists, within)

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
    text=lambda data: text(data.taps, data.each(m.tap_curve)),
    leads_to=("threshold", "Find a threshold"),
    bands=bands,
)


def _highest(curve: m.TapCurve) -> float:
    """The peak, or the highest point that is known."""
    known = curve.tap.max(initial=0.0) if np.isnan(curve.peak_tap) else curve.peak_tap
    return float(known)


def _readout(data: PlotData, curves: Mapping[str, m.TapCurve]) -> chart.Readout:
    grid, sign = np.array(data.settled(epq_grid)), data.explorer.first.sign
    epqs = data.each(m.epq_distribution, data.settled(epq_grid))

    middle = next((one.median_name for one in epqs.values()), "median")

    def said(tap: float, median: float, mean: float) -> str:
        return f"TAP {tap:.3f} (EPQ {middle} {median:,.0f}, mean {number(mean)})"

    rows = {
        name: c.measured_rows(
            map(said, one.at(grid, sign), epqs[name].median, epqs[name].mean),
            grid,
            data.ends[name],
            sign,
        )
        for name, one in curves.items()
    }
    return chart.Readout(data.axis.position(grid), [*map(data.axis.describe, grid)], rows)
