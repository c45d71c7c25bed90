"""The verdict: what may be concluded, each rule on results of which the truth is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import load_results
from tapviz.lists import RetrievalLists
from tapviz.measures import Groups, Interval, TapByK, simultaneous, tap_by_k
from tapviz.measures.bootstrap import percentile_interval
from tapviz.scores import Case, Compared, Memo, ThresholdRule, compare
from tapviz.verdict import (
    Basis,
    ByK,
    Setting,
    Verdict,
    at_common,
    crossing,
    describe,
    ordered,
    verdict,
)

K20 = Setting(20, None)
NAN = Interval(np.nan, np.nan, np.nan)


def judged(
    taps: Mapping[str, float],
    half: float | Mapping[tuple[str, str], float],
    *,
    setting: Setting = K20,
    groups: Groups | None = None,
    n_resamples: int = 1000,
    by_k: Mapping[str, list[float]] | None = None,
    there: Mapping[tuple[str, str], tuple[float, float, float]] | None = None,
    unknown: tuple[str, ...] = (),
    left_out: Mapping[str, str] | None = None,
    at_k: tuple[float, float, float] | None = None,
) -> Verdict:
    """Verdict on TAPs whose differences have intervals of so much to either side."""
    known = {name: Interval(tap, tap - 0.1, tap + 0.1) for name, tap in taps.items()}
    differences = {}
    for a, b in combinations(taps, 2):
        one = half if isinstance(half, float) else half.get((a, b), half.get((b, a), 0.02))
        apart = taps[a] - taps[b]
        differences[a, b] = Interval(apart, apart - one, apart + one)
    pairs = ordered(known, differences)
    curves = {
        name: TapByK(np.array(tap, np.float64), np.ones(len(tap)))
        for name, tap in (by_k or {}).items()
    }
    over_k = crossing(pairs, curves) if curves else ByK(0, (), None)
    if at_k is not None and over_k.crossing is not None:
        pair = over_k.crossing.pair._replace(difference=Interval(*at_k))
        over_k = over_k._replace(crossing=over_k.crossing._replace(pair=pair))
    common = (
        at_common(0.01, pairs, {pair: Interval(*one) for pair, one in there.items()}, unknown)
        if there is not None
        else None
    )
    return verdict(
        setting,
        known,
        pairs,
        Basis(groups or Groups.of(np.arange(80) // 2, "superfamilies"), n_resamples, 0.95),
        thresholds={name: 10.0 * (place + 1) for place, name in enumerate(taps)},
        by_k=over_k,
        common=common,
        left_out=left_out,
    )


# --- two algorithms ----------------------------------------------------------------------------


def test_the_better_of_two_is_named_with_the_difference_and_what_it_rests_on():
    words = describe(judged({"A": 0.35, "B": 0.4}, 0.02))
    assert words.conclusion == (
        "Where half of the queries have 20 errors, B retrieves better than A: its Threshold "
        "Average Precision (TAP-20) is larger by 0.050 (95 % interval 0.030 to 0.070)."
    )
    assert words.order == ""
    assert words.basis == "From 1,000 resamples of 40 superfamilies, 80 queries."


def test_two_whose_interval_holds_zero_cannot_be_told_apart():
    words = describe(judged({"A": 0.4, "B": 0.39}, 0.02))
    assert words.conclusion == (
        "Where half of the queries have 20 errors, A and B cannot be told apart: their Threshold "
        "Average Precision (TAP-20) differs by 0.010 (95 % interval −0.010 to 0.030)."
    )


def test_an_end_of_an_interval_that_is_hardly_beyond_zero_is_not_shown_as_zero():
    words = describe(judged({"A": 0.4204, "B": 0.4}, 0.02)).conclusion
    assert words.endswith("(95 % interval 0.0004 to 0.040).")


def test_equal_ones_cannot_be_told_apart_even_if_they_never_vary():
    assert describe(judged({"A": 0.4, "B": 0.4}, 0.0)).conclusion.endswith(
        "differs by 0.000 (95 % interval 0.000 to 0.000)."
    )


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (Setting(1, None), "Where half of the queries have 1 error, A retrieves better"),
        (Setting(5, None, 0.25), "Where 25 % of the queries have 5 errors, A retrieves better"),
        (Setting(None, 0.01), "At E = 0.01, A retrieves better"),
        (Setting(None, 35.0, 0.5, False), "At a score of 35, A retrieves better"),
    ],
)
def test_where_it_is_judged_is_said(setting, words):
    assert describe(judged({"A": 0.4, "B": 0.3}, 0.02, setting=setting)).conclusion.startswith(
        words
    )


# --- where nothing can be concluded ------------------------------------------------------------


def test_one_algorithm_has_nothing_to_be_compared_with():
    words = describe(judged({"A": 0.4}, 0.02))
    assert words.conclusion == (
        "Where half of the queries have 20 errors, A has a Threshold Average Precision (TAP-20) of "
        "0.400 (95 % interval 0.300 to 0.500). There is no other algorithm to compare it with."
    )
    assert words.order == ""


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (Groups.single(2), "2 queries are too few"),
        (Groups.of(np.arange(24) // 3, "folds"), "8 folds, 24 queries are too few"),
    ],
)
def test_few_groups_give_no_verdict(groups, words):
    found = judged({"A": 0.9, "B": 0.1}, 0.02, groups=groups)
    said = describe(found)
    assert said.conclusion.startswith(f"No verdict: {words} to say how the algorithms would do")
    assert said.conclusion.endswith(f"at least 10 {groups.unit} are needed.")
    assert found.pairs == found.tiers == ()


def test_few_resamples_give_no_verdict():
    said = describe(judged({"A": 0.9, "B": 0.1}, 0.02, n_resamples=99))
    assert said.conclusion == "No verdict: it takes at least 100 resamples."


def test_who_has_no_tap_is_left_out_with_the_reason():
    why = "Fewer than half of the queries have 20 errors."
    some = describe(judged({"A": 0.4, "B": 0.3}, 0.02, left_out={"C": why, "D": why, "E": "x"}))
    assert some.basis.endswith(
        "C and D are left out: fewer than half of the queries have 20 errors. E is left out: x."
    )
    one = describe(judged({"A": 0.4}, 0.02, left_out={"B": why}))
    assert one.conclusion == "No verdict: only A has a TAP-20."
    assert one.basis == "B is left out: fewer than half of the queries have 20 errors."
    none = describe(judged({}, 0.02, left_out={"B": why}))
    assert none.conclusion == "No verdict: TAP-20 is undefined."


# --- more than two -----------------------------------------------------------------------------


def test_the_best_of_several_and_those_behind_it_in_order():
    found = judged({"D": 0.2, "A": 0.5, "C": 0.3, "B": 0.4}, 0.05)
    assert found.tiers == (("A",), ("B",), ("C",), ("D",))
    assert describe(found).conclusion == (
        "Where half of the queries have 20 errors, A retrieves best: its Threshold Average "
        "Precision (TAP-20) is 0.100 above that of B, the next (95 % interval 0.050 to 0.150); "
        "then C, then D."
    )
    assert describe(found).basis.startswith("Intervals corrected for 6 pairs, from")


def test_leaders_that_cannot_be_told_apart():
    found = judged({"A": 0.5, "B": 0.49, "C": 0.3}, 0.05)
    assert describe(found).conclusion == (
        "Where half of the queries have 20 errors, A and B (not told apart) retrieve best: the "
        "Threshold Average Precision (TAP-20) of B is 0.190 above that of C, the next "
        "(95 % interval 0.140 to 0.240)."
    )


def test_none_of_several_can_be_told_from_another():
    assert describe(judged({"A": 0.5, "B": 0.49, "C": 0.48}, 0.05)).conclusion == (
        "Where half of the queries have 20 errors, A, B and C cannot be told apart: their "
        "Threshold Average Precision (TAP-20) differs by at most 0.020 (95 % interval −0.030 to "
        "0.070), between A and C."
    )


def test_a_is_better_than_c_and_b_can_be_told_from_neither():
    found = judged({"A": 0.5, "B": 0.45, "C": 0.4}, 0.07)
    assert found.tiers == (("A", "B", "C"),)
    assert describe(found).conclusion == (
        "Where half of the queries have 20 errors, none of A, B and C is clearly best: A retrieves "
        "better than C, and no other two can be told apart. The Threshold Average Precision "
        "(TAP-20) of A is 0.100 above that of C (95 % interval 0.030 to 0.170)."
    )


def test_nine_in_a_chain_stay_short():
    chain = {name: 0.5 - 0.02 * place for place, name in enumerate("ABCDEFGHI")}
    found = judged(chain, 0.05)  # neighbours and next but one cannot be told apart
    assert found.tiers == (tuple("ABCDEFGHI"),)
    assert "none of A, B, C, D, E, F, G, H and I is clearly best: 21 of the 36 pairs" in (
        describe(found).conclusion
    )
    broken = judged({name: tap - 0.1 * (name > "C") for name, tap in chain.items()}, 0.03)
    assert [len(tier) for tier in broken.tiers] == [3, 6]
    assert describe(broken).conclusion.endswith(
        "; then D, E, F, G, H and I (of whose 15 pairs 10 can be told apart)."
    )
    assert "A, B and C (of which only A and C can be told apart) retrieve best" in (
        describe(broken).conclusion
    )
    assert len(" ".join(describe(found))) < 400


# --- other k -----------------------------------------------------------------------------------


def test_the_order_holds_at_every_k():
    curves = {"A": [0.5, 0.4, 0.3], "B": [0.4, 0.3, 0.2]}
    assert describe(judged({"A": 0.4, "B": 0.3}, 0.02, by_k=curves)).order == (
        "This order is the same at every k from 1 to 3."
    )
    curves["B"][2] = np.nan
    words = describe(judged({"A": 0.4, "B": 0.3}, 0.02, by_k=curves))
    assert words.order == "This order is the same at every k from 1 to 2."
    assert words.basis.endswith("B has no TAP-k beyond k = 2.")


CROSSED = {"A": [0.3, 0.3, 0.4, 0.4], "B": [0.32, 0.35, 0.4, 0.3]}


def test_an_order_that_changes_with_k():
    clear = judged({"A": 0.4, "B": 0.3}, 0.02, by_k=CROSSED, at_k=(0.05, 0.01, 0.09))
    assert describe(clear).order == (
        "But at k = 2, B retrieves better than A, by 0.050 (0.010 to 0.090)."
    )
    unclear = judged({"A": 0.4, "B": 0.3}, 0.02, by_k=CROSSED, at_k=(0.05, -0.01, 0.11))
    assert describe(unclear).order == (
        "This order is the same at every k from 1 to 4 except k = 1 to 2, where B is ahead of A, "
        "but not clearly."
    )


def test_equal_scores_at_some_k_and_pairs_that_are_not_clear_change_no_order():
    equal = {"A": [0.3, 0.3], "B": [0.3, 0.3 + 1e-12]}
    assert judged({"A": 0.4, "B": 0.3}, 0.02, by_k=equal).by_k.crossing is None
    assert judged({"A": 0.4, "B": 0.3}, 0.2, by_k=CROSSED).by_k.crossing is None


def test_of_several_pairs_that_change_places_the_surest_is_told():
    taps = {"A": 0.4, "B": 0.35, "C": 0.3}
    curves = {"A": [0.1, 0.5], "B": [0.2, 0.4], "C": [0.15, 0.3]}
    half = {("A", "B"): 0.04, ("A", "C"): 0.01, ("B", "C"): 0.01}
    found = judged(taps, half, by_k=curves, at_k=(0.05, 0.04, 0.06)).by_k.crossing
    assert (found.pair.first, found.pair.second, found.k, found.some_k) == ("C", "A", 1, (1,))
    assert found.others == 1
    said = describe(judged(taps, half, by_k=curves, at_k=(0.05, 0.04, 0.06))).order
    assert said.endswith("(0.040 to 0.060), and 1 other pair changes its order at some k.")


def test_k_that_are_not_neighbours():
    curves = {"A": [0.3, 0.4, 0.3], "B": [0.31, 0.3, 0.31]}
    found = judged({"A": 0.4, "B": 0.3}, 0.02, by_k=curves, at_k=(0.01, -0.1, 0.1))
    assert "except some of k = 1 to 3, where B is ahead" in describe(found).order


# --- a common threshold ------------------------------------------------------------------------


def test_better_at_its_own_threshold_and_worse_at_a_common_one():
    found = judged({"A": 0.4, "B": 0.3}, 0.02, there={("A", "B"): (-0.1, -0.15, -0.05)})
    assert describe(found).order == (
        "But at a common threshold, E = 0.01, B retrieves better than A, by 0.100 (0.050 to "
        "0.150). TAP-20 judges B at E = 20 and A at E = 10."
    )


def test_told_apart_at_a_common_threshold_only():
    found = judged({"A": 0.4, "B": 0.39}, 0.02, there={("B", "A"): (0.1, 0.05, 0.15)})
    assert describe(found).order.startswith(
        "But at a common threshold, E = 0.01, B retrieves better than A, by 0.100"
    )
    more = judged(
        {"A": 0.5, "B": 0.4, "C": 0.39},
        0.02,
        by_k={"A": [0.5] * 9, "B": [0.4] * 9, "C": [0.3] * 9},
        there={
            ("A", "B"): (0.1, 0.05, 0.15),
            ("A", "C"): (0.1, 0.05, 0.15),
            ("C", "B"): (0.04, 0.01, 0.07),
        },
    )
    assert describe(more).order == (
        "This order is the same at every k from 1 to 9 and at a common threshold, E = 0.01, where "
        "C also retrieves better than B, by 0.040 (0.010 to 0.070). TAP-20 judges C at E = 30 and "
        "B at E = 20."
    )


def test_not_told_apart_at_a_common_threshold():
    neither = judged({"A": 0.4, "B": 0.39}, 0.02, there={("A", "B"): (0.01, -0.05, 0.07)})
    assert describe(neither).order == "Nor can they at a common threshold, E = 0.01."
    there = judged({"A": 0.4, "B": 0.3}, 0.02, there={("A", "B"): (0.01, -0.05, 0.07)})
    assert describe(there).order == (
        "This order is the same at a common threshold, E = 0.01, where A and B cannot be told "
        "apart."
    )


def test_who_was_not_measured_at_the_common_threshold_is_passed_over_and_named():
    there = {("A", "B"): (0.1, 0.05, 0.15)}
    found = judged({"A": 0.4, "B": 0.3, "C": 0.2}, 0.02, there=there, unknown=("C",))
    words = describe(found)
    assert words.order == "This order is the same at a common threshold, E = 0.01."
    assert words.basis.endswith("C was not measured at E = 0.01.")


# --- never "better" where the interval holds 0 -------------------------------------------------

NAMES = "ABCDE"
CORRECTED = st.tuples(st.floats(-0.3, 0.3), st.floats(0.0, 0.3)).map(
    lambda one: Interval(one[0], one[0] - one[1], one[0] + one[1])
)


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=5),
    st.lists(st.floats(0, 0.6), min_size=10, max_size=10),
    st.lists(CORRECTED, min_size=10, max_size=10),
    CORRECTED,
)
def test_nobody_is_called_better_where_the_interval_holds_zero(taps, halves, common, at_k):
    named = dict(zip(NAMES, taps, strict=False))
    pairs = list(combinations(named, 2))
    found = judged(
        named,
        dict(zip(pairs, halves, strict=False)),
        by_k={name: [1 - tap, tap] for name, tap in named.items()},
        there=dict(zip(pairs, common, strict=False)),
        at_k=at_k,
    )
    clear = {(one.first, one.second) for one in found.clear}
    for start, tier in enumerate(found.tiers):
        for later in found.tiers[start + 1 :]:
            assert {(a, b) for a in tier for b in later} <= clear
    assert [name for tier in found.tiers for name in tier] == list(found.taps)
    words = describe(found)
    if len(named) == 2 or len(found.tiers) == 1:
        said = re.findall(r"(\w) retrieves better than (\w)", words.conclusion)
        assert set(said) <= clear
    there = {
        pair if one.low > 0 else pair[::-1]
        for pair, one in zip(pairs, common, strict=False)
        if one.low > 0 or one.high < 0
    }
    if found.by_k.crossing is not None and found.by_k.crossing.pair.clear:
        there.add(found.by_k.crossing.pair[:2])
    assert set(re.findall(r"(\w) (?:also )?retrieves better than (\w)", words.order)) <= there


# --- intervals that hold together --------------------------------------------------------------


def test_the_interval_of_two_is_that_of_their_difference_anywhere():
    results = {name: load_results()[name] for name in ("phmmer", "BLASTP")}
    cases = {name: Case(lists, ThresholdRule(k=20), 50, Memo()) for name, lists in results.items()}
    found = compare(cases, n_resamples=200, compared=["tap"])
    assert found.verdict is not None
    assert found.verdict.pairs[0].difference == found.differences[0].difference


def test_all_intervals_are_stretched_alike_until_they_hold_together():
    rng = np.random.default_rng(1)
    drawn = {name: rng.normal(at, at + 1, 5000) for at, name in enumerate("ABCD")}
    taps = {name: float(values.mean()) for name, values in drawn.items()}
    found = simultaneous(taps, drawn, units=100_000)
    inside = np.ones(5000, np.bool_)
    for (a, b), (at, low, high) in found.differences.items():
        apart = drawn[a] - drawn[b]
        alone = percentile_interval(at, apart, 0.95, 100_000)
        assert at == taps[a] - taps[b]
        assert at - low == pytest.approx(found.stretch * (at - alone.low))
        assert high - at == pytest.approx(found.stretch * (alone.high - at))
        inside &= (low <= apart) & (apart <= high)
    assert found.stretch > 1.2
    assert inside.mean() == pytest.approx(0.95, abs=0.01)
    # Of fewer units, and of units of which few decide, they are wider by as much as any interval.
    few = simultaneous(taps, drawn, units=10)
    assert few.stretch == found.stretch
    decided = {name: np.append(at, np.zeros(9)) for at, name in enumerate("ABCD")}
    fewer = simultaneous(taps, drawn, units=10, influences=decided)
    for pair, (_, low, high) in found.differences.items():
        assert few.differences[pair].low < low < high < few.differences[pair].high
        assert fewer.differences[pair].low < few.differences[pair].low
    # Of some of the pairs, as far as for all.
    some = simultaneous({n: taps[n] for n in "AB"}, drawn, units=10, stretch=few.stretch)
    assert some.differences["A", "B"] == few.differences["A", "B"]
    assert simultaneous({n: taps[n] for n in "AB"}, drawn, units=10).stretch == 1


def test_differences_that_never_vary_widen_nothing():
    same = np.full(50, 0.3)
    found = simultaneous(
        {"A": 0.3, "B": 0.3, "C": 0.2}, {"A": same, "B": same, "C": same - 0.1}, 50
    )
    assert found.differences["A", "B"] == (0.0, 0.0, 0.0)
    assert found.differences["A", "C"].low == pytest.approx(0.1)


def test_of_four_equal_algorithms_any_is_called_better_in_one_of_twenty_benchmarks():
    rng = np.random.default_rng(2)
    wrong, n_units, trials = 0, 40, 400
    for _ in range(trials):
        values = rng.normal(size=(4, n_units)) + rng.normal(size=n_units)
        weight = rng.multinomial(n_units, np.full(n_units, 1 / n_units), 400) / n_units
        drawn = dict(zip("ABCD", values @ weight.T, strict=True))
        taps = dict(zip("ABCD", values.mean(axis=1).tolist(), strict=True))
        found = simultaneous(taps, drawn, n_units).differences
        wrong += any(one.low > 0 or one.high < 0 for one in found.values())
    # 0.05, give or take three standard errors.
    assert abs(wrong / trials - 0.05) < 3 * np.sqrt(0.05 * 0.95 / trials)


# --- from lists --------------------------------------------------------------------------------


def made(
    quality: float, scale: float = 1.0, seed: int = 0, n_queries: int = 60, length: int = 40
) -> RetrievalLists:
    """Lists in which a record of high quality comes first, relevant with so many odds."""
    rng = np.random.default_rng(seed)
    relevant, score, offset, total = [], [], [0], []
    for _ in range(n_queries):
        odds = np.exp(quality * np.linspace(2, -2, length) - 1)
        some = rng.random(length) < odds / (1 + odds)
        relevant.append(some)
        score.append(scale * 10.0 ** np.sort(rng.uniform(-8, 1, length)))
        offset.append(offset[-1] + length)
        total.append(12)
        some[np.flatnonzero(some)[12:]] = False
    return RetrievalLists(np.concatenate(score), np.concatenate(relevant), offset, total)


def concluded(results: Mapping[str, RetrievalLists], **rule: float) -> Verdict:
    cases = {
        name: Case(lists, ThresholdRule(**(rule or {"k": 5})), 50, Memo())
        for name, lists in results.items()
    }
    found: Compared = compare(cases, n_resamples=300, compared=["tap"])
    assert found.verdict is not None
    return found.verdict


def test_one_that_is_truly_better_is_found():
    found = concluded({"A": made(2.0, seed=1), "B": made(0.3, seed=2)})
    assert [(one.first, one.second) for one in found.clear] == [("A", "B")]
    assert "A retrieves better than B" in describe(found).conclusion


def test_two_of_the_same_quality_are_not_told_apart():
    found = concluded({"A": made(1.0, seed=3), "B": made(1.0, seed=4), "C": made(1.0, seed=3)})
    assert found.clear == ()


def test_one_query_that_dominates_decides_nothing():
    # Only in one query do the two differ, wholly; the mean of the other is larger for it.
    same = made(1.0, seed=5)
    relevant = same.relevant.copy()
    first = slice(same.offset[0], same.offset[1])
    relevant[first] = False
    worse = RetrievalLists(same.score, relevant, same.offset, same.n_relevant)
    found = concluded({"A": same, "B": worse})
    assert found.pairs[0].first == "A"
    assert found.pairs[0].difference.estimate > 0
    assert found.clear == ()


def test_e_values_that_promise_too_little_are_told_at_the_common_threshold():
    """B ranks better, but its E-values are 10^8 times too large: at 0.01 it retrieves little."""
    found = concluded({"A": made(1.0, seed=6), "B": made(2.0, scale=1e8, seed=7)})
    assert "B retrieves better than A" in describe(found).conclusion
    assert re.search(
        r"But at a common threshold, E = 0\.01, A retrieves better than B, .* TAP-5 judges A at",
        describe(found).order,
    )
    # Judged at that threshold, there is no other to look at.
    there = concluded({"A": made(1.0, seed=6), "B": made(2.0, scale=1e8, seed=7)}, k=None, e0=0.01)
    assert there.common is None
    assert describe(there).conclusion.startswith("At E = 0.01, A retrieves better than B")


def test_an_order_that_turns_with_k_is_resampled_there():
    """A finds half of all before its first error, and no more; B finds all, past two errors."""
    n_queries, total = 60, 10
    rng = np.random.default_rng(8)

    def lists(pattern: list[int]) -> RetrievalLists:
        relevant = np.tile(np.array(pattern, np.bool_), (n_queries, 1))
        drop = rng.random(relevant.shape) < 0.1  # so that queries differ
        relevant &= ~drop
        size = relevant.shape[1]
        score = np.tile(np.arange(1.0, size + 1), n_queries)
        offset = np.arange(n_queries + 1) * size
        return RetrievalLists(score, relevant.ravel(), offset, np.full(n_queries, total))

    found = concluded(
        {"A": lists([1] * 5 + [0] * 30), "B": lists([0] * 3 + [1] * 10 + [0] * 30)}, k=8
    )
    turned = found.by_k.crossing
    assert turned is not None
    assert turned.pair.clear
    assert (turned.pair.first, turned.pair.second) == ("A", "B")
    assert "But at k = " in describe(found).order
    assert turned.k in turned.some_k


def test_a_program_whose_lists_end_is_left_out():
    short = made(1.0, seed=9, length=6)
    found = concluded({"A": made(1.0), "B": made(0.2), "C": short}, k=10)
    assert list(found.left_out) == ["C"]
    assert "C is left out: fewer than" in describe(found).basis


def test_what_was_not_measured_is_left_out():
    results = {"A": made(1.0, seed=1), "B": made(1.0, seed=2), "C": made(0.2, seed=3)}
    results["C"] = results["C"].with_reported_to(10.0)
    found = concluded(results, k=None, e0=100.0)
    assert found.left_out == {"C": "not measured beyond 10"}
    assert describe(found).basis.endswith("C is left out: not measured beyond 10.")
    early = made(2.0, scale=1e-9, seed=4).with_reported_to(1e-5)
    others = {"A": made(1.0, seed=1), "B": made(0.2, seed=2)}
    found = concluded({**others, "C": early}, k=1)
    assert found.common is not None
    assert found.common.unknown == ("C",)
    assert concluded({"B": others["B"], "C": early}, k=1).common is None


def test_two_queries_give_no_verdict():
    found = concluded({"A": made(2.0, n_queries=2), "B": made(0.1, n_queries=2)})
    assert describe(found).conclusion.startswith("No verdict: 2 queries are too few")


def test_scores_that_are_no_e_values_have_no_common_threshold():
    turned = {
        name: RetrievalLists(
            -one.score, one.relevant, one.offset, one.n_relevant, direction="descending"
        )
        for name, one in {"A": made(2.0), "B": made(0.2)}.items()
    }
    assert concluded(turned).common is None


def test_queries_that_share_relevant_records_are_said_to_tell_less():
    one = made(2.0)
    record = np.arange(one.score.size) % 40
    shared = {
        name: RetrievalLists(
            given.score, given.relevant, given.offset, given.n_relevant, record=record.astype(str)
        )
        for name, given in {"A": one, "B": made(0.2)}.items()
    }
    assert "this says more than they can tell" in describe(concluded(shared)).basis


def test_what_the_bundled_searches_tell():
    """MMseqs2 and phmmer: told apart at a common threshold only, and judged far apart."""
    results = {name: load_results()[name] for name in ("phmmer", "MMseqs2_iter3")}
    said = describe(concluded(results, k=20))
    assert "phmmer and MMseqs2_iter3 cannot be told apart" in said.conclusion
    assert re.fullmatch(
        r"But at a common threshold, E = 0\.01, MMseqs2_iter3 retrieves better than phmmer, by "
        r"0\.033 \(0\.02\d to 0\.04\d\)\. TAP-20 judges MMseqs2_iter3 at E = 144 and phmmer at "
        r"E = 12\.",
        said.order,
    )


def test_the_curve_over_k_agrees_with_the_verdict_at_its_own_k():
    results = {name: load_results()[name] for name in ("BLASTP", "SSEARCH", "PSI-BLAST")}
    found = concluded(results, k=20)
    for name, interval in found.taps.items():
        assert interval.estimate == pytest.approx(tap_by_k(results[name]).tap[19])
