"""Measures of text retrieval that know grades of relevance: nDCG and bpref."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import UNGRADED, RetrievalLists
from tapviz.lists.reported import check_kept
from tapviz.measures._checks import check_choice, whole_number
from tapviz.measures._per_query import PerQuery, of_whole_lists, per_query
from tapviz.measures._ranking import list_positions, ratio, relevant_positions, sum_by_query
from tapviz.measures.ranks import ListOrder, ordered

__all__ = ["bpref", "ndcg"]

Gain = Literal["linear", "exponential"]


def ndcg(
    lists: RetrievalLists,
    *,
    k: int | None = None,
    gain: Gain = "linear",
    ties: ListOrder = "listed",
) -> PerQuery:
    """nDCG: gains discounted by the logarithm of the rank, as a share of the best order's.

    A record of grade g at rank i adds gain(g) / log2(i + 1). Where records have no grades, a
    relevant one has grade 1.

    Parameters
    ----------
    lists : RetrievalLists
    k : int, optional
        Records that count, at least 1. Default: whole lists.
    gain : {"linear", "exponential"}
        The grade itself, as in trec_eval; or 2^g - 1, as in many papers since Burges et al. (2005).
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Raises
    ------
    ValueError
        If k is not a whole number of at least 1, the gain is unknown, or as `precision_at`.

    References
    ----------
    Järvelin & Kekäläinen (2002), ACM Trans. Inf. Syst. 20:422; trec_eval's ndcg and ndcg_cut;
    Burges et al. (2005), ICML, for the exponential gain.

    Examples
    --------
    >>> import pandas as pd
    >>> from tapviz import Qrels, read
    >>> from tapviz.measures import ndcg
    >>> hits = pd.DataFrame({"query": ["q"] * 2, "record": ["d1", "d2"], "score": [2.0, 1.0]})
    >>> lists = read(hits, labels=Qrels({"q": {"d1": 1, "d2": 2}}))
    >>> round(ndcg(lists, k=10).value, 4), round(ndcg(lists, gain="exponential").value, 4)
    (0.8597, 0.7967)
    """
    check_choice("gain", gain, "linear", "exponential")
    lists = ordered(lists, ties)
    whole, rows = lists.whole, lists.rows
    known = list_positions(lists)
    most = None if k is None else whole_number("k", k, of="of records")
    check_kept(lists, records=most or 0, whole=most is None, grades=True)
    if whole.grades is None:
        grade, total = whole.relevant.astype(np.int64), _one_grade(whole.n_relevant)
    else:
        grade, total = np.maximum(whole.grades.record, 0), whole.grades.total
    gains = _gains(total.shape[1] - 1, gain)
    at = np.flatnonzero(grade if most is None else (grade > 0) & (known.rank <= most))
    earned = gains[grade[at]] / np.log2(known.rank[at] + 1)
    dcg = sum_by_query(known.query[at], earned, whole.n_queries)
    return per_query(lists, ratio(dcg[rows], _ideal(total[rows], gains, most), 0.0), ties)


@of_whole_lists
def bpref(lists: RetrievalLists, *, ties: ListOrder = "listed") -> PerQuery:
    """bpref: how seldom a record judged irrelevant comes before a relevant one.

    With R relevant and N records that were judged irrelevant, a relevant record after n of the
    latter adds 1 - min(n, R) / min(N, R); the sum is divided by R. Records without a grade are of
    no consequence. Where nobody gave grades, but F(q) is known, all records count as judged.

    Parameters
    ----------
    lists : RetrievalLists
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Returns
    -------
    PerQuery
        NaN where it is not known what was judged.

    Raises
    ------
    ValueError
        As `reciprocal_rank`.

    References
    ----------
    Buckley & Voorhees (2004), SIGIR; trec_eval's bpref.

    Examples
    --------
    >>> import pandas as pd
    >>> from tapviz import Qrels, read
    >>> from tapviz.measures import bpref
    >>> hits = pd.DataFrame({"query": ["q"] * 3, "record": ["x", "d1", "d2"], "score": [3, 2, 1]})
    >>> lists = read(hits, labels=Qrels({"q": {"d1": 0, "d2": 1}}), direction="descending")
    >>> bpref(lists).value
    0.0
    """
    lists = ordered(lists, ties)
    whole, rows = lists.whole, lists.rows
    known = relevant_positions(lists)
    query = known.query
    if whole.grades is not None:
        refused = (whole.grades.record > UNGRADED) & ~whole.relevant
        n_refused = whole.grades.total.sum(axis=1) - whole.n_relevant
        before = np.concatenate([[0], np.cumsum(refused)])
        worse = before[known.record] - before[whole.offset[query]]
    elif whole.n_irrelevant is not None:
        n_refused, worse = whole.n_irrelevant, known.rank - known.so_far
    else:
        return per_query(lists, np.full(lists.n_queries, np.nan), ties)
    limit = whole.n_relevant[query]
    worse = np.minimum(worse, limit)
    earned = 1 - ratio(worse, np.minimum(n_refused[query], limit), 0.0)
    total = sum_by_query(query, earned, whole.n_queries)
    return per_query(lists, ratio(total[rows], lists.n_relevant), ties)


def _one_grade(n_relevant: NDArray[np.int64]) -> NDArray[np.int64]:
    """Records of grades 0 and 1, shape (Q, 2); of grade 0 none counts."""
    return np.column_stack([np.zeros_like(n_relevant), n_relevant])


def _gains(highest: int, gain: Gain) -> NDArray[np.float64]:
    grade = np.arange(highest + 1, dtype=np.float64)
    return grade if gain == "linear" else np.exp2(grade) - 1


def _ideal(
    total: NDArray[np.int64], gains: NDArray[np.float64], most: int | None
) -> NDArray[np.float64]:
    """DCG of the best order of the records of each grade, (Q, G + 1)."""
    above = np.cumsum(total[:, ::-1], axis=1)[:, ::-1]  # of this grade or a higher one
    limit = int(above.max(initial=0)) if most is None else most
    above = np.minimum(above, limit)
    length = int(above.max(initial=0))
    discounts = np.concatenate([[0], np.cumsum(1 / np.log2(np.arange(2, length + 2)))])
    summed = discounts[above]
    steps = summed - np.column_stack([summed[:, 1:], np.zeros(len(summed))])
    ideal: NDArray[np.float64] = steps @ gains
    return ideal
