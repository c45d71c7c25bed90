"""The peak of the mean TAP in each of many replicates of the queries, exactly and quickly.

TAP over all thresholds is a sum of many small steps. Thresholds are divided into stretches; between
them the mean TAP of a replicate is a product of matrices, and the steps inside a stretch are added
up only where a bound says that the peak may be there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures._ranking import block_lasts, list_positions, ranking
from tapviz.measures.tap import PEAK_TOLERANCE, tap_at_records, tap_steps
from tapviz.measures.ties import Ties
from tapviz.reported import check_kept

# Stretches of about equally many records into which all thresholds are divided; and again those
# where the mean TAP of all queries is highest, this share of the records.
STRETCHES = 128
HIGHEST = 1 / 16

# Sums of thousands of numbers of at most 1, made in different orders, differ by less.
ROUNDING = 1e-13

# The order of records of equal score.
TIES: Ties = "listed"


class PeakTable(NamedTuple):
    """TAP of each query between stretches of thresholds, and what is needed inside them.

    Stretch m is the codes above edge m - 1 and below edge m.
    """

    edge: NDArray[np.int64]
    """Codes of thresholds, rising, shape (M,). The first is -1: nothing is retrieved."""
    value: NDArray[np.float64]
    """TAP of each query at each edge, shape (Q, M)."""
    bound: NDArray[np.float64]
    """Largest TAP of each query at the edge before and inside each stretch, shape (Q, M)."""
    start: NDArray[np.int64]
    """First step of each stretch, shape (M,)."""
    stop: NDArray[np.int64]
    code: NDArray[np.int32]
    """Of each step, strictest first; its query and gain likewise."""
    query: NDArray[np.intp]
    gain: NDArray[np.float64]
    weight: NDArray[np.float64]
    """Of each query itself, shape (Q,)."""
    rise: NDArray[np.float64]
    """How far the weighted sum of `bound` exceeds that of `value` at the edge before, (M,)."""
    first: NDArray[np.int64]
    """Code of each query's best record, shape (Q,); larger than any if its list is empty."""


def peak_table(lists: RetrievalLists) -> PeakTable:
    """Make the table with edges between stretches of many steps."""
    check_kept(lists, whole=True)
    whole, known, n_queries = lists.whole, list_positions(lists), lists.n_queries
    steps = tap_steps(lists, ties=TIES)
    code, query, gain = steps.code, steps.query.astype(np.intp), steps.gain
    # In the order of the lists: each query at its own thresholds.
    last = block_lasts(lists)
    if n_queries < whole.n_queries:
        place = np.full(whole.n_queries, -1, np.intp)
        place[lists.rows] = np.arange(n_queries)
        chosen = np.flatnonzero(place.take(query) >= 0)
        code, query, gain = code[chosen], place.take(query[chosen]), gain[chosen]
        last = last[place.take(known.query[last]) >= 0]
        row = place.take(known.query[last])
    else:
        row = known.query[last].astype(np.intp)
    own = ranking(lists).code[last]
    tap_at = tap_at_records(lists, ties=TIES)[last]
    without_relevant = np.flatnonzero((lists.n_relevant == 0).take(row)) if n_queries else row
    tap_at[without_relevant] = 1 / (known.rank[last[without_relevant]] + 1)

    worst = ranking(lists).threshold.size - 1
    mean = np.cumsum(gain * lists.weight.take(query))
    edge = np.union1d(_edges(code, mean), [-1])
    stretch = np.repeat(np.arange(1, edge.size), np.diff(edge)).take(own)
    cell = row * edge.size + stretch
    begins = np.ones(cell.size, np.bool_)
    np.not_equal(cell[1:], cell[:-1], out=begins[1:])
    begin = np.flatnonzero(begins)
    cell = cell[begin]
    # TAP stays what it is from one of the query's thresholds to the next.
    base = np.arange(n_queries) * edge.size
    at = np.searchsorted(cell, base)
    since = np.insert(cell, at, base)
    level = np.insert(
        tap_at[np.append(begin[1:], row.size)[: begin.size] - 1], at, lists.n_relevant == 0
    )
    value = np.repeat(level, np.diff(since, append=n_queries * edge.size))
    bound = np.empty_like(value)
    bound[1:] = value[:-1]
    bound[base] = value[base]
    if begin.size:
        tap_at *= own != edge.take(stretch)  # an edge is not inside; no TAP is below 0
        inside = np.maximum.reduceat(tap_at, begin)
        bound[cell] = np.maximum(bound[cell], inside)
    shape = (n_queries, edge.size)
    rise = lists.weight @ bound.reshape(shape)
    rise[1:] -= (lists.weight @ value.reshape(shape))[:-1]
    first = np.full(n_queries, worst + 1)
    some = np.flatnonzero(np.diff(whole.offset)[lists.rows])
    first[some] = ranking(lists).code[whole.offset[lists.rows[some]]]
    return PeakTable(
        edge=edge,
        value=value.reshape(shape),
        bound=bound.reshape(shape),
        start=np.searchsorted(code, np.append(-1, edge[:-1]), side="right"),
        stop=np.searchsorted(code, edge, side="left"),
        code=code,
        query=query,
        gain=gain,
        weight=lists.weight,
        rise=rise,
        first=first,
    )


