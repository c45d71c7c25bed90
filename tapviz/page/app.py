"""The application: the bundled data sets, or the user's own files, on one page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

import panel as pn
from bokeh.document import Document
from param.parameterized import Event

from tapviz.explorer import Explorer
from tapviz.explorer.session import DATA, Session, described, fingerprint, other_data, use_session
from tapviz.live.background import BackgroundTask
from tapviz.live.compat import on_left
from tapviz.live.parts import Part
from tapviz.live.templates import Markup, render
from tapviz.page.dashboard import Dashboard
from tapviz.page.data import DataPanel
from tapviz.page.tables import what_was_read
from tapviz.page.widgets import UNSEEN_LABEL, WIDE, button, widget
from tapviz.plots import FORMER, PLOTS
from tapviz.readers import STANDARDS
from tapviz.readers.datasets import DATASETS, record_classes
from tapviz.readers.inputs import Opened, bundled
from tapviz.scores import PRESETS
from tapviz.state import SETTINGS, Choices
from tapviz.state.query_filter import clipped

OWN = "own"
"""Among the data sets, the user's own files."""
BUNDLED = {data.title: data.name for data in DATASETS.values()}
CHOICE, STANDARD_WIDTH = 314, 190
"""Widths of the choices of data, and of what is relevant, in pixels."""
STANDARD = "standard"
"""Name under which a link holds the standard of relevance."""
KNOWN = {*SETTINGS, "dataset", STANDARD, DATA, "ground"}
"""Names that an address may hold."""


class Previous(NamedTuple):
    """What was open: which data set, the user's own files, and the settings as in an address."""

    name: str
    own: Opened | None
    search: str


