"""How long a report takes to write, how large it is, and how fast its controls are.

    python benchmarks/report.py

Writes the report of the bundled data, opens it from its file in Chromium without a network, and
moves each control ninety times: from the event to the moment at which the frame is painted, in
which all plots in view are what they should be. Frames are 16.7 ms apart: as long takes a step
that is seen in the next one. "work" is how long the page is busy for it.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from playwright.sync_api import Page, sync_playwright
from visitor import chromium

from tapviz import Explorer, load_results
from tapviz.explorer.report import save_report
from tapviz.readers.datasets import dataset_info

# The control, and the plot that is on the screen meanwhile.
MOVED = (("k", "tap"), ("e0", "tap"), ("n", "roc"), ("k", "scatter"))
STEPS = 90
MEASURE = """async ([control, steps]) => {
    const input = document.getElementById(control), times = [], work = []
    for (let i = 0; i < steps; i++) {
        const start = performance.now()
        let frame
        requestAnimationFrame(() => { frame = performance.now() })
        input.value = Number(input.value) + (i < steps / 2 ? 1 : -1)
        input.dispatchEvent(new Event("input"))
        const handled = performance.now()
        await new Promise((done) => requestAnimationFrame(() => {
            const channel = new MessageChannel()
            channel.port1.onmessage = done
            channel.port2.postMessage(0)
        }))
        const end = performance.now()
        times.push(end - start)
        work.push(handled - start + end - frame)
    }
    return [times, work]
}"""


def main() -> None:
    """Write, open, move, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, help="a report that is there already")
    file = parser.parse_args().file
    with tempfile.TemporaryDirectory() as folder:
        if file is None:
            file = Path(folder) / "report.html"
            explorer = Explorer(load_results(), list(dataset_info().shown))
            start = process_time()
            save_report(explorer, file, title="Bundled data")
            print(f"written in {process_time() - start:.1f} s of processor time")
        print(f"{file.stat().st_size / 1e6:.2f} MB")
        with sync_playwright() as playwright:
            browser = chromium(playwright)
            context = browser.new_context(offline=True, viewport={"width": 1440, "height": 900})
            _measure(context.new_page(), file)
            browser.close()


def _measure(page: Page, file: Path) -> None:
    start = perf_counter()
    page.goto(file.resolve().as_uri())
    page.wait_for_selector("html[data-live]")
    print(f"alive after {perf_counter() - start:.2f} s")
    print(f"{'control':>8} {'in view':>10} {'median ms':>10} {'95 % ms':>8} {'work ms':>8}")
    for control, plot in MOVED:
        page.locator(f"figure[data-plot={plot}]").evaluate("one => one.scrollIntoView()")
        page.wait_for_timeout(300)
        times, work = page.evaluate(MEASURE, [control, STEPS])
        median, most = np.quantile(times, [0.5, 0.95])
        busy = np.median(work)
        print(f"{control:>8} {plot:>10} {median:10.1f} {most:8.1f} {busy:8.1f}")


if __name__ == "__main__":
    main()
