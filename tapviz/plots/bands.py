"""Intervals of the lines of a plot, as bands behind them, for print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Layer, area
from tapviz.lists import RetrievalLists
from tapviz.measures import as_groups, mean_band
from tapviz.plots.data import PlotData

ALPHA = 0.15


def mean_bands(
    data: PlotData,
    x: NDArray[np.float64],
    values: Callable[[str, RetrievalLists], Any],
) -> list[Layer]:
    """Intervals of means over queries, of each algorithm shown.

    Parameters
    ----------
    data : PlotData
    x : ndarray of float, shape (G,)
        Places on the axis.
    values : callable
        Given an algorithm's name and lists, returns the values of each query at the first of the
        places, as many as were measured; shape (up to G, Q).
    """
    layers = []
    for name in data.explorer.shown:
        lists = data.explorer.lists[name]
        table = values(name, lists)
        band = mean_band(table, weight=lists.weight, groups=groups_of(data))
        known = np.flatnonzero(np.isfinite(band.low))
        columns = {"x": x[known], "y0": band.low[known], "y1": band.high[known]}
        layers.append(area(f"band {name}", columns, data.styles[name].color, alpha=ALPHA))
    return layers


def groups_of(data: PlotData) -> Any:
    """The groups that intervals resample under the present choices."""
    return as_groups(data.explorer.groups or None, data.lists)


def words(data: PlotData) -> str:
    """What bands are, for the caption of a figure."""
    groups = groups_of(data)
    if groups.few:
        return f"No bands: {groups.few}."
    return f"Bands: 95 % intervals of the mean at each place ({groups})."
