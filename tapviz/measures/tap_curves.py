"""TAP at every threshold and at every E_k: the curve, its peak, and orders of algorithms."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, all_kept, derived
from tapviz.measures import _ranking
from tapviz.measures._common import Bools, Floats, Ints32, refuse
from tapviz.measures.errors import QUANTILE_TOLERANCE, nth_kept_error_code
from tapviz.measures.precision_recall import gained_in_ties
from tapviz.measures.tap import NoRelevant, tap_at_records, weights_of
from tapviz.measures.ties import Bracket, Tied, Ties, tied_records

__all__ = [
    "Flip", "TapByK", "TapCurve", "disagreements", "flips", "ranks", "tap_by_k", "tap_curve",
]  # fmt: skip

# Thresholds whose mean TAP is this close to the maximum share the peak; the strictest is named.
PEAK_TOLERANCE = 1e-12

# Steps that are summed at a time: of these, NumPy's own pace matters more than the cache.
SUMMED = 1 << 18


class TapCurve(NamedTuple):
    """Mean TAP at every distinct threshold of D."""

    threshold: Floats
    """Distinct scores, strictest first, shape (D,)."""
    tap: Floats
    """Mean TAP at each, shape (D,). Before the first threshold it is `start`."""
    peak_threshold: float
    """The strictest threshold within 1e-12 of the largest mean TAP; NaN if there is none, or if it
    is not known, as of condensed lists."""
    peak_tap: float
    start: float
    """Mean TAP when nothing is retrieved: 0 but for queries with T(q) = 0."""
    weight: float
    """That of all queries that count."""

    def at(self, e0: Floats, sign: int) -> Floats:
        """Mean TAP at thresholds of any value: the curve is a step function.

        Parameters
        ----------
        e0 : ndarray of float, any shape
        sign : {1, -1}
            1 if scores ascend, as in `RetrievalLists.sign`.

        Examples
        --------
        >>> import numpy as np
        >>> from tapviz import load_results, tap_curve
        >>> lists = load_results("profiles")["RPS-BLAST"]
        >>> tap_curve(lists).at(np.array([0.01, 1.0]), lists.sign).round(3).tolist()
        [0.463, 0.444]
        """
        place = np.searchsorted(sign * self.threshold, sign * e0, side="right")
        return np.concatenate([[self.start], self.tap])[place]


def tap_curve(
    lists: RetrievalLists, *, no_relevant: NoRelevant = "reference", ties: Ties = "listed"
) -> TapCurve:
    """Mean TAP at every distinct threshold, exactly, and its peak.

    Parameters
    ----------
    lists : RetrievalLists
    no_relevant : {"reference", "zero", "exclude"}
        As in `tap`.
    ties : {"listed", "optimistic", "pessimistic", "expected", "block", "docid"}
        As in `tap`.

    Raises
    ------
    ValueError
        If an option is unknown, or the records have no ids for "docid".

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Figure 5 and Table 1.

    Examples
    --------
    >>> from tapviz import load_results, tap_curve
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> curve = tap_curve(lists)
    >>> curve.threshold.size, round(curve.peak_tap, 3), curve.peak_threshold
    (2091, 0.49, 0.14)
    """
    counted = weights_of(lists, no_relevant)
    total = float(counted.sum())
    weight = np.where((lists.n_relevant > 0) | (no_relevant == "reference"), counted, 0.0)
    start = float(weight[lists.n_relevant == 0].sum() / total) if total > 0 else float("nan")
    steps = tap_steps(lists, ties=ties)
    inside = np.searchsorted(steps.code, np.int32(_ranking.n_told(lists)))  # or it copies them
    steps = TapSteps(steps.code[:inside], steps.query[:inside], steps.gain[:inside])
    common = weight[0] if weight.size else 0.0
    by_query = None
    if common == 0 or (weight != common).any():
        common = 1.0
        by_query = np.zeros(lists.whole.n_queries)
        by_query[lists.rows] = weight
    # A threshold of the queries that were left out is none of these.
    some = lists.n_queries < lists.whole.n_queries
    keep = _ranking.row_of_query(lists) >= 0 if some else None
    code, gain = _gains(steps, keep, by_query)
    threshold = _ranking.ranking(lists).threshold.take(code)
    value = np.cumsum(gain)
    value /= (total / common) or np.nan
    value += start
    highest = where = float("nan")
    if all_kept(lists) and code.size and total > 0:  # of condensed lists it may be higher beyond
        peak = _peak(value)
        where, highest = float(threshold[peak]), float(value[peak])
    return TapCurve(threshold, value, where, highest, start, total)


def peak_tap_bracket(lists: RetrievalLists, curve: TapCurve) -> Bracket[float]:
    """Largest mean TAP over all thresholds with equal scores in the worst and the best order.

    Parameters
    ----------
    lists : RetrievalLists
    curve : TapCurve
        That of the lists, as listed.

    Examples
    --------
    >>> from tapviz import load_results, tap_curve
    >>> from tapviz.measures.tap_curves import peak_tap_bracket
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> [round(peak, 4) for peak in peak_tap_bracket(lists, tap_curve(lists))]
    [0.4903, 0.4903]
    """
    if not np.isfinite(curve.peak_tap):
        return Bracket(curve.peak_tap, curve.peak_tap)
    tied = tied_records(lists.whole)
    known, ranked = _ranking.list_positions(lists), _ranking.ranking(lists)
    # What the order changes is gained in blocks of both kinds, and there only.
    tied = Tied(*(of[(tied.relevant > 0) & (tied.relevant < tied.size)] for of in tied))
    query, code = known.query[tied.record], ranked.code[tied.record]
    precision = known.relevant_so_far[tied.record] / known.rank[tied.record]
    listed = precision * lists.whole.relevant[tied.record]
    weight = _ranking.query_weight(lists) / (lists.whole.n_relevant + 1) / curve.weight

    def peak(ties: Ties) -> float:
        gain = weight[query] * (gained_in_ties(lists.whole, tied, ties) - listed)
        gains = np.bincount(code, gain, minlength=ranked.threshold.size)
        some = np.flatnonzero(gains)
        sign = lists.sign
        before = np.searchsorted(sign * ranked.threshold[some], sign * curve.threshold, "right")
        value = curve.tap + np.concatenate([[0.0], np.cumsum(gains[some])])[before]
        return float(value[_peak(value)])

    return Bracket(peak("pessimistic"), peak("optimistic"))


def _peak(value: Floats) -> int:
    """The first place of the largest value, but for rounding."""
    return int(np.argmax(value >= value.max() - PEAK_TOLERANCE))


class TapSteps(NamedTuple):
    """What each query's TAP gains at each of its own distinct scores, strictest first."""

    code: Ints32
    query: NDArray[np.unsignedinteger]
    gain: Floats


