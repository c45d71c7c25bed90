"""Values as outputs of the cells of a notebook: small tables, in which no text is markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import numpy as np

MOST, ROWS = 80, 5
"""Characters of a text, and rows of a long table."""


def in_words(value: Any) -> str:
    """A value in few words, however long it is.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.lists.cells import in_words
    >>> in_words(0.36651742), in_words(None), in_words((1, 2.5)), in_words({"tap": 0.5})
    ('0.3665', '', '1, 2.5', 'tap 0.5')
    >>> in_words(np.array([0.25, np.nan, 1.0]))
    '3 numbers from 0.25 to 1, 1 of them undefined'
    """
    if isinstance(value, float | np.floating):
        return f"{value:,.4g}"
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
        known = value[~np.isnan(value)]
        words = f"{' × '.join(f'{size:,}' for size in value.shape)} numbers"
        words += f" from {known.min():,.4g} to {known.max():,.4g}" if known.size else ""
        undefined = value.size - known.size
        return words + (f", {undefined:,} of them undefined" if undefined else "")
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        text = ", ".join(f"{name} {in_words(one)}" for name, one in [*value.items()][:MOST])
    elif isinstance(value, list | tuple | np.ndarray):
        text = ", ".join(in_words(one) for one in value[:MOST])
    else:
        text = "" if value is None else str(value)
    return text if len(text) <= MOST else f"{text[: MOST - 4]} ..."


def table(caption: str, rows: Iterable[Iterable[object]], head: Iterable[str] = ()) -> str:
    """HTML of a table; the first of each row is its name.

    Examples
    --------
    >>> from tapviz.lists.cells import table
    >>> table("A & B", [["tap", 0.25]])
    '<table><caption>A &amp; B</caption><tr><th>tap</th><td>0.25</td></tr></table>'
    """
    titles = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = [f"<tr>{titles}</tr>"] if titles else []
    for name, *cells in rows:
        values = "".join(f"<td>{escape(in_words(cell))}</td>" for cell in cells)
        lines.append(f"<tr><th>{escape(in_words(name))}</th>{values}</tr>")
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


def record_html(record: Any) -> str:
    """A result with names of its parts, such as a `Tap`, as the output of a cell."""
    return table(type(record).__name__, zip(record._fields, record, strict=True))


def lists_html(lists: Any) -> str:
    """The first retrieval lists of an algorithm, as the output of a cell."""
    shown = range(min(ROWS, lists.n_queries))
    columns = {"query": lists.query[:ROWS]}
    if lists.query_class is not None:
        columns["class"] = lists.query_class[:ROWS]
    columns["T(q)"] = lists.n_relevant[:ROWS]
    if lists.kept is None:  # all records are there
        ends = lists.offset
        columns["retrieved"] = np.diff(ends)[:ROWS]
        columns["relevant"] = [int(lists.relevant[ends[q] : ends[q + 1]].sum()) for q in shown]
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    rows += [["...", *[""] * (len(columns) - 1)]] * (lists.n_queries > ROWS)
    return table(repr(lists).strip("<>"), rows, columns)
