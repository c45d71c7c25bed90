"""Lists as a table in a Parquet file, which `tapviz.readers.table` reads again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from tapviz.files.writing import write_atomically
from tapviz.lists import RetrievalLists
from tapviz.readers.condensed import kept_bytes

DIRECTION = b"tapviz.direction"
KEPT = b"tapviz.kept"
"""What the file says of itself: the direction of scores, and what was kept of condensed lists."""


def write_parquet(
    results: RetrievalLists | Mapping[str, RetrievalLists],
    path: str | os.PathLike[str] | BinaryIO,
    *,
    metadata: Mapping[bytes, bytes] = MappingProxyType({}),
) -> None:
    """Write lists as a table in a Parquet file that `read` or `read_all` reads again, to the bit.

    Parameters
    ----------
    results : RetrievalLists or mapping of str to RetrievalLists
        The lists, or those of several algorithms by name.
    path : path or binary file
        The file, which is replaced, or a file open for writing.
    metadata : mapping of bytes to bytes, optional
        What else the file says of itself.

    Raises
    ------
    ValueError
        If scores of one algorithm ascend and those of another descend, or the file cannot be
        written.

    Examples
    --------
    >>> from tapviz import load_results, read_all
    >>> from tapviz.readers import write_parquet
    >>> write_parquet(load_results("profiles"), "profiles.parquet")
    >>> sorted(read_all("profiles.parquet"))
    ['HMMER2 local', 'HMMER2 semi-global', 'HMMER3 hmmscan', 'RPS-BLAST']
    """
    from pyarrow import parquet  # noqa: PLC0415  # slow to import, and not needed for text

    by_name = {"": results} if isinstance(results, RetrievalLists) else dict(results)
    directions = {lists.direction for lists in by_name.values()}
    if len(directions) != 1:
        msg = "expected results of one direction: write those of others to a file of their own"
        raise ValueError(msg)
    tables = [_to_arrow(name, lists) for name, lists in by_name.items()]
    table = pa.concat_tables(tables, promote_options="default")
    if list(by_name) == [""]:
        table = table.drop_columns(["algorithm"])
    described: dict[bytes, bytes | str] = {**metadata, DIRECTION: directions.pop()}
    if isinstance(results, RetrievalLists) and results.kept is not None:
        described[KEPT] = kept_bytes(results)
    elif any(lists.kept is not None for lists in by_name.values()):
        msg = (
            "expected condensed lists of one algorithm: write those of others to files of their own"
        )
        raise ValueError(msg)
    table = table.replace_schema_metadata(described)
    out = pa.BufferOutputStream()
    parquet.write_table(table, out)
    if isinstance(path, (str, os.PathLike)):
        write_atomically(path, memoryview(out.getvalue()))
    else:
        path.write(out.getvalue())


def _to_arrow(name: str, lists: RetrievalLists) -> pa.Table:
    """Rows of the records, and one without score for each empty list."""
    length = np.diff(lists.offset)
    rows = np.repeat(np.arange(lists.n_queries), np.maximum(length, 1))
    empty = np.repeat(length == 0, np.maximum(length, 1))
    at = np.cumsum(~empty) - 1

    def of_record(values: Any, kind: pa.DataType) -> pa.Array:
        if not lists.score.size:
            return pa.nulls(rows.size, kind)
        return pa.array(values[np.maximum(at, 0)], kind, mask=empty)

    def of_query(texts: Any) -> pa.Array:
        return pa.array(texts.tolist(), pa.string()).take(pa.array(rows))

    columns = {
        "algorithm": pa.repeat(name, rows.size),
        "query": of_query(lists.query),
        "record": pa.nulls(rows.size, pa.string())
        if lists.record is None
        else of_record(lists.record, pa.string()),
        "score": of_record(lists.score, pa.float64()),
        "relevant": of_record(lists.relevant, pa.bool_()),
        "n_relevant": pa.array(lists.n_relevant[rows]),
        "weight": pa.array(lists.weight[rows]),
    }
    if lists.record is None:
        del columns["record"]
    if lists.n_irrelevant is not None:
        columns["n_irrelevant"] = pa.array(lists.n_irrelevant[rows])
    if lists.query_class is not None:
        columns["class"] = of_query(lists.query_class)
    if lists.reported_how is not None:
        columns["reported_to"] = pa.array(lists.reported_to[rows])
        columns["reported_how"] = pa.repeat(lists.reported_how, rows.size)
    return pa.table(columns)
