"""Ranking scenarios and the likelihood ratio: golden cases, slow twins, cases by hand."""

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz.measures.roc_shapes import element_wise, group_wise, likelihood_ratio
from tests.refused import refuses
from tests.twins import close, golden

MISC = golden("misc/cases.json")
(CASES,) = (cases for title, cases in MISC.items() if title.startswith("scenarios"))


def twin_auc(relevant, score):
    """Share of the pairs that the relevant item wins, ties counting half."""
    kinds = {True: [], False: []}
    for kind, value in zip(relevant, score, strict=True):
        kinds[kind].append(value)
    wins = [(p > n) + (p == n) / 2 for p in kinds[True] for n in kinds[False]]
    return sum(wins) / len(wins) if wins else nan


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_scenarios_of_scikit_learn(case):
    data = (case["similarity_test_by_train"], case["test_labels"], case["train_labels"])
    element = element_wise(*data)
    assert element.per_item == close(case["element_wise_auc_per_positive_query"])
    assert element.value == close(case["element_wise_mean"])
    assert element.item.tolist() == np.flatnonzero(case["test_labels"]).tolist()
    assert element.n_relevant + element.n_irrelevant == len(case["train_labels"])
    best = group_wise(*data)
    assert (best.score, best.value) == (close(case["S_plus"]), close(case["group_wise_auc"]))
    ratio = group_wise(*data, score="likelihood_ratio")
    assert ratio.score == close(case["likelihood_ratio"])
    assert ratio.value == close(case["group_wise_auc_likelihood_ratio"])
    assert (best.n_relevant, best.n_irrelevant) == (ratio.n_relevant, ratio.n_irrelevant)
    assert best.n_relevant == sum(case["test_labels"])
    scenarios = ["element-wise", "group-wise", "group-wise, likelihood ratio"]
    assert [element.scenario, best.scenario, ratio.scenario] == scenarios
    assert element.reason == best.reason == ratio.reason == ""


@st.composite
def tables(draw):
    """Similarities with many ties and zeros; test or train items may be of one kind."""
    train = draw(st.lists(st.booleans(), min_size=1, max_size=6))
    test = draw(st.lists(st.booleans(), min_size=1, max_size=6))
    values = st.sampled_from((0.0, 0.0, 0.5, 1.0, 3.0))
    row = st.lists(values, min_size=len(train), max_size=len(train))
    return draw(st.lists(row, min_size=len(test), max_size=len(test))), test, train


@given(data=tables())
def test_scenarios_equal_their_twins(data):
    similarity, test, train = data
    found = element_wise(*data)
    rows = [row for row, relevant in zip(similarity, test, strict=True) if relevant]
    values = [twin_auc(train, row) for row in rows]
    assert found.per_item == close(values)
    assert found.value == close(sum(values) / len(values) if values else nan)
    assert bool(found.reason) == np.isnan(found.value)

    def largest(row, kind):
        return max((v for v, relevant in zip(row, train, strict=True) if relevant == kind))

    both = any(train) and not all(train)
    plus = [largest(row, True) if any(train) else nan for row in similarity]
    best = group_wise(*data)
    assert best.score == close(plus)
    assert best.value == close(twin_auc(test, plus) if any(train) else nan)
    assert bool(best.reason) == np.isnan(best.value)
    ratio = [nan] * len(test)
    if both:
        minus = [largest(row, False) for row in similarity]
        ratio = [p / m if m else (inf if p else 1.0) for p, m in zip(plus, minus, strict=True)]
    likely = group_wise(*data, score="likelihood_ratio")
    np.testing.assert_array_equal(likely.score, ratio)
    np.testing.assert_array_equal(likelihood_ratio(similarity, train), ratio)
    assert likely.value == close(twin_auc(test, ratio) if both else nan)
    assert bool(likely.reason) == np.isnan(likely.value)


