"""What each query does to a score: leaving it out, and TAP-k as a mean of contributions."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, check_kept, derived
from tapviz.lists.reported import not_measured
from tapviz.measures import _common, _ranking
from tapviz.measures._common import Bools, Floats, Ints, Ints32, number_of_errors, ratio, undefined
from tapviz.measures.errors import QUANTILE_TOLERANCE, nth_error_code, queries_with_errors
from tapviz.measures.groups import Groups
from tapviz.measures.roc import pooled_roc_n
from tapviz.measures.tap import NoRelevant, Tap, tap, tap_k, tap_of_queries, weights_of
from tapviz.measures.tap_curves import SAME, TapCurve, tap_by_k, tap_curve
from tapviz.measures.ties import Ties

__all__ = [
    "Influence", "Suppliers", "influence", "leave_out_suppliers", "linear_tap", "slope_at",
    "tap_sums",
]  # fmt: skip


class Influence(NamedTuple):
    """Pooled ROC_n and TAP-k without each of the queries, with the policy that made them.

    Pooled ROC_n crosses ties on a diagonal and stays where it ends if the pool has fewer than n
    errors. TAP-k follows the reference rule for queries with T(q) = 0 and is undefined if too
    few lists have k errors.
    """

    query: NDArray[np.str_]
    """Ids of the queries, shape (Q,)."""
    pooled_roc_n: float
    """With all queries; NaN where undefined, see `pooled_reason`."""
    pooled_without: Floats
    """Without each query, shape (Q,)."""
    pooled_change: Floats
    """`pooled_without` less `pooled_roc_n`: what leaving the query out does. Shape (Q,)."""
    supplied: Floats
    """How many of the first n errors of the pool each query supplies, shape (Q,); where the
    n-th is tied, the errors of its score share evenly."""
    tap: float
    """TAP-k with all queries; NaN where undefined, see `tap_reason`."""
    tap_without: Floats
    """Without each query, at the threshold of the others, shape (Q,)."""
    tap_change: Floats
    """`tap_without` less `tap`, shape (Q,)."""
    e_k: float
    """Threshold E_k of all queries; NaN if there is none."""
    e_k_without: Floats
    """Threshold E_k of the others, shape (Q,)."""
    k: int
    n: int
    quantile: float
    pooled_reason: str
    """Why pooled ROC_n is NaN, with all queries or without some; empty otherwise."""
    tap_reason: str
    """Why TAP-k is NaN, with all queries or without some; empty otherwise."""


def influence(
    lists: RetrievalLists, *, k: int = 20, n: int = 50, quantile: float = 0.5
) -> Influence:
    """Leave each query out in turn: what becomes of pooled ROC_n and of TAP-k.

    Exact, with E_k estimated again from the other queries, for about the time of one
    evaluation of each.

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Errors per query of TAP-k, at least 1.
    n : int
        Errors of the pool of ROC_n, at least 1.
    quantile : float, in (0, 1]
        A fraction `quantile` of the queries has at least k errors at E_k.

    Raises
    ------
    ValueError
        If k or n is not a whole number of at least 1, or the quantile not in (0, 1].

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Condition 5.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import load_results
    >>> from tapviz.measures import influence
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = influence(lists, k=5, n=50)
    >>> worst = np.nanargmax(abs(found.pooled_change))
    >>> round(found.pooled_roc_n, 3), round(float(found.pooled_without[worst]), 3)
    (0.304, 0.306)
    """
    check_kept(lists, errors=max(k, n))
    n = number_of_errors("n", n)
    full = tap_k(lists, k=k, quantile=quantile)
    e_k = full.e0 if not full.too_short else float("nan")
    k, quantile = int(k), float(quantile)
    tap_without, e_k_without = _tap_without(lists, k, quantile)
    pooled = pooled_roc_n(lists, n=n)
    pool = _pool(lists)
    without = _pooled_without(lists, pool, n)
    alone = "there is no other query" if lists.n_queries == 1 else ""
    missing = alone or "no other query has a relevant record"
    pooled_reason = undefined(lists) or (missing if np.isnan(without).any() else "")
    few = alone or f"Without one of the queries, fewer than {queries_with_errors(quantile, k)}."
    tap_reason = full.reason or (few if np.isnan(tap_without).any() else "")
    return Influence(
        query=lists.query,
        pooled_roc_n=pooled,
        pooled_without=without,
        pooled_change=without - pooled,
        supplied=_supplied(pool, n, lists.n_queries),
        tap=full.value,
        tap_without=tap_without,
        tap_change=tap_without - full.value,
        e_k=e_k,
        e_k_without=e_k_without,
        k=k,
        n=n,
        quantile=quantile,
        pooled_reason=pooled_reason,
        tap_reason=tap_reason,
    )


def _tap_without(lists: RetrievalLists, k: int, quantile: float) -> tuple[Floats, Floats]:
    """TAP-k and E_k without each query, shape (Q,) each; NaN where undefined."""
    n_queries, weight = lists.n_queries, lists.weight
    result = np.full(n_queries, np.nan)
    if n_queries <= 1:
        return result, result.copy()
    codes = nth_error_code(lists, k)
    order = np.argsort(codes, kind="stable")
    place = np.empty(n_queries, np.int64)
    place[order] = np.arange(n_queries)
    reached = np.cumsum(weight[order])
    # The weight to be reached among the others; the query itself is in `reached` if it stands
    # before the place sought.
    needed = quantile * (1 - QUANTILE_TOLERANCE) * (reached[-1] - weight)
    before = np.searchsorted(reached, needed)
    after = np.maximum(np.searchsorted(reached, needed + weight), place + 1)
    at = np.where(before < place, before, after)
    threshold = np.append(_ranking.ranking(lists).threshold, np.nan)
    code = np.append(codes[order], threshold.size - 1)[np.minimum(at, n_queries)]
    for each in np.unique(code[code < threshold.size - 1]):
        # Few: without a query of weight 1, E_k is the same or the next.
        values = tap(lists, threshold[each]).per_query
        these = code == each
        rest = values @ weight - (values * weight)[these]
        result[these] = rest / (weight.sum() - weight[these])
    return result, threshold[code]


@derived()
def _own_errors(lists: RetrievalLists) -> Ints:
    """Errors of its own list before each relevant record, tied ones half, doubled; best first."""
    first = np.flatnonzero(_ranking.list_positions(lists).starts)
    length = np.diff(np.append(first, lists.score.size))
    errors = np.concatenate([[0], np.cumsum(~lists.relevant)])
    around = np.repeat(errors[first] + errors[first + length], length)
    around -= 2 * np.repeat(errors[lists.offset[:-1]], np.diff(lists.offset))
    order = _ranking.ranking(lists).order
    return around[order[lists.relevant[order]]]


@derived()
def _own_number(lists: RetrievalLists) -> Ints:
    """Number of each irrelevant record in its own list, from 1; all lists merged, best first."""
    known = _ranking.list_positions(lists)
    number = known.rank - known.relevant_so_far
    order = _ranking.ranking(lists).order
    return number[order[~lists.relevant[order]]].astype(np.int64)


class _Pool(NamedTuple):
    """Records of all queries merged, best first; queries by their place among those kept."""

    query: Ints
    """Of each error."""
    code: Ints32
    """Place of the score of each error among the distinct scores."""
    number: Ints
    """Number of each error in its own list, from 1."""
    hit_query: Ints
    """Of each relevant record."""
    hit: Ints32
    """Place of the score of each relevant record among the distinct scores."""
    own: Ints
    """Errors of its own list before each relevant record, tied ones half, doubled."""


def _pool(lists: RetrievalLists) -> _Pool:
    relevant, irrelevant = _ranking.pooled_records(lists)
    row = _ranking.row_of_query(lists).astype(np.int64)
    query, hit_query = row[irrelevant.query], row[relevant.query]
    keep, hits = query >= 0, hit_query >= 0
    errors = query[keep], irrelevant.code[keep], _own_number(lists)[keep]
    return _Pool(*errors, hit_query[hits], relevant.code[hits], _own_errors(lists)[hits])


def _supplied(pool: _Pool, n: int, n_queries: int) -> Floats:
    """How many of the first n errors each query supplies; where the n-th is tied, by share."""
    if not pool.code.size:
        return np.zeros(n_queries)
    n = min(n, pool.code.size)
    first = np.searchsorted(pool.code, pool.code[n - 1])
    last = np.searchsorted(pool.code, pool.code[n - 1], side="right")
    tied = np.bincount(pool.query[first:last], minlength=n_queries)
    supplied: Floats = tied * ((n - first) / (last - first))
    return supplied + np.bincount(pool.query[:first], minlength=n_queries)


def _pooled_without(lists: RetrievalLists, pool: _Pool, n: int) -> Floats:
    """Pooled ROC_n without each query, shape (Q,); NaN where no other has a relevant record.

    The area without a query is the area of all up to the n-th error of the others, less what
    stands above the query's own errors, less what its own relevant records add above the errors
    of the others. Only the place of that n-th error differs from query to query.
    """
    n_queries, size = lists.n_queries, _ranking.ranking(lists).threshold.size
    query, code, number, hit_query, hit, own = pool
    # The i-th error of a query, at place p of all, follows p - i errors of others.
    ahead = np.bincount(query[np.arange(1, code.size + 1) - number < n], minlength=n_queries)
    # Place among the distinct scores of the n-th error of the others.
    cut = np.append(code, size)[np.minimum(n + ahead - 1, code.size)].astype(np.int64)

    def others(until: Ints) -> tuple[Ints, Ints]:
        """Errors and relevant records of the others among the strictest `until` scores."""
        seen = _ranking.n_retrieved(lists, until)
        found = _ranking.relevant_among(lists, seen)
        return np.searchsorted(code, until) - (seen - found), np.searchsorted(hit, until) - found

    errors, found = others(cut)
    errors_through, found_through = others(cut + 1)

    # Nothing past the last cut counts. Heights, and errors passed, are doubled: whole numbers.
    last = cut.max(initial=0)
    query, code = query[: np.searchsorted(code, last)], code[: np.searchsorted(code, last)]
    height = np.searchsorted(hit, code, side="left") + np.searchsorted(hit, code, side="right")
    before = hit < cut[hit_query]
    hit_query, hit, own = hit_query[before], hit[before], own[before]
    passed = np.searchsorted(code, hit, side="left") + np.searchsorted(code, hit, side="right")
    area = np.concatenate([[0], np.cumsum(height)])[np.searchsorted(code, cut)].astype(np.float64)
    inside = code < cut[query]
    area -= np.bincount(query[inside], height[inside], minlength=n_queries)
    area -= 2 * errors * np.bincount(hit_query, minlength=n_queries)
    area += np.bincount(hit_query, passed - own, minlength=n_queries)
    area /= 2
    # In the tie block of the n-th error the curve is a diagonal. Past all scores it is flat.
    m, tied = n - errors, np.maximum(errors_through - errors, 1)
    area += m * found + (found_through - found) * m**2 / (2 * tied)
    return ratio(area, n * (lists.n_relevant.sum() - lists.n_relevant))


def _pooled_without_first(lists: RetrievalLists, pool: _Pool, n: int, rows: Ints) -> Floats:
    """Pooled ROC_n with all queries, without the first of some, the first two, ..., (S + 1,)."""
    left = np.arange(rows.size + 1)[:, None]
    turn = np.full(lists.n_queries, rows.size)
    turn[rows] = left[:-1, 0]
    # Nothing counts past the n-th error of the queries that stay to the end, and its ties.
    stay = np.flatnonzero(turn[pool.query] == rows.size)
    last = pool.code[stay[n - 1]] if stay.size >= n else lists.whole.score.size
    code, hit = (one[: np.searchsorted(one, last, "right")] for one in (pool.code, pool.hit))
    kept = turn[pool.query[: code.size]] >= left
    found = np.pad((turn[pool.hit_query[: hit.size]] >= left).cumsum(axis=1), ((0, 0), (1, 0)))
    before, through = (found[:, np.searchsorted(hit, code, side)] for side in ("left", "right"))
    errors = np.pad(kept.cumsum(axis=1), ((0, 0), (1, 0)))
    start, end = (np.searchsorted(code, code, side) for side in ("left", "right"))
    # Of a block of tied errors that counts in part, each of m among e: see `_pooled_without`.
    tied, counted = errors[:, end] - errors[:, start], np.clip(n - errors[:, start], 0, None)
    share = np.minimum(counted / np.maximum(tied, 1), 1.0)
    height = share * (before + (through - before) * share / 2)
    area = np.where(kept, height, 0.0).sum(axis=1)
    area += np.clip(n - errors[:, -1], 0, None) * found[:, -1]
    n_relevant = lists.n_relevant[rows].cumsum()
    return ratio(area, n * (lists.n_relevant.sum() - np.append(0, n_relevant)))


class Suppliers(NamedTuple):
    """Pooled ROC_n of P programs without the queries that supply the first one's pooled errors."""

    query: NDArray[np.str_]
    """Ids of the S queries that supply most errors of the first program, most first, shape (S,)."""
    supplied: Floats
    """How many of the first n pooled errors of each program they supply, shape (P, S); where the
    n-th is tied, the errors of its score share evenly."""
    pooled: Floats
    """Pooled ROC_n of each program with all queries, without the first, without the first two, and
    so on, shape (P, S + 1); NaN where no other query has a relevant record."""
    alone: Floats
    """That of each program without one of the queries alone, shape (P, S)."""
    n: int
    n_errors: int
    """Pooled errors of the first program that count: n, or all there are."""
    n_suppliers: int
    """Queries that supply at least one of them, among those given here or not."""
    n_queries: int

    @property
    def turns(self) -> int | None:
        """How many queries to leave out until the first program is before the last of them.

        None if so many do not turn the order, or if the first is not behind with all queries.
        """
        lead = self.pooled[0] - self.pooled[-1]
        ahead = np.flatnonzero(lead > SAME)
        return int(ahead[0]) if ahead.size and lead[0] < -SAME else None

    @property
    def enough(self) -> NDArray[np.str_]:
        """Queries of which each turns that order when it is the only one left out."""
        behind = self.pooled[0, 0] - self.pooled[-1, 0] < -SAME
        found: NDArray[np.str_] = self.query[behind & (self.alone[0] - self.alone[-1] > SAME)]
        return found


