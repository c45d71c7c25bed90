"""What a query does to a score, and where pooled ROC_n is not between its parts."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import load_results
from tapviz import measures as m
from tests import twins
from tests.refused import error_of, refuses
from tests.strategies import any_lists, quantiles, rebuilt, seeded_lists
from tests.test_golden import figure_4
from tests.twins import Query, build

nan, inf = float("nan"), float("inf")


def without(lists, row):
    return lists.subset(np.arange(lists.n_queries) != row)


def supplied_twin(lists, n):
    """Errors among the first n of the pool; the last score is shared evenly."""
    wrong = sorted(
        (lists.sign * score, row)
        for row, query in enumerate(twins.plain(lists))
        for score, relevant in query.records
        if not relevant
    )
    if not wrong:
        return [0.0] * lists.n_queries
    last = wrong[min(n, len(wrong)) - 1][0]
    before = [row for score, row in wrong if score < last]
    tied = [row for score, row in wrong if score == last]
    share = (min(n, len(wrong)) - len(before)) / len(tied)
    return [before.count(row) + share * tied.count(row) for row in range(lists.n_queries)]


def assert_same(lists, k, n, quantile=0.5):
    found = m.influence(lists, k=k, n=n, quantile=quantile)
    full = m.tap_k(lists, k=k, quantile=quantile, short_lists="error")
    np.testing.assert_array_equal(found.query, lists.query)
    np.testing.assert_equal(found.pooled_roc_n, m.pooled_roc_n(lists, n=n))
    np.testing.assert_equal(found.tap, full.value)
    np.testing.assert_equal(found.e_k, nan if full.too_short else full.e0)
    rest = [without(lists, row) for row in range(lists.n_queries)]
    pooled = [m.pooled_roc_n(others, n=n) for others in rest]
    taps = [m.tap_k(others, k=k, quantile=quantile, short_lists="error") for others in rest]
    np.testing.assert_allclose(found.pooled_without, pooled, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.tap_without, [t.value for t in taps], rtol=1e-9, atol=1e-12)
    # A threshold is one of the scores: exact.
    np.testing.assert_array_equal(found.e_k_without, [nan if t.too_short else t.e0 for t in taps])
    np.testing.assert_array_equal(found.pooled_change, found.pooled_without - found.pooled_roc_n)
    np.testing.assert_array_equal(found.tap_change, found.tap_without - found.tap)
    np.testing.assert_allclose(found.supplied, supplied_twin(lists, n), rtol=1e-12, atol=1e-12)
    undefined = np.isnan([found.pooled_roc_n, *found.pooled_without]).any()
    assert bool(found.pooled_reason) == undefined
    assert bool(found.tap_reason) == np.isnan([found.tap, *found.tap_without]).any()
    return found


@given(lists=any_lists, k=st.integers(1, 5), n=st.integers(1, 25), quantile=quantiles)
def test_influence_equals_its_twin(lists, k, n, quantile):
    assert_same(lists, k, n, quantile)


@pytest.mark.parametrize("seed", range(8))
def test_influence_equals_its_twin_on_longer_lists(seed):
    lists = seeded_lists(seed, n_queries=31)
    part = lists.subset(np.arange(31) % 3 > 0)
    for k, n in ((1, 1), (3, 10), (10, 50), (20, 400), (5, 5000)):
        assert_same(lists, k, n)
        assert_same(part, k, n, 0.25)


def test_influence_equals_its_twin_on_a_bench():
    """A subset, so that the twin does not take long; weights by T."""
    lists = m.weigh(load_results()["PSI-BLAST"], "relevant")
    lists = lists.subset(np.arange(lists.n_queries) % 20 == 7)
    assert lists.n_queries == 43
    assert_same(lists, 20, 50)


# The share of the first 50 errors that d1ps9a3 supplies, and what leaving it out does, as a
# fraction of pooled ROC_50 and of TAP-20.
SUPPLIED = [("jackhmmer", 26, 0.0563, 0.00061), ("PSI-BLAST", 23.5, 0.0513, 0.00049)]


@pytest.mark.parametrize(("name", "supplied", "pooled", "tap_20"), SUPPLIED)
def test_one_query_supplies_half_of_the_pooled_errors(name, supplied, pooled, tap_20):
    lists = load_results()[name]
    found = m.influence(lists, k=20, n=50)
    row = lists.row_of("d1ps9a3")
    assert row == found.supplied.argmax() == np.abs(found.pooled_change).argmax()
    assert found.supplied[row] == pytest.approx(supplied, abs=0.05)
    assert found.supplied.sum() == pytest.approx(50, abs=1e-9)
    assert found.pooled_change[row] / found.pooled_roc_n == pytest.approx(pooled, abs=0.00005)
    assert found.tap_change[row] / found.tap == pytest.approx(tap_20, abs=0.000005)
    # The numbers are those of the other 861 queries.
    rest = without(lists, row)
    assert found.pooled_without[row] == pytest.approx(m.pooled_roc_n(rest, n=50), rel=1e-9)
    assert found.tap_without[row] == pytest.approx(m.tap_k(rest, k=20).value, rel=1e-9)
    # No query moves TAP-20 by half as much as this one moves pooled ROC_50.
    assert np.abs(found.tap_change / found.tap).max() < pooled / 2


@pytest.mark.parametrize("seed", range(4))
def test_leaving_out_suppliers_equals_its_twin(seed):
    lists, other = (seeded_lists(one, n_queries=31) for one in (seed, seed + 10))
    for n, most in ((1, 1), (10, 3), (400, 31)):
        found = m.leave_out_suppliers(lists, other, n=n, most=most)
        supplied = [supplied_twin(one, n) for one in (lists, other)]
        rows = sorted(range(31), key=lambda row: -supplied[0][row])[:most]
        rows = [row for row in rows if supplied[0][row]]
        assert found.query.tolist() == lists.query[rows].tolist()
        np.testing.assert_allclose(found.supplied, np.array(supplied)[:, rows], rtol=1e-12)
        assert found.n_suppliers == sum(share > 0 for share in supplied[0])
        assert found.n_errors == pytest.approx(sum(supplied[0]))
        for size in range(len(rows) + 1):
            rest = ~np.isin(np.arange(31), rows[:size])
            for one, pooled in zip((lists, other), found.pooled[:, size], strict=True):
                np.testing.assert_allclose(pooled, twins.pooled_roc_n(one.subset(rest), n))
        for row, *alone in zip(rows, *found.alone, strict=True):
            scores = [twins.pooled_roc_n(without(one, row), n) for one in (lists, other)]
            np.testing.assert_allclose(alone, scores)


def test_one_query_alone_may_turn_the_order():
    results = load_results()
    found = m.leave_out_suppliers(results["MMseqs2_iter3"], results["DIAMOND"], n=50)
    assert (found.turns, found.enough[0]) == (2, "d1twfa_")
    assert found.enough.tolist() == found.query[found.alone[0] > found.alone[1]].tolist()


def test_the_order_turns_where_the_first_is_ahead():
    def turns(*pooled):
        return m.Suppliers(*[np.array([])] * 2, np.array(pooled), np.array([]), 1, 1, 1, 1).turns

    assert turns([0.1, 0.2, 0.3], [0.2, 0.2, 0.2]) == 2  # equal is not ahead
    assert turns([0.1, 0.2], [0.3, 0.3]) is None
    assert turns([0.3, 0.4], [0.2, 0.2]) is None  # it was not behind
    assert turns([0.2, 0.4], [0.2, 0.2]) is None
    assert turns([0.3, 0.4]) is None


def test_influence_by_hand():
    """A: I 1, I 2, R 3; B: R 2.5, I 4; C: R 0.5, I 5. T = 1 each; n = 2, k = 1.

    The first two errors are of A, after one relevant record: (1 + 1) / (2 * 3). Without A they
    are at 4 and 5, after both: 4 / (2 * 2); without B (1 + 1) / (2 * 2); without C 0 and 0.
    """
    a, b = [(1.0, False), (2.0, False), (3.0, True)], [(2.5, True), (4.0, False)]
    c = [(0.5, True), (5.0, False)]
    found = m.influence(build([Query(1, 1.0, own) for own in (a, b, c)]), k=1, n=2)
    assert found.pooled_roc_n == pytest.approx(1 / 3)
    assert found.pooled_without.tolist() == [1, 0.5, 0]
    assert found.supplied.tolist() == [2, 0, 0]
    # First errors at 1, 4, 5: the median of two is the stricter.
    assert found.e_k == 4
    assert found.e_k_without.tolist() == [4, 1, 1]
    # At 4: A (1/3 + 1/3)/2, B (1 + 1/2)/2, C (1 + 1)/2. At 1: A 0, C 1; and B 0.
    assert found.tap == pytest.approx((1 / 3 + 3 / 4 + 1) / 3)
    assert found.tap_without == pytest.approx([(3 / 4 + 1) / 2, (0 + 1) / 2, (0 + 0) / 2])


def test_influence_undefined():
    nobody = m.influence(build([]))
    assert nobody.tap_reason == nobody.pooled_reason == "there is no query"
    assert nobody.supplied.size == nobody.tap_without.size == nobody.pooled_without.size == 0
    one = m.influence(build([Query(1, 1.0, [(1.0, True), (2.0, False)])]), k=1, n=1)
    assert (one.tap, one.pooled_roc_n) == (0.75, 1)
    assert one.tap_reason == one.pooled_reason == "there is no other query"
    assert np.isnan([one.tap_without, one.tap_change, one.pooled_without, one.e_k_without]).all()
    # One relevant query; and two of three lists have an error, without the first one of two.
    error = [(1.0, False)]
    lists = build([Query(1, 1.0, error), Query(0, 1.0, error), Query(0, 1.0, [])])
    few = m.influence(lists, k=1, quantile=0.6)
    np.testing.assert_array_equal(few.pooled_without, [nan, 0, 0])
    assert few.pooled_reason == "no other query has a relevant record"
    np.testing.assert_array_equal(few.e_k_without, [nan, nan, 1])
    said = "Without one of the queries, fewer than 60 % of the queries have 1 error."
    assert few.tap_reason == said
    barren = m.influence(build([Query(0, 1.0, []), Query(0, 1.0, [])]), k=1)
    assert barren.pooled_reason == "no query has a relevant record"
    assert barren.tap_reason == "Fewer than half of the queries have 1 error."


def distance_twin(lists, rows, n):
    """How far pooled ROC_n is outside the queries' own; negative inside."""
    queries = twins.plain(lists)
    together = build([queries[row] for row in rows], lists.direction)
    pooled = twins.pooled_roc_n(together, n)
    own = twins.roc_n(together, n)
    return max(min(own) - pooled, pooled - max(own))


