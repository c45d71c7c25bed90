"""TREC runs: query, Q0, document, rank, score, tag; and profmark: E-value, bits, target, query."""

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
    is_number,
    rows_in,
    score_column,
    warn_if_split,
)
from tapviz.readers._table import Gathered, lines_of, without_comments, words


class Layout(NamedTuple):
    """Where the columns of a table are, from 0; what follows is ignored."""

    names: str
    width: int
    query: int
    record: int
    scores: dict[str, int]


RUN = Layout("query Q0 document rank score tag", 6, 0, 2, {"score": 4})
PROFMARK = Layout("E-value, bit score, target and query", 4, 3, 2, {"evalue": 0, "bits": 1})


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like a TREC run, be it with mistakes."""
    cells = next(iter(rows_in(head)), b"").split()
    if 4 < len(cells) < 8 and cells[1].upper() == b"Q0":
        return Match("certain", "the second column is Q0")
    if len(cells) == RUN.width and cells[3].isdigit() and is_number(cells[4]):
        return Match("possible", "6 columns, of which 4 and 5 could be rank and score")
    return None


def recognise_profmark(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like a result of profmark, be it with mistakes."""
    rows = [line.split() for line in rows_in(head)[:20]]
    if not rows or not all(map(_is_profmark, rows)):
        return None
    target, query = rows[0][2:]
    if re.match(rb"decoy[0-9]+$", target) or target.startswith(query + b"/"):
        named = target.decode("utf-8", "replace")
        return Match("certain", f"E-value, bit score, and the target {named!r}")
    return Match(
        "likely" if len(rows) > 1 else "possible", "4 columns: E-value, bit score and two ids"
    )


def _is_profmark(cells: Sequence[bytes]) -> bool:
    if len(cells) != PROFMARK.width or not is_number(cells[0]) or not is_number(cells[1]):
        return False
    return not cells[0].startswith(b"-") and not (is_number(cells[2]) and is_number(cells[3]))


def read(source: Source, options: Options, problems: Problems) -> Hits:
    """Read a run by its scores, of which large ones are good unless `options` say otherwise.

    Ranks and tags are ignored, as trec_eval does.

    Raises
    ------
    ReadError
        If a row is not as it should be, or a document is twice in a list.
    """
    hits = _read(source, RUN, "score", None, problems)
    _check_pairs(source, hits, problems)
    if options.direction is None and hits.score.size and hits.score.max() <= 0:
        problems.warn(
            "no score is above 0, and large ones are taken for good; if they are E-values or "
            'distances, say direction="ascending"'
        )
    return hits._replace(direction=options.direction or "descending")


def read_profmark(source: Source, options: Options, problems: Problems) -> Hits:
    """Read E-values and bit scores.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    name = score_column(PROFMARK.scores, options, problems, None, "") or "evalue"
    direction = direction_of(name, options, problems)
    problems.raise_any()
    bits = None if name == "bits" else PROFMARK.scores["bits"]
    return _read(source, PROFMARK, name, bits, problems, split=True)._replace(direction=direction)


def _read(
    source: Source,
    layout: Layout,
    name: str,
    bits: int | None,
    problems: Problems,
    *,
    split: bool = False,
) -> Hits:
    """Read all rows; `split` is true where all lists are merged by score."""
    hits = _fast(source, layout, name, bits) or _slow(source, layout, name, bits, problems)
    if not split:
        warn_if_split(hits, problems)
    return hits


def _fast(source: Source, layout: Layout, name: str, bits: int | None) -> Hits | None:
    """Read all rows at once; None if anything is not as it should be."""
    columns = (layout.scores[name],) if bits is None else (layout.scores[name], bits)
    gathered = Gathered(2, len(columns))
    for chunk in source.chunks():
        rows = lines_of(chunk)
        if rows is None:
            return None
        if b"#" in chunk:
            rows = without_comments(rows)
        parsed = words(rows, layout.width, (layout.query, layout.record), columns)
        if parsed is None:
            return None
        gathered.add(parsed)
    query_id, query = gathered.texts(0)
    record_id, record = gathered.texts(1)
    score = gathered.numbers(0)
    second = gathered.numbers(1) if bits is not None else None
    if not score.size or not fine(name, score, second):
        return None
    return Hits(source.file, query_id, record_id, query, record, score, second)


def _slow(source: Source, layout: Layout, name: str, bits: int | None, problems: Problems) -> Hits:
    """Read row by row, to say which row is wrong."""
    rows = Rows()
    for number, line in source.lines():
        if not line.strip() or line.startswith(b"#"):
            continue
        row = line.decode()
        cells = [cell.decode() for cell in line.split(None, layout.width)]
        if len(cells) < layout.width:
            message = f"expected {layout.width} columns, {layout.names}, found {len(cells)}"
            problems.add("BadColumnCount", number, row, message)
        else:
            score = problems.score(cells[layout.scores[name]], number, row, name)
            second = 0.0
            if bits is not None:
                second = problems.number(cells[bits], number, row, "bit score")
            rows.add(cells[layout.query], cells[layout.record], score, second)
        if problems.full:
            break
    problems.raise_any()
    return rows.hits(problems.file, "ascending", bits=bits is not None)


def _check_pairs(source: Source, hits: Hits, problems: Problems) -> None:
    """Find documents that are twice in a list."""
    pair = hits.query * np.int64(max(len(hits.record_id), 1)) + hits.record
    _, first = np.unique(pair, return_index=True)
    twice = np.ones(pair.size, np.bool_)
    twice[first] = False
    for row in np.flatnonzero(twice).tolist():
        if problems.full:
            break
        line = source.row(row)
        message = (
            f"document {hits.record_id[hits.record[row]]} is twice in the list of query "
            f"{hits.query_id[hits.query[row]]}; expected each once"
        )
        problems.add("DuplicateTarget", line.number, line.text, message)
    problems.raise_any()
