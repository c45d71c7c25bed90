"""One browser, one server for each kind of data, and a page that is watched."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Playwright, expect, sync_playwright

from tests.ui.page import FIGURES, WAIT, Page

ROOT = Path(__file__).parents[2]
HOW_TO_GET_ONE = "no Chromium: apt-get install chromium, or python -m playwright install chromium"
LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # a new page need not read and compile all scripts again
]
WRONG = re.compile(r"ERROR|CRITICAL|WARNING|Traceback|Exception|Warning:|\b[EW]-1\d{3}\b")
# What the server says of a page that was closed just when it was told something.
LEFT = re.compile(
    r"([^\n]*Task exception was never retrieved\n(future:[^\n]*\n)?)?"
    r"(Traceback \(most recent call last\):\n( [^\n]*\n)+"
    r"tornado\.iostream\.StreamClosedError: Stream is closed\n\n"
    r"During handling of the above exception, another exception occurred:\n\n)?"
    r"Traceback \(most recent call last\):\n( [^\n]*\n)+"
    r"tornado\.websocket\.WebSocketClosedError\n"
    r"|[^\n]*Failed sending message as connection was closed\n"
    # A message that it had sent before, which Bokeh handles after it noted that the page is gone.
    r"|([^\n]*Handler or its work threw an exception[^\n]*\n)?"
    r"Traceback \(most recent call last\):\n( [^\n]*\n)+?"
    r" *File \"[^\"\n]*server/connection\.py\", line \d+, in session\n"
    r" *assert self\._session is not None\n( *\^+\n)?AssertionError\n"
)
SIZE: Any = {"width": 1440, "height": 900}
expect.set_options(timeout=WAIT * 1000)
GATE = Path(__file__).with_name("gate.py")


class Server:
    """`panel serve` with the applications, on a free port, and what it says."""

    def __init__(self, folder: Path, *args: str) -> None:
        with contextlib.closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://localhost:{port}"
        self._file = folder / f"server-{port}.log"
        self._held = folder / f"server-{port}.held"
        self._read = 0
        command = [sys.executable, "-m", "panel", "serve", "apps/explore.py", "apps/lesson.py"]
        command += ["--port", str(port), "--setup", str(GATE)]
        with self._file.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, *(["--args", *args] if args else [])],
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONUNBUFFERED": "1", "TAPVIZ_TEST_HELD": str(self._held)},
            )
        self.wait_for("Bokeh app running at")

    @contextlib.contextmanager
    def holding(self, after: int = 0) -> Iterator[None]:
        """Let slow work wait, when it has said so often how far it is, to the end of the block."""
        self._held.write_text(str(after))
        try:
            yield
        finally:
            self._held.unlink()

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Do nothing at all, to the end of the block."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    @property
    def log(self) -> str:
        return self._file.read_text("utf-8", "replace")

    def wait_for(self, words: str) -> None:
        """Wait until the log holds the words."""
        end = monotonic() + WAIT
        while words not in self.log:
            assert self.process.poll() is None, self.log
            assert monotonic() < end, self.log
            sleep(0.05)

    def new_complaints(self) -> list[str]:
        """What the log says, since the last call, from the first line on that tells of a fault."""
        said = self.log
        if WRONG.search(said, self._read):
            sleep(0.2)  # a message may have been read while it was written
            said = self.log
        new, self._read = LEFT.sub("", said[self._read :]), len(said)
        wrong = WRONG.search(new)
        return [new[new.rfind("\n", 0, wrong.start()) + 1 :]] if wrong else []

    def stop(self) -> None:
        """End the server."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark all tests of this folder."""
    item.add_marker("ui")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Any:
    """Let fixtures know whether the test itself failed, and say what its pages then showed."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
        if report.failed and "chromium" in item.funcargs:
            told = list(_pages(item.funcargs["chromium"], item._request))
            report.sections.append(("pages", "\n\n".join(told)))
    return report


FAILED = pytest.StashKey[bool]()


def _pages(browser: Browser, request: Any) -> Iterator[str]:
    """Of each open page its address, a screenshot, its status and what it complained of."""
    folder: Path = request.getfixturevalue("tmp_path_factory").mktemp("failed", numbered=True)
    for i, browsed in enumerate(page for context in browser.contexts for page in context.pages):
        file = folder / f"{i}.png"
        try:
            browsed.screenshot(path=file, timeout=20_000)
        except Error as error:
            file = f"none, {error}"
        told = [browsed.url, f"screenshot: {file}"]
        page = Page.of.get(browsed)
        if page is not None:
            lines = browsed.locator(".status").all_inner_texts()
            told += [f"status: {line}" for line in lines] + page.complaints
        yield "\n".join(told)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """A Chromium; without one the tests are skipped."""
    playwright = sync_playwright().start()
    try:
        opened = launched(playwright)
        if opened is None and os.environ.get("TAPVIZ_REQUIRE_BROWSER") == "1":
            pytest.fail(HOW_TO_GET_ONE, pytrace=False)
        if opened is None:
            pytest.skip(HOW_TO_GET_ONE)
        yield opened
        opened.close()
    finally:
        playwright.stop()


def launched(playwright: Playwright) -> Browser | None:
    """Chromium: the system's, else Playwright's own; None if there is neither."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return playwright.chromium.launch(executable_path=path, args=LAUNCH)
    try:
        return playwright.chromium.launch(args=LAUNCH)
    except Error as error:
        if "Executable doesn't exist" not in str(error):
            raise
        return None


