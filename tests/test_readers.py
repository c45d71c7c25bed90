"""Files of search programs become retrieval lists, or an error that names the line."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapviz.labels import read_bytes
from tapviz.lists import RetrievalLists
from tapviz.readers import FORMATS, ClassTable, ReadError, blast, hmmer, read, tap

GOLDEN = Path(__file__).parent / "golden" / "formats"
MANIFEST = json.loads((GOLDEN / "manifest.json").read_text())
FORMAT = {
    "ncbi-tap": "tap",
    "blast6": "blast",
    "blast7": "blast",
    "m8": "blast",
    "hmmer-tblout": "hmmer",
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


# Golden files


@pytest.mark.parametrize("case", MANIFEST["good"], ids=lambda case: case["file"])
@pytest.mark.parametrize("way", ["all at once", "row by row"])
def test_rows_of_good_files(case, way, monkeypatch):
    if way == "row by row":
        for module in (blast, hmmer):
            monkeypatch.setattr(module, "_fast", lambda *_: None)
    path = GOLDEN / "good" / case["file"]
    hits = FORMATS[FORMAT[case["format"]]].read(str(path), read_bytes(path), None)
    rows = [
        {
            "query": hits.query_id[query],
            "target": hits.record_id[record],
            "evalue": evalue,
            "bitscore": bits,
        }
        for query, record, evalue, bits in zip(
            hits.query.tolist(),
            hits.record.tolist(),
            hits.score.tolist(),
            hits.bits.tolist(),
            strict=True,
        )
    ]
    assert rows == case["rows"]
    assert hits.query_id == case.get("queries", case.get("queries_seen"))


@pytest.mark.parametrize(
    "case",
    [case for case in MANIFEST["good"] if "best_hsp_per_target_sorted" in case],
    ids=lambda case: case["file"],
)
def test_lists_of_good_files(case):
    rows = case["best_hsp_per_target_sorted"]
    labels = ClassTable(
        {row["target"]: "a.1.1" for row in rows}, queries=dict.fromkeys(case["queries"], "a.1.1")
    )
    lists = read(GOLDEN / "good" / case["file"], labels=labels)
    expected = {query: [] for query in case["queries"]}
    for row in rows:
        expected[row["query"]].append((row["target"], row["evalue"], True))
    assert by_query(lists) == expected


@pytest.mark.parametrize("given_format", [True, False], ids=["given", "recognised"])
@pytest.mark.parametrize("case", MANIFEST["bad"], ids=lambda case: case["file"])
def test_bad_files(case, given_format):
    path = GOLDEN / "bad" / case["file"]
    name = FORMAT[case["format"]]
    options = {} if name == "tap" else {"labels": LABELS}
    if given_format:
        options["format"] = name
    if case["error"] is None:
        with pytest.warns(UserWarning, match=r"cut off|do not stand together"):
            read(path, queries=["q1"], **options)
        return
    code, line = problems(path, **options)[0]
    assert code == case["error"]
    if case["line"] is not None:
        assert line in (case["line"] if isinstance(case["line"], list) else [case["line"]])


@pytest.mark.parametrize("name", MANIFEST["unread"])
def test_formats_that_are_known_but_not_read(name):
    with pytest.raises(ReadError, match=r"this looks like .* not read yet"):
        read(GOLDEN / name, labels=LABELS)


# Any file


def test_gzip_is_known_by_content(written):
    assert read(written(gzip.compress(b"q\n1\n1 2\n0 3\n"), "lists.txt")).score.tolist() == [2, 3]
    assert read(written("q\n1\n1 2\n0 3\n", "lists.gz")).score.tolist() == [2, 3]


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


def test_a_file_of_something_else_lists_the_formats(written):
    path = written("To whom it may concern: this is a letter,\nnot a table.\n")
    assert problems(path) == [("WrongFormat", 1)]
    with pytest.raises(ReadError, match=r'"hmmer" .* "blast" .* "tap"'):
        read(path)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("BLASTP 2.12.0+", "-outfmt 6"),
        ('<?xml version="1.0"?>', "XML"),
        ("# phmmer :: search\n# HMMER 3.4 (Aug 2023)\nQuery:  q  [L=9]", "--tblout"),
        ("# target name accession query name accession hmmfrom hmm to alifrom", "nhmmer"),
        ("#target name accession query name accession mdl mdl from", "Infernal"),
        ("# target name        accession   tlen query name", "--domtblout"),
        ("hmmsearch - search a sequence database", "hmmpfam's is"),
        ("q1 Q0 d1 1 0.5 tag", "TREC"),
    ],
)
def test_what_to_do_with_other_formats(written, line, words):
    path = written(line + "\n")
    for options in ({}, {"format": "blast"}, {"format": "hmmer"}):
        with pytest.raises(ReadError, match=words) as caught:
            read(path, labels=LABELS, **options)
        assert caught.value.problems[0].code == "WrongFormat"


def test_without_labels_the_message_says_how_to_give_them(written):
    for text in (m8("q1", "r1"), tblout("r1", "q1") + "# [ok]\n"):
        with pytest.raises(ReadError) as caught:
            read(written(text))
        assert caught.value.problems[0].code == "LabelsNeeded"
        assert "labels=ClassTable.read(...)" in str(caught.value)
        assert "--labels classes.tsv" in str(caught.value)


def test_arguments_that_make_no_sense(written):
    path = written(m8("q1", "r1"))
    with pytest.raises(ValueError, match="'tap'"):
        read(path, format="xml")
    with pytest.raises(ValueError, match='"ascending" or "descending"'):
        read(path, direction="up")
    with pytest.raises(ValueError, match="E-values ascend"):
        read(path, direction="descending", labels=LABELS)
    with pytest.raises(TypeError, match=r"ClassTable.read\('classes.tsv'\)"):
        read(path, labels="classes.tsv")
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
        f"{path}, line 2: expected 12 columns separated by tabs, found 1; the file looks separated "
        "by spaces, write tabs as the programs do (BadColumnCount)\n"
        "    q1 r1 56.9 108 46 1 1 108 3 110 1e-5 36.6"
    )


# Queries


def test_queries_from_a_list_and_from_a_file(written):
    path = written(m8("q1", "r1") + m8("q2", "r2") + m8("q3", "r3"))
    names = written("q3 the third\n\n  q\nq1\n", "queries.txt")
    expected = {"q3": [("r3", 1e-5, False)], "q": [], "q1": [("r1", 1e-5, True)]}
    for queries in (["q3", "q", "q1"], names, str(names), iter(("q3", "q", "q1"))):
        assert by_query(read(path, labels=LABELS, queries=queries)) == expected


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
    [("2e-101", 2e-101), ("0.0", 0), ("4.940656e-324", 5e-324), ("1E+02", 100), (".5", 0.5),
     ("+1.", 1), ("1e-400", 0), ("342211688231646", 342211688231646.0), (" 7 ", 7)],
)  # fmt: skip
@pytest.mark.parametrize("way", ["all at once", "row by row"])
def test_numbers_as_programs_write_them(written, monkeypatch, evalue, value, way):
    if way == "row by row":
        monkeypatch.setattr(blast, "_fast", lambda *_: None)
    assert read(written(m8("q1", "r1", evalue)), labels=LABELS).score.tolist() == [value]


@pytest.mark.parametrize(
    ("evalue", "code"),
    [("nan", "NonFinite"), ("inf", "NonFinite"), ("-inf", "NonFinite"), ("1e400", "NonFinite"),
     ("Infinity", "NonFinite"), ("1_0", "NotANumber"), ("\u0661", "NotANumber"),
     ("", "NotANumber"), ("0x1", "NotANumber"), ("1e", "NotANumber"), ("NA", "NotANumber"),
     ("-1", "NegativeEvalue"), ("\u00a01", "NotANumber"), ("\x0b1", "NotANumber")],
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
    with pytest.warns(UserWarning, match="looks cut off"):
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


# Both ways through a file, and what nobody thought of


def outcome(path, labels):
    """What a file is: lists, or what is wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            lists = read(path, labels=labels)
        except ReadError as error:
            return error.problems
        except ValueError as error:
            if "leave labels out" in str(error):  # a broken table that looks like lists
                return str(error)
            raise
    assert isinstance(lists, RetrievalLists)
    record = None if lists.record is None else lists.record.tolist()
    return (
        lists.query.tolist(),
        lists.n_relevant.tolist(),
        lists.weight.tolist(),
        lists.offset.tolist(),
        lists.score.tolist(),
        lists.relevant.tolist(),
        record,
        lists.direction,
    )


