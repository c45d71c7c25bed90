"""What the readers share: recognising rows, where they are, and which column is the score."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files import CHUNK, IDS, Line, Problems, Source, option
from tapviz.labels import Hits
from tapviz.lists import Direction, count
from tapviz.lists.writing import NUMBER
from tapviz.readers._table import WITHOUT_ONE, Layout, Places
from tapviz.readers.options import ReadOptions

# What programs call the columns that are read, in headers, `# Fields:` lines and options.
NAMES = {
    **IDS,
    "evalue": {"e-value", "e value", "expected value", "expect", "e_value"},
    "bits": {"bit score", "bitscore", "bit_score", "bit-score"},
    "pident": {"% identity", "percentage of identical matches"},
}
CANONICAL = {name: usual for usual, names in NAMES.items() for name in names}

# Which way scores are better. A column that is not here needs a direction.
ASCENDING = {"evalue", "pvalue", "p-value", "qvalue", "fdr", "rank", "distance", "rmsd"}
ASCENDING |= {"domain_evalue"}
DESCENDING = {"bits", "domain_bits", "pident", "fident", "nident", "positive", "ppos", "sim"}
DESCENDING |= {"raw", "length", "alnlen", "qcov", "tcov", "qcovs", "qcovhsp", "scovhsp", "prob"}
DESCENDING |= {"lddt", "alntmscore", "qtmscore", "ttmscore", "tmscore", "aq", "confidence"}
DESCENDING |= {"probability", "corrected_bitscore", "pctid", "newts"}


RANK = "rank"
"""What to rank by in place of a column: the order of the file."""
ENOUGH = 5
"""Pairs of neighbours that tell whether a column holds E-values."""
BY_CHANCE = 3.5
"""Standard errors by which more neighbours must be in the wrong order than in shuffled rows."""
MAX_COMMENT = 1000
"""Characters of a comment that are looked at: to search for some words takes their square."""
AT_ONCE = 1 << 20
"""Rows that are counted at once."""


Place = tuple[int | None, str | bytes]
"""Where something is in a file: the number of a line, and its text."""
NOWHERE: Place = (None, "")
LineOf = Callable[[int], Line]
"""From a row, its line."""
Scored = tuple[NDArray[np.integer], NDArray[np.float64], NDArray[np.float64]]
"""Query, score and, if there are any, bit score of each row."""


class Match(NamedTuple):
    """How surely the first lines of a file are of a format, and what shows it."""

    certainty: Literal["certain", "likely", "possible"]
    why: str


def canonical(name: str) -> str:
    """The usual name of a column."""
    name = name.strip().lower()
    return CANONICAL.get(name, name)


def direction_of(
    score: str, options: ReadOptions, problems: Problems, *, checked: bool = False
) -> Direction:
    """Whether small values of the column to rank by are better; a problem if nothing tells.

    What the options say wins: a column may hold other things than its name promises. That large
    E-values are better must be said twice, unless they are `checked` later.
    """
    problems.ranked_by = score
    if options.direction is not None:
        if not checked:
            _check_said(score, options, problems)
        return options.direction
    if score in ASCENDING:
        return "ascending"
    if score in DESCENDING:
        return "descending"
    small, large = (option("direction", way) for way in ("ascending", "descending"))
    unknown = f"cannot tell whether small or large values of {score!r} are better"
    message = f"{unknown}; set {small} (small) or {large} (large)"
    problems.add("DirectionUnknown", None, "", message)
    return "ascending"


def _check_said(score: str, options: ReadOptions, problems: Problems) -> None:
    """Note that large E-values are taken for better, if it is said but once."""
    if options.direction != "descending" or options.score is not None or score[-6:] != "evalue":
        return
    named, large = option("score", score), option("direction", "descending")
    but = f"small E-values are better, but {large} takes large ones for better"
    other = f"if this column holds other scores, name it as well: set {named} {large}"
    problems.add("DirectionOfEvalues", None, "", f"{but}. Leave it out; or, {other}")


def score_column(
    places: Places, options: ReadOptions, problems: Problems, at: Place = NOWHERE
) -> str | None:
    """Name of the column to rank by: the one asked for, else the E-value, else the bit score.

    `RANK`, where there is no such column, is the order of the file.
    """
    if options.score is not None:
        name = canonical(options.score)
        if name in places or name == RANK:
            return name
        message = f"there is no column {options.score!r}; there are {', '.join(places)}"
    elif "evalue" in places:
        return "evalue"
    elif "bits" in places:
        problems.warn("there is no column of E-values; the lists are by bit score")
        return "bits"
    else:
        found = f"expected a column evalue or bits, found {', '.join(places)}"
        message = f"{found}; set {option('score')} to the column to rank by"
    problems.add("MissingColumn", *at, message)
    return None


def check_ids(
    names: Sequence[str], problems: Problems, at: Place, *needed: str, called: Sequence[str] = ()
) -> None:
    """Note which columns of ids that are needed are not among those of a table, as it has them."""
    meanings = {"query": "queries", "record": "records (targets)"}
    for what in needed:
        if what not in names:
            message = f"expected a column of {meanings[what]}, named {what}; there are "
            problems.add("MissingColumn", *at, message + ", ".join(called or names))


def scored_by(places: Places, options: ReadOptions, problems: Problems) -> tuple[str, Direction]:
    """Name of the column to rank by, and whether small values are better.

    Raises
    ------
    ReadError
        If there is no such column, or nobody knows whether small values are better.
    """
    name = score_column(places, options, problems) or next(iter(places))
    direction = direction_of(name, options, problems)
    problems.raise_any()
    return name, direction


def check_evalues(
    columns: Scored,
    score: str,
    options: ReadOptions,
    problems: Problems,
    line_of: LineOf,
    found: NDArray[np.bool_] | None = None,
) -> None:
    """Find a column that is read as E-values, but is none by the bit scores or by the order.

    Of neighbours in a list the smaller E-value goes with the larger bit score, and comes first. A
    program that writes another score into the column, as Foldseek does when it aligns by TM-score,
    has it the other way in most lists. Nothing is checked if somebody chose the score; where
    somebody said that large ones are better, most lists must agree.

    Parameters
    ----------
    columns : tuple of ndarray
        Query and value of each row, in the order of the file; and bit scores, where there are any.
    score : str
        Name of the column that was read.
    options : ReadOptions
    problems : Problems
    line_of : callable
    found : ndarray of bool, optional
        Which rows are hits; all by default.

    Raises
    ------
    ReadError
        If most lists contradict; the problems show three rows.
    """
    if options.score is not None or options.direction == "ascending" or score != "evalue":
        return
    query, values, bits = columns
    if found is not None:
        query, values, bits = query[found], values[found], bits[found] if bits.size else bits
    if not query.size:
        return
    agrees = rises(values)
    agrees *= query[1:] == query[:-1]
    against = "the order of the file"
    contradicts = contradict(query, agrees)
    if bits.size:
        by_bits = rises(bits)
        by_bits *= -agrees
        told = contradict(query, by_bits)
        if told is not None:
            against, contradicts, agrees = "the bit scores", told, by_bits
    if not contradicts:
        _check_said(score, options, problems)
        problems.raise_any()
    if not contradicts or options.direction is not None:
        return
    first = int(np.argmax(agrees < 0))
    rows = [row for row in range(first, min(first + 3, query.size)) if query[row] == query[first]]
    by_bits_option = f"{option('score', 'bits')} to rank by bit score, " if bits.size else ""
    large, order = option("direction", "descending"), option("score", RANK)
    remedy = f"{large} if large ones are better, or {order} for the order of the file"
    seen = f"what was read as E-values disagrees with {against} in most lists"
    why = f"{seen}: larger values stand with better hits"
    message = f"{why}. If these are other scores, set {by_bits_option}{remedy}"
    for row in rows:
        if row != first:
            message = f"{values[row]:g} was read as its E-value"
        at = row if found is None else int(np.flatnonzero(found)[row])
        problems.add("NotEvalues", *line_of(at), message)
    problems.raise_any()


def rises(values: NDArray[np.float64]) -> NDArray[np.int8]:
    """1 where the next value is larger, -1 where it is smaller, else 0."""
    return np.subtract(values[1:] > values[:-1], values[1:] < values[:-1], dtype=np.int8)


def contradict(query: NDArray[np.integer], agrees: NDArray[np.int8]) -> bool | None:
    """Whether neighbours contradict in most lists, given where they agree; None if few tell."""
    n_wrong, n_right = int(np.count_nonzero(agrees < 0)), int(np.count_nonzero(agrees > 0))
    if n_wrong + n_right < ENOUGH:
        return None
    balance = np.zeros(int(query.max()) + 1)
    for start in range(0, agrees.size, AT_ONCE):  # counting takes a copy of both
        some = slice(start, start + AT_ONCE)
        balance += np.bincount(query[1:][some], agrees[some], minlength=balance.size)
    most = np.count_nonzero(balance < 0) > np.count_nonzero(balance > 0)
    # Of n distinct values in random order the neighbours that fall have the variance (n + 1) / 12.
    tells = agrees != 0
    n_runs = int(tells[0]) + np.count_nonzero(tells[1:] > tells[:-1])
    by_chance = ((n_wrong + n_right + 2 * n_runs) / 3) ** 0.5
    if most and n_wrong >= 2 * n_right and n_wrong - n_right >= BY_CHANCE * by_chance:
        return True
    return False if n_right > 2 * n_wrong else None


def some_rows(hits: Hits, keep: NDArray[np.bool_]) -> Hits:
    """Keep some rows, and the ids of the records in them."""
    if keep.all():
        return hits
    record = hits.record[keep]
    used = np.zeros(len(hits.record_id), np.bool_)
    used[record] = True
    return hits._replace(
        record_id=[*compress(hits.record_id, used.tolist())],
        query=hits.query[keep],
        record=(np.cumsum(used, dtype=np.int32) - 1)[record],
        score=hits.score[keep],
        relevant=None if hits.relevant is None else hits.relevant[keep],
    )


def warn_if_split(hits: Hits, problems: Problems) -> None:
    """Warn if the rows of a query are not contiguous: two files in one, or rows sorted."""
    begins = np.flatnonzero(np.append(True, hits.query[1:] != hits.query[:-1])[: hits.query.size])
    query, n_runs = np.unique(hits.query[begins], return_counts=True)
    if (several := query[n_runs > 1]).size:
        name, others = hits.query_id[several[0]], several.size - 1
        more = f" (and of {count(others, 'other query')})" if others else ""
        apart = f"the rows of {name}{more} are not contiguous; they were merged"
        problems.warn(f"{apart}. If the file holds two searches, separate them")


def warn_cut_off(problems: Problems, sign: str) -> None:
    """Warn that the end of a file is missing."""
    problems.warn(f"the file seems to be cut off: {sign}. Run the search again")


def said_by(head: Sequence[bytes], pattern: re.Pattern[bytes], length: int = 60) -> Match | None:
    """How surely a comment, of which the first characters are looked at, says what a file is."""
    comment = next((line for line in head if pattern.match(line, 0, MAX_COMMENT)), None)
    if comment is None:
        return None
    words = b" ".join(comment.split())[:length]  # HMMER3 aligns its first line by blanks
    return Match("certain", f"the comment {words.decode('utf-8', 'replace')!r}")


def rows_in(lines: Sequence[bytes]) -> Iterator[Line]:
    """Yield lines that are neither blank nor comments, and their numbers."""
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith(b"#"):
            yield Line(number, line)


def first_line(lines: Sequence[bytes]) -> Line:
    """The first of these; the first line, as if it were empty, if there is none."""
    return next(rows_in(lines), Line(1, b""))


def is_number(cell: bytes) -> bool:
    """Whether a cell is a number as programs write it."""
    text = cell.decode("utf-8", "replace").strip(" \t")
    return bool(NUMBER.fullmatch(text) or WITHOUT_ONE.fullmatch(text))


# The rows of a file, piece by piece: where they are between comments, and in which line


def matches(pattern: re.Pattern[bytes], data: bytes) -> Iterator[tuple[int, re.Match[bytes]]]:
    """Yield what matches, and the line, from 1, in which it begins."""
    counted, line = 0, 1
    for found in pattern.finditer(data):
        line += data.count(b"\n", counted, found.start())
        counted = found.start()
        yield line, found


class Span(NamedTuple):
    """Rows without anything between them."""

    start: int
    stop: int  # in bytes
    line: int  # of the first row, from 1
    n_lines: int
    section: int  # to which they belong


def span(text: bytes, start: int, stop: int, line: int, section: int) -> Span:
    """Count the lines of rows."""
    n_lines = text.count(b"\n", start, stop) + (text[stop - 1] != ord("\n"))
    return Span(start, stop, line, n_lines, section)


class Piece(NamedTuple):
    """Some rows of a file."""

    layout: Layout
    text: bytes
    spans: list[Span]

    def rows(self) -> bytes:
        """The rows without what lies between."""
        if len(self.spans) == 1 and self.spans[0].stop - self.spans[0].start == len(self.text):
            return self.text
        return b"".join([self.text[span.start : span.stop] for span in self.spans])


def pieces(
    source: Source,
    begin: Callable[[bytes], tuple[Layout, int] | None],
    comment: Callable[[bytes, int], None] | None = None,
    *,
    ignored: Callable[[bytes], bool] = lambda row: not row.strip(),
    skip: int = 0,
    comments: bool = True,
) -> Iterator[Piece]:
    """Yield the rows of a file, without comments and what is ignored between them.

    Parameters
    ----------
    source : Source
    begin : callable
        From the first of some rows, their layout and section; None ends the reading.
    comment : callable, optional
        Called with each line that begins with ``#``, and its number.
    ignored : callable
        Whether a line before or behind rows is none.
    skip : int
        Lines before the table.
    comments : bool
        Whether lines that begin with ``#`` are comments.
    """
    line = 1
    for text in source.chunks():
        at, spans, layout = 0, [], None
        has_comments = comments and b"#" in text
        while at < len(text):
            end = text.find(b"\n", at)
            first = text[at:end] if end >= 0 else text[at:]
            is_comment = comments and first.startswith(b"#")
            if line <= skip or is_comment or ignored(first):
                if is_comment and comment is not None:
                    comment(first, line)
                at += len(first) + 1
                line += 1
                continue
            begun = begin(first)
            if begun is None:
                break
            layout, section = begun
            stop = (text.find(b"\n#", at) + 1 if has_comments else 0) or len(text)
            rows = span(text, at, _trimmed(text, at, stop, ignored), line, section)
            spans.append(rows)
            line += rows.n_lines + text.count(b"\n", rows.stop, stop)
            at = stop
        if layout is not None:
            yield Piece(layout, text, spans)
        if at < len(text):
            return


def _trimmed(text: bytes, start: int, stop: int, ignored: Callable[[bytes], bool]) -> int:
    """Where rows end without the lines behind them that are ignored."""
    while True:
        begin = text.rfind(b"\n", start, stop - 1) + 1
        if begin <= start or not ignored(text[begin:stop].removesuffix(b"\n")):
            return stop
        stop = begin


def pieces_of(text: bytes, layout: Layout, spans: Iterable[Span]) -> Iterator[Piece]:
    """Yield rows of a text of which is known where they are."""
    some: list[Span] = []
    for span in spans:
        some.append(span)
        if span.stop - some[0].start >= CHUNK:
            yield Piece(layout, text, some)
            some = []
    if some:
        yield Piece(layout, text, some)
