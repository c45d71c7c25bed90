"""Pictures drawn by Bokeh: once, after which a change is no more than new columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from itertools import groupby
from typing import Any

import numpy as np
from bokeh.models import (
    AllIndices,
    BasicTicker,
    BoxAnnotation,
    BoxSelectTool,
    BoxZoomTool,
    CDSView,
    ColumnDataSource,
    CustomJS,
    CustomJSHover,
    CustomJSTicker,
    CustomJSTickFormatter,
    FixedTicker,
    Glyph,
    GlyphRenderer,
    HoverTool,
    Line,
    MultiLine,
    NoOverlap,
    PanTool,
    Quad,
    Range1d,
    ResetTool,
    SaveTool,
    Scatter,
    Segment,
    Selection,
    Span,
    Text,
    Tool,
    UnionRenderers,
    WheelZoomTool,
    ZoomInTool,
    ZoomOutTool,
)
from bokeh.plotting import figure

from tapviz.draw.picture import Axis, Layer, Picture
from tapviz.draw.scale import ENOUGH_TICKS, KINK, SQUEEZE, PowerScale
from tapviz.draw.style import GHOST, GRID, GUTTER, INK
from tapviz.draw.tokens import FACE

Shade = Callable[[str], str]
"""A colour of a light page as it is on the page at hand."""

NOWHERE = np.zeros(0)
ZOOM = 0.25
"""Share of the axes that zooming in takes away; zooming out is its inverse."""
TOOLBAR = """
:host { background: transparent !important; }
:host([data-focused]) { visibility: visible !important; opacity: 0.8 !important; }
div:focus-visible { outline: 2px solid var(--tv-link, #0a58a8) !important; outline-offset: -2px; }
"""
"""It comes with the mouse, and while the focus is in the plot."""

FULL_WIDTH, SMALLEST = 400, 8
"""Pixels of a plot in which names have letters of their full size, and their smallest size."""
APART = 3
"""Pixels from the line that leads to a text to its first letter."""
TOOLTIP = (
    "font-size:12px;white-space:normal;margin:-5px;padding:5px;"
    "background:var(--tv-ground, #fff);color:var(--tv-ink, #222)"
)
"""Over all of Bokeh's box, which is always white."""

BODIES = files("tapviz.draw").joinpath("bundles")
FIT, TICKER, PLAIN, POWER, OTHERS = (
    BODIES.joinpath(f"{name}.js").read_text(encoding="utf-8")
    for name in ("fit", "ticker", "plain", "power", "others")
)
"""Bodies of functions that Bokeh calls."""


class BokehPicture:
    """A picture as a Bokeh figure, whose columns, styles and limits can be replaced.

    Parameters
    ----------
    picture : Picture
        Its layers, by name and kind, stay what they are; their columns and styles may change, and
        so may the titles of axes, and ticks that have names.
    name : str
        Name of the figure's model.
    label : str
        What a screen reader calls it.
    shade : callable, optional
        Turns each colour into that of the page, as on a dark one.
    x_range : Range1d, optional
        Range of another figure that is this one's, too.
    read_out : bool
        Whether what is read out at the mouse is seen beside it; the page says it elsewhere.

    Attributes
    ----------
    figure : bokeh.plotting.figure
    picture : Picture
        What is shown.
    """

    def __init__(
        self,
        picture: Picture,
        name: str = "",
        label: str = "",
        shade: Shade = str,
        x_range: Range1d | None = None,
        *,
        read_out: bool = True,
    ) -> None:
        self.picture = picture
        self._shade = shade
        self._hovers: dict[str, HoverTool] = {}
        self.figure = _frame(picture, name, label or name, x_range)
        shared = _Shared()
        self._groups = [_group(layers, picture.font_size, shared) for layers in _groups(picture)]
        for group in self._groups:
            group.add_to(self.figure, shade)
        tools: list[Tool] = [
            tool
            for group in self._groups
            if read_out or group.layers[0].kind != "readout"
            for tool in group.tools
        ]
        dragging = BoxSelectTool(renderers=[]) if picture.drag == "box_select" else None
        box = BoxZoomTool()
        self.figure.add_tools(
            *tools,
            *([dragging] if dragging is not None else []),
            PanTool(),
            box,
            WheelZoomTool(),
            SaveTool(),
            ResetTool(),
            ZoomInTool(factor=ZOOM),
            ZoomOutTool(factor=ZOOM),
        )
        self.figure.toolbar.active_drag = dragging or box

    def update(self, picture: Picture) -> None:
        """Show another state of the picture; what did not change is not sent."""
        before, self.picture = self.picture, picture
        for group in self._groups:
            group.update([picture.by_name[layer.name] for layer in group.layers], self._shade)
        for axis, drawn, held, (side,) in (
            (picture.x, before.x, self.figure.x_range, self.figure.xaxis),
            (picture.y, before.y, self.figure.y_range, self.figure.yaxis),
        ):
            _move(held, _ends(drawn), _ends(axis))
            if axis.label != drawn.label:
                side.axis_label = axis.label
            if axis.ticks is not None and axis.ticks != drawn.ticks:
                side.ticker.ticks = list(axis.ticks)
                side.major_label_overrides = dict(axis.ticks)

    def repaint(self, shade: Shade) -> None:
        """Show the columns of colours, drawn for one page, as they are on another."""
        self._shade = shade
        for group in self._groups:
            group.repaint(shade)


class _Shared:
    """What Bokeh makes anew for each glyph, and all glyphs of a figure can share.

    Nothing is selected in a source, and all of it is drawn.
    """

    def __init__(self) -> None:
        self.selected = Selection()
        self.selection_policy = UnionRenderers()
        self.filter = AllIndices()


class _Group:
    """Layers that one glyph draws from one source."""

    def __init__(self, layers: list[Layer], font_size: int, shared: _Shared) -> None:
        self.layers = layers
        self.font_size = font_size
        self.tools: list[HoverTool] = []
        self._view = CDSView(filter=shared.filter)
        self._source = ColumnDataSource(
            selected=shared.selected, selection_policy=shared.selection_policy
        )

    @property
    def _name(self) -> str:
        return self.layers[0].name

    def add_to(self, fig: Any, shade: Shade) -> None:
        """Draw the layers into a figure."""
        self._source.data = self._columns(shade)
        if "from_x" in self._source.data:
            leaders = fig.add_glyph(self._source, _leaders(), view=self._view)
            leaders.level = "overlay" if self.layers[0].moving else "glyph"
        renderer = fig.add_glyph(
            self._source,
            self._glyph(shade),
            view=self._view,
            # There are no other looks for what is selected, muted or under the mouse.
            selection_glyph=None,
            nonselection_glyph=None,
            muted_glyph=None,
            hover_glyph=None,
            name=self._name,
        )
        if self.layers[0].moving:
            renderer.level = "overlay"
        renderer.tags = [(layer.name, layer.drags) for layer in self.layers if layer.drags]
        if "from_x" in self._source.data:  # names, which a narrow plot would cut
            args = {
                "renderer": renderer,
                "most": self.font_size,
                "full": FULL_WIDTH,
                "smallest": SMALLEST,
            }
            fig.js_on_change("inner_width", CustomJS(args=args, code=FIT))
        self.tools = self._hover(renderer)

    def update(self, layers: list[Layer], shade: Shade) -> None:
        """Show another state of the layers."""
        before, self.layers = self.layers, layers
        changed = {
            column
            for old, new in zip(before, layers, strict=True)
            for column in self._changed(old, new)
        }
        if changed:
            self._send(self._columns(shade), changed)

    def repaint(self, shade: Shade) -> None:
        """Send the columns of colours again."""
        columns = self._columns(shade)
        if "color" in columns:
            self._source.data = columns

    def _columns(self, shade: Shade) -> dict[str, list[Any]]:
        """Columns of the source, as lists: each array would take two messages of its own."""
        raise NotImplementedError

    def _glyph(self, shade: Shade) -> Glyph:
        raise NotImplementedError

    def _changed(self, old: Layer, new: Layer) -> set[str]:
        """Columns of the source that a change of a layer concerns."""
        raise NotImplementedError

    def _hover(self, renderer: GlyphRenderer) -> list[HoverTool]:
        del renderer
        return []

    def _send(self, columns: dict[str, list[Any]], changed: set[str]) -> None:
        """Send some columns; or all, if there are more or fewer rows, or the page is in a cell.

        A cell compares what it has sent with what there is: that must not change in its place.
        """
        source = self._source
        served = source.document is not None and source.document.session_context is not None
        if served and all(len(held) == len(columns[name]) for name, held in source.data.items()):
            source.data.update({name: columns[name] for name in sorted(changed)})
        else:
            source.data = columns


class _Lines(_Group):
    """Lines next to each other as one glyph: a figure of twenty lines is drawn in half the time."""

    def _columns(self, shade: Shade) -> dict[str, list[Any]]:
        layers = self.layers
        columns = {
            "layer": [layer.name for layer in layers],
            "xs": [layer.columns["x"].tolist() for layer in layers],
            "ys": [layer.columns["y"].tolist() for layer in layers],
            "color": [shade(layer.style["color"]) for layer in layers],
            "width": [layer.style["width"] for layer in layers],
            "dash": [list(layer.style["dash"]) for layer in layers],
            "alpha": [layer.style["alpha"] for layer in layers],
        }
        if any("threshold" in layer.columns for layer in layers):
            columns["thresholds"] = [
                at[np.isfinite(at)].tolist()
                for at in (layer.columns.get("threshold", NOWHERE) for layer in layers)
            ]
        return columns

    def _glyph(self, shade: Shade) -> Glyph:
        del shade
        return MultiLine(
            xs="xs",
            ys="ys",
            line_color="color",
            line_width="width",
            line_dash="dash",
            line_alpha="alpha",
        )

    def _changed(self, old: Layer, new: Layer) -> set[str]:
        moved = {f"{column}s" for column in _columns_changed(old, new)}
        if new.style == old.style:
            return moved
        return moved | {name for name, value in new.style.items() if old.style[name] != value}


class _Single(_Group):
    """One layer of any other kind."""

    def __init__(self, layers: list[Layer], font_size: int, shared: _Shared) -> None:
        super().__init__(layers, font_size, shared)
        self._n_texts = 0
        self._renderer: GlyphRenderer | None = None

    @property
    def _layer(self) -> Layer:
        return self.layers[0]

    def update(self, layers: list[Layer], shade: Shade) -> None:
        before = self._layer
        super().update(layers, shade)
        if before.style != self._layer.style and self._renderer is not None:
            self._renderer.glyph.update(**_style(self._layer, shade))
        if before.tooltip != self._layer.tooltip:
            for tool in self.tools:
                tool.tooltips = _boxed(self._layer.tooltip)

    def repaint(self, shade: Shade) -> None:
        super().repaint(shade)
        if self._renderer is not None:
            self._renderer.glyph.update(**_style(self._layer, shade))

    def _columns(self, shade: Shade) -> dict[str, list[Any]]:
        columns = {name: values.tolist() for name, values in self._layer.columns.items()}
        if "color" in columns:
            columns["color"] = [shade(color) for color in columns["color"]]
        if self._layer.kind != "texts":
            return columns
        # A layer of texts never gets shorter, but ends in empty ones: Bokeh colours the texts that
        # it has before it takes the new ones, and fails if it has more texts than colours.
        self._n_texts = max(self._layer.size, self._n_texts)
        missing = self._n_texts - self._layer.size
        blank = {name: [BLANK.get(name, math.nan)] * missing for name in columns}
        return {name: values + blank[name] for name, values in columns.items()}

    def _changed(self, old: Layer, new: Layer) -> set[str]:
        return _columns_changed(old, new)

    def _glyph(self, shade: Shade) -> Glyph:
        if self._layer.kind == "texts":
            return _texts(self._layer, self.font_size)
        return GLYPHS[self._layer.kind](self._layer, shade)

    def _hover(self, renderer: GlyphRenderer) -> list[HoverTool]:
        self._renderer = renderer
        if self._layer.kind == "readout":
            tool = HoverTool(
                renderers=[renderer],
                tooltips=f'<div style="{TOOLTIP};max-width:420px">@text{{safe}}</div>',
                show_arrow=False,
                mode="vline",
                line_policy="nearest",
                attachment="horizontal",
            )
        elif self._layer.tooltip:
            template = self._layer.tooltip
            formatters = {"$index": CustomJSHover(code=OTHERS)} if "{others}" in template else {}
            tool = HoverTool(
                renderers=[renderer],
                tooltips=_boxed(template),
                limit=1,
                formatters=formatters,
                show_arrow=False,
            )
        else:
            return []
        return [tool]


def _style(layer: Layer, shade: Shade) -> dict[str, Any]:
    """Style of a layer as properties of its glyph."""
    style = layer.style
    if layer.kind == "points":
        edge = style["line_color"]
        return {
            "fill_alpha": style["fill_alpha"],
            "line_color": None if edge is None else shade(edge),
            "line_width": style["line_width"],
        }
    if layer.kind == "segments":
        return {
            "line_color": shade(style["color"]),
            "line_width": style["width"],
            "line_alpha": style["alpha"],
        }
    if layer.kind == "boxes":
        return {
            "fill_color": shade(style["color"]),
            "fill_alpha": style["fill_alpha"],
            "line_color": shade(style["line_color"]),
            "line_alpha": style["line_alpha"],
        }
    return {}


def _points(layer: Layer, shade: Shade) -> Glyph:
    style = _style(layer, shade)
    if layer.style["marker"] == "dash":
        # A dash is nothing but an edge, which has the colour of the point.
        style |= {"line_color": "color", "angle": math.pi / 2}
    marker = "marker" if "marker" in layer.columns else layer.style["marker"]
    return Scatter(
        x="x", y="y", size=layer.style["size"], fill_color="color", marker=marker, **style
    )


def _texts(layer: Layer, size: int) -> Glyph:
    font = layer.style["font"]
    return Text(
        x="x",
        y="y",
        text="text",
        text_color="color",
        text_font_size=f"{size}px",
        text_font={"value": font or FACE},
        text_align=layer.style["align"],
        text_baseline=layer.style["baseline"],
        x_offset=layer.style["shift"] + (APART if "from_x" in layer.columns else 0),
    )


def _segments(layer: Layer, shade: Shade) -> Glyph:
    dash = list(layer.style["dash"])
    return Segment(x0="x0", y0="y0", x1="x1", y1="y1", line_dash=dash, **_style(layer, shade))


def _boxes(layer: Layer, shade: Shade) -> Glyph:
    width = layer.style["line_width"]
    corners = {"left": "x0", "bottom": "y0", "right": "x1", "top": "y1"}
    return Quad(**corners, line_width=width, **_style(layer, shade))


def _readout(_layer: Layer, _shade: Shade) -> Glyph:
    return Line(x="x", y="y", line_alpha=0)


BLANK = {"text": "", "color": "black"}
"""What columns of a text that is not seen hold; the others NaN."""


def _leaders() -> Glyph:
    """Lines that lead to texts."""
    ends = {"x0": "from_x", "y0": "from_y", "x1": "x", "y1": "y"}
    return Segment(**ends, line_color="color", line_width=0.8)


GLYPHS: Mapping[str, Callable[[Layer, Shade], Glyph]] = {
    "points": _points,
    "segments": _segments,
    "boxes": _boxes,
    "readout": _readout,
}


def _groups(picture: Picture) -> Iterator[list[Layer]]:
    """Layers that are drawn together: lines next to each other that move, or stay, alike."""
    for (kind, _), layers in groupby(picture.layers, lambda one: (one.kind, one.moving)):
        if kind == "line":
            yield list(layers)
        else:
            yield from ([layer] for layer in layers)


def _group(layers: list[Layer], font_size: int, shared: _Shared) -> _Group:
    return (_Lines if layers[0].kind == "line" else _Single)(layers, font_size, shared)


def _columns_changed(before: Layer, after: Layer) -> set[str]:
    """Names of the columns of a layer that are not what they were."""
    if before.columns is after.columns:
        return set()
    return {
        name
        for name, values in after.columns.items()
        if not _same(before.columns.get(name), values)
    }


def _same(before: Any, after: Any) -> bool:
    if before is after:
        return True
    if before is None or before.size != after.size:
        return False
    if before.dtype.kind == "O":
        same: bool = before.tolist() == after.tolist()
        return same
    return np.array_equal(before, after, equal_nan=before.dtype.kind == "f")


def _move(held: Range1d, before: tuple[float, float], after: tuple[float, float]) -> None:
    """Let an axis follow the data, unless the person has zoomed."""
    if before == after:
        return
    zoomed = (held.start, held.end) != before
    held.reset_start, held.reset_end = after
    if not zoomed:
        held.start, held.end = after


def _boxed(template: str) -> str:
    """HTML in a box of half the width of a plot: on either side of the mouse it is inside."""
    return f'<div style="{TOOLTIP};max-width:250px;overflow-wrap:anywhere">{template}</div>'


def _frame(picture: Picture, name: str, label: str, x_range: Range1d | None) -> Any:
    """Figure with axes over a thin grid, and without layers: tools come with the mouse."""
    fig = figure(
        name=name,
        title=None,
        x_axis_type="log" if picture.x.log else "linear",
        y_axis_type="log" if picture.y.log else "linear",
        x_range=_range(picture.x) if x_range is None else x_range,
        y_range=_range(picture.y),
        x_axis_label=picture.x.label,
        y_axis_label=picture.y.label,
        tools="",
        sizing_mode="stretch_both",
        min_height=190,
        min_width=260,
        toolbar_location="above",
        toolbar_inner=True,
        outline_line_color=None,
        border_fill_color=None,  # the page's, light or dark
        min_border_left=picture.left,
        min_border_right=8,
        html_attributes={"role": "figure", "aria-label": label},
        tags=["thresholds"] if picture.x.threshold else [],
    )
    fig.toolbar.update(autohide=True, logo=None, stylesheets=[TOOLBAR])
    fig.xaxis[0].major_label_policy = NoOverlap()
    fig.grid.grid_line_color = GRID if picture.grid else None
    for axis, side in ((picture.x, fig.xaxis[0]), (picture.y, fig.yaxis[0])):
        side.update(
            axis_line_color=INK,
            minor_tick_line_color=None,
            axis_label_text_font_style="normal",
            axis_label_text_font=FACE,
            major_label_text_font=FACE,
            axis_label_text_font_size=f"{picture.font_size}px",
            major_label_text_font_size=f"{picture.font_size}px",
            visible=axis.visible,
        )
        _ticks(axis, side)
        _background(axis, fig, "width" if side is fig.yaxis[0] else "height")
    for grid, side in ((fig.xgrid[0], fig.xaxis[0]), (fig.ygrid[0], fig.yaxis[0])):
        grid.ticker = side.ticker
    return fig


def _range(axis: Axis) -> Range1d:
    start, end = _ends(axis)
    return Range1d(start, end, reset_start=start, reset_end=end)


def _ends(axis: Axis) -> tuple[float, float]:
    """Ends of an axis, which must differ to be drawn."""
    return axis.start, axis.end if axis.end != axis.start else axis.start + 1


def _ticks(axis: Axis, side: Any) -> None:
    """Ticks of an axis, finer when zoomed in where its scale has finer ones."""
    if axis.ticks is not None:
        side.ticker = FixedTicker(ticks=list(axis.ticks))
        side.major_label_overrides = dict(axis.ticks)
    elif axis.scale is not None:
        side.ticker, side.formatter = ticker(axis.scale), formatter(axis.scale)
    elif not axis.log:
        side.ticker = BasicTicker()
        side.formatter = CustomJSTickFormatter(code=PLAIN)


def ticker(scale: PowerScale) -> CustomJSTicker:
    """Ticks of a scale, finer when zoomed in."""
    return CustomJSTicker(
        args={"levels": scale.levels(), "enough": ENOUGH_TICKS},
        major_code=TICKER,
        minor_code="return []",
    )


def formatter(scale: PowerScale) -> CustomJSTickFormatter:
    """Texts of the ticks of a scale."""
    constants = {
        "zero": scale.zero,
        "compressed": scale.compressed,
        "kink": KINK,
        "squeeze": SQUEEZE,
    }
    return CustomJSTickFormatter(args=constants, code=POWER)


def _background(axis: Axis, fig: Any, dimension: str) -> None:
    """A grey gutter for 0, and a line where the scale changes."""
    scale = axis.scale
    if scale is None:
        return
    if scale.gutter is not None:
        left, right = scale.gutter
        fig.add_layout(
            BoxAnnotation(
                left=left,
                right=right,
                fill_color=GUTTER,
                fill_alpha=1,
                line_color=None,
                level="underlay",
            )
        )
    if scale.kink is not None:
        fig.add_layout(
            Span(
                location=scale.kink,
                dimension=dimension,
                line_color=GHOST,
                line_width=1,
                line_dash="dotted",
                level="underlay",
            )
        )
