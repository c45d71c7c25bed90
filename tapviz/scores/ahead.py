"""What scores are at several thresholds, or n, computed at once: in a fraction of the time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from tapviz import measures
from tapviz.lists.checks import Floats
from tapviz.lists.reported import NotKeptError
from tapviz.measures import roc
from tapviz.measures._common import means_defined
from tapviz.measures.tap import taps, taps_k
from tapviz.scores.case import Case, Memo
from tapviz.scores.table import BY_NAME, Score


def foresee_thresholds(cases: Sequence[Case]) -> None:
    """Have at hand what scores of cases take that differ in k alone, or in E_0; the strictest first.

    It is TAP, and TAP with the records of equal score in the worst and in the best order.
    """
    lists, memo, rule = cases[0].lists, cases[0].memo, cases[0].rule
    found: dict[Any, measures.Tap]
    if rule.k is None:
        given = [one.rule.e0 for one in cases if one.rule.e0 is not None]
        found = taps(lists, given, no_relevant=rule.no_relevant)
    else:
        ks = [one.rule.k for one in cases if one.rule.k is not None]
        policies = rule._asdict()
        del policies["k"], policies["e0"]
        found = taps_k(lists, ks, **policies)
    known = [one for one in cases if (one.rule.k or one.rule.e0) in found]
    if not known:
        return
    each = [*found.values()]
    function = known[0].tap_asked[0]
    asked = [
        Memo.key(lists, *args, **options) for _, args, options in (one.tap_asked for one in known)
    ]
    memo.foresee(function, dict(zip(asked, each, strict=True)))
    listed = np.stack([one.per_query for one in each])
    together = each[0]._replace(retrieved=np.stack([one.retrieved for one in each]))
    _foresee_ties(BY_NAME["tap"], known, listed, tap=together)


def foresee_n(cases: Sequence[Case]) -> None:
    """Have at hand what scores of cases take that differ in n alone, and the plot of sensitivity."""
    lists, memo, ns = cases[0].lists, cases[0].memo, [one.n for one in cases]
    asked = [Memo.key(lists, n=n) for n in ns]
    with suppress(NotKeptError):
        own, sensitivity = roc.rocs_n(lists, ns), roc.sensitivities_to_error(lists, ns)
        memo.foresee(measures.roc_n, dict(zip(asked, own, strict=True)))
        memo.foresee(measures.sensitivity_to_error, dict(zip(asked, sensitivity, strict=True)))
        listed = np.stack([one.per_query for one in own])
        _foresee_ties(BY_NAME["roc_n"], cases, listed, own_roc_n=listed, n=np.array(ns)[:, None])
        pooled = BY_NAME["pooled_roc_n"]
        depends = [one.depends(pooled) for one in cases]
        for what, of_each in (("value", roc.pooled_rocs_n), ("ties", roc.pooled_brackets)):
            values = of_each(lists, ns)
            memo.foresee((pooled.name, what), dict(zip(depends, values, strict=True)))


def _foresee_ties(score: Score, cases: Sequence[Case], listed: Floats, **taken: object) -> None:
    """Have at hand a mean over queries, (P, Q), with the worst and the best order of equal scores."""
    lists = cases[0].lists
    assert score.reordered is not None
    ends = measures.query_bracket(partial(score.reordered, **taken), lists, listed)
    means = (means_defined(end, lists.weight) for end in ends)
    brackets = map(measures.Bracket, *means)
    depends = [one.depends(score) for one in cases]
    cases[0].memo.foresee((score.name, "ties"), dict(zip(depends, brackets, strict=True)))