def _gains(steps: TapSteps, keep: Bools | None, weight: Floats | None) -> tuple[Ints32, Floats]:
    """Codes at which some queries gain, and what all of these gain there together."""

    def summed(piece: slice) -> tuple[Ints32, Floats]:
        code, query, gain = steps.code[piece], steps.query[piece], steps.gain[piece]
        if keep is not None:
            chosen = np.flatnonzero(keep.take(query))
            code, gain = code.take(chosen), gain.take(chosen)
            query = query if weight is None else query.take(chosen)
        if weight is not None:
            gain = gain * weight.take(query)
        first = np.flatnonzero(np.concatenate([code[:1] >= 0, code[1:] != code[:-1]]))
        if first.size < code.size:
            code, gain = code.take(first), np.add.reduceat(gain, first)
        return code, gain

    # Whole thresholds at a time.
    last = steps.code[SUMMED - 1 : -1 : SUMMED]
    bounds = np.unique(np.searchsorted(steps.code, last, side="right"))
    pieces = [slice(*piece) for piece in pairwise([0, *bounds.tolist(), steps.code.size])]
    codes, gains = zip(*map(summed, pieces), strict=True)
    return np.concatenate(codes), np.concatenate(gains)


@derived()
def tap_steps(lists: RetrievalLists, *, ties: Ties) -> TapSteps:
    """TAP of each query as a step function of the threshold."""
    known, at_records = _ranking.list_positions(lists), tap_at_records(lists, ties=ties)
    # Only a tie block as a whole can be in or out: its last record counts.
    ends = _ranking.last_of_block(lists)
    none_relevant = lists.n_relevant == 0
    gained = np.empty(ends.size)
    for queries, records in _ranking.by_lists(lists.offset):
        last = np.flatnonzero(ends[records])
        value = at_records[records][last]
        rank, query = known.rank[records], known.query[records][last]
        if none_relevant[queries].any():
            without_relevant = np.flatnonzero(none_relevant[query])
            value[without_relevant] = 1 / (rank[last[without_relevant]] + 1)
        gain = value.copy()
        gain[1:] -= value[:-1]
        # Retrieving nothing: 1 / (0 + 1) by the reference rule, else 0.
        first = np.flatnonzero(np.diff(query, prepend=-1))
        gain[first] = value[first] - none_relevant[query[first]]
        gained[records][last] = gain
    # The blocks in the order of their scores, which that of all records has already.
    order, (query, code) = _ranking.ranking(lists).order, _ranking.merged(lists)
    size = int(np.count_nonzero(ends))
    narrow = np.min_scalar_type(max(lists.n_queries - 1, 0))  # quicker to look up
    if size == ends.size:
        return TapSteps(code, query.astype(narrow), gained.take(order))
    steps = TapSteps(np.empty(size, np.int32), np.empty(size, narrow), np.empty(size))
    stop = 0
    for piece in _ranking.slices(ends.size):
        kept = np.flatnonzero(ends.take(order[piece]))
        start, stop = stop, stop + kept.size
        steps.code[start:stop] = code[piece].take(kept)
        steps.query[start:stop] = query[piece].take(kept)
        steps.gain[start:stop] = gained.take(order[piece].take(kept))
    return steps


