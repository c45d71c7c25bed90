"""What one query does to a score: pooled ROC_n and TAP-k without each of the queries."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, derived
from tapviz.lists.reported import check_kept
from tapviz.measures import _ranking
from tapviz.measures._checks import number_of_errors
from tapviz.measures.errors import QUANTILE_TOLERANCE, nth_error_code, queries_with_errors
from tapviz.measures.roc import pooled_roc_n
from tapviz.measures.tap import tap, tap_k

__all__ = ["Influence", "influence"]


class Influence(NamedTuple):
    """Pooled ROC_n and TAP-k without each of the queries, with the policy that made them.

    Pooled ROC_n crosses ties on a diagonal and stays where it ends if the pool has fewer than n
    errors. TAP-k follows the reference rule for queries with T(q) = 0 and is undefined if too
    few lists have k errors.
    """

    query: NDArray[np.str_]
    """Ids of the queries, shape (Q,)."""
    pooled_roc_n: float
    """With all queries; NaN where undefined, see `pooled_reason`."""
    pooled_without: NDArray[np.float64]
    """Without each query, shape (Q,)."""
    pooled_change: NDArray[np.float64]
    """`pooled_without` less `pooled_roc_n`: what leaving the query out does. Shape (Q,)."""
    supplied: NDArray[np.float64]
    """How many of the first n errors of the pool each query supplies, shape (Q,); where the
    n-th is tied, the errors of its score share evenly."""
    tap: float
    """TAP-k with all queries; NaN where undefined, see `tap_reason`."""
    tap_without: NDArray[np.float64]
    """Without each query, at the threshold of the others, shape (Q,)."""
    tap_change: NDArray[np.float64]
    """`tap_without` less `tap`, shape (Q,)."""
    e_k: float
    """Threshold E_k of all queries; NaN if there is none."""
    e_k_without: NDArray[np.float64]
    """Threshold E_k of the others, shape (Q,)."""
    k: int
    n: int
    quantile: float
    pooled_reason: str
    """Why pooled ROC_n is NaN, with all queries or without some; empty otherwise."""
    tap_reason: str
    """Why TAP-k is NaN, with all queries or without some; empty otherwise."""


def influence(
    lists: RetrievalLists, *, k: int = 20, n: int = 50, quantile: float = 0.5
) -> Influence:
    """Leave each query out in turn: what becomes of pooled ROC_n and of TAP-k.

    Exact, with E_k estimated again from the other queries, for about the time of one
    evaluation of each.

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Errors per query of TAP-k, at least 1.
    n : int
        Errors of the pool of ROC_n, at least 1.
    quantile : float, in (0, 1]
        A fraction `quantile` of the queries has at least k errors at E_k.

    Raises
    ------
    ValueError
        If k or n is not a whole number of at least 1, or the quantile not in (0, 1].

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Condition 5.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import load_results
    >>> from tapviz.measures import influence
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = influence(lists, k=5, n=50)
    >>> worst = np.nanargmax(abs(found.pooled_change))
    >>> round(found.pooled_roc_n, 3), round(float(found.pooled_without[worst]), 3)
    (0.304, 0.306)
    """
    check_kept(lists, errors=max(k, n))
    n = number_of_errors("n", n)
    full = tap_k(lists, k=k, quantile=quantile)
    e_k = full.e0 if not full.too_short else float("nan")
    k, quantile = int(k), float(quantile)
    tap_without, e_k_without = _tap_without(lists, k, quantile)
    pooled = pooled_roc_n(lists, n=n)
    pool = _pool(lists)
    pooled_without = _pooled_without(lists, pool, n)
    alone = "there is no other query" if lists.n_queries == 1 else ""
    pooled_reason = tap_reason = ""
    if np.isnan(pooled):
        pooled_reason = "no query has a relevant record" if lists.n_queries else full.reason
    elif np.isnan(pooled_without).any():
        pooled_reason = alone or "no other query has a relevant record"
    if np.isnan(full.value):
        tap_reason = full.reason
    elif np.isnan(tap_without).any():
        tap_reason = alone or (
            f"Without one of the queries, fewer than {queries_with_errors(quantile, k)}."
        )
    return Influence(
        query=lists.query,
        pooled_roc_n=pooled,
        pooled_without=pooled_without,
        pooled_change=pooled_without - pooled,
        supplied=_supplied(pool, n, lists.n_queries),
        tap=full.value,
        tap_without=tap_without,
        tap_change=tap_without - full.value,
        e_k=e_k,
        e_k_without=e_k_without,
        k=k,
        n=n,
        quantile=quantile,
        pooled_reason=pooled_reason,
        tap_reason=tap_reason,
    )


def _tap_without(
    lists: RetrievalLists, k: int, quantile: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """TAP-k and E_k without each query, shape (Q,) each; NaN where undefined."""
    n_queries, weight = lists.n_queries, lists.weight
    result = np.full(n_queries, np.nan)
    if n_queries <= 1:
        return result, result.copy()
    codes = nth_error_code(lists, k)
    order = np.argsort(codes, kind="stable")
    place = np.empty(n_queries, np.int64)
    place[order] = np.arange(n_queries)
    reached = np.cumsum(weight[order])
    # The weight to be reached among the others; the query itself is in `reached` if it stands
    # before the place sought.
    needed = quantile * (1 - QUANTILE_TOLERANCE) * (reached[-1] - weight)
    before = np.searchsorted(reached, needed)
    after = np.maximum(np.searchsorted(reached, needed + weight), place + 1)
    at = np.where(before < place, before, after)
    threshold = np.append(_ranking.ranking(lists).threshold, np.nan)
    code = np.append(codes[order], threshold.size - 1)[np.minimum(at, n_queries)]
    for each in np.unique(code[code < threshold.size - 1]):
        # Few: without a query of weight 1, E_k is the same or the next.
        values = tap(lists, threshold[each]).per_query
        these = code == each
        rest = values @ weight - (values * weight)[these]
        result[these] = rest / (weight.sum() - weight[these])
    return result, threshold[code]


@derived()
def _own_errors(lists: RetrievalLists) -> NDArray[np.int64]:
    """Errors of its own list before each relevant record, tied ones half, doubled; best first."""
    before, through = _errors_around(lists)
    order = _ranking.ranking(lists).order
    return (before + through)[order[lists.relevant[order]]]


def _errors_around(lists: RetrievalLists) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Errors of each record's list before, and up to the end of, its tie block; (N,) each."""
    first = _ranking.block_starts(lists)
    length = np.diff(np.append(first, lists.score.size))
    errors = np.concatenate([[0], np.cumsum(~lists.relevant)])
    end = first + length
    start = np.repeat(errors[lists.offset[:-1]], np.diff(lists.offset))
    before = np.repeat(errors[first], length) - start
    return before, np.repeat(errors[end], length) - start


