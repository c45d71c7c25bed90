"""Where to put the threshold, so that new queries have no more errors than are accepted."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, inf, nan
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures._checks import check_quantile, whole_number
from tapviz.measures._pooled import pooled_records
from tapviz.measures._progress import OnProgress, advance
from tapviz.measures._ranking import (
    mean_defined,
    n_retrieved,
    n_thresholds,
    ranking,
    weighted_mean,
)
from tapviz.measures.bootstrap import (
    Influences,
    Interval,
    check_resampling,
    draws,
    interval_of,
    order_interval,
    share_inside,
)
from tapviz.measures.coverage import EPQ_TOLERANCE
from tapviz.measures.errors import (
    QUANTILE_TOLERANCE,
    error_quantile,
    nth_error_code,
)
from tapviz.measures.groups import Groups, GroupsOf, as_groups
from tapviz.measures.replicates import HELD_BRIEFLY, Drawn
from tapviz.measures.tap import tap_of
from tapviz.reported import measured_to

Statistic = Literal["mean", "median", "quantile"]

USUAL_QUANTILE = 0.9
BLOCKS, BLOCK = 64, 256
"""Errors are added up in so many blocks at most, of so many at least; then a block is searched."""
FIGURES = ("errors", "recall", "precision", "tap", "exceeding")
BY_ERRORS = ("errors", "precision", "exceeding")
"""Figures that a few groups with errors decide."""
ENOUGH_ERRORS = 20
"""Where fewer are accepted in all, they may as well be twice as many among other queries."""


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

    def of(self, errors: NDArray[np.integer], weight: NDArray[np.float64]) -> float:
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
        lightest = float(lists.weight.min() / total)
        queries = f"{lists.n_queries:,} {'query' if lists.n_queries == 1 else 'queries'}"
        if self.statistic == "mean" and self.errors < lightest * (1 - EPQ_TOLERANCE):
            return (
                f"{queries} cannot resolve {self.errors:g} errors per query: one error in all is "
                f"{lightest:.2g}"
            )
        if self.statistic == "quantile" and 1 - self.quantile < lightest * (1 - EPQ_TOLERANCE):
            return (
                f"{queries} cannot resolve {100 * (1 - self.quantile):.3g} % of the queries: one "
                f"query is {100 * lightest:.2g} %"
            )
        return ""

    def __str__(self) -> str:
        errors = f"{self.errors:g} {'error' if self.errors == 1 else 'errors'} per query"
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


class Figure(NamedTuple):
    """A figure for queries that the threshold was not found on."""

    estimate: float
    """Mean of the repeats of cross-fitting; NaN where undefined."""
    low: float
    high: float
    """Interval; NaN where undefined, and where there are too few groups."""
    in_sample: float
    """The same for the queries that the threshold was found on."""

    @property
    def gap(self) -> float:
        """How much it differs from the figure in the sample."""
        return self.estimate - self.in_sample


class Advised(NamedTuple):
    """The threshold of one algorithm, and what it is worth."""

    threshold: Interval
    """Loosest score at which all queries have no more errors than accepted."""
    errors: Figure
    """Mean, median or quantile of the errors per query, whichever is limited."""
    recall: Figure
    """Share of its relevant records that a query finds, mean over queries with any."""
    precision: Figure
    """Share of relevant records among those retrieved, mean over queries that retrieve any."""
    tap: Figure
    """Mean TAP."""
    exceeding: Figure
    """Share of the queries with more errors than accepted."""
    n_ended: int
    """Parts, of folds times repeats, whose lists ended before there were as many errors: they
    were judged at the end of the lists."""
    few_errors: str
    """Why the threshold and the figures that go by errors have no interval: too few groups have
    any there. Empty otherwise."""
    reason: str
    """Why there is no threshold, and all else is NaN; empty otherwise."""

    @property
    def figures(self) -> dict[str, Figure]:
        """All figures by name."""
        return {name: getattr(self, name) for name in FIGURES}


class Advice(NamedTuple):
    """Thresholds of several algorithms for the errors that are accepted."""

    algorithms: dict[str, Advised]
    accepted: AcceptedErrors
    groups: Groups
    """What is left out, and drawn, as a whole: groups of queries, or single ones."""
    n_folds: int
    n_repeats: int
    n_resamples: int
    seed: int
    level: float
    reason: str
    """Why there are no intervals; empty otherwise."""


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
    return _loosest(lists, _Errors.of(lists, accepted))[0]


def advise(
    results: Mapping[str, RetrievalLists],
    *,
    errors: float = 0.1,
    statistic: Statistic = "mean",
    quantile: float = USUAL_QUANTILE,
    n_folds: int = 10,
    n_repeats: int = 20,
    n_resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    groups: GroupsOf = "relevance",
    progress: OnProgress | None = None,
) -> Advice:
    """Threshold for the errors that are accepted, and what to expect there of new queries.

    A threshold found on some queries makes fewer errors on these than on others. So the groups of
    queries are divided into folds at random: the threshold for each fold is found on all others,
    and its queries are judged there, none by a threshold that has seen it. This is repeated with
    other divisions, and the figures are means over the repeats. For their intervals the groups are
    drawn with replacement, each query as it was judged in one of the repeats; for that of the
    threshold it is found anew from each draw.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        At least one algorithm; all with the same queries in the same order, see `align`.
    errors, statistic, quantile
        As in `loosest_threshold`.
    n_folds : int
        Folds, at least 2; no more than there are groups.
    n_repeats : int
        Divisions into folds, at least 1.
    n_resamples : int
        Draws of groups, at least 1.
    seed : int
        Seed of the random numbers, not negative.
    level : float, in (0, 1)
        Share of the draws inside an interval.
    groups : Groups, array_like, int, "relevance" or None
        Queries that stay together, as in `bootstrap`.
    progress : callable, optional
        Called with the divisions done and their total; False stops the work.

    Returns
    -------
    Advice
        An algorithm whose lists end before there are as many errors has no threshold, and the
        reason. Below 10 groups there are no intervals; below 2, no figures for new queries. Where
        fewer than 20 errors are accepted in all, or fewer than 10 groups have any, the threshold
        and what goes by errors have no interval: so few may as well be twice as many. Where a
        quantile is limited, these are the queries with more errors than accepted.

    Raises
    ------
    ValueError
        If there is no algorithm, they differ in queries, T(q) or weights; if a number is out of
        its range; or if there are no such groups.
    Cancelled
        If `progress` returned False.

    References
    ----------
    Stone (1974), J. R. Statist. Soc. B 36:111; Davison & Hinkley (1997), Bootstrap Methods and
    their Application, section 6.4.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import advise
    >>> found = advise({"BLASTP": load_results()["BLASTP"]}, errors=0.1, n_resamples=50)
    >>> at = found.algorithms["BLASTP"]
    >>> at.threshold.estimate, round(at.recall.estimate, 2), round(at.recall.in_sample, 2)
    (0.047, 0.33, 0.33)
    """
    accepted = check_accepted(errors, statistic, quantile)
    check_resampling(results, None, n_resamples, seed, level)
    for name, value, least in (("n_folds", n_folds, 2), ("n_repeats", n_repeats, 1)):
        whole_number(name, value, least=least)
    first = next(iter(results.values()))
    divided = as_groups(groups, first)
    n_folds = min(int(n_folds), divided.count)
    n_resamples = 0 if divided.few else int(n_resamples)
    judged = {name: _Judged(lists, accepted, divided) for name, lists in results.items()}
    wanted = [one for one in judged.values() if not one.at.reason and n_folds > 1]
    total, done = (int(n_repeats) + n_resamples) * len(wanted), 0
    advance(progress, done, total)
    rng = np.random.Generator(np.random.PCG64([int(seed), n_folds]))
    for _ in range(int(n_repeats)):
        fold = random_folds(divided, n_folds, rng)
        for one in wanted:
            one.cross_fit(fold)
        done += len(wanted)
        advance(progress, done, total)
    if n_resamples:
        held = max(1, HELD_BRIEFLY // max(first.n_queries, 1)) * divided.count
        for drawn in draws(first.weight, divided, n_resamples, seed, held, bayesian=False):
            for weight in drawn.of_queries():
                for one in wanted:
                    one.draw(weight)
                done += len(wanted)
                advance(progress, done, total)
            for one in wanted:
                one.add_influence(drawn)
    return Advice(
        algorithms={name: one.summary(float(level)) for name, one in judged.items()},
        accepted=accepted,
        groups=divided,
        n_folds=n_folds,
        n_repeats=int(n_repeats),
        n_resamples=n_resamples,
        seed=int(seed),
        level=float(level),
        reason=divided.few,
    )


def check_accepted(errors: float, statistic: Statistic, quantile: float) -> AcceptedErrors:
    """Accepted errors, if they make sense.

    Raises
    ------
    ValueError
        If they do not.
    """
    if not 0 <= errors < inf:
        msg = f"errors = {errors}: expected errors per query, at least 0"
        raise ValueError(msg)
    if statistic not in ("mean", "median", "quantile"):
        msg = f'statistic {statistic!r}: expected "mean", "median" or "quantile"'
        raise ValueError(msg)
    if statistic == "quantile" and not 0 < quantile < 1:
        msg = f"quantile = {quantile}: expected a fraction of queries, above 0 and below 1"
        raise ValueError(msg)
    return AcceptedErrors(float(errors), statistic, check_quantile(quantile))


def random_folds(groups: Groups, n_folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Fold of each query, shape (Q,): folds have equally many groups, up to one."""
    return (rng.permutation(groups.count) % max(n_folds, 1))[groups.code]


