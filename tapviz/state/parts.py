"""The filter of queries: what its settings keep together, and its parts in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import param

from tapviz.files.regex import RegexError
from tapviz.lists import RetrievalLists
from tapviz.state.query_filter import Judged, Selection, clipped, reading_of
from tapviz.state.settings import SETTINGS


class Part(NamedTuple):
    """A part of the filter."""

    words: str
    alone: Mapping[str, Any]
    """The setting that keeps what this part alone keeps; as `select` takes it."""
    without: Mapping[str, Any]
    """The setting that takes it away, and nothing else."""


def filters(chosen: param.Parameterized) -> dict[str, Any]:
    """Settings that filter queries and are not as by default, by their names."""
    values = {name: getattr(chosen, name) for name, one in SETTINGS.items() if one.filters}
    return {name: value for name, value in values.items() if value != SETTINGS[name].default}


def parts(chosen: param.Parameterized, lists: RetrievalLists) -> list[Part]:
    """The parts of a filter that is on.

    Parameters
    ----------
    chosen : param.Parameterized
        Whose choices.
    lists : RetrievalLists
        For the direction of scores.
    """
    found = []
    for name, value in filters(chosen).items():
        one = SETTINGS[name]
        if one.area is None:
            found.append(Part(one.words.format(value), {name: value}, {name: one.default}))
            continue
        for place, area in enumerate(value):
            others = (*value[:place], *value[place + 1 :])
            found.append(Part(area.words(lists), {name: (area,)}, {name: others}))
    return found


def kept(
    results: Mapping[str, RetrievalLists], wanted: Mapping[str, Any]
) -> Mapping[str, RetrievalLists]:
    """Lists of the queries that match a filter, as `select` takes it.

    Raises
    ------
    ValueError
        If none does.
    """
    if not wanted:
        return results
    mask = select(results, wanted).mask
    if not mask.any():
        told = ", ".join(f"{SETTINGS[name].flag} {value}" for name, value in wanted.items())
        msg = f"{told}: no query is left"
        raise ValueError(msg)
    return {name: lists.subset(mask) for name, lists in results.items()}


def select(
    results: Mapping[str, RetrievalLists], wanted: Mapping[str, Any], judged: Judged | None = None
) -> Selection:
    """Queries that match all parts of a filter.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Lists of each algorithm, all with the same queries.
    wanted : mapping of str to object
        Settings that filter queries, by their names.
    judged : callable, optional
        As in `Range.holds`.
    """
    lists, problem = next(iter(results.values())), ""
    mask = np.ones(lists.n_queries, np.bool_)
    for name, value in wanted.items():
        keeps = SETTINGS[name].keeps
        try:
            if keeps is not None:
                mask &= keeps(lists, value)
            else:
                for area in value:
                    mask &= area.holds(results, judged)
        except RegexError as error:
            problem = f"‘{clipped(value.strip())}’ is {error}; it is not applied"
    return Selection(mask, problem, reading_of(wanted.get("query_text", "")))
