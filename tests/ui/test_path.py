"""From three result files to the answers and the figure, and the tour of the page."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tapviz import Explorer, load_results
from tapviz.draw.style import brief, number
from tapviz.measures import promised_threshold
from tapviz.readers import ReadOptions
from tapviz.readers.inputs import open_files
from tapviz.scores.words import describe
from tests.ui.conftest import SIZE
from tests.ui.files import blast_row
from tests.ui.page import CHANGE_DATA, FIGURE, OPEN_RESULTS, SHARE, Page
from tests.ui.test_export import download

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
PROGRAMS = {"blastp": "BLASTP", "mmseqs2": "MMseqs2", "phmmer": "phmmer"}
MOST_CLICKS = 15
COUNT_CLICKS = """() => {
    window.pressed = 0
    addEventListener("pointerdown", () => { pressed += 1 }, { capture: true })
}"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Results of three programs as BLAST writes them, for every eighth query, and the classes."""
    folder = tmp_path_factory.mktemp("three")
    lists = load_results()
    for stem, name in PROGRAMS.items():
        frame = lists[name].subset(np.arange(lists[name].n_queries) % 8 == 0).to_frame()
        rows = map(blast_row, frame["query"], frame["record"], frame["evalue"])
        (folder / f"{stem}.tsv").write_text("".join(rows), "utf-8")
    shutil.copy(ROOT / "notebooks" / "data" / "classes.tsv.gz", folder)
    return sorted(folder.iterdir())


def in_first_view(page: Page, selector: str) -> bool:
    """Whether all of an element is in the window, and the page is not scrolled."""
    box = page.browsed.locator(selector).first.bounding_box()
    assert box is not None
    top = page.browsed.evaluate("scrollY")
    return bool(top == 0 and box["y"] >= 0 and box["y"] + box["height"] <= SIZE["height"])


def test_three_files_become_answers_and_a_figure(open_page: Any, files: list[Path]) -> None:
    classes, tables = files[1], [files[0], *files[2:]]
    results = open_files(tables, ReadOptions(labels=classes)).results
    explorer = Explorer(results)
    verdict = explorer.compared().verdict("tap")
    assert verdict is not None
    best = verdict.pairs[0]
    assert best.clear
    words = describe(verdict)
    accepted = explorer.accepted._asdict()

    page: Page = open_page()
    browsed = page.browsed
    browsed.evaluate(COUNT_CLICKS)
    page.press(CHANGE_DATA)
    page.sees("Result files (one or more per program)")
    browsed.locator("input[type=file]").last.set_input_files(files)
    opens = browsed.get_by_role("button", name=OPEN_RESULTS)
    page.shows(opens.is_enabled)
    assert browsed.locator(".preview table.read tbody tr").count() == len(PROGRAMS)
    page.shows(lambda: opens.bounding_box()["y"] < SIZE["height"] - 20)
    opens.click()
    page.shows(lambda: set(page.table()), set(PROGRAMS))

    # Which program is better, and whether the difference is real: a sentence at the top.
    said = browsed.locator('.verdict[aria-busy="false"] p')
    first = words.conclusion[0].text
    page.shows(lambda: said.first.inner_text().startswith(first))
    low, high = best.difference.low, best.difference.high
    assert first.startswith(f"{best.first} does best: its TAP-20 is ")
    assert f"ahead of {best.second} by " in first
    assert f"95 % interval {low:.3f} to {high:.3f}" in first
    page.shows(lambda: in_first_view(page, ".verdict"))
    assert next(iter(page.table())) == best.first

    # Where the threshold goes: at the ends of the lines, and in the table below.
    page.tab("Threshold")
    found = {name: promised_threshold(lists, **accepted) for name, lists in results.items()}
    at_lines = {f"{name} E ≤ {brief(one.threshold)}" for name, one in found.items()}

    def shown() -> None:
        assert set(page.layer("threshold", "name")["text"]) == at_lines
        left, top, width, height = page.frame("threshold")
        assert 0 <= left < left + width <= SIZE["width"]
        assert 0 <= top < top + height <= SIZE["height"]

    page.eventually(shown)
    use = f"use {number(found[best.first].threshold)}, the threshold of {best.first} at most"
    browsed.get_by_role("button", name=use).wait_for()

    # The figure.
    page.press(FIGURE)
    preview = browsed.locator(".figure-preview[aria-busy=false] svg")
    page.eventually(lambda: preview.text_content().index(best.first))
    name, text = download(page, "Download figure")
    assert name == "figure.svg"
    texts = {"".join(part.itertext()) for part in ET.fromstring(text).iter(f"{SVG}text")}  # noqa: S314
    assert set(PROGRAMS) < texts
    assert page.script("pressed") <= MOST_CLICKS


