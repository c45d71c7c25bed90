"""Tests of two algorithms: against other programs, by hand, and where they are undefined."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import measures as m
from tapviz.measures.intervals import Reference
from tests.refused import refuses
from tests.twins import GOLDEN, golden

STATS = golden("stats/cases.json")["cases"]
ROC = golden("roc/cases.json")["cases"]
Z = "z_correlated_means (Sonego Eq. 1, SE=sd/sqrt(n), ddof=1)"

nan = float("nan")
values = st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0)) | st.floats(0, 1)
pairs = st.lists(st.tuples(values, values), max_size=9)


def close(expected):
    return pytest.approx(nan if expected is None else expected, rel=1e-9, abs=1e-9, nan_ok=True)


every_case = pytest.mark.parametrize("case", STATS, ids=lambda case: f"{case['id']}-{case['kind']}")


def columns(case):
    return np.array(case["a"], float), np.array(case["b"], float)


@every_case
def test_paired_t(case):
    found, expected = m.paired_t(*columns(case)), case["expected"]
    assert found.n == len(case["a"])
    peer, r = expected.get("paired_t", {}), expected.get("R 4.2.2", {})
    for t, p in ((peer.get("t"), peer.get("p")), (r.get("t"), r.get("t_p"))):
        assert (found.statistic, found.p) == (close(t), close(p))
    reasons = dict.fromkeys(("identical", "shift"), "differences do not vary")
    reasons["n1"] = "needs at least 2 pairs, found 1"
    assert found.reason == reasons.get(case["kind"], "")


@every_case
def test_correlated_z(case):
    found = m.correlated_z(*columns(case))
    expected = case["expected"].get(Z, {"z": None, "p_two_sided": None})
    assert (found.statistic, found.p) == (close(expected["z"]), close(expected["p_two_sided"]))
    assert bool(found.reason) == (expected["z"] is None)


@every_case
def test_wilcoxon(case):
    found, expected = m.wilcoxon(*columns(case)), case["expected"]
    n, r = expected["nonzero_differences"], expected.get("R 4.2.2", {})
    assert found.n == n
    if case["kind"] == "identical":
        assert found.p == expected["wilcoxon_scipy_exact"]["p"] == 1.0
        assert found.reason == "no pair differs"
        return
    exact = not expected["ties_in_abs_diff"] and n == len(case["a"]) and n <= 50
    assert found.method == ("exact" if exact else "normal distribution")
    scipy = expected["wilcoxon_scipy_exact" if exact else "wilcoxon_scipy_asymptotic"]
    assert (found.statistic, found.p) == (scipy["W"], close(scipy["p"]))
    if r:
        # R's V is the sum of the ranks of positive differences, not the smaller sum.
        assert found.statistic == min(r["V"], n * (n + 1) / 2 - r["V"])
        assert found.p == close(r["wilcox_exact_p" if exact else "wilcox_normal_p"])
    assert found.reason == ""


@given(pairs)
def test_z_is_equation_1(found):
    a, b = np.array(found, float).reshape(-1, 2).T
    result = m.correlated_z(a, b)
    if len(found) < 2:
        assert np.isnan(result.statistic)
        return
    errors = [x.std(ddof=1) / np.sqrt(x.size) for x in (a, b)]
    if 0 < min(errors) < 1e-6:
        return  # r itself is rounding
    r = np.corrcoef(a, b)[0, 1] if min(errors) else 0.0
    denominator = errors[0] ** 2 + errors[1] ** 2 - 2 * r * errors[0] * errors[1]
    if np.isnan(result.statistic):
        assert denominator == pytest.approx(0, abs=1e-15)
    elif denominator > 1e-8:
        z = abs(a.mean() - b.mean()) / np.sqrt(denominator)
        assert result.statistic == pytest.approx(z, rel=1e-6)


def test_equation_1_with_a_constant_side_has_no_correlation():
    a, b = np.full(3, 0.5), np.array([0.5, 0.7, 0.9])
    found = m.correlated_z(a, b).statistic
    assert found == close(0.2 / (0.2 / np.sqrt(3)))
    assert found == abs(m.paired_t(a, b).statistic)


def test_pairs_with_a_nan_are_dropped_and_counted():
    a, b = np.array([0.5, nan, 0.25, 0.9, nan]), np.array([0.25, 0.1, nan, 0.1, nan])
    for test in (m.paired_t, m.correlated_z, m.wilcoxon, m.randomization_test):
        found = test(a, b)
        assert (found.n, found.n_dropped) == (2, 3)
        assert found == test(a[[0, 3]], b[[0, 3]])._replace(n_dropped=3)
    assert m.win_tie_loss(a, b) == (2, 0, 0, 3, 1e-12)


@pytest.mark.parametrize("test", [m.paired_t, m.correlated_z, m.wilcoxon, m.randomization_test])
def test_no_pair_at_all(test):
    for a in ([], [nan]):
        found = test(a, a)
        assert np.isnan([found.statistic, found.p]).all()
        assert found.reason
        assert found.n == 0


@pytest.mark.parametrize("shift", [0.125, 0.1, 1e-3])
@pytest.mark.parametrize("test", [m.paired_t, m.correlated_z])
def test_differences_that_do_not_vary(test, shift):
    a = np.array([0.42, 0.56, 0.79, 0.74, 0.4, 0.74, 0.66, 0.31])
    found = test(a, a + shift)
    assert np.isnan([found.statistic, found.p]).all()
    assert found.reason == "differences do not vary"


@given(pairs)
def test_randomization_counts_all_choices_of_signs(found):
    result = m.randomization_test(*np.array(found, float).reshape(-1, 2).T)
    if not found:
        assert np.isnan(result.p)
        return
    differences = [x - y for x, y in found]
    extreme = abs(sum(differences)) - 1e-12 * sum(map(abs, differences))
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    # Rounding differs between orders of summation; so near the observed mean both may be right.
    low = sum(s >= extreme + 1e-13 for s in sums) / len(sums)
    high = sum(s >= extreme - 1e-13 for s in sums) / len(sums)
    assert low - 1e-12 <= result.p <= high + 1e-12
    assert result.statistic == pytest.approx(sum(differences) / len(differences), abs=1e-15)
    assert (result.method, result.seed) == ("exact", None)


def test_randomization_by_hand():
    found = m.randomization_test([3.0, 2.0, 1.0], [0.0, 0.0, 0.0])
    assert (found.statistic, found.p) == (2.0, 2 / 8)  # only all signs kept and all turned
    found = m.randomization_test([3.0, 2.0, 0.0], [0.0, 0.0, 1.0])
    assert found.p == 4 / 8  # 6, 4, -4, -6 of 6, 0, 2, 4 and their negatives
    found = m.randomization_test([0.5, 0.5], [0.5, 0.5])
    assert (found.p, found.reason) == (1.0, "no pair differs")


def test_random_choices_of_signs():
    rng = np.random.default_rng(5)
    a, b = rng.random(200), rng.random(200) + 0.05
    found, again, other = (
        m.randomization_test(a, b, n_resamples=20_000, **seed) for seed in ({}, {}, {"seed": 1})
    )
    assert (found, found.seed) == (again, 0)
    assert other.p != found.p
    # The mean of so many is nearly normal: t and the randomization test agree.
    assert [other.p, m.paired_t(a, b).p] == pytest.approx([found.p] * 2, abs=0.015)
    assert m.randomization_test(a + 5, b, n_resamples=999).p == 1 / 1000  # never 0


def test_random_choices_agree_with_all_choices():
    # 13 differences are drawn, though 8,192 choices could be counted.
    difference = np.array([5, 4, 3, 3, 2, 2, 1, 1, -1, -2, -3, 4, 2], float)
    found = m.randomization_test(difference, np.zeros(13), n_resamples=100_000)
    signs = np.array(list(product((1, -1), repeat=13)))
    exact = (abs(signs @ difference) >= difference.sum()).mean()
    assert found.p == pytest.approx(exact, abs=5 * np.sqrt(exact / 100_000))


def test_randomization_turns_whole_groups_by_hand():
    # Sums of the groups: 4 and 2. Of 6, 2, -2 and -6 two are as far from 0 as 6.
    found = m.randomization_test([3.0, 1.0, 2.0], [0.0, 0.0, 0.0], groups=["x", "x", "y"])
    assert (found.statistic, found.p) == (2.0, 2 / 4)
    assert (found.method, found.groups) == ("exact, signs of groups", "2 groups, 3 queries")
    cancelled = m.randomization_test([1.0, 0.0], [0.0, 1.0], groups=[7, 7])
    assert (cancelled.statistic, cancelled.p) == (0.0, 1.0)


def test_t_with_a_standard_error_robust_to_groups_by_hand():
    # Mean 3; the deviations of the groups add up to -2, -1 and 3, and their squares to 14.
    found = m.paired_t([3.0, 1.0, 2.0, 6.0], np.zeros(4), groups=["x", "x", "y", "z"])
    t = 3 / np.sqrt(3 / 2 * 14 / 4**2)
    assert found.statistic == pytest.approx(t, rel=1e-14)
    assert found.p == pytest.approx(1 - t / np.sqrt(2 + t**2), rel=1e-12)  # 2 degrees of freedom
    assert found.method == "t distribution, standard error robust to groups"
    one = m.paired_t([3.0, 1.0], [0.0, 0.0], groups=["x", "x"])
    assert (one.p, one.reason) == (close(None), "needs at least 2 groups, found 1")


def test_wilcoxon_of_the_means_of_groups_by_hand():
    # Means 2, 4 and -1: the ranks of -1 are 1, of 2 and 4 they are 2 and 3.
    found = m.wilcoxon([3.0, 1.0, 4.0, -1.0], np.zeros(4), groups=["x", "x", "y", "z"])
    assert (found.statistic, found.p, found.n) == (1.0, 0.5, 3)
    assert found.method == "exact, means of groups"


@pytest.mark.parametrize("test", [m.paired_t, m.wilcoxon, m.randomization_test])
def test_groups_of_one_and_queries_written_twice_tell_nothing_new(test):
    rng = np.random.default_rng(2)
    a, b = rng.random((2, 30))
    once, single = test(a, b), test(a, b, groups=rng.permutation(30))
    assert (once.statistic, once.p) == pytest.approx((single.statistic, single.p), rel=1e-12)
    twice = test(np.repeat(a, 2), np.repeat(b, 2), groups=np.repeat(np.arange(30), 2))
    assert (once.statistic, once.p) == pytest.approx((twice.statistic, twice.p), rel=1e-9)
    assert twice.groups == "30 groups, 60 queries"
    # Of pairs with a NaN the groups are dropped, too.
    a, b = np.array([0.5, nan, 0.25, 0.9]), np.array([0.25, 0.1, 0.5, 0.1])
    found = test(a, b, groups=["x", "y", "x", "z"])
    assert found.groups == "2 groups, 3 queries"
    assert found == test(a[[0, 2, 3]], b[[0, 2, 3]], groups=[1, 1, 2])._replace(n_dropped=1)


def test_t_of_groups_of_one_size_is_that_of_their_means():
    a, b = np.random.default_rng(4).random((2, 60))
    found = m.paired_t(a, b, groups=np.arange(60) % 20)
    means = m.paired_t(a.reshape(3, 20).mean(axis=0), b.reshape(3, 20).mean(axis=0))
    assert (found.statistic, found.p) == pytest.approx((means.statistic, means.p), rel=1e-9)


@given(st.lists(st.tuples(values, values, st.sampled_from("xyz")), min_size=1, max_size=9))
def test_randomization_counts_all_choices_of_signs_of_groups(found):
    a, b, labels = zip(*found, strict=True)
    p = m.randomization_test(a, b, groups=labels).p
    names = sorted(set(labels))
    observed = abs(sum(x - y for x, y, _ in found))
    sums = [
        abs(sum((x - y) * signs[names.index(label)] for x, y, label in found))
        for signs in product((1, -1), repeat=len(names))
    ]
    low = sum(s >= observed + 1e-12 for s in sums) / len(sums)
    high = sum(s >= observed - 1e-11 for s in sums) / len(sums)
    assert low <= p <= high


def test_wins_ties_and_losses():
    a, b = [0.5, 0.5, 0.5, 0.1 + 0.2], [0.4, 0.6, 0.5, 0.3]
    assert m.win_tie_loss(a, b) == (1, 2, 1, 0, 1e-12)
    assert m.win_tie_loss(a, b, tolerance=0) == (2, 1, 1, 0, 0.0)
    assert m.win_tie_loss(a, b, tolerance=0.2) == (0, 4, 0, 0, 0.2)


def test_holm_by_hand():
    # 0.01 x 4; 0.02 x 3 = 0.06; 0.03 x 2 = 0.06; 0.5 x 1.
    assert m.holm([0.03, 0.01, 0.5, 0.02]) == close([0.06, 0.04, 0.5, 0.06])
    # 0.02 x 3 = 0.06, then 0.021 x 2 = 0.042 may not be smaller.
    assert m.holm([0.02, 0.021, 0.9]) == close([0.06, 0.06, 0.9])
    assert m.holm([0.4, 0.6, 0.5]) == close([1.0, 1.0, 1.0])
    assert m.holm([0.03, nan, 0.01]) == close([0.03, nan, 0.02])  # two tests
    assert m.holm([]).size == 0


def load(case):
    file = GOLDEN / "roc" / case["file"]
    table = np.atleast_1d(np.genfromtxt(file, names=True, delimiter="\t"))
    return table["label"], table["score"], table["score_b"]


every_roc = pytest.mark.parametrize("case", ROC, ids=lambda case: case["id"])


@every_roc
def test_delong(case):
    relevant, a, b = load(case)
    found = m.delong(relevant, a, b)
    expected = case["expected"].get("R", {})
    if "delong_var" not in expected:
        few = min(case["positives"], case["n"] - case["positives"])
        assert few < 2
        assert found.reason == "needs at least 2 relevant and 2 irrelevant records"
        assert np.isnan([found.auc_a, found.var_a, *found.interval_a, found.z, found.p]).all()
        return
    assert (found.auc_a, found.auc_b) == close((expected["pROC_auc"], case["expected"]["auc_b"]))
    names = {"var_a": "var", "covariance": "cov", "z": "paired_z", "p": "paired_p"}
    for name, of_r in names.items():
        assert getattr(found, name) == close(expected[f"delong_{of_r}"]), name
    assert found.interval_a == close((expected["delong_ci_lo"], expected["delong_ci_hi"]))
    assert found.reason == ""
    alone = m.delong(relevant, a)
    assert alone.interval_a == close(found.interval_a)
    assert np.isnan([alone.auc_b, alone.var_b, alone.covariance, alone.z, alone.p]).all()
    other = m.delong(relevant, b, a)
    assert other.interval_a == close(found.interval_b)
    assert (other.var_a, other.z) == close((found.var_b, -found.z))


@pytest.mark.parametrize("b", [[2.0, 1.0, 4.0, 3.0], [5.0, 1.0, 5.0, 5.0]])
def test_delong_without_variance(b):
    # pROC sets z = 0 where the AUCs are equal; without a variance there is nothing to test.
    found = m.delong([1, 0, 1, 0], b, b)
    assert np.isnan([found.z, found.p]).all()
    assert found.reason == "the difference has no variance"
    assert np.isfinite(found.interval_a).all()


@given(st.lists(st.tuples(st.booleans(), values, values), min_size=4, max_size=12))
def test_delong_is_a_sum_over_pairs(records):
    relevant = np.array([r for r, _, _ in records])
    found = m.delong(relevant, [a for _, a, _ in records], [b for _, _, b in records])
    if min(relevant.sum(), (~relevant).sum()) < 2:
        assert np.isnan(found.auc_a)
        return

    def wins(of):
        own, others = ([one[of] for one in records if one[0] == kind] for kind in (True, False))
        return np.array([[(x > y) + 0.5 * (x == y) for y in others] for x in own])

    kernel = [wins(1), wins(2)]
    placements = [[k.mean(axis=axis) for k in kernel] for axis in (1, 0)]
    covariance = sum(np.cov(of_both) / of_both[0].size for of_both in placements)
    assert [found.auc_a, found.auc_b] == close([k.mean() for k in kernel])
    assert [found.var_a, found.covariance, found.var_b] == close(covariance[[0, 0, 1], [0, 1, 1]])
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    if variance > 1e-9:
        assert found.z == pytest.approx((found.auc_a - found.auc_b) / np.sqrt(variance), rel=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: m.paired_t([1, 2], [1]), "one length"),
        (lambda: m.paired_t([[1, 2]], [[1, 2]]), "one length"),
        (lambda: m.wilcoxon([1, float("inf")], [1, 2]), "infinite"),
        (lambda: m.randomization_test([1], [2], n_resamples=0), "n_resamples = 0: expected a wh"),
        (lambda: m.randomization_test([1], [2], n_resamples=2.5), "n_resamples = 2.5"),
        (lambda: m.win_tie_loss([1], [2], tolerance=-1), "tolerance = -1"),
        (lambda: m.holm([0.1, 1.5]), "numbers from 0 to 1"),
        (lambda: m.holm([[0.1]]), "one dimension"),
        (lambda: m.delong([1, 0], [1, 2, 3]), "one length"),
        (lambda: m.delong([1, 2], [1, 2]), "only true and false"),
        (lambda: m.delong([1, 0], [1, nan]), "finite scores"),
        (lambda: m.delong([1, 0], [1, 2], level=1), "level = 1"),
    ],
)
def test_bad_arguments(call, message):
    refuses(message, call)


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95])
@pytest.mark.parametrize("exact", [True, False])
def test_what_a_statistic_must_exceed_is_where_p_falls_to_the_level(exact, level):
    drawn = np.sort(np.random.default_rng(0).random((1, 99)).astype(np.float32))
    reference = Reference(drawn, exact)
    (critical,) = reference.critical(level)
    more, less = (reference.p(np.array([[critical * by]])).item() for by in (1 + 1e-6, 1 - 1e-4))
    assert more <= 1 - level + 1e-12 < less
