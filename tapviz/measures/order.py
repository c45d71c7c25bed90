"""TAP-k for every k at once, and where the order of algorithms changes with k."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import all_kept
from tapviz.measures._ranking import error_codes, list_positions, n_thresholds, ranking
from tapviz.measures.errors import QUANTILE_TOLERANCE
from tapviz.measures.tap_curves import tap_curve

__all__ = ["Flip", "TapByK", "disagreements", "flips", "ranks", "tap_by_k"]

SAME = 1e-9
"""Scores that differ by no more are equal: sums of the same numbers in another order."""


class TapByK(NamedTuple):
    """TAP-k of one algorithm for each k from 1."""

    tap: NDArray[np.float64]
    """Shape (K,); NaN where too few lists hold k errors, or condensed lists do not tell."""
    e0: NDArray[np.float64]
    """E_k, shape (K,)."""


class Flip(NamedTuple):
    """Two algorithms whose order changes from one k to the next."""

    k: int
    """The first k with the new order."""
    rises: str
    falls: str


def tap_by_k(lists: RetrievalLists, *, max_k: int = 100, quantile: float = 0.5) -> TapByK:
    """TAP-k for k = 1, ..., `max_k`, as `tap_k` has it by default, read from one curve.

    Parameters
    ----------
    lists : RetrievalLists
    max_k : int
        Largest k.
    quantile : float, in (0, 1]
        As in `tap_k`.

    Raises
    ------
    ValueError
        If `max_k` is below 1, or the quantile not in (0, 1].

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.4: the order of two algorithms
    should not hang on k.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import tap_by_k
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> tap_by_k(lists, max_k=3).tap.round(3).tolist()
    [0.473, 0.432, 0.407]
    """
    if max_k < 1 or not 0 < quantile <= 1:
        msg = f"max_k = {max_k}, quantile = {quantile}: expected at least 1, and a fraction above 0"
        raise ValueError(msg)
    undefined = np.full(max_k, np.nan)
    curve = tap_curve(lists)
    if not lists.n_queries or not curve.threshold.size:
        return TapByK(undefined, undefined)
    offset, threshold = list_positions(lists).irrelevant_offset, ranking(lists).threshold
    start, stop = offset[lists.rows], offset[lists.rows + 1]
    record = start[:, None] + np.arange(max_k)
    codes = np.full(record.shape, threshold.size)
    some = record < stop[:, None]
    codes[some] = error_codes(lists)[record[some]]
    order = np.argsort(codes, axis=0, kind="stable")
    total = np.cumsum(lists.weight[order], axis=0)
    place = np.argmax(total >= quantile * (1 - QUANTILE_TOLERANCE) * total[-1], axis=0)
    code = np.take_along_axis(codes, order[place, np.arange(max_k)][None], 0)[0]
    reached = code < threshold.size
    if lists.kept is not None and not all_kept(lists):
        reached &= code < n_thresholds(lists, lists.kept.e_keep)
        reached[lists.kept.n_errors :] = False
    e0, tap = undefined.copy(), undefined.copy()
    e0[reached] = threshold[code[reached]]
    tap[reached] = curve.at(e0[reached], lists.sign)
    return TapByK(tap, e0)


def flips(by_k: Mapping[str, TapByK]) -> list[Flip]:
    """Find the pairs of algorithms whose order changes, and where, smallest k first.

    Equal scores are no order: a flip is from one before to the other before, whatever is between.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import flips, tap_by_k
    >>> results = load_results("profiles")
    >>> by_k = {name: tap_by_k(lists, max_k=20) for name, lists in results.items()}
    >>> flips(by_k)[:1]
    [Flip(k=9, rises='HMMER2 semi-global', falls='RPS-BLAST')]
    """
    changes = []
    for a, b in combinations(by_k, 2):
        difference = by_k[a].tap - by_k[b].tap
        clear = np.flatnonzero(np.abs(difference) > SAME)
        changed = np.flatnonzero(np.diff(np.sign(difference[clear])))
        for at in clear[changed + 1].tolist():
            up = difference[at] > 0
            changes.append(Flip(at + 1, *((a, b) if up else (b, a))))
    return sorted(changes)


def disagreements(one: Mapping[str, float], other: Mapping[str, float]) -> list[tuple[str, str]]:
    """Find the pairs that two scores order differently: the first of a pair is before by `one`.

    Largest difference by `one` first. Equal or undefined scores are no order.

    Examples
    --------
    >>> from tapviz.measures import disagreements
    >>> disagreements({"A": 0.5, "B": 0.4}, {"A": 0.1, "B": 0.3})
    [('A', 'B')]
    """
    pairs = [
        (a, b)
        for a, b in permutations(one, 2)
        if one[a] - one[b] > SAME and other[b] - other[a] > SAME
    ]
    return sorted(pairs, key=lambda pair: one[pair[1]] - one[pair[0]])


def ranks(by_k: Mapping[str, TapByK]) -> NDArray[np.float64]:
    """Rank of each algorithm at each k, 1 for the largest TAP-k, shape (A, K).

    Equal ones have the mean of their ranks; NaN where TAP-k is undefined.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import ranks, tap_by_k
    >>> results = load_results("profiles")
    >>> by_k = {name: tap_by_k(lists, max_k=20) for name, lists in results.items()}
    >>> ranks(by_k)[:, [0, 19]].tolist()
    [[2.0, 3.0], [1.0, 1.0], [3.0, 2.0], [4.0, 4.0]]
    """
    if not by_k:
        return np.zeros((0, 0))
    taps = np.array([one.tap for one in by_k.values()])
    larger = (taps[None] > taps[:, None] + SAME).sum(axis=1)
    equal = (np.abs(taps[None] - taps[:, None]) <= SAME).sum(axis=1)
    return np.where(np.isnan(taps), np.nan, larger + (equal + 1) / 2)