@derived()
def _own_number(lists: RetrievalLists) -> NDArray[np.int64]:
    """Number of each irrelevant record in its own list, from 1; all lists merged, best first."""
    known = _ranking.list_positions(lists)
    number = known.rank - known.relevant_so_far
    order = _ranking.ranking(lists).order
    return number[order[~lists.relevant[order]]].astype(np.int64)


class _Pool(NamedTuple):
    """Records of all queries merged, best first; queries by their place among those kept."""

    query: NDArray[np.int64]
    """Of each error."""
    code: NDArray[np.int32]
    """Place of the score of each error among the distinct scores."""
    number: NDArray[np.int64]
    """Number of each error in its own list, from 1."""
    hit_query: NDArray[np.int64]
    """Of each relevant record."""
    hit: NDArray[np.int32]
    """Place of the score of each relevant record among the distinct scores."""
    own: NDArray[np.int64]
    """Errors of its own list before each relevant record, tied ones half, doubled."""


def _pool(lists: RetrievalLists) -> _Pool:
    relevant, irrelevant = _ranking.pooled_records(lists)
    number, own = _own_number(lists), _own_errors(lists)
    row = _ranking.row_of_query(lists).astype(np.int64)
    query, hit_query = row[irrelevant.query], row[relevant.query]
    if lists.n_queries == lists.whole.n_queries:
        return _Pool(query, irrelevant.code, number, hit_query, relevant.code, own)
    keep, keep_hit = query >= 0, hit_query >= 0
    return _Pool(
        query[keep],
        irrelevant.code[keep],
        number[keep],
        hit_query[keep_hit],
        relevant.code[keep_hit],
        own[keep_hit],
    )


