"""Sensitivity up to the n-th error, with a panel for each level of the classes."""

from pathlib import Path

import numpy as np
import pytest

from tapviz import Explorer
from tapviz.cli import main
from tapviz.measures import sensitivity_to_error
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.sensitivity import STEP
from tapviz.readers import ReadOptions
from tapviz.readers.inputs import ResultFile, open_files

DATA = Path(__file__).parents[1] / "notebooks" / "data"
LEVELS = ("family", "superfamily", "fold")
FILES = [ResultFile(str(DATA / f"{name}.tsv.gz")) for name in ("blastp", "ssearch")]


def options(*standards):
    return ReadOptions(
        labels=str(DATA / "classes.tsv.gz"),
        queries=str(DATA / "queries.txt"),
        standard=standards,
    )


@pytest.fixture(scope="module")
def opened():
    return open_files(FILES, options())


def area(layers, name, place):
    """Area below a curve in a panel."""
    x, y = layers[f"curve {name}"]["x"] - STEP * place, layers[f"curve {name}"]["y"]
    known = (x >= 0) & (x <= 1)
    return float(np.sum(np.diff(x[known]) * (y[known][1:] + y[known][:-1]) / 2))


@pytest.mark.parametrize("n", [1, 5])
def test_the_area_of_each_panel_is_the_mean_of_that_standard(opened, n):
    explorer = Explorer(opened.results, judging=opened.judging, n=n)
    layers = PLOTS["sensitivity"].picture(PlotData(explorer)).columns
    assert layers["panel"]["text"].tolist() == [*LEVELS]
    for place, level in enumerate(LEVELS):
        alone = open_files(FILES, options(level)).results  # read anew
        for name, lists in alone.items():
            mean = sensitivity_to_error(lists, n=n).value
            assert area(layers, name, place) == pytest.approx(mean, abs=1e-12)


def test_a_subset_is_that_of_every_panel(opened):
    explorer = Explorer(opened.results, judging=opened.judging, n=1)
    explorer.query_class = "a"
    data = PlotData(explorer)
    some = explorer.first.query[explorer.selection.mask]
    assert 0 < some.size < explorer.first.n_queries
    layers = PLOTS["sensitivity"].picture(data).columns
    for place, level in enumerate(LEVELS):
        lists = opened.judged(level).results["blastp"]
        part = lists.subset(np.isin(lists.query, some))
        mean = sensitivity_to_error(part, n=1).value
        if np.isfinite(mean):
            assert area(layers, "blastp", place) == pytest.approx(mean, abs=1e-12)
    words = PLOTS["sensitivity"].text(data)
    places = [words.index(f"{level.capitalize()}: ") for level in LEVELS]
    assert places == sorted(places)


def test_a_box_in_a_panel_keeps_the_queries_that_its_standard_says(opened):
    explorer = Explorer(opened.results, judging=opened.judging, n=1)
    data = PlotData(explorer)
    for place, level in enumerate(LEVELS):
        explorer.clear_filter()
        name = explorer.shown[0]
        found = sensitivity_to_error(explorer.judged(level)[name], n=1).per_query
        ids = explorer.judged(level)[name].query
        worst = np.nanmin(found)
        expected = set(ids[found == worst].tolist())
        assert 0 < len(expected) < explorer.first.n_queries
        line = PLOTS["sensitivity"].picture(data).columns[f"curve {name}"]
        inside = (line["x"] >= STEP * place) & (line["x"] <= STEP * place + 1)
        at = line["x"][inside & (line["y"] == worst)]
        box = (at.min() - 0.01, at.max() + 0.01, worst - 0.01, worst + 0.01)
        explorer.algorithms = [name]
        assert PLOTS["sensitivity"].select(data, *box) == ""
        explorer.algorithms = [*explorer.style_order]
        assert set(explorer.selected_queries) == expected
        (part,) = explorer.filter_parts
        assert part.words.endswith(f"before error no. 1 ({level})")
        assert explorer.kept_by(part) == len(expected)
        other = Explorer(opened.results, judging=opened.judging)
        assert other.from_query(explorer.to_query()) == []
        assert other.selected_queries == explorer.selected_queries
    (problem,) = Explorer(opened.results).from_query(explorer.to_query())  # judged in one way alone
    assert problem.startswith("ranges = ")
    assert problem.endswith("in the address cannot be used here")
    one = Explorer(opened.results)
    with pytest.raises(ValueError, match="the results are judged by one standard alone"):
        explorer.ranges[0].holds(one.results)


def test_what_one_standard_alone_judges_has_one_panel(opened):
    picture = PLOTS["sensitivity"].picture(PlotData(Explorer(opened.results)))
    assert "panel" not in picture.columns
    assert picture.x.end < STEP + 1


def test_printed_with_a_panel_for_each(tmp_path):
    out = tmp_path / "levels.csv"
    files = [str(one.file) for one in FILES]
    given = ["--labels", str(DATA / "classes.tsv.gz"), "--queries", str(DATA / "queries.txt")]
    asked = ["figure", *files, *given, "--plot", "sensitivity", "-n", "1"]
    assert main([*asked, "-o", str(out)]) == 0
    assert all(level in out.read_text() for level in LEVELS)
    assert main([*asked, "-o", str(tmp_path / "levels.svg")]) == 0
    assert all(f">{level}<" in (tmp_path / "levels.svg").read_text() for level in LEVELS)
