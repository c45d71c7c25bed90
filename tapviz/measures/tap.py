"""Threshold Average Precision: at a threshold E_0, over all thresholds, at E_k, and in one list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.lists import RetrievalLists, derived
from tapviz.lists.reported import not_kept, not_measured
from tapviz.measures import _common, _ranking
from tapviz.measures._common import Bools, Floats, Ints, check_choice, refuse, undefined
from tapviz.measures.errors import Threshold, error_threshold
from tapviz.measures.precision_recall import summed_as_listed, summed_precision
from tapviz.measures.ties import Ties

__all__ = [
    "NoRelevant", "RankedList", "ShortLists", "Tap", "apcp", "ranked_list", "tap",
    "tap_at_thresholds", "tap_k",
]  # fmt: skip

NoRelevant = Literal["reference", "zero", "exclude"]
ShortLists = Literal["error", "worst_score", "pad"]


class Tap(NamedTuple):
    """TAP of each query and their mean, with the policy that made them."""

    value: float
    """Mean over queries; NaN where undefined, see `reason`."""
    e0: float
    """Threshold E_0, inclusive; E_k for TAP-k. NaN if all records counted without one."""
    per_query: Floats
    """TAP of each query, shape (Q,)."""
    retrieved: Ints
    """Records at or before the threshold, shape (Q,)."""
    relevant: Ints
    """Relevant records among them, shape (Q,)."""
    too_short: bool = False
    """Whether too few queries have k errors, so that the rule `short_lists` had to be used."""
    reached: float = float("nan")
    """Share of the queries' weight with at least k errors; NaN if the threshold was given."""
    k: int | None = None
    quantile: float | None = None
    short_lists: str = ""
    """Rule for lists that are too short; empty if the threshold was given."""
    no_relevant: str = "reference"
    ties: str = "listed"
    """Rule for records of equal score, which the sum of precisions depends on."""
    n_no_relevant: int = 0
    """Queries with T(q) = 0, scored by the rule `no_relevant`."""
    n_empty: int = 0
    """Queries with an empty list."""
    reason: str = ""
    """Why `value` is NaN; empty otherwise."""


def tap(
    lists: RetrievalLists,
    e0: float,
    *,
    no_relevant: NoRelevant = "reference",
    trim: float = 0.0,
    ties: Ties = "listed",
) -> Tap:
    """Threshold Average Precision at a given threshold E_0.

    The precisions at the relevant records at or before E_0, plus the precision at E_0 (the
    sentinel), divided by T(q) + 1; averaged over queries with their weights.

    Beyond where programs stopped reporting, `tapviz.lists.reported.measured_to`, it is undefined:
    errors that were not listed would count as not made. An infinite E_0 takes the lists as they
    are.

    Parameters
    ----------
    lists : RetrievalLists
    e0 : float
        Threshold; records whose score equals it are retrieved.
    no_relevant : {"reference", "zero", "exclude"}
        A query with T(q) = 0 scores 1 / (retrieved + 1), as the reference programs have it;
        or 0, as Equation (1) has it; or is left out of the mean. Average precision and ROC_n are
        not defined for it and always leave it out.
    trim : float, in [0, 0.5)
        Fraction of the queries, highest and lowest TAP each, to leave out of the mean.
    ties : {"listed", "optimistic", "pessimistic", "expected", "block", "docid"}
        As in `average_precision`. Records of equal score are at or before E_0 together, so that
        only the sum of the precisions depends on their order, not the precision at E_0.

    Raises
    ------
    ValueError
        If E_0 is not a number, an option is unknown, the records have no ids for "docid", or a
        trimmed mean is asked of queries with different weights.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Equation (1).

    Examples
    --------
    >>> from tapviz import load_results, tap
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> at = tap(lists, 0.01)
    >>> round(at.value, 3), at.per_query.size, at.n_empty
    (0.463, 1351, 0)
    """
    return taps(lists, [e0], no_relevant=no_relevant, trim=trim, ties=ties)[0]


