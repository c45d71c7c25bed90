"""Rows on the disk between two steps of the work, in batches by bucket; and small tables."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.condensing.quick import Rows

ROWS, BATCHES = "rows.bin", "batches.npy"
QUERIES, RECORDS = "queries.arrow", "records.arrow"
LONG = 50
"""Rows of a query one after the other, on the mean, that make its run a long one."""
WRITE = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", 1))


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


class Writer:
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
