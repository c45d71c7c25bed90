"""ROC_n: per query, as a curve over errors, and pooled over all queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

import numpy as np

from tapviz.lists import RetrievalLists, check_kept, derived
from tapviz.lists.checks import in_runs
from tapviz.measures import _common, _ranking
from tapviz.measures._common import AnyInts, Floats, Ints, Ints32, PerQuery, kept_errors, ratio
from tapviz.measures.ties import Bracket, Order, Ties, reorder, tie_bracket

__all__ = [
    "Baroc", "Beyond", "RocCurve", "baroc", "mean_roc_n_bracket", "pooled_roc_n",
    "pooled_roc_n_bracket", "roc_n", "roc_n_curve", "sensitivity_to_error",
]  # fmt: skip

Beyond = Literal["flat", "observed", "nan"]
"""What becomes of a ROC curve beyond the end of a list with fewer than n irrelevant records."""
MANY = 1 << 20
"""Errors of which the height of the curve is held of each, also of those that there are not."""


class RocCurve(NamedTuple):
    """Relevant records found before each of the first n errors; ROC_n is the mean of the n values.

    Records of equal score share evenly: their errors and relevant records are found together.
    """

    errors: Ints
    """1, 2, ..., n, shape (n,)."""
    average: Floats
    """Mean over queries with T(q) > 0 of the fraction of T(q) found in the query's own list."""
    pooled: Floats
    """Fraction of all relevant records found in the lists of all queries merged."""


class Baroc(NamedTuple):
    """ROC_n of each query with n in proportion to T(q), and their mean."""

    value: float
    """Weighted mean over queries with T(q) > 0; NaN if there is none."""
    per_query: Floats
    """NaN where T(q) = 0, shape (Q,)."""
    n: Ints
    """Irrelevant records in the top list of each query, shape (Q,)."""
    ratio: Floats
    """Relevant records in the top list of each query, relative to its n; NaN where T(q) = 0."""
    c: float
    n_no_relevant: int
    """Queries with T(q) = 0, left out of the mean."""
    n_short: int
    """Queries averaged whose list holds fewer than n irrelevant records."""
    reason: str
    """Why `value` is NaN; empty otherwise."""


def roc_n(
    lists: RetrievalLists, *, n: int = 50, ties: Ties = "block", beyond: Beyond = "flat"
) -> PerQuery:
    """ROC_n of each query: the area under its ROC curve up to the n-th irrelevant record.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Irrelevant records, at least 1. If the database is known to have fewer, F(q), these.
    ties : {"block", "expected", "listed", "optimistic", "pessimistic", "docid"}
        Records of equal score: the curve has points only where a tie block ends, and so crosses
        it on a diagonal; or is the mean over all their orders, which differs where the n-th
        irrelevant record is one of them; or follows the order listed, or that of `reorder`.
    beyond : {"flat", "observed", "nan"}
        A list with fewer than n irrelevant records: the curve stays where it ends; or the area
        is divided by the errors it has (1 if all its records are relevant); or NaN.

    Returns
    -------
    PerQuery
        0 for an empty list, unless `beyond` is "nan".

    Raises
    ------
    ValueError
        If n is not a whole number of at least 1, or an option is unknown.

    References
    ----------
    Gribskov & Robinson (1996); Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.1.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import roc_n
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = roc_n(lists, n=50)
    >>> round(found.value, 3), found.n_queries, found.n_no_relevant
    (0.654, 1351, 0)
    """
    n = kept_errors(lists, n)
    return _common.per_query(lists, roc_n_of_queries(lists, n, ties=ties, beyond=beyond), ties)