def taps(lists: RetrievalLists, thresholds: Sequence[float], **how: Any) -> list[Tap]:
    """The same at several thresholds, from strict to loose: in a fraction of the time."""
    why = [not_kept(lists, to=e0) for e0 in thresholds]
    told = zip(thresholds, why, strict=True)
    codes = [0 if one else _ranking.n_thresholds(lists, e0) for e0, one in told]
    retrieved = _ranking.retrieved_at(lists, codes)
    found = taps_of(lists, [float(e0) for e0 in thresholds], retrieved, **how)
    reasons = [one or not_measured(lists, e0) for e0, one in zip(thresholds, why, strict=True)]
    return [*map(_undefined, found, reasons)]


def _undefined(at: Tap, reason: str) -> Tap:
    """TAP that is undefined if there is a reason for it."""
    if not reason:
        return at
    per_query = np.full_like(at.per_query, np.nan)
    return at._replace(value=float("nan"), per_query=per_query, reason=reason)


def apcp(
    lists: RetrievalLists,
    x: float,
    *,
    no_relevant: NoRelevant = "reference",
    trim: float = 0.0,
    ties: Ties = "listed",
) -> Tap:
    """APCP at a cutoff x: the name that the note "What is TAP-k?" has for TAP at E_0 = x.

    With P = T(q) relevant records in the database, APC_x the average precision of the records at
    or before the cutoff, and P_x the precision there, it is (P APC_x + P_x) / (P + 1). That is the
    number of `tap`, which this function returns.

    Parameters
    ----------
    lists : RetrievalLists
    x : float
        Cutoff; records whose score equals it are retrieved.
    no_relevant, trim, ties
        As in `tap`.

    Raises
    ------
    ValueError
        As `tap`.

    References
    ----------
    H. Carroll et al., "What is TAP-k?", Equation (1.1).

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import apcp
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(apcp(lists, 0.01).value, 3)
    0.463
    """
    return tap(lists, x, no_relevant=no_relevant, trim=trim, ties=ties)


def tap_k(
    lists: RetrievalLists,
    *,
    k: int,
    quantile: float = 0.5,
    short_lists: ShortLists = "error",
    weighted_threshold: bool = True,
    no_relevant: NoRelevant = "reference",
    trim: float = 0.0,
    ties: Ties = "listed",
) -> Tap:
    """TAP-k: the mean TAP at the threshold E_k where the median query has k errors.

    E_k is defined by the lists as they are, and the lists that end before k errors count among
    those that never have so many. It never lies beyond a limit that all queries have in common.

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Errors per query, at least 1.
    quantile : float, in (0, 1]
        A fraction `quantile` of the queries has at least k errors at E_k; 0.5 is the median.
    short_lists : {"error", "worst_score", "pad"}
        What to do if too few lists hold k errors. "error": TAP and its queries are NaN, E_0 is
        infinite, `reason` says why. "worst_score": E_0 is the worst score of all lists, as the
        reference programs have it. "pad": every list goes on with irrelevant records for ever, so
        that all records count and the sentinel's precision is 0; E_0 is NaN. Queries without
        relevant records score as `no_relevant` says, by the records that are listed.
    weighted_threshold : bool
        Whether the weights of queries move E_k as well as the mean.
    no_relevant, trim, ties
        As in `tap`.

    Raises
    ------
    ValueError
        If k is not a whole number of at least 1, the quantile is not in (0, 1], or as `tap`.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.4.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> at = tap_k(lists, k=5)
    >>> round(at.value, 3), at.e0
    (0.378, 4.1)
    >>> tap_k(lists, k=5000).reason
    'Fewer than half of the queries have 5,000 errors.'
    """
    how = {"no_relevant": no_relevant, "trim": trim, "ties": ties}
    rule = {"quantile": quantile, "weighted": weighted_threshold}
    return taps_k(lists, [k], short_lists, rule, **how)[0]


