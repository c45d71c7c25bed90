"""Where the Tab key leads on the page, and what its other keys do there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.page import CHANGE_DATA, CLOSE_SHARE, SHARE, K, Page

FOCUS = """() => {
    let element = document.activeElement
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText
    const name = label ?? element.innerText
    return `${element.getAttribute("role") ?? element.localName} ${name.trim()}`
}"""
TOOLBAR = ["Undo", "Redo", "Share", "Dark", "Tour", "Learn", "Figure"]


def focused(page: Page) -> str:
    return str(page.browsed.evaluate(FOCUS))


def stops(page: Page, until: str) -> list[str]:
    """What the Tab key comes to before it comes to something."""
    found: list[str] = []
    while True:
        page.browsed.keyboard.press("Tab")
        stop = focused(page)
        if until in stop:
            return found
        found.append(stop)
        assert len(found) <= 40, found


@pytest.mark.parametrize("query", ["", "?dataset=cranfield", "?dataset=profiles"])
def test_the_first_plot_is_at_most_twelve_tab_stops_away(open_page: Any, query: str) -> None:
    found = stops(open_page(query).settled(), "Arrow keys, Home and End read it out")
    assert len(found) <= 12, found
    assert found[:2] == ["button Skip to the results", "button Skip to the controls"]


def test_the_buttons_of_the_header_are_one_stop_and_arrow_keys_go_on(open_page: Any) -> None:
    page = open_page().settled()
    page.type(K, "3")
    page.settled()
    page.shows(page.browsed.get_by_role("button", name="Undo").is_disabled, False)
    stops(page, CHANGE_DATA)
    page.browsed.keyboard.press("Tab")
    found = []
    for _ in range(20):
        found.append(focused(page))
        page.browsed.keyboard.press("ArrowRight")
        if focused(page) in found:
            break
    shown = [name for name in TOOLBAR if any(name in one for one in found)]
    assert shown == [name for name in TOOLBAR if name != "Redo"]  # which nothing is there for
    page.browsed.keyboard.press("End")
    assert "Figure" in focused(page)
    page.browsed.keyboard.press("Home")
    assert "Undo" in focused(page)
    # Taken back, there is nothing to undo: the focus goes to the button beside it.
    page.browsed.keyboard.press("Enter")
    page.shows(lambda: "Redo" in focused(page), True)
    page.browsed.keyboard.press("Shift+Tab")
    assert CHANGE_DATA in focused(page)
    page.browsed.keyboard.press("Tab")
    assert "Redo" in focused(page)


def test_a_button_that_is_pressed_keeps_the_focus_when_its_words_change(open_page: Any) -> None:
    page = open_page().settled()
    page.type(K, "7")
    page.settled()
    page.press(SHARE)
    page.shows(lambda: focused(page), f"button {CLOSE_SHARE}")
    page.browsed.keyboard.press("Enter")  # which undid the last choice
    page.shows(lambda: focused(page), f"button {SHARE}")
    page.settled()
    assert page.settings()["k"] == ["7"]


def test_what_opens_and_closes_does_not_lose_the_focus(open_page: Any) -> None:
    page = open_page().settled()
    page.press("More settings")
    page.shows(lambda: focused(page), "button Fewer settings")
    page.press(CHANGE_DATA)
    page.shows(lambda: focused(page), f"h2 {CHANGE_DATA}")
    page.browsed.keyboard.press("Escape")
    page.shows(lambda: focused(page), f"button {CHANGE_DATA}")


def test_only_switches_say_whether_they_are_pressed(open_page: Any) -> None:
    pressed = open_page().settled().browsed.locator("button[aria-pressed]").all_inner_texts()
    assert "Precision–recall" in pressed
    assert not {CHANGE_DATA, SHARE, "More settings"} & {text.strip() for text in pressed}


@pytest.mark.parametrize("width", [1440, 800])
def test_a_link_leads_to_the_controls_before_the_results(open_page: Any, width: int) -> None:
    page = open_page(width=width).settled()
    stops(page, "Skip to the controls")
    page.browsed.keyboard.press("Enter")
    page.shows(lambda: focused(page), "input errors per query")
    assert "input k" in stops(page, "input n")
