"""The page's parts without a browser or a server: controls, texts, and what is sent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from typing import Any
from weakref import WeakSet

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document
from bokeh.plotting import figure as Figure  # noqa: N812
from panel.io.state import set_curdoc

from tapviz import Explorer, load_results
from tapviz.draw.picture import Axis, Picture, line
from tapviz.draw.style import COLORS, styles
from tapviz.explorer.score_table import best_first, cautions, method, score_table, swatch
from tapviz.explorer.verdict import CURRENT, UPDATING, conclusion
from tapviz.lesson.scenes import scenes
from tapviz.lists import RetrievalLists
from tapviz.live.background import BackgroundTask
from tapviz.live.frame_gate import FrameGate
from tapviz.live.plot import LivePlot
from tapviz.live.templates import render
from tapviz.page import Dashboard
from tapviz.page.app import App
from tapviz.page.places import LESSON
from tapviz.plots import PLOTS, PlotData
from tapviz.readers.inputs import Opened
from tapviz.scores import PRESETS, SCORES
from tapviz.scores.findings import describe
from tests.drawn import assert_shows, layers, renderers

NAMES = ["one", "two", "three", "four", "five", "<b>six</b>"]


def made(seed: int) -> RetrievalLists:
    rng = np.random.default_rng(seed)
    score = np.sort(10.0 ** rng.uniform(-40, 2, (8, 30)), axis=1)
    score[0, :2] = 0
    return RetrievalLists(
        score.ravel(),
        rng.random(240) < 0.4,
        np.arange(0, 241, 30),
        [40] * 8,
        query=[f"d{i}" for i in range(8)],
        query_class=["a.1.1"] * 5 + ["a.10.1"] * 3,
    )


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    yield
    pn.state.kill_all_servers()
    pn.state.reset()


@pytest.fixture
def explorer() -> Explorer:
    return Explorer({name: made(seed) for seed, name in enumerate(NAMES)}, k=3)


@pytest.fixture
def dashboard(explorer: Explorer) -> Dashboard:
    return Dashboard(explorer, title="test")


def widgets(dashboard: Dashboard, kind: type, **attributes: Any) -> list[Any]:
    return [
        widget
        for widget in dashboard.__panel__().select(kind)
        if all(getattr(widget, name) == value for name, value in attributes.items())
    ]


def title(widget: Any) -> str:
    """What a control is called on the page."""
    return widget.label or widget.name


def slider(dashboard: Dashboard, end: float) -> Any:
    (found,) = widgets(dashboard, pn.widgets.IntSlider, end=end)
    return found


def box_beside(dashboard: Dashboard, control: Any) -> Any:
    rows = [row for row in dashboard.__panel__().select(pn.Row) if control in list(row)]
    row = list(rows[-1])
    return row[row.index(control) + 1]


def threshold(dashboard: Dashboard) -> tuple[Any, Any]:
    (control,) = widgets(dashboard, pn.widgets.FloatSlider, tags=["e0"])
    return control, box_beside(dashboard, control)


def words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", "", text)).strip()


# --- controls follow, and lead ----------------------------------------------------------------


def test_controls_follow_k(dashboard: Dashboard, explorer: Explorer) -> None:
    control = slider(dashboard, 100)
    box = box_beside(dashboard, control)
    assert (control.value, box.value) == (3, 3)
    explorer.k = 5
    assert (control.value, box.value) == (5, 5)
    box.value = 7
    assert (control.value, explorer.k) == (7, 7)
    control.value = 9
    assert (box.value, explorer.k) == (9, 9)


def test_k_goes_as_far_as_any_list_has_errors() -> None:
    errors = np.arange(1.0, 251)
    lists = RetrievalLists(errors, np.zeros(250, bool), [0, 250], [3])
    explorer = Explorer({"A": lists, "B": RetrievalLists([1.0], [0], [0, 1], [3])}, k=3)
    dashboard = Dashboard(explorer)
    control = slider(dashboard, 100)
    box = box_beside(dashboard, control)
    box.value = 250
    assert explorer.k == control.end == control.value == 250
    box.value = 251
    assert explorer.k == box.value == 250
    shown = [pane.object for pane in widgets(dashboard, pn.pane.HTML) if pane.visible]
    assert any("k: enter a whole number from 1 to 250" in text for text in shown)
    assert explorer.from_query("?k=251") == ["k = '251' in the address cannot be used here"]
    assert explorer.from_query("?k=9999") == ["k = '9999' in the address cannot be used here"]
    assert explorer.from_query("?k=200") == []
    assert explorer.k == 200
    # Of short lists as many as the slider has.
    assert Explorer({"A": made(0)}).from_query("?k=100") == []


def test_a_baseline_that_is_not_ticked_has_a_row(dashboard: Dashboard, explorer: Explorer) -> None:
    explorer.param.update(algorithms=["two", "three"], baseline="five")
    assert sorted(names_in(dashboard)) == ["five", "three", "two"]
    assert "baseline" in words(dashboard._table.text.split("five")[-1])
    explorer.baseline = "two"
    assert sorted(names_in(dashboard)) == ["three", "two"]


def test_a_against_b_is_what_its_choices_say(dashboard: Dashboard, explorer: Explorer) -> None:
    explorer.view = "scatter"

    def b() -> Any:
        (found,) = [one for one in widgets(dashboard, pn.widgets.Select) if one.label == "B"]
        return found

    def heads() -> tuple[str, str, str]:
        said, _, _ = words(dashboard._tab_area.caption.text).partition(" ?")
        return said, explorer.focus_algorithm, b().value

    assert heads() == ("A: one B: two", "one", "two")
    assert b().visible
    assert b().options == NAMES[1:]
    explorer.baseline = "four"  # B follows the baseline, as long as none is chosen
    assert heads() == ("A: one B: four", "one", "four")
    b().value = "three"  # and does not move it
    assert heads() == ("A: one B: three", "one", "three")
    assert explorer.baseline == "four"
    explorer.focus_algorithm = "three"  # A comes first
    assert heads() == ("A: three B: four", "three", "four")
    explorer.focus_algorithm = "four"
    assert heads() == ("A: four B: three", "four", "three")
    explorer.baseline = ""
    other = Explorer(explorer.results)
    assert other.from_query(explorer.to_query()) == []
    assert PlotData(other).pair == PlotData(explorer).pair == ["four", "three"]
    explorer.undo()
    assert explorer.baseline == "four"


def test_controls_follow_n(dashboard: Dashboard, explorer: Explorer) -> None:
    (control,) = widgets(dashboard, pn.widgets.FloatSlider, label="n of ROCₙ")
    explorer.n = 100
    assert box_beside(dashboard, control).value == 100
    assert (control.value, control.end) == (2, 3)  # powers of ten
    control.value = 1
    assert explorer.n == 10


def test_controls_follow_the_threshold(dashboard: Dashboard, explorer: Explorer) -> None:
    control, box = threshold(dashboard)
    explorer.e0 = 1e-5
    assert float(box.value) == 1e-5
    assert control.value == pytest.approx(-5, abs=control.step)
    box.value = "0"
    assert explorer.e0 == 0
    assert control.value == control.start
    box.value = " 8.1 "
    assert explorer.e0 == 8.1
    for text in ("abc", "-1", "inf", "nan", "1e999", ""):
        box.value = text
        assert explorer.e0 == 8.1, text


def test_what_the_slider_sets_is_what_the_box_says(
    dashboard: Dashboard, explorer: Explorer
) -> None:
    control, box = threshold(dashboard)
    for position in np.linspace(control.start, control.end, 23):
        control.value = float(position)
        assert float(box.value) == explorer.e0
        assert explorer.e0 == float(f"{explorer.e0:.2g}")
        assert control.value == pytest.approx(position)  # the hand is not pushed back


def test_every_exact_threshold_can_be_written(dashboard: Dashboard, explorer: Explorer) -> None:
    _, box = threshold(dashboard)
    for value in (0.1 + 0.2, 1e-180, 5e-324, 12345.678, 0.0):
        explorer.e0 = value
        assert float(box.value) == value
        assert explorer.e0 == value


def test_only_the_controls_of_the_mode_are_open(dashboard: Dashboard, explorer: Explorer) -> None:
    control, box = threshold(dashboard)
    k = slider(dashboard, 100)
    assert (k.disabled, control.disabled, box.disabled) == (False, True, True)
    explorer.mode = "e0"
    assert (k.disabled, control.disabled, box.disabled) == (True, False, False)
    (mode,) = widgets(dashboard, pn.widgets.RadioBoxGroup)
    mode.value = "k"
    assert explorer.mode == "k"
    assert (k.disabled, control.disabled) == (False, True)


def test_algorithms_have_boxes(dashboard: Dashboard, explorer: Explorer) -> None:
    boxes = {title(box): box for box in widgets(dashboard, pn.widgets.Checkbox)}
    assert [name for name in boxes if name in NAMES] == NAMES
    assert [boxes[name].value for name in NAMES] == [True] * 5 + [False]
    boxes["<b>six</b>"].value = True
    boxes["one"].value = False
    assert explorer.shown == NAMES[1:]
    explorer.algorithms = ["one"]
    assert [name for name, box in boxes.items() if box.value] == ["one"]


def test_query_controls(dashboard: Dashboard, explorer: Explorer) -> None:
    (text,) = [w for w in widgets(dashboard, pn.widgets.TextInput) if title(w).startswith("id ")]
    text.value_input = "d1"
    assert explorer.query_text == "d1"
    explorer.clear_filter()
    assert text.value == ""
    (group,) = [w for w in widgets(dashboard, pn.widgets.TextInput) if title(w) == "class"]
    group.value = "a.10"
    assert explorer.selected_queries == ["d5", "d6", "d7"]


def test_no_class_control_without_classes() -> None:
    lists = RetrievalLists([0.1], [True], [0, 1], [1])
    dashboard = Dashboard(Explorer({"A": lists}, k=1))
    assert "class" not in [title(w) for w in widgets(dashboard, pn.widgets.TextInput)]


# --- texts ------------------------------------------------------------------------------------


def test_header_and_count(dashboard: Dashboard, explorer: Explorer) -> None:
    assert words(dashboard._header.text) == "5 of 6 algorithms · 8 of 8 queries · test"
    assert dashboard._clear.disabled
    explorer.query_class = "a.1"
    some = "5 of 6 algorithms · 5 of 8 queries · grey: all queries · test"
    assert words(dashboard._header.text) == some
    assert words(dashboard._count.text) == "5 of 8 queries"
    assert not dashboard._clear.disabled
    dashboard._clear.clicks += 1
    assert explorer.selection.everything


def test_title_is_escaped(explorer: Explorer) -> None:
    dashboard = Dashboard(explorer, title="<img src=x>")
    assert "<img" not in dashboard._header.text


def test_empty_subset_is_said_in_words(dashboard: Dashboard, explorer: Explorer) -> None:
    assert not dashboard._empty.visible
    explorer.param.update(query_text="<i>x", query_class="b", min_relevant=7, max_relevant=9)
    assert dashboard._empty.visible
    said = dashboard._empty[0].text
    assert "No query matches" in said
    assert "<i>" not in said
    assert "‘&lt;i&gt;x’" in said
    explorer.clear_filter()
    assert not dashboard._empty.visible


def test_wrong_expression_is_said_and_can_be_cleared(
    dashboard: Dashboard, explorer: Explorer
) -> None:
    explorer.query_text = "(<"
    assert dashboard._message.visible
    assert "is not a regular expression" in dashboard._message.text
    assert "‘(&lt;’" in dashboard._message.text
    assert not dashboard._clear.disabled
    explorer.clear_filter()
    assert not dashboard._message.visible


def test_heads_name_n_and_the_marks(dashboard: Dashboard, explorer: Explorer) -> None:
    explorer.n = 77
    assert "ROC<sub>77</sub>" in dashboard._tab_area.caption.text
    said = words(dashboard._heads["tap"].text)
    assert "▲ peak, not advised" in said
    assert "◆" in said


# --- the table --------------------------------------------------------------------------------


def heads(text: str) -> list[str]:
    return [words(head) for head in re.findall("<th .*?</th>", text.partition("<tbody>")[0])]


def body(text: str) -> list[list[str]]:
    """Names and cells of the rows, brackets of ties left out."""
    rows = re.findall("<tr.*?</tr>", text.split("<tbody>")[1])
    rows = [re.sub("<small>.*?</small>", "", row) for row in rows]
    return [[words(cell) for cell in re.findall("<t[hd].*?</t[hd]>", row)] for row in rows]


def test_table_shows_every_score(explorer: Explorer) -> None:
    text = score_table(explorer, styles(explorer.style_order))
    shown = [score for score in SCORES if score.in_tables]
    marked = {head.rstrip("*") for head in heads(text)}  # the mark of an optimistic score
    for score in shown:
        short = score.titled(explorer.rule, explorer.n, short=bool(score.group))
        assert short.replace("_", "") in marked
    assert [row[0] for row in body(text)] == explorer.shown
    for name, *cells in body(text):
        values = explorer.score(name)
        expected = [score.text(values[score.name]) for score in shown]
        assert [cells[0], *cells[2:]] == expected  # the second is the interval
        assert cells[1] == ""
    explorer.algorithms = ["<b>six</b>"]
    text = score_table(explorer, styles(explorer.style_order))
    assert "<b>six" not in text
    assert "&lt;b&gt;six&lt;/b&gt;" in text


def test_the_best_by_the_score_compared_is_first_and_what_has_none_last() -> None:
    lists = {
        "second": RetrievalLists([1, 2, 3], [True, False, True], [0, 3], [2]),
        "never": RetrievalLists([1], [True], [0, 1], [2]),
        "first": RetrievalLists([1, 2, 3], [True, True, False], [0, 3], [2]),
    }
    explorer = Explorer(lists, k=1)  # TAP-1: 1/3 + 1/6 of "second", 2/3 + 2/9 of "first"
    assert best_first(explorer) == ["first", "second", "never"]
    assert [row[0] for row in body(score_table(explorer, styles(explorer.style_order)))] == [*lists]
    page = Dashboard(explorer)
    assert names_in(page) == ["first", "second", "never"]
    explorer.param.update(mode="e0", e0=1)  # at which all have found the same
    assert names_in(page) == [*lists]


def test_intervals_are_drawn_on_one_axis() -> None:
    results = {name: lists.subset(lists.query < "d1d") for name, lists in load_results().items()}
    explorer = Explorer(dict(list(results.items())[:3]), k=5)
    compared = explorer.compared(n_resamples=50)
    drawn = score_table(explorer, styles(explorer.style_order), compared)
    bars = re.findall(r">([\d.]+)</td><td class=\"interval\">([\d.]+) to ([\d.]+)<i (.*?)>", drawn)
    assert len(bars) == 3
    shares, values = [], []
    for value, low, high, style in bars:
        found = dict(re.findall(r"--(low|value|high):([\d.]+)%", style))
        shares += [float(found[name]) for name in ("low", "value", "high")]
        values += [float(text) for text in (low, value, high)]
    assert 0 <= min(shares) < max(shares) <= 100
    scale, start = np.polyfit(values, shares, 1)
    assert np.abs(start + scale * np.array(values) - shares).max() < 0.1 * scale / 100
    explorer.baseline = next(iter(results))
    compared = explorer.compared(n_resamples=50)
    assert score_table(explorer, styles(explorer.style_order), compared).count("--zero:") == 2


def test_table_by_threshold(explorer: Explorer) -> None:
    explorer.param.update(mode="e0", e0=1e-3)
    text = words(score_table(explorer, styles(explorer.style_order)))
    assert "TAP at 0.001" in text
    assert "TAP-" not in text


def test_table_compares_with_the_baseline_and_the_pinned_scores(explorer: Explorer) -> None:
    explorer.pin()
    explorer.param.update(k=5, baseline="one")
    compared = explorer.compared(n_resamples=100)
    text = score_table(explorer, styles(explorer.style_order), compared)
    assert "TAP-5: difference from one" in heads(text)
    rows = body(text)
    assert [row[0] for row in rows[:4]] == ["one", "change since pin", "two", "change since pin"]
    assert rows[0][-1] == "baseline"
    taps = {name: explorer.score(name)["tap"] for name in ("one", "two")}
    assert f"{taps['two'] - taps['one']:+.3f}".replace("-", "−") in rows[2]
    before = explorer.pinned.scores["two"]
    assert rows[3][1] == f"{taps['two'] - before['tap']:+.3f}".replace("-", "−")
    assert rows[3][3] == SCORES[1].text(before["threshold"])
    assert "Pinned: TAP-3, ROC50, 8 of 8 queries." in words(text)
    said = words(method(explorer, compared))
    assert "Dotted underline: ties change this value." in said
    assert "2 superfamilies, 8 queries. No intervals: fewer than 10 superfamilies." in said


def test_table_says_not_reached_in_words(explorer: Explorer) -> None:
    explorer.k = 29
    text = score_table(explorer, styles(explorer.style_order))
    assert text.count(">—</td>") == 5
    assert text.count(">not reached: 0 % of queries have 29 errors</td>") == 5


def test_table_without_queries_and_without_algorithms(explorer: Explorer) -> None:
    explorer.query_text = "none"
    looks = styles(explorer.style_order)
    assert words(score_table(explorer, looks)).count("no query is selected") == 5
    explorer.algorithms = []
    assert "No algorithm is shown" in score_table(explorer, looks)


def test_cautions_are_the_findings(explorer: Explorer) -> None:
    lists = RetrievalLists([0.1, 0.2], [True, False], [0, 1, 2], [1, 0])
    one = Explorer({"<i>A": lists}, k=1, n=1)
    text = words(cautions(one))
    assert "1 of 2 queries has no relevant record in the database (T(q) = 0)" in text
    assert "1 / (retrieved + 1) for it, the other scores leave it out." in text
    found = [describe(finding) for finding in one.findings()]
    assert f"Cautions ({len(found)}): " in text
    assert "ROC1" in text
    explorer.k = 29
    assert "E29" in words(cautions(explorer))
    assert "&lt;b&gt;six" not in cautions(explorer)
    assert "<i>A" not in cautions(one)


def test_a_verdict_is_shown_as_current_only_where_it_is(explorer: Explorer) -> None:
    """While it is worked out the one before is dimmed; where that is stopped there is none."""

    async def scenario() -> None:
        task = BackgroundTask(lambda: None)
        task.request(explorer.compared_key, explorer.comparing())
        before = conclusion(explorer, None, task, "")
        assert "being worked out" in before
        current = conclusion(explorer, explorer.compared(n_resamples=100), task, before)
        assert CURRENT in current
        assert words(current).startswith("No verdict: 2 superfamilies, 8 queries are too few")
        assert conclusion(explorer, None, task, current) == current.replace(CURRENT, UPDATING)
        task.cancel()
        assert "No verdict yet: Compute" in conclusion(explorer, None, task, current)
        task.error = "no memory"
        assert words(conclusion(explorer, None, task, current)).startswith("No verdict: no memory.")
        explorer.query_text = "none of them"
        assert "no query is selected" in conclusion(explorer, None, task, current)
        explorer.algorithms = []
        assert "no algorithm is shown" in conclusion(explorer, None, task, current)

    asyncio.run(scenario())


def test_swatch_has_the_dash() -> None:
    looks = styles(["A", "B"])
    assert 'stroke-dasharray="none"' in swatch(looks["A"])
    assert 'stroke-dasharray="12 4"' in swatch(looks["B"])
    assert COLORS[1] in swatch(looks["B"])


# --- live plots -------------------------------------------------------------------------------


def root(dashboard: Dashboard) -> Any:
    return dashboard.__panel__().get_root()


def figures(model: Any) -> dict[str, Any]:
    return {found.name: found for found in model.select({"type": Figure})}


def test_figures_and_layers_have_names(dashboard: Dashboard) -> None:
    found = figures(root(dashboard))
    assert set(found) == {"tap", "precision_recall", "epq", "roc"}
    for name, plot in dashboard.plots.items():
        assert_shows(found[name], plot.picture)


def sources(found: dict[str, Any]) -> dict[tuple[str, str], Any]:
    """What each layer's source holds, by plot and layer."""
    return {
        (name, layer): renderer.data_source.data
        for name, figure in found.items()
        for layer, renderer in renderers(figure).items()
    }


