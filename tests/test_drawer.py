"""The drawer without a browser: what is sent to the page, and what the focused plots hold."""

import re
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import panel as pn
import pytest

from tapviz import Explorer, RetrievalLists, load_results
from tapviz.draw.style import styles
from tapviz.measures import precision_recall_curve, ranked_list, roc_n_curve, tap_k
from tapviz.page import Dashboard, pointing
from tapviz.page.drawer import WINDOW, Drawer, RankedLists, equation
from tapviz.plots import barcode, plots_for
from tests.pages import quiet, tell, widgets  # noqa: F401

LONG = 20_000
HOSTILE = "<img src=x onerror=alert(1)>"


def made(seed, *, longest=30):
    """Three queries; the first has a list of the length given, the last an empty one."""
    rng = np.random.default_rng(seed)
    sizes = [longest, 12, 0]
    score = np.concatenate([np.sort(10.0 ** rng.uniform(-40, 1, size)) for size in sizes])
    record = np.concatenate([rng.permutation(2 * size)[:size].astype(str) for size in sizes])
    arrays = score, rng.random(score.size) < 0.4, np.cumsum([0, *sizes]), [longest, 12, 4]
    ids = {"query": ["q1", HOSTILE, "q3"], "record": [f"r{one}" for one in record]}
    return RetrievalLists(*arrays, **ids)


@pytest.fixture
def explorer():
    return Explorer({"A": made(0), "B": made(1)}, k=3)


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    sent = []
    monkeypatch.setattr(RankedLists, "send", lambda _self, message: sent.append(message))
    return sent


@pytest.fixture
def drawer(explorer):
    made = Drawer(explorer, styles(explorer.style_order))
    names = list(explorer.param)
    explorer.param.watch(lambda *events: made.update({e.name for e in events}), names)
    return made


def told(drawer, **message):
    tell(drawer.view, **{"stamp": drawer.view.lists["stamp"], **message})


def plain(text):
    return re.sub(r"<[^>]+>", "", text).replace("\u202f", " ")


# --- what is sent -----------------------------------------------------------------------------


def test_rows_say_what_the_list_holds(drawer, explorer):
    explorer.focus = "q1"
    assert [one["name"] for one in drawer.view.lists["lists"]] == ["A", "B"]
    for name, one in zip("AB", drawer.view.lists["lists"], strict=True):
        found = ranked_list(explorer.results[name], "q1", 1.0)
        assert one["n"] == 30
        assert [row[0] for row in one["rows"]] == found.record.tolist()
        assert [row[2] for row in one["rows"]] == found.relevant.tolist()
        assert [row[3] for row in one["rows"]] == [f"{p:.3f}" for p in found.precision]
        assert [float(row[1]) for row in one["rows"]] == pytest.approx(found.score, rel=0.05)


def test_each_row_knows_its_rank_in_the_other_lists(drawer, explorer):
    explorer.focus = "q1"
    a, b = (explorer.ranked(name).record.tolist() for name in "AB")
    shared = 0
    for rank, row in enumerate(drawer.view.lists["lists"][0]["rows"], start=1):
        expected = b.index(row[0]) + 1 if row[0] in b else 0
        assert row[4] == [rank, expected]
        shared += expected > 0
    assert 0 < shared < len(a)


def test_the_sum_shown_is_the_tap_above_digit_for_digit(drawer, explorer):
    explorer.focus = "q1"
    for choices in ({"k": 1}, {"k": 5}, {"mode": "e0", "e0": 1e-20}, {"e0": 1e-60}):
        explorer.param.update(**choices)
        for name, head in zip("AB", drawer.view.heads, strict=True):
            value = explorer.tap(name).per_query[0]
            assert head["exact"] == repr(float(value))
            digits = head["tap"].split()[-1]
            assert digits == f"{value:.6f}"
            assert plain(head["equation"]).endswith(f"= {digits}")
    assert drawer.view.heads[0]["tap"].startswith("TAP ")
    assert "E<sub>0</sub> = 1e-60" in drawer.view.heads[0]["line"]


def test_only_the_heads_follow_the_threshold(drawer, explorer):
    explorer.focus = "q1"
    heard = []
    drawer.view.param.watch(lambda e: heard.append(e.name), ["heads", "lists", "about", "problem"])
    explorer.k = 1
    explorer.n = 7
    assert heard == ["heads"]


