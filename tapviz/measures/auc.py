"""ROC curves over all records: their area, parts of it, and averages over queries."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tapviz.lists import RetrievalLists, check_kept, derived
from tapviz.measures import _common, _ranking
from tapviz.measures._common import AnyInts, Floats, Ints, Ints32, ListsOrArrays, ratio, refuse

__all__ = [
    "Auc", "CumulativeAuc", "Roc", "auc", "cumulative_auc", "partial_auc", "roc_curve",
]  # fmt: skip

FPR_GRID = np.linspace(0, 1, 101)
"""False positive rates 0, 0.01, ..., 1 at which curves are averaged over queries."""


CHANCE, ROUNDING = 0.5, 1e-12
"""McClish's index of the diagonal, and how far below it a sum may lie that is meant to be it."""

Normalization = Literal["width", "mcclish"]


class Roc(NamedTuple):
    """ROC curve of one query: straight lines between P points; each array (P,)."""

    threshold: Floats
    """Score up to which records count; infinite where none do, and where unlisted ones do too."""
    fpr: Floats
    tpr: Floats
    n_relevant: int
    """What `tpr` is relative to: T(q), or the relevant records retrieved, see `retrieved_only`."""
    n_irrelevant: int
    """What `fpr` is relative to: F(q), or the irrelevant records retrieved."""
    retrieved_only: bool
    """Whether F(q) is unknown, so that the curve is that of the records retrieved alone."""
    reason: str
    """Why rates are NaN; empty otherwise."""


class Auc(NamedTuple):
    """Area under the ROC curve of each query, or under part of it, and their mean."""

    value: float
    """Weighted mean over the queries where it is defined; NaN if there is none."""
    per_query: Floats
    """NaN where undefined, shape (Q,)."""
    n_queries: int
    """Queries averaged."""
    n_no_relevant: int
    """Queries without relevant records (retrieved ones, if `retrieved_only`), left out."""
    n_no_irrelevant: int
    """Queries without irrelevant records (retrieved ones, if `retrieved_only`), left out."""
    retrieved_only: bool
    """Whether F(q) is unknown, so that the areas are those of the records retrieved alone."""
    fpr: tuple[float, float]
    """The false positive rates between which the area is; (0, 1) for all of it."""
    normalization: Normalization | None
    reason: str
    """Why `value` is NaN, or queries below the diagonal are; empty otherwise."""


class CumulativeAuc(NamedTuple):
    """Number of tasks with an AUC above x: a step function with P steps."""

    x: Floats
    """Where the steps begin, from 0 to 1, shape (P,)."""
    above: Ints
    """Tasks with an AUC above x, from each x to the next, shape (P,)."""
    fraction: Floats
    """`above` relative to all tasks counted, shape (P,)."""
    mean: float
    """Mean AUC, every task counted once: the area under `fraction`."""
    n_tasks: int
    """Tasks counted."""
    n_undefined: int
    """Tasks left out because their AUC is undefined."""
    retrieved_only: bool
    """As in `Auc`; False if AUCs were given."""
    reason: str
    """Why `mean` is NaN; empty otherwise."""


