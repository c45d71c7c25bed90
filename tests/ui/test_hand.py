"""The hand moves what is seen in the browser: also while the server answers nothing."""

from __future__ import annotations

import re
from html import unescape
from itertools import chain, count
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from tapviz import Explorer
from tapviz.draw.picture import CORNERS, Picture, ends
from tapviz.explorer.query_rows import QueryView
from tapviz.explorer.score_table import best_first, parts_of
from tapviz.explorer.session import again
from tapviz.explorer.verdict import concluded
from tapviz.explorer.views import stops
from tapviz.page.texts import picture_of
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.scores import Compared
from tapviz.state import MAX_N
from tapviz.state.choices import ONE_STEP
from tests.ui.expected import FIVE, bench
from tests.ui.page import E0, K, N, Page

SLIDERS = {"k": K, "e0": E0, "n": N}
MOVING = """[...Bokeh.documents[0]._all_models.values()]
    .filter(({ data }) => data?.moving !== undefined).flatMap(({ data }) => data.moving)"""

ANSWER = """[...Bokeh.documents[0]._all_models.values()]
    .find(({ data }) => data?.moving !== undefined)
    .data.setv({ place: ["n", 18] }, { sync: false })"""

AXES = """(({ x_range: x, y_range: y, below: [axis] }) => ({
    x: [x.start, x.end], y: [y.start, y.end], label: axis.axis_label,
    ticks: [...axis.major_label_overrides.values()],
}))(tapviz.figure(args[0]))"""
"""Where the axes of a plot end, and what is written below the x axis."""

HEIGHT = "tapviz.view(args[0]).frame.bbox.height"

LATE = """new Promise((done) => {
    const late = new Map(["tap", "epq", "precision_recall"].map((name) => [name, NaN]))
    for (const name of late.keys()) {
        tapviz.view(name).repainted.connect(() => late.set(name, frames))
    }
    let frames = 0
    Bokeh.index.find_one(tapviz.slider(args[0]))._slide([args[1]])
    const count = () => {
        frames += 1
        if (frames < 5) requestAnimationFrame(count)
        else done(Object.fromEntries(late))
    }
    requestAnimationFrame(count)
})"""
"""How many frames after that of a step of a slider each plot was last painted."""


@pytest.fixture(scope="module")
def python() -> Explorer:
    """What the page shows, with the intervals of every k."""
    explorer = Explorer(bench(), FIVE)
    every = explorer.every_threshold(explorer.compared())
    assert every is not None
    every(None)
    return explorer


def has_views(page: Page, *settings: str) -> None:
    """Wait until the page knows what its sliders move, with the intervals of every threshold."""
    plots = figures(page)
    by_n = {"roc", "sensitivity", "pooled"}
    moved = {"k": {*plots, "queries"} - by_n | {*plots} & {"pooled"}, "n": {*plots} & by_n}
    moved["e0"] = moved["k"]
    wanted = {f"{setting} {part}" for setting in settings for part in {*moved[setting], "table"}}
    page.settled()

    def intervals() -> None:
        assert all(page.intervals().values())

    pauses = (500 * 2**attempt for attempt in count())

    def known() -> None:
        page.eventually(intervals)  # of this one alone, which a step before they come would stop
        # Each step stops the work on those of all thresholds, so that each time it is given longer.
        page.browsed.wait_for_timeout(next(pauses))
        with page.server.stopped():  # which would work out those of another when it has rested
            before = page.heads()
            step(page, threshold, ["ArrowRight"])
            page.shows(lambda: page.heads() == before, False, wait=2)
            intervals()

    for threshold in {"k", "e0"} & {*settings}:
        page.eventually(known)
        page.type(SLIDERS[threshold], {"k": "20", "e0": "0.01"}[threshold])
        page.settled()

    page.shows(lambda: wanted <= set(page.script(MOVING)))
    page.at_rest(1)


def words(html: str) -> str:
    """Words of HTML.

    Without those of buttons, which hang on what can be opened; and without how far a conclusion
    holds, which is not looked up for every k, but known once it has been worked out there.
    """
    plain = re.sub("<[^>]*>", " ", re.sub("<button.*?</button>", "", html))
    return re.sub("What is clear .*?(?=From )", "", " ".join(unescape(plain).split()))


def figures(page: Page) -> list[str]:
    """Names of the plots that are seen."""
    return ["tap", "epq", page.settings().get("view", ["precision_recall"])[0]]


def seen(page: Page) -> dict[str, Any]:
    """All that a hand moves, as the page has it."""
    rows = page.script("""tapviz.all().filter((one) => one.matches("table.scores"))
        .flatMap((table) => [...table.rows])
        .map((row) => [...row.cells].map((cell) => cell.outerHTML))""")
    verdict = page.browsed.locator(".verdict")
    return {
        "rows": [[words(cell) for cell in row] for row in rows],
        "verdict": words(verdict.inner_html()),
        "busy": verdict.get_attribute("aria-busy"),
        "queries": page.query_rows(),
        "layers": {name: page.script("tapviz.layers(args[0])", name) for name in figures(page)},
        "axes": {name: page.script(AXES, name) for name in figures(page)},
    }


