"""The command line: files are opened, or one message says what is wrong with them."""

import html
import json
import re
from pathlib import Path

import pytest

from tapviz.cli import app, main, server
from tapviz.cli.arguments import open_once
from tests.hits import m8 as row
from tests.printed import stderr_of, stdout_of
from tests.refused import error_of

CLASSES = "q1\ta.1.1\nq2\ta.1.1\nr1\ta.1.1\nr2\tb.1.1\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    texts = {
        "classes.tsv": CLASSES,
        "queries.txt": "q1\nq2\n",
        "blastp.tsv": row("q1", "r1", "1e-9") + row("q1", "r2", "0.5") + row("q2", "r2", "2"),
        "phmmer.out.tsv": row("q1", "r1", "1e-7"),
        "bad.tsv": row("q1", "r1", "1e-9") + row("q1", "r2", "abc"),
        "one.lists": "q1\n2\n1\t1e-9\n0\t0.5\n",
        "two.lists": "q1\n3\n1\t1e-9\n0\t0.5\n",
        "scores.lists": "q1\n2\n1\t50\n0\t3\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    open_once.cache_clear()  # the names are the same in every test, the folder is not
    return tmp_path


@pytest.fixture
def opened(monkeypatch):
    """What would have been served."""
    served = []
    explore = lambda *args, **options: served.append((args[0], options))  # noqa: E731
    monkeypatch.setattr(server, "explore", explore)
    return served


LABELS = ["--labels", "classes.tsv"]
NO_FILE = ["none.tsv: there is no such file; check the path"]
BAD = {
    "a number that is none": (
        ["bad.tsv", *LABELS],
        ["bad.tsv, line 2: E-value: expected a number, found 'abc'", " → abc → 36.6"],
    ),
    "no labels": (
        ["blastp.tsv"],
        ["blastp.tsv: ", "does not say what is relevant", "--labels classes.tsv"],
    ),
    "no such file": (["none.tsv", *LABELS], NO_FILE),
    "no such labels": (["blastp.tsv", "--labels", "none.tsv"], NO_FILE),
    "two files that disagree on T(q)": (
        ["one.lists", "two.lists"],
        ["query q1: one has ", "two has 3", "use the same labels for"],
    ),
    "two files that disagree on the direction": (
        ["one.lists", "scores.lists"],
        ["one has ascending scores and scores descending ones", "load them separately"],
    ),
    "labels where the file says what is relevant": (
        ["one.lists", *LABELS],
        ["one.lists: this file says itself what is relevant; leave --labels out"],
    ),
    **{
        f"{rule} where the file says what is relevant": (
            ["one.lists", *rule.split()],
            [f"one.lists: this file says itself what is relevant; leave {rule.split()[0]} out"],
        )
        for rule in ("--self-hits keep", "--unlabelled error", "--decoys ^x", "--normalise case")
    },
}


