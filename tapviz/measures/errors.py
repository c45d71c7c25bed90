"""Errors per query, the threshold E_k where the median query has k of them, false discoveries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tapviz.lists import RetrievalLists, check_kept, count, derived
from tapviz.measures import _common, _ranking
from tapviz.measures._common import AnyInts, Bools, Floats, Ints, Ints32, ratio

__all__ = [
    "EpqDistribution", "FalseDiscovery", "Threshold", "epq_distribution", "error_quantile",
    "error_threshold", "errors_per_query", "false_discovery", "largest_k", "paired_entrapment",
]  # fmt: skip

# Weights are sums of floats: a quantile that is met up to this relative error is met.
QUANTILE_TOLERANCE = 1e-12

# So few thresholds are looked up in the lists; for more, all errors are counted once and kept.
FEW_THRESHOLDS = 4


class Threshold(NamedTuple):
    """The threshold E_k, or why there is none."""

    e_k: float
    """The strictest score at which enough queries have k errors; NaN if there is none."""
    reached: float
    """Share of the weight of all queries whose list holds at least k errors; NaN without any."""
    k: int
    quantile: float

    @property
    def reason(self) -> str:
        """Why there is no E_k; empty if there is one."""
        if np.isfinite(self.e_k):
            return ""
        if np.isnan(self.reached):
            return "there is no query"
        return f"Fewer than {queries_with_errors(self.quantile, self.k)}."


def queries_with_errors(share: float, k: int) -> str:
    """Words such as "half of the queries have 20 errors"."""
    part = {0.25: "a quarter", 0.5: "half", 0.75: "three quarters"}.get(share, f"{100 * share:g} %")
    return f"{part} of the queries have {count(k, 'error')}"


QuantileRule = Literal["errors", "linear"]


class EpqDistribution(NamedTuple):
    """Distribution over queries of the errors at each of G thresholds; each array (G,)."""

    threshold: Floats
    minimum: Floats
    q1: Floats
    median: Floats
    mean: Floats
    q3: Floats
    maximum: Floats
    n_queries: int
    quantile_rule: str

    @property
    def median_name(self) -> str:
        """What the median is called: of an even number of queries it is the upper one."""
        even = self.n_queries % 2 == 0 and self.quantile_rule == "errors"
        return "upper median" if even else "median"


def errors_per_query(lists: RetrievalLists, e0: float) -> Ints:
    """Irrelevant records at or before the threshold E_0, for every query.

    Parameters
    ----------
    lists : RetrievalLists
    e0 : float
        Threshold, inclusive.

    Returns
    -------
    ndarray of int64, shape (Q,)
        An empty list has 0 errors.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import errors_per_query
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> errors = errors_per_query(lists, 0.01)
    >>> int(errors.max()), round(float(errors.mean()), 4)
    (2, 0.02)
    """
    retrieved = _ranking.n_retrieved(lists, _ranking.n_thresholds(lists, e0))
    return retrieved - _ranking.relevant_among(lists, retrieved)


def error_threshold(
    lists: RetrievalLists, *, k: int, quantile: float = 0.5, weighted: bool = True
) -> Threshold:
    """Threshold E_k: the strictest score at which enough queries have at least k errors.

    An order statistic over queries, never interpolated: for an even number of queries the
    stricter of the two middle ones. Empty and short lists count as "never".

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Errors per query, at least 1.
    quantile : float, in (0, 1]
        A fraction `quantile` of the (weighted) queries has at least k errors at E_k.
    weighted : bool
        Whether the queries' weights count; otherwise each query counts 1.

    Raises
    ------
    ValueError
        If k is not a whole number of at least 1, or the quantile not in (0, 1].

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.4.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import error_threshold
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> at = error_threshold(lists, k=5)
    >>> at.e_k, round(at.reached, 3)
    (4.1, 1.0)
    """
    k, quantile = _common.number_of_errors("k", k), _common.check_quantile(quantile)
    codes = nth_error_code(lists, k)
    weight = lists.weight if weighted else np.ones(lists.n_queries)
    if (weight == weight[:1]).all():
        codes.sort()  # in a tenth of the time
    else:
        order = np.argsort(codes, kind="stable")
        codes, weight = codes[order], weight[order]
    total = np.cumsum(weight)
    if not total.size:
        return Threshold(float("nan"), float("nan"), k, quantile)
    threshold = _ranking.ranking(lists).threshold
    some = np.searchsorted(codes, threshold.size)
    reached = total[some - 1] if some else 0.0
    code = codes[np.searchsorted(total, quantile * (1 - QUANTILE_TOLERANCE) * total[-1])]
    e_k = float(threshold[code]) if code < threshold.size else float("nan")
    return Threshold(e_k, float(reached / total[-1]), k, quantile)


def nth_error_code(lists: RetrievalLists, n: int) -> Ints:
    """Place among the distinct scores of each query's n-th irrelevant record, shape (Q,).

    The number of distinct scores stands for "never".
    """
    check_kept(lists, errors=n)
    return nth_kept_error_code(lists, n)


def nth_kept_error_code(lists: RetrievalLists, n: int | Ints) -> Ints:
    """The same of condensed lists, too, of which it is true as far as all records were kept.

    For several n in a column, shape (K, 1), that is of the shape (K, Q).
    """
    last = np.minimum(n, lists.whole.score.size + 1)  # which no list has, and NumPy can count to
    known, never = _ranking.own_errors(lists), _ranking.ranking(lists).threshold.size
    nth = np.where(known.errors >= last, last, 0)
    return known.value_at(nth, _ranking.error_codes(lists), never).astype(np.int64)


def epq_distribution(
    lists: RetrievalLists, thresholds: ArrayLike, *, quantile_rule: QuantileRule = "errors"
) -> EpqDistribution:
    """Distribution of errors per query at each of several thresholds.

    Parameters
    ----------
    lists : RetrievalLists
    thresholds : array_like of float, shape (G,)
    quantile_rule : {"errors", "linear"}
        "errors": quantile p is the largest k such that at least 1 - p of the weight has at
        least k errors, so that the median reaches k exactly at E_k. "linear": NumPy's
        interpolated quantile, unweighted.

    Returns
    -------
    EpqDistribution
        NaN throughout where there is no query. Minimum and maximum are over all queries, the
        mean is weighted.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Figure 3.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import epq_distribution
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> epq = epq_distribution(lists, [0.01, 1.0])
    >>> epq.median.tolist(), epq.maximum.tolist()
    ([0.0, 1.0], [2.0, 9.0])
    """
    grid = np.atleast_1d(np.asarray(thresholds, np.float64))
    _common.check_choice("quantile_rule", quantile_rule, "errors", "linear")
    if not lists.n_queries or not grid.size:
        nothing = np.full(grid.size, np.nan)
        return EpqDistribution(grid, *(nothing,) * 6, lists.n_queries, quantile_rule)
    if grid.size <= FEW_THRESHOLDS:
        counts: AnyInts = np.stack([errors_per_query(lists, e0) for e0 in grid])
    else:
        counts = count_table(lists, grid)
    if quantile_rule == "linear":
        q1, median, q3 = np.quantile(counts, (0.25, 0.5, 0.75), axis=1)
    else:
        q1, median, q3 = (error_quantile(counts, lists.weight, p) for p in (0.25, 0.5, 0.75))
    # Not by BLAS, whose threads cost more than they save here.
    mean = np.einsum("gq,q->g", counts, lists.weight) / lists.weight.sum()
    summary = counts.min(axis=1), q1, median, mean, q3, counts.max(axis=1)
    low, q1, median, mean, q3, high = (number.astype(np.float64) for number in summary)
    return EpqDistribution(grid, low, q1, median, mean, q3, high, lists.n_queries, quantile_rule)


def count_table(lists: RetrievalLists, grid: Floats, *, relevant: bool = False) -> Ints32:
    """Errors, or relevant records, of each query at each threshold, (G, Q); the latest are kept."""
    counts = _count_table(lists, tuple(grid.tolist()), relevant=relevant)
    return counts if lists.whole is lists else counts.take(lists.rows, axis=1)


def largest_k(lists: RetrievalLists, quantile: float = 0.5) -> int:
    """Largest k for which there is a threshold E_k; 0 if there is none.

    Parameters
    ----------
    lists : RetrievalLists
    quantile : float, in (0, 1]
        As in `tap_k`.

    Raises
    ------
    NotKeptError
        If condensed lists do not tell.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> from tapviz.measures import largest_k
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> k = largest_k(lists)
    >>> tap_k(lists, k=k).reason, tap_k(lists, k=k + 1).reason != ""
    ('', True)
    """
    errors = _ranking.own_errors(lists).errors
    order = np.argsort(-errors, kind="stable")
    total = np.cumsum(lists.weight[order])
    if not total.size:
        return 0
    enough = total >= quantile * (1 - QUANTILE_TOLERANCE) * total[-1]
    k = int(errors[order][np.argmax(enough)])
    check_kept(lists, errors=k + 1)
    return k


def error_quantile(errors: AnyInts, weight: Floats, p: float) -> AnyInts:
    """Quantile p of errors per query: the largest k that enough of the weight reaches.

    Parameters
    ----------
    errors : ndarray of int, shape (..., Q)
    weight : ndarray of float, shape (Q,)
    p : float, in (0, 1)
        At least 1 - p of the weight has at least this many errors.

    Returns
    -------
    ndarray of int, shape (...)

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import error_quantile
    >>> error_quantile(np.array([0, 1, 3, 8]), np.ones(4), 0.5).tolist()
    3
    """
    if (weight == weight[0]).all():
        # The count that the first ceil((1 - p) Q) queries, most errors first, all have.
        place = weight.size - int(np.ceil((1 - p) * weight.size))
        # Where many are equal, as here, sorting takes a tenth of the time of a partition.
        return np.sort(errors, axis=-1)[..., place]
    order = np.argsort(-errors, axis=-1, kind="stable")
    total = np.cumsum(weight[order], axis=-1)
    enough = total >= (1 - p) * (1 - QUANTILE_TOLERANCE) * total[..., -1:]
    last = np.take_along_axis(order, np.argmax(enough, axis=-1)[..., None], -1)
    return np.take_along_axis(errors, last, -1)[..., 0]


@derived(keep=3)
def _count_table(lists: RetrievalLists, grid: tuple[float, ...], *, relevant: bool) -> Ints32:
    """How many records of a kind are at or before each threshold, for each query; shape (G, Q).

    All are counted at once: one histogram per query.
    """
    check_kept(lists, to=lists.sign * float(np.max(lists.sign * np.asarray(grid), initial=-np.inf)))
    key = lists.sign * np.asarray(grid)
    _common.refuse(np.isnan(key).any(), "thresholds: there is a NaN among them")
    order = np.argsort(key, kind="stable")
    # The first threshold, strictest first, that admits each distinct score.
    first = np.searchsorted(key[order], lists.sign * _ranking.ranking(lists).threshold)
    n_queries, code = lists.n_queries, _ranking.ranking(lists).code
    # The histograms of some lists at a time are one piece of that of all.
    size = len(grid) + 1
    histogram = np.zeros((n_queries, size), np.int32)
    for queries, records in _ranking.by_lists(lists.offset):
        chosen = lists.relevant[records] if relevant else ~lists.relevant[records]
        cell = first.take(code[records][chosen])
        query = _ranking.list_positions(lists).query[records][chosen]
        cell += (query - queries.start) * size
        counted = np.bincount(cell, minlength=(queries.stop - queries.start) * size)
        histogram[queries] = counted.reshape(-1, size)
    counts = np.cumsum(histogram[:, :-1], axis=1, dtype=np.int32)
    table = np.empty((len(grid), n_queries), np.int32)
    table[order] = counts.T
    return table


class FalseDiscovery(NamedTuple):
    """What is accepted at each of D thresholds, and how much of it is false; each array (D,).

    Thresholds are the distinct scores of the lists, all queries together, strictest first. A
    target is a record that is not a decoy.
    """

    threshold: Floats
    targets: Ints
    """Targets at or before each threshold."""
    decoys: Ints
    irrelevant: Ints
    """Targets that are irrelevant."""
    q_value: Floats
    """The smallest false discovery rate, estimated by the decoys, at which a target with this
    score is accepted."""
    reason: str
    """Why there is no q-value; empty if there is one."""

    @property
    def observed(self) -> Floats:
        """Share of irrelevant records among the targets; NaN where there is none. Shape (D,).

        Where labels know all that is false, the false discovery proportion. Where only entrapment
        records are irrelevant, which were added to a database of which nobody knows what is false,
        the lower bound of Wen et al. (2025): false ones among the original records are not seen.
        """
        return ratio(self.irrelevant, self.targets)

    def combined(self, ratio: float = 1.0) -> Floats:
        """False discovery proportion by entrapment, the combined estimate of Wen et al. (2025).

        Parameters
        ----------
        ratio : float
            How many entrapment records the database has for each of its original records.

        Returns
        -------
        ndarray of float64, shape (D,)
            NaN where no target is accepted; at most 1.
        """
        _common.check_number("ratio", ratio, np.isfinite(ratio) and ratio > 0, "a number above 0")
        return np.minimum(_common.ratio(self.irrelevant * (1 + 1 / ratio), self.targets), 1.0)

    def accepted(self, q: ArrayLike) -> Ints:
        """Place of the last threshold with at most this q-value; -1 where there is none.

        Parameters
        ----------
        q : array_like of float, shape (G,)

        Returns
        -------
        ndarray of int64, shape (G,)
        """
        return np.searchsorted(self.q_value, np.atleast_1d(q), side="right") - 1


def false_discovery(
    lists: RetrievalLists, decoy: ArrayLike, *, plus_one: bool = True
) -> FalseDiscovery:
    """Estimate q-values of the lists of all queries together from decoys among their records.

    Decoys are as many as targets, searched together with them, and as likely as a false target to
    have any score. So among targets that are accepted there are about as many false ones as there
    are decoys. The q-value of a score is the smallest estimate at any threshold that accepts it.
    Records that labels leave out are neither.

    Parameters
    ----------
    lists : RetrievalLists
    decoy : array_like of bool, shape (N,)
        Which records of ``lists.whole`` are decoys.
    plus_one : bool
        Count one decoy more than there is, without which the estimate is too low on average
        (Levitsky et al. 2017). False: decoys / targets, as of Käll et al. (2008).

    Returns
    -------
    FalseDiscovery
        Without thresholds, and with the reason, if there is no decoy among the records.

    Raises
    ------
    ValueError
        If `decoy` is not of the records, or a decoy is relevant.

    References
    ----------
    Elias & Gygi (2007), Nature Methods 4:207; Käll et al. (2008), J. Proteome Res. 7:29; Levitsky
    et al. (2017), J. Proteome Res. 16:393; for entrapment, Wen et al. (2025), Nature Methods
    22:1454.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import false_discovery
    >>> lists = RetrievalLists([1.0, 2.0, 3.0, 4.0], [True, True, False, False], [0, 4], [2])
    >>> found = false_discovery(lists, [False, False, False, True], plus_one=False)
    >>> found.q_value.round(3).tolist(), found.observed.round(3).tolist()
    ([0.0, 0.0, 0.0, 0.333], [0.0, 0.0, 0.333, 0.333])
    """
    of_decoy = _of_decoys(lists, decoy)
    ours = _ours(lists)
    ranked = _ranking.ranking(lists)
    code, size = ranked.code, ranked.threshold.size

    def counted(records: Bools) -> Ints:
        return np.cumsum(np.bincount(code[records & ours], minlength=size))

    targets, decoys = counted(~of_decoy), counted(of_decoy)
    irrelevant = counted(~of_decoy & ~lists.whole.relevant)
    some = (of_decoy & ours).any()
    reason = "" if some else "there is no decoy in the lists"
    present = some & (np.bincount(code[ours], minlength=size) > 0)
    estimate = np.minimum((decoys + plus_one) / np.maximum(targets, 1), 1.0)[present]
    threshold, q_value = ranked.threshold[present], np.minimum.accumulate(estimate[::-1])
    targets, decoys, irrelevant = (counts[present] for counts in (targets, decoys, irrelevant))
    return FalseDiscovery(threshold, targets, decoys, irrelevant, q_value[::-1], reason)


def paired_entrapment(
    lists: RetrievalLists, decoy: ArrayLike, partner: Mapping[str, str]
) -> Floats:
    """False discovery proportion by entrapment records each of which is made of an original one.

    The paired estimate of Wen et al. (2025): an entrapment record counts once; twice, if it is
    accepted and its partner is not; and three times, if it is accepted with a better score than
    its partner, which is accepted, too. On average an upper bound, as the combined estimate is, and
    a closer one.

    Parameters
    ----------
    lists : RetrievalLists
        With ids of records. The irrelevant records that are not decoys are the entrapment.
    decoy : array_like of bool, shape (N,)
        Which records of ``lists.whole`` are decoys.
    partner : mapping of str to str
        The original record of each entrapment record.

    Returns
    -------
    ndarray of float64, shape (D,)
        At each threshold of `false_discovery`; at most 1, and NaN where no target is accepted.

    Raises
    ------
    ValueError
        If the lists have no ids of records, or as in `false_discovery`.
    KeyError
        If an entrapment record has no partner.

    References
    ----------
    Wen et al. (2025), Nature Methods 22:1454.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import paired_entrapment
    >>> lists = RetrievalLists(
    ...     [1.0, 2.0, 3.0, 4.0],
    ...     [True, False, True, False],
    ...     [0, 4],
    ...     [2],
    ...     record=["a", "b_shuffled", "b", "rev_c"],
    ... )
    >>> decoy = [False, False, False, True]
    >>> paired_entrapment(lists, decoy, {"b_shuffled": "b"}).round(2).tolist()
    [0.0, 1.0, 1.0, 1.0]
    """
    found = false_discovery(lists, decoy)
    whole = lists.whole
    if whole.record is None:
        msg = "the lists have no ids of records, by which entrapment records have partners"
        raise ValueError(msg)
    code, size = _ranking.ranking(lists).code, _ranking.ranking(lists).threshold.size
    query, ours = _ranking.list_positions(lists).query, _ours(lists)
    target = ours & ~_of_decoys(lists, decoy)
    place = {
        (query[at], whole.record[at]): code[at]
        for at in np.flatnonzero(target & whole.relevant).tolist()
    }
    false = np.zeros(size, np.int64)
    for at in np.flatnonzero(target & ~whole.relevant).tolist():
        other = place.get((query[at], partner[whole.record[at]]), size)
        false[code[at]] += 1 + (code[at] < other)
        if code[at] < other < size:
            false[other] += 1
    present = np.bincount(code[ours], minlength=size) > 0
    counts = np.cumsum(false)[present][: found.threshold.size]
    return np.minimum(ratio(counts, found.targets), 1.0)


def _of_decoys(lists: RetrievalLists, decoy: ArrayLike) -> Bools:
    check_kept(lists, whole=True)
    given = np.asarray(decoy)
    expected = f"true or false for each of {lists.whole.score.size:,} records"
    message = f"decoy: expected {expected}, found {given.dtype} of shape {given.shape}"
    _common.refuse(given.dtype != np.bool_ or given.shape != lists.whole.score.shape, message)
    relevant = (given & lists.whole.relevant).any()
    _common.refuse(relevant, "decoy: a decoy is relevant, which none can be")
    return given


def _ours(lists: RetrievalLists) -> Bools:
    """Which records are of the queries of a subset."""
    return (_ranking.row_of_query(lists) >= 0)[_ranking.list_positions(lists).query]
