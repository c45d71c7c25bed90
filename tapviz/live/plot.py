"""A plot in the page that is drawn once, and whose columns are replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import panel as pn
from bokeh.events import Event
from bokeh.models import Model
from panel.viewable import Layoutable

from tapviz.draw.bokeh import BokehPicture
from tapviz.draw.picture import Picture
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
    handlers : mapping of Bokeh's events to callables, optional
        Called when the person clicks into the figure, or draws a box.
    title : str
        Name of the figure for screen readers.
    dark : bool
        Whether the background is dark.

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
        handlers: Mapping[type[Event], Callable[[Any], None]] | None = None,
        title: str = "",
        *,
        dark: bool = False,
    ) -> None:
        self.name = name
        self.picture = picture
        self.drawings: dict[str, BokehPicture] = {}
        """The figure on each page or cell that shows the plot, by the id of its root."""
        self._title = title or name
        self._dark = dark
        self._x_from = x_from
        self._handlers = handlers or {}
        self.pane = FigurePane(self._draw, self._forget, sizing_mode="stretch_both", margin=0)

    def push(self, picture: Picture) -> None:
        """Show another state; what did not change is not sent."""
        self.picture = picture
        for drawing in self.drawings.values():
            drawing.update(picture)

    def set_dark(self, *, dark: bool) -> None:
        """Show the picture on a dark background, or a light one."""
        self._dark = dark
        for drawing in self.drawings.values():
            repaint(drawing.figure, dark=dark)
            drawing.repaint(partial(shade, dark=dark))

    def _draw(self, root: str) -> Any:
        """Draw the figure for a page or a cell."""
        drawing = BokehPicture(
            self.picture,
            self.name,
            self._title,
            partial(shade, dark=self._dark),
            None if self._x_from is None else self._x_from.drawings[root].figure.x_range,
        )
        if self._dark:
            repaint(drawing.figure, dark=True)
        for event, handler in self._handlers.items():
            drawing.figure.on_event(event, handler)
        self.drawings[root] = drawing
        return drawing.figure

    def _forget(self, root: str) -> None:
        self.drawings.pop(root, None)


class FigurePane(pn.pane.Bokeh):
    """A Bokeh figure that is made for each page or cell that shows it.

    Parameters
    ----------
    draw : callable
        Makes the figure, given the id of the root that it will be part of.
    forget : callable
        Called with that id when the page or the cell is gone.
    **params
        Size and margin.
    """

    def __init__(
        self, draw: Callable[[str], Any], forget: Callable[[str], None], **params: Any
    ) -> None:
        super().__init__(None, **params)
        self._draw, self._forget = draw, forget

    def _get_model(
        self, doc: Any, root: Model | None = None, parent: Model | None = None, comm: Any = None
    ) -> Model:
        if root is None:
            return self.get_root(doc, comm)
        ref = root.ref["id"]
        sizes = {
            name: value
            for name, value in self.param.values().items()
            if name in Layoutable.param and name != "name" and value != self.param[name].default
        }
        pane = pn.pane.Bokeh(self._draw(ref), **sizes)
        model = pane._get_model(doc, root, parent, comm)  # noqa: SLF001  # as panes in panes do
        self._models[ref] = (model, parent)
        return model

    def _cleanup(self, root: Model | None = None) -> None:
        if root is not None:
            self._forget(root.ref["id"])
        super()._cleanup(root)
