"""The lesson in the browser: by the keyboard alone, silent before a prediction, saved for later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page as Browsed

from tapviz.lesson.numbers import pair, real_pair
from tests.ui.conftest import SIZE, Server, trouble
from tests.ui.page import Page

pytestmark = pytest.mark.ui

# The element that has the focus, wherever it is, and all that the page holds.
DEEP = """
window.lesson = {
    focused: () => {
        let element = document.activeElement
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
        if (!element) return null
        const root = element.getRootNode()
        const label = element.id && root.querySelector(`label[for="${element.id}"]`)
        const name = element.getAttribute("aria-label") ?? (label || element.closest("label")
            || element).textContent
        const {x, y, width, height} = element.getBoundingClientRect()
        return {tag: element.localName, type: element.type, name: name.trim(),
                value: element.value, text: element.getAttribute("aria-valuetext"),
                box: [x, y, width, height]}
    },
    everything: () => {
        const walk = (root) => [...root.childNodes].map((node) => {
            if (node.nodeType === 3) return node.data
            if (node.nodeType !== 1 || /^(script|style)$/i.test(node.tagName)) return ""
            const attributes = [...node.attributes].map((attribute) => attribute.value).join(" ")
            const inside = (node.shadowRoot ? walk(node.shadowRoot) : "") + walk(node)
            return ` ${attributes} ${node.value ?? ""} ${inside}`
        }).join(" ")
        return walk(document.body)
    },
    all: (selector, root = document) => [...root.querySelectorAll(selector),
        ...[...root.querySelectorAll("*")].flatMap((element) =>
            element.shadowRoot ? lesson.all(selector, element.shadowRoot) : [])],
    bottom: (selector) => Math.max(0, ...lesson.all(selector).map(
        (element) => element.getBoundingClientRect().bottom)),
    small: (selector) => lesson.all(selector).filter((element) => {
        const {width, height} = element.getBoundingClientRect()
        return Math.min(width, height) < 24 && element.checkVisibility()
    }).map((element) => element.outerHTML),
    // what all models of the document hold: texts, and columns of data
    held: () => {
        const plain = (value) => {
            if (value instanceof Map) return [...value.values()].map(plain)
            if (ArrayBuffer.isView(value) || Array.isArray(value)) return Array.from(value, plain)
            if (value && value.constructor === Object) return Object.values(value).map(plain)
            return typeof value === "string" || typeof value === "number" ? value : null
        }
        const models = [...Bokeh.documents[0]._all_models.values()]
        return JSON.stringify(models.map((model) => plain(model.attributes)))
    },
}
"""
PATIENT: Any = {"wait_until": "commit", "timeout": 60_000}
SCORE = re.compile(r"(?<![\w.#])0\.\d{3,}")


class Reader:
    """Somebody who takes the lesson without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.browsed: Browsed = page.browsed

    def open(self, address: str = "/lesson") -> Reader:
        self.browsed.goto(self.page.base + address, **PATIENT)
        self.scene(1)
        self.browsed.wait_for_function("window.Bokeh && Bokeh.documents[0]?.is_idle")
        self.browsed.evaluate(DEEP)
        return self

    def scene(self, number: int) -> None:
        """Wait for a scene, and for its pictures."""
        self.browsed.get_by_text(f"Scene {number} of 12").wait_for(timeout=30_000)

    @property
    def focused(self) -> Any:
        return self.browsed.evaluate("lesson.focused()")

    def tab_to(self, name: str) -> Any:
        """Press Tab until what has that name has the focus."""

        def there() -> Any:
            seen = []
            for _ in range(60):
                found = self.focused
                if found and found["name"] == name and found["tag"] in ("input", "button", "a"):
                    return found
                seen.append(found and found["name"])
                self.browsed.keyboard.press("Tab")
            assert name in seen, seen
            return None

        return self.page.eventually(there, wait=15)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.browsed.keyboard.press(key)

    def type(self, name: str, text: str) -> None:
        self.tab_to(name)
        self.press("Control+A")
        self.browsed.keyboard.type(text)
        self.press("Enter")

    def fits(self) -> None:
        """The stage is in the window without scrolling; what can be pressed is large enough."""
        page = self.browsed
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZE["width"]
        assert page.evaluate("lesson.bottom('.bk-Figure, .words, svg, table')") <= SIZE["height"]
        assert page.evaluate("lesson.small('button, input[type=range], input[type=text]')") == []
        unnamed = r"- (button|slider|radio|textbox|link)( \[|:|$)"
        told = page.locator("body").aria_snapshot().splitlines()
        assert not [line for line in told if re.search(unnamed, line)]

    def go_on(self, number: int) -> None:
        """Press Next once it is open; the heading of the next scene then has the focus."""
        self.tab_to("Next")
        self.fits()
        self.press("Enter")
        self.scene(number)
        self.page.eventually(self._at_heading)

    def _at_heading(self) -> None:
        assert self.focused["tag"] == "h1"

    def reads(self, text: str | re.Pattern[str]) -> None:
        self.page.sees(text)

    def tells(self, value: float) -> bool:
        """Whether a score is in the page, in what a screen reader is told, or in the data."""
        said = self.browsed.evaluate("lesson.everything()")
        said += self.browsed.locator("body").aria_snapshot()
        held = SCORE.findall(self.browsed.evaluate("lesson.held()"))
        return f"{value:.3f}" in said or any(abs(float(one) - value) < 1e-6 for one in held)

    def words(self) -> str:
        return str(
            self.browsed.evaluate("lesson.everything()")
            + self.browsed.locator("body").aria_snapshot()
            + self.browsed.evaluate("lesson.held()")
        )