def test_push_changes_only_what_changed(dashboard: Dashboard, explorer: Explorer) -> None:
    found = figures(root(dashboard))
    before = sources(found)
    explorer.k = 6
    changed = {at for at, data in sources(found).items() if data is not before[at]}
    assert ("tap", "threshold") in changed
    assert ("epq", "line") in changed
    assert {name for name, _ in changed} == {"tap", "precision_recall", "epq"}
    for name, layer in changed:
        # Lines that move have one source: the query's own is with those retrieved.
        assert (
            layer.split(" ")[0]
            in {
                "tap": {"threshold"},
                "precision_recall": {"retrieved", "end", "focus"},
                "epq": {"line", "level", "mark"},
            }[name]
        )


def test_n_changes_only_one_line(dashboard: Dashboard, explorer: Explorer) -> None:
    found = figures(root(dashboard))
    before = sources(found)
    columns = layers(found["roc"])
    explorer.n = 9
    changed = [at for at, data in sources(found).items() if data is not before[at]]
    assert changed == [("roc", "focus"), ("roc", "line")]  # which have one source
    after = layers(found["roc"])
    assert [name for name in after if after[name] != columns[name]] == ["line"]


def test_boxes_take_the_colour_of_their_algorithm(dashboard: Dashboard, explorer: Explorer) -> None:
    found = figures(root(dashboard))["epq"]
    explorer.focus_algorithm = "three"
    again = figures(root(dashboard))["epq"]
    for figure in (found, again):
        for name in ("whisker", "box"):
            assert renderers(figure)[name].glyph.line_color == COLORS[2]
        for name in ("median", "mean"):
            assert layers(figure)[name]["color"] == COLORS[2]
        assert set(layers(figure)["mark"]["color"]) == {COLORS[2]}


