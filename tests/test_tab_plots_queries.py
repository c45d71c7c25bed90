"""Plots of single queries, of why pooled scores differ, and of differences between algorithms."""

import csv
import io
import itertools
import re
from functools import cache

import numpy as np
import pytest
from bokeh.models import HoverTool

from tapviz import Explorer, load_results
from tapviz.draw.bokeh import BokehPicture
from tapviz.draw.style import ink, styles
from tapviz.draw.table import to_csv
from tapviz.lists import RetrievalLists
from tapviz.live.plot import LivePlot
from tapviz.measures import tap, tap_k
from tapviz.plots import PLOTS, PlotData, plots_for, pooled, scatter, strip
from tapviz.plots import differences as forest
from tapviz.plots.save import complete, file_content
from tapviz.scores import COMPARABLE, Policies, check, differences, read_limit, score
from tapviz.state.query_filter import Box
from tests.drawn import assert_shows, renderers
from tests.strategies import even

EVIL = "<img src=x onerror=alert(1)>"


def lists(records, n_relevant, **options):
    """Lists of (score, R or I)."""
    flat = [record for found in records for record in found]
    return RetrievalLists(
        [score for score, _ in flat],
        [kind == "R" for _, kind in flat],
        np.cumsum([0, *map(len, records)]),
        n_relevant,
        **{"query": [f"q{i + 1}" for i in range(len(records))], **options},
    )


LOOKS = styles(["A", "B"])
QUERY = np.array(["q1", "q2", "q3", "q4"])
TOTAL = np.array([1, 1, 2, 2])
A = lists([[(1, "R"), (2, "I")], [(1, "I"), (2, "R")], [], []], [1, 1, 2, 2])
B = lists([[(1, "I"), (2, "R")], [(1, "R")], [], []], [1, 1, 2, 2])


def duel():
    """TAP of A: 3/4, 1/2, 0, 0; of B: 1/2, 1, 0, 0."""
    return {"A": tap(A, 2.0), "B": tap(B, 2.0)}


def scatter_of(taps, query=QUERY):
    return scatter.drawn(taps, query, TOTAL[: query.size], LOOKS).columns


def test_scatter_columns():
    columns = scatter_of(duel())
    point = columns["point"]
    for shown in (point, strip_of(duel()["A"]).columns["point"]):
        assert shown["query"].tolist() == ["q1", "q2", "q3", "q4"]
        assert shown["total"].tolist() == [1, 1, 2, 2]
    assert point["x"] == pytest.approx([1 / 2, 1, 0, 0])
    assert point["y"] == pytest.approx([3 / 4, 1 / 2, 0, 0])
    assert point["color"].tolist() == [
        LOOKS["A"].color, LOOKS["B"].color, scatter.SAME, scatter.SAME,
    ]  # fmt: skip
    assert point["marker"].tolist() == ["triangle", "diamond", "circle", "circle"]
    assert point["better"].tolist() == ["A", "B", "equal", "equal"]
    assert columns["diagonal"]["x"].tolist() == columns["diagonal"]["y"].tolist() == [0, 1]
    assert columns["corner left"]["text"].tolist() == ["▲ A better: 1", "● equal: 2"]
    assert columns["corner left"]["color"][0] == ink(LOOKS["A"].color)
    assert columns["corner right"]["text"].tolist() == ["◆ B better: 1"]
    assert columns["corner right"]["color"].tolist() == [ink(LOOKS["B"].color)]


def test_scatter_sides_have_their_programs_colours_and_differ_by_shape_for_every_pair():
    """Programs five apart in the list have one colour, and different dashes."""
    names = [*"ABCDEFGHI"]
    looks = styles(names)
    for a, b in itertools.permutations(names, 2):
        taps = dict(zip((a, b), duel().values(), strict=True))
        columns = scatter.drawn(taps, QUERY, TOTAL, looks).columns
        sides = [looks[a].color, looks[b].color]
        assert columns["point"]["color"][:3].tolist() == [*sides, scatter.SAME]
        said = [columns["corner left"]["color"][0], *columns["corner right"]["color"]]
        assert said == [ink(color) for color in sides]
        assert len(set(columns["point"]["marker"])) == 3


