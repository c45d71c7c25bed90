"""Precision, recall and average precision."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from tapviz.lists import RetrievalLists, all_kept, check_kept, derived
from tapviz.measures import _common, _ranking
from tapviz.measures._common import Floats, Ints, PerQuery, per_query, ratio, records_of, refuse
from tapviz.measures.errors import count_table
from tapviz.measures.ties import Tied, Ties, reorder, tied_records

__all__ = [
    "MeanPrecisionRecall", "PooledPrecisionRecall", "PrecisionRecall", "Retrieved",
    "average_precision", "mean_precision_recall", "mean_recall", "pooled_precision_recall",
    "precision_recall_curve", "recall_of", "retrieved_at",
]  # fmt: skip

RECALL_GRID = np.linspace(0, 1, 101)
"""Recall levels 0, 0.01, ..., 1 on which curves are averaged over queries."""


Levels = Literal["exact", "trec_eval", "trec_eval 9"]


class Retrieved(NamedTuple):
    """What all queries together retrieve at each of G thresholds; each array (G,)."""

    threshold: Floats
    relevant: Ints
    irrelevant: Ints
    mean_recall: Floats
    """Mean over queries with T(q) > 0; NaN if there is none."""


class PrecisionRecall(NamedTuple):
    """Precision against recall of one query, at its J relevant records retrieved; each (J,)."""

    recall: Floats
    precision: Floats
    score: Floats
    rank: Ints
    n_relevant: int


class MeanPrecisionRecall(NamedTuple):
    """Precision averaged over queries at G levels of recall; each (G,)."""

    recall: Floats
    precision: Floats
    n_queries: int
    """Queries averaged: those with T(q) > 0."""
    n_no_relevant: int
    """Queries left out because T(q) = 0."""
    levels: str
    """The rule for levels of recall."""


class PooledPrecisionRecall(NamedTuple):
    """Precision and recall of all records at D common thresholds, each query weighed; each (D,)."""

    threshold: Floats
    """Distinct scores, inclusive, strictest first."""
    recall: Floats
    """Mean over the queries with T(q) > 0; NaN if there is none."""
    precision: Floats
    """Share of the relevant records, each query's divided by T(q)."""
    n_queries: int
    """Queries with T(q) > 0."""
    n_no_relevant: int
    """Queries with T(q) = 0, whose errors count."""

    def interpolated(self, recall: ArrayLike = RECALL_GRID) -> MeanPrecisionRecall:
        """The largest precision at each level of recall, or a higher one; 0 where none is reached.

        Parameters
        ----------
        recall : array_like of float in [0, 1], shape (G,)
            Default 0, 0.01, ..., 1.
        """
        grid = np.atleast_1d(np.asarray(recall, np.float64))
        best = np.append(np.maximum.accumulate(self.precision[::-1])[::-1], 0.0)
        precision = best[np.searchsorted(self.recall, grid * (1 - 1e-12))]
        if not self.n_queries:
            precision = np.full(grid.size, np.nan)
        return MeanPrecisionRecall(grid, precision, self.n_queries, self.n_no_relevant, "exact")


def precision_recall_curve(lists: RetrievalLists, query: str | int) -> PrecisionRecall:
    """Precision and recall at each relevant record of one query.

    At the j-th relevant record, at rank t_j: precision j / t_j, recall j / T(q).

    Parameters
    ----------
    lists : RetrievalLists
    query : str or int
        Id of the query, or its place.

    Returns
    -------
    PrecisionRecall
        Without points if no relevant record was retrieved.

    Raises
    ------
    KeyError
        If there is no such query.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.3.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import precision_recall_curve
    >>> lists = RetrievalLists([1.0, 1.0, 2.0], [True, False, True], [0, 3], [2])
    >>> curve = precision_recall_curve(lists, "1")
    >>> curve.recall.tolist(), curve.precision.round(3).tolist()
    ([0.5, 1.0], [1.0, 0.667])
    """
    row = lists.row_of(query)
    score, relevant = records_of(lists, row)
    rank = np.flatnonzero(relevant) + 1
    j, total = np.arange(1, rank.size + 1), int(lists.n_relevant[row])
    return PrecisionRecall(j / max(total, 1), j / rank, score[relevant], rank, total)


