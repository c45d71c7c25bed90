"""The table of queries: sorted, filtered, by class; rows and dots point to each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Locator

from tests.ui.conftest import Kept, visit
from tests.ui.expected import bench
from tests.ui.page import A_VS_B, Page

A, B = "BLASTP", "SSEARCH"


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """The page with all columns, in the end with few again, without a query in focus."""
    page.press("Find and filter ▾")
    page.browsed.locator(".queries .levels").wait_for()
    yield page
    if page.browsed.locator(".close-drawer").is_visible():
        page.browsed.locator(".close-drawer").click()
    page.press("Find and filter ▴")
    page.browsed.locator(".queries .levels").wait_for(state="hidden")


def cells(page: Page, kind: str) -> list[str]:
    """Texts of a column, in the rows that are seen."""
    return page.browsed.locator(f".queries .record > .{kind}").all_inner_texts()


def rows(page: Page) -> Locator:
    return page.browsed.locator(".queries .record")


def sort(page: Page, title: str) -> None:
    """Press the head of a column."""
    page.browsed.locator(".queries .heads").get_by_role("button", name=title, exact=True).click()


def differences() -> np.ndarray:
    from tapviz.measures import tap_k  # noqa: PLC0415

    a, b = (tap_k(bench()[name], k=20).per_query for name in (A, B))
    return a - b


def test_at_first_the_queries_are_seen_on_which_a_and_b_differ_most(kept: Kept) -> None:
    with visit(kept, again=True) as page:
        found = dict(zip(bench()[A].query.tolist(), np.abs(differences()), strict=True))
        most = sorted(found, key=lambda query: -found[query])[:8]
        page.shows(lambda: [row[0] for row in page.query_rows()], most)
        page.browsed.locator(".queries").get_by_label("B", exact=True).select_option("jackhmmer")
        heads = page.browsed.locator(".queries .heads")
        heads.get_by_role("button", name="jackhmmer", exact=True).wait_for()
        page.press("Undo")
        page.shows(lambda: [row[0] for row in page.query_rows()], most)


def test_sorted_by_the_difference_and_turned_round(page: Page) -> None:
    ids, less = bench()[A].query, differences()
    sort(page, "A − B")
    best = ids[np.argsort(-less, kind="stable")][:5].tolist()
    page.shows(lambda: cells(page, "id")[:5], best)
    sort(page, "A − B")
    worst = ids[np.argsort(less, kind="stable")][:5].tolist()
    page.shows(lambda: cells(page, "id")[:5], worst)
    # Another list of rows is scrolled to its end, which the server sends then.
    page.browsed.locator(".queries .scroller").evaluate("(one) => { one.scrollTop = 1e7 }")
    page.shows(lambda: cells(page, "id")[-1], best[0])


def test_one_click_keeps_the_queries_that_one_loses(page: Page) -> None:
    n = int((differences() > 1e-12).sum())
    button = page.browsed.get_by_role("button", name="A better", exact=False)
    page.shows(button.inner_text, f"A better: {n}")
    button.click()
    count = page.browsed.locator(".queries .count")
    page.shows(lambda: count.inner_text().split(" · ")[0], f"{n} of 862 queries")
    button.click()
    page.shows(lambda: count.inner_text().split(" · ")[0], "862 queries")


def test_a_text_is_found_and_enter_opens_the_lists(page: Page) -> None:
    page.browsed.get_by_label("find in the table").fill("d1qjla_")
    page.shows(lambda: cells(page, "id"), ["d1qjla_"])
    page.browsed.locator(".queries .scroller").focus()
    page.browsed.keyboard.press("ArrowDown")
    page.browsed.keyboard.press("Enter")
    page.browsed.locator(".drawer .title", has_text="Ranked lists of d1qjla_").wait_for()
    page.browsed.get_by_label("find in the table").fill("")
    page.shows(lambda: len(cells(page, "id")) > 1, True)


def test_a_row_points_to_its_dot(page: Page) -> None:
    page.tab(A_VS_B)
    page.shows(lambda: page.script("Boolean(tapviz.view('scatter'))"), True)
    page.settled()
    page.browsed.locator(".queries .scroller").scroll_into_view_if_needed()
    row = rows(page).nth(2)
    point = page.layer("scatter", "point")

    def ring() -> None:
        page.browsed.mouse.move(5, 5)
        row.hover()
        at = list(point["query"]).index(row.locator(".id").inner_text())
        expected = page.place("scatter", point["x"][at], point["y"][at])
        box = page.browsed.locator(".tapviz-ring").bounding_box()
        assert box is not None
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert middle == pytest.approx(expected, abs=1.5)

    page.eventually(ring)


def test_a_click_on_a_fold_makes_it_the_subset(page: Page) -> None:
    levels = page.browsed.locator(".queries .levels")
    levels.get_by_role("button", name="folds", exact=True).click()
    count = page.browsed.locator(".queries .count")
    page.shows(lambda: count.inner_text().split(" · ")[0], "299 folds")
    sort(page, "queries")
    page.shows(lambda: cells(page, "id")[0], "c.1")
    n = cells(page, "number")[0]
    rows(page).first.click()
    page.shows(lambda: count.inner_text().split(" · ")[0], "1 fold")
    page.sees(f"{n} of 862 queries")
    page.browsed.keyboard.press("Escape")
    page.shows(lambda: count.inner_text().split(" · ")[0], "299 folds")


def chips(page: Page) -> list[str]:
    return page.browsed.locator(".chips li span").all_inner_texts()


def test_chips_say_the_filter_and_take_it_away_undo_and_redo(page: Page) -> None:
    page.enter("class", "a")
    page.more()
    page.enter("T(q) at least", "5")
    page.shows(lambda: chips(page), ["class a", "T(q) ≥ 5"])
    n = sum(str(one).startswith("a.") for one in bench()[A].query_class)
    page.shows(page.browsed.locator(".chips small").first.inner_text, f"{n} of 862")
    page.browsed.get_by_role("button", name="remove: class a").click()
    page.shows(lambda: chips(page), ["T(q) ≥ 5"])
    page.shows(lambda: page.field("class").input_value(), "")
    page.browsed.locator("h1.brand").click()
    page.browsed.keyboard.press("Control+z")
    page.shows(lambda: chips(page), ["class a", "T(q) ≥ 5"])
    page.browsed.keyboard.press("Control+Shift+Z")
    page.shows(lambda: chips(page), ["T(q) ≥ 5"])
    page.browsed.get_by_role("button", name="remove: T(q) ≥ 5").click()
    page.shows(lambda: chips(page), [])


def test_the_queries_that_a_loses_become_the_subset(page: Page) -> None:
    page.browsed.locator(".queries .sides .b").click()
    page.browsed.get_by_role("button", name="Make these the subset").click()
    page.shows(lambda: chips(page), [f"{B} better than {A}"])
    n = int((differences() < -1e-12).sum())
    page.sees(f"{n} of 862 queries")
    page.browsed.get_by_role("button", name=f"remove: {B} better than {A}").click()
    page.shows(lambda: chips(page), [])
