"""Tables of hits without a line of names: BLAST -outfmt 6 and 7, and those who write the same.

DIAMOND, MMseqs2, Foldseek, FASTA (-m 8 and -m 8C), USEARCH and VSEARCH (blast6out), reseek.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files.source import Source
from tapviz.labels import Hits
from tapviz.readers._lines import (
    Match,
    Options,
    Problems,
    Rows,
    canonical,
    direction_of,
    fine,
    is_number,
    rows_in,
    score_column,
    some_rows,
    warn_if_split,
)
from tapviz.readers._table import Gathered, Parsed, delimited, side_by_side

STANDARD = (
    *("query", "record", "pident", "length", "mismatch", "gapopen"),
    *("qstart", "qend", "sstart", "send", "evalue", "bits"),
)
RESEEK = {
    3: ("evalue", "query", "record"),
    4: ("aq", "query", "record", "evalue"),
    10: (*("query", "record", "qlo", "qhi", "ql", "tlo", "thi", "tl"), "pctid", "evalue"),
}

CONVERGED = b"Search has CONVERGED!"
COMMENT = re.compile(
    rb"# (\S*(BLAST|FASTA|SSEARCH|DIAMOND|fast\w+36|search36)"
    rb"|(Query|Fields|Database|Iteration):)"
)
PROGRAM = re.compile(r"# (\S*BLAST|FASTA|SSEARCH)\S* [0-9]")
ANNOUNCED = re.compile(r"# ([0-9]{1,9}) hits? found")
PROCESSED = re.compile(r"# \S+ processed [0-9]+ quer")

NO_HIT = "*"  # the record of a query without hits, as DIAMOND, USEARCH and VSEARCH write it


class Columns(NamedTuple):
    """The columns of a table, and which of them (from 0) are read."""

    names: tuple[str, ...]
    query: int
    record: int
    score: int
    bits: int | None

    @property
    def width(self) -> int:
        """How many there are."""
        return len(self.names)

    @property
    def read(self) -> tuple[int, ...]:
        """Columns of numbers."""
        return (self.score,) if self.bits is None else (self.score, self.bits)


class Block:
    """The rows below one head of comments."""

    def __init__(self, query: str = "", iteration: int | None = None) -> None:
        self.query = query  # "" where the comments name none
        self.iteration = iteration
        self.announced: int | None = None
        self.n_rows = 0


def column_names(columns: str | Sequence[str]) -> tuple[str, ...]:
    """Usual names of columns, from what was given to the program.

    Raises
    ------
    ValueError
        If there are no names.
    """
    words = re.split(r"[\s,+]+", columns.strip()) if isinstance(columns, str) else list(columns)
    if words and words[0] in ("6", "7"):  # of "-outfmt '6 qseqid ...'"
        words = words[1:]
    names = [n for word in words for n in (STANDARD if word == "std" else (canonical(word),))]
    if not all(names) or not names:
        msg = f"columns {columns!r}: expected names, as in 'qseqid sseqid evalue bitscore'"
        raise ValueError(msg)
    return tuple(names)


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like a table of 12 columns, be it with mistakes."""
    row = next(iter(rows_in(head)), b"")
    cells = row.split(b"\t")
    if len(cells) == len(STANDARD) and all(map(is_number, (cells[2], *cells[10:]))):
        return Match("likely", "12 columns separated by tabs, of which 3, 11 and 12 are numbers")
    if len(cells) >= 8:
        return Match("possible", f"{len(cells)} columns separated by tabs")
    words = row.split()
    if 11 <= len(words) <= 13 and is_number(words[2]):
        return Match("possible", f"{len(words)} columns, but separated by blanks")
    return None


