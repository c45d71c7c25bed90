"""No table of numbers may exist for which a sentence is false, nor one that a reader must guess at.

The sentences are read by `tests.verdict_reader`, written without the code that words them.

False sentences, and unreadable ones, are caught: a reader that cannot fail would prove nothing.
"""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tapviz import load_results
from tapviz.explorer import Explorer
from tapviz.measures import tap, tap_k
from tapviz.scores.verdict import Place
from tapviz.scores.words import describe
from tests.refused import error_of
from tests.strategies import examples
from tests.test_words_of_verdict import CASES
from tests.verdict_judge import Judge, is_number, unsaid, untrue
from tests.verdict_reader import Reader, UnreadableError
from tests.verdict_tables import made, paragraphs

NAMES = (
    "SSEARCH",
    "PSI-BLAST",
    "HMMER3 hmmscan",
    "HMMER3 hmmscan 2",
    "MMseqs2 s=7.5",
    "search 1, k = 3",
    "run no. 4",
    "B",
    "BM25 (k1 = 0.9)",
)
PLACES = (
    Place("TAP-20", k=20),
    Place("TAP-1", k=1),
    Place("TAP-3 (median E_k)", k=3),
    Place("TAP at 0.01", e0=0.01),
    Place("nDCG@10"),
    Place("pooled ROC_50"),
    Place("mean average precision"),
    Place("errors per query", higher_is_better=False),
)
DIFFERENCES = (0.0, 0.0, 0.01, 0.2, 0.0004, 3e-7, 0.0005, 0.0126, 1.5)
WIDTHS = (0.0, 0.002, 0.013, 0.0101, 0.3, 2e-7, 0.00042)


def interval(draw, estimate):
    """An interval around a difference, clear or not."""
    ends = st.sampled_from(WIDTHS)
    return estimate, estimate - draw(ends), estimate + draw(ends)


