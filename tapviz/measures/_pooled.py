"""The lists of all queries merged into one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, derived
from tapviz.measures._ranking import list_positions, ranking


class PooledRecords(NamedTuple):
    """The records of one kind of all queries, best first."""

    query: NDArray[np.int32]
    code: NDArray[np.int32]


@derived()
def pooled_records(lists: RetrievalLists) -> tuple[PooledRecords, PooledRecords]:
    """All relevant, and all irrelevant records."""
    order = ranking(lists).order
    query, code = list_positions(lists).query[order], ranking(lists).code[order]
    relevant = lists.relevant[order]
    return (
        PooledRecords(query[relevant], code[relevant]),
        PooledRecords(query[~relevant], code[~relevant]),
    )
