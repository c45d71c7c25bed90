"""Where to put the threshold, and what to expect there of queries that nobody has seen."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from math import inf, nan
from typing import NamedTuple

import numpy as np

from tapviz.lists import RetrievalLists
from tapviz.measures import accepted as limits
from tapviz.measures._common import Floats, Ints, OnProgress, Progress, check_fraction, whole_number
from tapviz.measures.groups import Groups, GroupsOf
from tapviz.measures.intervals import Interval, around, interval_of
from tapviz.measures.replicates import HELD_BRIEFLY, Drawn, Resampling, Sampled, mean_replicates

__all__ = ["Advice", "Advised", "Figure", "advise"]

FIGURES = ("errors", "recall", "precision", "tap", "exceeding")
DRAWN = ("recall", "tap")
"""Figures whose intervals come from resamples: no group decides them. The others go by errors."""


class Figure(NamedTuple):
    """A figure for queries that the threshold was not found on."""

    estimate: float
    """Mean of the repeats of cross-fitting; of a median or quantile of errors, that of all repeats
    together, a whole number. NaN where undefined."""
    low: float
    high: float
    """Interval; NaN where undefined, and where there are too few groups. Infinite where groups
    that are not in the sample may have any number of errors."""
    in_sample: float
    """The same for the queries that the threshold was found on."""

    @property
    def gap(self) -> float:
        """How much it differs from the figure in the sample."""
        return self.estimate - self.in_sample


class Advised(NamedTuple):
    """The threshold of one algorithm, and what it is worth."""

    threshold: Interval
    """Loosest score at which all queries have no more errors than accepted: as many as that, on
    average, is what to expect of new queries. Its ends may be infinite."""
    promised: limits.LoosestThreshold
    """Loosest score at which new queries have at most as many, with confidence."""
    errors: Figure
    """Mean, median or quantile of the errors per query, whichever is limited."""
    recall: Figure
    """Share of its relevant records that a query finds, mean over queries with any."""
    precision: Figure
    """Share of relevant records among those retrieved, mean over queries that retrieve any."""
    tap: Figure
    """Mean TAP."""
    exceeding: Figure
    """Share of the queries with more errors than accepted."""
    n_ended: int
    """Parts, of folds times repeats, whose lists ended before there were as many errors: they
    were judged at the end of the lists."""
    reason: str
    """Why there is no threshold, and all else is NaN; empty otherwise."""

    @property
    def figures(self) -> dict[str, Figure]:
        """All figures by name."""
        return {name: getattr(self, name) for name in FIGURES}


class Advice(NamedTuple):
    """Thresholds of several algorithms for the errors that are accepted."""

    algorithms: dict[str, Advised]
    accepted: limits.AcceptedErrors
    groups: Groups
    """What is left out, and drawn, as a whole: groups of queries, or single ones."""
    n_folds: int
    n_repeats: int
    n_resamples: int
    seed: int
    level: float
    confidence: float
    """Of the thresholds that are promised."""
    reason: str
    """Why there are no intervals; empty otherwise."""


def advise(
    results: Mapping[str, RetrievalLists],
    *,
    errors: float = 0.1,
    statistic: limits.Statistic = "mean",
    quantile: float = limits.USUAL_QUANTILE,
    n_folds: int = 10,
    n_repeats: int = 20,
    n_resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    confidence: float = limits.USUAL_CONFIDENCE,
    groups: GroupsOf = "relevance",
    progress: OnProgress | None = None,
) -> Advice:
    """Threshold for the errors that are accepted, and what to expect there of new queries.

    Two thresholds: one has as many errors on average, and more among other queries about every
    other time; the other, `promised_threshold`, at most as many, with confidence.

    A threshold found on some queries makes fewer errors on these than on others. So the groups of
    queries are divided into folds at random: the threshold for each fold is found on all others,
    and its queries are judged there, none by a threshold that has seen it. This is repeated with
    other divisions, and the figures are means over the repeats. For the intervals of recall and
    TAP the groups are drawn with replacement, each query as it was judged in one of the repeats.
    Errors may sit in a few groups, which draws do not show where they are not in the sample: the
    intervals of all that goes by errors are those of `promised_threshold`.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        At least one algorithm; all with the same queries in the same order, see `align`.
    errors, statistic, quantile
        As in `loosest_threshold`.
    n_folds : int
        Folds, at least 2; no more than there are groups.
    n_repeats : int
        Divisions into folds, at least 1.
    n_resamples : int
        Draws of groups, at least 1.
    seed : int
        Seed of the random numbers, not negative.
    level : float, in (0, 1)
        Of the intervals.
    confidence : float, in (0, 1)
        As in `promised_threshold`.
    groups : Groups, array_like, int, "relevance" or None
        Queries that stay together, as in `bootstrap`.
    progress : callable, optional
        Called with the divisions done and their total; False stops the work.

    Returns
    -------
    Advice
        An algorithm whose lists end before there are as many errors has no threshold, and the
        reason. Below 10 groups there are no intervals; below 2, no figures for new queries.

    Raises
    ------
    ValueError
        If there is no algorithm, they differ in queries, T(q) or weights; if a number is out of
        its range; or if there are no such groups.
    Cancelled
        If `progress` returned False.

    References
    ----------
    Stone (1974), J. R. Statist. Soc. B 36:111; Davison & Hinkley (1997), Bootstrap Methods and
    their Application, section 6.4; Fay & Feuer (1997), Stat. Med. 16:791.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import advise
    >>> found = advise({"BLASTP": load_results()["BLASTP"]}, errors=0.1, n_resamples=50)
    >>> at = found.algorithms["BLASTP"]
    >>> at.threshold.estimate, round(at.recall.estimate, 2), round(at.recall.in_sample, 2)
    (0.047, 0.33, 0.33)
    >>> at.promised.threshold, round(at.promised.recall, 2)
    (0.019, 0.32)
    """
    accepted = limits.check_accepted(errors, statistic, quantile)
    confidence = check_fraction("confidence", confidence)
    of = Resampling.of(results, groups, n_resamples, seed, level)
    n_folds = min(whole_number("n_folds", n_folds, least=2), of.groups.count)
    n_repeats = whole_number("n_repeats", n_repeats)
    n_resamples = 0 if of.groups.few else of.n_resamples
    judged = {name: _Judged(lists, accepted, of) for name, lists in results.items()}
    wanted = [one for one in judged.values() if not one.at.reason and n_folds > 1]
    work = Progress(progress, (n_repeats + n_resamples) * len(wanted))
    rng = np.random.Generator(np.random.PCG64([of.seed, n_folds]))
    for _ in range(n_repeats):
        fold = random_folds(of.groups, n_folds, rng)
        for one in wanted:
            one.cross_fit(fold)
        work.add(len(wanted))
    if n_resamples and wanted:
        for drawn in of.draws(HELD_BRIEFLY):
            for one in wanted:
                one.draw(drawn)
                work.add(drawn.n)
    algorithms = {name: one.summary(confidence) for name, one in judged.items()}
    numbers = n_folds, n_repeats, n_resamples, of.seed, of.level, confidence
    return Advice(algorithms, accepted, of.groups, *numbers, of.groups.few)


def random_folds(groups: Groups, n_folds: int, rng: np.random.Generator) -> Ints:
    """Fold of each query, shape (Q,): folds have equally many groups, up to one."""
    return (rng.permutation(groups.count) % max(n_folds, 1))[groups.code]


class _Judged:
    """One algorithm while it is being judged."""

    def __init__(
        self, lists: RetrievalLists, accepted: limits.AcceptedErrors, of: Resampling
    ) -> None:
        self._lists, self._accepted, self._of, groups = lists, accepted, of, of.groups
        self._drawn = Sampled()
        self._errors = limits.OrderedErrors.of(lists, accepted)
        self._curve = limits.ErrorCurve.of(self._errors, lists.weight, groups)
        self.at, admitted = limits.loosest(lists, self._errors)
        self._in_sample = limits.Judgement.of(lists, accepted, admitted)
        self._held_out: list[limits.Judgement] = []
        self._n_ended = self._n_drawn = 0

    def cross_fit(self, fold: Ints) -> None:
        """Judge each fold at the threshold of the others."""
        n_folds = int(fold.max()) + 1
        admitted = self._errors.admitted(self._lists.weight, fold, n_folds)
        self._n_ended += int((admitted == self._errors.most).sum())
        for one in range(n_folds):
            admitted[one] = limits.with_loosest(self._lists, int(admitted[one]), fold != one)
        self._held_out.append(limits.Judgement.of(self._lists, self._accepted, admitted[fold]))

    def draw(self, drawn: Drawn) -> None:
        """Judge the queries of some draws, those of each draw as in one of the repeats.

        The threshold at hand is one; what it is worth varies with the queries judged, and with
        how they were divided.
        """
        values, repeats = np.empty((len(DRAWN), drawn.n)), len(self._held_out)
        for number, held_out in enumerate(self._held_out):
            rows = np.arange((number - self._n_drawn) % repeats, drawn.n, repeats)
            part, nowhere = drawn.part(rows), np.zeros(rows.size, np.int64)
            for place, name in enumerate(DRAWN):
                values[place, rows] = mean_replicates(getattr(held_out, name))(part, nowhere)
        self._n_drawn += drawn.n
        self._drawn.add(drawn, [*values])

    def summary(self, confidence: float) -> Advised:
        """What was found."""
        lists, accepted = self._lists, self._accepted
        promised = self._curve.promise(lists, self._errors, confidence)
        if self.at.reason:
            nowhere, nothing = Interval(nan, nan, nan), Figure(nan, nan, nan, nan)
            figures = dict.fromkeys(FIGURES, nothing)
            return Advised(nowhere, promised, **figures, n_ended=0, reason=self.at.reason)
        repeats = [one.figures(accepted, lists.weight) for one in self._held_out]
        estimates = np.mean(repeats, axis=0).tolist() if repeats else [nan] * len(FIGURES)
        ends = dict.fromkeys(FIGURES, (nan, nan))
        at = Interval(self.at.threshold, nan, nan)
        if repeats and not self._of.groups.few:
            tail, drawn = (1 - self._of.level) / 2, self._drawn
            for name, values, influence in zip(DRAWN, drawn.values, drawn.influence, strict=True):
                ends[name] = interval_of(nan, values, self._of.share(influence))[1:]
            ends |= self._by_errors(tail)
            if not self._curve.not_kept(lists):
                at = around(self.at.threshold, self._curve.interval(lists, tail))
        if repeats:
            errors = np.concatenate([one.errors for one in self._held_out])
            estimates[0] = accepted.of(errors, np.tile(lists.weight, len(repeats)))
        in_sample = self._in_sample.figures(accepted, lists.weight)
        figures = {
            name: Figure(*around(estimate, ends[name]), own)
            for name, estimate, own in zip(FIGURES, estimates, in_sample, strict=True)
        }
        return Advised(at, promised, **figures, n_ended=self._n_ended, reason="")

    def _by_errors(self, tail: float) -> dict[str, tuple[float, float]]:
        """Intervals of the figures that go by errors."""
        accepted, one = self._accepted, float(self._lists.weight.max())
        errors, _, precision, _, too_many = map(np.array, zip(*self._held_out, strict=True))
        size = self._of_groups(np.ones(self._lists.n_queries))
        if self._curve.not_kept(self._lists):
            made_at_most = (nan, nan)
        elif accepted.statistic == "mean":
            made = self._of_groups(errors.mean(axis=0))
            unseen = self._curve.unseen_at(float(made.sum()))
            made_at_most = limits.rate_ends(made, size, tail, unseen)
        else:
            made_at_most = self._quantile_ends(errors, size, tail)
        found = ~np.isnan(precision)
        lost = self._of_groups(np.where(found, 1 - precision, 0.0).mean(axis=0))
        low, high = limits.rate_ends(lost, self._of_groups(found.mean(axis=0)), tail, one)
        more = limits.rate_ends(self._of_groups(too_many.mean(axis=0)), size, tail, one)
        return {
            "errors": made_at_most,
            "precision": (max(1 - high, 0.0), 1 - low),
            "exceeding": (more[0], min(more[1], 1.0)),
        }

    def _quantile_ends(self, errors: Ints, size: Floats, tail: float) -> tuple[float, float]:
        """Whole numbers of which as many queries as asked for may have no more errors."""
        counts, one = np.unique(errors), float(self._lists.weight.max())

        def end(side: int) -> float:
            def enough(most: int) -> bool:
                above = self._of_groups((errors > most).mean(axis=0))
                return limits.rate_ends(above, size, tail, one)[side] < self._accepted.limit

            place = bisect_left(counts, True, key=enough)
            return float(counts[place]) if place < counts.size else inf

        return end(0), end(1)

    def _of_groups(self, values: Floats) -> Floats:
        """Sum of weighted values of queries in each group, shape (G,)."""
        return self._of.groups.sums(self._lists.weight * values)
