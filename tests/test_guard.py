"""A server for strangers: slow and many connections, names, frames, and a short log."""

import asyncio
import logging
import socket

import pytest
from bokeh.application import Application

from tapviz.cli import guard
from tapviz.cli.guard import BURST, LINES, FewLines, Pages, guarded, network_of

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


@pytest.mark.parametrize(
    "request_",
    [
        b"",
        b"GET /",
        ASK,  # no end of the headers
        b"POST /metadata HTTP/1.1\r\nHost: lab.test\r\nContent-Length: 100\r\n\r\nhalf",
    ],
)
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
