"""What must hold whatever the lists."""

from functools import partial

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tapviz import measures as m
from tests.strategies import (
    SCORES,
    WEIGHTS,
    any_lists,
    directions,
    examples,
    mirrored,
    quantiles,
    rebuilt,
    signed,
    thresholds,
    whole_lists,
)
from tests.twins import Query, build, close, plain

ks = st.integers(1, 6)
ns = st.integers(1, 30)
some_lists = whole_lists(min_queries=1)

# Sums in another order are rounded otherwise, in the last digits of numbers up to 1.
ROUNDING = 1e-12


approx = partial(close, tolerance=ROUNDING)


def everything(lists, k):
    """All numbers of the queries together but pooled ROC_n, which takes no weights."""
    found = m.tap_k(lists, k=k)
    curve, roc = m.tap_curve(lists), m.roc_n_curve(lists, n=k)
    return [
        found.value,
        curve.tap,
        curve.peak_tap,
        *m.epq_distribution(lists, curve.threshold)[1:7],
        roc.average,
        m.mean_precision_recall(lists).precision,
    ]


def per_query(lists, k):
    """All numbers of single queries."""
    found = m.tap_k(lists, k=k)
    return [
        found.per_query,
        found.retrieved,
        found.relevant,
        m.average_precision(lists).per_query,
        m.roc_n(lists, n=k).per_query,
        m.roc_n(lists, n=k, ties="listed", beyond="observed").per_query,
    ]


@given(lists=any_lists, e0=thresholds, k=ks)
def test_tap_is_between_0_and_1(lists, e0, k):
    for rule in ("worst_score", "pad"):
        values = m.tap_k(lists, k=k, short_lists=rule).per_query
        assert ((values >= 0) & (values <= 1 + ROUNDING)).all()
    found = m.tap(lists, signed(lists, e0))
    assert ((found.per_query >= 0) & (found.per_query <= 1 + ROUNDING)).all()
    assert np.isnan(found.value) or 0 <= found.value <= 1 + ROUNDING
    curve = m.tap_curve(lists).tap
    assert ((curve >= -ROUNDING) & (curve <= 1 + ROUNDING)).all()


@given(scores=st.lists(st.sampled_from(SCORES), min_size=1, max_size=20), errors=st.integers(0, 5))
def test_perfect_retrieval_scores_1(scores, errors):
    records = [(s, True) for s in sorted(scores)] + [(99.0, False)] * errors
    lists = build([Query(len(scores), 1.0, records)])
    assert m.tap(lists, max(scores)).value == 1
    assert m.average_precision(lists).per_query.tolist() == [1]
    assert m.roc_n(lists).per_query.tolist() == [1]
    assert m.tap_curve(lists).peak_tap == approx(1)


@given(lists=any_lists, e0=thresholds)
def test_curve_is_tap_at_every_threshold(lists, e0):
    at = signed(lists, e0)
    for rule in ("reference", "zero", "exclude"):
        curve = m.tap_curve(lists, no_relevant=rule)
        expected = m.tap(lists, at, no_relevant=rule).value
        assert curve.at(np.array(at), lists.sign) == approx(expected)


@given(lists=any_lists, k=ks)
def test_no_threshold_beats_the_peak(lists, k):
    curve = m.tap_curve(lists)
    if curve.threshold.size:
        assert curve.peak_tap >= m.tap_k(lists, k=k, short_lists="worst_score").value - ROUNDING
        assert m.tap(lists, curve.peak_threshold).value == approx(curve.peak_tap)


@given(one=whole_lists(min_queries=2), data=st.data(), e0=thresholds)
def test_mean_tap_of_a_union_lies_between(one, data, e0):
    # Condition 6 of the paper, which pooled ROC_n does not meet: see Figure 4 in test_golden.
    places = st.integers(0, one.n_queries - 1)
    some = data.draw(st.sets(places, min_size=1, max_size=one.n_queries - 1))
    mask = np.isin(np.arange(one.n_queries), list(some))
    at = signed(one, e0)
    parts = [m.tap(one.subset(part), at).value for part in (mask, ~mask)]
    assert min(parts) - ROUNDING <= m.tap(one, at).value <= max(parts) + ROUNDING


