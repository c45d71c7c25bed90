"""What was read from files, as HTML."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from tapviz.lists import RetrievalLists

MAX_DOUBTS = 10


def what_was_read(results: Mapping[str, RetrievalLists], doubts: Sequence[str] = ()) -> str:
    """Table of what became of the rows of each algorithm's file, and what is doubtful.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Lists of each algorithm, with the report of their join where there was one.
    doubts : sequence of str
        What is read all the same.
    """
    reports = {name: lists.join_report for name, lists in results.items()}
    rows = {name: report.lines() for name, report in reports.items() if report is not None}
    longest: list[tuple[str, int, str]] = max(rows.values(), key=len, default=[])
    parts = [
        _row(
            "td",
            name,
            [f"{count:,}<small>{html.escape(note)}</small>" for _, count, note in rows[name]],
        )
        if name in rows
        else _row("td", name, [_judged_itself(lists)], span=max(len(longest), 1))
        for name, lists in results.items()
    ]
    head = _row("th", "algorithm", [title for title, *_ in longest]) if longest else ""
    labels = {report.labels for report in reports.values() if report is not None}
    said = "".join(f"<p>Relevance by {html.escape(one)}.</p>" for one in sorted(labels))
    notes = "".join(f"<li>{html.escape(doubt)}</li>" for doubt in doubts[:MAX_DOUBTS])
    return (
        f'{said}<div class="scrolled" tabindex="0" role="region" aria-label="what was read">'
        f'<table class="read"><thead>{head}</thead><tbody>{"".join(parts)}</tbody></table></div>'
        + (f'<ul class="doubts">{notes}</ul>' if notes else "")
        + _more(len(doubts) - MAX_DOUBTS)
    )


def _row(cell: str, name: str, cells: Sequence[str], *, span: int = 1) -> str:
    scope = "col" if cell == "th" else "row"
    opening = f'<{cell} colspan="{span}">' if span > 1 else f"<{cell}>"
    inside = "".join(f"{opening}{text}</{cell}>" for text in cells)
    return f'<tr><th scope="{scope}">{html.escape(name)}</th>{inside}</tr>'


def _judged_itself(lists: RetrievalLists) -> str:
    counts = [(lists.n_queries, "list"), (lists.score.size, "record")]
    counted = ", ".join(f"{count:,} {what}{'s' * (count != 1)}" for count, what in counts)
    n_relevant = int(lists.relevant.sum())
    return f"{counted}, {n_relevant:,} relevant<small>the file says itself what is relevant</small>"


def _more(count: int) -> str:
    return f"<p>and {count} more</p>" if count > 0 else ""
