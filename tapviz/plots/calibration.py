"""Observed errors per query against the E-value, which is their expected number."""

from __future__ import annotations

import numpy as np

from tapviz.draw import picture as p
from tapviz.draw.style import brief, number
from tapviz.measures import Calibration, calibration
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, THRESHOLD, Plot, PlotData
from tapviz.state import BY_E_VALUE

E_VALUES = tuple((10.0 ** (np.arange(-60, 21) / 10)).tolist())
"""E-values at which errors are observed: ten a decade, powers of ten exactly, 1e-6 to 100."""
TEXT_E_VALUE = 0.01
"""E-value at which the text gives the errors."""
NEAR = 0.05
"""Ratios of observed to expected errors this near to 1 count as expected."""


def curves(data: PlotData) -> c.Chart:
    """Errors observed at each E-value, from the first with any to the end of the lists.

    The axis of errors covers half decades.
    """
    grid, ends = np.array(E_VALUES), data.ends
    first, last = E_VALUES[0], E_VALUES[-1]
    results, whole = data.each(calibration, E_VALUES), data.ghosts(calibration, E_VALUES)

    def drawn(one: Calibration, end: float) -> c.Columns:
        return c.some({"x": grid, "y": one.observed}, (one.observed > 0) & (grid <= end))

    # Where the end of what was reported is known, the rest is shown as not measured.
    reach = {name: last if ends[name] < last else one.largest for name, one in results.items()}
    found = {name: drawn(one, reach[name]) for name, one in results.items()}
    behind = {name: drawn(one, one.largest) for name, one in whole.items()}
    errors = [one["y"] for one in (*found.values(), *behind.values())]
    heights = np.log10(np.concatenate([[], *errors]))
    low = np.floor(2 * heights.min()) / 2 if heights.size else -3.0
    high = np.ceil(2 * heights.max(initial=np.log10(last)) + 0.1) / 2
    rows = {}
    for name, one in results.items():
        if not one.reason:
            told = (_compared(*at, one.largest) for at in zip(one.observed, grid, strict=True))
            rows[name] = c.measured_rows(told, grid, ends[name], 1)
    heads = [f"E = {brief(value)}, the expected number of errors per query" for value in E_VALUES]
    across = p.Axis("reported E-value (log scale)", first, last, log=True, threshold=True)
    up = p.Axis("observed errors per query", float(10.0**low), float(10.0**high), log=True)
    read, ideal, why = c.Readout(grid, heads, rows), "as reported", c.no_reason(results)
    inside = {name: end if 0 < end < last else np.nan for name, end in ends.items()}
    return c.line_chart(
        data, found, across, up, read, ghosts=behind, ends=inside, diagonal=ideal, missing=why
    )


def text(data: PlotData) -> str:
    """The plot in words."""
    e0 = TEXT_E_VALUE
    return c.each_in_words(
        data.each(calibration, E_VALUES),
        "calibration to show",
        f"At E = {e0:g} expect {e0:g} errors per query; ",
        lambda one: f"made {_compared(float(one.observed[E_VALUES.index(e0)]), e0, one.largest)}",
    )


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    explorer, found = data.explorer, data.curves(PLOT.name, lambda: curves(data))
    placed = found.behind[0].size and found.x.start <= explorer.e0 <= E_VALUES[-1]
    at = explorer.e0 if placed and explorer.mode == BY_E_VALUE else None
    return found.picture(c.upright(at, found.y.start, found.y.end, drags="e0"))


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


PLOT = Plot(
    name="calibration",
    title="Calibration",
    caption="observed errors per query · line: as reported",
    how_to_read="""At an E-value of x, a calibrated program makes x errors per query on average: the
    diagonal. A program whose line lies above it makes more errors than its E-values say. A line is
    faint and hatched where its program had stopped reporting.""",
    printed="""Errors per query observed with each {score} as a threshold. Diagonal: as many as the
    {score} says. Hatched: beyond where a program stopped reporting.""",
    depends=(*FILTER, *THRESHOLD, "algorithms"),
    picture=picture,
    text=text,
    tab="Calibration",
)
