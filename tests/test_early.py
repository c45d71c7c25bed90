"""BEDROC and the enrichment factor: RDKit's numbers, cases by hand, and what lists leave open."""

from __future__ import annotations

import json
from math import exp
from pathlib import Path

import numpy as np
import pytest

from tapviz import RetrievalLists
from tapviz.measures import bedroc, enrichment_factor
from tapviz.scores import named

pytestmark = pytest.mark.core

GOLDEN = json.loads((Path(__file__).parent / "golden/early/rdkit.json").read_text())["cases"]


def of_ranks(ranks: list[int], length: int, total: int, n_relevant: int) -> RetrievalLists:
    """One list of some length with relevant records at these ranks, of a database of some size."""
    relevant = np.isin(np.arange(1, length + 1), ranks)
    score = np.arange(length, dtype=np.float64)
    return RetrievalLists(
        score, relevant, [0, length], [n_relevant], n_irrelevant=[total - n_relevant]
    )


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: str(case["n"]))
def test_golden_rdkit(case):
    lists = of_ranks(case["relevant"], case["n"], case["n"], len(case["relevant"]))
    for alpha, expected in case["bedroc"].items():
        assert bedroc(lists, alpha=float(alpha)).value == pytest.approx(expected, abs=1e-12)
    for percent, expected in case["ef"].items():
        found = enrichment_factor(lists, percent=float(percent)).value
        assert found == pytest.approx(expected, rel=1e-12)


def test_bedroc_by_hand():
    """Relevant records have ranks 1 and 3 of 4; 1 and 2 would be best, 3 and 4 worst."""
    lists = of_ranks([1, 3], 4, 4, 2)
    at = [exp(-8 * rank / 4) for rank in (1, 2, 3, 4)]
    expected = (at[0] + at[2] - at[2] - at[3]) / (at[0] + at[1] - at[2] - at[3])
    assert bedroc(lists, alpha=8).value == pytest.approx(expected)


def test_records_not_retrieved_come_last():
    whole = of_ranks([1, 3, 99, 100], 100, 100, 4)
    cut = of_ranks([1, 3], 5, 100, 4)
    assert bedroc(cut).value == pytest.approx(bedroc(whole).value, rel=1e-12)
    for percent in (1, 3, 50):
        assert enrichment_factor(cut, percent=percent).value == pytest.approx(
            enrichment_factor(whole, percent=percent).value
        )
    assert enrichment_factor(cut, percent=3).value == pytest.approx(2 * 100 / (4 * 3))


def test_seven_percent_of_a_hundred_are_seven():
    """0.07 * 100 is 7.000000000000001 in binary; the eighth record must not count."""
    assert enrichment_factor(of_ranks([8], 100, 100, 1), percent=7).value == 0
    assert enrichment_factor(of_ranks([7], 100, 100, 1), percent=7).value == pytest.approx(100 / 7)


def test_undefined_without_the_size_of_the_database():
    unknown = RetrievalLists([0.1, 0.2], [True, False], [0, 2], [1])
    for found in (bedroc(unknown), enrichment_factor(unknown)):
        assert np.isnan(found.value)
        assert found.reason == "it is undefined for every query"
    assert np.isnan(bedroc(of_ranks([1, 2], 2, 2, 2)).value)  # nothing irrelevant to come after


@pytest.mark.parametrize("alpha", [0, -1, np.inf, np.nan])
def test_alpha_is_refused(alpha):
    with pytest.raises(ValueError, match=r"alpha = .*: expected a positive number"):
        bedroc(of_ranks([1], 2, 2, 1), alpha=alpha)


@pytest.mark.parametrize("percent", [0, 100.5, np.nan])
def test_percentage_is_refused(percent):
    with pytest.raises(ValueError, match="expected a percentage above 0 and at most 100"):
        enrichment_factor(of_ranks([1], 2, 2, 1), percent=percent)


def test_as_scores_of_tables():
    lists = of_ranks([1, 3], 5, 100, 4)
    assert named("bedroc@20").measure(lists) == bedroc(lists).value
    assert named("ef@5").title == "EF 5 %"
    assert named("ef@5").measure(lists) == enrichment_factor(lists, percent=5).value
    with pytest.raises(ValueError, match="expected a percentage after @, such as ef@1"):
        named("ef@101")
