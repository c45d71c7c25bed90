"""What a file seems to be, and what a person's files and words about them become."""

import gzip
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz.labels import ClassTable, Held, ReadError, kind_of
from tapviz.readers import FORMATS, ReadOptions, read
from tapviz.readers._lines import Match
from tapviz.readers.inputs import ROLES, ResultFile, guess, open_files, with_roles
from tests.hits import GOLDEN, m8

CLASSES = Held("classes.tsv", b"q1\ta.1.1\nq2\ta.1.1\nr1\ta.1.1\nr2\tb.1.1\n")


def blast(name, *rows):
    return Held(name, "".join(m8(*row) for row in rows).encode())


BLASTP = blast("blastp.tsv", ("q1", "r1", "1e-9"), ("q1", "r2", "0.5"), ("q2", "r2", "2"))
PHMMER = blast("phmmer.out.tsv", ("q1", "r1", "1e-7"), ("q1", "x", "3"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# id\nd1\ta.1.1.2\n\nd2\tb.1.1.1\n", "classes"),
        ("12\ta.1.1.2\n13\tb.1.1.1\n", "classes"),  # ids may be numbers
        ("d1\t1.10.8.10\nd2\t1.10.8.20\n", "classes"),  # as CATH writes them
        ("d1\tfamily\tsuper family\tfold\nd2\tf2\ts2\tfold\n", "classes"),
        ("d1\tglobin\nd2\tkinase\n", "classes"),
        ("q1\tP1\nq1\tP2\nq2\tP1\n", "gold"),
        ("10.1016/j.x\tP1\n10.1016/j.y\tP2\tP3\n", None),
        ("10.1016/j.x\tP1\tP2\n10.1016/j.y\tP2\tP3\n", "gold"),
        ("10.1016/j.x\t1\n10.1016/j.y\t0\n", "gold"),
        ("q1 0 d1 1\nq1 0 d2 -1\n", "pairs"),
        ("q1\td1\t1\nq1\td2\t0\n", "pairs"),
        ("q1 18\nq2 3\n", "totals"),
        ("q1\nq2\n", "queries"),
        ("q1\n18\n1\t1e-9\n0\t0.5\n", None),  # lists of TAP
        ("18\n3\n", None),
        ("q1 0 d1 1 29.5 run\n", None),
        (m8("q1", "r1", "1e-9"), None),
        ("", None),
    ],
)
def test_kind_of_labels(text, kind):
    assert kind_of(text.encode().split(b"\n")) == kind


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - {"parquet"}))
def test_results_are_not_taken_for_labels(name):
    found = guess(Held("sample", FORMATS[name].sample.encode() + b"\n"))
    assert found.role == "results"


@pytest.mark.parametrize(
    ("file", "role"),
    [
        (GOLDEN / "bc" / "v04.int.gold", "gold"),
        (GOLDEN / "bc" / "v04.int.results", "results"),
        (GOLDEN / "trec" / "v04.qrels", "qrels"),
        (GOLDEN / "trec" / "v04.run", "results"),
        (GOLDEN / "peers" / "scop_lookup.tsv", "labels"),
        (GOLDEN / "tapk" / "v009.tsv", "results"),
    ],
)
def test_golden_files_are_recognised(file, role):
    assert guess(file).role == role
    packed = Held("packed", gzip.compress(file.read_bytes()))
    assert guess(packed) == guess(file)


def test_what_is_certainly_a_format_is_not_taken_for_labels(monkeypatch):
    file = Held("ids.txt", b"-----\nq1\nq2\n")
    assert guess(file).role == "queries"
    ruled = FORMATS["trec"]._replace(recognise=lambda head: Match("certain", head[0].decode()))
    monkeypatch.setitem(FORMATS, "ruled", ruled)
    assert guess(file)[:2] == ("results", "ruled")


def test_a_guess_says_how_sure_it_is_and_why():
    assert guess(BLASTP).format == "blast"
    assert guess(BLASTP).words.startswith("BLAST tabular (-outfmt 6)")
    assert "recognised from 12 columns separated by tabs" in guess(BLASTP).words
    assert guess(CLASSES)[:2] == ("labels", "")
    assert guess(CLASSES).words.startswith("probably classes of records: id, tab and class")
    for data in (b"", b"\x00\x01", b"\x1f\x8b broken", b'{"a": [1, 2], "b": 5}\n'):
        assert guess(Held("x", data)) == ("results", "", "not recognised")


def test_files_are_read_as_from_a_folder(tmp_path):
    held = (BLASTP, PHMMER, CLASSES)
    for file in held:
        (tmp_path / file.name).write_bytes(file.data)
    opened = open_files([BLASTP, ResultFile(PHMMER, algorithm="pH")], labels=CLASSES)
    assert opened.title == "blastp.tsv, phmmer.out.tsv"
    assert opened.doubts == ()
    assert list(opened.results) == ["blastp", "pH"]
    table = ClassTable.read(tmp_path / "classes.tsv")
    for name, file in zip(opened.results, held, strict=False):
        lists = read(tmp_path / file.name, labels=table, queries=["q1", "q2"])
        mine = opened.results[name]
        assert mine.query.tolist() == ["q1", "q2"]
        assert mine.score.tolist() == lists.score.tolist()
        assert mine.relevant.tolist() == lists.relevant.tolist()
    assert opened.results["pH"].join_report.unlabelled_hits == 1
    ignoring = open_files([PHMMER], labels=CLASSES, unlabelled="ignore")
    (lists,) = ignoring.results.values()
    assert lists.join_report.unlabelled_ignored == 1
    assert lists.record.tolist() == ["r1"]


