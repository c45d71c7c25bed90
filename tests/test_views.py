"""What a page or a report moves by itself: what Python shows at every stop of a slider."""

import gc
import json
import math
import re
import zlib
from dataclasses import replace
from weakref import ref

import numpy as np
import pytest

from tapviz import Explorer, RetrievalLists, load_results
from tapviz.draw.browser import rounded
from tapviz.draw.picture import Axis, Picture, drawn_alike, ends, texts
from tapviz.explorer.query_rows import QueryView
from tapviz.explorer.report_tables import clauses, label, positions, tables, thresholds
from tapviz.explorer.score_table import Parts, best_first, parts_of, plain
from tapviz.explorer.session import again
from tapviz.explorer.verdict import concluded
from tapviz.explorer.views import FIRST_ROWS, QUERIES, TABLE, Track, exact, stops, views
from tapviz.live.turns import Hand
from tapviz.measures import Cancelled
from tapviz.page.moves import SHARED, Moves
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.plots.save import complete
from tapviz.scores import ThresholdRule
from tapviz.state import BY_E_VALUE, BY_ERRORS
from tapviz.state.settings import settings
from tests.refused import error_of, refuses
from tests.test_page_updates import session

SOME = {
    "k": [0, 1, 19, 72, 73, 99],
    "e0": [0, 1, 57, 200, 311, 399, 400],
    "n": [0, 1, 60, 170, 300],
}
"""Places of sliders that are looked at, both ends among them."""


@pytest.fixture(scope="module")
def explorer():
    return Explorer(load_results("profiles"), k=5)


def with_intervals(explorer, setting, **chosen):
    """The same with intervals at every position of a slider."""
    mode = BY_E_VALUE if setting == "e0" else BY_ERRORS
    found, e0 = again(explorer, mode=mode, **chosen), stops(PlotData(explorer).axis)["e0"].values
    if work := found.every_threshold(found.compared(), e0):
        work(None)
    return found


def unpacked(explorer, part, at):
    return json.loads(zlib.decompress(views(again(explorer), [part], at)[part]))


def at_place(track, place):
    """What a track has at a place of its slider, as the page finds it."""
    values = track["values"]
    if "control" not in track:
        return values[0]
    if "runs" in track:
        runs = zip(track["runs"][::2], track["runs"][1::2], strict=True)
        place = [value for value, times in runs for _ in range(times)][place]
    if isinstance(values[0], dict) and "longest" in values[0]:
        head, *values = values
        longest, value = values[head["longest"]], values[place]
        return longest[: value["alike"]] + value["rest"] if isinstance(value, dict) else value
    return values[place]


def moved(explorer, setting):
    """Places of a slider, and Python's explorer at each."""
    at = stops(PlotData(explorer).axis)[setting]
    return [(place, again(explorer, **at.choices(at.values[place]))) for place in SOME[setting]]


FIGURES = [(plot, of) for plot in ("tap", "precision_recall", "epq") for of in ("k", "e0")]
FIGURES += [("scatter", "k"), ("roc", "n"), ("coverage", "e0"), ("calibration", "e0")]
WHOLE = [("nth_error", "k"), ("sensitivity", "n"), ("pooled", "k"), ("pooled", "n")]
WHOLE += [(plot, of) for plot in ("differences", "regressions") for of in ("k", "e0")]
"""Of these all layers follow, and what is on their axes."""


