"""Plots of averaged ROC curves, coverage, calibration, k-th errors; the threshold for errors."""

import re
from types import SimpleNamespace

import numpy as np
import panel as pn
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tapviz import Explorer, RetrievalLists, load_results
from tapviz import measures as m
from tapviz.draw.bokeh import BokehPicture
from tapviz.draw.style import COLORS, brief, number
from tapviz.measures import advise, loosest_threshold, mean_recall, promised_threshold
from tapviz.page import Dashboard
from tapviz.plots import PLOTS, PlotData, order
from tapviz.plots import average_roc as roc_plot
from tapviz.plots import calibration as calibration_plot
from tapviz.plots import coverage as coverage_plot
from tapviz.plots import nth_error as nth_plot
from tapviz.plots.save import complete, renamed
from tapviz.state import BY_E_VALUE
from tests.drawn import assert_shows, axis_of, made, seeded, single, state, two
from tests.strategies import any_lists, even, seeded_lists

SOME = pytest.mark.parametrize("plot", ["average_roc", "coverage", "calibration"])


@SOME
def test_hiding_an_algorithm_changes_no_other(plot):
    some = ["algorithm 2", "algorithm 4"]
    before, after = (
        made(plot, seeded(0, 2, 4), k=3, focus_algorithm="algorithm 2", algorithms=shown).columns
        for shown in (["algorithm 0", *some], some)
    )
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


@SOME
def test_ghosts_are_the_curves_of_all_queries(plot):
    bench = seeded(0, 2)
    whole = made(plot, bench, k=3).columns
    assert whole["ghost"]["x"].size == 0
    ghost = made(plot, bench, k=3, query_text="q(1|2|4|5|7|8|10|11)$").columns["ghost"]
    assert np.isnan(ghost["y"]).sum() == 2
    for name in bench:
        assert np.isin(whole[f"curve {name}"]["y"][[0, -1]], ghost["y"]).all()


def test_average_roc_worked_by_hand():
    # q1: R I R with T = 2, F = 4: recall 1/2 at no error, then 1 up to the end. q2: I R with T =
    # 1, F = 4: 0, and 1 from one error of four on. The SD of 1/2 and 0 is 0.3536.
    records = ([1.0, 2.0, 3.0, 1.0, 2.0], [1, 0, 1, 0, 1], [0, 3, 5])
    lists = RetrievalLists(*records, [2, 1], n_irrelevant=[4, 4])
    shown, text = made("average_roc", {"A": lists})
    columns = shown.columns
    drawn, band = columns["curve A"], columns["band"]
    assert drawn["x"][0] == shown.x.start + 0.02 * (0 - drawn["x"][0])
    assert drawn["x"][1:] == pytest.approx(np.linspace(-1, 0, 80))
    assert drawn["y"][0] == pytest.approx(1 / 4)
    at_quarter = np.flatnonzero(drawn["x"] >= np.log10(0.25))
    assert drawn["y"][at_quarter] == pytest.approx(np.ones(at_quarter.size))
    half = 1.96 * np.sqrt(0.125)
    assert band["y0"][0] == 0  # 1/4 - 0.693
    assert band["y1"][0] == pytest.approx(1 / 4 + half)
    assert band["y1"][0] < 1
    assert (band["x0"][0], band["x1"][-1]) == (drawn["x"][0], drawn["x"][-1])
    assert np.array_equal(band["x0"][1:], band["x1"][:-1])
    assert (band["x0"] < band["x1"]).all()
    # AUC of q1: (1/2 + 3) / 4, of q2: 3/4.
    assert text == (
        "Mean AUC, and recall before the first false positive: A 0.812 and 0.250. Averaged over 2 "
        "queries with relevant and irrelevant records; beyond the end of each list: a straight "
        "line (random order)."
    )
    first = columns["readout"]["text"][0]
    assert first.startswith("false-positive rate 0<br><i>beyond the end of each list")
    assert first.endswith("<b>A</b> recall 0.250 (band 0.00 to 0.94)")


