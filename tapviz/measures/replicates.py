"""Scores of many replicates of the queries at once, from how often each group is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tapviz.lists import RetrievalLists, all_kept
from tapviz.lists.checks import check_results
from tapviz.measures import _common, _ranking
from tapviz.measures._common import AnyInts, Bools, Floats, Ints, Ints32, Numbers, ratio, refuse
from tapviz.measures.coverage import EPQ_TOLERANCE
from tapviz.measures.groups import Groups, GroupsOf, as_groups
from tapviz.measures.intervals import share_inside

if TYPE_CHECKING:  # which takes longer to import than tapviz itself
    from scipy.sparse import csr_array

__all__ = ["Drawn", "Replicate", "coverage_replicates", "mean_replicates", "pooled_replicates"]

HELD_BRIEFLY = 1 << 21
"""Weights of queries in replicates that are made at a time: 16 MB."""
STEP = 10
"""To look at the next query of each replicate takes so many times as long as to add up a block."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Replicates of the queries: how often each group of them is drawn.

    Attributes
    ----------
    times : ndarray of float64, shape (R, G)
        Of each group in each of R replicates.
    group : ndarray of int64, shape (Q,)
        The group of each query.
    weight : ndarray of float64, shape (Q,)
        Of each query itself.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import Drawn
    >>> drawn = Drawn(np.array([[2.0, 0.0]]), np.array([0, 0, 1]), np.array([1.0, 1.0, 3.0]))
    >>> drawn.of_queries().tolist(), drawn.total().tolist()
    ([[2.0, 2.0, 0.0]], [4.0])
    """

    times: Floats
    group: Ints
    weight: Floats

    @classmethod
    def singly(cls, times: ArrayLike) -> Drawn:
        """Replicates in which each query is drawn so often, shape (R, Q)."""
        found = np.array(times, np.float64, ndmin=2)
        size = found.shape[1]
        return cls(found, np.arange(size), np.ones(size))

    @property
    def n(self) -> int:
        """How many replicates there are."""
        return len(self.times)

    def part(self, rows: slice | Ints) -> Drawn:
        """Some of the replicates."""
        return replace(self, times=self.times[rows])

    def of_queries(self, at: slice | Ints = slice(None)) -> Floats:
        """Weight of each query in each replicate, shape (R, Q), or of some queries."""
        weight = self.times.take(self.group[at], axis=1)
        weight *= self.weight[at]
        return weight

    def of_groups(self, values: Numbers) -> Floats:
        """Sum over the queries of each group, shape (G,)."""
        return _common.sum_by_query(self.group, values, self.times.shape[1])

    def sums(self, values: Floats) -> Floats:
        """Sum over what is drawn of a number of each group, shape (R,)."""
        # Not by BLAS, whose threads go on to take a processor while they wait for more.
        found: Floats = np.einsum("rg,g->r", self.times, values)
        return found

    @cached_property
    def by_group(self) -> Floats:
        """How often each group is drawn, group after group: shape (G, R)."""
        return np.ascontiguousarray(self.times.T)

    @cached_property
    def _total(self) -> Floats:
        return self.sums(self.of_groups(self.weight))

    def total(self) -> Floats:
        """Weight of all queries in each replicate, shape (R,)."""
        return self._total

    def cumulated(self, place: AnyInts, query: AnyInts, values: Numbers, size: int) -> Floats:
        """Sum over what is drawn of values of queries, up to each of some places; (size, R)."""
        from scipy import sparse  # noqa: PLC0415  # takes longer to import than tapviz itself

        weighted, cells = self.weight[query] * values, (place, self.group[query])
        shape = (size, self.times.shape[1])
        table: Floats = sparse.csr_array((weighted, cells), shape) @ self.by_group
        for before, after in pairwise(table):  # several times as fast as NumPy along this axis
            np.add(before, after, out=after)
        return table

    def upper_place(self, order: Ints, share: float) -> Ints:
        """Where in an order of the queries a share of the weight is reached, shape (R,).

        First the block of queries in which it is, then the query.
        """
        size = int(np.sqrt(order.size / STEP)) + 1
        block = np.arange(order.size) // size
        sums = self.cumulated(block, order, np.ones(order.size), block[-1] + 1)
        enough, each = share * self.total(), np.arange(self.n)
        which = (sums[:-1] < enough).view(np.int8).sum(axis=0, dtype=np.intp)
        reached = np.where(which > 0, sums[which - 1, each], 0.0)
        place = which * size
        for _ in range(size):
            query = order.take(place, mode="clip")
            reached += self.weight[query] * self.by_group[self.group[query], each]
            place += reached < enough
        found: Ints = np.minimum(place, order.size - 1)
        return found


class Sampled:
    """Scores of replicates while they come in, and how they go with each group drawn."""

    def __init__(self) -> None:
        self._taken: list[Floats] = []
        self._n = 0
        self._values = self._drawn = self._products = np.zeros(1)

    def add(self, drawn: Drawn, scores: Sequence[Numbers]) -> None:
        """Take in replicates, and their scores, each of shape (R,) or (P, R)."""
        values = np.asarray(scores, np.float64)
        self._taken.append(values)
        self._n += drawn.n
        self._values = self._values + values.sum(axis=-1)
        self._drawn = self._drawn + drawn.times.sum(axis=0)
        with np.errstate(invalid="ignore"):  # of undefined scores
            products = _common.product_of(values.reshape(-1, drawn.n), drawn.times)
            products = products.reshape(*values.shape[:-1], -1)
            products += self._products
        self._products = products

    @property
    def values(self) -> Floats:
        """All that was taken in, shape (S, B) or (S, P, B)."""
        return np.concatenate(self._taken, axis=-1)

    @property
    def influence(self) -> Floats:
        """Covariance of each score with how often each group was drawn, (S, G) or (S, P, G)."""
        covariance = self._values[..., None] * self._drawn
        covariance /= -self._n
        covariance += self._products
        covariance /= self._n
        return covariance


@dataclass(frozen=True, eq=False)
class Resampling:
    """What is drawn, how often, and the level of intervals."""

    weight: Floats
    """Of the queries."""
    groups: Groups
    n_resamples: int
    seed: int
    level: float
    bayesian: bool

    @classmethod
    def of(
        cls,
        results: Mapping[str, RetrievalLists],
        groups: GroupsOf,
        n_resamples: int,
        seed: int,
        level: float,
        *,
        bayesian: bool = False,
        e0: float | None = None,
    ) -> Resampling:
        """ValueError unless these results can be resampled together, so often and at this level."""
        _common.whole_number("n_resamples", n_resamples)
        _common.whole_number("seed", seed, least=0)
        _common.check_fraction("level", level)
        check_results(results)
        one, first = next(iter(results.items()))
        expected = "the same queries in the same order, with the same T(q) and weights"
        for name, lists in results.items():
            for field in ("query", "n_relevant", "weight"):
                message = f"{one} and {name} differ in `{field}`: expected {expected}; use align"
                refuse(not np.array_equal(getattr(lists, field), getattr(first, field)), message)
            message = f"{one} has {first.direction} scores and {name} {lists.direction} ones"
            apart = e0 is not None and lists.direction != first.direction
            refuse(apart, f"{message}: no E_0 is common to both")
        drawn = as_groups(groups, first)
        return cls(first.weight, drawn, int(n_resamples), int(seed), float(level), bayesian)

    def draws(self, held: int) -> Iterator[Drawn]:
        """Replicates, some at a time, in the same memory each time: so many draws of a group."""
        rng = np.random.Generator(np.random.PCG64(self.seed))
        size = self.groups.count
        held = min(self.n_resamples, max(1, held // max(size, 1)))
        memory = np.empty((held, size))
        for start in range(0, self.n_resamples, held):
            rows = memory[: self.n_resamples - start]
            for row in rows:
                if self.bayesian:
                    drawn = rng.standard_exponential(size)
                    row[:] = drawn / drawn.mean() if size else drawn
                else:
                    row[:] = np.bincount(rng.integers(0, max(size, 1), size), minlength=size)
            yield Drawn(rows, self.groups.code, self.weight)

    def share(self, influence: Floats | None = None) -> Floats:
        """Share of the replicates inside an interval, as `share_inside` has it."""
        return share_inside(self.level, self.groups, influence)


Replicate = Callable[[Drawn, Ints], Floats]
"""Score of each of R replicates, (R,), from what is drawn, and the place of the threshold of each
among the distinct scores, (R,)."""


def mean_replicates(values: Floats) -> Replicate:
    """Weighted means of what each query scores; queries whose score is NaN are left out.

    Parameters
    ----------
    values : ndarray of float, shape (Q,)

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import Drawn, mean_replicates
    >>> means = mean_replicates(np.array([1.0, np.nan, 4.0]))
    >>> means(Drawn.singly([[2, 1, 1], [0, 2, 0]]), np.zeros(2, np.int64)).tolist()
    [2.0, nan]
    """
    known = ~np.isnan(values)
    defined = np.where(known, values, 0.0)

    def means(drawn: Drawn, _: Ints) -> Floats:
        weight = drawn.weight * known
        total = drawn.sums(drawn.of_groups(weight * defined))
        return ratio(total, drawn.sums(drawn.of_groups(weight)))

    return means


def pooled_replicates(lists: RetrievalLists, *, n: int) -> Replicate:
    """Pooled ROC_n, where a list that is drawn c times is merged c times.

    As `pooled_roc_n` it knows no weights of queries but how often each is drawn. Records of equal
    score are one straight line of the curve, of which only what comes before the n-th error counts.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Irrelevant records over all lists drawn, at least 1.

    Raises
    ------
    ValueError
        If n is not a whole number of at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import Drawn, pooled_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [True, False, False], [0, 2, 3], [2, 1])
    >>> pooled = pooled_replicates(lists, n=2)
    >>> pooled(Drawn.singly([[1, 1], [2, 0]]), np.zeros(2, np.int64)).round(3).tolist()
    [0.333, 0.5]
    """
    n = _common.kept_errors(lists, n)
    pools = _Pools(lists, 4 * n, np.ones(lists.n_queries))

    def scores(drawn: Drawn, _: Ints) -> Floats:
        pool, errors, before, inside = pools.of(drawn, lambda errors: errors.sum(axis=1) >= n)
        # Errors of each block that are among the first n; past all errors the curve is flat.
        used = np.clip(n - (np.cumsum(errors, axis=1) - errors), 0, errors)
        area = (used * (before + ratio(inside * used, 2 * errors, 0.0))).sum(axis=1)
        area += np.maximum(n - errors.sum(axis=1), 0) * drawn.sums(pool.retrieved)
        return ratio(area, n * drawn.sums(pool.n_relevant))

    return scores


def coverage_replicates(lists: RetrievalLists, *, epq: float) -> Replicate:
    """Share of all relevant records found with at most so many errors per query.

    As `coverage_vs_epq`, mean errors and pooled coverage, of the queries drawn.

    Parameters
    ----------
    lists : RetrievalLists
    epq : float
        Errors per query.

    Raises
    ------
    ValueError
        If it is not a positive number.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import Drawn, coverage_replicates
    >>> lists = RetrievalLists([0.1, 0.2, 0.3], [True, False, True], [0, 2, 3], [2, 1])
    >>> found = coverage_replicates(lists, epq=0.5)
    >>> found(Drawn.singly([[1, 1], [2, 0], [0, 2]]), np.zeros(3, np.int64)).round(3)
    array([0.667, 0.5  , 1.   ])
    """
    _common.check_number("epq", epq, 0 < epq < np.inf, "a positive number of errors per query")
    # Of condensed lists it is known where the first error too many comes up to E_keep.
    # Of whole ones also that it never comes, which is one place beyond the last score.
    known = _ranking.n_told(lists) + (1 if all_kept(lists) else 0)
    pools = _Pools(lists, 2 * int(np.ceil(epq * lists.whole.n_queries)) + 1, lists.weight)

    def scores(drawn: Drawn, _: Ints) -> Floats:
        limit = epq * (1 + EPQ_TOLERANCE) * drawn.total()

        def within(errors: Floats) -> Bools:
            return np.cumsum(errors, axis=1) <= limit[:, None]

        pool, errors, before = pools.of(drawn, lambda errors: ~within(errors).all(axis=1))[:3]
        n_blocks = within(errors).sum(axis=1)
        before = np.column_stack([before, drawn.sums(pool.retrieved)])
        found = np.take_along_axis(before, n_blocks[:, None], axis=1)[:, 0]
        found[n_blocks >= np.searchsorted(pool.code, known)] = np.nan
        return ratio(found, drawn.sums(pool.n_relevant))

    return scores


class _Pool(NamedTuple):
    """The merged lists as far as some error: blocks of records of one score that hold errors."""

    errors: csr_array
    """Irrelevant records of each group in each block, a sparse matrix of shape (J, G)."""
    inside: csr_array
    """Relevant records in each block."""
    since: csr_array
    """Relevant records after the block before."""
    code: Ints32
    """Place of the score of each block among the distinct scores, and one of none, (J + 1,)."""
    retrieved: Floats
    """Relevant records in the whole lists of each group, shape (G,)."""
    n_relevant: Floats
    """Relevant records of the database of each group, shape (G,)."""
    whole: bool
    """Whether no error comes after."""


class _Pools:
    """The merged lists, as far as replicates have asked for them: so many errors of all queries."""

    def __init__(self, lists: RetrievalLists, length: int, weight: Floats) -> None:
        self._lists, self._length, self._weight = lists, length, weight
        self._made: tuple[int, Ints, _Pool] | None = None

    def of(
        self, drawn: Drawn, enough: Callable[[Floats], ArrayLike]
    ) -> tuple[_Pool, Floats, Floats, Floats]:
        """Merge lists until each replicate has enough errors.

        Returns
        -------
        tuple
            What is merged, by the groups that are drawn, and for each replicate and block (R, J)
            the errors in it, and the relevant records before it and in it.
        """

        def drawn_of(counts: csr_array) -> Floats:
            product: Floats = (counts @ drawn.times.T).T
            return product

        while True:
            made = self._made
            if made is None or made[0] != self._length or made[1] is not drawn.group:
                pool = _pool(self._lists, self._length, self._weight, drawn)
                made = self._made = self._length, drawn.group, pool
            pool = made[2]
            errors = drawn_of(pool.errors)
            if pool.whole or np.all(enough(errors)):
                break
            self._length *= 4
        inside = drawn_of(pool.inside)
        before = np.cumsum(drawn_of(pool.since) + inside, axis=1) - inside
        return pool, errors, before, inside


def _pool(lists: RetrievalLists, length: int, weight: Floats, drawn: Drawn) -> _Pool:
    from scipy import sparse  # noqa: PLC0415  # takes longer to import than tapviz itself

    relevant, irrelevant = _ranking.records_to_error(lists, length)
    of_errors, errors = _ranking.of_rows(lists, irrelevant)
    block, place = np.unique(errors, return_inverse=True)
    end = int(np.searchsorted(relevant.code, block[-1], side="right")) if block.size else 0
    of_hits, hits = _ranking.of_rows(lists, relevant.part(slice(end)))
    n_errors = np.diff(_ranking.list_positions(lists).irrelevant_offset)
    retrieved = (np.diff(lists.whole.offset) - n_errors)[lists.rows]
    at = np.searchsorted(block, hits)
    tied = block[at] == hits if block.size else np.zeros(0, np.bool_)

    def counts(place: Ints, query: Ints32) -> csr_array:
        shape = (block.size, drawn.times.shape[1])
        return sparse.csr_array((weight[query], (place, drawn.group[query])), shape=shape)

    inside, since = (counts(at[some], of_hits[some]) for some in (tied, ~tied))
    code = np.append(block, _ranking.ranking(lists).threshold.size)
    found = drawn.of_groups(weight * retrieved), drawn.of_groups(weight * lists.n_relevant)
    whole = bool(length >= n_errors.sum())
    return _Pool(counts(place, of_errors), inside, since, code, *found, whole)
