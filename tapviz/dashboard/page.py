"""The page: header, rail of controls, score table and four live plots."""

from __future__ import annotations

import html
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import panel as pn
from bokeh.events import ConnectionLost
from bokeh.models import CustomJS

from tapviz.dashboard.controls import (
    UNSEEN_LABEL,
    WIDGET,
    algorithm_controls,
    query_controls,
    roc_controls,
    threshold_controls,
)
from tapviz.dashboard.live import LivePlot, LiveText, Turns, without_delay
from tapviz.dashboard.table import score_table
from tapviz.dashboard.views import Views
from tapviz.explorer import FILTER, Explorer

STYLE = files("tapviz.dashboard").joinpath("page.css").read_text(encoding="utf-8")

# Which choices each plot shows; the others leave it alone.
THRESHOLD = ("mode", "k", "e0", "quantile")
REACTS = {
    "tap": (*FILTER, *THRESHOLD, "algorithms"),
    "precision_recall": (*FILTER, *THRESHOLD, "algorithms", "detail"),
    "epq": (*FILTER, *THRESHOLD, "detail"),
    "roc": (*FILTER, "n", "algorithms"),
}
ADDRESS_AFTER = 400
"""Milliseconds between a change and the settings in the address bar."""

CHOICES = (*FILTER, *THRESHOLD, "n", "algorithms", "detail")

CONNECTION_LOST = """
if (document.getElementById("tapviz-lost")) return
const bar = document.createElement("div")
bar.id = "tapviz-lost"
bar.setAttribute("role", "alert")
bar.style = "position:fixed;top:0;left:0;right:0;z-index:1000;padding:10px 16px;color:#fff;" +
    "background:#8a2b00;font:15px system-ui,sans-serif"
bar.textContent = "Disconnected: your settings are in the address bar. "
const button = document.createElement("button")
button.textContent = "Reload"
button.style = "font:inherit;margin-left:12px;min-height:28px"
button.onclick = () => location.reload()
bar.append(button)
document.body.append(bar)
"""
ESCAPE = """
const find = (root) => {
    for (const element of root.querySelectorAll("*")) {
        if (element.classList.contains("clear-filter")) return element
        const inside = element.shadowRoot && find(element.shadowRoot)
        if (inside) return inside
    }
    return null
}
document.addEventListener("keydown", (event) => {
    const button = event.key === "Escape" && find(document)?.shadowRoot.querySelector("button")
    if (button && !button.disabled) button.click()
})
"""


