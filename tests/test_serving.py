"""`tapviz serve` as a process: pages, health, log, lifetimes, and processes that end together."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from http.cookiejar import CookieJar
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic, sleep, time
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id, get_token_payload
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from tapviz import Explorer, load_results
from tapviz.cli import main
from tapviz.lesson.content import encoded
from tapviz.readers.datasets import dataset_info
from tests.printed import stderr_of
from tests.refused import refuses

pytestmark = pytest.mark.subprocess
ROOT = Path(__file__).parents[1]
PATIENCE = 180
ADDRESS = r"(?:serving |running at: | at )(http://localhost:\d+/[^\s;]*?)(?:explore)?[\s;]"
"""In the log of `tapviz serve`, of `panel serve`, and of `tapviz explore`."""


@pytest.fixture(scope="module")
def visitor():
    """The module of visitors without a browser."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import visitor  # noqa: PLC0415

        return visitor
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


class Serving:
    """`tapviz serve` on a free port, or another command that serves the explorer."""

    def __init__(self, folder, *options, command=("tapviz", "serve", "--port", "0")):
        self._file = folder / "serve.log"
        with self._file.open("wb") as log:
            argued = [sys.executable, "-m", *command, *options]
            told = {"stdout": log, "stderr": subprocess.STDOUT}
            self.process = subprocess.Popen(argued, cwd=ROOT, **told)
        self.url = self.wait_for(ADDRESS)[1].rstrip("/")

    @property
    def log(self):
        return self._file.read_text("utf-8")

    def wait_for(self, pattern, count=1):
        """Wait until the log holds a pattern so many times; the last match."""
        end = monotonic() + PATIENCE
        while len(found := list(re.finditer(pattern, self.log))) < count:
            assert self.process.poll() is None, self.log
            assert monotonic() < end, self.log
            sleep(0.05)
        return found[-1]

    def get(self, path):
        with urlopen(self.url + path, timeout=PATIENCE) as answer:  # noqa: S310
            return answer.read().decode()

    @property
    def health(self):
        return json.loads(self.get("/healthz"))

    def stop(self, number=signal.SIGTERM):
        """End it, if it has not ended yet."""
        if self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(PATIENCE)


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    server = Serving(tmp_path_factory.mktemp("serve"), "--max-sessions", "3")
    yield server
    server.stop()


@pytest.fixture
def started(tmp_path):
    """Function that starts a server, which ends with the test."""
    with ExitStack() as stack:

        def start(*options, **others):
            server = Serving(tmp_path, *options, **others)
            stack.callback(server.stop)
            return server

        yield start


async def visited(one):
    """Somebody who has opened a page and closed it, without a problem."""
    await one.open()
    assert not one.problem
    await one.close()
    return one


def empty(serving):
    """Wait until the server has taken note that nobody is there any more."""
    end = monotonic() + PATIENCE
    while serving.health["sessions"]:
        assert monotonic() < end, serving.log
        sleep(0.05)


def token_of(page):
    return re.search(r'"token":"([^"]+)"', page)[1]


def test_the_index_leads_to_explorer_and_lesson(serving):
    paths = re.findall(r'href="([^"]+)"', serving.get("/"))
    assert paths == ["/explore", "/lesson"]
    for path in paths:
        page = serving.get(path)
        assert token_of(page)
        assert "<title>tapviz</title>" in page
        assert "does not let this page connect" in page  # what it says if it cannot


def test_health_says_version_sessions_and_uptime(serving):
    empty(serving)
    first, second = serving.health, serving.health
    assert first["version"] == second["version"] == "0.1.0"
    assert first["sessions"] == 0
    assert second["uptime"] >= first["uptime"] >= 0
    assert first["process"] == serving.process.pid


def test_a_visitor_is_counted_logged_and_gone(serving, visitor):
    empty(serving)

    async def visit():
        one = visitor.Visitor(f"{serving.url}/explore", "?k=7")
        await one.open()
        assert not one.problem
        health = await asyncio.get_running_loop().run_in_executor(None, lambda: serving.health)
        await one.close()
        return one.scores, health["sessions"]

    scores, sessions = asyncio.run(visit())
    explorer = Explorer(load_results(), shown=list(dataset_info().shown), k=7)
    best_first = sorted(explorer.scores["tap"], reverse=True)
    assert scores == ("TAP-7", [f"{value:.3f}" for value in best_first])
    assert sessions == 1
    opened = serving.wait_for(r"INFO opened session=(\w+) seconds=\d+\.\d\d\n")
    serving.wait_for(rf"INFO closed session={opened[1]} seconds=\d+\n")
    stamped = r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO opened"
    assert re.search(stamped, serving.log, re.MULTILINE)
    empty(serving)


