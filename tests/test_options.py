"""An option is declared once: what follows from it; a format by the book; tables in memory."""

import argparse
import inspect
import pickle
from dataclasses import dataclass, fields, replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tapviz import cli
from tapviz.files.options import OptionError, add_flags, field_names, flag_names, option, options_of
from tapviz.labels import NORMALISATIONS, ClassTable, Held, Hits, JoinRules, ReadError
from tapviz.readers import FORMATS, Format, ReadOptions, read, read_all
from tapviz.readers._lines import Match
from tapviz.readers.inputs import ROLES, ResultFile, explain, guess, open_files
from tests.printed import stdout_of
from tests.refused import refuses

CLASSES = Held("classes.tsv", b"q1\ta.1.1\nq2\ta.1.1\nr1\ta.1.1\nr2\tb.1.1\n")
OPTIONS = options_of(ReadOptions)


@dataclass(frozen=True)
class Own:
    """Options of a test."""

    size: int = option(3, kind="number", least=1, help="size of it")
    names: tuple[str, ...] = option((), kind="several", choices={"A": "a", "B": "b"}, help="names")
    pair: tuple[int, int] = option((1, 2), kind="numbers", help="two numbers")
    loud: bool = option(default=False, kind="switch", help="100 % loud")
    other: int = 7


def parsed(*arguments):
    parser = argparse.ArgumentParser()
    add_flags(parser, Own)
    return vars(parser.parse_args(arguments))


def test_flags_follow_from_the_fields():
    assert parsed() == {}
    arguments = ["--size", "5", "--names", "a", "--names", "b", "--pair", "4", "--loud"]
    assert parsed(*arguments) == {"size": 5, "names": ["a", "b"], "pair": (4, 0), "loud": True}
    parser = argparse.ArgumentParser()
    add_flags(parser, Own)
    text = parser.format_help()
    assert "size of it (default: 3)" in text
    assert "two numbers (default: 1,2)" in text
    assert "100 % loud" in text


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_of_reading_is_an_argument_a_flag_and_documented(name):
    for function in (read, read_all, open_files):
        assert inspect.signature(function).parameters[name].default == OPTIONS[name].default
        assert f"{name} : {OPTIONS[name].type}, optional" in function.__doc__
    assert "{options}" not in read.__doc__
    assert flag_names(ReadOptions)[name].startswith("--")
    assert field_names(ReadOptions)[name]


def test_what_python_shows_of_read():
    lines = inspect.getdoc(read).splitlines()
    assert max(map(len, lines)) <= 96
    at = lines.index("iteration : int | None, optional")
    assert lines[at + 1].startswith("    Iteration of PSI-BLAST to read")


NONSENSE = [
    ({"direction": "up"}, "direction is 'up': expected one of 'ascending', 'descending'"),
    ({"iteration": 0}, "iteration is 0: expected a whole number, 1 or more"),
    ({"swap": "no"}, "swap is 'no': expected True or False"),
    ({"iteration": True}, "iteration is True: expected a whole number"),
    ({"levels": (3,)}, r"levels is \(3,\): expected 3 whole numbers"),
    ({"normalise": ("upper",)}, r"normalise is \('upper',\): expected some of 'accession'"),
    ({"normalise": 2}, "normalise is 2: expected some of 'accession'"),
    ({"normalise": (["case"],)}, r"normalise is \(\['case'\],\): expected some of 'accession'"),
    ({"normalise": "case"}, "normalise is 'case': expected some of 'accession', 'version', "),
    ({"self_hits": "no"}, "self_hits is 'no': expected one of 'drop', 'keep'"),
    ({"unlabelled": "bad"}, "unlabelled is 'bad': expected one of 'irrelevant', 'ignore'"),
    ({"unlabelled": [["error"]]}, r"unlabelled is \[\['error'\]\]: expected one of"),
    ({"swap": (["no"],)}, r"swap is \(\['no'\],\): expected True or False"),
    ({"decoys": "["}, r"decoys is '\[': not a regular expression"),
    ({"query_labels": "q.tsv"}, "q.tsv has classes of queries: give those of records, too"),
    ({"labels": "a", "gold": "b"}, r"only one file .* a \(labels\) and b \(gold\)"),
    ({"labels": ClassTable({"q": "a.1.1"}), "levels": (1, 0)}, "levels is for labels in a file"),
]