def roc_n_of_queries(
    lists: RetrievalLists, n: int | Ints, *, ties: Ties, beyond: Beyond = "flat"
) -> Floats:
    """The same of each query alone, (Q,), without the mean; of several n, (P, 1), it is (P, Q)."""
    check_kept(lists, errors=int(np.max(n)))
    _common.check_choice("beyond", beyond, "flat", "observed", "nan")
    known, last = _ranking.own_errors(lists), np.asarray(n)
    if lists.n_irrelevant is not None:
        last = np.where(lists.n_irrelevant > 0, np.minimum(n, lists.n_irrelevant), n)
    counted = np.minimum(known.errors, last)
    area = known.value_at(counted, _areas(lists, ties=ties))
    if beyond == "observed":
        none = counted == 0
        divisor = counted * lists.n_relevant
        area[none], divisor[none] = known.relevant[none] > 0, 1
    else:
        area += (last - counted) * known.relevant
        divisor = last * lists.n_relevant
    values = ratio(area, divisor)
    if beyond == "nan":
        values[known.errors < last] = np.nan
    return values


def pooled_roc_n(
    lists: RetrievalLists, *, n: int = 50, ties: Literal["block", "expected"] = "block"
) -> float:
    """Pooled ROC_n: ROC_n of the lists of all queries merged into one.

    Records of equal score share evenly, so that the order of queries is of no consequence. The
    queries' weights are not used. If the pool has fewer than n irrelevant records the curve
    stays where it ends.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Irrelevant records over all queries, at least 1.
    ties : {"block", "expected"}
        As in `roc_n`; no order listed is common to all queries.

    Returns
    -------
    float
        NaN if no query has a relevant record.

    Raises
    ------
    ValueError
        If n is not a whole number of at least 1, or the option is unknown.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.2.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import pooled_roc_n
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> round(pooled_roc_n(lists, n=50), 3)
    0.304
    """
    n = kept_errors(lists, n)
    _common.check_choice("ties", ties, "block", "expected")
    if not lists.n_relevant.any() or n <= max(MANY, lists.whole.score.size):
        return float(_pooled_curve(lists, n, ties).mean())
    # All but the first errors are behind the last one, where the curve stays as high as it ends.
    curve = _pooled_curve(lists, lists.whole.score.size + 1, ties)
    return (float(curve[:-1].sum()) + (n - curve.size + 1) * float(curve[-1])) / n


def pooled_rocs_n(lists: RetrievalLists, ns: Sequence[int]) -> list[float]:
    """Pooled ROC_n for each of several n, at most `MANY`, all of one curve."""
    curve = _pooled_curve(lists, kept_errors(lists, max(ns)), "block")
    return [float(curve[:n].mean()) for n in ns]


def sensitivity_to_error(lists: RetrievalLists, *, n: int = 1, ties: Ties = "listed") -> PerQuery:
    """Sensitivity up to the n-th error: relevant records before it, as a fraction of T(q).

    For the first error it is ROC_1. Later it is the end of the curve of which ROC_n is the mean
    height.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Irrelevant records, at least 1. A list with fewer counts all of its relevant records.
    ties : {"listed", "expected", "block", "optimistic", "pessimistic", "docid"}
        Records of equal score as the n-th error: as listed, which is what scripts do that read
        files line by line; the mean over all orders; or as in `roc_n`.

    Returns
    -------
    PerQuery
        0 for an empty list, NaN where T(q) = 0.

    Raises
    ------
    ValueError
        If n is not a whole number of at least 1, or the rule is unknown.

    References
    ----------
    Söding (2005), Bioinformatics 21:951; van Kempen et al. (2024), Nat. Biotechnol. 42:243,
    Figure 2, for n = 1. The AUC5 or ROC5 of MMseqs2 is `roc_n` with n = 5.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import sensitivity_to_error
    >>> lists = load_results()["BLASTP"]
    >>> round(sensitivity_to_error(lists, n=1).value, 3)
    0.36
    """
    n = kept_errors(lists, n)
    return _common.per_query(lists, ratio(found_at(lists, n, ties), lists.n_relevant), ties)


