"""Pictures drawn by the browser alone: every layer is where its columns say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tapviz import Explorer, load_results
from tapviz.draw.browser import DARK, axis_data, layer_data, picture_data
from tapviz.draw.picture import Axis, Picture, boxes, line, points, readout, segments, texts
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import INK, ON_DARK
from tapviz.plots import PlotData, plots_for

SOURCES = "https://sources.test/draw"

X = np.array([0.0, 2.0, np.nan, 5.0, 10.0])
Y = np.array([0.0, 1.0, 0.5, 0.25, 1.0])
TEXTS = np.array(["one", "two", "<b>three</b>", "four", "five"], np.object_)
RED, BLUE = "#FF0000", "#0000FF"
COLORS = np.array([RED, BLUE, RED, BLUE, RED], np.object_)


def everything(x: Axis, y: Axis) -> Picture:
    """A layer of every kind."""
    corners = {"x0": X[:2], "y0": Y[:2], "x1": X[3:], "y1": Y[3:]}
    marks = {"x": X, "y": Y, "color": COLORS, "query": TEXTS, "total": np.arange(1000, 1005)}
    return Picture(
        (
            boxes("box", corners, RED, fill_alpha=0.5),
            segments("segment", corners, BLUE, dash=(2, 4)),
            line("line", {"x": X, "y": Y}, RED, dash=(6, 4), width=2),
            points("point", marks, marker="diamond", tooltip="<b>@query</b> @total{0,0} @y{0.000}"),
            texts("text", {"x": X, "y": Y, "text": TEXTS, "color": COLORS}, align="center"),
            line("moving", {"x": X[:2], "y": Y[:2]}, INK, moving=True),
            readout({"x": X[[0, 4]], "y": Y[[0, 4]], "text": TEXTS[[0, 4]]}),
        ),
        x,
        y,
    )


LINEAR = everything(Axis("x axis", 0.0, 10.0), Axis("y axis", 0.0, 1.0))


def send_source(route: Route) -> None:
    """A module of the room, to any page that imports it."""
    path = files("tapviz.draw").joinpath(route.request.url.rpartition("/")[2])
    headers = {"Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript"}
    route.fulfill(body=path.read_text(encoding="utf-8"), headers=headers)


@pytest.fixture
def blank(chromium: Browser) -> Iterator[Page]:
    """A page with room for one picture, and the module; nothing is complained of."""
    context = chromium.new_context(offline=True, viewport={"width": 700, "height": 500})
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.route(f"{SOURCES}/*.js", send_source)
    page.set_content(
        f"<style>.dark {{ {DARK} }}</style><div id='host'></div>"
        "<script type='module'>"
        f"import {{ draw }} from '{SOURCES}/browser.js'\nwindow.draw = draw</script>"
    )
    page.wait_for_function("typeof window.draw === 'function'")
    yield page
    context.close()
    assert said == []


def draw(page: Page, picture: Picture, options: str = "{}") -> None:
    page.evaluate(
        "([picture]) => { window.drawn?.destroy(); "
        f"window.drawn = draw(document.getElementById('host'), picture, {options}) }}",
        [json.loads(json.dumps(picture_data(picture), allow_nan=False))],
    )


def path(page: Page, name: str) -> list[list[float]]:
    """Numbers of the path that draws a layer, stroke by stroke."""
    d = page.evaluate(
        "name => document.querySelector(`[data-layer='${name}'] path`).getAttribute('d')", name
    )
    strokes = [part.replace("L", " ").split() for part in d.split("M")[1:]]
    return [[float(value) for value in part] for part in strokes]


def ticks(page: Page, axis: str) -> dict[str, float]:
    """Where each tick's text stands."""
    found: dict[str, float] = page.evaluate(
        """axis => Object.fromEntries(
            [...document.querySelectorAll(`[data-tick=${axis}]`)].map((text) => {
                const box = text.getBoundingClientRect(), svg = document.querySelector("svg")
                const from = svg.getBoundingClientRect()
                return [text.textContent, axis === "x" ? box.x + box.width / 2 - from.x
                    : Number(text.getAttribute("y")) - 0.35 * 12]
            }))""",
        axis,
    )
    return found


