"""What runs cost: where it is read from, the columns it makes, and the two plots of runs."""

import json
import math
import re

import numpy as np
import panel as pn
import pytest

from tapviz import Explorer, RetrievalLists, read
from tapviz.cli import main
from tapviz.explorer.report import report
from tapviz.labels import Held
from tapviz.lists.runs import Run, version_key
from tapviz.measures import Interval
from tapviz.page.tab_area import TabArea
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.plots.cost import front
from tapviz.plots.save import complete
from tapviz.readers.inputs import guess, open_files
from tapviz.readers.runs import read_runs

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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[a]\nseconds = -1",
            "runs.toml, line 1: a: seconds: expected a number of at least 0, found",
        ),
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
        (
            TIMED.format(elapsed="x"),
            "line 4: Elapsed (wall clock) time (h:mm:ss or m:ss): expected",
        ),
        ("Command being timed: x\n", "expected the output of /usr/bin/time -v, found no line"),
    ],
)
def test_what_is_wrong_is_named(text, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        read_runs(text, "runs.toml")


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
    text = b"# searches\n[one]\nseconds = 9\n"
    assert guess(Held("x.toml", text)).role == "runs"
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
    assert main([*argued, "table"]) == 0
    assert "run time" not in capsys.readouterr().out
    (folder / "runs.toml").write_text('[one]\nseconds = 90\nversion = "2.1"\nmemory = 3.25')
    assert main([*argued, "table"]) == 0
    first, second, *_ = capsys.readouterr().out.split("\n\n")
    assert [line.split()[-2:] for line in first.splitlines()[1:]] == [["90", "3.25"], ["-", "-"]]
    assert first.splitlines()[0].endswith("run time in s  memory in GB")
    assert [line.split() for line in second.splitlines()] == [
        ["run", "version"], ["one", "2.1"], ["two", "-"]
    ]  # fmt: skip
    assert main([*argued, "json"]) == 0
    one, two = json.loads(capsys.readouterr().out)["algorithms"]
    assert one["run"] == {"version": "2.1", "seconds": 90.0, "memory": 3.25}
    assert (one["seconds"], two["seconds"]) == (90.0, None)
    for output in ("csv", "latex", "markdown", "multiqc"):
        assert main([*argued, output]) == 0
        assert "90" in capsys.readouterr().out


def explorer(**runs):
    """Results of 12 queries, of which program a finds more than b, and b more than c."""
    n = 12
    results = {}
    for place, (name, run) in enumerate(runs.items()):
        relevant = np.ones((n, 3), bool)
        relevant[:, place % 3] = False
        score = np.tile([1.0, 2.0, 3.0], n)
        offset = np.arange(0, 3 * n + 1, 3)
        results[name] = RetrievalLists(score, relevant.ravel()[::-1], offset, [3] * n, run=run)
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
    assert front(costs, scores, higher_is_better=False) == ["a"]


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
    chosen = explorer(a=Run("x", "2.10"), b=Run("x", "2.9"), c=Run("y", "1"), d=Run())
    data = PlotData(chosen)
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
    area = TabArea(PlotData(chosen), "")
    area.add("cost", pn.Spacer(), 1)
    area.add("precision_recall", pn.Spacer(), 1)
    area.open("cost")
    seen = {choice.label: choice for choice in area.__panel__().select(pn.widgets.Select)}
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
