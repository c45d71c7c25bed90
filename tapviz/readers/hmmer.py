"""Tables of HMMER3's programs, --tblout and --domtblout; reports of HMMER 2; results of profmark.

The query is that of the column "query name": for hmmscan the sequence, for hmmsearch the profile.
jackhmmer writes the last round of each query only. Of HMMER 2, the query of hmmpfam is a sequence,
that of hmmsearch a profile. Its benchmark, profmark, writes E-value, bits, target and query.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files import TEXT, Budget, Problems, Source
from tapviz.labels import Hits
from tapviz.readers import _lines
from tapviz.readers._lines import Match, Span, pieces, pieces_of, span
from tapviz.readers._table import file_order, read_rows, words
from tapviz.readers.options import ReadOptions


class Kind(NamedTuple):
    """Where the columns of a table are, from 0; behind them stands a description with blanks."""

    option: str
    width: int
    query: int
    scores: Mapping[str, int]
    header: re.Pattern[bytes]  # of a comment that only this table has
    known_by: re.Pattern[bytes]  # of one by which it is recognised
    whole: tuple[int, ...] = ()  # columns of whole numbers by which it is known


TBLOUT = Kind(
    "--tblout",
    width=18,
    query=2,
    scores={"evalue": 4, "bits": 5, "domain_evalue": 7, "domain_bits": 8},
    header=re.compile(rb"#.*--- best 1 domain ---"),
    known_by=re.compile(rb"# *target name|# +--- full sequence ---|# Program: "),
)
DOMAINS = re.compile(rb"#.*--- this domain ---|# *target name +accession +tlen ")
DOMTBLOUT = Kind(
    "--domtblout",
    width=22,
    query=3,
    scores={"evalue": 6, "bits": 7, "domain_evalue": 12, "domain_bits": 13},
    header=DOMAINS,
    known_by=DOMAINS,
    whole=(2, 5, 9, 10),
)
JACKHMMER = re.compile(rb"# Program: +jackhmmer")
SETTINGS = re.compile(rb"# Option settings:(.*)")
LIMIT = re.compile(rb" -E +([0-9.eE+-]+)")
OTHER_LIMIT = re.compile(rb" (-T|--cut_(ga|nc|tc)) ")
LIMIT_OF_DOMAINS = re.compile(rb" --dom[ET] ")
"""Which leaves out rows of --domtblout, and with them some records; none of --tblout."""
USUAL_LIMIT = 10.0
"""E-value up to which HMMER3's programs report unless they are told otherwise."""
END = b"# [ok]"