def test_scatter_takes_rounding_for_equality():
    taps = duel()
    shift = np.array([0, 0, 1e-15, 1e-9])
    taps["A"] = taps["A"]._replace(per_query=taps["A"].per_query + shift)
    assert scatter_of(taps)["corner left"]["text"].tolist() == ["▲ A better: 2", "● equal: 1"]


def test_scatter_text():
    # Means 5/16 and 6/16.
    assert scatter.text(duel(), QUERY) == (
        "A has the larger TAP for 1 of 4 queries, B for 1; 2 are equal. The mean difference is "
        "−0.062 (0.312 against 0.375), most in favour of A by query q1 (0.750 against 0.500), of "
        "B by query q2 (0.500 against 1.000)."
    )


def test_scatter_text_names_k_and_no_query_where_all_are_equal():
    one = lists([[(1, "R"), (2, "I")]], [1])
    at = tap_k(one, k=1)
    assert scatter.text({"A": at, "B": at}, one.query) == (
        "A has the larger TAP-1 for 0 of 1 query, B for 0; 1 are equal. The mean difference is "
        "0.000 (0.750 against 0.750)."
    )


def test_scatter_where_tap_is_undefined_says_why():
    taps = duel()
    taps["B"] = tap_k(lists([[(1, "I")], [], [], []], [1, 1, 2, 2]), k=5, short_lists="error")
    columns = scatter_of(taps)
    assert (columns["point"]["x"].size, columns["corner left"]["text"].size) == (0, 0)
    said = scatter.text(taps, QUERY)
    assert said == f"B has no TAP: {taps['B'].reason}"
    assert " ".join(columns["notice"]["text"]) == said
    alone = strip_of(taps["B"]).columns
    assert " ".join(alone["notice"]["text"]) == said.replace("B has", "A has")
    both = scatter.text({"A": taps["B"], "B": taps["B"]}, QUERY)
    assert both == f"A and B have no TAP: {taps['B'].reason}"
    assert scatter_of(duel())["notice"]["text"].size == 0
    assert "have 5 errors" in said


def test_scatter_of_no_query():
    empty = tap(lists([], []), 1.0)
    assert scatter_of({"A": empty, "B": empty}, QUERY[:0])["point"]["x"].size == 0
    assert scatter.text({"A": empty, "B": empty}, QUERY[:0]) == "No query is selected."
    assert strip.text("A", empty, QUERY[:0], TOTAL[:0]) == "No query is selected."


def test_scatter_escapes_names():
    looks = styles([EVIL, "B"])
    taps = dict(zip((EVIL, "B"), duel().values(), strict=True))
    shown = scatter.drawn(taps, np.array([EVIL] * 4), TOTAL, looks)
    columns, said = shown.columns, shown.by_name["point"].tooltip
    assert "<img" not in said
    assert "&lt;img src=x onerror=alert(1)&gt;" in said
    assert len(columns["corner left"]["text"][0]) < 40


def strip_of(at, n_relevant=TOTAL, focus=""):
    of = slice(at.per_query.size)
    totals = strip.axis(n_relevant)
    return strip.drawn("A", at, QUERY[of], n_relevant[of], totals, LOOKS["A"], focus)


def test_strip_columns():
    shown = strip_of(duel()["A"], np.array([1, 10, 100, 0]), focus="q2")
    columns, point = shown.columns, shown.columns["point"]
    assert point["y"] == pytest.approx([3 / 4, 1 / 2, 0, 0])
    assert point["x"][:3] == pytest.approx([0, 1, 2])
    assert shown.x.start < point["x"][3] < 0  # T(q) = 0 has a place of its own
    assert set(point["color"]) == {LOOKS["A"].color}
    assert (columns["focus"]["x"], columns["focus"]["y"]) == (point["x"][1], 0.5)
    assert columns["mean"]["y"].tolist() == [5 / 16] * 2
    assert columns["corner"]["text"].tolist() == ["mean TAP 0.312"]


