"""A benchmark as one file: what is made, what is made again, and what is wrong with the file."""

import csv
import gzip
import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tapviz.cli import main
from tapviz.draw.matplotlib import SYMBOLS, WIDTHS
from tapviz.explorer import report
from tapviz.plots import PLOTS
from tapviz.scores import Baseline
from tests.printed import stderr_of, stdout_of

DATA = Path(__file__).parents[1] / "notebooks" / "data"
FILE = """\
# What all outputs share.
labels = "classes.tsv.gz"
queries = "queries.txt"
k = 5
title = "Two searches"

[files]
BLASTP = "blastp.tsv.gz"
SSEARCH = "ssearch.tsv.gz"

[score]
into = ["out/scores.json", "out/scores.csv", "out/scores.md", "out/searches_mqc.json"]
resamples = 50
compare = "all"

[report]
output = "report.html"
plain = true

[site]
output = "public"
plain = true
files = { SSEARCH = "ssearch.tsv.gz" }
"""
SCORES = "out/scores.json, out/scores.csv, out/scores.md, out/searches_mqc.json"
GATE = """\
labels = "classes.tsv.gz"
queries = "queries.txt"
k = 5
resamples = 100
[files]
BLASTP = "blastp.tsv.gz"
SSEARCH = "ssearch.tsv.gz"
[[score]]
save_baseline = "now.json"
[[score]]
baseline = "accepted.json"
fail_if = ["tap < -0.01", "roc_n < -0.01"]
into = ["gate.md", "gate.json"]
[[score]]
into = "last.csv"
"""


@pytest.fixture(autouse=True)
def folder(searches, monkeypatch):
    """Searches, and a benchmark of them, whose pages have one plot."""
    monkeypatch.setattr(report, "plots_for", lambda _: [PLOTS["tap"]])
    monkeypatch.setattr(report, "OF_SITE", ["tap"])
    (searches / "tapviz.toml").write_text(FILE)


def made(capsys, *arguments, code=0):
    """What a run says of each output: that it was made, or that it is up to date."""
    lines = stdout_of(capsys, ["run", *arguments, "--quiet"], code).splitlines()
    found = dict(line.rsplit(": ", 1) for line in lines)
    assert all(re.fullmatch(r"up to date|made in \d+\.\d s", said) for said in found.values())
    return {name: said.startswith("made") for name, said in found.items()}


def changed(old, new, file="tapviz.toml"):
    """Replace some text of a file."""
    text = Path(file).read_text()
    assert text.count(old) == 1
    Path(file).write_text(text.replace(old, new))


