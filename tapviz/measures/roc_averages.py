"""ROC curves averaged over queries."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.lists import RetrievalLists, derived
from tapviz.measures._checks import check_choice
from tapviz.measures._ranking import (
    query_weight,
)
from tapviz.measures.auc import FPR_GRID, along, check_rates, reason_of, totals_of

__all__ = ["AverageRoc", "average_roc"]

SD_FACTOR = 1.96
"""Half the height of an error bar, in standard deviations; the review, Figure 6."""

PERCENTILES = (0.025, 0.975)
"""Ends of the percentile band."""

Band = Literal["sd", "percentile"]


class AverageRoc(NamedTuple):
    """True positive rate averaged over queries at G false positive rates; each array (G,)."""

    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    """Weighted mean."""
    lower: NDArray[np.float64]
    """Lower end of the band; with "sd" it may leave [0, 1]."""
    upper: NDArray[np.float64]
    band: Band
    retrieved_only: bool
    """As in `Auc`; so are the counts of queries left out."""
    n_queries: int
    """Queries averaged."""
    n_no_relevant: int
    n_no_irrelevant: int
    reason: str
    """Why numbers are NaN; empty otherwise."""


def average_roc(
    lists: RetrievalLists, fpr: ArrayLike = FPR_GRID, *, band: Band = "sd"
) -> AverageRoc:
    """ROC curve averaged vertically over queries, with the spread of the bundle.

    The mean of the queries' true positive rates at each false positive rate; where a query's
    curve rises straight up, it is the top. The band tells how the queries differ, not how well
    the mean is known.

    Parameters
    ----------
    lists : RetrievalLists
    fpr : array_like of float in [0, 1], shape (G,)
        False positive rates. Default 0, 0.01, ..., 1.
    band : {"sd", "percentile"}
        "sd": the mean -+ 1.96 standard deviations (of a sample; weights only tell how much a
        query counts, their scale is of no consequence). "percentile": the smallest rates that
        at least 2.5 % and 97.5 % of the queries' weight do not exceed.

    Returns
    -------
    AverageRoc
        Queries without relevant or without irrelevant records are left out and counted.

    Raises
    ------
    ValueError
        If a rate is outside [0, 1] or the band is unknown.

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, Figure 6.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import average_roc
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> curve = average_roc(lists, [0, 0.1, 0.5])
    >>> curve.tpr.round(3).tolist(), curve.retrieved_only
    ([0.508, 0.69, 0.866], False)
    """
    check_choice("band", band, "sd", "percentile")
    grid = check_rates(fpr)
    name = tuple(grid.tolist())
    totals = totals_of(lists)
    defined = (totals.relevant > 0) & (totals.irrelevant > 0)
    reason = reason_of(lists)
    nothing = np.full(grid.size, np.nan)
    mean, lower, upper = nothing, nothing, nothing
    if defined.any():
        table = _tpr_table(lists, name)
        rows = table if lists.whole is lists else table[lists.rows]
        share = np.where(defined, lists.weight, 0)
        share = share / share.sum()
        mean = share @ rows
        freedom = share @ (1 - share)  # 1 - 1 / Q if all weigh the same
        if band == "percentile":
            lower, upper = _percentiles(lists, name, defined)
        elif freedom > 0:
            half = SD_FACTOR * np.sqrt(share @ np.square(rows - mean) / freedom)
            lower, upper = mean - half, mean + half
        else:
            reason = "one query alone has no standard deviation"
    return AverageRoc(
        fpr=grid,
        tpr=mean,
        lower=lower,
        upper=upper,
        band=band,
        retrieved_only=lists.n_irrelevant is None,
        n_queries=int(defined.sum()),
        n_no_relevant=int((totals.relevant == 0).sum()),
        n_no_irrelevant=int((totals.irrelevant == 0).sum()),
        reason=reason,
    )


@derived(keep=1)
def _tpr_table(lists: RetrievalLists, grid: tuple[float, ...]) -> NDArray[np.float64]:
    """True positive rate of each query at each false positive rate, (Q, G); 0 if undefined."""
    totals = totals_of(lists)
    at = np.multiply.outer(totals.irrelevant, np.array(grid))
    # 0.29 of 100 irrelevant records are 29 of them, whatever the rounding.
    whole = np.rint(at)
    at = np.where(np.abs(at - whole) <= 1e-12 * whole, whole, at)
    table = np.zeros(at.shape)
    defined = (totals.relevant > 0) & (totals.irrelevant > 0)
    return np.divide(
        along(lists, at).found, totals.relevant[:, None], out=table, where=defined[:, None]
    )


@derived(keep=1)
def _sorted_table(
    lists: RetrievalLists, grid: tuple[float, ...]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Queries in the order of their rates at each false positive rate, and the rates; (G, Q)."""
    rates = np.ascontiguousarray(_tpr_table(lists, grid).T)
    order = np.argsort(rates, axis=1)
    return order, np.take_along_axis(rates, order, axis=1)


def _percentiles(
    lists: RetrievalLists, grid: tuple[float, ...], defined: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    order, rates = _sorted_table(lists, grid)
    weight = query_weight(lists)
    weight[lists.rows[~defined]] = 0
    reached = np.cumsum(weight[order], axis=1)
    levels = [share * (1 - 1e-12) * reached[:, -1:] for share in PERCENTILES]
    every = np.arange(len(grid))
    lower, upper = (rates[every, (reached < level).sum(axis=1)] for level in levels)
    return lower, upper