def test_pooled_roc_n_of_a_union_may_lie_outside():
    good = Query(2, 1.0, [(5.0, True), (6.0, True), (7.0, False), (8.0, False)])
    fair = Query(2, 1.0, [(1.0, False), (2.0, False), (3.0, True), (4.0, True)])
    both = build([good, fair._replace(records=[(0.5, True), *fair.records[:3]])])
    parts = [m.pooled_roc_n(both.subset(part), n=2) for part in ([True, False], [False, True])]
    assert parts == [1, 0.5]
    assert m.pooled_roc_n(both, n=2) == 0.25


@given(lists=whole_lists(), k=ks, random=st.randoms())
def test_order_of_queries_is_of_no_consequence(lists, k, random):
    order = list(range(lists.n_queries))
    random.shuffle(order)
    queries = plain(lists)
    other = build([queries[q] for q in order], lists.direction)
    for one, two in zip(everything(lists, k), everything(other, k), strict=True):
        assert two == approx(one)
    assert m.roc_n_curve(other, n=k).pooled == approx(m.roc_n_curve(lists, n=k).pooled)
    np.testing.assert_equal(m.error_threshold(other, k=k).e_k, m.error_threshold(lists, k=k).e_k)
    for one, two in zip(per_query(lists, k), per_query(other, k), strict=True):
        assert two == approx(one[order])


@given(lists=whole_lists(), k=ks, e0=thresholds, random=st.randoms())
def test_order_among_ties_changes_only_what_follows_the_order_listed(lists, k, e0, random):
    shuffled = []
    for query in plain(lists):
        records = list(query.records)
        random.shuffle(records)
        records.sort(key=lambda r: r[0], reverse=lists.direction == "descending")
        shuffled.append(query._replace(records=records))
    other = build(shuffled, lists.direction)
    e0 = signed(lists, e0)
    assert m.errors_per_query(other, e0).tolist() == m.errors_per_query(lists, e0).tolist()
    assert m.tap(other, e0).relevant.tolist() == m.tap(lists, e0).relevant.tolist()
    np.testing.assert_equal(m.error_threshold(other, k=k), m.error_threshold(lists, k=k))
    np.testing.assert_equal(m.tap_curve(other).threshold, m.tap_curve(lists).threshold)
    assert m.roc_n(other, n=k).per_query == approx(m.roc_n(lists, n=k).per_query)
    assert m.roc_n_curve(other, n=k).average == approx(m.roc_n_curve(lists, n=k).average)
    assert m.pooled_roc_n(other, n=k) == approx(m.pooled_roc_n(lists, n=k))
    assert m.mean_recall(other, e0) == approx(m.mean_recall(lists, e0))


@given(lists=any_lists, k=ks, quantile=quantiles)
def test_negated_scores_in_the_other_direction_are_the_same_lists(lists, k, quantile):
    both = (rebuilt(lists), mirrored(lists))
    e_k, turned = (m.error_threshold(each, k=k, quantile=quantile).e_k for each in both)
    np.testing.assert_equal(turned, -e_k)
    np.testing.assert_equal(*(per_query(each, k) + everything(each, k)[:3] for each in both))


@given(lists=any_lists, k=ks, power=st.integers(1, 200))
def test_scaled_scores_scale_thresholds_and_nothing_else(lists, k, power):
    factor = 2.0**power  # a power of two, so that equal scores stay equal and others different
    other, same = both = rebuilt(lists, score=lists.score * factor), rebuilt(lists)
    np.testing.assert_equal(m.tap_k(other, k=k).e0, factor * m.tap_k(same, k=k).e0)
    scaled, e_k = (m.error_threshold(each, k=k).e_k for each in both)
    np.testing.assert_equal(scaled, factor * e_k)
    assert m.pooled_roc_n(other, n=k) == approx(m.pooled_roc_n(same, n=k))
    np.testing.assert_equal(*(per_query(each, k) + everything(each, k) for each in both))


@given(lists=any_lists, k=ks, first=quantiles, second=quantiles)
def test_thresholds_grow_with_k_and_quantile(lists, k, first, second):
    def place(k, quantile):
        """Threshold as it ascends; never is beyond all."""
        e_k = m.error_threshold(lists, k=k, quantile=quantile).e_k
        return float("inf") if np.isnan(e_k) else lists.sign * e_k

    low, high = sorted((first, second))
    assert place(k, low) <= place(k + 1, low)
    assert place(k, low) <= place(k, high)


