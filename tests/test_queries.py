"""The table of queries and of their classes: its numbers, its order, and what is sent."""

from urllib.parse import urlencode

import numpy as np
import pytest
from scipy import stats

from tapviz import Explorer
from tapviz import measures as m
from tapviz.explorer.session import to_python
from tapviz.lists import RetrievalLists
from tapviz.page.queries import WINDOW, Queries, QueryRows
from tapviz.plots import PLOTS, PlotData
from tapviz.scores import class_table
from tapviz.state import Range
from tests.pages import quiet, tell  # noqa: F401
from tests.strategies import even

CLASSES = ["a.1.1", "a.1.2", "a.10.1", "b.4.1, a.1.7", "b.4.1", ""]
HOSTILE = "<img src=x onerror=alert(1)>"


def made(seed, n_queries=6, *, length=12):
    """Lists of equal length; the ids of the first queries are q0, q1, ..."""
    rng = np.random.default_rng(seed)
    score = np.sort(10.0 ** rng.uniform(-40, 1, (n_queries, length)), axis=1)
    rows, relevant = range(n_queries), rng.random(score.shape) < 0.4
    ids, classes = [f"q{row}" for row in rows], [CLASSES[row % len(CLASSES)] for row in rows]
    return even(score, relevant, length, query=ids, query_class=classes)


RESULTS = {"A": made(0), "B": made(1)}


@pytest.fixture
def explorer():
    return Explorer(RESULTS, mode="e0", e0=1e-10, groups=0)


@pytest.fixture
def queries(explorer, monkeypatch):
    return shown(explorer, monkeypatch)


def shown(explorer, monkeypatch):
    """The table, which follows the explorer; `sent` holds what it sends besides."""
    sent = []
    monkeypatch.setattr(QueryRows, "send", lambda _self, message: sent.append(message))
    table = Queries(PlotData(explorer), lambda: None)
    table.sent = sent
    explorer.param.watch(lambda *_: table.update(), list(explorer.param))
    return table


def told(table, **message):
    """The page tells something."""
    tell(table.view, **{"stamp": table.view.shown["stamp"], **message})


def in_order(table):
    """Show the queries, by their ids."""
    told(table, by="query")
    told(table, sort="query")


def column(table, title):
    """Cells of a column, in the rows that are shown."""
    place = [one["title"] for one in table.view.shown["columns"]].index(title)
    return [row[place] for row in table.view.shown["rows"]]


def test_a_query_of_several_classes_is_in_each_of_them():
    members = m.class_members(made(0), 2)
    held = {
        name: members.query[members.code == code].tolist()
        for code, name in enumerate(members.label.tolist())
    }
    assert held == {"a.1": [0, 1, 3], "a.10": [2], "b.4": [3, 4]}


def test_the_queries_of_a_class_are_those_that_its_filter_keeps(explorer):
    for level in (1, 2, 3):
        members = m.class_members(explorer.first, level)
        for code, name in enumerate(members.label.tolist()):
            explorer.query_class = name
            kept = np.flatnonzero(explorer.selection.mask)
            assert kept.tolist() == members.query[members.code == code].tolist()


def test_classes_with_names_are_filtered_by_level():
    names = np.array(["kinase / AGC / PKA", "kinase / CMGC", "kinases"])
    assert m.in_class(names, "kinase").tolist() == [True, True, False]
    assert m.in_class(names, "kinase / AGC").tolist() == [True, False, False]


def test_means_and_intervals_of_groups():
    values = np.random.default_rng(0).random(30)
    values[3] = np.nan
    members = m.Members(np.array(["a", "b", "c"]), np.arange(30), np.repeat([0, 1, 2], [12, 12, 6]))
    found = m.group_means(values, members)
    for code, (first, last) in enumerate(((0, 12), (12, 24), (24, 30))):
        own = values[first:last]
        own = own[~np.isnan(own)]
        assert (found.n[code], found.mean[code]) == (own.size, pytest.approx(own.mean()))
        if own.size < 10:
            assert np.isnan([found.low[code], found.high[code]]).all()
            continue
        interval = stats.ttest_1samp(own, 0).confidence_interval(0.95)
        assert [found.low[code], found.high[code]] == pytest.approx(list(interval))


def test_unequal_weights_move_the_mean_and_have_no_interval():
    members = m.Members(np.array(["a"]), np.arange(12), np.zeros(12, np.int64))
    weights = np.arange(1.0, 13.0)
    found = m.group_means(np.arange(12.0), members, weights)
    assert found.mean[0] == pytest.approx(np.average(np.arange(12.0), weights=weights))
    assert np.isnan(found.low[0])


