"""Pictures: three drawers draw the same, and a change of one sends no more than what changed."""

import re
from functools import cache, partial
from importlib.resources import files
from types import SimpleNamespace

import holoviews as hv
import numpy as np
import pytest
from bokeh.document import Document
from bokeh.models import BoxAnnotation, GlyphRenderer, HoverTool, Line, Span
from matplotlib.colors import to_hex, to_rgba

from tapviz import Explorer, RetrievalLists, load_results
from tapviz.draw import matplotlib
from tapviz.draw import picture as pic
from tapviz.draw.bokeh import BokehPicture
from tapviz.draw.browser import axis_data
from tapviz.draw.holoviews import overlay
from tapviz.draw.style import COLORS, styles
from tapviz.draw.table import rows
from tapviz.lists.runs import Run
from tapviz.live.theme import shade
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.plots.columns import label_columns
from tests.decoyed import decoyed
from tests.drawn import assert_shows, layers, quick, renderers, same
from tests.strategies import even


def lists(seed, direction="ascending"):
    """Six queries of two classes; E-values have zeros."""
    rng = np.random.default_rng(seed)
    score = np.sort(10.0 ** rng.uniform(-40, 2, (6, 12)), axis=1)
    score[:2, 0] = 0
    if direction == "descending":
        score = np.sort(rng.integers(10, 300, score.shape).astype(float), axis=1)[:, ::-1]
    relevant = rng.random(score.shape) < np.linspace(0.9, 0.1, 12)
    known = {"query": [f"q{i}" for i in range(6)], "query_class": ["a"] * 3 + ["b"] * 3}
    known["run"] = Run(program="a program", version=f"v{seed}", seconds=10.0**seed)
    return even(score, relevant, 15, direction=direction, **known)


def several(*names, direction="ascending", **options):
    names = names or ("one", "two", "three")
    return Explorer({one: lists(at, direction) for at, one in enumerate(names)}, k=2, **options)


def scores():
    """Scores of queries without lists."""
    given = [{"a score": np.random.default_rng(seed).random(6)} for seed in (0, 1)]
    one, two = (RetrievalLists([], [], [0] * 7, [0] * 6, given=scores) for scores in given)
    return Explorer({"one": one, "two": two})


CASES = {
    "zeros": several,
    "subset": lambda: several(query_class="a", focus="q1"),
    "by E-value": lambda: several(mode="e0", e0=0.0, focus_algorithm="three", baseline="one"),
    "descending": lambda: several("one", "two", direction="descending"),
    "one algorithm": lambda: Explorer({"alone": lists(4)}, k=2, focus="q2"),
    "empty selection": lambda: several(query_text="none"),
    "no algorithm": lambda: several(algorithms=[]),
    "decoys": lambda: Explorer(decoyed({"BLASTP": load_results()["BLASTP"]}), query_class="a.1"),
    "scores": scores,
}
EVERY = pytest.mark.parametrize("case", CASES)


@cache
def pictures(case):
    explorer = CASES[case]()
    plots = plots_for(explorer)
    data = quick(explorer, *plots)
    return {plot.name: plot.picture(data) for plot in plots}


def bokeh(picture):
    return BokehPicture(picture, "plot")


def seen(picture):
    """Layers that print and tables have."""
    return [one for one in picture.layers if one.visible and not one.note and one.size]


def test_every_plot_has_a_picture_somewhere():
    assert {plot for case in CASES for plot in pictures(case)} == set(PLOTS)


def _assert_titles(figure, picture):
    titles = figure.xaxis[0].axis_label, figure.yaxis[0].axis_label
    assert titles == (picture.x.label, picture.y.label)


def _assert_ends(figure, picture):
    for axis, held in ((picture.x, figure.x_range), (picture.y, figure.y_range)):
        end = axis.end if axis.end != axis.start else axis.start + 1
        assert (held.start, held.end) == (axis.start, end)
        assert (held.reset_start, held.reset_end) == (held.start, held.end)


def tool_of(figure, layer):
    """What answers the mouse over a layer."""
    drawn = renderers(figure)[layer]
    (tool,) = (one for one in figure.select(HoverTool) if drawn in one.renderers)
    return tool