@st.composite
def verdicts(draw):
    """Tables that measures could have led to, and more."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True))
    place = draw(st.sampled_from(PLACES))
    steps = [draw(st.sampled_from(DIFFERENCES)) for _ in names[1:]]
    # From best to worst; those of the same number score the same in every query.
    alike = [0]
    for step in steps:
        alike.append(alike[-1] if step == 0 and draw(st.booleans()) else alike[-1] + 1)
    best = 0.9 if place.higher_is_better else 0.3
    sign = -1 if place.higher_is_better else 1
    values = {
        name: round(best + sign * fallen, 9)
        for name, fallen in zip(names, np.cumsum([0.0, *steps]), strict=True)
    }
    chosen = {}
    listed = {}
    identical = set()
    kinds = {}
    for (i, a), (j, b) in combinations(enumerate(names), 2):
        if alike[i] == alike[j]:
            identical.add((a, b))
        kind = (alike[i], alike[j])
        if kind not in kinds:
            by = round(abs(values[a] - values[b]), 9)
            wide = interval(draw, by)
            if kind[0] == kind[1] and wide[1] * wide[2] > 0:
                wide = (by, 0.0, 0.0)
            within = draw(st.sampled_from((1.0, 1.0, 0.5, 0.01)))
            kinds[kind] = wide, (by, by + (wide[1] - by) * within, by + (wide[2] - by) * within)
        chosen[a, b], listed[a, b] = kinds[kind]
    ks = None
    there = None
    if place.k is not None:
        last = draw(st.sampled_from((0, 1, 2, 3, 7, 7, 73, 73, 1200)))
        ks = tables(draw, [*chosen], last)
        if place.k <= last:
            ks[place.k - 1] = chosen
        unknown = draw(st.sets(st.sampled_from(names), max_size=2)) if draw(st.booleans()) else ()
        measured = [pair for pair in chosen if not {*pair} & {*unknown}]
        if draw(st.booleans()):
            (there,) = tables(draw, measured, 1)
    return made(
        values,
        chosen,
        place=place,
        ks=ks,
        there=there,
        listed=listed,
        identical=frozenset(identical),
        thresholds={
            name: draw(st.sampled_from((0.0, 1e-300, 3.3e-5, 0.0123, 2.14, 446.2, 12345.6)))
            for name in names
            if draw(st.integers(0, 5))
        },
        left_out=draw(st.sampled_from(({}, {}, {}, {"left out": "its lists are too short"}))),
        units=draw(st.sampled_from((60,) * 9 + (10, 9))),
        level=draw(st.sampled_from((0.95, 0.95, 0.9, 0.999))),
        reason=draw(st.sampled_from(("",) * 19 + ("nothing is relevant",))),
    )


def tables(draw, pairs, n):
    """Differences of any sign, clear or not; few different ones, in runs and in any order of k."""
    kinds = [{pair: any_numbers(draw) for pair in pairs} for _ in range(min(n, 4))]
    at_first = [*range(len(kinds))]
    if n == len(kinds):
        return kinds
    which = draw(st.lists(st.sampled_from(at_first), min_size=1, max_size=8))
    runs = draw(st.sampled_from((1, 2, 20)))
    later = [which[k // runs % len(which)] for k in range(n - len(kinds))]
    return [kinds[kind] for kind in (*at_first, *later)]


def any_numbers(draw):
    estimate = draw(st.sampled_from(DIFFERENCES)) * draw(st.sampled_from((1, 1, -1)))
    if not draw(st.integers(0, 19)):
        return estimate, np.nan, np.nan  # what a query contributes is not known
    return interval(draw, estimate)


@cache
def reader(names):
    return Reader(names)


def assert_true(verdict, names=NAMES):
    """Read, judge, and compare with the records that each sentence says it speaks of."""
    words = describe(verdict)
    claims = []
    for sentence in (*words.conclusion, *words.order):
        read = reader(names)(sentence.text)
        assert not untrue(read, verdict), sentence.text
        shown = {(at, frozenset(pair)) for at, *pair in sentence.pairs}
        assert named(read, verdict) <= shown, sentence
        claims += read
    assert not unsaid(claims, verdict), words.text
    return claims


def named(claims, verdict):
    """Places and pairs that claims name, which are to be among those of their sentence."""
    judge = Judge(verdict)
    found = set()
    inside = [one for claim in claims for one in claim.told.get("named", ())]
    for kind, told in (*claims, *inside):
        pair = (told.get("a"), told.get("b"))
        if kind in {"ahead_at", "ahead_there"}:
            pair = judge.versus(told["b"], told.get("a", ""))
        if kind == "ahead_at":
            found |= {(f"k={k}", frozenset(pair)) for k, at in judge.k.items() if at[pair].by > 0}
        elif kind == "ahead_there":
            found.add(("E=0.01", frozenset(pair)))
        elif kind in {"better", "apart", "as_listed", "equal"}:
            found.add(("chosen", frozenset(told.get("names") or pair)))
    return found


@examples(300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(verdicts())
def test_no_table_makes_a_sentence_false(verdict):
    assert_true(verdict)


@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_tables_by_hand_is_so(name):
    assert_true(CASES[name], tuple("ABCDEFG"))


def found_anew(found, results):
    """A verdict by TAP with all estimates by plain `tap_k` and `tap` of each program.

    Its intervals must hold them.
    """

    def apart(known, pair):
        by = known[pair.first] - known[pair.second]
        by = 0.0 if abs(by) < 1e-9 else by
        assert pair.difference.low - 1e-9 <= by <= pair.difference.high + 1e-9
        return pair._replace(difference=pair.difference._replace(estimate=by))

    place = found.place
    at_place = {
        name: tap_k(results[name], k=place.k) if place.k else tap(results[name], place.e0)
        for name in found.values
    }
    values = {name: at.value for name, at in at_place.items()}
    spread = {name: found.values[name]._replace(estimate=at) for name, at in values.items()}
    thresholds = {name: at.e0 for name, at in at_place.items()}
    pairs = tuple(apart(values, pair) for pair in found.pairs)
    anew = found._replace(values=spread, pairs=pairs, thresholds=thresholds)
    if found.by_k is not None:
        anew = anew._replace(by_k=by_k_anew(found, results))
    if found.common is not None:
        at_e = {name: tap(results[name], 0.01).value for name in found.values}
        pairs = tuple(apart(at_e, pair) for pair in found.common.pairs)
        anew = anew._replace(common=found.common._replace(pairs=pairs))
    return anew


def by_k_anew(found, results):
    """Differences at each k that all programs have, and who has no more."""
    difference = []
    ends = ()
    while not ends and len(difference) < 100:
        k = len(difference) + 1
        taps = {name: tap_k(results[name], k=k).value for name in found.values}
        ends = tuple(name for name, value in taps.items() if np.isnan(value))
        if not ends:
            difference.append([taps[one.first] - taps[one.second] for one in found.pairs])
    signs = np.array(difference)
    signs[abs(signs) < 1e-9] = 0
    by_k = found.by_k
    assert (by_k.low - 1e-9 <= signs).all()
    assert (signs <= by_k.high + 1e-9).all()
    assert {*by_k.ends} == {*ends}
    return by_k._replace(last=len(signs), difference=signs)


@pytest.mark.parametrize("name", ["scope40", "profiles", "cranfield"])
def test_what_is_said_of_bundled_data_is_so(name):
    results = load_results(name)
    assert_said(Explorer(results, [*results], k=20), results)


@pytest.mark.parametrize("name", ["scope40", "profiles"])
def test_what_is_said_at_a_threshold_is_so(name):
    results = load_results(name)
    explorer = Explorer(results, [*results])
    explorer.use_threshold(0.01)
    assert_said(explorer, results)


@pytest.mark.nightly
@pytest.mark.parametrize("k", [1, 2, 5, 30, 60, 90])
@pytest.mark.parametrize("name", ["scope40", "profiles", "cranfield"])
def test_what_is_said_at_other_k_is_so(name, k):
    results = load_results(name)
    assert_said(Explorer(results, [*results], k=k), results)


def assert_said(explorer, results):
    """By each score against the records; by TAP against numbers found anew, as well."""
    compared = explorer.compared(n_resamples=0)
    assert {"tap", "roc_n", "pooled_roc_n", "mean_average_precision"} <= {*compared.verdicts}
    for found in compared.verdicts.values():
        assert_true(found, (*results,))
    found = compared.verdict("tap")
    assert not untrue(assert_true(found, (*results,)), found_anew(found, results))


TWO = made(
    {"PSI-BLAST": 0.468, "MMseqs2 s=7.5": 0.428},
    (pair := {("PSI-BLAST", "MMseqs2 s=7.5"): (0.04, 0.028, 0.053)}),
    ks=[
        dict.fromkeys(pair, (-0.01, -0.022, 0.002)),
        dict.fromkeys(pair, (-0.03, -0.05, -0.01)),
        dict.fromkeys(pair, (0.02, -0.01, 0.05)),
        pair,
    ],
    there=dict.fromkeys(pair, (-0.045, -0.06, -0.03)),
    thresholds={"PSI-BLAST": 446.2, "MMseqs2 s=7.5": 2.1},
)
ALWAYS = made(
    {"A": 0.468, "B": 0.428},
    (pair := {("A", "B"): (0.04, 0.028, 0.053)}),
    ks=[pair, pair, pair],
    there=pair,
)
CLOSE = made(
    {"A": 0.437, "B": 0.428},
    (pair := {("A", "B"): (0.009, -0.001, 0.019)}),
    ks=[pair, dict.fromkeys(pair, (0.0, -0.01, 0.01))],
    there=dict.fromkeys(pair, (0.0, -0.01, 0.01)),
    listed=dict.fromkeys(pair, (0.009, 0.0004, 0.018)),
)
SAME = made(
    {"A": 0.4, "B": 0.4},
    (pair := {("A", "B"): (0.0, -0.01, 0.012)}),
    ks=[pair, pair],
    identical=frozenset(pair),
)
ERRORS = made(
    {"A": 1.2, "B": 1.5},
    {("A", "B"): (0.3, 0.1, 0.5)},
    place=Place("errors per query", higher_is_better=False),
)
A_BEST = {
    ("A", "B"): (0.05, 0.02, 0.08),
    ("A", "C"): (0.06, 0.03, 0.09),
    ("A", "D"): (0.2, 0.15, 0.25),
    ("B", "C"): (0.01, -0.02, 0.04),
    ("B", "D"): (0.15, 0.1, 0.2),
    ("C", "D"): (0.14, 0.09, 0.19),
}
FOUR = made(
    {"A": 0.5, "B": 0.45, "C": 0.44, "D": 0.3},
    A_BEST,
    ks=[
        A_BEST | {("B", "C"): (-0.02, -0.04, -0.001), ("C", "D"): (-0.01, -0.05, 0.03)},
        A_BEST | {("B", "C"): (-0.03, -0.07, 0.01)},
        A_BEST,
    ],
    there={
        ("B", "C"): (0.01, 0.004, 0.016),
        ("B", "D"): (-0.02, -0.03, -0.01),
        ("C", "D"): (0.1, 0.05, 0.15),
    },
    thresholds={"A": 3.0, "B": 0.5, "C": 1e-5, "D": 17.0},
)
FLAT = made(
    {"A": 0.3, "B": 0.3, "C": 0.29},
    {("A", "B"): (0.0, 0.0, 0.0), ("A", "C"): (0.01, -0.01, 0.03), ("B", "C"): (0.01, -0.01, 0.03)},
    listed={("A", "C"): (0.01, 0.002, 0.018), ("B", "C"): (0.01, 0.002, 0.018)},
    identical=frozenset({("A", "B")}),
)
SOME = made(
    {"A": 0.3, "B": 0.28, "C": 0.25},
    {
        ("A", "B"): (0.02, -0.01, 0.05),
        ("A", "C"): (0.05, 0.01, 0.09),
        ("B", "C"): (0.03, -0.01, 0.07),
    },
    there={
        ("A", "B"): (-0.02, -0.05, -0.0004),
        ("A", "C"): (-0.05, -0.09, -0.01),
        ("B", "C"): (-0.03, -0.07, 0.01),
    },
)
PAIRED = made(
    {"A": 0.3, "B": 0.28, "C": 0.2, "D": 0.1},
    {
        ("A", "B"): (0.02, -0.01, 0.05),
        ("A", "C"): (0.1, 0.05, 0.15),
        ("A", "D"): (0.2, 0.15, 0.25),
        ("B", "C"): (0.08, 0.04, 0.12),
        ("B", "D"): (0.18, 0.14, 0.22),
        ("C", "D"): (0.1, 0.06, 0.14),
    },
)
ALONE = made({"A": 0.396}, {})
NOTHING = made({"A": 0.4, "B": 0.3}, {("A", "B"): (0.1, 0.05, 0.15)}, reason="nothing is relevant")


def by_verdict(text):
    """Pairs of a verdict, whose name comes first, and each sentence about it."""
    return [
        (globals()[name], sentence) for name, told in paragraphs(text).items() for sentence in told
    ]


FOUR_TOLD = by_verdict("""
FOUR
- A does best: its TAP-20 is 0.500, ahead of B by 0.050 (95 % interval 0.020 to 0.080).
- Then come B and C, with no clear difference between them; then D.
- 2 of the 6 pairs change places at some k from 1 to 3: C is ahead of B at k = 1 to 2, clearly
  at k = 1 (by 0.020, 0.001 to 0.040); D is ahead of C at k = 1, but not clearly.
