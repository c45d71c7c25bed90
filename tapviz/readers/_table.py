"""One engine for all files with a row per line: quick where all is well, exact where it is not.

A format describes its rows by a `Layout`. Arrow parses the file piece by piece, two at a time. A
piece with anything wrong or unusual in it is parsed again row by row, from the same `Layout`, which
either reads it or names the lines that are wrong. Ids become numbers as they are parsed.
"""

from __future__ import annotations

import csv as python_csv
import math
import re
from array import array
from codecs import BOM_UTF8
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from tapviz.files import BLANKS, MAX_CELL, TEXT, Budget, Problems, ReadError, option, too_long
from tapviz.files.problems import Wrong
from tapviz.labels import Hits
from tapviz.lists import Direction
from tapviz.lists.writing import NUMBER

if TYPE_CHECKING:
    from tapviz.readers._lines import Piece

Check = Callable[[str], Wrong | None]
"""Of a text: what is wrong with it, or None."""
Places = Mapping[str, int]
"""Places of columns by their names, from 0."""
T = TypeVar("T")
R = TypeVar("R")

WITHOUT_ONE = re.compile(r"e-[0-9]{1,4}")  # as BLAST wrote 1e-171 before BLAST+
NOT_FINITE = re.compile(r"[+-]?(nan(\(\w*\))?|inf(inity)?)", re.IGNORECASE)

AT_ONCE = 2
"""Pieces of a file that are parsed side by side: more would hold more of it in memory."""

NO_HIT = "*"
"""The record of a query without hits, as DIAMOND, USEARCH and VSEARCH write it."""

ROW = 70
"""Bytes that a row takes as numbers, until it is in a list."""

POOL = pa.system_memory_pool()
"""Arrow's own would keep what a piece took, and ask for fresh pages for the next one."""

# What a row may hold


class Column(NamedTuple):
    """A column that is read.

    Attributes
    ----------
    name : str
        Its usual name; those that end in "evalue" cannot be negative.
    at : int
        Its place in a row, from 0; negative from the end of the row.
    check : callable, optional
        Of texts: what is wrong with one, or None.
    of_hit : bool
        Whether it may hold anything in rows without a hit.
    used : bool
        Of numbers: whether they are of use, or only have to be numbers.
    """

    name: str
    at: int
    check: Check | None = None
    of_hit: bool = False
    used: bool = True

    @property
    def is_evalue(self) -> bool:
        """Whether it holds E-values."""
        return self.name.endswith("evalue")


