"""Which queries are selected: those of a text, a class, a range of T(q), boxes and ranges."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures import in_class, influence, nth_irrelevant, sensitivity_to_error, tap
from tapviz.regex import Regex, RegexError

MAX_BOXES = 5
"""Boxes that a link has room for."""
MAX_WORK = 200_000_000
"""Of a search while the page waits, see `Regex`: for 10 s at worst, mostly for a hundredth."""
SHOWN = 80
"""Characters of a text that a message repeats."""


class Box(NamedTuple):
    """The queries whose TAPs with two algorithms lie in a rectangle, ends included.

    The thresholds are those at which the box was drawn, so that it keeps its queries whatever is
    chosen later.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.choices import Box, Choices
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
        try:
            values = json.loads(text, parse_int=float)
        except RecursionError:
            values = None
        if (
            not isinstance(values, list)
            or [type(value) for value in values[:2]] != [str, str]
            or len(values) != len(cls._fields)
            or not all(type(value) is float and np.isfinite(value) for value in values[2:])
        ):
            msg = f"{clipped(text)!r} is not a box"
            raise ValueError(msg)
        return cls(*values)

    def __str__(self) -> str:
        return json.dumps(self, separators=(",", ":"))

    @property
    def algorithms(self) -> tuple[str, str]:
        """The algorithms that it is of."""
        return self.a, self.b

    def holds(self, results: Mapping[str, RetrievalLists]) -> NDArray[np.bool_]:
        """Which queries are in the box, shape (Q,)."""
        a = tap(results[self.a], self.e0_a).per_query
        b = tap(results[self.b], self.e0_b).per_query
        return (self.a_from <= a) & (a <= self.a_to) & (self.b_from <= b) & (b <= self.b_to)


Judged = Callable[[str], Mapping[str, RetrievalLists]]
QUANTITIES = ("error", "lead", "found", "influence", "score")
"""What a range is of: see `Range`."""
COUNTING = ("error", "found", "influence")
"""Those of a number of errors."""


class Range(NamedTuple):
    """The queries of which a quantity lies between two values, ends included.

    The threshold, or k, is that at which the range was drawn, as it is of a `Box`.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.choices import Choices, Range
    >>> choices = Choices(load_results("profiles"))
    >>> choices.ranges = (Range("error", "RPS-BLAST", 20, low=0, high=0.1),)
    >>> choices.selection.everything
    False
    """

    quantity: str
    """"error": the score of the record that is an algorithm's error no. `at`, which is infinitely
    bad where there is none; "lead": its TAP at the threshold `at`, minus that of another; "found":
    the share of the relevant records before its error no. `at`; "influence": by how much, up or
    down, its pooled ROC_n of all queries changes without the query, n = `at`; "score": a score that
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
        try:
            values = json.loads(text, parse_int=float)
        except RecursionError:
            values = None
        if not isinstance(values, list) or list(map(type, values)) != [
            *(str, str, float, float, float, str, float)
        ]:
            msg = f"{clipped(text)!r} is not a range"
            raise ValueError(msg)
        found = cls(*values)
        ends = np.isfinite([found.at, found.at_other]).all() and found.low <= found.high
        whole = found.quantity not in COUNTING or (found.at >= 1 and found.at % 1 == 0)
        if found.quantity not in QUANTITIES or not ends or not whole:
            msg = f"{clipped(text)!r} is not a range"
            raise ValueError(msg)
        return found

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

    def holds(
        self, results: Mapping[str, RetrievalLists], judged: Judged | None = None
    ) -> NDArray[np.bool_]:
        """Which queries are in the range, shape (Q,).

        Parameters
        ----------
        results : mapping of str to RetrievalLists
        judged : callable, optional
            Returns the same results as judged by a standard, by its name.
        """
        if self.standard:
            if judged is None:
                msg = f"{self.standard}: the results are judged by one standard alone"
                raise ValueError(msg)
            other = judged(self.standard)
            value = _of_queries(results[self.algorithm], other[self.algorithm], self._values(other))
        else:
            value = self._values(results)
        inside: NDArray[np.bool_] = (self.low <= value) & (value <= self.high)
        return inside

    def _values(self, results: Mapping[str, RetrievalLists]) -> NDArray[np.float64]:
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
        if self.quantity == "influence":
            return np.abs(influence(lists, n=n).pooled_change)
        score = nth_irrelevant(lists, n=n).score
        return np.where(np.isnan(score), lists.sign * np.inf, score)


def _of_queries(
    lists: RetrievalLists, other: RetrievalLists, values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Values of the queries of other lists for those of these; NaN where there is none."""
    known = dict(zip(other.query.tolist(), values.tolist(), strict=True))
    return np.array([known.get(query, np.nan) for query in lists.query.tolist()], np.float64)


class Selection(NamedTuple):
    """The query subset, and what was wrong with the filter."""

    mask: NDArray[np.bool_]
    """Queries that match, shape (Q,)."""
    problem: str
    """Why a part of the filter was not applied; empty if all was."""
    reading: str
    """How the text was read: "", "text" or "regular expression"."""

    @property
    def n_queries(self) -> int:
        """Queries that match."""
        return int(self.mask.sum())

    @property
    def everything(self) -> bool:
        """Whether no query is left out."""
        return bool(self.mask.all())


def select(
    results: Mapping[str, RetrievalLists],
    *,
    text: str = "",
    within: str = "",
    least: int = 0,
    most: int | None = None,
    boxes: Iterable[Box | Range] = (),
    judged: Judged | None = None,
) -> Selection:
    """Queries that match all parts of a filter.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Lists of each algorithm, all with the same queries.
    text : str
        Text that the id contains, in whatever case; a regular expression if it has a sign that
        is special there, other than those common in ids, "." and "|". See `tapviz.regex.Regex`.
    within : str
        Class: a.1 holds a.1 and a.1.2, not a.10. Ignored where no class is known.
    least, most : int
        Range of T(q), ends included.
    boxes : iterable of Box or Range
    judged : callable, optional
        As in `Range.holds`.
    """
    lists = next(iter(results.values()))
    mask = lists.n_relevant >= least
    if most is not None:
        mask &= lists.n_relevant <= most
    classes = lists.query_class
    if (wanted := within.strip().rstrip(".")) and classes is not None:
        mask &= in_class(classes, wanted)
    for box in boxes:
        mask &= box.holds(results, judged) if isinstance(box, Range) else box.holds(results)
    text, problem, reading = text.strip(), "", ""
    if text:
        reading = "regular expression" if re.search(r"[\^$*+?()\[\]{}\\]", text) else "text"
        pattern = text if reading == "regular expression" else re.escape(text)
        try:
            mask &= Regex(pattern, ignore_case=True, max_work=MAX_WORK).found_in(lists.query)
        except RegexError as error:
            problem = f"‘{clipped(text)}’ is {error}; it is not applied"
    return Selection(mask, problem, reading)


def clipped(text: str) -> str:
    """Beginning of a text, as much as a message repeats of what somebody typed."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def find_ids(ids: NDArray[np.str_], selected: NDArray[np.bool_], text: str) -> list[str]:
    """Ids that contain a text, in whatever case; those selected first."""
    text = text.strip().lower()
    ordered = [*ids[selected].tolist(), *ids[~selected].tolist()]
    return [one for one in ordered if text in one.lower()]


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
