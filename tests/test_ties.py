"""Records of equal score: every rule against all orders of small tie blocks, and golden cases."""

from functools import cache, partial
from itertools import chain, groupby, permutations, product
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import measures as m
from tapviz.measures._common import as_lists
from tapviz.measures.tap import _trimmed_mean
from tests import twins
from tests.refused import refuses
from tests.strategies import any_lists, rebuilt, seeded_lists, signed, thresholds, whole_lists
from tests.test_golden import SOURCES, load
from tests.twins import GOLDEN, Query, build, golden, plain

MISC = golden("misc/cases.json")
ROC = golden("roc/cases.json")["cases"]
TIE_CASES = MISC["tie policies (exhaustive permutations)"]
TRIMMED = MISC["trimmed means (scipy.stats.trim_mean: floor(p*n) cut at each end)"]

RULES = ("listed", "optimistic", "pessimistic", "expected", "block", "docid")
# Rules that need no ids of records, and orders.
PLAIN_RULES, ORDERS = RULES[:-1], (RULES[1], RULES[2], RULES[5])
# "\U00010000" is after "\uffff" by code point and by the bytes of UTF-8, but not of UTF-16.
IDS = ("a", "a1", "B", "b", "", "é", "\uffff", "\U00010000")
EPSILON = 1e-12
close = partial(twins.close, tolerance=EPSILON)


@cache
def orders(block):
    """All orders of a tie block that can be told apart; equally many permutations make each."""
    return sorted(set(permutations(block)))


def blocks(query):
    tied = groupby(query.records, key=lambda record: record[0])
    return [tuple(relevant for _, relevant in block) for _, block in tied]


def arrangements(query):
    for chosen in product(*(orders(block) for block in blocks(query))):
        yield list(chain.from_iterable(chosen))


def precisions(seen):
    found, summed = 0, 0.0
    for rank, relevant in enumerate(seen, start=1):
        found += relevant
        summed += found / rank if relevant else 0
    return summed


def block_precisions(query):
    rank, found, summed = 0, 0, 0.0
    for block in blocks(query):
        rank, found = rank + len(block), found + sum(block)
        summed += sum(block) * found / rank
    return summed


def summed(query, rule):
    """Sum of the precisions at the relevant records of a whole list."""
    if rule == "listed":
        return precisions([relevant for _, relevant in query.records])
    if rule == "block":
        return block_precisions(query)
    values = [precisions(seen) for seen in arrangements(query)]
    return {"optimistic": max(values), "pessimistic": min(values)}.get(rule, float(np.mean(values)))


def slow_tap(lists, e0, rule):
    values = []
    for query in plain(lists):
        number = len(twins.retrieved(lists, query, e0))
        part = query._replace(records=query.records[:number])
        sentinel = sum(relevant for _, relevant in part.records) / number if number else 0
        value = (summed(part, rule) + sentinel) / (query.total + 1)
        values.append(value if query.total else 1 / (number + 1))
    return values


def slow_pooled(lists, n, *, relevant_first):
    records = [record for query in plain(lists) for record in query.records]
    total = sum(query.total for query in plain(lists))
    if not total:
        return nan
    records.sort(key=lambda record: (lists.sign * record[0], record[1] != relevant_first))
    heights, found = [], 0
    for _, relevant in records:
        found += relevant
        if not relevant:
            heights.append(found)
    heights += [found] * n
    return sum(heights[:n]) / (n * total)


@st.composite
def lists_with_ids(draw):
    whole = draw(whole_lists())
    size = whole.score.size
    ids = draw(st.lists(st.sampled_from(IDS), min_size=size, max_size=size))
    named = with_ids(whole, ids)
    keep = draw(st.lists(st.booleans(), min_size=whole.n_queries, max_size=whole.n_queries))
    return draw(st.sampled_from((named, named.subset(np.array(keep, bool)))))


def with_ids(lists, ids):
    classes = [f"class {q}" for q in lists.query]
    n_irrelevant = np.full(lists.n_queries, 99)
    return rebuilt(lists, record=ids, query_class=classes, n_irrelevant=n_irrelevant)