@pytest.mark.parametrize(("plot", "setting"), FIGURES + WHOLE)
def test_layers_at_a_stop_are_those_of_the_picture_there(explorer, plot, setting):
    if PLOTS[plot].compares:
        explorer = with_intervals(explorer, setting)
    found = unpacked(explorer, plot, stops(PlotData(explorer).axis)[setting])
    assert found["layers"]
    for place, there in moved(explorer, setting):
        data = PlotData(there)
        data.compared = there.known
        picture, whole = PLOTS[plot].picture(data), (plot, setting) in WHOLE
        layers = picture.by_name
        drawn = {
            name: {axis: one.along(axis) for axis in "xy"}
            if one.kind == "segments"
            else one.columns
            for name, one in layers.items()
        }
        # All columns of what moves: the page may come from where no stop is.
        moving = {name: {*drawn[name]} for name, one in layers.items() if one.moving or whole}
        assert {name: set(tracks) for name, tracks in found["layers"].items()} == moving
        for layer, tracks in found["layers"].items():
            for column, track in tracks.items():
                shown = [math.nan if one is None else one for one in at_place(track, place)]
                wanted = drawn[layer][column]
                assert np.array_equal(shown, wanted, equal_nan=wanted.dtype.kind == "f"), layer
        assert at_place(found["caption"], place) == PLOTS[plot].caption_shown(data)
        assert whole == ("axes" in found)
        for side, words in found.get("axes", {}).items():
            axis = getattr(picture, side)
            assert at_place(words["ends"], place) == [*ends(axis)]
            assert at_place(words["label"], place) == axis.label
            assert at_place(words["dataEnd"], place) == axis.data_end
            written = at_place(words["ticks"], place)
            assert dict(written or []) == (axis.ticks or {})


QUERY_STOPS = [
    ("k", {}),
    ("e0", {"queries_by": "query", "queries_order": "query", "queries_better": "a"}),
    ("k", {"queries_by": "2", "queries_order": "difference"}),
    ("n", {"compared_score": "roc_n"}),
]


@pytest.mark.parametrize(("setting", "chosen"), QUERY_STOPS)
def test_queries_at_a_stop_are_those_of_python_there(explorer, setting, chosen):
    explorer = again(explorer, **chosen)
    found = unpacked(explorer, QUERIES, stops(PlotData(explorer).axis)[setting])
    seen = set()
    for place, there in moved(explorer, setting):
        shown = {name: at_place(track, place) for name, track in found["queries"].items()}
        rows = [[found["cells"][cell] for cell in row] for row in shown.pop("rows")]
        content = QueryView(PlotData(there))
        assert shown == content.heads()
        assert rows == json.loads(json.dumps(content.rows(0, FIRST_ROWS)))
        seen.add(json.dumps(rows))
    assert len(seen) > 2


@pytest.mark.parametrize("baseline", ["", "RPS-BLAST"])
@pytest.mark.parametrize("setting", ["k", "e0", "n"])
def test_rows_and_verdict_at_a_stop_are_those_of_python_there(explorer, setting, baseline):
    explorer = with_intervals(explorer, setting, baseline=baseline)
    found = unpacked(explorer, TABLE, stops(PlotData(explorer).axis)[setting])
    for place, there in moved(explorer, setting):
        styles, compared = PlotData(there).styles, there.known
        head, rows = parts_of(there, styles, compared)
        for row, column, track in found["head"]:
            assert at_place(track, place) == head[row][column]
        assert found["rows"].keys() == rows.keys()
        for name, parts in found["rows"].items():
            shown = {part: at_place(track, place) for part, track in parts.items()}
            judged = {"compared"} if setting != "n" else set()
            assert set(shown) == {"others" if setting == "n" else "at_threshold"} | judged
            assert found["others"] == len(rows[name].others)
            for part, html in shown.items():
                assert html == "".join(rows[name][Parts._fields.index(part)])
        if setting != "n":
            assert at_place(found["verdict"], place) == concluded(there, compared)
            assert at_place(found["order"], place) == best_first(there)
        assert found["boxes"][place] == exact(getattr(there, setting))


@pytest.mark.parametrize(
    ("setting", "places", "title"), [("k", (0, 4, 19), "TAP-20"), ("e0", (0, 100, 200), "TAP at ")]
)
def test_intervals_and_verdict_are_known_at_every_threshold(explorer, setting, places, title):
    explorer = with_intervals(explorer, setting)
    found = unpacked(explorer, TABLE, stops(PlotData(explorer).axis)[setting])
    scores = [parts["at_threshold"] for parts in found["rows"].values()]
    assert all(" to " in at_place(score, place) for score in scores for place in places)
    assert title in at_place(found["verdict"], places[-1])


