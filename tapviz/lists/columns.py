"""Columns of a table as CSV or Parquet."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from tapviz.lists.spreadsheet import as_csv
from tapviz.lists.writing import write_atomically


def write_columns(columns: Mapping[str, Sequence[Any]], path: str | os.PathLike[str]) -> None:
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
        msg = f"{os.fspath(path)}: expected a name that ends in .csv or .parquet"
        raise ValueError(msg)
    write_atomically(path, columns_csv(columns) if ending == ".csv" else columns_parquet(columns))


def columns_csv(columns: Mapping[str, Sequence[Any]]) -> str:
    r"""Columns as CSV.

    Examples
    --------
    >>> from tapviz.lists.columns import columns_csv
    >>> columns_csv({"query": ["a"], "MAP": [0.1]})
    'query,MAP\na,0.1\n'
    """
    rows = zip(*([_cell(one) for one in values] for values in columns.values()), strict=True)
    return as_csv([list(columns), *rows])


def columns_parquet(columns: Mapping[str, Sequence[Any]]) -> memoryview:
    """Columns as the bytes of a Parquet file.

    Examples
    --------
    >>> from tapviz.lists.columns import columns_parquet
    >>> bytes(columns_parquet({"query": ["a"], "MAP": [0.1]})[:4])
    b'PAR1'
    """
    from pyarrow import parquet  # noqa: PLC0415  # slow to import, and not needed for text

    out = pa.BufferOutputStream()
    plain = {name: [_cell(one) for one in values] for name, values in columns.items()}
    numbers = {name: [None if one == "" else one for one in of] for name, of in plain.items()}
    parquet.write_table(pa.table(numbers), out)
    return memoryview(out.getvalue())


def _cell(value: Any) -> Any:
    return "" if isinstance(value, float) and math.isnan(value) else value
