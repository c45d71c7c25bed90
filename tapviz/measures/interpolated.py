"""Area under precision against recall, interpolated (BioCreative) or by the trapezoidal rule."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tapviz.lists import RetrievalLists, check_kept, derived
from tapviz.measures import _common
from tapviz.measures._common import Bools, Floats, Ints, PerQuery, check_choice, per_query, refuse
from tapviz.measures._ranking import last_of_block, list_positions, relevant_positions
from tapviz.measures.precision_recall import best_precision, precision_recall_curve
from tapviz.measures.ranks import ListOrder, ordered

__all__ = [
    "Classification", "InterpolatedCurve", "act_ranking", "classification",
    "interpolated_precision_recall", "ipr_auc", "trapezoid_pr_auc",
]  # fmt: skip

Average = Literal["macro", "micro"]
Silent = Literal["include", "exclude"]


class InterpolatedCurve(NamedTuple):
    """Interpolated precision against recall of one query, at its J relevant records; each (J,)."""

    recall: Floats
    precision: Floats
    """The best precision at this recall or a higher one that is reached."""
    n_relevant: int
    ties: str


class Classification(NamedTuple):
    """How well two classes were distinguished; the positive class is the relevant one."""

    mcc: float
    """Matthews correlation coefficient; 0 where a class is empty, see `reason`."""
    accuracy: float
    sensitivity: float
    """Recall of the positive class; NaN if nothing is relevant."""
    specificity: float
    """Recall of the negative class; NaN if everything is relevant."""
    true_positive: int
    false_positive: int
    true_negative: int
    false_negative: int
    reason: str
    """What is undefined and why; empty if nothing is."""


def interpolated_precision_recall(
    lists: RetrievalLists, query: str | int, *, ties: ListOrder = "listed"
) -> InterpolatedCurve:
    """Interpolated precision and recall at each relevant record of one query.

    At the j-th of J relevant records retrieved the recall is j / T(q), and the interpolated
    precision is the largest precision at the j-th or a later one. Beyond the last it is 0.

    Parameters
    ----------
    lists : RetrievalLists
    query : str or int
        Id of the query, or its place.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        Records of equal score: as listed; relevant ones first; irrelevant ones first; or by
        record id, descending.

    Returns
    -------
    InterpolatedCurve
        Without points if no relevant record was retrieved.

    Raises
    ------
    KeyError
        If there is no such query.
    ValueError
        If the rule for ties is unknown, or is "docid" and the records have no ids.

    References
    ----------
    BioCreative II.5, evaluation, section 3.1.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import interpolated_precision_recall
    >>> lists = RetrievalLists([1.0, 1.0, 2.0], [True, False, True], [0, 3], [2])
    >>> interpolated_precision_recall(lists, "1").precision.round(3).tolist()
    [1.0, 0.667]
    """
    curve = precision_recall_curve(ordered(lists, ties), query)
    best = np.maximum.accumulate(curve.precision[::-1])[::-1]
    return InterpolatedCurve(curve.recall, best, curve.n_relevant, ties)


@_common.of_whole_lists
def ipr_auc(
    lists: RetrievalLists,
    *,
    average: Average = "macro",
    silent: Silent = "include",
    ties: ListOrder = "listed",
) -> PerQuery:
    """AUC iP/R: the area under interpolated precision against recall (BioCreative).

    For a query it is the sum of p_i(r_j) (r_j - r_(j-1)) over its relevant records retrieved,
    with the curve of `interpolated_precision_recall`.

    Parameters
    ----------
    lists : RetrievalLists
    average : {"macro", "micro"}
        The weighted mean over queries; or the area under one curve of all queries, rank by rank:
        its k-th point is the precision and recall of the first k records of every query that has
        relevant ones, together. Micro-averages do not use the weights of queries.
    silent : {"include", "exclude"}
        Whether queries with an empty list count. A system that keeps silent about hard queries
        gains if they do not.
    ties : {"listed", "optimistic", "pessimistic", "docid"}
        As in `interpolated_precision_recall`.

    Raises
    ------
    ValueError
        If an option is unknown, or the records have no ids for "docid".

    References
    ----------
    BioCreative II.5, evaluation, section 3.1; bc-evaluate 2.3.1 computes it and leaves silent
    queries out by default.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import ipr_auc
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(ipr_auc(lists).value, 3), round(ipr_auc(lists, average="micro").value, 3)
    (0.557, 0.257)
    """
    check_choice("average", average, "macro", "micro")
    check_choice("silent", silent, "include", "exclude")
    whole = ordered(lists, ties).whole
    defined, empty = lists.n_relevant > 0, _common.list_length(lists) == 0
    use = defined & ~(empty & (silent == "exclude"))
    result = per_query(lists, np.where(use, _areas(whole)[lists.rows], np.nan), ties)
    if defined.any() and not use.any():
        reason = "all queries with a relevant record have empty lists, which are left out"
        return result._replace(reason=reason)
    if average == "macro" or result.reason:
        return result
    recall, precision = _micro_points(whole, lists.rows[use])
    best = np.maximum.accumulate(precision[::-1])[::-1]
    return result._replace(value=float(best @ np.diff(recall, prepend=0)))


def trapezoid_pr_auc(
    lists: RetrievalLists, *, ties: ListOrder | Literal["block"] = "block"
) -> PerQuery:
    """Area under precision against recall by the trapezoidal rule, from recall 0, precision 1.

    Straight lines between points of a precision-recall curve claim more than can be reached;
    `average_precision` and `ipr_auc` do not. The area ends at the last relevant record retrieved.

    Parameters
    ----------
    lists : RetrievalLists
    ties : {"block", "listed", "optimistic", "pessimistic", "docid"}
        Points only where tie blocks end (scikit-learn's precision-recall curve); or at every
        record (bc-evaluate 3.2, "AUC P/R"), in an order as in `interpolated_precision_recall`.

    Returns
    -------
    PerQuery

    Raises
    ------
    ValueError
        If the rule for ties is unknown, or is "docid" and the records have no ids.

    References
    ----------
    Davis & Goadrich (2006), ICML, on why not; bc-evaluate 3.2, task ACT.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import trapezoid_pr_auc
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(trapezoid_pr_auc(lists).value, 3)
    0.541
    """
    check_kept(lists, whole=True)
    whole = lists.whole if ties == "block" else ordered(lists, ties).whole
    return per_query(lists, _trapezoids(whole, at_blocks=ties == "block")[lists.rows], ties)


def act_ranking(
    positive: ArrayLike,
    rank: ArrayLike,
    relevant: ArrayLike,
    *,
    n_relevant: int | None = None,
    record: ArrayLike | None = None,
) -> RetrievalLists:
    """Rank the articles of BioCreative's classification task (ACT), as one list.

    Each class is ranked by itself. The ranking of all has the articles classified as positive
    first, from rank 1 on, then the negative ones from their last rank back to 1: the most certain
    negative is last.

    Parameters
    ----------
    positive : array_like of bool, shape (N,)
        Class of each article reported.
    rank : array_like of int, shape (N,)
        Rank of each in its class: 1, 2, ... without gaps.
    relevant : array_like of bool, shape (N,)
        Whether the article is positive according to the gold standard.
    n_relevant : int, optional
        Positive articles of the gold standard, T: those that were not reported are not ranked,
        but count. Default: those reported.
    record : array_like of str, shape (N,), optional
        Id of each article.

    Returns
    -------
    RetrievalLists
        One query, "ACT". Scores are the places 1 to N, and ascend.

    Raises
    ------
    ValueError
        If the arrays differ in length, a class is not 0 or 1, the ranks of a class are not
        1, 2, ... in some order, or T is less than the relevant articles reported.

    References
    ----------
    BioCreative II.5, evaluation; the classes and order are those of bc-evaluate.

    Examples
    --------
    >>> from tapviz.measures import act_ranking
    >>> lists = act_ranking([1, 1, 0], [2, 1, 1], [0, 1, 1], record=["x", "y", "z"])
    >>> lists.record.tolist(), lists.relevant.tolist()
    (['y', 'x', 'z'], [True, False, True])
    """
    chosen, gold = _two_classes(positive, relevant)
    ranks = np.asarray(rank)
    message = f"rank: expected one per article, {chosen.size}, found shape {ranks.shape}"
    refuse(ranks.shape != chosen.shape, message)
    for name, of_class in (("positive", ranks[chosen]), ("negative", ranks[~chosen])):
        ordered, expected = np.sort(of_class), np.arange(1, of_class.size + 1)
        if (ordered != expected).any():
            wrong = int(np.argmax(ordered != expected))
            raise ValueError(
                f"rank: expected 1 to {of_class.size} for the {name} articles, each once; found "
                f"{ordered[wrong]} in place of {expected[wrong]}"
            )
    place = np.where(chosen, ranks, chosen.size + 1 - ranks)
    order = np.argsort(place)
    return RetrievalLists(
        score=place[order],
        relevant=gold[order],
        offset=[0, order.size],
        n_relevant=[int(gold.sum()) if n_relevant is None else n_relevant],
        query=["ACT"],
        record=None if record is None else np.asarray(record, np.object_)[order],
    )


def classification(positive: ArrayLike, relevant: ArrayLike) -> Classification:
    """Scores of a classification into two classes, such as that of BioCreative's ACT.

    Parameters
    ----------
    positive : array_like of bool, shape (N,)
        Class of each article reported; those that were not reported do not count.
    relevant : array_like of bool, shape (N,)
        Whether it is positive according to the gold standard.

    Raises
    ------
    ValueError
        If the arrays differ in length, or hold anything but true or false, 1 or 0.

    References
    ----------
    Matthews (1975), Biochim. Biophys. Acta 405:442. It is 0 / 0 if a class is empty, and 0 by
    convention then: the limit, and what bc-evaluate and scikit-learn give.

    Examples
    --------
    >>> from tapviz.measures import classification
    >>> found = classification([1, 1, 0, 0], [1, 0, 0, 0])
    >>> found.accuracy, found.sensitivity, round(found.mcc, 3)
    (0.75, 1.0, 0.577)
    """
    chosen, gold = _two_classes(positive, relevant)
    tn, fn, fp, tp = np.bincount(2 * chosen + gold, minlength=4).tolist()
    reasons = []
    if not chosen.size:
        reasons.append("there is no article")
    elif not (tp + fn and tn + fp):
        reasons.append("all articles are " + ("irrelevant" if tp + fn == 0 else "relevant"))
    if chosen.size and not (tp + fp and tn + fn):
        one = "negative" if tp + fp == 0 else "positive"
        reasons.append(f"all articles were classified as {one}")
    if chosen.size and reasons:
        reasons.append("MCC is 0 by convention")
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    mcc = (tp * tn - fp * fn) / product**0.5 if product else 0.0 if chosen.size else float("nan")
    parts = (tp + tn, chosen.size), (tp, tp + fn), (tn, tn + fp)
    accuracy, sensitivity, specificity = (p / n if n else float("nan") for p, n in parts)
    shares = accuracy, sensitivity, specificity
    return Classification(mcc, *shares, tp, fp, tn, fn, "; ".join(reasons))


@derived()
def _areas(lists: RetrievalLists) -> Floats:
    """Area under the interpolated curve of each query; 0 where T(q) = 0, shape (Q,)."""
    query = relevant_positions(lists).query
    # Every relevant record retrieved is a step of 1 / T(q) in recall.
    total = np.bincount(query, best_precision(lists), minlength=lists.n_queries)
    return total / np.maximum(lists.n_relevant, 1)


def _micro_points(whole: RetrievalLists, rows: Ints) -> tuple[Floats, Floats]:
    """Recall and precision of the first k records of all these queries, k = 1, 2, ...; (K,)."""
    known = list_positions(whole)
    keep = np.zeros(whole.n_queries, np.bool_)
    keep[rows] = True
    at = np.flatnonzero(whole.relevant)
    at = at[keep[known.query[at]]]
    length = np.diff(whole.offset)[rows]
    # At rank k as many records are added as there are lists of at least that length.
    longer = rows.size - np.cumsum(np.bincount(length, minlength=1))[:-1]
    found = np.cumsum(np.bincount(known.rank[at] - 1, minlength=longer.size))
    return found / whole.n_relevant[rows].sum(), found / np.cumsum(longer)


@derived()
def _trapezoids(lists: RetrievalLists, *, at_blocks: bool) -> Floats:
    """Area by the trapezoidal rule of each query; 0 where T(q) = 0, shape (Q,)."""
    known = list_positions(lists)
    at = np.flatnonzero(last_of_block(lists)) if at_blocks else np.arange(lists.score.size)
    query, found = known.query[at], known.relevant_so_far[at]
    precision = found / known.rank[at]
    first = np.diff(query, prepend=-1) != 0
    before = np.where(first, 1.0, np.roll(precision, 1))
    gained = found - np.where(first, 0, np.roll(found, 1))
    total = np.bincount(query, gained * (before + precision) / 2, minlength=lists.n_queries)
    return total / np.maximum(lists.n_relevant, 1)


def _two_classes(positive: ArrayLike, relevant: ArrayLike) -> tuple[Bools, Bools]:
    arrays = []
    for name, values in (("positive", positive), ("relevant", relevant)):
        array = np.asarray(values)
        message = f"{name}: expected one dimension of true and false, or 1 and 0"
        refuse(array.ndim != 1 or not np.isin(array, (0, 1)).all(), message)
        arrays.append(array.astype(np.bool_))
    chosen, gold = arrays
    message = f"expected as many classes as labels, found {chosen.size} and {gold.size}"
    refuse(chosen.size != gold.size, message)
    return chosen, gold
