"""Lists as a table of Arrow, and columns as CSV or Parquet."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.lists.spreadsheet import as_csv
from tapviz.lists.writing import write_atomically

if TYPE_CHECKING:
    from tapviz.lists.lists import RetrievalLists


def write_columns(columns: Mapping[str, Sequence[object]], path: str | os.PathLike[str]) -> None:
    """Write columns, in full precision, to a file that ends in .csv or .parquet.

    Parameters
    ----------
    columns : mapping of str to sequence
        All of the same length; NaN is left empty.
    path : path
        The file, which is replaced.

    Raises
    ------
    ValueError
        If it ends in something else, or cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tapviz.lists.columns import write_columns
    >>> write_columns({"query": ["a", "b"], "MAP": [0.5, float("nan")]}, "own.csv")
    >>> print(Path("own.csv").read_text(), end="")
    query,MAP
    a,0.5
    b,
    """
    ending = Path(path).suffix.lower()
    if ending not in (".csv", ".parquet"):
        raise ValueError(f"{os.fspath(path)}: expected a name that ends in .csv or .parquet")
    write_atomically(path, columns_csv(columns) if ending == ".csv" else columns_parquet(columns))


def columns_csv(columns: Mapping[str, Sequence[object]]) -> str:
    r"""Columns as CSV.

    Examples
    --------
    >>> from tapviz.lists.columns import columns_csv
    >>> columns_csv({"query": ["a"], "MAP": [0.1]})
    'query,MAP\na,0.1\n'
    """
    rows = zip(*(map(_cell, values) for values in columns.values()), strict=True)
    return as_csv([list(columns), *rows])


def columns_parquet(columns: Mapping[str, Sequence[object]]) -> memoryview:
    """Columns as the bytes of a Parquet file.

    Examples
    --------
    >>> from tapviz.lists.columns import columns_parquet
    >>> bytes(columns_parquet({"query": ["a"], "MAP": [0.1]})[:4])
    b'PAR1'
    """
    from pyarrow import parquet  # noqa: PLC0415  # slow to import, and not needed for text

    out = pa.BufferOutputStream()
    cells = {name: list(map(_cell, values)) for name, values in columns.items()}
    table = {name: [None if cell == "" else cell for cell in of] for name, of in cells.items()}
    parquet.write_table(pa.table(table), out)
    return memoryview(out.getvalue())


def _cell(value: object) -> object:
    return "" if isinstance(value, float) and math.isnan(value) else value


def to_arrow(lists: RetrievalLists) -> pa.Table:
    """Return all records: see `RetrievalLists.to_frame`, which this does the work of."""
    length = np.diff(lists.offset)
    row = np.repeat(np.arange(length.size), np.maximum(length, 1))
    empty = length[row] == 0
    record = np.zeros(row.size, np.int64)
    record[~empty] = np.arange(lists.score.size)
    place = pa.array(record, mask=empty)

    def of_records(values: NDArray[np.generic], kind: pa.DataType) -> pa.Array:
        column = pa.array(values, kind)
        return (column.dictionary_encode() if kind == pa.string() else column).take(place)

    def of_queries(ids: NDArray[np.str_]) -> pa.Array:
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
