"""A process that serves pages: tuned in one place, guarded, and when it collects garbage."""

import asyncio
import gc
import html
import json
import logging
import socket
import subprocess
import sys
import weakref

import panel as pn
import pytest
from bokeh.application import Application

from tapviz.cli import guard, server
from tapviz.cli.guard import BURST, LINES, FewLines, Pages, guarded, network_of
from tapviz.lesson.content import content
from tapviz.lesson.page import Lesson
from tapviz.live import gc_tuning
from tapviz.live.gc_tuning import GcTuning
from tapviz.page.app import App
from tapviz.readers.inputs import bundled
from tests.pages import widgets
from tests.refused import refuses

STEPS = """
import asyncio, gc, json, sys, threading

def note(name):
    print(json.dumps([name, {
        "switch interval": sys.getswitchinterval(),
        "enabled": gc.isenabled(),
        "thresholds": gc.get_threshold(),
        "frozen": gc.get_freeze_count(),
        "threads": sum(thread.name.startswith("tapviz") for thread in threading.enumerate()),
    }]))

note("before")
import tapviz, tapviz.cli.server
note("imported")
explorer = tapviz.Explorer(tapviz.load_results("profiles"))
note("explorer")
dashboard = tapviz.Dashboard(explorer)
dashboard._repr_mimebundle_()
explorer.k = 7
note("dashboard")
explorer.comparing()(None)
note("comparison")
from tapviz.live.background import BackgroundTask
async def compare():
    done = asyncio.Event()
    task = BackgroundTask(lambda: done.set() if task.result is not None else None, rest=0)
    task.request(explorer.compared_key, explorer.comparing())
    await done.wait()
    note("compared")
asyncio.run(compare())
tapviz.cli.server.page(None)
note("served")
tapviz.cli.server.page(None, learn=True)
note("served twice")
"""


@pytest.fixture(scope="module")
def steps():
    """Settings of a process after each step, in which tapviz is used and then served."""
    done = subprocess.run([sys.executable, "-c", STEPS], capture_output=True, text=True, check=True)
    return dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith("["))


def test_importing_and_using_changes_nothing_of_the_process(steps):
    for step in ("imported", "explorer", "dashboard", "comparison"):
        assert steps[step] == steps["before"]
    assert steps["compared"] == steps["before"] | {"threads": 1}


def test_serving_tunes_the_process(steps):
    served = steps["served"]
    assert served["switch interval"] == server.SWITCH_INTERVAL < steps["before"]["switch interval"]
    assert served["frozen"] > steps["before"]["frozen"]
    assert steps["served twice"]["switch interval"] == server.SWITCH_INTERVAL


@pytest.fixture
def address(monkeypatch):
    """Has the page think that it was asked for by some address."""
    monkeypatch.setattr(server, "tune_process", lambda: None)

    def ask(search):
        location = type("Location", (), {"search": search, "param": None})()
        monkeypatch.setattr(type(pn.state), "location", location)

    return ask


ADDRESSES = [
    ("", False, App),
    ("?k=5", False, App),
    ("?learn", False, Lesson),
    ("", True, Lesson),
    ("?view=roc", True, App),
    ("?learn&view=roc", True, Lesson),
]


@pytest.mark.parametrize(("search", "learn", "kind"), ADDRESSES)
def test_the_address_says_which_page(address, search, learn, kind):
    address(search)
    assert isinstance(server.page(None, learn=learn), kind)


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ("?view=nope", "view = 'nope' in the address cannot be used here"),
        ("?roc_n=50&k=9", "'roc_n' in the address is not a setting here"),
        ("?view=influence&ground=dark", ""),  # a former name, and what the page takes itself
        ("?dataset=profiles&view=calibration", ""),  # a plot of other results
    ],
)
def test_what_an_address_does_not_mean_is_said(address, search, said):
    address(search)
    panes = widgets(server.page(None).dashboard, pn.pane.HTML)
    (note,) = [pane.object for pane in panes if 'class="notice"' in pane.object] or [""]
    assert said in html.unescape(note)
    assert bool(said) == bool(note)


def test_the_explorer_of_the_lessons_lists(address):
    address("?dataset=figure4&k=4")
    page = server.page(None)
    assert list(page.explorer.results) == ["A and B", "A and B rescaled"]
    assert page.explorer.k == 4


def test_the_lessons_lists_open_where_pooling_moves_and_tap_does_not(address):
    shown = {one["explorer"] for one in content()["scenes"] if "figure4" in one["explorer"]}
    for search in shown:
        address(search)
        scores = [*map(server.page(None).explorer.score, ("A and B", "A and B rescaled"))]
        assert [round(one["tap"], 3) for one in scores] == [0.746, 0.746]
        assert [round(one["pooled_roc_n"], 3) for one in scores] == [0.098, 0.583]


def test_what_was_opened_is_shown(address):
    address("")
    opened = bundled("profiles")
    assert list(server.page(opened).dashboard.explorer.results) == list(opened.results)


ASK = b"GET /metadata HTTP/1.1\r\nHost: lab.test\r\n"


