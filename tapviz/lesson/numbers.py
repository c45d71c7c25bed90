"""Two synthetic lists, and every number of the lesson, computed by `tapviz.measures`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz import measures
from tapviz.lists import Direction, RetrievalLists
from tapviz.readers.datasets import load_results

N = 50
"""Errors of ROC_n, unless the reader chooses others."""
K = 20
"""Errors per query of TAP-k."""
LONGEST = 540
"""Errors that curves are drawn to: all of B's."""
SLACK = 1e-12
"""A mean may be outside its parts by so much, which is rounding."""

PAIR = ("d4dh2b_", "d2ok5a4")
"""Two queries of the bundled data set that jackhmmer pools to less than either has alone."""
SEARCHES = ("BLASTP", "SSEARCH", "PSI-BLAST", "jackhmmer")
"""The searches of the bundled data set whose TAP is swept."""
RIVALS = ("MMseqs2_iter3", "DIAMOND")
"""The programs of the opening: query by query the first is better, pooled the second."""
LARGEST = 12
"""Queries that the reader can lift out."""
CLOSELY = "jackhmmer"
"""The search that the real scenes look at."""

N_RELEVANT = 481
"""T(q) of the queries A and B, which are made up."""
E0 = 8.1
"""The threshold of the paper's figure."""

# In rank order: R or I, how many of them, and log10 of their first and last E-value.
A = (
    ("R", 93, -133.5, -124.9),
    ("R", 374, -124.7, -6.0),
    ("I", 35, -2.0, 0.9),
    ("I", 65, 0.95, 1.0),
)
B = (
    ("R", 94, -179.0, -171.0),
    ("I", 50, -170.0, -134.0),
    ("I", 153, -133.9, -124.8),
    ("I", 77, -124.0, -100.0),
    ("R", 205, -99.0, -50.0),
    ("I", 220, -49.0, -20.0),
    ("R", 171, -19.0, -2.0),
    ("I", 40, -1.5, 0.9),
)


@lru_cache(maxsize=32)
def two_lists(c: float = 1.0, copies: int = 1) -> RetrievalLists:
    """The lists of query A, nearly ideal, and of query B, whose errors have small E-values.

    Parameters
    ----------
    c : float, in (0, 1]
        B's E-values are recalibrated to E^c. That is another scale; B's order does not change.
    copies : int
        How many queries have a list such as A's. The last query is always B.

    Returns
    -------
    RetrievalLists
        Queries "A" (or "A1", "A2", ...) and "B", with 481 relevant records in the database each.

    Raises
    ------
    ValueError
        If c is not in (0, 1], or there is not at least one copy.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Figure 4. Its lists are not public: these are
    made up, to have its numbers.

    Examples
    --------
    >>> from tapviz import pooled_roc_n, roc_n
    >>> from tapviz.lesson import two_lists
    >>> lists = two_lists()
    >>> roc_n(lists, n=50).per_query.round(3), round(pooled_roc_n(lists, n=50), 3)
    (array([0.971, 0.195]), 0.098)
    """
    if not 0 < c <= 1 or copies < 1:
        msg = f"c = {c}, copies = {copies}: expected c above 0 and at most 1, and at least 1 copy"
        raise ValueError(msg)
    lists = [_records(A, 1.0)] * copies + [_records(B, c)]
    query = [*(["A"] if copies == 1 else [f"A{i + 1}" for i in range(copies)]), "B"]
    return joined(lists, query, [N_RELEVANT] * len(lists))


def joined(
    lists: Sequence[tuple[np.ndarray, np.ndarray]],
    query: Sequence[str],
    n_relevant: ArrayLike,
    direction: Direction = "ascending",
) -> RetrievalLists:
    """Lists of queries, of each of which there are the scores, and which records are relevant."""
    scores, relevant = zip(*lists, strict=True)
    offset = np.cumsum([0, *map(len, scores)])
    records = np.concatenate(scores), np.concatenate(relevant)
    return RetrievalLists(*records, offset, n_relevant, query=query, direction=direction)


