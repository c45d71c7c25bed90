"""ROC curves averaged over queries, with their spread for one algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import NDArray

from tapviz.draw.log_axis import LogAxis
from tapviz.draw.style import GHOST, Style, brief, number
from tapviz.measures import Auc, AverageRoc
from tapviz.plots.frame import (
    NAME_GAP,
    NAME_MARGIN,
    Columns,
    Drawn,
    boxes,
    curve,
    each_curve,
    joined,
    labels,
    overlay,
    readout,
    readout_columns,
    texts,
)

GRID_SIZE = 80
"""False-positive rates at which curves are averaged, evenly spaced as drawn, besides 0."""
DETAIL_LAYERS = ("band",)
"""Layers in the colour of the algorithm in detail."""
TOP = 1.02

X = hv.Dimension("false_positive_position", label="false-positive rate")
Y = hv.Dimension("mean_true_positive_rate", label="recall")


def rates(most_irrelevant: int) -> LogAxis:
    """Axis of false-positive rates, from 0 and that of one irrelevant record to 1.

    Curves are averaged at ``rates(...).grid(GRID_SIZE)``.

    Parameters
    ----------
    most_irrelevant : int
        Largest F(q) of all queries; or, if it is unknown, most irrelevant records in a list.
    """
    # A decade at least; the smallest rate of a larger database has its own place all the same.
    return LogAxis.of(1 / max(most_irrelevant, 10), 1.0, zero=True)


def columns(
    axis: LogAxis,
    curves: Mapping[str, AverageRoc],
    looks: Mapping[str, Style],
    detail: str,
    *,
    ghosts: Mapping[str, AverageRoc] | None = None,
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    axis : LogAxis
        Of `rates`.
    curves : mapping of str to AverageRoc
        Averaged curve of each algorithm shown, all at ``axis.grid(GRID_SIZE)``.
    looks : mapping of str to Style
        Every algorithm of the bench, shown or not.
    detail : str
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
    drawn: Columns = {}
    nothing = np.zeros(0)
    known = {name: c for name, c in curves.items() if _defined(c)}
    for name in looks:
        data = known.get(name)
        drawn[f"curve {name}"] = (
            {"x": nothing, "y": nothing}
            if data is None
            else {"x": axis.position(data.fpr), "y": data.tpr}
        )
    drawn["band"] = _band(axis, known.get(detail))
    drawn["ghost"] = joined(
        {
            name: (axis.position(c.fpr), c.tpr)
            for name, c in (ghosts or {}).items()
            if name in known and _defined(c)
        }
    )
    chance = axis.grid(GRID_SIZE)
    drawn["chance"] = {"x": axis.position(chance), "y": chance}
    ordered = sorted(known, key=lambda name: -float(known[name].tpr.mean()))
    heights = TOP - 0.05 - NAME_GAP * TOP * np.arange(len(ordered))
    drawn["name"] = texts(
        [axis.end + 0.015 * (axis.end - axis.start)] * len(ordered),
        heights.tolist(),
        ordered,
        [looks[name].color for name in ordered],
    )
    drawn["readout"] = _readout(axis, known, detail)
    drawn["view"] = {"x": np.array(axis.view(NAME_MARGIN)), "y": np.array([0.0, TOP])}
    return drawn


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
    said = f"Mean AUC, and recall before the first false positive: {'; '.join(parts)}."
    known = [c for c in curves.values() if _defined(c)]
    if known:
        counts = sorted({c.n_queries for c in known})
        least, most = counts[0], counts[-1]
        queries = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        said += (
            f" Averaged over {queries} queries with relevant and irrelevant records; "
            f"{_basis(known)}."
        )
    return said


def draw(
    columns: Columns,
    axis: LogAxis,
    looks: Mapping[str, Style],
    detail: str,
    drawn: Drawn | None = None,
) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    color = looks[detail].color
    elements = axis.background()
    elements += [
        boxes(columns, "band", dims, drawn, color=color, fill_alpha=0.1, line_alpha=0),
        curve(columns, "chance", dims, drawn, color=GHOST, line_width=1, line_dash="dotted"),
    ]
    elements += each_curve(columns, dims, looks, drawn)
    elements += [
        labels(columns, "name", dims, drawn, text_align="left"),
        readout(columns, dims, drawn),
    ]
    view = columns["view"]
    return overlay(
        elements,
        xlabel="false-positive rate (log scale)",
        ylabel="recall, averaged over queries",
        xlim=tuple(view["x"]),
        ylim=tuple(view["y"]),
        **axis.ticks("x"),
    )


def _defined(data: AverageRoc) -> bool:
    return bool(np.isfinite(data.tpr).all())


def _basis(known: list[AverageRoc]) -> str:
    """What false-positive rates are relative to."""
    kinds = {c.retrieved_only for c in known}
    if kinds == {False}:
        return "records that are not listed share the rest of each curve evenly"
    if kinds == {True}:
        return "only retrieved records count, since the number of irrelevant ones is not known"
    return "of some algorithms only retrieved records count: the curves are not comparable"


def _band(axis: LogAxis, data: AverageRoc | None) -> dict[str, NDArray[Any]]:
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
    axis: LogAxis, known: Mapping[str, AverageRoc], detail: str
) -> dict[str, NDArray[Any]]:
    rate = next((c.fpr for c in known.values()), np.zeros(0))
    rows = {}
    for name, data in known.items():
        rows[name] = [f"recall {value:.3f}" for value in data.tpr.tolist()]
        if name == detail and np.isfinite(data.lower).all():
            ends = np.clip([data.lower, data.upper], 0, 1)
            rows[name] = [
                f"{said} (band {low:.2f} to {high:.2f})"
                for said, low, high in zip(rows[name], *ends.tolist(), strict=True)
            ]
    basis = f"<br><i>{_basis(list(known.values()))}</i>" if known else ""
    heads = [f"false-positive rate {brief(value)}{basis}" for value in rate.tolist()]
    return readout_columns(axis.position(rate), TOP / 2, heads, rows)
