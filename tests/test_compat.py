"""Each non-public name of Bokeh and Panel is still there; without it the page works all the same.

A release that takes a name away fails here, by that name: see the function in `tapviz.live.compat`
that needs it, which says what is lost until it is mended.
"""

import ast
import importlib
import inspect
import math
import re
import subprocess
import sys
import textwrap
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Thread
from types import ModuleType, SimpleNamespace
from typing import Generic
from unittest.mock import Mock, call
from urllib.request import urlopen

import numpy as np
import panel as pn
import pytest
from bokeh.client import pull_session
from bokeh.core.has_props import HasProps
from bokeh.core.property.descriptors import PropertyDescriptor
from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.model import util as model_util
from bokeh.models import Div, ImportedStyleSheet, Slider, UIElement
from bokeh.plotting import figure
from bokeh.protocol import Protocol
from panel.io import notebook as panel_notebook
from panel.io.server import get_server
from panel.io.state import set_curdoc

from tapviz import Dashboard, Explorer, RetrievalLists, load_results
from tapviz.live import compat, patches
from tapviz.live.compat import NON_PUBLIC
from tapviz.live.notebook_sync import NotebookSync
from tapviz.live.parts import LiveText

PACKAGE = Path(compat.__file__).parents[1]
NAMES = sorted({(name, needed) for needed, names in NON_PUBLIC.items() for name in names})