def test_a_line_runs_through_its_points_on_the_scale_of_the_ticks_with_gaps(blank: Page) -> None:
    draw(blank, LINEAR)
    x, y = ticks(blank, "x"), ticks(blank, "y")
    assert {"0", "10"} <= set(x)
    assert {"0.0", "1.0"} <= set(y)
    left, right, bottom, top = x["0"], x["10"], y["0.0"], y["1.0"]
    expected = np.c_[left + X / 10 * (right - left), bottom + Y * (top - bottom)]
    found = path(blank, "line")
    assert [len(part) for part in found] == [4, 4]  # two strokes of two points
    assert np.array(found).reshape(-1, 2) == pytest.approx(expected[[0, 1, 3, 4]], abs=0.6)
    places = blank.evaluate(
        "[...document.querySelectorAll('[data-layer=point] path')].filter((one) => "
        "one.style.display !== 'none').map((one) => one.getAttribute('transform'))"
    )
    at = [[float(v) for v in place[10:-1].split(",")] for place in places]
    assert np.array(at) == pytest.approx(expected[[0, 1, 3, 4]], abs=0.6)
    assert np.array(path(blank, "segment"))[:, :2] == pytest.approx(expected[:2], abs=0.6)
    assert np.array(path(blank, "segment"))[:, 2:] == pytest.approx(expected[3:], abs=0.6)


def test_many_points_are_each_drawn_at_their_place_by_few_paths(blank: Page) -> None:
    place = np.linspace(0, 1, 101)
    marks = {
        "x": place * 10,
        "y": place,
        "color": np.array([RED] * 60 + [BLUE] * 41, np.object_),
        "marker": np.array(["triangle"] * 60 + ["diamond"] * 41, np.object_),
    }
    picture = Picture((points("point", marks, line_color=None),), LINEAR.x, LINEAR.y)
    draw(blank, picture, f"{{hidden: new Set(['{BLUE}'])}}")
    x, y = ticks(blank, "x"), ticks(blank, "y")
    drawn = "[...document.querySelectorAll('[data-layer=point] path')]"
    paths = blank.evaluate(
        drawn + ".filter((one) => one.style.display !== 'none').map((one) => one.getAttribute('d'))"
    )
    assert len(paths) < 10
    at = [[float(v) for v in re.split("[ m]", one)[:2]] for d in paths for one in d.split("M")[1:]]
    expected = np.c_[x["0"] + place * (x["10"] - x["0"]), y["0.0"] + place * (y["1.0"] - y["0.0"])]
    assert np.array(sorted(at)) == pytest.approx(expected[:60], abs=0.6)
    blank.evaluate("drawn.hide([])")
    assert blank.evaluate(drawn + ".length") < 20
    fewer = replace(
        picture.by_name["point"], columns={name: one[:3] for name, one in marks.items()}
    )
    blank.evaluate("layers => drawn.update(layers)", [layer_data(fewer, picture)])
    seen = drawn + ".filter((one) => one.style.display !== 'none').length"
    assert blank.evaluate(seen) == 3


def boxes_of(page: Page, name: str) -> list[dict[str, float]]:
    """Where the texts of a layer are that are seen."""
    texts = page.locator(f"[data-layer={name}] text:visible").all()
    return [box for text in texts if (box := text.bounding_box()) is not None]


def test_texts_in_one_row_are_moved_apart_where_there_is_little_room(blank: Page) -> None:
    names = [f"a long name {i}" for i in range(4)]
    columns = {
        "x": np.array([0.0, 0.5, 1.0, 9.0]),
        "y": np.full(4, 0.9),
        "text": np.array(names, np.object_),
        "color": np.array([RED] * 4, np.object_),
    }
    blank.set_viewport_size({"width": 400, "height": 500})
    draw(blank, Picture((texts("key", columns),), LINEAR.x, LINEAR.y))
    boxes = sorted(boxes_of(blank, "key"), key=lambda box: box["x"])
    assert len(boxes) == 4
    for one, following in pairwise(boxes):
        assert one["x"] + one["width"] < following["x"] + 1
    assert boxes[-1]["x"] + boxes[-1]["width"] <= 400


