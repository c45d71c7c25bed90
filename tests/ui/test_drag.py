"""The line of a threshold, dragged by a mouse or a finger; and the tab that finds one."""

from __future__ import annotations

import math
import re

import pytest

from tests.ui.expected import FIVE, bench, by_threshold, cells
from tests.ui.page import E0, ROC_N, N, Page

LOGARITHMIC = ("calibration", "roc")
START = "?mode=e0&e0=0.01&view="


def line(page: Page, figure: str) -> tuple[float, float]:
    """Where the line is in the window, a third of the way down; as soon as there is one."""

    def at() -> tuple[float, float]:
        (x, _), (low, high, _, _) = page.layer(figure, "line")["x"], page.range(figure)
        if figure in LOGARITHMIC:
            x, low, high = math.log10(x), math.log10(low), math.log10(high)
        left, top, width, height = page.frame(figure)
        return left + (x - low) / (high - low) * width, top + height / 3

    return page.eventually(at)


def cursor(page: Page, figure: str) -> str:
    return page.script(
        "getComputedStyle(tapviz.view(args[0]).canvas_view.events_el).cursor", figure
    )


def drag(page: Page, figure: str, by: float, *, holds: bool = True) -> None:
    """Take the line with the mouse, if it lets itself be held, and let it go elsewhere."""
    page.settled()
    page.script("scrollTo(0, 0)")
    mouse = page.browsed.mouse

    def over() -> tuple[float, float]:
        x, y = line(page, figure)
        mouse.move(x, y)
        page.shows(lambda: cursor(page, figure) == "ew-resize", holds, wait=2)
        return x, y

    x, y = page.eventually(over)
    mouse.down()
    mouse.move(x + by, y + 20, steps=6)
    mouse.up()


def follows(page: Page, before: float) -> float:
    """E_0 of the table and of the box, once it has gone up and all agrees."""

    def moved() -> float:
        e0 = float(page.box(E0).input_value())
        assert e0 > before
        expected = {name: cells(bench()[name], by_threshold(bench()[name], e0)) for name in FIVE}
        assert page.table() == expected
        return e0

    return page.eventually(moved)


@pytest.mark.parametrize("figure", ["tap", "epq", "calibration"])
def test_the_line_is_dragged_and_the_table_follows(open_page, figure: str) -> None:
    page = open_page(f"{START}calibration")
    ranges = page.range(figure)
    drag(page, figure, 25)
    page.at_rest()
    follows(page, 0.01)
    assert page.range(figure) == ranges  # no box was drawn
    page.press("Undo")
    page.shows(lambda: page.heads()[1], "TAP at 0.01")


def test_n_is_dragged_in_its_plot(page: Page) -> None:
    page.tab(ROC_N)
    ranges = page.eventually(lambda: page.range("roc"))
    drag(page, "roc", 40)

    def moved() -> None:
        n = int(page.box(N).input_value())
        assert n > 60
        assert page.layer("roc", "line")["x"] == [n, n]
        assert f"ROC{n}" in "".join(page.heads())

    page.eventually(moved)
    assert page.range("roc") == ranges  # no box was drawn


def test_the_mouse_says_what_can_be_dragged(open_page) -> None:
    page = open_page(f"{START}calibration").settled()
    x, y = line(page, "tap")
    page.browsed.mouse.move(x, y)
    page.shows(lambda: cursor(page, "tap"), "ew-resize")
    page.browsed.mouse.move(x - 30, y)
    page.shows(lambda: cursor(page, "tap") != "ew-resize")
    page.mode("errors per query")
    page.shows(lambda: page.layer("tap", "line")["x"], [])
    page.settled()
    page.browsed.mouse.move(x, y)
    page.at_rest()
    assert cursor(page, "tap") != "ew-resize"


def test_a_line_that_k_sets_cannot_be_dragged(page: Page) -> None:
    before, ranges = page.table(), page.range("epq")

    def boxed() -> None:  # as usual
        drag(page, "epq", 60, holds=False)
        page.shows(lambda: page.range("epq") != ranges, wait=3)

    page.eventually(boxed)
    assert page.table() == before


def test_a_finger_drags_it_too(open_page) -> None:
    page = open_page(f"{START}calibration").settled()
    x, y = line(page, "tap")
    scrolled = page.script("scrollY")
    told = page.browsed.context.new_cdp_session(page.browsed)

    def touch(kind: str, *points: dict[str, float]) -> None:
        told.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x + 8, "y": y})
    for step in range(1, 6):
        touch("touchMove", {"x": x + 8 + 5 * step, "y": y + 4 * step})
    touch("touchEnd")
    page.at_rest()
    follows(page, 0.01)
    assert page.script("scrollY") == scrolled


def test_tab_finds_a_threshold_and_the_page_uses_it(open_page) -> None:
    page = open_page("?view=coverage")
    page.tab("Threshold")
    table = page.browsed.locator("table.advice")
    table.wait_for()
    words = table.locator("tbody tr").filter(has_text="BLASTP").first
    page.eventually(
        lambda: _found(r"0\.019.*0\.047.*0\.01 to 0\.064.*\(0\.331\)", words.inner_text())
    )
    words.get_by_role("button", name="on average").click()
    page.shows(lambda: page.heads()[1], "TAP at 0.047")
    # The errors accepted are dragged as well, and the thresholds follow.
    drag(page, "threshold", 40)
    page.shows(lambda: "0.047" not in words.inner_text())
    page.shows(lambda: float(page.field("errors accepted").input_value()) > 0.1, True)


def _found(pattern: str, words: str) -> None:
    assert re.search(pattern, words, re.DOTALL)
