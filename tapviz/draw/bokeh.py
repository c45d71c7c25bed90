"""Pictures drawn by Bokeh: once, after which a change is no more than new columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import groupby
from typing import Any

import numpy as np
from bokeh import models as bm
from bokeh.models.annotations import Annotation, geometry
from bokeh.models.glyph import Glyph
from bokeh.models.renderers import DataRenderer, Renderer
from bokeh.plotting import figure

from tapviz.draw.picture import CORNERS, OF, Axis, Layer, Picture, columns_changed, ends
from tapviz.draw.scale import ENOUGH_TICKS, KINK, SQUEEZE, PowerScale
from tapviz.draw.style import GHOST, GRID, GUTTER, INK
from tapviz.draw.tokens import FACE

Values = dict[str, Any]
"""Columns of a source, or properties of a model, by name."""
Shade = Callable[[str], str]
"""A colour of a light page as it is on the page at hand."""

NOWHERE = np.zeros(0)
THRESHOLDS = "thresholds"
"""Tag of a figure whose x axis is one of thresholds."""
FONT = f"{FACE}, sans-serif"
"""The face; in a cell of a notebook it is loaded after a plot has been painted."""
ZOOM = 0.25
"""Share of the axes that zooming in takes away; zooming out is its inverse."""
TOOLBAR = files("tapviz.draw").joinpath("toolbar.css").read_text(encoding="utf-8")

UNSEEN: Values = {"display": "none"}
"""Of Bokeh's elements of glyphs: they are empty, since a canvas shows these, and widen the page."""
NO_OTHERS: Values = dict.fromkeys(
    ("selection_glyph", "nonselection_glyph", "muted_glyph", "hover_glyph")
)
"""There are no other looks for what is selected, muted or under the mouse."""
SMALLEST = 7
"""Pixels of letters that would be cut if they were larger."""
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


