"""What the readers share: strict numbers, a short list of problems, hits from plain rows."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tapviz.labels import MAX_PROBLEMS, Hits, Problem, ReadError, problem

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(r"[+-]?(nan(\(\w*\))?|inf(inity)?)", re.IGNORECASE)


class Problems:
    """The first problems of a file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Problem] = []

    def add(self, code: str, line: int | None, text: str | bytes, message: str) -> None:
        """Note a problem; those after the first 10 are dropped."""
        if not self.full:
            self.found.append(problem(code, self.file, line, text, message))

    @property
    def full(self) -> bool:
        return len(self.found) >= MAX_PROBLEMS

    def raise_any(self) -> None:
        """Raise `ReadError` if there is a problem."""
        if self.found:
            raise ReadError(sorted(self.found, key=lambda p: p.line or 0))

    def number(self, text: str, line: int, row: str | bytes, what: str) -> float:
        """Read a finite number as programs write it: digits, no ``nan``, ``inf`` or ``1_0``.

        A problem is noted, and 0 returned, for anything else.
        """
        text = text.strip(" ")
        if NUMBER.fullmatch(text):
            value = float(text)
            if math.isfinite(value):
                return value
        elif not NOT_FINITE.fullmatch(text):
            self.add("NotANumber", line, row, f"{what}: expected a number, found {text[:40]!r}")
            return 0.0
        self.add("NonFinite", line, row, f"{what}: expected a finite number, found {text[:40]!r}")
        return 0.0

    def evalue(self, text: str, line: int, row: str) -> float:
        """Read an E-value: a number that is not negative."""
        value = self.number(text, line, row, "E-value")
        if value < 0:
            self.add(
                "NegativeEvalue", line, row, f"E-value: expected 0 or more, found {text[:40]!r}"
            )
        return value


def lines(data: bytes, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Yield lines without their ends; a large file is never held as a list of lines."""
    stop = len(data) if end is None else end
    while start < stop:
        at = data.find(b"\n", start, stop)
        at = stop if at < 0 else at
        yield data[start:at]
        start = at + 1


class Rows:
    """Hits gathered row by row."""

    def __init__(self) -> None:
        self.query_id: dict[str, int] = {}
        self.record_id: dict[str, int] = {}
        self.rows: list[tuple[int, int, float, float]] = []

    def add(self, query: str, record: str, evalue: float, bits: float) -> None:
        """Add the hit of a query on a record."""
        self.rows.append(
            (
                self.query_id.setdefault(query, len(self.query_id)),
                self.record_id.setdefault(record, len(self.record_id)),
                evalue,
                bits,
            )
        )

    def hits(self, file: str) -> Hits:
        """All hits so far."""
        query, record, evalue, bits = zip(*self.rows, strict=True) if self.rows else ((),) * 4
        return Hits(
            file=file,
            query_id=list(self.query_id),
            record_id=list(self.record_id),
            query=np.array(query, np.int64),
            record=np.array(record, np.int64),
            score=np.array(evalue, np.float64),
            bits=np.array(bits, np.float64),
        )


def fine(evalue: NDArray[np.float64], bits: NDArray[np.float64]) -> bool:
    """Whether all E-values and bit scores are such as `Problems.number` accepts."""
    return bool(((evalue >= 0) & np.isfinite(evalue) & np.isfinite(bits)).all())


def warn(file: str, message: str) -> None:
    """Warn of something that is read all the same; called one function below a ``read``."""
    warnings.warn(f"{file}: {message}", UserWarning, stacklevel=5)


def warn_if_split(hits: Hits) -> None:
    """Warn if the rows of a query do not stand together: two files in one, or rows sorted."""
    if not hits.query.size:
        return
    starts = np.concatenate([[0], np.flatnonzero(np.diff(hits.query)) + 1])
    first = hits.query[starts]
    unique, count = np.unique(first, return_counts=True)
    if unique.size < first.size:
        name = hits.query_id[unique[count > 1][0]]
        warn(
            hits.file,
            f"the rows of {name} (and of {int((count > 1).sum()) - 1} other queries) do not stand "
            "together; they were merged. If two searches are in this file, separate them",
        )
