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
from tests.ui.files import cut, findings, opened
from tests.ui.page import eventually

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


def test_every_run_leads_to_the_living_report_beside_the_best(page: Page, site: Path) -> None:
    links = page.locator(".board a").evaluate_all("links => links.map(({href}) => href)")
    assert {link.partition("#")[0] for link in links} == {(site / "compare.html").as_uri()}
    assert sorted(path.name for path in site.iterdir()) == ["compare.html", "index.html"]
    best, second, third = names(page)
    for run, beside in ((third, best), (best, second)):
        page.get_by_role("link", name=run).click()
        page.wait_for_selector("html[data-live]")
        ticked = page.locator("#algorithms label:has(input:checked)").all_inner_texts()
        assert {text.strip() for text in ticked} == {run, beside}
        chosen = [page.get_by_role("combobox", name=side, exact=True) for side in "AB"]
        shown = [one.evaluate("one => one.selectedOptions[0].text") for one in chosen]
        assert shown == [run, beside]
        text = page.locator("figure[data-plot=scatter] .text").inner_text()
        assert run in text
        assert beside in text
        page.go_back()
    page.get_by_role("link", name="the report of all runs").click()
    page.wait_for_selector("html[data-live]")
    assert page.get_by_role("heading", level=1).inner_text() == "Our searches"
    assert "program RPS-BLAST, version 2.12, date 2026-01-01, seconds 9" in page.inner_text("main")
    assert page.locator("#algorithms input:checked").count() == len(RUNS)
    assert page.locator("table.scores tbody tr").count() == len(RUNS)


@pytest.mark.parametrize("width", [1440, 390, 360])
def test_axe_finds_nothing_and_only_the_table_scrolls_sideways(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    assert findings(page) == []
    assert cut(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


CUT = """
const {left, right} = document.querySelector(".wide").getBoundingClientRect()
const [first, ...heads] = document.querySelectorAll(".board thead th")
const begin = first.getBoundingClientRect().right
return heads.filter((head) => {
    const box = head.getBoundingClientRect()
    const whole = box.left > begin - 1 && box.right < right + 1
    return !whole && box.right > begin + 1 && box.left < right - 1
}).map((head) => head.textContent)
"""


@pytest.mark.parametrize("width", [390, 360, 320])
def test_no_column_is_cut_on_a_phone(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})

    def whole(least: int) -> None:
        assert page.evaluate(f"(() => {{ {CUT} }})()") == []
        assert page.evaluate("document.querySelector('.wide').scrollLeft") >= least

    whole(0)
    page.evaluate("document.querySelector('.wide').scrollLeft = 150")
    eventually(page, partial(whole, 100))
    cells = page.locator(".board tbody th, .board tbody td")
    assert cells.evaluate_all("cells => cells.every((one) => one.scrollWidth <= one.clientWidth)")
