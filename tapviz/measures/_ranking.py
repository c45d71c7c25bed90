"""Where each record stands: in its own list, and among all records of an algorithm.

Everything here is computed once per algorithm and kept beside the lists. One sort gives each
record's score its place among the distinct scores (its code); after that no threshold, subset
or weight needs another.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, derived
from tapviz.reported import check_kept


class Ranking(NamedTuple):
    """Places of N records among D distinct scores, best first."""

    threshold: NDArray[np.float64]
    """Distinct scores, strictest first, shape (D,)."""
    code: NDArray[np.int32]
    """Place of each record's score in `threshold`, shape (N,)."""
    order: NDArray[np.int64]
    """Records of all queries together, best first; among equal scores as listed. Shape (N,)."""


class ListPositions(NamedTuple):
    """What is known about each record from its own list alone."""

    query: NDArray[np.int32]
    """Place of the record's query, shape (N,)."""
    rank: NDArray[np.int32]
    """1 for the best record of a list, shape (N,)."""
    relevant_so_far: NDArray[np.int32]
    """Relevant records up to and including this one, shape (N,)."""
    block_start: NDArray[np.int64]
    """First record of each tie block (equal scores in one list), shape (B,)."""
    irrelevant: NDArray[np.int64]
    """The irrelevant records, list after list, shape (M,)."""
    irrelevant_offset: NDArray[np.int64]
    """The irrelevant records of query q are `irrelevant[irrelevant_offset[q]:...[q + 1]]`."""


