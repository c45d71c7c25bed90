"""Boxes drawn with the mouse in plots whose lines or rows are queries: they become the subset."""

from __future__ import annotations

import re

import pytest

from tapviz.state import Range
from tests.ui.expected import bench
from tests.ui.page import Page

ALL = 862


def kept(page: Page) -> int:
    """Queries in the header; fewer than all."""
    (found,) = re.findall(rf"(\d+) of {ALL} queries", page.header())
    assert int(found) < ALL
    return int(found)


def everything(page: Page) -> None:
    page.eventually(lambda: page.header().index(f"{ALL} of {ALL} queries"))


@pytest.mark.parametrize(
    ("figure", "x", "y", "words"),
    [("sensitivity", (0.02, 0.9), (0.3, 0.8), r"\S+ finds 0\.\d+ to 0\.\d+ before error no. 50")],
)
def test_a_box_makes_its_queries_the_subset_and_a_cross_takes_it_away(
    open_page, figure: str, x: tuple[float, float], y: tuple[float, float], words: str
) -> None:
    page = open_page(f"?view={figure}")
    page.eventually(lambda: page.range(figure))
    page.still(figure, 250)
    page.pull(figure, x, y)
    count = page.eventually(lambda: kept(page))
    chip = page.browsed.locator(".chips li").first
    page.eventually(lambda: re.search(words, chip.inner_text()).group())

    def agrees() -> None:
        (text,) = page.settings()["ranges"]
        assert int(Range.read(text).holds(bench()).sum()) == count

    page.eventually(agrees)
    chip.get_by_role("button").click()
    everything(page)
    page.press("Undo")
    page.shows(lambda: kept(page), count)
    page.press("Redo")
    everything(page)
