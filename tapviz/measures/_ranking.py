"""Where each record stands: in its own list, and among all records of an algorithm.

Everything here is computed once per algorithm and kept beside the lists. One sort gives each
record's score its place among the distinct scores (its code); after that no threshold, subset
or weight needs another. The lists of all queries can be merged into one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, all_kept, check_kept, derived
from tapviz.lists.checks import frozen, in_runs
from tapviz.measures._common import Bools, Floats, Ints, Ints32, list_length, refuse

# So many records at a time that what is computed on the way stays in the processor's cache: memory
# made anew takes longer than the arithmetic.
PIECE = 1 << 16
Kind = TypeVar("Kind", bound=np.generic)


class Ranking(NamedTuple):
    """Places of N records among D distinct scores, best first."""

    threshold: Floats
    """Distinct scores, strictest first, shape (D,)."""
    code: Ints32
    """Place of each record's score in `threshold`, shape (N,)."""
    order: Ints
    """Records of all queries together, best first; among equal scores as listed. Shape (N,)."""
    first: Bools
    """Whether a record of `order` is the first of its score, shape (N,)."""


class ListPositions(NamedTuple):
    """What is known about each record from its own list alone."""

    query: Ints32
    """Place of the record's query, shape (N,)."""
    rank: Ints32
    """1 for the best record of a list, shape (N,)."""
    relevant_so_far: Ints32
    """Relevant records up to and including this one, shape (N,)."""
    starts: Bools
    """Whether the record is the first of a tie block (equal scores in one list), shape (N,)."""
    irrelevant_offset: Ints
    """Of all irrelevant records, list after list, those of query q begin at its place, and end
    where those of the next begin; shape (Q + 1,)."""


@derived()
def ranking(lists: RetrievalLists) -> Ranking:
    """Code every score as its place among the distinct scores."""
    order, first = _sorted(lists.score if lists.sign == 1 else -lists.score)
    code = np.empty(order.size, np.int32)
    code[order] = np.cumsum(first, dtype=np.int32) - 1
    return Ranking(lists.score[order[first]], code, order, first)


def slices(size: int) -> Iterator[slice]:
    """All of an array, piece by piece."""
    return (slice(start, min(start + PIECE, size)) for start in range(0, size, PIECE))


def by_lists(offset: Ints) -> Iterator[tuple[slice, slice]]:
    """Queries and their records, some whole lists at a time: about `PIECE` records."""
    cuts = np.searchsorted(offset, np.arange(0, offset[-1], PIECE))
    bounds = np.unique(np.concatenate([[0], cuts, [offset.size - 1]])).tolist()
    for start, stop in pairwise(bounds):
        yield slice(start, stop), slice(int(offset[start]), int(offset[stop]))