def sorted_by_id(lists):
    """Sort every list anew, by score and by the bytes of the id, descending."""
    found = []
    for query, start in zip(plain(lists), lists.offset, strict=False):
        ids = lists.record[start : start + len(query.records)]
        both = list(zip(query.records, [name.encode() for name in ids], strict=True))
        both.sort(key=lambda pair: pair[1], reverse=True)
        both.sort(key=lambda pair: lists.sign * pair[0][0])
        found.append(query._replace(records=[record for record, _ in both]))
    return build(found, lists.direction)


ONE = build([Query(4, 1.0, [(1, True), (2, False), (2, True), (2, True), (3, False), (3, True)])])


def test_sums_by_hand():
    # I R R and I R share a score each, after one relevant record.
    by_hand = {
        "listed": 1 + 2 / 3 + 3 / 4 + 4 / 6,
        "optimistic": 1 + 2 / 2 + 3 / 3 + 4 / 5,
        "pessimistic": 1 + 2 / 3 + 3 / 4 + 4 / 6,
        # RRI, RIR and IRR; then RI and IR.
        "expected": 1 + ((1 + 1) + (1 + 3 / 4) + (2 / 3 + 3 / 4)) / 3 + (4 / 5 + 4 / 6) / 2,
        "block": 1 + 2 * 3 / 4 + 4 / 6,
    }
    for rule in PLAIN_RULES:
        value = by_hand[rule]
        assert m.average_precision(ONE, ties=rule).per_query == close([value / 4])
        found = m.tap(ONE, 3, ties=rule)
        assert (found.per_query, found.ties) == (close([(value + 4 / 6) / 5]), rule)
    # Up to the second block, the third is of no consequence.
    assert m.tap(ONE, 2.5, ties="optimistic").value == close((3 + 3 / 4) / 5)


def test_reorder_by_hand():
    named = with_ids(ONE, ["x", "c", "é", "d", "a", "a"])
    expected = {
        "optimistic": ([1, 1, 1, 0, 1, 0], "xédcaa"),
        "pessimistic": ([1, 0, 1, 1, 0, 1], "xcédaa"),
        "docid": ([1, 1, 1, 0, 0, 1], "xédcaa"),
    }
    for rule in ORDERS:
        found = m.reorder(named, rule)
        assert (found.relevant.tolist(), "".join(found.record)) == expected[rule]
        assert found.score.tolist() == ONE.score.tolist()


def test_brackets_by_hand():
    # Two lists with a record each at the same score: which one is first decides everything.
    lists = build([Query(1, 1.0, [(0, False), (1, True)]), Query(1, 3.0, [(1, False), (1, True)])])
    assert m.pooled_roc_n_bracket(lists, n=1) == (0, 0)
    # Errors at 0 and 1; with the second, at best two relevant records are before it.
    assert m.pooled_roc_n_bracket(lists, n=2) == close((0, (0 + 2) / (2 * 2)))
    # A third error never comes: the curve stays at 2.
    assert m.pooled_roc_n_bracket(lists, n=3) == close((2 / 6, 4 / 6))
    assert m.mean_roc_n_bracket(lists, n=1) == (0, 3 / 4)
    own = m.tie_bracket(m.roc_n, lists, n=1, ties="listed")
    assert (own.low.per_query.tolist(), own.high.per_query.tolist()) == ([0, 0], [0, 1])
    found = m.tie_bracket(lambda lists: m.tap(lists, 1).value, lists)
    assert found == close(((1 / 2 + 1 / 2) / 2, (1 / 2 + 3 * (1 + 1 / 2) / 2) / 4))


def test_any_result_of_a_measure_has_a_bracket():
    lists = build([Query(1, 1.0, [(1, False), (1, True)])])
    bracket = m.tie_bracket(m.tap, lists, 1)
    assert (bracket.low.value, bracket.high.value) == (1 / 2, 3 / 4)
    assert m.tie_bracket(lambda _: "nothing", lists) == ("nothing", "nothing")


@given(any_lists)
def test_average_precision_against_all_orders(lists):
    for rule in PLAIN_RULES:
        expected = [summed(q, rule) / q.total if q.total else nan for q in plain(lists)]
        assert m.average_precision(lists, ties=rule).per_query == close(expected)


