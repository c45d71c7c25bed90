"""The plots of single queries: A against B, and why pooled scores differ."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.models import HoverTool

from tapviz import Explorer, load_results
from tapviz.draw.style import ink, styles
from tapviz.lists import RetrievalLists
from tapviz.live.plot import LivePlot
from tapviz.measures import tap, tap_k
from tapviz.plots import PLOTS as ALL_PLOTS
from tapviz.plots import PlotData, pooled, scatter, strip
from tapviz.plots.save import complete
from tests.drawn import assert_shows, renderers

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
        "-0.0625 (0.312 against 0.375), most in favour of A by query q1 (0.750 against 0.500), of "
        "B by query q2 (0.500 against 1.000)."
    )


def test_scatter_text_names_k_and_no_query_where_all_are_equal():
    one = lists([[(1, "R"), (2, "I")]], [1])
    at = tap_k(one, k=1)
    assert scatter.text({"A": at, "B": at}, one.query) == (
        "A has the larger TAP-1 for 0 of 1 query, B for 0; 1 are equal. The mean difference is "
        "+0 (0.750 against 0.750)."
    )


def test_scatter_where_tap_is_undefined_says_why():
    taps = duel()
    short = lists([[(1, "I")], [], [], []], [1, 1, 2, 2])
    taps["B"] = tap_k(short, k=5, short_lists="error")
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
    total = np.array([1, 10, 100, 0])
    shown = strip_of(duel()["A"], total, focus="q2")
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
    plot = ALL_PLOTS["pooled"]
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
    others = Explorer(results, ["SSEARCH", "MMseqs2_iter3"], n=200)
    data = PlotData(others)
    said = "MMseqs2_iter3 before SSEARCH, even without the 20 of 862 queries with most of its"
    assert said in pooled.answer(data)
    assert not pooled.picture(data).columns["turn"]["y0"].size


def test_where_no_order_differs_that_is_said():
    said = pooled.answer(PlotData(Explorer(load_results(), ["SSEARCH", "BLASTP"])))
    assert said == (
        "Pooled ROC_50 and TAP-20 order no two programs shown differently. "
        "Nearest to it: SSEARCH 0.240, BLASTP 0.221."
    )
    one = Explorer({"A": dominated()["A"]}, n=2)
    assert pooled.answer(PlotData(one)) == (
        "Pooled ROC_2 of A is 0.333, 1.000 without the 1 query with most errors. "
        "There is no second program to compare it with."
    )


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (
            lists([[(1, "I")], []], [0, 0]),
            "There is no pooled ROC_2: no query has a relevant record.",
        ),
        (lists([[(1, "R")], []], [1, 0]), "Pooled ROC_2 of A is 1.000. There is no second program"),
    ],
)
def test_why_pooled_differs_of_nothing_says_why(of, said):
    explorer = Explorer({"A": of}, n=2)
    assert pooled.answer(PlotData(explorer)).startswith(said)
    explorer.query_text = "nobody"
    assert pooled.text(PlotData(explorer)) == "No query is selected."


def test_why_pooled_differs_escapes_ids_and_names():
    found = dominated(query=[EVIL, "q2", "q3"])
    data = PlotData(Explorer({EVIL: found["A"], "B": found["B"]}, **AT_5))
    tips = pooled.picture(data).columns["row"]["text"]
    assert not any("<img" in tip for tip in tips)
    assert "<img" not in ALL_PLOTS["pooled"].caption_shown(data)


def picture(name, results, **choices):
    """A plot as a page makes it."""
    return ALL_PLOTS[name].picture(complete(Explorer(results, **choices), ALL_PLOTS[name]))


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


def test_columns_that_did_not_change_are_not_sent():
    plot = LivePlot("scatter", picture("scatter", {"A": A, "B": B}, mode="e0", e0=2.0))
    document = Document()
    session = SimpleNamespace()
    document._session_context = lambda: session  # as of a page that is served
    document.add_root(plot.pane.get_root())
    figure = document.select_one({"name": "scatter"})
    source = renderers(figure)["point"].data_source
    sent = []
    document.on_change(
        lambda event: sent.append(set(event.cols)) if event.model is source else None
    )
    # A now has its errors before the threshold, B as it was.
    new_a = lists([[(1, "R")], [(1, "I"), (2, "R")], [], [(1, "R")]], [1, 1, 2, 2])
    changed = {"A": new_a, "B": B}
    new = picture("scatter", changed, mode="e0", e0=2.0)
    plot.push(new)
    assert sent == [{"color", "y", "marker", "better"}]
    assert source.data["y"] == new.columns["point"]["y"].tolist() != [3 / 4, 1 / 2, 0, 0]
    assert source.data["query"] == ["q1", "q2", "q3", "q4"]
