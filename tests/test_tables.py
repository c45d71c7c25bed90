"""Tables with names of columns, in text and Parquet; lists that are written and read again."""

import io

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st
from pyarrow import parquet

from tapviz.files import limits
from tapviz.labels import ClassTable, Inline
from tapviz.lists import RetrievalLists
from tapviz.measures import pooled_roc_n, tap_curve, tap_k
from tapviz.readers import detect, read, read_all, write_parquet, write_tap
from tests.hits import LABELS, by_query, problems
from tests.refused import refuses
from tests.strategies import any_lists, examples, rebuilt

TABLE = """algorithm,query,record,score,relevant,n_relevant,weight,class
A,q1,r1,3.5,1,2,1.5,a.1
A,q1,"r,2",2,0,2,1.5,a.1
A,q1,left out,2.5,ignored,2,1.5,a.1
B,q1,r1,1,true,2,1.5,a.1
B,q2,r9,0.5,False,0,1,
B,q3,,,,7,1,
"""


@pytest.mark.usefixtures("way")
def test_a_table_of_several_algorithms(written):
    path = written(TABLE)
    found = read_all(path)
    assert list(found) == ["A", "B"]
    of_q1 = [("r1", 3.5, True), ("r,2", 2.0, False)]
    assert by_query(found["A"]) == {"q1": of_q1, "q2": [], "q3": []}
    assert by_query(found["B"]) == {"q1": [("r1", 1.0, True)], "q2": [("r9", 0.5, False)], "q3": []}
    for name, lists in found.items():
        assert (lists.n_relevant.tolist(), lists.weight.tolist()) == ([2, 0, 7], [1.5, 1, 1])
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
    with pytest.warns(UserWarning, match="1 row left out, the first in line 4"):
        assert problems(path, "how many are in the database")[0][0] == "LabelsNeeded"
    with pytest.warns(UserWarning, match="1 row left out, the first in line 4"):
        lists = read(path, labels=Inline({"q1": 5}))
    assert by_query(lists) == {"q1": [("r1", 1.0, True), ("r2", 2.0, False), ("r4", 3.0, True)]}
    assert lists.n_relevant.tolist() == [5]


BAD_ROWS = [
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
]


@pytest.mark.parametrize(("header", "row", "code"), BAD_ROWS)
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
    labels = None if "n_rel" in text else LABELS
    assert problems(written(text), format="table", labels=labels) == [expected]


@pytest.mark.usefixtures("way")
def test_a_tab_at_the_end_of_rows_alone_is_named(written):
    path, words = written("query\trecord\tevalue\nq1\tr1\t1\t\n"), "found 4, the last one empty"
    assert problems(path, words, labels=LABELS) == [("BadColumnCount", 2)]


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
    assert (lists.record.tolist(), lists.relevant.tolist()) == (['a "b"', "c"], [True, True])
    r = written('"query"\t"record"\t"evalue"\n"q1"\t"r1"\t2\n')
    assert read(r, labels=LABELS).record.tolist() == ["r1"]
    diamond = written('qseqid\tsseqid\tevalue\tbitscore\tpident\nq1\t"r1\t2\t3\t4\n')
    labels = ClassTable({"q1": "a.1.1", '"r1': "a.1.1"})
    assert read(diamond, labels=labels).record.tolist() == ['"r1']


def exactly(lists):
    """All numbers of lists, bit by bit."""
    names = ("score", "relevant", "offset", "n_relevant", "weight")
    arrays = [getattr(lists, name) for name in names]
    return (
        lists.query.tolist(),
        lists.direction,
        *(np.ascontiguousarray(a).tobytes() for a in arrays),
    )


def with_ids(lists):
    """The same lists with ids of records, classes and F(q)."""
    rows = range(lists.n_queries)
    record = [f"r{n}|x" for n in range(lists.score.size)]
    classes, others = [f"a.{n}" for n in rows], [90 + n for n in rows]
    return rebuilt(lists, record=record, query_class=classes, n_irrelevant=others)


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
    names = {"query": ["q1", "q2", "q3"], "record": ["r1", "", "r3"], "weight": [1, 1, 2.5]}
    lists = RetrievalLists([1e-9, 2, 0.5], [1, 0, 1], [0, 2, 2, 3], [3, 0, 1], **names)
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
    for ids in ({"query": [query]}, *([{"record": [f" {query}"]}] if query else [])):
        lists = RetrievalLists([1.0], [True], [0, 1], [1], **ids)
        refuses("rename it", write_tap, lists, tmp_path / "lists.tsv")


def test_several_algorithms_in_parquet(tmp_path):
    one = RetrievalLists([1.0, 2.0], [True, False], [0, 2, 2], [1, 4], query=["a", "b"])
    other = RetrievalLists([3.0], [True], [0, 0, 1], [1, 4], query=["a", "b"])
    path = tmp_path / "both"
    write_parquet({"one": one, "other": other}, path)
    assert detect(path)[:2] == ("parquet", "certain")
    found = read_all(path)
    assert list(found) == ["one", "other"]
    assert [*map(exactly, found.values())] == [exactly(one), exactly(other)]
    assert tap_curve(found["one"]).tap.tolist() == tap_curve(one).tap.tolist()
    falling = RetrievalLists([3.0], [True], [0, 1], [1], direction="descending")
    refuses("one direction", write_parquet, {"one": one, "falling": falling}, path)
    refuses("in the file it is 'ascending'", read, path, algorithm="one", direction="descending")


def test_parquet_of_others(tmp_path, written):
    path = tmp_path / "hits.parquet"
    columns = {"query": ["q1", "q1"], "target": ["r1", "r3"], "evalue": [1e-9, 2.0]}
    parquet.write_table(pa.table(columns), path)
    assert by_query(read(path, labels=LABELS)) == {"q1": [("r1", 1e-9, True), ("r3", 2.0, False)]}
    judged = {**columns, "relevant": [1, None], "n_relevant": [3, 3], "evalue": [1, 2]}
    parquet.write_table(pa.table(judged), path)
    with pytest.warns(UserWarning, match="1 row left out, the first in row 2"):
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
    columns = {"query": ["q1"] * rows, "target": ["r1"] * rows, "evalue": [1.0] * rows}
    parquet.write_table(pa.table(columns), path)
    assert path.stat().st_size < 10_000
    assert read(path, labels=LABELS).record.tolist() == ["r1"]
    monkeypatch.setattr(limits, "_present", limits.Limits(decoded_file=1 << 20))
    assert problems(path, labels=LABELS) == [("TooLarge", None)]