def test_of_a_long_list_only_a_window_is_sent(sent):
    explorer = Explorer({"A": made(0, longest=LONG), "B": made(1, longest=LONG)}, k=3)
    explorer.focus = "q1"
    drawer = drawn(explorer)
    for one in drawer.view.lists["lists"]:
        assert (one["n"], len(one["rows"])) == (LONG, WINDOW)
        assert sum(map(len, one["bars"].values())) <= 2 * barcode.MOST_BARS
    assert 2 * WINDOW < 200
    told(drawer, scroll=[1, LONG - 20])
    told(drawer, scroll=[0, 7_000])
    last, middle = sent[-2:]
    assert (last["place"], last["from"]) == (1, LONG - 20)
    assert [row[0] for row in last["rows"]] == explorer.ranked("B").record[-20:].tolist()
    assert len(middle["rows"]) == WINDOW
    assert middle["rows"][0][3] == f"{explorer.ranked('A').precision[7_000]:.3f}"


def test_rows_of_a_query_that_is_no_longer_shown_are_not_sent(drawer, explorer, sent):
    explorer.focus = "q1"
    old = drawer.view.lists["stamp"]
    explorer.focus = HOSTILE
    told(drawer, scroll=[0, 0], stamp=old)
    told(drawer, scroll=[7, 0])
    told(drawer, nonsense=1)
    assert sent == []


# --- choosing a query -------------------------------------------------------------------------


def test_focus_by_writing(drawer, explorer):
    told(drawer, typed="q")
    assert drawer.view.suggestions == ["q1", "q3"]
    for written, focus, problem in (
        ("q", "", "‘q’ is in 2 ids: type one in full."),
        ("zzz", "", "No query id contains ‘zzz’."),
        (" Q3 ", "q3", ""),
        ("onerror", HOSTILE, ""),
        ("", "", ""),
    ):
        told(drawer, focus=written)
        assert (explorer.focus, drawer.view.problem) == (focus, problem)
    assert drawer.view.suggestions == []


def test_steps_and_close(drawer, explorer):
    for message, focus in (({"step": 1}, "q1"), ({"step": -1}, "q3"), ({"close": True}, "")):
        told(drawer, **message)
        assert explorer.focus == focus
    assert drawer.view.lists["lists"] == drawer.view.heads == []


def test_how_a_query_is_chosen_is_said_of_the_tab_that_is_open(drawer, explorer):
    for view, tab in (("scatter", "A vs B"), ("pooled", "Why pooled differs")):
        explorer.view = view
        assert drawer.view.about == f"Click a query in the tab {tab}, or type its id."
    explorer.view = "sensitivity"  # where there are none
    first = next(one for one in plots_for(explorer) if one.query_at is not None)
    assert f"the tab {first.tab}, or" in drawer.view.about


def test_a_query_that_the_filter_leaves_out_is_said_to_be(drawer, explorer):
    explorer.focus = "q1"
    assert drawer.view.about == "T(q) = 30"
    explorer.query_text = "q3"
    assert drawer.view.about == "T(q) = 30 · not among the selected queries"


def test_an_empty_list_and_a_list_without_ids(explorer, drawer):
    explorer.focus = "q3"
    assert drawer.view.lists["lists"][0]["rows"] == []
    head = drawer.view.heads[0]
    assert head["never"] == "4 of 4 relevant never retrieved"
    assert head["sentinel"] == "nothing retrieved"
    for n in (1, 2):
        whole = RetrievalLists([1.0] * n, [True] * n, [0, n], [n], query=["q"])
        (head,) = drawn(Explorer({"A": whole}, k=1, focus="q")).view.heads
        assert head["never"] == ("1 of 1" if n == 1 else "all 2") + " relevant retrieved"
    nameless = RetrievalLists([1.0, 2.0], [True, False], [0, 2], [1], query=["q"])
    other = Explorer({"A": nameless}, k=1, focus="q")
    assert drawn(other).view.lists["lists"][0]["rows"][0] == ["", "1", 1, "1.000", [], ["", 0, ""]]


def test_without_a_threshold_the_reason_stands_in_the_place_of_the_equation(drawer, explorer):
    explorer.param.update(k=25, focus="q1")
    head = drawer.view.heads[0]
    assert head["equation"] == "Fewer than half of the queries have 25 errors."
    assert (head["tap"], head["retrieved"]) == ("TAP-25 —", -1)


def one(relevant, total):
    n = len(relevant)
    return RetrievalLists(np.arange(1.0, n + 1), np.array([*relevant]) == "R", [0, n], [total])


