"""Without a mouse, without eyes, in the dark and on a narrow screen."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, expect

from tapviz import Explorer, load_results
from tapviz.plots import plots_for
from tests.ui.conftest import SIZE, Server, trouble
from tests.ui.page import (
    A_VS_B,
    CHANGE_DATA,
    E0,
    FIGURE,
    FIGURES,
    OPEN_RESULTS,
    SHARE,
    TAP_PLOT,
    K,
    N,
    Page,
)

# The rule of WCAG 2.2 that axe leaves out unless it is asked for. Nothing is excepted: what Bokeh
# draws on its canvas, axe does not see.
RULES = {"target-size": {"enabled": True}}
FOCUSED = """() => {
    let element = document.activeElement
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const name = element.getAttribute("aria-label") || element.labels?.[0]?.innerText ||
        element.innerText
    return [element.tagName, name.trim(), outlineStyle === "none" ? 0 : parseFloat(outlineWidth)]
}"""
WIDTH = "document.documentElement.scrollWidth"


def findings(page: Page) -> list[str]:
    """All that axe finds, where nothing is dimmed for want of an answer, or still fades in."""
    page.browsed.wait_for_function("!document.documentElement.style.getPropertyValue('--tv-fresh')")
    for label in page.browsed.locator(".filepond--drop-label").filter(visible=True).all():
        expect(label).to_have_css("opacity", "1")
    if not page.browsed.evaluate("'axe' in window"):
        page.browsed.evaluate(AXE_SCRIPT)
    found = page.browsed.evaluate(
        "rules => axe.run(document, {resultTypes: ['violations'], rules})", RULES
    )
    return [
        f"{rule['id']}: {node['html'][:200]}: {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def color(page: Page, figure: str, layer: str) -> str:
    return str(page.layer(figure, layer)["glyph"]["line_color"])


def test_no_state_of_the_page_has_a_finding(open_page: Any) -> None:
    page = open_page(another=True).settled()
    assert findings(page) == []
    for opened in ("more", "cautions", "how"):
        page.browsed.locator(f"[popovertarget={opened}]").first.click()
        assert findings(page) == []
        page.browsed.keyboard.press("Escape")
    for opener in (SHARE, FIGURE, CHANGE_DATA):
        page.press(opener)
        page.settled()
        assert findings(page) == []
        page.browsed.keyboard.press("Escape")
        page.at_rest()
    page.press(SHARE)
    page.press("Show the numbers")
    page.sees("Hide the numbers")
    assert findings(page) == []
    page.browsed.keyboard.press("Escape")
    page.enter("Focus", "d1ngka_")
    page.sees("Ranked lists of d1ngka_")
    for words in ("Why pooled differs", A_VS_B):
        page.tab(words)
        page.settled()
        assert findings(page) == []
    page.press("Dark")
    page.browsed.get_by_role("button", name="Dark", pressed=True).wait_for()
    page.settled()
    assert findings(page) == []


def test_scenes_of_the_lesson_have_no_finding(chromium: Browser, server: Server) -> None:
    browsed = chromium.new_page(viewport=SIZE)
    page = Page(browsed, server)
    browsed.goto(f"{server.url}/explore?learn")
    for scene in (1, 2, 3):
        page.sees(f"{scene} of 6")
        assert findings(page) == []
        browsed.locator("button.help").click()
        browsed.get_by_role("button", name="Next").click()
    problems = trouble(page)
    browsed.close()
    assert not problems


def test_the_page_is_worked_by_the_keyboard_alone(open_page: Any) -> None:
    page = open_page().settled()
    keys, stops = page.browsed.keyboard, []

    def to(name: str, key: str = "Tab") -> None:
        for _ in range(80):
            keys.press(key)
            stops.append(page.browsed.evaluate(FOCUSED))
            if stops[-1][1] == name:
                return
            if stops[-1][0] == "BODY":
                stops.pop()  # beyond the last one the keys leave the page, and come back
        pytest.fail(f"{name} is not among {stops}")

    to("Skip to the controls")
    keys.press("Enter")
    to("k")
    keys.press("Control+a")
    keys.type("7")
    keys.press("Enter")
    page.eventually(lambda: page.heads().index("TAP-7"))
    page.shows(lambda: page.handle(K).get_attribute("aria-valuetext"), "7")
    to(K, "Shift+Tab")
    keys.press("ArrowRight")
    page.eventually(lambda: page.heads().index("TAP-8"))
    to("Differences")
    keys.press("Enter")
    page.browsed.wait_for_function("tapviz.figure('differences')")
    to("plot under this tab")
    keys.type("Ranking")
    page.browsed.wait_for_function("tapviz.figure('order')")
    to("Focus")
    keys.type("d1ngka_")
    keys.press("Enter")
    page.sees("Ranked lists of d1ngka_")
    keys.press("Escape")
    page.browsed.get_by_text("Ranked lists of").wait_for(state="hidden")
    unnamed = [stop for stop in stops if not stop[1]]
    assert not unnamed
    unseen = [stop for stop in stops if stop[2] < 2]
    assert not unseen


def test_the_focus_stays_on_a_warning_that_changes(page: Page) -> None:
    warning = page.browsed.locator(".cautions [popovertarget]")
    page.sees("TAP-20 ranks it below")
    k = page.browsed.get_by_label("k", exact=True)
    k.fill("90")
    k.press("Enter")
    page.sees("end too early for E90")
    warning.press("Enter")
    page.browsed.keyboard.press("Control+z")
    page.sees("TAP-20 ranks it below")
    assert page.browsed.evaluate(FOCUSED)[0] == "BUTTON"
    assert page.browsed.locator("#cautions").is_visible()


def test_the_focus_stays_in_the_line_whose_button_is_gone(page: Page) -> None:
    page.eventually(lambda: page.status().index("resamples of the superfamilies"))
    with page.server.holding():
        page.type(N, "67")  # at which nobody has been: what is known needs no work
        page.browsed.locator(".status button").focus()
        page.eventually(lambda: page.browsed.evaluate(FOCUSED)[1].index("Cancel"))

    def done() -> None:
        element, words, ring = page.browsed.evaluate(FOCUSED)
        assert (element, " ".join(words.split())) == ("DIV", page.status())
        assert "Cancel" not in words
        assert ring >= 2

    page.eventually(done)


def test_arrow_keys_read_a_plot_out(page: Page) -> None:
    plot = page.browsed.get_by_label(TAP_PLOT)
    plot.focus()
    plot.press("ArrowRight")
    first = page.eventually(lambda: page.tips()[0])
    assert "BLASTP" in first
    for _ in range(5):
        plot.press("ArrowRight")

    page.shows(lambda: page.tips() not in ([], [first]))
    status = page.browsed.get_by_role("status").filter(has_text="PSI-BLAST TAP")
    page.eventually(lambda: page.tips().index(" ".join(status.inner_text().split())))


def test_what_the_keys_read_out_goes_when_they_leave(page: Page) -> None:
    page.query_text.fill("^d1")
    page.eventually(lambda: page.header().index("grey"))
    page.settled()
    plot = page.browsed.get_by_label(TAP_PLOT)
    for leave in ("Tab", "a click", "Escape"):
        plot.focus()
        plot.press("ArrowRight")
        page.eventually(lambda: page.tips()[0])
        if leave == "a click":
            page.browsed.mouse.click(20, SIZE["height"] - 20)
        else:
            plot.press(leave)
        page.shows(page.tips, [])
        page.at_rest()
        assert page.query_text.input_value() == "^d1", leave  # Escape was for the read-out
    plot.press("ArrowRight")
    page.eventually(lambda: page.tips()[0])


ROOM = """
tapviz.view("tap").model.side_panels.map((panel) => {
    const { layout } = tapviz.view("tap").renderer_views.get(panel)
    return layout ? layout.has_size_changed() : false
})
"""


def test_labels_of_a_zoomed_plot_get_the_room_they_need(page: Page) -> None:
    page.browsed.get_by_label(TAP_PLOT).focus()
    whole = page.range("tap")
    for key in ("+", "+", "+", "+", "0"):  # 0.1 becomes 0.35
        page.browsed.keyboard.press(key)

        def room(key: str = key) -> None:
            assert (page.range("tap") == whole) == (key == "0")
            assert page.script("Bokeh.documents[0].is_idle")
            assert not any(page.script(ROOM))

        page.eventually(room)


def test_a_plot_is_zoomed_without_a_mouse(page: Page) -> None:
    whole = page.range("tap")
    keys = page.browsed.keyboard

    def wide(width: float, height: float, middle: float = 0.5) -> None:
        left, right, low, high = page.range("tap")
        assert (right - left) / (whole[1] - whole[0]) == pytest.approx(width)
        assert (high - low) / (whole[3] - whole[2]) == pytest.approx(height)
        place = (1 - middle) * whole[0] + middle * whole[1]
        assert (1 - middle) * left + middle * right == pytest.approx(place)

    def focused(name: str) -> None:
        assert page.browsed.evaluate(FOCUSED)[1].startswith(name)

    page.browsed.get_by_label(TAP_PLOT).focus()
    for _ in range(50):  # to the end, wherever it has been
        keys.press("ArrowRight")
    keys.press("+")
    page.eventually(lambda: wide(0.75, 0.75, 0.98))  # around the place that is read out
    keys.press("-")
    keys.press("-")
    page.eventually(lambda: wide(1 / 0.75, 1 / 0.75, 0.98))
    keys.press("0")
    page.eventually(lambda: wide(1, 1))

    keys.press("Tab")
    for tool in ("Box Zoom", "Wheel Zoom", "Save", "Reset", "Zoom In"):
        keys.press("ArrowRight")
        page.eventually(partial(focused, tool))
    keys.press("Enter")
    page.eventually(lambda: wide(0.75, 0.75))
    keys.press("Space")
    page.eventually(lambda: wide(0.75**2, 0.75**2))
    keys.press("ArrowRight")
    keys.press("Space")
    page.eventually(lambda: wide(0.75, 0.75))  # the last step back
    for _ in range(2):
        keys.press("ArrowLeft")
    keys.press("Enter")
    page.eventually(lambda: wide(1, 1))
    for _ in range(3):  # on to the next plot, past the other tools and whose errors it shows
        keys.press("Tab")
        if page.browsed.evaluate(FOCUSED)[1].startswith("Errors per query. Arrow keys"):
            break
    focused("Errors per query. Arrow keys")


def test_the_slider_of_e0_says_the_threshold_not_its_place(page: Page) -> None:
    page.mode("E-value")
    handle = page.handle(E0)
    page.shows(handle.is_visible)
    handle.focus()
    handle.press("ArrowRight")

    def said() -> None:
        value = page.box(E0).input_value()
        assert value != "0.01"
        assert handle.get_attribute("aria-valuetext") == value

    page.eventually(said)
    assert handle.get_attribute("aria-label") == E0
    for later in ("0.5", page.box(E0).input_value()):  # as over a slow line
        page.script("tapviz.box(args[0]).value = args[1]", E0, later)
        page.shows(lambda: handle.get_attribute("aria-valuetext"), later)


def test_what_changed_is_announced_at_most_twice_a_second(page: Page) -> None:
    words = page.browsed.locator(".words dl[aria-live=polite]")
    words.wait_for()
    page.settled()
    words.evaluate(
        """(list) => {
            window.told = []
            new MutationObserver(() => told.push(performance.now()))
                .observe(list, { characterData: true, childList: true, subtree: true })
        }"""
    )
    start = page.browsed.evaluate("performance.now()")
    for k in range(21, 41):
        page.handle(K).press("ArrowRight")
        page.eventually(lambda k=k: page.heads().index(f"TAP-{k}"))
    page.eventually(lambda: page.settings()["k"].index("40"))
    page.settled()
    told = [at - start for at in page.browsed.evaluate("told")]
    assert 1 <= len(told) <= told[-1] / 500 + 1


def test_dark_and_light_again(open_page: Any) -> None:
    page = open_page(another=True)
    ground = "getComputedStyle(document.body).backgroundColor"
    assert color(page, "tap", "curve jackhmmer") == "#000000"
    page.press("Dark")
    page.eventually(lambda: page.settings()["ground"].index("dark"))
    page.shows(lambda: page.browsed.evaluate(ground), "rgb(18, 18, 18)")
    page.shows(lambda: color(page, "tap", "curve jackhmmer"), "#FFFFFF")
    assert color(page, "tap", "curve BLASTP") == "#009E73"
    page.shows(lambda: page.layer("tap", "peak")["color"].count("#FFFFFF"), 1)
    page.type(K, "9")  # what is drawn later is drawn for the dark, too
    page.eventually(lambda: page.heads().index("TAP-9"))
    page.tab("Ranking")
    assert "#000000" not in page.layer("tap", "threshold")["color"]
    page.shows(lambda: color(page, "order", "curve jackhmmer"), "#FFFFFF")
    axis = "tapviz.figure(args[0]).below[0].axis_line_color"
    for figure in ("order", "tap"):
        page.shows(lambda figure=figure: page.script(axis, figure), "#DADADA")
    page.press("Dark")
    page.shows(lambda: color(page, "order", "curve jackhmmer"), "#000000")
    page.shows(lambda: page.script(axis, "order"), "#333333")
    page.shows(lambda: page.layer("tap", "peak")["color"].count("#000000"), 1)


LUMINANCE = """(element) => {
    const parts = (color) => color.match(/[\\d.]+/g).map(Number)
    const light = (color) => parts(color).slice(0, 3).map((one) => one / 255)
        .map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
        .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0)
    const { color, backgroundColor } = getComputedStyle(element)
    return [light(color), light(backgroundColor)]
}"""


def test_an_address_opens_dark_and_what_is_worked_there_is_readable(open_page: Any) -> None:
    page = open_page("?ground=dark&k=5")
    page.shows(lambda: color(page, "tap", "curve jackhmmer"), "#FFFFFF")
    axis = "tapviz.figure(args[0]).below[0].axis_line_color"
    page.shows(lambda: page.script(axis, "tap"), "#DADADA")
    assert page.heads()[1] == "TAP-5"
    page.settled()
    page.press(CHANGE_DATA)
    page.sees(OPEN_RESULTS)

    def readable(element: Any) -> None:
        words, ground = element.evaluate(LUMINANCE)
        assert ground < 0.1  # as dark as the page
        assert (words + 0.05) / (ground + 0.05) > 10

    # What is pressed, and what is dropped on.
    for element in (page.button("More settings"), page.browsed.locator(".filepond--drop-label")):
        page.eventually(partial(readable, element))


def test_no_tab_is_wider_than_the_window(open_page: Any) -> None:
    page = open_page()
    sizes = [(1440, 900), (1000, 800), (390, 844)]
    for plot in (one for one in plots_for(Explorer(load_results())) if one.tab):
        page.tab(plot.tab)
        page.settled()
        for width, height in sizes:
            page.browsed.set_viewport_size({"width": width, "height": height})
            page.at_rest()
            page.shows(lambda: page.browsed.evaluate(WIDTH), width)
        sizes.reverse()  # the next tab is chosen at the last of them


@pytest.mark.parametrize(("width", "height"), [(1000, 800), (320, 256)])
def test_a_narrow_screen_loses_nothing(open_page: Any, width: int, height: int) -> None:
    page = open_page("?focus=d1ngka_", width, height).settled()
    assert page.browsed.evaluate(WIDTH) <= width

    def fits(figure: str) -> None:
        left, _, wide, _ = page.frame(figure)
        assert left >= 0
        assert left + wide <= width
        assert wide > width / 3

    def inside(name: str) -> None:
        box = page.button(name).bounding_box()
        assert box is not None  # in a menu that has just been opened, or is drawn anew
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width, name

    for figure in FIGURES:
        page.eventually(partial(fits, figure))  # as soon as it is drawn
    opened = (("☰", ("Undo", SHARE, "Dark", FIGURE)), ("Controls", ("More settings",)))
    for opener, names in (("", ("Differences", CHANGE_DATA)), *opened):
        if opener and width < 1000:
            page.press(opener)
        for name in names:
            page.eventually(partial(inside, name))
        page.browsed.keyboard.press("Escape")
    scores = page.browsed.get_by_role("region", name="scores")
    assert page.browsed.get_by_role("button", name="columns").is_visible()
    box = scores.bounding_box()
    assert box["x"] + box["width"] <= width


def test_boxes_take_what_people_type_and_words_beside_a_box_tick_it(page: Page) -> None:
    said = "n: enter a whole number from 1 to 1,000"
    for typed, used in (("several", "50"), ("2.5", "60")):
        page.type(N, typed)
        page.sees(said)
        page.shows(page.box(N).input_value, used)
        page.type(N, "60")
        page.shows(lambda: page.settings()["n"], ["60"])
    page.box(N).fill("1,000")
    page.box(N).press("Enter")
    page.shows(lambda: page.settings()["n"], ["1000"])
    page.shows(page.browsed.get_by_text(said).is_visible, False)
    page.more()
    words = page.browsed.get_by_text("interval of the peak", exact=True)
    for ticked in (True, False):
        words.click()
        page.shows(page.field("interval of the peak").is_checked, ticked)
        page.settled()


def test_where_it_is_narrow_the_controls_come_and_go_over_the_results(open_page: Any) -> None:
    page = open_page("", 390, 844).settled()
    browsed = page.browsed
    opener = browsed.get_by_role("button", name="Controls", exact=True)
    first = browsed.get_by_role("radio", name="errors per query")
    assert opener.get_attribute("aria-expanded") == "false"
    assert not first.is_visible()
    opener.click()
    first.wait_for()
    page.shows(lambda: browsed.evaluate(FOCUSED)[1], "errors per query")
    page.type(K, "7")
    page.eventually(lambda: page.heads().index("TAP-7"))
    browsed.keyboard.press("Escape")
    first.wait_for(state="hidden")
    page.shows(lambda: browsed.evaluate(FOCUSED)[1], "Controls")
    opener.click()
    first.wait_for()
    browsed.mouse.click(380, 100)
    first.wait_for(state="hidden")
    browsed.set_viewport_size({"width": 1440, "height": 900})
    first.wait_for()
    opener.wait_for(state="hidden")


def test_on_a_phone_what_a_button_opens_can_be_closed_by_touch_and_by_escape(
    open_page: Any,
) -> None:
    page = open_page("", 390, 844).settled()
    sheet = page.browsed.locator(".sheet:visible")
    for opener in (SHARE, FIGURE):
        page.press("☰")
        page.press(opener)
        sheet.wait_for()
        close = sheet.get_by_role("button", name="Close", exact=True)
        box = close.bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844  # in sight, however long the sheet is
        if opener == SHARE:
            close.click()
        else:
            page.browsed.keyboard.press("Escape")  # once for the menu, which is over it
            page.browsed.keyboard.press("Escape")
        sheet.wait_for(state="hidden")


def test_the_threshold_and_a_plot_are_in_the_first_screen_of_a_phone(open_page: Any) -> None:
    page = open_page("", 390, 844).settled()
    assert page.browsed.locator(".verdict").bounding_box()["y"] < 100
    rail = page.browsed.locator(".rail").bounding_box()
    handle = page.handle(K).bounding_box()
    assert rail["y"] < handle["y"] < handle["y"] + handle["height"] <= 844

    def in_sight() -> None:
        left, top, width, height = page.frame("tap")
        assert top + height < rail["y"]
        assert left + width <= 390

    page.eventually(in_sight)


def test_all_plots_are_in_the_first_screen(page: Page) -> None:
    page.settled()

    def ends(figure: str) -> None:
        left, top, width, height = page.frame(figure)
        assert top + height < 900 - 30  # below are the names of the axis
        assert left + width < 1440

    for figure in FIGURES:
        page.eventually(partial(ends, figure))


def test_numbers_of_a_plot_as_a_table(page: Page) -> None:
    page.press(SHARE)
    page.press("Show the numbers")
    rows = page.browsed.locator(".numbers tbody tr")
    rows.first.wait_for()
    assert rows.count() <= 300
    page.sees("Figure… > CSV (numbers) has all.")
    heads = page.browsed.locator(".numbers thead th").all_inner_texts()
    assert heads == ["what", "E-value threshold E₀", "mean TAP", "program"]
    peaks = [
        row.locator("td").all_inner_texts()
        for row in rows.filter(has=page.browsed.get_by_role("rowheader", name="peak")).all()
    ]
    shown = {name: f"{float(tap):.3f}" for _, tap, name in peaks}
    assert shown == {name: cells[4] for name, cells in page.table().items()}
    page.press("Hide the numbers")
    rows.first.wait_for(state="detached")


def test_how_to_read_a_plot_opens_and_escape_closes_nothing_else(page: Page) -> None:
    page.query_text.fill("^d1")
    page.eventually(lambda: page.header().index("grey"))
    page.settled()
    words = page.browsed.get_by_text("Each line is the mean TAP of one program")
    assert not words.is_visible()
    page.browsed.get_by_label("How to read TAP against E₀").click()
    page.shows(words.is_visible)
    page.browsed.get_by_text("Errors per query, below. At each threshold").wait_for()
    page.browsed.keyboard.press("Escape")
    page.shows(words.is_visible, False)
    assert page.query_text.input_value() == "^d1"
    page.browsed.keyboard.press("Escape")  # with nothing open, it clears the filter
    page.shows(page.query_text.input_value, "")
