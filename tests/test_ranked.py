"""One ranked list laid out for reading: its rows, and Equation (1) filled in."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given

from tapviz.lists import RetrievalLists
from tapviz.measures import NoRelevant, ranked_list, tap
from tests.strategies import any_lists, signed, thresholds
from tests.test_golden import TAPK, computed, load, name

POLICIES = get_args(NoRelevant)


def made(relevant, total, *, descending=False, **more):
    """One list of records like "RIR", with scores 1, 2, ..."""
    score = np.arange(1.0, len(relevant) + 1) * (-1 if descending else 1)
    more |= {"query": ["q"], "direction": "descending" if descending else "ascending"}
    labels = [letter == "R" for letter in relevant]
    return RetrievalLists(score, labels, [0, len(relevant)], [total], **more)


def test_rows_and_terms_worked_by_hand():
    lists = made("RIRIIRI", 5, record=list("abcdefg"))
    found = ranked_list(lists, "q", 5.0)
    assert found.rank.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert found.record.tolist() == list("abcdefg")
    assert found.score.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert found.precision == pytest.approx([1, 1 / 2, 2 / 3, 2 / 4, 2 / 5, 3 / 6, 3 / 7])
    assert (found.n_retrieved, found.n_found, found.n_never) == (5, 2, 2)
    assert found.term == pytest.approx([1, 0, 2 / 3, 0, 0, 0, 0])
    assert found.tpir.tolist() == [False, False, False, True, True, False, False]
    assert (found.summed, found.sentinel) == (pytest.approx(5 / 3), pytest.approx(2 / 5))
    assert found.tap == pytest.approx((5 / 3 + 2 / 5) / 6)


def test_a_relevant_sentinel_counts_twice_and_leaves_no_tpir():
    found = ranked_list(made("RIR", 2), 0, 3.0)
    assert not found.tpir.any()
    assert found.sentinel == found.term[-1] == pytest.approx(2 / 3)
    assert ranked_list(made("RRR", 3), 0, 3.0).tap == 1


def test_before_the_first_record_nothing_is_retrieved():
    found = ranked_list(made("RI", 1), 0, 0.5)
    assert (found.n_retrieved, found.n_found, found.n_never) == (0, 0, 0)
    assert (found.summed, found.sentinel, found.tap) == (0, 0, 0)
    assert not found.tpir.any()
    assert found.precision.tolist() == [1, 0.5]


def test_without_a_relevant_record_before_the_threshold_all_are_tpirs():
    found = ranked_list(made("IIR", 1), 0, 2.0)
    assert (found.tpir.tolist(), found.tap) == ([True, True, False], 0)


def test_an_empty_list():
    found = ranked_list(made("", 3), 0, 1.0)
    assert found.rank.size == 0
    assert (found.tap, found.n_never) == (0, 3)


def test_descending_scores():
    found = ranked_list(made("RII", 1, descending=True), 0, -2.0)
    assert (found.n_retrieved, found.tap) == (2, pytest.approx((1 + 1 / 2) / 2))


@pytest.mark.parametrize(
    ("rule", "value"), [("reference", 1 / 3), ("zero", 0), ("exclude", float("nan"))]
)
def test_a_query_without_relevant_records(rule, value):
    found = ranked_list(made("III", 0), 0, 2.0, no_relevant=rule)
    assert found.tap == pytest.approx(value, nan_ok=True)
    assert found.no_relevant == rule


def test_bad_input_is_refused():
    lists = made("RI", 1)
    with pytest.raises(KeyError, match="no query 'x'"):
        ranked_list(lists, "x", 1.0)
    with pytest.raises(ValueError, match="e0 is NaN: expected a threshold"):
        ranked_list(lists, 0, float("nan"))
    with pytest.raises(ValueError, match="no_relevant 'x': expected"):
        ranked_list(lists, 0, 1.0, no_relevant="x")


def agrees(lists, e0, **policy):
    """Every query's Equation (1) equals the TAP that `tap` computes for all queries at once."""
    at = tap(lists, e0, **policy)
    for row, query in enumerate(lists.query.tolist()):
        found = ranked_list(lists, query, e0, **policy)
        np.testing.assert_array_equal(found.tap, at.per_query[row])
        assert (found.n_retrieved, found.n_found) == (at.retrieved[row], at.relevant[row])
        if found.n_relevant:
            assert (found.summed + found.sentinel) / (found.n_relevant + 1) == found.tap


@given(any_lists, thresholds)
def test_the_sum_is_the_tap_of_any_list(lists, threshold):
    for rule in POLICIES:
        agrees(lists, signed(lists, threshold), no_relevant=rule)


@given(any_lists, thresholds)
def test_rows_of_any_list(lists, threshold):
    e0 = signed(lists, threshold)
    for row in range(lists.n_queries):
        found = ranked_list(lists, row, e0)
        seen, terms, last = 0, [], 0
        for rank, relevant in enumerate(found.relevant.tolist(), start=1):
            seen += relevant
            assert found.precision[rank - 1] == seen / rank
            inside = lists.sign * found.score[rank - 1] <= lists.sign * e0
            terms.append(seen / rank if relevant and inside else 0)
            last = rank if relevant and inside else last
        assert found.term.tolist() == terms
        places = (np.flatnonzero(found.tpir) + 1).tolist()
        assert places == list(range(last + 1, found.n_retrieved + 1))
        assert found.n_never == found.n_relevant - seen


@pytest.mark.parametrize("case", TAPK, ids=name)
def test_the_sum_is_the_tap_of_golden_cases(case):
    whole = computed(case)
    lists = load("tapk", case["file"], case["direction"])
    if np.isfinite(whole.e0):
        agrees(lists, whole.e0)
