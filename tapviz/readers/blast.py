"""Tables of hits without a line of names: BLAST -outfmt 6 and 7, also of other programs.

DIAMOND, MMseqs2, Foldseek, FASTA (-m 8 and -m 8C), USEARCH and VSEARCH (blast6out), reseek.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapviz.files import TEXT, Budget, Problems, Source, option, refuse
from tapviz.labels import Hits
from tapviz.lists.words import count
from tapviz.readers import _lines, _table
from tapviz.readers._lines import NOWHERE, Match, Place, is_number
from tapviz.readers._table import Column, Layout, not_empty
from tapviz.readers.options import ReadOptions

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
FIRST_ROWS = 100_000
"""Rows that are looked at for lists that are written twice: they tell, and cost nothing."""
COMMENT = re.compile(
    rb"# (\S*(BLAST|FASTA|SSEARCH|DIAMOND|fast\w+36|search36)"
    rb"|(Query|Fields|Database|Iteration):)"
)
PROGRAM = re.compile(r"# (\S*BLAST|FASTA|SSEARCH)\S* [0-9]")
ANNOUNCED = re.compile(r"# ([0-9]{1,9}) hits? found")
E_VALUE = re.compile(r"[0-9](\.[0-9]+)?[eE]-[0-9]+|0\.0")
PROCESSED = re.compile(r"# \S+ processed [0-9]+ quer")


@dataclass(eq=False)
class Block:
    """The rows below one head of comments."""

    query: str = ""  # where the comments name none
    iteration: int | None = None
    announced: int = -1  # unless the comments say it
    n_rows: int = 0


def column_names(columns: tuple[str, ...]) -> tuple[str, ...]:
    """Usual names of columns, from what was given to the program.

    Raises
    ------
    ValueError
        If there are no names.
    """
    of_flag = columns[:1] in (("6",), ("7",))  # "-outfmt '6 qseqid ...'"
    names: list[str] = []
    for word in columns[1:] if of_flag else columns:
        names += STANDARD if word == "std" else (_lines.canonical(word),)
    if not all(names) or not names:
        refuse(f"columns {columns!r}: expected names, as in 'qseqid sseqid evalue bitscore'")
    return tuple(names)


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like a table of 12 columns, even with mistakes."""
    row = _lines.first_line(head).text.removesuffix(b"\t")
    for mark, what in ((b",", "commas"), (b"\t", "tabs")):
        cells = row.split(mark)
        if len(cells) == len(STANDARD) and all(map(is_number, (cells[2], *cells[10:]))):
            return Match("likely", f"{len(cells)} columns separated by {what}")
    if len(cells) >= 8:
        return Match("possible", f"{len(cells)} columns separated by tabs")
    words = row.split()
    if 11 <= len(words) <= 13 and is_number(words[2]):
        return Match("possible", f"{len(words)} columns, but separated by blanks")
    return None


