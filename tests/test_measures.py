"""The measures: against their slow twins, by hand, and where they are undefined."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import load_results
from tapviz import measures as m
from tapviz.lists import RetrievalLists
from tapviz.measures import _common
from tests import twins
from tests.refused import refuses
from tests.strategies import (
    any_lists,
    quantiles,
    rebuilt,
    seeded_lists,
    signed,
    thresholds,
    views,
    whole_lists,
)
from tests.twins import Query, build

nan, inf = float("nan"), float("inf")

LEVELS = (0.0, 0.07, 1 / 3, 0.5, 0.99, 1.0)
FEW = (0.001, 0.0)
MANY = (inf, 0.0, 1e-180, 0.001, 0.001, 5e-8, -1.0, 1.2, 10.0)


# Every measure, with its twin.


def every_curve(curve):
    """Of all queries together: recall, precision, score and rank at each relevant record."""
    return lambda lists: [
        np.concatenate([[], *(curve(lists, q)[place] for q in range(lists.n_queries))])
        for place in range(4)
    ]


def tap_twin(lists, e0, **options):
    seen = [twins.retrieved(lists, query, e0) for query in twins.plain(lists)]
    return *twins.tap(lists, e0, **options), [s.count(True) for s in seen], [*map(len, seen)]


TWINS = {
    "errors_per_query": (m.errors_per_query, ".!", twins.errors_per_query),
    "average_precision": (m.average_precision, "per_query", twins.average_precision),
    "precision_recall_curve": (
        every_curve(m.precision_recall_curve),
        "0 1 2! 3!",
        every_curve(twins.precision_recall_curve),
    ),
    "mean_precision_recall": (
        lambda lists: m.mean_precision_recall(lists, LEVELS),
        "precision",
        lambda lists: twins.mean_precision_recall(lists, LEVELS),
    ),
    "mean_recall": (m.mean_recall, ".", twins.mean_recall),
    "retrieved_at": (m.retrieved_at, "relevant! irrelevant! mean_recall", twins.retrieved_at),
    "error_threshold": (m.error_threshold, "e_k! reached", twins.error_threshold),
    "epq_distribution": (
        m.epq_distribution,
        "minimum! q1 median mean q3 maximum!",
        twins.epq_distribution,
    ),
    "tap": (m.tap, "value per_query relevant! retrieved!", tap_twin),
    "tap_k": (m.tap_k, "value per_query e0!", twins.tap_k),
    "tap_curve": (m.tap_curve, "threshold! tap peak_threshold! peak_tap", twins.tap_curve),
    "roc_n": (m.roc_n, "per_query", twins.roc_n),
    "pooled_roc_n": (m.pooled_roc_n, ".", twins.pooled_roc_n),
    "roc_n_curve": (
        m.roc_n_curve,
        "average pooled errors!",
        lambda lists, n: (*twins.roc_n_curve(lists, n), range(1, n + 1)),
    ),
}
"""A measure; what of its result its twin returns, `.` the result itself; and the twin.