class _Errors(NamedTuple):
    """Errors in the order in which looser thresholds admit them, as far as they count.

    For the mean these are all errors; for a quantile, the first error of each query that is one
    too many. With the error at which the weights of the queries so far exceed a share of all
    weight, there are more errors than accepted.
    """

    accepted: AcceptedErrors
    code: NDArray[np.int64]
    """Places among the distinct scores, rising."""
    query: NDArray[np.int64]
    edge: NDArray[np.int64]
    """Errors at which blocks begin, and the end."""
    counts: NDArray[np.float64]
    """Errors of each query in each block, shape (J, Q)."""
    most: int
    """Distinct scores: as many codes are admitted where no error is one too many."""

    @classmethod
    def of(cls, lists: RetrievalLists, accepted: AcceptedErrors) -> _Errors:
        """Errors of the queries that were chosen."""
        most = n_thresholds(lists, measured_to(lists))
        if accepted.statistic == "mean":
            row = np.full(lists.whole.n_queries, -1)
            row[lists.rows] = np.arange(lists.n_queries)
            errors = pooled_records(lists)[1]
            query, code = row[errors.query], errors.code.astype(np.int64)
            some = (query >= 0) & (code < most)
            query, code = query[some], code[some]
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

    def admitted(
        self, weight: NDArray[np.float64], fold: NDArray[np.int64], n_folds: int
    ) -> NDArray[np.int64]:
        """How many distinct scores the queries outside of each fold admit, shape (n_folds,)."""
        inside = (fold[:, None] == np.arange(n_folds)) * weight[:, None]
        total = np.cumsum((self.counts @ weight)[:, None] - self.counts @ inside, axis=0)
        limit = weight.sum() - inside.sum(axis=0)
        side: Literal["left", "right"]
        if self.accepted.statistic == "mean":
            limit, side = limit * self.accepted.errors * (1 + EPQ_TOLERANCE), "right"
        else:
            limit, side = limit * (1 - self.accepted.share) * (1 - QUANTILE_TOLERANCE), "left"
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