def _sorted(key: Floats) -> tuple[Ints, Bools]:
    """Places of some finite numbers, rising, and which of these differ from the one before.

    Of equal numbers the first place comes first.

    Numbers are sorted several times as fast as places by numbers. So the place takes the room of
    the last bits of its number; numbers that differ in these bits only are put right afterwards.
    """
    bits = max(key.size - 1, 0).bit_length()
    place = (1 << bits) - 1
    order = _whole_numbers(key)
    order &= ~place
    order |= np.arange(key.size)
    order.sort()
    order &= place
    ordered = key[order]
    first = np.ones(key.size, np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    misplaced = np.flatnonzero(ordered[1:] < ordered[:-1]) + 1
    if misplaced.size:
        high = _whole_numbers(ordered) >> bits  # which rises
        wanted = np.unique(high[misplaced])
        start = np.searchsorted(high, wanted)
        length = np.searchsorted(high, wanted, side="right") - start
        alike, _ = in_runs(start, length)
        order[alike] = order[alike[np.lexsort((ordered[alike], high[alike]))]]
        ordered[alike] = key[order[alike]]
        np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return order, first


def _whole_numbers(key: Floats) -> Ints:
    """Whole numbers in the order of some finite floats."""
    bits = (key + 0.0).view(np.int64)  # -0.0 is 0.0
    np.bitwise_xor(bits, np.iinfo(np.int64).max, out=bits, where=bits < 0)
    return bits


@derived()
def merged(lists: RetrievalLists) -> PooledRecords:
    """Query and place of the score of each record, all queries together, best first."""
    known, ranked = list_positions(lists), ranking(lists)
    code = np.cumsum(ranked.first, dtype=np.int32)
    code -= 1
    return PooledRecords(known.query.take(ranked.order), code)


@derived()
def list_positions(lists: RetrievalLists) -> ListPositions:
    """Rank, relevant records so far and tie blocks of each list."""
    offset, size = lists.offset, lists.score.size
    length = np.diff(offset)
    query = np.repeat(np.arange(length.size, dtype=np.int32), length)
    rank = np.arange(1, size + 1, dtype=np.int32) - np.repeat(offset[:-1].astype(np.int32), length)
    total = np.zeros(size + 1, np.int32)
    np.cumsum(lists.relevant, dtype=np.int32, out=total[1:])
    so_far = total[1:] - np.repeat(total[offset[:-1]], length)
    starts = rank == 1
    starts[1:] |= lists.score[1:] != lists.score[:-1]
    irrelevant_offset = offset - total[offset]
    return ListPositions(query, rank, so_far, starts, irrelevant_offset)


def several_tied(lists: RetrievalLists, records: slice = slice(None)) -> tuple[Ints, Ints]:
    """Where the tie blocks of more than one record start, and stop; of all lists, or some."""
    starts, first = list_positions(lists).starts[records], records.start or 0
    ends = np.append(starts[1:], starts[:1])  # no block goes on in another list
    return np.flatnonzero(starts & ~ends) + first, np.flatnonzero(ends & ~starts) + 1 + first


def last_of_block(lists: RetrievalLists) -> Bools:
    """Whether each record of whole lists is the last of its tie block."""
    starts = list_positions(lists).starts
    return np.append(starts[1:], starts[:1])  # the last of all ends one, as the first begins one


class OwnErrors(NamedTuple):
    """What each query retrieved; shape (Q,) each."""

    start: Ints
    """Its first irrelevant record among those of all queries."""
    errors: Ints
    """Irrelevant records."""
    relevant: Ints
    """Relevant records."""

    def value_at(self, error: Ints, of_errors: NDArray[Kind], none: float = 0) -> NDArray[Kind]:
        """Value at the given irrelevant record of a query, 1 the first; `none` at 0; (..., Q)."""
        some = error > 0
        values = np.full(error.shape, none, of_errors.dtype)
        values[some] = of_errors[(self.start + error - 1)[some]]
        return values


def own_errors(lists: RetrievalLists) -> OwnErrors:
    """Irrelevant and relevant records of the queries."""
    offset = list_positions(lists).irrelevant_offset
    start = offset[lists.rows]
    errors = offset[lists.rows + 1] - start
    return OwnErrors(start, errors, list_length(lists) - errors)


@derived()
def error_codes(lists: RetrievalLists) -> Ints32:
    """Places of the scores of the irrelevant records, list after list, shape (M,)."""
    return ranking(lists).code[~lists.relevant]


class RelevantPositions(NamedTuple):
    """The J relevant records of all lists, in their order; each (J,)."""

    record: Ints
    query: Ints
    rank: Ints
    so_far: Ints
    """How many relevant records its list has up to it: 1, 2, ..."""


@derived()
def relevant_positions(lists: RetrievalLists) -> RelevantPositions:
    """Place of each relevant record."""
    record = np.flatnonzero(lists.relevant)
    ends = np.searchsorted(record, lists.offset)
    count = np.diff(ends)
    query, rank = np.repeat(np.arange(count.size), count), record - lists.offset[:-1].repeat(count)
    so_far = np.arange(1, record.size + 1) - np.repeat(ends[:-1], count)
    return RelevantPositions(record, query, rank + 1, so_far)


def cumsum_by_list(values: Floats, offset: Ints) -> Floats:
    """Cumulative sums that start afresh in each list.

    List by list, so that the rounding of one list leaves nothing in the next: a query without
    relevant records has a sum of 0, and a subset the same bits as lists made anew.
    """
    sums = np.empty(values.size)
    accumulate = np.add.accumulate
    for start, stop in pairwise(offset.tolist()):
        accumulate(values[start:stop], out=sums[start:stop])
    return sums


def n_thresholds(lists: RetrievalLists, e0: float) -> int:
    """How many of the distinct scores are at or before the threshold E_0 (inclusive)."""
    check_kept(lists, to=e0)
    refuse(np.isnan(e0), "e0 is NaN: expected a threshold")
    sign = lists.sign
    # Bisecting in place: to negate all descending scores takes longer than to find one.
    return bisect_right(ranking(lists).threshold, sign * e0, key=lambda score: sign * score)


def n_told(lists: RetrievalLists) -> int:
    """How many of the distinct scores lists tell of: all, or those up to which they were kept."""
    if lists.kept is None or all_kept(lists):
        return ranking(lists).threshold.size
    return n_thresholds(lists, lists.kept.e_keep)


def n_retrieved(lists: RetrievalLists, codes: int | Ints) -> Ints:
    """Records of each query among the strictest `codes` distinct scores, shape (Q,)."""
    if isinstance(codes, int) and lists.whole is lists:
        return _n_retrieved(lists, codes)
    return _bisected(lists, codes)


def retrieved_at(lists: RetrievalLists, codes: Sequence[int]) -> Ints:
    """The same for several numbers of distinct scores, (P, Q); soonest where they do not fall."""
    ranked, query, row = ranking(lists), list_positions(lists).query, row_of_query(lists) + 1
    place = partial(bisect_left, ranked.order, key=ranked.code.__getitem__)
    table = np.empty((len(codes), lists.n_queries), np.int64)
    for at, (before, code) in enumerate(pairwise([ranked.threshold.size + 1, *codes])):
        if code < before:
            table[at] = n_retrieved(lists, code)
        else:
            of = row[query[ranked.order[place(before) : place(code)]]]  # 0: not in the subset
            table[at] = table[at - 1] + np.bincount(of, minlength=lists.n_queries + 1)[1:]
    return table


@derived(keep=4)
def _n_retrieved(lists: RetrievalLists, codes: int) -> Ints:
    """The same at the latest thresholds: scores, errors and plots ask at the same ones."""
    return frozen(_bisected(lists, codes))


def _bisected(lists: RetrievalLists, codes: int | Ints) -> Ints:
    """All lists are bisected at once, as many steps as the longest list needs."""
    whole, rows = lists.whole, lists.rows
    start, stop = whole.offset[rows], whole.offset[rows + 1]
    last = start - 1
    code = ranking(lists).code
    # Steps of powers of two, from the largest within the longest list; 0 if all are empty.
    step = (1 << int((stop - start).max(initial=0)).bit_length()) >> 1
    while step:
        further = last + step
        inside = code.take(further, mode="clip") < codes
        inside &= further < stop
        last += step * inside
        step >>= 1
    return last - start + 1


def relevant_among(lists: RetrievalLists, retrieved: Ints) -> Ints:
    """Relevant records among the first `retrieved` of each query, shape (Q,)."""
    return at_last(lists, retrieved, list_positions(lists).relevant_so_far).astype(np.int64)


def at_last(lists: RetrievalLists, retrieved: Ints, values: NDArray[Kind]) -> NDArray[Kind]:
    """Value of the last record that each query retrieved, (..., Q); 0 where there is none."""
    if not values.size:
        return np.zeros(retrieved.shape, values.dtype)
    found = values.take(lists.whole.offset[lists.rows] + retrieved - 1, mode="clip")
    found[retrieved == 0] = 0
    return found


def row_of_query(lists: RetrievalLists) -> Ints32:
    """Place of each query of the whole lists in a subset; -1 if it is not there."""
    row = np.full(lists.whole.n_queries, -1, np.int32)
    row[lists.rows] = np.arange(lists.n_queries)
    return row


def query_weight(lists: RetrievalLists) -> Floats:
    """Weight of each query of the whole lists; 0 for those a subset leaves out."""
    weight = np.zeros(lists.whole.n_queries)
    weight[lists.rows] = lists.weight
    return weight


# So many of the best records are separated at first, then four times as many, ...
HEAD = 1 << 18


class PooledRecords(NamedTuple):
    """The records of all queries, or those of one kind, best first."""

    query: Ints32
    code: Ints32

    def part(self, some: slice | Bools) -> PooledRecords:
        """Those at a stretch of places, or of which something is true."""
        return PooledRecords(self.query[some], self.code[some])


Kinds = tuple[PooledRecords, PooledRecords]
"""The relevant records, and the irrelevant ones."""


def pooled_records(lists: RetrievalLists) -> Kinds:
    """All relevant, and all irrelevant records."""
    return _pooled_head(lists, lists.whole.score.size)


def of_rows(lists: RetrievalLists, records: PooledRecords) -> PooledRecords:
    """Those of the queries of a subset, which are numbered anew."""
    row = row_of_query(lists)[records.query]
    return PooledRecords(row[row >= 0], records.code[row >= 0])


def pooled_to_error(lists: RetrievalLists, n: int) -> tuple[Ints32, Ints32]:
    """Codes of the relevant and irrelevant records of the queries, merged, to the n-th error.

    With all that tie with it; all records, if there are fewer errors.
    """
    keep = None if lists.n_queries == lists.whole.n_queries else query_weight(lists) > 0
    relevant, irrelevant = records_to_error(lists, n, keep)
    if keep is None:
        return relevant.code, irrelevant.code
    return relevant.code[keep[relevant.query]], irrelevant.code[keep[irrelevant.query]]


def records_to_error(lists: RetrievalLists, n: int, keep: Bools | None = None) -> Kinds:
    """The records of all queries, merged, to the n-th error of those to keep, by default of all.

    With all that tie with it; all records, if there are fewer errors.
    """
    size = lists.whole.score.size
    length = HEAD
    while True:
        relevant, irrelevant = _pooled_head(lists, min(length, size))
        end = _nth_error_end(irrelevant, n, keep)
        if end or length >= size:
            break
        length *= 4
    if end:
        last = irrelevant.code[end - 1]
        relevant = relevant.part(slice(np.searchsorted(relevant.code, last, side="right")))
        irrelevant = irrelevant.part(slice(end))
    return relevant, irrelevant


def _nth_error_end(errors: PooledRecords, n: int, keep: Bools | None) -> int:
    """How many errors there are up to the n-th of the queries to keep, and all that tie with it.

    0 if there are fewer than n. The first few are looked at, then four times as many, ...
    """
    if keep is None:
        last = n - 1
    else:
        length = 4 * n
        while True:
            place = np.flatnonzero(keep.take(errors.query[:length]))
            if place.size >= n or length >= errors.query.size:
                break
            length *= 4
        last = int(place[n - 1]) if place.size >= n else errors.query.size
    if last >= errors.code.size:
        return 0
    return int(np.searchsorted(errors.code, errors.code[last], side="right"))


@derived()
def _pooled_head(lists: RetrievalLists, length: int) -> Kinds:
    """The relevant and irrelevant ones of the best records, and of all that tie with the last."""
    ranked = ranking(lists)
    behind = ranked.first[length:]  # of which the first ones may tie with the last
    length += int(behind.argmax()) if behind.any() else behind.size
    order = ranked.order[:length]
    head = PooledRecords(list_positions(lists).query.take(order), ranked.code.take(order))
    relevant = lists.relevant.take(order)
    return head.part(relevant), head.part(~relevant)
