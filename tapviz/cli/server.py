"""Serves the pages. Only here are settings of the whole process changed: see `tune_process`."""

from __future__ import annotations

import html
import logging
import multiprocessing
import os
import secrets
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from multiprocessing.connection import wait
from time import monotonic, sleep
from typing import Any
from urllib.parse import parse_qs

import panel as pn
from bokeh.core.validation import silence
from bokeh.core.validation.warnings import EMPTY_LAYOUT
from bokeh.document import Document
from bokeh.server.auth_provider import NullAuth
from bokeh.server.contexts import BokehSessionContext
from bokeh.server.server import BaseServer
from bokeh.server.session import ServerSession
from bokeh.server.tornado import BokehTornado
from bokeh.settings import settings
from bokeh.util.warnings import BokehUserWarning
from panel.auth import BasicAuthProvider
from panel.io.application import build_applications
from panel.io.resources import DIST_DIR, LOCAL_DIST
from panel.io.server import get_static_routes
from panel.viewable import Viewable, Viewer
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.platform.asyncio import BaseAsyncIOLoop
from tornado.web import RequestHandler, StaticFileHandler
from tornado.websocket import WebSocketClosedError

from tapviz.cli.guard import FewLines, Pages, guarded
from tapviz.cli.serve import Service
from tapviz.explorer import Explorer
from tapviz.explorer.session import Session
from tapviz.files.limits import OWN, give_memory_back, set_limits, use_few_arenas
from tapviz.live import compat, patches
from tapviz.live.gc_tuning import GC_TUNING
from tapviz.live.script import script
from tapviz.live.theme import HAS_TOKENS, HEAD
from tapviz.page import Dashboard
from tapviz.page.app import App
from tapviz.readers.inputs import Opened

LOG = logging.getLogger(__name__)
Page = Viewer | Viewable

TOKEN_LIFETIME = 24 * 3600
"""Seconds for which a page that was sent may connect: a crowd waits longer than Bokeh's 300."""
UNUSED_LIFETIME, CHECK_UNUSED = 5_000, 2_000
"""Milliseconds that what a visitor left behind is kept, and between looking for it. A page that has
lost its connection makes a new session: nothing is gained by keeping the old one."""
RENEW_AFTER = 200
"""Pages after which one of several processes is renewed."""
RENEWED = 3
"""Exit code of a process that has made so many pages that a new one takes its place."""
PATIENCE = 300
"""Seconds that a page waits for the visitor who asked for it."""
KEEP_ALIVE = 20_000
"""Milliseconds between pings: proxies end a connection that says nothing for a minute."""
FULL = "This server has as many visitors as it takes. Please try again in a few minutes."
FAILED = "This page could not be made, and the log of the server says why. Try it without settings."

SWITCH_INTERVAL = 0.0005
"""Seconds for which slow work holds the interpreter while a page waits for it. By default it is
ten times as long, and a change of a page gives the interpreter away dozens of times."""


EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  # compared with

TEMPLATE = (
    f"{{% block preamble %}}{HEAD}{{% endblock %}}"
    f"{{% block postamble %}}<script>{script('connecting.js')}</script>{{% endblock %}}"
)
"""Template of every page: its colours and letters, and what is said without a connection."""