def test_strip_text():
    # 3/4, 1/2, 0, 0
    assert strip.text("A", duel()["A"], QUERY, TOTAL) == (
        "The mean TAP of A over 4 queries is 0.312; half of the queries lie from 0.000 to 0.562, "
        "the median is 0.250. It is 0.625 for the 2 queries with T(q) of at most 1, 0.000 for the "
        "others. The lowest is that of q3 (0.000), the highest that of q1 (0.750)."
    )
    one = lists([[(1, "R"), (2, "I")]], [1])
    assert strip.text("A", tap_k(one, k=1), one.query, one.n_relevant) == (
        "The mean TAP-1 of A over 1 query is 0.750; half of the queries lie from 0.750 to 0.750, "
        "the median is 0.750."
    )


def test_strip_where_tap_is_undefined_says_why():
    at = tap_k(lists([[(1, "I")], [], [], []], [1, 1, 2, 2]), k=5, short_lists="error")
    columns = strip_of(at).columns
    assert columns["point"]["x"].size == columns["mean"]["x"].size == 0
    assert strip.text("A", at, QUERY, TOTAL) == f"A has no TAP: {at.reason}"


def dominated(**options):
    """The first query of A has all early errors.

    Pooled ROC_2 of A is 2 / (2 * 3), without q1 it is 1; that of B is 4 / (2 * 3), without q1 it is
    2 / (2 * 2). At E_0 = 5 TAPs of A are 2/3, 3/4, 1, those of B 1, 1, 0.
    """
    first, *others = [(0.5, "R"), (1, "I"), (2, "I")], [(3, "R"), (4, "I")], [(3.5, "R"), (6, "I")]
    opponent = [[(0.5, "R"), (9, "I")], [(0.6, "R"), (9.5, "I")], []]
    found = [first, *others], opponent
    return {name: lists(of, [1, 1, 1], **options) for name, of in zip("AB", found, strict=True)}


AT_5 = {"mode": "e0", "e0": 5.0, "n": 2}


def test_why_pooled_differs_names_the_queries_and_turns_the_order():
    data = PlotData(Explorer(dominated(), **AT_5))
    columns = pooled.picture(data).columns
    assert columns["supplied"]["query"].tolist() == ["q1"]
    assert columns["supplied"]["x1"] - columns["supplied"]["x0"] == pytest.approx([1])
    assert columns["number"]["text"].tolist() == ["2"]
    assert columns["query"]["text"].tolist() == ["all queries", "− q1"]
    assert columns["scores"]["text"].tolist() == ["0.333 · 0.667", "1.000 · 0.500"]
    axis = pooled.picture(data).x
    assert axis.values(columns["score A"]["x"]) == pytest.approx([1 / 3, 1])
    assert axis.values(columns["score B"]["x"]) == pytest.approx([2 / 3, 1 / 2])
    assert columns["turn"]["y0"].tolist() == [-1.5]
    assert "<b>A</b> 2 of 2<br><b>B</b> 1 of 2<br>without it:" in columns["row"]["text"][1]
    answer = "Pooled ROC_2 puts B before A; without q1, 1 of 3 queries, it does not."
    assert pooled.answer(data) == answer
    # Over n = 3 A has 5/9, and from n = 4 on no less than 2/3, which B has at every n.
    assert pooled.text(data) == (
        f"{answer} Then 1.000 against 0.500. Of the first 2 pooled errors of A q1 supplies 2; "
        "1 of 3 queries supplies all. Pooled ROC_n puts B before A for n = 1 to 3, of 1 to 1,000."
    )
    plot = PLOTS["pooled"]
    assert plot.caption_shown(data).startswith("Pooled ROC<sub>2</sub> puts B before A;")
    assert plot.caption_of(data) == "pooled errors by query, and pooled ROC₂ without them"


def test_a_click_on_a_bar_finds_its_query():
    data = PlotData(Explorer(dominated(), **AT_5))
    assert [pooled.query_at(data, 0.3, y, 0, 0) for y in (0.2, -0.9, -2.0)] == [[], ["q1"], []]


