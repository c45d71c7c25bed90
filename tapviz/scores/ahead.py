"""What scores are at several thresholds, or n, computed at once: in a fraction of the time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from tapviz import measures
from tapviz.lists.reported import NotKeptError
from tapviz.measures import roc
from tapviz.measures._common import Floats, each_per_query, means_defined, ratio
from tapviz.measures.tap import taps, taps_k
from tapviz.scores.case import Case, Memo
from tapviz.scores.table import BY_NAME, Score


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
    score = BY_NAME["tap"]
    cases[0].memo.foresee("tap", [one.depends(score) for one in cases], found)
    if rule.short_lists != "pad":  # by which some have no sentinel
        retrieved = np.stack([one.retrieved for one in found])
        listed = np.stack([one.per_query for one in found])
        _foresee_ties(score, cases, listed, tap=found[0]._replace(retrieved=retrieved))


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
        listed = np.stack([one.per_query for one in own])
        _foresee_ties(BY_NAME["roc_n"], cases, listed, own_roc_n=listed, n=column)
        depends = [one.depends(BY_NAME["pooled_roc_n"]) for one in cases]
        memo.foresee(("pooled_roc_n", "value"), depends, roc.pooled_rocs_n(lists, ns))
        memo.foresee(("pooled_roc_n", "ties"), depends, roc.pooled_brackets(lists, ns))


def _foresee_ties(score: Score, cases: Sequence[Case], listed: Floats, **taken: object) -> None:
    """Have at hand a mean over queries with the worst and the best order of equal scores."""
    if score.reordered is not None:
        lists, depends = cases[0].lists, [one.depends(score) for one in cases]
        ends = measures.query_bracket(partial(score.reordered, **taken), lists, listed)
        low, high = (means_defined(end, lists.weight) for end in ends)
        cases[0].memo.foresee((score.name, "ties"), depends, map(measures.Bracket, low, high))