@given(lists=any_lists, k=ks, quantile=quantiles)
def test_threshold_is_the_strictest_that_does(lists, k, quantile):
    e_k = m.error_threshold(lists, k=k, quantile=quantile).e_k
    needed = quantile * lists.weight.sum()

    def weight_with_errors(e0):
        return float(lists.weight[m.errors_per_query(lists, e0) >= k].sum())

    stricter = lists.score  # than never: all
    if np.isfinite(e_k):
        assert weight_with_errors(e_k) >= needed * (1 - 1e-11)
        stricter = lists.score[lists.sign * lists.score < lists.sign * e_k]
    for e0 in set(stricter.tolist()):
        assert weight_with_errors(e0) < needed


@given(lists=any_lists, k=ks, more=st.lists(thresholds, max_size=8))
def test_median_of_errors_reaches_k_exactly_at_the_threshold(lists, k, more):
    e_k = m.error_threshold(lists, k=k).e_k
    at = np.concatenate([lists.score, [signed(lists, e0) for e0 in more]])
    median = m.epq_distribution(lists, at).median
    past = np.zeros(at.size, bool) if np.isnan(e_k) else lists.sign * at >= lists.sign * e_k
    np.testing.assert_array_equal(median >= k, past)


@given(
    lists=some_lists,
    e0=st.sampled_from(SCORES),
    beyond=st.sampled_from((1.001, 30.0)),
    data=st.data(),
)
def test_errors_past_a_threshold_change_nothing_at_it(lists, e0, beyond, data):
    e0 = signed(lists, e0)
    new = signed(lists, max(abs(e0) * beyond, 1e-200))
    queries = plain(lists)
    place = data.draw(st.integers(0, lists.n_queries - 1))
    records = [*queries[place].records, (new, False)]
    records.sort(key=lambda r: lists.sign * r[0])
    queries[place] = queries[place]._replace(records=records)
    other = build(queries, lists.direction)
    before, after = m.tap(lists, e0), m.tap(other, e0)
    assert after.per_query.tolist() == approx(before.per_query.tolist())
    assert after.retrieved.tolist() == before.retrieved.tolist()
    assert m.errors_per_query(other, e0).tolist() == m.errors_per_query(lists, e0).tolist()
    assert m.mean_recall(other, e0) == approx(m.mean_recall(lists, e0))


@given(lists=any_lists, n=ns)
def test_curves_average_to_roc_n(lists, n):
    curve = m.roc_n_curve(lists, n=n)
    defined = lists.n_relevant > 0
    if defined.any():
        own = m.roc_n(lists, n=n).per_query[defined]
        assert curve.average.mean() == approx(np.average(own, weights=lists.weight[defined]))
        assert (np.diff(curve.average) >= -ROUNDING).all()
    assert curve.pooled.mean() == approx(m.pooled_roc_n(lists, n=n))


@given(query=some_lists, n=ns)
def test_pool_of_one_query_is_its_own(query, n):
    alone = query.subset(np.arange(query.n_queries) == 0)
    assert m.pooled_roc_n(alone, n=n) == approx(m.roc_n(alone, n=n).per_query[0])


@given(lists=whole_lists(min_queries=1, weighted=False), data=st.data(), k=ks, e0=thresholds)
def test_whole_weights_are_repeated_queries(lists, data, k, e0):
    size = lists.n_queries
    times = data.draw(st.lists(st.integers(1, 3), min_size=size, max_size=size))
    weighted = lists.with_weights(times)
    each = zip(plain(lists), times, strict=True)
    repeated = build([query for query, n in each for _ in range(n)], lists.direction)
    for one, two in zip(everything(weighted, k), everything(repeated, k), strict=True):
        assert two == approx(one)
    np.testing.assert_equal(m.tap_k(weighted, k=k).e0, m.tap_k(repeated, k=k).e0)
    assert m.mean_recall(weighted, signed(lists, e0)) == approx(
        m.mean_recall(repeated, signed(lists, e0))
    )


@given(lists=some_lists, factor=st.sampled_from(WEIGHTS), k=ks, quantile=quantiles)
def test_weights_are_relative(lists, factor, k, quantile):
    other = lists.with_weights(lists.weight * factor)
    found = [m.tap_k(each, k=k, quantile=quantile) for each in (lists, other)]
    np.testing.assert_equal(found[0].e0, found[1].e0)
    assert found[0].value == approx(found[1].value)


@examples(40)
@given(lists=some_lists, k=ks, direction=directions)
def test_measuring_twice_gives_the_same_bits(lists, k, direction):
    first = everything(lists, k) + per_query(lists, k)
    everything(lists.subset(np.arange(lists.n_queries) % 2 == (direction == "ascending")), k + 1)
    np.testing.assert_equal(everything(lists, k) + per_query(lists, k), first)