@dataclass(frozen=True)
class Common:
    """Models that all figures of a page have in common: Bokeh would make them anew for each glyph.

    Nothing is selected, all is drawn, and no box can be taken by a handle.
    """

    selected: bm.Selection = field(default_factory=bm.Selection)
    selection_policy: bm.UnionRenderers = field(default_factory=bm.UnionRenderers)
    every: bm.AllIndices = field(default_factory=bm.AllIndices)
    handles: geometry.BoxInteractionHandles = field(
        default_factory=lambda: geometry.BoxInteractionHandles(all=geometry.AreaVisuals())
    )
    linear: bm.LinearScale = field(default_factory=bm.LinearScale)
    """Of any axis: each has a range of its own."""
    apart: bm.NoOverlap = field(default_factory=bm.NoOverlap)
    all_labels: bm.AllLabels = field(default_factory=bm.AllLabels)
    ticker: bm.BasicTicker = field(default_factory=bm.BasicTicker)
    formatter: bm.CustomJSTickFormatter = field(
        default_factory=lambda: bm.CustomJSTickFormatter(code=PLAIN)
    )
    scales: dict[PowerScale, tuple[bm.Ticker, bm.TickFormatter]] = field(default_factory=dict)
    """Ticks and their texts by scale, which several plots of a page have."""
    backgrounds: dict[tuple[PowerScale, str], list[Annotation]] = field(default_factory=dict)
    """What marks the ends of the parts of a scale, across the height or the width of a plot."""
    fits: dict[int, bm.CustomJS] = field(default_factory=dict)

    def fit(self, most: int) -> bm.CustomJS:
        """What makes texts of so many pixels smaller where there is no room for them."""
        sizes = {"most": most, "smallest": SMALLEST}
        return self.fits.setdefault(most, bm.CustomJS(args=sizes, code=FIT))


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
    x_range : Range, optional
        Range of another figure that is this one's, too.
    common : Common, optional
        What the figures of the page have in common.
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
        x_range: bm.Range | None = None,
        common: Common | None = None,
        *,
        read_out: bool = True,
    ) -> None:
        self.picture = picture
        self._shade = shade
        common = Common() if common is None else common
        self.figure = _frame(picture, name, label or name, x_range, common)
        readouts = [layer.name for layer in picture.layers if layer.kind == "readout"]
        self._told = [] if read_out else readouts
        """Names of layers that no glyph draws, but the page reads out."""
        drawn = [layer for layer in picture.layers if layer.name not in self._told]
        self._groups = [_Group(layers, picture, shade, common) for layers in _groups(drawn)]
        self._draw()
        self._tell()
        fit = common.fit(picture.font_size)
        self.figure.js_on_change("inner_width", fit)
        self.figure.js_on_change("inner_height", fit)
        tools: list[bm.Tool] = [group.tool for group in self._groups if group.tool is not None]
        box = bm.BoxZoomTool()
        box.overlay.handles = common.handles
        selects = [bm.BoxSelectTool(renderers=[])] if picture.drag == "box_select" else []
        tools += [*selects, bm.PanTool(), box, bm.WheelZoomTool(), bm.SaveTool(), bm.ResetTool()]
        tools += [bm.ZoomInTool(factor=ZOOM), bm.ZoomOutTool(factor=ZOOM)]
        self.figure.add_tools(*tools)
        self.figure.toolbar.active_drag = [*selects, box][0]

    def update(self, picture: Picture) -> None:
        """Show another state of the picture; what did not change is not sent."""
        before, self.picture = self.picture, picture
        # Axes first: where texts have room is worked out once these are there.
        for axis, drawn, held, (side,) in (
            (picture.x, before.x, self.figure.x_range, self.figure.xaxis),
            (picture.y, before.y, self.figure.y_range, self.figure.yaxis),
        ):
            _move(held, ends(drawn), ends(axis))
            if axis.label != drawn.label:
                side.axis_label = axis.label
            if axis.ticks is not None and axis.ticks != drawn.ticks:
                if isinstance(side.ticker, bm.FixedTicker):  # which the grid has, too
                    side.ticker.ticks = list(axis.ticks)
                side.major_label_overrides = dict(axis.ticks.items())
        for group in self._groups:
            group.update([picture.by_name[layer.name] for layer in group.layers], self._shade)
        self._draw()
        if any(columns_changed(before.by_name[one], picture.by_name[one]) for one in self._told):
            self._tell()
        if picture.x.data_end != before.x.data_end:
            _bound(self.figure, picture.x)

    def _draw(self) -> None:
        """Draw what is wanted and has not been drawn, each in its place."""
        for group in self._groups:
            group.draw(self.figure)
        renderers: list[Renderer] = [one for group in self._groups for one in group.renderers]
        if renderers != self.figure.renderers:
            self.figure.renderers = renderers

    def _tell(self) -> None:
        """Give the page what it reads out at the mouse."""
        told = [self.picture.by_name[name].columns for name in self._told]
        columns = [{name: values.tolist() for name, values in one.items()} for one in told]
        self.figure.tags = [*(one for one in self.figure.tags if one == THRESHOLDS), *columns]

    def repaint(self, shade: Shade) -> None:
        """Show the columns of colours, drawn for one page, as they are on another."""
        self._shade = shade
        for group in self._groups:
            group.repaint(shade)


