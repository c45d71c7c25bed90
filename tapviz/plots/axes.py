"""The axis of thresholds, and grids on it, that several plots share."""

from __future__ import annotations

from tapviz.draw.picture import Axis
from tapviz.draw.scale import ThresholdAxis
from tapviz.plots.data import PlotData

GRID_SIZE = 160
"""Thresholds at which errors per query are counted."""


def threshold_axis(axis: ThresholdAxis) -> Axis:
    """The axis of thresholds, strictest on the left, from the first to the last one."""
    return Axis(axis.title, axis.start, axis.end, scale=axis.scale, threshold=True)


def epq_grid(data: PlotData) -> tuple[float, ...]:
    """Thresholds at which errors per query are counted, strictest first."""
    return tuple(data.axis.grid(GRID_SIZE).tolist())