def test_who_asks_and_does_not_come_in_costs_no_page(serving):
    empty(serving)
    before = serving.log.count("opened session")
    for _ in range(5):
        serving.get("/explore?k=9")
    assert (serving.health["sessions"], serving.log.count("opened session")) == (0, before)


def test_a_page_may_connect_for_a_day(serving):
    expiry = get_token_payload(token_of(serving.get("/explore")))["session_expiry"]
    assert 23 * 3600 < expiry - time() <= 24 * 3600


def connect(url, token, origin):
    """Open a WebSocket; its first message, None if it is closed before."""

    async def ask():
        address = url.replace("http", "ws", 1) + "/explore/ws"
        request = HTTPRequest(address, headers={"Origin": origin})
        connection = await websocket_connect(request, subprotocols=["bokeh", token])
        message = await asyncio.wait_for(connection.read_message(), PATIENCE)
        connection.close()
        rest = message
        while rest is not None:
            rest = await asyncio.wait_for(connection.read_message(), PATIENCE)
        return message

    return asyncio.run(ask())


def test_a_token_that_the_server_did_not_make_is_refused(serving):
    forged = generate_jwt_token(generate_session_id(), extra_payload={"headers": {}, "cookies": {}})
    assert connect(serving.url, forged, serving.url) is None
    assert "ACK" in connect(serving.url, token_of(serving.get("/explore")), serving.url)


def test_another_site_cannot_connect(serving):
    token = token_of(serving.get("/explore"))
    refuses("403", connect, serving.url, token, "https://elsewhere.test", error=HTTPClientError)


def test_a_page_says_who_may_show_it_and_answers_to_its_own_names(serving):
    with urlopen(f"{serving.url}/explore", timeout=PATIENCE) as answer:  # noqa: S310
        assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    elsewhere = {"Host": "evil.test"}
    with pytest.raises(HTTPError, match="421"):
        urlopen(Request(f"{serving.url}/explore", headers=elsewhere), timeout=PATIENCE)  # noqa: S310
    with urlopen(Request(f"{serving.url}/healthz", headers=elsewhere), timeout=PATIENCE) as answer:  # noqa: S310
        assert answer.status == 200  # whoever watches it may know it by any name


def test_no_more_pages_than_allowed(serving, visitor):
    empty(serving)

    async def visit():
        visitors = [visitor.Visitor(f"{serving.url}/explore") for _ in range(4)]
        for one in visitors[:3]:
            await one.open()
        refused = asyncio.ensure_future(visitors[3].open())
        await visitors[3].there.wait()
        await asyncio.gather(*(one.close() for one in visitors), refused)
        return [bool(one.complete) for one in visitors], visitors[3].models

    inside, models = asyncio.run(visit())
    assert inside == [True, True, True, False]
    assert any("as many visitors as it takes" in str(one["attributes"]) for one in models.values())
    serving.wait_for(r"WARNING refused session=\w+ open=3\n")


def family(pid):
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in family(int(child)))]


def alive(pid):
    with suppress(FileNotFoundError, ProcessLookupError):
        return " Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    return False


def assert_renewed(server, visitor, number):
    """Once somebody has been there, one of so many processes ends, and another one begins."""

    async def visit():
        one = visitor.Visitor(f"{server.url}/explore")
        await one.open()
        assert "renewed" not in server.log  # while somebody is there
        await one.close()
        return one.problem

    assert not asyncio.run(visit())
    pid = server.wait_for(r"INFO renewed process=(\d+)\n")[1]
    server.wait_for("serving http", count=number + 1)
    assert server.health["process"] != int(pid)
    assert "ERROR" not in server.log


ENDS = {signal.SIGTERM: 0, signal.SIGINT: 130, signal.SIGKILL: -9}
"""Exit codes: who terminates a server ends it as it should be ended; Ctrl+C interrupts it."""


