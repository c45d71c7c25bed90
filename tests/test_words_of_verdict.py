"""The words of a verdict: tables of differences worked by hand, and the sentences they give."""

import json
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz.measures import Groups, Interval
from tapviz.scores import verdict as v
from tapviz.scores.holds import how_far
from tapviz.scores.verdict import Basis, ByK, Place, There, as_plain, verdict
from tapviz.scores.words import describe
from tests.verdict_tables import paragraphs, record

K20 = Place("TAP-20", k=20)
BASIS = Basis(Groups.of(np.arange(80) // 2, "superfamilies"), 0.95, "10,000 random signs")


def pair(first, second, apart, half, *, listed=None, identical=False):
    """Two algorithms, and an interval of so much to either side."""
    ends = (apart, apart - half, apart + half)
    return record((first, second), ends, listed=listed, identical=identical)._replace(reason=None)


def judged(values, half=0.02, *, place=K20, basis=BASIS, common=None, unknown=(), **others):
    """Verdict on scores whose differences have intervals of so much to either side.

    `by_k` has TAP-k for each k from 1; `common` differences at E = 0.01, and the half of each
    interval; `special` pairs that are as they are.
    """
    by_k, half_k = others.pop("by_k", None), others.pop("half_k", 0.02)
    special, ends = others.pop("special", {}), others.pop("ends", ())
    sign = 1 if place.higher_is_better else -1
    known = {name: Interval(value, value - 0.1, value + 0.1) for name, value in values.items()}
    names = v.best_first(known, higher_is_better=place.higher_is_better)
    two = [*combinations(names, 2)]
    halves = dict.fromkeys(two, half) if isinstance(half, float) else half
    apart = {(a, b): round(sign * (values[a] - values[b]), 9) for a, b in two}
    pairs = [special.get(ab, pair(*ab, apart[ab], halves.get(ab, 0.02))) for ab in two]
    if by_k is not None:
        by = np.stack([np.subtract(by_k[a], by_k[b]) for a, b in two], axis=1).round(9)
        p = np.where(np.abs(by) > half_k, 0.01, 0.5)
        by_k = ByK(len(by), ends, by, by - half_k, by + half_k, p)
    if common is not None:
        common = There("E = 0.01", tuple(pair(*ab, *by) for ab, by in common.items()), unknown)
    return verdict(place, known, pairs, basis, by_k=by_k, common=common, **others)


def said(found, part="conclusion"):
    """The sentences, each in a line."""
    return "\n".join(sentence.text for sentence in getattr(describe(found), part))


def same(*pairs):
    """Pairs that are identical."""
    return {two: pair(*two, 0.0, 0.0, identical=True) for two in pairs}


def over(*curves, **others):
    """A = 0.4, B = 0.3, ... with so much TAP for each k."""
    by_k = dict(zip("ABC", curves, strict=False))
    values = {name: 0.4 - 0.1 * place for place, name in enumerate(by_k)}
    return judged(values | others.pop("values", {}), by_k=by_k, **others)


TIED = {("A", "B"): pair("A", "B", 0.221, 0.3, listed=(0.221, 0.2, 0.242))}
SEVERAL = {"A": 0.5, "B": 0.49, "C": 0.3, "D": 0.29, "E": 0.28, "F": 0.1}
WIDE = {("A", "B"): 0.02, ("B", "C"): 0.07, ("A", "C"): 0.03}
CHAIN = {name: 0.5 - 0.02 * place for place, name in enumerate("ABCDEFG")}
MIXED = same(("B", "C"), ("D", "E")) | {
    ("D", "F"): pair("D", "F", 0.02, 0.03, listed=(0.02, 0.01, 0.03))
}
SIX = {"A": 0.6, "B": 0.5, "C": 0.5, "D": 0.4, "E": 0.4, "F": 0.38}
TURNED = {"A": [0.30, 0.5], "B": [0.31, 0.4], "C": [0.32, 0.3], "D": [0.36, 0.2]}
ERRORS = Place("EPQ at 0.01", e0=0.01, higher_is_better=False)
WHY = "Fewer than half of the queries have 20 errors."
NO_CHANGE = {("A", "B"): (0.1, 0.05), ("A", "C"): (0.1, 0.05), ("B", "C"): (0.04, 0.01)}
CHANGES = {("A", "B"): (-0.01, 0.05), ("A", "C"): (-0.1, 0.05), ("B", "C"): (-0.04, 0.05)}
THREE = {"A": 0.5, "B": 0.4, "C": 0.39}
FOUR = {"A": 0.5, "B": 0.4, "C": 0.3, "D": 0.2}
MEASURED = {("A", "B"): (0.1, 0.05), ("A", "C"): (0.1, 0.2), ("B", "C"): (0.1, 0.2)}
CASES = {
    "undefined": judged({}, left_out={"A": "x"}),
    "defined for one": judged({"A": 0.4}, left_out={"B": "x"}),
    "nothing relevant": judged({"A": 0.4, "B": 0.3}, reason="nothing is relevant"),
    "few queries": judged({"A": 0.4, "B": 0.3}, basis=BASIS._replace(groups=Groups.single(9))),
    "no interval": judged({"A": 0.4, "B": 0.3}, math.nan),
    "left out": judged({}, left_out={"A": WHY, "B": WHY, "C": "x"}),
    "one": judged({"A": 0.4}),
    "the better of two": judged({"A": 0.35, "B": 0.4}),
    "smaller is better": judged({"A": 0.35, "B": 0.3}, place=ERRORS),
    "not clear": judged({"A": 0.4, "B": 0.39}),
    "equal": judged({"A": 0.4, "B": 0.4}),
    "two identical": judged({"A": 0.4, "B": 0.4}, special=same(("A", "B"))),
    "only the order of ties makes a difference": judged({"A": 0.6, "B": 0.379}, special=TIED),
    "the best of four": judged({"D": 0.2, "A": 0.5, "C": 0.3, "B": 0.4}, 0.05),
    "leaders and followers": judged(SEVERAL, {("C", "E"): 0.015, ("A", "B"): 0.02}),
    "leaders of whom some differ": judged({"A": 0.5, "B": 0.485, "C": 0.47, "D": 0.3}),
    "leaders by another score": judged(SEVERAL, {("A", "B"): 0.02}, place=Place("pooled ROC_50")),
    "no two of three": judged({"A": 0.5, "B": 0.49, "C": 0.48}, WIDE),
    "B differs from neither": judged({"A": 0.5, "B": 0.45, "C": 0.4}, 0.07),
    # Neighbours, and the next but one, do not differ clearly.
    "a chain": judged(CHAIN, 0.05),
    "identical and tied": judged(SIX, 0.03, special=MIXED),
    "three identical": judged(dict.fromkeys("ABC", 0.4), special=same(*combinations("ABC", 2))),
    "three identical of four": judged(
        dict.fromkeys("ABC", 0.4) | {"D": 0.39}, special=same(*combinations("ABC", 2))
    ),
    "always ahead": over([0.5, 0.4, 0.3], [0.4, 0.3, 0.2]),
    "never ahead": over([0.4, 0.4, 0.3], [0.4, 0.39, 0.2]),
    "always equal": over([0.4, 0.4], [0.4, 0.4], values={"B": 0.4}),
    "equal, but elsewhere": over([0.4, 0.4], [0.41, 0.4], values={"B": 0.4}),
    "no changes": over([0.5, 0.4], [0.4, 0.3], [0.3, 0.29]),
    "no changes, always clear": over([0.5, 0.4], [0.4, 0.3], [0.3, 0.2]),
    "a change that is not clear": over(
        [0.40, 0.4], [0.41, 0.3], [0.1, 0.1], values={"B": 0.39, "C": 0.1}
    ),
    "clear changes come first": judged(
        {name: tap for name, (_, tap) in TURNED.items()}, by_k=TURNED, half_k=0.03
    ),
    "one k": over([0.5], [0.4], ends=("B",)),
    "where they were judged": judged(
        {"A": 0.4, "B": 0.3}, common={("A", "B"): (-0.1, 0.05)}, thresholds={"A": 446.3, "B": 2.1}
    ),
    "no changes there": judged(THREE, common=NO_CHANGE),
    "changes there": judged(THREE, common=CHANGES),
    "not all measured": judged(FOUR, common=MEASURED, unknown=("D",)),
    "one pair measured": judged(FOUR, common={("A", "B"): (-0.1, 0.2)}, unknown=("C", "D")),
    "no pair measured": judged(FOUR, common={}, unknown=tuple("BCD")),
    # A pair is counted once: one that changes places was spoken of already.
    "a clear change there": judged(
        THREE, common=NO_CHANGE | {("B", "C"): (-0.04, 0.01), ("A", "C"): (0.1, 0.2)}
    ),
    "a clear change and others there": judged(
        {"A": 0.5, "B": 0.49, "C": 0.48}, WIDE, common=NO_CHANGE | {("B", "C"): (-0.04, 0.01)}
    ),
    # Others are others than some that were spoken of.
    "one clear there": judged(THREE, common={("B", "C"): (0.1, 0.05)}, unknown=("A",)),
    "dependent": over([0.5], [0.4], [0.3], basis=BASIS._replace(dependent=True)),
}
TOLD = """
undefined: conclusion
- No verdict: TAP-20 is undefined.
defined for one: conclusion
- No verdict: TAP-20 is defined for A only.
nothing relevant: conclusion
- No verdict: nothing is relevant.
few queries: conclusion
- No verdict: 9 queries are too few to say how the programs would do on others; at least 10 queries
  are needed.
no interval: conclusion
- No verdict: the difference between A and B has no interval.
left out: basis
- A and B are left out: fewer than half of the queries have 20 errors.
- C is left out: x.
one: conclusion
- The TAP-20 of A is 0.400 (95 % interval 0.300 to 0.500).
- There is no other program to compare it with.
the better of two: conclusion
- B does better than A: its TAP-20 is larger by 0.050 (95 % interval 0.030 to 0.070).
smaller is better: conclusion
- B does better than A: its EPQ at 0.01 is smaller by 0.050 (95 % interval 0.030 to 0.070).
not clear: conclusion
- There is no clear difference between A and B: the TAP-20 of A is larger by 0.010 (95 % interval
  −0.010 to 0.030), which excludes differences beyond 0.030.
equal: conclusion
- There is no clear difference between A and B: their TAP-20 is equal (95 % interval −0.020 to
  0.020), which excludes differences beyond 0.020.
two identical: conclusion
- A and B are identical: every query has the same TAP-20 with both.
only the order of ties makes a difference: conclusion
- The order of ties decides between A and B: with records of equal score as listed, the TAP-20 of A
  is clearly larger, by 0.221 (95 % interval 0.200 to 0.242); in the least favourable order it is
  not.
the best of four: conclusion
- A does best: its TAP-20 is 0.500, ahead of B by 0.100 (95 % interval 0.050 to 0.150).
- Then comes B; then C; then D.
leaders and followers: conclusion
- By TAP-20, A and B do best, with no clear difference between them: even B is ahead of C by 0.190
  (95 % interval 0.170 to 0.210).
- Then come C, D and E, between which only some differences are clear; then F.
leaders of whom some differ: conclusion
- By TAP-20, A, B and C do best, and only some of the differences between them are clear: even C is
  ahead of D by 0.170 (95 % interval 0.150 to 0.190).
- Then comes D.
leaders by another score: conclusion
- By pooled ROC_50, A and B do best, with no clear difference between them: even B is ahead of C by
  0.190 (95 % interval 0.170 to 0.210).
- Then come C, D and E, with no clear difference between them; then F.
no two of three: conclusion
- By TAP-20, there is no clear difference between A, B and C: the largest, between A and C, is 0.020
  (95 % interval −0.010 to 0.050); differences beyond 0.080 are excluded.
B differs from neither: conclusion
- By TAP-20, no program does clearly better than all others: 1 of the 3 pairs differs clearly, A
  from C, by 0.100 (95 % interval 0.030 to 0.170).
- A does better than C.
a chain: conclusion
- By TAP-20, no program does clearly better than all others: 10 of the 21 pairs differ clearly, most
  clearly A from G, by 0.120 (95 % interval 0.070 to 0.170).
- A does better than D, E, F and G; B than E, F and G; C than F and G; and 1 other program does
  better than some.
identical and tied: conclusion
- A does best: its TAP-20 is 0.600, ahead of B by 0.100 (95 % interval 0.070 to 0.130).
- Then come B and C, with no clear difference between them; then D, E and F, with no clear
  difference between them.
- B and C are identical; so are D and E.
- The order of ties decides between D and F.
three identical: conclusion
- A, B and C are identical: every query has the same TAP-20 with all of them.
three identical of four: conclusion
- By TAP-20, there is no clear difference between A, B, C and D: the largest, between A and D, is
  0.010 (95 % interval −0.010 to 0.030); differences beyond 0.030 are excluded.
- A, B and C are identical.
always ahead: order
- A is ahead at every k from 1 to 3.
- The clear difference remains clear at every k from 1 to 3.
never ahead: order
- B is ahead at no k from 1 to 3.
- The clear difference remains clear at 1 of the 3 k.
always equal: order
- A and B are equal at every k from 1 to 2.
equal, but elsewhere: order
- B is ahead at k = 1, but not clearly.
no changes: order
- No two of these programs change places at any k from 1 to 2.
- Of the 3 clear differences, 2 remain clear at every k from 1 to 2.
no changes, always clear: order
- No two of these programs change places at any k from 1 to 2.
- The 3 clear differences remain clear at every k from 1 to 2.
a change that is not clear: order
- 1 of the 3 pairs changes places at some k from 1 to 2: B is ahead of A at k = 1, but not clearly.
- The 2 clear differences remain clear at every k from 1 to 2.
clear changes come first: order
- 6 of the 6 pairs change places at some k from 1 to 2: D is ahead of A at k = 1, clearly (by 0.060,
  0.030 to 0.090); D is ahead of B at k = 1, clearly (by 0.050, 0.020 to 0.080); D is ahead of C at
  k = 1, clearly (by 0.040, 0.010 to 0.070); and 3 other pairs, none of them clearly.
- Of the 6 clear differences, none remains clear at every k from 1 to 2.
one k: order
one k: basis
- From 40 superfamilies, 80 queries: 10,000 random signs.
- B has no E_k beyond k = 1.
where they were judged: order
- At a common threshold, E = 0.01, B is clearly ahead, by 0.100 (0.050 to 0.150).
- TAP-20 judges A at E = 446 and B at E = 2.1.
no changes there: order
- At a common threshold, E = 0.01, no two of these programs change places.
- The 2 clear differences remain clear there.
- 1 other pair differs clearly there.
changes there: order
- At a common threshold, E = 0.01, 3 of the 3 pairs change places: C is clearly ahead of A, by 0.100
  (0.050 to 0.150); B is ahead of A, but not clearly; C is ahead of B, but not clearly.
- Of the 2 clear differences, none remains clear there.
not all measured: order
- At a common threshold, E = 0.01, no two of the programs measured there change places.
- Of the 3 clear differences measured there, 1 remains clear there.
one pair measured: order
- At a common threshold, E = 0.01, the only pair measured there changes places: B is ahead of A, but
  not clearly.
- The clear difference measured there is no longer clear there.
no pair measured: order
a clear change there: order
- At a common threshold, E = 0.01, 1 of the 3 pairs changes places: C is clearly ahead of B, by
  0.040 (0.030 to 0.050).
- Of the 2 clear differences, 1 remains clear there.
a clear change and others there: order
- At a common threshold, E = 0.01, 1 of the 3 pairs changes places: C is clearly ahead of B, by
  0.040 (0.030 to 0.050).
- 2 other pairs differ clearly there.
one clear there: order
- At a common threshold, E = 0.01, no two of the programs measured there change places.
- 1 pair differs clearly there.
dependent: basis
- From 40 superfamilies, 80 queries: 10,000 random signs.
- The 95 % intervals hold for all 3 pairs at once, each k and threshold by itself.
- Queries share relevant records, and were taken one by one: this says more than they can tell.
"""


@pytest.mark.parametrize(("case", "sentences"), paragraphs(TOLD).items())
def test_what_is_said(case, sentences):
    name, part = case.split(": ")
    found = CASES[name]
    assert [sentence.text for sentence in getattr(describe(found), part)] == sentences
    if sentences[:1] and sentences[0].startswith("No verdict"):
        assert found.pairs == found.tiers == describe(found).order == ()


def test_every_table_is_told():
    assert {case.split(": ")[0] for case in paragraphs(TOLD)} == {*CASES}
    assert describe(CASES["one"]).order == describe(CASES["one"]).basis == ()
    assert CASES["the best of four"].tiers == (("A",), ("B",), ("C",), ("D",))
    assert CASES["leaders and followers"].tiers == (("A", "B"), ("C", "D", "E"), ("F",))
    basis = [sentence.text for sentence in describe(CASES["not all measured"]).basis]
    assert basis[-1] == "D was not measured at E = 0.01."


def test_an_end_that_is_hardly_beyond_0_is_not_shown_as_0():
    assert said(judged({"A": 0.4204, "B": 0.4})).endswith("(95 % interval 0.0004 to 0.040).")
    assert "(95 % interval −0.00003 to " in said(judged({"A": 0.41997, "B": 0.4}))


AHEAD = [
    ([0.41, 0.39, 0.3], "k = 1, but not clearly"),
    ([0.45, 0.39, 0.3], "k = 1, clearly (by 0.050, 0.030 to 0.070)"),
    ([0.45, 0.46, 0.3], "k = 1 to 2, clearly (by 0.060, 0.040 to 0.080, at k = 2)"),
    ([0.41, 0.46, 0.3], "k = 1 to 2, clearly at k = 2 (by 0.060, 0.040 to 0.080)"),
    (
        [0.45, 0.46, 0.3, 0.41, 0.3],
        "k = 1 to 2 and 4, clearly at k = 1 to 2 (by 0.060, 0.040 to 0.080, at k = 2)",
    ),
    ([0.41, 0.3, 0.41, 0.3, 0.41, 0.3, 0.41], "4 k between 1 and 7, but not clearly"),
    # Thousands are written as in "every k from 1 to 1,200".
    ([0.3, *[0.41] * 1199], "k = 2 to 1,200, but not clearly"),
    ([0.41, 0.3] * 600, "600 k between 1 and 1,199, but not clearly"),
    (
        [0.3, *[0.45] * 1198, 0.46],
        "k = 2 to 1,200, clearly (by 0.060, 0.040 to 0.080, at k = 1,200)",
    ),
]


@pytest.mark.parametrize(("second", "words"), AHEAD)
def test_where_the_second_of_two_is_ahead_is_said_and_where_it_is_clear(second, words):
    told = said(over([0.4] * len(second), second), "order").split("\n")
    assert told[0] == f"B is ahead at {words}."


THERE = "At a common threshold, E = 0.01,"


COMMON = [
    (0.39, (-0.045, 0.01), "B is clearly ahead, by 0.045 (0.035 to 0.055)."),
    (0.39, (-0.045, 0.05), "B is ahead, but not clearly."),
    (0.39, (0.0, 0.05), "neither is ahead."),
    (0.39, (0.045, 0.05), "A is ahead, too, but not clearly."),
    (0.39, (0.045, 0.01), "A is clearly ahead, too, by 0.045 (0.035 to 0.055)."),
    # "too" is said only of one that was ahead.
    (0.4, (0.045, 0.05), "A is ahead, but not clearly."),
]


@pytest.mark.parametrize(("of_b", "there", "words"), COMMON)
def test_two_at_a_common_threshold(of_b, there, words):
    found = judged({"A": 0.4, "B": of_b}, common={("A", "B"): there})
    assert said(found, "order") == f"{THERE} {words}"


def test_what_changes_elsewhere_is_counted_of_several_programs_alone():
    values = {"A": 0.5, "B": 0.4, "C": 0.39}
    by_k = {"A": [0.5, 0.5, 0.5], "B": [0.3, 0.6, 0.4], "C": [0.2, 0.2, 0.39]}
    apart = {("A", "B"): (0.1, 0.05), ("A", "C"): (-0.1, 0.05), ("B", "C"): (-0.04, 0.05)}
    found = describe(judged(values, by_k=by_k, common=apart)).order
    # B is ahead of A at k = 2; C is ahead of both at the common threshold.
    assert [one.changed for one in found if one.changed is not None] == [(1, 3), (2, 3)]
    two = over([0.4], [0.3], common={("A", "B"): (0.1, 0.05)})
    assert not any(one.changed for one in describe(two).order)


ONLY_CLEAR = [
    ((0.2, 0.1), "remains clear"),
    ((0.2, 0.3), "is no longer clear"),
    ((-0.2, 0.3), "is no longer clear"),
    ((-0.2, 0.1), "is clearly turned round"),
]


@pytest.mark.parametrize(("there", "words"), ONLY_CLEAR)
def test_the_only_clear_difference_at_a_common_threshold(there, words):
    common = dict.fromkeys(combinations("ABC", 2), (0.01, 0.1)) | {("A", "C"): there}
    found = judged({"A": 0.5, "B": 0.45, "C": 0.4}, 0.07, common=common)
    assert said(found, "order").split("\n")[1] == f"The clear difference {words} there."


def test_pairs_are_put_with_the_better_first():
    (one,) = v.ordered(["B", "A"], [pair("A", "B", -0.1, 0.05)])
    assert (one.first, one.second) == ("B", "A")
    assert one.difference == pytest.approx((0.1, 0.05, 0.15))
    values = {name: Interval(v, v, v) for name, v in [("A", 0.1), ("B", 0.2)]}
    found = verdict(K20, values, [one], BASIS)
    assert [*found.values] == ["B", "A"]
    assert found.tiers == (("B",), ("A",))


def test_differences_for_each_k_must_be_those_of_the_pairs():
    one, wrong = [pair(*"AB", 0.0, 0.1)], ByK(1, (), *(np.zeros((1, 2)),) * 4)
    with pytest.raises(ValueError, match=r"expected 1 pairs at 1 k, found .* \(1, 2\)"):
        verdict(K20, dict.fromkeys("AB", Interval(0, 0, 0)), one, BASIS, by_k=wrong)


def test_every_sentence_points_to_its_pairs():
    found = judged(
        {"A": 0.4, "B": 0.39, "C": 0.1},
        by_k={"A": [0.40, 0.4], "B": [0.41, 0.39], "C": [0.1, 0.1]},
        common={("A", "B"): (-0.1, 0.05), ("A", "C"): (0.3, 0.1), ("B", "C"): (0.4, 0.1)},
    )
    plain = json.loads(json.dumps(as_plain(found, describe(found))))
    keys = [(one["at"], one["a"], one["b"]) for one in plain["pairs"]]
    two = [("A", "B"), ("A", "C"), ("B", "C")]
    assert keys == [
        *(("chosen", *names) for names in two),
        *(("E=0.01", *names) for names in two),
        ("k=1", "A", "B"),  # the only one that is another there
    ]
    last = dict(plain["pairs"][-1])
    numbers = [last.pop(name) for name in ("difference", "low", "high")]
    assert numbers == pytest.approx([-0.01, -0.03, 0.01])
    assert last == {"a": "A", "b": "B", "at": "k=1", "p": 0.5, "clear": False}
    assert [one["clear"] for one in plain["pairs"][:4]] == [False, True, True, True]
    sentences = {one["text"]: one for one in plain["sentences"]}
    changes = sentences[
        "1 of the 3 pairs changes places at some k from 1 to 2: B is ahead of A at k = 1, but not "
        "clearly."
    ]
    assert (changes["part"], changes["every_k"]) == ("order", [1, 2])
    assert {keys[one] for one in changes["pairs"]} == {
        *(("chosen", *names) for names in two),
        ("k=1", "A", "B"),
    }
    assert "every_k" not in plain["sentences"][0]
    first = {keys[one] for one in plain["sentences"][0]["pairs"]}
    assert first == {("chosen", *names) for names in two}


@given(
    st.lists(st.sampled_from([0.1, 0.2, 0.21, 0.25, 0.4]), min_size=2, max_size=5),
    st.lists(st.sampled_from([0.0, 0.02, 0.1]), min_size=10, max_size=10),
    st.lists(st.lists(st.sampled_from([0.1, 0.2, 0.21, 0.4]), min_size=3, max_size=3), min_size=5),
    st.lists(st.sampled_from([-0.2, -0.01, 0.0, 0.01, 0.2]), max_size=10),
)
def test_whatever_the_numbers_every_pair_of_a_sentence_has_a_record(values, halves, curves, there):
    names = dict(zip("ABCDE", values, strict=False))
    order = sorted(names, key=names.get, reverse=True)
    pairs = [*combinations(order, 2)]
    found = judged(
        names,
        dict(zip(pairs, halves, strict=False)),
        by_k=dict(zip(names, curves, strict=False)),
        common={two: (apart, 0.1) for two, apart in zip(pairs, there, strict=False)},
    )
    plain = as_plain(found, describe(found))
    assert len(plain["sentences"]) == sum(map(len, describe(found)))
    for sentence in plain["sentences"]:
        assert sentence["pairs"] or sentence["part"] == "basis"
        assert "nan" not in sentence["text"]
    assert [name for tier in found.tiers for name in tier] == order == [*found.values]
    chosen = [one for one in plain["pairs"] if one["at"] == "chosen"]
    clear = {(one["a"], one["b"]) for one in chosen if one["clear"]}
    for place, tier in enumerate(found.tiers):
        assert {(a, b) for a in tier for late in found.tiers[place + 1 :] for b in late} <= clear


def test_an_interval_that_is_not_known_is_null():
    found = judged({"A": 0.4, "B": 0.3}, common={("A", "B"): (0.1, math.nan)})
    plain = as_plain(found, describe(found))["pairs"][1]
    assert (plain["difference"], plain["low"], plain["clear"]) == (0.1, None, False)


def there(where, kind, *apart, **others):
    pairs = zip(combinations("ABC", 2), apart, strict=False)
    return There(where, tuple(pair(*two, *one) for two, one in pairs), kind=kind, **others)


def test_how_far_clear_differences_hold():
    # A and C, B and C differ clearly.
    found = judged(
        {"A": 0.4, "B": 0.39, "C": 0.1}, by_k={"A": [0.3, 0.4], "B": [0.3, 0.39], "C": [0.29, 0.1]}
    )
    far, near, none, round_ = (0.3, 0.1), (0.3, 0.2), (0.1, 0.2), (-0.3, 0.1)
    held = how_far(
        found,
        [
            there("family", "groups", none, far, near),
            there("superfamily", "groups", round_, far, near),
            there("fold", "groups", unknown=tuple("ABC"), reason="fewer than 10 folds"),
            there("E = 0.01", "threshold", far, far, none),
            there("E = 0.1", "threshold", far, far, unknown=("C",)),
            there("E = 1", "threshold", far, none, round_),
            there("the worst order of ties", "ties", far, far, far),
        ],
        found.by_k,
    )
    assert held.rows == [
        ("family", "holds", "2 hold"),
        ("superfamily", "holds", "2 hold"),
        ("fold", "—", "fewer than 10 folds"),
        ("every k from 1 to 2", "weakens", "2 weaken"),
        ("E = 0.01", "weakens", "1 holds, 1 weakens"),
        ("E = 0.1", "holds", "1 holds, without C"),
        ("E = 1", "turns", "1 weakens, 1 turns"),
        ("the worst order of ties", "holds", "2 hold"),
    ]
    assert held.text == (
        "What is clear holds by family and superfamily, at E = 0.1 (without C) and for every order "
        "of ties; weakens at some k and at E = 0.01; turns at E = 1; is not known by fold."
    )
    by_k = next(one for one in held.conditions if one.kind == "k")
    assert by_k.pairs == (("k=1", "A", "C"), ("k=1", "B", "C"))


def test_without_a_clear_difference_it_is_the_order_that_holds():
    found = judged({"A": 0.4, "B": 0.39}, by_k={"A": [0.5, 0.4], "B": [0.4, 0.39]})
    far = [there("E = 0.01", "threshold", (-0.1, 0.2)), there("E = 1", "threshold", (-0.1, 0.05))]
    assert how_far(found, far, found.by_k).text == (
        "The order, though not clear, holds at every k; weakens at E = 0.01; turns at E = 1."
    )


def test_where_nothing_is_concluded_nothing_holds():
    for found in (
        judged({"A": 0.4}),
        judged({"A": 0.4, "B": 0.4}),
        judged({"A": 1, "B": 0}, reason="x"),
    ):
        held = how_far(found, [there("fold", "groups", (0.1, 0.2))], found.by_k)
        assert (held.rows, held.text) == ([], "")