def test_shown_twice_both_follow(dashboard: Dashboard, explorer: Explorer) -> None:
    first = root(dashboard)
    explorer.k = 5
    second = root(dashboard)
    for model in (first, second):
        data = layers(figures(model)["tap"])["threshold"]
        assert list(data["y"]) == [explorer.score(name)["tap"] for name in explorer.shown]
    explorer.k = 8
    for model in (first, second):
        data = layers(figures(model)["tap"])["threshold"]
        assert list(data["y"]) == [explorer.score(name)["tap"] for name in explorer.shown]


def test_what_has_gone_is_forgotten(dashboard: Dashboard, explorer: Explorer) -> None:
    first, second = root(dashboard), root(dashboard)
    plots = list(dashboard.plots.values())
    assert [len(plot.drawings) for plot in plots] == [2] * len(plots)
    dashboard.__panel__()._cleanup(first)
    assert [len(plot.drawings) for plot in plots] == [1] * len(plots)
    gone = layers(figures(first)["tap"])["threshold"]
    explorer.k = 7
    assert layers(figures(first)["tap"])["threshold"] == gone
    expected = [explorer.score(name)["tap"] for name in explorer.shown]
    assert list(layers(figures(second)["tap"])["threshold"]["y"]) == expected
    dashboard.__panel__()._cleanup(second)
    assert not any(plot.drawings for plot in plots)