def classes_twin(lists):
    """Names of the sets of queries that are a class at any level, the most specific."""
    used = [row for row in range(lists.n_queries) if lists.n_relevant[row]]
    groups = {}
    for level in (1, 2, 3, 4):
        names = {row: str(lists.query_class[row]).split(".") for row in used}
        for name in {".".join(names[row][:level]) for row in used if len(names[row]) >= level}:
            rows = [row for row in used if ".".join(names[row]).startswith(name)]
            rows = [row for row in rows if names[row][:level] == name.split(".")]
            if name and len(rows) > 1:
                groups[tuple(rows)] = name
    return groups


def check(lists, each, n, e_k):
    """Hold the numbers of a violation against those of a subset."""
    rows = each.rows.tolist()
    part = lists.subset(np.isin(np.arange(lists.n_queries), rows))
    np.testing.assert_array_equal(each.query, lists.query[rows])
    assert each.pooled_roc_n == pytest.approx(m.pooled_roc_n(part, n=n), rel=1e-12, abs=1e-12)
    np.testing.assert_array_equal(each.roc_n, m.roc_n(lists, n=n).per_query[rows])
    assert each.distance == pytest.approx(distance_twin(lists, tuple(rows), n), rel=1e-9)
    if np.isnan(e_k):
        assert np.isnan(each.tap)
        assert np.isnan(each.per_query_tap).all()
    else:
        at = m.tap(part, e_k)
        assert each.tap == pytest.approx(at.value, rel=1e-12)
        np.testing.assert_array_equal(each.per_query_tap, at.per_query)
        # Condition 6: a mean is between its parts.
        low, high = each.per_query_tap.min(), each.per_query_tap.max()
        assert low - 1e-12 <= each.tap <= high + 1e-12


