"""Differences of every two algorithms: by hand, and against a slow, obvious twin."""

from __future__ import annotations

from itertools import combinations, product
from math import gamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import load_results
from tapviz.measures import (
    Groups,
    Scored,
    against,
    class_groups,
    holm,
    pairwise,
    randomization_test,
)
from tapviz.measures.bootstrap import percentile_interval
from tapviz.scores import COMPARABLE, Case, Memo, ThresholdRule, compare, differences
from tests.strategies import examples

nan = float("nan")


def scored(values, **more):
    return Scored(float(np.nanmean(values)), np.array(values, float), **more)


def test_a_pair_by_hand():
    # Differences 3, 2 and -1, of 8 choices of signs four have a sum of at least 4 in size.
    (found,) = pairwise({"tap": {"a": scored([3, 2, 0]), "b": scored([0, 0, 1])}})
    assert (found.first, found.second, found.score) == ("a", "b", "tap")
    assert found.difference.estimate == pytest.approx(4 / 3)
    assert (found.p, found.p_holm) == (4 / 8, 4 / 8)
    assert (found.wins, found.ties, found.losses) == (2, 0, 1)
    assert (found.units, found.unit) == (3, "queries")
    assert found.test == "paired randomization test, exact"
    assert found.reason == "no interval: it was not resampled"


def test_three_algorithms_are_three_pairs_adjusted_by_holm():
    values = {"a": [4, 4, 4, 4], "b": [1, 1, 1, 1], "c": [1, 1, 1, 0]}
    found = pairwise({"tap": {name: scored(value) for name, value in values.items()}})
    assert [(one.first, one.second) for one in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    # All four signs alike: 2 of 16. b and c differ in one query: either sign is as extreme.
    assert [one.p for one in found] == [2 / 16, 2 / 16, 1.0]
    assert [one.p_holm for one in found] == [6 / 16, 6 / 16, 1.0]
    # Against one of them there are two tests.
    from_b = against(found, "b", "tap")
    assert [(one.first, one.second, one.difference.estimate) for one in from_b] == [
        ("a", "b", 3.0),
        ("c", "b", -0.25),
    ]
    assert [one.p_holm for one in from_b] == [4 / 16, 1.0]
    assert [(one.wins, one.ties, one.losses) for one in from_b] == [(4, 0, 0), (0, 3, 1)]


def test_where_fewer_is_better_the_difference_is_how_many_fewer():
    few, many = (scored(values, higher_is_better=False) for values in ([1, 0, 2], [4, 6, 5]))
    (found,) = pairwise({"errors": {"few": few, "many": many}})
    assert found.difference.estimate == 4.0
    assert (found.wins, found.losses) == (3, 0)
    assert COMPARABLE["mean_epq"].less(found).estimate == -4.0
    assert COMPARABLE["tap"].less(found).estimate == 4.0


def test_groups_change_their_sign_together():
    one, other = scored([3.0, 1.0, 2.0]), scored([0.0, 0.0, 0.0])
    (found,) = pairwise({"tap": {"a": one, "b": other}}, groups=["x", "x", "y"])
    assert found.p == 2 / 4  # of 6, 2, -2 and -6
    assert (found.units, found.unit, found.wins) == (2, "groups", 3)
    assert found.test == "paired randomization test, exact, signs of groups"


def test_queries_that_weigh_more_count_more():
    # Differences 2, 2 and -1, of which half of all choices of signs have a sum of at least 3 in
    # size; if all weighed the same, 1, 1 and -1, every choice would have one of at least 1.
    one, other = Scored(0.8, [1.0, 1.0, 0.0]), Scored(0.2, [0.0, 0.0, 1.0])
    (found,) = pairwise({"tap": {"a": one, "b": other}}, weight=[2, 2, 1])
    assert found.p == 4 / 8
    assert pairwise({"tap": {"a": one, "b": other}})[0].p == 1.0


def test_queries_without_a_value_are_left_out():
    a, b = scored([0.5, nan, 0.25, 0.9]), scored([0.25, nan, 0.5, 0.1])
    (found,) = pairwise({"map": {"a": a, "b": b}}, groups=[1, 2, 1, 3])
    kept = [0, 2, 3]
    test = randomization_test(a.per_query[kept], b.per_query[kept], groups=[1, 1, 3])
    assert (found.p, found.units) == (test.p, 2)
    assert (found.wins, found.ties, found.losses) == (2, 0, 1)


def test_what_is_undefined_has_a_reason():
    some = np.arange(40.0)
    cases = {
        "a": Scored(nan, some, some, reason="Fewer than half of the queries have 20 errors."),
        "b": Scored(1.0, some, some),
        "c": Scored(2.0, None, some),
        "d": Scored(3.0, some, np.append(some[1:], np.inf)),
    }
    found = {one.first + one.second: one for one in pairwise({"x": cases})}
    assert found["ab"].reason == "a: Fewer than half of the queries have 20 errors."
    assert np.isnan([*found["ab"].difference, found["ab"].p, found["ab"].p_holm]).all()
    assert (found["ab"].wins, found["ab"].ties, found["ab"].losses) == (0, 0, 0)
    assert found["bc"].reason is None
    assert found["bc"].difference == (-1.0, 0.0, 0.0)
    assert found["bd"].reason == "no interval: it is undefined in some resamples"
    assert found["bd"].p == 1.0
    few = pairwise({"x": {"b": cases["b"], "c": cases["c"]}}, groups=np.arange(40) % 9)[0]
    assert few.reason == "no interval: fewer than 10 groups"
    assert np.isnan([*few.difference[1:], *few.together, few.p]).all()
    assert not few.clear
    assert not few.test


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ({"x": {"a": scored([1, 2]), "b": scored([1, 2, 3])}}, {}, "of the same queries"),
        ({"x": {"a": scored([1, 2])}}, {"weight": [1]}, "weight: expected one of each of 2"),
        ({"x": {"a": scored([1, 2])}}, {"groups": [1]}, "a label of each of 2 queries"),
        ({"x": {"a": scored([1, 2])}}, {"groups": Groups.of([1])}, "of the same queries"),
    ],
)
def test_bad_arguments(scores, options, message):
    with pytest.raises(ValueError, match=message):
        pairwise(scores, **options)


