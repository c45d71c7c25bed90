"""What leans on names of Bokeh and Panel that are not public: a function for each of them.

Each says what it buys, what happens without it, and which behaviour of Bokeh or Panel it stands in
for. None raises if a release takes a name away: the page is then slower or less exact.
`NON_PUBLIC` has the names that each function needs; a test asks for every one of them, so that
a release that takes one away fails there by its name. `compat.js` does the same in the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeVar

import panel as pn
from bokeh.application import Application
from bokeh.document import Document
from bokeh.model import Model
from bokeh.models.ui import UIElement
from bokeh.plotting import figure
from bokeh.protocol.messages.patch_doc import patch_doc as PatchDoc  # noqa: N812  # a class
from panel.io import location as panel_location
from panel.io import model as panel_model
from panel.io import notebook as panel_notebook
from panel.io.location import Location
from panel.io.session import generate_session
from panel.pane import Bokeh as BokehPane
from panel.util.parameters import edit_readonly
from panel.viewable import Layoutable, Viewable
from param.parameterized import Event, discard_events

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

NON_PUBLIC: dict[str, tuple[str, ...]] = {}
"""Names, with module and class, that each function of this module needs."""

MUTED = "embedded"
"""Tag of the root of a page to which Panel sends nothing; see `mute`."""


def needs(*names: str) -> Callable[[F], F]:
    """Note the non-public names that a function needs, with module and class."""

    def register(function: F) -> F:
        NON_PUBLIC[function.__name__] = names
        return function

    return register


def replace(owner: object, name: str, by: object) -> None:
    """Put another function in place of one that is not meant to be replaced."""
    setattr(owner, name, by)


def around(owner: object, name: str, call: Callable[..., Any]) -> None:
    """Put another function around one of an owner, if there is one: it is given that first."""
    inner = getattr(owner, name, None)
    if inner is not None:

        @wraps(inner)
        def outer(*given: Any, **options: Any) -> Any:
            return call(inner, *given, **options)

        replace(owner, name, outer)


# --- served pages -----------------------------------------------------------------------------


@needs(
    "bokeh.server.session.ServerSession._subscribed_connections",
    "bokeh.server.connection.ServerConnection._socket",
)
def send_without_delay(document: Document | None) -> None:
    """Send what is written to a page at once (TCP_NODELAY).

    Bokeh writes a message in three parts. By default the system holds the second back until the
    page has acknowledged the first, which it may do 40 ms later. Without this, some changes arrive
    that much later. Bokeh has no option for it.
    """
    context = document.session_context if document is not None else None
    session = getattr(context, "session", None)
    for connection in tuple(getattr(session, "_subscribed_connections", ())):
        set_nodelay = getattr(getattr(connection, "_socket", None), "set_nodelay", None)
        if set_nodelay is not None:
            set_nodelay(True)


@needs("bokeh.server.session.ServerSession.unsubscribe")
def on_left(document: Document | None, call: Callable[[], object]) -> None:
    """Have something called as soon as the visitor of a page has gone, and the session ended early.

    Bokeh looks for unused sessions now and then, and says nothing before. Without this what a page
    computes goes on for half a minute.
    """
    context = document.session_context if document is not None else None
    session: Any = getattr(context, "session", None)

    def unsubscribe_and_call(unsubscribe: Callable[..., None], connection: object) -> None:
        unsubscribe(connection)
        if not session.connection_count:
            session.request_expiration()
            call()

    around(session, "unsubscribe", unsubscribe_and_call)


class _AnyLocation(Location):
    """Panel's `Location`, but that it does not parse an address with which nothing is in step."""

    def _update_synced(self, event: Event | None = None) -> None:
        """Do nothing."""


