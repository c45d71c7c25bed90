"""Observed errors per query against the E-value, which is their expected number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.choices import BY_E_VALUE
from tapviz.draw.picture import Axis, Picture, line, readout, texts
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import INK, Style, brief, number
from tapviz.measures import Calibration, calibration
from tapviz.plots.columns import (
    NAME_OFFSET,
    Columns,
    each_line,
    end_names,
    is_hatched,
    joined,
    label_columns,
    name_margin,
    not_measured,
    readout_columns,
)
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, THRESHOLD, Plot

E_VALUES = tuple((10.0 ** (np.arange(-60, 21) / 10)).tolist())
"""E-values at which errors are observed: ten a decade, powers of ten exactly, 1e-6 to 100."""
TEXT_E_VALUE = 0.01
"""E-value at which the text gives the errors."""
NEAR = 0.05
"""Ratios of observed to expected errors this near to 1 count as expected."""
LONGEST_NOTICE = 80

FIRST, LAST = np.log10([E_VALUES[0], E_VALUES[-1]]).tolist()
RIGHT = LAST + NAME_OFFSET * (LAST - FIRST)
"""Decade at which names begin."""


def columns(
    axis: ThresholdAxis,
    results: Mapping[str, Calibration],
    styles: Mapping[str, Style],
    *,
    ghosts: Mapping[str, Calibration] | None = None,
    ends: Mapping[str, float] | None = None,
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    axis : ThresholdAxis
        The axis of thresholds of other plots.
    results : mapping of str to Calibration
        Observed errors of each algorithm shown at `E_VALUES`.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    ghosts : mapping of str to Calibration, optional
        The same of all queries, while a subset is selected.
    ends : mapping of str to float, optional
        E-value at which each algorithm stopped reporting.

    Returns
    -------
    Columns
        "curve NAME" (x, y, threshold): the E-value and the errors observed there, from the first
        E-value with any to the end of the lists; empty if scores are no E-values. "beyond NAME"
        and "hatch NAME" (x, y): beyond what was reported. "ideal"
        (x, y): as many as reported. "name". "ghost" (x, y). "notice" (x, y, text, color): why
        there is nothing to show. "readout". "view": y covers half decades.
    """
    layers: Columns = {}
    limits = {name: float((ends or {}).get(name, np.inf)) for name in results}
    curves = {name: _points(result, limits[name]) for name, result in results.items()}
    whole = {name: _points(one) for name, one in (ghosts or {}).items() if name in results}
    nothing = np.zeros(0)
    layers["ghost"] = joined({name: points for name, points in whole.items() if points[0].size})
    reason = _reason(results)
    ideal_at = np.array([FIRST, LAST])[: 0 if reason else 2]
    layers["ideal"] = {"x": ideal_at, "y": ideal_at}
    heights = np.concatenate([y for _, y in (*curves.values(), *whole.values())] or [nothing])
    low = float(heights.min()) if heights.size else -3.0
    high = max(float(heights.max()) if heights.size else 0.0, LAST)
    low, high = np.floor(2 * low) / 2, np.ceil(2 * high + 0.1) / 2
    named = {name: float(y[-1]) for name, (_, y) in curves.items() if y.size}
    ideal = [] if reason else ["as reported"]
    for name in styles:
        x, y = curves.get(name, (nothing, nothing))
        end = limits.get(name, np.inf)
        at = np.log10(end) if 0 < end < E_VALUES[-1] else np.nan
        layers |= not_measured(x, y, at, name, (LAST - FIRST, high - low))
    layers["name"] = end_names(
        named | dict.fromkeys(ideal, LAST),
        {**styles, **dict.fromkeys(ideal, Style(INK, ()))},
        RIGHT,
        (low, high),
        {name: float(x[-1]) for name, (x, _) in curves.items() if x.size}
        | dict.fromkeys(ideal, LAST),
        hatched=is_hatched(layers),
    )
    layers["notice"] = label_columns(
        [(FIRST + LAST) / 2] * bool(reason),
        [(low + high) / 2] * bool(reason),
        [reason] * bool(reason),
        [INK] * bool(reason),
        LONGEST_NOTICE,
    )
    layers["readout"] = _readout(results, (low + high) / 2, limits)
    width = LAST - FIRST
    layers["view"] = {
        "x": np.array([FIRST - 0.02 * width, LAST + name_margin(styles) * width]),
        "y": np.array([low, high]),
    }
    # Laid out in decades, drawn on logarithmic axes.
    drawn: dict[str, dict[str, NDArray[Any]]] = {
        layer: {
            key: values if key in ("text", "color") else 10.0**values
            for key, values in data.items()
        }
        for layer, data in layers.items()
    }
    for curve in (f"curve {name}" for name in styles):
        drawn[curve] |= {"threshold": axis.position(drawn[curve]["x"])}
    return drawn


