"""Writing a file, all of it or nothing; lists as a table of Arrow, and columns as CSV or Parquet.

CSV is such that a spreadsheet opens it without running what is written in names and ids.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tapviz.lists.lists import RetrievalLists

FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def write_atomically(
    path: str | os.PathLike[str], content: str | bytes | memoryview, *, new: bool = False
) -> None:
    r"""Write a file beside the old one, and put it in its place when it is complete.

    If it cannot be written, the old file stays as it was. What is not a regular file, such as
    ``/dev/stdout``, is written to as it is.

    Parameters
    ----------
    path : path
        The file, which is replaced; its permissions are kept. Where it is a link, the file that
        it leads to.
    content : str, bytes or memoryview
        Text is written as UTF-8, line ends as they are.
    new : bool
        Whether there must be no such file yet, whoever else writes at the same moment.

    Raises
    ------
    FileExistsError
        If there must be none, and there is.
    ValueError
        If the file cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tapviz.lists.writing import write_atomically
    >>> write_atomically("note.txt", "TAP-5 is 0.71\n")
    >>> Path("note.txt").read_text()
    'TAP-5 is 0.71\n'
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        given, target = Path(path), Path(os.path.realpath(path))
        if new and os.path.lexists(given):
            raise FileExistsError(given)
        if given.exists() and not (target.is_file() and target.samefile(given)):
            given.write_bytes(data)
        else:
            _replace(target, data, new=new)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        if new and isinstance(error, FileExistsError):
            raise
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{os.fspath(path)}: cannot be written: {reason}") from error


def _replace(target: Path, data: bytes | memoryview, *, new: bool) -> None:
    beside = target.with_name(f".{secrets.token_hex(8)}.tapviz")
    try:
        with beside.open("xb") as file:
            if target.exists():
                beside.chmod(target.stat().st_mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # some file systems notice only now that the disk is full
        if new:
            _link(beside, target)
        else:
            beside.replace(target)
    except BaseException:  # an interrupt, too, leaves nothing beside the old file
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _link(beside: Path, target: Path) -> None:
    """Give a file its name, unless something else has it; no other process can come between."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # a file system without links: take the name, fill it
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        beside.replace(target)
    else:
        beside.unlink()


# Tables


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV; an apostrophe goes before a text that a spreadsheet would take for a formula.

    Numbers, also those that are given as text, are as they are.

    Examples
    --------
    >>> from tapviz.lists.writing import as_csv
    >>> print(as_csv([["record", "change"], ["=1+1", -0.5], ["a,b", "-3"]]), end="")
    record,change
    '=1+1,-0.5
    "a,b",-3
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue()


def _harmless(cell: object) -> object:
    if not isinstance(cell, str) or NUMBER.fullmatch(cell):
        return cell
    guard = "'" if FORMULA.match(cell) else ""
    return guard + cell.replace("\r", " ")  # which else would begin a row


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
    >>> from tapviz.lists.writing import write_columns
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
    >>> from tapviz.lists.writing import columns_csv
    >>> columns_csv({"query": ["a"], "MAP": [0.1]})
    'query,MAP\na,0.1\n'
    """
    rows = zip(*(map(_cell, values) for values in columns.values()), strict=True)
    return as_csv([list(columns), *rows])


def columns_parquet(columns: Mapping[str, Sequence[object]]) -> memoryview:
    """Columns as the bytes of a Parquet file.

    Examples
    --------
    >>> from tapviz.lists.writing import columns_parquet
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
