"""What stands on the page when it is opened, before anything is touched."""

from __future__ import annotations

import numpy as np
import pytest

from tapviz import measures as m
from tapviz.plots.columns import HATCHED
from tests.ui.expected import FIVE, axis, bench, by_errors, cells
from tests.ui.page import FIGURES, ROC_N, Page, finite


def test_five_of_nine_algorithms_and_all_queries(page: Page) -> None:
    assert "5 of 9 programs" in page.programs()
    assert page.header() == "862 of 862 queries"
    assert sorted(page.table()) == sorted(FIVE)


def test_table_says_what_the_measures_say(page: Page) -> None:
    assert page.heads()[:3] == ["Program", "TAP-20", "E20"]
    for name, shown in page.table().items():
        lists = bench()[name]
        assert shown == cells(lists, by_errors(lists, 20)), name


@pytest.mark.parametrize("figure", FIGURES)
def test_no_figure_is_blank(page: Page, figure: str) -> None:
    def drawn() -> None:
        _, _, width, height = page.frame(figure)
        assert width > 300
        assert height > 120
        assert page.script("tapviz.colors(args[0])", figure) > 20

    page.eventually(drawn)
    for name, columns in page.layers(figure).items():
        empty = name in ("ghost", "line") or name.startswith(("focus", "beyond", "hatch"))
        empty |= name == "mean BLASTP"  # which is in detail: its mean is the layer "mean"
        if empty or name.split(" ")[-1] in set(bench()) - set(FIVE):
            continue
        for key in columns.keys() & {"x", "y", "x0", "y0", "x1", "y1"}:
            assert finite(columns[key]).size, (name, key)
    limits = page.range(figure)
    assert np.isfinite(limits).all()
    assert limits[0] < limits[1]
    assert limits[2] < limits[3]


def test_tap_curves_are_exact_where_they_are_drawn(page: Page) -> None:
    layers = page.layers("tap")
    for name in FIVE:
        drawn = layers[f"curve {name}"]
        assert len(drawn["x"]) + len(layers[f"beyond {name}"]["x"]) >= 300
        curve = m.tap_curve(bench()[name])
        thresholds = axis().threshold(np.array(drawn["x"]))
        # Not at the steps themselves: a position is a rounded threshold.
        nearest = np.searchsorted(curve.threshold, thresholds)
        low, high = (
            curve.tap[np.maximum(nearest - 2, 0)],
            curve.tap[np.minimum(nearest + 1, curve.tap.size - 1)],
        )
        seen = np.array(drawn["y"])
        assert (seen >= np.minimum(low, high) - 1e-3).all()
        assert (seen <= np.maximum(low, high) + 1e-3).all()
        assert drawn["y"][-1] == pytest.approx(curve.tap[-1])


def test_peaks_are_marked_apart_from_the_thresholds(page: Page) -> None:
    layers = page.layers("tap")
    peak, at = layers["peak"], layers["threshold"]
    assert peak["glyph"]["marker"] != at["glyph"]["marker"]
    curves = [m.tap_curve(bench()[name]) for name in FIVE]
    assert peak["y"] == pytest.approx([curve.peak_tap for curve in curves])
    assert peak["x"] == pytest.approx(axis().position([curve.peak_threshold for curve in curves]))
    table = page.table()
    assert [f"{value:.3f}" for value in peak["y"]] == [table[name][4] for name in FIVE]
    page.eventually(lambda: page.words().index("peak, not advised"))


def test_precision_recall_lines_have_ticks_and_are_faint_beyond(page: Page) -> None:
    layers = page.layers("precision_recall")
    recall = [m.mean_recall(bench()[name], by_errors(bench()[name], 20).e0) for name in FIVE]
    assert layers["end"]["x"] == pytest.approx(recall)
    for place, name in enumerate(FIVE):
        curve = m.mean_precision_recall(bench()[name])
        rest, bold = layers[f"rest {name}"], layers[f"retrieved {name}"]
        assert rest["x"] == pytest.approx(curve.recall)
        assert rest["y"] == pytest.approx(curve.precision)
        assert max(bold["x"]) == pytest.approx(recall[place])
        assert rest["glyph"]["line_alpha"] < 0.6
        assert bold["glyph"]["line_alpha"] in (None, 1)
        assert rest["glyph"]["line_color"] == bold["glyph"]["line_color"]
    texts = layers["tick label"]["text"]
    assert "0.01" in texts
    at = layers["tick label"]["x"][texts.index("0.01")]
    assert at == pytest.approx(m.mean_recall(bench()["BLASTP"], 0.01))


def test_errors_per_query_boxes_have_a_zero(page: Page) -> None:
    layers = page.layers("epq")
    grid = axis().threshold(np.array(layers["median"]["x"]))
    lists = bench()["BLASTP"]
    grid[[0, -1]] = 0, axis().high
    counted = m.epq_distribution(lists, tuple(grid.tolist()))
    assert layers["median"]["y"] == pytest.approx(np.log10(1 + counted.median))
    assert layers["mean"]["y"] == pytest.approx(np.log10(1 + counted.mean), abs=0.01)
    assert layers["mean"]["glyph"]["line_dash"] not in (None, [], "solid")
    assert layers["median"]["glyph"]["line_dash"] in (None, [], "solid")
    assert 0.0 in layers["box"]["y0"]
    least, most = (layers["whisker"]["y"][end::3] for end in (0, 1))
    assert 0.0 in least
    assert page.range("epq")[2] < 0  # a line at 0 is inside the frame
    boxed = grid[::4] <= 100  # beyond, BLASTP reported nothing
    assert layers["box"]["y1"] == pytest.approx(np.log10(1 + counted.q3[::4][boxed]))
    assert most == pytest.approx(np.log10(1 + counted.maximum[::4][boxed]))


def test_roc_curves_own_and_pooled(page: Page) -> None:
    page.tab(ROC_N)
    layers = page.eventually(lambda: page.layers("roc"))
    for name in FIVE:
        curve = m.roc_n_curve(bench()[name], n=1000)
        for kind in ("average", "pooled"):
            drawn = layers[f"{kind} {name}"]
            place = np.array(drawn["x"]).astype(int) - 1
            assert drawn["y"] == pytest.approx(getattr(curve, kind)[place])
    assert layers["line"]["x"] == [50, 50]


def test_every_name_is_written_at_the_end_of_its_line(page: Page) -> None:
    for figure in ("tap", "precision_recall"):
        others = [HATCHED] if figure == "tap" else []  # most were searched to E = 100
        assert sorted(page.layer(figure, "name")["text"]) == sorted([*FIVE, *others])


def test_zero_has_a_place_of_its_own(page: Page) -> None:
    drawn = page.layer("tap", "curve jackhmmer")
    assert drawn["x"][0] == pytest.approx(axis().zero)
    assert drawn["y"][0] == pytest.approx(m.tap(bench()["jackhmmer"], 0).value)


def test_the_page_says_whose_data(open_page) -> None:
    page = open_page()
    page.browsed.get_by_text("What counts as relevant").click()
    page.sees("a domain of the same superfamily is relevant")