def recognise_comments(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file have the comments of -outfmt 7."""
    return _lines.said_by(head, COMMENT, 40)


def recognise_reseek(head: Sequence[bytes]) -> Match | None:
    """Whether the first rows of a file have the columns that reseek writes by itself."""
    cells = _lines.first_line(head).text.split(b"\t")
    names = RESEEK.get(len(cells), ())
    good = [*map(is_number, cells)] == [name not in ("query", "record") for name in names]
    columns = ", ".join(names).replace("record", "target")
    return Match("possible", f"its columns could be {columns}") if good else None


def read(source: Source, options: ReadOptions, problems: Problems, *, reseek: bool = False) -> Hits:
    """Read rows of 12 columns, or those that ``# Fields:``, `options` or `reseek` name.

    Of the iterations of PSI-BLAST the last one of each query is read, or the last one up to
    `options.iteration`. A query with comments but no rows has an empty list; so has one
    whose only record is ``*``.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    names = options.columns or (_of_reseek(source) if reseek else None)
    comments = _Comments(source.file, names, options)
    some = _lines.pieces(source, comments.begin, comments.take, ignored=comments.is_no_row)
    rows = _table.read_rows(some, problems)
    problems.take(comments.problems)
    problems.raise_any()
    for block, n_rows in zip(*rows.runs(), strict=True):
        comments.blocks[block].n_rows += int(n_rows)
    direction = _lines.direction_of(comments.score, options, problems, checked=True)
    hits, found = rows.hits(source.file, direction, ranked=comments.ranked), None
    if _table.NO_HIT in hits.record_id:  # beside which there are no numbers, or -1
        found = hits.record != hits.record_id.index(_table.NO_HIT)
    columns = hits.query, hits.score, rows.numbers(1)
    _lines.check_evalues(columns, comments.score, options, problems, source.row, found)
    keep = _of_iteration(comments, options.iteration, problems)
    hits = _lines.some_rows(hits, keep if found is None else keep & found)
    problems.raise_any()
    if comments.ranked:  # among those of the iteration
        hits = hits._replace(score=_table.file_order(hits.query))
    if signs := comments.signs_of_a_cut():
        _lines.warn_cut_off(problems, "; ".join(signs))
    _lines.warn_if_split(hits, problems)
    if not comments.ranked and not any(block.iteration for block in comments.blocks):
        _warn_of_iterations(hits, problems)
    empty = (one.query for one in comments.blocks if one.query and not one.n_rows)
    return hits._replace(query_id=[*dict.fromkeys([*hits.query_id, *empty])])


def _of_reseek(source: Source) -> tuple[str, ...]:
    return RESEEK.get(_lines.first_line(source.head).text.count(b"\t") + 1, RESEEK[4])


def layout_of(source: Source, options: ReadOptions, *, reseek: bool = False) -> Layout | None:
    """Layout of the rows of a file without comments; None if there is none.

    Raises
    ------
    ReadError
        If columns are given and one that is needed is not among them.
    """
    names = None if options.columns is None else column_names(options.columns)
    comments = _Comments(source.file, names or (_of_reseek(source) if reseek else None), options)
    begun = comments.begin(_lines.first_line(source.head).text)
    return None if begun is None or comments.ranked else begun[0]


class _Comments:
    """What the comments of a table tell so far: queries, iterations and columns.

    Raises
    ------
    ReadError
        If columns are given and one that is needed is not among them.
    """

    def __init__(self, file: str, names: tuple[str, ...] | None, options: ReadOptions) -> None:
        self.problems = Problems(file)
        self._budget = Budget(file)
        self.blocks: list[Block] = []
        self.score = "evalue"
        self.ranked = False
        """Whether the lists are in the order of the file."""
        self._options = options
        self._iteration: int | None = None
        self._last = self._program = ""
        self._given = names is not None
        self._named = names  # by the options, or the comments
        self._layout: Layout | None = None
        if names is not None:
            self._check(names)
            self.problems.raise_any()

    def take(self, row: bytes, number: int) -> None:
        """Take a line that begins with ``#``."""
        line = self._last = row.decode()
        if not self._program and PROGRAM.match(line, 0, _lines.MAX_COMMENT):
            self._program = line
        key, _, value = line.removeprefix("#").strip().partition(":")
        if key == "Iteration":
            text = value.strip()
            self._iteration = int(text) if re.fullmatch("[0-9]{1,9}", text) else None
        elif key == "Query":
            words = value.split()
            self._budget.take(3 * TEXT + len(line), number)
            self.blocks.append(Block(words[0] if words else "", self._iteration))
            self._iteration = None
        elif key == "Fields" and not self._given and not self.problems.found:
            self._fields(tuple(map(_lines.canonical, value.split(","))), (number, line))
        elif (announced := ANNOUNCED.fullmatch(line)) and self.blocks:
            self.blocks[-1].announced = int(announced[1])

    def begin(self, first: bytes) -> tuple[Layout, int] | None:
        """Layout of the rows that follow, and their block; None if it is not known."""
        if not self.blocks:
            self.blocks.append(Block())
        if self._layout is None and not self.problems.found:
            if self._named is None:
                self._check(STANDARD)
            self._layout = self._layout_of(self._named or STANDARD, first)
        if self.problems.found or self._layout is None:
            return None
        return self._layout, len(self.blocks) - 1

    def is_no_row(self, line: bytes) -> bool:
        """Whether a line between rows is blank, or PSI-BLAST's last words on a query."""
        of_query = bool(self.blocks and self.blocks[-1].query)
        return not line.strip() or (line == CONVERGED and of_query)

    def signs_of_a_cut(self) -> list[str]:
        """What is missing that the comments announce."""
        signs = [
            f"query {one.query} announces {count(one.announced, 'hit')} and has {one.n_rows}"
            for one in self.blocks
            if one.n_rows < one.announced
        ][:1]
        announced = any(one.announced >= 0 for one in self.blocks)
        if self._program and announced and not PROCESSED.match(self._last):
            signs.append('there is no last line "# BLAST processed ... queries"')
        return signs

    def _fields(self, names: tuple[str, ...], at: Place) -> None:
        if names == self._named:
            return
        if self._named is not None or (self._layout is not None and names != STANDARD):
            message = "other columns than before in this file; keep one kind of table per file"
            self.problems.add("BadHeader", *at, message)
        elif self._layout is None:
            self._check(names, at)
        self._named = names

    def _check(self, names: tuple[str, ...], at: Place = NOWHERE) -> None:
        """Choose the score among the columns; a problem if one is missing."""
        _lines.check_ids(names, self.problems, at, "query", "record")
        places = dict.fromkeys(names, 0)
        self.score = _lines.score_column(places, self._options, self.problems, at) or self.score
        self.ranked = self.score not in places

    def _layout_of(self, names: tuple[str, ...], first: bytes) -> Layout:
        # FASTA 36.3.8i names two columns that it does not write.
        written = tuple(n for n in names if n not in ("query length", "subject length"))
        missing = first.count(b"\t") + 1 == len(written) == len(names) - 2
        if missing and not self._given:
            names = written
        # A tab at the end of each row.
        if first.count(b"\t") == len(names) and first.endswith(b"\t"):
            names = (*names, "")
        # LAST writes its raw score behind the columns that it names.
        if not self._given and first.count(b"\t") == len(names) > len(STANDARD):
            names = (*names, "raw")
        separator = "\t" if b"\t" in first or b"," not in first else ","
        places = {name: at for at, name in reversed(list(enumerate(names)))}  # the first counts
        return Layout(
            texts=tuple(Column(name, places[name], not_empty) for name in ("query", "record")),
            numbers=_table.score_columns(self.score, places, of_hit=True),
            width=len(names),
            separator=separator,
            expected=lambda row: _expected(row, names, separator, first),
            no_hit=("record",),
            no_hit_text=_table.NO_HIT,
            quoted=separator == "\t",  # as R writes it, while BLAST quotes nothing
        )


def _expected(row: str, names: tuple[str, ...], separator: str, first: bytes) -> str:
    n_columns = row.count(separator) + 1
    separated = "tabs" if separator == "\t" else "commas"
    message = f"expected {len(names)} columns separated by {separated}, found {n_columns}"
    if row.encode() == CONVERGED:
        alike = "this is PSI-BLAST without comments, in which iterations cannot be told apart"
        return f"{alike}; write the file with -outfmt 7"
    if n_columns == 1 and len(row.split()) > 7:
        return f"{message}; the file seems to be separated by spaces: write tabs as the programs do"
    if names == STANDARD and first.count(separator.encode()) + 1 != len(names):
        named = option("columns", likely_columns(first.decode().split(separator)))
        return f"{message}; if the table has other columns, name them: {named}"
    return f"{message}: {' '.join(names)}"


def likely_columns(cells: Sequence[str]) -> str:
    """Likely names of the columns of a table of hits, by the numbers of its first row."""
    numbers = [at for at, cell in enumerate(cells) if at > 1 and is_number(cell.encode())]
    evalues = [at for at in numbers if E_VALUE.fullmatch(cells[at].strip())]
    score = next(iter(evalues + numbers[::-1]), 2)
    named = {0: "query", 1: "target", score: "evalue"}
    return " ".join(named.get(at, f"column{at + 1}") for at in range(max(len(cells), 3)))


def _warn_of_iterations(hits: Hits, problems: Problems) -> None:
    """Warn if one of the first lists of a file seems to be written more than once.

    Programs write all rows of a record together, and worse records behind. Where a record comes
    again, and is better than the middle of its list so far, the list began again. Nothing is said
    of a list in pieces or in no order, in which a fifth of the records or more come first or after
    a worse one.
    """
    pairs = hits.query[:FIRST_ROWS].astype(np.int64) * len(hits.record_id)
    pairs += hits.record[:FIRST_ROWS]
    rows = np.flatnonzero(np.diff(pairs, prepend=-1))
    query, pairs, place = hits.query[rows], pairs[rows], np.arange(rows.size)
    score = hits.score[rows] * (-1 if hits.direction == "descending" else 1)
    begins = np.diff(query, prepend=-1) != 0
    again = score < score[(np.maximum.accumulate(np.where(begins, place, 0)) + place) // 2]
    again[np.unique(pairs, return_index=True)[1]] = False
    begins |= np.diff(score, prepend=0) < 0
    n_all, n_begun = (np.bincount(q, minlength=len(hits.query_id)) for q in (query, query[begins]))
    found = again & (5 * n_begun <= n_all)[query]
    for at in query[found][:1].tolist():
        problems.warn(
            f"the list of {hits.query_id[at]} is written more than once; all its rows were merged. "
            "If these are iterations of PSI-BLAST, write the file with -outfmt 7"
        )


def _of_iteration(comments: _Comments, wanted: int | None, problems: Problems) -> NDArray[np.bool_]:
    """Which rows are of the last iteration of their query, or the last one up to a number."""
    blocks = comments.blocks
    count = [block.n_rows for block in blocks]
    numbers = [block.iteration for block in blocks if block.iteration is not None]
    if wanted is not None and (not numbers or wanted > max(numbers)):
        has = "the file has none; write PSI-BLAST's -outfmt 7, which names them"
        if numbers:
            has = f"the file has iterations 1 to {max(numbers)}"
        problems.add("MissingIteration", None, "", f"iteration {wanted}: {has}")
    if not numbers:
        return np.ones(sum(count), np.bool_)
    last = {one.query: one for one in blocks if wanted is None or (one.iteration or 0) <= wanted}
    chosen = np.array([last.get(block.query) is block for block in blocks], np.bool_)
    comments.blocks = [block for block, keep in zip(blocks, chosen, strict=True) if keep]
    return np.repeat(chosen, count)
