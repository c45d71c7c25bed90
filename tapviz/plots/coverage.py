"""Coverage against errors per query, with each algorithm's threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, points
from tapviz.draw.scale import PowerScale, ThresholdAxis
from tapviz.draw.style import Style, brief, number
from tapviz.measures import CoverageCurve, coverage_vs_epq
from tapviz.plots.columns import (
    Columns,
    ceiling,
    each_line,
    end_names,
    joined,
    last_x,
    mark_columns,
    names_at,
    readout_columns,
    top_layers,
    view,
)
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, THRESHOLD, Plot
from tapviz.reported import is_measured

DRAWN_POINTS = 360
"""Steps of a curve that are drawn at most, about one per pixel."""
READ_POINTS = 60
"""Numbers of errors per query with a read-out."""
TEXT_EPQ = (0.1, 1.0)
"""Errors per query at which the text gives the coverage."""
SHARES = {
    "pooled": "Share of all relevant records",
    "mean_recall": "Share of the relevant records of a query, the mean over queries,",
    "mean_family_recall": "Share of the relevant records of a query, the mean over families,",
}
TITLES = {
    "pooled": "coverage",
    "mean_recall": "coverage, mean over queries",
    "mean_family_recall": "coverage, mean over families",
}
"""Of the axis, by what counts alike."""


def errors_axis(weight: NDArray[np.float64], curves: Mapping[str, CoverageCurve]) -> PowerScale:
    """Axis of mean errors per query, from 0 and one error of one query upwards.

    Parameters
    ----------
    weight : ndarray of float, shape (Q,)
        Weights of all queries: one error per query is that of the lightest, 1 / Q if all weigh
        the same.
    curves : mapping of str to CoverageCurve
        Curves of all algorithms, of all queries. Subsets may go beyond their ends.
    """
    most = max((float(c.epq[-1]) for c in curves.values() if c.epq.size), default=0.0)
    return PowerScale.of(float(weight.min() / weight.sum()), most, zero=True)


def at_threshold(
    result: CoverageCurve, threshold: float, *, descending: bool
) -> tuple[float, float]:
    """Errors per query and coverage at a threshold; NaN if there is none."""
    if np.isnan(threshold):
        return float("nan"), float("nan")
    sign = -1 if descending else 1
    place = int(np.searchsorted(sign * result.threshold, sign * threshold, side="right"))
    if not place:
        return 0.0, float("nan") if result.reason else 0.0
    return float(result.epq[place - 1]), float(result.coverage[place - 1])


def columns(
    axis: PowerScale,
    curves: Mapping[str, CoverageCurve],
    styles: Mapping[str, Style],
    *,
    thresholds: ThresholdAxis,
    ghosts: Mapping[str, CoverageCurve] | None = None,
    quantity: str = "coverage",
    margin: float | None = None,
) -> Columns:
    """Layers of the curves, which no choice of a threshold changes.

    Of the exact curve, which has a step at every distinct score, the last step within each of
    `DRAWN_POINTS` equal parts of the axis is drawn, at its exact place: no step moves by more
    than about a pixel. All thresholds without an error are one place.

    Parameters
    ----------
    axis : PowerScale
        Of `errors_axis`.
    curves : mapping of str to CoverageCurve
        Coverage of each algorithm shown, against the mean of the errors per query.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    thresholds : ThresholdAxis
        The axis of thresholds of other plots.
    ghosts : mapping of str to CoverageCurve, optional
        The curves of all queries, while a subset is selected.
    quantity : str
        What the read-out calls the share found.
    margin : float, optional
        Room right of the lines, in widths of the plot. Default: for the names.

    Returns
    -------
    Columns
        "curve NAME" (x, y, threshold): steps; x is log10 of the errors per query, or the place of
        0; empty if undefined. "name": texts at the ends. "ghost" (x, y). "readout". "view".
    """
    layers: Columns = {}
    defined = {name: c for name, c in curves.items() if _defined(c)}
    whole = {name: c for name, c in (ghosts or {}).items() if name in defined and _defined(c)}
    shown = [*defined.values(), *whole.values()]
    axis = axis.reaching(max((float(c.epq[-1]) for c in shown), default=0.0))
    places = axis.grid(DRAWN_POINTS)
    for name in styles:
        x, y, at = _steps(axis, defined.get(name), places)
        layers[f"curve {name}"] = {"x": x, "y": y, "threshold": thresholds.position(at)}
    layers["ghost"] = joined({name: _steps(axis, c, places)[:2] for name, c in whole.items()})
    top = ceiling([float(c.coverage[-1]) for c in shown])
    ends = {name: float(c.coverage[-1]) for name, c in defined.items()}
    layers["name"] = end_names(ends, styles, names_at(axis), (0.0, top), last_x(layers, ends))
    layers["readout"] = _readout(axis, defined, top, quantity)
    layers["view"] = view(axis, 0.0, top, styles, margin)
    return layers


def threshold_columns(
    axis: PowerScale, places: Mapping[str, tuple[float, float]], styles: Mapping[str, Style]
) -> Columns:
    """Layers that follow the threshold.

    Parameters
    ----------
    axis : PowerScale
    places : mapping of str to (float, float)
        Mean errors per query and coverage of each algorithm shown at its threshold, as by
        `at_threshold`; NaN if there is none.
    styles : mapping of str to Style

    Returns
    -------
    Columns
        "threshold" (x, y, color).
    """
    errors = [epq for epq, _ in places.values()]
    return {
        "threshold": mark_columns(
            axis.position(errors).tolist(),
            [coverage for _, coverage in places.values()],
            [styles[name].color for name in places],
        )
    }


def text(curves: Mapping[str, CoverageCurve]) -> str:
    """The plot in words.

    Parameters
    ----------
    curves : mapping of str to CoverageCurve
        Coverage of each algorithm shown, all by one rule.
    """
    if not curves:
        return "No algorithm is shown."
    reasons = {c.reason for c in curves.values()}
    if len(reasons) == 1 and "" not in reasons:
        return f"There is no coverage: {reasons.pop()}."
    parts = []
    for name, data in curves.items():
        if data.reason:
            parts.append(f"{name} undefined ({data.reason})")
            continue
        values = [number(float(value)) for value in data.at(TEXT_EPQ)]
        most = float(data.epq[-1]) if data.epq.size else 0.0
        part = f"{name} {' and '.join(values)}"
        if most < TEXT_EPQ[-1]:
            part += f" (its lists end at {number(most)} errors per query)"
        parts.append(part)
    levels = " and ".join(f"{value:g}" for value in TEXT_EPQ)
    (rule,) = {c.coverage_rule for c in curves.values()}
    return f"{SHARES[rule]} found at {levels} errors per query: {'; '.join(parts)}."


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    explorer, scale, styles = data.explorer, data.settled(_scale), data.styles
    curves, rule = _curves(data), explorer.coverage_of
    layers = data.curves(
        f"{PLOT.name} {rule}",
        lambda: columns(
            scale,
            curves,
            styles,
            thresholds=data.axis,
            ghosts=data.ghosts(coverage_vs_epq, coverage=rule),
        ),
    )
    descending = explorer.first.direction == "descending"
    places = {
        name: at_threshold(curve, _threshold(data, name), descending=descending)
        for name, curve in curves.items()
    }
    layers = layers | threshold_columns(scale, places, styles)
    limits = layers["view"]
    return Picture(
        (
            *each_line(layers, styles),
            points("threshold", layers["threshold"], marker="diamond", size=13, moving=True),
            *top_layers(layers),
        ),
        Axis("mean errors per query (log scale)", *limits["x"].tolist(), scale=scale),
        Axis(TITLES[rule], *limits["y"].tolist()),
    )


def _curves(data: PlotData) -> dict[str, CoverageCurve]:
    return data.each(coverage_vs_epq, coverage=data.explorer.coverage_of)


def _threshold(data: PlotData, name: str) -> float:
    """Threshold of an algorithm; NaN where nothing was measured."""
    threshold = data.explorer.score(name)["threshold"]
    return threshold if is_measured(data.explorer.lists[name], threshold) else float("nan")


def _scale(data: PlotData) -> PowerScale:
    explorer = data.explorer
    curves = {name: coverage_vs_epq(lists) for name, lists in explorer.results.items()}
    return errors_axis(explorer.first.weight, curves)


PLOT = Plot(
    name="coverage",
    title="Coverage",
    caption="against mean errors per query · ◆ at the threshold",
    how_to_read=(
        "The share of all relevant records found (coverage) while the threshold is loosened, "
        "against the mean number of errors per query that it costs. Higher and further left is "
        "better. By choice each query, or each family, counts alike rather than each relevant pair."
    ),
    printed=(
        "Share of the relevant records found against the mean errors per query, as the "
        "threshold is loosened. Diamonds: at {at}."
    ),
    depends=(*FILTER, *THRESHOLD, "algorithms", "coverage_of"),
    picture=picture,
    text=lambda data: text(_curves(data)),
    tab="Coverage",
)


def _defined(data: CoverageCurve) -> bool:
    return not data.reason and data.epq.size > 0


def _steps(
    axis: PowerScale, data: CoverageCurve | None, places: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Corners of the steps that are drawn, and the threshold of each.

    The coverage holds until the next one.
    """
    if data is None:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    last = np.searchsorted(data.epq, places, side="right") - 1
    last = np.append(last[last >= 0], data.epq.size - 1)
    distinct = last[np.append(np.diff(last) > 0, True)]
    epq, coverage, at = data.epq[distinct], data.coverage[distinct], data.threshold[distinct]
    if epq[0] > 0:  # there is an error before anything relevant
        epq, coverage = np.insert(epq, 0, 0.0), np.insert(coverage, 0, 0.0)
        at = np.insert(at, 0, at[0])
    x, y = np.repeat(axis.position(epq), 2)[1:], np.repeat(coverage, 2)[:-1]
    return x, y, np.repeat(at, 2)[:-1]


def _readout(
    axis: PowerScale, defined: Mapping[str, CoverageCurve], top: float, quantity: str
) -> dict[str, NDArray[Any]]:
    errors = axis.grid(READ_POINTS) if defined else np.zeros(0)
    rows = {}
    for name, data in defined.items():
        place = np.searchsorted(data.epq, errors, side="right")
        thresholds = np.concatenate([[np.nan], data.threshold])[place]
        coverage = np.concatenate([[0.0], data.coverage])[place]
        rows[name] = [
            f"{quantity} {share:.3f}, threshold {brief(e0)}"
            for share, e0 in zip(coverage.tolist(), thresholds.tolist(), strict=True)
        ]
    heads = [f"at most {brief(value)} errors per query" for value in errors.tolist()]
    if heads:
        heads[0] = "no error in any query"
    return readout_columns(axis.position(errors), top / 2, heads, rows)
