"""One algorithm in many files: patterns, folders, and queries in the names of files."""

import gzip

import numpy as np
import pytest

from tapviz import RetrievalLists, load_results, read
from tapviz.cli import main
from tapviz.labels import ClassTable, kind_of
from tapviz.readers import write_tap
from tapviz.readers.inputs import ResultFile, files_of, open_files
from tapviz.readers.merging import merged, query_of

CLASSES = {"q1": "a.1.1.1", "q2": "b.1.1.1", "d1": "a.1.1.1", "d2": "b.1.1.1", "d3": "c.1.1.1"}
ROWS = [("q1", "d1", 1e-9), ("q1", "d3", 0.5), ("q2", "d3", 1e-4), ("q2", "d2", 0.1)]


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """The rows in one file, and in one of each query, in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    head = "query\ttarget\tevalue\n"
    lines = [f"{query}\t{record}\t{e}\n" for query, record, e in ROWS]
    (tmp_path / "all.tsv").write_text(head + "".join(lines))
    for query in ("q1", "q2"):
        own = [line for line in lines if line.startswith(query)]
        (tmp_path / "runs" / f"{query}.tsv").write_text(head + "".join(own))
    table = "".join(f"{record}\t{name}\n" for record, name in CLASSES.items())
    (tmp_path / "classes.tsv").write_text(table)
    return tmp_path


def same(one, other):
    """Whether lists hold the same."""
    assert one.query.tolist() == other.query.tolist()
    for field in ("score", "relevant", "offset", "n_relevant", "record"):
        assert getattr(one, field).tolist() == getattr(other, field).tolist()


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("pattern", ["runs/*.tsv", "runs", "r*/q*"])
def test_files_of_a_pattern_are_one_algorithm(pattern, capsys):
    files = files_of(f"mine={pattern}")
    assert [one.algorithm for one in files] == ["mine", "mine"]
    opened = open_files(files, labels="classes.tsv")
    expected = open_files(["all.tsv"], labels="classes.tsv")
    assert list(opened.results) == ["mine"]
    assert opened.title == "mine (2 files)"
    same(opened.results["mine"], expected.results["all"])
    assert opened.results["mine"].join_report.queries == expected.results["all"].join_report.queries
    command = ["score", f"mine={pattern}", "all.tsv", "--labels", "classes.tsv", "-k", "1"]
    assert main([*command, "--resamples", "0", "--output", "csv"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    scores = {name: [row[1:3] for row in rows if row[0] == name] for name in ("mine", "all")}
    assert scores["mine"] == scores["all"]
    # The Python that the page hands out opens the same files.
    found = {}
    exec(opened.opening, found)  # noqa: S102  # what was just written
    same(found["results"]["mine"], expected.results["all"])


def test_hits_of_a_query_may_be_in_several_files(runs):
    first, second = ROWS[:1], ROWS[1:]
    for name, some in (("one", first), ("two", second)):
        lines = [f"{query}\t{record}\t{e}\n" for query, record, e in some]
        (runs / name).write_text("query\ttarget\tevalue\n" + "".join(lines))
    files = [ResultFile(name, algorithm="mine") for name in ("two", "one")]
    opened = open_files(files, labels="classes.tsv", queries=("q1", "q2"))
    expected = read("all.tsv", labels="classes.tsv", queries=("q1", "q2"))
    same(opened.results["mine"], expected)


def test_the_query_can_be_the_name_of_the_file(runs):
    folder = runs / "named"
    folder.mkdir()
    for query in ("q1", "q2"):
        own = [f"{record};{e}\n" for name, record, e in ROWS if name == query]
        text = "target;evalue\n".replace(";", "\t") + "".join(own).replace(";", "\t")
        with gzip.open(folder / f"{query}.tsv.gz", "wt") as file:
            file.write(text)
    opened = open_files(files_of("mine=named"), labels="classes.tsv", query_from_name=True)
    same(opened.results["mine"], read("all.tsv", labels="classes.tsv"))
    (runs / "q1.m8").write_text("d1\t1e-9\nd3\t0.5\n")
    lists = read("q1.m8", labels="classes.tsv", query_from_name=True, columns="sseqid evalue")
    assert (lists.query.tolist(), lists.record.tolist()) == (["q1"], ["d1", "d3"])
    assert query_of("a/d1.2.m8.zst") == "d1.2"


def test_lists_of_several_files_are_joined(runs):
    whole = load_results("profiles")["RPS-BLAST"]
    half = np.arange(whole.n_queries) % 2 == 0
    for name, part in (("one", whole.subset(half)), ("two", whole.subset(~half))):
        write_tap(part, runs / name)
    opened = open_files(files_of("mine=[ot][nw][eo]"))
    found = opened.results["mine"]
    order = [*whole.query[half].tolist(), *whole.query[~half].tolist()]
    assert found.query.tolist() == order
    for query in order[::97]:
        a, b = found.row_of(query), whole.row_of(query)
        own = found.score[found.offset[a] : found.offset[a + 1]].tolist()
        assert own == whole.score[whole.offset[b] : whole.offset[b + 1]].tolist()
        assert found.n_relevant[a] == whole.n_relevant[b]


def test_what_does_not_belong_together_is_refused(runs, capsys):
    one = RetrievalLists([1.0], [True], [0, 1], [1], query=["q"])
    with pytest.raises(ValueError, match="mine: query q has a list in two files"):
        merged("mine", [one, one])
    other = RetrievalLists([1.0], [True], [0, 1], [1], query=["r"], direction="descending")
    with pytest.raises(ValueError, match="scores of some files ascend"):
        merged("mine", [one, other])
    assert main(["score", "mine=nowhere/*.m8"]) == 2
    assert "mine=nowhere/*.m8: there is no file nowhere/*.m8" in capsys.readouterr().err
    (runs / "a=b.tsv").write_text((runs / "all.tsv").read_text())
    assert files_of("a=b.tsv") == [ResultFile("a=b.tsv")]


def test_classes_in_headers_of_fasta(tmp_path):
    path = tmp_path / "scop.fa"
    path.write_text(">q1 a.1.1.1 (A:) Globin\nMKV\nLLS\n>d1 a.1.1.2,b.2.1.1\nMK\n")
    assert kind_of(path.read_bytes().splitlines()) == "classes"
    table = ClassTable.read(path)
    assert table.records == {"q1": "a.1.1.1", "d1": ("a.1.1.2", "b.2.1.1")}
    assert table.n_relevant(["q1"]).tolist() == [1]
    path.write_text(">q1\nMKV\n")
    assert kind_of(path.read_bytes().splitlines()) is None
    with pytest.raises(ValueError, match="line 1: expected an id and its class after >"):
        ClassTable.read(path)
