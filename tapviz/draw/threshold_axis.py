"""The axis of thresholds that the plots of TAP and of errors share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import holoviews as hv
import numpy as np
from bokeh.models import BasicTicker, CustomJSTicker, CustomJSTickFormatter
from numpy.typing import ArrayLike, NDArray

from tapviz.draw.style import GHOST, GUTTER, brief, number

# E-values reach from 1e-180 to thousands, but methods differ where errors begin. Below 1e-10 a
# decade gets a twentieth of the width.
KINK = -10.0
SQUEEZE = 20.0
# A linear axis is better where scores span less than this.
LOG_DECADES = 3.0

TICKER = """
for (const level of levels) {
    const seen = level.filter((x) => x >= cb_data.start && x <= cb_data.end)
    if (seen.length >= 4) return seen
}
return levels[levels.length - 1]
"""
FORMATTER = """
if (zero !== null && Math.abs(tick - zero) < 1e-6) return "0"
const decade = tick >= kink ? tick : kink + (tick - kink) * squeeze
const digits = {"-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶",
                "7": "⁷", "8": "⁸", "9": "⁹"}
const exponent = Math.floor(decade + 1e-6)
const mantissa = Math.pow(10, decade - exponent)
if (exponent >= -2 && exponent <= 3) {
    return String(Number((mantissa * Math.pow(10, exponent)).toPrecision(2)))
}
const power = "10" + [...String(exponent)].map((c) => digits[c]).join("")
const rounded = Number(mantissa.toPrecision(2))
return rounded === 1 ? power : rounded + "·" + power
"""


class ThresholdAxis(NamedTuple):
    """Where a threshold is drawn, strictest on the left.

    E-values are drawn on a logarithmic scale, compressed below 1e-10, with a place of its own
    for E = 0, left of the smallest positive one. Other scores are drawn as they are.
    """

    log: bool
    descending: bool
    low: float
    """Strictest threshold, but for E = 0 on a logarithmic axis."""
    high: float
    """Most permissive threshold."""
    zero: float | None
    """Position of E = 0; None if no record has it."""

    @classmethod
    def of(cls, scores: Iterable[NDArray[np.float64]], *, descending: bool) -> ThresholdAxis:
        """Axis on which all of the scores can be drawn; each array not empty."""
        parts = [part for part in scores if part.size]
        if not parts:
            return cls(log=False, descending=descending, low=0.0, high=1.0, zero=None)
        low, high = min(p.min() for p in parts), max(p.max() for p in parts)
        positive = min((p[p > 0].min() for p in parts if (p > 0).any()), default=0.0)
        spread = np.log10(high) - np.log10(positive) if low >= 0 and positive > 0 else 0.0
        log = not descending and bool(spread >= LOG_DECADES or (low == 0 and positive > 0))
        if not log:
            strict, loose = (high, low) if descending else (low, high)
            return cls(log=False, descending=descending, low=strict, high=loose, zero=None)
        start = float(_squeeze(np.log10(positive)))
        width = float(_squeeze(np.log10(high))) - start
        zero = start - 0.045 * max(width, 1.0) if low == 0 else None
        return cls(log=True, descending=False, low=positive, high=high, zero=zero)

    def position(self, threshold: ArrayLike) -> NDArray[np.float64]:
        """Where thresholds are drawn."""
        values = np.asarray(threshold, np.float64)
        if not self.log:
            return values
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn = _squeeze(np.log10(values))
        first = float(_squeeze(np.log10(self.low)))
        return np.where(values <= 0, self.start, np.maximum(drawn, first))

    def threshold(self, position: ArrayLike) -> NDArray[np.float64]:
        """The threshold drawn at a position; what is nearer to the place of E = 0 is 0."""
        drawn = np.asarray(position, np.float64)
        if not self.log:
            return drawn
        decade = np.where(drawn >= KINK, drawn, KINK + (drawn - KINK) * SQUEEZE)
        value = 10.0**decade
        if self.zero is None:
            return value
        first = float(_squeeze(np.log10(self.low)))
        return np.where(drawn < (self.zero + first) / 2, 0.0, value)

    @property
    def start(self) -> float:
        """Position of the strictest threshold."""
        if not self.log:
            return self.low
        return float(_squeeze(np.log10(self.low))) if self.zero is None else self.zero

    @property
    def end(self) -> float:
        """Position of the most permissive threshold."""
        return float(_squeeze(np.log10(self.high))) if self.log else self.high

    def view(self, margin: float) -> tuple[float, float]:
        """Range to show, with room for names on the right: `margin` times the width."""
        width = self.end - self.start
        width = width or 1.0
        return self.start - 0.02 * width, self.end + margin * width

    def grid(self, size: int) -> NDArray[np.float64]:
        """Thresholds at evenly spaced positions, both ends and E = 0 exactly, strictest first."""
        if not self.log:
            return np.linspace(self.low, self.high, size)
        first = float(_squeeze(np.log10(self.low)))
        values = self.threshold(np.linspace(first, self.end, size))
        values[0], values[-1] = self.low, self.high
        return values if self.zero is None else np.concatenate([[0.0], values])

    @property
    def title(self) -> str:
        """What the axis is of."""
        if not self.log:
            return "score threshold"
        return "E-value threshold E₀" + (
            "  (compressed below 10⁻¹⁰)" if self.low < 10**KINK else ""
        )

    def describe(self, threshold: float) -> str:
        """How a read-out names a threshold."""
        if self.log and threshold == 0:
            return "E = 0 as reported (below the program's smallest)"
        return f"E₀ = {brief(threshold)}" if self.log else f"score {number(threshold, 4)}"

    def ticks(self) -> dict[str, Any]:
        """Options that make HoloViews draw the ticks, finer when zoomed in."""
        if not self.log:
            return {"xticks": BasicTicker()}
        decades = np.arange(np.floor(np.log10(self.low)), np.ceil(np.log10(self.high)) + 1)
        # Steps in decades below and above the kink, from coarse to fine: the ticker takes the first
        # that shows enough.
        levels = [
            self._tick_level(decades, below, above, multiples)
            for below, above, multiples in (
                (100, 5, (1,)),
                (50, 2, (1,)),
                (10, 1, (1,)),
                (5, 1, (1, 2, 5)),
                (1, 1, tuple(np.arange(1, 10, 0.5))),
            )
        ]
        arguments = {"levels": levels}
        formatter = {"zero": self.zero, "kink": KINK, "squeeze": SQUEEZE}
        return {
            "xticks": CustomJSTicker(args=arguments, major_code=TICKER, minor_code="return []"),
            "xformatter": CustomJSTickFormatter(args=formatter, code=FORMATTER),
        }

    def options(self, view: Mapping[str, NDArray[np.float64]]) -> dict[str, Any]:
        """Options of HoloViews for a plot with this axis and the limits x and y of `view`."""
        return {
            "xlabel": self.title,
            "xlim": tuple(sorted(view["x"])),
            "ylim": tuple(view["y"]),
            "invert_xaxis": self.descending,
            **self.ticks(),
        }

    def background(self) -> list[hv.Element]:
        """A grey gutter for E = 0, and a line where the scale changes."""
        elements: list[hv.Element] = []
        if self.zero is not None:
            first = float(_squeeze(np.log10(self.low)))
            elements.append(
                hv.VSpan(self.view(0)[0], (self.zero + first) / 2).opts(color=GUTTER, alpha=1)
            )
        if self.log and self.low < 10**KINK < self.high:
            elements.append(hv.VLine(KINK).opts(color=GHOST, line_width=1, line_dash="dotted"))
        return elements

    def _tick_level(
        self, decades: NDArray[np.float64], below: int, above: int, multiples: tuple[float, ...]
    ) -> list[float]:
        step = np.where(decades < KINK, below, above)
        kept = decades[decades % step == 0]
        exponents = (kept[:, None] + np.log10(multiples)[None, :]).ravel()
        inside = (exponents >= np.log10(self.low)) & (exponents <= np.log10(self.high) + 1e-9)
        ticks = [] if self.zero is None else [self.zero]
        return ticks + [float(position) for position in _squeeze(exponents[inside])]


def _squeeze(decade: ArrayLike) -> NDArray[np.float64]:
    decade = np.asarray(decade, np.float64)
    return np.where(decade >= KINK, decade, KINK + (decade - KINK) / SQUEEZE)
