"""The names of BokehJS and Panel that are not public are in a loaded page.

A release that takes a name away fails here, by that name: see `tapviz/live/compat.js`, which says
what is lost until it is mended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext
from playwright.sync_api import Page as Browsed

from tests.ui.modules import imported, source
from tests.ui.page import CHANGE_DATA, Page

COMPAT, SHADOW = imported("live", "compat.js"), imported("live", "shadow.js")
CLASSES = re.findall(r'^    (\w+): "[\w.> -]+",$', source("live", "compat.js"), re.MULTILINE)
SHEETS = [
    one.read_text(encoding="utf-8")
    for room in ("draw", "live", "page")
    for one in files(f"tapviz.{room}").iterdir()
    if one.name.endswith(".css")
]
STYLED = {name for sheet in SHEETS for name in re.findall(r"\.(?:bk|noUi|filepond-)-[\w-]+", sheet)}
# Those of NAMES that some view of their type has not, nor a prototype, or the page.
GONE = f"""async () => {{
    const {{ NAMES }} = {COMPAT}
    const owners = (type) => type === "page" ? [globalThis]
        : type.includes(".") ? [Bokeh.Models.get(type).prototype]
        : [...Bokeh.index.query(({{ model }}) => model.type === type)]
    const has = (owner, [name, ...more]) =>
        name in Object(owner) && (!more.length || has(owner[name], more))
    return Object.entries(NAMES).flatMap(([type, paths]) => paths
        .filter((path) => !owners(type).some((owner) => has(owner, path.split("."))))
        .map((path) => `${{type}}.${{path}}`))
}}"""
# A page in which BokehJS has a slider, a layer and a figure, each without some names.
BARE = """(names) => {
    class View { constructor(model) { this.model = model } }
    for (const name of names) View.prototype[name] = function () { return `Bokeh's ${name}` }
    const views = ["Slider", "GlyphRenderer", "Figure"].map(
        (type) => new View({ type, level: "overlay" }))
    views[1].position = views[1]
    const query = function* (condition) { yield* views.filter(condition) }
    globalThis.Bokeh = { index: { query } }
    return views
}"""


@pytest.fixture
def bare(shared: BrowserContext) -> Iterator[Browsed]:
    """A page without anything."""
    page = shared.new_page()
    yield page
    page.close()


def test_the_list_is_not_empty() -> None:
    assert {"sliderHandle", "tooltip"} <= set(CLASSES)


def test_all_names_are_still_there(page: Page) -> None:
    assert page.browsed.evaluate(GONE) == [], "see tapviz/live/compat.js"


def test_a_name_that_has_gone_is_missed(page: Page) -> None:
    without = f"""async () => {{
        const {{ readers }} = __framePainter
        __framePainter.readers = []
        return ({GONE})().finally(() => {{ __framePainter.readers = readers }})
    }}"""
    assert page.browsed.evaluate(without) == ["page.__framePainter.readers.0"]


FOUND = f"async (name) => Boolean({SHADOW}.find(document, {COMPAT}.CLASSES[name]))"


def test_all_classes_are_still_there(page: Page) -> None:
    page.more()
    page.press(CHANGE_DATA)

    def gone() -> list[str]:
        return [name for name in CLASSES if not page.browsed.evaluate(FOUND, name)]

    page.shows(gone, ["tooltip"])  # which is looked for in a page of its own


def test_all_classes_that_style_sheets_name_are_still_there(page: Page, tmp_path: Path) -> None:
    """Of Bokeh, noUiSlider and FilePond: without one of them a part has not the page's looks."""
    (tmp_path / "file.tsv").write_text("a\tb\n", encoding="utf-8")
    page.more()
    page.press(CHANGE_DATA)
    page.browsed.locator("input[type=file]").last.set_input_files(tmp_path / "file.tsv")
    there = f"async (name) => Boolean({SHADOW}.find(document, name))"

    def gone() -> set[str]:
        return {name for name in STYLED if not page.browsed.evaluate(there, name)}

    page.shows(gone, {".noUi-active"})  # of a slider that is held


def test_the_class_of_a_tooltip_is_still_there(open_page) -> None:
    """On a page where nothing lies before a dot, and to which nothing else was done."""
    page = open_page("?view=scatter").settled()

    def there() -> None:
        page.browsed.bring_to_front()
        place = page.script("""(() => {
            const view = tapviz.view("scatter")
            const { data } = tapviz.figure("scatter").renderers
                .find(({ name }) => name === "point").data_source
            const { left, top } = view.canvas_view.events_el.getBoundingClientRect()
            const { x_scale, y_scale } = view.frame
            return [left + x_scale.compute(data.x[0]), top + y_scale.compute(data.y[0])]
        })()""")
        page.browsed.mouse.move(place[0] + 30, place[1])
        page.browsed.mouse.move(*place)
        assert page.browsed.evaluate(FOUND, "tooltip")

    page.eventually(there)


def test_the_list_names_all_classes_that_are_looked_up_in_a_page(page: Page) -> None:
    """It is read from the text here: the page knows the same."""
    assert page.browsed.evaluate(f"async () => Object.keys({COMPAT}.CLASSES)") == CLASSES