@pytest.mark.parametrize(("options", "words"), NONSENSE)
def test_values_that_make_no_sense(options, words):
    caught = refuses(words, ReadOptions, error=OptionError, **options)
    (text,) = explain(caught, flag_names(ReadOptions))
    assert any(f"--{name.replace('_', '-')}" in text for name in [*options, "labels"])
    assert str(pickle.loads(pickle.dumps(caught))) == str(caught)  # noqa: S301


def test_values_are_taken_as_people_write_them():
    said = ReadOptions(columns="6 qseqid, sseqid evalue", normalise=["case"], queries=iter("ab"))
    assert said.columns == ("6", "qseqid", "sseqid", "evalue")
    assert said.normalise == ("case",)
    assert said.queries == ("a", "b")
    assert not ReadOptions(normalise=frozenset()).normalise
    assert hash(said) == hash(replace(said))


def test_rules_of_the_join_are_declared_once():
    own = {field.name for field in fields(JoinRules)}
    assert own <= {field.name for field in fields(ReadOptions)}
    assert not own & set(vars(ReadOptions)["__annotations__"])
    assert set(OPTIONS["normalise"].choices.values()) == set(NORMALISATIONS)
    assert set(ROLES) - {"results", ""} == {n for n, one in OPTIONS.items() if one.kind == "file"}


def test_formats_need_what_can_be_said():
    for name, known in FORMATS.items():
        assert known.needs, name
        assert all(OPTIONS[one].roles == ("results",) for one in known.needs), name


def test_a_file_of_labels_is_labels():
    table = Held("b.tsv", b"q1\tr1\t56.9\t108\t46\t1\t1\t108\t3\t110\t1e-9\t36.6\n")
    one = read(table, labels=CLASSES, levels=(1, 0))
    assert one.n_relevant.tolist() == [2]
    given = ReadOptions(labels=CLASSES)
    assert read(table, given, levels=(1, 0)).join_report == one.join_report
    assert list(read_all(table, given)) == ["b"]


def _star(head):
    return Match("certain", "its first line") if head and head[0] == b"*stars*" else None


def _read_stars(source, options, problems):
    rows = [line.decode().split() for _, line in source.lines()][1:]
    if options.direction is None:
        problems.add("DirectionUnknown", 1, "*stars*", "are many stars good?")
        return None
    names = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    return Hits(
        file=source.file,
        query_id=names[0],
        record_id=names[1],
        query=np.array([names[0].index(row[0]) for row in rows]),
        record=np.array([names[1].index(row[1]) for row in rows]),
        score=np.array([row[2].count("*") for row in rows], float),
        direction=options.direction,
    )


@pytest.fixture
def stars(monkeypatch):
    """A file of a format that is added by its record, and by nothing else."""
    known = Format(
        "stars", "nobody", "*stars*\nq1 r1 **", _star, _read_stars, ("direction", "swap")
    )
    monkeypatch.setitem(FORMATS, "stars", known)
    return Held("stars.txt", b"*stars*\nq1 r1 ***\nq1 r2 *\n")


def test_a_format_added_by_the_book_is_read_everywhere(stars, tmp_path, monkeypatch, capsys):
    assert read(stars, labels=CLASSES, direction="descending").score.tolist() == [3, 1]
    refuses("are many stars good", read, stars, labels=CLASSES, error=ReadError)
    refuses("iteration has no meaning for 'stars' files", read, stars, labels=CLASSES, iteration=1)
    assert guess(stars) == ("results", "stars", "stars, recognised from its first line")
    monkeypatch.chdir(tmp_path)
    for file in (stars, CLASSES):
        (tmp_path / file.name).write_bytes(file.data)
    typed = ["score", "stars.txt", "--labels", "classes.tsv", "--format", "stars", "-k", "1"]
    assert "stars" in stdout_of(capsys, [*typed, "--direction", "descending"])
    cli.main(["formats"])
    assert "stars: stars\n  written by nobody" in capsys.readouterr().out


