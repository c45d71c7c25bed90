"""The one place of state: what follows from the choices, derived once, and the address."""

import json
import math
import pickle
import re
from copy import copy, deepcopy
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tapviz import Explorer, RetrievalLists, tap, tap_k
from tapviz import measures as m
from tapviz.explorer.session import to_json, to_python
from tapviz.measures import advise, bootstrap, roc_n
from tapviz.scores import SCORES, Policies, score
from tapviz.state import MAX_BOXES, SETTINGS
from tapviz.state.query_filter import Box
from tapviz.state.settings import settings
from tests.refused import refuses

IDS = ["d1abc.1", "d1abc|2", "d2xyz_", "D2XYZa", "e3"]
CLASSES = ["a.1.1", "a.10.1", "a.1.2", "a.1", "b.2.1"]


def made(seed, *, direction="ascending", **changes):
    """Five queries of ten records; the last query has no relevant record."""
    rng = np.random.default_rng(seed)
    relevant = rng.random(50) < 0.5
    relevant[40:] = False
    score = np.sort(10.0 ** rng.uniform(-30, 1, (5, 10)), axis=1)
    if direction == "descending":
        score = -np.log10(score)
    given = {"n_relevant": [9, 10, 11, 20, 0], "query": IDS, "query_class": CLASSES}
    given |= {"direction": direction, **changes}
    return RetrievalLists(score.ravel(), relevant, np.arange(0, 51, 10), **given)


@pytest.fixture(scope="module")
def results():
    return {name: made(seed) for seed, name in enumerate("ABCDEFG")}


@pytest.fixture
def explorer(results):
    return Explorer(results, k=2)


def test_begins_with_the_first_five(explorer):
    assert explorer.shown == list("ABCDE")
    assert (explorer.focus_algorithm, explorer.mode, explorer.n) == ("A", "k", 50)
    assert explorer.style_order == tuple("ABCDEFG")
    assert explorer.selection.everything
    assert explorer.selected_queries == IDS
    explorer.results.clear()  # changes nothing from outside
    assert list(explorer.results) == list("ABCDEFG")


def test_shown_come_first_in_the_order_of_looks(results):
    explorer = Explorer(results, shown=["C", "nobody", "A"])
    assert (explorer.shown, explorer.style_order) == (["A", "C"], tuple("CABDEFG"))
    explorer.algorithms = ["G", "B"]
    assert (explorer.shown, explorer.style_order) == (["B", "G"], tuple("CABDEFG"))


@pytest.mark.parametrize("empty", [{}, {"A": RetrievalLists([], [], [0], [])}])
def test_no_results_are_refused(empty):
    refuses("results: expected at least one", Explorer, empty)


def test_lists_alone_are_refused_in_words():
    refuses("expected lists by the name of their algorithm", Explorer, made(0), error=TypeError)


def test_results_and_lists_are_not_taken_for_each_other():
    for one in ({"A": 3}, made(0)):
        for measure in (score, Explorer, partial(bootstrap, k=5), advise):
            refuses("expected lists by the name of their algorithm", measure, one, error=TypeError)
    for measure in (partial(tap_k, k=5), partial(roc_n, n=5), partial(tap, e0=1.0)):
        refuses("expected those of one algorithm", measure, {"A": made(0)}, error=TypeError)
    refuses("results: expected at least one", score, {})


def test_a_number_or_word_alone_is_not_taken_for_several():
    for alone in ({"k": 5}, {"e0": 0.1}, {"scores": "map"}):
        ((name, one),) = alone.items()
        said = f"{name}: expected a tuple, as in {name}=({one!r},)"
        refuses(re.escape(said), score, {"A": made(0)}, Policies(**alone), error=TypeError)