def test_why_pooled_differs_of_the_bundled_results():
    results = load_results()
    both = ["DIAMOND", "MMseqs2_iter3"]
    said = pooled.text(PlotData(Explorer(results, both)))
    assert said.startswith(
        "Pooled ROC_50 puts DIAMOND before MMseqs2_iter3; without d1ps9a3 and d1twfa_, "
        "2 of 862 queries, it does not; leaving out d1twfa_ alone is enough. "
        "Then 0.232 against 0.219."
    )
    three = Explorer(results, [*both, "BLASTP"])
    assert pooled.answer(PlotData(three)).startswith("Pooled ROC_50 puts DIAMOND before MMseqs2_it")
    three.param.update(focus_algorithm="BLASTP", opponent="MMseqs2_iter3")  # of A vs B
    assert pooled.answer(PlotData(three)).startswith("Pooled ROC_50 puts BLASTP before MMseqs2_it")
    three.n = 60  # at which DIAMOND is no longer before it
    assert "puts BLASTP before MMseqs2_iter3" in pooled.answer(PlotData(three))
    data = PlotData(Explorer(results, ["SSEARCH", "MMseqs2_iter3"], n=200))
    said = "MMseqs2_iter3 before SSEARCH, even without the 20 of 862 queries with most of its"
    assert said in pooled.answer(data)
    assert not pooled.picture(data).columns["turn"]["y0"].size


def test_where_no_order_differs_that_is_said():
    assert pooled.answer(PlotData(Explorer(load_results(), ["SSEARCH", "BLASTP"]))) == (
        "Pooled ROC_50 and TAP-20 rank the programs shown alike. "
        "Nearest to another order: SSEARCH 0.240, BLASTP 0.221."
    )
    assert pooled.answer(PlotData(Explorer({"A": dominated()["A"]}, n=2))) == (
        "Pooled ROC_2 of A is 0.333, 1.000 without the 1 query with most errors. "
        "There is no second program to compare it with."
    )
    twice = Explorer(dict.fromkeys("AB", dominated()["A"]), n=2)
    assert pooled.answer(PlotData(twice)) == (
        "Pooled ROC_2 of A is 0.333, of B 0.333: TAP-20 ranks neither above the other."
    )


NOTHING_POOLED = [
    (lists([[(1, "I")], []], [0, 0]), "There is no pooled ROC_2: no query has a relevant record."),
    (lists([[(1, "R")], []], [1, 0]), "Pooled ROC_2 of A is 1.000. There is no second program"),
]


@pytest.mark.parametrize(("of", "said"), NOTHING_POOLED)
def test_why_pooled_differs_of_nothing_says_why(of, said):
    explorer = Explorer({"A": of}, n=2)
    assert pooled.answer(PlotData(explorer)).startswith(said)
    explorer.query_text = "nobody"
    assert pooled.text(PlotData(explorer)) == "No query is selected."


def test_why_pooled_differs_escapes_ids_and_names():
    found = dominated(query=[EVIL, "q2", "q3"])
    data = PlotData(Explorer({EVIL: found["A"], "B": found["B"]}, **AT_5))
    assert not any("<img" in tip for tip in pooled.picture(data).columns["row"]["text"])
    assert "<img" not in PLOTS["pooled"].caption_shown(data)


def picture(name, results, **choices):
    """A plot as a page makes it."""
    return PLOTS[name].picture(complete(Explorer(results, **choices), PLOTS[name]))


def pictures(name):
    """States of a plot, the first full, the last empty."""
    if name in ("scatter", "strip"):
        found = {"A": A, "B": B} if name == "scatter" else {"A": A}
        choices = {"mode": "e0", "e0": 2.0}
        states = ({}, {"focus": "q2"}, {"query_text": "q1"}, {"query_text": "none"})
        return [picture(name, found, **choices, **state) for state in states]
    states = ({}, {"algorithms": ["B"]}, {"query_text": "q1"}, {"query_text": "none"})
    return [picture(name, dominated(), **AT_5, **state) for state in states]


