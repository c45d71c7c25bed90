"""Intervals of all differences among several algorithms that hold at once."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.measures.bootstrap import Interval, percentile_interval

ENOUGH_RESAMPLES = 100
"""Fewer tell nothing of the ends of intervals that hold together."""


class Simultaneous(NamedTuple):
    """Differences of every two of some algorithms, with intervals that hold together."""

    differences: dict[tuple[str, str], Interval]
    """Of every two algorithms (a, b), in the order given: a - b."""
    stretch: float
    """How many times as far from the estimate an end is as that of an interval by itself; 1 of one
    pair."""


def simultaneous(
    estimates: Mapping[str, float],
    replicates: Mapping[str, NDArray[np.float64]],
    units: int,
    level: float = 0.95,
    *,
    influences: Mapping[str, NDArray[np.float64]] | None = None,
    stretch: float | None = None,
) -> Simultaneous:
    """Widen the intervals of all differences until all of them hold at once.

    Each is the interval that the difference has by itself, see `percentile_interval`, stretched
    about its estimate by one factor for all pairs: that of the number of standard errors within
    which, in a share `level` of the resamples, every difference is from its estimate, to the
    number for a single one. So the interval of one pair alone is that which it has anywhere else.

    Parameters
    ----------
    estimates : mapping of str to float
        Score of each algorithm.
    replicates : mapping of str to ndarray of float, shape (B,)
        The same in each resample of the queries, the same resamples for all.
    units : int
        How many groups of queries, or single ones, were drawn in each.
    level : float, in (0, 1)
    influences : mapping of str to ndarray of float, shape (units,), optional
        How each score goes with each group, as `Bootstrapped.influences` has it.
    stretch : float, optional
        The factor, found for more pairs than these.

    Returns
    -------
    Simultaneous

    References
    ----------
    Westfall & Young (1993), Resampling-Based Multiple Testing, section 2.3 (single-step maxT).

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import simultaneous
    >>> rng = np.random.default_rng(0)
    >>> drawn = {name: rng.normal(at, 1, 4000) for name, at in zip("ABC", (0, 0, 9))}
    >>> found = simultaneous({"A": 0, "B": 0, "C": 9}, drawn, units=1000)
    >>> [round(end, 1) for end in found.differences["A", "B"]]
    [0, -3.3, 3.3]
    """
    pairs = list(combinations(estimates, 2))
    apart = {(a, b): replicates[a] - replicates[b] for a, b in pairs}
    middle = {(a, b): estimates[a] - estimates[b] for a, b in pairs}
    if stretch is None:
        error = {pair: float(np.std(values, ddof=1)) for pair, values in apart.items()}
        # A difference that never varies is never further from its estimate than another.
        far = [abs(apart[pair] - middle[pair]) / error[pair] for pair in pairs if error[pair] > 0]
        single = statistics.NormalDist().inv_cdf((1 + level) / 2)
        most = float(np.quantile(np.max(far, axis=0), level)) if len(far) > 1 else single
        stretch = max(1.0, most / single)
    found = {}
    for a, b in pairs:
        influence = None if influences is None else influences[a] - influences[b]
        at = middle[a, b]
        _, low, high = percentile_interval(at, apart[a, b], level, units, influence)
        found[a, b] = stretched(Interval(at, low, high), stretch)
    return Simultaneous(found, stretch)


def stretched(interval: Interval, by: float) -> Interval:
    """Ends as many times as far from the estimate.

    Examples
    --------
    >>> from tapviz.measures import Interval
    >>> from tapviz.measures.simultaneous import stretched
    >>> stretched(Interval(3.0, 2.0, 5.0), 2.0)
    Interval(estimate=3.0, low=1.0, high=7.0)
    """
    at, low, high = interval
    return Interval(at, low - (by - 1) * max(at - low, 0), high + (by - 1) * max(high - at, 0))
