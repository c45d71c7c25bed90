"""A row of the score table points to its algorithm in all plots."""

from __future__ import annotations

from functools import partial
from typing import Any

from playwright.sync_api import Locator

from tapviz.draw.style import COLORS
from tests.ui.expected import FIVE, bench
from tests.ui.page import Page

OPAQUE = len("#0072B2")


def row(page: Page, name: str) -> Locator:
    return page.browsed.locator(f"table.scores tr[data-algorithm='{name}']")


def stand_out(page: Page, *names: str) -> None:
    """Wait until the curves of these algorithms, and no others, have their full colour."""

    def check() -> None:
        for figure, kind in (("tap", "curve"), ("precision_recall", "rest")):
            layers = page.layers(figure)
            colors = {name: layers[f"{kind} {name}"]["glyph"]["line_color"] for name in FIVE}
            bright = [name for name, color in colors.items() if len(color) == OPAQUE]
            assert sorted(bright) == sorted(names), figure

    page.eventually(check)


def test_a_row_under_the_mouse_stands_out_and_a_click_keeps_it(page: Page) -> None:
    stand_out(page, *FIVE)
    row(page, "BLASTP").hover()
    stand_out(page, "BLASTP")
    row(page, "jackhmmer").hover()
    stand_out(page, "jackhmmer")
    row(page, "SSEARCH").click()
    page.browsed.mouse.move(5, 5)
    stand_out(page, "SSEARCH")
    assert row(page, "SSEARCH").get_attribute("aria-current") is not None
    row(page, "SSEARCH").click()
    page.browsed.mouse.move(5, 5)
    stand_out(page, *FIVE)


def test_programs_of_one_colour_are_told_apart(open_page: Any) -> None:
    page = open_page("?" + "&".join(f"algorithms={name}" for name in bench())).settled()

    def alone(name: str) -> None:
        """Its name has its full colour, and so has one of the marks of each kind, but no more."""
        for figure, marks in (("tap", ("threshold", "peak")), ("precision_recall", ("end",))):
            layers = page.layers(figure)
            named = layers["name"]
            lines = zip(named["text"], named["color"], strict=True)
            bright = [text for text, color in lines if len(color) == OPAQUE and text in bench()]
            assert bright == [name], figure
            for kind in marks:
                colors = layers[kind]["color"]
                assert len(colors) > len(COLORS)
                assert [len(color) for color in colors].count(OPAQUE) == 1, kind

    for name in ("BLASTP", "jackhmmer"):
        row(page, name).hover()
        page.eventually(partial(alone, name))


def test_a_name_at_the_end_of_a_line_does_the_same(page: Page) -> None:
    page.settled()
    place = """(() => {
        const { canvas_view, renderer_views } = tapviz.view("tap")
        for (const { glyph, model } of renderer_views.values()) {
            if (glyph?.model.type !== "Text") continue
            const at = model.data_source.data.text.indexOf(args[0])
            if (at < 0) continue
            const { x, y } = canvas_view.el.getBoundingClientRect()
            const offset = glyph.x_offset?.array?.[at] ?? glyph.x_offset?.value ?? 0
            return [x + glyph.sx[at] + offset + 12, y + glyph.sy[at]]
        }
    })()"""
    page.browsed.mouse.move(*page.script(place, "SSEARCH"))
    stand_out(page, "SSEARCH")
    page.browsed.mouse.move(5, 5)
    stand_out(page, *FIVE)


def test_rows_are_reached_by_arrow_keys(page: Page) -> None:
    page.browsed.locator("button.opens").last.focus()
    keys = page.browsed.keyboard
    keys.press("ArrowDown")
    stand_out(page, "jackhmmer")  # the best, which is first
    keys.press("ArrowDown")
    stand_out(page, "PSI-BLAST")
    keys.press("Enter")
    keys.press("ArrowUp")
    stand_out(page, "jackhmmer")
    page.query_text.focus()
    stand_out(page, "PSI-BLAST")
    keys.press("Escape")
    stand_out(page, *FIVE)
