"""Scores of each query as tables: written, read, and compared like any others."""

import csv
import re
from contextlib import suppress
from functools import cache

import numpy as np
import pandas as pd
import pytest

from tapviz import Explorer, RetrievalLists, load_results, read, read_all
from tapviz.cli import main
from tapviz.explorer.report import report
from tapviz.lists import align
from tapviz.lists.writing import write_columns
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.readers import ReadError, detect
from tapviz.readers.inputs import open_files
from tapviz.readers.per_query import recognise
from tapviz.scores import COSTS, OFFERED, SCORES, Policies, ThresholdRule, columns, per_query, score
from tapviz.scores.findings import describe
from tapviz.scores.more import given_scores, named
from tapviz.state import Choices
from tests.damaged import ROCX, WIDE
from tests.printed import json_of, stderr_of, stdout_of
from tests.refused import error_of, refuses


def test_a_row_shorter_than_the_names_is_no_such_table():
    assert recognise([b"query\ttap\troc", b"q1\t0.5"]) is None
    assert recognise([b"query\ttap\troc", b"q1\t0.5\t1"]) is not None


def numbers(table):
    """Means with intervals, and comparisons as listed, by what they are of."""
    rows = {
        (name, column.title): one[:3]
        for name, values in table.rows.items()
        for column, one in zip(table.columns, values, strict=True)
        if column.score.in_tables
    }
    pairs = {
        (one.first, one.second, column.title): (one.p, *one.listed, *one.counts)
        for column, one in table.comparisons
    }
    return rows, pairs


MEANS = [one for one in SCORES if one.per_query is not None and one.name != "mean_epq"]
"""Scores that are means over queries at E_k, too."""
TITLES = [column.title for column in columns([ThresholdRule(k=5)], 50, MEANS)]


@cache
def scored(weights):
    """Scores of each query of a bundled data set, and what is said of their means."""
    results = load_results("profiles")
    policies = Policies(k=(5,), n_resamples=200, fixed_threshold=True, weights=weights)
    compared = [one.name for one in MEANS]
    table = score(results, policies, baseline="RPS-BLAST", compared=compared)
    return per_query(results, policies), table


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("weights", ["none", "family"])
def test_what_is_written_has_the_same_means_intervals_and_tests(tmp_path, ending, weights):
    columns, before = scored(weights)
    path = tmp_path / f"own.{ending}"
    write_columns(columns, path)
    after = score(open_files([path]).results, Policies(n_resamples=200), baseline="RPS-BLAST")
    assert str(after.groups) == str(before.groups) == "245 superfamilies, 1,351 queries"
    was, now = numbers(before), numbers(after)
    assert {title for _, title in now[0]} == {*TITLES}
    for one in now[0]:
        assert now[0][one] == pytest.approx(was[0][one], rel=1e-12)
    assert now[1].keys() == was[1].keys()
    for one, found in now[1].items():
        assert found[1:] == pytest.approx(was[1][one][1:], rel=1e-9, abs=1e-15)
        assert found[0] <= was[1][one][0]  # p is that of the worst order of ties, where it is known


def test_per_query_values_by_hand():
    lists = RetrievalLists([1, 2, 3, 1], [1, 0, 1, 0], [0, 3, 4], [2, 0], query=["a", "b"])
    found = per_query({"one": lists}, Policies(k=(), e0=(2.0,), n=1))
    assert (found["query"], found["algorithm"]) == (["a", "b"], ["one", "one"])
    assert found["n_relevant"] == [2, 0]
    assert found["TAP at 2"] == [pytest.approx((1 + 1 / 2) / 3), 1 / 2]
    assert (found["mean EPQ at 2"], found["ROC_1"][0]) == ([1, 1], 1 / 2)
    assert np.isnan(found["ROC_1"][1])
    assert "pooled ROC_1" not in found


def test_foldseeks_table_is_one_algorithm_with_a_score_for_each_level(written):
    path = written(ROCX, "foldseek.rocx")
    assert detect(path).format == "per-query"
    lists = read(path)
    assert lists.query.tolist() == ["d1a", "d2b"]
    assert lists.query_class.tolist() == ["a.1.1.1", "a.1.2.1"]
    given = {name: values.tolist() for name, values in lists.given.items()}
    assert given == {"FAM": [0.5, 1], "SFAM": [0.25, 0], "FOLD": [0, 0.125]}
    both = open_files([path, written(ROCX.replace("0.25", "0.5"), "other.rocx")]).results
    table = score(both, Policies(n_resamples=0), baseline="foldseek")
    assert list(both) == ["foldseek", "other"]
    titles = [column.title for column in table.columns if column.score.in_tables]
    assert titles == ["FAM", "SFAM", "FOLD"]
    assert [one.difference.estimate for _, one in table.comparisons] == [0, 0.125, 0]