def test_average_roc_is_that_of_the_measure_at_every_rate():
    bench = seeded(0, 2, 4)
    columns = made("average_roc", bench).columns
    errors = [m.errors_per_query(one, one.sign * np.inf).max() for one in bench.values()]
    axis = roc_plot.rates(int(max(errors)))
    grid = axis.grid(roc_plot.GRID_SIZE)
    assert (grid[0], grid[-1], grid.size) == (0, 1, roc_plot.GRID_SIZE + 1)
    for name, lists in bench.items():
        assert np.array_equal(columns[f"curve {name}"]["y"], m.average_roc(lists, grid).tpr)
        assert np.array_equal(columns[f"curve {name}"]["x"], axis.position(grid))
    expected = m.average_roc(bench["algorithm 0"], grid)
    assert np.array_equal(columns["band"]["y0"], np.clip(expected.lower, 0, 1))
    assert np.array_equal(columns["band"]["y1"], np.clip(expected.upper, 0, 1))
    areas = {name: m.average_roc(lists, grid).tpr.mean() for name, lists in bench.items()}
    assert columns["name"]["text"].tolist() == sorted(areas, key=areas.get, reverse=True)
    assert (np.diff(columns["name"]["y"]) < 0).all()


def test_average_roc_says_what_the_rates_are_relative_to():
    assert "only retrieved records count" in state("zeros")["average_roc"].text
    text = state("zeros")["average_roc"].columns["readout"]["text"][0]
    assert "only retrieved records count" in text
    known = state("F known")["average_roc"]
    assert "beyond the end of each list: a straight line" in known.text
    assert "beyond the end of each list: a straight line" in known.columns["readout"]["text"][0]
    mixed = {"A": two(n_irrelevant=[10, 20, 30])["A"], "B": two()["B"]}
    assert "not comparable" in made("average_roc", mixed).text


def test_average_roc_without_a_curve_or_a_band_says_why():
    none = state("no query")["average_roc"]
    assert none.text == "There is no ROC curve: there is no query."
    assert none.columns["curve A"]["x"].size == none.columns["band"]["x0"].size == 0
    assert state("no algorithm")["average_roc"].text == "No program is shown."
    one = state("one query")["average_roc"]
    assert one.columns["curve A"]["x"].size
    assert one.columns["band"]["x0"].size == 0
    bench = {"A": two()["A"], "B": two()["A"].subset([False, False, True])}
    assert "B undefined (no list has a relevant record, and" in made("average_roc", bench).text


def test_band_is_that_of_the_algorithm_in_detail():
    bench = seeded(0, 2)
    bands = [
        made("average_roc", bench, focus_algorithm=name).columns["band"]["y1"].tolist()
        for name in bench
    ]
    assert bands[0] != bands[1]
    choices = {"focus_algorithm": "algorithm 2", "algorithms": ["algorithm 0"]}
    assert made("average_roc", bench, **choices).columns["band"]["x0"].size == 0


def height(columns, name, x):
    """Height of the drawn steps at positions; 0 left of them."""
    drawn = columns[f"curve {name}"]
    return np.concatenate([[0.0], drawn["y"]])[np.searchsorted(drawn["x"], x, side="right")]


def test_coverage_worked_by_hand():
    shown, text = made("coverage", two())
    columns = shown.columns
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
        "Share of all relevant records found at 0.1 and 1 errors per query: "
        "A 0.000 and 0.429 (its lists end at 0.667 errors per query); "
        "B 0.000 and 0.143 (its lists end at 0.333 errors per query)."
    )
    read = columns["readout"]["text"]
    assert read[0] == (
        "no error in any query<br><b>A</b> coverage 0.000, threshold —<br><b>B</b> coverage 0.000, "
        "threshold —"
    )
    assert "<b>A</b> coverage 0.429, threshold 0.001<br>" in read[-1]


def test_coverage_before_the_first_error_is_in_the_place_of_zero():
    drawn = made("coverage", single([1e-9, 1e-5, 1.0], [1, 0, 1], 4)).columns["curve A"]
    assert drawn["x"] == pytest.approx([drawn["x"][0], 0, 0])
    assert drawn["x"][0] < 0
    assert drawn["y"] == pytest.approx([1 / 4, 1 / 4, 1 / 2])


@given(any_lists)
def test_drawn_coverage_is_exact_but_for_a_pixel(lists):
    curve = m.coverage_vs_epq(lists)
    if curve.reason or not curve.epq.size:
        return
    shown, thresholds = made("coverage", {"A": lists}).picture, axis_of({"A": lists})
    axis, columns = shown.x.scale, shown.columns
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


