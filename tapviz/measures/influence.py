"""What one query does to a score, and where pooled ROC_n is no average of its parts."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, derived
from tapviz.measures._progress import Progress, advance
from tapviz.measures._ranking import n_retrieved, places, ranking, relevant_among
from tapviz.measures.errors import QUANTILE_TOLERANCE, nth_error_code
from tapviz.measures.roc import _check_n, _merged, pooled_roc_n, roc_n
from tapviz.measures.tap import tap, tap_k

Kind = Literal["pairs", "classes", "both"]

# A score outside its parts by no more than this may be rounding.
BETWEEN_TOLERANCE = 1e-12


class Influence(NamedTuple):
    """Pooled ROC_n and TAP-k without each of the queries, with the policy that made them.

    Pooled ROC_n crosses ties on a diagonal and stays where it ends if the pool has fewer than n
    errors. TAP-k follows the reference rule for queries with T(q) = 0 and is undefined if too
    few lists have k errors.
    """

    query: NDArray[np.str_]
    """Ids of the queries, shape (Q,)."""
    pooled_roc_n: float
    """With all queries; NaN where undefined, see `pooled_reason`."""
    pooled_without: NDArray[np.float64]
    """Without each query, shape (Q,)."""
    pooled_change: NDArray[np.float64]
    """`pooled_without` less `pooled_roc_n`: what leaving the query out does. Shape (Q,)."""
    supplied: NDArray[np.float64]
    """How many of the first n errors of the pool each query supplies, shape (Q,); where the
    n-th is tied, the errors of its score share evenly."""
    tap: float
    """TAP-k with all queries; NaN where undefined, see `tap_reason`."""
    tap_without: NDArray[np.float64]
    """Without each query, at the threshold of the others, shape (Q,)."""
    tap_change: NDArray[np.float64]
    """`tap_without` less `tap`, shape (Q,)."""
    e_k: float
    """Threshold E_k of all queries; NaN if there is none."""
    e_k_without: NDArray[np.float64]
    """Threshold E_k of the others, shape (Q,)."""
    k: int
    n: int
    quantile: float
    pooled_reason: str
    """Why pooled ROC_n is NaN, with all queries or without some; empty otherwise."""
    tap_reason: str
    """Why TAP-k is NaN, with all queries or without some; empty otherwise."""


class Violation(NamedTuple):
    """Queries whose pooled ROC_n lies outside the range of their own."""

    kind: str
    """Either "pair" or "class"."""
    name: str
    """The class; empty for a pair."""
    rows: NDArray[np.int64]
    """Places of the queries among those of the lists given, shape (P,)."""
    query: NDArray[np.str_]
    """Ids of these queries, shape (P,)."""
    pooled_roc_n: float
    """Of these queries, merged."""
    roc_n: NDArray[np.float64]
    """Of each of them, shape (P,)."""
    distance: float
    """How far the one is below the smallest, or above the largest, of the other."""
    tap: float
    """Mean TAP of these queries; NaN if there is no E_k."""
    per_query_tap: NDArray[np.float64]
    """TAP of each of them, shape (P,)."""


class Betweenness(NamedTuple):
    """Where pooled ROC_n is not between the values of its parts, with what was examined."""

    violations: tuple[Violation, ...]
    """The worst first; at most `limit` pairs and `limit` classes."""
    n_pair_violations: int
    """Pairs outside their parts, shown or not."""
    n_class_violations: int
    n_pairs: int
    """Pairs examined."""
    n_classes: int
    """Classes examined; those of the same queries count once, as the most specific."""
    n_examined: int
    """Queries that the pairs were made of."""
    n_queries: int
    """Queries with T(q) > 0; no others have a ROC_n, so that they are left out throughout."""
    n: int
    k: int
    e_k: float
    """Threshold of every TAP here, that of all queries; NaN if there is none, see `reason`."""
    kind: str
    reason: str
    """Why there is no TAP; empty otherwise."""


def influence(
    lists: RetrievalLists, k: int = 20, n: int = 50, *, quantile: float = 0.5
) -> Influence:
    """Leave each query out in turn: what becomes of pooled ROC_n and of TAP-k.

    Exact, with E_k estimated again from the other queries, for about the time of one
    evaluation of each.

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Errors per query of TAP-k, at least 1.
    n : int
        Errors of the pool of ROC_n, at least 1.
    quantile : float, in (0, 1]
        A fraction `quantile` of the queries has at least k errors at E_k.

    Raises
    ------
    ValueError
        If k or n is not a whole number of at least 1, or the quantile not in (0, 1].

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Condition 5.
    """
    n = _check_n(n)
    full = tap_k(lists, k, quantile=quantile, short_lists="error")
    e_k = full.e0 if not full.short_lists else float("nan")
    k, quantile = int(k), float(quantile)
    tap_without, e_k_without = _tap_without(lists, k, quantile)
    pooled = pooled_roc_n(lists, n)
    pool = _pool(lists)
    pooled_without = _pooled_without(lists, pool, n)
    alone = "there is no other query" if lists.n_queries == 1 else ""
    pooled_reason = tap_reason = ""
    if np.isnan(pooled):
        pooled_reason = "no query has a relevant record" if lists.n_queries else full.reason
    elif np.isnan(pooled_without).any():
        pooled_reason = alone or "no other query has a relevant record"
    if np.isnan(full.tap):
        tap_reason = full.reason
    elif np.isnan(tap_without).any():
        tap_reason = alone or (
            f"Without one of the queries, fewer than {quantile:g} of the retrieval lists have "
            f"{k} errors."
        )
    return Influence(
        query=lists.query,
        pooled_roc_n=pooled,
        pooled_without=pooled_without,
        pooled_change=pooled_without - pooled,
        supplied=_supplied(pool, n, lists.n_queries),
        tap=full.tap,
        tap_without=tap_without,
        tap_change=tap_without - full.tap,
        e_k=e_k,
        e_k_without=e_k_without,
        k=k,
        n=n,
        quantile=quantile,
        pooled_reason=pooled_reason,
        tap_reason=tap_reason,
    )


def _tap_without(
    lists: RetrievalLists, k: int, quantile: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """TAP-k and E_k without each query, shape (Q,) each; NaN where undefined."""
    n_queries, weight = lists.n_queries, lists.weight
    result = np.full(n_queries, np.nan)
    if n_queries <= 1:
        return result, result.copy()
    codes = nth_error_code(lists, k)
    order = np.argsort(codes, kind="stable")
    place = np.empty(n_queries, np.int64)
    place[order] = np.arange(n_queries)
    reached = np.cumsum(weight[order])
    # The weight to be reached among the others; the query itself is in `reached` if it stands
    # before the place sought.
    needed = quantile * (1 - QUANTILE_TOLERANCE) * (reached[-1] - weight)
    before = np.searchsorted(reached, needed)
    after = np.maximum(np.searchsorted(reached, needed + weight), place + 1)
    at = np.where(before < place, before, after)
    threshold = np.append(ranking(lists).threshold, np.nan)
    code = np.append(codes[order], threshold.size - 1)[np.minimum(at, n_queries)]
    for each in np.unique(code[code < threshold.size - 1]):
        # Few: without a query of weight 1, E_k is the same or the next.
        values = tap(lists, threshold[each]).per_query
        these = code == each
        rest = values @ weight - (values * weight)[these]
        result[these] = rest / (weight.sum() - weight[these])
    return result, threshold[code]


@derived()
def _own_errors(lists: RetrievalLists) -> NDArray[np.int64]:
    """Errors of its own list before each relevant record, tied ones half, doubled; best first."""
    before, through = _errors_around(lists)
    order = ranking(lists).order
    return (before + through)[order[lists.relevant[order]]]


def _errors_around(lists: RetrievalLists) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Errors of each record's list before, and up to the end of, its tie block; (N,) each."""
    known = places(lists)
    length = np.diff(np.append(known.block_start, lists.score.size))
    errors = np.concatenate([[0], np.cumsum(~lists.relevant)])
    end = known.block_start + length
    start = np.repeat(errors[lists.offset[:-1]], np.diff(lists.offset))
    before = np.repeat(errors[known.block_start], length) - start
    return before, np.repeat(errors[end], length) - start