class _Judgement(NamedTuple):
    """Each query at the threshold that it is judged at; each array (Q,)."""

    errors: NDArray[np.int64]
    recall: NDArray[np.float64]
    """NaN where nothing is relevant."""
    precision: NDArray[np.float64]
    """NaN where nothing is retrieved."""
    tap: NDArray[np.float64]
    too_many: NDArray[np.float64]
    """1 where there are more errors than accepted, else 0."""

    @classmethod
    def of(
        cls, lists: RetrievalLists, accepted: AcceptedErrors, admitted: int | NDArray[np.int64]
    ) -> _Judgement:
        """Each query, where what is among so many distinct scores is retrieved."""
        retrieved = n_retrieved(lists, admitted)
        at = tap_of(lists, nan, retrieved, no_relevant="reference", trim=0, ties="listed")
        errors = retrieved - at.relevant
        return cls(
            errors,
            _ratio(at.relevant, lists.n_relevant),
            _ratio(at.relevant, retrieved),
            at.per_query,
            (errors > accepted.errors * (1 + EPQ_TOLERANCE)).astype(np.float64),
        )

    def figures(self, accepted: AcceptedErrors, weight: NDArray[np.float64]) -> tuple[float, ...]:
        """What queries of some weights come to, in the order of `FIGURES`."""
        means = (mean_defined(values, weight) for values in self[1:])
        return accepted.of(self.errors, weight), *means


