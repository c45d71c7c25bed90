"""From scores to a verdict: the records of every two algorithms, at every place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import nan
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from tapviz import measures
from tapviz.lists import RetrievalLists, all_kept
from tapviz.lists.checks import Floats
from tapviz.measures.differences import NO_COMMON, Judged, in_common, judged_at
from tapviz.measures.intervals import signs
from tapviz.measures.tap import weights_of
from tapviz.measures.tap_curves import SAME
from tapviz.scores.case import Case, Cases
from tapviz.scores.findings import shared_relevant
from tapviz.scores.holds import Holds, how_far
from tapviz.scores.more import COMMON_E
from tapviz.scores.table import BY_NAME, Score, ThresholdRule
from tapviz.scores.verdict import Basis, ByK, Place, There, Verdict, best_first, ordered, verdict

MAX_K = 100
"""The order is looked at for each k from 1 to this."""
OTHER_E = (COMMON_E, 0.1, 1.0)
"""E-values at which it is looked at how far a conclusion holds."""
CHOSEN_QUERIES = "these queries were chosen by how programs do on them"
"""Why nothing is concluded from them: they would say what they were chosen for."""


def common_threshold(results: Iterable[RetrievalLists], e0: float = COMMON_E) -> float | None:
    """E-value at which all are judged besides; None if it is beyond all, or scores are none.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores.conclusion import common_threshold
    >>> common_threshold(load_results().values())
    0.01
    """
    given = list(results)
    scores = [lists.score for lists in given if lists.score.size]
    if not scores or not e_values(given):
        return None
    return e0 if min(map(np.min, scores)) <= e0 <= max(map(np.max, scores)) else None


def e_values(results: Iterable[RetrievalLists]) -> bool:
    """Whether scores are E-values, as far as one can see: they ascend from 0 or above.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores.conclusion import e_values
    >>> e_values(load_results().values())
    True
    """
    return all(one.direction == "ascending" and one.score.min(initial=0) >= 0 for one in results)


class Judge(NamedTuple):
    """What differences are judged by, and resamples drawn by: named as `bootstrap` takes it."""

    groups: measures.Groups
    """Queries that change their sign together."""
    level: float = 0.95
    seed: int = 0
    """Of random signs."""
    fixed_threshold: bool = False
    """Whether E_k is taken for known."""

    def few(self, case: Case) -> str:
        """Why too few groups of queries have a TAP for an interval; empty if there are enough."""
        return self.groups.few_among(weights_of(case.lists, case.rule.no_relevant) > 0)

    def basis(self, case: Case, left_out: int = 0) -> Basis:
        """What a verdict on some lists rests on, in which so many queries have no part."""
        single = not self.groups.grouped and not measures.class_depth(case.lists)
        dependent = single and bool(shared_relevant(measures.shares_relevant(case.lists)))
        method = f"{signs(self.groups.count, self.seed).words} of {self.groups.unit}"
        return Basis(self.groups, self.level, method, dependent, left_out)

    def in_common(
        self, scored: Mapping[str, measures.Scored], lists: RetrievalLists
    ) -> tuple[Judge, dict[str, measures.Interval], int]:
        """The same on the queries that all algorithms have, the scores there, and what is left out.

        The last is the number of queries of which some algorithms have a score, but not all.
        """
        found, groups, _, left_out = in_common(scored, self.groups, lists.weight)
        means = {name: measures.Interval(one.value, nan, nan) for name, one in found.items()}
        return self._replace(groups=groups), means, left_out

    def scored(self, cases: Cases, score: Score) -> dict[str, measures.Scored]:
        """What algorithms are compared from, by a score that is a mean over queries."""
        how = {"fixed_threshold": self.fixed_threshold}
        return {name: case.scored(score, self.groups, **how) for name, case in cases.items()}

    def pairs(self, cases: Cases, score: Score) -> list[measures.PairDifference]:
        """Every two algorithms by such a score."""
        lists = next(iter(cases.values())).lists
        return self.pairwise({score.name: self.scored(cases, score)}, lists)

    def pairwise(
        self, scored: Mapping[str, Mapping[str, measures.Scored]], lists: RetrievalLists
    ) -> list[measures.PairDifference]:
        """Every two algorithms by some scores, whose queries are weighted as those of lists."""
        return measures.pairwise(
            scored, groups=self.groups, weight=lists.weight, level=self.level, seed=self.seed
        )


def at_threshold(cases: Cases, score: Score, judge: Judge, e0: float) -> There:
    """Every two algorithms at a threshold that is common to all.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import as_groups
    >>> from tapviz.scores import SCORES, Case, Memo, ThresholdRule
    >>> from tapviz.scores.conclusion import Judge, at_threshold
    >>> results, rule = load_results("profiles"), ThresholdRule(k=5)
    >>> cases = {name: Case(lists, rule, 50, Memo()) for name, lists in results.items()}
    >>> judge = Judge(as_groups("relevance", results["RPS-BLAST"]))
    >>> there = at_threshold(cases, SCORES[0], judge, 0.01)
    >>> there.at, len(there.pairs)
    ('E=0.01', 6)
    """
    there = {name: case.at(case.rule._replace(k=None, e0=e0)) for name, case in cases.items()}
    pairs = judge.pairs(there, score)
    unknown = tuple(name for name, case in there.items() if not np.isfinite(case.tap.value))
    known = [one for one in pairs if one.first not in unknown and one.second not in unknown]
    return There(f"E = {e0:g}", tuple(known), unknown)


def among(there: There, names: Sequence[str]) -> There:
    """The same of some algorithms, the first of each pair as the names have it.

    Examples
    --------
    >>> from tapviz.scores.conclusion import among
    >>> from tapviz.scores.verdict import There
    >>> among(There("E = 0.01", (), ("A", "B")), ["B", "C"]).unknown
    ('B',)
    """
    some = [one for one in there.pairs if one.first in names and one.second in names]
    unknown = tuple(name for name in there.unknown if name in names)
    return there._replace(pairs=ordered(names, some), unknown=unknown)


class Elsewhere(NamedTuple):
    """Every two algorithms by TAP at places that do not change with k."""

    every_k: PairsByK | None
    """At every k; None where a threshold is given, or nothing can be compared."""
    common: There | None
    """At a common threshold; None likewise, or where scores are not E-values."""

    @classmethod
    def of(cls, cases: Cases, judge: Judge) -> Elsewhere:
        """Judge them there; nowhere, where nothing can be compared."""
        first, several = next(iter(cases.values())), len(cases) > 1
        alike = several and not (judge.few(first) or first.rule.k is None or first.lists.given)
        if not (alike and first.lists.n_relevant.any()):
            return cls(None, None)
        e0 = common_threshold(case.lists for case in cases.values())
        common = None if e0 is None else at_threshold(cases, BY_NAME["tap"], judge, e0)
        how = {"max_k": MAX_K, "fixed_threshold": judge.fixed_threshold}
        return cls(PairsByK.of(cases, judge, **how), common)

    def at(self, rule: ThresholdRule) -> dict[tuple[str, str], Judged] | None:
        """What is judged of every two at the k of a rule; None where that is not among them."""
        if self.every_k is None or rule.k is None or rule.k > MAX_K or rule.short_lists != "error":
            return None
        return self.every_k.at(rule.k - 1)


class PairsByK(NamedTuple):
    """Every two algorithms by TAP-k for k = 1, ..., K, or by TAP at K thresholds."""

    names: tuple[str, ...]
    taps: Floats
    """TAP of each algorithm, shape (A, K); NaN where there is none."""
    pairs: measures.Contrasts
    """Shape (K, P), pairs as `itertools.combinations` has them; NaN where one has no TAP."""
    kept: bool
    """Whether all lists are whole."""

    @classmethod
    def of(cls, cases: Cases, judge: Judge, **how: Any) -> PairsByK:
        """Judge every two algorithms at every k, or at every E_0, among all that have a TAP there.

        As `measures.tap_sums` takes it.
        """
        groups = judge.groups
        sums = [case.tap_sums(groups, **how) for case in cases.values()]
        listed, worst, best, variance = (np.array(one) for one in zip(*sums, strict=True))
        ends = (worst, best) if any(low is not high for _, low, high, _ in sums) else None
        first = next(iter(cases.values()))
        weight = weights_of(first.lists, first.rule.no_relevant)
        share, level, seed = groups.sums(weight / weight.sum()), judge.level, judge.seed
        found = measures.contrasts(
            listed, share, level=level, seed=seed, ends=ends, more_variance=variance
        )
        kept = all(all_kept(case.lists) for case in cases.values())
        return cls((*cases,), listed.sum(axis=2), found, kept)

    def at(self, place: int) -> dict[tuple[str, str], Judged]:
        """What is judged of every two at one of them, as `paired` takes it."""
        return judged_at(self.pairs, place, self.names)

    def among(self, names: Sequence[str]) -> ByK:
        """Some of the pairs, the first of each as the names have it, for each k that all have."""
        taps = self.taps[[self.names.index(name) for name in names]]
        undefined = np.isnan(taps).any(axis=0)
        last = int(np.argmax(undefined)) if undefined.any() else undefined.size
        beyond = zip(names, np.isnan(taps[:, last : last + 1]), strict=True)
        ends = tuple(name for name, unknown in beyond if unknown.any())
        place = {pair: at for at, pair in enumerate(combinations(self.names, 2))}
        wanted = [*combinations(names, 2)]
        turned = np.array([pair not in place for pair in wanted], np.bool_)
        some = [place.get(pair, place.get(pair[::-1], -1)) for pair in wanted]
        difference, low, high, p = (one[:last, some] for one in self.pairs[:4])
        low, high = np.where(turned, [-high, -low], [low, high])
        return ByK(
            last, ends, np.where(turned, -difference, difference) + 0.0, low, high, p, self.kept
        )


def conclude(
    cases: Cases,
    score: Score,
    values: Mapping[str, measures.Interval],
    pairs: Iterable[measures.PairDifference],
    judge: Judge,
    elsewhere: Elsewhere,
    *,
    chosen: bool = False,
) -> Verdict:
    """Say what may be concluded from a score of some algorithms.

    Parameters
    ----------
    cases : mapping of str to Case
        Of each algorithm, at one threshold.
    score : Score
    values : mapping of str to Interval
        The score of each algorithm, with its interval where that is known.
    pairs : iterable of PairDifference
        Every two of them by the score.
    judge : Judge
    elsewhere : Elsewhere
        The same at other places, of TAP-k.
    chosen : bool
        Whether the queries were chosen by how the algorithms do on them: nothing is concluded then.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, Memo, ThresholdRule, compare
    >>> results = load_results("profiles")
    >>> cases = {
    ...     name: Case(lists, ThresholdRule(k=5), 50, Memo()) for name, lists in results.items()
    ... }
    >>> compare(cases, n_resamples=0).verdicts["tap"].tiers[0]
    ('HMMER3 hmmscan',)
    """
    first, left_out = next(iter(cases.values())), 0
    rule = first.rule
    without = [name for name, one in values.items() if not np.isfinite(one.estimate)]
    if first.lists.given or not first.lists.n_relevant.all():  # queries may be without the score
        judge, means, left_out = judge.in_common(judge.scored(cases, score), first.lists)
        values = means if left_out else values
    judged = {name: one for name, one in values.items() if np.isfinite(one.estimate)}
    place = Place(
        score.titled(rule, first.n),
        k=rule.k if score.at_threshold else None,
        e0=rule.e0 if score.at_threshold and rule.k is None else None,
        higher_is_better=score.sign > 0,
    )
    names, lists = best_first(judged, higher_is_better=place.higher_is_better), first.lists
    some, reason = {name: cases[name] for name in names}, CHOSEN_QUERIES if chosen else ""
    if left_out and not names:
        reason = NO_COMMON
    nothing = lists.n_queries > 0 and not lists.given and not lists.n_relevant.any()
    at_k = len(names) > 1 and score.name == "tap" and rule.k is not None
    every_k, there = elsewhere if at_k else (None, None)
    return verdict(
        place,
        judged,
        [one for one in pairs if one.first in some and one.second in some],
        judge.basis(first, left_out),
        thresholds={
            name: case.tap.e0
            for name, case in some.items()
            if score.at_threshold and np.isfinite(case.tap.e0)  # lists that are padded have none
        },
        by_k=None if every_k is None else every_k.among(names),
        common=None if there is None else among(there, names),
        left_out={name: cases[name].reason(score) or "the score is undefined" for name in without},
        reason="nothing is relevant to any query" if nothing else reason,
    )


def holding(cases: Cases, score: Score, found: Verdict, judge: Judge) -> Holds | None:
    """How far a verdict holds: by other groups, at other thresholds, and for any order of ties.

    Parameters
    ----------
    cases : mapping of str to Case
    score : Score
    found : Verdict
        Of these.
    judge : Judge

    Returns
    -------
    Holds or None
        None where there is no verdict, or nothing to compare.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import as_groups
    >>> from tapviz.scores import SCORES, Case, Memo, ThresholdRule, compare
    >>> from tapviz.scores.conclusion import Judge, holding
    >>> results = load_results("profiles")
    >>> rule = ThresholdRule(k=5)
    >>> cases = {name: Case(lists, rule, 50, Memo()) for name, lists in results.items()}
    >>> found = compare(cases, n_resamples=0).verdicts["tap"]
    >>> judge = Judge(as_groups("relevance", results["RPS-BLAST"]))
    >>> [one.name for one in holding(cases, SCORES[0], found, judge).conditions][:2]
    ['family', 'superfamily']
    """
    if found.reason or len(found.values) < 2:  # noqa: PLR2004
        return None
    some = {name: cases[name] for name in found.values}
    theres = [*_by_groups(some, score, found, judge)]
    if found.place.k is not None:
        lists = [case.lists for case in some.values()]
        known = [e0 for e0 in OTHER_E if common_threshold(lists, e0) is not None]
        theres += [among(at_threshold(cases, score, judge, e0), [*some]) for e0 in known]
    if not next(iter(some.values())).lists.given:  # of which nobody knows what is tied
        theres.append(_any_order(some, score, found))
    return how_far(found, theres, found.by_k)


def _any_order(cases: Cases, score: Score, found: Verdict) -> There:
    """The same pairs for every order of equal scores, of which condensed lists may not tell.

    What is clear is so for every order. Where nothing is, a pair has the difference in that order
    which favours its first algorithm least, and the interval of that.
    """
    sign, brackets = score.sign, {name: case.ties(score) for name, case in cases.items()}
    ends = {name: np.sort(sign * np.array(of)) for name, of in brackets.items() if of is not None}
    unknown = tuple(name for name, of in ends.items() if np.isnan(of).any())
    pairs = [one for one in found.pairs if one.first not in unknown and one.second not in unknown]
    if ends and not found.clear:
        for place, one in enumerate(pairs):
            (worst, best), (lowest, most) = ends[one.first], ends[one.second]
            least, at = float(worst - most), one.difference
            least = 0.0 if abs(least) <= SAME else least
            # The interval begins as far below it; of a mean it ends as far above, of another score
            # as far as it ends beyond the order that favours the first most.
            reach = least - at.low if score.per_query else at.high - float(best - lowest)
            pairs[place] = one._replace(difference=at._replace(estimate=least, high=least + reach))
    return There("every order of ties", tuple(pairs), unknown, kind="ties")


def _by_groups(cases: Cases, score: Score, found: Verdict, judge: Judge) -> Iterator[There]:
    """The same pairs with the queries grouped by each level of their classes but the first."""
    first = next(iter(cases.values()))
    lists, names = first.lists, measures.level_names(first.lists)
    for level in range(len(names), max(min(len(names), 2), 1) - 1, -1):
        by_level = partial(measures.class_groups, lists, level)
        groups = first.memo.once(("groups", level), ref(lists), by_level)  # for each score
        pairs: Iterable[measures.PairDifference] = found.pairs
        if groups.few:
            pairs = ()
        elif not np.array_equal(groups.code, judge.groups.code):
            pairs = judge._replace(groups=groups).pairs(cases, score)
        yield There(names[level - 1], ordered([*cases], pairs), kind="groups", reason=groups.few)
