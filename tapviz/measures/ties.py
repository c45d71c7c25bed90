"""Records of equal score: their order inside a list, and what depends on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, Generic, Literal, NamedTuple, ParamSpec, TypeVar, get_args

import numpy as np

from tapviz.lists import Grades, RetrievalLists, derived
from tapviz.lists.checks import in_runs
from tapviz.measures._common import Floats, Ints, check_choice
from tapviz.measures._ranking import by_lists, list_positions, query_weight, several_tied

__all__ = ["Bracket", "Order", "Ties", "query_bracket", "reorder", "tie_bracket"]

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

    record: Ints
    """Place of the record among all."""
    place: Ints
    """Place of the record in its tie block, from 0."""
    size: Ints
    """Records in the block."""
    relevant: Ints
    """Relevant records in the block."""
    before: Ints
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
        Inside each tie block of a list: relevant records first, and those of higher grades before
        those of lower ones; or the other way round; or by the id of the record, descending by its
        bytes, as trec_eval has it.

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


def query_bracket(
    measure: Callable[[RetrievalLists, Ints], Floats], lists: RetrievalLists, listed: Floats
) -> Bracket[Floats]:
    """What each query scores with its records of equal score in the worst and in the best order.

    Only lists in which records of equal score differ in relevance are scored again: where there is
    none, both ends are `listed` itself.

    Parameters
    ----------
    measure : callable
        Called with some of the lists in another order, and the places of their R queries among all
        of `lists`, it returns what these score, (R,). As in `tie_bracket`, it does not fall if a
        relevant record, or one of a higher grade, moves ahead.
    lists : RetrievalLists
    listed : ndarray of float, shape (Q,)
        What each query scores as it is. NaN stays NaN.

    Raises
    ------
    NotKeptError
        If the lists were condensed, and `measure` asks for more of them than was kept.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import average_precision, query_bracket
    >>> lists = RetrievalLists([1, 1, 1, 2], [True, False, True, False], [0, 2, 4], [1, 1])
    >>> listed = average_precision(lists).per_query
    >>> query_bracket(lambda some, _: average_precision(some).per_query, lists, listed)
    Bracket(low=array([0.5, 1. ]), high=array([1., 1.]))
    """
    of_whole, worst, best = _open_lists(lists)
    place = of_whole[lists.rows]
    rows = np.flatnonzero(place >= 0)
    if not rows.size:
        return Bracket(listed, listed)
    use = np.zeros(worst.n_queries, np.bool_)
    use[place[rows]] = True
    unknown = np.isnan(listed[..., rows])

    def end(reordered: RetrievalLists) -> Floats:
        values = listed.copy()
        found = measure(reordered if use.all() else reordered.subset(use), rows)
        values[..., rows] = np.where(unknown, np.nan, found)
        return values

    return Bracket(end(worst), end(best))


def tied_records(lists: RetrievalLists, records: slice = slice(None)) -> Tied:
    """The records of whole lists in tie blocks of more than one; of all lists, or some."""
    known = list_positions(lists)
    start, stop = several_tied(lists, records)
    size = stop - start
    record, _ = in_runs(start, size)
    before = known.relevant_so_far[start] - lists.relevant[start].astype(np.int64)
    relevant = known.relevant_so_far[start + size - 1] - before
    of_block = (np.repeat(values, size) for values in (size, relevant, before))
    return Tied(record, record - np.repeat(start, size), *of_block)


@derived()
def _open_lists(lists: RetrievalLists) -> tuple[Ints, RetrievalLists, RetrievalLists]:
    """Lists whose scores leave the order of relevance open, in the worst and in the best order.

    First the place of each query of all lists among these, -1 where it has none; shape (Q,).
    """
    # Beside another record of its block, one of another relevance or grade.
    differs = lists.relevant[1:] != lists.relevant[:-1]
    if lists.grades is not None:
        differs |= lists.grades.record[1:] != lists.grades.record[:-1]
    known = list_positions(lists)
    differs &= ~known.starts[1:]
    use = np.zeros(lists.n_queries, np.bool_)
    use[known.query[1:][differs]] = True
    if lists.kept is not None:  # nobody knows what follows where a list was cut
        use |= np.diff(lists.offset) < lists.kept.length
    part = lists.subset(use)
    kept = None if part.kept is None else part.kept._replace(values={})

    bare = {"record": None, "query_class": None, "class_level": None, "reported_to": None}
    whole = part.replaced(**bare, kept=kept)
    if whole.grades is not None:
        worst, best = reorder(whole, "pessimistic"), reorder(whole, "optimistic")
    else:  # without sorting: records of a kind are all alike
        tied, last, first = tied_records(whole), whole.relevant.copy(), whole.relevant.copy()
        last[tied.record] = tied.place >= tied.size - tied.relevant
        first[tied.record] = tied.place < tied.relevant
        worst, best = whole.replaced(relevant=last), whole.replaced(relevant=first)
    return np.where(use, np.cumsum(use) - 1, -1), worst, best


@derived()
def _reordered(lists: RetrievalLists, *, rule: Order) -> RetrievalLists:
    check_choice("rule", rule, *get_args(Order))
    if rule == "docid":
        order = _by_id(lists)
    else:
        order = _by_relevance(lists, relevant_first=rule == "optimistic")
    grades = lists.grades
    return lists.replaced(
        score=lists.score[order],  # equal, but a zero may have another sign
        relevant=lists.relevant[order],
        record=None if lists.record is None else lists.record[order],
        grades=None if grades is None else Grades(grades.record[order], grades.total),
        kept=None if lists.kept is None else lists.kept._replace(values={}),
    )


def _by_relevance(lists: RetrievalLists, *, relevant_first: bool) -> Ints:
    """Records by tie block, relevance and grade, otherwise as listed."""
    if lists.grades is not None:
        tied = tied_records(lists)
        sign = -1 if relevant_first else 1
        kinds = lists.grades.record, lists.relevant
        keys = (sign * of[tied.record].astype(np.int64) for of in kinds)
        return _sorted_inside(lists, tied, *keys)
    # Of two kinds only, without sorting.
    order = np.arange(lists.score.size)
    for _, records in by_lists(lists.offset):
        tied = tied_records(lists, records)
        relevant = lists.relevant[tied.record]
        # Where each record goes: behind those of its kind, or of its block's other kind as well.
        relevant_ahead = list_positions(lists).relevant_so_far[tied.record] - relevant - tied.before
        place = np.where(relevant, relevant_ahead, tied.place - relevant_ahead)
        of_other_kind = np.where(relevant, tied.size - tied.relevant, tied.relevant)
        place += of_other_kind * (relevant != relevant_first)
        order[tied.record - tied.place + place] = tied.record
    return order


def _by_id(lists: RetrievalLists) -> Ints:
    """Records by tie block and id, descending; records of one id as listed."""
    if lists.record is None:
        raise ValueError('ties by record id ("docid"): these lists have no ids of their records')
    tied = tied_records(lists)
    ids = lists.record[tied.record].tolist()
    # Python compares strings by code points, which is the order of their bytes in UTF-8. Sorting
    # the few different ids once is faster than the many records.
    number = {name: place for place, name in enumerate(sorted(set(ids), reverse=True))}
    return _sorted_inside(lists, tied, np.array([number[name] for name in ids], np.int64))


def _sorted_inside(lists: RetrievalLists, tied: Tied, *keys: Ints) -> Ints:
    """All records, those of each tie block by some keys, (K,) each, of which the last leads."""
    order = np.arange(lists.score.size)
    order[tied.record] = tied.record[np.lexsort((*keys, tied.record - tied.place))]
    return order