def tune_process() -> None:
    """Tune a process that serves pages and does nothing else; once or more often.

    Threads take turns more often (`sys.setswitchinterval`), so that slow work of one page does not
    delay another; what is loaded and open is frozen, and garbage is collected while no page is in
    use (`tapviz.live.gc_tuning`); Bokeh makes models faster (`tapviz.live.patches`), and does not
    warn of what its own pages do; nor is it logged that a visitor left while something was sent.
    Importing or using tapviz in a notebook or a script does none of this.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    # In its first message about a model that it was sent, BokehJS tells all of the model.
    warnings.filterwarnings("ignore", "reference already known", BokehUserWarning)
    settings.perform_error_diagnostics = False  # the signatures of callbacks, mostly ours
    logging.getLogger("asyncio").addFilter(_worth_logging)
    patches.encode_quickly()
    patches.remember_defaults()
    patches.visit_what_is_set()
    GC_TUNING.start(give_memory_back)


def tune_session() -> None:
    """Take the address of the page that is being made; what it is sent goes at once."""
    if (document := pn.state.curdoc) is not None:
        compat.take_any_address(document)
        pn.state.onload(partial(compat.send_without_delay, document))


def wait_for_visitor(document: Document) -> None:
    """Keep the page that is being made until its visitor connects.

    In a crowd this takes longer than the 15 s after which Bokeh throws away what nobody uses, to
    make it once more when they do.
    """
    held: list[ServerSession] = []

    def hold() -> None:
        context = document.session_context
        session = context.session if isinstance(context, BokehSessionContext) else None
        if session is not None:
            session.block_expiration()
            held.append(session)
            IOLoop.current().call_later(PATIENCE, release)

    def release() -> None:
        if held:
            held.pop().unblock_expiration()

    document.add_next_tick_callback(hold)
    pn.state.onload(release)


def page(opened: Opened | None, *, learn: bool = False, session: Session | None = None) -> Viewer:
    """The explorer or the lesson, as the address asks: each leads to the other wherever served.

    Parameters
    ----------
    opened : Opened or None
        What the explorer opens; None for the bundled data sets.
    learn : bool
        What an address without settings is: the lesson, or the explorer. ``?learn`` is always the
        lesson, settings of the explorer are the explorer, and ``?dataset=figure4`` is the explorer
        with the lesson's own lists.
    session : Session, optional
        What to choose where the address says nothing.
    """
    tune_process()
    tune_session()
    if (document := pn.state.curdoc) is not None:
        document.template = TEMPLATE  # type: ignore[assignment]  # a text, too
        # Panel says so when it sends a page; one that is made later takes its styles from a CDN.
        document.template_variables.update({"dist_url": LOCAL_DIST, HAS_TOKENS: True})
        wait_for_visitor(document)
    search = (pn.state.location.search if pn.state.location is not None else "") or ""
    asked = parse_qs(search.lstrip("?"), keep_blank_values=True)
    if "learn" in asked or (learn and "view" not in asked):
        from tapviz.lesson.page import Lesson  # noqa: PLC0415  # nobody else pays for it

        return Lesson()  # type: ignore[no-untyped-call]  # that of Panel
    return _figure4(search) if asked.get("dataset") == ["figure4"] else App(opened, session)


def _figure4(search: str) -> Dashboard:
    """The explorer, with the lesson's lists as they are and with B's E-values on another scale.

    `search` is the query part of the address, with settings of the explorer.
    """
    from tapviz.lesson.numbers import two_lists  # noqa: PLC0415

    explorer = Explorer({"A and B": two_lists(), "A and B rescaled": two_lists(c=0.02)})
    return Dashboard(
        explorer,
        title="lists A and B of the lesson (synthetic)",
        note="".join(f"<p>{html.escape(problem)}</p>" for problem in explorer.from_query(search)),
        address={"dataset": "figure4"},
    )


def explore(
    opened: Opened | None, *, port: int, show: bool, session: Session | None = None
) -> None:
    """Serve the explorer to one person on their own machine, until terminated or interrupted.

    Parameters
    ----------
    opened : Opened or None
        What the explorer opens; None for the bundled data sets.
    port : int
        Where to serve; 0 for any free port.
    show : bool
        Whether to open a browser.
    session : Session, optional
        What to choose at first.

    Raises
    ------
    ValueError
        As `serve`.
    KeyboardInterrupt
        By Ctrl+C.
    """
    host = _Host(opened, Service(limits=OWN, log_level="warning"), listen(port, "localhost"))
    # A function, since Panel would show a partial one as an object.
    server = host.server({"/": lambda: page(opened, session=session)})
    print(f"tapviz is at {host.url()}; Ctrl+C ends it", flush=True)
    if show:
        server.io_loop.add_callback(server.show, "/")
    _run(server)


def serve(opened: Opened | None, service: Service) -> None:
    """Serve explorer and lesson to others, until terminated or interrupted.

    Parameters
    ----------
    opened : Opened or None
        What the explorer opens; None for the bundled data sets.
    service : Service

    Raises
    ------
    ValueError
        If the port is in use, or the address is not of this machine; or if a login is asked for
        that only ``panel serve`` has.
    KeyboardInterrupt
        By Ctrl+C.
    """
    if "PANEL_OAUTH_PROVIDER" in os.environ:  # without this the pages would be open to everybody
        msg = "PANEL_OAUTH_PROVIDER is set: use panel serve, or a proxy that asks who visitors are"
        raise ValueError(msg)
    alone = service.processes == 1 and not service.renew_after
    if service.of_class and not alone:
        raise ValueError(
            "--class: what students predict is in one process, which goes on; leave out "
            "--processes and --renew-after"
        )
    service = replace(service, renew_after=service.renew_after or RENEW_AFTER)
    host = _Host(opened, service, listen(service.port, service.address))
    if alone:
        host.serve_pages()
    else:
        host.supervise()


def listen(port: int, address: str) -> socket.socket:
    """Socket that listens at a port of this machine.

    Raises
    ------
    ValueError
        If the port is in use, or the address is not of this machine.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        listener = socket.create_server((address, port), family=family)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        msg = f"--port {port}: {why}; choose another one, or another address than {address}"
        raise ValueError(msg) from error
    listener.setblocking(False)
    return listener