def test_a_name_goes_back_to_its_line_when_others_are_left_out(blank: Page) -> None:
    columns = {
        "x": np.full(3, 10.0),
        "y": np.array([0.6, 0.5, 0.4]),
        "text": np.array(["one", "two", "three"], np.object_),
        "color": np.array(["a0", "a1", "a2"], np.object_),
        "from_x": np.full(3, 9.0),
        "from_y": np.array([0.5, 0.5, 0.5]),
    }
    draw(blank, Picture((texts("name", columns),), LINEAR.x, LINEAR.y))
    first, line_at = boxes_of(blank, "name")[0]["y"], boxes_of(blank, "name")[1]["y"]
    assert first < line_at - 15
    blank.evaluate("drawn.hide(['a1', 'a2'])")
    (alone,) = boxes_of(blank, "name")
    assert alone["y"] == pytest.approx(line_at, abs=1)


@pytest.mark.parametrize(
    ("axis", "values"),
    [
        (Axis("", 1.0, 2000.0, log=True), {"1": 1.0, "10": 10.0, "100": 100.0, "1000": 1000.0}),
        (Axis("", 10.0, 0.0), {"10": 10.0, "0": 0.0, "5": 5.0}),
        (Axis("", 0.0, 10.0, ticks={0.0: "none", 4.0: "some"}), {"none": 0.0, "some": 4.0}),
    ],
)
def test_axes_of_every_kind_draw_a_place_at_its_tick(
    blank: Page, axis: Axis, values: dict[str, float]
) -> None:
    at = np.array(list(values.values()))
    drawn = line("at", {"x": at, "y": np.full(at.size, 0.5)}, RED)
    draw(blank, Picture((drawn,), axis, Axis("", 0.0, 1.0)))
    found = ticks(blank, "x")
    expected = [found[text] for text in values]
    assert np.ravel(path(blank, "at"))[::2] == pytest.approx(expected, abs=0.6)


def test_zero_has_its_place_on_a_scale_of_powers(blank: Page) -> None:
    scale = PowerScale.of(0.001, 100.0, zero=True)
    start, end = scale.start - 0.1, scale.end + 0.1
    drawn = line("at", {"x": scale.position([0.0, 0.01, 100.0]), "y": np.full(3, 0.5)}, RED)
    draw(blank, Picture((drawn,), Axis("", start, end, scale=scale), Axis("", 0.0, 1.0)))
    found = ticks(blank, "x")
    expected = [found["0"], found["0.01"], found["100"]]
    assert np.ravel(path(blank, "at"))[::2] == pytest.approx(expected, abs=0.6)


def test_an_update_replaces_only_the_layers_it_is_given(blank: Page) -> None:
    draw(blank, LINEAR)
    before = path(blank, "line")
    moved = replace(LINEAR.by_name["moving"], columns={"x": X[3:], "y": Y[3:]})
    blank.evaluate("layers => drawn.update(layers)", [layer_data(moved, LINEAR)])
    assert path(blank, "line") == before
    assert path(blank, "moving") == [before[1]]
    # Another axis moves all of them.
    longer = axis_data(Axis("longer", 0.0, 20.0))
    blank.evaluate("([x]) => drawn.update([], {x, label: 'now longer'})", [longer])
    assert blank.locator("svg").get_attribute("aria-label") == "now longer"
    left = before[0][0]
    assert path(blank, "line")[1][2] == pytest.approx((left + before[1][2]) / 2, abs=0.2)


