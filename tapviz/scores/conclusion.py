"""From resamples to a verdict: the numbers that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from tapviz.findings import shared_relevant
from tapviz.measures import (
    Bootstrap,
    OnProgress,
    Replicate,
    class_depth,
    mean_replicates,
    shares_relevant,
    simultaneous,
    tap,
)
from tapviz.measures.simultaneous import ENOUGH_RESAMPLES
from tapviz.scores.systems import bootstrap_cases
from tapviz.scores.table import Case
from tapviz.verdict import (
    COMMON_E,
    Basis,
    ByK,
    Setting,
    Verdict,
    at_common,
    crossing,
    ordered,
    verdict,
)

MAX_K = 100
"""The order is looked at for each k from 1 to this."""
COMMON = "TAP at the common threshold"
"""Among the scores that are resampled."""


def common_threshold(cases: Iterable[Case]) -> float | None:
    """E-value at which all are judged besides; None if E_0 is given, or scores are no E-values.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, Memo, ThresholdRule
    >>> from tapviz.scores.conclusion import common_threshold
    >>> lists = load_results()["BLASTP"]
    >>> common_threshold([Case(lists, ThresholdRule(k=5), 50, Memo())])
    0.01
    """
    given = list(cases)
    if any(case.rule.k is None for case in given) or not _e_values(given):
        return None
    scores = [case.lists.score for case in given if case.lists.score.size]
    some = scores and min(map(np.min, scores)) <= COMMON_E <= max(map(np.max, scores))
    return COMMON_E if some else None


def common_replicates(case: Case, e0: float | None) -> dict[str, Replicate]:
    """TAP at the common threshold in resamples, by its name among scores; empty if there is none.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, Memo, ThresholdRule
    >>> from tapviz.scores.conclusion import common_replicates
    >>> case = Case(load_results()["BLASTP"], ThresholdRule(k=5), 50, Memo())
    >>> list(common_replicates(case, 0.01)), list(common_replicates(case, None))
    (['TAP at the common threshold'], [])
    """
    return {} if e0 is None else {COMMON: mean_replicates(tap(case.lists, e0).per_query)}


def conclude(
    cases: Mapping[str, Case],
    resampled: Bootstrap,
    common_e0: float | None,
    progress: OnProgress | None = None,
) -> Verdict:
    """Say what may be concluded from the TAPs of some algorithms.

    Parameters
    ----------
    cases : mapping of str to Case
        Of each algorithm, at one threshold.
    resampled : Bootstrap
        Of the same, with `common_replicates`.
    common_e0 : float or None
        As `common_threshold` has it.
    progress : callable, optional
        Asked whether to go on; False stops it.

    Raises
    ------
    Cancelled
        If `progress` returned False.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, Memo, ThresholdRule, compare
    >>> results = load_results("profiles")
    >>> cases = {
    ...     name: Case(lists, ThresholdRule(k=5), 50, Memo()) for name, lists in results.items()
    ... }
    >>> compare(cases).verdict.tiers[0]
    ('HMMER3 hmmscan',)
    """
    first = next(iter(cases.values()))
    rule, lists, groups = first.rule, first.lists, resampled.groups
    single = not groups.grouped and not class_depth(lists)
    basis = Basis(
        groups,
        resampled.n_resamples,
        resampled.level,
        dependent=single and bool(shared_relevant(shares_relevant(lists))),
        fixed_threshold=resampled.threshold_rule == "fixed",
    )
    setting = Setting(rule.k, rule.e0, rule.quantile, e_values=_e_values(cases.values()))
    found = resampled.algorithms
    taps = {name: one.tap for name, one in found.items() if not one.reason}
    left_out = {name: one.reason for name, one in found.items() if one.reason}
    thresholds = {name: found[name].e0.estimate for name in taps}
    if groups.few or resampled.n_resamples < ENOUGH_RESAMPLES:  # there are no intervals
        return verdict(setting, taps, (), basis, thresholds=thresholds, left_out=left_out)
    apart = simultaneous(
        {name: one.estimate for name, one in taps.items()},
        {name: found[name].replicates.tap for name in taps},
        groups.count,
        resampled.level,
        influences={name: found[name].influences.tap for name in taps},
    )
    pairs = ordered(taps, apart.differences)
    by_k = crossing(
        pairs,
        {name: cases[name].tap_by_k(MAX_K) for name in taps},
    )
    common = None
    there = {} if common_e0 is None else {name: found[name].others[COMMON] for name in taps}
    unknown = [name for name, one in there.items() if not np.isfinite(one.estimate)]
    if common_e0 is not None and len(there) - len(unknown) > 1:
        measured = [name for name in there if name not in unknown]
        apart_there = simultaneous(
            {name: there[name].estimate for name in measured},
            {name: found[name].replicates.others[COMMON] for name in measured},
            groups.count,
            resampled.level,
            influences={name: found[name].influences.others[COMMON] for name in measured},
        )
        common = at_common(common_e0, pairs, apart_there.differences, tuple(unknown))
    return verdict(
        setting,
        taps,
        pairs,
        basis,
        thresholds=thresholds,
        by_k=_with_interval(by_k, cases, resampled, apart.stretch, progress),
        common=common,
        left_out=left_out,
    )


def _with_interval(
    by_k: ByK,
    cases: Mapping[str, Case],
    resampled: Bootstrap,
    stretch: float,
    progress: OnProgress | None,
) -> ByK:
    """The same with an interval at the k where a pair is furthest from its order."""
    if by_k.crossing is None:
        return by_k
    pair = by_k.crossing.pair
    there = bootstrap_cases(
        {name: cases[name] for name in pair[:2]},
        k=by_k.crossing.k,
        quantile=resampled.quantile or cases[pair.first].rule.quantile,
        n_resamples=resampled.n_resamples,
        seed=resampled.seed,
        level=resampled.level,
        groups=resampled.groups,
        progress=None if progress is None else lambda _, total: progress(total, total),
    ).algorithms
    interval = simultaneous(
        {name: one.tap.estimate for name, one in there.items()},
        {name: one.replicates.tap for name, one in there.items()},
        resampled.groups.count,
        resampled.level,
        influences={name: one.influences.tap for name, one in there.items()},
        stretch=stretch,
    ).differences[pair.first, pair.second]
    return by_k._replace(crossing=by_k.crossing._replace(pair=pair._replace(difference=interval)))


def _e_values(cases: Iterable[Case]) -> bool:
    """Whether scores are E-values, as far as one can see: they ascend from 0 or above."""
    return all(
        case.lists.direction == "ascending" and case.lists.score.min(initial=0) >= 0
        for case in cases
    )