def roc_curve(lists_or_arrays: ListsOrArrays, query: str | int | None = None) -> Roc:
    """ROC curve of one query.

    A point at the end of each tie block (records of equal score), after (0, 0). If F(q) is
    known, records that are not listed are one last tie block, so that the curve ends with a
    straight line to (1, 1). If it is not, the curve is that of the records retrieved alone.

    Parameters
    ----------
    lists_or_arrays : RetrievalLists or (array_like of bool, array_like of float)
        Lists; or relevant and score, larger scores better, of all records of one query.
    query : str or int, optional
        Id of the query, or its place; needed unless there is exactly one.

    Raises
    ------
    ValueError
        If there is not exactly one query and `query` is not given, or arrays do not fit.
    KeyError
        If there is no such query.

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, Figures 2 and 3.

    Examples
    --------
    >>> from tapviz.measures import roc_curve
    >>> curve = roc_curve(([1, 0, 1, 0], [9.0, 7.0, 5.0, 1.0]))
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    lists = _common.as_lists(lists_or_arrays)
    row = row_of(lists, query)
    totals = totals_of(lists)
    n_relevant, n_irrelevant = int(totals.relevant[row]), int(totals.irrelevant[row])
    score, relevant = _common.records_of(lists, row)
    last = np.flatnonzero(np.append(score[1:] != score[:-1], True))[: score.size]
    found = np.concatenate([[0], np.cumsum(relevant)[last]])
    errors = np.concatenate([[0], last + 1]) - found
    threshold = np.concatenate([[-lists.sign * np.inf], score[last]])
    if found[-1] < n_relevant or errors[-1] < n_irrelevant:
        found, errors = np.append(found, n_relevant), np.append(errors, n_irrelevant)
        threshold = np.append(threshold, lists.sign * np.inf)
    rates = errors / (n_irrelevant or np.nan), found / (n_relevant or np.nan)
    reason = reason_of(lists.subset(np.arange(lists.n_queries) == row))
    return Roc(threshold, *rates, n_relevant, n_irrelevant, lists.n_irrelevant is None, reason)


def auc(lists_or_arrays: ListsOrArrays) -> Auc:
    """Area under the ROC curve of each query.

    The probability that a relevant record comes before an irrelevant one, ties counting half:
    the Mann-Whitney statistic divided by T(q) F(q). Records that are not listed tie behind all
    that are, so that an empty list has 0.5. If F(q) is unknown, only the records retrieved
    count.

    Parameters
    ----------
    lists_or_arrays : RetrievalLists or (array_like of bool, array_like of float)
        Lists; or relevant and score, larger scores better, of all records of one query.

    Raises
    ------
    ValueError
        If arrays do not fit.

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, Table 1.

    Examples
    --------
    >>> from tapviz.measures import auc
    >>> auc(([1, 0, 1, 0], [9.0, 7.0, 5.0, 1.0])).value
    0.75
    """
    lists = _common.as_lists(lists_or_arrays)
    return _summary(lists, _auc_of_each(lists)[lists.rows])


def partial_auc(
    lists_or_arrays: ListsOrArrays,
    fpr1: float,
    fpr2: float,
    normalization: Normalization | None = "width",
) -> Auc:
    """Area under the ROC curve of each query between two false positive rates.

    Parameters
    ----------
    lists_or_arrays : RetrievalLists or (array_like of bool, array_like of float)
        As in `auc`.
    fpr1, fpr2 : float
        0 <= fpr1 <= fpr2 <= 1.
    normalization : {"width", "mcclish"} or None
        "width" divides the area by fpr2 - fpr1: the partial area index, the mean true positive
        rate in between. "mcclish" is (1 + (area - low) / (high - low)) / 2 with the area below
        the diagonal as `low` and the width as `high`: 0.5 for chance, 1 for perfect. It is not
        defined below the diagonal, where queries are NaN; to leave these out of the mean would
        flatter it, so `value` is the index of the mean area of all. None leaves the area as it is.

    Returns
    -------
    Auc
        If fpr1 = fpr2, the area is 0 and its normalised forms are NaN.

    Raises
    ------
    ValueError
        If the rates or the normalization are not such, or arrays do not fit.

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, the partial area index.
    McClish (1989), Med. Decis. Making 9:190.

    Examples
    --------
    >>> from tapviz.measures import partial_auc
    >>> partial_auc(([1, 0, 1, 0], [9.0, 7.0, 5.0, 1.0]), 0, 0.5).value
    0.5
    """
    _common.check_choice("normalization", normalization, "width", "mcclish", None)
    message = f"fpr1 = {fpr1}, fpr2 = {fpr2}: expected 0 <= fpr1 <= fpr2 <= 1"
    refuse(not 0 <= fpr1 <= fpr2 <= 1, message)
    lists = _common.as_lists(lists_or_arrays)
    totals = totals_of(lists)
    at = np.multiply.outer(totals.irrelevant, np.array([fpr1, fpr2], np.float64))
    low, high = along(lists, at)[1].T
    per_query = ratio(high - low, totals.relevant * totals.irrelevant)
    width = fpr2 - fpr1
    reason = ""
    if normalization is not None and width == 0:
        per_query = np.full(lists.n_queries, np.nan)
        reason = f"fpr1 = fpr2 = {fpr1}: there is no width to normalise by"
    elif normalization == "width":
        per_query = per_query / width
    elif normalization == "mcclish":
        chance = width * (fpr1 + fpr2) / 2
        per_query = (1 + (per_query - chance) / (width - chance)) / 2
    found = _summary(lists, per_query, (float(fpr1), float(fpr2)), normalization, reason)
    # McClish's index is not defined below the diagonal (pROC has NA there, too).
    below = found.per_query < CHANCE - ROUNDING
    if normalization != "mcclish" or not below.any():
        return found
    count, queries = int(below.sum()), found.n_queries
    reason = f"{count} of {queries} queries lie" if queries > 1 else "the curve lies"
    return found._replace(
        value=found.value if found.value >= CHANCE - ROUNDING else np.nan,
        per_query=np.where(below, np.nan, found.per_query),
        reason=f"{reason} below the diagonal, where McClish's index is not defined",
    )


def cumulative_auc(values_or_lists: RetrievalLists | ArrayLike) -> CumulativeAuc:
    """Number of tasks with an AUC above x, for all x from 0 to 1.

    Parameters
    ----------
    values_or_lists : RetrievalLists or array_like of float, shape (Q,)
        Lists, each query a task, their weights not used; or the AUC of each task, NaN where
        undefined.

    Raises
    ------
    ValueError
        If an AUC is outside [0, 1].

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, Figure 7.

    Examples
    --------
    >>> from tapviz.measures import cumulative_auc
    >>> found = cumulative_auc([0.5, 0.9, 0.9])
    >>> found.x.tolist(), found.above.tolist()
    ([0.0, 0.5, 0.9, 1.0], [3, 2, 0, 0])
    """
    retrieved_only, reason = False, ""
    if isinstance(values_or_lists, RetrievalLists):
        area = auc(values_or_lists)
        given, retrieved_only, reason = area.per_query, area.retrieved_only, area.reason
    else:
        given = np.asarray(values_or_lists, np.float64)
        refuse(given.ndim != 1, f"values: expected the AUC of each task, found shape {given.shape}")
    values = np.sort(given[~np.isnan(given)])
    ends = values[[0, -1]] if values.size else np.zeros(2)
    outside = ends[0] < 0 or ends[1] > 1
    refuse(outside, f"values: expected AUCs from 0 to 1, found {ends[0]} to {ends[1]}")
    if not values.size:
        reason = reason or "there is no task with an AUC"
    x = np.unique(np.concatenate([[0.0, 1.0], values]))
    above = values.size - np.searchsorted(values, x, side="right")
    fraction = above / values.size if values.size else np.full(x.size, np.nan)
    counts = values.size, given.size - values.size
    mean = _common.weighted_mean(values, np.ones(values.size))
    return CumulativeAuc(x, above, fraction, mean, *counts, retrieved_only, reason)


class _Totals(NamedTuple):
    """Records of each query, each array (Q,)."""

    found: Ints
    """Relevant records listed."""
    errors: Ints
    """Irrelevant records listed."""
    relevant: Ints
    """T(q); those listed if F(q) is unknown."""
    irrelevant: Ints
    """F(q); those listed if it is unknown."""

    @property
    def none(self) -> tuple[int, int]:
        """How many queries have no relevant, and no irrelevant record."""
        return int((self.relevant == 0).sum()), int((self.irrelevant == 0).sum())


class _Blocks(NamedTuple):
    """Tie blocks of all lists, B of them, and of the lists what their blocks add up to."""

    relevant: Ints32
    """Relevant records of the block, shape (B,); `irrelevant` likewise."""
    irrelevant: Ints32
    found: Ints32
    """Relevant records of its list before the block, shape (B,)."""
    errors: Ints32
    """Irrelevant records of its list before the block, shape (B,)."""
    area: Ints
    """Twice the area of its list's curve before the block, in pairs of records, shape (B,)."""
    total: Ints
    """Twice the area of the curve of each list, shape (Q,)."""


