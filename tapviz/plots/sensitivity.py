"""Queries sorted by the sensitivity up to the n-th error, against their share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture
from tapviz.draw.style import Style, count, number
from tapviz.measures import PerQuery, sensitivity_to_error
from tapviz.plots.columns import (
    NAME_MARGIN,
    NAME_OFFSET,
    NO_LINE,
    Columns,
    each_line,
    joined,
    label_columns,
    readout_columns,
    top_layers,
)
from tapviz.plots.data import PlotData
from tapviz.plots.names import NAME_GAP
from tapviz.plots.plot import FILTER, Plot

TOP = 1.02
SHARES = np.arange(1, 21) / 20
"""Shares of the queries at which the read-out tells the sensitivity."""
TOLERANCE = 1e-12
"""Shares are sums of weights."""


class Judged(Protocol):
    """A score of each query, and its mean."""

    @property
    def value(self) -> float: ...  # noqa: D102
    @property
    def per_query(self) -> NDArray[np.float64]: ...  # noqa: D102


def columns(
    results: Mapping[str, Judged],
    weights: NDArray[np.float64],
    styles: Mapping[str, Style],
    *,
    ghosts: tuple[Mapping[str, PerQuery], NDArray[np.float64]] | None = None,
    limits: tuple[float, float] = (0.0, TOP),
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    results : mapping of str to PerQuery
        Sensitivity, or another score, of each query, of each algorithm shown.
    weights : ndarray of float, shape (Q,)
        Of the queries.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    ghosts : mapping of str to PerQuery and their weights, optional
        The same of all queries, while a subset is selected.
    limits : (float, float)
        Ends of the axis.

    Returns
    -------
    Columns
        "curve NAME" (x, y): a share y of the relevant records is found in a share x of the queries
        at least; the area below is the mean. "name": in the order of the means. "ghost",
        "readout", "view".
    """
    layers: Columns = {}
    curves = {name: _sorted(one, weights) for name, one in results.items()}
    curves = {name: one for name, one in curves.items() if one[0].size}
    for name in styles:
        x, y = curves.get(name, (NO_LINE["x"], NO_LINE["y"]))
        layers[f"curve {name}"] = {"x": x, "y": y}
    behind = {name: _sorted(one, ghosts[1]) for name, one in ghosts[0].items()} if ghosts else {}
    layers["ghost"] = joined(behind)
    ordered = sorted(curves, key=lambda name: -results[name].value)
    low, high = limits
    gap = (high - low) / TOP
    heights = high - 0.05 * gap - NAME_GAP * TOP * gap * np.arange(len(ordered))
    layers["name"] = label_columns(
        [1 + NAME_OFFSET] * len(ordered),
        heights.tolist(),
        ordered,
        [styles[name].color for name in ordered],
    )
    rows = {
        name: [f"at least {_at(curve, share):.3f}" for share in SHARES.tolist()]
        for name, curve in curves.items()
    }
    heads = [f"the best {share:.0%} of the queries" for share in SHARES.tolist()]
    layers["readout"] = readout_columns(SHARES, (low + high) / 2, heads, rows)
    layers["view"] = {"x": np.array([0.0, 1 + NAME_MARGIN]), "y": np.array([low, high])}
    return layers


def text(results: Mapping[str, PerQuery], n: int) -> str:
    """The plot in words: the area below a curve is the mean."""
    if not results:
        return "No algorithm is shown."
    first = next(iter(results.values()))
    if first.reason:
        return f"There is no sensitivity: {first.reason}."
    parts = [
        f"{name} {number(one.value)} ({np.mean(_defined(one) == 0):.0%} of queries find nothing)"
        for name, one in results.items()
    ]
    return (
        f"Mean sensitivity up to error no. {n}: {'; '.join(parts)}. Over "
        f"{count(first.n_queries, 'query')} with relevant records."
    )


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    explorer, n = data.explorer, data.explorer.n
    ghosts = data.ghosts(sensitivity_to_error, n=n)
    layers = columns(
        data.each(sensitivity_to_error, n=n),
        data.lists.weight,
        data.styles,
        ghosts=None if ghosts is None else (ghosts, next(iter(explorer.all_lists.values())).weight),
    )
    limits = layers["view"]
    return Picture(
        (*each_line(layers, data.styles), *top_layers(layers)),
        Axis(
            "share of the queries, best first",
            *limits["x"].tolist(),
            ticks={share: f"{share:g}" for share in (0, 0.2, 0.4, 0.6, 0.8, 1.0)},
        ),
        Axis("found before error n", *limits["y"].tolist()),
    )


PLOT = Plot(
    name="sensitivity",
    title="Sensitivity to error n",
    caption="Relevant records before error no. {n}, queries sorted by it · area: the mean",
    how_to_read=(
        "Each query's share of relevant records that come before its n-th error, sorted from the "
        "best query to the worst. The area below a curve is the mean. With n = 1 it is the usual "
        "figure of Foldseek and MMseqs2; whoever judges files by standards has one for each."
    ),
    depends=(*FILTER, "n", "algorithms"),
    picture=picture,
    text=lambda data: text(data.each(sensitivity_to_error, n=data.explorer.n), data.explorer.n),
    tab="Sensitivity",
)


def _defined(result: PerQuery) -> NDArray[np.float64]:
    return result.per_query[~np.isnan(result.per_query)]


def _sorted(
    result: Judged, weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Steps of the sorted sensitivities against the share of the queries: corners only."""
    known = ~np.isnan(result.per_query)
    if not known.any():
        return NO_LINE["x"], NO_LINE["y"]
    order = np.argsort(-result.per_query[known], kind="stable")
    height = result.per_query[known][order]
    share = np.cumsum(weights[known][order])
    share /= share[-1]
    last = np.append(np.flatnonzero(np.diff(height)), height.size - 1)
    end, height = share[last], height[last]
    start = np.insert(end[:-1], 0, 0.0)
    return np.column_stack([start, end]).ravel(), np.repeat(height, 2)


def _at(curve: tuple[NDArray[Any], NDArray[Any]], share: float) -> float:
    """Sensitivity that a share of the queries reach."""
    x, y = curve
    return float(y[min(int(np.searchsorted(x, share - TOLERANCE)), y.size - 1)])
