"""Every two algorithms: paired difference of a score, interval, p, wins, ties and losses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import isfinite, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tapviz.measures import intervals
from tapviz.measures._common import Floats, mean_defined, refuse
from tapviz.measures.groups import Groups, Labels, as_labels
from tapviz.measures.intervals import Contrasts, Interval, around, contrasts, signs, widened
from tapviz.measures.significance import win_tie_loss

__all__ = ["PairDifference", "Scored", "against", "pairwise"]

NO_INTERVAL = "no interval: "
"""What stands before the reason, where a difference is known."""
NO_COMMON = "no query has the score of all"
"""Why a score is undefined on the queries that all algorithms have."""


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
    undefined."""
    linear: ArrayLike | None = None
    """What each query contributes to the mean, where that is something else: with TAP-k its part in
    E_k, too, see `linear_tap`."""
    ends: tuple[ArrayLike, ArrayLike] | None = None
    """What each query scores with the worst and the best order of records of equal score, where the
    order matters; the score itself, if it is not a mean over queries."""
    replicates: Floats | None = None
    """Of a score that is not a mean over queries: the score in each of B resamples, shape (B,), the
    same for all algorithms."""
    influence: Floats | None = None
    """Likewise: how the score goes with each group drawn, shape (G,), as `Bootstrapped.influences`
    has it."""
    run_variance: float = 0.0
    """Variance of a mean over several runs by the choice of runs."""
    higher_is_better: bool = True
    reason: str = ""
    """Why the value is NaN."""


class PairDifference(NamedTuple):
    """How much better the first of two algorithms scores than the second, on the same queries.

    Whatever is said of two algorithms, in words, dots, colours or stars, is read from this record.
    """

    first: str
    second: str
    score: str
    difference: Interval
    """Score of the first minus that of the second; where a smaller score is better, as with errors,
    the second less the first. So it is positive where the first is better. The intervals of all
    pairs compared by the score hold at once, for every order of records of equal score."""
    p: float
    """Adjusted for all pairs compared by the score; at most 1 - level exactly where the interval
    has no 0. NaN without an interval."""
    listed: Interval
    """The difference with records of equal score as listed."""
    wins: int
    """Queries for which the first scores better; 0 for a score that is not a mean over queries."""
    ties: int
    losses: int
    units: int
    """How many groups of queries, or single ones, change their sign together."""
    unit: str
    """What these are called, as "superfamilies"."""
    identical: bool
    """Whether every query scores the same with both."""
    reason: str | None
    """Why the difference, or its interval, is NaN; None if neither is."""
    test: str
    """Where interval and p come from; empty where there is none."""
    left_out: int = 0
    """Queries without a part in it, since some of the algorithms compared, not all, have the score
    of them."""

    @property
    def clear(self) -> bool:
        """Whether one is better beyond chance: the interval has no 0."""
        return self.difference.low > 0 or self.difference.high < 0

    @property
    def ties_decide(self) -> bool:
        """Whether it is clear as equal scores are listed, but not in every order of them."""
        return not self.clear and (self.listed.low > 0 or self.listed.high < 0)

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
            difference=turned(self.difference),
            listed=turned(self.listed),
            wins=self.losses,
            losses=self.wins,
        )


