"""Early recognition in virtual screening: BEDROC and the enrichment factor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import check_kept
from tapviz.measures._checks import check_number
from tapviz.measures._per_query import PerQuery, list_length, per_query
from tapviz.measures._ranking import list_positions, ratio, relevant_among, sum_by_query
from tapviz.measures.ranks import ListOrder, ordered

__all__ = ["bedroc", "enrichment_factor"]


def bedroc(lists: RetrievalLists, *, alpha: float = 20.0, ties: ListOrder = "listed") -> PerQuery:
    """BEDROC: relevant records weighted by their ranks, which count exponentially less.

    A relevant record at rank r of all N = T(q) + F(q) adds exp(-alpha r / N); the sum is scaled so
    that it is 1 where all relevant records come first, and 0 where all come last. Relevant records
    that were not retrieved take the last ranks.

    Parameters
    ----------
    lists : RetrievalLists
        F(q) must be known: `n_irrelevant`.
    alpha : float
        Greater than 0. Of 20, the first 8 % of the ranks make 80 % of the score.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Returns
    -------
    PerQuery
        NaN where F(q) is not known, or 0: there is nothing to tell apart.

    Raises
    ------
    ValueError
        If alpha is not a positive finite number, or as `precision_at`.

    References
    ----------
    Truchon & Bayly (2007), J. Chem. Inf. Model. 47:488, equation (36).

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import bedroc
    >>> lists = RetrievalLists([0.1, 0.2], [True, False], [0, 2], [1], n_irrelevant=[9])
    >>> bedroc(lists).value
    1.0
    """
    check_kept(lists, whole=True)
    check_number("alpha", alpha, 0 < alpha < np.inf, "a positive number")
    lists = ordered(lists, ties)
    relevant, total = lists.n_relevant.astype(np.float64), _database(lists)
    whole, rows = lists.whole, lists.rows
    known = list_positions(lists)
    size = np.full(whole.n_queries, np.nan)
    size[rows] = total
    at = np.flatnonzero(whole.relevant)
    query = known.query[at]
    earned = np.exp(-alpha * known.rank[at] / size[query])
    found = sum_by_query(query, earned, whole.n_queries)[rows]
    missing = relevant - relevant_among(lists, list_length(lists))
    defined = (relevant > 0) & (relevant < total)
    values = np.full(lists.n_queries, np.nan)
    n, m, of = relevant[defined], missing[defined], total[defined]
    found = found[defined] + _geometric(alpha / of, of - m, m)
    best, worst = _geometric(alpha / of, 0.0 * of, n), _geometric(alpha / of, of - n, n)
    values[defined] = (found - worst) / (best - worst)
    return per_query(lists, values, ties)


def enrichment_factor(
    lists: RetrievalLists, *, percent: float = 1.0, ties: ListOrder = "listed"
) -> PerQuery:
    """EF: how many times more relevant records the first x % hold than chance would put there.

    The first x % are the first m = ceil(N x / 100) of all N = T(q) + F(q) ranks; a list that is
    shorter holds no more relevant records there.

    Parameters
    ----------
    lists : RetrievalLists
        F(q) must be known: `n_irrelevant`.
    percent : float
        The x, above 0 and at most 100.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Returns
    -------
    PerQuery
        From 0 to N / T(q) or 100 / x, whichever is smaller; NaN where F(q) is not known.

    Raises
    ------
    ValueError
        If the percentage is not in (0, 100], or as `precision_at`.

    References
    ----------
    Pearlman & Charifson (2001), J. Med. Chem. 44:502; RDKit's CalcEnrichment.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import enrichment_factor
    >>> lists = RetrievalLists([0.1, 0.2], [True, False], [0, 2], [1], n_irrelevant=[9])
    >>> enrichment_factor(lists, percent=20).value
    5.0
    """
    check_kept(lists, whole=True)
    check_number("percent", percent, 0 < percent <= 100, "a percentage above 0 and at most 100")  # noqa: PLR2004
    total = _database(lists)
    # A product such as 0.07 * 100 must not end a hair above the whole number it is.
    share = np.round(np.where(np.isfinite(total), total, 0) * percent / 100, 9)
    first = np.ceil(share).astype(np.int64)
    found = relevant_among(ordered(lists, ties), np.minimum(list_length(lists), first))
    expected = ratio(lists.n_relevant * first, np.where(np.isfinite(total), total, 0), 0.0)
    values = ratio(found, expected, 0.0)
    return per_query(lists, np.where(np.isfinite(total), values, np.nan), ties)


def _database(lists: RetrievalLists) -> NDArray[np.float64]:
    """Records of the database that are relevant or not, N of each query; NaN if not known."""
    if lists.n_irrelevant is None:
        return np.full(lists.n_queries, np.nan)
    return (lists.n_relevant + lists.n_irrelevant).astype(np.float64)


def _geometric(
    rate: NDArray[np.float64], before: NDArray[np.float64], n: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum of exp(-rate r) over the n ranks r that follow the first ones."""
    terms: NDArray[np.float64] = np.exp(-rate * (before + 1)) * np.expm1(-rate * n)
    return terms / np.expm1(-rate)
