"""The tabs of the page, one of several plots at a time, and what stands around single ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import log10
from typing import Any

import panel as pn
from param.parameterized import Event

from tapviz import scores
from tapviz.draw.style import number
from tapviz.explorer.score_table import swatch
from tapviz.live.parts import LiveText
from tapviz.live.script import STYLE, style_sheet
from tapviz.live.templates import Markup, render
from tapviz.measures import USUAL_CONFIDENCE, Advice, Advised, LoosestThreshold
from tapviz.page import widgets as w
from tapviz.page.controls import choice, cost_choice, number_box, opponent_choice, score_choice
from tapviz.page.texts import PlotHeads
from tapviz.plots import PLOTS, Plot, PlotData, plots_for
from tapviz.plots.scatter import select_between
from tapviz.plots.threshold import PLOT, promises, relation_of, thresholds

STEP = 0.02
"""Of the slider, in decades of errors per query."""


class ThresholdAdvice:
    """Controls for the errors that are accepted, and the table of thresholds for them.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    place : callable
        Puts the controls into the page.
    """

    def __init__(self, data: PlotData, place: Callable[[pn.Row], object]) -> None:
        self._data, self._place = data, place
        self.controls = pn.Row(
            visible=False,
            margin=(2, 0),
            sizing_mode="stretch_width",
            css_classes=["tab-area"],
            stylesheets=[STYLE],
            styles={"flex-wrap": "wrap", "min-width": "0", "gap": "2px 6px"},
        )
        across = {"flex": "1 1 100%", "min-width": "0"}
        self.table = LiveText(visible=False, styles=across)
        self.table.param.watch(self._on_used, "pressed")

    def show(self, *, seen: bool) -> None:
        """Show the controls and the table, or hide them; they are made when they are first seen."""
        if seen and not self.controls:
            self.controls[:] = self._accepted_controls()
            self._place(self.controls)
        self.controls.visible = self.table.visible = seen
        self.update()

    def update(self) -> None:
        """Show the advice for the present choices."""
        if not self.table.visible:
            return
        advice: Advice | None = self._data.slow.get(PLOT.name)
        kinds = scores.kinds_of_threshold(self._data.explorer.accepted, USUAL_CONFIDENCE)
        self.table.text = render(
            "advice.html",
            relation=relation_of(self._data),
            kinds=kinds,
            rows=list(self._rows(advice, *kinds)),
            method=scores.advice_method(advice) if advice is not None else [],
            warnings=scores.advice_warnings(advice, reasons=False) if advice is not None else [],
        )

    def _rows(self, advice: Advice | None, at_most: str, about: str) -> Iterator[dict[str, object]]:
        """What the template has of each algorithm: two thresholds, and figures of the second."""
        promised = promises(self._data)
        for name, loosest in thresholds(self._data).items():
            advised = advice.algorithms.get(name) if advice is not None else None
            few = advice.reason if advice is not None else ""
            span = scores.figure_interval("threshold", advised.threshold, few) if advised else ""
            sure = promised[name]
            yield {
                "name": name,
                "sample": Markup(swatch(self._data.styles[name], 24)),
                "promised": _at(
                    at_most, sure, f"recall {scores.figure_text('recall', sure.recall)}"
                ),
                "found": _at(about, loosest, span),
                "cells": [] if advised is None else _cells(advised, few),
            }

    def _on_used(self, _: Event) -> None:
        self._data.explorer.use_threshold(float(self.table.choice))

    def _accepted_controls(self) -> list[pn.viewable.Viewable]:
        explorer = self._data.explorer
        low, high = map(log10, explorer.param.accepted_errors.bounds)
        slider = w.scaled_slider(
            explorer,
            "accepted_errors",
            "errors per query accepted",
            (low, high),
            log10,
            lambda place: float(f"{10.0**place:.2g}"),
            step=STEP,
            width=120,
        )
        box, problem = number_box(
            explorer, "accepted_errors", w.UNSEEN_LABEL, width=w.BOX, step=0.01
        )
        sheets = [w.WIDGET, w.UNSEEN_LABEL]
        statistic = choice(explorer, "accepted_statistic", width=160, margin=0, stylesheets=sheets)
        quantile, quantile_problem = number_box(
            explorer,
            "accepted_quantile",
            w.UNSEEN_LABEL,
            width=w.BOX,
            step=0.05,
            visible=explorer.param.accepted_statistic.rx() == "quantile",
        )
        accept, errors = (
            w.words(text, 6, 0, 0, 0) for text in ("<b>Accept</b>", "errors per query")
        )
        return [accept, slider, box, errors, statistic, quantile, problem, quantile_problem]


def _at(kind: str, loosest: LoosestThreshold, below: str) -> dict[str, str]:
    """A threshold, what stands below it, what a button sets E_0 to, or why there is none."""
    text, value = number(loosest.threshold), repr(loosest.threshold)
    return {"kind": kind, "text": text, "below": below, "value": value, "reason": loosest.reason}


def _cells(advised: Advised, few: str) -> list[dict[str, str]]:
    """Figures: for new queries, the interval, and in the sample."""
    return [
        {
            "text": scores.figure_text(name, figure.estimate),
            "interval": scores.figure_interval(name, figure, few),
            "sample": scores.figure_text(name, figure.in_sample),
        }
        for name, figure in advised.figures.items()
    ]


class BoxFilter(w.Foldout):
    """A button for the line above A against B, and the row that it opens.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    place : callable
        Puts the row into the page.
    """

    def __init__(self, data: PlotData, place: Callable[[pn.Column], object]) -> None:
        titles = "Filter ▾", "Filter ▴"
        super().__init__(*titles, self._limits, place, width=76, margin=(0, 0, 0, 6))
        self._data = data
        self._boxes: list[pn.widgets.FloatInput] = []
        self._problem = w.problem_line(STYLE)

    def _limits(self) -> pn.Column:
        """What the row holds: made when it is first opened."""
        letters = "AB"[: len(self._data.explorer.results)]
        parts: list[pn.viewable.Viewable] = []
        for letter in letters:
            quantity = "TAP" if len(letters) == 1 else f"TAP of {letter}"
            for side, text in (("from", f"{quantity} from"), ("to", "to")):
                box = w.widget(
                    pn.widgets.FloatInput,
                    f"TAP of {letter} {side}",
                    w.UNSEEN_LABEL,
                    value=float(side == "to"),
                    step=0.05,
                    width=62,
                )
                self._boxes.append(box)
                parts += [w.words(text, 6, 5, 0, 6), box]
        keep = w.button("Keep", self._keep, width=58, margin=(0, 0, 0, 8))
        row = pn.Row(*parts, keep, **w.WRAPPING)
        return pn.Column(row, self._problem, margin=(4, 0, 2, 0))

    def show(self, *, seen: bool) -> None:
        """Show the button, or hide it and close the row."""
        self.button.visible = seen
        if self.row.visible and not seen:
            self.toggle()

    def toggle(self) -> None:
        """Open the row, or close it, without what was wrong before."""
        super().toggle()
        self._problem.visible = False

    def _keep(self) -> None:
        w.say_problem(self._problem, self._select())

    def _select(self) -> str:
        """Select by the limits; what is wrong with them, empty if nothing is."""
        limits: list[float] = []
        for box in self._boxes:
            if box.value is None or not 0 <= box.value <= 1:
                return f"{box.label}: enter a number from 0 to 1"
            limits.append(box.value)
        if any(low > high for low, high in zip(limits[::2], limits[1::2], strict=True)):
            return "The lower limit must not exceed the upper one"
        return select_between(self._data, *limits)


TABS = style_sheet("tabs.css", "tapviz.page")
LINE_HEIGHT = 28
"""Of the row of tabs, in pixels."""
CAPTION_HEIGHT = 32
"""Of the line below it: two lines of words, or a choice."""
ACCEPTED_HEIGHT = 58
"""Of the errors that are accepted."""
AROUND = 8
"""Above and below all of it, in pixels, with the borders."""
OF_TWO = "1 1 clamp(150px, (420px - 100%) * 99, 300px)"
"""Room of the choices of two programs: in a line of their own only on a phone."""
PRINTED = 190
"""Height of a plot whose picture is as tall as usual, in pixels, where that is more."""
N_TABS = 4
"""So many plots have a tab; there is a list of the others."""
GROWING = {"flex": "1 1 78px", "max-width": "112px"}
"""As wide as the longest of its names, where there is room."""
PLAYED = style_sheet("played.css", "tapviz.page")
TABS_TAG = ["tabs"]
"""Of what chooses a plot: where it has chosen one, none is seen before that one is there."""


class TabArea:
    """A row of tabs, a line that says how to read the plot, and the plot that is chosen.

    A plot is drawn when its tab is first opened, and afterwards only hidden.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    heads : PlotHeads
        How plots are read.
    view : pn.Column
        Place that is to be filled with `parts`.
    """

    def __init__(self, data: PlotData, heads: PlotHeads, view: pn.Column) -> None:
        self.view, self._heads = view, heads
        explorer = self._explorer = data.explorer
        self._places: dict[str, pn.viewable.Viewable] = {}
        self._n_played = 0
        self._played = ""
        plots = [plot for plot in plots_for(explorer) if plot.tab]
        self._groups = {
            plot.name: [one.name for one in plots if plot.name in (one.name, one.beside)]
            for plot in plots
            if not plot.beside
        }
        names = [*self._groups]
        self._tabs = pn.widgets.RadioButtonGroup(
            options=_by_tab(names[:N_TABS]),
            color="default",
            variant="outline",
            tags=TABS_TAG,
            margin=0,
            height=LINE_HEIGHT,
            stylesheets=[w.WIDGET, TABS],
        )
        self._more = w.widget(
            pn.widgets.Select,
            "more plots",
            w.UNSEEN_LABEL,
            options={"More": ""} | _by_tab(names[N_TABS:]),
            width=78,
            margin=(0, 0, 0, 2),
            styles=GROWING,
            tags=TABS_TAG,
            visible=len(names) > N_TABS,
        )
        for choices in (self._tabs, self._more):
            choices.param.watch(self._on_tab, "value")
        self._under = pn.widgets.Select(
            label="plot under this tab",
            tags=TABS_TAG,
            **w.BESIDE | {"width": 134, "margin": (0, 8, 0, 0)},
            styles=w.SHRINKING | {"flex": "0 1 134px"},
        )
        self._under.param.watch(lambda event: explorer.param.update(view=event.new), "value")
        self.caption = LiveText(slot=explorer.view, tags=["caption-of-tab"])
        """How to read the plot."""
        self._data, self._plot = data, PLOTS[explorer.view]
        self._box_filter = BoxFilter(data, self._insert)
        self._advice = ThresholdAdvice(data, self._insert)
        self.table = self._advice.table
        """Numbers of the plot that need more room than there is below it."""
        shown = [name for group in self._groups.values() for name in group]
        by_tab = [[tab, _class(name)] for tab, name in _by_tab(shown).items()]
        self._body = pn.Column(tags=["plot-of-tab", by_tab], **w.WIDE)
        choosing = w.BESIDE | {"styles": w.SHRINKING}
        # What stands beside a plot, made when it is first seen, and of which plots it is.
        self._parts: list[tuple[Callable[[], pn.viewable.Viewable], Callable[[Plot], bool]]] = [
            (partial(w.words, "<b>A</b>", 6, 0, 0, 6), _of_two),
            (
                partial(choice, explorer, "focus_algorithm", **choosing),
                lambda plot: plot.of in ("one", "pair"),
            ),
            (partial(w.words, "<b>B</b>", 6, 0, 0, 6), _of_two),
            (partial(opponent_choice, data, styles=w.SHRINKING), _of_two),
            (
                partial(score_choice, explorer, **choosing),
                lambda plot: "compared_score" in plot.depends and not _of_two(plot),
            ),
            (
                partial(cost_choice, explorer, **choosing),
                lambda plot: "cost" in plot.depends and len(explorer.costs) > 1,
            ),
            (
                partial(
                    w.button, "Only these two", self._show_pair, width=112, margin=(0, 0, 0, 6)
                ),
                lambda plot: (
                    _of_two(plot) and plot.compares and bool({*explorer.shown} - {*data.pair})
                ),
            ),
            (lambda: self._box_filter.button, _is_filtered),
        ]
        self._made: dict[int, pn.viewable.Viewable] = {}
        self._beside = pn.Row(margin=0)
        self._line = pn.Row(
            self.caption,
            height=CAPTION_HEIGHT,
            css_classes=["plot-line"],
            stylesheets=[STYLE],
            margin=0,
        )
        tabs = self._tabs, self._more
        look: dict[str, Any] = {"min_height": LINE_HEIGHT, "sizing_mode": "stretch_width"}
        self.parts: list[pn.viewable.Viewable] = [
            pn.Row(*tabs, **look, **w.WRAPPING),
            self._line,
            self._body,
        ]
        """Tabs, how to read the plot, what belongs to some plots, once it is seen, and the plot."""

    def _insert(self, row: pn.viewable.Viewable) -> None:
        """Put a row above the plot."""
        self.parts.insert(2, row)
        if self.view:
            self.view[:] = self.parts

    def _on_tab(self, event: Event) -> None:
        if event.new and self._explorer.view not in self._groups[event.new]:
            self._explorer.view = event.new

    def add(self, name: str, pane: pn.viewable.Viewable, tall: float) -> None:
        """Add a plot that has just been drawn."""
        visible = self._explorer.view == name
        pane.param.update(css_classes=self._classes(name), visible=visible, **w.WIDE)
        self._places[name] = pane
        self.fit(name, tall)
        self._body.append(pane)

    def play(self, name: str) -> None:
        """Let a plot appear from its first row to its last, now or when it is drawn."""
        self._n_played, self._played = self._n_played + 1, name
        if name in self._places:
            self._places[name].css_classes = self._classes(name)

    def _classes(self, name: str) -> list[str]:
        # Two by turns, of one animation each: the same class again would not begin it anew.
        return [_class(name), *([f"played-{self._n_played % 2}"] if name == self._played else [])]

    def fit(self, name: str, tall: float) -> None:
        """Make a plot as tall as its rows need, of which it says so as in print."""
        # It ends where its neighbour does, unless it needs more.
        above = LINE_HEIGHT + CAPTION_HEIGHT + AROUND
        above += ACCEPTED_HEIGHT if "accepted_errors" in PLOTS[name].depends else 0
        above += CAPTION_HEIGHT if PLOTS[name].of == "pair" else 0
        usual = f"var(--tv-plot-height) - {above}px"
        height = f"max({usual}, {PRINTED * tall:.0f}px)"
        own = f":host {{ flex: none !important; height: {height} !important; }}"
        self._places[name].stylesheets = [PLAYED, own]

    def open(self, name: str) -> None:
        """Show one of the plots added, and hide the others."""
        tab = next(tab for tab, group in self._groups.items() if name in group)
        self._tabs.value = tab if tab in self._tabs.values else None
        self._more.value = tab if tab in self._more.values else ""
        self._under.param.update(options=_by_tab(self._groups[tab]), value=name)
        self._played = self._played if self._played == name else ""  # once, not at each return
        for other, place in self._places.items():
            place.visible, place.css_classes = other == name, self._classes(other)
        self.caption.slot = name
        plot = self._plot = PLOTS[name]
        of_two = _of_two(plot)
        self._line.height = CAPTION_HEIGHT * (1 + of_two)
        # Beside the choices, which leave it room; or in a line of its own, below those of two.
        flex, order = ("1 1 100%", "1") if of_two else ("1 1 250px", "0")
        self.caption.styles = {"flex": flex, "order": order, "min-width": "0"}
        self._beside.styles = {"flex": OF_TWO if of_two else "0 1 auto", "min-width": "0"}
        self._line.styles = {"flex-wrap": "wrap" if of_two else "nowrap", "min-width": "0"}
        self._box_filter.show(seen=_is_filtered(plot))
        self._advice.show(seen="accepted_errors" in plot.depends)
        self.update_text()

    def update_text(self) -> None:
        """Show the present choices around the plot."""
        self.caption.text = self._heads.text(self._plot)
        self._advice.update()
        for place, (make, is_seen) in enumerate(self._parts):
            seen = is_seen(self._plot)
            if seen and place not in self._made:
                self._made[place] = make()
            if place in self._made:
                self._made[place].visible = seen
        beside = [part for _, part in sorted(self._made.items())]
        if beside != list(self._beside):
            self._beside[:] = beside
        under = [self._under] if len(self._under.options) > 1 else []
        line = [*under, self.caption, *([self._beside] if beside else [])]
        if line != list(self._line):
            self._line[:] = line

    def _show_pair(self) -> None:
        explorer = self._explorer
        explorer.algorithms = [name for name in explorer.results if name in self._data.pair]


def _of_two(plot: Plot) -> bool:
    return plot.of == "pair"


def _is_filtered(plot: Plot) -> bool:
    """Whether limits of the plot filter queries."""
    return plot.select is not None and plot.query_at is not None


def _class(name: str) -> str:
    """CSS class of the place of a plot."""
    return f"of-{name}"


def _by_tab(names: list[str]) -> dict[str, str]:
    """Names of plots by the words on their tabs."""
    return {PLOTS[name].tab: name for name in names}
