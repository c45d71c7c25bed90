"""All differences of several algorithms at once: intervals and p-values from one procedure."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.measures._arrays import Bools, Floats

__all__ = ["Contrasts", "contrasts"]

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
    joined: NDArray[np.intp] | None
    """Which of these each group belongs to, where they are joined; shape (number of groups,)."""
    exact: bool
    """Whether these are all choices."""

    def sums(self, values: Floats) -> Floats:
        """Sums over the groups that change their sign together; values of shape (..., groups)."""
        if self.joined is None:
            return values
        order = np.argsort(self.joined, kind="stable")
        starts = np.searchsorted(self.joined[order], np.arange(self.sign.shape[1]))
        found: Floats = np.add.reduceat(values[..., order], starts, axis=-1)
        return found

    @property
    def words(self) -> str:
        """How many they are."""
        return "all choices of signs" if self.exact else f"{N_SIGNS:,} random choices of signs"


@lru_cache(maxsize=8)
def signs(n_groups: int, seed: int = 0) -> Signs:
    """Choices of signs of so many groups: all, or random ones.

    Examples
    --------
    >>> from tapviz.measures.max_t import signs
    >>> signs(3).sign.tolist()
    [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]]
    >>> signs(2000).sign.shape
    (4999, 1024)
    """
    if n_groups <= EXACT:
        bits = np.arange(1 << max(n_groups - 1, 0))[:, None] >> np.arange(n_groups) & 1
        return Signs((1 - 2 * bits).astype(np.float32), None, exact=True)
    rng = np.random.Generator(np.random.PCG64(seed))
    width = min(n_groups, MOST)
    random = np.frombuffer(rng.bytes(N_SIGNS * -(-width // 8)), np.uint8).reshape(N_SIGNS, -1)
    flipped = np.unpackbits(random, axis=1, count=width)
    joined = rng.permutation(n_groups) % MOST if n_groups > MOST else None
    return Signs(1 - 2 * flipped.astype(np.float32), joined, exact=False)


def standard_errors(sums: Floats, share: Floats, first: list[int], second: list[int]) -> Floats:
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
    n_algorithms, n_places, n_groups = sums.shape
    by_place = np.moveaxis(np.where(places[:, :, None], sums, 0.0), 0, 1)  # (K, A, G)
    inflated = np.float32(n_groups / (n_groups - 1))
    shares = np.float32(share @ share)
    found = np.zeros((n_places, len(chosen.sign)), np.float32)
    for place, own in enumerate(by_place):
        some = [a for a in range(n_algorithms) if places[a, place]]
        scale = np.abs(own).max() or 1.0
        own32 = (own[some] / scale).astype(np.float32)
        mean = chosen.sign @ own32.T  # (N, A)
        cross = chosen.sign @ (own32 * share.astype(np.float32)).T
        product = own32 @ own32.T
        for a, b in combinations(range(len(some)), 2):
            squares = product[a, a] + product[b, b] - 2 * product[a, b]
            if squares <= SAME**2 * (product[a, a] + product[b, b]):
                continue  # the two never differ
            d = mean[:, a] - mean[:, b]
            variance = squares - 2 * d * (cross[:, a] - cross[:, b]) + shares * d * d
            np.maximum(variance, SAME**2 * squares, out=variance)
            np.maximum(found[place], d * d / (variance * inflated), out=found[place])
    np.sqrt(found, out=found)
    return found


class Reference(NamedTuple):
    """The largest |t| at each place under random signs, sorted: what a statistic is judged by."""

    largest: NDArray[np.float32]
    """Rising, shape (K, N)."""
    exact: bool

    def p(self, statistic: Floats) -> Floats:
        """Share of the choices with one at least as large, shape (K, P) like the statistics."""
        n = self.largest.shape[1]
        p = np.empty(statistic.shape)
        for place, values in enumerate(statistic):
            least = np.abs(values) * (1 - SAME)
            more = n - np.searchsorted(self.largest[place], least, side="left")
            p[place] = more / n if self.exact else (more + 1) / (n + 1)
        p[np.isnan(statistic)] = np.nan
        return p

    def critical(self, level: float) -> Floats:
        """What a statistic must exceed for p of at most 1 - level, shape (K,); infinite if none."""
        n = self.largest.shape[1]
        allowed = (1 - level) * n if self.exact else (1 - level) * (n + 1) - 1
        count = int(np.floor(allowed + 1e-9))  # choices that may be as large
        if count < (1 if self.exact else 0):
            return np.full(len(self.largest), np.inf)
        found: Floats = self.largest[:, n - 1 - count].astype(float) / (1 - SAME)
        return found


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
    top = largest(filled, share, chosen, known)
    top.sort(axis=1)
    reference = Reference(top, chosen.exact)
    critical = reference.critical(level)[:, None]
    both = (known[first] & known[second]).T

    def at(one: Floats, other: Floats) -> Contrasts:
        stacked = np.concatenate([one, other])
        n = len(one)
        a, b = one.sum(axis=2)[first].T, other.sum(axis=2)[second].T
        apart = np.where(np.abs(a - b) <= ROUNDING * (np.abs(a) + np.abs(b)), 0.0, a - b)
        error = standard_errors(stacked, share, first, [n + b for b in second])
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
    >>> from tapviz.measures.max_t import widened
    >>> sums = np.random.default_rng(0).normal(0, 1, (2, 1, 40))
    >>> found = widened(sums, np.full(40, 1 / 40), np.array([[0.3, 0.1, 0.5]]))
    >>> found.low.round(9).tolist(), found.high.round(9).tolist(), bool(found.p[0, 0] < 0.05)
    ([[0.1]], [[0.5]], True)
    """
    chosen = signs(share.size, seed)

    def judged(some: list[int]) -> Reference:
        top = largest(sums[some], share, chosen, np.ones((len(some), 1), np.bool_))
        top.sort(axis=1)
        return Reference(top, chosen.exact)

    everybody = judged([*range(len(sums))])
    critical = everybody.critical(level)
    pairs = combinations(range(len(sums)), 2)
    own = np.array([judged([a, b]).critical(level)[0] for a, b in pairs])
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(own > 0, np.maximum(critical / own, 1.0), 1.0)
    at, below, above = alone.T
    down, up = factor * np.maximum(at - below, 0), factor * np.maximum(above - at, 0)

    def p(apart: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            far = critical * np.abs(apart) / np.where(at > 0, down, up)
        found: Floats = everybody.p(np.where(apart == 0, 0.0, far)[None])[0]
        return found

    least, most = (at, at) if reordered is None else reordered.T
    # Where an order turns the difference round, none is excluded.
    nearest = np.where(at > 0, np.maximum(least, 0), np.minimum(most, 0))
    numbers = (at, least - down, most + up, p(nearest), at - down, at + up)
    return Contrasts(*(one[None] for one in numbers))
