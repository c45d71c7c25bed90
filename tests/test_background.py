"""Slow work of a page: when it starts, what it reports, and how it is cancelled."""

import asyncio
import re
import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

from tapviz.live.background import BackgroundTask, status
from tapviz.measures import Cancelled


def run(scenario: Callable[[BackgroundTask, asyncio.Event], Any]) -> BackgroundTask:
    """A task in a running loop, with an event that is set whenever it reports."""

    async def main() -> BackgroundTask:
        reported = asyncio.Event()
        task = BackgroundTask(reported.set, rest=0, report_every=0.001)
        await asyncio.wait_for(scenario(task, reported), 60)
        return task

    return asyncio.run(main())


async def until(reported: asyncio.Event, condition: Callable[[], bool]) -> None:
    while not condition():
        reported.clear()
        await reported.wait()


def test_a_result_is_computed_once_for_a_key() -> None:
    calls = []

    async def scenario(task: BackgroundTask, reported: asyncio.Event) -> None:
        assert task.request("a", lambda _: calls.append(1) or "result") is None
        await until(reported, lambda: task.result is not None)
        assert task.request("a", lambda _: calls.append(1)) == "result"

    assert run(scenario).progress is None
    assert len(calls) == 1


def test_a_result_that_is_known_needs_no_work() -> None:
    async def scenario(task: BackgroundTask, reported: asyncio.Event) -> None:
        task.request("a", lambda _: "computed")
        assert task.request("b", lambda _: "computed", "known") == "known"
        assert (task.result, task.waiting, task.cancelled) == ("known", False, False)
        assert task.result_for("a") is None
        assert task.request("c", lambda _: "computed") is None
        await until(reported, lambda: task.result == "computed")

    run(scenario)


def test_progress_is_reported_and_work_can_be_cancelled_and_resumed() -> None:
    stopped, go_on = threading.Event(), threading.Event()

    def work(progress: Any) -> str:
        while progress(3, 4):
            if go_on.is_set():
                return "done"
        stopped.set()
        raise Cancelled

    async def scenario(task: BackgroundTask, reported: asyncio.Event) -> None:
        task.request("a", work)
        await until(reported, lambda: task.progress == (3, 4))
        assert re.search("75 %.*Cancel", status({"Work": task}, ""), re.DOTALL)
        task.cancel()
        assert task.cancelled
        assert await asyncio.to_thread(stopped.wait, 60)
        assert re.search("Work: stopped. ?<.*Compute", status({"Work": task}, ""), re.DOTALL)
        go_on.set()
        task.resume()
        await until(reported, lambda: task.result is not None)

    task = run(scenario)
    assert (task.result, task.cancelled) == ("done", False)
    assert "as it was" in status({"Work": task}, "as it was")


def test_a_change_cancels_work_that_is_out_of_date() -> None:
    async def scenario(task: BackgroundTask, reported: asyncio.Event) -> None:
        def never_ends(progress: Any) -> None:
            while progress(0, 1):
                pass
            raise Cancelled

        task.request("old", never_ends)
        await until(reported, lambda: task.progress is not None)
        task.request("new", lambda _: "new result")
        await until(reported, lambda: task.result is not None)
        task.discard()

    assert run(scenario).result is None


def test_a_value_error_is_for_the_person() -> None:
    async def scenario(task: BackgroundTask, reported: asyncio.Event) -> None:
        task.request("a", Mock(side_effect=ValueError("too <few>")))
        await until(reported, lambda: bool(task.error))

    task = run(scenario)
    assert task.error == "too <few>"
    assert "Work: too &lt;few&gt;." in status({"Work": task}, "")


def test_without_a_loop_work_waits_for_resume() -> None:
    reports = []
    task = BackgroundTask(lambda: reports.append(1))
    assert task.request("a", lambda progress: progress) is None
    assert task.cancelled
    task.request("b", lambda _progress: "result")
    task.resume()
    assert (task.result, reports) == ("result", [1])
