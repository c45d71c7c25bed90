"""The rows of a small table or list, read one by one, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple, TypeVar

from tapviz.files.limits import MAX_CELL, MB, TEXT, Budget, too_long
from tapviz.files.problems import MAX_PROBLEMS, Problems
from tapviz.files.source import CHUNK, Held, Source, name_of
from tapviz.files.tables import FileLike, Tabled, held

K = TypeVar("K", bound=tuple[Hashable, ...])
V = TypeVar("V")
Entry = Callable[..., tuple[K, V]]
"""From the columns of a row, its key and value."""
LARGE = 64 * MB
OTHER_SPACE = re.compile(r"[^\S\t\n]")
"""What is stripped off columns, or ends lines elsewhere."""


class Row(NamedTuple):
    """A row: its line, from 1, the text of the line, and its columns."""

    line: int
    text: str
    columns: list[str]


class RowError(ValueError):
    """What is wrong with the columns of a row."""

    def __init__(self, *, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def unquoted(cell: str) -> str:
    """Cell without the quotes that stand around it, as in CSV.

    Examples
    --------
    >>> from tapviz.files.rows import unquoted
    >>> unquoted('"d1"'), unquoted("5'-end")
    ('d1', "5'-end")
    """
    whole = len(cell) > 1 and cell.startswith('"') and cell.endswith('"')
    return cell[1:-1].replace('""', '"') if whole else cell


COMMAS = re.compile(r' *("[^"\t]*"|[^\s,"]+) *,[^\t]*')
"""A row of CSV: without a tab, and its first cell without blanks."""


def separator_of(lines: Iterable[str]) -> str:
    r"""What separates the columns of a table whose cells may have blanks: a tab, or a comma.

    Examples
    --------
    >>> from tapviz.files.rows import separator_of
    >>> separator_of(["d1,a.1.1.1", "d2,b.1.1.1"]), separator_of(["d1\ta.1.1.1,b.1.1.1"])
    (',', '\t')
    """
    rows = [COMMAS.fullmatch(line) for line in lines if line.strip()]
    return "," if rows and all(rows) else "\t"


def split(line: str, separator: str | None) -> list[str]:
    """Cells of a line; one of CSV in quotes may hold commas."""
    if separator == ",":  # a tab for each that is outside of quotes
        parts = line.split('"')
        parts[::2] = [outside.replace(",", "\t") for outside in parts[::2]]
        line, separator = '"'.join(parts), "\t"
    return line.split(separator)


class Rows(Problems):
    """The rows of a small table, such as one of labels, read one by one.

    Blank lines and lines that begin with ``#`` are skipped.

    Parameters
    ----------
    path : path, Held, open file, table or mapping
    *roles : collection of str
        What the columns of a table may be called, see `Tabled.rows`.

    Raises
    ------
    ReadError
        If there is no such file, it may not be read, is damaged or is not UTF-8 text.
    """

    def __init__(self, path: FileLike, *roles: Collection[str]) -> None:
        given = held(path)
        self._table = [*given.rows(*roles)] if isinstance(given, Tabled) else None
        super().__init__(name_of(given), unit="line" if self._table is None else "row")
        self._source = Source(Held("", b"") if isinstance(given, Tabled) else given)
        head = [line.decode("utf-8", "replace") for line in self._source.head]
        self._head = [line for line in head if line.strip() and line[0] != "#"]
        self.separator = separator_of(self._head)
        """What separates the columns of a table whose cells may have blanks."""
        self._budget = Budget(self.file)

    def separator_for(self, widths: Collection[int]) -> str | None:
        """A comma, where it alone makes a row of so many columns; None for white space."""
        words = self._head[0].split() if self._head else []
        plain = len(words) in widths and not words[0].endswith(",")
        return "," if self.separator == "," and not plain else None

    def read(
        self, expected: str, widths: tuple[int, ...] = (), separator: str | None = None
    ) -> Iterator[Row]:
        """Yield the rows that have as many columns as the first one, until there are 10 problems.

        Parameters
        ----------
        expected : str
            What the columns are.
        widths : tuple of int
            How many columns the first row may have; empty: 2 or more.
        separator : str, optional
            What separates them. Default: white space.
        """
        for line, text, cells in self._cells(separator):
            columns = [unquoted(cell.strip()) for cell in cells]
            if len(text) > MAX_CELL and self._is_too_long(max(columns, key=len), line, text):
                continue
            widths = widths or (max(len(columns), 2),)
            if len(columns) in widths:
                widths = (len(columns),)
                yield Row(line, text, columns)
            else:
                width = " or ".join(map(str, widths))
                message = f"expected {width} columns ({expected}), found {len(columns)}"
                if len(columns) == 1 and ";" in text:
                    message += "; they seem to be separated by semicolons: write tabs"
                self.add("BadColumnCount", line, text, message)

    def ids(self, *, with_blanks: bool = False) -> Iterator[Row]:
        """Yield the first word of each line that is not blank, or the first cell of each row.

        Parameters
        ----------
        with_blanks : bool
            Whether ids may have blanks in them, so that only a tab ends one.
        """
        for line, row in enumerate(self._table or (), 1):
            yield Row(line, row[0], [row[0].strip()])
        for line, text in self._lines(n_texts=2):
            # By bytes, since an id may always hold blanks that are not of ASCII.
            first, *_ = text.encode().strip().split(b"\t" if with_blanks else None, 1)
            word = unquoted(first.strip().decode())
            if not self._is_too_long(word, line, text):
                yield Row(line, text, [word])

    def _cells(self, separator: str | None) -> Iterator[tuple[int, str, list[str]]]:
        """Yield number, text and cells of each row."""
        if self._table is None:
            for line, text in self._lines(without=(b"#",)):
                yield line, text, split(text, separator)
        for row, cells in enumerate(self._table or (), 1):
            if len(self.found) >= MAX_PROBLEMS:
                return
            yield row, ", ".join(cells), cells

    def _lines(
        self, only: bytes = b"", without: tuple[bytes, ...] = (), n_texts: int = 4
    ) -> Iterator[tuple[int, str]]:
        """Yield number and text of lines that begin so, within the memory that a file may take."""
        take, found = self._budget.take, self.found  # in each line they take time
        for line, raw in self._source.lines():
            if len(found) >= MAX_PROBLEMS:
                return
            if raw.startswith(only) and not raw.startswith(without) and raw.strip():
                text = raw.decode()
                take(n_texts * (TEXT + len(text)), line)
                yield line, text

    def _is_too_long(self, cell: str, line: int, text: str) -> bool:
        if len(cell) > MAX_CELL:
            self.add("CellTooLong", line, text, too_long(cell))
        return len(cell) > MAX_CELL

    def pairs(self) -> list[list[str]] | None:
        """All rows at once, if they are plain: each an id and a text, with a tab between.

        None if there is anything else in the file, or so much that memory counts: `read` tells what
        it is, and where it becomes too much.
        """
        if self._table is not None or self._source.size > LARGE:
            return None
        # Twice as many as a large file has: a piece ends with a line.
        data = b"".join(islice(self._source.chunks(), 2 * LARGE // CHUNK))
        if len(data) > LARGE or 4 * (TEXT * data.count(b"\n") + len(data)) > self._budget.size:
            return None
        text = data.decode().removesuffix("\n")
        if not text or "#" in text or '"' in text:
            return None
        lines = text.split("\n")
        rows = [line.split("\t") for line in lines]
        plain = (
            OTHER_SPACE.search(text) is None
            and len(max(lines, key=len)) <= MAX_CELL
            and len(set(lines)) == len(lines)
            and all(len(row) == 2 and row[0] and row[1] for row in rows)  # noqa: PLR2004
        )
        return rows if plain else None

    @property
    def first(self) -> list[list[str]]:
        """Cells, between tabs or commas, of the first rows."""
        return [split(line, self.separator) for line in self._head] + (self._table or [])[:100]

    @property
    def is_fasta(self) -> bool:
        """Whether the file has sequences, whose headers are its rows."""
        return next((line for line in self._source.head if line.strip()), b"")[:1] == b">"

    def headers(self) -> Iterator[Row]:
        """Yield id and class of each header of FASTA; of several classes, a row for each.

        The class is the second word, as in SCOP's files: ``>d1dlwa_ a.1.1.1 (A:) ...``.
        """
        for line, text in self._lines(only=b">"):
            words = text[1:].split(None, 2)
            if len(words) < len(("id", "class")) or len(words[0]) > MAX_CELL:
                self.add("BadColumnCount", line, text, "expected an id and its class after >")
            else:
                yield from (Row(line, text, [words[0], name]) for name in words[1].split(","))

    def entries(
        self, rows: Iterable[Row], entry: Entry[K, V], code: str, called: str, expected: str
    ) -> Iterator[tuple[Row, K, V]]:
        """Yield the key and value of each row that is right, until there are 10 problems.

        Parameters
        ----------
        rows : iterable of Row
        entry : callable
            Called with the columns of a row; returns key and value. Raises `RowError`.
        code : str
            Code of the problem that a key is in two rows.
        called : str
            What messages call a key, with places for its parts.
        expected : str
            What there should be, where there is nothing.

        Raises
        ------
        ReadError
            If anything is wrong with a row, or there is none.
        """
        for row in rows:
            try:
                key, value = entry(*row.columns)
            except RowError as error:
                self.add(error.code, *row[:2], str(error))
                continue
            if self.is_first(key, *row[:2], code, called.format(*key)):
                yield row, key, value
        self.done(expected, empty=not self._first)

    def done(self, expected: str, *, empty: bool) -> None:
        """Raise `ReadError` if there is a problem, or nothing else either."""
        if empty and not self.found:
            self.add("EmptyInput", None, "", f"expected {expected}, found nothing")
        self.raise_any()