@needs(
    "panel.io.location.Location._update_synced",
    "panel.io.location._get_location_params",
    "panel.io.state._state._locations",
)
def take_any_address(document: Document | None) -> None:
    """Give a page that is being made its address, whatever is in it.

    Panel parses every value of an address, used or not, and some are too much for it: ``k=²``,
    5,000 digits, a second question mark, a host such as ``[::1]:5006``. Without this such an
    address opens an empty page, and what is typed may not get into the address.
    """
    context = document.session_context if document is not None else None
    locations = getattr(pn.state, "_locations", None)
    parse = getattr(panel_location, "_get_location_params", None)
    if context is None or locations is None or parse is None or document in locations:
        return
    request: Any = getattr(context, "request", None)
    path, _, search = str(getattr(request, "uri", "") or "").partition("?")
    try:
        known = parse(request.protocol, request.host, path)
    except (AttributeError, ValueError):
        known = {}
    if search:
        known["search"] = f"?{search}"
    locations[document] = _AnyLocation()  # type: ignore[no-untyped-call]  # that of Panel
    with edit_readonly(locations[document]):
        locations[document].param.update(known)


@needs(
    "panel.io.state._state._sessions",
    "panel.io.state._state._session_key_funcs",
    "panel.io.session.generate_session",
)
def answer_at_once(applications: Mapping[str, Application]) -> None:
    """Have a page made when its visitor connects, not when they ask for it.

    Who asks is sent the frame of a page that nobody uses, and a token of their own. Who asks and
    goes, or asks again, then costs nothing; and of several processes the one with the
    connection makes the page. Panel's option `reuse_sessions` does so from the second visitor on:
    the first one's page is used by that visitor, and is kept for ever. Only `panel serve` has an
    option, ``--warm``, that makes the first one ahead, and its module adds scripts of tables to
    all pages. Without this a page is made for each request.

    Parameters
    ----------
    applications : mapping of str to Application
        By their whole paths.
    """
    sessions = getattr(pn.state, "_sessions", None)
    keys = getattr(pn.state, "_session_key_funcs", None)
    if sessions is None or keys is None:
        return
    for path, application in applications.items():
        keys[path] = lambda request: request.path
        sessions[path] = generate_session(application)
    pn.config.reuse_sessions = True


# --- figures ----------------------------------------------------------------------------------


class _FigurePane(BokehPane):
    """A Bokeh figure that is made for each root; see `figure_pane`."""

    def __init__(
        self, draw: Callable[[str], figure], forget: Callable[[str], None], **params: Any
    ) -> None:
        super().__init__(None, **params)  # type: ignore[no-untyped-call]  # that of Panel
        self._draw, self._forget = draw, forget

    def _get_model(
        self,
        doc: Document,
        root: Model | None = None,
        parent: Model | None = None,
        comm: Any = None,
    ) -> Model:
        if root is None:
            return self.get_root(doc, comm)
        ref = root.ref["id"]
        sizes = {
            name: value
            for name, value in self.param.values().items()
            if name in Layoutable.param and name != "name" and value != self.param[name].default
        }
        drawn = self._draw(ref)
        drawn.update(**sizes)  # its container asks the figure, not the pane
        with discard_events(self):
            self.object = drawn
            model = super()._get_model(doc, root, parent, comm)
            self.object = None
        return model

    def _cleanup(self, root: Model | None = None) -> None:
        if root is not None:
            self._forget(root.ref["id"])
        super()._cleanup(root)


@needs(
    "panel.pane.Bokeh._get_model",
    "panel.viewable.Renderable._models",
    "panel.viewable.Viewable._cleanup",
)
def figure_pane(
    draw: Callable[[str], figure], forget: Callable[[str], None], **params: Any
) -> Viewable:
    """Make a pane whose Bokeh figure is drawn for each page or cell that shows it.

    Panel's own pane has one figure, which belongs to the first document that shows it. Without
    this a plot can be shown on one page or in one cell only.

    Parameters
    ----------
    draw : callable
        Makes the figure, given the id of the root that it will be part of.
    forget : callable
        Called with that id when the page or the cell is gone.
    **params
        Size and margin.
    """
    if all(hasattr(BokehPane, name) for name in ("_get_model", "_cleanup")):
        return _FigurePane(draw, forget, **params)
    return BokehPane(draw(""), **params)


