"""A plot in the page that is drawn once, and whose columns are replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any

from bokeh.events import Event
from bokeh.plotting import figure

from tapviz.draw.bokeh import BokehPicture, Common
from tapviz.draw.picture import Picture
from tapviz.live.compat import figure_pane
from tapviz.live.theme import repaint, shade


@dataclass(eq=False)
class LivePlot:
    """A picture whose layers can be replaced in the page.

    Bokeh draws it whenever a page or a cell shows it. After that a change is no more than new
    columns, styles and limits.

    Parameters
    ----------
    name : str
        Name of the figure in the page's document; its renderers have the names of the layers.
    picture : Picture
        The first state.
    x_from : LivePlot, optional
        Plot, shown before this one on every page, whose x axis is this one's, too.
    common : mapping of str to Common, optional
        What all plots on a page or in a cell have in common, by the id of its root.
    handlers : mapping of Bokeh's events to callables, optional
        Called when the person clicks into the figure, or draws a box.
    title : str
        Name of the figure for screen readers.
    dark : bool
        Whether the background is dark.
    read_out : bool
        Whether what is read out at the mouse is seen beside it.

    Attributes
    ----------
    pane : panel.viewable.Viewable
        What the page shows.
    picture : Picture
        The present state.
    """

    name: str
    picture: Picture
    x_from: LivePlot | None = None
    common: MutableMapping[str, Common] = field(default_factory=dict)
    handlers: Mapping[type[Event], Callable[[Any], None]] = field(default_factory=dict)
    title: str = ""
    _: KW_ONLY
    dark: bool = False
    read_out: bool = True

    def __post_init__(self) -> None:
        self.drawings: dict[str, BokehPicture] = {}
        """The figure on each page or cell that shows the plot, by the id of its root."""
        self.pane = figure_pane(self._draw, self._forget, sizing_mode="stretch_both", margin=0)

    def push(self, picture: Picture) -> None:
        """Show another state; what did not change is not sent."""
        self.picture = picture
        for drawing in self.drawings.values():
            drawing.update(picture)

    def set_dark(self, *, dark: bool) -> None:
        """Show the picture on a dark background, or a light one."""
        self.dark = dark
        for drawing in self.drawings.values():
            repaint(drawing.figure, dark=dark)
            drawing.repaint(partial(shade, dark=dark))

    def _draw(self, root: str) -> figure:
        """Draw the figure for a page or a cell."""
        drawing = BokehPicture(
            self.picture,
            self.name,
            self.title,
            partial(shade, dark=self.dark),
            None if self.x_from is None else self.x_from.drawings[root].figure.x_range,
            self.common.setdefault(root, Common()),
            read_out=self.read_out,
        )
        drawn: figure = drawing.figure
        if self.dark:
            repaint(drawn, dark=True)
        for event, handler in self.handlers.items():
            drawn.on_event(event, handler)
        self.drawings[root] = drawing
        return drawn

    def _forget(self, root: str) -> None:
        self.drawings.pop(root, None)
        self.common.pop(root, None)