def shows(page: Page, explorer: Explorer, compared: Compared | None) -> None:
    """Wait until the page shows what Python does."""
    explorer.param.view.objects = [plot.name for plot in plots_for(explorer) if plot.tab]
    data = PlotData(explorer)
    data.compared = compared
    head, body = parts_of(explorer, data.styles, compared)
    ordered = [[*chain(*body[name])] for name in best_first(explorer)]
    rows = [[words(cell) for cell in row] for row in (*head, *ordered)]
    rows[0][0] = ""  # where menus are
    verdict = concluded(explorer, compared)
    pictures = {name: picture_of(PLOTS[name], data) for name in figures(page)}
    queries = [*map(texts_of_row, QueryView(data).rows(0, 8))]

    def check() -> None:
        found = seen(page)
        assert (found["rows"], found["queries"]) == (rows, queries)
        if verdict is None:
            assert found["busy"] == "true"
        else:
            assert found["verdict"] == words(verdict)
        for name, picture in pictures.items():
            has_drawn(picture, found["layers"][name], found["axes"][name])

    page.eventually(check)


def has_drawn(picture: Picture, drawn: dict[str, Any], axes: dict[str, Any]) -> None:
    """Every layer is where Python has it, below it what Python writes there."""
    for layer in picture.layers:
        if not layer.wanted or layer.kind == "readout":
            continue
        columns = layer.columns
        if layer.kind == "segments":
            columns = {axis: layer.along(axis) for axis in "xy"}
        for column in {"x", "y", "text", *CORNERS} & columns.keys():
            there = [np.nan if one is None else one for one in drawn[layer.name][column]]
            wanted = columns[column]
            if column == "text":
                assert there == wanted.tolist()
            else:
                np.testing.assert_allclose(there, wanted, rtol=1e-12)
    x, y = picture.x, picture.y
    ticks = [*(x.ticks or {}).values()]
    assert axes == {"x": [*ends(x)], "y": [*ends(y)], "label": x.label or None, "ticks": ticks}


def texts_of_row(row: list[object]) -> list[str]:
    """What is written in a row of the table of queries; of a list, where it is cut."""
    texts = []
    for cell in row:
        first, *more = cell if isinstance(cell, list) else [cell]
        if re.fullmatch(r"\d{9,}", str(first)):
            first = f"cut at {more[0]:.3f}" if more[0] >= 0 else ""
        texts.append(str(first))
    return texts


def step(page: Page, setting: str, keys: list[str]) -> float:
    """Move a slider by keys; where it is then."""
    handle = page.handle(SLIDERS[setting])
    handle.focus()
    for key in keys:
        handle.press(key)
    page.browsed.wait_for_timeout(200)  # some frames
    return float(page.box(SLIDERS[setting]).input_value())


@pytest.mark.parametrize(
    ("setting", "view", "keys"),
    [
        ("k", "precision_recall", [["Home"], ["ArrowRight"], ["PageUp"], ["End"], ["ArrowLeft"]]),
        ("k", "scatter", [["End"], ["Home"], ["ArrowRight"], ["PageUp"]]),
        ("k", "nth_error", [["End"], ["Home"], ["ArrowRight"], ["PageUp"]]),
        ("k", "pooled", [["Home"], ["PageUp"], ["End"]]),
        ("k", "differences", [["Home"], ["PageUp"], ["End"]]),
        ("n", "roc", [["Home"], ["ArrowRight"] * 40, ["End"], ["PageDown"]]),
        ("n", "sensitivity", [["Home"], ["PageUp"] * 4, ["End"], ["PageDown"]]),
        ("n", "pooled", [["End"], ["PageDown"], ["Home"], ["ArrowRight"] * 40]),
        ("e0", "precision_recall", [["Home"], ["ArrowRight"], ["PageUp"] * 4, ["End"]]),
        ("e0", "scatter", [["Home"], ["PageUp"] * 6, ["End"], ["ArrowLeft"]]),
        ("e0", "differences", [["Home"], ["PageUp"] * 7, ["End"]]),
    ],
)
def test_all_follows_while_the_server_is_stopped(
    open_page: Any, python: Explorer, setting: str, view: str, keys: list[list[str]]
) -> None:
    mode = "e0" if setting == "e0" else "k"
    page = open_page(f"?mode={mode}&view={view}")
    has_views(page, setting)
    python = again(python, mode=mode)
    if setting == "e0":
        e0 = stops(PlotData(python).axis)["e0"].values
        if work := python.every_threshold(python.compared(), e0):
            work(None)
    first = python.known
    with page.server.stopped():
        for some in keys:
            value = step(page, setting, some)
            there = again(python, **{setting: value if setting == "e0" else int(value)})
            # Another n is not that of the intervals: those of n are unknown, the others stay.
            if setting == "n":
                kept_intervals(page, python, there, first)
            else:
                shows(page, there, there.known)
    page.shows(lambda: page.settings()[setting], [str(getattr(there, setting))])
    page.settled()
    page.shows(lambda: page.box(SLIDERS[setting]).input_value(), f"{value:g}")


