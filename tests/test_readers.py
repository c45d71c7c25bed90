"""Files of search programs become retrieval lists, or an error that names the line."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import subprocess
import sys
import threading
import warnings
from collections import deque
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st
from pyarrow import parquet

from tapviz.files import limits
from tapviz.files import source as files
from tapviz.files.problems import Problem, doubts, option, rendered, warn
from tapviz.files.source import Source
from tapviz.labels import ClassTable, Inline, JoinRules, Patterns, Qrels
from tapviz.lists import RetrievalLists
from tapviz.measures import ipr_auc, pooled_roc_n, tap_curve, tap_k
from tapviz.readers import (
    FORMATS,
    ReadError,
    ReadOptions,
    _table,
    detect,
    formats,
    read,
    read_all,
    write_parquet,
    write_tap,
)
from tapviz.readers._lines import Problems
from tapviz.readers.datasets import load_results
from tapviz.readers.reading import contents_of
from tests.strategies import any_lists, examples

GOLDEN = Path(__file__).parent / "golden"
FILES = GOLDEN / "formats"
MANIFEST = json.loads((FILES / "manifest.json").read_text())
FORMAT = {
    "ncbi-tap": "tap",
    "blast6": "blast",
    "blast7": "blast7",
    "m8": "blast",
    "m8 with header line (--format-mode 4)": "table",
    "m8 with custom header": "table",
    "hmmer-tblout": "hmmer",
    "hmmer-domtblout": "domtblout",
    "trec-run": "trec",
    "bc2.5-INT": "int",
    "bc2.5-IPT": "ipt",
    "bc2.5-ACT": "act",
}
LABELS = ClassTable(
    dict.fromkeys(("q", "q1", "q2", "q3", "r1", "r2"), "a.1.1") | {"r3": "b.1.1", "t1": "b.1.1"}
)


def m8(query, record, evalue="1e-5", bits="36.6"):
    """Row of a BLAST table."""
    return f"{query}\t{record}\t56.909\t108\t46\t1\t1\t108\t3\t110\t{evalue}\t{bits}\n"


def tblout(record, query, evalue="1e-5", score="36.6", description="-"):
    """Row of a HMMER3 table."""
    domains = "2e-5 35 0.1  1.0 1 0 0 1 1 1 1"
    return f"{record}  -  {query} -  {evalue} {score} 0.1  {domains} {description}\n"


def outfmt7(query, *rows, announced=None, iteration=None):
    """Block of a BLAST table with comments."""
    fields = (
        "# Fields: query acc.ver, subject acc.ver, % identity, alignment length, mismatches, "
        "gap opens, q. start, q. end, s. start, s. end, evalue, bit score\n"
    )
    return (
        "# BLASTP 2.12.0+\n"
        + (f"# Iteration: {iteration}\n" if iteration else "")
        + f"# Query: {query} some words\n# Database: db\n"
        + (fields if rows else "")
        + f"# {len(rows) if announced is None else announced} hits found\n"
        + "".join(rows)
    )


@pytest.fixture
def written(tmp_path):
    """Write a file and return its path."""

    def write(text, name="hits.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def problems(path, **options):
    """Codes and lines of the problems of a file."""
    with pytest.raises(ReadError) as caught:
        read(path, **options)
    assert all(problem.file == str(path) for problem in caught.value.problems)
    return [(problem.code, problem.line) for problem in caught.value.problems]


def by_query(lists):
    """Records, scores and relevance of each query."""
    return {
        str(query): list(
            zip(
                lists.record[lists.offset[q] : lists.offset[q + 1]].tolist(),
                lists.score[lists.offset[q] : lists.offset[q + 1]].tolist(),
                lists.relevant[lists.offset[q] : lists.offset[q + 1]].tolist(),
                strict=True,
            )
        )
        for q, query in enumerate(lists.query)
    }


def hits_of(path, name=None, **options):
    """What a reader hands to the labels."""
    name = name or detect(path).format
    problems = Problems(str(path))
    found = FORMATS[name].read(Source(path), ReadOptions(**options), problems)
    assert not problems.found
    if isinstance(found, dict):
        (found,) = found.values()
    return found


def rows_of(hits):
    """Rows of hits: query, target, score."""
    return [
        (hits.query_id[query], hits.record_id[record], score)
        for query, record, score in zip(
            hits.query.tolist(), hits.record.tolist(), hits.score.tolist(), strict=True
        )
    ]


@pytest.fixture(params=["all at once", "row by row"])
def way(request, monkeypatch):
    """Make the readers take one way or the other."""
    if request.param == "row by row":
        monkeypatch.setattr(_table, "at_once", lambda *_: None)
    return request.param


# Golden files


@pytest.mark.parametrize("case", MANIFEST["good"], ids=lambda case: case["file"])
@pytest.mark.usefixtures("way")
def test_rows_of_good_files(case):
    path = FILES / "good" / case["file"]
    found = detect(path)
    assert found.certainty in ("certain", "likely")
    assert found.format == FORMAT.get(case["format"], case["format"])
    hits = hits_of(path)
    expected = [(r["query"], r["target"], r[case.get("score", "evalue")]) for r in case["rows"]]
    assert rows_of(hits) == expected
    if "score" not in case:  # formats with E-values have bit scores
        with_bits = [(r["query"], r["target"], r["bitscore"]) for r in case["rows"]]
        assert rows_of(hits_of(path, score="bits")) == with_bits
    queries = case.get("queries", case.get("queries_seen"))
    assert hits.query_id == (queries or list(dict.fromkeys(row[0] for row in expected)))


@pytest.mark.parametrize(
    ("file", "score", "key"),
    [
        ("v_phmmer.tblout", "domain_evalue", "best_domain_evalue"),
        ("v_phmmer.domtblout", "domain_evalue", "i_evalue"),
        ("v_phmmer.domtblout", "domain_bits", "domain_bitscore"),
        ("v_phmmer.tblout", "bits", "bitscore"),
        ("v_foldseek_custom.m8", "alntmscore", "alntmscore"),
        ("v_foldseek_custom.m8", "prob", "prob"),
        ("v_blast.outfmt7", "bit score", "bitscore"),
        ("v_mmseqs.m8", "bits", "bitscore"),
    ],
)
@pytest.mark.usefixtures("way")
def test_other_scores_of_good_files(file, score, key):
    (case,) = [case for case in MANIFEST["good"] if case["file"] == file]
    hits = hits_of(FILES / "good" / file, score=score)
    assert hits.score.tolist() == [row[key] for row in case["rows"]]
    assert hits.direction == ("ascending" if "evalue" in score else "descending")


@pytest.mark.parametrize(
    ("case", "key"),
    [
        (case, key)
        for case in MANIFEST["good"]
        for key in ("best_hsp_per_target_sorted", "after_collapse_full_sequence")
        if key in case
    ],
    ids=lambda value: value if isinstance(value, str) else value["file"],
)
def test_lists_of_good_files(case, key):
    rows = case[key]
    queries = case.get("queries") or list(dict.fromkeys(row["query"] for row in rows))
    labels = ClassTable(
        {row["target"]: "a.1.1" for row in rows}, queries=dict.fromkeys(queries, "a.1.1")
    )
    lists = read(FILES / "good" / case["file"], labels=labels)
    expected = {query: [] for query in queries}
    for row in rows:
        expected[row["query"]].append((row["target"], row["evalue"], True))
    assert by_query(lists) == expected


DOUBTFUL = {
    "v_blast_query_split.outfmt6": "are not contiguous",
    "v_blast7_truncated.outfmt7": r"announces 5 hits and has 1.*no last line",
    "v_bc_int_conf_order.txt": r"line 2: the confidence rises from rank 1 to 2",
    "v_bc_int_unknown_doc.txt": "no label and is left out: 10.9/x",
}
GOLD = Qrels({"10.1016/j.febslet.2007.01.001": {"P12345": 1}})


BAD = [
    pytest.param(case, given, id=f"{case['file']}-{'given' if given else 'recognised'}")
    for case in MANIFEST["bad"]
    if case["format"] != "trec-qrels"  # those are labels
    for given in (True, False)
    if given or case["file"] != "v_bc_ipt_4cols.txt"  # which looks like a row of INT
]


@pytest.mark.parametrize(("case", "given_format"), BAD)
def test_bad_files(case, given_format, tmp_path):
    path = FILES / "bad" / case["file"]
    name = FORMAT.get(case["format"], case["format"])
    options = {} if name == "tap" else {"labels": GOLD if name == "int" else LABELS}
    if given_format:
        options["format"] = name
    if case["error"] is None:
        if case["file"] == "v_bc_int_unknown_doc.txt":
            # Alone it is a file that has nothing in common with the labels.
            known = "10.1016/j.febslet.2007.01.001\tP12345\t1\t0.9\n"
            path = tmp_path / case["file"]
            path.write_text((FILES / "bad" / case["file"]).read_text() + known)
        with pytest.warns(UserWarning, match=DOUBTFUL[case["file"]]):
            read(path, **options)
        return
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*: read as")  # that the format is a guess
        code, line = problems(path, **options)[0]
    assert code == case["error"]
    if case["line"] is not None:
        assert line in (case["line"] if isinstance(case["line"], list) else [case["line"]])


# What is read


def test_every_sample_is_recognised(written):
    for known in formats():
        assert known.sample.count("\n") == 1
        assert known.title
        assert known.programs
        if known.name == "parquet":
            continue
        path = written(known.sample + "\n", known.name)
        if known.name == "hmmer2":  # whose first lines are not its tables
            path = written(HMMPFAM, known.name)
        assert detect(path).format == known.name
    assert [known.name for known in formats()] == list(FORMATS)


@pytest.mark.parametrize(
    ("text", "name", "certainty"),
    [
        ("# BLASTP 2.12.0+\n", "blast7", "certain"),
        ("q1\n2\n1 0.5\n", "tap", "likely"),
        ("q1\n2\n", "tap", "likely"),
        ("q1 2.5\n2\n1 0.5\n", "tap", "likely"),
        ("q1\n", "tap", "possible"),
        ("a\tb\tc\td\te\tf\tg\th\n", "blast", "possible"),
        ("query\ttarget\tcigar\n", "table", "possible"),
        ("d1\tp\t1\t0.9\n", "int", "possible"),
        ("d1\tp\tr\t1\t0.9\n", "ipt", "possible"),
        ("d1\t1\t1\t0.9\n", "act", "possible"),
        ("q1 x d1 1 0.5 tag\n", "trec", "possible"),
        ("1e-5 30.5 r1 q1\n", "profmark", "possible"),
        ("1e-5 30.5 decoy1 q1\n", "profmark", "certain"),
        ("1e-5\tq1\tr1\n", "reseek", "possible"),
    ],
)
def test_how_sure_a_format_is(written, text, name, certainty):
    found = detect(written(text))
    assert (found.format, found.certainty) == (name, certainty)
    assert found.why


def test_a_guess_is_said(written):
    path = written("1e-5\tq1\tr1\n")
    with pytest.warns(UserWarning, match=r"read as 'reseek' .* if it is, set format"):
        guessed = read(path, labels=LABELS)
    assert by_query(read(path, labels=LABELS, format="reseek")) == by_query(guessed)


# Any file


def packed(codec, text):
    """A text, made smaller."""
    if codec == "zstd":
        return pa.compress(text, codec="zstd", asbytes=True)
    return {"gzip": gzip.compress, "bz2": bz2.compress}[codec](text)


CODECS = ("gzip", "zstd", "bz2")


@pytest.mark.parametrize("codec", CODECS)
def test_what_is_compressed_is_known_by_content(written, codec):
    text = b"q\n1\n1 2\n0 3\n"
    assert read(written(packed(codec, text), "lists.txt")).score.tolist() == [2, 3]
    # In two pieces, as bgzip and pzstd write.
    both = packed(codec, text[:5]) + packed(codec, text[5:])
    assert read(written(both, "lists.txt")).score.tolist() == [2, 3]
    assert read(written(text, "lists.gz")).score.tolist() == [2, 3]


@pytest.mark.parametrize("codec", CODECS)
def test_compressed_files_that_are_damaged(written, codec):
    data = packed(codec, "".join(m8("q1", f"r{n}", f"{n}.5") for n in range(5000)).encode())
    for text in (data[: len(data) // 2], data[:9], data + b"something else"):
        with pytest.raises(ReadError, match=f"the {codec} data is cut off or damaged") as caught:
            read(written(text), labels=LABELS)
        assert caught.value.problems[0].code == "Encoding"


@cache
def packed_alike(codec):
    """5 MB of equal rows, made hundreds of times smaller."""
    return packed(codec, m8("q1", "r1").encode() * 100_000)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("limit", ["ratio", "size"])
def test_what_unpacks_to_too_much_is_not_read(written, monkeypatch, codec, limit):
    path = written(packed_alike(codec))
    monkeypatch.setattr(files, "CHUNK", 1 << 20)
    monkeypatch.setattr(files, "RATIO_FROM", 1 << 21)
    if limit == "size":
        monkeypatch.setattr(files, "MAX_RATIO", 1 << 40)
        monkeypatch.setattr(limits, "_present", limits.Limits(decoded_file=1 << 22))
    with pytest.raises(ReadError, match="unpacks to more than is read") as caught:
        deque(Source(path).chunks(), maxlen=0)
    assert [problem.code for problem in caught.value.problems] == ["TooLarge"]


def test_small_files_may_be_much_alike(written):
    lists = read(written(gzip.compress(m8("q1", "r1").encode() * 20_000)), labels=LABELS)
    assert lists.record.tolist() == ["r1"]


@pytest.mark.parametrize(
    ("start", "words"),
    [(b"PK\x03\x04", "zip archive"), (b"\xfd7zXZ\x00", "xz file"), (b"7z\xbc\xaf'\x1c", "7z")],
)
def test_archives_are_not_unpacked(written, start, words):
    with pytest.raises(ReadError, match=f"{words}.*unpack it") as caught:
        read(written(start + b"\x00" * 100))
    assert caught.value.problems[0].code == "Encoding"


def test_lines_without_end(written, monkeypatch):
    monkeypatch.setattr(files, "CHUNK", 1 << 10)
    monkeypatch.setattr(files, "MAX_LINE", 1 << 12)
    long = m8("q1", "r1") * 50 + "x" * 10_000
    with pytest.raises(ReadError, match="a line is longer than") as caught:
        read(written(long), labels=LABELS)
    assert [(p.code, p.line) for p in caught.value.problems] == [("LineTooLong", 51)]
    assert problems(written(b"x" * 5000 + b"\x00" * 5000)) == [("Encoding", None)]


@pytest.mark.parametrize("size", [64, 100, 1 << 10])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_pieces_of_a_file_are_read_as_one(written, monkeypatch, size, end):
    rows = "".join(m8(f"q{n % 40}", f"r\xe9{n % 7}", f"{n}e-3") for n in range(400))
    text = outfmt7("q1", rows, announced=400) + "# BLAST processed 1 queries\n"
    whole = rows_of(hits_of(written(text), "blast7"))
    assert len(whole) == 400
    monkeypatch.setattr(files, "CHUNK", size)
    monkeypatch.setattr(files, "HEAD", size)
    path = written(text.replace("\n", end))
    source = Source(path)
    assert source.data() == text.encode()
    assert [line.decode() for _, line in source.lines()] == text.splitlines()
    assert rows_of(hits_of(path, "blast7")) == whole
    wrong = written(text.replace("\n", end) + m8("q1", "r1", "x") + "caf\xe9".join("ab"))
    assert problems(wrong, format="blast7", labels=LABELS)[0] == ("NotANumber", 407)
    broken = written(text.encode() + b"q1\tr\xff")
    with pytest.raises(ReadError) as caught:
        Source(broken).data()
    assert [(p.code, p.line) for p in caught.value.problems] == [("Encoding", 407)]


def test_a_pipe_is_read(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("q\n1\n1 2\n0 3\n",))
    writer.start()
    assert read(path).score.tolist() == [2, 3]
    writer.join()


def test_progress_and_cancelling(written, monkeypatch):
    monkeypatch.setattr(files, "CHUNK", 1 << 10)
    path = written("".join(m8("q1", f"r{n}", str(n)) for n in range(1000)))
    seen = []
    read(
        path, labels=ClassTable({"q1": "a.1.1", "r1": "a.1.1"}), progress=lambda *a: seen.append(a)
    )
    size = path.stat().st_size
    data = path.read_bytes()
    assert seen == [
        (min(n << 10, size), size, data[: n << 10].count(b"\n")) for n in range(1, size // 1024 + 2)
    ]

    class CancelledError(Exception):
        pass

    def cancel(*_):
        raise CancelledError

    with pytest.raises(CancelledError):
        read(path, labels=LABELS, progress=cancel)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_byte_order_mark(written, end):
    lists = read(written("\ufeffq\n1\n1\t2\n0\t3\n".replace("\n", end)))
    assert lists.query.tolist() == ["q"]
    assert lists.score.tolist() == [2, 3]
    table = m8("q1", "r1") + "\n" + m8("q1", "r3")
    lists = read(written("\ufeff" + table.replace("\n", end)), labels=LABELS)
    assert by_query(lists) == {"q1": [("r1", 1e-5, True), ("r3", 1e-5, False)]}


def test_missing_file_folder_and_empty_file(tmp_path, written):
    assert problems(tmp_path / "none.tsv") == [("NotFound", None)]
    assert problems(tmp_path) == [("NotFound", None)]
    assert problems(written(" \n\n")) == [("EmptyInput", None)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("To whom it may concern: this is\nnot a table.\n", r"'To', 'whom', 'it', \.\.\.; if you"),
        ("To whom it may be,\n", r"2 columns .* commas: 'To whom it may be', ''; .*query,record,"),
        ("a\tb\tc\td\te\n", r"5 columns .* tabs: 'a', 'b', 'c', \.{3}; .* columns=\"query target"),
        ("q\tr\t99\t1e-30\t200\t1-9\n", 'columns="query target column3 evalue column5 column6"'),
        ("s1\tRF00001\tCL00113\n" * 2, r"'s1', 'RF00001', 'CL00113'; .* classes, set labels to it"),
        ("s1\tRF00001\t\n" * 2, r"'s1', 'RF00001', ''; .* classes, set labels to it"),
        ("q1,Q0,d1,1,9.5,bm25\n" * 2, r"'q1', 'Q0', 'd1', \.\.\.; the best guess is a TREC run"),
        ("a b c d\n", 'the best guess is format="profmark"'),
        ("nothing\n# but\n!\n", "from 1 column: 'nothing'"),
    ],
)
def test_a_file_of_something_else(written, text, words):
    path = written(text)
    assert problems(path) == [("WrongFormat", 1)]
    with pytest.raises(ReadError, match=f"{words}.*tapviz formats lists all"):
        read(path)


def test_a_table_with_columns_of_its_own_is_read_as_the_refusal_says(written):
    path = written("q1\tr1\t99\t1e-30\t200\nq1\tr3\t80\t2e-3\t50\n")
    with pytest.raises(ReadError) as refused:
        read(path, labels=LABELS)
    [(name, value)] = refused.value.problems[0].remedies
    found = by_query(read(path, labels=LABELS, **{name: value}))
    assert found["q1"] == [("r1", 1e-30, True), ("r3", 2e-3, False)]


def test_a_run_without_a_tag_says_which_columns_are_expected(written):
    path = written("q1 Q0 r1 1 9.5\n")
    with pytest.raises(ReadError, match="expected 6 columns, query Q0 document rank score tag, fo"):
        read(path, labels=LABELS)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("BLASTP 2.12.0+", "-outfmt 6"),
        ('<?xml version="1.0"?>', "XML"),
        ("# phmmer :: search\n# HMMER 3.4 (Aug 2023)\nQuery:  q  [L=9]", "--tblout"),
        ("# target name accession query name accession hmmfrom hmm to alifrom", "nhmmer"),
        ("#target name accession query name accession mdl mdl from", "Infernal"),
        ("q1 0 d1 1", "qrels"),
        ("10.1016/j.febslet.2005.01.870\tO35822", "a gold standard"),
        ("# ssearch36 -q q.fa db.fa\nSSEARCH searches a sequence data bank", "-m 8C"),
        (";score;ident;similarity;sid;sdesc;tlen;qlen;match_len;qid", "pLM-BLAST.*name sid record"),
        ("SpecId\tLabel\tScanNr\tXcorr\tPeptide\tProteins", "Percolator.*query, record and score"),
        ("H\t0\t376\t100.0\t.\t0\t0\t376M\tq1\tr1", "-blast6out"),
    ],
)
def test_what_to_do_with_other_formats(written, line, words):
    path = written(line + "\n")
    for options in ({}, {"format": "blast"}, {"format": "hmmer"}):
        with pytest.raises(ReadError, match=words) as caught:
            read(path, labels=LABELS, **options)
        assert caught.value.problems[0].code == "WrongFormat"
    with pytest.raises(ReadError, match=words):
        detect(path)


def test_without_labels_the_message_says_how_to_give_them(written):
    for text in (m8("q1", "r1"), tblout("r1", "q1") + "# [ok]\n"):
        with pytest.raises(ReadError) as caught:
            read(written(text))
        assert caught.value.problems[0].code == "LabelsNeeded"
        assert 'give labels="classes.tsv", a table of ids' in str(caught.value)
        (problem,) = caught.value.problems
        assert "give --labels classes.tsv," in problem.render({"labels": "--labels {}"})


def test_arguments_that_make_no_sense(written):
    path = written(m8("q1", "r1"))
    with pytest.raises(ValueError, match="'tap'"):
        read(path, format="xml")
    with pytest.raises(
        ValueError, match="direction is 'up': expected one of 'ascending', 'descending'"
    ):
        read(path, direction="up")
    with pytest.raises(TypeError, match="unexpected keyword argument 'label'"):
        read(path, label="classes.tsv")
    with pytest.raises(ValueError, match="unlabelled is for labels in a file"):
        read(path, labels=LABELS, unlabelled="ignore")
    with pytest.raises(ValueError, match="leave labels out"):
        read(written("q\n1\n1 2\n0 3\n"), labels=LABELS)
    with pytest.raises(ValueError, match="'q1' occurs more than once"):
        read(path, labels=LABELS, queries=["q1", "q1"])
    with pytest.raises(ValueError, match="at least one id"):
        read(path, labels=LABELS, queries=[])


def test_the_message_says_file_line_text_and_what_to_do(written):
    path = written(m8("q1", "r1") + "q1 r1 56.9 108 46 1 1 108 3 110 1e-5 36.6\n")
    with pytest.raises(ReadError) as caught:
        read(path, labels=LABELS)
    assert str(caught.value) == (
        f"{path}, line 2: expected 12 columns separated by tabs, found 1; the file seems to be "
        "separated by spaces: write tabs as the programs do (BadColumnCount)\n"
        "    q1 r1 56.9 108 46 1 1 108 3 110 1e-5 36.6\n"
        "Correct these rows, or leave out what cannot be read, which is then counted: set "
        "skip_bad_rows"
    )


FLAGS = {"direction": "--direction {}", "format": "--format {}", "normalise": "--normalise {}"}


def test_options_in_messages_are_called_what_they_are_called_there(written):
    path = written("query,record,score\nq1,r1,1\n")
    with pytest.raises(ReadError, match=r'set direction="ascending" \(small\) or') as caught:
        read(path, labels=LABELS)
    (problem,) = caught.value.problems
    assert problem.option == "direction"
    assert 'direction="descending"' in problem.message
    assert "DirectionUnknown" in str(problem)
    flags = problem.render(FLAGS)
    assert "set --direction ascending (small) or --direction descending (large)" in flags
    assert "DirectionUnknown" not in flags
    assert "set Direction (small)" in problem.render({"direction": "Direction"})
    assert Problem("A", "f", 1, "", "no option").option == ""
    both = option("normalise", "accession+case")
    assert rendered(both) == "normalise=('accession', 'case')"
    assert rendered(both, FLAGS) == "--normalise accession --normalise case"
    assert rendered(option("format"), FLAGS) == "--format"
    assert rendered(option("format")) == "format"
    assert rendered(option("levels", "1,0")) == "relevant=1, ignored=0"


def test_doubts_call_options_what_they_are_called_there():
    for options, text in ((None, 'f: set direction="up"'), (FLAGS, "f: set --direction up")):
        with doubts(options) as collected:
            warn("f", f"set {option('direction', 'up')}")
        assert collected == [text]


ROWS_OF = {
    "blast": lambda n, score: m8("q1", f"r{n}", score),
    "trec": lambda n, score: f"q1 Q0 r{n} {n} {score} tag\n",
    "profmark": lambda n, score: f"{score} 1.0 r{n} q1\n",
    "hmmer": lambda n, score: tblout(f"r{n}", "q1", score),
    "table": lambda n, score: f"q1,r{n},{score}\n",
}
HEADS = {"table": "query,record,evalue\n", "hmmer": "# target name\n"}


@pytest.mark.parametrize("name", ROWS_OF)
@pytest.mark.usefixtures("way")
def test_only_the_piece_with_a_bad_row_is_searched(written, monkeypatch, name):
    monkeypatch.setattr(files, "CHUNK", 1 << 10)
    row, head = ROWS_OF[name], HEADS.get(name, "")
    ended = "# [ok]\n" if name == "hmmer" else ""
    rows = [row(n, f"{n}") for n in range(300)]
    good = hits_of(written(head + "".join(rows) + ended), name)
    assert good.score.tolist() == list(range(300))
    assert good.record_id == [f"r{n}" for n in range(300)]
    bad = [*rows[:200], "\n", row(1000, "x"), *rows[200:], row(1001, "nan")]
    lines = problems(written(head + "".join(bad) + ended), format=name, labels=LABELS)
    first = 202 + head.count("\n")
    assert lines == [("NotANumber", first), ("NonFinite", first + 101)]


def test_what_follows_bad_rows_does_not_hide_them(written, monkeypatch):
    monkeypatch.setattr(files, "CHUNK", 1 << 10)
    monkeypatch.setattr(files, "HEAD", 1 << 9)
    bad = m8("q1", "r1", "x") * 10 + m8("q1", "r1") * 20
    assert problems(written(bad.encode() + b"\xff\n"))[0] == ("NotANumber", 1)
    header = bad + "# Fields: query id, subject id, evalue\n" + "q1\tr1\t2\n"
    assert problems(written(header))[0] == ("NotANumber", 1)


# Queries


def test_queries_from_a_list_and_from_a_file(written):
    path = written(m8("q1", "r1") + m8("q2", "r2") + m8("q3", "r3"))
    names = written("q3 the third\n\n  q\nq1\n", "queries.txt")
    expected = {"q3": [("r3", 1e-5, False)], "q": [], "q1": [("r1", 1e-5, True)]}
    for queries in (["q3", "q", "q1"], names, str(names), iter(("q3", "q", "q1"))):
        assert by_query(read(path, labels=LABELS, queries=queries)) == expected


def test_a_list_of_queries_is_split_at_blanks_of_ascii_and_has_no_comments(written):
    ids = ["q\u00a01", "#2"]
    names = written("q\u00a01 the first\n#2\tthe second\n", "queries.txt")
    path = written(m8(ids[0], "r1"))
    lists = read(path, labels=Qrels({name: {"r1": 1} for name in ids}), queries=names)
    assert lists.query.tolist() == ids


def test_queries_of_the_file_only_without_a_list(written):
    lists = read(written(m8("q2", "r1") + m8("q1", "r2")), labels=LABELS)
    assert lists.query.tolist() == ["q2", "q1"]
    assert lists.n_relevant.tolist() == [5, 5]
    assert lists.query_class.tolist() == ["a.1.1", "a.1.1"]


def test_bad_query_files(written):
    path = written(m8("q1", "r1"))
    for text, expected in (("q1\nq2\nq1\n", ("DuplicateQuery", 3)), ("\n", ("EmptyInput", None))):
        names = written(text, "queries.txt")
        with pytest.raises(ReadError) as caught:
            read(path, labels=LABELS, queries=names)
        problem = caught.value.problems[0]
        assert (problem.code, problem.line, problem.file) == (*expected, str(names))


def test_a_program_that_found_nothing(written):
    empty = written("")
    lists = read(empty, format="blast", labels=LABELS, queries=["q1", "q2"])
    assert by_query(lists) == {"q1": [], "q2": []}
    nothing = written("# target name\n#\n# Program:         phmmer\n# [ok]\n")
    lists = read(nothing, labels=LABELS, queries=["q1"])
    assert lists.n_queries == 1
    assert problems(nothing, labels=LABELS) == [("EmptyInput", None)]


# BLAST tables


def test_the_best_of_several_hsps(written):
    rows = m8("q1", "r1", "3.0") + m8("q1", "r1", "0.5") + m8("q1", "r3", "1.0")
    lists = read(written(rows), labels=LABELS)
    assert by_query(lists) == {"q1": [("r1", 0.5, True), ("r3", 1.0, False)]}


def test_equal_evalues_stay_in_the_order_of_the_file(written):
    rows = m8("q1", "r1", "0.0", "200") + m8("q1", "r3", "0.0", " 900.5")
    assert read(written(rows), labels=LABELS).record.tolist() == ["r1", "r3"]


@pytest.mark.parametrize(
    ("evalue", "value"),
    [("2e-101", 2e-101), ("e-171", 1e-171), ("0.0", 0), ("4.940656e-324", 5e-324), ("1E+02", 100),
     (".5", 0.5), ("+1.", 1), ("1e-400", 0), ("342211688231646", 342211688231646.0), (" 7 ", 7)],
)  # fmt: skip
@pytest.mark.usefixtures("way")
def test_numbers_as_programs_write_them(written, evalue, value):
    assert read(written(m8("q1", "r1", evalue)), labels=LABELS).score.tolist() == [value]


@pytest.mark.parametrize(
    ("evalue", "code"),
    [("nan", "NonFinite"), ("inf", "NonFinite"), ("-inf", "NonFinite"), ("1e400", "NonFinite"),
     ("Infinity", "NonFinite"), ("1_0", "NotANumber"), ("\u0661", "NotANumber"),
     ("", "NotANumber"), ("0x1", "NotANumber"), ("1e", "NotANumber"), ("e5", "NotANumber"),
     ("NA", "NotANumber"), ("-1", "NegativeEvalue"), ("\u00a01", "NotANumber"),
     ("\x0b1", "NotANumber")],
)  # fmt: skip
def test_numbers_that_are_none(written, evalue, code):
    path = written(m8("q1", "r1") + m8("q1", "r3", evalue))
    assert problems(path, labels=LABELS) == [(code, 2)]
    if code != "NegativeEvalue":
        path = written(m8("q1", "r1") + m8("q1", "r3", "1", evalue))
        assert problems(path, labels=LABELS) == [(code, 2)]


def test_empty_ids(written):
    assert problems(written(m8("", "r1")), labels=LABELS) == [("BadColumnCount", 1)]
    assert problems(written(m8("q1", "")), labels=LABELS) == [("BadColumnCount", 1)]


def test_ten_problems_at_most(written):
    path = written(m8("q1", "r1") + m8("q1", "r1", "x") * 30)
    assert problems(path, labels=LABELS) == [("NotANumber", line) for line in range(2, 12)]


def test_quotes_are_part_of_an_id(written):
    labels = ClassTable({"q1": "a.1.1", "\"5'-kinase": "a.1.1"})
    assert read(written(m8("q1", "\"5'-kinase")), labels=labels).relevant.tolist() == [True]


def test_queries_without_hits_of_outfmt_7(written):
    text = outfmt7("q1", m8("q1", "r1")) + outfmt7("q2") + "# BLAST processed 2 queries\n"
    lists = read(written(text), labels=LABELS)
    assert by_query(lists) == {"q1": [("r1", 1e-5, True)], "q2": []}


def test_the_last_iteration_of_psiblast_counts(written):
    text = (
        outfmt7("q1", m8("q1", "r1", "1"), m8("q1", "r3", "2"), iteration=1)
        + outfmt7("q1", m8("q1", "r2", "5"), iteration=2)
        + "\nSearch has CONVERGED!\n"
        + outfmt7("q2", m8("q2", "r2", "7"), iteration=1)
        + outfmt7("q2", iteration=2)
        + "# BLAST processed 4 queries\n"
    )
    lists = read(written(text), labels=LABELS)
    assert by_query(lists) == {"q1": [("r2", 5.0, True)], "q2": []}


def test_psiblast_without_comments_cannot_be_read(written):
    path = written(m8("q1", "r1") + m8("q1", "r1") + "\nSearch has CONVERGED!\n")
    with pytest.raises(ReadError, match="-outfmt 7") as caught:
        read(path, labels=LABELS)
    assert caught.value.problems[0].line == 4


def test_columns_are_where_the_fields_say(written):
    text = (
        "# BLASTP 2.12.0+\n# Query: q1\n# Database: db\n"
        "# Fields: evalue, subject id, bit score, query id\n# 1 hits found\n"
        "0.25\tr1\t30\tq1\n# BLAST processed 1 queries\n"
    )
    assert by_query(read(written(text), labels=LABELS)) == {"q1": [("r1", 0.25, True)]}


def test_fields_without_bit_score(written):
    text = (
        "# BLASTP 2.12.0+\n# Query: q1\n# Fields: query id, subject id, evalue\n"
        "q1\tr1\t2\nq1\tr2\t1\n"
    )
    assert read(written(text), labels=LABELS).record.tolist() == ["r2", "r1"]


def test_fields_that_change_within_a_file(written):
    text = (
        "# Fields: query id, subject id, evalue\nq1\tr1\t2\n"
        "# Fields: query id, subject id, bit score, evalue\nq1\tr2\t9\t1\n"
    )
    assert problems(written(text), labels=LABELS) == [("BadHeader", 3)]


def test_line_of_a_problem_below_comments(written):
    text = outfmt7("q1", m8("q1", "r1")) + outfmt7("q2", m8("q2", "r1", "x"))
    path = written(text + "# BLAST processed 2 queries\n")
    assert problems(path, labels=LABELS) == [("NotANumber", 12)]


def test_tables_of_fasta_and_diamond_with_comments(written):
    fasta = (
        "# ssearch36 -m 8C -E 10 q.fa db.fa\n# SSEARCH 36.3.8i May, 2023\n# Query: q1  - 9 aa\n"
        "# Database: db.fa\n# Fields: query id, subject id, % identity, alignment length, "
        "mismatches, gap opens, q. start, q. end, s. start, s. end, evalue, bit score\n"
        "# 1 hits found\n" + m8("q1", "r1") + "# SSEARCH processed 1 queries\n"
    )
    diamond = (
        "# DIAMOND v2.1.3. http://github.com/bbuchfink/diamond\n# Invocation: diamond blastp\n"
        "# Fields: Query ID, Subject ID, Percentage of identical matches, Alignment length, "
        "Number of mismatches, Number of gap openings, Start of alignment in query, End of "
        "alignment in query, Start of alignment in subject, End of alignment in subject, "
        "Expected value, Bit score\n" + m8("q1", "r1")
    )
    for text in (fasta, diamond):
        assert by_query(read(written(text), labels=LABELS)) == {"q1": [("r1", 1e-5, True)]}


ROWS = m8("q1", "r1", "1e-9", "30"), m8("q1", "r3", "2", "50"), m8("q2", "r2", "7", "9")


@pytest.mark.parametrize(
    "columns", ["qseqid sseqid evalue bitscore", "6 qseqid,sseqid,evalue,bitscore",
                ("query", "target", "evalue", "bits"), "query+target+evalue+bits"]
)  # fmt: skip
@pytest.mark.usefixtures("way")
def test_columns_of_ones_own(written, columns):
    path = written("q1\tr1\t1e-9\t30\nq1\tr3\t2\t50\n")
    lists = read(path, labels=LABELS, columns=columns)
    assert by_query(lists) == {"q1": [("r1", 1e-9, True), ("r3", 2.0, False)]}
    by_bits = read(path, labels=LABELS, columns=columns, score="bitscore")
    assert by_bits.direction == "descending"
    assert by_query(by_bits) == {"q1": [("r3", 50.0, False), ("r1", 30.0, True)]}


def test_the_usual_columns_and_more(written):
    path = written("".join(row[:-1] + "\t0.25\n" for row in ROWS))
    assert problems(path, labels=LABELS, format="blast") == [
        ("BadColumnCount", n) for n in (1, 2, 3)
    ]
    lists = read(path, labels=LABELS, columns="std qcovs")
    assert lists.score.tolist() == [1e-9, 2, 7]
    with pytest.raises(ReadError, match="no column 'prob'; there are query, record, pident"):
        read(path, labels=LABELS, columns="std qcovs", score="prob")


def test_columns_that_cannot_be(written):
    path = written("q1\tr1\t1e-9\t30\n")
    for columns in ("", " ", ()):
        with pytest.raises(ValueError, match="expected names"):
            read(path, labels=LABELS, columns=columns)
    assert problems(path, labels=LABELS, columns="qseqid evalue bits x") == [
        ("MissingColumn", None)
    ]
    assert problems(path, labels=LABELS, columns="qseqid sseqid x y") == [("MissingColumn", None)]
    assert problems(path, labels=LABELS, columns="qseqid sseqid evalue") == [("BadColumnCount", 1)]
    with pytest.raises(ValueError, match="columns has no meaning for 'tap' files"):
        read(path, format="tap", columns="qseqid sseqid evalue")


def test_a_score_whose_direction_nobody_knows(written):
    path = written("q1\tr1\t3\nq1\tr3\t2\n")
    options = {"labels": LABELS, "columns": "qseqid sseqid zeal", "score": "zeal"}
    assert problems(path, **options) == [("DirectionUnknown", None)]
    assert read(path, **options, direction="descending").score.tolist() == [3, 2]
    assert read(path, **options, direction="ascending").score.tolist() == [2, 3]
    # What is said wins over what the name of a column promises.
    lists = read(
        path, labels=LABELS, columns="qseqid sseqid bits", direction="ascending", score="bits"
    )
    assert lists.score.tolist() == [2, 3]


# A column that holds no E-values


def foldseek(*, bits=True, header=False, queries=6, hits=8):
    """Table of Foldseek's TM-align mode, with TM-scores in the column of E-values."""
    generator = np.random.default_rng(0)
    names = "query,target,fident,alnlen,mismatch,gapopen,qstart,qend,tstart,tend,evalue,bits"
    rows = [names.replace(",", "\t")] if header else []
    for q in range(queries):
        for at, tm in enumerate(sorted(generator.uniform(0.2, 1, hits), reverse=True)):
            score = f"{tm:.3E}\t{int(100 * tm) if bits else 0}"
            rows.append(f"q{q}\tr{at}\t0.3\t99\t9\t0\t1\t99\t1\t99\t{score}")
    return "\n".join(rows) + "\n"