@given(any_lists, thresholds)
def test_tap_against_all_orders(lists, e0):
    e0 = signed(lists, e0)
    for rule in PLAIN_RULES:
        expected = slow_tap(lists, e0, rule)
        found = m.tap(lists, e0, ties=rule)
        assert found.per_query == close(expected)
        assert found.value == close(twins.mean(expected, lists.weight.tolist()))


@given(lists_with_ids(), thresholds)
def test_order_by_id(lists, e0):
    expected = sorted_by_id(lists)
    found = m.reorder(lists, "docid")
    assert found.relevant.tolist() == expected.relevant.tolist()
    assert found.score.tolist() == expected.score.tolist()
    e0 = signed(lists, e0)
    found, taps = m.tap(lists, e0, ties="docid"), m.tap(expected, e0)
    assert found.per_query.tolist() == taps.per_query.tolist()
    precisions = m.average_precision(expected).per_query
    assert m.average_precision(lists, ties="docid").per_query == close(precisions)


@given(any_lists, st.integers(1, 3))
def test_tap_k_and_the_curve_follow_the_rule(lists, k):
    for rule in PLAIN_RULES:
        at = m.tap_k(lists, k=k, short_lists="worst_score", ties=rule)
        assert at.ties == rule
        assert at.per_query == close(slow_tap(lists, at.e0, rule))
        curve = m.tap_curve(lists, ties=rule)
        assert curve.tap == close([m.tap(lists, e0, ties=rule).value for e0 in curve.threshold])


@given(any_lists)
def test_reordered_lists_are_the_same_but_for_the_order(lists):
    for rule in ORDERS[:2]:
        found = m.reorder(lists, rule)
        for field in ("score", "offset", "n_relevant", "weight", "query", "direction"):
            np.testing.assert_array_equal(getattr(found, field), getattr(lists, field))
        assert found.rows.tolist() == lists.rows.tolist()
        start = 0
        for query in plain(lists):
            for block in blocks(query):
                expected = sorted(block, reverse=rule == "optimistic")
                assert found.relevant[start : start + len(block)].tolist() == expected
                start += len(block)


def test_ids_classes_and_totals_survive_and_the_reordering_is_kept():
    lists = seeded_lists(3)
    named = with_ids(lists, [str(number) for number in range(lists.score.size)])
    part = named.subset(np.arange(named.n_queries) % 2 == 0)
    part = part.with_weights(np.arange(1.0, part.n_queries + 1))
    for rule in ORDERS:
        found = m.reorder(part, rule)
        assert found.whole is m.reorder(named, rule)
        assert found.weight.tolist() == part.weight.tolist()
        assert found.query_class.tolist() == part.query_class.tolist()
        assert found.n_irrelevant.tolist() == [99] * part.n_queries
        was = dict(zip(part.record, zip(part.score, part.relevant, strict=True), strict=True))
        now = dict(zip(found.record, zip(found.score, found.relevant, strict=True), strict=True))
        assert now == was
        assert found.record.tolist() != part.record.tolist()


def assert_pooled_bracket(lists, n):
    low, high = (slow_pooled(lists, n, relevant_first=first) for first in (False, True))
    assert m.pooled_roc_n_bracket(lists, n=n) == close((low, high))


@given(any_lists, st.integers(1, 12))
def test_pooled_bracket_against_its_twin(lists, n):
    assert_pooled_bracket(lists, n)


@pytest.mark.parametrize("seed", range(6))
def test_pooled_bracket_of_longer_lists(seed):
    lists = seeded_lists(seed)
    for some in (lists, lists.subset(np.arange(lists.n_queries) % 3 > 0)):
        for n in (1, 5, 40, 300, 3000):
            assert_pooled_bracket(some, n)


@given(any_lists, st.integers(1, 12))
def test_own_bracket_against_its_twin(lists, n):
    """ROC_n of the worst and of the best order of each query, among all orders."""
    low, high = [], []
    for query in plain(lists):
        if not query.total:
            low.append(nan)
            high.append(nan)
            continue
        values = []
        for seen in arrangements(query):
            scores = [float(rank) for rank in range(len(seen))]
            one = query._replace(records=list(zip(scores, seen, strict=True)))
            values.append(slow_pooled(build([one]), n, relevant_first=True))
        low.append(min(values))
        high.append(max(values))
    own = m.tie_bracket(m.roc_n, lists, n=n, ties="listed")
    assert (own.low.per_query, own.high.per_query) == (close(low), close(high))
    weights = lists.weight.tolist()
    expected = (twins.mean(low, weights), twins.mean(high, weights))
    assert m.mean_roc_n_bracket(lists, n=n) == close(expected)