def test_a_plot_shown_late_has_the_present_state(dashboard: Dashboard, explorer: Explorer) -> None:
    root(dashboard)
    explorer.param.update(k=9, focus_algorithm="two")
    late = figures(root(dashboard))
    for name, plot in dashboard.plots.items():
        assert_shows(late[name], plot.picture)


def dots(x_end: float, y_end: float = 1.0, y: tuple[float, float] = (1.0, 2.0)) -> Picture:
    data = {"x": np.array([1.0, 2.0]), "y": np.array(y)}
    return Picture((line("dots", data, "black"),), Axis("x", 0.0, x_end), Axis("y", 0.0, y_end))


def live(picture: Picture) -> tuple[LivePlot, Any]:
    plot = LivePlot("dots", picture)
    return plot, figures(plot.pane.get_root())["dots"]


def test_axes_follow_the_data_unless_zoomed() -> None:
    plot, figure = live(dots(5.0))
    plot.push(dots(10.0, 2.0))
    assert (figure.x_range.start, figure.x_range.end) == (0, 10)
    assert (figure.y_range.start, figure.y_range.end) == (0, 2)
    figure.x_range.start, figure.x_range.end = 3, 4
    plot.push(dots(20.0, 3.0))
    assert (figure.x_range.start, figure.x_range.end) == (3, 4)
    assert (figure.x_range.reset_start, figure.x_range.reset_end) == (0, 20)
    assert (figure.y_range.start, figure.y_range.end) == (0, 3)  # not zoomed in this direction
    figure.x_range.start, figure.x_range.end = 0, 20
    plot.push(dots(30.0, 3.0))
    assert figure.x_range.end == 30


