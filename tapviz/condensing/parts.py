"""Parts of large files, and their rows in buckets by the query.

Rows of plain tables are taken as Arrow parses them, without the lists that the readers make of
them; everything else is the reader's, which alone says what is wrong.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tapviz.condensing import inputs, stored
from tapviz.files import Held, Problem, ReadError, Source, doubts
from tapviz.labels import Hits, Labels, normalise
from tapviz.labels.hits import AnyInts, Ints32
from tapviz.lists import RetrievalLists
from tapviz.lists.checks import numbered
from tapviz.readers import ReadOptions, _table, reading
from tapviz.readers.formats import layout_of

LOOKED_AT = 4_000_000
"""Bytes at the beginning of a file by which its reader judges what is in it."""
Pair = tuple[str, str] | None
"""Ids of a row, if there is one."""


class Spilled(NamedTuple):
    """What one part held."""

    rows: int = 0
    size: int = 0
    """Bytes of the file that were read."""
    found_record: bool = False
    """Whether the labels know one of its records."""
    reported_to: float | None = None
    """Where the program stopped, as the header of the file says."""
    ends: tuple[Pair, Pair] = (None, None)
    """Ids of the first row, and of the last."""
    doubts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def hits_of(
    one: inputs.Input, part: inputs.Part, options: ReadOptions, size: int, *, known: bool
) -> Iterator[tuple[Hits | stored.Rows, int]]:
    """Yield hits of a part, piece by piece, and the bytes of the file that each piece took.

    The beginning of a file is read by the reader of its format, once (`known` says whether it has
    been, where more follows it); so is all that is not plain.

    Raises
    ------
    ReadError
        If rows are wrong; lines are counted from the beginning of the file.
    """
    if inputs.state_of(one.file) != (one.size, one.changed):
        raise inputs.file_changed(one.file)
    if one.format == inputs.PARQUET:
        with inputs.opened(one.file) as stream:
            file = parquet.ParquetFile(stream)
            for group in range(part.start, part.stop):
                about = file.metadata.row_group(group)
                columns = [about.column(at) for at in range(about.num_columns)]
                table = file.read_row_group(group)
                hits = _read(table, replace(options, format=None), one.file, first=group == 0)
                if hits is not None:
                    yield hits, sum(column.total_compressed_size for column in columns)
        return
    line = None if part.start else 0
    known = known and max(size, LOOKED_AT) < one.size
    least = size if known or part.start else LOOKED_AT
    for text, taken in inputs.texts_of(one, part, size, least):
        rows = None if line == 0 and not known else _at_once(one, text, options)
        of_piece = rows or _of_reader(one, part, text, options, line)
        if line is not None:
            line += text.count(b"\n")
        if of_piece is not None:
            yield of_piece, taken


def _of_reader(
    one: inputs.Input, part: inputs.Part, text: bytes, options: ReadOptions, line: int | None
) -> Hits | None:
    """Hits of a piece as the reader of the format reads it; `line` has the lines before it."""
    begins = line == 0
    body = text if begins else one.header + text
    first = begins and len(text) >= min(one.size, LOOKED_AT)
    try:
        return _read(Held(one.file, body), replace(options, format=one.format), first=first)
    except ReadError as error:
        if [each.code for each in error.problems] == ["EmptyInput"]:
            return None
        before = _lines_before(one.file, part.start) if line is None else line
        shift = before - (len(body) > len(text))
        raise ReadError(
            each if each.line is None else replace(each, line=each.line + shift)
            for each in error.problems
        ) from None


def _at_once(one: inputs.Input, text: bytes, options: ReadOptions) -> stored.Rows | None:
    """Rows of a text that are plain; None if they are not."""
    if options.query_from_name:  # a file for each query, which is small
        return None
    beginning = one.header or text[: text.find(b"\n") + 1]
    try:
        if not text.isascii():
            text.decode()
        layout = layout_of(one.format, Source(Held(one.file, beginning)), options)
    except (ReadError, UnicodeDecodeError):  # which reading tells
        return None
    return None if layout is None else parsed(text, layout, swap=bool(options.swap))


def _read(
    piece: Held | pa.Table, options: ReadOptions, name: str = "", *, first: bool
) -> Hits | None:
    """Hits of the one algorithm in a piece of a file, if there are any.

    Whether a column holds E-values is judged by the order of the hits in many lists: at the
    beginning of the file, for there are few in the pieces that follow.
    """
    try:
        contents = reading.contents_of(piece, options, name).contents
    except ReadError as error:
        if first or {each.code for each in error.problems} != {"NotEvalues"}:
            raise
        rising = replace(options, direction="ascending")
        contents = reading.contents_of(piece, rising, name).contents
    file = piece.name if isinstance(piece, Held) else name
    if len(contents) > 1:
        several = f"several algorithms are in this file: {', '.join(map(repr, contents))}"
        message = f"{several}; write each to a file of its own"
        raise ReadError.of("AlgorithmNeeded", file, message)
    hits = next(iter(contents.values()), None)
    if isinstance(hits, RetrievalLists):
        message = "this file says itself what is relevant: only hits can be condensed, by labels"
        raise ReadError.of("WrongFormat", file, message)
    return hits


def check_together(files: Sequence[inputs.Input], options: ReadOptions) -> None:
    """Judge what is read as E-values by the beginnings of all files, as if they were one.

    In a file for each query there are too few hits to tell.

    Raises
    ------
    ReadError
        If they are none.
    """
    odd = any(one.format == inputs.PARQUET or inputs.is_address(one.file) for one in files)
    if odd or len(files) == 1 or options.query_from_name:
        return
    text = b""
    for one in files:
        part = inputs.Part(0, 0, -1 if inputs.codec_of(one.file) else one.size)
        least = LOOKED_AT - len(text)
        own, _ = next(inputs.texts_of(one, part, least, least), (b"", 0))
        text += own.replace(one.header, b"", 1) if text else own
        text += b"" if text.endswith(b"\n") else b"\n"
        if len(text) >= LOOKED_AT:
            break
    name = ", ".join(Path(one.file).name for one in files)
    try:
        with doubts():  # which reading tells
            _read(Held(name, text), replace(options, format=files[0].format), first=True)
    except ReadError as error:
        if {each.code for each in error.problems} == {"NotEvalues"}:
            raise ReadError([replace(each, line=None) for each in error.problems]) from None


def _lines_before(file: str, start: int) -> int:
    """Lines of a file before a place."""
    with inputs.opened(file) as stream:
        lines = 0
        while start > 0 and (block := stream.read(min(start, 1 << 22))):
            lines += block.count(b"\n")
            start -= len(block)
    return lines


# Rows of plain tables, at once


def rows_of_hits(hits: Hits) -> stored.Rows:
    """Hits of a reader as runs."""
    differs = hits.query[1:] != hits.query[:-1]
    start = np.concatenate([[0], np.flatnonzero(differs) + 1])[: hits.query.size]
    length = np.diff(np.append(start, hits.query.size))
    columns = hits.query[start], length, hits.record, hits.score, hits.relevant
    return stored.Rows(hits.query_id, hits.record_id, *columns, hits.reported_to)


def parsed(text: bytes, layout: _table.Layout, *, swap: bool = False) -> stored.Rows | None:
    """Rows of a text that ends where a line ends; None unless all of them are plain.

    Parameters
    ----------
    text : bytes
    layout : Layout
        How the reader of the format reads a row.
    swap : bool
        Whether queries and records change places.
    """
    only_ids = [column.name for column in layout.texts] == ["query", "record"]
    # What readers treat in a way of their own.
    if not only_ids or not layout.numbers or any(mark in text for mark in (b"\r", b"\0", b"#")):
        return None
    found = _table.at_once(text, layout)
    if found is None or _table.wrong_rows(found, layout).any():
        return None
    if _table.with_hit(found, layout) is not None:
        return None
    query, record = reversed(found.texts) if swap else found.texts
    ids = query.dictionary.to_pylist(), record.dictionary.to_pylist()
    codes = query.indices.to_numpy(), record.indices.to_numpy()
    return rows_of_hits(Hits("", *ids, *codes, found.numbers[0]))


# Buckets


def rules_of(labels: Labels) -> tuple[str, ...]:
    """Rules by which ids are made alike."""
    return getattr(getattr(labels, "rules", None), "normalise", ())


def bucket_of(queries: Sequence[str], rules: Sequence[str], n_buckets: int) -> Ints32:
    """Bucket of each query, the same for all ids that mean the same, in all processes."""
    names = normalise(queries, rules)
    return np.array([zlib.crc32(name.encode()) % n_buckets for name in names], np.int32)


def spill(work: Path, at: int) -> Spilled:
    """Read a part, and write its rows in the order of their buckets.

    The result is a folder with a batch of rows for each bucket and piece, in this order.
    """
    target = work / "parts" / str(at)
    if stored.is_whole(target):
        noted = Spilled(*stored.told_of(stored.read_table(target / stored.QUERIES)))
        first, last = (ids and (ids[0], ids[1]) for ids in noted.ends)
        return noted._replace(ends=(first, last))
    plan, labels = inputs.plan_in(work)
    part = plan.parts[at]
    one = plan.inputs[part.source]
    rules = rules_of(labels)
    known = getattr(labels, "record_ids", lambda: None)()
    n_rows, size, found, whole = 0, 0, known is None, False
    reported_to: float | None = None
    ids, batches = _Ids(rules), []
    try:
        with doubts() as doubtful, stored.new_folder(target) as folder:
            with (folder / stored.ROWS).open("wb") as stream:
                for hits, taken in hits_of(one, part, plan.options, plan.piece, known=True):
                    rows = rows_of_hits(hits) if isinstance(hits, Hits) else hits
                    n_rows, size = n_rows + rows.record.size, size + taken
                    found = found or _has_any(known, rows, rules)
                    whole = part.start == 0 and taken >= one.size
                    if part.start == 0 and rows.reported_to is not None:
                        reported_to = rows.reported_to
                    bucket = bucket_of(rows.query_id, rules, plan.n_buckets)[rows.query]
                    batches += stored.write_rows(stream, ids.of_part(rows), bucket, plan.n_buckets)
            np.save(folder / stored.BATCHES, np.array(batches, np.int64).reshape(-1, 4))
            spilled = Spilled(n_rows, size, found, reported_to, (ids.first, ids.last))
            told = spilled[: Spilled._fields.index("doubts")]
            queries = {"query": pa.array([*ids.query], pa.string()), "length": ids.length}
            stored.write_table(queries, folder / stored.QUERIES, told)
            records = {"record": pa.array([*ids.record], pa.string())}
            stored.write_table(records, folder / stored.RECORDS)
    except ReadError as error:
        return Spilled(problems=tuple(error.problems))
    # What is doubtful in the middle of a file is often that it ends there.
    return spilled._replace(doubts=tuple(doubtful) if whole else ())


def _has_any(known: Collection[str] | None, rows: stored.Rows, rules: Sequence[str]) -> bool:
    """Whether the labels know a record of some rows."""
    names = normalise(rows.record_id, rules)
    if known is None or any(name in known for name in names):
        return True
    return bool(rules) and not {*names}.isdisjoint(normalise(known, rules))


class _Ids:
    """Ids of a part, and how many records the list of each query has in it.

    Several hits in a row on one record (HSPs) are one.
    """

    def __init__(self, rules: Sequence[str]) -> None:
        self._rules = rules
        self.query: dict[str, int] = {}
        """Places of the ids, in the order in which they appear."""
        self.record: dict[str, int] = {}
        self.length = np.zeros(0, np.int64)
        self.first: Pair = None
        """Ids of the first row, and of the last."""
        self.last: Pair = None

    def of_part(self, rows: stored.Rows) -> stored.Rows:
        """Return the same rows by the ids of the part, which take in those of the rows."""
        query, record = (
            np.array([place.setdefault(name, len(place)) for name in names] or [0], np.int32)
            for place, names in ((self.query, rows.query_id), (self.record, rows.record_id))
        )
        self.length = np.append(self.length, np.zeros(len(self.query) - self.length.size, np.int64))
        if rows.record.size:
            self._count(rows, query[rows.query])
        return rows._replace(query=query[rows.query], record=record[rows.record])

    def _count(self, rows: stored.Rows, query: Ints32) -> None:
        names = normalise(rows.query_id, self._rules), normalise(rows.record_id, self._rules)
        first, last = ((names[0][rows.query[at]], names[1][rows.record[at]]) for at in (0, -1))
        of_run = _alike(names[0], rows.query, self._rules)
        of_row = _alike(names[1], rows.record, self._rules)
        start = np.cumsum(rows.length) - rows.length
        begins = np.ones(of_row.size, np.bool_)
        np.not_equal(of_row[1:], of_row[:-1], out=begins[1:])
        begins[start[1:]] |= of_run[1:] != of_run[:-1]
        begins[0] = first != self.last
        np.add.at(self.length, query, np.add.reduceat(begins, start, dtype=np.int64))
        self.first, self.last = self.first or first, last


def _alike(names: Sequence[str], codes: AnyInts, rules: Sequence[str]) -> AnyInts:
    """Codes of ids of which some may mean the same."""
    return numbered(names)[1].take(codes) if rules else codes
