"""Parts of large files, and their rows in buckets by the query."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from tapviz.condensing.folder import is_whole, new_folder
from tapviz.condensing.inputs import (
    PARQUET,
    Input,
    Part,
    file_changed,
    is_address,
    is_packed,
    opened,
    state_of,
    texts_of,
)
from tapviz.condensing.quick import Rows, parsed, rows_of_hits
from tapviz.condensing.stored import QUERIES, RECORDS, Writer, read_table, write_table
from tapviz.files.problems import Problem, ReadError, doubts, problem
from tapviz.files.source import Held, Source
from tapviz.labels import Hits, Labels
from tapviz.labels.ids import normalise
from tapviz.lists import RetrievalLists
from tapviz.readers import ReadOptions
from tapviz.readers.formats import layout_of
from tapviz.readers.reading import contents_of

LOOKED_AT = 4_000_000
"""Bytes at the beginning of a file by which its reader judges what is in it."""


class Spilled(NamedTuple):
    """What one part held."""

    part: int
    rows: int
    size: int
    """Bytes of the file that were read."""
    found_record: bool
    """Whether the labels know one of its records."""
    reported_to: float | None = None
    """Where the program stopped, as the header of the file says."""
    doubts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def hits_of(
    one: Input, part: Part, options: ReadOptions, size: int, *, known: bool
) -> Iterator[tuple[Hits | Rows, int]]:
    """Hits of a part, piece by piece, and the bytes of the file that each piece took.

    The beginning of a file is read by the reader of its format, once (`known` says whether it has
    been, where more follows it); so is all that is not plain.

    Raises
    ------
    ReadError
        If rows are wrong; lines are counted from the beginning of the file.
    """
    if state_of(one.file) != (one.size, one.changed):
        raise ReadError([file_changed(one.file)])
    if one.format == PARQUET:
        with opened(one.file) as stream:
            file = parquet.ParquetFile(stream)
            for group in range(part.start, part.stop):
                table = file.read_row_group(group)
                about = file.metadata.row_group(group)
                taken = sum(
                    about.column(at).total_compressed_size for at in range(about.num_columns)
                )
                given = replace(options, format=None)
                found = _read(table, given, one.file, first=group == 0)
                yield _only(found, one.file), taken
        return
    line = None if part.start else 0
    known = known and max(size, LOOKED_AT) < one.size
    for text, taken in texts_of(one, part, size, size if known or part.start else LOOKED_AT):
        plain = _at_once(one, text, options) if known or part.start or line else None
        if plain is not None:
            if line is not None:
                line += text.count(b"\n")
            yield plain, taken
            continue
        body = text
        if one.header and not (part.start == 0 and not line):
            body = one.header + text
        extra = len(body) > len(text)
        asked = replace(options, format=one.format)
        try:
            begins = part.start == 0 and not line and len(text) >= min(one.size, LOOKED_AT)
            found = _read(Held(one.file, body), asked, first=begins)
        except ReadError as error:
            if [each.code for each in error.problems] != ["EmptyInput"]:
                before = _lines_before(one.file, part.start) if line is None else line
                shift = before - extra
                raise ReadError(
                    [
                        each if each.line is None else replace(each, line=each.line + shift)
                        for each in error.problems
                    ]
                ) from None
            found = {}
        if line is not None:
            line += text.count(b"\n")
        if found:
            yield _only(found, one.file), taken


def _at_once(one: Input, text: bytes, options: ReadOptions) -> Rows | None:
    """Rows of a text that are plain; None if they are not."""
    if options.query_from_name:  # a file for each query, which is small
        return None
    beginning = one.header or text[: text.find(b"\n") + 1]
    try:
        layout = layout_of(one.format, Source(Held(one.file, beginning)), options)
    except ReadError:  # which reading tells
        return None
    return None if layout is None else parsed(text, layout, swap=bool(options.swap))


def _read(
    piece: Held | pa.Table, options: ReadOptions, name: str = "", *, first: bool
) -> Mapping[str, Hits | RetrievalLists]:
    """What is in a piece of a file.

    Whether a column holds E-values is judged by the order of the hits in many lists: at the
    beginning of the file, for there are few in the pieces that follow.
    """
    try:
        return contents_of(piece, options, name).contents
    except ReadError as error:
        if first or {each.code for each in error.problems} != {"NotEvalues"}:
            raise
    return contents_of(piece, replace(options, direction="ascending"), name).contents


def check_together(inputs: Sequence[Input], options: ReadOptions) -> None:
    """Judge what is read as E-values by the beginnings of all files, as if they were one.

    In a file for each query there are too few hits to tell.

    Raises
    ------
    ReadError
        If they are none.
    """
    plain = [one for one in inputs if one.format != PARQUET and not is_address(one.file)]
    if len(plain) < len(inputs) or len(inputs) == 1 or options.query_from_name:
        return
    text = b""
    for one in inputs:
        part = Part(0, 0, 0, -1 if is_packed(one.file) else one.size)
        least = LOOKED_AT - len(text)
        own, _ = next(texts_of(one, part, least, least), (b"", 0))
        text += own.replace(one.header, b"", 1) if text else own
        text += b"" if text.endswith(b"\n") else b"\n"
        if len(text) >= LOOKED_AT:
            break
    name = ", ".join(Path(one.file).name for one in inputs)
    try:
        with doubts():  # which reading tells
            _read(Held(name, text), replace(options, format=inputs[0].format), first=True)
    except ReadError as error:
        if {each.code for each in error.problems} == {"NotEvalues"}:
            raise ReadError([replace(each, line=None) for each in error.problems]) from None


def _only(found: Mapping[str, Hits | RetrievalLists], file: str) -> Hits:
    """The hits of the one algorithm of a file."""
    if len(found) > 1:
        message = (
            f"several algorithms are in this file: {', '.join(map(repr, found))}; write each to a "
            "file of its own"
        )
        raise ReadError([problem("AlgorithmNeeded", file, None, "", message)])
    (one,) = found.values()
    if isinstance(one, RetrievalLists):
        message = "this file says itself what is relevant: only hits can be condensed, by labels"
        raise ReadError([problem("WrongFormat", file, None, "", message)])
    return one


def _lines_before(file: str, start: int) -> int:
    """Lines of a file before a place."""
    with opened(file) as stream:
        lines = 0
        while start > 0 and (block := stream.read(min(start, 1 << 22))):
            lines += block.count(b"\n")
            start -= len(block)
    return lines


def bucket_of(queries: Sequence[str], rules: Sequence[str], n_buckets: int) -> NDArray[np.int32]:
    """Bucket of each query, the same for all ids that mean the same, in all processes."""
    return np.array(
        [zlib.crc32(name.encode()) % n_buckets for name in normalise(queries, rules)], np.int32
    )


def spill(
    one: Input,
    part: Part,
    options: ReadOptions,
    labels: Labels,
    n_buckets: int,
    size: int,
    target: Path,
) -> Spilled:
    """Read a part, and write its rows in the order of their buckets.

    The result is a folder with a batch of rows for each bucket and piece, in this order.
    """
    if is_whole(target):
        return _known(target, part)
    rules: tuple[str, ...] = getattr(getattr(labels, "rules", None), "normalise", ())
    known = getattr(labels, "record_ids", lambda: None)()
    n_rows, taken, whole = 0, 0, False
    found_record = known is None
    ids = _Ids(rules)
    reported_to: float | None = None
    try:
        with doubts() as doubtful, new_folder(target) as folder:
            with Writer(folder) as writer:
                for hits, bytes_read in hits_of(one, part, options, size, known=True):
                    rows = rows_of_hits(hits) if isinstance(hits, Hits) else hits
                    if part.start == 0 and rows.reported_to is not None:
                        reported_to = rows.reported_to
                    whole = part.start == 0 and bytes_read >= one.size
                    if not found_record and known is not None:
                        names = normalise(rows.record_id, rules)
                        found_record = any(name in known for name in names) or bool(
                            set(names) & set(normalise(known, rules)) if rules else ()
                        )
                    bucket = bucket_of(rows.query_id, rules, n_buckets)[rows.query]
                    writer.write(ids.of_part(rows), bucket, n_buckets)
                    n_rows += rows.record.size
                    taken += bytes_read
            told = {
                "rows": n_rows,
                "size": taken,
                "found": found_record,
                "reported_to": reported_to,
                "ends": [ids.first, ids.last],
            }
            table = pa.table(
                {
                    "query": pa.array(list(ids.query), pa.string()),
                    "length": pa.array(ids.length, pa.int64()),
                }
            )
            table = table.replace_schema_metadata({"told": json.dumps(told)})
            write_table(table, folder / QUERIES)
            write_table(
                pa.table({"record": pa.array(list(ids.record), pa.string())}), folder / RECORDS
            )
    except ReadError as error:
        return Spilled(part.at, 0, 0, False, problems=tuple(error.problems))
    # What is doubtful in the middle of a file is often that it ends there.
    said = tuple(doubtful) if whole else ()
    return Spilled(part.at, n_rows, taken, found_record, reported_to, said)


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
        self.first: tuple[str, str] | None = None
        """Ids of the first row, and of the last."""
        self.last: tuple[str, str] | None = None

    def of_part(self, rows: Rows) -> Rows:
        """The same rows by the ids of the part, which take in those of the rows."""
        query, record = (
            np.array(_placed(place, names) or [0], np.int32)
            for place, names in ((self.query, rows.query_id), (self.record, rows.record_id))
        )
        self.length = np.append(self.length, np.zeros(len(self.query) - self.length.size, np.int64))
        if rows.record.size:
            self._count(rows, query[rows.query])
        return rows._replace(query=query[rows.query], record=record[rows.record])

    def _count(self, rows: Rows, query: NDArray[np.int32]) -> None:
        names = normalise(rows.query_id, self._rules), normalise(rows.record_id, self._rules)
        ends = [(names[0][rows.query[at]], names[1][rows.record[at]]) for at in (0, -1)]
        of_run = _alike(names[0], rows.query, self._rules)
        of_row = _alike(names[1], rows.record, self._rules)
        start = np.cumsum(rows.length) - rows.length
        begins = np.ones(of_row.size, np.bool_)
        np.not_equal(of_row[1:], of_row[:-1], out=begins[1:])
        begins[start[1:]] |= of_run[1:] != of_run[:-1]
        begins[0] = ends[0] != self.last
        count = np.add.reduceat(begins, start, dtype=np.int64)
        np.add.at(self.length, query, count)
        self.first, self.last = self.first or ends[0], ends[1]


def _placed(place: dict[str, int], names: Sequence[str]) -> list[int]:
    """Places of ids, of which new ones take the next."""
    found = list(map(place.get, names))
    if None in found:
        return [place.setdefault(name, len(place)) for name in names]
    return cast("list[int]", found)


def _alike(
    names: Sequence[str], codes: NDArray[np.integer], rules: Sequence[str]
) -> NDArray[np.integer]:
    """Codes of ids of which some may mean the same."""
    if not rules:
        return codes
    place: dict[str, int] = {}
    same = [place.setdefault(name, at) for at, name in enumerate(names)]
    alike: NDArray[np.integer] = np.array(same or [0], np.int64)[codes]
    return alike


def told_of(folder: Path) -> dict[str, Any]:
    """What was noted of a part."""
    known: dict[str, Any] = json.loads(read_table(folder / QUERIES).schema.metadata[b"told"])
    return known


def _known(target: Path, part: Part) -> Spilled:
    told = told_of(target)
    return Spilled(part.at, told["rows"], told["size"], told["found"], told["reported_to"])