def recognise(kind: Kind, head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like a table, even with mistakes."""
    if said := _lines.said_by(head, kind.known_by):
        return said
    row = _lines.first_line(head).text
    cells = row.split()
    by_blanks = len(cells) >= kind.width and (kind.whole or row.count(b"\t") < 7)
    if not by_blanks or not all(cells[at].isdigit() for at in kind.whole):
        return None
    return Match("likely", f"{kind.width} columns separated by blanks, and a description")


def read(kind: Kind, source: Source, options: ReadOptions, problems: Problems) -> Hits:
    """Read E-values and bit scores of the full sequence, or of the best domain.

    In --domtblout, which has a row per domain, that of the full sequence is in each.

    Raises
    ------
    ReadError
        If a row is not as it should be, or the file is a table of the other kind.
    """
    other = TBLOUT if kind is DOMTBLOUT else DOMTBLOUT
    for number, line in enumerate(source.head, 1):
        if other.header.match(line) and not kind.header.match(line):
            message = f"expected {kind.option}, but the header is that of {other.option}"
            problems.add("WrongFormat", number, line, message)
            problems.raise_any()
    name, direction = _lines.scored_by(kind.scores, options, problems)
    comments = _Comments()
    expected = f"expected {kind.width} columns and a description, found {{}}"
    expected += f"; write the file with {kind.option}"
    layout = words({"query": kind.query, "record": 0}, kind.scores, name, kind.width, expected)
    rows = read_rows(pieces(source, lambda _: (layout, comments.begin()), comments.take), problems)
    problems.raise_any()
    hits = rows.hits(source.file, direction, ranked=name not in kind.scores)
    of_domains = kind is DOMTBLOUT and comments.of_domains
    if name == "evalue" and direction == "ascending" and not of_domains:
        hits = hits._replace(reported_to=comments.limit, reported_how="header")
    if comments.jackhmmer:
        hits = _of_last_table(hits, np.repeat(*rows.runs()), problems)
    if not comments.ended:
        _lines.warn_cut_off(problems, f'its last line is not "{END.decode()}"')
    _lines.warn_if_split(hits, problems)
    return hits


class _Comments:
    """What the comments of a file tell: its program, and where one of several tables ends."""

    def __init__(self) -> None:
        self.jackhmmer = self.ended = self.of_domains = False
        self._tables = 0
        self._limits: list[float | None] = []

    def take(self, line: bytes, _number: int) -> None:
        """Take a line that begins with ``#``."""
        line = line.rstrip()
        self.ended = line.endswith(END)
        self._tables += line == END
        self.jackhmmer = self.jackhmmer or JACKHMMER.match(line) is not None
        if settings := SETTINGS.match(line):
            self._limits.append(_limit(settings[1] + b" "))
            self.of_domains |= LIMIT_OF_DOMAINS.search(settings[1]) is not None

    @property
    def limit(self) -> float | None:
        """E-value up to which all runs reported hits; None if that is not known."""
        return self._limits[0] if len(set(self._limits)) == 1 else None

    def begin(self) -> int:
        """Number of the table to which the rows that follow belong."""
        self.ended = False
        return self._tables


def _limit(settings: bytes) -> float | None:
    """E-value up to which a command reports; None if that is not its rule."""
    if OTHER_LIMIT.search(settings):
        return None
    given = LIMIT.search(settings)
    with suppress(ValueError):
        return float(given[1]) if given else USUAL_LIMIT
    return None


def _of_last_table(hits: Hits, table: NDArray[np.int64], problems: Problems) -> Hits:
    """Of a query in several tables of jackhmmer keep the last, which is its last round."""
    last = np.zeros(len(hits.query_id), np.int64)
    np.maximum.at(last, hits.query, table)
    keep = table == last[hits.query]
    if not keep.all():
        rows = f"{int((~keep).sum())} rows are of tables of jackhmmer"
        followed = "that are followed by another table of the same query"
        problems.warn(f"{rows} {followed}; the last one counts")
    return _lines.some_rows(hits, keep)


# Reports of HMMER 2

HMMPFAM, HMMSEARCH = b"hmmpfam - search", b"hmmsearch - search"
# Not possessive: before 3.11.5 Python would take the line in which a group fails, too.
TABLE = re.compile(
    rb"^Query (?:sequence|HMM):[^\S\n]*(?P<query>\S*).*$"
    rb"|^Scores for (?:sequence family classification|complete sequences).*(?:\n|\Z)"
    rb"(?:(?:(?:Model|Sequence) +Description +Score |-----).*(?:\n|\Z))*"
    rb"(?P<rows>(?:(?![ \t\r\x0b\x0c]*(?:\n|\Z)|\t?\[no hits).*(?:\n|\Z))*)",
    re.MULTILINE,
)
REPORT_END = re.compile(rb"^(//|Total sequences searched:)", re.MULTILINE)
HMMER2_SCORES = {"evalue": -2, "bits": -3}
EXPECTED = "expected name, score, E-value and number of domains of a query"


def recognise_hmmer2(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like this format, even with mistakes."""
    first = next((line for line in head if line.strip()), b"")
    if not first.startswith((HMMPFAM, HMMSEARCH)) or any(b"HMMER 3" in line for line in head[:5]):
        return None
    return Match("certain", f"the first line begins with {first[:18].decode('utf-8', 'replace')!r}")


def read_hmmer2(source: Source, options: ReadOptions, problems: Problems) -> Hits:
    """Read the table of scores of each query, and not that of its domains.

    The record is the first word of a row; score, E-value and number of domains are the last
    three, and a description with blanks in it may stand between.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    name, direction = _lines.scored_by(HMMER2_SCORES, options, problems)
    layout = words({"record": 0}, HMMER2_SCORES, name, 4, EXPECTED)
    data = source.data()
    queries, spans, whole = _tables(data, problems)
    rows = read_rows(pieces_of(data, layout, spans), problems)
    problems.raise_any()
    if not whole:
        _lines.warn_cut_off(problems, "the report of the last query has no end")
    record_id, record = rows.texts(0)
    query = np.repeat(*rows.runs()).astype(np.int32)
    score = rows.numbers(0) if name in HMMER2_SCORES else file_order(query)
    hits = Hits(source.file, queries, record_id, query, record, score, direction)
    _lines.warn_if_split(hits, problems)
    return hits


def _tables(data: bytes, problems: Problems) -> tuple[list[str], list[Span], bool]:
    """Queries, the rows of each table, and whether the last report has an end."""
    queries: dict[str, int] = {}
    budget = Budget(problems.file)
    query: str | None = None
    spans: list[Span] = []
    end = 0
    ended: bool | None = None  # the last table, if there is one
    for line, found in _lines.matches(TABLE, data):
        end = found.end()
        if found["query"] is not None:
            budget.take(3 * TEXT + len(found[0]), line)
            query = found["query"].decode() or None
            if query is None:
                problems.add("BadHeader", line, found[0], "expected the id of a query, found none")
            else:
                queries.setdefault(query, len(queries))
            continue
        start, ended = found.start("rows"), data[end - 1 : end] == b"\n"
        first = line + data.count(b"\n", found.start(), start)
        budget.take(3 * TEXT, first)
        if query is None:
            for number, row in enumerate(found["rows"].splitlines(), first):
                problems.add("BadColumnCount", number, row, EXPECTED)
        elif start < end:
            spans.append(span(data, start, end, first, queries[query]))
    whole = ended is None or (ended and REPORT_END.search(data, end) is not None)
    return list(queries), spans, whole


# Results of HMMER's benchmark, profmark

PROFMARK_SCORES = {"evalue": 0, "bits": 1}
PROFMARK = "expected 4 columns, E-value, bit score, target and query, found {}"


def recognise_profmark(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like a result of profmark, even with mistakes."""
    rows = [line.text.split() for line in islice(_lines.rows_in(head), 20)]
    if not rows or not all(map(_is_profmark, rows)):
        return None
    target, query = rows[0][2:]
    if re.match(rb"decoy[0-9]+$", target) or target.startswith(query + b"/"):
        named = target.decode("utf-8", "replace")
        return Match("certain", f"E-value, bit score, and the target {named!r}")
    why = "4 columns: E-value, bit score and two ids"
    return Match("likely" if len(rows) > 1 else "possible", why)


def _is_profmark(cells: Sequence[bytes]) -> bool:
    numbers = [_lines.is_number(cell) for cell in cells]
    whole = len(cells) == 4 and not all(numbers)
    return whole and all(numbers[:2]) and not cells[0].startswith(b"-")


def read_profmark(source: Source, options: ReadOptions, problems: Problems) -> Hits:
    """Read E-values and bit scores.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    # All lists are merged by score, so that the rows of a query are never contiguous.
    name, direction = _lines.scored_by(PROFMARK_SCORES, options, problems)
    layout = words({"query": 3, "target": 2}, PROFMARK_SCORES, name, 4, PROFMARK)
    rows = read_rows(pieces(source, lambda _: (layout, 0)), problems)
    problems.raise_any()
    return rows.hits(source.file, direction, ranked=name not in PROFMARK_SCORES)