values = st.sampled_from((0.0, 0.25, 0.5, 1.0, nan)) | st.floats(0, 1)


@examples(60)
@given(
    st.integers(1, 3).flatmap(
        lambda n: st.lists(
            st.tuples(st.sampled_from("uvwxyz"), *[values] * n), min_size=1, max_size=8
        )
    )
)
def test_pairs_are_those_of_the_slow_twin(rows):
    """Every choice of signs of the groups, one by one."""
    labels, *columns = zip(*rows, strict=True)
    kept = [not np.isnan(row[1:]).any() for row in rows]
    columns = [np.where(kept, column, nan) for column in columns]
    if not any(kept):
        return
    by_name = {f"p{place}": scored(column) for place, column in enumerate(columns)}
    found = pairwise({"s": by_name}, groups=labels)
    expected = []
    for a, b in combinations(columns, 2):
        apart = [(x - y, g) for x, y, g in zip(a, b, labels, strict=True) if not np.isnan(x)]
        names = sorted({g for _, g in apart})
        observed = abs(sum(d for d, _ in apart))
        sums = [
            abs(sum(d * signs[names.index(g)] for d, g in apart))
            for signs in product((1, -1), repeat=len(names))
        ]
        expected.append(sum(s >= observed - 1e-12 for s in sums) / len(sums))
    assert [one.p for one in found] == pytest.approx(expected)
    assert [one.p_holm for one in found] == pytest.approx(holm(expected))


def test_random_choices_of_signs_are_those_of_the_test_of_two():
    results = load_results("profiles")
    rng = np.random.default_rng(1)
    groups = class_groups(results["RPS-BLAST"])
    columns = {name: rng.random(groups.code.size) + place / 50 for place, name in enumerate("abc")}
    columns["d"] = np.where(rng.random(groups.code.size) < 0.9, columns["a"], columns["b"])
    found = pairwise({"s": {name: scored(one) for name, one in columns.items()}}, groups=groups)
    for one in found:
        test = randomization_test(columns[one.first], columns[one.second], groups=groups)
        assert one.p == test.p
        assert one.test.endswith(test.method)
    assert len({one.p for one in found}) > 3
    # The p of a pair does not depend on who else is there.
    alone = pairwise({"s": {name: scored(columns[name]) for name in "ad"}}, groups=groups)
    assert alone[0].p == next(one.p for one in found if one.first + one.second == "ad")


# From results


@pytest.fixture(scope="module")
def compared():
    results = load_results("profiles")
    names = ("RPS-BLAST", "HMMER3 hmmscan", "HMMER2 local")
    rule = ThresholdRule(k=5)
    cases = {name: Case(results[name], rule, 20, Memo()) for name in names}
    return cases, compare(cases, n_resamples=200, peak=True, ties=False)