@pytest.fixture(scope="module")
def lesson_server(chromium: Any, logs: Path) -> Iterator[Server]:  # noqa: ARG001  # no browser: no server
    running = Server(logs, app="lesson")
    yield running
    running.stop()


@pytest.fixture
def reader(chromium: Any, lesson_server: Server) -> Iterator[Any]:
    """Function that opens the lesson; nothing may go wrong meanwhile."""
    pages: list[Page] = []

    def opened(address: str = "/lesson", **context: Any) -> Reader:
        browsed = chromium.new_context(viewport=SIZE, **context).new_page()
        pages.append(Page(browsed, lesson_server))
        return Reader(pages[-1]).open(address)

    yield opened
    problems = [problem for page in pages for problem in trouble(page)]
    for page in pages:
        page.browsed.context.close()
    assert not problems


def test_whole_lesson_with_the_keyboard_alone(  # noqa: PLR0915  # it is long
    reader: Any, chromium: Any, tmp_path: Path
) -> None:
    one = reader(reduced_motion="reduce")

    # 1: slide along both lists, record by record, and choose
    one.tab_to("record of list A")
    one.press("ArrowRight", "ArrowRight")
    one.reads(re.compile("Present record: record 3, relevant, E = "))
    assert one.focused["text"] == "3"
    one.type("record of list A, as a number", "468")
    one.reads(re.compile("Present record: record 468, irrelevant, E = 0.01"))
    one.type("record of list B, as a number", "94")
    one.tab_to("list A")
    one.press("Space")
    one.reads(re.compile("You said: list A"))
    one.go_on(2)

    # 2: a box that does not take everything says so
    one.type("n, errors considered, as a number", "many")
    one.reads("Enter a number from 1 to 540.")
    one.tab_to("n, errors considered: 280")
    one.press("Enter")
    one.reads(re.compile("up to n = 280"))
    one.go_on(3)

    # 3: nothing tells the truth before it is asked for
    assert not one.tells(94 / 962)
    one.tab_to("Why? (one line, if you like)")
    one.browsed.keyboard.type("the middle of both")
    one.type("pooled ROC₅₀, your prediction, as a number", "0.58")
    one.reads("you 0.58")
    assert not one.tells(94 / 962)
    one.tab_to("Reveal")
    one.press("Enter")
    one.reads(re.compile("You said 0.58, 0.48 away"))
    assert one.tells(94 / 962)
    one.go_on(4)

    # 4: who wants no motion is at the end at once
    one.tab_to("f, errors read so far: 50")
    one.press("Enter")
    one.reads(re.compile("list A, 0 records"))
    one.tab_to("Play")
    one.press("Enter")
    one.reads(re.compile("The merged curve is"))
    one.reads("not below")
    one.tab_to("A has too few relevant records")
    one.press("ArrowDown")
    one.reads("✓ Yes.")
    one.go_on(5)

    # 5: what must not move does not
    assert "does not change" not in one.words()
    one.tab_to("it changes")
    one.press("Space")
    one.tab_to("Reveal")
    one.press("Enter")
    one.reads(re.compile("It does not change"))
    for c, pooled in (("0.5", "0.354"), ("0.02", "0.583")):
        one.type("c, as a number", c)
        one.reads(f"At c = {float(c):.2f}: pooled {pooled}, B alone 0.195, TAP of B 0.521.")
    one.go_on(6)

    # 6
    assert "It goes down" not in one.words()
    one.tab_to("goes up")
    one.press("Space")
    one.tab_to("Reveal")
    one.press("Enter")
    one.tab_to("good queries: 49")
    one.press("Enter")
    one.reads(re.compile("With 49 good and 1 bad: pooled 0.004, mean TAP 0.962"))
    one.go_on(7)

    # 7: try to break it
    one.tab_to("E₀, threshold: 8.1")
    one.press("Enter")
    one.reads("(467.00 + 0.930) / 482")
    one.tab_to("Try 200 groups of real queries")
    one.press("Enter")
    one.reads("An average always lies between its parts. Keep trying if you like.")
    one.go_on(8)

    # 8
    assert "mean <b" not in one.words()
    one.type("mean errors per query", "1")
    one.type("median errors per query", "1")
    one.tab_to("Reveal")
    one.press("Enter")
    one.reads(re.compile("You said 1 and 1."))
    one.go_on(9)

    # 9
    assert "rise, peak and fall" not in one.words()
    one.tab_to("only rises")
    one.press("Space")
    one.tab_to("Reveal")
    one.press("Enter")
    one.tab_to("E₀, threshold: 0.2")
    one.press("Enter")
    one.reads(re.compile("jackhmmer 0.496 at 0.2"))
    one.go_on(10)

    # 10
    truth = pair(real_pair()).pooled
    assert not one.tells(truth)
    one.tab_to("pooled ROC₅₀ of the two, your prediction")
    one.press("ArrowRight")
    one.reads("you 0.51")
    assert not one.tells(truth)
    one.tab_to("Reveal")
    one.press("Enter")
    one.reads("pooled 0.289")
    assert one.tells(truth)
    link = one.tab_to("Look for more such pairs in the explorer")
    assert link["tag"] == "a"
    one.go_on(11)

    # 11: the reader finds it
    one.tab_to("none")
    for _ in range(7):
        one.press("ArrowDown")
    one.reads(re.compile("Leave queries out"))
    one.press("ArrowDown")
    one.reads(re.compile("alone supplies 26 of the 50 errors"))
    one.go_on(12)

    # 12, and back: nothing is lost
    one.tab_to("Scene 3: Merge the two lists")
    one.press("Enter")
    one.scene(3)
    one.reads("pooled 0.098")
    assert one.tab_to("Next")["name"] == "Next"
    one.tab_to("Scene 12: Your predictions and the answers")
    one.press("Enter")
    one.scene(12)
    one.type("I would report", "TAP-20 & its interval")
    one.reads("One answer:")
    one.tab_to("Save my predictions")
    with one.browsed.expect_download() as download:
        one.press("Enter")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    _opens_alone(chromium, file)


