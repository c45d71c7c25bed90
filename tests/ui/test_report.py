"""The report in a browser without a network: what moves in it shows what Python says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tapviz import Explorer, load_results
from tapviz.dashboard.report import save_report
from tapviz.dashboard.report_tables import positions, start
from tapviz.dashboard.table import plain
from tapviz.lists import RetrievalLists
from tapviz.plots import PlotData, plots_for

pytestmark = pytest.mark.ui

CHOICE = {"k": 5, "baseline": "RPS-BLAST"}


@pytest.fixture(scope="module")
def results() -> dict[str, RetrievalLists]:
    """Every fifth query of a bundled data set, for speed."""
    lists = load_results("profiles")
    first = next(iter(lists.values()))
    some = np.arange(first.n_queries) % 5 == 0
    return {name: one.subset(some) for name, one in lists.items()}


@pytest.fixture(scope="module")
def file(results: dict[str, RetrievalLists], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    save_report(Explorer(results, **CHOICE), path, title="Profiles")
    return path


@pytest.fixture
def page(chromium: Browser, file: Path) -> Iterator[Page]:
    """The report, opened from its file; nothing may be asked for or complained of."""
    context = chromium.new_context(offline=True, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-live]")
    yield page
    context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert said == []


def move(page: Page, control: str, place: int) -> None:
    """Move a control, and wait until that is painted."""
    page.evaluate(
        """async ([control, place]) => {
            const input = document.getElementById(control)
            input.value = place
            input.dispatchEvent(new Event("input"))
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        }""",
        [control, place],
    )


def row(page: Page, name: str) -> list[str]:
    """Texts of a row of the score table."""
    found = page.locator("table.scores tbody tr").filter(has_text=name)
    return [re.sub(r"\s+", " ", text) for text in found.locator("td").all_inner_texts()]


def test_opens_without_a_network_and_says_first_what_was_found(page: Page, file: Path) -> None:
    assert page.get_by_role("heading", level=1).inner_text() == "Profiles"
    assert re.match(r"\d+ \w+ 20\d\d\. 271 of 271 queries", page.locator(".data").inner_text())
    verdict = page.locator(".verdict").inner_text()
    assert verdict.startswith("Where half of the queries have 5 errors, ")
    assert "Threshold Average Precision (TAP-5)" in verdict
    said = "getComputedStyle(document.querySelector('.verdict p'), '::before').content"
    assert page.evaluate(said) == "none"
    move(page, "k", 40)  # to where the verdict is not that of what is seen
    assert page.evaluate(said) == '"As written: "'
    drawn = page.locator("figure .live svg[role=img]")
    assert drawn.count() == page.locator("figure").count()
    assert file.stat().st_size < 5_000_000


@pytest.mark.parametrize("control", ["k", "e0", "n"])
@pytest.mark.parametrize("end", [0, -1])
def test_a_control_at_its_ends_shows_what_a_fresh_explorer_says(
    page: Page, results: dict[str, RetrievalLists], control: str, end: int
) -> None:
    explorer = Explorer(results, **CHOICE)
    places = positions(PlotData(explorer))[control]
    place = range(len(places))[end]
    move(page, control, place)
    assert page.locator(f"output[for={control}]").inner_text() == places[place].label
    explorer.param.update(**places[place].choice)
    for name in explorer.shown:
        scores = explorer.score(name)
        shown = row(page, name)
        if np.isfinite(scores["tap"]):
            assert shown[0] == f"{scores['tap']:.3f}"
            assert any(f"{scores['pooled_roc_n']:.3f}" in text for text in shown)
        else:
            assert "not reached" in shown[1]
    data = PlotData(explorer)
    for plot in plots_for(explorer):
        if {"k", "n"} <= set(plot.depends):
            continue
        figure = page.locator(f"figure[data-plot={plot.name}]")
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".text")).to_have_text(plain(plot.text(data)))


def test_algorithms_are_taken_away_and_put_back(page: Page) -> None:
    box = page.get_by_role("checkbox", name="HMMER2 local")
    curve = page.locator("figure[data-plot=tap] [data-layer='curve HMMER2 local'] path")
    rows = page.locator("table.scores tbody tr:visible")
    assert rows.count() == 4
    box.uncheck()
    assert rows.count() == 3
    assert curve.evaluate("path => path.style.display") == "none"
    names = page.locator("figure[data-plot=tap] [data-layer=name] text:visible")
    assert "HMMER2 local" not in names.all_inner_texts()
    box.check()
    assert rows.count() == 4
    assert curve.evaluate("path => path.style.display") == ""


def test_a_dot_tells_its_query_and_a_ranked_list_opens(
    page: Page, results: dict[str, RetrievalLists]
) -> None:
    explorer = Explorer(results, **CHOICE)
    data = PlotData(explorer)
    query = page.locator("#query option").nth(1).inner_text().split(",")[0]
    place = list(data.lists.query).index(query)
    dot = page.locator("figure[data-plot=scatter] [data-layer=point] path").nth(place)
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert query in page.locator("figure[data-plot=scatter] .tooltip").inner_text()
    page.locator("#query").select_option(index=1)
    lists = page.locator("#lists section")
    assert lists.count() == len(results)
    explorer.focus = query
    for i, name in enumerate(results):
        ranked = explorer.ranked(name)
        at = lists.nth(i).locator(".at").inner_text()
        assert f"{ranked.n_retrieved:,} of {ranked.rank.size:,} retrieved" in at
        assert ranked.record is not None
        assert lists.nth(i).locator("tbody th").first.inner_text() == str(ranked.record[0])


@pytest.mark.parametrize("width", [1440, 1000, 390])
def test_nothing_is_wider_than_the_screen(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_it_is_used_with_the_keyboard_and_in_the_dark(page: Page) -> None:
    slider = page.get_by_role("slider", name="errors per query, k")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("output[for=k]").inner_text() == "k = 6"
    assert slider.get_attribute("aria-valuetext") == "k = 6"
    expect(page.locator("table.scores")).to_contain_text("TAP-6")
    page.get_by_role("radio", name="threshold by E-value").check()
    expect(page.locator("table.scores")).to_contain_text("TAP at")
    page.get_by_role("button", name="Dark").click()
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(18, 18, 18)"


def test_without_scripts_there_is_a_picture_of_every_plot(chromium: Browser, file: Path) -> None:
    context = chromium.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("img.still").first.is_visible()
    assert "scripts are switched off" in page.locator("noscript").inner_text()
    context.close()


def test_every_table_position_sampled_is_what_python_draws(
    page: Page, results: dict[str, RetrievalLists]
) -> None:
    explorer = Explorer(results, **CHOICE)
    data = PlotData(explorer)
    places = positions(data)
    assert start(explorer)["k"] == 4
    for control, place in (("k", 0), ("k", 40), ("e0", 20), ("e0", 77), ("n", 30)):
        explorer.param.update(mode="k", k=5, n=50)
        explorer.param.update(**places[control][place].choice)
        page.get_by_role("button", name="As written").click()
        move(page, control, place)
        drawn = page.locator("figure[data-plot=tap] [data-layer=threshold] path")
        at = drawn.evaluate_all(
            "all => all.filter((one) => one.style.display !== 'none')"
            ".map((one) => one.getAttribute('transform'))"
        )
        ys = [float(one[10:-1].split(",")[1]) for one in at]
        ticks: list[Any] = json.loads(
            page.evaluate(
                """JSON.stringify([...document.querySelectorAll(
                    "figure[data-plot=tap] [data-tick=y]")].map((one) =>
                    [Number(one.textContent), Number(one.getAttribute("y")) - 0.35 * 12]))"""
            )
        )
        (low, bottom), (high, top) = min(ticks), max(ticks)
        taps = [explorer.tap(name).value for name in explorer.shown]
        wanted = [
            bottom + (tap - low) / (high - low) * (top - bottom) for tap in taps if np.isfinite(tap)
        ]
        assert sorted(ys) == pytest.approx(sorted(wanted), abs=0.3)