def assert_same_violations(lists, n, k):
    found = m.betweenness_violations(lists, n=n, k=k, kind="both", limit=10_000)
    used = [row for row in range(lists.n_queries) if lists.n_relevant[row]]
    pairs = {rows: distance_twin(lists, rows, n) for rows in combinations(used, 2)}
    groups = classes_twin(lists) if lists.query_class is not None else {}
    classes = {name: distance_twin(lists, rows, n) for rows, name in groups.items()}
    assert found.n_pairs == len(pairs)
    assert found.n_classes == len(classes)
    assert found.n_examined == found.n_queries == len(used)
    found_pairs = [tuple(v.rows.tolist()) for v in found.violations if v.kind == "pair"]
    found_classes = [v.name for v in found.violations if v.kind == "class"]
    for own, count, distances in (
        (found_pairs, found.n_pair_violations, pairs),
        (found_classes, found.n_class_violations, classes),
    ):
        assert len(own) == count
        assert sorted(own) == sorted(one for one, by in distances.items() if by > 1e-12)
    at = m.tap_k(lists, k=k, short_lists="error")
    assert found.reason == at.reason
    np.testing.assert_equal(found.e_k, nan if at.too_short else at.e0)
    for each in found.violations:
        check(lists, each, n, found.e_k)
    distances = [each.distance for each in found.violations]
    assert distances == sorted(distances, reverse=True)
    return len(found.violations)