@pytest.fixture
def ask(monkeypatch):
    """Ask a server that gives up after a quarter of a second; what it answers until it closes."""
    monkeypatch.setattr(guard, "HEADERS_IN", 0.25)
    monkeypatch.setattr(guard, "BODY_IN", 0.25)

    def asked(*requests, most=5):
        async def run():
            pages = Pages({"/": Application()}, extra_websocket_origins=["lab.test"])
            server = guarded(pages, most, ["https://site.test"])
            listener = socket.create_server(("127.0.0.1", 0))
            listener.setblocking(False)
            server.add_socket(listener)
            port = listener.getsockname()[1]
            ends = [await asyncio.open_connection("127.0.0.1", port) for _ in requests]
            for (_, writer), request in zip(ends, requests, strict=True):
                writer.write(request)
                await writer.drain()
            reads = [asyncio.wait_for(reader.read(), 30) for reader, _ in ends]
            answers = await asyncio.gather(*reads, return_exceptions=True)
            for _, writer in ends:
                writer.close()
            server.stop()
            return [b"" if isinstance(one, ConnectionError) else one for one in answers]

        return asyncio.run(run())

    return asked


NEVER_ENDING = [
    b"",
    b"GET /",
    ASK,  # no end of the headers
    b"POST /metadata HTTP/1.1\r\nHost: lab.test\r\nContent-Length: 100\r\n\r\nhalf",
]


@pytest.mark.parametrize("request_", NEVER_ENDING)
def test_a_request_that_never_ends_is_closed(ask, request_):
    (answer,) = ask(request_)  # which waits until the server closes
    assert b"200 OK" not in answer


def test_a_large_body_is_refused(ask):
    (answer,) = ask(b"POST / HTTP/1.1\r\nHost: lab.test\r\nContent-Length: 9999999\r\n\r\n")
    assert b"200 OK" not in answer


def test_an_address_has_so_many_connections(ask):
    answers = ask(*[ASK + b"\r\n"] * 4, most=3)
    assert [b"HTTP/1.1" in one for one in answers] == [True, True, True, False]


def test_each_answer_says_what_browsers_must_not_do(ask):
    for path in (b"/metadata", b"/nothing", b"/static/js/nothing.js"):
        (answer,) = ask(b"GET " + path + b" HTTP/1.1\r\nHost: lab.test\r\n\r\n")
        head = answer.split(b"\r\n\r\n")[0]
        assert b"X-Content-Type-Options: nosniff" in head
        assert b"Referrer-Policy: same-origin" in head
        assert b"Content-Security-Policy: frame-ancestors 'self' https://site.test" in head
        assert b"Server:" not in head


@pytest.mark.parametrize("host", [b"evil.test", b"lab.tests", b"", b"lab.test.evil.test"])
def test_a_name_that_is_not_allowed_is_refused(ask, host):
    (answer,) = ask(b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
    assert answer.startswith((b"HTTP/1.1 421 ", b"HTTP/1.1 400 "))
    assert b"bokeh" not in answer.lower()


def test_addresses_of_a_household_are_one():
    assert network_of("2001:db8:1:2::7") == network_of("2001:db8:1:2:ffff::1")
    assert network_of("2001:db8:1:2::7") != network_of("2001:db8:1:3::7")
    assert network_of("fe80::1%eth0") == network_of("fe80::2")
    assert network_of("192.0.2.7") != network_of("192.0.2.8")
    assert network_of("::ffff:192.0.2.7") == "192.0.2.7"  # as a listener of both kinds has it
    assert network_of("somewhere") == "somewhere"


def test_the_log_has_so_many_lines_a_second_and_says_how_many_it_has_not():
    now = [0.0]
    few = FewLines(lambda: now[0])

    def lines(name, times, exc_info=None):
        made = [
            logging.LogRecord(name, logging.ERROR, "", 0, "%s", ("garbage",), exc_info)
            for _ in range(times)
        ]
        return [one.getMessage() for one in made if few.filter(one)]

    assert len(lines("tornado.application", 10_000)) == BURST
    assert lines("tapviz.cli.server", 3) == ["garbage"] * 3  # those have a room of their own
    now[0] = 1.0
    after = lines("bokeh.server", 10_000)
    left = [f"garbage ({10_000 - BURST} lines left out before)"]
    assert after == [*left, *["garbage"] * (LINES - 1)]
    now[0] = 3600.0
    assert len(lines("bokeh.server", 10_000, (ValueError, ValueError("x"), None))) <= BURST // 25


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
def time(monkeypatch):
    time = Time()
    monkeypatch.setattr(gc_tuning, "monotonic", time.clock)
    return time


@pytest.fixture
def tuning(time, monkeypatch):
    monkeypatch.setattr(gc_tuning, "_call_later", time.call_later)
    yield GcTuning()
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


def test_a_page_closed_where_no_loop_runs_does_not_hinder_the_next_one(time, monkeypatch):
    tuning = GcTuning()
    tuning.start()
    refuses("no running event loop", tuning.page_closed, error=RuntimeError)
    monkeypatch.setattr(gc_tuning, "_call_later", time.call_later)
    page = closed_page(tuning)
    time.move(5)
    assert page() is None
    gc.unfreeze()
