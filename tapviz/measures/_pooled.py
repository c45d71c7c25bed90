"""The lists of all queries merged into one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, derived
from tapviz.measures._ranking import merged, query_weight, ranking

# So many of the best records are separated at first, then four times as many, ...
HEAD = 1 << 18


class PooledRecords(NamedTuple):
    """The records of one kind of all queries, best first."""

    query: NDArray[np.int32]
    code: NDArray[np.int32]


def pooled_records(lists: RetrievalLists) -> tuple[PooledRecords, PooledRecords]:
    """All relevant, and all irrelevant records."""
    return _pooled_head(lists, lists.whole.score.size)


def pooled_to_error(lists: RetrievalLists, n: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Codes of the relevant and irrelevant records of the queries, merged, to the n-th error.

    With all that tie with it; all records, if there are fewer errors.
    """
    size = lists.whole.score.size
    keep = None if lists.n_queries == lists.whole.n_queries else query_weight(lists) > 0
    length = HEAD
    while True:
        relevant, irrelevant = _pooled_head(lists, min(length, size))
        errors = irrelevant.code if keep is None else irrelevant.code[keep[irrelevant.query]]
        if errors.size >= n or length >= size:
            break
        length *= 4
    hits, query = relevant.code, relevant.query
    if errors.size >= n:
        errors = errors[: np.searchsorted(errors, errors[n - 1], side="right")]
        end = int(np.searchsorted(hits, errors[-1], side="right"))
        hits, query = hits[:end], query[:end]
    return hits if keep is None else hits[keep[query]], errors


@derived()
def _pooled_head(lists: RetrievalLists, length: int) -> tuple[PooledRecords, PooledRecords]:
    """The relevant and irrelevant ones of the best records, and of all that tie with the last."""
    query, code = merged(lists)
    length = int(np.searchsorted(code, code[length - 1], side="right")) if length else 0
    query, code = query[:length], code[:length]
    relevant = lists.relevant.take(ranking(lists).order[:length])
    irrelevant = ~relevant
    return (
        PooledRecords(query[relevant], code[relevant]),
        PooledRecords(query[irrelevant], code[irrelevant]),
    )