def totals_of(lists: RetrievalLists) -> _Totals:
    _, errors, found = _ranking.own_errors(lists)
    check_kept(lists, whole=True)
    if lists.n_irrelevant is None:
        return _Totals(found, errors, found, errors)
    return _Totals(found, errors, lists.n_relevant, lists.n_irrelevant)


def reason_of(lists: RetrievalLists) -> str:
    """Why no query has a curve; empty if one has."""
    totals = totals_of(lists)
    some_relevant, some_irrelevant = totals.relevant > 0, totals.irrelevant > 0
    if (some_relevant & some_irrelevant).any():
        return ""
    if not lists.n_queries:
        return "there is no query"
    missing = "both relevant and irrelevant records"
    if not some_relevant.any():
        missing = "a relevant record"
    elif not some_irrelevant.any():
        missing = "an irrelevant record"
    if lists.n_irrelevant is None:
        return f"no list has {missing}, and the irrelevant records not listed are unknown"
    return f"no query has {missing}"


def _summary(
    lists: RetrievalLists,
    per_query: Floats,
    fpr: tuple[float, float] = (0.0, 1.0),
    normalization: Normalization | None = None,
    reason: str = "",
) -> Auc:
    counts = int(np.count_nonzero(~np.isnan(per_query))), *totals_of(lists).none
    of = lists.n_irrelevant is None, fpr, normalization
    value = _common.mean_defined(per_query, lists.weight)
    return Auc(value, per_query, *counts, *of, reason_of(lists) or reason)


