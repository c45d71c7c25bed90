"""What scores are computed from: lists with a threshold, and what was computed of them before.

Several runs of one system, such as those of five seeds, are scored as one algorithm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, TypeVar
from weakref import ref

import numpy as np
from numpy.typing import ArrayLike

from tapviz import measures
from tapviz.lists import RetrievalLists
from tapviz.lists.checks import Floats
from tapviz.lists.reported import NotKeptError, not_kept
from tapviz.lists.runs import RUN
from tapviz.measures import roc
from tapviz.measures._common import each_per_query, means_defined, ratio
from tapviz.measures.intervals import interval_of, share_inside
from tapviz.measures.tap import taps, taps_k
from tapviz.scores.table import BY_NAME, Score, ThresholdRule

__all__ = ["Case", "Memo", "SystemCase"]

R = TypeVar("R")
PerQueryTies = measures.Bracket[Floats]
Figure = tuple[measures.Interval, Floats, Floats]
"""A figure with its interval, the replicates, and how it goes with each group."""


class Memo:
    """Values by name, each computed again only when what it depends on has changed.

    Examples
    --------
    >>> from tapviz import load_results, roc_n
    >>> from tapviz.scores import Memo
    >>> memo, lists = Memo(), load_results("profiles")["RPS-BLAST"]
    >>> memo.measure(roc_n, lists, n=50) is memo.measure(roc_n, lists, n=50)
    True
    """

    def __init__(self, values: Mapping[object, tuple[object, Any]] | None = None) -> None:
        self._values = dict(values or {})
        self._ahead: dict[object, Mapping[object, Any]] = {}

    def foresee(self, name: object, keys: Iterable[object], values: Iterable[object]) -> None:
        """Have values for some keys at hand, until others of that name are."""
        self._ahead[name] = dict(zip(keys, values, strict=True))

    def once(self, name: object, key: object, compute: Callable[[], R]) -> R:
        """Value of `compute`, evaluated again only when the key of that name has changed."""
        kept = self._values.get(name)
        if kept is None or kept[0] != key:
            ahead = self._ahead.get(name)
            kept = self._values[name] = (key, ahead[key] if ahead and key in ahead else compute())
        value: R = kept[1]
        return value

    def measure(
        self, function: Callable[..., R], lists: RetrievalLists, *args: object, **options: object
    ) -> R:
        """A measure of some lists, whose further arguments are hashable."""
        key = self.key(lists, *args, **options)
        return self.once(function, key, lambda: function(lists, *args, **options))

    @staticmethod
    def key(lists: RetrievalLists, *args: object, **options: object) -> object:
        """What the value of a measure depends on."""
        return ref(lists), args, tuple(options.items())

    def copy(self) -> Memo:
        """Another one with the same values."""
        return Memo(self._values)

    def fill(self, other: Memo) -> None:
        """Take over the values of names that have none here."""
        self._values = other._values | self._values


SumsByK = tuple[Floats, Floats, Floats, Floats]
"""What groups of queries contribute to TAP-k for k = 1, ..., K, or to TAP at K thresholds: as
listed, shape (K, G), with the worst order of records of equal score, and with the best; and the
variance by the choice of runs, shape (K,). See `tap_sums`."""


@dataclass(frozen=True, eq=False)
class Case:
    """One algorithm's lists with a threshold and n: what scores are computed from.

    Whoever changes the threshold or n makes another case with the same memo: only what depends
    on them is computed again.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, Memo, ThresholdRule
    >>> case = Case(load_results()["BLASTP"], ThresholdRule(k=5), n=50, memo=Memo())
    >>> round(case.tap.value, 4)
    0.3665
    """

    lists: RetrievalLists
    rule: ThresholdRule
    n: int
    memo: Memo
    runs: Mapping[str, Case] = field(default_factory=dict)
    """Those of several runs, by their names, if this is a system of several."""

    @cached_property
    def tap(self) -> measures.Tap:
        """TAP at the threshold."""
        how = self.rule._asdict()
        e0 = how.pop("e0")
        if self.rule.k is None:
            compute = partial(measures.tap, self.lists, e0, no_relevant=self.rule.no_relevant)
        else:
            compute = partial(measures.tap_k, self.lists, **how)
        return self.memo.once("tap", self.depends(BY_NAME["tap"]), compute)

    def tap_at(self, e0: float) -> measures.Tap:
        """TAP at another threshold than the one chosen."""
        return self.at(self.rule._replace(k=None, e0=e0)).tap

    @property
    def curve(self) -> measures.TapCurve:
        """Mean TAP at every threshold."""
        if self.rule.no_relevant == "reference":
            return self.memo.measure(measures.tap_curve, self.lists)  # as the plots have it
        return self.memo.measure(measures.tap_curve, self.lists, no_relevant=self.rule.no_relevant)

    @property
    def own_roc_n(self) -> Floats:
        """ROC_n of each query."""
        return self.memo.measure(measures.roc_n, self.lists, n=self.n).per_query

    def copy(self) -> Case:
        """The same with a memo of its own, for another thread."""
        return self.at(self.rule)

    def at(self, rule: ThresholdRule) -> Case:
        """The same lists at another threshold."""
        return replace(self, rule=rule, memo=self.memo.copy())

    def tap_sums(self, groups: measures.Groups, **how: Any) -> SumsByK:
        """What groups contribute to TAP: for each k, with E_k fixed or found anew; or at each E_0.

        As `measures.tap_sums` takes it.
        """
        how |= {"quantile": self.rule.quantile, "no_relevant": self.rule.no_relevant}
        ties = self.per_query_ties(BY_NAME["tap"])
        if ties is not None and ties.low is not ties.high:
            how["ties"] = ("listed", "pessimistic", "optimistic")
        listed, *ends = measures.tap_sums(self.lists, groups, **how)
        worst, best = ends or (listed, listed)
        return listed, worst, best, np.zeros(len(listed))

    def value(self, score: Score) -> float:
        """The score; NaN where undefined."""
        return self._known(score, "value", score.measure, math.nan)

    def reason(self, score: Score) -> str:
        """Why the score is undefined, where that is known; empty otherwise."""
        if score.at_threshold:
            return self.tap.reason
        found = self._once(score, "value", score.measure)
        if isinstance(found, NotKeptError):
            return str(found)
        return not_kept(self.lists, whole=True) if math.isnan(found) else ""

    def ties(self, score: Score) -> measures.Bracket[float] | None:
        """The score with the worst and the best order of records of equal score, if it has any."""
        if score.ties is not None:
            return self._known(score, "ties", score.ties, measures.Bracket(math.nan, math.nan))
        if score.reordered is None:
            return None

        def means(lists: RetrievalLists, **_: object) -> measures.Bracket[float] | None:
            each = self.per_query_ties(score)
            if each is None:
                return None
            low, high = (measures.mean_defined(values, lists.weight) for values in each)
            return measures.Bracket(low, high)

        return self._known(score, "ties", means, None)

    def per_query(self, score: Score) -> Floats | None:
        """What each query scores, (Q,), if the score is a mean over queries."""
        if score.per_query is None:
            return None
        unknown: Floats | None = np.full(self.lists.n_queries, np.nan)
        return self._known(score, "per_query", score.per_query, unknown)

    def scored(
        self, score: Score, groups: measures.Groups, *, fixed_threshold: bool = False
    ) -> measures.Scored:
        """What a difference from another algorithm by the score is judged by.

        Without what resamples tell of a score that is not a mean over queries.
        """
        linear, ties = None, self.per_query_ties(score)
        if score.linear is not None and not self.tap.reason:
            linear = score.linear(self.lists, self.tap, groups, fixed_threshold=fixed_threshold)
        return measures.Scored(
            value=self.value(score),
            per_query=self.per_query(score),
            linear=linear,
            ends=None if ties is None or ties.low is ties.high else (ties.low, ties.high),
            higher_is_better=score.sign > 0,
            reason=self.tap.reason if score.at_threshold else "",
        )

    def per_query_ties(self, score: Score) -> PerQueryTies | None:
        """What each query scores, (Q,), with the worst and the best order of equal scores.

        None if the score is not a mean over queries, or does not depend on the order. The two are
        one array where no query has relevant and irrelevant records of equal score.
        """
        again, listed = score.reordered, self.per_query(score)
        if again is None or listed is None:
            return None

        def compute(lists: RetrievalLists, **given: object) -> PerQueryTies:
            return measures.query_bracket(partial(again, **given), lists, listed)

        unknown = np.full(self.lists.n_queries, np.nan)
        return self._known(score, "per_query_ties", compute, measures.Bracket(unknown, unknown))

    def resampled(self, score: Score) -> measures.Replicate | None:
        """The score of other choices of the queries, if it has an interval of its own."""
        if score.resampled is not None:
            replicate = self._compute(score, score.resampled)
            return None if isinstance(replicate, NotKeptError) else replicate
        values = None if score.figure else self.per_query(score)
        return None if values is None else measures.mean_replicates(values)

    def _known(self, score: Score, what: str, function: Callable[..., R], unknown: R) -> R:
        """What a function makes of the case, or `unknown` where condensed lists do not tell."""
        value = self._once(score, what, function)
        return unknown if isinstance(value, NotKeptError) else value

    def _once(self, score: Score, what: str, function: Callable[..., R]) -> R | NotKeptError:
        """The same; why not, where condensed lists do not tell."""
        compute = partial(self._compute, score, function)
        return self.memo.once((score.name, what), self.depends(score), compute)

    def depends(self, score: Score) -> object:
        """What a score depends on."""
        rule, n = self.rule if score.at_threshold else None, self.n if score.at_n else None
        # The peak has no threshold, and hangs on what a query without relevant records counts.
        return ref(self.lists), rule, self.rule.no_relevant, n, score.measure

    def _compute(self, score: Score, function: Callable[..., R]) -> R | NotKeptError:
        """What a function makes of the case; why not, where condensed lists do not tell."""
        try:
            return function(self.lists, **{name: getattr(self, name) for name in score.takes})
        except NotKeptError as error:
            return error


Cases = Mapping[str, Case]
"""Those of several algorithms, by their names."""

# Several runs as one


def center(score: Score, values: Sequence[float]) -> float:
    """A score of several runs: the mean, or the median of thresholds."""
    return float(np.median(values) if score.range is None else np.mean(values))


@dataclass(frozen=True, eq=False)
class SystemCase(Case):
    """The lists of all runs of a system, to be scored: its scores are the means of theirs.

    Thresholds are the medians. What is undefined for a run is undefined for the system. `lists`
    are those of the first run, for what is common to all.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import SCORES, Case, Memo, SystemCase, ThresholdRule
    >>> rule, lists = ThresholdRule(k=5), load_results("profiles")
    >>> runs = {name: Case(one, rule, 50, Memo()) for name, one in lists.items()}
    >>> system = SystemCase.of(runs)
    >>> round(sum(one.value(SCORES[0]) for one in runs.values()) / 4, 4)
    0.3785
    >>> round(system.value(SCORES[0]), 4)
    0.3785
    """

    @classmethod
    def of(cls, runs: Cases) -> SystemCase:
        """That of several runs, at one threshold."""
        first = next(iter(runs.values()))
        return cls(first.lists, first.rule, first.n, first.memo, runs)

    @cached_property
    def tap(self) -> measures.Tap:
        """Mean TAP of the runs; its numbers by query are those of one of them."""
        taps = [one.tap for one in self.runs.values()]
        first = next((one for one in taps if one.reason), taps[0])
        value, e0 = np.mean([one.value for one in taps]), np.median([one.e0 for one in taps])
        return first._replace(value=float(value), e0=float(e0))

    def values(self, score: Score) -> list[float]:
        """The score of each run."""
        return [one.value(score) for one in self.runs.values()]

    def value(self, score: Score) -> float:
        """The score; NaN where undefined for a run."""
        return center(score, self.values(score))

    def reason(self, score: Score) -> str:
        """Why the score is undefined, where that is known; empty otherwise."""
        return next(filter(None, (one.reason(score) for one in self.runs.values())), "")

    def ties(self, score: Score) -> measures.Bracket[float] | None:
        """The score with the worst and the best order of records of equal score in all runs."""
        found = [one.ties(score) for one in self.runs.values()]
        known = [one for one in found if one is not None]
        if len(known) < len(found):
            return None
        return measures.Bracket(*(center(score, ends) for ends in zip(*known, strict=True)))

    def per_query_ties(self, score: Score) -> PerQueryTies | None:
        """What each query scores in the mean, (Q,), with those orders in all runs."""
        mean = _mean([one.per_query_ties(score) for one in self.runs.values()])
        return None if mean is None else measures.Bracket(*mean)

    def per_query(self, score: Score) -> Floats | None:
        """What each query scores in the mean, (Q,), if the score is a mean over queries."""
        return _mean([one.per_query(score) for one in self.runs.values()])

    def scored(
        self, score: Score, groups: measures.Groups, *, fixed_threshold: bool = False
    ) -> measures.Scored:
        """The same of the mean of the runs, which varies with the choice of runs, too."""
        runs = self.runs.values()
        found = [one.scored(score, groups, fixed_threshold=fixed_threshold) for one in runs]
        ends = None
        if any(one.ends is not None for one in found):
            both = [one.ends or (one.per_query, one.per_query) for one in found]
            low, high = (_mean(end) for end in zip(*both, strict=True))
            ends = None if low is None or high is None else (low, high)
        return found[0]._replace(
            value=self.value(score),
            per_query=_mean([one.per_query for one in found]),
            linear=_mean([one.linear for one in found]),
            ends=ends,
            run_variance=float(np.var(self.values(score), ddof=1)) / len(found),
            reason=next(filter(None, (one.reason for one in found)), ""),
        )

    def at(self, rule: ThresholdRule) -> SystemCase:
        """The same runs at another threshold."""
        return SystemCase.of({name: run.at(rule) for name, run in self.runs.items()})

    def tap_sums(self, groups: measures.Groups, **how: Any) -> SumsByK:
        """The same of the mean of the runs."""
        found = [run.tap_sums(groups, **how) for run in self.runs.values()]
        listed, worst, best, _ = (np.array(one) for one in zip(*found, strict=True))
        variance = listed.sum(axis=2).var(axis=0, ddof=1) / len(found)
        return listed.mean(axis=0), worst.mean(axis=0), best.mean(axis=0), variance


def _mean(values: Sequence[ArrayLike | None]) -> Floats | None:
    """Mean of the values of all runs; None if a run has none."""
    known = [one for one in values if one is not None]
    return np.array(known).mean(axis=0) if len(known) == len(values) else None


def bootstrap_cases(
    cases: Cases,
    others: Callable[[Case], Mapping[str, measures.Replicate]] = lambda _: {},
    **options: Any,
) -> measures.Bootstrap:
    """`bootstrap` of some cases, in which those of several runs are one algorithm each.

    A replicate of a system is the mean over its runs of the same queries drawn, with the runs
    drawn, too: a mean over the runs drawn, whose distance from that of all is stretched by
    sqrt(R / (R - 1)), so that it varies as the mean of R independent runs does. So its interval
    tells how the score varies with the queries and with the runs.

    Parameters
    ----------
    cases : mapping of str to Case
    others : callable, optional
        Other scores of a case, as `bootstrap` takes them.
    **options
        Of `bootstrap`.

    References
    ----------
    Bouthillier et al. (2021), Proc. Mach. Learn. Syst. 3:747, for taking the runs into account;
    Davison & Hinkley (1997), Bootstrap Methods and their Application, section 3.8.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, Memo, SystemCase, ThresholdRule
    >>> from tapviz.scores.case import bootstrap_cases
    >>> rule, lists = ThresholdRule(k=5), load_results("profiles")
    >>> system = SystemCase.of({name: Case(x, rule, 50, Memo()) for name, x in lists.items()})
    >>> found = bootstrap_cases({"system": system}, k=5, n_resamples=100).algorithms["system"]
    >>> found.tap.estimate == system.tap.value
    True
    """
    runs = {
        name: {f"{name}{RUN}{at}": run for at, run in enumerate(case.runs.values())} or {name: case}
        for name, case in cases.items()
    }
    single = {key: run for of in runs.values() for key, run in of.items()}
    lists = {key: run.lists for key, run in single.items()}
    also = {key: others(run) for key, run in single.items()}
    found = measures.bootstrap(lists, others=also, **options)
    algorithms = {
        name: found.algorithms[name] if name in of else _together([*of], name, found)
        for name, of in runs.items()
    }
    return found._replace(algorithms=algorithms)


def _together(names: Sequence[str], system: str, of: measures.Bootstrap) -> measures.Bootstrapped:
    """Intervals of a system from those of its runs."""
    runs, n_runs = [of.algorithms[name] for name in names], len(names)
    drawn = np.random.default_rng([of.seed, *system.encode()]).integers(
        n_runs, size=(runs[0].replicates.tap.size, n_runs)
    )
    unknown = np.full_like(runs[0].influences.tap, math.nan)

    def parts(name: str) -> list[Floats]:
        """Estimates of the runs, replicates and influences, each with a row for a run."""
        records = ((run, run.replicates, run.influences) for run in runs)
        values = ([_figure(record, name) for record in three] for three in records)
        at, made, goes = zip(*values, strict=True)
        return [np.array([one.estimate for one in at]), np.array(made), np.array(goes)]

    def mean(name: str) -> Figure:
        at, made, goes = parts(name)
        off = (at[drawn].mean(axis=1) - at.mean()) * math.sqrt(n_runs / (n_runs - 1))
        replicates, influence = made.mean(axis=0) + off, goes.mean(axis=0)
        share = share_inside(of.level, of.groups, influence)
        return interval_of(float(at.mean()), replicates, share), replicates, influence

    def median(name: str) -> Figure:
        at, made, _ = parts(name)
        with np.errstate(invalid="ignore"):  # the median of infinite thresholds
            replicates = np.median(np.take_along_axis(made.T, drawn, axis=1), axis=1)
            estimate = float(np.median(at))
        share = share_inside(of.level, of.groups)
        return interval_of(estimate, replicates, share, between=False), replicates, unknown

    usual = {name: mean(name) for name in ("tap", "peak")}
    usual |= {name: median(name) for name in ("e0", "peak_threshold")}
    others = {name: mean(name) for name in runs[0].others}

    def all_of(part: int) -> dict[str, Any]:
        known = {name: one[part] for name, one in usual.items()}
        return known | {"others": {name: one[part] for name, one in others.items()}}

    return measures.Bootstrapped(
        **all_of(0),
        not_reached=sum(one.not_reached for one in runs),
        replicates=measures.Replicates(**all_of(1)),
        influences=measures.Replicates(**all_of(2)),
        reason=next(filter(None, (one.reason for one in runs)), ""),
        peak_reason=next(filter(None, (one.peak_reason for one in runs)), ""),
    )


def _figure(record: measures.Bootstrapped | measures.Replicates, name: str) -> Any:
    return record.others[name] if name in record.others else getattr(record, name)


# Several thresholds, or n, at once, in a fraction of the time


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
