"""From the hand to the last plot: how long the page takes to show a change, in a real browser.

Run ``python benchmarks/live.py``. It serves the bundled data as it opens, with five algorithms
shown, then with all nine, and beside it, in the same run and browser, the least that a page can do,
a slider that moves one line in one plot, by the server and in the browser alone, and the obvious
alternative: the same four plots of nine algorithms as HoloViews DynamicMaps that return a new
overlay for each change. A key is pressed on a slider; the time is from the browser's event to the
end of the last repaint that follows. Beside it stands the share of the time of all processors that
the host of a virtual machine took meanwhile: what it takes, a step waits for. Scores, ranked lists
and other words follow the plots: beside it stands when the last of them has changed. Then a slow
machine's worst case: a fast drag, and how long after the hand has stopped the last plot is painted.

Needs a Chromium (apt-get install chromium, or python -m playwright install chromium).
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import statistics
import time
from pathlib import Path
from typing import Any, NamedTuple

import holoviews as hv
import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure
from playwright.sync_api import Page, sync_playwright
from visitor import chromium

from tapviz import Explorer, load_results
from tapviz.cli.server import tune_process, tune_session
from tapviz.draw.holoviews import overlay
from tapviz.page import Dashboard
from tapviz.page.widgets import LiveIntSlider
from tapviz.plots import PLOTS, PlotData
from tapviz.readers.datasets import dataset_info

PORT = 5057
ANY, K, E0, N = ("", *(f'[aria-label^="{name}"]' for name in ("errors", "E-value", "n of ROC")))
"""Sliders: what their handles are called."""
PATIENCE = 300_000  # milliseconds: DynamicMaps queue what a drag asked of them
BUDGET_MEDIAN, BUDGET_P95 = 100, 150
TABS = {
    "coverage": "coverage",
    "nth_error": "k-th error",
    "scatter": "A vs B",
    "pooled": "why pooled differs",
    "order": "ranking",
}
"""Plots of the fourth place that follow k; the others are left alone by it."""

IN_BROWSER = "source.data = { x: [0, 1], y: [0, cb_obj.value] }"

# Every figure's paint is timed, and so is every change of a text and every event of the hand.
WATCH = """
() => {
    window.paints = []
    window.texts = []
    const observer = new MutationObserver(() => texts.push(performance.now()))
    const read = (root) => {
        observer.observe(root, { childList: true, characterData: true, subtree: true })
        for (const element of root.querySelectorAll("*")) {
            if (element.shadowRoot) read(element.shadowRoot)
        }
    }
    read(document)
    const watch = (view) => {
        if (view.model.type === "Figure") {
            const paint = view.paint.bind(view)
            view.paint = (...args) => { paint(...args); paints.push(performance.now()) }
        }
        for (const child of view.children ? view.children() : []) watch(child)
    }
    for (const root of Bokeh.index.roots) watch(root)
    const note = () => { window.event = performance.now() }
    document.addEventListener("keydown", note, true)
    document.addEventListener("pointermove", note, true)
}
"""


class Times(NamedTuple):
    """Milliseconds, from the event to the last repaint, and to the last change of a text."""

    median: float
    p95: float
    texts: float
    taken: float
    """Share of the processors' time that the host of a virtual machine took."""

    @classmethod
    def of(cls, values: list[tuple[float, float]], taken: float) -> Times:
        """Median and 95th percentile of some repaints, and median of the texts."""
        repaints, texts = zip(*values, strict=True)
        p95 = statistics.quantiles(repaints, n=20)[-1]
        return cls(statistics.median(repaints), p95, statistics.median(texts), taken)


def ours(*, everything: bool) -> Dashboard:
    tune_process()  # as the apps do
    tune_session()
    results = load_results()
    explorer = Explorer(results, list(results if everything else dataset_info().shown))
    explorer.from_query(pn.state.location.search if pn.state.location else "")
    return Dashboard(explorer)


def least(*, served: bool) -> pn.Column:
    """A slider that moves one line."""
    slider = LiveIntSlider(start=1, end=100, value=20)
    source = ColumnDataSource({"x": [0, 1], "y": [0, 20]})
    plot = figure(height=308, y_range=(0, 100))
    plot.line("x", "y", source=source)

    def move(event: Any) -> None:
        source.data = {"x": [0, 1], "y": [0, event.new]}

    if served:
        slider.param.watch(move, "value")
    else:
        slider.jscallback({"source": source}, value=IN_BROWSER)
    return pn.Column(slider, pn.pane.Bokeh(plot))


def dynamic_maps() -> pn.Column:
    """The same pictures, drawn anew by DynamicMaps whenever the explorer changes."""
    results = load_results()
    explorer = Explorer(results, shown=list(results))
    data = PlotData(explorer)
    slider = LiveIntSlider.from_param(explorer.param.k, start=1, end=100)

    def again(name: str) -> hv.DynamicMap:
        def plot(k: int) -> hv.Overlay:  # noqa: ARG001  # the explorer has it already
            return overlay(PLOTS[name].picture(data))

        return hv.DynamicMap(plot, streams={"k": explorer.param.k})

    panes = [pn.pane.HoloViews(again(name), height=308) for name in ("tap", "precision_recall")]
    more = [pn.pane.HoloViews(again(name), height=308) for name in ("epq", "roc")]
    return pn.Column(slider, pn.Row(*panes), pn.Row(*more), sizing_mode="stretch_width")


