"""What scores are computed from: lists with a threshold, and what was computed of them before."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from tapviz import measures
from tapviz.lists import RetrievalLists
from tapviz.lists.reported import NotKeptError, not_kept
from tapviz.scores.table import BY_NAME, Score, ThresholdRule

__all__ = ["Case", "Memo"]

R = TypeVar("R")


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

    def once(self, name: object, key: object, compute: Callable[[], R]) -> R:
        """Value of `compute`, evaluated again only when the key of that name has changed."""
        kept = self._values.get(name)
        if kept is None or kept[0] != key:
            kept = self._values[name] = (key, compute())
        value: R = kept[1]
        return value

    def measure(
        self, function: Callable[..., R], lists: RetrievalLists, *args: object, **options: object
    ) -> R:
        """A measure of some lists, whose further arguments are hashable."""
        key = (ref(lists), args, tuple(options.items()))
        return self.once(function, key, lambda: function(lists, *args, **options))

    def copy(self) -> Memo:
        """Another one with the same values."""
        return Memo(self._values)

    def fill(self, other: Memo) -> None:
        """Take over the values of names that have none here."""
        self._values = other._values | self._values


class SumsByK(NamedTuple):
    """What groups of queries contribute to TAP-k for k = 1, ..., K; see `tap_sums`."""

    listed: NDArray[np.float64]
    """Shape (K, G)."""
    worst: NDArray[np.float64]
    """With the worst order of records of equal score, and with the best."""
    best: NDArray[np.float64]
    run_variance: NDArray[np.float64]
    """Variance of TAP-k by the choice of runs, shape (K,)."""


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

    @cached_property
    def tap(self) -> measures.Tap:
        """TAP at the threshold."""
        rule = self.rule
        if rule.k is None:
            return self.memo.measure(
                measures.tap, self.lists, rule.e0, no_relevant=rule.no_relevant
            )
        return self.memo.measure(
            measures.tap_k,
            self.lists,
            k=rule.k,
            quantile=rule.quantile,
            short_lists=rule.short_lists,
            no_relevant=rule.no_relevant,
        )

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
    def own_roc_n(self) -> NDArray[np.float64]:
        """ROC_n of each query."""
        return self.memo.measure(measures.roc_n, self.lists, n=self.n).per_query

    @property
    def runs(self) -> Mapping[str, Case]:
        """Those of several runs, by their names, if this is a system of several."""
        return {}

    def copy(self) -> Case:
        """The same with a memo of its own, for another thread."""
        return replace(self, memo=self.memo.copy())

    def tap_by_k(self, max_k: int) -> measures.TapByK:
        """TAP-k and E_k for each k from 1, at the quantile of the threshold."""
        quantile = self.rule.quantile
        return self.memo.measure(measures.tap_by_k, self.lists, max_k=max_k, quantile=quantile)

    def at(self, rule: ThresholdRule) -> Case:
        """The same lists at another threshold."""
        return replace(self, rule=rule, memo=self.memo.copy())

    def tap_sums(self, max_k: int, groups: measures.Groups, *, fixed: bool) -> SumsByK:
        """What groups contribute to TAP-k for each k from 1, with E_k `fixed` or found anew."""
        sums = partial(
            measures.tap_sums,
            self.lists,
            groups,
            max_k=max_k,
            quantile=self.rule.quantile,
            no_relevant=self.rule.no_relevant,
            fixed_threshold=fixed,
        )
        ties, none = self.per_query_ties(BY_NAME["tap"]), np.zeros(max_k)
        if ties is None or ties.low is ties.high:
            (listed,) = sums()
            return SumsByK(listed, listed, listed, none)
        listed, worst, best = sums(ties=("listed", "pessimistic", "optimistic"))
        return SumsByK(listed, worst, best, none)

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

        return self._known(score, "ties", means, None, key=score.reordered)

    def per_query(self, score: Score) -> NDArray[np.float64] | None:
        """What each query scores, (Q,), if the score is a mean over queries."""
        if score.per_query is None:
            return None
        unknown: NDArray[np.float64] | None = np.full(self.lists.n_queries, np.nan)
        return self._known(score, "per_query", score.per_query, unknown)

    def scored(
        self, score: Score, groups: measures.Groups, *, fixed_threshold: bool = False
    ) -> measures.Scored:
        """What a difference from another algorithm by the score is judged by.

        Without what resamples tell of a score that is no mean over queries.
        """
        linear, ties = None, self.per_query_ties(score)
        if score.linear is not None and not self.tap.reason:
            linear = score.linear(
                self.lists, tap=self.tap, groups=groups, fixed_threshold=fixed_threshold
            )
        return measures.Scored(
            value=self.value(score),
            per_query=self.per_query(score),
            linear=linear,
            ends=None if ties is None or ties.low is ties.high else (ties.low, ties.high),
            higher_is_better=score.higher_is_better is not False,
            reason=self.tap.reason if score.at_threshold else "",
        )

    def per_query_ties(self, score: Score) -> measures.Bracket[NDArray[np.float64]] | None:
        """What each query scores, (Q,), with the worst and the best order of equal scores.

        None if the score is no mean over queries, or does not depend on the order. The two are one
        array where no query has relevant and irrelevant records of equal score.
        """
        again, listed = score.reordered, self.per_query(score)
        if again is None or listed is None:
            return None

        def compute(
            lists: RetrievalLists, **given: object
        ) -> measures.Bracket[NDArray[np.float64]]:
            return measures.query_bracket(partial(again, **given), lists, listed)

        unknown = np.full(self.lists.n_queries, np.nan)
        return self._known(
            score, "per_query_ties", compute, measures.Bracket(unknown, unknown), key=again
        )

    def resampled(self, score: Score) -> measures.Replicate | None:
        """The score of other choices of the queries, if it has an interval of its own."""
        if score.resampled is not None:
            replicate = self._compute(score, score.resampled)
            return None if isinstance(replicate, NotKeptError) else replicate
        values = None if score.interval is not None else self.per_query(score)
        return None if values is None else measures.mean_replicates(values)

    def _known(
        self,
        score: Score,
        what: str,
        function: Callable[..., R],
        unknown: R,
        key: Callable[..., object] | None = None,
    ) -> R:
        """What a function makes of the case, or `unknown` where condensed lists do not tell."""
        value = self._once(score, what, function, key)
        return unknown if isinstance(value, NotKeptError) else value

    def _once(
        self,
        score: Score,
        what: str,
        function: Callable[..., R],
        key: Callable[..., object] | None = None,
    ) -> R | NotKeptError:
        """The same; why not, where condensed lists do not tell. `key` stands for the function."""
        rule, n = self.rule if score.at_threshold else None, self.n if score.at_n else None
        depends = (ref(self.lists), rule, n, key or function)
        return self.memo.once((score.name, what), depends, lambda: self._compute(score, function))

    def _compute(self, score: Score, function: Callable[..., R]) -> R | NotKeptError:
        """What a function makes of the case; why not, where condensed lists do not tell."""
        try:
            return function(self.lists, **{name: TAKES[name](self) for name in score.takes})
        except NotKeptError as error:
            return error


TAKES: dict[str, Callable[[Case], object]] = {
    "tap": lambda case: case.tap,
    "tap_at": lambda case: case.tap_at,
    "curve": lambda case: case.curve,
    "own_roc_n": lambda case: case.own_roc_n,
    "n": lambda case: case.n,
}
"""What the measure of a score can take besides the lists."""
