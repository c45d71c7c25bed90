"""Intervals of all differences among several algorithms that hold at once."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.measures.bootstrap import Interval, percentile_interval, standard_errors


class Simultaneous(NamedTuple):
    """Differences of every two of some algorithms, with intervals that hold together."""

    differences: dict[tuple[str, str], Interval]
    """Of every two algorithms (a, b), in the order given: a - b."""
    width: float | None
    """Half the width of an interval in standard errors; None of one pair, which is not widened."""


def simultaneous(
    estimates: Mapping[str, float],
    replicates: Mapping[str, NDArray[np.float64]],
    units: int,
    level: float = 0.95,
    width: float | None = None,
) -> Simultaneous:
    """Widen the intervals of all differences until all of them hold at once.

    An interval reaches as many standard errors to either side of the estimate for every pair: so
    many that in a share `level` of the resamples no difference is further from its estimate than
    that. Few units make them wider, as they do Student's intervals. One pair alone has the
    percentile interval that it has anywhere else.

    Parameters
    ----------
    estimates : mapping of str to float
        Score of each algorithm.
    replicates : mapping of str to ndarray of float, shape (B,)
        The same in each resample of the queries, the same resamples for all.
    units : int
        How many groups of queries, or single ones, were drawn in each.
    level : float, in (0, 1)
    width : float, optional
        Half the width of each interval in standard errors, found for more pairs than these.

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
    if len(pairs) <= 1 and width is None:
        return Simultaneous(
            {pair: percentile_interval(middle[pair], apart[pair], level, units) for pair in pairs},
            None,
        )
    error = {pair: float(np.std(values, ddof=1)) for pair, values in apart.items()}
    if width is None:
        # A difference that never varies is never further from its estimate than another.
        far = [abs(apart[pair] - middle[pair]) / error[pair] for pair in pairs if error[pair] > 0]
        width = standard_errors(level, units) / statistics.NormalDist().inv_cdf((1 + level) / 2)
        width *= float(np.quantile(np.max(far, axis=0), level)) if far else 1.0
    return Simultaneous(
        {
            pair: Interval(at, at - width * error[pair], at + width * error[pair])
            for pair, at in middle.items()
        },
        width,
    )