class Dashboard(pn.viewable.Viewer):
    """The bench on a screen: controls, score table and plots over one Explorer.

    Served, or as the output of a cell; a change of the explorer in the next cell shows in it.

    Parameters
    ----------
    explorer : Explorer
    title : str, optional
        What is open, for the header.
    note : str, optional
        A line about the data that can be dismissed.
    above : pn.viewable.Viewable, optional
        A control for the header, such as a choice of benches.
    address : mapping of str to str, optional
        What the address of the page says besides the settings.
    """

    def __init__(
        self,
        explorer: Explorer,
        *,
        title: str = "",
        note: str = "",
        above: pn.viewable.Viewable | None = None,
        address: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self.explorer = explorer
        self.views = Views(explorer)
        views = self.views
        self.plots: dict[str, LivePlot] = {}
        for name in REACTS:
            columns, draw = getattr(views, name)(), getattr(views, f"draw_{name}")
            shared = self.plots["tap"] if name == "epq" else None  # the axis of thresholds
            self.plots[name] = LivePlot(name, columns, draw, x_from=shared)
        self._title = title
        self._address = dict(address or {})
        self._header = LiveText(STYLE)
        self._table = LiveText(STYLE, sizing_mode="stretch_width")
        self._heads = {name: LiveText(STYLE) for name in self.plots}
        self._message = LiveText(STYLE, visible=False)
        self._empty = self._empty_notice()
        self._clear = pn.widgets.Button(
            label="Clear filter (Esc)",
            width=262,
            margin=(6, 0, 0, 0),
            on_click=self._clear_filter,
            css_classes=["clear-filter"],
            stylesheets=[WIDGET],
        )
        self._count = LiveText(STYLE)
        self._turns = Turns(self._show)
        self._page = self._lay_out(note, above)
        self._served = pn.state.curdoc is not None
        self._remembering: Any = None
        if self._served:
            pn.state.curdoc.js_on_event(ConnectionLost, CustomJS(code=CONNECTION_LOST))
            pn.state.curdoc.js_on_event("document_ready", CustomJS(code=ESCAPE))
        self._show(set(CHOICES))
        if self._served:
            pn.state.onload(without_delay)
            if pn.state.location is not None:
                pn.state.location.param.watch(self._told_address, "search")
        explorer.param.watch(
            lambda *events: self._turns.take({event.name for event in events}), list(CHOICES)
        )

    def __panel__(self) -> pn.viewable.Viewable:
        return self._page

    def _show(self, changed: set[str]) -> None:
        """Show the present choices: new columns for the plots that the changed ones concern."""
        self._table.text = score_table(self.explorer, self.views.looks)
        for name, plot in self.plots.items():
            if changed.intersection(REACTS[name]):
                plot.push(getattr(self.views, name)())
        if "detail" in changed:
            self._recolor()
        self._show_heads()
        self._show_selection()
        if self._served:
            self._remember()
        else:
            pn.io.push_notebook(self._page)

    def _recolor(self) -> None:
        layers = ("whisker", "box", "median", "mean")
        self.plots["epq"].recolor(layers, self.views.looks[self.explorer.detail].color)

    def _show_heads(self) -> None:
        heads = {
            "tap": "<b>TAP against E<sub>0</sub></b> ◆ at the threshold · "
            "▲ peak, not a recommended threshold",
            "precision_recall": "<b>Precision and recall</b> | E-values along the line · "
            "faint beyond ◆",
            "epq": "<b>Errors per query</b> box: quartiles · whisker: min–max · of",
            "roc": f"<b>ROC<sub>{self.explorer.n}</sub></b> thick: mean of own curves · "
            "thin: pooled",
        }
        for name, text in heads.items():
            self._heads[name].text = f'<div class="plot-head">{text}</div>'

    def _show_selection(self) -> None:
        explorer, selection = self.explorer, self.explorer.selection
        total = explorer.first.n_queries
        some = f"{selection.n_queries:,} of {total:,}"
        self._count.text = f'<div class="count">{some} queries</div>'
        shown = len(explorer.shown)
        title = f"{html.escape(self._title)} · " if self._title else ""
        self._header.text = (
            f'<div class="opened">{title}{shown} of {len(explorer.results)} '
            f"algorithms · <b>{some} queries</b></div>"
        )
        self._message.text = f'<div class="problem">{html.escape(selection.problem)}</div>'
        self._message.visible = bool(selection.problem)
        self._clear.disabled = selection.everything and not selection.problem
        words = ", ".join(
            part
            for part in (
                f"‘{explorer.query_text}’" if explorer.query_text else "",
                f"class ‘{explorer.query_class}’" if explorer.query_class else "",
                f"T(q) ≥ {explorer.min_relevant}" if explorer.min_relevant else "",
                f"T(q) ≤ {explorer.max_relevant}" if explorer.max_relevant is not None else "",
            )
            if part
        )
        self._empty[0].text = f"<p>No query matches {html.escape(words)}</p>"
        self._empty.visible = selection.n_queries == 0

    def _empty_notice(self) -> pn.Column:
        button = pn.widgets.Button(label="Clear filter", width=130, on_click=self._clear_filter)
        return pn.Column(
            LiveText(STYLE),
            button,
            visible=False,
            css_classes=["empty"],
            stylesheets=[STYLE],
            styles={"position": "absolute", "top": "38%", "left": "50%"},
        )

    def _clear_filter(self, *_: Any) -> None:
        self.explorer.clear_filter()

    def _remember(self) -> None:
        """Keep the settings in the address bar once the hand rests, so that a reload finds them."""
        if self._remembering is None:
            document = pn.state.curdoc
            self._remembering = document.add_timeout_callback(self._write_address, ADDRESS_AFTER)

    def _told_address(self, event: Any) -> None:
        """Write the settings again when a page that has just opened tells its empty address."""
        if not event.new:
            self._remember()

    def _write_address(self) -> None:
        self._remembering = None
        if pn.state.location is not None:
            pn.state.location.search = self.explorer.to_query(self._address)

    def _lay_out(self, note: str, above: pn.viewable.Viewable | None) -> pn.Column:
        explorer, views = self.explorer, self.views
        header = pn.Row(
            pn.pane.HTML('<div class="brand">tapviz</div>', margin=0, stylesheets=[STYLE]),
            *([above] if above is not None else []),
            self._header,
            self._turns.view,
            sizing_mode="stretch_width",
            css_classes=["header"],
            stylesheets=[STYLE],
            margin=0,
        )
        rail = pn.Column(
            threshold_controls(explorer, views.axis),
            roc_controls(explorer),
            algorithm_controls(explorer, views.looks),
            query_controls(explorer),
            self._message,
            self._count,
            self._clear,
            width=290,
            css_classes=["rail"],
            stylesheets=[STYLE],
            margin=0,
        )
        detail = pn.widgets.Select.from_param(
            explorer.param.detail,
            label="algorithm of the boxes",
            width=160,
            margin=(0, 0, 0, 6),
            stylesheets=[WIDGET, UNSEEN_LABEL],
        )
        grid = pn.FlexBox(
            *(
                pn.Column(
                    pn.Row(
                        self._heads[name], *([detail] if name == "epq" else []), margin=0, height=30
                    ),
                    plot.pane,
                    css_classes=["plot"],
                    stylesheets=[STYLE],
                    styles={"flex": "1 1 420px", "min-width": "380px"},
                    height=308,
                    margin=0,
                )
                for name, plot in self.plots.items()
            ),
            self._empty,
            sizing_mode="stretch_width",
            styles={"position": "relative"},
            margin=0,
            gap="0 14px",
        )
        parts = [self._table, grid]
        if note:
            parts.insert(0, _dismissible(note))
        main = pn.Column(
            *parts, sizing_mode="stretch_width", margin=(0, 12), styles={"min-width": "0"}
        )
        return pn.Column(
            header,
            pn.Row(rail, main, sizing_mode="stretch_width", margin=0),
            sizing_mode="stretch_width",
            stylesheets=[STYLE],
            css_classes=["tapviz"],
            margin=0,
        )


def _dismissible(note: str) -> pn.Row:
    close = pn.widgets.Button(label="Dismiss", margin=(2, 0), width=80, stylesheets=[WIDGET])
    text = pn.pane.HTML(
        f'<div class="demo">{note}</div>',
        margin=0,
        stylesheets=[STYLE],
        sizing_mode="stretch_width",
    )
    row = pn.Row(text, close, margin=0, sizing_mode="stretch_width")
    close.on_click(lambda _event: setattr(row, "visible", False))
    return row