def test_coverage_of_long_lists_is_thinned_and_keeps_its_ends():
    rng = np.random.default_rng(0)
    score = np.sort(10.0 ** rng.uniform(-9, 1, (50, 40)), axis=1).ravel()
    relevant = rng.random(score.size) < np.tile(np.linspace(1, 0, 40), 50)
    lists = RetrievalLists(score, relevant, np.arange(51) * 40, [40] * 50)
    curve = m.coverage_vs_epq(lists)
    assert curve.epq.size > 1.5 * coverage_plot.DRAWN_POINTS
    drawn = made("coverage", {"A": lists}).columns["curve A"]
    assert drawn["x"].size <= 2 * (coverage_plot.DRAWN_POINTS + 2)
    assert (drawn["y"][0], drawn["y"][-1]) == (curve.at(0), curve.coverage[-1])
    assert np.isin(drawn["y"], np.append(curve.coverage, 0)).all()


@pytest.mark.parametrize("seed", range(4))
def test_coverage_at_a_threshold_counts_records(seed):
    lists = seeded_lists(seed)
    curve = m.coverage_vs_epq(lists)
    for e0 in np.quantile(lists.score, [0, 0.1, 0.5, 1]).tolist():
        inside = lists.sign * lists.score <= lists.sign * e0
        weight = lists.weight[np.repeat(np.arange(lists.n_queries), np.diff(lists.offset))]
        epq, found = coverage_plot.at_threshold(curve, e0, lists.sign)
        assert epq == pytest.approx(weight[inside & ~lists.relevant].sum() / lists.weight.sum())
        total = lists.weight @ lists.n_relevant
        assert found == pytest.approx(weight[inside & lists.relevant].sum() / total)
    assert coverage_plot.at_threshold(curve, -lists.sign * np.inf, lists.sign) == (0, 0)
    assert np.isnan(coverage_plot.at_threshold(curve, np.nan, lists.sign)).all()


def test_a_subset_with_more_errors_makes_the_axis_longer():
    records = ([0.5, *np.linspace(1, 2, 300)], [1] + [0] * 300, [0, 1, 301] + [301] * 98)
    ids = [f"q{at}" for at in range(100)]
    bench = {"A": RetrievalLists(*records, [1, 1] + [0] * 98, query=ids)}
    whole, only = made("coverage", bench), made("coverage", bench, query_text="q1$")
    assert whole.columns["curve A"]["x"][-1] == pytest.approx(np.log10(3))
    assert only.columns["curve A"]["x"][-1] == pytest.approx(np.log10(300))
    assert only.picture.x.end > max(np.log10(300), whole.picture.x.end)


def test_precision_without_relevant_records_says_why():
    made_of = state("no relevant")["precision_recall"]
    why = "no precision: no query has a relevant record"
    assert made_of.text == f"There is {why}."
    assert made_of.columns["notice"]["text"].tolist() == [why]
    assert state("no query")["precision_recall"].columns["notice"]["text"].size == 0


def test_coverage_without_relevant_records_says_why():
    made_of = state("no relevant")["coverage"]
    assert made_of.columns["curve A"]["x"].size == made_of.columns["threshold"]["x"].size == 0
    assert made_of.text == "There is no coverage: no query has a relevant record."
    assert state("no query")["coverage"].text == "There is no coverage: there is no query."
    nothing = state("empty lists")["coverage"]
    assert "A 0.000 and 0.000 (its lists end at 0 errors per query)" in nothing.text


def test_calibration_worked_by_hand():
    # Four queries; errors at 0.001, 0.005, 0.5 and 2: 0.5 errors per query at 0.01, 1 at 10.
    records = ([0.001, 0.005, 0.5, 0.2, 2.0], [0, 0, 0, 1, 0], [0, 3, 4, 5, 5])
    shown, text = made("calibration", {"A": RetrievalLists(*records, [1] * 4)})
    columns = shown.columns
    drawn = columns["curve A"]
    decades = np.round(np.log10(drawn["x"]), 6).tolist()
    at = dict(zip(decades, drawn["y"].tolist(), strict=True))
    assert min(at) == -3  # the first E-value with an error, inclusive
    assert max(at) == 0.3  # the last of the grid before the lists end at 2
    assert (at[-3.0], at[-2.0]) == (pytest.approx(1 / 4), pytest.approx(2 / 4))
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
def test_calibration_counts_the_errors_at_each_e_value(seed):
    lists = seeded_lists(seed)
    drawn = made("calibration", {"A": lists}).columns["curve A"]
    expected = {}
    for e in calibration_plot.E_VALUES:
        observed = m.errors_per_query(lists, e) @ lists.weight / lists.weight.sum()
        if observed > 0 and e <= lists.score.max():
            expected[e] = observed
    assert drawn["x"] == pytest.approx(list(expected))
    assert drawn["y"] == pytest.approx(list(expected.values()))