def test_a_score_that_follows_n_is_judged_there(explorer):
    by_roc = again(explorer, compared_score="roc_n")
    sliders = stops(PlotData(by_roc).axis)
    assert "verdict" in unpacked(by_roc, TABLE, sliders["n"])
    assert "verdict" not in unpacked(by_roc, TABLE, sliders["k"])


def test_of_very_many_dots_there_is_no_view(explorer):
    found = views(again(explorer), ["scatter", "tap"], stops(PlotData(explorer).axis)["e0"])
    assert found["scatter"] is None
    assert found["tap"]


LED = {"x": [1.0], "y": [1.0], "text": ["a"], "color": ["#000000"], "from_y": [0.5]}


def named(from_x, **roles):
    columns = {
        name: np.array(values, np.float64 if name[-1] in "xy" else np.object_)
        for name, values in {**LED, "from_x": [from_x]}.items()
    }
    return Picture((texts("name", columns, **roles),), Axis("x", 0, 1), Axis("y", 0, 1))


def test_a_figure_shows_another_state_unless_it_would_need_other_glyphs():
    led, alone = named(0.5), named(math.nan)
    assert drawn_alike(led, alone)
    assert not drawn_alike(alone, led)  # no line leads to the text, which the figure does not have
    assert not drawn_alike(alone, named(math.nan, wanted=False))
    assert drawn_alike(alone, replace(alone, x=Axis("another", 0, 9)))
    assert not drawn_alike(alone, replace(alone, x=Axis("x", 0, 1, ticks={0.0: "0"})))
    assert drawn_alike(alone, replace(alone, tall=2.0))


def test_a_view_is_of_the_present_alone(explorer):
    chosen = again(explorer)
    moves = Moves(PlotData(chosen), Hand(), lambda: ["tap", TABLE])
    sliders = stops(PlotData(explorer).axis)

    def depends(part, setting="k"):
        return moves._key(sliders[setting], part)

    before = {part: depends(part) for part in ("tap", TABLE)}
    chosen.k = 9  # which the slider moves
    assert {part: depends(part) for part in before} == before
    chosen.quantile = 0.75
    assert all(depends(part) not in (None, key) for part, key in before.items())
    chosen.quantile = 0.5
    chosen.query_class = "a"
    assert all(depends(part) not in (None, key) for part, key in before.items())
    chosen.clear_filter()
    chosen.pin()  # beside each row stands another, which has no view
    assert depends(TABLE) is None
    assert depends("tap") == before["tap"]
    chosen.unpin()
    assert depends(TABLE) == before[TABLE]
    names = [*explorer.results][::-1]  # other colours
    other = Explorer(explorer.results, names, **settings(chosen))
    assert Moves(PlotData(other), Hand(), list)._key(sliders["k"], TABLE) != before[TABLE]


def test_a_view_of_queries_that_are_selected_no_more_can_still_be_looked_up(explorer):
    chosen = again(explorer, query_class="a")
    moves = Moves(PlotData(chosen), Hand(), lambda: ["tap"])
    key = moves._key(stops(PlotData(explorer).axis)["k"], "tap")
    held = [one for one in key if isinstance(one, ref)]
    assert {one() for one in held} == set(chosen.lists.values())
    for other in ("b", "c", ""):
        chosen.query_class = other
        assert chosen.lists
    gc.collect()
    assert not [one for one in held if one() is not None]
    assert SHARED.known(key) is None  # as a thread does that began later


def finish(moves):
    """Do what waits for a rest of the hand."""
    while moves._task.cancelled:
        moves._task.resume()


def test_the_next_page_is_given_at_once_what_the_first_had_made(explorer):
    def opened(hand):
        moves = Moves(PlotData(again(explorer)), hand, lambda: ["tap", "epq", TABLE])
        hand.painted = 1
        return moves

    finish(opened(Hand()))
    second = Hand()
    assert not opened(second)._task.cancelled  # nothing is left to do
    assert sorted(second.views) == ["k epq", "k table", "k tap", "n table"]
    assert second.alone == ["k", "n"]