@derived()
def _own_number(lists: RetrievalLists) -> NDArray[np.int64]:
    """Number of each irrelevant record in its own list, from 1; all lists merged, best first."""
    known = places(lists)
    number = known.rank - known.found
    order = ranking(lists).order
    return number[order[~lists.relevant[order]]].astype(np.int64)


class _Pool(NamedTuple):
    """Records of all queries merged, best first; queries by their place among those kept."""

    query: NDArray[np.int64]
    """Of each error."""
    code: NDArray[np.int32]
    """Place of the score of each error among the distinct scores."""
    number: NDArray[np.int64]
    """Number of each error in its own list, from 1."""
    hit_query: NDArray[np.int64]
    """Of each relevant record."""
    hit: NDArray[np.int32]
    """Place of the score of each relevant record among the distinct scores."""
    own: NDArray[np.int64]
    """Errors of its own list before each relevant record, tied ones half, doubled."""


def _pool(lists: RetrievalLists) -> _Pool:
    relevant, irrelevant = _merged(lists)
    number, own = _own_number(lists), _own_errors(lists)
    row = np.full(lists.whole.n_queries, -1)
    row[lists.rows] = np.arange(lists.n_queries)
    query, hit_query = row[irrelevant.query], row[relevant.query]
    if lists.n_queries == lists.whole.n_queries:
        return _Pool(query, irrelevant.code, number, hit_query, relevant.code, own)
    keep, keep_hit = query >= 0, hit_query >= 0
    return _Pool(
        query[keep],
        irrelevant.code[keep],
        number[keep],
        hit_query[keep_hit],
        relevant.code[keep_hit],
        own[keep_hit],
    )


