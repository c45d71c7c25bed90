"""The lesson in a browser: controls to their ends, nothing told too early, no mouse, any screen."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tapviz.lesson import numbers
from tapviz.lesson.classroom import class_page, questions
from tapviz.lesson.codes import decode
from tapviz.lesson.content import content, html_page
from tapviz.lesson.numbers import two_lists
from tapviz.lesson.own import own_page
from tapviz.measures import pooled_roc_n, roc_n, tap
from tapviz.readers.datasets import load_results
from tests.ui.conftest import SIZE, Server
from tests.ui.files import Watched, findings, opened
from tests.ui.page import WAIT, eventually

SCENES = [scene["name"] for scene in content()["scenes"]]
CONTROLS = {s["name"]: {c["name"]: c["texts"] for c in s["controls"]} for s in content()["scenes"]}
# What a page may not hold before the reader has predicted: the answer, and what gives it away.
ANSWERS = {
    "winner": ("Some dots made it so", "One is enough"),
    "predict": ("0.098", "lower than both", "204"),
    "scale": ("0.583",),
    "add": ("0.004", "0.955", "0.962"),
    "build": ("0 times", "4 times"),
    "errors": ("Almost every user",),
    "loose": ("All four rise",),
    "real": ("0.289", "below both"),
    "end": ("One answer",),
}
# All text, attributes and values of the page; scripts are not read by anybody.
EVERYTHING = """() => {
    const walk = (root) => [...root.childNodes].map((node) => {
        if (node.nodeType === 3) return node.data
        if (node.nodeType !== 1 || /^(script|style)$/i.test(node.tagName)) return ""
        const attributes = [...node.attributes].map((attribute) => attribute.value).join(" ")
        const inside = (node.shadowRoot ? walk(node.shadowRoot) : "") + walk(node)
        return ` ${attributes} ${node.value ?? ""} ${inside}`
    }).join(" ")
    return walk(document.body)
}"""
TOLD = ("name", "description", "value")
"""What a node of the accessibility tree has for a screen reader."""
VALUE_TEXT = "([handle, text]) => handle.getAttribute('aria-valuetext') === text"
FOCUSED = """() => {
    const one = document.activeElement
    const name = one.getAttribute("aria-label") ?? one.labels?.[0]?.innerText ?? one.innerText
    return [one.tagName.toLowerCase(), name.trim()]
}"""


class Reader(Watched):
    """Somebody who reads the lesson in a page of their own."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = self.watch(page)

    def open(self, address: str) -> Reader:
        self.page.goto(address)
        self.page.locator("main[data-scene]").wait_for()
        return self

    @property
    def scene(self) -> str:
        return str(self.page.locator("main").get_attribute("data-scene"))

    def eventually(self, check: Callable[[], Any]) -> Any:
        return eventually(self.page, check)

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).click()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def skip_to(self, scene: str) -> Reader:
        """Have each scene shown, up to one that is then new."""
        while (here := self.scene) != scene:
            if self.page.locator("button.help").is_enabled():
                self.skip()
            self.page.locator("button.next").click()
            self.eventually(lambda here=here: [True].index(self.scene != here))
        return self

    def skip(self) -> None:
        """Have the scene shown, whatever it asks."""
        self.page.locator("button.help").click()

    def predict(self) -> None:
        """Answer whatever the scene asks: the middle, or the last option."""
        for ask in next(s for s in content()["scenes"] if s["name"] == self.scene)["asks"]:
            label = ask["label"]
            if ask["options"]:
                self.page.get_by_label(ask["options"][list(ask["options"])[-1]]).check()
            elif ask["question"] == "report":
                self.page.get_by_label(label).fill("TAP-20 <b>& its interval</b>")
            else:
                self.page.get_by_role("spinbutton", name=label).fill("0.5")

    def says(self, handle: Locator, text: str) -> None:
        """Wait until a control says where it is."""
        self.page.wait_for_function(VALUE_TEXT, arg=[handle.element_handle(), text])

    def at(self) -> dict[str, str]:
        """Where the controls of the scene are."""
        return {
            name: str(self.range(name).get_attribute("aria-valuetext"))
            for name in CONTROLS[self.scene]
        }

    def follows(self, scene: str, at: dict[str, str]) -> None:
        """The words say what Python computes."""
        for slot, value in expected(scene, at).items():
            assert self.slot(slot).replace(".0", "") == value.replace(".0", ""), (slot, at)

    def comes_to(self, scene: str) -> None:
        self.eventually(lambda: [scene].index(self.scene))

    def start_again(self) -> None:
        self.press("Start again")
        self.press("Forget my predictions?")

    def slot(self, name: str) -> str:
        """A number of the words that follows a control."""
        return str(self.page.locator(f'[data-slot="{name}"]').first.text_content())

    def range(self, control: str) -> Locator:
        return self.page.locator(f'input[type=range][data-move="{control}"]')

    def holds(self, words: str) -> list[str]:
        """Where words are found: in text and attributes, by the browser, by a screen reader."""
        session = self.page.context.new_cdp_session(self.page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        session.detach()
        told = [
            node[key]["value"] for node in nodes for key in TOLD if "value" in node.get(key, {})
        ]
        return [
            where
            for where, found in (
                ("text", words in self.page.evaluate(EVERYTHING)),
                ("search", self.page.evaluate("words => window.find(words, true)", words)),
                ("tree", any(words in str(one) for one in told)),
            )
            if found
        ]

    def tab_to(self, name: str) -> None:
        """Press Tab until what has that name has the focus."""
        seen = []
        for _ in range(80):
            tag, found = self.page.evaluate(FOCUSED)
            if found.startswith(name) and tag in ("input", "button", "a", "textarea"):
                return
            seen.append(found)
            self.page.keyboard.press("Tab")
        raise AssertionError(seen)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lesson") / "lesson.html"
    path.write_text(html_page(), encoding="utf-8")
    return path


@pytest.fixture
def reader(chromium: Any, file: Path) -> Iterator[Callable[..., Reader]]:
    """Function that opens the file; it asks for nothing but itself, and complains of nothing."""
    readers: list[Reader] = []

    def open_one(address: str = "", **options: Any) -> Reader:
        context = chromium.new_context(**{"viewport": SIZE, **options})
        context.set_default_timeout(WAIT * 1000)
        readers.append(Reader(context.new_page()))
        return readers[-1].open(address or file.as_uri())

    yield open_one
    for one in readers:
        one.page.context.close()
        one.assert_quiet(file)


def three(value: float) -> str:
    return f"{value:.3f}"


def expected(scene: str, at: dict[str, str]) -> dict[str, str]:  # noqa: PLR0911  # one a scene
    """What Python computes for the controls of a scene where they are, by the words' own names."""
    lists = two_lists()
    if scene == "alone":
        own = roc_n(lists, n=int(at["n"])).per_query
        return {"own_a": three(own[0]), "own_b": three(own[1])}
    if scene == "merge":
        seen = numbers.read_until(numbers.merged(lists), int(at["f"]))
        found = sum(seen.relevant_of) / 962
        return {"of_a": str(seen.of[0]), "of_b": str(seen.of[1]), "merged": three(found)}
    if scene == "scale":
        lists = two_lists(c=float(at["c"]))
        of_b = three(tap(lists, float(at["e0_b"])).per_query[1])
        return {"pooled": three(pooled_roc_n(lists, n=50)), "own_b": "0.195", "tap_b": of_b}
    if scene == "add":
        many = two_lists(copies=int(at["copies"]))
        own = three(roc_n(many, n=50).value)
        pooled = three(pooled_roc_n(many, n=int(at["errors"].replace(",", ""))))
        return {"pooled": pooled, "mean_own": own}
    if scene == "build":
        return {"tap_mean": three(tap(lists, float(at["e0"])).value)}
    if scene == "instead":
        return {"tap_mean": three(tap(lists, float(at["stop"])).value)}
    if scene == "errors":
        queries, errors = (int(at[name].replace(",", "")) for name in ("n_queries", "n_errors"))
        upper = ", the upper of the two" if queries == 2 and errors else ""
        return {"median": f"{errors if queries <= 2 else 0:,}{upper}"}
    return {}


def test_every_control_goes_to_both_ends_by_key_and_by_hand(reader: Any) -> None:
    one = reader(reduced_motion="reduce")
    for scene in (name for name, found in CONTROLS.items() if found and name != "winner"):
        one.skip_to(scene)
        one.skip()
        at = one.at()
        for name, texts in CONTROLS[scene].items():
            handle = one.range(name)
            for key, last in (("End", texts[-1]), ("Home", texts[0]), ("End", texts[-1])):
                handle.press(key)
                one.says(handle, last)
                at[name] = last

                def follow(scene: str = scene, at: dict[str, str] = at) -> None:
                    one.follows(scene, at)
                    assert "" not in one.page.locator("[data-slot]").all_text_contents()

                one.eventually(follow)
            # and by hand, beyond the end
            handle.scroll_into_view_if_needed()
            handle.hover()  # where it has come to rest
            box = handle.bounding_box()
            middle = box["y"] + box["height"] / 2
            share = int(handle.input_value()) / (len(texts) - 1)
            one.page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), middle)
            one.page.mouse.down()
            for x, last in ((box["x"] - 40, 0), (box["x"] + box["width"] + 40, len(texts) - 1)):
                one.page.mouse.move(x, middle, steps=7)
                value = handle.input_value
                one.eventually(lambda last=last, value=value: [last].index(int(value())))
            one.page.mouse.up()
            one.says(handle, texts[-1])
        assert one.page.locator("button.next").is_enabled()


