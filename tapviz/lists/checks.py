"""Arrays as lists hold them, grades, what was kept; and what must be true of them together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from tapviz.lists.lists import RetrievalLists

Array = TypeVar("Array", bound=NDArray[np.generic])
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Direction = Literal["ascending", "descending"]
ReportedHow = Literal["said", "header", "inferred"]
"""How it is known where a program stopped reporting: somebody, or the file, says so; or its lists
end there."""


KINDS: dict[str, type[np.generic]] = {
    **dict.fromkeys(("score", "weight", "reported_to"), np.float64),
    **dict.fromkeys(("n_relevant", "n_irrelevant"), np.int64),
    **dict.fromkeys(("query", "query_class"), np.str_),
    "relevant": np.bool_,
    "record": np.object_,
}
"""Arrays of lists, and what is in them."""
UNGRADED = -1
"""Grade of a record that nobody judged."""
OF_QUERIES = ("n_relevant", "query", "query_class", "n_irrelevant", "reported_to")
OF_WHOLE = ("direction", "join_report", "class_level", "reported_how", "run")
"""What subsets have of each query, and what they have in common with the whole."""


def check_results(results: Mapping[str, RetrievalLists]) -> None:
    """TypeError unless these are lists by the name of their algorithm; ValueError if there is none.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.lists.checks import check_results
    >>> check_results({"BLASTP": RetrievalLists([1e-9], [1], [0, 1], [1])})
    """
    by_name = isinstance(results, Mapping)
    if not by_name or not all(hasattr(one, "n_queries") for one in results.values()):
        msg = "results: expected lists by the name of their algorithm, as in {'BLASTP': lists}"
        raise TypeError(msg)
    if not results:
        raise ValueError("results: expected at least one algorithm")


def places(ids: Iterable[str], wanted: Iterable[str]) -> NDArray[np.int32]:
    """Place among some ids of each one that is wanted, -1 where it is not there."""
    place = {name: at for at, name in enumerate(ids)}
    return np.array([place.get(name, -1) for name in wanted], np.int32)


def numbered(values: Iterable[Hashable]) -> tuple[list[Any], NDArray[np.int32]]:
    """Distinct values as they appear, and the place there of each."""
    place: dict[Hashable, int] = {}
    codes = np.array([place.setdefault(one, len(place)) for one in values], np.int32)
    return list(place), codes


def retrieved(relevant: Bools, offset: Ints) -> Ints:
    """Relevant records in each list."""
    return np.diff(np.searchsorted(np.flatnonzero(relevant), offset)).astype(np.int64)


def in_runs(start: NDArray[np.integer], length: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Places of runs of values, one behind the other, and where each begins there; and the end."""
    offset = np.concatenate([[0], np.cumsum(length)])
    return np.arange(offset[-1]) + np.repeat(start - offset[:-1], length), offset