def test_equation_written_out():
    def written_out(relevant, total, e0):
        return plain(equation(ranked_list(one(relevant, total), 0, e0)))

    numbers = "(1.666667 + 0.500000) / 4 = 0.541667"
    assert written_out("RIRI", 3, 4.0) == f"TAP = (1/1 + 2/3 + ● 2/4) / (3 + 1)= {numbers}"
    many = written_out("R" * 9 + "I", 9, 10.0)
    assert many.startswith("TAP = (1/1 + 2/2 + 3/3 + … 4 more … + 8/8 + 9/9 + ● 9/10) / (9 + 1)")
    assert many.endswith("= (9.000000 + 0.900000) / 10 = 0.990000")
    assert written_out("RI", 1, 0.5).endswith("= 0.000000")
    assert written_out("II", 0, 2.0) == "T(q) = 0: TAP = 1 / (2 + 1) = 0.333333"


# --- the whole list in a strip ----------------------------------------------------------------


def test_barcode_has_a_bar_for_each_record():
    bars = barcode.columns(np.array([True, True, False, True]))
    corners = {kind: [own[of].tolist() for of in ("x0", "x1", "y1")] for kind, own in bars.items()}
    assert corners["relevant"] == [[0, 1, 3], [1, 2, 4], [1, 1, 1]]
    assert corners["irrelevant"] == [[2], [3], [-1]]
    assert all(not part["x0"].size for part in barcode.columns(np.zeros(0, bool)).values())


def test_bars_of_a_long_list_hold_shares_and_cover_it():
    relevant = np.random.default_rng(0).random(1_003) < 0.3
    drawn = barcode.columns(relevant, 100)
    assert len(drawn["irrelevant"]["x0"]) <= 100
    for name, kind in (("relevant", relevant), ("irrelevant", ~relevant)):
        bars = drawn[name]
        held = np.abs(bars["y1"]) * (bars["x1"] - bars["x0"])
        expected = [kind[a:b].sum() for a, b in zip(bars["x0"], bars["x1"], strict=True)]
        assert held == pytest.approx(expected)
        assert held.sum() == pytest.approx(kind.sum())


# --- in the plots -----------------------------------------------------------------------------


@pytest.fixture
def dashboard(explorer):
    return Dashboard(explorer)


def columns_of(dashboard, plot):
    return dashboard.plots[plot].picture.columns


def test_own_curves_of_the_query_in_focus(dashboard, explorer):
    for plot in ("roc", "precision_recall"):
        explorer.view = plot
        assert columns_of(dashboard, plot)["focus"]["x"].size == 0
    explorer.focus = "q1"
    lists, e_k = explorer.results["A"], tap_k(explorer.results["A"], k=3).e0
    drawn = columns_of(dashboard, "precision_recall")
    own = precision_recall_curve(lists, "q1")
    points = set(zip(drawn["focus"]["x"], drawn["focus"]["y"], strict=True))
    assert set(zip(own.recall, own.precision, strict=True)) <= points
    found, end = ranked_list(lists, "q1", e_k), drawn["focus end"]
    assert [*end["x"], *end["y"]] == pytest.approx([found.n_found / 30, found.sentinel])
    explorer.view = "roc"
    roc = columns_of(dashboard, "roc")["focus"]
    average = roc_n_curve(lists.subset(lists.query == "q1"), n=1000).average
    errors = roc["x"].astype(int)
    assert roc["y"] == pytest.approx(average[errors - 1])
    assert (errors[0], errors[-1]) == (1, 1000)
    # Between the points drawn the curve is flat, or they are neighbours.
    for left, right in pairwise(errors):
        assert right - left == 1 or np.ptp(average[left - 1 : right]) < 1e-12
    assert dashboard.plots["roc"].picture.y.end >= average.max()
    for plot, focus in (("precision_recall", "q3"), ("roc", "")):  # nothing retrieved, no query
        explorer.param.update(focus=focus, view=plot)
        assert columns_of(dashboard, plot)["focus"]["x"].size == 0


def test_curves_in_focus_are_those_of_the_algorithm_in_detail(dashboard, explorer):
    explorer.param.update(focus="q1", focus_algorithm="B")
    found = ranked_list(explorer.results["B"], "q1", explorer.tap("B").e0)
    drawn = columns_of(dashboard, "precision_recall")["focus end"]
    assert drawn["y"] == pytest.approx([found.sentinel])
    assert "q1, B" in dashboard._tab_area.caption.text
    explorer.algorithms = ["A"]
    assert columns_of(dashboard, "precision_recall")["focus end"]["y"].size == 0