@needs("panel.viewable.Renderable._get_model", "panel.io.state._state._views")
def render_ahead(viewable: Viewable, place: Viewable) -> None:
    """Make the models of something that will be added to a place on a page.

    Panel makes them when it is added, all at once, and others wait. What was made ahead it takes as
    it is. Without this the server answers nobody else while a page is filled.
    """
    views = getattr(pn.state, "_views", {})
    get_model = getattr(viewable, "_get_model", None)
    for ref in rendered_refs(place):
        if ref in views and get_model is not None:
            _, root, document, comm = views[ref]
            get_model(document, root, root, comm)


# --- widgets and components -------------------------------------------------------------------


@needs("panel.reactive.Syncable._debounce")
def debounced(widget: C) -> C:
    """Class decorator: answer a change in the page after 3 ms.

    Panel waits 50 ms, for all widgets alike. A slider that is answered as soon as its message has
    been acknowledged follows a drag; without this it follows 50 ms behind.
    """
    widget._debounce = 3  # type: ignore[attr-defined]  # noqa: SLF001
    return widget


@needs("panel.reactive.Syncable._busy__ignore")
def without_busy_indicator(component: C) -> C:
    """Class decorator: changes of its parameters in the page do not turn Panel busy.

    Panel sends two messages for each change, which turn its busy indicator on and off. Nothing of
    ours shows it; without this the page gets those messages, too, and is slower.
    """
    component._busy__ignore = [*component.param]  # type: ignore[attr-defined]  # noqa: SLF001
    return component


@needs("panel.reactive.Syncable._process_events")
def one_message_per_event(widget: C) -> C:
    """Class decorator: all that a value from the page changes goes back in one message.

    Panel sends a message for each parameter that a watcher sets. Without this a change takes as
    many messages as it changes figures, and as many repaints.
    """

    def process_in_one_message(process: Callable[..., None], *given: Any) -> None:
        with pn.io.hold():
            process(*given)

    around(widget, "_process_events", process_in_one_message)
    return widget


@needs(
    "panel.widgets.FileDropper._process_event",
    "panel.widgets.FileDropper._file_buffer",
)
def checked_uploads(dropper: C) -> C:
    """Class decorator of a `FileDropper`: the server, too, may refuse a file, and gets bytes.

    ``accepts(name, size)`` of the widget is asked for each piece, with the bytes that have come so
    far, and with 0 when a file is taken away; what had come of that is let go. Panel leaves limits
    to the page, and makes text of some files. Without this only the page keeps to the limits, and a
    text may come as a string.
    """

    def process_checked(process: Callable[..., None], self: Any, event: Any) -> None:
        data, buffers = event.data, getattr(self, "_file_buffer", None)
        name = data["name"]
        if event.event_name == "delete_event":
            self.accepts(name, 0)
            (buffers or {}).pop(name, None)
        elif buffers is not None:
            parts = buffers.get(name, []) if data["chunk"] > 1 else []
            if data["chunk"] != len(parts) + 1:
                return  # the rest of a file that was refused
            if not self.accepts(name, sum(map(len, parts)) + len(data["data"])):
                buffers.pop(name, None)
                return
            data["type"] = ""  # of a text
        process(self, event)

    around(dropper, "_process_event", process_checked)
    return dropper


@needs("panel.widgets.FileDropper._file_buffer")
def unfinished_uploads(dropper: pn.widgets.FileDropper) -> dict[str, list[bytes]]:
    """Pieces of files that have begun to come, by name; to clear it lets them go.

    Panel counts only files that have come to their end. Without this the pieces of others have no
    limit.
    """
    pieces: dict[str, list[bytes]] = getattr(dropper, "_file_buffer", {})
    return pieces


# --- cells of notebooks -----------------------------------------------------------------------


@needs("panel.viewable.Renderable._models")
def rendered_refs(viewable: Viewable) -> set[str]:
    """Ids of the roots under which something has been rendered and is still shown.

    Panel tells nobody which outputs a component is part of. Without this `NotebookSync` knows of no
    output, and a page in a cell may miss what changes before the browser has drawn it.
    """
    return set(getattr(viewable, "_models", ()))


