"""Bootstrap: replicates against a slow twin, intervals, and where they are undefined."""

import importlib
import itertools
import pickle
from functools import partial
from math import erfc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import RetrievalLists, align, load_results
from tapviz import measures as m
from tapviz.labels import ClassTable, Hits
from tapviz.measures import bootstrap as quick_bootstrap
from tapviz.measures.intervals import degrees_of_freedom, percentile_interval
from tests import twins
from tests.refused import error_of, refuses
from tests.strategies import any_lists, examples, mirrored, rebuilt, seeded_lists, views
from tests.twins import Query, build

nan = float("nan")
bootstrap = partial(quick_bootstrap, peak=True)  # with all it can estimate
# The package has the function under this name.
module = importlib.import_module("tapviz.measures.bootstrap")
peaks = importlib.import_module("tapviz.measures.resampled")


def alone(lists, **options):
    return bootstrap({"a": lists}, **options).algorithms["a"]


def stretched():
    """Few stretches, so that short lists have thresholds inside them; and the usual number."""
    for number in (1, 3, 128):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(peaks, "STRETCHES", number)
            yield


def draws(lists, n_resamples, seed, *, bayesian=False):
    """Weights of the queries in each replicate, straight from the definition."""
    rng = np.random.Generator(np.random.PCG64(seed))
    for _ in range(n_resamples):
        if bayesian:
            gamma = rng.standard_exponential(lists.n_queries)
            share = gamma / gamma.sum() * lists.n_queries
        else:
            share = np.zeros(lists.n_queries)
            for q in rng.integers(0, lists.n_queries, lists.n_queries):
                share[q] += 1
        drawn = lists.subset(share > 0)
        yield drawn.with_weights(share[share > 0] * drawn.weight)


def twin(lists, n_resamples, seed, k=2, *, quantile=0.5, e0=None, bayesian=False):
    """TAP, its threshold, the peak and its threshold of each replicate."""
    rows = []
    for drawn in draws(lists, n_resamples, seed, bayesian=bayesian):
        threshold = e0
        if e0 is None:
            threshold, _ = twins.error_threshold(drawn, k, quantile=quantile)
            if np.isnan(threshold):
                threshold = lists.sign * np.inf
        mean, _ = twins.tap(drawn, threshold)
        _, _, peak_threshold, peak = twins.tap_curve(drawn)
        rows.append((mean, threshold, peak, peak_threshold))
    return np.array(rows).T


