"""When a process that serves pages looks for garbage."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from tapviz.live import gc_tuning as garbage
from tapviz.live.gc_tuning import Garbage


class Page:
    """Something that only a search for garbage gives back."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Garbage]:
    monkeypatch.setattr(garbage, "QUIET", 0.05)
    yield Garbage()
    gc.unfreeze()


def left(kept: Garbage) -> weakref.ref[Page]:
    """A page that was opened and left."""
    page = Page()
    kept.opened()
    kept.left()
    return weakref.ref(page)


def test_a_page_left_is_given_back_once_no_hand_is_at_work(served: Garbage) -> None:
    async def run() -> None:
        served.serve()
        page = left(served)
        for _ in range(15):
            served.changed()
            await asyncio.sleep(0.01)
            assert page() is not None
        await asyncio.sleep(0.3)
        assert page() is None

    asyncio.run(run())


def test_a_page_left_is_given_back_though_hands_are_always_at_work(
    served: Garbage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "PATIENCE", 0.1)

    async def run() -> None:
        served.serve()
        page = left(served)
        for _ in range(50):
            served.changed()
            await asyncio.sleep(0.01)
        assert page() is None

    asyncio.run(run())


def test_other_searches_pass_over_the_pages_there_are(served: Garbage) -> None:
    served.serve()
    page = weakref.ref(Page())
    served.opened()
    gc.collect()
    assert page() is not None


def test_a_process_that_does_not_serve_is_left_alone(served: Garbage) -> None:
    before = gc.get_freeze_count()
    served.opened()
    served.left()
    assert gc.get_freeze_count() == before


def test_a_page_left_where_no_loop_runs_does_not_keep_the_next_one(served: Garbage) -> None:
    served.serve()
    with pytest.raises(RuntimeError, match="loop"):
        served.left()

    async def run() -> None:
        page = left(served)
        await asyncio.sleep(0.3)
        assert page() is None

    asyncio.run(run())