def test_names_are_never_opened(tmp_path):
    there = tmp_path / "there.tsv"
    there.write_bytes(BLASTP.data)
    bad = Held(str(there), m8("q1", "r1", "x").encode())
    with pytest.raises(ReadError) as caught:
        open_files([bad], labels=CLASSES)
    (problem,) = caught.value.problems
    assert (problem.code, problem.file, problem.line) == ("NotANumber", str(there), 1)
    for role in ("labels", "query_labels", "qrels", "gold", "totals", "queries"):
        files = [("results", ResultFile(BLASTP)), ("labels", ResultFile(CLASSES))]
        files = [*(f for f in files if f[0] != role), (role, ResultFile(Held(str(there), b"")))]
        if role in ("qrels", "gold", "totals"):
            files = [f for f in files if f[0] != "labels"]
        with pytest.raises(ReadError, match="found nothing"):
            open_files(*with_roles(ReadOptions(), files))


def test_two_files_of_the_same_name():
    again = blast("blastp.tsv", ("q1", "r2", "1e-3"))
    opened = open_files([BLASTP, again], labels=CLASSES)
    assert list(opened.results) == ["blastp", "blastp.tsv"]


def test_algorithms_that_a_file_names_itself():
    rows = "algorithm,query,record,evalue,relevant,n_relevant\nA,q,r,1e-3,1,1\n{},q,r,1e-3,1,1\n"
    one, two = (Held("t.csv", rows.format(name).encode()) for name in "AB")
    assert list(open_files([two]).results) == ["A", "B"]
    with pytest.raises(ValueError, match=r"t\.csv names its algorithms itself: A, B"):
        open_files([ResultFile(two, algorithm="mine")])
    one = Held("t.csv", one.data.replace(b"A,q,r,1e-3,1,1\nA", b"A"))
    assert list(open_files([ResultFile(one, algorithm="mine")]).results) == ["mine"]


def test_roles_that_do_not_go_together():
    results = ("results", ResultFile(BLASTP))
    other = Held("more.tsv", CLASSES.data)

    def together(*files):
        return with_roles(ReadOptions(), [results, *((r, ResultFile(file)) for r, file in files)])

    with pytest.raises(ValueError, match=r"classes\.tsv and more\.tsv are both given as classes"):
        together(("labels", CLASSES), ("labels", other))
    with pytest.raises(ValueError, match=r"only one file can say what is relevant.*more\.tsv"):
        together(("labels", CLASSES), ("gold", other))
    with pytest.raises(ValueError, match="give those of records, too"):
        together(("query_labels", CLASSES))
    files, left_out = together(("", other), ("labels", CLASSES))
    assert files == (results[1],)
    assert left_out.labels is CLASSES
    assert ROLES.keys() - {"results", ""} <= {field.name for field in fields(ReadOptions)}


def test_doubts_are_told_with_the_results(recwarn):
    split = blast("split.tsv", ("q1", "r1", "1"), ("q2", "r1", "1"), ("q1", "r2", "1"))
    opened = open_files([split], labels=CLASSES)
    assert len(opened.doubts) == 1
    assert opened.doubts[0].startswith("split.tsv: the rows of q1")
    assert not recwarn.list


def test_progress_goes_through_all_files_and_can_end_it():
    seen = []
    files = (BLASTP, PHMMER)
    open_files(files, labels=CLASSES, progress=lambda *far: seen.append(far))
    sizes = len(BLASTP.data), len(PHMMER.data)
    assert seen[-1] == (sum(sizes), sum(sizes), 5)
    assert (sizes[0], sum(sizes), 3) in seen
    assert seen == sorted(seen)

    def stop(*_far):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_files(files, labels=CLASSES, progress=stop)


@pytest.mark.parametrize("blank", ["\u2028", "\u00a0", "\x1c", "\x85", " \u3000\t"])
def test_lines_of_any_blanks_are_no_rows(blank):
    text = blank.encode()
    assert kind_of([text]) is None
    assert kind_of([text, b"q1 d1 1", text, b"q1 d2 0"]) == "pairs"
    assert guess(Held("x.tsv", text + b"\n")).role in ROLES


LINES = st.lists(
    st.one_of(st.text("ab1.,#\t \u00a0\u2028\x1c", max_size=12).map(str.encode), st.binary()),
    max_size=5,
)


@given(LINES)
def test_any_first_lines_are_something(lines):
    assert kind_of(lines) in (None, "classes", "pairs", "gold", "totals", "queries")
    assert guess(Held("x.tsv", b"\n".join(lines))).role in ROLES


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that no one can read")
def test_a_file_that_fails_when_it_is_read_is_named():
    with pytest.raises(ReadError, match="/proc/self/mem: cannot be read"):
        open_files(["/proc/self/mem"])
