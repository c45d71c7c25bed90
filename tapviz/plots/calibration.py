"""Observed errors per query against the E-value, which is their expected number."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tapviz.draw.picture import Axis, Picture
from tapviz.draw.style import brief, number
from tapviz.measures import Calibration, calibration
from tapviz.plots import chart
from tapviz.plots import columns as c
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, THRESHOLD, Plot
from tapviz.state import BY_E_VALUE

E_VALUES = tuple((10.0 ** (np.arange(-60, 21) / 10)).tolist())
"""E-values at which errors are observed: ten a decade, powers of ten exactly, 1e-6 to 100."""
TEXT_E_VALUE = 0.01
"""E-value at which the text gives the errors."""
NEAR = 0.05
"""Ratios of observed to expected errors this near to 1 count as expected."""


def curves(data: PlotData) -> chart.Chart:
    """Errors observed at each E-value, from the first with any to the end of the lists.

    The axis of errors covers half decades.
    """
    first, last = E_VALUES[0], E_VALUES[-1]
    results = data.each(calibration, E_VALUES)
    # Where the end of what was reported is known, the rest is shown as not measured.
    found = {
        name: _observed(one, last if data.ends[name] < last else one.largest)
        for name, one in results.items()
    }
    behind = {
        name: _observed(one, one.largest)
        for name, one in data.ghosts(calibration, E_VALUES).items()
    }
    drawn = [one["y"] for one in (*found.values(), *behind.values())]
    heights = np.log10(np.concatenate([*drawn, []]))
    low = np.floor(2 * heights.min()) / 2 if heights.size else -3.0
    high = np.ceil(2 * heights.max(initial=np.log10(last)) + 0.1) / 2
    return chart.line_chart(
        data,
        found,
        Axis("reported E-value (log scale)", first, last, log=True, threshold=True),
        Axis("observed errors per query", float(10.0**low), float(10.0**high), log=True),
        _readout(results, data.ends),
        ghosts={name: one for name, one in behind.items() if one["x"].size},
        ends={name: end if 0 < end < last else np.nan for name, end in data.ends.items()},
        diagonal="as reported",
        missing=chart.no_reason(results),
    )


def text(results: Mapping[str, Calibration]) -> str:
    """The plot in words.

    Parameters
    ----------
    results : mapping of str to Calibration
        Observed errors of each algorithm shown at `E_VALUES`.
    """
    if not results:
        return "No algorithm is shown."
    reason = chart.no_reason(results)
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
    explorer, found = data.explorer, data.curves(PLOT.name, lambda: curves(data))
    placed = found.behind[0].size and found.x.start <= explorer.e0 <= E_VALUES[-1]
    at = explorer.e0 if placed and explorer.mode == BY_E_VALUE else None
    return found.picture(chart.upright(at, found.y.start, found.y.end, drags="e0"))


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


def _observed(result: Calibration, end: float) -> dict[str, np.ndarray]:
    """E-values with errors, up to an end, and the errors."""
    some = (result.observed > 0) & (result.threshold <= end)
    return {"x": result.threshold[some], "y": result.observed[some]}


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


def _readout(results: Mapping[str, Calibration], ends: Mapping[str, float]) -> chart.Readout:
    grid = np.array(E_VALUES)
    rows = {
        name: c.measured_rows(
            (_compared(*at, one.largest) for at in zip(one.observed, grid, strict=True)),
            grid,
            ends[name],
            1,
        )
        for name, one in results.items()
        if not one.reason
    }
    heads = [f"E = {brief(value)}, the expected number of errors per query" for value in E_VALUES]
    return chart.Readout(grid, heads, rows)