@pytest.mark.parametrize("copied", [copy, deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301
def test_a_copy_goes_on_alone(copied, results):
    explorer = Explorer(results, shown=["C", "A"], k=5, query_text="1")
    known = explorer.scores
    other = copied(explorer)
    assert (other.k, other.shown, other.style_order) == (5, ["A", "C"], explorer.style_order)
    assert other.scores.equals(known)
    other.k = 7
    assert explorer.k == 5


def test_what_was_compared_is_said_in_a_line():
    compared = Explorer({"A": made(0), "B": made(1)}).compared(n_resamples=0)
    assert repr(compared).startswith("<Compared: A, B by ")
    assert len(repr(compared)) < 80


@pytest.mark.parametrize(
    ("other", "options", "message"),
    [
        ({}, {"shown": ["x", "y"]}, "shown: none of x, y is among the results, A, B$"),
        ({"direction": "descending"}, {}, "A has ascending scores and B descending ones"),
        ({"n_relevant": [8, 10, 11, 20, 0]}, {}, r"query d1abc\.1: A has 9 relevant .* B has 8"),
    ],
)
def test_what_does_not_go_together_is_refused_in_words(other, options, message):
    refuses(message, Explorer, {"A": made(0), "B": made(1, **other)}, **options)


def test_queries_that_one_lacks_become_empty_lists():
    second = made(1)
    explorer = Explorer({"A": made(0).subset(np.arange(5) != 2), "B": second}, k=1)
    assert explorer.first.n_queries == 5
    assert sorted(explorer.selected_queries) == sorted(IDS)
    lists = explorer.results["A"]
    row = lists.row_of("d2xyz_")
    assert lists.offset[row] == lists.offset[row + 1]
    assert [explorer.score(name)["n_empty"] for name in "AB"] == [1, 0]
    assert explorer.score("B")["tap"] == pytest.approx(m.tap_k(second, k=1).value)


def test_measured_once_per_change(explorer):
    calls = []

    def count(lists, *args, **options):
        calls.append((args, options))
        return lists.n_queries

    for _ in range(3):
        assert explorer.measure(count, "A", 4, rule="x") == 5
    assert calls == [((4,), {"rule": "x"})]
    explorer.k = 3  # nothing that it depends on
    explorer.measure(count, "A", 4, rule="x")
    assert len(calls) == 1
    explorer.measure(count, "A", 5, rule="x")
    explorer.measure(count, "B", 5, rule="x")
    assert len(calls) == 3
    explorer.query_text = "d1"
    for _ in range(3):
        assert explorer.measure(count, "A", 5, rule="x") == 2
        assert explorer.measure(count, "A", 5, rule="x", whole=True) == 5
    assert len(calls) == 5


def test_scores_of_many_views_measure_once(explorer, monkeypatch):
    calls = []

    def count(lists, curve):
        calls.append(lists)
        return curve.peak_tap

    scores = [replace(one, measure=count) if one.name == "peak_tap" else one for one in SCORES]
    monkeypatch.setattr("tapviz.scores.column.SCORES", scores)
    for k in (1, 2, 3):
        explorer.param.update(k=k, n=k)
        _ = explorer.scores, explorer.scores
    assert len(calls) == len(explorer.shown)
    explorer.query_text = "d1"
    _ = explorer.scores
    assert len(calls) == 2 * len(explorer.shown)


def test_selection_is_made_once_per_filter(explorer):
    assert explorer.selection is explorer.selection
    before = explorer.lists
    explorer.k = 5
    assert explorer.lists is before
    explorer.min_relevant = 10
    assert explorer.lists is not before


def test_what_was_chosen_with_a_limit_that_cannot_be_is_followed(explorer):
    before = explorer.tap("A").e0
    with pytest.raises(ValueError, match="reported_to names 'nobody'"):
        explorer.param.update(reported_to={"nobody": 1.0}, k=5, min_relevant=10)
    assert (explorer.reported_to, explorer.k) == ({}, 5)
    assert explorer.selection.n_queries == 3
    assert explorer.tap("A").e0 != before


def test_scores_by_errors(explorer):
    assert explorer.scores.index.tolist() == list("ABCDE")
    for name, row in explorer.scores.to_dict("index").items():
        lists = explorer.results[name]
        at, curve = m.tap_k(lists, k=2, short_lists="error"), m.tap_curve(lists)
        errors = m.errors_per_query(lists, at.e0)
        exact = {"tap": at.value, "threshold": at.e0, "reached": at.reached, "reason": ""}
        exact |= {"peak_tap": curve.peak_tap, "peak_threshold": curve.peak_threshold}
        exact |= {"median_epq": np.sort(errors)[2], "n_no_relevant": 1, "n_empty": 0}
        assert {score: row[score] for score in exact} == exact
        means = {
            "mean_epq": errors.mean(),
            "roc_n": np.nanmean(m.roc_n(lists, n=50).per_query),
            "pooled_roc_n": m.pooled_roc_n(lists, n=50),
            "mean_average_precision": np.nanmean(m.average_precision(lists).per_query),
        }
        assert {score: row[score] for score in means} == pytest.approx(means)


def test_scores_by_threshold(explorer):
    explorer.param.update(mode="e0", e0=1e-5, n=7, algorithms=["B", "F"])
    assert explorer.scores.index.tolist() == ["B", "F"]
    for name, row in explorer.scores.to_dict("index").items():
        lists = explorer.results[name]
        assert (row["tap"], row["threshold"]) == (m.tap(lists, 1e-5).value, 1e-5)
        assert np.isnan(row["reached"])
        assert row["mean_epq"] == pytest.approx(m.errors_per_query(lists, 1e-5).mean())
        assert row["pooled_roc_n"] == pytest.approx(m.pooled_roc_n(lists, n=7))


@pytest.mark.parametrize(("quantile", "text"), [(1.0, ""), (0.5, "d1")])
def test_scores_follow_the_quantile_and_the_queries(explorer, quantile, text):
    explorer.param.update(quantile=quantile, query_text=text)
    lists = explorer.results["A"].subset(np.char.startswith(IDS, text))
    at, score = m.tap_k(lists, k=2, quantile=quantile, short_lists="error"), explorer.score("A")
    assert (score["tap"], score["threshold"]) == (at.value, at.e0)


def test_scores_of_descending_lists():
    lists = made(0, direction="descending")
    explorer = Explorer({"A": lists}, k=2)
    score = np.sort(lists.score)
    assert score[0] <= explorer.e0 <= score[-1]
    assert explorer.score("A")["tap"] == m.tap_k(lists, k=2).value
    explorer.mode = "e0"
    assert explorer.score("A")["tap"] == m.tap(lists, explorer.e0).value


def test_too_few_errors_have_a_reason(explorer):
    explorer.k = 11
    table = explorer.scores
    assert table[["tap", "threshold", "median_epq", "mean_epq"]].isna().all(axis=None)
    assert set(table["reason"]) == {"Fewer than half of the queries have 11 errors."}
    assert (table["reached"] == 0).all()
    assert np.isfinite(table["peak_tap"]).all()


def test_no_query_is_a_value(explorer):
    explorer.query_text = "nothing like it"
    assert (explorer.selection.n_queries, explorer.selected_queries) == (0, [])
    for mode in ("k", "e0"):
        explorer.mode = mode
        assert explorer.tap("A").reason == "there is no query"
        score = explorer.score("A")
        names = ("tap", "peak_tap", "roc_n", "pooled_roc_n", "mean_average_precision", "auc_ipr")
        assert np.isnan([score[name] for name in names]).all()
    assert explorer.scores["tap"].isna().all()
    explorer.algorithms = []
    assert explorer.scores.empty
    assert "tap" in explorer.scores.columns


def test_only_queries_without_relevant_records(explorer):
    explorer.query_text = "e3"
    score = explorer.score("A")
    assert score["n_no_relevant"] == 1
    assert score["tap"] == 1 / (m.errors_per_query(explorer.lists["A"], score["threshold"])[0] + 1)
    assert np.isnan([score["roc_n"], score["mean_average_precision"]]).all()


def test_modes_do_not_chase_each_other(explorer):
    heard = []
    explorer.param.watch(lambda event: heard.append(event.name), ["mode", "k", "e0", "quantile"])
    explorer.mode = "e0"
    explorer.e0 = 1e-9
    explorer.k = 4
    explorer.mode = "k"
    assert heard == ["mode", "e0", "k", "mode"]
    assert (explorer.k, explorer.e0) == (4, 1e-9)


@pytest.mark.parametrize(
    ("choices", "kept"),
    [
        ({"query_text": "d1abc.1"}, [0]),  # the dot is a dot
        ({"query_text": "abc|2"}, [1]),  # the bar is a bar
        ({"query_text": "bc.|2"}, []),
        ({"query_text": "xyz"}, [2, 3]),  # whatever the case
        ({"query_text": "  e3 "}, [4]),
        ({"query_text": "^d1"}, [0, 1]),
        ({"query_text": "(a|_)$"}, [2, 3]),
        ({"query_text": r"\|"}, [1]),
        ({"query_class": "a.1"}, [0, 2, 3]),  # not a.10
        ({"query_class": "a.1."}, [0, 2, 3]),
        ({"query_class": " a.1.2 "}, [2]),
        ({"query_class": "a"}, [0, 1, 2, 3]),
        ({"query_class": "a.1.2.3"}, []),
        ({"min_relevant": 10}, [1, 2, 3]),
        ({"max_relevant": 10}, [0, 1, 4]),
        ({"min_relevant": 10, "max_relevant": 11}, [1, 2]),
        ({"min_relevant": 12, "max_relevant": 11}, []),
        ({"max_relevant": 0}, [4]),
        ({"query_text": "d", "query_class": "a.1", "min_relevant": 10}, [2, 3]),
    ],
)
def test_filter(explorer, choices, kept):
    explorer.param.update(**choices)
    selection = explorer.selection
    assert explorer.selected_queries == [IDS[i] for i in kept]
    assert (selection.n_queries, selection.problem, selection.everything) == (len(kept), "", False)
    assert explorer.lists["B"].query.tolist() == explorer.selected_queries
    explorer.clear_filter()
    assert explorer.selection.everything
    assert explorer.lists["B"] is explorer.results["B"]


def test_a_wrong_expression_is_not_applied_but_said(explorer):
    explorer.param.update(query_text="d1(", min_relevant=10)
    assert "‘d1(’ is not a regular expression" in explorer.selection.problem
    assert "not applied" in explorer.selection.problem
    assert explorer.selected_queries == IDS[1:4]  # the rest of the filter is


def test_class_without_classes_keeps_all():
    assert Explorer({"A": made(0, query_class=None)}, query_class="a.1").selection.everything


def test_address_holds_every_setting(explorer):
    query = explorer.to_query({"dataset": "scope40"})
    assert query.startswith("?dataset=scope40&mode=k&k=2&")
    assert {name for name in SETTINGS if f"&{name}=" in query} == {*SETTINGS}


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"k": 5, "n": 1000, "algorithms": ["G", "A"], "focus_algorithm": "G"},
        {"mode": "e0", "e0": 1e-180, "quantile": 0.1},
        {"mode": "e0", "e0": 0.0},
        {"e0": 0.1 + 0.2},
        {"query_text": "^d&=?+ %20#|é", "query_class": "a.1", "min_relevant": 3},
        {"fixed_threshold": True, "peak_interval": True, "reported_to": {"A": 1e6, "G": 1e7}},
        {"max_relevant": 0},
        {"max_relevant": 7, "min_relevant": 7},
        {"algorithms": []},
        {"focus": "d1abc|2"},
        {"boxes": (Box("A", "G", 1e-180, 0.1 + 0.2, 0.0, 0.25, 0.1, 1.0),)},
        {"boxes": (Box("A", "B", 1.0, 2.0, 0.0, 0.5, 0.0, 1.0),) * 2},
    ],
)
def test_address_round_trip(results, choices):
    explorer = Explorer(results, **choices)
    other = Explorer(results, k=77, query_text="else", max_relevant=3, algorithms=["C"])
    assert (Explorer(results).k, Explorer(results).shown) == (20, list("ABCDE"))  # its own choices
    assert other.from_query(explorer.to_query()) == []
    assert settings(other) == settings(explorer)
    assert other.to_query() == explorer.to_query()