FIRST = Qrels({f"q{q}": {"r0": 1} for q in range(6)})


@pytest.mark.parametrize("bits", [True, False])
@pytest.mark.parametrize("header", [True, False])
def test_a_score_in_the_column_of_evalues_is_not_read_upside_down(written, bits, header):
    path = written(foldseek(bits=bits, header=header))
    with pytest.raises(ReadError) as caught:
        read(path, qrels=None, labels=FIRST)
    found = caught.value.problems
    assert [one.code for one in found] == ["NotEvalues"] * 3
    assert [one.line for one in found] == [1 + header, 2 + header, 3 + header]
    flags = {"score": "--score {}", "direction": "--direction {}"}
    words = found[0].render(flags)
    assert f"disagrees with {'the bit scores' if bits else 'the order of the file'}" in words
    for offered in ("--score bits", "--direction descending", "--score rank"):
        assert offered in words
    assert found[0].text.startswith("q0\\tr0")


@pytest.mark.parametrize(
    ("queries", "hits", "enough"), [(1, 7, True), (1, 6, False), (13, 2, True)]
)
def test_few_rows_show_it_unless_chance_could(written, queries, hits, enough):
    path = written(foldseek(bits=False, queries=queries, hits=hits))
    options = ReadOptions(queries=["q0"])
    with pytest.raises(ReadError, match="disagrees") if enough else nullcontext():
        contents_of(path, options)