SAME = 1e-9
"""Scores that differ by no more are equal: sums of the same numbers in another order."""


class TapByK(NamedTuple):
    """TAP-k of one algorithm for each k from 1."""

    tap: Floats
    """Shape (K,); NaN where too few lists hold k errors, or condensed lists do not tell."""
    e0: Floats
    """E_k, shape (K,)."""


class Flip(NamedTuple):
    """Two algorithms whose order changes from one k to the next."""

    k: int
    """The first k with the new order."""
    rises: str
    falls: str


def tap_by_k(lists: RetrievalLists, *, max_k: int = 100, quantile: float = 0.5) -> TapByK:
    """TAP-k for k = 1, ..., `max_k`, as `tap_k` has it by default, read from one curve.

    Parameters
    ----------
    lists : RetrievalLists
    max_k : int
        Largest k.
    quantile : float, in (0, 1]
        As in `tap_k`.

    Raises
    ------
    ValueError
        If `max_k` is below 1, or the quantile not in (0, 1].

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.4: the order of two algorithms
    should not hang on k.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import tap_by_k
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> tap_by_k(lists, max_k=3).tap.round(3).tolist()
    [0.473, 0.432, 0.407]
    """
    message = f"max_k = {max_k}, quantile = {quantile}: expected at least 1, and a fraction above 0"
    refuse(max_k < 1 or not 0 < quantile <= 1, message)
    undefined = np.full(max_k, np.nan)
    curve = tap_curve(lists)
    if not lists.n_queries or not curve.threshold.size:
        return TapByK(undefined, undefined)
    codes, every = nth_kept_error_code(lists, np.arange(1, max_k + 1)[:, None]), np.arange(max_k)
    order = np.argsort(codes, axis=1, kind="stable")
    total = np.cumsum(lists.weight[order], axis=1)
    enough = total >= quantile * (1 - QUANTILE_TOLERANCE) * total[:, -1:]
    code = codes[every, order[every, np.argmax(enough, axis=1)]]
    reached = code < _ranking.n_told(lists)
    if lists.kept is not None and not all_kept(lists):
        reached[lists.kept.n_errors :] = False
    e0, tap = undefined.copy(), undefined.copy()
    e0[reached] = _ranking.ranking(lists).threshold[code[reached]]
    tap[reached] = curve.at(e0[reached], lists.sign)
    return TapByK(tap, e0)


