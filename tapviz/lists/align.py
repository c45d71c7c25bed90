"""The same queries in the same order for all algorithms."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tapviz.lists.checks import OF_WHOLE, Floats, Ints, Kept, frozen, places
from tapviz.lists.lists import RetrievalLists
from tapviz.lists.reported import limit_of

Kind = TypeVar("Kind", bound=np.generic)
Rows = Mapping[str, NDArray[np.int32]]
"""By algorithm, the place of each of its queries among all."""


def align(results: Mapping[str, RetrievalLists]) -> dict[str, RetrievalLists]:
    """Give all algorithms the same queries in the same order.

    A program that found nothing for a query leaves no row for it: a query that one algorithm
    has and another has not becomes an empty list of the other. Lists that already agree are
    returned as they are.

    Raises
    ------
    ValueError
        If two algorithms differ on T(q) or the weight of a query, or on the direction of scores.

    Examples
    --------
    >>> from tapviz import RetrievalLists, align
    >>> lists = RetrievalLists([1e-9, 0.5, 2.0], [1, 0, 1], [0, 2, 3], [2, 1], query=["a", "b"])
    >>> other = RetrievalLists([1.0], [1], [0, 1], [4], query=["c"])
    >>> {name: one.query.tolist() for name, one in align({"one": lists, "other": other}).items()}
    {'one': ['a', 'b', 'c'], 'other': ['a', 'b', 'c']}
    """
    for name, lists in results.items():
        other, first = next(iter(results.items()))
        if lists.direction != first.direction:
            differ = f"{other} has {first.direction} scores and {name} {lists.direction} ones"
            raise ValueError(f"{differ}: no threshold is common to both; load them separately")
    queries = list(dict.fromkeys(q for one in results.values() for q in one.query.tolist()))
    n_queries = len(queries)
    alike = {name: one.query.tolist() == queries for name, one in results.items()}
    in_order = np.arange(n_queries, dtype=np.int32)
    rows = {
        name: in_order if alike[name] else places(queries, one.query.tolist())
        for name, one in results.items()
    }
    common = partial(_common, results, rows, n_queries)
    same: dict[str, Any] = {"query": queries}
    same["n_relevant"] = common("n_relevant", "relevant records in the database, T(q)")
    same["weight"] = common("weight", "as its weight")
    if all(one.n_irrelevant is not None for one in results.values()):
        same["n_irrelevant"] = common("n_irrelevant", "irrelevant records in the database, F(q)")
    total = _totals(results, rows, n_queries)
    query_class = np.full(n_queries, "", np.object_)
    for name, lists in results.items():
        if lists.query_class is not None:
            query_class[rows[name]] = lists.query_class
    if query_class.any():
        same["query_class"] = query_class
    aligned = {**results}
    for name, lists in results.items():
        at, ends, given, grades = rows[name], lists.reported_to, lists.given, lists.grades
        if not alike[name]:
            whole = {field: getattr(lists, field) for field in OF_WHOLE}
            if lists.join_report is not None:
                whole["join_report"] = lists.join_report.with_empty(n_queries - lists.n_queries)
            aligned[name] = RetrievalLists.from_records(
                np.repeat(at, np.diff(lists.offset)),
                lists.score,
                lists.relevant,
                record=lists.record,
                # A query without a row was searched as far as any.
                reported_to=_placed(ends, at, n_queries, limit_of(ends, lists.direction)),
                grades=None if total is None else grades and grades._replace(total=total),
                kept=lists.kept and _kept(lists.kept, at, n_queries),
                given=given
                and {score: _placed(of, at, n_queries, np.nan) for score, of in given.items()},
                **whole,
                **same,
            )
    return aligned


def _placed(values: NDArray[Kind], rows: NDArray[np.int32], n: int, fill: float) -> NDArray[Kind]:
    """Values of n queries from those of some, in another order."""
    found = np.full((n, *values.shape[1:]), fill, values.dtype)
    found[rows] = values
    return frozen(found)


def _totals(results: Mapping[str, RetrievalLists], rows: Rows, n_queries: int) -> Ints | None:
    """Records of each grade of each query, if all algorithms know them, shape (Q, G + 1)."""
    known = {name: one.grades.total for name, one in results.items() if one.grades is not None}
    if not known or len(known) < len(results):
        return None
    total = np.zeros((n_queries, max(one.shape[1] for one in known.values())), np.int64)
    for name, own in known.items():
        total[rows[name], : own.shape[1]] = own
    return total


def _kept(kept: Kept, rows: NDArray[np.int32], n: int) -> Kept:
    """What is known of condensed lists, in another order; of a query without a row it is 0."""
    return kept._replace(
        length=_placed(kept.length, rows, n, 0),
        found=_placed(kept.found, rows, n, 0),
        values={name: _placed(each, rows, n, 0) for name, each in kept.values.items()},
    )


def _common(
    results: Mapping[str, RetrievalLists], rows: Rows, n_queries: int, field: str, meaning: str
) -> Floats | Ints:
    """Value of a field of each query, on which all algorithms that have the query must agree."""
    fields = [getattr(lists, field) for lists in results.values()]
    values = np.zeros(n_queries, np.result_type(*fields) if fields else np.float64)
    names, whose = [*results], np.full(n_queries, -1)
    for place, (name, own) in enumerate(zip(names, fields, strict=True)):
        at = rows[name]
        new = whose[at] < 0
        values[at[new]], whose[at[new]] = own[new], place
        if (unlike := np.flatnonzero(values[at] != own)).size:
            row = unlike[0]
            value, other = values[at[row]], names[whose[at[row]]]
            differ = f"{other} has {value:g} {meaning}, {name} has {own[row]:g}"
            remedy = "a query must be the same for all algorithms: use the same labels for all"
            raise ValueError(f"query {results[name].query[row]}: {differ}; {remedy}")
    return values
