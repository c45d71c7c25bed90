"""The one way from lists to a table of scores, with intervals, comparisons and findings."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.runs import RUN, Run, as_systems, systems
from tapviz.measures import (
    Bootstrap,
    Groups,
    GroupsOf,
    Interval,
    NoRelevant,
    OnProgress,
    PairDifference,
    QueryWeights,
    Replicate,
    Scored,
    ShortLists,
    against,
    as_groups,
    class_depth,
    pairwise,
    shares_relevant,
    slope_at,
    weigh,
    weight_titles,
)
from tapviz.measures._progress import advance
from tapviz.measures.differences import paired
from tapviz.scores import findings
from tapviz.scores.conclusion import MAX_K, Elsewhere, Judge, conclude, holding
from tapviz.scores.costs import known_costs
from tapviz.scores.findings import Finding
from tapviz.scores.given import given_scores, per_query_columns
from tapviz.scores.holds import Holds
from tapviz.scores.more import named, selected
from tapviz.scores.systems import SystemCase, bootstrap_cases
from tapviz.scores.table import (
    SCORES,
    USUAL_K,
    Case,
    Memo,
    Score,
    ThresholdRule,
    rounded_alike,
)
from tapviz.scores.verdict import Verdict

EVERY_PAIR = "all"
"""In place of a baseline: every two algorithms are compared."""
NOT_RESAMPLED: Mapping[NoRelevant, str] = {
    "reference": "",
    "zero": "resampling cannot count T(q) = 0 as 0",
    "exclude": "resampling cannot leave out T(q) = 0",
}
"""Why there are no resamples, by the rule for queries without relevant records."""
COMPARABLE = {score.name: score for score in SCORES if score.in_tables}
"""Scores by which algorithms can be compared, by their names."""


class Policies(NamedTuple):
    """How the scores are computed.

    Examples
    --------
    >>> from tapviz.scores import Policies
    >>> [rule.title for rule in Policies(k=(5, 20), e0=(0.01,)).rules]
    ['TAP-5', 'TAP-20', 'TAP at 0.01']
    """

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
    groups: int | Literal["relevance"] | None = "relevance"
    """Level of the classes of queries that are drawn, and change their sign, together; that at
    which relevance was judged, where classes are known; None for single queries."""
    all_intervals: bool = False
    """Whether tables show the interval of every score; that of the peak is then found, too."""
    fixed_threshold: bool = False
    """Whether E_k of all queries is taken in each resample, which makes intervals narrower."""
    scores: tuple[str, ...] = ()
    """Names of scores, or of presets; none: the usual ones."""
    weights: QueryWeights = "none"
    """How much each query counts in means and in E_k, as in `query_weights`."""
    queries: Mapping[str, Any] = MappingProxyType({})
    """By what the queries were selected, for those who read the table: `score` selects none."""

    @property
    def rules(self) -> list[ThresholdRule]:
        """One for each k and each E_0."""
        how = (self.quantile, self.short_lists, self.no_relevant)
        by_errors = [ThresholdRule(k, None, *how) for k in self.k]
        return by_errors + [ThresholdRule(None, e0, *how) for e0 in self.e0]


class Compared(NamedTuple):
    """What resampling the queries tells of the scores."""

    groups: Groups
    """What is drawn, and changes its sign, as a whole: groups of queries, or single ones."""
    level: float
    """Of all intervals."""
    bootstrap: Bootstrap | None
    """Intervals of every algorithm; None without resamples."""
    differences: tuple[PairDifference, ...]
    """Of every two algorithms, by each score that was compared."""
    scored: Mapping[str, Mapping[str, Scored]]
    """By score and algorithm: what the differences were found from."""
    verdicts: Mapping[str, Verdict]
    """What may be concluded, by the score compared; of none that is neither better nor worse where
    it is larger."""
    holds: Mapping[str, Holds]
    """How far that holds, likewise."""
    elsewhere: Elsewhere
    """Every two algorithms by TAP at every k, and at a common threshold."""
    reason: str = ""
    """Why there are no resamples, where some were asked for."""

    def verdict(self, score: str) -> Verdict | None:
        """What may be concluded by a score; by TAP, where it is neither better nor worse."""
        return self.verdicts.get(score, self.verdicts.get("tap"))

    def holding(self, score: str) -> Holds | None:
        """How far that holds, where it is known."""
        return self.holds.get(score if score in self.verdicts else "tap")


class Check(NamedTuple):
    """Whether a score changed by more than is accepted; see `tapviz.scores.gate`."""

    asked: str
    """The condition of failure, such as tap < -0.01."""
    algorithm: str
    title: str
    """Of the score."""
    failed: bool
    words: str
    """By how much it changed, with its interval, and what follows."""


class Column(NamedTuple):
    """A score at one threshold and n."""

    score: Score
    rule: ThresholdRule
    n: int

    @property
    def title(self) -> str:
        """What it is called in full."""
        return self.score.titled(self.rule, self.n)


class Value(NamedTuple):
    """A score of one algorithm; what is not known or undefined is NaN."""

    value: float
    low: float = math.nan
    """Interval by resampling the queries."""
    high: float = math.nan
    worst: float = math.nan
    """Over all orders of records of equal score."""
    best: float = math.nan
    reason: str = ""
    """Why a score is undefined, where that is known; empty otherwise."""
    too_short: bool = False
    """Whether too few lists hold k errors for a score at a threshold."""
    no_interval: str = ""
    """Why there is no interval, where one was asked for; empty otherwise."""
    runs: tuple[float, ...] = ()
    """The score of each run of a system that has several; see `systems`."""

    @property
    def sd(self) -> float:
        """Standard deviation over the runs."""
        return float(np.std(self.runs, ddof=1)) if self.runs else math.nan

    @property
    def numbers(self) -> dict[str, float]:
        """All but the reasons, by name."""
        return dict(zip(self._fields[:5], self[:5], strict=True)) | {"sd": self.sd}

    @property
    def tied(self) -> bool:
        """Whether the order of equal scores changes it visibly."""
        return findings.visible(self.worst, self.best)


class ScoreTable(NamedTuple):
    """Scores of several algorithms, their comparisons with one of them, and what is doubtful."""

    policies: Policies
    groups: Groups
    """The queries, and what is drawn of them, and changes its sign, as a whole."""
    columns: tuple[Column, ...]
    rows: Mapping[str, tuple[Value, ...]]
    """By algorithm, a value for each column."""
    comparisons: tuple[tuple[Column, PairDifference], ...]
    """By which score, and the comparison."""
    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...] = ()
    """What may be concluded by the score that leads, at each threshold."""
    holds: Holds | None = None
    """How far the first of them holds."""
    doubts: tuple[str, ...] = ()
    """What is doubtful about the files, in words."""
    standard: str = ""
    """Name of the standard of relevance, if it has one."""
    scored: Mapping[ThresholdRule, Mapping[str, Mapping[str, Scored]]] = MappingProxyType({})
    """By threshold, score and algorithm: what differences are found from."""
    checks: tuple[Check, ...] = ()
    """Changes since a baseline that were to be checked."""
    runs: Mapping[str, Run] = MappingProxyType({})
    """By algorithm, what is known of its run."""
    weight: str = "1"
    """What each query counts as."""
    systems: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Algorithms that stand for several runs, and the names of these."""
    not_resampled: str = ""
    """Why there are no resamples, where some were asked for."""

    @property
    def why_no_interval(self) -> str:
        """Why there are no intervals of scores; empty if there are some."""
        return self.groups.few or self.not_resampled