BAD_BOXES = (
    *("x", "[]", '["A","nobody",1,1,0,1,0,1]', '["A","B",1,1,0,1,0]'),
    *('["A","B",1,1,0,1,0,NaN]', '["A","B",1,1,0,1,0,"1"]'),
)
BAD = {
    "k": ("abc", "0", "2.5", ""),
    "n": ("1001",),
    "mode": ("x",),
    "e0": ("x", "nan", "inf"),
    "quantile": ("0", "1.1", "nan"),
    **dict.fromkeys(("algorithms", "focus_algorithm", "focus"), ("nobody",)),
    "min_relevant": ("-1",),
    "max_relevant": ("many",),
    "fixed_threshold": ("maybe",),
    "peak_interval": ("1",),
    "reported_to": ("nobody=3",),
    "boxes": BAD_BOXES,
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in BAD for text in BAD[name]])
def test_bad_value_in_the_address_is_said_and_the_rest_used(explorer, name, text):
    before = getattr(explorer, name)
    other = "n" if name != "n" else "k"
    problems = explorer.from_query(f"?{name}={text}&{other}=9")
    assert problems == [f"{name} = {text!r} in the address cannot be used here"]
    assert getattr(explorer, name) == before
    assert getattr(explorer, other) == 9
    assert not explorer.can_undo  # settings from an address are the beginning


