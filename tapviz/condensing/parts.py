"""Parts of large files, and their rows in buckets by the query."""

from __future__ import annotations

import errno
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from io import BufferedReader, BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from tapviz.condensing.folder import is_whole, new_folder
from tapviz.condensing.quick import Rows, parsed, rows_of_hits
from tapviz.files.problems import Problem, Problems, ReadError, doubts, problem, warn
from tapviz.files.source import CODECS, File, Held, Source
from tapviz.labels import Hits, Labels
from tapviz.labels.ids import normalise
from tapviz.lists import RetrievalLists
from tapviz.readers import FORMATS, ReadOptions
from tapviz.readers.formats import layout_of
from tapviz.readers.merging import with_query
from tapviz.readers.reading import contents_of, format_of

PARQUET, TABLE = "parquet", "table"
ROWS, BATCHES = "rows.bin", "batches.npy"
QUERIES, RECORDS = "queries.arrow", "records.arrow"
LOST = 64
"""Bytes that are read at once to find the end of a line."""
LOOKED_AT = 4_000_000
"""Bytes at the beginning of a file by which its reader judges what is in it."""
LONG = 50
"""Rows of a query one after the other, on the mean, that make its run a long one."""
WRITE = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", 1))


class Input(NamedTuple):
    """A file of hits as it was when the work began.

    Attributes
    ----------
    file : str
        Path, or an address of fsspec.
    format : str
        Name of its format.
    size : int
        In bytes; of an address that does not tell, -1.
    changed : str
        What tells that the file is still the same: its time of change, or an address's tag.
    header : bytes
        The line of column names, which is read before each part.
    streamed : bool
        Whether it can only be read from its beginning to its end.
    """

    file: str
    format: str
    size: int
    changed: str
    header: bytes = b""
    streamed: bool = False


class Part(NamedTuple):
    """Some of a file: bytes, or, of Parquet, row groups; to the end where `stop` is -1."""

    at: int
    source: int
    """Place of the file among the inputs."""
    start: int
    stop: int


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


def files_in(file: str) -> list[str]:
    """The files of a Parquet data set, which is a folder; and any other file itself."""
    if is_address(file) or not Path(file).is_dir():
        return [file]
    found = [one for one in sorted(Path(file).rglob("*.parquet")) if one.is_file()]
    if not found:
        message = "there is no Parquet file in this folder; give the files in it"
        raise ReadError([problem("NotFound", file, None, "", message)])
    return [os.fspath(one) for one in found]


def is_address(file: str) -> bool:
    """Whether a file is an address of fsspec rather than a path."""
    return "://" in file


def opened(file: str) -> Any:
    """A file or an address, to be read at any place."""
    if not is_address(file):
        return Path(file).open("rb")
    import fsspec  # noqa: PLC0415  # of the extra "big", and for addresses alone

    if _is_streamed(file):  # and gives as much at once as has come
        return BufferedReader(fsspec.open(file, "rb", block_size=0).open())
    return fsspec.open(file, "rb").open()


@lru_cache
def _is_streamed(file: str) -> bool:
    """Whether a file is at an address of the web where no part of it can be asked for."""
    if not file.startswith(("http://", "https://")):
        return False
    import fsspec  # noqa: PLC0415

    with fsspec.open(file, "rb", cache_type="none").open() as stream:
        try:  # not all servers say whether they can
            stream.seek(1)
            stream.read(1)
        except ValueError:
            return True
    return False


def inputs_of(files: Sequence[str], options: ReadOptions) -> tuple[Input, ...]:
    """Look at all files of a search.

    Where queries are given, a file with nothing in it is left out, as the others show the format.

    Raises
    ------
    ReadError
        As `input_of`; also if there is nothing in any file.
    """
    found: list[Input] = []
    empty: list[ReadError] = []
    for file in files:
        try:
            found.append(input_of(file, options))
        except ReadError as error:
            if options.queries is None or error.problems[0].code != "EmptyInput":
                raise
            empty.append(error)
    if not found:
        raise empty[0]
    return tuple(found)