class Layout(NamedTuple):
    """How the rows of a table are written.

    Attributes
    ----------
    texts, numbers : tuple of Column
        The columns that are read.
    width : int
        Number of columns.
    expected : callable
        From a row with another number of columns, the message about it.
    separator : str
        What separates them. Empty: white space, and more may follow behind the columns.
    no_hit : tuple of str
        Columns which, if they all hold `no_hit_text`, make a row one that only names a query.
    no_hit_text : str
        If it is empty, numbers may be missing.
    quoted : bool
        Whether cells may be quoted.
    split : callable, optional
        From a row its cells, or None if it has too few, where rows are written in several ways.
    """

    texts: tuple[Column, ...]
    numbers: tuple[Column, ...]
    width: int
    expected: Callable[[str], str]
    separator: str = ""
    no_hit: tuple[str, ...] = ()
    no_hit_text: str = ""
    quoted: bool = False
    split: Callable[[bytes], list[str] | None] | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns that are read."""
        return (*self.texts, *self.numbers)

    def cells(self, row: bytes) -> list[str] | None:
        """Cells of a row; None if there are too few or too many."""
        if self.split is not None:
            return self.split(row)
        if not self.separator:
            words = [word.decode() for word in row.split()]
            return words if len(words) >= self.width else None
        cells = csv_cells(row.decode(), self.separator, quoted=self.quoted) or []
        return [cell.strip(BLANKS) for cell in cells] if len(cells) == self.width else None


def score_columns(score: str, places: Places, *, of_hit: bool = False) -> tuple[Column, ...]:
    """Columns of the score, if it is one, and of bit scores besides, with which E-values agree.

    Beside other scores bit scores only have to be numbers.
    """
    columns = [Column(score, places[score], of_hit=of_hit)] if score in places else []
    if "bits" in places and not score.endswith("bits"):
        columns.append(Column("bits", places["bits"], of_hit=of_hit, used=score == "evalue"))
    return tuple(columns)


def file_order(query: NDArray[np.integer]) -> NDArray[np.float64]:
    """Rank of each row among those of its query, from 1, in the order of the file."""
    order = np.argsort(query, kind="stable")
    _, first, length = np.unique(query[order], return_index=True, return_counts=True)
    rank = np.empty(query.size)
    rank[order] = np.arange(query.size) - np.repeat(first, length) + 1
    return rank


def csv_cells(row: str, separator: str, *, quoted: bool) -> list[str] | None:
    """Cells of a row; None if a quote does not end between commas."""
    if not quoted or '"' not in row:
        return row.split(separator)
    try:
        return next(python_csv.reader([row], delimiter=separator, strict=True), [])
    except python_csv.Error:  # between tabs a quote may be part of an id
        return row.split(separator) if separator == "\t" else None


def not_empty(text: str) -> Wrong | None:
    """Whether an id is one."""
    return None if text else ("BadColumnCount", "expected an id, found an empty column")


def expected(code: str, what: str, is_good: Callable[[str], object]) -> Check:
    """Make the check of a column: what is wrong with a text, or None."""

    def check(text: str) -> Wrong | None:
        return None if is_good(text) else (code, f"expected {what}, found {text[:40]!r}")

    return check


def words(texts: Places, scores: Places, score: str, width: int, expected: str) -> Layout:
    """How rows of words are read, by one of the scores.

    Parameters
    ----------
    texts, scores : mapping of str to int
        Places of ids, and of what the rows may be ranked by.
    score : str
    width : int
    expected : str
        What is said of a row with too few words: how many there are, in place of {}.
    """
    ids = tuple(Column(name, at) for name, at in texts.items())
    numbers = score_columns(score, scores)
    return Layout(ids, numbers, width, lambda row: expected.format(len(row.split())))


def is_positive(text: str) -> bool:
    """Whether a text is a positive number."""
    value = number(text, "")
    return isinstance(value, float) and value > 0


def number(text: str, what: str) -> float | Wrong:
    """Read a finite number as programs write it: digits, no ``nan``, ``inf`` or ``1_0``."""
    text = text.strip(" \t")
    if NUMBER.fullmatch(text):
        value = float(text)
        if math.isfinite(value):
            return value
    elif not NOT_FINITE.fullmatch(text):
        return "NotANumber", f"{what}: expected a number, found {text[:40]!r}"
    return "NonFinite", f"{what}: expected a finite number, found {text[:40]!r}"


def _number_in(column: Column, text: str) -> float | Wrong:
    """Read a number of a column."""
    if not column.is_evalue:
        return number(text, "bit score" if column.name == "bits" else column.name)
    value = number("1" + text if WITHOUT_ONE.fullmatch(text) else text, "E-value")
    if isinstance(value, float) and value < 0:
        message = f"E-value: expected 0 or more, found {text[:40]!r}"
        if value == -1:
            message += f"; where the program computed none, use {option('score', 'pident')}"
        return "NegativeEvalue", message
    return value


# Columns


class Parsed(NamedTuple):
    """The columns of some rows, in the order of the layout."""

    texts: list[pa.DictionaryArray]
    numbers: list[NDArray[np.float64]]


class Gathered:
    """The columns of a table, gathered piece by piece within the memory that a file may take.

    Codes and numbers grow at their ends, in place where the system can: no part of them is held
    twice, and none is freed alone, which would leave memory in pieces too small for anything else.
    """

    def __init__(self, file: str) -> None:
        self._budget = Budget(file)
        self._codes: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))
        self._ids: defaultdict[int, list[tuple[pa.Array, int]]] = defaultdict(list)
        self._numbers: defaultdict[int, array[float]] = defaultdict(lambda: array("d"))
        self._runs: list[tuple[int, int]] = []

    def add(self, piece: Piece, parsed: Parsed, lengths: Sequence[int]) -> None:
        """Add rows; each span has one of the lengths."""
        n_bytes = ROW * sum(lengths) + sum(text.dictionary.nbytes for text in parsed.texts)
        self._budget.take(n_bytes, piece.spans[-1].line)
        for at, text in enumerate(parsed.texts):
            self._codes[at].frombytes(text.indices.to_numpy().tobytes())
            self._ids[at].append((text.dictionary, len(text)))
        for at, values in enumerate(parsed.numbers):
            if piece.layout.numbers[at].used:
                self._numbers[at].frombytes(values.tobytes())
        self._runs += zip((span.section for span in piece.spans), lengths, strict=True)

    def texts(self, column: int) -> tuple[list[str], NDArray[np.int32]]:
        """Give away a column of texts: the distinct ones as they appear, and which a row has."""
        parts = self._ids.pop(column, None)
        if parts is None:
            return [], np.empty(0, np.int32)
        # Arrow unites the ids of the pieces: each stands there once, in the place of its code.
        each = [
            pa.DictionaryArray.from_arrays(pa.array(np.arange(len(ids), dtype=np.int32)), ids)
            for ids, _ in parts
        ]
        united = pa.chunked_array(each).unify_dictionaries().chunks
        self._budget.take(TEXT * len(united[0].dictionary))
        rows = np.frombuffer(self._codes.pop(column), np.int32)
        ends = np.cumsum([length for _, length in parts])
        for own, some in zip(united, np.split(rows, ends[:-1]), strict=True):
            some[:] = own.indices.to_numpy()[some]
        return united[0].dictionary.to_pylist(), rows

    def numbers(self, column: int) -> NDArray[np.float64]:
        """Give away a column of numbers."""
        return np.frombuffer(self._numbers.pop(column, b""), np.float64)

    def hits(self, file: str, direction: Direction = "ascending", *, ranked: bool = False) -> Hits:
        """Give away hits: the columns of the query, of the record, and of the score.

        If they are `ranked`, the score is the place in the file.
        """
        (query_id, query), (record_id, record) = self.texts(0), self.texts(1)
        score = file_order(query) if ranked else self.numbers(0)
        return Hits(file, query_id, record_id, query, record, score, direction)

    def runs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Section and length of each run of rows."""
        section, length = np.array(self._runs, np.int64).reshape(-1, 2).T
        return section, length


