"""False discoveries among the records accepted, estimated by decoys and by entrapment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import check_kept
from tapviz.measures._checks import check_number
from tapviz.measures._ranking import list_positions, ranking, ratio

__all__ = ["FalseDiscovery", "false_discovery", "paired_entrapment"]


class FalseDiscovery(NamedTuple):
    """What is accepted at each of D thresholds, and how much of it is false; each array (D,).

    Thresholds are the distinct scores of the lists, all queries together, strictest first. A
    target is a record that is no decoy.
    """

    threshold: NDArray[np.float64]
    targets: NDArray[np.int64]
    """Targets at or before each threshold."""
    decoys: NDArray[np.int64]
    irrelevant: NDArray[np.int64]
    """Targets that are irrelevant."""
    q_value: NDArray[np.float64]
    """The smallest false discovery rate, estimated by the decoys, at which a target with this
    score is accepted."""
    reason: str
    """Why there is no q-value; empty if there is one."""

    @property
    def observed(self) -> NDArray[np.float64]:
        """Share of irrelevant records among the targets; NaN where there is none. Shape (D,).

        Where labels know all that is false, the false discovery proportion. Where only entrapment
        records are irrelevant, which were added to a database of which nobody knows what is false,
        the lower bound of Wen et al. (2025): false ones among the original records are not seen.
        """
        return self._share(self.irrelevant)

    def combined(self, ratio: float = 1.0) -> NDArray[np.float64]:
        """False discovery proportion by entrapment, the combined estimate of Wen et al. (2025).

        Parameters
        ----------
        ratio : float
            How many entrapment records the database has for each of its original records.

        Returns
        -------
        ndarray of float64, shape (D,)
            NaN where no target is accepted; at most 1.
        """
        check_number("ratio", ratio, np.isfinite(ratio) and ratio > 0, "a number above 0")
        return np.minimum(self._share(self.irrelevant * (1 + 1 / ratio)), 1.0)

    def accepted(self, q: ArrayLike) -> NDArray[np.int64]:
        """Place of the last threshold with at most this q-value; -1 where there is none.

        Parameters
        ----------
        q : array_like of float, shape (G,)

        Returns
        -------
        ndarray of int64, shape (G,)
        """
        return np.searchsorted(self.q_value, np.atleast_1d(q), side="right") - 1

    def _share(self, false: NDArray[np.number]) -> NDArray[np.float64]:
        return ratio(false, self.targets)


def false_discovery(
    lists: RetrievalLists, decoy: ArrayLike, *, plus_one: bool = True
) -> FalseDiscovery:
    """Estimate q-values of the lists of all queries together from decoys among their records.

    Decoys are as many as targets, searched together with them, and as likely as a false target to
    have any score. So among targets that are accepted there are about as many false ones as there
    are decoys. The q-value of a score is the smallest estimate at any threshold that accepts it.
    Records that labels leave out are neither.

    Parameters
    ----------
    lists : RetrievalLists
    decoy : array_like of bool, shape (N,)
        Which records of ``lists.whole`` are decoys.
    plus_one : bool
        Count one decoy more than there is, without which the estimate is too low on average
        (Levitsky et al. 2017). False: decoys / targets, as of Käll et al. (2008).

    Returns
    -------
    FalseDiscovery
        Without thresholds, and with the reason, if there is no decoy among the records.

    Raises
    ------
    ValueError
        If `decoy` is not of the records, or a decoy is relevant.

    References
    ----------
    Elias & Gygi (2007), Nature Methods 4:207; Käll et al. (2008), J. Proteome Res. 7:29; Levitsky
    et al. (2017), J. Proteome Res. 16:393; for entrapment, Wen et al. (2025), Nature Methods
    22:1454.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import false_discovery
    >>> lists = RetrievalLists([1.0, 2.0, 3.0, 4.0], [True, True, False, False], [0, 4], [2])
    >>> found = false_discovery(lists, [False, False, False, True], plus_one=False)
    >>> found.q_value.round(3).tolist(), found.observed.round(3).tolist()
    ([0.0, 0.0, 0.0, 0.333], [0.0, 0.0, 0.333, 0.333])
    """
    of_decoy = _of_decoys(lists, decoy)
    ours = _ours(lists)
    code, size = ranking(lists).code, ranking(lists).threshold.size

    def counted(records: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.cumsum(np.bincount(code[records & ours], minlength=size))

    targets, decoys = counted(~of_decoy), counted(of_decoy)
    irrelevant = counted(~of_decoy & ~lists.whole.relevant)
    reason = "" if (of_decoy & ours).any() else "there is no decoy in the lists"
    present = np.bincount(code[ours], minlength=size) > 0
    if reason:
        present[:] = False
    estimate = np.minimum((decoys + plus_one) / np.maximum(targets, 1), 1.0)[present]
    return FalseDiscovery(
        threshold=ranking(lists).threshold[present],
        targets=targets[present],
        decoys=decoys[present],
        irrelevant=irrelevant[present],
        q_value=np.minimum.accumulate(estimate[::-1])[::-1],
        reason=reason,
    )


def paired_entrapment(
    lists: RetrievalLists, decoy: ArrayLike, partner: Mapping[str, str]
) -> NDArray[np.float64]:
    """False discovery proportion by entrapment records each of which is made of an original one.

    The paired estimate of Wen et al. (2025): an entrapment record counts once; twice, if it is
    accepted and its partner is not; and three times, if it is accepted with a better score than
    its partner, which is accepted, too. On average an upper bound, as the combined estimate is, and
    a closer one.

    Parameters
    ----------
    lists : RetrievalLists
        With ids of records. The irrelevant records that are no decoys are the entrapment.
    decoy : array_like of bool, shape (N,)
        Which records of ``lists.whole`` are decoys.
    partner : mapping of str to str
        The original record of each entrapment record.

    Returns
    -------
    ndarray of float64, shape (D,)
        At each threshold of `false_discovery`; at most 1, and NaN where no target is accepted.

    Raises
    ------
    ValueError
        If the lists have no ids of records, or as in `false_discovery`.
    KeyError
        If an entrapment record has no partner.

    References
    ----------
    Wen et al. (2025), Nature Methods 22:1454.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import paired_entrapment
    >>> lists = RetrievalLists(
    ...     [1.0, 2.0, 3.0, 4.0],
    ...     [True, False, True, False],
    ...     [0, 4],
    ...     [2],
    ...     record=["a", "b_shuffled", "b", "rev_c"],
    ... )
    >>> decoy = [False, False, False, True]
    >>> paired_entrapment(lists, decoy, {"b_shuffled": "b"}).round(2).tolist()
    [0.0, 1.0, 1.0, 1.0]
    """
    found = false_discovery(lists, decoy)
    whole = lists.whole
    if whole.record is None:
        msg = "the lists have no ids of records, by which entrapment records have partners"
        raise ValueError(msg)
    code, size = ranking(lists).code, ranking(lists).threshold.size
    query, ours = list_positions(lists).query, _ours(lists)
    target = ours & ~_of_decoys(lists, decoy)
    place = {
        (query[at], whole.record[at]): code[at]
        for at in np.flatnonzero(target & whole.relevant).tolist()
    }
    false = np.zeros(size, np.int64)
    for at in np.flatnonzero(target & ~whole.relevant).tolist():
        other = place.get((query[at], partner[whole.record[at]]), size)
        false[code[at]] += 1 + (code[at] < other)
        if code[at] < other < size:
            false[other] += 1
    present = np.bincount(code[ours], minlength=size) > 0
    counts = np.cumsum(false)[present][: found.threshold.size]
    return np.minimum(found._share(counts), 1.0)  # noqa: SLF001  # of this module


def _of_decoys(lists: RetrievalLists, decoy: ArrayLike) -> NDArray[np.bool_]:
    check_kept(lists, whole=True)
    given = np.asarray(decoy)
    if given.dtype != np.bool_ or given.shape != lists.whole.score.shape:
        msg = (
            f"decoy: expected true or false for each of {lists.whole.score.size:,} records, found "
            f"{given.dtype} of shape {given.shape}"
        )
        raise ValueError(msg)
    if (given & lists.whole.relevant).any():
        msg = "decoy: a decoy is relevant, which none can be"
        raise ValueError(msg)
    return given


def _ours(lists: RetrievalLists) -> NDArray[np.bool_]:
    """Which records are of the queries of a subset."""
    chosen = np.zeros(lists.whole.n_queries, np.bool_)
    chosen[lists.rows] = True
    return chosen[list_positions(lists).query]
