"""ROC curves averaged over queries, with their spread for one algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, boxes, line
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import GHOST, Style, brief, number
from tapviz.measures import Auc, AverageRoc, auc, average_roc, errors_per_query
from tapviz.plots.columns import (
    NO_LINE,
    Columns,
    each_line,
    joined,
    label_columns,
    names_at,
    readout_columns,
    top_layers,
    view,
)
from tapviz.plots.data import PlotData
from tapviz.plots.names import NAME_GAP
from tapviz.plots.plot import FILTER, Plot

GRID_SIZE = 80
"""False-positive rates at which curves are averaged, evenly spaced as drawn, besides 0."""
TOP = 1.02


def rates(most_irrelevant: int) -> PowerScale:
    """Axis of false-positive rates, from 0 and that of one irrelevant record to 1.

    Curves are averaged at ``rates(...).grid(GRID_SIZE)``.

    Parameters
    ----------
    most_irrelevant : int
        Largest F(q) of all queries; or, if it is unknown, most irrelevant records in a list.
    """
    # A decade at least; the smallest rate of a larger database has its own place all the same.
    return PowerScale.of(1 / max(most_irrelevant, 10), 1.0, zero=True)


def columns(
    axis: PowerScale,
    curves: Mapping[str, AverageRoc],
    styles: Mapping[str, Style],
    focus_algorithm: str,
    *,
    ghosts: Mapping[str, AverageRoc] | None = None,
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    axis : PowerScale
        Of `rates`.
    curves : mapping of str to AverageRoc
        Averaged curve of each algorithm shown, all at ``axis.grid(GRID_SIZE)``.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    focus_algorithm : str
        Algorithm whose band is drawn, if it is shown.
    ghosts : mapping of str to AverageRoc, optional
        The curves of all queries, while a subset is selected.

    Returns
    -------
    Columns
        "curve NAME" (x, y): mean recall; empty if undefined. "band" (x0, y0, x1, y1): from the
        lower to the upper end of the band at each rate, as far as it is in [0, 1]. "name": texts
        at the right, in the order of the areas drawn, since all curves end in the same point.
        "chance" (x, y): recall of a random order. "ghost" (x, y). "readout". "view".
    """
    layers: Columns = {}
    defined = {name: c for name, c in curves.items() if _defined(c)}
    for name in styles:
        data = defined.get(name)
        layers[f"curve {name}"] = (
            NO_LINE if data is None else {"x": axis.position(data.fpr), "y": data.tpr}
        )
    layers["band"] = _band(axis, defined.get(focus_algorithm))
    layers["ghost"] = joined(
        {
            name: (axis.position(c.fpr), c.tpr)
            for name, c in (ghosts or {}).items()
            if name in defined and _defined(c)
        }
    )
    chance = axis.grid(GRID_SIZE)
    layers["chance"] = {"x": axis.position(chance), "y": chance}
    ordered = sorted(defined, key=lambda name: -float(defined[name].tpr.mean()))
    heights = TOP - 0.05 - NAME_GAP * TOP * np.arange(len(ordered))
    layers["name"] = label_columns(
        [names_at(axis)] * len(ordered),
        heights.tolist(),
        ordered,
        [styles[name].color for name in ordered],
    )
    layers["readout"] = _readout(axis, defined, focus_algorithm)
    layers["view"] = view(axis, 0.0, TOP, styles)
    return layers


