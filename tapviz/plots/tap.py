"""Mean TAP against the threshold E_0, with each algorithm's peak and E_k."""

from __future__ import annotations

import numpy as np

from tapviz import measures as m
from tapviz.draw import picture as p
from tapviz.draw.style import brief, number
from tapviz.lists import RetrievalLists
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, THRESHOLD, Plot, PlotData
from tapviz.state import BY_E_VALUE

DRAWN_POINTS = 360
"""Thresholds at which a curve is drawn, about one per pixel, besides its peak."""


def curves(data: PlotData) -> c.Chart:
    """Mean TAP, exact at every threshold drawn."""
    axis, sign = data.axis, data.explorer.first.sign
    grid = axis.grid(DRAWN_POINTS)
    found, whole = data.each(m.tap_curve), data.ghosts(m.tap_curve)
    # The peak, or the highest point that is known.
    tops = [
        float(one.tap.max(initial=0.0) if np.isnan(one.peak_tap) else one.peak_tap)
        for one in (*found.values(), *whole.values())
    ]

    def drawn(curve: m.TapCurve, peak: float = np.nan) -> c.Columns:
        at = grid
        if np.isfinite(peak):
            at = np.insert(grid, np.searchsorted(sign * grid, sign * peak), peak)
        return {"x": axis.position(at), "y": curve.at(at, sign)}

    lines = {name: drawn(one, one.peak_threshold) for name, one in found.items()}
    ghosts = {name: drawn(one) for name, one in whole.items()}
    ends = {name: c.end_place(axis, end) for name, end in data.ends.items()}
    across = c.threshold_axis(axis, axis.start, axis.end)
    up = p.Axis("mean TAP", 0.0, c.ceiling(tops))
    return c.line_chart(data, lines, across, up, _readout(data, found), ghosts=ghosts, ends=ends)


def _readout(data: PlotData, curves: dict[str, m.TapCurve]) -> c.Readout:
    grid, sign = np.array(data.settled(c.epq_grid)), data.explorer.first.sign
    epqs = data.each(m.epq_distribution, data.settled(c.epq_grid))
    middle = next((one.median_name for one in epqs.values()), "median")

    def said(tap: float, median: float, mean: float) -> str:
        return f"TAP {tap:.3f} (EPQ {middle} {median:,.0f}, mean {number(mean)})"

    rows = {
        name: map(said, one.at(grid, sign), epqs[name].median, epqs[name].mean)
        for name, one in curves.items()
    }
    return c.at_thresholds(data, grid, rows)


def text(data: PlotData) -> str:
    """The plot in words."""
    parts = []
    for name, curve in data.each(m.tap_curve).items():
        at = data.taps[name]
        part = f"{at.value:.3f} at {brief(at.e0)}" if np.isfinite(at.value) else "undefined"
        if at.reason and np.isfinite(at.e0):
            part = at.reason
        if np.isfinite(curve.peak_tap):
            part += f" (peak {curve.peak_tap:.3f} at {brief(curve.peak_threshold)})"
        parts.append(f"{name} {part}")
    return f"Mean TAP at the threshold: {'; '.join(parts) or 'no program is shown'}."


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    explorer, axis = data.explorer, data.axis

    def peaks() -> p.Layer:
        curve = data.each(m.tap_curve)
        at = {name: (one.peak_threshold, one.peak_tap) for name, one in curve.items()}
        return p.points("peak", c.marks(data, at, axis.position), marker="triangle", size=11)

    chosen = float(axis.position(explorer.e0)) if explorer.mode == BY_E_VALUE else None
    at = {name: (one.e0, one.value) for name, one in data.taps.items()}
    line, peak = c.upright(chosen, drags="e0"), data.curves("peaks", peaks)
    mark = c.diamonds(data, at, along=axis.position)
    return data.curves(PLOT.name, lambda: curves(data)).picture(line, peak, mark)


def bands(data: PlotData) -> list[p.Layer]:
    """Intervals of the curves, as far as was measured."""
    axis, sign = data.axis, data.explorer.first.sign
    grid = axis.grid(DRAWN_POINTS)

    def values(name: str, lists: RetrievalLists) -> c.Array:
        end = data.ends[name]
        within = grid[sign * grid <= sign * end] if np.isfinite(end) else grid
        return m.tap_at_thresholds(lists, within)

    return c.mean_bands(data, axis.position(grid), values)


PLOT = Plot(
    name="tap",
    title="TAP against E<sub>0</sub>",
    caption="◆ at the threshold · ▲ peak, not advised",
    how_to_read="""Each line is the mean TAP of one program at every E-value threshold E₀. It rises
    while looser thresholds find more relevant records and falls once errors outweigh them. A
    diamond marks the current threshold, a triangle the peak. The peak was found with the labels
    known, so it is not a threshold to recommend; the tab Threshold finds one. Where all programs
    share one threshold, its line can be dragged. A line is faint and hatched where its program had
    stopped reporting: nothing was measured there.""",
    printed="""Mean TAP of the queries at every threshold E₀. Diamonds: at {at}; triangles: the
    largest mean TAP of each program. Hatched: beyond where a program stopped reporting.""",
    depends=(*FILTER, *THRESHOLD, "algorithms"),
    picture=picture,
    text=text,
    bands=bands,
)
