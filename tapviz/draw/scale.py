"""Scales that no plotting library has: powers of ten with a place for 0, compressed far down."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.draw.style import brief, number

# E-values reach from 1e-180 to thousands, but methods differ where errors begin. Below 1e-10 each
# decade is drawn narrower than the one before: it begins as wide as the others, so that a curve
# does not bend where nothing happens, and at 1e-100 has a fortieth of their width.
KINK = -10.0
SQUEEZE = 2.5
"""Decades below the kink after which a decade is drawn half as wide."""
# A linear axis is better where scores span less than this.
LOG_DECADES = 3.0

ENOUGH_TICKS = 4
"""Finer ticks are shown only where there are fewer than this."""
GAP = 0.06
"""From the place of 0 to the smallest positive value, in widths of the axis."""
HALVES = tuple(np.arange(1, 10, 0.5).tolist())
# From coarse to fine: every how many decades above the kink, and which multiples.
LEVELS = ((5, (1,)), (2, (1,)), (1, (1,)), (1, (1, 2, 5)), (1, HALVES))
# The same below it; the first is for few decades that are far apart.
BELOW = (
    ((-20, -50, -100, -200, -300), (1,)),
    ((-15, -20, -30, -50, -70, -100, -150, -200, -250, -300), (1,)),
    (range(-320, 0, 10), (1,)),
    (range(-320, 0, 5), (1,)),
    (range(-330, 0), HALVES),
)


class PowerScale(NamedTuple):
    """Where a value of at least 0 is drawn: at its log10, and 0 left of the smallest positive."""

    low: float
    """Smallest positive value with a place of its own; smaller ones are drawn there, too."""
    high: float
    """Largest value."""
    zero: float | None = None
    """Place of 0; None if it has none."""
    compressed: bool = False
    """Whether decades below 1e-10 are drawn ever narrower."""

    @classmethod
    def of(cls, low: float, high: float, *, zero: bool) -> PowerScale:
        """Scale from `low` to `high`, or over one decade if that is not more, with or without 0."""
        high = max(high, 10 * low)
        width = np.log10(high) - np.log10(low)
        return cls(low, high, float(np.log10(low) - GAP * width) if zero else None)

    def position(self, values: ArrayLike) -> NDArray[np.float64]:
        """Where values are drawn; NaN for 0 without a place."""
        given = np.asarray(values, np.float64)
        at_zero = np.nan if self.zero is None else self.zero
        drawn = self._place(np.log10(np.maximum(given, self.low)))
        return np.where(given > 0, drawn, np.where(given == 0, at_zero, np.nan))

    def values(self, places: ArrayLike) -> NDArray[np.float64]:
        """What is drawn at places; what is nearer to the place of 0 than to the next is 0."""
        at = np.asarray(places, np.float64)
        decade = at
        if self.compressed:
            below = SQUEEZE * np.expm1(np.maximum(KINK - at, 0) / SQUEEZE)
            decade = np.where(at >= KINK, at, KINK - below)
        found = 10.0**decade
        return found if self.zero is None else np.where(at < self._gutter_end, 0.0, found)

    @property
    def first(self) -> float:
        """Place of the smallest positive value."""
        return float(self._place(np.log10(self.low)))

    @property
    def start(self) -> float:
        """Place of the smallest value."""
        return self.first if self.zero is None else self.zero

    @property
    def end(self) -> float:
        """Place of the largest value."""
        return float(self._place(np.log10(self.high)))

    @property
    def kink(self) -> float | None:
        """Place where the scale changes; None if it does not."""
        return KINK if self.compressed and self.low < 10**KINK < self.high else None

    @property
    def gutter(self) -> tuple[float, float] | None:
        """Ends of the strip that belongs to 0, which reaches beyond all that is shown."""
        if self.zero is None:
            return None
        return self.zero - max(self.end - self.zero, 1.0), self._gutter_end

    def reaching(self, value: float) -> PowerScale:
        """The same places on a scale that is as long as it takes to hold a value."""
        return self._replace(high=max(self.high, value))

    def grid(self, size: int) -> NDArray[np.float64]:
        """Values at evenly spaced places, both ends exactly; 0 before them if it has a place."""
        values = self.values(np.linspace(self.first, self.end, size))
        values[0], values[-1] = self.low, self.high
        return values if self.zero is None else np.concatenate([[0.0], values])

    @lru_cache(maxsize=16)  # noqa: B019  # thousands of numbers, which all pages share
    def levels(self) -> list[list[float]]:
        """Places of ticks, from coarse to fine: the first level that shows enough is drawn."""
        low, high = np.log10(self.low) - 1e-9, np.log10(self.high) + 1e-9
        decades = np.arange(np.floor(low), np.ceil(high) + 1)
        levels = []
        zero = [] if self.zero is None else [self.zero]
        for (step, multiples), (known, parts) in zip(LEVELS, BELOW, strict=True):
            if not self.compressed and step > 1:
                continue
            kept = decades[decades % step == 0]
            exponents = (kept[:, None] + np.log10(multiples)[None, :]).ravel()
            if self.compressed:
                few = (np.array(known, np.float64)[:, None] + np.log10(parts)[None, :]).ravel()
                exponents = np.sort(np.append(few[few < KINK], exponents[exponents >= KINK]))
            inside = exponents[(exponents >= low) & (exponents <= high)]
            levels.append(zero + self._place(inside).tolist())
        return levels

    def ticks(self, low: float, high: float) -> list[float]:
        """Places of the ticks that are drawn between two places."""
        seen = [[place for place in level if low <= place <= high] for level in self.levels()]
        return next((level for level in seen if len(level) >= ENOUGH_TICKS), seen[-1])

    @property
    def _gutter_end(self) -> float:
        return ((self.zero or 0.0) + self.first) / 2

    def _place(self, decade: ArrayLike) -> NDArray[np.float64]:
        given = np.asarray(decade, np.float64)
        if not self.compressed:
            return given
        below = SQUEEZE * np.log1p(np.maximum(KINK - given, 0) / SQUEEZE)
        return np.where(given >= KINK, given, KINK - below)


class ThresholdAxis(NamedTuple):
    """Where a threshold is drawn, strictest on the left.

    E-values are drawn on a scale of powers of ten, compressed below 1e-10, with a place of its
    own for E = 0, left of the smallest positive one. Other scores are drawn as they are.
    """

    descending: bool
    low: float
    """Strictest threshold, but for E = 0 on a logarithmic axis."""
    high: float
    """Most permissive threshold."""
    scale: PowerScale | None
    """Of E-values; None for other scores."""

    @classmethod
    def of(cls, scores: Iterable[NDArray[np.float64]], *, descending: bool) -> ThresholdAxis:
        """Axis on which all of the scores can be drawn."""
        parts = [part for part in scores if part.size]
        if not parts:
            return cls(descending=descending, low=0.0, high=1.0, scale=None)
        low, high = min(p.min() for p in parts), max(p.max() for p in parts)
        positive = min((p[p > 0].min() for p in parts if (p > 0).any()), default=0.0)
        spread = np.log10(high) - np.log10(positive) if low >= 0 and positive > 0 else 0.0
        log = not descending and bool(spread >= LOG_DECADES or (low == 0 and positive > 0))
        if not log:
            strict, loose = (high, low) if descending else (low, high)
            return cls(descending=descending, low=strict, high=loose, scale=None)
        scale = PowerScale(positive, high, compressed=True)
        if low == 0:
            scale = scale._replace(zero=scale.first - 0.045 * max(scale.end - scale.first, 1.0))
        return cls(descending=False, low=positive, high=high, scale=scale)

    @property
    def log(self) -> bool:
        """Whether thresholds are E-values on a logarithmic scale."""
        return self.scale is not None

    @property
    def quantity(self) -> str:
        """What is drawn."""
        return "E-value" if self.log else "score"

    @property
    def zero(self) -> float | None:
        """Place of E = 0; None if no record has it."""
        return None if self.scale is None else self.scale.zero

    def position(self, threshold: ArrayLike) -> NDArray[np.float64]:
        """Where thresholds are drawn."""
        values = np.asarray(threshold, np.float64)
        if self.scale is None:
            return values
        return np.where(values <= 0, self.start, self.scale.position(values))

    def threshold(self, position: ArrayLike) -> NDArray[np.float64]:
        """The threshold drawn at a position; what is nearer to the place of E = 0 is 0."""
        if self.scale is None:
            return np.asarray(position, np.float64)
        return self.scale.values(position)

    @property
    def start(self) -> float:
        """Position of the strictest threshold."""
        return self.low if self.scale is None else self.scale.start

    @property
    def end(self) -> float:
        """Position of the most permissive threshold."""
        return self.high if self.scale is None else self.scale.end

    def grid(self, size: int) -> NDArray[np.float64]:
        """Thresholds at evenly spaced positions, both ends and E = 0 exactly, strictest first."""
        if self.scale is None:
            return np.linspace(self.low, self.high, size)
        return self.scale.grid(size)

    @property
    def title(self) -> str:
        """What the axis is of."""
        if self.scale is None:
            return "score threshold"
        squeezed = "  (compressed below 10⁻¹⁰)" if self.low < 10**KINK else ""
        return f"E-value threshold E₀{squeezed}"

    def describe(self, threshold: float) -> str:
        """How a read-out names a threshold."""
        if self.log and threshold == 0:
            return "E = 0 as reported (below the program's smallest)"
        return f"E₀ = {brief(threshold)}" if self.log else f"score {number(threshold, 4)}"
