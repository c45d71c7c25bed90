"""What all plots have in common: layers of columns, names at the ends of lines, the frame."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import Any

import holoviews as hv
import holoviews.plotting.bokeh  # registers the backend
import numpy as np
from bokeh.models import HoverTool
from numpy.typing import NDArray

from tapviz.draw.style import GHOST, GRID, INK, Style

Columns = dict[str, dict[str, NDArray[Any]]]
"""Named layers of a plot: each maps column names to arrays of one length."""

Drawn = Callable[[str, Any], None]
"""Called with the name of a layer and its HoloViews plot whenever it has been rendered."""

FONT = "12px"
NAME_MARGIN = 0.35
"""Room right of the lines for their names, in widths of the plot."""
LONGEST = 18
"""Characters of a name that have room there."""
NAME_GAP = 0.062
"""Height of a name, in heights of the plot."""
TOOLBAR = """
:host { background: transparent !important; }
:host([data-focused]) { visibility: visible !important; opacity: 0.8 !important; }
div:focus-visible { outline: 2px solid var(--tv-link, #0a58a8) !important; outline-offset: -2px; }
"""
"""It comes with the mouse, and while the focus is in the plot."""
CORNERS = ("x0", "y0", "x1", "y1")


def layer(element: hv.Element, name: str, drawn: Drawn | None, **options: Any) -> hv.Element:
    """Style the element of a layer, and tell `drawn` when it is rendered."""
    if drawn is not None:
        options["hooks"] = [lambda plot, _element: drawn(name, plot)]
    return element.opts(**options)


def curve(
    columns: Columns, name: str, dims: tuple[Any, Any], drawn: Drawn | None, **options: Any
) -> hv.Curve:
    """Curve of a layer with two columns, x and y."""
    data = columns[name]
    element = hv.Curve((data["x"], data["y"]), dims[0], dims[1])
    return layer(element, name, drawn, **options)


def each_curve(
    columns: Columns, dims: tuple[Any, Any], looks: Mapping[str, Style], drawn: Drawn | None
) -> list[hv.Element]:
    """Layers "curve NAME" of all algorithms, in front of "ghost", the same of all queries."""
    return [
        curve(columns, "ghost", dims, drawn, color=GHOST, line_width=1),
        *(
            curve(
                columns,
                f"curve {name}",
                dims,
                drawn,
                color=look.color,
                line_dash=look.line_dash,
                line_width=2,
            )
            for name, look in looks.items()
        ),
    ]


def points(
    columns: Columns, name: str, dims: tuple[Any, Any], drawn: Drawn | None, **options: Any
) -> hv.Scatter:
    """Points of a layer with columns x, y and color."""
    data = columns[name]
    element = hv.Scatter((data["x"], data["y"], data["color"]), dims[0], [dims[1], "color"])
    return layer(element, name, drawn, color="color", **options)


def labels(
    columns: Columns, name: str, dims: tuple[Any, Any], drawn: Drawn | None, **options: Any
) -> hv.Labels:
    """Texts of a layer with columns x, y, text and color."""
    data = columns[name]
    element = hv.Labels(
        (data["x"], data["y"], data["text"], data["color"]), list(dims), ["text", "color"]
    )
    return layer(element, name, drawn, text_color="color", text_font_size=FONT, **options)


def segments(
    columns: Columns, name: str, dims: tuple[Any, Any], drawn: Drawn | None, **options: Any
) -> hv.Segments:
    """Straight lines of a layer with columns x0, y0, x1 and y1."""
    data = columns[name]
    corners = tuple(data[key] for key in CORNERS)
    return layer(hv.Segments(corners, _corners(dims)), name, drawn, **options)


def boxes(
    columns: Columns, name: str, dims: tuple[Any, Any], drawn: Drawn | None, **options: Any
) -> hv.Rectangles:
    """Boxes of a layer with columns x0, y0, x1 and y1, and others that a tool may show."""
    data = columns[name]
    more = [key for key in data if key not in CORNERS]
    element = hv.Rectangles(tuple(data[key] for key in (*CORNERS, *more)), _corners(dims), more)
    return layer(element, name, drawn, **options)


def told(
    columns: Columns,
    name: str,
    dims: tuple[Any, Any],
    drawn: Drawn | None,
    tool: HoverTool | None = None,
    **options: Any,
) -> hv.Scatter:
    """Points of a layer with columns x, y, color and others, of which a tool tells the mouse."""
    data = columns[name]
    more = [key for key in data if key not in ("x", "y")]
    element = hv.Scatter(tuple(data[key] for key in ("x", "y", *more)), dims[0], [dims[1], *more])
    return layer(element, name, drawn, color="color", tools=[tool or hover()], **options)


def hover(template: str = "@text{safe}", **options: Any) -> HoverTool:
    """A tool that tells the mouse of the one point under it.

    Parameters
    ----------
    template : str
        HTML made here, with the names of columns; the usual one is a column of such HTML.
    options
        As in `HoverTool`.
    """
    return HoverTool(tooltips=boxed(template), limit=1, **options)


def boxed(template: str) -> str:
    """HTML in a box of half the width of a plot: on either side of the mouse it is inside."""
    style = "font-size:12px;max-width:250px;white-space:normal;overflow-wrap:anywhere"
    return f'<div style="{style}">{template}</div>'


def overlay(
    elements: list[hv.Element], left: int = 62, drag: str = "box_zoom", **options: Any
) -> hv.Overlay:
    """Put layers into one frame: thin grid, tools only while the mouse is over the plot.

    `left` is the room for the y axis and its title, in pixels; `drag` the tool that a drag uses,
    which a layer has if it is another.
    """
    return hv.Overlay(elements).opts(
        responsive=True,
        min_height=250,
        min_width=260,
        show_legend=False,
        show_grid=True,
        gridstyle={"grid_line_color": GRID},
        fontsize={"labels": FONT, "ticks": FONT},
        default_tools=["pan", "box_zoom", "wheel_zoom", "save", "reset"],
        active_tools=[drag],
        toolbar="above",
        backend_opts={
            "plot.toolbar.autohide": True,
            "plot.toolbar.logo": None,
            "plot.toolbar_inner": True,
            "plot.toolbar.stylesheets": [TOOLBAR],
            "plot.outline_line_color": None,
            "plot.border_fill_color": None,  # the page's, light or dark
            "plot.min_border_left": left,
            "plot.min_border_right": 8,
            "plot.output_backend": "canvas",
            "xaxis.axis_line_color": INK,
            "yaxis.axis_line_color": INK,
            "xaxis.minor_tick_line_color": None,
            "yaxis.minor_tick_line_color": None,
            "xaxis.axis_label_text_font_style": "normal",
            "yaxis.axis_label_text_font_style": "normal",
        },
        **options,
    )


def shortened(name: str, longest: int = LONGEST) -> str:
    """A name of at most so many characters."""
    return name if len(name) <= longest else name[: longest - 1] + "…"


def texts(
    x: list[float], y: list[float], text: list[str], color: list[str], longest: int = LONGEST
) -> dict[str, NDArray[Any]]:
    """Columns of a layer of labels; texts have room for `longest` characters."""
    short = [shortened(part, longest) for part in text]
    return {
        "x": np.asarray(x, np.float64),
        "y": np.asarray(y, np.float64),
        "text": np.asarray(short, np.object_),
        "color": np.asarray(color, np.object_),
    }


def marks(x: list[float], y: list[float], color: list[str]) -> dict[str, NDArray[Any]]:
    """Columns of a layer of points; those that are not finite are left out."""
    places = np.array([x, y], np.float64).reshape(2, -1)
    keep = np.isfinite(places).all(axis=0)
    return {
        "x": places[0][keep],
        "y": places[1][keep],
        "color": np.asarray(color, np.object_)[keep],
    }


def spread(y: list[float], gap: float, low: float, high: float) -> list[float]:
    """Move heights apart until neighbours are at least `gap` from each other, inside a range."""
    order = np.argsort(y, kind="stable")
    placed = np.asarray(y, np.float64)[order]
    for i in range(1, placed.size):
        placed[i] = max(placed[i], placed[i - 1] + gap)
    if placed.size:
        placed[-1] = min(placed[-1], high)
    for i in range(placed.size - 2, -1, -1):
        placed[i] = min(placed[i], placed[i + 1] - gap)
    placed = np.maximum(placed, low)
    result = np.empty_like(placed)
    result[order] = placed
    return [float(height) for height in result]


def joined(curves: Mapping[str, tuple[NDArray[Any], NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Columns of one layer that draws several curves, with gaps between them."""
    gap = [np.nan]
    x = [part for curve in curves.values() for part in (curve[0], gap)]
    y = [part for curve in curves.values() for part in (curve[1], gap)]
    return {"x": np.concatenate([*x, []]), "y": np.concatenate([*y, []])}


def ceiling(values: list[float], step: float = 0.1) -> float:
    """Upper end of an axis from 0 that holds the values, at a multiple of `step`."""
    top = max((v for v in values if np.isfinite(v)), default=1.0)
    return max(step, float(np.ceil(top * 1.02 / step - 1e-9) * step))


def readout(columns: Columns, dims: tuple[Any, Any], drawn: Drawn | None) -> hv.Curve:
    """Invisible line that answers the mouse anywhere above or below it with one text.

    Parameters
    ----------
    columns : Columns
        With a layer "readout" of columns x, y and text; the text is HTML made here.
    """
    data = columns["readout"]
    hover = HoverTool(
        tooltips='<div style="font-size:12px;max-width:420px">@text{safe}</div>',
        mode="vline",
        line_policy="nearest",
        attachment="horizontal",
    )
    element = hv.Curve((data["x"], data["y"], data["text"]), dims[0], [dims[1], "text"])
    return layer(element, "readout", drawn, line_alpha=0, tools=[hover])


def readout_columns(
    x: NDArray[np.float64], y: float, heads: list[str], rows: Mapping[str, list[str]]
) -> dict[str, NDArray[Any]]:
    """Columns of a read-out: a heading and a line per algorithm at each place.

    Parameters
    ----------
    x : ndarray of float, shape (G,)
    y : float
        Height at which the text appears.
    heads : list of str, length G
    rows : mapping of str to list of str, each of length G
        What to say of each algorithm.
    """
    names = [f"<b>{html.escape(name)}</b> " for name in rows]
    lines = zip(*rows.values(), strict=True) if rows else ([] for _ in heads)
    text = [
        "<br>".join([head, *(name + part for name, part in zip(names, parts, strict=True))])
        for head, parts in zip(heads, lines, strict=True)
    ]
    if x.size:  # a line answers only between its ends: the first text has a margin before it
        x = np.insert(x, 0, x[0] - 0.02 * (x[-1] - x[0]))
        text.insert(0, text[0])
    return {"x": x, "y": np.full(x.size, y), "text": np.array(text, np.object_)}


def _corners(dims: tuple[Any, Any]) -> list[hv.Dimension]:
    """Dimensions of the ends of segments and boxes in a plot with these axes."""
    # Without labels: HoloViews takes dimensions with the same one for the same.
    return [hv.Dimension(f"{dim.name}_{end}") for end in (0, 1) for dim in dims]