def taps_k(
    lists: RetrievalLists,
    ks: Sequence[int],
    short_lists: ShortLists,
    rule: Mapping[str, Any],
    **how: Any,
) -> list[Tap]:
    """The same for several k, rising, with the rule of `error_threshold`: sooner."""
    check_choice("short_lists", short_lists, "worst_score", "error", "pad")
    found = [_reached(lists, k, short_lists, rule) for k in ks]
    too_short = np.array([bool(at.reason) and not why for at, _, why in found])
    retrieved = _ranking.retrieved_at(lists, [codes for _, codes, _ in found])
    sentinel = ~too_short[:, None] | (short_lists != "pad")
    each = taps_of(lists, [at.e_k for at, *_ in found], retrieved, sentinel=sentinel, **how)
    worst = _worst_score(lists) if short_lists == "worst_score" else lists.sign * np.inf
    made = []
    for one, (at, _, why), short in zip(each, found, too_short.tolist(), strict=True):
        e0 = one.e0
        if at.reason and not (short and short_lists == "pad"):
            e0 = worst if short else lists.sign * np.inf
        known = one._replace(e0=e0, too_short=short, short_lists=short_lists, reached=at.reached)
        reason = why or (at.reason if short_lists == "error" else "")
        made.append(_undefined(known._replace(k=at.k, quantile=at.quantile), reason))
    return made


def _reached(
    lists: RetrievalLists, k: int, short_lists: ShortLists, rule: Mapping[str, Any]
) -> tuple[Threshold, int, str]:
    """E_k, how many distinct scores are retrieved, and why condensed lists do not tell."""
    if why := not_kept(lists, k=k):
        return Threshold(float("nan"), float("nan"), k, rule["quantile"]), 0, why
    at = error_threshold(lists, k=k, **rule)
    codes = _ranking.ranking(lists).threshold.size
    end = lists.sign * np.inf if at.reason else at.e_k
    why = "" if at.reason and short_lists == "error" else not_kept(lists, to=end)
    if not at.reason and not why:
        codes = _ranking.n_thresholds(lists, at.e_k)
    return at, 0 if why else codes, why


@derived()
def tap_at_records(lists: RetrievalLists, *, ties: Ties) -> Floats:
    """Equation (1) for the query of each record, were the threshold that record; shape (N,).

    Meant at the last record of each tie block, where a threshold can be.
    """
    known = _ranking.list_positions(lists)
    listed = ties == "listed"
    value = summed_as_listed(lists) if listed else summed_precision(lists, ties=ties).copy()
    for queries, records in _ranking.by_lists(lists.offset):
        value[records] += known.relevant_so_far[records] / known.rank[records]
        length = np.diff(lists.offset[queries.start : queries.stop + 1])
        value[records] /= np.repeat(lists.n_relevant[queries] + 1, length)
    return value


def weights_of(lists: RetrievalLists, no_relevant: NoRelevant) -> Floats:
    """Weight with which each query enters the mean, shape (Q,)."""
    check_choice("no_relevant", no_relevant, "reference", "zero", "exclude")
    return np.where((no_relevant == "exclude") & (lists.n_relevant == 0), 0.0, lists.weight)


def taps_of(
    lists: RetrievalLists,
    thresholds: Sequence[float],
    retrieved: Ints,
    *,
    no_relevant: NoRelevant = "reference",
    trim: float = 0.0,
    ties: Ties = "listed",
    sentinel: bool | Bools = True,
) -> list[Tap]:
    """TAP of every query at several thresholds, given what each retrieves there, (P, Q)."""
    counted = weights_of(lists, no_relevant)
    per_query = tap_of_queries(lists, retrieved, no_relevant, ties=ties, sentinel=sentinel)
    relevant = _ranking.relevant_among(lists, retrieved)
    use = counted > 0
    n_no_relevant = int(np.count_nonzero(lists.n_relevant == 0))
    n_empty = int(np.count_nonzero(_common.list_length(lists) == 0))
    weight = counted[use]
    means = [_trimmed_mean(each[use], weight, trim) for each in per_query]
    return [
        Tap(
            *of_one,
            no_relevant=no_relevant,
            ties=ties,
            n_no_relevant=n_no_relevant,
            n_empty=n_empty,
            reason=undefined(lists) if np.isnan(of_one[0]) else "",
        )
        for of_one in zip(means, thresholds, per_query, retrieved, relevant, strict=True)
    ]


