"""The one way from lists to a table of scores, with intervals, comparisons and findings."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from tapviz import measures
from tapviz.lists import RetrievalLists
from tapviz.lists.checks import check_results
from tapviz.lists.runs import RUN, Run, as_systems, systems
from tapviz.scores import findings
from tapviz.scores.case import Case, Cases, Memo, SystemCase
from tapviz.scores.column import Column, Value, asked_for, columns, comparable, compared_by
from tapviz.scores.comparisons import EVERY_PAIR, Compared, compare, differences, value
from tapviz.scores.findings import Finding
from tapviz.scores.holds import Holds
from tapviz.scores.more import known_costs
from tapviz.scores.table import BY_NAME, USUAL_K, Score, ThresholdRule
from tapviz.scores.verdict import Verdict

__all__ = ["Check", "Policies", "ScoreTable", "find", "per_query", "score"]

Results = Mapping[str, RetrievalLists]
"""Lists by the name of their algorithm."""


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
    short_lists: measures.ShortLists = "error"
    no_relevant: measures.NoRelevant = "reference"
    n_resamples: int = 1000
    """Resamples of the queries for intervals of scores, and for differences of scores that are no
    mean over queries; 0 for none."""
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
    weights: measures.QueryWeights = "none"
    """How much each query counts in means and in E_k, as in `query_weights`."""
    ties: Literal["listed", measures.Order] = "listed"
    """Order of records of equal score; by "docid" as trec_eval has it, see `measures.reorder`."""
    queries: Mapping[str, object] = MappingProxyType({})
    """By what the queries were selected, for those who read the table: `score` selects none."""

    @property
    def rules(self) -> list[ThresholdRule]:
        """One for each k and each E_0; TypeError if there is one that is not in a tuple."""
        for field in ("k", "e0", "scores"):
            one = getattr(self, field)
            if isinstance(one, str | float | int):
                raise TypeError(f"{field}: expected a tuple, as in {field}=({one!r},)")
        how = (self.quantile, self.short_lists, self.no_relevant)
        by_errors = [ThresholdRule(k, None, *how) for k in self.k]
        return by_errors + [ThresholdRule(None, e0, *how) for e0 in self.e0]

    def applied(self, results: Results) -> dict[str, RetrievalLists]:
        """Results with the weights of these policies, and with their order of equal scores."""
        if self.ties != "listed":
            results = {
                name: lists if lists.given else measures.reorder(lists, self.ties)
                for name, lists in results.items()
            }
        return {name: measures.weigh(lists, self.weights) for name, lists in results.items()}


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


class ScoreTable(NamedTuple):
    """Scores of several algorithms, their comparisons with one of them, and what is doubtful."""

    policies: Policies
    groups: measures.Groups
    """The queries, and what is drawn of them, and changes its sign, as a whole."""
    columns: tuple[Column, ...]
    rows: Mapping[str, tuple[Value, ...]]
    """By algorithm, a value for each column."""
    comparisons: tuple[tuple[Column, measures.PairDifference], ...]
    """By which score, and the comparison."""
    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...] = ()
    """What may be concluded by the score that leads, at each threshold."""
    holds: Holds | None = None
    """How far the first of them holds."""
    doubts: tuple[str, ...] = ()
    """What is doubtful about the files, in words."""
    missing: tuple[str, ...] = ()
    """Algorithms that a baseline of several has, and the results have not."""
    standard: str = ""
    """Name of the standard of relevance, if it has one."""
    scored: Mapping[ThresholdRule, Mapping[str, Mapping[str, measures.Scored]]] = MappingProxyType(
        {}
    )
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
    """Why there are no intervals of TAP and its peak, where some were asked for."""
    joined: Mapping[str, Mapping[str, object] | None] = MappingProxyType({})
    """By algorithm, what the join of its hits and labels did; None where there was no join."""
    made: Mapping[str, object] = MappingProxyType({})
    """What else there is to know to make the numbers again: command, files, labels."""

    def __repr__(self) -> str:
        return self._written("table")

    def _repr_markdown_(self) -> str:
        return self._written("markdown")

    def _written(self, output: str) -> str:
        from tapviz.scores.written import written  # noqa: PLC0415  # which takes score tables

        return written([self], output)

    def with_digits(self, digits: int | None) -> ScoreTable:
        """The same with so many decimals of scores that have three; None changes nothing."""
        if digits is None:
            return self

        def shown(column: Column) -> Column:
            usual = column.score.digits == Score.digits
            return column._replace(score=replace(column.score, digits=digits)) if usual else column

        compared = tuple((shown(column), one) for column, one in self.comparisons)
        return self._replace(columns=tuple(map(shown, self.columns)), comparisons=compared)

    @property
    def shown(self) -> list[tuple[int, Column]]:
        """Columns of tables for people, with their places."""
        return [(place, one) for place, one in enumerate(self.columns) if one.score.in_tables]

    @property
    def weighed(self) -> list[str]:
        """What each query counts as, in a sentence, where they do not count alike."""
        if self.weight == "1":
            return []
        pooled = any(column.score.pooled for _, column in self.shown)
        but = "; pooled ROC_n knows no weights" if pooled else ""
        return [f"Each query counts as {self.weight}{but}."]

    @property
    def warnings(self) -> list[str]:
        """What is doubtful about the files and about the scores, in words."""
        return [*self.doubts, *map(findings.describe, self.findings)]

    @property
    def why_no_interval(self) -> str:
        """Why there are no intervals of scores, or none of TAP; empty if there are."""
        return self.groups.few or self.not_resampled


def find(
    cases: Cases, compared: Compared | None = None, scores: Sequence[str] = ()
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
    first = next(iter(cases.values()), None)
    if first is None:
        return []
    n, rule = first.n, first.rule
    single_runs = {
        name: run for of, case in cases.items() for name, run in (case.runs or {of: case}).items()
    }
    if first.lists.given:
        given = {name: run.lists.given or {} for name, run in single_runs.items()}
        shown = [one.name for one in asked_for(first.lists, scores) if one.in_tables]
        return findings.missing(given, shown)
    each = {name: run.tap for name, run in single_runs.items()}
    pooled = {name: case.value(BY_NAME["pooled_roc_n"]) for name, case in cases.items()}
    own = {name: np.asarray(case.per_query(BY_NAME["roc_n"])) for name, case in cases.items()}
    few = {name: run.value(BY_NAME["n_short"]) for name, run in single_runs.items()}
    asked = asked_for(first.lists, scores)
    about = {one.name for one in asked}
    found: list[Finding] = []
    if {"tap", "pooled_roc_n"} <= about:
        values = {name: case.tap.value for name, case in cases.items()}
        ties = {name: case.ties(BY_NAME["pooled_roc_n"]) for name, case in cases.items()}
        found += findings.order(values, pooled, rule.title, n, ties=ties)
    if "pooled_roc_n" in about:
        found += findings.pooled_outside(own, pooled, n)
    if any(one.at_threshold and one.in_tables for one in asked):
        lists = {name: run.lists for name, run in single_runs.items()}
        found += findings.short_lists(each, lists) + findings.not_measured(each, lists)
    single = compared is None or not compared.groups.grouped
    if single and not measures.class_depth(first.lists):
        found += findings.shared_relevant(measures.shares_relevant(first.lists))
    for score in asked:
        if scores or score.at_threshold or score.pooled:
            brackets = {name: case.ties(score) for name, case in cases.items()}
            known = {name: one for name, one in brackets.items() if one is not None}
            found += findings.ties(score.titled(rule, n), known)
    found += findings.no_relevant(each, with_tap="tap" in about)
    found += findings.empty_lists(each)
    if {"roc_n", "pooled_roc_n"} & about:
        short = {name: int(count) for name, count in few.items() if math.isfinite(count)}
        found += findings.few_errors(each, short, n)
    return found


def score(
    results: Results,
    policies: Policies = Policies(),  # noqa: B008  # never changes
    *,
    baseline: str = "",
    compared: Sequence[str] = (),
    kept: Collection[str] = (),
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
    check_results(results)
    if not (rules := policies.rules):
        raise ValueError("no threshold: give at least one k or E_0")
    names = as_systems({name: name for name in results}, RUN.join)
    if baseline and baseline not in (EVERY_PAIR, *names):
        msg = f"baseline {baseline!r}: expected one of {', '.join(map(repr, names))}, or 'all'"
        raise ValueError(msg)
    lists = next(iter(results.values()))
    compared = compared or compared_by(lists, policies.scores)
    by = {found.name: found for found in (comparable(name, lists) for name in compared)}
    leads, compared = next(iter(by)), [*by]
    kept = [comparable(name, lists).name for name in kept]
    if (n_resamples := policies.n_resamples) < 0 or n_resamples == 1:
        raise ValueError(f"resamples = {n_resamples}: expected a whole number, 0 or at least 2")
    results = policies.applied(results)
    if not (counts_as := measures.weight_titles(lists).get(policies.weights, "")):
        raise ValueError(f"weights {policies.weights!r}: nothing is relevant to any query")
    cases: dict[ThresholdRule, dict[str, Case]] = {}
    for rule in rules:
        single = {name: Case(one, rule, policies.n, Memo()) for name, one in results.items()}
        cases[rule] = as_systems(single, SystemCase.of)
    first = cases[rules[0]]
    chosen = not findings.BY_SCORES.isdisjoint(policies.queries)
    groups = measures.as_groups(policies.groups, next(iter(results.values())))
    usual, costs = asked_for(lists, policies.scores), known_costs(results.values())
    asked = tuple(dict.fromkeys([*usual, *costs]))
    others = [score for score in asked if not score.at_threshold]
    curves = [score for score in others if "curve" in score.takes]

    def there(rule: ThresholdRule, names: Iterable[str]) -> list[str]:
        """Scores that are compared at a threshold: at all but the first those that depend on it."""
        return [name for name in names if rule == rules[0] or comparable(name, lists).at_threshold]

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
                n_resamples=n_resamples,
                level=policies.level,
                seed=policies.seed,
                groups=groups,
                scores=asked,
                all_scores=rule == rules[0],
                compared=there(rule, compared if baseline else compared[:1]),
                kept=there(rule, kept),
                peak=policies.all_intervals and rule == rules[0],
                fixed_threshold=policies.fixed_threshold,
                chosen=chosen,
            )
            for rule, at_rule in cases.items()
        }
        for done in work:
            done.result()
    found = [Finding("chosen", (), {})] if chosen else []
    for rule, at_rule in cases.items():
        for name, case in at_rule.items():
            for run, one in case.runs.items():
                one.memo.fill(first[name].runs[run].memo)
            case.memo.fill(first[name].memo)
        found += [one for one in find(at_rule, known[rule], policies.scores) if one not in found]
    table = columns(rules, policies.n, asked)
    rows = {
        name: tuple(value(cases[at][name], score, name, known[at]) for score, at, _ in table)
        for name in first
    }
    not_kept = tuple(
        f"{column.title} of {name}: {one.reason}"
        for name, values in rows.items()
        for column, one in zip(table, values, strict=True)
        if one.reason and column.score.in_tables and not column.score.at_threshold
    )
    comparisons = [
        (Column(by[name], rule, policies.n), one)
        for rule in rules
        for name in (compared if baseline else ())
        for one in differences(known[rule], name, baseline)
    ]
    found.sort(key=lambda one: findings.KINDS.index(one.kind))
    reports = {name: one.join_report for name, one in results.items()}
    return ScoreTable(
        *(policies, groups, tuple(table), rows, tuple(comparisons), tuple(found)),
        doubts=not_kept,
        verdicts=tuple(one.verdicts[leads] for one in known.values() if leads in one.verdicts),
        holds=known[rules[0]].holds.get(leads),
        weight=counts_as,
        scored={rule: one.scored for rule, one in known.items()},
        runs={name: case.lists.run for name, case in first.items()},
        systems=systems(results),
        not_resampled=known[rules[0]].reason,
        joined={name: report and report.as_dict() for name, report in reports.items()},
    )


def per_query(
    results: Results,
    policies: Policies = Policies(),  # noqa: B008
) -> dict[str, list[str | float]]:
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
    results = policies.applied(results)
    each, memos = [*results.values()], {name: Memo() for name in results}

    def joined(name: str) -> list[str | float]:
        return [value for lists in each for value in getattr(lists, name).tolist()]

    first = each[0]
    rows: dict[str, list[str | float]] = {
        "query": joined("query"),
        "algorithm": [name for name, lists in results.items() for _ in lists.query],
        "weight": joined("weight"),
        "n_relevant": joined("n_relevant"),
    }
    if first.query_class is not None:
        rows["class"] = first.query_class.tolist() * len(each)
        if first.class_level:
            rows["class_level"] = [first.class_level] * len(rows["query"])
    for column in columns(policies.rules, policies.n, asked_for(first, policies.scores)):
        cases = [Case(one, column.rule, policies.n, memos[name]) for name, one in results.items()]
        values = [one.per_query(column.score) for one in cases if column.score.in_tables]
        known = [one for one in values if one is not None]
        if known and len(known) == len(results):
            rows[column.title] = np.concatenate(known).tolist()
    return rows


def _evaluate(cases: Cases, scores: Sequence[Score]) -> None:
    for case in cases.values():
        for one in scores:
            case.value(one)
            case.ties(one)
