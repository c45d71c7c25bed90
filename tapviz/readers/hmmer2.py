"""Reports of HMMER 2: hmmpfam, of which the query is a sequence, and hmmsearch, a profile."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from tapviz.files.limits import TEXT, Budget
from tapviz.files.problems import Problems
from tapviz.files.source import Source
from tapviz.labels import Hits
from tapviz.readers import _lines, _pieces, _table
from tapviz.readers._lines import Match
from tapviz.readers._table import Column, Layout
from tapviz.readers.options import ReadOptions

HMMPFAM, HMMSEARCH = b"hmmpfam - search", b"hmmsearch - search"
BEGIN = re.compile(
    rb"^(?:Query (?:sequence|HMM):[^\S\n]*([^\s]*).*"
    rb"|Scores for (?:sequence family classification|complete sequences).*)(?:\n|\Z)",
    re.MULTILINE,
)
HEAD = re.compile(rb"(?:(?:(?:Model|Sequence) +Description +Score |-----).*(?:\n|\Z))*")
TABLE_END = re.compile(rb"\n(?=[ \t\r\x0b\x0c]*(?:\n|\Z)|\t?\[no hits)")
END = re.compile(rb"^(//|Total sequences searched:)", re.MULTILINE)
COLUMNS = {"evalue": -2, "bits": -3}
EXPECTED = "expected name, score, E-value and number of domains of a query"


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like this format, even with mistakes."""
    first = next((line for line in head if line.strip()), b"")
    if not first.startswith((HMMPFAM, HMMSEARCH)) or any(b"HMMER 3" in line for line in head[:5]):
        return None
    return Match("certain", f"the first line begins with {first[:18].decode('utf-8', 'replace')!r}")


def read(source: Source, options: ReadOptions, problems: Problems) -> Hits:
    """Read the table of scores of each query, and not that of its domains.

    The record is the first word of a row; score, E-value and number of domains are the last
    three, and a description with blanks in it may stand between.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    name = _lines.score_column(COLUMNS, options, problems) or "evalue"
    direction = _lines.direction_of(name, options, problems)
    problems.raise_any()
    layout = Layout(
        texts=(Column("record", 0),),
        numbers=_table.score_columns(name, COLUMNS),
        width=4,
        separator="",
        expected=lambda _: EXPECTED,
    )
    data = source.data()
    queries, spans, whole = _tables(data, problems)
    rows = _table.read_rows(_pieces.pieces_of(data, layout, spans), problems)
    problems.raise_any()
    if not whole:
        _lines.warn_cut_off(problems, "the report of the last query has no end")
    record_id, record = rows.texts(0)
    query = np.repeat(*rows.runs()).astype(np.int32)
    score = rows.numbers(0) if name in COLUMNS else _table.file_order(query)
    hits = Hits(source.file, queries, record_id, query, record, score, direction)
    _lines.warn_if_split(hits, problems)
    return hits


def _tables(data: bytes, problems: Problems) -> tuple[list[str], list[_pieces.Span], bool]:
    """Queries, the rows of each table, and whether the last report has an end."""
    queries: dict[str, int] = {}
    budget = Budget(problems.file)
    query: str | None = None
    spans: list[_pieces.Span] = []
    counted, line, end = 0, 1, 0
    n_tables, ended = 0, True
    while begin := BEGIN.search(data, end):
        line += data.count(b"\n", counted, begin.start())
        counted = begin.start()
        end = begin.end()
        budget.take(3 * TEXT + end - counted, line)
        if begin[1] is not None:
            query = begin[1].decode() or None
            if query is None:
                message = "expected the id of a query, found none"
                problems.add("BadHeader", line, begin[0], message)
            else:
                queries.setdefault(query, len(queries))
            continue
        head = HEAD.match(data, end)
        start = head.end() if head else end
        rule = TABLE_END.search(data, start - 1)
        end = rule.end() if rule else len(data)
        n_tables, ended = n_tables + 1, rule is not None
        if end > start:
            line += data.count(b"\n", counted, start)
            counted = start
            if query is None:
                for number, row in enumerate(data[start:end].splitlines(), line):
                    problems.add("BadColumnCount", number, row, EXPECTED)
            else:
                spans.append(_pieces.span(data, start, end, line, queries[query]))
    whole = ended and (not n_tables or END.search(data, end) is not None)
    return list(queries), spans, whole