class _Judged:
    """One algorithm while it is being judged."""

    def __init__(self, lists: RetrievalLists, accepted: AcceptedErrors, groups: Groups) -> None:
        self._lists, self._accepted, self._groups = lists, accepted, groups
        self._influence = Influences()
        self._errors = _Errors.of(lists, accepted)
        self.at, admitted = _loosest(lists, self._errors)
        self._in_sample = _Judgement.of(lists, accepted, admitted)
        self._held_out: list[_Judgement] = []
        self._drawn: list[tuple[float, ...]] = []
        self._thresholds: list[int] = []
        self._n_ended = 0

    def cross_fit(self, fold: NDArray[np.int64]) -> None:
        """Judge each fold at the threshold of the others."""
        n_folds = int(fold.max()) + 1
        admitted = self._errors.admitted(self._lists.weight, fold, n_folds)
        self._n_ended += int((admitted == self._errors.most).sum())
        for one in range(n_folds):
            admitted[one] = _with_loosest(self._lists, int(admitted[one]), fold != one)
        self._held_out.append(_Judgement.of(self._lists, self._accepted, admitted[fold]))

    def draw(self, weight: NDArray[np.float64]) -> None:
        """Find the threshold of queries of other weights, and judge these where they were judged.

        The threshold at hand is one; what it is worth varies with the queries judged, and with
        how they were divided.
        """
        held_out = self._held_out[len(self._drawn) % len(self._held_out)]
        self._drawn.append(held_out.figures(self._accepted, weight))
        self._thresholds += self._errors.admitted(weight, np.full(weight.size, -1), 1).tolist()

    def add_influence(self, drawn: Drawn) -> None:
        """Take note of the last draws."""
        self._influence.add(drawn, [*np.array(self._drawn[-drawn.n :]).T])

    @property
    def _few_errors(self) -> str:
        """Why errors say too little of other queries; empty if they say enough."""
        accepted, at = self._accepted, self._in_sample
        if accepted.statistic == "mean":
            share, some, what, have = accepted.errors, at.errors > 0, "errors", "errors"
        else:
            share, some = 1 - accepted.share, at.too_many > 0
            what, have = "queries with more errors", "more errors"
        in_all = share * self._lists.n_queries
        if in_all < ENOUGH_ERRORS * (1 - EPQ_TOLERANCE):
            return f"fewer than {ENOUGH_ERRORS} {what} in all"
        with_some = Groups.of(self._groups.code[some], self._groups.unit)
        return f"{with_some.few} have {have}" if with_some.few else ""

    def summary(self, level: float) -> Advised:
        """What was found."""
        if self.at.reason:
            nothing = Figure(nan, nan, nan, nan)
            figures = dict.fromkeys(FIGURES, nothing)
            return Advised(
                Interval(nan, nan, nan),
                **figures,
                n_ended=0,
                few_errors="",
                reason=self.at.reason,
            )
        threshold = ranking(self._lists).threshold
        # Nothing is admitted; or everything, and who knows what else.
        named = np.concatenate(
            [[-self._lists.sign * inf], threshold[:-1], [self._lists.sign * inf]]
        )
        at = named[np.array(self._thresholds, np.int64)]
        weight, accepted = self._lists.weight, self._accepted
        repeats = np.array([one.figures(accepted, weight) for one in self._held_out])
        drawn, in_sample = np.array(self._drawn), self._in_sample.figures(accepted, weight)
        figures, few = {}, "" if self._groups.few else self._few_errors
        shares = [nan] * len(FIGURES)
        if drawn.size:
            shares = [share_inside(level, self._groups, one) for one in self._influence.found]
        for place, name in enumerate(FIGURES):
            estimate = float(repeats[:, place].mean()) if repeats.size else nan
            values = drawn[:, place] if drawn.size else np.full(1, nan)
            share = nan if few and name in BY_ERRORS else shares[place]
            figures[name] = Figure(*interval_of(estimate, values, share), in_sample[place])
        # Where a mean is limited, few groups decide the threshold as they do the errors.
        by_errors = shares[0] if accepted.statistic == "mean" else share_inside(level, self._groups)
        share = nan if few else by_errors
        return Advised(
            order_interval(self.at.threshold, at if at.size else np.full(1, nan), share),
            **figures,
            n_ended=self._n_ended,
            few_errors=few,
            reason="",
        )


