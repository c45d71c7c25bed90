"""How far errors of groups may rise among groups that nobody has seen, and a threshold for that."""

from __future__ import annotations

from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import all_kept, not_kept
from tapviz.measures._checks import check_number
from tapviz.measures._ranking import ranking
from tapviz.measures.accepted import (
    USUAL_QUANTILE,
    LoosestThreshold,
    OrderedErrors,
    Statistic,
    check_accepted,
    loosest_admitted,
)
from tapviz.measures.coverage import EPQ_TOLERANCE
from tapviz.measures.groups import Groups, GroupsOf, as_groups

__all__ = ["USUAL_CONFIDENCE", "promised_threshold"]

USUAL_CONFIDENCE = 0.9
LOOSER, MANY_GROUPS = 10, 100
"""A group that is not in the sample may make as many errors as any makes where there are so many
times as many errors in all; with fewer than so many groups, in proportion more."""
STEPS = 4
"""Places between the doublings of the errors at which the worst group is looked up."""


def promised_threshold(
    lists: RetrievalLists,
    *,
    errors: float = 0.1,
    statistic: Statistic = "mean",
    quantile: float = USUAL_QUANTILE,
    confidence: float = USUAL_CONFIDENCE,
    groups: GroupsOf = "relevance",
) -> LoosestThreshold:
    """Loosest threshold at which new queries have no more errors than accepted, with confidence.

    That of `loosest_threshold` has as many errors as are accepted on average, and more among
    other queries about every other time. This one has an upper confidence limit of the errors per
    query, by groups, that is not above what is accepted, neither there nor at any stricter score:
    thresholds are tried from the strictest on until one fails, so that no correction is due for
    there being many.

    Parameters
    ----------
    lists : RetrievalLists
    errors, statistic, quantile
        As in `loosest_threshold`.
    confidence : float, in (0, 1)
        In this share of samples of groups, errors are at most as many as accepted.
    groups : Groups, array_like, int, "relevance" or None
        Queries that stay together, as in `bootstrap`.

    Returns
    -------
    LoosestThreshold
        With the errors and the recall of the queries at hand. Below 10 groups nothing is
        promised, nor where so few groups cannot tell: the reason says so.

    Raises
    ------
    ValueError
        If a number is out of its range, or there are no such groups.

    Notes
    -----
    The limit is that of Fay and Feuer for a weighted sum of Poisson counts: groups with errors
    come at random, each with its own number of errors, and one more may have come, the worst that
    is to be expected. Since none can be worse than those not seen, that is taken to be the excess
    of the worst group seen over its share, not here, but where all have ten times as many errors
    (1,000 / G times for G groups, if they are fewer than 100). A group that is worse, and rare
    enough not to be in the sample, breaks the promise.

    References
    ----------
    Fay & Feuer (1997), Stat. Med. 16:791, for the limit; Bates et al. (2021), J. ACM 68:43, and
    Angelopoulos et al. (2021), arXiv:2110.01052, for the order of the thresholds.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import promised_threshold
    >>> promised_threshold(load_results()["BLASTP"], errors=0.1).threshold
    0.019
    """
    accepted = check_accepted(errors, statistic, quantile)
    ordered = OrderedErrors.of(lists, accepted)
    curve = ErrorCurve.of(ordered, lists.weight, as_groups(groups, lists))
    return curve.promise(lists, ordered, check_confidence(confidence))


def check_confidence(confidence: float) -> float:
    """A confidence; ValueError if it is not in (0, 1)."""
    check_number("confidence", confidence, 0 < confidence < 1, "a fraction above 0 and below 1")
    return float(confidence)


