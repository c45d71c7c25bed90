"""Bootstrap of groups of queries: intervals of TAP-k, E_k, the peak TAP, and differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil, erf, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures._checks import check_quantile, number_of_errors, whole_number
from tapviz.measures._progress import OnProgress, advance
from tapviz.measures._ranking import n_thresholds, ranking
from tapviz.measures.errors import QUANTILE_TOLERANCE, nth_error_code
from tapviz.measures.groups import Groups, GroupsOf, as_groups
from tapviz.measures.peak_bootstrap import TIES, PeakTable, peak_of, peak_table
from tapviz.measures.replicates import HELD_BRIEFLY, Drawn, Replicate, reach_of
from tapviz.measures.tap import (
    Tap,
    tap,
    tap_curve,
    tap_k,
    tap_table,
)
from tapviz.reported import all_kept, not_kept

# The arrays of one block of replicates stay small, and its matrix products fast.
BLOCK = 50

# How often groups are drawn in the replicates that are held at a time: 128 MB.
HELD = 1 << 24


class Interval(NamedTuple):
    """An estimate from all queries and the interval that the replicates give."""

    estimate: float
    """NaN where undefined."""
    low: float
    """NaN where undefined, and where there are too few groups."""
    high: float


class Replicates(NamedTuple):
    """What each of B replicates gave; each array has the shape (B,)."""

    tap: NDArray[np.float64]
    e0: NDArray[np.float64]
    peak: NDArray[np.float64]
    peak_threshold: NDArray[np.float64]
    others: dict[str, NDArray[np.float64]]
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
    check_resampling(results, e0, n_resamples, seed, level)
    rule = ("fixed" if fixed_threshold else "re-estimated") if e0 is None else "given"
    if e0 is None:
        k, quantile = number_of_errors("k", k), check_quantile(quantile)
    n_resamples = int(n_resamples)
    more = {name: dict((others or {}).get(name, {})) for name in results}
    peaked = {name for name, lists in results.items() if peak and all_kept(lists)}
    points = {
        name: tap_k(lists, k=k, quantile=quantile, ties=TIES)
        if e0 is None
        else tap(lists, e0, ties=TIES)
        for name, lists in results.items()
    }
    # Condensed lists may not tell E_k, or that of a resample.
    unknown = {
        name: not_kept(results[name], to=one.e0, errors=one.k or 0) for name, one in points.items()
    }
    parts: dict[str, list[_Part]] = {name: [] for name in results}
    total = n_resamples * len(results)
    size = max(1, min(BLOCK, n_resamples // 20))
    done = 0
    advance(progress, done, total)
    first = next(iter(results.values()))
    drawn = as_groups(groups, first)
    influences = {name: Influences() for name in results}
    reach = reach_of(drawn.code)
    # Where nothing is made anew for them, fewer are held.
    held = HELD if peak else HELD_BRIEFLY
    for some in draws(first.weight, drawn, n_resamples, seed, held, bayesian=bayesian):
        for name, lists in results.items():
            if unknown[name]:
                codes = np.full(some.n, -1)
            elif rule == "re-estimated":
                codes = _error_codes(lists, some, k, quantile, reach)
                unknown[name] = _not_kept(lists, codes)
                if unknown[name]:
                    codes[:] = -1
            else:
                codes = np.full(some.n, n_thresholds(lists, points[name].e0) - 1)
            taps = _mean_taps(lists, some, codes)
            peaks = partial(_peaks, peak_table(lists)) if name in peaked else _no_peak
            for start in range(0, some.n, size):
                rows = slice(start, start + size)
                block, code = some.part(rows), codes[rows]
                also = [function(block, code) for function in more[name].values()]
                part = _Part(taps(block, code), code, *peaks(block), also)
                parts[name].append(part)
                done += block.n
                advance(progress, done, total)
            own = parts[name][-ceil(some.n / size) :]
            influences[name].add(some, [np.concatenate(scores) for scores in _scores_of(own)])
    algorithms = {
        name: _summary(
            lists,
            points[name]._replace(reason=points[name].reason or unknown[name]),
            rule,
            parts[name],
            influences[name].found,
            more[name],
            Drawn(np.ones((1, drawn.count)), drawn.code, first.weight),
            partial(share_inside, level, drawn),
            with_peak=peak,
        )
        for name, lists in results.items()
    }
    return Bootstrap(
        algorithms=algorithms,
        groups=drawn,
        n_resamples=n_resamples,
        seed=int(seed),
        level=float(level),
        method=f"{drawn.unit} {'weighted at random' if bayesian else 'drawn with replacement'}",
        threshold_rule=rule,
        k=k if e0 is None else None,
        quantile=quantile if e0 is None else None,
        no_relevant="reference",
        ties=TIES,
        reason=drawn.few,
    )


class _Part(NamedTuple):
    """Results of some replicates."""

    tap: NDArray[np.float64]
    code: NDArray[np.int64]
    peak: NDArray[np.float64]
    peak_code: NDArray[np.int64]
    others: Sequence[NDArray[np.float64]]


def _scores_of(parts: Sequence[_Part]) -> Iterable[tuple[NDArray[np.float64], ...]]:
    """TAP, the peak and other scores, each of all parts."""
    return zip(*([one.tap, one.peak, *one.others] for one in parts), strict=True)


class Influences:
    """Covariances of scores with how often each group is drawn, while replicates come in."""

    def __init__(self) -> None:
        self._n = 0
        self._values = self._drawn = self._products = np.zeros(1)

    def add(self, drawn: Drawn, scores: Sequence[NDArray[np.float64]]) -> None:
        """Take in replicates, and their scores, each of shape (R,)."""
        values = np.stack(scores)
        self._n += drawn.n
        self._values = self._values + values.sum(axis=1)
        self._drawn = self._drawn + drawn.times.sum(axis=0)
        with np.errstate(invalid="ignore"):  # of undefined scores
            self._products = self._products + values @ drawn.times

    @property
    def found(self) -> NDArray[np.float64]:
        """Of each score and group, shape (S, G)."""
        means = np.outer(self._values, self._drawn) / self._n
        found: NDArray[np.float64] = (self._products - means) / self._n
        return found


def _mean_taps(
    lists: RetrievalLists, drawn: Drawn, codes: NDArray[np.int64]
) -> Callable[[Drawn, NDArray[np.int64]], NDArray[np.float64]]:
    """Function of some replicates and their codes, (R,), that returns the mean TAP at these.

    Replicates agree on few thresholds: TAP of every group at each is all that is needed.
    """
    if not lists.n_queries:
        return lambda some, _: np.full(some.n, np.nan)
    worst = ranking(lists).threshold.size - 1
    distinct = np.unique(np.minimum(codes, worst))
    size = max(1, HELD_BRIEFLY // lists.n_queries)
    table = np.array(
        [
            drawn.of_groups(drawn.weight * taps)
            for start in range(0, distinct.size, size)
            for taps in tap_table(lists, distinct[start : start + size], ties=TIES)
        ]
    )
    rows = np.empty((BLOCK, table.shape[1]))  # once: fresh memory is slow

    def means(some: Drawn, code: NDArray[np.int64]) -> NDArray[np.float64]:
        place = np.searchsorted(distinct, np.minimum(code, worst))
        at = table.take(place, axis=0, out=rows[: place.size], mode="clip")
        mean: NDArray[np.float64] = np.einsum("rg,rg->r", some.times, at) / some.total()
        return mean

    return means


def _peaks(table: PeakTable, drawn: Drawn) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return peak_of(table, drawn.of_queries())


def _no_peak(drawn: Drawn) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return np.full(drawn.n, np.nan), np.full(drawn.n, -1)


def draws(
    weight: NDArray[np.float64],
    groups: Groups,
    n_resamples: int,
    seed: int,
    held: int,
    *,
    bayesian: bool,
) -> Iterator[Drawn]:
    """Replicates of queries of these weights, some at a time, in the same memory each time."""
    rng = np.random.Generator(np.random.PCG64(seed))
    size = groups.count
    held = min(n_resamples, max(1, held // max(size, 1)))
    memory = np.empty((held, size))
    for start in range(0, n_resamples, held):
        rows = memory[: n_resamples - start]
        for row in rows:
            if bayesian:
                drawn = rng.standard_exponential(size)
                row[:] = drawn / drawn.mean() if size else drawn
            else:
                row[:] = np.bincount(rng.integers(0, max(size, 1), size), minlength=size)
        yield Drawn(rows, groups.code, weight)


def _error_codes(
    lists: RetrievalLists, drawn: Drawn, k: int, quantile: float, reach: int
) -> NDArray[np.int64]:
    """Code of E_k of each replicate, shape (R,); the number of thresholds if there is none."""
    codes = nth_error_code(lists, k)
    if not codes.size:
        return np.full(drawn.n, ranking(lists).threshold.size)
    order = np.argsort(codes, kind="stable")
    return codes[order[drawn.upper_place(order, quantile * (1 - QUANTILE_TOLERANCE), reach)]]


def _not_kept(lists: RetrievalLists, codes: NDArray[np.int64]) -> str:
    """Why condensed lists do not tell TAP at the thresholds of replicates; empty if they do."""
    threshold = np.append(ranking(lists).threshold, lists.sign * np.inf)
    reason = not_kept(lists, to=float(threshold[codes.max(initial=-1)])) if codes.size else ""
    return reason and f"{reason}, for E_k of some resamples lies there"


def _summary(
    lists: RetrievalLists,
    point: Tap,
    rule: str,
    parts: list[_Part],
    influence: NDArray[np.float64],
    others: Mapping[str, Replicate],
    once: Drawn,
    share: Callable[[NDArray[np.float64] | None], float],
    *,
    with_peak: bool,
) -> Bootstrapped:
    """Put the parts of an algorithm together."""
    mean, code, peak, peak_code = (
        np.concatenate(arrays) for arrays in zip(*(part[:4] for part in parts), strict=True)
    )
    also = {
        name: np.concatenate([part.others[number] for part in parts])
        for number, name in enumerate(others)
    }
    threshold = ranking(lists).threshold
    # Code -1 stands for no threshold, one after the last for none permissive enough.
    named = np.concatenate([threshold, [lists.sign * np.inf, np.nan]])
    re_estimated = rule == "re-estimated"
    at = -1 if not_kept(lists, to=point.e0) else n_thresholds(lists, point.e0) - 1
    place = np.array([threshold.size if point.reason and all_kept(lists) else at])
    e0 = named[code] if re_estimated else np.full(mean.size, point.e0)
    reason = point.reason
    if reason:
        mean, e0 = np.full(mean.size, np.nan), np.full(mean.size, np.nan)
    highest, where, peak_reason = nan, nan, "the peak was not asked for"
    if with_peak:
        curve = tap_curve(lists, ties=TIES)
        highest, where, peak_reason = curve.peak_tap, curve.peak_threshold, ""
    if with_peak and not all_kept(lists):
        peak_reason = not_kept(lists, whole=True)
    elif with_peak and np.isnan(highest):
        peak_reason = "there is no record" if lists.n_queries else "there is no query"
    elif with_peak and np.isnan(peak).any():
        number = int(np.isnan(peak).sum())
        peak_reason = f"in {number} replicates the queries drawn have no record"
    of_tap, of_peak, *of_others = influence
    none = np.full_like(of_tap, nan)
    influences = Replicates(of_tap, none, of_peak, none, dict(zip(others, of_others, strict=True)))
    return Bootstrapped(
        tap=interval_of(point.value, mean, share(of_tap)),
        e0=order_interval(np.nan if reason else point.e0, e0, share(None)),
        peak=interval_of(highest, peak, share(of_peak)),
        peak_threshold=order_interval(where, named[peak_code], share(None)),
        not_reached=int((code == threshold.size).sum()) if re_estimated else 0,
        replicates=Replicates(mean, e0, peak, named[peak_code], also),
        influences=influences,
        reason=reason,
        peak_reason=peak_reason,
        others={
            name: interval_of(
                float(function(once, place)[0]),
                also[name],
                share(influences.others[name]),
            )
            for name, function in others.items()
        },
    )


def percentile_interval(
    estimate: float,
    values: NDArray[np.float64],
    level: float,
    n_groups: int,
    influence: NDArray[np.float64] | None = None,
) -> Interval:
    """Expanded percentile interval of replicates that drew groups.

    The replicates of a mean of n groups spread by sqrt((n - 1) / n) of its standard error, and
    their percentiles take no account of the error's being estimated, as Student's t does. Taken
    at Phi(-sqrt(n / (n - 1)) t) in place of alpha / 2, where t is the quantile of Student's
    distribution at that level, they make up for both. Its degrees of freedom are
    `degrees_of_freedom`: n - 1, or less where a few groups decide.

    Parameters
    ----------
    estimate : float
    values : ndarray of float, shape (B,)
    level : float, in (0, 1)
    n_groups : int
        At least 2.
    influence : ndarray of float, shape (n_groups,), optional
        How the score goes with each group, as `Bootstrapped.influences` has it. By default no
        group decides more than others.

    References
    ----------
    Hesterberg (2015), Am. Stat. 69:371.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures.bootstrap import percentile_interval
    >>> replicates = np.arange(1001) / 1000
    >>> [round(end, 3) for end in percentile_interval(0.5, replicates, 0.95, n_groups=50)]
    [0.5, 0.021, 0.979]
    """
    reach = standard_errors(level, n_groups, degrees_of_freedom(n_groups, influence))
    return interval_of(estimate, values, _within(reach))


def degrees_of_freedom(n_groups: int, influence: NDArray[np.float64] | None = None) -> float:
    """How well groups tell the standard error of a score, as degrees of freedom.

    The variance among n groups is itself estimated: with kurtosis k it varies as one of
    2 n / (k - 1) degrees of freedom does. Where all groups matter alike that is more than n - 1,
    which is the most that is taken; where few make most of a score, as those whose errors come
    first in pooled lists, it is about as many as these.

    Parameters
    ----------
    n_groups : int
        At least 2.
    influence : ndarray of float, shape (n_groups,), optional
        How the score goes with each group, up to a factor.

    References
    ----------
    Satterthwaite (1946), Biometrics Bull. 2:110, for the degrees of freedom of a variance; Efron
    (2014), J. Am. Stat. Assoc. 109:991, for what groups contribute, from the replicates.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures.bootstrap import degrees_of_freedom
    >>> degrees_of_freedom(50), round(degrees_of_freedom(50, np.arange(50) == 0), 1)
    (49, 2.1)
    """
    if influence is None or not np.isfinite(influence).all():
        return n_groups - 1
    square = (influence - influence.mean()) ** 2
    variance = float(square.mean())
    if not variance > 0:
        return n_groups - 1
    excess = float((square**2).mean()) / variance**2 - 1
    return n_groups - 1 if excess * (n_groups - 1) <= 2 * n_groups else 2 * n_groups / excess


def standard_errors(level: float, n_groups: int, freedom: float | None = None) -> float:
    """How many standard errors, as resamples of groups have them, an interval reaches to a side.

    Parameters
    ----------
    level : float, in (0, 1)
    n_groups : int
        At least 2.
    freedom : float, optional
        Degrees of freedom; by default one less than there are groups.

    Examples
    --------
    >>> from tapviz.measures.bootstrap import standard_errors
    >>> round(standard_errors(0.95, 10), 2), round(standard_errors(0.95, 1000), 2)
    (2.38, 1.96)
    """
    from scipy import special  # noqa: PLC0415  # takes longer to import than all measures together

    freedom = n_groups - 1 if freedom is None else freedom
    return float(sqrt(n_groups / (n_groups - 1)) * special.stdtrit(freedom, (1 + level) / 2))


def share_inside(
    level: float, groups: Groups, influence: NDArray[np.float64] | None = None
) -> float:
    """Share of the replicates inside an interval; NaN if there are too few groups for one."""
    if groups.few:
        return nan
    freedom = degrees_of_freedom(groups.count, influence)
    return _within(standard_errors(level, groups.count, freedom))


def _within(errors: float) -> float:
    """Share of a normal distribution within so many standard errors of its middle."""
    return erf(errors / sqrt(2))


def interval_of(estimate: float, values: NDArray[np.float64], share: float) -> Interval:
    """Percentiles, interpolated between replicates, with a share between; none if that is NaN."""
    if np.isnan(share) or np.isnan(values).any():
        return Interval(float(estimate), nan, nan)
    low, high = np.quantile(values, [(1 - share) / 2, (1 + share) / 2]).tolist()
    return Interval(float(estimate), low, high)


def order_interval(estimate: float, values: NDArray[np.float64], share: float) -> Interval:
    """The replicates just outside the percentiles: a threshold between two scores is none."""
    if np.isnan(share) or np.isnan(values).any():
        return Interval(float(estimate), nan, nan)
    ordered = np.sort(values)
    low = int(np.floor((1 - share) / 2 * (ordered.size - 1)))
    high = ordered.size - 1 - low
    return Interval(float(estimate), float(ordered[low]), float(ordered[high]))


def check_resampling(
    results: Mapping[str, RetrievalLists],
    e0: float | None,
    n_resamples: int,
    seed: int,
    level: float,
) -> None:
    """ValueError unless these results can be resampled together, so often and at this level."""
    whole_number("n_resamples", n_resamples)
    whole_number("seed", seed, least=0)
    if not 0 < level < 1:
        msg = f"level = {level}: expected a fraction above 0 and below 1"
        raise ValueError(msg)
    if not results:
        msg = "results: expected at least one algorithm"
        raise ValueError(msg)
    one, first = next(iter(results.items()))
    for name, lists in results.items():
        for field in ("query", "n_relevant", "weight"):
            if not np.array_equal(getattr(lists, field), getattr(first, field)):
                msg = (
                    f"{one} and {name} differ in `{field}`: expected the same queries in the "
                    "same order, with the same T(q) and weights; use align"
                )
                raise ValueError(msg)
        if e0 is not None and lists.direction != first.direction:
            msg = (
                f"{one} has {first.direction} scores and {name} {lists.direction} ones: "
                "no E_0 is common to both"
            )
            raise ValueError(msg)