def _loosest(lists: RetrievalLists, errors: _Errors) -> tuple[LoosestThreshold, int]:
    """The threshold for all queries, and how many distinct scores it admits."""
    accepted, none = errors.accepted, np.full(lists.n_queries, -1)
    reason = accepted.unresolved(lists)
    if reason:
        return LoosestThreshold(nan, nan, nan, reason), 0
    (admitted,) = errors.admitted(lists.weight, none, 1).tolist()
    loosest = _with_loosest(lists, admitted, np.ones(lists.n_queries, np.bool_))
    if not loosest:
        reason = "there is no record"
        if errors.most:
            strictest = float(ranking(lists).threshold[0])
            reason = f"more errors already at the strictest score, {strictest:g}"
        return LoosestThreshold(nan, nan, nan, reason), 0
    threshold = float(ranking(lists).threshold[loosest - 1])
    made, recall, *_ = _Judgement.of(lists, accepted, admitted).figures(accepted, lists.weight)
    if admitted == errors.most:
        limit = measured_to(lists)
        where = f"at {limit:.3g}, beyond which nothing was measured"
        if np.isinf(limit):
            where = f"at {threshold:.3g}, the last score of all"
        elif lists.reported_how == "inferred":
            where += ", as far as the lists tell"
        reason = f"not reached: {made:.3g} errors per query {where}"
        return LoosestThreshold(nan, nan, nan, reason), admitted
    return LoosestThreshold(threshold, made, recall, ""), admitted


def _with_loosest(lists: RetrievalLists, admitted: int, some: NDArray[np.bool_]) -> int:
    """How many distinct scores there are to the loosest of some queries that is admitted."""
    last = lists.whole.offset[lists.rows] + n_retrieved(lists, admitted) - 1
    last = last[some & (last >= lists.whole.offset[lists.rows])]
    return int(ranking(lists).code[last].max(initial=-1)) + 1


def _ratio(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    ratio = np.full(part.size, nan)
    np.divide(part, whole, out=ratio, where=whole > 0)
    return ratio