def test_classes_say_who_does_better_on_how_many_queries(explorer):
    classes = class_table(explorer.query_table(["A", "B"]), 1)
    taps = {name: m.tap(explorer.results[name], 1e-10).per_query for name in "AB"}
    for code, rows in enumerate(([0, 1, 2, 3], [3, 4])):
        sign = np.sign(taps["A"][rows] - taps["B"][rows])
        assert (classes.n_queries[code], classes.wins[code]) == (len(rows), (sign > 0).sum())
        assert classes.losses[code] == (sign < 0).sum()
        assert classes.wins[code] + classes.ties[code] + classes.losses[code] == len(rows)
        mean = (taps["A"][rows] - taps["B"][rows]).mean()
        assert classes.difference.mean[code] == pytest.approx(mean)


def test_at_first_few_columns_and_those_on_which_a_and_b_differ_most(queries, explorer):
    titles = ["query", "class", "relevant", "A", "list", "B", "list", "A − B"]
    assert [one["title"] for one in queries.view.shown["columns"]] == titles
    a, b = (m.tap(explorer.results[name], 1e-10).per_query for name in "AB")
    most = np.argsort(-np.abs(a - b), kind="stable")
    assert column(queries, "query") == explorer.first.query[most].tolist()
    told(queries, better="a", find="q3")  # of which nothing would be seen
    assert column(queries, "query") == explorer.first.query[most].tolist()


def test_rows_hold_the_scores_errors_and_lists(queries, explorer):
    in_order(queries)
    found = {name: m.tap(explorer.results[name], 1e-10) for name in "AB"}
    assert column(queries, "query") == explorer.first.query.tolist()
    assert column(queries, "class") == CLASSES
    for name, at in found.items():
        texts = [text for text, _ in column(queries, name)]
        assert texts == [f"{value:.3f}" for value in at.per_query]
        assert column(queries, f"errors {name}") == [f"{n}" for n in at.retrieved - at.relevant]
    difference = found["A"].per_query - found["B"].per_query
    texts = [float(text.replace("−", "-")) for text, *_ in column(queries, "A − B")]
    assert texts == pytest.approx(difference, abs=0.0006)
    digits, cut = column(queries, "list")[0]
    assert digits == "".join("9" if one else "0" for one in explorer.results["A"].relevant[:12])
    assert cut == pytest.approx(found["A"].retrieved[0] / 12, abs=0.001)


def test_sorting_puts_the_largest_first_and_turns_round(queries, explorer):
    told(queries, by="query")
    ids, difference = explorer.first.query, explorer.query_table(["A", "B"]).difference
    for sort, expected in (
        ("-difference", ids[np.argsort(-difference, kind="stable")].tolist()),
        ("difference", ids[np.argsort(difference, kind="stable")].tolist()),
        ("-query", sorted(ids.tolist(), reverse=True)),
    ):
        told(queries, sort=sort)
        assert column(queries, "query") == expected
    told(queries, sort="nothing")
    assert explorer.queries_order == "-query"


def test_unknown_scores_come_last():
    table = Explorer(RESULTS, mode="e0", e0=1e-10).query_table(["A", "B"])
    table.difference[2] = np.nan
    assert table.order("difference")[-1] == table.order("difference", descending=True)[-1] == 2


def test_one_click_keeps_the_queries_on_which_one_does_better(queries, explorer):
    in_order(queries)
    a, b = (m.tap(explorer.results[name], 1e-10).per_query for name in "AB")
    ids = explorer.first.query
    for side, keep in (("a", a > b), ("equal", a == b), ("b", a < b)):
        told(queries, better=side)
        assert column(queries, "query") == ids[keep].tolist()
    told(queries, better="")
    assert queries.view.shown["n"] == ids.size


def test_a_text_finds_ids_and_classes(queries):
    in_order(queries)
    for text, found in (("Q3", ["q3"]), ("b.4", ["q3", "q4"]), ("nothing", [])):
        told(queries, find=text)
        assert column(queries, "query") == found
    assert queries.view.shown["n"] == 0


def test_rows_follow_the_subset_and_a_row_opens_its_lists(queries, explorer):
    told(queries, by="2")
    assert column(queries, "class") == ["a.1", "a.10", "b.4"]
    told(queries, within="b.4")
    assert (explorer.query_class, explorer.selected_queries) == ("b.4", ["q3", "q4"])
    told(queries, by="query")
    assert sorted(column(queries, "query")) == ["q3", "q4"]
    told(queries, focus="q4")
    assert (explorer.focus, queries.view.shown["focus"]) == ("q4", "q4")
    told(queries, focus="no such query")
    assert explorer.focus == "q4"


def test_a_and_b_are_those_of_the_page_and_change_places(queries, explorer):
    told(queries, by="query")
    assert queries.view.shown["pair"] == ["A", "B"]
    told(queries, a="B")
    assert (explorer.focus_algorithm, explorer.opponent) == ("B", "A")
    assert queries.view.shown["pair"] == ["B", "A"]