def test_grid_of_e_values_holds_powers_of_ten():
    values = calibration_plot.E_VALUES
    assert (np.diff(values) > 0).all()
    for e in (1e-6, 1e-4, 0.01, 1.0, 100.0):
        assert e in values


def test_calibration_names_what_is_as_reported_and_where_lists_end():
    exact = {"A": RetrievalLists([0.005, 20.0], [0, 0], [0, 2, *[2] * 99], [1] * 100)}
    assert "A made 0.01, as expected." in made("calibration", exact).text
    assert "A made none." in made("calibration", single([1e-5, 1.0], [1, 0], 1)).text
    short = made("calibration", single([1e-5, 1e-4], [1, 0], 1))
    assert "A made 1 (100 ×), and its lists end at E = 0.0001." in short.text
    assert short.columns["curve A"]["x"].max() == pytest.approx(1e-4)


NO_E_VALUES = [
    ("descending", "these scores are not E-values: the largest are the best"),
    ("negative scores", "these scores are not E-values: some are negative"),
    ("no query", "there is no query"),
]


@pytest.mark.parametrize(("case", "reason"), NO_E_VALUES)
def test_without_e_values_there_is_a_notice(case, reason):
    shown, text = state(case)["calibration"]
    columns = shown.columns
    for name in columns:
        if name.startswith("curve") or name in ("ideal", "name", "readout"):
            assert columns[name]["x"].size == 0, name
    assert columns["notice"]["text"].tolist() == [reason]
    assert text == f"There is no calibration to show: {reason}."


def test_no_algorithm_leaves_the_line_as_reported():
    shown, text = state("no algorithm")["calibration"]
    columns = shown.columns
    assert text == "No program is shown."
    assert (columns["ideal"]["x"].size, columns["notice"]["x"].size) == (2, 0)


@pytest.mark.parametrize(("e0", "ends"), [(0.01, 2), (100.0, 2), (101.0, 0), (1e-7, 0), (0.0, 0)])
def test_calibration_shows_a_common_threshold_where_it_has_a_place(e0, ends):
    lists = single([1e-5, 1.0], [1, 0], 1)
    drawn = made("calibration", lists, mode="e0", e0=e0).columns["line"]
    assert (drawn["x"].tolist(), drawn["y"].size) == ([e0] * ends, ends)
    assert not made("calibration", lists, e0=e0).columns["line"]["x"].size


def test_calibration_shows_no_threshold_where_there_is_nothing_else():
    lists = single([3.0, 1.0], [1, 0], 1, direction="descending")
    assert not made("calibration", lists, mode="e0", e0=1.0).columns["line"]["x"].size


def test_kth_errors_worked_by_hand():
    # Second errors: at 0, at 1e-3, at 1, and twice never.
    scores = [0.0, 0.0, 1e-9, 1e-3, 1e-5, 1.0, 1.0, 10.0, 100.0]
    bench = {"A": RetrievalLists(scores, [0] * 7 + [1, 1], [0, 2, 4, 6, 9, 9], [2] * 5)}
    shown, text = made("nth_error", bench, k=2)
    columns, axis = shown.columns, axis_of(bench)
    bar = columns["bar"]
    middle = (bar["x0"] + bar["x1"]) / 2
    assert (bar["y1"].tolist(), bar["y0"].tolist()) == ([1, 1, 1], [0, 0, 0])
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
def test_bars_count_the_queries_around_them(lists, k):
    assume(lists.n_queries)
    shown, _ = made("nth_error", {"A": lists}, k=k)
    columns = shown.columns
    bars = [*columns["bar"]["y1"], *columns["never"]["y1"]]
    assert sum(bars) == lists.n_queries
    assert all(height > 0 for height in bars)
    assert (columns["bar"]["y1"] <= shown.y.end).all()
    axis, result, bar = axis_of({"A": lists}), m.nth_irrelevant(lists, n=k), columns["bar"]
    side = -1 if axis.descending else 1
    middle = side * (bar["x0"] + bar["x1"]) / 2
    # The bars are the queries in the order of their scores: none is off by more than its bin.
    place = np.sort(side * axis.position(result.score[~np.isnan(result.score)]))
    counted = np.repeat(middle, bar["y1"].astype(int))
    half = np.repeat(np.abs(bar["x1"] - bar["x0"]) / (4 * nth_plot.HALF), bar["y1"].astype(int))
    assert (np.abs(np.sort(counted) - place) <= half * (1 + 1e-6) + 1e-9).all()


