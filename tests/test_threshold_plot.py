"""The plot of the threshold for the errors that are accepted, and its place on the page."""

import re

import numpy as np
import panel as pn
import pytest

from tapviz import Explorer, RetrievalLists
from tapviz.draw.style import COLORS, brief, number
from tapviz.measures import advise, loosest_threshold, mean_recall, promised_threshold
from tapviz.page import Dashboard
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.save import complete, renamed
from tapviz.state import BY_E_VALUE

PLOT = PLOTS["threshold"]


def made(seed, direction="ascending"):
    """Lists of 12 queries that end beyond their hundredth error or so."""
    rng = np.random.default_rng(seed)
    score = np.sort(10.0 ** rng.uniform(-20, 2, (12, 30)), axis=1)
    if direction == "descending":
        score = -np.log10(score)
    return RetrievalLists(
        score.ravel(), rng.random(360) < np.tile(np.linspace(0.9, 0.1, 30), 12),
        np.arange(0, 361, 30), [40] * 12, direction=direction,
    )  # fmt: skip


def explorer(direction="ascending", **choices):
    lists = {name: made(seed, direction) for seed, name in enumerate(("A", "B"))}
    return Explorer(lists, k=1, **choices)


def test_marks_are_where_each_algorithm_makes_the_errors_accepted():
    chosen = explorer(accepted_errors=0.5)
    data = complete(chosen, PLOT)
    shown = PLOT.picture(data)
    columns = shown.columns
    at = {name: loosest_threshold(lists, errors=0.5) for name, lists in chosen.results.items()}
    scale = shown.x.scale
    assert columns["line"]["x"] == pytest.approx(np.log10([0.5, 0.5]))
    errors = scale.position([one.errors for one in at.values()])
    assert columns["threshold"]["x"] == pytest.approx(errors)
    recall = [mean_recall(chosen.results[name], one.threshold) for name, one in at.items()]
    assert columns["threshold"]["y"] == pytest.approx(recall)
    assert columns["threshold"]["color"].tolist() == list(COLORS[:2])
    advice = advise(chosen.results, errors=0.5, groups=None)
    for place, (name, one) in enumerate(advice.algorithms.items()):
        (at, least, most), (y, low, high) = one.errors[:3], one.recall[:3]
        drawn = columns[f"range {name}"]
        x = scale.position([least, most, np.nan, at, at])
        assert drawn["x"] == pytest.approx(x, nan_ok=True)
        assert drawn["y"] == pytest.approx([y, y, np.nan, low, high], nan_ok=True)
        assert columns["new"]["y"][place] == pytest.approx(y)
    # 12 queries promise nothing of half an error each.
    assert not columns["promised"]["x"].size
    assert sorted(columns["name"]["text"].tolist()) == ["A, none", "B, none"]


def test_a_threshold_that_is_promised_is_stricter_and_stands_beside_the_name():
    chosen = explorer(accepted_errors=5)
    columns = PLOT.picture(PlotData(chosen)).columns
    lists = chosen.results
    sure = {name: promised_threshold(one, errors=5, groups=None) for name, one in lists.items()}
    assert columns["promised"]["y"] == pytest.approx([one.recall for one in sure.values()])
    assert (columns["promised"]["x"] < columns["threshold"]["x"]).all()
    texts = sorted(columns["name"]["text"].tolist())
    assert texts == [f"{name} E ≤ {brief(one.threshold)}" for name, one in sure.items()]
    words = PLOT.text(PlotData(chosen))
    assert words.count("; at most so many, 90 % sure: E ≤ ") == 2


def test_what_new_queries_get_comes_when_it_is_computed():
    chosen = explorer(accepted_errors=0.5)
    data = PlotData(chosen)
    columns = PLOT.picture(data).columns
    assert columns["threshold"]["x"].size == 2
    assert not columns["new"]["x"].size
    assert "recall" in PLOT.text(data)
    assert "in the sample)" not in PLOT.text(data)
    assert PLOT.text(complete(chosen, PLOT)).count("in the sample)") == 4
    assert "none with at most so many (too few queries" in PLOT.text(data)


def test_what_new_queries_get_is_drawn_as_lines_are_whatever_order_is_asked_for():
    chosen = explorer(accepted_errors=0.5)
    reversed_columns, columns = (
        PLOT.picture(complete(renamed(chosen, {}, order), PLOT)).columns
        for order in (["B", "A"], [])
    )
    assert columns["new"]["color"].tolist() == list(COLORS[:2])
    assert reversed_columns["new"]["color"].tolist() == list(COLORS[:2])
    assert reversed_columns["threshold"]["color"].tolist() == list(COLORS[1::-1])


