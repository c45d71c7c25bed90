"""Class tables: who is relevant, what is left out, and T(q)."""

from __future__ import annotations

import gzip
import warnings

import numpy as np
import pytest

from tapviz.labels import ClassTable, Hits, ReadError
from tapviz.readers import read

# Two superfamilies of fold a.1, one of fold b.2.
CLASSES = {
    "q": "a.1.1.1",
    "same_family": "a.1.1.1",
    "same_superfamily": "a.1.1.2",
    "same_fold": "a.1.2.1",
    "other": "b.2.1.1",
}


def hits(*rows, queries=()):
    """Hits from rows (query, record, E-value[, bits])."""
    query = list(dict.fromkeys([*(row[0] for row in rows), *queries]))
    record = list(dict.fromkeys(row[1] for row in rows))
    return Hits(
        file="hits.tsv",
        query_id=query,
        record_id=record,
        query=np.array([query.index(row[0]) for row in rows], np.int64),
        record=np.array([record.index(row[1]) for row in rows], np.int64),
        score=np.array([row[2] for row in rows], np.float64),
        bits=np.array([row[3] if len(row) > 3 else 0 for row in rows], np.float64),
    )


def test_superfamily_is_relevant_same_fold_left_out_others_irrelevant():
    lists = ClassTable(CLASSES).lists(
        hits(
            ("q", "same_family", 1e-9),
            ("q", "same_fold", 1e-6),
            ("q", "same_superfamily", 1e-3),
            ("q", "other", 1.0),
        )
    )
    assert lists.record.tolist() == ["same_family", "same_superfamily", "other"]
    assert lists.relevant.tolist() == [True, True, False]
    assert lists.score.tolist() == [1e-9, 1e-3, 1.0]
    assert lists.direction == "ascending"
    assert lists.query_class.tolist() == ["a.1.1.1"]


def test_t_counts_the_table_not_the_hits_and_not_the_query():
    assert ClassTable(CLASSES).n_relevant(["q", "same_fold", "other"]).tolist() == [2, 0, 0]


def test_t_of_a_query_without_class():
    with pytest.raises(KeyError, match="nobody"):
        ClassTable(CLASSES).n_relevant(["nobody"])


def test_self_hit_is_dropped():
    lists = ClassTable(CLASSES).lists(hits(("q", "q", 0.0), ("q", "other", 1.0)))
    assert lists.record.tolist() == ["other"]


def test_queries_that_are_not_records_have_the_whole_superfamily_as_t():
    table = ClassTable(CLASSES, queries={"x": "a.1.1.9", "same_fold": "a.1.2.1"})
    lists = table.lists(hits(("x", "q", 1.0), ("x", "x", 0.0), ("same_fold", "q", 2.0)))
    assert lists.n_relevant.tolist() == [3, 0]  # a query that is a record all the same: minus it
    assert lists.record.tolist() == ["q"]
    assert lists.relevant.tolist() == [True]


def test_a_query_in_both_tables_with_different_classes():
    table = ClassTable(CLASSES, queries={"q": "b.2.1.1"})
    assert table.n_relevant(["q"]).tolist() == [1]  # `other`; q itself is not among b.2.1


def test_best_of_several_hits_on_a_record_is_kept():
    lists = ClassTable(CLASSES).lists(
        hits(("q", "other", 5.0, 9), ("q", "same_family", 2.0, 9), ("q", "other", 1.0, 1))
    )
    assert lists.record.tolist() == ["other", "same_family"]
    assert lists.score.tolist() == [1.0, 2.0]


def test_order_is_evalue_then_file():
    lists = ClassTable({"q": "a.1.1", "r1": "b.1.1", "r2": "b.1.1", "r3": "b.1.1"}).lists(
        hits(("q", "r1", 1.0, 20), ("q", "r2", 1.0, 30), ("q", "r3", 1.0, 20), ("q", "z", 0.5, 1))
    )
    assert lists.record.tolist() == ["z", "r1", "r2", "r3"]


def test_records_that_the_table_does_not_know_are_irrelevant():
    lists = ClassTable(CLASSES).lists(hits(("q", "stranger", 1.0), ("q", "other", 2.0)))
    assert lists.record.tolist() == ["stranger", "other"]
    assert lists.relevant.tolist() == [False, False]


def test_levels_can_be_chosen():
    found = hits(("q", "same_family", 1.0), ("q", "same_superfamily", 2.0), ("q", "same_fold", 3.0))
    family = ClassTable(CLASSES, relevant=4, ignored=3).lists(found)
    assert family.record.tolist() == ["same_family", "same_fold"]
    assert family.n_relevant.tolist() == [1]
    all_counted = ClassTable(CLASSES, relevant=3, ignored=0).lists(found)
    assert all_counted.relevant.tolist() == [True, True, False]


