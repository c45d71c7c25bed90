"""The plots: what each layer holds, as data, and that every picture can be drawn."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import Explorer
from tapviz.draw.bokeh import BokehPicture
from tapviz.draw.picture import Picture
from tapviz.draw.scale import KINK, ThresholdAxis
from tapviz.draw.style import COLORS, DASHES, number, styles, tick_label
from tapviz.lists import RetrievalLists
from tapviz.plots import PLOTS, PlotData, columns, epq, plots_for
from tapviz.plots.names import NAME_GAP
from tapviz.plots.save import complete
from tapviz.scores import SCORES
from tests.drawn import assert_shows

SEVERAL = re.compile(
    r"(?<![\d.,])(?<!and )1 (pooled )?(errors|queries|lists|records|classes|hits|runs)\b"
)


def zeros() -> dict[str, RetrievalLists]:
    """Worked by hand below. A: R0 I0 R1e-9 | I1e-9 R1e-3 | empty. B: all one query's, worse."""
    return {
        "A": RetrievalLists(
            [0.0, 0.0, 1e-9, 1e-9, 1e-3],
            [True, False, True, False, True],
            [0, 3, 5, 5],
            [2, 1, 4],
            query=["q1", "q2", "q3"],
        ),
        "B": RetrievalLists(
            [1e-5, 1.0], [False, True], [0, 2, 2, 2], [2, 1, 4], query=["q1", "q2", "q3"]
        ),
    }


def descending() -> dict[str, RetrievalLists]:
    return {
        "A": RetrievalLists(
            [90.0, 50.0, 20.0, 60.0, 10.0],
            [True, False, True, False, True],
            [0, 3, 5],
            [2, 1],
            direction="descending",
        )
    }


def one_query() -> dict[str, RetrievalLists]:
    return {"A": RetrievalLists([1e-8, 1e-2, 3.0], [True, False, False], [0, 3], [1])}


CASES: dict[str, Any] = {
    "zeros": lambda: Explorer(zeros(), k=1),
    "descending": lambda: Explorer(descending(), k=1),
    "one query": lambda: Explorer(one_query(), k=1),
    "no query": lambda: Explorer(zeros(), query_text="none"),
    "subset": lambda: Explorer(zeros(), k=1, query_text="q1"),
    "not reached": lambda: Explorer(zeros(), k=9),
    "by E-value": lambda: Explorer(zeros(), mode="e0", e0=0.0),
    "no algorithm": lambda: Explorer(zeros(), algorithms=[]),
    "empty lists": lambda: Explorer({"A": RetrievalLists([], [], [0, 0], [3])}),
    "one record": lambda: Explorer({"A": RetrievalLists([0.1], [False], [0, 1], [1])}, k=1),
    "one zero": lambda: Explorer({"A": RetrievalLists([0.0], [True], [0, 1], [1])}, k=1),
    "no relevant": lambda: Explorer({"A": RetrievalLists([1e-9, 1], [0, 0], [0, 2], [0])}, k=1),
    "negative scores": lambda: Explorer(
        {"A": RetrievalLists([-5.0, -1.0, 2.0], [1, 0, 0], [0, 3], [1])}, k=1
    ),
}  # fmt: skip


def picture(explorer: Explorer, plot: str) -> Picture:
    return PLOTS[plot].picture(PlotData(explorer))


def drawn_columns(explorer: Explorer, plot: str) -> Any:
    return picture(explorer, plot).columns


# --- every picture ---------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_every_picture_is_drawn_and_its_glyphs_carry_the_columns(case: str) -> None:
    explorer = CASES[case]()
    for plot in plots_for(explorer):
        shown = plot.picture(complete(explorer, plot))
        figure = BokehPicture(shown).figure
        assert_shows(figure, shown)
        assert figure.xaxis[0].axis_label
        assert figure.yaxis[0].axis_label
        for held in (figure.x_range, figure.y_range):
            assert np.isfinite([held.start, held.end]).all()
            assert held.start != held.end


@pytest.mark.parametrize("case", CASES)
def test_columns_of_a_layer_have_one_length_and_axes_are_finite(case: str) -> None:
    explorer = CASES[case]()
    for plot in plots_for(explorer):
        shown = plot.picture(complete(explorer, plot))
        for name, data in shown.columns.items():
            assert len({values.size for values in data.values()}) == 1, name
        assert np.isfinite([shown.x.start, shown.x.end, shown.y.start, shown.y.end]).all()
        assert shown.y.start < shown.y.end
        text = plot.text(complete(explorer, plot))
        assert text
        assert "nan" not in text