def _records(
    parts: tuple[tuple[str, int, float, float], ...], c: float
) -> tuple[np.ndarray, np.ndarray]:
    """E-value, and whether it is relevant, of each record in rank order."""
    exponent = np.concatenate([np.linspace(first, last, n) for _, n, first, last in parts])
    relevant = np.repeat([kind == "R" for kind, *_ in parts], [n for _, n, *_ in parts])
    return 10.0 ** (c * exponent), relevant


class Pair(NamedTuple):
    """ROC_n of two lists, and of both merged."""

    own: tuple[float, float]
    pooled: float


class Curves(NamedTuple):
    """Fraction of the relevant records found before each of the first n errors, (n,) each."""

    own: tuple[NDArray[np.float64], NDArray[np.float64]]
    pooled: NDArray[np.float64]


class Merged(NamedTuple):
    """The records of several lists in the order of their scores; each (N,)."""

    query: NDArray[np.int64]
    """Place of the query of each record."""
    relevant: NDArray[np.bool_]
    score: NDArray[np.float64]
    record: NDArray[np.object_] | None
    """Ids, where there are any."""


class ReadSoFar(NamedTuple):
    """How much of each list is among the merged records up to the f-th irrelevant one."""

    records: int
    of: tuple[int, ...]
    """Records of each list, the relevant ones included."""
    relevant_of: tuple[int, ...]
    """Relevant records of each list."""


class Scores(NamedTuple):
    """Scores of some good queries, and of B, which is the last."""

    pooled: float
    mean_own: float
    """Mean of the ROC_n of each query."""
    own: float
    """ROC_n of B alone."""
    mean_tap: float
    """Mean TAP at E_0."""
    tap: float
    """TAP of B alone."""


class Counts(NamedTuple):
    """Errors per query at a threshold."""

    mean: float
    median: float
    largest: float


def pair(lists: RetrievalLists, n: int = N) -> Pair:
    """ROC_n of each of two lists, and of both merged by score.

    Parameters
    ----------
    lists : RetrievalLists
        Two queries.
    n : int
    """
    first, second = measures.roc_n(lists, n=n).per_query.tolist()
    return Pair((first, second), measures.pooled_roc_n(lists, n=n))


def curves(lists: RetrievalLists, n: int = LONGEST) -> Curves:
    """The curves behind `pair`, whose mean height over n errors is ROC_n."""
    first, second = (
        measures.roc_n_curve(lists.subset(lists.query == q), n=n).average for q in lists.query
    )
    return Curves((first, second), measures.roc_n_curve(lists, n=n).pooled)


def crossing(curve_pair: Curves) -> int:
    """First error at which the merged curve is no longer below both others; 0 if it always is."""
    free = curve_pair.pooled >= np.minimum(*curve_pair.own)
    return int(np.argmax(free)) + 1 if free.any() else 0


def merged(lists: RetrievalLists) -> Merged:
    """All records in the order of their scores; those of equal score in that of the queries."""
    order = np.argsort(lists.sign * lists.score, kind="stable")
    query = np.repeat(np.arange(lists.n_queries), np.diff(lists.offset))
    record = None if lists.record is None else lists.record[order]
    return Merged(query[order], lists.relevant[order], lists.score[order], record)


def read_until(pool: Merged, f: int) -> ReadSoFar:
    """Count the merged records up to the f-th irrelevant one.

    Parameters
    ----------
    pool : Merged
    f : int
        From 0; beyond the last irrelevant record, all records.
    """
    errors = np.flatnonzero(~pool.relevant)
    records = 0 if f <= 0 else int(errors[f - 1]) + 1 if f <= errors.size else pool.query.size
    seen, result = pool.query[:records], pool.relevant[:records]
    size = int(pool.query.max()) + 1
    of, relevant_of = (np.bincount(some, minlength=size) for some in (seen, seen[result]))
    return ReadSoFar(records, tuple(of.tolist()), tuple(relevant_of.tolist()))