def test_a_page_that_has_its_views_is_given_those_of_e0_when_e0_is_chosen(explorer):
    chosen, hand = again(explorer, algorithms=[*explorer.results][:2]), Hand()
    moves = Moves(PlotData(chosen), hand, lambda: ["tap", TABLE])
    hand.painted = 1
    finish(moves)
    assert "e0 tap" not in hand.views
    moves.ahead.resume()  # as it does at a rest
    chosen.mode = "e0"
    moves.request()
    assert sorted(hand.views) == ["e0 table", "e0 tap"]
    assert "e0" in hand.alone


def test_views_of_e0_are_no_longer_made_ahead_once_other_programs_are_shown(explorer):
    names = [*explorer.results]
    chosen, hand = again(explorer, algorithms=names[:2]), Hand()
    moves = Moves(PlotData(chosen), hand, lambda: ["epq", TABLE])
    hand.painted = 1
    finish(moves)
    chosen.algorithms = names[:3]
    moves.request()
    moves.ahead.finish()
    assert moves.ahead.result is None


def test_every_page_gets_the_intervals_of_every_k_that_one_has_worked_out():
    results = load_results("profiles")
    some = np.arange(next(iter(results.values())).n_queries) > 0  # which nobody else has open
    cut = {name: lists.subset(some) for name, lists in results.items()}
    opened = []
    for k in (5, 9):
        with session() as document:
            hand = Hand()
            moves = Moves(PlotData(Explorer(cut, k=k)), hand, lambda: ["tap", TABLE])
            hand.painted = 1
            finish(moves)
            opened.append((moves, hand, document))
    assert all(hand.alone == ["k", "n"] for _, hand, _ in opened)
    (first, _, _), (second, there, document) = opened
    first.work_out_every_threshold(Explorer(cut, k=5).compared())
    first._every.resume()
    second.show_state()
    assert there.alone == ["k", "n"]  # with a table that has no intervals yet
    there.views = {}
    document.take_turns()
    finish(second)
    assert there.alone == ["k", "n"]
    assert b" to " in zlib.decompress(there.views["k table"])


def test_the_more_hands_move_the_more_seldom_each_tells_where_it_is(explorer):
    pages = [Moves(PlotData(again(explorer)), Hand(), lambda: ["tap"]) for _ in range(40)]

    def told(page):
        page.follow({"k"})
        return page.hand.pace

    pages[0].hand.held = True
    assert told(pages[0]) == 1000
    for page in pages:
        page.hand.held = True
    assert sum(1000 / pace for pace in [*map(told, pages)]) == pytest.approx(1000 / 60)
    for page in pages[1:]:
        page.close()
    assert told(pages[0]) == 1000


def test_a_drag_that_the_page_tells_seldom_is_undone_at_once(explorer, monkeypatch):
    now = 0.0
    monkeypatch.setattr("tapviz.state.choices.monotonic", lambda: now)
    chosen, hand = again(explorer), Hand()
    Moves(PlotData(chosen), hand, lambda: ["tap"])
    start = chosen.k
    for k in (7, 8, 9):
        chosen.k, hand.held = k, True
        now += 2.5
    hand.held = False
    chosen.undo()
    assert chosen.k == start


def test_a_view_that_nobody_waits_for_is_given_up(explorer):
    at = stops(PlotData(explorer).axis)["k"]
    seen = []

    def stop_at_third(done, total):
        seen.append((done, total))
        return done < 2

    error_of(views, again(explorer), ["tap"], at, stop_at_third, error=Cancelled)
    assert seen == [(0, 100), (1, 100), (2, 100)]


@pytest.mark.parametrize("direction", ["ascending", "descending"])
def test_a_stop_is_what_its_place_reads(direction):
    scores = [1e-9, 0.02, 3.0, 8.0][:: 1 if direction == "ascending" else -1]
    lists = RetrievalLists(scores, [1, 0, 1, 0], [0, 4], [2], direction=direction)
    for at in stops(PlotData(Explorer({"A": lists}, k=1)).axis).values():
        for place, value in enumerate(at.values):
            assert at.read(at.start + at.step * place) == value
        assert (at.read(at.start - 1), at.read(at.end + 1)) == (at.values[0], at.values[-1])


