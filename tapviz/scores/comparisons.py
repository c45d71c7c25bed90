"""Intervals of scores, and comparisons of every two algorithms, by resampling the queries."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from tapviz import measures
from tapviz.lists import count
from tapviz.lists.checks import Floats
from tapviz.lists.reported import not_kept
from tapviz.measures._common import Progress, refuse
from tapviz.measures.differences import paired
from tapviz.scores.case import Case, Cases, bootstrap_cases
from tapviz.scores.column import Value, asked_for, comparable, comparable_scores
from tapviz.scores.conclusion import MAX_K, Elsewhere, Judge, PairsByK, conclude, holding
from tapviz.scores.holds import Holds
from tapviz.scores.table import BY_NAME, Score, ThresholdRule, rounded_alike
from tapviz.scores.verdict import Verdict

__all__ = ["EVERY_PAIR", "Compared", "EveryThreshold", "compare", "differences", "value"]

V = TypeVar("V")

TAP = BY_NAME["tap"]
OF_PEAK = ("peak", "peak_threshold", "peak_reason")
EVERY_PAIR = "all"
"""In place of a baseline: every two algorithms are compared."""
NOT_RESAMPLED: Mapping[measures.NoRelevant, str] = {
    "reference": "",
    "zero": "resampling cannot count T(q) = 0 as 0",
    "exclude": "resampling cannot leave out T(q) = 0",
}
"""Why there are no intervals of TAP, by the rule for queries without relevant records."""
OF_TAP = ("tap", "peak", "peak_threshold")
"""What resampling finds by the first of these rules alone."""


class Compared(NamedTuple):
    """What resampling the queries tells of the scores."""

    groups: measures.Groups
    """What is drawn, and changes its sign, as a whole: groups of queries, or single ones."""
    level: float
    """Of all intervals."""
    bootstrap: measures.Bootstrap | None
    """Intervals of every algorithm; None without resamples."""
    differences: tuple[measures.PairDifference, ...]
    """Of every two algorithms, by each score that was compared."""
    scored: Mapping[str, Mapping[str, measures.Scored]]
    """By score and algorithm: what the differences were found from."""
    verdicts: Mapping[str, Verdict]
    """What may be concluded, by the score compared; of none that is neither better nor worse where
    it is larger."""
    holds: Mapping[str, Holds]
    """How far that holds, likewise."""
    elsewhere: Elsewhere
    """Every two algorithms by TAP at every k, and at a common threshold."""
    reason: str = ""
    """Why there are no intervals of TAP and its peak, where some were asked for."""
    chosen: bool = False
    """Whether the queries were chosen by how the algorithms do on them: there is no verdict."""

    def __repr__(self) -> str:
        """What was compared, without the arrays that it was found from."""
        names = dict.fromkeys(name for one in self.scored.values() for name in one)
        return f"<Compared: {', '.join(names)} by {count(len(self.scored), 'score')}>"

    def verdict(self, score: str) -> Verdict | None:
        """What may be concluded by a score; by TAP, where it is neither better nor worse."""
        return self.verdicts.get(score, self.verdicts.get("tap"))

    def holding(self, score: str) -> Holds | None:
        """How far that holds, where it is known."""
        return self.holds.get(score if score in self.verdicts else "tap")

    def at_any(self, setting: Literal["threshold", "n"]) -> Compared:
        """The same but for the scores that depend on a setting."""

        def stays(score: str) -> bool:
            return score not in BY_NAME or not getattr(BY_NAME[score], f"at_{setting}")

        def rest(of: Mapping[str, V]) -> dict[str, V]:
            return {score: one for score, one in of.items() if stays(score)}

        if (resampled := self.bootstrap) is not None:
            algorithms = resampled.algorithms.items()
            fewer = {name: one._replace(others=rest(one.others)) for name, one in algorithms}
            resampled = resampled._replace(algorithms=fewer)
        return self._replace(
            bootstrap=resampled,
            differences=tuple(one for one in self.differences if stays(one.score)),
            scored=rest(self.scored),
            verdicts=rest(self.verdicts),
            holds=rest(self.holds),
        )


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
    known = compared if score.has_interval else None
    none, resampled = "", None if known is None else known.bootstrap
    if known is not None and resampled is not None and algorithm in resampled.algorithms:
        found = resampled.algorithms[algorithm]
        interval = score.figure_in(found)
        if interval is not None and (score.figure or math.isfinite(number)):
            _, low, high = rounded_alike(number, *interval[1:])
        none = resampled.reason or (found.reason if math.isfinite(number) else "")
        if score.figure in OF_TAP:
            none = known.reason or none
        if few := _few(case, score, known.groups):
            low, high, none = math.nan, math.nan, few
    worst, best = case.ties(score) or (math.nan, math.nan)
    reason, short = case.reason(score), score.at_threshold and case.tap.too_short
    runs = tuple(one.value(score) for one in case.runs.values())
    return Value(number, low, high, worst, best, reason, short, none, runs)


def _few(case: Case, score: Score, groups: measures.Groups) -> str:
    """Why too few groups have a score for an interval, where some queries may be without it."""
    if case.lists.n_relevant.all() and not case.lists.given:
        return ""
    scored = case.per_query(score)
    return "" if scored is None else groups.few_among(~np.isnan(scored))


def compare(
    cases: Cases,
    progress: measures.OnProgress | None = None,
    *,
    n_resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    groups: measures.GroupsOf = "relevance",
    scores: Sequence[Score] | None = None,
    all_scores: bool = True,
    compared: Collection[str] | None = None,
    kept: Collection[str] = (),
    peak: bool = False,
    fixed_threshold: bool = False,
    chosen: bool = False,
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
    peak : bool
        Whether the peak has one, which takes longer.
    fixed_threshold : bool
        Whether E_k of all queries is taken in each resample.
    chosen : bool
        Whether the queries were chosen by how algorithms do on them: nothing is concluded then.

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
    refuse(not cases, "expected at least one algorithm")
    one_case = next(iter(cases.values()))
    rule, first, resampled = one_case.rule, one_case.lists, None
    drawn = measures.as_groups(groups, first)
    usual = asked_for(first) if scores is None else scores
    compared = comparable_scores(first) if compared is None else compared
    by = [comparable(name, first) for name in dict.fromkeys([*compared, *kept])]
    reason = "" if first.n_relevant.all() or not n_resamples else NOT_RESAMPLED[rule.no_relevant]
    also = [one for one in dict.fromkeys([*usual, *by]) if all_scores or one.at_threshold]

    def others(case: Case) -> dict[str, measures.Replicate]:
        found = {one.name: case.resampled(one) for one in also}
        return {name: one for name, one in found.items() if one is not None}

    judge = Judge(drawn, level, seed, fixed_threshold)
    if n_resamples > 0:
        at = {"e0": rule.e0} if rule.k is None else {"k": rule.k, "quantile": rule.quantile}
        how = {"n_resamples": n_resamples, "peak": peak, "progress": progress} | judge._asdict()
        resampled = bootstrap_cases(cases, others, **at, **how)
        if reason:
            none = measures.Interval(math.nan, math.nan, math.nan)
            known = {
                name: one._replace(tap=none, peak=none, peak_threshold=none)
                for name, one in resampled.algorithms.items()
            }
            resampled = resampled._replace(algorithms=known)
    without = OF_TAP if reason else ()
    scored = {
        score.name: {
            name: _scored(case, score, name, judge, None if score.figure in without else resampled)
            for name, case in cases.items()
        }
        for score in by
    }
    differences = judge.pairwise({name: scored[name] for name in compared}, first)
    elsewhere = Elsewhere(None, None)
    if "tap" in compared:
        Progress(progress, 1)  # so that the work can be stopped here, too
        elsewhere = Elsewhere.of(cases, judge)
    if (judged := elsewhere.at(rule)) is not None:  # the records that it has, no others
        taps = paired("tap", scored["tap"], drawn, judged, _not_kept(cases))
        differences = [*taps, *(one for one in differences if one.score != "tap")]
    verdicts: dict[str, Verdict] = {}
    holds: dict[str, Holds] = {}
    about = scored, verdicts, holds, elsewhere, reason, chosen
    found = Compared(drawn, level, resampled, tuple(differences), *about)
    for score in by:
        if score.name in compared and score.higher_is_better is not None:
            values = {
                name: measures.Interval(*value(case, score, name, found)[:3])
                for name, case in cases.items()
            }
            pairs = [one for one in differences if one.score == score.name]
            verdicts[score.name] = conclude(
                cases, score, values, pairs, judge, elsewhere, chosen=chosen
            )
            if (far := holding(cases, score, verdicts[score.name], judge)) is not None:
                holds[score.name] = far
    return found


def differences(
    compared: Compared, score: str, baseline: str = EVERY_PAIR
) -> list[measures.PairDifference]:
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
        return measures.against(compared.differences, baseline, score)
    return [one for one in compared.differences if one.score == score]


def _scored(
    case: Case, score: Score, algorithm: str, judge: Judge, resampled: measures.Bootstrap | None
) -> measures.Scored:
    """A score of an algorithm, to be compared with that of others."""
    found = case.scored(score, judge.groups, fixed_threshold=judge.fixed_threshold)
    if found.per_query is not None or resampled is None:
        return found
    known = resampled.algorithms[algorithm]
    replicates, influence = map(score.figure_in, (known.replicates, known.influences))
    if influence is not None and np.isnan(influence).all():  # of a threshold
        influence = None
    of_threshold = score.name == "threshold" and not case.runs and case.tap.k is not None
    if of_threshold and replicates is not None and np.isfinite(replicates).all():
        influence = _of_threshold(case, judge.groups) * float(np.std(replicates))
    ties = case.ties(score)
    ends = None if ties is None or np.isnan(ties).any() else (ties.low, ties.high)
    return found._replace(replicates=replicates, influence=influence, ends=ends)


def _not_kept(cases: Cases, otherwise: str = "") -> dict[str, str]:
    """What of each algorithm was not kept that some resamples ask for, if anything."""
    lists = {name: case.lists for name, case in cases.items()}
    return {name: not_kept(one, to=one.sign * math.inf) or otherwise for name, one in lists.items()}


def _of_threshold(case: Case, groups: measures.Groups) -> Floats:
    """How E_k goes with each group, (G,), in its standard errors: by the queries with k errors."""
    slope = measures.slope_at(case.lists, case.tap.e0, groups, case.curve, k=case.tap.k or 1)
    apart = groups.sums(case.lists.weight * (slope.share - slope.reached))
    return apart / (np.linalg.norm(apart) or math.nan)


class EveryThreshold(NamedTuple):
    """Comparisons at one k or E_0, and what of them is another at every k, or at other E_0.

    Differences of E_k and of errors per query are not among them.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, EveryThreshold, Memo, ThresholdRule, compare
    >>> results = load_results("profiles")
    >>> at = {k: {name: Case(lists, ThresholdRule(k=k), 50, Memo())
    ...           for name, lists in results.items()} for k in (5, 7)}
    >>> every = EveryThreshold.of(at[5], compare(at[5], n_resamples=100))
    >>> found = every.at(at[7]).bootstrap.algorithms["RPS-BLAST"].tap
    >>> [round(number, 2) for number in found]
    [0.36, 0.33, 0.4]
    """

    compared: Compared
    """At some k or E_0."""
    resampled: measures.BootstrapByK | measures.BootstrapByE0
    pairs: PairsByK | None
    """Every two algorithms there; None where nothing can be compared."""
    judge: Judge

    @classmethod
    def of(
        cls,
        cases: Cases,
        compared: Compared,
        e0: Sequence[float] = (),
        *,
        fixed_threshold: bool = False,
        progress: measures.OnProgress | None = None,
    ) -> EveryThreshold:
        """Resample at every k; or at thresholds, if one is given.

        Parameters
        ----------
        cases : mapping of str to Case
            Of single algorithms, at some k or E_0.
        compared : Compared
            Of the same, with resamples.
        e0 : sequence of float
            Where E_0 is given, those that it may be, in whatever order.
        fixed_threshold : bool
            As they were compared.
        progress : callable, optional
            Called with the work done and its total; False stops it.

        Raises
        ------
        ValueError
            If there are no resamples.
        Cancelled
            If `progress` returned False.
        """
        known, rule = compared.bootstrap, next(iter(cases.values())).rule
        if known is None:
            raise ValueError("compared: expected resamples")
        judge = Judge(compared.groups, known.level, known.seed, fixed_threshold)
        lists = {name: case.lists for name, case in cases.items()}
        how = judge._asdict() | {"n_resamples": known.n_resamples, "progress": progress}
        if rule.k is not None:
            by_k = measures.bootstrap_by_k(lists, max_k=MAX_K, quantile=rule.quantile, **how)
            return cls(compared, by_k, compared.elsewhere.every_k, judge)
        del how["fixed_threshold"]  # of E_k
        first = next(iter(cases.values()))
        rising = sorted(e0, key=lambda one: first.lists.sign * one)
        by_e0 = measures.bootstrap_by_e0(lists, rising, **how)
        several = len(cases) > 1 and not judge.few(first) and first.lists.n_relevant.any()
        pairs = PairsByK.of(cases, judge, thresholds=by_e0.e0) if several else None
        return cls(compared, by_e0, pairs, judge)

    def place(self, rule: ThresholdRule) -> int | None:
        """Where a threshold is among those that were resampled; None if it is not."""
        if isinstance(self.resampled, measures.BootstrapByK):
            return rule.k - 1 if rule.k is not None and rule.k <= MAX_K else None
        e0 = self.resampled.e0
        return e0.index(rule.e0) if rule.k is None and rule.e0 in e0 else None

    def at(self, cases: Cases) -> Compared:
        """The same at the threshold of cases, one of those that were resampled."""
        old, rule = self.compared.at_any("threshold"), next(iter(cases.values())).rule
        place = self.place(rule)
        if place is None:
            raise ValueError(f"{rule.title}: expected a threshold that was resampled")
        found = {name: one.at(place) for name, one in self.resampled.algorithms.items()}
        before = old.bootstrap.algorithms if old.bootstrap is not None else {}
        algorithms = {}
        for name, one in found.items():
            peak = {field: getattr(before[name], field) for field in OF_PEAK}
            algorithms[name] = one._replace(**peak, others=before[name].others | one.others)
        taps = {
            name: measures.Scored(case.value(TAP), case.per_query(TAP), reason=case.tap.reason)
            for name, case in cases.items()
        }
        judged = {} if self.pairs is None else self.pairs.at(place)
        why = _not_kept(cases, old.groups.few or "it was not resampled")
        pairs = paired(TAP.name, taps, old.groups, judged, why)
        values = {
            name: rounded_alike(one.value, *algorithms[name].tap[1:]) for name, one in taps.items()
        }
        verdict = conclude(cases, TAP, values, pairs, self.judge, old.elsewhere, chosen=old.chosen)
        return old._replace(
            bootstrap=self.resampled.setting._replace(algorithms=algorithms, k=rule.k),
            differences=(*pairs, *old.differences),
            scored={**old.scored, TAP.name: taps},
            verdicts={TAP.name: verdict, **old.verdicts},
        )