def columns(
    rules: Sequence[ThresholdRule], n: int, scores: Sequence[Score] | None = None
) -> list[Column]:
    """Columns of a table of scores: first those at each threshold, then the others.

    Parameters
    ----------
    rules : sequence of ThresholdRule
    n : int
    scores : sequence of Score, optional
        Default: the usual ones, `SCORES`.

    Examples
    --------
    >>> from tapviz.scores import ThresholdRule, columns
    >>> [column.title for column in columns([ThresholdRule(k=5)], n=50)][:2]
    ['TAP-5', 'E_5']
    """
    scores = SCORES if scores is None else scores
    at = [Column(score, rule, n) for rule in rules for score in scores if score.at_threshold]
    return at + [Column(score, rules[0], n) for score in scores if not score.at_threshold]


def value(case: Case, score: Score, algorithm: str, compared: Compared | None = None) -> Value:
    """Value of a score for a case, with what is known about it.

    Parameters
    ----------
    case : Case
    score : Score
    algorithm : str
        Name of the algorithm in `compared`.
    compared : Compared, optional
        Without the algorithm in it there is no interval.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import SCORES, Case, Memo, ThresholdRule, value
    >>> case = Case(load_results()["BLASTP"], ThresholdRule(k=5), n=50, memo=Memo())
    >>> round(value(case, SCORES[0], "BLASTP").value, 4)
    0.3665
    """
    number, low, high = case.value(score), math.nan, math.nan
    none = compared.reason if compared is not None and score.has_interval else ""
    resampled = compared.bootstrap if compared is not None and score.has_interval else None
    if resampled is not None and algorithm in resampled.algorithms:
        found = resampled.algorithms[algorithm]
        if score.interval is not None:
            _, low, high = rounded_alike(number, *score.interval(found)[1:])
        elif score.name in found.others and math.isfinite(number):
            _, low, high = rounded_alike(number, *found.others[score.name][1:])
        none = resampled.reason or (found.reason if math.isfinite(number) else "")
    worst, best = case.ties(score) or (math.nan, math.nan)
    reason, short = case.reason(score), score.at_threshold and case.tap.too_short
    runs = tuple(one.value(score) for one in case.runs.values())
    return Value(number, low, high, worst, best, reason, short, none, runs)