class ErrorCurve(NamedTuple):
    """How errors add up while the threshold is loosened; of J states the first has no error.

    Errors are what `OrderedErrors` counts. The states go a little further than where there are
    `LOOSER` times as many as are accepted.
    """

    groups: Groups
    limit: float
    """What is accepted, in all."""
    size: float
    """Weight of all queries."""
    further: float
    """Errors at which the worst group is looked up where there are as many as are accepted."""
    largest: float
    """Weight of the queries of the largest group."""
    code: NDArray[np.int64]
    """Place among the distinct scores at which a state ends and the next begins; the last one is
    that where what was measured ends, shape (J,)."""
    total: NDArray[np.float64]
    """Errors so far, (J,)."""
    variance: NDArray[np.float64]
    """Of that sum, from how groups differ from their share of it, (J,)."""
    unseen: NDArray[np.float64]
    """What one more group may add, (J,)."""

    @classmethod
    def of(cls, errors: OrderedErrors, weight: NDArray[np.float64], groups: Groups) -> ErrorCurve:
        """The curve of some queries, whose weights are of shape (Q,)."""
        count = groups.count
        own = np.bincount(groups.code, weight, count).astype(np.float64)
        size, one = float(own.sum()), float(weight.max(initial=0.0))
        limit, mean = errors.accepted.limit * size, errors.accepted.statistic == "mean"
        further = LOOSER * max(1.0, MANY_GROUPS / max(count, 1))
        so_far = np.cumsum(weight[errors.query])
        end = int(np.searchsorted(so_far, further * max(limit, one), "right"))
        code = errors.code
        if end < code.size:
            end = int(np.searchsorted(code, code[end], "right"))
        code, so_far = code[:end], so_far[:end]
        share, group = weight[errors.query[:end]], groups.code[errors.query[:end]]
        # What the group of each error has made before it.
        order = np.argsort(group, kind="stable")
        within = np.cumsum(share[order]) - share[order]
        before = np.empty(end)
        before[order] = within - within[np.searchsorted(group[order], group[order])]
        squares = np.cumsum((2 * before + share) * share)
        products = np.cumsum(share * own[group])
        last = np.flatnonzero(np.diff(code, append=-1))
        total, squares, products = (
            np.concatenate([[0.0], sums[last]]) for sums in (so_far, squares, products)
        )
        rate = total / (size or 1.0)
        spread = squares - 2 * rate * products + rate**2 * (own**2).sum()
        looser = further * np.maximum(total, one) * (1 - EPQ_TOLERANCE)
        unseen = _worst(looser, so_far, share, group, own, one)
        if mean and size:  # where lists end before, in proportion
            unseen = unseen * np.maximum(1.0, looser / max(float(total[-1]), one))
        return cls(
            groups,
            limit,
            size,
            min(further * max(limit, one), inf if mean else size) * (1 - EPQ_TOLERANCE),
            float(own.max(initial=0.0)),
            np.append(code[last], errors.most if end == errors.code.size else code[-1]),
            total,
            np.maximum(spread, 0.0) * count / max(count - 1, 1),
            unseen,
        )

    def unseen_at(self, total: float) -> float:
        """What one more group may add where there are so many errors."""
        state = int(np.searchsorted(self.total, total))
        return float(self.unseen[min(state, self.total.size - 1)])

    def _most(self, tail: float, n: int) -> NDArray[np.float64]:
        """Upper limit of the errors of the first n states."""
        unseen = self.unseen[:n]
        return gamma_bound(self.total[:n] + unseen, self.variance[:n] + unseen**2, tail)

    def n_within(self, tail: float) -> int:
        """States, from the first on, at which the upper limit is no more than what is accepted.

        `tail` is the probability of more errors than the limit.
        """
        limit = self.limit * (1 + EPQ_TOLERANCE)
        n = int(np.searchsorted(self.total, limit, "right"))  # the others have more themselves
        above = self._most(tail, n) > limit
        return int(np.argmax(above)) if above.any() else n

    def promise(
        self, lists: RetrievalLists, errors: OrderedErrors, confidence: float
    ) -> LoosestThreshold:
        """The loosest threshold up to which the upper limit is no more than what is accepted."""
        groups, tail = self.groups, 1 - confidence
        reason = errors.accepted.unresolved(lists) or groups.few
        if not reason and self.total[-1] < self.further and not all_kept(lists):
            reason = not_kept(lists, to=lists.sign * inf)
        states = 0 if reason else self.n_within(tail)
        if not reason and not states:
            share = float(self._most(tail, 1)[0]) / self.size
            few = f"too few {groups.unit}: even where none of the {groups.count:,}"
            reason = f"{few} has an error, others may have {share:.2g} per query"
            if errors.accepted.statistic != "mean":
                share = 100 * min(share, 1)
                reason = f"{few} has more errors, {share:.2g} % of other queries may have"
        if reason:
            return LoosestThreshold(nan, nan, nan, reason)
        return loosest_admitted(
            lists, errors, int(self.code[states - 1]), "there may be more errors already"
        )

    def interval(self, lists: RetrievalLists, tail: float) -> tuple[float, float]:
        """Where the threshold may be at which all queries have as many errors as are accepted.

        Where both limits of the errors are about what is accepted, each missing the truth with a
        probability of `tail`.
        """
        threshold, states = ranking(lists).threshold, self.n_within(tail)
        # One more group may be as large as any, and have no error.
        less = self.total / self.size * self.largest
        low = gamma_bound(self.total, self.variance + less**2, 1 - tail)
        enough = int(np.flatnonzero(low <= self.limit * (1 + EPQ_TOLERANCE))[-1])
        first = int(self.code[states - 1]) - 1 if states else -1
        strict = float(threshold[first]) if first >= 0 else -lists.sign * inf
        loose = lists.sign * inf
        if enough < self.code.size - 1:  # before its next error
            loose = float(threshold[self.code[enough]])
        return min(strict, loose), max(strict, loose)


