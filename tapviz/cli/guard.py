"""What a server for strangers stands without a proxy: connections, hosts, frames, and its log."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic
from typing import Any

from bokeh.server.tornado import BokehTornado
from bokeh.server.util import check_allowlist
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPConnection, HTTPHeaders, HTTPMessageDelegate, HTTPServerRequest
from tornado.iostream import IOStream
from tornado.web import RedirectHandler, RequestHandler

HEADERS_IN, BODY_IN = 75, 30
"""Seconds within which a request must say what it asks for, and send its body. A connection that
asks for nothing is closed after the first: proxies, which keep theirs for 60 s, close them sooner.
"""
MAX_BODY = 1_000_000
"""Bytes of a request; files are uploaded by WebSocket, which has limits of its own."""
LINES, BURST = 10, 200
"""Lines of the log a second, and how many may come at once."""
TRACEBACK = 25
"""Lines of a traceback, about."""
NOT_HERE = "This server is not known by this name. Its owner can allow it: --allow-origin.\n"


class Server(HTTPServer):
    """Closes what takes too long, and what is too much of one address; see `guarded`."""

    def guard(self, most: int, headers: Mapping[str, str]) -> None:
        """Allow an address so many connections, and give each answer some headers."""
        self._most, self._headers = most, headers
        self._streams: dict[str, list[IOStream]] = {}

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        """Serve a connection, unless its address has as many as it may."""
        if len(self._streams) > self._most:  # also addresses that have left long ago
            self._streams = {
                of: streams
                for of, all_ in self._streams.items()
                if (streams := [one for one in all_ if not one.closed()])
            }
        name = network_of(str(address[0])) if address else ""
        streams = [one for one in self._streams.get(name, ()) if not one.closed()]
        if len(streams) < self._most:
            streams.append(stream)
            super().handle_stream(stream, address)
        else:
            stream.close()
        self._streams[name] = streams

    def start_request(
        self, server_conn: object, request_conn: HTTPConnection
    ) -> HTTPMessageDelegate:
        """Answer a request, with headers that all answers have."""
        write = request_conn.write_headers

        def write_headers(line: Any, headers: HTTPHeaders, chunk: bytes | None = None) -> Any:
            headers.pop("Server", None)
            headers.update(self._headers)
            return write(line, headers, chunk)

        request_conn.write_headers = write_headers  # type: ignore[method-assign, assignment]
        return super().start_request(server_conn, request_conn)


def network_of(address: str) -> str:
    """Whom an address belongs to: of IPv6, a household has all that begin alike.

    Examples
    --------
    >>> from tapviz.cli.guard import network_of
    >>> network_of("192.0.2.7"), network_of("2001:db8::7")
    ('192.0.2.7', '2001:db8::/64')
    """
    with suppress(ValueError):
        known = ip_address(address.partition("%")[0])
        if isinstance(known, IPv6Address):
            return str(known.ipv4_mapped or ip_network(f"{known}/64", strict=False))
    return address


class Pages(BokehTornado):
    """Answers to the names alone from which its pages may connect."""

    lesson = ""
    """Where ``?learn`` leads, if not to a lesson of the page that is asked."""

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """What answers a request; whoever asks for health may use any name."""
        known = check_allowlist(request.host, sorted(self.websocket_origins))
        asked = self.lesson and "learn" in request.query_arguments
        if known and asked and request.path != self.lesson:
            there = {"url": self.lesson, "permanent": False}
            return self.get_handler_delegate(request, RedirectHandler, there)
        if known or request.path.endswith("/healthz"):
            return super().find_handler(request, **kwargs)
        return self.get_handler_delegate(request, _NotHere)


class _NotHere(RequestHandler):
    """Says that this is not a name of the server."""

    def prepare(self) -> None:
        """Answer before anything else is looked at."""
        refuse(self, 421, NOT_HERE)


def refuse(handler: RequestHandler, status: int, why: str) -> None:
    """Say in a sentence why not."""
    handler.set_status(status)
    handler.set_header("Content-Type", "text/plain; charset=UTF-8")
    handler.finish(why)


def guarded(tornado: BokehTornado, most: int, frames: Sequence[str]) -> Server:
    """Make a server that strangers may reach.

    Parameters
    ----------
    tornado : BokehTornado
        What answers.
    most : int
        Connections that an address may have open.
    frames : sequence of str
        Sites that may show the pages in a frame, besides the server itself.
    """
    server = Server(
        tornado, idle_connection_timeout=HEADERS_IN, body_timeout=BODY_IN, max_body_size=MAX_BODY
    )
    headers = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Content-Security-Policy": " ".join(["frame-ancestors 'self'", *frames]),
    }
    server.guard(most, headers)
    return server


class FewLines(logging.Filter):
    """Leaves out lines of the log that come too fast, and says how many.

    Lines of tapviz and those of what it uses are counted apart, so that nobody's garbage takes the
    place of what the log is for.

    Examples
    --------
    >>> import logging
    >>> from tapviz.cli.guard import BURST, FewLines
    >>> few = FewLines()
    >>> line = logging.LogRecord("x", logging.INFO, "", 0, "hello", None, None)
    >>> sum(few.filter(line) for _ in range(10_000)) <= BURST + 10
    True
    """

    def __init__(self, clock: Any = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._left: dict[bool, tuple[float, float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether there is room for a line."""
        own, now = record.name.startswith("tapviz"), self._clock()
        room, before, dropped = self._left.get(own, (BURST, now, 0))
        room = min(BURST, room + LINES * (now - before))
        if room < 1:
            self._left[own] = room, now, dropped + 1
            return False
        if dropped:
            record.msg = f"{record.getMessage()} ({dropped} lines left out before)"
            record.args = None
        self._left[own] = room - (TRACEBACK if record.exc_info else 1), now, 0
        return True
