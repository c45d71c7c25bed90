"""Intervals: from replicates, of means around a curve, and of all differences at once."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import isnan, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.measures._common import ALONE, Bools, Floats, Ints, refuse, special, whole_number
from tapviz.measures.groups import COVERAGE, Groups, Labels, as_labels

__all__ = ["Contrasts", "Interval", "MeanBand", "contrasts", "mean_band"]


class Interval(NamedTuple):
    """An estimate from all queries and the interval that the replicates give."""

    estimate: float
    """NaN where undefined."""
    low: float
    """NaN where undefined, and where there are too few groups."""
    high: float


class Intervals(NamedTuple):
    """Intervals of a score at P thresholds, each array of the shape (P,)."""

    estimate: Floats
    low: Floats
    high: Floats

    def at(self, place: int) -> Interval:
        """At one of the thresholds."""
        return Interval(*(float(ends[place]) for ends in self))


def percentile_interval(
    estimate: float, values: Floats, level: float, n_groups: int, influence: Floats | None = None
) -> Interval:
    """Expanded percentile interval of replicates that drew groups.

    The replicates of a mean of n groups spread by sqrt((n - 1) / n) of its standard error, and
    their percentiles take no account of the error's being estimated, as Student's t does. Taken
    at Phi(-sqrt(n / (n - 1)) t) in place of alpha / 2, where t is the quantile of Student's
    distribution at that level, they make up for both. Its degrees of freedom are
    `degrees_of_freedom`: n - 1, or less where a few groups decide.

    Parameters
    ----------
    estimate : float
    values : ndarray of float, shape (B,)
    level : float, in (0, 1)
    n_groups : int
        At least 2.
    influence : ndarray of float, shape (n_groups,), optional
        How the score goes with each group, as `Bootstrapped.influences` has it. By default no
        group decides more than others.

    References
    ----------
    Hesterberg (2015), Am. Stat. 69:371.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures.intervals import percentile_interval
    >>> replicates = np.arange(1001) / 1000
    >>> [round(end, 3) for end in percentile_interval(0.5, replicates, 0.95, n_groups=50)]
    [0.5, 0.021, 0.979]
    """
    return interval_of(estimate, values, _within(level, n_groups, influence))


def degrees_of_freedom(n_groups: int, influence: Floats | None = None) -> Floats:
    """How well groups tell the standard error of a score, as degrees of freedom.

    The variance among n groups is itself estimated: with kurtosis k it varies as one of
    2 n / (k - 1) degrees of freedom does. Where all groups matter alike that is more than n - 1,
    which is the most that is taken; where few make most of a score, as those whose errors come
    first in pooled lists, it is about as many as these.

    Parameters
    ----------
    n_groups : int
        At least 2.
    influence : ndarray of float, shape (..., n_groups), optional
        How each of some scores goes with each group, up to a factor.

    Returns
    -------
    ndarray of float, shape (...)

    References
    ----------
    Satterthwaite (1946), Biometrics Bull. 2:110, for the degrees of freedom of a variance; Efron
    (2014), J. Am. Stat. Assoc. 109:991, for what groups contribute, from the replicates.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures.intervals import degrees_of_freedom
    >>> float(degrees_of_freedom(50)), degrees_of_freedom(50, np.eye(50)[:1]).round(1)
    (49.0, array([2.1]))
    """
    if influence is None:
        return np.asarray(n_groups - 1.0)
    square = (influence - influence.mean(axis=-1, keepdims=True)) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = (square**2).mean(axis=-1) / square.mean(axis=-1) ** 2 - 1
        freedom = 2 * n_groups / excess
    few = np.isfinite(excess) & (excess * (n_groups - 1) > 2 * n_groups)
    return np.where(few, freedom, n_groups - 1)


def standard_errors(level: float, n_groups: int, influence: Floats | None = None) -> Floats:
    """How many standard errors, as resamples of groups have them, an interval reaches to a side.

    Parameters
    ----------
    level : float, in (0, 1)
    n_groups : int
        At least 2.
    influence : ndarray of float, shape (..., n_groups), optional
        As in `degrees_of_freedom`, which without it are one less than there are groups.

    Examples
    --------
    >>> from tapviz.measures.intervals import standard_errors
    >>> [round(float(standard_errors(0.95, n_groups)), 2) for n_groups in (10, 1000)]
    [2.38, 1.96]
    """
    quantile = special().stdtrit(degrees_of_freedom(n_groups, influence), (1 + level) / 2)
    reach: Floats = sqrt(n_groups / (n_groups - 1)) * quantile
    return reach


def share_inside(level: float, groups: Groups, influence: Floats | None = None) -> Floats:
    """Share of the replicates inside an interval; NaN if there are too few groups for one.

    Of each of some scores, where `influence` has the shape (..., G).
    """
    return np.asarray(nan) if groups.few else _within(level, groups.count, influence)


def _within(level: float, n_groups: int, influence: Floats | None) -> Floats:
    """Share of a normal distribution within as many standard errors of its middle."""
    share: Floats = special().erf(standard_errors(level, n_groups, influence) / sqrt(2))
    return share


def percentiles(values: Floats, share: float | Floats, *, between: bool = True) -> Floats:
    """Two numbers with a share of the replicates between them, of each of some scores.

    Parameters
    ----------
    values : ndarray of float, shape (..., B)
    share : float or ndarray of float, shape (...)
    between : bool
        Whether to interpolate between replicates; if not, they are those just outside.

    Returns
    -------
    ndarray of float, shape (2, ...)
        NaN where the share, or a replicate, is NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures.intervals import percentiles
    >>> percentiles(np.arange(5.0), 0.6).round(1).tolist()
    [0.8, 3.2]
    >>> percentiles(np.arange(5.0), 0.6, between=False).tolist()
    [0.0, 4.0]
    """
    ordered = np.sort(values, axis=-1)  # NaN come last
    known = ~(np.isnan(share) | np.isnan(ordered[..., -1]))
    last = values.shape[-1] - 1
    below = (1 - np.where(known, share, 1)) / 2 * last
    first = np.floor(below).astype(np.intp)

    def at(place: Ints) -> Floats:
        return np.take_along_axis(ordered, place[..., None], -1)[..., 0]

    low, high = at(first), at(last - first)
    if between:
        off = below - first
        inner = np.minimum(first + 1, last)
        low, high = low + off * (at(inner) - low), high - off * (high - at(last - inner))
    return np.where(known, [low, high], nan)


def interval_of(
    estimate: float, values: Floats, share: float | Floats, *, between: bool = True
) -> Interval:
    """Percentiles with a share between; a threshold is never `between` two scores."""
    ends = percentiles(values, share, between=between).tolist()
    # One NaN for all, so that intervals that are undefined are equal.
    return Interval(float(estimate), *(nan if isnan(end) else end for end in ends))


def around(estimate: float, ends: tuple[float, ...]) -> Interval:
    """An interval that holds its estimate."""
    low, high = ends
    return Interval(estimate, min(low, estimate), max(high, estimate))


class MeanBand(NamedTuple):
    """Means over queries, and the ends of their intervals; each of shape (G,)."""

    mean: Floats
    low: Floats
    high: Floats


def mean_band(
    values: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    groups: Labels = None,
    level: float = COVERAGE,
) -> MeanBand:
    """Interval of the mean over queries at each of many places, by Student's t.

    Each place is taken for itself: that the curve lies within the band at all of them at once is
    less probable than `level`. Queries of one group add up before they are compared with others,
    as resamples of groups draw them together.

    Parameters
    ----------
    values : array_like of float, shape (G, Q)
        Of each query at each place. A query that is NaN at all places does not count.
    weight : array_like of float, shape (Q,), optional
    groups : Groups or array_like, shape (Q,), optional
        Queries that are not independent; by default each is.
    level : float, in (0, 1)

    Returns
    -------
    MeanBand
        Ends are NaN where there are fewer groups than an interval needs.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a query is NaN at some places only.

    References
    ----------
    Liang and Zeger (1986), Biometrika 73:13, for the standard error of a mean of groups; Student's
    degrees of freedom as in `tapviz.measures.bootstrap.degrees_of_freedom`.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import mean_band
    >>> band = mean_band([np.arange(30.0)])
    >>> [round(float(end[0]), 2) for end in band]
    [14.5, 11.21, 17.79]
    """
    table = np.asarray(values, np.float64)
    shape = table.shape
    refuse(len(shape) != 2, f"values: expected one row for each place, found shape {shape}")  # noqa: PLR2004
    share = np.ones(table.shape[1]) if weight is None else np.asarray(weight, np.float64)
    of = as_labels(groups, table.shape[1])
    message = f"weight: expected one of each of {table.shape[1]} queries, found {share.shape}"
    refuse(share.shape != (table.shape[1],), message)
    missing = np.isnan(table)
    nowhere = missing.all(axis=0)
    refuse((missing & ~nowhere).any(), "values: there is a query that is NaN at some places only")
    used = ~nowhere & (share > 0)
    table, share, of = table[:, used], share[used], Groups.of(of.code[used], of.unit)
    mean = (table * share).sum(axis=1) / (share.sum() or np.nan)
    if of.few:
        return MeanBand(mean, *np.full((2, len(table)), np.nan))
    order = np.argsort(of.code, kind="stable")
    starts = np.flatnonzero(np.diff(of.code[order], prepend=-1))
    apart = (table - mean[:, None]) * (share / share.sum())
    influence = np.add.reduceat(apart[:, order], starts, axis=1)
    error = np.sqrt((influence**2).sum(axis=1))
    reach = np.array([standard_errors(level, of.count, each) for each in influence])
    return MeanBand(mean, mean - reach * error, mean + reach * error)


EXACT = 12
"""Of so many groups all choices of signs are counted: half of 2^G, for the other half mirror it."""
N_SIGNS = 4_999
"""Random choices of signs of more groups."""
MOST = 1_024
"""More groups are joined at random to so many before their signs change."""
ROUNDING = 1e-12
"""Relative difference of sums that are the same but for the order in which they were added up."""
SAME = 1e-4
"""Relative difference of statistics, in single precision, that are the same."""


class Contrasts(NamedTuple):
    """Differences of every two of A algorithms at each of K places; arrays of shape (K, P)."""

    difference: Floats
    """First less second, pairs as `itertools.combinations` has them."""
    low: Floats
    """Intervals that hold for all pairs of a place at once."""
    high: Floats
    p: Floats
    """Adjusted for all pairs of a place; at most 1 - level where the interval has no 0."""
    listed_low: Floats
    """The interval with records of equal score as listed, rather than in every order."""
    listed_high: Floats


class Signs(NamedTuple):
    """Choices of signs of groups."""

    sign: NDArray[np.float32]
    """Shape (N, G)."""
    joined: Ints | None
    """Which of these each group belongs to, where they are joined; shape (number of groups,)."""
    exact: bool
    """Whether these are all choices."""

    def sums(self, values: Floats) -> Floats:
        """Sums over the groups that change their sign together; values of shape (..., groups)."""
        if self.joined is None:
            return values
        order = np.argsort(self.joined, kind="stable")
        starts = np.searchsorted(self.joined[order], np.arange(self.sign.shape[1]))
        return np.add.reduceat(values[..., order], starts, axis=-1)

    @property
    def words(self) -> str:
        """How many they are."""
        return "all choices of signs" if self.exact else f"{N_SIGNS:,} random choices of signs"


@lru_cache(maxsize=8)
def signs(n_groups: int, seed: int = 0) -> Signs:
    """Choices of signs of so many groups: all, or random ones.

    Examples
    --------
    >>> from tapviz.measures.intervals import signs
    >>> signs(3).sign.tolist()
    [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]]
    >>> signs(2000).sign.shape
    (4999, 1024)
    """
    whole_number("seed", seed, least=0)
    if n_groups <= EXACT:
        bits = np.arange(1 << max(n_groups - 1, 0))[:, None] >> np.arange(n_groups) & 1
        return Signs((1 - 2 * bits).astype(np.float32), None, exact=True)
    rng = np.random.Generator(np.random.PCG64(seed))
    width = min(n_groups, MOST)
    random = np.frombuffer(rng.bytes(N_SIGNS * -(-width // 8)), np.uint8).reshape(N_SIGNS, -1)
    flipped = np.unpackbits(random, axis=1, count=width)
    joined = rng.permutation(n_groups) % MOST if n_groups > MOST else None
    return Signs(1 - 2 * flipped.astype(np.float32), joined, exact=False)


def difference_errors(sums: Floats, share: Floats, first: list[int], second: list[int]) -> Floats:
    """Standard errors of the differences, shape (K, P), from what groups contribute."""
    n_groups = share.size
    rest = sums - sums.sum(axis=-1, keepdims=True) * share  # (A, K, G)
    product = np.einsum("akg,bkg->kab", rest, rest)
    own = np.einsum("kaa->ka", product)
    squares = own[:, first] + own[:, second] - 2 * product[:, first, second]
    # What is 0 but for rounding is 0.
    squares[squares <= ROUNDING * (own[:, first] + own[:, second])] = 0.0
    found: Floats = np.sqrt(squares * n_groups / (n_groups - 1))
    return found


def largest(sums: Floats, share: Floats, chosen: Signs, places: Bools) -> NDArray[np.float32]:
    """Largest |t| of all pairs of each place under each choice of signs, shape (K, N).

    Parameters
    ----------
    sums : ndarray of float, shape (A, K, G)
    share : ndarray of float, shape (G,)
    chosen : Signs
    places : ndarray of bool, shape (A, K)
        Algorithms that have the score at each place; at least two.
    """
    sums, share = chosen.sums(sums), chosen.sums(share)
    inflated = np.float32(share.size / (share.size - 1))
    shares = np.float32(share @ share)
    found = np.zeros((places.shape[1], len(chosen.sign)), np.float32)
    for known in np.unique(places, axis=1).T:  # places that have the same algorithms, at once
        at = np.flatnonzero((known == places.T).all(axis=1))
        own = sums[known][:, at].swapaxes(0, 1)
        scale = np.abs(own).max(axis=(1, 2), initial=0.0, keepdims=True)
        own32 = (own / (scale + (scale == 0))).astype(np.float32)  # (K, A, G)
        both = np.stack([own32, own32 * share.astype(np.float32)])
        product = both[0] @ both[0].swapaxes(1, 2)
        step = max(ALONE // max(own32[0].size, 1), 1)  # signs that stay in the cache for all places
        for some in (slice(start, start + step) for start in range(0, len(chosen.sign), step)):
            mean, cross = chosen.sign[some] @ both.swapaxes(2, 3)  # (K, N, A) each
            most = np.zeros(mean.shape[:2], np.float32)
            for a, b in combinations(range(own.shape[1]), 2):
                each = product[:, a, a, None] + product[:, b, b, None]
                squares = each - 2 * product[:, a, b, None]
                squares[squares <= SAME**2 * each] = np.inf  # the two never differ
                d = mean[..., a] - mean[..., b]
                variance = squares - 2 * d * (cross[..., a] - cross[..., b]) + shares * d * d
                np.maximum(variance, SAME**2 * squares, out=variance)
                np.maximum(most, d * d / (variance * inflated), out=most)
            found[at, some] = most
    np.sqrt(found, out=found)
    return found


class Reference(NamedTuple):
    """The largest |t| at each place under random signs, sorted: what a statistic is judged by."""

    largest: NDArray[np.float32]
    """Rising, shape (K, N)."""
    exact: bool

    @classmethod
    def of(cls, sums: Floats, share: Floats, chosen: Signs, places: Bools) -> Reference:
        """That of what groups contribute, as `largest` takes them."""
        return cls(np.sort(largest(sums, share, chosen, places), axis=1), chosen.exact)

    def p(self, statistic: Floats) -> Floats:
        """Share of the choices with one at least as large, shape (K, P) like the statistics."""
        n = self.largest.shape[1]
        p = np.empty(statistic.shape)
        for place, values in enumerate(statistic):
            least = np.abs(values) * (1 - SAME)
            more = n - np.searchsorted(self.largest[place], least, side="left")
            # The signs that were found are a choice, too: none has a p of 0.
            p[place] = np.maximum(more, 1) / n if self.exact else (more + 1) / (n + 1)
        p[np.isnan(statistic)] = np.nan
        return p

    def critical(self, level: float) -> Floats:
        """What a statistic must exceed for p of at most 1 - level, shape (K,); infinite if none."""
        n = self.largest.shape[1]
        allowed = (1 - level) * n if self.exact else (1 - level) * (n + 1) - 1
        count = int(np.floor(allowed + 1e-9))  # choices that may be as large
        if count < (1 if self.exact else 0):
            return np.full(len(self.largest), np.inf)
        return self.largest[:, n - 1 - count].astype(float) / (1 - SAME)


def contrasts(
    sums: Floats,
    share: Floats,
    *,
    level: float = 0.95,
    seed: int = 0,
    ends: tuple[Floats, Floats] | None = None,
    more_variance: Floats | None = None,
) -> Contrasts:
    """Differences of every two algorithms, with intervals and p-values for all of them at once.

    A score is a sum of what groups of queries contribute. If two algorithms did not differ, the
    difference in each group could as well have the other sign. So the differences of all pairs
    change their signs together, group by group, and the largest ``|t|`` of all pairs, each with the
    standard error of its own, is what chance makes of algorithms that are all equal. A pair's p is
    the share of the choices of signs in which it is at least as large as that of the pair, and
    its interval reaches as many standard errors from the estimate as are exceeded in a share
    1 - level: it has no 0 exactly if p is at most 1 - level.

    Parameters
    ----------
    sums : ndarray of float, shape (A, K, G)
        What each of G groups contributes to each algorithm's score at each of K places: the score
        is their sum. NaN throughout where there is none.
    share : ndarray of float, shape (G,)
        Of the weight of the queries, in each group.
    level : float, in (0, 1)
    seed : int
        Of the random signs of more than 12 groups.
    ends : tuple of two ndarray of float, shape (A, K, G), optional
        The same with the worst and the best order of records of equal score. Intervals then hold
        for every order, and p is that of the order least favourable to a difference.
    more_variance : ndarray of float, shape (A, K), optional
        Of each algorithm's score, besides that by the choice of groups.

    References
    ----------
    Westfall & Young (1993), Resampling-Based Multiple Testing, section 2.3 (single-step maxT);
    Winkler et al. (2014), NeuroImage 92:381, for signs of residuals by groups; Boytsov, Belova &
    Westfall (2013), CIKM, and Otero et al. (2025) for such procedures on runs of TREC.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import contrasts
    >>> rng = np.random.default_rng(0)
    >>> sums = rng.normal(0, 1, (3, 1, 40)) / 40
    >>> sums[2] += 2 / 40
    >>> found = contrasts(sums, np.full(40, 1 / 40))
    >>> (found.p < 0.05).tolist(), ((found.low > 0) | (found.high < 0)).tolist()
    ([[False, True, True]], [[False, True, True]])
    """
    pairs = list(combinations(range(len(sums)), 2))
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    chosen = signs(share.size, seed)
    known: Bools = np.asarray(np.isfinite(sums).all(axis=2))
    filled = np.where(known[:, :, None], sums, 0.0)
    reference = Reference.of(filled, share, chosen, known)
    critical = reference.critical(level)[:, None]
    both = (known[first] & known[second]).T

    def at(one: Floats, other: Floats) -> Contrasts:
        stacked = np.concatenate([one, other])
        n = len(one)
        a, b = one.sum(axis=2)[first].T, other.sum(axis=2)[second].T
        apart = np.where(np.abs(a - b) <= ROUNDING * (np.abs(a) + np.abs(b)), 0.0, a - b)
        error = difference_errors(stacked, share, first, [n + b for b in second])
        if more_variance is not None:
            error = np.sqrt(error**2 + (more_variance[first] + more_variance[second]).T)
        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = np.where(apart == 0, 0.0, apart / error)
            reach = np.where(error == 0, 0.0, critical * error)
        # Where no choice of signs is rare enough, nothing is excluded.
        reach = np.where(np.isinf(critical), np.inf, reach)
        low, high = apart - reach, apart + reach
        return Contrasts(apart, low, high, reference.p(statistic), low, high)

    found = at(filled, filled)
    if ends is not None:
        worst, best = (np.where(known[:, :, None], one, 0.0) for one in ends)
        least, most = at(worst, best), at(best, worst)
        p = np.where(least.difference > 0, least.p, np.where(most.difference < 0, most.p, 1.0))
        same = (least.difference == found.difference) & (most.difference == found.difference)
        p = np.where(same, found.p, p)
        low, high = np.minimum(found.low, least.low), np.maximum(found.high, most.high)
        found = found._replace(low=low, high=high, p=np.maximum(p, found.p))
    return Contrasts(*(np.where(both, one, np.nan) for one in found))


def widened(
    sums: Floats,
    share: Floats,
    alone: Floats,
    *,
    level: float = 0.95,
    seed: int = 0,
    reordered: Floats | None = None,
) -> Contrasts:
    """The same of scores whose intervals are known of each difference by itself.

    An interval is widened by as much as the largest ``|t|`` of all pairs exceeds that of the pair
    alone. So of two algorithms it is that which is given, and p is found from how far 0 is beyond
    or inside of it.

    Parameters
    ----------
    sums, share : ndarray of float, shapes (A, 1, G) and (G,)
        As in `contrasts`; of the sums only the shape counts.
    alone : ndarray of float, shape (P, 3)
        Estimate and interval of each difference, first less second.
    level, seed
        As in `contrasts`.
    reordered : ndarray of float, shape (P, 2), optional
        The smallest and the largest that each difference is in any order of records of equal score.
        Intervals then reach as far beyond these, and p is that of the order least favourable to a
        difference.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures.intervals import widened
    >>> sums = np.random.default_rng(0).normal(0, 1, (2, 1, 40))
    >>> found = widened(sums, np.full(40, 1 / 40), np.array([[0.3, 0.1, 0.5]]))
    >>> found.low.round(9).tolist(), found.high.round(9).tolist(), bool(found.p[0, 0] < 0.05)
    ([[0.1]], [[0.5]], True)
    """
    chosen = signs(share.size, seed)

    def judged(some: list[int]) -> Reference:
        return Reference.of(sums[some], share, chosen, np.ones((len(some), 1), np.bool_))

    everybody = judged([*range(len(sums))])
    critical = everybody.critical(level)
    pairs = combinations(range(len(sums)), 2)
    own = np.array([judged([a, b]).critical(level)[0] for a, b in pairs])
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(own > 0, np.maximum(critical / own, 1.0), 1.0)
    at, below, above = alone.T
    down, up = factor * np.maximum(at - below, 0), factor * np.maximum(above - at, 0)
    least, most = (at, at) if reordered is None else reordered.T
    # Where an order turns the difference round, none is excluded.
    nearest = np.where(at > 0, np.maximum(least, 0), np.minimum(most, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        far = critical * np.abs(nearest) / np.where(at > 0, down, up)
    p = everybody.p(np.where(nearest == 0, 0.0, far)[None])[0]
    numbers = (at, least - down, most + up, p, at - down, at + up)
    return Contrasts(*(one[None] for one in numbers))