@pytest.mark.parametrize("k", [1, 3, 8])
@pytest.mark.parametrize("seed", range(4))
def test_line_is_at_the_quantile(seed, k):
    lists = seeded_lists(seed)
    shown, text = made("nth_error", {"A": lists}, k=k)
    columns = shown.columns
    at = m.error_threshold(lists, k=k)
    axis = axis_of({"A": lists})
    never = m.nth_irrelevant(lists, n=k).n_never
    if np.isnan(at.e_k):
        assert columns["line"]["x"].size == columns["line label"]["x"].size == 0
        assert f"Only {15 - never} of the 15 queries of A reach {k} error" in text
        assert text.endswith(f"so that there is no E_{k}.")
        return
    assert columns["line"]["x"].tolist() == [axis.position(at.e_k)] * 2
    assert f"E_{k} = " in text
    assert f"; {never} never {'does' if never == 1 else 'do'}." in text


def test_axis_of_kth_errors_begins_where_the_queries_do():
    scores = np.concatenate([[1e-180, 1e-9], np.geomspace(1, 100, 20)])
    bench = single(scores.tolist(), [0] * 22, 1)
    axis, shown = axis_of(bench), made("nth_error", bench, k=10).picture
    assert made("nth_error", bench).picture.x.start < axis.start
    assert "compressed" not in shown.x.label  # which nothing that is seen is
    start, part = axis.start + 0.75 * (axis.end - axis.start), shown.columns
    assert shown.x.start == pytest.approx(start - 0.02 * (axis.end - start))
    assert part["bar"]["x0"].min() > start
    assert part["bar"]["y1"].tolist() == [1]


def test_text_of_kth_errors_names_shares_and_weights():
    lists = two()["A"]
    result = m.nth_irrelevant(lists, n=1)

    def text(quantile, of=lists):
        return nth_plot.text(result, "A", m.error_threshold(of, k=1, quantile=quantile))

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
    assert state("no query")["nth_error"].text == "No query is selected."


def test_pictures_of_the_bench():
    bench = load_results()
    found = {
        plot: made(plot, bench, k=20, focus_algorithm="PSI-BLAST", algorithms=[*bench])
        for plot in ("average_roc", "coverage", "calibration", "nth_error")
    }
    for shown, text in found.values():
        assert_shows(BokehPicture(shown).figure, shown)
        assert "PSI-BLAST" in text
        points = [one["x"].size for name, one in shown.columns.items() if name.startswith("curve")]
        assert all(0 < size < 800 for size in points)
    blast = bench["BLASTP"]
    observed = m.errors_per_query(blast, 0.01).mean()
    said = f"BLASTP made {observed:.3g} ({observed / 0.01:.2g} ×)"
    assert said in found["calibration"].text
    said = "862 queries of BLASTP reach 20 errors by E_20 = 21;"
    assert said in made("nth_error", bench, k=20).text
    assert f"BLASTP {m.auc(blast).value:.3g} and " in found["average_roc"].text


PLOT = PLOTS["threshold"]


def twelve(seed, direction="ascending"):
    """Lists of 12 queries that end beyond their hundredth error or so."""
    rng = np.random.default_rng(seed)
    score = np.sort(10.0 ** rng.uniform(-20, 2, (12, 30)), axis=1)
    if direction == "descending":
        score = -np.log10(score)
    return even(score, rng.random((12, 30)) < np.linspace(0.9, 0.1, 30), 40, direction=direction)


def explorer(direction="ascending", **choices):
    lists = {name: twelve(seed, direction) for seed, name in enumerate(("A", "B"))}
    return Explorer(lists, k=1, **choices)