def owner_of(name):
    parts = name.split(".")[:-1]
    for n in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        for part in parts[n:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(name)


@cache
def assigned(base):
    """Attributes that a class itself declares or gives its instances."""
    names = {*vars(base), *inspect.get_annotations(base)}
    if base is Generic:  # which is written in C from Python 3.12 on
        return names
    nodes = ast.walk(ast.parse(textwrap.dedent(inspect.getsource(base))))
    stored = (one for one in nodes if isinstance(one, ast.Attribute))
    return names | {one.attr for one in stored if isinstance(one.ctx, ast.Store)}


@pytest.mark.parametrize(("name", "needed"), NAMES, ids=[f"{name}" for name, _ in NAMES])
def test_the_name_is_still_there(name, needed):
    owner, attribute = owner_of(name), name.rsplit(".", 1)[1]
    bases = () if isinstance(owner, ModuleType) else owner.__mro__[:-1]
    there = attribute in vars(owner) or any(attribute in assigned(base) for base in bases)
    assert there, f"{name} has gone: see {needed} in tapviz.live"


def test_every_function_declares_what_it_needs_and_says_what_happens_without_it():
    functions = {
        name: function
        for module in (compat, patches)
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__
    }
    helpers = {"needs", "replace", "around", "mute", "unmute"}
    assert set(functions) - helpers == set(NON_PUBLIC)
    for name in {*NON_PUBLIC, "mute"}:
        assert "without" in inspect.getdoc(functions[name]).lower(), name


def test_no_other_module_uses_a_non_public_name_of_bokeh_or_panel():
    names = {name.rsplit(".", 1)[1] for name, _ in NAMES} - {"diff", "send"}
    found = []
    for path in PACKAGE.rglob("*.py"):
        if path.name in ("compat.py", "patches.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            used = getattr(node, "attr", None) or getattr(node, "id", None)
            used = node.name if isinstance(node, ast.FunctionDef) else used
            if used in names:
                found.append(f"{path.relative_to(PACKAGE)}, line {node.lineno}: {used}")
    assert not found


# --- what each buys, and what happens without its name ----------------------------------------


def served(session=None, **fields):
    session = session or SimpleNamespace(**fields)
    return SimpleNamespace(session_context=SimpleNamespace(session=session))


def test_a_connection_sends_without_delay():
    socket = Mock()
    compat.send_without_delay(served(_subscribed_connections=[SimpleNamespace(_socket=socket)]))
    socket.set_nodelay.assert_called_once_with(True)


NO_CONNECTION = {
    "no page": None,
    "not served": Document(),
    "no connections": served(),
    "no socket": served(_subscribed_connections=[SimpleNamespace()]),
    "no set_nodelay": served(_subscribed_connections=[SimpleNamespace(_socket=object())]),
}


@pytest.mark.parametrize("document", NO_CONNECTION.values(), ids=NO_CONNECTION)
def test_without_a_connection_or_its_socket_nothing_happens(document):
    compat.send_without_delay(document)


def test_when_the_last_connection_has_gone_something_is_called():
    connections, left, expire = {"one", "two"}, Mock(), Mock()
    session = Mock(unsubscribe=connections.discard, request_expiration=expire)
    type(session).connection_count = property(lambda _: len(connections))
    compat.on_left(served(session), left)
    for connection, n_calls in (("one", 0), ("two", 1)):
        session.unsubscribe(connection)
        assert connection not in connections
        assert left.call_count == expire.call_count == n_calls


@pytest.mark.parametrize("document", [None, Document(), served()], ids=["none", "bare", "served"])
def test_without_a_session_nobody_leaves(document):
    compat.on_left(document, pytest.fail)


@pytest.fixture
def bokeh_as_it_is(monkeypatch):
    """Take back, after the test, what it has changed in Bokeh."""
    for owner, name in (
        (PropertyDescriptor, "_get_default"),
        (PropertyDescriptor, "has_unstable_default"),
        (HasProps, "_overridden_defaults"),
        (model_util, "visit_immediate_value_references"),
        (Serializer, "__init__"),
        (Serializer, "get_ref"),
        (Serializer, "_encode_list"),
    ):
        monkeypatch.setattr(owner, name, vars(owner).get(name, getattr(owner, name)))


PATCHES = (patches.remember_defaults, patches.visit_what_is_set, patches.encode_quickly)
"""Functions that replace code of Bokeh or Panel for the whole process."""


def numbered(text):
    """The same with ids, names of Panel's and tokens of sources, which count up, from 0."""
    known = {}

    def number(found):
        return known.setdefault(found[0], f"id{len(known)}")

    return re.sub(r"p\d{3,}|(?<=[a-z])\d{5}\b|[0-9a-f]{8}-[0-9a-f-]{27}", number, text)


def page_and_messages():
    """What a browser is sent: a whole page, each of its changes, and the page as it is then."""
    seed = np.random.default_rng(1)
    drawn = {name: (np.sort(seed.random(60)), seed.random(60) < 0.4) for name in "AB"}
    results = {n: RetrievalLists(*own, range(0, 61, 12), [9] * 5) for n, own in drawn.items()}
    dashboard, document = Dashboard(Explorer(results, k=1)), Document()
    dashboard.__panel__().server_doc(document, location=False)
    events = []
    messages = [repr(document.to_json())]
    document.on_change(events.append)
    document.models.flush_synced()
    for change in ({"view": "order"}, {"k": 3}, {"query_text": "none"}):
        dashboard.explorer.param.update(**change)
        if events:
            messages.append(Protocol().create("PATCH-DOC", events).content_json)
        events.clear()
        document.models.flush_synced()
    dashboard._buttons.dark = True
    messages.append(repr(document.to_json()))
    dashboard.close()
    return [numbered(message) for message in messages]


@cache
def sent_as_usual():
    """The same by Bokeh and Panel as they are; made in a test, where no browser's loop runs."""
    page_and_messages()  # what is done once in a process
    sent = page_and_messages()
    assert len(sent) == 5
    return sent


@pytest.mark.parametrize("patch", [*PATCHES, None], ids=lambda one: getattr(one, "__name__", ""))
def test_a_page_made_faster_is_the_same_to_the_byte(request, patch):
    """By each patch, and by all: also one that takes what another one remembered."""
    usual = sent_as_usual()
    request.getfixturevalue("bokeh_as_it_is")
    for one in [patch] if patch else PATCHES:
        one()
    for _ in range(1 if patch else 2):
        assert page_and_messages() == usual


@pytest.mark.subprocess
def test_patches_for_upstream_fit_the_bokeh_that_is_installed_and_write_the_same():
    """Its release that has one of them takes a function from `compat` and files from the folder."""
    script = PACKAGE.parent / "docs" / "upstream" / "benchmark.py"
    command = [sys.executable, str(script), "--plots", "2", "--rounds", "0"]  # no times
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("the same") == 1 + len(list(script.parent.glob("*.diff")))


@pytest.mark.usefixtures("bokeh_as_it_is")
def test_what_a_theme_says_is_not_forgotten():
    patches.remember_defaults()
    plain, themed = figure(), figure()
    assert plain.outline_line_color == "#e5e5e5"
    themed.apply_theme({"outline_line_color": "red"})
    assert (themed.outline_line_color, plain.outline_line_color) == ("red", "#e5e5e5")
    assert plain.toolbar is not themed.toolbar


@pytest.mark.usefixtures("bokeh_as_it_is")
def test_without_the_names_bokeh_does_as_it_is(monkeypatch):
    monkeypatch.delattr(PropertyDescriptor, "has_unstable_default")
    monkeypatch.delattr(model_util, "visit_immediate_value_references")
    monkeypatch.delattr(Serializer, "_encode_list")
    usual = PropertyDescriptor._get_default, Serializer.__init__
    for patch in PATCHES:
        patch()
    assert (PropertyDescriptor._get_default, Serializer.__init__) == usual


def message():
    """A message about numbers, words, a model that the page has and one that it gets."""
    document, div, slider = Document(), Div(), Slider(start=0, end=9, value=1)
    for root in (div, slider):
        document.add_root(root)
    document.models.flush_synced()
    events = []
    document.on_change(events.append)
    another = Slider(start=0, end=9, value=2)
    numbers = [[0.5, 1e300], [0.5, math.nan], [math.inf, -math.inf], [1, 2.5], [1e308, 1e308]]
    div.tags = [*numbers, ["a", "<b>"], ["a", None], [], slider, another, {"n": [slider]}]
    slider.title = "k"
    return numbered(Protocol().create("PATCH-DOC", events).content_json)


@pytest.mark.usefixtures("bokeh_as_it_is")
def test_a_message_made_faster_is_the_same():
    usual = message()
    assert usual.count('{"id":"id1"}') == 3
    assert '"value":"nan"' in usual
    patches.encode_quickly()
    quick = Serializer.__init__
    assert message() == usual
    patches.encode_quickly()
    assert Serializer.__init__ is quick


def test_what_is_made_ahead_is_what_the_page_shows():
    place, made = pn.Column(), pn.widgets.Button(label="press")
    document = Document()
    with set_curdoc(document):
        root = place.server_doc(document, location=False).roots[0]
        compat.render_ahead(made, place)
        (model, _) = made._models[root.ref["id"]]
        place.append(made)
    assert root.children == [model]
    compat.render_ahead(made, pn.Column())  # a place that nothing shows
    assert len(made._models) == 1


def test_what_the_page_says_of_a_component_turns_nothing_busy():
    text = LiveText()
    assert {"pressed", "choice"} <= set(text._busy__ignore)
    assert not pn.widgets.IntSlider._busy__ignore


def test_a_live_slider_answers_at_once_in_one_message():
    from tapviz.page.widgets import LiveFloatSlider, LiveIntSlider  # noqa: PLC0415

    for slider in (LiveIntSlider, LiveFloatSlider):
        assert slider._debounce == 3
        assert {"value", "value_throttled"} <= set(slider._busy__ignore)
    assert pn.widgets.IntSlider._debounce == 50
    held, document = [], Document()
    slider = LiveIntSlider(start=0, end=9)
    slider.param.watch(lambda _: held.append(document.callbacks.hold_value is not None), "value")
    with set_curdoc(document):
        slider._process_events({"value": 3})
        pn.widgets.IntSlider._process_events(slider, {"value": 4})
    assert (slider.value, held) == (4, [True, False])
    widget = type("Widget", (), {})  # without `_process_events` it stays as it is
    assert compat.one_message_per_event(widget) is widget
    assert not hasattr(widget, "_process_events")


def test_removal_is_noticed_and_without_the_name_is_not():
    removed, component = Mock(), NotebookSync()
    compat.on_removed(component, removed)
    root = component.get_root()
    component._cleanup(root)
    removed.assert_called_once_with(root.ref["id"])
    assert not component._models
    compat.on_removed(SimpleNamespace(), removed)


def test_a_figure_is_drawn_for_each_page_and_without_the_name_for_one(monkeypatch):
    draw, forget = Mock(side_effect=lambda _: figure()), Mock()
    pane = compat.figure_pane(draw, forget, width=300, margin=0)
    roots = [pane.get_root() for _ in range(2)]
    refs = [root.ref["id"] for root in roots]
    assert draw.call_args_list == [call(ref) for ref in refs]
    assert [root.width for root in roots] == [300, 300]
    pane._cleanup(roots[0])
    forget.assert_called_once_with(refs[0])
    monkeypatch.setattr(compat, "BokehPane", lambda shown: SimpleNamespace(object=shown))
    assert isinstance(compat.figure_pane(draw, forget).object, figure)
    assert draw.call_count == 3


def test_the_channel_is_opened_as_panel_does_after_ours():
    calls = []
    client = SimpleNamespace(_on_open=calls.append)
    view = SimpleNamespace(_comms={"1": (None, client)})
    compat.before_page_opens(view, "1", lambda: calls.append("ours"))
    client._on_open("Panel's")
    assert calls == ["ours", "Panel's"]


@pytest.mark.parametrize("comms", [None, {}, {"1": (None, None)}, {"1": (None, object())}])
def test_without_a_channel_nothing_is_called(comms):
    view = SimpleNamespace() if comms is None else SimpleNamespace(_comms=comms)
    compat.before_page_opens(view, "1", lambda: pytest.fail("called"))


class Cell:
    """A page as the output of a cell, without a kernel; it keeps what its channel is sent."""

    def __init__(self, shown):
        self.comm, self.document = Mock(id="channel"), Document()
        self.comm._comm = self.comm
        self.root = shown.get_root(self.document, self.comm)
        self.ref = self.root.ref["id"]
        self.document.add_root(self.root)
        self.document.hold("combine")
        pn.state._views[self.ref] = (shown, self.root, self.document, self.comm)

    @property
    def sent(self):
        return self.comm.send.call_args_list


@pytest.fixture(autouse=True)
def _reset():
    yield
    pn.state._views.clear()


@pytest.mark.parametrize(("inline", "name"), [(True, True), (True, False), (False, True)])
def test_style_sheets_are_taken_into_an_output_with_the_scripts(inline, name, monkeypatch):
    if not name:
        monkeypatch.delattr(panel_notebook, "patch_inline_stylesheets")
    view = pn.Column(pn.widgets.IntSlider(start=0, end=9))
    compat.inline_style_sheets_first(view)
    with pn.config.set(inline=inline):
        root = Cell(view).root
    sheets = {
        type(sheet) for model in root.select({"type": UIElement}) for sheet in model.stylesheets
    }
    assert (ImportedStyleSheet in sheets) is not (inline and name)


def is_told(cell, slider, value):
    """Whether the page in a cell is sent anything once a slider has another value."""
    sent = len(cell.sent)
    slider.value = value
    return len(cell.sent) > sent


def test_a_muted_page_is_sent_nothing():
    slider = pn.widgets.IntSlider(start=0, end=9)
    cell = Cell(slider)
    assert is_told(cell, slider, 2)
    compat.mute(cell.root)
    assert not is_told(cell, slider, 3)
    compat.unmute(cell.root)
    assert is_told(cell, slider, 4)


def test_properties_that_are_set_also_without_the_name():
    model = Slider(start=0, end=9, value=3, title="k")
    usual, without = map(compat.set_properties, (model, Without(model, "_property_values")))
    assert usual.items() >= {"start": 0, "end": 9, "value": 3}.items()
    assert without.items() <= {(name, model.lookup(name).get_value(model)) for name in usual}
    assert without["value"] == 3


@pytest.fixture
def synced():
    slider, sync = pn.widgets.IntSlider(start=0, end=9), NotebookSync()
    return slider, sync, Cell(pn.Column(slider, sync))


def drawn(sync, cell):
    """All that the page is sent when it says that it is drawn."""
    sent = len(cell.sent)
    sync._update_output(cell.ref)
    return " ".join(str(part) for part in cell.sent[sent:])


def test_a_page_in_a_cell_gets_what_changed_before_it_was_drawn(synced):
    slider, sync, cell = synced
    sync.record_output()
    assert not is_told(cell, slider, 3)
    assert not is_told(cell, slider, 7)
    text = drawn(sync, cell)
    assert '"attr":"value"' in text
    assert '"new":7' in text
    assert '"new":3' not in text
    assert is_told(cell, slider, 8)


@pytest.mark.parametrize("name", ["diff", "send"])
def test_without_panels_messages_the_page_is_told_all_the_same(synced, name, monkeypatch):
    slider, sync, cell = synced
    sync.record_output()
    slider.value = 7
    monkeypatch.delattr(compat.panel_model if name == "diff" else panel_notebook, name)
    assert '"new":7' in drawn(sync, cell)


class Without:
    def __init__(self, whole, name):
        self._whole, self._name = whole, name

    def __getattr__(self, name):
        if name == self._name:
            raise AttributeError(name)
        return getattr(self._whole, name)


@pytest.mark.parametrize("name", ["rendered_refs", "rendered_view"])
def test_where_panel_does_not_say_what_is_rendered_the_page_stays_as_panel_makes_it(
    synced, name, monkeypatch
):
    slider, sync, cell = synced
    if name == "rendered_view":
        monkeypatch.setattr(compat, "pn", SimpleNamespace(state=Without(pn.state, "_views")))
    else:
        plain = compat.rendered_refs
        monkeypatch.setattr(compat, name, lambda part: plain(Without(part, "_models")))
    sync.record_output()
    assert is_told(cell, slider, 7)
    assert 'new":7' not in drawn(sync, cell)
    assert sync.answered


def test_a_page_that_is_opened_again_is_muted_until_it_is_drawn(synced):
    slider, sync, cell = synced
    client = SimpleNamespace(_on_open=lambda _: None)
    pn.state._views[cell.ref][0]._comms[cell.ref] = (cell.comm, client)
    sync.record_output()
    drawn(sync, cell)
    client._on_open({})
    assert not is_told(cell, slider, 5)
    assert '"new":5' in drawn(sync, cell)


def test_a_dashboard_in_a_cell_follows_python_without_any_name_of_panels(monkeypatch):
    state = Without(pn.state, "_views")
    monkeypatch.setattr(compat, "pn", SimpleNamespace(state=state, io=pn.io))
    monkeypatch.delattr(panel_notebook, "send")
    lists = RetrievalLists([0.1, 0.2, 0.3], [True, False, False], [0, 3], [1])
    dashboard = Dashboard(Explorer({"A": lists}, k=1))
    dashboard._repr_mimebundle_()
    dashboard.explorer.k = 2
    assert "TAP-2" in dashboard._table.text


# --- a page made when its visitor connects ----------------------------------------------------


@pytest.fixture
def made(monkeypatch):
    """Pages that have been made; what serves them leaves nothing in Panel."""
    for name in ("_sessions", "_session_key_funcs"):
        monkeypatch.setattr(pn.state, name, {})
    with pn.config.set(reuse_sessions=False):
        yield []


@contextmanager
def serving(made, *, at_once):
    """The address of a page, which is served until the end of the block."""

    def make():
        made.append("page")
        return Dashboard(Explorer(load_results("profiles"), k=5)).view

    server = get_server({"/explore": make}, port=0, show=False, title="tapviz")
    if at_once:
        contexts = server._tornado.applications
        compat.answer_at_once({path: context.application for path, context in contexts.items()})
    thread = Thread(target=lambda: (server.start(), server.io_loop.start()))
    thread.start()
    try:
        yield f"http://localhost:{server.port}/explore"
    finally:
        server.io_loop.add_callback(lambda: (server.stop(), server.io_loop.stop()))
        thread.join()


def visit(address):
    """The frame that a visitor asks for, and the page that then comes; but for ids and the port."""
    with urlopen(address) as answer:  # noqa: S310  # our own
        frame = re.sub(r'"token":"[^"]+"', "", answer.read().decode())
    session = pull_session(url=address)
    page = re.sub(r"(?<=localhost:)\d+|(?<='port': ')\d+", "", repr(session.document.to_json()))
    session.close()
    return numbered(frame), numbered(page)


def test_a_page_made_when_its_visitor_connects_is_the_same_to_the_byte(made):
    sent = {}
    for at_once in (False, True):
        with serving(made, at_once=at_once) as address:
            sent[at_once] = [visit(address) for _ in range(2)]
    assert sent[True] == sent[False]
    assert len(sent[True][0][1]) > 100_000


def test_who_asks_and_does_not_connect_costs_no_page(made):
    for at_once, n_pages in ((False, 3), (True, 0)):
        made.clear()
        with serving(made, at_once=at_once) as address:
            n_before = len(made)  # the one whose frame is sent
            for _ in range(3):
                urlopen(address).close()  # noqa: S310
            assert len(made) - n_before == n_pages
