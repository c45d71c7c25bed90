"""What a page says whose server does not let it connect."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, expect
from playwright.sync_api import Page as Browsed

from tests.ui.conftest import Server


@pytest.fixture
def refused(shared: BrowserContext) -> Iterator[Browsed]:
    """A page whose WebSocket is closed as soon as it opens, as with a token that has expired."""
    page = shared.new_page()
    page.route_web_socket("**/ws*", lambda socket: socket.close())
    yield page
    page.close()


def test_a_page_that_cannot_connect_is_loaded_once_more_and_then_says_so(
    refused: Browsed, server: Server
) -> None:
    loaded: list[Browsed] = []
    refused.on("domcontentloaded", lambda page: loaded.append(page))  # noqa: PLW0108
    refused.goto(f"{server.url}/explore")
    expect(refused.get_by_role("alert")).to_contain_text("does not let this page connect")
    assert len(loaded) == 2
    expect(refused.get_by_role("button", name="Reload")).to_be_visible()


def test_after_reloading_the_page_is_there(refused: Browsed, server: Server) -> None:
    """The first token is refused, the second is taken: nobody sees anything of it."""
    sockets = []

    def refuse_the_first(socket) -> None:
        sockets.append(socket)
        if len(sockets) == 1:
            socket.close()
        else:
            socket.connect_to_server()

    refused.route_web_socket("**/ws*", refuse_the_first)
    refused.goto(f"{server.url}/explore?k=7")
    expect(refused.locator("table.scores")).to_contain_text("TAP-7")
    expect(refused.locator("#tapviz-refused")).to_have_count(0)
    assert len(sockets) == 2
