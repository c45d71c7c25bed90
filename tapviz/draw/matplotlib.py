"""Pictures for print: matplotlib draws what the live page shows, from the same declaration.

Every element of the overlay is drawn with the options it has for Bokeh; no plot is described a
second time. Only what print asks for is added here: millimetres, points, and room for all texts.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from string import ascii_uppercase
from textwrap import fill
from threading import RLock
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager, ticker
from matplotlib.axes import Axes
from matplotlib.axis import Axis as Side
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure as Figure  # noqa: PLC0414  # who saves one names it
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation

from tapviz.draw.picture import CORNERS, Axis, Layer, Picture, Style, ends
from tapviz.draw.style import GHOST, GRID, GUTTER, INK, tick_label
from tapviz.draw.tokens import FACE, register

SIZES = {86: (64.0, 7.0), 178: (96.0, 8.0)}
"""Height in mm and size of the letters in points, for each width in mm: one column, or two."""
WIDTHS = (50, 400)
"""Least and largest width, in mm."""
SYMBOLS = (0.3, 3)
"""The same of the size of marks, as a multiple of the usual one."""
WIDE = 140
"""Width in mm from which on panels stand side by side, and letters are larger."""
FACES = (
    FACE,
    "Arial",
    "Helvetica",
    "DejaVu Sans",
    "Liberation Sans",
    "Times New Roman",
    "STIXGeneral",
)
FORMATS = ("svg", "pdf", "png")
DPI = 600
"""Pixels per inch of a PNG."""

MM = 1 / 25.4
LOW = SIZES[86][0] / 86
"""Height of a panel that is no wider than a column, in its widths."""
DRAWING = RLock()
"""Settings of matplotlib are those of the process: one thread draws at a time."""
MARGINS, LETTER = 15, 0.53
"""Width of all that is beside the axes, in mm, and of a letter, in its size, both about."""
NAMES, SMALLEST = 0.42, 5
"""Share of the width that names of rows have at most, and their least size for it, in points."""
PAGE_LETTERS = 12
"""Size of the letters on the page, in pixels: all else keeps its proportion to them."""
RC = {
    "font.family": [FACE, "DejaVu Sans"],  # the second for letters of other scripts
    "svg.fonttype": "none",
    "svg.hashsalt": "tapviz",
    "pdf.fonttype": 42,
    "lines.scale_dashes": False,
    "lines.dash_capstyle": "butt",
    "axes.unicode_minus": True,
    "path.simplify": False,
}
# matplotlib's markers of the same look, and their size for one pixel of Bokeh's.
MARKERS = {
    "circle": ("o", 1.0),
    "triangle": ("^", 0.9),
    "inverted_triangle": ("v", 0.9),
    "diamond": ("d", 0.95),
    "square": ("s", 0.95),
    "dash": ("|", 1.0),
}
BASELINES = {"middle": "center_baseline", "top": "top", "bottom": "bottom"}
PANEL_LETTER = {"weight": "bold", "color": INK, "va": "top", "ha": "left"}
GROUND = {"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.3}
"""Behind names and numbers, so that lines below do not cross them out."""
LEADER, APART = 0.8, 3
"""Width of a line that leads to a text, and how far before it the line ends, in pixels."""
LUMA = (0.299, 0.587, 0.114)


class Panel(NamedTuple):
    """A picture in a figure."""

    picture: Picture
    title: str = ""
    """What stands above; in as many lines as it takes."""


def figure(
    panels: Sequence[Panel],
    width: float = 86,
    *,
    greyscale: bool = False,
    face: str = "",
    symbols: float = 1.0,
) -> Figure:
    """Draw pictures for print, as one figure.

    Several panels have the letters A, B, C, ...; from 140 mm on two stand side by side.

    Parameters
    ----------
    panels : sequence of Panel
    width : float
        In mm: 86 is one column of a journal, 178 two; letters have 7 pt, and 8 pt where one panel
        has the width of two columns.
    greyscale : bool
        Turn every colour into the grey of its lightness, as a printer does.
    face : str
        Family of the letters, which must be installed; empty for that which comes along.
    symbols : float
        Size of marks, as a multiple of the usual one.

    Raises
    ------
    ValueError
        If there is no panel, or the width, the face or the size is impossible.
    """
    if not panels:
        raise ValueError("a figure has at least one panel")
    if not WIDTHS[0] <= width <= WIDTHS[1]:
        raise ValueError(f"width: expected {WIDTHS[0]} to {WIDTHS[1]} mm, found {width:g}")
    if not SYMBOLS[0] <= symbols <= SYMBOLS[1]:
        raise ValueError(f"symbols: expected {SYMBOLS[0]} to {SYMBOLS[1]}, found {symbols:g}")
    register()
    if face and face not in faces():
        raise ValueError(f"face: {face!r} is not installed; there are {', '.join(faces())}")
    across = 2 if len(panels) > 1 and width >= WIDE else 1
    rows = [panels[at : at + across] for at in range(0, len(panels), across)]
    tall = [max(panel.picture.tall for panel in row) for row in rows]
    wide = width / across
    heights, letter_sizes = zip(*SIZES.values(), strict=True)
    height = float(np.interp(wide, [*SIZES], heights)) if wide > min(SIZES) else wide * LOW
    letters = letter_sizes[wide >= WIDE]
    family = {"font.family": [face, "DejaVu Sans"]} if face else {}
    with DRAWING, mpl.rc_context(RC | family | {"font.size": letters}):
        fig = Figure(figsize=(width * MM, height * sum(tall) * MM), dpi=DPI)
        _Ruler(fig)
        places = fig.subfigures(len(rows), across, squeeze=False, height_ratios=tall).flat
        for letter, place, panel in zip(ascii_uppercase, places, panels, strict=False):
            axes = place.add_axes((0.2, 0.2, 0.7, 0.7))
            _Drawing(axes, letters, greyscale=greyscale, symbols=symbols).draw(panel.picture)
            longest = int((wide - MARGINS) * MM * 72 / (LETTER * letters))
            lettered = len(panels) > 1
            above = axes.set_title(
                fill(panel.title, longest) or (" " if lettered else ""),
                loc="left",
                fontsize=letters,
                color=INK,
                pad=4,
                y=1.0,  # where it would stand in any case: to find that out takes a tenth of it all
                parse_math=False,
            )
            _fit(axes, letters, above)
            _end_axis(axes, panel.picture.x)
            _thin(axes, letters)
            if lettered:
                _add_letter(place, above, letter)
        FigureCanvasAgg(fig)
    return fig


class _Ruler(FigureCanvasBase):
    """Measures texts, and has no room to draw: to make some takes a tenth of the time."""

    _renderer = RendererAgg(1, 1, DPI)

    def get_renderer(self) -> RendererAgg:
        return self._renderer


def faces() -> list[str]:
    """Families of letters that are usual in journals, of those installed."""
    register()
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in FACES if name in installed]


def _add_letter(place: SubFigure, title: Text, letter: str) -> None:
    """Write the letter of a panel before its title, which moves to the right for it."""
    box = title.get_window_extent()
    left = place.bbox.x0 + title.get_fontsize() / 2 * place.dpi / 72
    x, y = place.transSubfigure.inverted().transform((left, box.y1))
    written = place.text(x, y, letter, **PANEL_LETTER)
    end = written.get_window_extent().x1 + title.get_fontsize() / 2 * place.dpi / 72
    if box.x0 < end:
        axes = title.axes
        title.set_x(title.get_position()[0] + (end - box.x0) / axes.get_window_extent().width)


def as_bytes(drawn: Figure, kind: str) -> bytes:
    """A figure as the content of a file: "svg", "pdf" or "png"; the same makes the same bytes."""
    file = io.BytesIO()
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    with DRAWING, mpl.rc_context(RC):
        drawn.savefig(file, format=kind, dpi=DPI, metadata=undated[kind])
    return file.getvalue()


class _Drawing:
    """Draws the layers of a picture on axes."""

    def __init__(self, axes: Axes, letters: float, *, greyscale: bool, symbols: float) -> None:
        self._axes = axes
        self._letters = letters
        self._point = letters / PAGE_LETTERS
        """Points for a pixel of the page."""
        self._greyscale = greyscale
        self._symbols = symbols

    def draw(self, picture: Picture) -> None:
        """Draw all that can be seen, and the frame."""
        self._frame(picture)
        for order, layer in enumerate(picture.layers, 2):
            if layer.visible and not layer.note:
                before = set(self._axes.get_children())
                getattr(self, f"_draw_{layer.kind}")(layer)
                for artist in set(self._axes.get_children()) - before:
                    # What leads to texts lies below them.
                    leads = layer.kind == "texts" and not isinstance(artist, Text)
                    artist.set_zorder(order - 0.5 if leads else order)

    def _draw_line(self, layer: Layer) -> None:
        columns = layer.columns
        self._axes.add_line(Line2D(columns["x"], columns["y"], **self._stroke(layer.style)))

    def _draw_points(self, layer: Layer) -> None:
        columns, style, edge = layer.columns, layer.style, layer.style["line_color"]
        marker, factor = MARKERS[style["marker"]]
        size = style["size"] * self._point * factor * self._symbols
        fills = [self._fill(color, style["fill_alpha"]) for color in columns["color"].tolist()]
        look = {"facecolors": fills, "edgecolors": "none" if edge is None else self._paint(edge)}
        if marker == "|":  # nothing but an edge, which has the colour of the point
            look = {"color": fills}
        look |= {"s": size**2, "marker": marker, "linewidths": style["line_width"] * self._point}
        drawn = self._axes.scatter(columns["x"], columns["y"], **look)
        if "marker" in columns:
            drawn.set_paths([_outline_of(one) for one in columns["marker"].tolist()])

    def _draw_texts(self, layer: Layer) -> None:
        style, inches = layer.style, self._axes.figure.dpi_scale_trans
        nowhere = np.full(layer.size, np.nan)
        columns = {"from_x": nowhere, "from_y": nowhere, **layer.columns}
        look = {"ha": style["align"], "va": BASELINES[style["baseline"]], "parse_math": False}
        look["bbox"] = GROUND
        for x, y, text, shade, from_x, from_y in zip(
            *(columns[name].tolist() for name in ("x", "y", "text", "color", "from_x", "from_y")),
            strict=True,
        ):
            color, led = self._paint(shade), bool(np.isfinite(from_x))
            if led:
                stroke = {"color": color, "linewidth": LEADER * self._point}
                self._axes.plot([from_x, x], [from_y, y], **stroke)
            pixels = style["shift"] + APART * led
            shift = ScaledTranslation(pixels * self._point / 72, 0, inches)
            place = self._axes.transData + shift
            self._axes.text(x, y, text, color=color, transform=place, **look).set_in_layout(False)

    def _draw_segments(self, layer: Layer) -> None:
        x0, y0, x1, y1 = (layer.columns[name] for name in CORNERS)
        ends = np.stack([np.stack([x0, y0], 1), np.stack([x1, y1], 1)], 1)
        look = self._stroke(layer.style)
        look["linestyle"] = (0, dashes) if (dashes := look.pop("dashes")) else "solid"
        self._axes.add_collection(LineCollection(ends, **look), autolim=False)

    def _draw_boxes(self, layer: Layer) -> None:
        style = layer.style
        boxes = np.stack([layer.columns[name] for name in CORNERS], 1)
        alpha = style["line_alpha"]
        areas = [_outline(box[None]) for box in boxes] if alpha else _joined(boxes)
        drawn = PolyCollection(
            areas,
            facecolors=[self._fill(style["color"], style["fill_alpha"])],
            edgecolors=[self._fill(style["line_color"], alpha)] if alpha else "none",
            linewidths=style["line_width"] * self._point,
        )
        self._axes.add_collection(drawn, autolim=False)

    def _draw_area(self, layer: Layer) -> None:
        columns, style = layer.columns, layer.style
        look = {"color": self._paint(style["color"]), "alpha": style["alpha"], "linewidth": 0}
        self._axes.fill_between(columns["x"], columns["y0"], columns["y1"], **look)

    def _stroke(self, style: Style) -> dict[str, object]:
        """Colour, width and dashes of lines."""
        lengths = style["dash"]
        return {
            "color": self._paint(style["color"]),
            "linewidth": style["width"] * self._point,
            "alpha": style["alpha"],
            "dashes": [length * self._point for length in lengths * (1 + len(lengths) % 2)],
        }

    def _fill(self, color: str, alpha: float) -> tuple[float, ...]:
        return (*to_rgb(self._paint(color)), alpha)

    def _paint(self, color: str) -> str:
        light = [float(np.dot(to_rgb(color), LUMA))] * 3
        return str(to_hex(light if self._greyscale else color))

    def _frame(self, picture: Picture) -> None:
        """Axes with their limits, ticks and titles over a thin grid."""
        axes, x, y = self._axes, picture.x, picture.y
        axes.set_xscale("log" if x.log else "linear")
        axes.set_yscale("log" if y.log else "linear")
        axes.set(xlim=ends(x), ylim=(y.start, y.end), xlabel=x.label, ylabel=y.label)
        for one, axis in ((x, axes.xaxis), (y, axes.yaxis)):
            _ticks(one, axis)
            axis.label.set_color(INK)
        # A grey gutter for 0, and a line where the scale of x changes.
        if x.scale is not None and x.scale.gutter is not None:
            axes.axvspan(*x.scale.gutter, color=self._paint(GUTTER), lw=0, zorder=0)
        if x.scale is not None and x.scale.kink is not None:
            style = {"color": GHOST, "width": 1, "dash": (2, 4), "alpha": 1}
            axes.axvline(x.scale.kink, zorder=1, **self._stroke(style))
        look = {"color": INK, "labelcolor": INK, "labelsize": self._letters}
        axes.tick_params(length=2.5, width=0.6, pad=2, **look)
        if picture.grid:
            axes.grid(color=GRID, linewidth=0.6)
        axes.set_axisbelow(True)
        for side, spine in axes.spines.items():
            spine.set(visible=side in ("left", "bottom"), color=INK, linewidth=0.6)


def _ticks(axis: Axis, drawn: Side) -> None:
    """Ticks of an axis, where they are not left to matplotlib."""
    ticks = axis.ticks_between(*sorted((axis.start, axis.end)))
    if ticks is not None:
        drawn.set_major_locator(ticker.FixedLocator(list(ticks)))
        drawn.set_major_formatter(ticker.FixedFormatter(list(ticks.values())))
    elif axis.log:
        drawn.set_major_locator(ticker.LogLocator())
        drawn.set_major_formatter(ticker.FuncFormatter(lambda value, _: tick_label(value)))
    else:
        drawn.set_major_locator(ticker.MaxNLocator(6, steps=[1, 2, 5, 10]))
    drawn.set_minor_locator(ticker.NullLocator())


@cache
def _outline_of(marker: str) -> Path:
    """Path of a marker, of the size that it has on the page."""
    shape, factor = MARKERS[marker]
    style = MarkerStyle(shape)
    return style.get_path().transformed(style.get_transform().frozen().scale(factor))


def _outline(boxes: np.ndarray) -> np.ndarray:
    """Corners of boxes side by side, around all of them."""
    x0, y0, x1, y1 = boxes.T
    x = np.stack([x0, x1], 1).ravel()
    low, high = np.repeat(y0, 2), np.repeat(y1, 2)
    return np.concatenate([np.stack([x, high], 1), np.stack([x, low], 1)[::-1]])


def _joined(boxes: np.ndarray) -> list[np.ndarray]:
    """Boxes that touch their neighbours as one area: printers show seams between parts."""
    apart = [i for i in range(1, len(boxes)) if boxes[i - 1, 2] != boxes[i, 0]]
    return [_outline(boxes[a:b]) for a, b in pairwise([0, *apart, len(boxes)]) if b > a]


def _fit(axes: Axes, letters: float, title: Text) -> None:
    """Make room for all texts: margins for those of the axes, as much view as those inside need."""
    gap = letters / 2 * axes.figure.dpi / 72
    _shrink(axes, letters)
    room = _names_at_the_end(axes)
    places: list[float] = []
    for _ in range(4):  # each step moves what the others have measured
        _margins(axes, gap / 2)
        # Above names that stand beside the axes, as far as the figure is wide.
        box = axes.get_window_extent()
        left = axes.figure.bbox.x0 + MARGINS * MM * axes.figure.dpi
        title.set_x(min(0.0, (left - box.x0) / box.width))
        _part(axes, gap)
        _view(axes, gap / 2, trim=room)
        before, places = places, [*axes.get_position().bounds, *axes.get_xlim()]
        if before and np.allclose(places, before, rtol=1e-12, atol=0):
            break
    else:
        _margins(axes, gap / 2)


def _shrink(axes: Axes, letters: float) -> None:
    """Make names of rows smaller where they would leave too little of the width to the rows."""
    widths = [label.get_window_extent().width for label in axes.get_yticklabels()]
    share = max(widths, default=0) / axes.figure.bbox.width
    if share > NAMES:
        axes.tick_params(axis="y", labelsize=max(SMALLEST, letters * NAMES / share))


def _end_axis(axes: Axes, x: Axis) -> None:
    """End the x axis and the grid where only names stand beyond."""
    if x.data_end is None:
        return
    low, high = sorted((axes.get_xlim()[0], x.data_end))
    axes.spines["bottom"].set_bounds(low, high)
    for tick in axes.xaxis.get_major_ticks():
        tick.set_visible(low <= tick.get_loc() <= high)
    end = axes.transAxes.inverted().transform(axes.transData.transform((x.data_end, 0)))[0]
    for line in axes.yaxis.get_gridlines():
        line.set_xdata([0, end])


def _margins(axes: Axes, pad: float) -> None:
    """Let the axes fill the figure but for their own titles and ticks."""
    fig = axes.figure
    box, outer = axes.get_window_extent(), axes.get_tightbbox()
    left, low = box.x0 - outer.x0 + pad, box.y0 - outer.y0 + pad
    right, top = outer.x1 - box.x1 + pad, outer.y1 - box.y1 + pad
    width, height = fig.bbox.width, fig.bbox.height
    axes.set_position(
        (left / width, low / height, 1 - (left + right) / width, 1 - (low + top) / height)
    )


def _names_at_the_end(axes: Axes) -> bool:
    """Whether texts stand right of all that is drawn: the room there is for them alone."""
    box, place = axes.get_window_extent(), axes.transData.transform
    drawn = [line.get_xydata() for line in axes.lines if len(line.get_xydata()) > 2]  # noqa: PLR2004
    for part in axes.collections:
        dots = isinstance(part, PathCollection)  # each drawn around a place of its own
        drawn += [part.get_offsets()] if dots else [path.vertices for path in part.get_paths()]
    drawn = [points[np.isfinite(points).all(axis=1)] for points in drawn]
    ends = [place(points)[:, 0].max() for points in drawn if points.size]
    texts = [place(text.get_position())[0] for text in axes.texts if text.get_ha() == "left"]
    return bool(ends and texts and box.x1 > max(texts) > max(ends))


def _part(axes: Axes, gap: float) -> None:
    """Move texts of one line apart, those at the right further to the right."""
    lines: dict[float, list[Text]] = {}
    for text in axes.texts:
        if text.get_ha() == "left":
            lines.setdefault(text.get_position()[1], []).append(text)
    for line in lines.values():
        for left, right in pairwise(sorted(line, key=lambda text: text.get_position()[0])):
            least = left.get_window_extent().x1 + gap
            if right.get_window_extent().x0 < least:
                right.set_x(axes.transData.inverted().transform((least, 0))[0])


def _view(axes: Axes, pad: float, *, trim: bool) -> None:
    """Show as much of the x axis as texts need; less than was asked for if it can be trimmed."""
    box, scale = axes.get_window_extent(), axes.xaxis.get_transform()
    start, end = scale.transform(np.array(axes.get_xlim()))
    sign = 1 if end > start else -1
    needed = []
    for text in axes.texts:
        (at, height), place = text.get_position(), text.get_window_extent()
        x, anchor = float(scale.transform(at)), axes.transData.transform((at, height))[0]
        before, after = (anchor - place.x0 + pad) / box.width, (place.x1 + pad - anchor) / box.width
        needed.append(start + (x - start) / (1 - after))
        if place.x0 < box.x0:
            start = (x - before * end) / (1 - before)
    ends = [sign * one for one in needed]
    if ends:
        end = sign * (max(ends) if trim else max(sign * end, *ends))
    axes.set_xlim(*scale.inverted().transform(np.array([start, end])))


def _thin(axes: Axes, letters: float) -> None:
    """Leave out texts of ticks that would touch another; the first and the last stay."""
    gap = letters / 4 * axes.figure.dpi / 72
    low, high = sorted(axes.get_xlim())
    ticks = [
        tick
        for tick in axes.xaxis.get_major_ticks()
        if tick.get_visible() and low <= tick.get_loc() <= high
    ]
    boxes = [tick.label1.get_window_extent() for tick in ticks]
    kept = [boxes[i] for i in {0, len(boxes) - 1} if boxes]
    for tick, box in list(zip(ticks, boxes, strict=True))[1:-1]:
        if any(box.x0 - gap < other.x1 and other.x0 - gap < box.x1 for other in kept):
            tick.label1.set_visible(False)
        else:
            kept.append(box)