CLASSES = ("", "a", "a.1", "a.1.1", "a.1.1.2", "a.1.1.3", "a.1.2", "a.10.1", "b.1.1", "b.1.1")


@given(
    lists=any_lists,
    n=st.integers(1, 20),
    k=st.integers(1, 3),
    names=st.lists(st.sampled_from(CLASSES), min_size=7, max_size=7),
)
def test_violations_equal_their_twin(lists, n, k, names):
    assert_same_violations(lists, n, k)
    whole = rebuilt(lists.whole, query_class=(names * 2)[: lists.whole.n_queries])
    keep = np.isin(np.arange(whole.n_queries), lists.rows)
    assert_same_violations(whole.subset(keep), n, k)


@pytest.mark.parametrize("seed", range(6))
def test_violations_equal_their_twin_on_longer_lists(seed):
    lists = rebuilt(seeded_lists(seed), query_class=(CLASSES * 2)[:15])
    part = lists.subset(np.arange(15) % 4 > 0)
    count = sum(assert_same_violations(part, n, 2) for n in (1, 5, 40, 70, 500))
    assert count + assert_same_violations(lists, 10, 5) > 0


def test_figure_4_is_a_violation():
    found = m.betweenness_violations(figure_4(), n=50, k=20)
    (pair,) = found.violations
    assert pair.query.tolist() == ["A", "B"]
    assert pair.pooled_roc_n == pytest.approx(0.098, abs=0.0005)
    assert pair.roc_n == pytest.approx([0.971, 0.195], abs=0.0005)
    assert pair.distance == pytest.approx(0.1954 - 0.0977, abs=0.0001)
    assert pair.per_query_tap.min() < pair.tap < pair.per_query_tap.max()
    assert (found.n_pairs, found.n_pair_violations, found.n_examined) == (1, 1, 2)


