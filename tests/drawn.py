"""Pictures of small results in every state, and whether a Bokeh figure draws what they say."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from bokeh.models import GlyphRenderer, MultiLine

from tapviz import Explorer, RetrievalLists
from tapviz.draw.picture import CORNERS, Columns, Layer, Picture
from tapviz.draw.scale import ThresholdAxis
from tapviz.plots import PLOTS, Plot, PlotData, plots_for
from tapviz.plots.save import complete
from tests.strategies import rebuilt, seeded_lists

FIELDS = {
    "Line": {"x": "x", "y": "y"},
    "Scatter": {"x": "x", "y": "y", "color": "fill_color"},
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


def contrast(one: str, other: str) -> float:
    """How far apart two colours are, by WCAG 2."""

    def luminance(color: str) -> float:
        parts = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def assert_shows(figure: Any, picture: Picture) -> None:
    """Every layer of the picture is drawn, with all its columns and its looks.

    One that nothing chosen gives an item may be left out.
    """
    found = layers(figure)
    drawn = [layer for layer in picture.layers if layer.wanted or layer.name in found]
    assert not any(layer.moving for layer in picture.layers if layer.kind == "segments")
    assert list(found) == [layer.name for layer in drawn]
    assert all(not layer.size for layer in picture.layers if not layer.wanted)
    for layer in drawn:
        columns, seen = layer.columns, found[layer.name]
        if layer.kind == "segments":
            columns = _with_gaps(columns)
        for key, values in columns.items():
            assert same(seen[key], values), (layer.name, key)
        _assert_looks(layer, seen, renderers(figure)[layer.name])


def _with_gaps(segments: Columns) -> Columns:
    """Segments as one line."""
    x0, y0, x1, y1 = (segments[corner] for corner in CORNERS)
    gap = np.full(x0.size, np.nan)
    ends = {"x": [x0, x1, gap], "y": [y0, y1, gap]}
    return {axis: np.column_stack(places).ravel() for axis, places in ends.items()}


def _assert_looks(layer: Layer, columns: dict[str, Any], renderer: GlyphRenderer) -> None:
    style, glyph = layer.style, renderer.glyph
    assert (renderer.level == "overlay") == layer.moving, layer.name
    if layer.kind in ("line", "segments"):
        seen = {key: columns[key] for key in style}
        assert seen == {**style, "dash": list(style["dash"])}, layer.name
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


Results = Mapping[str, RetrievalLists]


class Made(NamedTuple):
    picture: Picture
    text: str

    @property
    def columns(self) -> Mapping[str, Columns]:
        return self.picture.columns


def made(plot: str, results: Results, *, k: int = 1, **choices: Any) -> Made:
    """A plot under some choices, without what takes seconds."""
    data = PlotData(Explorer(dict(results), k=k, **choices))
    return Made(PLOTS[plot].picture(data), PLOTS[plot].text(data))


def axis_of(results: Results) -> ThresholdAxis:
    """The axis of thresholds of results."""
    return PlotData(Explorer(dict(results))).axis


def two(**more: Any) -> dict[str, RetrievalLists]:
    """By hand in tests. A: R0 I0 R1e-9 | I1e-9 R1e-3 | empty. B: I1e-5 R1 | empty | empty."""
    rest = {"query": ["q1", "q2", "q3"], **more}
    a = ([0.0, 0.0, 1e-9, 1e-9, 1e-3], [True, False, True, False, True], [0, 3, 5, 5])
    b = ([1e-5, 1.0], [False, True], [0, 2, 2, 2])
    return {name: RetrievalLists(*of, [2, 1, 4], **rest) for name, of in (("A", a), ("B", b))}


def single(scores: list[float], relevant: list[int], total: int, **more: Any) -> Results:
    """One query of one algorithm."""
    return {"A": RetrievalLists(scores, relevant, [0, len(scores)], [total], **more)}


def descending() -> Results:
    """Two queries whose largest scores are the best."""
    scores, relevant = [90.0, 50.0, 20.0, 60.0, 10.0], [True, False, True, False, True]
    return {"A": RetrievalLists(scores, relevant, [0, 3, 5], [2, 1], direction="descending")}


def seeded(*seeds: int) -> Results:
    """Algorithms with different lists of as many queries, q0 to q11."""
    found = [seeded_lists(seed, n_queries=12) for seed in seeds]
    total = np.max([one.n_relevant for one in found], axis=0)
    more = {"weight": found[0].weight, "query": [f"q{at}" for at in range(12)]}
    of = zip(seeds, found, strict=True)
    return {f"algorithm {seed}": rebuilt(one, n_relevant=total, **more) for seed, one in of}


STATES: dict[str, tuple[Callable[[], Results], dict[str, Any]]] = {
    "zeros": (two, {}),
    "F known": (lambda: two(n_irrelevant=[10, 20, 30]), {}),
    "weights": (lambda: two(weight=[1.0, 5.0, 0.5]), {}),
    "subset": (two, {"query_text": "q1|q3"}),
    "subset of one": (two, {"query_text": "q1"}),
    "no query": (two, {"query_text": "none"}),
    "one algorithm": (two, {"algorithms": ["B"]}),
    "focus is hidden": (two, {"algorithms": ["B"], "focus_algorithm": "A"}),
    "no algorithm": (two, {"algorithms": []}),
    "not reached": (two, {"k": 9}),
    "by E-value": (two, {"mode": "e0", "e0": 0.0}),
    "descending": (descending, {}),
    "one query": (lambda: single([1e-8, 1e-2, 3.0], [1, 0, 0], 1), {}),
    "one query, descending": (
        lambda: single([90.0, 50.0, 20.0], [1, 0, 1], 2, direction="descending"), {}
    ),
    "negative scores": (lambda: single([-5.0, -1.0, 2.0], [1, 0, 0], 1), {}),
    "empty lists": (lambda: single([], [], 3), {}),
    "one error": (lambda: single([0.1], [0], 1), {}),
    "one zero": (lambda: single([0.0], [1], 1), {}),
    "zero errors": (lambda: single([0.0, 0.0], [0, 0], 1), {}),
    "no relevant": (lambda: single([1e-9, 1.0], [0, 0], 0), {}),
    "long ascending": (lambda: seeded(0, 2), {"k": 3}),
    "long descending": (lambda: seeded(1, 3), {"k": 3, "query_text": "q(0|2|4|6|8|10)$"}),
}  # fmt: skip
"""Results and choices, which every plot that can be shown for them must stand."""


def quick(explorer: Explorer, *plots: Plot) -> PlotData:
    some = explorer.compared_names and explorer.selection.n_queries
    compared = explorer.compared(n_resamples=100) if some else None
    return complete(explorer, *plots, compared=compared)


@cache
def state(name: str) -> dict[str, Made]:
    results, choices = STATES[name]
    explorer = Explorer(dict(results()), **{"k": 1, **choices})
    plots = plots_for(explorer)
    data = quick(explorer, *plots)
    return {plot.name: Made(plot.picture(data), plot.text(data)) for plot in plots}
