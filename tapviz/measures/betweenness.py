"""Where pooled ROC_n lies outside the range of its parts, as no average does."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, check_kept
from tapviz.lists.checks import in_runs
from tapviz.measures import _common
from tapviz.measures._common import Floats, Ints, OnProgress, Progress, whole_number
from tapviz.measures._ranking import n_retrieved, own_errors, ranking
from tapviz.measures.errors import nth_error_code, nth_kept_error_code
from tapviz.measures.groups import class_depth, class_members
from tapviz.measures.influence import influence
from tapviz.measures.roc import roc_n
from tapviz.measures.tap import tap_k

__all__ = ["Betweenness", "Violation", "betweenness_violations"]

Kind = Literal["pairs", "classes", "both"]

# A score outside its parts by no more than this may be rounding.
BETWEEN_TOLERANCE = 1e-12


class Violation(NamedTuple):
    """Queries whose pooled ROC_n lies outside the range of their own."""

    kind: str
    """Either "pair" or "class"."""
    name: str
    """The class; empty for a pair."""
    rows: Ints
    """Places of the queries among those of the lists given, shape (P,)."""
    query: NDArray[np.str_]
    """Ids of these queries, shape (P,)."""
    pooled_roc_n: float
    """Of these queries, merged."""
    roc_n: Floats
    """Of each of them, shape (P,)."""
    distance: float
    """How far the one is below the smallest, or above the largest, of the other."""
    tap: float
    """Mean TAP of these queries; NaN if there is no E_k."""
    per_query_tap: Floats
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


def betweenness_violations(
    lists: RetrievalLists,
    *,
    k: int = 20,
    n: int = 50,
    kind: Kind = "pairs",
    limit: int = 100,
    max_queries: int = 1000,
    progress: OnProgress | None = None,
) -> Betweenness:
    """Pairs and classes of queries whose pooled ROC_n lies outside the range of their own.

    TAP at one threshold for all is a mean, which is always between. Pooled ROC_n is not: the
    first n errors of the pool may all be those of one query. Every pair is examined, exactly.

    Parameters
    ----------
    lists : RetrievalLists
    k : int
        Errors per query of TAP-k, at least 1; the threshold is the E_k of all queries, the
        same for all parts.
    n : int
        Errors of ROC_n, at least 1.
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

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import betweenness_violations
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> found = betweenness_violations(lists, k=5, n=50, max_queries=50)
    >>> found.n_pair_violations > 0, found.n_pairs
    (True, 1225)
    """
    check_kept(lists, errors=max(k, n))
    n = _common.number_of_errors("n", n)
    _common.check_choice("kind", kind, "pairs", "classes", "both")
    whole_number("limit", limit, least=0, of="of violations")
    whole_number("max_queries", max_queries, least=2, of="of queries")
    at = tap_k(lists, k=k)
    own = roc_n(lists, n=n).per_query
    used = np.flatnonzero(lists.n_relevant > 0)
    paired = used[:0] if kind == "classes" else _most_influential(lists, used, k, n, max_queries)
    classes = {} if kind == "pairs" else _classes(lists, used)
    n_pairs = paired.size * (paired.size - 1) // 2
    work = Progress(progress, n_pairs + len(classes))

    def violation(kind: str, name: str, rows: Ints, pooled: float) -> Violation:
        distance = max(own[rows].min() - pooled, pooled - own[rows].max())
        mean = float(at.per_query[rows] @ lists.weight[rows] / lists.weight[rows].sum())
        scores = float(pooled), own[rows], float(distance), mean, at.per_query[rows]
        return Violation(kind, name, rows, lists.query[rows], *scores)

    left, right, pooled = _pairs(lists, paired, own, n, work)
    parts = own[np.array([left, right])]
    distance = np.maximum(parts.min(axis=0) - pooled, pooled - parts.max(axis=0))
    violations = [
        violation("pair", "", np.array([left[i], right[i]]), pooled[i])
        for i in np.argsort(-distance, kind="stable")[:limit]
    ]
    groups = []
    record, offset = _first_errors(lists, np.arange(lists.n_queries), n)
    records = np.split(record, offset[1:-1])
    for name, rows in classes.items():
        own_records = np.concatenate([records[row] for row in rows])
        group = violation("class", name, rows, _merged_roc_n(lists, own_records, rows, n))
        if group.distance > BETWEEN_TOLERANCE:
            groups.append(group)
        work.add(1)
    worst = sorted(groups, key=lambda group: -group.distance)[:limit]
    worst_first = tuple(sorted([*violations, *worst], key=lambda each: -each.distance))
    outside, examined = (left.size, len(groups)), (n_pairs, len(classes), paired.size, used.size)
    e_k = float("nan") if at.too_short else at.e0
    return Betweenness(worst_first, *outside, *examined, n, int(k), e_k, kind, at.reason)


def _most_influential(lists: RetrievalLists, used: Ints, k: int, n: int, max_queries: int) -> Ints:
    """Rows of the queries to pair, in the order of the lists."""
    if used.size <= max_queries:
        return used
    change = np.abs(np.nan_to_num(influence(lists, k=k, n=n).pooled_change[used]))
    return np.sort(used[np.argsort(-change, kind="stable")[:max_queries]])


def _classes(lists: RetrievalLists, used: Ints) -> dict[str, Ints]:
    """Rows of the queries of every class, at every level, that has at least two."""
    distinct: dict[tuple[int, ...], str] = {}
    for level in range(1, class_depth(lists) + 1):
        members = class_members(lists, level)
        order = np.argsort(members.code, kind="stable")
        order = order[np.isin(members.query[order], used)]
        code, start = np.unique(members.code[order], return_index=True)
        classes = np.split(members.query[order], start[1:])
        for name, rows in zip(members.label[code].tolist(), classes, strict=False):
            if rows.size > 1:  # of classes with the same queries, the most specific comes last
                distinct[tuple(rows.tolist())] = name
    return {name: np.array(rows) for rows, name in distinct.items()}


def _first_errors(lists: RetrievalLists, rows: Ints, n: int) -> tuple[Ints, Ints]:
    """The records that can matter to ROC_n of some queries, merged with any others.

    In each list these are the records as good as its n-th error or better: their places in the
    whole lists, list after list; and where each list begins there, and the last one ends, (P + 1,).
    """
    number = n_retrieved(lists, nth_error_code(lists, n) + 1)[rows]
    return in_runs(lists.whole.offset[lists.rows[rows]], number)


def _merged_roc_n(lists: RetrievalLists, record: Ints, rows: Ints, n: int) -> float:
    """Pooled ROC_n of some queries: ROC_n of a single query with all their records."""
    merged = RetrievalLists.from_records(
        np.zeros(record.size, np.int64),
        lists.whole.score[record],
        lists.whole.relevant[record],
        n_relevant=[lists.n_relevant[rows].sum()],
        query=["pool"],
        direction=lists.direction,
    )
    return roc_n(merged, n=n).value


class _Side(NamedTuple):
    """Records of one kind of P lists, list after list."""

    code: Ints
    """Place of each record's score among the distinct scores."""
    offset: Ints
    """Where each list begins, and the last one ends, shape (P + 1,)."""
    key: Ints
    """`code` plus the place of the list times the step between lists: ascending throughout."""