def test_rows_in_any_order_are_taken_for_evalues(written):
    draw = np.random.default_rng(4)
    for _ in range(300):
        n_rows = draw.integers(7, 40)
        query = draw.integers(0, draw.integers(1, 5), n_rows)
        score = draw.choice([1e-9, 1e-3, 0.1, 1, 2, 5, 10], n_rows)
        pairs = enumerate(zip(query, score, strict=True))
        rows = "".join(f"q{q}\tr{at}\t{e}\n" for at, (q, e) in pairs)
        with doubts():  # that rows of a query are not together
            options = ReadOptions(columns="query target evalue")
            hits = contents_of(written(rows), options).contents[""]
        assert hits.score.tolist() == score.tolist()


@pytest.mark.parametrize(
    ("said", "direction", "best"),
    [
        ({"score": "bits"}, "descending", "r0"),
        ({"direction": "descending"}, "descending", "r0"),
        ({"score": "rank"}, "ascending", "r0"),
        ({"score": "evalue"}, "ascending", "r7"),
        ({"direction": "ascending"}, "ascending", "r7"),
    ],
)
def test_what_the_person_says_of_such_a_column_wins(written, said, direction, best):
    lists = read(written(foldseek()), labels=FIRST, **said)
    assert lists.direction == direction
    assert {lists.record[at] for at in lists.offset[:-1]} == {best}