def mean_precision_recall(
    lists: RetrievalLists, recall: ArrayLike = RECALL_GRID, *, levels: Levels = "exact"
) -> MeanPrecisionRecall:
    """Precision-recall curve averaged over queries.

    Each query's precision is interpolated: at recall x it is the largest precision at a recall
    of at least x, relative to its own T(q), and 0 beyond its last relevant record retrieved.

    Parameters
    ----------
    lists : RetrievalLists
    recall : array_like of float in [0, 1], shape (G,)
        Levels of recall. Default 0, 0.01, ..., 1.
    levels : {"exact", "trec_eval", "trec_eval 9"}
        "exact": a recall of at least x. "trec_eval": as many relevant records as x T(q) rounded to
        the nearest whole number, halves up, which can be a recall below x: of T(q) = 3, two do
        for 0.8. "trec_eval 9": x T(q) + 0.9 without its decimals, which is exact but for rounding.

    Returns
    -------
    MeanPrecisionRecall
        NaN if no query has a relevant record. Queries with T(q) = 0 are left out and counted.

    Raises
    ------
    ValueError
        If a level is outside [0, 1], or the rule for levels is unknown.

    References
    ----------
    trec_eval 10 and 9 (iprec_at_recall), for their rules; version 9 is that of pytrec_eval.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import mean_precision_recall
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> mean_precision_recall(lists, [0.1, 0.5, 0.9]).precision.round(3).tolist()
    [0.681, 0.606, 0.447]
    """
    grid = np.atleast_1d(np.asarray(recall, np.float64))
    refuse(not ((grid >= 0) & (grid <= 1)).all(), "recall: expected levels from 0 to 1")
    table = interpolated_at(lists, tuple(grid.tolist()), levels)
    weight = np.where(lists.n_relevant > 0, lists.weight, 0)
    rows = table if lists.whole is lists else table[lists.rows]
    precision = np.einsum("q,qg->g", weight, rows) / (weight.sum() or np.nan)
    used = int((lists.n_relevant > 0).sum())
    return MeanPrecisionRecall(grid, precision, used, lists.n_queries - used, levels)


def pooled_precision_recall(
    lists: RetrievalLists, *, error_size: ArrayLike | None = None
) -> PooledPrecisionRecall:
    """Precision against recall of all records at a common threshold, weighted by family.

    A relevant record of a query counts 1 / T(q), and so does an error: a query of a large family
    weighs no more than another. The recall is the mean recall of the queries.

    Parameters
    ----------
    lists : RetrievalLists
    error_size : array_like of float, shape (Q,), optional
        By what errors of each query are divided instead of T(q); numbers below 1 count as 1. The
        script of Foldseek divides by what relevance to the fold alone, or else to the family,
        makes of T(q).

    Raises
    ------
    ValueError
        If there is not a size for each query.

    References
    ----------
    van Kempen et al. (2024), Nat. Biotechnol. 42:243, bench.fdr.noselfhit.awk.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import pooled_precision_recall
    >>> found = pooled_precision_recall(load_results("profiles")["RPS-BLAST"])
    >>> found.interpolated([0.1, 0.3, 0.4]).precision.round(3).tolist()
    [1.0, 1.0, 0.99]
    """
    check_kept(lists, whole=True)
    size = np.asarray(lists.n_relevant if error_size is None else error_size, np.float64)
    message = f"error_size: expected one of each of {lists.n_queries} queries, found {size.shape}"
    refuse(size.shape != (lists.n_queries,), message)
    relevant, irrelevant = _ranking.pooled_records(lists)
    known = _ranking.ranking(lists).threshold
    some = lists.n_relevant > 0
    share = np.zeros((2, lists.whole.n_queries))
    share[:, lists.rows] = lists.weight / np.maximum([lists.n_relevant, size], 1)
    gained, lost = (
        np.bincount(records.code, one[records.query], minlength=known.size)
        for records, one in zip((relevant, irrelevant), share, strict=True)
    )
    present = gained + lost > 0
    found, errors = np.cumsum(gained[present]), np.cumsum(lost[present])
    recall, precision = found / (lists.weight[some].sum() or np.nan), found / (found + errors)
    used = int(some.sum())
    return PooledPrecisionRecall(known[present], recall, precision, used, lists.n_queries - used)


