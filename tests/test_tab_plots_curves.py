"""Plots of averaged ROC curves, coverage, calibration and the k-th errors of all queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tapviz import Explorer, load_results
from tapviz.draw.bokeh import BokehPicture
from tapviz.draw.picture import Picture
from tapviz.draw.scale import PowerScale, ThresholdAxis
from tapviz.draw.style import COLORS, brief
from tapviz.lists import RetrievalLists
from tapviz.measures import (
    auc,
    average_roc,
    coverage_vs_epq,
    error_threshold,
    errors_per_query,
    nth_irrelevant,
)
from tapviz.plots import PLOTS as ALL_PLOTS
from tapviz.plots import PlotData
from tapviz.plots import average_roc as roc_plot
from tapviz.plots import calibration as calibration_plot
from tapviz.plots import coverage as coverage_plot
from tapviz.plots import nth_error as nth_plot
from tests.drawn import assert_shows
from tests.strategies import any_lists, seeded_lists

PLOTS = ("average_roc", "coverage", "calibration", "nth_error")
Bench = Mapping[str, RetrievalLists]


class Shown(NamedTuple):
    """What is chosen on the page."""

    bench: Bench
    names: tuple[str, ...] | None = None
    mask: np.ndarray | None = None
    k: int = 1
    focus_algorithm: str | None = None

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(self.bench) if self.names is None else self.names

    @property
    def chosen(self) -> str:
        return self.focus_algorithm or next(iter(self.bench))

    @property
    def axis(self) -> ThresholdAxis:
        lists = self.bench.values()
        return ThresholdAxis.of(
            [one.score for one in lists], descending=next(iter(lists)).direction == "descending"
        )


def picture(plot: str, state: Shown) -> tuple[Picture, str]:
    """Picture and words of a plot, as a page makes them."""
    explorer = Explorer(dict(state.bench), k=state.k, algorithms=list(state.shown))
    explorer.focus_algorithm = state.chosen
    if state.mask is not None:
        kept = [f"^{one}$" for one in explorer.first.query[state.mask].tolist()]
        explorer.query_text = "|".join(kept) or "none of them"
    data = PlotData(explorer)
    return ALL_PLOTS[plot].picture(data), ALL_PLOTS[plot].text(data)


class Made(NamedTuple):
    columns: Mapping[str, Mapping[str, np.ndarray]]
    text: str


def made(plot: str, state: Shown) -> Made:
    """Columns of all layers, with the limits of the axes as "view", and text of a plot."""
    shown, text = picture(plot, state)
    view = {
        "x": np.array([shown.x.start, shown.x.end]),
        "y": np.array([shown.y.start, shown.y.end]),
    }
    return Made({**shown.columns, "view": view}, text)


def most_irrelevant(bench: Bench) -> int:
    """Most irrelevant records that any query retrieved."""
    query_errors = [errors_per_query(one, one.sign * np.inf) for one in bench.values()]
    return int(max(errors.max() for errors in query_errors))


def two(**more: Any) -> dict[str, RetrievalLists]:
    """Worked by hand below. A: R0 I0 R1e-9 | I1e-9 R1e-3 | empty. B: I1e-5 R1 | empty | empty."""
    rest = {"query": ["q1", "q2", "q3"], **more}
    a = ([0.0, 0.0, 1e-9, 1e-9, 1e-3], [True, False, True, False, True], [0, 3, 5, 5])
    b = ([1e-5, 1.0], [False, True], [0, 2, 2, 2])
    return {
        "A": RetrievalLists(*a, [2, 1, 4], **rest),
        "B": RetrievalLists(*b, [2, 1, 4], **rest),
    }


def single(scores: list[float], relevant: list[int], total: int, **more: Any) -> Bench:
    return {"A": RetrievalLists(scores, relevant, [0, len(scores)], [total], **more)}


def seeded(*seeds: int) -> Bench:
    """Algorithms with different lists for as many queries."""
    found = [seeded_lists(seed, n_queries=12) for seed in seeds]
    total = np.max([one.n_relevant for one in found], axis=0)
    weight, query = found[0].weight, found[0].query
    return {
        f"algorithm {seed}": RetrievalLists(
            one.score,
            one.relevant,
            one.offset,
            total,
            weight=weight,
            query=query,
            direction=one.direction,
        )
        for seed, one in zip(seeds, found, strict=True)
    }


def some(*keep: bool) -> np.ndarray:
    return np.array(keep)


CASES: dict[str, Shown] = {
    "zeros": Shown(two()),
    "F known": Shown(two(n_irrelevant=[10, 20, 30])),
    "weights": Shown(two(weight=[1.0, 5.0, 0.5])),
    "subset": Shown(two(), mask=some(True, False, True)),
    "no query": Shown(two(), mask=some(False, False, False)),
    "one algorithm": Shown(two(), names=("B",)),
    "focus_algorithm is hidden": Shown(two(), names=("B",), focus_algorithm="A"),
    "no algorithm": Shown(two(), names=()),
    "not reached": Shown(two(), k=9),
    "one query": Shown(single([1e-8, 1e-2, 3.0], [1, 0, 0], 1)),
    "descending": Shown(single([90.0, 50.0, 20.0], [1, 0, 1], 2, direction="descending")),
    "negative scores": Shown(single([-5.0, -1.0, 2.0], [1, 0, 0], 1)),
    "empty lists": Shown(single([], [], 3)),
    "one error": Shown(single([0.1], [0], 1)),
    "one zero": Shown(single([0.0], [1], 1)),
    "zero errors": Shown(single([0.0, 0.0], [0, 0], 1)),
    "no relevant": Shown(single([1e-9, 1.0], [0, 0], 0)),
    "long ascending": Shown(seeded(0, 2), k=3),
    "long descending": Shown(seeded(1, 3), k=3, mask=np.arange(12) % 2 == 0),
}


@pytest.fixture(params=CASES)
def state(request: pytest.FixtureRequest) -> Shown:
    return CASES[request.param]


# --- every plot in every state -----------------------------------------------------------------


@pytest.mark.parametrize("plot", PLOTS)
def test_every_picture_is_drawn_with_all_its_layers(state: Shown, plot: str) -> None:
    shown, text = picture(plot, state)
    figure = BokehPicture(shown).figure
    assert_shows(figure, shown)
    assert figure.xaxis[0].axis_label
    assert figure.yaxis[0].axis_label
    for held in (figure.x_range, figure.y_range):
        assert np.isfinite([held.start, held.end]).all()
        assert held.start != held.end
    assert text.endswith(".")
    assert text[0].isupper()
    assert "nan" not in text
    assert "—" not in text


@pytest.mark.parametrize("plot", PLOTS)
def test_columns_of_a_layer_fit_and_are_finite(state: Shown, plot: str) -> None:
    columns = made(plot, state).columns
    for name, data in columns.items():
        assert len({values.size for values in data.values()}) == 1, name
        # Few names are led to their lines.
        numbers = [v for key, v in data.items() if v.dtype.kind == "f" and "from" not in key]
        if name != "ghost":  # which has gaps between its curves
            assert all(np.isfinite(values).all() for values in numbers), name
    view = columns["view"]
    assert view["y"][0] < view["y"][1]
    for name, data in columns.items():
        for key in data.keys() & {"y", "y0", "y1"}:
            inside = (data[key] >= view["y"][0]) & (data[key] <= view["y"][1])
            assert (inside | np.isnan(data[key])).all() or name in ("ideal", "chance"), name
        for key in data.keys() & {"x", "x0", "x1"}:
            inside = (data[key] >= view["x"].min() - 1e-9) & (data[key] <= view["x"].max() + 1e-9)
            assert (inside | np.isnan(data[key])).all() or name == "readout", name


@pytest.mark.parametrize("plot", PLOTS)
def test_layers_are_the_same_whatever_is_chosen(plot: str) -> None:
    states = [one for one in CASES.values() if list(one.bench) == ["A", "B"]]
    assert len(states) > 5
    assert len({tuple(sorted(made(plot, one).columns)) for one in states}) == 1


@pytest.mark.parametrize("plot", PLOTS)
def test_a_drawn_plot_takes_other_columns(plot: str) -> None:
    state = Shown(seeded(0, 2, 4), k=3)
    drawn = BokehPicture(picture(plot, state)[0])
    other, _ = picture(plot, state._replace(mask=np.arange(12) < 5, names=("algorithm 2",)))
    drawn.update(other)
    assert_shows(drawn.figure, other)
    x, y = drawn.figure.x_range, drawn.figure.y_range
    assert (x.start, x.end) == (other.x.start, other.x.end)
    assert (y.start, y.end) == (other.y.start, other.y.end)


@pytest.mark.parametrize("plot", ["average_roc", "coverage", "calibration"])
def test_hiding_an_algorithm_changes_no_other(plot: str) -> None:
    state = Shown(seeded(0, 2, 4), k=3, focus_algorithm="algorithm 2")
    before = made(plot, state).columns
    after = made(plot, state._replace(names=("algorithm 2", "algorithm 4"))).columns
    assert set(after) == set(before)
    assert before["curve algorithm 0"]["x"].size
    assert after["curve algorithm 0"]["x"].size == after["curve algorithm 0"]["y"].size == 0
    for name in ("curve algorithm 2", "curve algorithm 4", "band", "ideal", "chance"):
        if name in before:
            for key, values in before[name].items():
                assert np.array_equal(values, after[name][key]), name
    colors = dict(zip(before["name"]["text"], before["name"]["color"], strict=True))
    for text, color in zip(after["name"]["text"], after["name"]["color"], strict=True):
        assert color == colors[text]
    assert "algorithm 0" in colors
    assert "algorithm 0" not in after["name"]["text"]


@pytest.mark.parametrize("plot", ["average_roc", "coverage", "calibration"])
def test_ghosts_are_the_curves_of_all_queries(plot: str) -> None:
    state = Shown(seeded(0, 2), k=3)
    whole = made(plot, state).columns
    assert whole["ghost"]["x"].size == 0
    ghost = made(plot, state._replace(mask=np.arange(12) % 3 > 0)).columns["ghost"]
    assert np.isnan(ghost["y"]).sum() == 2
    for name in state.bench:
        assert np.isin(whole[f"curve {name}"]["y"][[0, -1]], ghost["y"]).all()


@pytest.mark.parametrize("plot", PLOTS)
def test_names_in_a_read_out_are_escaped(plot: str) -> None:
    bench = {"<img src=x>": two()["A"]}
    for text in made(plot, Shown(bench)).columns["readout"]["text"]:
        assert "<img" not in text


# --- the scale of powers of ten ------------------------------------------------------------


def test_power_scale_has_a_place_for_zero() -> None:
    axis = PowerScale.of(0.001, 100.0, zero=True)
    assert axis.zero is not None
    assert axis.start == axis.zero < -3
    assert axis.position([0, 0.001, 0.01, 100]) == pytest.approx([axis.zero, -3, -2, 2])
    assert axis.position([1e-9, 1e-300]) == pytest.approx([-3, -3])  # never in the place of 0
    assert np.isnan(axis.position([-1.0, np.nan])).all()
    assert axis.grid(3) == pytest.approx([0, 0.001, 10**-0.5, 100])
    assert axis.grid(3)[-1] == 100
    assert axis.levels()[0] == pytest.approx([axis.zero, -3, -2, -1, 0, 1, 2])
    assert axis.gutter is not None
    assert axis.gutter[0] < axis.view(0)[0] < axis.zero < axis.gutter[1] < -3
    assert axis.kink is None


def test_power_scale_without_zero() -> None:
    axis = PowerScale.of(0.001, 100.0, zero=False)
    assert axis.start == pytest.approx(-3)
    assert np.isnan(axis.position(0))
    assert axis.grid(2).tolist() == [0.001, 100]
    assert axis.gutter is None
    assert axis.kink is None


def test_power_scale_is_never_shorter_than_a_decade_and_grows() -> None:
    assert PowerScale.of(2.0, 2.0, zero=False).high == 20
    axis = PowerScale.of(0.1, 5.0, zero=True)
    assert axis.reaching(3.0) == axis
    assert axis.reaching(50.0).end == pytest.approx(np.log10(50))
    assert axis.reaching(50.0).zero == axis.zero


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (1.23e-5, "1.2e-05"), (0.123, "0.12"), (21.4, "21"), (163.2, "163"),
        (9970.0, "9,970"), (-163.2, "-163"), (1.23e5, "1.2e+05"), (float("nan"), "—"),
    ],
)  # fmt: skip
def test_brief_numbers_have_two_digits_or_those_before_the_point(value: float, text: str) -> None:
    assert brief(value) == text


# --- averaged ROC --------------------------------------------------------------------------------


def test_average_roc_worked_by_hand() -> None:
    # q1: R I R with T = 2, F = 4: recall 1/2 at no error, then 1 up to the end. q2: I R with T =
    # 1, F = 4: 0, and 1 from one error of four on. The SD of 1/2 and 0 is 0.3536.
    bench = {
        "A": RetrievalLists(
            [1.0, 2.0, 3.0, 1.0, 2.0], [1, 0, 1, 0, 1], [0, 3, 5], [2, 1], n_irrelevant=[4, 4]
        )
    }
    columns, text = made("average_roc", Shown(bench))
    drawn, band = columns["curve A"], columns["band"]
    assert drawn["x"][0] == columns["view"]["x"][0] + 0.02 * (0 - drawn["x"][0])
    assert drawn["x"][1:] == pytest.approx(np.linspace(-1, 0, 80))
    assert drawn["y"][0] == pytest.approx(1 / 4)
    at_quarter = np.flatnonzero(drawn["x"] >= np.log10(0.25))
    assert drawn["y"][at_quarter] == pytest.approx(np.ones(at_quarter.size))
    half = 1.96 * np.sqrt(0.125)
    assert band["y0"][0] == 0  # 1/4 - 0.693
    assert band["y1"][0] == pytest.approx(1 / 4 + half)
    assert band["y1"][0] < 1
    assert band["x0"][0] == drawn["x"][0]
    assert band["x1"][-1] == drawn["x"][-1]
    assert np.array_equal(band["x0"][1:], band["x1"][:-1])
    assert (band["x0"] < band["x1"]).all()
    # AUC of q1: (1/2 + 3) / 4, of q2: 3/4.
    assert text == (
        "Mean AUC, and recall before the first false positive: A 0.812 and 0.25. Averaged over 2 "
        "queries with relevant and irrelevant records; beyond the end of each list: a straight "
        "line (random order)."
    )
    first = columns["readout"]["text"][0]
    assert first.startswith("false-positive rate 0<br><i>beyond the end of each list")
    assert first.endswith("<b>A</b> recall 0.250 (band 0.00 to 0.94)")


def test_average_roc_is_that_of_the_measure_at_every_rate() -> None:
    bench = seeded(0, 2, 4)
    columns = made("average_roc", Shown(bench)).columns
    axis = roc_plot.rates(most_irrelevant(bench))
    grid = axis.grid(roc_plot.GRID_SIZE)
    assert (grid[0], grid[-1], grid.size) == (0, 1, roc_plot.GRID_SIZE + 1)
    for name, lists in bench.items():
        expected = average_roc(lists, grid)
        assert np.array_equal(columns[f"curve {name}"]["y"], expected.tpr)
        assert np.array_equal(columns[f"curve {name}"]["x"], axis.position(grid))
    expected = average_roc(bench["algorithm 0"], grid)
    assert np.array_equal(columns["band"]["y0"], np.clip(expected.lower, 0, 1))
    assert np.array_equal(columns["band"]["y1"], np.clip(expected.upper, 0, 1))
    areas = {name: average_roc(lists, grid).tpr.mean() for name, lists in bench.items()}
    assert columns["name"]["text"].tolist() == sorted(areas, key=areas.get, reverse=True)
    assert (np.diff(columns["name"]["y"]) < 0).all()


def test_average_roc_says_what_the_rates_are_relative_to() -> None:
    assert "only retrieved records count" in made("average_roc", CASES["zeros"]).text
    text = made("average_roc", CASES["zeros"]).columns["readout"]["text"][0]
    assert "only retrieved records count" in text
    known = made("average_roc", CASES["F known"])
    assert "beyond the end of each list: a straight line" in known.text
    assert "beyond the end of each list: a straight line" in known.columns["readout"]["text"][0]
    mixed = {"A": two(n_irrelevant=[10, 20, 30])["A"], "B": two()["B"]}
    assert "not comparable" in made("average_roc", Shown(mixed)).text


def test_average_roc_without_a_curve_or_a_band_says_why() -> None:
    none = made("average_roc", CASES["no query"])
    assert none.text == "There is no ROC curve: there is no query."
    assert none.columns["curve A"]["x"].size == none.columns["band"]["x0"].size == 0
    assert made("average_roc", CASES["no algorithm"]).text == "No algorithm is shown."
    one = made("average_roc", CASES["one query"])
    assert one.columns["curve A"]["x"].size
    assert one.columns["band"]["x0"].size == 0
    bench = {"A": two()["A"], "B": two()["A"].subset(some(False, False, True))}
    assert (
        "B undefined (no list has a relevant record, and" in made("average_roc", Shown(bench)).text
    )


def test_band_is_that_of_the_algorithm_in_detail() -> None:
    state = Shown(seeded(0, 2))
    bands = [
        made("average_roc", state._replace(focus_algorithm=name)).columns["band"]["y1"].tolist()
        for name in state.bench
    ]
    assert bands[0] != bands[1]
    hidden = state._replace(focus_algorithm="algorithm 2", names=("algorithm 0",))
    assert made("average_roc", hidden).columns["band"]["x0"].size == 0


# --- coverage ------------------------------------------------------------------------------------


def height(columns: Mapping[str, Any], name: str, x: np.ndarray) -> np.ndarray:
    """Height of the drawn steps at positions; 0 left of them."""
    drawn = columns[f"curve {name}"]
    place = np.searchsorted(drawn["x"], x, side="right")
    return np.concatenate([[0.0], drawn["y"]])[place]


def test_coverage_worked_by_hand() -> None:
    columns, text = made("coverage", Shown(two()))
    # A, of 7 relevant records and 3 queries: at 0 R I, at 1e-9 R I, at 1e-3 R.
    drawn = columns["curve A"]
    zero = drawn["x"][0]
    third, thirds = np.log10(1 / 3), np.log10(2 / 3)
    assert zero < third
    assert drawn["x"] == pytest.approx([zero, third, third, thirds, thirds])
    assert drawn["y"] == pytest.approx([0, 0, 1 / 7, 1 / 7, 3 / 7])
    # B: an error at 1e-5, then a relevant record at the same number of errors.
    assert columns["curve B"]["x"] == pytest.approx([zero, third, third])
    assert columns["curve B"]["y"] == pytest.approx([0, 0, 1 / 7])
    # E_1 of A is 1e-9, before the last relevant record; B never reaches it.
    assert columns["threshold"]["x"] == pytest.approx([thirds])
    assert columns["threshold"]["y"] == pytest.approx([2 / 7])
    assert columns["threshold"]["color"].tolist() == [COLORS[0]]
    assert text == (
        "Share of all relevant records found at 0.1 and 1 errors per query: A 0 and 0.429 (its "
        "lists end at 0.667 errors per query); B 0 and 0.143 (its lists end at 0.333 errors per "
        "query)."
    )
    read = columns["readout"]["text"]
    assert read[0] == (
        "no error in any query<br><b>A</b> coverage 0.000, threshold —<br><b>B</b> coverage 0.000, "
        "threshold —"
    )
    assert "<b>A</b> coverage 0.429, threshold 0.001<br>" in read[-1]


def test_coverage_before_the_first_error_is_in_the_place_of_zero() -> None:
    columns = made("coverage", Shown(single([1e-9, 1e-5, 1.0], [1, 0, 1], 4))).columns
    drawn = columns["curve A"]
    assert drawn["x"] == pytest.approx([drawn["x"][0], 0, 0])
    assert drawn["x"][0] < 0
    assert drawn["y"] == pytest.approx([1 / 4, 1 / 4, 1 / 2])


@given(any_lists)
def test_drawn_coverage_is_exact_but_for_a_pixel(lists: RetrievalLists) -> None:
    curve = coverage_vs_epq(lists)
    if curve.reason or not curve.epq.size:
        return
    state = Shown({"A": lists})
    axis, thresholds = coverage_plot.errors_axis(lists.weight, {"A": curve}), state.axis
    columns = made("coverage", state).columns
    drawn = columns["curve A"]
    # A corner lies where the curve is at its threshold, or at the end of the step from there.
    places = dict(zip(thresholds.position(curve.threshold), axis.position(curve.epq), strict=True))
    at = np.array([places[one] for one in drawn["threshold"].tolist()])
    assert (drawn["x"][1:] >= at[1:]).all()
    assert np.isin(at[at > drawn["x"][0]], drawn["x"]).all()
    assert (np.diff(drawn["x"]) >= 0).all()
    assert (np.diff(drawn["y"]) >= -1e-12).all()
    assert drawn["x"][-1] == axis.position(curve.epq[-1])
    assert drawn["y"][-1] == curve.coverage[-1]
    x, pixel = axis.position(curve.epq), (axis.end - axis.start) / coverage_plot.DRAWN_POINTS
    last = np.append(np.diff(curve.epq) > 0, True)  # where the coverage at these errors ends
    assert (height(columns, "A", x + pixel) >= curve.coverage - 1e-12).all()
    assert (height(columns, "A", x - pixel)[last] <= curve.coverage[last] + 1e-12).all()


def test_coverage_of_long_lists_is_thinned_and_keeps_its_ends() -> None:
    rng = np.random.default_rng(0)
    score = np.sort(10.0 ** rng.uniform(-9, 1, (50, 40)), axis=1).ravel()
    relevant = rng.random(score.size) < np.tile(np.linspace(1, 0, 40), 50)
    lists = RetrievalLists(score, relevant, np.arange(51) * 40, [40] * 50)
    curve = coverage_vs_epq(lists)
    assert curve.epq.size > 1.5 * coverage_plot.DRAWN_POINTS
    state = Shown({"A": lists})
    drawn = made("coverage", state).columns["curve A"]
    assert drawn["x"].size <= 2 * (coverage_plot.DRAWN_POINTS + 2)
    assert drawn["y"][0] == curve.at(0)
    assert drawn["y"][-1] == curve.coverage[-1]
    assert np.isin(drawn["y"], np.append(curve.coverage, 0)).all()


@pytest.mark.parametrize("seed", range(4))
def test_coverage_at_a_threshold_counts_records(seed: int) -> None:
    lists = seeded_lists(seed)
    curve = coverage_vs_epq(lists)
    for e0 in np.quantile(lists.score, [0, 0.1, 0.5, 1]).tolist():
        inside = lists.sign * lists.score <= lists.sign * e0
        query = np.repeat(np.arange(lists.n_queries), np.diff(lists.offset))
        weight = lists.weight[query]
        epq, found = coverage_plot.at_threshold(curve, e0, descending=lists.sign < 0)
        assert epq == pytest.approx(weight[inside & ~lists.relevant].sum() / lists.weight.sum())
        total = lists.weight @ lists.n_relevant
        assert found == pytest.approx(weight[inside & lists.relevant].sum() / total)
    before = -lists.sign * np.inf
    assert coverage_plot.at_threshold(curve, before, descending=lists.sign < 0) == (0, 0)
    assert np.isnan(coverage_plot.at_threshold(curve, np.nan, descending=lists.sign < 0)).all()


def test_a_subset_with_more_errors_makes_the_axis_longer() -> None:
    few, many = [0.5], list(np.linspace(1, 2, 300))
    bench = {
        "A": RetrievalLists(
            [*few, *many], [1] + [0] * 300, [0, 1, 301] + [301] * 98, [1, 1] + [0] * 98
        )
    }
    whole = made("coverage", Shown(bench)).columns
    only = made("coverage", Shown(bench, mask=np.arange(100) == 1)).columns
    assert whole["curve A"]["x"][-1] == pytest.approx(np.log10(3))
    assert only["curve A"]["x"][-1] == pytest.approx(np.log10(300))
    assert only["view"]["x"][1] > np.log10(300)
    assert only["view"]["x"][1] > whole["view"]["x"][1]


def test_coverage_without_relevant_records_says_why() -> None:
    made_of = made("coverage", CASES["no relevant"])
    assert made_of.columns["curve A"]["x"].size == made_of.columns["threshold"]["x"].size == 0
    assert made_of.text == "There is no coverage: no query has a relevant record."
    assert made("coverage", CASES["no query"]).text == "There is no coverage: there is no query."
    nothing = made("coverage", CASES["empty lists"])
    assert "A 0 and 0 (its lists end at 0 errors per query)" in nothing.text


# --- calibration ---------------------------------------------------------------------------------


def test_calibration_worked_by_hand() -> None:
    # Four queries; errors at 0.001, 0.005, 0.5 and 2: 0.5 errors per query at 0.01, 1 at 10.
    bench = {
        "A": RetrievalLists(
            [0.001, 0.005, 0.5, 0.2, 2.0], [0, 0, 0, 1, 0], [0, 3, 4, 5, 5], [1] * 4
        )
    }
    columns, text = made("calibration", Shown(bench))
    drawn = columns["curve A"]
    decades = np.round(np.log10(drawn["x"]), 6).tolist()
    at = dict(zip(decades, drawn["y"].tolist(), strict=True))
    assert min(at) == -3  # the first E-value with an error, inclusive
    assert max(at) == 0.3  # the last of the grid before the lists end at 2
    assert at[-3.0] == pytest.approx(1 / 4)
    assert at[-2.0] == pytest.approx(2 / 4)
    assert at[0.0] == pytest.approx(3 / 4)
    assert text == ("At E = 0.01 expect 0.01 errors per query; A made 0.5 (50 ×).")
    assert columns["ideal"]["x"].tolist() == columns["ideal"]["y"].tolist()
    assert columns["ideal"]["x"] == pytest.approx([1e-6, 100])
    assert columns["name"]["text"].tolist() == ["A", "as reported"]
    assert columns["notice"]["x"].size == 0
    decades = np.round(np.log10(columns["readout"]["x"]), 6).tolist()
    text = dict(zip(decades, columns["readout"]["text"], strict=True))[-2.0]
    assert text == ("E = 0.01, the expected number of errors per query<br><b>A</b> 0.5 (50 ×)")


@pytest.mark.parametrize("seed", [0, 2, 4])
def test_calibration_counts_the_errors_at_each_e_value(seed: int) -> None:
    lists = seeded_lists(seed)
    drawn = made("calibration", Shown({"A": lists})).columns["curve A"]
    expected = {}
    for e in calibration_plot.E_VALUES:
        observed = errors_per_query(lists, e) @ lists.weight / lists.weight.sum()
        if observed > 0 and e <= lists.score.max():
            expected[e] = observed
    assert drawn["x"] == pytest.approx(list(expected))
    assert drawn["y"] == pytest.approx(list(expected.values()))


def test_grid_of_e_values_holds_powers_of_ten() -> None:
    values = calibration_plot.E_VALUES
    assert (np.diff(values) > 0).all()
    for e in (1e-6, 1e-4, 0.01, 1.0, 100.0):
        assert e in values


def test_calibration_names_what_is_as_reported_and_where_lists_end() -> None:
    exact = {"A": RetrievalLists([0.005, 20.0], [0, 0], [0, 2, *[2] * 99], [1] * 100)}
    assert "A made 0.01, as expected." in made("calibration", Shown(exact)).text
    none = made("calibration", Shown(single([1e-5, 1.0], [1, 0], 1)))
    assert "A made none." in none.text
    short = made("calibration", Shown(single([1e-5, 1e-4], [1, 0], 1)))
    assert "A made 1 (100 ×), and its lists end at E = 0.0001." in short.text
    assert short.columns["curve A"]["x"].max() == pytest.approx(1e-4)


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("descending", "these scores are no E-values: the largest are the best"),
        ("negative scores", "these scores are no E-values: some are negative"),
        ("no query", "there is no query"),
    ],
)
def test_without_e_values_there_is_a_notice(case: str, reason: str) -> None:
    columns, text = made("calibration", CASES[case])
    for name in columns:
        if name.startswith("curve") or name in ("ideal", "name", "readout"):
            assert columns[name]["x"].size == 0, name
    assert columns["notice"]["text"].tolist() == [reason]
    assert text == f"There is no calibration to show: {reason}."


def test_no_algorithm_leaves_the_line_as_reported() -> None:
    columns, text = made("calibration", CASES["no algorithm"])
    assert text == "No algorithm is shown."
    assert columns["ideal"]["x"].size == 2
    assert columns["notice"]["x"].size == 0


@pytest.mark.parametrize(("e0", "ends"), [(0.01, 2), (100.0, 2), (101.0, 0), (1e-7, 0), (0.0, 0)])
def test_calibration_shows_a_common_threshold_where_it_has_a_place(e0: float, ends: int) -> None:
    explorer = Explorer(single([1e-5, 1.0], [1, 0], 1), mode="e0", e0=e0)
    drawn = ALL_PLOTS["calibration"].picture(PlotData(explorer)).columns["line"]
    assert drawn["x"].tolist() == [e0] * ends
    assert drawn["y"].size == ends
    explorer.mode = "k"
    assert not ALL_PLOTS["calibration"].picture(PlotData(explorer)).columns["line"]["x"].size


def test_calibration_shows_no_threshold_where_there_is_nothing_else() -> None:
    lists = single([3.0, 1.0], [1, 0], 1, direction="descending")
    explorer = Explorer(lists, mode="e0", e0=1.0)
    assert not ALL_PLOTS["calibration"].picture(PlotData(explorer)).columns["line"]["x"].size


# --- k-th errors ---------------------------------------------------------------------------------


def test_kth_errors_worked_by_hand() -> None:
    # Second errors: at 0, at 1e-3, at 1, and twice never.
    bench = {
        "A": RetrievalLists(
            [0.0, 0.0, 1e-9, 1e-3, 1e-5, 1.0, 1.0, 10.0, 100.0],
            [0, 0, 0, 0, 0, 0, 0, 1, 1],
            [0, 2, 4, 6, 9, 9],
            [2] * 5,
        )
    }
    state = Shown(bench, k=2)
    columns, text = made("nth_error", state)
    bar, axis = columns["bar"], state.axis
    middle = (bar["x0"] + bar["x1"]) / 2
    assert bar["y1"].tolist() == [1, 1, 1]
    assert bar["y0"].tolist() == [0, 0, 0]
    assert middle[0] == pytest.approx(axis.zero)
    width = (axis.end - float(axis.position(axis.low))) / nth_plot.BINS
    assert middle[1:] == pytest.approx([-3, 0], abs=width / 2)
    assert columns["never"]["y1"].tolist() == [2]
    assert columns["never"]["x0"][0] > axis.end
    assert columns["name"]["text"].tolist() == ["never: 2 queries"]
    # Three of five have two errors at 1, not before.
    assert columns["line"]["x"].tolist() == [0, 0]
    assert columns["line label"]["text"].tolist() == ["E₂ = 1"]
    assert text == "Half of the 5 queries of A reach 2 errors by E_2 = 1; 2 never do."
    read = columns["readout"]["text"].tolist()
    assert read[0] == "E = 0: 1 query reaches 2 errors;<br>up to there 1 of 5 (20%)"
    assert read[-1] == "2 of 5 queries never reach 2 errors"
    assert "up to there 3 of 5 (60%)" in read[-2]


@given(any_lists, st.integers(1, 4))
def test_bars_sum_to_the_number_of_queries(lists: RetrievalLists, k: int) -> None:
    assume(lists.n_queries)
    columns = made("nth_error", Shown({"A": lists}, k=k)).columns
    bars = [*columns["bar"]["y1"], *columns["never"]["y1"]]
    assert sum(bars) == lists.n_queries
    assert all(height > 0 for height in bars)
    assert (columns["bar"]["y1"] <= columns["view"]["y"][1]).all()


@given(any_lists, st.integers(1, 4))
def test_each_bar_counts_the_queries_around_it(lists: RetrievalLists, k: int) -> None:
    assume(lists.n_queries)
    state = Shown({"A": lists}, k=k)
    axis, result, columns = state.axis, nth_irrelevant(lists, n=k), made("nth_error", state).columns
    bar, side = columns["bar"], -1 if axis.descending else 1
    middle = side * (bar["x0"] + bar["x1"]) / 2
    # The bars are the queries in the order of their scores: none is off by more than its bin.
    place = np.sort(side * axis.position(result.score[~np.isnan(result.score)]))
    counted = np.repeat(middle, bar["y1"].astype(int))
    half = np.repeat(np.abs(bar["x1"] - bar["x0"]) / (4 * nth_plot.HALF), bar["y1"].astype(int))
    assert (np.abs(np.sort(counted) - place) <= half * (1 + 1e-6) + 1e-9).all()


@pytest.mark.parametrize("k", [1, 3, 8])
@pytest.mark.parametrize("seed", range(4))
def test_line_is_at_the_quantile(seed: int, k: int) -> None:
    lists = seeded_lists(seed)
    columns, text = made("nth_error", Shown({"A": lists}, k=k))
    at = error_threshold(lists, k=k)
    axis = Shown({"A": lists}).axis
    never = nth_irrelevant(lists, n=k).n_never
    if np.isnan(at.e_k):
        assert columns["line"]["x"].size == columns["line label"]["x"].size == 0
        assert f"Only {15 - never} of the 15 queries of A reach {k} error" in text
        assert text.endswith(f"so that there is no E_{k}.")
        return
    assert columns["line"]["x"].tolist() == [axis.position(at.e_k)] * 2
    assert f"E_{k} = " in text
    assert f"; {never} never {'does' if never == 1 else 'do'}." in text


def test_axis_of_kth_errors_begins_where_the_queries_do() -> None:
    scores = np.concatenate([[1e-180, 1e-9], np.geomspace(1, 100, 20)])
    bench = single(scores.tolist(), [0] * 22, 1)
    state = Shown(bench)
    whole = made("nth_error", state).columns
    assert whole["view"]["x"][0] < state.axis.start
    part = made("nth_error", state._replace(k=10)).columns
    span = state.axis.end - state.axis.start
    start = state.axis.start + 0.75 * span
    assert part["view"]["x"][0] == pytest.approx(start - 0.02 * (state.axis.end - start))
    assert part["bar"]["x0"].min() > start
    assert part["bar"]["y1"].tolist() == [1]


def test_text_of_kth_errors_names_shares_and_weights() -> None:
    lists = two()["A"]
    result = nth_irrelevant(lists, n=1)

    def text(quantile: float, of: RetrievalLists = lists) -> str:
        return nth_plot.text(result, "A", error_threshold(of, k=1, quantile=quantile))

    assert text(0.25).startswith("A quarter of the 3 queries of A reach 1 error by E_1 = 0; 1 ")
    assert text(0.6).startswith("60 % of the 3 queries of A reach 1 error by E_1 = 1e-09;")
    assert text(1.0) == (
        "Only 2 of the 3 queries of A reach 1 error, less than all, so that there is no E_1."
    )
    heavy = lists.with_weights([1.0, 1.0, 8.0])
    assert text(0.1, heavy).startswith("10 % of the 3 queries of A, by weight, reach 1 error by")
    assert text(0.5, heavy) == (
        "Only 2 of the 3 queries of A reach 1 error, less than half, by weight, so that there is "
        "no E_1."
    )
    assert made("nth_error", CASES["no query"]).text == "No query is selected."


# --- the bundled bench ---------------------------------------------------------------------------


def test_pictures_of_the_bench() -> None:
    bench = load_results()
    for plot in PLOTS:
        state = Shown(bench, k=20, focus_algorithm="PSI-BLAST")
        columns, text = made(plot, state)
        shown, _ = picture(plot, state)
        assert_shows(BokehPicture(shown).figure, shown)
        assert "PSI-BLAST" in text
        points = [data["x"].size for name, data in columns.items() if name.startswith("curve")]
        assert all(0 < size < 800 for size in points)
    text = made("calibration", Shown(bench)).text
    blast = bench["BLASTP"]
    observed = errors_per_query(blast, 0.01).mean()
    assert f"BLASTP made {observed:.3g} ({observed / 0.01:.2g} ×)" in text
    assert "862 queries of BLASTP reach 20 errors by E_20 = 21;" in (
        made("nth_error", Shown(bench, k=20)).text
    )
    mean_auc = auc(blast).value
    assert f"BLASTP {mean_auc:.3g} and " in made("average_roc", Shown(bench)).text
