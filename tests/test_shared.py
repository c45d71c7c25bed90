"""Results that several pages of a process need: each computed once, and forgotten in time."""

from __future__ import annotations

import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import pytest

from tapviz.lists import RetrievalLists
from tapviz.measures import Cancelled
from tapviz.state import Choices
from tapviz.state.numbers import Shared
from tests.test_conclusion import made


def test_threads_that_need_the_same_wait_for_the_first() -> None:
    shared, go_on, calls = Shared(keep=2), threading.Event(), []

    def compute() -> str:
        calls.append(1)
        go_on.wait(60)
        return "result"

    with ThreadPoolExecutor(3) as pool:
        work = [pool.submit(shared.once, "a", compute) for _ in range(3)]
        go_on.set()
        assert [one.result() for one in work] == ["result"] * 3
    assert len(calls) == 1


def test_who_waits_for_work_that_is_cancelled_does_it_then() -> None:
    shared, begun, go_on = Shared(keep=2), threading.Event(), threading.Event()

    def cancelled() -> str:
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


def test_only_the_latest_are_kept() -> None:
    shared = Shared(keep=2)
    for key in ("a", "b"):
        shared.once(key, key.upper)
    assert shared.known("a") == "A"  # now b is the oldest
    shared.once("c", lambda: "C")
    assert [shared.known(key) for key in "abc"] == ["A", None, "C"]


@pytest.fixture
def results() -> dict[str, RetrievalLists]:
    return {"A": made(2.0, seed=1), "B": made(0.3, seed=2)}


def test_pages_with_the_same_lists_and_choices_share_their_comparisons(
    results: dict[str, RetrievalLists],
) -> None:
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


def test_what_is_shared_keeps_no_lists_alive() -> None:
    results = {"A": made(2.0, seed=1), "B": made(0.3, seed=2)}
    Choices(results, k=5).compared(n_resamples=100)
    alive = [ref(lists) for lists in results.values()]
    del results
    gc.collect()
    assert [one() for one in alive] == [None, None]