def test_worst_pair_of_jackhmmer():
    lists = load_results()["jackhmmer"]
    found = m.betweenness_violations(lists, n=50, k=20, kind="both", limit=20)
    worst = found.violations[0]
    assert (worst.kind, worst.query.tolist()) == ("pair", ["d4dh2b_", "d2ok5a4"])
    assert worst.pooled_roc_n == pytest.approx(0.289, abs=0.0005)
    assert worst.roc_n == pytest.approx([0.988, 0.578], abs=0.0005)
    assert worst.tap == pytest.approx(worst.per_query_tap.mean(), rel=1e-12)
    assert found.e_k == 9.5
    assert (found.n_queries, found.n_pairs) == (862, 862 * 861 // 2)
    assert [v.kind for v in found.violations].count("pair") == 20
    assert [v.kind for v in found.violations].count("class") == 20
    for each in found.violations[::4]:
        check(lists, each, 50, found.e_k)
    # Some of the 371,091 pairs, by the pooled measure.
    shown = {tuple(v.rows.tolist()) for v in found.violations if v.kind == "pair"}
    smallest = min(v.distance for v in found.violations if v.kind == "pair")
    own = m.roc_n(lists, n=50).per_query
    for a, b in np.random.default_rng(1).integers(0, 862, (300, 2)):
        if a != b:
            pooled = m.pooled_roc_n(lists.subset(np.isin(np.arange(862), (a, b))), n=50)
            distance = max(min(own[a], own[b]) - pooled, pooled - max(own[a], own[b]))
            assert distance <= smallest or (min(a, b), max(a, b)) in shown


def test_more_queries_than_may_be_paired():
    """The queries whose absence changes pooled ROC_n most are those that are paired."""
    lists = seeded_lists(4, n_queries=30)
    full = m.betweenness_violations(lists, n=10, k=2, limit=10_000)
    found = m.betweenness_violations(lists, n=10, k=2, limit=10_000, max_queries=12)
    assert (found.n_examined, found.n_pairs) == (12, 66)
    assert found.n_queries == full.n_queries > 12
    change = np.abs(m.influence(lists, k=2, n=10).pooled_change)
    change[lists.n_relevant == 0] = -1
    chosen = np.sort(np.argsort(-change, kind="stable")[:12])
    expected = [v for v in full.violations if np.isin(v.rows, chosen).all()]
    assert 0 < len(expected) < len(full.violations)
    assert [v.query.tolist() for v in found.violations] == [v.query.tolist() for v in expected]


@pytest.mark.parametrize(
    ("of", "other"),
    [
        (lambda row: f"alpha / fold {row % 3} / family {row}", lambda row: f"alpha / fold {row}"),
        (lambda row: f"a.{row % 3}.{row}, b.1.{row}", lambda row: f"a.{row}"),
    ],
    ids=["named levels", "two classes"],
)
def test_classes_are_those_that_the_filter_knows(of, other):
    lists = rebuilt(seeded_lists(4), query_class=[of(row) for row in range(15)])
    kept = m.in_class(lists.query_class, other(1)) & (lists.n_relevant > 0)
    found = m.betweenness_violations(lists, n=10, k=2, kind="classes")
    assert found.n_classes == 4  # the one of all queries, which is known by one name, and three
    violated = [(each.name, each.rows.tolist()) for each in found.violations]
    assert violated == [(other(1), np.flatnonzero(kept).tolist())]


def test_kinds_and_limit():
    lists = rebuilt(seeded_lists(4), query_class=[f"a.{row % 2}.{row % 4}" for row in range(15)])
    both = m.betweenness_violations(lists, n=10, k=2, kind="both")
    pairs = m.betweenness_violations(lists, n=10, k=2)
    classes = m.betweenness_violations(lists, n=10, k=2, kind="classes")
    assert {v.kind for v in pairs.violations} == {"pair"}
    assert (pairs.kind, pairs.n_classes, pairs.n_class_violations) == ("pairs", 0, 0)
    assert (classes.n_pairs, classes.n_examined, classes.n_pair_violations) == (0, 0, 0)
    assert both.n_pair_violations == pairs.n_pair_violations == len(pairs.violations) > 2
    assert both.n_class_violations == classes.n_class_violations == len(classes.violations)
    two = m.betweenness_violations(lists, n=10, k=2, limit=2)
    assert [[*v.query] for v in two.violations] == [[*v.query] for v in pairs.violations[:2]]
    assert two.n_pair_violations == pairs.n_pair_violations
    assert m.betweenness_violations(lists, n=10, k=2, kind="both", limit=0).violations == ()


def test_nothing_to_pair():
    for queries in ([], [Query(1, 1.0, [])], [Query(0, 1.0, [(1.0, False)])] * 3):
        found = m.betweenness_violations(build(queries), kind="both")
        assert found.violations == ()
        assert found.n_pairs == found.n_classes == 0
    found = m.betweenness_violations(build([Query(1, 1.0, [])] * 3), kind="both")
    assert (found.n_pairs, found.violations) == (3, ())


def test_progress_is_told_and_stops_the_work():
    told = []
    lists = rebuilt(seeded_lists(4), query_class=[f"a.{row % 2}" for row in range(15)])
    given = {"n": 5, "k": 2, "progress": lambda *far: told.append(far)}
    found = m.betweenness_violations(lists, kind="both", **given)
    total = found.n_pairs + found.n_classes
    assert told[0] == (0, total)
    assert told[-1] == (total, total)
    assert sorted(told) == told
    assert len(told) == found.n_examined + found.n_classes
    told.clear()

    def stop_half_way(done, total):
        told.append(done)
        return done < total / 2

    error_of(m.betweenness_violations, lists, n=5, k=2, progress=stop_half_way, error=m.Cancelled)
    assert len(told) < found.n_examined


BETWEEN, WHOLE = m.betweenness_violations, "expected a whole number"


def others_lack_a_query(lists):
    m.leave_out_suppliers(lists, lists.subset(np.arange(15) > 0))


WRONG_OPTIONS = [
    *(
        (m.influence, wrong, "expected a")
        for wrong in ({"k": 0}, {"n": 1.5}, {"k": True}, {"quantile": 0})
    ),
    (BETWEEN, {"n": 0}, f"n = 0: {WHOLE} of errors"),
    (BETWEEN, {"k": 0}, f"k = 0: {WHOLE} of errors"),
    (BETWEEN, {"limit": -1}, f"limit = -1: {WHOLE} of violations, at least 0"),
    (BETWEEN, {"max_queries": 1}, f"max_queries = 1: {WHOLE} of queries, at least 2"),
    (BETWEEN, {"max_queries": 1.5}, f"max_queries = 1.5: {WHOLE}"),
    (BETWEEN, {"kind": "triples"}, "kind 'triples': expected"),
    (others_lack_a_query, {}, "others: expected lists of the same queries"),
    (m.leave_out_suppliers, {"n": 0}, f"^n = 0: {WHOLE} of errors"),
    (m.leave_out_suppliers, {"most": 0}, f"^most = 0: {WHOLE} of queries, at least 1"),
]


@pytest.mark.parametrize(("measure", "wrong", "message"), WRONG_OPTIONS)
def test_options_are_checked(measure, wrong, message):
    refuses(message, measure, seeded_lists(1), **wrong)