@pytest.fixture(scope="package")
def shared(chromium: Browser) -> Iterator[BrowserContext]:
    """What pages share, so that scripts are loaded once."""
    opened = chromium.new_context(viewport=SIZE)
    empty = opened.new_page()  # which keeps their process while no other page is open
    empty.route("http://localhost/", lambda route: route.fulfill(body=""))
    empty.goto("http://localhost/")
    yield opened
    opened.close()


@pytest.fixture(scope="package")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="package")
def server(chromium: Browser, logs: Path) -> Iterator[Server]:  # noqa: ARG001  # no browser: no server
    """The application with the bundled data sets."""
    running = Server(logs)
    yield running
    running.stop()


class Kept:
    """A page that goes from test to test, put back to how it was opened after each."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.context = context
        self.server = server
        self.page: Page | None = None
        self.seen: Any = None

    def take(self) -> Page:
        if self.page is None:
            self.page = Page(self.context.new_page(), self.server).open().settled()
            self.seen = self.page.eventually(self._state)
            self.widgets = self.page.script("tapviz.widgets()")
        self.page.pushes.clear()
        return self.page

    def give_back(self, *, failed: bool) -> None:
        assert self.page is not None
        if failed or not self._restored():
            self.close()

    def close(self) -> None:
        if self.page is not None:
            self.page.browsed.close()
            self.page = None

    def _restored(self) -> bool:
        page = self.page
        assert page is not None
        try:
            if page.script("tapviz.widgets()").keys() != self.widgets.keys():
                return False  # something was opened that stays
            page.script("tapviz.restore(args[0])", self.widgets)
            page.script("scrollTo(0, 0)")
            page.browsed.mouse.move(1, 1)
            page.at_rest()  # what the test did last may not have been answered
            page.eventually(self._same, wait=2)
        except (AssertionError, Error):
            return False
        return True

    def _same(self) -> None:
        assert self._state() == self.seen

    def _state(self) -> Any:
        page = self.page
        assert page is not None
        ranges = [page.range(name) for name in FIGURES]
        return page.heads(), page.table(), page.header(), ranges, page.script("tapviz.widgets()")


@pytest.fixture(scope="package")
def kept(shared: BrowserContext, server: Server) -> Iterator[Kept]:
    keeps = Kept(shared, server)
    yield keeps
    keeps.close()


@pytest.fixture(scope="module")
def serve(shared: BrowserContext, logs: Path) -> Iterator[Callable[..., Kept]]:
    """Function that serves other files, until the module ends."""
    running: list[Kept] = []

    def served(*args: object) -> Kept:
        running.append(Kept(shared, Server(logs, *map(str, args))))
        return running[-1]

    yield served
    for kept in running:
        kept.close()
        kept.server.stop()


@contextlib.contextmanager
def visit(kept: Kept, *, again: bool = False) -> Iterator[Page]:
    """A page for a test, in which nothing may go wrong; the next has it `again`, or another."""
    page = kept.take()
    yield page
    problems = trouble(page)
    kept.give_back(failed=bool(problems) or not again)
    assert not problems


@pytest.fixture
def page(kept: Kept, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The application as it is at first open; nothing may go wrong during the test."""
    page = kept.take()
    yield page
    failed = request.node.stash.get(FAILED, True)
    problems = trouble(page)
    kept.give_back(failed=failed or bool(problems))
    assert not problems


@pytest.fixture
def open_page(shared: BrowserContext, server: Server) -> Iterator[Any]:
    """Function that opens a new page of the application, with an address if there is one."""
    pages: list[Page] = []

    def opened(
        address: str = "",
        width: int = SIZE["width"],
        height: int = SIZE["height"],
        *,
        another: bool = False,
        slower: int = 1,
        **media: Any,
    ) -> Page:
        """Open an address; in a browser that knows nothing of the others if it is `another`.

        With `slower` the page has so many times less of the processor. `media` are such as
        ``color_scheme``.
        """
        context = shared.browser.new_context() if another else shared
        pages.append(Page(context.new_page(), server))
        pages[-1].browsed.set_viewport_size({"width": width, "height": height})
        pages[-1].browsed.emulate_media(**media)
        if slower > 1:
            told = context.new_cdp_session(pages[-1].browsed)
            told.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        return pages[-1].open(address)

    yield opened
    problems = [problem for page in pages for problem in trouble(page)]
    for page in pages:
        if page.browsed.context is shared:
            page.browsed.close()
        else:
            page.browsed.context.close()
    assert not problems


def trouble(page: Page) -> list[str]:
    """What went wrong in a page and in its server; told once."""
    page.browsed.wait_for_timeout(20)
    told = [*page.complaints, *(f"asked of another host: {url}" for url in page.elsewhere)]
    page.complaints.clear()
    page.elsewhere.clear()
    return told + [f"server: {line}" for line in page.server.new_complaints()]
