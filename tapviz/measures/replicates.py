"""Scores of many replicates of the queries at once, from how often each group is drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures._checks import number_of_errors
from tapviz.measures._pooled import records_to_error
from tapviz.measures._ranking import list_positions, n_thresholds, ranking
from tapviz.measures.coverage import EPQ_TOLERANCE
from tapviz.measures.errors import QUANTILE_TOLERANCE, errors_per_query
from tapviz.reported import all_kept, check_kept

HELD_BRIEFLY = 1 << 21
"""Weights of queries in replicates that are made at a time: 16 MB."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Replicates of the queries: how often each group of them is drawn.

    Attributes
    ----------
    times : ndarray of float64, shape (R, G)
        Of each group in each of R replicates.
    group : ndarray of int64, shape (Q,)
        The group of each query.
    weight : ndarray of float64, shape (Q,)
        Of each query itself.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import Drawn
    >>> drawn = Drawn(np.array([[2.0, 0.0]]), np.array([0, 0, 1]), np.array([1.0, 1.0, 3.0]))
    >>> drawn.of_queries().tolist(), drawn.total().tolist()
    ([[2.0, 2.0, 0.0]], [4.0])
    """

    times: NDArray[np.float64]
    group: NDArray[np.int64]
    weight: NDArray[np.float64]

    @classmethod
    def singly(cls, times: ArrayLike) -> Drawn:
        """Replicates in which each query is drawn so often, shape (R, Q)."""
        found = np.array(times, np.float64, ndmin=2)
        size = found.shape[1]
        return cls(found, np.arange(size), np.ones(size))

    @property
    def n(self) -> int:
        """How many replicates there are."""
        return len(self.times)

    def part(self, rows: slice | NDArray[np.intp]) -> Drawn:
        """Some of the replicates."""
        return replace(self, times=self.times[rows])

    def of_queries(self, at: slice | NDArray[np.intp] = slice(None)) -> NDArray[np.float64]:
        """Weight of each query in each replicate, shape (R, Q), or of some queries."""
        weight = self.times.take(self.group[at], axis=1)
        weight *= self.weight[at]
        return weight

    def of_groups(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Sum over the queries of each group, shape (G,)."""
        size = self.times.shape[1]
        # Of no queries at all, `bincount` would count whole numbers.
        return np.bincount(self.group, values, minlength=size).astype(np.float64, copy=False)

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over what is drawn of a number of each group, shape (R,)."""
        # Not by BLAS, whose threads go on to take a processor while they wait for more.
        found: NDArray[np.float64] = np.einsum("rg,g->r", self.times, values)
        return found

    def total(self) -> NDArray[np.float64]:
        """Weight of all queries in each replicate, shape (R,)."""
        return self.sums(self.of_groups(self.weight))

    def upper_place(self, order: NDArray[np.intp], share: float, reach: int) -> NDArray[np.intp]:
        """Where in an order of the queries a share of the weight is reached, shape (R,).

        `reach` is how many places about that of all queries, each drawn once, are looked at first.
        """
        size = order.size
        below = np.cumsum(self.weight.take(order))
        middle = int(np.searchsorted(below, share * below[-1]))
        low, high = max(middle - reach, 0), min(middle + reach, size)
        first = np.zeros(size)
        first[order[:low]] = self.weight[order[:low]]
        before, enough = self.sums(self.of_groups(first)), share * self.total()
        place = low + _n_before(self, order[low:high], before, enough)
        elsewhere = (place == high) & (high < size) | (place == low) & (low > 0)
        rows = np.flatnonzero(elsewhere)
        place[rows] = _n_before(self.part(rows), order, np.zeros(rows.size), enough[rows])
        return place


def _n_before(
    drawn: Drawn,
    order: NDArray[np.intp],
    before: NDArray[np.float64],
    enough: NDArray[np.float64],
) -> NDArray[np.intp]:
    """How many queries of an order do not yet add up to enough, with those before, shape (R,)."""
    few = np.empty(drawn.n, np.intp)
    size = max(1, HELD_BRIEFLY // max(order.size, 1))
    for start in range(0, drawn.n, size):
        rows = slice(start, start + size)
        total = drawn.part(rows).of_queries(order)
        np.cumsum(total, axis=1, out=total)
        few[rows] = (total + before[rows, None] < enough[rows, None]).sum(axis=1)
    return few


Replicate = Callable[[Drawn, NDArray[np.int64]], NDArray[np.float64]]
"""Score of each of R replicates, (R,), from what is drawn, and the place of the threshold of each
among the distinct scores, (R,)."""


def mean_replicates(values: NDArray[np.float64]) -> Replicate:
    """Weighted means of what each query scores; queries whose score is NaN are left out.

    Parameters
    ----------
    values : ndarray of float, shape (Q,)

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import Drawn, mean_replicates
    >>> means = mean_replicates(np.array([1.0, np.nan, 4.0]))
    >>> means(Drawn.singly([[2, 1, 1], [0, 2, 0]]), np.zeros(2, np.int64)).tolist()
    [2.0, nan]
    """
    known = ~np.isnan(values)
    defined = np.where(known, values, 0.0)

    def means(drawn: Drawn, _: NDArray[np.int64]) -> NDArray[np.float64]:
        weight = drawn.weight * known
        total = drawn.sums(drawn.of_groups(weight * defined))
        return _ratio(total, drawn.sums(drawn.of_groups(weight)))

    return means


def mean_error_replicates(lists: RetrievalLists) -> Replicate:
    """Mean errors per query at the threshold of each replicate.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import Drawn, mean_error_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [False, False, True], [0, 2, 3], [1, 1])
    >>> means = mean_error_replicates(lists)
    >>> means(Drawn.singly([[1, 1], [2, 0]]), np.array([0, 1])).tolist()
    [0.5, 2.0]
    """
    errors = _ErrorsAt(lists)

    def means(drawn: Drawn, code: NDArray[np.int64]) -> NDArray[np.float64]:
        total = np.empty(code.size)
        for one in np.unique(code).tolist():
            rows = np.flatnonzero(code == one)
            total[rows] = drawn.part(rows).sums(drawn.of_groups(drawn.weight * errors(one)))
        return _ratio(total, drawn.total())

    return means


def median_error_replicates(lists: RetrievalLists) -> Replicate:
    """Errors of the median query at the threshold of each replicate, as `error_quantile` has them.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import Drawn, median_error_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [False, False, True], [0, 2, 3], [1, 1])
    >>> medians = median_error_replicates(lists)
    >>> medians(Drawn.singly([[1, 1], [0, 2]]), np.array([1, 1])).tolist()
    [2.0, 0.0]
    """
    errors = _ErrorsAt(lists)
    share = 0.5 * (1 - QUANTILE_TOLERANCE)

    def medians(drawn: Drawn, code: NDArray[np.int64]) -> NDArray[np.float64]:
        median = np.full(code.size, np.nan)
        enough = share * drawn.total()
        guess = 0
        for one in np.unique(code).tolist() if lists.n_queries else ():
            rows = np.flatnonzero(code == one)
            counts = errors(one)
            # At E_k the median is k or little more, nearly always: first the last one is tried.
            at_least, more = (
                drawn.part(rows).sums(drawn.of_groups(drawn.weight * some)) >= enough[rows]
                for some in (counts >= guess, counts > guess)
            )
            median[rows] = guess
            rows = rows[~at_least | more]
            if not rows.size:
                continue
            fewer = counts.max() - counts
            if fewer.max() <= np.iinfo(np.uint16).max:
                fewer = fewer.astype(np.uint16)  # sorted in a tenth of the time
            most_first = np.argsort(fewer, kind="stable")
            place = drawn.part(rows).upper_place(most_first, share, reach_of(drawn.group))
            median[rows] = counts[most_first[place]]
            guess = int(median[rows[-1]])
        return median

    return medians


NEAR = 3
"""Where enough queries have k errors varies with their choice: by half the square root of their
number if all weigh the same. So many square roots on either side are looked at first."""


def reach_of(group: NDArray[np.int64]) -> int:
    """Places about that of all queries among which that of a replicate is, nearly always.

    The number of queries before it varies with the squares of the sizes of groups.
    """
    return int(NEAR * np.linalg.norm(np.bincount(group)))


class _ErrorsAt:
    """Errors of each query at the places of thresholds among the distinct scores.

    From one threshold to the next only the records between them are looked at.
    """

    def __init__(self, lists: RetrievalLists) -> None:
        self._lists = lists
        self._row: NDArray[np.int64] | None = None
        self._end = 0
        self._errors = np.zeros(lists.n_queries, np.int64)

    def __call__(self, code: int) -> NDArray[np.int64]:
        """Shape (Q,)."""
        lists, ranked = self._lists, ranking(self._lists)
        end = bisect_right(ranked.order, code, key=ranked.code.__getitem__)
        if self._row is None:
            self._row = np.full(lists.whole.n_queries, lists.n_queries)
            self._row[lists.rows] = np.arange(lists.n_queries)
            if code >= 0:
                threshold = np.append(ranked.threshold, lists.sign * np.inf)
                self._errors = errors_per_query(lists, threshold[code])
        elif end != self._end:
            between = ranked.order[min(end, self._end) : max(end, self._end)]
            between = between[~lists.whole.relevant[between]]
            query = self._row[list_positions(lists).query[between]]
            more = np.bincount(query, minlength=lists.n_queries)[: lists.n_queries]
            self._errors = self._errors + more if end > self._end else self._errors - more
        self._end = end
        return self._errors


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
    >>> from tapviz.measures import Drawn, pooled_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [True, False, False], [0, 2, 3], [2, 1])
    >>> pooled = pooled_replicates(lists, n=2)
    >>> pooled(Drawn.singly([[1, 1], [2, 0]]), np.zeros(2, np.int64)).round(3).tolist()
    [0.333, 0.5]
    """
    check_kept(lists, errors=n)
    n = number_of_errors("n", n)
    pools = _Pools(lists, 4 * n, np.ones(lists.n_queries))

    def scores(drawn: Drawn, _: NDArray[np.int64]) -> NDArray[np.float64]:
        while True:
            pool = pools.of(drawn)
            errors = _product(drawn, pool.errors)
            total = errors.sum(axis=1)
            if pool.whole or (total >= n).all():
                break
            pools.length *= 4
        inside = _product(drawn, pool.inside)
        before = np.cumsum(_product(drawn, pool.since) + inside, axis=1) - inside
        # Errors of each block that are among the first n; past all errors the curve is flat.
        used = np.clip(n - (np.cumsum(errors, axis=1) - errors), 0, errors)
        half = np.divide(inside * used, 2 * errors, out=np.zeros_like(errors), where=errors > 0)
        area = (used * (before + half)).sum(axis=1)
        area += np.maximum(n - total, 0) * drawn.sums(pool.retrieved)
        return _ratio(area, n * drawn.sums(pool.n_relevant))

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
    >>> from tapviz.measures import Drawn, coverage_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [True, False, True], [0, 2, 3], [2, 1])
    >>> found = coverage_replicates(lists, epq=0.5)
    >>> found(Drawn.singly([[1, 1], [2, 0], [0, 2]]), np.zeros(3, np.int64)).round(3)
    array([0.667, 0.5  , 1.   ])
    """
    if not 0 < epq < np.inf:
        msg = f"epq = {epq}: expected a positive number of errors per query"
        raise ValueError(msg)
    # Of condensed lists it is known where the first error too many comes up to E_keep.
    known = ranking(lists).threshold.size + 1
    if lists.kept is not None and not all_kept(lists):
        known = n_thresholds(lists, lists.kept.e_keep)
    pools = _Pools(lists, 2 * int(np.ceil(epq * lists.whole.n_queries)) + 1, lists.weight)

    def scores(drawn: Drawn, _: NDArray[np.int64]) -> NDArray[np.float64]:
        limit = epq * (1 + EPQ_TOLERANCE) * drawn.total()
        while True:
            pool = pools.of(drawn)
            errors = np.cumsum(_product(drawn, pool.errors), axis=1)
            n_blocks = (errors <= limit[:, None]).sum(axis=1)
            if pool.whole or (n_blocks < errors.shape[1]).all():
                break
            pools.length *= 4
        inside = _product(drawn, pool.inside)
        before = np.cumsum(_product(drawn, pool.since) + inside, axis=1) - inside
        before = np.column_stack([before, drawn.sums(pool.retrieved)])
        found = np.take_along_axis(before, n_blocks[:, None], axis=1)[:, 0]
        found[n_blocks >= np.searchsorted(pool.code, known)] = np.nan
        return _ratio(found, drawn.sums(pool.n_relevant))

    return scores


class _Pool(NamedTuple):
    """The merged lists as far as some error: blocks of records of one score that hold errors."""

    errors: Any
    """Irrelevant records of each group in each block, a sparse matrix of shape (J, G)."""
    inside: Any
    """Relevant records in each block."""
    since: Any
    """Relevant records after the block before."""
    code: NDArray[np.int32]
    """Place of the score of each block among the distinct scores, and one of none, (J + 1,)."""
    retrieved: NDArray[np.float64]
    """Relevant records in the whole lists of each group, shape (G,)."""
    n_relevant: NDArray[np.float64]
    """Relevant records of the database of each group, shape (G,)."""
    whole: bool
    """Whether no error comes after."""


class _Pools:
    """The merged lists, as far as replicates have asked for them.

    Attributes
    ----------
    length : int
        Errors of all queries, those left out too, that are asked for.
    """

    def __init__(self, lists: RetrievalLists, length: int, weight: NDArray[np.float64]) -> None:
        self.length = length
        self._lists, self._weight = lists, weight
        self._made: tuple[int, NDArray[np.int64], _Pool] | None = None

    def of(self, drawn: Drawn) -> _Pool:
        """What is merged, by the groups that are drawn."""
        made = self._made
        if made is None or made[0] != self.length or made[1] is not drawn.group:
            made = self.length, drawn.group, _pool(self._lists, self.length, self._weight, drawn)
            self._made = made
        return made[2]


def _pool(lists: RetrievalLists, length: int, weight: NDArray[np.float64], drawn: Drawn) -> _Pool:
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
        shape = (block.size, drawn.times.shape[1])
        return sparse.csr_array((weight[query], (place, drawn.group[query])), shape=shape)

    return _Pool(
        counts(place, of_errors),
        counts(at[tied], of_hits[tied]),
        counts(at[~tied], of_hits[~tied]),
        np.append(block, ranking(lists).threshold.size),
        drawn.of_groups(weight * retrieved),
        drawn.of_groups(weight * lists.n_relevant),
        whole=length >= n_errors.sum(),
    )


def _product(drawn: Drawn, counts: Any) -> NDArray[np.float64]:
    """Sums over what is drawn, shape (R, J)."""
    found: NDArray[np.float64] = (counts @ drawn.times.T).T
    return found


def _ratio(total: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    ratio = np.full(total.shape, np.nan)
    np.divide(total, weight, out=ratio, where=weight > 0)
    return ratio