def _supplied(pool: _Pool, n: int, n_queries: int) -> NDArray[np.float64]:
    """How many of the first n errors each query supplies; where the n-th is tied, by share."""
    if not pool.code.size:
        return np.zeros(n_queries)
    n = min(n, pool.code.size)
    first = np.searchsorted(pool.code, pool.code[n - 1])
    last = np.searchsorted(pool.code, pool.code[n - 1], side="right")
    tied = np.bincount(pool.query[first:last], minlength=n_queries)
    supplied: NDArray[np.float64] = tied * ((n - first) / (last - first))
    return supplied + np.bincount(pool.query[:first], minlength=n_queries)


def _pooled_without(lists: RetrievalLists, pool: _Pool, n: int) -> NDArray[np.float64]:
    """Pooled ROC_n without each query, shape (Q,); NaN where no other has a relevant record.

    The area without a query is the area of all up to the n-th error of the others, less what
    stands above the query's own errors, less what its own relevant records add above the errors
    of the others. Only the place of that n-th error differs from query to query.
    """
    n_queries, size = lists.n_queries, _ranking.ranking(lists).threshold.size
    query, code, number, hit_query, hit, own = pool
    # The i-th error of a query, at place p of all, follows p - i errors of others.
    ahead = np.bincount(query[np.arange(1, code.size + 1) - number < n], minlength=n_queries)
    # Place among the distinct scores of the n-th error of the others.
    cut = np.append(code, size)[np.minimum(n + ahead - 1, code.size)].astype(np.int64)

    def others(until: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Errors and relevant records of the others among the strictest `until` scores."""
        seen = _ranking.n_retrieved(lists, until)
        found = _ranking.relevant_among(lists, seen)
        return np.searchsorted(code, until) - (seen - found), np.searchsorted(hit, until) - found

    errors, found = others(cut)
    errors_through, found_through = others(cut + 1)

    # Nothing past the last cut counts. Heights, and errors passed, are doubled: whole numbers.
    last = cut.max(initial=0)
    query, code = query[: np.searchsorted(code, last)], code[: np.searchsorted(code, last)]
    height = np.searchsorted(hit, code, side="left") + np.searchsorted(hit, code, side="right")
    before = hit < cut[hit_query]
    hit_query, hit, own = hit_query[before], hit[before], own[before]
    passed = np.searchsorted(code, hit, side="left") + np.searchsorted(code, hit, side="right")
    area = np.concatenate([[0], np.cumsum(height)])[np.searchsorted(code, cut)].astype(np.float64)
    inside = code < cut[query]
    area -= np.bincount(query[inside], height[inside], minlength=n_queries)
    area -= 2 * errors * np.bincount(hit_query, minlength=n_queries)
    area += np.bincount(hit_query, passed - own, minlength=n_queries)
    area /= 2
    # In the tie block of the n-th error the curve is a diagonal. Past all scores it is flat.
    m, tied = n - errors, np.maximum(errors_through - errors, 1)
    area += m * found + (found_through - found) * m**2 / (2 * tied)
    rest = lists.n_relevant.sum() - lists.n_relevant
    return _ranking.ratio(area, n * rest)
