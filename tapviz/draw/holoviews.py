"""Pictures as HoloViews overlays, for notebooks: they compose by ``*`` and ``+``, and take opts."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence

import holoviews as hv
import holoviews.plotting.bokeh  # registers the backend
import numpy as np
from bokeh.models import FixedTicker

from tapviz.draw.bokeh import formatter, ticker
from tapviz.draw.picture import CORNERS, Axis, Layer, Picture
from tapviz.draw.style import GHOST, GRID, GUTTER

LOOKS = ("color", "fill_alpha", "line_color", "line_alpha", "line_width")
"""What elements have of the styles of layers."""


def show_in_cells() -> None:
    """Have cells of a notebook show overlays, also where nobody has called `hv.extension`.

    What draws them in the browser comes with the first plot, from here: no network is needed. Where
    Panel has sent it already it is not sent again, which would take the page from under its cell.
    """
    if not hasattr(builtins, "__IPYTHON__") or getattr(hv.extension, "_loaded", False):
        return
    panel = sys.modules.get("panel")
    if panel is None or not getattr(panel.extension, "_loaded", False):
        hv.extension("bokeh", inline=True, logo=False)
        return
    from holoviews.ipython.display_hooks import pprint_display  # noqa: PLC0415  # needs IPython

    hv.Store.output_settings.initialize([*hv.Store.renderers])
    hv.Store.set_display_hook("html+js", hv.core.Dimensioned, pprint_display)


def overlay(picture: Picture) -> hv.Overlay:
    """Turn a picture into an overlay.

    Parameters
    ----------
    picture : Picture

    Returns
    -------
    hv.Overlay
        An element for each layer that can be seen and is not empty, with the picture's axes. Its
        options are those of the Bokeh backend, and can be changed by ``.opts``.
    """
    x, y = picture.x, picture.y
    # By the labels of the axes, so that plots with the same axis are linked and others are not.
    dims = [hv.Dimension(f"{of}_{one.label}", label=one.label) for of, one in (("x", x), ("y", y))]
    layers = [one for one in picture.layers if one.visible and not one.note and one.size]
    elements: list[hv.Element] = [one for layer in layers for one in _drawn(layer, dims)]
    background: list[hv.Element] = []  # a grey gutter for 0, and a line where the scale changes
    if x.scale is not None and x.scale.gutter is not None:
        background.append(hv.VSpan(*x.scale.gutter).opts(color=GUTTER, alpha=1))
    if x.scale is not None and x.scale.kink is not None:
        dotted = {"color": GHOST, "line_width": 1, "line_dash": "dotted"}
        background.append(hv.VLine(x.scale.kink).opts(**dotted))
    return hv.Overlay([*background, *(elements or [hv.Curve([], *dims)])]).opts(
        xlabel=x.label,
        ylabel=y.label,
        xlim=tuple(sorted((x.start, x.end))),
        ylim=tuple(sorted((y.start, y.end))),
        logx=x.log,
        logy=y.log,
        invert_xaxis=bool(x.start > x.end),
        show_grid=True,
        gridstyle={"grid_line_color": GRID},
        show_legend=False,
        fontsize={"labels": "12px", "ticks": "12px"},
        width=560,
        height=round(360 * picture.tall),
        **_ticks("x", x),
        **_ticks("y", y),
    )


def _drawn(layer: Layer, dims: list[hv.Dimension]) -> list[hv.Element]:
    """A layer; before texts, lines that lead to them, where there are such."""
    columns, style = layer.columns, layer.style
    ends = [hv.Dimension(f"{dim.name}_{end}") for end in (0, 1) for dim in dims]

    def made(kind: type[hv.Element], names: Sequence[str], *dimensions: object) -> hv.Element:
        return kind(tuple(columns[name] for name in names), *dimensions, label=layer.name)

    look = {name: style[name] for name in LOOKS if name in style}
    if layer.kind in ("line", "segments"):
        look = {"color": style["color"], "line_width": style["width"]}
        look |= {"line_dash": style["dash"] or "solid", "line_alpha": style["alpha"]}
    if layer.kind == "line":
        return [made(hv.Curve, ("x", "y"), *dims).opts(**look)]
    if layer.kind == "points":
        several = [name for name in ("color", "marker") if name in columns]
        look |= {"color": "color", "marker": style["marker"], "size": style["size"]}
        look |= {name: name for name in several}
        if style["marker"] == "dash":
            look |= {"angle": 90, "line_color": "color"}
        return [made(hv.Scatter, ("x", "y", *several), dims[0], [dims[1], *several]).opts(**look)]
    if layer.kind == "texts":
        look = {"text_color": "color", "text_font_size": "12px"}
        look |= {"text_align": style["align"], "text_baseline": style["baseline"]}
        words = made(hv.Labels, ("x", "y", "text", "color"), dims, ["text", "color"]).opts(**look)
        led = np.isfinite(columns.get("from_x", np.full(layer.size, np.nan)))
        if not led.any():
            return [words]
        places = tuple(columns[name][led] for name in ("from_x", "from_y", "x", "y", "color"))
        return [hv.Segments(places, ends, "color").opts(color="color", line_width=0.8), words]
    kind = hv.Segments if layer.kind == "segments" else hv.Rectangles
    return [made(kind, CORNERS, ends).opts(**look)]


def _ticks(side: str, axis: Axis) -> dict[str, object]:
    """Options that draw the ticks, where they are not left to HoloViews."""
    if axis.ticks is not None:  # a list without any is not understood
        return {f"{side}ticks": list(axis.ticks.items()) or FixedTicker(ticks=[])}
    if axis.scale is not None:
        return {f"{side}ticks": ticker(axis.scale), f"{side}formatter": formatter(axis.scale)}
    return {}


__all__ = ["overlay", "show_in_cells"]