- Of the 5 clear differences, 4 remain clear at every k from 1 to 3.
- At a common threshold, E = 0.01, 1 of the 3 pairs measured there changes places: D is clearly
  ahead of B, by 0.020 (0.010 to 0.030).
- Of the 2 clear differences measured there, 1 remains clear there.
- 1 other pair differs clearly there.
- TAP-20 judges C at E = 1e-05 and D at E = 17.
""")
FALSE = by_verdict("""
TWO
- MMseqs2 s=7.5 does better than PSI-BLAST: its TAP-20 is larger by 0.040 (95 % interval 0.028
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is larger by 0.041 (95 % interval 0.028
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is larger by 0.040 (95 % interval 0.027
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is larger by 0.040 (95 % interval 0.028
  to 0.054).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is larger by 0.040 (90 % interval 0.028
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-20 is smaller by 0.040 (95 % interval 0.028
  to 0.053).
- PSI-BLAST does better than MMseqs2 s=7.5: its TAP-5 is larger by 0.040 (95 % interval 0.028 to
  0.053).
- There is no clear difference between PSI-BLAST and MMseqs2 s=7.5: the TAP-20 of PSI-BLAST is
  larger by 0.040 (95 % interval 0.028 to 0.053), which excludes differences beyond 0.053.
- PSI-BLAST and MMseqs2 s=7.5 are identical: every query has the same TAP-20 with both.
- PSI-BLAST is ahead at every k from 1 to 4.
- MMseqs2 s=7.5 is ahead at no k from 1 to 4.
- MMseqs2 s=7.5 is ahead at k = 1, but not clearly.
- MMseqs2 s=7.5 is ahead at k = 1 to 2, but not clearly.
- MMseqs2 s=7.5 is ahead at k = 1 to 3, clearly at k = 2 (by 0.030, 0.010 to 0.050).
- MMseqs2 s=7.5 is ahead at k = 1 to 2, clearly at k = 1 (by 0.010, −0.002 to 0.022).
- MMseqs2 s=7.5 is ahead at k = 1 to 2, clearly (by 0.030, 0.010 to 0.050, at k = 2).
- MMseqs2 s=7.5 is ahead at k = 1 to 2, clearly at k = 2 (by 0.030, 0.010 to 0.060).
- MMseqs2 s=7.5 is ahead at 3 k between 1 and 4, clearly at k = 2 (by 0.030, 0.010 to 0.050).
- PSI-BLAST is ahead at k = 1 to 2, clearly at k = 2 (by 0.030, 0.010 to 0.050).
- The clear difference remains clear at every k from 1 to 4.
- The clear difference remains clear at 2 of the 4 k.
- At a common threshold, E = 0.01, MMseqs2 s=7.5 is ahead, but not clearly.
- At a common threshold, E = 0.01, PSI-BLAST is clearly ahead, too, by 0.045 (0.030 to 0.060).
- At a common threshold, E = 0.01, MMseqs2 s=7.5 is clearly ahead, too, by 0.045 (0.030 to
  0.060).
- At a common threshold, E = 0.01, neither is ahead.
- At a common threshold, E = 0.1, MMseqs2 s=7.5 is clearly ahead, by 0.045 (0.030 to 0.060).
- TAP-20 judges MMseqs2 s=7.5 at E = 446 and PSI-BLAST at E = 2.1.
ALWAYS
- A is ahead at every k from 1 to 4.
CLOSE
- A does better than B: its TAP-20 is larger by 0.009 (95 % interval −0.001 to 0.019).
- A is ahead at every k from 1 to 2.
- There is no clear difference between A and B: the TAP-20 of A is larger by 0.009 (95 %
  interval −0.001 to 0.019), which excludes differences beyond 0.009.
- There is no clear difference between A and B: the TAP-20 of B is larger by 0.009 (95 %
  interval −0.001 to 0.019), which excludes differences beyond 0.019.
- The order of ties decides between A and B: with records of equal score as listed, the TAP-20
  of A is clearly larger, by 0.009 (95 % interval −0.001 to 0.019); in the least favourable
  order it is not.
SAME
- The order of ties decides between A and B: with records of equal score as listed, the TAP-20
  of A is clearly larger, by 0.000 (95 % interval −0.010 to 0.012); in the least favourable
  order it is not.
ERRORS
- A does better than B: its errors per query is larger by 0.300 (95 % interval 0.100 to 0.500).
FOUR
- B does best: its TAP-20 is 0.450, ahead of C by 0.010 (95 % interval −0.020 to 0.040).
- A does best: its TAP-20 is 0.501, ahead of B by 0.050 (95 % interval 0.020 to 0.080).
- A does best: its TAP-20 is 0.500, ahead of C by 0.060 (95 % interval 0.030 to 0.090).
- Then comes B; then C; then D.
- Then come B, C and D, between which only some differences are clear.
- Then come C and D, with no clear difference between them; then B.
- No two of these programs change places at any k from 1 to 3.
- 1 of the 6 pairs changes places at some k from 1 to 3: C is ahead of B at k = 1 to 2, clearly
  at k = 1 (by 0.020, 0.001 to 0.040).
- 2 of the 6 pairs change places at some k from 1 to 3: C is ahead of B at k = 1 to 2, clearly
  at k = 1 (by 0.020, 0.001 to 0.040); and 1 other pair, clearly.
- 2 of the 6 pairs change places at some k from 1 to 3: D is ahead of C at k = 1, but not
  clearly; and 1 other pair, clearly.
- 2 of the 6 pairs change places at some k from 1 to 3: C is ahead of B at k = 1 to 2, clearly
  at k = 1 (by 0.020, 0.001 to 0.040); D is ahead of B at k = 1, but not clearly.
- The 5 clear differences remain clear at every k from 1 to 3.
- Of the 5 clear differences, 3 remain clear at every k from 1 to 3.
- Of the 4 clear differences, 3 remain clear at every k from 1 to 3.
- At a common threshold, E = 0.01, no two of these programs change places.
- At a common threshold, E = 0.01, no two of the programs measured there change places.
- At a common threshold, E = 0.01, 1 of the 6 pairs changes places: D is clearly ahead of B, by
  0.020 (0.010 to 0.030).
- At a common threshold, E = 0.01, 1 of the 3 pairs measured there changes places: D is ahead of
  B, but not clearly.
- The 2 clear differences measured there remain clear there.
- Of the 5 clear differences, 1 remains clear there.
- 2 other pairs differ clearly there.
- 1 pair differs clearly there.
FLAT
- By TAP-5, there is no clear difference between A, B and C: the largest, between A and C, is
  0.010 (95 % interval −0.010 to 0.030); differences beyond 0.030 are excluded.
- By TAP-20, there is no clear difference between A, B and C: the largest, between A and B, is
  0.000 (95 % interval 0.000 to 0.000); differences beyond 0.030 are excluded.
- By TAP-20, there is no clear difference between A, B and C: the largest, between A and C, is
  0.010 (95 % interval −0.010 to 0.030); differences beyond 0.010 are excluded.
- A, B and C are identical: every query has the same TAP-20 with all of them.
- B and C are identical.
- The order of ties decides between A and C.
- The order of ties decides between A and B; and 1 other pair.
SOME
- By TAP-20, there is no clear difference between A, B and C: the largest, between A and C, is
  0.050 (95 % interval 0.010 to 0.090); differences beyond 0.090 are excluded.
- A does better than B and C.
- B does better than C.
- A does better than C; and 1 other program does better than some.
- By TAP-20, no program does clearly better than all others: 2 of the 3 pairs differ clearly,
  most clearly A from C, by 0.050 (95 % interval 0.010 to 0.090).
- The clear difference is no longer clear there.
- The clear difference remains clear there.
- At a common threshold, E = 0.01, 3 of the 3 pairs change places: C is ahead of B, but not
  clearly; and 2 other pairs, 2 of them clearly.
PAIRED
- By TAP-20, A and B do best, and only some of the differences between them are clear: even B is
  ahead of C by 0.080 (95 % interval 0.040 to 0.120).
- By TAP-20, A and B do best, with no clear difference between them: even A is ahead of C by
  0.100 (95 % interval 0.050 to 0.150).
- Then come C and D, with no clear difference between them.
ALONE
- The TAP-20 of A is 0.397 (95 % interval 0.376 to 0.416). There is no other program to compare
  it with.
NOTHING
- No verdict: there are too few queries.
- A does better than B: its TAP-20 is larger by 0.100 (95 % interval 0.050 to 0.150).
""")
UNREADABLE = [
    "This order is the same at every k from 1 to 73.",
    "A does better than B: its TAP-20 is larger by 0.04 (95 % interval 0.028 to 0.053).",
    "A does better than B: its TAP-20 is larger by -0.040 (95 % interval 0.028 to 0.053).",
    "A does better than Z: its TAP-20 is larger by 0.040 (95 % interval 0.028 to 0.053).",
    "A is ahead at every k from 1 to 3, probably.",
    "A is ahead at every k from 1 to 3. B is not.",
    "B is ahead at k = 3 to 1, but not clearly.",
    "B is ahead at k = 1 to 3, clearly (by 0.030, 0.010 to 0.050).",
    (
        "1 of the 6 pairs change places at some k from 1 to 3: C is ahead of B at k = 1, "
        "but not clearly."
    ),
    "Of the 5 clear differences, 1 remain clear there.",
    "The order of ties decides between A and C; and 1 other pair; B and C.",
    "A, B and A are identical.",
]


@pytest.mark.parametrize(("verdict", "text"), FALSE, ids=[text for _, text in FALSE])
def test_a_false_sentence_is_caught(verdict, text):
    assert untrue(Reader(CALLED)(text), verdict)


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_is_not_understood_is_refused(text):
    error_of(Reader(CALLED), text, error=UnreadableError)


CALLED = (*"ABCD", "PSI-BLAST", "MMseqs2 s=7.5")


ROUNDED = [
    ("0.040", 0.0404, True),
    ("0.040", 0.0406, False),
    ("−0.001", -0.0014, True),
    ("−0.001", 0.001, False),
    ("0.000", 0.0, True),
    ("0.000", 0.0004, False),
    ("0.0004", 0.0004, True),
    ("−0.00003", -0.00003, True),
    ("−0.000", -0.0, False),
    ("1,234.568", 1234.5678, True),
]


@pytest.mark.parametrize(("text", "value", "right"), ROUNDED)
def test_a_number_is_what_rounding_makes_of_it(text, value, right):
    assert is_number(text, value) == right


def test_what_nobody_is_told_is_missed():
    told = [text for _, text in FOUR_TOLD]
    read = Reader(CALLED)
    claims = read(" ".join(told))
    assert not untrue(claims, FOUR)
    assert not unsaid(claims, FOUR)
    for text in told[:-1]:
        assert unsaid(read(" ".join([one for one in told if one != text])), FOUR), text
    assert unsaid(read(" ".join(told[:2])), NOTHING) == ["no verdict"]
    assert unsaid(read("A and B are identical."), FLAT)[0] == "every program"
