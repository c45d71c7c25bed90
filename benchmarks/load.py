"""A class comes in: how long each waits for the page, and what they see when all drag at once.

Run ``python benchmarks/load.py``. It serves the explorer. Forty visitors without a browser
(`visitor.py`), and two Chromium among them, ask for it within a minute, each by a link with a k of
its own. When all have their plots, all drag k at once for ten seconds, twenty values a second, in
Chromium sixty. A page that has been given views shows each of them by itself and tells the server
now and then: how many do is printed, and how long a value takes is of the others alone. Then each
should show the scores of the k at which it stopped; these are computed here. Meanwhile a small file
is asked for ten times a second: the longest wait for it is how long nobody was served.

The visitors are on the same machine. ``--server panel`` serves as README does, ``--server tapviz``
by ``tapviz serve``; ``--tree`` measures an older clone. Chromium and playwright are needed for
``--browsers`` only.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import statistics
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, NamedTuple

from tornado.httpclient import AsyncHTTPClient
from visitor import FIGURES, PATIENCE, PLOTS, Visitor, chromium, memory, served, spent

from tapviz import Explorer, load_results
from tapviz.readers.datasets import dataset_info
from tapviz.state import MAX_K

HERE = Path(__file__).parents[1]
PORT = 5090
SERVERS = {
    "panel": ["panel", "serve", "apps/explore.py", "--warm"],
    "tapviz": ["tapviz", "serve"],
}
DRAG = 10
"""Seconds for which all drag at once."""
RATE = 20
"""Values a second of a drag."""
BROWSER_RATE = 60
"""The same in a browser, which may not show them all."""
REST = 60
"""Seconds after which the last answer of a drag has to be there."""
COUNT_MOVES = """() => {
    window.moves = []
    document.addEventListener("tapviz-moved", () => moves.push(Date.now() / 1000))
}"""
HAS_PLOTS = f"""
() => {{
    return {FIGURES}.length >= {PLOTS} && Bokeh.documents[0].is_idle
}}
"""


class Silence(threading.Thread):
    """Asks the server for a small file again and again; `longest` is the longest wait."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.longest, self._end = 0.0, threading.Event()

    def run(self) -> None:
        """Ask until `stop`."""
        while not self._end.wait(0.1):
            asked = time.monotonic()
            connection = HTTPConnection("localhost", PORT, timeout=PATIENCE)
            try:
                connection.request("GET", "/favicon.ico")
                connection.getresponse().read()
            except (OSError, HTTPException):
                return
            finally:
                connection.close()
            self.longest = max(self.longest, time.monotonic() - asked)

    def stop(self) -> float:
        """End; the longest wait."""
        self._end.set()
        self.join()
        return self.longest


class Browser:
    """A page of the explorer in Chromium, with what `Visitor` tells of its own."""

    def __init__(self, page: Any, address: str, search: str) -> None:
        self._page, self._url = page, address + search
        self.asked = self.complete = None
        self.problem, self.changes = "", []
        page.set_default_timeout(PATIENCE * 1000)
        page.on("websocket", lambda socket: socket.on("framereceived", self._received))

    def _received(self, frame: Any) -> None:
        if '"attr":"frame"' in str(frame):
            self.changes.append(time.monotonic())

    async def open(self) -> None:
        """Ask for the page and wait for its plots."""
        self.asked = time.monotonic()
        try:
            await self._page.goto(self._url)
            await self._page.wait_for_function(HAS_PLOTS)
        except Exception as error:  # noqa: BLE001  # of one visitor of many
            self.problem = f"{type(error).__name__}: {error}"
        else:
            self.complete = time.monotonic()

    async def drag(self, n_values: int, rate: float) -> None:
        """Drag the handle to and fro: a value of k is between one and two pixels wide."""
        await self._page.evaluate(COUNT_MOVES)
        box = await self._page.locator(".noUi-handle").first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await self._page.mouse.move(x, y)
        await self._page.mouse.down()
        begun = time.monotonic()
        for at in range(n_values):
            await asyncio.sleep(begun + at / rate - time.monotonic())
            await self._page.mouse.move(x + 2 * abs(at % 60 - 30), y)
        await self._page.mouse.up()
        behind = time.time() - time.monotonic()
        self.changes += [at - behind for at in await self._page.evaluate("moves")]
        self.changes.sort()

    async def table(self) -> str:
        """The score table, as HTML."""
        return await self._page.locator("table.scores").first.evaluate("one => one.outerHTML")


