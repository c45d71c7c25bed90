"""Buttons, fields and choices look alike on every page."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

from tapviz import Explorer, load_results
from tapviz.cli import main
from tapviz.explorer.report import save_report
from tapviz.lesson.classroom import class_page
from tapviz.lesson.page import html_page
from tapviz.readers.store import add
from tests.ui.files import opened
from tests.ui.page import Page

LOOKS = """() => {
    const all = root => [...root.querySelectorAll("*")].flatMap(
        one => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])])
    const probe = document.body.appendChild(document.createElement("i"))
    const token = name => {
        probe.style.color = `var(${name})`
        return getComputedStyle(probe).color
    }
    const edges = ["--tv-edge", "--tv-ink"].map(token)
    const ring = token("--tv-link")
    probe.remove()
    const slid = ["range", "checkbox", "radio", "file"]
    return all(document).filter(one =>
        one.checkVisibility({ visibilityProperty: true }) && !slid.includes(one.type)
        && one.matches("button, select, textarea, input, .press")
    ).map(one => {
        const { borderTopWidth, borderTopColor, borderTopLeftRadius } = getComputedStyle(one)
        const look = {
            said: (one.ariaLabel || one.innerText || one.placeholder || one.id).trim(),
            height: one.matches("textarea") ? null : one.getBoundingClientRect().height,
            edged: parseFloat(borderTopWidth) > 0 && !/, 0\\)$/.test(borderTopColor),
            edge: edges.includes(borderTopColor), radius: borderTopLeftRadius,
        }
        one.focus({ focusVisible: true })
        const { outlineColor, outlineWidth } = getComputedStyle(one)
        const ringed = outlineColor === ring && outlineWidth === "2px"
        return { ...look, ring: ringed || !one.matches(":focus-visible") }
    })
}"""
"""How every control that is seen looks, and what it looks like with the focus."""


def of(algorithms: list[str]) -> dict[str, Any]:
    """A small part of a bundled data set."""
    lists = load_results("profiles")
    some = np.arange(next(iter(lists.values())).n_queries) % 15 == 0
    return {name: lists[name].subset(some) for name in algorithms}


def report(folder: Path) -> Path:
    file = folder / "report.html"
    save_report(Explorer(of(["RPS-BLAST", "HMMER3 hmmscan"]), k=5), file)
    return file


def site(folder: Path) -> Path:
    for name, lists in of(["RPS-BLAST", "HMMER3 hmmscan"]).items():
        add(folder / "runs", name.replace(" ", "-"), lists)
    assert main(["site", str(folder / "runs"), "-o", str(folder / "site"), "-k", "5"]) == 0
    return folder / "site" / "index.html"


def written(name: str, html: Callable[[], str]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_text(html(), encoding="utf-8")
        return folder / name

    return write


FILES = {
    "report": (report, 28),
    "site": (site, 28),
    "lesson": (written("lesson.html", html_page), 34),
    "class": (written("class.html", class_page), 34),
}
"""Each page that is a file, and the height of its controls in pixels: a lesson has larger words."""


def agree(found: list[dict[str, Any]], height: float) -> None:
    """Assert one height, one edge, one radius and one ring of all that have an edge."""
    assert found
    for one in filter(itemgetter("edged"), found):
        if one["radius"] == "50%":  # a sign beside a word
            continue
        assert one["edge"], one
        assert one["radius"] == "8px", one
        assert one["height"] in (None, pytest.approx(height, abs=1)), one
    assert [one for one in found if not one["ring"]] == []


@pytest.mark.parametrize("name", FILES)
def test_controls_of_every_page_are_alike(chromium: Browser, tmp_path: Path, name: str) -> None:
    write, height = FILES[name]
    file = write(tmp_path)
    with opened(chromium, file, within=tmp_path) as page:
        page.locator("button:visible").first.wait_for()
        agree(page.evaluate(LOOKS), height)


def test_controls_of_the_explorer_are_those_of_the_files(page: Page) -> None:
    page.open().settled()
    agree(page.browsed.evaluate(LOOKS), 28)
