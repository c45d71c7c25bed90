"""Bootstrap of queries: intervals of TAP-k, E_k and the peak TAP, and of all differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures._progress import Progress, advance
from tapviz.measures._ranking import n_thresholds, places, ranking
from tapviz.measures.errors import (
    QUANTILE_TOLERANCE,
    _check_k,
    _check_quantile,
    nth_error_code,
)
from tapviz.measures.tap import (
    PEAK_TOLERANCE,
    Tap,
    _tap_steps,
    _value,
    tap,
    tap_curve,
    tap_k,
    tap_table,
)
from tapviz.measures.ties import Ties

# The arrays of one block of replicates stay small, and its matrix products fast.
BLOCK = 50

# Below so many queries their choice says little about others.
ENOUGH_QUERIES = 10

# Stretches of about equally many records into which all thresholds are divided; and again those
# where the mean TAP of all queries is highest, this share of the records.
STRETCHES = 128
HIGHEST = 1 / 16

# Weights of queries in replicates that are held at a time: 128 MB.
HELD = 1 << 24
HELD_BRIEFLY = 1 << 21  # where nothing is made anew for them

# Where k errors are had by enough queries varies with their choice: by half the square root of
# their number if all weigh the same. So many square roots on either side are looked at first.
NEAR = 3

# The order of records of equal score.
TIES: Ties = "listed"

# Sums of thousands of numbers of at most 1, made in different orders, differ by less.
ROUNDING = 1e-13


class Interval(NamedTuple):
    """An estimate from all queries and a percentile interval of the replicates."""

    estimate: float
    """NaN where undefined."""
    low: float
    high: float


class Replicates(NamedTuple):
    """What each of B replicates gave; each array has the shape (B,)."""

    tap: NDArray[np.float64]
    e0: NDArray[np.float64]
    peak: NDArray[np.float64]
    peak_threshold: NDArray[np.float64]


class Bootstrapped(NamedTuple):
    """One algorithm."""

    tap: Interval
    """TAP-k, or TAP at E_0."""
    e0: Interval
    """Its threshold: E_k, or E_0. Low is the smaller number, also where scores descend."""
    peak: Interval
    """Largest mean TAP over all thresholds."""
    peak_threshold: Interval
    """The strictest threshold of the peak."""
    not_reached: int
    """Replicates in which too few lists hold k errors. Their E_k is infinite, more permissive
    than any score, and all records count, the sentinel with them."""
    replicates: Replicates
    reason: str
    """Why the estimate and interval of TAP-k and E_k are NaN; empty otherwise."""
    peak_reason: str
    """Why those of the peak are NaN; empty otherwise."""


class Difference(NamedTuple):
    """One algorithm less another, in the same replicates."""

    tap: Interval
    peak: Interval


class Bootstrap(NamedTuple):
    """Intervals of every algorithm and of every difference, with what made them."""

    algorithms: dict[str, Bootstrapped]
    differences: dict[tuple[str, str], Difference]
    """Of every two algorithms (a, b), in the order given: a - b."""
    n_queries: int
    n_resamples: int
    seed: int
    level: float
    method: str
    """How the queries of a replicate are chosen."""
    threshold_rule: str
    """"re-estimated": E_k of each replicate; "fixed": E_k of all queries; "given": E_0."""
    k: int | None
    """None if the threshold was given."""
    quantile: float | None
    no_relevant: str
    """The rule for queries with T(q) = 0, as in `tap`; likewise that for ties."""
    ties: str
    reason: str
    """Why not to trust the intervals; empty otherwise."""


def bootstrap(
    results: Mapping[str, RetrievalLists],
    k: int = 20,
    *,
    quantile: float = 0.5,
    e0: float | None = None,
    fixed_threshold: bool = False,
    n_resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    bayesian: bool = False,
    peak: bool = True,
    progress: Progress | None = None,
) -> Bootstrap:
    """How TAP-k and its peak vary with the choice of queries, for algorithms and differences.

    A replicate draws as many queries as there are, uniformly with replacement, the same for
    all algorithms; a query drawn c times has c times its weight. Everything is computed anew
    from it, exactly: E_k, TAP-k, and the peak over all thresholds. The intervals are the
    percentiles of the replicates; those of thresholds are never between two of them.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        At least one algorithm; all with the same queries in the same order, see `align`.
    k : int
        Errors per query, at least 1.
    quantile : float, in (0, 1]
        A fraction `quantile` of the queries has at least k errors at E_k.
    e0 : float, optional
        A threshold to take instead of E_k.
    fixed_threshold : bool
        Whether E_k of all queries is taken in every replicate.
    n_resamples : int
        Replicates, at least 1.
    seed : int
        Seed of the random numbers, not negative. Replicate r of a seed has the same queries
        whatever the algorithms and however many replicates there are.
    level : float, in (0, 1)
        Share of the replicates inside an interval.
    bayesian : bool
        Whether a replicate weights all queries at random (Dirichlet, all parameters 1) instead
        of drawing them.
    peak : bool
        Whether the peak is estimated, too, which takes most of the time.
    progress : callable, optional
        Called with the replicates done and their total, over all algorithms, at least 20 times
        if there are as many; False stops the work.

    Returns
    -------
    Bootstrap
        TAP-k and E_k of an algorithm are NaN if too few lists hold k errors; if that is so in
        some replicates only, they count with an infinite E_k. Below 10 queries `reason` warns.

    Raises
    ------
    ValueError
        If there is no algorithm, they differ in queries, T(q) or weights, or in the direction
        of scores when E_0 is given; or if a number is out of its range.
    Cancelled
        If `progress` returned False.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13; Rubin (1981),
    Ann. Statist. 9:130, for the Bayesian one.
    """
    _check(results, e0, n_resamples, seed, level)
    rule = ("fixed" if fixed_threshold else "re-estimated") if e0 is None else "given"
    if e0 is None:
        k, quantile = _check_k(k), _check_quantile(quantile)
    n_resamples = int(n_resamples)
    points = {
        name: tap_k(lists, k, quantile=quantile, short_lists="error", ties=TIES)
        if e0 is None
        else tap(lists, e0, ties=TIES)
        for name, lists in results.items()
    }
    parts: dict[str, list[_Part]] = {name: [] for name in results}
    total = n_resamples * len(results)
    size = max(1, min(BLOCK, n_resamples // 20))
    done = 0
    advance(progress, done, total)
    first = next(iter(results.values()))
    held = HELD if peak else HELD_BRIEFLY
    for weight in _weights(first.weight, n_resamples, seed, held, bayesian=bayesian):
        for name, lists in results.items():
            if rule == "re-estimated":
                codes = _error_codes(lists, weight, k, quantile)
            else:
                codes = np.full(len(weight), n_thresholds(lists, points[name].e0) - 1)
            part = _with_peak(lists, codes) if peak else _without_peak(lists, codes)
            for start in range(0, len(weight), size):
                rows = slice(start, start + size)
                parts[name].append(part(weight[rows], codes[rows]))
                done += len(weight[rows])
                advance(progress, done, total)
    algorithms = {
        name: _summary(lists, points[name], rule, parts[name], level, with_peak=peak)
        for name, lists in results.items()
    }
    differences = {
        (a, b): _difference(algorithms[a], algorithms[b], level)
        for a, b in combinations(results, 2)
    }
    few = f"needs at least {ENOUGH_QUERIES} queries, found {first.n_queries}"
    return Bootstrap(
        algorithms=algorithms,
        differences=differences,
        n_queries=first.n_queries,
        n_resamples=n_resamples,
        seed=int(seed),
        level=float(level),
        method="queries weighted at random" if bayesian else "queries drawn with replacement",
        threshold_rule=rule,
        k=k if e0 is None else None,
        quantile=quantile if e0 is None else None,
        no_relevant="reference",
        ties=TIES,
        reason=few if first.n_queries < ENOUGH_QUERIES else "",
    )


class _Part(NamedTuple):
    """Results of some replicates."""

    tap: NDArray[np.float64]
    code: NDArray[np.int64]
    peak: NDArray[np.float64]
    peak_code: NDArray[np.int64]


_MakePart = Callable[[NDArray[np.float64], NDArray[np.int64]], _Part]


def _with_peak(lists: RetrievalLists, asked: NDArray[np.int64]) -> _MakePart:
    return partial(_part, _table(lists, asked))


def _without_peak(lists: RetrievalLists, asked: NDArray[np.int64]) -> _MakePart:
    """Replicates agree on few thresholds: TAP of every query at each is all that is needed."""
    worst = ranking(lists).threshold.size - 1
    distinct = np.unique(np.minimum(asked, worst))
    table = tap_table(lists, distinct, ties=TIES)
    rows = np.empty((BLOCK, lists.n_queries))  # once: fresh memory is slow

    def part(weight: NDArray[np.float64], code: NDArray[np.int64]) -> _Part:
        nothing = np.full(len(weight), np.nan), np.full(len(weight), -1)
        if not lists.n_queries:
            return _Part(nothing[0], code, *nothing)
        place = np.searchsorted(distinct, np.minimum(code, worst))
        at = table.take(place, axis=0, out=rows[: place.size], mode="clip")
        mean = np.einsum("rq,rq->r", weight, at) / weight.sum(axis=1)
        return _Part(mean, code, *nothing)

    return part


class _Table(NamedTuple):
    """TAP of each query between stretches of thresholds, and what is needed inside them.

    Stretch m is the codes above edge m - 1 and below edge m.
    """

    edge: NDArray[np.int64]
    """Codes of thresholds, rising, shape (M,). The first is -1: nothing is retrieved."""
    value: NDArray[np.float64]
    """TAP of each query at each edge, shape (Q, M)."""
    bound: NDArray[np.float64]
    """Largest TAP of each query at the edge before and inside each stretch, shape (Q, M)."""
    start: NDArray[np.int64]
    """First step of each stretch, shape (M,)."""
    stop: NDArray[np.int64]
    code: NDArray[np.int32]
    """Of each step, strictest first; its query and gain likewise."""
    query: NDArray[np.intp]
    gain: NDArray[np.float64]
    weight: NDArray[np.float64]
    """Of each query itself, shape (Q,)."""
    rise: NDArray[np.float64]
    """How far the weighted sum of `bound` exceeds that of `value` at the edge before, (M,)."""
    first: NDArray[np.int64]
    """Code of each query's best record, shape (Q,); larger than any if its list is empty."""


