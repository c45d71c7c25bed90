"""Records of equal score: their order inside a list, and what depends on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, Generic, Literal, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import Grades, RetrievalLists, derived
from tapviz.measures._ranking import by_lists, list_positions, query_weight, several_tied

Order = Literal["optimistic", "pessimistic", "docid"]
"""An order of the records of each tie block."""

Ties = Literal["listed", "optimistic", "pessimistic", "expected", "block", "docid"]
"""What is inside a tie block, the records of equal score of a list: records in an order; the mean
over all orders; or nothing, so that a curve has points only where a block ends."""

P = ParamSpec("P")
Value = TypeVar("Value")


class Bracket(NamedTuple, Generic[Value]):
    """A measure with the records of equal score in the worst and in the best order."""

    low: Value
    high: Value


class Tied(NamedTuple):
    """The K records that share their score with others of their list; each array (K,).

    Most records of most lists do not: what depends on the order of equal scores is computed for
    these alone.
    """

    record: NDArray[np.int64]
    """Place of the record among all."""
    place: NDArray[np.int64]
    """Place of the record in its tie block, from 0."""
    size: NDArray[np.int64]
    """Records in the block."""
    relevant: NDArray[np.int64]
    """Relevant records in the block."""
    before: NDArray[np.int64]
    """Relevant records of the list before the block."""


def reorder(lists: RetrievalLists, rule: Order) -> RetrievalLists:
    """Return lists whose records of equal score are in another order.

    A measure in listed order of these lists is the measure under that rule for ties. Scores,
    queries, weights and the choice of queries stay as they are; the reordered lists are kept, so
    that asking again costs nothing.

    Parameters
    ----------
    lists : RetrievalLists
    rule : {"optimistic", "pessimistic", "docid"}
        Inside each tie block of a list: relevant records first; or irrelevant ones first; or by
        the id of the record, descending by its bytes, as trec_eval has it.

    Raises
    ------
    ValueError
        If the rule is unknown, or is "docid" and the records have no ids.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import reorder
    >>> lists = RetrievalLists([1.0, 1.0, 2.0], [True, False, True], [0, 3], [2])
    >>> reorder(lists, "pessimistic").relevant.tolist()
    [False, True, True]
    """
    whole = _reordered(lists, rule=rule)
    if lists.whole is lists:
        return whole
    return whole.subset(query_weight(lists) > 0).with_weights(lists.weight)


def tie_bracket(
    measure: Callable[Concatenate[RetrievalLists, P], Value],
    lists: RetrievalLists,
    *args: P.args,
    **options: P.kwargs,
) -> Bracket[Value]:
    """Evaluate a measure with the records of equal score in the worst and in the best order.

    Parameters
    ----------
    measure : function of RetrievalLists and of `args` and `options`
        Follows the order listed, and does not fall if a relevant record moves ahead of an
        irrelevant one: `average_precision`, `tap`, or `roc_n` with ``ties="listed"``.
    lists : RetrievalLists
    *args, **options
        Further arguments of the measure.

    Returns
    -------
    Bracket
        `low` is what the measure returns with the irrelevant records of each tie block first,
        `high` with the relevant ones first.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import average_precision, tie_bracket
    >>> lists = RetrievalLists([1.0, 1.0], [True, False], [0, 2], [1])
    >>> bracket = tie_bracket(average_precision, lists)
    >>> bracket.low.value, bracket.high.value
    (0.5, 1.0)
    """
    low = measure(reorder(lists, "pessimistic"), *args, **options)
    high = measure(reorder(lists, "optimistic"), *args, **options)
    return Bracket(low, high)


def tied_records(lists: RetrievalLists, records: slice = slice(None)) -> Tied:
    """The records of whole lists in tie blocks of more than one; of all lists, or some."""
    known = list_positions(lists)
    start, stop = several_tied(lists, records)
    size = stop - start
    record = np.repeat(stop - np.cumsum(size), size) + np.arange(size.sum())
    before = known.relevant_so_far[start] - lists.relevant[start].astype(np.int64)
    relevant = known.relevant_so_far[start + size - 1] - before
    return Tied(
        record=record,
        place=record - np.repeat(start, size),
        size=np.repeat(size, size),
        relevant=np.repeat(relevant, size),
        before=np.repeat(before, size),
    )


@derived()
def _reordered(lists: RetrievalLists, *, rule: Order) -> RetrievalLists:
    if rule == "docid":
        order = _by_id(lists)
    elif rule in ("optimistic", "pessimistic"):
        order = _by_relevance(lists, relevant_first=rule == "optimistic")
    else:
        msg = f'rule {rule!r}: expected "optimistic", "pessimistic" or "docid"'
        raise ValueError(msg)
    return RetrievalLists(
        score=lists.score[order],  # equal, but a zero may have another sign
        relevant=lists.relevant[order],
        offset=lists.offset,
        n_relevant=lists.n_relevant,
        weight=lists.weight,
        query=lists.query,
        direction=lists.direction,
        record=None if lists.record is None else lists.record[order],
        query_class=lists.query_class,
        n_irrelevant=lists.n_irrelevant,
        class_level=lists.class_level,
        reported_to=lists.reported_to,
        reported_how=lists.reported_how,
        grades=None
        if lists.grades is None
        else Grades(lists.grades.record[order], lists.grades.total),
        kept=None if lists.kept is None else lists.kept._replace(values={}),
    )


def _by_relevance(lists: RetrievalLists, *, relevant_first: bool) -> NDArray[np.int64]:
    """Records by tie block and relevance, otherwise as listed, without sorting."""
    order = np.arange(lists.score.size)
    for _, records in by_lists(lists.offset):
        tied = tied_records(lists, records)
        relevant = lists.relevant[tied.record]
        # Where each record goes: behind those of its kind, or of its block's other kind as well.
        relevant_ahead = list_positions(lists).relevant_so_far[tied.record] - relevant - tied.before
        irrelevant_ahead = tied.place - relevant_ahead
        if relevant_first:
            place = np.where(relevant, relevant_ahead, tied.relevant + irrelevant_ahead)
        else:
            n_irrelevant = tied.size - tied.relevant
            place = np.where(relevant, n_irrelevant + relevant_ahead, irrelevant_ahead)
        order[tied.record - tied.place + place] = tied.record
    return order


def _by_id(lists: RetrievalLists) -> NDArray[np.int64]:
    """Records by tie block and id, descending; records of one id as listed."""
    if lists.record is None:
        msg = 'ties by record id ("docid"): these lists have no ids of their records'
        raise ValueError(msg)
    tied = tied_records(lists)
    ids = lists.record[tied.record].tolist()
    # Python compares strings by code points, which is the order of their bytes in UTF-8. Sorting
    # the few different ids once is faster than the many records.
    number = {name: place for place, name in enumerate(sorted(set(ids), reverse=True))}
    key = np.array([number[name] for name in ids], np.int64)
    order = np.arange(lists.score.size)
    order[tied.record] = tied.record[np.lexsort((key, tied.record - tied.place))]
    return order
