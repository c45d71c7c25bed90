"""Differences of every two algorithms: by hand, and against a slow, obvious twin."""

from itertools import combinations, product
from math import isinf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import RetrievalLists, load_results
from tapviz import measures as m
from tapviz.measures.differences import contributions
from tapviz.measures.intervals import N_SIGNS, widened
from tapviz.scores import (
    COMPARABLE,
    Case,
    Memo,
    Policies,
    ThresholdRule,
    compare,
    differences,
    score,
)
from tapviz.scores.findings import describe
from tests.refused import refuses
from tests.strategies import examples

nan = float("nan")


def scored(values, **more):
    return m.Scored(float(np.nanmean(values)), np.array(values, float), **more)


def test_a_pair_by_hand():
    # Nine queries are better by 1, one is worse by 1. Of the 512 choices of signs that differ by
    # more than all signs, 1 has a sum of 10 in size, and 10 have one of 8: t grows with the sum.
    (found,) = m.pairwise({"tap": {"a": scored([1] * 9 + [0]), "b": scored([0] * 9 + [1])}})
    assert (found.first, found.second, found.score) == ("a", "b", "tap")
    assert found.difference.estimate == pytest.approx(0.8)
    assert (found.p, found.clear, found.counts) == (11 / 512, True, (9, 0, 1))
    assert (found.units, found.unit, found.reason) == (10, "queries", None)
    assert found.test == "studentised maximum, all choices of signs of queries"
    # Of |t|, 25 of 512 may be as large: the next sum is 6, of 45 choices, whose standard error is
    # sqrt((10 / 9) (10 - 36 / 10)) / 10, and |t| 0.6 over that.
    t = 0.6 / (sqrt(10 / 9 * (10 - 3.6)) / 10)
    half = t * sqrt(10 / 9 * (10 - 6.4)) / 10
    assert found.difference[1:] == pytest.approx((0.8 - half, 0.8 + half), rel=1e-3)


def test_more_pairs_need_a_larger_difference():
    rng = np.random.default_rng(1)
    columns = {name: rng.normal(0, 1, 40) for name in "abcdefgh"}
    columns["a"] += 0.75
    (alone,) = m.pairwise({"s": {name: scored(columns[name]) for name in "ab"}})
    among, *_ = m.pairwise({"s": {name: scored(one) for name, one in columns.items()}})
    assert (among.first, among.second) == (alone.first, alone.second)
    assert among.p > alone.p
    assert among.difference.low < alone.difference.low
    assert among.difference.estimate == alone.difference.estimate


def test_where_fewer_is_better_the_difference_is_how_many_fewer():
    few, many = (scored(values, higher_is_better=False) for values in ([1, 0, 2], [4, 6, 5]))
    (found,) = m.pairwise({"errors": {"few": few, "many": many}})
    assert (found.difference.estimate, found.counts) == (4.0, (3, 0, 0))
    assert COMPARABLE["mean_epq"].less(found).estimate == -4.0
    assert COMPARABLE["tap"].less(found).estimate == 4.0


