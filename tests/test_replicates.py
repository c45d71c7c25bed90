"""Other scores of replicates: against lists made again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import measures as m
from tapviz.lists import RetrievalLists
from tapviz.measures import bootstrap as quick_bootstrap
from tapviz.measures.intervals import percentile_interval
from tests import twins
from tests.refused import refuses
from tests.strategies import any_lists, examples, seeded_lists


def weighted(lists, weight):
    """The same lists, a query drawn c times as c queries."""
    rows = np.repeat(np.arange(lists.n_queries), weight.astype(int))
    records = np.concatenate([np.arange(*lists.offset[row : row + 2]) for row in rows] or [[]])
    at = records.astype(int)
    length = np.diff(lists.offset)[rows]
    return RetrievalLists(
        lists.score[at],
        lists.relevant[at],
        np.concatenate([[0], np.cumsum(length)]),
        lists.n_relevant[rows],
        direction=lists.direction,
    )


REPLICATES = [
    *((m.pooled_replicates, m.pooled_roc_n, {"n": n}) for n in (1, 3, 50)),
    *((m.coverage_replicates, twins.coverage_at, {"epq": epq}) for epq in (0.1, 0.5, 1, 10)),
]


@examples(150)
@given(lists=any_lists.filter(lambda lists: lists.n_queries), seed=st.integers(0, 9))
def test_replicates_are_those_of_lists_made_again(lists, seed):
    lists = lists.subset(np.ones(lists.n_queries, bool)).with_weights(np.ones(lists.n_queries))
    weight = np.random.default_rng(seed).integers(0, 4, (5, lists.n_queries)).astype(float)
    again = [weighted(lists, row) for row in weight]
    for replicates, twin, at in REPLICATES:
        found = replicates(lists, **at)(m.Drawn.singly(weight), np.zeros(5, np.int64))
        expected = [twin(one, **at) for one in again]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14, err_msg=f"{at}")


@pytest.mark.parametrize("seed", range(4))
def test_other_scores_of_replicates_are_those_of_the_measures(seed):
    lists = seeded_lists(seed, n_queries=60, longest=60)
    lists = lists.with_weights(np.ones(60))
    others = {
        "ap": m.mean_replicates(m.average_precision(lists).per_query),
        "roc_n": m.mean_replicates(m.roc_n(lists, n=5).per_query),
        "pooled": m.pooled_replicates(lists, n=5),
        "errors": m.mean_error_replicates(lists),
        "median": m.median_error_replicates(lists),
    }
    found = quick_bootstrap(
        {"a": lists, "b": lists}, k=2, n_resamples=25, others={"a": others, "b": others}
    )
    one = found.algorithms["a"]
    rng = np.random.Generator(np.random.PCG64(0))
    for r in range(25):
        drawn = weighted(lists, np.bincount(rng.integers(0, 60, 60), minlength=60))
        point = m.tap_k(drawn, k=2, short_lists="worst_score")
        for name, expected in (
            ("ap", m.average_precision(drawn).value),
            ("roc_n", m.roc_n(drawn, n=5).value),
            ("pooled", m.pooled_roc_n(drawn, n=5)),
            ("errors", m.errors_per_query(drawn, point.e0).mean()),
            # The upper one of two middle ones.
            ("median", np.sort(m.errors_per_query(drawn, point.e0))[drawn.n_queries // 2]),
        ):
            assert one.replicates.others[name][r] == pytest.approx(expected, rel=1e-12)
    for name, interval in one.others.items():
        values = one.replicates.others[name]
        estimate = interval.estimate
        expected = percentile_interval(estimate, values, 0.95, 60, one.influences.others[name])
        assert interval == pytest.approx(expected, rel=1e-12)
    assert one.others["ap"].estimate == pytest.approx(m.average_precision(lists).value, rel=1e-12)
    assert one.others["pooled"].estimate == pytest.approx(m.pooled_roc_n(lists, n=5), rel=1e-12)
    at = m.tap_k(lists, k=2).e0
    assert one.others["errors"].estimate == pytest.approx(m.errors_per_query(lists, at).mean())


def test_replicates_of_queries_whose_errors_come_last():
    """The first errors of all lists are those of a query that is left out; or of all queries."""
    scores = [*range(1, 31), 0.5, 50.0, 60.0]
    lists = RetrievalLists(scores, [*[0] * 30, 1, 0, 1], [0, 30, 33], [1, 2])
    late, nobody = (lists.subset(np.array([False, last])) for last in (True, False))

    def of(make, some, **at):
        drawn = m.Drawn.singly(np.ones((3, some.n_queries)))
        return make(some, **at)(drawn, np.zeros(3, np.int64)).tolist()

    pooled = of(m.pooled_replicates, late, n=2)
    assert pooled == pytest.approx([m.pooled_roc_n(late, n=2)] * 3, abs=1e-15)
    assert m.pooled_roc_n(late, n=2) == pytest.approx((1 + 2) / (2 * 2))
    assert np.isnan(of(m.pooled_replicates, nobody, n=2)).all()
    assert of(m.coverage_replicates, late, epq=0.5) == [0.5] * 3
    assert of(m.coverage_replicates, late, epq=1) == [1.0] * 3
    refuses("expected a positive number", m.coverage_replicates, lists, epq=0)