@pytest.mark.parametrize(
    ("names", "changed"),
    [
        ([], []),
        (["_change"], []),  # without _slide letting go of a slider would throw
        (["_slide"], []),  # nor is there a value to say
        (["_calc_from", "_slide"], ["_slide"]),
        (["_calc_from", "_change", "_slide"], ["_change", "_slide"]),
        (["_update"], ["_update"]),
        (["update_position"], ["update_position"]),
        (["map_data"], ["map_data"]),
    ],
)
def test_without_a_name_bokeh_stays_as_it_is(
    bare: Browsed, names: list[str], changed: list[str]
) -> None:
    found = bare.evaluate(
        f"""async (names) => {{
        const [view] = ({BARE})(names)
        const prototype = Object.getPrototypeOf(view), before = {{ ...prototype }}
        for (const name of names) before[name] = prototype[name]
        const compat = {COMPAT}
        compat.quicken()
        compat.sayAtPace()
        compat.clipOverlays()
        if (compat.figureOf(document.body)) throw new Error("no such figure")
        return names.filter((name) => prototype[name] !== before[name])
    }}""",
        names,
    )
    assert found == changed


# A slider of BARE that notes what it is set to, and what of that the server is told.
SLIDER = f"""async (steps) => {{
    const [slider] = ({BARE})(["_change", "_slide", "_calc_from"])
    const told = [], here = []
    const prototype = Object.getPrototypeOf(slider)
    prototype._calc_from = ([value]) => value
    slider.model.setv = function ({{ value }}, {{ sync = true }}) {{
        this.value = value
        here.push(value)
        if (sync) told.push(value)
    }}
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const say = (type) => document.dispatchEvent(new Event(type))
    const moments = []
    const note = () => moments.push([told.splice(0), here.splice(0)])
    const compat = {COMPAT}
    await steps({{ compat, slider, told, wait, say, note }})
    note()
    return moments
}}"""


def said(bare: Browsed, steps: str) -> list[list[list[int]]]:
    """What the server has been told, and the slider been set to, at each note and at the end."""
    found: list[list[list[int]]] = bare.evaluate(f"() => ({SLIDER})({steps})")
    return found


def test_a_slider_says_its_latest_value_when_the_one_before_is_painted(bare: Browsed) -> None:
    steps = """({ compat, slider, say, note }) => {
        compat.sayAtPace()
        say("pointerdown")
        for (const value of [1, 2, 3]) slider._slide([value])
        note()
        say("tapviz-painted")
        note()
        slider._slide([4])
        say("tapviz-painted")
        note()
        say("tapviz-painted")
        slider._slide([4])  // no change: nothing will be painted
        slider._slide([5])
        note()
        slider._slide([6])
        slider._slide([7])
        say("pointerup")  // the last is said
        slider._change([7])  // and not once more
        note()
        slider._slide([8])  // and by the keyboard each
        slider._slide([9])
    }"""
    assert [moment[0] for moment in said(bare, steps)] == [[1], [3], [4], [5], [7], [8, 9]]


def test_a_slider_whose_value_is_never_painted_says_the_next_after_a_while(bare: Browsed) -> None:
    steps = """async ({ compat, slider, wait, say }) => {
        compat.sayAtPace(() => ({ patience: 10 }))
        say("pointerdown")
        for (const value of [1, 2, 3]) slider._slide([value])
        while (slider.model.value !== 3) await wait(5)
    }"""
    assert said(bare, steps) == [[[1, 3], [1, 3]]]


@pytest.mark.parametrize("by_hand", [True, False])
def test_what_the_page_shows_itself_is_said_at_its_own_pace(
    bare: Browsed,
    by_hand: bool,  # noqa: FBT001
) -> None:
    steps = """async ({ compat, slider, told, wait, say, note }) => {
        const shown = []
        compat.sayAtPace(() => ({ show(model, value) { shown.push(value); return 30 } }))
        if (BY_HAND) say("pointerdown")
        for (const value of [1, 2, 3]) slider._slide([value])
        say("tapviz-painted")  // not what it waits for
        note()
        if (String(shown) !== "1,2,3") throw new Error(shown)
        while (!told.includes(3)) await wait(5)
        await wait(60)
        note()
        slider._slide([4])
        slider._slide([5])
        say("pointerup")  // the last at once
    }"""
    found = said(bare, steps.replace("BY_HAND", str(by_hand).lower()))
    assert found[0] == [[1], [1, 2, 3]]
    assert [moment[0] for moment in found[1:]] == [[3], [4, 5]]


def test_without_bokeh_at_all_nothing_throws(bare: Browsed) -> None:
    bare.evaluate(
        f"""async () => {{
        const compat = {COMPAT}
        compat.quicken()
        compat.sayAtPace()
        compat.clipOverlays()
        compat.figureOf(document.body)
    }}"""
    )


@pytest.mark.parametrize(
    ("manager", "in_cell", "forwarded"),
    [
        ("null", False, []),
        ("{ type: 'panel.models.comm_manager.CommManager' }", True, []),
        ("{ client_comm_id: '1', _document_changed: listen }", True, ["own"]),
    ],
)
def test_only_the_pages_own_changes_are_forwarded(
    bare: Browsed,
    manager: str,
    in_cell: bool,  # noqa: FBT001
    forwarded: list[str],
) -> None:
    found = bare.evaluate(
        f"""async () => {{
        const heard = []
        const listen = (event) => heard.push(event.name)
        const manager = {manager}
        const roots = [{{ type: "Column" }}, ...(manager ? [manager] : [])]
        const inCell = {COMPAT}.forwardOnlyOwnChanges({{ document: {{ roots: () => roots }} }})
        manager?._document_changed?.({{ name: "own", sync: true }})
        manager?._document_changed?.({{ name: "Python's", sync: false }})
        return [inCell, heard]
    }}"""
    )
    assert found == [in_cell, forwarded]
