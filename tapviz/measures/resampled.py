"""Replicates at thresholds: TAP, errors per query and the peak TAP of the queries drawn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from tapviz.lists import RetrievalLists, check_kept
from tapviz.measures import _ranking
from tapviz.measures._common import Floats, Ints, Ints32, product_of, ratio, sum_by_query
from tapviz.measures.errors import QUANTILE_TOLERANCE, nth_kept_error_code
from tapviz.measures.replicates import Drawn, Replicate
from tapviz.measures.tap import tap_at_records, tap_of_queries
from tapviz.measures.tap_curves import PEAK_TOLERANCE, tap_steps
from tapviz.measures.ties import Ties

__all__ = ["mean_error_replicates", "median_error_replicates"]

# The order of records of equal score.
TIES: Ties = "listed"

UNKNOWN = -2
"""Place of a threshold that condensed lists do not tell; at -1 nothing is retrieved."""


def error_codes_drawn(lists: RetrievalLists, drawn: Drawn, k: int, *, share: float = 0.5) -> Ints:
    """Place of E_k of each replicate among the distinct scores, shape (R,).

    The number of distinct scores if there is none.
    """
    codes = nth_kept_error_code(lists, k)
    if not codes.size:
        return np.full(drawn.n, _ranking.ranking(lists).threshold.size)
    order = np.argsort(codes)
    return codes[order[drawn.upper_place(order, share * (1 - QUANTILE_TOLERANCE))]]


class AtThresholds:
    """Means over the queries drawn, each replicate at thresholds of its own.

    Replicates agree on few thresholds. From one of these to the next only the records between them
    change anything, so that sums of all replicates at all of them cost little.

    Parameters
    ----------
    lists : RetrievalLists
    drawn : Drawn
        R replicates.
    codes : ndarray of int, shape (P, R)
        P thresholds of each replicate, as places among the distinct scores: at -1 nothing is
        retrieved, and at the number of scores or more everything.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import Drawn
    >>> from tapviz.measures.resampled import AtThresholds
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [True, False, False], [0, 2, 3], [1, 1])
    >>> at = AtThresholds(lists, Drawn.singly([[1, 1], [2, 0]]), np.array([[0, 0], [0, 2]]))
    >>> at.tap().tolist(), at.errors().tolist()
    ([[0.5, 1.0], [0.5, 0.75]], [[0.0, 0.0], [0.0, 1.0]])
    """

    def __init__(self, lists: RetrievalLists, drawn: Drawn, codes: Ints) -> None:
        ranked = _ranking.ranking(lists)
        clipped = np.minimum(codes, ranked.threshold.size - 1)
        distinct = np.unique(clipped)
        self._lists, self._drawn, self._size = lists, drawn, distinct.size
        self._place = np.searchsorted(distinct, clipped)
        first, last = distinct[[0, -1]].tolist()
        self._retrieved = _ranking.n_retrieved(lists, first + 1)
        place = partial(bisect_right, ranked.order, key=ranked.code.__getitem__)
        start, stop = place(first), place(last)
        # Those after the first threshold, list after list.
        record = np.sort(ranked.order[start:stop])
        row = _ranking.row_of_query(lists).take(_ranking.list_positions(lists).query.take(record))
        if lists.n_queries < lists.whole.n_queries:
            record, row = record[row >= 0], row[row >= 0]
        self._record, self._row = record, row
        self._step = np.searchsorted(distinct, ranked.code.take(record)).astype(np.int32)

    def tap(self) -> Floats:
        """Mean TAP, shape (P, R)."""
        lists, row, step = self._lists, self._row, self._step
        start = tap_of_queries(lists, self._retrieved, ties=TIES)
        # Of the records that a list gains by a step, the last has its TAP.
        last = np.flatnonzero((np.diff(row, append=-1) != 0) | (np.diff(step, append=-1) != 0))
        record, row, step = self._record[last], row[last], step[last]
        gain = tap_at_records(lists, ties=TIES).take(record)
        without = np.flatnonzero(lists.n_relevant.take(row) == 0)
        gain[without] = 1 / (_ranking.list_positions(lists).rank[record[without]] + 1)
        gain -= np.where(np.diff(row, prepend=-1) != 0, start.take(row), np.roll(gain, 1))
        return self._means(start, step, row, gain)

    def errors(self) -> Floats:
        """Mean errors per query, shape (P, R)."""
        start = self._retrieved - _ranking.relevant_among(self._lists, self._retrieved)
        errors = ~self._lists.whole.relevant[self._record]
        one = np.ones(np.count_nonzero(errors))
        return self._means(start, self._step[errors], self._row[errors], one)

    def _means(self, start: Floats | Ints, step: Ints32, row: Ints32, gain: Floats) -> Floats:
        """Of queries that start with some values at the first threshold, and gain by steps."""
        query = np.concatenate([np.arange(start.size, dtype=np.int32), row])
        place = np.concatenate([np.zeros(start.size, np.int32), step])
        table = self._drawn.cumulated(place, query, np.concatenate([start, gain]), self._size)
        return ratio(table[self._place, np.arange(self._drawn.n)], self._drawn.total())


def median_errors(
    lists: RetrievalLists, drawn: Drawn, codes: Ints, nth: Callable[[int], Ints] | None = None
) -> Floats:
    """Errors of the median query, each replicate at thresholds of its own: shape (P, R).

    It has j errors where half of the queries do: at E_j and after.

    Parameters
    ----------
    lists : RetrievalLists
    drawn : Drawn
    codes : ndarray of int, shape (P, R)
        As in `AtThresholds`.
    nth : callable, optional
        `error_codes_drawn` of a number of errors, where it is known.
    """
    if not lists.n_queries:
        return np.full(codes.shape, np.nan)
    at = np.minimum(codes, _ranking.ranking(lists).threshold.size - 1)
    if (at == at[:, :1]).all():
        distinct, place = np.unique(at[:, 0], return_inverse=True)
        return _medians(lists, drawn, distinct)[place]
    of = nth or partial(error_codes_drawn, lists, drawn)
    least = _medians(lists, drawn, at.min(keepdims=True)[0]).min()
    found, more = np.full(codes.shape, least), int(least) + 1
    while (reached := of(more) <= at).any():
        found += reached
        more += 1
    return found


def _medians(lists: RetrievalLists, drawn: Drawn, codes: Ints) -> Floats:
    """The same of all replicates at each of P thresholds, from strict to loose.

    Errors never fall, so that between two thresholds with the same medians all have these.
    """
    found = np.full((codes.size, drawn.n), -1.0)
    ahead = [(0, codes.size - 1)]
    while ahead:
        first, last = ahead.pop()
        for at in (first, last):
            if found[at, 0] < 0:
                retrieved = _ranking.n_retrieved(lists, int(codes[at]) + 1)
                errors = retrieved - _ranking.relevant_among(lists, retrieved)
                order = np.argsort(-errors)
                place = drawn.upper_place(order, 0.5 * (1 - QUANTILE_TOLERANCE))
                found[at] = errors[order[place]]
        middle = (first + last) // 2
        if middle > first and not np.array_equal(found[first], found[last]):
            ahead += [(first, middle), (middle, last)]
        else:
            found[first:last] = found[first]
    return found


def mean_error_replicates(lists: RetrievalLists) -> Replicate:
    """Mean errors per query at the threshold of each replicate.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import Drawn, mean_error_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [False, False, True], [0, 2, 3], [1, 1])
    >>> means = mean_error_replicates(lists)
    >>> means(Drawn.singly([[1, 1], [2, 0]]), np.array([0, 1])).tolist()
    [0.5, 2.0]
    """
    return _where_told(lambda drawn, codes: AtThresholds(lists, drawn, codes).errors())


def median_error_replicates(lists: RetrievalLists) -> Replicate:
    """Errors of the median query at the threshold of each replicate, as `error_quantile` has them.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import Drawn, median_error_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [False, False, True], [0, 2, 3], [1, 1])
    >>> medians = median_error_replicates(lists)
    >>> medians(Drawn.singly([[1, 1], [0, 2]]), np.array([1, 1])).tolist()
    [2.0, 0.0]
    """
    return _where_told(partial(median_errors, lists))


def _where_told(errors: Callable[[Drawn, Ints], Floats]) -> Replicate:
    """Errors at one threshold of each replicate, of those at several; NaN where it is not told."""

    def scores(drawn: Drawn, code: Ints) -> Floats:
        return np.where(code == UNKNOWN, np.nan, errors(drawn, np.maximum(code, -1)[None])[0])

    return scores


# The peak is found exactly and quickly: TAP over all thresholds is a sum of many small steps.
# Thresholds are divided into stretches; between them the mean TAP of a replicate is a product of
# matrices, and the steps inside one are added up only where its steps upwards could reach the peak.
#
# Stretches of about equally many records into which all thresholds are divided; and again those
# where the mean TAP of all queries is highest, this share of the records.
STRETCHES = 128
HIGHEST = 1 / 16

# Sums of thousands of numbers of at most 1, made in different orders, differ by less.
ROUNDING = 1e-13


class PeakTable(NamedTuple):
    """Summed TAP of each group between stretches of thresholds, and the steps inside them.

    Stretch m is the codes above edge m - 1 and below edge m.
    """

    edge: Ints
    """Codes of thresholds, rising, shape (M,). The first is -1: nothing is retrieved."""
    value: Floats
    """TAP of each group at each edge, shape (G, M)."""
    rise: Floats
    """Sum of its steps upwards from the edge before, shape (G, M)."""
    start: Ints
    """First step of each stretch, shape (M,)."""
    stop: Ints
    code: Ints32
    """Of each step, strictest first; its group and weighted gain likewise."""
    group: Ints
    gain: Floats
    first: Ints
    """Code of each group's best record, shape (G,); larger than any if its lists are empty."""


