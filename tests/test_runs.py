"""What runs cost, and several runs of one system as one algorithm, with their spread."""

import csv
import io
import json
import math
import re

import numpy as np
import panel as pn
import pytest

from tapviz import Explorer, RetrievalLists, load_results, read
from tapviz.cli import main
from tapviz.draw.style import styles
from tapviz.explorer.report import report
from tapviz.explorer.score_table import score_table
from tapviz.labels import Held
from tapviz.lists.runs import Run, as_systems, systems, version_key
from tapviz.measures import Interval, as_groups, pairwise
from tapviz.measures.bootstrap import bootstrap
from tapviz.page.tab_area import TabArea
from tapviz.page.texts import PlotHeads
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.plots.cost import front
from tapviz.plots.save import complete
from tapviz.readers.inputs import guess, open_files
from tapviz.readers.runs import read_runs
from tapviz.scores import SCORES, Case, Memo, Policies, SystemCase, ThresholdRule, named, score
from tapviz.scores.case import bootstrap_cases
from tapviz.state import Choices
from tests.printed import json_of, stdout_of
from tests.refused import refuses
from tests.strategies import even

TIMED = """\tCommand being timed: "blastp -query q.fa -db scope"
\tUser time (seconds): 100.50
\tSystem time (seconds): 1.50
\tElapsed (wall clock) time (h:mm:ss or m:ss): {elapsed}
\tMaximum resident set size (kbytes): 2000000
\tExit status: 0
"""
NAN = math.nan


