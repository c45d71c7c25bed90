"""ROC curves averaged over queries, with their spread for one algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, boxes, line
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import GHOST, brief, number
from tapviz.lists.words import count
from tapviz.measures import Auc, AverageRoc, auc, average_roc, errors_per_query
from tapviz.plots import chart
from tapviz.plots.data import PlotData
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


def curves(data: PlotData) -> chart.Chart:
    """Mean recall of each algorithm; the band of the one in focus, and a random order behind.

    Names are in the order of the areas drawn, since all curves end in the same point.
    """
    scale, focus = data.settled(_scale), data.explorer.focus_algorithm
    found, behind = (
        {name: one for name, one in results.items() if _defined(one)}
        for results in (_averaged(data), data.ghosts(average_roc, data.settled(_grid)))
    )
    chance = np.array(data.settled(_grid))

    def drawn(one: AverageRoc) -> dict[str, NDArray[np.float64]]:
        return {"x": scale.position(one.fpr), "y": one.tpr}

    made = chart.line_chart(
        data,
        {name: drawn(one) for name, one in found.items()},
        Axis("false-positive rate (log scale)", scale.start, scale.end, scale=scale),
        Axis("recall, averaged over queries", 0.0, TOP),
        _readout(scale, found, focus),
        ghosts={name: drawn(one) for name, one in behind.items() if name in found},
        column=sorted(found, key=lambda name: -float(found[name].tpr.mean())),
    )
    band = _band(scale, found.get(focus))
    return made._replace(
        behind=(
            boxes("band", band, data.styles[focus].color, fill_alpha=0.1, line_alpha=0),
            line("chance", {"x": scale.position(chance), "y": chance}, GHOST, dash=(2, 4)),
        )
    )


def text(curves: Mapping[str, AverageRoc], aucs: Mapping[str, Auc]) -> str:
    """The plot in words.

    Parameters
    ----------
    curves : mapping of str to AverageRoc
        Of each algorithm shown; their first rate is 0.
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
        queries = count(most, "query")
        queries = queries if least == most else f"{least:,} to {queries}"
        sentence += (
            f" Averaged over {queries} with relevant and irrelevant records; {_basis(defined)}."
        )
    return sentence


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    return data.curves(PLOT.name, lambda: curves(data)).picture()


def _averaged(data: PlotData) -> dict[str, AverageRoc]:
    return data.each(average_roc, data.settled(_grid))


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
    text=lambda data: text(_averaged(data), data.each(auc)),
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


def _readout(scale: PowerScale, defined: Mapping[str, AverageRoc], focus: str) -> chart.Readout:
    rate = next((one.fpr for one in defined.values()), np.zeros(0))
    rows = {name: [f"recall {at:.3f}" for at in one.tpr.tolist()] for name, one in defined.items()}
    if focus in defined and np.isfinite(defined[focus].lower).all():
        ends = np.clip([defined[focus].lower, defined[focus].upper], 0, 1)
        rows[focus] = [
            f"{row} (band {low:.2f} to {high:.2f})"
            for row, low, high in zip(rows[focus], *ends.tolist(), strict=True)
        ]
    basis = f"<br><i>{_basis(list(defined.values()))}</i>" if defined else ""
    heads = [f"false-positive rate {brief(value)}{basis}" for value in rate.tolist()]
    return chart.Readout(scale.position(rate), heads, rows)