@pytest.mark.parametrize("name", list(COMPARABLE))
def test_every_score_is_compared(compared, name):
    cases, found = compared
    score = COMPARABLE[name]
    pairs = differences(found, name)
    assert [(one.first, one.second) for one in pairs] == list(combinations(cases, 2))
    better = -1 if score.higher_is_better is False else 1
    for one in pairs:
        apart = cases[one.first].value(score) - cases[one.second].value(score)
        assert one.difference.estimate == pytest.approx(better * apart, rel=1e-12)
        assert (one.units, one.unit) == (245, "superfamilies")
        assert score.has_interval
        assert one.difference.low <= one.difference.estimate <= one.difference.high
        assert one.together.low <= one.difference.low
        assert one.difference.high <= one.together.high
        values = [cases[of].per_query(score) for of in (one.first, one.second)]
        if values[0] is None:
            assert (one.p < 0.05) == (one.difference.low > 0 or one.difference.high < 0)
            assert one.p <= one.p_holm
            assert one.test == "from the interval, of superfamilies"
            assert not one.counted
        else:
            assert np.nanmean(values[0] - values[1]) == pytest.approx(apart, rel=1e-9)
            assert one.p == randomization_test(*values, groups=found.groups).p
            assert sum(one.counts) == np.count_nonzero(~np.isnan(values[0]))
        assert one.reason is None


def test_intervals_are_those_of_the_differences_in_the_same_resamples(compared):
    _, found = compared
    algorithms = found.bootstrap.algorithms
    for name, of in (
        ("tap", lambda one: one.tap),
        ("threshold", lambda one: one.e0),
        ("peak_tap", lambda one: one.peak),
        ("pooled_roc_n", lambda one: one.others["pooled_roc_n"]),
    ):
        for one in differences(found, name):
            apart, influence = (
                of(getattr(algorithms[one.first], what)) - of(getattr(algorithms[one.second], what))
                for what in ("replicates", "influences")
            )
            estimate = one.difference.estimate
            assert one.difference == percentile_interval(estimate, apart, 0.95, 245, influence)


def student_twice(t, freedom):
    """Both tails of Student's distribution beyond t, by adding up its density."""
    x = np.linspace(t, 2000, 4_000_001)
    density = gamma((freedom + 1) / 2) / gamma(freedom / 2) / np.sqrt(np.pi * freedom)
    return 2 * np.trapezoid(density * (1 + x * x / freedom) ** (-(freedom + 1) / 2), x)


def test_p_from_an_interval_by_hand():
    # The end of the interval is 2.2622 standard errors from the estimate, by Student's t of 9
    # degrees of freedom; 0 is so many times as far.
    values = np.random.default_rng(3).normal(3, 1, 2000)
    a, b = Scored(3.0, None, values), Scored(0.0, None, np.zeros(2000))
    (found,) = pairwise({"pooled": {"a": a, "b": b}}, groups=Groups.of(range(10)))
    assert found.test == "from the interval, of groups"
    reach = 3 / (3 - found.difference.low)
    assert found.p == pytest.approx(student_twice(2.262157 * reach, 9), rel=1e-4)
    (turned,) = pairwise({"pooled": {"b": b, "a": a}}, groups=Groups.of(range(10)))
    assert turned.p == pytest.approx(found.p)
    assert turned.difference == pytest.approx(found.turned.difference)


def test_p_from_an_interval_is_1_where_nothing_differs_and_0_where_nothing_varies():
    same = Scored(1.0, None, np.ones(200))
    scores = {"a": same, "b": same, "c": Scored(0.0, None, np.zeros(200))}
    found = pairwise({"pooled": scores}, groups=Groups.of(range(20)))
    assert [one.p for one in found] == [1.0, 0.0, 0.0]


def test_one_rule_tells_algorithms_apart(compared):
    """The plots of differences mark the pairs that the verdict calls better."""
    _, found = compared
    told = {frozenset((one.first, one.second)) for one in found.verdict.clear}
    pairs = differences(found, "tap")
    assert {frozenset((one.first, one.second)) for one in pairs if one.clear} == told
    for one in found.verdict.pairs:
        same = next(p for p in pairs if {p.first, p.second} == {one.first, one.second})
        same = same if same.first == one.first else same.turned
        assert same.together == one.difference


def test_with_few_resamples_nothing_is_told_apart():
    rng = np.random.default_rng(0)
    for n_resamples, clear in ((99, False), (100, True)):
        a = Scored(3.0, None, rng.normal(3, 0.1, n_resamples))
        b = Scored(0.0, None, np.zeros(n_resamples))
        (found,) = pairwise({"pooled": {"a": a, "b": b}}, groups=Groups.of(range(20)))
        assert found.difference.low > 2
        assert found.clear == clear


def test_against_a_baseline_there_are_fewer_tests(compared):
    _, found = compared
    every = differences(found, "tap")
    some = differences(found, "tap", "HMMER3 hmmscan")
    assert [one.first for one in some] == ["RPS-BLAST", "HMMER2 local"]
    assert {one.second for one in some} == {"HMMER3 hmmscan"}
    first = next(one for one in every if one.first == "RPS-BLAST")
    assert some[0].difference == first.difference
    turned = next(one for one in every if one.second == "HMMER2 local" and one is not every[1])
    assert some[1].difference.low == -turned.difference.high
    assert some[1].wins == turned.losses
    assert [one.p_holm for one in some] == holm([one.p for one in some]).tolist()
