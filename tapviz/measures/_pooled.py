"""The lists of all queries merged into one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, derived
from tapviz.measures._ranking import list_positions, query_weight, ranking, row_of_query

# So many of the best records are separated at first, then four times as many, ...
HEAD = 1 << 18


class PooledRecords(NamedTuple):
    """The records of one kind of all queries, best first."""

    query: NDArray[np.int32]
    code: NDArray[np.int32]


def pooled_records(lists: RetrievalLists) -> tuple[PooledRecords, PooledRecords]:
    """All relevant, and all irrelevant records."""
    return _pooled_head(lists, lists.whole.score.size)


def of_rows(lists: RetrievalLists, records: PooledRecords) -> PooledRecords:
    """Those of the queries of a subset, which are numbered anew."""
    row = row_of_query(lists)[records.query]
    return PooledRecords(row[row >= 0], records.code[row >= 0])


def pooled_to_error(lists: RetrievalLists, n: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Codes of the relevant and irrelevant records of the queries, merged, to the n-th error.

    With all that tie with it; all records, if there are fewer errors.
    """
    keep = None if lists.n_queries == lists.whole.n_queries else query_weight(lists) > 0
    relevant, irrelevant = records_to_error(lists, n, keep)
    if keep is None:
        return relevant.code, irrelevant.code
    return relevant.code[keep[relevant.query]], irrelevant.code[keep[irrelevant.query]]


def records_to_error(
    lists: RetrievalLists, n: int, keep: NDArray[np.bool_] | None = None
) -> tuple[PooledRecords, PooledRecords]:
    """The records of all queries, merged, to the n-th error of those to keep, by default of all.

    With all that tie with it; all records, if there are fewer errors.
    """
    size = lists.whole.score.size
    length = HEAD
    while True:
        relevant, irrelevant = _pooled_head(lists, min(length, size))
        end = _nth_error_end(irrelevant, n, keep)
        if end or length >= size:
            break
        length *= 4
    if end:
        last = irrelevant.code[end - 1]
        found = int(np.searchsorted(relevant.code, last, side="right"))
        relevant = PooledRecords(relevant.query[:found], relevant.code[:found])
        irrelevant = PooledRecords(irrelevant.query[:end], irrelevant.code[:end])
    return relevant, irrelevant


def _nth_error_end(errors: PooledRecords, n: int, keep: NDArray[np.bool_] | None) -> int:
    """How many errors there are up to the n-th of the queries to keep, and all that tie with it.

    0 if there are fewer than n. The first few are looked at, then four times as many, ...
    """
    if keep is None:
        last = n - 1
    else:
        length = 4 * n
        while True:
            place = np.flatnonzero(keep.take(errors.query[:length]))
            if place.size >= n or length >= errors.query.size:
                break
            length *= 4
        last = int(place[n - 1]) if place.size >= n else errors.query.size
    if last >= errors.code.size:
        return 0
    return int(np.searchsorted(errors.code, errors.code[last], side="right"))


@derived()
def _pooled_head(lists: RetrievalLists, length: int) -> tuple[PooledRecords, PooledRecords]:
    """The relevant and irrelevant ones of the best records, and of all that tie with the last."""
    ranked = ranking(lists)
    behind = ranked.first[length:]  # of which the first ones may tie with the last
    length += int(behind.argmax()) if behind.any() else behind.size
    order = ranked.order[:length]
    query, code = list_positions(lists).query.take(order), ranked.code.take(order)
    relevant = lists.relevant.take(order)
    irrelevant = ~relevant
    return (
        PooledRecords(query[relevant], code[relevant]),
        PooledRecords(query[irrelevant], code[irrelevant]),
    )