def serve() -> None:
    pn.extension()
    pages = {
        "five": lambda: ours(everything=False),
        "nine": lambda: ours(everything=True),
        "least": lambda: least(served=True),
        "browser": lambda: least(served=False),
        "dynamic": dynamic_maps,
    }
    pn.serve(pages, port=PORT, show=False, verbose=False)


def opened(page: Page, path: str) -> None:
    page.goto(f"http://localhost:{PORT}/{path}")
    page.locator(".noUi-handle").first.wait_for()
    page.wait_for_timeout(4000)
    page.evaluate(WATCH)


def steps(page: Page, slider: str, count: int) -> Times:
    """Press a key on a slider and wait for the page to come to rest, many times."""
    page.locator(f".noUi-handle{slider}").first.focus()
    times, before = [], processors()
    for step in range(count + 3):
        page.evaluate("paints.length = texts.length = 0")
        page.keyboard.press("ArrowRight" if step % 20 < 12 else "ArrowLeft")
        page.wait_for_function("paints.length && performance.now() - Math.max(...paints) > 250")
        times.append(tuple(page.evaluate("[paints, texts].map(at => Math.max(...at) - event)")))
    all_of_it, taken = np.subtract(processors(), before)
    return Times.of(times[3:], taken / all_of_it)


def processors() -> tuple[int, int]:
    """Ticks of all processors so far, and how many of them the host took; as Linux tells."""
    stat = Path("/proc/stat")
    ticks = [int(word) for word in stat.read_text().split()[1:9]] if stat.exists() else []
    return (sum(ticks), ticks[-1]) if ticks else (time.monotonic_ns(), 0)


def drag(page: Page) -> tuple[int, float]:
    """Drag the first slider 60 steps at 60 a second: repaints on the way, and lag at the end."""
    box = page.locator(".noUi-handle").first.bounding_box()
    if box is None:
        msg = "the slider is not on the page"
        raise RuntimeError(msg)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate("paints.length = 0")
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(x + 2 * step, y)
        time.sleep(1 / 60)
    last = page.evaluate("event")
    page.mouse.up()
    page.wait_for_function("paints.length && performance.now() - Math.max(...paints) > 4000")
    return page.evaluate("paints.length"), page.evaluate("Math.max(...paints)") - last


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=40)
    count = options.parse_args().steps
    server = multiprocessing.get_context("spawn").Process(target=serve, daemon=True)
    server.start()
    time.sleep(6)
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(PATIENCE)
        heads = ("median", "95 %", "budget", "last text", "host took")
        line("ms from the event to the last repaint, of", *heads)
        least_of = {}
        for path, by in {"least": "by the server", "browser": "in the browser"}.items():
            opened(page, path)
            least_of[by] = steps(page, ANY, count)
            report(f"a slider and one line, {by}", least_of[by])
        measured(page, "five", count)
        median, repaints, lag = measured(page, "nine", count)
        opened(page, "dynamic")
        alternative = steps(page, ANY, max(8, count // 4))
        other_repaints, other_lag = drag(page)
        browser.close()
    server.terminate()
    for by, limit in least_of.items():
        line(f"nine: another k, times one line {by}", f"{median / limit.median:.1f}")
    line("nine: another k, DynamicMaps", f"{alternative.median:.0f}", f"{alternative.p95:.0f}")
    line("  times tapviz", f"{alternative.median / median:.1f}")
    line("nine: 60 drag steps in 1 s: repaints, lag", repaints, f"{lag:.0f}")
    line("  the same, DynamicMaps", other_repaints, f"{other_lag:.0f}")


def measured(page: Page, path: str, count: int) -> tuple[float, int, float]:
    """Measure all there is of a page, and print it: median of another k, and what a drag does."""
    opened(page, path)
    first = steps(page, K, count)
    report(f"{path}: another k: TAP, EPQ, precision-recall", first)
    dragged = drag(page)
    by_e_value(page)
    report(f"{path}: another E_0: as k", steps(page, E0, count))
    opened(page, f"{path}?view=roc")
    report(f"{path}: another n: ROC_n", steps(page, N, count))
    for view, title in TABS.items():
        opened(page, f"{path}?view={view}")
        report(f"{path}: another k, with {title}", steps(page, K, count))
    opened(page, f"{path}?view=scatter&focus=d1ngka_")
    report(f"{path}: k, with A vs B and ranked lists", steps(page, K, count))
    by_e_value(page)
    report(f"{path}: E_0, with A vs B and ranked lists", steps(page, E0, count))
    opened(page, f"{path}?view=pooled")
    report(f"{path}: another n, with why pooled differs", steps(page, N, count))
    return first.median, *dragged


def by_e_value(page: Page) -> None:
    page.locator("label").filter(has_text=re.compile("^ *E-value *$")).click()
    page.wait_for_timeout(500)


def line(*cells: Any) -> None:
    print(f"{cells[0]:<44}" + "".join(f"{cell:>16}" for cell in cells[1:]), flush=True)


def report(name: str, times: Times, median: float = BUDGET_MEDIAN, p95: float = BUDGET_P95) -> None:
    met = times.median <= median and times.p95 <= p95
    line(
        name,
        f"{times.median:.0f}",
        f"{times.p95:.0f}",
        f"{median}/{p95} {'met' if met else 'NOT met'}",
        f"{times.texts:.0f}",
        f"{times.taken:.1%}",
    )


if __name__ == "__main__":
    main()
