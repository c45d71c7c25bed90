"""What a new page costs the server, and when it is seen.

Run ``python benchmarks/open.py [--against PATH]``. It serves ``apps/explore.py`` of this tree, of
the one at PATH (an older clone, for before and after in one sitting), and the least that a page
can be, one slider and one line. Visitors without a browser (`visitor.py`) open pages one after the
other and stay. Of the later pages it prints the median of

- the processor time of the server, user and system, from the request to the last plot, and that
  of what follows, such as the intervals of the scores;
- the longest block: processor time for which the event loop served nobody else;
- the memory of the server for each page that is open;
- the models of the page;
- and, in Chromium (``--browsers``, if playwright is there), when the table is painted and when the
  last plot is, from the request.

The first page of a cold server also loads the data and every library; ``--warm`` does that before
anyone asks.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from visitor import FIGURES, PLOTS, Visitor, chromium, memory, served, spent

HERE = Path(__file__).parents[1]
FIRST_PORT = 5070
QUIET = 2.5
"""Seconds after the last plot for which what a page does later is waited for."""
FLOOR = """
import panel as pn
from bokeh.plotting import figure

slider = pn.widgets.IntSlider(start=1, end=100)
plot = figure()
plot.line([0, 1], [0, 1])
pn.Column(slider, pn.pane.Bokeh(plot)).servable()
"""
# Python runs it at its start: each turn of an event loop that takes long is written to a file.
WATCH = """
import asyncio.events, os, time

run = asyncio.events.Handle._run

def watched(self):
    begun = time.thread_time()
    run(self)
    if (block := time.thread_time() - begun) > 0.005:
        with open(os.environ["BLOCKS"], "a") as log:
            log.write(f"{block}\\n")

asyncio.events.Handle._run = watched
"""
# When the score table is there, and when every plot is drawn.
SEEN = """
globalThis.seen = {}
const elements = function* (root) {
    for (const one of root.querySelectorAll("*")) {
        yield one
        if (one.shadowRoot) yield* elements(one.shadowRoot)
    }
}
const painted = (name) => requestAnimationFrame(() => setTimeout(() => {
    seen[name] ??= performance.now() / 1000
}))
const look = () => {
    const tables = [...elements(document)].filter((one) => one.matches("table.scores"))
    if (tables.length) painted("first")
    const plots = FIGURES
    const finished = plots.every((one) => one.layout && one.has_finished())
    if (plots.length >= PLOTS && finished) painted("last")
    if (!seen.first || !seen.last) setTimeout(look, 15)
}
addEventListener("DOMContentLoaded", look)
""".replace("FIGURES", FIGURES).replace("PLOTS", str(PLOTS))


class Cost(NamedTuple):
    """What a page costs: seconds until the last plot, and afterwards; MB; models."""

    spent: float
    later: float
    block: float
    memory: float
    models: int


class Kind(NamedTuple):
    """An application, the tree whose modules it uses, and how many plots it has."""

    name: str
    app: Path
    tree: Path
    warm: bool
    n_plots: int = PLOTS


@contextmanager
def watched(kind: Kind, port: int) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A server, and the file of its long turns."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(WATCH, encoding="utf-8")
        os.environ["BLOCKS"] = str(Path(folder, "blocks"))
        command = ["panel", "serve", str(kind.app), *(["--warm"] if kind.warm else [])]
        with served(command, kind.tree, port, Path(folder)) as process:
            yield process, Path(folder, "blocks")


async def costs(kind: Kind, port: int, count: int) -> list[Cost]:
    """What each of some pages costs that are opened one after the other, and stay."""
    found, visitors = [], []
    with watched(kind, port) as (process, blocks):
        for _ in range(count):
            before, held = spent(process), memory(process)
            blocks.write_text("", encoding="utf-8")
            visitor = Visitor(f"http://localhost:{port}/{kind.app.stem}", n_plots=kind.n_plots)
            await visitor.open()
            if visitor.problem:
                raise SystemExit(visitor.problem)
            visitors.append(visitor)
            used = spent(process) - before
            await asyncio.sleep(QUIET)
            later = spent(process) - before - used
            longest = max(map(float, blocks.read_text(encoding="utf-8").split()), default=0.0)
            more = memory(process) - held
            found.append(Cost(used, later, longest, more, len(visitor.models)))
        for visitor in visitors:
            await visitor.close()
    return found


def seen(kind: Kind, port: int, count: int) -> dict[str, float]:
    """Median seconds until the table and the last plot are painted in Chromium."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # for this only

    times: dict[str, list[float]] = {"first": [], "last": []}
    with watched(kind, port), sync_playwright() as playwright:
        browser = chromium(playwright)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(SEEN)
        for _ in range(count + 1):  # the first fills the cache of the browser
            page = context.new_page()
            page.goto(f"http://localhost:{port}/{kind.app.stem}")
            page.wait_for_function("seen.first && seen.last")
            page.wait_for_timeout(1000 * QUIET)
            for name, values in times.items():
                values.append(page.evaluate(f"seen.{name}"))
            page.close()
        browser.close()
    return {name: statistics.median(values[1:]) for name, values in times.items()}


def main() -> None:
    """Measure each kind of page, and print a row for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=Path, help="an older clone, measured in the same run")
    parser.add_argument("--pages", type=int, default=8, help="pages of each kind (8)")
    parser.add_argument("--browsers", type=int, default=5, help="pages in Chromium (5); 0: none")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        floor = Path(folder, "floor.py")
        floor.write_text(FLOOR, encoding="utf-8")
        kinds = [Kind("floor", floor, HERE, warm=True, n_plots=1)]
        trees = {"this tree": HERE} | ({"before": given.against} if given.against else {})
        for name, tree in trees.items():
            app = tree.resolve() / "apps" / "explore.py"
            kinds += [Kind(f"{name}, cold", app, tree, warm=False)]
            kinds += [Kind(f"{name}, warm", app, tree, warm=True)]
        print(
            "page               models  first page  later pages     then  longest block"
            "  MB a page  painted"
        )
        for at, kind in enumerate(kinds):
            first, *later = asyncio.run(costs(kind, FIRST_PORT + at, given.pages))
            median = Cost(*map(statistics.median, zip(*later, strict=True)))
            row = (
                f"{kind.name:17} {first.models:7,} {first.spent:9.2f} s {median.spent:10.2f} s "
                f"{median.later:6.2f} s {1000 * median.block:11.0f} ms {median.memory:10.1f}"
            )
            if given.browsers and kind.warm and kind.n_plots > 1:
                when = seen(kind, FIRST_PORT + at, given.browsers)
                row += f"  {when['first']:.2f} s, last plot {when['last']:.2f} s"
            print(row, flush=True)


if __name__ == "__main__":
    main()
