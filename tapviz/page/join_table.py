"""What was read from files, as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tapviz.lists import RetrievalLists
from tapviz.lists.words import count
from tapviz.live.templates import render

MAX_DOUBTS = 10


class Cell(NamedTuple):
    """A number of rows, and what they are."""

    text: str
    note: str


class Row(NamedTuple):
    """What became of the rows of an algorithm's file."""

    name: str
    cells: Sequence[Cell]
    span: int


def what_was_read(results: Mapping[str, RetrievalLists], doubts: Sequence[str] = ()) -> str:
    """Table of what became of the rows of each algorithm's file, and what is doubtful.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Lists of each algorithm, with the report of their join where there was one.
    doubts : sequence of str
        What is read all the same.
    """
    reports = {
        name: lists.join_report for name, lists in results.items() if lists.join_report is not None
    }
    lines = {name: report.lines() for name, report in reports.items()}
    longest: list[tuple[str, int, str]] = max(lines.values(), key=len, default=[])
    rows = []
    for name, lists in results.items():
        cells = [Cell(f"{n:,}", note) for _, n, note in lines.get(name, [])]
        span = 1 if name in lines else max(len(longest), 1)
        rows.append(Row(name, cells or [_self_judged(lists)], span))
    return render(
        "join_table.html",
        labels=sorted({report.labels for report in reports.values()}),
        titles=[title for title, *_ in longest],
        rows=rows,
        doubts=doubts[:MAX_DOUBTS],
        n_more=len(doubts) - MAX_DOUBTS,
    )


def _self_judged(lists: RetrievalLists) -> Cell:
    n_relevant = int(lists.relevant.sum())
    counts = f"{count(lists.n_queries, 'list')}, {count(lists.score.size, 'record')}"
    return Cell(f"{counts}, {n_relevant:,} relevant", "the file says itself what is relevant")
