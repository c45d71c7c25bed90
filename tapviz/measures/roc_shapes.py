"""ROC curves of a review: averaged, binormal, and of rankings by similarity to training items."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tapviz.lists import RetrievalLists, derived
from tapviz.measures import _common
from tapviz.measures._common import Bools, Floats, Ints, ListsOrArrays, ratio, refuse, special
from tapviz.measures.auc import FPR_GRID, along, auc, check_rates, reason_of, row_of, totals_of

__all__ = [
    "AverageRoc", "BinormalRoc", "ElementWise", "GroupWise", "average_roc", "binormal_roc",
    "element_wise", "group_wise", "likelihood_ratio",
]  # fmt: skip

SD_FACTOR = 1.96
"""Half the height of an error bar, in standard deviations; the review, Figure 6."""

PERCENTILES = (0.025, 0.975)
"""Ends of the percentile band."""

Band = Literal["sd", "percentile"]


class AverageRoc(NamedTuple):
    """True positive rate averaged over queries at G false positive rates; each array (G,)."""

    fpr: Floats
    tpr: Floats
    """Weighted mean."""
    lower: Floats
    """Lower end of the band; with "sd" it may leave [0, 1]."""
    upper: Floats
    band: Band
    retrieved_only: bool
    """As in `Auc`; so are the counts of queries left out."""
    n_queries: int
    """Queries averaged."""
    n_no_relevant: int
    n_no_irrelevant: int
    reason: str
    """Why numbers are NaN; empty otherwise."""


def average_roc(
    lists: RetrievalLists, fpr: ArrayLike = FPR_GRID, *, band: Band = "sd"
) -> AverageRoc:
    """ROC curve averaged vertically over queries, with the spread of the bundle.

    The mean of the queries' true positive rates at each false positive rate; where a query's
    curve rises straight up, it is the top. The band tells how the queries differ, not how well
    the mean is known.

    Parameters
    ----------
    lists : RetrievalLists
    fpr : array_like of float in [0, 1], shape (G,)
        False positive rates. Default 0, 0.01, ..., 1.
    band : {"sd", "percentile"}
        "sd": the mean -+ 1.96 standard deviations (of a sample; weights only tell how much a
        query counts, their scale is of no consequence). "percentile": the smallest rates that
        at least 2.5 % and 97.5 % of the queries' weight do not exceed.

    Returns
    -------
    AverageRoc
        Queries without relevant or without irrelevant records are left out and counted.

    Raises
    ------
    ValueError
        If a rate is outside [0, 1] or the band is unknown.

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, Figure 6.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import average_roc
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> curve = average_roc(lists, [0, 0.1, 0.5])
    >>> curve.tpr.round(3).tolist(), curve.retrieved_only
    ([0.508, 0.69, 0.866], False)
    """
    _common.check_choice("band", band, "sd", "percentile")
    grid = check_rates(fpr)
    name = tuple(grid.tolist())
    totals = totals_of(lists)
    defined = (totals.relevant > 0) & (totals.irrelevant > 0)
    reason = reason_of(lists)
    mean = lower = upper = np.full(grid.size, np.nan)
    if defined.any():
        table = _tpr_table(lists, name)
        rows = table if lists.whole is lists else table[lists.rows]
        weight = np.where(defined, lists.weight, 0)
        share = weight / weight.sum()
        mean = share @ rows
        freedom = share @ (1 - share)  # 1 - 1 / Q if all weigh the same
        if band == "percentile":
            rates = np.ascontiguousarray(rows.T)
            order = np.argsort(rates, axis=1)
            rates = np.take_along_axis(rates, order, axis=1)
            reached = np.cumsum(weight[order], axis=1)
            levels = [share * (1 - 1e-12) * reached[:, -1:] for share in PERCENTILES]
            every = np.arange(grid.size)
            lower, upper = (rates[every, (reached < level).sum(axis=1)] for level in levels)
        elif freedom > 0:
            half = SD_FACTOR * np.sqrt(share @ np.square(rows - mean) / freedom)
            lower, upper = mean - half, mean + half
        else:
            reason = "one query alone has no standard deviation"
    retrieved_only, counts = lists.n_irrelevant is None, (int(defined.sum()), *totals.none)
    return AverageRoc(grid, mean, lower, upper, band, retrieved_only, *counts, reason)


@derived(keep=1)
def _tpr_table(lists: RetrievalLists, grid: tuple[float, ...]) -> Floats:
    """True positive rate of each query at each false positive rate, (Q, G); 0 if undefined."""
    totals = totals_of(lists)
    at = np.multiply.outer(totals.irrelevant, np.array(grid))
    # 0.29 of 100 irrelevant records are 29 of them, whatever the rounding.
    whole = np.rint(at)
    at = np.where(np.abs(at - whole) <= 1e-12 * whole, whole, at)
    defined = (totals.relevant > 0) & (totals.irrelevant > 0)
    return ratio(along(lists, at)[0], np.where(defined, totals.relevant, 0)[:, None], 0.0)


class BinormalRoc(NamedTuple):
    """ROC curve of two normal distributions with the means and SDs of the scores."""

    fpr: Floats
    """Shape (G,)."""
    tpr: Floats
    """Shape (G,)."""
    a: float
    """Difference of the means in SDs of the relevant records' scores."""
    b: float
    """SD of the irrelevant records' scores in SDs of the relevant ones'."""
    auc: float
    n_relevant: int
    """Relevant records with a score; those not retrieved have none."""
    n_irrelevant: int
    warning: str
    """Why the curve is not to be trusted; empty otherwise."""
    reason: str
    """Why the numbers are NaN; empty otherwise."""


