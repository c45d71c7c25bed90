"""The page follows the choices: its plots, one change at a time; and what the application opens."""

from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from weakref import WeakSet

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.plotting import figure as Figure  # noqa: N812
from panel.io.state import set_curdoc

from tapviz import Explorer
from tapviz.draw.style import COLORS
from tapviz.lesson.scenes import scenes
from tapviz.lists import RetrievalLists
from tapviz.live.plot import LivePlot
from tapviz.live.script import script
from tapviz.live.turns import FrameGate
from tapviz.page import Dashboard
from tapviz.page.app import App
from tapviz.plots import PLOTS
from tapviz.readers.inputs import Opened
from tapviz.scores import PRESETS
from tests.drawn import assert_shows, layers, renderers
from tests.pages import NAMES, names_in, of_six, quiet, slider, title, widgets, words  # noqa: F401


@pytest.fixture
def explorer():
    return of_six()


@pytest.fixture
def dashboard(explorer):
    return Dashboard(explorer, title="test")


def root(dashboard):
    return dashboard.__panel__().get_root()


def figures(model):
    return {found.name: found for found in model.select({"type": Figure})}


def assert_drawn(found, dashboard):
    """Figures and layers have their names, and show the present state."""
    assert set(found) == {"tap", "epq", "precision_recall"}
    for name, plot in dashboard.plots.items():
        assert_shows(found[name], plot.picture)


def marked(figure):
    """TAP at the threshold of each program."""
    return list(layers(figure)["threshold"]["y"])


def taps(explorer):
    return [explorer.score(name)["tap"] for name in explorer.shown]


def sources(found):
    """What each layer's source holds, by plot and layer."""
    return {
        (name, layer): renderer.data_source.data
        for name, figure in found.items()
        for layer, renderer in renderers(figure).items()
    }


def test_push_changes_only_what_changed(dashboard, explorer):
    found = figures(root(dashboard))
    assert_drawn(found, dashboard)
    before = sources(found)
    explorer.k = 6
    changed = {at for at, data in sources(found).items() if data is not before[at]}
    assert ("tap", "threshold") in changed
    assert ("epq", "line") in changed
    assert {name for name, _ in changed} == {"tap", "precision_recall", "epq"}
    # Lines that move have one source: the query's own is with those retrieved.
    moving = {
        "tap": {"threshold"},
        "precision_recall": {"retrieved", "end", "focus"},
        "epq": {"line", "level", "mark"},
    }
    for name, layer in changed:
        assert layer.split(" ")[0] in moving[name]


def test_n_changes_only_one_line(dashboard, explorer):
    explorer.view = "roc"
    found = figures(root(dashboard))
    before = sources(found)
    columns = layers(found["roc"])
    explorer.n = 9
    changed = [at for at, data in sources(found).items() if data is not before[at]]
    assert changed == [("roc", "focus"), ("roc", "line")]  # which have one source
    after = layers(found["roc"])
    assert [name for name in after if after[name] != columns[name]] == ["line"]


def test_a_plot_shown_late_has_the_present_state_and_colours(dashboard, explorer):
    early = figures(root(dashboard))
    explorer.param.update(k=9, focus_algorithm="three")
    late = figures(root(dashboard))
    assert_drawn(late, dashboard)
    for figure in (early["epq"], late["epq"]):
        assert renderers(figure)["box"].glyph.line_color == COLORS[2]
        for name in ("median", "mean", "whisker"):
            assert layers(figure)[name]["color"] == COLORS[2]
        assert set(layers(figure)["mark"]["color"]) == {COLORS[2]}


def test_shown_twice_both_follow_until_they_have_gone(dashboard, explorer):
    models = [root(dashboard)]
    for k in (5, 8):
        explorer.k = k
        models.append(root(dashboard))
        assert all(marked(figures(model)["tap"]) == taps(explorer) for model in models)
    gone = models.pop(0)
    plots = list(dashboard.plots.values())
    dashboard.__panel__()._cleanup(gone)
    assert [len(plot.drawings) for plot in plots] == [2] * len(plots)
    before = marked(figures(gone)["tap"])
    explorer.k = 7
    assert marked(figures(gone)["tap"]) == before != taps(explorer)
    assert all(marked(figures(model)["tap"]) == taps(explorer) for model in models)
    for model in models:
        dashboard.__panel__()._cleanup(model)
    assert not any(plot.drawings for plot in plots)