def test_evalues_that_agree_with_the_bit_scores_may_stand_in_any_order(written):
    rows = [m8("q1", f"r{at}", f"1e-{at}", 10 * at) for at in range(1, 20)]
    assert read(written("".join(rows)), labels=LABELS).score[0] == 1e-19


def test_a_table_in_memory_that_is_upside_down():
    frame = pa.table(
        {
            "query": ["q1"] * 9,
            "record": [f"r{at}" for at in range(9)],
            "evalue": [0.9 - 0.1 * at for at in range(9)],
        }
    )
    with pytest.raises(ReadError, match="order of the file") as caught:
        read(frame, labels=LABELS)
    assert [(one.line, one.text) for one in caught.value.problems] == [
        (1, "q1, r0, 0.9"),
        (2, "q1, r1, 0.8"),
        (3, "q1, r2, 0.7"),
    ]


@pytest.mark.parametrize("name", ["scope40", "profiles"])
def test_bundled_results_are_not_refused(name):
    for algorithm, lists in load_results(name).items():
        frame = lists.to_frame("arrow")
        again = read(frame, name=algorithm)
        assert again.score.tolist() == lists.score.tolist()


# The order of the file


RANKED = {
    "blast": m8("q1", "r2", "3") + m8("q1", "r1", "1") + m8("q2", "r1", "1"),
    "blast7": outfmt7("q1", m8("q1", "r2", "3"), m8("q1", "r1", "1"))
    + outfmt7("q2", m8("q2", "r1", "1"))
    + "# BLAST processed 2 queries\n",
    "hmmer": tblout("r2", "q1", "3") + tblout("r1", "q1", "1") + tblout("r1", "q2") + "# [ok]\n",
    "table": "query,record,evalue,bits\nq1,r2,3,1\nq1,r1,1,2\nq2,r1,1,1\n",
    "trec": "q1 Q0 r2 1 0.1 x\nq1 Q0 r1 2 0.2 x\nq2 Q0 r1 1 5 x\n",
    "profmark": "3 1 r2 q1\n1 2 r1 q1\n1 2 r1 q2\n",
    "reseek": "0.1\tq1\tr2\t3\n0.9\tq1\tr1\t1\n0.9\tq2\tr1\t1\n",
}


@pytest.mark.parametrize("form", list(RANKED))
def test_lists_in_the_order_of_the_file(written, form):
    lists = read(written(RANKED[form]), format=form, labels=LABELS, score="rank")
    assert lists.direction == "ascending"
    assert lists.record.tolist() == ["r2", "r1", "r1"]
    assert lists.score.tolist() == [1, 2, 1]


def test_a_column_of_ranks_is_read_as_any_other(written):
    path = written("query,record,evalue,rank\nq1,r2,3,2\nq1,r1,1,1\n")
    assert read(path, labels=LABELS, score="rank").record.tolist() == ["r1", "r2"]