def tap_of_queries(
    lists: RetrievalLists,
    retrieved: Ints,
    no_relevant: NoRelevant = "reference",
    *,
    ties: Ties = "listed",
    sentinel: bool | Bools = True,
) -> Floats:
    """The same of each query alone, (..., Q), without the mean."""
    per_query = _ranking.at_last(lists, retrieved, tap_at_records(lists, ties=ties))
    if not np.all(sentinel):
        relevant = _ranking.relevant_among(lists, retrieved)
        last = relevant / np.maximum(retrieved, 1) / (lists.n_relevant + 1)
        per_query -= np.where(sentinel, 0.0, last)
    without_relevant = lists.n_relevant == 0
    if no_relevant == "reference":
        per_query[..., without_relevant] = 1 / (retrieved[..., without_relevant] + 1)
    elif no_relevant == "exclude":
        per_query[..., without_relevant] = np.nan
    return per_query


def tap_reordered(lists: RetrievalLists, rows: Ints, tap: Tap) -> Floats:
    """TAP of some queries as at a threshold, (R,), with equal scores in another order.

    Parameters
    ----------
    lists : RetrievalLists
        Those of R queries, as `query_bracket` has them: records at the threshold are retrieved
        whatever their order, so that none of them is counted again.
    rows : ndarray of int, shape (R,)
        Places of these queries among those of `tap`.
    tap : Tap
        At the threshold.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> from tapviz.measures import query_bracket
    >>> from tapviz.measures.tap import tap_reordered
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> at = tap_k(lists, k=5)
    >>> bracket = query_bracket(lambda *some: tap_reordered(*some, at), lists, at.per_query)
    >>> [round(float(end.mean()), 4) for end in bracket]
    [0.3773, 0.3779]
    """
    rule, retrieved = cast("NoRelevant", tap.no_relevant), tap.retrieved[..., rows]
    sentinel = not (tap.too_short and tap.short_lists == "pad")
    return tap_of_queries(lists, retrieved, rule, sentinel=sentinel)


def tap_at_thresholds(
    lists: RetrievalLists, thresholds: ArrayLike, *, ties: Ties = "listed"
) -> Floats:
    """TAP of every query at each of many thresholds, shape (G, Q), as `tap` has it.

    Parameters
    ----------
    lists : RetrievalLists
    thresholds : array_like of float, shape (G,)
        From strict to loose.
    ties : {"listed", "optimistic", "pessimistic", "expected", "block", "docid"}
        As in `tap`.

    Raises
    ------
    ValueError
        If one is NaN, or stricter than the one before it.

    Examples
    --------
    >>> from tapviz import load_results, tap
    >>> from tapviz.measures import tap_at_thresholds
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> table = tap_at_thresholds(lists, [0.01, 1])
    >>> table.shape, round(float(table[1].mean()), 3), round(tap(lists, 1).value, 3)
    ((2, 1351), 0.444, 0.444)
    """
    wanted = np.asarray(thresholds, np.float64)
    codes = [_ranking.n_thresholds(lists, e0) for e0 in wanted.tolist()]
    message = "thresholds: expected them from strict to loose"
    refuse((np.diff(lists.sign * wanted) < 0).any(), message)
    return tap_of_queries(lists, _ranking.retrieved_at(lists, codes), ties=ties)


def _trimmed_mean(values: Floats, weight: Floats, trim: float) -> float:
    _common.check_number("trim", trim, 0 <= trim < 0.5, "a fraction of at least 0 and below 0.5")  # noqa: PLR2004
    if trim == 0 or not values.size:
        return _common.weighted_mean(values, weight)
    refuse((weight != weight[0]).any(), "trim: a trimmed mean needs queries of equal weight")
    cut = int(trim * values.size)
    return float(np.sort(values)[cut : values.size - cut].mean())


def _worst_score(lists: RetrievalLists) -> float:
    start, stop = lists.whole.offset[lists.rows], lists.whole.offset[lists.rows + 1]
    last = lists.whole.score[stop[stop > start] - 1]
    return float(lists.sign * (lists.sign * last).max()) if last.size else float("nan")


