"""A store: runs come back as they were, in order, and only those judged alike together."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tapviz import ClassTable, Qrels, RetrievalLists, load_results
from tapviz.cli import main
from tapviz.labels import Held, JoinRules, fingerprint
from tapviz.lists import ARGUMENTS, Grades
from tapviz.lists.runs import Run
from tapviz.readers import ReadError, read, store, write_parquet
from tapviz.readers.inputs import judged_by, open_files
from tapviz.readers.store import JUDGED as NOTED
from tapviz.readers.store import KEY, Stored, add, runs
from tapviz.scores import Policies, as_table, score
from tests.printed import json_of, stderr_of, stdout_of
from tests.refused import refuses

JUDGED = ["--labels", "classes.tsv.gz", "--queries", "queries.txt"]
ONE = RetrievalLists([1.0], [1], [0, 1], [1])


def same(one, other):
    """Whether lists are the same in all they hold but the report of the join."""
    for name in ARGUMENTS:
        a, b = getattr(one, name), getattr(other, name)
        if name == "grades" and a is not None:
            assert all(map(np.array_equal, a, b))
        elif name == "run":
            assert a.known == b.known
        elif name != "join_report":
            assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b, name


@pytest.mark.parametrize("name", ["BLASTP", "phmmer", "PSI-BLAST"])
def test_a_run_comes_back_to_the_bit(tmp_path, name):
    lists = load_results()[name].with_run(Run("a", "1", "a -x", "db", "2026-01-01", 1.5, 2.5, 3.5))
    add(tmp_path / "new" / "store", "x", lists)
    (found,) = open_files([tmp_path / "new" / "store"]).results.values()
    same(found, lists)
    wanted = score({"x": lists}, Policies(k=(5,), n_resamples=50))
    assert repr(score({"x": found}, Policies(k=(5,), n_resamples=50))) == repr(wanted)


def test_grades_weights_and_empty_lists_come_back(tmp_path):
    lists = RetrievalLists(
        [9.0, 7.0, 7.0, 3.0],
        [1, 0, 1, 0],
        [0, 3, 3, 4],
        [2, 1, 0],
        [1, 2.5, 1],
        ["q1", "q2", "q3"],
        "descending",
        ["r2", "r1", "r3", "r1"],
        n_irrelevant=[5, 6, 7],
        class_level=2,
        query_class=["a.1", "a.2", ""],
        grades=Grades(
            np.array([3, 0, 1, -1]), np.array([[4, 1, 0, 1], [6, 1, 0, 0], [7, 0, 0, 0]])
        ),
    )
    path = add(tmp_path, "graded", lists)
    (found,) = open_files([path]).results.values()
    same(found, lists)
    (one,) = open_files([path], queries=("q3", "q1")).results.values()
    assert (one.query.tolist(), one.grades.record.tolist()) == (["q3", "q1"], [-1, 3, 0, 1])
    assert one.class_level == 2


def test_runs_stand_in_the_order_of_dates_and_versions(tmp_path):
    for name, version, year in (("b", "2.10", 2025), ("a", "1", 2026), ("c", "2.9", 2025)):
        add(tmp_path, name, ONE.with_run(Run(version=version, date=f"{year}-01-01")))
    assert [one.name for one in runs(tmp_path).values()] == ["c", "b", "a"]
    assert list(open_files([tmp_path]).results) == ["c", "b", "a"]


def test_names_and_what_is_there_already(tmp_path):
    add(tmp_path, "mmseqs2-15.6", ONE)
    refuses("there is a run of this name already", add, tmp_path, "mmseqs2-15.6", ONE)
    add(tmp_path, "mmseqs2-15.6", ONE.with_run(Run(seconds=3)), replace=True)
    assert [(one.name, one.run.seconds) for one in runs(tmp_path).values()] == [("mmseqs2-15.6", 3)]
    for name in ("", "../x", "a/b", ".hidden", "a\nb"):
        refuses("expected letters", add, tmp_path, name, ONE)
    assert [path.name for path in tmp_path.iterdir()] == ["mmseqs2-15.6.parquet"]
    given = RetrievalLists([], [], [0, 0], [1], given={"tap": [0.5]})
    refuses("a store keeps ranked lists", add, tmp_path, "x", given)


def test_labels_that_judge_alike_have_one_fingerprint():
    one = ClassTable({"d1": "a.1.1.1", "d2": "a.1.1.2"})
    assert fingerprint(one) == fingerprint(ClassTable({"d2": "a.1.1.2", "d1": "a.1.1.1"}))
    others = [
        ClassTable({"d1": "a.1.1.1", "d2": "a.1.1.3"}),
        ClassTable({"d1": "a.1.1.1"}),
        replace(one, ignored=3),
        replace(one, rules=JoinRules(self_hits="keep")),
        replace(one, ignore_class=("b",)),
        Qrels({"d1": {"d2": 1}}),
        Qrels({"d1": {"d2": 2}}),
    ]
    assert len({fingerprint(each) for each in [one, *others]}) == len(others) + 1


def test_runs_that_were_judged_differently_are_refused(searches, capsys):
    def added(name, *more):
        return main(["add", "blastp.tsv.gz", *JUDGED, "--store", "st", "--name", name, *more])

    assert added("one") == 0
    assert added("two", "--levels", "4,2") == 2
    said = "one was judged by a table of classes: same to level 3 relevant, to level 2 ignored, and"
    assert said in capsys.readouterr().err
    queries = Path("queries.txt").read_text().split()
    (searches / "fewer.txt").write_text("\n".join(queries[::2]))
    (searches / "same.txt").write_text("\n".join(queries[::-1]))
    assert added("two", "--queries", "fewer.txt") == 2
    said = "one and two were given other lists of all queries: these cannot be compared; keep this"
    assert said in capsys.readouterr().err
    assert sorted(path.name for path in Path("st").iterdir()) == ["one.parquet", NOTED]
    assert added("one", "--queries", "same.txt", "--replace") == 0
    assert main(["score", "st", "ssearch.tsv.gz", *JUDGED, "--resamples", "0"]) == 0
    assert main(["score", "st", "ssearch.tsv.gz", *JUDGED, "--standard", "family"]) == 2
    assert "these cannot be compared" in capsys.readouterr().err
    table = (searches / "classes.tsv.gz").read_bytes()
    other = [*JUDGED[2:], "--labels", "other.tsv", "--resamples", "0"]
    (searches / "other.tsv").write_bytes(table)
    assert main(["score", "st", "ssearch.tsv.gz", *other]) == 0  # the same table by another name
    labels = ClassTable.read("classes.tsv.gz")
    first = next(iter(labels.records))
    rows = [f"{key}\t{own}" for key, own in labels.records.items() if key != first]
    (searches / "other.tsv").write_text("\n".join([f"{first}\tz.9.9.9", *rows]))
    capsys.readouterr()
    assert main(["score", "st", "ssearch.tsv.gz", *other]) == 2
    assert "by another with the same rules" in capsys.readouterr().err


@pytest.mark.usefixtures("searches")
def test_options_that_a_run_cannot_follow_any_more_are_refused(capsys):
    stdout_of(capsys, ["add", "blastp.tsv.gz", *JUDGED, "--store", "st", "--name", "one"])
    plain = stdout_of(capsys, ["score", "st", "--resamples", "0"])
    said = "st/one.parquet: this run was read and judged when it was added; leave {} out"
    rules = "--unlabelled ignore", "--decoys ^x", "--beside-decoys keep", "--normalise case"
    reading = "--format blast", "--score bits", "--direction ascending", "--swap"
    for more in ("--self-hits keep", *rules, *reading, "--reported-to 10"):
        for command in ("score", "threshold"):
            for given in ("st", "st/one.parquet"):
                err = stderr_of(capsys, [command, given, *more.split()])
                assert err.strip() == said.format(more.split()[0])
    for more in ("--levels 2,0", "--standard family", "--ignore-class e", "--self-hits keep"):
        labels = [*JUDGED[:2], *more.split()]
        first = "--self-hits" if more.startswith("--self") else "--labels"
        assert stderr_of(capsys, ["score", "st", *labels]).strip() == said.format(first)
    both = [*JUDGED, "--standard", "sf3,fold"]
    assert said.format("--labels") in stderr_of(capsys, ["score", "st", *both])
    for more in (JUDGED, [*JUDGED[:2], "--standard", "sf3"], JUDGED[2:]):
        assert stdout_of(capsys, ["score", "st", "--resamples", "0", *more]) == plain
    both = ["score", "st", "ssearch.tsv.gz", *JUDGED, "--resamples", "0"]
    assert stdout_of(capsys, [*both, "--reported-to", "ssearch=100"])


@pytest.mark.usefixtures("searches")
def test_a_file_of_an_option_that_is_not_there_is_named(capsys):
    stdout_of(capsys, ["add", "blastp.tsv.gz", *JUDGED, "--store", "st"])
    for option in ("--runs", "--queries"):
        said = stderr_of(capsys, ["score", "st", option, "none"])
        assert said == "none: there is no such file; check the path\n"


@pytest.mark.usefixtures("searches")
def test_json_says_by_what_a_run_of_a_store_was_judged(capsys):
    stdout_of(capsys, ["add", "blastp.tsv.gz", *JUDGED, "--self-hits=keep", "--store", "st"])
    told = json_of(capsys, ["score", "st", "--resamples", "0"])["relevance"]
    noted = json.loads(Path("st", NOTED).read_text())
    assert (told["by"], told["labels"]) == (noted["judged_by"], noted["judged"])
    assert told["self_hits"] is told["unlabelled"] is None  # which the store does not know
    same = ["add", "st", "--store", "other"]
    stdout_of(capsys, same)
    assert json.loads(Path("other", NOTED).read_text())["judged"] == noted["judged"]


@pytest.mark.usefixtures("searches")
def test_the_command_keeps_what_the_file_gave(capsys):
    Path("blastp.time").write_text(
        '\tCommand being timed: "blastp"\n\tUser time (seconds): 1\n\tSystem time (seconds): 2\n'
        "\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:04.5\n"
        "\tMaximum resident set size (kbytes): 1000\n"
    )
    run = ["--program", "BLAST+", "--version", "2.12", "--date", "2026-01-31", "--memory", "3"]
    argued = ["add", "blastp.tsv.gz", *JUDGED, "--store", "st", *run, "--time", "blastp.time"]
    assert main(argued) == 0
    said = capsys.readouterr()
    assert said.out == "st/blastp.parquet\n"
    assert "rows read           1,843\n  hits kept           1,790" in said.err
    (stored,) = runs("st").values()
    assert stored.run.known == {
        "program": "BLAST+", "version": "2.12", "command": "blastp", "date": "2026-01-31",
        "seconds": 4.5, "cpu_seconds": 3.0, "memory": 3.0,
    }  # fmt: skip
    labels = ClassTable.read("classes.tsv.gz")
    assert (stored.judged, stored.judged_by) == judged_by(labels)
    lists = read("blastp.tsv.gz", labels="classes.tsv.gz", queries="queries.txt")
    opened = open_files(["st"])
    same(opened.results["blastp"], lists.with_run(stored.run))
    assert opened.about == f"Relevant by {labels.described}."
    assert opened.title == "st"
    assert "open_files(\n    ['st'],\n)" in opened.opening
    for more, said in (
        ([], "there is a run of this name"),
        (["--name", "b", "--seconds", "x"], "run: seconds: expected a number"),
    ):
        assert said in stderr_of(capsys, [*argued, *more])
    assert main(["add", "ssearch.tsv.gz", *argued[1:]]) == 2
    assert "expected the results of one algorithm, found ssearch, blastp" in capsys.readouterr().err
    assert main([*argued, "--replace"]) == 0


def test_a_folder_without_runs_and_a_damaged_run(tmp_path):
    refuses("this is a folder without runs; open a file", open_files, [tmp_path])
    path = add(tmp_path, "x", ONE)
    assert list(open_files([Held("x.parquet", path.read_bytes())]).results) == ["x"]
    good = json.loads(Stored.read(path).metadata()[KEY])
    for wrong in ({}, [], good | {"name": 1}, good | {"run": 3}, good | {"run": {"seconds": "x"}}):
        write_parquet(ONE, path, metadata={KEY: json.dumps(wrong).encode()})
        refuses("what it says of its run is damaged", Stored.read, path)
    assert Stored.read(Held("hits.tsv", b"q1\tr1\n")) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_is_read_once(searches):
    os.mkfifo("hits")
    text = gzip.decompress((searches / "blastp.tsv.gz").read_bytes())
    writer = threading.Thread(target=lambda: Path("hits").write_bytes(text))
    writer.start()
    opened = open_files(["hits"], labels="classes.tsv.gz", queries="queries.txt")
    writer.join()
    assert opened.results["hits"].n_queries == 21


ADDING = """
import sys, time
from pathlib import Path
from tapviz import RetrievalLists
from tapviz.lists.runs import Run
from tapviz.readers.store import add

