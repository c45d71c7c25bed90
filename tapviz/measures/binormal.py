"""The binormal form of a ROC curve: both kinds of scores taken for normal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.measures._arrays import ListsOrArrays, as_lists
from tapviz.measures.auc import FPR_GRID, check_rates, records_of, row_of

__all__ = ["BinormalRoc", "binormal_roc"]


class BinormalRoc(NamedTuple):
    """ROC curve of two normal distributions with the means and SDs of the scores."""

    fpr: NDArray[np.float64]
    """Shape (G,)."""
    tpr: NDArray[np.float64]
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
    lists_or_arrays: ListsOrArrays,
    fpr: ArrayLike = FPR_GRID,
    *,
    query: str | int | None = None,
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
    from scipy import special  # noqa: PLC0415  # takes longer to import than all measures together

    grid = check_rates(fpr)
    lists = as_lists(lists_or_arrays)
    score, relevant = records_of(lists, row_of(lists, query))
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
            area = float(special.ndtr(a / np.hypot(1, b)))
            tpr = special.ndtr(a + b * special.ndtri(grid))
        else:
            a = b = float("nan")
            reason = "the standard deviations are too small or too large to compare"
    warning = ""
    if lists.direction == "ascending":
        warning = "E-values are far from normal: use -log10 E or the bit score"
    return BinormalRoc(
        grid, tpr, a, b, area, kinds["relevant"].size, kinds["irrelevant"].size, warning, reason
    )


def _sd(values: NDArray[np.float64]) -> float:
    """Sample standard deviation, however small: squares of E-values would vanish."""
    deviation = values - values.mean()
    largest = np.abs(deviation).max()
    return float(largest * np.sqrt(np.square(deviation / largest).sum() / (values.size - 1)))