@EVERY
def test_bokeh_draws_every_layer_and_answers_the_mouse(case):
    for picture in pictures(case).values():
        figure, scale = bokeh(picture).figure, picture.x.scale
        assert_shows(figure, picture)
        _assert_titles(figure, picture)
        _assert_ends(figure, picture)
        below = [one for one in figure.select(BoxAnnotation) if one.level == "underlay"]
        gutters = [(one.left, one.right) for one in below]
        assert gutters == ([scale.gutter] if scale is not None and scale.gutter else [])
        kinks = [one.location for one in figure.select(Span)]
        assert kinks == ([scale.kink] if scale is not None and scale.kink is not None else [])
        answering = [one for one in picture.layers if one.tooltip or one.kind == "readout"]
        assert answering
        for layer in answering:
            tooltips = tool_of(figure, layer.name).tooltips
            assert (layer.tooltip or "@text{safe}") in tooltips
            names = set(re.findall(r"@(\w+)", tooltips))
            assert names <= set(renderers(figure)[layer.name].data_source.data)


@EVERY
def test_matplotlib_draws_what_can_be_seen(case):
    for picture in pictures(case).values():
        (axes,) = matplotlib.figure([matplotlib.Panel(picture)]).axes
        for order, layer in enumerate(picture.layers, 2):
            # But for the frame, which has places of its own in the order.
            shown = (*axes.lines, *axes.collections, *axes.texts)
            artists = [one for one in shown if one.get_zorder() == order]
            if not layer.visible or layer.note:
                assert not artists, layer.name
            else:
                _assert_printed(layer, artists)
        left, right = axes.get_xlim()
        assert (left < right) == (picture.x.start <= picture.x.end)
        scales = ["log" if axis.log else "linear" for axis in (picture.x, picture.y)]
        assert [axes.get_xscale(), axes.get_yscale()] == scales
        assert (axes.get_xlabel(), axes.get_ylabel()) == (picture.x.label, picture.y.label)


def _assert_printed(layer, artists):
    columns, style, name = layer.columns, layer.style, layer.name
    if layer.kind == "texts":
        assert [one.get_text() for one in artists] == columns["text"].tolist(), name
        assert [one.get_color() for one in artists] == [*map(to_hex, columns["color"])], name
        assert same([one.get_position()[1] for one in artists], columns["y"]), name
        if style["align"] != "left":  # those at the right may move apart
            assert same([one.get_position()[0] for one in artists], columns["x"]), name
        return
    (drawn,) = artists
    if layer.kind == "line":
        assert same(drawn.get_xydata(), np.stack([columns["x"], columns["y"]], 1)), name
        assert (drawn.get_color(), drawn.get_alpha()) == (to_hex(style["color"]), style["alpha"])
        dashes = style["dash"] * (1 + len(style["dash"]) % 2)
        point = drawn.get_linewidth() / style["width"]
        assert same(drawn._unscaled_dash_pattern[1] or [], point * np.array(dashes, float)), name
        return
    if layer.kind == "points":
        assert same(drawn.get_offsets().data, np.stack([columns["x"], columns["y"]], 1)), name
        paint = drawn.get_edgecolors() if style["marker"] == "dash" else drawn.get_facecolors()
        expected = [to_rgba(color, style["fill_alpha"]) for color in columns["color"]]
        assert np.allclose(np.reshape(paint, (-1, 4)), np.reshape(expected, (-1, 4))), name
        return
    corners = np.stack([columns[key] for key in pic.CORNERS], 1)
    if layer.kind == "segments":
        assert same(np.reshape(drawn.get_segments(), (-1, 4)), corners), name
        assert to_hex(drawn.get_colors()[0]) == to_hex(style["color"])
        assert bool(drawn.get_linestyles()[0][1]) == bool(style["dash"])
        return
    extents = [path.get_extents().get_points() for path in drawn.get_paths()]
    assert bool(extents) == bool(len(corners)), name
    if extents:
        low, high = np.array(extents).min((0, 1)), np.array(extents).max((0, 1))
        ends = corners.reshape(-1, 2, 2)
        assert np.allclose([low, high], [ends.min((0, 1)), ends.max((0, 1))]), name
        assert to_hex(drawn.get_facecolors()[0]) == to_hex(style["color"])


