"""From the hand to the last plot at size: how long the page takes to show large results change.

Run ``python benchmarks/live_at_size.py``. It makes results of four algorithms, condensed ones of
20,000 queries and 100 million records each, of which 3 million are kept, and serves them to a real
browser: how long until a new page stands, for the first visitor and the second, and then from a key
pressed to the last repaint for another k, E_0 and n and another half of the queries. The same of
four whole results of 10 million records each; ``--whole 25`` makes 25 million each, and takes
about 8 GB. Times are those of `benchmarks/live.py`, which says how they are measured; motion is
reduced, for marks that glide after a choice in a field would end 120 ms later, whatever it takes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time

import numpy as np
import panel as pn
from live import E0, PATIENCE, WATCH, K, N, Times, by_e_value, line, processors, report, steps
from playwright.sync_api import Page, sync_playwright
from visitor import FIGURES, PLOTS, chromium

from tapviz import Explorer
from tapviz.cli.server import tune_process, tune_session
from tapviz.lists import Kept, RetrievalLists
from tapviz.page import Dashboard

PORT = 5167
QUERIES = 20_000
KEPT, LENGTH = 150, 5_000
"""Records of each condensed list, kept and in all."""
MILLION = 1_000_000
SUBSET = (300, 300)  # milliseconds: median, and 95 %
CLASSES = ("a", "b")


def made(seed: int, length: int, whole: int) -> RetrievalLists:
    """Lists of one algorithm, of `length` records each, which are the first of `whole`."""
    rng = np.random.default_rng(seed)
    score = np.empty((QUERIES, length))
    relevant = np.empty((QUERIES, length), np.bool_)
    fall = (1 - np.arange(length) / length) ** 2
    for row in range(QUERIES):
        exponent = 1 - rng.uniform(20, 200) * fall + rng.normal(0, 0.1, length)
        exponent[-1] = 2  # all lists go on beyond the same E-value
        score[row] = np.sort(10.0 ** np.round(exponent, 2))
        relevant[row] = rng.random(length) < 0.95 * np.exp(-np.arange(length) / rng.uniform(5, 60))
    found = relevant.sum(axis=1)
    n_relevant = KEPT + np.arange(QUERIES) % 100
    kept = None
    if whole > length:
        names = ("average_precision", "bpref", "ipr_auc", "r_precision", "reciprocal_rank")
        values = {name: rng.random(QUERIES) for name in names}
        levels = 101  # of recall, as precision is interpolated at by default
        values["interpolated"] = np.sort(rng.random((QUERIES, levels)))[:, ::-1]
        least = int((~relevant).sum(axis=1).min())
        kept = Kept(100.0, least, np.full(QUERIES, whole), found, values)
    return RetrievalLists(
        score.ravel(),
        relevant.ravel(),
        np.arange(QUERIES + 1) * length,
        n_relevant,
        query_class=[f"{CLASSES[row % 2]}.{row // 40}.1.1" for row in range(QUERIES)],
        kept=kept,
    )


def serve(length: int, whole: int) -> None:
    """Serve four algorithms, made before the first page."""
    tune_process()
    results = {f"program {seed}": made(seed, length, whole) for seed in range(4)}

    def page() -> Dashboard:
        tune_session()
        return Dashboard(Explorer(results))

    pn.extension()
    pn.serve({"": page}, port=PORT, show=False, verbose=False)


def opened(page: Page) -> float:
    """Open a page; seconds until its plots stand."""
    begun = time.monotonic()
    while True:
        try:
            page.goto(f"http://localhost:{PORT}/")
            break
        except Exception:  # noqa: BLE001  # the results are still being made
            time.sleep(1)
            begun = time.monotonic()
    page.wait_for_function(f"{FIGURES}.length >= {PLOTS}", timeout=PATIENCE)
    return time.monotonic() - begun


def subsets(page: Page, count: int) -> Times:
    """Another half of the queries, many times."""
    box = page.get_by_placeholder("a.1")
    times, before = [], processors()
    for step in range(count + 2):
        box.fill(CLASSES[step % 2])
        page.evaluate("paints.length = texts.length = 0")
        box.press("Enter")
        page.wait_for_function("paints.length && performance.now() - Math.max(...paints) > 400")
        times.append(tuple(page.evaluate("[paints, texts].map(at => Math.max(...at) - event)")))
    all_of_it, taken = np.subtract(processors(), before)
    return Times.of(times[2:], taken / all_of_it)


def measured(title: str, length: int, whole: int, count: int) -> None:
    """Serve results and print how long everything takes."""
    server = multiprocessing.get_context("spawn").Process(
        target=serve, args=(length, whole), daemon=True
    )
    server.start()
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        for visitor in ("first", "second"):
            page = browser.new_page(
                viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
            )
            page.set_default_timeout(PATIENCE)
            line(f"{title}: s until the {visitor} page stands", f"{opened(page):.1f}")
        page.wait_for_timeout(4000)
        page.evaluate(WATCH)
        report(f"{title}: another k", steps(page, K, count))
        report(f"{title}: another n", steps(page, N, count))
        report(f"{title}: another half of the queries", subsets(page, max(8, count // 4)), *SUBSET)
        by_e_value(page)
        report(f"{title}: another E_0", steps(page, E0, count))
        browser.close()
    server.terminate()
    server.join()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=40)
    options.add_argument("--whole", type=int, default=10, help="million records of each result")
    given = options.parse_args()
    line(
        "ms from the event to the last repaint, of",
        "median",
        "95 %",
        "budget",
        "last text",
        "host took",
    )
    measured("condensed", KEPT, LENGTH, given.steps)
    length = given.whole * MILLION // QUERIES
    measured("whole", length, length, given.steps)


if __name__ == "__main__":
    main()
