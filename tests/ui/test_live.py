"""How it feels: drags, hover, zoom, several sessions, the address and a lost connection."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, expect

from tapviz import load_results
from tapviz.explorer.session import fingerprint
from tests.ui.conftest import Kept
from tests.ui.expected import FIVE, axis, bench, by_errors, cells
from tests.ui.page import CLEAR, CLOSE_FIGURE, E0, FIGURE, FIGURES, ROC_N, SHARE, K, N, Page


def at_k(page: Page, k: int) -> None:
    def check() -> None:
        assert page.heads()[1:3] == [f"TAP-{k}", f"E{k}"]
        for name, row in page.table().items():
            assert row == cells(bench()[name], by_errors(bench()[name], k)), name

    page.eventually(check)


def test_fast_drag_ends_at_the_last_value(page: Page) -> None:
    with page.server.holding():  # intervals would change the table once more
        drag_and_look(page)


def drag_and_look(page: Page) -> None:
    """Drag k, and compare what the hand said with what the page was sent."""
    page.script(
        """(() => {
            window.values = []
            window.model = tapviz.slider(args[0])
            window.listener = () => values.push(model.value)
            model.properties.value.change.connect(listener)
        })()""",
        K,
    )
    page.drag(K, 40, steps=60)
    at_release = len(page.pushes)
    # Where the hand let go; the box may still be on its way there.
    k = page.script("values")[-1]
    assert k > 35
    at_k(page, k)
    page.at_rest()
    page.script("model.properties.value.change.disconnect(listener)")
    sent = page.script("values")
    shown = [frame for frame in page.pushes if "table class" in frame]
    assert sent[-1] == k
    assert len(shown) <= len(sent)
    # Nothing queued up behind the hand: what was overtaken is never shown.
    late = [frame for frame in page.pushes[at_release:] if "table class" in frame]
    assert len(late) <= 4
    page.shows(lambda: page.box(K).input_value(), str(k))
    marked = page.layer("tap", "threshold")["x"]
    expected = [by_errors(bench()[name], k).e0 for name in FIVE]
    assert marked == pytest.approx(axis().position(expected))


def test_a_change_of_k_sends_no_curves_and_no_roc(page: Page) -> None:
    page.tab(ROC_N)
    page.settled()
    page.pushes.clear()
    page.type(K, "7")
    at_k(page, 7)
    page.at_rest(1)  # what the page has shown by itself comes then
    events = [event for frame in page.pushes for event in json.loads(frame)["events"]]
    changed = {event["model"]["id"] for event in events if "model" in event}
    roc = page.script("tapviz.figure('roc').renderers.map(renderer => renderer.data_source.id)")
    curves = page.script(
        "tapviz.figure('tap').renderers.map(renderer => renderer.data_source)"
        ".filter(source => source.data.layer?.some(name => name.startsWith('curve')))"
        ".map(source => source.id)"
    )
    assert curves
    assert len(changed) > 3
    assert not changed & {*roc, *curves}


def test_one_read_out_names_all_algorithms(page: Page) -> None:
    def check() -> None:
        (tip,) = page.tips()
        for name in FIVE:
            known = f"{name} TAP ", f"{name} not measured beyond "
            assert sum(map(tip.count, known)) == 1, tip
        assert tip.count("E₀ = ") + tip.count("E = 0") == 1

    for share in np.linspace(0.12, 0.72, 6).round(2).tolist():
        page.answers("tap", share, check)


WRITTEN = """
window.written = []
const watch = (root) => {
    for (const element of root.querySelectorAll("*")) {
        if (element.localName === "style") new MutationObserver((changes) => {
            const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
            written.push(...added.map(({ data }) => data))
        }).observe(element, { childList: true })
        if (element.shadowRoot) watch(element.shadowRoot)
    }
}
watch(document)
"""


def test_a_change_writes_no_style(page: Page) -> None:
    """For each, the browser would go through the styles of the page."""
    page.script(f"(() => {{ {WRITTEN} }})()")
    before = page.table()
    page.drag(K, 20, steps=5)
    page.shows(lambda: page.table() != before)
    assert page.script("written") == []


FRAMES = """(async () => {
    const asked = [], usual = requestAnimationFrame
    globalThis.requestAnimationFrame = (act) => { asked.push(String(act)); return usual(act) }
    await new Promise((done) => setTimeout(done, 500))
    globalThis.requestAnimationFrame = usual
    return asked
})()"""


def test_a_page_at_rest_asks_for_no_frames(page: Page) -> None:
    """What takes dropped files would, from when its script is there."""
    page.shows(lambda: page.script(FRAMES), [])


def test_the_other_figures_answer_too(page: Page) -> None:
    said = {"precision_recall": "recall 0.", "epq": "E₀ = ", "roc": "found before error"}
    for figure, words in said.items():

        def check(words: str = words) -> None:
            (tip,) = page.tips()
            assert tip.count(words) == 1

        if figure == "roc":
            page.tab(ROC_N)
            page.settled()
        page.answers(figure, 0.4, check)


def test_read_out_agrees_with_the_table(page: Page) -> None:
    drawn = page.layer("tap", "readout")
    assert len(drawn["x"]) == len(drawn["text"])
    assert drawn["text"][0].startswith("E = 0 as reported (below the program's smallest)")
    assert all(text.count("<br>") == len(FIVE) for text in drawn["text"])
    last = f"TAP {by_errors(bench()['BLASTP'], 20).tap:.2f}"
    assert last[:7] in "".join(drawn["text"])


def test_zoom_survives_a_change_and_reset_ends_it(open_page) -> None:
    page = open_page().settled()
    full = page.range("tap")
    page.sweep("tap", (0.5, 0.3), (0.75, 0.7))
    page.shows(lambda: page.range("tap") != full)
    page.at_rest()
    zoomed = page.range("tap")
    assert zoomed[0] > full[0]
    assert zoomed[1] < full[1]
    assert page.range("epq")[:2] == zoomed[:2]  # one axis of thresholds for both
    page.drag(K, 20, steps=5)
    page.shows(lambda: page.heads()[1] != "TAP-20")
    page.at_rest()
    page.type(K, "30")
    at_k(page, 30)
    assert page.range("tap") == zoomed
    page.query_text.fill("d1")
    page.shows(lambda: "862 of 862" in page.header(), False)
    assert page.range("tap") == zoomed
    page.press(CLEAR)
    page.shows(lambda: "862 of 862" in page.header())
    page.point("tap", 0.5)
    page.browsed.locator(".bk-tool-icon-reset").filter(visible=True).first.click()
    page.shows(lambda: page.range("tap"), pytest.approx(full))


def test_axes_stay_put_when_the_threshold_moves(page: Page) -> None:
    page.settled()
    before = [page.range(figure) for figure in FIGURES]
    places = [page.frame(figure) for figure in FIGURES]
    with page.server.holding():  # a verdict of other words may need another line
        page.type(K, "3")
        at_k(page, 3)
        page.type(N, "500")
        page.shows(lambda: "ROC500" in "".join(page.heads()))
        page.at_rest()
        assert [page.range(figure) for figure in FIGURES] == before
        assert [page.frame(figure) for figure in FIGURES] == places


def test_two_sessions_share_nothing(open_page, page: Page) -> None:
    other = open_page(another=True)
    other.type(K, "5")
    other.tick("SSEARCH")
    other.query_text.fill("d1")
    other.shows(lambda: other.heads()[1], "TAP-5")
    other.shows(lambda: "SSEARCH" in other.table(), False)
    other.at_rest()
    page.at_rest()
    assert page.table() == {n: cells(bench()[n], by_errors(bench()[n], 20)) for n in FIVE}
    assert "862 of 862" in page.header()
    assert page.box(K).input_value() == "20"


# --- the address ------------------------------------------------------------------------------


def test_address_holds_every_setting_from_the_first_moment(open_page) -> None:
    page = open_page()
    address = (
        "dataset=scope40&mode=k&k=20&e0=0.01&quantile=0.5&n=50&focus_algorithm=BLASTP&baseline="
        "&opponent=&compared_score=tap&cost=seconds&groups=3&fixed_threshold=False"
        "&peak_interval=False&table_scores=&accepted_errors=0.1&accepted_statistic=mean"
        "&accepted_quantile=0.9&coverage_of=pooled&precision_of=mean&view=precision_recall&links="
        "&query_text=&query_class=&min_relevant=0&max_relevant=&boxes=&ranges=&weights=none"
        "&reported_to=&queries_by=&queries_order=&queries_find=&queries_better=&focus="
    )
    varying = {"algorithms": FIVE, "data": [fingerprint(load_results())]}
    page.shows(page.settings, parse_qs(address, keep_blank_values=True) | varying)


def test_opened_address_shows_the_same(page: Page, open_page) -> None:
    page.type(K, "7")
    page.type(N, "120")
    page.tick("DIAMOND")
    page.query_text.fill("^d[12]")
    page.more()
    page.enter("T(q) at least", "5")
    page.look_at("PSI-BLAST")

    def check() -> None:
        said = page.settings()
        assert (said["k"], said["n"], said["query_text"]) == (["7"], ["120"], ["^d[12]"])
        assert (said["min_relevant"], said["focus_algorithm"]) == (["5"], ["PSI-BLAST"])
        assert "DIAMOND" in said["algorithms"]

    page.eventually(check)
    assert len(page.browsed.url) < 2000
    other = open_page("?" + page.browsed.url.split("?")[1])

    def same() -> None:
        assert (other.table(), other.header()) == (page.table(), page.header())
        assert (other.box(K).input_value(), other.box(N).input_value()) == ("7", "120")
        assert other.query_text.input_value() == "^d[12]"
        for figure in FIGURES:
            assert other.layers(figure) == page.layers(figure)
        assert other.settings() == page.settings()

    other.eventually(same)


def test_address_with_an_e_value(open_page) -> None:
    page = open_page("?mode=e0&e0=8.1")
    assert page.heads()[1] == "TAP at 8.1"
    page.shows(lambda: page.box(E0).input_value(), "8.1")


@pytest.mark.parametrize(
    ("address", "unusable", "heads"),
    [
        ("n=33", {"k": "abc", "quantile": "7", "algorithms": "nobody"}, ("TAP-20", "ROC33")),
        ("mode=e0", {"e0": "nan", "quantile": "nan", "dataset": "nothing"}, ("TAP at 0.01",)),
        ("mode=e0", {"e0": "inf", "view": "nope"}, ("TAP at 0.01", "ROC50")),
        ("mode=e0", {"e0": "-1"}, ("TAP at 0.01", "ROC50")),
    ],
)
def test_values_of_the_address_that_cannot_be_used_are_said(
    open_page, address: str, unusable: dict[str, str], heads: tuple[str, ...]
) -> None:
    page = open_page(f"?{address}&{urlencode(unusable)}")
    for name, value in unusable.items():
        said = f"{name} = {value!r} in the address cannot be used here"
        page.eventually(lambda said=said: page.words().index(said))
    assert page.heads()[1] == heads[0]
    assert {*heads} <= {*page.heads()}
    assert sorted(page.table()) == sorted(FIVE)


def test_lost_connection_is_said(shared: BrowserContext, serve: Callable[[], Kept]) -> None:
    server = serve().server
    with server.holding():
        page = Page(shared.new_page(), server).open()
        working = page.browsed.locator(".verdict[aria-busy=true], .status progress")
        page.shows(lambda: working.filter(visible=True).count(), 2)
        server.stop()
    bar = page.browsed.get_by_role("alert")
    bar.wait_for()
    page.shows(lambda: working.filter(visible=True).count(), 0)
    expect(bar).to_contain_text("Disconnected: your settings are in the address bar.")
    expect(bar).to_contain_text(re.compile(r"Reload\s*$"))
    page.browsed.get_by_role("button", name="Reload").wait_for()
    assert "TAP-20" in page.heads()  # what was there still is
    page.browsed.close()


def test_a_mark_of_a_zoomed_plot_stays_inside_its_frame(open_page) -> None:
    page = open_page()

    def inked(above: int) -> int:
        """Pixels of the marks, so many above the frame and in it."""
        return page.script(
            """(() => {
                const { canvas_view, frame } = Bokeh.index.find_one(tapviz.figure("epq")) ?? {}
                if (!frame?.bbox.width) return -1  // not drawn yet
                const { overlays } = canvas_view, { left, top, right, bottom } = frame.bbox
                const { canvas, pixel_ratio } = overlays
                if (!canvas.width) return -1
                const ends = args[0] ? [0, top - 3] : [top, bottom]
                const size = [right - left, ends[1] - ends[0]].map((pixels) => pixels * pixel_ratio)
                const copy = new OffscreenCanvas(...size).getContext("2d", {
                    willReadFrequently: true,
                })
                copy.drawImage(canvas, -left * pixel_ratio, -ends[0] * pixel_ratio)
                const { data } = copy.getImageData(0, 0, ...size)
                return data.filter((value, i) => i % 4 === 3 && value > 0).length
            })()""",
            above,
        )

    page.settled()
    page.shows(lambda: (inked(1), inked(0) > 100), (0, True))
    full = page.range("epq")
    page.sweep("epq", (0.3, 0.6), (0.9, 0.9))
    page.browsed.mouse.move(5, 5)
    page.shows(lambda: page.range("epq") != full)
    page.shows(lambda: (inked(1), inked(0) > 100), (0, True))


def test_what_a_button_says_covers_no_other_button(open_page) -> None:
    page = open_page()
    page.type(K, "7")
    at_k(page, 7)
    for name in ("Undo", SHARE, FIGURE, CLOSE_FIGURE):
        page.button(name).click()
    at_k(page, 20)


# At each paint of the marks of the threshold, how many pixels they are from where the data say.
PAINTED = """(() => {
    const isMarks = ({ model }) => model.type === "GlyphRenderer" && model.name === "threshold"
    for (const view of Bokeh.index.query(isMarks)) {
        const usual = view._paint
        window.away = []
        view._paint = function (...given) {
            usual.apply(this, given)
            const there = this.plot_view.frame.x_scale.v_compute(this.model.data_source.data.x)
            away.push(Math.max(...Array.from(this.glyph.sx, (at, i) => Math.abs(at - there[i]))))
        }
        return
    }
})()"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_marks_glide_to_their_next_place_unless_a_slider_moves_them(
    open_page: Any, motion: str
) -> None:
    page = open_page(reduced_motion=motion).settled()
    page.script(PAINTED)

    def arrived() -> list[float]:
        """How far away they were at each paint, when they are where they belong."""
        away: list[float] = page.script("away")
        assert away[-1] == pytest.approx(0, abs=1e-6)
        return away

    page.type(K, "5")
    at_k(page, 5)
    glided = max(page.eventually(arrived)) > 1
    assert glided is (motion == "no-preference")
    page.settled()
    page.script("away.splice(0)")
    page.handle(K).focus()
    page.browsed.keyboard.press("ArrowRight")
    at_k(page, 6)
    assert max(page.eventually(arrived)) == pytest.approx(0, abs=1e-6)