def click(dashboard, x, y):
    name = dashboard.explorer.view
    figure = dashboard.plots[name].pane.get_root().select_one({"name": name})
    pointing.click(dashboard.data, SimpleNamespace(x=x, y=y, model=figure))


def test_undo_and_click_on_a_dot_and_past_all(dashboard, explorer):
    assert "undo" in dashboard._buttons.disabled
    explorer.k = 9
    assert "undo" not in dashboard._buttons.disabled
    dashboard._on_button("undo")
    assert explorer.k == 3
    assert "undo" in dashboard._buttons.disabled
    explorer.view = "scatter"
    point = columns_of(dashboard, "scatter")["point"]
    click(dashboard, point["x"][0] + 0.01, point["y"][0] - 0.01)
    assert explorer.focus == "q1"
    ring = columns_of(dashboard, "scatter")["focus"]
    assert (ring["x"], ring["y"]) == (point["x"][0], point["y"][0])
    click(dashboard, 2.0, 2.0)
    assert explorer.focus == "q1"


def test_clicks_on_dots_at_one_place_take_turns():
    empty = RetrievalLists([], [], [0, 0, 0], [4, 4], query=["a", "b"])
    other = Explorer({"A": empty, "B": empty}, mode="e0", view="scatter")
    dashboard = Dashboard(other)
    for focus in ("a", "b", "a"):
        click(dashboard, 0.0, 0.0)
        assert other.focus == focus


def boxed(dashboard, *ends, final=True):
    x0, x1, y0, y1 = ends
    geometry = {"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1}
    figure = SimpleNamespace(name=dashboard.explorer.view)
    dashboard._on_box(SimpleNamespace(geometry=geometry, final=final, model=figure))


def around_first(dashboard):
    point = columns_of(dashboard, "scatter")["point"]
    return [float(point[of][0]) + by for of in "xy" for by in (-0.01, 0.01)]


NOTHING_IN_IT = "No selected query is in the box"


def test_box_selects_and_an_empty_one_is_refused(dashboard, explorer):
    explorer.view = "scatter"
    ends = around_first(dashboard)
    boxed(dashboard, *ends, final=False)
    assert explorer.selection.everything
    boxed(dashboard, *ends)
    (box,) = explorer.boxes
    assert (explorer.selected_queries, box.a, box.b) == (["q1"], "A", "B")
    boxed(dashboard, 0.99, 1.0, 0.99, 1.0)
    assert explorer.selected_queries == ["q1"]
    assert NOTHING_IN_IT in dashboard._selection.filter.text
    explorer.k = 2
    assert NOTHING_IN_IT not in dashboard._selection.filter.text


def test_one_algorithm_alone_is_shown_clicked_and_boxed():
    explorer = Explorer({"A": made(0)}, k=3, view="strip")
    dashboard = Dashboard(explorer)
    point = columns_of(dashboard, "strip")["point"]
    assert point["y"] == pytest.approx(tap_k(made(0), k=3).per_query)
    assert point["x"] == pytest.approx(np.log10([30, 12, 4]))
    assert "<dt>Queries</dt>" in dashboard._words.text
    click(dashboard, point["x"][2], point["y"][2])
    assert explorer.focus == "q3"
    explorer.focus = ""
    low, high = float(point["y"][:2].min()), float(point["y"][:2].max())
    boxed(dashboard, 1.0, 9.9, low - 0.01, high + 0.01)
    assert explorer.selected_queries == ["q1", HOSTILE]
    (box,) = explorer.boxes
    assert (box.a, box.b, box.a_from) == ("A", "A", box.b_from)
    # Left of the box there is a query, right of it none.
    assert (explorer.min_relevant, explorer.max_relevant) == (12, None)
    other = Explorer({"A": made(0)})
    assert other.from_query(explorer.to_query()) == []
    assert other.selected_queries == ["q1", HOSTILE]
    boxed(dashboard, 0.0, 0.9, 0.0, 1.0)  # of what is selected, nothing
    assert NOTHING_IN_IT in dashboard._selection.filter.text
    assert explorer.selected_queries == ["q1", HOSTILE]
    explorer.undo()
    assert (explorer.selection.everything, explorer.min_relevant) == (True, 0)


def written(dashboard, **limits):
    """Write limits of TAP, press Keep, and read what the page says to it."""
    for closed in widgets(dashboard, pn.widgets.Button, label="Filter ▾"):
        closed.clicks += 1
    (keep,) = widgets(dashboard, pn.widgets.Button, label="Keep")
    row = next(one for one in dashboard._tab_area.view if keep in one.select(type(keep)))
    for label, value in limits.items():
        boxes = row.select(pn.widgets.FloatInput)
        (box,) = (one for one in boxes if one.label == f"TAP of {label.replace('_', ' ')}")
        box.value = value
    keep.clicks += 1
    problem = row.select(pn.pane.HTML)[-1]
    return str(problem.object) if problem.visible else ""


def test_limits_written_are_a_box(dashboard, explorer):
    explorer.view = "scatter"
    ends, names = around_first(dashboard), ("B_from", "B_to", "A_from", "A_to")
    boxed(dashboard, *ends)
    drawn = explorer.boxes
    for limits in (ends, [round(end, 4) for end in ends]):
        explorer.undo()
        assert written(dashboard, **dict(zip(names, limits, strict=True))) == ""
        assert explorer.selected_queries == ["q1"]
    assert explorer.boxes == drawn
    assert NOTHING_IN_IT in written(dashboard, A_from=0.99, A_to=1.0)
    assert explorer.boxes == drawn


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"A_from": -0.1}, "TAP of A from: enter a number from 0 to 1"),
        ({"A_to": 1.5}, "TAP of A to: enter a number from 0 to 1"),
        ({"B_to": None}, "TAP of B to: enter a number from 0 to 1"),
        ({"B_from": 0.6, "B_to": 0.5}, "The lower limit must not exceed the upper one"),
    ],
)
def test_limits_that_make_no_box_are_refused(dashboard, explorer, limits, said):
    explorer.view = "scatter"
    assert said in written(dashboard, **limits)
    assert explorer.boxes == ()


