"""No table of numbers may exist for which a sentence is false, nor one that a reader must guess at.

The sentences are read by `tests.verdict_reader`, written without the code that words them.
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
from tests.strategies import examples
from tests.test_words_of_verdict import CASES
from tests.verdict_judge import Judge, unsaid, untrue
from tests.verdict_reader import Reader
from tests.verdict_tables import made

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
    claims = assert_true(found, (*results,))
    assert not untrue(claims, found_anew(found, results))
