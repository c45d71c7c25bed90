"""TREC runs: query, Q0, document, rank, score, tag; and profmark: E-value, bits, target, query."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from tapviz.files.problems import option
from tapviz.files.source import Source
from tapviz.labels import Hits
from tapviz.readers._lines import (
    RANK,
    Match,
    Problems,
    first_row,
    is_number,
    rows_in,
    score_column,
    scored_by,
    warn_if_split,
)
from tapviz.readers._pieces import pieces
from tapviz.readers._table import Column, Layout, read_rows, score_columns
from tapviz.readers.options import ReadOptions

RUN = Layout(
    texts=(Column("query", 0), Column("document", 2)),
    numbers=(Column("score", 4),),
    width=6,
    separator="",
    expected=lambda row: (
        f"expected 6 columns, query Q0 document rank score tag, found {len(row.split())}"
    ),
)
SCORES = {"evalue": 0, "bits": 1}
PROFMARK = Layout(
    texts=(Column("query", 3), Column("target", 2)),
    numbers=score_columns("evalue", SCORES),
    width=4,
    separator="",
    expected=lambda row: (
        f"expected 4 columns, E-value, bit score, target and query, found {len(row.split())}"
    ),
)


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like a TREC run, even with mistakes."""
    cells = first_row(head).split()
    if 4 < len(cells) < 8 and cells[1].upper() == b"Q0":
        return Match("certain", "the second column is Q0")
    if len(cells) == RUN.width and cells[3].isdigit() and is_number(cells[4]):
        return Match("possible", "6 columns, of which 4 and 5 could be rank and score")
    return None


def recognise_profmark(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like a result of profmark, even with mistakes."""
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


def read(source: Source, options: ReadOptions, problems: Problems) -> Hits:
    """Read a run by its scores, of which large values are better unless `options` says otherwise.

    Ranks and tags are ignored, as trec_eval does; ``score="rank"`` is the order of the file.

    Raises
    ------
    ReadError
        If a row is not as it should be, or a document is twice in a list.
    """
    name = "score"
    if options.score is not None:
        name = score_column({"score": 4}, options, problems) or name
        problems.raise_any()
    hits = _read(source, RUN, problems, ranked=name == RANK)
    warn_if_split(hits, problems)
    _check_pairs(source, hits, problems)
    if name == RANK:
        return hits._replace(direction=options.direction or "ascending")
    if options.direction is None and hits.score.size and hits.score.max() <= 0:
        problems.warn(
            "no score is above 0, and large values are taken to be better; if these are E-values "
            f"or distances, set {option('direction', 'ascending')}"
        )
    return hits._replace(direction=options.direction or "descending")


def read_profmark(source: Source, options: ReadOptions, problems: Problems) -> Hits:
    """Read E-values and bit scores.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    # All lists are merged by score, so that the rows of a query are never contiguous.
    name, direction = scored_by(SCORES, options, problems)
    layout = PROFMARK._replace(numbers=score_columns(name, SCORES))
    return _read(source, layout, problems, ranked=name not in SCORES)._replace(direction=direction)


def _read(source: Source, layout: Layout, problems: Problems, *, ranked: bool) -> Hits:
    rows = read_rows(pieces(source, lambda _: (layout, 0)), problems)
    problems.raise_any()
    return rows.hits(source.file, ranked=ranked)


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
