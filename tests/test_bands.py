"""Bands of intervals: by hand, beside the bootstrap, and in figures."""

import csv
import io
from itertools import groupby
from zipfile import ZipFile

import numpy as np
import pytest
from scipy import stats

from tapviz import Explorer, load_results
from tapviz.draw.matplotlib import as_bytes
from tapviz.explorer.paper import figure_zip
from tapviz.measures import as_groups, bootstrap, mean_band, roc_n_curve, tap_at_thresholds
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.save import Drawn
from tests.refused import refuses


def test_a_band_of_single_queries_is_students_interval():
    values = np.random.default_rng(3).uniform(size=(4, 40))
    for row, mean, low, high in zip(values, *mean_band(values), strict=True):
        expected = stats.t.interval(0.95, 39, row.mean(), stats.sem(row))
        assert (mean, low, high) == pytest.approx((row.mean(), *expected))


def test_copies_of_a_query_in_one_group_tell_no_more_than_the_query():
    values = np.random.default_rng(4).uniform(size=(2, 12))
    copies = np.repeat(values, 3, axis=1)
    alone, grouped = mean_band(values), mean_band(copies, groups=np.repeat(np.arange(12), 3))
    for one, other in zip(alone, grouped, strict=True):
        assert other == pytest.approx(one)
    assert (mean_band(copies).high < grouped.high).all()
    weighted = mean_band(np.c_[values, np.zeros((2, 1))], weight=[*[2.0] * 12, 0.0])
    assert weighted.low == pytest.approx(alone.low)


def test_what_a_band_leaves_out_and_refuses():
    values = np.random.default_rng(5).uniform(size=(2, 12))
    undefined = np.c_[values, [np.nan, np.nan]]
    assert mean_band(undefined).high == pytest.approx(mean_band(values).high)
    few = mean_band(values, groups=np.arange(12) // 2)
    assert few.mean == pytest.approx(values.mean(axis=1))
    assert np.isnan(few.low).all()
    assert np.isnan(mean_band(np.empty((3, 0))).mean).all()
    undefined[0, 0] = np.nan
    for wrong, options, message in (
        (undefined, {}, "NaN at some places only"),
        (values[0], {}, r"one row for each place, found shape \(12,\)"),
        (values, {"weight": [1.0]}, "weight: expected one of each of 12 queries"),
        (values, {"groups": [1, 2, 3]}, "label of each of 12 queries, found 3"),
    ):
        refuses(message, mean_band, wrong, **options)


def test_the_band_at_a_threshold_is_the_interval_of_the_bootstrap():
    lists = load_results()["jackhmmer"]
    groups = as_groups("relevance", lists)
    band = mean_band(tap_at_thresholds(lists, [1e-3]), groups=groups)
    drawn = bootstrap({"one": lists}, e0=1e-3, groups=groups, n_resamples=4000, peak=False)
    interval = drawn.algorithms["one"].tap
    width = interval.high - interval.low
    assert band.mean == pytest.approx(interval.estimate)
    assert band.high - band.low == pytest.approx(width, rel=0.05)
    assert band.low == pytest.approx(interval.low, abs=0.05 * width)


@pytest.fixture(scope="module")
def explorer():
    return Explorer(load_results(), k=5, algorithms=["BLASTP", "DIAMOND_default"], groups=3)


def by_layer(drawn, plot):
    rows = csv.DictReader(io.StringIO(drawn.csv(PLOTS[plot]).decode()))
    return {name: list(of) for name, of in groupby(rows, key=lambda row: row["layer"])}


def middle_by_place(band):
    return {float(row["x"]): (float(row["y0"]) + float(row["y1"])) / 2 for row in band}


def test_bands_lie_around_the_lines_and_end_where_they_do(explorer):
    drawn = Drawn(explorer, ["tap", "roc"], bands=True)
    tap_rows, roc_rows = by_layer(drawn, "tap"), by_layer(drawn, "roc")
    for name in explorer.algorithms:
        line = {float(row["x"]): float(row["y"]) for row in tap_rows[f"curve {name}"]}
        middles = middle_by_place(tap_rows[f"band {name}"])
        assert len(middles) > 200
        assert list(middles.values()) == pytest.approx([line[x] for x in middles], abs=1e-9)
        curve = roc_n_curve(explorer.lists[name], n=1000).average
        middles = middle_by_place(roc_rows[f"band {name}"])
        assert list(middles.values()) == pytest.approx([curve[int(x) - 1] for x in middles])
    # Its lists end at an E-value of 10: nothing was measured beyond.
    last = max(middle_by_place(tap_rows["band DIAMOND_default"]))
    assert 8 < last <= 10  # the last place of the grid before it
    said = "Bands: 95 % intervals of the mean at each place (431 superfamilies, 862 queries)."
    assert said in drawn.caption


def test_no_figure_has_bands_unless_asked(explorer):
    plain, banded = Drawn(explorer, "tap"), Drawn(explorer, "tap", bands=True)
    assert not [name for name in by_layer(plain, "tap") if "band" in name]
    assert "Bands" not in plain.caption
    for drawn, n_bands in ((plain, 0), (banded, 2)):
        assert as_bytes(drawn.figure(), "svg").count(b"FillBetweenPolyCollection") == n_bands
    with pytest.raises(ValueError, match="no panel has them; TAP against E₀ and ROCₙ do"):
        Drawn(explorer, ["epq", "precision_recall"], bands=True)


def test_too_few_groups_have_no_bands_and_the_caption_says_so():
    explorer = Explorer(load_results(), k=5, algorithms=["BLASTP"], query_class="c.1", groups=2)
    drawn = Drawn(explorer, "tap", bands=True)
    assert "band BLASTP" not in by_layer(drawn, "tap")
    assert "No bands: fewer than 10 folds." in drawn.caption


def test_algorithms_stand_in_the_order_that_is_asked_for(explorer):
    usual = Drawn(explorer, "sensitivity").data.explorer
    turned = Drawn(explorer, "sensitivity", order=["DIAMOND_default"], names={"BLASTP": "blastp"})
    assert usual.shown == ["BLASTP", "DIAMOND_default"]
    assert turned.data.explorer.shown == ["DIAMOND_default", "blastp"]
    # Colours stay with the algorithms.
    assert turned.data.styles["blastp"] == PlotData(usual).styles["BLASTP"]
    with pytest.raises(ValueError, match=r"order: expected algorithms among BLASTP.*, found 'hmm'"):
        Drawn(explorer, "tap", order=["hmm"])


def test_an_archive_keeps_order_and_bands_in_its_python(explorer):
    content = figure_zip(explorer, ["tap"], "", bands=True, order=["DIAMOND_default"])
    with ZipFile(io.BytesIO(content)) as packed:
        code = packed.read("tapviz_figure.py").decode()
        assert b"band BLASTP" in packed.read("A-tap.csv")
    assert "bands=True, order=['DIAMOND_default'])" in code