def test_unknown_names_in_the_address_are_left_to_others(explorer):
    before = explorer.to_query()
    assert explorer.from_query("?dataset=x&theme=dark") == []
    assert explorer.from_query("") == []
    assert explorer.to_query() == before


def test_link_stays_short_with_many_queries_and_every_box():
    n = 8_920
    arrays = [1e-123, 2e-3] * n, [True, False] * n, np.arange(0, 2 * n + 1, 2), [2] * n
    lists = RetrievalLists(*arrays, query=[f"family_{i}_domain" for i in range(n)])
    names = [f"algorithm no. {i}" for i in range(9)]
    explorer = Explorer(dict.fromkeys(names, lists), names, focus="family_8919_domain")
    box = Box(names[7], names[8], 1.2345678901234567e-123, 9.8765432109876543e-12, *[0.1234] * 4)
    explorer.boxes = (box,) * MAX_BOXES
    assert len(explorer.to_query({"dataset": "scope40"})) < 2000


def taps(explorer, e0):
    return [m.tap(explorer.results[name], e0).per_query for name in "AB"]


def around(explorer, kept, e0=1e-3):
    """The smallest box of A and B that holds some queries."""
    a, b = (own[kept] for own in taps(explorer, e0))
    return Box("A", "B", e0, e0, a.min(), a.max(), b.min(), b.max())


