"""A logarithmic axis of rates and counts, on which 0 can have a place of its own."""

from __future__ import annotations

from typing import Any, NamedTuple

import holoviews as hv
import numpy as np
from bokeh.models import CustomJSTicker, CustomJSTickFormatter
from numpy.typing import ArrayLike, NDArray

from tapviz.draw.style import GUTTER
from tapviz.draw.threshold_axis import FORMATTER, TICKER

GAP = 0.06
"""From the place of 0 to the smallest positive value, in widths of the axis."""
# Multiples of powers of ten that get a tick, from coarse to fine.
MULTIPLES = ((1,), (1, 2, 5), tuple(np.arange(1, 10, 0.5)))


class LogAxis(NamedTuple):
    """Where a value of at least 0 is drawn: at its log10, and 0 left of the smallest positive."""

    low: float
    """Smallest positive value with a place of its own; smaller ones are drawn there, too."""
    high: float
    """Largest value."""
    zero: float | None
    """Position of 0; None if it has none."""

    @classmethod
    def of(cls, low: float, high: float, *, zero: bool) -> LogAxis:
        """Axis from `low` to `high`, or over one decade if that is not more, with or without 0."""
        high = max(high, 10 * low)
        width = np.log10(high) - np.log10(low)
        return cls(low, high, float(np.log10(low) - GAP * width) if zero else None)

    def position(self, values: ArrayLike) -> NDArray[np.float64]:
        """Where values are drawn; NaN for 0 without a place."""
        given = np.asarray(values, np.float64)
        at_zero = np.nan if self.zero is None else self.zero
        drawn = np.log10(np.maximum(given, self.low))
        return np.where(given > 0, drawn, np.where(given == 0, at_zero, np.nan))

    @property
    def start(self) -> float:
        """Position of the smallest value."""
        return float(np.log10(self.low)) if self.zero is None else self.zero

    @property
    def end(self) -> float:
        """Position of the largest value."""
        return float(np.log10(self.high))

    def reaching(self, value: float) -> LogAxis:
        """The same places on an axis that is as long as it takes to hold a value."""
        return self._replace(high=max(self.high, value))

    def view(self, margin: float) -> tuple[float, float]:
        """Range to show, with room for names on the right: `margin` times the width."""
        width = self.end - self.start
        return self.start - 0.02 * width, self.end + margin * width

    def grid(self, size: int) -> NDArray[np.float64]:
        """Values at evenly spaced positions, both ends exactly; 0 before them if it has a place."""
        values = np.geomspace(self.low, self.high, size)
        return values if self.zero is None else np.concatenate([[0.0], values])

    def ticks(self, side: str) -> dict[str, Any]:
        """Options that make HoloViews draw the ticks of "x" or "y", finer when zoomed in."""
        first, last = np.log10(self.low) - 1e-9, self.end + 1e-9
        decades = np.arange(np.floor(first), np.ceil(last) + 1)
        levels = []
        for multiples in MULTIPLES:
            exponents = (decades[:, None] + np.log10(multiples)[None, :]).ravel()
            inside = (exponents >= first) & (exponents <= last)
            levels.append(([] if self.zero is None else [self.zero]) + exponents[inside].tolist())
        ticker = CustomJSTicker(args={"levels": levels}, major_code=TICKER, minor_code="return []")
        scale = {"zero": self.zero, "kink": first - 1, "squeeze": 1.0}
        formatter = CustomJSTickFormatter(args=scale, code=FORMATTER)
        return {f"{side}ticks": ticker, f"{side}formatter": formatter}

    def background(self) -> list[hv.Element]:
        """A grey gutter for 0."""
        if self.zero is None:
            return []
        width, break_at = self.end - self.zero, (self.zero + float(np.log10(self.low))) / 2
        # As far as the frame may show when a subset makes the axis longer.
        return [hv.VSpan(self.zero - width, break_at).opts(color=GUTTER, alpha=1)]
