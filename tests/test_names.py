"""Names at the ends of lines: inside the plot, apart, and beside or led to their own lines."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import Explorer, load_results
from tapviz.draw.style import styles
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.columns import end_names
from tapviz.plots.names import BESIDE, LETTER, NAME_GAP, Room, leader_ends, place_names, spread

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
    lengths = {name: len(name) for name in ends}
    places = place_names(ends, lengths, lines, ROOM)
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
    names = end_names({"A": 0.5, "B": 0.5}, styles("AB"), 1.1, (0.0, 1.0), 1.0)
    assert names["y"].tolist() == pytest.approx([0.5 - NAME_GAP / 2, 0.5 + NAME_GAP / 2])
    assert np.isnan(names["from_x"]).all()
    names = end_names(dict.fromkeys("ABC", 0.5), styles("ABC"), 1.1, (0.0, 1.0), 1.0)
    assert names["y"].tolist() == pytest.approx([0.5 - NAME_GAP, 0.5, 0.5 + NAME_GAP])
    assert names["from_x"].tolist() == pytest.approx([1.0, np.nan, 1.0], nan_ok=True)
    assert names["from_y"].tolist() == pytest.approx([0.5, np.nan, 0.5], nan_ok=True)
    early = end_names({"A": 0.2, "B": 0.8}, styles("AB"), 1.1, (0.0, 1.0), {"A": 0.4, "B": 1.0})
    assert early["from_x"].tolist() == pytest.approx([0.4, np.nan], nan_ok=True)


def test_no_name_is_cut_at_the_top():
    names = end_names(dict.fromkeys("ABC", 1.0), styles("ABC"), 1.1, (0.0, 1.0), 1.0)
    assert max(names["y"]) + NAME_GAP / 2 <= 1 + 1e-9
    # ROC_n of the profiles, where most lines end at 1.
    shown = PLOTS["roc"].picture(PlotData(Explorer(load_results("profiles"))))
    name = shown.by_name["name"].columns
    half = NAME_GAP * (shown.y.end - shown.y.start) / 2
    assert (name["y"] + half <= shown.y.end + 1e-9).all()
    assert (name["y"] - half >= shown.y.start - 1e-9).all()


@pytest.mark.parametrize(
    ("data", "choices"), [("profiles", {}), ("scope40", {"query_text": "d1qjla_"}), ("scope40", {})]
)
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