def inside(explorer, box):
    """The queries in a box of A and B."""
    a, b = taps(explorer, box.e0_a)
    found = (box.a_from <= a) & (a <= box.a_to) & (box.b_from <= b) & (b <= box.b_to)
    return [query for query, kept in zip(IDS, found, strict=True) if kept]


def test_box_keeps_its_queries_whatever_is_chosen_later(explorer):
    box = around(explorer, [1, 3])
    expected = inside(explorer, box)
    assert 2 <= len(expected) < 5
    assert explorer.select(box) == ""
    assert explorer.selected_queries == expected
    explorer.param.update(k=1, mode="e0", e0=1e-20, algorithms=["C"], focus_algorithm="D")
    assert explorer.selected_queries == explorer.lists["C"].query.tolist() == expected
    explorer.clear_filter()
    assert explorer.selection.everything


def test_boxes_and_the_filter_are_all_kept_to(explorer):
    boxes = around(explorer, [0, 1, 2, 3]), around(explorer, [1, 2], e0=1.0)
    for box in boxes:
        assert explorer.select(box) == ""
    explorer.min_relevant = 11
    kept = {*inside(explorer, boxes[0])} & {*inside(explorer, boxes[1])} & {IDS[2], IDS[3]}
    assert {*explorer.selected_queries} == kept
    assert "d2xyz_" in kept


def test_box_without_a_query_is_refused_in_words(explorer):
    explorer.query_text = "d1"
    before = explorer.to_query()
    empty = Box("A", "B", 1.0, 1.0, 0.99999, 1.0, 0.99999, 1.0)
    others = around(explorer, [4])._replace(a_from=0.99)  # nor one that the filter leaves out
    for box in (empty, others):
        said = explorer.select(box)
        assert said == "No selected query is in the box. The selection is unchanged."
    assert explorer.to_query() == before


def test_box_narrows_the_limits_of_t_q_and_never_widens_them(explorer):
    everything, total = Box("A", "A", 1.0, 1.0, 0.0, 1.0, 0.0, 1.0), explorer.first.n_relevant
    low, high = sorted(set(total.tolist()))[1:3]
    explorer.max_relevant = high
    assert explorer.select(everything, low, int(total.max())) == ""
    assert (explorer.min_relevant, explorer.max_relevant) == (low, high)
    assert explorer.selection.mask.tolist() == [low <= one <= high for one in total]
    assert explorer.select(everything, high + 1).startswith("No selected query")
    explorer.undo()
    assert (explorer.min_relevant, explorer.max_relevant, explorer.boxes) == (0, high, ())


def test_more_boxes_than_a_link_holds_are_refused(explorer):
    everything = Box("A", "B", 1.0, 1.0, 0.0, 1.0, 0.0, 1.0)
    for _ in range(MAX_BOXES):
        assert explorer.select(everything) == ""
    assert "Clear the filter first" in explorer.select(everything)
    assert len(explorer.boxes) == MAX_BOXES


