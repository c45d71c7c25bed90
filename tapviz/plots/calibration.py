"""Errors per query observed at E-values that promise as many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import NDArray

from tapviz.draw.log_axis import LogAxis
from tapviz.draw.style import INK, Style, brief, number
from tapviz.measures import Calibration
from tapviz.plots.frame import (
    NAME_GAP,
    NAME_MARGIN,
    Columns,
    Drawn,
    curve,
    each_curve,
    joined,
    labels,
    overlay,
    readout,
    readout_columns,
    spread,
    texts,
)

E_VALUES = tuple((10.0 ** (np.arange(-60, 21) / 10)).tolist())
"""E-values at which errors are observed: ten a decade, powers of ten exactly, 1e-6 to 100."""
SAID = 0.01
"""E-value at which the text says the errors."""
NEAR = 0.05
"""Ratios of observed to reported errors this near to 1 are said to be as reported."""
LONGEST_NOTICE = 80

AXIS = LogAxis.of(E_VALUES[0], E_VALUES[-1], zero=False)
ERRORS = LogAxis.of(1e-9, 1e6, zero=False)
"""Axis of observed errors; "view" says what of it is shown."""

X = hv.Dimension("reported_position", label="reported E-value")
Y = hv.Dimension("observed_position", label="errors per query")


def columns(
    results: Mapping[str, Calibration],
    looks: Mapping[str, Style],
    *,
    ghosts: Mapping[str, Calibration] | None = None,
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    results : mapping of str to Calibration
        Observed errors of each algorithm shown at `E_VALUES`.
    looks : mapping of str to Style
        Every algorithm of the bench, shown or not.
    ghosts : mapping of str to Calibration, optional
        The same of all queries, while a subset is selected.

    Returns
    -------
    Columns
        "curve NAME" (x, y): log10 of the E-value and of the errors observed there, from the
        first E-value with any to the end of the lists; empty if scores are no E-values. "ideal"
        (x, y): as many as reported. "name". "ghost" (x, y). "notice" (x, y, text, color): why
        there is nothing to show. "readout". "view": y covers half decades.
    """
    drawn: Columns = {}
    curves = {name: _points(result) for name, result in results.items()}
    whole = {name: _points(one) for name, one in (ghosts or {}).items() if name in results}
    nothing = np.zeros(0)
    for name in looks:
        x, y = curves.get(name, (nothing, nothing))
        drawn[f"curve {name}"] = {"x": x, "y": y}
    drawn["ghost"] = joined({name: points for name, points in whole.items() if points[0].size})
    ends = np.array([AXIS.start, AXIS.end])
    reason = _reason(results)
    ends = ends[: 0 if reason else 2]
    drawn["ideal"] = {"x": ends, "y": ends}
    heights = np.concatenate([y for _, y in (*curves.values(), *whole.values())] or [nothing])
    low = float(heights.min()) if heights.size else -3.0
    high = max(float(heights.max()) if heights.size else 0.0, AXIS.end)
    low, high = np.floor(2 * low) / 2, np.ceil(2 * high + 0.1) / 2
    named = {name: float(y[-1]) for name, (_, y) in curves.items() if y.size}
    ideal = [] if reason else ["as reported"]
    placed = [*named.values(), *ends[1:].tolist()]
    tall = high - low
    drawn["name"] = texts(
        [AXIS.end + 0.015 * (AXIS.end - AXIS.start)] * len(placed),
        spread(placed, NAME_GAP * tall, low + 0.03 * tall, low + 0.96 * tall),
        [*named, *ideal],
        [*(looks[name].color for name in named), *([INK] * len(ideal))],
    )
    drawn["notice"] = texts(
        [(AXIS.start + AXIS.end) / 2] * bool(reason),
        [(low + high) / 2] * bool(reason),
        [reason] * bool(reason),
        [INK] * bool(reason),
        LONGEST_NOTICE,
    )
    drawn["readout"] = _readout(results, (low + high) / 2)
    drawn["view"] = {"x": np.array(AXIS.view(NAME_MARGIN)), "y": np.array([low, high])}
    return drawn


def text(results: Mapping[str, Calibration]) -> str:
    """The plot in words.

    Parameters
    ----------
    results : mapping of str to Calibration
        Observed errors of each algorithm shown at `E_VALUES`.
    """
    if not results:
        return "No algorithm is shown."
    reason = _reason(results)
    if reason:
        return f"There is no calibration to show: {reason}."
    parts = []
    for name, result in results.items():
        if result.reason:
            parts.append(f"{name} is left out ({result.reason})")
            continue
        observed = float(result.observed[E_VALUES.index(SAID)])
        parts.append(f"{name} makes {_compared(observed, SAID, result.largest)}")
    return f"At E = {SAID:g}, which promises {SAID:g} errors per query, {'; '.join(parts)}."


def draw(columns: Columns, looks: Mapping[str, Style], drawn: Drawn | None = None) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    elements: list[hv.Element] = [
        curve(columns, "ideal", dims, drawn, color=INK, line_width=1),
    ]
    elements += each_curve(columns, dims, looks, drawn)
    elements += [
        labels(columns, "name", dims, drawn, text_align="left"),
        labels(columns, "notice", dims, drawn, text_align="center"),
        readout(columns, dims, drawn),
    ]
    view = columns["view"]
    return overlay(
        elements,
        xlabel="reported E-value (log scale)",
        ylabel="observed errors per query",
        xlim=tuple(view["x"]),
        ylim=tuple(view["y"]),
        **AXIS.ticks("x"),
        **ERRORS.ticks("y"),
    )


def _reason(results: Mapping[str, Calibration]) -> str:
    """Why no algorithm shown has a calibration; empty if one has."""
    reasons = [result.reason for result in results.values()]
    return "; ".join(dict.fromkeys(reasons)) if reasons and all(reasons) else ""


def _points(result: Calibration) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positions of the E-values with errors, no further than the lists go."""
    there = (result.observed > 0) & (result.threshold <= result.largest)
    return np.log10(result.threshold[there]), np.log10(result.observed[there])


def _compared(observed: float, reported: float, largest: float) -> str:
    """Errors per query, and how many times what was reported that is."""
    said = f"{number(observed)}, "
    if observed == 0:
        said = "none"
    elif abs(observed / reported - 1) < NEAR:
        said += "as reported"
    else:
        said += f"{brief(observed / reported)} times as many"
    return said + (f" (its lists end at E = {brief(largest)})" if largest < reported else "")


def _readout(results: Mapping[str, Calibration], y: float) -> dict[str, NDArray[Any]]:
    known = {name: result for name, result in results.items() if not result.reason}
    grid = next((result.threshold for result in known.values()), np.zeros(0))
    rows = {
        name: [
            _compared(observed, reported, result.largest)
            for observed, reported in zip(
                result.observed.tolist(), result.threshold.tolist(), strict=True
            )
        ]
        for name, result in known.items()
    }
    heads = [f"E = {brief(value)} promises as many errors per query" for value in grid.tolist()]
    return readout_columns(np.log10(grid), y, heads, rows)
