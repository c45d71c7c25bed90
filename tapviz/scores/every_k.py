"""What `compare` returns, for every k: what takes long is done once, and the rest looked up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tapviz.measures import BootstrapByK, OnProgress, Scored, bootstrap_by_k
from tapviz.measures.differences import paired
from tapviz.scores.case import Case
from tapviz.scores.comparisons import Compared
from tapviz.scores.conclusion import MAX_K, Judge, conclude
from tapviz.scores.table import BY_NAME, rounded_alike

__all__ = ["EveryK"]

TAP = BY_NAME["tap"]
AT_THRESHOLD = frozenset(name for name, score in BY_NAME.items() if score.at_threshold)


class EveryK(NamedTuple):
    """Comparisons at one k, and what of them is another at another k.

    Differences of E_k and of errors per query at E_k are not among them.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Case, EveryK, Memo, ThresholdRule, compare
    >>> results = load_results("profiles")
    >>> at = {k: {name: Case(lists, ThresholdRule(k=k), 50, Memo())
    ...           for name, lists in results.items()} for k in (5, 7)}
    >>> every = EveryK.of(at[5], compare(at[5], n_resamples=100))
    >>> found = every.at(at[7]).bootstrap.algorithms["RPS-BLAST"].tap
    >>> [round(number, 2) for number in found]
    [0.36, 0.33, 0.4]
    """

    compared: Compared
    """At some k."""
    resampled: BootstrapByK
    judge: Judge

    @classmethod
    def of(
        cls,
        cases: Mapping[str, Case],
        compared: Compared,
        *,
        fixed_threshold: bool = False,
        progress: OnProgress | None = None,
    ) -> EveryK:
        """Resample at every k.

        Parameters
        ----------
        cases : mapping of str to Case
            Of single algorithms, at some k.
        compared : Compared
            Of the same, with resamples.
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
        known = compared.bootstrap
        if known is None:
            msg = "compared: expected resamples"
            raise ValueError(msg)
        first = next(iter(cases.values()))
        resampled = bootstrap_by_k(
            {name: case.lists for name, case in cases.items()},
            max_k=MAX_K,
            quantile=first.rule.quantile,
            fixed_threshold=fixed_threshold,
            n_resamples=known.n_resamples,
            seed=known.seed,
            level=known.level,
            groups=compared.groups,
            progress=progress,
        )
        judge = Judge(compared.groups, known.level, known.seed, fixed_threshold)
        return cls(compared, resampled, judge)

    def at(self, cases: Mapping[str, Case]) -> Compared:
        """The same at another k, from 1 to 100: that of the cases."""
        old, k = self.compared, next(iter(cases.values())).rule.k or 0
        here = self.resampled.at(k)
        before = old.bootstrap.algorithms if old.bootstrap is not None else {}
        algorithms = {
            name: one._replace(
                peak=before[name].peak,
                peak_threshold=before[name].peak_threshold,
                peak_reason=before[name].peak_reason,
                others=before[name].others | one.others,
            )
            for name, one in here.algorithms.items()
        }
        scored = {
            name: Scored(case.value(TAP), case.per_query(TAP), reason=case.tap.reason)
            for name, case in cases.items()
        }
        every_k = old.elsewhere.every_k
        judged = {} if every_k is None else every_k.at(k)
        why = dict.fromkeys(cases, old.groups.few or "it was not resampled")
        taps = paired(TAP.name, scored, old.groups, judged, why)
        found = old._replace(
            bootstrap=here._replace(algorithms=algorithms),
            differences=(*taps, *(one for one in old.differences if one.score not in AT_THRESHOLD)),
            scored={name: of for name, of in old.scored.items() if name not in AT_THRESHOLD}
            | {TAP.name: scored},
            verdicts={},
            holds={name: one for name, one in old.holds.items() if name not in AT_THRESHOLD},
        )
        verdict = conclude(
            cases,
            TAP,
            {
                name: rounded_alike(one.value, *algorithms[name].tap[1:])
                for name, one in scored.items()
            },
            taps,
            self.judge,
            elsewhere=old.elsewhere,
        )
        others = {name: one for name, one in old.verdicts.items() if name not in AT_THRESHOLD}
        return found._replace(verdicts={TAP.name: verdict} | others)
