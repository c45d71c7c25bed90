"""Tables in memory, of any library that speaks Arrow, as hits, grades and retrieval lists.

Ids stay codes: only the distinct ones become Python strings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tapviz.files.tables import FileLike, coded
from tapviz.labels.classes import ClassTable
from tapviz.labels.hits import Hits
from tapviz.labels.join import Labels
from tapviz.labels.qrels import Qrels
from tapviz.lists import Direction, Frame, RetrievalLists
from tapviz.lists.checks import Floats, places
from tapviz.lists.reported import with_ends

SCORES: dict[str, Direction] = {"evalue": "ascending", "score": "descending"}
"""Columns that records are ranked by, the first that is there; and whether small ones are good."""

REPORTED = ("reported_to", "reported_how")
"""Columns that say how far the lists go."""

Totals = Mapping[str, int] | None
"""T(q) of each query, if that is said beside the table."""
Ids = tuple[list[str], NDArray[np.int32]]
"""Distinct ids in the order of their first rows, and the place of each row's among them, -1 where
there is none."""


def lists_from_frame(
    frame: Frame,
    labels: Labels | FileLike | None,
    qrels: Labels | FileLike | None,
    n_relevant: Totals,
    queries: Sequence[str] | None,
    direction: Direction | None,
    reported_to: float | None,
) -> RetrievalLists:
    """Lists from a table: see `RetrievalLists.from_frame`, which this does the work of."""
    if sum(each is not None for each in (labels, qrels, n_relevant)) > 1:
        msg = "expected one of labels, qrels and n_relevant: each of them says what T(q) is"
        raise ValueError(msg)
    if qrels is not None:
        labels = qrels if hasattr(qrels, "lists") else Qrels.read(qrels)
    if labels is not None:
        labels = labels if hasattr(labels, "lists") else ClassTable.read(labels)
        hits = hits_from_frame(frame, direction=direction)._replace(reported_to=reported_to)
        return labels.lists(hits, queries)
    lists = _judged(_table(frame), n_relevant, queries, direction)
    if reported_to is None and lists.reported_how is not None:
        return lists
    return with_ends(lists, limit=reported_to)


def hits_from_frame(frame: Frame, *, direction: Direction | None = None) -> Hits:
    """Hits from a table with the columns query, record and evalue or score, perhaps relevant.

    Parameters
    ----------
    frame : Frame
        A row for each hit.
    direction : {"ascending", "descending"}, optional
        Default: "ascending" for evalue, "descending" for score.

    Raises
    ------
    ValueError
        If a column is missing or has the wrong type, or a cell is empty or no finite number.
    """
    table = _table(frame)
    query_id, query = _ids_of_all(table, "query")
    record_id, record = _ids_of_all(table, "record")
    column, score, direction = _scores(table, direction)
    _refuse(column, ~np.isfinite(score), "expected a finite number", score)
    relevant = None
    if "relevant" in table.column_names:
        relevant, known = _flags(table, "relevant")
        _refuse("relevant", ~known, "expected true or false, found nothing")
    return Hits("table", query_id, record_id, query, record, score, direction, relevant)


def _judged(
    table: pa.Table, n_relevant: Totals, queries: Sequence[str] | None, direction: Direction | None
) -> RetrievalLists:
    """Lists from a table that says itself what is relevant."""
    if "relevant" not in table.column_names:
        found = f"{_columns(table)}: nothing says which records are relevant"
        raise ValueError(f"expected a column relevant, or labels=... or qrels=...; {found}")
    ids, query = _ids_of_all(table, "query")
    column, score, direction = _scores(table, direction)
    relevant, known = _flags(table, "relevant")
    listed = known | ~np.isnan(score)
    record: NDArray[np.object_] | None = None
    if "record" in table.column_names:
        record_id, codes = _ids(table, "record")
        listed |= codes >= 0
        _refuse("record", listed & (codes < 0), "expected an id, found nothing")
        record = np.array([*record_id, None], np.object_)[codes]
    _refuse(column, listed & ~np.isfinite(score), "expected a finite number", score)
    _refuse("relevant", listed & ~known, "expected true or false, found nothing")

    wanted = list(dict.fromkeys([*ids, *(n_relevant or ())]) if queries is None else queries)
    first = places(ids, wanted)
    per_query = {
        name: _constant(table, name, query, len(ids))
        for name in ("n_relevant", "weight", "query_class", "n_irrelevant", *REPORTED)
        if name in table.column_names
    }
    if n_relevant is None and "n_relevant" not in per_query:
        missing = "T(q), the relevant records of the database, is missing"
        expected = "expected a column n_relevant or n_relevant={query: T(q)}"
        raise ValueError(f"{missing}: {expected}; {_columns(table)}")
    with_total = {*(ids if n_relevant is None else n_relevant)}
    if without := [name for name in wanted if name not in with_total]:
        source = "the table" if n_relevant is None else "n_relevant"
        raise ValueError(f"query {without[0]!r}: {source} has no T(q) of it")
    values: dict[str, Any] = {name: of_ids[first] for name, of_ids in per_query.items()}
    if n_relevant is not None:
        values["n_relevant"] = [n_relevant[name] for name in wanted]
    if (first < 0).any() and values.keys() - {"n_relevant"}:
        raise ValueError(f"query {wanted[int(np.argmin(first))]!r}: the table has no row of it")
    if "reported_how" in values:
        values["reported_how"] = next(iter(set(values["reported_how"].tolist())), None)
    row = np.full(len(ids), -1, np.int64)
    row[first[first >= 0]] = np.flatnonzero(first >= 0)
    chosen = np.flatnonzero(listed & (row[query] >= 0))
    values["record"] = None if record is None else record[chosen]
    records = (row[query[chosen]], score[chosen], relevant[chosen])
    query_id = np.array(wanted, np.str_)
    return RetrievalLists.from_records(*records, query=query_id, direction=direction, **values)


def _constant(
    table: pa.Table, name: str, query: NDArray[np.int32], n_queries: int
) -> NDArray[np.generic]:
    """Values of a column that belongs to queries: in all rows of a query the same. Shape (Q,)."""
    texts = name in ("query_class", "reported_how")
    names, values = _ids(table, name) if texts else ([], _numbers(_column(table, name), name))
    of_query = np.zeros(n_queries, values.dtype)
    of_query[query[::-1]] = values[::-1]  # of equal indices the last one written stays
    _refuse(name, values != of_query[query], "expected one value for all rows of a query", values)
    return np.array([*names, ""], np.str_)[of_query] if texts else of_query


# Columns


def _table(frame: Any) -> pa.Table:
    frame = frame.collect() if hasattr(frame, "collect") else frame  # a lazy one
    if not isinstance(frame, Frame):
        known = "pandas (2.2 or later), polars, pyarrow or another library that speaks Arrow"
        raise TypeError(f"expected a table of {known}, found {type(frame).__name__}")
    try:
        return pa.table(frame)
    except (pa.ArrowException, OverflowError, UnicodeError) as error:
        raise ValueError(f"the table cannot be read: {error}") from None


def _columns(table: pa.Table) -> str:
    return f"the table has the columns {', '.join(table.column_names)}"


def _column(table: pa.Table, name: str) -> pa.ChunkedArray:
    if table.column_names.count(name) != 1:
        raise ValueError(f"expected one column {name}; {_columns(table)}")
    return table[name]


def _ids(table: pa.Table, name: str) -> Ids:
    column = _column(table, name)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    texts = (pa.null(), pa.string(), pa.large_string(), pa.string_view())
    if not (pa.types.is_integer(kind) or kind in texts):
        expected = "expected ids, that is text or whole numbers"
        raise ValueError(f'column "{name}": {expected}, found {kind}')
    return coded(column)


def _ids_of_all(table: pa.Table, name: str) -> Ids:
    """Ids of a column in which each row has one."""
    ids, codes = _ids(table, name)
    _refuse(name, codes < 0, "expected an id, found nothing")
    return ids, codes


def _numbers(column: pa.ChunkedArray, name: str) -> NDArray[np.float64]:
    """Values as float64; NaN where there is none."""
    types = pa.types
    if not any(of(column.type) for of in (types.is_integer, types.is_floating, types.is_null)):
        raise ValueError(f'column "{name}": expected numbers, found {column.type}')
    values: NDArray[np.float64] = pc.fill_null(column.cast(pa.float64()), np.nan).to_numpy()
    return values


def _flags(table: pa.Table, name: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Values as booleans, and where there is one at all."""
    column = _column(table, name)
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    values = _numbers(column, name)
    known = ~np.isnan(values)
    _refuse(name, known & (values != 0) & (values != 1), "expected true or false, 1 or 0", values)
    return values == 1, known


def _scores(table: pa.Table, direction: Direction | None) -> tuple[str, Floats, Direction]:
    """Column of the scores, its values, and which of them are good."""
    column = next((name for name in SCORES if name in table.column_names), None)
    if column is None:
        raise ValueError(f"expected a column {' or '.join(SCORES)}; {_columns(table)}")
    return column, _numbers(_column(table, column), column), direction or SCORES[column]


def _refuse(
    column: str, wrong: NDArray[np.bool_], message: str, values: NDArray[np.number] | None = None
) -> None:
    """Raise an error that names the first row that is wrong, if there is any."""
    if wrong.any():
        row = int(np.argmax(wrong))
        found = "" if values is None else f", found {values[row]:g}"
        raise ValueError(f'column "{column}", row {row} (the first is 0): {message}{found}')