def read_rows(some: Iterable[Piece], problems: Problems) -> Gathered:
    """Read rows: at once those that can be, the others one by one, which names what is wrong."""
    gathered, n_read = Gathered(problems.file), 0
    for piece, (parsed, lengths) in side_by_side(lambda piece: (piece, _parsed(piece)), some):
        if parsed is None:
            parsed, lengths = one_by_one(piece, problems)  # noqa: PLW2901  # which takes its place
        n_read += sum(lengths)
        if not problems.found:
            gathered.add(piece, parsed, lengths)
        elif problems.full:
            break
    problems.settle_rows(n_read)
    return gathered


def side_by_side(function: Callable[[T], R], values: Iterable[T]) -> Iterator[R]:
    """Results for the values, in their order, several in work at a time.

    The thread that asks makes the first, so that a file of one piece, as most are, starts none.
    """
    with ThreadPoolExecutor(AT_ONCE) as pool:
        begun: deque[Callable[[], R]] = deque()
        late, is_first = None, True
        try:
            for value in values:
                own = partial(function, value)
                begun.append(own if is_first else pool.submit(own).result)
                is_first = False
                if len(begun) > AT_ONCE:
                    yield begun.popleft()()
        except ReadError as error:  # below the rows that are begun, which may be wrong, too
            late = error
        while begun:
            yield begun.popleft()()
        if late is not None:
            raise late


def _parsed(piece: Piece) -> tuple[Parsed | None, list[int]]:
    """Columns of a piece, None if anything is wrong or unusual, and rows of each span."""
    parsed = at_once(piece.rows(), piece.layout)
    if parsed is None:
        return None, []
    n_rows = len((parsed.numbers or parsed.texts)[0])
    lengths = [n_rows] if len(piece.spans) == 1 else [span.n_lines for span in piece.spans]
    if sum(lengths) != n_rows or wrong_rows(parsed, piece.layout).any():
        return None, []
    return parsed, lengths


def wrong_rows(parsed: Parsed, layout: Layout) -> NDArray[np.bool_]:
    """Which rows hold a value that their column cannot."""
    wrong = np.zeros(len((parsed.numbers or parsed.texts)[0]), np.bool_)
    of_hit = with_hit(parsed, layout)
    for column, values in zip(layout.numbers, parsed.numbers, strict=True):
        bad = ~np.isfinite(values)
        if column.is_evalue:
            bad |= values < 0
        wrong |= bad if of_hit is None or not column.of_hit else bad & of_hit
    for column, codes in zip(layout.texts, parsed.texts, strict=True):
        bad_ids = np.asarray(pc.greater(pc.utf8_length(codes.dictionary), MAX_CELL))
        if column.check is not_empty:  # of which there are many
            bad_ids = bad_ids | np.asarray(pc.equal(codes.dictionary, ""))
        elif column.check is not None and not bad_ids.any():
            found = map(column.check, codes.dictionary.to_pylist())
            bad_ids = np.array([one is not None for one in found])
        if bad_ids.any():
            bad = bad_ids[codes.indices.to_numpy()]
            wrong |= bad if of_hit is None or not column.of_hit else bad & of_hit
    return wrong


