"""Errors that are accepted, and the loosest threshold with no more: in the sample, or promised."""

from __future__ import annotations

from math import floor, inf, nan
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, all_kept, measured_to, not_kept
from tapviz.lists.words import count, percent
from tapviz.measures import _common, _ranking
from tapviz.measures._common import Bools, Floats, Ints, mean_defined, ratio, weighted_mean
from tapviz.measures.coverage import EPQ_TOLERANCE
from tapviz.measures.errors import QUANTILE_TOLERANCE, error_quantile, nth_error_code
from tapviz.measures.groups import Groups, GroupsOf, as_groups
from tapviz.measures.tap import taps_of

__all__ = [
    "USUAL_CONFIDENCE", "USUAL_QUANTILE", "AcceptedErrors", "LoosestThreshold", "Statistic",
    "loosest_threshold", "promised_threshold",
]  # fmt: skip

Statistic = Literal["mean", "median", "quantile"]

USUAL_QUANTILE = 0.9
BLOCKS, BLOCK = 64, 256
"""Errors are added up in so many blocks at most, of so many at least; then a block is searched."""


class AcceptedErrors(NamedTuple):
    """How many errors a person accepts.

    Examples
    --------
    >>> from tapviz.measures import AcceptedErrors
    >>> str(AcceptedErrors(0.1)), str(AcceptedErrors(3, "quantile", 0.9))
    ('0.1 errors per query on average', '3 errors per query in 90 % of the queries')
    """

    errors: float = 0.1
    """Errors per query."""
    statistic: Statistic = "mean"
    """Of which they are the limit: the mean over queries, the median, or a quantile."""
    quantile: float = USUAL_QUANTILE
    """Which quantile: this share of the queries has no more errors."""

    @property
    def share(self) -> float:
        """Share of the queries that the median or the quantile stands for."""
        return 0.5 if self.statistic == "median" else self.quantile

    @property
    def limit(self) -> float:
        """Errors per query, or share of the queries with more errors, that is accepted."""
        return self.errors if self.statistic == "mean" else 1 - self.share

    def of(self, errors: NDArray[np.integer], weight: Floats) -> float:
        """Mean, median or quantile of the errors of each query, shape (Q,)."""
        if not weight.sum() > 0:
            return nan
        if self.statistic == "mean":
            return weighted_mean(errors.astype(np.float64), weight)
        return float(error_quantile(errors, weight, self.share))

    def unresolved(self, lists: RetrievalLists) -> str:
        """Why so few queries cannot tell these errors from none; empty if they can."""
        total = lists.weight.sum()
        if not total > 0:
            return "there is no query"
        lightest, share = float(lists.weight.min() / total), 1 - self.quantile
        limits = {"mean": self.errors, "quantile": share}
        if limits.get(self.statistic, inf) >= lightest * (1 - EPQ_TOLERANCE):
            return ""
        what, one = f"{self.errors:g} errors per query", f"one error in all is {lightest:.2g}"
        if self.statistic == "quantile":
            what = f"{percent(share)} of the queries"
            one = f"one query is {100 * lightest:.2g} %"
        return f"{count(lists.n_queries, 'query')} cannot resolve {what}: {one}"

    def __str__(self) -> str:
        errors = f"{self.errors:,.15g} {'error' if self.errors == 1 else 'errors'} per query"
        if self.statistic == "quantile":
            return f"{errors} in {100 * self.quantile:g} % of the queries"
        return f"{errors} {'on average' if self.statistic == 'mean' else 'for the median query'}"


class LoosestThreshold(NamedTuple):
    """The loosest score at which there are no more errors than accepted, or why there is none."""

    threshold: float
    """Inclusive; NaN if there is none."""
    errors: float
    """Mean, median or quantile of the errors per query there; NaN likewise."""
    recall: float
    """Mean share of the relevant records found there; NaN likewise, or where none is relevant."""
    reason: str
    """Why there is none; empty otherwise."""


def loosest_threshold(
    lists: RetrievalLists,
    *,
    errors: float = 0.1,
    statistic: Statistic = "mean",
    quantile: float = USUAL_QUANTILE,
) -> LoosestThreshold:
    """Loosest threshold at which queries have no more errors than accepted, in the sample.

    What it says of these queries is too good for others: see `advise`.

    Parameters
    ----------
    lists : RetrievalLists
    errors : float
        Errors per query that are accepted, not negative.
    statistic : {"mean", "median", "quantile"}
        Of the errors of the queries, which they limit. Medians and quantiles are whole numbers.
    quantile : float, in (0, 1)
        For "quantile": the share of the queries that has no more errors.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import loosest_threshold
    >>> at = loosest_threshold(load_results()["BLASTP"], errors=0.1)
    >>> at.threshold, round(at.recall, 3)
    (0.047, 0.331)
    """
    accepted = check_accepted(errors, statistic, quantile)
    return loosest(lists, OrderedErrors.of(lists, accepted))[0]