def test_marks_are_where_each_algorithm_makes_the_errors_accepted():
    chosen = explorer(accepted_errors=0.5)
    shown = PLOT.picture(complete(chosen, PLOT))
    columns = shown.columns
    at = {name: loosest_threshold(lists, errors=0.5) for name, lists in chosen.results.items()}
    scale = shown.x.scale
    assert columns["line"]["x"] == pytest.approx(np.log10([0.5, 0.5]))
    errors = scale.position([one.errors for one in at.values()])
    assert columns["threshold"]["x"] == pytest.approx(errors)
    recall = [mean_recall(chosen.results[name], one.threshold) for name, one in at.items()]
    assert columns["threshold"]["y"] == pytest.approx(recall)
    assert columns["threshold"]["color"].tolist() == list(COLORS[:2])
    advice = advise(chosen.results, errors=0.5, groups=None)
    for place, (name, one) in enumerate(advice.algorithms.items()):
        (at, least, most), (y, low, high) = one.errors[:3], one.recall[:3]
        drawn = columns[f"range {name}"]
        x = scale.position([least, most, np.nan, at, at])
        assert drawn["x"] == pytest.approx(x, nan_ok=True)
        assert drawn["y"] == pytest.approx([y, y, np.nan, low, high], nan_ok=True)
        assert columns["new"]["y"][place] == pytest.approx(y)
    # 12 queries promise nothing of half an error each.
    assert not columns["promised"]["x"].size
    assert sorted(columns["name"]["text"].tolist()) == ["A, none", "B, none"]


def test_a_threshold_that_is_promised_is_stricter_and_stands_beside_the_name():
    chosen = explorer(accepted_errors=5)
    columns = PLOT.picture(PlotData(chosen)).columns
    lists = chosen.results
    sure = {name: promised_threshold(one, errors=5, groups=None) for name, one in lists.items()}
    assert columns["promised"]["y"] == pytest.approx([one.recall for one in sure.values()])
    assert (columns["promised"]["x"] < columns["threshold"]["x"]).all()
    texts = sorted(columns["name"]["text"].tolist())
    assert texts == [f"{name} E ≤ {brief(one.threshold)}" for name, one in sure.items()]
    assert PLOT.text(PlotData(chosen)).count("; at most so many, 90 % sure: E ≤ ") == 2


def test_what_new_queries_get_comes_when_it_is_computed():
    chosen = explorer(accepted_errors=0.5)
    data = PlotData(chosen)
    columns = PLOT.picture(data).columns
    assert columns["threshold"]["x"].size == 2
    assert not columns["new"]["x"].size
    assert "recall" in PLOT.text(data)
    assert "in the sample)" not in PLOT.text(data)
    assert PLOT.text(complete(chosen, PLOT)).count("in the sample)") == 4
    assert "none with at most so many (too few queries" in PLOT.text(data)


def test_what_new_queries_get_is_drawn_as_lines_are_whatever_order_is_asked_for():
    chosen = explorer(accepted_errors=0.5)
    reversed_columns, columns = (
        PLOT.picture(complete(renamed(chosen, {}, order), PLOT)).columns
        for order in (["B", "A"], [])
    )
    assert columns["new"]["color"].tolist() == list(COLORS[:2])
    assert reversed_columns["new"]["color"].tolist() == list(COLORS[:2])
    assert reversed_columns["threshold"]["color"].tolist() == list(COLORS[1::-1])


def test_curves_end_at_the_same_recall_whatever_is_accepted():
    chosen = explorer()
    curves = {}
    for statistic in ("mean", "median", "quantile"):
        chosen.accepted_statistic = statistic
        columns = PLOT.picture(PlotData(chosen)).columns
        curves[statistic] = columns["curve A"]
        assert columns["curve A"]["y"][-1] == pytest.approx(mean_recall(chosen.results["A"], 100.0))
    assert len({tuple(one["x"]) for one in curves.values()}) == 3


def test_scores_of_which_large_ones_are_good_are_at_least():
    chosen = explorer("descending", accepted_errors=0.5)
    chosen.accepted_errors = 5
    texts = PLOT.picture(PlotData(chosen)).columns["name"]["text"].tolist()
    assert all(" score ≥ " in text for text in texts)


def test_what_cannot_be_said_is_said_in_the_plot():
    chosen = explorer(accepted_errors=0.01)
    columns = PLOT.picture(complete(chosen, PLOT)).columns
    assert not columns["threshold"]["x"].size
    words = "12 queries cannot resolve 0.01 errors per query: one error in all is 0.083"
    assert " ".join(columns["notice"]["text"].tolist()) == words
    assert all(text.endswith(", none") for text in columns["name"]["text"].tolist())
    assert "A has no threshold (12 queries cannot resolve" in PLOT.text(PlotData(chosen))
    chosen.accepted_errors = 100
    columns = PLOT.picture(PlotData(chosen)).columns
    assert not columns["line"]["x"].size  # beyond all that was measured