me, rounds = sys.argv[1], int(sys.argv[2])
lists = RetrievalLists([1.0], [1], [0, 1], [1]).with_run(Run(seconds=int(me)))
for at in range(rounds):
    Path(f"ready-{at}-{me}").touch()
    while len(list(Path().glob(f"ready-{at}-*"))) < 4:
        time.sleep(0.0005)
    for name, judged in (("same", ""), (f"own{me}", ""), (f"judged{me}", me)):
        try:
            add(f"st{at}", name, lists, judged=judged, judged_by=judged and f"labels {judged}")
        except ValueError as error:
            print(at, name, "refused", error)
        else:
            print(at, name, "added")
"""


@pytest.mark.subprocess
@pytest.mark.parametrize("rounds", [3, pytest.param(20, marks=pytest.mark.nightly)])
def test_four_that_add_at_once_lose_nothing(tmp_path, rounds):
    argued = [[sys.executable, "-c", ADDING, str(me), str(rounds)] for me in range(1, 5)]
    options = {"cwd": tmp_path, "stdout": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(one, **options) for one in argued]
    said = [line.split(maxsplit=2) for one in started for line in one.communicate()[0].splitlines()]
    assert not any(one.returncode for one in started)
    assert len(said) == 4 * 3 * rounds
    for at in range(rounds):
        kept = runs(tmp_path / f"st{at}")
        added = sorted(name for number, name, how in said if number == str(at) and how == "added")
        assert sorted(one.name for one in kept.values()) == added
        assert [name for name in added if name[:3] != "own"] == [added[0], "same"]
        assert len(added) == 6  # the four of their own, one of the same name, one judgement
        refused = [how for number, _, how in said if number == str(at) and how != "added"]
        assert sum("there is a run of this name" in how for how in refused) == 3
        assert sum("these cannot be compared; keep this run" in how for how in refused) == 3
        assert not [path for path in (tmp_path / f"st{at}").iterdir() if path.suffix == ".tapviz"]


def test_the_first_run_decides_by_what_all_are_judged(tmp_path):
    add(tmp_path, "a", ONE, judged="1f", judged_by="classes")
    (tmp_path / "a.parquet").unlink()
    with pytest.raises(ValueError, match="a was judged by classes, and b by pairs: these cannot"):
        add(tmp_path, "b", ONE, judged="2e", judged_by="pairs")
    add(tmp_path, "c", ONE)  # which says itself what is relevant
    (tmp_path / NOTED).write_text("{")
    with pytest.raises(ReadError, match="line 1: this is not JSON") as caught:
        add(tmp_path, "b", ONE, judged="2e", judged_by="pairs")
    assert caught.value.problems[0].file == str(tmp_path / NOTED)
    assert [one.name for one in runs(tmp_path).values()] == ["c"]


def test_a_store_of_before_keeps_the_judgement_of_its_first_run(tmp_path):
    add(tmp_path, "a", ONE.with_run(Run(date="2026-01-01")), judged="1f", judged_by="classes")
    add(tmp_path / "other", "b", ONE, judged="2e", judged_by="pairs")
    (tmp_path / "other" / "b.parquet").rename(tmp_path / "b.parquet")
    (tmp_path / NOTED).unlink()
    refuses("a was judged by classes", add, tmp_path, "c", ONE, judged="2e", judged_by="pairs")
    with pytest.warns(UserWarning, match="b.parquet: this run is left out: a was judged"):
        assert [one.name for one in runs(tmp_path).values()] == ["a"]


def poisoned(path, store):
    """Ways to damage a run, by what is said of it."""
    whole = path.read_bytes()
    good = json.loads(Stored.read(path).metadata()[KEY])

    def noted(note):
        write_parquet(ONE, path, metadata={KEY: note})

    def said(**values):
        noted(json.dumps(good | values).encode())

    return {
        "is damaged": lambda: path.write_bytes(whole[: len(whole) // 2]),
        "says of no run": lambda: write_parquet(ONE, path),
        "this is not JSON": lambda: noted(b"{"),
        "brackets or keys are in one another": lambda: noted(b"[" * 5000 + b"]" * 5000),
        "version: expected at most 10,000 char": lambda: said(run={"version": "9" * 20_000}),
        "seconds: expected a number": lambda: said(run={"seconds": [1]}),
        "program: expected a text": lambda: said(run={"program": {"a": 1}}),
        "name: expected another value": lambda: said(name="../x"),
        "class_level: expected another": lambda: said(class_level=True),
        "grades: expected another": lambda: said(grades=[1, 2]),
        "more: expected another": lambda: said(more=1),
        "judged_by: expected another": lambda: said(judged_by=["x"]),
        "expected one per record": lambda: said(grades=[[1, 1]], grade="AAAAAAAAAAA="),
        "more than 18 digits|at most 18 digits": lambda: noted(
            b'{"class_level": ' + b"9" * 5000 + b"}"
        ),
        "says of the same run": lambda: shutil.copy(store / "good.parquet", path),
        "of no run": lambda: (path.unlink(), path.mkdir()),
    }


KINDS = range(16)


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_run_is_named_and_never_stops_the_others(tmp_path, kind, capsys):
    add(tmp_path, "good", ONE)
    path = add(tmp_path, "poisoned", ONE)
    ways = poisoned(path, tmp_path)
    assert len(ways) == len(KINDS)
    said, damage = list(ways.items())[kind]
    damage()
    opened = open_files([tmp_path])
    assert list(opened.results) == ["good"]
    assert len(opened.doubts) == 1
    assert f"{path}: this run is left out: " in opened.doubts[0]
    assert re.search(said, opened.doubts[0])
    assert main(["score", str(tmp_path), "--resamples", "0"]) == 0
    assert "this run is left out" in "".join(capsys.readouterr())


def test_no_run_that_can_be_read_is_said(tmp_path):
    path = add(tmp_path, "x", ONE)
    good = json.loads(Stored.read(path).metadata()[KEY])
    wrong = {"grades": [[1, 1]], "grade": "AAAAAAAAAAA="}
    write_parquet(ONE, path, metadata={KEY: json.dumps(good | wrong).encode()})
    refuses("no run of this folder can be read", open_files, [tmp_path])


BAD_RUNS = [
    (Run(version="9" * 20_000), "version: expected at most 10,000 characters"),
    (Run(seconds=float("inf")), "seconds: expected a number of at least 0"),
    (Run(program=["BLAST"]), "program: expected a text"),
    (Run(date="May"), "date: expected one such as"),
]


@pytest.mark.parametrize(("run", "said"), BAD_RUNS)
def test_a_run_is_checked_before_it_is_written(tmp_path, run, said):
    refuses(said, add, tmp_path / "st", "x", ONE.replaced(run=run))
    assert not list(tmp_path.iterdir())


def test_versions_of_thousands_of_digits_are_sorted(tmp_path):
    for name, version in {"b": "10" + "0" * 5000, "a": "9" * 5000}.items():
        add(tmp_path, name, ONE.with_run(Run(version=version)))
    assert [one.name for one in runs(tmp_path).values()] == ["a", "b"]


def test_a_version_of_thousands_of_digits_leaves_a_table_that_can_be_read():
    table = as_table(score({"x": ONE.with_run(Run(program="BLAST", version="9" * 5000))}))
    assert f" {'9' * 59}…\n" in table


def test_a_file_system_without_links_keeps_runs_as_well(tmp_path, monkeypatch):
    def no_link(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("tapviz.lists.writing.os.link", no_link)
    add(tmp_path, "a", ONE, judged="1f", judged_by="classes")
    with pytest.raises(ValueError, match="there is a run of this name already"):
        add(tmp_path, "a", ONE, judged="1f", judged_by="classes")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet", NOTED]
    assert [one.name for one in runs(tmp_path).values()] == ["a"]


@pytest.mark.parametrize("when", ["looked for", "written"])
def test_a_name_that_is_taken_meanwhile_is_not_written_over(tmp_path, monkeypatch, when):
    add(tmp_path, "a", ONE.with_run(Run(seconds=1)))
    exists = Path.exists if when == "looked for" else lambda _: False
    monkeypatch.setattr("tapviz.readers.store.Path.exists", exists)
    if when == "written":  # nor does `write_atomically` see it before it gives the name
        monkeypatch.setattr("tapviz.lists.writing.os.path.lexists", lambda _: False)
    refuses("there is a run of this name already", add, tmp_path, "a", ONE.with_run(Run(seconds=2)))
    monkeypatch.undo()
    assert [one.run.seconds for one in runs(tmp_path).values()] == [1]
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]


def test_a_run_that_is_replaced_while_it_is_read_is_read_again(tmp_path, monkeypatch):
    path = add(tmp_path, "a", ONE.with_run(Run(seconds=1)))
    load, waiting = store.load, [RetrievalLists([2.0], [0], [0, 1], [1])]

    def slowly(file, *rest):
        if waiting:
            add(tmp_path, "a", waiting.pop().with_run(Run(seconds=2)), replace=True)
        return load(file, *rest)

    monkeypatch.setattr(store, "load", slowly)
    (lists,) = open_files([path]).results.values()
    assert (lists.run.seconds, lists.score.tolist(), lists.relevant.tolist()) == (2, [2.0], [False])