class _Group:
    """Layers that one glyph draws from one source.

    Lines next to each other, straight ones with gaps between, too, are one glyph: a figure of
    twenty lines is drawn in half the time. A layer of any other kind is alone.
    """

    def __init__(self, layers: list[Layer], picture: Picture, shade: Shade, common: Common) -> None:
        self.layers = layers
        self.tool: bm.HoverTool | None = None
        self._leaders: list[DataRenderer] = []
        """Of the lines that lead to texts, once there are some."""
        self._drawn: list[DataRenderer] = []
        """Of the layers, once they are wanted."""
        self._n_texts = 0
        self.source = bm.ColumnDataSource(
            self._columns(shade),
            selected=common.selected,
            selection_policy=common.selection_policy,
        )
        self._glyph = _glyph(layers[0], picture, shade)
        self._view = bm.CDSView(filter=common.every)

    @property
    def renderers(self) -> list[DataRenderer]:
        """What has been drawn: the last is what draws the layers."""
        return self._leaders + self._drawn

    def draw(self, fig: figure) -> None:
        """Draw into a figure what is wanted of the layers, and has not been drawn."""
        layer = self.layers[0]
        if layer.leads and not self._leaders:
            ends: Values = {"x0": "from_x", "y0": "from_y", "x1": "x", "y1": "y"}
            lines = bm.Segment(**ends, line_color="color", line_width=0.8)
            self._leaders.append(self._add(fig, lines))
        if layer.wanted and not self._drawn:
            tags = [(one.name, one.drags) for one in self.layers if one.drags]
            look = NO_OTHERS | {"name": layer.name, "tags": tags}
            self._drawn.append(self._add(fig, self._glyph, look))
            if tip := _tooltip(layer):
                self.tool = bm.HoverTool(renderers=[*self._drawn], show_arrow=False, **tip)

    def _add(self, fig: figure, glyph: Glyph, look: Values | None = None) -> DataRenderer:
        level: Values = {"level": "overlay"} if self.layers[0].moving else {}
        seen: Values = {"view": self._view, "styles": UNSEEN} | level | (look or {})
        added: DataRenderer = fig.add_glyph(self.source, glyph, **seen)
        return added

    def update(self, layers: list[Layer], shade: Shade) -> None:
        """Show another state of the layers."""
        before, self.layers = self.layers, layers
        pairs = zip(before, layers, strict=True)
        changed = {column for old, new in pairs for column in _changed(old, new)}
        if changed:
            columns = self._columns(shade)
            self._send(columns, changed & columns.keys())
        if before[0].style != layers[0].style:
            self._glyph.update(**_style(layers[0], shade))
        if self.tool is not None and before[0].tooltip != layers[0].tooltip:
            self.tool.tooltips = _boxed(layers[0].tooltip)

    def repaint(self, shade: Shade) -> None:
        """Show the columns and styles of colours again."""
        columns = self._columns(shade)
        if "color" in columns:
            self.source.data = columns
        self._glyph.update(**_style(self.layers[0], shade))

    def _columns(self, shade: Shade) -> Values:
        """Columns of the source, as lists: each array would take two messages of its own."""
        layer = self.layers[0]
        if layer.kind in LINES:
            return _columns_of_lines(self.layers, shade)
        columns = {name: values.tolist() for name, values in layer.columns.items()}
        if "color" in columns:
            columns["color"] = [shade(color) for color in columns["color"]]
        if layer.kind != "texts":
            return columns
        # A layer of texts never gets shorter, but ends in empty ones: Bokeh colours the texts that
        # it has before it takes the new ones, and fails if it has more texts than colours.
        self._n_texts = max(layer.size, self._n_texts)
        missing = self._n_texts - layer.size
        blank = {name: [BLANK.get(name, math.nan)] * missing for name in columns}
        return {name: values + blank[name] for name, values in columns.items()}

    def _send(self, columns: Values, changed: set[str]) -> None:
        """Send some columns; or all, if there are more or fewer rows, or the page is in a cell.

        A cell compares what it has sent with what there is: that must not change in its place.
        """
        source, held = self.source, self.source.data
        served = source.document is not None and source.document.session_context is not None
        if (
            served
            and isinstance(held, dict)
            and all(len(held[name]) == len(values) for name, values in columns.items())
        ):
            held.update({name: columns[name] for name in sorted(changed)})
        else:
            source.data = columns


def _columns_of_lines(layers: list[Layer], shade: Shade) -> Values:
    columns: Values = {name: [layer.style[name] for layer in layers] for name in STROKE}
    columns |= {
        "layer": [layer.name for layer in layers],
        "xs": [layer.along("x").tolist() for layer in layers],
        "ys": [layer.along("y").tolist() for layer in layers],
        "color": [shade(color) for color in columns["color"]],
        "dash": [list(dash) for dash in columns["dash"]],
    }
    if any("threshold" in layer.columns for layer in layers):
        places = [layer.columns.get("threshold", NOWHERE) for layer in layers]
        columns["thresholds"] = [at[np.isfinite(at)].tolist() for at in places]
    return columns


def _changed(old: Layer, new: Layer) -> set[str]:
    """Columns of the source that a change of a layer concerns."""
    if new.kind not in LINES:
        return columns_changed(old, new)
    moved = {f"{column.rstrip('01')}s" for column in columns_changed(old, new)}
    return moved | {name for name, value in new.style.items() if old.style[name] != value}