@pytest.mark.parametrize("name", ["scatter", "strip", "pooled"])
def test_a_live_plot_goes_from_nothing_to_full_and_back(name):
    states = pictures(name)
    full, *_, empty = states
    plot = LivePlot(name, empty)
    figure = plot.pane.get_root().select_one({"name": name})
    for shown in (*states, *reversed(states)):
        plot.push(shown)
        assert_shows(figure, shown)
        for layer, renderer in renderers(figure).items():
            assert len({len(values) for values in renderer.data_source.data.values()}) == 1
            if type(renderer.glyph).__name__ in ("Quad", "Segment"):
                # No field says what colour these have.
                assert "color" not in shown.columns[layer]
        for layer in shown.layers:
            assert layer.columns.keys() == full.by_name[layer.name].columns.keys()
        if name != "pooled":  # nothing jumps
            for axis, other in ((shown.x, full.x), (shown.y, full.y)):
                assert (axis.start, axis.end) == (other.start, other.end)
    (tool,) = figure.select(HoverTool)
    (answering,) = tool.renderers
    (layer,) = (one for one in full.layers if one.tooltip)
    texts = list(answering.data_source.data["text"]) if "{others}" not in layer.tooltip else None
    assert texts is None or texts == layer.columns["text"].tolist()


def test_the_template_of_the_mouse_follows_the_algorithms():
    choices = {"mode": "e0", "e0": 2.0}
    plot = LivePlot("scatter", picture("scatter", {"A": A, "B": B}, **choices))
    (tool,) = plot.pane.get_root().select_one({"name": "scatter"}).select(HoverTool)
    assert "<b>A</b> @y{0.000}" in tool.tooltips
    plot.push(picture("scatter", {"A": A, "B": B}, **choices, focus_algorithm="B"))
    assert "<b>B</b> @y{0.000}" in tool.tooltips


FOREST = PLOTS["differences"]
NAMES = ("BLASTP", "phmmer", "MMseqs2_iter3", "jackhmmer")


def explorer(names=NAMES, **choices):
    results = load_results()
    return Explorer({name: results[name] for name in names}, list(names), **choices)


@cache
def of_four(score="tap"):
    return complete(explorer(compared_score=score), FOREST)


def many(n):
    """So many algorithms of twelve queries, each a little worse than the one before."""
    rng = np.random.default_rng(0)
    results = {}
    for place in range(n):
        relevant = np.sort(rng.random((12, 30)) < 0.8 - 0.03 * place, axis=1)[:, ::-1]
        results[f"program {place + 1}"] = even([np.arange(1.0, 31.0)] * 12, relevant, 30)
    return Explorer(results, list(results), k=3)


def by_pair(data, score):
    """Every two, the better one first, by what its row is called."""
    found = [
        one.turned if one.difference.estimate < 0 else one
        for one in differences(data.compared, score)
    ]
    return {f"{one.first} − {one.second}": one for one in found}


@pytest.mark.parametrize("score", list(COMPARABLE))
def test_rows_are_the_differences_most_apart_first(score):
    data = of_four(score)
    expected, measured = by_pair(data, score), COMPARABLE[score]
    picture = FOREST.picture(data)
    rows = {text: -at for at, text in picture.y.ticks.items()}
    assert sorted(expected, key=lambda name: -expected[name].difference.estimate) == [*rows]
    assert [*rows.values()] == [0, 1, 2, 3, 4, 5]
    columns = picture.columns
    for kind in ("clear", "open"):
        for x, y, pair in zip(*(columns[kind][of] for of in ("x", "y", "pair")), strict=True):
            assert (rows[pair], measured.less(expected[pair]).estimate) == (-y, x)
            assert expected[pair].clear == (kind == "clear")
    bars = columns["bar"]
    assert len(bars["pair"]) == sum(np.isfinite(one.difference.low) for one in expected.values())
    for x0, x1, pair in zip(bars["x0"], bars["x1"], bars["pair"], strict=True):
        assert (x0, x1) == measured.less(expected[pair])[1:]
        assert expected[pair].clear == (x0 > 0 or x1 < 0)