class RankedList(NamedTuple):
    """The n records of one query's list, best first, and the terms of its TAP at E_0."""

    query: str
    e0: float
    n_relevant: int
    """T(q): relevant records in the database, retrieved or not."""
    rank: Ints
    """1 to n, shape (n,)."""
    record: NDArray[np.object_] | None
    """Ids, shape (n,); None if there are none."""
    score: Floats
    """Shape (n,)."""
    relevant: Bools
    """Shape (n,)."""
    precision: Floats
    """Share of relevant records up to and including each, shape (n,)."""
    n_retrieved: int
    """Records at or before E_0: the first so many of the list."""
    n_found: int
    """Relevant records among them."""
    tpir: Bools
    """Irrelevant records after the last relevant one at or before E_0, shape (n,).

    In Equation (1) only the sentinel's precision counts them.
    """
    term: Floats
    """What each record adds to the sum of Equation (1), shape (n,).

    The precision at relevant records at or before E_0, else 0.
    """
    summed: float
    """Sum of the terms."""
    sentinel: float
    """Precision at E_0; 0 if nothing is retrieved."""
    tap: float
    """(summed + sentinel) / (T(q) + 1); for T(q) = 0 by the rule `no_relevant`."""
    n_never: int
    """Relevant records that are nowhere in the list."""
    n_not_kept: int
    """Records that follow, but were left out when the lists were condensed."""
    no_relevant: str


def ranked_list(
    lists: RetrievalLists, query: str | int, e0: float, *, no_relevant: NoRelevant = "reference"
) -> RankedList:
    """One query's list, and its Equation (1) at a threshold.

    Parameters
    ----------
    lists : RetrievalLists
    query : str or int
        Id of the query, or its place.
    e0 : float
        Threshold E_0; records whose score equals it are retrieved.
    no_relevant : {"reference", "zero", "exclude"}
        As in `tap`, whose `per_query` the result's `tap` equals to the last bit.

    Raises
    ------
    KeyError
        If there is no such query.
    ValueError
        If E_0 is not a number, or the rule is unknown.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Equation (1) and Figure 2.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import ranked_list
    >>> lists = RetrievalLists([1.0, 1.0, 2.0], [True, False, True], [0, 3], [2])
    >>> found = ranked_list(lists, "1", 1.0)
    >>> found.precision.round(3).tolist(), found.n_retrieved, found.tap
    ([1.0, 0.5, 0.667], 2, 0.5)
    """
    refuse(np.isnan(e0), "e0 is NaN: expected a threshold")
    check_choice("no_relevant", no_relevant, "reference", "zero", "exclude")
    row = lists.row_of(query)
    whole, place = lists.whole, lists.rows[row]
    own = slice(int(whole.offset[place]), int(whole.offset[place + 1]))
    score, relevant = whole.score[own], whole.relevant[own]
    rank: Ints = np.arange(1, score.size + 1)
    found = np.cumsum(relevant)
    precision = found / rank
    retrieved = int(np.searchsorted(lists.sign * score, lists.sign * e0, side="right"))
    inside = rank <= retrieved
    term = precision * (relevant & inside)
    # Added one after the other, as `tap` does: the same bits.
    summed = float(np.cumsum(term)[retrieved - 1]) if retrieved else 0.0
    sentinel = float(precision[retrieved - 1]) if retrieved else 0.0
    n_found = int(found[retrieved - 1]) if retrieved else 0
    total = int(lists.n_relevant[row])
    value = (summed + sentinel) / (total + 1)
    if total == 0:
        value = {"reference": 1 / (retrieved + 1), "zero": 0.0}.get(no_relevant, float("nan"))
    n_retrieved, n_not_kept = int(relevant.sum()), 0
    if lists.kept is not None:
        n_retrieved = int(lists.kept.found[row])
        n_not_kept = int(lists.kept.length[row]) - score.size
    return RankedList(
        query=str(lists.query[row]),
        e0=float(e0),
        n_relevant=total,
        rank=rank,
        record=None if whole.record is None else whole.record[own],
        score=score,
        relevant=relevant,
        precision=precision,
        n_retrieved=retrieved,
        n_found=n_found,
        tpir=inside & ~relevant & (found == n_found),
        term=term,
        summed=summed,
        sentinel=sentinel,
        tap=value,
        n_never=total - n_retrieved,
        n_not_kept=n_not_kept,
        no_relevant=no_relevant,
    )
