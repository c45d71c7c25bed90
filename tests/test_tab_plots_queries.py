"""The plots of single queries: A against B, influence, violations."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.models import HoverTool

from tapviz import Explorer, load_results
from tapviz.draw.picture import Columns, Picture
from tapviz.draw.style import ink, styles
from tapviz.lists import RetrievalLists
from tapviz.live.plot import LivePlot
from tapviz.measures import Tap, tap, tap_k
from tapviz.measures.betweenness import Betweenness, betweenness_violations
from tapviz.measures.influence import influence
from tapviz.plots import PLOTS as ALL_PLOTS
from tapviz.plots import PlotData, scatter, strip, violations
from tapviz.plots import influence as influence_plot
from tapviz.plots.columns import SMALLEST
from tapviz.plots.influence import POOLED_COLOR, TAP_COLOR
from tapviz.plots.save import complete
from tests.drawn import assert_shows, renderers

EVIL = "<img src=x onerror=alert(1)>"


def lists(
    records: list[list[tuple[float, str]]], n_relevant: list[int], **options: Any
) -> RetrievalLists:
    """Lists of (score, R or I)."""
    flat = [record for found in records for record in found]
    return RetrievalLists(
        [score for score, _ in flat],
        [kind == "R" for _, kind in flat],
        np.cumsum([0, *map(len, records)]),
        n_relevant,
        **{"query": [f"q{i + 1}" for i in range(len(records))], **options},
    )


# --- A against B ------------------------------------------------------------------------------

LOOKS = styles(["A", "B"])
QUERY = np.array(["q1", "q2", "q3", "q4"])
TOTAL = np.array([1, 1, 2, 2])
A = lists([[(1, "R"), (2, "I")], [(1, "I"), (2, "R")], [], []], [1, 1, 2, 2])
B = lists([[(1, "I"), (2, "R")], [(1, "R")], [], []], [1, 1, 2, 2])


def duel() -> dict[str, Tap]:
    """TAP of A: 3/4, 1/2, 0, 0; of B: 1/2, 1, 0, 0."""
    return {"A": tap(A, 2.0), "B": tap(B, 2.0)}


def scatter_of(taps: dict[str, Tap], query: np.ndarray = QUERY) -> Mapping[str, Columns]:
    return scatter.drawn(taps, query, TOTAL[: query.size], LOOKS).columns


def test_scatter_columns() -> None:
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


def test_scatter_sides_have_their_programs_colours_and_differ_by_shape_for_every_pair() -> None:
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


def test_scatter_takes_rounding_for_equality() -> None:
    taps = duel()
    shift = np.array([0, 0, 1e-15, 1e-9])
    taps["A"] = taps["A"]._replace(per_query=taps["A"].per_query + shift)
    assert scatter_of(taps)["corner left"]["text"].tolist() == ["▲ A better: 2", "● equal: 1"]


def test_scatter_text() -> None:
    # Means 5/16 and 6/16.
    assert scatter.text(duel(), QUERY) == (
        "A has the larger TAP for 1 of 4 queries, B for 1; 2 are equal. The mean difference is "
        "-0.0625 (0.312 against 0.375), most in favour of A by query q1 (0.750 against 0.500), of "
        "B by query q2 (0.500 against 1.000)."
    )


def test_scatter_text_names_k_and_no_query_where_all_are_equal() -> None:
    one = lists([[(1, "R"), (2, "I")]], [1])
    at = tap_k(one, k=1)
    assert scatter.text({"A": at, "B": at}, one.query) == (
        "A has the larger TAP-1 for 0 of 1 query, B for 0; 1 are equal. The mean difference is "
        "+0 (0.750 against 0.750)."
    )


def test_scatter_where_tap_is_undefined_says_why() -> None:
    taps = duel()
    short = lists([[(1, "I")], [], [], []], [1, 1, 2, 2])
    taps["B"] = tap_k(short, k=5, short_lists="error")
    columns = scatter_of(taps)
    assert columns["point"]["x"].size == 0
    assert columns["corner left"]["text"].size == 0
    said = scatter.text(taps, QUERY)
    assert said == f"B has no TAP: {taps['B'].reason}"
    assert " ".join(columns["notice"]["text"]) == said
    alone = strip_of(taps["B"]).columns
    assert " ".join(alone["notice"]["text"]) == said.replace("B has", "A has")
    both = scatter.text({"A": taps["B"], "B": taps["B"]}, QUERY)
    assert both == f"A and B have no TAP: {taps['B'].reason}"
    assert scatter_of(duel())["notice"]["text"].size == 0
    assert "have 5 errors" in said


def test_scatter_of_no_query() -> None:
    empty = tap(lists([], []), 1.0)
    assert scatter_of({"A": empty, "B": empty}, QUERY[:0])["point"]["x"].size == 0
    assert scatter.text({"A": empty, "B": empty}, QUERY[:0]) == "No query is selected."
    assert strip.text("A", empty, QUERY[:0], TOTAL[:0]) == "No query is selected."


def test_scatter_escapes_names() -> None:
    looks = styles([EVIL, "B"])
    taps = dict(zip((EVIL, "B"), duel().values(), strict=True))
    shown = scatter.drawn(taps, np.array([EVIL] * 4), TOTAL, looks)
    columns, said = shown.columns, shown.by_name["point"].tooltip
    assert "<img" not in said
    assert "&lt;img src=x onerror=alert(1)&gt;" in said
    assert len(columns["corner left"]["text"][0]) < 40


# --- one algorithm alone ----------------------------------------------------------------------


def strip_of(at: Tap, n_relevant: np.ndarray = TOTAL, focus: str = "") -> Picture:
    of = slice(at.per_query.size)
    totals = strip.axis(n_relevant)
    return strip.drawn("A", at, QUERY[of], n_relevant[of], totals, LOOKS["A"], focus)


def test_strip_columns() -> None:
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


def test_strip_text() -> None:
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


def test_strip_where_tap_is_undefined_says_why() -> None:
    at = tap_k(lists([[(1, "I")], [], [], []], [1, 1, 2, 2]), k=5, short_lists="error")
    columns = strip_of(at).columns
    assert columns["point"]["x"].size == columns["mean"]["x"].size == 0
    assert strip.text("A", at, QUERY, TOTAL) == f"A has no TAP: {at.reason}"


# --- influence --------------------------------------------------------------------------------


def dominated(**options: Any) -> RetrievalLists:
    """The first query has all early errors.

    Pooled ROC_2 is 2 / (2 * 3); without q1 it is 1, without q2 or q3 2 / (2 * 2). E_1 is 4, where
    TAP is 2/3, 3/4, 1; without q1 it is 4, too; without q2 or q3 it is 1, where TAP is 3/4, 0, 0.
    """
    first, *others = [(0.5, "R"), (1, "I"), (2, "I")], [(3, "R"), (4, "I")], [(3.5, "R"), (6, "I")]
    return lists([first, *others], [1, 1, 1], **options)


INFLUENCE = influence(dominated(), k=1, n=2)


def test_influence_columns() -> None:
    shown = influence_plot.drawn(INFLUENCE)
    columns = shown.columns
    pooled, of_tap = columns["pooled"], columns["tap"]
    assert pooled["x0"] == pytest.approx([0, 0, 0])
    assert pooled["x1"] == pytest.approx([2 / 3, 1 / 6, 1 / 6])
    mean = (2 / 3 + 3 / 4 + 1) / 3
    assert of_tap["x0"] == pytest.approx([0, 3 / 8 - mean, 3 / 8 - mean])
    assert of_tap["x1"] == pytest.approx([7 / 8 - mean, 0, 0])
    # Side by side, about the middle of each row.
    assert pooled["y0"].tolist() == of_tap["y1"].tolist() == [0, -1, -2]
    assert columns["query"]["text"].tolist() == ["q1", "q2", "q3"]
    assert columns["query"]["y"].tolist() == [0, -1, -2]
    assert columns["supplied"]["text"].tolist() == ["pooled errors", "2 of 2", "0 of 2", "0 of 2"]
    assert columns["key"]["text"].tolist() == ["■ pooled ROC₂", "■ TAP-1"]
    assert columns["key"]["color"].tolist() == [POOLED_COLOR, TAP_COLOR]
    # Bars between -0.5 and 0.75, in quarters, with room for texts on both sides.
    assert columns["query"]["x"] == pytest.approx([-0.525] * 3)
    assert columns["supplied"]["x"] == pytest.approx([0.775] * 4)
    assert shown.x.start < -0.525
    assert shown.x.end > 0.775
    assert columns["row"]["x0"].tolist() == [shown.x.start] * 3
    assert (columns["row"]["y0"] > shown.y.start).all()
    assert columns["row"]["text"][0] == (
        "without <b>q1</b><br>pooled ROC<sub>2</sub> 0.3333 → 1.0000: +0.667 (+200 %)<br>"
        "TAP-1 0.8056 → 0.8750: +0.0694 (+8.62 %)<br>supplies 2 of the first 2 pooled errors"
    )
    assert influence_plot.text(INFLUENCE) == (
        "Without q1, which supplies 2 of the first 2 pooled errors, pooled ROC_2 changes by +0.667 "
        "(+200 %) from 0.333, TAP-1 by +0.0694 (+8.62 %) from 0.806; no query changes TAP-1 by "
        "more than 0.431. 1 of 3 queries supply all 2."
    )


def test_influence_shows_the_largest_changes_of_either_sign() -> None:
    rng = np.random.default_rng(7)
    result = INFLUENCE
    change = rng.normal(0, 0.01, 40)
    change[5], change[6] = np.nan, 0.0
    many = result._replace(
        query=np.array([f"q{i}" for i in range(40)]),
        pooled_without=result.pooled_roc_n + change,
        pooled_change=change,
        supplied=np.zeros(40),
        tap_without=np.full(40, result.tap),
        tap_change=np.zeros(40),
    )
    rows = influence_plot.largest(many)
    assert rows.size == influence_plot.ROWS
    drawn = np.abs(change[rows])
    assert (np.diff(drawn) <= 0).all()
    assert drawn[-1] >= np.nanmax(np.delete(np.abs(change), rows))
    columns = influence_plot.drawn(many).columns
    assert columns["pooled"]["x0"].min() == change[rows].min() < 0
    assert columns["pooled"]["x1"].max() == change[rows].max() > 0


def test_influence_scale_moves_in_steps() -> None:
    result = INFLUENCE
    nearby = result._replace(pooled_change=result.pooled_change * 1.05)
    before, after = (influence_plot.drawn(one).x for one in (result, nearby))
    assert (after.start, after.end) == (before.start, before.end)
    for size in 10.0 ** np.linspace(-12, 0, 49):
        changed = result._replace(
            pooled_change=np.array([size, -size / 3, 0]), tap_change=np.zeros(3)
        )
        columns = influence_plot.drawn(changed).columns
        low, high = columns["query"]["x"][0], columns["supplied"]["x"][0]
        assert low < -size / 3 < size < high
        if size > SMALLEST:
            assert high < 2.2 * size


def test_influence_where_tap_is_undefined() -> None:
    result = influence(dominated(), k=9, n=2)
    columns = influence_plot.drawn(result).columns
    assert columns["tap"]["x0"].size == 0
    assert columns["pooled"]["x1"].size == 3
    assert columns["key"]["text"].tolist() == ["■ pooled ROC₂"]
    said = influence_plot.text(result)
    assert "no change of TAP-9 to show: Fewer than half of the queries have 9 errors. 1" in (said)
    assert "TAP" not in columns["row"]["text"][0]


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (lists([[(1, "R"), (2, "I")]], [1]), "there is no other query."),
        (lists([[(1, "I")], [(2, "I")]], [0, 0]), "no query has a relevant record."),
    ],
)
def test_influence_of_nothing_says_why(of: RetrievalLists, said: str) -> None:
    result = influence(of, k=1, n=2)
    columns = influence_plot.drawn(result).columns
    for name in ("pooled", "tap", "query", "supplied", "row", "key"):
        assert all(values.size == 0 for values in columns[name].values()), name
    assert influence_plot.text(result) == f"There is no change of pooled ROC_2 to show: {said}"
    assert influence_plot.text(influence(lists([], []), k=1, n=2)) == "No query is selected."


def test_influence_where_a_query_has_all_relevant_records() -> None:
    result = influence(lists([[(1, "R"), (2, "I")], [(3, "I")]], [1, 0]), k=1, n=2)
    assert influence_plot.largest(result).tolist() == [1]
    assert influence_plot.text(result).endswith(
        "Without some queries pooled ROC_2 is undefined: no other query has a relevant record."
    )


def test_influence_escapes_ids() -> None:
    evil = dominated(query=[EVIL, EVIL + "2", EVIL + "3"])
    columns = influence_plot.drawn(influence(evil, k=1, n=2)).columns
    for said in columns["row"]["text"]:
        assert "<img" not in said
        assert "&lt;img src=x onerror=alert(1)&gt;" in said
    assert {len(part) for part in columns["query"]["text"]} == {influence_plot.LONGEST_QUERY}


def test_influence_percent_of_a_tiny_score() -> None:
    assert influence_plot._change(0.9, 0.004) == "+0.9 (+22,500 %)"
    assert influence_plot._change(-0.001, 0.04) == "-0.001 (-2.5 %)"
    assert influence_plot._change(0.5, 0.0) == "+0.5"


# --- violations -------------------------------------------------------------------------------


def violating(**options: Any) -> RetrievalLists:
    """ROC_2 of each query is 1, of both merged 2 / (2 * 2). E_1 is 1, where TAP is 3/4 and 0."""
    return lists(
        [[(0.5, "R"), (1, "I"), (2, "I")], [(3, "R"), (4, "I"), (6, "I")]],
        [1, 1],
        **{"query_class": ["a.1", "a.1"], **options},
    )


FOUND = betweenness_violations(violating(), n=2, k=1, kind="both")


@pytest.fixture(scope="module")
def found() -> Betweenness:
    lists = load_results()["BLASTP"]
    return betweenness_violations(lists, n=50, k=20, kind="both")


@pytest.fixture
def pooled(found: Betweenness) -> PlotData:
    data = PlotData(Explorer(load_results(), k=20, n=50, algorithms=["BLASTP"]))
    data.slow["violations"] = found
    return data


def test_a_box_over_rows_of_pooling_keeps_their_queries(pooled: PlotData) -> None:
    explorer, select = pooled.explorer, ALL_PLOTS["violations"].select
    assert select is not None
    rows = pooled.slow["violations"].violations[: violations.ROWS]
    pairs = [y for y, row in enumerate(rows) if row.kind == "pair"][:2]
    assert pairs == [0, 1]
    assert select(pooled, 0.2, 0.6, -1.2, 0.2) == ""
    ids = {query for row in rows[:2] for query in row.query.tolist()}
    assert set(explorer.selected_queries) == ids
    explorer.clear_filter()
    assert select(pooled, 0.2, 0.6, 0.7, 1.2).startswith("There is no row in the box.")
    assert explorer.selection.everything


def test_a_box_over_a_class_keeps_the_class_and_over_many_says_so(pooled: PlotData) -> None:
    explorer, select = pooled.explorer, ALL_PLOTS["violations"].select
    assert select is not None
    found = pooled.slow["violations"]
    classes = [row for row in found.violations if row.kind == "class"]
    pooled.slow["violations"] = found._replace(violations=tuple(classes))
    assert select(pooled, 0.2, 0.6, -1.2, -0.8) == ""
    assert explorer.query_class == classes[1].name
    assert set(explorer.selected_queries) == set(classes[1].query.tolist())
    explorer.clear_filter()
    many = classes[0]._replace(kind="pair", query=explorer.first.query)
    pooled.slow["violations"] = found._replace(violations=(many,))
    assert select(pooled, 0.2, 0.6, -0.2, 0.2) == (
        "The box holds 862 queries, more ids than a filter takes. Draw it over one class, or over "
        "pairs."
    )
    assert explorer.selection.everything


def test_violations_columns() -> None:
    columns = violations.drawn(FOUND).columns
    assert columns["name"]["text"].tolist() == ["q1 + q2", "class a.1 (2 queries)"]
    for layer, key, place in (
        *(("own", "x0", 1), ("own", "x1", 1), ("pooled", "x", 0.5), ("gap", "x0", 1)),
        *(("gap", "x1", 0.5), ("tap", "x0", 0), ("tap", "x1", 0.75), ("mean tap", "x", 0.375)),
    ):
        assert columns[layer][key].tolist() == [place] * 2, (layer, key)
    assert columns["tap end"]["x"].tolist() == [0, 0, 0.75, 0.75]
    assert columns["own end"]["x"].tolist() == [1, 1, 1, 1]
    # ROC_n above, TAP below the middle of the row.
    rows = columns["name"]["y"]
    assert rows.tolist() == [0, -1]
    assert (columns["own"]["y0"] > rows).all()
    assert columns["own"]["y0"].tolist() == columns["pooled"]["y"].tolist()
    assert (columns["mean tap"]["y"] < rows).all()
    assert columns["own end"]["y"].tolist() == [*columns["own"]["y0"]] * 2
    assert columns["key"]["text"].tolist() == [
        "◆ pooled ROC₂", "●━● per query", "● mean TAP", "•─• per query",
    ]  # fmt: skip


def test_violations_above_the_parts() -> None:
    result = betweenness_violations(violating(), n=2, k=1)
    high = result.violations[0]._replace(
        pooled_roc_n=0.75, roc_n=np.array([0.25, 0.5]), distance=0.25
    )
    columns = violations.drawn(result._replace(violations=(high,))).columns
    assert (columns["gap"]["x0"][0], columns["gap"]["x1"][0]) == (0.5, 0.75)
    assert (columns["own"]["x0"][0], columns["own"]["x1"][0]) == (0.25, 0.5)
    assert (
        "pooled ROC<sub>2</sub> 0.750, 0.250 above its parts: 0.250 to 0.500"
        in (columns["row"]["text"][0])
    )


def test_violations_in_words() -> None:
    numbers = (
        "pooled ROC<sub>2</sub> 0.500, 0.500 below its parts: 1.000 to 1.000<br>"
        "mean TAP 0.375, between its parts: 0.000 to 0.750"
    )
    assert violations.drawn(FOUND).columns["row"]["text"].tolist() == [
        f"<b>q1 + q2</b><br>{numbers}",
        f"<b>class a.1 (2 queries)</b><br>q1, q2<br>{numbers}",
    ]
    assert violations.text(FOUND) == (
        "Pooled ROC_2 is outside the range of its parts for 1 of 1 pair of queries and 1 of 1 "
        "class, farthest for q1 + q2 (0.500, parts 1.000 to 1.000) and class a.1 (2 queries) "
        "(0.500, parts 1.000 to 1.000). Mean TAP is never outside."
    )
    assert violations.text(betweenness_violations(violating(), n=2, k=1)) == (
        "Pooled ROC_2 is outside the range of its parts for 1 of 1 pair of queries: q1 + q2 "
        "(0.500, parts 1.000 to 1.000). Mean TAP is never outside."
    )
    some = betweenness_violations(dominated(), n=2, k=1, max_queries=2)
    assert "pair of queries (of the 2 queries that matter most)" in violations.text(some)


def test_violations_none_found() -> None:
    fine = lists([[(1, "R"), (2, "I")], [(1, "R"), (2, "I")]], [1, 1])
    result = betweenness_violations(fine, n=1, k=1)
    columns = violations.drawn(result).columns
    assert all(values.size == 0 for layer in columns.values() for values in layer.values())
    assert violations.text(result) == (
        "Pooled ROC_1 is outside the range of its parts for 0 of 1 pair of queries. Mean TAP is "
        "never outside."
    )


def test_violations_without_anything_to_merge() -> None:
    result = betweenness_violations(lists([[(1, "R")]], [1]), n=1, k=1)
    assert violations.text(result) == "There are no two queries with relevant records to merge."
    assert violations.text(None) == "Pairs and classes of queries have not been merged yet."


def test_violations_where_tap_is_undefined() -> None:
    result = betweenness_violations(violating(), n=2, k=9)
    columns = violations.drawn(result).columns
    for name in ("tap", "tap end", "mean tap"):
        assert all(values.size == 0 for values in columns[name].values())
    assert columns["pooled"]["x"].tolist() == [0.5]
    assert columns["key"]["text"].size == 2
    assert "TAP" not in columns["row"]["text"][0]
    assert violations.text(result).endswith(
        "There is no TAP-9: Fewer than half of the queries have 9 errors."
    )


def test_violations_shows_the_worst_and_long_names_have_room() -> None:
    result = betweenness_violations(violating(query=["q" * 30, "r" * 30]), n=2, k=1, kind="both")
    pair, group = result.violations
    many = (pair, *[group._replace(name="c" * 30, query=np.array(["q"] * 123))] * 30)
    shown = violations.drawn(result._replace(violations=many))
    columns = shown.columns
    assert columns["name"]["text"].size == violations.ROWS
    assert columns["name"]["text"][0] == "qqqqqqqqq… + rrrrrrrrr…"
    assert columns["name"]["text"][1] == "class ccccccccc… (123 queries)"
    assert columns["name"]["y"].min() > shown.y.start
    assert "q, q, q, q, q, q and 117 more" in columns["row"]["text"][1]


def test_violations_escapes_ids_and_classes() -> None:
    evil = violating(query=[EVIL, EVIL + "2"], query_class=[EVIL, EVIL])
    columns = violations.drawn(betweenness_violations(evil, n=2, k=1, kind="both")).columns
    said = columns["row"]["text"]
    escaped = "&lt;img src=x onerror=alert(1)&gt;"
    assert not any("<img" in part for part in said)
    assert [part.count(escaped) for part in said] == [2, 3]  # the class is named, too


# --- every picture ---------------------------------------------------------------------------


def picture(name: str, results: dict[str, RetrievalLists], **choices: Any) -> Picture:
    """A plot as a page makes it."""
    return ALL_PLOTS[name].picture(complete(Explorer(results, **choices), ALL_PLOTS[name]))


def pictures(name: str) -> list[Picture]:
    """States of a plot, the first full, the last empty."""
    if name in ("scatter", "strip"):
        found = {"A": A, "B": B} if name == "scatter" else {"A": A}
        choices = {"mode": "e0", "e0": 2.0}
        states = ({}, {"focus": "q2"}, {"query_text": "q1"}, {"query_text": "none"})
        return [picture(name, found, **choices, **state) for state in states]
    found = {"A": dominated() if name == "influence" else violating()}
    return [
        picture(name, found, **{"k": 1, "n": 2, **state})
        for state in ({}, {"k": 9}, {"query_text": "none"})
    ]


@pytest.mark.parametrize("name", ["scatter", "strip", "influence", "violations"])
def test_a_live_plot_goes_from_nothing_to_full_and_back(name: str) -> None:
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
        if name != "influence":  # nothing jumps
            for axis, other in ((shown.x, full.x), (shown.y, full.y)):
                assert (axis.start, axis.end) == (other.start, other.end)
    (tool,) = figure.select(HoverTool)
    (answering,) = tool.renderers
    (layer,) = (one for one in full.layers if one.tooltip)
    assert "{others}" in layer.tooltip or list(answering.data_source.data["text"]) == (
        layer.columns["text"].tolist()
    )


def test_the_template_of_the_mouse_follows_the_algorithms() -> None:
    choices = {"mode": "e0", "e0": 2.0}
    plot = LivePlot("scatter", picture("scatter", {"A": A, "B": B}, **choices))
    (tool,) = plot.pane.get_root().select_one({"name": "scatter"}).select(HoverTool)
    assert "<b>A</b> @y{0.000}" in tool.tooltips
    plot.push(picture("scatter", {"A": A, "B": B}, **choices, focus_algorithm="B"))
    assert "<b>B</b> @y{0.000}" in tool.tooltips


def test_columns_that_did_not_change_are_not_sent() -> None:
    plot = LivePlot("scatter", picture("scatter", {"A": A, "B": B}, mode="e0", e0=2.0))
    document = Document()
    session = SimpleNamespace()
    document._session_context = lambda: session  # as of a page that is served
    document.add_root(plot.pane.get_root())
    figure = document.select_one({"name": "scatter"})
    source = renderers(figure)["point"].data_source
    sent: list[set[str]] = []
    document.on_change(
        lambda event: sent.append(set(event.cols)) if event.model is source else None
    )
    # A now has its errors before the threshold, B as it was.
    changed = {"A": A, "B": B} | {
        "A": lists([[(1, "R")], [(1, "I"), (2, "R")], [], [(1, "R")]], [1, 1, 2, 2])
    }
    new = picture("scatter", changed, mode="e0", e0=2.0)
    plot.push(new)
    assert sent == [{"color", "y", "marker", "better"}]
    assert source.data["y"] == new.columns["point"]["y"].tolist() != [3 / 4, 1 / 2, 0, 0]
    assert source.data["query"] == ["q1", "q2", "q3", "q4"]
