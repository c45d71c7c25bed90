"""Tables of HMMER3's programs: --tblout and --domtblout.

The query is that of the column "query name": for hmmscan the sequence, for hmmsearch the profile.
jackhmmer writes the last round of each query only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files.problems import Problems
from tapviz.files.source import Source
from tapviz.labels import Hits
from tapviz.readers import _lines
from tapviz.readers._lines import Match
from tapviz.readers._pieces import pieces
from tapviz.readers._table import Column, Layout, read_rows, score_columns
from tapviz.readers.options import ReadOptions


class Kind(NamedTuple):
    """Where the columns of a table are, from 0; behind them stands a description with blanks."""

    option: str
    width: int
    query: int
    scores: Mapping[str, int]
    header: bytes  # pattern of a comment that only this table has

    def layout(self, score: str) -> Layout:
        """How rows are read, by one of the scores."""
        return Layout(
            texts=(Column("query", self.query), Column("record", 0)),
            numbers=score_columns(score, self.scores),
            width=self.width,
            separator="",
            expected=lambda row: (
                f"expected {self.width} columns and a description, found {len(row.split())}; write "
                f"the file with {self.option}"
            ),
        )


TBLOUT = Kind(
    "--tblout",
    width=18,
    query=2,
    scores={"evalue": 4, "bits": 5, "domain_evalue": 7, "domain_bits": 8},
    header=rb"#.*--- best 1 domain ---",
)
DOMTBLOUT = Kind(
    "--domtblout",
    width=22,
    query=3,
    scores={"evalue": 6, "bits": 7, "domain_evalue": 12, "domain_bits": 13},
    header=rb"#.*--- this domain ---|# *target name +accession +tlen ",
)
JACKHMMER = re.compile(rb"# Program: +jackhmmer")
SETTINGS = re.compile(rb"# Option settings:(.*)")
LIMIT = re.compile(rb" -E +([0-9.eE+-]+)")
OTHER_LIMIT = re.compile(rb" (-T|--cut_(ga|nc|tc)) ")
USUAL_LIMIT = 10.0
"""E-value up to which HMMER3's programs report unless they are told otherwise."""
END = b"# [ok]"


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like --tblout, even with mistakes."""
    for line in head:
        if re.match(rb"# *target name|# +--- full sequence ---|# Program: ", line):
            return Match("certain", f"the comment {line[:60].decode('utf-8', 'replace')!r}")
    row = next(iter(_lines.rows_in(head)), b"")
    if len(row.split()) >= TBLOUT.width and row.count(b"\t") < 7:
        return Match("likely", "18 columns separated by blanks, and a description")
    return None


def recognise_domains(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like --domtblout, even with mistakes."""
    for line in head:
        if re.match(DOMTBLOUT.header, line):
            return Match("certain", f"the comment {line.strip()[:60].decode('utf-8', 'replace')!r}")
    cells = next(iter(_lines.rows_in(head)), b"").split()
    if len(cells) >= DOMTBLOUT.width and all(cells[at].isdigit() for at in (2, 5, 9, 10)):
        return Match("likely", "22 columns separated by blanks, and a description")
    return None


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
        if re.match(other.header, line) and not re.match(kind.header, line):
            message = f"expected {kind.option}, but the header is that of {other.option}"
            problems.add("WrongFormat", number, line, message)
            problems.raise_any()
    name = _lines.score_column(kind.scores, options, problems) or "evalue"
    direction = _lines.direction_of(name, options, problems)
    problems.raise_any()
    comments = _Comments()
    layout = kind.layout(name)
    rows = read_rows(pieces(source, lambda _: (layout, comments.begin()), comments.take), problems)
    problems.raise_any()
    hits = rows.hits(source.file, direction, ranked=name not in kind.scores)
    if name == "evalue" and direction == "ascending":
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
        self.jackhmmer = self.ended = False
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
        problems.warn(
            f"{int((~keep).sum())} rows are of tables of jackhmmer that are followed by another "
            "table of the same query; the last one counts"
        )
    return _lines.some_rows(hits, keep)