def text(curves: Mapping[str, AverageRoc], aucs: Mapping[str, Auc]) -> str:
    """The plot in words.

    Parameters
    ----------
    curves : mapping of str to AverageRoc
        As in `columns`; their first rate is 0.
    aucs : mapping of str to Auc
        Of the same algorithms.
    """
    if not curves:
        return "No algorithm is shown."
    reasons = {c.reason for c in curves.values()}
    if len(reasons) == 1 and not any(_defined(c) for c in curves.values()):
        return f"There is no ROC curve: {reasons.pop()}."
    parts = []
    for name, data in curves.items():
        if not _defined(data):
            parts.append(f"{name} undefined ({data.reason})")
            continue
        parts.append(f"{name} {number(aucs[name].value)} and {number(float(data.tpr[0]))}")
    sentence = f"Mean AUC, and recall before the first false positive: {'; '.join(parts)}."
    defined = [c for c in curves.values() if _defined(c)]
    if defined:
        counts = sorted({c.n_queries for c in defined})
        least, most = counts[0], counts[-1]
        queries = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        sentence += (
            f" Averaged over {queries} queries with relevant and irrelevant records; "
            f"{_basis(defined)}."
        )
    return sentence


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    scale, grid = data.settled(_scale), data.settled(_grid)
    focus_algorithm, styles = data.explorer.focus_algorithm, data.styles
    layers = data.curves(
        PLOT.name,
        lambda: columns(
            scale,
            data.each(average_roc, grid),
            styles,
            focus_algorithm,
            ghosts=data.ghosts(average_roc, grid),
        ),
    )
    limits = layers["view"]
    return Picture(
        (
            boxes(
                "band", layers["band"], styles[focus_algorithm].color, fill_alpha=0.1, line_alpha=0
            ),
            line("chance", layers["chance"], GHOST, dash=(2, 4)),
            *each_line(layers, styles),
            *top_layers(layers),
        ),
        Axis("false-positive rate (log scale)", *limits["x"].tolist(), scale=scale),
        Axis("recall, averaged over queries", *limits["y"].tolist()),
    )


def _scale(data: PlotData) -> PowerScale:
    first = data.explorer.first
    if first.n_irrelevant is not None:
        return rates(int(first.n_irrelevant.max(initial=1)))
    lists = data.explorer.results.values()
    return rates(max(int(errors_per_query(one, one.sign * np.inf).max(initial=1)) for one in lists))


def _grid(data: PlotData) -> tuple[float, ...]:
    return tuple(data.settled(_scale).grid(GRID_SIZE).tolist())


PLOT = Plot(
    name="average_roc",
    title="ROC",
    caption="mean of queries · band ±1.96 SD of",
    how_to_read=(
        "Recall against the share of irrelevant records retrieved, averaged over queries at each "
        "rate. The dotted line is a random order; the band is 1.96 standard deviations on either "
        "side for the algorithm in focus."
    ),
    whole=True,
    printed=(
        "Recall against the share of irrelevant records retrieved, averaged over queries at "
        "each rate. Band: 1.96 standard deviations on either side, for {name}; dotted: random "
        "order."
    ),
    depends=(*FILTER, "algorithms", "focus_algorithm"),
    picture=picture,
    text=lambda data: text(data.each(average_roc, data.settled(_grid)), data.each(auc)),
    tab="ROC",
    of="one",
)


def _defined(data: AverageRoc) -> bool:
    return bool(np.isfinite(data.tpr).all())


def _basis(defined: list[AverageRoc]) -> str:
    """What false-positive rates are relative to."""
    kinds = {c.retrieved_only for c in defined}
    if kinds == {False}:
        return "beyond the end of each list: a straight line (random order)"
    if kinds == {True}:
        return "only retrieved records count, since the number of irrelevant ones is not known"
    return "of some algorithms only retrieved records count: the curves are not comparable"


def _band(axis: PowerScale, data: AverageRoc | None) -> dict[str, NDArray[Any]]:
    """Boxes side by side, one around each rate."""
    if data is None or not np.isfinite(data.lower).all():
        return dict.fromkeys(("x0", "y0", "x1", "y1"), np.zeros(0))
    x = axis.position(data.fpr)
    middle = (x[1:] + x[:-1]) / 2
    return {
        "x0": np.concatenate([x[:1], middle]),
        "y0": np.clip(data.lower, 0, 1),
        "x1": np.concatenate([middle, x[-1:]]),
        "y1": np.clip(data.upper, 0, 1),
    }


def _readout(
    axis: PowerScale, defined: Mapping[str, AverageRoc], focus_algorithm: str
) -> dict[str, NDArray[Any]]:
    rate = next((c.fpr for c in defined.values()), np.zeros(0))
    rows = {}
    for name, data in defined.items():
        rows[name] = [f"recall {value:.3f}" for value in data.tpr.tolist()]
        if name == focus_algorithm and np.isfinite(data.lower).all():
            ends = np.clip([data.lower, data.upper], 0, 1)
            rows[name] = [
                f"{row} (band {low:.2f} to {high:.2f})"
                for row, low, high in zip(rows[name], *ends.tolist(), strict=True)
            ]
    basis = f"<br><i>{_basis(list(defined.values()))}</i>" if defined else ""
    heads = [f"false-positive rate {brief(value)}{basis}" for value in rate.tolist()]
    return readout_columns(axis.position(rate), TOP / 2, heads, rows)