def test_no_algorithm_and_no_query():
    assert PLOT.text(complete(explorer(algorithms=[]), PLOT)) == "No program is shown."
    assert "there is no query" in PLOT.text(complete(explorer(query_text="nothing"), PLOT))


@pytest.fixture
def page():
    dashboard = Dashboard(explorer(view="threshold", accepted_errors=0.5))
    dashboard._slow["threshold"].resume()
    return dashboard


def widget(page, kind, label):
    """The widget of a kind that has a label."""
    (found,) = [one for one in page.__panel__().select(kind) if one.label == label]
    return found


def advice(page):
    """Cells of the table of thresholds."""
    text = page._tab_area.table.text
    rows = re.findall("<tr>(.*?)</tr>", text.partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row) for row in rows]
    return [[" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


def test_table_has_a_row_for_each_algorithm(page):
    rows = advice(page)
    assert [row[0] for row in rows] == ["A", "B"]
    found = advise(page.explorer.results, errors=0.5, groups=None).algorithms["A"]
    assert rows[0][1].startswith("too few queries")
    assert rows[0][4] == (
        f"({found.recall.in_sample:.3f}) {found.recall.estimate:.3f} "
        f"{found.recall.low:.3f} to {found.recall.high:.3f}"
    )
    assert "12 queries" in page._tab_area.table.text
    page.explorer.accepted_errors = 5
    sure = promised_threshold(page.explorer.results["A"], errors=5, groups=None)
    assert advice(page)[0][1] == f"{number(sure.threshold)} Use recall {sure.recall:.3f}"
    page.explorer.accepted_errors = 0.01
    assert "cannot resolve" in advice(page)[0][1]


def test_table_and_controls_are_there_only_in_their_tab(page):
    assert page._tab_area.table.visible
    page.explorer.view = "coverage"
    assert not page._tab_area.table.visible


def test_use_sets_the_threshold_for_all(page):
    at = loosest_threshold(page.explorer.results["B"], errors=0.5).threshold
    assert f'value="{at!r}"' in page._tab_area.table.text
    page._tab_area.table.choice = repr(at)
    page._tab_area.table.pressed += 1
    assert (page.explorer.mode, page.explorer.e0) == (BY_E_VALUE, at)
    page.explorer.undo()
    assert page.explorer.mode == "k"


def test_controls_lead_and_follow(page):
    chosen = page.explorer
    slider = widget(page, pn.widgets.FloatSlider, "errors per query accepted")
    slider.value = np.log10(2.0)
    assert chosen.accepted_errors == 2
    chosen.accepted_errors = 10
    assert slider.value == pytest.approx(1)
    box = widget(page, pn.widgets.FloatInput, "errors accepted")
    box.value = 500
    assert chosen.accepted_errors == box.value == 10
    quantile = widget(page, pn.widgets.FloatInput, "share of the queries")
    assert not quantile.visible
    chosen.accepted_statistic = "quantile"
    assert quantile.visible


def test_too_few_errors_for_k_lead_to_the_tab(page):
    widget(page, pn.widgets.FloatInput, "k").value = 0
    told = [one.object for one in page.__panel__().select(pn.pane.HTML) if one.visible]
    assert any("for fewer errors see the tab Threshold" in str(text) for text in told)


def test_an_address_holds_no_more_errors_than_can_be_accepted():
    other = explorer(accepted_errors=2)
    assert other.from_query("?accepted_errors=1000")
    assert other.accepted.errors == 2


def test_no_program_rises_because_a_better_one_has_no_tap_any_more():
    """From k = 3 on B and D alone have a TAP-k: B stays second until it does change places."""
    unknown = float("nan")
    taps = {
        "A": [0.9, 0.9, unknown, unknown],
        "B": [0.5, 0.7, 0.7, 0.5],
        "C": [0.6, 0.6, unknown, unknown],
        "D": [0.1, 0.2, 0.3, 0.6],
        "E": [unknown] * 4,
    }
    found = order.places({name: SimpleNamespace(tap=np.array(tap)) for name, tap in taps.items()})
    np.testing.assert_array_equal(
        found,
        [
            [1, 1, unknown, unknown],
            [3, 2, 2, 4],
            [2, 3, unknown, unknown],
            [4, 4, 4, 2],
            [unknown] * 4,
        ],
    )
