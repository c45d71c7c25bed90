"""Tests of two algorithms on the same queries, and of two AUCs on the same records."""

from __future__ import annotations

from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tapviz.measures import _common
from tapviz.measures._common import Floats, check_number, refuse, special, whole_number
from tapviz.measures.groups import Groups, Labels, as_labels

__all__ = [
    "DeLong", "PairedTest", "WinTieLoss", "correlated_z", "delong", "holm", "paired_t",
    "randomization_test", "wilcoxon", "win_tie_loss",
]  # fmt: skip

# Differences that spread by no more than this part of the values compared are rounding.
VARY_TOLERANCE = 1e-12

# A resampled mean this close to the observed one, relatively, is the observed one rounded.
SAME_TOLERANCE = 1e-12

# The exact distribution of the Wilcoxon statistic is used up to this many differences.
WILCOXON_EXACT = 50

# All 2^n choices of signs are counted up to this many differences that are not 0.
RANDOMIZATION_EXACT = 12

# Choices of signs held at a time; a multiple of 4, so that no random byte is thrown away.
CHUNK = 256


class PairedTest(NamedTuple):
    """Test of paired values, a against b, with what made it; two-sided."""

    statistic: float
    """NaN where undefined, see `reason`."""
    p: float
    n: int
    """Pairs that were used."""
    n_dropped: int
    """Pairs left out since one of their values is NaN."""
    n_zero: int
    """Pairs without a difference; the Wilcoxon test does not use them."""
    groups: str
    """What the test takes for independent, as "431 superfamilies, 862 queries"."""
    method: str
    seed: int | None
    """Seed of the random numbers; None if none were used."""
    reason: str
    """Why the statistic is NaN, or that nothing differs; empty otherwise."""


class WinTieLoss(NamedTuple):
    """How often a is larger than b, equal, and smaller."""

    wins: int
    ties: int
    losses: int
    n_dropped: int
    """Pairs left out since one of their values is NaN."""
    tolerance: float


def paired_t(a: ArrayLike, b: ArrayLike, *, groups: Labels = None) -> PairedTest:
    """Student's paired t test.

    With groups the standard error of the mean is the one that is robust to them: it adds up the
    deviations of a group before it squares them. With a pair in each group that is the usual one.

    Parameters
    ----------
    a, b : array_like of float, shape (Q,)
        Values of two algorithms, paired by place; pairs with a NaN are left out.
    groups : Groups or array_like, shape (Q,), optional
        Pairs that belong together, since the lists of their queries are alike: a label of each.
        By default all pairs are taken for independent.

    Returns
    -------
    PairedTest
        t of the mean of a - b, with one degree of freedom less than there are pairs, or groups.
        NaN below 2 of them, and where all differences are the same, though that may be large.

    Raises
    ------
    ValueError
        If the arrays differ in length or hold infinite numbers.

    References
    ----------
    Cameron & Miller (2015), J. Hum. Resour. 50:317, for the standard error with groups.

    Examples
    --------
    >>> from tapviz.measures import paired_t
    >>> found = paired_t([0.5, 0.7, 0.9], [0.4, 0.5, 0.8])
    >>> round(found.statistic, 3), round(found.p, 3)
    (4.0, 0.057)
    """
    pairs = _paired(a, b, groups)
    t, reason = _ratio(pairs)
    p = 2 * float(special().stdtr(pairs.groups.count - 1, -abs(t)))  # NaN as t is
    robust = f", standard error robust to {pairs.groups.unit}" if pairs.groups.grouped else ""
    return _result(pairs, t, p, f"t distribution{robust}", reason)