def compare(
    cases: Mapping[str, Case],
    progress: OnProgress | None = None,
    *,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    groups: GroupsOf = "relevance",
    scores: Sequence[Score] | None = None,
    all_scores: bool = True,
    compared: Collection[str] | None = None,
    kept: Collection[str] = (),
    saved: Mapping[str, Mapping[str, Scored]] | None = None,
    peak: bool = False,
    fixed_threshold: bool = False,
) -> Compared:
    """Intervals of scores, and differences of every two algorithms.

    Parameters
    ----------
    cases : mapping of str to Case
        Of each algorithm, at one threshold.
    progress : callable, optional
        Called with the work done and its total; False stops it.
    n_resamples : int
        Resamples of the queries, the same for all algorithms; E_k is found anew in each.
        0 for none.
    level : float
    seed : int
        The same seed gives the same numbers.
    groups : Groups, array_like, int, "relevance" or None
        Queries that are drawn, and change their sign, together; as in `bootstrap`.
    scores : sequence of Score, optional
        Scores of which there are intervals. Default: the usual ones, `SCORES`.
    all_scores : bool
        Whether scores that do not depend on the threshold have intervals, too.
    compared : collection of str, optional
        Names of the scores by which algorithms are compared; by default all that tables show.
    kept : collection of str
        Names of further scores of which `scored` has what a comparison takes.
    saved : mapping of str to mapping of str to Scored, optional
        Algorithms that were scored before, with the same resamples of the same queries: by name,
        the scores by their names. They are compared, too.
    peak : bool
        Whether the peak has one, which takes longer.
    fixed_threshold : bool
        Whether E_k of all queries is taken in each resample.

    Raises
    ------
    ValueError
        If there is no algorithm, or there are no such groups.
    Cancelled
        If `progress` returned False.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, Memo, ThresholdRule, compare
    >>> results = load_results("profiles")
    >>> rule = ThresholdRule(k=5)
    >>> cases = {name: Case(lists, rule, 50, Memo()) for name, lists in results.items()}
    >>> one = compare(cases, n_resamples=100, compared=["tap"]).differences[0]
    >>> one.first, one.second, round(one.difference.estimate, 3)
    ('RPS-BLAST', 'HMMER3 hmmscan', -0.103)
    """
    rule = next((case.rule for case in cases.values()), ThresholdRule())
    if not cases:
        msg = "expected at least one algorithm"
        raise ValueError(msg)
    first = next(iter(cases.values())).lists
    drawn = as_groups(groups, first)
    resampled = None
    usual = asked_for(first) if scores is None else scores
    compared = comparable_scores(first) if compared is None else compared
    by = [comparable(name, first) for name in dict.fromkeys([*compared, *kept])]
    reason = "" if first.n_relevant.all() or not n_resamples else NOT_RESAMPLED[rule.no_relevant]
    also = [one for one in dict.fromkeys([*usual, *by]) if all_scores or one.at_threshold]

    def others(case: Case) -> dict[str, Replicate]:
        found = {one.name: case.resampled(one) for one in also}
        return {name: one for name, one in found.items() if one is not None}

    if n_resamples > 0 and not reason:
        resampled = bootstrap_cases(
            cases,
            others,
            **rule.bootstrap_options,
            n_resamples=n_resamples,
            seed=seed,
            level=level,
            peak=peak,
            fixed_threshold=fixed_threshold,
            groups=drawn,
            progress=progress,
        )
    scored = {
        score.name: {
            name: _scored(case, score, name, drawn, resampled, fixed_threshold=fixed_threshold)
            for name, case in cases.items()
        }
        for score in by
    }
    before = saved or {}
    differences = pairwise(
        {
            name: scored[name] | {other: of[name] for other, of in before.items() if name in of}
            for name in compared
        },
        groups=drawn,
        weight=first.weight,
        level=level,
        seed=seed,
    )
    found = Compared(drawn, level, resampled, (), scored, {}, {}, Elsewhere(None, None), reason)
    judge = Judge(drawn, level, seed, fixed_threshold)
    elsewhere = Elsewhere(None, None)
    if "tap" in compared:
        advance(progress, 0, 1)
        elsewhere = Elsewhere.of(cases, judge)
    usual_k = rule.k is not None and rule.k <= MAX_K and rule.short_lists == "error"
    if elsewhere.every_k is not None and rule.k is not None and usual_k and not saved:
        # The records that it has, no others.
        taps = paired("tap", scored["tap"], drawn, elsewhere.every_k.at(rule.k))
        differences = [*taps, *(one for one in differences if one.score != "tap")]
    verdicts = {
        score.name: conclude(
            cases,
            score,
            {name: _interval_of(case, score, name, found) for name, case in cases.items()},
            [one for one in differences if one.score == score.name],
            judge,
            elsewhere=elsewhere,
        )
        for score in by
        if score.name in compared and score.higher_is_better is not None
    }
    holds = {
        score.name: one
        for score in by
        if score.name in verdicts
        for one in [holding(cases, score, verdicts[score.name], judge)]
        if one is not None
    }
    return found._replace(
        differences=tuple(differences), verdicts=verdicts, holds=holds, elsewhere=elsewhere
    )