def test_columns_of_one_table_are_algorithms(written):
    opened = open_files([written(WIDE, "dude.csv")])
    assert list(opened.results) == ["Glide", "LigUnity"]
    assert opened.results["LigUnity"].given["dude"].tolist()[::2] == [0.75, 1]
    assert np.isnan(opened.results["LigUnity"].given["dude"][1])
    (doubt,) = opened.doubts
    assert "the columns Glide, LigUnity are taken for algorithms" in doubt
    table = score(opened.results, Policies(n_resamples=0), baseline="Glide")
    assert [values[0].value for values in table.rows.values()] == [0.25, 0.875]
    ((_, one),) = table.comparisons
    assert one.counts == (2, 0, 0)  # the query without a value has no part in it


def test_a_table_in_memory_is_read_alike():
    columns = {"query": ["a", "b", "a"], "system": ["x", "x", "y"], "nDCG": [0.5, 0.25, 1.0]}
    frame = pd.DataFrame(columns)
    found = read_all(frame)
    assert list(found) == ["x", "y"]
    aligned = align(found)
    assert aligned["y"].query.tolist() == ["a", "b"]
    assert np.isnan(aligned["y"].given["nDCG"][1])
    assert read(frame, algorithm="x", queries=["b"]).given["nDCG"].tolist() == [0.25]


def test_small_values_are_better_where_somebody_says_so(written):
    path = written("query,one,other\na,1,3\nb,2,5\n")
    results = open_files([path], direction="ascending").results
    table = score(results, Policies(n_resamples=0), baseline="other")
    ((_, one),) = table.comparisons
    assert (one.difference.estimate, one.counts) == (2.5, (2, 0, 0))
    assert table.columns[0].score.less(one).estimate == -2.5


def better(name, direction="descending"):
    """Whether larger values of a column are better."""
    values = {name: np.array([0.5, 1.0])}
    lists = RetrievalLists([], [], [0, 0, 0], [0, 0], direction=direction, given=values)
    (score,) = given_scores(lists)
    return score.higher_is_better


@pytest.mark.parametrize("rule", [ThresholdRule(k=5), ThresholdRule(k=None, e0=1e-5)])
@pytest.mark.parametrize("one", [*OFFERED, *COSTS], ids=lambda one: one.name)
def test_a_column_is_better_where_the_score_of_its_title_is(one, rule):
    assert better(one.titled(rule, n=20)) == one.higher_is_better


@pytest.mark.parametrize(
    ("title", "is_better"),
    [
        *[(f"mean EPQ at {e0}", False) for e0 in ("5", "0.001", "1e-05", "10,000", "-2.5")],
        ("mean EPQ at E_7", False),
        (named("errors_at@3").title, False),
        ("errors per query at 1e-10", False),
        ("E_20", None),
        ("E_0", None),
        *[(title, True) for title in ("TAP-5", "ROC_1", "mean EPQ", "EPQ at 5", "FAM", "E", "x")],
    ],
)
def test_which_columns_are_errors_or_thresholds(title, is_better):
    assert better(title) is is_better
    # Others are as somebody says.
    assert better(title, "ascending") is (False if is_better else is_better)


def test_errors_of_queries_are_compared_as_those_of_the_lists(written, tmp_path, capsys):
    for name, errors in (("many", 4), ("few", 1)):
        rows = [
            f"1 1\n{''.join(f'0 {2 + n}{chr(10)}' for n in range(errors + q % 2))}"
            for q in range(20)
        ]
        written("\n".join(f"q{q}\n1\n{row}" for q, row in enumerate(rows)), f"{name}.spouge")
    files = [str(tmp_path / f"{name}.spouge") for name in ("many", "few")]
    out = str(tmp_path / "e.csv")
    at = ["--e0", "9", "--scores", "tap,mean_epq", "--direction", "ascending", "--resamples", "0"]
    whole = ["score", *files, *at, "--compare", "all", "--compare-by", "mean_epq"]
    of_lists = stdout_of(capsys, [*whole, "--per-query", out])
    by = ["--compare", "all", "--compare-by", "mean EPQ at 9", "--resamples", "0"]
    of_table = stdout_of(capsys, ["score", out, *by])
    said = "few does better than many: its mean EPQ at 9 is smaller by 3.000 (95 % interval 3.000"
    assert said in of_lists
    assert said in of_table
    pair = r"many - few +mean EPQ at 9 +\+3.00"
    assert re.search(pair, of_lists)
    assert re.search(pair.replace("3.00", "3.000"), of_table)


