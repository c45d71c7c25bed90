"""A plot that is drawn once, and whose columns are replaced."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import holoviews as hv
import numpy as np
import panel as pn
from bokeh.events import Event
from bokeh.models import (
    BoxSelectTool,
    ColumnDataSource,
    GlyphRenderer,
    HoverTool,
    ZoomInTool,
    ZoomOutTool,
)

from tapviz.live.theme import repaint, shade
from tapviz.plots.frame import Columns, Drawn, boxed

# Where each column of a layer goes in the glyphs that HoloViews chooses.
FIELDS = {
    "Line": {"x": "x", "y": "y"},
    "Scatter": {"x": "x", "y": "y", "color": "fill_color"},
    "Text": {"x": "x", "y": "y", "text": "text", "color": "text_color"},
    "Quad": {"x0": "left", "y0": "bottom", "x1": "right", "y1": "top"},
    "Segment": {"x0": "x0", "y0": "y0", "x1": "x1", "y1": "y1"},
}
VIEW = "view"
TOLD = "told"
MOVING = re.compile(
    "threshold|line|line label|level|mark|retrieved .*|end|end name|tick|tick label|focus.*",
    re.DOTALL,
)
"""Layers that follow the threshold or n, and those over them: where nothing else changes, a figure
paints these alone. Of overlays Bokeh clips annotations only; `Names` has it clip these, too."""
ZOOM = 0.25
"""Share of the axes that zooming in takes away; zooming out is its inverse."""


class LivePlot:
    """A HoloViews picture whose layers can be replaced in the page.

    HoloViews draws the picture whenever a page or a cell shows it. Each layer's glyph then reads
    the columns under their own names, so that a change is no more than new arrays.

    Parameters
    ----------
    name : str
        Name of the figure in the page's document; its renderers have the names of the layers.
    columns : Columns
        The first state of the layers. A layer "view" holds the limits of the axes, x and y,
        where they follow the data; a layer "told" one text, a template of what the mouse is told.
    draw : callable
        Makes the picture from columns, and tells its second argument of each layer rendered.
    x_from : LivePlot, optional
        Plot, drawn before, whose x axis is this one's too.
    answers : mapping of Bokeh's events to callables, optional
        What to do when the person clicks into the figure, or draws a box.
    title : str
        What the figure is called where it cannot be seen.
    dark : bool
        Whether it is drawn on a dark ground.
    """

    def __init__(
        self,
        name: str,
        columns: Columns,
        draw: Callable[[Columns, Drawn], hv.Overlay],
        x_from: LivePlot | None = None,
        answers: Mapping[type[Event], Callable[[Any], None]] | None = None,
        title: str = "",
        *,
        dark: bool = False,
    ) -> None:
        self.name = name
        self._title = title or name
        self._dark = dark
        self._figures: list[Any] = []
        self._x_from = x_from
        self._answers = answers or {}
        self._n_texts: dict[str, int] = {}
        self.columns = columns
        self._renderers: dict[str, list[GlyphRenderer]] = {}
        self._colors: dict[str, str] = {}
        self.ranges: dict[str, list[Any]] = {"x": [], "y": []}
        """Ranges of the axes, one for each time the picture has been rendered."""
        self.pane = pn.pane.HoloViews(
            draw(columns, self._rendered).opts(hooks=[self._framed]),
            sizing_mode="stretch_both",
            linked_axes=False,
            margin=0,
        )

    def push(self, columns: Columns) -> None:
        """Show other columns; those that did not change are not sent."""
        before, self.columns = self.columns, columns
        for name, data in columns.items():
            others = _others(before.get(name), data)
            if not others:
                continue
            if name == VIEW:
                self._move(before[VIEW], data)
            if name == TOLD:
                self._tell(boxed(data["text"][0]))
            for renderer in self._renderers.get(name, []):
                self._send(renderer.data_source, self._plain(name, data), others)

    def recolor(self, layers: tuple[str, ...], color: str) -> None:
        """Give the lines and areas of some layers another colour."""
        for name in layers:
            self._colors[name] = color
            for renderer in self._renderers.get(name, []):
                _paint(renderer, shade(color, dark=self._dark))

    def turn(self, *, dark: bool) -> None:
        """Show the picture on a dark ground, or on a light one again."""
        self._dark = dark
        for figure in self._figures:
            repaint(figure, dark=dark)
        for name, renderers in self._renderers.items():
            if "color" in self.columns[name]:
                for renderer in renderers:
                    renderer.data_source.data = self._plain(name, self.columns[name])

    def _framed(self, plot: Any, _element: Any) -> None:
        """Take note of a figure whose layers have all been rendered."""
        figure = plot.handles["plot"]
        self._figures.append(figure)
        if self._dark:  # what HoloViews sets last of all, too
            options = plot.backend_opts
            plot.backend_opts = {
                key: shade(value, dark=True) if isinstance(value, str) else value
                for key, value in options.items()
            }
            repaint(figure, dark=True)

    def _rendered(self, name: str, plot: Any) -> None:
        renderer: GlyphRenderer = plot.handles["glyph_renderer"]
        renderer.data_source.data = self._plain(name, self.columns[name])
        for column, field in FIELDS[type(renderer.glyph).__name__].items():
            if column in self.columns[name]:
                setattr(renderer.glyph, field, {"field": column})
        # The glyphs for selected, muted and hovered points would still read the old columns.
        renderer.selection_glyph = renderer.nonselection_glyph = None
        renderer.muted_glyph = renderer.hover_glyph = None
        renderer.name = name
        if MOVING.fullmatch(name):
            renderer.level = "overlay"
        figure = plot.handles["plot"]
        figure.name = self.name
        figure.html_attributes = {"role": "figure", "aria-label": self._title}
        if name in self._colors:
            _paint(renderer, shade(self._colors[name], dark=self._dark))
        self._renderers.setdefault(name, []).append(renderer)
        if self._x_from is not None:
            figure.x_range = self._x_from.ranges["x"][-1]
        if not any(figure.x_range is held for held in self.ranges["x"]):
            for event, answer in self._answers.items():
                figure.on_event(event, answer)
            for tool in figure.select(BoxSelectTool):
                tool.renderers = []  # the box alone is told: what it holds is ours to say
            # HoloViews leaves them out of overlays.
            figure.add_tools(ZoomInTool(factor=ZOOM), ZoomOutTool(factor=ZOOM))
        for axis, ranges in self.ranges.items():
            held = getattr(figure, f"{axis}_range")
            if not any(held is other for other in ranges):
                ranges.append(held)

    def _plain(self, name: str, data: dict[str, Any]) -> dict[str, list[Any]]:
        """Columns as lists: of arrays, each would go to the page in two messages of its own.

        A layer of texts never gets shorter, but ends in empty ones: Bokeh colours the texts that it
        has before it takes the new ones, and fails if it has more texts than colours.
        """
        plain = {column: values.tolist() for column, values in data.items()}
        if self._dark and "color" in plain:
            plain["color"] = [shade(color, dark=True) for color in plain["color"]]
        if "text" not in data or "color" not in data:
            return plain
        longest = self._n_texts[name] = max(len(plain["text"]), self._n_texts.get(name, 0))
        missing = longest - len(plain["text"])
        for column, blank in (("x", math.nan), ("y", math.nan), ("text", ""), ("color", "black")):
            plain[column] += [blank] * missing
        return plain

    def _send(
        self, source: ColumnDataSource, plain: dict[str, list[Any]], others: set[str]
    ) -> None:
        """Send some columns; or all, if there are more or fewer rows, or the page is in a cell.

        A cell compares what it has sent with what there is: that must not change in its place.
        """
        served = source.document is not None and source.document.session_context is not None
        if served and all(len(held) == len(plain[name]) for name, held in source.data.items()):
            source.data.update({name: plain[name] for name in sorted(others)})
        else:
            source.data = plain

    def _tell(self, template: str) -> None:
        for figure in self._figures:
            for tool in figure.select(HoverTool):
                tool.tooltips = template

    def _move(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        """Let axes follow the data, unless the person has zoomed."""
        for axis, ranges in self.ranges.items():
            old, new = before[axis].tolist(), after[axis].tolist()
            for held in ranges:
                zoomed = sorted((held.start, held.end)) != sorted(old)
                held.reset_start, held.reset_end = new
                if not zoomed:
                    held.start, held.end = held.reset_start, held.reset_end


def _paint(renderer: GlyphRenderer, color: str) -> None:
    for part in ("line_color", "fill_color"):
        if hasattr(renderer.glyph, part):
            setattr(renderer.glyph, part, color)


def _others(before: dict[str, Any] | None, after: dict[str, Any]) -> set[str]:
    """Names of the columns of a layer that are not what they were."""
    if before is None:
        return set(after)
    return {name for name, values in after.items() if not _same(before[name], values)}


def _same(before: Any, after: Any) -> bool:
    if before is after:
        return True
    if before.dtype.kind == "O":
        same: bool = before.tolist() == after.tolist()
        return same
    return np.array_equal(before, after, equal_nan=before.dtype.kind == "f")