def test_a_format_added_by_the_book_has_its_fields_on_the_page(stars):
    from tapviz.page.data import DataPanel  # noqa: PLC0415

    used = []
    panel = DataPanel(lambda opened, _session: used.append(opened), lambda: None, "")
    panel.dropper.value = {stars.name: stars.data, CLASSES.name: CLASSES.data}
    panel.dropper.param.trigger("value")
    assert "direction" in panel.form.given
    assert "score" not in panel.form.given
    (direction,) = panel.form.fields["direction"]
    direction.value = "descending"
    panel._reading.resume()
    panel._open_button.clicks += 1
    (opened,) = used
    assert opened.results["stars"].score.tolist() == [3, 1]
    assert "direction='descending'" in opened.opening


def test_python_that_opens_files_opens_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    row = "q1\tr1\t56.9\t108\t46\t1\t1\t108\t3\t110\t1e-9\t36.6\n"
    for name in ("a.tsv", "b.tsv"):
        (tmp_path / name).write_text(row)
    (tmp_path / "classes.tsv").write_bytes(CLASSES.data)
    files = ["a.tsv", ResultFile("b.tsv", "blast", "mine")]
    opened = open_files(files, labels="classes.tsv", levels=(1, 0), score="bits")
    assert opened.opening == (
        "from tapviz.readers.inputs import ResultFile, open_files\n\n"
        "results = open_files(\n"
        "    ['a.tsv', ResultFile('b.tsv', 'blast', 'mine')],\n"
        "    labels='classes.tsv',\n    levels=(1, 0, 0),\n    score='bits',\n).results"
    )
    names = {}
    exec(opened.opening, names)  # noqa: S102  # our own
    assert list(names["results"]) == ["a", "mine"]
    assert names["results"]["mine"].score.tolist() == [36.6]


COLUMNS = {"query": ["q1", "q1", "q2"], "target": ["r1", "r2", "r2"], "evalue": [1e-9, 0.5, 2.0]}


KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_a_table_may_say_itself_what_is_relevant(make):
    judged = COLUMNS | {
        "algorithm": ["A", "A", "B"],
        "relevant": [True, False, False],
        "n_relevant": [2, 2, 1],
    }
    results = read_all(make(judged))
    assert list(results) == ["A", "B"]
    assert results["A"].relevant.tolist() == [True, False]
    refuses("several algorithms are in this file: 'A', 'B'", read, make(judged), error=ReadError)


def test_ids_of_a_table_become_no_text_of_each_row():
    frame = pd.DataFrame(COLUMNS)
    frame["query"] = frame["query"].astype("category")
    assert read(frame, labels=CLASSES).query.tolist() == ["q1", "q2"]


def test_problems_of_a_table_name_its_rows():
    with pytest.raises(ReadError) as caught:
        read(pa.table(COLUMNS | {"evalue": [1e-9, -5.0, 2.0]}), name="hits", labels=CLASSES)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.unit) == ("hits", 2, "row")
    assert str(problem).startswith("hits, row 2: E-value: expected 0 or more, found '-5.0'")
    missing = r"a column of records \(targets\), named record; there are query, t, evalue"
    with pytest.raises(ReadError, match=rf"^table: expected {missing}"):
        read(pa.table({"query": ["q"], "t": ["r"], "evalue": [1.0]}), labels=CLASSES)
    with pytest.raises(ReadError, match=r"^table: a column has values of different kinds"):
        read(pd.DataFrame(COLUMNS | {"evalue": [1e-9, "x", 2.0]}), labels=CLASSES)


def test_what_is_neither_file_nor_table():
    with pytest.raises(TypeError, match="a table with named columns, or a mapping; found int"):
        read(7, labels=CLASSES)
    frame = pd.DataFrame(COLUMNS)
    refuses("leave format out", read, frame, labels=CLASSES, format="blast")
    refuses("columns has no meaning for 'table'", read, frame, labels=CLASSES, columns="a b")
    refuses(r"name='x' is for a table: c\.tsv has a name", read, Held("c.tsv", b"q\tr\n"), name="x")