def _side(code: Ints, query: Ints, n_lists: int, step: int) -> _Side:
    offset = np.concatenate([[0], np.cumsum(np.bincount(query, minlength=n_lists))])
    return _Side(code, offset.astype(np.int64), query * step + code)


def _pairs(
    lists: RetrievalLists, rows: Ints, own: Floats, n: int, work: Progress
) -> tuple[Ints, Ints, Floats]:
    """Rows of two queries, and their pooled ROC_n, wherever it is outside their own.

    One query is merged with all later ones at once. The area of two lists up to their n-th
    error is what stands above the errors of each in its own list, plus what each list's
    relevant records add above the errors of the other.
    """
    none = np.zeros(0, np.int64)
    if rows.size < 2:  # noqa: PLR2004  # a pair
        return none, none, np.zeros(0)
    n_lists = rows.size
    record, offset = _first_errors(lists, rows, n)
    scores, code = np.unique(ranking(lists).code[record], return_inverse=True)
    never = scores.size  # the place of an n-th error that does not exist
    step = never + 2
    query = np.repeat(np.arange(n_lists), np.diff(offset))
    relevant = lists.whole.relevant[record]
    hits = _side(code[relevant], query[relevant], n_lists, step)
    errors = _side(code[~relevant], query[~relevant], n_lists, step)
    # Heights, and errors passed, are doubled: whole numbers.
    height = np.searchsorted(hits.key, errors.key, side="left")
    height += np.searchsorted(hits.key, errors.key, side="right")
    height -= 2 * hits.offset[query[~relevant]]
    own_area = np.concatenate([[0], np.cumsum(height)])
    # Score of the i-th error of each list, from i = 0, before all scores, to n, or to the most
    # errors in a list if they are fewer; shape (I + 1, P).
    number = np.arange(1, min(n, own_errors(lists).errors[rows].max()) + 1)
    nth = np.searchsorted(scores, nth_kept_error_code(lists, number[:, None])[:, rows])
    nth = np.concatenate([np.full((1, n_lists), -1), nth])
    size = lists.n_relevant[rows]
    pieces = []
    for a in range(n_lists - 1):
        others = np.arange(a + 1, n_lists)
        cut = _nth_of_two(nth, a, n, never)
        # Of the first list, at every distinct score; of the others, at the cut.
        hits_before, hits_tied = _counts(hits, a, step)
        errors_before, errors_tied = _counts(errors, a, step)
        key = others * step + cut
        hit_at, hit_end = np.searchsorted(hits.key, key), np.searchsorted(hits.key, key, "right")
        error_at = np.searchsorted(errors.key, key)
        error_end = np.searchsorted(errors.key, key, "right")
        hit_start, error_start = hits.offset[a + 1 : -1], errors.offset[a + 1 : -1]
        area = own_area[errors.offset[a] + errors_before[cut]] - own_area[errors.offset[a]]
        area += own_area[error_at] - own_area[error_start]
        doubled = 2 * hits_before + hits_tied
        area += _between(doubled[errors.code[error_start[0] :]], error_start, error_at)
        area += 2 * errors_before[cut] * (hit_at - hit_start)
        doubled = 2 * errors_before + errors_tied
        area -= _between(doubled[hits.code[hit_start[0] :]], hit_start, hit_at)
        # In the tie block of the n-th error the curve is a diagonal. Past all scores it is flat.
        m = n - errors_before[cut] - (error_at - error_start)
        tied = np.maximum(errors_tied[cut] + error_end - error_at, 1)
        gained = hits_tied[cut] + hit_end - hit_at
        height = area / 2 + m * (hits_before[cut] + hit_at - hit_start)
        pooled = (height + gained * m**2 / (2 * tied)) / (n * (size[a] + size[others]))
        mine, theirs = own[rows[a]], own[rows[others]]
        outside = pooled < np.minimum(mine, theirs) - BETWEEN_TOLERANCE
        outside |= pooled > np.maximum(mine, theirs) + BETWEEN_TOLERANCE
        which = others[outside]
        pieces.append((np.full(which.size, rows[a]), rows[which], pooled[outside]))
        work.add(others.size)
    left, right, pooled = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return left, right, pooled


def _counts(side: _Side, which: int, step: int) -> tuple[Ints, Ints]:
    """Records of one kind in one list before each distinct score, and with it; (S,) each."""
    tied = np.bincount(side.code[side.offset[which] : side.offset[which + 1]], minlength=step)
    return np.cumsum(tied) - tied, tied


def _between(values: Ints, start: Ints, stop: Ints) -> Ints:
    """Sums of values from each start to each stop, counted from the first start."""
    sums = np.concatenate([[0], np.cumsum(values)])
    result: Ints = sums[stop - start[0]] - sums[start - start[0]]
    return result


def _nth_of_two(nth: Ints, a: int, n: int, never: int) -> Ints:
    """Score of the n-th error of list a merged with each later one.

    The n best of both are the i best of one and the n - i best of the other, for the i that
    makes the worst of them best.
    """
    most = nth.shape[0] - 1
    i = np.arange(max(n - most, 0), min(n, most) + 1)
    if not i.size:  # there are not so many in any two lists
        return np.full(nth.shape[1] - a - 1, never)
    later = nth[n - i[-1] : n - i[0] + 1, a + 1 :][::-1]
    worst: Ints = np.maximum(nth[i, a][:, None], later).min(axis=0)
    return worst
