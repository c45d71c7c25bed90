"""Two synthetic retrieval lists, made to give the numbers of Figure 4 of the TAP-k paper."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from tapviz.lists import Direction, RetrievalLists

N_RELEVANT = 481
"""T(q) of both queries."""
E0 = 8.1
"""The threshold of the paper's figure."""

# In rank order: R or I, how many of them, and log10 of their first and last E-value.
A = (
    ("R", 93, -133.5, -124.9),
    ("R", 374, -124.7, -6.0),
    ("I", 35, -2.0, 0.9),
    ("I", 65, 0.95, 1.0),
)
B = (
    ("R", 94, -179.0, -171.0),
    ("I", 50, -170.0, -134.0),
    ("I", 153, -133.9, -124.8),
    ("I", 77, -124.0, -100.0),
    ("R", 205, -99.0, -50.0),
    ("I", 220, -49.0, -20.0),
    ("R", 171, -19.0, -2.0),
    ("I", 40, -1.5, 0.9),
)


@lru_cache(maxsize=32)
def two_lists(c: float = 1.0, copies: int = 1) -> RetrievalLists:
    """The lists of query A, nearly ideal, and of query B, whose errors have small E-values.

    Parameters
    ----------
    c : float, in (0, 1]
        B's E-values are recalibrated to E^c. That is another scale; B's order does not change.
    copies : int
        How many queries have a list such as A's. The last query is always B.

    Returns
    -------
    RetrievalLists
        Queries "A" (or "A1", "A2", ...) and "B", with 481 relevant records in the database each.

    Raises
    ------
    ValueError
        If c is not in (0, 1], or there is not at least one copy.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Figure 4. Its lists are not public: these are
    made up, to have its numbers.

    Examples
    --------
    >>> from tapviz import pooled_roc_n, roc_n
    >>> from tapviz.lesson import two_lists
    >>> lists = two_lists()
    >>> roc_n(lists, n=50).per_query.round(3), round(pooled_roc_n(lists, n=50), 3)
    (array([0.971, 0.195]), 0.098)
    """
    if not 0 < c <= 1 or copies < 1:
        msg = f"c = {c}, copies = {copies}: expected c above 0 and at most 1, and at least 1 copy"
        raise ValueError(msg)
    lists = [_records(A, 1.0)] * copies + [_records(B, c)]
    query = [*(["A"] if copies == 1 else [f"A{i + 1}" for i in range(copies)]), "B"]
    return joined(lists, query, [N_RELEVANT] * len(lists))


def joined(
    lists: Sequence[tuple[np.ndarray, np.ndarray]],
    query: Sequence[str],
    n_relevant: ArrayLike,
    direction: Direction = "ascending",
) -> RetrievalLists:
    """Lists of queries, of each of which there are the scores, and which records are relevant."""
    scores, relevant = zip(*lists, strict=True)
    offset = np.cumsum([0, *map(len, scores)])
    records = np.concatenate(scores), np.concatenate(relevant)
    return RetrievalLists(*records, offset, n_relevant, query=query, direction=direction)


def _records(
    parts: tuple[tuple[str, int, float, float], ...], c: float
) -> tuple[np.ndarray, np.ndarray]:
    """E-value, and whether it is relevant, of each record in rank order."""
    exponent = np.concatenate([np.linspace(first, last, n) for _, n, first, last in parts])
    relevant = np.repeat([kind == "R" for kind, *_ in parts], [n for _, n, *_ in parts])
    return 10.0 ** (c * exponent), relevant