def mean_recall(lists: RetrievalLists, e0: float) -> float:
    """Mean over queries with T(q) > 0 of the recall at a threshold E_0 (inclusive).

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import mean_recall
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(mean_recall(lists, 0.01), 3)
    0.433
    """
    retrieved = _ranking.n_retrieved(lists, _ranking.n_thresholds(lists, e0))
    return recall_of(lists, _ranking.relevant_among(lists, retrieved))


def recall_of(lists: RetrievalLists, found: Ints) -> float:
    """Mean over queries with T(q) > 0 of the recall, given the relevant records found, (Q,).

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import recall_of
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(recall_of(lists, lists.n_relevant // 2), 3)
    0.235
    """
    use = lists.n_relevant > 0
    return _common.weighted_mean(found[use] / lists.n_relevant[use], lists.weight[use])


def retrieved_at(lists: RetrievalLists, thresholds: ArrayLike) -> Retrieved:
    """Records retrieved by all queries, and their mean recall, at each of several thresholds.

    Parameters
    ----------
    lists : RetrievalLists
    thresholds : array_like of float, shape (G,)
        Inclusive.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import retrieved_at
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> at = retrieved_at(lists, [0.01, 1.0])
    >>> at.relevant.tolist(), at.irrelevant.tolist()
    ([948, 1231], [27, 2026])
    """
    grid = np.atleast_1d(np.asarray(thresholds, np.float64))
    found = count_table(lists, grid, relevant=True)
    share = np.where(lists.n_relevant > 0, lists.weight, 0)
    per_record = ratio(share, lists.n_relevant, 0.0)
    recall = np.einsum("gq,q->g", found, per_record) / (share.sum() or np.nan)
    errors = count_table(lists, grid).sum(axis=1, dtype=np.int64)
    return Retrieved(grid, found.sum(axis=1, dtype=np.int64), errors, recall)


@_common.of_whole_lists
def average_precision(lists: RetrievalLists, *, ties: Ties = "listed") -> PerQuery:
    """Average precision of each query.

    The sum of the precisions at the relevant records retrieved, divided by T(q): a relevant
    record that was not retrieved counts 0. The mean over queries is MAP.

    Parameters
    ----------
    lists : RetrievalLists
    ties : {"listed", "optimistic", "pessimistic", "expected", "block", "docid"}
        Records of equal score: as listed; relevant ones first; irrelevant ones first; the mean
        over all their orders; precision only where the tie block ends, for all its relevant
        records; or by record id, descending (trec_eval).

    Returns
    -------
    PerQuery
        0 for a list without relevant records. A query with T(q) = 0 is undefined and left out of
        the mean, where TAP counts it: see `no_relevant` of `tap`; trec_eval counts it as 0.

    Raises
    ------
    ValueError
        If the rule for ties is unknown, or is "docid" and the records have no ids.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.3. The mean over all orders:
    McSherry & Najork (2008), ECIR, LNCS 4956:414.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import average_precision
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = average_precision(lists)
    >>> round(found.value, 3), found.n_queries
    (0.556, 1351)
    >>> round(average_precision(lists, ties="expected").value, 3)
    0.556
    """
    whole = lists.whole
    if ties == "listed":
        known = _ranking.relevant_positions(lists)
        each = _common.sum_by_query(known.query, known.so_far / known.rank, whole.n_queries)
        total = each[lists.rows]
    else:
        length = _common.list_length(lists)
        total = _ranking.at_last(lists, length, summed_precision(lists, ties=ties))
    return per_query(lists, ratio(total, lists.n_relevant), ties)


