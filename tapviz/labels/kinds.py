"""Which kind of labels a file looks like, by its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Kind = Literal["classes", "pairs", "gold", "totals", "queries"]

NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
ARTICLE = re.compile(r"10\.[0-9]+/\S+")
ID, TOTAL, PAIR, TREC = 1, 2, 3, 4  # columns
GOLD = (2, 3)
FASTA = re.compile(rb">\S+\s+[^\s.]+(\.[^\s.,]+)+(,\S+)?(\s|$)")
"""A header with an id and a class."""


def kind_of(head: Sequence[bytes]) -> Kind | None:
    """Kind of labels that the first lines of a file look like; None if they look like none.

    Parameters
    ----------
    head : sequence of bytes
        The first lines of the file.

    Returns
    -------
    {"classes", "pairs", "gold", "totals", "queries"} or None
        What `ClassTable`, `Qrels.read`, `Qrels.read_gold` or `Inline.read` reads, or a list of
        ids. A guess: a table of two columns may be one or the other.

    Examples
    --------
    >>> from tapviz.labels import kind_of
    >>> kind_of([b"q1 d1 1", b"q1 d2 0"])
    'pairs'
    """
    first = next((line for line in head if line.strip()), b"")
    if first.startswith(b">"):
        return "classes" if FASTA.match(first) else None
    lines = [line.decode("utf-8", "replace") for line in head if not line.startswith(b"#")]
    rows = [line.strip().split("\t") for line in lines if line.strip()]
    words = [" ".join(row).split() for row in rows]
    widths = {len(row) for row in words}
    width = widths.pop() if len(widths) == 1 else 0
    named = not any(NUMBER.fullmatch(row[0]) for row in words)
    if width == ID:
        several = any("," in row[0] for row in words)  # columns of CSV
        return "queries" if named and not several else None
    if width in GOLD and all(ARTICLE.fullmatch(row[0]) for row in words):
        return "gold"
    if width and named and all(WHOLE.fullmatch(row[-1]) for row in words):
        return _with_numbers(words)
    return _classes_or_sets(rows)


def _with_numbers(words: Sequence[Sequence[str]]) -> Kind | None:
    """Kind of rows that end in a whole number."""
    width = len(words[0])
    if width == TOTAL:
        return "totals"
    trec = width == TREC and all(row[1] in ("0", "Q0") for row in words)
    return "pairs" if width == PAIR or trec else None


def _classes_or_sets(rows: Sequence[Sequence[str]]) -> Kind | None:
    """Kind of rows of an id and texts, none of them a number."""
    widths = {len(row) for row in rows}
    if len(widths) != 1 or widths == {ID}:
        return None
    if any(NUMBER.fullmatch(cell.strip()) for row in rows for cell in row[1:]):
        return None
    flat = widths == {TOTAL} and not any("." in row[-1] for row in rows)
    several = len({row[0] for row in rows}) < len(rows)
    return "gold" if flat and several else "classes"
