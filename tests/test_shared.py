"""Comparisons by resampling: pages of a process share them, and what is resampled."""

import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import pandas as pd
import pytest

from tapviz import Explorer, load_results
from tapviz.lists import RetrievalLists
from tapviz.measures import Cancelled, tap_curve
from tapviz.state import Choices
from tapviz.state.numbers import Shared
from tests.test_conclusion import made


def test_threads_that_need_the_same_wait_for_the_first():
    shared, go_on, calls = Shared(keep=2), threading.Event(), []

    def compute():
        calls.append(1)
        go_on.wait(60)
        return "result"

    with ThreadPoolExecutor(3) as pool:
        work = [pool.submit(shared.once, "a", compute) for _ in range(3)]
        go_on.set()
        assert [one.result() for one in work] == ["result"] * 3
    assert len(calls) == 1


def test_who_waits_for_work_that_is_cancelled_does_it_then():
    shared, begun, go_on = Shared(keep=2), threading.Event(), threading.Event()

    def cancelled():
        begun.set()
        go_on.wait(60)
        raise Cancelled

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(shared.once, "a", cancelled)
        begun.wait(60)
        second = pool.submit(shared.once, "a", lambda: "result")
        go_on.set()
        assert isinstance(first.exception(), Cancelled)
        assert second.result() == "result"


def test_only_the_latest_are_kept():
    shared = Shared(keep=2)
    for key in ("a", "b"):
        shared.once(key, key.upper)
    assert shared.known("a") == "A"  # now b is the oldest
    shared.once("c", lambda: "C")
    assert [shared.known(key) for key in "abc"] == ["A", None, "C"]


@pytest.fixture
def results():
    return {"A": made(2.0, seed=1), "B": made(0.3, seed=2)}


def test_pages_with_the_same_lists_and_choices_share_their_comparisons(results):
    one, other = Choices(results, k=5), Choices(results, k=5)
    assert one.known is None
    found = one.compared()
    assert other.known is found
    assert other.compared() is found
    other.k = 6
    assert other.known is None
    other.k = 5
    assert other.known is found
    other.min_relevant = 13  # another selection of queries is nobody else's
    assert other.known is None


def test_what_was_measured_of_all_queries_is_left_to_the_next_page(results):
    first = Choices(results, k=5)
    curve, scores = first.measure(tap_curve, "A"), first.scores
    first.min_relevant = 13
    first.measure(tap_curve, "A")
    first.leave()  # of a selection, nothing
    assert Choices(results).measure(tap_curve, "A") is not curve
    first.clear_filter()
    curve = first.measure(tap_curve, "A")
    first.k = 9
    first.leave()
    second = Choices(results, k=5)
    assert second.measure(tap_curve, "A") is curve
    pd.testing.assert_frame_equal(second.scores, scores)  # not those at the k of the first
    assert Choices(results, k=5, reported_to={"A": 10.0}).measure(tap_curve, "A") is not curve


def test_what_is_shared_keeps_no_lists_alive():
    results = {"A": made(2.0, seed=1), "B": made(0.3, seed=2)}
    chosen = Choices(results, k=5)
    chosen.compared(n_resamples=100)
    chosen.leave()
    del chosen
    alive = [ref(lists) for lists in results.values()]
    del results
    gc.collect()
    assert [one() for one in alive] == [None, None]


def test_groups_begin_with_the_level_of_relevance_and_are_in_link_and_undo():
    explorer = Explorer(load_results(), ["BLASTP", "phmmer"], k=5)
    assert explorer.groups == 3
    assert str(explorer.compared(n_resamples=20).groups) == "431 superfamilies, 862 queries"
    assert "&groups=3&" in explorer.to_query()
    explorer.groups = 0
    assert str(explorer.compared(n_resamples=20).groups) == "862 queries"
    explorer.undo()
    assert (explorer.groups, explorer.from_query("?groups=4")) == (3, [])
    assert str(explorer.compared(n_resamples=20).groups) == "689 families, 862 queries"
    assert explorer.from_query("?groups=5") == ["groups = '5' in the address cannot be used here"]
    assert explorer.groups == 4


def test_groups_are_of_the_queries_selected():
    explorer = Explorer(load_results(), ["BLASTP", "phmmer"], k=5, query_class="c.1")
    groups = explorer.compared(n_resamples=20).groups
    selected = explorer.lists["BLASTP"].query_class.tolist()
    superfamilies = {name.rpartition(".")[0] for name in selected}
    assert (groups.unit, groups.count) == ("superfamilies", len(superfamilies))
    assert 10 < groups.count < groups.code.size == len(selected)


def test_another_level_is_another_comparison():
    explorer = Explorer(load_results("profiles"), k=5)
    key = explorer.compared_key
    explorer.groups = 0
    assert explorer.compared_key != key


def test_a_threshold_taken_for_known_makes_intervals_narrower():
    explorer = Explorer(load_results(), ["phmmer", "MMseqs2_iter3"])
    anew = explorer.compared(n_resamples=200)
    explorer.fixed_threshold = True
    assert explorer.known is None
    fixed = explorer.compared(n_resamples=200)
    for name in explorer.shown:
        one, other = (of.bootstrap.algorithms[name] for of in (anew, fixed))
        assert one.e0.low < one.e0.high
        assert other.e0.low == other.e0.high == other.e0.estimate
        assert other.tap.high - other.tap.low < one.tap.high - one.tap.low
    assert fixed.bootstrap.threshold_rule == "fixed"
    for found in (anew, fixed):
        assert found.verdict("tap") is not None
    before, after = (found.verdict("tap").pairs[0].difference for found in (anew, fixed))
    assert before.estimate == after.estimate
    assert before.low != after.low


def test_the_peak_has_an_interval_on_request():
    explorer = Explorer(load_results("profiles"), ["RPS-BLAST"], k=5)
    assert explorer.compared(n_resamples=20).bootstrap.algorithms["RPS-BLAST"].peak_reason
    explorer.peak_interval = True
    peak = explorer.compared(n_resamples=20).bootstrap.algorithms["RPS-BLAST"].peak
    assert peak.low < peak.estimate < peak.high


def test_without_classes_queries_are_single():
    explorer = Explorer({"A": RetrievalLists([1.0] * 12, [False] * 12, range(13), [1] * 12)}, k=1)
    assert explorer.groups == 0
    assert str(explorer.compared(n_resamples=20).groups) == "12 queries"
    assert explorer.from_query("?groups=1") == ["groups = '1' in the address cannot be used here"]
