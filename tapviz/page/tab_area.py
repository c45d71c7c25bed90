"""The tabs of the page: one of several plots at a time."""

from __future__ import annotations

from typing import Any

import panel as pn

from tapviz.live.script import script
from tapviz.live.text import LiveText
from tapviz.page.advice import ThresholdAdvice
from tapviz.page.box_filter import BoxFilter
from tapviz.page.controls import (
    BESIDE,
    UNSEEN_LABEL,
    WIDGET,
    control,
    cost_choice,
    opponent_choice,
    score_choice,
)
from tapviz.plots import PLOTS, PlotData, plots_for

TABS = """
:host { height: auto !important; flex: none !important; }
.bk-btn-group { flex-wrap: wrap; }
.bk-btn-group > .bk-btn {
  flex: none; padding: 2px 8px; min-height: 26px; font-size: 12px; color: var(--tv-quiet);
  border: 0; border-radius: 6px !important; background: none; box-shadow: none;
}
.bk-btn-group > .bk-btn.bk-active {
  color: var(--tv-strong) !important; background: var(--tv-pressed) !important;
  font-weight: 600;
}
"""


SHRINKING = {"flex": "0 1 150px", "min-width": "60px"}
"""Of choices in the line, where names are long."""
LINE_HEIGHT = 28
"""Of the row of tabs, and of the line below it, in pixels."""
AROUND = 8
"""Above and below all of it, in pixels, with the borders."""
N_TABS = 5
"""So many plots have a tab; there is a list of the others."""
MORE = "More ▾"
CHOSEN = script("tab_area.js", "tapviz.page")


class TabArea(pn.viewable.Viewer):
    """A row of tabs, a line that says how to read the plot, and the plot that is chosen.

    A plot is drawn when its tab is first opened, and afterwards only hidden.
    """

    def __init__(self, data: PlotData, style: str) -> None:
        super().__init__()
        explorer = self._explorer = data.explorer
        self._places: dict[str, Any] = {}
        names = [plot.name for plot in plots_for(explorer) if plot.tab]
        self._tabs = pn.widgets.RadioButtonGroup(
            options=_by_tab(names[:N_TABS]),
            color="default",
            variant="outline",
            margin=0,
            height=LINE_HEIGHT,
            stylesheets=[WIDGET, TABS],
        )
        self._more = pn.widgets.Select(
            options={MORE: ""} | _by_tab(names[N_TABS:]),
            label="more plots",
            width=110,
            margin=(0, 0, 0, 4),
            visible=len(names) > N_TABS,
            stylesheets=[WIDGET, UNSEEN_LABEL],
        )
        for widget in (self._tabs, self._more):
            widget.param.watch(self._on_choice, "value")
        self.caption = LiveText(style)
        """How to read the plot."""
        self._focus_algorithm = control(explorer, "focus_algorithm", **BESIDE, styles=SHRINKING)
        self._opponent = opponent_choice(data, styles=SHRINKING)
        self._score = score_choice(explorer, **BESIDE, styles=SHRINKING)
        self._cost = cost_choice(explorer, **BESIDE, styles=SHRINKING)
        self._box_filter = BoxFilter(data, style)
        self._advice = ThresholdAdvice(data, style)
        self.table = self._advice.table
        """Numbers of the plot that need more room than there is below it."""
        self._body = pn.Column(sizing_mode="stretch_width", margin=0)
        if pn.state.curdoc is not None:  # where the page says when it has painted
            by_tab = {tab: _class(name) for tab, name in _by_tab(names).items()}
            args = {"names": by_tab, "body": self._body, "caption": self.caption}
            for widget in (self._tabs, self._more):
                widget.jscallback(args, value=CHOSEN)
        self._view = pn.Column(
            pn.Row(
                self._tabs,
                self._more,
                margin=0,
                min_height=LINE_HEIGHT,
                sizing_mode="stretch_width",
                styles={"flex-wrap": "wrap", "min-width": "0"},
            ),
            pn.Row(
                self.caption,
                self._focus_algorithm,
                self._opponent,
                self._score,
                self._cost,
                self._box_filter.button,
                margin=0,
                height=LINE_HEIGHT,
                css_classes=["plot-line"],
                stylesheets=[style],
            ),
            self._box_filter.row,
            self._advice.controls,
            self._body,
            sizing_mode="stretch_width",
            margin=0,
            css_classes=["tab-area"],
            stylesheets=[style],
        )

    def __panel__(self) -> pn.viewable.Viewable:
        return self._view

    def _on_choice(self, event: Any) -> None:
        if event.new:
            self._explorer.view = event.new

    def add(self, name: str, pane: pn.viewable.Viewable, tall: float) -> None:
        """Add a plot that has just been drawn."""
        # In a place of its own height: hidden ones would share what a common one leaves.
        self._places[name] = pn.Column(
            pane, sizing_mode="stretch_width", height=190, margin=0, css_classes=[_class(name)]
        )
        self.fit(name, tall)
        self._places[name].visible = self._explorer.view == name
        self._body.append(self._places[name])

    def fit(self, name: str, tall: float) -> None:
        """Make a plot so many times as tall as usual."""
        # Of the usual height it ends where its neighbour does.
        usual = f"var(--tv-plot-height) - {2 * LINE_HEIGHT + AROUND}px"
        sheets = [f":host {{ height: calc(({usual}) * {tall:g}) !important; }}"]
        if self._places[name].stylesheets != sheets:
            self._places[name].stylesheets = sheets

    def show(self, name: str) -> None:
        """Show one of the plots added, and hide the others."""
        self._tabs.value = name if name in self._tabs.values else None
        self._more.value = name if name in self._more.values else ""
        for other, place in self._places.items():
            place.visible = other == name
        plot = PLOTS[name]
        self._focus_algorithm.visible = plot.of in ("one", "pair")
        self._opponent.visible = plot.of == "pair"
        self._score.visible = "compared_score" in plot.depends
        self._cost.visible = "cost" in plot.depends and len(self._explorer.costs) > 1
        self._box_filter.show(seen=plot.select is not None and plot.query_at is not None)
        self._advice.show(seen="accepted_errors" in plot.depends)

    def update_text(self) -> None:
        """Show the present choices around the plot."""
        self._advice.update()


def _class(name: str) -> str:
    """CSS class of the place of a plot."""
    return f"of-{name}"


def _by_tab(names: list[str]) -> dict[str, str]:
    """Names of plots by the words on their tabs."""
    return {PLOTS[name].tab: name for name in names}