def peak_table(lists: RetrievalLists, group: Ints, n_groups: int) -> PeakTable:
    """Make the table with edges between stretches of many steps, for the group of each query."""
    check_kept(lists, whole=True)
    steps = tap_steps(lists, ties=TIES)
    row = _ranking.row_of_query(lists).take(steps.query)
    chosen = row >= 0
    code, row = steps.code[chosen], row[chosen]
    gain, of = steps.gain[chosen] * lists.weight.take(row), group.take(row)
    edge = np.union1d(_edges(code, np.cumsum(gain)), [-1])
    cell = of * edge.size + np.searchsorted(edge, code)

    def summed(gains: Floats) -> Floats:
        return sum_by_query(cell, gains, n_groups * edge.size).reshape(n_groups, edge.size)

    value = summed(gain)
    value[:, 0] += sum_by_query(group, lists.weight * (lists.n_relevant == 0), n_groups)
    first = np.full(n_groups, _ranking.ranking(lists).threshold.size)
    np.minimum.at(first, of, code)
    value, rise = np.cumsum(value, axis=1), summed(np.maximum(gain, 0))
    start = np.searchsorted(code, np.append(-1, edge[:-1]), side="right")
    stop = np.searchsorted(code, edge, side="left")
    return PeakTable(edge, value, rise, start, stop, code, of, gain, first)