def input_of(file: str, options: ReadOptions) -> Input:
    """Look at the beginning of a file: what it is, and how large.

    Raises
    ------
    ReadError
        If it cannot be read, looks like nothing that is read, or cannot be read in parts.
    """
    size, changed = state_of(file)
    head = _head(file)
    problems = Problems(file)
    looked_at: File = head
    if options.query_from_name and not isinstance(head, Held):
        looked_at = head = Held(file, next(Source(file).chunks(), b""))
    if options.query_from_name:
        looked_at, options = with_query(head, options)
    form = format_of(Source(looked_at), options, problems, wanted=True)
    for doubt in problems.doubts:
        warn(file, doubt)
    known = FORMATS[form]
    if not known.by_line and form != PARQUET:
        message = (
            f"{known.title}: a line of it does not stand for itself, so that the file cannot be "
            "read in parts; write the results as a table with a row for each hit"
        )
        raise ReadError([problem("WrongFormat", file, None, "", message)])
    header = b""
    if form == TABLE:
        lines = [line for line in Source(head).head if line.strip() and not line.startswith(b"#")]
        header = lines[0] + b"\n"
    if form == PARQUET and _is_streamed(file):
        message = "the server gives this file only as a whole; download it, and give the copy"
        raise ReadError([problem("WrongFormat", file, None, "", message)])
    return Input(file, form, size, changed, header, _is_streamed(file))


def state_of(file: str) -> tuple[int, str]:
    """Size of a file, and what tells that it is still the same."""
    if is_address(file):
        import fsspec  # noqa: PLC0415

        system, path = fsspec.url_to_fs(file)
        try:
            told = system.info(path)
        except FileNotFoundError:
            raise ReadError([_missing(file)]) from None
        size = told.get("size")
        tags = (told[name] for name in ("ETag", "Last-Modified", "mtime") if name in told)
        return (-1 if size is None else int(size)), str(next(tags, ""))
    try:
        status = Path(file).stat()
    except FileNotFoundError:
        raise ReadError([_missing(file)]) from None
    return status.st_size, str(status.st_mtime_ns)


def _missing(file: str) -> Problem:
    return problem("NotFound", file, None, "", "there is no such file; check the path")


def _head(file: str) -> Held | str:
    """The file itself, or the beginning of what an address leads to."""
    if not is_address(file):
        return file
    with _unpacked(file) as (stream, _):
        start = stream.read(1 << 20)
    if start.startswith(b"PAR1"):
        return Held(file, start)
    return Held(file, start[: start.rfind(b"\n") + 1] or start)


@contextmanager
def _unpacked(file: str) -> Iterator[tuple[Any, Any]]:
    """What an address leads to, unpacked, and as it is; opened anew: not all can be read again."""
    with opened(file) as stream:
        start = stream.read(8)
    codec = next((name for magic, name in CODECS.items() if start.startswith(magic)), None)
    with opened(file) as raw:
        try:
            yield (raw if codec is None else pa.CompressedInputStream(raw, codec)), raw
        except OSError as error:
            message = f"it is cut off or damaged, or was not read to its end: {error}; try again"
            raise ReadError([problem("Encoding", file, None, "", message)]) from None


def parts_of(inputs: Sequence[Input], size: int) -> list[Part]:
    """Cut files into parts of about `size` bytes, which end where a line ends, or a row group.

    What is compressed cannot be cut, and becomes one part, which is read as a stream.
    """
    found: list[Part] = []

    def add(source: int, start: int, stop: int) -> None:
        found.append(Part(len(found), source, start, stop))

    for source, one in enumerate(inputs):
        if one.format == PARQUET:
            with opened(one.file) as stream:
                groups = parquet.ParquetFile(stream).metadata
                start, held = 0, 0
                for group in range(groups.num_row_groups):
                    held += groups.row_group(group).total_byte_size
                    if held >= size or group == groups.num_row_groups - 1:
                        add(source, start, group + 1)
                        start, held = group + 1, 0
        elif one.size < 0 or one.streamed or _is_packed(one.file):
            add(source, 0, -1)
        else:
            with opened(one.file) as stream:
                start = 0
                while start < one.size:
                    stop = min(start + size, one.size)
                    stop = stop if stop == one.size else _next_line(stream, stop, one.size)
                    add(source, start, stop)
                    start = stop
    return found