def test_push_does_not_send_equal_columns() -> None:
    plot, figure = live(dots(5.0))
    (renderer,) = figure.renderers
    before = renderer.data_source.data
    plot.push(dots(5.0))
    assert renderer.data_source.data is before
    plot.push(dots(5.0, y=(1.0, np.nan)))
    assert renderer.data_source.data is not before
    assert np.isnan(layers(figure)["dots"]["y"][1])


def test_nan_is_equal_to_nan_when_pushed() -> None:
    plot, figure = live(dots(5.0))
    (renderer,) = figure.renderers
    plot.push(dots(5.0, y=(1.0, np.nan)))
    before = renderer.data_source.data
    plot.push(dots(5.0, y=(1.0, np.nan)))
    assert renderer.data_source.data is before


def test_descending_axis_follows_too() -> None:
    score = [90.0, 50.0, 20.0, 60.0, 10.0]
    lists = RetrievalLists(
        score, [1, 0, 1, 0, 1], [0, 3, 5], [2, 1], query=["a", "b"], direction="descending"
    )
    dashboard = Dashboard(Explorer({"A": lists}, k=1))
    held = figures(root(dashboard))["tap"].x_range
    assert held.start > held.end  # the strictest on the left
    before = (held.start, held.end)
    dashboard.explorer.query_text = "a"
    assert (held.start, held.end) == before