def test_of_one_threshold_there_is_one_stop():
    lists = RetrievalLists([0.0], [True], [0, 1], [1])
    at = stops(PlotData(Explorer({"A": lists}, k=1)).axis)["e0"]
    assert [at.read(place) for place in (-1.0, 0.0, 5.0)] == [at.values[0]] * 3


def test_a_choice_is_that_of_its_slider(explorer):
    at = stops(PlotData(explorer).axis)
    assert at["k"].choices(3) == {"mode": BY_ERRORS, "k": 3}
    assert at["e0"].choices(0.1) == {"mode": BY_E_VALUE, "e0": 0.1}
    assert at["n"].choices(7) == {"n": 7}
    assert at["n"].place_of(1.5) is None


@pytest.fixture
def chosen():
    """Two queries with errors at 1e-4 and 3, and relevant records at 1e-9 and 0.2."""
    lists = RetrievalLists([1e-9, 1e-4, 0.2, 3.0], [1, 0, 1, 0], [0, 2, 4], [1, 2])
    return Explorer({"A": lists}, k=1, e0=0.01, n=7)


def test_positions_hold_the_present_choice_and_all_that_differs(chosen):
    places = positions(PlotData(chosen))
    assert [*places["k"].values] == list(range(1, 101))
    n = places["n"].values
    assert (n[:11], n[-1]) == ((*range(1, 12),), 1000)
    assert (n[places["n"].place_of(7)], places["e0"].place_of(0.01)) == (7, 2)
    assert [label("k", 20), label("e0", 0.01), label("n", 1000)] == [
        "k = 20",
        "E₀ = 0.01",
        "n = 1,000",
    ]


def test_thresholds_are_scores_at_which_something_changes(chosen):
    assert thresholds(PlotData(chosen), 0.01) == [1e-9, 1e-4, 0.01, 0.2, 3.0]


def test_a_threshold_is_written_alike_at_its_slider_and_at_the_head_of_its_column():
    lists = RetrievalLists([1.35e-66, 0.0123, 3.0], [False, True, False], [0, 3], [1])
    places = positions(PlotData(Explorer({"A": lists}, k=1, e0=0.01)))["e0"]
    labels = [label("e0", value).removeprefix("E₀ = ") for value in places.values]
    assert labels == ["1.35e-66", "0.01", "0.0123", "3"]
    heads = [ThresholdRule(None, value).title for value in places.values]
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
        track.add_made("k", 1, rounded, values, axes[end])
    data = track.data()
    assert (data["values"], data["runs"]) == ([[0.12346], [0.123]], [0, 2, 1, 1])


def test_a_sentence_is_divided_by_the_algorithms_whose_clauses_it_has():
    names = ["A", "A B", "C"]
    assert clauses("No program is shown.", names) == "No program is shown."
    text = "Mean (A too): A B 0.5, at most; C no. 2; A none (0.1). For A; all."
    before, after, *rest = clauses(text, names)
    assert (before, after) == ("Mean (A too): ", ". For A; all.")
    assert rest == [[1, "A B 0.5, at most"], [2, "C no. 2"], [0, "A none (0.1)"]]
    assert before + "; ".join(words for _, words in rest) + after == text


def test_texts_of_plots_of_all_algorithms_are_told_apart_by_them():
    chosen = Explorer(load_results("profiles"), k=5)
    data = PlotData(chosen)
    for plot in plots_for(chosen):
        by_algorithm = "algorithms" in plot.depends and plot.of in ("each", "one")
        if by_algorithm and plot.name not in ("order", "epq"):  # whose texts name one, or none
            _, _, *parts = clauses(plot.text(data), chosen.shown)
            assert [chosen.shown[place] for place, _ in parts] == chosen.shown, plot.name


