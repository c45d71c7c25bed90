"""Plain tables parsed by polars, which takes a few of the seconds that the readers take.

It accepts only what the reader of the format would read the same; everything else is the reader's,
which alone says what is wrong.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import NamedTuple

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
    places = [column.at for column in (*layout.texts, *layout.numbers)]
    plain = [column.name for column in layout.texts] == ["query", "record"]
    if pl is None or not plain or not layout.separator or not layout.numbers:
        return None
    if len({*places}) < len(places) or min(places) < 0:
        return None
    if _is_unusual(text, layout):
        return None
    last = layout.width - 1
    used = sorted({*places, last})
    kinds = {str(at): pl.String() for at in range(layout.width)}
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
    except (pl.exceptions.PolarsError, ValueError):
        return None
    # With a last column there are no fewer columns in any row, and then no more.
    if any(table[str(at)].null_count() for at in used):
        return None
    if len(used) < layout.width and text.count(layout.separator.encode()) != last * len(table):
        return None
    for column in layout.numbers:
        values = table[str(column.at)].to_numpy()
        if not np.isfinite(values).all() or (column.is_evalue and (values < 0).any()):
            return None
    query, record = (table[str(column.at)] for column in layout.texts)
    if swap:
        query, record = record, query
    start = _starts((query != query.shift())[1:].to_numpy(), len(table))
    query_id, code = _coded(query.gather(start))
    record_id, codes = _coded(record)
    hit = record_id if not swap else query_id
    if _are_odd(query_id) or _are_odd(record_id) or NO_HIT in hit:
        return None
    length = np.diff(np.append(start, len(table)))
    score = table[str(layout.numbers[0].at)].to_numpy()
    return Rows(query_id, record_id, code, length, codes, score)


def _is_unusual(text: bytes, layout: Layout) -> bool:
    """Whether anything is in a text that readers treat in a way of their own."""
    marks = [b"\r", b"\0", b"#", *([b'"'] if layout.quoted else [])]
    return text.startswith(BOM_UTF8) or any(mark in text for mark in marks)


def _are_odd(ids: Sequence[str]) -> bool:
    """Whether one of some ids is too long."""
    most: int | None = pc.max(pc.utf8_length(pa.array(ids, pa.string()))).as_py()
    return most is not None and most > MAX_CELL


def _coded(texts: pl.Series) -> tuple[list[str], NDArray[np.int32]]:
    """Distinct texts as they appear, and which one each row has."""
    own = pl.Categorical(pl.Categories.random())  # which are forgotten with the column
    codes = texts.cast(own).to_physical().to_numpy().astype(np.int32, copy=False)
    first = np.zeros(int(codes.max(initial=-1)) + 1, np.int64)
    first[codes[::-1]] = np.arange(codes.size - 1, -1, -1)
    return texts.gather(first).to_list(), codes