def leave_out_suppliers(
    lists: RetrievalLists, *others: RetrievalLists, n: int = 50, most: int = 12
) -> Suppliers:
    """Leave out the queries that supply the pooled errors of a program, one after another.

    Parameters
    ----------
    lists : RetrievalLists
        Of the program whose errors they are.
    *others : RetrievalLists
        Of programs to compare it with, for the same queries.
    n : int
        Errors of the pool, at least 1.
    most : int
        Queries to leave out, at least 1.

    Raises
    ------
    ValueError
        If n or `most` is not a whole number of at least 1, or the queries are not the same.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import leave_out_suppliers
    >>> results = load_results()
    >>> found = leave_out_suppliers(results["MMseqs2_iter3"], results["DIAMOND"], n=50)
    >>> found.query[: found.turns].tolist(), found.pooled[:, [0, 2]].round(3).tolist()
    (['d1ps9a3', 'd1twfa_'], [[0.214, 0.232], [0.218, 0.219]])
    """
    n = number_of_errors("n", n)
    _common.whole_number("most", most, least=1, of="of queries")
    programs = lists, *others
    for one in programs:
        check_kept(one, errors=n)
        if not np.array_equal(one.query, lists.query):
            raise ValueError("others: expected lists of the same queries in the same order")
    pools = [_pool(one) for one in programs]
    supplied = np.array([_supplied(pool, n, lists.n_queries) for pool in pools])
    rows = np.argsort(-supplied[0], kind="stable")[:most]
    rows = rows[supplied[0, rows] > 0]
    each = [*zip(programs, pools, strict=True)]
    pooled = np.array([_pooled_without_first(one, pool, n, rows) for one, pool in each])
    alone = np.array([_pooled_without(one, pool, n)[rows] for one, pool in each])
    counts = round(float(supplied[0].sum())), int((supplied[0] > 0).sum()), lists.n_queries
    return Suppliers(lists.query[rows], supplied[:, rows], pooled, alone, n, *counts)


