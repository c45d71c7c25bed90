"""A plot in the page that is drawn once, and whose columns are replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from bokeh.events import Event

from tapviz.draw.bokeh import BokehPicture
from tapviz.draw.picture import Picture
from tapviz.live.compat import figure_pane
from tapviz.live.theme import repaint, shade


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
    answers : mapping of Bokeh's events to callables, optional
        What to do when the person clicks into the figure, or draws a box.
    title : str
        What the figure is called where it cannot be seen.
    dark : bool
        Whether it is drawn on a dark ground.

    Attributes
    ----------
    pane : panel.viewable.Viewable
        What the page shows.
    picture : Picture
        The present state.
    """

    def __init__(
        self,
        name: str,
        picture: Picture,
        x_from: LivePlot | None = None,
        answers: Mapping[type[Event], Callable[[Any], None]] | None = None,
        title: str = "",
        *,
        dark: bool = False,
    ) -> None:
        self.name = name
        self.picture = picture
        self.drawn: dict[str, BokehPicture] = {}
        """The figure on each page or cell that shows the plot, by the id of its root."""
        self._title = title or name
        self._dark = dark
        self._x_from = x_from
        self._answers = answers or {}
        self.pane = figure_pane(self._draw, self._forget, sizing_mode="stretch_both", margin=0)

    def push(self, picture: Picture) -> None:
        """Show another state; what did not change is not sent."""
        self.picture = picture
        for drawn in self.drawn.values():
            drawn.update(picture)

    def turn(self, *, dark: bool) -> None:
        """Show the picture on a dark ground, or on a light one again."""
        self._dark = dark
        for drawn in self.drawn.values():
            repaint(drawn.figure, dark=dark)
            drawn.repaint(partial(shade, dark=dark))

    def _draw(self, root: str) -> Any:
        """Draw the figure for a page or a cell."""
        drawn = BokehPicture(
            self.picture,
            self.name,
            self._title,
            partial(shade, dark=self._dark),
            None if self._x_from is None else self._x_from.drawn[root].figure.x_range,
        )
        if self._dark:
            repaint(drawn.figure, dark=True)
        for event, answer in self._answers.items():
            drawn.figure.on_event(event, answer)
        self.drawn[root] = drawn
        return drawn.figure

    def _forget(self, root: str) -> None:
        self.drawn.pop(root, None)
