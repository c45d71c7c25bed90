"""The application: the bundled data sets, or the user's own files, on one page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlencode

import panel as pn
from bokeh.document import Document

from tapviz.explorer import Explorer
from tapviz.explorer.session import Session, use_session
from tapviz.explorer.share import DATA, described, fingerprint, other_data
from tapviz.live.background import BackgroundTask
from tapviz.live.compat import on_left
from tapviz.live.templates import Markup, render
from tapviz.live.theme import STYLE
from tapviz.page.controls import UNSEEN_LABEL, WIDGET
from tapviz.page.dashboard import Dashboard
from tapviz.page.data import DataPanel
from tapviz.page.join_table import what_was_read
from tapviz.readers import STANDARDS
from tapviz.readers.datasets import DATASETS, record_classes
from tapviz.readers.inputs import Opened, bundled
from tapviz.scores import PRESETS
from tapviz.state import Choices
from tapviz.state.query_filter import clipped

OWN = "own"
"""Among the data sets, the user's own files."""
CHOICE = 314
"""Width of the choice of data, in pixels."""
STANDARD = "standard"
"""Name under which a link holds the standard of relevance."""


class Previous(NamedTuple):
    """What was open: which data set, the user's own files, and the settings as in an address."""

    name: str
    own: Opened | None
    search: str