@pytest.mark.parametrize("case", CASES)
def test_one_thing_is_never_written_as_several(case: str) -> None:
    explorer = CASES[case]()
    for plot in plots_for(explorer):
        if plot.name.startswith("difference"):  # counts of wins, ties and losses
            continue
        data = complete(explorer, plot)
        columns = [held for layer in plot.picture(data).layers for held in layer.columns.values()]
        shown = [text for held in columns if held.dtype.kind in "OU" for text in held.tolist()]
        assert [words for words in (plot.text(data), *shown) if SEVERAL.search(words)] == []


def test_of_an_even_number_of_queries_the_median_is_the_upper_one_and_called_so() -> None:
    """One query has two errors, the other none: half of the queries have at least two."""
    lists = RetrievalLists([1.0, 2.0], [False, False], [0, 2, 2], [1, 1])
    explorer = Explorer({"A": lists}, mode="e0", e0=2.0)
    readouts = {
        plot: drawn_columns(explorer, plot)["readout"]["text"][-1] for plot in ("tap", "epq")
    }
    assert "(EPQ upper median 2, mean 1)" in readouts["tap"]
    assert "upper median 2, Q3" in readouts["epq"]
    explorer = Explorer({"A": lists.subset([True, False])}, mode="e0", e0=2.0)
    assert "(EPQ median 2, mean 2)" in drawn_columns(explorer, "tap")["readout"]["text"][-1]
    (column,) = (one for one in SCORES if one.name == "median_epq")
    assert "upper one of the two" in column.description.partition(". ")[0]  # which its head shows


# --- TAP --------------------------------------------------------------------------------------


def test_tap_columns_of_lists_with_zeros() -> None:
    explorer = Explorer(zeros(), k=1)
    axis = PlotData(explorer).axis
    columns = drawn_columns(explorer, "tap")
    drawn = columns["curve A"]
    # At E = 0: q1 has R I, T = 2: (1 + 1/2) / 3; q2 and q3 retrieve nothing.
    assert drawn["x"][0] == axis.zero
    assert drawn["y"][0] == pytest.approx((1.5 / 3) / 3)
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
    at = ((1 + 2 / 3 + 2 / 3) / 3 + 0) / 3
    assert columns["threshold"]["y"] == pytest.approx([at])
    assert columns["threshold"]["color"].tolist() == [COLORS[0]]  # B does not reach it
    assert columns["line"]["x"].size == 0
    assert sorted(columns["name"]["text"].tolist()) == ["A", "B"]
    assert columns["ghost"]["x"].size == 0
    assert np.isfinite(drawn["y"]).all()


def test_tap_read_out_names_all_algorithms_and_the_zero() -> None:
    columns = drawn_columns(Explorer(zeros(), k=1), "tap")
    text = columns["readout"]["text"]
    assert text[0].startswith("E = 0 as reported (below the program's smallest)<br>")
    assert text[0].count("<b>A</b> TAP 0.167 (EPQ median 0, mean 0.333)") == 1
    assert all(part.count("<br>") == 2 for part in text)
    assert text[1] == text[0]  # in the margin and at its place
    assert not any(part.startswith("E = 0") for part in text[2:])


def test_names_in_a_read_out_are_escaped() -> None:
    lists = zeros()["A"]
    columns = drawn_columns(Explorer({"<img src=x>": lists}, k=1), "tap")
    assert "<img" not in columns["readout"]["text"][0]
    assert "&lt;img src=x&gt;" in columns["readout"]["text"][0]


def test_tap_line_at_a_common_threshold() -> None:
    explorer = Explorer(zeros(), mode="e0", e0=0.0)
    axis = PlotData(explorer).axis
    columns = drawn_columns(explorer, "tap")
    assert columns["line"]["x"].tolist() == [axis.zero] * 2
    assert columns["threshold"]["x"].tolist() == [axis.zero] * 2
    assert columns["threshold"]["y"] == pytest.approx([0.5 / 3, 0])


def test_tap_of_descending_scores_runs_from_strict_to_loose() -> None:
    explorer = Explorer(descending(), k=1)
    assert PlotData(explorer).axis.descending
    shown = picture(explorer, "tap")
    drawn = shown.columns["curve A"]
    assert (drawn["x"][0], drawn["x"][-1]) == (90, 10)
    assert drawn["y"][0] == pytest.approx((1 + 1) / 3 / 2)  # q1 has its first, q2 nothing
    assert (np.diff(drawn["x"]) <= 0).all()
    figure = BokehPicture(shown).figure
    assert figure.x_range.start > figure.x_range.end  # strictest left