def _tooltip(layer: Layer) -> Values:
    """How a layer answers the mouse, as properties of a tool; nothing if it does not."""
    if layer.kind == "readout":
        words = f'<div style="{TOOLTIP};max-width:420px">@text{{safe}}</div>'
        look = {"mode": "vline", "line_policy": "nearest", "attachment": "horizontal"}
        return {"tooltips": words, **look}
    tip = layer.tooltip
    formatters = {"$index": bm.CustomJSHover(code=OTHERS)} if "{others}" in tip else {}
    return {"tooltips": _boxed(tip), "limit": 1, "formatters": formatters} if tip else {}


LINES = ("line", "segments")
STROKE = ("color", "width", "dash", "alpha")
LOOKS = {
    "points": {name: name for name in ("fill_alpha", "line_color", "line_width")},
    "boxes": {"fill_color": "color"}
    | {name: name for name in ("fill_alpha", "line_color", "line_alpha")},
}
"""Properties of a glyph that may change, and what of a layer's style they are."""


def _style(layer: Layer, shade: Shade) -> Values:
    """Style of a layer as properties of its glyph."""
    look = {name: layer.style[key] for name, key in LOOKS.get(layer.kind, {}).items()}
    colors = ("fill_color", "line_color")
    look |= {name: shade(look[name]) for name in colors if look.get(name) is not None}
    if layer.kind == "points" and shade("white") != "white":
        look["fill_alpha"] **= 0.25  # what is seen through is hard to see on a dark ground
    # A dash is nothing but an edge, which has the colour of the point.
    return look | ({"line_color": "color"} if layer.style.get("marker") == "dash" else {})


def _glyph(layer: Layer, picture: Picture, shade: Shade) -> Glyph:
    """What draws a layer, or lines of which it is the first."""
    style, look = layer.style, _style(layer, shade)
    match layer.kind:
        case "line" | "segments":
            look |= {f"line_{name}": name for name in STROKE}
            return bm.MultiLine(xs="xs", ys="ys", **look)
        case "points":
            if style["marker"] == "dash":
                look["angle"] = math.pi / 2
            look["marker"] = "marker" if "marker" in layer.columns else style["marker"]
            return bm.Scatter(x="x", y="y", size=style["size"], fill_color="color", **look)
        case "boxes":
            look |= dict(zip(("left", "bottom", "right", "top"), CORNERS, strict=True))
            return bm.Quad(line_width=style["line_width"], **look)
        case "texts":
            return bm.Text(
                x="x",
                y="y",
                text="text",
                text_color="color",
                text_font_size=f"{picture.font_size}px",
                text_font={"value": FONT},
                text_align=style["align"],
                text_baseline=style["baseline"],
                x_offset=style["shift"] + (APART if "from_x" in layer.columns else 0),
            )
        case _:
            return bm.Line(x="x", y="y", line_alpha=0)


BLANK = {"text": "", "color": "black", OF: ""}
"""What columns of a text that is not seen hold; the others NaN."""


def _groups(drawn: Sequence[Layer]) -> Iterator[list[Layer]]:
    """Layers that are drawn together: lines next to each other that move, or stay, alike."""
    for (lines, _), layers in groupby(drawn, lambda one: (one.kind in LINES, one.moving)):
        if lines:
            yield list(layers)
        else:
            yield from ([layer] for layer in layers)


def _move(held: bm.Range, before: tuple[float, float], after: tuple[float, float]) -> None:
    """Let an axis follow the data, unless the person has zoomed."""
    if before == after or not isinstance(held, bm.Range1d):
        return
    zoomed = (held.start, held.end) != before
    held.reset_start, held.reset_end = after
    if not zoomed:
        held.start, held.end = after


def _boxed(template: str) -> str:
    """HTML in a box of half the width of a plot: on either side of the mouse it is inside."""
    return f'<div style="{TOOLTIP};max-width:250px;overflow-wrap:anywhere">{template}</div>'


