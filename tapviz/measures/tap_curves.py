"""TAP at every threshold: the curve, and its peak."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, derived
from tapviz.lists.reported import all_kept
from tapviz.measures import _ranking
from tapviz.measures.precision_recall import gained_in_ties
from tapviz.measures.tap import NoRelevant, tap_at_records, weights_of
from tapviz.measures.ties import Bracket, Tied, Ties, tied_records

__all__ = ["TapCurve", "tap_curve"]

# Thresholds whose mean TAP is this close to the maximum share the peak; the strictest is named.
PEAK_TOLERANCE = 1e-12

# Steps that are summed at a time: of these, NumPy's own pace matters more than the cache.
SUMMED = 1 << 18


class TapCurve(NamedTuple):
    """Mean TAP at every distinct threshold of D."""

    threshold: NDArray[np.float64]
    """Distinct scores, strictest first, shape (D,)."""
    tap: NDArray[np.float64]
    """Mean TAP at each, shape (D,). Before the first threshold it is `start`."""
    peak_threshold: float
    """The strictest threshold within 1e-12 of the largest mean TAP; NaN if there is none, or if it
    is not known, as of condensed lists."""
    peak_tap: float
    start: float
    """Mean TAP when nothing is retrieved: 0 but for queries with T(q) = 0."""
    weight: float
    """That of all queries that count."""

    def at(self, e0: NDArray[np.float64], sign: int) -> NDArray[np.float64]:
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
    whole = all_kept(lists)
    if lists.kept is not None and not whole:
        inside = np.searchsorted(steps.code, _ranking.n_thresholds(lists, lists.kept.e_keep))
        steps = TapSteps(steps.code[:inside], steps.query[:inside], steps.gain[:inside])
    common = weight[0] if weight.size else 0.0
    by_query = None
    if common == 0 or (weight != common).any():
        common = 1.0
        by_query = np.zeros(lists.whole.n_queries)
        by_query[lists.rows] = weight
    keep = None
    if lists.n_queries < lists.whole.n_queries:
        # A threshold of the queries that were left out is none of these.
        keep = np.zeros(lists.whole.n_queries, np.bool_)
        keep[lists.rows] = True
    code, gain = _summed_steps(steps, keep, by_query)
    threshold = _ranking.ranking(lists).threshold.take(code)
    value = np.cumsum(gain)
    value /= (total / common) or np.nan
    value += start
    highest = where = float("nan")
    if whole and code.size and total > 0:  # of condensed lists it may be higher beyond
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
    tied, known, ranked = (
        tied_records(lists.whole),
        _ranking.list_positions(lists),
        _ranking.ranking(lists),
    )
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


def _peak(value: NDArray[np.float64]) -> int:
    """The first place of the largest value, but for rounding."""
    return int(np.argmax(value >= value.max() - PEAK_TOLERANCE))


class TapSteps(NamedTuple):
    """What each query's TAP gains at each of its own distinct scores, strictest first."""

    code: NDArray[np.int32]
    query: NDArray[np.unsignedinteger]
    gain: NDArray[np.float64]


def _summed_steps(
    steps: TapSteps, keep: NDArray[np.bool_] | None, weight: NDArray[np.float64] | None
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Codes at which some queries gain, and what all of these gain there together."""

    def summed(piece: slice) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
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