def threshold_columns(e0: float | None, view: Mapping[str, NDArray[np.float64]]) -> Columns:
    """The layer "line" (x, y): the threshold E_0, if it has a place on the axis.

    Parameters
    ----------
    e0 : float or None
        None if there is none for all algorithms.
    view : mapping of str to ndarray of float
        Limits of the axes.
    """
    shown = e0 is not None and view["x"][0] <= e0 <= 10.0**LAST
    return {
        "line": {
            "x": np.repeat(np.float64(e0), 2) if shown else np.zeros(0),
            "y": view["y"][: 2 * shown],
        }
    }


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
        observed = float(result.observed[E_VALUES.index(TEXT_E_VALUE)])
        parts.append(f"{name} made {_compared(observed, TEXT_E_VALUE, result.largest)}")
    expected = f"At E = {TEXT_E_VALUE:g} expect {TEXT_E_VALUE:g} errors per query"
    return f"{expected}; {'; '.join(parts)}."


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    styles = data.styles
    layers = data.curves(
        PLOT.name,
        lambda: columns(
            data.axis,
            data.each(calibration, E_VALUES),
            styles,
            ghosts=data.ghosts(calibration, E_VALUES),
            ends=data.ends,
        ),
    )
    view, explorer = layers["view"], data.explorer
    shown = explorer.mode == BY_E_VALUE and layers["ideal"]["x"].size
    layers = layers | threshold_columns(explorer.e0 if shown else None, view)
    return Picture(
        (
            line("ideal", layers["ideal"], INK),
            *each_line(layers, styles),
            line("line", layers["line"], INK, moving=True, drags="e0"),
            texts("name", layers["name"]),
            texts("notice", layers["notice"], align="center"),
            readout(layers["readout"]),
        ),
        Axis("reported E-value (log scale)", *view["x"].tolist(), log=True, threshold=True),
        Axis("observed errors per query", *view["y"].tolist(), log=True),
    )


PLOT = Plot(
    name="calibration",
    title="Calibration",
    caption="observed errors per query · line: as reported",
    how_to_read=(
        "At an E-value of x, a calibrated program makes x errors per query on average: the "
        "diagonal. A program whose line lies above it makes more errors than its E-values say. "
        "A line is faint and hatched where its program had stopped reporting."
    ),
    printed=(
        "Errors per query observed with each {score} as a threshold. Diagonal: as many as the "
        "{score} says. Hatched: beyond where a program stopped reporting."
    ),
    depends=(*FILTER, *THRESHOLD, "algorithms"),
    picture=picture,
    text=lambda data: text(data.each(calibration, E_VALUES)),
    tab="Calibration",
)


def _reason(results: Mapping[str, Calibration]) -> str:
    """Why no algorithm shown has a calibration; empty if one has."""
    reasons = [result.reason for result in results.values()]
    return "; ".join(dict.fromkeys(reasons)) if reasons and all(reasons) else ""


def _points(
    result: Calibration, end: float = np.inf
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Decades of the E-values with errors and of the errors, no further than the lists go.

    Where the end of what was reported is known, the rest will be shown as not measured.
    """
    observable = (result.observed > 0) & (
        (result.threshold <= result.largest) | (end < E_VALUES[-1])
    )
    return np.log10(result.threshold[observable]), np.log10(result.observed[observable])


def _compared(observed: float, reported: float, largest: float) -> str:
    """Errors per query, and how many times the expected number that is."""
    if np.isnan(observed):
        words = "a number that was not kept"
    elif observed == 0:
        words = "none"
    elif abs(observed / reported - 1) < NEAR:
        words = f"{number(observed)}, as expected"
    else:
        words = f"{number(observed)} ({brief(observed / reported)} ×)"
    return words + (f", and its lists end at E = {brief(largest)}" if largest < reported else "")


def _readout(
    results: Mapping[str, Calibration], y: float, limits: Mapping[str, float]
) -> dict[str, NDArray[Any]]:
    defined = {name: result for name, result in results.items() if not result.reason}
    grid = next((result.threshold for result in defined.values()), np.zeros(0))
    rows = {
        name: [
            f"not measured beyond {brief(limits[name])}"
            if reported > limits[name]
            else _compared(observed, reported, result.largest)
            for observed, reported in zip(
                result.observed.tolist(), result.threshold.tolist(), strict=True
            )
        ]
        for name, result in defined.items()
    }
    heads = [
        f"E = {brief(value)}, the expected number of errors per query" for value in grid.tolist()
    ]
    return readout_columns(np.log10(grid), y, heads, rows)
