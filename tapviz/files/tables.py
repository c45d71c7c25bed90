"""What somebody gives in place of a file: a table, a mapping, rows, or an open file."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat, takewhile, zip_longest
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tapviz.files.problems import ReadError
from tapviz.files.source import CHUNK, File, Held, name_of, printable, together

FileLike = Any
"""A `File`, an open file, a table of any library that speaks Arrow, a mapping, or rows."""
IDS = {
    "query": {"query id", "query acc.ver", "query acc.", "qseqid", "qaccver", "qacc", "qid"}
    | {"query_id", "query-id", "queryid", "q_id"},
    "record": {"subject id", "subject acc.ver", "subject acc.", "subject ids", "target id"}
    | {"target", "sseqid", "saccver", "sacc", "tid", "docno", "hit", "target_id", "record_id"}
    | {"doc_id", "docid", "corpus-id", "corpus_id"},
}
"""What programs and libraries call the columns of ids."""
QUERY = {"query", *IDS["query"]}
RECORD = {"record", "subject", "document", "doc", *IDS["record"]}
ID = {"id", "__index_level_0__", *QUERY, *RECORD}
"""Names of a column of ids of either kind, one of them that of an index of pandas without a name"""
SEVERAL = (list, tuple, set, frozenset)
SCORED = ("query", "record", "score")
ARROW = "__arrow_c_stream__"
BLANKS = " \t"
"""What is not part of an id at its ends."""


@dataclass(frozen=True, eq=False)
class Tabled:
    """A table in memory with a name for messages; equal to itself alone.

    Attributes
    ----------
    name : str
    table : pyarrow.Table
    direction : {"ascending", "descending"}, optional
        Whether small or large scores are better, where what it was made of says so.
    """

    name: str
    table: pa.Table = field(repr=False)
    direction: Literal["ascending", "descending"] | None = None

    def rows(self, *roles: Collection[str]) -> Iterator[list[str]]:
        """Yield the cells of each row as texts.

        Parameters
        ----------
        *roles : collection of str
            What columns may be called, in small letters. If the first two, or the only one, are
            there, those that are there are given, else all columns in their order. A third one
            may be called anything, if it is the only other one.

        Raises
        ------
        ReadError
            If a column holds neither texts nor numbers, or several could be the third one.
        """
        names = [name.strip().lower() for name in self.table.column_names]
        found = [next((at for at, name in enumerate(names) if name in of), -1) for of in roles]
        known = bool(found) and -1 not in found[:2]
        if others := [at for at in range(len(names)) if known and -1 in found and at not in found]:
            if len(others) > 1:
                message = f"expected a column {min(roles[-1])}; there are {', '.join(names)}"
                raise ReadError.of("MissingColumn", self.name, message)
            found[-1] = others[0]
        places = [at for at in found if at >= 0] if known else range(len(names))
        yield from map(list, zip(*[self._texts(at) for at in places], strict=True))

    def data(self) -> bytes:
        """The table as CSV."""
        out = io.StringIO()
        csv.writer(out).writerows([self.table.column_names, *self.rows()])
        return out.getvalue().encode()

    def _texts(self, at: int) -> list[str]:
        column = self.table.column(at)
        try:
            if pa.types.is_boolean(column.type):
                column = column.cast(pa.int8())
            return [text or "" for text in cast(column, pa.large_string()).to_pylist()]
        except pa.ArrowException:
            name = self.table.column_names[at]
            message = f"column {name}: expected texts or numbers, found {column.type}"
            raise ReadError.of("Encoding", self.name, message) from None


def cast(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """A column of another type; texts that it has as codes are not written out for each row."""
    if not pa.types.is_dictionary(column.type):
        return column.cast(kind)
    parts = [part.dictionary.cast(kind).take(part.indices) for part in column.chunks]
    return pa.chunked_array(parts, kind)


def coded(
    column: pa.ChunkedArray, nothing: str | None = None, longest: int | None = None
) -> tuple[list[str], NDArray[np.int32]]:
    """Distinct texts of a column, as they appear, and which one each row has, -1 for none.

    Blanks around a text are not part of it, as in files.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
        Of texts or numbers, perhaps as codes.
    nothing : str, optional
        Text of rows without one.
    longest : int, optional
        Characters to which texts are cut.
    """
    if not pa.types.is_dictionary(column.type):
        column = column.cast(pa.large_string()).dictionary_encode()
    kind = pa.dictionary(pa.int32(), pa.large_string())
    if not (parts := column.cast(kind).unify_dictionaries().chunks):
        return [], np.empty(0, np.int32)
    known = pc.utf8_slice_codeunits(parts[0].dictionary, 0, longest).to_pylist()
    texts = [nothing if text is None else text.strip(BLANKS) for text in known] + [nothing]
    codes = np.concatenate([part.indices.fill_null(len(known)).to_numpy() for part in parts])
    # A dictionary may hold what no row has, in any order, or one text twice.
    used = pa.array(codes).dictionary_encode()
    of_used = [texts[code] for code in used.dictionary.to_pylist()]
    coded = pa.array(of_used, pa.large_string()).dictionary_encode()
    place: NDArray[np.int32] = coded.indices.fill_null(-1).to_numpy()
    return coded.dictionary.to_pylist(), place[used.indices.to_numpy()]


def held(given: FileLike, name: str = "table") -> File | Tabled:
    """What was given, as a file or a table.

    Parameters
    ----------
    given : path, Held, open file, table, mapping or rows
        A table is that of pandas, polars (also a lazy one) or any library that speaks Arrow. Of a
        mapping, ``{query: {record: value}}``, ``{id: value}`` and ``{id: [value, ...]}`` become
        rows; so do objects with ``to_dict``, as those of ranx, and tuples, as those of ir_measures.
    name : str
        What messages call what has no name.

    Raises
    ------
    ReadError
        If it cannot be read.
    TypeError
        If it is nothing of these.

    Examples
    --------
    >>> from tapviz.files.tables import held
    >>> list(held({"q1": {"d1": 1, "d2": 0}}).rows())
    [['q1', 'd1', '1'], ['q1', 'd2', '0']]
    """
    if isinstance(given, (str, os.PathLike, Held, Tabled)):
        return given
    if hasattr(given, "read"):
        return _read(given, name)
    given = _plain(given)
    if hasattr(given, ARROW):
        try:
            return Tabled(name, pa.table(given))
        except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
            message = f"a column has values of different kinds ({error})"
            raise ReadError.of("Encoding", name, message) from None
    if isinstance(given, Mapping):
        return Tabled(name, _table([*_flat(given)]))
    several = isinstance(given, Iterable) and not isinstance(given, bytes)
    rows: list[Any] = [*given] if several else [given]
    if not all(isinstance(row, (tuple, list)) for row in rows):
        kind = type(given).__name__
        raise TypeError(f"expected a file, a table with named columns, or a mapping; found {kind}")
    return Tabled(name, _table(rows))


def scored(given: FileLike, name: str = "table") -> File | Tabled:
    """Results as a file or a table: of ``{query: {record: score}}`` large scores are better."""
    plain = _plain(given)
    if isinstance(plain, Mapping):
        nothing = pa.schema(dict.fromkeys(SCORED, pa.string())).empty_table()
        table = _table([*_flat(plain, empty=True)]) if plain else nothing
    else:
        found = held(plain, name)
        if not isinstance(found, Tabled) or found is plain or hasattr(plain, ARROW):
            return found
        table = found.table
    if "0" in table.column_names:
        if table.num_columns > len(SCORED):
            message = f"expected query, record and score in a row, found {table.num_columns} values"
            raise ReadError.of("BadColumnCount", name, message)
        table = table.rename_columns(SCORED[: table.num_columns])
    return Tabled(name, table, "descending")


def named_sources(results: FileLike) -> Mapping[str, FileLike] | None:
    """Files and tables by the names of algorithms; None if it is one of them.

    What maps queries to records with scores is one.
    """
    if not isinstance(results, Mapping) or is_columns(results):
        return None
    for query, score in results.items():
        if isinstance(score, (int, float)):
            raise TypeError(f"expected {{query: {{record: score}}}}, found {score} for {query}")
    plain = all(
        isinstance(own, Mapping) and not any(isinstance(one, Mapping) for one in own.values())
        for own in results.values()
    )
    return None if plain else results


def _plain(given: FileLike) -> FileLike:
    """A lazy frame as a table; a Series of pandas, or what ranx has, as a mapping."""
    if hasattr(given, "collect") and not hasattr(given, ARROW):
        return given.collect()
    if isinstance(given, Mapping) and is_columns(given):
        return table_of(given)
    has_rows = hasattr(given, ARROW) and type(given).__name__ != "Series"
    if hasattr(given, "to_dict") and not has_rows and not isinstance(given, Mapping):
        return given.to_dict()
    return given


def is_columns(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping has the columns of a table by their names."""
    sizes = {
        -1 if isinstance(own, (str, Mapping)) or not hasattr(own, "__len__") else len(own)
        for own in given.values()
    }
    is_named = not {*ID, "algorithm"}.isdisjoint(given)
    return is_named and len(given) > 1 and len(sizes) == 1 and -1 not in sizes


