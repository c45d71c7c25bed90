"""The plots: what each layer holds, that every picture can be drawn, and where names stand."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import Explorer, RetrievalLists, load_results
from tapviz.draw.bokeh import BokehPicture
from tapviz.draw.style import COLORS, GROUND, ink, styles
from tapviz.live.theme import shade
from tapviz.plots import PLOTS, PlotData, columns
from tapviz.plots.columns import end_names
from tapviz.plots.names import BESIDE, LETTER, NAME_GAP, Room, leader_ends, place_names, spread
from tapviz.scores import SCORES
from tests.drawn import STATES, assert_shows, contrast, descending, made, state, two

SEVERAL = re.compile(
    r"(?<![\d.,])(?<!and )1 (pooled )?(errors|queries|lists|records|classes|hits|runs)\b"
)
CURVES = ("average_roc", "coverage", "calibration", "nth_error")


@pytest.mark.parametrize("name", STATES)
def test_every_picture_is_drawn_with_all_its_columns_and_words(name):
    for plot, (shown, text) in state(name).items():
        figure = BokehPicture(shown).figure
        assert_shows(figure, shown)
        assert figure.xaxis[0].axis_label
        assert figure.yaxis[0].axis_label
        for held in (figure.x_range, figure.y_range):
            assert np.isfinite([held.start, held.end]).all()
            assert held.start != held.end
        assert np.isfinite([shown.x.start, shown.x.end]).all()
        assert shown.y.start < shown.y.end
        for layer, data in shown.columns.items():
            assert len({values.size for values in data.values()}) == 1, (plot, layer)
        assert text
        assert "nan" not in text
        words = [*(data[key] for data in shown.columns.values() for key in data), np.array([text])]
        seen = [one for held in words if held.dtype.kind in "OU" for one in held.tolist()]
        if not plot.startswith("difference"):  # which count wins, ties and losses
            assert [one for one in seen if SEVERAL.search(one)] == [], plot
        if plot in CURVES:
            assert re.fullmatch("[A-Z][^—]*\\.", text)
            _assert_inside(shown)


@pytest.mark.parametrize("dark", [False, True])
def test_words_in_pictures_can_be_read_on_both_grounds(*, dark):
    seen = {shade(ink(color), dark=dark) for color in COLORS}
    for name in STATES:
        for shown, _ in state(name).values():
            for layer in shown.layers:
                if layer.kind == "texts":
                    of = layer.columns
                    colors = of["color"][of["text"] != "■"]  # which shows a colour, and says none
                    seen |= {shade(color, dark=dark) for color in colors}
    assert len(seen) > len(COLORS)  # and other words
    for color in seen:
        assert contrast(color, GROUND if dark else "#ffffff") >= 4.5, color


OUTSIDE = {"x": ("readout",), "y": ("ideal", "chance")}
"""Layers that need not end with an axis."""


def _assert_inside(shown):
    ends = {"x": sorted((shown.x.start, shown.x.end)), "y": (shown.y.start, shown.y.end)}
    for name, data in shown.columns.items():
        for key, values in data.items():
            if values.dtype.kind != "f" or "from" in key:  # few names are led to their lines
                continue
            # Ghosts have gaps between their curves.
            assert np.isfinite(values).all() or name == "ghost", name
            if key[0] in ends and name not in OUTSIDE[key[0]]:
                (low, high), more = ends[key[0]], 1e-9 if key[0] == "x" else 0.0
                inside = (values >= low - more) & (values <= high + more)
                assert (inside | np.isnan(values)).all(), (name, key)


def test_layers_and_their_columns_are_the_same_whatever_is_chosen():
    alike = [state(name) for name, (results, _) in STATES.items() if list(results()) == ["A", "B"]]
    assert len(alike) > 10
    for plot in alike[0]:
        layers = [
            {layer.name: sorted(layer.columns) for layer in plots[plot].picture.layers}
            for plots in alike
        ]
        assert all(one == layers[0] for one in layers), plot


def test_of_an_even_number_of_queries_the_median_is_the_upper_one_and_called_so():
    """One query has two errors, the other none: half of the queries have at least two."""
    lists = RetrievalLists([1.0, 2.0], [False, False], [0, 2, 2], [1, 1])

    def said(plot, of):
        return str(made(plot, {"A": of}, mode="e0", e0=2.0).columns["readout"]["text"][-1])

    assert "(EPQ upper median 2, mean 1)" in said("tap", lists)
    assert "upper median 2, Q3" in said("epq", lists)
    assert "(EPQ median 2, mean 2)" in said("tap", lists.subset([True, False]))
    (column,) = (one for one in SCORES if one.name == "median_epq")
    assert "upper one of the two" in column.description.partition(". ")[0]  # which its head shows


@pytest.mark.parametrize("plot", ["tap", *CURVES])
def test_names_in_a_read_out_are_escaped(plot):
    texts = made(plot, {"<img src=x>": two()["A"]}).columns["readout"]["text"]
    assert not any("<img" in text for text in texts)
    assert plot == "nth_error" or "&lt;img src=x&gt;" in texts[0]


def test_tap_columns_of_lists_with_zeros():
    shown, _ = made("tap", two())
    axis, columns = shown.x.scale, shown.columns
    drawn = columns["curve A"]
    # At E = 0: q1 has R I, T = 2: (1 + 1/2) / 3; q2 and q3 retrieve nothing.
    assert (drawn["x"][0], drawn["y"][0]) == (axis.zero, pytest.approx((1.5 / 3) / 3))
    # In the end: q1 (1 + 2/3 + 2/3) / 3, q2 (1/2 + 1/2) / 2, q3 0.
    assert drawn["x"][-1] == axis.end
    end = ((1 + 4 / 3) / 3 + 1 / 2) / 3
    assert drawn["y"][-1] == pytest.approx(end)
    assert columns["peak"]["y"][0] == pytest.approx(end)
    assert columns["peak"]["x"][0] == pytest.approx(-3)
    assert columns["peak"]["x"][0] in drawn["x"]
    assert columns["peak"]["color"].tolist() == list(COLORS[:2])
    # E_1 of A: two of three lists have an error at 1e-9.
    assert columns["threshold"]["x"] == pytest.approx([-9])
    assert columns["threshold"]["y"] == pytest.approx([((1 + 2 / 3 + 2 / 3) / 3 + 0) / 3])
    assert columns["threshold"]["color"].tolist() == [COLORS[0]]  # B does not reach it
    assert columns["line"]["x"].size == 0
    assert sorted(columns["name"]["text"].tolist()) == ["A", "B"]
    assert columns["ghost"]["x"].size == 0
    assert np.isfinite(drawn["y"]).all()


def test_tap_read_out_names_all_algorithms_and_the_zero():
    text = made("tap", two()).columns["readout"]["text"]
    assert text[0].startswith("E = 0 as reported (below the program's smallest)<br>")
    assert text[0].count("<b>A</b> TAP 0.167 (EPQ median 0, mean 0.333)") == 1
    assert all(part.count("<br>") == 2 for part in text)
    assert text[1] == text[0]  # in the margin and at its place
    assert not any(part.startswith("E = 0") for part in text[2:])


def test_tap_line_at_a_common_threshold():
    shown, _ = made("tap", two(), mode="e0", e0=0.0)
    columns, zero = shown.columns, shown.x.scale and shown.x.scale.zero
    assert columns["line"]["x"].tolist() == columns["threshold"]["x"].tolist() == [zero] * 2
    assert columns["threshold"]["y"] == pytest.approx([0.5 / 3, 0])


def test_tap_of_descending_scores_runs_from_strict_to_loose():
    shown, _ = made("tap", descending())
    drawn = shown.columns["curve A"]
    assert (drawn["x"][0], drawn["x"][-1]) == (90, 10)
    assert drawn["y"][0] == pytest.approx((1 + 1) / 3 / 2)  # q1 has its first, q2 nothing
    assert (np.diff(drawn["x"]) <= 0).all()
    figure = BokehPicture(shown).figure
    assert figure.x_range.start > figure.x_range.end  # strictest left


def test_hidden_algorithm_is_an_empty_layer():
    before, after = made("tap", two()).columns, made("tap", two(), algorithms=["B"]).columns
    assert set(after) == set(before)
    assert after["curve A"]["x"].size == 0
    assert after["curve B"]["y"].tolist() == before["curve B"]["y"].tolist()
    assert after["name"]["color"].tolist() == [ink(COLORS[1])]


def test_ghosts_are_the_whole_set():
    whole = made("tap", two()).columns["curve A"]["y"]
    columns = made("tap", two(), query_text="q1").columns
    ghost = columns["ghost"]["y"]
    assert np.isin(whole[[0, -1]], ghost).all()
    assert np.isnan(ghost).sum() == 2  # a gap after each curve
    assert columns["curve A"]["y"][0] == pytest.approx(0.5)
    for plot in ("precision_recall", "roc"):
        assert made(plot, two(), query_text="q1").columns["ghost"]["x"].size


def test_precision_recall_columns():
    columns = made("precision_recall", two()).columns
    # q1: precision 1 to recall 1/2, 2/3 to 1; q2: 1/2 to 1; q3 retrieves nothing.
    rest = columns["rest A"]
    assert rest["x"].tolist() == np.linspace(0, 1, 101).tolist()
    assert rest["y"][0] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert rest["y"][-1] == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    # At E_1 = 1e-9 recall is 1 (q1), 0 (q2), 0 (q3).
    assert columns["end"]["x"] == pytest.approx([1 / 3])
    assert columns["retrieved A"]["x"][-1] == pytest.approx(1 / 3)
    assert (columns["retrieved A"]["x"] <= 1 / 3 + 1e-12).all()
    assert columns["retrieved B"]["x"].size == 0
    assert columns["name"]["text"].tolist() == ["A", "B"]
    assert (columns["name"]["x"] > 1).all()


def test_precision_recall_ticks_lie_on_the_line():
    columns = made("precision_recall", two()).columns
    label = columns["tick label"]
    assert label["text"].size
    assert set(label["color"]) == {ink(COLORS[0])}
    assert label["x"] == pytest.approx(np.unique(label["x"]))
    for x, y in zip(label["x"], label["y"], strict=True):
        assert y == pytest.approx(np.interp(x, columns["rest A"]["x"], columns["rest A"]["y"]))


def test_epq_columns():
    shown, _ = made("epq", two())
    columns = shown.columns
    assert columns["median"]["x"][0] == (shown.x.scale and shown.x.scale.zero)
    # Errors of q1, q2, q3 at 0: 1, 0, 0; from 1e-9 on: 1, 1, 0.
    assert columns["mean"]["y"][0] == pytest.approx(np.log10(4 / 3))
    assert columns["median"]["y"][0] == 0
    assert columns["median"]["y"][-1] == pytest.approx(np.log10(2))
    assert columns["whisker"]["y0"].tolist() == [0] * columns["whisker"]["y0"].size
    assert columns["whisker"]["y1"] == pytest.approx([np.log10(2)] * columns["whisker"]["y1"].size)
    assert columns["mark"]["x"] == pytest.approx([-9])
    assert columns["line"]["x"] == pytest.approx([-9, -9])
    assert columns["level"]["y"] == pytest.approx([np.log10(2)] * 2)
    assert (columns["box"]["x0"] < columns["box"]["x1"]).all()
    assert shown.y.start < 0


def test_epq_without_a_threshold_has_no_line():
    columns = made("epq", two(), k=9).columns
    for name in ("line", "level", "mark"):
        assert columns[name]["x"].size == 0


def test_epq_of_another_algorithm():
    columns = made("epq", two(), focus_algorithm="B").columns
    assert set(columns["name"]["color"]) == {ink(COLORS[1])}
    assert "<b>B</b>" in columns["readout"]["text"][0]
    assert columns["mark"]["x"].size == 0


def test_roc_columns():
    columns = made("roc", two(), n=3).columns
    own, pooled = columns["average A"], columns["pooled A"]
    assert (own["x"][0], own["x"][-1]) == (1, 1000)
    # Before the first error: q1 half of its tie, 0.5 of 2; q2 none of 1; q3 nothing of 4.
    assert own["y"][0] == pytest.approx((0.25 + 0 + 0) / 3)
    assert own["y"][-1] == pytest.approx((1 + 1 + 0) / 3)
    # The pool: R I tied at 0, R I tied at 1e-9, R; of 7.
    assert pooled["y"][:2] == pytest.approx([0.5 / 7, 1.5 / 7])
    assert pooled["y"][-1] == pytest.approx(3 / 7)
    assert columns["line"]["x"].tolist() == [3, 3]
    assert columns["readout"]["text"][0].startswith("found before error 1<br>")


@pytest.mark.parametrize("plot", ["tap", "epq", "coverage", "calibration", "roc", "order"])
def test_a_read_out_begins_in_the_margin_of_the_axis(plot):
    shown = made(plot, two()).picture
    x = shown.columns["readout"]["x"]
    assert shown.x.start <= x[0] < x[1]
    assert (np.diff(x) > 0).all()


def test_a_line_of_empty_lists_has_its_name():
    shown = state("empty lists")["tap"].picture
    drawn, height = shown.columns, shown.y.end * NAME_GAP
    assert drawn["name"]["text"].tolist() == ["A"]
    assert abs(drawn["name"]["y"][0] - drawn["curve A"]["y"][-1]) <= height / 2


@pytest.mark.parametrize(
    ("values", "top"),
    [([0.53], 0.6), ([0.59], 0.7), ([0.0], 0.1), ([], 1.1), ([float("nan")], 1.1), ([1.0], 1.1)],
)
def test_ceiling(values, top):
    assert columns.ceiling(values) == pytest.approx(top)


def test_marks_leave_out_what_is_not_there():
    data = columns.mark_columns([1.0, np.nan, 3.0], [1.0, 2.0, np.inf], ["a", "b", "c"])
    assert (data["x"].tolist(), data["color"].tolist()) == ([1], ["a"])


def test_read_out_without_algorithms():
    data = columns.readout_columns(np.arange(2.0), 0.5, ["one", "two"], {})
    # The first text answers in a margin left of its place, too.
    assert (data["x"].tolist(), data["text"].tolist()) == ([-0.02, 0, 1], ["one", "one", "two"])


ROOM = Room(0.0, 1.35, 0.0, 1.02)
share = st.floats(0, 1, allow_subnormal=False)


@st.composite
def ends(draw, most=7):
    """Ends of lines, of which some are in one place."""
    names = draw(st.lists(st.text("MWil_3", min_size=1, max_size=18), unique=True, max_size=most))
    some = draw(st.lists(st.tuples(share, share), min_size=1, max_size=max(len(names), 1)))
    return {name: some[i % len(some)] for i, name in enumerate(names)}


@st.composite
def falling(draw):
    """A line that falls, as precision does, and may end early."""
    heights = sorted(draw(st.lists(share, min_size=2, max_size=6)), reverse=True)
    return np.linspace(0, draw(st.floats(0.1, 1)), len(heights)), np.array(heights)


def box(name, place, room):
    x, y = place
    half = NAME_GAP * room.height / 2
    return x, y - half, x + LETTER * len(name) * room.width, y + half


def overlap(one, other):
    return all(min(one[i + 2], other[i + 2]) - max(one[i], other[i]) > 1e-6 for i in range(2))


@given(ends(), st.lists(falling(), max_size=4))
def test_names_are_inside_apart_and_beside_or_led_to_their_own_line(ends, lines):
    places = place_names(ends, {name: len(name) for name in ends}, lines, ROOM)
    assert list(places) == list(ends)
    boxes = {name: box(name, place, ROOM) for name, place in places.items()}
    for name, (left, low, right, high) in boxes.items():
        assert ROOM.left <= left
        assert right <= ROOM.right + 1e-6
        assert ROOM.bottom - 1e-6 <= low < high <= ROOM.top + 1e-3, name
    assert not any(overlap(a, b) for a, b in combinations(boxes.values(), 2))
    for left, low, right, high in boxes.values():
        for x, y in ends.values():  # no mark is covered
            assert not (left < x < right and low < y < high)
    from_x, from_y = leader_ends(ends, places, ROOM)
    for (name, (x, y)), start in zip(places.items(), zip(from_x, from_y, strict=True), strict=True):
        if np.isnan(start[0]) and x <= ends[name][0]:
            beside = ends[name][0] + (BESIDE + LETTER * len(name)) * ROOM.width
            assert beside > ROOM.right or len(ends) > 1
        elif np.isnan(start[0]):
            assert abs(y - ends[name][1]) <= NAME_GAP * ROOM.height
            assert abs(x - ends[name][0]) <= 3 * BESIDE * ROOM.width
        else:
            assert start == ends[name]
            assert start[0] < x  # and does not cross the name


@given(ends(most=int(1 / NAME_GAP)))  # of more, not all have room in a column
def test_names_of_many_lines_in_one_place_do_not_touch(ends):
    places = place_names(dict.fromkeys(ends, (0.4, 0.5)), dict.fromkeys(ends, 18), [], ROOM)
    boxes = [box("x" * 18, place, ROOM) for place in places.values()]
    assert not any(overlap(a, b) for a, b in combinations(boxes, 2))


def test_a_name_far_from_others_stands_right_beside_its_line():
    places = place_names({"A": (0.2, 0.9), "B": (0.9, 0.3)}, {"A": 8, "B": 8}, [], ROOM)
    gap = BESIDE * ROOM.width
    assert places == {"A": (pytest.approx(0.2 + gap), 0.9), "B": (pytest.approx(0.9 + gap), 0.3)}
    assert np.isnan(leader_ends({"A": (0.2, 0.9), "B": (0.9, 0.3)}, places, ROOM)).all()


def test_a_name_keeps_off_another_line_if_there_is_room():
    line = (np.array([0.0, 1.0]), np.array([0.5, 0.5]))
    ((_, y),) = place_names({"A": (0.4, 0.5)}, {"A": 5}, [line], ROOM).values()
    assert abs(y - 0.5) >= NAME_GAP * ROOM.height / 2 - 1e-9
    assert abs(y - 0.5) < 0.1


def test_heights_of_more_names_than_have_room_are_even():
    assert spread([0.5] * 5, 0.4, 0.0, 1.0) == pytest.approx([0, 0.25, 0.5, 0.75, 1])


@given(st.lists(share, max_size=6), st.floats(0.01, 0.2))
def test_heights_move_as_little_as_they_can(y, gap):
    placed = np.array(spread(y, gap, -0.3, 1.3))
    order = np.argsort(y, kind="stable")
    assert (np.diff(placed[order]) >= gap - 1e-9).all()
    assert ((placed >= -0.3 - 1e-9) & (placed <= 1.3 + 1e-9)).all()
    cost = float(((placed - y) ** 2).sum())
    for i in range(len(y)):  # no name, nor all from it on, could be nearer to their lines
        for moved in (order[i : i + 1], order[i:], order[: i + 1]):
            for step in (-1e-4, 1e-4):
                other = placed.copy()
                other[moved] += step
                inside = other.min() >= -0.3 and other.max() <= 1.3
                if inside and (np.diff(other[order]) >= gap - 1e-12).all():
                    assert ((other - y) ** 2).sum() >= cost - 1e-9


def test_a_name_that_had_to_move_is_led_to_the_end_of_its_line():
    room = Room(0.0, 1.0, 0.0, 1.0)
    names = end_names(dict.fromkeys("AB", (1.0, 0.5)), styles("AB"), 1.1, room)
    assert names["y"].tolist() == pytest.approx([0.5 - NAME_GAP / 2, 0.5 + NAME_GAP / 2])
    assert np.isnan(names["from_x"]).all()
    names = end_names(dict.fromkeys("ABC", (1.0, 0.5)), styles("ABC"), 1.1, room)
    assert names["y"].tolist() == pytest.approx([0.5 - NAME_GAP, 0.5, 0.5 + NAME_GAP])
    assert names["from_x"].tolist() == pytest.approx([1.0, np.nan, 1.0], nan_ok=True)
    assert names["from_y"].tolist() == pytest.approx([0.5, np.nan, 0.5], nan_ok=True)
    early = end_names({"A": (0.4, 0.2), "B": (1.0, 0.8)}, styles("AB"), 1.1, room)
    assert early["from_x"].tolist() == pytest.approx([0.4, np.nan], nan_ok=True)


def test_no_name_is_cut_at_the_top():
    room = Room(0.0, 1.0, 0.0, 1.0)
    names = end_names(dict.fromkeys("ABC", (1.0, 1.0)), styles("ABC"), 1.1, room)
    assert max(names["y"]) + NAME_GAP / 2 <= 1 + 1e-9
    # ROC_n of the profiles, where most lines end at 1.
    shown = PLOTS["roc"].picture(PlotData(Explorer(load_results("profiles"))))
    name = shown.by_name["name"].columns
    half = NAME_GAP * (shown.y.end - shown.y.start) / 2
    assert (name["y"] + half <= shown.y.end + 1e-9).all()
    assert (name["y"] - half >= shown.y.start - 1e-9).all()


LED = [("profiles", {}), ("scope40", {"query_text": "d1qjla_"}), ("scope40", {})]


@pytest.mark.parametrize(("data", "choices"), LED)
def test_names_of_precision_and_recall_lead_to_the_ends_of_their_own_lines(data, choices):
    explorer = Explorer(load_results(data), **choices)
    columns = PLOTS["precision_recall"].picture(PlotData(explorer)).columns
    name = columns["name"]
    assert sorted(name["text"]) == sorted(explorer.shown)
    assert (name["x"] > 1).all()
    assert np.diff(np.sort(name["y"])).min() >= NAME_GAP - 1e-9
    for text, y, from_x, from_y in zip(
        *(name[key] for key in ("text", "y", "from_x", "from_y")), strict=True
    ):
        line = columns[f"rest {text}"]
        if np.isfinite(from_x):
            assert (from_x, from_y) == (line["x"][-1], line["y"][-1])
        else:
            assert y == pytest.approx(line["y"][-1], abs=NAME_GAP)