def test_descending_axis_follows_too():
    records = ([90.0, 50.0, 20.0, 60.0, 10.0], [1, 0, 1, 0, 1], [0, 3, 5])
    lists = RetrievalLists(*records, [2, 1], query=["a", "b"], direction="descending")
    dashboard = Dashboard(Explorer({"A": lists}, k=1))
    held = figures(root(dashboard))["tap"].x_range
    assert held.start > held.end  # the strictest on the left
    before = (held.start, held.end)
    dashboard.explorer.query_text = "a"
    assert (held.start, held.end) == before


def test_without_a_page_every_change_is_shown_at_once():
    shown = []
    gate = FrameGate(shown.append)
    gate.request({"k"})
    gate.request({"n"})
    assert shown == [{"k"}, {"n"}]
    gate.request(set())
    assert len(shown) == 2


class WaitingDocument(Document):
    """A document whose callbacks wait until a test calls them."""

    def __init__(self):
        super().__init__()
        self.callbacks_later: list[Any] = []

    def add_timeout_callback(self, callback, _milliseconds):
        self.callbacks_later.append(callback)


class ServedDocument(WaitingDocument):
    """A document of a session whose turns are taken when a test says so."""

    def __init__(self):
        super().__init__()
        self.turns: list[Any] = []

    def add_next_tick_callback(self, callback):
        self.turns.append(callback)

    def remove_timeout_callback(self, callback):
        pass

    def take_turns(self):
        """Take all turns; how many there were."""
        taken = 0
        while self.turns:
            self.turns.pop(0)()
            taken += 1
        return taken


@contextmanager
def session():
    """A session whose page no browser has loaded yet."""
    document = ServedDocument()
    pn.state._loaded[document] = False
    with set_curdoc(document):
        yield document


@pytest.fixture
def served(monkeypatch):
    monkeypatch.setattr("tapviz.live.turns._BEGUN", WeakSet())  # by no other test
    with session() as document:
        yield document


def begun(explorer, document):
    """A page that no browser has loaded yet, and its model."""
    dashboard = Dashboard(explorer)
    return dashboard, dashboard.__panel__().server_doc(document, location=False).roots[0]


def opened(explorer, document):
    """A page that a browser has loaded, and that has been filled."""
    dashboard, _ = begun(explorer, document)
    dashboard._on_loaded()
    document.take_turns()
    return dashboard


def painted(dashboard):
    """The page says that it has painted what it was sent last."""
    dashboard._gate.signal.painted = dashboard._gate.signal.frame


def test_a_page_is_a_table_and_frames_before_it_is_filled(explorer, served):
    dashboard, model = begun(explorer, served)
    assert sorted(names_in(dashboard)) == sorted(NAMES[:5])
    assert not figures(model)
    dashboard._on_loaded()
    assert served.take_turns() >= 8  # a part at a time
    assert set(figures(model)) == {"tap", "epq", "precision_recall"}
    assert figures(model)["epq"].x_range is figures(model)["tap"].x_range


def test_each_plot_of_a_new_page_is_drawn_once(explorer, served, monkeypatch):
    drawn = []
    draw = LivePlot._draw

    def note(plot, root):
        drawn.append(plot.name)
        return draw(plot, root)

    monkeypatch.setattr(LivePlot, "_draw", note)
    opened(explorer, served)
    assert drawn == ["tap", "epq", "precision_recall"]


def test_a_filled_page_is_the_one_that_is_made_at_once(dashboard, explorer):
    at_once = dashboard
    with session() as document:
        page = opened(Explorer(dict(explorer.results), k=3), document)
    filled, made = ([*map(title, widgets(of, pn.widgets.Widget))] for of in (page, at_once))
    assert filled == made
    assert {"errors per query k", "n of ROCₙ", "k", "n", "baseline"} <= {*filled}


