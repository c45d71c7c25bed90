"""The peak of the mean TAP in each of many replicates of the queries, exactly and quickly.

TAP over all thresholds is a sum of many small steps. Thresholds are divided into stretches; between
them the mean TAP of a replicate is a product of matrices, and the steps inside a stretch are added
up only where its steps upwards could reach the peak.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import check_kept
from tapviz.measures._ranking import ranking, row_of_query, sum_by_query
from tapviz.measures.replicates import Drawn
from tapviz.measures.resampled import TIES
from tapviz.measures.tap_curves import PEAK_TOLERANCE, tap_steps

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

    edge: NDArray[np.int64]
    """Codes of thresholds, rising, shape (M,). The first is -1: nothing is retrieved."""
    value: NDArray[np.float64]
    """TAP of each group at each edge, shape (G, M)."""
    rise: NDArray[np.float64]
    """Sum of its steps upwards from the edge before, shape (G, M)."""
    start: NDArray[np.int64]
    """First step of each stretch, shape (M,)."""
    stop: NDArray[np.int64]
    code: NDArray[np.int32]
    """Of each step, strictest first; its group and weighted gain likewise."""
    group: NDArray[np.int64]
    gain: NDArray[np.float64]
    first: NDArray[np.int64]
    """Code of each group's best record, shape (G,); larger than any if its lists are empty."""


def peak_table(lists: RetrievalLists, group: NDArray[np.int64], n_groups: int) -> PeakTable:
    """Make the table with edges between stretches of many steps, for the group of each query."""
    check_kept(lists, whole=True)
    steps = tap_steps(lists, ties=TIES)
    row = row_of_query(lists).take(steps.query)
    chosen = row >= 0
    code, row = steps.code[chosen], row[chosen]
    gain, of = steps.gain[chosen] * lists.weight.take(row), group.take(row)
    edge = np.union1d(_edges(code, np.cumsum(gain)), [-1])
    cell = of * edge.size + np.searchsorted(edge, code)

    def summed(gains: NDArray[np.float64]) -> NDArray[np.float64]:
        return sum_by_query(cell, gains, n_groups * edge.size).reshape(n_groups, edge.size)

    value = summed(gain)
    nothing = lists.weight * (lists.n_relevant == 0)
    value[:, 0] += sum_by_query(group, nothing, n_groups)
    first = np.full(n_groups, ranking(lists).threshold.size)
    np.minimum.at(first, of, code)
    return PeakTable(
        edge=edge,
        value=np.cumsum(value, axis=1),
        rise=summed(np.maximum(gain, 0)),
        start=np.searchsorted(code, np.append(-1, edge[:-1]), side="right"),
        stop=np.searchsorted(code, edge, side="left"),
        code=code,
        group=of,
        gain=gain,
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
    times: NDArray[np.float64]
    """Of each group, shape (R, G)."""
    total: NDArray[np.float64]
    """Of all queries, shape (R, 1)."""
    value: NDArray[np.float64]
    """Mean TAP at each edge, shape (R, M)."""
    first: NDArray[np.int64]
    """Code of the best record of the queries drawn, shape (R, 1)."""


def peak_of(table: PeakTable, drawn: Drawn) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Peak of the mean TAP of each replicate, and the strictest code within the tolerance of it.

    Returns
    -------
    tuple of ndarray, shape (R,) each
        NaN and -1 where the queries drawn have no record.
    """
    if not drawn.group.size:
        return np.full(drawn.n, np.nan), np.full(drawn.n, -1)
    total = drawn.total()[:, None]
    first = np.where(drawn.times > 0, table.first, np.iinfo(np.int64).max)
    return _peak(
        _Block(
            table,
            drawn.times,
            total,
            drawn.times @ table.value / total,
            first.min(axis=1, keepdims=True),
        )
    )


def _peak(block: _Block) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    table, size = block.table, len(block.value)
    # Before the first record of the queries drawn nothing is a threshold. Later thresholds of
    # other queries do no harm: they change nothing, and a stricter one has the same TAP.
    live = table.edge >= block.first
    value = np.where(live, block.value, -np.inf)
    best = value.max(axis=1)
    # As if all steps upwards of a stretch came first.
    bound = np.full(value.shape, -np.inf)
    bound[:, 1:] = block.value[:, :-1] + (block.times @ table.rise)[:, 1:] / block.total
    bound[~(live & (table.start < table.stop))] = -np.inf
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
    mean = block.times[rows].take(table.group[steps], axis=1)
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