def with_hit(parsed: Parsed, layout: Layout) -> NDArray[np.bool_] | None:
    """Which rows are not without a hit; None if all."""
    if not layout.no_hit:
        return None
    without = np.ones(len((parsed.numbers or parsed.texts)[0]), np.bool_)
    starred = np.zeros(without.size, np.bool_)
    for column, codes in zip(layout.texts, parsed.texts, strict=True):
        if column.name in layout.no_hit:
            without &= _has(codes, layout.no_hit_text)
        if column.name == "record":
            starred = _has(codes, NO_HIT)
    for column, values in zip(layout.numbers, parsed.numbers, strict=True):
        if column.name in layout.no_hit:
            without &= np.isnan(values)
    without |= starred
    return ~without if without.any() else None


def _has(codes: pa.DictionaryArray, text: str) -> NDArray[np.bool_]:
    """Which rows have a text."""
    at = pc.index(codes.dictionary, text).as_py()  # -1, which no row has, if none has it
    return np.asarray(codes.indices.to_numpy() == at)


def one_by_one(piece: Piece, problems: Problems) -> tuple[Parsed, list[int]]:
    """Read a piece row by row; what is wrong with a row is a problem, or it is left out."""
    layout = piece.layout
    wrong = Problems(problems.file)
    rows: list[tuple[list[str], list[float]]] = []
    lengths = []
    for start, stop, first, *_ in piece.spans:
        before = len(rows)
        lines = piece.text[start:stop].removesuffix(b"\n").split(b"\n")
        for line, row in enumerate(lines, first):
            if problems.full:
                break
            if not row.strip():
                continue
            cells = layout.cells(row)
            if cells is None:
                wrong.add("BadColumnCount", line, row, layout.expected(row.decode()))
            else:
                found = read_cells(cells, line, row, layout, wrong)
            if wrong.found:
                problems.take_row(wrong.found)
                wrong.found.clear()
                continue
            rows.append(found)
        lengths.append(len(rows) - before)
    texts = [[some[at] for some, _ in rows] for at in range(len(layout.texts))]
    numbers = [[some[at] for _, some in rows] for at in range(len(layout.numbers))]
    coded = [pa.array(column, pa.string()).dictionary_encode() for column in texts]
    return Parsed(coded, [np.array(column, np.float64) for column in numbers]), lengths


def read_cells(
    cells: Sequence[str], line: int, row: str | bytes, layout: Layout, problems: Problems
) -> tuple[list[str], list[float]]:
    """Read the texts and the numbers of a row; what is wrong is a problem."""
    hit, none = True, layout.no_hit_text
    if layout.no_hit:
        by_name = {column.name: cells[column.at] for column in layout.columns}
        hit = any(by_name.get(name, none) != none for name in layout.no_hit)
        hit &= by_name.get("record") != NO_HIT
    texts = [cells[column.at] for column in layout.texts]
    for column, text in zip(layout.texts, texts, strict=True):
        wrong: Wrong | None = None
        if len(text) > MAX_CELL:
            wrong = "CellTooLong", too_long(text)
        elif column.check and (hit or not column.of_hit):
            wrong = column.check(text)
        if wrong:
            problems.add(wrong[0], line, row, f"{column.name}: {wrong[1]}")
    numbers = []
    for column in layout.numbers:
        value = _number_in(column, cells[column.at]) if hit or not column.of_hit else math.nan
        if isinstance(value, tuple):
            problems.add(value[0], line, row, value[1])
            value = math.nan
        numbers.append(value)
    return texts, numbers


# How Arrow parses rows


def at_once(rows: bytes, layout: Layout) -> Parsed | None:
    """Parse rows; None if Arrow cannot."""
    if rows.startswith(BOM_UTF8):  # which is part of an id here, and Arrow would drop it
        return None
    try:
        return _delimited(rows, layout) if layout.separator else _words(rows, layout)
    except pa.ArrowInvalid:
        return None