def _frame(
    picture: Picture, name: str, label: str, x_range: bm.Range | None, common: Common
) -> figure:
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
        toolbar_location="below",
        toolbar_inner=True,
        outline_line_color=None,
        border_fill_color=None,  # the page's, light or dark
        min_border_left=picture.left,
        min_border_right=8,
        html_attributes={"role": "figure", "aria-label": label},
        tags=[THRESHOLDS] if picture.x.threshold else [],
    )
    fig.toolbar.update(autohide=True, logo=None, stylesheets=[TOOLBAR])
    fig.xaxis[0].major_label_policy = common.apart
    fig.yaxis[0].major_label_policy = common.all_labels
    fig.grid.grid_line_color = GRID if picture.grid else None
    size = f"{picture.font_size}px"
    for axis, side, grid, across in (
        (picture.x, fig.xaxis[0], fig.xgrid[0], "height"),
        (picture.y, fig.yaxis[0], fig.ygrid[0], "width"),
    ):
        side.update(
            axis_line_color=INK,
            minor_tick_line_color=None,
            axis_label_text_font_style="normal",
            axis_label_text_font=FONT,
            major_label_text_font=FONT,
            axis_label_text_font_size=size,
            major_label_text_font_size=size,
        )
        _ticks(axis, side, common)
        _background(axis, fig, across, common)
        grid.ticker = side.ticker if isinstance(side.ticker, bm.Ticker) else None
    if not picture.x.log:
        fig.x_scale = common.linear
    if not picture.y.log:
        fig.y_scale = common.linear
    _bound(fig, picture.x)
    return fig


def _bound(fig: figure, axis: Axis) -> None:
    """End the x axis and the grid where only names stand beyond."""
    if axis.data_end is None:
        return
    low, high = sorted((axis.start, axis.data_end))
    fig.xaxis[0].bounds = fig.xgrid[0].bounds = fig.ygrid[0].cross_bounds = (low, high)


def _range(axis: Axis) -> bm.Range1d:
    start, end = ends(axis)
    return bm.Range1d(start=start, end=end, reset_start=start, reset_end=end)


def _ticks(axis: Axis, side: bm.Axis, common: Common) -> None:
    """Ticks of an axis, finer when zoomed in where its scale has finer ones."""
    if axis.ticks is not None:
        side.ticker, side.formatter = bm.FixedTicker(ticks=list(axis.ticks)), common.formatter
        side.major_label_overrides = dict(axis.ticks.items())
    elif axis.scale is not None:
        if axis.scale not in common.scales:
            common.scales[axis.scale] = ticker(axis.scale), formatter(axis.scale)
        side.ticker, side.formatter = common.scales[axis.scale]
    elif not axis.log:
        side.ticker, side.formatter = common.ticker, common.formatter


def ticker(scale: PowerScale) -> bm.CustomJSTicker:
    """Ticks of a scale, finer when zoomed in."""
    levels = {"levels": scale.levels(), "enough": ENOUGH_TICKS}
    return bm.CustomJSTicker(args=levels, major_code=TICKER, minor_code="return []")


def formatter(scale: PowerScale) -> bm.CustomJSTickFormatter:
    """Texts of the ticks of a scale."""
    constants = {"zero": scale.zero, "compressed": scale.compressed}
    constants |= {"kink": KINK, "squeeze": SQUEEZE}
    return bm.CustomJSTickFormatter(args=constants, code=POWER)


def _background(axis: Axis, fig: bm.Plot, dimension: str, common: Common) -> None:
    """A grey gutter for 0, and a line where the scale changes."""
    if axis.scale is None:
        return
    key = axis.scale, dimension
    if key not in common.backgrounds:
        common.backgrounds[key] = [*_backgrounds(axis.scale, dimension, common)]
    for one in common.backgrounds[key]:
        fig.add_layout(one)


def _backgrounds(scale: PowerScale, dimension: str, common: Common) -> Iterator[Annotation]:
    if scale.gutter is not None:
        left, right = scale.gutter
        grey: Values = {"fill_color": GUTTER, "fill_alpha": 1, "line_color": None}
        grey |= {"level": "underlay", "handles": common.handles}
        yield geometry.BoxAnnotation(left=left, right=right, **grey)
    if scale.kink is not None:
        dotted: Values = {"line_color": GHOST, "line_width": 1, "line_dash": "dotted"}
        dotted |= {"location": scale.kink, "dimension": dimension}
        yield geometry.Span(level="underlay", **dotted)