def binormal_roc(
    lists_or_arrays: ListsOrArrays, fpr: ArrayLike = FPR_GRID, *, query: str | int | None = None
) -> BinormalRoc:
    """Smooth ROC curve of one query, its two kinds of scores taken for normal.

    With the means m and sample standard deviations s of the scores of relevant (1) and
    irrelevant (0) records, larger scores better: a = (m1 - m0) / s1, b = s0 / s1, the true
    positive rate is Phi(a + b Phi^-1(fpr)) and the area Phi(a / sqrt(1 + b^2)). Only records
    with a score count; ascending scores change sign.

    Parameters
    ----------
    lists_or_arrays : RetrievalLists or (array_like of bool, array_like of float)
        Lists; or relevant and score, larger scores better, of the records of one query.
    fpr : array_like of float in [0, 1], shape (G,)
        False positive rates. Default 0, 0.01, ..., 1.
    query : str or int, optional
        Id of the query, or its place; needed unless there is exactly one.

    Returns
    -------
    BinormalRoc
        NaN with fewer than two records of a kind, or equal scores in a kind.

    Raises
    ------
    ValueError
        If a rate is outside [0, 1], or as in `roc_curve`.
    KeyError
        If there is no such query.

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, Figure 4.

    Examples
    --------
    >>> from tapviz.measures import binormal_roc
    >>> curve = binormal_roc(([1, 1, 0, 0], [9.0, 7.0, 5.0, 1.0]))
    >>> round(curve.auc, 3)
    0.943
    """
    grid = check_rates(fpr)
    lists = _common.as_lists(lists_or_arrays)
    score, relevant = _common.records_of(lists, row_of(lists, query))
    kinds = {"relevant": score[relevant], "irrelevant": score[~relevant]}
    a = b = area = float("nan")
    tpr = np.full(grid.size, np.nan)
    reason = ""
    for kind, values in kinds.items():
        if values.size < 2:  # noqa: PLR2004  # a standard deviation takes two
            reason = f"expected at least two {kind} records with a score, found {values.size}"
            break
        if values.min() == values.max():
            reason = f"all {kind} records have the same score: no standard deviation"
            break
    else:
        with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
            sd1, sd0 = _sd(kinds["relevant"]), _sd(kinds["irrelevant"])
            difference = kinds["irrelevant"].mean() - kinds["relevant"].mean()
            a, b = float(lists.sign * difference / sd1) + 0.0, float(sd0 / sd1)  # never -0.0
        if np.isfinite(a) and np.isfinite(b) and b > 0:
            area = float(special().ndtr(a / np.hypot(1, b)))
            tpr = special().ndtr(a + b * special().ndtri(grid))
        else:
            a = b = float("nan")
            reason = "the standard deviations are too small or too large to compare"
    warning = ""
    if lists.direction == "ascending":
        warning = "E-values are far from normal: use -log10 E or the bit score"
    counts = kinds["relevant"].size, kinds["irrelevant"].size
    return BinormalRoc(grid, tpr, a, b, area, *counts, warning, reason)


