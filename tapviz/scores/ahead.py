"""What scores are at several thresholds, or n, computed at once: in a fraction of the time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from tapviz import measures
from tapviz.lists import RetrievalLists
from tapviz.lists.reported import NotKeptError
from tapviz.measures import roc
from tapviz.measures._common import Floats, Ints, each_per_query, means_defined, ratio
from tapviz.measures.tap import tap_reordered, taps, taps_k
from tapviz.scores.case import Case, Memo
from tapviz.scores.table import BY_NAME


def foresee_thresholds(cases: Sequence[Case]) -> None:
    """Have at hand TAP of cases that differ in k alone, or in E_0, from strict to loose.

    And the same with the records of equal score in the worst and in the best order.
    """
    lists, rule = cases[0].lists, cases[0].rule
    if rule.k is None:
        thresholds = [one.rule.e0 for one in cases if one.rule.e0 is not None]
        found = taps(lists, thresholds, no_relevant=rule.no_relevant)
    else:
        ks = [one.rule.k for one in cases if one.rule.k is not None]
        how = {"quantile": rule.quantile}
        found = taps_k(lists, ks, rule.short_lists, how, no_relevant=rule.no_relevant)
    asked = [one.tap_asked for one in cases]
    keys = [Memo.key(lists, *args, **options) for _, args, options in asked]
    cases[0].memo.foresee(asked[0][0], keys, found)
    some = [place for place, one in enumerate(found) if not one.too_short]
    if some:
        retrieved = np.stack([found[place].retrieved for place in some])
        together = found[some[0]]._replace(retrieved=retrieved)
        listed = np.stack([found[place].per_query for place in some])
        again = partial(tap_reordered, tap=together)
        _foresee_ties("tap", [cases[place] for place in some], again, listed)


def foresee_n(cases: Sequence[Case]) -> None:
    """Have at hand scores of cases that differ in n alone, and sensitivities to error n."""
    lists, memo, ns = cases[0].lists, cases[0].memo, [one.n for one in cases]
    keys, column = [Memo.key(lists, n=n) for n in ns], np.array(ns)[:, None]
    with suppress(NotKeptError):
        found = roc.found_at(lists, column, "listed")
        sensitivity = each_per_query(lists, ratio(found, lists.n_relevant), "listed")
        memo.foresee(measures.sensitivity_to_error, keys, sensitivity)
        own = each_per_query(lists, roc.roc_n_of_queries(lists, column, ties="block"), "block")
        memo.foresee(measures.roc_n, keys, own)
        again = partial(_listed_roc_n, n=column)
        _foresee_ties("roc_n", cases, again, np.stack([one.per_query for one in own]))
        depends = [one.depends(BY_NAME["pooled_roc_n"]) for one in cases]
        memo.foresee(("pooled_roc_n", "value"), depends, roc.pooled_rocs_n(lists, ns))
        memo.foresee(("pooled_roc_n", "ties"), depends, roc.pooled_brackets(lists, ns))


def _listed_roc_n(lists: RetrievalLists, _: Ints, n: Ints) -> Floats:
    return roc.roc_n_of_queries(lists, n, ties="listed")


def _foresee_ties(
    score: str,
    cases: Sequence[Case],
    measure: Callable[[RetrievalLists, Ints], Floats],
    listed: Floats,
) -> None:
    """Have at hand a mean over queries with the worst and the best order of equal scores."""
    lists, depends = cases[0].lists, [one.depends(BY_NAME[score]) for one in cases]
    ends = measures.query_bracket(measure, lists, listed)
    low, high = (means_defined(end, lists.weight) for end in ends)
    cases[0].memo.foresee((score, "ties"), depends, map(measures.Bracket, low, high))