def test_nothing_is_said_of_an_order_of_ties_that_a_table_does_not_tell(written, capsys):
    path = written(halves(60), "whole.csv")
    common = ["score", str(path), "--compare", "all", "--resamples", "0"]
    said = stdout_of(capsys, common)
    assert "one does better than two" in said
    assert "Intervals and p hold for all pairs at once. Wins, ties and losses are queries." in said
    assert "order" not in said
    assert json_of(capsys, common)["holds"] == []
    # By classes it is known how far the conclusion holds.
    rows = halves(60).splitlines()
    classes = [f"{row},a.{at % 60 % 12}.{at % 2}" for at, row in enumerate(rows[1:])]
    path = written("\n".join([f"{rows[0]},class", *classes]), "classes.csv")
    said = stdout_of(capsys, ["score", str(path), *common[2:]])
    assert "What is clear holds by " in said
    assert "order" not in said


def halves(second, n=60):
    """A table of two algorithms: one has easy and hard queries, two some, and is worse by 0.1."""
    rows = [(f"q{q}", 0.9 - 0.01 * (q % 7) if q < n // 2 else 0.2) for q in range(n)]
    first = [f"{query},one,{value:.2f}\n" for query, value in rows]
    return "".join(
        [
            "query,algorithm,map\n",
            *first,
            *(f"{query},two,{value - 0.1:.2f}\n" for query, value in rows[:second]),
        ]
    )


def test_a_program_that_was_given_easy_queries_alone_is_not_called_better(written, capsys):
    path = written(halves(30), "half.csv")
    said = stdout_of(capsys, ["score", str(path), "--compare", "all", "--resamples", "0"])
    assert re.search(r"one - two +map +\+0.100 +0.100 to 0.100 +0.0002 +30 +0 +0\n", said)
    assert "one does better than two: its map is larger by 0.100 (95 % interval" in said
    assert (
        "From 30 queries: 4,999 random choices of signs of queries. 30 of 60 queries are left "
        "out of the comparison: not all programs have a score of them." in said
    )
    warning = (
        "warning: Some queries lack map: two 30 of 60 queries. By that, programs are compared "
    )
    assert f"{warning}over the 30 that all of them have; the mean of each" in said
    # What each has by itself is over all that it has: (30 * 0.2 + 30 easy ones) / 60.
    easy = sum(0.9 - 0.01 * (q % 7) for q in range(30)) / 30
    assert re.search(rf"one +{(easy + 0.2) / 2:.3f}\n", said)
    assert re.search(rf"two +{easy - 0.1:.3f}\n", said)


def test_a_difference_is_of_common_queries_before_its_interval_is_known(written):
    results = open_files([written(halves(30), "half.csv")]).results
    data = PlotData(Explorer(results, compared_score="map"))
    columns = PLOTS["differences"].picture(data).columns
    assert [*columns["value"]["text"]] == ["+0.100"]
    assert [*columns["value"]["pair"]] == ["one − two"]


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (9, "No verdict: 9 queries are too few to say how the programs would do on others; "),
        (9, "10 queries are needed.\n51 of 60 queries are left out of the comparison: not all pro"),
        (60, "From 60 queries: 4,999 random choices of signs of queries.\n"),
        (59, "1 of 60 queries is left out of the comparison: not all programs have a score of it."),
    ],
)  # fmt: skip
def test_how_many_queries_are_left_out_is_said(written, capsys, second, said):
    path = written(halves(second), "half.csv")
    found = stdout_of(capsys, ["score", str(path), "--compare", "all", "--resamples", "0"])
    assert said in found
    assert ("Some queries lack map" in found) == (second < 60)


