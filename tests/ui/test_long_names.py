"""Twenty algorithms with names of forty characters that begin alike: nothing is cut or covered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Browser

from tapviz.plots import PLOTS
from tests.ui.conftest import Server
from tests.ui.files import blast_row
from tests.ui.page import FIGURES, K, Page

NAMES = [f"profile after five iterations version {i:02d}" for i in range(20)]
QUERIES, RECORDS = 40, 60
CUT = """table => [...table.querySelectorAll("thead th:not(.name), tbody th, td")]
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.innerText)"""
NAMED = """table => [...table.querySelectorAll("tbody th")].map((cell) =>
    [cell.title, Math.round(cell.clientHeight / parseFloat(getComputedStyle(cell).lineHeight)),
        getComputedStyle(cell).textOverflow])"""
"""Tip, number of lines and what ends a line that is too long, of each name."""


@pytest.fixture(scope="module")
def server(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:  # noqa: ARG001
    """The application with files of such names, which find the more the later they come."""
    folder = tmp_path_factory.mktemp("names")
    rng = np.random.default_rng(1)
    evalues = 10.0 ** np.sort(rng.uniform(-20, 1, RECORDS))
    for i, name in enumerate(NAMES):
        rows = []
        for query in range(QUERIES):
            relevant = rng.random(RECORDS) < 0.9 - 0.02 * (20 - i) - np.arange(RECORDS) / RECORDS
            fold = np.where(relevant, query % 8, 8)
            rows += [
                blast_row(f"q{query}", f"r{fold[j]}_{j}", f"{evalues[j]:.3g}")
                for j in range(RECORDS)
            ]
        (folder / f"{name}.m8").write_text("".join(rows), "utf-8")
    labels = [f"q{query}\t{'abcdefgh'[query % 8]}.1.1\n" for query in range(QUERIES)]
    labels += [f"r{c}_{j}\t{'abcdefghi'[c]}.1.1\n" for c in range(9) for j in range(RECORDS)]
    (folder / "labels.tsv").write_text("".join(labels), "utf-8")
    files = [str(folder / f"{name}.m8") for name in NAMES]
    running = Server(folder, *files, "--labels", str(folder / "labels.tsv"))
    yield running
    running.stop()


def labels(page: Page, figure: str, layer: str) -> list[str]:
    return [str(one) for one in page.layer(figure, layer)["text"]]


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1200, 800), (390, 844)])
def test_no_cell_is_cut_and_only_the_table_scrolls(open_page: Any, width: int, height: int) -> None:
    page = open_page("", width, height, reduced_motion="reduce").settled()
    table = page.browsed.locator("table.scores")

    page.shows(lambda: table.evaluate(CUT), [])
    assert sorted(table.evaluate(NAMED)) == [[name, 1, "ellipsis"] for name in NAMES[:5]]
    assert sorted(page.table()) == NAMES[:5]
    read = page.browsed.locator("table.scores tbody th").all_inner_texts()
    assert {one.strip()[-2:] for one in read} == {name[-2:] for name in NAMES[:5]}
    assert page.browsed.evaluate("document.documentElement.scrollWidth") <= width
    scrolls = table.evaluate("one => one.parentElement.scrollWidth > one.parentElement.clientWidth")
    assert scrolls == (width < 1000)
    score = table.locator("tbody td").first.bounding_box()
    assert score["x"] + score["width"] <= width  # beside a name on a phone, too
    assert page.browsed.locator(".header").bounding_box()["height"] <= 50


def test_names_that_begin_alike_are_told_apart_beside_their_lines(open_page: Any) -> None:
    page = open_page(reduced_motion="reduce").settled()
    for figure in ("tap", "precision_recall"):
        found = labels(page, figure, "name")
        assert len(set(found)) == len(found) == 5
        assert {one[-2:] for one in found} == {name[-2:] for name in NAMES[:5]}


def test_a_shortened_name_under_the_mouse_points_to_its_own_algorithm(open_page: Any) -> None:
    page = open_page(reduced_motion="reduce").settled()
    place = """(() => {
        const { canvas_view, renderer_views } = tapviz.view("tap")
        for (const { glyph, model } of renderer_views.values()) {
            if (glyph?.model.type !== "Text") continue
            const at = model.data_source.data.text.findIndex((text) => text.endsWith(args[0]))
            if (at < 0) continue
            const { x, y } = canvas_view.el.getBoundingClientRect()
            return [x + glyph.sx[at] + 20, y + glyph.sy[at]]
        }
    })()"""
    page.browsed.mouse.move(*page.script(place, NAMES[3][-2:]))

    def stands_out() -> None:
        layers = page.layers("tap")
        colors = {name: layers[f"curve {name}"]["glyph"]["line_color"] for name in NAMES[:5]}
        assert [name for name, color in colors.items() if len(color) == len("#000000")] == [
            NAMES[3]
        ]

    page.eventually(stands_out)


def test_no_line_that_leads_to_a_name_crosses_it(open_page: Any) -> None:
    names = open_page(reduced_motion="reduce").settled().layer("precision_recall", "name")
    for x, start in zip(names["x"], names["from_x"], strict=True):
        assert start is None or np.isnan(start) or start < x


def test_a_score_that_no_algorithm_has_is_explained_inside_the_plot(open_page: Any) -> None:
    page = open_page(reduced_motion="reduce")
    page.type(K, "100")  # more errors than any list has
    page.tab("Differences")

    def said() -> None:
        (reason,) = labels(page, "differences", "missing")
        assert "fewer than half" in reason.lower()
        assert len(reason) < 75
        assert page.range("differences")[1] > 1

    page.eventually(said)


def test_all_twenty_are_shown_without_a_wider_page(open_page: Any) -> None:
    page = open_page(reduced_motion="reduce").settled()
    for name in NAMES[5:]:
        page.tick(name)
    page.eventually(lambda: page.programs().index("20 of 20 programs"))
    page.settled()
    assert sorted(page.table()) == NAMES

    def inside(figure: str) -> None:
        left, _, wide, _ = page.frame(figure)
        assert left >= 0
        assert left + wide <= 1440
        assert wide > 200

    for figure in FIGURES:
        page.eventually(partial(inside, figure))
    assert page.browsed.evaluate("document.documentElement.scrollWidth") <= 1440


COVERED = """box => {
    const { left, bottom } = box.getBoundingClientRect()
    return box.getRootNode().elementFromPoint(left + 20, bottom - 3) !== box
}"""


@pytest.mark.parametrize(("width", "height"), [(1440, 700), (390, 844)])
def test_no_box_has_the_focus_under_show_all(open_page: Any, width: int, height: int) -> None:
    """Those at the end of the list of programs lay under it, and a click there showed all."""
    page = open_page("", width, height, reduced_motion="reduce").settled()
    keyboard, boxes = page.browsed.keyboard, page.browsed.locator("#programs [role=checkbox]")
    page.browsed.locator("button.opens[popovertarget=programs]").click()
    boxes.first.focus()
    seen = []
    for _ in NAMES:
        focused = page.browsed.locator("#programs [role=checkbox]:focus")
        seen.append(focused.inner_text())
        assert not focused.evaluate(COVERED), seen[-1]
        keyboard.press("ArrowDown")
    assert seen == NAMES


# What is written into a figure, as the browser has it: [layer, text, left, top, right, bottom], and
# the frame, beyond which nothing is drawn.
WRITTEN = """(() => {
    const view = tapviz.view(args[0]), found = [], { ctx } = view.canvas_view.primary
    const { left, top, right, bottom } = view.frame.bbox
    for (const { glyph, model } of view.renderer_views.values()) {
        if (glyph?.model.type !== "Text") continue
        const { text_font_size: size, text_font: face, text_align: align } = glyph.model
        ctx.font = `${size.value} ${face.value}`
        const height = parseFloat(size.value)
        model.data_source.data.text.forEach((text, i) => {
            const x = glyph.sx[i], y = glyph.sy[i], width = ctx.measureText(text).width
            if (!text || !Number.isFinite(x + y)) return
            const from = { left: x, right: x - width, center: x - width / 2 }[align.value]
            found.push([model.name, text, from, y - height / 2, from + width, y + height / 2])
        })
    }
    return [found, [left, top, right, bottom]]
})()"""
SEEN = [
    # Width of the window, the ground, and what is chosen.
    (1440, "light", {"algorithms": NAMES}),
    (1200, "dark", {"query_text": "^q0$"}),
    (1000, "light", {"mode": "e0", "e0": "0"}),
    (720, "dark", {}),  # 1440, enlarged twice
    (390, "dark", {"algorithms": NAMES}),
]


@pytest.mark.parametrize(("width", "ground", "choices"), SEEN)
def test_no_label_is_cut_or_covers_another_in_any_tab(
    open_page: Any, width: int, ground: str, choices: dict[str, Any]
) -> None:
    address = f"?{urlencode(choices, doseq=True)}"
    page = open_page(address, width, color_scheme=ground, reduced_motion="reduce").settled()
    shown = [one for one in PLOTS.values() if one.reads != "scores"]
    wrong: list[tuple[str, ...]] = []
    for plot in (one for one in shown if one.needs in ("any", "several")):
        if plot.tab:
            page.tab(plot.tab)
        page.eventually(lambda plot=plot: page.frame(plot.name))
        page.settled()
        heads = page.browsed.locator(".tab-area .plot-line").locator("select, button, .caption")
        ends = heads.filter(visible=True).evaluate_all(
            "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
        )
        if plot.tab and ends > page.frame(plot.name)[1] + 4:
            wrong.append((plot.name, "in the way", f"{ends:.0f}"))
        texts, (left, top, right, bottom) = page.script(WRITTEN, plot.name)
        wrong += [
            (plot.name, "cut", layer, text)
            for layer, text, x0, y0, x1, y1 in texts
            if x0 < left - 2 or x1 > right + 2 or y0 < top - 4 or y1 > bottom + 4
        ]
        wrong += [
            (plot.name, "covered", *one[:2], other[1])
            for n, one in enumerate(texts)
            for other in texts[:n]
            if one[0] == other[0] == "name"
            and one[2] < other[4] - 1
            and other[2] < one[4] - 1
            and abs(one[3] - other[3]) < 0.7 * (one[5] - one[3])
        ]
    assert wrong == []
