"""What a file seems to be, and what files, in one piece or many, and words about them become."""

import gzip
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import RetrievalLists, load_results
from tapviz.cli import main
from tapviz.labels import ClassTable, Held, ReadError, kind_of
from tapviz.readers import FORMATS, ReadOptions, read, write_tap
from tapviz.readers._lines import Match
from tapviz.readers.inputs import ROLES, ResultFile, files_of, guess, open_files, with_roles
from tapviz.readers.merging import merged, query_of
from tests.hits import GOLDEN, m8, same
from tests.refused import error_of, refuses

CLASSES = Held("classes.tsv", b"q1\ta.1.1\nq2\ta.1.1\nr1\ta.1.1\nr2\tb.1.1\n")


def blast(name, *rows):
    return Held(name, "".join(m8(*row) for row in rows).encode())


BLASTP = blast("blastp.tsv", ("q1", "r1", "1e-9"), ("q1", "r2", "0.5"), ("q2", "r2", "2"))
PHMMER = blast("phmmer.out.tsv", ("q1", "r1", "1e-7"), ("q1", "x", "3"))


KINDS = [
    ("# id\nd1\ta.1.1.2\n\nd2\tb.1.1.1\n", "classes"),
    ("12\ta.1.1.2\n13\tb.1.1.1\n", "classes"),  # ids may be numbers
    ("d1\t1.10.8.10\nd2\t1.10.8.20\n", "classes"),  # as CATH writes them
    ("d1\tfamily\tsuper family\tfold\nd2\tf2\ts2\tfold\n", "classes"),
    ("d1\tglobin\nd2\tkinase\n", "classes"),
    ("d1,a.1.1.2\nd2,b.1.1.1\n", "classes"),
    ("id,class\nd1,a.1.1.2\nd2,b.1.1.1\n", "classes"),
    ('"id"\t"family"\t"fold"\n"d1"\t"f1"\t"x"\n', "classes"),
    ("id\tclass\nd1\t1\nd2\t2\n", "classes"),
    ("q1,d1,1e-9\nq1,d2,0.5\n", None),
    ("d1,a.1.1.2\nd2\tb.1.1.1\n", None),
    ("q1\tP1\nq1\tP2\nq2\tP1\n", "gold"),
    ("10.1016/j.x\tP1\n10.1016/j.y\tP2\tP3\n", None),
    ("10.1016/j.x\tP1\tP2\n10.1016/j.y\tP2\tP3\n", "gold"),
    ("10.1016/j.x\t1\n10.1016/j.y\t0\n", "gold"),
    ("q1 0 d1 1\nq1 0 d2 -1\n", "pairs"),
    ("q1\td1\t1\nq1\td2\t0\n", "pairs"),
    ("query\trecord\tgrade\nq1\td1\t1\n", "pairs"),
    ("query-id\tcorpus-id\tscore\nq1\td1\t1\n", "pairs"),  # as BEIR writes them
    ("qid,docid,rel\nq1,d1,1\n", "pairs"),
    ("query\ttarget\tscore\nq1\td1\t35\n", None),  # results
    ('"query","target","Score"\n"q1","d1",35\n', None),
    ("query target score\nq1 d1 35\n", None),
    ("q1 18\nq2 3\n", "totals"),
    ("q1\nq2\n", "queries"),
    ("q1\n18\n1\t1e-9\n0\t0.5\n", None),  # lists of TAP
    ("18\n3\n", None),
    ("0201\n0202\n0203\n", None),
    ("q1 0 d1 1 29.5 run\n", None),
    (m8("q1", "r1", "1e-9"), None),
    ("", None),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_kind_of_labels(text, kind):
    assert kind_of(text.encode().split(b"\n")) == kind


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - {"parquet"}))
def test_results_are_not_taken_for_labels(name):
    assert guess(Held("sample", FORMATS[name].sample.encode() + b"\n")).role == "results"


GOLDEN_FILES = [
    (GOLDEN / "bc" / "v04.int.gold", "gold"),
    (GOLDEN / "bc" / "v04.int.results", "results"),
    (GOLDEN / "trec" / "v04.qrels", "qrels"),
    (GOLDEN / "trec" / "v04.run", "results"),
    (GOLDEN / "peers" / "scop_lookup.tsv", "labels"),
    (GOLDEN / "tapk" / "v009.tsv", "results"),
]


@pytest.mark.parametrize(("file", "role"), GOLDEN_FILES)
def test_golden_files_are_recognised(file, role):
    assert guess(file).role == role
    assert guess(Held("packed", gzip.compress(file.read_bytes()))) == guess(file)


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
    hmmer = Path(GOLDEN, "formats/good/v_phmmer.tblout").read_bytes()
    assert "the comment '# --- full sequence ---- --- best 1 d" in guess(Held("p.tbl", hmmer)).words
    assert guess(CLASSES)[:2] == ("labels", "")
    assert guess(CLASSES).words.startswith("probably classes of records: an id, a tab and a class")
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
    (lists,) = open_files([PHMMER], labels=CLASSES, unlabelled="ignore").results.values()
    assert lists.join_report.unlabelled_ignored == 1
    assert lists.record.tolist() == ["r1"]