def _sd(values: Floats) -> float:
    """Sample standard deviation, however small: squares of E-values would vanish."""
    deviation = values - values.mean()
    largest = np.abs(deviation).max()
    return float(largest * np.sqrt(np.square(deviation / largest).sum() / (values.size - 1)))


Score = Literal["max", "likelihood_ratio"]


class ElementWise(NamedTuple):
    """AUC of the training items ranked by each relevant test item, P of them, and their mean."""

    value: float
    """Mean over the relevant test items; NaN where undefined, see `reason`."""
    per_item: Floats
    """AUC of each relevant test item, in the order given, shape (P,)."""
    item: Ints
    """Place of each relevant test item among all, shape (P,)."""
    n_relevant: int
    """Relevant training items."""
    n_irrelevant: int
    """Irrelevant training items."""
    scenario: str
    reason: str
    """Why `value` is NaN; empty otherwise."""


class GroupWise(NamedTuple):
    """AUC of all test items ranked by their similarity to the relevant training items."""

    value: float
    """NaN where undefined, see `reason`."""
    score: Floats
    """What each test item is ranked by, larger first, shape (number of test items,)."""
    n_relevant: int
    """Relevant test items."""
    n_irrelevant: int
    """Irrelevant test items."""
    scenario: str
    reason: str
    """Why `value` is NaN; empty otherwise."""


def element_wise(
    similarity: ArrayLike, test_relevant: ArrayLike, train_relevant: ArrayLike
) -> ElementWise:
    """Each relevant test item ranks the training items; the mean of their AUCs.

    Parameters
    ----------
    similarity : array_like of float, shape (test items, training items)
        The larger, the more similar.
    test_relevant : array_like of bool, shape (test items,)
    train_relevant : array_like of bool, shape (training items,)

    Returns
    -------
    ElementWise
        An AUC of this scenario is not to be compared with one of another.

    Raises
    ------
    ValueError
        If shapes do not fit, or there is anything but finite numbers, or true and false.

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, Figure 8.

    Examples
    --------
    >>> from tapviz.measures import element_wise
    >>> element_wise([[9, 8, 1], [2, 3, 5]], [1, 0], [1, 1, 0]).value
    1.0
    """
    matrix, train = _check(similarity, train_relevant)
    item = np.flatnonzero(_relevance("test_relevant", test_relevant, matrix.shape[0]))
    counts = int(train.sum()), int((~train).sum())
    ranked = RetrievalLists.from_records(
        np.repeat(np.arange(item.size), train.size),
        matrix[item].ravel(),
        np.tile(train, item.size),
        n_relevant=np.full(item.size, counts[0]),
        n_irrelevant=np.full(item.size, counts[1]),
        query=item.astype(str),
        direction="descending",
    )
    areas = auc(ranked)
    no_item = "" if item.size else "there is no relevant test item"
    reason = _one_kind(*counts, "training") or no_item
    return ElementWise(areas.value, areas.per_query, item, *counts, "element-wise", reason)


