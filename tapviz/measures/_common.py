"""What several measures share: arrays, arguments checked and worded once, results of each query."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import signature
from types import ModuleType
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.lists import RetrievalLists, all_kept, check_kept

__all__ = ["Cancelled", "OnProgress", "PerQuery", "mean_defined"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
AnyInts = NDArray[np.integer]
Numbers = NDArray[np.number]
Bools = NDArray[np.bool_]
F = TypeVar("F", np.float32, np.float64)
P = ParamSpec("P")
ALONE, LONG = 2**18, 2**28
"""Multiplications of a matrix product up to which BLAS starts no threads, and from which they pay.

Between the two they would wait for more work so busily that they take 20 times as long as the work.
"""
MOST = 1_000_000_000
"""Largest k and n: what they are multiplied with has eight bytes."""


# Arrays


def sum_by_query(query: AnyInts, values: Numbers, n_queries: int) -> Floats:
    """Sum of the values of each query, or each group, shape (Q,); 0 where it has none."""
    # Of no values at all, `bincount` would count whole numbers.
    return np.bincount(query, values, minlength=n_queries).astype(np.float64, copy=False)


def ratio(part: Numbers, whole: Numbers, otherwise: float | Floats = np.nan) -> Floats:
    """Their ratio, and something else where the whole is 0."""
    shape = np.broadcast(part, whole).shape  # sooner than by `broadcast_shapes`
    result = np.full_like(part, otherwise, np.float64, shape=shape)  # in the same order of memory
    np.divide(part, whole, out=result, where=whole > 0)
    return result


def product_of(rows: NDArray[F], columns: NDArray[F]) -> NDArray[F]:
    """Product of two matrices: unless it is long, as many rows at a time as need no threads."""
    some = max(ALONE // max(columns.size, 1), 1)
    step = len(rows) if len(rows) * columns.size > LONG else some
    parts = [rows[start : start + step] @ columns for start in range(0, len(rows), step)]
    return np.concatenate(parts or [rows @ columns])


def weighted_mean(values: Floats, weight: Floats) -> float:
    """Mean over queries; NaN where there are none."""
    total = weight.sum()
    # Not by BLAS, whose sums depend on the number of cores, and whose threads wait for busy ones.
    return float((values * weight).sum() / total) if total > 0 else float("nan")


def mean_defined(values: Floats, weight: Floats) -> float:
    """Weighted mean over the queries whose value is not NaN; NaN if there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import mean_defined
    >>> mean_defined(np.array([1.0, np.nan, 4.0]), np.array([2.0, 1.0, 1.0]))
    2.0
    """
    use = ~np.isnan(values)
    return weighted_mean(values[use], weight[use])


def means_defined(values: Floats, weight: Floats) -> list[float]:
    """That of each row, (P, Q): all at once where every row has the same of them."""
    known = ~np.isnan(values)
    use = known[0]
    if len(values) == 1 or not (known == use).all() or not weight[use].any():
        return [mean_defined(each, weight) for each in values]
    sums = (np.compress(use, values, axis=1) * weight[use]).sum(axis=1)
    means: list[float] = (sums / weight[use].sum()).tolist()
    return means


# Arguments, and what is imported late


def special() -> ModuleType:
    """Distributions of scipy, which take longer to import than all measures together."""
    return import_module("scipy.special")


def refuse(wrong: object, message: str) -> None:
    """ValueError with the message if something is wrong."""
    if wrong:
        raise ValueError(message)


def check_number(name: str, value: float | str, right: object, expected: str) -> None:
    """ValueError unless the number is right, which says what was expected instead."""
    refuse(not right, f"{name} = {value}: expected {expected}")


def check_fraction(name: str, value: float) -> float:
    """A fraction; ValueError if it is not in (0, 1)."""
    right = _is_number(value) and 0 < value < 1
    check_number(name, value, right, "a fraction above 0 and below 1")
    return float(value)


def kept_errors(lists: RetrievalLists, n: int) -> int:
    """A number of errors n, up to which condensed lists have kept all records."""
    check_kept(lists, errors=n)
    return number_of_errors("n", n)


def check_choice(name: str, value: object, *known: str | None) -> None:
    """ValueError unless the value is one of those known, all of which it says."""
    if value not in known:
        *first, last = ("None" if one is None else f'"{one}"' for one in known)
        raise ValueError(f"{name} {value!r}: expected {', '.join(first)} or {last}")


def check_quantile(quantile: float) -> float:
    """A quantile of the queries; ValueError if it is not in (0, 1]."""
    expected = "a fraction of queries, above 0 and at most 1"
    check_number("quantile", quantile, _is_number(quantile) and 0 < quantile <= 1, expected)
    return float(quantile)


def whole_number(name: str, value: float, *, least: int = 1, of: str = "") -> int:
    """The value as an int; ValueError unless it is a whole number of at least `least`."""
    number = _is_number(value)
    right = number and not value % 1 and least <= value <= (MOST if of else math.inf)
    expected = f"{of}, at least {least}" if of else f"of at least {least}"
    expected += f" and at most {MOST:,}" if number and value > MOST else ""
    check_number(name, value, right, f"a whole number {expected}")
    return int(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def number_of_errors(name: str, value: float) -> int:
    """The k of TAP-k or the n of ROC_n; ValueError unless it is a whole number of at least 1."""
    return whole_number(name, value, of="of errors")


# Lists, progress and results


ListsOrArrays = RetrievalLists | tuple[ArrayLike, ArrayLike]
"""Retrieval lists; or a pair of arrays, relevant and score, larger scores first."""


def as_lists(lists_or_arrays: ListsOrArrays) -> RetrievalLists:
    """Retrieval lists of one query from a pair of arrays; lists as they are.

    Parameters
    ----------
    lists_or_arrays : RetrievalLists or (array_like of bool, array_like of float)
        A pair holds, for every record of the database in any order, whether it is relevant
        and its score; the larger, the better. So T and F are known: all relevant and all
        irrelevant records are in the arrays.

    Raises
    ------
    ValueError
        If the arrays differ in length, or hold anything but true or false and finite numbers.
    """
    if isinstance(lists_or_arrays, RetrievalLists):
        return lists_or_arrays
    relevant, score = map(np.asarray, lists_or_arrays)
    expected = "expected retrieval lists or two arrays of one length, relevant and score"
    message = f"{expected}; found shapes {relevant.shape} and {score.shape}"
    refuse(relevant.ndim != 1 or relevant.shape != score.shape, message)
    total = int(np.count_nonzero(relevant))
    return RetrievalLists.from_records(
        np.zeros(score.size, np.int64),
        score,
        relevant,
        n_relevant=[total],
        n_irrelevant=[score.size - total],
        query=["1"],
        direction="descending",
    )


OnProgress = Callable[[int, int], bool | None]
"""Called with what is done and the total; False stops the work."""


class Cancelled(Exception):  # noqa: N818  # nothing is wrong
    """The work was stopped by its `progress`.

    Examples
    --------
    >>> from tapviz import bootstrap, load_results
    >>> from tapviz.measures import Cancelled
    >>> try:
    ...     bootstrap(load_results("profiles"), k=5, progress=lambda done, total: False)
    ... except Cancelled:
    ...     print("stopped")
    stopped
    """


class Progress:
    """How much of a total is done, which is reported at once and whenever there is more.

    Raises
    ------
    Cancelled
        If `progress` returned False.
    """

    def __init__(self, progress: OnProgress | None, total: int) -> None:
        self._progress, self._done, self._total = progress, 0, total
        self.add(0)

    def add(self, done: int) -> None:
        """Report that so much more is done."""
        self._done += done
        if self._progress is not None and self._progress(self._done, self._total) is False:
            raise Cancelled


class PerQuery(NamedTuple):
    """A measure of each query and its mean over queries, with the policy that made them.

    Queries without relevant records, T(q) = 0, are undefined and left out of the mean. All others
    count, those with an empty list as 0; to average as trec_eval does without its option -c, over
    queries with at least one record, take that subset of the lists first.
    """

    value: float
    """Weighted mean over the queries where the measure is defined; NaN if there is none."""
    per_query: Floats
    """NaN where undefined, shape (Q,)."""
    n_queries: int
    """Queries averaged."""
    n_no_relevant: int
    """Queries with T(q) = 0, left out of the mean."""
    n_empty: int
    """Queries with T(q) > 0 and an empty list."""
    ties: str
    """Rule for records of equal score; "" if their order is of no consequence."""
    reason: str
    """Why `value` is NaN; empty otherwise."""


def records_of(lists: RetrievalLists, row: int) -> tuple[Floats, Bools]:
    """Scores of one query's list, and which are those of relevant records."""
    check_kept(lists.subset(np.arange(lists.n_queries) == row), whole=True)
    whole, place = lists.whole, lists.rows[row]
    part = slice(whole.offset[place], whole.offset[place + 1])
    return whole.score[part], whole.relevant[part]