GOOD = [(GOLDEN / "good" / case["file"]).read_bytes()[:6000] for case in MANIFEST["good"]] + [
    HMMPFAM.encode(),
    TAP.encode(),
    b"q\n1\n0\t5\t\tr2\textra\n1\t5\t\tr1\n0\t4\t\tr3\n",
]
PIECES = [b"\t", b"\n", b"\n\n", b" ", b"#", b"\r", b"nan", b"inf", b"-", b"1e999", b"_", b"\xff",
          b"\x00", b"\xc2\xa0", b"\xe2\x80\xa8", b"\x0b", b"\x1c", b'"', b"0", b"q1", b"# [ok]\n",
          b"# Query: q9\n# 0 hits found\n", b"# Iteration: 2\n", b"# Fields: evalue\n", b"//\n",
          b"+", b".", b"1e-5", b"\xef\xbb\xbf", b"\x1f\x8b"]  # fmt: skip


@st.composite
def damaged(draw):
    """A good file with a few bytes cut out, doubled, or put in."""
    text = draw(st.sampled_from(GOOD))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        stop = draw(st.integers(start, min(len(text), start + 200)))
        piece = draw(
            st.one_of(st.sampled_from(PIECES), st.binary(max_size=4), st.just(text[start:stop] * 2))
        )
        text = text[:start] + piece + text[stop:]
    return text


@settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(damaged())
def test_damaged_files_give_lists_or_a_readable_error_either_way(tmp_path, monkeypatch, text):
    path = tmp_path / "damaged"
    path.write_bytes(text)
    names = re.findall(r"[\w|]+", text.decode("utf-8", "replace"))
    labels = None
    if not text.split(b"\n", 1)[0].startswith((b"q\n", b"q1 2.5")):
        labels = ClassTable(dict.fromkeys([*names, "x"], "a.1.1"))
    quick = outcome(path, labels)
    with monkeypatch.context() as patch:
        for module in (blast, hmmer, tap):
            patch.setattr(module, "_fast", lambda *_: None)
        assert outcome(path, labels) == quick
    if isinstance(quick, list):
        assert 1 <= len(quick) <= 10
        for problem in quick:
            assert problem.message
            assert len(problem.text) <= 80
            assert problem.text.isprintable()
            assert problem.line is None or 1 <= problem.line <= len(re.split(rb"\r\n|\r|\n", text))


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
