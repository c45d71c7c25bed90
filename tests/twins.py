"""Slow, obvious twins of the measures: plain loops straight from the definitions."""

import json
from math import isnan, nan
from pathlib import Path
from typing import NamedTuple

import pytest

from tapviz.lists import RetrievalLists

GOLDEN = Path(__file__).parent / "golden"


def golden(name):
    """Numbers of independent programs."""
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))


def close(expected, tolerance=1e-09):
    """Whatever is as close to this, relatively or absolutely; NaN is close to NaN."""
    return pytest.approx(expected, rel=tolerance, abs=tolerance, nan_ok=True)


class Query(NamedTuple):
    """One query: T(q), weight, and (score, relevant) of its records, best first."""

    total: int
    weight: float
    records: list[tuple[float, bool]]


def plain(lists):
    """Write lists as queries."""
    records = list(zip(lists.score.tolist(), lists.relevant.tolist(), strict=True))
    bounds = zip(lists.offset[:-1].tolist(), lists.offset[1:].tolist(), strict=True)
    totals, weights = lists.n_relevant.tolist(), lists.weight.tolist()
    return [
        Query(total, weight, records[start:stop])
        for (start, stop), total, weight in zip(bounds, totals, weights, strict=True)
    ]


def build(queries, direction="ascending"):
    """Make lists from queries, named after their place."""
    offset = [0]
    for query in queries:
        offset.append(offset[-1] + len(query.records))
    return RetrievalLists(
        score=[score for query in queries for score, _ in query.records],
        relevant=[relevant for query in queries for _, relevant in query.records],
        offset=offset,
        n_relevant=[query.total for query in queries],
        weight=[query.weight for query in queries],
        direction=direction,
    )


def retrieved(lists, query, e0):
    """Relevance of the records at or before the threshold."""
    if lists.direction == "ascending":
        return [relevant for score, relevant in query.records if score <= e0]
    return [relevant for score, relevant in query.records if score >= e0]


def distinct(lists):
    """Distinct scores of all lists, strictest first."""
    return sorted(set(lists.score.tolist()), reverse=lists.direction == "descending")


def mean(values, weights):
    """Weighted mean of the values that are not NaN."""
    pairs = [(v, w) for v, w in zip(values, weights, strict=True) if not isnan(v)]
    if not pairs:
        return nan
    return sum(v * w for v, w in pairs) / sum(w for _, w in pairs)


# Errors per query


def errors_per_query(lists, e0):
    return [retrieved(lists, query, e0).count(False) for query in plain(lists)]


def error_threshold(lists, k, *, quantile=0.5, weighted=True):
    """E_k, and the share of the queries that have k errors at all."""

    def share(e0):
        errors = errors_per_query(lists, e0)
        return sum(w for w, found in zip(weights, errors, strict=True) if found >= k) / sum(weights)

    weights = [query.weight if weighted else 1.0 for query in plain(lists)]
    if not weights:
        return nan, nan
    for e0 in distinct(lists):
        if share(e0) >= quantile * (1 - 1e-12):
            return e0, share(distinct(lists)[-1])
    return nan, share(distinct(lists)[-1]) if distinct(lists) else 0.0


def epq_quantile(errors, weights, p):
    """Largest k such that at least 1 - p of the weight has at least k errors."""
    best = 0
    for k in range(1, max(errors) + 1):
        enough = sum(w for w, found in zip(weights, errors, strict=True) if found >= k)
        if enough >= (1 - p) * (1 - 1e-12) * sum(weights):
            best = k
    return best


def interpolated_quantile(errors, p):
    ordered = sorted(errors)
    place = p * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def epq_distribution(lists, thresholds, *, quantile_rule="errors"):
    """Minimum, Q1, median, mean, Q3 and maximum at each threshold, as six rows."""
    weights = [query.weight for query in plain(lists)]
    columns = []
    for e0 in thresholds:
        errors = errors_per_query(lists, e0)
        if not errors:
            columns.append([nan] * 6)
            continue
        if quantile_rule == "errors":
            q1, median, q3 = (epq_quantile(errors, weights, p) for p in (0.25, 0.5, 0.75))
        else:
            q1, median, q3 = (interpolated_quantile(errors, p) for p in (0.25, 0.5, 0.75))
        columns.append([min(errors), q1, median, mean(errors, weights), q3, max(errors)])
    return [list(row) for row in zip(*columns, strict=True)]