def baroc(lists: RetrievalLists, *, c: float = 1.0) -> Baroc:
    """BAROC: ROC_n of each query up to c T(q) irrelevant records.

    The top list ends with its n-th irrelevant record, n = c T(q) rounded to the nearest whole
    number, halves up, and at least 1. So queries with many and with few relevant records are
    judged alike. The curve crosses ties on a diagonal, and stays where a shorter list ends.

    Parameters
    ----------
    lists : RetrievalLists
    c : float
        Irrelevant records in the top list per relevant one in the database.

    Returns
    -------
    Baroc
        Each query's value against `ratio` is the scatter plot that goes with it.

    Raises
    ------
    ValueError
        If c is not a positive number, or c T(q) is too large to count.

    References
    ----------
    Busa-Fekete, Kertesz-Farkas, Kocsor & Pongor (2008), J. Biochem. Biophys. Methods 70:1210;
    the number of irrelevant records follows its abstract. Sonego, Kocsor & Pongor (2008),
    Brief. Bioinform. 9:198, speak of the length of the list instead.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import baroc
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = baroc(lists, c=1)
    >>> round(found.value, 3), found.n_short
    (0.522, 0)
    """
    most = int(lists.n_relevant.max(initial=1))
    limit, expected = np.iinfo(np.int32).max / max(most, 1), "irrelevant records per relevant one"
    _common.check_number("c", c, 0 < c <= limit, f"a positive number of {expected}")
    n = np.maximum(1, np.floor(c * lists.n_relevant + 0.5).astype(np.int64))
    check_kept(lists, errors=int(n.max(initial=1)))
    known = _ranking.own_errors(lists)
    counted = np.minimum(known.errors, n)
    area = known.value_at(counted, _areas(lists, ties="block"))
    area += (n - counted) * known.relevant
    defined = lists.n_relevant > 0
    values = ratio(area, n * lists.n_relevant)
    mean = _common.weighted_mean(values[defined], lists.weight[defined])
    found = ratio(found_at(lists, n, "block"), np.where(defined, n, 0))
    counts = int((~defined).sum()), int((defined & (known.errors < n)).sum())
    return Baroc(mean, values, n, found, float(c), *counts, _common.undefined(lists))


def n_ending_early(lists: RetrievalLists, n: int) -> int:
    """Lists that hold fewer than n irrelevant records, and fewer than the database where known.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures.roc import n_ending_early
    >>> one = dict(query=["a"], offset=[0, 2], score=[1, 2], relevant=[True, False], n_relevant=[1])
    >>> n_ending_early(RetrievalLists(**one), 50)
    1
    >>> n_ending_early(RetrievalLists(**one, n_irrelevant=[1]), 50)
    0
    """
    check_kept(lists, errors=n)
    held = lists.n_irrelevant
    short = _ranking.own_errors(lists).errors < (n if held is None else np.minimum(n, held))
    return int(short.sum())


def roc_n_curve(lists: RetrievalLists, *, n: int = 50) -> RocCurve:
    """The curves behind ROC_n: the average of the queries' own and the pooled one.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Errors, at least 1.

    Returns
    -------
    RocCurve
        The mean of `average` is the weighted mean of `roc_n` (of curves that go on flat where
        F(q) is below n), that of `pooled` is `pooled_roc_n`.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import roc_n_curve
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> curve = roc_n_curve(lists, n=3)
    >>> curve.average.round(3).tolist(), curve.pooled.round(3).tolist()
    ([0.509, 0.538, 0.552], [0.257, 0.272, 0.275])
    """
    n = kept_errors(lists, n)
    error, query, gain = _curve_steps(lists)
    stop = int(np.searchsorted(error, n, side="right"))
    weight = np.where(lists.whole.n_relevant > 0, _ranking.query_weight(lists), 0)
    gain = gain[:stop] * weight.take(query[:stop])
    with np.errstate(invalid="ignore"):  # no query with T(q) > 0: 0 / 0
        summed = np.cumsum(np.bincount(error[:stop], gain, minlength=n + 1))[1:]
        average = summed / np.float64(weight.sum())
    return RocCurve(np.arange(1, n + 1), average, _pooled_curve(lists, n, "block"))


