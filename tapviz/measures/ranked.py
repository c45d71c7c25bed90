"""One ranked list laid out for reading, with Equation (1) filled in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures._checks import check_choice
from tapviz.measures.tap import NoRelevant

__all__ = ["RankedList", "ranked_list"]


class RankedList(NamedTuple):
    """The n records of one query's list, best first, and the terms of its TAP at E_0."""

    query: str
    e0: float
    n_relevant: int
    """T(q): relevant records in the database, retrieved or not."""
    rank: NDArray[np.int64]
    """1 to n, shape (n,)."""
    record: NDArray[np.object_] | None
    """Ids, shape (n,); None if there are none."""
    score: NDArray[np.float64]
    """Shape (n,)."""
    relevant: NDArray[np.bool_]
    """Shape (n,)."""
    precision: NDArray[np.float64]
    """Share of relevant records up to and including each, shape (n,)."""
    n_retrieved: int
    """Records at or before E_0: the first so many of the list."""
    n_found: int
    """Relevant records among them."""
    tpir: NDArray[np.bool_]
    """Irrelevant records after the last relevant one at or before E_0, shape (n,).

    In Equation (1) only the sentinel's precision counts them.
    """
    term: NDArray[np.float64]
    """What each record adds to the sum of Equation (1), shape (n,).

    The precision at relevant records at or before E_0, else 0.
    """
    summed: float
    """Sum of the terms."""
    sentinel: float
    """Precision at E_0; 0 if nothing is retrieved."""
    tap: float
    """(summed + sentinel) / (T(q) + 1); for T(q) = 0 by the rule `no_relevant`."""
    n_never: int
    """Relevant records that are nowhere in the list."""
    n_not_kept: int
    """Records that follow, but were left out when the lists were condensed."""
    no_relevant: str


def ranked_list(
    lists: RetrievalLists, query: str | int, e0: float, *, no_relevant: NoRelevant = "reference"
) -> RankedList:
    """One query's list, and its Equation (1) at a threshold.

    Parameters
    ----------
    lists : RetrievalLists
    query : str or int
        Id of the query, or its place.
    e0 : float
        Threshold E_0; records whose score equals it are retrieved.
    no_relevant : {"reference", "zero", "exclude"}
        As in `tap`, whose `per_query` the result's `tap` equals to the last bit.

    Raises
    ------
    KeyError
        If there is no such query.
    ValueError
        If E_0 is not a number, or the rule is unknown.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Equation (1) and Figure 2.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import ranked_list
    >>> lists = RetrievalLists([1.0, 1.0, 2.0], [True, False, True], [0, 3], [2])
    >>> found = ranked_list(lists, "1", 1.0)
    >>> found.precision.round(3).tolist(), found.n_retrieved, found.tap
    ([1.0, 0.5, 0.667], 2, 0.5)
    """
    if np.isnan(e0):
        msg = "e0 is NaN: expected a threshold"
        raise ValueError(msg)
    check_choice("no_relevant", no_relevant, "reference", "zero", "exclude")
    row = lists.row_of(query)
    whole, place = lists.whole, lists.rows[row]
    own = slice(int(whole.offset[place]), int(whole.offset[place + 1]))
    score, relevant = whole.score[own], whole.relevant[own]
    rank = np.arange(1, score.size + 1)
    found = np.cumsum(relevant)
    precision = found / rank
    retrieved = int(np.searchsorted(lists.sign * score, lists.sign * e0, side="right"))
    inside = rank <= retrieved
    term = precision * (relevant & inside)
    # Added one after the other, as `tap` does: the same bits.
    summed = float(np.cumsum(term)[retrieved - 1]) if retrieved else 0.0
    sentinel = float(precision[retrieved - 1]) if retrieved else 0.0
    n_found = int(found[retrieved - 1]) if retrieved else 0
    total = int(lists.n_relevant[row])
    value = (summed + sentinel) / (total + 1)
    if total == 0:
        value = {"reference": 1 / (retrieved + 1), "zero": 0.0}.get(no_relevant, float("nan"))
    n_retrieved, n_not_kept = int(relevant.sum()), 0
    if lists.kept is not None:
        n_retrieved = int(lists.kept.found[row])
        n_not_kept = int(lists.kept.length[row]) - score.size
    return RankedList(
        query=str(lists.query[row]),
        e0=float(e0),
        n_relevant=total,
        rank=rank,
        record=None if whole.record is None else whole.record[own],
        score=score,
        relevant=relevant,
        precision=precision,
        n_retrieved=retrieved,
        n_found=n_found,
        tpir=inside & ~relevant & (found == n_found),
        term=term,
        summed=summed,
        sentinel=sentinel,
        tap=value,
        n_never=total - n_retrieved,
        n_not_kept=n_not_kept,
        no_relevant=no_relevant,
    )
