"""Tables as CSV that a spreadsheet opens without running what is written in names and ids."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV; an apostrophe goes before a text that a spreadsheet would take for a formula.

    Numbers, also those that are given as text, are as they are.

    Examples
    --------
    >>> from tapviz.lists.spreadsheet import as_csv
    >>> print(as_csv([["record", "change"], ["=1+1", -0.5], ["a,b", "-3"]]), end="")
    record,change
    '=1+1,-0.5
    "a,b",-3
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue()


def _harmless(cell: object) -> object:
    if not isinstance(cell, str) or NUMBER.fullmatch(cell):
        return cell
    guard = "'" if FORMULA.match(cell) else ""
    return guard + cell.replace("\r", " ")  # which else would begin a row