def test_several_algorithms_and_queries_without_hits_in_the_order_of_the_file(written):
    path = written(
        "algorithm,query,record,evalue\nA,q1,r2,3\nA,q1,r1,1\nA,q2,,\nB,q1,r1,5\nB,q2,r2,1\n"
    )
    found = read_all(path, labels=LABELS, score="rank")
    assert by_query(found["A"]) == {"q1": [("r2", 1, True), ("r1", 2, True)], "q2": []}
    assert by_query(found["B"]) == {"q1": [("r1", 1, True)], "q2": [("r2", 1, True)]}


def test_the_last_iteration_in_the_order_of_the_file(written):
    rows = [m8("q1", "r2", "3"), m8("q1", "r1", "1")]
    text = outfmt7("q1", *rows, iteration=1) + outfmt7("q1", *rows[::-1], iteration=2)
    path = written(text + "# BLAST processed 1 queries\n")
    lists = read(path, labels=LABELS, score="rank")
    assert by_query(lists) == {"q1": [("r1", 1, True), ("r2", 2, True)]}


def test_a_report_of_hmmer2_in_the_order_of_the_file(written):
    lists = read(written(HMMPFAM), labels=LABELS, score="rank", swap=False)
    assert lists.score.tolist() == list(range(1, lists.score.size + 1))


def test_bit_scores_where_there_are_no_evalues(written):
    path = written("# Fields: query id, subject id, bit score\nq1\tr1\t30\nq1\tr3\t50\n")
    with pytest.warns(UserWarning, match="no column of E-values; the lists are by bit score"):
        lists = read(path, labels=LABELS)
    assert by_query(lists) == {"q1": [("r3", 50.0, False), ("r1", 30.0, True)]}


@pytest.mark.usefixtures("way")
def test_an_earlier_iteration_of_psiblast(written):
    path = written(
        outfmt7("q1", m8("q1", "r1", "1"), m8("q1", "r3", "2"), iteration=1)
        + outfmt7("q1", m8("q1", "r2", "5"), iteration=2)
        + outfmt7("q1", m8("q1", "r3", "6"), iteration=3)
        + outfmt7("q2", m8("q2", "r2", "7"), iteration=1)
        + outfmt7("q2", iteration=2)
        + "\nSearch has CONVERGED!\n# BLAST processed 5 queries\n"
    )
    found = {
        number: by_query(read(path, labels=LABELS, iteration=number)) for number in (1, 2, 3, None)
    }
    assert found[1] == {
        "q1": [("r1", 1.0, True), ("r3", 2.0, False)],
        "q2": [("r2", 7.0, True)],
    }
    assert found[2] == {"q1": [("r2", 5.0, True)], "q2": []}
    assert found[3] == found[None] == {"q1": [("r3", 6.0, False)], "q2": []}
    assert problems(path, labels=LABELS, iteration=4) == [("MissingIteration", None)]
    once = written("".join(ROWS))
    assert problems(once, labels=LABELS, iteration=1) == [("MissingIteration", None)]
    with pytest.raises(ValueError, match="iteration is 0: expected a whole number, 1 or more"):
        read(once, labels=LABELS, iteration=0)


@pytest.mark.usefixtures("way")
def test_records_of_dropped_iterations_are_no_records(written):
    path = written(
        outfmt7("q1", m8("q1", "gone"), iteration=1)
        + outfmt7("q1", m8("q1", "r1"), iteration=2)
        + "# BLAST processed 2 queries\n"
    )
    hits = hits_of(path)
    assert (hits.record_id, hits.record.tolist()) == (["r1"], [0])


@pytest.mark.usefixtures("way")
def test_fasta_names_columns_it_does_not_write(written):
    text = (
        "# ssearch36 -m 8C q.fa db.fa\n# SSEARCH 36.3.8i Nov, 2022\n# Query: q1  - 153 aa\n"
        "# Fields: query id, query length, subject id, subject length, % identity, alignment "
        "length, mismatches, gap opens, q. start, q. end, s. start, s. end, evalue, bit score{}\n"
        "# 1 hits found\nq1\tr1\t100.00\t153\t0\t0\t1\t153\t1\t153\t7.7e-75\t266.2{}\n"
        "# SSEARCH processed 1 queries\n"
    )
    for more in (("", ""), (", BTOP", "\t153")):
        path = written(text.format(*more))
        assert rows_of(hits_of(path)) == [("q1", "r1", 7.7e-75)]
        assert rows_of(hits_of(path, score="bits")) == [("q1", "r1", 266.2)]
        assert hits_of(path, score="pident").score.tolist() == [100]


@pytest.mark.usefixtures("way")
def test_a_star_is_no_record(written):
    star = "q2\t*\t0.0\t0\t0\t0\t0\t0\t0\t0\t-1\t0\n"
    lists = read(written(ROWS[0] + star), labels=LABELS)
    assert by_query(lists) == {"q1": [("r1", 1e-9, True)], "q2": []}
    assert by_query(read(written(star), labels=LABELS)) == {"q2": []}


def test_usearch_without_evalues(written):
    path = written("q1\tr1\t90.1\t69\t0\t0\t1\t69\t1\t69\t-1\t0\n")
    with pytest.raises(ReadError, match="found '-1'; where the program computed none, use score="):
        read(path, labels=LABELS)
    assert by_query(read(path, labels=LABELS, score="pident")) == {"q1": [("r1", 90.1, True)]}


def test_reseek(written):
    four = written("0.9212\tq1\tr1\t3.1e-09\n0.4713\tq1\tr3\t0.052\n")
    three = written("3.1e-09\tq1\tr1\n0.052\tq1\tr3\n", "three.tsv")
    ten = written("q1\tr1\t1\t9\t9\t1\t9\t9\t50.1\t3.1e-09\n"
                  "q1\tr3\t1\t9\t9\t1\t9\t9\t50.1\t0.052\n", "ten.tsv")  # fmt: skip
    for path in (four, three, ten):
        lists = read(path, labels=LABELS, format="reseek")
        assert by_query(lists) == {"q1": [("r1", 3.1e-9, True), ("r3", 0.052, False)]}
    assert read(four, labels=LABELS, format="reseek", score="aq").score.tolist() == [0.9212, 0.4713]
    with pytest.warns(UserWarning, match="read as 'reseek'"):
        read(four, labels=LABELS)


def test_queries_and_records_exchanged(written):
    path = written("".join(ROWS))
    labels = ClassTable(
        dict.fromkeys(("q1", "q2"), "a.1.1"), queries=dict.fromkeys(("r1", "r2", "r3"), "a.1.1")
    )
    assert by_query(read(path, labels=labels, swap=True)) == {
        "r1": [("q1", 1e-9, True)],
        "r3": [("q1", 2.0, True)],
        "r2": [("q2", 7.0, True)],
    }
    with pytest.raises(ValueError, match="swap is for hits"):
        read(written("q\n1\n1 2\n0 3\n"), swap=True)


# HMMER


def test_phmmer_table(written):
    text = (
        "#                 --- full sequence ----\n# target name  accession  query name\n#---\n"
        + tblout("r3", "q1", "2e-9", "30", "a description with 1e-5 blanks")
        + tblout("r1", "q1", "2e-9", "31")
        + tblout("r2", "q2", "0", "99.9", "")
        + "#\n# Program:         phmmer\n# [ok]\n"
    )
    lists = read(written(text), labels=LABELS)
    assert by_query(lists) == {
        "q1": [("r3", 2e-9, False), ("r1", 2e-9, True)],
        "q2": [("r2", 0.0, True)],
    }


def test_hmmscan_has_the_sequence_as_query(written):
    text = tblout("profile", "q1") + "#\n# Program:         hmmscan\n# [ok]\n"
    labels = ClassTable({"profile": "a.1.1"}, queries={"q1": "a.1.1"})
    assert by_query(read(written(text), labels=labels)) == {"q1": [("profile", 1e-5, True)]}


def test_a_hmmer_table_that_is_cut_off(written):
    path = written("# target name\n" + tblout("r1", "q1"))
    with pytest.warns(UserWarning, match="seems to be cut off"):
        read(path, labels=LABELS)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (tblout("r1", "q1", "nan"), "NonFinite"),
        (tblout("r1", "q1", "-1"), "NegativeEvalue"),
        (tblout("r1", "q1", "1", "x"), "NotANumber"),
        ("r1 - q1 - 1e-5 30 0.1\n", "BadColumnCount"),
        ("r1 - q1 - 1e-5 30 0.1  2e-5 35 0.1  1.0 1 0 0 1 1 1 \n", "BadColumnCount"),  # 17
    ],
)
def test_bad_rows_of_a_hmmer_table(written, row, code):
    path = written("# target name\n" + tblout("r1", "q1") + row + "# [ok]\n")
    assert problems(path, labels=LABELS) == [(code, 3)]


HMMPFAM = """hmmpfam - search one or more sequences against HMM database
HMMER 2.3.2 (Oct 2003)
- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
HMM file:                 fs.hmm
- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -

Query sequence: q1
Accession:      [none]
Description:    [none]

Scores for sequence family classification (score includes all domains):
Model        Description                                Score    E-value  N
--------     -----------                                -----    ------- ---
r1           Globin, 2 domains                           26.5    1.1e-08   1
r3                                                       -1.9        2.2   1

Parsed for domains:
Model        Domain  seq-f seq-t    hmm-f hmm-t      score  E-value
--------     ------- ----- -----    ----- -----      -----  -------
r2             1/1       1     9 [.     1    10 [.   -10.2  3.3e+02
//

Query sequence: q2
Accession:      [none]
Description:    [none]

Scores for sequence family classification (score includes all domains):
Model        Description                                Score    E-value  N
--------     -----------                                -----    ------- ---
\t[no hits above thresholds]

Parsed for domains:
\t[no hits above thresholds]
//
"""


def domtblout(record, query, evalue, domain, best="1e-5"):
    """Row of a HMMER3 table of domains."""
    own = f"{domain} 2 {best} {best} 20 0 1 9 1 9 1 9 0.9"
    return f"{record} - 99 {query} - 88 {evalue} 30 0.1 {own} -\n"


DOMAINS = "# target name        accession   tlen query name\n"


@pytest.mark.usefixtures("way")
def test_domains_of_a_record(written):
    path = written(
        DOMAINS
        + domtblout("r1", "q1", "1e-9", 1, "0.5")
        + domtblout("r1", "q1", "1e-9", 2, "1e-7")
        + domtblout("r3", "q1", "2e-8", 1, "1e-8")
        + "# [ok]\n"
    )
    assert by_query(read(path, labels=LABELS)) == {"q1": [("r1", 1e-9, True), ("r3", 2e-8, False)]}
    best = read(path, labels=LABELS, score="domain_evalue")
    assert by_query(best) == {"q1": [("r3", 1e-8, False), ("r1", 1e-7, True)]}


@pytest.mark.parametrize("name", ["hmmer", "domtblout"])
def test_one_table_of_hmmer_is_not_the_other(written, name):
    full = "#      --- full sequence ---- --- best 1 domain ----\n# target name\n" + tblout(
        "r1", "q1"
    )
    path = written(full if name == "domtblout" else DOMAINS + domtblout("r1", "q1", "1", 1))
    assert problems(path, labels=LABELS, format=name) == [("WrongFormat", 1)]