def _opens_alone(chromium: Any, file: Path) -> None:
    """The file shows all without a network, and asks for nothing."""
    context = chromium.new_context(offline=True)
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    told = page.locator("body").inner_text()
    images = page.get_by_role("img").evaluate_all("all => all.map((one) => one.ariaLabel)")
    context.close()
    assert asked == [file.as_uri()]
    assert "the middle of both" in told
    assert "TAP-20 & its interval" in told
    assert re.search(r"pooled ROC₅₀\s+0\.58\s+the middle of both\s+0\.098", told)
    assert any("you 0.58; pooled 0.098" in words for words in images)


def test_merging_is_played_record_by_record_and_can_be_stopped(reader: Any) -> None:
    one = reader()
    page = one.browsed
    for number in (2, 3, 4):
        page.get_by_role("button", name="Show me").click()
        page.get_by_role("button", name="Next").click()
        one.scene(number)
    box = page.get_by_label("f, errors read so far, as a number")
    page.get_by_role("button", name="Play").click()
    seen: set[int] = set()

    def moves() -> None:
        seen.add(int(box.input_value()))
        assert len(seen) > 4

    one.page.eventually(moves)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for()

    def stands() -> str:  # what was under way when it was stopped may still arrive
        stopped = box.input_value()
        page.wait_for_timeout(600)
        assert box.input_value() == stopped
        return stopped

    assert int(one.page.eventually(stands)) < 204
    assert page.get_by_role("button", name="Next").is_disabled()
    # scrubbed by hand
    page.get_by_label("f, errors read so far", exact=True).fill("204")
    one.reads(re.compile("The first 50 errors all came from B"))


def test_lesson_and_explorer_lead_to_each_other(reader: Any, shared: Any, server: Server) -> None:
    # in the lesson's application: the explorer at its address, and back
    one = reader("/lesson?learn")
    page = one.browsed
    page.goto(f"{one.page.base}/lesson?view=violations&focus_algorithm=jackhmmer", **PATIENT)
    page.locator("table.scores").wait_for(timeout=60_000)
    page.get_by_role("link", name=re.compile("^Learn")).click(no_wait_after=True)
    one.scene(1)
    # in the explorer's, served alone
    other = Page(shared.new_page(), server)
    found = Reader(other).open("/explore?learn")
    for number in (2, 3):
        other.browsed.get_by_role("button", name="Show me").click()
        other.browsed.get_by_role("button", name="Next").click()
        found.scene(number)
    other.browsed.get_by_role("button", name="Show me").click()
    with other.browsed.expect_popup(timeout=60_000) as opened:
        other.browsed.get_by_role("link", name="Open this in the explorer").click()
    opened.value.locator("table.scores").get_by_text("as they are").wait_for(timeout=60_000)
    assert "0.098" in opened.value.locator("table.scores").inner_text()
    opened.value.close()
    problems = trouble(other)
    other.browsed.close()
    assert not problems