def test_focus_is_one_of_the_queries(explorer):
    assert explorer.focus == ""
    with pytest.raises(ValueError, match="nobody"):
        explorer.focus = "nobody"
    explorer.focus = "d1abc|2"
    for name in ("A", "B"):
        found, at = explorer.ranked(name), explorer.tap(name)
        expected = m.ranked_list(explorer.results[name], "d1abc|2", at.e0)
        assert found.tap == expected.tap == at.per_query[1]
        assert explorer.ranked(name) is found
    explorer.k = 1
    assert explorer.ranked("A").e0 == explorer.tap("A").e0


def test_tap_of_the_focus_is_that_of_all_queries_and_of_a_subset(explorer):
    explorer.focus = "d2xyz_"
    for text in ("", "d2", "d1"):  # in the last one it is left out
        explorer.query_text = text
        assert explorer.tap_of_focus("A") == explorer.ranked("A").tap
    explorer.query_text = "d2"
    assert explorer.tap_of_focus("A") == explorer.tap("A").per_query[0]


def test_focus_where_there_is_no_threshold(explorer):
    explorer.param.update(k=11, focus="e3")
    assert explorer.ranked("A").n_retrieved == 10
    assert np.isnan(explorer.tap_of_focus("A"))


@pytest.mark.parametrize(
    ("start", "text", "steps", "ends"),
    [
        ("", "", [1, 1], [0, 1]),
        ("", "", [-1, -1], [4, 3]),
        (IDS[4], "", [1, -1], [0, 4]),
        (IDS[1], "d2", [1, 1, 1], [2, 3, 2]),  # from one that is left out to the next kept
        (IDS[4], "d2", [-1], [3]),
        (IDS[0], "nothing like it", [1], [0]),
    ],
)
def test_step_through_the_queries(explorer, start, text, steps, ends):
    explorer.param.update(focus=start, query_text=text)
    for by, end in zip(steps, ends, strict=True):
        explorer.step_focus(by)
        assert explorer.focus == IDS[end]


def test_find_queries_by_text(explorer):
    assert explorer.find("XYZ") == ["d2xyz_", "D2XYZa"]
    assert explorer.find("d", most=3) == IDS[:3]
    assert explorer.find("^d") == []
    explorer.query_text = "xyz"
    assert explorer.find("d")[:2] == ["d2xyz_", "D2XYZa"]


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("tapviz.state.choices.monotonic", lambda: now[0])
    return now


def test_undo_takes_back_every_choice_in_turn(explorer, clock):
    assert not explorer.can_undo
    states = [explorer.to_query()]
    for name, value in {
        "k": 5, "mode": "e0", "e0": 1e-9, "quantile": 0.3, "n": 7, "algorithms": ["G"],
        "focus_algorithm": "G", "baseline": "B", "view": "scatter", "query_text": "d",
        "focus": IDS[1], "query_class": "a", "min_relevant": 1, "max_relevant": 99,
    }.items():  # fmt: skip
        clock[0] += 10
        setattr(explorer, name, value)
        states.append(explorer.to_query())
    assert explorer.select(around(explorer, [0, 1, 2])) == ""
    for state in reversed(states):
        assert explorer.can_undo
        explorer.undo()
        assert explorer.to_query() == state
    assert not explorer.can_undo
    explorer.undo()  # nothing to take back
    assert explorer.to_query() == states[0]


def drag(explorer, clock, *steps):
    for k in steps:
        clock[0] += 0.2
        explorer.k = k


def undo_all(explorer, *values, name="k"):
    """Take everything back, by which a setting has one value after the other."""
    for value in values:
        explorer.undo()
        assert getattr(explorer, name) == value
    assert not explorer.can_undo


def test_steps_of_one_drag_are_one_choice_and_none_there_and_back(explorer, clock):
    drag(explorer, clock, *range(3, 9))
    clock[0] += 5
    explorer.k = 20
    undo_all(explorer, 8, 2)
    explorer.n = 9
    drag(explorer, clock, 3, 4, 2)
    undo_all(explorer, 50, name="n")


def test_a_drag_that_is_told_seldom_is_one_choice(explorer, clock):
    start = explorer.k
    for places in ([3, 5, 9], [20, 30]):  # of which a slow page tells a place now and then
        clock[0] += 5
        explorer.hold(held=True)
        for k in places:
            explorer.k = k
            clock[0] += 2.5
        explorer.hold(held=False)
    undo_all(explorer, 9, start)


