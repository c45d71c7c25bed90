"""Files of search programs become retrieval lists by the column that is the score, or an error."""

import gzip
import warnings
from collections import deque
from contextlib import nullcontext
from functools import cache

import numpy as np
import pyarrow as pa
import pytest

from tapviz.files import limits
from tapviz.files import source as files
from tapviz.files.problems import Problem, doubts, option, rendered, warn
from tapviz.files.source import Source
from tapviz.labels import ClassTable, Qrels
from tapviz.readers import FORMATS, ReadError, ReadOptions, detect, formats, read, read_all
from tapviz.readers.datasets import load_results
from tapviz.readers.reading import contents_of
from tests.damaged import packed
from tests.hits import (
    GOLDEN,
    HMMPFAM,
    LABELS,
    by_query,
    hits_of,
    m8,
    outfmt7,
    problems,
    rows_of,
    tblout,
)
from tests.refused import error_of, refuses
from tests.twins import golden

FILES = GOLDEN / "formats"
MANIFEST = golden("formats/manifest.json")
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


OTHER_SCORES = [
    ("v_phmmer.tblout", "domain_evalue", "best_domain_evalue"),
    ("v_phmmer.domtblout", "domain_evalue", "i_evalue"),
    ("v_phmmer.domtblout", "domain_bits", "domain_bitscore"),
    ("v_phmmer.tblout", "bits", "bitscore"),
    ("v_foldseek_custom.m8", "alntmscore", "alntmscore"),
    ("v_foldseek_custom.m8", "prob", "prob"),
    ("v_blast.outfmt7", "bit score", "bitscore"),
    ("v_mmseqs.m8", "bits", "bitscore"),
]


@pytest.mark.parametrize(("file", "score", "key"), OTHER_SCORES)
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


HOW_SURE = [
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
]


@pytest.mark.parametrize(("text", "name", "certainty"), HOW_SURE)
def test_how_sure_a_format_is(written, text, name, certainty):
    found = detect(written(text))
    assert (found.format, found.certainty) == (name, certainty)
    assert found.why


def test_a_guess_is_said(written):
    path = written("1e-5\tq1\tr1\n")
    with pytest.warns(UserWarning, match=r"read as 'reseek' .* if it is, set format"):
        guessed = read(path, labels=LABELS)
    assert by_query(read(path, labels=LABELS, format="reseek")) == by_query(guessed)


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
        words = f"the {codec} data is cut off or damaged"
        assert problems(written(text), words, labels=LABELS)[0][0] == "Encoding"


@cache
def packed_alike(codec):
    """1.3 MB of equal rows, made hundreds of times smaller."""
    return packed(codec, m8("q1", "r1").encode() * 25_000)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("limit", ["ratio", "size"])
def test_what_unpacks_to_too_much_is_not_read(written, monkeypatch, codec, limit):
    path = written(packed_alike(codec))
    monkeypatch.setattr(files, "CHUNK", 1 << 18)
    monkeypatch.setattr(files, "RATIO_FROM", 1 << 19)
    if limit == "size":
        monkeypatch.setattr(files, "MAX_RATIO", 1 << 40)
        monkeypatch.setattr(limits, "_present", limits.Limits(decoded_file=1 << 20))
    with pytest.raises(ReadError, match="unpacks to more than is read") as caught:
        deque(Source(path).chunks(), maxlen=0)
    assert [problem.code for problem in caught.value.problems] == ["TooLarge"]


def test_small_files_may_be_much_alike(written):
    lists = read(written(gzip.compress(m8("q1", "r1").encode() * 20_000)), labels=LABELS)
    assert lists.record.tolist() == ["r1"]


ARCHIVES = [
    (b"PK\x03\x04", "zip archive"),
    (b"\xfd7zXZ\x00", "xz file"),
    (b"7z\xbc\xaf'\x1c", "7z"),
]