def test_what_is_chosen_while_the_page_is_filled_is_shown(explorer, served):
    dashboard, model = begun(explorer, served)
    dashboard._on_loaded()
    while "tap" not in dashboard.plots:
        served.turns.pop(0)()
    explorer.k = 9
    served.take_turns()
    assert marked(figures(model)["tap"]) == taps(explorer)


def test_nothing_more_is_made_for_a_visitor_who_has_gone(explorer, served):
    dashboard, _ = begun(explorer, served)
    dashboard._on_loaded()
    served.turns.pop(0)()
    dashboard.close()
    assert served.take_turns() <= 2
    assert not dashboard.plots


def test_parts_are_made_ahead_only_while_no_other_page_is_filled(explorer, served):
    first, _ = begun(explorer, served)
    assert len(served.turns) == 1
    with session() as other:
        second, _ = begun(Explorer(dict(explorer.results), k=3), other)
    assert not other.turns
    first._on_loaded()
    served.take_turns()
    assert len(first.plots) == 3
    assert not second.plots


def test_what_another_page_has_computed_is_shown_at_once(explorer, served):
    explorer.view = "differences"
    dashboard, _ = begun(explorer, served)
    assert "being worked out" in dashboard._verdict.text
    dashboard._on_loaded()
    while "differences" not in dashboard.plots:
        served.turns.pop(0)()
    found = Explorer(dict(explorer.results), k=3).compared()
    served.take_turns()
    painted(dashboard)
    assert dashboard.data.compared is found
    assert "No verdict: 2 superfamilies" in dashboard._verdict.text
    drawn = dashboard.plots["differences"].picture.columns
    assert repr(drawn) == repr(PLOTS["differences"].picture(dashboard.data).columns)
    again = Dashboard(Explorer(dict(explorer.results), k=3))
    assert "No verdict: 2 superfamilies" in again._verdict.text


def test_an_algorithm_ticked_while_the_page_is_busy_joins_the_table(explorer, served):
    dashboard = opened(explorer, served)
    painted(dashboard)
    dashboard._compared.resume()
    assert '<td class="interval">fewer than 10 superfamilies' in dashboard._table.text
    explorer.n = 7
    explorer.algorithms = NAMES  # before the page has painted
    painted(dashboard)
    assert sorted(names_in(dashboard)) == sorted(NAMES)
    assert dashboard.plots["tap"].picture.columns[f"curve {NAMES[5]}"]["x"].size


def fail(*_, **__):
    raise KeyError("a fault of ours")


@pytest.mark.parametrize("failing", ["a plot", "the table"])
def test_a_part_that_fails_ends_nothing_else(explorer, served, caplog, monkeypatch, failing):
    dashboard = opened(explorer, served)

    def tap_is_shown():
        return list(dashboard.plots["tap"].picture.columns["threshold"]["y"]) == taps(explorer)

    painted(dashboard)
    with monkeypatch.context() as patch:
        if failing == "a plot":
            first, *others = dashboard._always
            patch.setattr(dashboard, "_always", [replace(first, picture=fail), *others])
        else:
            patch.setattr("tapviz.page.dashboard.score_table", fail)
        explorer.k = 9
        painted(dashboard)
    assert tap_is_shown() == (failing == "the table")
    assert dashboard._failure.visible
    assert "could not be shown" in words(dashboard._failure.text)
    assert "a fault of ours" in caplog.text
    explorer.k = 12
    painted(dashboard)
    assert tap_is_shown()
    assert f"TAP-{12}" in dashboard._table.text
    assert not dashboard._failure.visible


def test_without_a_page_a_part_that_fails_says_so(explorer, monkeypatch):
    dashboard = Dashboard(explorer)
    monkeypatch.setattr(dashboard, "_always", [replace(dashboard._always[0], picture=fail)])
    with pytest.raises(KeyError, match="a fault of ours"):
        explorer.k = 9