def test_what_is_chosen_after_a_drag_is_another_choice(explorer, clock):
    for k in (3, 4):
        explorer.k = k
        explorer.hold(held=True)  # told after the first place
        clock[0] += 2.5
    explorer.hold(held=False)
    explorer.k = 50
    explorer.undo()
    assert explorer.k == 4


def test_what_changes_at_once_is_taken_back_at_once(explorer):
    explorer.param.update(query_text="d1", min_relevant=10)
    explorer.clear_filter()
    heard = []
    explorer.param.watch(lambda *events: heard.append({e.name for e in events}), list(SETTINGS))
    explorer.undo()
    assert (explorer.query_text, explorer.min_relevant) == ("d1", 10)
    assert heard == [{"query_text", "min_relevant"}]
    explorer.undo()
    assert explorer.selection.everything


def test_who_looks_during_undo_sees_what_is_left_to_take_back(explorer):
    explorer.k = 9
    seen = []
    explorer.param.watch(lambda _: seen.append(explorer.can_undo), "k")
    explorer.undo()
    assert seen == [False]
    explorer.k = 7
    undo_all(explorer, 2)


def test_pinned_scores_stay_what_they_were(explorer):
    before = {name: explorer.score(name) for name in explorer.results}
    explorer.pin()
    explorer.param.update(k=1, n=3, query_text="d1")
    pinned = explorer.pinned
    kept = {name: {one: pinned.scores[name][one] for one in of} for name, of in before.items()}
    assert kept == before
    assert (pinned.rule.title, pinned.n, pinned.n_queries) == ("TAP-2", 50, 5)
    assert explorer.score("A") != before["A"]
    explorer.pin()
    pinned = explorer.pinned
    assert (pinned.rule.title, pinned.n, pinned.n_queries) == ("TAP-1", 3, 2)
    explorer.param.update(mode="e0", e0=0.25)
    explorer.pin()
    assert explorer.pinned.rule.title == "TAP at 0.25"
    explorer.unpin()
    assert explorer.pinned is None


@pytest.mark.parametrize(
    "choice", [{}, {"weights": "family"}, {"query_text": "d"}, {"quantile": 0.9}]
)
@pytest.mark.parametrize(
    ("setting", "values"),
    [("k", range(1, 9)), ("e0", (0.0, 1e-20, 1e-6, 1.0, 50.0)), ("n", (1, 2, 7, 70))],
)
def test_what_is_foreseen_is_what_is_computed_one_by_one(setting, values, choice):
    whole = {name: made(seed) for seed, name in enumerate("ABC")}
    ties = {
        name: one.replaced(score=10.0 ** np.floor(np.log10(one.score) / 3))
        for name, one in whole.items()
    }
    ties["C"] = ties["C"].replaced(reported_to=np.full(5, 2.0))

    def numbers(*, foreseen):
        explorer = Explorer(ties)
        explorer.param.update(mode="e0" if setting == "e0" else "k", **choice)
        found = []
        if foreseen:
            explorer.foresee(setting, list(values))
        for value in values:
            explorer.param.update(**{setting: value})
            for name in explorer.results:
                case = explorer.case(name)
                found += [*case.tap, case.own_roc_n]
                found += [one(score) for score in SCORES for one in (case.value, case.ties)]
                found += [explorer.measure(m.sensitivity_to_error, name, n=explorer.n)]
        return found

    one_by_one, together = (numbers(foreseen=one) for one in (False, True))
    for one, other in zip(one_by_one, together, strict=True):
        np.testing.assert_equal(one, other)


def test_numbers_of_numpy_are_plain_ones(explorer):
    explorer.e0 = explorer.scores.threshold["A"]
    explorer.k, explorer.baseline = np.int64(3), np.str_("A")
    explorer.algorithms = [np.str_("A")]
    assert "np." not in to_python(explorer, "results = ...")
    assert json.loads(to_json(explorer))["settings"]["k"] == 3


@pytest.mark.parametrize(
    ("name", "value"), [("e0", math.nan), ("e0", -math.inf), ("n", math.inf), ("k", True)]
)
def test_no_number_is_refused_at_once_and_changes_nothing(explorer, name, value):
    before = getattr(explorer, name)
    refuses(f"{name} = {value}: expected a finite number", setattr, explorer, name, value)
    assert getattr(explorer, name) == before


def test_a_setting_that_there_is_not_is_refused_with_the_nearest(explorer):
    words = "there is no setting 'queryclass': did you mean query_class?"
    refuses(re.escape(words), setattr, explorer, "queryclass", "a", error=AttributeError)