def flips(by_k: Mapping[str, TapByK]) -> list[Flip]:
    """Find the pairs of algorithms whose order changes, and where, smallest k first.

    Equal scores have no order: a flip is from one before to the other before, whatever is between.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import flips, tap_by_k
    >>> results = load_results("profiles")
    >>> by_k = {name: tap_by_k(lists, max_k=20) for name, lists in results.items()}
    >>> flips(by_k)[:1]
    [Flip(k=9, rises='HMMER2 semi-global', falls='RPS-BLAST')]
    """
    changes: list[Flip] = []
    for a, b in combinations(by_k, 2):
        difference = by_k[a].tap - by_k[b].tap
        clear = np.flatnonzero(np.abs(difference) > SAME)
        changed = np.flatnonzero(np.diff(np.sign(difference[clear])))
        turns = clear[changed + 1].tolist()
        changes += [Flip(at + 1, *((a, b) if difference[at] > 0 else (b, a))) for at in turns]
    return sorted(changes)


def disagreements(
    one: Mapping[str, float],
    other: Mapping[str, float],
    *,
    ties: Mapping[str, Bracket[float] | None] | None = None,
) -> list[tuple[str, str]]:
    """Find the pairs that two scores order differently: the first of a pair is before by `one`.

    Largest difference by `one` first. Equal or undefined scores have no order.

    Parameters
    ----------
    one, other : mapping of str to float
    ties : mapping of str to Bracket, optional
        `other` in the worst and the best order of records of equal score: a pair that it orders
        differently in some of these orders only is left out.

    Examples
    --------
    >>> from tapviz.measures import disagreements
    >>> disagreements({"A": 0.5, "B": 0.4}, {"A": 0.1, "B": 0.3})
    [('A', 'B')]
    """
    ends = {name: (ties or {}).get(name) or Bracket(at, at) for name, at in other.items()}
    pairs = [
        (a, b)
        for a, b in permutations(one, 2)
        if one[a] - one[b] > SAME and ends[b].low - ends[a].high > SAME
    ]
    return sorted(pairs, key=lambda pair: one[pair[1]] - one[pair[0]])


def ranks(by_k: Mapping[str, TapByK]) -> Floats:
    """Rank of each algorithm at each k, 1 for the largest TAP-k, shape (A, K).

    Equal ones have the mean of their ranks; NaN where TAP-k is undefined.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import ranks, tap_by_k
    >>> results = load_results("profiles")
    >>> by_k = {name: tap_by_k(lists, max_k=20) for name, lists in results.items()}
    >>> ranks(by_k)[:, [0, 19]].tolist()
    [[2.0, 3.0], [1.0, 1.0], [3.0, 2.0], [4.0, 4.0]]
    """
    if not by_k:
        return np.zeros((0, 0))
    taps = np.array([one.tap for one in by_k.values()])
    larger = (taps[None] > taps[:, None] + SAME).sum(axis=1)
    equal = (np.abs(taps[None] - taps[:, None]) <= SAME).sum(axis=1)
    return np.where(np.isnan(taps), np.nan, larger + (equal + 1) / 2)
