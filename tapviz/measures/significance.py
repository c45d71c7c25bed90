"""Tests of two algorithms on the same queries, and of two AUCs on the same records."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.measures._checks import check_number, whole_number
from tapviz.measures.groups import Groups, as_labels

__all__ = [
    "PairedTest",
    "WinTieLoss",
    "correlated_z",
    "holm",
    "paired_t",
    "randomization_test",
    "wilcoxon",
    "win_tie_loss",
]

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


def paired_t(a: ArrayLike, b: ArrayLike, *, groups: Groups | ArrayLike | None = None) -> PairedTest:
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
    p = 2 * float(special_functions().stdtr(pairs.groups.count - 1, -abs(t)))  # NaN as t is
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
    p = 2 * float(special_functions().ndtr(-abs(t)))
    return _result(pairs, abs(t), p, "normal distribution", reason)


def wilcoxon(a: ArrayLike, b: ArrayLike, *, groups: Groups | ArrayLike | None = None) -> PairedTest:
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
        empty = not pairs.difference.size
        reason = "there is no pair" if empty else "no pair differs"
        undefined = float("nan")
        found = (undefined, undefined) if empty else (0.0, 1.0)
        return _result(pairs, *found, method, reason)._replace(n=0)
    from scipy import stats  # noqa: PLC0415  # takes longer to import than tapviz itself

    test = stats.wilcoxon(
        difference,
        zero_method="wilcox",
        correction=False,
        method="exact" if exact else "asymptotic",
    )
    result = _result(pairs, float(test.statistic), float(test.pvalue), method, "")
    return result._replace(n=n)


def randomization_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    n_resamples: int = 10_000,
    seed: int = 0,
    groups: Groups | ArrayLike | None = None,
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
        undefined = float("nan")
        return _result(pairs, undefined, undefined, "exact", "there is no pair")
    mean = float(pairs.difference.mean())
    size = np.abs(pairs.difference).sum(keepdims=True)
    ((p, method),) = randomized(pairs.sums[:, None], size, pairs.groups, n_resamples, seed)
    found = _result(pairs, mean, p, method, "" if pairs.sums.any() else "no pair differs")
    return found if method.startswith("exact") else found._replace(seed=seed)


def randomized(
    sums: NDArray[np.float64],
    size: NDArray[np.float64],
    groups: Groups,
    n_resamples: int,
    seed: int,
) -> list[tuple[float, str]]:
    """Several randomization tests of the same groups, with the same choices of signs.

    Parameters
    ----------
    sums : ndarray of float, shape (G, P)
        Sum of the differences in each group, for each test.
    size : ndarray of float, shape (P,)
        Sum of the sizes of all differences, against which the sum of the differences is rounded.
    groups : Groups
    n_resamples : int
    seed : int

    Returns
    -------
    list of (float, str), length P
        p, and how it was found.
    """
    extreme = np.abs(sums.sum(axis=0)) - SAME_TOLERANCE * size
    of = f" of {groups.unit}" if groups.grouped else ""
    found = [(0.0, f"exact, signs{of}" if of else "exact")] * len(size)
    few = np.count_nonzero(sums, axis=0) <= RANDOMIZATION_EXACT
    for column in np.flatnonzero(few).tolist():
        difference = sums[sums[:, column] != 0, column]
        n = difference.size
        sign = 1 - 2.0 * (np.arange(1 << n)[:, None] >> np.arange(n) & 1)
        p = float((np.abs(sign @ difference) >= extreme[column]).mean())
        found[column] = (p, found[column][1])
    many = np.flatnonzero(~few)
    if not many.size:
        return found
    total, extreme, sums = sums[:, many].sum(axis=0), extreme[many], sums[:, many]
    rng = np.random.Generator(np.random.PCG64(seed))
    width = -(-len(sums) // 8)
    count = np.zeros(many.size, np.int64)
    for start in range(0, int(n_resamples), CHUNK):
        rows = min(CHUNK, int(n_resamples) - start)
        random = np.frombuffer(rng.bytes(CHUNK * width), np.uint8)[: rows * width]
        flipped = np.unpackbits(random.reshape(rows, width), axis=1, count=len(sums))
        turned = total - 2 * (flipped.astype(np.float64) @ sums)
        count += (np.abs(turned) >= extreme).sum(axis=0)
    method = f"{int(n_resamples):,} random choices of signs{of}"
    for column, p in zip(many.tolist(), (count + 1) / (int(n_resamples) + 1), strict=True):
        found[column] = (float(p), method)
    return found


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


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Adjust the p values of several tests for their number.

    Parameters
    ----------
    p : array_like of float, shape (M,)
        p values; a NaN is no test and stays NaN.

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
    if values.ndim != 1 or ((values < 0) | (values > 1)).any():
        msg = "p: expected one dimension of numbers from 0 to 1"
        raise ValueError(msg)
    tested = np.flatnonzero(~np.isnan(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    adjusted = np.full(values.size, np.nan)
    factor = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(factor * values[order]), 1.0)
    return adjusted


class _Pairs(NamedTuple):
    difference: NDArray[np.float64]
    """a - b of the pairs without a NaN."""
    scale: float
    """Largest value, in size."""
    n_dropped: int
    groups: Groups
    """Of the pairs without a NaN."""

    @property
    def sums(self) -> NDArray[np.float64]:
        """Sum of the differences of each group."""
        if self.groups.count == self.difference.size:
            return self.difference
        sums = np.bincount(self.groups.code, self.difference, self.groups.count)
        return sums.astype(np.float64, copy=False)


def special_functions() -> Any:
    from scipy import special  # noqa: PLC0415  # takes longer to import than all measures together

    return special


def _of_one_length(a: ArrayLike, b: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two arrays paired by place, finite or NaN."""
    one, other = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if one.ndim != 1 or one.shape != other.shape:
        msg = (
            "expected two arrays of one length, paired by place; found shapes "
            f"{one.shape} and {other.shape}"
        )
        raise ValueError(msg)
    if np.isinf(one).any() or np.isinf(other).any():
        msg = "expected finite numbers, or NaN where there is none; found an infinite one"
        raise ValueError(msg)
    return one, other


def _paired(a: ArrayLike, b: ArrayLike, groups: Groups | ArrayLike | None = None) -> _Pairs:
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
        return float("nan"), f"needs at least 2 {unit}, found {groups.count}"
    error = np.sqrt(variance_of_mean(difference))
    if groups.count < difference.size:
        away = np.bincount(groups.code, difference - difference.mean(), groups.count)
        error = np.sqrt(groups.count / (groups.count - 1) * (away @ away)) / difference.size
    if error <= VARY_TOLERANCE * pairs.scale:
        return float("nan"), "differences do not vary"
    return float(difference.mean() / error), ""


def _result(pairs: _Pairs, statistic: float, p: float, method: str, reason: str) -> PairedTest:
    return PairedTest(
        statistic=statistic,
        p=p,
        n=pairs.difference.size,
        n_dropped=pairs.n_dropped,
        n_zero=int((pairs.difference == 0).sum()),
        groups=str(pairs.groups),
        method=method,
        seed=None,
        reason=reason,
    )


def variance_of_mean(values: NDArray[np.float64]) -> float:
    """Squared standard error of a mean."""
    return float(values.var(ddof=1) / values.size)