def test_curves_end_at_the_same_recall_whatever_is_accepted():
    chosen = explorer()
    curves = {}
    for statistic in ("mean", "median", "quantile"):
        chosen.accepted_statistic = statistic
        columns = PLOT.picture(PlotData(chosen)).columns
        curves[statistic] = columns["curve A"]
        assert columns["curve A"]["y"][-1] == pytest.approx(mean_recall(chosen.results["A"], 100.0))
    assert len({tuple(one["x"]) for one in curves.values()}) == 3


def test_scores_of_which_large_ones_are_good_are_at_least():
    chosen = explorer("descending", accepted_errors=0.5)
    chosen.accepted_errors = 5
    texts = PLOT.picture(PlotData(chosen)).columns["name"]["text"].tolist()
    assert all(" score ≥ " in text for text in texts)


def test_what_cannot_be_said_is_said_in_the_plot():
    chosen = explorer(accepted_errors=0.01)
    columns = PLOT.picture(complete(chosen, PLOT)).columns
    assert not columns["threshold"]["x"].size
    words = "12 queries cannot resolve 0.01 errors per query: one error in all is 0.083"
    assert " ".join(columns["notice"]["text"].tolist()) == words
    assert all(text.endswith(", none") for text in columns["name"]["text"].tolist())
    assert "A has no threshold (12 queries cannot resolve" in PLOT.text(PlotData(chosen))
    chosen.accepted_errors = 100
    columns = PLOT.picture(PlotData(chosen)).columns
    assert not columns["line"]["x"].size  # beyond all that was measured


def test_no_algorithm_and_no_query():
    assert PLOT.text(complete(explorer(algorithms=[]), PLOT)) == "No program is shown."
    none = explorer(query_text="nothing")
    assert "there is no query" in PLOT.text(complete(none, PLOT))


@pytest.fixture
def page():
    dashboard = Dashboard(explorer(view="threshold", accepted_errors=0.5))
    dashboard._slow["threshold"].resume()
    return dashboard


def widget(page, kind, label):
    """The widget of a kind that has a label."""
    (found,) = [one for one in page.__panel__().select(kind) if one.label == label]
    return found


def advice(page):
    """Cells of the table of thresholds."""
    text = page._tab_area.table.text
    rows = re.findall("<tr>(.*?)</tr>", text.partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row) for row in rows]
    return [[" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


def test_table_has_a_row_for_each_algorithm(page):
    rows = advice(page)
    assert [row[0] for row in rows] == ["A", "B"]
    found = advise(page.explorer.results, errors=0.5, groups=None).algorithms["A"]
    assert rows[0][1].startswith("too few queries")
    assert rows[0][4] == (
        f"({found.recall.in_sample:.3f}) {found.recall.estimate:.3f} "
        f"{found.recall.low:.3f} to {found.recall.high:.3f}"
    )
    assert "12 queries" in page._tab_area.table.text
    page.explorer.accepted_errors = 5
    sure = promised_threshold(page.explorer.results["A"], errors=5, groups=None)
    assert advice(page)[0][1] == f"{number(sure.threshold)} Use recall {sure.recall:.3f}"
    page.explorer.accepted_errors = 0.01
    assert "cannot resolve" in advice(page)[0][1]


def test_table_and_controls_are_there_only_in_their_tab(page):
    assert page._tab_area.table.visible
    page.explorer.view = "coverage"
    assert not page._tab_area.table.visible


def test_use_sets_the_threshold_for_all(page):
    at = loosest_threshold(page.explorer.results["B"], errors=0.5).threshold
    assert f'value="{at!r}"' in page._tab_area.table.text
    page._tab_area.table.choice = repr(at)
    page._tab_area.table.pressed += 1
    assert (page.explorer.mode, page.explorer.e0) == (BY_E_VALUE, at)
    page.explorer.undo()
    assert page.explorer.mode == "k"


def test_controls_lead_and_follow(page):
    chosen = page.explorer
    slider = widget(page, pn.widgets.FloatSlider, "errors per query accepted")
    slider.value = np.log10(2.0)
    assert chosen.accepted_errors == 2
    chosen.accepted_errors = 10
    assert slider.value == pytest.approx(1)
    box = widget(page, pn.widgets.FloatInput, "errors accepted")
    box.value = 500
    assert chosen.accepted_errors == box.value == 10
    quantile = widget(page, pn.widgets.FloatInput, "share of the queries")
    assert not quantile.visible
    chosen.accepted_statistic = "quantile"
    assert quantile.visible


def test_too_few_errors_for_k_lead_to_the_tab(page):
    widget(page, pn.widgets.IntInput, "k").value = 0
    told = [one.object for one in page.__panel__().select(pn.pane.HTML) if one.visible]
    assert any("for fewer errors see the tab Threshold" in str(text) for text in told)


def test_an_address_holds_no_more_errors_than_can_be_accepted():
    other = explorer(accepted_errors=2)
    assert other.from_query("?accepted_errors=1000")
    assert other.accepted.errors == 2
