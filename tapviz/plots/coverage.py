"""Coverage against errors per query, with each algorithm's threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import NDArray

from tapviz.draw.log_axis import LogAxis
from tapviz.draw.style import Style, brief, number
from tapviz.measures import CoverageCurve
from tapviz.plots.frame import (
    NAME_GAP,
    NAME_MARGIN,
    Columns,
    Drawn,
    ceiling,
    each_curve,
    joined,
    labels,
    marks,
    overlay,
    points,
    readout,
    readout_columns,
    spread,
    texts,
)

DRAWN_POINTS = 360
"""Steps of a curve that are drawn at most, about one per pixel."""
READ_POINTS = 60
"""Numbers of errors per query with a read-out."""
SAID = (0.1, 1.0)
"""Errors per query at which the text says the coverage."""

X = hv.Dimension("mean_errors_position", label="mean errors per query")
Y = hv.Dimension("coverage", label="coverage")


def errors_axis(weight: NDArray[np.float64], curves: Mapping[str, CoverageCurve]) -> LogAxis:
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
    return LogAxis.of(float(weight.min() / weight.sum()), most, zero=True)


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
    axis: LogAxis,
    curves: Mapping[str, CoverageCurve],
    looks: Mapping[str, Style],
    *,
    ghosts: Mapping[str, CoverageCurve] | None = None,
) -> Columns:
    """Layers of the curves, which no choice of a threshold changes.

    Of the exact curve, which has a step at every distinct score, the last step within each of
    `DRAWN_POINTS` equal parts of the axis is drawn, at its exact place: no step moves by more
    than about a pixel. All thresholds without an error are one place.

    Parameters
    ----------
    axis : LogAxis
        Of `errors_axis`.
    curves : mapping of str to CoverageCurve
        Coverage of each algorithm shown, against the mean of the errors per query.
    looks : mapping of str to Style
        Every algorithm of the bench, shown or not.
    ghosts : mapping of str to CoverageCurve, optional
        The curves of all queries, while a subset is selected.

    Returns
    -------
    Columns
        "curve NAME" (x, y): steps; x is log10 of the errors per query, or the place of 0; empty
        if undefined. "name": texts at the ends. "ghost" (x, y). "readout". "view".
    """
    drawn: Columns = {}
    known = {name: c for name, c in curves.items() if _defined(c)}
    whole = {name: c for name, c in (ghosts or {}).items() if name in known and _defined(c)}
    shown = [*known.values(), *whole.values()]
    axis = axis.reaching(max((float(c.epq[-1]) for c in shown), default=0.0))
    places = axis.grid(DRAWN_POINTS)
    for name in looks:
        x, y = _steps(axis, known.get(name), places)
        drawn[f"curve {name}"] = {"x": x, "y": y}
    drawn["ghost"] = joined({name: _steps(axis, c, places) for name, c in whole.items()})
    top = ceiling([float(c.coverage[-1]) for c in shown])
    ends = [float(c.coverage[-1]) for c in known.values()]
    drawn["name"] = texts(
        [axis.end + 0.015 * (axis.end - axis.start)] * len(ends),
        spread(ends, NAME_GAP * top, 0.02 * top, 0.98 * top),
        list(known),
        [looks[name].color for name in known],
    )
    drawn["readout"] = _readout(axis, known, top)
    drawn["view"] = {"x": np.array(axis.view(NAME_MARGIN)), "y": np.array([0.0, top])}
    return drawn


def threshold_columns(
    axis: LogAxis, places: Mapping[str, tuple[float, float]], looks: Mapping[str, Style]
) -> Columns:
    """Layers that follow the threshold.

    Parameters
    ----------
    axis : LogAxis
    places : mapping of str to (float, float)
        Mean errors per query and coverage of each algorithm shown at its threshold, as by
        `at_threshold`; NaN if there is none.
    looks : mapping of str to Style

    Returns
    -------
    Columns
        "threshold" (x, y, color).
    """
    errors = [epq for epq, _ in places.values()]
    return {
        "threshold": marks(
            axis.position(errors).tolist(),
            [found for _, found in places.values()],
            [looks[name].color for name in places],
        )
    }


def text(curves: Mapping[str, CoverageCurve]) -> str:
    """The plot in words.

    Parameters
    ----------
    curves : mapping of str to CoverageCurve
        Coverage of each algorithm shown.
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
        values = [number(float(value)) for value in data.at(SAID)]
        most = float(data.epq[-1]) if data.epq.size else 0.0
        said = f"{name} {' and '.join(values)}"
        if most < SAID[-1]:
            said += f" (its lists end at {number(most)} errors per query)"
        parts.append(said)
    asked = " and ".join(f"{value:g}" for value in SAID)
    return f"Share of all relevant records found at {asked} errors per query: {'; '.join(parts)}."


def draw(
    columns: Columns, axis: LogAxis, looks: Mapping[str, Style], drawn: Drawn | None = None
) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    elements = axis.background()
    elements += each_curve(columns, dims, looks, drawn)
    elements += [
        points(columns, "threshold", dims, drawn, marker="diamond", size=13, line_color="white"),
        labels(columns, "name", dims, drawn, text_align="left"),
        readout(columns, dims, drawn),
    ]
    view = columns["view"]
    return overlay(
        elements,
        xlabel="mean errors per query (log scale)",
        ylabel="coverage",
        xlim=tuple(view["x"]),
        ylim=tuple(view["y"]),
        **axis.ticks("x"),
    )


def _defined(data: CoverageCurve) -> bool:
    return not data.reason and data.epq.size > 0


def _steps(
    axis: LogAxis, data: CoverageCurve | None, places: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Corners of the steps that are drawn: the coverage holds until the next one."""
    if data is None:
        return np.zeros(0), np.zeros(0)
    last = np.searchsorted(data.epq, places, side="right") - 1
    last = np.append(last[last >= 0], data.epq.size - 1)
    kept = last[np.append(np.diff(last) > 0, True)]
    epq, found = data.epq[kept], data.coverage[kept]
    if epq[0] > 0:  # there is an error before anything relevant
        epq, found = np.insert(epq, 0, 0.0), np.insert(found, 0, 0.0)
    return np.repeat(axis.position(epq), 2)[1:], np.repeat(found, 2)[:-1]


def _readout(
    axis: LogAxis, known: Mapping[str, CoverageCurve], top: float
) -> dict[str, NDArray[Any]]:
    errors = axis.grid(READ_POINTS) if known else np.zeros(0)
    rows = {}
    for name, data in known.items():
        place = np.searchsorted(data.epq, errors, side="right")
        thresholds = np.concatenate([[np.nan], data.threshold])[place]
        found = np.concatenate([[0.0], data.coverage])[place]
        rows[name] = [
            f"coverage {share:.3f}, threshold {brief(e0)}"
            for share, e0 in zip(found.tolist(), thresholds.tolist(), strict=True)
        ]
    heads = [f"at most {brief(value)} errors per query" for value in errors.tolist()]
    if heads:
        heads[0] = "no error in any query"
    return readout_columns(axis.position(errors), top / 2, heads, rows)
