"""The command line in a pipeline: files, quiet, digits, colours, help, completion, and JSON."""

import hashlib
import json
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tapviz import RetrievalLists, __version__
from tapviz.cli import COMMANDS, main
from tapviz.cli.flags import GROUPS
from tapviz.scores import Policies, score, written
from tests.printed import json_of, stderr_of, stdout_of
from tests.refused import error_of

CLASSES = "q1\ta.1.1\nq2\ta.1.1\nr1\ta.1.1\nr2\tb.1.1\n"
ROW = "{}\t{}\t56.9\t108\t46\t1\t1\t108\t3\t110\t{}\t36.6\n"
HITS = ROW.format("q1", "r1", "1e-9") + ROW.format("q1", "r2", "0.5") + ROW.format("q2", "r9", "2")
SCORE = ["score", "one.m8", "--labels", "classes.tsv", "-k", "1", "--resamples", "0"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "one.m8").write_text(HITS)
    (tmp_path / "classes.tsv").write_text(CLASSES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def help_of(capsys, *words):
    """What a request for help prints on standard output, at 100 columns."""
    assert error_of(main, words, error=SystemExit).code == 0
    return capsys.readouterr().out


def test_the_version(capsys):
    assert help_of(capsys, "--version") == f"tapviz {__version__}\n"


def test_several_files_at_once_each_as_its_ending_says(folder, capsys):
    names = ["s.txt", "s.json", "s.csv", "s.md", "s.tex", "s_mqc.json"]
    given = [*SCORE, *(word for name in names for word in ("-o", name))]
    assert stdout_of(capsys, given) == ""
    forms = ("table", "json", "csv", "markdown", "latex", "multiqc")
    for name, form in zip(names, forms, strict=True):
        text = (folder / name).read_text()
        printed = stdout_of(capsys, [*SCORE, "--output", form])
        if form == "json":  # which names the command
            text, printed = ({**json.loads(one), "command": ""} for one in (text, printed))
        assert text == printed, name
    assert stdout_of(capsys, [*SCORE, "-o", "-", "-o", "s"], 2) == ""
    stdout_of(capsys, [*SCORE, "-o", "s", "--output", "csv"])
    assert (folder / "s").read_text() == (folder / "s.csv").read_text()


def test_what_other_programs_print_goes_to_files_too(folder, capsys):
    (folder / "a.run").write_text("q 0 d1 1 9 a\n")
    (folder / "a.qrels").write_text("q 0 d1 1\n")
    given = ["score", "a.run", "--qrels", "a.qrels", "--compat", "trec"]
    printed = stdout_of(capsys, given)
    assert stdout_of(capsys, [*given, "-o", "a.trec"]) == ""
    assert (folder / "a.trec").read_text() == printed


def test_a_file_that_cannot_be_written_keeps_the_old_one(folder, capsys):
    assert main([*SCORE, "-o", "nowhere/s.json"]) == 2
    assert "nowhere/s.json: cannot be written" in capsys.readouterr().err
    (folder / "s.foo").write_text("old")
    assert main([*SCORE, "-o", "s.foo"]) == 2
    said = "-o s.foo: say how to write by --output, or by an ending: _mqc.json"
    assert said in capsys.readouterr().err
    assert (folder / "s.foo").read_text() == "old"


def test_quiet_says_nothing_but_what_is_wrong(capsys):
    assert main(SCORE) == 0
    usual = capsys.readouterr()
    assert "rows read" in usual.err
    assert main([*SCORE, "--quiet"]) == 0
    quiet = capsys.readouterr()
    assert (quiet.out, quiet.err) == (usual.out, "")
    gate = [*SCORE, "--baseline", "one.m8", "--strict", "--quiet", "--fail-if"]
    assert stderr_of(capsys, [*gate, "mean_average_precision < -0.1"], 0) == ""
    Path("worse.m8").write_text(HITS.replace("1e-9", "1"))
    gate[1] = "worse.m8"
    assert stderr_of(capsys, [*gate, "mean_average_precision < -0.1"], 1).startswith("failed: MAP")
    assert "there is no such file" in stderr_of(capsys, ["score", "none.m8", "--quiet"])


@pytest.mark.parametrize(("options", "coloured"), [([], True), (["--no-color"], False)])
def test_colours_are_for_a_terminal_that_wants_them(options, coloured, capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    gate = [*SCORE, "--baseline", "one.m8", "--strict", "--fail-if", "map < -0.1", *options]
    assert "\x1b" not in stderr_of(capsys, gate, 0)  # no terminal
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert ("\x1b[32mpassed:\x1b[0m" in stderr_of(capsys, gate, 0)) == coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in stderr_of(capsys, gate, 0)


def test_digits_of_scores_in_tables(capsys):
    given = [*SCORE, "--scores", "map,mean_epq"]
    assert " 0.250\n" in stdout_of(capsys, given)
    assert " 0.25000\n" in stdout_of(capsys, [*given, "--digits", "5"])
    full = json_of(capsys, [*given, "--digits", "1"])
    assert full["algorithms"][0]["mean_average_precision"] == 0.25
    few = RetrievalLists(np.ones(2), [1, 0], [0, 2], [2000])
    table = score({"few": few}, Policies(scores=("map",), n_resamples=0))
    for digits, cell in ((3, "0.001"), (5, "0.00050 [0.00025, 0.00050]")):
        text = written([table.with_digits(digits)], "table")
        assert text.splitlines()[1].split(maxsplit=1)[1] == cell
        assert ("[worst, best]" in text) == ("[" in cell)  # at the digits shown


@pytest.mark.parametrize(
    ("flag", "value", "ends"), [("digits", 0, "1 to 15"), ("min-relevant", -1, "0 to")]
)
def test_a_whole_number_beyond_its_ends_is_refused(flag, value, ends, capsys):
    error_of(main, [*SCORE, f"--{flag}", f"{value}"], error=SystemExit)
    assert f"--{flag}: expected a whole number from {ends}" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_one_screen_and_the_rest_is_in_groups(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = help_of(capsys, command, "--help")
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 80
    whole = help_of(capsys, command, "--help", "all")
    titles = [line[:-1] for line in whole.splitlines() if line.rstrip(":") in GROUPS]
    assert titles
    for title in titles:
        part = help_of(capsys, command, "-h", title)
        assert " ".join(part.splitlines()[-1].split()) in " ".join(whole.split())
    assert "-h" in whole
    assert error_of(main, [command, "--help", "nothing"], error=SystemExit).code == 2
    assert "--help nothing: expected all, " in capsys.readouterr().err


def test_groups_of_score(capsys):
    named = [line.split()[0] for line in help_of(capsys, "score", "--help").splitlines()[-6:]]
    assert named == ["read", "relevance", "scores", "statistics", "output", "gate"]
    for group, flag in {
        "read": "--columns", "relevance": "--self-hits", "scores": "--ties", "gate": "--fail-if",
        "statistics": "--seed", "output": "--digits",
    }.items():  # fmt: skip
        assert flag in help_of(capsys, "score", "--help", group)


COMPLETIONS = [
    (["sc"], ["score"]),
    (["score", "--comp"], ["--compare", "--compare-by", "--compat"]),
    (["score", "--compat", ""], ["foldseek", "ncbi", "trec"]),
    (["score", "one"], []),
    (["threshold", "--output", "c"], ["csv"]),
]


@pytest.mark.subprocess
@pytest.mark.parametrize(("typed", "expected"), COMPLETIONS)
def test_completion_in_bash(typed, expected, folder, capsys):
    (folder / "complete.bash").write_text(stdout_of(capsys, ["completion"]))
    words = " ".join(map(shlex.quote, ["tapviz", *typed]))
    code = (
        f"source complete.bash; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _tapviz; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == expected


def test_completion_of_other_shells(capsys):
    bash = stdout_of(capsys, ["completion", "--shell", "bash"])
    assert stdout_of(capsys, ["completion", "--shell", "zsh"]).endswith(bash)
    fish = stdout_of(capsys, ["completion", "--shell", "fish"]).splitlines()
    assert all(line.startswith("complete -c tapviz -n ") for line in fish)
    assert all(line.count("'") % 2 == 0 and "%(" not in line for line in fish)
    assert any("-l compat -x -a 'ncbi foldseek trec'" in line for line in fish)


def test_json_says_all_that_it_takes_to_make_the_numbers_again(folder, capsys):
    given = [*SCORE, "--self-hits", "keep", "--unlabelled", "ignore", "--levels", "2", "-o"]
    stdout_of(capsys, [*given, "first.json"])
    told = json.loads((folder / "first.json").read_text())
    for one in told["inputs"]:
        data = (folder / one["file"]).read_bytes()
        assert (one["bytes"], one["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert [one["role"] for one in told["inputs"]] == ["results", "labels"]
    relevance = told["relevance"]
    assert relevance["levels"] == [2, 0, 0]
    assert (relevance["self_hits"], relevance["unlabelled"]) == ("keep", "ignore")
    assert relevance["by"]
    assert len(relevance["labels"]) == 32
    assert told["join"]["one"]["unlabelled_ignored"] == 1
    assert told["join"]["one"]["rows_read"] == 3
    assert told["join"]["one"]["ranked_by"] == "evalue"
    again = shlex.split(told["command"].replace("first", "second"))
    assert again[0] == "tapviz"
    stdout_of(capsys, again[1:])
    second = json.loads((folder / "second.json").read_text())
    assert {**second, "command": told["command"]} == told


def test_json_names_the_baseline(capsys):
    gate = [*SCORE[:-2], "--resamples", "50", "--groups", "none", "--quiet"]
    stdout_of(capsys, [*gate, "--save-baseline", "old.json"])
    told = json_of(capsys, [*gate, "--baseline", "old.json"])
    assert [one["role"] for one in told["inputs"]] == ["results", "labels", "baseline"]
    assert told["inputs"][2]["file"] == "old.json"
