"""What each query contributes to TAP-k, with what it does to E_k: TAP-k as a mean over queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import all_kept
from tapviz.measures._ranking import n_thresholds, ranking
from tapviz.measures.errors import QUANTILE_TOLERANCE, nth_error_code
from tapviz.measures.groups import Groups
from tapviz.measures.order import tap_by_k
from tapviz.measures.tap import NoRelevant, Tap, tap_at_thresholds
from tapviz.measures.tap_curves import TapCurve, tap_curve
from tapviz.measures.ties import Ties

__all__ = ["linear_tap", "slope_at", "tap_sums"]

SPREAD = 2.0
"""The slope of TAP is taken over so many standard errors of the share of queries on each side."""
HELD = 1 << 22
"""Numbers of queries at thresholds that are made at a time: 32 MB."""


class Slope(NamedTuple):
    """How a mean TAP goes with the share of the queries that have k errors at its threshold."""

    reached: NDArray[np.bool_]
    """Whether each query has k errors at E_k, shape (Q,)."""
    share: float
    """Their share, by weight."""
    slope: float
    """Mean TAP per share; NaN where condensed lists do not tell."""

    @property
    def per_query(self) -> NDArray[np.float64]:
        """What each query takes from the mean by its part in E_k, shape (Q,); 0 on average.

        A query that has k errors at E_k pulls E_k to stricter scores, one that has not to looser.
        """
        return self.slope * (self.reached.astype(np.float64) - self.share)


def slope_at(
    lists: RetrievalLists,
    e_k: float,
    groups: Groups,
    curve: TapCurve,
    *,
    k: int,
) -> Slope:
    """How the mean TAP goes with the share of the queries that have k errors, about E_k.

    The share varies with the choice of groups; the mean TAP at the thresholds where it is two
    standard errors smaller and larger gives the slope.

    Parameters
    ----------
    lists : RetrievalLists
    e_k : float
        Threshold at which enough queries have k errors.
    groups : Groups
        What is drawn.
    curve : TapCurve
        Mean TAP at every threshold.
    k : int

    References
    ----------
    Woodruff (1952), J. Am. Stat. Assoc. 47:635, for quantiles by way of the share; Deville (1999),
    Surv. Methodol. 25:193, for linear contributions to statistics that hang on a quantile.

    Examples
    --------
    >>> from tapviz import load_results, tap_curve, tap_k
    >>> from tapviz.measures import class_groups, slope_at
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> slope = slope_at(lists, tap_k(lists, k=5).e0, class_groups(lists), tap_curve(lists), k=5)
    >>> round(slope.share, 2), round(slope.slope, 2), bool(abs(slope.per_query.mean()) < 1e-12)
    (0.51, -0.08, True)
    """
    codes = nth_error_code(lists, k)
    reached = codes < n_thresholds(lists, e_k)
    weight = lists.weight / lists.weight.sum()
    share = float(weight @ reached)
    apart = groups.sums(weight * (reached - share))
    reach = SPREAD * float(np.linalg.norm(apart))
    if not reach:
        return Slope(reached, share, 0.0)
    order = np.argsort(codes, kind="stable")
    total = np.cumsum(weight[order])
    wanted = np.array([share - reach, share + reach]) * (1 - QUANTILE_TOLERANCE)
    place = np.minimum(np.searchsorted(total, wanted), codes.size - 1)
    strict, loose = codes[order[place]].tolist()
    threshold = ranking(lists).threshold
    loose = min(loose, threshold.size - 1)  # where there are no more errors, all records count
    if lists.kept is not None and not all_kept(lists):
        kept = n_thresholds(lists, lists.kept.e_keep)
        if loose >= kept:
            return Slope(reached, share, float("nan"))
    ends = np.array([weight @ (codes <= strict), weight @ (codes <= loose)])
    if not ends[1] > ends[0]:
        return Slope(reached, share, 0.0)
    low, high = curve.at(threshold[[strict, loose]], lists.sign)
    return Slope(reached, share, float((high - low) / (ends[1] - ends[0])))


def linear_tap(
    lists: RetrievalLists, found: Tap, groups: Groups, *, fixed_threshold: bool = False
) -> NDArray[np.float64]:
    """TAP of each query, less what the query does to the mean by its part in E_k.

    Their weighted mean is that of TAP-k. Sums of them over other choices of groups are, to first
    order, TAP-k of these choices, with an E_k of their own.

    Parameters
    ----------
    lists : RetrievalLists
    found : Tap
        Of these lists.
    groups : Groups
    fixed_threshold : bool
        Whether E_k is taken for known.

    Returns
    -------
    ndarray of float64, shape (Q,)
        NaN where a query does not count; all NaN where condensed lists do not tell.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> from tapviz.measures import class_groups, linear_tap
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = tap_k(lists, k=5)
    >>> values = linear_tap(lists, found, class_groups(lists))
    >>> bool(abs(values.mean() - found.value) < 1e-12)
    True
    """
    if found.k is None or fixed_threshold or np.isnan(found.e0):
        return found.per_query
    curve = tap_curve(lists, no_relevant=cast("NoRelevant", found.no_relevant))
    return found.per_query - slope_at(lists, found.e0, groups, curve, k=found.k).per_query


def tap_sums(
    lists: RetrievalLists,
    groups: Groups,
    *,
    max_k: int = 100,
    quantile: float = 0.5,
    no_relevant: NoRelevant = "reference",
    ties: Sequence[Ties] = ("listed",),
    fixed_threshold: bool = False,
) -> NDArray[np.float64]:
    """`linear_tap` for k = 1, ..., `max_k`, summed over the queries of each group.

    Parameters
    ----------
    lists : RetrievalLists
    groups : Groups
    max_k : int
    quantile : float, in (0, 1]
    no_relevant : {"reference", "zero", "exclude"}
    ties : sequence of {"listed", "optimistic", "pessimistic"}
        Orders of records of equal score, O of them.
    fixed_threshold : bool

    Returns
    -------
    ndarray of float64, shape (O, K, G)
        The sum of a row is TAP-k; NaN where there is none.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> from tapviz.measures import class_groups, tap_sums
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> (sums,) = tap_sums(lists, class_groups(lists), max_k=5)
    >>> sums.shape, bool(abs(sums[4].sum() - tap_k(lists, k=5).value) < 1e-12)
    ((5, 245), True)
    """
    by_k = tap_by_k(lists, max_k=max_k, quantile=quantile)
    sums = np.full((len(ties), max_k, groups.count), np.nan)
    known = np.flatnonzero(~np.isnan(by_k.e0))
    none = lists.n_relevant == 0
    weight = np.where(none & (no_relevant == "exclude"), 0.0, lists.weight)
    if not weight.sum() > 0 or not known.size:
        return sums
    weight = weight / weight.sum()
    size = max(1, HELD // max(lists.n_queries, 1))
    for some in (known[start : start + size] for start in range(0, known.size, size)):
        for order, own in zip(ties, sums, strict=True):
            table = tap_at_thresholds(lists, by_k.e0[some], ties=order)
            if no_relevant != "reference":
                table[:, none] = 0.0
            for at, taps in zip(some.tolist(), table, strict=True):
                own[at] = groups.sums(weight * taps)
    if not fixed_threshold:
        curve, share = tap_curve(lists, no_relevant=no_relevant), lists.weight / lists.weight.sum()
        for at in known.tolist():
            slope = slope_at(lists, float(by_k.e0[at]), groups, curve, k=at + 1)
            sums[:, at] -= groups.sums(share * slope.per_query)
    return sums
