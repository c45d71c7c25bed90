"""The one door for small files: runs, sessions, baselines, and what Parquet says of itself.

Nowhere else does text become JSON, TOML, cells or a number, so that one place says how large, how
deep and how long they may be. Tables of results have readers of their own.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import tomllib
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from tapviz.files.limits import MB, limits
from tapviz.files.problems import ReadError, problem, visible
from tapviz.files.source import File, Source

SMALL = 4 * MB
"""Characters of a file that somebody writes by hand, or a session."""
MAX_DEPTH = 30
"""Brackets in brackets."""
MAX_DIGITS = 18
"""Of a whole number, so that it is one of eight bytes."""
MAX_TEXT = 10_000
"""Characters of a cell or a line: a command may be long."""
MAX_SHOWN = 40
WHOLE = re.compile(f"[+-]?[0-9]{{1,{MAX_DIGITS}}}")
NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf|infinity|nan)", re.IGNORECASE
)
DOTTED = re.compile(
    rf"""(?<![\w.'"-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MAX_DEPTH}}}"""
)
"""A key of TOML that is a table in a table in a table: the time it takes grows as the square."""


def wrong(
    file: str, line: int | None, message: str, text: str = "", code: str = "WrongFormat"
) -> ReadError:
    """What is wrong with a small file, and where; nothing of it reaches a terminal as it is."""
    return ReadError([problem(code, file, line, text, visible(message))])


def whole(text: str) -> int:
    """A whole number, as people write it: digits, and perhaps a sign.

    Raises
    ------
    ValueError
        If it is anything else, or has more digits than eight bytes hold.

    Examples
    --------
    >>> from tapviz.files.small import whole
    >>> whole("-12")
    -12
    """
    if not WHOLE.fullmatch(plain := text.strip(" \t")):
        msg = f"expected a whole number of at most {MAX_DIGITS} digits, found {text[:MAX_SHOWN]!r}"
        raise ValueError(msg)
    return int(plain)


def number(text: str) -> float:
    """A number in digits: no ``1_000``, and no digits of other scripts.

    Raises
    ------
    ValueError
        If it is anything else.

    Examples
    --------
    >>> from tapviz.files.small import number
    >>> number("1e-5")
    1e-05
    """
    if len(text) > MAX_TEXT or not NUMBER.fullmatch(plain := text.strip(" \t")):
        raise ValueError(f"expected a number, found {text[:MAX_SHOWN]!r}")
    return float(plain)


def text_of(file: File, most: int | None = SMALL) -> str:
    """Text of a small file; of what has `most` characters at most, by default `SMALL`.

    Raises
    ------
    ReadError
        If it cannot be read, is not UTF-8 text, or is larger; None: as large as any file may be.
    """
    source, text = Source(file), bytearray()
    for part in source.chunks():
        text += part
        _check_size(len(text), source.file, most)
    return text.decode()


def json_of(text: str | bytes, file: str, *, most: int | None = SMALL, finite: bool = True) -> Any:
    """What a text of JSON holds.

    Parameters
    ----------
    text : str or bytes
    file : str
        What messages call it.
    most : int, optional
        Characters that it may have; None: as many as any file.
    finite : bool
        Whether NaN and infinity are not numbers, as JSON has it.

    Raises
    ------
    ReadError
        If it is not JSON, or is larger, deeper or has longer numbers than any such file.

    Examples
    --------
    >>> from tapviz.files.small import json_of
    >>> json_of('{"n": [1, 2.5]}', "some.json")
    {'n': [1, 2.5]}
    """
    _check_size(len(text), file, most)

    def constant(name: str) -> float:
        if finite:
            raise wrong(file, None, f"{name} is not a number in JSON")
        return float(name)

    try:
        plain = text if isinstance(text, str) else text.decode("utf-8")
        value = json.loads(plain, parse_int=whole, parse_constant=constant)
        # Half a surrogate pair is JSON, but neither an address nor a page can hold it.
        if "\\u" in plain:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        message = f"this is not JSON ({error.msg}, column {error.colno})"
        raise wrong(file, error.lineno, message) from None
    except RecursionError:
        raise _too_deep(file) from None
    except ReadError:
        raise
    except ValueError as error:
        raise wrong(file, None, f"this is not JSON that tapviz can read: {error}") from None
    _check_depth(value, file, finite=finite)
    return value


def toml_of(text: str, file: str) -> dict[str, Any]:
    r"""Tables of a text of TOML.

    Raises
    ------
    ReadError
        If it is not TOML, or is larger or deeper than any that somebody writes.

    Examples
    --------
    >>> from tapviz.files.small import toml_of
    >>> toml_of("[blastp]\nseconds = 12.5", "runs.toml")
    {'blastp': {'seconds': 12.5}}
    """
    _check_size(len(text), file, SMALL)
    for at, line in enumerate(text.splitlines(), 1):
        if len(line) > MAX_TEXT:
            raise _too_long(file, at, line)
    if DOTTED.search(text):
        raise _too_deep(file)
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        opened = (1 if bracket in "[{" else -1 for bracket in re.findall(r"[][{}]", text))
        if max(accumulate(opened), default=0) > MAX_DEPTH:  # as far as Python itself lets it go
            raise _too_deep(file) from None
        found = re.search(r" \(at line ([0-9]{1,9}), column [0-9]+\)", str(error))
        message = str(error).replace(found[0], "") if found else str(error)
        at = int(found[1]) if found else text.count("\n") + 1
        raise wrong(file, at, f"this is not TOML: {message}") from None
    except RecursionError:
        raise _too_deep(file) from None
    except ValueError as error:  # a number of thousands of digits, a day that there is not
        why = str(error).split(";")[0]  # what follows is advice for programs
        raise wrong(file, None, f"this is not TOML that tapviz can read: {why}") from None
    _check_depth(value, file, finite=False)
    return value


def cells_of(text: str, file: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    r"""Yield line, from 1, and cells of each row, but for blank ones and those that begin with #.

    A cell in quotes may have several lines; the line is that on which its row ends.

    Raises
    ------
    ReadError
        If a quote is not closed, or the text or a cell is too long.

    Examples
    --------
    >>> from tapviz.files.small import cells_of
    >>> list(cells_of("run,seconds\n# slow\na,12", "runs.csv", ","))
    [(1, ['run', 'seconds']), (3, ['a', '12'])]
    """
    _check_size(len(text), file, SMALL)
    lines = ("" if line.startswith("#") else line for line in io.StringIO(text))
    rows = csv.reader(lines, delimiter=separator, strict=True)
    try:
        for row in rows:
            if longest := max((cell for cell in row if len(cell) > MAX_TEXT), key=len, default=""):
                raise _too_long(file, rows.line_num, longest)
            if any(cell.strip() for cell in row):
                yield rows.line_num, row
    except csv.Error:
        message = "the quotes of this row are wrong, or a cell of it is far too long"
        raise wrong(file, rows.line_num, message) from None


def _check_depth(value: object, file: str, *, finite: bool) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        if finite and any(isinstance(one, float) and math.isinf(one) for one in level):
            raise wrong(file, None, "a number is larger than any that can be computed with")
        inner = [one.values() if isinstance(one, dict) else one for one in level
                 if isinstance(one, (dict, list))]  # fmt: skip
        level = [one for each in inner for one in each]
        if not level:
            return
    raise _too_deep(file)


def _check_size(size: int, file: str, most: int | None) -> None:
    most = limits().decoded_file if most is None else most
    if size > most:
        message = f"expected at most {most / MB:,.0f} MB, as such a file has: is it another one?"
        raise wrong(file, None, message, code="TooLarge")


def _too_long(file: str, line: int, text: str) -> ReadError:
    message = f"expected at most {MAX_TEXT:,} characters, found {len(text):,}"
    return wrong(file, line, message, text, "CellTooLong")


def _too_deep(file: str) -> ReadError:
    message = f"more than {MAX_DEPTH} brackets or keys are in one another: is it another file?"
    return wrong(file, None, message)
