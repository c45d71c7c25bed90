"""Intervals from replicates that drew groups of queries, and of means as bands around a curve."""

from __future__ import annotations

from math import isnan, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.measures._arrays import Floats
from tapviz.measures._checks import refuse, special
from tapviz.measures.groups import COVERAGE, Groups, as_labels

__all__ = ["Interval", "MeanBand", "mean_band"]


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
    return interval_of(estimate, values, _within(standard_errors(level, n_groups, influence)))


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
    float or ndarray of float, shape (...)

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
    if groups.few:
        return np.asarray(nan)
    return _within(standard_errors(level, groups.count, influence))


def _within(errors: Floats) -> Floats:
    """Share of a normal distribution within so many standard errors of its middle."""
    share: Floats = special().erf(errors / sqrt(2))
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

    def at(place: NDArray[np.intp]) -> Floats:
        return np.take_along_axis(ordered, place[..., None], -1)[..., 0]

    low, high = at(first), at(last - first)
    if between:
        off = below - first
        inner = np.minimum(first + 1, last)
        low, high = low + off * (at(inner) - low), high - off * (high - at(last - inner))
    return np.where(known, [low, high], nan)


def interval_of(estimate: float, values: Floats, share: float | Floats) -> Interval:
    """Percentiles, interpolated between replicates, with a share between; none if that is NaN."""
    return _interval(estimate, percentiles(values, share))


def order_interval(estimate: float, values: Floats, share: float | Floats) -> Interval:
    """The replicates just outside the percentiles: a threshold between two scores is none."""
    return _interval(estimate, percentiles(values, share, between=False))


def _interval(estimate: float, ends: Floats) -> Interval:
    # One NaN for all, so that intervals that are undefined are equal.
    return Interval(float(estimate), *(nan if isnan(end) else end for end in ends.tolist()))


class MeanBand(NamedTuple):
    """Means over queries, and the ends of their intervals; each of shape (G,)."""

    mean: Floats
    low: Floats
    high: Floats


def mean_band(
    values: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    groups: Groups | ArrayLike | None = None,
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
    refuse(
        share.shape != (table.shape[1],),
        f"weight: expected one of each of {table.shape[1]} queries, found {share.shape}",
    )
    missing = np.isnan(table)
    nowhere = missing.all(axis=0)
    refuse((missing & ~nowhere).any(), "values: there is a query that is NaN at some places only")
    used = ~nowhere & (share > 0)
    table, share, of = table[:, used], share[used], Groups.of(of.code[used], of.unit)
    undefined = np.full(len(table), np.nan)
    if not share.size:
        return MeanBand(undefined, undefined, undefined)
    mean = (table * share).sum(axis=1) / share.sum()
    if of.few:
        return MeanBand(mean, undefined, undefined)
    order = np.argsort(of.code, kind="stable")
    starts = np.flatnonzero(np.diff(of.code[order], prepend=-1))
    apart = (table - mean[:, None]) * (share / share.sum())
    influence = np.add.reduceat(apart[:, order], starts, axis=1)
    error = np.sqrt((influence**2).sum(axis=1))
    reach = np.array([standard_errors(level, of.count, each) for each in influence])
    return MeanBand(mean, mean - reach * error, mean + reach * error)