def recognise_comments(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file have the comments of -outfmt 7."""
    found = next((line for line in head if COMMENT.match(line)), None)
    if found is None:
        return None
    return Match("certain", f"the comment {found[:40].decode('utf-8', 'replace')!r}")


def recognise_reseek(head: Sequence[bytes]) -> Match | None:
    """Whether the first rows of a file have the columns that reseek writes by itself."""
    rows = [line.split(b"\t") for line in rows_in(head)]
    if not rows or len(rows[0]) not in RESEEK:
        return None
    names = RESEEK[len(rows[0])]
    good = all(
        is_number(cell) is (name not in ("query", "record"))
        for name, cell in zip(names, rows[0], strict=True)
    )
    columns = ", ".join(names).replace("record", "target")
    return Match("possible", f"its columns could be {columns}") if good else None


def read(source: Source, options: Options, problems: Problems) -> Hits:
    """Read rows of 12 columns, or those that ``# Fields:`` or `options` name.

    Of the iterations of PSI-BLAST the last one of each query is read, or the last one up to
    `options.iteration`. A query whose comments say that it has no hits is a query without hits;
    so is one whose only record is ``*``.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    return _read(source, options, problems, options.columns)


def read_reseek(source: Source, options: Options, problems: Problems) -> Hits:
    """Read the columns that reseek writes by itself.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    row = next(iter(rows_in(source.head)), b"")
    usual = RESEEK.get(row.count(b"\t") + 1, RESEEK[4])
    return _read(source, options, problems, options.columns or usual)


def _read(
    source: Source, options: Options, problems: Problems, names: tuple[str, ...] | None
) -> Hits:
    trial = Problems(source.file)
    table = _Table(names, options, trial)
    hits = _fast(source, table)
    if hits is None:
        table = _Table(names, options, problems)
        hits = _slow(source, table)
    else:
        problems.doubts += trial.doubts
    hits = hits._replace(direction=direction_of(table.score, options, problems))
    hits = some_rows(hits, _of_iteration(table, options.iteration, problems))
    problems.raise_any()
    if NO_HIT in hits.record_id:
        hits = some_rows(hits, hits.record != hits.record_id.index(NO_HIT))
    table.problems = problems
    table.warn_if_cut()
    warn_if_split(hits, problems)
    named = set(hits.query_id)
    empty = dict.fromkeys(b.query for b in table.blocks if b.query and not b.n_rows)
    return hits._replace(query_id=hits.query_id + [query for query in empty if query not in named])


class _Table:
    """What the comments of a table say so far."""

    def __init__(self, names: tuple[str, ...] | None, options: Options, problems: Problems) -> None:
        self.problems = problems
        self.blocks: list[Block] = []
        self._given = names is not None
        self._options = options
        self._iteration: int | None = None
        self._last = self._program = ""
        self._named: tuple[str, ...] | None = None  # by the comments
        self.columns: Columns | None = None
        self._begun = False
        if names is not None:
            self._choose(names, None, "")

    @property
    def score(self) -> str:
        """Name of the column to judge by."""
        return "evalue" if self.columns is None else self.columns.names[self.columns.score]

    @property
    def in_query(self) -> bool:
        """Whether the comments so far name a query."""
        return bool(self.blocks and self.blocks[-1].query)

    def comment(self, line: str, number: int | None = None) -> None:
        """Take a line that begins with ``#``."""
        self._last = line
        if not self._program and PROGRAM.match(line):
            self._program = line
        key, _, value = line.removeprefix("#").strip().partition(":")
        if key == "Iteration":
            text = value.strip()
            self._iteration = int(text) if re.fullmatch("[0-9]{1,9}", text) else None
        elif key == "Query":
            words = value.split()
            self.blocks.append(Block(words[0] if words else "", self._iteration))
            self._iteration = None
        elif key == "Fields":
            self._fields(value, line, number)
        elif (announced := ANNOUNCED.fullmatch(line)) and self.blocks:
            self.blocks[-1].announced = int(announced[1])

    def rows(self, count: int, first: bytes) -> Columns | None:
        """Take rows, and say which columns they have."""
        self._begun = True
        if not self.blocks:
            self.blocks.append(Block())
        self.blocks[-1].n_rows += count
        if self.columns is None:
            self._choose(self._named or STANDARD, None, "")
        columns = self.columns
        if columns and not self._given and first.count(b"\t") + 1 == columns.width - 2:
            # FASTA 36.3.8i names these two and does not write them.
            rest = tuple(n for n in columns.names if n not in ("query length", "subject length"))
            if len(rest) == columns.width - 2:
                self._choose(rest, None, "")
        return self.columns

    def warn_if_cut(self) -> None:
        """Warn if less is there than the comments announce."""
        signs = []
        for block in self.blocks:
            if block.announced is not None and block.n_rows < block.announced:
                signs.append(
                    f"query {block.query} announces {block.announced} hits and {block.n_rows} are "
                    "there"
                )
                break
        announced = any(block.announced is not None for block in self.blocks)
        if self._program and announced and not PROCESSED.match(self._last):
            signs.append('there is no last line "# BLAST processed ... queries"')
        if signs:
            self.problems.warn(f"the file looks cut off: {'; '.join(signs)}. Run the search again")

    def _fields(self, value: str, line: str, number: int | None) -> None:
        if self._given:
            return
        names = tuple(canonical(name) for name in value.split(","))
        if names == self._named:
            return
        before, self._named = self._named, names
        if before or (self._begun and names != STANDARD):
            message = "other columns than before in this file; keep one kind of table per file"
            self.problems.add("BadHeader", number, line, message)
        else:
            self._choose(names, number, line)

    def _choose(self, names: tuple[str, ...], number: int | None, line: str) -> None:
        places: dict[str, int] = {}
        for at, name in enumerate(names):
            places.setdefault(name, at)
        missing = [what for what in ("query", "record") if what not in places]
        for what in missing:
            message = (
                f"expected a column of {'queries' if what == 'query' else 'records (targets)'}; "
                f"there are {', '.join(names)}"
            )
            self.problems.add("MissingColumn", number, line, message)
        score = score_column(places, self._options, self.problems, number, line)
        if score is not None and not missing:
            bits = None if score == "bits" else places.get("bits")
            self.columns = Columns(names, places["query"], places["record"], places[score], bits)


class Piece(NamedTuple):
    """Rows that belong together, and how they are to be read."""

    rows: bytes
    columns: Columns | None
    block: Block | None
    """Where the rows are to be counted; None if they have been."""
    n_rows: int
    """How many they are, if counted."""


def _pieces(source: Source, table: _Table) -> Iterator[Piece]:
    """Rows without comments; the last piece has no columns if nobody knows what it is."""
    for chunk in source.chunks():
        before = sum(block.n_rows for block in table.blocks)
        rows = _take_comments(chunk, table) if b"#" in chunk else chunk
        if rows is chunk:
            table.rows(0, rows[: rows.find(b"\n")])
        if table.problems.found or table.columns is None:
            yield Piece(b"", None, None, 0)
            return
        if rows and not rows.isspace():
            block = table.blocks[-1] if rows is chunk else None
            count = sum(block.n_rows for block in table.blocks) - before
            yield Piece(rows, table.columns, block, count)


def _parsed(piece: Piece) -> tuple[Piece, Parsed | None]:
    columns = piece.columns
    if columns is None:
        return piece, None
    ids = (columns.query, columns.record)
    return piece, delimited(piece.rows, columns.width, ids, columns.read)


def _fast(source: Source, table: _Table) -> Hits | None:
    """Read all rows at once; None if anything is not as it should be."""
    gathered: Gathered | None = None
    used: Columns | None = None
    for piece, parsed in side_by_side(_parsed, _pieces(source, table)):
        if parsed is None or piece.columns is None or piece.columns != (used or piece.columns):
            return None
        used = piece.columns
        gathered = gathered or Gathered(2, len(used.read))
        gathered.add(parsed)
        count = len(parsed.numbers[0])
        if piece.block is not None:
            piece.block.n_rows += count
        elif piece.n_rows != count:
            return None  # blank lines among the rows
    if table.problems.found:
        return None
    return _hits(source, gathered, used) if gathered and used else None


def _hits(source: Source, gathered: Gathered, columns: Columns) -> Hits | None:
    """All rows; None if any is not as it should be."""
    query_id, query = gathered.texts(0)
    record_id, record = gathered.texts(1)
    score = gathered.numbers(0)
    bits = gathered.numbers(1) if columns.bits is not None else None
    if "" in query_id or "" in record_id:
        return None
    found = slice(None) if NO_HIT not in record_id else record != record_id.index(NO_HIT)
    name = columns.names[columns.score]
    if not fine(name, score[found], None if bits is None else bits[found]):
        return None
    return Hits(source.file, query_id, record_id, query, record, score, bits)


def _take_comments(chunk: bytes, table: _Table) -> bytes:
    """Give the comments to the table, and return the rows."""
    parts = []
    start = 0
    at = 0 if chunk.startswith(b"#") else chunk.find(b"\n#") + 1
    if not at and not chunk.startswith(b"#"):
        return chunk
    while True:
        rows = chunk[start:at].strip(b"\n")
        if table.in_query:  # PSI-BLAST's last words on it
            rows = rows.removesuffix(CONVERGED).strip(b"\n")
        if rows:
            rows += b"\n"
            table.rows(rows.count(b"\n"), rows[: rows.find(b"\n")])
            parts.append(rows)
        if at >= len(chunk):
            return b"".join(parts)
        end = chunk.find(b"\n", at)
        end = len(chunk) if end < 0 else end
        table.comment(chunk[at:end].decode())
        start = end + 1
        at = start if chunk.startswith(b"#", start) else chunk.find(b"\n#", start) + 1
        at = at or len(chunk)


def _slow(source: Source, table: _Table) -> Hits:
    """Read row by row, to say which row is wrong."""
    problems = table.problems
    problems.raise_any()  # of the columns that were given
    rows = Rows()
    columns: Columns | None = None
    for number, line in source.lines():
        row = line.decode()
        if row.startswith("#"):
            before = len(problems.found)
            table.comment(row, number)
            if len(problems.found) > before:
                break  # nobody knows what the rows below are
        elif line == CONVERGED and table.in_query:
            pass
        elif line.strip():
            columns = table.rows(1, line)
            if columns is not None:
                _slow_row(row, number, columns, problems, rows)
        if problems.full or (problems.found and columns is None):
            break
    problems.raise_any()
    bits = columns is not None and columns.bits is not None
    return rows.hits(problems.file, "ascending", bits=bits)


def _slow_row(row: str, number: int, columns: Columns, problems: Problems, rows: Rows) -> None:
    cells = row.split("\t")
    if len(cells) != columns.width:
        problems.add("BadColumnCount", number, row, _column_advice(row, len(cells), columns))
        return
    query, record = cells[columns.query], cells[columns.record]
    if not query or not record:
        message = "expected an id of the query and one of the record, found an empty one"
        problems.add("BadColumnCount", number, row, message)
    score = bits = 0.0
    if record != NO_HIT:
        score = problems.score(cells[columns.score], number, row, columns.names[columns.score])
        if columns.bits is not None:
            bits = problems.number(cells[columns.bits], number, row, "bit score")
    rows.add(query, record, score, bits)


def _column_advice(row: str, found: int, columns: Columns) -> str:
    message = f"expected {columns.width} columns separated by tabs, found {found}"
    if row.encode() == CONVERGED:
        return (
            "this is PSI-BLAST without comments, in which nobody can tell one iteration from "
            "the next; write the file with -outfmt 7"
        )
    if found == 1 and len(row.split()) > 7:
        return f"{message}; the file looks separated by spaces, write tabs as the programs do"
    if columns.names == STANDARD:
        return f"{message}; if these are columns of your own, name them, as in columns='qseqid ...'"
    return f"{message}: {' '.join(columns.names)}"


def _of_iteration(table: _Table, wanted: int | None, problems: Problems) -> NDArray[np.bool_]:
    """Which rows are of the last iteration of their query, or the last one up to a number."""
    blocks = table.blocks
    count = [block.n_rows for block in blocks]
    numbers = [block.iteration for block in blocks if block.iteration is not None]
    if wanted is not None and (not numbers or wanted > max(numbers)):
        message = (
            f"iteration {wanted}: "
            + (f"the file has iterations 1 to {max(numbers)}" if numbers else "the file has none")
            + "; write PSI-BLAST's -outfmt 7, which says where one begins"
        )
        problems.add("MissingIteration", None, "", message)
    if not numbers:
        return np.ones(sum(count), np.bool_)
    last: dict[str, Block] = {}
    for block in blocks:
        if wanted is None or (block.iteration or 0) <= wanted:
            last[block.query] = block
    chosen = np.array([last.get(block.query) is block for block in blocks], np.bool_)
    table.blocks = [block for block, keep in zip(blocks, chosen, strict=True) if keep]
    return np.repeat(chosen, count)
