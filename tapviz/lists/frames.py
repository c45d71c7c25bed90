"""Lists as a table of Arrow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.lists.lists import RetrievalLists


def to_arrow(lists: RetrievalLists) -> pa.Table:
    """All records: see `RetrievalLists.to_frame`, which this does the work of."""
    length = np.diff(lists.offset)
    row = np.repeat(np.arange(length.size), np.maximum(length, 1))
    empty = length[row] == 0
    record = np.zeros(row.size, np.int64)
    record[~empty] = np.arange(lists.score.size)
    place = pa.array(record, mask=empty)

    def of_records(values: NDArray[Any], kind: pa.DataType) -> pa.Array:
        column = pa.array(values, kind)
        return (column.dictionary_encode() if kind == pa.string() else column).take(place)

    def of_queries(ids: NDArray[Any]) -> pa.Array:
        return pa.array(ids.tolist(), pa.string()).dictionary_encode().take(pa.array(row))

    columns = {"query": of_queries(lists.query)}
    if lists.record is not None:
        columns["record"] = of_records(lists.record, pa.string())
    score = "evalue" if lists.direction == "ascending" else "score"
    columns[score] = of_records(lists.score, pa.float64())
    columns["relevant"] = of_records(lists.relevant, pa.bool_())
    columns["n_relevant"] = pa.array(lists.n_relevant[row])
    if (lists.weight != 1).any():
        columns["weight"] = pa.array(lists.weight[row])
    if lists.query_class is not None:
        columns["query_class"] = of_queries(lists.query_class)
    if lists.n_irrelevant is not None:
        columns["n_irrelevant"] = pa.array(lists.n_irrelevant[row])
    if lists.reported_how is not None:
        columns["reported_to"] = pa.array(lists.reported_to[row])
        columns["reported_how"] = of_queries(np.full(length.size, lists.reported_how))
    return pa.table(columns)
