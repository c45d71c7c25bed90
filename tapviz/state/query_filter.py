"""Which queries are selected: those of a text, a class, a range of T(q), boxes and ranges."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files import ReadError, json_of
from tapviz.files.regex import Regex
from tapviz.lists import RetrievalLists
from tapviz.lists.checks import places
from tapviz.lists.words import shortened
from tapviz.measures import in_class, nth_irrelevant, sensitivity_to_error, tap

__all__ = ["MAX_BOXES", "Box", "Range", "Selection"]

MAX_BOXES = 5
"""Boxes that a link has room for."""
MAX_WORK = 200_000_000
"""Of a search while the page waits, see `Regex`: for 10 s at worst, mostly for a hundredth."""
SHOWN = 80
"""Characters of a text that a message repeats."""
SPECIAL = re.compile(r"[\^$*+?()\[\]{}\\]")
"""What makes a text a regular expression: "." and "|" are common in ids."""


Results = Mapping[str, RetrievalLists]
"""Lists of each algorithm, all with the same queries."""
Judging = Mapping[str, Callable[[], Results]]
"""By names of standards of relevance, what returns the same results judged by them."""
Judged = Callable[[str], Results]
"""Returns the results as judged by a standard, by its name."""


class Box(NamedTuple):
    """The queries whose TAPs with two algorithms lie in a rectangle, ends included.

    The thresholds are those at which the box was drawn, so that it keeps its queries whatever is
    chosen later.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.state import Box, Choices
    >>> choices = Choices(load_results("profiles"))
    >>> box = Box(
    ...     "RPS-BLAST", "HMMER3 hmmscan", e0_a=1, e0_b=1, a_from=0, a_to=0.2, b_from=0.5, b_to=1
    ... )
    >>> choices.boxes = (box,)
    >>> choices.selection.everything
    False
    """

    a: str
    b: str
    e0_a: float
    e0_b: float
    a_from: float
    a_to: float
    b_from: float
    b_to: float

    @classmethod
    def read(cls, text: str) -> Box:
        """Read what `str` writes.

        Raises
        ------
        ValueError
            If it is anything else.
        """
        values = _parsed(text, (str, str, *[float] * 6))
        if not values or not np.isfinite(values[2:]).all():
            raise ValueError(f"{clipped(text)!r} is not a box")
        return cls(*values)

    def __str__(self) -> str:
        return json.dumps(self, separators=(",", ":"))

    @property
    def algorithms(self) -> tuple[str, str]:
        """The algorithms that it is of."""
        return self.a, self.b

    @property
    def standard(self) -> str:
        """The standard of relevance that it names: none."""
        return ""

    def words(self, _: RetrievalLists) -> str:
        """The box in words."""
        sides = {self.a: (self.a_from, self.a_to), self.b: (self.b_from, self.b_to)}
        limits = (
            f"{name} {max(low, 0):.2g} to {min(high, 1):.2g}" for name, (low, high) in sides.items()
        )
        return "TAP: " + ", ".join(limits)

    def holds(self, results: Results, _: Judged | None = None) -> NDArray[np.bool_]:
        """Which queries are in the box, shape (Q,)."""
        a = tap(results[self.a], self.e0_a).per_query
        b = tap(results[self.b], self.e0_b).per_query
        return (self.a_from <= a) & (a <= self.a_to) & (self.b_from <= b) & (b <= self.b_to)


QUANTITIES = ("error", "lead", "found", "score")
"""What a range is of: see `Range`."""
COUNTING = ("error", "found")
"""Those of a number of errors."""


class Range(NamedTuple):
    """The queries of which a quantity lies between two values, ends included.

    The threshold, or k, is that at which the range was drawn, as it is of a `Box`.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.state import Choices, Range
    >>> choices = Choices(load_results("profiles"))
    >>> choices.ranges = (Range("error", "RPS-BLAST", 20, low=0, high=0.1),)
    >>> choices.selection.everything
    False
    """

    quantity: str
    """"error": the score of the record that is an algorithm's error no. `at`, which is infinitely
    bad where there is none; "lead": its TAP at the threshold `at`, minus that of another; "found":
    the share of the relevant records before its error no. `at`; "score": a score that
    was given of each query."""
    algorithm: str
    at: float
    low: float
    high: float
    other: str = ""
    """The other algorithm of a lead; the name of a score; the standard by which records found are
    judged, if it is not that of the results."""
    at_other: float = 0.0
    """Its threshold."""

    @classmethod
    def read(cls, text: str) -> Range:
        """Read what `str` writes.

        Raises
        ------
        ValueError
            If it is anything else.
        """
        values = _parsed(text, (str, str, float, float, float, str, float))
        if values and _makes_sense(found := cls(*values)):
            return found
        raise ValueError(f"{clipped(text)!r} is not a range")

    def __str__(self) -> str:
        return json.dumps(self, separators=(",", ":"))

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms that it is of."""
        return (self.algorithm, self.other) if self.quantity == "lead" else (self.algorithm,)

    @property
    def standard(self) -> str:
        """The standard of relevance that it names; empty for that of the results."""
        return self.other if self.quantity == "found" else ""

    def words(self, lists: RetrievalLists) -> str:
        """The range in words, given any lists, for the direction of scores."""
        between = f"{self.low:.3g} to {self.high:.3g}"
        match self.quantity:
            case "error":
                return self._error(lists)
            case "lead":
                return self._lead()
            case "found":
                judged = f" ({self.standard})" if self.standard else ""
                return f"{self.algorithm} finds {between} before error no. {self.at:.0f}{judged}"
        return f"{self.other} of {self.algorithm} {between}"

    def _lead(self) -> str:
        if self.low > 0:
            return f"{self.algorithm} better than {self.other}"
        if self.high < 0:
            return f"{self.other} better than {self.algorithm}"
        return f"{self.algorithm} and {self.other} equal"

    def _error(self, lists: RetrievalLists) -> str:
        what = f"error no. {self.at:.0f} of {self.algorithm}"
        first, last = (self.low, self.high)[:: 1 if lists.direction == "ascending" else -1]
        if abs(first) == np.inf:
            return f"{what}: never" if first == last else f"{what} by {last:.2g}"
        return f"{what} from {first:.2g}" + ("" if abs(last) == np.inf else f" to {last:.2g}")

    def holds(self, results: Results, judged: Judged | None = None) -> NDArray[np.bool_]:
        """Which queries are in the range, shape (Q,).

        Parameters
        ----------
        results : mapping of str to RetrievalLists
        judged : callable, optional
            Returns the same results as judged by a standard, by its name.
        """
        if self.standard:
            if judged is None:
                raise ValueError(f"{self.standard}: the results are judged by one standard alone")
            other = judged(self.standard)
            known, wanted = (of[self.algorithm].query.tolist() for of in (other, results))
            # A query that they do not have is at place -1.
            value = np.append(self._values(other), np.nan)[places(known, wanted)]
        else:
            value = self._values(results)
        inside: NDArray[np.bool_] = (self.low <= value) & (value <= self.high)
        return inside

    def _values(self, results: Results) -> NDArray[np.float64]:
        """The quantity of each query, shape (Q,); NaN where it has none."""
        lists = results[self.algorithm]
        if self.quantity == "lead":
            other = tap(results[self.other], self.at_other).per_query
            return tap(lists, self.at).per_query - other
        if self.quantity == "score":
            return (lists.given or {}).get(self.other, np.full(lists.n_queries, np.nan))
        n = int(self.at)
        if self.quantity == "found":
            return sensitivity_to_error(lists, n=n).per_query
        score = nth_irrelevant(lists, n=n).score
        return np.where(np.isnan(score), lists.sign * np.inf, score)


