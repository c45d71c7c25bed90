"""A visitor without a browser: asks for a page and answers it as BokehJS does, but draws nothing.

Once it has views it moves by itself what the page would move, and tells the server where the hand
is as seldom as the page does.

`Visitor` opens the page of a running server and stays; `served` starts a server, `spent` and
`memory` say what it has cost; `chromium` is a browser, which draws.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import (
    WebSocketClientConnection,
    WebSocketClosedError,
    websocket_connect,
)

PATIENCE = 240
"""Seconds that a page may take."""
PAINT = 0.02
"""Seconds that painting a change takes."""
PLOTS = 3
"""Plots that can be seen on a new page of the explorer."""
TAP = re.compile(r'class="main\b[^>]*>(?:<small>[^<]*</small>)?([^<]*)<')
TICKS = os.sysconf("SC_CLK_TCK")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""Of Chromium."""
FIGURES = """[...(globalThis.Bokeh?.index?.query?.(
    ({ model }) => ["Figure", "Plot"].includes(model.type) && model.renderers.length) ?? [])]"""
"""What a browser evaluates to the figures of a page in which there is something."""
BROWSER = {
    "dark_mode": False,
    "device_pixel_ratio": 1,
    "language": "en-GB",
    "webdriver": False,
    "timezone": "Europe/London",
    "timezone_offset": 0,
    "webgl": True,
}
SIZES = {"inner_width": 486, "inner_height": 217, "outer_width": 556, "outer_height": 272}


def chromium(driver: Any) -> Any:
    """Chromium of a driver of Playwright; to be awaited if that is asynchronous."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    return driver.chromium.launch(executable_path=path, args=FLAGS)


@contextmanager
def served(
    command: Sequence[str], tree: Path, port: int, *modules: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A server with the modules of a tree, from when it answers until the end of the block.

    Parameters
    ----------
    command : sequence of str
        What follows ``python -m``, without the port.
    tree : Path
        A clone of the repository.
    port : int
    *modules : Path
        Folders of other modules.
    """
    process = subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, "-m", *command, "--port", str(port)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (tree, *modules)))},
        cwd=tree,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 60
        while True:
            try:
                urlopen(f"http://localhost:{port}/favicon.ico", timeout=5).close()
                break
            except OSError as error:
                if time.monotonic() > end or process.poll() is not None:
                    msg = f"{' '.join(command)} was not served within a minute"
                    raise SystemExit(msg) from error
                time.sleep(0.2)
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()


def _family(pid: int) -> list[int]:
    """A process and all that it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return [pid, *itertools.chain.from_iterable(_family(int(child)) for child in children)]


def spent(process: subprocess.Popen[bytes]) -> float:
    """Processor time of a server and its workers so far, in seconds."""
    stats = [Path(f"/proc/{pid}/stat").read_text(encoding="utf-8") for pid in _family(process.pid)]
    fields = [stat.rpartition(")")[2].split() for stat in stats]
    return sum(int(one[11]) + int(one[12]) for one in fields) / TICKS


def memory(process: subprocess.Popen[bytes]) -> float:
    """Memory of a server and its workers, in MB; what they share counts once."""
    rollups = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in _family(process.pid)]
    return sum(int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1]) for text in rollups) / 1024


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All models in a part of a document."""
    if isinstance(value, dict):
        if value.get("type") == "object" and "attributes" in value:
            yield value
        for part in value.values():
            yield from objects(part)
    elif isinstance(value, list):
        for part in value:
            if isinstance(part, (dict, list)):
                yield from objects(part)


