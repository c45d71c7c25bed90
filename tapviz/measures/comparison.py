"""Several algorithms beside one of them: difference, interval, p-value, wins, ties and losses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tapviz.measures.bootstrap import Bootstrap, Interval
from tapviz.measures.groups import Groups
from tapviz.measures.significance import holm, randomization_test, win_tie_loss
from tapviz.measures.tap import Tap

N_RANDOMIZATIONS = 10_000


class Comparison(NamedTuple):
    """The TAP of an algorithm less that of the baseline, on the same queries."""

    algorithm: str
    baseline: str
    difference: float
    """Of the mean TAPs; NaN where undefined, see `reason`."""
    low: float
    """Interval of the difference; NaN without resamples, and of too few groups."""
    high: float
    p: float
    """Of the paired randomization test of the queries' TAPs."""
    p_holm: float
    """The same, adjusted for the number of algorithms compared."""
    wins: int
    """Queries for which the algorithm's TAP is larger."""
    ties: int
    losses: int
    test: str
    """Which test, and how many randomizations."""
    seed: int
    reason: str
    """Why the difference is NaN; empty otherwise."""


def compare_with(
    baseline: str,
    taps: Mapping[str, Tap],
    resampled: Bootstrap | None = None,
    *,
    seed: int = 0,
    groups: Groups | ArrayLike | None = None,
) -> tuple[Comparison, ...]:
    """Compare every algorithm with one of them.

    Parameters
    ----------
    baseline : str
        One of the algorithms.
    taps : mapping of str to Tap
        TAP of each at its threshold, on the same queries in the same order. What thresholds are
        and what becomes of short lists is decided where these are made, as by `tap_k`.
    resampled : Bootstrap, optional
        Resamples of the same, for the intervals.
    seed : int
        Of the randomizations.
    groups : Groups or array_like, shape (Q,), optional
        Queries that change their sign together: a label of each. By default those that were drawn
        together in `resampled`; without that each query stands for itself.

    Raises
    ------
    ValueError
        If the baseline is not among the algorithms.

    Returns
    -------
    tuple of Comparison
        One for each other algorithm. p-values are adjusted by Holm's method.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import compare_with, tap_k
    >>> taps = {name: tap_k(lists, k=5) for name, lists in load_results("profiles").items()}
    >>> first = compare_with("RPS-BLAST", taps)[0]
    >>> first.algorithm, round(first.difference, 3), first.wins > first.losses
    ('HMMER3 hmmscan', 0.103, True)
    """
    if baseline not in taps:
        msg = f"baseline {baseline!r}: expected one of {', '.join(map(repr, taps))}"
        raise ValueError(msg)
    base = taps[baseline]
    if groups is None and resampled is not None:
        groups = resampled.groups
    comparisons = []
    for name, at in taps.items():
        if name == baseline:
            continue
        test = randomization_test(
            at.per_query,
            base.per_query,
            n_resamples=N_RANDOMIZATIONS,
            seed=seed,
            groups=groups,
        )
        counts = win_tie_loss(at.per_query, base.per_query)
        interval = _difference(resampled, name, baseline)
        reasons = [
            f"{one}: {tap.reason}" for one, tap in ((name, at), (baseline, base)) if tap.reason
        ]
        comparisons.append(
            Comparison(
                algorithm=name,
                baseline=baseline,
                difference=at.value - base.value,
                low=interval.low,
                high=interval.high,
                p=test.p,
                p_holm=float("nan"),
                wins=counts.wins,
                ties=counts.ties,
                losses=counts.losses,
                test=f"paired randomization test, {test.method}",
                seed=seed,
                reason="; ".join(reasons),
            )
        )
    adjusted = holm(np.array([one.p for one in comparisons]))
    return tuple(
        one._replace(p_holm=float(p)) for one, p in zip(comparisons, adjusted, strict=True)
    )


def _difference(resampled: Bootstrap | None, a: str, b: str) -> Interval:
    """Interval of a - b; it is kept for one order of the two."""
    nan = float("nan")
    if resampled is None:
        return Interval(nan, nan, nan)
    if (a, b) in resampled.differences:
        return resampled.differences[a, b].tap
    difference = resampled.differences[b, a].tap
    return Interval(-difference.estimate, -difference.high, -difference.low)