def _is_packed(file: str) -> bool:
    with opened(file) as stream:
        start: bytes = stream.read(8)
    return start.startswith(tuple(CODECS))


def _next_line(stream: Any, at: int, end: int) -> int:
    """Where the line ends in which a place is."""
    stream.seek(at - 1)
    while block := stream.read(LOST):
        cut = block.find(b"\n")
        if cut >= 0:
            found: int = stream.tell() - len(block) + cut + 1
            return found
    return end


def texts_of(one: Input, part: Part, size: int, least: int) -> Iterator[tuple[bytes, int]]:
    """Text of a part, in pieces that end where a line ends, and bytes of the file read for each.

    The first piece has at least `least` bytes, the others `size`.
    """
    if part.stop >= 0:
        at = part.start
        with opened(one.file) as file:
            stream, first = file, 0
            if is_address(one.file):  # where each place that is looked at may be a request
                file.seek(at)
                stream, first = BytesIO(file.read(part.stop - at)), at
            while at < part.stop:
                stop = min(at + least, part.stop)
                if stop < part.stop:
                    stop = first + _next_line(stream, stop - first, part.stop - first)
                stream.seek(at - first)
                text = stream.read(stop - at)
                if len(text) < stop - at:
                    raise ReadError([_changed(one.file)])
                yield text, len(text)
                at, least = stop, size
        return
    if is_address(one.file):
        with _unpacked(one.file) as (stream, raw):
            rest, read = b"", 0
            while block := stream.read(least):
                block = rest + block
                cut = block.rfind(b"\n") + 1
                rest, before, read = block[cut:], read, raw.tell()
                yield block[:cut], read - before
                least = size
            if rest:
                yield rest, 0
        return
    done = 0

    def note(read: int, _size: int, _lines: int) -> None:
        nonlocal done
        done = read

    held: list[bytes] = []
    before = 0  # of the bytes that were read
    for chunk in Source(one.file, note).chunks():
        held.append(chunk)
        if sum(map(len, held)) >= least:
            yield b"".join(held), done - before
            held, before, least = [], done, size
    if held:
        yield b"".join(held), done - before


def _changed(file: str) -> Problem:
    message = "the file changed while it was read; begin again when it is complete"
    return problem("Truncated", file, None, "", message)


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
        raise ReadError([_changed(one.file)])
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
        part = Part(0, 0, 0, -1 if _is_packed(one.file) else one.size)
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
            with _Writer(folder) as writer:
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