@pytest.mark.parametrize("number", ENDS)
def test_processes_share_the_port_and_end_with_the_first(tmp_path, visitor, number):
    renewed = ("--renew-after", "1") if number == signal.SIGINT else ()
    server = Serving(tmp_path, "--processes", "2", "--prefix", "/x", *renewed)
    processes = family(server.process.pid)
    try:
        server.wait_for("serving http", count=2)
        assert server.url.endswith("/x")
        pids = set()
        end = monotonic() + PATIENCE
        while len(pids) < 2 and monotonic() < end:
            pids.add(server.health["process"])
        assert len(pids) == 2
        assert pids < set(family(server.process.pid))
        if number == signal.SIGTERM:  # one that ends by itself is replaced
            os.kill(pid := server.health["process"], signal.SIGKILL)
            server.wait_for(rf"ERROR ended process={pid} code=-9\n")
            server.wait_for("serving http", count=3)
            assert server.health["process"] != pid
        if renewed:
            assert_renewed(server, visitor, 2)
        processes = family(server.process.pid)
        server.stop(number)
        assert server.process.returncode == ENDS[number]
        end = monotonic() + PATIENCE
        while any(map(alive, processes)) and monotonic() < end:
            sleep(0.05)
        assert not [pid for pid in processes if alive(pid)]
    finally:
        for pid in filter(alive, processes):
            os.kill(pid, signal.SIGKILL)
    refuses("refused", server.get, "/healthz", error=OSError)


OF_ONE = [("serve", signal.SIGINT), ("explore", signal.SIGINT), ("explore", signal.SIGTERM)]
"""A command and what ends it; `tapviz serve` is terminated at the end of this module."""


@pytest.mark.parametrize(("command", "number"), OF_ONE)
def test_an_interrupt_and_the_end_are_told_apart(started, visitor, command, number):
    """And `tapviz explore` shows one person the explorer."""
    options = ["--no-show"] if command == "explore" else []
    server = started(*options, command=("tapviz", command, "--port", "0"))
    if number == signal.SIGTERM:
        shown = asyncio.run(visited(visitor.Visitor(server.url, "?k=7")))
        assert "TAP-7" in re.sub("<[^>]*>", "", shown.table)
    with urlopen(f"{server.url}/healthz", timeout=PATIENCE):  # noqa: S310
        server.stop(number)
    assert server.process.returncode == ENDS[number]
    assert len(server.log.splitlines()) == 1, server.log  # where it is, and nothing when it ends


def test_the_lesson_is_served_once_it_is_made(serving, visitor):
    async def visit():
        one = visitor.Visitor(f"{serving.url}/lesson", n_plots=0)
        await one.open()
        await one.close()
        found = [model["attributes"] for model in one.models.values()]
        return [attributes["content"] for attributes in found if "content" in attributes]

    end = monotonic() + PATIENCE
    while not (contents := asyncio.run(visit())):
        assert monotonic() < end, serving.log
        sleep(0.05)
    assert contents == [encoded()]


def test_a_process_of_many_pages_is_renewed_when_nobody_is_there(started, visitor):
    """Where it is the only one; where there are two, beside what ends them."""
    server = started("--processes", "1", "--renew-after", "1")
    server.wait_for("serving http")
    assert_renewed(server, visitor, 1)


def test_a_port_in_use_is_one_line_and_code_2(capsys):
    with socket.create_server(("localhost", 0)) as busy:
        port = str(busy.getsockname()[1])
        assert main(["serve", "--port", port]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"--port {port}: Address already in use")


def test_a_login_that_it_does_not_have_is_refused_and_not_left_out(capsys, monkeypatch):
    monkeypatch.setenv("PANEL_OAUTH_PROVIDER", "github")
    (said,) = stderr_of(capsys, ["serve", "--port", "0"]).splitlines()
    assert said.startswith("PANEL_OAUTH_PROVIDER is set: use panel serve")


@pytest.mark.parametrize("options", [(), ("--class",)], ids=str)
def test_behind_a_password_nothing_is_shown_but_health(serving, started, monkeypatch, options):
    monkeypatch.setenv("PANEL_BASIC_AUTH", "secret")
    server = started(*options)
    assert server.health["sessions"] == 0
    of_class = ("/class", "/class/predictions") if options else ()
    for path in ("/", "/explore", "/lesson", *of_class):
        assert "password" in server.get(path)
        assert '"token"' not in server.get(path)
    with pytest.raises(HTTPClientError, match="403"):
        connect(server.url, token_of(serving.get("/explore")), server.url)