def test_groups_change_their_sign_together():
    # Two queries of a group that differ the other way round leave no difference of the group.
    one, other = scored([3.0, 1.0] * 10), scored([1.0, 3.0] * 10)
    (found,) = m.pairwise({"tap": {"a": one, "b": other}}, groups=np.arange(20) // 2)
    assert (found.difference, found.p) == ((0.0, 0.0, 0.0), 1.0)
    assert (found.units, found.unit, found.wins, found.losses) == (10, "groups", 10, 10)
    assert found.test == "studentised maximum, all choices of signs of groups"


def test_queries_that_weigh_more_count_more():
    # The one query that is worse weighs as much as the nine others: the difference is 0.
    weight = [1] * 9 + [9]
    one, other = m.Scored(0.5, [1.0] * 9 + [0.0]), m.Scored(0.5, [0.0] * 9 + [1.0])
    (found,) = m.pairwise({"tap": {"a": one, "b": other}}, weight=weight)
    assert (found.difference.estimate, found.p) == (0, 1.0)


def test_queries_without_a_value_are_left_out():
    a, b = [0.5, nan, 0.25, 0.9] * 5, [0.25, nan, 0.5, 0.1] * 5
    (found,) = m.pairwise({"map": {"a": scored(a), "b": scored(b)}})
    kept = [0.5, 0.25, 0.9] * 5, [0.25, 0.5, 0.1] * 5
    (same,) = m.pairwise({"map": dict(zip("ab", map(scored, kept), strict=True))})
    assert found.units == same.units == 15
    assert found.counts == (10, 0, 5)
    assert found.difference.estimate == pytest.approx(same.difference.estimate)


EASY, HARD = [0.5, 0.75] * 6, [0.0, 0.25] * 3


def test_a_difference_is_over_the_queries_that_both_have():
    # a is better by 0.125 for all 12 queries that both have; the 6 hard ones, which b lacks, lower
    # its own mean, (12 * 0.625 + 6 * 0.125) / 18 = 0.4583, below the 0.5 of b.
    a, b = scored(EASY + HARD), scored([one - 0.125 for one in EASY] + [nan] * 6)
    assert (a.value, b.value) == (pytest.approx(8.25 / 18), 0.5)
    (found,) = m.pairwise({"map": {"a": a, "b": b}})
    assert found.difference == found.listed == pytest.approx((0.125, 0.125, 0.125))
    # Of the 4,096 choices of 12 signs, that which was found and its opposite are as extreme.
    assert (found.p, found.counts, found.units) == (2 / 4096, (12, 0, 0), 12)
    assert (found.left_out, found.reason) == (6, None)
    (same,) = m.pairwise({"map": {"a": scored(EASY), "b": scored(b.per_query[:12])}})
    assert found._replace(left_out=0) == same


def test_several_are_compared_over_the_queries_that_all_have():
    rng = np.random.default_rng(3)
    values = {name: rng.random(40) for name in "abc"}
    keep = np.ones(40, bool)
    for name, lacks in {"a": [1, 5], "c": [5, 7, 39]}.items():
        values[name][lacks], keep[lacks] = nan, False
    groups, weight = np.arange(40) // 2, rng.integers(1, 4, 40)
    own = {name: scored(one) for name, one in values.items()}
    found = m.pairwise({"x": own}, groups=groups, weight=weight)
    values = {name: scored(one[keep]) for name, one in values.items()}
    for name, one in values.items():
        mean = np.average(one.per_query, weights=weight[keep])
        values[name] = one._replace(value=mean)
    expected = m.pairwise({"x": values}, groups=groups[keep], weight=weight[keep])
    assert [one.left_out for one in found] == [4, 4, 4]
    for one, other in zip(found, expected, strict=True):
        assert one.difference == pytest.approx(other.difference, rel=1e-12)
        assert (one.p, one.counts, one.units) == (other.p, other.counts, other.units)


def test_ties_and_e_k_count_over_the_queries_that_all_have():
    rng = np.random.default_rng(4)
    values, down, up, linear = rng.random((4, 30))
    other, keep = rng.random(30), np.arange(30) % 5 > 0
    ends = (values - down, values + up)

    def pair(of):
        least, most = (end[of] for end in ends)
        first = scored(values[of], ends=(least, most), linear=linear[of])
        return {"x": {"a": first, "b": scored(np.where(keep, other, nan)[of])}}

    (found,), (expected,) = (m.pairwise(pair(of)) for of in (np.full(30, True), keep))
    assert found.difference.low < found.listed.low < found.listed.high < found.difference.high
    assert found._replace(left_out=0) == expected


def test_what_nobody_has_in_common_is_not_compared():
    half = [nan] * 12
    (found,) = m.pairwise({"x": {"a": scored(EASY + half), "b": scored(half + EASY)}})
    assert found.reason == "a: no query has the score of all; b: no query has the score of all"
    assert np.isnan([*found.difference, found.p]).all()
    assert (found.left_out, found.identical) == (24, False)
    # Nor do nine tell how they would do on others.
    (few,) = m.pairwise({"x": {"a": scored(EASY + half), "b": scored(EASY[:9] + [nan] * 15)}})
    assert few.reason == "no interval: fewer than 10 queries"
    assert (few.difference.estimate, few.identical) == (0, False)
    # One that has no score leaves no query out.
    alike = {"a": scored(EASY), "b": m.Scored(nan, half), "c": scored(EASY)}
    _, one, _ = m.pairwise({"x": alike})
    assert (one.second, one.left_out, one.identical) == ("c", 0, True)


def test_what_is_undefined_has_a_reason():
    some = np.arange(40.0)
    cases = {
        "a": m.Scored(nan, some, reason="Fewer than half of the queries have 20 errors."),
        "b": m.Scored(1.0, None, replicates=some, influence=some),
        "c": m.Scored(2.0, None, replicates=some),
        "d": m.Scored(3.0, None, replicates=np.append(some[1:], np.inf), influence=some),
        "e": m.Scored(3.0),
    }
    groups = m.Groups.of(np.arange(40))
    found = {one.first + one.second: one for one in m.pairwise({"x": cases}, groups=groups)}
    nothing = found["ab"]
    assert nothing.reason == "a: Fewer than half of the queries have 20 errors."
    assert np.isnan([*nothing.difference, nothing.p]).all()
    assert nothing.counts == (0, 0, 0)
    for pair, why in (
        ("bc", "what groups of queries contribute to it is not known"),
        ("bd", "it is undefined in some resamples"),
        ("be", "it was not resampled"),
    ):
        assert found[pair].reason == f"no interval: {why}"
    (few,) = m.pairwise({"x": {"b": cases["b"], "e": scored(some)}}, groups=np.arange(40) % 9)
    assert (few.reason, few.clear, few.test) == ("no interval: fewer than 10 groups", False, "")
    assert np.isnan([*few.difference[1:], few.p]).all()


@pytest.mark.parametrize(
    ("other", "options", "message"),
    [
        ([1, 2, 3], {}, "of the same queries"),
        ([1, 2], {"weight": [1]}, "weight: expected one of each of 2"),
        ([1, 2], {"groups": [1]}, "a label of each of 2 queries"),
        ([1, 2], {"groups": m.Groups.of([1])}, "of the same queries"),
    ],
)
def test_bad_arguments(other, options, message):
    refuses(message, m.pairwise, {"x": {"a": scored([1, 2]), "b": scored(other)}}, **options)


def statistic(apart, size):
    """t of a mean difference, of sums of groups of some sizes."""
    n, total = len(apart), sum(size)
    mean = sum(apart) / total
    squares = sum((d - s * mean) ** 2 for d, s in zip(apart, size, strict=True))
    if squares <= 1e-18 * sum(d * d for d in apart):
        return 0.0 if abs(mean) < 1e-12 else float("inf")
    return mean / (sqrt(n / (n - 1) * squares) / total)


values = st.sampled_from((0.0, 0.25, 0.5, 1.0)) | st.floats(0, 1)
rows_of_two, rows_of_three = (
    st.lists(st.tuples(st.integers(1, 3), *[values] * n), min_size=10, max_size=10) for n in (2, 3)
)


@examples(8)
@given(rows_of_two | rows_of_three)
def test_pairs_are_those_of_the_slow_twin(rows):
    """Every choice of signs of ten groups, one by one, and the largest |t| of all pairs."""
    size, *columns = zip(*rows, strict=True)
    columns = [np.round(column, 3) for column in columns]  # none that differs by rounding only
    labels = np.repeat(np.arange(10), size)
    by_name = {f"p{place}": scored(np.repeat(column, size)) for place, column in enumerate(columns)}
    found = m.pairwise({"s": by_name}, groups=labels)
    apart = [
        [(x - y) * n for x, y, n in zip(a, b, size, strict=True)]
        for a, b in combinations(columns, 2)
    ]
    largest = sorted(
        max(abs(statistic([s * d for s, d in zip(signs, one, strict=True)], size)) for one in apart)
        for signs in product((1, -1), repeat=10)
    )
    for one, own in zip(found, apart, strict=True):
        t = abs(statistic(own, size))
        # A statistic that others equal but for rounding is as large as they are.
        p = {sum(other >= t * (1 + slack) for other in largest) / 1024 for slack in (-1e-3, 1e-3)}
        if isinf(t):
            p = {1.0 if not any(own) else sum(map(isinf, largest)) / 1024}
        assert min(p) <= one.p <= max(p)
        assert one.clear == (one.p <= 0.05)


def test_random_signs_tell_what_all_signs_do():
    sums = np.random.default_rng(2).normal(0, 1, (3, 1, 14)) / 14
    share = np.full(14, 1 / 14)
    found = m.contrasts(sums, share)
    for place, (a, b) in enumerate(combinations(range(3), 2)):
        own = [one[0] for one in sums]
        t = abs(statistic(own[a] - own[b], share))
        signs = 1 - 2 * (np.arange(1 << 13)[:, None] >> np.arange(14) & 1)
        every = []
        for c, d in combinations(range(3), 2):
            turned = signs * (own[c] - own[d])
            mean = turned.sum(axis=1)
            squares = ((turned - mean[:, None] * share) ** 2).sum(axis=1)
            every.append(np.abs(mean) / np.sqrt(14 / 13 * squares))
        p = float((np.max(every, axis=0) >= t).mean())
        assert abs(found.p[0, place] - p) < 4 * sqrt(p * (1 - p) / N_SIGNS) + 1e-9


def test_groups_beyond_a_thousand_are_joined():
    values = np.random.default_rng(3).normal(0, 1, (2, 5000))
    for shift, clear in ((0.0, False), (0.1, True)):
        (found,) = m.pairwise({"s": {"a": scored(values[0] + shift), "b": scored(values[1])}})
        error = np.std(values[0] - values[1], ddof=1) / sqrt(5000)
        # So many are as good as infinitely many: 1.96 standard errors, and a little chance.
        half = found.difference.estimate - found.difference.low
        assert half == pytest.approx(1.96 * error, rel=0.06)
        assert found.clear == clear


def test_of_equal_programs_one_in_twenty_benchmarks_calls_any_better():
    rng, draws = np.random.default_rng(4), 300
    better = 0
    for _ in range(draws):
        size = np.minimum(rng.zipf(1.8, 10), 40)
        sums = rng.standard_t(4, (9, 1, 10)) * np.sqrt(size) / size.sum()
        found = m.contrasts(sums, size / size.sum())
        better += bool((found.p <= 0.05).any())
        assert ((found.p <= 0.05) == ((found.low > 0) | (found.high < 0))).all()
    assert abs(better / draws - 0.05) < 3 * sqrt(0.05 * 0.95 / draws)


def tied(order):
    """Twelve queries with a relevant and an irrelevant record of equal score, and an error."""
    return RetrievalLists([0.1, 0.1, 0.2] * 12, [*order, False] * 12, np.arange(13) * 3, [1] * 12)


def difference_at(results, e0):
    """How TAP of two programs differs at a threshold."""
    rule = ThresholdRule(k=None, e0=e0)
    cases = {name: Case(lists, rule, 50, Memo()) for name, lists in results.items()}
    return differences(compare(cases, n_resamples=0), "tap")[0]


def test_a_difference_that_hangs_on_the_order_of_ties_is_not_clear():
    found = difference_at({"lucky": tied([True, False]), "unlucky": tied([False, True])}, 0.15)
    # As listed: (1 + 1/2) / 2 against (1/2 + 1/2) / 2 for every query.
    assert found.listed == pytest.approx((0.25, 0.25, 0.25))
    assert found.difference == pytest.approx((0.25, -0.25, 0.25))
    assert (found.ties_decide, found.clear, found.p) == (True, False, 1.0)


def test_a_score_that_is_no_mean_is_widened_by_what_ties_may_move_it():
    """Estimate 0.3, alone 0.2 to 0.45; by the order of ties between 0.1 and 0.35."""
    sums, share = np.random.default_rng(0).normal(0, 1, (2, 1, 40)), np.full(40, 1 / 40)

    def of_one(alone, *reordered):
        by_ties = {"reordered": np.array([reordered])} if reordered else {}
        found = widened(sums, share, np.array([alone]), **by_ties)
        return found._make(part[0, 0] for part in found)

    listed, wide = of_one([0.3, 0.2, 0.45]), of_one([0.3, 0.2, 0.45], 0.1, 0.35)
    assert (listed.low, listed.high) == pytest.approx((0.2, 0.45))
    assert (wide.low, wide.high) == pytest.approx((0.0, 0.5))
    assert (wide.listed_low, wide.listed_high) == pytest.approx((0.2, 0.45))
    # Three times as far from 0 as its interval reaches, and exactly as far.
    assert listed.p < 0.01 < wide.p == pytest.approx(0.05, abs=0.001)
    turned = of_one([0.3, 0.2, 0.45], -0.1, 0.35)
    assert (turned.low, turned.p) == pytest.approx((-0.2, 1.0))
    mirrored = of_one([-0.3, -0.45, -0.2], -0.35, -0.1)
    assert (mirrored.high, mirrored.p) == (pytest.approx(0.0), wide.p)


def test_p_is_never_less_than_one_of_the_choices_of_signs():
    """Of 12 groups there are 2,048, one of which is that found; 9 standard errors make it no 0."""
    sums, share = np.random.default_rng(0).normal(0, 1, (2, 1, 12)), np.full(12, 1 / 12)
    found = widened(sums, share, np.array([[0.9, 0.8, 1.0]]))
    assert found.p.tolist() == [[1 / 2048]]


def test_a_difference_larger_than_ties_is_clear():
    found_all = RetrievalLists([0.01] * 12, [True] * 12, np.arange(13), np.ones(12, int))
    found = difference_at({"good": found_all, "tied": tied([False, True])}, 0.15)
    # 1 against 1/2 as listed, and against 3/4 in the best order.
    assert found.difference == pytest.approx((0.5, 0.25, 0.5))
    assert (found.clear, found.ties_decide) == (True, False)


@pytest.fixture(scope="module")
def profiles():
    return load_results("profiles")


@pytest.mark.parametrize("k", [1, 5, 20])
def test_contributions_tell_how_tap_k_varies_with_the_queries(profiles, k):
    """Their spread is that of resamples in which E_k is found anew."""
    names = ("RPS-BLAST", "HMMER3 hmmscan")
    results = {name: profiles[name] for name in names}
    groups = m.class_groups(profiles[names[0]])
    found = m.bootstrap(results, k=k, n_resamples=1000)
    sums = []
    for name, lists in results.items():
        values = m.linear_tap(lists, at := m.tap_k(lists, k=k), groups)
        assert values.mean() == pytest.approx(at.value, rel=1e-12)
        sums.append(np.bincount(groups.code, values, groups.count) / values.size)
        every = m.tap_sums(lists, groups, max_k=k)[0, -1]
        np.testing.assert_allclose(sums[-1], every, atol=1e-12, err_msg=name)
    sizes = np.bincount(groups.code) / groups.code.size
    apart = sums[0] - sums[1]
    error = np.linalg.norm(apart - apart.sum() * sizes)
    replicates = [found.algorithms[name].replicates.tap for name in names]
    # 1,000 resamples tell a standard deviation to 2 %.
    assert error == pytest.approx(np.std(replicates[0] - replicates[1]), rel=0.07)


def some_without_relevant(seed, n_queries=20):
    """Lists of ten records, seven of them errors; T(q) = 0 where all ten are."""
    rng = np.random.default_rng(seed)
    relevant = rng.permuted(np.tile([True] * 3 + [False] * 7, (n_queries, 1)), axis=1)
    relevant[::4] = False
    score = np.sort(rng.random((n_queries, 10)), axis=1)
    total = 4 * relevant.any(axis=1)
    return RetrievalLists(score.ravel(), relevant.ravel(), np.arange(n_queries + 1) * 10, total)


def test_queries_that_are_left_out_of_the_mean_contribute_to_e_k():
    lists, groups = some_without_relevant(0), m.Groups.single(20)
    at = m.tap_k(lists, k=3, no_relevant="exclude")
    one = m.Scored(at.value, at.per_query, m.linear_tap(lists, at, groups))
    found = contributions(one, groups, lists.weight)
    (every,) = m.tap_sums(lists, groups, max_k=3, no_relevant="exclude")
    np.testing.assert_allclose(found.sums, every[-1], atol=1e-12)
    assert found.sums.sum() == pytest.approx(at.value, rel=1e-12)
    assert found.sums[::4].any()
    assert found.share.tolist() == [0.0 if at % 4 == 0 else 1 / 15 for at in range(20)]


def test_left_out_queries_count_alike_whichever_way_a_difference_is_found():
    """Lists are long enough for E_3, so that it is of no consequence what is done with short ones.

    By the rule for them the pair is found among those at every k, or by itself.
    """
    results = {name: some_without_relevant(seed) for seed, name in enumerate("AB")}
    rules = (Policies(k=(3,), no_relevant="exclude", short_lists=how) for how in ("error", "pad"))
    one, other = (score(results, rule, baseline="A").comparisons[0][1] for rule in rules)
    assert one.difference == pytest.approx(other.difference, rel=1e-6)
    assert one.p == other.p


def test_with_a_threshold_for_known_no_query_contributes_to_it(profiles):
    lists = profiles["RPS-BLAST"]
    found = m.tap_k(lists, k=5)
    values = m.linear_tap(lists, found, m.class_groups(lists), fixed_threshold=True)
    np.testing.assert_array_equal(values, found.per_query)


@pytest.fixture(scope="module")
def compared(profiles):
    names = ("RPS-BLAST", "HMMER3 hmmscan", "HMMER2 local")
    rule = ThresholdRule(k=5)
    cases = {name: Case(profiles[name], rule, 20, Memo()) for name in names}
    return cases, compare(cases, n_resamples=200, peak=True)


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
        if name == "peak_threshold":
            assert "is not known" in one.reason
            continue
        assert (one.units, one.unit, one.reason) == (245, "superfamilies", None)
        assert score.has_interval
        assert one.difference.low <= one.difference.estimate <= one.difference.high
        assert one.difference.low <= one.listed.low
        assert one.listed.high <= one.difference.high
        assert one.clear == (one.p <= 0.05)
        assert one.test == "studentised maximum, 4,999 random choices of signs of superfamilies"
        values = [cases[of].per_query(score) for of in (one.first, one.second)]
        assert one.counted == (values[0] is not None)
        if one.counted:
            assert sum(one.counts) == np.count_nonzero(~np.isnan(values[0]))


def test_verdict_and_plots_read_the_same_records(compared):
    _, found = compared
    for name, verdict in found.verdicts.items():
        pairs = {one[:2]: one for one in differences(found, name)}
        assert verdict.pairs
        for one in verdict.pairs:
            same = pairs.get(one[:2]) or pairs[one[1::-1]].turned
            assert one == same


def test_against_a_baseline_the_records_are_the_same(compared):
    _, found = compared
    every, base = differences(found, "tap"), "HMMER3 hmmscan"
    one, other = differences(found, "tap", base)
    assert (one[:2], other[:2]) == (("RPS-BLAST", base), ("HMMER2 local", base))
    assert one in every
    assert other.turned in every


def test_against_turns_a_pair():
    values = {"a": scored([4.0] * 12), "b": scored([1.0] * 12), "c": scored([1.0] * 11 + [0.0])}
    from_b = m.against(m.pairwise({"tap": values}), "b", "tap")
    by = [(one.first, one.second, round(one.difference.estimate, 3)) for one in from_b]
    assert by == [("a", "b", 3.0), ("c", "b", -0.083)]
    assert [one.counts for one in from_b] == [(12, 0, 0), (0, 11, 1)]
    assert not any(one.identical for one in from_b)


def test_equal_results_are_identical():
    values = {"a": scored([0.25] * 6 + [0.5] * 6), "b": scored([0.25] * 6 + [0.5] * 6)}
    (found,) = m.pairwise({"tap": values})
    assert found.identical
    assert (found.difference, found.p, found.clear) == ((0, 0, 0), 1.0, False)


def test_too_few_queries_with_the_score_have_no_interval_and_no_verdict():
    """24 of 30 queries have no relevant record: MAP is a mean over the six that remain."""
    results = {
        name: RetrievalLists(
            np.tile(np.arange(10.0), 30),
            np.tile(np.arange(10) % 2 == first, 30) & np.repeat(np.arange(30) < 6, 10),
            np.arange(31) * 10,
            np.where(np.arange(30) < 6, 5, 0),
        )
        for first, name in enumerate("AB")
    }
    policies = Policies(scores=("mean_average_precision",), n_resamples=200)
    found = score(results, policies, baseline="B", compared=["mean_average_precision"])
    place = [column.score.name for column in found.columns].index("mean_average_precision")
    rows = {name: row[place] for name, row in found.rows.items()}
    for one in rows.values():
        assert np.isfinite(one.value)
        assert np.isnan([one.low, one.high]).all()
        assert one.no_interval == "fewer than 10 queries"
    [pair] = [one for _, one in found.comparisons]
    assert pair.difference.estimate == pytest.approx(rows["A"].value - rows["B"].value)
    assert np.isnan([*pair.difference[1:], pair.p]).all()
    assert pair.units == 6
    assert found.verdicts[0].reason.startswith("6 queries are too few")
    assert any("24 of 30 queries" in describe(one) for one in found.findings)


def test_of_ten_queries_with_the_score_a_verdict_rests_on_ten():
    values = np.full(30, np.nan)
    values[:10] = np.linspace(0.1, 0.9, 10)
    scored = {"A": m.Scored(0.5, values), "B": m.Scored(0.3, values - 0.2)}
    [with_others] = m.pairwise({"MAP": scored})
    alone = {name: m.Scored(one.value, one.per_query[:10]) for name, one in scored.items()}
    [by_themselves] = m.pairwise({"MAP": alone})
    assert with_others.difference == by_themselves.difference
    assert with_others.p == by_themselves.p
    assert (with_others.units, with_others.left_out) == (10, 0)
