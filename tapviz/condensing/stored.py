"""What is on the disk between two steps of the work: whole folders, tables, rows, and ids."""

from __future__ import annotations

import errno
import json
import os
import shutil
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.files.small import json_of, text_of
from tapviz.labels import Hits
from tapviz.lists import Direction

DONE = "done.json"
ROWS, BATCHES, PLACES = "rows.bin", "batches.npy", "places.npz"
QUERIES, RECORDS = "queries.arrow", "records.arrow"
KINDS = {"query": QUERIES, "record": RECORDS}
"""Kinds of ids, and the files in which they are."""
LONG = 50
"""Rows of a query one after the other, on the mean, that make its run a long one."""
WRITE = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", 1))
LAYOUT: tuple[tuple[str, bool, type[np.generic]], ...] = (
    ("length", True, np.int64),
    ("score", False, np.float64),
    ("query", True, np.int32),
    ("record", False, np.int32),
    ("relevant", False, np.bool_),
)
"""Columns of `Rows` as they are stored: whether each run has a number, or each row, and its kind.

Wide numbers come first, so that all are aligned."""
Kind = TypeVar("Kind", bound=np.generic)


# Folders that are there with all that belongs in them, or not at all


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Make a folder to write files into, which takes its name when all of them are on the disk.

    Its last file, `DONE`, has the size and a sum of each of the others. If anything fails, nothing
    of it is left.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}")
    beside.mkdir()
    try:
        yield beside
        sums = {}
        for file in sorted(beside.iterdir()):
            _sync(file)
            sums[file.name] = _size_and_sum(file)
        (beside / DONE).write_text(json.dumps(sums), encoding="utf-8")
        _sync(beside / DONE)
        if is_whole(target):  # of another worker, which was taken for lost
            shutil.rmtree(beside)
            return
        if target.exists():  # and is damaged
            shutil.rmtree(target)
        beside.rename(target)
        _sync(target.parent)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def is_whole(folder: Path) -> bool:
    """Whether a folder has all its files as they were written."""
    try:
        sums: dict[str, list[int]] = json_of(text_of(folder / DONE), DONE)
        return all(_size_and_sum(folder / name) == noted for name, noted in sums.items())
    except (OSError, ValueError):
        return False


def _size_and_sum(file: Path) -> list[int]:
    total = 0
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            total = zlib.crc32(block, total)
        return [stream.tell(), total]


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_table(columns: Mapping[str, Any] | pa.Table, path: Path, told: object = None) -> None:
    """Write a table that only these workers read, and what is told of it as a whole."""
    table = pa.table(columns).replace_schema_metadata({"told": json.dumps(told)})
    with (
        pa.OSFile(os.fspath(path), "wb") as sink,
        pa.ipc.new_file(sink, table.schema, options=WRITE) as writer,
    ):
        writer.write_table(table)


def read_table(path: Path) -> pa.Table:
    """Read a table that was written here."""
    with pa.OSFile(os.fspath(path), "rb") as source:
        return pa.ipc.open_file(source).read_all()


def told_of(table: pa.Table) -> Any:
    """What was told of a table as a whole when it was written."""
    return json_of(table.schema.metadata[b"told"], "told", most=None, finite=False)


# Rows