# What is listed, and the mean over all orders, are between the worst and the best.


def assert_inside(low, value, high):
    low, value, high = (np.asarray(x, float) for x in (low, value, high))
    np.testing.assert_array_equal(np.isnan(value), np.isnan(low))
    np.testing.assert_array_equal(np.isnan(value), np.isnan(high))
    defined = ~np.isnan(value)
    assert (low[defined] <= value[defined] + EPSILON).all()
    assert (value[defined] <= high[defined] + EPSILON).all()


@given(any_lists, thresholds, st.integers(1, 12))
def test_brackets_hold(lists, e0, n):
    e0 = signed(lists, e0)
    lowest, highest = (one.per_query for one in m.tie_bracket(m.average_precision, lists))
    assert lowest == close(m.average_precision(lists, ties="pessimistic").per_query)
    assert highest == close(m.average_precision(lists, ties="optimistic").per_query)
    at = m.tie_bracket(lambda lists: m.tap(lists, e0).value, lists)
    assert at.low == close(m.tap(lists, e0, ties="pessimistic").value)
    assert at.high == close(m.tap(lists, e0, ties="optimistic").value)
    own = m.tie_bracket(m.roc_n, lists, n=n, ties="listed")
    for bound, rule in zip(own, ("pessimistic", "optimistic"), strict=True):
        assert bound.per_query == close(m.roc_n(lists, n=n, ties=rule).per_query)
    use = lists.n_relevant > 0
    for rule in (RULES[0], RULES[3]):
        assert_inside(lowest, m.average_precision(lists, ties=rule).per_query, highest)
        assert_inside(at.low, m.tap(lists, e0, ties=rule).value, at.high)
    for rule in ("listed", "expected", "block"):
        values = m.roc_n(lists, n=n, ties=rule).per_query
        assert_inside(own.low.per_query, values, own.high.per_query)
        low, high = m.mean_roc_n_bracket(lists, n=n)
        assert_inside(low, twins.mean(values[use].tolist(), lists.weight[use].tolist()), high)
    low, high = m.pooled_roc_n_bracket(lists, n=n)
    for rule in ("expected", "block"):
        assert_inside(low, m.pooled_roc_n(lists, n=n, ties=rule), high)


@given(any_lists, st.integers(1, 12))
def test_without_ties_nothing_is_open(lists, n):
    found = []
    for place, query in enumerate(plain(lists)):
        # Different in all queries: each has its own remainder.
        records = [(100.0 * rank + place, r) for rank, (_, r) in enumerate(query.records)]
        found.append(query._replace(records=records))
    strict = build(found)
    precisions = m.average_precision(strict).per_query
    for rule in PLAIN_RULES:
        assert m.average_precision(strict, ties=rule).per_query == close(precisions)
    low = m.tie_bracket(m.roc_n, strict, n=n, ties="listed").low.per_query
    assert low == close(m.roc_n(strict, n=n).per_query)
    low, high = m.pooled_roc_n_bracket(strict, n=n)
    assert (low, high) == close((m.pooled_roc_n(strict, n=n),) * 2)


@given(any_lists)
def test_a_subset_has_the_numbers_of_lists_made_anew(lists):
    anew = rebuilt(lists)
    for rule in PLAIN_RULES:
        one, other = (m.average_precision(a, ties=rule).per_query for a in (lists, anew))
        np.testing.assert_array_equal(one, other)
    assert m.pooled_roc_n_bracket(lists, n=3) == close(m.pooled_roc_n_bracket(anew, n=3))


@pytest.mark.parametrize("case", TIE_CASES, ids=lambda case: case["id"])
def test_golden_tie_policies(case):
    groups = case["tie_groups_best_first"]
    records = [(float(place), bool(y)) for place, group in enumerate(groups) for y in group]
    lists = build([Query(case["T"], 1.0, records)])
    for rule, expected in case["ap"].items():
        assert m.average_precision(lists, ties=rule).value == pytest.approx(expected, abs=1e-9)
    for rule, expected in case["tap_whole_list"].items():
        assert m.tap(lists, np.inf, ties=rule).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("case", ROC, ids=lambda case: case["id"])
