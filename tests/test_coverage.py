"""Coverage against errors per query, the n-th irrelevant record, and calibration.

What HMMER's rocplot.pl makes of a file is compared in test_formats.py, which reads that file.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import RetrievalLists, error_threshold
from tapviz.measures.coverage import calibration, coverage_vs_epq, nth_irrelevant
from tests import twins
from tests.strategies import any_lists, rebuilt, seeded_lists, signed, views
from tests.test_golden import POOLED, load
from tests.twins import Query, build, plain

nan, inf = float("nan"), float("inf")

OPTIONS = [
    {"epq": epq, "coverage": coverage, "weights": weights}
    for epq, coverage, weights in product(
        ("mean", "median"), ("pooled", "mean_recall"), ("none", "relevant", "relevant_squared")
    )
]


def coverage_twin(lists: RetrievalLists, *, epq: str, coverage: str, weights: str):
    """Threshold, errors per query and coverage, at each distinct score."""
    queries = plain(lists)
    if weights != "none":
        power = {"relevant": 1, "relevant_squared": 2}[weights]
        queries = [q._replace(weight=float(q.total**power)) for q in queries if q.total]
    weight = [q.weight for q in queries]
    scores = {score for q in queries for score, _ in q.records}
    points = []
    for e0 in sorted(scores, reverse=lists.direction == "descending"):
        seen = [twins.retrieved(lists, q, e0) for q in queries]
        errors = [s.count(False) for s in seen]
        x = (
            twins.epq_quantile(errors, weight, 0.5)
            if epq == "median"
            else twins.mean([float(e) for e in errors], weight)
        )
        found = [s.count(True) for s in seen]
        if coverage == "mean_recall":
            recalls = [f / q.total if q.total else nan for f, q in zip(found, queries, strict=True)]
            y = twins.mean(recalls, weight)
        else:
            total = sum(q.weight * q.total for q in queries)
            y = sum(w * f for w, f in zip(weight, found, strict=True)) / total if total else nan
        points.append((e0, x, y))
    return points


def assert_same_curve(lists: RetrievalLists, **options: Any) -> None:
    found = coverage_vs_epq(lists, **options)
    expected = np.array(coverage_twin(lists, **options), float).reshape(-1, 3).T
    np.testing.assert_array_equal(found.threshold, expected[0])
    np.testing.assert_allclose(found.epq, expected[1], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.coverage, expected[2], rtol=1e-12, atol=1e-12)
    assert found.n_no_relevant == (lists.n_relevant == 0).sum()
    assert found.n_empty == (np.diff(lists.offset) == 0).sum()
    assert bool(found.reason) == (lists.n_relevant.sum() == 0)


@given(lists=any_lists, options=st.sampled_from(OPTIONS))
def test_coverage_equals_its_twin(lists: RetrievalLists, options: dict[str, Any]) -> None:
    assert_same_curve(lists, **options)


each_option = pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(o.values()))


@each_option
def test_coverage_equals_its_twin_on_longer_lists(options: dict[str, Any]) -> None:
    for seed in range(4):
        lists = seeded_lists(seed)
        assert_same_curve(lists, **options)
        assert_same_curve(lists.subset(np.arange(lists.n_queries) % 3 > 0), **options)


@given(lists=views(), options=st.sampled_from(OPTIONS))
def test_subset_covers_as_lists_made_anew(lists: RetrievalLists, options: dict[str, Any]) -> None:
    before = coverage_vs_epq(lists.whole, **options)
    found, expected = coverage_vs_epq(lists, **options), coverage_vs_epq(rebuilt(lists), **options)
    np.testing.assert_array_equal(found.threshold, expected.threshold)
    np.testing.assert_allclose(found.epq, expected.epq, rtol=1e-12)
    np.testing.assert_allclose(found.coverage, expected.coverage, rtol=1e-12)
    np.testing.assert_array_equal(coverage_vs_epq(lists.whole, **options).coverage, before.coverage)


@each_option
def test_curve_up_to_some_errors_is_the_beginning_of_the_curve(options: dict[str, Any]) -> None:
    for seed in range(4):
        whole = seeded_lists(seed)
        for lists in (whole, whole.subset(np.arange(whole.n_queries) % 4 > 1)):
            full = coverage_vs_epq(lists, **options)
            for most in (0, 0.7, 1, 2, full.epq[-1] / 2, full.epq[-1], 1000):
                part = coverage_vs_epq(lists, **options, max_epq=most)
                keep = full.epq <= most * (1 + 1e-12)
                np.testing.assert_array_equal(part.threshold, full.threshold[keep])
                np.testing.assert_array_equal(part.epq, full.epq[keep])
                np.testing.assert_array_equal(part.coverage, full.coverage[keep])


@given(lists=any_lists)
def test_median_of_errors_reaches_k_at_the_threshold_of_k_errors(lists: RetrievalLists) -> None:
    curve = coverage_vs_epq(lists, epq="median")
    for k in (1, 2, 3):
        reached = curve.threshold[curve.epq >= k]
        expected = error_threshold(lists, k=k).e_k
        np.testing.assert_equal(reached[0] if reached.size else nan, expected)


def three_queries() -> RetrievalLists:
    """R at 1, I at 2 | I at 2, R at 3, I at 4 | no record; T = 1, 3, 0."""
    first = Query(1, 1.0, [(1.0, True), (2.0, False)])
    second = Query(3, 1.0, [(2.0, False), (3.0, True), (4.0, False)])
    return build([first, second, Query(0, 1.0, [])])


def test_coverage_by_hand() -> None:
    curve = coverage_vs_epq(three_queries())
    assert curve.threshold.tolist() == [1, 2, 3, 4]
    assert curve.epq.tolist() == [0, 2 / 3, 2 / 3, 1]  # the query without hits counts
    assert curve.coverage.tolist() == [1 / 4, 1 / 4, 1 / 2, 1 / 2]
    assert (curve.n_queries, curve.n_no_relevant, curve.n_empty) == (3, 1, 1)
    recall = coverage_vs_epq(three_queries(), epq="median", coverage="mean_recall")
    assert recall.epq.tolist() == [0, 1, 1, 1]
    assert recall.coverage == pytest.approx([1 / 2, 1 / 2, 2 / 3, 2 / 3], abs=1e-15)
    # T as weight: mean recall becomes pooled coverage, and the query without any is left out.
    linear = coverage_vs_epq(three_queries(), coverage="mean_recall", weights="relevant")
    assert linear.coverage == pytest.approx(curve.coverage, abs=1e-15)
    assert linear.epq == pytest.approx([0, 1, 1, (1 + 3 * 2) / 4], abs=1e-15)
    assert (linear.n_queries, linear.n_no_relevant) == (2, 1)


def test_coverage_at_errors_is_that_of_the_last_point() -> None:
    curve = coverage_vs_epq(three_queries(), max_epq=5)
    assert curve.at([0, 0.66, 2 / 3, 0.99, 1, 5]).tolist() == [1 / 4] * 2 + [1 / 2] * 4
    assert curve.at(0.5).shape == ()
    for wrong in (-0.1, nan, 5.1):
        with pytest.raises(ValueError, match="from 0 to 5"):
            curve.at(wrong)
    # An error before everything: nothing is covered without it.
    late = coverage_vs_epq(build([Query(1, 1.0, [(1.0, False), (2.0, True)])]))
    assert late.at([0, 0.5, 1]).tolist() == [0, 0, 1]


@each_option
def test_coverage_undefined(options: dict[str, Any]) -> None:
    nobody = coverage_vs_epq(build([]), **options)
    assert nobody.reason == "there is no query"
    assert nobody.threshold.size == nobody.epq.size == nobody.coverage.size == 0
    assert np.isnan(nobody.at(1))
    barren = coverage_vs_epq(build([Query(0, 1.0, [(1.0, False)])]), **options)
    assert barren.reason == "no query has a relevant record"
    assert np.isnan(barren.coverage).all()
    assert barren.epq.tolist() == ([1] if options["weights"] == "none" else [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epq": "mode"}, 'expected "mean" or "median"'),
        ({"coverage": "all"}, 'expected "pooled", "mean_recall" or "mean_family_recall"'),
        ({"weights": "linear"}, 'expected "none", "relevant", "relevant'),
        ({"max_epq": -1}, "max_epq = -1: expected"),
        ({"max_epq": nan}, "max_epq = nan: expected"),
    ],
)
def test_options_of_coverage_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        coverage_vs_epq(three_queries(), **options)


@pytest.mark.parametrize("case", POOLED, ids=lambda case: case["id"])
def test_golden_coverage(case: dict[str, Any]) -> None:
    expected = np.array(case["expected"]["coverage_vs_epq [score, coverage, mean EPQ]"], float)
    found = coverage_vs_epq(load("pooled", case["file"], case["direction"]))
    np.testing.assert_array_equal(found.threshold, expected[:, 0])
    assert found.coverage == pytest.approx(expected[:, 1], rel=1e-9, abs=1e-9)
    assert found.epq == pytest.approx(expected[:, 2], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("case", POOLED, ids=lambda case: case["id"])
def test_golden_nth_irrelevant(case: dict[str, Any]) -> None:
    lists = load("pooled", case["file"], case["direction"])
    expected = case["expected"]["nth_irrelevant_score"]
    assert sorted(expected) == sorted(lists.query)
    for n in next(iter(expected.values())):
        scores = [expected[query][n] for query in lists.query]
        found = nth_irrelevant(lists, n=int(n))
        np.testing.assert_equal(found.score, [nan if s is None else float(s) for s in scores])
        assert found.n_never == scores.count(None)


@given(lists=any_lists, n=st.integers(1, 5), bins=st.integers(1, 7))
def test_nth_irrelevant_equals_its_twin(lists: RetrievalLists, n: int, bins: int) -> None:
    found = nth_irrelevant(lists, n=n)
    wrong = [[score for score, relevant in query.records if not relevant] for query in plain(lists)]
    expected = [scores[n - 1] if len(scores) >= n else nan for scores in wrong]
    np.testing.assert_array_equal(found.score, expected)
    assert (found.n, found.n_queries) == (n, lists.n_queries)
    histogram = found.histogram(bins)
    # No query is lost.
    assert histogram.queries.sum() + histogram.underflow + histogram.never == lists.n_queries
    assert histogram.never == sum(len(scores) < n for scores in wrong)
    known = [scores[n - 1] for scores in wrong if len(scores) >= n]
    scale, zeros = ("log10", known.count(0)) if lists.direction == "ascending" else ("linear", 0)
    assert (histogram.scale, histogram.underflow) == (scale, zeros)
    known = [score for score in known if score or scale == "linear"]
    for place, number in enumerate(histogram.queries):
        low, high = histogram.edges[place : place + 2]
        last = place == histogram.queries.size - 1
        assert number == sum(low <= s < high or (last and s == high) for s in known)


def first_errors(*scores: float | None, sign: int = 1) -> RetrievalLists:
    """Make a query for each score, that of its only record, irrelevant; None: no record."""
    direction = "ascending" if sign == 1 else "descending"
    return build([Query(1, 1.0, [(s, False)] if s is not None else []) for s in scores], direction)


def test_histogram_by_hand() -> None:
    found = nth_irrelevant(first_errors(1e-4, 1e-3, 0.5, 100.0, 0.0, 0.0, None), n=1)
    histogram = found.histogram(3, database_size=10_000)
    assert histogram.edges == pytest.approx([1e-4, 1e-2, 1, 100])
    assert (histogram.edges[0], histogram.edges[-1]) == (1e-4, 100)
    assert histogram.queries.tolist() == [2, 1, 1]
    assert (histogram.underflow, histogram.never, histogram.never_at) == (2, 1, 10_000)
    assert np.isnan(found.histogram().never_at)
    shared = found.histogram([1e-5, 1e-3, 1e3])
    assert shared.queries.tolist() == [1, 3]  # an edge belongs to the bin that it begins
    equal = nth_irrelevant(first_errors(2.0, 2.0), n=1).histogram(1)
    assert (equal.edges.tolist(), equal.queries.tolist()) == ([1, 4], [2])


def test_histogram_of_other_scores_is_linear() -> None:
    histogram = nth_irrelevant(first_errors(10.0, 0.0, 5.0, None, sign=-1), n=1).histogram(2)
    assert (histogram.edges.tolist(), histogram.queries.tolist()) == ([0, 5, 10], [1, 2])
    assert (histogram.underflow, histogram.never, histogram.scale) == (0, 1, "linear")
    assert nth_irrelevant(first_errors(-1.0, 1.0), n=1).histogram(2).scale == "linear"


def test_histogram_without_scores() -> None:
    histogram = nth_irrelevant(first_errors(None, 0.0), n=1).histogram()
    assert histogram.edges.size == histogram.queries.size == 0
    assert (histogram.underflow, histogram.never) == (1, 1)
    histogram = nth_irrelevant(first_errors(None, 0.0), n=1).histogram([0.1, 1, 10])
    assert histogram.queries.tolist() == [0, 0]


NO_BINS = [0, -1, 2.5, nan, [1.0], [1.0, 1.0], [2.0, 1.0], [[1.0, 2.0]]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(({"bins": bins}, "expected a number of bins") for bins in NO_BINS),
        # No query may be lost.
        ({"bins": [1, 10]}, "scores from 1 to 20, outside the edges 1 and 10"),
        *(({"database_size": size}, "database_size") for size in (0, nan)),
        ({"database_size": 100, "sign": -1}, "database_size"),
        *(({"n": n}, "expected a whole number of errors") for n in (0, -1, 1.5, True, "1")),
    ],
)
def test_options_of_a_histogram_are_checked(options: dict[str, Any], message: str) -> None:
    given = {"n": 1, "sign": 1, **options}
    lists = first_errors(1.0, 20.0, sign=given.pop("sign"))
    with pytest.raises(ValueError, match=message):
        nth_irrelevant(lists, n=given.pop("n")).histogram(**given)


@given(
    lists=any_lists, at=st.lists(st.sampled_from((0.0, 1e-180, 0.07, 1.0, 9.5, 1e4)), max_size=6)
)
def test_calibration_equals_its_twin(lists: RetrievalLists, at: list[float]) -> None:
    found = calibration(lists, at)
    np.testing.assert_array_equal(found.threshold, at)
    if lists.direction == "descending" or not lists.n_queries:
        assert found.reason
        assert np.isnan(found.observed).all()
        assert np.isnan(found.largest)
        return
    weight = [query.weight for query in plain(lists)]
    expected = [
        twins.mean([float(e) for e in twins.errors_per_query(lists, signed(lists, e0))], weight)
        for e0 in at
    ]
    np.testing.assert_allclose(found.observed, expected, rtol=1e-12)
    ratio = [o / e0 if e0 else nan for o, e0 in zip(expected, at, strict=True)]
    np.testing.assert_allclose(found.ratio, ratio, rtol=1e-12)
    assert found.largest == lists.score.max(initial=0)
    assert not found.reason


def test_calibration_by_hand() -> None:
    """Errors at 0.5 and 2 of two queries: 1 in 2 at E = 1, where 1 is promised."""
    found = calibration(first_errors(0.5, 2.0), [0.1, 1, 2, 0])
    assert found.observed.tolist() == [0, 0.5, 1, 0]
    np.testing.assert_array_equal(found.ratio, [0, 0.5, 0.5, nan])
    assert (found.largest, found.n_queries, found.reason) == (2, 2, "")


def test_only_e_values_are_calibrated() -> None:
    for lists, reason in (
        (first_errors(50.0, 20.0, sign=-1), "the largest are the best"),
        (first_errors(-1.0, 20.0), "some are negative"),
    ):
        found = calibration(lists, [1, 2])
        assert found.reason == f"these scores are not E-values: {reason}"
        assert np.isnan([found.observed, found.ratio]).all()
    with pytest.raises(ValueError, match="there is a NaN"):
        calibration(first_errors(1.0), [nan])