class Rows(NamedTuple):
    """Some rows of hits, in the order of the file, those of a query in runs.

    Attributes
    ----------
    query_id, record_id : list of str
        Distinct ids, as they appear; empty where places are among those of a part.
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

    def hits(self, file: str, direction: Direction, *, named: bool) -> Hits:
        """Return the rows as readers give them to labels."""
        query = np.repeat(self.query, self.length)
        rows = query, self.record, self.score, direction, self.relevant
        return Hits(file, self.query_id, self.record_id, *rows, complete=False, named=named)


def write_rows(
    stream: BinaryIO, rows: Rows, bucket: NDArray[np.int32], n_buckets: int
) -> list[tuple[int, int, int, int]]:
    """Write rows, and the runs they are in, in the order of the buckets of their runs.

    Of each bucket that has any there is a batch: its columns as they are in memory, one behind the
    other, numbers that hardly compress, and are read again soon. Returns of each batch its bucket,
    runs, rows and bytes.
    """
    order = np.argsort(bucket, kind="stable")
    runs = np.searchsorted(bucket[order], np.arange(n_buckets + 1))
    start, length = (np.cumsum(rows.length) - rows.length)[order], rows.length[order]
    ends = np.concatenate([[0], np.cumsum(length)])[runs]
    columns = []
    for name, of_run, kind in LAYOUT:
        values = getattr(rows, name)
        if values is None:
            continue
        if of_run:
            values = values[order]
        elif n_buckets > 1:
            values = _in_order(values, start, length)
        columns.append((of_run, values.astype(kind, copy=False)))
    batches = []
    bounds = zip(pairwise(runs.tolist()), pairwise(ends.tolist()), strict=True)
    for at, (own_runs, own_rows) in enumerate(bounds):
        if own_runs[0] < own_runs[1]:
            own = {True: slice(*own_runs), False: slice(*own_rows)}
            size = sum(stream.write(values[own[of_run]].data) for of_run, values in columns)
            batches.append((at, own_runs[1] - own_runs[0], own_rows[1] - own_rows[0], size))
    return batches


def _in_order(
    values: NDArray[Kind], start: NDArray[np.int64], length: NDArray[np.int64]
) -> NDArray[Kind]:
    """Runs of values, one behind the other."""
    if values.size > LONG * length.size:  # slices are as quick as memory
        runs = zip(start.tolist(), (start + length).tolist(), strict=True)
        return np.concatenate([values[:0], *(values[first:stop] for first, stop in runs)])
    row = np.repeat(start - (np.cumsum(length) - length), length)
    row += np.arange(row.size)
    return np.asarray(values[row])


def rows_of(folder: Path, bucket: int) -> Iterator[Rows]:
    """Yield the rows of a bucket that a part held, by the ids of the part, as in the file.

    Raises
    ------
    OSError
        If the file is shorter than it was.
    """
    batches = np.load(folder / BATCHES)
    own = np.flatnonzero(batches[:, 0] == bucket)
    begins = (np.cumsum(batches[:, 3]) - batches[:, 3])[own].tolist()
    for (_, n_runs, n_rows, size), at in zip(batches[own].tolist(), begins, strict=True):
        numbers = np.fromfile(folder / ROWS, np.uint8, size, offset=at)
        if numbers.size < size:
            raise OSError(errno.EIO, "shorter than it was written", str(folder / ROWS))
        columns: dict[str, Any] = {}
        first = 0
        for name, of_run, kind in LAYOUT:
            stop = first + (n_runs if of_run else n_rows) * np.dtype(kind).itemsize
            if stop <= size:
                columns[name] = numbers[first:stop].view(kind)
            first = stop
        yield Rows([], [], **columns)


# Ids of all parts together: parts number those they hold, from 0, each for itself


class Ids(NamedTuple):
    """Ids of all parts, in the order of files and lines, and where those of each part are."""

    query_id: pa.Array
    record_id: pa.Array
    query: Sequence[NDArray[np.int32]]
    """Of each part, the places of its queries."""
    record: Sequence[NDArray[np.int32]]


def gather_ids(parts: Sequence[Path], target: Path) -> None:
    """Number the ids of all parts, and write that."""
    if is_whole(target):
        return
    places: dict[str, Any] = {}
    with new_folder(target) as folder:
        for name, file in KINDS.items():
            columns = [read_table(part / file)[name].combine_chunks() for part in parts]
            coded = pa.chunked_array(columns, pa.string()).dictionary_encode().unify_dictionaries()
            ids = coded.chunk(0).dictionary if coded.num_chunks else pa.array([], pa.string())
            write_table({name: ids}, folder / file)
            codes = [np.zeros(0, np.int32), *(chunk.indices.to_numpy() for chunk in coded.chunks)]
            places[name] = np.concatenate(codes)
            places[f"{name}_ends"] = np.cumsum([len(column) for column in columns])
        np.savez(folder / PLACES, **places)


@lru_cache(maxsize=1)
def read_ids(folder: Path, _changed: int) -> Ids:
    """Read the ids that `gather_ids` wrote, once as long as they are the same."""
    places = np.load(folder / PLACES)
    ids = [read_table(folder / file)[name].combine_chunks() for name, file in KINDS.items()]
    return Ids(*ids, *(np.split(places[of], places[f"{of}_ends"][:-1]) for of in KINDS))