class App(Part):
    """Bundled data sets, or the user's own files, on one page.

    Settings in the address of the page are applied; those that cannot be used are listed.

    Parameters
    ----------
    opened : Opened, optional
        What to open instead of a bundled data set.
    session : Session, optional
        What to choose where the address says nothing.
    """

    view: pn.Column
    dashboard: Dashboard

    def __init__(self, opened: Opened | None = None, session: Session | None = None) -> None:
        super().__init__()
        search = (pn.state.location.search if pn.state.location is not None else "") or ""
        self._unknown: list[str] = []
        self._session = None if _given(search, "view") else session
        """To be used with what is opened next."""
        self._asked_for = ""
        """Settings of a link made from files that are not open."""
        if self._session is not None:
            search = self._session.search
        self._panel: DataPanel | None = None
        self.view = pn.Column(styles={"min-width": "0"}, **WIDE)
        self._choice = widget(
            pn.widgets.Select,
            "data set",
            UNSEEN_LABEL,
            options=BUNDLED,
            width=CHOICE,
            margin=(0, 8, 0, 0),
            css_classes=["data-set"],
        )
        self._change = button(
            "Change data",
            self._change_data,
            width=110,
            margin=(0, 14, 0, 0),
            css_classes=["change-data"],
        )
        self._standard = widget(
            pn.widgets.Select,
            "what is relevant",
            UNSEEN_LABEL,
            width=STANDARD_WIDTH,
            margin=(0, 14, 0, 0),
        )
        self._judging: BackgroundTask[Opened] = BackgroundTask(self._on_judged, rest=0)
        name = next(iter(DATASETS))
        if opened is not None:
            name, opened = OWN, self._by_standard(opened, search)
        elif asked := _given(search, "dataset"):
            if asked in DATASETS:
                name = asked
            else:
                self._unknown = [_not_used("dataset", asked)]
        elif self._session is None and _given(search, DATA):
            search, self._asked_for = "", search
        self._open(name, opened, search, ())
        self._choice.param.watch(self._chosen, "value")
        self._standard.param.watch(self._standard_chosen, "value")
        if self._asked_for:
            self._change_data()
        if pn.state.curdoc is not None:
            pn.state.onload(partial(self._follow, pn.state.curdoc))

    def _follow(self, document: Document) -> None:
        """Stop slow work as soon as the visitor has gone."""
        on_left(document, lambda: document.add_next_tick_callback(self.dashboard.pause))

    def _chosen(self, event: Event) -> None:
        if event.new != self._name:
            self._open(event.new, self._own, "", self._history)

    def _open(
        self, name: str, own: Opened | None, search: str, previous: Sequence[Previous]
    ) -> None:
        """Open a data set, with the settings of an address; what is open stays if that fails."""
        data = own if name == OWN and own is not None else bundled(name)
        page = self._page(name, data, search, self._back if previous else None)
        if self.view:
            self.dashboard.close()
        self._name, self._own, self._previous, self.dashboard = name, own, previous, page
        files = {} if own is None else {f"your files: {own.title}": OWN}
        self._choice.param.update(options=files | BUNDLED, value=name)
        self._offer_standards(data)
        self.view[:1] = [page]

    def _page(
        self, name: str, data: Opened, search: str, back: Callable[[], None] | None
    ) -> Dashboard:
        """A page of a bundled data set, or of the user's own files."""
        demo = name != OWN
        if demo:
            known = DATASETS[name]
            scores = list(PRESETS[known.preset])
            # The data set has its limits wherever it is opened: no link need name them.
            explorer = Explorer(
                data.results,
                shown=list(known.shown),
                table_scores=scores,
                compared_score=(scores or ["tap"])[0],
                reported_to={},
                # Read when somebody looks at a ranked list.
                class_of_record=lambda record: record_classes(name).get(record, ""),
            )
        else:
            judging, class_of_record = data.judging, data.class_of_record
            explorer = Explorer(data.results, judging=judging, class_of_record=class_of_record)
        joined = "" if demo else Markup(what_was_read(data.results, data.doubts))
        problems = self._choose(explorer, search)
        note = render("note.html", joined=joined, problems=problems) if joined or problems else ""
        address = {"dataset": name} if demo else {STANDARD: data.standard}
        return Dashboard(
            explorer,
            title="" if demo else data.title,
            report_title=data.title.partition(" (")[0],
            note=note,
            above=[self._choice, self._change, *([self._standard] if _several(data) else [])],
            address={key: value for key, value in address.items() if value},
            opening=data.opening,
            about=f"{data.title}. {data.about}" if demo else data.about,
            doubts=data.doubts,
            back=back,
        )

    def _by_standard(self, own: Opened, search: str) -> Opened:
        """The results by the standard that an address names."""
        name = _given(search, STANDARD)
        if own.judged is not None and name in own.standards:
            return own.judged(name)
        if name:
            self._unknown = [_not_used(STANDARD, name)]
        return own

    def _standard_chosen(self, event: Event) -> None:
        own, name = self._own, event.new
        if own is not None and own.judged is not None and name != own.standard:
            judged = own.judged
            if self._judging.request((own, name), lambda _: judged(name)) is not None:
                self._on_judged()  # of this key before
            elif self._judging.cancelled:  # in a script, where nothing goes on by itself
                self._judging.resume()

    def _on_judged(self) -> None:
        """Open the results by another standard, with the same choices."""
        opened = self._judging.result
        if opened is None or opened is self._own or self._name != OWN:
            return
        self._open(OWN, opened, _kept(self.dashboard.explorer), self._history)

    @property
    def _history(self) -> list[Previous]:
        """What was open, and what is, to come back to."""
        here = Previous(self._name, self._own, self.dashboard.explorer.to_query())
        return [*self._previous, here]

    def _back(self) -> None:
        """Open what was open before, with its settings."""
        *previous, (name, own, search) = self._previous
        self._open(name, own if name == OWN else self._own, search, previous)

    def _choose(self, explorer: Explorer, search: str) -> list[str]:
        """Make the choices of the address, or of a session; returns what could not be used."""
        unknown, self._unknown = self._unknown, []
        session, self._session = self._session, None
        if session is not None:
            return [*unknown, *use_session(explorer, session)]
        other = other_data(search, fingerprint(explorer.results))
        problems = [*unknown, *([other] if other else []), *explorer.from_query(search)]
        if explorer.view not in {*PLOTS, *FORMER}:  # which only other results have
            problems.append(_not_used("view", explorer.view))
        names = [name for name in parse_qs(search.lstrip("?")) if name not in KNOWN]
        says = "in the address is not a setting here"
        return problems + [f"{clipped(name)!r} {says}" for name in names]

    def _change_data(self) -> None:
        if self._panel is None:
            asked = files_of(self._asked_for) if self._asked_for else ""
            self._panel = DataPanel(self._use, self._close, asked)
            self.view[1:] = [self._panel]

    def _close(self) -> None:
        """Hide the panel; the next one takes its place.

        Were it removed, its list of files might fail in the page, which is still being drawn.
        """
        if self._panel is not None:
            self._panel.forget()
            self._panel.view.visible = False
        self._panel = None

    def _use(self, opened: Opened | None, session: Session | None = None) -> None:
        """Open results, a session or both; what is open stays if they cannot be shown."""
        search = self._asked_for if session is None else session.search
        name, own = self._name, self._own
        if opened is not None:
            name, own = OWN, self._by_standard(opened, search)
        elif session is not None and session.dataset in DATASETS:
            name = session.dataset
        self._session = session
        try:
            self._open(name, own, search, self._history)
        finally:
            self._session = None
        self._asked_for = ""
        self._close()

    def _offer_standards(self, opened: Opened) -> None:
        """Let the choice of a standard be among those there are."""
        options = {_standard_title(name): name for name in opened.standards}
        # Both take the room of one.
        self._choice.width = CHOICE - STANDARD_WIDTH if _several(opened) else CHOICE
        if options:
            self._standard.param.update(options=options, value=opened.standard)


def _several(opened: Opened) -> bool:
    return len(opened.standards) > 1


def _standard_title(name: str) -> str:
    return f"relevant: {STANDARDS[name].title}" if name else "relevant: by the levels given"


def _given(search: str, name: str) -> str:
    """What an address says last of a name; empty if nothing."""
    return parse_qs(search.lstrip("?")).get(name, [""])[-1]


def _not_used(name: str, value: str) -> str:
    return f"{name} = {clipped(value)!r} in the address cannot be used here"


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
        f"This link was made from files that are not open here ({described(_given(search, DATA))}"
        f"{'; ' if names else ''}{names}). Open them below, and its settings are used."
    )
