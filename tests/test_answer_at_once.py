"""A page made when its visitor connects is the one that Panel makes when they ask for it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from urllib.request import urlopen

import panel as pn
import pytest
from bokeh.client import pull_session
from panel.io.server import get_server

from tapviz import Dashboard, Explorer, load_results
from tapviz.live.compat import answer_at_once
from tests.test_compat import numbered


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pages that have been made; what serves them leaves nothing in Panel."""
    for name in ("_sessions", "_session_key_funcs"):
        monkeypatch.setattr(pn.state, name, {})
    with pn.config.set(reuse_sessions=False):
        yield []


@contextmanager
def serving(made: list[str], *, at_once: bool) -> Iterator[str]:
    """The address of a page, which is served until the end of the block."""

    def make() -> pn.viewable.Viewable:
        made.append("page")
        return Dashboard(Explorer(load_results("profiles"), k=5)).view

    server = get_server({"/explore": make}, port=0, show=False, title="tapviz")
    if at_once:
        contexts = server._tornado.applications
        answer_at_once({path: context.application for path, context in contexts.items()})
    thread = Thread(target=lambda: (server.start(), server.io_loop.start()))
    thread.start()
    try:
        yield f"http://localhost:{server.port}/explore"
    finally:
        server.io_loop.add_callback(lambda: (server.stop(), server.io_loop.stop()))
        thread.join()


def visit(address: str) -> tuple[str, str]:
    """The frame that a visitor asks for, and the page that then comes; but for ids and the port."""
    with urlopen(address) as answer:  # noqa: S310  # our own
        frame = re.sub(r'"token":"[^"]+"', "", answer.read().decode())
    session = pull_session(url=address)
    page = re.sub(r"(?<=localhost:)\d+|(?<='port': ')\d+", "", repr(session.document.to_json()))
    session.close()
    return numbered(frame), numbered(page)


def test_a_page_made_when_its_visitor_connects_is_the_same_to_the_byte(made: list[str]) -> None:
    sent = {}
    for at_once in (False, True):
        with serving(made, at_once=at_once) as address:
            sent[at_once] = [visit(address) for _ in range(2)]
    assert sent[True] == sent[False]
    assert len(sent[True][0][1]) > 100_000


def test_who_asks_and_does_not_connect_costs_no_page(made: list[str]) -> None:
    for at_once, n_pages in ((False, 3), (True, 0)):
        made.clear()
        with serving(made, at_once=at_once) as address:
            n_before = len(made)  # the one whose frame is sent
            for _ in range(3):
                urlopen(address).close()  # noqa: S310
            assert len(made) - n_before == n_pages
