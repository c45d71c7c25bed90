"""Plots of differences: of every two algorithms, and of a new one from an old one."""

import csv
import io
import re
from functools import cache

import numpy as np
import pytest

from tapviz import Explorer, load_results
from tapviz.draw.bokeh import BokehPicture
from tapviz.draw.table import to_csv
from tapviz.lists import RetrievalLists
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.plots import differences as forest
from tapviz.plots.save import complete, file_content
from tapviz.scores import COMPARABLE, Policies, check, differences, read_limit, score
from tests.drawn import assert_shows

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
        records = np.tile(np.arange(1.0, 31.0), 12), relevant.ravel(), np.arange(0, 361, 30)
        results[f"program {place + 1}"] = RetrievalLists(*records, [30] * 12)
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
        pair = shown.pair_at(data, x, y)
        assert pair == tuple(re.findall("<b>(.*?)</b>", text))
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


def test_an_algorithm_without_a_score_has_no_row_and_is_named():
    names = (*NAMES[:3], "DIAMOND_default")
    data = complete(explorer(names), FOREST)
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
    expected = by_pair(of_four(), "tap")
    low = {name: one.difference.low for name, one in expected.items()}
    assert {row["pair"]: float(row["x0"]) for row in bars} == pytest.approx(low, rel=1e-9)


def test_another_score_changes_ticks_and_the_title_of_the_axis():
    chosen = explorer()
    data = complete(chosen, FOREST)
    drawn = BokehPicture(FOREST.picture(data))
    before = dict(drawn.figure.yaxis[0].major_label_overrides)
    chosen.compared_score = "pooled_roc_n"
    drawn.update(FOREST.picture(data))
    assert_shows(drawn.figure, drawn.picture)
    assert drawn.figure.xaxis[0].axis_label == "pooled ROC₅₀, first − second"
    assert drawn.figure.yaxis[0].major_label_overrides == drawn.picture.y.ticks != before


def test_names_are_no_markup():
    evil = "<img src=x onerror=alert(1)>"
    results = load_results()
    data = complete(Explorer({evil: results["BLASTP"], "phmmer": results["phmmer"]}), FOREST)
    for text in FOREST.picture(data).columns["row"]["text"]:
        assert "<img" not in text


def two_versions():
    """Twelve queries of one relevant record: the new one finds it first or second, as the old one.

    In class a.1 it became worse for three of four queries, in b.1 better for eight of eight.
    """
    first, last = [True, False], [False, True]
    new, old = [last] * 3 + [first] * 9, [first] * 4 + [last] * 8
    lists = {
        name: RetrievalLists(
            [1.0, 2.0] * 12,
            np.concatenate(rows),
            np.arange(0, 25, 2),
            [1] * 4 + [5] * 8,
            query=[f"q{n}" for n in range(12)],
            query_class=["a.1"] * 4 + ["b.1"] * 8,
        )
        for name, rows in (("new", new), ("old", old))
    }
    chosen = {"focus_algorithm": "new", "opponent": "old", "groups": 0, "queries_by": "2"}
    return PlotData(Explorer(lists, ["new", "old"], mode="e0", e0=2.0, **chosen))


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


@pytest.mark.parametrize(("focus", "other", "verdict"), [
    ("MMseqs2_iter3", "MMseqs2", "passes"), ("MMseqs2", "MMseqs2_iter3", "fails")
])  # fmt: skip
def test_the_plot_says_what_the_gate_says(focus, other, verdict):
    results = {name: load_results()[name] for name in (focus, other)}
    chosen = Explorer(results, [*results], focus_algorithm=focus, opponent=other)
    said = PLOTS["regressions"].text(complete(chosen, PLOTS["regressions"]))
    assert f"a gate at tap < 0 {verdict}" in said
    table = score(results, Policies(k=(20,)), baseline=other)
    (gate,) = check(table, [read_limit("tap < 0")], other)
    assert gate.failed == (verdict == "fails")


def test_without_a_second_program_there_is_nothing_to_compare_with():
    one = PlotData(explorer(("BLASTP",)))
    assert "regressions" not in [plot.name for plot in plots_for(one.explorer)]
    data = two_versions()
    data.explorer.query_text = "none of them"
    assert PLOTS["regressions"].text(data) == "No query is selected."
    missing = PLOTS["regressions"].picture(data).columns["missing"]
    assert missing["text"].tolist() == ["No query is selected."]