def _edges(code: Ints32, mean: Floats) -> Ints:
    """Codes between stretches of about equally many steps, most of them where the mean is high."""
    if not code.size:
        return np.zeros(0, np.int64)
    high = code[mean >= np.quantile(mean, 1 - HIGHEST)]
    share = np.linspace(0, 1, STRETCHES + 1)
    spread = [steps[(share * (steps.size - 1)).astype(np.intp)] for steps in (code, high)]
    return np.concatenate(spread).astype(np.int64)


def peak_of(table: PeakTable, drawn: Drawn) -> tuple[Floats, Ints]:
    """Peak of the mean TAP of each replicate, and the strictest code within the tolerance of it.

    Returns
    -------
    tuple of ndarray, shape (R,) each
        NaN and -1 where the queries drawn have no record.
    """
    size, total = drawn.n, drawn.total()[:, None]
    peak, code = np.full(size, np.nan), np.full(size, -1, np.int64)
    if not drawn.group.size:
        return peak, code
    first = np.where(drawn.times > 0, table.first, np.iinfo(np.int64).max)
    first, mean = first.min(axis=1, keepdims=True), product_of(drawn.times, table.value) / total

    def inside_of(m: int, rows: Ints) -> tuple[Floats, Ints32]:
        """Mean TAP of some replicates at every threshold inside a stretch, and their codes."""
        steps = slice(table.start[m], table.stop[m])
        values = drawn.times[rows].take(table.group[steps], axis=1)
        values *= table.gain[steps]
        np.cumsum(values, axis=1, out=values)
        codes = table.code[steps]
        last = np.flatnonzero(np.diff(codes, append=-1))
        if last.size < codes.size:
            # Records of one score are retrieved together.
            values, codes = values[:, last], codes[last]
        values /= total[rows]
        values += mean[rows, m - 1, None]
        values[codes < first[rows]] = -np.inf
        return values, codes

    # Before the first record of the queries drawn nothing is a threshold. Later thresholds of
    # other queries do no harm: they change nothing, and a stricter one has the same TAP.
    live = table.edge >= first
    value = np.where(live, mean, -np.inf)
    best = value.max(axis=1)
    # As if all steps upwards of a stretch came first.
    bound = np.full(value.shape, -np.inf)
    bound[:, 1:] = mean[:, :-1] + product_of(drawn.times, table.rise)[:, 1:] / total
    bound[~(live & (table.start < table.stop))] = -np.inf
    for m in np.flatnonzero((bound > best[:, None] + ROUNDING).any(axis=0)).tolist():
        rows = np.flatnonzero(bound[:, m] > best + ROUNDING)
        inside, _ = inside_of(m, rows)
        bound[rows, m] = inside.max(axis=1)
        best[rows] = np.maximum(best[rows], bound[rows, m])

    enough = best - PEAK_TOLERANCE
    at_edge = value >= enough[:, None]
    within = bound + ROUNDING >= enough[:, None]
    sought = best > -np.inf
    for m in np.flatnonzero((at_edge | within).any(axis=0)).tolist():
        rows = np.flatnonzero(sought & within[:, m])
        if rows.size:
            inside, codes = inside_of(m, rows)
            high = inside >= enough[rows, None]
            place = high.argmax(axis=1)
            found = np.flatnonzero(high.any(axis=1))
            peak[rows[found]] = inside[found, place[found]]
            code[rows[found]] = codes[place[found]]
            sought[rows[found]] = False
        rows = np.flatnonzero(sought & at_edge[:, m])
        peak[rows] = value[rows, m]
        code[rows] = table.edge[m]
        sought[rows] = False
        if not sought.any():
            break
    return peak, code
