"""The bytes of a file, piece by piece: decompressed, checked to be UTF-8, lines ending in LF.

All files, of hits and of labels, are read through here, within the same limits. No reader holds
more of a large table than the pieces it is parsing.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

from tapviz.files.limits import MB, Budget, limits
from tapviz.files.problems import ReadError

CHUNK = 1 << 23
HEAD = 1 << 16
HEAD_LINES = 100
MAX_LINE = 1 << 24

# Tables of hits are compressed 3 to 20 times; a file that is compressed more may be meant to fill
# the memory, unless it is small, where all rows may be alike.
MAX_RATIO = 200
RATIO_FROM = 1 << 26

CODECS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2"}
PACKED = {".gz": "gzip -cd", ".bz2": "bzip2 -cd", ".zst": "zstd -cd"}
"""What prints the text of a compressed file, by how its name ends."""
UNPACK = "unpack it, and open one of its files"
ARCHIVES = {
    b"PK\x03\x04": f"a zip archive: {UNPACK}",
    b"\xfd7zXZ\0": f"an xz file: {UNPACK}",
    b"7z\xbc\xaf\x27\x1c": f"a 7z archive: {UNPACK}",
    bytes.fromhex("6be33e6d47530e3c"): "an archive of DIAMOND; a command makes a table of it:\n"
    "    diamond view --daa {} --out {}",
}
"""By how they begin: what they are, and what to do, with places for the file and a table of it."""
NOT_OPENED: dict[type[Exception], str] = {
    FileNotFoundError: "there is no such file; check the path",
    IsADirectoryError: "this is a folder; open a file in it",
    PermissionError: "no permission to read this file",
}
PARQUET = b"PAR1"
SURROGATE = re.compile("[\ud800-\udfff]")  # of a name that is not UTF-8, and cannot be written
TEXT = "expected UTF-8 text; if it is text in another encoding, save it as UTF-8"


@dataclass(frozen=True, eq=False)
class Held:
    """A file in memory, such as an uploaded one; equal to itself alone.

    Attributes
    ----------
    name : str
        Name in messages; it is not a path, and never opened.
    data : bytes
        The content.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tapviz import ClassTable
    >>> from tapviz.labels import Held
    >>> uploaded = Held("classes.tsv", Path("classes.tsv.gz").read_bytes())
    >>> ClassTable.read(uploaded).records["d12asa_"]
    'd.104.1.1'
    """

    name: str
    data: bytes


File = str | os.PathLike[str] | Held
OnReadProgress = Callable[[int, int, int], None]
"""Called with the bytes read so far, the size of the file and the lines read so far."""


def name_of(file: Any) -> str:
    """Name of a file in messages; what is not UTF-8 in it becomes U+FFFD.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tapviz.labels import Held, name_of
    >>> name_of(Path("hits.tsv")), name_of(Held("uploaded.tsv", b""))
    ('hits.tsv', 'uploaded.tsv')
    """
    return printable(os.fspath(file) if isinstance(file, (str, os.PathLike)) else file.name)


def printable(text: str) -> str:
    """Text whose letters can be written as UTF-8: others become U+FFFD."""
    return SURROGATE.sub("\ufffd", text)


def together(parts: Iterable[bytes | str], file: str) -> bytes:
    """Parts of a file in one, within the memory that it may take."""
    budget, held = Budget(file), []
    for part in parts:
        budget.take(len(part))
        held.append(part.encode() if isinstance(part, str) else bytes(part))
    return b"".join(held)


class Line(NamedTuple):
    """A line of a file and its number, from 1."""

    number: int
    text: bytes


class Source:
    """A file that can be read from its beginning any number of times.

    Parameters
    ----------
    path : path or Held
        A pipe is held in memory; devices, which may have no end, are refused.
    progress : callable, optional
        Called from time to time with the bytes read so far, the size of the file (both before
        decompression) and the lines read so far. An exception it raises ends the reading.

    Raises
    ------
    ReadError
        If there is no such file, it may not be read, or its beginning is not text.

    Examples
    --------
    >>> from tapviz.labels import Source
    >>> source = Source("queries.txt")
    >>> len(source.head) > 1
    True
    """

    def __init__(self, path: File, progress: OnReadProgress | None = None) -> None:
        self.file = name_of(path)
        self._progress = progress
        self._path = Path() if isinstance(path, Held) else Path(path)
        self._held = path.data if isinstance(path, Held) else None
        with self._named():
            if self._held is None:
                status = self._path.stat()
                self.size = status.st_size
                if not stat.S_ISREG(status.st_mode):
                    self._held = self._piped(status.st_mode)
            if self._held is not None:
                self.size = len(self._held)
            with self._open() as stream:
                first = stream.read(8)
        self.is_parquet = first.startswith(PARQUET)
        self._codec = next((c for magic, c in CODECS.items() if first.startswith(magic)), None)
        for magic, archive in ARCHIVES.items():
            if first.startswith(magic):
                names = quote(self.file), quote(f"{self.file}.tsv")
                raise self._wrong("Encoding", f"this is {archive.format(*names)}")
        self.head = [] if self.is_parquet else self._head()

    def chunks(self, size: int = 0) -> Iterator[bytes]:
        """Yield the text in pieces that end where a line ends.

        Raises
        ------
        ReadError
            If the file is damaged, is larger than allowed when decompressed, or is not UTF-8 text.
        """
        rest, held, known = b"", b"", 0
        for block in self._blocks(size):
            piece = held + block if held else block
            held = b""
            if b"\r" in piece:
                # A CR at the end may be half of a line end.
                held = b"\r" if piece.endswith(b"\r") else b""
                piece = piece.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            cut = piece.rfind(b"\n") + 1
            if not cut:
                rest += piece
                if len(rest) > MAX_LINE:
                    self._check_binary(rest)
                    number = self._line_after(known, size)
                    wanted = "expected a text table, with a row per line"
                    message = f"a line is longer than {MAX_LINE >> 20} MB: {wanted}"
                    raise self._wrong("LineTooLong", message, number)
                continue
            chunk = b"".join((rest, memoryview(piece)[:cut]))
            rest = piece[cut:]
            self._check_text(chunk, known, size)
            yield chunk
            known += 1
        if held:
            rest += b"\n"
        if rest:
            self._check_text(rest, known, size)
            yield rest

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield number, from 1, and text of each line, without its end."""
        number = 1
        for chunk in self.chunks():
            for line in chunk.removesuffix(b"\n").split(b"\n"):
                yield number, line
                number += 1

    def data(self) -> bytes:
        """Return the whole text."""
        return together(self.chunks(), self.file)

    def binary(self) -> BinaryIO:
        """Open the file as it is."""
        return io.BufferedReader(self._open())

    def row(self, row: int, *, below: int = 0, comments: bool = True) -> Line:
        """Return the line of a row of a table, from 0.

        Blank lines, the first `below` lines and, if `comments`, lines that begin with ``#`` are
        not rows.
        """
        for number, text in self.lines():
            comment = comments and text.startswith(b"#")
            if number > below and text.strip() and not comment:
                if not row:
                    return Line(number, text)
                row -= 1
        raise ValueError(f"{self.file}: the file changed while it was read")

    def _wrong(self, code: str, message: str, line: int | None = None) -> ReadError:
        return ReadError.of(code, self.file, message, line)

    def _piped(self, mode: int) -> bytes:
        """What comes through a pipe, up to its end."""
        if stat.S_ISDIR(mode):
            raise IsADirectoryError
        if not stat.S_ISFIFO(mode):
            raise self._wrong("NotFound", "this is a device, not a file; give a file, or a pipe")
        with self._open() as stream:
            return together(iter(partial(stream.read, CHUNK), b""), self.file)

    def _head(self) -> list[bytes]:
        chunks = self.chunks(HEAD)
        head = next(chunks, b"")
        if head.count(b"\n") < HEAD_LINES:  # a last line may have no end
            head += next(chunks, b"")
        return head.split(b"\n")[:HEAD_LINES]

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Turn errors of opening a file into a `ReadError`."""
        try:
            yield
        except ReadError:
            raise
        except (OSError, ValueError) as error:
            other = f"cannot be read: {getattr(error, 'strerror', None) or error}"
            raise self._wrong("NotFound", NOT_OPENED.get(type(error), other)) from None

    def _open(self) -> io.BytesIO | io.FileIO:
        if self._held is not None:
            return io.BytesIO(self._held)
        return self._path.open("rb", buffering=0)

    def _blocks(self, size: int) -> Iterator[bytes]:
        """Yield the decompressed bytes in blocks."""
        unpacked = lines = 0
        quietly, size = size > 0, size or CHUNK
        with self._named():
            raw = self._open()
        with raw:
            stream = raw if self._codec is None else pa.CompressedInputStream(raw, self._codec)
            while block := self._unpack(stream, size):
                unpacked += len(block)
                if self._codec is not None:
                    self.check_unpacked(unpacked)
                if self._progress is not None and not quietly:
                    lines += block.count(b"\n")
                    self._progress(min(raw.tell(), self.size), self.size, lines)
                yield block.removeprefix(codecs.BOM_UTF8) if unpacked == len(block) else block
            if raw.tell() < self.size:
                ended = f"the file ended after {raw.tell():,} of {self.size:,} bytes"
                why = "it was cut off while it was read; open it again when it is complete"
                raise self._wrong("Truncated", f"{ended}: {why}")

    def _unpack(self, stream: io.BytesIO | io.FileIO, size: int) -> bytes:
        if self._codec is None:
            with self._named():
                return bytes(stream.read(size))
        try:
            return bytes(stream.read(size))
        except OSError as error:
            message = f"the {self._codec} data is cut off or damaged ({error}); copy the file again"
            raise self._wrong("Encoding", message) from None

    def check_unpacked(self, size: int, remedy: str = "unpack it yourself") -> None:
        """Raise `ReadError` if the file, of which so much is unpacked, is larger than allowed."""
        most = limits().decoded_file
        ratio = size > max(RATIO_FROM, MAX_RATIO * self.size)
        if ratio or size > most:
            limit = f"more than {MAX_RATIO} times its size" if ratio else f"{most / MB:,.0f} MB"
            what = "Parquet" if self.is_parquet else self._codec
            found = f"the {what} file unpacks to more than is read, {limit}"
            raise self._wrong("TooLarge", f"{found}; if that is right, {remedy}")

    def _line_after(self, known: int, size: int) -> int:
        """Number of the line after the first pieces, which are read again to count."""
        return 1 + sum(chunk.count(b"\n") for chunk in islice(self.chunks(size), known))

    def _check_text(self, chunk: bytes, known: int, size: int) -> None:
        if chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not known:
            raise self._wrong("Encoding", f"this is UTF-16 text: {TEXT}")
        self._check_binary(chunk)
        if chunk.isascii():
            return
        try:
            chunk.decode()
        except UnicodeDecodeError as error:
            line = self._line_after(known, size) + chunk.count(b"\n", 0, error.start)
            raise self._wrong("Encoding", f"these bytes are not UTF-8: {TEXT}", line) from None

    def _check_binary(self, chunk: bytes) -> None:
        if b"\0" in chunk:
            raise self._wrong("Encoding", f"this is a binary file: {TEXT}")