def _delimited(rows: bytes, layout: Layout) -> Parsed | None:
    quoted = layout.quoted and has_quotes(rows, layout.separator)
    if quoted and not _tidy_quotes(rows, layout.separator):
        return None
    texts = [column.at for column in layout.texts]
    numbers = [column.at for column in layout.numbers]
    if not set(texts).isdisjoint(numbers):
        return None
    present = [str(at) for at in texts if at < layout.width]
    types = dict.fromkeys(present, pa.dictionary(pa.int32(), pa.string()))
    types |= dict.fromkeys(map(str, numbers), pa.float64())
    missing = bool(layout.no_hit) and not layout.no_hit_text
    cells = csv.ParseOptions(delimiter=layout.separator, quote_char='"' if quoted else False)
    table = _read_csv(rows, cells, layout.width, types, [""] if missing else [])
    if missing and any(pc.any(pc.is_nan(table[str(at)])).as_py() for at in numbers):
        return None  # only missing numbers may be NaN
    if any(has_blanks(part.dictionary) for name in present for part in table[name].chunks):
        return None
    nothing = pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(table), np.int32)), [""])
    ids = [table[str(at)].combine_chunks() if str(at) in present else nothing for at in texts]
    return Parsed(ids, [table[str(at)].to_numpy() for at in numbers])


def _read_csv(
    rows: bytes, cells: csv.ParseOptions, width: int, types: dict[str, pa.DataType], null: list[str]
) -> pa.Table:
    """Columns that have a type, by their places; `null` stands where a number is missing."""
    names = [str(column) for column in range(width)]
    block = csv.ReadOptions(use_threads=False, column_names=names, block_size=len(rows) + 1)
    columns = csv.ConvertOptions(
        column_types=types, include_columns=list(types), null_values=null, check_utf8=False
    )
    return csv.read_csv(pa.BufferReader(rows), block, cells, columns, POOL)


def has_quotes(rows: bytes, separator: str) -> bool:
    """Whether cells may be quoted: between tabs a quote inside of one is but a letter."""
    begins = (b"\n", separator.encode())
    return b'"' in rows and (
        separator == "," or rows[:1] == b'"' or any(mark + b'"' in rows for mark in begins)
    )


def has_blanks(ids: pa.Array) -> bool:
    """Whether blanks stand around an id, which are not part of it."""
    return bool(pc.any(pc.not_equal(pc.ascii_trim_whitespace(ids), ids)).as_py())


def _tidy_quotes(rows: bytes, delimiter: str) -> bool:
    """Whether all quotes are around whole cells, which all parsers of CSV read alike."""
    comma = re.escape(delimiter.encode())
    cells = re.findall(rb"(?:^|[\n" + comma + rb'])"[^"\n]*"(?=[\n' + comma + rb"]|$)", rows)
    return rows.count(b'"') == 2 * len(cells)


def _words(rows: bytes, layout: Layout) -> Parsed | None:
    """Split rows at white space, from their end where columns are counted from there."""
    # A separator that is in no line: each line is one cell.
    alone = csv.ParseOptions(delimiter="\x01", quote_char=False)
    lines = _read_csv(rows, alone, 1, {"0": pa.string()}, [])["0"].combine_chunks()
    # A blank at the end would count as a column.
    lines = pc.ascii_trim_whitespace(lines)
    if pc.any(pc.equal(lines, "")).as_py():
        lines = lines.filter(pc.not_equal(lines, ""))
    backwards = any(column.at < 0 for column in layout.numbers)
    splits = layout.width - 1 if backwards else layout.width
    words = pc.ascii_split_whitespace(lines, max_splits=splits, reverse=backwards)
    n_lines = len(lines)
    del lines  # of the size of the rows
    bounds = words.offsets.to_numpy()
    if n_lines == 0 or np.diff(bounds).min() < layout.width:
        return None

    def column(at: int) -> pa.Array:
        cells = words.values.take(pa.array((bounds[:-1] if at >= 0 else bounds[1:]) + at))
        if backwards and at == 0:
            cells = pc.list_element(pc.ascii_split_whitespace(cells), 0)
        return cells

    numbers = [column(value.at).cast(pa.float64()).to_numpy() for value in layout.numbers]
    return Parsed([column(text.at).dictionary_encode() for text in layout.texts], numbers)
