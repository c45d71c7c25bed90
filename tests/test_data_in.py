"""What can be given in place of a file, and files of programs that need a hand to be read."""

import gzip
import io
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tapviz
from tapviz import Qrels, ReadError, RetrievalLists, read, read_all
from tapviz.cli import main, parser_of
from tapviz.condensing import condense
from tapviz.files.extras import EXTRAS
from tapviz.readers import RELEVANCE
from tapviz.readers.inputs import ResultFile, open_files
from tests.hits import same
from tests.printed import stderr_of
from tests.refused import error_of, refuses

PACKAGE = Path(tapviz.__file__).parent
HITS = {"query": ["q1", "q1", "q2"], "record": ["d1", "d2", "d3"], "evalue": [1e-9, 0.3, 1e-4]}
CLASSES = {"q1": "a.1.1", "q2": "b.1.1", "d1": "a.1.1", "d2": "c.1.1", "d3": "b.1.1"}
RUN = {"q1": {"d2": 1.0, "d1": 9.0}, "q2": {"d3": 3}, "q3": {}}
GRADES = {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": 1, "d9": 1}, "q3": {"d3": 0}}
EVERYTHING = CLASSES | {f"q{n}": "z.1.1" for n in range(3, 9)}


class ScoredDoc(NamedTuple):
    query_id: str
    doc_id: str
    score: float


class Qrel(NamedTuple):
    """As ir_measures has it, and the other."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class Ranx:
    def __init__(self, own):
        self.to_dict = lambda: own


class OnlyAStream:
    """Of another library, which has nothing but Arrow's C stream."""

    def __init__(self, columns):
        self._table = pa.table(columns)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


TABLES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars, lazy": pl.LazyFrame,
    "Arrow": pa.table,
    "a stream of Arrow": lambda own: pa.table(own).to_reader(),
    "a stream of another library": OnlyAStream,
    "columns": dict,
    "an open file": lambda own: io.StringIO(pd.DataFrame(own).to_csv(index=False)),
    "an open binary file": lambda own: io.BytesIO(pd.DataFrame(own).to_csv(index=False).encode()),
}


@pytest.fixture
def paths(tmp_path):
    pd.DataFrame(HITS).to_csv(tmp_path / "hits.csv", index=False)
    (tmp_path / "classes.tsv").write_text(TEXT_OF_CLASSES)
    return tmp_path / "hits.csv", tmp_path / "classes.tsv"


@pytest.mark.parametrize("kind", TABLES)
def test_results_in_any_form(paths, kind):
    file, labels = paths
    wanted = read(file, labels=labels)
    same(read(TABLES[kind](HITS), labels=labels), wanted)
    same(read_all({"a": file, "b": TABLES[kind](HITS)}, labels=labels)["b"], wanted)
    opened = open_files([file, ResultFile(TABLES[kind](HITS), None, "b")], labels=labels)
    same(opened.results["b"], wanted)
    assert opened.opening.count("ResultFile(b, None, 'b')") == (kind[:2] != "an")
    named = open_files({"a": file, "b": TABLES[kind](HITS)}, labels=labels)
    assert [*named.results] == ["a", "b"]