class _Writer:
    """Writes rows, and the runs they are in: of each piece a batch for each bucket.

    A batch is the columns of `Stored` as they are in memory, one behind the other: numbers that
    hardly compress, and are read again soon.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._batches: list[tuple[int, int, int, int]] = []

    def __enter__(self) -> Self:
        """Begin a file, which stays empty without rows."""
        self._stream = (self._folder / ROWS).open("wb")
        return self

    def __exit__(self, *_: object) -> None:
        """End it, and note of each batch its bucket, runs, rows, and bytes."""
        self._stream.close()
        np.save(self._folder / BATCHES, np.array(self._batches, np.int64).reshape(-1, 4))

    def write(self, rows: Rows, bucket: NDArray[np.int32], n_buckets: int) -> None:
        """Write rows in the order of the buckets of their runs, and else of the file."""
        order = np.argsort(bucket, kind="stable")
        runs = np.searchsorted(bucket[order], np.arange(n_buckets + 1))
        start, length = (np.cumsum(rows.length) - rows.length)[order], rows.length[order]
        ends = np.concatenate([[0], np.cumsum(length)])[runs]
        columns: list[NDArray[Any]] = [length, rows.score, rows.query[order], rows.record]
        columns += [] if rows.relevant is None else [rows.relevant]
        for at, (of, kind) in enumerate(LAYOUT[: len(columns)]):
            if of == "row" and n_buckets > 1:
                columns[at] = _in_order(columns[at], start, length)
            columns[at] = columns[at].astype(kind, copy=False)
        for at, (own_runs, own_rows) in enumerate(
            zip(pairwise(runs.tolist()), pairwise(ends.tolist()), strict=True)
        ):
            if own_runs[0] == own_runs[1]:
                continue
            own = {"run": slice(*own_runs), "row": slice(*own_rows)}
            each = [values[own[of]] for values, (of, _) in zip(columns, LAYOUT, strict=False)]
            for values in each:
                self._stream.write(values.data)
            size = sum(values.nbytes for values in each)
            self._batches.append((at, each[0].size, each[1].size, size))


def _in_order(
    values: NDArray[Any], start: NDArray[np.int64], length: NDArray[np.int64]
) -> NDArray[Any]:
    """Runs of values, one behind the other."""
    if values.size > LONG * length.size:  # slices are as quick as memory
        runs = zip(start.tolist(), (start + length).tolist(), strict=True)
        whole: NDArray[Any] = np.concatenate(
            [values[:0], *(values[first:stop] for first, stop in runs)]
        )
        return whole
    row = np.repeat(start - (np.cumsum(length) - length), length)
    row += np.arange(row.size)
    ordered: NDArray[Any] = values[row]
    return ordered


def told_of(folder: Path) -> dict[str, Any]:
    """What was noted of a part."""
    known: dict[str, Any] = json.loads(read_table(folder / QUERIES).schema.metadata[b"told"])
    return known


def _known(target: Path, part: Part) -> Spilled:
    told = told_of(target)
    return Spilled(part.at, told["rows"], told["size"], told["found"], told["reported_to"])


def write_table(table: pa.Table, path: Path) -> None:
    """Write a table that only these workers read."""
    with (
        pa.OSFile(os.fspath(path), "wb") as sink,
        pa.ipc.new_file(sink, table.schema, options=WRITE) as writer,
    ):
        writer.write_table(table)


def read_table(path: Path) -> pa.Table:
    """A table that was written here."""
    with pa.OSFile(os.fspath(path), "rb") as source:
        return pa.ipc.open_file(source).read_all()


class Stored(NamedTuple):
    """Rows of a bucket that a part held, by the ids of the part, in the order of the file.

    Wide numbers come first, so that all are aligned.
    """

    length: NDArray[np.int64]
    """Rows of each run, which have one query."""
    score: NDArray[np.float64]
    query: NDArray[np.int32]
    record: NDArray[np.int32]
    relevant: NDArray[np.bool_] | None = None


LAYOUT: tuple[tuple[str, type], ...] = (
    ("run", np.int64),
    ("row", np.float64),
    ("run", np.int32),
    ("row", np.int32),
    ("row", np.bool_),
)
"""Of each column of `Stored`: of what it has a number, and of which kind."""


def rows_of(folder: Path, bucket: int) -> Iterator[Stored]:
    """The rows of a bucket that a part held.

    Raises
    ------
    OSError
        If the file is shorter than it was.
    """
    batches = np.load(folder / BATCHES)
    own = np.flatnonzero(batches[:, 0] == bucket)
    begins = (np.cumsum(batches[:, 3]) - batches[:, 3])[own].tolist()
    with (folder / ROWS).open("rb") as stream:
        for (_, n_runs, n_rows, size), at in zip(batches[own].tolist(), begins, strict=True):
            stream.seek(at)
            numbers = np.empty(size, np.uint8)
            if stream.readinto(numbers.data) < size:
                raise OSError(errno.EIO, "shorter than it was written", str(folder / ROWS))
            columns: list[Any] = []
            first = 0
            for of, kind in LAYOUT:
                stop = first + (n_runs if of == "run" else n_rows) * np.dtype(kind).itemsize
                if stop <= size:
                    columns.append(numbers[first:stop].view(kind))
                first = stop
            yield Stored(*columns)