def test_tables_of_hmmer_without_comments(written):
    tables = {
        "hmmer": tblout("r1", "q1") + tblout("r3", "q1", "2"),
        "domtblout": domtblout("r1", "q1", "1e-5", 1) + domtblout("r3", "q1", "2", 1),
    }
    for name, text in tables.items():
        path = written(text)
        assert detect(path)[:2] == (name, "likely")
        with pytest.warns(UserWarning, match="cut off"):
            lists = read(path, labels=LABELS)
        assert by_query(lists) == {"q1": [("r1", 1e-5, True), ("r3", 2.0, False)]}


@pytest.mark.usefixtures("way")
def test_the_last_of_several_tables_of_jackhmmer(written):
    end = "#\n# Program:         {}\n# [ok]\n"
    tables = [
        "# target name\n" + tblout("r1", "q1", "1") + tblout("r3", "q1", "2") + tblout("r2", "q2"),
        "# target name\n" + tblout("r2", "q1", "3"),
        "# target name\n" + tblout("r2", "q3", "4"),
    ]
    path = written("".join(table + end.format("jackhmmer") for table in tables))
    with pytest.warns(UserWarning, match="2 rows are of tables of jackhmmer that are followed"):
        lists = read(path, labels=LABELS)
    assert by_query(lists) == {
        "q1": [("r2", 3.0, True)],
        "q2": [("r2", 1e-5, True)],
        "q3": [("r2", 4.0, True)],
    }
    # A database searched in two parts is another thing.
    path = written("".join(table + end.format("phmmer") for table in tables))
    with pytest.warns(UserWarning, match="the rows of q1 are not contiguous"):
        lists = read(path, labels=LABELS)
    assert lists.record.tolist() == ["r1", "r3", "r2", "r2", "r2"]


HMMSEARCH = """hmmsearch - search a sequence database with a profile HMM
HMMER 2.3.2 (Oct 2003)

Query HMM:   q1
Accession:   [none]
  [HMM has been calibrated; E-values are empirical estimates]

Scores for complete sequences (score includes all domains):
Sequence Description                                    Score    E-value  N
-------- -----------                                    -----    ------- ---
r1       A globin, 2.5 of it                            290.8    1.3e-86   1
r3                                                       -1.5        6.2   1

Parsed for domains:
Sequence Domain  seq-f seq-t    hmm-f hmm-t      score  E-value
-------- ------- ----- -----    ----- -----      -----  -------
r2         1/1       1   145 [.     1   150 []   290.8  1.3e-86

Total sequences searched: 45
"""


@pytest.mark.usefixtures("way")
def test_hmmsearch_report(written):
    lists = read(written(HMMSEARCH), labels=LABELS)
    assert by_query(lists) == {"q1": [("r1", 1.3e-86, True), ("r3", 6.2, False)]}
    both = read(written(HMMSEARCH + HMMSEARCH.replace("q1", "q2")), labels=LABELS, score="bits")
    expected = [("r1", 290.8, True), ("r3", -1.5, False)]
    assert by_query(both) == {"q1": expected, "q2": expected}
    with pytest.warns(UserWarning, match="cut off"):
        read(written(HMMSEARCH.replace("Total sequences", "")), labels=LABELS)
    assert problems(written(HMMSEARCH.replace("6.2   1", "6.2x  1")), labels=LABELS) == [
        ("NotANumber", 12)
    ]


@pytest.mark.usefixtures("way")
def test_hmmpfam_report(written):
    lists = read(written(HMMPFAM), labels=LABELS)
    assert by_query(lists) == {"q1": [("r1", 1.1e-8, True), ("r3", 2.2, False)], "q2": []}


def test_bad_hmmpfam_reports(written):
    assert problems(written(HMMPFAM.replace("1.1e-08", "1.1e-xx")), labels=LABELS) == [
        ("NotANumber", 14)
    ]
    assert problems(written(HMMPFAM.replace("Query sequence: q1", "Query sequence:"))) == [
        ("BadHeader", 7),
        ("BadColumnCount", 14),
        ("BadColumnCount", 15),
    ]
    with pytest.warns(UserWarning, match="cut off"):
        read(written(HMMPFAM.rstrip().removesuffix("//")), labels=LABELS)


# Retrieval lists of TAP

TAP = "q1 2.5\n3\n1\t0.1\n0\t0.1\tmore\n1 0.5 \n\n \n\nq2\n0\n\nq3\n1\n0 7e+1\n"


def test_tap_lists(written):
    lists = read(written(TAP))
    assert lists.query.tolist() == ["q1", "q2", "q3"]
    assert lists.weight.tolist() == [2.5, 1, 1]
    assert lists.n_relevant.tolist() == [3, 0, 1]
    assert lists.offset.tolist() == [0, 3, 3, 4]
    assert lists.score.tolist() == [0.1, 0.1, 0.5, 70]
    assert lists.relevant.tolist() == [True, False, True, False]
    assert lists.direction == "ascending"
    assert lists.record is None


def test_tap_lists_keep_the_order_of_the_file(written):
    lists = read(written("q\n1\n0\t5\t\tr2\textra\n1\t5\t\tr1\n0\t4\n"))
    assert lists.direction == "descending"
    assert lists.record.tolist() == ["r2", "r1", ""]


def test_the_fourth_column_is_a_record_only_with_tabs(written):
    assert read(written("q\n1\n0 5 a b\n1 6 c d\n")).record is None
    lists = read(written("q\n1\n0\t5\t\tr2 \n1\t6\t\tr1\n"))
    assert lists.record.tolist() == ["r2", "r1"]


def test_equal_scores_need_a_direction(written):
    path = written("q\n1\n1 5\n0 5\n")
    assert problems(path) == [("DirectionUnknown", None)]
    assert read(path, direction="descending").direction == "descending"


def test_direction_given_and_contradicted(written):
    path = written("q\n3\n1 3\n0 5\n1 3\n")
    assert problems(path, direction="descending") == [("NotMonotone", 4)]
    assert problems(path, direction="ascending") == [("NotMonotone", 5)]
    assert problems(path) == [("NotMonotone", 5)]


def test_lists_of_two_directions(written):
    path = written("q1\n1\n1 5\n0 5\n0 3\n\nq2\n1\n0 1\n0 2\n0 3\n\nq3\n1\n0 2\n1 1\n0 2\n")
    assert problems(path) == [("MixedDirection", 10), ("NotMonotone", 17)]


def test_problems_of_heads_and_records_in_the_order_of_lines(written):
    path = written("q1\n1\nx 5\n\nq1 no\n-1\n1\t1e999\n\nq4\n")
    assert problems(path) == [
        ("BadRelevance", 3),
        ("DuplicateQuery", 5),
        ("BadWeight", 5),
        ("BadRelevantCount", 6),
        ("NonFinite", 7),
        ("TruncatedRecord", 9),
    ]


def test_duplicate_query_names_both_lines(written):
    with pytest.raises(ReadError, match=r"line 5: query q is also in line 1"):
        read(written("q\n1\n1 5\n\nq\n1\n1 5\n0 3\n"))


def test_some_queries_of_a_tap_file(written):
    lists = read(written(TAP), queries=["q3", "q1"])
    assert lists.query.tolist() == ["q3", "q1"]
    assert lists.score.tolist() == [70, 0.1, 0.1, 0.5]
    assert lists.n_relevant.tolist() == [1, 3]
    assert lists.weight.tolist() == [1, 2.5]
    assert problems(written(TAP), queries=["q3", "q9"]) == [("MissingQuery", None)]


@pytest.mark.parametrize(
    "text",
    [
        m8("q1", "r1") + m8("q2", "r1") + m8("q1", "r2"),
        outfmt7("q1", m8("q1", "r1"), announced=2),
        tblout("r1", "q1"),
    ],
)
def test_a_warning_points_to_the_caller(written, text):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(written(text), labels=LABELS)
    assert [warning.filename for warning in caught] == [__file__]


# TREC, profmark, BioCreative


@pytest.mark.parametrize("name", [f"v0{n}" for n in range(1, 7)])
@pytest.mark.usefixtures("way")
def test_trec_runs(name):
    path = GOLDEN / "trec" / f"{name}.run"
    rows = [line.split() for line in path.read_text().splitlines()]
    hits = hits_of(path, "trec")
    assert rows_of(hits) == [(row[0], row[2], float(row[4])) for row in rows]
    assert hits.direction == "descending"
    assert detect(path)[:2] == ("trec", "certain")
    lists = read(path, labels=Qrels.read(path.with_suffix(".qrels"), rules=JoinRules()))
    assert lists.join_report.rows_read == len(rows)


def test_runs_with_comments_blanks_and_more_columns(written):
    text = "# a comment\nq1  Q0 r1\t1 2.5 sys\n\nq1 Q0 r3 2 -2 sys and more\n"
    lists = read(written(text), labels=LABELS)
    assert by_query(lists) == {"q1": [("r1", 2.5, True), ("r3", -2.0, False)]}


def test_runs_of_evalues(written):
    path = written("q1 Q0 r1 1 -5 sys\nq1 Q0 r3 2 -7 sys\n")
    with pytest.warns(UserWarning, match='if these are E-values .* set direction="ascending"'):
        lists = read(path, labels=LABELS)
    assert lists.score.tolist() == [-5, -7]
    lists = read(path, labels=LABELS, direction="ascending")
    assert (lists.score.tolist(), lists.direction) == ([-7, -5], "ascending")


@pytest.mark.usefixtures("way")
def test_documents_twice_in_a_run(written):
    rows = ["# x", "", *(f"q1 Q0 r{n % 15} 1 {n} sys" for n in range(40)), "q2 Q0 r1 1 1 sys"]
    assert problems(written("\n".join(rows)), labels=LABELS) == [
        ("DuplicateTarget", line) for line in range(18, 28)
    ]


@pytest.mark.usefixtures("way")
def test_profmark():
    path = GOLDEN / "peers" / "profmark.out"
    rows = [line.split() for line in path.read_text().splitlines()]
    hits = hits_of(path)
    assert rows_of(hits) == [(q, target, float(e)) for e, _, target, q in rows]
    assert detect(path)[:2] == ("profmark", "certain")
    assert hits_of(path, score="bits").score.tolist() == [float(row[1]) for row in rows]
    names = path.with_suffix(".pos").read_text().split()
    queries = [line.split()[0] for line in path.with_suffix(".tbl").read_text().splitlines()]
    labels = Patterns(r"^[^/]+", names, rules=JoinRules(decoys=r"^decoy\d+$"))
    lists = read(path, labels=labels, queries=queries)
    relevant = [row for row in rows if row[2].startswith(row[3] + "/") and row[3] in queries]
    assert lists.n_queries == len(queries)
    assert lists.n_relevant.tolist() == [
        sum(name.startswith(query + "/") for name in names) for query in queries
    ]
    assert lists.relevant.sum() == len({(row[2], row[3]) for row in relevant})
    assert (~lists.relevant).sum() == len({(r[2], r[3]) for r in rows if r[2].startswith("decoy")})


BIOCREATIVE = json.loads((GOLDEN / "bc" / "cases.json").read_text())["cases"]