def test_queries_in_the_order_wanted_with_empty_lists():
    found = hits(("q", "other", 1.0), ("other", "q", 2.0))
    lists = ClassTable(CLASSES).lists(found, ["same_family", "q"])
    assert lists.query.tolist() == ["same_family", "q"]
    assert np.diff(lists.offset).tolist() == [0, 1]
    assert lists.n_relevant.tolist() == [2, 2]


def test_queries_without_class_are_left_out_with_a_warning():
    found = hits(("q", "other", 1.0), ("x", "other", 1.0), ("y", "q", 1.0), ("z", "q", 1.0))
    with pytest.warns(UserWarning, match=r"3 of 4 queries have no class .* left out: x, y, \.\.\."):
        lists = ClassTable(CLASSES).lists(found)
    assert lists.query.tolist() == ["q"]


@pytest.mark.parametrize("found", [hits(("x", "q", 1.0)), hits(("q", "sp|P1|X", 1.0))])
def test_no_common_id_is_an_error_with_samples_of_both_sides(found):
    with pytest.raises(ReadError) as caught:
        ClassTable(CLASSES).lists(found)
    (problem,) = caught.value.problems
    assert problem.code == "NoOverlap"
    assert "x" in problem.message or "sp|P1|X" in problem.message
    assert "q, same_family, ..." in problem.message


def test_agrees_with_a_slow_twin():
    rng = np.random.default_rng(7)
    names = [f"r{i}" for i in range(40)]
    classes = {name: f"a.{rng.integers(3)}.{rng.integers(3)}.1" for name in names[:35]}
    rows = [
        (names[rng.integers(20)], names[rng.integers(40)], float(rng.integers(6)), rng.integers(4))
        for _ in range(600)
    ]
    lists = ClassTable(classes).lists(hits(*rows))
    for q, query in enumerate(lists.query.tolist()):
        own = "".join(classes[query].split(".")[:3])
        fold = classes[query].split(".")[:2]
        expected = {}
        for name, record, evalue, _ in sorted(rows, key=lambda row: row[2]):
            theirs = classes.get(record, "?.?.?.?").split(".")
            if name != query or record == query or record in expected:
                continue
            relevant = "".join(theirs[:3]) == own
            if relevant or theirs[:2] != fold:
                expected[record] = (evalue, relevant)
        part = slice(lists.offset[q], lists.offset[q + 1])
        assert lists.record[part].tolist() == list(expected)
        assert lists.score[part].tolist() == [evalue for evalue, _ in expected.values()]
        assert lists.relevant[part].tolist() == [relevant for _, relevant in expected.values()]


# Files


def test_read_a_table(tmp_path):
    path = tmp_path / "classes.tsv"
    path.write_text("# id\tclass\nq\ta.1.1.1\n\nr\ta.1.1.2\r\n")
    table = ClassTable.read(path)
    assert table.records == {"q": "a.1.1.1", "r": "a.1.1.2"}
    assert table.class_of("q") == "a.1.1.1"
    assert table.class_of("nobody") is None


def test_read_a_gzipped_table_and_one_of_queries(tmp_path):
    path = tmp_path / "classes"  # known by its content, not by its name
    path.write_bytes(gzip.compress(b"r\ta.1.1.2\n"))
    queries = tmp_path / "queries.tsv"
    queries.write_text("x\ta.1.1.1\n")
    table = ClassTable.read(path, queries=queries)
    assert table.class_of("x") == "a.1.1.1"
    assert table.n_relevant(["x"]).tolist() == [1]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("q a.1.1.1\n", "BadColumnCount", 1),
        ("r\ta.1.1.1\nq\ta.1.1.1\tmore\n", "BadColumnCount", 2),
        ("\ta.1.1.1\n", "BadColumnCount", 1),
        ("r\ta.1.1.1\nq\ta.1\n", "BadClass", 2),
        ("q\ta..1.1\n", "BadClass", 1),
        ("q\ta.1.1.1\nr\ta.1.1\nq\ta.1.1.1\n", "DuplicateTarget", 3),
        ("# nothing\n", "EmptyInput", None),
        ("q\ta.1.1\0\n", "Encoding", None),
    ],
)
def test_a_bad_table_names_the_line(tmp_path, text, code, line):
    path = tmp_path / "classes.tsv"
    path.write_text(text)
    with pytest.raises(ReadError) as caught:
        ClassTable.read(path)
    first = caught.value.problems[0]
    assert (first.code, first.line, first.file) == (code, line, str(path))


def test_levels_that_make_no_sense():
    with pytest.raises(ValueError, match="relevant=2, ignored=3"):
        ClassTable(CLASSES, relevant=2, ignored=3)
    with pytest.raises(ValueError, match=r"same_fold: class 'a\.1': expected at least 3 levels"):
        ClassTable({"same_fold": "a.1"})