def correlated_z(a: ArrayLike, b: ArrayLike) -> PairedTest:
    """Compare two correlated means by z.

    Equation (1) of the source divides the difference of the means by
    ``sqrt(SE1^2 + SE2^2 - 2 r SE1 SE2)`` with the standard errors ``sd / sqrt(n)`` and
    Pearson's r, or r = 0 where one side is constant. That is the standard error of the
    differences, so z is the size of t in the paired t test, and only p is another: it is
    computed as that, which loses no digits where r is close to 1.

    Parameters
    ----------
    a, b : array_like of float, shape (Q,)
        As in `paired_t`.

    Returns
    -------
    PairedTest
        z, never negative, and p of the normal distribution; NaN as in `paired_t`.

    Raises
    ------
    ValueError
        As `paired_t`.

    References
    ----------
    Sonego et al. (2008), Brief. Bioinform. 9:198, Equation (1).

    Examples
    --------
    >>> from tapviz.measures import correlated_z
    >>> found = correlated_z([0.5, 0.7, 0.9], [0.4, 0.5, 0.8])
    >>> round(found.statistic, 3), round(found.p, 5)
    (4.0, 6e-05)
    """
    pairs = _paired(a, b)
    t, reason = _ratio(pairs)
    p = 2 * float(special().ndtr(-abs(t)))
    return _result(pairs, abs(t), p, "normal distribution", reason)


def wilcoxon(a: ArrayLike, b: ArrayLike, *, groups: Labels = None) -> PairedTest:
    """Wilcoxon's signed rank test, without pairs that do not differ.

    Parameters
    ----------
    a, b : array_like of float, shape (Q,)
    groups : Groups or array_like, shape (Q,), optional
        As in `paired_t`. With groups the test is of their mean differences. Sizes of
        differences are tied only if they are exactly equal: values of few decimals, whose
        differences are equal up to rounding, are better made whole numbers first.

    Returns
    -------
    PairedTest
        The smaller of the two sums of ranks. Its exact distribution if no difference is 0, no
        two are tied and there are at most 50; otherwise the normal one, corrected for ties but
        not for continuity. If no pair differs p is 1, and `reason` says so.

    Raises
    ------
    ValueError
        As `paired_t`.

    References
    ----------
    Liao & Noble (2003), J. Comput. Biol. 10:857, compare algorithms in this way.

    Examples
    --------
    >>> from tapviz.measures import wilcoxon
    >>> found = wilcoxon([5, 7, 9, 4], [4, 5, 6, 8])
    >>> found.statistic, found.p
    (4.0, 0.875)
    """
    pairs = _paired(a, b, groups)
    values = pairs.sums / np.bincount(pairs.groups.code) if pairs.groups.grouped else pairs.sums
    difference = values[values != 0]
    n = difference.size
    tied = np.unique(np.abs(difference)).size < n
    exact = not tied and n == values.size and n <= WILCOXON_EXACT
    method = "exact" if exact else "normal distribution"
    if pairs.groups.grouped:
        method += f", means of {pairs.groups.unit}"
    if not n:
        if not pairs.difference.size:
            return _result(pairs, nan, nan, method, "there is no pair")
        return _result(pairs, 0.0, 1.0, method, "no pair differs")._replace(n=0)
    from scipy import stats  # noqa: PLC0415  # takes longer to import than tapviz itself

    how = "exact" if exact else "asymptotic"
    test = stats.wilcoxon(difference, zero_method="wilcox", correction=False, method=how)
    return _result(pairs, float(test.statistic), float(test.pvalue), method, "")._replace(n=n)