@cache
def scores_of(c: float = 1.0, copies: int = 1) -> Scores:
    """Scores of so many lists such as A's and one such as B's, whose E-values are E^c."""
    lists = two_lists(c, copies)
    own, at = measures.roc_n(lists, n=N).per_query, measures.tap(lists, E0)
    pooled, of_b = measures.pooled_roc_n(lists, n=N), float(at.per_query[-1])
    return Scores(pooled, float(own.mean()), float(own[-1]), at.value, of_b)


def taken(copies: int, n: int) -> tuple[int, int]:
    """Of the first n errors of so many lists such as A's and one such as B's, those of each kind.

    Examples
    --------
    >>> from tapviz.lesson.numbers import taken
    >>> taken(49, 50), taken(1, 5000)
    ((0, 50), (100, 540))
    """
    pool = merged(two_lists(copies=copies))
    of_b = int((pool.query[~pool.relevant][:n] == copies).sum())
    return min(n, int((~pool.relevant).sum())) - of_b, of_b


class Outside(NamedTuple):
    """Pairs of real queries whose pooled ROC_50 lies outside the range of their own."""

    pairs: int
    below: int
    above: int


@cache
def outside() -> Outside:
    """All pairs of queries of the bundled data set, as jackhmmer answered them."""
    found = measures.betweenness_violations(bundled_lists(), k=K, n=N, limit=10**6)
    below = sum(bool(one.pooled_roc_n < one.roc_n.min()) for one in found.violations)
    return Outside(found.n_pairs, below, found.n_pair_violations - below)


def tap_between(lists: RetrievalLists, e0: float) -> bool:
    """Whether mean TAP at a threshold lies between that of the worst and the best query."""
    at = measures.tap(lists, e0)
    return _between(at.value, at.per_query)


def pooled_between(lists: RetrievalLists) -> bool:
    """Whether pooled ROC_n lies between that of the worst and the best query."""
    return _between(measures.pooled_roc_n(lists, n=N), measures.roc_n(lists, n=N).per_query)


def _between(value: float, own: NDArray[np.float64]) -> bool:
    return bool(own.min() - SLACK <= value <= own.max() + SLACK)


def one_query_errs(n_queries: int, errors: int) -> Counts:
    """Errors per query where one query has all the errors, and all others have none."""
    counts = np.array([0, errors] if n_queries > 1 else [errors])
    weights = np.array([n_queries - 1.0, 1.0] if n_queries > 1 else [1.0])
    median = measures.error_quantile(counts, weights, 0.5)
    return Counts(float(np.average(counts, weights=weights)), float(median), float(errors))


def bundled_lists(name: str = CLOSELY) -> RetrievalLists:
    """Lists of one search of the bundled data set."""
    return load_results("scope40")[name]


@cache
def bundled_errors(name: str, e0: float) -> Counts:
    """Errors per query of one search of the bundled data set at a threshold."""
    result = measures.epq_distribution(bundled_lists(name), [e0])
    return Counts(float(result.mean[0]), float(result.median[0]), float(result.maximum[0]))


@cache
def bundled_tap(name: str) -> measures.Tap:
    """TAP-20 of a search of the bundled data set."""
    return measures.tap_k(bundled_lists(name), k=K)


@cache
def real_pair() -> RetrievalLists:
    """The two queries of `PAIR`, in that order, as jackhmmer answered them."""
    lists = bundled_lists()
    return lists.subset(np.isin(lists.query, PAIR))


