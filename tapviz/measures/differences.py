"""Every two algorithms: paired difference of a score, interval, p, wins, ties and losses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import isfinite, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.measures.bootstrap import Interval, degrees_of_freedom, percentile_interval
from tapviz.measures.groups import Groups, as_labels
from tapviz.measures.significance import holm, randomized, win_tie_loss
from tapviz.measures.simultaneous import ENOUGH_RESAMPLES, simultaneous

N_RANDOMIZATIONS = 10_000
NOWHERE = Interval(nan, nan, nan)


class Scored(NamedTuple):
    """A score of one algorithm, and what its difference from that of another is judged by.

    Examples
    --------
    >>> from tapviz.measures import Scored, pairwise
    >>> scored = {"A": Scored(0.5, [0.4, 0.6]), "B": Scored(0.2, [0.1, 0.3])}
    >>> round(pairwise({"tap": scored})[0].difference.estimate, 3)
    0.3
    """

    value: float
    """NaN where undefined."""
    per_query: ArrayLike | None = None
    """What each query scores, shape (Q,), of a score that is a mean over queries; NaN where that is
    undefined. Without it there is no randomization test."""
    replicates: NDArray[np.float64] | None = None
    """The score in each of B resamples, shape (B,), the same for all algorithms. Without it there
    is no interval."""
    influence: NDArray[np.float64] | None = None
    """How the score goes with each group drawn, shape (G,), as `Bootstrapped.influences` has it."""
    higher_is_better: bool = True
    reason: str = ""
    """Why the value is NaN."""


class PairDifference(NamedTuple):
    """How much better the first of two algorithms scores than the second, on the same queries."""

    first: str
    second: str
    score: str
    difference: Interval
    """Score of the first minus that of the second; where a smaller score is better, as with errors,
    the second less the first. So it is positive where the first is better."""
    together: Interval
    """The same with an interval so wide that those of all pairs compared by the score hold at
    once, see `simultaneous`: it decides whether the two can be told apart. NaN below 100
    resamples."""
    p: float
    """Of the paired randomization test; of a score that is no mean over queries, from the
    interval. NaN without either."""
    p_holm: float
    """The same, adjusted for the number of pairs compared."""
    wins: int
    """Queries for which the first scores better; 0 for a score that is no mean over queries."""
    ties: int
    losses: int
    units: int
    """How many groups of queries, or single ones, are drawn, and change their sign, together."""
    unit: str
    """What these are called, as "superfamilies"."""
    reason: str | None
    """Why the difference, its interval or p is NaN; None if none of them is."""
    test: str
    """Where p comes from, as which test, and how many randomizations; empty where there is none."""

    @property
    def clear(self) -> bool:
        """Whether the two can be told apart: the interval that holds for all pairs has no 0."""
        return self.together.low > 0 or self.together.high < 0

    @property
    def counted(self) -> bool:
        """Whether queries score by themselves, so that some win."""
        return sum(self.counts) > 0

    @property
    def counts(self) -> tuple[int, int, int]:
        """Wins, ties and losses."""
        return self.wins, self.ties, self.losses

    @property
    def turned(self) -> PairDifference:
        """The same with the second algorithm first."""
        return self._replace(
            first=self.second,
            second=self.first,
            difference=_turned(self.difference),
            together=_turned(self.together),
            wins=self.losses,
            losses=self.wins,
        )


def pairwise(
    scores: Mapping[str, Mapping[str, Scored]],
    *,
    groups: Groups | ArrayLike | None = None,
    weight: ArrayLike | None = None,
    level: float = 0.95,
    n_randomizations: int = N_RANDOMIZATIONS,
    seed: int = 0,
) -> list[PairDifference]:
    """Compare every two algorithms by one score or several.

    The interval is that of the differences in the resamples. p is that of a paired randomization
    test of the mean difference of the queries, as of `randomization_test`, with the same choices
    of signs for all pairs. A score that is no mean over queries, as pooled ROC_n, E_k or the peak,
    has no difference of each query that could change its sign: its p is the level at which the
    interval would end at 0, if it grew as Student's does.

    Parameters
    ----------
    scores : mapping of str to mapping of str to Scored
        By the name of the score, and then by algorithm; all of the same queries in the same order.
    groups : Groups or array_like, shape (Q,), optional
        Queries that change their sign together, and were drawn together in the resamples: a label
        of each. By default each query stands for itself.
    weight : array_like of float, shape (Q,), optional
        Of the queries in the means; by default all weigh the same.
    level : float, in (0, 1)
        Of the intervals.
    n_randomizations : int
        Random choices of signs, at least 1. Where at most 12 groups differ, all are counted.
    seed : int
        Of the random choices.

    Returns
    -------
    list of PairDifference
        For each score every pair (a, b), in the order of the algorithms. p-values are adjusted by
        Holm's method for all pairs of a score, and a second interval of each pair is corrected for
        all of them. With fewer than 10 groups there is no interval.

    Raises
    ------
    ValueError
        If there is not a label and a weight for each query.

    References
    ----------
    Noreen (1989), Computer-Intensive Methods for Testing Hypotheses, for the test; Holm (1979),
    Scand. J. Statist. 6:65; Altman & Bland (2011), BMJ 343:d2304, for p from an interval.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import Scored, class_groups, pairwise, tap_k
    >>> results = load_results("profiles")
    >>> taps = {name: tap_k(lists, k=5) for name, lists in results.items()}
    >>> scored = {name: Scored(at.value, at.per_query) for name, at in taps.items()}
    >>> one = pairwise({"tap": scored}, groups=class_groups(results["RPS-BLAST"]))[0]
    >>> one.first, one.second, round(one.difference.estimate, 3), one.wins > one.losses
    ('RPS-BLAST', 'HMMER3 hmmscan', -0.103, False)
    """
    sizes = {
        np.size(one.per_query)
        for of in scores.values()
        for one in of.values()
        if one.per_query is not None
    }
    if isinstance(groups, Groups):
        sizes.add(groups.code.size)
    if len(sizes) != 1:
        msg = f"scores: expected those of the same queries, found {sorted(sizes)} of them"
        raise ValueError(msg)
    n_queries = sizes.pop()
    drawn = as_labels(groups, n_queries)
    weights = np.ones(n_queries) if weight is None else np.asarray(weight, np.float64)
    if weights.shape != (n_queries,):
        msg = f"weight: expected one of each of {n_queries} queries, found shape {weights.shape}"
        raise ValueError(msg)
    pairs: list[PairDifference] = []
    apart: dict[int, NDArray[np.float64]] = {}
    for score, of in scores.items():
        together = _together(of, drawn, level)
        for a, b in combinations(of, 2):
            pair, by_query = _pair(score, (a, of[a]), (b, of[b]), drawn, level)
            if by_query is not None:
                apart[len(pairs)] = by_query
            pairs.append(pair._replace(together=together.get((a, b), NOWHERE)))
    for place, (p, how) in zip(
        apart,
        _tests([*apart.values()], drawn, weights, n_randomizations, seed),
        strict=True,
    ):
        pairs[place] = pairs[place]._replace(p=p, test=f"paired randomization test, {how}")
    return [
        one for score in scores for one in adjusted(pair for pair in pairs if pair.score == score)
    ]


def adjusted(pairs: Iterable[PairDifference]) -> list[PairDifference]:
    """Pairs with p adjusted for how many they are, by Holm's method.

    Examples
    --------
    >>> from tapviz.measures import Scored, adjusted, pairwise
    >>> pairs = pairwise({"tap": {"a": Scored(2.0, [1, 2, 3]), "b": Scored(0.0, [0, 0, 0])}})
    >>> adjusted([*pairs, *pairs])[0].p_holm
    0.5
    """
    listed = list(pairs)
    p_holm = holm(np.array([one.p for one in listed])).tolist()
    return [one._replace(p_holm=p) for one, p in zip(listed, p_holm, strict=True)]


def against(pairs: Iterable[PairDifference], baseline: str, score: str) -> list[PairDifference]:
    """How much better every other algorithm is than one of them, p adjusted for these alone.

    Parameters
    ----------
    pairs : iterable of PairDifference
    baseline : str
        The algorithm that is second in each.
    score : str

    Examples
    --------
    >>> from tapviz.measures import Scored, against, pairwise
    >>> values = {"a": [0.5, 0.7], "b": [0.2, 0.4], "c": [0.8, 0.8]}
    >>> pairs = pairwise({"tap": {name: Scored(sum(v) / 2, v) for name, v in values.items()}})
    >>> [(one.first, round(one.difference.estimate, 3)) for one in against(pairs, "b", "tap")]
    [('a', 0.3), ('c', 0.5)]
    """
    return adjusted(
        one if one.second == baseline else one.turned
        for one in pairs
        if one.score == score and baseline in (one.first, one.second)
    )


def _pair(
    score: str, first: tuple[str, Scored], second: tuple[str, Scored], groups: Groups, level: float
) -> tuple[PairDifference, NDArray[np.float64] | None]:
    """Two algorithms, not yet tested, and how much better the first is for each query."""
    (a, one), (b, other) = first, second
    sign = 1 if one.higher_is_better else -1
    reasons = [
        f"{name}: {scored.reason or 'undefined'}"
        for name, scored in (first, second)
        if not isfinite(scored.value)
    ]
    interval, counts, apart, p, test = NOWHERE, (0, 0, 0), None, nan, ""
    used = groups.count
    if not reasons:
        interval, why = _interval(sign, one, other, groups, level)
        reasons += [why] if why else []
        if one.per_query is not None and other.per_query is not None:
            by_query = [sign * np.asarray(of.per_query, np.float64) for of in (one, other)]
            counts, apart = win_tie_loss(*by_query)[:3], by_query[0] - by_query[1]
            used = np.unique(groups.code[~np.isnan(apart)]).size
        elif not why:
            p = _p_of(interval, level, degrees_of_freedom(groups.count, _influence(one, other)))
            test = f"from the interval, of {groups.unit}"
    reason = "; ".join(reasons) or None
    pair = PairDifference(
        a, b, score, interval, NOWHERE, p, nan, *counts, used, groups.unit, reason, test
    )
    return pair, apart


def _interval(
    sign: int, one: Scored, other: Scored, groups: Groups, level: float
) -> tuple[Interval, str]:
    """The difference with its interval, or why there is none."""
    estimate = sign * (one.value - other.value) + 0.0  # never -0.0
    without = Interval(estimate, nan, nan)
    if one.replicates is None or other.replicates is None:
        return without, "no interval: it was not resampled"
    if groups.few:
        return without, f"no interval: {groups.few}"
    if not (np.isfinite(one.replicates) & np.isfinite(other.replicates)).all():
        return without, "no interval: it is undefined in some resamples"
    apart = sign * (one.replicates - other.replicates) + 0.0
    influence = _influence(one, other)
    return percentile_interval(estimate, apart, level, groups.count, influence), ""


def _influence(one: Scored, other: Scored) -> NDArray[np.float64] | None:
    if one.influence is None or other.influence is None:
        return None
    return one.influence - other.influence


def _together(
    scores: Mapping[str, Scored], groups: Groups, level: float
) -> dict[tuple[str, str], Interval]:
    """Intervals that hold at once, of every two algorithms that have any."""
    kept: dict[str, NDArray[np.float64]] = {
        name: one.replicates
        for name, one in scores.items()
        if isfinite(one.value) and one.replicates is not None and np.isfinite(one.replicates).all()
    }
    if groups.few or len(kept) < 2 or len(next(iter(kept.values()))) < ENOUGH_RESAMPLES:  # noqa: PLR2004
        return {}
    influences = {name: one for name in kept if (one := scores[name].influence) is not None}
    found = simultaneous(
        {name: scores[name].value for name in kept},
        kept,
        groups.count,
        level,
        influences=influences if len(influences) == len(kept) else None,
    ).differences
    lower = [pair for pair in found if not scores[pair[0]].higher_is_better]
    return found | {pair: _turned(found[pair]) for pair in lower}


def _turned(interval: Interval) -> Interval:
    at, low, high = interval
    return Interval(0.0 - at, 0.0 - high, 0.0 - low)


def _p_of(interval: Interval, level: float, freedom: float) -> float:
    """Twice the tail of Student's distribution beyond 0, given how far it is to the end there."""
    from scipy import special  # noqa: PLC0415  # takes longer to import than all measures together

    at, low, high = interval
    if at == 0 or low == high:
        return 1.0 if at == 0 else 0.0
    reach = at - low if at > 0 else high - at
    if not reach > 0:  # an estimate beyond its own interval
        reach = (high - low) / 2
    errors = abs(at) / reach * special.stdtrit(freedom, (1 + level) / 2)
    return float(2 * special.stdtr(freedom, -errors))


def _tests(
    apart: list[NDArray[np.float64]],
    groups: Groups,
    weight: NDArray[np.float64],
    n_randomizations: int,
    seed: int,
) -> list[tuple[float, str]]:
    """p, and how it was found, for differences of the queries; one that is NaN is left out."""
    if not apart:
        return []
    weighted = [np.nan_to_num(one * weight) for one in apart]
    sums = [np.bincount(groups.code, one, groups.count) for one in weighted]
    size = [np.abs(one).sum() for one in weighted]
    return randomized(np.stack(sums, axis=1), np.array(size), groups, n_randomizations, seed)
