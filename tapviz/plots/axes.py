"""The axis of thresholds, and grids on it, that several plots share."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis
from tapviz.draw.scale import ThresholdAxis
from tapviz.plots.data import PlotData

GRID_SIZE = 160
"""Thresholds at which errors per query are counted."""


def threshold_axis(axis: ThresholdAxis, view: Mapping[str, NDArray[np.float64]]) -> Axis:
    """The axis of thresholds with the limits x of a view, strictest on the left."""
    start, end = view["x"].tolist()
    return Axis(axis.title, start, end, scale=axis.scale, threshold=True)


def epq_grid(data: PlotData) -> tuple[float, ...]:
    """Thresholds at which errors per query are counted, strictest first."""
    return tuple(data.axis.grid(GRID_SIZE).tolist())