def _interval_of(case: Case, score: Score, algorithm: str, compared: Compared) -> Interval:
    known = value(case, score, algorithm, compared)
    return Interval(known.value, known.low, known.high)


def _scored(
    case: Case,
    score: Score,
    algorithm: str,
    groups: Groups,
    resampled: Bootstrap | None,
    *,
    fixed_threshold: bool,
) -> Scored:
    """A score of an algorithm, to be compared with that of others."""
    found = case.scored(score, groups, fixed_threshold=fixed_threshold)
    if found.per_query is not None or resampled is None:
        return found
    known = resampled.algorithms[algorithm]
    replicates, influence = map(score.replicated, (known.replicates, known.influences))
    if influence is not None and np.isnan(influence).all():  # of a threshold
        influence = None
    of_threshold = score.name == "threshold" and not case.runs and case.tap.k is not None
    if of_threshold and replicates is not None and np.isfinite(replicates).all():
        influence = _of_threshold(case, groups) * float(np.std(replicates))
    return found._replace(replicates=replicates, influence=influence)


def _of_threshold(case: Case, groups: Groups) -> NDArray[np.float64]:
    """How E_k goes with each group, (G,), in its standard errors: by the queries with k errors."""
    if not math.isfinite(case.tap.e0):
        return np.full(groups.count, math.nan)
    slope = slope_at(case.lists, case.tap.e0, groups, case.curve, k=case.tap.k or 1)
    apart = groups.sums(case.lists.weight * (slope.share - slope.reached))
    return apart / (np.linalg.norm(apart) or math.nan)


