"""The plots stay where they are, whatever is opened, typed or pointed at beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tapviz.plots import PLOTS
from tests.ui.page import FIGURE, SHARE, K, Page

ALWAYS = ("tap", "epq")
WIDTHS = (1440, 1200)


def places(page: Page) -> list[list[float]]:
    """Where the figures that are always seen are on the page, in pixels."""
    down = page.browsed.evaluate("scrollY")
    found = []
    for figure in ALWAYS:
        left, top, *size = page.frame(figure)
        found.append([round(one) for one in (left, top + down, *size)])
    return found


def states(page: Page) -> dict[str, Callable[[], Any]]:
    """What brings the page into each state; the next begins where Escape leads from there."""
    tabs = [plot for plot in PLOTS.values() if plot.tab and plot.reads != "scores"]
    shown = [plot.tab for plot in tabs if plot.needs in ("any", "several")]
    return {
        **{f"tab {words}": lambda words=words: page.tab(words) for words in shown},
        "where a sentence is proved": lambda: page.browsed.locator(
            ".verdict [popovertarget]"
        ).click(),
        "all cautions": lambda: page.browsed.locator(".cautions [popovertarget]").click(),
        "programs": lambda: page.browsed.locator("[popovertarget=programs]").click(),
        "columns": lambda: page.browsed.locator("[popovertarget=columns]").click(),
        "more settings": page.more,
        "share": lambda: page.button(SHARE).click(),
        "figure": lambda: page.button(FIGURE).click(),
        "data": lambda: page.press("Change data"),
        "few errors": lambda: page.type(K, "2"),
        "many errors": lambda: page.type(K, "100"),
        "an E-value": lambda: page.mode("E-value"),
        "errors again": lambda: page.mode("errors per query"),
        "a filter": lambda: page.query_text.fill("^d1"),
        "the lists of a query": page.browsed.locator(".queries .row.record").first.click,
    }


@pytest.mark.parametrize("width", WIDTHS)
def test_plots_stay_where_they_are_in_every_state(open_page: Any, width: int) -> None:
    page = open_page(width=width).settled()
    page.eventually(lambda: page.status().index("resamples of the superfamilies"))
    before = places(page)
    moved = {}
    for name, reach in states(page).items():
        reach()
        page.settled()
        if (now := places(page)) != before:
            moved[name] = now
        page.browsed.keyboard.press("Escape")
    assert not moved, f"before: {before}"


def test_what_stands_over_the_page_is_as_high_as_its_parts(open_page: Any) -> None:
    """Bokeh lets no part be higher than all of it, which WebKit takes for 0: a strip was seen."""
    page = open_page("")
    page.press(SHARE)
    page.browsed.locator(".sheet").wait_for()
    for place in ("sheet", "rail"):
        limits = page.script(f"""tapviz.all().filter((one) => one.matches(".{place}"))
            .flatMap(({{ shadowRoot }}) => [...shadowRoot.children])
            .filter((part) => part.shadowRoot)
            .map((part) => getComputedStyle(part).maxHeight)""")
        assert {*limits} == {"none"}, place