@pytest.mark.parametrize(("start", "words"), ARCHIVES)
def test_archives_are_not_unpacked(written, start, words):
    assert problems(written(start + b"\x00" * 100), f"{words}.*unpack it")[0][0] == "Encoding"


def test_lines_without_end(written, monkeypatch):
    monkeypatch.setattr(files, "CHUNK", 1 << 10)
    monkeypatch.setattr(files, "MAX_LINE", 1 << 12)
    long = m8("q1", "r1") * 50 + "x" * 10_000
    assert problems(written(long), "a line is longer than", labels=LABELS) == [("LineTooLong", 51)]
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
    caught = error_of(Source(written(text.encode() + b"q1\tr\xff")).data, error=ReadError)
    assert [(p.code, p.line) for p in caught.problems] == [("Encoding", 407)]


def test_progress_and_cancelling(written, monkeypatch):
    monkeypatch.setattr(files, "CHUNK", 1 << 10)
    path = written("".join(m8("q1", f"r{n}", str(n)) for n in range(1000)))
    seen = []
    labels = ClassTable(dict.fromkeys(["q1", *(f"r{n}" for n in range(1000))], "a.1.1"))
    read(path, labels=labels, progress=lambda *a: seen.append(a))
    size = path.stat().st_size
    data = path.read_bytes()
    assert seen == [
        (min(n << 10, size), size, data[: n << 10].count(b"\n")) for n in range(1, size // 1024 + 2)
    ]

    class CancelledError(Exception):
        pass

    def cancel(*_):
        raise CancelledError

    error_of(read, path, labels=LABELS, progress=cancel, error=CancelledError)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_byte_order_mark(written, end):
    lists = read(written("\ufeffq\n1\n1\t2\n0\t3\n".replace("\n", end)))
    assert (lists.query.tolist(), lists.score.tolist()) == (["q"], [2, 3])
    table = m8("q1", "r1") + "\n" + m8("q1", "r3")
    lists = read(written("\ufeff" + table.replace("\n", end)), labels=LABELS)
    assert by_query(lists) == {"q1": [("r1", 1e-5, True), ("r3", 1e-5, False)]}


def test_missing_file_folder_and_empty_file(tmp_path, written):
    assert problems(tmp_path / "none.tsv") == [("NotFound", None)]
    assert problems(tmp_path) == [("NotFound", None)]
    assert problems(written(" \n\n"), "set format and give queries") == [("EmptyInput", None)]


SOMETHING_ELSE = [
    ("To whom it may concern: this is\nnot a table.\n", r"'To', 'whom', 'it', \.\.\.; if you"),
    ("To whom, it, may, be\n", r"4 columns .* commas: 'To whom', .*; .*query,record,"),
    ("a\tb\tc\td\te\n", r"5 columns .* tabs: 'a', 'b', 'c', \.{3}; .* columns=\"query target"),
    ("q\tr\t99\t1e-30\t200\t1-9\n", 'columns="query target column3 evalue column5 column6"'),
    ("s1\tRF00001\tCL00113\n" * 2, r"'s1', 'RF00001', 'CL00113'; .* classes, give it as labels"),
    ("s1\tRF00001\t\n" * 2, r"'s1', 'RF00001', ''; .* classes, give it as labels"),
    ("protein,pathway\ns1,glycolysis\n", "'protein', 'pathway'; .* classes, give it as labels"),
    ("q1,Q0,d1,1,9.5,bm25\n" * 2, r"'q1', 'Q0', 'd1', \.\.\.; the best guess is a TREC run"),
    ("a b c d\n", 'the best guess is format="profmark"'),
    (
        "query;target;evalue\nq1;r1;3\n",
        "3 columns separated by semicolons: 'query', .*; .* with tabs",
    ),
    ("q1;r1;1,5;20\n" * 2, "4 columns separated by semicolons: 'q1', .*; .* decimal points"),
    ("sep=;\nid;class\n", "separated by semicolons: .* no line sep=;"),
    ("nothing\n# but\n!\n", "from 1 column: 'nothing'"),
]


@pytest.mark.parametrize(("text", "words"), SOMETHING_ELSE)
def test_a_file_of_something_else(written, text, words):
    assert problems(written(text), f"{words}.*All formats: FORMATS") == [("WrongFormat", 1)]


def test_a_broken_row_among_others_asks_for_no_names_of_columns(written):
    whole, cut = m8("q1", "r1"), "q1\tr3\t90.0\n"
    for text, helps in ((whole + cut, []), (cut * 2, ["columns"])):
        error = error_of(read, written(text), labels=LABELS, format="blast", error=ReadError)
        assert [name for name, _ in error.problems[0].remedies] == helps


def test_a_table_with_columns_of_its_own_is_read_as_the_refusal_says(written):
    path = written("q1\tr1\t99\t1e-30\t200\nq1\tr3\t80\t2e-3\t50\n")
    [(name, value)] = error_of(read, path, labels=LABELS, error=ReadError).problems[0].remedies
    found = by_query(read(path, labels=LABELS, **{name: value}))
    assert found["q1"] == [("r1", 1e-30, True), ("r3", 2e-3, False)]


OTHER_FORMATS = [
    ("BLASTP 2.12.0+", "-outfmt 6"),
    ('<?xml version="1.0"?>', "XML"),
    ("# phmmer :: search\n# HMMER 3.4 (Aug 2023)\nQuery:  q  [L=9]", "--tblout"),
    ("# target name accession query name accession hmmfrom hmm to alifrom", "nhmmer"),
    ("#target name accession query name accession mdl mdl from", "Infernal"),
    ("q1 0 d1 1", "qrels"),
    ("10.1016/j.febslet.2005.01.870\tO35822", "a gold standard"),
    ("# ssearch36 -q q.fa db.fa\nSSEARCH searches a sequence data bank", "-m 8C"),
    ("# ssearch36 -q q.fa db.fa\nSSEARCH performs a Smith-Waterman search", "-m 8C"),
    ("Blast4-archive ::= {\n  request {\n", "blast_formatter -outfmt 6"),
    (";score;ident;similarity;sid;sdesc;tlen;qlen;match_len;qid", "pLM-BLAST.*name sid record"),
    ("SpecId\tLabel\tScanNr\tXcorr\tPeptide\tProteins", "Percolator.*query, record and score"),
    ("H\t0\t376\t100.0\t.\t0\t0\t376M\tq1\tr1", "-blast6out"),
]


@pytest.mark.parametrize(("line", "words"), OTHER_FORMATS)
def test_what_to_do_with_other_formats(written, line, words):
    path = written(line + "\n")
    for options in ({}, {"format": "blast"}, {"format": "hmmer"}):
        assert problems(path, words, labels=LABELS, **options)[0][0] == "WrongFormat"
    refuses(words, detect, path, error=ReadError)


def test_a_run_without_a_tag_says_which_columns_are_expected(written):
    with pytest.raises(ReadError, match="expected 6 columns, query Q0 document rank score tag, fo"):
        read(written("q1 Q0 r1 1 9.5\n"), labels=LABELS)


def test_without_labels_the_message_says_how_to_give_them(written):
    for text in (m8("q1", "r1"), tblout("r1", "q1") + "# [ok]\n"):
        caught = error_of(read, written(text), error=ReadError)
        assert caught.problems[0].code == "LabelsNeeded"
        assert 'give labels="classes.tsv", a table of ids' in str(caught)
        (problem,) = caught.problems
        assert "give --labels classes.tsv," in problem.render({"labels": "--labels {}"})


def test_arguments_that_make_no_sense(written):
    path = written(m8("q1", "r1"))
    for words, options in {
        "'tap'": {"format": "xml"},
        "unlabelled is for labels in a file": {"labels": LABELS, "unlabelled": "ignore"},
        "'q1' occurs more than once": {"labels": LABELS, "queries": ["q1", "q1"]},
        "at least one id": {"labels": LABELS, "queries": []},
    }.items():
        refuses(words, read, path, **options)
    refuses("unexpected keyword argument 'label'", read, path, label="classes.tsv", error=TypeError)
    refuses("leave labels out", read, written("q\n1\n1 2\n0 3\n"), labels=LABELS)


def test_the_message_says_file_line_text_and_what_to_do(written):
    path = written(m8("q1", "r1") + "q1 r1 56.9 108 46 1 1 108 3 110 1e-5 36.6\n")
    caught = error_of(read, path, labels=LABELS, error=ReadError)
    assert str(caught) == (
        f"{path}, line 2: expected 12 columns separated by tabs, found 1; the file seems to be "
        "separated by spaces: write tabs as the programs do (BadColumnCount)\n"
        "    q1 r1 56.9 108 46 1 1 108 3 110 1e-5 36.6\n"
        "Correct these rows, or leave out what cannot be read, which is then counted: set "
        "skip_bad_rows"
    )


FLAGS = {"direction": "--direction {}", "format": "--format {}", "normalise": "--normalise {}"}


def test_options_in_messages_are_called_what_they_are_called_there(written):
    with pytest.raises(ReadError, match=r'set direction="ascending" \(small\) or') as caught:
        read(written("query,record,score\nq1,r1,1\n"), labels=LABELS)
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
    own = {"format": "the format", "format=trec": "TREC's"}
    assert [rendered(option("format", one), own) for one in ("trec", "blast", "")] == [
        "TREC's",
        "the format",
        "the format",
    ]
    assert rendered(option("format")) == "format"
    said = "levels=(1, 0), of a ClassTable relevant=1, ignored=0"
    assert rendered(option("levels", "1,0")) == said


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


def test_ids_with_blanks_are_asked_for_as_they_are(written):
    """By the first word another query would be scored, and one left out."""
    rows = [("HBA", "r1", 1), ("HBA human", "r1", 2), ("q3", "r1", 3)]
    path = written("query\trecord\tevalue\n" + "".join(f"{q}\t{r}\t{e}\n" for q, r, e in rows))
    labels = Qrels({query: {"r1": 1} for query, *_ in rows})
    for text in ("HBA human\nq3\n", "Query\nHBA human\tof blood\nq3 \n"):
        lists = read(path, labels=labels, queries=written(text, "queries.txt"))
        assert lists.query.tolist() == ["HBA human", "q3"]


def test_a_header_of_queries_is_none_of_them_unless_one_is_called_so(written):
    names = written("query\nq1\n", "queries.txt")
    for first, wanted in (("q2", ["q1"]), ("query", ["query", "q1"])):
        path = written(m8(first, "r1") + m8("q1", "r1"))
        labels = Qrels({name: {"r1": 1} for name in (first, "q1")})
        assert read(path, labels=labels, queries=names).query.tolist() == wanted


def test_queries_of_the_file_only_without_a_list(written):
    lists = read(written(m8("q2", "r1") + m8("q1", "r2")), labels=LABELS)
    assert (lists.query.tolist(), lists.n_relevant.tolist()) == (["q2", "q1"], [5, 5])
    assert lists.query_class.tolist() == ["a.1.1", "a.1.1"]


def test_bad_query_files(written):
    path = written(m8("q1", "r1"))
    for text, expected in (("q1\nq2\nq1\n", ("DuplicateQuery", 3)), ("\n", ("EmptyInput", None))):
        names = written(text, "queries.txt")
        problem = error_of(read, path, labels=LABELS, queries=names, error=ReadError).problems[0]
        assert (problem.code, problem.line, problem.file) == (*expected, str(names))


def test_a_program_that_found_nothing(written):
    lists = read(written(""), format="blast", labels=LABELS, queries=["q1", "q2"])
    assert by_query(lists) == {"q1": [], "q2": []}
    nothing = written("# target name\n#\n# Program:         phmmer\n# [ok]\n")
    lists = read(nothing, labels=LABELS, queries=["q1"])
    assert lists.n_queries == 1
    assert problems(nothing, labels=LABELS) == [("EmptyInput", None)]


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
    caught = error_of(read, path, error=ReadError, **options)
    assert {one.code for one in caught.problems} == {code}
    assert len(caught.problems) == min(n_bad, 10)
    assert str(caught).endswith("set skip_bad_rows")
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
    assert (clean.join_report.rows_skipped, clean.score.tolist()) == (0, lists.score.tolist())
    assert clean.record.tolist() == lists.record.tolist()


def test_a_file_of_which_most_rows_are_bad_is_not_read(written):
    path = written(m8("q1", "r1") + "q1\tr2\n" * 2)
    for skip in (False, True):
        caught = error_of(read, path, labels=LABELS, skip_bad_rows=skip, error=ReadError)
        assert [one.line for one in caught.problems] == [2, 3]
        assert "skip" not in str(caught)


def test_what_is_no_row_is_not_left_out(written):
    path = written("query,record\nq1,r1\n")
    found = problems(path, labels=LABELS, format="table", skip_bad_rows=True)
    assert [code for code, _ in found] == ["MissingColumn"]


BLAST_END = "# BLAST processed 2 queries\n"


def test_a_score_whose_direction_nobody_knows(written):
    path = written("q1\tr1\t3\nq1\tr3\t2\n")
    options = {"labels": LABELS, "columns": "qseqid sseqid zeal", "score": "zeal"}
    assert problems(path, **options) == [("DirectionUnknown", None)]
    assert read(path, **options, direction="descending").score.tolist() == [3, 2]
    assert read(path, **options, direction="ascending").score.tolist() == [2, 3]
    # What is said wins over what the name of a column promises.
    options |= {"columns": "qseqid sseqid bits", "score": "bits"}
    assert read(path, **options, direction="ascending").score.tolist() == [2, 3]


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
    with pytest.raises(ReadError) as caught:
        read(written(foldseek(bits=bits, header=header)), qrels=None, labels=FIRST)
    found = caught.value.problems
    assert [(one.code, one.line) for one in found] == [
        ("NotEvalues", line + header) for line in (1, 2, 3)
    ]
    words = found[0].render({"score": "--score {}", "direction": "--direction {}"})
    assert f"disagrees with {'the bit scores' if bits else 'the order of the file'}" in words
    for offered in ("--score bits", "--direction descending", "--score rank"):
        assert offered in words
    assert found[0].text.startswith("q0 → r0")


FEW_ROWS = [(1, 7, True), (1, 6, False), (13, 2, True)]


@pytest.mark.parametrize(("queries", "hits", "enough"), FEW_ROWS)
def test_few_rows_show_it_unless_chance_could(written, queries, hits, enough):
    path = written(foldseek(bits=False, queries=queries, hits=hits))
    with pytest.raises(ReadError, match="disagrees") if enough else nullcontext():
        contents_of(path, ReadOptions(queries=["q0"]))


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


SAID = [
    ({"score": "bits"}, "descending", "r0"),
    ({"direction": "descending"}, "descending", "r0"),
    ({"score": "rank"}, "ascending", "r0"),
    ({"score": "evalue"}, "ascending", "r7"),
    ({"direction": "ascending"}, "ascending", "r7"),
]


@pytest.mark.parametrize(("said", "direction", "best"), SAID)
def test_what_the_person_says_of_such_a_column_wins(written, said, direction, best):
    lists = read(written(foldseek()), labels=FIRST, **said)
    assert lists.direction == direction
    assert {lists.record[at] for at in lists.offset[:-1]} == {best}


def test_evalues_that_agree_with_the_bit_scores_may_stand_in_any_order(written):
    rows = [m8("q1", f"r{at}", f"1e-{at}", 10 * at) for at in range(1, 20)]
    assert read(written("".join(rows)), labels=LABELS).score[0] == 1e-19


def test_a_table_in_memory_that_is_upside_down():
    scores = [0.9 - 0.1 * at for at in range(9)]
    frame = {"query": ["q1"] * 9, "record": [f"r{at}" for at in range(9)], "evalue": scores}
    caught = refuses("order of the file", read, pa.table(frame), labels=LABELS, error=ReadError)
    said = [(one.line, one.text) for one in caught.problems]
    assert said == [(1, "q1, r0, 0.9"), (2, "q1, r1, 0.8"), (3, "q1, r2, 0.7")]


@pytest.mark.parametrize("name", ["scope40", "profiles"])
def test_bundled_results_are_not_refused(name):
    for algorithm, lists in load_results(name).items():
        assert read(lists.to_frame("arrow"), name=algorithm).score.tolist() == lists.score.tolist()


RANKED = {
    "blast": m8("q1", "r2", "3") + m8("q1", "r1", "1") + m8("q2", "r1", "1"),
    "blast7": outfmt7("q1", m8("q1", "r2", "3"), m8("q1", "r1", "1"))
    + outfmt7("q2", m8("q2", "r1", "1"))
    + BLAST_END,
    "hmmer": tblout("r2", "q1", "3") + tblout("r1", "q1", "1") + tblout("r1", "q2") + "# [ok]\n",
    "table": "query,record,evalue,bits\nq1,r2,3,1\nq1,r1,1,2\nq2,r1,1,1\n",
    "trec": "q1 Q0 r2 1 0.1 x\nq1 Q0 r1 2 0.2 x\nq2 Q0 r1 1 5 x\n",
    "profmark": "3 1 r2 q1\n1 2 r1 q1\n1 2 r1 q2\n",
    "reseek": "0.1\tq1\tr2\t3\n0.9\tq1\tr1\t1\n0.9\tq2\tr1\t1\n",
}


@pytest.mark.parametrize("form", list(RANKED))
def test_lists_in_the_order_of_the_file(written, form):
    lists = read(written(RANKED[form]), format=form, labels=LABELS, score="rank")
    assert (lists.direction, lists.record.tolist()) == ("ascending", ["r2", "r1", "r1"])
    assert lists.score.tolist() == [1, 2, 1]


def test_several_algorithms_and_queries_without_hits_in_the_order_of_the_file(written):
    path = written(
        "algorithm,query,record,evalue\nA,q1,r2,3\nA,q1,r1,1\nA,q2,,\nB,q1,r1,5\nB,q2,r2,1\n"
    )
    found = read_all(path, labels=LABELS, score="rank")
    assert by_query(found["A"]) == {"q1": [("r2", 1, True), ("r1", 2, True)], "q2": []}
    assert by_query(found["B"]) == {"q1": [("r1", 1, True)], "q2": [("r2", 1, True)]}


@pytest.mark.parametrize(
    ("rows", "asked", "ranked_by"),
    [
        ("q\tr\t90\t9\t0\t0\t1\t9\t1\t9\t1e-9\t50\n", {}, ("evalue", "ascending")),
        ("q\tr\t90\t9\t0\t0\t1\t9\t1\t9\t1e-9\t50\n", {"score": "bits"}, ("bits", "descending")),
        ("query,record,evalue,bits\nq,r,1e-9,50\n", {}, ("evalue", "ascending")),
        ("query,record,bits\nq,r,50\n", {}, ("bits", "descending")),
        (
            "query,record,probability\nq,r,0.5\n",
            {"score": "probability", "direction": "descending"},
            ("probability", "descending"),
        ),
        ("q Q0 r 1 0.5 mine\n", {}, ("score", "descending")),
    ],
)
def test_a_report_says_by_which_column_lists_are_ranked(tmp_path, rows, asked, ranked_by):
    file = tmp_path / "one"
    file.write_text(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are no E-values
        report = read(file, labels={"q": "a.1.1", "r": "a.1.1"}, **asked).join_report
    assert (report.ranked_by, report.direction) == ranked_by
