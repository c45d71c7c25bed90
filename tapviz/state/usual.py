"""What is chosen at first for some results, and lists that end where a person says."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import all_kept, limit_of, scores_of_all, with_ends
from tapviz.measures import error_threshold, errors_per_query
from tapviz.state.settings import DEFAULT_E0, SETTINGS


def usual_errors(results: Mapping[str, RetrievalLists]) -> dict[str, int]:
    """The usual k and n, or what is kept of lists that were condensed for less."""
    usual = {name: SETTINGS[name].default for name in ("k", "n")}
    condensed = [
        (lists, lists.kept)
        for lists in results.values()
        if lists.kept is not None and not all_kept(lists)
    ]
    most = min((kept.n_errors for _, kept in condensed), default=max(usual.values()))
    usual = {name: min(value, most) for name, value in usual.items()}
    while usual["k"] > 1 and not all(
        lists.sign * error_threshold(lists, k=usual["k"]).e_k <= lists.sign * kept.e_keep
        for lists, kept in condensed
    ):
        usual["k"] -= 1
    return usual


def usual_threshold(results: Mapping[str, RetrievalLists]) -> float:
    """Default E-value where that is among the scores, else the middle of all scores."""
    score = np.concatenate(scores_of_all(results.values()))
    if not score.size:
        return DEFAULT_E0
    direction = next(iter(results.values())).direction
    if direction == "ascending" and score.min() <= DEFAULT_E0 <= score.max():
        return DEFAULT_E0
    return float(np.sort(score)[score.size // 2])


def most_errors(lists: RetrievalLists) -> int:
    """Most errors of any list, as far as they were kept."""
    if lists.kept is not None and not all_kept(lists):
        return lists.kept.n_errors
    return int(errors_per_query(lists, lists.sign * np.inf).max())


def said(results: Mapping[str, RetrievalLists]) -> dict[str, float]:
    """How far programs reported of which somebody has said it."""
    return {
        name: limit_of(lists.reported_to, lists.direction)
        for name, lists in results.items()
        if lists.reported_how == "said"
    }


def ended(
    results: Mapping[str, RetrievalLists], limits: Mapping[str, float]
) -> dict[str, RetrievalLists]:
    """The same lists, of which some end at other limits.

    Raises
    ------
    ValueError
        If there is no such algorithm, a limit is no number, or a record lies beyond it.
    """
    if unknown := limits.keys() - results.keys():
        msg = f"reported_to names {min(unknown)!r}: expected one of {', '.join(map(repr, results))}"
        raise ValueError(msg)
    for name, limit in limits.items():
        if not np.isfinite(limit):
            msg = f"reported_to of {name} is {limit}: expected a number"
            raise ValueError(msg)
    known = said(results)
    return {
        name: lists
        if limits.get(name) in (None, known.get(name))
        else with_ends(lists, limit=limits[name])
        for name, lists in results.items()
    }