# --- classes and links -----------------------------------------------------------------------


def scope(**params):
    results = {name: load_results()[name] for name in ("BLASTP", "SSEARCH")}
    return Explorer(results, focus="d1ngka_", **params)


def drawn(explorer):
    made = Drawer(explorer, styles(explorer.style_order))
    made.update({"focus", "links"})
    return made


def test_rows_say_how_far_a_class_agrees_with_the_query():
    classes = {"d2bkma_": "a.1.1.1", "d4i0va_": "a.1.2.5", "d1dlwa_": "b.3.1.1, a.1.1.9"}
    explorer = scope(class_of_record=lambda record: classes.get(record, ""))
    assert explorer.first.query_class[explorer.first.row_of("d1ngka_")] == "a.1.1.1"
    found = {row[0]: row[5] for row in drawn(explorer).view.lists["lists"][0]["rows"]}
    assert found["d2bkma_"] == ["a.1.1.1", 7, "same family"]
    assert found["d4i0va_"] == ["a.1.2.5", 3, "same fold"]
    assert found["d1dlwa_"][2] == "same superfamily"
    assert found["d1ntva_"] == ["", 0, ""]


def test_queries_that_are_records_lend_them_their_class():
    explorer = scope()
    classes = dict(zip(explorer.first.query, explorer.first.query_class, strict=True))
    for row in drawn(explorer).view.lists["lists"][0]["rows"]:
        assert row[5][0] == classes.get(row[0], "")


def test_ids_lead_where_a_person_says_and_nowhere_else():
    explorer = scope()
    drawer = drawn(explorer)
    assert drawer.view.links["pattern"] == ""
    explorer.links = "PDB"
    drawer.update({"links"})
    assert "{id}" in drawer.view.links["pattern"]
    found = re.compile(drawer.view.links["part"])
    parts = {"d2bkma_": "2bkm", "1abc_A": "1abc", "2BKM": "2BKM"}
    assert {one: found.search(one)[1] for one in parts} == parts
    assert found.search("P12345") is None
    for own in ("https://example.org/{id}.html", "http://localhost:80/x?id={id}"):
        explorer.links = own
        assert explorer.to_query().endswith("focus=d1ngka_")
        other = scope()
        assert other.from_query(explorer.to_query()) == []
        assert other.links == own


@pytest.mark.parametrize(
    "address",
    ["javascript:alert({id})", "https://example.org/", "https://a b/{id}", "ftp://x/{id}"],
)
def test_an_address_that_is_none_is_refused(address):
    explorer = scope(links="SCOPe")
    drawer = drawn(explorer)
    drawer._on_message({"links": address})
    assert explorer.links == "SCOPe"
    assert "https://" in drawer.view.problem
    drawer._on_message({"links": ""})
    assert (explorer.links, drawer.view.problem) == ("", "")
