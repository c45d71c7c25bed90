"""Plain tables parsed by polars, which takes a few of the seconds that the readers take.

It accepts only what the reader of the format would read the same; everything else is the reader's,
which alone says what is wrong.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tapviz.files.limits import MAX_CELL
from tapviz.labels import Hits
from tapviz.readers._table import Layout
from tapviz.readers.blast import NO_HIT

try:
    import polars as pl
except ImportError:  # of the extra "big"
    pl = None  # type: ignore[assignment]


class Rows(NamedTuple):
    """Some rows of hits, in the order of the file, those of a query in runs.

    Attributes
    ----------
    query_id, record_id : list of str
        Distinct ids, as they appear.
    query, length : ndarray of int, shape (R,)
        Place in `query_id` of each run, and its number of rows.
    record : ndarray of int, shape (N,)
        Place in `record_id` of each row.
    score : ndarray of float64, shape (N,)
    relevant : ndarray of bool, shape (N,), or None
    reported_to : float, optional
        Where the program stopped, as the file says.
    """

    query_id: list[str]
    record_id: list[str]
    query: NDArray[np.integer]
    length: NDArray[np.int64]
    record: NDArray[np.integer]
    score: NDArray[np.float64]
    relevant: NDArray[np.bool_] | None = None
    reported_to: float | None = None


def rows_of_hits(hits: Hits) -> Rows:
    """Hits of a reader as runs."""
    start = _starts(hits.query[1:] != hits.query[:-1], hits.query.size)
    return Rows(
        hits.query_id,
        hits.record_id,
        hits.query[start],
        np.diff(np.append(start, hits.query.size)),
        hits.record,
        hits.score,
        hits.relevant,
        hits.reported_to,
    )


def _starts(differs: NDArray[np.bool_], size: int) -> NDArray[np.int64]:
    """Where runs begin, given where rows differ from the one before."""
    return np.concatenate([[0], np.flatnonzero(differs) + 1])[: size or 0]


def parsed(text: bytes, layout: Layout, *, swap: bool = False) -> Rows | None:
    """Rows of a text that ends where a line ends; None unless all of them are plain.

    Parameters
    ----------
    text : bytes
    layout : Layout
        How the reader of the format reads a row.
    swap : bool
        Whether queries and records change places.
    """
    if pl is None or not _is_plain(layout) or _is_unusual(text, layout):
        return None
    table = _table_of(text, layout)
    if table is None:
        return None
    query, record = (table[str(column.at)] for column in layout.texts)
    if swap:
        query, record = record, query
    start = _starts((query != query.shift())[1:].to_numpy(), len(table))
    query_id, code = _coded(query.gather(start))
    record_id, codes = _coded(record)
    if _has_odd(query_id, record_id, query_id if swap else record_id):
        return None
    length = np.diff(np.append(start, len(table)))
    score = table[str(layout.numbers[0].at)].to_numpy()
    return Rows(query_id, record_id, code, length, codes, score)


def _is_plain(layout: Layout) -> bool:
    """Whether rows have a query, a record and a score, and what else there is only is numbers."""
    places = [column.at for column in (*layout.texts, *layout.numbers)]
    plain = [column.name for column in layout.texts] == ["query", "record"]
    plain &= bool(layout.separator and layout.numbers) and layout.split is None
    return (
        plain and len({*places}) == len(places) and 0 <= min(places) <= max(places) < layout.width
    )


def _table_of(text: bytes, layout: Layout) -> pl.DataFrame | None:
    """The columns of a text that are read; None if any cell is not what it should be."""
    last = layout.width - 1
    used = sorted({*(column.at for column in (*layout.texts, *layout.numbers)), last})
    kinds: dict[str, Any] = {str(at): pl.String() for at in range(layout.width)}
    kinds |= {str(column.at): pl.Float64() for column in layout.numbers}
    try:
        table = pl.read_csv(
            text,
            has_header=False,
            schema=kinds,
            columns=used if len(used) < layout.width else None,
            separator=layout.separator,
            quote_char=None,
        )
    except pl.exceptions.PolarsError:
        return None
    # With a last column there are no fewer columns in any row, and then no more.
    whole = not any(table[str(at)].null_count() for at in used)
    if len(used) < layout.width:
        whole &= text.count(layout.separator.encode()) == last * len(table)
    for column in layout.numbers:
        values = table[str(column.at)].to_numpy()
        whole &= bool(np.isfinite(values).all() and not (column.is_evalue and (values < 0).any()))
    return table if whole else None


def _is_unusual(text: bytes, layout: Layout) -> bool:
    """Whether anything is in a text that readers treat in a way of their own."""
    marks = [b"\r", b"\0", b"#", *([b'"'] if layout.quoted else [])]
    return text.startswith(BOM_UTF8) or any(mark in text for mark in marks)


def _has_odd(query_id: Sequence[str], record_id: Sequence[str], hits: Sequence[str]) -> bool:
    """Whether an id is too long, or says that there was no hit."""
    longest = pc.max(pc.utf8_length(pa.array([*query_id, *record_id], pa.string()))).as_py()
    return NO_HIT in hits or (longest or 0) > MAX_CELL


def _coded(texts: pl.Series) -> tuple[list[str], NDArray[np.int32]]:
    """Distinct texts as they appear, and which one each row has."""
    own = pl.Categorical(pl.Categories.random())  # which are forgotten with the column
    codes = texts.cast(own).to_physical().to_numpy().astype(np.int32, copy=False)
    first = np.zeros(int(codes.max(initial=-1)) + 1, np.int64)
    first[codes[::-1]] = np.arange(codes.size - 1, -1, -1)
    return texts.gather(first).to_list(), codes
