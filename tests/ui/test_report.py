"""The report in a browser without a network: what moves in it shows what Python says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from tapviz import Explorer, load_results, tap_k
from tapviz.draw.picture import Picture
from tapviz.explorer.report import save_report
from tapviz.explorer.report_tables import label, positions
from tapviz.explorer.score_table import plain
from tapviz.lists import RetrievalLists
from tapviz.plots import PLOTS, PlotData, plots_for
from tests.ui.files import cut, findings, opened
from tests.ui.page import eventually

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "explore.ipynb"
HOWTO = Path(__file__).parents[2] / "docs" / "howto" / "report.md"
CHOICE = {"k": 5, "baseline": "RPS-BLAST"}


@pytest.fixture(scope="module")
def results() -> dict[str, RetrievalLists]:
    """Every fifth query of a bundled data set, for speed."""
    lists = load_results("profiles")
    some = np.arange(next(iter(lists.values())).n_queries) % 5 == 0
    return {name: one.subset(some) for name, one in lists.items()}


@pytest.fixture(scope="module")
def file(results: dict[str, RetrievalLists], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    save_report(Explorer(results, **CHOICE), path, title="Profiles")
    return path


@pytest.fixture
def page(chromium: Browser, file: Path) -> Iterator[Page]:
    """The report, opened from its file; nothing may be asked for or complained of."""
    with opened(chromium, file) as page:
        page.wait_for_selector("html[data-live]")
        yield page


def move(page: Page | Frame, control: str, place: int) -> None:
    """Move a control, and wait until that is painted."""
    page.evaluate(
        """async ([control, place]) => {
            const input = document.getElementById(control)
            input.value = place
            input.dispatchEvent(new Event("input"))
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        }""",
        [control, place],
    )


def row(page: Page | Frame, name: str) -> list[str]:
    """Texts of a row of the score table."""
    found = page.locator("table.scores tbody tr").filter(has_text=name)
    return [re.sub(r"\s+", " ", text) for text in found.locator("td").all_inner_texts()]


def test_opens_without_a_network_and_says_first_what_was_found(page: Page, file: Path) -> None:
    assert page.get_by_role("heading", level=1).inner_text() == "Profiles"
    assert re.match(r"\d+ \w+ 20\d\d\. 271 of 271 queries", page.locator(".data").inner_text())
    verdict = page.locator(".verdict").inner_text()
    assert "TAP-5 is " in verdict
    assert "What is clear holds by " in verdict
    drawn = page.locator("figure .live svg[role=img]")
    eventually(page, lambda: [drawn.count()].index(page.locator("figure").count()))
    assert file.stat().st_size < 5_000_000


def test_words_that_do_not_follow_are_marked_as_written(page: Page) -> None:
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true })")
    words = {".verdict p": "before", ".doubts": "after", ".holds summary": "after"}
    words |= {".method": "before"}
    marks = {"before": '"As written: "', "after": '", as written"'}

    def marked(*, away: bool) -> None:
        for selector, side in words.items():
            said = page.locator(selector).first.evaluate(
                "(one, side) => getComputedStyle(one, `::${side}`).content", side
            )
            assert said == (marks[side] if away else "none"), selector

    marked(away=False)
    first, second = page.locator("#algorithms input").all()[:2]
    for change in (
        lambda: move(page, "k", 40),
        lambda: move(page, "n", 0),
        first.uncheck,
    ):
        change()
        eventually(page, partial(marked, away=True))
        page.get_by_role("button", name="As written").click()
        eventually(page, partial(marked, away=False))
    second.uncheck()
    second.check()
    eventually(page, partial(marked, away=False))


def test_words_of_other_programs_than_the_address_names_are_marked(
    chromium: Browser, file: Path
) -> None:
    with opened(chromium, file) as page:
        page.goto(f"{file.as_uri()}#run=RPS-BLAST")
        page.reload()
        page.wait_for_selector("html[data-live]")
        expect(page.locator("main")).to_have_class("alive away")


@pytest.mark.parametrize("control", ["k", "e0", "n"])
def test_a_control_at_its_ends_shows_what_a_fresh_explorer_says(
    page: Page, results: dict[str, RetrievalLists], control: str
) -> None:
    explorer = Explorer(results, **CHOICE)
    as_written = PlotData(Explorer(results, **CHOICE))
    places = positions(PlotData(explorer))[control]

    def says(name: str) -> None:
        scores = explorer.score(name)
        shown = row(page, name)
        if np.isfinite(scores["tap"]):
            assert shown[0] == f"{scores['tap']:.3f}"
            assert any(f"{scores['pooled_roc_n']:.3f}" in text for text in shown)
        else:
            assert "of queries reach" in shown[1]

    for place in (0, len(places.values) - 1):
        move(page, control, place)
        value = places.values[place]
        expect(page.locator(f"output[for={control}]")).to_have_text(label(control, value))
        explorer.param.update(**places.choices(value))
        for name in explorer.shown:
            eventually(page, partial(says, name))
        data = PlotData(explorer)
        for plot in plots_for(explorer):
            figure = page.locator(f"figure[data-plot={plot.name}]")
            figure.scroll_into_view_if_needed()
            slow = plot.slow is not None or plot.compares
            if slow and not {"k", "e0", "n"} & set(plot.depends):
                assert figure.locator(".where").count() == 0
            elif slow or {"k", "n"} <= set(plot.depends):
                away = control in plot.depends
                expect(figure.locator(".where")).to_have_text("k = 5, n = 50, as written. ")
                expect(figure.locator(".where")).to_have_class("where away" if away else "where")
                if not slow:
                    expect(figure.locator(".text")).to_have_text(plain(plot.text(as_written)))
            else:
                expect(figure.locator(".text")).to_have_text(plain(plot.text(data)))


def test_a_plot_of_k_alone_follows_k_where_the_threshold_is_an_e_value(
    page: Page, results: dict[str, RetrievalLists]
) -> None:
    move(page, "k", 0)
    move(page, "e0", 3)
    figure = page.locator("figure[data-plot=nth_error]")
    text = plain(PLOTS["nth_error"].text(PlotData(Explorer(results, **(CHOICE | {"k": 1})))))
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".text")).to_have_text(text)


def test_intervals_are_shown_where_they_were_computed_only(page: Page) -> None:
    interval = page.locator("table.scores tbody tr").first.locator("td.interval")
    written = interval.inner_text()
    assert re.fullmatch(r"0\.\d{3} to 0\.\d{3}", written)
    note = page.locator("#away")
    assert not note.is_visible()
    move(page, "k", 30)
    expect(interval).to_have_text("")
    expect(page.locator("td.compared:not(.why)").first).to_have_text("")
    expect(note).to_contain_text("at TAP-5 only")
    page.get_by_role("button", name="As written").click()
    expect(interval).to_have_text(written)
    expect(note).not_to_be_visible()


def test_the_table_has_the_best_first_wherever_the_slider_is(page: Page) -> None:
    orders = set()
    for control, place in (("k", 4), ("e0", 3), ("e0", 30)):
        move(page, control, place)
        names = tuple(page.locator("table.scores tbody tr").locator("th").all_inner_texts())
        scores = [float(row(page, name)[0].split()[-1]) for name in names]
        assert scores == sorted(scores, reverse=True)
        orders.add(names)
    assert len(orders) > 1


def test_algorithms_are_taken_away_and_put_back(
    page: Page, results: dict[str, RetrievalLists]
) -> None:
    box = page.get_by_role("checkbox", name="HMMER2 local")
    curve = page.locator("figure[data-plot=tap] [data-layer='curve HMMER2 local'] path")
    rows = page.locator("table.scores tbody tr:visible")
    expect(rows).to_have_count(4)
    box.uncheck()
    expect(rows).to_have_count(3)
    eventually(page, lambda: ["none"].index(curve.evaluate("path => path.style.display")))
    for plot in plots_for(Explorer(results)):
        if "algorithms" not in plot.depends or plot.of not in ("each", "one"):
            continue
        figure = page.locator(f"figure[data-plot={plot.name}]")
        seen = [*figure.locator("svg text:visible").all_text_contents()]
        if plot.name != "order":  # where all count, and it says so
            seen.append(figure.locator(".text").inner_text())
        else:
            assert "All 4 programs count here" in figure.locator(".text").inner_text()
        assert not [text for text in seen if "HMMER2 local" in text], plot.name
        figure.locator("svg[role=img]").focus()
        page.keyboard.press("End")
        assert "HMMER2 local" not in figure.locator(".tooltip").inner_text()
    page.get_by_role("button", name="As written").click()
    expect(box).to_be_checked()
    expect(rows).to_have_count(4)
    eventually(page, lambda: [""].index(curve.evaluate("path => path.style.display")))


def test_the_threshold_under_the_mouse_is_marked_in_all_plots_that_are_seen(page: Page) -> None:
    names = ("tap", "epq")
    figures = {name: page.locator(f"figure[data-plot={name}]") for name in names}

    def marks(name: str) -> list[float]:
        """Where the line across a plot is, from the left of its frame, and how many dots."""
        group = figures[name].locator("[data-marks]")
        (line,) = [float(one.get_attribute("x1")) for one in group.locator("line").all()]
        return [line, group.locator("circle").count()]

    def marked() -> None:  # again if other plots above have been drawn meanwhile
        figures["tap"].scroll_into_view_if_needed()
        box = figures["tap"].locator("svg[role=img]").bounding_box()
        assert box is not None
        for share in (0.44, 0.45):
            page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.4 * box["height"])
        line, dots = marks("tap")
        assert line == pytest.approx(0.45 * box["width"], abs=2)
        assert dots == 4
        assert figures["epq"].locator("[data-marks] circle").count() > 1  # its mean and median

    eventually(page, marked)
    figures["tap"].locator("svg[role=img]").focus()
    page.keyboard.press("End")
    eventually(page, lambda: marks("tap"))
    page.keyboard.press("Escape")
    expect(figures["tap"].locator("[data-marks] > *")).to_have_count(0)


def test_a_dot_tells_its_query_and_a_ranked_list_opens(
    page: Page, results: dict[str, RetrievalLists]
) -> None:
    explorer = Explorer(results, **CHOICE)
    data = PlotData(explorer)
    query = page.locator("#query option").nth(1).inner_text().split(",")[0]
    at = [
        float(explorer.tap(name).per_query[explorer.first.row_of(query)])
        for name in reversed(data.pair)
    ]
    figure = page.locator("figure[data-plot=scatter]")

    def told() -> None:  # again if other plots above have been drawn meanwhile
        figure.scroll_into_view_if_needed()
        page.mouse.click(*on_screen(page, "scatter", at[0], at[1]))
        expect(figure.locator(".tooltip")).to_contain_text(query, timeout=2000)

    eventually(page, told)
    page.locator("#query").select_option(index=1)
    lists = page.locator("#lists section")
    expect(lists).to_have_count(len(results))
    explorer.focus = query
    for i, name in enumerate(results):
        ranked = explorer.ranked(name)
        retrieved = f"{ranked.n_retrieved:,} of {ranked.rank.size:,} retrieved"
        expect(lists.nth(i).locator(".at")).to_contain_text(retrieved)
        assert ranked.record is not None
        expect(lists.nth(i).locator("tbody th").first).to_have_text(str(ranked.record[0]))


def test_a_and_b_are_chosen(page: Page, results: dict[str, RetrievalLists]) -> None:
    figure = page.locator("figure[data-plot=scatter]")
    a, b = figure.get_by_label("A", exact=True), figure.get_by_label("B", exact=True)
    explorer = Explorer(results, **CHOICE)
    before = PlotData(explorer).pair
    names = list(results)
    assert [names[int(one.input_value())] for one in (a, b)] == before
    other = next(name for name in names if name not in before)
    a.select_option(label=other)
    explorer.param.update(focus_algorithm=other, baseline=before[1], k=12)
    move(page, "k", 11)
    data = PlotData(explorer)
    expect(figure.locator(".text")).to_have_text(plain(PLOTS["scatter"].text(data)))
    picture = PLOTS["scatter"].picture(data)
    corners = [picture.by_name[f"corner {side}"].columns["text"] for side in ("left", "right")]
    texts = figure.locator("[data-layer^=corner] text:visible")
    expect(texts).to_have_text([*corners[0], *corners[1]])
    eventually(page, lambda: [expected_dots(picture)].index(dots(page)))
    # The same on both sides: they change places.
    b.select_option(label=other)
    expect(a).to_have_value(str(names.index(before[1])))
    expect(b).to_have_value(str(names.index(other)))
    explorer.param.update(focus_algorithm=before[1], baseline=other)
    data = PlotData(explorer)
    turned = PLOTS["scatter"].picture(data)
    expect(texts.first).to_have_text(turned.by_name["corner left"].columns["text"][0])
    eventually(page, lambda: [expected_dots(turned)].index(dots(page)))


def dots(page: Page) -> dict[str, int]:
    """How many queries are drawn in each colour."""
    drawn: dict[str, int] = page.evaluate(
        """() => {
            const found = {}, group = document.querySelector(
                "figure[data-plot=scatter] [data-layer=point]")
            for (const path of group.querySelectorAll("path")) {
                if (path.style.display === "none") continue
                const many = path.getAttribute("d").split("M").length - 1
                found[path.style.fill] = (found[path.style.fill] ?? 0) + many
            }
            return found
        }"""
    )
    return drawn


def expected_dots(picture: Picture) -> dict[str, int]:
    """The same of a picture by Python."""
    colors = picture.by_name["point"].columns["color"].tolist()
    return {
        f"var(--on-{color.lower().removeprefix('#')}, {color})": colors.count(color)
        for color in set(colors)
    }


def on_screen(page: Page, plot: str, x: float, y: float) -> tuple[float, float]:
    """Where on the screen a place of a plot with linear axes is, by its ticks."""
    place = []
    for axis, value in (("x", x), ("y", y)):
        ticks = page.locator(f"figure[data-plot={plot}] [data-tick={axis}]")
        ends = []
        for i in (0, ticks.count() - 1):
            box = ticks.nth(i).bounding_box()
            assert box is not None
            middle = box["x"] + box["width"] / 2 if axis == "x" else box["y"] + box["height"] / 2
            ends.append((float(ticks.nth(i).text_content() or "nan"), middle))
        (low, start), (high, end) = ends
        place.append(start + (value - low) / (high - low) * (end - start))
    return place[0], place[1]


def test_nothing_is_cut_or_wider_than_the_screen(page: Page) -> None:
    wide = "document.documentElement.scrollWidth"
    for width in (1440, 1200, 1000, 390):
        page.set_viewport_size({"width": width, "height": 844})
        eventually(page, lambda width=width: [width].index(page.evaluate(wide)))
        assert cut(page) == [], width
        programs = page.locator("#algorithms")
        assert programs.evaluate("one => one.scrollWidth <= one.clientWidth"), width


def test_on_a_phone_numbers_of_differences_stand_right_of_the_dots(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    plot = page.locator("figure[data-plot=differences]")

    def ends(name: str) -> tuple[float, float]:
        boxes = [one.bounding_box() for one in plot.locator(f"[data-layer={name}] > *").all()]
        seen = [box for box in boxes if box and box["width"]]
        return min(box["x"] for box in seen), max(box["x"] + box["width"] for box in seen)

    def apart() -> None:
        assert ends("clear")[1] < ends("value")[0]

    eventually(page, apart)


def test_on_paper_no_column_is_cut_off_and_all_is_open(page: Page) -> None:
    page.set_viewport_size({"width": 680, "height": 1000})  # of A4 within its margins
    page.emulate_media(media="print")
    table = page.locator("table.scores")
    right = table.locator("th, td").evaluate_all(
        "all => Math.max(...all.map((cell) => cell.getBoundingClientRect().right))"
    )
    assert right <= 680
    assert table.evaluate("table => table.parentElement.scrollWidth <= innerWidth")
    assert page.locator("details.holds th").first.evaluate(
        "cell => cell.checkVisibility({ contentVisibilityAuto: true })"
    )


def test_it_is_used_with_the_keyboard_and_in_the_dark(page: Page) -> None:
    slider = page.get_by_role("slider", name="errors per query, k")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("output[for=k]")).to_have_text("k = 6")
    expect(slider).to_have_attribute("aria-valuetext", "k = 6")
    expect(page.locator("table.scores")).to_contain_text("TAP-6")
    page.get_by_role("radio", name="threshold by E-value").check()
    expect(page.locator("table.scores")).to_contain_text("TAP at")
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("body")).to_have_css("background-color", "rgb(27, 27, 26)")


def test_the_page_in_a_saved_notebook_moves_without_a_kernel(
    chromium: Browser, tmp_path: Path
) -> None:
    (cell,) = (one for one in nbformat.read(NOTEBOOK, as_version=4).cells if one.id == "page")
    saved = tmp_path / "saved.html"
    saved.write_text(f"<!DOCTYPE html>{cell.outputs[-1]['data']['text/html']}", encoding="utf-8")
    with opened(chromium, saved) as page:
        frame = page.frames[-1]
        frame.wait_for_selector("html[data-live]")
        curve = frame.locator("figure[data-plot=tap] svg[role=img]")
        before = curve.inner_html()
        results = load_results()
        for k in (20, 5):
            move(frame, "k", k - 1)
            for name in Explorer(results).shown:
                expected = f"{tap_k(results[name], k=k).value:.3f}"
                eventually(page, partial(shows, frame, name, expected))
        assert curve.inner_html() != before


def shows(page: Page | Frame, name: str, value: str) -> None:
    """Assert the TAP of a row, before which may stand what other orders of ties give."""
    assert row(page, name)[0].split()[-1] == value


def test_a_report_that_a_notebook_keeps_moves(
    chromium: Browser, results: dict[str, RetrievalLists], tmp_path: Path, monkeypatch: Any
) -> None:
    """As the documentation says how to keep one."""
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", HOWTO.read_text("utf-8"), re.DOTALL)
    assert code.count("\nHTML(") == 1
    names: dict[str, Any] = {"explorer": Explorer(results, **CHOICE)}
    exec(code.replace("\nHTML(", "\nkept = HTML("), names)  # noqa: S102  # our own
    (tmp_path / "kept.html").write_text(names["kept"].data, "utf-8")
    with opened(chromium, tmp_path / "kept.html") as page:
        frame = page.frames[1]
        frame.wait_for_selector("html[data-live]")
        move(frame, "k", 19)
        expected = f"{tap_k(results['RPS-BLAST'], k=20).value:.3f}"
        eventually(page, partial(shows, frame, "RPS-BLAST", expected))


def test_without_scripts_there_is_a_picture_of_every_plot(chromium: Browser, file: Path) -> None:
    with opened(chromium, file, java_script_enabled=False) as page:
        assert page.locator("img.still").first.is_visible()
        assert "scripts are switched off" in page.locator("noscript").inner_text()


def test_every_table_position_sampled_is_what_python_draws(
    page: Page, results: dict[str, RetrievalLists]
) -> None:
    explorer = Explorer(results, **CHOICE)
    places = positions(PlotData(explorer))
    assert places["k"].place_of(explorer.k) == 4
    for control, place in (("k", 0), ("k", 40), ("e0", 20), ("e0", 77), ("n", 30)):
        explorer.param.update(mode="k", k=5, n=50)
        at = places[control]
        explorer.param.update(**at.choices(at.values[place]))
        page.get_by_role("button", name="As written").click()
        move(page, control, place)
        eventually(
            page, partial(marks, page, [explorer.tap(name).value for name in explorer.shown])
        )


def marks(page: Page, taps: list[float]) -> None:
    """The marks of the first plot are where these are on its axis."""
    drawn = page.locator("figure[data-plot=tap] [data-layer=threshold] path")
    at = drawn.evaluate_all(
        "all => all.filter((one) => one.style.display !== 'none')"
        ".map((one) => one.getAttribute('transform'))"
    )
    ys = [float(one[10:-1].split(",")[1]) for one in at]
    ticks: list[Any] = json.loads(
        page.evaluate(
            """JSON.stringify([...document.querySelectorAll(
                "figure[data-plot=tap] [data-tick=y]")].map((one) =>
                [Number(one.textContent), Number(one.getAttribute("y")) - 0.35 * 12]))"""
        )
    )
    (low, bottom), (high, top) = min(ticks), max(ticks)
    wanted = [
        bottom + (tap - low) / (high - low) * (top - bottom) for tap in taps if np.isfinite(tap)
    ]
    assert sorted(ys) == pytest.approx(sorted(wanted), abs=0.3)


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_axe_finds_nothing(chromium: Browser, file: Path, ground: str) -> None:
    with opened(chromium, file, color_scheme=ground, reduced_motion="reduce") as page:
        page.wait_for_selector("html[data-live]")
        page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true })")
        assert findings(page) == []
