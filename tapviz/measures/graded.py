"""Measures of text retrieval and virtual screening: nDCG and bpref; BEDROC, enrichment factor."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tapviz.lists import UNGRADED, RetrievalLists, check_kept
from tapviz.measures import _common
from tapviz.measures._common import Floats, Ints, PerQuery, per_query, ratio, sum_by_query
from tapviz.measures._ranking import list_positions, relevant_among, relevant_positions
from tapviz.measures.ranks import ListOrder, ordered

__all__ = ["bedroc", "bpref", "enrichment_factor", "ndcg"]


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
    _common.check_choice("gain", gain, "linear", "exponential")
    lists = ordered(lists, ties)
    whole, rows = lists.whole, lists.rows
    known = list_positions(lists)
    most = None if k is None else _common.whole_number("k", k, of="of records")
    check_kept(lists, records=most or 0, whole=most is None, grades=True)
    if whole.grades is None:
        # Grades 0, which does not count, and 1.
        grade = whole.relevant.astype(np.int64)
        total = np.column_stack([np.zeros_like(whole.n_relevant), whole.n_relevant])
    else:
        grade, total = np.maximum(whole.grades.record, 0), whole.grades.total
    grades = np.arange(total.shape[1], dtype=np.float64)
    gains = grades if gain == "linear" else np.exp2(grades) - 1
    at = np.flatnonzero(grade if most is None else (grade > 0) & (known.rank <= most))
    earned = gains[grade[at]] / np.log2(known.rank[at] + 1)
    dcg = sum_by_query(known.query[at], earned, whole.n_queries)
    return per_query(lists, ratio(dcg[rows], _ideal(total[rows], gains, most), 0.0), ties)


@_common.of_whole_lists
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


def _ideal(total: Ints, gains: Floats, most: int | None) -> Floats:
    """DCG of the best order of the records of each grade, (Q, G + 1)."""
    above = np.cumsum(total[:, ::-1], axis=1)[:, ::-1]  # of this grade or a higher one
    above = above if most is None else np.minimum(above, most)
    length = int(above.max(initial=0))
    discounts = np.concatenate([[0], np.cumsum(1 / np.log2(np.arange(2, length + 2)))])
    return -np.diff(discounts[above], axis=1, append=0.0) @ gains


def bedroc(lists: RetrievalLists, *, alpha: float = 20.0, ties: ListOrder = "listed") -> PerQuery:
    """BEDROC: relevant records weighted by their ranks, which count exponentially less.

    A relevant record at rank r of all N = T(q) + F(q) adds exp(-alpha r / N); the sum is scaled so
    that it is 1 where all relevant records come first, and 0 where all come last. Relevant records
    that were not retrieved take the last ranks.

    Parameters
    ----------
    lists : RetrievalLists
        F(q) must be known: `n_irrelevant`.
    alpha : float
        Greater than 0. Of 20, the first 8 % of the ranks make 80 % of the score.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Returns
    -------
    PerQuery
        NaN where F(q) is not known, or 0: there is nothing to tell apart.

    Raises
    ------
    ValueError
        If alpha is not a positive finite number, or as `precision_at`.

    References
    ----------
    Truchon & Bayly (2007), J. Chem. Inf. Model. 47:488, equation (36).

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import bedroc
    >>> lists = RetrievalLists([0.1, 0.2], [True, False], [0, 2], [1], n_irrelevant=[9])
    >>> bedroc(lists).value
    1.0
    """
    check_kept(lists, whole=True)
    _common.check_number("alpha", alpha, 0 < alpha < np.inf, "a positive number")
    lists = ordered(lists, ties)
    relevant, total = lists.n_relevant.astype(np.float64), _database(lists)
    whole, rows = lists.whole, lists.rows
    hits = relevant_positions(lists)
    size = np.full(whole.n_queries, np.nan)
    size[rows] = total
    earned = np.exp(-alpha * hits.rank / size[hits.query])
    found = sum_by_query(hits.query, earned, whole.n_queries)[rows]
    missing = relevant - relevant_among(lists, _common.list_length(lists))
    defined = (relevant > 0) & (relevant < total)
    values = np.full(lists.n_queries, np.nan)
    n, m, of = relevant[defined], missing[defined], total[defined]
    found = found[defined] + _geometric(alpha / of, of - m, m)
    best, worst = _geometric(alpha / of, 0.0 * of, n), _geometric(alpha / of, of - n, n)
    values[defined] = (found - worst) / (best - worst)
    return per_query(lists, values, ties)


def enrichment_factor(
    lists: RetrievalLists, *, percent: float = 1.0, ties: ListOrder = "listed"
) -> PerQuery:
    """EF: how many times more relevant records the first x % hold than chance would put there.

    The first x % are the first m = ceil(N x / 100) of all N = T(q) + F(q) ranks; a list that is
    shorter holds no more relevant records there.

    Parameters
    ----------
    lists : RetrievalLists
        F(q) must be known: `n_irrelevant`.
    percent : float
        The x, above 0 and at most 100.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `precision_at`.

    Returns
    -------
    PerQuery
        From 0 to N / T(q) or 100 / x, whichever is smaller; NaN where F(q) is not known.

    Raises
    ------
    ValueError
        If the percentage is not in (0, 100], or as `precision_at`.

    References
    ----------
    Pearlman & Charifson (2001), J. Med. Chem. 44:502; RDKit's CalcEnrichment.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import enrichment_factor
    >>> lists = RetrievalLists([0.1, 0.2], [True, False], [0, 2], [1], n_irrelevant=[9])
    >>> enrichment_factor(lists, percent=20).value
    5.0
    """
    check_kept(lists, whole=True)
    right = 0 < percent <= 100  # noqa: PLR2004
    _common.check_number("percent", percent, right, "a percentage above 0 and at most 100")
    total = _database(lists)
    known = np.nan_to_num(total)
    # A product such as 0.07 * 100 must not end a hair above the whole number it is.
    share = np.round(known * percent / 100, 9)
    first = np.ceil(share).astype(np.int64)
    found = relevant_among(ordered(lists, ties), np.minimum(_common.list_length(lists), first))
    expected = ratio(lists.n_relevant * first, known, 0.0)
    values = ratio(found, expected, 0.0)
    return per_query(lists, np.where(np.isfinite(total), values, np.nan), ties)


def _database(lists: RetrievalLists) -> Floats:
    """Records of the database that are relevant or not, N of each query; NaN if not known."""
    if lists.n_irrelevant is None:
        return np.full(lists.n_queries, np.nan)
    return (lists.n_relevant + lists.n_irrelevant).astype(np.float64)


def _geometric(rate: Floats, before: Floats, n: Floats) -> Floats:
    """Sum of exp(-rate r) over the n ranks r that follow the first ones."""
    terms: Floats = np.exp(-rate * (before + 1)) * np.expm1(-rate * n)
    return terms / np.expm1(-rate)