def test_what_has_a_tooltip_answers_mouse_finger_and_keyboard(blank: Page) -> None:
    draw(blank, LINEAR, "{onpick: (layer, i) => { window.picked = [layer.name, i] }}")
    x, y = ticks(blank, "x"), ticks(blank, "y")
    blank.mouse.move(8 + x["0"] + 0.2 * (x["10"] - x["0"]), 8 + y["1.0"])
    tooltip = blank.locator(".tooltip")
    expect(tooltip).to_have_text("two 1,001 1.000", use_inner_text=True)
    blank.mouse.down()
    blank.mouse.up()
    blank.wait_for_function("window.picked")
    assert blank.evaluate("picked") == ["point", 1]
    # Elsewhere the read-out answers with what is nearest along x.
    blank.mouse.move(8 + x["10"] - 30, 8 + y["0.0"] - 30)
    expect(tooltip).to_have_text("five")
    blank.mouse.move(690, 490)
    expect(tooltip).not_to_be_visible()
    blank.locator("svg").focus()
    blank.keyboard.press("End")
    expect(tooltip).to_have_text("five")
    blank.keyboard.press("ArrowLeft")
    expect(tooltip).to_have_text("one")
    blank.keyboard.press("Escape")
    expect(tooltip).not_to_be_visible()


def test_text_of_the_data_is_no_markup(blank: Page) -> None:
    layer = LINEAR.by_name["point"]
    picture = replace(LINEAR, layers=(replace(layer, columns=layer.columns | {"x": X * 0 + 5}),))
    draw(blank, picture)
    blank.locator("svg").focus()
    for _ in range(3):
        blank.keyboard.press("ArrowRight")
    assert blank.locator(".tooltip b").count() == 1


def test_colours_can_be_hidden_and_are_those_of_a_dark_page(blank: Page) -> None:
    draw(blank, LINEAR, f"{{hidden: new Set(['{RED}'])}}")
    visible = (
        "[...document.querySelectorAll('[data-layer=point] path')]"
        ".filter((one) => one.checkVisibility()).length"
    )
    assert blank.evaluate(visible) == 2
    assert not blank.locator("[data-layer=line] path").is_visible()
    blank.evaluate("drawn.hide([])")
    assert blank.evaluate(visible) == 4
    stroke = "getComputedStyle(document.querySelector('[data-layer=moving] path')).stroke"
    assert blank.evaluate(stroke) == _rgb(INK)
    blank.evaluate("document.body.className = 'dark'")
    assert blank.evaluate(stroke) == _rgb(ON_DARK[INK])


@pytest.mark.parametrize("width", [1440, 390])
def test_no_text_of_any_plot_is_cut_and_no_ticks_overlap(blank: Page, width: int) -> None:
    blank.set_viewport_size({"width": width, "height": 800})
    explorer = Explorer(load_results("profiles"), k=5, baseline="RPS-BLAST")
    data = PlotData(explorer)
    for plot in plots_for(explorer):
        draw(blank, plot.picture(data), f"{{label: {json.dumps(plot.plain_title)}}}")
        assert blank.evaluate(CUT) == [], plot.name
        assert blank.evaluate(OVERLAPPING) == [], plot.name
        assert blank.evaluate("document.documentElement.scrollWidth") == width


CUT = """[...document.querySelectorAll("svg text")].filter((one) => {
    const box = one.getBoundingClientRect(), svg = one.closest("svg").getBoundingClientRect()
    return one.checkVisibility() && box.width && (box.left < svg.left - 1
        || box.right > svg.right + 1 || box.top < svg.top - 2 || box.bottom > svg.bottom + 2)
}).map((one) => one.textContent)"""
OVERLAPPING = """["x", "y"].flatMap((axis) => {
    const all = [...document.querySelectorAll(`[data-tick=${axis}]`)]
    const boxes = all.map((one) => one.getBoundingClientRect())
    return all.filter((_, i) => boxes.some((box, j) => j < i && (axis === "x"
        ? box.left < boxes[i].right && boxes[i].left < box.right
        : box.top + 3 < boxes[i].bottom && boxes[i].top + 3 < box.bottom)))
        .map((one) => one.textContent)
})"""


def _rgb(color: str) -> str:
    parts: list[Any] = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return f"rgb({', '.join(map(str, parts))})"
