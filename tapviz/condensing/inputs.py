"""What a run will do: files as it finds them, cut into parts, the text of each, and its plan."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
from pyarrow import parquet

from tapviz.condensing.stored import Ids, read_ids
from tapviz.files import Problems, ReadError, options_of, small, tables, warn
from tapviz.files.source import CODECS, File, Held, Source
from tapviz.labels import Labels, rules
from tapviz.lists import Direction
from tapviz.readers import FORMATS, ReadOptions, _lines, merging, reading
from tapviz.readers.options import FILE

PARQUET, TABLE = "parquet", "table"
LOST = 64
"""Bytes that are read at once to find the end of a line."""
PLAN, PLANNED, LABELS = "plan.json", "plan.pickle", "labels.pickle"
OWN_FOLDER, OWN_FILE = 0o700, 0o600
"""Modes of what only its own user may write."""
VERSION = 5
"""Of what is on the disk between two steps."""


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

    source: int
    """Place of the file among the inputs."""
    start: int
    stop: int


def files_in(file: str) -> list[str]:
    """The files of a Parquet data set, which is a folder; and any other file itself."""
    if is_address(file) or not Path(file).is_dir():
        return [file]
    found = [one for one in sorted(Path(file).rglob("*.parquet")) if one.is_file()]
    if not found:
        message = "there is no Parquet file in this folder; give the files in it"
        raise ReadError.of("NotFound", file, message)
    return [os.fspath(one) for one in found]


def is_address(file: str) -> bool:
    """Whether a file is an address of fsspec rather than a path."""
    return "://" in file


def opened(file: str) -> BinaryIO:
    """A file or an address, to be read at any place."""
    if not is_address(file):
        return Path(file).open("rb")
    import fsspec  # noqa: PLC0415  # of the extra "big", and for addresses alone

    if _is_streamed(file):  # and gives as much at once as has come
        return BufferedReader(fsspec.open(file, "rb", block_size=0).open())
    stream: BinaryIO = fsspec.open(file, "rb").open()
    return stream


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
    if options.query_from_name:
        head = head if isinstance(head, Held) else Held(file, next(Source(file).chunks(), b""))
        looked_at, options = merging.with_query(head, options)
    form = reading.format_of(Source(looked_at), options, problems, wanted=True)
    for doubt in problems.doubts:
        warn(file, doubt)
    known = FORMATS[form]
    if not known.by_line and form != PARQUET:
        why = "a line of it does not stand for itself, so that the file cannot be read in parts"
        remedy = "write the results as a table with a row for each hit"
        raise ReadError.of("WrongFormat", file, f"{known.title}: {why}; {remedy}")
    header = _lines.first_line(Source(head).head).text + b"\n" if form == TABLE else b""
    if form == PARQUET and _is_streamed(file):
        told = "the server gives this file only as a whole; download it, and give the copy"
        raise ReadError.of("WrongFormat", file, told)
    return Input(file, form, size, changed, header, _is_streamed(file))


def state_of(file: str) -> tuple[int, str]:
    """Size of a file, and what tells that it is still the same."""
    try:
        if is_address(file):
            import fsspec  # noqa: PLC0415

            system, path = fsspec.url_to_fs(file)
            told = system.info(path)
            size = told.get("size")
            tags = (told[name] for name in ("ETag", "Last-Modified", "mtime") if name in told)
            return (-1 if size is None else size), str(next(tags, ""))
        status = Path(file).stat()
    except FileNotFoundError:
        raise ReadError.of("NotFound", file, "there is no such file; check the path") from None
    if not stat.S_ISREG(status.st_mode):
        why = "this is a pipe or a device, which can be read only once, and condensing reads again"
        raise ReadError.of("NotFound", file, f"{why}: write it to a file first")
    return status.st_size, str(status.st_mtime_ns)


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
def _unpacked(file: str) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """What an address leads to, unpacked, and as it is; opened anew: not all can be read again."""
    codec = codec_of(file)
    with opened(file) as raw:
        try:
            yield (raw if codec is None else pa.CompressedInputStream(raw, codec)), raw
        except OSError as error:
            message = f"it is cut off or damaged, or was not read to its end: {error}; try again"
            raise ReadError.of("Encoding", file, message) from None


def parts_of(inputs: Sequence[Input], size: int) -> list[Part]:
    """Cut files into parts of about `size` bytes, which end where a line ends, or a row group.

    What is compressed cannot be cut, and becomes one part, which is read as a stream.
    """
    return [Part(at, *ends) for at, one in enumerate(inputs) for ends in _cut(one, size)]


def _cut(one: Input, size: int) -> Iterator[tuple[int, int]]:
    """Yield where the parts of a file begin and end."""
    start = held = 0
    if one.format == PARQUET:
        with opened(one.file) as stream:
            groups = parquet.ParquetFile(stream).metadata
        for group in range(groups.num_row_groups):
            held += groups.row_group(group).total_byte_size
            if held >= size or group == groups.num_row_groups - 1:
                yield start, group + 1
                start, held = group + 1, 0
    elif one.size < 0 or one.streamed or codec_of(one.file):
        yield 0, -1
    else:
        with opened(one.file) as stream:
            while start < one.size:
                stop = _next_line(stream, min(start + size, one.size), one.size)
                yield start, stop
                start = stop


def codec_of(file: str) -> str | None:
    """What a file is compressed by, if it is."""
    with opened(file) as stream:
        start = stream.read(8)
    return next((name for magic, name in CODECS.items() if start.startswith(magic)), None)


def _next_line(stream: BinaryIO, at: int, end: int) -> int:
    """Where the line ends in which a place is; at the end, that itself."""
    stream.seek(at - 1)
    while at < end and (block := stream.read(LOST)):
        cut = block.find(b"\n")
        if cut >= 0:
            return stream.tell() - len(block) + cut + 1
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
                stop = first + _next_line(stream, stop - first, part.stop - first)
                stream.seek(at - first)
                text = stream.read(stop - at)
                if len(text) < stop - at:
                    raise file_changed(one.file)
                yield text, len(text)
                at, least = stop, size
        return
    rest, done, before = b"", 0, 0
    few = min(least, size)  # at once, lest the first piece has many more than it needs
    for block, done in _of_address(one.file, few) if is_address(one.file) else _of_file(one.file):
        rest += block
        if len(rest) >= least:
            cut = rest.rfind(b"\n") + 1
            yield rest[:cut], done - before
            rest, before, least = rest[cut:], done, size
    if rest:
        yield rest, done - before


def _of_address(file: str, size: int) -> Iterator[tuple[bytes, int]]:
    """Yield what an address leads to, unpacked, and the bytes of it that were read so far."""
    with _unpacked(file) as (stream, raw):
        while block := stream.read(size):
            yield block, raw.tell()


def _of_file(file: str) -> Iterator[tuple[bytes, int]]:
    """Yield a file, unpacked, and the bytes of it that were read so far."""
    read = [0]
    for chunk in Source(file, lambda done, _size, _lines: read.append(done)).chunks():
        yield chunk, read[-1]


def file_changed(file: str) -> ReadError:
    """What is wrong with a file that is not as it was when the work began."""
    message = "the file changed while it was read; begin again when it is complete"
    return ReadError.of("Truncated", file, message)


class Plan(NamedTuple):
    """What all workers must know, written where they find it."""

    inputs: tuple[Input, ...]
    parts: tuple[Part, ...]
    options: ReadOptions
    direction: Direction
    n_buckets: int
    piece: int
    max_k: int
    most: int
    """Errors of each query that are kept at least."""
    quantile: float

    @property
    def sign(self) -> int:
        """1 if small scores are better, -1 if large ones are."""
        return 1 if self.direction == "ascending" else -1

    @property
    def name(self) -> str:
        """What messages call all files together."""
        return ", ".join(Path(one.file).name for one in self.inputs)


def with_pipes_read(options: ReadOptions) -> ReadOptions:
    """Options with what comes through pipes, which can be read only once, and is needed again."""
    held: dict[str, Any] = {}
    for name, one in options_of(ReadOptions).items():
        file = getattr(options, name) if one.kind == "file" else None
        if isinstance(file, (str, os.PathLike)) and Path(file).is_fifo():
            held[name] = Held(os.fspath(file), Source(file).binary().read())
    return replace(options, **held)


def fingerprint_of(plan: Plan, options: ReadOptions, labels: Labels) -> str:
    """What must be the same for a run to go on with what another one has made."""
    files = [getattr(options, name) for name in (*rules.RELEVANCE, "query_labels", "queries")]
    given = [one for one in files if isinstance(one, FILE)]
    told = [one.data() if isinstance(one, tables.Tabled) else Source(one).data() for one in given]
    own = pickle.dumps(labels) if not told else b""
    asked = (VERSION, plan.inputs, plan.direction, plan.max_k, plan.most, plan.quantile)
    found = blake2b(repr((asked, plan.options)).encode(), digest_size=16)
    for each in (*told, own):
        found.update(each)
    return found.hexdigest()


def begun(work: Path, plan: Plan, labels: Labels, fingerprint: str, *, resume: bool) -> Plan:
    """Make the folder of the work; or find that of an earlier run, whose parts are its own."""
    noted = work / PLAN
    if noted.exists():
        if not resume:
            remedy = "go on with it by resume (--resume), or remove it"
            raise ValueError(f"{work}: this is left of an earlier run; {remedy}")
        check_own(work.lstat(), work)
        if small.json_of(small.text_of(noted), str(noted)) != {"fingerprint": fingerprint}:
            had = "an earlier run had other files, labels or options"
            raise ValueError(f"{work}: {had}; remove this folder, and begin again")
        return plan_in(work)[0]
    shutil.rmtree(work, ignore_errors=True)
    work.parent.mkdir(parents=True, exist_ok=True)
    work.mkdir(mode=OWN_FOLDER)  # nobody else may put anything there that workers would run
    for name, known in {LABELS: labels, PLANNED: plan}.items():
        with (work / name).open("wb") as file:
            (work / name).chmod(OWN_FILE)
            pickle.dump(known, file)
    beside = work / f".{PLAN}"
    beside.write_text(json.dumps({"fingerprint": fingerprint}), encoding="utf-8")
    beside.replace(noted)
    return plan


@lru_cache(maxsize=2)
def _shared(work: Path, _fingerprint: str) -> tuple[Plan, Labels]:
    known = []
    for name in (PLANNED, LABELS):
        with (work / name).open("rb") as file:
            check_own(os.fstat(file.fileno()), work)
            known.append(pickle.load(file))  # noqa: S301  # what `begun` of the same user wrote
    return known[0], known[1]


def check_own(status: os.stat_result, work: Path) -> None:
    """Check that a file or folder of the work is this user's, and nobody else may write it.

    Raises
    ------
    ValueError
        If it is not: what is in it could be somebody else's program.
    """
    others = stat.S_IWGRP | stat.S_IWOTH
    own = getattr(os, "getuid", lambda: status.st_uid)()
    linked = stat.S_ISLNK(status.st_mode)
    if linked or status.st_uid != own or (os.name == "posix" and status.st_mode & others):
        whose = "this folder belongs to another user, or others may write to it"
        raise ValueError(f"{work}: {whose}: remove it, and begin again")


def plan_in(work: Path) -> tuple[Plan, Labels]:
    """Plan and labels of the work in a folder, read once by each worker."""
    return _shared(work, (work / PLAN).read_text(encoding="utf-8"))


def ids_in(work: Path) -> Ids:
    """Ids of all parts of the work in a folder."""
    folder = work / "ids"
    return read_ids(folder, folder.stat().st_mtime_ns)