COLUMNS_OF_CLASSES = {"id": [*CLASSES], "class": [*CLASSES.values()]}
TEXT_OF_CLASSES = "".join(f"{a}\t{b}\n" for a, b in CLASSES.items())
LABELS = {
    **{kind: lambda kind=kind: TABLES[kind](COLUMNS_OF_CLASSES) for kind in TABLES},
    "an open file": lambda: io.StringIO(TEXT_OF_CLASSES),
    "an open binary file": lambda: io.BytesIO(TEXT_OF_CLASSES.encode()),
    "a mapping": lambda: CLASSES,
    "several classes": lambda: (
        {one: [own, "z.1.1"] for one, own in CLASSES.items() if own[0] > "b"}
        | {one: (own,) for one, own in CLASSES.items() if own[0] <= "b"}
    ),
    "a Series": lambda: pd.Series(CLASSES),
    "an index": lambda: pd.DataFrame({"class": CLASSES}),
    "categories": lambda: pd.DataFrame(COLUMNS_OF_CLASSES, dtype="category"),
    "other order": lambda: pd.DataFrame({"class": [*CLASSES.values()], "record": [*CLASSES]}),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_in_any_form(paths, kind):
    wanted = read(paths[0], labels=paths[1])
    same(read(paths[0], labels=LABELS[kind]()), wanted)
    same(read(pd.DataFrame(HITS), labels=LABELS[kind]()), wanted)
    same(RetrievalLists.from_frame(pd.DataFrame(HITS), labels=LABELS[kind]()), wanted)
    records = {one: own for one, own in CLASSES.items() if one[0] == "d"}
    same(read(paths[0], labels=records, query_labels=LABELS[kind]()), wanted)


@pytest.mark.parametrize(
    "queries",
    [
        lambda ids: ids,
        pd.Series,
        pl.Series,
        pd.Index,
        np.array,
        dict.fromkeys,
        lambda ids: pd.DataFrame({"n": 1, "query": ids}),
        lambda ids: pl.LazyFrame({"qid": ids}),
        lambda ids: io.StringIO("\n".join(ids)),
    ],
)
def test_queries_in_any_form(paths, queries):
    lists = read(paths[0], labels=paths[1], queries=queries(["q2", "q1"]))
    assert lists.query.tolist() == ["q2", "q1"]


@pytest.mark.parametrize(
    ("run", "grades"),
    [
        (lambda: RUN, lambda: GRADES),
        (lambda: Ranx(RUN), lambda: Ranx(GRADES)),
        (
            lambda: (ScoredDoc(q, d, s) for q, own in RUN.items() for d, s in own.items()),
            lambda: [Qrel(q, d, g, "0") for q, own in GRADES.items() for d, g in own.items()],
        ),
    ],
    ids=["mappings", "ranx", "ir_measures"],
)
def test_runs_of_other_libraries_go_in_as_they_are(run, grades):
    lists = read(run(), qrels=grades())
    assert lists.query.tolist() == ["q1", "q2", "q3"]
    assert lists.record.tolist() == ["d1", "d2", "d3"]
    assert lists.n_relevant.tolist() == [1, 2, 0]
    assert lists.grades.record.tolist() == [2, 0, 1]
    assert list(read_all({"one": run(), "other": run()}, qrels=grades())) == ["one", "other"]
    rising = read({"q1": {"d1": 1e-9, "d2": 3}}, qrels=grades(), direction="ascending")
    assert rising.record.tolist()[0] == "d1"


def test_other_options_in_memory(paths):
    file, labels = paths
    marked = pd.DataFrame(HITS | {"relevant": [True, False, True]})
    columns = {"n_relevant": [4.0, 1], "query": ["q1", "q2"]}
    for totals in ({"q1": 4, "q2": 1}, pd.DataFrame(columns)):
        assert read(marked, totals=totals).n_relevant.tolist() == [4, 1]
    sets = pa.table({"query": ["q1", "q2"], "record": ["d1", "d3"]})
    for gold in ({"q1": ["d1"], "q2": {"d3", "d9"}}, sets):
        assert read(file, gold=gold).n_relevant.tolist()[0] == 1
    assert read(file, qrels={"q1": ["d1", "d7"], "q2": ["d3"]}).n_relevant.tolist() == [2, 1]
    columns = {"algorithm": ["a"], "seconds": [12.5]}
    for runs in ({"a": {"seconds": 12.5}}, columns, pd.DataFrame(columns)):
        assert read_all({"a": file}, labels=labels, runs=runs)["a"].run.seconds == 12.5


@pytest.mark.parametrize(
    "columns",
    [
        {"qid": ["q", "q"], "docno": ["d", "e"], "label": [2.0, 0]},
        {"score": [2, 0], "q_id": ["q", "q"], "doc_id": ["d", "e"]},
        {"query": ["q", "q"], "gain": [2, 0], "record": ["d", "e"]},
        {"a": ["q", "q"], "b": [0, 0], "c": ["d", "e"], "d": ["2", "0"]},
    ],
)
def test_columns_of_grades(columns):
    assert Qrels.read(pd.DataFrame(columns)).grades == {"q": {"d": 2, "e": 0}}


def test_grades_that_could_be_one_of_several_columns_are_asked_for():
    pairs = pd.DataFrame({"query": ["q"], "record": ["d"], "gain": [0], "depth": [3]})
    with pytest.raises(ReadError, match="expected a column grade; there are query, record, gain"):
        Qrels.read(pairs)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (7, "expected a file, a table with named columns, or a mapping; found int"),
        (b"q", "a mapping; found bytes"),
        ({"q1": 1.0}, "expected {query: {record: score}}, found 1.0 for q1"),
        ({}, "there is no hit in this file"),
        ([("q1", "d1", 1.0, 1)], "expected query, record and score in a row, found 4 values"),
        ({"a": "hits.csv", "b": "hits.csv"}, "are read by read_all"),
        ({"query": ["q1"], "record": ["d1"], "evalue": ["x"]}, "expected double, found string"),
        (io.BytesIO(b"\0"), "this is a binary file"),
        (open(os.devnull, "w"), "cannot be read: not readable"),  # noqa: SIM115, PTH123
    ],
)
def test_what_is_no_result_is_refused(given, message):
    refuses(message, read, given, labels=CLASSES, error=(ReadError, TypeError, ValueError))