def test_a_row_by_hand():
    """Ten queries: A finds its relevant record first in all, B in none but one."""
    first, last = [True, False], [False, True]
    lists = {
        name: RetrievalLists([1.0, 2.0] * 10, np.concatenate(rows), np.arange(0, 21, 2), [1] * 10)
        for name, rows in (("A", [first] * 10), ("B", [first, *[last] * 9]))
    }
    data = complete(Explorer(lists, ["A", "B"], k=1, mode="e0", e0=2.0), FOREST)
    columns = FOREST.picture(data).columns
    # TAP is (1 + 1/2) / 2 and (1/2 + 1/2) / 2: apart by 1/4 for nine queries of ten. Of 512 choices
    # of their signs, and all turned round, the one query that is equal leaves two as extreme.
    assert columns["clear"]["x"] == pytest.approx([0.225])
    assert columns["value"]["text"].tolist() == ["+0.225, p 0.004"]
    tip = columns["row"]["text"][0]
    assert ", p 0.004" in tip
    assert "a clear difference" in tip
    assert "9 wins, 1 tie, 0 losses" in tip
    assert tip.endswith("10 queries")
    assert FOREST.text(data) == (
        "By TAP at 2 1 of 1 pair of programs differs clearly: A against B +0.225 "
        f"({COMPARABLE['tap'].between(*by_pair(data, 'tap')['A − B'].difference[1:])}, p 0.004)."
    )


def test_a_click_finds_the_pair():
    data = of_four()
    shown = FOREST
    box = shown.picture(data).columns["row"]
    middles = (box["x0"] + box["x1"]) / 2, (box["y0"] + box["y1"]) / 2
    for x, y, text in zip(*middles, box["text"], strict=True):
        assert shown.pair_at(data, x, y) == tuple(re.findall("<b>(.*?)</b>", text))
    assert shown.pair_at(data, 0.5, 0.9) is None
    assert shown.pair_at(data, 0.5, -40) is None


def test_until_intervals_are_there_dots_are_shown_without_them():
    data = PlotData(explorer())
    columns = FOREST.picture(data).columns
    full = FOREST.picture(of_four()).columns
    both = np.concatenate([full["clear"]["x"], full["open"]["x"]])
    assert sorted(columns["open"]["x"]) == pytest.approx(sorted(both))
    assert not columns["bar"]["x0"].size
    assert not columns["clear"]["x"].size
    assert columns["key"]["text"].tolist() == ["computing intervals …"]
    assert "p" not in columns["value"]["text"][0]
    assert columns["row"]["text"][0].endswith("interval and p: computing …")
    assert FOREST.text(data).endswith("are being computed.")


def test_without_any_interval_nothing_is_called_unclear():
    data = of_four("peak_tap")
    columns = FOREST.picture(data).columns
    assert columns["open"]["x"].size == 6
    assert columns["key"]["text"].tolist() == ["○ no interval is known"]
    assert FOREST.text(data) == (
        "No difference by peak TAP has an interval: what groups of queries contribute to it is not "
        "known."
    )
    chosen = explorer(compared_score="peak_tap", peak_interval=True)
    assert " pairs of programs differ clearly" in FOREST.text(complete(chosen, FOREST))


@pytest.mark.parametrize("n", [2, 5, 8, 9, 20])
def test_any_number_of_algorithms_has_room(n):
    data = complete(many(n), FOREST)
    picture = FOREST.picture(data)
    assert_shows(BokehPicture(picture).figure, picture)
    rows = picture.y.ticks or {}
    pairs = n * (n - 1) // 2
    assert len(rows) == (pairs if pairs <= forest.ROWS else n - 1)
    assert ("pairs" in picture.x.label) == (pairs > forest.ROWS)
    assert picture.tall * forest.USUAL >= len(rows) * forest.ROW
    for width in (86, 178):
        assert file_content(data, FOREST, "svg", width=width)