@EVERY
def test_holoviews_draws_what_can_be_seen(case):
    for picture in pictures(case).values():
        made = overlay(picture)
        assert isinstance(made, hv.Overlay)
        elements = {element.label: element for element in made if element.label}
        assert list(elements) == [one.name for one in seen(picture)]
        for layer in seen(picture):
            element, style = elements[layer.name], layer.style
            of = {"segments": pic.CORNERS, "boxes": pic.CORNERS}.get(layer.kind)
            of = of or ("x", "y", *EXTRA[layer.kind])
            for at, key in enumerate(of):
                assert same(element.dimension_values(at), layer.columns[key]), (layer.name, key)
            look = hv.Store.lookup_options("bokeh", element, "style").kwargs
            dash = style.get("dash", "") or ("solid" if "dash" in style else None)
            expected = {"color": style.get("color"), "line_dash": dash}
            expected["line_width"] = style.get("width")
            if layer.kind == "points":
                marker = "marker" if "marker" in layer.columns else style["marker"]
                expected = {"color": "color", "marker": marker, "size": style["size"]}
            for key, value in expected.items():
                assert value is None or look[key] == value, (layer.name, key)
        figure = hv.render(made, backend="bokeh")
        _assert_titles(figure, picture)
        for axis, held in ((picture.x, figure.x_range), (picture.y, figure.y_range)):
            assert axis.start == axis.end or (held.start, held.end) == (axis.start, axis.end)
        glyphs = [one for one in figure.renderers if isinstance(one, GlyphRenderer)]
        assert len(glyphs) >= len(seen(picture))


EXTRA = {"line": (), "points": ("color",), "texts": ("text", "color")}


def test_overlays_compose_and_take_options():
    one, other = (overlay(pictures("zeros")[plot]) for plot in ("tap", "coverage"))
    again = overlay(pictures("subset")["tap"])
    both, beside = one * again, one + other
    assert (type(both), type(beside)) == (hv.Overlay, hv.Layout)
    assert len(both) == len(one) + len(again)
    for composed in (both, beside):
        hv.render(composed, backend="bokeh")
    figure = hv.render(one.opts(width=321, xlabel="another"), backend="bokeh")
    assert (figure.width, figure.xaxis[0].axis_label) == (321, "another")
    figure = hv.render(one.opts("Curve", line_width=5), backend="bokeh")
    assert {line.line_width for line in figure.select(Line)} == {5}


@EVERY
def test_the_table_has_a_row_for_each_item_that_is_seen(case):
    for picture in pictures(case).values():
        shown = {one.name: one.size for one in seen(picture)}
        assert {name: len(cells) for name, cells in rows(picture)[1].items()} == shown


def simple(**changes):
    """Two lines in one glyph, a third that moves, and a layer of each other kind."""
    given = {"y": [1.0, 2.0], "moved": [0.0, 1.0], "names": ["a", "b"]}
    given |= {"x_end": 5.0, "y_end": 2.0, "color": COLORS[0], "tooltip": "@query", **changes}
    x, y = np.array([1.0, 2.0]), np.array(given["y"])
    colors, queries = np.array([given["color"]] * 2, np.object_), np.array(["q1", "q2"])
    dots = {"x": x, "y": y, "color": colors, "query": queries}
    names = label_columns(0.0, np.arange(len(given["names"])), given["names"], COLORS[0])
    corners = dict(zip(pic.CORNERS, (x, y, x + 1, y + 1), strict=True))
    return pic.Picture(
        (
            pic.line("first", {"x": x, "y": y}, given["color"], dash=(6, 4)),
            pic.line("second", {"x": x, "y": np.array([5.0, np.nan])}, COLORS[1], width=2),
            pic.line("cursor", {"x": np.array(given["moved"]), "y": x}, COLORS[2], moving=True),
            pic.segments("segment", corners, given["color"], dash=(2, 4)),
            pic.boxes("box", corners, given["color"], fill_alpha=0.3),
            pic.points("dot", dots, line_color=given["color"], tooltip=given["tooltip"]),
            pic.texts("name", names),
            pic.readout({"x": x, "y": y, "text": np.array(["here", "there"], np.object_)}),
        ),
        pic.Axis("x", 0.0, given["x_end"]),
        pic.Axis("y", 0.0, given["y_end"]),
    )


def changed(drawn, picture):
    """Layers of which an update replaces the columns."""

    def data():
        return {name: one.data_source.data for name, one in renderers(drawn.figure).items()}

    before = data()
    drawn.update(picture)
    return {name for name, columns in data().items() if before[name] is not columns}


def test_lines_next_to_each_other_are_one_glyph():
    by_layer = renderers(bokeh(simple()).figure)
    assert by_layer["first"] is by_layer["second"]
    assert by_layer["first"] is not by_layer["cursor"]
    assert by_layer["first"].level != by_layer["cursor"].level == "overlay"


def test_an_update_sends_only_what_changed():
    drawn = bokeh(simple())
    assert changed(drawn, simple()) == set()
    assert changed(drawn, simple(moved=[3.0, 4.0])) == {"cursor"}
    assert changed(drawn, simple(moved=[3.0, 4.0], names=["a", "c"])) == {"name"}
    assert_shows(drawn.figure, drawn.picture)