def refused(capsys, *arguments):
    """The message of a run that makes nothing."""
    assert main(["run", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def fewer(file):
    """Leave out half of the hits of a file."""
    lines = gzip.decompress(Path(file).read_bytes()).splitlines(keepends=True)
    Path(file).write_bytes(gzip.compress(b"".join(lines[::2])))


def test_the_second_run_makes_nothing_and_that_of_another_version_all(capsys, monkeypatch):
    assert made(capsys) == {SCORES: True, "report.html": True, "public": True}
    before = {path: path.stat().st_mtime_ns for path in Path().rglob("*")}
    scores = json.loads(Path("out/scores.json").read_text())
    assert [one["algorithm"] for one in scores["algorithms"]] == ["BLASTP", "SSEARCH"]
    assert scores["policies"]["n_resamples"] == 50
    assert len(scores["comparisons"]) == 1
    assert "Two searches</h1>" in Path("report.html").read_text()
    assert sorted(path.name for path in Path("public").rglob("*")) == ["compare.html", "index.html"]
    assert made(capsys) == {SCORES: False, "report.html": False, "public": False}
    assert {path: path.stat().st_mtime_ns for path in Path().rglob("*")} == before
    monkeypatch.setattr("tapviz.cli.run.versions", lambda: {"tapviz": "9.9"})
    assert made(capsys) == {SCORES: True, "report.html": True, "public": True}


def test_outputs_are_those_of_the_commands(capsys):
    """The file says nothing that the command line cannot; the command is in the JSON."""
    Path("tapviz.toml").write_text(FILE.partition("[report]")[0])
    made(capsys)
    text = Path("out/scores.csv").read_text()
    line = json.loads(Path("out/scores.json").read_text())["command"]
    shutil.rmtree("out")
    Path("out").mkdir()
    assert main(line.split()[1:]) == 0
    assert Path("out/scores.csv").read_text() == text
    options = ["--labels", "classes.tsv.gz", "--queries", "queries.txt", "-k", "5", "--compare"]
    options += ["all", "--resamples", "50", "--output", "csv"]
    files = ["BLASTP=blastp.tsv.gz", "SSEARCH=ssearch.tsv.gz"]
    assert stdout_of(capsys, ["score", *files, *options]) == text


def test_only_what_hangs_on_a_change_is_made_again(capsys):
    made(capsys)
    everything = {SCORES: True, "report.html": True, "public": True}
    nothing = dict.fromkeys(everything, False)
    for change, wanted in (
        (lambda: fewer("blastp.tsv.gz"), everything | {"public": False}),
        (lambda: fewer("ssearch.tsv.gz"), everything),
        (lambda: Path("ssearch.tsv.gz").touch(), nothing),
        (lambda: changed("resamples = 50", "resamples = 40"), nothing | {SCORES: True}),
        (lambda: changed('"Two searches"', '"Two"'), everything | {SCORES: False}),
        (lambda: changed("# What", "\n# What"), nothing),
        (lambda: Path("runs.toml").write_text("[BLASTP]\nseconds = 3"), everything),
        (lambda: Path("report.html").write_text("lost"), nothing | {"report.html": True}),
        (lambda: Path("out/scores.md").unlink(), nothing | {SCORES: True}),
        (lambda: Path("public/compare.html").unlink(), nothing | {"public": True}),
    ):
        change()
        assert made(capsys) == wanted
        assert made(capsys) == nothing
    assert "seconds 3" in Path("report.html").read_text()


@pytest.mark.parametrize("damage", ["", "{", '{"format": 1}', '{"format": "tapviz run 1"}', "[]",
                                    '{"format": "tapviz run 1", "made": [1]}'])  # fmt: skip
def test_a_damaged_state_is_not_relied_on(capsys, damage):
    Path("tapviz.toml").write_text(FILE.partition("[report]")[0])
    made(capsys)
    Path(".tapviz.toml.json").write_text(damage)
    assert main(["run"]) == 0
    said = capsys.readouterr()
    assert ".tapviz.toml.json is damaged: everything is made again" in said.err
    assert said.out.startswith(f"{SCORES}: made in ")
    assert made(capsys) == {SCORES: False}


def test_paths_are_relative_to_the_file(capsys, tmp_path, monkeypatch):
    other = tmp_path / "elsewhere"
    other.mkdir()
    monkeypatch.chdir(other)
    assert all(made(capsys, "../tapviz.toml").values())
    assert list(other.iterdir()) == []
    text = (tmp_path / "out" / "scores.json").read_text()
    monkeypatch.chdir(tmp_path)
    assert not any(made(capsys).values())
    shutil.rmtree("out")
    made(capsys)
    assert Path("out/scores.json").read_text() == text


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("labels =", "lables =", 2, "did you mean labels, unlabelled or query_labels?"),
        ("plain = true\n\n[site]", "plian = 1\n[site]", 18, "no option of tapviz report: did"),
        ("[report]", "[reports]", 16, "reports: no option of tapviz score, report, figure,"),
        ("resamples = 50", "resamples = 5.5", 13, "[score] resamples: expected a whole number"),
        ("resamples = 50", "resamples = true", 13, "expected a text, a number, or several of them"),
        ("resamples = 50", "resamples = -1", 11, "[score]: resamples = -1: expected a whole numb"),
        ("plain = true\n\n", "plain = 1\n", 18, "[report] plain: expected true or false, found 1"),
        ("k = 5", "k = [5, 20]", 4, "if this takes one value, give it below [report]"),
        ("k = 5", 'self-hits = "no"', 4, "[score] self_hits: invalid choice: 'no' (choose from"),
        ("k = 5", "reported-to = 'x'", 11, "[score]: --reported-to is 'x': expected a number"),
        ('"queries.txt"', '"none.txt"', 3, "queries: there is no such file or folder: none.txt"),
        ('SSEARCH = "ss', 'SSEARCH = "none/ss', 9, "SSEARCH=none/ssearch.tsv.gz: there is no f"),
        ('compare = "all"', 'baseline = "a.json"', 14, "baseline: there is no such file or folder"),
        ('compare = "all"', 'fail_if = "tip < 0"', 14, "no score 'tip': did you mean tap, "),
        ('compare = "all"', 'fail_if = "tap < 0"', 11, "--fail-if: give --baseline"),
        ('output = "report.html"\n', "", 16, "[report]: give output: HTML file to write"),
        ('"report.html"', '"queries.txt"', 16, "[report]: queries.txt: this file is also read"),
        ('output = "public"', 'output = "."', 21, ".: give a folder of its own"),
        ('"report.html"', '"tapviz.toml"', 17, "tapviz.toml: tapviz run keeps this file itself: w"),
        ('"report.html"', '"./out/../tapviz.toml"', 17, "toml: tapviz run keeps this file itself"),
        ('"out/scores.json"', '".tapviz.toml.json"', 12, "tapviz run keeps this file itself"),
        ('output = "public"', 'output = "report.html"', 21, "report.html is made twice"),
        ('"out/scores.md", ', '"-", ', 11, "[score]: give a file: into or per_query or save_bas"),
        ("[score]", "[scores]", 11, "scores: no option of tapviz score, report, figure, site: did"),
        ("[score]", "[serve]", 11, "serve: no option of tapviz score, report, figure, site: did"),
        ("[score]", "[score", 11, "this is not TOML: Expected ']'"),
        ('title = "Two searches"', "report = 3", None, "this is not TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(capsys, old, new, line, said):
    text = FILE.replace(old, new, 1)
    assert text != FILE
    Path("tapviz.toml").write_text(text)
    told = refused(capsys)
    assert told.startswith("tapviz.toml, line " + (f"{line}: " if line else ""))
    assert said in told.splitlines()[0]
    assert not [*Path().glob("out/*")]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('plot = "nope"', "plot: expected one of tap, epq, "),
        ('panels = "tap,nope"', "panels: expected one of tap, epq, "),
        ("width = 5", f"width: expected {WIDTHS[0]} to {WIDTHS[1]} mm, found 5"),
        ('width = "wide"', "width: expected a number, found 'wide'"),
        ("symbols = 9", f"symbols: expected {SYMBOLS[0]} to {SYMBOLS[1]}, found 9"),
        ('e0 = "nan"', "e0: expected a number, found 'nan'"),
        ('quantile = "half"', "quantile: expected a number, found 'half'"),
    ],
)
def test_what_is_wrong_with_a_later_step_is_told_before_anything_is_made(capsys, wrong, said):
    changed("[site]", f'[figure]\noutput = "a.svg"\n{wrong}\n[site]')
    assert refused(capsys).startswith(f"tapviz.toml, line 22: [figure] {said}")
    assert not Path("out").exists()


@pytest.mark.parametrize("panels", ['"tap,epq"', '["tap", "epq"]', '["tap"]'])
def test_a_common_title_is_not_that_of_several_panels(capsys, panels):
    figure = f'[figure]\noutput = "a.svg"\npanels = {panels}\n'
    Path("tapviz.toml").write_text(FILE.partition("[score]")[0] + figure)
    assert made(capsys) == {"a.svg": True}
    assert ("Two searches" in Path("a.svg").read_text()) is ("epq" not in panels)


def test_a_file_that_asks_for_nothing_or_is_none(capsys):
    Path("tapviz.toml").write_text('labels = "classes.tsv.gz"\n')
    said = "expected a table for each output: score, report, figure, site"
    assert refused(capsys) == f"tapviz.toml: {said}\n"
    assert "other.toml: there is no such file" in refused(capsys, "other.toml")
    Path("tapviz.toml").write_text("a." * 3000 + "b = 1")
    assert "tapviz.toml" in refused(capsys)
    Path("tapviz.toml").write_text("score = 3")
    assert refused(capsys).startswith("tapviz.toml, line 1: score: expected a table, as [score]")
    Path("tapviz.toml").write_text('[score]\ninto = "a.csv"')
    assert refused(capsys).startswith("tapviz.toml, line 1: [score]: give files: results, one file")


def test_a_file_of_results_that_cannot_be_read_names_itself(capsys):
    Path("blastp.tsv.gz").write_bytes(gzip.compress(b"q1\tr1\n"))
    assert stderr_of(capsys, ["run"]).startswith("blastp.tsv.gz")


def test_a_gate_of_many_programs(capsys):
    """All is made; the exit code says that something fell, again and again until it is mended."""
    Path("tapviz.toml").write_text(GATE.replace("accepted.json", "now.json"))
    steps = ["now.json", "gate.md, gate.json", "last.csv"]
    assert made(capsys) == dict.fromkeys(steps, True)
    Path("now.json").rename("accepted.json")
    assert Baseline.read(Path("accepted.json").read_text()).algorithms == ["BLASTP", "SSEARCH"]
    Path("tapviz.toml").write_text(GATE)
    assert made(capsys) == {"now.json": True, "gate.md, gate.json": True, "last.csv": False}
    assert made(capsys) == dict.fromkeys(steps, False)
    fewer("ssearch.tsv.gz")
    assert made(capsys, code=1) == dict.fromkeys(steps, True)
    checks = json.loads(Path("gate.json").read_text())["checks"]
    assert [(one["algorithm"], one["title"], one["failed"]) for one in checks] == [
        ("BLASTP", "TAP-5", False), ("SSEARCH", "TAP-5", True),
        ("BLASTP", "ROC_50", False), ("SSEARCH", "ROC_50", True),
    ]  # fmt: skip
    assert main(["run"]) == 1
    said = capsys.readouterr()
    assert [line.split(": ")[1][:4] for line in said.out.splitlines()] == ["up t", "made", "up t"]
    assert "failed: TAP-5 of SSEARCH fell by" in said.err
    shutil.copy(DATA / "ssearch.tsv.gz", ".")
    assert made(capsys)["gate.md, gate.json"]
    assert not any(made(capsys).values())


def test_values_of_several_kinds(capsys):
    """Lists and tables are what the command line separates by commas, or gives again."""
    Path("tapviz.toml").write_text(
        'labels = "classes.tsv.gz"\n'
        'files = ["BLASTP=blastp.tsv.gz", "ssearch.tsv.gz"]\n'
        "levels = [4, 2]\n"
        "normalise = ['case', 'version']\n"
        "reported-to = { BLASTP = 100, ssearch = 100.0 }\n"
        "[score]\n"
        "k = [5, 10]\n"
        "e0 = 0.01\n"
        'scores = ["tap", "roc_n"]\n'
        "skip-bad-rows = false\n"
        "resamples = 0\n"
        'into = "scores.csv"\n'
    )
    assert made(capsys) == {"scores.csv": True}
    with Path("scores.csv").open() as file:
        scores = {(row["algorithm"], row["score"]) for row in csv.DictReader(file)}
    assert {name for name, _ in scores} >= {"BLASTP", "ssearch"}
    assert {score for _, score in scores} >= {"TAP-5", "TAP-10", "TAP at 0.01", "ROC_50"}


def test_an_interrupt_leaves_nothing_half_made(capsys, monkeypatch):
    made(capsys)
    old = {path: path.read_bytes() for path in Path("public").rglob("*.html")}
    changed('title = "Two searches"', 'title = "Others"')
    write = report.write_atomically

    def interrupted(path, content):
        if Path(path).name == "index.html":
            raise KeyboardInterrupt
        write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(report, "write_atomically", interrupted)
        assert main(["run", "--quiet"]) == 130
    capsys.readouterr()
    for path in Path("public").rglob("*.html"):
        assert path.read_text().rstrip().endswith("</html>")
        assert path in old
    assert made(capsys) == {SCORES: False, "report.html": False, "public": True}


@pytest.mark.subprocess
def test_a_run_that_is_killed_goes_on_where_it_was(capsys):
    command = [sys.executable, "-m", "tapviz", "run", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        first = running.stdout.readline()
        running.send_signal(signal.SIGKILL)
    assert first.startswith(f"{SCORES}: made in ")
    for path in (*Path("public").rglob("*.html"), *Path().glob("*.html")):
        assert path.read_text().rstrip().endswith("</html>")
    assert made(capsys) == {SCORES: False, "report.html": True, "public": True}