class Wave(NamedTuple):
    """What a wave of visitors met."""

    visitors: list[Visitor]
    browsers: list[Browser]
    processor: float
    megabytes: float
    silence: float
    dragging_silence: float
    dragging_processor: float
    started: float
    own: int
    alone: int
    """Visitors whose page moved itself when they began to drag."""
    right: int
    after: float


def path_of(start: int, count: int) -> list[int]:
    """Values of a drag to and fro over all of k."""
    span = MAX_K - 1
    return [1 + abs((start - 1 + at + span) % (2 * span) - span) for at in range(1, count + 1)]


@cache
def expected(k: int) -> tuple[str, list[str]]:
    """What the score table should show at some k."""
    explorer = Explorer(load_results(), shown=list(dataset_info().shown), k=k)
    # The best is first; a dash stands for what is undefined.
    taps = explorer.scores["tap"].dropna().sort_values(ascending=False)
    return f"TAP-{k}", [f"{value:.3f}" for value in taps]


async def wave(process: Any, address: str, given: argparse.Namespace) -> Wave:
    """Let visitors come, drag and leave."""
    AsyncHTTPClient.configure(None, max_clients=1000)
    starts = [5 + 2 * at % 90 for at in range(given.visitors)]
    visitors = [Visitor(address, f"?k={k}") for k in starts]
    browsers: list[Browser] = []
    async with AsyncExitStack() as stack:
        if given.browsers:
            from playwright.async_api import async_playwright  # noqa: PLC0415

            driver = await stack.enter_async_context(async_playwright())
            browser = await chromium(driver)
            stack.push_async_callback(browser.close)
            for at in range(given.browsers):
                page = await browser.new_page(viewport={"width": 1440, "height": 900})
                browsers.append(Browser(page, address, f"?k={50 + at}"))
        before, held = spent(process), memory(process)
        silence = Silence()
        silence.start()
        # The browsers come between the others, evenly.
        everyone: list[Any] = list(visitors)
        for at, browser in enumerate(browsers):
            everyone.insert((at + 1) * len(visitors) // (len(browsers) + 1) + at, browser)
        begun = time.monotonic()

        async def come(at: int, who: Any) -> None:
            await asyncio.sleep(begun + at * given.seconds / len(everyone) - time.monotonic())
            await who.open()

        await asyncio.gather(*(come(at, who) for at, who in enumerate(everyone)))
        processor = (spent(process) - before) / len(everyone)
        megabytes = (memory(process) - held) / len(everyone)
        opening_silence = silence.stop()
        inside = [visitor for visitor in visitors if not visitor.problem]
        own = sum(v.scores == expected(k) for v, k in zip(visitors, starts, strict=True))
        await asyncio.sleep(10)  # intervals, words
        silence = Silence()
        silence.start()
        before, started = spent(process), time.monotonic()
        paths = {
            visitor: path_of(k, DRAG * RATE) for visitor, k in zip(visitors, starts, strict=True)
        }
        alone = sum(visitor.alone for visitor in inside)
        drags = [visitor.drag(paths[visitor], RATE) for visitor in inside]
        drags += [
            browser.drag(DRAG * BROWSER_RATE, BROWSER_RATE)
            for browser in browsers
            if not browser.problem
        ]
        await asyncio.gather(*drags)
        dragging_processor = (spent(process) - before) / (time.monotonic() - started)
        for _ in range(REST * 2):
            right = sum(visitor.scores == expected(paths[visitor][-1]) for visitor in inside)
            if right == len(inside):
                break
            await asyncio.sleep(0.5)
        dragging_silence = silence.stop()
        await asyncio.gather(*(visitor.close() for visitor in visitors))
    before = spent(process)
    await asyncio.sleep(10)
    return Wave(
        visitors,
        browsers,
        processor,
        megabytes,
        opening_silence,
        dragging_silence,
        dragging_processor,
        started,
        own,
        alone,
        right,
        spent(process) - before,
    )


def seconds(values: list[float]) -> str:
    """Median, 95th percentile and worst of some seconds."""
    if not values:
        return "none"
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{statistics.median(ordered):6.2f} {p95:6.2f} {ordered[-1]:6.2f}"


def rates(visitors: Sequence[Any], started: float) -> list[float]:
    """Changes a second that each visitor saw while all were dragging."""
    return [sum(started <= at <= started + DRAG for at in one.changes) / DRAG for one in visitors]


def gaps(visitors: Sequence[Any], started: float) -> list[float]:
    """The longest time without a change that each visitor saw while all were dragging."""
    times = [
        [started, *(at for at in one.changes if started <= at <= started + DRAG), started + DRAG]
        for one in visitors
    ]
    return [max(b - a for a, b in itertools.pairwise(one)) for one in times]


def report(found: Wave) -> None:
    """Print what a wave met."""
    visitors, browsers = found.visitors, found.browsers
    inside = [one for one in visitors if not one.problem]
    line("", "median", "95 %", "worst")
    waits = {"document": "first", "all plots": "complete"}
    for name, attribute in waits.items():
        line(f"wait for the {name}, s", seconds([getattr(v, attribute) - v.asked for v in inside]))
    drawn = [one for one in browsers if not one.problem]
    if browsers:
        line("  in Chromium, all plots, s", seconds([one.complete - one.asked for one in drawn]))
    line("all in", f"{len(inside) + len(drawn)} of {len(visitors) + len(browsers)}")
    line("with the k of their link", f"{found.own} of {len(visitors)}")
    line("processor time a page, s", f"{found.processor:.2f}")
    line("memory a page, MB", f"{found.megabytes:.1f}")
    line("longest silence as they come, s", f"{found.silence:.2f}")
    problems = Counter(one.problem for one in (*visitors, *browsers) if one.problem)
    for problem, count in problems.items():
        line(f"{count} not in", problem[:200])
    if not inside:
        return
    print(f"\n{len(inside) + len(drawn)} drag at once for {DRAG} s")
    line("", "median", "95 %", "worst")
    line("moved by the page itself", f"{found.alone} of {len(inside)}")
    waited = [v for v in inside if v.answers or not v.alone]
    line("from a value to its plots, s", seconds([a for v in waited for a in v.answers]))
    own = [statistics.median(v.answers) if v.answers else float(DRAG) for v in waited]
    if own:
        worst = max(own) / statistics.median(own)
        line("each visitor's median, s", seconds(own), f"worst is {worst:.1f} x the median")
    line("longest time without a change, s", seconds(gaps(inside, found.started)))
    changes = rates(inside, found.started)
    line("changes a second", f"{statistics.median(changes):6.1f}", f"fewest {min(changes):.1f}")
    if drawn:
        of_browsers = ", ".join(f"{rate:.1f}" for rate in rates(drawn, found.started))
        line("  in Chromium", of_browsers)
    line("longest silence, s", f"{found.dragging_silence:.2f}")
    line("processors in use", f"{found.dragging_processor:.2f}")
    line("right at the end", f"{found.right} of {len(inside)}")
    line("processor time 10 s after all left, s", f"{found.after:.2f}")


def line(name: str, *cells: str) -> None:
    print(f"{name:<38} " + " ".join(f"{cell:>6}" for cell in cells), flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--visitors", type=int, default=40, help="without a browser (40)")
    options.add_argument("--seconds", type=float, default=60, help="within which they come (60)")
    options.add_argument("--browsers", type=int, default=2, help="Chromium among them (2)")
    options.add_argument("--server", choices=SERVERS, default="panel")
    options.add_argument("--processes", type=int, help="of tapviz serve")
    options.add_argument("--tree", type=Path, default=HERE, help="a clone to measure (this one)")
    given = options.parse_args()
    command = SERVERS[given.server]
    if given.processes:
        command = [*command, "--processes", str(given.processes)]
    with served(command, given.tree, PORT) as process:
        report(asyncio.run(wave(process, f"http://localhost:{PORT}/explore", given)))


if __name__ == "__main__":
    main()