def test_axes_follow_unless_the_person_has_zoomed(open_page: Any, python: Explorer) -> None:
    page = open_page("?view=nth_error")
    has_views(page, "k")
    page.script("tapviz.figure(args[0]).y_range.setv({ start: 3, end: 9 })", "nth_error")
    page.settled()
    with page.server.stopped():
        step(page, "k", ["Home"])
        axes = page.script(AXES, "nth_error")
        reset = page.script("tapviz.figure(args[0]).y_range.reset_end", "nth_error")
        height = page.script(HEIGHT, "nth_error")
    picture = PLOTS["nth_error"].picture(PlotData(again(python, k=1)))
    assert (axes["x"], axes["y"]) == ([*ends(picture.x)], [3, 9])
    assert reset == picture.y.end  # where it goes when the zoom is reset
    page.shows(lambda: page.settings()["k"], ["1"])
    page.settled()
    assert page.script(AXES, "nth_error")["y"] == [3, 9]
    assert page.script(HEIGHT, "nth_error") == height  # there was room for what the axis says


SAID_LATE = """() => {
    let moved = 0
    document.addEventListener("tapviz-moved", () => { moved = performance.now() })
    window.late = new Promise((done) => new MutationObserver(() => {
        if (document.querySelector("#tapviz-waiting:not(:empty)")) done(performance.now() - moved)
    }).observe(document.body, { childList: true, subtree: true }))
}"""
"""How long after a move the page says that the server has not answered, in milliseconds."""


def test_what_the_page_has_moved_by_itself_is_called_late_after_a_while_only(page: Page) -> None:
    has_views(page, "k")
    line = page.browsed.locator("#tapviz-waiting:not(:empty)")
    page.browsed.evaluate(SAID_LATE)
    with page.server.stopped():
        step(page, "k", ["Home"])
        assert page.browsed.evaluate("late") > 1900
        expect(line).to_have_text("Updating …")
    expect(line).to_have_count(0)


def test_an_answer_that_comes_late_does_not_move_the_page_back(open_page: Any) -> None:
    page = open_page("?view=roc")
    has_views(page, "n")
    step(page, "n", ["Home"])
    page.settled()
    with page.server.stopped():
        step(page, "n", ["ArrowRight"] * 33)  # to one of many places that stand for n = 2
        page.browsed.wait_for_timeout(1200)  # so that the server is told
        assert step(page, "n", ["End"]) == MAX_N
        page.script(ANSWER)  # as the server says it: the first place of n = 2
        page.browsed.wait_for_timeout(200)
        assert page.box(N).input_value() == str(MAX_N)
    page.shows(lambda: page.settings()["n"], [str(MAX_N)])


def kept_intervals(page: Page, before: Explorer, there: Explorer, known: Compared | None) -> None:
    """Wait for the cells of another n, beside those that it does not move."""
    tables = [
        parts_of(one, PlotData(one).styles, compared)
        for one, compared in ((before, known), (there, None))
    ]
    (_, kept), (head, moved) = tables
    wanted = [[words(cell) for cell in row] for row in head]
    wanted[0][0] = ""
    for name in best_first(before):
        row = (*kept[name].at_threshold, *moved[name].others)
        wanted.append([words(cell) for cell in row])

    page.shows(lambda: seen(page)["rows"], wanted)


def test_what_python_chooses_moves_the_page(page: Page, python: Explorer) -> None:
    has_views(page, "k")
    page.type(K, "7")
    page.shows(lambda: page.heads()[1], "TAP-7")
    page.at_rest(ONE_STEP)  # so that the drag is a choice of its own
    page.drag(K, 40, steps=1)
    page.press("Undo")
    page.shows(lambda: page.heads()[1], "TAP-7")
    page.type(K, "300")  # no stop of the slider: the server shows it
    page.shows(lambda: page.heads()[1], "TAP-300")
    page.handle(K).press("Home")  # from where nothing is marked, since no list has so many errors
    there = again(python, k=1)
    shows(page, there, there.known)


def test_after_a_move_another_change_is_shown_whole(page: Page, python: Explorer) -> None:
    has_views(page, "k")
    page.drag(K, 30, steps=5)
    page.tick("phmmer")  # before the page has rested
    page.shows(lambda: len(page.table()), 6)
    page.tick("phmmer")
    k = int(page.box(K).input_value())
    there = again(python, k=k)
    page.settled()
    shows(page, there, there.known)


def test_a_step_is_on_all_plots_in_its_own_frame(page: Page) -> None:
    has_views(page, "k")
    late = page.script(LATE, K, 90)
    assert late == dict.fromkeys(("tap", "epq", "precision_recall"), 0)