def hits(folder, name, e_values=(1e-9, 0.5)):
    row = "{}\t{}\t56.9\t108\t46\t1\t1\t108\t3\t110\t{}\t36.6\n"
    rows = [row.format(*hit) for hit in zip(("q1", "q1"), ("r1", "r2"), e_values, strict=True)]
    (folder / name).write_text("".join(rows))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two searches with a table of classes."""
    hits(tmp_path, "one.tsv")
    hits(tmp_path, "two.tsv", (0.5, 1e-9))
    (tmp_path / "classes.tsv").write_text("q1\ta.1.1.1\nr1\ta.1.1.1\nr2\tb.1.1.1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_toml_with_a_table_for_each_run():
    text = """
    # what the searches cost
    [blastp]
    program = "BLAST+"
    version = "2.12.0"
    date = 2026-03-01
    seconds = 12.5
    [mmseqs2]
    version = 15
    cpu_seconds = 90
    memory = 3.2
    database = "SCOPe40"
    """
    found = read_runs(text, "runs.toml")
    assert found["blastp"].known == {
        "program": "BLAST+", "version": "2.12.0", "date": "2026-03-01", "seconds": 12.5
    }  # fmt: skip
    assert found["mmseqs2"].known == {
        "version": "15", "cpu_seconds": 90.0, "memory": 3.2, "database": "SCOPe40"
    }  # fmt: skip


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_table_with_a_row_for_each_run(separator):
    rows = [["algorithm", "seconds", "version"], ["blastp", "12.5", "2.12"], ["mmseqs2", "", "15"]]
    found = read_runs("\n".join(separator.join(row) for row in rows), "runs.csv")
    assert [run.known for run in found.values()] == [
        {"version": "2.12", "seconds": 12.5}, {"version": "15"}
    ]  # fmt: skip


def test_a_cell_of_a_table_may_have_several_lines():
    found = read_runs('algorithm,command\nblastp,"blastp -query q.fa\n-db scope"\n', "runs.csv")
    assert found["blastp"].command == "blastp -query q.fa\n-db scope"


@pytest.mark.parametrize(("elapsed", "seconds"), [("1:02.25", 62.25), ("2:01:02", 7262.0)])
def test_what_time_prints(elapsed, seconds):
    (run,) = read_runs(TIMED.format(elapsed=elapsed), "runs/blastp.time").values()
    assert (run.seconds, run.cpu_seconds) == (seconds, 102.0)
    assert run.memory == pytest.approx(2000000 * 1024 / 1e9)
    assert run.command == "blastp -query q.fa -db scope"
    toml = '[a]\ntime = "a.time"\nversion = "1"'
    (named,) = read_runs(toml, "runs.toml", lambda _: TIMED.format(elapsed=elapsed)).values()
    assert named == run._replace(version="1")


@pytest.mark.parametrize("name", ["logs/a.time", "/etc/a.time", ""])
def test_the_output_of_time_is_beside_the_file_that_names_it(name):
    with pytest.raises(ValueError, match=r"line 1: a: time = .*: expected the name of a file"):
        read_runs(f"[a]\ntime = '{name}'", "runs.toml", {}.get)


WRONG = [
    ("[a]\nseconds = -1", "runs.toml, line 1: a: seconds: expected a number of at least 0, found"),
    ("[a]\nseconds = true", "runs.toml, line 1: a: seconds: expected a number"),
    ("[a]\nsecond = 1", "'second' is none of the fields; did you mean seconds?"),
    ("[a]\ndate = 'May'", "a: date: expected one such as 2026-03-01, found 'May'"),
    ("x = 1\n[a]\nseconds = 1", "runs.toml, line 1: x: expected a table for each run"),
    ("[a\nseconds = 1\n[b]", "runs.toml, line 1: this is not TOML"),
    ("algorithm,seconds\na,1,2", "runs.toml, line 2: expected 2 columns, found 3"),
    ("algorithm,seconds,Seconds\na,1,2", "line 1: the column seconds is twice in this table"),
    ("program,seconds\na,1", "runs.toml, line 1: expected TOML with a table for each run"),
    ("", "runs.toml: expected what runs cost, found nothing"),
    ("[a]\ntime = 'a.time'", "names a file, which cannot be opened here"),
    (TIMED.format(elapsed="x"), "line 4: Elapsed (wall clock) time (h:mm:ss or m:ss): expected"),
    ("Command being timed: x\n", "expected the output of /usr/bin/time -v, found no line"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_what_is_wrong_is_named(text, said):
    refuses(re.escape(said), read_runs, text, "runs.toml")


def test_versions_are_sorted_as_people_count():
    versions = ["2.10", "10", "2.9", "v3", "15-6f452", "2026-02-01", "2025-12-01"]
    assert sorted(versions, key=version_key) == [
        "v3", "2.9", "2.10", "10", "15-6f452", "2025-12-01", "2026-02-01"
    ]  # fmt: skip


def test_a_file_beside_the_results_is_found(folder):
    (folder / "runs.toml").write_text("[one]\nseconds = 9\n[other]\nseconds = 1")
    results = open_files(["one.tsv", "two.tsv"], labels="classes.tsv").results
    assert [lists.run.known for lists in results.values()] == [{"seconds": 9.0}, {}]
    assert read("one.tsv", labels="classes.tsv").run.seconds == 9
    (folder / "said.csv").write_text("name,seconds\ntwo,7")
    results = open_files(["one.tsv", "two.tsv"], labels="classes.tsv", runs="said.csv").results
    assert [lists.run.known for lists in results.values()] == [{}, {"seconds": 7.0}]
    held = Held("runs.toml", b"[three]\nmemory = 1")
    with pytest.raises(ValueError, match="no run of it is called as an algorithm here: 'one'"):
        open_files(["one.tsv"], labels="classes.tsv", runs=held)
    with pytest.raises(ValueError, match="names a file, which cannot be opened here"):
        open_files(["one.tsv"], labels="classes.tsv", runs=Held("r", b"[one]\ntime = 'x'"))


def test_a_dropped_file_of_costs_is_guessed():
    assert guess(Held("x.toml", b"# searches\n[one]\nseconds = 9\n")).role == "runs"
    assert guess(Held("one.time", TIMED.format(elapsed="0:01").encode())).role == "runs"
    assert guess(Held("x.txt", b"[q1]\tr1\n")).role != "runs"


def test_lists_keep_their_run():
    lists = RetrievalLists([1.0, 2.0], [1, 0], [0, 1, 2], [1, 1], run=Run(seconds=5))
    assert lists.subset([True, False]).run.seconds == 5
    assert lists.with_weights([1, 2]).run.seconds == 5
    assert lists.with_reported_to(10).run.seconds == 5
    assert lists.with_run(Run()).run.known == {}


def test_scores_have_columns_of_what_is_known(folder, capsys):
    argued = ["score", "one.tsv", "two.tsv", "--labels", "classes.tsv", "-k", "1", "--resamples"]
    argued += ["0", "--output"]
    assert "run time" not in stdout_of(capsys, [*argued, "table"])
    (folder / "runs.toml").write_text('[one]\nseconds = 90\nversion = "2.1"\nmemory = 3.25')
    first, second, *_ = stdout_of(capsys, [*argued, "table"]).split("\n\n")
    assert [line.split()[-2:] for line in first.splitlines()[1:]] == [["90", "3.25"], ["-", "-"]]
    assert first.splitlines()[0].endswith("run time in s  memory in GB")
    assert [line.split() for line in second.splitlines()] == [
        ["run", "version"], ["one", "2.1"], ["two", "-"]
    ]  # fmt: skip
    one, two = json.loads(stdout_of(capsys, [*argued, "json"]))["algorithms"]
    assert one["run"] == {"version": "2.1", "seconds": 90.0, "memory": 3.25}
    assert (one["seconds"], two["seconds"]) == (90.0, None)
    for output in ("csv", "latex", "markdown", "multiqc"):
        assert "90" in stdout_of(capsys, [*argued, output])


def explorer(**runs):
    """Results of 12 queries, of which program a finds more than b, and b more than c."""
    n = 12
    results = {}
    for place, (name, run) in enumerate(runs.items()):
        relevant = np.ones((n, 3), bool)
        relevant[:, place % 3] = False
        results[name] = even([[1.0, 2.0, 3.0]] * n, relevant.ravel()[::-1], 3, run=run)
    return Explorer(results, k=1, shown=list(runs))


def test_plots_of_runs_are_there_where_something_is_known():
    def known(**runs):
        return {plot.name for plot in plots_for(explorer(**runs))} & {"cost", "versions"}

    assert known(a=Run(), b=Run()) == set()
    assert known(a=Run(seconds=1), b=Run()) == {"cost"}
    assert known(a=Run(version="1"), b=Run()) == set()
    assert known(a=Run(version="1"), b=Run(date="2026-01-01")) == {"versions"}


def test_the_front_is_of_those_that_nobody_beats():
    values = zip("abcde", (0.3, 0.5, 0.4, 0.5, 0.9), strict=True)
    scores = {name: Interval(value, NAN, NAN) for name, value in values}
    costs = {"a": 1.0, "b": 2.0, "c": 1.5, "d": 2.0, "e": 1e5}
    assert front(costs, scores) == ["a", "c", "b", "e"]
    assert front(costs, scores, -1) == ["a"]


def test_layers_of_score_against_cost():
    chosen = explorer(a=Run(seconds=10), b=Run(seconds=100, memory=2), c=Run())
    data = complete(chosen, PLOTS["cost"])
    columns = PLOTS["cost"].picture(data).columns
    taps = [chosen.tap(name).value for name in ("a", "b")]
    assert columns["point"]["x"] == pytest.approx([10, 100])
    assert columns["point"]["y"].tolist() == taps
    low, high = (columns["bar"][end] for end in ("y0", "y1"))
    assert all(low <= taps)
    assert all(taps <= high)
    assert columns["name"]["text"].tolist() == ["a", "b"]
    assert PLOTS["cost"].text(data).startswith("TAP-1 against run time in s: a ")
    chosen.cost = "memory"
    columns = PLOTS["cost"].picture(PlotData(chosen)).columns
    assert columns["point"]["x"] == pytest.approx([2])
    chosen.algorithms = ["c"]
    said = PLOTS["cost"].picture(PlotData(chosen)).columns["missing"]["text"].tolist()
    assert said == ["No program shown has both TAP-1 and memory in GB"]


def test_layers_of_score_over_versions():
    data = PlotData(explorer(a=Run("x", "2.10"), b=Run("x", "2.9"), c=Run("y", "1"), d=Run()))
    picture = PLOTS["versions"].picture(data)
    places = dict(zip("abc", picture.columns["point"]["x"].tolist(), strict=True))
    assert places == {"b": 0.0, "a": 1.0, "c": 2.0}
    assert picture.x.ticks == {0.0: "2.9", 1.0: "2.10", 2.0: "1"}
    gap = np.flatnonzero(np.isnan(picture.columns["line"]["x"]))
    assert picture.columns["line"]["x"][: gap[0]].tolist() == [0.0, 1.0]
    assert "b (2.9)" in PLOTS["versions"].text(data)
    dated = explorer(a=Run("x", "3", date="2026-02-01"), b=Run("x", "4", date="2026-01-01"))
    points = PLOTS["versions"].picture(PlotData(dated)).columns["point"]
    assert points["x"].tolist() == [1.0, 0.0]
    assert points["marker"].tolist() == ["circle", "triangle"]


def test_the_tab_of_costs_lets_choose_score_and_cost():
    chosen = explorer(a=Run(seconds=10, memory=3), b=Run(seconds=100))
    data = PlotData(chosen)
    area = TabArea(data, PlotHeads(data), pn.Column())
    area.add("cost", pn.Spacer(), 1)
    area.add("precision_recall", pn.Spacer(), 1)
    area.open("cost")
    seen = {choice.label: choice for choice in pn.Column(*area.parts).select(pn.widgets.Select)}
    assert seen["score compared"].visible
    assert seen["cost"].visible
    assert seen["cost"].options == {"run time in s": "seconds", "memory in GB": "memory"}
    seen["cost"].value = "memory"
    assert chosen.cost == "memory"
    area.open("precision_recall")
    assert not seen["cost"].visible
    assert not seen["score compared"].visible


def test_a_report_names_the_runs_and_their_costs():
    chosen = explorer(a=Run("MMseqs2", "15", command="mmseqs search", seconds=10), b=Run())
    text = report(chosen, plain=True)
    said = "program MMseqs2, version 15, command mmseqs search, seconds 10"
    assert f"<dt>a</dt><dd>{said}</dd>" in text
    assert "<dt>b</dt>" not in text
    assert 'data-plot="cost"' in text


def test_a_report_of_a_system_of_several_runs():
    text = report(explorer(**{"S@1": Run(), "S@2": Run(), "other": Run()}))
    assert "S does better than other" in text
    assert "mean of 2 runs" in text


def test_a_figure_takes_where_a_search_ended(folder):
    argued = ["figure", "one.tsv", "--labels", "classes.tsv", "--plot", "tap", "-o", "tap.csv"]
    for limit in ("20", "one=20"):
        assert main([*argued, "--reported-to", limit]) == 0
    assert (folder / "tap.csv").exists()


def test_the_command_chooses_score_and_cost(folder):
    (folder / "runs.toml").write_text("[one]\nmemory = 2\nseconds = 5\n[two]\nmemory = 8\n")
    argued = ["figure", "one.tsv", "two.tsv", "--labels", "classes.tsv", "--plot", "cost"]
    argued += ["--compare-by", "roc_n", "-n", "1", "-o", "cost.csv"]
    assert main([*argued, "--cost", "memory"]) == 0
    rows = [line.split(",") for line in (folder / "cost.csv").read_text().splitlines()]
    assert [row[1:3] for row in rows if row[0] == "point"] == [["2", "1"], ["8", "0"]]
    assert main(argued) == 0
    rows = [line.split(",") for line in (folder / "cost.csv").read_text().splitlines()]
    assert [row[1] for row in rows if row[0] == "point"] == ["5"]


SCORE = {one.name: one for one in SCORES}
RULE = ThresholdRule(k=5)


@pytest.fixture(scope="module")
def results():
    known = load_results("profiles")
    names = ("S@1", "X", "S@2", "S@3", "alone@1")
    return dict(zip(names, [*known.values(), known["RPS-BLAST"]], strict=True))


def case(lists):
    return Case(lists, RULE, 50, Memo())


def test_names_tell_systems():
    assert systems(["a@1", "b", "a@2", "c@1", "@1", "@2", "d@", "d@x"]) == {"a": ("a@1", "a@2")}
    assert systems(["a@b@1", "a@b@2"]) == {"a@b": ("a@b@1", "a@b@2")}
    assert systems(["a", "a@1", "a@2"]) == {}  # the name is taken
    found = as_systems({"b": [1], "a@1": [2], "c": [3], "a@2": [4]}, lambda runs: [*runs])
    assert found == {"b": [1], "a": ["a@1", "a@2"], "c": [3]}


def test_scores_are_means_and_thresholds_medians(results):
    table = score(results, Policies(k=(5,), n_resamples=0))
    assert [*table.rows] == ["S", "X", "alone@1"]
    titles = [column.score.name for column in table.columns]
    for name in ("tap", "pooled_roc_n", "roc_n", "mean_average_precision", "threshold"):
        each = [case(results[run]).value(SCORE[name]) for run in ("S@1", "S@2", "S@3")]
        found = table.rows["S"][titles.index(name)]
        middle = np.median(each) if name == "threshold" else sum(each) / 3
        assert found.value == pytest.approx(middle, rel=1e-14)
        assert found.runs == tuple(each)
        variance = sum((one - sum(each) / 3) ** 2 for one in each) / 2
        assert found.sd == pytest.approx(variance**0.5, rel=1e-12)
    assert np.isnan(table.rows["X"][0].sd)


def test_what_is_undefined_for_a_run_is_undefined_for_the_system(results):
    rule = ThresholdRule(k=2000)
    whole = SystemCase.of({name: Case(results[name], rule, 50, Memo()) for name in ("S@1", "S@2")})
    assert np.isnan(whole.value(SCORE["tap"]))
    assert "2000 errors" in whole.reason(SCORE["tap"]).replace(",", "")


def test_runs_that_are_all_the_same_have_the_interval_of_one(results):
    same = {f"S@{run}": case(results["X"]) for run in range(3)}
    whole = bootstrap_cases({"S": SystemCase.of(same)}, k=5, n_resamples=200).algorithms["S"]
    one = bootstrap({"X": results["X"]}, k=5, n_resamples=200).algorithms["X"]
    assert whole.tap == pytest.approx(one.tap, rel=1e-12)
    assert whole.e0 == one.e0
    assert whole.replicates.tap == pytest.approx(one.replicates.tap, rel=1e-12)


def test_an_interval_takes_the_runs_into_account(results):
    runs = {name: results[name] for name in ("S@1", "S@2", "S@3")}
    whole = SystemCase.of({name: case(lists) for name, lists in runs.items()})
    found = bootstrap_cases({"S": whole}, k=5, n_resamples=4000).algorithms["S"]
    each = bootstrap(runs, k=5, n_resamples=4000).algorithms
    queries = np.mean([one.replicates.tap for one in each.values()], axis=0).var()
    # Variance of a mean over queries and runs drawn: that of each.
    expected = queries + np.var([one.tap.estimate for one in each.values()], ddof=1) / 3
    assert found.replicates.tap.var() == pytest.approx(expected, rel=0.1)


def test_a_difference_of_systems_varies_with_their_runs_too(results):
    table = score(results, Policies(k=(5,), n_resamples=200), baseline="S")
    pairs = {one.first: one for _, one in table.comparisons}
    assert set(pairs) == {"X", "alone@1"}
    known = table.scored[table.policies.rules[0]]["tap"]
    assert known["S"].run_variance > 0
    one_run = {name: scored._replace(run_variance=0.0) for name, scored in known.items()}
    for one in pairwise({"tap": one_run}, groups=table.groups):
        if "S" in one[:2]:
            wide = pairs[one.second if one.first == "S" else one.first].difference
            assert wide.high - wide.low > one.difference.high - one.difference.low
    again = score(results, Policies(k=(5,), n_resamples=200), baseline="S")
    assert [one.p for _, one in again.comparisons] == [one.p for _, one in table.comparisons]
    refuses("expected one of 'S', 'X', 'alone@1'", score, results, Policies(), baseline="S@1")


def test_the_order_of_equal_scores_in_a_run_changes_the_mean_of_the_runs():
    tied, apart = (RetrievalLists([1.0, e0], [1, 0], [0, 2], [1]) for e0 in (1.0, 2.0))
    runs = {"S@1": tied, "S@2": apart}
    cases = {name: Case(one, ThresholdRule(None, 2.0), 50, Memo()) for name, one in runs.items()}
    groups = as_groups(None, tied)
    precision = named("mean_average_precision")
    low, high = SystemCase.of(cases).scored(precision, groups).ends
    assert (low.tolist(), high.tolist()) == ([(0.5 + 1) / 2], [1.0])
    assert SystemCase.of(dict.fromkeys(runs, cases["S@2"])).scored(precision, groups).ends is None


def test_one_name_and_files_on_the_command_line(results, tmp_path, capsys):
    results = {name: one.subset(np.arange(one.n_queries) % 9 == 0) for name, one in results.items()}
    for run in ("S@1", "S@2"):
        results[run].to_frame().to_csv(tmp_path / f"seed{run[-1]}.csv.gz", index=False)
    results["X"].to_frame().to_csv(tmp_path / "X.csv", index=False)
    asked = [f"model@={tmp_path}/seed*.csv.gz", str(tmp_path / "X.csv"), "-k", "5"]
    found = json_of(capsys, ["score", *asked, "--resamples", "0"])["algorithms"]
    assert [one["algorithm"] for one in found] == ["model", "X"]
    assert found[0]["runs"] == ["model@seed1", "model@seed2"]
    taps = [case(results[run]).value(SCORE["tap"]) for run in ("S@1", "S@2")]
    assert found[0]["thresholds"][0]["tap_runs"] == pytest.approx(taps)
    assert found[0]["thresholds"][0]["tap_sd"] == pytest.approx(np.std(taps, ddof=1))
    assert "tap_sd" not in found[1]["thresholds"][0]
    printed = stdout_of(capsys, ["score", *asked, "--resamples", "0"])
    assert f"{np.mean(taps):.3f} (sd {np.std(taps, ddof=1):.3f})" in printed
    assert "model: the mean of 2 runs (model@seed1, model@seed2)" in printed
    printed = stdout_of(capsys, ["score", *asked, "--resamples", "0", "--output", "csv"])
    row = next(one for one in csv.DictReader(io.StringIO(printed)) if one["score"] == "TAP-5")
    ends = [case(results[run]).ties(SCORE["tap"]) for run in ("S@1", "S@2")]
    assert [float(row[end]) for end in ("worst", "best")] == np.mean(ends, axis=0).tolist()


def test_without_ties_the_ends_of_a_system_are_its_score_to_the_bit(results):
    lists = results["X"]
    some = np.arange(lists.n_queries)
    runs = {f"S@{run}": case(lists.subset(some % 13 != run)) for run in range(13)}
    found = SystemCase.of(runs).ties(SCORE["mean_average_precision"])
    each = [one.ties(SCORE["mean_average_precision"]) for one in runs.values()]
    assert found == tuple(np.mean(ends) for ends in zip(*each, strict=True))


def test_the_page_has_a_row_for_a_system(results):
    explorer = Choices(results, [*results], k=5)
    assert explorer.rows == ["S", "X", "alone@1"]
    html = score_table(explorer, styles(explorer.style_order))
    assert 'data-algorithm="S"' in html
    assert 'data-algorithm="S@1"' not in html
    assert "mean of 3 runs" in html
    assert "standard deviation 0.0" in html
    explorer.algorithms = ["S@1", "X"]  # of one run alone there is no mean
    assert explorer.rows == ["S@1", "X"]
    explorer.baseline = "S"  # of all runs
    assert explorer.rows == ["S", "X"]


def test_runs_of_a_system_look_alike():
    found = styles(["S@1", "X", "S@2", "Y"])
    assert found["S@1"] == found["S@2"] == found["S"]
    assert len({found["S"], found["X"], found["Y"]}) == 3
    assert [*found] == ["S@1", "X", "S@2", "Y"]
    with pytest.raises(KeyError):
        found["Z"]


def test_pairs_of_systems_are_drawn(results):
    data = PlotData(Explorer(results, [*results], k=5))
    data.compared = data.explorer.compared(n_resamples=100)
    text = PLOTS["differences"].text(data)
    assert "S " in text
    assert "S@1" not in text
    for plot in PLOTS.values():
        assert plot.slow is not None or plot.picture(data).layers