def mean_roc_n_bracket(lists: RetrievalLists, *, n: int = 50) -> Bracket[float]:
    """Mean ROC_n with the records of equal score of each list in the worst and the best order.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Irrelevant records, at least 1.

    Returns
    -------
    Bracket
        Weighted means over queries with T(q) > 0; NaN if there is none. A list with fewer than n
        irrelevant records stays where it ends, as in `roc_n`.

    Raises
    ------
    ValueError
        If n is not a whole number of at least 1.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import mean_roc_n_bracket
    >>> lists = RetrievalLists([1.0, 1.0, 2.0], [True, False, True], [0, 3], [2])
    >>> low, high = mean_roc_n_bracket(lists, n=1)
    >>> low, high
    (0.0, 0.5)
    """
    low, high = tie_bracket(roc_n, lists, n=n, ties="listed")
    return Bracket(low.value, high.value)


def pooled_roc_n_bracket(lists: RetrievalLists, *, n: int = 50) -> Bracket[float]:
    """Pooled ROC_n with the records of equal score of all queries in the worst and best order.

    Merged, the lists of different queries tie with one another: E-values of 0 are common. The
    worst order has all irrelevant records of a score first, whatever their query; the best, all
    relevant ones.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Irrelevant records over all queries, at least 1.

    Returns
    -------
    Bracket
        `pooled_roc_n` is between the two. NaN if no query has a relevant record.

    Raises
    ------
    ValueError
        If n is not a whole number of at least 1.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import pooled_roc_n_bracket
    >>> lists = RetrievalLists([1.0, 1.0, 2.0], [True, False, True], [0, 3], [2])
    >>> low, high = pooled_roc_n_bracket(lists, n=1)
    >>> low, high
    (0.0, 0.5)
    """
    return pooled_brackets(lists, [kept_errors(lists, n)])[0]


def pooled_brackets(lists: RetrievalLists, ns: Sequence[int]) -> list[Bracket[float]]:
    """The same for each of several n, whole numbers."""
    most = kept_errors(lists, max(ns))
    total = int(lists.n_relevant.sum())
    if total == 0:
        return [Bracket(float("nan"), float("nan"))] * len(ns)
    hits, errors = _ranking.pooled_to_error(lists, most)
    errors = errors[:most]
    ends = [np.cumsum([0, *np.searchsorted(hits, errors, side)]) for side in ("left", "right")]
    # After its last error the curve stays where it ends.
    flat = [max(n - errors.size, 0) * hits.size for n in ns]
    return [
        Bracket(*((int(end[min(n, errors.size)]) + more) / (n * total) for end in ends))
        for n, more in zip(ns, flat, strict=True)
    ]


@derived()
def _found_before(lists: RetrievalLists, *, ties: Ties) -> Floats:
    """Relevant records before each irrelevant one in its own list, shape (M,).

    In a tie block of r relevant and b irrelevant records after t relevant ones, the curve is a
    straight line, and its height halfway through the m-th error is t + r (2m - 1) / (2b); the
    mean over all orders is t + r m / (b + 1).
    """
    reordered = ("optimistic", "pessimistic", "docid")
    _common.check_choice("ties", ties, "block", "expected", "listed", *reordered)
    if ties in reordered:
        return _found_before(reorder(lists, cast("Order", ties)), ties="listed")
    known = _ranking.list_positions(lists)
    height = known.relevant_so_far[~lists.relevant].astype(np.float64)
    if ties == "listed":
        return height
    # Few blocks have both kinds; in the others the curve is flat.
    start, end = _ranking.several_tied(lists)
    before = known.relevant_so_far[start] - lists.relevant[start]
    relevant = known.relevant_so_far[end - 1] - before
    mixed = (relevant > 0) & (relevant < end - start)
    start, before, relevant = start[mixed], before[mixed], relevant[mixed].astype(np.int64)
    errors = end[mixed] - start - relevant
    first = known.irrelevant_offset[known.query[start]] + known.rank[start] - 1 - before
    tied, _ = in_runs(first, errors)
    height[tied] = _heights(before, relevant, errors, ties)
    return height