@needs("panel.io.state._state._views")
def rendered_view(ref: str) -> tuple[Viewable, Model, Document, Any] | None:
    """What was rendered under the id of a root: Panel's view, root, document and channel.

    None if it is not in a cell: served, or a widget of jupyter_bokeh as in VS Code, or if Panel
    does not say. Without this it is as without `rendered_refs`.
    """
    view = getattr(pn.state, "_views", {}).get(ref)
    return view if view is not None and view[3] is not None else None


@needs("panel.viewable.Renderable._comms", "pyviz_comms.Comm._on_open")
def before_page_opens(view: Viewable, ref: str, call: Callable[[], None]) -> None:
    """Have something called whenever a browser opens the channel of an output.

    Panel opens its own channel then, sends what has been waiting, and offers no event. Without this
    an output that is opened a second time, from a saved notebook, is sent what it is not ready for.
    """
    _, client = getattr(view, "_comms", {}).get(ref, (None, None))

    def call_before(opened: Callable[..., None], message: dict[str, Any]) -> None:
        call()
        opened(message)

    around(client, "_on_open", call_before)


@needs("panel.io.notebook.patch_inline_stylesheets")
def inline_style_sheets_first(viewable: Viewable) -> None:
    """Have style sheets taken into an output before it is part of a document.

    Where all scripts are taken in, too, Panel does it afterwards, and for each of them Bokeh goes
    through the whole page. Without this the page takes four times as long to become an output.
    """
    take_in = getattr(panel_notebook, "patch_inline_stylesheets", None)
    if take_in is None:
        return

    def get_complete_root(get_root: Callable[..., Model], *given: Any, **options: Any) -> Model:
        root = get_root(*given, **options)
        if pn.config.inline:
            for model in root.select({"type": UIElement}):
                take_in(model)
        return root

    around(viewable, "get_root", get_complete_root)


@needs("panel.viewable.Viewable._cleanup")
def on_removed(viewable: Viewable, call: Callable[[str], object]) -> None:
    """Have something called, with the id of the root, when an output of a cell has been removed.

    Panel takes note of it inside the component, and offers no event. Without this what is known of
    an output is kept as long as the component.
    """

    def cleanup_and_call(cleanup: Callable[..., None], root: Model | None = None) -> None:
        if root is not None:
            call(root.ref["id"])
        cleanup(root)

    around(viewable, "_cleanup", cleanup_and_call)


def mute(root: Model) -> None:
    """Have Panel send nothing to a page, until `unmute`.

    Panel skips roots that have a tag of its own, meant for exported pages, where it updates models.
    Without this messages reach a browser that is not ready, which drops them.
    """
    root.tags = [MUTED]


def unmute(root: Model) -> None:
    """Have Panel send to a page again."""
    root.tags = []


@needs("bokeh.core.has_props.HasProps._property_values")
def set_properties(model: Model) -> dict[str, Any]:
    """Properties of a model that have been set: another object is there once one is set again.

    Bokeh's public way gives the same, and takes a second for a page; without this it is taken.
    """
    values = getattr(model, "_property_values", None)
    if values is None:
        values = model.properties_with_values(include_defaults=False)
    return dict(values)


@needs("panel.io.model.diff")
def discard_held_events(document: Document) -> None:
    """Forget the events of a document that have been held back.

    Panel's `diff` takes them out as it makes a message of them; that message is not sent here.
    Without this the page is told some values twice.
    """
    diff = getattr(panel_model, "diff", None)
    if diff is not None:
        diff(document)


@needs("panel.io.notebook.send")
def send_to_output(comm: Any, message: PatchDoc) -> None:
    """Send a message of Bokeh's protocol, without buffers, to the output of a cell.

    Panel's function says in which parts a channel takes it. Without this the parts are sent as
    Panel 1.9 does.
    """
    send = getattr(panel_notebook, "send", None)
    if send is not None:
        send(comm, message)
        return
    parts: Iterable[str] = (message.header_json, message.metadata_json, message.content_json)
    for part in parts:
        comm.send(part)
