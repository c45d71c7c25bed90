"""The leaderboard in a browser without a network: sorting, links, and what axe finds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tapviz import load_results, tap_k
from tapviz.cli import main
from tapviz.lists.runs import Run
from tapviz.readers.store import add
from tests.ui.files import findings, opened
from tests.ui.page import eventually

pytestmark = pytest.mark.ui

RUNS = {
    "rps 2.12": ("RPS-BLAST", Run("RPS-BLAST", "2.12", date="2026-01-01", seconds=9, memory=2)),
    "hmmscan-3.3": ("HMMER3 hmmscan", Run("HMMER", "3.3", date="2026-02-01", seconds=200)),
    "hmmpfam-2.3": ("HMMER2 local", Run("HMMER", "2.3", date="2025-02-01")),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of three runs, of every fifteenth query."""
    folder = tmp_path_factory.mktemp("site")
    lists = load_results("profiles")
    for name, (algorithm, run) in RUNS.items():
        some = np.arange(lists[algorithm].n_queries) % 15 == 0
        add(folder / "results", name, lists[algorithm].subset(some).with_run(run))
    argued = ["site", str(folder / "results"), "-o", str(folder / "public"), "-k", "5"]
    assert main([*argued, "--title", "Our searches"]) == 0
    return folder / "public"


@pytest.fixture
def page(chromium: Browser, site: Path) -> Iterator[Page]:
    """The first page, opened from its file; nothing may be asked for or complained of."""
    with opened(chromium, site / "index.html", within=site) as page:
        yield page


def names(page: Page) -> list[str]:
    """Runs of the table, in their order."""
    return [text.strip() for text in page.locator(".board tbody th").all_inner_texts()]


def stand(page: Page, order: list[str]) -> None:
    """Assert the order of the runs."""
    assert names(page) == order


def test_runs_stand_by_tap_with_intervals_verdict_and_cost(page: Page) -> None:
    assert page.get_by_role("heading", level=1).inner_text() == "Our searches"
    assert "TAP-5" in page.locator(".verdict").inner_text()
    lists = load_results("profiles")
    taps = {}
    for name, (algorithm, _) in RUNS.items():
        some = np.arange(lists[algorithm].n_queries) % 15 == 0
        taps[name] = tap_k(lists[algorithm].subset(some), k=5).value
    assert names(page) == sorted(taps, key=lambda name: -taps[name])
    first = page.locator(".board tbody tr").first.inner_text()
    assert f"{max(taps.values()):.3f}" in first
    assert first.split()[-1] == "2026-02-01"
    titles = page.locator("figcaption b").all_inner_texts()
    assert titles == ["Score over versions", "Score against cost", "TAP against E0", "Differences"]
    assert page.locator("img").evaluate_all(
        "images => images.every(({complete, naturalWidth}) => complete && naturalWidth)"
    )


def test_a_head_sorts_and_what_is_undefined_stays_last(page: Page) -> None:
    head = page.get_by_role("columnheader", name="run time in s")
    head.get_by_role("button").click()
    eventually(page, partial(stand, page, ["rps 2.12", "hmmscan-3.3", "hmmpfam-2.3"]))
    assert head.get_attribute("aria-sort") == "ascending"
    head.get_by_role("button").click()
    eventually(page, partial(stand, page, ["hmmscan-3.3", "rps 2.12", "hmmpfam-2.3"]))
    assert head.get_attribute("aria-sort") == "descending"
    page.get_by_role("columnheader", name="version").get_by_role("button").press("Enter")
    eventually(page, partial(stand, page, ["hmmpfam-2.3", "rps 2.12", "hmmscan-3.3"]))
    assert page.locator("[aria-sort]").count() == 1


def test_every_run_has_its_living_report(page: Page, site: Path) -> None:
    links = page.locator(".board a").evaluate_all("links => links.map(({href}) => href)")
    assert sorted(links) == sorted(
        (site / "runs" / file).as_uri()
        for file in ("rps_2.12.html", "hmmscan-3.3.html", "hmmpfam-2.3.html")
    )
    page.get_by_role("link", name="rps 2.12").click()
    page.wait_for_selector("html[data-live]")
    assert page.get_by_role("heading", level=1).inner_text() == "Our searches: rps 2.12"
    assert "program RPS-BLAST, version 2.12, date 2026-01-01, seconds 9" in page.inner_text("main")
    page.go_back()
    page.get_by_role("link", name="all runs").click()
    page.wait_for_selector("html[data-live]")
    assert page.locator("table.scores tbody tr").count() == len(RUNS)


@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing_and_only_the_table_scrolls_sideways(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