def test_hidden_algorithm_is_an_empty_layer() -> None:
    explorer = Explorer(zeros(), k=1)
    before = drawn_columns(explorer, "tap")
    explorer.algorithms = ["B"]
    after = drawn_columns(explorer, "tap")
    assert set(after) == set(before)
    assert after["curve A"]["x"].size == 0
    assert after["curve B"]["y"].tolist() == before["curve B"]["y"].tolist()
    assert after["name"]["color"].tolist() == [COLORS[1]]


def test_ghosts_are_the_whole_set() -> None:
    explorer = Explorer(zeros(), k=1)
    whole = drawn_columns(explorer, "tap")["curve A"]["y"]
    explorer.query_text = "q1"
    columns = drawn_columns(explorer, "tap")
    ghost = columns["ghost"]["y"]
    assert np.isin(whole[[0, -1]], ghost).all()
    assert np.isnan(ghost).sum() == 2  # a gap after each curve
    assert columns["curve A"]["y"][0] == pytest.approx(0.5)
    for plot in ("precision_recall", "roc"):
        assert drawn_columns(explorer, plot)["ghost"]["x"].size


# --- precision and recall --------------------------------------------------------------------


def test_precision_recall_columns() -> None:
    columns = drawn_columns(Explorer(zeros(), k=1), "precision_recall")
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
    # B, which is not cut, has its name at the end of its line.
    assert columns["end name"]["text"].tolist() == ["A", "B"]
    assert columns["end name"]["x"][1] > 1


def test_precision_recall_ticks_lie_on_the_line() -> None:
    columns = drawn_columns(Explorer(zeros(), k=1), "precision_recall")
    label = columns["tick label"]
    assert label["text"].size
    assert set(label["color"]) == {COLORS[0]}
    assert label["x"] == pytest.approx(np.unique(label["x"]))
    for x, y in zip(label["x"], label["y"], strict=True):
        assert y == pytest.approx(np.interp(x, columns["rest A"]["x"], columns["rest A"]["y"]))


# --- errors per query ------------------------------------------------------------------------


def test_epq_height_has_a_zero() -> None:
    assert epq.height([0, 9, 999]).tolist() == [0, 1, 3]


def test_epq_columns() -> None:
    explorer = Explorer(zeros(), k=1)
    shown = picture(explorer, "epq")
    columns = shown.columns
    assert columns["median"]["x"][0] == PlotData(explorer).axis.zero
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


def test_epq_without_a_threshold_has_no_line() -> None:
    columns = drawn_columns(Explorer(zeros(), k=9), "epq")
    for name in ("line", "level", "mark"):
        assert columns[name]["x"].size == 0


def test_epq_of_another_algorithm() -> None:
    explorer = Explorer(zeros(), k=1)
    explorer.focus_algorithm = "B"
    columns = drawn_columns(explorer, "epq")
    assert set(columns["name"]["color"]) == {COLORS[1]}
    assert "<b>B</b>" in columns["readout"]["text"][0]
    assert columns["mark"]["x"].size == 0


# --- ROC_n ------------------------------------------------------------------------------------


def test_roc_columns() -> None:
    columns = drawn_columns(Explorer(zeros(), k=1, n=3), "roc")
    own, pooled = columns["average A"], columns["pooled A"]
    assert own["x"][0] == 1
    assert own["x"][-1] == 1000
    # Before the first error: q1 half of its tie, 0.5 of 2; q2 none of 1; q3 nothing of 4.
    assert own["y"][0] == pytest.approx((0.25 + 0 + 0) / 3)
    assert own["y"][-1] == pytest.approx((1 + 1 + 0) / 3)
    # The pool: R I tied at 0, R I tied at 1e-9, R; of 7.
    assert pooled["y"][:2] == pytest.approx([0.5 / 7, 1.5 / 7])
    assert pooled["y"][-1] == pytest.approx(3 / 7)
    assert columns["line"]["x"].tolist() == [3, 3]
    assert columns["readout"]["text"][0].startswith("found before error 1<br>")


@pytest.mark.parametrize("plot", ["tap", "epq", "coverage", "calibration", "roc", "order"])
def test_a_read_out_begins_in_the_margin_of_the_axis(plot: str) -> None:
    shown = picture(Explorer(zeros(), k=1), plot)
    x = shown.columns["readout"]["x"]
    assert shown.x.start <= x[0] < x[1]
    assert (np.diff(x) > 0).all()