def test_scores_of_which_the_same_is_missing_are_told_together(written):
    rows = "a,one,1,1,1\na,two,1,1,1\nb,one,1,1,1\nb,two,,,1\nc,two,1,1,1\n"
    results = open_files([written(f"query,algorithm,x,y,z\n{rows}")]).results
    said = "By that, programs are compared over the {} that all of them have; the mean of each "
    said += "program is over all that it has"
    assert [describe(one) for one in score(results).findings] == [
        f"Some queries lack x and y: one 1, two 1 of 3 queries. {said.format(1)}",
        f"Some queries lack z: one 1 of 3 queries. {said.format(2)}",
    ]
    assert score({"two": results["two"]}).findings == ()


def test_of_no_common_query_there_is_no_verdict(written):
    path = written("query,algorithm,x\na,one,1\nb,two,0.5\n")
    table = score(open_files([path]).results, Policies(n_resamples=0), baseline="all")
    (found,) = table.verdicts
    assert (found.reason, found.left_out) == ("no query has the score of all", {})


def test_a_baseline_is_compared_over_the_queries_that_both_have(written, tmp_path, capsys):
    rows = halves(30).splitlines()[1:]
    for name in ("one", "two"):
        own = [row.replace(f",{name},", ",") for row in rows if f",{name}," in row]
        written("\n".join(["query,map", *own]), f"{name}.csv")
    kept = str(tmp_path / "one.json")
    common = ["--resamples", "0"]
    stdout_of(capsys, ["score", str(tmp_path / "one.csv"), *common, "--save-baseline", kept])
    said = stdout_of(capsys, ["score", str(tmp_path / "two.csv"), *common, "--baseline", kept])
    assert re.search(r"two - one +map +-0.100 ", said)
    assert "one does better than two: its map is larger by 0.100" in said
    assert "From 30 queries: 4,999 random choices of signs of queries. 30 of 60 queries are" in said
    assert "warning: two and one are compared by map without 30 queries of which only one" in said


WRONG = [
    ("query,x\na,high\n", "line 2: expected a number, or nothing, found 'high'"),
    ("query,x\na,inf\n", "line 2: expected a number, or nothing, found 'inf'"),
    ("query,x\na,1\na,2\n", "line 3: query a is also in line 2; expected each once"),
    ("query,x\na,1,2\n", "line 2: expected 2 columns, found 3"),
    ("gene,x\na,1\n", "line 1: expected a column query, and numbers"),
    ("query,weight\na,1\n", "line 1: expected a column query, and numbers"),
]


@pytest.mark.parametrize(("content", "message"), WRONG)
def test_what_is_wrong_is_said_with_its_line(written, content, message):
    error = error_of(read, written(content), format="per-query", error=ReadError)
    assert message in str(error)


@pytest.mark.parametrize("given", [{}, {"queries": ["q1"]}], ids=["", "of some queries"])
def test_an_empty_table_is_an_error(written, given):
    refuses("the file is empty", read, written("\n"), format="per-query", **given, error=ReadError)


OTHER_TABLES = [
    "query,record,score\na,b,1\n",
    "query,evalue\na,1\n",
    "query,score,relevant\na,1,1\n",
    "a\tb\n1\t2\n",
    "query,x\na,1\na,2\nb,3\n",
]


@pytest.mark.parametrize("content", OTHER_TABLES)
def test_other_tables_are_not_taken_for_it(written, content):
    try:
        found = detect(written(content)).format
    except ReadError:
        return
    assert found != "per-query"


def test_scores_that_need_lists_are_missing_and_say_so(written, capsys):
    path = written(ROCX, "foldseek.rocx")
    message = stderr_of(capsys, ["score", str(path), "--scores", "tap"])
    assert "no score 'tap': there are FAM, SFAM, FOLD; others need ranked lists" in message
    (one,) = json_of(capsys, ["score", str(path), "--resamples", "0"])["algorithms"]
    assert (one["FAM"], one["n_queries"]) == (0.75, 2)
    lists = written("q\n1\n1 0.5\n", "own.spouge")
    assert main(["score", str(path), str(lists), "--direction", "descending"]) == 2
    assert "do not go together: FAM, SFAM, FOLD; ranked lists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("score {} -k 5 -n 10 --e0 3", "-k, --e0, -n"),
        ("score {} --ties docid --quantile .2 --short-lists pad", "--quantile, --ties, --short-"),
        ("threshold {}", "tapviz threshold"),
        ("lesson {} two={} -o lesson.html", "the lesson"),
    ],
)
def test_what_needs_ranked_lists_refuses_a_table_of_scores(written, capsys, line, what):
    path = written("query,x\na,1\nb,0.5\n", "own.csv")
    said = stderr_of(capsys, line.format(path, path).split())
    assert said.startswith(what)
    assert "only for ranked lists, and own has scores of queries without them" in said


