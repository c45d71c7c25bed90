"""What a live report is made of: positions of its controls, and tracks of what they move."""

from __future__ import annotations

import numpy as np
import pytest

from tapviz import Explorer, RetrievalLists
from tapviz.dashboard.report_tables import Track, positions, start, thresholds
from tapviz.plots import PlotData


@pytest.fixture
def explorer() -> Explorer:
    """Two queries with errors at 1e-4 and 3, and relevant records at 1e-9 and 0.2."""
    lists = RetrievalLists(
        np.array([1e-9, 1e-4, 0.2, 3.0]),
        np.array([True, False, True, False]),
        np.array([0, 2, 4]),
        np.array([1, 2]),
    )
    return Explorer({"A": lists}, k=1, e0=0.01, n=7)


def test_positions_hold_the_present_choice_and_all_that_differs(explorer: Explorer) -> None:
    places = positions(PlotData(explorer))
    assert [one.choice["k"] for one in places["k"]] == list(range(1, 101))
    counts = [one.choice["n"] for one in places["n"]]
    assert counts[:100] == list(range(1, 101))
    assert (counts[-1], counts == sorted(set(counts))) == (1000, True)
    at = start(explorer)
    assert places["n"][at["n"]].label == "n = 7"
    assert places["e0"][at["e0"]].label == "E₀ = 0.01"


def test_thresholds_are_scores_at_which_something_changes(explorer: Explorer) -> None:
    assert thresholds(PlotData(explorer), 0.01) == [1e-9, 1e-4, 0.01, 0.2, 3.0]


def test_a_track_keeps_each_value_once_and_what_it_follows() -> None:
    track = Track()
    for value in ("a", "b", "a"):
        track.add("threshold", value)
    track.add("n", "a")
    assert track.data() == {"values": ["a", "b"], "control": "threshold", "at": [0, 1, 0]}
    still = Track()
    still.add("n", [1, None])
    assert still.data() == {"values": [[1, None]]}


def test_long_columns_are_kept_as_what_differs_from_the_longest() -> None:
    track = Track()
    for size in (30, 40):
        track.add("n", [*range(size), -size])
    values = track.data()["values"]
    assert values == [{"longest": 1}, {"alike": 30, "rest": [-30]}, [*range(40), -40]]


def test_what_follows_both_controls_is_refused() -> None:
    track = Track()
    for control in ("threshold", "n"):
        track.add(control, "a")
        track.add(control, "b")
    with pytest.raises(AssertionError, match="follows one control"):
        track.data()