def list_length(lists: RetrievalLists) -> Ints:
    """Records in the list of each query, shape (Q,)."""
    return lists.offset[1:] - lists.offset[:-1]


def undefined(lists: RetrievalLists) -> str:
    """Why a mean over queries with relevant records is undefined; empty if there are some."""
    if not lists.n_queries:
        return "there is no query"
    return "" if lists.n_relevant.any() else "no query has a relevant record"


def per_query(lists: RetrievalLists, values: Floats, ties: str = "") -> PerQuery:
    """The mean of values, (Q,), and what a reader needs to trust it; T(q) = 0 is undefined."""
    return each_per_query(lists, values[None], ties)[0]


def each_per_query(lists: RetrievalLists, values: Floats, ties: str = "") -> list[PerQuery]:
    """That of each row, (P, Q)."""
    some = lists.n_relevant > 0
    values = np.where(some, values, np.nan)
    defined = np.count_nonzero(~np.isnan(values), axis=1).tolist()
    n_empty = int(np.count_nonzero(some & (list_length(lists) == 0)))
    without = lists.n_queries - int(np.count_nonzero(some)), n_empty, ties
    why, means = undefined(lists), means_defined(values, lists.weight)
    return [
        PerQuery(mean, one, n, *without, why or ("" if n else "it is undefined for every query"))
        for mean, one, n in zip(means, values, defined, strict=True)
    ]


def of_whole_lists(
    measure: Callable[Concatenate[RetrievalLists, P], PerQuery],
) -> Callable[Concatenate[RetrievalLists, P], PerQuery]:
    """Take a measure of condensed lists from what was computed before they were cut.

    That was the measure under its usual policies; under others it raises `NotKeptError`. Of the
    first k records only, where it has such a k, it is measured as they are.
    """
    known = signature(measure)
    usual = {p.name: p.default for p in known.parameters.values() if p.default is not p.empty}

    @wraps(measure)
    def wrapper(lists: RetrievalLists, /, *args: P.args, **policies: P.kwargs) -> PerQuery:
        if all_kept(lists):
            return measure(lists, *args, **policies)
        given = known.bind(lists, *args, **policies)
        given.apply_defaults()
        if (records := given.arguments.get("k")) is not None:
            check_kept(lists, records=records)
            return measure(lists, *args, **policies)
        values = None if lists.kept is None else lists.kept.values.get(measure.__name__)
        if values is None or any(given.arguments[name] != one for name, one in usual.items()):
            check_kept(lists, whole=True)
        return per_query(lists, np.asarray(values), str(usual.get("ties", "")))

    return wrapper