SPREAD = 2.0
"""The slope of TAP is taken over so many standard errors of the share of queries on each side."""
HELD = 1 << 22
"""Numbers of queries at thresholds that are made at a time: 32 MB."""


class Slope(NamedTuple):
    """How a mean TAP goes with the share of the queries that have k errors at its threshold."""

    reached: Bools
    """Whether each query has k errors at E_k, shape (Q,)."""
    share: float
    """Their share, by weight."""
    slope: float
    """Mean TAP per share; NaN where condensed lists do not tell."""

    @property
    def per_query(self) -> Floats:
        """What each query takes from the mean by its part in E_k, shape (Q,); 0 on average.

        A query that has k errors at E_k pulls E_k to stricter scores, one that has not to looser.
        """
        return self.slope * (self.reached.astype(np.float64) - self.share)


def slope_at(
    lists: RetrievalLists, e_k: float, groups: Groups, curve: TapCurve, *, k: int
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
    reached = codes < _ranking.n_thresholds(lists, e_k)
    weight = lists.weight / lists.weight.sum()
    share = float(weight @ reached)
    reach = SPREAD * float(np.linalg.norm(groups.sums(weight * (reached - share))))
    if not reach:
        return Slope(reached, share, 0.0)
    order = np.argsort(codes, kind="stable")
    total = np.cumsum(weight[order])
    wanted = np.array([share - reach, share + reach]) * (1 - QUANTILE_TOLERANCE)
    place = np.minimum(np.searchsorted(total, wanted), codes.size - 1)
    strict, loose = codes[order[place]].tolist()
    threshold = _ranking.ranking(lists).threshold
    loose = min(loose, threshold.size - 1)  # where there are no more errors, all records count
    if loose >= _ranking.n_told(lists):
        return Slope(reached, share, float("nan"))
    ends = np.array([weight @ (codes <= strict), weight @ (codes <= loose)])
    if not ends[1] > ends[0]:
        return Slope(reached, share, 0.0)
    low, high = curve.at(threshold[[strict, loose]], lists.sign)
    return Slope(reached, share, float((high - low) / (ends[1] - ends[0])))


def linear_tap(
    lists: RetrievalLists, found: Tap, groups: Groups, *, fixed_threshold: bool = False
) -> Floats:
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
        Also of a query that does not count in the mean, but in E_k; all NaN where condensed lists
        do not tell.

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
    slope = slope_at(lists, found.e0, groups, curve, k=found.k).per_query
    counted = lists.weight[~np.isnan(found.per_query)].sum() / lists.weight.sum()
    linear: Floats = np.nan_to_num(found.per_query) - counted * slope
    return linear


def tap_sums(
    lists: RetrievalLists,
    groups: Groups,
    *,
    max_k: int = 100,
    quantile: float = 0.5,
    no_relevant: NoRelevant = "reference",
    ties: Sequence[Ties] = ("listed",),
    fixed_threshold: bool = False,
    thresholds: Sequence[float] | None = None,
) -> Floats:
    """`linear_tap` for k = 1, ..., `max_k`, or TAP at thresholds, summed over queries of groups.

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
    thresholds : sequence of float, optional
        Thresholds to take instead of E_k, K of them, from strict to loose.

    Returns
    -------
    ndarray of float64, shape (O, K, G)
        The sum of a row is TAP; NaN where there is none.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> from tapviz.measures import class_groups, tap_sums
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> (sums,) = tap_sums(lists, class_groups(lists), max_k=5)
    >>> sums.shape, bool(abs(sums[4].sum() - tap_k(lists, k=5).value) < 1e-12)
    ((5, 245), True)
    """
    if thresholds is None:
        e0 = tap_by_k(lists, max_k=max_k, quantile=quantile).e0
    else:
        fixed_threshold = True
        e0 = np.array([nan if not_measured(lists, at) else at for at in thresholds])
    sums = np.full((len(ties), e0.size, groups.count), np.nan)
    known = np.flatnonzero(~np.isnan(e0))
    weight = weights_of(lists, no_relevant)
    if not weight.sum() > 0 or not known.size:
        return sums
    weight = weight / weight.sum()
    size = max(1, HELD // max(lists.n_queries, 1))
    for some in (known[start : start + size] for start in range(0, known.size, size)):
        codes = [_ranking.n_thresholds(lists, at) for at in e0[some].tolist()]
        retrieved = _ranking.retrieved_at(lists, codes)
        for order, own in zip(ties, sums, strict=True):
            table = tap_of_queries(lists, retrieved, ties=order)
            if no_relevant != "reference":
                table[:, lists.n_relevant == 0] = 0.0
            for at, taps in zip(some.tolist(), table, strict=True):
                own[at] = groups.sums(weight * taps)
    if not fixed_threshold:
        curve, share = tap_curve(lists, no_relevant=no_relevant), lists.weight / lists.weight.sum()
        for at in known.tolist():
            slope = slope_at(lists, float(e0[at]), groups, curve, k=at + 1)
            sums[:, at] -= groups.sums(share * slope.per_query)
    return sums
