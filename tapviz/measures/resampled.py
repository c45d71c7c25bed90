"""Thresholds of many replicates of the queries, and TAP and errors at these."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures._ranking import (
    list_positions,
    n_retrieved,
    ranking,
    ratio,
    relevant_among,
    row_of_query,
)
from tapviz.measures.errors import QUANTILE_TOLERANCE, error_quantile, nth_kept_error_code
from tapviz.measures.replicates import Drawn, Replicate
from tapviz.measures.tap import tap_at_records, tap_of
from tapviz.measures.ties import Ties

__all__ = ["mean_error_replicates", "median_error_replicates"]

# The order of records of equal score.
TIES: Ties = "listed"


def error_codes_drawn(
    lists: RetrievalLists, drawn: Drawn, k: int, *, share: float = 0.5
) -> NDArray[np.int64]:
    """Place of E_k of each replicate among the distinct scores, shape (R,).

    The number of distinct scores if there is none.
    """
    codes = nth_kept_error_code(lists, k)
    if not codes.size:
        return np.full(drawn.n, ranking(lists).threshold.size)
    order = np.argsort(codes)
    return codes[order[drawn.upper_place(order, share * (1 - QUANTILE_TOLERANCE))]]


class AtThresholds:
    """Means over the queries drawn, each replicate at thresholds of its own.

    Replicates agree on few thresholds. From one of these to the next only the records between them
    change anything, so that sums of all replicates at all of them cost little.

    Parameters
    ----------
    lists : RetrievalLists
    drawn : Drawn
        R replicates.
    codes : ndarray of int, shape (P, R)
        P thresholds of each replicate, as places among the distinct scores: at -1 nothing is
        retrieved, and at the number of scores or more everything.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import Drawn
    >>> from tapviz.measures.resampled import AtThresholds
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [True, False, False], [0, 2, 3], [1, 1])
    >>> at = AtThresholds(lists, Drawn.singly([[1, 1], [2, 0]]), np.array([[0, 0], [0, 2]]))
    >>> at.tap().tolist(), at.errors().tolist()
    ([[0.5, 1.0], [0.5, 0.75]], [[0.0, 0.0], [0.0, 1.0]])
    """

    def __init__(self, lists: RetrievalLists, drawn: Drawn, codes: NDArray[np.int64]) -> None:
        ranked = ranking(lists)
        clipped = np.minimum(codes, ranked.threshold.size - 1)
        distinct = np.unique(clipped)
        self._lists, self._drawn, self._size = lists, drawn, distinct.size
        self._place = np.searchsorted(distinct, clipped)
        first, last = distinct[[0, -1]].tolist()
        self._retrieved = n_retrieved(lists, first + 1)
        start, stop = (
            bisect_right(ranked.order, code, key=ranked.code.__getitem__) for code in (first, last)
        )
        # Those after the first threshold, list after list.
        record = np.sort(ranked.order[start:stop])
        row = row_of_query(lists).take(list_positions(lists).query.take(record))
        if lists.n_queries < lists.whole.n_queries:
            record, row = record[row >= 0], row[row >= 0]
        self._record, self._row = record, row
        self._step = np.searchsorted(distinct, ranked.code.take(record)).astype(np.int32)

    def tap(self) -> NDArray[np.float64]:
        """Mean TAP, shape (P, R)."""
        lists, row, step = self._lists, self._row, self._step
        start = tap_of(
            lists, np.nan, self._retrieved, no_relevant="reference", trim=0, ties=TIES
        ).per_query
        # Of the records that a list gains by a step, the last has its TAP.
        last = np.flatnonzero((np.diff(row, append=-1) != 0) | (np.diff(step, append=-1) != 0))
        record, row, step = self._record[last], row[last], step[last]
        gain = tap_at_records(lists, ties=TIES).take(record)
        without = np.flatnonzero(lists.n_relevant.take(row) == 0)
        gain[without] = 1 / (list_positions(lists).rank[record[without]] + 1)
        begins = np.diff(row, prepend=-1) != 0
        gain -= np.where(begins, start.take(row), np.roll(gain, 1))
        return self._means(start, step, row, gain)

    def errors(self) -> NDArray[np.float64]:
        """Mean errors per query, shape (P, R)."""
        start = self._retrieved - relevant_among(self._lists, self._retrieved)
        errors = ~self._lists.whole.relevant[self._record]
        one = np.ones(np.count_nonzero(errors))
        return self._means(start, self._step[errors], self._row[errors], one)

    def _means(
        self,
        start: NDArray[np.float64] | NDArray[np.int64],
        step: NDArray[np.int32],
        row: NDArray[np.int32],
        gain: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Of queries that start with some values at the first threshold, and gain by steps."""
        query = np.concatenate([np.arange(start.size, dtype=np.int32), row])
        place = np.concatenate([np.zeros(start.size, np.int32), step])
        table = self._drawn.cumulated(place, query, np.concatenate([start, gain]), self._size)
        return ratio(table[self._place, np.arange(self._drawn.n)], self._drawn.total())


def median_errors(
    lists: RetrievalLists,
    drawn: Drawn,
    codes: NDArray[np.int64],
    nth: Callable[[int], NDArray[np.int64]] | None = None,
) -> NDArray[np.float64]:
    """Errors of the median query, each replicate at thresholds of its own: shape (P, R).

    It has j errors where half of the queries do: at E_j and after.

    Parameters
    ----------
    lists : RetrievalLists
    drawn : Drawn
    codes : ndarray of int, shape (P, R)
        As in `AtThresholds`.
    nth : callable, optional
        `error_codes_drawn` of a number of errors, where it is known.
    """
    if not lists.n_queries:
        return np.full(codes.shape, np.nan)
    at = np.minimum(codes, ranking(lists).threshold.size - 1)
    retrieved = n_retrieved(lists, int(at.min()) + 1)
    errors = retrieved - relevant_among(lists, retrieved)
    if at.min() == at.max():
        order = np.argsort(-errors)
        median = errors[order[drawn.upper_place(order, 0.5 * (1 - QUANTILE_TOLERANCE))]]
        return np.broadcast_to(median.astype(np.float64), codes.shape)
    of = nth or partial(error_codes_drawn, lists, drawn)
    guess = int(error_quantile(errors, lists.weight, 0.5))
    found = np.zeros(codes.shape)
    fewer = guess
    while fewer and not (reached := of(fewer) <= at).all():
        found += reached
        fewer -= 1
    found += fewer
    more = guess + 1
    while (reached := of(more) <= at).any():
        found += reached
        more += 1
    return found


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
    return lambda drawn, code: AtThresholds(lists, drawn, code[None]).errors()[0]


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
    return lambda drawn, code: median_errors(lists, drawn, code[None])[0]