def _worst(
    at: NDArray[np.float64],
    so_far: NDArray[np.float64],
    share: NDArray[np.float64],
    group: NDArray[np.int64],
    own: NDArray[np.float64],
    least: float,
) -> NDArray[np.float64]:
    """By how much any group has exceeded its share where there are so many errors, (J,).

    Errors have weights, add up to so many, and are of these groups, (N,), whose sizes are (G,).
    Groups are looked at each time that errors have grown by a step.
    """
    n_steps = int(STEPS * np.log2(max(so_far[-1] / least, 1.0))) + 2 if so_far.size else 1
    steps = least * 2 ** (np.arange(n_steps) / STEPS)
    made, worst, start, found = np.zeros(own.size), least, 0, []
    for stop in np.searchsorted(so_far, steps * (1 + EPQ_TOLERANCE), "right").tolist():
        if stop > start:
            made += np.bincount(group[start:stop], share[start:stop], own.size)
            excess = made - so_far[stop - 1] / own.sum() * own
            worst, start = max(worst, float(excess.max())), stop
        found.append(worst)
    return np.array(found)[np.minimum(np.searchsorted(steps, at), n_steps - 1)]


def gamma_bound(
    mean: NDArray[np.float64], variance: NDArray[np.float64], tail: float
) -> NDArray[np.float64]:
    """What a sum over groups, none of it negative, is above with a probability of `tail`.

    By the gamma distribution of this mean and variance; the mean where there is no variance.

    Parameters
    ----------
    mean, variance : ndarray of float, shape (J,)
        Of each sum; with what one more group may add, for an upper bound.
    tail : float, in (0, 1)

    References
    ----------
    Fay & Feuer (1997), Stat. Med. 16:791.

    Examples
    --------
    Of one count of 4, and one more, this is the upper bound of a Poisson mean.

    >>> import numpy as np
    >>> from tapviz.measures.promise import gamma_bound
    >>> gamma_bound(np.array([4.0 + 1]), np.array([4.0 + 1]), 0.025).round(2)
    array([10.24])
    """
    from scipy import special  # noqa: PLC0415  # takes longer to import than all measures together

    bound = mean.copy()
    some = (mean > 0) & (variance > 0)
    scale = variance[some] / (2 * mean[some])
    bound[some] = scale * special.chdtri(mean[some] / scale, tail)
    return bound


def rate_ends(
    values: NDArray[np.float64], size: NDArray[np.float64], tail: float, least: float
) -> tuple[float, float]:
    """Bounds of the sum of what groups have over the sum of their sizes.

    Parameters
    ----------
    values, size : ndarray of float, shape (G,)
        Of at least two groups, none negative.
    tail : float
        Probability that it is above the upper bound, or below the lower one.
    least : float
        What one more group may add at least: otherwise as much as any exceeds its share.
    """
    whole, total = float(size.sum()), float(values.sum())
    if not whole > 0:
        return nan, nan
    rate = total / whole
    excess = values - rate * size
    variance = float((excess**2).sum()) * size.size / (size.size - 1)
    more, less = max(float(excess.max()), least), rate * float(size.max())
    low = gamma_bound(np.array([total]), np.array([variance + less**2]), 1 - tail)
    high = gamma_bound(np.array([total + more]), np.array([variance + more**2]), tail)
    return float(low[0]) / whole, float(high[0]) / whole