def find(
    cases: Mapping[str, Case], compared: Compared | None = None, scores: Sequence[str] = ()
) -> list[Finding]:
    """Everything that is doubtful about the scores of several algorithms at one threshold.

    Parameters
    ----------
    cases : mapping of str to Case
        Of each algorithm.
    compared : Compared, optional
        Knows whether groups of queries were drawn.
    scores : sequence of str
        Names of scores and presets that were asked for: nothing is said of others, and of each
        whether ties change it. Of none, all is said, and of TAP and pooled ROC_n whether ties do.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, Memo, ThresholdRule, find
    >>> results = load_results("profiles")
    >>> rule = ThresholdRule(k=5)
    >>> cases = {name: Case(lists, rule, 50, Memo()) for name, lists in results.items()}
    >>> "ties" in {finding.kind for finding in find(cases)}
    True
    """
    if not cases or next(iter(cases.values())).lists.given:
        return []
    by_name = {score.name: score for score in SCORES}
    first = next(iter(cases.values()))
    n, rule = first.n, first.rule
    taps = {name: case.tap for name, case in cases.items()}
    single_runs = {
        name: run for of, case in cases.items() for name, run in (case.runs or {of: case}).items()
    }
    each = {name: run.tap for name, run in single_runs.items()}
    pooled = {name: case.value(by_name["pooled_roc_n"]) for name, case in cases.items()}
    own = {name: np.asarray(case.per_query(by_name["roc_n"])) for name, case in cases.items()}
    few = {name: run.value(by_name["n_short"]) for name, run in single_runs.items()}
    short = {name: int(count) for name, count in few.items() if math.isfinite(count)}
    asked = asked_for(first.lists, scores)
    about = {one.name for one in asked}
    at_threshold = any(one.at_threshold and one.in_tables for one in asked)
    found: list[Finding] = []
    if {"tap", "pooled_roc_n"} <= about:
        values = {name: at.value for name, at in taps.items()}
        found += findings.order(values, pooled, rule.title, n)
    if "pooled_roc_n" in about:
        found += findings.pooled_outside(own, pooled, n)
    if at_threshold:
        found += findings.short_lists(each)
        lists = {name: run.lists for name, run in single_runs.items()}
        found += findings.not_measured(each, lists)
    single = compared is None or not compared.groups.grouped
    if single and not class_depth(first.lists):
        found += findings.shared_relevant(shares_relevant(first.lists))
    for score in asked:
        if scores or score.at_threshold or score.pooled:
            brackets = {name: case.ties(score) for name, case in cases.items()}
            known = {name: one for name, one in brackets.items() if one is not None}
            found += findings.ties(score.titled(rule, n), known)
    if "tap" in about:
        found += findings.no_relevant(each)
    found += findings.empty_lists(each)
    return found + (
        findings.few_errors(each, short, n) if {"roc_n", "pooled_roc_n"} & about else []
    )