# --- one change at a time ---------------------------------------------------------------------


def test_without_a_page_every_change_is_shown_at_once() -> None:
    shown: list[set[str]] = []
    gate = FrameGate(shown.append)
    gate.request({"k"})
    gate.request({"n"})
    assert shown == [{"k"}, {"n"}]
    gate.request(set())
    assert len(shown) == 2


class WaitingDocument(Document):
    """A document whose callbacks wait until a test calls them."""

    def __init__(self) -> None:
        super().__init__()
        self.callbacks_later: list[Any] = []

    def add_timeout_callback(self, callback: Any, _milliseconds: int) -> Any:
        self.callbacks_later.append(callback)


class ServedDocument(WaitingDocument):
    """A document of a session whose turns are taken when a test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Any] = []

    def add_next_tick_callback(self, callback: Any) -> Any:
        self.turns.append(callback)

    def remove_timeout_callback(self, callback: Any) -> None:
        pass

    def take_turns(self) -> int:
        """Take all turns; how many there were."""
        taken = 0
        while self.turns:
            self.turns.pop(0)()
            taken += 1
        return taken


@contextmanager
def session() -> Iterator[ServedDocument]:
    """A session whose page no browser has loaded yet."""
    document = ServedDocument()
    pn.state._loaded[document] = False
    with set_curdoc(document):
        yield document


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedDocument]:
    monkeypatch.setattr("tapviz.live.in_turns._BEGUN", WeakSet())  # by no other test
    with session() as document:
        yield document


def opened(explorer: Explorer, document: ServedDocument) -> Dashboard:
    """A page that a browser has loaded, and that has been filled."""
    dashboard = Dashboard(explorer)
    dashboard.__panel__().server_doc(document, location=False)
    dashboard._on_loaded()
    document.take_turns()
    return dashboard


def names_in(dashboard: Dashboard) -> list[str]:
    """Algorithms in the score table."""
    rows = re.findall(r'<th scope="row"[^>]*>(.*?)</th>', dashboard._table.text, re.DOTALL)
    return [unescape(words(row)) for row in rows]


def test_a_page_is_a_table_and_frames_before_it_is_filled(
    explorer: Explorer, served: ServedDocument
) -> None:
    dashboard = Dashboard(explorer)
    model = dashboard.__panel__().server_doc(served, location=False).roots[0]
    assert sorted(names_in(dashboard)) == sorted(NAMES[:5])
    assert not figures(model)
    dashboard._on_loaded()
    assert served.take_turns() >= 8  # a part at a time
    assert set(figures(model)) == {"tap", "precision_recall", "epq", "roc"}
    assert figures(model)["epq"].x_range is figures(model)["tap"].x_range


def test_a_filled_page_is_the_one_that_is_made_at_once(
    dashboard: Dashboard, explorer: Explorer
) -> None:
    at_once = dashboard
    with session() as document:
        page = opened(Explorer(dict(explorer.results), k=3), document)
    controls = [
        [title(control) for control in widgets(one, pn.widgets.Widget)] for one in (page, at_once)
    ]
    assert controls[0] == controls[1]
    assert len(controls[0]) > 25


def test_what_is_chosen_while_the_page_is_filled_is_shown(
    explorer: Explorer, served: ServedDocument
) -> None:
    dashboard = Dashboard(explorer)
    model = dashboard.__panel__().server_doc(served, location=False).roots[0]
    dashboard._on_loaded()
    while "tap" not in dashboard.plots:
        served.turns.pop(0)()
    explorer.k = 9
    served.take_turns()
    assert list(layers(figures(model)["tap"])["threshold"]["y"]) == [
        explorer.score(name)["tap"] for name in explorer.shown
    ]


def test_nothing_more_is_made_for_a_visitor_who_has_gone(
    explorer: Explorer, served: ServedDocument
) -> None:
    dashboard = Dashboard(explorer)
    dashboard.__panel__().server_doc(served, location=False)
    dashboard._on_loaded()
    served.turns.pop(0)()
    dashboard.close()
    assert served.take_turns() <= 2
    assert not dashboard.plots


def test_parts_are_made_ahead_only_while_no_other_page_is_filled(
    explorer: Explorer, served: ServedDocument
) -> None:
    first = Dashboard(explorer)
    first.__panel__().server_doc(served, location=False)
    assert len(served.turns) == 1
    with session() as other:
        second = Dashboard(Explorer(dict(explorer.results), k=3))
        second.__panel__().server_doc(other, location=False)
    assert not other.turns
    first._on_loaded()
    served.take_turns()
    assert len(first.plots) == 4
    assert not second.plots


def test_what_another_page_has_computed_is_shown_at_once(
    explorer: Explorer, served: ServedDocument
) -> None:
    explorer.view = "differences"
    dashboard = Dashboard(explorer)
    assert "being worked out" in dashboard._verdict.text
    dashboard.__panel__().server_doc(served, location=False)
    dashboard._on_loaded()
    while "differences" not in dashboard.plots:
        served.turns.pop(0)()
    found = Explorer(dict(explorer.results), k=3).compared()
    served.take_turns()
    dashboard._gate.signal.painted = dashboard._gate.signal.frame
    assert dashboard.data.compared is found
    assert "No verdict: 2 superfamilies" in dashboard._verdict.text
    drawn = dashboard.plots["differences"].picture.columns
    assert repr(drawn) == repr(PLOTS["differences"].picture(dashboard.data).columns)
    again = Dashboard(Explorer(dict(explorer.results), k=3))
    assert "No verdict: 2 superfamilies" in again._verdict.text


def test_an_algorithm_ticked_while_the_page_is_busy_joins_the_table(
    explorer: Explorer, served: ServedDocument
) -> None:
    dashboard = opened(explorer, served)
    dashboard._gate.signal.painted = dashboard._gate.signal.frame
    dashboard._compared.resume()
    assert '<td class="interval">fewer than 10 superfamilies' in dashboard._table.text
    explorer.n = 7
    explorer.algorithms = NAMES  # before the page has painted
    dashboard._gate.signal.painted = dashboard._gate.signal.frame
    assert sorted(names_in(dashboard)) == sorted(NAMES)
    assert dashboard.plots["tap"].picture.columns[f"curve {NAMES[5]}"]["x"].size


@pytest.mark.parametrize("failing", ["a plot", "the table"])
def test_a_part_that_fails_ends_no_other_and_no_later_change(
    explorer: Explorer,
    served: ServedDocument,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    failing: str,
) -> None:
    dashboard = opened(explorer, served)

    def painted() -> None:
        dashboard._gate.signal.painted = dashboard._gate.signal.frame

    def fail(*_: Any) -> Any:
        msg = "a fault of ours"
        raise KeyError(msg)

    def tap_is_shown() -> bool:
        shown = list(dashboard.plots["tap"].picture.columns["threshold"]["y"])
        return shown == [explorer.score(name)["tap"] for name in explorer.shown]

    painted()
    with monkeypatch.context() as patch:
        if failing == "a plot":
            patch.setattr(
                dashboard,
                "_always",
                [replace(dashboard._always[0], picture=fail), *dashboard._always[1:]],
            )
        else:
            patch.setattr("tapviz.page.dashboard.score_table", fail)
        explorer.k = 9
        painted()
    assert tap_is_shown() == (failing == "the table")
    assert dashboard._failure.visible
    assert "could not be shown" in words(dashboard._failure.text)
    assert "a fault of ours" in caplog.text
    explorer.k = 12
    painted()
    assert tap_is_shown()
    assert f"TAP-{12}" in dashboard._table.text
    assert not dashboard._failure.visible


def test_without_a_page_a_part_that_fails_says_so(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    dashboard = Dashboard(explorer)

    def fail(*_: Any) -> Any:
        msg = "a fault of ours"
        raise KeyError(msg)

    monkeypatch.setattr(dashboard, "_always", [replace(dashboard._always[0], picture=fail)])
    with pytest.raises(KeyError, match="a fault of ours"):
        explorer.k = 9


def test_latest_value_wins_while_the_page_is_busy() -> None:
    document = WaitingDocument()
    with set_curdoc(document):
        shown: list[set[str]] = []
        gate = FrameGate(shown.append)
        _drag(gate, shown, document)


def _drag(gate: FrameGate, shown: list[set[str]], document: WaitingDocument) -> None:
    gate.request({"k"})
    for name in ("k", "n", "k", "k"):
        gate.request({name})
    assert shown == [{"k"}]
    gate.signal.painted = gate.signal.frame
    assert shown == [{"k"}, {"k", "n"}]
    gate.signal.painted = gate.signal.frame
    assert len(shown) == 2
    # A page that never answers is given up on, once.
    gate.request({"e0"})
    gate.request({"k"})
    assert shown[2:] == [{"e0"}]
    for callback in list(document.callbacks_later):
        callback()
    assert shown[2:] == [{"e0"}, {"k"}]


# --- the application -------------------------------------------------------------------------


def test_application_with_own_results(explorer: Explorer) -> None:
    app = App(Opened(dict(explorer.results), "own.tsv"))
    assert words(app.dashboard._header.text).startswith("5 of 6 algorithms · ")
    assert words(app.dashboard._header.text).endswith(" · own.tsv")
    assert not widgets(app.dashboard, pn.widgets.Select, value="scope40")


def test_application_opens_the_bench_and_another() -> None:
    app = App()
    assert list(app.dashboard.plots) == ["tap", "precision_recall", "epq", "roc"]
    assert "862 of 862 queries" in words(app.dashboard._header.text)
    app._choice.value = "profiles"
    assert "1,351 of 1,351 queries" in words(app.dashboard._header.text)


def test_text_retrieval_opens_with_its_own_scores() -> None:
    app = App()
    assert app.dashboard.explorer.table_scores == []
    app._choice.value = "cranfield"
    assert "225 of 225 queries" in words(app.dashboard._header.text)
    assert tuple(app.dashboard.explorer.table_scores) == PRESETS["text"]
    # A link says what was chosen since, the usual scores also.
    app.dashboard.explorer.table_scores = []
    assert "table_scores=&" in app.dashboard.explorer.to_query() + "&"


def test_undo_comes_back_to_the_former_bench_with_its_settings() -> None:
    app = App()
    assert app.dashboard._undo.disabled
    app.dashboard.explorer.param.update(k=5, query_text="^d1", view="order")
    app._choice.value = "profiles"
    assert not app.dashboard._undo.disabled
    app.dashboard.explorer.n = 7
    app.dashboard._undo.clicks += 1  # first what was chosen here
    assert app.dashboard.explorer.n == 50
    assert app._choice.value == "profiles"
    app.dashboard._undo.clicks += 1
    assert app._choice.value == "scope40"
    back = app.dashboard.explorer
    assert (back.k, back.query_text, back.view) == (5, "^d1", "order")
    assert "of 862 queries" in words(app.dashboard._header.text)
    assert app.dashboard._undo.disabled


def test_undo_comes_back_to_own_files_and_leaves_them_again(explorer: Explorer) -> None:
    own = Opened(dict(explorer.results), "own.tsv")
    other = Opened({"one": explorer.results["one"]}, "other.tsv")
    app = App()
    app._use(own)
    app.dashboard.explorer.k = 3
    app._use(other)
    app._choice.value = "profiles"
    seen = []
    while not app.dashboard._undo.disabled:
        app.dashboard._undo.clicks += 1
        seen.append((app._choice.value, app.dashboard._title, app.dashboard.explorer.k))
    assert seen == [
        ("own", "other.tsv", 20), ("own", "own.tsv", 3), ("scope40", "", 20),
    ]  # fmt: skip
    assert next(iter(app._choice.options)) == "your files: own.tsv"  # they can be chosen still


def test_two_dashboards_share_no_widget(explorer: Explorer) -> None:
    other = Explorer(explorer.results, k=3)
    one, two = Dashboard(explorer), Dashboard(other)
    explorer.param.update(k=9, query_text="d1", algorithms=["one"])
    assert slider(two, 100).value == 3
    assert words(two._header.text).endswith("8 of 8 queries")
    assert slider(one, 100).value == 9


def test_what_intervals_resample_is_chosen_on_the_page(dashboard: Dashboard) -> None:
    explorer = dashboard.explorer
    (choice,) = widgets(dashboard, pn.widgets.Select, label="intervals and p resample")
    assert choice.options == {"single queries": 0, "superfamilies": 3, "folds": 2, "classes": 1}
    assert choice.value == explorer.groups == 3
    choice.value = 0
    assert str(explorer.compared(n_resamples=5).groups) == "8 queries"
    explorer.undo()
    assert choice.value == 3


def test_switches_of_intervals_are_on_the_page(dashboard: Dashboard) -> None:
    explorer = dashboard.explorer
    (known,) = widgets(dashboard, pn.widgets.Checkbox, label="take Eₖ for known")
    known.value = True
    compared = explorer.compared(n_resamples=20)
    assert compared.bootstrap is not None
    assert compared.bootstrap.threshold_rule == "fixed"
    explorer.undo()
    assert not known.value
    (peak,) = widgets(dashboard, pn.widgets.Checkbox, label="interval of the peak, too")
    peak.value = True
    compared = explorer.compared(n_resamples=20)
    assert compared.bootstrap is not None
    assert all(not one.peak_reason for one in compared.bootstrap.algorithms.values())


def test_the_link_to_the_lesson_says_how_long_it_is() -> None:
    all_scenes = scenes()
    minutes = round(sum(scene.minutes for scene in all_scenes))
    assert LESSON.endswith(f"{len(all_scenes)} scenes, about {minutes} minutes")
    assert f", {minutes} minutes" in render("learn.html", title=LESSON)