def check_accepted(errors: float, statistic: Statistic, quantile: float) -> AcceptedErrors:
    """Accepted errors, if they make sense.

    Raises
    ------
    ValueError
        If they do not.
    """
    _common.check_number("errors", errors, 0 <= errors < inf, "errors per query, at least 0")
    _common.check_choice("statistic", statistic, "mean", "median", "quantile")
    right = statistic != "quantile" or 0 < quantile < 1
    _common.check_number("quantile", quantile, right, "a fraction of queries, above 0 and below 1")
    return AcceptedErrors(float(errors), statistic, _common.check_quantile(quantile))


class OrderedErrors(NamedTuple):
    """Errors in the order in which looser thresholds admit them, as far as they count.

    For the mean these are all errors; for a quantile, the first error of each query that is one
    too many. With the error at which the weights of the queries so far exceed a share of all
    weight, there are more errors than accepted.
    """

    accepted: AcceptedErrors
    code: Ints
    """Places among the distinct scores, rising."""
    query: Ints
    edge: Ints
    """Errors at which blocks begin, and the end."""
    counts: Floats
    """Errors of each query in each block, shape (J, Q)."""
    most: int
    """Distinct scores: as many codes are admitted where no error is one too many."""

    @classmethod
    def of(cls, lists: RetrievalLists, accepted: AcceptedErrors) -> OrderedErrors:
        """Errors of the queries that were chosen."""
        most = _ranking.n_thresholds(lists, measured_to(lists))
        if accepted.statistic == "mean":
            errors = _ranking.of_rows(lists, _ranking.pooled_records(lists)[1])
            query, code = (of[errors.code < most].astype(np.int64) for of in errors)
        else:
            codes = nth_error_code(lists, floor(accepted.errors) + 1)
            query = np.argsort(codes, kind="stable")[: int((codes < most).sum())]
            code = codes[query]
        n_blocks = min(BLOCKS, code.size // BLOCK) + 1
        edge = np.linspace(0, code.size, n_blocks + 1).astype(np.int64)
        block = np.repeat(np.arange(n_blocks), np.diff(edge))
        cell = np.bincount(block * lists.n_queries + query, minlength=n_blocks * lists.n_queries)
        counts = cell.reshape(n_blocks, lists.n_queries).astype(np.float64)
        return cls(accepted, code, query, edge, counts, most)

    def admitted(self, weight: Floats, fold: Ints, n_folds: int) -> Ints:
        """How many distinct scores the queries outside of each fold admit, shape (n_folds,)."""
        inside = (fold[:, None] == np.arange(n_folds)) * weight[:, None]
        left_out = _common.product_of(self.counts, inside)
        total = np.cumsum((self.counts @ weight)[:, None] - left_out, axis=0)
        mean = self.accepted.statistic == "mean"
        side: Literal["left", "right"] = "right" if mean else "left"
        limit = (weight.sum() - inside.sum(axis=0)) * self.accepted.limit
        limit *= 1 + EPQ_TOLERANCE if mean else 1 - QUANTILE_TOLERANCE
        found = np.full(n_folds, self.most)
        for one in range(n_folds):
            block = int(np.searchsorted(total[:, one], limit[one], side))
            while block < len(total):  # rounding may put an error into the next one
                part = slice(self.edge[block], self.edge[block + 1])
                query = self.query[part]
                share = weight[query] * (fold[query] != one)
                so_far = np.cumsum(share) + (total[block - 1, one] if block else 0.0)
                place = int(np.searchsorted(so_far, limit[one], side))
                if place < so_far.size:
                    found[one] = self.code[part][place]
                    break
                block += 1
        return found


class Judgement(NamedTuple):
    """Each query at the threshold that it is judged at; each array (Q,)."""

    errors: Ints
    recall: Floats
    """NaN where nothing is relevant."""
    precision: Floats
    """NaN where nothing is retrieved."""
    tap: Floats
    too_many: Floats
    """1 where there are more errors than accepted, else 0."""

    @classmethod
    def of(cls, lists: RetrievalLists, accepted: AcceptedErrors, admitted: int | Ints) -> Judgement:
        """Each query, where what is among so many distinct scores is retrieved."""
        retrieved = _ranking.n_retrieved(lists, admitted)
        (at,) = taps_of(lists, [nan], retrieved[None])
        errors = retrieved - at.relevant
        recall, precision = (ratio(at.relevant, of) for of in (lists.n_relevant, retrieved))
        too_many = errors > accepted.errors * (1 + EPQ_TOLERANCE)
        return cls(errors, recall, precision, at.per_query, too_many.astype(np.float64))

    def figures(self, accepted: AcceptedErrors, weight: Floats) -> tuple[float, ...]:
        """What queries of some weights come to, in the order of `FIGURES`."""
        means = (mean_defined(values, weight) for values in self[1:])
        return accepted.of(self.errors, weight), *means


def loosest(lists: RetrievalLists, errors: OrderedErrors) -> tuple[LoosestThreshold, int]:
    """The threshold for all queries, and how many distinct scores it admits."""
    if reason := errors.accepted.unresolved(lists):
        return LoosestThreshold(nan, nan, nan, reason), 0
    (admitted,) = errors.admitted(lists.weight, np.full(lists.n_queries, -1), 1).tolist()
    return loosest_admitted(lists, errors, admitted, "more errors already"), admitted


def loosest_admitted(
    lists: RetrievalLists, errors: OrderedErrors, admitted: int, too_many: str
) -> LoosestThreshold:
    """The loosest score among so many distinct ones; what there is if not even the first is."""
    strictest_first = _ranking.ranking(lists).threshold
    last = with_loosest(lists, admitted, np.ones(lists.n_queries, np.bool_))
    if not last:
        reason = f"{too_many} at the strictest score, {strictest_first[0]:g}" if errors.most else ""
        return LoosestThreshold(nan, nan, nan, reason or "there is no record")
    threshold = float(strictest_first[last - 1])
    judged = Judgement.of(lists, errors.accepted, admitted)
    made, recall, *_ = judged.figures(errors.accepted, lists.weight)
    if admitted < errors.most:
        return LoosestThreshold(threshold, made, recall, "")
    limit = measured_to(lists)
    where = f"at {limit:.3g}, beyond which nothing was measured"
    if np.isinf(limit):
        where = f"at {threshold:.3g}, the last score of all"
    elif why := not_kept(lists, to=lists.sign * inf):
        where = f"at {limit:.3g}, {why}"
    elif lists.reported_how == "inferred":
        where += ", as far as the lists tell"
    reason = f"not reached: {made:.3g} errors per query {where}"
    return LoosestThreshold(nan, nan, nan, reason)


def with_loosest(lists: RetrievalLists, admitted: int, some: Bools) -> int:
    """How many distinct scores there are to the loosest of some queries that is admitted."""
    retrieved = _ranking.n_retrieved(lists, admitted)
    last = (lists.whole.offset[lists.rows] + retrieved - 1)[some & (retrieved > 0)]
    return int(_ranking.ranking(lists).code[last].max(initial=-1)) + 1


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
    ordered = OrderedErrors.of(lists, check_accepted(errors, statistic, quantile))
    curve = ErrorCurve.of(ordered, lists.weight, as_groups(groups, lists))
    return curve.promise(lists, ordered, _common.check_fraction("confidence", confidence))


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
    code: Ints
    """Place among the distinct scores at which a state ends and the next begins; the last one is
    that where what was measured ends, shape (J,)."""
    total: Floats
    """Errors so far, (J,)."""
    variance: Floats
    """Of that sum, from how groups differ from their share of it, (J,)."""
    unseen: Floats
    """What one more group may add, (J,)."""

    @classmethod
    def of(cls, errors: OrderedErrors, weight: Floats, groups: Groups) -> ErrorCurve:
        """The curve of some queries, whose weights are of shape (Q,)."""
        count = groups.count
        own = groups.sums(weight)
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
        furthest = min(further * max(limit, one), inf if mean else size) * (1 - EPQ_TOLERANCE)
        code = np.append(code[last], errors.most if end == errors.code.size else code[-1])
        variance = np.maximum(spread, 0.0) * count / max(count - 1, 1)
        largest = float(own.max(initial=0.0))
        return cls(groups, limit, size, furthest, largest, code, total, variance, unseen)

    def not_kept(self, lists: RetrievalLists) -> str:
        """Why condensed lists do not tell what one more group may add; empty if they do."""
        enough = self.total[-1] >= self.further or all_kept(lists)
        return "" if enough else not_kept(lists, to=lists.sign * inf)

    def unseen_at(self, total: float) -> float:
        """What one more group may add where there are so many errors."""
        state = int(np.searchsorted(self.total, total))
        return float(self.unseen[min(state, self.total.size - 1)])

    def _most(self, tail: float, n: int) -> Floats:
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
        reason = errors.accepted.unresolved(lists) or groups.few or self.not_kept(lists)
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
        admitted = int(self.code[states - 1])
        return loosest_admitted(lists, errors, admitted, "there may be more errors already")

    def interval(self, lists: RetrievalLists, tail: float) -> tuple[float, float]:
        """Where the threshold may be at which all queries have as many errors as are accepted.

        Where both limits of the errors are about what is accepted, each missing the truth with a
        probability of `tail`.
        """
        threshold, states = _ranking.ranking(lists).threshold, self.n_within(tail)
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
    at: Floats, so_far: Floats, share: Floats, group: Ints, own: Floats, least: float
) -> Floats:
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


def gamma_bound(mean: Floats, variance: Floats, tail: float) -> Floats:
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
    >>> from tapviz.measures.accepted import gamma_bound
    >>> gamma_bound(np.array([4.0 + 1]), np.array([4.0 + 1]), 0.025).round(2)
    array([10.24])
    """
    bound = mean.copy()
    some = (mean > 0) & (variance > 0)
    scale = variance[some] / (2 * mean[some])
    bound[some] = scale * _common.special().chdtri(mean[some] / scale, tail)
    return bound


def rate_ends(values: Floats, size: Floats, tail: float, least: float) -> tuple[float, float]:
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