Numbers are equal up to rounding; those with `!`, thresholds and counts, exactly.
"""
THRICE = ("reference", "zero", "exclude")
CASES = [
    *(("errors_per_query", {"at": 0.001}), ("mean_recall", {"at": 0.07})),
    *((name, {}) for name in ("average_precision", "precision_recall_curve")),
    *(("mean_precision_recall", {}), ("retrieved_at", {"at": MANY})),
    *(("error_threshold", {"k": k, "weighted": w}) for k in (1, 2, 5) for w in (True, False)),
    *(
        ("epq_distribution", {"at": at, "quantile_rule": rule})
        for at in (FEW, MANY)
        for rule in ("errors", "linear")
    ),
    *(("tap", {"at": 1.0, "no_relevant": rule}) for rule in THRICE),
    *(("tap_curve", {"no_relevant": rule}) for rule in THRICE),
    *(("tap_k", {"k": 3, "short_lists": short}) for short in ("worst_score", "error", "pad")),
    *(
        ("roc_n", {"n": n, "ties": ties, "beyond": beyond})
        for n in (1, 3, 50)
        for ties in ("block", "expected", "listed")
        for beyond in ("flat", "observed", "nan")
    ),
    *(("pooled_roc_n", {"n": n, "ties": t}) for n in (1, 3, 50) for t in ("block", "expected")),
    *(("roc_n_curve", {"n": n}) for n in (1, 3, 50)),
]


def called(function, lists, at=None, **options):
    """The result of a measure or twin, `at` thresholds as for ascending scores."""
    if at is None:
        return function(lists, **options)
    given = [signed(lists, e0) for e0 in at] if isinstance(at, tuple) else signed(lists, at)
    return function(lists, given, **options)


def part(found, field):
    if field == ".":
        return found
    return found[int(field)] if field.isdigit() else getattr(found, field)


def measured(name, lists, **options):
    """What a measure finds: the same things, in the same order, as its twin."""
    measure, fields, _ = TWINS[name]
    found = called(measure, lists, **options)
    return [part(found, field) for field in fields.replace("!", "").split()]


def by_twin(name, lists, **options):
    _, fields, twin = TWINS[name]
    found = called(twin, lists, **options)
    return found if " " in fields else [found]


def assert_same(name, options, found, expected):
    for field, *both in zip(TWINS[name][1].split(), found, expected, strict=True):
        rounding = 0 if field.endswith("!") else 1e-12
        one, other = (np.asarray(values, float) for values in both)
        np.testing.assert_allclose(
            one, other, rtol=rounding, atol=rounding, err_msg=f"{field} of {name}, {options}"
        )


def assert_twins(name, lists, **options):
    assert_same(name, options, measured(name, lists, **options), by_twin(name, lists, **options))


@given(lists=any_lists)
def test_measures_equal_their_twins(lists):
    for name, options in CASES:
        assert_twins(name, lists, **options)


@pytest.mark.parametrize("seed", range(6))
def test_measures_equal_their_twins_on_longer_lists(seed):
    lists = seeded_lists(seed)
    for name, options in CASES:
        assert_twins(name, lists, **options)
        assert_twins(name, lists.subset(np.arange(lists.n_queries) % 3 > 0), **options)


@given(lists=views())
def test_subset_measures_as_lists_made_anew(lists):
    whole, anew = rebuilt(lists.whole), rebuilt(lists)
    for name, options in CASES:
        for one, other in ((lists, anew), (lists.whole, whole)):
            assert_same(name, options, *(measured(name, of, **options) for of in (one, other)))


@given(
    lists=any_lists,
    k=st.integers(1, 6),
    quantile=quantiles,
    short_lists=st.sampled_from(("worst_score", "error", "pad")),
    weighted_threshold=st.booleans(),
    no_relevant=st.sampled_from(("reference", "zero", "exclude")),
)
def test_tap_k_equals_its_twin_with_any_options(lists, **options):
    assert_twins("tap_k", lists, **options)


@given(
    lists=whole_lists(weighted=False),
    k=st.integers(1, 4),
    trim=st.sampled_from((0.1, 0.2, 0.25, 1 / 3, 0.49)),
    no_relevant=st.sampled_from(("reference", "zero", "exclude")),
)
def test_trimmed_mean_equals_its_twin(lists, k, **options):
    assert_twins("tap_k", lists, k=k, **options)
    assert_twins("tap", lists, at=1.0, **options)


@given(lists=any_lists, e0=thresholds)
def test_thresholds_of_any_value(lists, e0):
    assert_twins("tap", lists, at=e0)
    for name in ("retrieved_at", "epq_distribution"):
        assert_twins(name, lists, at=(e0,))


ONE = build([Query(4, 1.0, [(1.0, True), (2.0, False), (3.0, True), (4.0, False), (5.0, True)])])
"""Relevant records at ranks 1, 3 and 5; a fourth was not retrieved."""

TIED = build([Query(3, 1.0, [(1.0, True), (2.0, True), (2.0, False), (2.0, False), (3.0, False)])])
"""A relevant and two irrelevant records share a score; one relevant record was not retrieved."""

# First error at 2, 4 and 1; second error at 3, 9 and never.
THREE = build(
    [
        Query(2, 1.0, [(1.0, True), (2.0, False), (3.0, False)]),
        Query(1, 2.0, [(2.0, True), (4.0, False), (9.0, False)]),
        Query(3, 4.0, [(1.0, False), (5.0, True)]),
    ]
)

BARREN = build([Query(0, 1.0, [(1.0, False), (2.0, False)]), Query(0, 1.0, [])])
"""No query has a relevant record in the database."""

NOTHING = build([])
EMPTY_LISTS = build([Query(2, 1.0, []), Query(0, 1.0, [])])


TAP_OF_ONE = [
    (0.5, 0),
    (1.0, (1 / 1 + 1 / 1) / 5),  # the sentinel is relevant: its precision counts twice
    (2.0, (1 / 1 + 1 / 2) / 5),
    (3.0, (1 / 1 + 2 / 3 + 2 / 3) / 5),
    (4.5, (1 / 1 + 2 / 3 + 2 / 4) / 5),
    (5.0, (1 / 1 + 2 / 3 + 3 / 5 + 3 / 5) / 5),
    (inf, (1 / 1 + 2 / 3 + 3 / 5 + 3 / 5) / 5),
]


@pytest.mark.parametrize(("e0", "expected"), TAP_OF_ONE)
def test_tap_by_hand(e0, expected):
    assert m.tap(ONE, e0).value == pytest.approx(expected, abs=1e-15)


def test_tap_keeps_tied_records_together():
    found = m.tap(TIED, 2.0)
    assert (found.retrieved.tolist(), found.relevant.tolist()) == ([4], [2])
    assert found.value == pytest.approx((1 / 1 + 2 / 2 + 2 / 4) / 4, abs=1e-15)


NO_RELEVANT = [("reference", (1 / 3 + 1) / 2), ("zero", 0), ("exclude", nan)]


@pytest.mark.parametrize(("rule", "expected"), NO_RELEVANT)
def test_tap_without_relevant_records(rule, expected):
    found = m.tap(BARREN, 2.0, no_relevant=rule)
    assert found.value == pytest.approx(expected, nan_ok=True)
    assert (found.n_no_relevant, found.n_empty) == (2, 1)
    assert found.reason == ("no query has a relevant record" if rule == "exclude" else "")


def test_error_threshold_is_an_order_statistic():
    assert m.error_threshold(THREE, k=1, weighted=False).e_k == 2
    # Two of four queries: the stricter of the two middle ones, and nothing between them.
    four = build([*twins.plain(THREE), Query(1, 1.0, [(7.0, False)])])
    assert m.error_threshold(four, k=1, weighted=False).e_k == 2
    # The weight of 4 of 7 has its first error at 1.
    assert m.error_threshold(THREE, k=1).e_k == 1
    assert m.error_threshold(THREE, k=2, quantile=1 / 7).e_k == 3
    assert m.error_threshold(THREE, k=2, quantile=3 / 7).e_k == 9
    short = m.error_threshold(THREE, k=2)
    assert np.isnan(short.e_k)
    assert short.reached == pytest.approx(3 / 7)
    assert short.reason == "Fewer than half of the queries have 2 errors."


def test_tap_k_by_hand():
    found = m.tap_k(THREE, k=1, weighted_threshold=False)  # at 2: R I | R | I
    assert found.e0 == 2
    assert found.per_query == pytest.approx([(1 + 1 / 2) / 3, (1 + 1) / 2, 0])
    assert found.value == pytest.approx((1 * 0.5 + 2 * 1 + 4 * 0) / 7)
    assert not found.too_short
    assert found.reached == pytest.approx(1)
    assert (found.k, found.quantile) == (1, 0.5)


TAP_OF_THREE = [
    ("worst_score", 9, (1 * (1 + 1 / 3) / 3 + 2 * (1 + 1 / 3) / 2 + 4 * (1 / 2 + 1 / 2) / 4) / 7),
    ("pad", nan, (1 * 1 / 3 + 2 * 1 / 2 + 4 * (1 / 2) / 4) / 7),
    ("error", inf, nan),
]


@pytest.mark.parametrize(("rule", "e0", "expected"), TAP_OF_THREE)
def test_short_lists_by_hand(rule, e0, expected):
    found = m.tap_k(THREE, k=2, short_lists=rule)
    assert found.too_short
    assert found.e0 == pytest.approx(e0, nan_ok=True)
    assert found.value == pytest.approx(expected, nan_ok=True)
    assert found.reached == pytest.approx(3 / 7)
    reason = "Fewer than half of the queries have 2 errors." if rule == "error" else ""
    assert found.reason == reason


def test_tap_curve_by_hand():
    found = m.tap_curve(ONE)
    assert found.threshold.tolist() == [1, 2, 3, 4, 5]
    assert found.tap == pytest.approx(np.array([2, 3 / 2, 7 / 3, 13 / 6, 43 / 15]) / 5, abs=1e-15)
    assert (found.peak_threshold, found.start) == (5, 0)
    assert found.peak_tap == pytest.approx(43 / 75)
    assert found.at(np.array([0.5, 3.5, 99]), ONE.sign) == pytest.approx([0, 7 / 15, 43 / 75])


def test_tap_curve_names_the_strictest_threshold_of_a_plateau():
    found = m.tap_curve(
        build([Query(1, 1.0, [(1.0, False), (2.0, False)]), Query(1, 1.0, [(3.0, False)])])
    )
    assert found.tap.tolist() == [0, 0, 0]
    assert (found.peak_threshold, found.peak_tap) == (1, 0)


def test_peak_is_the_strictest_whatever_the_rounding():
    def query(labels):
        return Query(labels.count("R"), 1.0, [(float(i), x == "R") for i, x in enumerate(labels)])

    found = m.tap_curve(build([query("RR"), query("RII"), query("RIIR")]))
    # The mean is 7/9 at 0 and again at 3, where it is a sum of more numbers.
    assert found.tap == pytest.approx([7 / 9, 3 / 4, 19 / 27, 7 / 9])
    assert found.peak_threshold == 0


ROC_N_OF_ONE = [
    (1, "flat", 1 / 4),
    (2, "flat", (1 + 2) / 8),
    (3, "flat", (1 + 2 + 3) / 12),
    (3, "observed", (1 + 2) / 8),
    (3, "nan", nan),
]


@pytest.mark.parametrize(("n", "rule", "expected"), ROC_N_OF_ONE)
def test_roc_n_by_hand(n, rule, expected):
    assert m.roc_n(ONE, n=n, beyond=rule).per_query == pytest.approx([expected], nan_ok=True)


def test_roc_n_crosses_ties_on_a_diagonal():
    # From 1 to 2 relevant records over two errors: after one error the curve is at 3/2.
    assert m.roc_n(TIED, n=1).per_query == pytest.approx([(1 + 3 / 2) / 2 / 3])
    assert m.roc_n(TIED, n=2).per_query == pytest.approx([(1 + 2) / 2 * 2 / 6])
    assert m.roc_n(TIED, n=3).per_query == pytest.approx([(3 + 2) / 9])
    assert m.roc_n(TIED, n=1, ties="listed").per_query == pytest.approx([2 / 3])
    # In a third of the orders of the three, the relevant one is first of all.
    assert m.roc_n(TIED, n=1, ties="expected").per_query == pytest.approx([(1 + 1 / 3) / 3])
    assert m.roc_n_curve(TIED, n=4).average == pytest.approx([1.25 / 3, 1.75 / 3, 2 / 3, 2 / 3])


def test_roc_n_of_lists_without_errors():
    lists = build([Query(2, 1.0, [(1.0, True)]), Query(2, 1.0, []), Query(0, 1.0, [])])
    assert m.roc_n(lists, n=5).per_query == pytest.approx([1 / 2, 0, nan], nan_ok=True)
    assert m.roc_n(lists, n=5, beyond="observed").per_query == pytest.approx(
        [1, 0, nan], nan_ok=True
    )
    assert m.roc_n(lists, n=5, beyond="nan").per_query == pytest.approx(
        [nan, nan, nan], nan_ok=True
    )


def test_pooled_roc_n_by_hand():
    # Merged, as relevant/irrelevant at each score: 1/1 at 1, 1/1 at 2, 0/1 at 3; T = 6.
    assert m.pooled_roc_n(THREE, n=1) == pytest.approx(0.5 / 6)
    assert m.pooled_roc_n(THREE, n=2) == pytest.approx((0.5 + 1.5) / 12)
    assert m.pooled_roc_n(THREE, n=3) == pytest.approx((0.5 + 1.5 + 2) / 18)
    # Two more errors before and after the third relevant record, then flat at 3.
    assert m.pooled_roc_n(THREE, n=7) == pytest.approx((0.5 + 1.5 + 2 + 2 + 3 + 3 + 3) / 42)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 20, 21, 1000])
def test_pooled_roc_n_of_a_few_of_many_queries_is_that_of_their_lists_alone(n):
    """Most errors of the pool, and the first of them, are those of queries that are left out."""
    whole = seeded_lists(4, n_queries=200)
    parts = np.split(whole.sign * whole.score, whole.offset[1:-1])
    best = np.array([part[0] if part.size else -inf for part in parts])
    last = whole.subset(best >= np.sort(best)[-12])
    assert (~last.relevant).sum() > 20
    assert m.pooled_roc_n(last, n=n) == m.pooled_roc_n(rebuilt(last), n=n)
    curve, alone = m.roc_n_curve(last, n=n), m.roc_n_curve(rebuilt(last), n=n)
    assert curve.pooled.tolist() == alone.pooled.tolist()


def test_precision_and_recall_by_hand():
    curve = m.precision_recall_curve(ONE, "1")
    assert curve.recall == pytest.approx([1 / 4, 2 / 4, 3 / 4])
    assert curve.precision == pytest.approx([1, 2 / 3, 3 / 5])
    assert (curve.score.tolist(), curve.rank.tolist()) == ([1, 3, 5], [1, 3, 5])
    assert curve.n_relevant == 4
    assert m.average_precision(ONE).per_query == pytest.approx([(1 + 2 / 3 + 3 / 5) / 4])
    assert m.mean_recall(ONE, 3.0) == pytest.approx(2 / 4)
    mean = m.mean_precision_recall(ONE, [0, 0.25, 0.26, 0.5, 0.75, 0.76, 1])
    assert mean.precision == pytest.approx([1, 1, 2 / 3, 2 / 3, 3 / 5, 0, 0])


def test_interpolated_precision_is_the_best_at_or_beyond_a_recall():
    late = build([Query(3, 1.0, [(1.0, False), (2.0, True), (3.0, True), (4.0, True)])])
    found = m.mean_precision_recall(late, [0, 1 / 3, 2 / 3, 1])
    assert found.precision == pytest.approx([3 / 4, 3 / 4, 3 / 4, 3 / 4])


def test_recall_levels_are_met_whatever_their_rounding():
    every = build([Query(100, 1.0, [(float(i), i % 2 == 0) for i in range(200)])])
    found = m.mean_precision_recall(every)
    # At a recall of j / 100 the j-th relevant record is the best there is.
    assert found.precision == pytest.approx([1] + [j / (2 * j - 1) for j in range(1, 101)])


def test_mean_precision_recall_counts_queries_left_out():
    found = m.mean_precision_recall(build([Query(1, 1.0, [(1.0, True)]), Query(0, 1.0, [])]))
    assert (found.n_queries, found.n_no_relevant) == (1, 1)
    assert found.precision.tolist() == [1] * 101


def test_epq_quantiles_by_hand():
    lists = build([Query(0, 1.0, [(float(i), False) for i in range(n)]) for n in (0, 1, 2, 6)])
    found = m.epq_distribution(lists, [99.0])
    assert [c.item() for c in found[1:7]] == [0, 1, 2, 2.25, 6, 6]
    linear = m.epq_distribution(lists, [99.0], quantile_rule="linear")
    assert [c.item() for c in linear[1:7]] == [0, 0.75, 1.5, 2.25, 3, 6]
    assert found.n_queries == 4


def test_weights_move_epq_quantiles_and_mean():
    lists = build([Query(0, w, [(1.0, False)] * n) for n, w in ((0, 1.0), (1, 1.0), (4, 6.0))])
    assert [c.item() for c in m.epq_distribution(lists, [1.0])[1:7]] == [0, 4, 4, 25 / 8, 4, 4]


@pytest.mark.parametrize("short", ["worst_score", "pad"])
def test_no_query(short):
    found = m.tap_k(NOTHING, k=1, short_lists=short)
    assert found.reason == m.tap(NOTHING, 1.0).reason == "there is no query"
    assert np.isnan([found.value, found.e0, m.mean_recall(NOTHING, 1.0)]).all()
    assert np.isnan(m.pooled_roc_n(NOTHING))
    assert np.isnan(m.epq_distribution(NOTHING, [1.0]).median).all()
    assert np.isnan(m.mean_precision_recall(NOTHING).precision).all()


def test_no_relevant_record_anywhere():
    assert np.isnan([m.pooled_roc_n(BARREN), m.mean_recall(BARREN, 1.0)]).all()
    for measure in (m.roc_n, m.average_precision):
        assert np.isnan(measure(BARREN).per_query).all()
    assert np.isnan(m.roc_n_curve(BARREN).average).all()
    assert np.isnan(m.mean_precision_recall(BARREN).precision).all()
    curve = m.tap_curve(BARREN, no_relevant="exclude")
    assert np.isnan([*curve.tap, curve.peak_threshold]).all()


def test_empty_lists_score_zero():
    found = m.tap_k(EMPTY_LISTS, k=1, short_lists="worst_score")
    assert found.per_query.tolist() == [0, 1]  # retrieving nothing is right for the second
    assert found.too_short
    assert np.isnan(found.e0)
    assert found.n_empty == 2
    assert m.average_precision(EMPTY_LISTS).per_query[0] == 0
    assert m.pooled_roc_n(EMPTY_LISTS) == 0
    curve = m.tap_curve(EMPTY_LISTS)
    assert curve.threshold.size == 0
    assert np.isnan(curve.peak_tap)
    assert curve.start == 0.5


NO_COUNTS = (0, -1, 2.5, nan, inf, True, "5")
OF_K, OF_N = (m.tap_k, m.error_threshold), (m.roc_n, m.pooled_roc_n, m.roc_n_curve)
OF_E0 = (m.tap, m.errors_per_query, m.mean_recall)
REFUSED = [
    *((m_, [], {"k": k}, f"k = {k}: expected a whole number of errors")
      for m_ in OF_K for k in NO_COUNTS),
    *((m_, [], {"n": n}, f"n = {n}: expected a whole number of errors")
      for m_ in OF_N for n in NO_COUNTS),
    *((m_, [], {"k": 1, "quantile": wrong}, f"quantile = {wrong}: expected a fraction")
      for m_ in OF_K for wrong in (0, -0.5, 1.5, nan)),
    *((m_, [nan], {}, "e0 is NaN: expected a threshold") for m_ in OF_E0),
    (m.epq_distribution, [[1.0, nan]], {}, "e0 is NaN"),
    (m.epq_distribution, [[1.0, 2.0, 3.0, 4.0, nan]], {}, "thresholds: there is a NaN"),
    (m.retrieved_at, [[nan]], {}, "thresholds: there is a NaN"),
    (m.tap, [1.0], {"no_relevant": "drop"}, "no_relevant 'drop': expected "),
    (m.tap_curve, [], {"no_relevant": "drop"}, "no_relevant 'drop': expected "),
    (m.tap_k, [], {"k": 1, "no_relevant": "drop"}, "no_relevant 'drop': expected "),
    (m.tap_k, [], {"k": 1, "short_lists": "drop"}, "short_lists 'drop': expected "),
    (m.roc_n, [], {"ties": "drop"}, "ties 'drop': expected "),
    (m.roc_n, [], {"beyond": "drop"}, "beyond 'drop': expected "),
    (m.epq_distribution, [[1]], {"quantile_rule": "drop"}, "quantile_rule 'drop': expected "),
    *((m.tap, [1.0], {"trim": wrong}, f"trim = {wrong}: expected a fraction")
      for wrong in (-0.1, 0.5, nan)),
    (m.tap_k, [], {"k": 1, "trim": 0.1}, "trim: a trimmed mean needs queries of equal weight"),
    *((m.mean_precision_recall, [[0.5, wrong]], {}, "recall: expected levels from 0 to 1")
      for wrong in (-0.01, 1.01, nan)),
]  # fmt: skip
"""A measure, what it is told besides lists, and how it begins to refuse."""


@pytest.mark.parametrize(("measure", "told", "options", "words"), REFUSED)
def test_what_is_refused(measure, told, options, words):
    refuses(f"^{words}", measure, THREE, *told, **options)


def test_a_rule_of_ties_is_checked_of_no_query_too():
    refuses(r"^ties 'drop': expected ", m.roc_n, NOTHING, ties="drop")


def test_whole_numbers_of_any_type_are_counts():
    for k in (2, 2.0, np.int64(2), np.float64(2)):
        assert m.tap_k(THREE, k=k).k == 2
        assert m.roc_n(THREE, n=k).per_query.tolist() == m.roc_n(THREE, n=2).per_query.tolist()


def test_a_trimmed_mean_of_equal_weights():
    assert m.tap(THREE.with_weights([3, 3, 3]), 9.0, trim=0.4).value == pytest.approx(4 / 9)


@given(any_lists)
def test_tap_of_many_thresholds_is_tap_of_each(lists):
    thresholds = np.sort(lists.sign * np.unique(lists.whole.score))
    table = m.tap_at_thresholds(lists, lists.sign * np.array([-inf, *thresholds]))
    for row, key in zip(table, [-inf, *thresholds], strict=True):
        np.testing.assert_array_equal(row, m.tap(lists, lists.sign * key).per_query)
    assert m.tap_at_thresholds(lists, []).shape == (0, lists.n_queries)
    refuses("strict to loose", m.tap_at_thresholds, lists, lists.sign * np.array([1.0, 0.1]))


@pytest.mark.parametrize("direction", ["ascending", "descending"])
@pytest.mark.parametrize("base", [1.0, -1.0, 0.0])
def test_scores_that_differ_in_their_last_bits_only(base, direction):
    rng = np.random.default_rng(5)
    step = np.spacing(base)
    sign = 1 if direction == "ascending" else -1
    queries = []
    for _ in range(40):
        keys = np.sort(base + rng.integers(-30, 30, 25) * step)
        found = [(sign * float(key), bool(rng.random() < 0.4)) for key in keys]
        queries.append(Query(sum(relevant for _, relevant in found) + 1, 1.0, found))
    lists = build(queries, direction)
    curve = m.tap_curve(lists)
    threshold, value, *_ = twins.tap_curve(lists)
    assert curve.threshold.tolist() == threshold
    assert curve.tap == pytest.approx(value, rel=1e-12)
    assert m.pooled_roc_n(lists, n=30) == pytest.approx(twins.pooled_roc_n(lists, 30), rel=1e-12)


@pytest.mark.parametrize("query", ["4", 3, -4])
def test_query_that_is_not_there(query):
    refuses("no query", m.precision_recall_curve, THREE, query, error=KeyError)


def test_roc_n_ends_with_the_last_irrelevant_record_of_the_database():
    # + - + -, T = 2, F = 2: ROC_2 is (1 + 2) / (2 * 2), and so is every ROC_n beyond.
    records = {"score": [1, 2, 3, 4], "relevant": [1, 0, 1, 0], "offset": [0, 4], "n_relevant": [2]}
    known = RetrievalLists(**records, n_irrelevant=[2])
    assert m.roc_n(known, n=2).per_query == m.roc_n(known, n=50).per_query == pytest.approx([0.75])
    # Unknown: the curve goes on at 2 of 2.
    assert m.roc_n(RetrievalLists(**records), n=50).per_query == pytest.approx([(1 + 49 * 2) / 100])


def test_pooled_roc_n_of_a_billion_errors_takes_no_memory_for_them():
    lists = load_results("profiles")["RPS-BLAST"]
    tracemalloc.start()
    value = m.pooled_roc_n(lists, n=1_000_000_000)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    low, high = m.pooled_roc_n_bracket(lists, n=1_000_000_000)
    assert low <= value <= high
    assert most < 100_000_000
    few = RetrievalLists([1.0, 2.0, 3.0], [1, 0, 1], [0, 3], [4])
    assert m.pooled_roc_n(few, n=10_000_000) == pytest.approx((0.25 + 9_999_999 * 0.5) / 10_000_000)


@pytest.mark.parametrize("measure", [m.roc_n, m.pooled_roc_n, m.pooled_roc_n_bracket])
@pytest.mark.parametrize("n", [10**10, 10**19, 10**30, 1e300])
def test_more_errors_than_can_be_counted_are_refused(measure, n):
    with pytest.raises(ValueError, match="at least 1 and at most 1,000,000,000"):
        measure(load_results("profiles")["RPS-BLAST"], n=n)


@pytest.mark.parametrize("shape", [(0, 3, 2), (5, 3, 2), (7, 400, 200), (3, 600, 600)])
@pytest.mark.parametrize("longest", [0, 2**28])
def test_a_product_in_parts_is_the_product(shape, longest, monkeypatch):
    monkeypatch.setattr(_common, "LONG", longest)
    rng = np.random.default_rng(0)
    rows, columns = (rng.integers(0, 9, size) * 1.0 for size in (shape[:2], shape[1:]))
    assert np.array_equal(_common.product_of(rows, columns), rows @ columns)