def test_of_many_queries_a_window_is_sent(monkeypatch):
    explorer = Explorer({"A": made(0, 5000, length=3), "B": made(1, 5000, length=3)}, groups=0)
    table = shown(explorer, monkeypatch)
    told(table, sort="query")
    assert (table.view.shown["n"], len(table.view.shown["rows"])) == (5000, WINDOW)
    told(table, scroll=4000)
    (message,) = table.sent
    assert [row[0] for row in message["rows"]] == sorted(explorer.first.query)[4000:4040]
    stale = table.view.shown["stamp"]
    explorer.queries_order = "-query"
    told(table, scroll=0, stamp=stale)
    assert len(table.sent) == 1


def test_one_algorithm_has_no_difference(monkeypatch):
    table = shown(Explorer({"A": made(0)}, groups=0), monkeypatch)
    told(table, by="query")
    titles = [one["title"] for one in table.view.shown["columns"]]
    assert titles == ["query", "class", "relevant", "A", "list", "errors A"]


def test_scores_of_queries_without_lists_have_no_errors(monkeypatch):
    ids = {"query": ["x", HOSTILE], "direction": "descending"}
    lists = {
        name: RetrievalLists([], [], [0, 0, 0], [0, 0], **ids, given={"auc": [low, 0.5]})
        for name, low in (("A", 0.25), ("B", 0.75))
    }
    table = shown(Explorer(lists), monkeypatch)
    told(table, by="query")
    assert [one["title"] for one in table.view.shown["columns"]] == ["query", "A", "B", "A − B"]
    assert table.view.shown["sides"] == [0, 1, 1]
    assert column(table, "query") == ["x", HOSTILE]


def test_each_part_of_the_filter_says_what_it_keeps_and_goes_by_itself(explorer):
    explorer.param.update(query_text="q", query_class="a", max_relevant=12)
    kept = {part.words: explorer.kept_by(part) for part in explorer.filter_parts}
    assert kept == {"id contains ‘q’": 6, "class a": 4, "T(q) ≤ 12": 6}
    explorer.drop(explorer.filter_parts[1])
    assert (explorer.query_text, explorer.query_class, explorer.max_relevant) == ("q", "", 12)
    assert explorer.selection.everything
    explorer.undo()
    assert explorer.query_class == "a"
    explorer.redo()
    assert explorer.query_class == ""


def test_a_new_choice_forgets_what_could_be_made_again(explorer):
    explorer.n = 7
    explorer.undo()
    assert explorer.can_redo
    explorer.query_class = "a"
    assert not explorer.can_redo
    explorer.redo()
    assert explorer.n == 50


def test_a_range_of_errors_keeps_queries_by_their_kth_error():
    explorer = Explorer(RESULTS, groups=0)
    score = m.nth_irrelevant(RESULTS["A"], n=8).score
    assert np.isnan(score).any()
    assert not np.isnan(score).all()
    limit = float(np.nanmedian(score))
    assert explorer.keep(Range("error", "A", 8.0, -np.inf, limit)) == ""
    assert explorer.selected_queries == explorer.first.query[score <= limit].tolist()
    explorer.ranges = (Range("error", "A", 8.0, np.inf, np.inf),)
    assert explorer.selected_queries == explorer.first.query[np.isnan(score)].tolist()
    assert [part.words for part in explorer.filter_parts] == ["error no. 8 of A: never"]
    explorer.ranges = ()
    assert explorer.keep(Range("error", "A", 8.0, 1e9, 1e10)).startswith("No selected query")
    assert explorer.selection.everything


def test_a_link_and_python_hold_ranges(explorer):
    for area in (
        Range("error", "A", 3.0, -np.inf, 0.5),
        Range("lead", "A", 1e-10, 1e-12, 1.0, "B", 1e-9),
        Range("found", "A", 1.0, 0.25, 1.0),
        Range("score", "A", 0.0, 0.25, 1.0, "FAM"),
    ):
        explorer.ranges = (area,)
        other = Explorer(explorer.results)
        assert other.from_query(explorer.to_query()) == []
        assert other.ranges == (area,)
        opening = "results = given"
        names = {"given": explorer.results}
        exec(to_python(explorer, opening).replace("print(", "str("), names)  # noqa: S102
        assert names["explorer"].ranges == (area,)


DAMAGED_RANGES = [
    "",
    "[]",
    '["error","A",0,0,1,"",0]',
    '["error","A",1.5,0,1,"",0]',
    '["error","A",1,2,1,"",0]',
    '["error","A",1,NaN,1,"",0]',
    '["else","A",1,0,1,"",0]',
    '["found","A",0,0,1,"",0]',
    '["influence","A",50,0,1,"",0]',  # a quantity of former versions
    '["error","Z",1,0,1,"",0]',
    '["lead","A",1,0,1,"Z",0]',
    "[" * 5000,
]


