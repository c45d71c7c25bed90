"""Weights of queries; coverage against errors per query, and E-values against what they promise."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from tapviz.lists import RetrievalLists, all_kept, check_kept, derived, not_kept
from tapviz.measures import _common, _ranking
from tapviz.measures._common import Floats, Ints, Ints32, check_number, ratio, refuse, undefined
from tapviz.measures.errors import QUANTILE_TOLERANCE, count_table, nth_error_code
from tapviz.measures.groups import class_depth, class_groups, level_name, singular

__all__ = [
    "Calibration", "CoverageCurve", "Histogram", "NthIrrelevant", "QueryWeights", "calibration",
    "coverage_vs_epq", "nth_irrelevant", "query_weights", "weigh", "weight_titles",
]  # fmt: skip

QueryWeights = Literal["none", "relevant", "relevant_squared", "family"]
"""By T(q), by its square, or by one over the number of queries of a family."""


def query_weights(lists: RetrievalLists, weights: QueryWeights) -> Floats:
    """Weight of each query.

    Parameters
    ----------
    lists : RetrievalLists
    weights : {"none", "relevant", "relevant_squared", "family"}
        The queries' own weights, 1 unless they have others; T(q); T(q)^2; or one over the number
        of queries whose classes agree with the query's to the level at which relevance was
        judged, so that each family, or superfamily, weighs 1. Of a subset, queries that it leaves
        out are among that number.

    Returns
    -------
    ndarray of float, shape (Q,)
        0 for queries that are left out: those with T(q) = 0, by T(q) or its square.

    Raises
    ------
    ValueError
        If there are no such weights, or the classes that they go by are not known.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.4; Green & Brenner (2002), Proc. IEEE
    90:1834.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import query_weights
    >>> lists = RetrievalLists(
    ...     [], [], [0] * 4, [2, 1, 0], query_class=["a.1.1", "a.1.1", "b.1.1"]
    ... )
    >>> query_weights(lists, "relevant_squared").tolist()
    [4.0, 1.0, 0.0]
    >>> query_weights(lists, "family").tolist()
    [0.5, 0.5, 1.0]
    """
    _common.check_choice("weights", weights, *get_args(QueryWeights))
    if weights == "none":
        return lists.weight
    if weights != "family":
        return lists.n_relevant.astype(np.float64) ** (1 if weights == "relevant" else 2)
    refuse(not class_depth(lists), "weights by family: the classes of the queries are not known")
    return _family_share(lists)[lists.rows]


@derived()
def _family_share(lists: RetrievalLists) -> Floats:
    code = class_groups(lists).code
    return 1 / np.bincount(code)[code]


def weigh(lists: RetrievalLists, weights: QueryWeights) -> RetrievalLists:
    """The same lists with other weights of the queries, without those that weigh nothing.

    Parameters
    ----------
    lists : RetrievalLists
    weights : {"none", "relevant", "relevant_squared", "family"}
        As in `query_weights`.

    Raises
    ------
    ValueError
        As `query_weights`.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import tap_k, weigh
    >>> lists = load_results()["BLASTP"]
    >>> [round(tap_k(weigh(lists, how), k=5).value, 3) for how in ("none", "relevant")]
    [0.367, 0.281]
    """
    if weights == "none":
        return lists
    weight = query_weights(lists, weights)
    use = weight > 0
    return lists.subset(use).with_weights(weight[use])


def weight_titles(lists: RetrievalLists) -> Mapping[QueryWeights, str]:
    """The weights that these queries can have, and what each query then counts as.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import weight_titles
    >>> list(weight_titles(load_results()["BLASTP"]).values())
    ['1', 'T(q)', 'T(q)²', '1 / queries of its superfamily']
    """
    own = "1" if (lists.weight == 1).all() else "the weight in its file"
    titles: dict[QueryWeights, str] = {"none": own}
    if lists.n_relevant.any():
        titles |= {"relevant": "T(q)", "relevant_squared": "T(q)²"}
    if depth := class_depth(lists):
        unit = singular(level_name(lists, lists.class_level or depth))
        titles["family"] = f"1 / queries of its {unit}"
    return titles


Epq = Literal["mean", "median"] | float
Coverage = Literal["pooled", "mean_recall", "mean_family_recall"]

# Means are sums of floats: a number of errors per query that is met up to this relative error
# is met.
EPQ_TOLERANCE = 1e-12


class CoverageCurve(NamedTuple):
    """Coverage and errors per query at every distinct threshold of D, strictest first."""

    threshold: Floats
    """Distinct scores, inclusive, shape (D,). Those with more than `max_epq` are left out."""
    epq: Floats
    """Mean, or a quantile over queries, of the errors at or before each threshold, shape (D,)."""
    coverage: Floats
    """Fraction of the relevant records found, shape (D,); NaN where undefined, see `reason`."""
    epq_rule: str | float
    coverage_rule: str
    weights: str
    max_epq: float
    n_queries: int
    """Queries that errors are averaged over; empty lists count."""
    n_no_relevant: int
    """Queries with T(q) = 0 among those given: of no consequence for coverage, their errors
    count; but weights by T or T^2 leave them out altogether."""
    n_empty: int
    """Queries with an empty list among those given."""
    reason: str
    """Why there is no coverage; empty otherwise."""

    def at(self, epq: ArrayLike) -> Floats:
        """Coverage at given errors per query: that of the last point with no more than these.

        Parameters
        ----------
        epq : array_like of float, any shape

        Returns
        -------
        ndarray of float64
            0 where every point has more errors, as before the first threshold.

        Raises
        ------
        ValueError
            If a number is negative, not a number, or beyond `max_epq`.

        Examples
        --------
        >>> from tapviz import load_results
        >>> from tapviz.measures import coverage_vs_epq
        >>> lists = load_results("profiles")["RPS-BLAST"]
        >>> float(coverage_vs_epq(lists, epq="median").at(1).round(3))
        0.408
        """
        wanted = np.asarray(epq, np.float64)
        if not ((wanted >= 0) & (wanted <= self.max_epq)).all():
            raise ValueError(f"epq = {epq!r}: expected errors per query from 0 to {self.max_epq:g}")
        place = np.searchsorted(self.epq, wanted * (1 + EPQ_TOLERANCE), side="right")
        start = float("nan") if self.reason else 0.0
        return np.concatenate([[start], self.coverage])[place]


class Histogram(NamedTuple):
    """Queries by a score; `underflow`, `queries` and `never` sum to the number of queries."""

    edges: Floats
    """Edges of the bins, ascending, shape (B + 1,), or empty; the last bin includes both."""
    queries: Ints
    """Queries in each bin, shape (B,)."""
    underflow: int
    """Queries whose E-value is 0, which has no logarithm; 0 on a linear scale."""
    never: int
    """Queries with fewer irrelevant records."""
    never_at: float
    """Where these stand on the axis: the size of the database if that was given, else NaN."""
    scale: str
    """Either "log10" for E-values, or "linear" for other scores."""


class NthIrrelevant(NamedTuple):
    """Score of the n-th irrelevant record of each query."""

    score: Floats
    """Shape (Q,); NaN if there are fewer than n."""
    n: int
    n_never: int
    """Queries with fewer than n irrelevant records; empty lists are among them."""
    n_queries: int
    direction: str

    def histogram(self, bins: ArrayLike = 20, database_size: float | None = None) -> Histogram:
        """Count the queries by the score of their n-th irrelevant record; without weights.

        E-values, which are ascending and not negative, have bins of equal width in log10, and
        0 has its own; other scores have bins of equal width.

        Parameters
        ----------
        bins : int or array_like of float, shape (B + 1,)
            Number of bins between the smallest and the largest score; or the edges, ascending,
            as scores (not their logarithms).
        database_size : float, optional
            Records in the database, R: the largest E-value that a list can contain, and so
            where queries with fewer than n irrelevant records stand.

        Raises
        ------
        ValueError
            If the bins are neither a number nor edges, a score lies outside the edges, or a
            database size is not positive or given with scores that are not E-values.

        References
        ----------
        Carroll et al. (2010), poster on TAP-k, Figure 2.

        Examples
        --------
        >>> from tapviz import load_results
        >>> from tapviz.measures import nth_irrelevant
        >>> lists = load_results("profiles")["RPS-BLAST"]
        >>> nth_irrelevant(lists, n=5).histogram([0.1, 1, 10, 100]).queries.tolist()
        [38, 1195, 118]
        """
        known = self.score[~np.isnan(self.score)]
        log = self.direction == "ascending" and not (known < 0).any()
        right = database_size is None or (log and database_size > 0)
        expected = "a positive number of records, and E-values"
        check_number("database_size", database_size or 0, right, expected)
        binned = known[known > 0] if log else known
        edges = _edges(bins, binned, log=log)
        if edges.size and binned.size:
            (first, last), low, high = edges[[0, -1]], binned.min(), binned.max()
            scores = f"there are scores from {low:g} to {high:g}"
            message = f"bins: {scores}, outside the edges {first:g} and {last:g}"
            refuse(not first <= low <= high <= last, message)
        queries = np.histogram(binned, edges)[0] if edges.size else np.zeros(0, np.int64)
        never_at = float("nan") if database_size is None else float(database_size)
        underflow, scale = known.size - binned.size, "log10" if log else "linear"
        return Histogram(edges, queries, underflow, self.n_never, never_at, scale)


class Calibration(NamedTuple):
    """Errors per query against the E-value that promises as many, at each of G thresholds.

    An E-value is the number of irrelevant records expected at or before it, so that calibrated
    E-values give `observed` = `threshold` and a `ratio` of 1.
    """

    threshold: Floats
    """E-values, shape (G,)."""
    observed: Floats
    """Mean errors per query at or before each, shape (G,); NaN where undefined, see `reason`."""
    ratio: Floats
    """`observed` / `threshold`; NaN at thresholds that are not above 0. Shape (G,)."""
    largest: float
    """Worst E-value in the lists, beyond which nothing was observed; NaN if undefined."""
    n_queries: int
    reason: str
    """Why these are not E-values, or there is no query; empty otherwise."""


def coverage_vs_epq(
    lists: RetrievalLists,
    *,
    epq: Epq = "mean",
    coverage: Coverage = "pooled",
    weights: QueryWeights = "none",
    max_epq: float = float("inf"),
) -> CoverageCurve:
    """Coverage against errors per query, at every distinct threshold common to all queries.

    Parameters
    ----------
    lists : RetrievalLists
    epq : {"mean", "median"} or float, in (0, 1)
        Errors per query: mean; median over queries, which reaches k exactly at E_k; or another
        quantile, which this share of the queries does not exceed.
    coverage : {"pooled", "mean_recall", "mean_family_recall"}
        Relevant records found, of all of them; or the mean of the recalls of the queries with
        T(q) > 0; or the mean over families of the mean recall of their queries. These are the
        unnormalised, the linearly and the quadratically normalised coverage of Green & Brenner
        (2002), who divide each relation by the size of its family, or by its square. Errors per
        query are the same in all three.
    weights : {"none", "relevant", "relevant_squared", "family"}
        Weights of the queries, as in `query_weights`. They apply to errors as well as to coverage,
        which pooled is the sum of w TP over the sum of w T(q).
    max_epq : float
        Leave out thresholds with more errors per query, which makes this quicker.

    Raises
    ------
    ValueError
        If an option is unknown, `max_epq` negative or not a number, or a quantile not in (0, 1);
        or if families are asked for and the classes of queries are not known.

    References
    ----------
    Brenner, Chothia & Hubbard (1998), PNAS 95:6073; Green & Brenner (2002), Proc. IEEE 90:1834;
    for the median, Carroll et al. (2010), Bioinformatics 26:1708, Discussion.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import coverage_vs_epq
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> curve = coverage_vs_epq(lists)
    >>> curve.at([0.01, 1.0]).round(3).tolist()
    [0.294, 0.39]
    """
    _common.check_choice("coverage", coverage, "pooled", "mean_recall", "mean_family_recall")
    if isinstance(epq, str):
        _common.check_choice("epq", epq, "mean", "median")
    quantile = 0.5 if isinstance(epq, str) else float(epq)
    check_number("epq", epq, 0 < quantile < 1, "a fraction of queries, above 0 and below 1")
    check_number("max_epq", max_epq, max_epq >= 0, "errors per query, at least 0")
    given = lists
    lists = weigh(lists, weights)
    weight = _ranking.query_weight(lists)
    size = _ranking.ranking(lists).threshold.size
    if epq != "mean":
        reached = _quantile_codes(lists, weight, quantile, max_epq)
        # The first number of errors that is too many ends the curve, if it is ever reached.
        stop = int(reached[int(max_epq)]) if reached.size > max_epq else size
        errors = np.cumsum(np.bincount(reached[reached < stop], minlength=stop))
    else:
        stop = _mean_stop(lists, weight, max_epq)
    told = _ranking.n_told(lists)
    cut, stop = told < stop, min(told, stop)
    if cut and np.isfinite(max_epq):
        check_kept(lists, to=lists.sign * np.inf)
    kinds = _ranking.pooled_records(lists)
    merged = [kind.part(slice(np.searchsorted(kind.code, stop))) for kind in kinds]
    if lists.n_queries < lists.whole.n_queries:
        merged = [kind.part(weight[kind.query] > 0) for kind in merged]
    relevant, irrelevant = merged
    present = np.bincount(relevant.code, minlength=stop) > 0
    present |= np.bincount(irrelevant.code, minlength=stop) > 0
    # As multiples of the first one: counts are whole, and exact, where weights are equal.
    multiple = lists.weight / lists.weight[:1]
    weight = weight / (lists.weight[0] if lists.n_queries else 1)
    equal = bool((multiple == 1).all())
    if epq == "mean":
        share = None if equal else weight[irrelevant.query]
        errors = np.cumsum(np.bincount(irrelevant.code, share, minlength=stop))
        errors = errors / (multiple.sum() or np.nan)
    total = float(multiple @ lists.n_relevant)
    if coverage != "pooled":
        if coverage == "mean_family_recall":
            families = query_weights(lists, "family")
            weight[lists.rows] *= families
            multiple = multiple * families
        weight /= np.maximum(lists.whole.n_relevant, 1)
        total = float(multiple[lists.n_relevant > 0].sum())
    share = None if equal and coverage == "pooled" else weight[relevant.query]
    found = np.cumsum(np.bincount(relevant.code, share, minlength=stop))
    threshold = _ranking.ranking(lists).threshold[:stop][present]
    points = threshold, errors[present].astype(np.float64), found[present] / (total or np.nan)
    most = float(errors.max(initial=0) if cut and np.isinf(max_epq) else max_epq)
    none = int((given.n_relevant == 0).sum()), int((_common.list_length(given) == 0).sum())
    reason = "" if total else undefined(given)
    return CoverageCurve(*points, epq, coverage, weights, most, lists.n_queries, *none, reason)


def nth_irrelevant(lists: RetrievalLists, *, n: int) -> NthIrrelevant:
    """Score of the n-th irrelevant record of each query.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Irrelevant records, at least 1.

    Raises
    ------
    ValueError
        If n is not a whole number of at least 1.

    References
    ----------
    Carroll et al. (2010), poster on TAP-k, Figure 2.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import load_results
    >>> from tapviz.measures import nth_irrelevant
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = nth_irrelevant(lists, n=5)
    >>> round(float(np.nanmedian(found.score)), 2), found.n_never
    (4.1, 0)
    """
    n = _common.number_of_errors("n", n)
    score = np.append(_ranking.ranking(lists).threshold, np.nan)[nth_error_code(lists, n)]
    return NthIrrelevant(score, n, int(np.isnan(score).sum()), lists.n_queries, lists.direction)


def calibration(lists: RetrievalLists, thresholds: ArrayLike) -> Calibration:
    """Compare E-values with the errors per query that they should be.

    Parameters
    ----------
    lists : RetrievalLists
    thresholds : array_like of float, shape (G,)
        E-values, inclusive.

    Returns
    -------
    Calibration
        NaN, with the reason, if scores are descending or negative: they are not E-values.

    Raises
    ------
    ValueError
        If a threshold is NaN.

    References
    ----------
    Brenner, Chothia & Hubbard (1998), PNAS 95:6073.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import calibration
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> calibration(lists, [0.01, 1.0]).ratio.round(2).tolist()
    [2.0, 1.5]
    """
    grid = np.atleast_1d(np.asarray(thresholds, np.float64))
    refuse(np.isnan(grid).any(), "thresholds: there is a NaN among them")
    start, stop = lists.whole.offset[lists.rows], lists.whole.offset[lists.rows + 1]
    some = stop > start
    reason = ""
    if lists.direction != "ascending":
        reason = "these scores are not E-values: the largest are the best"
    elif (lists.whole.score[start[some]] < 0).any():
        reason = "these scores are not E-values: some are negative"
    elif not lists.n_queries:
        reason = "there is no query"
    observed, largest = np.full(grid.size, np.nan), float("nan")
    if not reason:
        known = np.array([not not_kept(lists, to=e0) for e0 in grid.tolist()], np.bool_)
        observed[known] = count_table(lists, grid[known]) @ lists.weight / lists.weight.sum()
        largest = float(lists.whole.score[stop[some] - 1].max(initial=0.0))
        if lists.kept is not None and not all_kept(lists):
            largest = min(largest, lists.kept.e_keep)
    return Calibration(grid, observed, ratio(observed, grid), largest, lists.n_queries, reason)


@derived()
def _numbered(lists: RetrievalLists) -> tuple[Ints32, Ints32, list[int]]:
    """Query and code of all errors by number in their own list; where each number begins."""
    known = _ranking.list_positions(lists)
    query, code = known.query[~lists.relevant], _ranking.error_codes(lists)
    number = np.arange(query.size) - known.irrelevant_offset[query]
    order = np.lexsort((code, number))
    return query[order], code[order], [0, *np.cumsum(np.bincount(number)).tolist()]


def _quantile_codes(lists: RetrievalLists, weight: Floats, quantile: float, max_epq: float) -> Ints:
    """Places among the distinct scores where a quantile of the errors reaches 1, 2, ...

    And no further than the first number of errors above `max_epq`.
    """
    query, code, offset = _numbered(lists)
    needed = (1 - quantile) * (1 - QUANTILE_TOLERANCE) * lists.weight.sum()
    codes: list[int] = []
    for start, stop in pairwise(offset):
        # Queries left out weigh 0 and cannot be the one that tips the scales.
        reached = np.cumsum(weight[query[start:stop]])
        if len(codes) > max_epq or reached[-1] < needed or not lists.n_queries:
            break
        codes.append(int(code[start + np.searchsorted(reached, needed)]))
    return np.array(codes, np.int64)


def _mean_stop(lists: RetrievalLists, weight: Floats, max_epq: float) -> int:
    """How many of the distinct scores have a mean number of errors of at most `max_epq`."""
    size = _ranking.ranking(lists).threshold.size
    if np.isinf(max_epq):
        return size
    errors = _ranking.pooled_records(lists)[1]
    allowed = max_epq * (1 + EPQ_TOLERANCE) * lists.weight.sum()
    length = int(2 * max_epq * lists.n_queries) + 1
    while True:
        place = int(np.searchsorted(np.cumsum(weight[errors.query[:length]]), allowed, "right"))
        if place < min(length, errors.code.size):
            return int(errors.code[place])
        if length >= errors.code.size:
            return size
        length *= 4


def _edges(bins: ArrayLike, scores: Floats, *, log: bool) -> Floats:
    given = np.asarray(bins, np.float64)
    if given.ndim == 1 and given.size > 1 and (np.diff(given) > 0).all():
        return given
    message = f"bins = {bins!r}: expected a number of bins, at least 1, or two or more rising edges"
    refuse(given.ndim or given % 1 or given < 1, message)
    if not scores.size:
        return np.zeros(0)
    low, high = scores.min(), scores.max()
    if low == high:  # a bin around the only score, of a width to be seen
        low, high = (low / 2 or low, high * 2) if log else (low - 0.5, high + 0.5)
    edges = (np.geomspace if log else np.linspace)(low, high, int(given) + 1)
    edges[0], edges[-1] = low, high
    return edges
