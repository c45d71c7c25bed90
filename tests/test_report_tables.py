"""What a live report is made of: positions of its controls, and tracks of what they move."""

import json

import numpy as np
import pytest

from tapviz import Explorer, RetrievalLists, load_results
from tapviz.draw.browser import column_data
from tapviz.draw.picture import Axis
from tapviz.explorer import report_tables, views
from tapviz.explorer.report_tables import clauses, positions, start, tables, thresholds
from tapviz.explorer.tracks import Track
from tapviz.plots import PlotData, plots_for
from tapviz.plots.save import complete
from tapviz.scores import ThresholdRule


@pytest.fixture
def explorer():
    """Two queries with errors at 1e-4 and 3, and relevant records at 1e-9 and 0.2."""
    lists = RetrievalLists([1e-9, 1e-4, 0.2, 3.0], [1, 0, 1, 0], [0, 2, 4], [1, 2])
    return Explorer({"A": lists}, k=1, e0=0.01, n=7)


def test_positions_hold_the_present_choice_and_all_that_differs(explorer):
    places = positions(PlotData(explorer))
    assert [one.choice["k"] for one in places["k"]] == list(range(1, 101))
    n = [one.choice["n"] for one in places["n"]]
    assert (n[:11], n[-1]) == ([*range(1, 12)], 1000)
    at = start(explorer)
    assert (places["n"][at["n"]].label, places["e0"][at["e0"]].label) == ("n = 7", "E₀ = 0.01")


def test_thresholds_are_scores_at_which_something_changes(explorer):
    assert thresholds(PlotData(explorer), 0.01) == [1e-9, 1e-4, 0.01, 0.2, 3.0]


def test_a_threshold_is_written_alike_at_its_slider_and_at_the_head_of_its_column():
    lists = RetrievalLists([1.35e-66, 0.0123, 3.0], [False, True, False], [0, 3], [1])
    places = positions(PlotData(Explorer({"A": lists}, k=1, e0=0.01)))["e0"]
    labels = [one.label.removeprefix("E₀ = ") for one in places]
    assert labels == ["1.35e-66", "0.01", "0.0123", "3"]
    heads = [ThresholdRule(None, one.choice["e0"]).title for one in places]
    assert heads == [f"TAP at {label}" for label in labels]


def track_of(control, *values):
    """What is seen at the positions of a control."""
    track = Track()
    for value in values:
        track.add(control, value)
    return track


def test_a_track_keeps_each_value_once_and_what_it_follows():
    track = track_of("threshold", "a", "a", "b", "a")
    track.add("n", "a")
    runs = [0, 2, 1, 1, 0, 1]
    assert track.data() == {"values": ["a", "b"], "control": "threshold", "runs": runs}
    assert track_of("k", "a", "b").data() == {"values": ["a", "b"], "control": "k"}
    assert track_of("n", [1, None]).data() == {"values": [[1, None]]}


def test_a_column_is_looked_at_again_only_if_it_or_its_axis_is_another():
    values, track = np.array([0.123456789]), Track()
    axes = {end: Axis("", 0.0, end) for end in (1.0, 100.0)}
    for end in (1.0, 1.0, 100.0):
        track.add_made("k", 1, column_data, values, axes[end])
    data = track.data()
    assert (data["values"], data["runs"]) == ([[0.12346], [0.123]], [0, 2, 1, 1])


def test_a_sentence_is_divided_by_the_algorithms_whose_clauses_it_has():
    names = ["A", "A B", "C"]
    assert clauses("No program is shown.", names) == "No program is shown."
    text = "Mean (A too): A B 0.5, at most; C no. 2; A none (0.1). For A; all."
    parts = clauses(text, names)
    before, after, *rest = parts
    assert (before, after) == ("Mean (A too): ", ". For A; all.")
    assert rest == [[1, "A B 0.5, at most"], [2, "C no. 2"], [0, "A none (0.1)"]]
    assert before + "; ".join(words for _, words in rest) + after == text


def test_texts_of_plots_of_all_algorithms_are_told_apart_by_them():
    explorer = Explorer(load_results("profiles"), k=5)
    data = PlotData(explorer)
    for plot in plots_for(explorer):
        by_algorithm = "algorithms" in plot.depends and plot.of in ("each", "one")
        if by_algorithm and plot.name not in ("order", "epq"):  # whose texts name one, or none
            _, _, *parts = clauses(plot.text(data), explorer.shown)
            assert [explorer.shown[place] for place, _ in parts] == explorer.shown, plot.name


def made_of(explorer, monkeypatch, **most):
    """The tables of a report with so many positions at most."""
    for name, positions_of in most.items():
        monkeypatch.setattr(views if name.startswith("MAX") else report_tables, name, positions_of)
    data = complete(explorer, *plots_for(explorer))
    return json.loads(tables(data, explorer.compared(n_resamples=20)))


@pytest.fixture
def some():
    """The first thirty queries of the smallest data set."""
    whole = load_results("profiles")
    return {name: lists.subset(np.arange(lists.n_queries) < 30) for name, lists in whole.items()}


def test_of_many_queries_a_and_b_are_chosen_from_fewer_algorithms(some, monkeypatch):
    explorer = Explorer(some, list(some)[::-1], k=5, baseline=list(some)[3])
    made = made_of(explorer, monkeypatch, DOTS=3 * 30, MAX_N=50)
    data = PlotData(explorer)
    pairs = next(plot for plot in made["plots"] if "pairs" in plot)["pairs"]
    names = [made["algorithms"][int(place)]["name"] for place in pairs["taps"]]
    assert len(names) == 3
    assert set(data.pair) < set(names)
    assert len(pairs["of"]) == 6


def test_cells_of_scores_asked_for_follow_the_control_that_they_depend_on(some, monkeypatch):
    results = dict([*some.items()][:2])
    scores = ["tap", "roc_n", "mean_average_precision"]
    explorer = Explorer(results, k=5, baseline=next(iter(results)), table_scores=scores)
    explorer.compared_score = "roc_n"
    made = made_of(explorer, monkeypatch, MAX_N=60)
    row = made["table"]["rows"][list(results)[1]]
    assert row["at_threshold"]["control"] == "threshold"
    assert row["others"]["control"] == row["compared"]["control"] == "n"
    explorer.n = 60
    last = row["others"]["values"][-1]
    for score in ("roc_n", "mean_average_precision"):
        assert f">{explorer.score(list(results)[1])[score]:.3f}<" in last
    assert row["compared"]["values"][0].count("></td>") == 4


def test_long_columns_are_kept_as_what_differs_from_the_longest():
    values = track_of("n", *([*range(size), -size] for size in (30, 40))).data()["values"]
    assert values == [{"longest": 1}, {"alike": 30, "rest": [-30]}, [*range(40), -40]]


def test_what_follows_both_controls_is_refused():
    track = track_of("threshold", "a", "b")
    for value in "ab":
        track.add("n", value)
    with pytest.raises(AssertionError, match="follows one control"):
        track.data()