def test_a_line_of_empty_lists_has_its_name() -> None:
    drawn = drawn_columns(CASES["empty lists"](), "tap")
    assert drawn["name"]["text"].tolist() == ["A"]
    height = picture(CASES["empty lists"](), "tap").y.end * NAME_GAP
    assert abs(drawn["name"]["y"][0] - drawn["curve A"]["y"][-1]) <= height / 2


# --- the axis ---------------------------------------------------------------------------------


def log_axis(*, zero: bool = True) -> ThresholdAxis:
    scores = np.array([0.0, 1e-180, 3.0, 1000.0])
    return ThresholdAxis.of([scores[0 if zero else 1 :], np.zeros(0)], descending=False)


def test_axis_is_logarithmic_where_scores_span_decades() -> None:
    axis = log_axis()
    assert axis.log
    assert (axis.low, axis.high) == (1e-180, 1000)
    assert axis.position(1e-5) == pytest.approx(-5)
    assert axis.position(1e-10) == pytest.approx(KINK)
    # Below, decades begin as wide as above, and become ever narrower: a curve has no corner there.
    wide = axis.position([1e-9, 1e-10, 1e-11, 1e-12, 1e-50, 1e-51, 1e-100])
    decades = -np.diff(wide)
    assert decades[0] == pytest.approx(1)
    assert 0.8 < decades[1] < 1
    assert decades[1] > decades[2] > decades[4] > 0
    near = axis.position([1.001e-10, 1e-10, 0.999e-10])
    assert np.diff(near)[1] == pytest.approx(np.diff(near)[0], rel=0.01)
    assert axis.threshold(wide) == pytest.approx([1e-9, 1e-10, 1e-11, 1e-12, 1e-50, 1e-51, 1e-100])
    assert "compressed below 10⁻¹⁰" in axis.title


def test_zero_lies_left_of_the_smallest() -> None:
    axis = log_axis()
    assert axis.zero is not None
    assert axis.start == axis.zero < float(axis.position(1e-180))
    assert axis.position(0) == axis.zero
    assert axis.threshold(axis.zero) == 0
    assert axis.view(0)[0] < axis.zero
    assert axis.describe(0) == "E = 0 as reported (below the program's smallest)"
    assert axis.scale is not None
    assert axis.scale.kink == KINK
    assert axis.scale.gutter is not None
    left, right = axis.scale.gutter
    assert left < axis.view(0)[0]
    assert axis.zero < right < float(axis.position(1e-180))


def test_without_zeros_there_is_no_place_for_them() -> None:
    axis = log_axis(zero=False)
    assert axis.zero is None
    assert axis.scale is not None
    assert axis.scale.gutter is None
    assert axis.start == pytest.approx(float(axis.position(1e-180)))
    assert axis.position(0) == axis.start
    assert axis.grid(5)[0] == 1e-180


@given(st.floats(1e-180, 1000))
def test_position_and_threshold_are_inverse(value: float) -> None:
    axis = log_axis()
    assert float(axis.threshold(axis.position(value))) == pytest.approx(value, rel=1e-9)


@given(st.lists(st.floats(0, 1000), min_size=2))
def test_positions_keep_the_order(values: list[float]) -> None:
    values.sort()
    assert (np.diff(log_axis().position(values)) >= 0).all()


@pytest.mark.parametrize("size", [2, 5, 160, 360])
def test_grid_holds_both_ends_and_zero(size: int) -> None:
    grid = log_axis().grid(size)
    assert grid.size == size + 1
    assert (grid[0], grid[1], grid[-1]) == (0, 1e-180, 1000)
    assert (np.diff(grid) > 0).all()


def test_linear_axis() -> None:
    axis = ThresholdAxis.of([np.array([5.0, 2.0])], descending=True)
    assert not axis.log
    assert (axis.low, axis.high, axis.zero) == (5, 2, None)
    assert axis.grid(4).tolist() == [5, 4, 3, 2]
    assert axis.position(3) == axis.threshold(3) == 3
    assert axis.describe(3) == "score 3"
    assert axis.title == "score threshold"


def test_e_values_of_few_decades_are_drawn_as_they_are() -> None:
    assert not ThresholdAxis.of([np.array([0.1, 5.0])], descending=False).log
    assert not ThresholdAxis.of([np.array([-1.0, 1e9])], descending=False).log
    assert not ThresholdAxis.of([np.array([0.0])], descending=False).log
    assert ThresholdAxis.of([np.array([0.0, 5.0])], descending=False).log