def test_golden_average_precision_of_tie_blocks(case):
    rows = np.loadtxt(GOLDEN / "roc" / case["file"], skiprows=1, ndmin=2)
    lists = as_lists((rows[:, 0] > 0, rows[:, 1]))
    expected = case["expected"].get("average_precision_tie_blocks (sklearn)", nan)
    assert np.isnan(expected) == (case["positives"] == 0)
    for ties in ("block", "listed") if case["style"] == "cont" else ("block",):  # it has no ties
        (found,) = m.average_precision(lists, ties=ties).per_query
        assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("case", TRIMMED, ids=lambda case: str(len(case["values"])))
def test_golden_trimmed_means(case):
    values = np.array(case["values"])
    for trim, expected in case["trim_mean"].items():
        found = _trimmed_mean(values, np.full(values.size, 2.0), float(trim))
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("example", ["tapnote_ex1", "tapnote_ex2", "tapnote_ex3"])
def test_apcp_of_the_note_by_its_formula(example):
    case = SOURCES[example]
    lists = load("sources", case["file"], case["direction"])
    x = case["printed"]["cutoff"]
    found = m.apcp(lists, x)
    assert found.value == pytest.approx(case["exact"]["tap"], abs=1e-9)
    values = []
    for query in plain(lists):
        seen = twins.retrieved(lists, query, x)
        p, apc_x = query.total, precisions(seen) / query.total
        p_x = sum(seen) / len(seen) if seen else 0
        values.append((p * apc_x + p_x) / (p + 1))
    assert found.per_query == close(values)
    assert found.per_query == pytest.approx(case["exact"]["taps"], abs=1e-9)


@given(any_lists, thresholds)
def test_apcp_is_tap(lists, e0):
    e0 = signed(lists, e0)
    one = m.apcp(lists, e0, no_relevant="zero", ties="expected")
    assert repr(one) == repr(m.tap(lists, e0, no_relevant="zero", ties="expected"))


NO_RULE, NO_IDS = '\'random\': expected "listed", "optimistic"', "no ids of their records"


@pytest.mark.parametrize(
    ("words", "call", "options"),
    [
        *(('expected "optimistic", "pessimistic" or "docid"', m.reorder, {"rule": wrong})
          for wrong in ("best", "expected", "", None)),
        (NO_RULE, m.average_precision, {"ties": "random"}),
        (NO_RULE, m.tap, {"e0": 1, "ties": "random"}),
        (NO_RULE, m.tap_k, {"k": 1, "ties": "random"}),
        (NO_RULE, m.tap_curve, {"ties": "random"}),
        (NO_IDS, m.reorder, {"rule": "docid"}),
        (NO_IDS, m.tap, {"e0": 1, "ties": "docid"}),
        (NO_IDS, m.average_precision, {"ties": "docid"}),
        (NO_IDS, m.precision_at, {"k": 1, "ties": "docid"}),
        *(("expected a whole number of errors", bracket, {"n": n})
          for bracket in (m.pooled_roc_n_bracket, m.mean_roc_n_bracket)
          for n in (0, 2.5, True, nan)),
    ],
)  # fmt: skip
def test_bad_rules(words, call, options):
    refuses(words, call, ONE, **options)


def test_nothing_to_order():
    nothing = build([])
    assert m.reorder(nothing, "optimistic").n_queries == 0
    assert np.isnan(m.pooled_roc_n_bracket(nothing, n=2)).all()
    assert np.isnan(m.mean_roc_n_bracket(nothing, n=2)).all()
    for rule in PLAIN_RULES:
        assert m.average_precision(nothing, ties=rule).per_query.size == 0
        assert np.isnan(m.tap(nothing, 1, ties=rule).value)
    barren = build([Query(0, 1.0, [(1, False), (1, False)])])
    assert np.isnan(m.pooled_roc_n_bracket(barren, n=2)).all()
    assert m.tap(barren, 1, ties="expected").value == close(1 / 3)
    empty = build([Query(2, 1.0, []), Query(1, 1.0, [])])
    assert m.pooled_roc_n_bracket(empty, n=2) == m.mean_roc_n_bracket(empty, n=2) == (0, 0)