def test_names_are_never_opened(tmp_path):
    there = tmp_path / "there.tsv"
    there.write_bytes(BLASTP.data)
    with pytest.raises(ReadError) as caught:
        open_files([Held(str(there), m8("q1", "r1", "x").encode())], labels=CLASSES)
    (problem,) = caught.value.problems
    assert (problem.code, problem.file, problem.line) == ("NotANumber", str(there), 1)
    for role in ("labels", "query_labels", "qrels", "gold", "totals", "queries"):
        files = [("results", ResultFile(BLASTP)), ("labels", ResultFile(CLASSES))]
        files = [*(f for f in files if f[0] != role), (role, ResultFile(Held(str(there), b"")))]
        if role in ("qrels", "gold", "totals"):
            files = [f for f in files if f[0] != "labels"]
        refuses("found nothing", open_files, *with_roles(ReadOptions(), files), error=ReadError)


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ("blastp.tsv blastp.tsv", "blastp blastp.tsv"),
        ("blastp.v1.tsv blastp.v2.tsv.gz", "blastp.v1 blastp.v2"),
        ("blastp.v1 blastp.v2 phmmer.v3", "blastp.v1 blastp.v2 phmmer"),
        ("old/blastp.tsv new/blastp.m8", "old/blastp new/blastp"),
        ("a/hits/x.tsv b/hits/x.tsv", "a/hits/x.tsv b/hits/x.tsv"),
        ("bomb.tsv.gz bomb.tsv.bz2", "bomb.tsv.gz bomb.tsv.bz2"),
        ("blastp.tsv blastp=other.tsv", "blastp.tsv blastp"),
        ("mine=blastp.v1.tsv blastp.v2.tsv", "mine blastp"),
    ],
)
def test_programs_are_called_by_what_tells_their_files_apart(files, names):
    given = [one.rpartition("=") for one in files.split()]
    rows = ("q1", "r2", "1e-3")
    several = [ResultFile(blast(file, rows), algorithm=name or None) for name, _, file in given]
    assert list(open_files(several, labels=CLASSES).results) == names.split()


def test_tables_need_names():
    table = {"q1": {"r2": 1.0}}
    refuses("table was given more than once", open_files, [table, table], labels=CLASSES)


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
    refuses("give those of records, too", together, ("query_labels", CLASSES))
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

    error_of(open_files, files, labels=CLASSES, progress=stop, error=KeyboardInterrupt)


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
    refuses("/proc/self/mem: cannot be read", open_files, ["/proc/self/mem"], error=ReadError)


CLASS_OF = {"q1": "a.1.1.1", "q2": "b.1.1.1", "d1": "a.1.1.1", "d2": "b.1.1.1", "d3": "c.1.1.1"}
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
    table = "".join(f"{record}\t{name}\n" for record, name in CLASS_OF.items())
    (tmp_path / "classes.tsv").write_text(table)
    return tmp_path


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
    same(opened.results["mine"], read("all.tsv", labels="classes.tsv", queries=("q1", "q2")))


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
    (runs / "q2.m8").write_text(m8("q2", "d1"))
    for name, more in (("all.tsv", {}), ("q2.m8", {}), ("q1.m8", {"columns": "qseqid evalue"})):
        said = f"{name} has a column of queries already: leave query_from_name out"
        refuses(said, read, name, labels="classes.tsv", query_from_name=True, **more)


def test_each_seed_is_a_run_of_its_own(runs):
    for name in ("seed.1.tsv", "seed.2.tsv"):
        (runs / name).touch()
    assert [one.algorithm for one in files_of("a@=seed*")] == ["a@seed.1", "a@seed.2"]


def test_lists_of_several_files_are_joined(runs):
    whole = load_results("profiles")["RPS-BLAST"]
    half = np.arange(whole.n_queries) % 2 == 0
    for name, part in (("one", whole.subset(half)), ("two", whole.subset(~half))):
        write_tap(part, runs / name)
    found = open_files(files_of("mine=[ot][nw][eo]")).results["mine"]
    order = [*whole.query[half].tolist(), *whole.query[~half].tolist()]
    assert found.query.tolist() == order
    for query in order[::97]:
        a, b = found.row_of(query), whole.row_of(query)
        own = found.score[found.offset[a] : found.offset[a + 1]].tolist()
        assert own == whole.score[whole.offset[b] : whole.offset[b + 1]].tolist()
        assert found.n_relevant[a] == whole.n_relevant[b]


def test_what_does_not_belong_together_is_refused(runs, capsys):
    one = RetrievalLists([1.0], [True], [0, 1], [1], query=["q"])
    refuses("mine: query q has a list in two files", merged, "mine", [one, one])
    other = RetrievalLists([1.0], [True], [0, 1], [1], query=["r"], direction="descending")
    refuses("scores of some files ascend", merged, "mine", [one, other])
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
    refuses("line 1: expected an id and its class after >", ClassTable.read, path)


@pytest.mark.parametrize("ids", [b"0201\n0202\n0203\n", b"q1\n7\n8\n"])
def test_a_list_of_ids_is_not_taken_for_lists_of_tap(ids):
    assert "TAP" not in guess(Held("queries.txt", ids)).words