def array_of(name: str, values: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
    """Read-only array of one dimension; a copy, where anyone else could write to it."""
    try:
        # As they are, where NumPy would make other values fit.
        array = np.asarray(values, dtype if dtype is np.object_ else None)
        kind, expected = array.dtype.kind, ""
        if isinstance(values, np.ndarray) and np.any(getattr(values, "mask", False)):
            expected = "values, of which none is masked"
        elif dtype is np.float64 and kind in "mM":
            expected = "numbers, not times"
        elif dtype is np.str_ and kind == "O" and None in array.tolist():
            expected = "texts, found None"
        elif dtype is np.bool_ and kind != "b" and not np.isin(array, (0, 1)).all():
            expected = "only true and false, or 1 and 0"
        elif dtype is np.int64 and kind != "i" and not _is_whole(array):
            expected = "whole numbers"
        elif not _is_ours(values, dtype):
            array = np.array(values if dtype is np.str_ else array, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name}: {error}") from None
    if expected:
        raise ValueError(f"{name}: expected {expected}")
    if array.ndim != 1:
        raise ValueError(f"{name}: expected one dimension, found shape {array.shape}")
    return frozen(array)


def _is_whole(array: NDArray[Any]) -> bool:
    """Whether all are whole numbers of 64 bits."""
    numbers = array.astype(np.float64)
    return bool(((numbers == np.rint(numbers)) & (abs(numbers) < 2.0**63)).all())


def _is_ours(values: object, dtype: type[np.generic]) -> bool:
    """Whether no one else can write to an array: it is read-only, and not a view."""
    if not isinstance(values, np.ndarray) or values.dtype != dtype:
        return False
    return values.base is None and not values.flags.writeable


def frozen(array: Array) -> Array:
    """Return the same array, read-only from now on."""
    array.setflags(write=False)
    return array


class Grades(NamedTuple):
    """Grades of relevance, from 0; higher is better."""

    record: NDArray[np.int64]
    """Grade of each record, shape (N,); `UNGRADED` if nobody judged it."""
    total: NDArray[np.int64]
    """Records of the database of each grade from 0, for each query, shape (Q, G + 1)."""


class Kept(NamedTuple):
    """What is known of lists that were condensed: cut where nothing was asked any more."""

    e_keep: float
    """Score up to which all records of all lists were kept."""
    n_errors: int
    """Irrelevant records that were kept at least of each list that has so many."""
    length: Ints
    """Records of each whole list, shape (Q,)."""
    found: Ints
    """Relevant records among them, shape (Q,)."""
    values: Mapping[str, NDArray[np.float64]]
    """Of each query, by the names of the measures that ask for whole lists; each (Q,). And
    "interpolated", precision at each level of recall of `RECALL_GRID`, (Q, G)."""
    graded: bool = False
    """Whether records had grades, which are not kept."""

    def of(self, rows: NDArray[np.int64]) -> Kept:
        """The same of some queries."""
        values = _Rows(self.values, rows)
        length, found = frozen(self.length[rows]), frozen(self.found[rows])
        return self._replace(length=length, found=found, values=values)


class _Rows(Mapping[str, NDArray[np.float64]]):
    """Values of some queries, copied when they are asked for: curves of all of them are large."""

    def __init__(self, values: Mapping[str, NDArray[np.float64]], rows: NDArray[np.int64]) -> None:
        self._values, self._rows = values, rows

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return frozen(self._values[name][self._rows])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[type[dict[str, NDArray[np.float64]]], tuple[object]]:
        """As they are, without the queries that are left out."""
        return dict, (dict(self),)


def check(lists: RetrievalLists) -> None:
    """Raise ValueError if anything is inconsistent; the message names the query and record."""
    offset, score = lists.offset, lists.score
    if lists.direction not in ("ascending", "descending"):
        raise ValueError(f'direction {lists.direction!r}: expected "ascending" or "descending"')
    if lists.reported_how not in (None, *get_args(ReportedHow)):
        msg = f'reported_how {lists.reported_how!r}: expected "said", "header" or "inferred"'
        raise ValueError(msg)
    if not offset.size or offset[0] != 0 or offset[-1] != score.size or (np.diff(offset) < 0).any():
        expected = "Q + 1 numbers that rise from 0 to the number of records"
        raise ValueError(f"offset: expected {expected}, {score.size}")
    n_queries, grades = offset.size - 1, lists.grades
    sizes = {"record": score.size, "query": n_queries}
    for name in ("relevant", "record", "weight", *OF_QUERIES):
        array = getattr(lists, name)
        of = "record" if name in ("relevant", "record") else "query"
        if array is not None and array.size != sizes[of]:
            raise ValueError(f"{name}: expected one per {of}, {sizes[of]}, found {array.size}")
    for name, values in (lists.given or {}).items():
        if values.size != n_queries or np.isinf(values).any():
            raise ValueError(f"{name}: expected a number, or NaN, for each of {n_queries} queries")
    if lists.given is not None and score.size:
        raise ValueError("given: scores of queries are given where there are no records")
    if grades and (grades.record.shape != score.shape or len(grades.total) != n_queries):
        expected = f"one per record, {score.size}, and a row per query, {n_queries}"
        found = f"{grades.record.size} and {len(grades.total)}"
        raise ValueError(f"grades: expected {expected}, found {found}")
    unique, first, count = np.unique(lists.query, return_index=True, return_counts=True)
    if unique.size != lists.query.size:
        twice = int(first[count > 1].min())
        msg = f"query {lists.query[twice]}: the id occurs more than once; query ids must be unique"
        raise ValueError(msg)
    check_weight(lists.weight, lists.query)
    _check_records(lists)


def check_weight(weight: NDArray[np.float64], query: NDArray[np.str_]) -> None:
    """Raise ValueError unless there is a positive finite weight for each query."""
    if weight.size != query.size:
        raise ValueError(f"weight: expected one per query, {query.size}, found {weight.size}")
    if (wrong := ~(np.isfinite(weight) & (weight > 0))).any():
        q = np.argmax(wrong)
        raise ValueError(f"query {query[q]}: weight {weight[q]} is not a positive finite number")


def _check_records(lists: RetrievalLists) -> None:
    offset, score, query = lists.offset, lists.score, lists.query

    def where(record: np.integer) -> str:
        row = int(np.searchsorted(offset, record, side="right")) - 1
        name = "" if lists.record is None else f" ({lists.record[record]})"
        return f"query {query[row]}, record {record - offset[row] + 1}{name}"

    if (wrong := ~np.isfinite(score)).any():
        at = np.argmax(wrong)
        raise ValueError(f"{where(at)}: score {score[at]} is not a finite number")
    falls = score[1:] < score[:-1] if lists.sign == 1 else score[1:] > score[:-1]
    inner = offset[(offset > 0) & (offset < score.size)]
    falls[inner - 1] = False  # between two lists the order is free
    if falls.any():
        at = np.argmax(falls) + 1
        but = f"{lists.direction} lists have the best record first"
        raise ValueError(f"{where(at)}: score {score[at]} comes after {score[at - 1]}, but {but}")
    if (wrong := np.isnan(lists.reported_to)).any():
        raise ValueError(f"query {query[np.argmax(wrong)]}: reported_to is not a number")
    some = np.flatnonzero(np.diff(offset))
    last, ends = offset[some + 1] - 1, lists.reported_to[some]
    if (wrong := lists.sign * score[last] > lists.sign * ends).any():
        at, end = last[wrong][0], ends[wrong][0]
        raise ValueError(f"{where(at)}: score {score[at]} lies beyond reported_to, {end:g}")
    found = retrieved(lists.relevant, offset)
    for what, number, field in (
        ("relevant", found, "n_relevant"),
        ("irrelevant", np.diff(offset) - found, "n_irrelevant"),
    ):
        total = getattr(lists, field)
        if total is not None and (wrong := (total < 0) | (number > total)).any():
            row = np.argmax(wrong)
            told = f"{what} records were retrieved, but {field} says the database has"
            raise ValueError(f"query {query[row]}: {number[row]} {told} {total[row]}")