def test_of_too_many_pairs_those_of_one_algorithm_are_shown():
    chosen = many(9)
    chosen.focus_algorithm = "program 4"
    data = complete(chosen, FOREST)
    assert all("program 4" in (one.first, one.second) for one in forest.shown(data))
    chosen.baseline = "program 7"
    assert all("program 7" in (one.first, one.second) for one in forest.shown(data))


def test_what_is_missing_is_said():
    def said(chosen):
        data = complete(chosen, FOREST)
        return FOREST.picture(data).columns["missing"]["text"][0], PLOTS["differences"].text(data)

    few = "Differences are of two programs: tick at least two."
    assert said(explorer(algorithms=["BLASTP"])) == (few, few)
    label, words = said(explorer(("BLASTP", "DIAMOND_default")))
    assert label.startswith("DIAMOND_default: Fewer than half of the queries have 20 errors")
    assert words
    one = Explorer({"BLASTP": load_results()["BLASTP"]})
    assert "differences" not in {shown.name for shown in plots_for(one)}


def test_nothing_is_called_clear_of_queries_that_were_chosen_by_how_programs_do():
    names = ("BLASTP", "jackhmmer")
    box = Box(*names, 20, 20, 0, 0.5, 0.5, 1)  # jackhmmer is better on all of them
    data = complete(explorer(names, boxes=(box,), opponent="jackhmmer"), FOREST)
    drawn = FOREST.picture(data).columns
    assert drawn["bar"]["x0"] > 0
    assert (drawn["clear"]["x"].size, drawn["open"]["x"].size) == (0, 1)
    assert drawn["key"]["text"].tolist() == ["○ not judged"]
    assert "clear difference" not in drawn["row"]["text"][0]
    why = "these queries were chosen by how programs do on them"
    assert FOREST.text(data) == f"By TAP-20 no difference is judged: {why}."
    assert "clear loss" not in PLOTS["regressions"].text(data)


def test_an_algorithm_without_a_score_has_no_row_and_is_named():
    data = complete(explorer((*NAMES[:3], "DIAMOND_default")), FOREST)
    picture = FOREST.picture(data)
    assert len(picture.y.ticks or {}) == 3
    assert picture.x.label == "TAP-20, first − second (3 of 6 pairs)"
    text = FOREST.text(data)
    said = "DIAMOND_default: Fewer than half of the queries have 20 errors."
    assert text.startswith(f"No difference is defined with {said} By TAP-20 ")


def test_a_score_that_is_no_mean_over_queries_has_p_but_no_wins():
    columns = FOREST.picture(of_four("pooled_roc_n")).columns
    assert all(", p " in text for text in columns["value"]["text"])
    for text in columns["row"]["text"]:
        assert "clear difference" in text
        assert "wins" not in text


def test_a_table_of_the_differences_names_the_pairs():
    rows = list(csv.DictReader(io.StringIO(to_csv(FOREST.picture(of_four())))))
    bars = [row for row in rows if row["layer"] == "bar"]
    low = {name: one.difference.low for name, one in by_pair(of_four(), "tap").items()}
    assert {row["pair"]: float(row["x0"]) for row in bars} == pytest.approx(low, rel=1e-9)


def test_another_score_changes_ticks_and_the_title_of_the_axis():
    chosen = explorer()
    data = complete(chosen, FOREST)
    drawn = BokehPicture(FOREST.picture(data))
    before = dict(drawn.figure.yaxis[0].major_label_overrides)
    changes = []

    def changed(attr, _old, _new):
        changes.append(attr)

    for axis in (*drawn.figure.xaxis, *drawn.figure.yaxis):
        axis.on_change("axis_label", changed)
        axis.on_change("major_label_overrides", changed)
    for one in drawn.figure.renderers:
        one.data_source.on_change("data", changed)
    chosen.compared_score = "pooled_roc_n"
    drawn.update(FOREST.picture(data))
    assert_shows(drawn.figure, drawn.picture)
    assert drawn.figure.xaxis[0].axis_label == "pooled ROC₅₀, first − second"
    assert drawn.figure.yaxis[0].major_label_overrides == drawn.picture.y.ticks != before
    # The page fits letters of all when texts arrive.
    assert changes[:2] == ["axis_label", "major_label_overrides"]
    assert set(changes[2:]) == {"data"}


