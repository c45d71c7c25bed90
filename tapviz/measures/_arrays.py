"""Measures of a single list take it as two arrays as well as in the form of lists."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tapviz.lists import RetrievalLists

ListsOrArrays = RetrievalLists | tuple[ArrayLike, ArrayLike]
"""Retrieval lists; or a pair of arrays, relevant and score, larger scores first."""


def as_lists(lists_or_arrays: ListsOrArrays) -> RetrievalLists:
    """Retrieval lists of one query from a pair of arrays; lists as they are.

    Parameters
    ----------
    lists_or_arrays : RetrievalLists or (array_like of bool, array_like of float)
        A pair holds, for every record of the database in any order, whether it is relevant
        and its score; the larger, the better. So T and F are known: all relevant and all
        irrelevant records are in the arrays.

    Raises
    ------
    ValueError
        If the arrays differ in length, or hold anything but true or false and finite numbers.
    """
    if isinstance(lists_or_arrays, RetrievalLists):
        return lists_or_arrays
    relevant, score = map(np.asarray, lists_or_arrays)
    if relevant.ndim != 1 or relevant.shape != score.shape:
        msg = (
            "expected retrieval lists or two arrays of one length, relevant and score; found "
            f"shapes {relevant.shape} and {score.shape}"
        )
        raise ValueError(msg)
    total = int(np.count_nonzero(relevant))
    return RetrievalLists.from_records(
        np.zeros(score.size, np.int64),
        score,
        relevant,
        n_relevant=[total],
        n_irrelevant=[score.size - total],
        query=["1"],
        direction="descending",
    )
