"""The scores of several algorithms under one set of policies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from tapviz.lists import RetrievalLists
from tapviz.measures import (
    Bootstrap,
    Bracket,
    Comparison,
    Interval,
    NoRelevant,
    ShortLists,
    Tap,
    average_precision,
    bootstrap,
    compare_with,
    ipr_auc,
    pooled_roc_n,
    pooled_roc_n_bracket,
    roc_n,
    tap,
    tap_curve,
    tap_k,
)

USUAL_K = 20
VISIBLE = 0.0005
"""A bracket wider than this shows in three decimals."""


class Policies(NamedTuple):
    """How the scores are computed."""

    k: tuple[int, ...] = (USUAL_K,)
    e0: tuple[float, ...] = ()
    n: int = 50
    quantile: float = 0.5
    short_lists: ShortLists = "error"
    no_relevant: NoRelevant = "reference"
    n_resamples: int = 1000
    """Resamples of the queries for intervals and p-values; 0 for none."""
    level: float = 0.95
    seed: int = 0


class ThresholdScore(NamedTuple):
    """TAP at one threshold."""

    name: str
    """TAP-20, or TAP at E_0 = 0.01."""
    k: int | None
    tap: float
    low: float
    high: float
    threshold: float
    """E_k or E_0; NaN if there is none."""
    threshold_low: float
    threshold_high: float
    reached: float
    """Share of the queries with at least k errors; NaN for E_0."""
    short_lists: bool
    reason: str


class AlgorithmScore(NamedTuple):
    """All scores of one algorithm."""

    algorithm: str
    thresholds: tuple[ThresholdScore, ...]
    peak_tap: float
    peak_threshold: float
    roc_n: float
    pooled_roc_n: float
    pooled_roc_n_ties: Bracket[float]
    mean_average_precision: float
    auc_ipr: float
    n_queries: int
    n_records: int
    n_empty: int
    n_no_relevant: int
    n_short: int
    """Queries with fewer than n irrelevant records, whose ROC_n curve stays flat."""


class Scores(NamedTuple):
    """Scores of several algorithms, their comparisons with one of them, and what to beware of."""

    policies: Policies
    algorithms: tuple[AlgorithmScore, ...]
    comparisons: tuple[tuple[str, Comparison], ...]
    """Name of the score and the comparison."""
    warnings: tuple[str, ...]


def score(
    results: Mapping[str, RetrievalLists],
    policies: Policies = Policies(),  # noqa: B008  # never changes
    *,
    baseline: str = "",
) -> Scores:
    """Score the results of several algorithms.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Aligned lists: the same queries in the same order.
    policies : Policies
    baseline : str, optional
        Algorithm with which the others are compared.

    Raises
    ------
    ValueError
        If a policy makes no sense, or the baseline is not among the results.
    """
    if baseline and baseline not in results:
        msg = f"baseline {baseline!r}: expected one of {', '.join(map(repr, results))}"
        raise ValueError(msg)
    if policies.n_resamples < 0:
        msg = f"resamples = {policies.n_resamples}: expected a whole number of at least 0"
        raise ValueError(msg)
    rows: dict[str, list[ThresholdScore]] = {name: [] for name in results}
    comparisons: list[tuple[str, Comparison]] = []
    thresholds = [*((k, None) for k in policies.k), *((None, e0) for e0 in policies.e0)]
    # On another core, in such an order that no work is done twice.
    with ThreadPoolExecutor(1) as beside:
        each = [beside.submit(_of_each_list, lists, policies) for lists in results.values()]
        pooled = [_pooled(lists, policies) for lists in results.values()]
        found = [
            {name: _tap(lists, k, e0, policies) for name, lists in results.items()}
            for k, e0 in thresholds
        ]
        peaks = [beside.submit(_peak, lists, policies) for lists in results.values()]
        for (k, e0), taps in zip(thresholds, found, strict=True):
            title = f"TAP-{k}" if k is not None else f"TAP at {e0:g}"
            resampled = _resampled(results, k, e0, policies)
            for name, at in taps.items():
                rows[name].append(_threshold_score(title, at, resampled, name))
            if baseline:
                compared = compare_with(baseline, taps, resampled, seed=policies.seed)
                comparisons += [(title, comparison) for comparison in compared]
    scored = tuple(
        AlgorithmScore(name, tuple(rows[name]), **one.result(), **peak.result(), **other)
        for name, one, peak, other in zip(results, each, peaks, pooled, strict=True)
    )
    return Scores(policies, scored, tuple(comparisons), tuple(_warnings(scored, policies)))


def _tap(lists: RetrievalLists, k: int | None, e0: float | None, policies: Policies) -> Tap:
    if k is None:
        return tap(lists, e0 or 0.0, no_relevant=policies.no_relevant)
    return tap_k(
        lists,
        k=k,
        quantile=policies.quantile,
        short_lists=policies.short_lists,
        no_relevant=policies.no_relevant,
    )


def _resampled(
    results: Mapping[str, RetrievalLists], k: int | None, e0: float | None, policies: Policies
) -> Bootstrap | None:
    if not _intervals(results, policies):
        return None
    return bootstrap(
        results,
        k=USUAL_K if k is None else k,
        e0=e0,
        quantile=policies.quantile,
        n_resamples=policies.n_resamples,
        seed=policies.seed,
        level=policies.level,
    )


def _intervals(results: Mapping[str, RetrievalLists], policies: Policies) -> bool:
    """Whether there are intervals: replicates know the reference rule only."""
    barren = any((lists.n_relevant == 0).any() for lists in results.values())
    return policies.n_resamples > 0 and (policies.no_relevant == "reference" or not barren)


def _threshold_score(
    name: str, at: Tap, resampled: Bootstrap | None, algorithm: str
) -> ThresholdScore:
    nan = math.nan
    tap_interval = threshold = Interval(nan, nan, nan)
    if resampled is not None:
        tap_interval = resampled.algorithms[algorithm].tap
        threshold = resampled.algorithms[algorithm].e0
    return ThresholdScore(
        name=name,
        k=at.k,
        tap=at.tap,
        low=tap_interval.low,
        high=tap_interval.high,
        threshold=at.e0 if math.isfinite(at.e0) else nan,
        threshold_low=threshold.low,
        threshold_high=threshold.high,
        reached=at.reached,
        short_lists=at.short_lists,
        reason=at.reason,
    )


def _of_each_list(lists: RetrievalLists, policies: Policies) -> dict[str, Any]:
    """Scores for which no lists are merged, and the counts."""
    length = np.diff(lists.offset)
    found = np.concatenate([[0], np.cumsum(lists.relevant)])
    errors = length - np.diff(found[lists.offset])
    return {
        # First what TAP goes by, too: it is there when the thresholds are found.
        "mean_average_precision": average_precision(lists).value,
        "roc_n": roc_n(lists, n=policies.n).value,
        "auc_ipr": ipr_auc(lists).value,
        "n_queries": lists.n_queries,
        "n_records": int(lists.score.size),
        "n_empty": int((length == 0).sum()),
        "n_no_relevant": int((lists.n_relevant == 0).sum()),
        "n_short": int((errors < policies.n).sum()),
    }


def _pooled(lists: RetrievalLists, policies: Policies) -> dict[str, Any]:
    """Scores that go through the best records of all lists together."""
    return {
        "pooled_roc_n": pooled_roc_n(lists, n=policies.n),
        "pooled_roc_n_ties": pooled_roc_n_bracket(lists, n=policies.n),
    }


def _peak(lists: RetrievalLists, policies: Policies) -> dict[str, Any]:
    curve = tap_curve(lists, no_relevant=policies.no_relevant)
    return {"peak_tap": curve.peak_tap, "peak_threshold": curve.peak_threshold}


def _warnings(scored: Sequence[AlgorithmScore], policies: Policies) -> list[str]:
    """What a reader of the scores must know."""
    found = []
    first = scored[0]
    if first.n_no_relevant:
        rule = {
            "reference": "TAP counts 1 / (retrieved + 1) for each",
            "zero": "TAP counts 0 for each",
            "exclude": "TAP leaves them out",
        }[policies.no_relevant]
        found.append(
            f"{first.n_no_relevant} of {first.n_queries} queries have no relevant record (T = 0): "
            f"{rule}, the other scores leave them out"
        )
    for one in scored:
        for at in one.thresholds:
            if at.short_lists:
                share = f"only {100 * at.reached:.3g} % of the lists have {at.k} errors"
                done = {
                    "worst_score": "E_0 is the worst score of all lists; run the program with a "
                    "larger E-value limit, or take a smaller k",
                    "pad": "the lists are continued with irrelevant records",
                    "error": "there is no E_k",
                }[policies.short_lists]
                found.append(f"{one.algorithm}: {at.name}: {share}: {done}")
        if one.n_empty:
            found.append(f"{one.algorithm}: {one.n_empty} of {one.n_queries} lists are empty")
        if one.n_short:
            found.append(
                f"{one.algorithm}: {one.n_short} of {one.n_queries} lists have fewer than "
                f"{policies.n} irrelevant records: their ROC_n curves stay flat from there"
            )
    return found