@derived()
def ranking(lists: RetrievalLists) -> Ranking:
    """Code every score as its place among the distinct scores."""
    order, ordered = _sorted(lists.score if lists.sign == 1 else -lists.score)
    first = np.ones(order.size, np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    del ordered
    places = np.cumsum(first, dtype=np.int32)
    places -= 1
    code = np.empty(order.size, np.int32)
    code[order] = places
    return Ranking(lists.score[order[first]], code, order)


def _sorted(key: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Places of some finite numbers, rising, and these; of equal numbers the first place first.

    Numbers are sorted several times as fast as places by numbers. So the place takes the room of
    the last bits of its number; numbers that differ in these bits only are put right afterwards.
    """
    bits = max(key.size - 1, 0).bit_length()
    place = (1 << bits) - 1
    packed = (key + 0.0).view(np.int64)  # -0.0 is 0.0
    # Whole numbers in the order of the floats.
    np.bitwise_xor(packed, np.iinfo(np.int64).max, out=packed, where=packed < 0)
    packed &= ~place
    packed |= np.arange(key.size)
    packed.sort()
    order = packed & place
    ordered = key[order]
    wrong = np.flatnonzero(ordered[1:] < ordered[:-1])
    if wrong.size:
        packed >>= bits
        alike = np.flatnonzero(np.isin(packed, packed[wrong]))
        order[alike] = order[alike[np.lexsort((ordered[alike], packed[alike]))]]
        ordered[alike] = key[order[alike]]
    return order, ordered


@derived()
def list_positions(lists: RetrievalLists) -> ListPositions:
    """Rank, relevant records so far and tie blocks of each list."""
    offset, length = lists.offset, np.diff(lists.offset)
    n = lists.score.size
    query = np.repeat(np.arange(length.size, dtype=np.int32), length)
    rank = np.arange(1, n + 1, dtype=np.int32)
    rank -= np.repeat(offset[:-1].astype(np.int32), length)
    total = np.zeros(n + 1, np.int32)
    np.cumsum(lists.relevant, dtype=np.int32, out=total[1:])
    so_far = total[1:] - np.repeat(total[offset[:-1]], length)
    starts = rank == 1
    starts[1:] |= lists.score[1:] != lists.score[:-1]
    return ListPositions(
        query=query,
        rank=rank,
        relevant_so_far=so_far,
        block_start=np.flatnonzero(starts),
        irrelevant=np.flatnonzero(~lists.relevant),
        irrelevant_offset=offset - total[offset],
    )


class RelevantPositions(NamedTuple):
    """The J relevant records of all lists, in their order; each (J,)."""

    record: NDArray[np.int64]
    query: NDArray[np.int64]
    rank: NDArray[np.int64]
    so_far: NDArray[np.int64]
    """How many relevant records its list has up to it: 1, 2, ..."""


@derived()
def relevant_positions(lists: RetrievalLists) -> RelevantPositions:
    """Place of each relevant record."""
    record = np.flatnonzero(lists.relevant)
    ends = np.searchsorted(record, lists.offset)
    count = np.diff(ends)
    return RelevantPositions(
        record,
        np.repeat(np.arange(count.size), count),
        record - np.repeat(lists.offset[:-1], count) + 1,
        np.arange(1, record.size + 1) - np.repeat(ends[:-1], count),
    )


def cumsum_by_list(values: NDArray[np.float64], offset: NDArray[np.int64]) -> NDArray[np.float64]:
    """Cumulative sums that start afresh in each list.

    List by list, so that the rounding of one list leaves nothing in the next: a query without
    relevant records has a sum of 0, and a subset the same bits as lists made anew.
    """
    sums = np.empty(values.size)
    bounds = offset.tolist()
    for start, stop in pairwise(bounds):
        values[start:stop].cumsum(out=sums[start:stop])
    return sums


def sum_by_query(
    query: NDArray[np.integer], values: NDArray[np.floating], n_queries: int
) -> NDArray[np.float64]:
    """Sum of the values of each query, shape (Q,); 0 where it has none."""
    # Of no records at all, `bincount` would count whole numbers.
    return np.bincount(query, values, minlength=n_queries).astype(np.float64, copy=False)


def n_thresholds(lists: RetrievalLists, e0: float) -> int:
    """How many of the distinct scores are at or before the threshold E_0 (inclusive)."""
    check_kept(lists, to=e0)
    if np.isnan(e0):
        msg = "e0 is NaN: expected a threshold"
        raise ValueError(msg)
    sign = lists.sign
    # Bisecting in place: to negate all descending scores takes longer than to find one.
    return bisect_right(ranking(lists).threshold, sign * e0, key=lambda score: sign * score)


def n_retrieved(lists: RetrievalLists, codes: int | NDArray[np.int64]) -> NDArray[np.int64]:
    """Records of each query among the strictest `codes` distinct scores, shape (Q,).

    All lists are bisected at once, as many steps as the longest list needs.
    """
    whole, rows = lists.whole, lists.rows
    start, stop = whole.offset[rows], whole.offset[rows + 1]
    end = start.copy()
    code = ranking(lists).code
    # Steps of powers of two, from the largest within the longest list; 0 if all are empty.
    step = (1 << int((stop - start).max(initial=0)).bit_length()) >> 1
    while step:
        further = end + step
        inside = further <= stop
        inside &= code.take(further - 1, mode="clip") < codes
        end += step * inside
        step >>= 1
    return end - start


def relevant_among(lists: RetrievalLists, retrieved: NDArray[np.int64]) -> NDArray[np.int64]:
    """Relevant records among the first `retrieved` of each query, shape (Q,)."""
    some = retrieved > 0
    last = lists.whole.offset[lists.rows] + retrieved - 1
    found = np.zeros(retrieved.size, np.int64)
    found[some] = list_positions(lists).relevant_so_far[last[some]]
    return found


def query_weight(lists: RetrievalLists) -> NDArray[np.float64]:
    """Weight of each query of the whole lists; 0 for those a subset leaves out."""
    weight = np.zeros(lists.whole.n_queries)
    weight[lists.rows] = lists.weight
    return weight


def weighted_mean(values: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """Mean over queries; NaN where there are none."""
    total = weight.sum()
    return float(values @ weight / total) if total > 0 else float("nan")


def mean_defined(values: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """Weighted mean over the queries whose value is not NaN; NaN if there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import mean_defined
    >>> mean_defined(np.array([1.0, np.nan, 4.0]), np.array([2.0, 1.0, 1.0]))
    2.0
    """
    use = ~np.isnan(values)
    return weighted_mean(values[use], weight[use])