@pytest.mark.parametrize("case", BIOCREATIVE, ids=lambda case: case["id"])
def test_biocreative_by_rank(case):
    path, gold = GOLDEN / "bc" / case["results"], Qrels.read_gold(GOLDEN / "bc" / case["gold"])
    assert detect(path)[:2] == (case["task"].lower(), "likely")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no label and are left out")
        lists = read(path, labels=gold, score="rank")
    found = ipr_auc(lists)
    if case["task"] == "ACT":
        assert found.value == pytest.approx(case["bc-evaluate 2.3.1"]["auc_iP/R"], abs=1e-9)
        return
    per_query = dict(zip(lists.query.tolist(), found.per_query.tolist(), strict=True))
    for article, numbers in case["bc-evaluate 2.3.1"]["per_document"].items():
        assert per_query[article] == pytest.approx(numbers["auc_ipr"], abs=1e-9)


def test_biocreative_by_confidence(written):
    path = written("d1\tp2\t2\t0.5\nd1\tp1\t1\t0.9\nd2\tp1\t1\t.25\n")
    gold = Qrels({"d1": {"p1": 1}, "d2": {"p3": 1}})
    lists = read(path, labels=gold, format="int")
    assert by_query(lists) == {
        "d1": [("p1", 0.9, True), ("p2", 0.5, False)],
        "d2": [("p1", 0.25, False)],
    }
    assert lists.direction == "descending"
    ranks = read(path, labels=gold, format="int", score="rank")
    assert (ranks.score.tolist(), ranks.direction) == ([1, 2, 1], "ascending")


def test_a_pair_of_proteins_has_no_order(written):
    path = written("d1\tp2\tp1\t1\t0.5\n")
    lists = read(path, labels=Qrels({"d1": {"p1|p2": 1}}), format="ipt")
    assert by_query(lists) == {"d1": [("p1|p2", 0.5, True)]}


def test_classes_of_articles_are_one_list(written):
    path = written("d1\t1\t1\t0.9\nd2\t0\t1\t0.8\nd3\t0\t2\t0.3\nd4\t1\t2\t0.6\n")
    gold = Qrels({"ACT": {"d1": 1, "d2": 0, "d3": 1, "d4": 0, "d5": 1}})
    lists = read(path, labels=gold, format="act")
    assert by_query(lists) == {
        "ACT": [("d1", 0.9, True), ("d4", 0.6, False), ("d3", -0.3, True), ("d2", -0.8, False)]
    }
    assert lists.n_relevant.tolist() == [3]
    ranks = read(path, labels=gold, format="act", score="rank")
    assert ranks.record.tolist() == ["d1", "d4", "d3", "d2"]
    assert ranks.score.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("d1\tp9\tx\t0.5", "NotANumber"),
        ("d1\tp9\t-2\t0.5", "RankOutOfRange"),
        ("d1\tp9\t2\thigh", "NotANumber"),
        ("d1\tp9\t2\tnan", "NonFinite"),
        ("d1\t\t2\t0.5", "BadColumnCount"),
        ("d1 p9 2 0.5", "BadColumnCount"),
        ("d1\tp9\t2\t-0.5", "ConfidenceOutOfRange"),
    ],
)
def test_bad_rows_of_biocreative(written, row, code):
    path = written("d1\tp1\t1\t0.9\n" + row + "\n")
    assert problems(path, labels=GOLD, format="int") == [(code, 2)]


# Tables with names


TABLE = """algorithm,query,record,score,relevant,n_relevant,weight,class
A,q1,r1,3.5,1,2,1.5,a.1
A,q1,"r,2",2,0,2,1.5,a.1
A,q1,left out,2.5,,2,1.5,a.1
B,q1,r1,1,true,2,1.5,a.1
B,q2,r9,0.5,False,0,1,
B,q3,,,,7,1,
"""


@pytest.mark.usefixtures("way")
def test_a_table_of_several_algorithms(written):
    path = written(TABLE)
    found = read_all(path)
    assert list(found) == ["A", "B"]
    assert by_query(found["A"]) == {
        "q1": [("r1", 3.5, True), ("r,2", 2.0, False)],
        "q2": [],
        "q3": [],
    }
    assert by_query(found["B"]) == {"q1": [("r1", 1.0, True)], "q2": [("r9", 0.5, False)], "q3": []}
    for name, lists in found.items():
        assert lists.n_relevant.tolist() == [2, 0, 7]
        assert lists.weight.tolist() == [1.5, 1, 1]
        assert lists.query_class.tolist() == ["a.1", "", ""]
        assert lists.direction == "descending"  # as they are sorted
        assert by_query(read(path, algorithm=name)) == by_query(lists)
    assert problems(path) == [("AlgorithmNeeded", None)]
    assert problems(path, algorithm="C") == [("MissingAlgorithm", None)]
    picked = read(path, algorithm="B", queries=["q3", "q1"])
    assert (picked.query.tolist(), picked.query_class.tolist()) == (["q3", "q1"], ["", "a.1"])


def test_read_all_of_one_algorithm_takes_the_name_of_the_file(written):
    path = written("q\n1\n1 2\n0 3\n", "phmmer.tsv.gz")
    assert list(read_all(path)) == ["phmmer"]
    assert problems(path, algorithm="A") == [("MissingAlgorithm", None)]


@pytest.mark.usefixtures("way")
def test_a_table_of_hits_needs_labels(written):
    path = written("method\tquery\ttarget\tevalue\tbits\nA\tq1\tr1\t1e-9\t5\nA\tq1\tr3\t2\t9\n"
                   "B\tq1\tr2\t3\t1\nB\tq2\t\t\t\n")  # fmt: skip
    assert problems(path) == [("LabelsNeeded", None)]
    found = read_all(path, labels=LABELS)
    assert by_query(found["A"]) == {"q1": [("r1", 1e-9, True), ("r3", 2.0, False)], "q2": []}
    assert by_query(found["B"]) == {"q1": [("r2", 3.0, True)], "q2": []}
    by_bits = read(path, labels=LABELS, algorithm="A", score="bits")
    assert by_query(by_bits)["q1"] == [("r3", 9.0, False), ("r1", 5.0, True)]


def test_relevance_without_the_number_of_relevant_records(written):
    path = written("query,record,evalue,relevant\nq1,r1,1,1\nq1,r2,2,0\nq1,r3,2.5,NA\nq1,r4,3,1\n")
    with pytest.raises(ReadError, match="how many are in the database") as caught:
        read(path)
    assert caught.value.problems[0].code == "LabelsNeeded"
    lists = read(path, labels=Inline({"q1": 5}))
    assert by_query(lists) == {"q1": [("r1", 1.0, True), ("r2", 2.0, False), ("r4", 3.0, True)]}
    assert lists.n_relevant.tolist() == [5]


