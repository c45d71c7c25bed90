"""Output of HMMER: --tblout of HMMER3's programs, and the reports of HMMER2's hmmpfam."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from tapviz.labels import Hits
from tapviz.readers._lines import Problems, Rows, fine, lines, warn, warn_if_split

# 18 columns and a description, which has blanks in it. The query is the third column whichever
# program wrote the file: for hmmscan that is the sequence, for hmmsearch the profile.
COLUMNS = 18
RECORD, QUERY, EVALUE, BITS = 0, 2, 4, 5

HMMPFAM = b"hmmpfam - search"


def recognise(head: Sequence[bytes]) -> bool:
    """Whether the first lines of a file look like this format, be it with mistakes."""
    if head[0].startswith(HMMPFAM) or any(
        re.match(rb"# *target name|# +--- full sequence ---|# Program: ", line) for line in head
    ):
        return True
    row = next((line for line in head if line.strip() and not line.startswith(b"#")), b"")
    return len(row.split()) >= COLUMNS and row.count(b"\t") < 7


def read(file: str, data: bytes, direction: str | None = None) -> Hits:  # noqa: ARG001
    """Read full-sequence E-values and bit scores.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    problems = Problems(file)
    if data.startswith(HMMPFAM):
        hits = _hmmpfam(data, problems)
        _warn_if_cut(file, data, "//")
    else:
        hits = _fast(file, data) or _slow(data, problems)
        _warn_if_cut(file, data, "# [ok]")
    warn_if_split(hits)
    return hits


def _warn_if_cut(file: str, data: bytes, last: str) -> None:
    if not data.rstrip().endswith(last.encode()):
        warn(file, f'the file looks cut off: its last line is not "{last}". Run the search again')


def _fast(file: str, data: bytes) -> Hits | None:
    """Read all rows at once; None if anything is not as it should be."""
    try:
        # A separator that is in no line: each line is one cell.
        rows = csv.read_csv(
            pa.BufferReader(data),
            read_options=csv.ReadOptions(column_names=["row"]),
            parse_options=csv.ParseOptions(delimiter="\x01", quote_char=False),
            convert_options=csv.ConvertOptions(column_types={"row": pa.large_string()}),
        )["row"].combine_chunks()
        rows = rows.filter(pc.invert(pc.starts_with(rows, "#")))
        rows = pc.ascii_trim_whitespace(rows)  # else a blank at the end counts as a column
        cells = pc.ascii_split_whitespace(rows, max_splits=COLUMNS)
        first = cells.offsets.to_numpy()
        values = cells.values
        if not len(rows) or np.diff(first).min() < COLUMNS:
            return None
        query = values.take(first[:-1] + QUERY).dictionary_encode()
        record = values.take(first[:-1] + RECORD).dictionary_encode()
        evalue = values.take(first[:-1] + EVALUE).cast(pa.float64()).to_numpy()
        bits = values.take(first[:-1] + BITS).cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        return None
    query_id, record_id = query.dictionary.to_pylist(), record.dictionary.to_pylist()
    if not fine(evalue, bits) or "" in query_id or "" in record_id:
        return None
    return Hits(
        file, query_id, record_id, query.indices.to_numpy(), record.indices.to_numpy(), evalue, bits
    )


def _slow(data: bytes, problems: Problems) -> Hits:
    """Read row by row, to say which row is wrong."""
    rows = Rows()
    for number, line in enumerate(lines(data), 1):
        if not line.strip() or line.startswith(b"#"):
            continue
        row = line.decode()
        cells = [cell.decode() for cell in line.split(None, COLUMNS)]
        if len(cells) < COLUMNS:
            message = (
                f"expected {COLUMNS} columns and a description, found {len(cells)}; write the file "
                "with --tblout"
            )
            problems.add("BadColumnCount", number, row, message)
        else:
            evalue = problems.evalue(cells[EVALUE], number, row)
            bits = problems.number(cells[BITS], number, row, "score")
            rows.add(cells[QUERY], cells[RECORD], evalue, bits)
        if problems.full:
            break
    problems.raise_any()
    return rows.hits(problems.file)


def _hmmpfam(data: bytes, problems: Problems) -> Hits:
    """Read the table of scores of each query in a report of HMMER 2's hmmpfam.

    The model is the first word of a row; score, E-value and number of domains are the last
    three, and a description with blanks in it may stand between.
    """
    rows = Rows()
    query: str | None = None
    table = False
    for number, line in enumerate(lines(data), 1):
        if table:
            cells = line.split()
            if not cells or line.startswith((b"\t[no hits", b"[no hits")):
                table = False
            elif line.startswith((b"Model  ", b"-----")):
                pass
            elif len(cells) < 4 or query is None:
                message = "expected model, score, E-value and number of domains of a query"
                problems.add("BadColumnCount", number, line, message)
            else:
                row = line.decode()
                evalue = problems.evalue(cells[-2].decode(), number, row)
                bits = problems.number(cells[-3].decode(), number, row, "score")
                rows.add(query, cells[0].decode(), evalue, bits)
            if problems.full:
                break
        elif line.startswith(b"Query sequence:"):
            words = line[15:].split()
            query = words[0].decode() if words else None
            if query is None:
                problems.add("BadHeader", number, line, "expected the id of a query, found none")
            else:
                rows.query_id.setdefault(query, len(rows.query_id))
        elif line.startswith(b"Scores for sequence family classification"):
            table = True
    problems.raise_any()
    return rows.hits(problems.file)