def _weights(
    weight: NDArray[np.float64], n_resamples: int, seed: int, held: int, *, bayesian: bool
) -> Iterator[NDArray[np.float64]]:
    """Weights of the queries in some replicates, shape (R, Q), in the same memory each time."""
    rng = np.random.Generator(np.random.PCG64(seed))
    size = weight.size
    held = min(n_resamples, max(1, held // max(size, 1)))
    memory = np.empty((held, size))
    for start in range(0, n_resamples, held):
        rows = memory[: n_resamples - start]
        for row in rows:
            if bayesian:
                drawn = rng.standard_exponential(size)
                row[:] = drawn / drawn.mean() if size else drawn
            else:
                row[:] = np.bincount(rng.integers(0, max(size, 1), size), minlength=size)
        rows *= weight
        yield rows


def _error_codes(
    lists: RetrievalLists, weight: NDArray[np.float64], k: int, quantile: float
) -> NDArray[np.int64]:
    """Code of E_k of each replicate, shape (R,); the number of thresholds if there is none."""
    codes = nth_error_code(lists, k)
    size = codes.size
    if not size:
        return np.full(len(weight), ranking(lists).threshold.size)
    order = np.argsort(codes, kind="stable")
    share = quantile * (1 - QUANTILE_TOLERANCE)
    below = np.cumsum(lists.weight.take(order))
    middle, reach = int(np.searchsorted(below, share * below[-1])), int(NEAR * size**0.5)
    low, high = max(middle - reach, 0), min(middle + reach, size)
    edge = np.ones((size, 2))
    edge[order[low:], 0] = 0
    before, total = (weight @ edge).T
    place = low + _before_enough(weight, order[low:high], before, share * total)
    elsewhere = (place == high) & (high < size) | (place == low) & (low > 0)
    rows = np.flatnonzero(elsewhere)
    for start in range(0, rows.size, BLOCK):
        some = rows[start : start + BLOCK]
        place[some] = _before_enough(weight[some], order, np.zeros(some.size), share * total[some])
    return codes[order[place]]


def _before_enough(
    weight: NDArray[np.float64],
    order: NDArray[np.intp],
    before: NDArray[np.float64],
    enough: NDArray[np.float64],
) -> NDArray[np.intp]:
    """How many queries of an order do not yet add up to enough, with those before, shape (R,)."""
    total = weight.take(order, axis=1)
    np.cumsum(total, axis=1, out=total)
    few: NDArray[np.intp] = (total + before[:, None] < enough[:, None]).sum(axis=1)
    return few


def _table(lists: RetrievalLists, asked: NDArray[np.int64]) -> _Table:
    """Make the table with edges at the codes asked for and between stretches of many steps."""
    whole, known, n_queries = lists.whole, places(lists), lists.n_queries
    steps = _tap_steps(lists, ties=TIES)
    code, query, gain = steps.code, steps.query, steps.gain
    # In the order of the lists: each query at its own thresholds.
    last = np.append(known.block_start[1:], whole.score.size)[: known.block_start.size] - 1
    if n_queries < whole.n_queries:
        place = np.full(whole.n_queries, -1, np.intp)
        place[lists.rows] = np.arange(n_queries)
        chosen = np.flatnonzero(place.take(query) >= 0)
        code, query, gain = code[chosen], place.take(query[chosen]), gain[chosen]
        last = last[place.take(known.query[last]) >= 0]
        row = place.take(known.query[last])
    else:
        row = known.query[last].astype(np.intp)
    own = ranking(lists).code[last]
    tap_at = _value(lists, ties=TIES)[last]
    barren = np.flatnonzero((lists.n_relevant == 0).take(row)) if n_queries else row
    tap_at[barren] = 1 / (known.rank[last[barren]] + 1)

    worst = ranking(lists).threshold.size - 1
    mean = np.cumsum(gain * lists.weight.take(query))
    edge = np.union1d(_edges(code, mean), np.append(np.minimum(asked, worst), -1))
    stretch = np.repeat(np.arange(1, edge.size), np.diff(edge)).take(own)
    cell = row * edge.size + stretch
    begins = np.ones(cell.size, np.bool_)
    np.not_equal(cell[1:], cell[:-1], out=begins[1:])
    begin = np.flatnonzero(begins)
    cell = cell[begin]
    # TAP stays what it is from one of the query's thresholds to the next.
    base = np.arange(n_queries) * edge.size
    at = np.searchsorted(cell, base)
    since = np.insert(cell, at, base)
    level = np.insert(
        tap_at[np.append(begin[1:], row.size)[: begin.size] - 1], at, lists.n_relevant == 0
    )
    value = np.repeat(level, np.diff(since, append=n_queries * edge.size))
    bound = np.empty_like(value)
    bound[1:] = value[:-1]
    bound[base] = value[base]
    if begin.size:
        tap_at *= own != edge.take(stretch)  # an edge is not inside; no TAP is below 0
        inside = np.maximum.reduceat(tap_at, begin)
        bound[cell] = np.maximum(bound[cell], inside)
    shape = (n_queries, edge.size)
    rise = lists.weight @ bound.reshape(shape)
    rise[1:] -= (lists.weight @ value.reshape(shape))[:-1]
    first = np.full(n_queries, worst + 1)
    some = np.flatnonzero(np.diff(whole.offset)[lists.rows])
    first[some] = ranking(lists).code[whole.offset[lists.rows[some]]]
    return _Table(
        edge=edge,
        value=value.reshape(shape),
        bound=bound.reshape(shape),
        start=np.searchsorted(code, np.append(-1, edge[:-1]), side="right"),
        stop=np.searchsorted(code, edge, side="left"),
        code=code,
        query=query,
        gain=gain,
        weight=lists.weight,
        rise=rise,
        first=first,
    )


def _edges(code: NDArray[np.int32], mean: NDArray[np.float64]) -> NDArray[np.int64]:
    """Codes between stretches of about equally many steps, most of them where the mean is high."""
    if not code.size:
        return np.zeros(0, np.int64)
    high = code[mean >= np.quantile(mean, 1 - HIGHEST)]
    share = np.linspace(0, 1, STRETCHES + 1)
    spread = [steps[(share * (steps.size - 1)).astype(np.intp)] for steps in (code, high)]
    return np.concatenate(spread).astype(np.int64)


class _Block(NamedTuple):
    """Some replicates, R, and their mean TAP at the edges of the table."""

    table: _Table
    weight: NDArray[np.float64]
    """Of each query, shape (R, Q)."""
    total: NDArray[np.float64]
    """Of all queries, shape (R, 1)."""
    value: NDArray[np.float64]
    """Mean TAP at each edge, shape (R, M)."""
    first: NDArray[np.int64]
    """Code of the best record of the queries drawn, shape (R, 1)."""


def _part(table: _Table, weight: NDArray[np.float64], code: NDArray[np.int64]) -> _Part:
    """TAP at the codes asked for, and the peak, of replicates with these weights."""
    size, n_queries = weight.shape
    if not n_queries:
        return _Part(np.full(size, np.nan), code, np.full(size, np.nan), np.full(size, -1))
    total = weight.sum(axis=1, keepdims=True)
    first = np.where(weight > 0, table.first, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
    block = _Block(table, weight, total, weight @ table.value / total, first)
    column = np.searchsorted(table.edge, np.minimum(code, table.edge[-1]))
    return _Part(block.value[np.arange(size), column], code, *_peak(block))


def _peak(block: _Block) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Peak of the mean TAP, and the strictest code within the tolerance of it."""
    table, size = block.table, len(block.value)
    # Before the first record of the queries drawn nothing is a threshold. Later thresholds of
    # other queries do no harm: they change nothing, and a stricter one has the same TAP.
    live = table.edge >= block.first
    value = np.where(live, block.value, -np.inf)
    best = value.max(axis=1)
    # How far a stretch rises at most: all its rises are of the query drawn most often. Only
    # where that is enough the bound itself is computed, and only where that is, the values.
    often = (block.weight / table.weight).max(axis=1, keepdims=True)
    bound = np.full(value.shape, -np.inf)
    bound[:, 1:] = block.value[:, :-1] + often * table.rise[1:] / block.total
    chance = live & (table.start < table.stop)
    near = (best - PEAK_TOLERANCE - 2 * ROUNDING)[:, None]
    some = np.flatnonzero((chance & (bound >= near)).any(axis=0))
    bound[:, some] = block.weight @ table.bound[:, some] / block.total
    bound[~chance] = -np.inf
    for m in np.flatnonzero((bound > best[:, None] + ROUNDING).any(axis=0)).tolist():
        rows = np.flatnonzero(bound[:, m] > best + ROUNDING)
        inside, _ = _inside(block, m, rows)
        bound[rows, m] = inside.max(axis=1)
        best[rows] = np.maximum(best[rows], bound[rows, m])

    enough = best - PEAK_TOLERANCE
    at_edge = value >= enough[:, None]
    within = bound + ROUNDING >= enough[:, None]
    peak, code = np.full(size, np.nan), np.full(size, -1, np.int64)
    sought = best > -np.inf
    for m in np.flatnonzero((at_edge | within).any(axis=0)).tolist():
        rows = np.flatnonzero(sought & within[:, m])
        if rows.size:
            inside, codes = _inside(block, m, rows)
            high = inside >= enough[rows, None]
            place = high.argmax(axis=1)
            found = np.flatnonzero(high.any(axis=1))
            peak[rows[found]] = inside[found, place[found]]
            code[rows[found]] = codes[place[found]]
            sought[rows[found]] = False
        rows = np.flatnonzero(sought & at_edge[:, m])
        peak[rows] = value[rows, m]
        code[rows] = table.edge[m]
        sought[rows] = False
        if not sought.any():
            break
    return peak, code


def _inside(
    block: _Block, m: int, rows: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Mean TAP of some of the replicates at every threshold inside a stretch, and their codes."""
    table = block.table
    steps = slice(table.start[m], table.stop[m])
    mean = block.weight[rows].take(table.query[steps], axis=1)
    mean *= table.gain[steps]
    np.cumsum(mean, axis=1, out=mean)
    code = table.code[steps]
    last = np.flatnonzero(np.diff(code, append=-1))
    if last.size < code.size:
        # Records of one score are retrieved together.
        mean, code = mean[:, last], code[last]
    mean /= block.total[rows]
    mean += block.value[rows, m - 1, None]
    mean[code < block.first[rows]] = -np.inf
    return mean, code


def _summary(
    lists: RetrievalLists,
    point: Tap,
    rule: str,
    parts: list[_Part],
    level: float,
    *,
    with_peak: bool,
) -> Bootstrapped:
    """Put the parts of an algorithm together."""
    mean, code, peak, peak_code = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    threshold = ranking(lists).threshold
    # Code -1 stands for no threshold, one after the last for none permissive enough.
    named = np.concatenate([threshold, [lists.sign * np.inf, np.nan]])
    re_estimated = rule == "re-estimated"
    e0 = named[code] if re_estimated else np.full(mean.size, point.e0)
    reason = point.reason
    if reason:
        mean, e0 = np.full(mean.size, np.nan), np.full(mean.size, np.nan)
    highest, at, peak_reason = float("nan"), float("nan"), "the peak was not asked for"
    if with_peak:
        curve = tap_curve(lists, ties=TIES)
        highest, at, peak_reason = curve.peak_tap, curve.peak_threshold, ""
    if with_peak and np.isnan(highest):
        peak_reason = "there is no record" if lists.n_queries else "there is no query"
    elif with_peak and np.isnan(peak).any():
        number = int(np.isnan(peak).sum())
        peak_reason = f"in {number} replicates the queries drawn have no record"
    return Bootstrapped(
        tap=_interval(point.tap, mean, level),
        e0=_order_interval(np.nan if reason else point.e0, e0, level),
        peak=_interval(highest, peak, level),
        peak_threshold=_order_interval(at, named[peak_code], level),
        not_reached=int((code == threshold.size).sum()) if re_estimated else 0,
        replicates=Replicates(mean, e0, peak, named[peak_code]),
        reason=reason,
        peak_reason=peak_reason,
    )


def _difference(a: Bootstrapped, b: Bootstrapped, level: float) -> Difference:
    return Difference(
        tap=_interval(a.tap.estimate - b.tap.estimate, a.replicates.tap - b.replicates.tap, level),
        peak=_interval(
            a.peak.estimate - b.peak.estimate, a.replicates.peak - b.replicates.peak, level
        ),
    )


def _interval(estimate: float, values: NDArray[np.float64], level: float) -> Interval:
    """Percentiles, interpolated between replicates."""
    if np.isnan(values).any():
        return Interval(float(estimate), float("nan"), float("nan"))
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(float(estimate), low, high)


def _order_interval(estimate: float, values: NDArray[np.float64], level: float) -> Interval:
    """The replicates just outside the percentiles: a threshold between two scores is none."""
    if np.isnan(values).any():
        return Interval(float(estimate), float("nan"), float("nan"))
    ordered = np.sort(values)
    low = int(np.floor((1 - level) / 2 * (ordered.size - 1)))
    high = ordered.size - 1 - low
    return Interval(float(estimate), float(ordered[low]), float(ordered[high]))


def _check(
    results: Mapping[str, RetrievalLists],
    e0: float | None,
    n_resamples: int,
    seed: int,
    level: float,
) -> None:
    if n_resamples < 1 or n_resamples % 1:
        msg = f"n_resamples = {n_resamples}: expected a whole number of at least 1"
        raise ValueError(msg)
    if seed < 0 or seed % 1:
        msg = f"seed = {seed}: expected a whole number of at least 0"
        raise ValueError(msg)
    if not 0 < level < 1:
        msg = f"level = {level}: expected a fraction above 0 and below 1"
        raise ValueError(msg)
    if not results:
        msg = "results: expected at least one algorithm"
        raise ValueError(msg)
    one, first = next(iter(results.items()))
    for name, lists in results.items():
        for field in ("query", "n_relevant", "weight"):
            if not np.array_equal(getattr(lists, field), getattr(first, field)):
                msg = (
                    f"{one} and {name} differ in `{field}`: expected the same queries in the "
                    "same order, with the same T(q) and weights; use align"
                )
                raise ValueError(msg)
        if e0 is not None and lists.direction != first.direction:
            msg = (
                f"{one} has {first.direction} scores and {name} {lists.direction} ones: "
                "no E_0 is common to both"
            )
            raise ValueError(msg)