def test_of_several_tables_the_one_that_is_wrong_is_named_as_its_algorithm():
    several = {"good.1": pd.DataFrame(HITS), "bad": {"q1": {"d1": "x"}}}
    with pytest.raises(ReadError, match=r"^bad: column score: expected double"):
        read_all(several, labels=CLASSES)


def test_the_name_of_a_table_has_no_ending():
    for name, given in (("table", {}), ("mine", {"name": "mine"})):
        assert [*read_all(pd.DataFrame(HITS), labels=CLASSES, **given)] == [name]
    costs = {"esm2": {"seconds": 5}, "esm2.v1": {"seconds": 7}}
    several = {"esm2.v1": pd.DataFrame(HITS), "esm2.v2": pd.DataFrame(HITS)}
    found = read_all(several, labels=CLASSES, runs=costs)
    assert [one.run.known for one in found.values()] == [{"seconds": 7.0}, {}]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (7, "a mapping; found int"),
        ({}, "labels: expected a table of ids and classes, found nothing"),
        (pd.DataFrame({"id": ["d1"], "class": [None]}), "labels, row 1: expected id and class"),
        (pd.DataFrame({"id": ["d1"], "class": [[1]]}), "column class: expected texts or numbers"),
        ({"d1": "a"}, "labels, row 1: expected at least 3 levels"),
    ],
)
def test_what_is_no_table_of_classes_is_refused(given, message):
    refuses(message, read, pd.DataFrame(HITS), labels=given, error=(ReadError, TypeError))