# Threshold Average Precision


def tap_of(total, seen, *, no_relevant="reference", sentinel=True):
    """TAP of one query that retrieves records of this relevance; Equation (1)."""
    if total == 0:
        return {"reference": 1 / (len(seen) + 1), "zero": 0.0, "exclude": nan}[no_relevant]
    summed, found = 0.0, 0
    for rank, relevant in enumerate(seen, start=1):
        if relevant:
            found += 1
            summed += found / rank
    if sentinel and seen:
        summed += found / len(seen)
    return summed / (total + 1)


def trimmed_mean(values, weights, trim):
    if trim == 0:
        return mean(values, weights)
    ordered = sorted(v for v in values if not isnan(v))
    cut = int(trim * len(ordered))
    ordered = ordered[cut : len(ordered) - cut]
    return sum(ordered) / len(ordered) if ordered else nan


def tap(lists, e0, *, no_relevant="reference", trim=0.0):
    """Mean TAP, and TAP of each query."""
    queries = plain(lists)
    values = [
        tap_of(query.total, retrieved(lists, query, e0), no_relevant=no_relevant)
        for query in queries
    ]
    return trimmed_mean(values, [query.weight for query in queries], trim), values


def tap_k(
    lists,
    k,
    *,
    quantile=0.5,
    short_lists="error",
    weighted_threshold=True,
    no_relevant="reference",
    trim=0.0,
):
    """Mean TAP, TAP of each query, and the threshold."""
    e0, _ = error_threshold(lists, k, quantile=quantile, weighted=weighted_threshold)
    if not isnan(e0):
        return *tap(lists, e0, no_relevant=no_relevant, trim=trim), e0
    queries = plain(lists)
    if short_lists == "error":
        endless = float("inf") if lists.direction == "ascending" else -float("inf")
        return nan, [nan] * len(queries), endless
    values = [
        tap_of(
            query.total,
            [relevant for _, relevant in query.records],
            no_relevant=no_relevant,
            sentinel=short_lists == "worst_score",
        )
        for query in queries
    ]
    if short_lists == "worst_score" and distinct(lists):
        e0 = distinct(lists)[-1]
    return trimmed_mean(values, [query.weight for query in queries], trim), values, e0


def tap_curve(lists, *, no_relevant="reference"):
    """Thresholds, mean TAP at each, the strictest threshold of the peak, and the peak."""
    thresholds = distinct(lists)
    values = [tap(lists, e0, no_relevant=no_relevant)[0] for e0 in thresholds]
    if not values or isnan(values[0]):
        return thresholds, values, nan, nan
    top = max(values)
    place = next(i for i, value in enumerate(values) if value >= top - 1e-12)
    return thresholds, values, thresholds[place], values[place]


# ROC_n


def area(records, n, *, ties="block"):
    """Relevant records before each of the first n irrelevant ones, summed; flat at the end."""
    errors, found, summed, start = 0, 0, 0.0, 0
    while start < len(records) and errors < n:
        stop = start + 1
        if ties != "listed":
            while stop < len(records) and records[stop][0] == records[start][0]:
                stop += 1
        block = [relevant for _, relevant in records[start:stop]]
        r, b = block.count(True), block.count(False)
        m = min(b, n - errors)
        if b:
            tied = r * m * m / (2 * b) if ties == "block" else r * m * (m + 1) / (2 * (b + 1))
            summed += m * found + tied
        errors, found, start = errors + m, found + r, stop
    return summed + (n - errors) * found


def roc_n(lists, n, *, ties="block", beyond="flat"):
    values = []
    for query in plain(lists):
        errors = sum(not relevant for _, relevant in query.records)
        if query.total == 0 or (beyond == "nan" and errors < n):
            values.append(nan)
        elif beyond == "observed" and errors < n:
            only_relevant = 1.0 if query.records else 0.0
            summed = area(query.records, errors, ties=ties)
            values.append(summed / (errors * query.total) if errors else only_relevant)
        else:
            values.append(area(query.records, n, ties=ties) / (n * query.total))
    return values


