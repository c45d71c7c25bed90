"""How similarities between test and training items become rankings, and what they score."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures._checks import check_choice
from tapviz.measures._ranking import ratio
from tapviz.measures.auc import auc

__all__ = ["ElementWise", "GroupWise", "element_wise", "group_wise", "likelihood_ratio"]

Score = Literal["max", "likelihood_ratio"]


class ElementWise(NamedTuple):
    """AUC of the training items ranked by each relevant test item, P of them, and their mean."""

    value: float
    """Mean over the relevant test items; NaN where undefined, see `reason`."""
    per_item: NDArray[np.float64]
    """AUC of each relevant test item, in the order given, shape (P,)."""
    item: NDArray[np.int64]
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
    score: NDArray[np.float64]
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
    n_relevant, n_irrelevant = int(train.sum()), int((~train).sum())
    ranked = RetrievalLists.from_records(
        np.repeat(np.arange(item.size), train.size),
        matrix[item].ravel(),
        np.tile(train, item.size),
        n_relevant=np.full(item.size, n_relevant),
        n_irrelevant=np.full(item.size, n_irrelevant),
        query=item.astype(str),
        direction="descending",
    )
    areas = auc(ranked)
    reason = _one_kind(n_relevant, n_irrelevant, "training") or (
        "" if item.size else "there is no relevant test item"
    )
    return ElementWise(
        areas.value, areas.per_query, item, n_relevant, n_irrelevant, "element-wise", reason
    )


def group_wise(
    similarity: ArrayLike,
    test_relevant: ArrayLike,
    train_relevant: ArrayLike,
    score: Score = "max",
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
    check_choice("score", score, "max", "likelihood_ratio")
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


def likelihood_ratio(similarity: ArrayLike, train_relevant: ArrayLike) -> NDArray[np.float64]:
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
    negative = np.argwhere(matrix < 0)
    if negative.size:
        row, column = negative[0]
        msg = (
            f"similarity of test item {row + 1} and training item {column + 1}: a ratio needs "
            f"similarities of at least 0, found {matrix[row, column]}"
        )
        raise ValueError(msg)
    if train.all() or not train.any():
        return np.full(matrix.shape[0], np.nan)
    plus, minus = matrix[:, train].max(axis=1), matrix[:, ~train].max(axis=1)
    with np.errstate(over="ignore"):  # infinite as well
        return ratio(plus, minus, np.where(plus > 0, np.inf, 1.0))


def _check(
    similarity: ArrayLike, train_relevant: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    matrix = np.asarray(similarity, np.float64)
    if matrix.ndim != 2:  # noqa: PLR2004
        msg = f"similarity: expected test items by training items, found shape {matrix.shape}"
        raise ValueError(msg)
    if not np.isfinite(matrix).all():
        row, column = np.argwhere(~np.isfinite(matrix))[0]
        msg = (
            f"similarity of test item {row + 1} and training item {column + 1}: "
            f"{matrix[row, column]} is not a finite number"
        )
        raise ValueError(msg)
    return matrix, _relevance("train_relevant", train_relevant, matrix.shape[1])


def _relevance(name: str, values: ArrayLike, size: int) -> NDArray[np.bool_]:
    given = np.asarray(values)
    if given.shape != (size,) or not np.isin(given, (0, 1)).all():
        msg = f"{name}: expected {size} of true or false, found an array of shape {given.shape}"
        if given.shape == (size,):
            msg = f"{name}: expected only true and false, or 1 and 0"
        raise ValueError(msg)
    return given.astype(np.bool_)


def _one_kind(n_relevant: int, n_irrelevant: int, items: str) -> str:
    """Why a ranking of these items has no AUC; empty if it has."""
    if n_relevant and n_irrelevant:
        return ""
    return f"there is no {'irrelevant' if n_relevant else 'relevant'} {items} item"