def group_wise(
    similarity: ArrayLike, test_relevant: ArrayLike, train_relevant: ArrayLike, score: Score = "max"
) -> GroupWise:
    """All test items ranked by one score each; the AUC of that ranking.

    Parameters
    ----------
    similarity, test_relevant, train_relevant
        As in `element_wise`.
    score : {"max", "likelihood_ratio"}
        The largest similarity to a relevant training item, S+; or that divided by the largest
        to an irrelevant one, see `likelihood_ratio`.

    Returns
    -------
    GroupWise
        An AUC of this scenario is not to be compared with one of another.

    Raises
    ------
    ValueError
        As `element_wise`, and as `likelihood_ratio` if that is the score.

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, Figure 8 and Equation (2).

    Examples
    --------
    >>> from tapviz.measures import group_wise
    >>> group_wise([[9, 8, 1], [2, 3, 5]], [1, 0], [1, 1, 0]).value
    1.0
    """
    _common.check_choice("score", score, "max", "likelihood_ratio")
    matrix, train = _check(similarity, train_relevant)
    test = _relevance("test_relevant", test_relevant, matrix.shape[0])
    reason = ""
    if score == "likelihood_ratio":
        values = likelihood_ratio(matrix, train)
        reason = _one_kind(int(train.sum()), int((~train).sum()), "training")
    elif train.any():
        values = matrix[:, train].max(axis=1)
    else:
        values = np.full(test.size, np.nan)
        reason = "there is no relevant training item"
    n_relevant, n_irrelevant = int(test.sum()), int((~test).sum())
    reason = reason or _one_kind(n_relevant, n_irrelevant, "test")
    # Ratios may be infinite; their ranks are not.
    area = float("nan") if reason else auc((test, np.unique(values, return_inverse=True)[1])).value
    scenario = "group-wise" + (", likelihood ratio" if score == "likelihood_ratio" else "")
    return GroupWise(area, values, n_relevant, n_irrelevant, scenario, reason)


def likelihood_ratio(similarity: ArrayLike, train_relevant: ArrayLike) -> Floats:
    """Likelihood ratio of each test item, L = S+ / S-.

    S+ and S- are its largest similarities to a relevant and to an irrelevant training item.
    With S- = 0 the ratio is infinite, or 1 if S+ = 0 as well.

    Parameters
    ----------
    similarity : array_like of float, shape (test items, training items)
        Not negative; of E-values take -log10 E or the bit score first.
    train_relevant : array_like of bool, shape (training items,)

    Returns
    -------
    ndarray of float64, shape (test items,)
        NaN if the training items are all of one kind.

    Raises
    ------
    ValueError
        If a similarity is negative, shapes do not fit, or there is anything but finite numbers,
        or true and false.

    References
    ----------
    Sonego, Kocsor & Pongor (2008), Brief. Bioinform. 9:198, Equation (2).

    Examples
    --------
    >>> from tapviz.measures import likelihood_ratio
    >>> likelihood_ratio([[9, 8, 1], [2, 3, 6]], [1, 1, 0]).tolist()
    [9.0, 0.5]
    """
    matrix, train = _check(similarity, train_relevant)
    _refuse_any(matrix, matrix < 0, "a ratio needs similarities of at least 0, found {}")
    if train.all() or not train.any():
        return np.full(matrix.shape[0], np.nan)
    plus, minus = matrix[:, train].max(axis=1), matrix[:, ~train].max(axis=1)
    with np.errstate(over="ignore"):  # infinite as well
        return ratio(plus, minus, np.where(plus > 0, np.inf, 1.0))


def _check(similarity: ArrayLike, train_relevant: ArrayLike) -> tuple[Floats, Bools]:
    matrix = np.asarray(similarity, np.float64)
    message = f"similarity: expected test items by training items, found shape {matrix.shape}"
    refuse(matrix.ndim != 2, message)  # noqa: PLR2004
    _refuse_any(matrix, ~np.isfinite(matrix), "{} is not a finite number")
    return matrix, _relevance("train_relevant", train_relevant, matrix.shape[1])


def _refuse_any(matrix: Floats, wrong: Bools, why: str) -> None:
    """ValueError with the first similarity that is wrong."""
    for row, column in np.argwhere(wrong)[:1].tolist():
        pair = f"similarity of test item {row + 1} and training item {column + 1}"
        raise ValueError(f"{pair}: {why.format(matrix[row, column])}")


def _relevance(name: str, values: ArrayLike, size: int) -> Bools:
    given = np.asarray(values)
    message = f"{name}: expected {size} of true or false, found an array of shape {given.shape}"
    refuse(given.shape != (size,), message)
    message = f"{name}: expected only true and false, or 1 and 0"
    refuse(not np.isin(given, (0, 1)).all(), message)
    return given.astype(np.bool_)


def _one_kind(n_relevant: int, n_irrelevant: int, items: str) -> str:
    """Why a ranking of these items has no AUC; empty if it has."""
    if n_relevant and n_irrelevant:
        return ""
    return f"there is no {'irrelevant' if n_relevant else 'relevant'} {items} item"
