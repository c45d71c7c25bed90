"""Intervals of means at many places, as bands around a curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.measures.groups import COVERAGE, Groups, as_labels
from tapviz.measures.intervals import degrees_of_freedom, standard_errors

__all__ = ["MeanBand", "mean_band"]


class MeanBand(NamedTuple):
    """Means over queries, and the ends of their intervals; each of shape (G,)."""

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


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
    if table.ndim != 2:  # noqa: PLR2004
        msg = f"values: expected one row for each place, found shape {table.shape}"
        raise ValueError(msg)
    share = np.ones(table.shape[1]) if weight is None else np.asarray(weight, np.float64)
    of = as_labels(groups, table.shape[1])
    if share.shape != (table.shape[1],):
        msg = f"weight: expected one of each of {table.shape[1]} queries, found {share.shape}"
        raise ValueError(msg)
    missing = np.isnan(table)
    nowhere = missing.all(axis=0)
    if (missing & ~nowhere).any():
        msg = "values: there is a query that is NaN at some places only"
        raise ValueError(msg)
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
    reach = [
        standard_errors(level, of.count, degrees_of_freedom(of.count, one)) for one in influence
    ]
    return MeanBand(mean, mean - reach * error, mean + reach * error)