def test_an_update_of_a_served_page_sends_single_columns():
    drawn = bokeh(simple())
    document, session = Document(), SimpleNamespace()
    document._session_context = lambda: session  # as of a page that is served
    document.add_root(drawn.figure)
    by_layer = renderers(drawn.figure)
    names = ("dot", "first", "segment", "cursor")
    source, curves, segment, cursor = (by_layer[name].data_source for name in names)
    of = {}

    def note(event):
        if hasattr(event, "cols"):
            of[event.model] = set(event.cols or ())

    document.on_change(note)
    drawn.update(simple(y=[1.0, 3.0]))
    assert (of[source], of[curves]) == ({"y"}, {"ys"})
    assert cursor not in of
    of.clear()
    drawn.update(simple(y=[1.0, 3.0], color=COLORS[3]))
    assert of == {one: {"color"} for one in (source, curves, segment)}
    assert_shows(drawn.figure, drawn.picture)


def test_a_style_and_a_tooltip_follow_where_the_picture_has_another():
    drawn = bokeh(simple())
    drawn.update(simple(color=COLORS[3], tooltip="<b>@query</b>"))
    assert_shows(drawn.figure, drawn.picture)
    by_layer = renderers(drawn.figure)
    assert by_layer["box"].glyph.fill_color == COLORS[3]
    assert by_layer["dot"].glyph.line_color == COLORS[3]
    assert "<b>@query</b>" in tool_of(drawn.figure, "dot").tooltips


@pytest.mark.parametrize(
    ("name", "layer"), [("epq", "box"), ("nth_error", "bar"), ("average_roc", "band")]
)
def test_styles_follow_the_algorithm_in_detail(name, layer):
    explorer = several(focus_algorithm="one")
    drawn = bokeh(PLOTS[name].picture(PlotData(explorer)))
    explorer.focus_algorithm = "three"
    drawn.update(PLOTS[name].picture(PlotData(explorer)))
    assert_shows(drawn.figure, drawn.picture)
    color = styles(explorer.style_order)["three"].color
    assert renderers(drawn.figure)[layer].glyph.fill_color == color


def test_texts_never_get_fewer():
    drawn = bokeh(simple(names=["a", "b", "c"]))
    held = renderers(drawn.figure)["name"].data_source
    for names in (["d"], [], ["e", "f"], ["g", "h", "i", "j"], ["k"]):
        drawn.update(simple(names=names))
        most = 4 if "j" in names or names == ["k"] else 3
        assert {len(values) for values in held.data.values()} == {most}
        assert layers(drawn.figure)["name"]["text"] == names
        assert held.data["text"][len(names) :] == [""] * (most - len(names))
        assert_shows(drawn.figure, drawn.picture)


def test_axes_follow_unless_zoomed():
    drawn = bokeh(simple())
    x, y = drawn.figure.x_range, drawn.figure.y_range
    drawn.update(simple(x_end=10.0, y_end=3.0))
    assert (x.start, x.end, y.start, y.end) == (0, 10, 0, 3)
    x.start, x.end = 3, 4
    drawn.update(simple(x_end=20.0, y_end=4.0))
    assert (x.start, x.end, x.reset_start, x.reset_end) == (3, 4, 0, 20)
    assert (y.start, y.end) == (0, 4)  # not zoomed in this direction
    x.start, x.end = 0, 20
    drawn.update(simple(x_end=30.0))
    assert x.end == 30


def test_an_axis_without_length_is_drawn_with_one_and_follows():
    drawn = bokeh(simple(x_end=0.0))
    held = drawn.figure.x_range
    for x_end, end in ((0.0, 1), (5.0, 5), (0.0, 1)):
        drawn.update(simple(x_end=x_end))
        assert (held.start, held.end, held.reset_end) == (0, end, end)


def test_colours_are_those_of_the_page_and_follow_it():
    shades = {COLORS[0]: "#111111", COLORS[1]: "#222222", COLORS[2]: "#333333"}
    drawn = BokehPicture(simple(), "plot", shade=lambda color: shades.get(color, color))
    found = [layers(drawn.figure)[name]["color"] for name in ("first", "second", "dot")]
    assert found == ["#111111", "#222222", ["#111111"] * 2]
    drawn.update(simple(color=COLORS[1]))
    assert layers(drawn.figure)["first"]["color"] == "#222222"
    assert renderers(drawn.figure)["box"].glyph.fill_color == "#222222"
    drawn.repaint(str)
    assert_shows(drawn.figure, drawn.picture)


