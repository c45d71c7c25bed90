"""Tabular output of BLAST (-outfmt 6 and 7), DIAMOND, MMseqs2 and FASTA (-m 8 and -m 8C)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import csv

from tapviz.labels import Hits
from tapviz.readers._lines import Problems, Rows, fine, lines, warn, warn_if_split

CONVERGED = b"Search has CONVERGED!"
COMMENT = re.compile(
    rb"# (\S*(BLAST|FASTA|SSEARCH|DIAMOND|fast\w+36|search36)"
    rb"|(Query|Fields|Database|Iteration):)"
)

# The names of columns, as the `# Fields:` lines of the programs write them.
QUERY = {"query id", "query acc.ver", "query acc.", "query", "qseqid"}
RECORD = {
    "subject id",
    "subject acc.ver",
    "subject acc.",
    "subject ids",
    "target id",
    "target",
    "sseqid",
}
EVALUE = {"evalue", "e-value", "expected value"}
BITS = {"bit score", "bits", "bitscore"}


class Columns(NamedTuple):
    """How many columns a row has, and which of them (from 0) are read."""

    width: int = 12
    query: int = 0
    record: int = 1
    evalue: int = 10
    bits: int | None = 11


class Block(NamedTuple):
    """The rows below one head of comments."""

    query: str  # "" where the comments name none
    iteration: bool
    announced: int | None
    line: int
    spans: list[tuple[int, int]]  # of the bytes of the rows


def recognise(head: Sequence[bytes]) -> bool:
    """Whether the first lines of a file look like this format, be it with mistakes."""
    if any(COMMENT.match(line) for line in head):
        return True
    row = next((line for line in head if line.strip() and not line.startswith(b"#")), b"")
    if row.count(b"\t") >= 7:
        return True
    return 11 <= len(row.split()) <= 13 and re.fullmatch(rb"[0-9.]+", row.split()[2]) is not None


def read(file: str, data: bytes, direction: str | None = None) -> Hits:  # noqa: ARG001
    """Read rows of 12 columns, or those that ``# Fields:`` names.

    Of the iterations of PSI-BLAST the last one of each query is read. A query whose comments
    say that it has no hits is a query without hits.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    problems = Problems(file)
    columns = Columns()
    blocks = [Block("", False, None, 1, [(0, len(data))])]
    if data.startswith(b"#") or b"\n#" in data:
        blocks, columns = _blocks(data, problems)
        problems.raise_any()
        if any(block.iteration for block in blocks):
            blocks = list({block.query: block for block in blocks}.values())
        _warn_if_cut(file, data, blocks)
    spans = [span for block in blocks for span in block.spans]
    hits = _fast(file, data, spans, columns) or _slow(data, spans, columns, problems)
    warn_if_split(hits)
    named = set(hits.query_id)
    empty = dict.fromkeys(b.query for b in blocks if b.query and not b.spans)
    return hits._replace(query_id=hits.query_id + [query for query in empty if query not in named])


def _fast(file: str, data: bytes, spans: list[tuple[int, int]], columns: Columns) -> Hits | None:
    """Read all rows at once; None if anything is not as it should be."""
    if not spans:
        return None
    whole = spans == [(0, len(data))]
    rows = data if whole else b"\n".join(data[start:end] for start, end in spans)
    names = [str(column) for column in range(columns.width)]
    text = pa.dictionary(pa.int32(), pa.string())
    types = {names[columns.query]: text, names[columns.record]: text}
    types[names[columns.evalue]] = pa.float64()
    if columns.bits is not None:
        types[names[columns.bits]] = pa.float64()
    try:
        table = csv.read_csv(
            pa.BufferReader(rows),
            read_options=csv.ReadOptions(column_names=names, block_size=1 << 22),
            parse_options=csv.ParseOptions(delimiter="\t", quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=[]
            ),
        )
    except pa.ArrowInvalid:
        return None
    table = table.unify_dictionaries().combine_chunks()

    def ids(column: int) -> tuple[list[str], np.ndarray]:
        coded = table[names[column]].combine_chunks()
        if isinstance(coded, pa.ChunkedArray):
            coded = coded.chunk(0)
        return coded.dictionary.to_pylist(), coded.indices.to_numpy()

    query_id, query = ids(columns.query)
    record_id, record = ids(columns.record)
    evalue = table[names[columns.evalue]].to_numpy()
    bits = np.zeros_like(evalue)
    if columns.bits is not None:
        bits = table[names[columns.bits]].to_numpy()
    if not fine(evalue, bits) or "" in query_id or "" in record_id:
        return None
    return Hits(file, query_id, record_id, query, record, evalue, bits)


