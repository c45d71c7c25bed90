"""Scores of many replicates of the queries at once, from the weights of the queries in each."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures._checks import number_of_errors
from tapviz.measures._pooled import records_to_error
from tapviz.measures._ranking import list_positions, n_thresholds, ranking
from tapviz.measures.coverage import EPQ_TOLERANCE
from tapviz.measures.errors import QUANTILE_TOLERANCE, errors_per_query
from tapviz.reported import all_kept, check_kept

Replicate = Callable[[NDArray[np.float64], NDArray[np.int64]], NDArray[np.float64]]
"""Score of each of R replicates, (R,), from the weights of the queries, (R, Q), and the place of
the threshold among the distinct scores, (R,)."""


def mean_replicates(values: NDArray[np.float64]) -> Replicate:
    """Weighted means of what each query scores; queries whose score is NaN are left out.

    Parameters
    ----------
    values : ndarray of float, shape (Q,)

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import mean_replicates
    >>> means = mean_replicates(np.array([1.0, np.nan, 4.0]))
    >>> means(np.array([[2.0, 1.0, 1.0], [0.0, 2.0, 0.0]]), np.zeros(2, np.int64)).tolist()
    [2.0, nan]
    """
    use = np.flatnonzero(~np.isnan(values))
    defined = values[use]

    def means(weight: NDArray[np.float64], _: NDArray[np.int64]) -> NDArray[np.float64]:
        known = weight if use.size == values.size else weight.take(use, axis=1)
        return _ratio(known @ defined, known.sum(axis=1))

    return means


def mean_error_replicates(lists: RetrievalLists) -> Replicate:
    """Mean errors per query at the threshold of each replicate.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import mean_error_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [False, False, True], [0, 2, 3], [1, 1])
    >>> means = mean_error_replicates(lists)
    >>> means(np.array([[1.0, 1.0], [2.0, 0.0]]), np.array([0, 1])).tolist()
    [0.5, 2.0]
    """
    errors = _errors_at(lists)

    def means(weight: NDArray[np.float64], code: NDArray[np.int64]) -> NDArray[np.float64]:
        total = np.empty(code.size)
        for one in np.unique(code).tolist():
            rows = np.flatnonzero(code == one)
            total[rows] = weight[rows] @ errors(one)
        return _ratio(total, weight.sum(axis=1))

    return means


def median_error_replicates(lists: RetrievalLists) -> Replicate:
    """Errors of the median query at the threshold of each replicate, as `error_quantile` has them.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import median_error_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [False, False, True], [0, 2, 3], [1, 1])
    >>> medians = median_error_replicates(lists)
    >>> medians(np.array([[1.0, 1.0], [0.0, 2.0]]), np.array([1, 1])).tolist()
    [2.0, 0.0]
    """
    errors = _errors_at(lists)

    def medians(weight: NDArray[np.float64], code: NDArray[np.int64]) -> NDArray[np.float64]:
        median = np.full(code.size, np.nan)
        for one in np.unique(code).tolist() if lists.n_queries else ():
            rows = np.flatnonzero(code == one)
            counts = errors(one)
            fewer = counts.max() - counts
            if fewer.max() <= np.iinfo(np.uint16).max:
                fewer = fewer.astype(np.uint16)  # sorted in a tenth of the time
            most_first = np.argsort(fewer, kind="stable")
            total = np.cumsum(weight[rows].take(most_first, axis=1), axis=1)
            enough = total >= 0.5 * (1 - QUANTILE_TOLERANCE) * total[:, -1:]
            median[rows] = counts[most_first[np.argmax(enough, axis=1)]]
        return median

    return medians


def _errors_at(lists: RetrievalLists) -> Callable[[int], NDArray[np.float64]]:
    """Errors of each query at the place of a threshold among the distinct scores."""
    threshold = np.append(ranking(lists).threshold, lists.sign * np.inf)

    @cache
    def errors(code: int) -> NDArray[np.float64]:
        if code < 0:
            return np.zeros(lists.n_queries)
        return errors_per_query(lists, threshold[code]).astype(np.float64)

    return errors


def pooled_replicates(lists: RetrievalLists, *, n: int) -> Replicate:
    """Pooled ROC_n, where a list that is drawn c times is merged c times.

    As `pooled_roc_n` it knows no weights of queries but how often each is drawn. Records of equal
    score are one straight line of the curve, of which only what comes before the n-th error counts.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Irrelevant records over all lists drawn, at least 1.

    Raises
    ------
    ValueError
        If n is not a whole number of at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import pooled_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [True, False, False], [0, 2, 3], [2, 1])
    >>> pooled = pooled_replicates(lists, n=2)
    >>> pooled(np.array([[1.0, 1.0], [2.0, 0.0]]), np.zeros(2, np.int64)).round(3).tolist()
    [0.333, 0.5]
    """
    check_kept(lists, errors=n)
    n = number_of_errors("n", n)
    n_relevant = lists.n_relevant.astype(np.float64)
    pools = {"now": _pool(lists, 4 * n)}

    def scores(weight: NDArray[np.float64], _: NDArray[np.int64]) -> NDArray[np.float64]:
        drawn = weight / lists.weight
        while True:
            pool = pools["now"]
            errors = _product(drawn, pool.errors)
            total = errors.sum(axis=1)
            if pool.whole or (total >= n).all():
                break
            pools["now"] = _pool(lists, 4 * pool.length)
        inside = _product(drawn, pool.inside)
        before = np.cumsum(_product(drawn, pool.since) + inside, axis=1) - inside
        # Errors of each block that are among the first n; past all errors the curve is flat.
        used = np.clip(n - (np.cumsum(errors, axis=1) - errors), 0, errors)
        half = np.divide(inside * used, 2 * errors, out=np.zeros_like(errors), where=errors > 0)
        area = (used * (before + half)).sum(axis=1)
        area += np.maximum(n - total, 0) * (drawn @ pool.retrieved)
        return _ratio(area, n * (drawn @ n_relevant))

    return scores


def coverage_replicates(lists: RetrievalLists, *, epq: float) -> Replicate:
    """Share of all relevant records found with at most so many errors per query.

    As `coverage_vs_epq`, mean errors and pooled coverage, of the queries drawn.

    Parameters
    ----------
    lists : RetrievalLists
    epq : float
        Errors per query.

    Raises
    ------
    ValueError
        If it is not a positive number.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import coverage_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [True, False, True], [0, 2, 3], [2, 1])
    >>> found = coverage_replicates(lists, epq=0.5)
    >>> found(np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 2.0]]), np.zeros(3, np.int64)).round(3)
    array([0.667, 0.5  , 1.   ])
    """
    if not 0 < epq < np.inf:
        msg = f"epq = {epq}: expected a positive number of errors per query"
        raise ValueError(msg)
    n_relevant = lists.n_relevant.astype(np.float64)
    # Of condensed lists it is known where the first error too many comes up to E_keep.
    known = ranking(lists).threshold.size + 1
    if lists.kept is not None and not all_kept(lists):
        known = n_thresholds(lists, lists.kept.e_keep)
    pools = {"now": _pool(lists, 2 * int(np.ceil(epq * lists.whole.n_queries)) + 1)}

    def scores(weight: NDArray[np.float64], _: NDArray[np.int64]) -> NDArray[np.float64]:
        limit = epq * (1 + EPQ_TOLERANCE) * weight.sum(axis=1)
        while True:
            pool = pools["now"]
            errors = np.cumsum(_product(weight, pool.errors), axis=1)
            n_blocks = (errors <= limit[:, None]).sum(axis=1)
            if pool.whole or (n_blocks < errors.shape[1]).all():
                break
            pools["now"] = _pool(lists, 4 * pool.length)
        inside = _product(weight, pool.inside)
        before = np.cumsum(_product(weight, pool.since) + inside, axis=1) - inside
        before = np.column_stack([before, weight @ pool.retrieved])
        found = np.take_along_axis(before, n_blocks[:, None], axis=1)[:, 0]
        found[n_blocks >= np.searchsorted(pool.code, known)] = np.nan
        return _ratio(found, weight @ n_relevant)

    return scores


class _Pool(NamedTuple):
    """The merged lists as far as some error: blocks of records of one score that hold errors."""

    errors: Any
    """Irrelevant records of each query in each block, a sparse matrix of shape (J, Q)."""
    inside: Any
    """Relevant records in each block."""
    since: Any
    """Relevant records after the block before."""
    code: NDArray[np.int32]
    """Place of the score of each block among the distinct scores, and one of none, (J + 1,)."""
    retrieved: NDArray[np.float64]
    """Relevant records in the whole list of each query, shape (Q,)."""
    length: int
    """Errors of all queries, those left out too, that were asked for."""
    whole: bool
    """Whether no error comes after."""


def _pool(lists: RetrievalLists, length: int) -> _Pool:
    from scipy import sparse  # noqa: PLC0415  # takes longer to import than tapviz itself

    relevant, irrelevant = records_to_error(lists, length)
    row = np.full(lists.whole.n_queries, -1)
    row[lists.rows] = np.arange(lists.n_queries)
    of_errors, errors = row[irrelevant.query], irrelevant.code
    errors, of_errors = errors[of_errors >= 0], of_errors[of_errors >= 0]
    block, place = np.unique(errors, return_inverse=True)
    end = int(np.searchsorted(relevant.code, block[-1], side="right")) if block.size else 0
    of_hits, hits = row[relevant.query[:end]], relevant.code[:end]
    hits, of_hits = hits[of_hits >= 0], of_hits[of_hits >= 0]
    n_errors = np.diff(list_positions(lists).irrelevant_offset)
    retrieved = (np.diff(lists.whole.offset) - n_errors)[lists.rows]
    at = np.searchsorted(block, hits)
    tied = block[at] == hits if block.size else np.zeros(0, np.bool_)

    def counts(place: NDArray[np.intp], query: NDArray[np.intp]) -> Any:
        shape = (block.size, lists.n_queries)
        return sparse.csr_array((np.ones(place.size), (place, query)), shape=shape)

    return _Pool(
        counts(place, of_errors),
        counts(at[tied], of_hits[tied]),
        counts(at[~tied], of_hits[~tied]),
        np.append(block, ranking(lists).threshold.size),
        retrieved.astype(np.float64),
        length,
        whole=length >= n_errors.sum(),
    )


def _product(weight: NDArray[np.float64], counts: Any) -> NDArray[np.float64]:
    """Weighted sums over queries, shape (R, J)."""
    found: NDArray[np.float64] = (counts @ weight.T).T
    return found


def _ratio(total: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    ratio = np.full(total.shape, np.nan)
    np.divide(total, weight, out=ratio, where=weight > 0)
    return ratio
