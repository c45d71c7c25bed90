"""Rows of large tables, piece by piece: ids become numbers as they are parsed."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE = 2
"""Pieces of a file that are parsed side by side: more would hold more of it in memory."""

POOL = pa.system_memory_pool()
"""Arrow's own would keep what a piece took, and ask for fresh pages for the next one."""


class Parsed(NamedTuple):
    """Some columns of some rows."""

    texts: list[pa.DictionaryArray]
    numbers: list[NDArray[np.float64]]


class Gathered:
    """Columns of a table, gathered piece by piece."""

    def __init__(self, texts: int, numbers: int) -> None:
        self._texts: list[list[pa.DictionaryArray]] = [[] for _ in range(texts)]
        self._numbers: list[list[NDArray[np.float64]]] = [[] for _ in range(numbers)]

    def add(self, parsed: Parsed) -> None:
        """Add rows."""
        for parts, text in zip(self._texts, parsed.texts, strict=True):
            parts.append(text)
        for numbers, found in zip(self._numbers, parsed.numbers, strict=True):
            numbers.append(found)

    def texts(self, column: int) -> tuple[list[str], NDArray[np.int32]]:
        """Give away a column of texts: the distinct ones as they appear, and which a row has."""
        found, self._texts[column] = self._texts[column], []
        return coded(found)

    def numbers(self, column: int) -> NDArray[np.float64]:
        """Give away a column of numbers."""
        found, self._numbers[column] = self._numbers[column], []
        return np.concatenate(found) if found else np.empty(0, np.float64)


def coded(parts: Sequence[pa.DictionaryArray]) -> tuple[list[str], NDArray[np.int32]]:
    """Distinct texts of a column as they appear, and which one each row has."""
    if not parts:
        return [], np.empty(0, np.int32)
    alike = pa.chunked_array(parts).unify_dictionaries().chunks
    rows = np.concatenate([part.indices.to_numpy() for part in alike])
    return alike[0].dictionary.to_pylist(), rows


def side_by_side(function: Callable[[T], R], pieces: Iterable[T]) -> Iterator[R]:
    """Results for the pieces, in their order, several in work at a time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        begun: deque[Future[R]] = deque()
        for piece in pieces:
            begun.append(pool.submit(function, piece))
            if len(begun) > AT_ONCE:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()


def delimited(
    rows: bytes,
    width: int,
    texts: Sequence[int],
    numbers: Sequence[int],
    *,
    delimiter: str = "\t",
    quoted: bool = False,
    empty: bool = False,
) -> Parsed | None:
    """Parse rows of `width` columns; None if any is not as it should be.

    With `empty`, a number that is missing is NaN, and none may say that it is NaN.
    """
    if rows.startswith(BOM_UTF8):  # which is part of an id here, and pyarrow would drop it
        return None
    if quoted and b'"' in rows and not _tidy_quotes(rows, delimiter):
        return None
    names = [str(column) for column in range(width)]
    types: dict[str, Any] = {names[at]: pa.dictionary(pa.int32(), pa.string()) for at in texts}
    types |= {names[at]: pa.float64() for at in numbers}
    try:
        table = csv.read_csv(
            pa.BufferReader(rows),
            read_options=csv.ReadOptions(
                use_threads=False, column_names=names, block_size=len(rows) + 1
            ),
            parse_options=csv.ParseOptions(
                delimiter=delimiter, quote_char='"' if quoted else False
            ),
            convert_options=csv.ConvertOptions(
                column_types=types,
                include_columns=list(types),
                null_values=[""] if empty else [],
                check_utf8=False,
            ),
            memory_pool=POOL,
        )
    except pa.ArrowInvalid:
        return None
    if empty and any(pc.any(pc.is_nan(table[names[at]])).as_py() for at in numbers):
        return None
    return Parsed(
        [table[names[at]].combine_chunks() for at in texts],
        [table[names[at]].to_numpy() for at in numbers],
    )


def _tidy_quotes(rows: bytes, delimiter: str) -> bool:
    """Whether all quotes are around whole cells, which is read alike by all who read CSV."""
    comma = re.escape(delimiter.encode())
    cells = re.findall(rb"(?:^|[\n" + comma + rb'])"[^"\n]*"(?=[\n' + comma + rb"]|$)", rows)
    return rows.count(b'"') == 2 * len(cells)


def lines_of(chunk: bytes) -> pa.Array | None:
    """Lines that are not empty; None if they cannot be had at once."""
    if chunk.startswith(BOM_UTF8):
        return None
    try:
        # A separator that is in no line: each line is one cell.
        table = csv.read_csv(
            pa.BufferReader(chunk),
            read_options=csv.ReadOptions(column_names=["row"], block_size=len(chunk) + 1),
            parse_options=csv.ParseOptions(delimiter="\x01", quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types={"row": pa.string()}, null_values=[], check_utf8=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    return table["row"].combine_chunks()


def without_comments(rows: pa.Array) -> pa.Array:
    """Lines that do not begin with ``#``."""
    return rows.filter(pc.invert(pc.starts_with(rows, "#")))


def words(
    rows: pa.Array, width: int, texts: Sequence[int], numbers: Sequence[int]
) -> Parsed | None:
    """Split rows at white space into at least `width` words; None if any row has less.

    What follows is one text. Blank rows are left out.
    """
    rows = pc.ascii_trim_whitespace(rows)  # else a blank at the end counts as a column
    rows = rows.filter(pc.not_equal(rows, ""))
    cells = pc.ascii_split_whitespace(rows, max_splits=width)
    first = cells.offsets.to_numpy()[:-1]
    if len(rows) and np.diff(cells.offsets.to_numpy()).min() < width:
        return None
    values = cells.values
    try:
        return Parsed(
            [values.take(pa.array(first + at)).dictionary_encode() for at in texts],
            [values.take(pa.array(first + at)).cast(pa.float64()).to_numpy() for at in numbers],
        )
    except pa.ArrowInvalid:
        return None


def last_words(rows: pa.Array, count: int, numbers: Sequence[int]) -> Parsed | None:
    """Take the first word of rows, and some of the last `count`, counted from the end.

    None if a row has less words.
    """
    rows = pc.ascii_trim_whitespace(rows)
    cells = pc.ascii_split_whitespace(rows, max_splits=count, reverse=True)
    end = cells.offsets.to_numpy()
    if len(rows) == 0 or np.diff(end).min() <= count:
        return None
    values = cells.values
    first = values.take(pa.array(end[:-1]))
    try:
        return Parsed(
            [pc.list_element(pc.ascii_split_whitespace(first), 0).dictionary_encode()],
            [values.take(pa.array(end[1:] + at)).cast(pa.float64()).to_numpy() for at in numbers],
        )
    except pa.ArrowInvalid:
        return None
