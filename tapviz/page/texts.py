"""Texts around the plots: how to read each, and which queries are selected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import panel as pn
from param.parameterized import Event

from tapviz.draw.picture import Picture
from tapviz.draw.style import ACCENT
from tapviz.explorer import Explorer
from tapviz.lists.words import count
from tapviz.live.parts import LiveText
from tapviz.live.script import STYLE
from tapviz.live.templates import Markup, render
from tapviz.page.controls import choice, opponent_choice
from tapviz.page.widgets import BESIDE, SHRINKING
from tapviz.plots import PLOTS, Plot, PlotData

STACKED = {"epq": "tap"}
"""Plots that stand below another, in one frame and over its axis of thresholds."""


def picture_of(plot: Plot, data: PlotData) -> Picture:
    """A plot under the present choices; of two in one frame the lower one says what the axis is."""
    picture = plot.picture(data)
    if plot.name not in STACKED.values():
        return picture
    return replace(picture, x=replace(picture.x, label=""))


class SelectionTexts:
    """Texts with buttons for the queries selected, which stand in several places of the page.

    Parameters
    ----------
    explorer : Explorer
    title : str
        What is open.

    Attributes
    ----------
    header, filter : LiveText
        What is open; the parts of the filter, what of it cannot be used, and how many queries
        there are.
    empty : LiveText
        Seen while there are none.
    problem : str
        What cannot be used; empty if nothing.
    """

    def __init__(self, explorer: Explorer, title: str) -> None:
        self._explorer, self._title = explorer, title
        self.problem = ""
        self.header = LiveText(
            styles={"min-width": "0", "flex": "0 1 auto"}, css_classes=["opening"]
        )
        self.filter = LiveText(sizing_mode="stretch_width")
        place = {"position": "absolute", "top": "38%", "left": "50%"}
        self.empty = LiveText(visible=False, css_classes=["empty"], styles=place)
        for text in (self.filter, self.empty):
            text.param.watch(self._on_pressed, "pressed")
        self.show()

    def show(self, refused: str = "") -> None:
        """Show the present selection, and why the last one was refused, if it was."""
        explorer = self._explorer
        selection, lists = explorer.selection, explorer.first
        queries = f"{selection.n_queries:,} of {count(lists.n_queries, 'query')}"
        self.problem = selection.problem or refused
        parts = explorer.filter_parts
        self.header.text = render(
            "opened.html",
            title=self._title,
            queries=queries,
            subset=not selection.everything,
        )
        self.filter.text = render(
            "filter.html",
            # Each part with the queries that it alone keeps.
            chips=[
                (place, part.words, f"{explorer.kept_by(part):,} of {lists.n_queries:,}")
                for place, part in enumerate(parts)
            ],
            problem=self.problem,
            queries=queries,
            clearable=not selection.everything or bool(selection.problem),
        )
        self.empty.text = render("no_query.html", parts=[part.words for part in parts])
        self.empty.visible = selection.n_queries == 0

    def _on_pressed(self, event: Event) -> None:
        """Take the part away whose button has been pressed, or all."""
        pressed, parts = event.obj.choice, self._explorer.filter_parts
        if not pressed:
            self._explorer.clear_filter()
        elif pressed.isdigit() and int(pressed) < len(parts):
            self._explorer.drop(parts[int(pressed)])


class PlotHeads:
    """The lines above the plots that are always seen, and how any plot is read.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.

    Attributes
    ----------
    texts : dict of str to LiveText
        How to read each plot that is always seen, by its name.
    """

    def __init__(self, data: PlotData) -> None:
        self._data, self._explorer = data, data.explorer
        self.texts: dict[str, LiveText] = {}

    def line(self, plot: Plot) -> pn.viewable.Viewable:
        """The line above a plot that is always seen."""
        head = self.texts[plot.name] = LiveText(slot=plot.name)
        head.text = self.text(plot, title=plot.title)
        look: dict[str, Any] = {"height": 30, "css_classes": ["plot-line"]}
        beside: list[pn.viewable.Viewable] = []
        if plot.of in ("one", "pair"):
            beside.append(choice(self._explorer, "focus_algorithm", **BESIDE, styles=SHRINKING))
        if plot.of == "pair":
            beside.append(opponent_choice(self._data))
        if not beside:
            head.param.update(**look)
            return head
        head.styles = {"flex": "0 1 auto", "min-width": "0", "overflow": "hidden"}
        return pn.Row(head, *beside, margin=0, stylesheets=[STYLE], **look)

    def show(self) -> None:
        """Show how plots are read under the present choices."""
        for name, head in self.texts.items():
            head.text = self.text(PLOTS[name], title=PLOTS[name].title)

    def _help(self, plot: Plot) -> list[str]:
        """How to read a plot, and what stands below it."""
        stacked = [PLOTS[name] for name, above in STACKED.items() if above == plot.name]
        below = [f"{one.plain_title}, below. {one.how_to_read}" for one in stacked]
        return [] if plot.name in STACKED else [plot.how_to_read, *below]

    def text(self, plot: Plot, title: str = "") -> str:
        """How to read a plot, as HTML; choices beside it say which algorithms it is of."""
        explorer = self._explorer
        follows_focus = "focus" in plot.depends and plot.of == "each"
        in_focus = explorer.focus and explorer.focus_algorithm in explorer.shown
        focus = f"{explorer.focus}, {explorer.focus_algorithm}"
        return render(
            "plot_head.html",
            title=Markup(title),
            plot=plot.plain_title,
            help=self._help(plot),
            caption=Markup(plot.caption_shown(self._data)),
            focus=focus if follows_focus and in_focus else "",
            accent=ACCENT,
        )