@derived()
def summed_precision(lists: RetrievalLists, *, ties: Ties) -> Floats:
    """Sum of the precisions at the relevant records up to each record, shape (N,).

    That is at the last record of each tie block under every rule, and so wherever a threshold
    can end a list; inside a block only as far as the rule has a meaning there.
    """
    if ties == "docid":
        return summed_precision(reorder(lists, ties), ties="listed")
    if ties == "listed":
        return summed_as_listed(lists)
    known = _ranking.list_positions(lists)
    gained = np.empty(lists.score.size)
    for _, records in _ranking.by_lists(lists.offset):
        gained[records] = known.relevant_so_far[records] / known.rank[records]
        gained[records] *= lists.relevant[records]
        tied = tied_records(lists, records)
        gained[tied.record] = gained_in_ties(lists, tied, ties)
    return _ranking.cumsum_by_list(gained, lists.offset)


def summed_as_listed(lists: RetrievalLists) -> Floats:
    """The same where a sum grows at relevant records only, which are few; made anew."""
    found = _ranking.relevant_positions(lists)
    ends = np.searchsorted(found.record, lists.offset)
    sums = _ranking.cumsum_by_list(found.so_far / found.rank, ends)
    start = np.flatnonzero(lists.relevant | (_ranking.list_positions(lists).rank == 1))
    each = np.zeros(start.size)  # 0 until the first relevant record
    each[lists.relevant[start]] = sums
    return np.repeat(each, np.diff(start, append=lists.score.size))


def gained_in_ties(lists: RetrievalLists, tied: Tied, ties: Ties) -> Floats:
    """What each tied record adds to the sum of precisions by its place in its block, (K,)."""
    rank = _ranking.list_positions(lists).rank[tied.record]
    if ties == "optimistic":
        found = tied.before + np.minimum(tied.place + 1, tied.relevant)
        return found / rank * (tied.place < tied.relevant)
    if ties == "pessimistic":
        inside = tied.place + 1 - (tied.size - tied.relevant)
        return (tied.before + inside) / rank * (inside > 0)
    if ties == "block":
        end = rank + (tied.size - 1 - tied.place)
        return (tied.before + tied.relevant) / end * lists.relevant[tied.record]
    _common.check_choice("ties", ties, *get_args(Ties))
    # Expected: a record at this place is relevant with probability r / n, and then r - 1 others are
    # at the n - 1 other places.
    others = tied.place * (tied.relevant - 1) / (tied.size - 1)
    return tied.relevant / tied.size * (tied.before + 1 + others) / rank


@derived()
def best_precision(lists: RetrievalLists) -> Floats:
    """The best precision from each relevant record to the end of its list, one for each."""
    known = _ranking.relevant_positions(lists)
    query = known.query
    best = known.so_far / known.rank
    # By windows of doubling length.
    step = 1
    while step < best.size:
        same = query[:-step] == query[step:]
        if not same.any():
            break
        best[:-step] = np.where(same, np.maximum(best[:-step], best[step:]), best[:-step])
        step *= 2
    return best


@derived(keep=1)
def interpolated_at(lists: RetrievalLists, grid: tuple[float, ...], levels: Levels) -> Floats:
    """Interpolated precision of each query at each level of recall, shape (Q, G)."""
    _common.check_choice("levels", levels, "exact", "trec_eval", "trec_eval 9")
    if lists.kept is not None and not all_kept(lists):
        table = lists.kept.values.get("interpolated")
        if table is None or levels != "exact" or grid != tuple(RECALL_GRID.tolist()):
            check_kept(lists, whole=True)
        return np.asarray(table)
    best = best_precision(lists)
    count = np.bincount(_ranking.relevant_positions(lists).query, minlength=lists.n_queries)
    start = np.cumsum(count) - count
    level = np.asarray(grid)[None, :] * lists.n_relevant[:, None]
    if levels == "exact":
        # The first relevant record whose recall j / T(q) is at least the level, whatever the
        # rounding of level * T(q).
        wanted = np.ceil(level * (1 - 1e-12))
    elif levels == "trec_eval 9":
        wanted = np.floor(level + 0.9)
    else:
        wanted = np.floor(level) + (level % 1 >= 0.5)  # noqa: PLR2004  # lround of C
    j = np.maximum(wanted.astype(np.int64), 1)
    reached = j <= count[:, None]
    table = np.zeros(j.shape)
    table[reached] = best[(start[:, None] + j - 1)[reached]]
    return table