def row_of(lists: RetrievalLists, query: str | int | None) -> int:
    """Row of a query; None is the only one."""
    if query is not None:
        return lists.row_of(query)
    message = f"query: there are {lists.n_queries} queries, say which one is meant"
    refuse(lists.n_queries != 1, message)
    return 0


def check_rates(fpr: ArrayLike) -> Floats:
    """False positive rates as an array; ValueError if one is not within 0 and 1."""
    grid = np.atleast_1d(np.asarray(fpr, np.float64))
    message = "fpr: expected false positive rates from 0 to 1"
    refuse(grid.ndim != 1 or not ((grid >= 0) & (grid <= 1)).all(), message)
    return grid


def _tie_blocks(lists: RetrievalLists) -> _Blocks:
    """Areas are whole numbers (twice them), so that nothing is rounded before a division."""
    known = _ranking.list_positions(lists)
    start = np.flatnonzero(known.starts)
    # Relevant records among all records before each, and before the end.
    before = np.concatenate([[0], np.cumsum(lists.relevant)])
    relevant = np.diff(before[np.append(start, lists.score.size)])
    irrelevant = np.diff(np.append(start, lists.score.size)) - relevant
    found = known.relevant_so_far[start] - lists.relevant[start]
    errors = known.rank[start] - 1 - found
    added = np.concatenate([[0], np.cumsum(irrelevant * (2 * found.astype(np.int64) + relevant))])
    first = np.searchsorted(start, lists.offset)
    counts = relevant, irrelevant, found, errors
    hits, others, hits_before, others_before = (each.astype(np.int32) for each in counts)
    area = added[:-1] - added[first[known.query[start]]]
    return _Blocks(hits, others, hits_before, others_before, area, np.diff(added[first]))


@derived()
def _auc_of_each(lists: RetrievalLists) -> Floats:
    """AUC of each query, shape (Q,)."""
    found, errors, relevant, irrelevant = totals_of(lists)
    # What is not listed is one block: it begins at `found` and ends at T(q).
    twice = _tie_blocks(lists).total + (irrelevant - errors) * (found + relevant)
    return ratio(twice, 2 * (relevant * irrelevant))


@derived()
def _block_of_error(lists: RetrievalLists) -> tuple[_Blocks, Ints32]:
    """Tie blocks, and that of each irrelevant record, shape (M,)."""
    blocks = _tie_blocks(lists)
    return blocks, np.repeat(np.arange(blocks.found.size, dtype=np.int32), blocks.irrelevant)


def along(lists: RetrievalLists, at: Floats) -> tuple[Floats, Floats]:
    """Height of the curves, and area so far, after `at` irrelevant records each; (Q, G).

    After a whole number of them the curve may rise straight up; the height is that of the top.
    """
    totals = totals_of(lists)
    blocks, of_error = _block_of_error(lists)
    error = at.astype(np.int64)
    listed = error < totals.errors[:, None]
    start = _ranking.own_errors(lists).start
    block = of_error[(start[:, None] + error)[listed]]

    def at_block(of_blocks: AnyInts, of_unlisted: Ints) -> Floats:
        values = np.empty(at.shape)
        values[:] = of_unlisted[:, None]
        values[listed] = of_blocks[block]
        return values

    found = at_block(blocks.found, totals.found)
    relevant = at_block(blocks.relevant, totals.relevant - totals.found)
    irrelevant = at_block(blocks.irrelevant, totals.irrelevant - totals.errors)
    inside = at - at_block(blocks.errors, totals.errors)
    area = at_block(blocks.area, blocks.total[lists.rows])
    # If everything irrelevant is listed, only the end of the curve is beyond the list.
    gained = relevant * ratio(inside, irrelevant, 1.0)
    return found + gained, area / 2 + inside * (found + gained / 2)