def score(
    results: Mapping[str, RetrievalLists],
    policies: Policies = Policies(),  # noqa: B008  # never changes
    *,
    baseline: str = "",
    compared: Sequence[str] = (),
    kept: Collection[str] = (),
    saved: Mapping[ThresholdRule, Mapping[str, Scored]] | None = None,
) -> ScoreTable:
    """Score the results of several algorithms.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Aligned lists: the same queries in the same order.
    policies : Policies
    baseline : str, optional
        Algorithm with which the others are compared, or "all": every two are.
    compared : sequence of str
        Names of the scores by which they are; none: TAP, or all that were given of each query.
    kept : collection of str
        Names of further scores of which `ScoreTable.scored` has what a comparison takes.
    saved : mapping of ThresholdRule to mapping of str to Scored, optional
        Scores of the baseline at each threshold, where they were found before, and the baseline is
        not among the results: see `tapviz.scores.Baseline`.

    Raises
    ------
    ValueError
        If a policy makes no sense, there are no such groups or scores, or the baseline is not among
        the results.

    Examples
    --------
    >>> from tapviz import load_results
    >>> table = score(load_results("profiles"), Policies(k=(5, 20), n_resamples=0))
    >>> [column.title for column in table.columns][:2]
    ['TAP-5', 'E_5']
    """
    names = as_systems({name: name for name in results}, RUN.join)
    if baseline and saved is None and baseline not in (EVERY_PAIR, *names):
        msg = f"baseline {baseline!r}: expected one of {', '.join(map(repr, names))}, or 'all'"
        raise ValueError(msg)
    lists = next(iter(results.values()))
    leads = compared[0] if compared else leading(lists, policies.scores)
    compared = compared or ([*comparable_scores(lists)] if lists.given else [leads])
    by = {name: comparable(name, lists) for name in compared}
    if policies.n_resamples < 0:
        msg = f"resamples = {policies.n_resamples}: expected a whole number of at least 0"
        raise ValueError(msg)
    rules = policies.rules
    if not rules:
        msg = "no threshold: give at least one k or E_0"
        raise ValueError(msg)
    counts_as = weight_titles(next(iter(results.values())))
    results = {name: weigh(lists, policies.weights) for name, lists in results.items()}
    cases = {
        rule: as_systems(
            {name: Case(lists, rule, policies.n, Memo()) for name, lists in results.items()},
            SystemCase.of,
        )
        for rule in rules
    }
    first = cases[rules[0]]
    groups = as_groups(policies.groups, next(iter(results.values())))
    asked = asked_for(lists, policies.scores)
    asked = tuple(dict.fromkeys([*asked, *known_costs(results.values())]))
    others = [score for score in asked if not score.at_threshold]
    curves = [score for score in others if "curve" in score.takes]
    each = [score for score in others if not score.pooled and score not in curves]
    # On another core, in such an order that no work is done twice: average precision, which TAP
    # goes by, too, is there when the thresholds are found; and these when the curves begin.
    with ThreadPoolExecutor(1) as beside:
        work = [beside.submit(_evaluate, first, sorted(each, key=lambda one: len(one.takes)))]
        _evaluate(first, [score for score in others if score.pooled])
        at_threshold = [score for score in asked if score.at_threshold]
        for at_rule in cases.values():
            for case in at_rule.values():
                _ = case.tap
            work.append(beside.submit(_evaluate, at_rule, at_threshold))
        work.append(beside.submit(_evaluate, first, curves))
        known = {
            rule: compare(
                at_rule,
                n_resamples=policies.n_resamples,
                level=policies.level,
                seed=policies.seed,
                groups=groups,
                scores=asked,
                all_scores=rule == rules[0],
                compared=[
                    name
                    for name in (compared if baseline else compared[:1])
                    if rule == rules[0] or by[name].at_threshold
                ],
                kept=[name for name in kept if rule == rules[0] or comparable(name).at_threshold],
                saved=None if saved is None else {baseline: saved[rule]},
                peak=policies.all_intervals and rule == rules[0],
                fixed_threshold=policies.fixed_threshold,
            )
            for rule, at_rule in cases.items()
        }
        for done in work:
            done.result()
    found: list[Finding] = []
    for rule, at_rule in cases.items():
        for name, case in at_rule.items():
            for run, one in case.runs.items():
                one.memo.fill(first[name].runs[run].memo)
            case.memo.fill(first[name].memo)
        found += [one for one in find(at_rule, known[rule], policies.scores) if one not in found]
    table = columns(rules, policies.n, asked)
    rows = {
        name: tuple(
            value(cases[column.rule][name], column.score, name, known[column.rule])
            for column in table
        )
        for name in first
    }
    comparisons = [
        (Column(by[name], rule, policies.n), one)
        for rule in rules
        for name in (compared if baseline else ())
        for one in differences(known[rule], name, baseline)
    ]
    found.sort(key=lambda one: findings.KINDS.index(one.kind))
    verdicts = [one.verdicts[leads] for one in known.values() if leads in one.verdicts]
    return ScoreTable(
        policies,
        groups,
        tuple(table),
        rows,
        tuple(comparisons),
        tuple(found),
        tuple(verdicts),
        known[rules[0]].holds.get(leads),
        weight=counts_as[policies.weights],
        scored={rule: one.scored for rule, one in known.items()},
        runs={name: case.lists.run for name, case in first.items()},
        systems=systems(results),
        not_resampled=known[rules[0]].reason,
    )


def leading(lists: RetrievalLists, names: Sequence[str] = ()) -> str:
    """Name of the score that a verdict is about: TAP, unless others were asked for.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores.pipeline import leading
    >>> leading(load_results()["BLASTP"]), leading(load_results()["BLASTP"], ["ndcg@10", "tap"])
    ('tap', 'ndcg@10')
    """
    if not names and not lists.given:
        return "tap"
    judging = (one for one in asked_for(lists, names) if one.in_tables)
    return next((one.name for one in judging if one.higher_is_better is not None), "tap")


def asked_for(lists: RetrievalLists, names: Sequence[str] = ()) -> tuple[Score, ...]:
    """Scores of some names and presets; of none, those that the lists usually have.

    Raises
    ------
    ValueError
        If there is no such score.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores.pipeline import asked_for
    >>> [one.name for one in asked_for(load_results()["BLASTP"], ["sepq@1"]) if one.in_tables]
    ['sepq@1']
    """
    if not lists.given:
        return selected(names) if names else SCORES
    known = comparable_scores(lists)
    for name in names:
        if name not in known:
            msg = (
                f"no score {name[:40]!r}: there are {', '.join(lists.given)}; others need ranked "
                "lists, not a table of scores"
            )
            raise ValueError(msg)
    shown = [one for one in known.values() if not names or one.name in names]
    return (*shown, *(one for one in SCORES if one.name == "n_queries"))


