"""How large a Parquet file is when it is read, by the headers of its pages.

Arrow takes the word of a file: it allocates what a page claims, and a file of 60 KB can claim
gigabytes while its footer says that all is small. So the headers are read before Arrow reads the
pages. They are structures in the compact protocol of Thrift, of which a few fields matter here.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO

import pyarrow as pa

MAX_VALUES = 5_000_000
"""Values in the headers of pages, some seconds of work."""
MAX_DEPTH = 20
DAMAGED = "its footer, or the header of a page, is damaged"
TOO_MANY = "its footer, or the headers of its pages, have more parts than are read"

# Types of the protocol.
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
LONG = 15  # a list of so many and more
# Fields, by number and type: as Arrow does, those of another type are passed over.
UNPACKED_PAGE, PACKED_PAGE = (2, I32), (3, I32)

Fields = dict[tuple[int, int], Any]


def groups(file: BinaryIO, columns: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield rows of each group, and bytes of its pages when they are unpacked, of some columns.

    Parameters
    ----------
    file : binary file
        That can be sought in.
    columns : collection of int
        Places of columns, from 0.

    Raises
    ------
    pyarrow.ArrowInvalid, OSError
        If the footer or a header is damaged.
    """
    from pyarrow import parquet  # noqa: PLC0415  # slow to import, and not needed for text

    footer, reader = parquet.read_metadata(file), _Reader(file)
    for group in map(footer.row_group, range(footer.num_row_groups)):
        sizes = [_unpacked(file, group.column(at), reader) for at in columns]
        yield max(group.num_rows, 0), sum(sizes)


def _unpacked(file: BinaryIO, chunk: Any, reader: _Reader) -> int:
    """Bytes of the pages of a column, a dictionary among them, when they are unpacked."""
    start = chunk.data_page_offset
    if 0 < (chunk.dictionary_page_offset or 0) < start:
        start = chunk.dictionary_page_offset
    stop, unpacked = start + chunk.total_compressed_size, 0
    while start < stop:
        if start < 0:
            raise pa.ArrowInvalid(DAMAGED)
        file.seek(start)
        page = reader.structure()
        packed, size = page.get(PACKED_PAGE, -1), page.get(UNPACKED_PAGE, -1)
        if packed < 0 or size < 0:
            raise pa.ArrowInvalid(DAMAGED)
        unpacked += size
        start = file.tell() + packed
    return unpacked


class _Reader:
    """Reads structures, as far as there are not too many values."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._left = MAX_VALUES

    def structure(self, depth: int = 0) -> Fields:
        """Read the fields of a structure, by their numbers and types."""
        fields: Fields = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            fields[number, kind] = None if kind in (TRUE, FALSE) else self._value(kind, depth + 1)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            raise pa.ArrowInvalid(TOO_MANY)
        if kind == STRUCT:
            return self.structure(depth)
        if kind in (I16, I32, I64):
            return self._signed()
        if kind in (LIST, SET):
            head = self._byte()
            length = head >> 4 if head >> 4 < LONG else self._unsigned()
            return [self._value(head & 15, depth + 1) for _ in range(length)]
        if kind == MAP:
            length = self._unsigned()
            kinds = self._byte() if length else 0
            for _ in range(length):
                self._value(kinds >> 4, depth + 1)
                self._value(kinds & 15, depth + 1)
        elif kind in (TRUE, FALSE, BYTE):
            self._byte()
        elif kind == DOUBLE:
            self._file.seek(8, io.SEEK_CUR)
        elif kind == BINARY:
            self._file.seek(self._unsigned(), io.SEEK_CUR)
        else:
            raise pa.ArrowInvalid(DAMAGED)
        return None

    def _byte(self) -> int:
        found = self._file.read(1)
        if not found:
            raise pa.ArrowInvalid(DAMAGED)
        return found[0]

    def _unsigned(self) -> int:
        value = 0
        for shift in range(0, 64, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:  # noqa: PLR2004  # the highest bit says that more follow
                return value
        raise pa.ArrowInvalid(DAMAGED)

    def _signed(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)