def test_no_answer_is_in_the_page_before_it_is_asked_for(reader: Any) -> None:
    one = reader(reduced_motion="reduce")
    for scene in sorted(ANSWERS, key=SCENES.index):
        answers = ANSWERS[scene]
        one.skip_to(scene)
        assert [one.holds(words) for words in answers] == [[]] * len(answers), scene
        one.predict()
        assert [one.holds(words) for words in answers] == [[]] * len(answers), scene
        one.press("Reveal")
        one.eventually(lambda first=answers[0]: one.holds(first)[0])


def test_the_file_says_no_answer_in_its_source(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    assert len(source) < 1_200_000
    for words in (one for found in ANSWERS.values() for one in found if re.search("[a-z]", one)):
        assert words not in source


def test_the_whole_lesson_with_the_keyboard_alone(reader: Any) -> None:  # noqa: PLR0915  # it is long
    one = reader(reduced_motion="reduce")
    keys = one.page.keyboard

    def goes_on(by: str = "Next") -> None:
        here = one.scene
        presses(by, "Enter")
        following = SCENES[SCENES.index(here) + 1]
        one.eventually(lambda: [following].index(one.scene))
        one.eventually(lambda: ["h1"].index(one.page.evaluate(FOCUSED)[0]))

    def reveals(words: str) -> None:
        presses("Reveal", "Enter")
        one.eventually(lambda: one.page.evaluate("document.activeElement.innerText").index(words))
        assert "known" in one.page.evaluate("document.activeElement.className")

    def presses(name: str, key: str) -> None:
        one.tab_to(name)
        keys.press(key)

    def types(name: str, text: str) -> None:
        one.tab_to(name)
        keys.type(text)

    types("How many of 862", "20")
    reveals("You said 20.")
    presses("d1ps9a3", "Enter")
    one.page.get_by_text("1 of 862 out. Verdict of the pooled score: DIAMOND.").wait_for()
    presses("d1twfa_", "Enter")
    one.page.get_by_text("One is enough").wait_for()
    goes_on()
    presses("n, errors", "End")
    goes_on()
    types("Pooled ROC₅₀", "0.58")
    types("Why?", "the middle of both")
    reveals("You said 0.58. That is 0.48 away.")
    goes_on()
    presses("Play", "Enter")
    one.page.locator("[data-move=f][aria-valuetext='204']").wait_for()
    presses("A has too few", "ArrowDown")
    one.page.get_by_text("Yes. The merged list is read").wait_for()
    goes_on()
    types("Pooled ROC₅₀", "0.9")
    reveals("It is 0.004. You said 0.90.")
    presses("lists like A", "End")
    goes_on()
    presses("E₀, where a reader stops", "End")
    goes_on("For those who report scores")
    types("Pooled ROC₅₀", "0.1")
    reveals("That is 0.48 away.")
    presses("c", "End")
    goes_on()
    types("mean TAP outside", "5")
    types("pooled ROC₅₀ outside", "100")
    reveals("You said 5 (mean TAP outside, of 200 groups)")
    presses("E₀, threshold", "End")
    goes_on()
    types("mean errors", "1")
    types("median errors", "1")
    reveals("You said 1 (median errors per query).")
    goes_on()
    presses("only rises", "Space")
    reveals("You said only rises.")
    presses("E₀, threshold", "End")
    goes_on()
    types("Pooled ROC₅₀", "0.2")
    reveals("0.289")
    goes_on()
    types("What would you report?", "TAP-20 and its interval")
    reveals("One answer")
    one.page.locator("table.kept").wait_for()
    text = one.page.locator("table.kept").inner_text()
    assert re.search(r"Pooled ROC₅₀\s+0\.58 +the middle of both\s+0\.098", text)
    assert "You skipped" not in text
    given = decode(questions(), one.page.locator("code.code").inner_text())
    assert (given["lifted"], given["pooled"], given["shape"]) == (20, 0.58, "rises")
    assert (given["outside_tap"], given["outside_pooled"]) == (5, 100)
    assert None not in given.values()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_scene(reader: Any, scheme: str) -> None:
    one = reader(color_scheme=scheme, reduced_motion="reduce")
    for scene in SCENES:
        one.skip_to(scene)
        assert findings(one.page) == [], scene
        one.skip()
        assert findings(one.page) == [], scene


@pytest.mark.parametrize(
    ("width", "height"), [(390, 844), (900, 820), (1000, 800), (1280, 720), (320, 256)]
)
def test_each_scene_fits_the_screen(reader: Any, width: int, height: int) -> None:
    """None is wider, and the picture stays in sight in every step; 320 x 256 is 1280 at 400 %."""
    one = reader(viewport={"width": width, "height": height}, reduced_motion="reduce")
    stays, footer = one.page.locator(".stays"), one.page.locator("footer")
    wide = "document.documentElement.scrollWidth"
    over = "all => all.map((one) => one.scrollWidth - one.clientWidth)"

    def in_sight() -> None:
        box, foot = stays.bounding_box(), footer.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= (foot["y"] if width < 760 else height)

    for scene in SCENES:
        one.skip_to(scene)
        assert one.page.evaluate(wide) <= width, scene
        if width >= 760 and scene != SCENES[-1]:
            one.eventually(in_sight)
        one.skip()
        assert one.page.evaluate(wide) <= width, scene
        if width == 390:
            tables = one.page.locator(".wide").evaluate_all(over)
            assert max(tables, default=0) == 0
            assert tables or scene not in ("instead", "build", "loose", "end")
        if width == 320 or scene == SCENES[-1]:
            continue
        for element in (".act .known", ".act .control input", ".act .done", ".act .check"):
            for part in one.page.locator(element).all():
                part.focus()
                part.scroll_into_view_if_needed()
                one.eventually(in_sight)
        one.page.evaluate("scrollTo(0, document.body.scrollHeight)")
        one.eventually(in_sight)


def test_picture_and_answer_are_seen_together_when_enlarged(reader: Any) -> None:
    """1280 x 720 at 200 %."""
    one = reader(viewport={"width": 640, "height": 360}, reduced_motion="reduce")
    for scene in ("predict", "add", "scale"):
        one.skip_to(scene)
        one.skip()
        one.page.locator(".known").scroll_into_view_if_needed()
        for seen in (".known", ".scale", ".lanes canvas"):
            expect(one.page.locator(seen)).to_be_in_viewport(ratio=0.6)


def test_words_grow_with_the_letters_of_the_browser(reader: Any) -> None:
    one = reader()
    sizes = ["h1", ".lesson .words p", "button.next", "figcaption"]
    of = "parseFloat(getComputedStyle(document.querySelector(one)).fontSize)"
    size = f"(all) => all.map((one) => {of})"
    before = one.page.evaluate(size, sizes)
    one.page.add_style_tag(content=":root { font-size: 200%; }")
    assert one.page.evaluate(size, sizes) == [2 * one for one in before]


def test_one_sentence_is_heard_of_a_move(reader: Any) -> None:
    one = reader(reduced_motion="reduce").skip_to("merge")
    one.page.evaluate("""() => {
        window.heard = []
        const live = "[aria-live]:not([aria-live=off]), [role=status], output:not([aria-live=off])"
        new MutationObserver((all) => {
            for (const { target } of all) {
                const one = target.nodeType === 1 ? target : target.parentElement
                const words = one?.closest(live)?.textContent
                if (words) heard.push(words)
            }
        }).observe(document.querySelector(".lesson"), {
            childList: true, characterData: true, subtree: true,
        })
    }""")
    one.page.clock.install()  # which stands still: keys are slow on a busy machine
    one.page.clock.pause_at(one.page.evaluate("Date.now()") + 1000)
    for _ in range(20):
        one.range("f").press("ArrowRight")
    assert not one.page.evaluate("heard")
    one.page.clock.run_for(900)
    heard = one.page.evaluate("heard")
    assert heard[-1] == "Before error 21: merged 0.098, B by itself 0.195."
    assert len(set(heard)) == 1
    one.page.clock.resume()
    one.skip_to("add")
    expect(one.page.locator(".said")).to_have_text("")  # nothing of the scene before


def test_paper_has_all_scenes_and_no_answer_that_is_not_known(reader: Any) -> None:
    one = reader(reduced_motion="reduce").skip_to("predict")
    one.page.emulate_media(media="print")
    one.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    paper = one.page.locator(".paper")
    assert paper.locator("section").count() == len(SCENES)
    assert not one.page.locator("main").is_visible()
    for words in ("0.098", "lower than both", "0.004", "One answer"):
        assert words not in paper.inner_text()
    one.page.emulate_media(media="screen")
    one.page.get_by_role("spinbutton").fill("0.58")
    one.page.get_by_role("spinbutton").press("Enter")

    def told() -> None:  # when the merge has run out
        one.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert "You said 0.58. That is 0.48 away." in paper.text_content()

    eventually(one.page, told)
    assert "0.004" not in paper.text_content()


@pytest.mark.parametrize("width", [390, 320])
def test_a_phone_has_the_way_to_the_explorer(chromium: Any, tmp_path: Path, width: int) -> None:
    path = tmp_path / "lesson.html"
    path.write_text(html_page("https://example.org/explore"), encoding="utf-8")
    with opened(chromium, path, viewport={"width": width, "height": 844}) as page:
        way = page.get_by_role("link", name="Open the explorer")
        expect(way).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_call_says_what_is_left_to_do(reader: Any) -> None:
    one = reader(reduced_motion="reduce").skip_to("merge")
    call = one.page.locator(".call")
    expect(call).to_have_text(re.compile("^Press Play, or move f"))
    one.skip()
    for option, said in (
        ("A’s list has", "Answer the question above, or press Next."),
        ("B’s first 50", "Press Next."),
    ):
        expect(call).to_have_text("Answer the question above, or press Next.")
        one.page.get_by_label(option).check()
        expect(call).to_have_text(said)
    one.skip_to("instead")
    expect(call).to_have_text("Move E₀.")
    one.range("stop").press("End")
    expect(call).to_have_text("Save your answers, or give your teacher the code.")


def test_a_comma_is_a_decimal_point(reader: Any) -> None:
    one = reader().skip_to("predict")
    field = one.page.get_by_role("spinbutton")
    field.press_sequentially("0,58")
    expect(field).to_have_value("0.58")
    field.press("Enter")
    one.page.get_by_text("That is 0.48 away.").wait_for()


def test_the_next_student_in_the_same_browser_is_asked(reader: Any) -> None:
    one = reader(reduced_motion="reduce").skip_to("predict")
    asked = one.page.get_by_text("predictions of an earlier visit")
    assert not asked.is_visible()
    one.page.reload()
    asked.wait_for()
    assert findings(one.page) == []
    one.press("These are mine")
    assert not asked.is_visible()
    one.page.reload()
    part = one.page.locator(".earlier")
    part.get_by_role("button", name="Start again").click()
    part.get_by_role("button", name="Forget my predictions?").click()
    one.comes_to("winner")
    assert not asked.is_visible()


def test_pooling_follows_the_lists_and_the_errors_that_it_reads(reader: Any) -> None:
    one = reader(reduced_motion="reduce").skip_to("add")
    one.skip()
    words = one.page.locator("figure .inwords").last
    one.eventually(lambda: words.inner_text().index("Average 0.955, mean TAP 0.962, pooled 0.004"))
    curve = one.page.locator('[data-layer="curve pooled"] path').first
    before = curve.get_attribute("d")
    one.press("2,500")
    one.eventually(lambda: words.inner_text().index("n = 2,500"))
    one.eventually(lambda: words.inner_text().index("pooled 0.860"))
    one.eventually(lambda: [True].index(curve.get_attribute("d") != before))


def test_dots_are_lifted_out_and_put_back_and_the_verdict_changes_hands(reader: Any) -> None:
    one = reader(reduced_motion="reduce")
    dots, scale = one.page.locator("button.query"), one.page.locator(".opening .scale").first
    assert dots.count() == 12
    assert dots.first.is_disabled()
    one.page.get_by_role("spinbutton").fill("20")
    one.press("Reveal")
    found = numbers.opening()
    names = found.query[found.largest].tolist()
    out = 0

    def follows() -> None:
        first, second = (three(value) for value in found.pooled[out])
        label = f"Pooled ROC₅₀ of the dots that are left: MMseqs2 {first}; DIAMOND {second}"
        assert scale.get_attribute("aria-label") == label
        winner = "MMseqs2" if found.pooled[out, 0] > found.pooled[out, 1] else "DIAMOND"
        told = one.page.locator(".opening [role=status]").inner_text()
        assert told == f"{out.bit_count()} of 862 out. Verdict of the pooled score: {winner}."

    one.eventually(follows)
    for name in (*names, *names[:10], "d1twfa_", "d1twfa_"):
        dots.nth(names.index(name)).click()
        out ^= 1 << names.index(name)
        one.eventually(follows)
    means = one.page.locator(".opening .scale.still").get_attribute("aria-label")
    assert means.endswith("all queries: MMseqs2 0.429; DIAMOND 0.381")
    one.page.locator(".crowd canvas").click(position={"x": 4, "y": 4})
    said = one.page.locator(".opening [role=status]").inner_text()
    name = re.search(r"Without (\S+) alone", said)[1]
    first, second = (three(value) for value in found.without[found.query == name][0])
    assert said.endswith(f"alone: MMseqs2 {first}, DIAMOND {second}.")


def test_each_scene_has_an_address_and_back_and_forward_work(reader: Any, file: Path) -> None:
    one = reader(f"{file.as_uri()}#add")
    assert (one.scene, one.holds("0.004")) == ("add", [])
    one.press("Back")
    one.comes_to("merge")
    assert one.page.url.endswith("#merge")
    one.page.go_back()
    one.comes_to("add")
    one.page.go_forward()
    one.comes_to("merge")


def test_starting_again_is_in_every_scene_and_forgets_all(reader: Any) -> None:
    one = reader(reduced_motion="reduce").skip_to("predict")
    one.page.get_by_role("spinbutton").fill("0.58")
    for _ in SCENES[2:]:
        assert one.button("Start again").is_visible()
        if one.page.locator("button.help").is_enabled():
            one.skip()
        if one.page.locator("button.next").is_visible():
            one.page.locator("button.next").click()
    one.start_again()
    one.comes_to("winner")
    one.page.reload()
    one.comes_to("winner")
    assert one.page.get_by_role("spinbutton").input_value() == ""
    assert one.page.locator("nav button:enabled").count() == 1


def test_what_was_kept_and_is_hurt_or_old_begins_anew(reader: Any) -> None:
    one = reader(reduced_motion="reduce")
    change = """([hurt, key = "tapviz-lesson"]) => {
        const before = JSON.parse(localStorage.getItem(key))
        localStorage.setItem(key, hurt.length ? hurt : JSON.stringify({...before, ...hurt}))
        history.replaceState(null, "", location.pathname)
    }"""
    for hurt in (
        "{",
        "null",
        '{"scenes": 12, "place": 3}',
        {"place": 99},
        {"answers": None},
        {"at": {"n": 10**6}},
        {"answers": {"pooled": "high"}},
        {"made": "of another lesson"},
    ):
        one.skip_to("alone")
        one.page.evaluate(change, [hurt])
        one.page.reload()
        one.comes_to("winner")
        assert one.page.locator("nav button:enabled").count() == 1, hurt


def test_a_reload_keeps_what_was_done(reader: Any) -> None:
    one = reader().skip_to("predict")
    one.page.get_by_role("spinbutton").fill("0.58")
    one.page.reload()
    one.comes_to("predict")
    assert one.page.get_by_role("spinbutton").input_value() == "0.58"
    assert one.holds("0.098") == []
    one.press("Reveal")
    one.page.get_by_text("That is 0.48 away.").wait_for()
    one.page.reload()
    one.page.get_by_text("That is 0.48 away.").wait_for()
    one.press("Back")
    one.comes_to("alone")
    assert one.range("n").get_attribute("aria-valuetext") == "300"


def test_play_moves_by_itself_and_can_be_stopped(reader: Any) -> None:
    one = reader().skip_to("merge")
    handle, clock = one.range("f"), stopped_clock(one)
    one.press("Play")
    seen = []
    for _ in range(5):
        clock.run_for(200)
        seen.append(int(handle.input_value()))
    assert seen == sorted(set(seen))
    one.press("Pause")
    clock.run_for(100)
    one.button("Play").wait_for()
    stopped = handle.input_value()
    clock.run_for(5000)
    assert handle.input_value() == stopped
    assert one.button("Next").is_disabled()
    one.press("Play")
    clock.run_for(10_000)
    one.page.get_by_text("the merged curve has reached B’s").wait_for()


def stopped_clock(one: Reader) -> Any:
    """A clock that goes on as the test says."""
    one.page.clock.install()
    one.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    return one.page.clock


def seats(one: Reader) -> str:
    """What a screen reader hears of the seats."""
    label = one.page.locator(".lanes canvas").get_attribute("aria-label")
    return re.search(r"[\d,]+ seats for errors; taken by A [\d,]+, by B [\d,]+", label)[0]


def test_the_answer_comes_after_the_last_seat_is_taken(reader: Any) -> None:
    one = reader().skip_to("predict")
    clock = stopped_clock(one)
    assert seats(one) == "50 seats for errors; taken by A 0, by B 0"
    one.page.get_by_role("spinbutton").fill("0.58")
    clock.run_for(100)
    one.press("Reveal")
    taken = [0]
    while taken[-1] < 49:
        clock.run_for(200)
        taken.append(int(seats(one).split()[-1]))
        if taken[-1] < 50:
            assert one.holds("0.098") == one.holds("lower than both") == []
            assert one.page.get_by_role("spinbutton").is_disabled()
    assert taken == sorted(taken)
    assert len(set(taken)) > 5
    clock.run_for(400)
    one.page.get_by_text("That is 0.48 away.").wait_for()
    assert seats(one) == "50 seats for errors; taken by A 0, by B 50"


@pytest.mark.parametrize(("scene", "answer"), [("add", "0.004"), ("scale", "0.583")])
def test_lists_come_and_move_before_the_answer_does(reader: Any, scene: str, answer: str) -> None:
    one = reader().skip_to(scene)
    clock = stopped_clock(one)
    one.page.get_by_role("spinbutton").fill("0.5")
    clock.run_for(100)
    one.press("Reveal")
    label, shown = one.page.locator(".lanes canvas"), set()
    for _ in range(8):
        clock.run_for(250)
        shown.add(label.get_attribute("aria-label") + label.screenshot().hex())
        assert one.holds(answer) == []
    assert len(shown) > 4
    clock.run_for(1000)
    one.page.locator(".known").get_by_text(f"It is {answer}").wait_for()


def test_who_leaves_before_the_answer_comes_is_asked_again(reader: Any) -> None:
    one = reader().skip_to("predict")
    clock = stopped_clock(one)
    one.page.get_by_role("spinbutton").fill("0.58")
    clock.run_for(100)
    one.press("Reveal")
    clock.run_for(500)
    one.press("Back")
    clock.run_for(5000)
    one.press("Next")
    clock.run_for(100)
    assert one.holds("0.098") == []
    assert one.button("Reveal").is_enabled()


def drag(one: Reader, element: Locator, begin: tuple[float, float], end: float) -> None:
    """Drag sideways with the mouse, from a place in an element, in shares of it and pixels."""
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    mouse, y = one.page.mouse, box["y"] + begin[1]
    mouse.move(box["x"] + begin[0] * box["width"], y)
    cursor = "one => getComputedStyle(one).cursor"
    assert element.evaluate(cursor) == "ew-resize"
    mouse.down()
    mouse.move(box["x"] + end * box["width"], y, steps=5)
    mouse.up()


def share(exponent: float) -> float:
    """Where an E-value of the two lists stands, from 0 to 1."""
    return (exponent + 182) / (1 + 3 + 182)


def test_a_drag_before_the_prediction_reads_one_list_alone(reader: Any) -> None:
    one = reader(reduced_motion="reduce").skip_to("predict")
    queues = one.page.locator(".lanes canvas")
    before = queues.get_attribute("aria-label")
    drag(one, queues, (share(-100), 100), share(-60))
    told = queues.get_attribute("aria-label")
    assert told != before
    assert "taken by A 0, by B 0" in told
    assert one.holds("0.098") == []


def test_each_picture_moves_what_is_dragged(reader: Any) -> None:
    one = reader(reduced_motion="reduce").skip_to("alone")
    queues, chart = one.page.locator(".lanes canvas"), one.page.locator(".chart svg")

    def comes_to(control: str, low: float, high: float) -> None:
        def there() -> None:
            text = one.range(control).get_attribute("aria-valuetext")
            assert low <= float(text.replace(",", "")) <= high
            one.follows(one.scene, one.at())

        one.eventually(there)

    drag(one, queues, (share(-160), 100), share(-45))  # list B: 280 errors, then some
    comes_to("n", 300, 320)
    drag(one, chart, (0.2, 50), 0.4)
    comes_to("n", 150, 300)
    one.skip_to("predict")
    drag(one, one.page.locator(".scale"), (0.2, 41), 0.7)
    one.eventually(lambda: ["0.70"].index(one.page.get_by_role("spinbutton").input_value()))
    one.press("Reveal")
    drag(one, queues, (share(-140), 100), share(-152))
    assert 20 <= int(seats(one).split()[-1]) <= 30
    one.skip_to("merge")
    drag(one, queues, (share(-160), 100), share(-125))
    comes_to("f", 195, 205)
    one.skip_to("add")
    one.skip()
    one.eventually(lambda: seats(one).index("50 seats for errors; taken by A 0, by B 50"))
    drag(one, queues, (0.0, 90), 0.2)
    comes_to("copies", 5, 12)
    drag(one, queues, (0.0, 30), 0.999)
    comes_to("errors", 5000, 5000)
    drag(one, chart, (0.2, 50), 0.4)
    comes_to("copies", 25, 55)
    one.skip_to("instead")
    drag(one, queues, (share(-100), 60), share(-50))
    comes_to("stop", 1e-52, 1e-48)
    one.skip_to("scale")
    one.skip()
    one.press("1.00")
    drag(one, queues, (share(-150), 150), share(-75))
    comes_to("c", 0.49, 0.51)
    assert "by B 50" in seats(one)
    drag(one, queues, (share(-75), 70), share(-20))  # list A stays; E0 follows
    comes_to("e0_b", 1e-21, 1e-19)
    one.skip_to("errors")
    one.skip()
    drag(one, one.page.locator("figure:has(> .dots)"), (0.9, 8), 0.34)
    comes_to("n_queries", 100, 100)


PICTURES = ".scale, .lanes canvas, .lens, .chart svg, .dots, .crowd"
LOOK = """() => [
    document.querySelector(".lesson").innerHTML,
    ...[...document.querySelectorAll("canvas")].map((one) => one.toDataURL()),
    ...[...document.querySelectorAll("input")].map((one) => one.value),
].join().replace(/ ?cursor: [a-z-]+;?/g, "")"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_every_drag_on_every_picture_does_something(reader: Any, width: int, height: int) -> None:
    one = reader(viewport={"width": width, "height": height}, reduced_motion="reduce")
    mouse, dragged = one.page.mouse, set()

    def look() -> str:
        one.page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))")
        return str(one.page.evaluate(LOOK))

    def follows(picture: Locator) -> bool:
        picture.scroll_into_view_if_needed()
        box = picture.bounding_box()
        y = box["y"] + box["height"] * 0.6
        mouse.move(box["x"] + 0.4 * box["width"], y)
        mouse.down()
        looks = {look()}
        for x in (0.15, 0.85):
            mouse.move(box["x"] + x * box["width"], y, steps=3)
            looks.add(look())
        mouse.up()
        return len(looks) > 1

    for scene in SCENES:
        one.skip_to(scene)
        for known in (False, True):
            if known and one.page.locator("button.help").is_enabled():
                one.skip()
            pictures = one.page.locator(PICTURES)
            for i in range(pictures.count()):
                if pictures.nth(i).is_visible():
                    kind = pictures.nth(i).evaluate("one => one.classList[0] ?? one.localName")
                    dragged.add((scene, known, i, kind, follows(pictures.nth(i))))
        assert one.scene == scene
    assert [one for one in sorted(dragged) if not one[-1]] == []
    assert len(dragged) > 40
    assert {kind for *_, kind, _ in dragged} >= {"scale", "svg", "lens", "dots", "crowd"}


def test_a_finger_drags_sideways_and_scrolls_up_and_down(reader: Any) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    one = reader(**phone, reduced_motion="reduce").skip_to("merge")
    queues = one.page.locator(".lanes canvas")
    session = one.page.context.new_cdp_session(one.page)

    def swipe(*places: tuple[float, float]) -> None:
        box = queues.bounding_box()
        points = [{"x": box["x"] + x * box["width"], "y": box["y"] + y} for x, y in places]
        for kind, touch in zip(("Start", *["Move"] * (len(points) - 1)), points, strict=True):
            session.send(
                "Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [touch]}
            )
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(*((share(at), 60) for at in (-170, -160, -150, -140, -125)))
    one.eventually(lambda: [True].index(190 <= int(one.range("f").input_value()) <= 210))
    before = one.range("f").input_value()
    swipe(*((0.8, 60 - 25 * i) for i in range(8)))
    one.eventually(lambda: [True].index(one.page.evaluate("scrollY") > 50))
    assert one.range("f").input_value() == before


def test_the_theme_follows_the_system_and_can_be_switched(reader: Any) -> None:
    one = reader(color_scheme="dark")
    ground = "getComputedStyle(document.querySelector('.lesson')).backgroundColor"
    dark = one.page.evaluate(ground)
    one.press("Dark theme")
    one.eventually(lambda: ["rgb(255, 255, 255)"].index(one.page.evaluate(ground)))
    one.press("Dark theme")
    one.eventually(lambda: [dark].index(one.page.evaluate(ground)))
    assert dark != "rgb(255, 255, 255)"


def test_the_saved_page_holds_the_predictions_and_is_read_by_that_of_the_class(
    reader: Any, chromium: Any, tmp_path: Path
) -> None:
    one = reader(reduced_motion="reduce").skip_to("predict")
    one.page.get_by_role("spinbutton").fill("0.58")
    one.press("Reveal")
    one.skip_to("end")
    one.predict()
    one.press("Reveal")
    with one.page.expect_download() as download:
        one.press("Save my answers")
    saved = tmp_path / "ada.html"
    download.value.save_as(saved)
    (tmp_path / "class.html").write_text(class_page(), encoding="utf-8")
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.goto(saved.as_uri())
    told = page.locator("body").inner_text()
    assert "TAP-20 <b>& its interval</b>" in told
    assert re.search(r"Pooled ROC₅₀\s+0\.58\s+0\.098", told)
    page.goto((tmp_path / "class.html").as_uri())
    page.get_by_label("Choose files").set_input_files(saved)
    page.get_by_text("1 student counted.").wait_for()
    question = page.locator('[data-question="pooled"]')
    question.get_by_role("button", name="Reveal").click()
    pooled = question.inner_text()
    context.close()
    assert "1 prediction, 0 skipped; median 0.58. Answer: 0.098." in pooled


def test_a_card_says_the_furthest_prediction_and_its_answer(reader: Any, tmp_path: Path) -> None:
    one = reader(reduced_motion="reduce").skip_to("instead")
    assert not one.button("Save a card to share").is_visible()  # all was skipped
    one.start_again()
    for scene, said in (("predict", "0.58"), ("add", "0.95")):
        one.skip_to(scene)
        one.page.get_by_role("spinbutton").fill(said)
        one.press("Reveal")
    one.skip_to("instead")
    one.page.evaluate("""() => {
        const write = CanvasRenderingContext2D.prototype.fillText
        window.written = []
        CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
            written.push(text)
            return write.call(this, text, ...more)
        }
    }""")
    with one.page.expect_download() as download:
        one.press("Save a card to share")
    assert download.value.suggested_filename == "my-prediction.png"
    saved = tmp_path / "card.png"
    download.value.save_as(saved)
    assert saved.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", saved.read_bytes()[16:24])
    assert (width, height) == (1200, 630)
    written = one.page.evaluate("written")
    assert {"Pooled ROC₅₀ with 49 good lists", "You said 0.95.", "It is 0.004."} <= set(written)


def test_the_opening_with_a_readers_own_programs(chromium: Any, tmp_path: Path) -> None:
    both = [n for n in load_results() if n in ("SSEARCH", "jackhmmer")]
    results = {f"<i>{name}</i>": load_results()[name] for name in both}
    path = tmp_path / "own.html"
    path.write_text(own_page(results), encoding="utf-8")
    best, other = results["<i>jackhmmer</i>"], results["<i>SSEARCH</i>"]
    with opened(chromium, path, reduced_motion="reduce") as page:
        told = page.locator("main").inner_text()
        assert "The average of the separate ROC₅₀ says <i>jackhmmer</i>." in told
        assert findings(page) == []
        scale, dots = page.locator(".opening .scale").first, page.locator("button.query")
        out = []
        for i in (0, 3):
            dots.nth(i).click()
            out.append(dots.nth(i).get_attribute("title"))
            stays = ~np.isin(best.query, out)
            pooled = [three(pooled_roc_n(lists.subset(stays), n=50)) for lists in (best, other)]
            said = f"<i>jackhmmer</i> {pooled[0]}; <i>SSEARCH</i> {pooled[1]}"
            eventually(page, lambda said=said: scale.get_attribute("aria-label").index(said))


def test_served_the_lesson_asks_the_server_nothing(chromium: Any, server: Server) -> None:
    context = chromium.new_context(viewport=SIZE, reduced_motion="reduce")
    context.set_default_timeout(WAIT * 1000)
    one = Reader(context.new_page())
    sent: list[Any] = []
    one.page.on(
        "websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame)))
    )
    one.open(f"{server.url}/lesson")
    one.page.wait_for_function("window.Bokeh?.documents[0]?.is_idle")

    def silent() -> tuple[int, int]:
        begun = len(sent), len(one.asked)
        one.page.wait_for_timeout(2000)
        assert (len(sent), len(one.asked)) == begun
        return begun

    begun = one.eventually(silent)
    one.skip_to("scale")
    one.page.get_by_role("spinbutton").fill("0.5")
    one.press("Reveal")
    for key in ("End", "Home", "ArrowRight"):
        one.range("c").press(key)
    one.page.wait_for_timeout(500)
    assert (len(sent), len(one.asked)) == begun
    context.close()
    assert server.new_complaints() == []


def test_the_lesson_and_the_explorer_lead_to_each_other(shared: Any, server: Server) -> None:
    page = shared.new_page()
    page.set_default_timeout(WAIT * 1000)
    page.goto(f"{server.url}/explore?view=pooled&focus_algorithm=jackhmmer")
    page.locator("table.scores").wait_for()
    page.get_by_role("link", name=re.compile("^Learn")).click(no_wait_after=True)
    page.locator("main[data-scene]").wait_for()
    Reader(page).skip_to("predict").skip()
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Open this in the explorer").click()
    popup.value.set_default_timeout(WAIT * 1000)
    scores = popup.value.locator("table.scores")
    scores.get_by_text("A and B rescaled").wait_for()
    told = scores.inner_text()
    popup.value.close()
    page.close()
    assert "0.098" in told
    assert server.new_complaints() == []
