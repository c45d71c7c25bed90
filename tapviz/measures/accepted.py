"""How many errors a person accepts, and the loosest threshold at which queries have no more."""

from __future__ import annotations

from math import floor, inf, nan
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import measured_to
from tapviz.measures import _ranking
from tapviz.measures._checks import check_choice, check_number, check_quantile
from tapviz.measures.coverage import EPQ_TOLERANCE
from tapviz.measures.errors import QUANTILE_TOLERANCE, error_quantile, nth_error_code
from tapviz.measures.tap import tap_of

__all__ = ["USUAL_QUANTILE", "AcceptedErrors", "LoosestThreshold", "Statistic", "loosest_threshold"]

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

    def of(self, errors: NDArray[np.integer], weight: NDArray[np.float64]) -> float:
        """Mean, median or quantile of the errors of each query, shape (Q,)."""
        if not weight.sum() > 0:
            return nan
        if self.statistic == "mean":
            return _ranking.weighted_mean(errors.astype(np.float64), weight)
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
    check_number("errors", errors, 0 <= errors < inf, "errors per query, at least 0")
    check_choice("statistic", statistic, "mean", "median", "quantile")
    if statistic == "quantile" and not 0 < quantile < 1:
        msg = f"quantile = {quantile}: expected a fraction of queries, above 0 and below 1"
        raise ValueError(msg)
    return AcceptedErrors(float(errors), statistic, check_quantile(quantile))


class OrderedErrors(NamedTuple):
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

    def admitted(
        self, weight: NDArray[np.float64], fold: NDArray[np.int64], n_folds: int
    ) -> NDArray[np.int64]:
        """How many distinct scores the queries outside of each fold admit, shape (n_folds,)."""
        inside = (fold[:, None] == np.arange(n_folds)) * weight[:, None]
        total = np.cumsum((self.counts @ weight)[:, None] - self.counts @ inside, axis=0)
        limit = weight.sum() - inside.sum(axis=0)
        side: Literal["left", "right"]
        if self.accepted.statistic == "mean":
            limit, side = limit * self.accepted.limit * (1 + EPQ_TOLERANCE), "right"
        else:
            limit, side = limit * self.accepted.limit * (1 - QUANTILE_TOLERANCE), "left"
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
    ) -> Judgement:
        """Each query, where what is among so many distinct scores is retrieved."""
        retrieved = _ranking.n_retrieved(lists, admitted)
        at = tap_of(lists, nan, retrieved, no_relevant="reference", trim=0, ties="listed")
        errors = retrieved - at.relevant
        return cls(
            errors,
            _ranking.ratio(at.relevant, lists.n_relevant),
            _ranking.ratio(at.relevant, retrieved),
            at.per_query,
            (errors > accepted.errors * (1 + EPQ_TOLERANCE)).astype(np.float64),
        )

    def figures(self, accepted: AcceptedErrors, weight: NDArray[np.float64]) -> tuple[float, ...]:
        """What queries of some weights come to, in the order of `FIGURES`."""
        means = (_ranking.mean_defined(values, weight) for values in self[1:])
        return accepted.of(self.errors, weight), *means


def loosest(lists: RetrievalLists, errors: OrderedErrors) -> tuple[LoosestThreshold, int]:
    """The threshold for all queries, and how many distinct scores it admits."""
    reason = errors.accepted.unresolved(lists)
    if reason:
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
    elif lists.reported_how == "inferred":
        where += ", as far as the lists tell"
    reason = f"not reached: {made:.3g} errors per query {where}"
    return LoosestThreshold(nan, nan, nan, reason)


def with_loosest(lists: RetrievalLists, admitted: int, some: NDArray[np.bool_]) -> int:
    """How many distinct scores there are to the loosest of some queries that is admitted."""
    last = lists.whole.offset[lists.rows] + _ranking.n_retrieved(lists, admitted) - 1
    last = last[some & (last >= lists.whole.offset[lists.rows])]
    return int(_ranking.ranking(lists).code[last].max(initial=-1)) + 1
