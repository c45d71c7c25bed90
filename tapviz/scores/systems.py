"""Several runs of one system, such as those of five seeds, as one algorithm."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz import measures
from tapviz.lists.runs import RUN
from tapviz.measures.intervals import interval_of, share_inside
from tapviz.scores.case import Case, SumsByK
from tapviz.scores.table import Score, ThresholdRule

__all__ = ["SystemCase"]

Figure = tuple[measures.Interval, NDArray[np.float64], NDArray[np.float64]]
"""A figure with its interval, the replicates, and how it goes with each group."""


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

    by_name: Mapping[str, Case] = field(default_factory=dict)

    @classmethod
    def of(cls, runs: Mapping[str, Case]) -> SystemCase:
        """That of several runs, at one threshold."""
        first = next(iter(runs.values()))
        return cls(first.lists, first.rule, first.n, first.memo, runs)

    @property
    def runs(self) -> Mapping[str, Case]:
        """The runs by their names."""
        return self.by_name

    @cached_property
    def tap(self) -> measures.Tap:
        """Mean TAP of the runs; its numbers by query are those of one of them."""
        taps = [one.tap for one in self.runs.values()]
        first = next((one for one in taps if one.reason), taps[0])
        return first._replace(
            value=float(np.mean([one.value for one in taps])),
            e0=float(np.median([one.e0 for one in taps])),
        )

    def copy(self) -> SystemCase:
        """The same with memos of its own, for another thread."""
        return SystemCase.of({name: run.copy() for name, run in self.by_name.items()})

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

    def per_query_ties(self, score: Score) -> measures.Bracket[NDArray[np.float64]] | None:
        """What each query scores in the mean, (Q,), with those orders in all runs."""
        mean = _mean([one.per_query_ties(score) for one in self.runs.values()])
        return None if mean is None else measures.Bracket(*mean)

    def per_query(self, score: Score) -> NDArray[np.float64] | None:
        """What each query scores in the mean, (Q,), if the score is a mean over queries."""
        return _mean([one.per_query(score) for one in self.runs.values()])

    def scored(
        self, score: Score, groups: measures.Groups, *, fixed_threshold: bool = False
    ) -> measures.Scored:
        """The same of the mean of the runs, which varies with the choice of runs, too."""
        found = [
            one.scored(score, groups, fixed_threshold=fixed_threshold) for one in self.runs.values()
        ]

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
        return SystemCase.of({name: run.at(rule) for name, run in self.by_name.items()})

    def tap_sums(self, max_k: int, groups: measures.Groups, *, fixed: bool) -> SumsByK:
        """The same of the mean of the runs."""
        found = [run.tap_sums(max_k, groups, fixed=fixed) for run in self.by_name.values()]
        listed, worst, best, _ = (np.array(one) for one in zip(*found, strict=True))
        variance = listed.sum(axis=2).var(axis=0, ddof=1) / len(found)
        return SumsByK(listed.mean(axis=0), worst.mean(axis=0), best.mean(axis=0), variance)

    def tap_by_k(self, max_k: int) -> measures.TapByK:
        """Mean TAP-k of the runs, and median E_k, for each k from 1."""
        found = [one.tap_by_k(max_k) for one in self.runs.values()]
        tap = np.mean([one.tap for one in found], axis=0)
        return measures.TapByK(tap, np.median([one.e0 for one in found], axis=0))


def _mean(values: Sequence[ArrayLike | None]) -> NDArray[np.float64] | None:
    """Mean of the values of all runs; None if a run has none."""
    known = [one for one in values if one is not None]
    return np.array(known).mean(axis=0) if len(known) == len(values) else None


def bootstrap_cases(
    cases: Mapping[str, Case],
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
    >>> from tapviz.scores.systems import bootstrap_cases
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
    found = measures.bootstrap(
        {key: run.lists for key, run in single.items()},
        others={key: others(run) for key, run in single.items()},
        **options,
    )
    return found._replace(
        algorithms={
            name: found.algorithms[name] if name in of else _together([*of], name, found)
            for name, of in runs.items()
        }
    )


def _together(names: Sequence[str], system: str, of: measures.Bootstrap) -> measures.Bootstrapped:
    """Intervals of a system from those of its runs."""
    runs, n_runs = [of.algorithms[name] for name in names], len(names)
    drawn = np.random.default_rng([of.seed, *system.encode()]).integers(
        n_runs, size=(runs[0].replicates.tap.size, n_runs)
    )
    unknown = np.full_like(runs[0].influences.tap, math.nan)

    def parts(name: str) -> list[NDArray[np.float64]]:
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
        interval = interval_of(estimate, replicates, share, between=False)
        return interval, replicates, unknown

    tap, e0 = mean("tap"), median("e0")
    peak, place = mean("peak"), median("peak_threshold")
    others = {name: mean(name) for name in runs[0].others}
    return measures.Bootstrapped(
        tap=tap[0],
        e0=e0[0],
        peak=peak[0],
        peak_threshold=place[0],
        not_reached=sum(one.not_reached for one in runs),
        replicates=measures.Replicates(
            *(tap[1], e0[1], peak[1], place[1]), {name: one[1] for name, one in others.items()}
        ),
        influences=measures.Replicates(
            *(tap[2], e0[2], peak[2], place[2]), {name: one[2] for name, one in others.items()}
        ),
        reason=next(filter(None, (one.reason for one in runs)), ""),
        peak_reason=next(filter(None, (one.peak_reason for one in runs)), ""),
        others={name: one[0] for name, one in others.items()},
    )


def _figure(record: measures.Bootstrapped | measures.Replicates, name: str) -> Any:
    return record.others[name] if name in record.others else getattr(record, name)