def test_a_class_is_reached_by_the_addresses_that_are_printed(started):
    server = started("--class", "--address", "0.0.0.0", "--prefix", "/x")  # noqa: S104
    lesson, teacher = re.findall(r" open[s]? (http://\S+)", server.log)
    port = urlsplit(server.url).port
    assert re.fullmatch(rf"http://[\w.]+:{port}/x/lesson", lesson)
    assert re.fullmatch(rf"http://[\w.]+:{port}/x/class\?key=\S{{12}}", teacher)
    with urlopen(lesson, timeout=PATIENCE) as answer:  # noqa: S310
        assert encoded() in answer.read().decode()
    jar = build_opener(HTTPCookieProcessor(CookieJar()))
    with jar.open(teacher, timeout=PATIENCE) as answer:
        assert answer.url == teacher.partition("?")[0]
        assert f'<b class="address">{lesson}</b>' in answer.read().decode()
    with urlopen(f"{server.url}/lesson", timeout=PATIENCE) as answer:  # noqa: S310
        assert encoded() in answer.read().decode()
    for _ in range(3):
        with pytest.raises(HTTPError, match="400"):
            urlopen(f"{server.url}/lesson/predictions", data=b"rubbish", timeout=PATIENCE)  # noqa: S310
    assert "rubbish" not in server.log
    assert "127.0.0.1" not in server.log


class IdentityProvider(BaseHTTPRequestHandler):
    """Lets everybody in as Anna, whoever they are; not those who come without the secret."""

    def do_GET(self):
        asked = urlsplit(self.path)
        if asked.path == "/authorize":
            given = dict(parse_qsl(asked.query))
            code = urlencode({"code": "from the provider", "state": given["state"]})
            self.send_response(302)
            self.send_header("Location", f"{given['redirect_uri']}?{code}")
            self.end_headers()
        else:
            known = self.headers["Authorization"] == "Bearer a token"
            self.answer(200 if known else 401, {"email": "anna@lab.example.org"})

    def do_POST(self):
        given = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        known = (given["code"], given["client_secret"]) == ("from the provider", "SECRET")
        self.answer(200 if known else 401, {"access_token": "a token"})

    def answer(self, status, content):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def provider():
    server = ThreadingHTTPServer(("localhost", 0), IdentityProvider)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_panel_serve_asks_a_provider_who_a_visitor_is(serving, started, provider, monkeypatch):
    for name, path in (("AUTHORIZE", "authorize"), ("TOKEN", "token"), ("USER", "user")):
        monkeypatch.setenv(f"PANEL_OAUTH_{name}_URL", f"{provider}/{path}")
    command = "panel serve apps/explore.py --warm --port 0 --cookie-secret COOKIE"
    oauth = "provider=generic key=KEY secret=SECRET encryption-key"
    command += "".join(f" --oauth-{option}" for option in oauth.split()) + f"={'k' * 43}="
    server = started(command=command.split())
    with pytest.raises(HTTPClientError, match="403"):
        connect(server.url, token_of(serving.get("/explore")), server.url)
    refuses("401", server.get, "/login?code=forged&state=forged", error=HTTPError)
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    with browser.open(f"{server.url}/explore?k=7", timeout=PATIENCE) as page:
        assert page.url == f"{server.url}/explore?k=7"
        assert token_of(page.read().decode())
    with pytest.raises(HTTPError, match="401"):  # without what the visitor has signed
        build_opener().open(f"{server.url}/login?code=from%20the%20provider", timeout=PATIENCE)


def test_a_server_that_is_terminated_ends_as_it_should_and_says_nothing(serving):
    """The last of this module: it ends the server of the others."""
    empty(serving)
    before = serving.log
    with urlopen(f"{serving.url}/healthz", timeout=PATIENCE):  # noqa: S310
        serving.stop(signal.SIGTERM)
    assert serving.process.returncode == ENDS[signal.SIGTERM]
    assert not re.sub(".* INFO closed session=.*\n", "", serving.log.removeprefix(before))
