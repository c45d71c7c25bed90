"""Whether AUCs differ, by what each record contributes to them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.measures._checks import check_number
from tapviz.measures.significance import VARY_TOLERANCE, special_functions, variance_of_mean

__all__ = ["DeLong", "delong"]


class DeLong(NamedTuple):
    """One AUC with its variance, or two of the same records and their difference."""

    auc_a: float
    """NaN where undefined, see `reason`."""
    auc_b: float
    """NaN if there is no second score."""
    var_a: float
    var_b: float
    covariance: float
    interval_a: tuple[float, float]
    """Normal confidence interval, clipped to [0, 1]."""
    interval_b: tuple[float, float]
    z: float
    """Of `auc_a` - `auc_b`."""
    p: float
    """Two-sided, normal."""
    level: float
    n_relevant: int
    n_irrelevant: int
    reason: str
    """Why something is NaN; empty otherwise."""


def delong(
    relevant: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> DeLong:
    """AUC with its variance; for two scores of the same records, a test of their difference.

    The placement of a relevant record is the share of irrelevant ones with lower scores,
    counting equal ones half; the other way round for irrelevant ones. AUC is their mean, and
    their variances and covariances, each over n - 1, give those of AUC.

    Parameters
    ----------
    relevant : array_like of bool, shape (N,)
    score_a, score_b : array_like of float, shape (N,)
        Scores of the same records by two algorithms; the larger, the better.
    level : float, in (0, 1)
        Confidence level of the intervals.

    Returns
    -------
    DeLong
        All NaN below 2 relevant or 2 irrelevant records. If the difference of the two AUCs has
        no variance, z and p are NaN, also where the AUCs are equal.

    Raises
    ------
    ValueError
        If the arrays differ in length, hold anything but true or false and finite numbers, or
        the level is not in (0, 1).

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44:837.

    Examples
    --------
    >>> from tapviz.measures import delong
    >>> found = delong([1, 1, 0, 0, 0], [9, 4, 5, 2, 1])
    >>> round(found.auc_a, 3), round(found.var_a, 4)
    (0.833, 0.0556)
    """
    check_number("level", level, 0 < level < 1, "a fraction above 0 and below 1")
    chosen = np.asarray(relevant)
    scores = [np.asarray(s, np.float64) for s in (score_a, score_b) if s is not None]
    if chosen.ndim != 1 or any(s.shape != chosen.shape for s in scores):
        shapes = [chosen.shape, *(s.shape for s in scores)]
        msg = f"expected arrays of one length, found shapes {', '.join(map(str, shapes))}"
        raise ValueError(msg)
    if not np.isin(chosen, (0, 1)).all() or not all(np.isfinite(s).all() for s in scores):
        msg = "expected relevance of only true and false, or 1 and 0, and finite scores"
        raise ValueError(msg)
    chosen = chosen.astype(np.bool_)
    n_relevant = int(chosen.sum())
    n_irrelevant = chosen.size - n_relevant
    nan = float("nan")
    auc, covariance, z, p, reason = np.full(2, nan), np.full((2, 2), nan), nan, nan, ""
    if min(n_relevant, n_irrelevant) < 2:  # noqa: PLR2004
        reason = "needs at least 2 relevant and 2 irrelevant records"
    else:
        upper = np.stack([_below(s[chosen], s[~chosen]) for s in scores])
        lower = np.stack([1 - _below(s[~chosen], s[chosen]) for s in scores])
        used = len(scores)
        auc[:used] = upper.mean(axis=1)
        covariance[:used, :used] = np.cov(upper) / n_relevant + np.cov(lower) / n_irrelevant
        # The difference's own placements: nothing cancels where the scores hardly differ.
        if used == 2:  # noqa: PLR2004
            variance = variance_of_mean(upper[0] - upper[1]) + variance_of_mean(lower[0] - lower[1])
            if np.sqrt(variance) <= VARY_TOLERANCE:
                reason = "the difference has no variance"
            else:
                z = float((auc[0] - auc[1]) / np.sqrt(variance))
                p = 2 * float(special_functions().ndtr(-abs(z)))
    half = float(special_functions().ndtri((1 + level) / 2)) * np.sqrt(np.diagonal(covariance))
    low, high = np.clip(auc - half, 0, 1).tolist(), np.clip(auc + half, 0, 1).tolist()
    return DeLong(
        auc_a=float(auc[0]),
        auc_b=float(auc[1]),
        var_a=float(covariance[0, 0]),
        var_b=float(covariance[1, 1]),
        covariance=float(covariance[0, 1]),
        interval_a=(low[0], high[0]),
        interval_b=(low[1], high[1]),
        z=z,
        p=p,
        level=float(level),
        n_relevant=n_relevant,
        n_irrelevant=n_irrelevant,
        reason=reason,
    )


def _below(values: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of the others below each value, counting equal ones half."""
    ordered = np.sort(others)
    places = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")
    return places / (2 * others.size)