class App(pn.viewable.Viewer):
    """Bundled data sets, or the user's own files, on one page.

    Settings in the address of the page are applied; those that cannot be used are listed.

    Parameters
    ----------
    opened : Opened, optional
        What to open instead of a bundled data set.
    session : Session, optional
        What to choose where the address says nothing.
    """

    def __init__(self, opened: Opened | None = None, session: Session | None = None) -> None:
        super().__init__()
        search = (pn.state.location.search if pn.state.location is not None else "") or ""
        self._unknown: list[str] = []
        self._session = None if "view" in parse_qs(search.lstrip("?")) else session
        """To be used with what is opened next."""
        self._asked_for = ""
        """Settings of a link made from files that are not open."""
        self._own = opened
        if self._session is not None:
            search = self._session.search
        self.dashboard: Any = None
        self._panel: DataPanel | None = None
        self._above = pn.Column(sizing_mode="stretch_width", margin=0)
        self._body = pn.Column(
            self._above, sizing_mode="stretch_width", styles={"min-width": "0"}, margin=0
        )
        self._choice = pn.widgets.Select(
            label="data set",
            value=next(iter(DATASETS)),
            options={b.title: b.name for b in DATASETS.values()},
            width=CHOICE,
            margin=(0, 8, 0, 0),
            stylesheets=[WIDGET, UNSEEN_LABEL],
        )
        change = pn.widgets.Button(
            label="Change data",
            width=110,
            margin=(0, 14, 0, 0),
            stylesheets=[WIDGET],
            on_click=lambda _event: self._change_data(),
        )
        self._standard = pn.widgets.Select(
            label="what is relevant",
            width=190,
            margin=(0, 14, 0, 0),
            stylesheets=[WIDGET, UNSEEN_LABEL],
            visible=False,
        )
        self._judging = BackgroundTask(self._on_judged, rest=0)
        self._header = pn.Row(
            self._choice,
            change,
            self._standard,
            margin=0,
            styles={"flex-wrap": "wrap", "min-width": "0"},
        )
        if self._own is not None:
            self._own = self._by_standard(self._own, search)
        if self._own is None:
            name = parse_qs(search.lstrip("?")).get("dataset", [""])[-1]
            if name in DATASETS:
                self._choice.value = name
            elif name:
                self._unknown = [f"dataset = {clipped(name)!r} in the address cannot be used here"]
            elif self._session is None and parse_qs(search.lstrip("?")).get(DATA):
                search, self._asked_for = "", search
        else:
            self._offer_own()
        self._name = self._choice.value
        self._choice.param.watch(self._chosen, "value")
        self._standard.param.watch(self._standard_chosen, "value")
        self._show(self._name, search)
        if self._asked_for:
            self._change_data()
        if pn.state.curdoc is not None:
            pn.state.onload(partial(self._follow, pn.state.curdoc))

    def _follow(self, document: Document) -> None:
        """Stop slow work as soon as the visitor has gone."""
        on_left(document, lambda: document.add_next_tick_callback(self._pause))

    def _pause(self) -> None:
        self.dashboard.pause()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._body

    def _chosen(self, event: Any) -> None:
        if event.new != self._name:
            current, self._name = self._here(), event.new
            self._show(event.new, "", [*self._previous, current])

    def _show(self, name: str, search: str, previous: Sequence[Previous] = ()) -> None:
        if name == OWN and self._own is not None:
            self._open(self._own_page(search, self._own, previous), previous)
        else:
            self._open(self._bundled_page(name, search, previous), previous)

    def _by_standard(self, own: Opened, search: str) -> Opened:
        """The results by the standard that an address names."""
        name = parse_qs(search.lstrip("?")).get(STANDARD, [""])[-1]
        if own.judged is not None and name in own.standards:
            return own.judged(name)
        if name:
            self._unknown = [f"{STANDARD} = {clipped(name)!r} in the address cannot be used here"]
        return own

    def _standard_chosen(self, event: Any) -> None:
        own, name = self._own, event.new
        if own is not None and own.judged is not None and name != own.standard:
            judged = own.judged
            if self._judging.request((own, name), lambda _: judged(name)) is not None:
                self._on_judged()  # of this key before
            elif self._judging.cancelled:  # in a script, where nothing goes on by itself
                self._judging.resume()

    def _on_judged(self) -> None:
        """Open the results by another standard, with the same choices."""
        opened: Opened | None = self._judging.result
        if opened is None or opened is self._own or self._name != OWN:
            return
        search, previous = _kept(self.dashboard.explorer), [*self._previous, self._here()]
        self._own = opened
        self._open(self._own_page(search, opened, previous), previous)

    def _here(self) -> Previous:
        """What is open, to come back to."""
        return Previous(self._name, self._own, self.dashboard.explorer.to_query())

    def _back(self) -> None:
        """Open what was open before, with its settings."""
        *previous, (name, own, search) = self._previous
        self._name = name
        if name == OWN:
            self._own = own
            self._offer_own()
        else:
            self._choice.value = name
        self._show(name, search, previous)

    def _own_page(self, search: str, own: Opened, previous: Sequence[Previous]) -> Dashboard:
        explorer = Explorer(own.results, judging=own.judging, class_of_record=own.class_of_record)
        self._offer_standards(own)
        note = render(
            "note.html",
            demo=False,
            joined=Markup(what_was_read(own.results, own.doubts)),
            problems=self._choose(explorer, search),
        )
        return Dashboard(
            explorer,
            title=own.title,
            note=note,
            above=self._header,
            address={STANDARD: own.standard} if own.standard else {},
            opening=own.opening,
            about=own.about,
            doubts=own.doubts,
            back=self._back if previous else None,
        )

    def _bundled_page(self, name: str, search: str, previous: Sequence[Previous]) -> Dashboard:
        data = bundled(name)
        self._offer_standards(data)
        known = DATASETS[name]
        # The data set has its limits wherever it is opened: no link need name them.
        explorer = Explorer(
            data.results,
            shown=list(known.shown),
            table_scores=list(PRESETS[known.preset]),
            reported_to={},
            # Read when somebody looks at a ranked list.
            class_of_record=lambda record: record_classes(name).get(record, ""),
        )
        note = render(
            "note.html",
            demo=True,
            about=data.about,
            problems=self._choose(explorer, search),
        )
        return Dashboard(
            explorer,
            report_title=data.title.partition(" (")[0],
            note=note,
            above=self._header,
            address={"dataset": name},
            opening=data.opening,
            about=f"{data.title}. {data.about}",
            back=self._back if previous else None,
        )

    def _choose(self, explorer: Explorer, search: str) -> list[str]:
        """Make the choices of the address, or of a session; returns what could not be used."""
        unknown, self._unknown = self._unknown, []
        session, self._session = self._session, None
        if session is not None:
            return [*unknown, *use_session(explorer, session)]
        other = other_data(search, fingerprint(explorer.results))
        return [*unknown, *([other] if other else []), *explorer.from_query(search)]

    def _open(self, dashboard: Dashboard, previous: Sequence[Previous]) -> None:
        if self.dashboard is not None:
            self.dashboard.close()
        self.dashboard = dashboard
        self._previous = previous
        self._body[1:] = [dashboard]

    def _change_data(self) -> None:
        if self._panel is None:
            asked = files_of(self._asked_for) if self._asked_for else ""
            self._panel = DataPanel(self._use, self._close, STYLE, asked)
            self._above[:] = [self._panel]
            self._above.visible = True

    def _close(self) -> None:
        """Hide the panel; the next one takes its place.

        Were it removed, its list of files might fail in the page, which is still being drawn.
        """
        if self._panel is not None:
            self._panel.forget()
        self._panel, self._above.visible = None, False

    def _use(self, opened: Opened | None, session: Session | None = None) -> None:
        """Open results, a session or both; what is open stays if they cannot be shown."""
        previous = [*self._previous, self._here()]
        search = self._asked_for if session is None else session.search
        name = self._name
        if opened is not None:
            name = OWN
        elif session is not None and session.dataset in DATASETS:
            name = session.dataset
        own = self._own if opened is None else self._by_standard(opened, search)
        self._session = session
        try:
            page = (
                self._bundled_page(name, search, previous)
                if name != OWN or own is None
                else self._own_page(search, own, previous)
            )
        finally:
            self._session = None
        self._own, self._name, self._asked_for = own, name, ""
        if name == OWN:
            self._offer_own()
        else:
            self._choice.value = name
        self._open(page, previous)
        self._close()

    def _offer_own(self) -> None:
        """Put the person's files first among the choices, and choose them."""
        if self._own is None:
            return
        own = {f"your files: {self._own.title}": OWN}
        self._choice.param.update(
            options=own | {b.title: b.name for b in DATASETS.values()}, value=OWN
        )

    def _offer_standards(self, opened: Opened) -> None:
        """Show the choice of a standard if there are several."""
        options = {_standard_title(name): name for name in opened.standards}
        self._standard.visible = len(options) > 1
        # Both take the room of one.
        self._choice.width = CHOICE - self._standard.width if self._standard.visible else CHOICE
        if options:
            self._standard.param.update(options=options, value=opened.standard)


def _standard_title(name: str) -> str:
    return f"relevant: {STANDARDS[name].title}" if name else "relevant: by the levels given"


def _kept(explorer: Choices) -> str:
    """Choices that another standard leaves as they are: all, but for groups of its level."""
    given = parse_qs(explorer.to_query().lstrip("?"), keep_blank_values=True)
    if explorer.groups:
        del given["groups"]
    return "?" + urlencode(given, doseq=True)


def files_of(search: str) -> str:
    """What to ask for, of whoever opens a link that was made from files, by its query part."""
    given = parse_qs(search.lstrip("?"))
    names = ", ".join(clipped(name) for name in given.get("algorithms", []))
    return (
        f"This link was made from files that are not open here ({described(given[DATA][-1])}"
        f"{'; ' if names else ''}{names}). Open them below, and its settings are used."
    )