@pytest.mark.parametrize(("arguments", "expected"), BAD.values(), ids=BAD)
def test_bad_input_is_answered_with_one_message_and_exit_code_2(
    arguments, expected, opened, capsys
):
    assert main(["explore", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(expected[0])
    for part in expected:
        assert err.count(part) == 1
    if arguments[0] == "bad.tsv":  # the message, the row, and what leaves it out
        assert len(err.splitlines()) == 2 + err.count("set --skip-bad-rows") == 3
    assert not opened
    with pytest.raises(SystemExit) as ended:  # the application ends the server with the same
        app(arguments)
    assert (ended.value.code, capsys.readouterr().err) == (2, err)


@pytest.mark.parametrize(
    "arguments", [[], ["explore", "--format", "sam"], ["explore", "--port", "no"], ["judge"]]
)
def test_arguments_that_make_no_sense_are_answered_with_one_line(arguments, capsys):
    assert error_of(main, arguments, error=SystemExit).code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert (line[:6], line[-6:]) == ("tapviz", "--help")


def test_files_are_opened_by_the_names_of_their_algorithms(opened):
    assert main(["explore", "blastp.tsv", "phmmer.out.tsv", "--labels", "classes.tsv"]) == 0
    ((found, options),) = opened
    assert list(found.results) == ["blastp", "phmmer"]
    assert found.title == "blastp.tsv, phmmer.out.tsv"
    assert options == {"port": 0, "show": True, "session": None}
    # Queries that one file lacks become empty lists.
    for lists, offset in zip(found.results.values(), ([0, 2, 3], [0, 1, 1]), strict=True):
        assert (lists.query.tolist(), lists.n_relevant.tolist()) == (["q1", "q2"], [2, 2])
        assert lists.offset.tolist() == offset
    assert found.results["blastp"].relevant.tolist() == [True, False, False]


def test_queries_without_hits_are_kept_if_they_are_listed(opened):
    options = ["--labels", "classes.tsv", "--queries", "queries.txt", "--port", "5099", "--no-show"]
    assert main(["explore", "phmmer.out.tsv", *options]) == 0
    ((found, served),) = opened
    lists = found.results["phmmer"]
    assert (lists.query.tolist(), lists.offset.tolist()) == (["q1", "q2"], [0, 1, 1])
    assert served == {"port": 5099, "show": False, "session": None}


def test_files_of_one_name_are_told_apart_by_their_folders(files, opened):
    (files / "other").mkdir()
    (files / "other" / "blastp.tsv").write_text(row("q2", "r1", "1e-3"))
    main(["explore", "blastp.tsv", "other/blastp.tsv", "--labels", "classes.tsv"])
    assert list(opened[0][0].results) == ["blastp", "other/blastp"]


def test_without_files_the_bundled_bench_is_opened(opened):
    assert main(["explore"]) == 0
    assert opened[0][0] is None


def test_queries_may_have_classes_of_their_own(files, opened):
    (files / "own.tsv").write_text("q1\tb.1.1\n")
    main(["explore", "phmmer.out.tsv", *LABELS, "--query-labels", "own.tsv"])
    lists = opened[0][0].results["phmmer"]
    assert (lists.n_relevant.tolist(), lists.relevant.tolist()) == ([1], [False])


def test_files_are_read_again_only_by_another_process(opened):
    arguments = ["explore", "one.lists"]
    main(arguments)
    main(arguments)
    assert opened[0][0] is opened[1][0]


def test_report_is_one_file_with_the_choices_and_how_to_repeat_it(files):
    assert main(["report", "blastp.tsv", "--labels", "classes.tsv", "-k", "1", "-o", "r.html"]) == 0
    text = (files / "r.html").read_text("utf-8")
    assert "TAP-1" in text
    assert "rows read" in text
    code = html.unescape(text.split('<pre tabindex="0">')[-1].split("</pre>")[0])
    names = {}
    exec(code.replace("print(", "str("), names)  # noqa: S102  # our own
    # q1 finds one of two at rank 1, and its error at E_1 = 0.5; q2 finds nothing up to there.
    assert names["explorer"].score("blastp")["tap"] == pytest.approx(((1 + 1 / 2) / 3 + 0) / 2)


def test_more_confidence_asks_for_a_stricter_threshold(capsys):
    data = Path(__file__).parents[1] / "notebooks" / "data"
    named = ["--labels", str(data / "classes.tsv.gz"), "--queries", str(data / "queries.txt")]
    command = ["threshold", str(data / "blastp.tsv.gz"), *named, "--errors", "1", "--resamples=10"]
    command += ["--confidence", "0.8"]
    said = json.loads(stdout_of(capsys, [*command, "--output", "json"]))
    assert said["policies"]["confidence"] == 0.8
    found = said["algorithms"][0]
    assert found["promised"]["threshold"] < found["threshold"]["value"]
    assert "threshold, at most, 80 % sure" in stdout_of(capsys, command)
    assert main([*command, "--confidence", "90"]) == 2
    assert "confidence = 90.0: expected a fraction above 0 and below 1" in capsys.readouterr().err
    assert main([*command, "--quantile", "0.3"]) == 2  # of the mean, which is the default
    assert "--quantile: give --statistic quantile" in capsys.readouterr().err


OVERWRITES = {
    "scores over results": ("score blastp.tsv {} -o blastp.tsv", "blastp.tsv"),
    "scores over a file of an algorithm": ("score a=*.tsv {} -o bad.tsv", "bad.tsv"),
    "scores over a link": ("score a=blastp.tsv {} -o x.csv -o link.csv", "link.csv"),
    "scores over labels": ("score blastp.tsv {} -o ./classes.tsv", "./classes.tsv"),
    "scores over a baseline": ("score blastp.tsv {} --baseline old.json -o old.json", "old.json"),
    "scores over a run": ("score store --per-query store/phmmer.parquet", "store/phmmer.parquet"),
    "scores over what a store is": ("score store -o store/store.json", "store/store.json"),
    "scores of queries": ("score blastp.tsv {} --per-query blastp.tsv", "blastp.tsv"),
    "a baseline": ("score one.lists --save-baseline one.lists", "one.lists"),
    "a figure": ("figure blastp.tsv {} --plot tap -o blastp.tsv", "blastp.tsv"),
    "a report": ("report one.lists -o one.lists", "one.lists"),
    "a lesson": ("lesson one.lists two.lists -o two.lists", "two.lists"),
    "condensed": ("condense blastp.tsv {} -o classes.tsv", "classes.tsv"),
}


@pytest.mark.parametrize(
    ("outputs", "lost"),
    [
        ("-o same.json --save-baseline same.json", "same.json"),
        ("-o same.csv --per-query ./same.csv", "same.csv"),
        ("-o x.csv -o same.csv -o x.csv", "x.csv"),
        ("--per-query bad.tsv -o link.csv", "link.csv"),
    ],
)
def test_an_output_is_not_written_over_another_one(files, outputs, lost, capsys):
    (files / "link.csv").symlink_to("bad.tsv")
    before = {path: path.read_bytes() for path in files.iterdir()}
    said = stderr_of(capsys, ["score", "one.lists", "--resamples=0", *outputs.split()])
    assert said == f"{lost} is made twice\n"
    assert {path: path.read_bytes() for path in files.iterdir()} == before


@pytest.mark.parametrize(("line", "lost"), OVERWRITES.values(), ids=OVERWRITES)
def test_what_is_read_is_not_written_over(files, line, lost, capsys):
    main(["add", "phmmer.out.tsv", *LABELS, "--store", "store", "--name", "phmmer"])
    (files / "old.json").write_text("{}")
    (files / "link.csv").symlink_to("blastp.tsv")
    before = {path: path.read_bytes() for path in files.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert main(line.format(" ".join(LABELS)).split()) == 2
    assert capsys.readouterr().err == f"{lost}: this file is also read: write to another one\n"
    assert {path: path.read_bytes() for path in files.rglob("*") if path.is_file()} == before


DOUBTS = {
    "a class that is none": (["--ignore-class", "b.1-b.3,zz"], "no class is zz, which --ignore"),
    "few labels": (["--labels", "few.tsv"], "only 10 of 101 hits are on records with a label, and"),
}


@pytest.mark.parametrize(("more", "said"), DOUBTS.values(), ids=DOUBTS)
def test_what_is_doubtful_about_labels_is_a_warning(files, more, said, capsys):
    rows = [row("q1", f"x{at}", f"{at}") for at in range(1, 101)]
    (files / "hits.tsv").write_text("".join([row("q1", "r1", "1e-9"), *rows]))
    (files / "few.tsv").write_text(CLASSES + "".join(f"x{at}\tb.2.1\n" for at in range(1, 10)))
    labels = CLASSES + "".join(f"x{at}\tb.2.1\n" for at in range(1, 101))
    (files / "classes.tsv").write_text(labels)
    given = ["score", "hits.tsv", *LABELS, "-k", "1", "--resamples", "0", "--quiet", *more]
    assert re.search(rf"warning: \w+\.tsv: {said}", stdout_of(capsys, given))


def test_standard_input_is_a_file(monkeypatch, capsys):
    monkeypatch.setattr("tapviz.readers.inputs.STANDARD_INPUT", "blastp.tsv")
    given = ["score", *LABELS, "-k", "1", "--resamples", "0"]
    for argument, name in (("-", "blastp"), ("mine=-", "mine")):
        assert f"The TAP-1 of {name} is" in stdout_of(capsys, [*given, argument])


def test_a_threshold_that_is_given_twice_is_shown_once(capsys):
    given = ["score", "blastp.tsv", *LABELS, "--resamples", "0", "--e0", "1"]
    once = stdout_of(capsys, [*given, "-k", "1"])
    assert stdout_of(capsys, [*given, "-k", "1", "-k", "1", "--e0", "1.0"]) == once