@pytest.fixture
def newcomer(open_page: Any) -> Page:
    """Page of a browser that has never been here."""
    page: Page = open_page(another=True)
    return page


CARD = "#tapviz-tour"


def test_the_tour_is_offered_ends_at_the_threshold_and_stays_closed(newcomer: Page) -> None:
    page, browsed = newcomer, newcomer.browsed
    offer = browsed.get_by_role("button", name="Tour: 5 steps")
    offer.wait_for()
    assert not browsed.locator(CARD).count()  # never by itself
    offer.press("Enter")
    card = browsed.get_by_role("dialog", name="The answer, in words")
    card.wait_for()
    page.shows(lambda: browsed.evaluate("document.activeElement.tagName"), "H2")
    # It lies beside what it speaks of, which stays in use.
    verdict, box = browsed.locator(".verdict").bounding_box(), card.bounding_box()
    assert verdict is not None
    assert box is not None
    assert box["y"] >= verdict["y"] + verdict["height"]
    page.type("errors per query k", "5")
    page.eventually(lambda: page.heads().index("TAP-5"))
    titles = "The scores, best first", "Where the threshold goes", "Take it with you"
    for step, title in enumerate((*titles, "Now drag the threshold"), start=2):
        browsed.locator(CARD).get_by_role("button", name="Next").click()
        browsed.get_by_role("dialog", name=title).get_by_text(f"{step} of 5").wait_for()
    browsed.locator(CARD).get_by_role("button", name="Back").click()
    browsed.get_by_role("dialog", name="Take it with you").wait_for()
    browsed.keyboard.press("Escape")
    browsed.locator(CARD).wait_for(state="detached")
    assert page.heads()[1] == "TAP-5"  # Escape did nothing else
    browsed.reload()
    page.ready()
    browsed.get_by_role("button", name="Tour", exact=True).click()
    browsed.get_by_role("dialog", name="The answer, in words").wait_for()
    browsed.locator(CARD).get_by_role("button", name="Close").click()
    browsed.locator(CARD).wait_for(state="detached")


def test_the_tour_speaks_of_what_is_open_and_fits_a_phone(newcomer: Page) -> None:
    page, browsed = newcomer, newcomer.browsed
    browsed.set_viewport_size({"width": 390, "height": 844})
    page.press("☰")
    browsed.get_by_role("button", name="Tour").click()
    for name in ["Next"] * 4 + ["Back"] * 3:
        browsed.locator(CARD).get_by_role("button", name=name).click()
        browsed.locator("#tapviz-tour-ring").wait_for()  # around what is in sight, or leads to it
    browsed.locator(CARD).get_by_text(next(iter(page.table()))).wait_for()

    def fits() -> None:
        box = browsed.locator(CARD).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844

    page.eventually(fits)


# Left and right ends of the elements that are worked, in shadow roots, too.
WORKED = """() => tapviz.all().filter((one) =>
    one.matches("button, select, input, summary, a[href]") && one.checkVisibility()
).map((one) => {
    const { left, right, width } = one.getBoundingClientRect()
    return [one.innerText || one.ariaLabel || one.title || one.id, left, right, width]
}).filter(([, , , width]) => width > 1)"""
COUNTED = """(rail) => tapviz.all(rail.shadowRoot).filter((one) =>
    one.matches("select, input") && one.checkVisibility()).length"""
HEADER = ("Undo", "Redo", SHARE, "Dark", re.compile("^Tour"), FIGURE)


def test_nothing_is_lost_at_200_percent(open_page: Any) -> None:
    page: Page = open_page().settled()
    browsed = page.browsed
    in_rail = browsed.locator(".rail").evaluate(COUNTED)
    assert in_rail > 6
    browsed.set_viewport_size({"width": 720, "height": 450})  # 1440 x 900, zoomed

    def all_in_sight() -> None:
        assert browsed.evaluate("document.documentElement.scrollWidth") <= 720
        worked = browsed.evaluate(WORKED)
        assert worked
        assert not [one for one in worked if one[1] < -1 or one[2] > 721]

    page.eventually(all_in_sight)
    page.press("☰")
    for name in HEADER:
        assert browsed.get_by_role("button", name=name, exact=True).is_visible()
    browsed.get_by_role("link", name="Learn").wait_for()
    browsed.keyboard.press("Escape")
    page.press("Controls")
    rail = browsed.locator(".rail")
    page.shows(lambda: rail.evaluate(COUNTED), in_rail)
    last = page.query_text
    last.scroll_into_view_if_needed()
    last.fill("^d1")
    page.eventually(lambda: page.header().index("grey"))