def pool(lists):
    """Records of all queries merged, best first."""
    merged = [record for query in plain(lists) for record in query.records]
    return sorted(merged, key=lambda record: record[0], reverse=lists.direction == "descending")


def pooled_roc_n(lists, n, *, ties="block"):
    total = sum(query.total for query in plain(lists))
    return area(pool(lists), n, ties=ties) / (n * total) if total else nan


def roc_n_curve(lists, n):
    """Heights of the average and the pooled curve: what each error adds to the area."""
    queries, merged = plain(lists), pool(lists)
    total = sum(query.total for query in queries)

    def height(records, total, f):
        return (area(records, f) - area(records, f - 1)) / total if total else nan

    weights = [query.weight for query in queries]
    average = [
        mean([height(query.records, query.total, f) for query in queries], weights)
        for f in range(1, n + 1)
    ]
    return average, [height(merged, total, f) for f in range(1, n + 1)]


# Precision and recall


def precision_recall_curve(lists, place):
    """Recall, precision, score and rank at each relevant record."""
    query = plain(lists)[place]
    points, found = [], 0
    for rank, (score, relevant) in enumerate(query.records, start=1):
        if relevant:
            found += 1
            points.append((found / query.total, found / rank, score, rank))
    recall, precision, score, rank = zip(*points, strict=True) if points else ((),) * 4
    return list(recall), list(precision), list(score), list(rank)


def average_precision(lists):
    return [
        sum(precision_recall_curve(lists, place)[1]) / query.total if query.total else nan
        for place, query in enumerate(plain(lists))
    ]


def mean_precision_recall(lists, levels):
    """Mean over queries of the largest precision at a recall of at least each level."""
    queries, result = plain(lists), []
    curves = [precision_recall_curve(lists, place) for place in range(len(queries))]
    for level in levels:
        values = []
        for query, (recall, precision, _, _) in zip(queries, curves, strict=True):
            # The level may have been rounded: 0.07 of 100 relevant records are 7 of them.
            beyond = [p for r, p in zip(recall, precision, strict=True) if r >= level * (1 - 1e-12)]
            values.append(max(beyond, default=0.0) if query.total else nan)
        result.append(mean(values, [query.weight for query in queries]))
    return result


def mean_recall(lists, e0):
    queries = plain(lists)
    values = [
        retrieved(lists, query, e0).count(True) / query.total if query.total else nan
        for query in queries
    ]
    return mean(values, [query.weight for query in queries])


def retrieved_at(lists, thresholds):
    """Relevant and irrelevant records of all queries, and mean recall, as three rows."""
    rows = [[], [], []]
    for e0 in thresholds:
        seen = [retrieved(lists, query, e0) for query in plain(lists)]
        rows[0].append(sum(s.count(True) for s in seen))
        rows[1].append(sum(s.count(False) for s in seen))
        rows[2].append(mean_recall(lists, e0))
    return rows


# Of the field: first errors, coverage at errors per query, text retrieval


def sensitivity_to_error(lists, n):
    values = []
    for query in plain(lists):
        found = errors = 0
        for _, relevant in query.records:
            errors += not relevant
            if errors == n:
                break
            found += relevant
        values.append(found / query.total if query.total else nan)
    return values


def coverage_at(lists, epq):
    """Share of all relevant records at the last threshold with at most so many mean errors."""
    queries = plain(lists)
    weights = [query.weight for query in queries]
    total = sum(query.weight * query.total for query in queries)
    best = 0.0
    for e0 in distinct(lists):
        if mean([float(e) for e in errors_per_query(lists, e0)], weights) > epq * (1 + 1e-12):
            break
        found = sum(q.weight * sum(retrieved(lists, q, e0)) for q in queries)
        best = found / total if total else nan
    return best if total else nan


def text_retrieval(query, k, p):
    """Measures of one list, as their definitions read."""
    if not query.total:
        return dict.fromkeys(("success", "map", "r_precision", "rbp"), nan)
    labels = [relevant for _, relevant in query.records]
    return {
        "success": float(any(labels[:k])),
        "map": sum(sum(labels[:i]) / i for i in range(1, len(labels[:k]) + 1) if labels[i - 1])
        / query.total,
        "r_precision": sum(labels[: query.total]) / query.total,
        "rbp": (1 - p) * sum(p**i for i, relevant in enumerate(labels) if relevant),
    }
