"""Scores of each query that were read, rather than computed from lists; and tables of both."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures import mean_defined
from tapviz.scores.case import Case
from tapviz.scores.table import Score

__all__ = ["given_scores"]


def given_scores(lists: RetrievalLists) -> tuple[Score, ...]:
    """Scores that were given of each query; none if there are lists to compute them from.

    Large values are better where lists descend, as they do unless somebody said otherwise.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.scores import given_scores
    >>> lists = RetrievalLists([], [], [0, 0, 0], [0, 0], given={"FAM": [0.5, 1.0]})
    >>> [(one.name, one.measure(lists)) for one in given_scores(lists)]
    [('FAM', 0.75)]
    """
    descending = lists.direction == "descending"
    return tuple(_score(name, higher_is_better=descending) for name in lists.given or ())


@cache  # a score is the same one wherever it is asked for
def _score(name: str, *, higher_is_better: bool) -> Score:
    return Score(
        name=name,
        title=name.replace("{", "{{").replace("}", "}}"),
        measure=partial(_mean, name),
        per_query=partial(_given, name),
        interval_shown=True,
        higher_is_better=higher_is_better,
        range=None,
        description=f"{name} of each query, as it was read; the mean over the queries.",
    )


def _given(name: str, lists: RetrievalLists) -> NDArray[np.float64]:
    return (lists.given or {})[name]


def _mean(name: str, lists: RetrievalLists) -> float:
    return mean_defined(_given(name, lists), lists.weight)


def per_query_columns(
    cases: Mapping[str, Mapping[str, Case]], scores: Mapping[str, Score]
) -> dict[str, list[Any]]:
    """A row for each query of each algorithm, with all scores that each query has by itself.

    TAP at E_k is that at E_k of all queries: its mean is the same, and its interval that with a
    fixed threshold.

    Parameters
    ----------
    cases : mapping of str to mapping of str to Case
        By the title of a score and then by algorithm, all of the same algorithms.
    scores : mapping of str to Score
        By title.

    Returns
    -------
    dict of str to list
        "query", "algorithm", "weight" and "n_relevant"; "class" and "class_level", to which
        relevance was judged, where they are known; and a column for each score, NaN where it is
        undefined.
    """
    algorithms = next(iter(cases.values()))
    repeated = [case.lists for case in algorithms.values()]
    columns: dict[str, list[Any]] = {
        "query": [one for lists in repeated for one in lists.query.tolist()],
        "algorithm": [name for name, case in algorithms.items() for _ in case.lists.query],
        "weight": [one for lists in repeated for one in lists.weight.tolist()],
        "n_relevant": [one for lists in repeated for one in lists.n_relevant.tolist()],
    }
    first = repeated[0]
    if first.query_class is not None:
        columns["class"] = first.query_class.tolist() * len(repeated)
        if first.class_level:
            columns["class_level"] = [first.class_level] * len(columns["query"])
    for title, score in scores.items():
        own = [case.per_query(score) for case in cases[title].values()]
        known = [one for one in own if one is not None]
        if len(known) == len(own):
            columns[title] = [value for one in known for value in one.tolist()]
    return columns