def reached_at(address: str) -> str:
    """Address by which others of the network reach a server that serves at an address."""
    if address not in EVERYWHERE:
        return f"[{address}]" if ":" in address else address
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # which sends nothing
        except OSError:  # there is no network
            return "localhost"
        return str(probe.getsockname()[0])


@dataclass(frozen=True)
class _Host:
    """What serves pages at a listener, in this process or in several that share it."""

    opened: Opened | None
    service: Service
    listener: socket.socket
    secret: str = field(default_factory=partial(secrets.token_hex, 32))
    made: list[str] = field(default_factory=list)
    """Sessions of this process that had a page, by the beginning of their names."""

    def url(self, prefix: str = "") -> str:
        """Where a browser of this machine finds the pages."""
        name, port = self.listener.getsockname()[:2]
        own = ("127.0.0.1", "::1", *EVERYWHERE)
        return f"http://{'localhost' if name in own else name}:{port}{prefix}/"

    def origins(self) -> list[str]:
        """Names by which browsers open the pages, those that the owner gave first."""
        port = self.listener.getsockname()[1]
        own = ["localhost", "127.0.0.1", "[::1]"]
        if self.service.of_class:
            own.insert(0, reached_at(self.service.address))
        return [*self.service.origins, *(f"{name}:{port}" for name in own)]

    def supervise(self) -> None:
        """Start processes that share the listener, and another one for each that ends."""
        context = multiprocessing.get_context("spawn")
        processes: dict[object, multiprocessing.context.SpawnProcess] = {}

        def start() -> None:
            process = context.Process(target=self.serve_as_child, daemon=True)
            process.start()
            processes[process.sentinel] = process

        _log_to_stderr(self.service.log_level)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        try:
            for _ in range(self.service.processes):
                start()
            while True:
                for sentinel in wait([process.sentinel for process in processes.values()]):
                    process = processes.pop(sentinel)
                    process.join()
                    if process.exitcode == RENEWED:
                        LOG.info("renewed process=%d", process.pid)
                    else:
                        LOG.error("ended process=%d code=%s", process.pid, process.exitcode)
                        sleep(1)  # lest a fault at the start keeps the machine busy
                    start()
        finally:
            for process in processes.values():
                process.terminate()
            for process in processes.values():
                process.join(5)
                process.kill()

    def serve_as_child(self) -> None:
        """Serve in a process that ends with its parent, however that ends."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the parent, too

        def end_with_parent() -> None:
            parent = multiprocessing.parent_process()
            if parent is not None:
                parent.join()
            os._exit(1)

        threading.Thread(target=end_with_parent, daemon=True).start()
        self.serve_pages(renewed=True)
        if len(self.made) >= self.service.renew_after:
            sys.exit(RENEWED)

    def serve_pages(self, *, renewed: bool = False) -> None:
        """Serve explorer and lesson; or end at rest, after many pages, to be renewed."""
        _log_to_stderr(self.service.log_level)
        pages = {"/explore": partial(page, self.opened)}
        patterns: list[Any] = []
        if self.service.of_class:
            from tapviz.cli.class_pages import Room  # noqa: PLC0415  # nobody else pays for it

            of_class = Room(f"http://{self.origins()[0]}{self.service.prefix}/")
            patterns = of_class.patterns()
            print(of_class.addresses(), flush=True)
        else:
            pages["/lesson"] = partial(page, self.opened, learn=True)
        server = self.server({path: self._watched(make) for path, make in pages.items()}, patterns)
        from tapviz.lesson.page import build_ahead  # noqa: PLC0415

        build_ahead()
        LOG.info("serving %s process=%d", self.url(server.prefix), os.getpid())

        def end_at_rest() -> None:
            if len(self.made) >= self.service.renew_after and not server.get_sessions():
                server.io_loop.stop()

        if renewed:
            PeriodicCallback(end_at_rest, CHECK_UNUSED).start()
        _run(server)

    def _watched(self, make: Callable[[], Viewer]) -> Callable[[], Page]:
        """Make pages of which the log says when they are opened and closed, and not too many."""
        most = self.service.max_sessions

        def make_page() -> Page:
            context = _context()
            if context is None or context.server_context is None:  # made before anybody comes
                return make()
            name, begun = context.id[:8], monotonic()
            if _n_open(context.server_context.sessions) >= most:
                LOG.warning("refused session=%s open=%d", name, most)
                return _sentence(FULL)

            self.made.append(name)

            def log_opened() -> None:
                LOG.info("opened session=%s seconds=%.2f", name, monotonic() - begun)

            def log_closed(_: object) -> None:
                LOG.info("closed session=%s seconds=%.0f", name, monotonic() - begun)

            pn.state.onload(log_opened)
            pn.state.on_session_destroyed(log_closed)
            try:
                return make()
            except Exception as error:  # noqa: BLE001  # the visitor sees more than an empty page
                _log_failure(error)
                return _sentence(FAILED)

        return make_page

    def server(
        self, pages: Mapping[str, Callable[[], Page]], patterns: Sequence[Any] = ()
    ) -> BaseServer:
        """Make the server of some pages, by their paths, and of what answers other paths."""
        service, secret = self.service, self.secret
        set_limits(service.limits)
        use_few_arenas()
        pn.extension("filedropper", browser_info=False, exception_handler=_log_failure)
        silence(EMPTY_LAYOUT, True)  # a place where something may appear
        applications = build_applications(dict(pages), title="tapviz")
        compat.answer_at_once({service.prefix + path: one for path, one in applications.items()})
        cookie_secret = os.environ.get("PANEL_COOKIE_SECRET", secret)
        pn.config.cookie_secret = cookie_secret  # type: ignore[misc]  # which may be set
        tornado = Pages(
            applications,
            prefix=service.prefix,
            index=str(files("tapviz.cli").joinpath("index.html")),
            extra_patterns=[
                *get_static_routes({}),
                ("/(favicon.ico)", StaticFileHandler, {"path": DIST_DIR / "images"}),
                ("/healthz", Health, {"started": monotonic()}),
                *patterns,
            ],
            extra_websocket_origins=self.origins(),
            log_function=_log_no_answers,
            secret_key=secret.encode(),
            sign_sessions=True,
            session_token_expiration=TOKEN_LIFETIME,
            unused_session_lifetime_milliseconds=UNUSED_LIFETIME,
            check_unused_sessions_milliseconds=CHECK_UNUSED,
            keep_alive_milliseconds=KEEP_ALIVE,
            # The password that visitors give, if Panel's variable of the environment says one.
            auth_provider=BasicAuthProvider() if "PANEL_BASIC_AUTH" in os.environ else NullAuth(),
            cookie_secret=cookie_secret,
        )
        if service.of_class:  # which collects from its own lesson alone
            tornado.lesson = f"{service.prefix}/lesson"
        http = guarded(tornado, service.max_connections, service.frames)
        http.add_socket(self.listener)
        return BaseServer(IOLoop.current(), tornado, http)


def _run(server: BaseServer) -> None:
    """Serve until terminated. Ctrl+C is an interrupt, as of any command, and not a normal end."""
    server.start()
    loop = server.io_loop
    if sys.platform != "win32" and isinstance(loop, BaseAsyncIOLoop):  # which has such signals
        loop.asyncio_loop.add_signal_handler(signal.SIGTERM, loop.stop)
    try:
        server.io_loop.start()
    finally:
        server.stop()


def _log_to_stderr(level: str) -> None:
    form = "%(asctime)s %(levelname)s %(message)s"
    logging.basicConfig(format=form, level=logging.WARNING, force=True)  # Bokeh has set its own
    LOG.setLevel(level.upper())
    for handler in logging.getLogger().handlers:
        handler.addFilter(FewLines())


def _log_no_answers(_: RequestHandler) -> None:
    """Log no answers: Tornado would log addresses of visitors, and a line for all rubbish."""


def _worth_logging(record: logging.LogRecord) -> bool:
    """Whether a line of the log is about more than a visitor who left while something was sent."""
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))


class Health(RequestHandler):
    """Says that this process answers, its version, since when it serves, and how many."""

    application: BokehTornado

    def initialize(self, started: float) -> None:
        """Note when the server was started."""
        self._started = started

    def get(self) -> None:
        """Answer as JSON."""
        server = self.application
        sessions = [one for path in server.app_paths for one in server.get_sessions(path)]
        self.set_header("Cache-Control", "no-store")
        answer = {
            "version": version("tapviz"),
            "process": os.getpid(),
            "sessions": _n_open(sessions),
            "uptime": round(monotonic() - self._started, 1),
        }
        self.write(answer)


def _n_open(sessions: Sequence[ServerSession]) -> int:
    """Pages that somebody has open."""
    return sum(one.connection_count > 0 for one in sessions)


def _context() -> BokehSessionContext | None:
    """What is known of the visitor for whom a page is made."""
    context = pn.state.curdoc.session_context if pn.state.curdoc is not None else None
    return context if isinstance(context, BokehSessionContext) else None


def _sentence(text: str) -> Viewable:
    return pn.pane.HTML(f'<p role="alert" style="font:17px system-ui">{text}</p>')


def _log_failure(error: Exception) -> None:
    """Log what went wrong on the page of a visitor."""
    context = _context()
    name = context.id[:8] if context is not None else "none"
    LOG.error("failed session=%s %s", name, error, exc_info=error)