JUNK = [
    *(7, 1.5, object(), b"x", [1, 2], [("a", 1), (2, "b"), ()], io.StringIO()),
    *({"q1": 1.0}, {"q1": {"d1": "x"}}, {"q1": {"d1": {"a": 1}}}, {1: [None]}),
    *({"q\ud800": "\ud800"}, {"q1": {"d1": 10**30}}),
    {"query": [10**30], "record": ["d"], "evalue": [1]},
    pd.DataFrame({"query": [[1]], "record": [{}], "evalue": ["x"]}),
    pd.Series([1, "x"], dtype=object),
    pl.DataFrame({"id": [None], "class": [b"\xff"]}),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("option", [None, *RELEVANCE, "query_labels", "queries", "runs"])
@pytest.mark.parametrize("junk", JUNK)
def test_anything_else_is_answered_in_words(option, junk):
    labels = {} if option in RELEVANCE else {"labels": CLASSES}
    given = {} if option is None else {option: junk}
    try:
        read(junk if option is None else pd.DataFrame(HITS), **labels, **given)
    except (ValueError, TypeError) as error:
        if isinstance(error, TypeError) and "expected" not in str(error):
            raise


# Files of programs

ROWS = [
    ("q1", "d1", "1e-40", " 130"), ("q1", "d2", "1e-9", "50"), ("q1", "d3", "0.1", "30"),
    ("q2", "d3", "1e-30", "100"), ("q2", "d1", "1e-2", "40"), ("q2", "d2", "3", "20"),
]  # fmt: skip
ORDER = [row[:2] for row in ROWS]


def m8(separator="\t", *more, rows=ROWS):
    between = ("39.5", "144", "86", "1", "1", "143", "1", "144")
    return "".join(separator.join([q, d, *between, e, b, *more]) + "\n" for q, d, e, b in rows)


def unaligned(first, last):
    return "".join("\t".join([f"q{n}", "*", *["-1"] * 10]) + "\n" for n in range(first, last))


LAST = (
    "# LAST version 1243\n# Fields: query id, subject id, % identity, alignment length, "
    "mismatches, gap opens, q. start, q. end, s. start, s. end, evalue, bit score, query length, "
    "subject length\n"
)
NAMED = "qseqid sseqid pident length mismatch gapopen qstart qend sstart send evalue bitscore"
NAMED = NAMED.replace(" ", "\t") + "\n"
COLUMNS = {"columns": "query record evalue"}
PLAIN = "".join(f"{q}\t{d}\t{e}\n" for q, d, e, _ in ROWS)


def pairs(lists):
    length = np.diff(lists.offset)
    return [*zip(np.repeat(lists.query, length).tolist(), lists.record.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (unaligned(3, 9) + m8(), {}),  # DIAMOND --unal 1
        (m8() + unaligned(3, 9), {}),
        (NAMED + unaligned(3, 9) + m8(), {}),  # --header simple
        (NAMED + m8() + unaligned(3, 9).replace("\t-1\n", "\t -1\n"), {}),
        (LAST + m8("\t", "200", "210", "299"), {}),  # BlastTab+ of today
        (LAST + m8("\t", "200", "210"), {}),
        (m8(","), {}),  # -outfmt 10
        (m8(","), COLUMNS | {"columns": "std"}),
        (PLAIN.replace("\t", ","), COLUMNS),
        (PLAIN.replace("q1", '"q1"').replace("d2", '"d2"'), COLUMNS),  # as R writes it
        ("query\trecord\tevalue\n" + PLAIN.replace("q1", '"q1"'), {}),
        (PLAIN.replace("q1\td1", " q1\td1 "), COLUMNS),
        ("query,record,evalue\n" + PLAIN.replace("\t", " , "), {}),
    ],
)
def test_files_as_programs_write_them(written, text, options):
    assert pairs(read(written(text), labels=EVERYTHING, **options)) == ORDER


def test_a_quote_that_is_part_of_an_id_stays(written):
    hits = written('query\trecord\tevalue\nq1\t5"-end\t1\nq1\t"d1\t2\nq1\t"d""2"\t3\n')
    labels = CLASSES | {"d2 ": "a.1.1", '5"-end': "a.1.1"}
    lists = read(hits, labels=labels, unlabelled="anyway")
    assert lists.record.tolist() == ['5"-end', '"d1', 'd"2']


@pytest.mark.parametrize("name", ["q,1", 'q"1', "q 1", "q\t1"])
@pytest.mark.parametrize("sep", [",", "\t", " "])
def test_names_of_files_as_queries_are_whole(tmp_path, name, sep):
    (tmp_path / name).write_text(f"target{sep}evalue\nd1{sep}0.5\nd2{sep}2\n")
    given = {"labels": CLASSES | {name: "a.1.1"}, "query_from_name": True}
    if sep == " ":
        with pytest.raises((ReadError, ValueError), match=r"rename|not recognised"):
            read(tmp_path / name, **given)
    else:
        assert read(tmp_path / name, **given).query.tolist() == [name]


@pytest.mark.parametrize("sep", ["\t", " "])
def test_labels_quoted_as_r_does(written, sep):
    labels = written(f'"q1"{sep}"d1"{sep}1\n"q1"{sep}"d""2"{sep}0\n')
    assert Qrels.read(labels).grades == {"q1": {"d1": 1, 'd"2': 0}}


def test_blanks_around_ids_of_tables_in_memory():
    frame = pd.DataFrame({"query": ["q1 ", "q1"], "record": ["d1", " d2"], "evalue": [0.1, 0.2]})
    for lists in (read(frame, labels=CLASSES), RetrievalLists.from_frame(frame, labels=CLASSES)):
        assert pairs(lists) == ORDER[:2]


def test_large_e_values_are_no_better_unless_it_is_said_twice(written):
    hits = written(m8())
    with pytest.raises(ReadError, match="small E-values are better") as caught:
        read(hits, labels=CLASSES, direction="descending")
    score, direction = caught.value.problems[0].remedies[1:]
    lists = read(hits, labels=CLASSES, **dict([score, direction]))
    assert lists.record.tolist()[:3] == ["d3", "d2", "d1"]
    frame = pd.DataFrame(HITS)
    with pytest.raises(ReadError, match="small E-values are better"):
        read(frame, labels=CLASSES, direction="descending")
    assert read(frame, labels=CLASSES, score="evalue", direction="descending").n_queries == 2


@pytest.mark.parametrize("wrong", ["\uff11\uff12", "\u0663", "1_000", "1\u2009000", "1e400"])
def test_digits_of_tables_per_query(written, wrong):
    with pytest.raises(ReadError, match=r"own\.csv, line 2: expected a number, or nothing"):
        read(written(f"query,TAP\nq1,{wrong}\nq2,1\nq3,0.5\n", "own.csv"))
    unended = written("query,TAP\nq1,0.5")  # which does not end its line
    assert read(unended).given["TAP"].tolist() == [0.5]


# Commands that messages suggest


def hit(record, e_value, bits):
    return {
        "description": [{"id": "gnl|BL_ORD_ID|3", "title": f"{record} x"}],
        "hsps": [{"evalue": float(e_value), "bit_score": float(bits)}],
    }


def search(query):
    found = [hit(*row) for own, *row in ROWS if own == query]
    own = {"query_id": "Query_1", "query_title": f"{query} its title", "hits": found}
    return {"report": {"results": {"search": own}}}


JSON = {"BlastOutput2": [search("q1"), search("q2")]}
BY_QUERY = {q: {d: float(b) for one, d, _, b in ROWS if one == q} for q in ("q1", "q2")}
BEFORE = {
    "SAM": "@HD\tVN:1.5\n@PG\tPN:DIAMOND\nq3\t4\t*\t0\t255\t*\t*\t0\t0\tMA\t*\n",
    "MAF": "# LAST version 1243\n#\n",
    "TAB": "# LAST version 1243\n",
    "exonerate": "Command line: [exonerate q.fa d.fa]\nHostname: [h]\n\n",
    "-m 10": "# ssearch36 -q -m 10 q.fa d.fa\nSSEARCH performs a Smith-Waterman search\n",
}
EACH = {
    "SAM": "{q}\t0\t{d}\t1\t255\t10M\t*\t0\t0\tMA\t*\tAS:i:{b}\tZE:f:{e}\n",
    "PAF": "{q}\t99\t0\t9\t+\t{d}\t99\t0\t9\t9\t9\t255\tAS:i:{b}\n",
    "MAF": "a score=27 EG2=4.7e+04 E={e}\ns {d} 0 9 + 99 MA\ns {q} 0 9 + 99 MA\n\n",
    "TAB": "27\t{d}\t0\t9\t+\t99\t{q}\t0\t9\t+\t99\t9\tEG2=4.7e+04\tE={e}\n",
    "exonerate": "C4 Alignment:\nvulgar: {q} 0 9 . {d} 0 9 . {b} M 9 9\n",
    "-m 10": ">>>{q}, 9 aa vs d.fa\n; pg_name: x\n>>{d} a.1.1\n; sw_expect: {e}\n>{q} ..\nMA\n",
}
"""A row in the formats of other programs."""
CELLS = [dict(zip("qdeb", map(str.strip, row), strict=True)) for row in ROWS]
OTHERS = {
    name: BEFORE.get(name, "") + "".join(row.format(**cells) for cells in CELLS)
    for name, row in EACH.items()
}
OTHERS |= {"JSON": json.dumps(JSON), "JSON, indented": json.dumps(JSON, indent=2)}
OTHERS["JSON of a run"] = json.dumps(BY_QUERY)


def command_of(file):
    caught = error_of(read, file, labels=CLASSES, error=ReadError)
    (command,) = [line[4:] for line in str(caught).split("\n") if line.startswith("    ")]
    return command


@pytest.mark.filterwarnings("ignore:.*there is no column of E-values")
@pytest.mark.subprocess
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.skipif(not shutil.which("awk"), reason="no awk here")
def test_a_command_that_is_pasted_makes_a_table(tmp_path, kind, packed):
    file, text = tmp_path / ("my hits.gz" if packed else "my hits"), OTHERS[kind].encode()
    file.write_bytes(gzip.compress(text) if packed else text)
    subprocess.run(command_of(file), shell=True, check=True)  # noqa: S602  # as a person does
    assert pairs(read(f"{file}.tsv", labels=EVERYTHING)) == ORDER


@pytest.mark.subprocess
def test_an_archive_of_diamond_names_the_command_that_unpacks_it(tmp_path):
    """DIAMOND is not here: what stands for it shows only that the shell hands over these words."""
    (tmp_path / "my hits.daa").write_bytes(bytes.fromhex("6be33e6d47530e3c") + b"\0" * 99)
    stub = tmp_path / "bin" / "diamond"
    stub.parent.mkdir()
    stub.write_text('#!/bin/sh\nfor word; do echo "$word"; done\n')
    stub.chmod(0o755)
    daa = str(tmp_path / "my hits.daa")
    path = os.pathsep.join([str(stub.parent), os.environ["PATH"]])
    given = {"env": os.environ | {"PATH": path}, "capture_output": True, "text": True}
    done = subprocess.run(command_of(daa), shell=True, check=True, **given)  # noqa: S602
    assert done.stdout.splitlines() == ["view", "--daa", daa, "--out", f"{daa}.tsv"]


FLAGS = re.compile(r"(--(?!skip)[a-z-]+ (?!or\b|to\b|and\b)('[^']*'|[\w,]+(\.\w+)?) ?)+")
FALLING = [(f"q{at % 2}", f"d{at % 3}", f"0.{9 - at // 2}", f"{90 - at}") for at in range(12)]
NUMBERS = "\t7\t8\t9\t6\t5\t4\t"
CASES = {
    "columns": (PLAIN, CLASSES, ""),
    "columns of CSV": (PLAIN.replace("\t", ","), CLASSES, ""),
    "columns, more": ("".join(f"{q}\t{d}\t12\t{e}\tx\n" for q, d, e, _ in ROWS), CLASSES, ""),
    "columns, 0.0": (PLAIN.replace("1e-40", "0.0").replace("\n", "\t7\n"), CLASSES, ""),
    "columns, 13": (m8("\t", "7"), CLASSES, ""),
    "columns, 9": (PLAIN.replace("\t", NUMBERS).replace(f"{NUMBERS}d", "\td"), CLASSES, ""),
    "labels": (m8(), CLASSES, None),
    "levels": (m8(), {one: own[0] for one, own in CLASSES.items()}, ""),
    "normalise": (m8(), {f"sp|{one.upper()}|X": own for one, own in CLASSES.items()}, ""),
    "normalise, some": (
        m8(),
        {f"{one}.1"[: len(one) + 2 * (one > "d1")]: own for one, own in CLASSES.items()},
        "",
    ),
    "unlabelled": (m8() * 9 + m8().replace("\td", "\tx") * 300, CLASSES, ""),
    "score": (
        m8(rows=sorted(FALLING, key=lambda row: row[0])),
        EVERYTHING | {"q0": "a.1.1", "d0": "a.1.1"},
        "",
    ),
    "no E-values": (m8().replace("1e-9", "-1"), CLASSES, ""),
    "direction": ("query\trecord\tx\n" + PLAIN.replace("1e-9", "9"), CLASSES, "--score x"),
    "direction, twice": (m8(), CLASSES, "--direction descending"),
}


@pytest.mark.parametrize("case", CASES)
def test_flags_that_are_pasted_help(tmp_path, capsys, monkeypatch, case):
    hits, classes, flags = CASES[case]
    (tmp_path / "my hits.tsv").write_text(hits)
    (tmp_path / "classes.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in classes.items()))
    monkeypatch.chdir(tmp_path)
    given = ["--labels", "classes.tsv", *flags.split()] if flags is not None else []
    command = ["score", "my hits.tsv", "-k", "1", *given]
    said = stderr_of(capsys, command)
    suggested = {one[0].strip() for one in FLAGS.finditer(said)} - {flags}
    assert suggested, said
    for words in sorted(suggested):
        assert main([*command, *shlex.split(words)]) == 0, (words, capsys.readouterr().err)


def test_every_command_that_a_text_names_takes_the_flags_it_names():
    """The commands with files are pasted above, and those of condensing in test_condensed.py."""
    _, parsers = parser_of()
    sources = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    texts = [re.sub(r'"\s*\n\s*f?"', "", source) for source in sources]  # in one piece
    found = {
        (one[1], flag)
        for text in texts
        for one in re.finditer(r"\btapviz (\w+)((?:\s+--?[a-z][\w-]*)+)", text)
        for flag in one[2].split()
    }
    assert {("score", "--ties"), ("completion", "--shell")} <= found
    for command, flag in found:
        assert flag in parsers[command]._option_string_actions, (command, flag)
    extras = {one for text in texts for one in re.findall(r"tapviz\[([a-z]+)\]", text)}
    assert extras <= {*EXTRAS}


# Joins that are hardly meant

MANY = [f"d{n}" for n in range(100)]


def searched(names):
    return pd.DataFrame({"query": "q", "record": names, "evalue": np.arange(len(names)) / 9})


def test_labels_of_few_hits_are_refused_unless_it_is_said():
    labels = dict.fromkeys(["q", *MANY[:4]], "a.1.1")
    with pytest.raises(ReadError, match="only 4 of 100 hits are on records with a label"):
        read(searched(MANY), labels=labels)
    for unlabelled, kept in (("anyway", 100), ("ignore", 4)):
        assert read(searched(MANY), labels=labels, unlabelled=unlabelled).score.size == kept
    with pytest.warns(UserWarning, match="only 5 of 100 hits .* the others count as errors"):
        assert read(searched(MANY), labels=labels | {"d7": "b.1.1"}).score.size == 100
    labels |= dict.fromkeys(MANY[:25], "a.1.1")
    assert read(searched(MANY), labels=labels).score.size == 100
    assert read(searched(MANY), qrels={"q": {"d1": 1}}).score.size == 100  # pools are small


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        (lambda one: f"{one}.1", "version"),
        (lambda one: f"'{one}'", "quotes"),
        (lambda one: f"\u00a0{one}", "quotes"),
        (str.upper, "case"),
        (lambda one: f"sp|{one}|NAME", "accession"),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_ids_that_differ_in_writing_only_are_refused(changed, rule, swapped):
    ours, theirs = [changed(one) for one in MANY], MANY
    ours, theirs = (theirs, ours) if swapped else (ours, theirs)
    ours = [*theirs[:50], *ours[50:]]
    labels = {"q": "a.1.1", **dict.fromkeys(theirs, "a.1.1")}
    with pytest.raises(ReadError, match="50 of 50 records without a label") as caught:
        read(searched(ours), labels=labels)
    assert caught.value.problems[0].remedies[0] == ("normalise", rule)
    joined = read(searched(ours), labels=labels, normalise=(rule,)).join_report
    assert joined.unlabelled_hits == 0
    assert read(searched(ours), labels=labels, unlabelled="anyway").relevant.sum() == 50
    with pytest.warns(UserWarning, match="differ from one with a label only by"):
        read(searched(ours), labels=labels, unlabelled="ignore")


def test_numbers_behind_a_full_stop_that_tell_ids_apart_are_no_versions():
    labels = {"q": "a.1.1", **{f"fam.{n}": "a.1.1" for n in range(50)}}
    names = [f"fam.{n}" for n in range(70)]
    assert read(searched(names), labels=labels).join_report.unlabelled_hits == 20


def test_what_is_condensed_is_checked_as_well(tmp_path):
    searched(MANY).to_csv(tmp_path / "hits.csv", index=False)
    given = {"labels": dict.fromkeys(["q", *MANY[:4]], "a.1.1")}
    with pytest.raises(ReadError, match="only 4 of 100 hits are on records with a label"):
        condense(tmp_path / "hits.csv", tmp_path / "few", **given)
    lists = condense(tmp_path / "hits.csv", tmp_path / "out", **given, unlabelled="anyway")
    assert lists.join_report is None
    given = {"labels": dict.fromkeys(["q", *MANY[:40], *(f"{one}.1" for one in MANY[40:])], "a.1")}
    with pytest.raises(ReadError, match="60 of 60 records without a label differ"):
        condense(tmp_path / "hits.csv", tmp_path / "near", **given, levels=(2, 1))


@pytest.mark.parametrize(
    "text", [m8(), PLAIN, LAST + m8("\t", "200", "210", "299"), "query\trecord\tevalue\n" + PLAIN]
)
@pytest.mark.parametrize("option", ["labels", "gold"])
def test_a_result_given_as_labels_is_refused(written, text, option):
    with pytest.raises(ReadError, match="seem to be results, of which"):
        read(pd.DataFrame(HITS), **{option: written(text)})