def _slow(data: bytes, spans: list[tuple[int, int]], columns: Columns, problems: Problems) -> Hits:
    """Read row by row, to say which row is wrong."""
    rows = Rows()
    for number, line in _numbered(data, spans):
        if not line.strip():
            continue
        row = line.decode()
        cells = row.split("\t")
        if len(cells) != columns.width:
            problems.add("BadColumnCount", number, row, _column_advice(row, len(cells), columns))
        else:
            query, record = cells[columns.query], cells[columns.record]
            if not query or not record:
                message = "expected an id of the query and one of the record, found an empty one"
                problems.add("BadColumnCount", number, row, message)
            evalue = problems.evalue(cells[columns.evalue], number, row)
            bits = 0.0
            if columns.bits is not None:
                bits = problems.number(cells[columns.bits], number, row, "bit score")
            rows.add(query, record, evalue, bits)
        if problems.full:
            break
    problems.raise_any()
    return rows.hits(problems.file)


def _column_advice(row: str, found: int, columns: Columns) -> str:
    message = f"expected {columns.width} columns separated by tabs, found {found}"
    if row.encode() == CONVERGED:
        return (
            "this is PSI-BLAST without comments, in which nobody can tell one iteration from "
            "the next; write the file with -outfmt 7"
        )
    if found == 1 and len(row.split()) > 7:
        return f"{message}; the file looks separated by spaces, write tabs as the programs do"
    if found != columns.width and columns == Columns():
        return f"{message}; write -outfmt 6 (or -m 8) without a list of columns of your own"
    return message


def _numbered(data: bytes, spans: list[tuple[int, int]]) -> Iterator[tuple[int, bytes]]:
    number, at = 1, 0
    for start, end in sorted(spans):
        number += data.count(b"\n", at, start)
        for line in lines(data, start, end):
            yield number, line
            number += 1
        at = end + 1  # the end of the last line is counted


def _blocks(data: bytes, problems: Problems) -> tuple[list[Block], Columns]:
    """Read the comments of -outfmt 7: a block per query, or per iteration of a query."""
    blocks: list[Block] = []
    columns: Columns | None = None
    iteration = False
    start = number = 0  # where the rows since the last comment begin, and the lines before
    at = 0 if data.startswith(b"#") else data.find(b"\n#") + 1
    counted = 0
    while True:
        comment = at < len(data)
        span = _rows_of(data, start, at)
        if span:
            if not blocks:
                blocks.append(Block("", False, None, 1, []))
            blocks[-1].spans.append(span)
        if not comment:
            break
        number += data.count(b"\n", counted, at)
        counted = at
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = data[at:end].decode()
        key, _, value = line.removeprefix("#").strip().partition(":")
        if key == "Iteration":
            iteration = True
        elif key == "Query":
            name = value.split()[0] if value.split() else ""
            blocks.append(Block(name, iteration, None, number + 1, []))
            iteration = False
        elif key == "Fields":
            found = _columns(value, line, number + 1, problems)
            if found and columns and found != columns:
                message = "other columns than before in this file; keep one kind of table per file"
                problems.add("BadHeader", number + 1, line, message)
            columns = found or columns
        elif (announced := re.fullmatch(r"# ([0-9]{1,18}) hits? found", line)) and blocks:
            blocks[-1] = blocks[-1]._replace(announced=int(announced[1]))
        start = end + 1
        at = start if data.startswith(b"#", start) else data.find(b"\n#", start) + 1
        at = at or len(data)
    return blocks, columns or Columns()


def _rows_of(data: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Span of the rows between two comments, without PSI-BLAST's last words."""
    while end > start and data[end - 1] == 10:
        end -= 1
    while start < end and data[start] == 10:
        start += 1
    if data.endswith(CONVERGED, start, end):
        return _rows_of(data, start, end - len(CONVERGED))
    return (start, end) if end > start else None


def _columns(value: str, line: str, number: int, problems: Problems) -> Columns | None:
    names = [name.strip().lower() for name in value.split(",")]

    def place(known: set[str]) -> int | None:
        return next((at for at, name in enumerate(names) if name in known), None)

    query, record, evalue = place(QUERY), place(RECORD), place(EVALUE)
    for what, at in (("query id", query), ("subject id", record), ("evalue", evalue)):
        if at is None:
            message = f"expected a column {what!r}; write -outfmt 7 without a list of columns"
            problems.add("MissingColumn", number, line, message)
    if query is None or record is None or evalue is None:
        return None
    return Columns(len(names), query, record, evalue, place(BITS))


def _warn_if_cut(file: str, data: bytes, blocks: list[Block]) -> None:
    signs = []
    for block in blocks:
        found = sum(data.count(b"\n", start, end) + 1 for start, end in block.spans)
        if block.announced is not None and found < block.announced:
            signs.append(
                f"query {block.query} (line {block.line}) announces {block.announced} hits and "
                f"{found} are there"
            )
            break
    tail = data[-400:]
    if re.search(rb"^# (\S*BLAST|FASTA|SSEARCH)\S* [0-9]", data[:400], re.MULTILINE) and (
        any(block.announced is not None for block in blocks)
        and not re.search(rb"^# \S+ processed [0-9]+ quer", tail, re.MULTILINE)
    ):
        signs.append('there is no last line "# BLAST processed ... queries"')
    if signs:
        warn(file, f"the file looks cut off: {'; '.join(signs)}. Run the search again")
