"""When a process that serves pages collects garbage."""

import gc
import weakref

import pytest

from tapviz.live.gc_tuning import GcTuning
from tests.refused import refuses


class Page:
    """Something that only a garbage collection frees."""

    def __init__(self):
        self.itself = self


class Time:
    """A clock that stands still until a test moves it, and an event loop that goes by it."""

    def __init__(self):
        self.now = 1000.0
        self._calls = []

    def clock(self):
        return self.now

    def call_later(self, delay, call):
        self._calls.append((self.now + delay, call))

    def move(self, seconds):
        end = self.now + seconds
        while due := [pair for pair in self._calls if pair[0] <= end]:
            first = min(due, key=lambda pair: pair[0])
            self._calls.remove(first)
            self.now = first[0]
            first[1]()
        self.now = end


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def tuning(time):
    yield GcTuning(quiet=5, patience=60, clock=time.clock, call_later=time.call_later)
    gc.unfreeze()


def closed_page(tuning):
    page = Page()
    tuning.page_opened()
    tuning.page_closed()
    return weakref.ref(page)


def test_a_closed_page_is_freed_once_no_page_changes(tuning, time):
    tuning.start()
    page = closed_page(tuning)
    for _ in range(15):
        tuning.page_changed()
        time.move(1)
        assert page() is not None
    time.move(3.9)
    assert page() is not None
    time.move(0.1)
    assert page() is None


def test_a_closed_page_is_freed_though_pages_change_all_the_time(tuning, time):
    tuning.start()
    page = closed_page(tuning)
    for _ in range(59):
        tuning.page_changed()
        time.move(1)
        assert page() is not None
    for _ in range(6):
        tuning.page_changed()
        time.move(1)
    assert page() is None


def test_one_collection_for_pages_closed_together(tuning, time):
    tuning.start()
    pages = [closed_page(tuning), closed_page(tuning)]
    time.move(5)
    assert [page() for page in pages] == [None, None]
    later = closed_page(tuning)
    time.move(5)
    assert later() is None


def test_other_collections_pass_over_the_pages_there_are(tuning):
    tuning.start()
    page = weakref.ref(Page())
    tuning.page_opened()
    gc.collect()
    assert page() is not None


def test_a_process_that_does_not_serve_is_left_alone(tuning, time):
    before = gc.get_freeze_count()
    tuning.page_opened()
    tuning.page_changed()
    tuning.page_closed()
    time.move(100)
    assert gc.get_freeze_count() == before


def test_a_page_closed_where_no_loop_runs_does_not_hinder_the_next_one(time):
    def no_loop(_delay, _call):
        raise RuntimeError(NO_LOOP)

    tuning = GcTuning(clock=time.clock)
    tuning.start()
    refuses("loop", tuning.page_closed, error=RuntimeError)

    broken = GcTuning(clock=time.clock, call_later=no_loop)
    broken.start()
    refuses(NO_LOOP, broken.page_closed, error=RuntimeError)
    broken._call_later = time.call_later
    page = closed_page(broken)
    time.move(5)
    assert page() is None
    gc.unfreeze()


NO_LOOP = "no running event loop"