def test_the_command_line_writes_every_score_of_every_query(tmp_path, written, capsys):
    hits = written("q\n2\n1 0.5\n0 0.25\n", "own.spouge")
    out = tmp_path / "own.csv"
    asked = ["score", str(hits), "-k", "1", "--resamples", "0", "--per-query", str(out)]
    assert main(asked) == 0
    with out.open() as file:
        (row,) = csv.DictReader(file)
    assert (row["query"], row["algorithm"], row["MAP"]) == ("q", "own", "0.5")
    assert float(row["TAP-1"]) == pytest.approx((1 + 1 / 2) / 3)
    assert main([*asked[:-1], str(tmp_path / "own.xlsx")]) == 2
    assert "expected a name that ends in .csv or .parquet" in capsys.readouterr().err


def test_choices_of_a_table_compare_its_scores(tmp_path):
    path = tmp_path / "own.parquet"
    write_columns(per_query(load_results("profiles"), Policies(k=(5,))), path)
    choices = Choices(open_files([path]).results)
    assert choices.compared_score == "TAP-5"
    names = [one.name for one in choices.scores_shown if one.in_tables]
    assert names == TITLES
    choices.query_class = "a"
    found = choices.compared(n_resamples=50)
    assert {one.score for one in found.differences} == {*names}
    assert found.verdict("MAP").place.title == "MAP"
    assert choices.findings(found) == []
    name = choices.shown[0]
    expected = choices.lists[name].given["MAP"]
    assert choices.scores["MAP"][name] == pytest.approx(np.nanmean(expected))


def given(written):
    """Two algorithms, two scores, four queries; one value is missing."""
    path = written(
        "query,algorithm,x,y\n"
        "a,one,1,0.5\nb,one,0.25,0.5\nc,one,0,0.5\nd,one,,0.5\n"
        "a,two,0.5,2\nb,two,0.5,-1\nc,two,0,0.5\nd,two,1,0.5\n"
    )
    return Explorer(open_files([path]).results)


def test_plots_of_a_table_show_the_score_compared(written):
    explorer = given(written)
    names = [plot.name for plot in plots_for(explorer)]
    assert names == ["differences", "distribution", "score_pair"]
    data = PlotData(explorer)
    drawn = PLOTS["distribution"].picture(data)
    one = drawn.by_name["curve one"].columns
    assert one["x"] == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 1])
    assert one["y"].tolist() == [1, 1, 0.25, 0.25, 0, 0]
    assert drawn.y.label == "x of a query"
    said = "Mean x of the queries: one 0.417, median 0.250; two 0.500, median 0.500."
    assert PLOTS["distribution"].text(data) == said
    points = PLOTS["score_pair"].picture(data).by_name["point"].columns
    assert points["query"].tolist() == ["a", "b", "c"]
    assert (points["y"].tolist(), points["x"].tolist()) == ([1, 0.25, 0], [0.5, 0.5, 0])
    assert PLOTS["score_pair"].text(data) == (
        "one has the better x for 1 of 3 queries, two for 1; 1 are equal. The means are 0.417 and "
        "0.500."
    )
    explorer.compared_score = "y"
    drawn = PLOTS["score_pair"].picture(data)
    assert drawn.by_name["point"].columns["x"].tolist() == [2, -1, 0.5, 0.5]
    assert drawn.x.start < -1 < 2 < drawn.x.end


def test_a_report_of_a_table_stands_still(written):
    found = report(given(written))
    assert "<script" not in found
    assert "Distribution over queries" in found


@pytest.mark.parametrize("content", [ROCX, WIDE])
def test_damaged_tables_are_refused_or_read(written, content):
    rng = np.random.default_rng(7)
    for _ in range(150):
        damaged = bytearray(content.encode())
        for at in rng.integers(0, len(damaged), rng.integers(1, 4)):
            damaged[at] = int(rng.choice([0, 9, 10, 34, 44, 45, 49, 59, 101, 255]))
        with suppress(ReadError):
            assert read(written(bytes(damaged)), format="per-query").given