def test_ratio_to_a_similarity_of_zero():
    similarity = [[2.0, 1.0, 4.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [9, 0, 0]]
    assert likelihood_ratio(similarity, [1, 0, 0]).tolist() == [0.5, inf, 1, 0, inf]
    # Ranked inf, inf, 1, 0.5, 0: the relevant 1 and 0.5 come before one of three each.
    found = group_wise(similarity, [1, 0, 1, 0, 0], [1, 0, 0], score="likelihood_ratio")
    assert found.value == close(2 / 6)
    assert group_wise(similarity, [0, 1, 0, 0, 0], [1, 0, 0], "likelihood_ratio").value == 3.5 / 4


def test_ratio_beyond_all_numbers_is_infinite():
    assert likelihood_ratio([[1e300, 1e-300]], [1, 0]).tolist() == [inf]


def test_negative_similarities_have_no_ratio_but_a_maximum():
    similarity = [[-3.0, -1.0], [-2.0, 5.0]]
    expected = r"^similarity of test item 1 and training item 1: .* at least 0, found -3\.0$"
    for call in (
        lambda: likelihood_ratio(similarity, [1, 0]),
        lambda: group_wise(similarity, [0, 1], [1, 0], score="likelihood_ratio"),
    ):
        refuses(expected, call)
    found = group_wise(similarity, [0, 1], [1, 0])
    assert (found.score.tolist(), found.value) == ([-3, -2], 1)


SQUARE = [[1.0, 2.0], [3.0, 4.0]]


ONE_KIND = [
    ([0, 0], [0, 1], "no relevant test", "no relevant test", "no relevant test"),
    ([1, 1], [0, 1], "", "no irrelevant test", "no irrelevant test"),
    ([0, 1], [0, 0], "no relevant training", "no relevant training", "no relevant training"),
    ([0, 1], [1, 1], "no irrelevant training", "", "no irrelevant training"),
]


@pytest.mark.parametrize(("test", "train", "element", "best", "ratio"), ONE_KIND)
def test_items_of_one_kind(test, train, element, best, ratio):
    for found, missing in (
        (element_wise(SQUARE, test, train), element),
        (group_wise(SQUARE, test, train), best),
        (group_wise(SQUARE, test, train, score="likelihood_ratio"), ratio),
    ):
        assert found.reason == (f"there is {missing} item" if missing else "")
        assert np.isnan(found.value) == bool(missing)


def test_no_items():
    nothing = np.zeros((0, 0))
    assert element_wise(nothing, [], []).reason == "there is no relevant training item"
    assert group_wise(nothing, [], []).reason == "there is no relevant training item"
    assert likelihood_ratio(nothing, []).size == 0
    assert np.isnan(element_wise(nothing, [], []).value)


BAD_DATA = [
    ([1.0, 2.0], [1], [0, 1], r"^similarity: expected test items by training items, found"),
    ([[1.0, nan]], [1], [0, 1], r"^similarity of test item 1 and training item 2: nan is not"),
    ([[1.0, inf]], [1], [0, 1], r"^similarity of test item 1 and training item 2: inf is not"),
    ([[1.0, 2.0]], [1, 0], [0, 1], r"^test_relevant: expected 1 of true or false, found an"),
    ([[1.0, 2.0]], [1], [1], r"^train_relevant: expected 2 of true or false, found an array"),
    ([[1.0, 2.0]], [2], [0, 1], r"^test_relevant: expected only true and false, or 1 and 0"),
    ([[1.0, 2.0]], [1], [0, -1], r"^train_relevant: expected only true and false, or 1 and 0"),
]


@pytest.mark.parametrize(("similarity", "test", "train", "message"), BAD_DATA)
def test_data_are_checked(similarity, test, train, message):
    refuses(message, element_wise, similarity, test, train)
    refuses(message, group_wise, similarity, test, train)


def test_score_is_checked():
    refuses(r"^score 'drop': expected ", group_wise, SQUARE, [0, 1], [0, 1], score="drop")