def _makes_sense(found: Range) -> bool:
    ends = np.isfinite([found.at, found.at_other]).all() and found.low <= found.high
    whole = found.quantity not in COUNTING or (found.at >= 1 and found.at % 1 == 0)
    return bool(found.quantity in QUANTITIES and ends and whole)


def _parsed(text: str, types: Sequence[type]) -> list[Any]:
    """Values of JSON, if they are of these types; numbers are all of one."""
    values: list[Any] = []
    with suppress(ReadError, TypeError):  # one number alone is not a list
        found = json_of(text, "filter", finite=False)
        values = [value * 1.0 if type(value) is int else value for value in found]
    return values if [*map(type, values)] == [*types] else []


Area = Box | Range


class Selection(NamedTuple):
    """The query subset, and what was wrong with the filter.

    Examples
    --------
    >>> from tapviz import Explorer, load_results
    >>> selection = Explorer(load_results("profiles"), query_text="^d1a").selection
    >>> selection.n_queries, selection.everything
    (22, False)
    """

    mask: NDArray[np.bool_]
    """Queries that match, shape (Q,)."""
    problem: str
    """Why a part of the filter was not applied; empty if all was."""

    @property
    def n_queries(self) -> int:
        """Queries that match."""
        return int(self.mask.sum())

    @property
    def everything(self) -> bool:
        """Whether no query is left out."""
        return bool(self.mask.all())


def matches(lists: RetrievalLists, text: str) -> NDArray[np.bool_]:
    """Queries whose id contains a text, in whatever case, shape (Q,).

    It is a regular expression if it has one of the `SPECIAL` signs. See
    `tapviz.files.regex.Regex`, whose errors it raises.
    """
    text = text.strip()
    pattern = text if SPECIAL.search(text) else re.escape(text)
    return Regex(pattern, ignore_case=True, max_work=MAX_WORK).found_in(lists.query)


def in_query_class(lists: RetrievalLists, name: str) -> NDArray[np.bool_]:
    """Queries of a class, shape (Q,): a.1 holds a.1 and a.1.2, not a.10; all, if none is known."""
    wanted, classes = name.strip().rstrip("."), lists.query_class
    if not wanted or classes is None:
        return np.ones(lists.n_queries, np.bool_)
    return in_class(classes, wanted)


def clipped(text: str) -> str:
    """Beginning of a text, as much as a message repeats of what somebody typed."""
    return shortened(text, SHOWN)


def next_row(selected: NDArray[np.bool_], row: int | None, by: int) -> int | None:
    """Row so many places after one, among those selected; round and round.

    Parameters
    ----------
    selected : ndarray of bool, shape (Q,)
    row : int or None
        Where to begin; None for the first, or going backwards the last.
    by : int

    Returns
    -------
    int or None
        None if nothing is selected.
    """
    rows = np.flatnonzero(selected)
    if not rows.size:
        return None
    if row is None:
        return int(rows[0 if by > 0 else -1])
    # One that is left out stands between two that are selected.
    place = int(np.searchsorted(rows, row, side="left"))
    inside = place < rows.size and rows[place] == row
    return int(rows[(place + by - (by > 0 and not inside)) % rows.size])