def test_axis_of_nothing() -> None:
    axis = ThresholdAxis.of([np.zeros(0)], descending=False)
    assert np.isfinite([*axis.view(0.2), *axis.grid(3)]).all()


def test_ticks_get_finer_and_begin_with_zero() -> None:
    axis = log_axis()
    assert axis.scale is not None
    levels = axis.scale.levels()
    assert all(level[0] == axis.zero for level in levels)
    sizes = [len(level) for level in levels]
    assert sizes == sorted(sizes)
    for level in levels:
        assert (np.diff(level) > 0).all()
        assert level[-1] <= axis.end + 1e-9
    assert float(axis.position(1.0)) in levels[0]


def test_a_score_of_one_decade_has_ticks_of_its_own() -> None:
    axis = ThresholdAxis.of([np.array([0.0, 2.0, 5.0])], descending=False)
    assert axis.log
    assert axis.scale is not None
    assert len(axis.scale.levels()[-1]) > 3


# --- helpers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.35312, "0.353"), (0.0, "0"), (-0.5, "-0.5"), (1.234e-30, "1.2e-30"), (20.44, "20.4"),
        (123456.0, "1.2e+05"), (0.001, "0.001"), (1e-4, "0.0001"), (float("nan"), "—"),
        (float("inf"), "—"), (144.2, "144"),
    ],
)  # fmt: skip
def test_number(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-20, "10⁻²⁰"),
        (1e-2, "0.01"),
        (10, "10"),
        (1.0, "1"),
        (1e5, "10⁵"),
        (2.5, "2.5"),
        (0, "0"),
    ],
)
def test_tick_label(value: float, text: str) -> None:
    assert tick_label(value) == text


def test_looks_are_keyed_by_name() -> None:
    nine = [f"name {i}" for i in range(9)]
    looks = styles(nine)
    first = [looks[name] for name in nine[:5]]
    assert len({look.color for look in first}) == 5
    assert len({look.dash for look in first}) == 5
    assert len(set(looks.values())) == 9
    assert first[0].dash == ()
    assert first[1].dash == DASHES[1]
    assert styles(nine[:3]) == {name: looks[name] for name in nine[:3]}


def test_twenty_five_looks_are_all_different() -> None:
    assert len(set(styles([str(i) for i in range(25)]).values())) == 25


@given(st.lists(st.floats(0, 1), max_size=8))
def test_spread_keeps_distance_order_and_range(heights: list[float]) -> None:
    placed = columns.spread(heights, 0.1, 0.0, 1.0)
    assert len(placed) == len(heights)
    assert all(-1e-9 <= height <= 1 + 1e-9 for height in placed)
    assert (np.diff(np.sort(placed)) >= 0.1 - 1e-9).all()
    order = np.argsort(heights, kind="stable")
    assert (np.diff(np.array(placed)[order]) >= -1e-9).all()


def test_spread_leaves_alone_what_is_apart() -> None:
    assert columns.spread([0.9, 0.1, 0.5], 0.1, 0, 1) == pytest.approx([0.9, 0.1, 0.5], rel=1e-15)
    assert columns.spread([], 0.1, 0, 1) == []


@pytest.mark.parametrize(
    ("values", "top"),
    [([0.53], 0.6), ([0.59], 0.7), ([0.0], 0.1), ([], 1.1), ([float("nan")], 1.1), ([1.0], 1.1)],
)
def test_ceiling(values: list[float], top: float) -> None:
    assert columns.ceiling(values) == pytest.approx(top)


def test_joined_curves_have_gaps() -> None:
    data = columns.joined({"a": (np.zeros(2), np.ones(2)), "b": (np.ones(1), np.ones(1))})
    np.testing.assert_array_equal(data["x"], [0, 0, np.nan, 1, np.nan])
    assert columns.joined({})["x"].size == 0


def test_marks_leave_out_what_is_not_there() -> None:
    data = columns.mark_columns([1.0, np.nan, 3.0], [1.0, 2.0, np.inf], ["a", "b", "c"])
    assert data["x"].tolist() == [1]
    assert data["color"].tolist() == ["a"]


def test_read_out_without_algorithms() -> None:
    data = columns.readout_columns(np.arange(2.0), 0.5, ["one", "two"], {})
    # The first text answers in a margin left of its place, too.
    assert data["x"].tolist() == [-0.02, 0, 1]
    assert data["text"].tolist() == ["one", "one", "two"]