def _supplied(pool: _Pool, n: int, n_queries: int) -> NDArray[np.float64]:
    """How many of the first n errors each query supplies; where the n-th is tied, by share."""
    if not pool.code.size:
        return np.zeros(n_queries)
    n = min(n, pool.code.size)
    first = np.searchsorted(pool.code, pool.code[n - 1])
    last = np.searchsorted(pool.code, pool.code[n - 1], side="right")
    tied = np.bincount(pool.query[first:last], minlength=n_queries)
    supplied: NDArray[np.float64] = tied * ((n - first) / (last - first))
    return supplied + np.bincount(pool.query[:first], minlength=n_queries)


def _pooled_without(lists: RetrievalLists, pool: _Pool, n: int) -> NDArray[np.float64]:
    """Pooled ROC_n without each query, shape (Q,); NaN where no other has a relevant record.

    The area without a query is the area of all up to the n-th error of the others, less what
    stands above the query's own errors, less what its own relevant records add above the errors
    of the others. Only the place of that n-th error differs from query to query.
    """
    n_queries, size = lists.n_queries, ranking(lists).threshold.size
    query, code, number, hit_query, hit, own = pool
    # The i-th error of a query, at place p of all, follows p - i errors of others.
    ahead = np.bincount(query[np.arange(1, code.size + 1) - number < n], minlength=n_queries)
    # Place among the distinct scores of the n-th error of the others.
    cut = np.append(code, size)[np.minimum(n + ahead - 1, code.size)].astype(np.int64)

    def others(until: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Errors and relevant records of the others among the strictest `until` scores."""
        seen = n_retrieved(lists, until)
        found = relevant_among(lists, seen)
        return np.searchsorted(code, until) - (seen - found), np.searchsorted(hit, until) - found

    errors, found = others(cut)
    errors_through, found_through = others(cut + 1)

    # Nothing past the last cut counts. Heights, and errors passed, are doubled: whole numbers.
    last = cut.max(initial=0)
    query, code = query[: np.searchsorted(code, last)], code[: np.searchsorted(code, last)]
    height = np.searchsorted(hit, code, side="left") + np.searchsorted(hit, code, side="right")
    before = hit < cut[hit_query]
    hit_query, hit, own = hit_query[before], hit[before], own[before]
    passed = np.searchsorted(code, hit, side="left") + np.searchsorted(code, hit, side="right")
    area = np.concatenate([[0], np.cumsum(height)])[np.searchsorted(code, cut)].astype(np.float64)
    inside = code < cut[query]
    area -= np.bincount(query[inside], height[inside], minlength=n_queries)
    area -= 2 * errors * np.bincount(hit_query, minlength=n_queries)
    area += np.bincount(hit_query, passed - own, minlength=n_queries)
    area /= 2
    # In the tie block of the n-th error the curve is a diagonal. Past all scores it is flat.
    m, tied = n - errors, np.maximum(errors_through - errors, 1)
    area += m * found + (found_through - found) * m**2 / (2 * tied)
    rest = lists.n_relevant.sum() - lists.n_relevant
    result = np.full(n_queries, np.nan)
    np.divide(area, n * rest, out=result, where=rest > 0)
    return result


def betweenness_violations(
    lists: RetrievalLists,
    n: int = 50,
    k: int = 20,
    *,
    kind: Kind = "pairs",
    limit: int = 100,
    max_queries: int = 1000,
    progress: Progress | None = None,
) -> Betweenness:
    """Pairs and classes of queries whose pooled ROC_n lies outside the range of their own.

    TAP at one threshold for all is a mean, which is always between. Pooled ROC_n is not: the
    first n errors of the pool may all be those of one query. Every pair is examined, exactly.

    Parameters
    ----------
    lists : RetrievalLists
    n : int
        Errors of ROC_n, at least 1.
    k : int
        Errors per query of TAP-k, at least 1; the threshold is the E_k of all queries, the
        same for all parts.
    kind : {"pairs", "classes", "both"}
        Two queries each; or the queries of a class at any of its levels (a, a.1, a.1.1), of
        which there are at least two.
    limit : int
        Pairs and classes to return, the worst of each.
    max_queries : int
        At most so many queries are paired: of more, those that pooled ROC_n depends on most
        (`influence`). Classes have all their queries.
    progress : callable, optional
        Called with the pairs and classes examined and their total; False stops the work.

    Raises
    ------
    ValueError
        If k or n is not a whole number of at least 1, the kind is unknown, the limit is
        negative, or fewer than two queries may be paired.
    Cancelled
        If `progress` returned False.

    References
    ----------
    Carroll et al. (2010), Bioinformatics 26:1708, Condition 6 and Figure 4.
    """
    n = _check_n(n)
    if kind not in ("pairs", "classes", "both"):
        msg = f'kind {kind!r}: expected "pairs", "classes" or "both"'
        raise ValueError(msg)
    if limit < 0 or max_queries < 2:  # noqa: PLR2004  # a pair
        msg = (
            f"limit = {limit}, max_queries = {max_queries}: expected at least 0 violations and "
            "at least 2 queries"
        )
        raise ValueError(msg)
    at = tap_k(lists, k, short_lists="error")
    own = roc_n(lists, n)
    used = np.flatnonzero(lists.n_relevant > 0)
    paired = used[:0] if kind == "classes" else _most_influential(lists, used, k, n, max_queries)
    classes = {} if kind == "pairs" else _classes(lists, used)
    n_pairs = paired.size * (paired.size - 1) // 2
    total = n_pairs + len(classes)
    advance(progress, 0, total)

    def violation(kind: str, name: str, rows: NDArray[np.int64], pooled: float) -> Violation:
        distance = max(own[rows].min() - pooled, pooled - own[rows].max())
        mean = float(at.per_query[rows] @ lists.weight[rows] / lists.weight[rows].sum())
        return Violation(
            kind=kind,
            name=name,
            rows=rows,
            query=lists.query[rows],
            pooled_roc_n=float(pooled),
            roc_n=own[rows],
            distance=float(distance),
            tap=mean,
            per_query_tap=at.per_query[rows],
        )

    left, right, pooled = _pairs(lists, paired, own, n, progress, total)
    distance = np.maximum(
        np.minimum(own[left], own[right]) - pooled, pooled - np.maximum(own[left], own[right])
    )
    found = [
        violation("pair", "", np.array([left[i], right[i]]), pooled[i])
        for i in np.argsort(-distance, kind="stable")[:limit]
    ]
    groups = []
    first = _first_errors(lists, np.arange(lists.n_queries), n)
    for done, (name, rows) in enumerate(classes.items(), start=1):
        group = violation("class", name, rows, _merged_roc_n(lists, first, rows, n))
        if group.distance > BETWEEN_TOLERANCE:
            groups.append(group)
        advance(progress, n_pairs + done, total)
    worst = sorted(groups, key=lambda group: -group.distance)[:limit]
    return Betweenness(
        violations=tuple(sorted([*found, *worst], key=lambda each: -each.distance)),
        n_pair_violations=left.size,
        n_class_violations=len(groups),
        n_pairs=n_pairs,
        n_classes=len(classes),
        n_examined=paired.size,
        n_queries=used.size,
        n=n,
        k=int(k),
        e_k=float("nan") if at.short_lists else at.e0,
        kind=kind,
        reason=at.reason,
    )


def _most_influential(
    lists: RetrievalLists, used: NDArray[np.int64], k: int, n: int, max_queries: int
) -> NDArray[np.int64]:
    """Rows of the queries to pair, in the order of the lists."""
    if used.size <= max_queries:
        return used
    change = np.abs(np.nan_to_num(influence(lists, k, n).pooled_change[used]))
    return np.sort(used[np.argsort(-change, kind="stable")[:max_queries]])


def _classes(lists: RetrievalLists, used: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """Rows of the queries of every class, at every level, that has at least two."""
    if lists.query_class is None:
        return {}
    members: dict[str, list[int]] = {}
    for row in used.tolist():
        parts = str(lists.query_class[row]).split(".")
        for level in range(1, len(parts) + 1):
            if parts[0]:
                members.setdefault(".".join(parts[:level]), []).append(row)
    # Of classes with the same queries, the most specific comes last and keeps its name.
    distinct = {tuple(rows): name for name, rows in members.items() if len(rows) > 1}
    return {name: np.array(rows) for rows, name in distinct.items()}


class _First(NamedTuple):
    """The records that can matter to ROC_n of some queries, merged with any others.

    In each list these are the records as good as its n-th error or better.
    """

    record: NDArray[np.int64]
    """Places of the records in the whole lists, list after list."""
    offset: NDArray[np.int64]
    """Where each list begins in `record`, and the last one ends, shape (P + 1,)."""


def _first_errors(lists: RetrievalLists, rows: NDArray[np.int64], n: int) -> _First:
    number = n_retrieved(lists, nth_error_code(lists, n) + 1)[rows]
    offset = np.concatenate([[0], np.cumsum(number)])
    start = lists.whole.offset[lists.rows[rows]]
    return _First(np.arange(offset[-1]) + np.repeat(start - offset[:-1], number), offset)


def _merged_roc_n(lists: RetrievalLists, first: _First, rows: NDArray[np.int64], n: int) -> float:
    """Pooled ROC_n of some queries: ROC_n of a single query with all their records."""
    record = np.concatenate([first.record[first.offset[q] : first.offset[q + 1]] for q in rows])
    merged = RetrievalLists.from_records(
        np.zeros(record.size, np.int64),
        lists.whole.score[record],
        lists.whole.relevant[record],
        n_relevant=[lists.n_relevant[rows].sum()],
        query=["pool"],
        direction=lists.direction,
    )
    return float(roc_n(merged, n)[0])


class _Side(NamedTuple):
    """Records of one kind of P lists, list after list."""

    code: NDArray[np.int64]
    """Place of each record's score among the distinct scores."""
    offset: NDArray[np.int64]
    """Where each list begins, and the last one ends, shape (P + 1,)."""
    key: NDArray[np.int64]
    """`code` plus the place of the list times the step between lists: ascending throughout."""


def _side(code: NDArray[np.int64], query: NDArray[np.int64], n_lists: int, step: int) -> _Side:
    offset = np.concatenate([[0], np.cumsum(np.bincount(query, minlength=n_lists))])
    return _Side(code, offset.astype(np.int64), query * step + code)


def _pairs(
    lists: RetrievalLists,
    rows: NDArray[np.int64],
    own: NDArray[np.float64],
    n: int,
    progress: Progress | None,
    total: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Rows of two queries, and their pooled ROC_n, wherever it is outside their own.

    One query is merged with all later ones at once. The area of two lists up to their n-th
    error is what stands above the errors of each in its own list, plus what each list's
    relevant records add above the errors of the other.
    """
    none = np.zeros(0, np.int64)
    if rows.size < 2:  # noqa: PLR2004  # a pair
        return none, none, np.zeros(0)
    n_lists = rows.size
    first = _first_errors(lists, rows, n)
    scores, code = np.unique(ranking(lists).code[first.record], return_inverse=True)
    never = scores.size  # the place of an n-th error that does not exist
    step = never + 2
    query = np.repeat(np.arange(n_lists), np.diff(first.offset))
    relevant = lists.whole.relevant[first.record]
    hits = _side(code[relevant], query[relevant], n_lists, step)
    errors = _side(code[~relevant], query[~relevant], n_lists, step)
    # Heights, and errors passed, are doubled: whole numbers.
    height = np.searchsorted(hits.key, errors.key, side="left")
    height += np.searchsorted(hits.key, errors.key, side="right")
    height -= 2 * hits.offset[query[~relevant]]
    own_area = np.concatenate([[0], np.cumsum(height)])
    nth = _nth_codes(errors, n, never)
    size = lists.n_relevant[rows]
    pieces = []
    done = 0
    for a in range(n_lists - 1):
        others = np.arange(a + 1, n_lists)
        cut = _nth_of_two(nth, a, n, never)
        # Of the first list, at every distinct score; of the others, at the cut.
        a_hits, a_errors = _counts(hits, a, step), _counts(errors, a, step)
        key = others * step + cut
        hit_at, hit_end = np.searchsorted(hits.key, key), np.searchsorted(hits.key, key, "right")
        error_at = np.searchsorted(errors.key, key)
        error_end = np.searchsorted(errors.key, key, "right")
        hit_start, error_start = hits.offset[a + 1 : -1], errors.offset[a + 1 : -1]
        area = own_area[errors.offset[a] + a_errors.before[cut]] - own_area[errors.offset[a]]
        area += own_area[error_at] - own_area[error_start]
        area += _between(a_hits.doubled[errors.code[error_start[0] :]], error_start, error_at)
        area += 2 * a_errors.before[cut] * (hit_at - hit_start)
        area -= _between(a_errors.doubled[hits.code[hit_start[0] :]], hit_start, hit_at)
        # In the tie block of the n-th error the curve is a diagonal. Past all scores it is flat.
        m = n - a_errors.before[cut] - (error_at - error_start)
        tied = np.maximum(a_errors.tied[cut] + error_end - error_at, 1)
        gained = a_hits.tied[cut] + hit_end - hit_at
        before = a_hits.before[cut] + hit_at - hit_start
        pooled = (area / 2 + m * before + gained * m**2 / (2 * tied)) / (
            n * (size[a] + size[others])
        )
        mine, theirs = own[rows[a]], own[rows[others]]
        outside = pooled < np.minimum(mine, theirs) - BETWEEN_TOLERANCE
        outside |= pooled > np.maximum(mine, theirs) + BETWEEN_TOLERANCE
        which = others[outside]
        pieces.append((np.full(which.size, rows[a]), rows[which], pooled[outside]))
        done += others.size
        advance(progress, done, total)
    left, right, pooled = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return left, right, pooled


class _Counts(NamedTuple):
    """Records of one kind in one list, at each distinct score; and past the last of them."""

    before: NDArray[np.int64]
    tied: NDArray[np.int64]
    doubled: NDArray[np.int64]
    """Those before, and half of those tied, doubled."""


def _counts(side: _Side, which: int, step: int) -> _Counts:
    tied = np.bincount(side.code[side.offset[which] : side.offset[which + 1]], minlength=step)
    through = np.cumsum(tied)
    before = through - tied
    return _Counts(before, tied, before + through)


def _between(
    values: NDArray[np.int64], start: NDArray[np.int64], stop: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Sums of values from each start to each stop, counted from the first start."""
    sums = np.concatenate([[0], np.cumsum(values)])
    result: NDArray[np.int64] = sums[stop - start[0]] - sums[start - start[0]]
    return result


def _nth_codes(errors: _Side, n: int, never: int) -> NDArray[np.int64]:
    """Score of the i-th error of each list, from i = 0, before all scores; shape (I + 1, P).

    I is n, or the most errors in a list if they are fewer.
    """
    count = np.minimum(np.diff(errors.offset), n)
    number = np.arange(1, errors.code.size + 1) - np.repeat(
        errors.offset[:-1], np.diff(errors.offset)
    )
    query = np.repeat(np.arange(count.size), np.diff(errors.offset))
    nth = np.full((count.max() + 1, count.size), never)
    nth[0] = -1
    keep = number <= n
    nth[number[keep], query[keep]] = errors.code[keep]
    return nth


def _nth_of_two(nth: NDArray[np.int64], a: int, n: int, never: int) -> NDArray[np.int64]:
    """Score of the n-th error of list a merged with each later one.

    The n best of both are the i best of one and the n - i best of the other, for the i that
    makes the worst of them best.
    """
    most = nth.shape[0] - 1
    i = np.arange(max(n - most, 0), min(n, most) + 1)
    if not i.size:  # there are not so many in any two lists
        return np.full(nth.shape[1] - a - 1, never)
    later = nth[n - i[-1] : n - i[0] + 1, a + 1 :][::-1]
    worst: NDArray[np.int64] = np.maximum(nth[i, a][:, None], later).min(axis=0)
    return worst