def made_of(chosen, monkeypatch, **most):
    """The tables of a report with so many positions at most."""
    for name, positions_of in most.items():
        module = "views" if name.startswith("MAX") else "report_tables"
        monkeypatch.setattr(f"tapviz.explorer.{module}.{name}", positions_of)
    data = complete(chosen, *plots_for(chosen))
    return json.loads(tables(data, chosen.compared(n_resamples=20)))


@pytest.fixture
def some():
    """The first thirty queries of the smallest data set."""
    whole = load_results("profiles")
    return {name: lists.subset(np.arange(lists.n_queries) < 30) for name, lists in whole.items()}


def test_of_many_queries_a_and_b_are_chosen_from_fewer_algorithms(some, monkeypatch):
    chosen = Explorer(some, list(some)[::-1], k=5, baseline=list(some)[3])
    made = made_of(chosen, monkeypatch, DOTS=3 * 30, MAX_N=50)
    data = PlotData(chosen)
    pairs = next(plot for plot in made["plots"] if "pairs" in plot)["pairs"]
    names = [made["algorithms"][int(place)]["name"] for place in pairs["taps"]]
    assert len(names) == 3
    assert set(data.pair) < set(names)
    assert len(pairs["of"]) == 6


def test_cells_of_scores_asked_for_follow_the_control_that_they_depend_on(some, monkeypatch):
    results = dict([*some.items()][:2])
    scores = ["tap", "roc_n", "mean_average_precision"]
    chosen = Explorer(results, k=5, baseline=next(iter(results)), table_scores=scores)
    chosen.compared_score = "roc_n"
    row = made_of(chosen, monkeypatch, MAX_N=60)["table"]["rows"][list(results)[1]]
    assert row["at_threshold"]["control"] == "threshold"
    assert row["others"]["control"] == row["compared"]["control"] == "n"
    chosen.n = 60
    last = row["others"]["values"][-1]
    for score in ("roc_n", "mean_average_precision"):
        assert f">{chosen.score(list(results)[1])[score]:.3f}<" in last
    assert row["compared"]["values"][0].count("></td>") == 4


def test_long_columns_are_kept_as_what_differs_from_the_longest():
    values = track_of("n", *([*range(size), -size] for size in (30, 40))).data()["values"]
    assert values == [{"longest": 1}, {"alike": 30, "rest": [-30]}, [*range(40), -40]]


def test_what_follows_both_controls_is_refused():
    track = track_of("threshold", "a", "b")
    for value in "ab":
        track.add("n", value)
    refuses("follows one control", track.data, error=AssertionError)


@pytest.mark.parametrize("mode", ["k", "e0"])
def test_rows_of_a_report_have_as_many_cells_by_either_slider(some, monkeypatch, mode):
    chosen = Explorer(some, k=3, mode=mode)
    made = made_of(chosen, monkeypatch, THRESHOLDS=5, MAX_N=4, MAX_K=6)
    places = sum(len(made["labels"][name]) for name in ("k", "e0"))
    heads = [track for _, _, track in made["table"]["head"] if track["control"] == "threshold"]
    assert {tracked(track) for track in heads} == {places}
    for parts in made["table"]["rows"].values():
        rows = [at_place(parts["at_threshold"], place) for place in range(places)]
        assert len({len(re.findall("</t[dh]>", row)) for row in rows if "colspan" not in row}) == 1


def tracked(track):
    """How many positions a track has."""
    return sum(track["runs"][1::2]) if "runs" in track else len(track["values"])


def test_plots_of_two_programs_in_a_report_are_of_those_shown(some, monkeypatch):
    chosen = Explorer(some, [*some][:2], k=3)
    made = made_of(chosen, monkeypatch, THRESHOLDS=5, MAX_N=4, MAX_K=6)
    there = {plot["name"]: plot for plot in made["plots"]}
    data = PlotData(chosen)
    data.compared = chosen.compared(n_resamples=20)
    for name in ("pooled", "differences"):
        words = clauses(plain(PLOTS[name].text(data)), [*some])
        assert there[name]["text"]["values"] == [json.loads(json.dumps(words))]
        assert there[name]["picture"]["x"]["label"] == PLOTS[name].picture(data).x.label