def comparable_scores(lists: RetrievalLists) -> Mapping[str, Score]:
    """Scores by which algorithms are compared, by name.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import comparable_scores
    >>> "roc_n" in comparable_scores(load_results()["BLASTP"])
    True
    """
    if lists.given:
        return {one.name: one for one in given_scores(lists)}
    return COMPARABLE


def per_query(
    results: Mapping[str, RetrievalLists],
    policies: Policies = Policies(),  # noqa: B008
) -> dict[str, list[Any]]:
    """Every score of every query, as columns of a table.

    Only scores that are a mean over queries have one: neither pooled ROC_n, nor E_k, nor the peak.
    TAP-k of a query is that at E_k of all; its interval, read back, is that with a fixed threshold.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Aligned lists.
    policies : Policies

    Returns
    -------
    dict of str to list
        A row for each query of each algorithm: "query", "algorithm", "weight", "n_relevant";
        "class" and "class_level", to which relevance was judged, where they are known; and scores
        by their titles, NaN where undefined.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, per_query
    >>> list(per_query(load_results("profiles"), Policies(k=(5,))))[-4:]
    ['TAP-5', 'ROC_50', 'MAP', 'AUC iP/R']
    """
    rules = policies.rules
    results = {name: weigh(lists, policies.weights) for name, lists in results.items()}
    memos = {name: Memo() for name in results}
    asked = [
        one
        for one in asked_for(next(iter(results.values())), policies.scores)
        if one.in_tables and one.per_query is not None
    ]
    shown = {column.title: column for column in columns(rules, policies.n, asked)}
    cases = {
        title: {
            name: Case(lists, column.rule, policies.n, memos[name])
            for name, lists in results.items()
        }
        for title, column in shown.items()
    }
    return per_query_columns(cases, {title: column.score for title, column in shown.items()})


def comparable(name: str, lists: RetrievalLists | None = None) -> Score:
    """Score of a name by which algorithms can be compared, of lists or of given scores.

    Raises
    ------
    ValueError
        If there is none.

    Examples
    --------
    >>> from tapviz.scores.pipeline import comparable
    >>> comparable("tap").name, comparable("sepq@1").name
    ('tap', 'sepq@1')
    """
    known = COMPARABLE if lists is None else comparable_scores(lists)
    if name in known:
        return known[name]
    if lists is not None and lists.given:
        msg = f"compared by {name!r}: expected one of {', '.join(known)}"
        raise ValueError(msg)
    try:
        one = named(name)
    except ValueError as error:
        msg = f"compared by {name!r}: expected one of {', '.join(COMPARABLE)}, or another: {error}"
        raise ValueError(msg) from None
    if not one.in_tables:
        msg = f"compared by {name!r}: expected one of {', '.join(COMPARABLE)}"
        raise ValueError(msg)
    return one


def differences(compared: Compared, score: str, baseline: str = EVERY_PAIR) -> list[PairDifference]:
    """Differences by a score: of every two algorithms, or of the others from the baseline.

    Parameters
    ----------
    compared : Compared
    score : str
        Its name.
    baseline : str
        An algorithm; "all" for every two.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, Memo, ThresholdRule, compare, differences
    >>> results = load_results("profiles")
    >>> rule = ThresholdRule(k=5)
    >>> cases = {name: Case(lists, rule, 50, Memo()) for name, lists in results.items()}
    >>> found = differences(compare(cases, n_resamples=0), "tap", baseline="RPS-BLAST")
    >>> found[0].first, round(found[0].difference.estimate, 3)
    ('HMMER3 hmmscan', 0.103)
    """
    if baseline != EVERY_PAIR:
        return against(compared.differences, baseline, score)
    return [one for one in compared.differences if one.score == score]


def _evaluate(cases: Mapping[str, Case], scores: Sequence[Score]) -> None:
    for case in cases.values():
        for one in scores:
            case.value(one)
            case.ties(one)