def pairwise(
    scores: Mapping[str, Mapping[str, Scored]],
    *,
    groups: Labels = None,
    weight: ArrayLike | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> list[PairDifference]:
    """Compare every two algorithms by one score or several.

    Interval and p of a pair come from one procedure, `contrasts`: how large the largest ``|t|`` of
    all pairs is when the differences change their signs at random, group by group. What a group
    contributes to a mean over queries is known; of another score, such as pooled ROC_n, resamples
    tell it. A query that lacks the score of some algorithm has no part in any comparison by it.

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
    seed : int
        Of the random signs, where there are more than 12 groups.

    Returns
    -------
    list of PairDifference
        For each score every pair (a, b), in the order of the algorithms. With fewer than 10 groups
        there is no interval.

    Raises
    ------
    ValueError
        If there is not a label and a weight for each query.

    References
    ----------
    Westfall & Young (1993), Resampling-Based Multiple Testing, section 2.3.

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
    every = [one.per_query for scored in scores.values() for one in scored.values()]
    sizes = {np.size(per_query) for per_query in every if per_query is not None}
    if isinstance(groups, Groups):
        sizes.add(groups.code.size)
    message = f"scores: expected those of the same queries, found {sorted(sizes)} of them"
    refuse(len(sizes) != 1, message)
    n_queries = sizes.pop()
    drawn = as_labels(groups, n_queries)
    weights = np.ones(n_queries) if weight is None else np.asarray(weight, np.float64)
    message = f"weight: expected one of each of {n_queries} queries, found shape {weights.shape}"
    refuse(weights.shape != (n_queries,), message)
    pairs = []
    for score, every_query in scores.items():
        scored, own, weigh, left_out = in_common(every_query, drawn, weights)
        defined = {name: one for name, one in scored.items() if isfinite(one.value)}
        each = {
            name: _few(one, own) or contributions(one, own, weigh) for name, one in defined.items()
        }
        parts = {name: one for name, one in each.items() if isinstance(one, Contributions)}
        why = {name: one for name, one in each.items() if isinstance(one, str)}
        judged = _judged(scored, parts, own, level, seed) if len(parts) > 1 else {}
        found = paired(score, scored, own, judged, why)
        if left_out:  # of which nobody knows whether the two score the same
            found = [one._replace(identical=False, left_out=left_out) for one in found]
        pairs += found
    return pairs


def _few(one: Scored, groups: Groups) -> str:
    """Why too few groups have a score for an interval; empty if there are enough."""
    if one.per_query is None:
        return groups.few
    return groups.few_among(~np.isnan(np.asarray(one.per_query, np.float64)))


InCommon = tuple[Mapping[str, Scored], Groups, Floats, int]
"""Scores of several algorithms on the same queries, the groups and weights of these, and how many
queries are left out, of which some algorithms have the score, but not all."""


def in_common(scored: Mapping[str, Scored], groups: Groups, weight: Floats) -> InCommon:
    """Scores on the queries of which all algorithms have the score, and their groups.

    Algorithms whose score is undefined take part in nothing, and leave no query out. Queries of
    which no algorithm has the score, such as those without relevant records, say nothing unless
    they contribute to a threshold: only those that remain can be enough for a conclusion.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import Groups, Scored
    >>> from tapviz.measures.differences import in_common
    >>> scored = {"a": Scored(0.5, [0.4, 0.6]), "b": Scored(0.1, [0.1, np.nan])}
    >>> found, _, _, left_out = in_common(scored, Groups.single(2), np.ones(2))
    >>> left_out, [one.value for one in found.values()]
    (1, [0.4, 0.1])
    """
    some = {name: x for name, x in scored.items() if x.per_query is not None and isfinite(x.value)}
    known = ~np.isnan([np.asarray(one.per_query, np.float64) for one in some.values()])
    keep = np.asarray(known.all(axis=0))
    left_out = int(np.count_nonzero(known.any(axis=0) & ~keep))
    contribute = not left_out and any(one.linear is not None for one in some.values())
    if keep.all() or contribute:
        return scored, groups, weight, 0

    def kept(values: Any) -> Any:
        return None if values is None else np.asarray(values, np.float64)[..., keep]

    for name, one in some.items():
        parts = {name: kept(getattr(one, name)) for name in ("per_query", "linear")}
        mean = mean_defined(parts["per_query"], weight[keep]) if left_out else one.value
        ends = kept(one.ends)
        why, both = one.reason if keep.any() else NO_COMMON, one.ends and (ends[0], ends[1])
        some[name] = one._replace(value=mean, ends=both, reason=why, **parts)
    return {**scored, **some}, groups.among(keep), weight[keep], left_out


def against(pairs: Iterable[PairDifference], baseline: str, score: str) -> list[PairDifference]:
    """How much better every other algorithm is than one of them.

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
    return [
        one if one.second == baseline else one.turned
        for one in pairs
        if one.score == score and baseline in (one.first, one.second)
    ]


class Contributions(NamedTuple):
    """What groups of queries contribute to a score of one algorithm, which is the sum."""

    sums: Floats
    """Shape (G,)."""
    share: Floats
    """Of the weight of the queries that have the score, shape (G,)."""
    worst: Floats
    """With the worst order of records of equal score, shape (G,); and with the best."""
    best: Floats


def contributions(one: Scored, groups: Groups, weight: Floats) -> Contributions | str:
    """What groups contribute to a score, or why that is not known.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import Groups, Scored
    >>> from tapviz.measures.differences import contributions
    >>> groups = Groups.of(["a", "a", "b"])
    >>> contributions(Scored(0.5, [0.2, 0.4, 0.9]), groups, np.ones(3)).sums.round(3).tolist()
    [0.2, 0.3]
    """
    if one.per_query is not None:
        scored = np.asarray(one.per_query, np.float64)
        linear = scored if one.linear is None else np.asarray(one.linear, np.float64)
        if np.isnan(linear).all():
            return "what a query contributes to E_k is not known"
        counted = np.where(np.isnan(scored), 0.0, weight)
        total = counted.sum()

        def sums(values: Floats) -> Floats:
            return groups.sums(weight / total * np.nan_to_num(values))

        ends = (np.asarray(end, np.float64) for end in one.ends or (scored, scored))
        worst, best = (sums(linear) + sums(end - scored) for end in ends)
        return Contributions(sums(linear), groups.sums(counted / total), worst, best)
    if one.replicates is None:
        return "it was not resampled"
    if one.influence is None:
        return "what groups of queries contribute to it is not known"
    if not np.isfinite(one.replicates).all() or not np.isfinite(one.influence).all():
        return "it is undefined in some resamples"
    share = groups.sums(weight / weight.sum())
    rest = (one.influence - one.influence.mean()) * groups.count / max(groups.count - 1, 1)
    found = rest + one.value * share
    return Contributions(found, share, found, found)


Judged = tuple[Interval, Interval, float]
"""Interval of a difference, that with equal scores as listed, and p."""


def judged_at(found: Contrasts, place: int, names: Iterable[str]) -> dict[tuple[str, str], Judged]:
    """What is judged of every two of the algorithms at one of the places."""
    numbers = zip(*(one[place].tolist() for one in found), strict=True)
    pairs = zip(combinations(names, 2), numbers, strict=True)
    return {
        pair: (Interval(at, low, high), Interval(at, *listed), p)
        for pair, (at, low, high, p, *listed) in pairs
    }


def paired(
    score: str,
    scored: Mapping[str, Scored],
    groups: Groups,
    judged: Mapping[tuple[str, str], Judged],
    why: Mapping[str, str],
) -> list[PairDifference]:
    """Records of every two algorithms by one score, once they are judged.

    Parameters
    ----------
    score : str
    scored : mapping of str to Scored
    groups : Groups
    judged : mapping of (str, str) to Judged
        First less second; those that are missing have no interval.
    why : mapping of str to str
        Why an algorithm was not judged.

    Examples
    --------
    >>> from tapviz.measures import Groups, Scored
    >>> from tapviz.measures.differences import paired
    >>> scored = {"a": Scored(0.5, [0.4, 0.6]), "b": Scored(0.2, [0.1, 0.3])}
    >>> paired("tap", scored, Groups.single(2), {}, {})[0].counts
    (2, 0, 0)
    """
    pairs = []
    for (a, one), (b, other) in combinations(scored.items(), 2):
        reasons = [
            f"{name}: {of.reason or 'undefined'}"
            for name, of in ((a, one), (b, other))
            if not isfinite(of.value)
        ]
        estimate = one.value - other.value + 0.0  # never -0.0
        wide = listed = Interval(estimate, nan, nan)
        p, test = nan, ""
        if (a, b) in judged:
            *intervals, p = judged[a, b]
            wide, listed = (_about(estimate, interval) for interval in intervals)
        if not reasons and not isfinite(p):
            reasons = [f"{NO_INTERVAL}{why.get(a) or why.get(b) or 'undefined'}"]
        if isfinite(p):
            test = f"studentised maximum, {signs(groups.count).words} of {groups.unit}"
        about = score, wide, p, listed, *_counts(one, other, groups)
        pair = PairDifference(a, b, *about, "; ".join(reasons) or None, test)
        pairs.append(pair if one.higher_is_better else pair.turned._replace(first=a, second=b))
    return pairs


def _judged(
    scored: Mapping[str, Scored],
    parts: Mapping[str, Contributions],
    groups: Groups,
    level: float,
    seed: int,
) -> dict[tuple[str, str], Judged]:
    """Interval, that as listed, and p, of the differences of every two, first less second."""
    names = list(parts)
    pairs = list(combinations(names, 2))
    known = [scored[name] for name in names]
    sums, shares, worst, best = (np.array(of)[:, None] for of in zip(*parts.values(), strict=True))
    share = shares[:, 0].mean(axis=0)
    if any(one.per_query is None for one in known):
        alone = [_alone(scored[a], scored[b], groups, level) for a, b in pairs]
        reordered = np.array([_reordered(scored[a], scored[b]) for a, b in pairs])
        found = widened(sums, share, np.array(alone), level=level, seed=seed, reordered=reordered)
    else:
        ends = (worst, best) if any(one.ends is not None for one in known) else None
        more = np.array([[one.run_variance] for one in known])
        found = contrasts(sums, share, level=level, seed=seed, ends=ends, more_variance=more)
    return judged_at(found, 0, names)


def _alone(one: Scored, other: Scored, groups: Groups, level: float) -> Interval:
    """A difference of two scores that were resampled, with the interval of this pair alone."""
    assert one.replicates is not None  # noqa: S101  # or it would not have been judged
    assert other.replicates is not None  # noqa: S101
    apart, influence = one.replicates - other.replicates, None
    if one.influence is not None and other.influence is not None:
        influence = one.influence - other.influence
    estimate = one.value - other.value
    return intervals.percentile_interval(estimate, apart, level, groups.count, influence)


def _reordered(one: Scored, other: Scored) -> tuple[float, float]:
    """The smallest and the largest difference of two scores in any order of equal scores."""
    a, b = (np.asarray(of.value if of.ends is None else of.ends, np.float64) for of in (one, other))
    return float(a.min() - b.max()), float(a.max() - b.min())


def _about(estimate: float, found: Interval) -> Interval:
    """An interval of a difference of values, which sums of groups have but for rounding."""
    return found._replace(estimate=0.0) if found.estimate == 0 else around(estimate, found[1:])


def _counts(one: Scored, other: Scored, groups: Groups) -> tuple[int, int, int, int, str, bool]:
    """Wins, ties and losses, of how many units, and whether all queries score the same."""
    if one.per_query is None or other.per_query is None or not isfinite(one.value - other.value):
        return 0, 0, 0, groups.count, groups.unit, False
    of_first, of_second = (np.asarray(of.per_query, np.float64) for of in (one, other))
    wins, ties, losses, n_dropped, _ = win_tie_loss(of_first, of_second)
    same = wins == losses == 0 and np.array_equal(np.isnan(of_first), np.isnan(of_second))
    units = groups.count
    if n_dropped:
        units = np.unique(groups.code[~np.isnan(of_first - of_second)]).size
    return wins, ties, losses, units, groups.unit, same


def turned(interval: Interval) -> Interval:
    """The difference the other way round.

    Examples
    --------
    >>> from tapviz.measures import Interval
    >>> from tapviz.measures.differences import turned
    >>> turned(Interval(0.25, -0.5, 1.0))
    Interval(estimate=-0.25, low=-1.0, high=0.5)
    """
    at, low, high = interval
    return Interval(0.0 - at, 0.0 - high, 0.0 - low)
