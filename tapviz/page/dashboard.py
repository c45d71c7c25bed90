"""The page: header, rail of controls, score table, three live plots and tabs for the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import Any

import panel as pn
from bokeh.document import Document
from bokeh.events import Event, SelectionGeometry, Tap
from bokeh.models import CustomJS
from bokeh.server.callbacks import TimeoutCallback
from param.parameterized import Event as Change

from tapviz.draw.bokeh import Common
from tapviz.draw.style import ON_DARK
from tapviz.explorer import Explorer
from tapviz.explorer.score_table import cautions, method, score_table, subscripts
from tapviz.explorer.session import DATA, fingerprint
from tapviz.explorer.verdict import conclusion, proofs
from tapviz.explorer.views import QUERIES, TABLE
from tapviz.live.background import BackgroundTask, status
from tapviz.live.compat import inline_style_sheets_first, render_ahead
from tapviz.live.gc_tuning import GC_TUNING
from tapviz.live.notebook_sync import NotebookSync, warn_without_jupyter_bokeh
from tapviz.live.parts import ControlsButton, LiveText, Part
from tapviz.live.plot import LivePlot
from tapviz.live.script import STYLE, script
from tapviz.live.templates import Markup, render
from tapviz.live.turns import FrameGate, in_turns, in_turns_if_idle
from tapviz.page import controls
from tapviz.page.components import HeaderButtons
from tapviz.page.drawer import Drawer
from tapviz.page.export import Export
from tapviz.page.moves import Moves
from tapviz.page.places import Places
from tapviz.page.pointing import click, keep_box, tick
from tapviz.page.queries import Queries
from tapviz.page.tab_area import TabArea
from tapviz.page.texts import STACKED, PlotHeads, SelectionTexts, picture_of
from tapviz.plots import FORMER, PLOTS, Plot, PlotData, plots_for
from tapviz.scores import Compared
from tapviz.state import FILTER, SETTINGS

REST_AFTER = 500
"""Milliseconds between a change and what may follow later: words, and the address bar."""

SCRIPTS = (
    f'if (cb_data.event_name === "connection_lost") {{ {script("connection_lost.js")} }} '
    f"else {{ {script('at_first.js')} }}"
)
FAILED = "A part of the page could not be shown; the cause is in the log, and the rest goes on."
LOG = logging.getLogger(__name__)


class Dashboard(Part):
    """The page: controls, score table and plots over one Explorer.

    Served, or as the output of a cell; a change of the explorer in the next cell shows in it.

    Parameters
    ----------
    explorer : Explorer
    title : str, optional
        What is open, for the header.
    note : str, optional
        A line about the data.
    above : sequence of pn.viewable.Viewable, optional
        Controls for the header, such as a choice of data sets.
    address : mapping of str to str, optional
        What the address of the page says besides the settings.
    opening : str, optional
        Lines of Python that bind the results to ``results``.
    about : str, optional
        What counts as relevant, and whose data these are, for the report.
    doubts : sequence of str, optional
        What is doubtful about the files that were read, for exported tables and the report.
    report_title : str, optional
        Title of the report, where the header has none since `above` says it.
    back : callable, optional
        Opens what was open before: what Undo does when there is no choice to take back.

    Examples
    --------
    >>> from tapviz import Dashboard, Explorer, load_results
    >>> explorer = Explorer(load_results("profiles"), k=5)
    >>> page = Dashboard(explorer)
    >>> explorer.k = 20
    >>> page.explorer.k
    20
    """

    def __init__(
        self,
        explorer: Explorer,
        *,
        title: str = "",
        note: str = "",
        above: Sequence[pn.viewable.Viewable] = (),
        address: Mapping[str, str] | None = None,
        opening: str = "",
        about: str = "",
        doubts: Sequence[str] = (),
        report_title: str = "",
        back: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        self.explorer = explorer
        self.data = PlotData(explorer)
        self._plots = plots_for(explorer)
        self._always = [plot for plot in self._plots if not plot.tab]
        names = explorer.param.view.objects = [plot.name for plot in self._plots if plot.tab]
        wanted = FORMER.get(explorer.view, explorer.view)
        explorer.view = wanted if wanted in names else names[0]  # from a link to other results
        self._compared: BackgroundTask[Compared] = BackgroundTask(self._on_progress)
        self._slow: dict[str, BackgroundTask[object]] = {
            plot.name: BackgroundTask(self._on_progress)
            for plot in self._plots
            if plot.slow is not None
        }
        self._back, self._about = back, about
        self._address = {**(address or {}), DATA: fingerprint(explorer.results)}
        self._export = Export(
            explorer,
            self.data,
            opening or "results = ...  # as they were opened",
            title or report_title,
            about,
            doubts,
            self._address,
            lambda: explorer.to_query(self._address_extras),
            lambda opened: self._buttons.param.update(opened=opened),
        )
        self._buttons = HeaderButtons(STYLE, self._on_button)
        self._buttons.param.watch(lambda event: self._set_dark(dark=event.new), "dark")
        self._show_undo()
        self.plots: dict[str, LivePlot] = {}
        self._common: dict[str, Common] = {}  # by the id of a root
        self._heads = PlotHeads(self.data)
        self._stale: set[str] = set()
        self._refused = ""
        self._selection = SelectionTexts(explorer, title)
        self._verdict = LiveText(slot="verdict", sizing_mode="stretch_width")
        self._table = LiveText(slot=TABLE, sizing_mode="stretch_width", css_classes=["results"])
        texts = self._selection.header, self._verdict, self._table
        n_frames = 1 + sum(plot.name not in STACKED for plot in self._always)
        self._places = Places(*texts, self._buttons, n_frames, note, above)
        self.data.compared = explorer.known
        self._show_table()
        self.view = self._places.page
        self._gate = FrameGate(self._update_plots, self._update_text)
        self._moves = Moves(self.data, self._gate.signal, self._parts_seen)
        self._moved: set[str] = set()
        """Parts that the page has moved, and of which the server has what was there before."""
        self._notebook = NotebookSync()
        self._document = pn.state.curdoc
        self._served = self._document is not None
        self._resting: TimeoutCallback | None = None
        self._failed = self._filled = False
        self._changed: set[str] = set()
        self._parts, self._filling = self._make_parts(), self._fill()
        # After the controls: what is shown is never ahead of its slider.
        explorer.param.watch(self._on_change, [*SETTINGS, "pinned"], precedence=1)
        if self._document is not None:
            self._follow_session(self._document)
        else:
            inline_style_sheets_first(self.view)
            in_turns(self._filling)

    def _follow_session(self, document: Document) -> None:
        scripts = CustomJS(code=SCRIPTS)
        document.js_on_event("document_ready", scripts)
        document.js_on_event("connection_lost", scripts)
        in_turns_if_idle(self._parts)  # while the browser loads its scripts
        pn.state.onload(self._on_loaded)
        pn.state.on_session_destroyed(lambda _context: self.close())
        if pn.state.location is not None:
            pn.state.location.param.watch(self._on_address, "search")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        """The page as the output of a cell."""
        warn_without_jupyter_bokeh()
        if self._moves.brief:
            self._compared.finish()
            self._on_progress()
            self._notebook.moves = self._moves.make_now(self._known())
        output = super()._repr_mimebundle_(include, exclude)  # type: ignore[no-untyped-call]
        self._notebook.record_output()
        self._moves.leave_to_python()
        return output

    def _fill(self) -> Generator[None]:
        """Fill the page, a part at a time."""
        yield from self._parts
        self._rail[1].css_classes = [*self._rail[1].css_classes, "first-group"]
        places = self._places
        places.header.extend(self._unseen)
        places.rail[:] = self._rail
        yield
        # All at once: for each change of a place the browser lays out the whole page.
        for frame, parts in zip(places.frames, self._framed, strict=True):
            frame[:] = parts
        places.main.extend(self._last)
        self._filled = True
        self._gate.request(self._changed | {"view"})
        if self._served:
            self.explorer.leave()
            GC_TUNING.page_opened()

    def _make_parts(self) -> Generator[None]:
        """Make what the page will be filled with, a part at a time."""
        places = self._places
        unseen = self._gate.signal, *([] if self._served else [self._notebook])
        self._unseen: list[pn.viewable.Viewable] = [*unseen]
        for part in self._unseen:
            render_ahead(part, places.header)
        for words in (self._verdict, self._table):
            words.param.watch(self._on_words_pressed, "pressed")
        yield
        handle = ControlsButton(
            STYLE, opens="rail", label="Controls", css_classes=["controls-button"]
        )
        self._rail: list[Any] = [handle]
        for group in controls.groups(self.data, self._selection.filter):
            self._rail.append(group)
            render_ahead(group, places.rail)
            yield
        self._framed: list[list[pn.viewable.Viewable]] = []
        """What the places of the plots will be filled with."""
        for plot in self._always:
            if plot.name not in STACKED:
                self._framed.append([])
            above = len(self._framed[-1])
            self._framed[-1].append(self._heads.line(plot))
            self._attempt(self._draw_plot, plot)
            yield
            for part in self._framed[-1][above:]:
                render_ahead(part, places.main)
            yield
        self._tab_area = TabArea(self.data, self._heads, places.frames[-1])
        self._attempt(self._draw_plot, PLOTS[self.explorer.view])
        self._tab_area.open(self.explorer.view)
        self._framed.append(self._tab_area.parts)
        for part in self._tab_area.parts:
            render_ahead(part, places.main)
        yield
        self._drawer = Drawer(self.explorer, self.data.styles, self.data.axis.quantity)
        self._drawer.update(set(SETTINGS))
        self._queries_table = Queries(self.data, self._request_views)
        self._words = LiveText(slot="words", sizing_mode="stretch_width")
        self._failure = LiveText(visible=False)
        lists = [] if self.explorer.first.given else [self._drawer.view]
        self._last: list[pn.reactive.Reactive] = [self._queries_table.view, *lists, self._words]
        for part in self._last:
            part.css_classes = [*part.css_classes, "late"]
            render_ahead(part, self._places.main)

    def _on_change(self, *events: Change) -> None:
        """Show a change; one made while the page is being filled is shown when it is filled."""
        changed = {event.name for event in events}
        if self._filled:
            self._gate.request(changed)
        else:
            self._changed |= changed

    def _update_plots(self, changed: set[str]) -> None:
        """Show the present choices: new columns for the plots that the changed ones concern."""
        self._refused, self._failed = "", False
        moved = self._moves.follow(changed) if self._served else set()
        if moved:
            self._moved |= moved
        else:
            self._settle()
            self._moves.show_state()
        self._stale |= {name for name in self.plots if changed.intersection(PLOTS[name].depends)}
        if TABLE not in moved:
            self._attempt(self._request_background)
        for plot in self._visible_plots:
            if plot.name not in moved:
                self._attempt(self._update_plot, plot)
        if "view" in changed:
            self._tab_area.open(self.explorer.view)
            self._place_seen()

    def _update_plot(self, plot: Plot) -> None:
        if plot.name in self._stale:
            picture = picture_of(plot, self.data)
            self.plots[plot.name].push(picture)
            if plot.tab:
                self._tab_area.fit(plot.name, picture.tall)
            self._stale.discard(plot.name)
        elif plot.name not in self.plots:
            self._draw_plot(plot)

    def _update_text(self, changed: set[str]) -> None:
        """Show the present choices around the plots: scores, lists, what is selected."""
        self._attempt(self._drawer.update, changed)
        if QUERIES not in self._moved:
            self._attempt(self._queries_table.update)
        self._show_undo()
        if "mode" in changed:  # whose slider has just come into sight
            self._request_views()
        if TABLE in self._moved:
            self._schedule_rest()
            return
        self._attempt(self._show_table)
        self._attempt(self._heads.show)
        self._attempt(self._tab_area.update_text)
        if self._selection.problem or changed.intersection((*FILTER, "algorithms")):
            self._attempt(self._selection.show, self._refused)
            self._place_seen()
        self._show_failure()
        if self._served:
            self._schedule_rest()
        else:
            self._show_words()
            pn.io.push_notebook(self.view)

    def _place_seen(self) -> None:
        """Put what is seldom seen among the plots, once it is."""
        for part in (self._tab_area.table, self._selection.empty):
            if part.visible and part not in list(self._places.grid):
                self._places.grid.append(part)

    def _attempt(self, show: Callable[..., None], *given: object) -> None:
        """Show a part of the page; on a served one the others go on if it cannot be shown."""
        try:
            show(*given)
        except Exception:
            if not self._served:
                raise
            LOG.exception("a part of the page could not be shown")
            self._failed = True

    def _show_failure(self) -> None:
        self._failure.text = render("problem.html", problem=FAILED if self._failed else "")
        self._failure.visible = self._failed
        if self._failed and self._failure not in list(self._places.main):
            self._places.main.insert(0, self._failure)

    def _request_background(self) -> None:
        """Request what takes long: it begins when no choice has changed for a while."""
        explorer = self.explorer
        compared = None
        if explorer.compared_names and explorer.selection.n_queries:
            compared = self._compared.request(
                explorer.compared_key, explorer.comparing(), explorer.known
            )
        else:
            self._compared.discard()
        self._take_compared(compared)
        plot = PLOTS[explorer.view]
        if plot.slow is not None:
            self.data.slow[plot.name] = self._slow[plot.name].request(*plot.slow(self.data))

    def _known(self) -> Compared | None:
        """Comparisons under the present choices; None while there are none."""
        return self._compared.result_for(self.explorer.compared_key) or self.explorer.known

    def _take_compared(self, compared: Compared | None) -> set[str]:
        """Names of the plots that are out of date with these comparisons."""
        stale: set[str] = set()
        shown = self.explorer.or_at_any_n(compared)
        if self.data.compared is not shown:
            self.data.compared = shown
            stale = {name for name in self.plots if PLOTS[name].compares}
            if compared is not None:
                self._moves.work_out_every_threshold(compared)
        self._stale |= stale
        return stale

    def _on_loaded(self) -> None:
        """Fill the page, now that it can be updated: what changes on its way would be lost."""
        in_turns(self._filling)

    def _on_words_pressed(self, event: Change) -> None:
        """Open what proves a sentence, or a caution; stop or resume slow work; or tick a box."""
        if not event.obj.choice:
            for task in self._tasks.values():
                task.stop_or_resume()
        elif known := proofs(self.explorer).get(event.obj.choice):
            self.explorer.param.update(**known.choices)
            if known.plays:
                self._tab_area.play(self.explorer.view)
        else:
            tick(self.explorer, event.obj.choice)

    def _show_undo(self) -> None:
        can_undo = self.explorer.can_undo or self._back is not None
        able = {"undo": can_undo, "redo": self.explorer.can_redo}
        self._buttons.disabled = [name for name, is_able in able.items() if not is_able]

    def _on_button(self, name: str) -> None:
        """Do what a button of the header is for."""
        match name:
            case "undo" if self.explorer.can_undo:
                self.explorer.undo()
            case "undo" if self._back is not None:
                self._back()
            case "redo":
                self.explorer.redo()
            case "share" | "figure":
                self._export.toggle(name)
                if self._export.sheets not in list(self._places.page):
                    self._places.page.insert(1, self._export.sheets)

    def pause(self) -> None:
        """Stop slow work: nobody is there who waits for it. Whoever comes back can resume it."""
        self._moves.pause()
        for task in self._tasks.values():
            if task.waiting:
                task.cancel()

    def close(self) -> None:
        """Cancel what no page waits for any more."""
        self._filling.close()
        self._parts.close()
        self._export.close()
        self._moves.close()
        for task in self._tasks.values():
            task.discard()
        GC_TUNING.page_closed()

    def _on_progress(self) -> None:
        """Show the progress of slow work, or its result."""
        with pn.io.hold():
            self._attempt(self._show_table)
            stale = self._take_compared(self._known())
            for name, task in self._slow.items():
                if name in self.plots and self.data.slow.get(name) is not task.result:
                    self.data.slow[name] = task.result
                    stale.add(name)
            self._stale |= stale
            for name in stale:
                self._attempt(self._update_plot, PLOTS[name])
            if stale:
                self._attempt(self._tab_area.update_text)
                self._attempt(self._show_words)
            self._show_failure()
        self._request_views()
        if not self._served:
            pn.io.push_notebook(self.view)

    def _show_table(self) -> None:
        # Of the present choices only: a change may be shown in the plots first, and change them.
        compared = self.explorer.or_at_any_n(self._known())
        self._verdict.text = conclusion(self.explorer, compared, self._compared, self._verdict.text)
        self._table.text = render(
            "scores.html",
            table=Markup(score_table(self.explorer, self.data.styles, compared, live=True)),
            cautions=Markup(cautions(self.explorer, compared)),
            status=Markup(status(self._tasks, method(self.explorer, compared))),
        )

    @property
    def _tasks(self) -> dict[str, BackgroundTask[Any]]:
        """The slow work that a person can cancel, by what it is called."""
        slow = {PLOTS[name].plain_title: task for name, task in self._slow.items()}
        return {"Intervals": self._compared} | slow

    @property
    def _visible_plots(self) -> tuple[Plot, ...]:
        """Plots that can be seen; the others wait until their tab is opened."""
        return (*self._always, PLOTS[self.explorer.view])

    def _draw_plot(self, plot: Plot) -> None:
        """Add a plot to the others."""
        shared = self.plots.get(STACKED.get(plot.name, ""))
        handlers: dict[type[Event], Callable[[Any], None]] = {}
        if plot.query_at is not None or plot.pair_at is not None:
            handlers[Tap] = partial(click, self.data)
        if plot.select is not None:
            handlers[SelectionGeometry] = self._on_box
        live = LivePlot(
            plot.name,
            picture_of(plot, self.data),
            shared,
            self._common,
            handlers,
            plot.plain_title,
            dark=self._buttons.dark,
            read_out=not self._served,
        )
        self.plots[plot.name] = live
        if plot.tab:
            self._tab_area.add(plot.name, live.pane, live.picture.tall)
        else:
            self._framed[-1].append(live.pane)

    def _set_dark(self, *, dark: bool) -> None:
        self._catch_up()
        with pn.io.hold():
            self._gate.signal.shades = ON_DARK if dark else {}
            for plot in self.plots.values():
                plot.set_dark(dark=dark)
        if self._filled and self._served:
            self._schedule_rest()
        elif self._filled:
            pn.io.push_notebook(self.view)

    def _on_box(self, event: Any) -> None:
        """Keep the queries of the rectangle drawn, or say why not."""
        refused = keep_box(self.data, event)
        if refused is None:
            return
        self._refused = refused
        if refused:
            self._selection.show(refused)

    def _show_words(self) -> None:
        """Describe in words what each plot shows."""
        self._words.text = render(
            "words.html",
            plots=[
                (Markup(plot.title), subscripts(plot.text(self.data)))
                for plot in self._visible_plots
            ],
            code=self._export.python,
            about=self._about,
        )
        self._export.update()

    def _schedule_rest(self) -> None:
        """Once no choice has changed for a while, update the words and the address."""
        document = self._document
        if document is None:
            return
        if self._resting is not None:
            document.remove_timeout_callback(self._resting)
        self._resting = document.add_timeout_callback(self._on_rest, REST_AFTER)

    @property
    def _address_extras(self) -> dict[str, str]:
        """What the address holds besides the settings."""
        chosen = self._buttons.chosen
        return self._address | ({"ground": chosen} if chosen else {})

    def _on_address(self, event: Change) -> None:
        """Write the settings again when a page that has just opened reports its empty address."""
        if not event.new and self._filled:
            self._schedule_rest()

    def _request_views(self) -> None:
        """Have made what the page needs to move by itself, once there is somebody to take it."""
        if self._gate.signal.painted:
            self._moves.request()

    def _parts_seen(self) -> list[str]:
        """Parts of the page that sliders move."""
        visible = (plot.name for plot in self._visible_plots)
        queries = QUERIES if self._queries_table.at_top else "other queries"
        return [*visible, TABLE, queries, *(["lists"] if self.explorer.focus else [])]

    def _settle(self) -> None:
        """Have the page show again what it was sent, just before it is sent something else."""
        if self._moved:
            self._moved = set()
            self._gate.signal.settled += 1

    def _catch_up(self) -> None:
        """Send what the page has moved by itself, so that the server knows what is there."""
        if not self._moved:
            return
        with pn.io.hold():
            self._settle()
            self._attempt(self._request_background)
            for plot in self._visible_plots:
                self._attempt(self._update_plot, plot)
            self._update_text({"k", "e0", "n"})

    def _on_rest(self) -> None:
        self._resting = None
        if self._gate.signal.held:
            self._schedule_rest()
            return
        self._catch_up()
        self._request_views()
        self._show_words()
        if pn.state.location is not None:
            pn.state.location.search = self.explorer.to_query(self._address_extras)