class Visitor:
    """A page of the explorer, open.

    Times are those of `time.monotonic`; None if it has not happened.

    Parameters
    ----------
    address : str
        Of the page, without the choices.
    search : str
        The choices, ``?k=7``.
    n_plots : int
        How many the page has when it is complete.
    """

    def __init__(self, address: str, search: str = "", n_plots: int = PLOTS) -> None:
        self._address, self._search, self._n_plots = address, search, n_plots
        self._socket: WebSocketClientConnection | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._ids = itertools.count(1)
        self._drawn: set[str] = set()
        self._box = ""
        self._hand, self._view, self._place = "", {}, None
        self._pace = 1.0
        self._sent: dict[int, float] = {}
        self.alone = False
        """Whether the page moves k by itself."""
        self._complete, self._painted = asyncio.Event(), asyncio.Event()
        self.there = asyncio.Event()
        """Set when there is a document, be it without plots."""
        self.asked: float | None = None
        self.first: float | None = None
        self.complete: float | None = None
        """When the page was asked for, when its document came, and when the last plot did."""
        self.problem = ""
        self.models: dict[str, dict[str, Any]] = {}
        self.table = ""
        """The score table, as HTML."""
        self.changes: list[float] = []
        """When the plots changed."""
        self.answers: list[float] = []
        """Seconds between a value of k, and its plots."""

    async def open(self) -> None:
        """Ask for the page and wait for its plots; `problem` says why they did not come."""
        self.asked = time.monotonic()
        try:
            await asyncio.wait_for(self._connect(), PATIENCE)
        except Exception as error:  # noqa: BLE001  # of one visitor of many
            self.problem = self.problem or f"{type(error).__name__}: {error}"

    async def _connect(self) -> None:
        page = await AsyncHTTPClient().fetch(self._address + self._search, request_timeout=PATIENCE)
        token = re.search(r'"token":"([^"]+)"', page.body.decode())
        if token is None:
            self.problem = "a page without a token"
            return
        address = f"{self._address.replace('http', 'ws', 1)}/ws{self._search}"
        self._socket = await websocket_connect(
            HTTPRequest(address, request_timeout=PATIENCE, connect_timeout=PATIENCE),
            subprotocols=["bokeh", token[1]],
            max_message_size=1 << 30,
        )
        self._start(self._read())
        await self._complete.wait()

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Leave, and wait until the server has taken note."""
        if self._socket is not None:
            self._socket.close()
            await asyncio.wait([*self._tasks, asyncio.ensure_future(asyncio.sleep(0))], timeout=10)

    async def _read(self) -> None:
        try:
            await self._answer()
        except WebSocketClosedError:
            pass  # while it was answered
        finally:
            if not self._complete.is_set():
                self.problem = self.problem or "the server closed the connection"
            self._complete.set()

    async def _answer(self) -> None:
        while (header := await self._socket.read_message()) is not None:
            header = json.loads(header)
            _, content = [await self._socket.read_message() for _ in range(2)]
            buffers = {}
            for _ in range(header.get("num_buffers", 0)):
                of = json.loads(await self._socket.read_message())
                buffers[of["id"]] = await self._socket.read_message()
            if content is None:
                return
            match header["msgtype"]:
                case "ACK":  # the server is ready to be asked
                    await self._write("PULL-DOC-REQ", {})
                case "PULL-DOC-REPLY":
                    self.first = time.monotonic()
                    self._learn(json.loads(content))
                    self.there.set()
                    await self._greet()
                case "PATCH-DOC":
                    await self._patched(json.loads(content)["events"], buffers)
                case "ERROR":
                    self.problem = content

    async def _write(self, kind: str, content: dict[str, Any]) -> None:
        header = {"msgid": str(next(self._ids)), "msgtype": kind}
        # All at once, lest parts of another message come between them.
        written = [self._socket.write_message(json.dumps(part)) for part in (header, {}, content)]
        await asyncio.gather(*written)

    async def set(self, model: str, **values: Any) -> None:
        """Tell the server of what has changed in the page."""
        events = [
            {"kind": "ModelChanged", "model": {"id": model}, "attr": name, "new": value}
            for name, value in values.items()
        ]
        with suppress(WebSocketClosedError):  # `problem` says so
            await self._write("PATCH-DOC", {"events": events})

    def _learn(self, part: Any) -> None:
        """Take models from a document, or from a change."""
        for model in objects(part):
            self.models[model["id"]] = model
            if model["name"] == "Figure" and model["attributes"].get("renderers"):
                self._drawn.add(model["id"])
            text = model["attributes"].get("text")
            if isinstance(text, str) and '<table class="scores' in text:
                self.table = text
        if self.complete is None and len(self._drawn) >= self._n_plots:
            self.complete = time.monotonic()
            self._complete.set()

    def _find(self, name: str, **attributes: Any) -> str:
        """Id of the model of a name and with some attributes."""
        return next(
            model["id"]
            for model in self.models.values()
            if model["name"].endswith(name)
            and all(model["attributes"].get(key) == value for key, value in attributes.items())
        )

    async def _greet(self) -> None:
        """Say what a browser says as soon as it has the document."""
        for figure in [one["id"] for one in self.models.values() if one["name"] == "Figure"]:
            await self.set(figure, **SIZES)
        for browser in [one["id"] for one in self.models.values() if "BrowserInfo" in one["name"]]:
            for name, value in BROWSER.items():
                await self.set(browser, **{name: value})
        ready = {"type": "event", "name": "document_ready", "values": {"type": "map"}}
        sent = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": ready}
        await self._write("PATCH-DOC", {"events": [sent]})

    async def _patched(self, events: list[dict[str, Any]], buffers: dict[str, bytes]) -> None:
        now = time.monotonic()
        for event in events:
            new = event.get("new")
            if isinstance(new, (dict, list)):
                self._learn(new)
            match event.get("attr"):
                case "renderers" if new:
                    self._drawn.add(event["model"]["id"])
                    self._learn([])
                case "text" if '<table class="scores' in new:
                    self.table, self._place = new, None
                case "settled":
                    self._place = None
                case "alone":
                    self._hand, self.alone = event["model"]["id"], "k" in new
                case "pace":
                    self._pace = new / 1000
                case "views":
                    packed = dict(new["entries"]).get("k table")
                    if packed is not None:
                        text = zlib.decompress(buffers[packed["data"]["id"]])
                        self._view = json.loads(text)
                case "value" if event["model"]["id"] == self._box and new in self._sent:
                    self.answers.append(now - self._sent[new])
                case "frame":
                    self.changes.append(now)
                    self._start(self._paint(event["model"]["id"], new))
                case "search":
                    await self.set(event["model"]["id"], href=self._address + new)

    async def _paint(self, signal: str, frame: int) -> None:
        await asyncio.sleep(PAINT)
        self._painted.set()
        await self.set(signal, painted=frame)

    async def drag(self, values: Sequence[int], rate: float) -> None:
        """Move the slider of k from value to value, so many a second.

        As on the page, the latest is sent when the one before has been painted, or after 4 s; where
        the page moves itself, as seldom as the server says, and when the hand lets go.
        """
        slider = self._find("Slider", title="errors per query k")
        self._box = self._find("Spinner", title="k")  # follows the slider
        begun, said, value, told = time.monotonic(), 0, None, 0.0
        if self.alone:
            await self.set(self._hand, held=True)
        while said < len(values):
            at = min(int((time.monotonic() - begun) * rate) + 1, len(values))
            if at > said:
                value, said, before = values[at - 1], at, value
                if value == before:  # it went to an end and came back: nothing to paint
                    continue
                if self.alone:
                    self._place = value - 1
                    self.changes.append(time.monotonic())
                    if self.changes[-1] >= told + self._pace:
                        told = self.changes[-1]
                        await self.set(slider, value=value)
                    continue
                self._sent[value] = time.monotonic()
                self._painted.clear()
                await self.set(slider, value=value)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._painted.wait(), 4)
            else:
                await asyncio.sleep(begun + said / rate - time.monotonic())
        if self.alone:
            await self.set(slider, value=value)
            await self.set(self._hand, held=False)

    @property
    def scores(self) -> tuple[str, list[str]]:
        """What the score table shows: "TAP-7", and the value of each algorithm."""
        table = self.table if self._place is None else self._seen(self._place)
        title = re.search(r">(TAP-\d+)<", table)
        return title[1] if title else "", TAP.findall(table)

    def _seen(self, place: int) -> str:
        """Cells that the view of k has at a place, the best algorithm first."""
        view = self._view
        rows = [view["rows"][name]["at_threshold"] for name in _at(view["order"], place)]
        tracks = [*(track for *_, track in view["head"]), *rows]
        return "".join(_at(track, place) for track in tracks)


def _at(track: dict[str, Any], place: int) -> Any:
    """What a track of a view has at a place."""
    runs = track.get("runs", [])
    if runs:
        place = [one for one, n in zip(runs[::2], runs[1::2], strict=True) for _ in range(n)][place]
    return track["values"][place if "control" in track else 0]
