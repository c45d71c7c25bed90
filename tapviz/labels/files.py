"""How a file of labels is opened."""

from __future__ import annotations

import codecs
import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

from tapviz.labels.problems import ReadError, problem


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a text file: gzip is unpacked, lines end in LF, the text is known to be UTF-8.

    Raises
    ------
    ReadError
        If there is no such file, it may not be read, is damaged or is not UTF-8 text.
    """
    file = os.fspath(path)
    data = b""
    code, message = "NotFound", ""
    expected = "expected UTF-8 text; if it is text in another encoding, save it as UTF-8"
    try:
        data = Path(path).read_bytes()
        if data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
    except FileNotFoundError:
        message = "there is no such file; check the path"
    except IsADirectoryError:
        message = "this is a folder; give a file in it"
    except PermissionError:
        message = "no permission to read this file"
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        code = "Encoding"
        message = f"the gzip data is cut off or damaged ({error}); copy the file again"
    except (OSError, ValueError) as error:
        message = f"cannot be read: {error}"
    data = data.removeprefix(codecs.BOM_UTF8)
    if message:
        pass
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        code, message = "Encoding", f"this is UTF-16 text: {expected}"
    elif b"\0" in data:
        code, message = "Encoding", f"this is a binary file: {expected}"
    if message:
        raise ReadError([problem(code, file, None, "", message)])
    if not data.isascii():
        _check_utf8(data, file, expected)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def _check_utf8(data: bytes, file: str, expected: str) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    step = 1 << 24  # in pieces, so that no second copy of a large file is made
    at = 0
    try:
        for at in range(0, len(data), step):
            decoder.decode(data[at : at + step], final=at + step >= len(data))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, at + error.start) + 1
        found = problem("Encoding", file, line, "", f"these bytes are not UTF-8: {expected}")
        raise ReadError([found]) from None


def table_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is neither blank nor a comment."""
    for number, line in enumerate(read_bytes(path).decode().split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line
