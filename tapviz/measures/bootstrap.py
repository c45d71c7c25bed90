"""Bootstrap of groups of queries: intervals of TAP-k and E_k, and of the peak TAP."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, partial
from math import nan
from typing import NamedTuple

import numpy as np

from tapviz.lists import RetrievalLists, all_kept, not_kept
from tapviz.measures import _common, resampled
from tapviz.measures._common import Floats, Ints, OnProgress, Progress, number_of_errors
from tapviz.measures._ranking import n_thresholds, ranking
from tapviz.measures.errors import error_quantile
from tapviz.measures.groups import Groups, GroupsOf
from tapviz.measures.intervals import Interval, Intervals, interval_of, percentiles
from tapviz.measures.replicates import HELD_BRIEFLY, Drawn, Replicate, Resampling, Sampled
from tapviz.measures.tap import Tap, tap, tap_k
from tapviz.measures.tap_curves import tap_curve

__all__ = ["Bootstrap", "Bootstrapped", "BootstrappedByK", "Replicates", "bootstrap"]

# The arrays of one block of replicates stay small, and its matrix products fast.
BLOCK = 200

# How often groups are drawn in the replicates that are held at a time: 128 MB.
HELD = 1 << 24


class Replicates(NamedTuple):
    """What each of B replicates gave; each array has the shape (B,)."""

    tap: Floats
    e0: Floats
    peak: Floats
    peak_threshold: Floats
    others: dict[str, Floats]
    """Of the other scores that were asked for, by name."""


class Bootstrapped(NamedTuple):
    """One algorithm."""

    tap: Interval
    """TAP-k, or TAP at E_0."""
    e0: Interval
    """Its threshold: E_k, or E_0. Low is the smaller number, also where scores descend."""
    peak: Interval
    """Largest mean TAP over all thresholds."""
    peak_threshold: Interval
    """The strictest threshold of the peak."""
    not_reached: int
    """Replicates in which too few lists hold k errors. Their E_k is infinite, more permissive
    than any score, and all records count, the sentinel with them."""
    replicates: Replicates
    influences: Replicates
    """How each score goes with each group: the covariance, over the replicates, of its value with
    how often the group was drawn; each array has the shape (G,). NaN for thresholds, where a few
    groups cannot outweigh all others, and where the score is undefined in some replicates."""
    reason: str
    """Why the estimate and interval of TAP-k and E_k are NaN; empty otherwise."""
    peak_reason: str
    """Why those of the peak are NaN; empty otherwise."""
    others: dict[str, Interval]
    """Of the other scores that were asked for, by name."""


class Bootstrap(NamedTuple):
    """Intervals of every algorithm, with what made them."""

    algorithms: dict[str, Bootstrapped]
    groups: Groups
    """What is drawn: groups of queries, or single ones."""
    n_resamples: int
    seed: int
    level: float
    method: str
    """How the queries of a replicate are chosen, and what is drawn."""
    threshold_rule: str
    """"re-estimated": E_k of each replicate; "fixed": E_k of all queries; "given": E_0."""
    k: int | None
    """None if the threshold was given."""
    quantile: float | None
    no_relevant: str
    """The rule for queries with T(q) = 0, as in `tap`; likewise that for ties."""
    ties: str
    reason: str
    """Why there are no intervals; empty otherwise."""


def bootstrap(
    results: Mapping[str, RetrievalLists],
    *,
    k: int = 20,
    quantile: float = 0.5,
    e0: float | None = None,
    fixed_threshold: bool = False,
    n_resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    bayesian: bool = False,
    peak: bool = False,
    groups: GroupsOf = "relevance",
    others: Mapping[str, Mapping[str, Replicate]] | None = None,
    progress: OnProgress | None = None,
) -> Bootstrap:
    """How TAP-k and its peak vary with the choice of queries.

    A replicate draws as many groups of queries as there are, uniformly with replacement, the
    same for all algorithms; all queries of a group drawn c times have c times their weight.
    Everything is computed anew from it, exactly: E_k, TAP-k, and the peak over all thresholds.
    The intervals are expanded percentile intervals: percentiles of the replicates, so far out that
    few groups, or many of which a few decide, do not make them too narrow, see
    `percentile_interval`. Those of thresholds are never between two replicates. `pairwise` has the
    intervals of differences.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        At least one algorithm; all with the same queries in the same order, see `align`.
    k : int
        Errors per query, at least 1.
    quantile : float, in (0, 1]
        A fraction `quantile` of the queries has at least k errors at E_k.
    e0 : float, optional
        A threshold to take instead of E_k.
    fixed_threshold : bool
        Whether E_k of all queries is taken in every replicate.
    n_resamples : int
        Replicates, at least 1.
    seed : int
        Seed of the random numbers, not negative. Replicate r of a seed has the same queries
        whatever the algorithms and however many replicates there are.
    level : float, in (0, 1)
        Of the intervals.
    bayesian : bool
        Whether a replicate weights all groups at random (Dirichlet, all parameters 1) instead
        of drawing them.
    peak : bool
        Whether the peak is estimated, too, which takes several times as long.
    groups : Groups, array_like, int, "relevance" or None
        Queries that are drawn together since their lists are alike. Drawn singly, they make
        intervals too narrow. By default those whose classes agree to the level at which relevance
        was judged, where classes are known; or a label of each query, shape (Q,); another level
        of their classes; or None for single queries.
    others : mapping of str to mapping of str to callable, optional
        Other scores of each algorithm, all of the same names, as functions of the replicates, such
        as `mean_replicates` and `pooled_replicates` return.
    progress : callable, optional
        Called with the replicates done and their total, over all algorithms, at least 20 times
        if there are as many; False stops the work.

    Returns
    -------
    Bootstrap
        TAP-k and E_k of an algorithm are NaN if too few lists hold k errors; if that is so in
        some replicates only, they count with an infinite E_k. Below 10 groups there are no
        intervals, and `reason` says so.

    Raises
    ------
    ValueError
        If there is no algorithm, they differ in queries, T(q) or weights, or in the direction
        of scores when E_0 is given; if a number is out of its range; or if there are no such
        groups.
    Cancelled
        If `progress` returned False.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13; Rubin (1981),
    Ann. Statist. 9:130, for the Bayesian one; Davison & Hinkley (1997), Bootstrap Methods and
    their Application, section 3.8, for groups; Hesterberg (2015), Am. Stat. 69:371, for the
    intervals.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import bootstrap
    >>> results = load_results("profiles")
    >>> found = bootstrap(results, k=5, n_resamples=100, seed=1)
    >>> [round(number, 2) for number in found.algorithms["RPS-BLAST"].tap]
    [0.38, 0.34, 0.41]
    >>> str(found.groups)
    '245 superfamilies, 1,351 queries'
    """
    of = Resampling.of(results, groups, n_resamples, seed, level, bayesian=bayesian, e0=e0)
    if e0 is None:
        k, quantile = number_of_errors("k", k), _common.check_quantile(quantile)
    re_estimated = quantile if e0 is None and not fixed_threshold else None
    engines: dict[str, tuple[Followed, _More]] = {}
    for name, lists in results.items():
        found = tap_k(lists, k=k, quantile=quantile) if e0 is None else tap(lists, e0)
        more = _More(lists, of, (others or {}).get(name, {}), peak=peak)
        engines[name] = Followed(lists, [found], re_estimated), more
    total = of.n_resamples * len(results)
    work, size = Progress(progress, total), max(1, min(BLOCK, total // 20))
    # Where nothing is made anew for them, fewer are held.
    for some in of.draws(HELD if peak else HELD_BRIEFLY):
        for followed, more in engines.values():
            (codes,) = followed.add(some)
            more.add(some, codes, size, work)
    rule = ("fixed" if fixed_threshold else "re-estimated") if e0 is None else "given"
    at = (None, None) if rule == "given" else (k, quantile)
    algorithms = {
        name: more.beside(followed.found(of).at(0), followed.place(0))
        for name, (followed, more) in engines.items()
    }
    return setting(of, rule, *at)._replace(algorithms=algorithms)


def setting(of: Resampling, rule: str, k: int | None, quantile: float | None) -> Bootstrap:
    """What makes intervals, without algorithms."""
    how = "weighted at random" if of.bayesian else "drawn with replacement"
    drawn = of.groups, of.n_resamples, of.seed, of.level, f"{of.groups.unit} {how}"
    rules = rule, k, quantile, "reference", resampled.TIES
    return Bootstrap({}, *drawn, *rules, of.groups.few)


class BootstrappedByK(NamedTuple):
    """One algorithm for each of P numbers of errors k, or at P thresholds."""

    tap: Intervals
    e0: Intervals
    mean_epq: Intervals
    """NaN, as those of the median, if errors were not asked for."""
    median_epq: Intervals
    not_reached: Ints
    """As `Bootstrapped` has it; shape (P,), as `reason`."""
    taps: Floats
    """TAP of each replicate, shape (P, B)."""
    e0s: Floats
    """Its threshold, shape (P, B)."""
    influence: Floats
    """How TAP goes with each group, shape (P, G)."""
    reason: tuple[str, ...]

    def at(self, place: int) -> Bootstrapped:
        """At one of them, as `bootstrap` has it, with the errors among other scores."""
        nowhere = Interval(nan, nan, nan)
        values, influence = self.taps[place], self.influence[place]
        none, nobody = np.full_like(values, nan), np.full_like(influence, nan)
        intervals = self.tap.at(place), self.e0.at(place), nowhere, nowhere
        replicates = Replicates(values, self.e0s[place], none, none, {})
        influences = Replicates(influence, nobody, nobody, nobody, {})
        errors = {"mean_epq": self.mean_epq.at(place), "median_epq": self.median_epq.at(place)}
        numbers = int(self.not_reached[place]), replicates, influences, self.reason[place]
        return Bootstrapped(*intervals, *numbers, "the peak was not asked for", errors)


class _Point(NamedTuple):
    """Of all queries at a threshold."""

    k: int
    e0: float
    tap: float
    mean_epq: float
    median_epq: float
    reason: str
    """Why TAP is undefined; empty otherwise."""
    unknown: str
    """Why condensed lists do not tell it, or that of a resample."""


class Followed:
    """One algorithm at each of P thresholds, while replicates come in.

    Parameters
    ----------
    lists : RetrievalLists
    points : iterable of Tap
        Of all queries at the thresholds, of which little is kept.
    quantile : float or None
        Where the E_k of each replicate are found again; None if all have the same thresholds.
    errors : bool
        Whether errors per query are asked for, too.
    """

    def __init__(
        self,
        lists: RetrievalLists,
        points: Iterable[Tap],
        quantile: float | None,
        *,
        errors: bool = False,
    ) -> None:
        self._lists, self._quantile, self._errors = lists, quantile, errors
        self._points: list[_Point] = []
        for one in points:
            counts, median = one.retrieved - one.relevant, nan
            if counts.size:
                median = float(error_quantile(counts, lists.weight, 0.5))
            mean = _common.weighted_mean(counts.astype(np.float64), lists.weight)
            # Condensed lists may not tell E_k, or that of a resample.
            unknown = not_kept(lists, to=one.e0, k=one.k or 0)
            numbers = one.k or 0, one.e0, one.value, mean, median
            self._points.append(_Point(*numbers, one.reason, unknown))
        self._codes: list[Ints] = []
        self._sampled = Sampled()

    def add(self, some: Drawn, work: Progress | None = None) -> Ints:
        """Take in replicates, and return the places of their thresholds, shape (P, R)."""
        lists = self._lists
        nth = cache(partial(resampled.error_codes_drawn, lists, some))
        codes = np.full((len(self._points), some.n), resampled.UNKNOWN)
        for at, point in enumerate(self._points):
            if not point.unknown and self._quantile is None:
                codes[at] = self.place(at)
            elif not point.unknown:
                code = nth(point.k, share=self._quantile)
                unknown = _not_kept(lists, code.max(initial=-1))
                self._points[at] = point._replace(unknown=unknown)
                codes[at] = resampled.UNKNOWN if unknown else code
            if work is not None:
                work.add(some.n)
        told = np.maximum(codes, -1)  # the rest is undefined, see `found`
        there = resampled.AtThresholds(lists, some, told)
        scores = [there.tap()]
        if self._errors:
            half = partial(nth, share=0.5)
            scores += [there.errors(), resampled.median_errors(lists, some, told, half)]
        self._codes.append(codes)
        self._sampled.add(some, scores)
        return codes

    def place(self, at: int) -> int:
        """Place of a threshold of all queries among the distinct scores."""
        e0 = self._points[at].e0
        if not_kept(self._lists, to=e0):
            return resampled.UNKNOWN
        return n_thresholds(self._lists, e0) - 1

    def found(self, of: Resampling) -> BootstrappedByK:
        """Intervals of all that was taken in."""
        lists, codes = self._lists, np.concatenate(self._codes, axis=1)
        _, e0, *estimates, reasons, unknown = zip(*self._points, strict=True)
        reason = tuple(one or other for one, other in zip(reasons, unknown, strict=True))
        undefined = np.array(reason) != ""
        scores, influence = self._sampled.values, self._sampled.influence
        scores[:, undefined] = nan
        # Code -1 stands for no threshold, one after the last for none permissive enough.
        e0s = np.append(ranking(lists).threshold, [lists.sign * np.inf, nan])[np.maximum(codes, -1)]
        if self._quantile is None:
            e0s[:] = np.array(e0)[:, None]
        e0s[undefined] = nan
        table = np.full((3, 4, undefined.size), nan)  # estimates and ends; of E_k, and each score
        table[:, 0] = [e0, *percentiles(e0s, of.share(), between=False)]
        asked = slice(1, 1 + len(scores))
        table[0, asked] = estimates[: len(scores)]
        table[1:, asked] = percentiles(scores, of.share(influence))
        table[:, :, undefined] = nan
        of_e0, of_tap, mean_epq, median_epq = (Intervals(*table[:, row]) for row in range(4))
        too_few = np.count_nonzero(codes == ranking(lists).threshold.size, axis=1)
        not_reached = too_few * (self._quantile is not None)
        taps, goes = scores[0].copy(), influence[0].copy()  # without the others
        sampled = not_reached, taps, e0s, goes
        return BootstrappedByK(of_tap, of_e0, mean_epq, median_epq, *sampled, reason)


class _More:
    """The peak and other scores of one algorithm, while replicates come in."""

    def __init__(
        self, lists: RetrievalLists, of: Resampling, others: Mapping[str, Replicate], *, peak: bool
    ) -> None:
        self._lists, self._of, self._others, self._asked = lists, of, dict(others), peak
        drawn = of.groups.code, of.groups.count
        self._table = resampled.peak_table(lists, *drawn) if peak and all_kept(lists) else None
        self._codes: list[Ints] = []
        self._sampled = Sampled()

    def add(self, some: Drawn, codes: Ints, size: int, work: Progress) -> None:
        """Score replicates, so many at a time, at the places of their thresholds."""
        rows = []
        for start in range(0, some.n, size):
            block, code = some.part(slice(start, start + size)), codes[start : start + size]
            peaks = np.full(block.n, nan), np.full(block.n, -1)
            if self._table is not None:
                peaks = resampled.peak_of(self._table, block)
            rows.append([*peaks, *(function(block, code) for function in self._others.values())])
            work.add(block.n)
        peak, code, *others = (np.concatenate(arrays) for arrays in zip(*rows, strict=True))
        self._codes.append(code)
        self._sampled.add(some, [peak, *others])

    def beside(self, at: Bootstrapped, place: int) -> Bootstrapped:
        """The same with the peak and the other scores."""
        lists, of, threshold = self._lists, self._of, ranking(self._lists).threshold
        peak, *values = self._sampled.values
        of_peak, *influences = self._sampled.influence
        highest, where, reason = nan, nan, at.peak_reason
        if self._asked:
            curve = tap_curve(lists, ties=resampled.TIES)
            highest, where = curve.peak_tap, curve.peak_threshold
            reason = not_kept(lists, whole=True)
            undefined = np.count_nonzero(np.isnan(peak))
            if not reason and np.isnan(highest):
                reason = "there is no record" if lists.n_queries else "there is no query"
            elif not reason and undefined:
                reason = f"in {undefined} replicates the queries drawn have no record"
        peak_threshold = np.append(threshold, nan)[np.concatenate(self._codes)]
        also = dict(zip(self._others, values, strict=True))
        goes = dict(zip(self._others, influences, strict=True))
        once = Drawn(np.ones((1, of.groups.count)), of.groups.code, of.weight)
        code = np.array([threshold.size if at.reason and all_kept(lists) else place])
        of_others = {
            name: interval_of(function(once, code).item(), also[name], of.share(goes[name]))
            for name, function in self._others.items()
        }
        also_known = at.replicates._replace(peak_threshold=peak_threshold, others=also)
        return at._replace(
            peak=interval_of(highest, peak, of.share(of_peak)),
            peak_threshold=interval_of(where, peak_threshold, of.share(), between=False),
            replicates=also_known._replace(peak=peak),
            influences=at.influences._replace(peak=of_peak, others=goes),
            peak_reason=reason,
            others=of_others,
        )


def _not_kept(lists: RetrievalLists, code: int) -> str:
    """Why condensed lists do not tell TAP up to the threshold of a replicate; empty if they do."""
    if lists.kept is None or code < 0:
        return ""
    threshold = np.append(ranking(lists).threshold, lists.sign * np.inf)[code]
    reason = not_kept(lists, to=float(threshold))
    return reason and f"{reason}, for E_k of some resamples lies there"
