"""Reports of HMMER 2: hmmpfam, of which the query is a sequence, and hmmsearch, a profile."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tapviz.files.source import Source
from tapviz.labels import Hits
from tapviz.readers._lines import (
    Match,
    Options,
    Problems,
    Rows,
    direction_of,
    fine,
    score_column,
    warn_if_split,
)
from tapviz.readers._table import coded, last_words, lines_of

HMMPFAM, HMMSEARCH = b"hmmpfam - search", b"hmmsearch - search"
QUERY = (b"Query sequence:", b"Query HMM:")
TABLE = (b"Scores for sequence family classification", b"Scores for complete sequences")
START = re.compile(
    rb"^(?:Query (?:sequence|HMM):[^\S\n]*([^\s]*).*"
    rb"|Scores for (?:sequence family classification|complete sequences).*)(?:\n|\Z)",
    re.MULTILINE,
)
HEAD = re.compile(rb"(?:Model|Sequence) +Description +Score .*\n-----.*\n")
END = re.compile(rb"^(//|Total sequences searched:)", re.MULTILINE)
HEADER = re.compile(rb"(Model|Sequence) +Description +Score |-----")
NO_HITS = (b"\t[no hits", b"[no hits")
COLUMNS = {"evalue": -2, "bits": -3}


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like this format, be it with mistakes."""
    first = next((line for line in head if line.strip()), b"")
    if not first.startswith((HMMPFAM, HMMSEARCH)) or any(b"HMMER 3" in line for line in head[:5]):
        return None
    return Match("certain", f"the first line begins with {first[:18].decode('utf-8', 'replace')!r}")


def read(source: Source, options: Options, problems: Problems) -> Hits:
    """Read the table of scores of each query, and not that of its domains.

    The record is the first word of a row; score, E-value and number of domains are the last
    three, and a description with blanks in it may stand between.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    name = score_column(COLUMNS, options, problems, None, "") or "evalue"
    direction = direction_of(name, options, problems)
    problems.raise_any()
    found = _fast(source, name) or _slow(source, name, problems)
    if not found.whole:
        problems.warn(
            "the file looks cut off: the report of the last query has no end. Run the search again"
        )
    hits = found.hits._replace(direction=direction)
    warn_if_split(hits, problems)
    return hits


class _Found(NamedTuple):
    """Hits, and whether the last report has an end."""

    hits: Hits
    whole: bool


class _Tables(NamedTuple):
    """The tables of scores in a report."""

    queries: list[str]
    of_query: list[int]  # of each table with rows
    n_rows: list[int]
    rows: bytes
    end: int  # of the last table


def _tables(data: bytes) -> _Tables | None:
    """Find the tables of all queries; None if anything is not as it should be."""
    queries: dict[str, int] = {}
    query = ""
    parts, of_query, count = [], [], []
    end = 0
    for begin in START.finditer(data):
        if begin[1] is not None:
            query = begin[1].decode()
            queries.setdefault(query, len(queries))
        head = HEAD.match(data, begin.end())
        if begin.start() < end or not query or (begin[1] is None and head is None):
            return None
        if begin[1] is not None or head is None:
            continue
        end = data.find(b"\n\n", head.end() - 1)
        rows = data[head.end() : end + 1]
        if end < 0:
            return None
        if rows and not rows.startswith(NO_HITS):
            parts.append(rows)
            of_query.append(queries[query])
            count.append(rows.count(b"\n"))
    return _Tables(list(queries), of_query, count, b"".join(parts), end)


def _fast(source: Source, name: str) -> _Found | None:
    """Read the tables of all queries at once; None if anything is not as it should be."""
    data = source.data()
    tables = _tables(data)
    lines = lines_of(tables.rows) if tables and tables.rows else None
    if tables is None or lines is None:
        return None
    numbers = (COLUMNS[name],) if name == "bits" else (COLUMNS[name], COLUMNS["bits"])
    parsed = last_words(lines, 3, numbers)
    if parsed is None or len(parsed.numbers[0]) != sum(tables.n_rows):
        return None
    score = parsed.numbers[0]
    bits = None if name == "bits" else parsed.numbers[1]
    if not fine(name, score, bits):
        return None
    record_id, record = coded(parsed.texts)
    query = np.repeat(np.array(tables.of_query, np.int32), tables.n_rows)
    hits = Hits(source.file, tables.queries, record_id, query, record, score, bits)
    return _Found(hits, whole=END.search(data, tables.end) is not None)


def _slow(source: Source, name: str, problems: Problems) -> _Found:
    """Read line by line, to say which one is wrong."""
    rows = Rows()
    query: str | None = None
    table, whole = False, True
    for number, line in source.lines():
        if table:
            if not line.strip() or line.startswith(NO_HITS):
                table = False
            elif not HEADER.match(line):
                _row(line, number, query, name, problems, rows)
        elif line.startswith(QUERY):
            words = line.split(b":", 1)[1].split()
            query = words[0].decode() if words else None
            if query is None:
                problems.add("BadHeader", number, line, "expected the id of a query, found none")
            else:
                rows.query_id.setdefault(query, len(rows.query_id))
        elif line.startswith(TABLE):
            table, whole = True, False
        elif END.match(line):
            whole = True
        if problems.full:
            break
    problems.raise_any()
    hits = rows.hits(problems.file, "ascending", bits=name != "bits")
    return _Found(hits, whole=whole and not table)


def _row(
    line: bytes, number: int, query: str | None, name: str, problems: Problems, rows: Rows
) -> None:
    cells = [cell.decode() for cell in line.split()]
    if len(cells) < 4 or query is None:
        message = "expected name, score, E-value and number of domains of a query"
        problems.add("BadColumnCount", number, line, message)
        return
    score = problems.score(cells[COLUMNS[name]], number, line, name)
    bits = problems.number(cells[COLUMNS["bits"]], number, line, "score")
    rows.add(query, cells[0], score, bits)