def table_of(columns: Mapping[Any, Sequence[Any]]) -> pa.Table:
    """Columns of any values as a table; values of several types become texts."""
    return pa.table({printable(str(name)): _column(values) for name, values in columns.items()})


def _read(file: Any, name: str) -> Held:
    """What an open file has from here on; its own name is what messages call it."""
    own = getattr(file, "name", None)
    name = name_of(own) if isinstance(own, (str, os.PathLike)) else name
    try:
        return Held(name, together(takewhile(bool, map(file.read, repeat(CHUNK))), name))
    except ReadError:
        raise
    except (OSError, ValueError) as error:
        raise ReadError.of("NotFound", name, f"cannot be read: {error}") from None


def _flat(given: Mapping[Any, Any], *, empty: bool = False) -> Iterator[tuple[Any, ...]]:
    """Rows of a mapping, whose values may be mappings or several; one of an empty one, if asked."""
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield from ((key, *pair) for pair in value.items() or [(None, None)] * empty)
        elif isinstance(value, SEVERAL):
            for one in value:
                yield (key, *one) if isinstance(one, tuple) else (key, one)
        else:
            yield key, value


def _table(rows: Sequence[Sequence[Any]]) -> pa.Table:
    """Rows as a table, with the names of their fields or the places of the columns."""
    columns = [*zip_longest(*rows)]
    names = getattr(rows[0], "_fields", map(str, range(len(columns)))) if rows else []
    return table_of(dict(zip(names, columns, strict=True)))


def _column(values: Sequence[Any]) -> pa.Array:
    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):  # of several types
        return pa.array([None if one is None else printable(str(one)) for one in values])