def _heights(before: AnyInts, relevant: Ints, irrelevant: Ints, ties: Ties) -> Floats:
    """Height of the curve at each irrelevant record of a row of tie blocks."""
    height = np.repeat(before, irrelevant).astype(np.float64)
    # Few blocks have both kinds; in the others the curve is flat.
    mixed = np.flatnonzero((relevant > 0) & (irrelevant > 0))
    relevant, errors = relevant[mixed], irrelevant[mixed]
    block = np.repeat(np.arange(mixed.size), errors)
    place = np.arange(1, block.size + 1) - (np.cumsum(errors) - errors)[block]
    if ties == "expected":
        gained = relevant[block] * place / (errors[block] + 1)
    else:
        gained = relevant[block] * (2 * place - 1) / (2 * errors[block])
    first = (np.cumsum(irrelevant) - irrelevant)[mixed]
    height[first[block] + place - 1] += gained
    return height


@derived()
def _areas(lists: RetrievalLists, *, ties: Ties) -> Floats:
    """Area up to and including each irrelevant record of its list, shape (M,)."""
    offset = _ranking.list_positions(lists).irrelevant_offset
    return _ranking.cumsum_by_list(_found_before(lists, ties=ties), offset)


@derived()
def _curve_steps(lists: RetrievalLists) -> tuple[Ints32, Ints32, Floats]:
    """Where the fraction of T(q) found before the f-th error grows, by f: f, query and gain."""
    known = _ranking.list_positions(lists)
    height = _found_before(lists, ties="block")
    start, errors, found = _ranking.own_errors(lists)
    some = np.flatnonzero(errors)
    gain = np.diff(height, prepend=0.0)
    gain[start[some]] = height[start[some]]
    grows = np.flatnonzero(gain)
    gain = gain[grows]
    query = np.searchsorted(known.irrelevant_offset, grows, side="right").astype(np.int32) - 1
    error = grows - start[query] + 1
    # After its last error a curve stays at all the relevant records retrieved: one more value.
    last = found.astype(np.float64)
    last[some] -= height[start[some] + errors[some] - 1]
    query = np.append(query, np.arange(lists.n_queries, dtype=np.int32))
    gain, error = np.append(gain, last), np.append(error, errors + 1)
    keep = (gain != 0) & (lists.n_relevant[query] > 0)
    query, gain, error = query[keep], gain[keep], error[keep]
    order = np.lexsort((query, error))
    gain = gain / lists.n_relevant[query]
    return error[order].astype(np.int32), query[order], gain[order]


def _pooled_curve(lists: RetrievalLists, n: int, ties: Ties) -> Floats:
    """Fraction of all relevant records before each of the first n errors of the pool, (n,)."""
    total = int(lists.n_relevant.sum())
    if total == 0:
        return np.full(n, np.nan)
    hits, codes = _ranking.pooled_to_error(lists, n)
    block, count = np.unique(codes, return_counts=True)
    before = np.searchsorted(hits, block, side="left")
    inside = np.searchsorted(hits, block, side="right") - before
    height = _heights(before, inside, count, ties)[:n]
    # After its last error the curve stays where it ends.
    return np.concatenate([height, np.full(n - height.size, hits.size)]) / total


def found_at(lists: RetrievalLists, n: int | Ints, ties: Ties) -> Floats:
    """Relevant records before the n-th error of each query, or all retrieved; (..., Q)."""
    known = _ranking.own_errors(lists)
    found = known.value_at(np.minimum(known.errors, n), _found_before(lists, ties=ties))
    return np.where(known.errors < n, known.relevant, found)