def test_names_are_no_markup():
    results = load_results()
    data = complete(Explorer({EVIL: results["BLASTP"], "phmmer": results["phmmer"]}), FOREST)
    for text in FOREST.picture(data).columns["row"]["text"]:
        assert "<img" not in text


def two_versions():
    """Twelve queries of one relevant record: the new one finds it first or second, as the old one.

    In class a.1 it became worse for three of four queries, in b.1 better for eight of eight.
    """
    first, last = [True, False], [False, True]
    new, old = [last] * 3 + [first] * 9, [first] * 4 + [last] * 8
    known = {"query": [f"q{n}" for n in range(12)], "query_class": ["a.1"] * 4 + ["b.1"] * 8}
    new, old = (even([[1.0, 2.0]] * 12, rows, [1] * 4 + [5] * 8, **known) for rows in (new, old))
    chosen = {"focus_algorithm": "new", "opponent": "old", "groups": 0, "queries_by": "2"}
    return PlotData(Explorer({"new": new, "old": old}, ["new", "old"], mode="e0", e0=2.0, **chosen))


def test_where_a_new_version_lost_is_told_by_size_and_class():
    data = two_versions()
    plot = PLOTS["regressions"]
    picture = plot.picture(data)
    # TAP is (1 + 1/2) / 2 or (1/2 + 1/2) / 2 where one record is relevant: apart by 1/4. Of five it
    # is (1 + 1/2) / 6 or (1/2 + 1/2) / 6: apart by 1/12.
    assert picture.y.ticks == {
        0.0: "all queries", -1.0: "1 to 2 relevant", -2.0: "3 to 5 relevant", -3.0: "a.1"
    }  # fmt: skip
    small, large = -3 / 4 / 4, 1 / 12
    every = (4 * small + 8 * large) / 12
    better, worse = picture.columns["better"], picture.columns["worse"]
    assert better["x1"].tolist() == pytest.approx([large])
    assert worse["x1"].tolist() == pytest.approx([every, small, small])
    assert worse["y0"].tolist() == pytest.approx([-0.34, -1.34, -3.34])
    assert picture.columns["value"]["text"].tolist() == [
        "−0.007   +8 −3", "−0.188   +0 −3", "+0.083   +8 −0", "−0.188   +0 −3"
    ]  # fmt: skip
    assert plot.text(data) == (
        "new against old: TAP at 2 −0.007; better for 8, worse for 3 of 12. Most is lost in a.1 "
        "(−0.188, 4 queries)."
    )
    assert [plot.query_at(data, 0.0, -row, 1.0, 1.0) for row in (3, 4)] == [["q0"], []]


@pytest.mark.parametrize(("focus", "other", "found"), [
    ("MMseqs2_iter3", "MMseqs2", "no"), ("MMseqs2", "MMseqs2_iter3", "a")
])  # fmt: skip
def test_the_plot_says_what_the_gate_says(focus, other, found):
    results = {name: load_results()[name] for name in (focus, other)}
    chosen = Explorer(results, [*results], focus_algorithm=focus, opponent=other)
    said = PLOTS["regressions"].text(complete(chosen, PLOTS["regressions"]))
    assert f", {found} clear loss; " in said
    table = score(results, Policies(k=(20,)), baseline=other)
    (gate,) = check(table, [read_limit("tap < 0")], other)
    assert gate.failed == (found == "a")


def test_without_a_second_program_there_is_nothing_to_compare_with():
    one = PlotData(explorer(("BLASTP",)))
    assert "regressions" not in [plot.name for plot in plots_for(one.explorer)]
    data = two_versions()
    data.explorer.query_text = "none of them"
    assert PLOTS["regressions"].text(data) == "No query is selected."
    missing = PLOTS["regressions"].picture(data).columns["missing"]
    assert missing["text"].tolist() == ["No query is selected."]
