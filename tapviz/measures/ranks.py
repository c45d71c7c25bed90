"""Measures of ranks and of sets: precision and recall at k, F, reciprocal ranks, eleven points."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from tapviz.lists import RetrievalLists, check_kept, derived
from tapviz.measures import _common, _ranking
from tapviz.measures._common import Floats, Ints, PerQuery, per_query, ratio, whole_number
from tapviz.measures.precision_recall import RECALL_GRID, Levels, interpolated_at
from tapviz.measures.ties import Order, reorder

__all__ = [
    "ElevenPoint", "SetScores", "average_precision_at", "eleven_point", "f_measure", "precision_at",
    "r_precision", "rank_biased_precision", "recall_at", "reciprocal_rank", "success_at",
    "total_reciprocal_rank",
]  # fmt: skip

ListOrder = Literal["listed"] | Order


class SetScores(NamedTuple):
    """Precision, recall and F measure of the records retrieved as a set."""

    precision: PerQuery
    recall: PerQuery
    f: PerQuery
    e0: float | None
    """Threshold E_0, inclusive; None if all records count."""
    beta: float


class ElevenPoint(NamedTuple):
    """Interpolated precision at recall 0, 0.1, ..., 1 (trec_eval)."""

    recall: Floats
    """The levels, shape (11,)."""
    precision: Floats
    """Weighted mean over queries with T(q) > 0 at each level, shape (11,)."""
    per_query: Floats
    """Interpolated precision of each query at each level, shape (Q, 11); NaN where T(q) = 0."""
    average: PerQuery
    """Mean over the eleven levels, of each query, and the mean of that."""
    levels: str
    """The rule for levels of recall."""


def precision_at(lists: RetrievalLists, *, k: int, ties: ListOrder = "listed") -> PerQuery:
    """P@k: relevant records among the first k, divided by k also where the list is shorter.

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Records, at least 1.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        Records of equal score: as listed; relevant ones first; irrelevant ones first; or by
        record id, descending (trec_eval).

    Raises
    ------
    ValueError
        If k is not a whole number of at least 1, the rule for ties is unknown, or is "docid" and
        the records have no ids.

    References
    ----------
    trec_eval's P; TREC: Buckley & Voorhees (2005), chapter 3.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import precision_at
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(precision_at(lists, k=10).value, 3)
    0.108
    """
    return per_query(lists, _found_at(lists, k, ties) / k, ties)


def recall_at(lists: RetrievalLists, *, k: int, ties: ListOrder = "listed") -> PerQuery:
    """R@k: relevant records among the first k, divided by T(q).

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Records, at least 1.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Raises
    ------
    ValueError
        As `precision_at`.

    References
    ----------
    trec_eval's recall.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import recall_at
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(recall_at(lists, k=10).value, 3)
    0.608
    """
    return per_query(lists, ratio(_found_at(lists, k, ties), lists.n_relevant), ties)


def success_at(lists: RetrievalLists, *, k: int, ties: ListOrder = "listed") -> PerQuery:
    """Success@k, also hit@k: 1 if a relevant record is among the first k, else 0.

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Records, at least 1.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Raises
    ------
    ValueError
        As `precision_at`.

    References
    ----------
    trec_eval's success.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import success_at
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(success_at(lists, k=1).value, 3)
    0.656
    """
    return per_query(lists, (_found_at(lists, k, ties) > 0).astype(np.float64), ties)


def average_precision_at(lists: RetrievalLists, *, k: int, ties: ListOrder = "listed") -> PerQuery:
    """AP@k: average precision of the first k records, divided by T(q) all the same.

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Records, at least 1.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Raises
    ------
    ValueError
        As `precision_at`.

    References
    ----------
    trec_eval's map_cut.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import average_precision_at
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(average_precision_at(lists, k=10).value, 3)
    0.543
    """
    check_kept(lists, records=k)
    k = whole_number("k", k, of="of records")
    lists = ordered(lists, ties)
    hits = _ranking.relevant_positions(lists)
    precision = np.where(hits.rank <= k, hits.so_far / hits.rank, 0.0)
    total = _common.sum_by_query(hits.query, precision, lists.whole.n_queries)
    return per_query(lists, ratio(total[lists.rows], lists.n_relevant), ties)


@_common.of_whole_lists
def r_precision(lists: RetrievalLists, *, ties: ListOrder = "listed") -> PerQuery:
    """R-precision: relevant records among the first T(q), divided by T(q).

    Parameters
    ----------
    lists : RetrievalLists
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Raises
    ------
    ValueError
        As `reciprocal_rank`.

    References
    ----------
    trec_eval's Rprec.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import r_precision
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(r_precision(lists).value, 3)
    0.526
    """
    known, whole = _ranking.relevant_positions(ordered(lists, ties)), lists.whole
    early = known.query[known.rank <= whole.n_relevant[known.query]]
    found = np.bincount(early, minlength=whole.n_queries)[lists.rows]
    return per_query(lists, ratio(found, lists.n_relevant), ties)


def rank_biased_precision(
    lists: RetrievalLists, *, persistence: float = 0.8, ties: ListOrder = "listed"
) -> PerQuery:
    """RBP: relevant records met by a reader who goes on to the next one with some probability.

    It is (1 - p) times the sum of p^(rank - 1) over the relevant records retrieved.

    Parameters
    ----------
    lists : RetrievalLists
    persistence : float, in (0, 1)
        The probability p.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Raises
    ------
    ValueError
        If p is not between 0 and 1, or as `reciprocal_rank`.

    References
    ----------
    Moffat & Zobel (2008), ACM Trans. Inf. Syst. 27:2.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import rank_biased_precision
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(rank_biased_precision(lists).value, 3)
    0.181
    """
    check_kept(lists, whole=True)
    right = 0 < persistence < 1
    _common.check_number("persistence", persistence, right, "a probability between 0 and 1")
    hits = _ranking.relevant_positions(ordered(lists, ties))
    earned = persistence ** (hits.rank - 1.0)
    total = _common.sum_by_query(hits.query, earned, lists.whole.n_queries)
    return per_query(lists, (1 - persistence) * total[lists.rows], ties)


def f_measure(lists: RetrievalLists, e0: float | None = None, *, beta: float = 1) -> SetScores:
    """Precision, recall and F of all records, or of those at or before a threshold E_0.

    Precision is J / n for J relevant among n records, 0 for none; recall is J / T(q); and
    F = (1 + beta^2) P R / (beta^2 P + R), 0 if both are 0.

    Parameters
    ----------
    lists : RetrievalLists
    e0 : float, optional
        Threshold, inclusive. Default: whole lists.
    beta : float
        How many times as important recall is as precision; greater than 0.

    Raises
    ------
    ValueError
        If E_0 is not a number, or beta not a positive finite one.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, chapter 7; trec_eval's set_P, set_recall, set_F.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import f_measure
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = f_measure(lists, 0.01)
    >>> round(found.precision.value, 3), round(found.recall.value, 3), round(found.f.value, 3)
    (0.563, 0.433, 0.466)
    """
    _common.check_number("beta", beta, 0 < beta < np.inf, "a positive number")
    retrieved = _common.list_length(lists)
    if e0 is not None:
        retrieved = _ranking.n_retrieved(lists, _ranking.n_thresholds(lists, e0))
    relevant = _ranking.relevant_among(lists, retrieved)
    # The same F, written with counts: nothing is divided before the end.
    squared = beta**2
    harmonic = ratio((1 + squared) * relevant, squared * lists.n_relevant + retrieved, 0.0)
    shares = ratio(relevant, retrieved, 0.0), ratio(relevant, lists.n_relevant), harmonic
    precision, recall, f = (per_query(lists, share) for share in shares)
    return SetScores(precision, recall, f, None if e0 is None else float(e0), float(beta))


@_common.of_whole_lists
def reciprocal_rank(
    lists: RetrievalLists, *, k: int | None = None, ties: ListOrder = "listed"
) -> PerQuery:
    """RR: one divided by the rank of the first relevant record, 0 if there is none.

    The mean over queries is MRR; with k it is MRR@k, as of MS MARCO.

    Parameters
    ----------
    lists : RetrievalLists
    k : int, optional
        Records that count, at least 1. Default: whole lists.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Raises
    ------
    ValueError
        If k is not a whole number of at least 1, the rule for ties is unknown, or is "docid" and
        the records have no ids.

    References
    ----------
    trec_eval's recip_rank; MS MARCO's MRR @10.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import reciprocal_rank
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(reciprocal_rank(lists).value, 3), round(reciprocal_rank(lists, k=1).value, 3)
    (0.691, 0.656)
    """
    first = _reciprocal(ordered(lists, ties))[0][lists.rows]
    if k is not None:
        first = np.where(first >= 1 / whole_number("k", k, of="of records"), first, 0.0)
    return per_query(lists, first, ties)


def total_reciprocal_rank(lists: RetrievalLists, *, ties: ListOrder = "listed") -> PerQuery:
    """TRR: one divided by the rank, summed over the relevant records retrieved.

    Parameters
    ----------
    lists : RetrievalLists
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Raises
    ------
    ValueError
        As `reciprocal_rank`.

    References
    ----------
    BioCreative II.5, evaluation, section 4.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import total_reciprocal_rank
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(total_reciprocal_rank(lists).value, 3)
    0.817
    """
    check_kept(lists, whole=True)
    return per_query(lists, _reciprocal(ordered(lists, ties))[1][lists.rows], ties)


def eleven_point(
    lists: RetrievalLists, *, ties: ListOrder = "listed", levels: Levels = "exact"
) -> ElevenPoint:
    """Interpolated precision at recall 0, 0.1, ..., 1, and the mean of the eleven.

    At recall x it is the largest precision at a recall of at least x, relative to T(q), and 0
    beyond the last relevant record retrieved.

    Parameters
    ----------
    lists : RetrievalLists
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.
    levels : {"exact", "trec_eval", "trec_eval 9"}
        As in `mean_precision_recall`: with trec_eval's rule two of three relevant records, a recall
        of 0.667, do for 0.7 and 0.8.

    Raises
    ------
    ValueError
        As `reciprocal_rank`, or if the rule for levels is unknown.

    References
    ----------
    trec_eval 10 and 9, iprec_at_recall and 11pt_avg.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import eleven_point
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = eleven_point(lists)
    >>> round(found.average.value, 3), found.precision[[0, 10]].round(3).tolist()
    (0.564, [0.693, 0.447])
    >>> round(eleven_point(lists, levels="trec_eval").average.value, 3)
    0.595
    """
    whole = ordered(lists, ties)
    # The very numbers 0.1, 0.2, ...: whether a half is rounded up can hang on their last bit.
    grid, step = np.arange(11) / 10, 1
    if levels == "exact":
        # Every tenth of the levels of `mean_precision_recall`, whose table is kept for them all.
        grid, step = RECALL_GRID, 10
    own = interpolated_at(whole, tuple(grid.tolist()), levels)[lists.rows, ::step]
    use = lists.n_relevant > 0
    own[~use] = np.nan
    precision = lists.weight[use] @ own[use] / (lists.weight[use].sum() or np.nan)
    average = per_query(lists, own.mean(axis=1), ties)
    return ElevenPoint(RECALL_GRID[::10], precision, own, average, levels)


@derived()
def _reciprocal(lists: RetrievalLists) -> tuple[Floats, Floats]:
    """Reciprocal rank of the first relevant record of each query, and their sum, (Q,) each."""
    hits = _ranking.relevant_positions(lists)
    reciprocal, is_first = 1 / hits.rank, hits.so_far == 1
    first = np.zeros(lists.n_queries)
    first[hits.query[is_first]] = reciprocal[is_first]
    return first, _common.sum_by_query(hits.query, reciprocal, lists.n_queries)


def ordered(lists: RetrievalLists, ties: ListOrder) -> RetrievalLists:
    """Lists in the order of a rule for ties, for measures that follow the order listed."""
    _common.check_choice("ties", ties, "listed", "optimistic", "pessimistic", "docid")
    return lists if ties == "listed" else reorder(lists, ties)


def _found_at(lists: RetrievalLists, k: int, ties: ListOrder) -> Ints:
    """Relevant records among the first k of each query, shape (Q,)."""
    check_kept(lists, records=k)
    retrieved = np.minimum(_common.list_length(lists), whole_number("k", k, of="of records"))
    return _ranking.relevant_among(ordered(lists, ties), retrieved)
