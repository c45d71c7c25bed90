"""Tables of Arrow, in Parquet files and in memory; and lists written as Parquet.

What is known of the whole ones of condensed lists travels beside the table.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tapviz.files import MAX_CELL, MAX_PROBLEMS, TEXT, Budget, Problems, ReadError, Source, refuse
from tapviz.files.parquet import groups
from tapviz.files.small import json_of
from tapviz.files.tables import cast, coded
from tapviz.lists import Kept, RetrievalLists, write_atomically
from tapviz.readers import _table, per_query
from tapviz.readers._table import Layout
from tapviz.readers.options import ReadOptions
from tapviz.readers.table import DIRECTION, Contents, Table, judged, layout_by

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile


KEPT = b"tapviz.kept"
"""What a file says of itself: what was kept of condensed lists."""
LISTS, ABOUT = "lists.parquet", "condensed.json"
"""Files of the folder that `tapviz condense` makes."""
WRITTEN = (
    *("algorithm", "query", "record", "score", "relevant", "n_relevant", "weight"),
    *("n_irrelevant", "class", "reported_to", "reported_how"),
)
DAMAGE = (pa.ArrowException, OSError, MemoryError, OverflowError, LookupError, UnicodeDecodeError)
"""What reading of a damaged file raises, the last one for the name of a column."""
USUAL = {"evalue": "score", "query_class": "class"}
"""Columns of a file of lists, and those that `to_frame` calls otherwise."""


def read(source: Source, options: ReadOptions, problems: Problems) -> Contents:
    """Read a Parquet file with such columns.

    Raises
    ------
    ReadError
        If it is damaged or a value is not as it should be.
    """
    from pyarrow import parquet  # noqa: PLC0415  # slow to import, and not needed for text

    try:
        with source.binary() as stream:
            schema = parquet.read_schema(stream)
            if header := per_query.Header.of(schema.names):
                _check_size(source, [*range(len(schema.names))], Budget(source.file))
                return per_query.from_columns(parquet.read_table(stream), header, options, problems)
            layout = _layout_of(schema.names, options, problems)
            # A text that is in all rows must not be read once for each.
            wanted = [schema.names[column.at] for column in layout.columns]
            for name in wanted:
                _check_type(schema.field(name), problems)
            problems.raise_any()
            budget = Budget(source.file)
            file = parquet.ParquetFile(stream, read_dictionary=wanted)
            leaves = enumerate(file.schema.column(at).path for at in range(len(file.schema)))
            _check_size(source, [at for at, path in leaves if path in wanted], budget)
            table = _read_groups(file, wanted, budget)
    except DAMAGE as error:
        message = f"the Parquet file is damaged or not a table ({error}); copy or write it again"
        raise ReadError.of("Encoding", source.file, message) from None
    return _parsed(table, layout, options, problems)


def read_arrow(table: pa.Table, options: ReadOptions, problems: Problems) -> Contents:
    """Read a table in memory with such columns; problems count its rows from 1.

    Raises
    ------
    ReadError
        If a value is not as it should be.
    """
    if header := per_query.Header.of(table.column_names):
        return per_query.from_columns(table, header, options, problems)
    layout = _layout_of(table.column_names, options, problems)
    columns = table.select([column.at for column in layout.columns])
    return _parsed(columns, layout, options, problems)


def _layout_of(columns: Sequence[str], options: ReadOptions, problems: Problems) -> Layout:
    """Layout of a table without lines, by the names of its columns."""
    return layout_by(columns, ", ", options, problems, (None, ", ".join(columns)))


def _check_type(field: pa.Field, problems: Problems) -> None:
    """Note a column that holds neither texts nor numbers, and might hold anything."""
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    texts = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.null())
    if not (kind in texts or pa.types.is_primitive(kind) or pa.types.is_decimal(kind)):
        message = f"column {field.name}: expected texts or numbers, found {kind}"
        problems.add("Encoding", None, str(kind), message)


def _check_size(source: Source, columns: Sequence[int], budget: Budget) -> None:
    """Raise `ReadError` if a file is larger than it seems."""
    unpacked = 0
    with source.binary() as stream:
        for n_rows, size in groups(stream, columns):
            budget.take(_table.ROW * n_rows)
            unpacked += size
            source.check_unpacked(unpacked, "write it with other settings, or as text")


def _read_groups(file: ParquetFile, columns: list[str], budget: Budget) -> pa.Table:
    """Read columns group by group, as far as they fit into the memory."""
    tables = []
    for at in range(file.num_row_groups):
        table = file.read_row_group(at, columns=columns).select(columns)
        table.validate(full=True)  # that texts are UTF-8, and so on
        codes = [column for column in table.columns if pa.types.is_dictionary(column.type)]
        texts = [part.dictionary for column in codes for part in column.chunks]
        budget.take(sum(part.nbytes + TEXT * len(part) for part in texts))
        tables.append(table)
    return pa.concat_tables(tables) if tables else file.read(columns=columns).select(columns)


def _parsed(table: pa.Table, layout: Layout, options: ReadOptions, problems: Problems) -> Contents:
    """Read the columns of a layout, by what `write_parquet` noted; rows of problems count from 1.

    Raises
    ------
    ReadError
        If a value is not as it should be.
    """
    parsed = _table.Parsed([], [])
    for column, values in zip(layout.columns, table.columns, strict=True):
        is_text = len(parsed.texts) < len(layout.texts)
        try:
            if is_text:
                texts, codes = coded(values, "", MAX_CELL + 1)  # longer ones are wrong
                ids = pa.array(texts, pa.string())
                parsed.texts.append(pa.DictionaryArray.from_arrays(codes, ids))
                continue
            numbers = cast(values, pa.float64())
        except pa.ArrowException:
            wanted = pa.string() if is_text else pa.float64()
            message = f"column {column.name}: expected {wanted}, found {values.type}"
            problems.add("NotANumber", None, str(values.type), message)
            continue
        if pc.any(pc.is_nan(numbers)).as_py():
            message = f"column {column.name}: expected finite numbers, found NaN"
            problems.add("NonFinite", None, "", message)
        parsed.numbers.append(numbers.to_numpy())
    problems.raise_any()
    for row in np.flatnonzero(_table.wrong_rows(parsed, layout))[:MAX_PROBLEMS].tolist():
        cells = [""] * layout.width
        for column, codes in zip(layout.texts, parsed.texts, strict=True):
            cells[column.at] = codes[row].as_py()
        for column, values in zip(layout.numbers, parsed.numbers, strict=True):
            value = values[row].item()
            cells[column.at] = "" if math.isnan(value) else repr(value)
        _table.read_cells(cells, row + 1, ", ".join(cells), layout, problems)
    problems.raise_any()
    columns = zip(layout.texts, parsed.texts, strict=True)
    known = {one.name: (of.dictionary.to_pylist(), of.indices.to_numpy()) for one, of in columns}
    noted = table.schema.metadata or {}
    rows = Table(layout, known, parsed.numbers, problems)
    contents = judged(rows, options, noted.get(DIRECTION, b""))
    lists = {name: one for name, one in contents.items() if isinstance(one, RetrievalLists)}
    if not lists or KEPT not in noted:
        return contents
    return {name: with_kept(one, noted[KEPT], problems.file) for name, one in lists.items()}


def write_parquet(
    results: RetrievalLists | Mapping[str, RetrievalLists],
    path: str | os.PathLike[str] | BinaryIO,
    *,
    metadata: Mapping[bytes, bytes] = MappingProxyType({}),
    new: bool = False,
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
    new : bool
        Whether there must be no such file yet.

    Raises
    ------
    FileExistsError
        If there must be none, and there is.
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
        refuse("expected results of one direction: write those of others to a file of their own")
    tables = [_to_arrow(name, lists) for name, lists in by_name.items()]
    table = pa.concat_tables(tables, promote_options="default")
    if list(by_name) == [""]:
        table = table.drop_columns(["algorithm"])
    described: dict[bytes, bytes | str] = {**metadata, DIRECTION: directions.pop()}
    if isinstance(results, RetrievalLists) and results.kept is not None:
        described[KEPT] = kept_bytes(results, results.kept)
    elif any(lists.kept is not None for lists in by_name.values()):
        others = "write those of others to files of their own"
        refuse(f"expected condensed lists of one algorithm: {others}")
    table = table.replace_schema_metadata(described)
    out = pa.BufferOutputStream()
    parquet.write_table(table, out)
    if isinstance(path, (str, os.PathLike)):
        write_atomically(path, memoryview(out.getvalue()), new=new)
    else:
        path.write(out.getvalue())


def _to_arrow(name: str, lists: RetrievalLists) -> pa.Table:
    """Rows of the records, and one without score for each empty list."""
    table: pa.Table = lists.to_frame("arrow")
    is_coded = pa.types.is_dictionary
    plain = [one.cast(pa.string()) if is_coded(one.type) else one for one in table.columns]
    names = (USUAL.get(one, one) for one in table.column_names)
    columns = dict(zip(names, plain, strict=True))
    columns.setdefault("weight", pa.repeat(1.0, len(table)))
    columns["algorithm"] = pa.repeat(name, len(table))
    return pa.table({column: columns[column] for column in WRITTEN if column in columns})


# Condensed lists


def lists_in(path: object) -> Path | None:
    """The file of lists in the folder of a condensed data set; None if it is no such folder."""
    if not isinstance(path, (str, os.PathLike)) or not os.path.isfile(Path(path) / ABOUT):  # noqa: PTH113  # False of a name that is too long
        return None
    return Path(path) / LISTS


def kept_bytes(lists: RetrievalLists, kept: Kept) -> bytes:
    """What is known of condensed lists besides their records."""
    query = pa.array(lists.query.tolist(), pa.string())
    columns = {"query": query, "length": kept.length, "found": kept.found}
    columns |= {name: as_column(values) for name, values in kept.values.items()}
    told = {name: getattr(kept, name) for name in ("e_keep", "n_errors", "graded")}
    told["class_level"] = lists.class_level
    table = pa.table(columns).replace_schema_metadata({"tapviz": json.dumps(told)})
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def as_column(values: NDArray[np.generic]) -> pa.Array:
    """Values of each query, one or several, as a column of Arrow."""
    if values.ndim == 1:
        return pa.array(values)
    return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])


def with_kept(lists: RetrievalLists, told: bytes, file: str) -> RetrievalLists:
    """Lists that know what was kept of them, by what `kept_bytes` wrote.

    Raises
    ------
    ReadError
        If that does not belong to these lists.
    """
    try:
        table = pa.ipc.open_stream(told).read_all().combine_chunks()
        known = json_of(table.schema.metadata[b"tapviz"], file, finite=False)
        of_kept = [name for name in table.column_names if name not in ("query", "length", "found")]
        values = {name: values_of(table[name]) for name in of_kept}
        length, found = table["length"].to_numpy(), table["found"].to_numpy()
        of_these = table["query"].to_pylist() == lists.query.tolist()
        if not of_these or (length < np.diff(lists.offset)).any():
            raise _damaged(file)
        e_keep, n_errors = known["e_keep"] + 0.0, known["n_errors"] + 0
        kept = Kept(e_keep, n_errors, length, found, values, bool(known["graded"]))
        return lists.replaced(kept=kept, class_level=known["class_level"])
    except (pa.ArrowException, KeyError, TypeError, ValueError, OSError) as error:
        if isinstance(error, ReadError):
            raise
        raise _damaged(file) from None


def values_of(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """Values that `as_column` made a column of."""
    if not pa.types.is_fixed_size_list(column.type):
        return np.asarray(column.to_numpy())
    flat: NDArray[np.float64] = np.concatenate([np.zeros(0), *(c.flatten() for c in column.chunks)])
    return flat.reshape(-1, column.type.list_size)


def _damaged(file: str) -> ReadError:
    message = "what was noted when these lists were condensed is damaged; condense the files again"
    return ReadError.of("Encoding", file, message)