def randomization_test(
    a: ArrayLike, b: ArrayLike, *, n_resamples: int = 10_000, seed: int = 0, groups: Labels = None
) -> PairedTest:
    """Paired randomization test of the mean difference.

    If the algorithms did not differ, each difference could as well have the other sign: p is
    the share of choices of signs whose mean is at least as far from 0 as the observed one. All
    differences of a group change their sign together.

    Parameters
    ----------
    a, b : array_like of float, shape (Q,)
        As in `paired_t`.
    n_resamples : int
        Random choices of signs, at least 1. Not used where at most 12 pairs, or groups, differ:
        then all choices are counted.
    seed : int
        Seed of the random numbers, not negative; the same seed gives the same p.
    groups : Groups or array_like, shape (Q,), optional
        As in `paired_t`.

    Returns
    -------
    PairedTest
        The mean of a - b. With random choices p is (1 + choices as extreme) / (1 + choices),
        which is never 0. If no pair differs p is 1, and `reason` says so.

    Raises
    ------
    ValueError
        If `n_resamples` is not a whole number of at least 1, or as `paired_t`.

    Examples
    --------
    >>> from tapviz.measures import randomization_test
    >>> found = randomization_test([0.5, 0.7, 0.9], [0.4, 0.5, 0.8])
    >>> found.p, found.method
    (0.25, 'exact')
    """
    whole_number("n_resamples", n_resamples)
    pairs = _paired(a, b, groups)
    if not pairs.difference.size:
        return _result(pairs, nan, nan, "exact", "there is no pair")
    mean = float(pairs.difference.mean())
    sums = pairs.sums
    total = sums.sum()
    reason = "" if sums.any() else "no pair differs"
    extreme = abs(total) - SAME_TOLERANCE * np.abs(pairs.difference).sum()
    of = f" of {pairs.groups.unit}" if pairs.groups.grouped else ""
    differing = sums[sums != 0]
    n = differing.size
    if n <= RANDOMIZATION_EXACT:
        sign = 1 - 2.0 * (np.arange(1 << n)[:, None] >> np.arange(n) & 1)
        p = float((np.abs(sign @ differing) >= extreme).mean())
        return _result(pairs, mean, p, f"exact, signs{of}" if of else "exact", reason)
    rng = np.random.Generator(np.random.PCG64(seed))
    width, n_resamples, count = -(-sums.size // 8), int(n_resamples), 0
    for start in range(0, n_resamples, CHUNK):
        rows = min(CHUNK, n_resamples - start)
        random = np.frombuffer(rng.bytes(CHUNK * width), np.uint8)[: rows * width]
        flipped = np.unpackbits(random.reshape(rows, width), axis=1, count=sums.size)
        turned = total - 2 * (flipped.astype(np.float64) @ sums)
        count += int(np.count_nonzero(np.abs(turned) >= extreme))
    method = f"{n_resamples:,} random choices of signs{of}"
    return _result(pairs, mean, (count + 1) / (n_resamples + 1), method, reason)._replace(seed=seed)


def win_tie_loss(a: ArrayLike, b: ArrayLike, *, tolerance: float = 1e-12) -> WinTieLoss:
    """Count on how many queries a is better than b, equal and worse; larger is better.

    Parameters
    ----------
    a, b : array_like of float, shape (Q,)
        As in `paired_t`.
    tolerance : float
        Values that differ by no more than this are equal.

    Raises
    ------
    ValueError
        If the tolerance is negative or NaN, or as `paired_t`.

    Examples
    --------
    >>> from tapviz.measures import win_tie_loss
    >>> win_tie_loss([0.5, 0.7, 0.9], [0.4, 0.7, 1.0])
    WinTieLoss(wins=1, ties=1, losses=1, n_dropped=0, tolerance=1e-12)
    """
    check_number("tolerance", tolerance, tolerance >= 0, "a number of at least 0")
    one, other = _of_one_length(a, b)
    apart = one - other  # NaN compares as neither
    wins = int(np.count_nonzero(apart > tolerance))
    losses = int(np.count_nonzero(apart < -tolerance))
    dropped = int(np.count_nonzero(np.isnan(apart)))
    ties = apart.size - dropped - wins - losses
    return WinTieLoss(wins, ties, losses, dropped, float(tolerance))


def holm(p: ArrayLike) -> Floats:
    """Adjust the p values of several tests for their number.

    Parameters
    ----------
    p : array_like of float, shape (M,)
        p values; a NaN is not a test and stays NaN.

    Returns
    -------
    ndarray of float64, shape (M,)
        In the order given: the i-th smallest of m times m - i + 1, no smaller than the one
        before it and at most 1.

    Raises
    ------
    ValueError
        If there is more than one dimension, or a value is not in [0, 1].

    References
    ----------
    Holm (1979), Scand. J. Statist. 6:65.

    Examples
    --------
    >>> from tapviz.measures import holm
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, np.float64)
    message = "p: expected one dimension of numbers from 0 to 1"
    refuse(values.ndim != 1 or ((values < 0) | (values > 1)).any(), message)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    adjusted = np.full(values.size, np.nan)
    factor = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(factor * values[order]), 1.0)
    return adjusted


class DeLong(NamedTuple):
    """One AUC with its variance, or two of the same records and their difference."""

    auc_a: float
    """NaN where undefined, see `reason`."""
    auc_b: float
    """NaN if there is no second score."""
    var_a: float
    var_b: float
    covariance: float
    interval_a: tuple[float, float]
    """Normal confidence interval, clipped to [0, 1]."""
    interval_b: tuple[float, float]
    z: float
    """Of `auc_a` - `auc_b`."""
    p: float
    """Two-sided, normal."""
    level: float
    n_relevant: int
    n_irrelevant: int
    reason: str
    """Why something is NaN; empty otherwise."""


def delong(
    relevant: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> DeLong:
    """AUC with its variance; for two scores of the same records, a test of their difference.

    The placement of a relevant record is the share of irrelevant ones with lower scores,
    counting equal ones half; the other way round for irrelevant ones. AUC is their mean, and
    their variances and covariances, each over n - 1, give those of AUC.

    Parameters
    ----------
    relevant : array_like of bool, shape (N,)
    score_a, score_b : array_like of float, shape (N,)
        Scores of the same records by two algorithms; the larger, the better.
    level : float, in (0, 1)
        Confidence level of the intervals.

    Returns
    -------
    DeLong
        All NaN below 2 relevant or 2 irrelevant records. If the difference of the two AUCs has
        no variance, z and p are NaN, also where the AUCs are equal.

    Raises
    ------
    ValueError
        If the arrays differ in length, hold anything but true or false and finite numbers, or
        the level is not in (0, 1).

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44:837.

    Examples
    --------
    >>> from tapviz.measures import delong
    >>> found = delong([1, 1, 0, 0, 0], [9, 4, 5, 2, 1])
    >>> round(found.auc_a, 3), round(found.var_a, 4)
    (0.833, 0.0556)
    """
    level = _common.check_fraction("level", level)
    chosen = np.asarray(relevant)
    scores = [np.asarray(s, np.float64) for s in (score_a, score_b) if s is not None]
    shapes = [chosen.shape, *(s.shape for s in scores)]
    message = f"expected arrays of one length, found shapes {', '.join(map(str, shapes))}"
    refuse(chosen.ndim != 1 or len(set(shapes)) > 1, message)
    right = np.isin(chosen, (0, 1)).all() and all(np.isfinite(s).all() for s in scores)
    refuse(not right, "expected relevance of only true and false, or 1 and 0, and finite scores")
    chosen = chosen.astype(np.bool_)
    n_relevant = int(chosen.sum())
    n_irrelevant = chosen.size - n_relevant
    auc, covariance, z, p, reason = np.full(2, nan), np.full((2, 2), nan), nan, nan, ""
    if min(n_relevant, n_irrelevant) < 2:  # noqa: PLR2004
        reason = "needs at least 2 relevant and 2 irrelevant records"
    else:
        upper = np.stack([_below(s[chosen], s[~chosen]) for s in scores])
        lower = np.stack([1 - _below(s[~chosen], s[chosen]) for s in scores])
        used = len(scores)
        auc[:used] = upper.mean(axis=1)
        covariance[:used, :used] = np.cov(upper) / n_relevant + np.cov(lower) / n_irrelevant
        # The difference's own placements: nothing cancels where the scores hardly differ.
        if used == 2:  # noqa: PLR2004
            variance = variance_of_mean(upper[0] - upper[1]) + variance_of_mean(lower[0] - lower[1])
            if np.sqrt(variance) <= VARY_TOLERANCE:
                reason = "the difference has no variance"
            else:
                z = float((auc[0] - auc[1]) / np.sqrt(variance))
                p = 2 * float(special().ndtr(-abs(z)))
    half = float(special().ndtri((1 + level) / 2)) * np.sqrt(np.diagonal(covariance))
    (auc_a, auc_b), ((var_a, shared), (_, var_b)) = auc.tolist(), covariance.tolist()
    interval_a, interval_b = zip(*np.clip([auc - half, auc + half], 0, 1).tolist(), strict=True)
    of_scores = auc_a, auc_b, var_a, var_b, shared, interval_a, interval_b
    return DeLong(*of_scores, z, p, level, n_relevant, n_irrelevant, reason)


def _below(values: Floats, others: Floats) -> Floats:
    """Share of the others below each value, counting equal ones half."""
    ordered = np.sort(others)
    places = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")
    return places / (2 * others.size)


class _Pairs(NamedTuple):
    difference: Floats
    """a - b of the pairs without a NaN."""
    scale: float
    """Largest value, in size."""
    n_dropped: int
    groups: Groups
    """Of the pairs without a NaN."""

    @property
    def sums(self) -> Floats:
        """Sum of the differences of each group."""
        single = self.groups.count == self.difference.size
        return self.difference if single else self.groups.sums(self.difference)


def _of_one_length(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """Two arrays paired by place, finite or NaN."""
    one, other = np.asarray(a, np.float64), np.asarray(b, np.float64)
    shapes = f"{one.shape} and {other.shape}"
    message = f"expected two arrays of one length, paired by place; found shapes {shapes}"
    refuse(one.ndim != 1 or one.shape != other.shape, message)
    message = "expected finite numbers, or NaN where there is none; found an infinite one"
    refuse(np.isinf(one).any() or np.isinf(other).any(), message)
    return one, other


def _paired(a: ArrayLike, b: ArrayLike, groups: Labels = None) -> _Pairs:
    one, other = _of_one_length(a, b)
    known = as_labels(groups, one.size)
    use = ~(np.isnan(one) | np.isnan(other))
    if not use.all():
        known = Groups.of(known.code[use], known.unit)
    one, other = one[use], other[use]
    scale = float(max(np.abs(one).max(initial=0), np.abs(other).max(initial=0)))
    return _Pairs(one - other, scale, use.size - one.size, known)


def _ratio(pairs: _Pairs) -> tuple[float, str]:
    """Mean difference over its standard error; or NaN and why."""
    groups, difference = pairs.groups, pairs.difference
    if groups.count < 2:  # noqa: PLR2004
        unit = groups.unit if groups.grouped else "pairs"
        return nan, f"needs at least 2 {unit}, found {groups.count}"
    error = np.sqrt(variance_of_mean(difference))
    if groups.count < difference.size:
        away = np.bincount(groups.code, difference - difference.mean(), groups.count)
        error = np.sqrt(groups.count / (groups.count - 1) * (away @ away)) / difference.size
    if error <= VARY_TOLERANCE * pairs.scale:
        return nan, "differences do not vary"
    return float(difference.mean() / error), ""


def _result(pairs: _Pairs, statistic: float, p: float, method: str, reason: str) -> PairedTest:
    counts = pairs.difference.size, pairs.n_dropped, int((pairs.difference == 0).sum())
    return PairedTest(statistic, p, *counts, str(pairs.groups), method, None, reason)


def variance_of_mean(values: Floats) -> float:
    """Squared standard error of a mean."""
    return float(values.var(ddof=1) / values.size)