@pytest.mark.parametrize("text", DAMAGED_RANGES)
def test_a_link_with_a_damaged_range_says_so(explorer, text):
    assert bool(explorer.from_query("?" + urlencode({"ranges": text}))) == bool(text)
    assert explorer.ranges == ()


def test_a_box_in_the_histogram_of_errors_makes_a_subset():
    explorer = Explorer(RESULTS, k=8, groups=0)
    data = PlotData(explorer)
    score = m.nth_irrelevant(RESULTS["A"], n=8).score
    place = data.axis.position(np.sort(score[~np.isnan(score)]))
    middle = float(place[:2].mean())
    assert PLOTS["nth_error"].select(data, data.axis.start - 1, middle, 0, 9) == ""
    assert explorer.selected_queries == [explorer.first.query[int(np.nanargmin(score))]]
    explorer.clear_filter()
    width = data.axis.end - data.axis.start
    ends = data.axis.end + 0.03 * width, data.axis.end + 0.2 * width
    assert PLOTS["nth_error"].select(data, *ends, 0, 9) == ""
    assert explorer.selected_queries == explorer.first.query[np.isnan(score)].tolist()


def test_a_box_over_a_line_of_sorted_queries_makes_them_the_subset():
    explorer = Explorer(RESULTS, n=3, groups=0)
    data, select = PlotData(explorer), PLOTS["sensitivity"].select
    found = {name: m.sensitivity_to_error(one, n=3).per_query for name, one in RESULTS.items()}
    half = float(np.nanmedian(found["A"]))
    assert np.nanmin(found["A"]) < half < np.nanmax(found["A"])
    explorer.algorithms = ["A"]
    assert select(data, 0, 1, half, 1.02) == ""
    assert explorer.selected_queries == explorer.first.query[found["A"] >= half].tolist()
    (part,) = explorer.filter_parts
    assert part.words.startswith("A finds 0.")
    assert part.words.endswith(" before error no. 3")
    assert explorer.kept_by(part) == (found["A"] >= half).sum()
    explorer.undo()
    assert explorer.selection.everything
    # Of a share of them, as far as scores are equal.
    best = np.nanmax(found["A"])
    assert select(data, 0, 1e-6, 0, 1.02) == ""
    assert explorer.selected_queries == explorer.first.query[found["A"] == best].tolist()
    explorer.clear_filter()
    assert "no line in the box" in select(data, 1.2, 1.3, 0, 1)
    explorer.algorithms = ["A", "B"]  # of two lines the nearer one
    for name in "AB":
        middle = float(np.sort(found[name][~np.isnan(found[name])])[-1])
        assert select(data, 0, 0.01, middle - 1e-3, middle + 1e-3) == ""
        assert explorer.ranges[0].algorithm in "AB"
        explorer.clear_filter()


def test_boxes_in_plots_of_given_scores_make_subsets():
    given = {"A": np.array([0.1, 0.4, 0.4, 0.9, np.nan]), "B": np.array([0.3, 0.2, 0.8, 0.7, 0.5])}
    results = {
        name: RetrievalLists([], [], [0] * 6, [0] * 5, query=list("abcde"), given={"FAM": values})
        for name, values in given.items()
    }
    explorer = Explorer(results)
    data = PlotData(explorer)
    explorer.algorithms = ["A"]
    assert PLOTS["distribution"].select(data, 0, 1, 0.3, 1) == ""
    assert explorer.selected_queries == ["b", "c", "d"]
    assert [part.words for part in explorer.filter_parts] == ["FAM of A 0.4 to 0.9"]
    explorer.clear_filter()
    explorer.algorithms = ["A", "B"]
    dots = PLOTS["score_pair"].select
    a, b = data.pair
    assert dots(data, 0.6, 1, 0.3, 0.5) == ""  # along x that of B
    assert explorer.selected_queries == [
        query
        for query, at, of in zip("abcde", given[a], given[b], strict=True)
        if 0.3 <= at <= 0.5 and 0.6 <= of <= 1
    ]
    assert len(explorer.filter_parts) == 2
    explorer.ranges = (Range("score", "A", 0.0, 0.0, 1.0, "SUPFAM"),)  # of other results
    assert explorer.selected_queries == []


def test_the_queries_that_one_loses_become_the_subset(queries, explorer):
    told(queries, by="query")
    taps = [m.tap(explorer.results[name], 1e-10).per_query for name in "AB"]
    assert not queries.view.shown["keeps"]
    told(queries, better="b")
    assert queries.view.shown["keeps"]
    told(queries, keep=True)
    assert explorer.selected_queries == explorer.first.query[taps[0] < taps[1]].tolist()
    assert [part.words for part in explorer.filter_parts] == ["B better than A"]
    assert explorer.queries_better == ""