@pytest.mark.parametrize(
    ("header", "row", "code"),
    [
        ("query,record,evalue", "q1,r1", "BadColumnCount"),
        ("query,record,evalue", "q1,r1,1,2", "BadColumnCount"),
        ("query,record,evalue", 'q1,"r1,1', "BadColumnCount"),
        ("query,record,evalue", ",r1,1", "BadColumnCount"),
        ("query,record,evalue", "q1,,1", "BadColumnCount"),
        ("query,record,evalue", "q1,r1,", "NotANumber"),
        ("query,record,evalue", "q1,r1,nan", "NonFinite"),
        ("query,record,evalue", "q1,r1,-1", "NegativeEvalue"),
        ("query,record,evalue", "q1,r1,1e", "NotANumber"),
        ("query,record,evalue,bits", "q1,r1,1,inf", "NonFinite"),
        ("query,record,score,relevant,n_relevant", "q1,r1,1,2,1", "BadRelevance"),
        ("query,record,score,relevant,n_relevant", "q1,r1,1,1,x", "BadRelevantCount"),
        ("query,record,score,relevant,n_relevant", "q1,r1,1,1,-1", "BadRelevantCount"),
        ("query,record,score,relevant,n_relevant", "q1,r1,1,1,1.5", "BadRelevantCount"),
        ("query,record,score,relevant,n_relevant", "q1,,,1,1", "BadColumnCount"),
        ("algorithm,query,record,evalue", ",q1,r1,1", "BadColumnCount"),
        ("query,score,relevant,n_relevant,weight", "q1,1,1,1,0", "BadWeight"),
        ("query,score,relevant,n_relevant,weight", "q1,1,1,1,1_0", "BadWeight"),
    ],
)
@pytest.mark.usefixtures("way")
def test_bad_rows_of_tables(written, header, row, code):
    path = written(f"# a comment\n{header}\n\n{row}\n")
    assert problems(path, labels=None if "n_rel" in header else LABELS)[0] == (code, 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("record,score\nr1,1\n", ("MissingColumn", 1)),
        ("query,score\nq1,1\n", ("MissingColumn", 1)),
        ("query,record\nq1,r1\n", ("MissingColumn", 1)),
        ("query,target,subject,evalue\nq1,r1,r1,1\n", ("BadHeader", 1)),
        ("query,record,score\nq1,r1,1\n", ("DirectionUnknown", None)),
        ("query,record,score\nq1,r1,1\nq1,r2,3\nq1,r3,2\n", ("DirectionUnknown", None)),
        ("query,score,relevant,n_relevant\nq1,1,1,1\nq1,2,1,1\n", ("TooManyRelevant", 2)),
        ("query,score,relevant,n_relevant\nq1,1,1,1\n\nq1,2,0,2\n", ("BadRelevantCount", 4)),
        ("query,score,relevant,n_relevant,weight\nq1,1,1,1,1\nq1,2,0,1,2\n",
         ("BadRelevantCount", 3)),
        ("query,score,relevant,n_relevant,n_irrelevant\nq1,1,1,1,0\nq1,2,0,1,0\n",
         ("TooManyRelevant", 2)),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("way")
def test_tables_that_make_no_sense(written, text, expected):
    assert problems(written(text), format="table", labels=None if "n_rel" in text else LABELS) == [
        expected
    ]


def test_direction_of_a_table(written):
    unsorted = "query,record,score\nq1,r1,1\nq1,r2,3\nq1,r3,2\n"
    lists = read(written(unsorted), labels=LABELS, direction="descending")
    assert lists.score.tolist() == [3, 2, 1]
    lists = read(written("query,record,score\nq1,r3,1\nq1,r2,3\nq2,r1,2\n"), labels=LABELS)
    assert lists.direction == "ascending"
    assert read(written("query,record,p-value\nq1,r1,1\n"), labels=LABELS,
                score="p-value").direction == "ascending"  # fmt: skip


def test_a_record_twice_in_a_judged_table(written):
    path = written("query,record,evalue,relevant,n_relevant\nq1,r1,1,1,3\nq1,r1,2,1,3\n")
    with pytest.warns(UserWarning, match="1 records are more than once in a list"):
        assert read(path).score.tolist() == [1, 2]


def test_tables_as_programs_write_them(written):
    pandas = written('"query","record","score","relevant","n_relevant"\n"q1","a ""b""",2,True,3.0\n'
                     '"q1",c,1.5,1.0,3\n')  # fmt: skip
    lists = read(pandas)
    assert lists.record.tolist() == ['a "b"', "c"]
    assert lists.relevant.tolist() == [True, True]
    r = written('"query"\t"record"\t"evalue"\n"q1"\t"r1"\t2\n')
    assert read(r, labels=LABELS).record.tolist() == ["r1"]
    diamond = written('qseqid\tsseqid\tevalue\tbitscore\tpident\nq1\t"r1\t2\t3\t4\n')
    labels = ClassTable({"q1": "a.1.1", '"r1': "a.1.1"})
    assert read(diamond, labels=labels).record.tolist() == ['"r1']


# Writing, and reading again


def exactly(lists):
    """All numbers of lists, bit by bit."""
    return (
        lists.query.tolist(),
        lists.direction,
        *(
            np.ascontiguousarray(getattr(lists, name)).tobytes()
            for name in ("score", "relevant", "offset", "n_relevant", "weight")
        ),
    )


def with_ids(lists):
    """The same lists with ids of records, classes and F(q)."""
    return RetrievalLists(
        lists.score,
        lists.relevant,
        lists.offset,
        lists.n_relevant,
        lists.weight,
        lists.query,
        lists.direction,
        record=[f"r{n}|x" for n in range(lists.score.size)],
        query_class=[f"a.{n}" for n in range(lists.n_queries)],
        n_irrelevant=[90 + n for n in range(lists.n_queries)],
    )


@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(any_lists, st.booleans())
def test_lists_written_are_read_again_to_the_bit(tmp_path, lists, ids):
    assume(lists.n_queries)
    lists = with_ids(lists) if ids else lists
    write_tap(lists, tmp_path / "lists.tsv")
    write_parquet(lists, tmp_path / "lists.parquet")
    tap_again = read(tmp_path / "lists.tsv", format="tap", direction=lists.direction)
    again = read(tmp_path / "lists.parquet")
    for one in (tap_again, again):
        assert exactly(one) == exactly(lists)
        if ids and lists.score.size:
            assert one.record.tolist() == lists.record.tolist()
        if lists.score.size and lists.n_relevant.sum():
            assert repr(tap_k(one, k=1)) == repr(tap_k(lists, k=1))
            assert repr(pooled_roc_n(one, n=3)) == repr(pooled_roc_n(lists, n=3))
    if ids:
        assert again.query_class.tolist() == lists.query_class.tolist()
        assert again.n_irrelevant.tolist() == lists.n_irrelevant.tolist()


def test_awkward_numbers_are_written_to_the_bit(tmp_path):
    score = [-0.0, 5e-324, 1e-323, 0.1, 1 / 3, 1e22, 1.7976931348623157e308]
    lists = RetrievalLists(score, [True] * 7, [0, 7], [7], weight=[0.1])
    write_tap(lists, tmp_path / "lists.tsv")
    write_parquet(lists, tmp_path / "lists.parquet")
    for name in ("lists.tsv", "lists.parquet"):
        assert exactly(read(tmp_path / name)) == exactly(lists)


def test_what_write_tap_writes(tmp_path):
    lists = RetrievalLists(
        [1e-9, 2, 0.5],
        [True, False, True],
        [0, 2, 2, 3],
        [3, 0, 1],
        weight=[1, 1, 2.5],
        query=["q1", "q2", "q3"],
        record=["r1", "", "r3"],
    )
    out = io.StringIO()
    write_tap(lists, out)
    assert out.getvalue() == (
        "q1 1.0\n3\n1\t1e-09\t\tr1\n0\t2.0\t\t\n\nq2 1.0\n0\n\nq3 2.5\n1\n1\t0.5\t\tr3\n"
    )
    path = tmp_path / "two.tsv"
    other = RetrievalLists([3.0], [True], [0, 1], [1], query=["other"])
    write_tap([lists.subset([True, False, False]), other], path)
    assert read(path, direction="ascending").query.tolist() == ["q1", "other"]


@pytest.mark.parametrize("query", ["a b", "", "a\tb", "a\nb", "\ufeffa", "a\u00a0b"])
def test_ids_that_the_tap_format_cannot_hold(query, tmp_path):
    lists = RetrievalLists([1.0], [True], [0, 1], [1], query=[query])
    with pytest.raises(ValueError, match="rename it"):
        write_tap(lists, tmp_path / "lists.tsv")
    if query:
        lists = RetrievalLists([1.0], [True], [0, 1], [1], record=[f" {query}"])
        with pytest.raises(ValueError, match="rename it"):
            write_tap(lists, tmp_path / "lists.tsv")


def test_several_algorithms_in_parquet(tmp_path):
    one = RetrievalLists([1.0, 2.0], [True, False], [0, 2, 2], [1, 4], query=["a", "b"])
    other = RetrievalLists([3.0], [True], [0, 0, 1], [1, 4], query=["a", "b"])
    path = tmp_path / "both"
    write_parquet({"one": one, "other": other}, path)
    assert detect(path)[:2] == ("parquet", "certain")
    found = read_all(path)
    assert {name: exactly(lists) for name, lists in found.items()} == {
        "one": exactly(one),
        "other": exactly(other),
    }
    assert tap_curve(found["one"]).tap.tolist() == tap_curve(one).tap.tolist()
    falling = RetrievalLists([3.0], [True], [0, 1], [1], direction="descending")
    with pytest.raises(ValueError, match="one direction"):
        write_parquet({"one": one, "falling": falling}, path)
    with pytest.raises(ValueError, match="in the file it is 'ascending'"):
        read(path, algorithm="one", direction="descending")


def test_parquet_of_others(tmp_path, written):
    path = tmp_path / "hits.parquet"
    columns = {"query": ["q1", "q1"], "target": ["r1", "r3"], "evalue": [1e-9, 2.0]}
    parquet.write_table(pa.table(columns), path)
    assert by_query(read(path, labels=LABELS)) == {"q1": [("r1", 1e-9, True), ("r3", 2.0, False)]}
    judged = {**columns, "relevant": [1, None], "n_relevant": [3, 3], "evalue": [1, 2]}
    parquet.write_table(pa.table(judged), path)
    assert by_query(read(path)) == {"q1": [("r1", 1.0, True)]}
    coded = pa.table(columns)
    codes = pa.DictionaryArray.from_arrays(pa.array([1, 1], pa.int8()), ["q3", "q1", "q2"])
    parquet.write_table(coded.set_column(0, "query", codes), path)
    assert read(path, labels=LABELS).query.tolist() == ["q1"]
    rearranged = {"evalue": [2.0], "bits": [9], "query": ["q1"], "class": [7], "target": ["r1"]}
    parquet.write_table(pa.table(rearranged), path)
    assert by_query(read(path, labels=LABELS)) == {"q1": [("r1", 2.0, True)]}
    for name, values, code in (
        ("evalue", [1.0, float("nan")], "NonFinite"),
        ("evalue", [1.0, None], "NotANumber"),
        ("evalue", [1.0, -1.0], "NegativeEvalue"),
        ("evalue", ["a", "b"], "NotANumber"),
        ("query", ["q1", ""], "BadColumnCount"),
        ("query", [["q1"], ["q2"]], "Encoding"),
    ):
        parquet.write_table(pa.table({**columns, name: values}), path)
        assert problems(path, labels=LABELS)[0][0] == code
    data = path.read_bytes()
    assert problems(written(data[:40])) == [("Encoding", None)]
    assert problems(written(data), format="blast") == [("WrongFormat", None)]
    assert problems(written("q1\n1\n"), format="parquet") == [("WrongFormat", None)]


def test_parquet_that_unpacks_to_too_much(tmp_path, monkeypatch):
    path = tmp_path / "hits.parquet"
    rows = 300_000
    parquet.write_table(
        pa.table({"query": ["q1"] * rows, "target": ["r1"] * rows, "evalue": [1.0] * rows}), path
    )
    assert path.stat().st_size < 10_000
    assert read(path, labels=LABELS).record.tolist() == ["r1"]
    monkeypatch.setattr(limits, "_present", limits.Limits(decoded_file=1 << 20))
    assert problems(path, labels=LABELS) == [("TooLarge", None)]


@pytest.mark.subprocess
def test_importing_readers_loads_no_plotting_library():
    code = "import sys, tapviz.readers; print(*{'panel', 'holoviews', 'bokeh'} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == ""


# --- rows that cannot be read ----------------------------------------------------------------

BAD_ROWS = {
    "blast": (m8("q1", "r1"), "q1\tr2\n", "BadColumnCount"),
    "trec": ("q1 Q0 r1 1 9.5 x\n", "q1 Q0 r2 2 high x\n", "NotANumber"),
    "table": ("q1,r1,1e-9\n", "q1,r2,nan\n", "NonFinite"),
    "tap": ("1 1e-9\n", "0 ?\n", "NotANumber"),
}
"""A good row, a bad one, and what is wrong with it."""


@pytest.mark.parametrize("kind", BAD_ROWS)
@pytest.mark.parametrize("n_bad", [1, 12])
def test_bad_rows_are_left_out_where_that_is_asked_for(written, kind, n_bad):
    good, bad, code = BAD_ROWS[kind]
    head = {"table": "query,record,evalue\n", "tap": "q1\n30\n"}.get(kind, "")
    rows = [good.replace("r1", f"r{i}") for i in range(20)]
    path = written(head + "".join(rows[:10]) + bad * n_bad + "".join(rows[10:]))
    options = {"format": kind}
    options |= {"direction": "ascending"} if kind == "tap" else {"labels": LABELS}
    with pytest.raises(ReadError) as caught:
        read(path, **options)
    assert {one.code for one in caught.value.problems} == {code}
    assert len(caught.value.problems) == min(n_bad, 10)
    assert str(caught.value).endswith("set skip_bad_rows")
    with pytest.warns(UserWarning, match="left out") as warned:
        lists = read(path, skip_bad_rows=True, **options)
    first = head.count("\n") + 11
    assert f"line {first}: " in str(warned[0].message)
    assert ("12 rows" in str(warned[0].message)) == (n_bad == 12)
    if kind == "tap":
        assert lists.score.size == 20
        return
    report = lists.join_report
    assert (report.rows_read, report.rows_skipped) == (20, n_bad)
    assert report.lines()[-1] == ("rows skipped", n_bad, "which could not be read")
    assert report.rows_read == sum(
        (report.hits_kept, report.collapsed, report.self_hits, report.ignored,
         report.unlabelled_ignored, report.rows_left_out)
    )  # fmt: skip
    clean = read(written(head + "".join(rows)), **options)
    assert clean.join_report.rows_skipped == 0
    assert clean.score.tolist() == lists.score.tolist()
    assert clean.record.tolist() == lists.record.tolist()


def test_a_file_of_which_most_rows_are_bad_is_not_read(written):
    path = written(m8("q1", "r1") + "q1\tr2\n" * 2)
    for skip in (False, True):
        with pytest.raises(ReadError) as caught:
            read(path, labels=LABELS, skip_bad_rows=skip)
        assert [one.line for one in caught.value.problems] == [2, 3]
        assert "skip" not in str(caught.value)


def test_what_is_no_row_is_not_left_out(written):
    path = written("query,record\nq1,r1\n")
    with pytest.raises(ReadError) as caught:
        read(path, labels=LABELS, format="table", skip_bad_rows=True)
    assert [one.code for one in caught.value.problems] == ["MissingColumn"]