def _edges(code: NDArray[np.int32], mean: NDArray[np.float64]) -> NDArray[np.int64]:
    """Codes between stretches of about equally many steps, most of them where the mean is high."""
    if not code.size:
        return np.zeros(0, np.int64)
    high = code[mean >= np.quantile(mean, 1 - HIGHEST)]
    share = np.linspace(0, 1, STRETCHES + 1)
    spread = [steps[(share * (steps.size - 1)).astype(np.intp)] for steps in (code, high)]
    return np.concatenate(spread).astype(np.int64)


class _Block(NamedTuple):
    """Some replicates, R, and their mean TAP at the edges of the table."""

    table: PeakTable
    weight: NDArray[np.float64]
    """Of each query, shape (R, Q)."""
    total: NDArray[np.float64]
    """Of all queries, shape (R, 1)."""
    value: NDArray[np.float64]
    """Mean TAP at each edge, shape (R, M)."""
    first: NDArray[np.int64]
    """Code of the best record of the queries drawn, shape (R, 1)."""


def peak_of(
    table: PeakTable, weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Peak of the mean TAP of each replicate, and the strictest code within the tolerance of it.

    Parameters
    ----------
    table : PeakTable
    weight : ndarray of float, shape (R, Q)
        Weight of each query in each replicate.

    Returns
    -------
    tuple of ndarray, shape (R,) each
        NaN and -1 where the queries drawn have no record.
    """
    size, n_queries = weight.shape
    if not n_queries:
        return np.full(size, np.nan), np.full(size, -1)
    total = weight.sum(axis=1, keepdims=True)
    first = np.where(weight > 0, table.first, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
    return _peak(_Block(table, weight, total, weight @ table.value / total, first))


def _peak(block: _Block) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    table, size = block.table, len(block.value)
    # Before the first record of the queries drawn nothing is a threshold. Later thresholds of
    # other queries do no harm: they change nothing, and a stricter one has the same TAP.
    live = table.edge >= block.first
    value = np.where(live, block.value, -np.inf)
    best = value.max(axis=1)
    # How far a stretch rises at most: all its rises are of the query drawn most often. Only
    # where that is enough the bound itself is computed, and only where that is, the values.
    often = (block.weight / table.weight).max(axis=1, keepdims=True)
    bound = np.full(value.shape, -np.inf)
    bound[:, 1:] = block.value[:, :-1] + often * table.rise[1:] / block.total
    chance = live & (table.start < table.stop)
    near = (best - PEAK_TOLERANCE - 2 * ROUNDING)[:, None]
    some = np.flatnonzero((chance & (bound >= near)).any(axis=0))
    bound[:, some] = block.weight @ table.bound[:, some] / block.total
    bound[~chance] = -np.inf
    for m in np.flatnonzero((bound > best[:, None] + ROUNDING).any(axis=0)).tolist():
        rows = np.flatnonzero(bound[:, m] > best + ROUNDING)
        inside, _ = _inside(block, m, rows)
        bound[rows, m] = inside.max(axis=1)
        best[rows] = np.maximum(best[rows], bound[rows, m])

    enough = best - PEAK_TOLERANCE
    at_edge = value >= enough[:, None]
    within = bound + ROUNDING >= enough[:, None]
    peak, code = np.full(size, np.nan), np.full(size, -1, np.int64)
    sought = best > -np.inf
    for m in np.flatnonzero((at_edge | within).any(axis=0)).tolist():
        rows = np.flatnonzero(sought & within[:, m])
        if rows.size:
            inside, codes = _inside(block, m, rows)
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


def _inside(
    block: _Block, m: int, rows: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Mean TAP of some of the replicates at every threshold inside a stretch, and their codes."""
    table = block.table
    steps = slice(table.start[m], table.stop[m])
    mean = block.weight[rows].take(table.query[steps], axis=1)
    mean *= table.gain[steps]
    np.cumsum(mean, axis=1, out=mean)
    code = table.code[steps]
    last = np.flatnonzero(np.diff(code, append=-1))
    if last.size < code.size:
        # Records of one score are retrieved together.
        mean, code = mean[:, last], code[last]
    mean /= block.total[rows]
    mean += block.value[rows, m - 1, None]
    mean[code < block.first[rows]] = -np.inf
    return mean, code
