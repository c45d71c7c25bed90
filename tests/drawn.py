"""What a Bokeh figure draws, layer by layer, and whether that is what a picture says."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import GlyphRenderer, MultiLine

from tapviz.draw.picture import Layer, Picture

FIELDS = {
    "Line": {"x": "x", "y": "y"},
    "Scatter": {"x": "x", "y": "y", "color": "fill_color"},
    "Segment": {"x0": "x0", "y0": "y0", "x1": "x1", "y1": "y1"},
    "Quad": {"x0": "left", "y0": "bottom", "x1": "right", "y1": "top"},
    "Text": {"x": "x", "y": "y", "text": "text", "color": "text_color"},
}
"""By glyph, the property that draws a column of a layer."""


def renderers(figure: Any) -> dict[str, GlyphRenderer]:
    """What draws each layer, by the layer's name: lines may have one in common.

    Lines that lead to texts, which have no name of their own, are left out.
    """
    return {
        name: one
        for one in figure.renderers
        if isinstance(one, GlyphRenderer) and (one.name or isinstance(one.glyph, MultiLine))
        for name in one.data_source.data.get("layer", [one.name])
    }


def layers(figure: Any) -> dict[str, dict[str, Any]]:
    """Columns of each layer, as its glyph draws them, and all else that its source holds.

    Lines have the columns x and y, and their color, width, dash and alpha. Empty texts, which keep
    a layer of texts from getting shorter, are left out.
    """
    found: dict[str, dict[str, Any]] = {}
    for name, renderer in renderers(figure).items():
        glyph, data = renderer.glyph, renderer.data_source.data
        assert len({len(values) for values in data.values()}) == 1, name
        if isinstance(glyph, MultiLine):
            at = list(data["layer"]).index(name)
            x, y = data[glyph.xs][at], data[glyph.ys][at]
            style = {
                key: data[getattr(glyph, f"line_{key}")][at]
                for key in ("color", "width", "dash", "alpha")
            }
            found[name] = {"x": x, "y": y, **style}
            if "thresholds" in data:  # without those that are undefined, at the end
                known = list(data["thresholds"][at])
                found[name]["threshold"] = known + [np.nan] * (len(x) - len(known))
            continue
        fields = {
            column: getattr(glyph, field) for column, field in FIELDS[type(glyph).__name__].items()
        }
        columns = {key: data[field] for key, field in fields.items()}
        columns |= {key: data[key] for key in data.keys() - set(fields.values())}
        seen = [i for i, text in enumerate(columns.get("text", [])) if text]
        if type(glyph).__name__ == "Text":
            columns = {key: [values[i] for i in seen] for key, values in columns.items()}
        found[name] = columns
    return found


def assert_shows(figure: Any, picture: Picture) -> None:
    """Every layer of the picture is drawn, with all its columns and its looks."""
    found = layers(figure)
    assert list(found) == [layer.name for layer in picture.layers]
    for layer in picture.layers:
        for key, values in layer.columns.items():
            assert same(found[layer.name][key], values), (layer.name, key)
        _assert_looks(layer, found[layer.name], renderers(figure)[layer.name])


def _assert_looks(layer: Layer, columns: dict[str, Any], renderer: GlyphRenderer) -> None:
    style, glyph = layer.style, renderer.glyph
    assert (renderer.level == "overlay") == layer.moving, layer.name
    if layer.kind == "line":
        seen = {key: columns[key] for key in style}
        assert seen == {**style, "dash": list(style["dash"])}, layer.name
    if layer.kind == "segments":
        assert (glyph.line_color, glyph.line_width) == (style["color"], style["width"])
        assert (glyph.line_dash, glyph.line_alpha) == (list(style["dash"]), style["alpha"])
    if layer.kind == "boxes":
        assert (glyph.fill_color, glyph.fill_alpha) == (style["color"], style["fill_alpha"])
        assert (glyph.line_color, glyph.line_alpha) == (style["line_color"], style["line_alpha"])
    if layer.kind == "points":
        marker = "marker" if "marker" in layer.columns else style["marker"]
        assert (glyph.marker, glyph.size) == (marker, style["size"])
        assert glyph.fill_alpha == style["fill_alpha"]
        edge = "color" if style["marker"] == "dash" else style["line_color"]
        assert glyph.line_color == edge, layer.name
    if layer.kind == "texts":
        assert (glyph.text_align, glyph.text_baseline) == (style["align"], style["baseline"])
    if layer.kind == "readout":
        assert glyph.line_alpha == 0


def same(one: Any, other: Any) -> bool:
    """Whether two columns are equal; NaN equals NaN."""
    one, other = np.asarray(one), np.asarray(other)
    if one.size != other.size:
        return False
    if other.dtype.kind == "f":
        return np.array_equal(one.astype(np.float64), other, equal_nan=True)
    return bool(one.tolist() == other.tolist())