def test_dots_that_are_seen_through_are_less_so_on_a_dark_ground():
    drawn = bokeh(PLOTS["scatter"].picture(PlotData(several())))
    glyphs = [renderers(drawn.figure)[name].glyph for name in ("point", "focus")]
    light = [one.fill_alpha for one in glyphs]
    drawn.repaint(partial(shade, dark=True))
    dot, ring = glyphs
    assert light[0] < 0.5 < dot.fill_alpha < 1
    assert ring.fill_alpha == light[1] == 0  # which is empty
    drawn.repaint(partial(shade, dark=False))
    assert [one.fill_alpha for one in glyphs] == light


@pytest.mark.parametrize("change", ["ground", "style"])
def test_dashes_keep_the_colours_of_their_points(change):
    """They are nothing but edges: in the colour of the ground nobody would see them."""

    def ticks(fill_alpha):
        at = np.array([1.0, 2.0])
        place = {"x": at, "y": at, "color": np.array(COLORS[:2], np.object_)}
        tick = pic.points("tick", place, marker="dash", size=8, fill_alpha=fill_alpha)
        return pic.Picture((tick,), pic.Axis("x", 0.0, 5.0), pic.Axis("y", 0.0, 5.0))

    drawn = bokeh(ticks(1.0))
    if change == "ground":
        drawn.repaint(lambda color: color.lower())
    else:
        drawn.update(ticks(0.5))
    assert renderers(drawn.figure)["tick"].glyph.line_color == "color"


@pytest.mark.parametrize("plot", PLOTS)
def test_a_drawn_plot_takes_every_other_state(plot):
    apart = ("descending", "one algorithm", "decoys")
    found = {case: pictures(case)[plot] for case in CASES if plot in pictures(case)}
    states = [found[case] for case in found if case not in apart] or [*found.values()]
    drawn = bokeh(states[0])
    for picture in (*states, *reversed(states)):
        drawn.update(picture)
        assert_shows(drawn.figure, picture)
        _assert_ends(drawn.figure, picture)


def test_layers_that_nothing_chosen_fills_are_drawn_in_their_places_once_something_does():
    def shown(*, wanted):
        x = np.arange(2.0)[: 2 if wanted else 0]
        colors = np.array(["black"] * x.size, np.object_)
        marks = [
            pic.points(name, {"x": x, "y": x, "color": colors}, wanted=wanted)
            for name in ("first", "third")
        ]
        curve = {"x": np.arange(2.0), "y": np.arange(2.0)}
        middle, last = (pic.line(name, curve, "black") for name in ("second", "fourth"))
        along = pic.Axis("x", 0.0, 1.0)
        return pic.Picture((marks[0], middle, marks[1], last), along, along)

    def names():
        return [one.name for one in drawn.figure.renderers]

    drawn = bokeh(shown(wanted=False))
    assert names() == ["second", "fourth"]
    for wanted in (True, False):
        drawn.update(shown(wanted=wanted))
        assert names() == ["first", "second", "third", "fourth"]
        assert_shows(drawn.figure, drawn.picture)


def test_dots_of_algorithms_differ_in_shape_and_colour():
    looks = styles([f"program {i}" for i in range(20)])
    pairs = [(one.color, one.marker) for one in looks.values()]
    assert len(set(pairs)) == len(pairs)
    assert all(len({pair[of] for pair in pairs[:5]}) == 5 for of in (0, 1))
    script = files("tapviz.draw").joinpath("ink.js").read_text(encoding="utf-8")
    names = re.findall(r"^    (\w+): \(r\) =>", script, re.MULTILINE)
    assert {one.marker for one in looks.values()} <= set(names)


@pytest.mark.parametrize("case", ["zeros", "descending"])
def test_no_tick_of_a_report_lies_beyond_the_line_of_its_axis(case):
    found = set()
    for picture in pictures(case).values():
        x, told = picture.x, axis_data(picture.x)
        if x.data_end is not None:
            low, high = sorted((x.start, x.data_end))
            assert all(low <= at <= high for level in told["levels"] for at, _ in level)
            found.add(x.log)
    assert found
    for log, ends in ((False, [0.0, 4.0]), (True, [0.1, 10.0])):
        start, end = ends
        levels = axis_data(pic.Axis("x", start, 2 * end, log=log, data_end=end))["levels"]
        assert all([level[0][0], level[-1][0]] == ends for level in levels)
