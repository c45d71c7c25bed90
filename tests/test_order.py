"""TAP-k for every k, the order of algorithms by it, and what the page warns of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tapviz import Explorer, load_results
from tapviz.lists import RetrievalLists
from tapviz.measures import TapByK, disagreements, flips, pooled_roc_n, ranks, tap_by_k, tap_k
from tapviz.plots import PLOTS, PlotData, order
from tapviz.scores.findings import describe
from tests.strategies import any_lists, quantiles

NAN = float("nan")


def by_k(*taps: float) -> TapByK:
    return TapByK(np.array(taps), np.ones(len(taps)))


@given(any_lists, quantiles)
def test_every_k_is_tap_k(lists: RetrievalLists, quantile: float) -> None:
    found = tap_by_k(lists, max_k=9, quantile=quantile)
    for k in range(1, 10):
        one = tap_k(lists, k=k, quantile=quantile, short_lists="error")
        e0 = one.e0 if np.isfinite(one.value) else NAN
        assert found.tap[k - 1] == pytest.approx(one.value, nan_ok=True, rel=1e-12, abs=1e-15)
        assert found.e0[k - 1] == pytest.approx(e0, nan_ok=True, rel=0)


@pytest.mark.parametrize(("most", "quantile"), [(0, 0.5), (5, 0.0), (5, 1.5)])
def test_senseless_ranges_are_refused(most: int, quantile: float) -> None:
    lists = RetrievalLists([1.0], [True], [0, 1], [1])
    with pytest.raises(ValueError, match="expected at least 1, and a fraction above 0"):
        tap_by_k(lists, max_k=most, quantile=quantile)


def test_flips_are_where_the_order_changes_however_long_it_is_equal_between() -> None:
    taps = {"A": by_k(0.5, 0.4, 0.4, 0.3), "B": by_k(0.4, 0.4, 0.5, 0.5), "C": by_k(0, 0, 0, 0)}
    assert flips(taps) == [(3, "B", "A")]
    assert flips({"A": by_k(0.5, 0.4), "B": by_k(0.4, 0.4)}) == []
    assert flips({"A": by_k(0.5, NAN, 0.1), "B": by_k(0.4, 0.4, 0.4)}) == [(3, "B", "A")]


def test_equal_ones_share_their_ranks_and_undefined_ones_have_none() -> None:
    taps = {"A": by_k(0.5, 0.2), "B": by_k(0.5, NAN), "C": by_k(0.1, 0.3)}
    assert ranks(taps) == pytest.approx(np.array([[1.5, 2], [1.5, NAN], [3, 1]]), nan_ok=True)
    assert ranks({}).size == 0


def test_disagreements_are_pairs_in_another_order_the_clearest_first() -> None:
    tap = {"A": 0.9, "B": 0.5, "C": 0.4, "D": NAN}
    assert disagreements(tap, {"A": 0.3, "B": 0.2, "C": 0.1, "D": 1}) == []
    assert disagreements(tap, {"A": 0.1, "B": 0.1, "C": 0.2, "D": 1}) == [("A", "C"), ("B", "C")]


@pytest.fixture(scope="module")
def bench() -> dict[str, RetrievalLists]:
    return load_results("scope40")


def test_the_bundled_bench_has_a_flip(bench: dict[str, RetrievalLists]) -> None:
    pair = {name: tap_by_k(bench[name]) for name in ("SSEARCH", "MMseqs2_iter3")}
    assert flips(pair) == [(2, "SSEARCH", "MMseqs2_iter3")]
    before = [tap_k(bench[name], k=1).value for name in pair]
    after = [tap_k(bench[name], k=2).value for name in pair]
    assert before[0] < before[1]
    assert after[0] > after[1]
    assert "from k = 2 on SSEARCH ranks above MMseqs2_iter3" in order.text(pair)


def test_pooled_and_tap_disagree_on_the_bundled_bench(bench: dict[str, RetrievalLists]) -> None:
    explorer = Explorer(bench, shown=["BLASTP", "MMseqs2_iter3"])
    (found,) = (one for one in explorer.findings() if one.kind == "order")
    assert found.algorithms == ("BLASTP", "MMseqs2_iter3")
    assert describe(found).startswith(
        "Pooled ROC_50 ranks BLASTP above MMseqs2_iter3; TAP-20 ranks it below."
    )
    assert pooled_roc_n(bench["BLASTP"], n=50) > pooled_roc_n(bench["MMseqs2_iter3"], n=50)
    explorer.algorithms = ["BLASTP", "jackhmmer"]
    assert "order" not in {one.kind for one in explorer.findings()}


def test_a_pooled_score_outside_its_parts_is_named(bench: dict[str, RetrievalLists]) -> None:
    explorer = Explorer(bench, shown=["jackhmmer"], query_text="(d4dh2b_|d2ok5a4)")
    (found,) = explorer.findings()
    assert describe(found) == (
        "Pooled ROC_50 lies outside the range of ROC_50 of the single queries: "
        "jackhmmer 0.289 is below 0.578 to 0.988"
    )


def test_lists_that_end_first_are_named_with_what_to_do(bench: dict[str, RetrievalLists]) -> None:
    explorer = Explorer(bench, shown=["DIAMOND_default"])
    found = explorer.findings()[0]
    assert (found.kind, found.numbers["k"]) == ("short_lists", 20)
    assert describe(found).startswith("The lists of DIAMOND_default end too early for E_20: ")
    assert "Run the search again with a larger E-value limit" in describe(found)
    explorer.k = 1
    assert "E_20" not in " ".join(map(describe, explorer.findings()))


def test_lines_are_minus_the_ranks_and_end_where_tap_k_is_undefined() -> None:
    def lists(*relevant: int) -> RetrievalLists:
        return RetrievalLists(np.arange(1.0, len(relevant) + 1), relevant, [0, len(relevant)], [2])

    # B, which begins with an error, is ahead from the second one on; A has no third one.
    explorer = Explorer({"A": lists(1, 0, 0), "B": lists(0, 1, 1, 0, 0), "C": lists(0)}, k=7)
    explorer.algorithms = ["A", "B"]
    drawn = PLOTS["order"].picture(PlotData(explorer)).columns
    assert drawn["curve A"]["x"].tolist() == [1, 2]
    assert drawn["curve A"]["y"].tolist() == [-1, -2]
    assert drawn["curve B"]["y"].tolist() == [-2, -1, -1]
    assert drawn["curve C"]["x"].size == 0
    assert drawn["name"]["text"].tolist() == ["A", "B"]
    # A: (1 + 1/3) / (2 + 1); B: (1/2 + 2/3 + 2/4) / (2 + 1), and (1/2 + 2/3 + 2/5) / (2 + 1).
    assert drawn["readout"]["text"][2:4].tolist() == [
        "k = 2<br><b>A</b> no. 2, TAP-2 0.444<br><b>B</b> no. 1, TAP-2 0.556",
        "k = 3<br><b>A</b> undefined<br><b>B</b> no. 1, TAP-3 0.522",
    ]
    assert drawn["line"]["x"].tolist() == [7, 7]


def test_words_of_one_algorithm_and_of_no_flip() -> None:
    assert order.text({"A": by_k(1.0)}).startswith("Fewer than two algorithms")
    same = {"A": by_k(0.5, 0.4), "B": by_k(0.4, 0.3)}
    assert order.text(same) == (
        "The ranking of the algorithms by TAP-k is the same for every k from 1 to 2; "
        "A has no TAP-k beyond."
    )


def test_words_name_the_last_k_that_all_have() -> None:
    falling = np.linspace(0.5, 0.1, 100)
    long, none = by_k(*falling), by_k(*[NAN] * 100)
    short = by_k(*np.where(np.arange(100) < 32, falling - 0.05, NAN))
    same = "The ranking of the algorithms by TAP-k is the same for every k from 1 to "
    assert order.text({"A": long, "B": short}) == f"{same}32; B has no TAP-k beyond."
    assert order.text({"A": long, "B": short, "C": none}) == f"{same}32; B has no TAP-k beyond."
    assert order.text({"A": long, "B": by_k(*falling / 2)}) == f"{same}100."
    assert order.text({"A": by_k(0.5, 0.4), "B": by_k(0.4, NAN)}) == (
        "The ranking of the algorithms by TAP-k is known at k = 1 only; B has no TAP-k beyond."
    )
    assert order.text({"A": long, "C": none}) == (
        "Fewer than two of the algorithms have a TAP-k: there is no ranking."
    )