class Opening(NamedTuple):
    """Two programs, each query's scores by them, and what leaving queries out does to pooling."""

    query: NDArray[np.str_]
    """Ids, (Q,)."""
    own: NDArray[np.float64]
    """ROC_n of each query by each program, (Q, 2)."""
    without: NDArray[np.float64]
    """Pooled ROC_n without one query, (Q, 2)."""
    largest: NDArray[np.int64]
    """Places of the queries that supply most pooled errors, (L,), of which there are 12 at most."""
    supplied: NDArray[np.float64]
    """Pooled errors that these supply to both programs, (L,)."""
    pooled: NDArray[np.float64]
    """Pooled ROC_n without some of these, (2**L, 2): bit i of a row says whether query i is out."""


@cache
def opening() -> Opening:
    """Pooled ROC_50 of `RIVALS` without any of the twelve queries that supply most errors."""
    return opening_of([bundled_lists(name) for name in RIVALS])


def opening_of(both: Sequence[RetrievalLists]) -> Opening:
    """The same of the lists of two programs, which have at least two queries, the same ones."""
    own = np.stack([measures.roc_n(lists, n=N).per_query for lists in both], 1)
    alone = [measures.influence(lists, k=K, n=N) for lists in both]
    supplied = alone[0].supplied + alone[1].supplied
    largest = np.argsort(-supplied, kind="stable")[: min(LARGEST, len(own) - 1)]
    early = [_early(lists, largest) for lists in both]
    pooled = np.empty((2**largest.size, 2))
    for row in range(len(pooled)):
        rest = np.ones(len(own), np.bool_)
        rest[largest[(row >> np.arange(largest.size)) & 1 == 1]] = False
        pooled[row] = [measures.pooled_roc_n(lists.subset(rest), n=N) for lists in early]
    without = np.stack([one.pooled_without for one in alone], 1)
    return Opening(both[0].query, own, without, largest, supplied[largest], pooled)


def turning(found: Opening) -> tuple[int, NDArray[np.int64]]:
    """How few of the largest queries turn the order of the pooled scores, and which choices do.

    Rows of `pooled`, that with the clearest order first; 0 and none where no choice turns it.
    """
    apart = found.pooled[:, 0] - found.pooled[:, 1]
    apart = apart if apart[0] <= 0 else -apart
    rows = np.flatnonzero(apart > 0)
    gone = np.bitwise_count(rows)
    if not rows.size:
        return 0, rows
    best = rows[gone == gone.min()]
    return int(gone.min()), best[np.argsort(-apart[best], kind="stable")]


def _early(lists: RetrievalLists, out: NDArray[np.int64]) -> RetrievalLists:
    """The records that pooled ROC_n reads, whichever of some queries are out."""
    inside = np.ones(lists.n_queries, np.bool_)
    inside[out] = False
    pool = merged(lists.subset(inside))
    errors = np.flatnonzero(~pool.relevant)
    if errors.size < N:
        return lists
    last = pool.score[errors[N - 1]]
    keep = lists.sign * lists.score <= lists.sign * last
    records = lists.score[keep], lists.relevant[keep]
    offset = np.concatenate([[0], np.cumsum(keep)])[lists.offset]
    return RetrievalLists(
        *records, offset, lists.n_relevant, query=lists.query, direction=lists.direction
    )


@cache
def random_tries(count: int, seed: int) -> tuple[int, int]:
    """How often mean TAP, and pooled ROC_n, are outside their parts.

    Of groups of 2 to 10 queries of the bundled data set, with a threshold for each.

    Parameters
    ----------
    count : int
        Groups to draw.
    seed : int
        The same seed draws the same groups.
    """
    lists, random = bundled_lists(), np.random.default_rng(seed)
    outside_tap = outside_pooled = 0
    for _ in range(count):
        mask = np.zeros(lists.n_queries, np.bool_)
        mask[random.choice(lists.n_queries, random.integers(2, 11), replace=False)] = True
        group = lists.subset(mask)
        outside_tap += not tap_between(group, 10.0 ** random.uniform(-30, 1.9))
        outside_pooled += not pooled_between(group)
    return outside_tap, outside_pooled