def assert_replicates(found, expected):
    tap, e0, peak, peak_threshold = expected
    np.testing.assert_allclose(found.tap, tap, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(found.e0, e0)
    np.testing.assert_allclose(found.peak, peak, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(found.peak_threshold, peak_threshold)


SOME_LISTS = any_lists.filter(lambda lists: lists.n_queries)


@pytest.mark.parametrize("bayesian", [False, True])
@examples(100)
@given(SOME_LISTS, st.sampled_from((0.5, 0.25, 1.0)), st.integers(0, 3))
def test_replicates_are_those_of_the_slow_twin(bayesian, lists, quantile, seed):
    given = {"quantile": quantile, "bayesian": bayesian}
    expected = twin(lists, 6, seed, **given)
    not_reached = np.isinf(expected[1]).sum()
    for _ in stretched():
        found = alone(lists, k=2, n_resamples=6, seed=seed, **given)
        assert found.not_reached == not_reached
        if found.reason:
            assert np.isnan(m.tap_k(lists, k=2, quantile=quantile, short_lists="error").value)
            expected[:2] = nan
        assert_replicates(found.replicates, expected)


@pytest.mark.parametrize("seed", range(6))
def test_replicates_of_longer_lists_and_of_a_part_of_them(seed):
    lists = seeded_lists(seed)
    expected = twin(lists, 25, seed, 3)
    part = lists.subset(np.arange(lists.n_queries) % 3 > 0)
    for _ in stretched():
        found = alone(lists, k=3, n_resamples=25, seed=seed)
        if found.reason:
            expected[:2] = nan
        assert_replicates(found.replicates, expected)
        found, anew = (alone(one, k=2, n_resamples=25) for one in (part, rebuilt(part)))
        assert_replicates(found.replicates, np.array(anew.replicates[:4]))
        assert found.reason == anew.reason


def measured(drawn, **options):
    """The same by the measures, which have twins of their own."""
    point, curve = m.tap_k(drawn, **options), m.tap_curve(drawn)
    assert not point.too_short
    return point.value, point.e0, curve.peak_tap, curve.peak_threshold


@pytest.mark.parametrize("seed", range(4))
def test_replicates_are_those_of_the_measures(seed):
    lists = seeded_lists(seed, n_queries=300, longest=150)
    found = alone(lists, k=5, quantile=0.3, n_resamples=30)
    expected = [measured(drawn, k=5, quantile=0.3) for drawn in draws(lists, 30, 0)]
    assert_replicates(found.replicates, np.array(expected).T)


@given(views().filter(lambda lists: lists.n_queries), st.sampled_from((-1.0, 0.0, 0.07, 30.0)))
def test_given_and_fixed_thresholds(lists, at):
    e0 = lists.sign * at
    point = m.tap_k(lists, k=1, short_lists="error")
    at_given, at_fixed = (twin(lists, 5, 0, e0=threshold) for threshold in (e0, point.e0))
    if point.reason:
        at_fixed[:2] = nan
    for _ in stretched():
        given_e0 = bootstrap({"a": lists}, e0=e0, n_resamples=5)
        one = given_e0.algorithms["a"]
        assert_replicates(one.replicates, at_given)
        assert (given_e0.threshold_rule, given_e0.k, given_e0.quantile) == ("given", None, None)
        ends = (e0, e0) if lists.n_queries >= 10 else (nan, nan)
        assert one.e0 == pytest.approx((e0, *ends), nan_ok=True, rel=0, abs=0)
        fixed = bootstrap({"a": lists}, k=1, fixed_threshold=True, n_resamples=5)
        assert (fixed.threshold_rule, fixed.k, fixed.quantile) == ("fixed", 1, 0.5)
        assert_replicates(fixed.algorithms["a"].replicates, at_fixed)


def test_flat_curves_and_peaks_at_the_first_record():
    # Without relevant records TAP is 0 everywhere, or falls from the first record on; the peak
    # is at the best record of the queries drawn, not at one of the others.
    none, late = ([(s + first, False) for s in range(9)] for first in (0.0, 0.5))
    for total in (0, 1):
        lists = build([Query(total, 1.0, none), Query(total, 1.0, late)])
        found = alone(lists, k=2, n_resamples=20).replicates
        assert_replicates(found, twin(lists, 20, 0))
        assert set(found.peak_threshold) == {0.0, 0.5}


def test_ends_of_the_intervals_by_hand():
    one = alone(three()["a"], k=5, n_resamples=101)
    # 40 queries: Student's t with 39 degrees of freedom is 2.0227 at 95 %. Times sqrt(40 / 39) it
    # is 2.0485, beyond which the normal distribution has 2.0258 %: of 100 steps, 2.0258.
    place = 2.0258
    assert degrees_of_freedom(40, np.arange(40)) == 39  # of queries that matter alike
    for score in ("tap", "peak"):
        interval, values = getattr(one, score), getattr(one.replicates, score)
        influence = getattr(one.influences, score)
        assert interval == percentile_interval(interval.estimate, values, 0.95, 40, influence)
        alike = percentile_interval(interval.estimate, values, 0.95, 40)
        ordered = np.sort(values)
        low = ordered[2] + 0.0258 * (ordered[3] - ordered[2])
        high = ordered[98] - 0.0258 * (ordered[98] - ordered[97])
        assert alike.low == pytest.approx(low, abs=1e-4 * np.ptp(ordered[2:4]))
        assert alike.high == pytest.approx(high, abs=1e-4 * np.ptp(ordered[97:99]))
    # A threshold is never between two scores: the replicates just outside.
    for threshold in ("e0", "peak_threshold"):
        ordered = np.sort(getattr(one.replicates, threshold))
        assert getattr(one, threshold)[1:] == (ordered[int(place)], ordered[100 - int(place)])


@pytest.mark.parametrize(("n", "t"), [(10, 2.262157), (50, 2.009575), (431, 1.965496)])
def test_few_groups_make_intervals_wider(n, t):
    # Quantiles of Student's distribution with n - 1 degrees of freedom, from a table.
    values = np.arange(100_001) / 100_000
    found = percentile_interval(0.5, values, 0.95, n)
    outside = 0.5 * erfc(t * np.sqrt(n / (n - 1)) / np.sqrt(2))
    assert found.low == pytest.approx(outside, abs=1e-6)
    assert found.high == pytest.approx(1 - outside, abs=1e-6)
    assert found.low < 0.025
    # Where few of them decide, wider still.
    alike = percentile_interval(0.5, values, 0.95, n, np.arange(n))
    few = percentile_interval(0.5, values, 0.95, n, np.arange(n) < 3)
    assert alike == found
    assert few == found if n == 10 else few.low < found.low < found.high < few.high


def test_expanded_intervals_of_a_mean_are_those_of_student():
    # Replicates of a mean of 12 values are nearly normal with the standard error of the sample
    # less sqrt(11 / 12): stretched, they agree with the t interval.
    values = np.random.default_rng(6).normal(size=12)
    means = values[np.random.default_rng(7).integers(0, 12, (200_000, 12))].mean(axis=1)
    found = percentile_interval(values.mean(), means, 0.95, 12)
    half = 2.200985 * values.std(ddof=1) / np.sqrt(12)
    assert found.high - found.low == pytest.approx(2 * half, rel=0.03)


def test_degrees_of_freedom_by_hand():
    # Of 1, 1, -1, -1 the kurtosis is 1, of 2, -1, -1, 0 it is 18 / 4 over (6 / 4) ** 2.
    assert degrees_of_freedom(4) == degrees_of_freedom(4, np.array([1, 1, -1, -1])) == 3
    assert degrees_of_freedom(4, np.array([2, -1, -1, 0])) == 3  # at most
    # One group of 20: away by 19 / 20 and 19 times by 1 / 20. The mean of the squares is
    # 19 / 400, of the fourth powers 19 * 343 / 20 ** 4 * 20 / 20 = 19 * 343 / 160,000.
    kurtosis = (19 * 343 / 160_000) / (19 / 400) ** 2
    one = np.append(1.0, np.zeros(19))
    assert degrees_of_freedom(20, one) == pytest.approx(40 / (kurtosis - 1))
    assert degrees_of_freedom(20, 7 - 3 * one) == pytest.approx(40 / (kurtosis - 1))
    # Unknown, or the same for all: n - 1.
    assert degrees_of_freedom(20, np.full(20, nan)) == degrees_of_freedom(20, np.ones(20)) == 19


@pytest.mark.parametrize("bayesian", [False, True])
def test_influences_are_covariances_with_how_often_groups_are_drawn(bayesian):
    lists = seeded_lists(1, n_queries=12).with_weights(np.linspace(1, 2, 12))
    groups = np.arange(12) % 5 if not bayesian else np.arange(12)
    given = {"groups": groups, "bayesian": bayesian}
    given["others"] = {"a": {"pooled": m.pooled_replicates(lists, n=3)}}
    found = alone(lists, k=1, n_resamples=30, **given)
    rng = np.random.Generator(np.random.PCG64(0))
    n = np.unique(groups).size
    drawn = np.empty((30, n))
    for row in drawn:
        if bayesian:
            exponential = rng.standard_exponential(n)
            row[:] = exponential / exponential.mean()
        else:
            row[:] = np.bincount(rng.integers(0, n, n), minlength=n)
    for values, influence in (
        (found.replicates.tap, found.influences.tap),
        (found.replicates.peak, found.influences.peak),
        (found.replicates.others["pooled"], found.influences.others["pooled"]),
    ):
        expected = [np.cov(values, count, ddof=0)[0, 1] for count in drawn.T]
        assert influence == pytest.approx(expected, abs=1e-12)
    assert np.isnan(found.influences.e0).all()


def three():
    rng = np.random.default_rng(3)
    queries = {name: [] for name in "abc"}
    for _ in range(40):
        records = [[(float(s), False) for s in np.sort(rng.integers(1, 60, 20))] for _ in range(3)]
        for number, (name, own) in enumerate(zip(queries, records, strict=True)):
            for place in rng.integers(0, 20 - 5 * number, 5):
                own[place] = (own[place][0], True)
            queries[name].append(Query(6, 1.0, own))
    return {name: build(own) for name, own in queries.items()}


def test_intervals_contain_the_estimates_which_are_those_of_the_measures():
    results = three()
    found = bootstrap(results, k=5, n_resamples=2000)
    assert found.reason == ""
    assert str(found.groups) == "40 queries"
    for name, lists in results.items():
        one, point, curve = found.algorithms[name], m.tap_k(lists, k=5), m.tap_curve(lists)
        assert one.tap.low < one.tap.estimate == point.value < one.tap.high
        assert one.peak.low < one.peak.estimate == curve.peak_tap < one.peak.high
        assert one.e0.low <= one.e0.estimate == point.e0 <= one.e0.high
        peak = one.peak_threshold
        assert peak.low <= peak.estimate == curve.peak_threshold <= peak.high
        assert one.not_reached == 0
        assert one.reason == one.peak_reason == ""


def test_standard_error_of_a_mean():
    # At a threshold TAP is a mean over queries: its standard error is known.
    lists = three()["a"]
    values = np.array(twins.tap(lists, 30.0)[1])
    error = values.std() / np.sqrt(values.size)
    drawn = alone(lists, e0=30.0, n_resamples=4000)
    assert drawn.replicates.tap.std() == pytest.approx(error, rel=0.05)
    # With Dirichlet weights the variance has n + 1 for n.
    weighted = alone(lists, e0=30.0, n_resamples=4000, bayesian=True)
    assert weighted.replicates.tap.std() == pytest.approx(error * np.sqrt(40 / 41), rel=0.05)


def arrays(found):
    return [array for one in found.algorithms.values() for array in one.replicates[:4]]


def test_a_seed_says_it_all(monkeypatch):
    results, given = three(), {"k": 5, "n_resamples": 60}
    found = bootstrap(results, **given, seed=7)
    assert found.seed == 7
    np.testing.assert_array_equal(arrays(bootstrap(results, **given, seed=7)), arrays(found))
    # Replicate r is the same for other algorithms, more replicates and however many are held.
    one, first = alone(results["b"], k=5, n_resamples=25, seed=7), found.algorithms["b"]
    for a, b in zip(one.replicates[:4], first.replicates[:4], strict=True):
        np.testing.assert_allclose(a, b[:25], rtol=1e-14)
    monkeypatch.setattr(module, "HELD", 7 * 40)
    monkeypatch.setattr(module, "BLOCK", 3)
    again = bootstrap(results, **given, seed=7)
    np.testing.assert_allclose(arrays(again), arrays(found), rtol=1e-14)
    other = bootstrap(results, **given, seed=8)
    assert (other.algorithms["a"].replicates.tap != found.algorithms["a"].replicates.tap).any()


@pytest.mark.parametrize("bayesian", [False, True])
def test_identical_algorithms_do_not_differ(bayesian):
    results = {"a": (lists := three()["a"]), "b": rebuilt(lists)}
    found = bootstrap(results, k=5, n_resamples=100, bayesian=bayesian).algorithms
    for one, other in zip(*(own.replicates[:4] for own in found.values()), strict=True):
        np.testing.assert_array_equal(one, other)


def test_too_few_queries_have_no_interval():
    results = {name: lists.subset(np.arange(40) < 9) for name, lists in three().items()}
    found = bootstrap(results, k=5, n_resamples=50)
    assert found.reason == "fewer than 10 queries"
    one, point = found.algorithms["a"], m.tap_k(results["a"], k=5)
    assert (one.tap.estimate, one.e0.estimate) == (point.value, point.e0)
    assert np.isnan([*one.tap[1:], *one.e0[1:], *one.peak[1:], *one.peak_threshold[1:]]).all()
    assert np.isfinite(one.replicates.tap).all()
    ten = bootstrap({"a": three()["a"].subset(np.arange(40) < 10)}, k=5, n_resamples=5)
    assert ten.reason == ""
    assert np.isfinite(ten.algorithms["a"].tap).all()


def test_a_replicate_draws_whole_groups():
    # Three groups of 1, 2 and 9 queries; what a replicate is, straight from the definition.
    lists = three()["a"].subset(np.arange(40) < 12)
    labels = np.array(["x", *["y"] * 2, *["z"] * 9])
    found = bootstrap({"a": lists}, k=5, n_resamples=40, seed=3, groups=labels)
    assert (str(found.groups), found.reason) == ("3 groups, 12 queries", "fewer than 10 groups")
    assert found.method == "groups drawn with replacement"
    rng = np.random.Generator(np.random.PCG64(3))
    expected = []
    for _ in range(40):
        drawn = ["xyz"[group] for group in rng.integers(0, 3, 3)]
        share = np.array([drawn.count(label) for label in labels.tolist()], float)
        expected.append(measured(lists.subset(share > 0).with_weights(share[share > 0]), k=5))
    assert_replicates(found.algorithms["a"].replicates, np.array(expected).T)


@pytest.mark.parametrize("bayesian", [False, True])
def test_a_query_in_each_group_is_a_query_on_its_own(bayesian):
    lists = three()["a"]
    options = {"k": 5, "n_resamples": 50, "bayesian": bayesian}
    single = alone(lists, groups=None, **options)
    grouped = alone(lists, groups=np.arange(40)[::-1], **options)
    assert_replicates(grouped.replicates, np.array(single.replicates[:4]))


@pytest.mark.parametrize("seed", range(3))
def test_thresholds_of_uneven_groups(seed):
    # One group holds half of the queries: the threshold is looked for far from the middle.
    lists = seeded_lists(seed, n_queries=400, longest=40)
    labels = np.where(np.arange(400) < 200, 0, np.arange(400))
    found = quick_bootstrap({"a": lists}, k=3, n_resamples=30, groups=labels).algorithms["a"]
    rng = np.random.Generator(np.random.PCG64(0))
    code = np.maximum(np.arange(400) - 199, 0)
    for e0, tap in zip(found.replicates.e0, found.replicates.tap, strict=True):
        share = np.bincount(rng.integers(0, 201, 201), minlength=201)[code].astype(float)
        part = lists.subset(share > 0)
        point = m.tap_k(part.with_weights(share[share > 0] * part.weight), k=3)
        assert (e0, tap) == (point.e0, pytest.approx(point.value, rel=1e-12))


def test_two_queries_alike_tell_as_much_as_one():
    # Every query twice: drawn singly the interval is narrower by the root of two, which is wrong.
    lists = three()["a"]
    twice = build([query for query in twins.plain(lists) for _ in range(2)])
    options = {"e0": 30.0, "n_resamples": 2000}
    groups = np.arange(80) // 2
    found = alone(lists, **options), alone(twice, **options), alone(twice, groups=groups, **options)
    once, single, grouped = (one.replicates.tap.std() for one in found)
    assert single == pytest.approx(once / np.sqrt(2), rel=0.05)
    assert grouped == pytest.approx(once, rel=1e-12)


def test_groups_are_the_classes_by_which_relevance_was_judged():
    lists = load_results()["BLASTP"]
    half = lists.subset(np.arange(862) < 431)
    for part, groups, expected in (
        (lists, {}, "431 superfamilies, 862 queries"),
        (lists, {"groups": 4}, "689 families, 862 queries"),
        (lists, {"groups": None}, "862 queries"),
        (lists, {"groups": np.zeros(862)}, "1 group, 862 queries"),
        (half, {}, "216 superfamilies, 431 queries"),
    ):
        found = quick_bootstrap({"BLASTP": part}, k=5, n_resamples=30, **groups)
        assert str(found.groups) == expected
    refuses("groups = 5: expected a level of the classes, from 1 to 4", m.class_groups, lists, 5)


@pytest.mark.parametrize(
    ("classes", "level", "expected", "unit"),
    [
        (["a.1.1.1", "a.1.1.2", "a.1.10.1", "b.1.1.1"], 3, [0, 0, 1, 2], "superfamilies"),
        (["a.1.1.1", "a.1.1.2", "a.1.10.1", "b.1.1.1"], 2, [0, 0, 0, 1], "folds"),
        (["a.1.1.1", "a.1.1.2", "a.1.10.1", "b.1.1.1"], None, [0, 1, 2, 3], "families"),
        (["1.10.8", "1.10.9", "1.20.8"], 2, [0, 0, 1], "classes of level 2"),
        (["kinase", "globin", "kinase"], None, [0, 1, 0], "classes"),
        (["my.a / x / y", "my.a / x / z", "my / x / y"], 2, [0, 0, 1], "classes of level 2"),
        # The domains of one query are of two superfamilies, which it joins.
        (["a.1.1.1", "a.1.1.2, b.2.2.2", "b.2.2.1", "c.1.1.1"], 3, [0, 0, 0, 1], "superfamilies"),
        # Of unknown classes nothing is known in common.
        (["a.1.1.1", "", "", "a.1.1.1"], 3, [0, 1, 2, 0], "superfamilies"),
    ],
)
def test_groups_of_classes(classes, level, expected, unit):
    n = len(classes)
    lists = RetrievalLists([], [], [0] * (n + 1), [1] * n, query_class=classes)
    groups = m.class_groups(lists, level)
    assert groups.code.tolist() == expected
    assert (groups.unit, groups.count) == (unit, max(expected) + 1)


def test_level_of_relevance_is_kept_with_the_lists():
    places = np.array([0, 0, 1]), np.array([1, 2, 0])
    hits = Hits("mine", ["d1", "d2"], ["d1", "d2", "d3"], *places, np.array([1e-9, 1.0, 1e-8]))
    table = ClassTable({"d1": "a.1.1", "d2": "a.1.2", "d3": "b.1.1"}, relevant=2, ignored=0)
    lists = table.lists(hits)
    assert lists.class_level == 2
    assert str(m.class_groups(lists)) == "1 fold, 2 queries"
    for same in (lists.subset(np.array([True, False])), pickle.loads(pickle.dumps(lists))):  # noqa: S301
        assert same.class_level == 2
    other = RetrievalLists([1.0], [True], [0, 1], [1], query=["d9"])
    assert align({"a": lists, "b": other})["a"].class_level == 2


def test_weights_of_queries():
    # A query of weight 1,000,000 decides every replicate that has it.
    lists = three()["a"]
    heavy = lists.with_weights(np.where(np.arange(40) == 0, 1e6, 1.0))
    found = alone(heavy, k=5, n_resamples=50).replicates
    first = m.tap_k(lists.subset(np.arange(40) == 0), k=5)
    drawn = [bool((one.weight >= 1e6).any()) for one in draws(heavy, 50, 0)]
    assert 20 < sum(drawn) < 45
    assert set(found.e0[drawn]) == {first.e0}
    assert found.tap[drawn] == pytest.approx(first.value, abs=1e-4)
    assert_replicates(found, twin(heavy, 50, 0, 5))


def short(*, errors):
    relevant, error = (1.0, True), (2.0, False)
    some, others = Query(1, 1.0, [relevant, error]), Query(1, 1.0, [relevant])
    return build([some] * errors + [others] * (12 - errors))


def test_no_threshold_with_all_queries():
    found = bootstrap({"a": short(errors=5), "b": short(errors=12)}, k=1, n_resamples=50)
    one, other = found.algorithms.values()
    assert one.reason == "Fewer than half of the queries have 1 error."
    assert np.isnan([*one.tap, *one.e0]).all()
    assert np.isnan(one.replicates.tap).all()
    assert 0 < one.not_reached < 50
    # The peak needs no E_k.
    assert one.peak == (1, 1, 1)
    assert other.reason == ""
    assert other.tap == pytest.approx((0.75,) * 3)  # (1 + 1/2) / 2


@pytest.mark.parametrize("sign", [1, -1])
def test_no_threshold_in_some_replicates(sign):
    lists = short(errors=6)
    lists = lists if sign == 1 else mirrored(lists)
    one = alone(lists, k=1, n_resamples=200)
    assert one.reason == ""
    never = np.isinf(one.replicates.e0)
    assert one.not_reached == never.sum()
    assert 60 < one.not_reached < 140
    assert (one.replicates.e0 == sign * np.where(never, np.inf, 2)).all()
    assert one.e0 == ((2, 2, np.inf) if sign == 1 else (-2, -np.inf, -2))
    # All records count: 0.75 for queries with an error and 1 for those without.
    shares = [np.average(np.diff(d.offset) == 2, weights=d.weight) for d in draws(lists, 200, 0)]
    assert one.replicates.tap == pytest.approx(1 - np.array(shares) / 4, abs=1e-15)
    assert np.isfinite(one.tap).all()


def test_nothing_to_draw_from():
    nothing = build([])
    found = bootstrap({"a": nothing, "b": nothing}, n_resamples=5)
    one = found.algorithms["a"]
    assert found.reason == "fewer than 10 queries"
    assert one.reason == one.peak_reason == "there is no query"
    assert np.isnan([*one.tap, *one.e0, *one.peak, *one.peak_threshold]).all()
    empty = alone(build([Query(3, 1.0, [])]), n_resamples=5)
    assert empty.peak_reason == "there is no record"
    assert empty.reason.startswith("Fewer than")
    assert np.isnan([*empty.tap, *empty.e0, *empty.peak]).all()
    some = alone(build([Query(3, 1.0, []), Query(1, 1.0, [(1.0, True)])]), k=1, n_resamples=40)
    without = int(np.isnan(some.replicates.peak).sum())
    assert some.peak_reason == f"in {without} replicates the queries drawn have no record"
    assert some.peak.estimate == 0.5
    assert np.isnan([some.peak.low, some.peak.high, some.peak_threshold.low]).all()


@pytest.mark.parametrize("n_resamples", [7, 100, 1000])
def test_progress(n_resamples):
    calls = []
    bootstrap(three(), k=5, n_resamples=n_resamples, progress=lambda *call: calls.append(call))
    total = 3 * n_resamples
    assert calls[0] == (0, total)
    assert calls[-1] == (total, total)
    assert all(a[0] < b[0] for a, b in itertools.pairwise(calls))
    assert len(calls) >= min(20, total)


@pytest.mark.parametrize("after", [0, 100, 250])
def test_cancel(after):
    calls = []

    def progress(done, total):
        calls.append(done)
        return done < after and total == 300

    error_of(bootstrap, three(), k=5, n_resamples=100, progress=progress, error=m.Cancelled)
    assert calls[-1] >= after
    assert all(done < after for done in calls[:-1])


def test_algorithms_with_other_queries():
    a, b = three()["a"], three()["b"]
    for other, field in (
        (rebuilt(b, query=[f"{q}x" for q in b.query]), "query"),
        (b.subset(np.arange(40) > 0), "query"),
        (b.subset(np.ones(40, bool)).with_weights(np.full(40, 2.0)), "weight"),
        (rebuilt(b, n_relevant=b.n_relevant + 1), "n_relevant"),
    ):
        refuses(f"x and y differ in `{field}`.*use align", bootstrap, {"x": a, "y": other})
    aligned = align({"x": a, "y": b.subset(np.arange(40) > 0)})
    assert str(bootstrap(aligned, k=5, n_resamples=3).groups) == "40 queries"


def test_directions_have_no_common_threshold():
    down = mirrored(a := three()["a"])
    refuses("no E_0 is common to both", bootstrap, {"a": a, "b": down}, e0=3.0)
    # Each has its own E_k.
    one, other = bootstrap({"a": a, "b": down}, k=5, n_resamples=20).algorithms.values()
    assert one.tap == other.tap
    assert other.e0[1:] == (-one.e0.high, -one.e0.low)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_resamples": 0}, "n_resamples = 0: expected a whole number"),
        ({"n_resamples": 2.5}, "n_resamples = 2.5"),
        ({"seed": -1}, "seed = -1"),
        ({"seed": 0.5}, "seed = 0.5"),
        ({"level": 1.0}, "level = 1.0"),
        ({"k": 0}, "k = 0"),
        ({"quantile": 0}, "quantile = 0"),
        ({"e0": nan}, "e0 is NaN"),
        ({"groups": [1, 2, 3]}, "expected a label of each of 40 queries, found 3"),
        ({"groups": [[1]]}, "found shape"),
        ({"groups": [nan] * 40}, "found NaN"),
        ({"groups": 3}, "classes of the queries are not known"),
        ({"groups": "fold"}, "groups = 'fold': expected labels, a level"),
        ({"results": {}}, "at least one algorithm"),
    ],
)
def test_bad_arguments(options, message):
    refuses(message, bootstrap, **{"results": {"a": three()["a"]}} | options)


@pytest.mark.parametrize(
    "options", [{}, {"e0": 1e-3}, {"fixed_threshold": True}, {"bayesian": True}]
)
def test_without_the_peak_all_else_is_the_same(options):
    profiles = load_results("profiles")
    results = {"A": profiles["RPS-BLAST"], "B": profiles["HMMER3 hmmscan"]}
    full = bootstrap(results, k=5, n_resamples=60, **options)
    quick = quick_bootstrap(results, k=5, n_resamples=60, **options)
    for name, one in full.algorithms.items():
        found = quick.algorithms[name]
        assert found.tap == pytest.approx(one.tap, rel=1e-12)
        assert found.e0 == one.e0
        assert found.replicates.tap == pytest.approx(one.replicates.tap, rel=1e-12)
        assert np.isnan(found.peak).all()
        assert found.peak_reason == "the peak was not asked for"
