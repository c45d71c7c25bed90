"""Tables of HMMER3's programs: --tblout and --domtblout.

The query is where the file says it is: for hmmscan that is the sequence, for hmmsearch the
profile. jackhmmer writes the last round of each query only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from tapviz.files.source import Source
from tapviz.labels import Hits
from tapviz.readers._lines import (
    Match,
    Options,
    Problems,
    Rows,
    direction_of,
    fine,
    rows_in,
    score_column,
    some_rows,
    warn_if_split,
)
from tapviz.readers._table import Gathered, lines_of, words


class Layout(NamedTuple):
    """Where the columns of a table are, from 0; behind them stands a description with blanks."""

    option: str
    width: int
    query: int
    scores: Mapping[str, int]
    header: bytes  # pattern of a comment that only this table has


RECORD = 0
TBLOUT = Layout(
    "--tblout",
    width=18,
    query=2,
    scores={"evalue": 4, "bits": 5, "domain_evalue": 7, "domain_bits": 8},
    header=rb"#.*--- best 1 domain ---",
)
DOMTBLOUT = Layout(
    "--domtblout",
    width=22,
    query=3,
    scores={"evalue": 6, "bits": 7, "domain_evalue": 12, "domain_bits": 13},
    header=rb"#.*--- this domain ---|# *target name +accession +tlen ",
)
JACKHMMER = re.compile(rb"^# Program: +jackhmmer", re.MULTILINE)
END = b"# [ok]"


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like --tblout, be it with mistakes."""
    for line in head:
        if re.match(rb"# *target name|# +--- full sequence ---|# Program: ", line):
            return Match("certain", f"the comment {line[:60].decode('utf-8', 'replace')!r}")
    row = next(iter(rows_in(head)), b"")
    if len(row.split()) >= TBLOUT.width and row.count(b"\t") < 7:
        return Match("likely", "18 columns separated by blanks, and a description")
    return None


def recognise_domains(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like --domtblout, be it with mistakes."""
    for line in head:
        if re.match(DOMTBLOUT.header, line):
            return Match("certain", f"the comment {line.strip()[:60].decode('utf-8', 'replace')!r}")
    cells = next(iter(rows_in(head)), b"").split()
    if len(cells) >= DOMTBLOUT.width and all(cells[at].isdigit() for at in (2, 5, 9, 10)):
        return Match("likely", "22 columns separated by blanks, and a description")
    return None


def read(source: Source, options: Options, problems: Problems) -> Hits:
    """Read --tblout: E-values and bit scores of the full sequence, or of the best domain.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    return _read(source, options, problems, TBLOUT, DOMTBLOUT)


def read_domains(source: Source, options: Options, problems: Problems) -> Hits:
    """Read --domtblout: a row per domain, with the E-value of the full sequence in each.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    return _read(source, options, problems, DOMTBLOUT, TBLOUT)


def _read(
    source: Source, options: Options, problems: Problems, layout: Layout, other: Layout
) -> Hits:
    for number, line in enumerate(source.head, 1):
        if re.match(other.header, line) and not re.match(layout.header, line):
            message = f"expected {layout.option}, but the header is that of {other.option}"
            problems.add("WrongFormat", number, line, message)
            problems.raise_any()
    name = score_column(layout.scores, options, problems, None, "") or "evalue"
    direction = direction_of(name, options, problems)
    problems.raise_any()
    bits = None if name in ("bits", "domain_bits") else layout.scores["bits"]
    found = _fast(source, layout, name, bits) or _slow(source, layout, name, bits, problems)
    hits = _of_last_table(found, problems)._replace(direction=direction)
    if not found.whole:
        problems.warn(
            f'the file looks cut off: its last line is not "{END.decode()}". Run the search again'
        )
    warn_if_split(hits, problems)
    return hits


class _Found(NamedTuple):
    """Hits, and of which table each is, where several are in one file."""

    hits: Hits
    table: NDArray[np.int32]
    jackhmmer: bool
    whole: bool  # the last line says so


def _fast(source: Source, layout: Layout, name: str, bits: int | None) -> _Found | None:
    """Read all rows at once; None if anything is not as it should be."""
    gathered = Gathered(2, 2 if bits is not None else 1)
    tables: list[NDArray[np.int32]] = []
    ended, jackhmmer, whole = 0, False, False
    columns = (layout.scores[name],) if bits is None else (layout.scores[name], bits)
    for chunk in source.chunks():
        whole = chunk.rstrip().endswith(END) or (whole and not chunk.strip())
        jackhmmer = jackhmmer or JACKHMMER.search(chunk) is not None
        rows = lines_of(chunk)
        if rows is None:
            return None
        ends = pc.equal(pc.ascii_rtrim_whitespace(rows), END.decode())
        data = pc.invert(pc.starts_with(rows, "#"))
        table = ended + np.cumsum(ends.to_numpy(zero_copy_only=False), dtype=np.int32)
        ended = int(table[-1]) if table.size else ended
        parsed = words(rows.filter(data), layout.width, (layout.query, RECORD), columns)
        if parsed is None:
            return None
        gathered.add(parsed)
        # Blank rows are none; that there is one is seen by the number of rows.
        tables.append(table[data.to_numpy(zero_copy_only=False)])
        if tables[-1].size != parsed.numbers[0].size:
            return None
    query_id, query = gathered.texts(0)
    record_id, record = gathered.texts(1)
    score = gathered.numbers(0)
    second = gathered.numbers(1) if bits is not None else None
    if not score.size or not fine(name, score, second):
        return None
    hits = Hits(source.file, query_id, record_id, query, record, score, second)
    return _Found(hits, np.concatenate(tables), jackhmmer, whole)


def _slow(
    source: Source, layout: Layout, name: str, bits: int | None, problems: Problems
) -> _Found:
    """Read row by row, to say which row is wrong."""
    rows = Rows()
    tables: list[int] = []
    ended, jackhmmer, whole = 0, False, False
    for number, line in source.lines():
        if not line.strip():
            continue
        whole = line.rstrip().endswith(END)
        if line.startswith(b"#"):
            ended += line.rstrip() == END
            jackhmmer = jackhmmer or JACKHMMER.match(line) is not None
            continue
        row = line.decode()
        cells = [cell.decode() for cell in line.split(None, layout.width)]
        if len(cells) < layout.width:
            message = (
                f"expected {layout.width} columns and a description, found {len(cells)}; write the "
                f"file with {layout.option}"
            )
            problems.add("BadColumnCount", number, row, message)
        else:
            score = problems.score(cells[layout.scores[name]], number, row, name)
            second = 0.0 if bits is None else problems.number(cells[bits], number, row, "score")
            rows.add(cells[layout.query], cells[RECORD], score, second)
            tables.append(ended)
        if problems.full:
            break
    problems.raise_any()
    hits = rows.hits(problems.file, "ascending", bits=bits is not None)
    return _Found(hits, np.array(tables, np.int32), jackhmmer, whole)


def _of_last_table(found: _Found, problems: Problems) -> Hits:
    """Of a query in several tables of jackhmmer keep the last, which is its last round."""
    hits, table = found.hits, found.table
    if not found.jackhmmer or not table.size or table[0] == table[-1]:
        return hits
    last = np.zeros(len(hits.query_id), np.int32)
    np.maximum.at(last, hits.query, table)
    keep = table == last[hits.query]
    if not keep.all():
        problems.warn(
            f"{int((~keep).sum())} rows are of tables of jackhmmer that are followed by another "
            "table of the same query; the last one counts"
        )
    return some_rows(hits, keep)
