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
    layers = [one for one in picture.layers if one.visible and not one.note and one.size]
    elements = _background(picture.x)
    for layer in layers:
        elements += [*_leaders(layer, picture), _element(layer, picture)]
    if not layers:
        elements.append(hv.Curve([], *_dimensions(picture)))
    x, y = picture.x, picture.y
    return hv.Overlay(elements).opts(
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


def _dimensions(picture: Picture) -> list[hv.Dimension]:
    # By their labels, so that plots with the same axis are linked and others are not.
    names = (picture.x.label, picture.y.label)
    return [
        hv.Dimension(f"{side}_{name}", label=name) for side, name in zip("xy", names, strict=True)
    ]


def _element(layer: Layer, picture: Picture) -> hv.Element:
    dims = _dimensions(picture)
    columns, style = layer.columns, layer.style

    def made(kind: type[hv.Element], names: Sequence[str], *dimensions: object) -> hv.Element:
        return kind(tuple(columns[name] for name in names), *dimensions, label=layer.name)

    look = {name: style[name] for name in LOOKS if name in style}
    if layer.kind in ("line", "segments"):
        look = {"color": style["color"], "line_width": style["width"]}
        look |= {"line_dash": style["dash"] or "solid", "line_alpha": style["alpha"]}
    if layer.kind == "line":
        return made(hv.Curve, ("x", "y"), *dims).opts(**look)
    if layer.kind == "points":
        several = [name for name in ("color", "marker") if name in columns]
        look |= {"color": "color", "marker": style["marker"], "size": style["size"]}
        look |= {name: name for name in several}
        if style["marker"] == "dash":
            look |= {"angle": 90, "line_color": "color"}
        return made(hv.Scatter, ("x", "y", *several), dims[0], [dims[1], *several]).opts(**look)
    if layer.kind == "texts":
        look = {"text_color": "color", "text_font_size": "12px"}
        look |= {"text_align": style["align"], "text_baseline": style["baseline"]}
        return made(hv.Labels, ("x", "y", "text", "color"), dims, ["text", "color"]).opts(**look)
    ends = [hv.Dimension(f"{dim.name}_{end}") for end in (0, 1) for dim in dims]
    kind = hv.Segments if layer.kind == "segments" else hv.Rectangles
    return made(kind, CORNERS, ends).opts(**look)


def _leaders(layer: Layer, picture: Picture) -> list[hv.Element]:
    """Lines that lead to the texts of a layer, where there are such."""
    columns = layer.columns
    if "from_x" not in columns:
        return []
    ends = [hv.Dimension(f"{dim.name}_{end}") for end in (0, 1) for dim in _dimensions(picture)]
    led = np.isfinite(columns["from_x"])
    data = tuple(columns[name][led] for name in ("from_x", "from_y", "x", "y", "color"))
    return (
        [hv.Segments(data, ends, "color").opts(color="color", line_width=0.8)] if led.any() else []
    )


def _background(axis: Axis) -> list[hv.Element]:
    """A grey gutter for 0, and a line where the scale changes."""
    elements: list[hv.Element] = []
    if axis.scale is not None and axis.scale.gutter is not None:
        elements.append(hv.VSpan(*axis.scale.gutter).opts(color=GUTTER, alpha=1))
    if axis.scale is not None and axis.scale.kink is not None:
        dotted = {"color": GHOST, "line_width": 1, "line_dash": "dotted"}
        elements.append(hv.VLine(axis.scale.kink).opts(**dotted))
    return elements


def _ticks(side: str, axis: Axis) -> dict[str, object]:
    """Options that draw the ticks, where they are not left to HoloViews."""
    if axis.ticks is not None:  # a list without any is not understood
        return {f"{side}ticks": list(axis.ticks.items()) or FixedTicker(ticks=[])}
    if axis.scale is not None:
        return {f"{side}ticks": ticker(axis.scale), f"{side}formatter": formatter(axis.scale)}
    return {}


__all__ = ["overlay", "show_in_cells"]