def test_latest_value_wins_while_the_page_is_busy():
    document = WaitingDocument()
    with set_curdoc(document):
        shown = []
        gate = FrameGate(shown.append)
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


def said(app):
    """What is open, and how many queries."""
    return words(app.dashboard._selection.header.text)


def test_application_with_own_results(explorer):
    app = App(Opened(dict(explorer.results), "own.tsv"))
    assert said(app).startswith("8 of 8 queries · ")
    assert said(app).endswith(" · own.tsv")
    assert not widgets(app.dashboard, pn.widgets.Select, value="scope40")


def test_application_opens_the_bench_and_another():
    app = App()
    assert list(app.dashboard.plots) == ["tap", "epq", "precision_recall"]
    assert "862 of 862 queries" in said(app)
    app._choice.value = "profiles"
    assert "1,351 of 1,351 queries" in said(app)
    assert app.dashboard.explorer.table_scores == []
    # Text retrieval opens with its own scores.
    app._choice.value = "cranfield"
    assert "225 of 225 queries" in said(app)
    assert tuple(app.dashboard.explorer.table_scores) == PRESETS["text"]
    assert app.dashboard.explorer.compared_score == "ndcg@10"  # which the table has
    (mode,) = widgets(app.dashboard, pn.widgets.RadioBoxGroup)
    assert [*mode.options] == ["errors per query", "score"]  # no E-values
    # A link says what was chosen since, the usual scores also.
    app.dashboard.explorer.table_scores = []
    assert "table_scores=&" in app.dashboard.explorer.to_query() + "&"


def test_undo_comes_back_to_the_former_bench_with_its_settings():
    app = App()
    assert "undo" in app.dashboard._buttons.disabled
    app.dashboard.explorer.param.update(k=5, query_text="^d1", view="order")
    app._choice.value = "profiles"
    assert "undo" not in app.dashboard._buttons.disabled
    app.dashboard.explorer.n = 7
    app.dashboard._on_button("undo")  # first what was chosen here
    assert (app.dashboard.explorer.n, app._choice.value) == (50, "profiles")
    app.dashboard._on_button("undo")
    back = app.dashboard.explorer
    assert (app._choice.value, back.k, back.query_text, back.view) == ("scope40", 5, "^d1", "order")
    assert "of 862 queries" in said(app)
    assert "undo" in app.dashboard._buttons.disabled


def test_undo_comes_back_to_own_files_and_leaves_them_again(explorer):
    own = Opened(dict(explorer.results), "own.tsv")
    other = Opened({"one": explorer.results["one"]}, "other.tsv")
    app = App()
    app._use(own)
    app.dashboard.explorer.k = 3
    app._use(other)
    app._choice.value = "profiles"
    seen = []
    while "undo" not in app.dashboard._buttons.disabled:
        app.dashboard._on_button("undo")
        seen.append((app._choice.value, app.dashboard._selection._title, app.dashboard.explorer.k))
    assert seen == [
        ("own", "other.tsv", 20), ("own", "own.tsv", 3), ("scope40", "", 20),
    ]  # fmt: skip
    assert next(iter(app._choice.options)) == "your files: own.tsv"  # they can be chosen still


def test_two_dashboards_share_no_widget(explorer):
    one, two = Dashboard(explorer), Dashboard(Explorer(explorer.results, k=3))
    explorer.param.update(k=9, query_text="d1", algorithms=["one"])
    assert slider(two, 100).value == 3
    assert words(two._selection.header.text).endswith("8 of 8 queries")
    assert slider(one, 100).value == 9


def test_the_link_to_the_lesson_says_how_long_it_is():
    core = [scene for scene in scenes() if not scene.more]
    minutes = round(sum(scene.minutes for scene in core))
    offered = script("header_buttons.js", "tapviz.page")
    assert f"{len(core)} scenes, about {minutes} minutes" in offered
    assert f", {minutes} minutes" in offered.replace(f"about {minutes} minutes", "")