def test_a_table_of_one_level(tmp_path):
    path = tmp_path / "families.tsv"
    path.write_text("q\tglobin\nr\tglobin\ns\tkinase\n")
    with pytest.raises(ReadError, match="relevant=1, ignored=0"):
        ClassTable.read(path)
    table = ClassTable.read(path, relevant=1, ignored=0)
    lists = table.lists(hits(("q", "s", 1.0), ("q", "r", 2.0)))
    assert lists.relevant.tolist() == [False, True]


def test_at_most_ten_problems(tmp_path):
    path = tmp_path / "classes.tsv"
    path.write_text("wrong\n" * 30)
    with pytest.raises(ReadError) as caught:
        ClassTable.read(path)
    assert [problem.line for problem in caught.value.problems] == list(range(1, 11))
    assert len(str(caught.value).splitlines()) == 20  # message and text of each


def test_text_of_a_problem_is_short_and_printable(tmp_path):
    path = tmp_path / "classes.tsv"
    path.write_text("a\x1b[31m" + "b" * 200 + "\n")
    with pytest.raises(ReadError) as caught:
        ClassTable.read(path)
    text = caught.value.problems[0].text
    assert text.startswith(r"a\x1b[31mbbb")
    assert len(text) == 80


# A file that cannot be opened


def test_no_such_file_and_a_folder(tmp_path):
    for path, words in ((tmp_path / "none.tsv", "no such file"), (tmp_path, "folder")):
        with pytest.raises(ReadError, match=words) as caught:
            ClassTable.read(path)
        assert caught.value.problems[0].code == "NotFound"
        assert str(path) in str(caught.value)


def test_no_permission(tmp_path, monkeypatch):
    def refuse(_path):
        raise PermissionError

    monkeypatch.setattr("tapviz.labels.Path.read_bytes", refuse)  # root may read everything
    with pytest.raises(ReadError, match="no permission"):
        ClassTable.read(tmp_path / "classes.tsv")


def test_a_damaged_gzip_file(tmp_path):
    path = tmp_path / "classes.tsv.gz"
    path.write_bytes(gzip.compress(b"q\ta.1.1.1\n" * 1000)[:-20])
    with pytest.raises(ReadError, match="gzip data is cut off or damaged"):
        ClassTable.read(path)


def test_bytes_that_are_not_utf8_name_the_line(tmp_path):
    path = tmp_path / "classes.tsv"
    path.write_bytes(b"q\ta.1.1.1\nr\xff\ta.1.1.1\n")
    with pytest.raises(ReadError) as caught:
        ClassTable.read(path)
    assert (caught.value.problems[0].code, caught.value.problems[0].line) == ("Encoding", 2)


def test_a_byte_order_mark_is_no_part_of_an_id(tmp_path):
    path = tmp_path / "classes.tsv"
    path.write_bytes("\ufeffq\ta.1.1.1\n".encode())
    assert ClassTable.read(path).class_of("q") == "a.1.1.1"


def test_the_warning_names_the_caller(tmp_path):
    path = tmp_path / "hits.tsv"
    row = "{}\tr\t50\t9\t0\t0\t1\t9\t1\t9\t1e-3\t30\n"
    path.write_text(row.format("q") + row.format("x"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(path, labels=ClassTable({"q": "a.1.1", "r": "a.1.1"}))
    assert [warning.filename for warning in caught] == [__file__]


def test_n_irrelevant_counts_what_is_neither_relevant_nor_left_out():
    # Of 6 records: c is the query; a, b relevant to c (same superfamily), d of the same fold is
    # left out, e and f are irrelevant.
    table = ClassTable(
        {
            "a": "a.1.1.1",
            "b": "a.1.1.2",
            "c": "a.1.1.1",
            "d": "a.1.2.1",
            "e": "a.2.1.1",
            "f": "b.1.1",
        }
    )
    found = table.lists(hits(("c", "a", 1e-9), ("c", "e", 1.0), ("d", "a", 2.0)))
    assert dict(zip(found.query, found.n_relevant, strict=True)) == {"c": 2, "d": 0}
    # To d, of superfamily a.1.2, nothing is relevant; a, b and c of its fold are left out.
    assert dict(zip(found.query, found.n_irrelevant, strict=True)) == {"c": 2, "d": 2}


def test_n_irrelevant_of_queries_outside_the_database():
    records = {"a": "a.1.1.1", "d": "a.1.2.1", "e": "a.2.1.1", "f": "b.1.1"}
    table = ClassTable(records, queries={"q": "a.1.1"})
    found = table.lists(hits(("q", "e", 1.0)))
    assert found.n_relevant.tolist() == [1]
    assert found.n_irrelevant.tolist() == [2]


def test_n_irrelevant_is_unknown_where_the_table_lacks_a_record():
    table = ClassTable({"a": "a.1.1.1", "q": "a.1.1.1"})
    assert table.lists(hits(("q", "stranger", 1.0), ("q", "a", 2.0))).n_irrelevant is None
