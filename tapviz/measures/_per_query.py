"""The result of a measure that has a value for each query and their mean."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Concatenate, NamedTuple, ParamSpec

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import all_kept, check_kept
from tapviz.measures._ranking import mean_defined

__all__ = ["PerQuery"]

P = ParamSpec("P")


class PerQuery(NamedTuple):
    """A measure of each query and its mean over queries, with the policy that made them.

    Queries without relevant records, T(q) = 0, are undefined and left out of the mean. All others
    count, those with an empty list as 0; to average as trec_eval does without its option -c, over
    queries with at least one record, take that subset of the lists first.
    """

    value: float
    """Weighted mean over the queries where the measure is defined; NaN if there is none."""
    per_query: NDArray[np.float64]
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


def list_length(lists: RetrievalLists) -> NDArray[np.int64]:
    """Records in the list of each query, shape (Q,)."""
    length: NDArray[np.int64] = np.diff(lists.whole.offset)[lists.rows]
    return length


def per_query(lists: RetrievalLists, values: NDArray[np.float64], ties: str = "") -> PerQuery:
    """The mean of values, (Q,), and what a reader needs to trust it; T(q) = 0 is undefined."""
    some = lists.n_relevant > 0
    values = np.where(some, values, np.nan)
    defined = int(np.count_nonzero(~np.isnan(values)))
    n_some = int(np.count_nonzero(some))
    reason = ""
    if not lists.n_queries:
        reason = "there is no query"
    elif not n_some:
        reason = "no query has a relevant record"
    elif not defined:
        reason = "it is undefined for every query"
    return PerQuery(
        value=mean_defined(values, lists.weight),
        per_query=values,
        n_queries=defined,
        n_no_relevant=lists.n_queries - n_some,
        n_empty=int(np.count_nonzero(some & (list_length(lists) == 0))),
        ties=ties,
        reason=reason,
    )


def of_whole_lists(
    measure: Callable[Concatenate[RetrievalLists, P], PerQuery],
) -> Callable[Concatenate[RetrievalLists, P], PerQuery]:
    """Take a measure of condensed lists from what was computed before they were cut.

    That was the measure under its usual policies; under others it raises `NotKeptError`.
    """
    known = signature(measure)
    usual = {
        name: one.default for name, one in known.parameters.items() if one.default is not one.empty
    }

    @wraps(measure)
    def wrapper(lists: RetrievalLists, /, *args: P.args, **policies: P.kwargs) -> PerQuery:
        if all_kept(lists):
            return measure(lists, *args, **policies)
        given = known.bind(lists, *args, **policies)
        given.apply_defaults()
        values = None if lists.kept is None else lists.kept.values.get(measure.__name__)
        if values is None or any(given.arguments[name] != one for name, one in usual.items()):
            check_kept(lists, whole=True)
        return per_query(lists, np.asarray(values), str(usual.get("ties", "")))

    return wrapper
