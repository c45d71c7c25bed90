"""Labels of each kind: who is relevant, what is left out, T(q) and F(q), and how they are read."""

import gzip

import numpy as np
import pytest

from tapviz.files import limits
from tapviz.files import source as files
from tapviz.labels import ClassTable, Held, Inline, JoinRules, Patterns, Qrels, ReadError, pair_id
from tapviz.readers import read
from tests.damaged import packed
from tests.hits import by_query, hits
from tests.refused import error_of, refuses
from tests.twins import GOLDEN, golden

# Two superfamilies of fold a.1, one of fold b.2.
CLASSES = {
    "q": "a.1.1.1",
    "same_family": "a.1.1.1",
    "same_superfamily": "a.1.1.2",
    "same_fold": "a.1.2.1",
    "other": "b.2.1.1",
}


def t_of(lists):
    """T(q) by the id of the query."""
    return dict(zip(lists.query.tolist(), lists.n_relevant.tolist(), strict=True))


def f_of(lists):
    """F(q) by the id of the query."""
    return dict(zip(lists.query.tolist(), lists.n_irrelevant.tolist(), strict=True))


def kept(lists):
    """Records and their relevance by the id of the query."""
    return {
        query: {record: relevant for record, _, relevant in rows}
        for query, rows in by_query(lists).items()
    }


TOTALS = [
    (None, ["q", "same_fold", "other"], [2, 0, 0]),  # of the table, without the query itself
    ({"q": "b.2.1.1"}, ["q"], [1]),  # `other`; q itself is not among b.2.1
]


@pytest.mark.parametrize(("queries", "asked", "totals"), TOTALS)
def test_t_counts_the_table_not_the_hits_and_not_the_query(queries, asked, totals):
    assert ClassTable(CLASSES, queries).n_relevant(asked).tolist() == totals
    refuses("nobody", ClassTable(CLASSES, queries).n_relevant, ["nobody"], error=KeyError)


ORDERS = [
    # The superfamily is relevant (*), the rest of the fold left out.
    (
        "same_family 1e-9, same_fold 1e-6, same_superfamily 1e-3, other 1",
        "same_family* same_superfamily* other",
    ),
    ("q 0, other 1", "other"),  # not itself
    # The best of several hits on a record.
    ("other 5, same_family 2, other 1", "other same_family*"),
    # By E-value, and then as in the file; what the table does not know is irrelevant.
    ("r1 1, other 1, r3 1, z 0.5", "z r1 other r3"),
]


@pytest.mark.parametrize(("found", "records"), ORDERS)
def test_which_records_are_kept_and_in_which_order(found, records):
    rows = [(record, float(e)) for record, e in map(str.split, found.split(", "))]
    lists = ClassTable(CLASSES).lists(hits(*(("q", *row) for row in rows)))
    of_q = kept(lists)["q"]
    assert " ".join(record + "*" * relevant for record, relevant in of_q.items()) == records
    assert lists.score.tolist() == [min(e for r, e in rows if r == record) for record in of_q]
    assert (lists.direction, lists.query_class.tolist()) == ("ascending", ["a.1.1.1"])


def test_queries_that_are_not_records_have_the_whole_superfamily_as_t():
    table = ClassTable(CLASSES, queries={"x": "a.1.1.9", "same_fold": "a.1.2.1"})
    lists = table.lists(hits(("x", "q", 1.0), ("x", "x", 0.0), ("same_fold", "q", 2.0)))
    assert lists.n_relevant.tolist() == [3, 0]  # a query that is a record all the same: minus it
    assert kept(lists) == {"x": {"q": True}, "same_fold": {}}


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


FOUR = hits(("q", "other", 1.0), ("x", "other", 1.0), ("y", "q", 1.0), ("z", "q", 1.0))


WITHOUT_LABEL = [
    (ClassTable(CLASSES), FOUR, r"3 of 4 queries have no label .* left out: x, y, \.\.\."),
    (
        Patterns("^fam[0-9]", ["fam1_a", "fam2_a"]),
        hits(("fam1_b", "fam1_a", 1), ("Q", "fam1_a", 1)),
        "1 of 2 queries has no label and is left out: Q",
    ),
    (
        Inline({"q": 3}),
        hits(("q", "a", 1), ("r", "a", 4), relevant=[True, True]),
        "1 of 2 queries has no label",
    ),
]


@pytest.mark.parametrize(("labels", "found", "words"), WITHOUT_LABEL)
def test_queries_without_label_are_left_out_with_a_warning(labels, found, words):
    with pytest.warns(UserWarning, match=words):
        lists = labels.lists(found)
    assert lists.query.tolist() == found.query_id[:1]


def test_n_irrelevant_counts_what_is_neither_relevant_nor_left_out():
    # Of 6 records: c is the query; a, b relevant to c (same superfamily), d of the same fold is
    # left out, e and f are irrelevant.
    classes = ("a.1.1.1", "a.1.1.2", "a.1.1.1", "a.1.2.1", "a.2.1.1", "b.1.1")
    table = ClassTable(dict(zip("abcdef", classes, strict=True)))
    found = table.lists(hits(("c", "a", 1e-9), ("c", "e", 1.0), ("d", "a", 2.0)))
    # To d, of superfamily a.1.2, nothing is relevant; a, b and c of its fold are left out.
    assert (t_of(found), f_of(found)) == ({"c": 2, "d": 0}, {"c": 2, "d": 2})
    outside = ClassTable({name: table.records[name] for name in "adef"}, queries={"q": "a.1.1"})
    found = outside.lists(hits(("q", "e", 1.0)))
    assert (t_of(found), f_of(found)) == ({"q": 1}, {"q": 2})
    unknown = ClassTable({"a": "a.1.1.1", "q": "a.1.1.1"})
    assert unknown.lists(hits(("q", "stranger", 1.0), ("q", "a", 2.0))).n_irrelevant is None


DOMAINS = {
    "q": ("a.1.1.1", "b.2.1.1"),
    "by_first": "a.1.1.2",
    "by_second": ("c.1.1.1", "b.2.1.3"),
    "by_both": ("a.1.1.9", "b.2.1.9"),
    "fold_of_second": "b.2.9.1",
    "fold_and_family": ("b.2.9.1", "a.1.1.1"),
    "other": ("c.1.1.1", "d.1.1.1"),
    "single": "c.1.1.4",
}


def test_one_shared_class_is_enough():
    found = hits(*(("q", record, at) for at, record in enumerate(DOMAINS, 1)))
    lists = ClassTable(DOMAINS).lists(found)
    # The last is relevant by one class, left out by the other.
    relevant = ("by_first", "by_second", "by_both", "fold_and_family")
    assert kept(lists)["q"] == dict.fromkeys(relevant, True) | {"other": False, "single": False}
    assert t_of(lists) == {"q": 4}  # by_both counts once
    assert f_of(lists) == {"q": 2}
    assert lists.query_class.tolist() == ["a.1.1.1, b.2.1.1"]


def test_a_query_with_one_class_and_records_with_several():
    found = hits(*(("single", record, at) for at, record in enumerate(DOMAINS, 1)))
    lists = ClassTable(DOMAINS).lists(found)
    found = [record for record, relevant in kept(lists)["single"].items() if relevant]
    assert found == ["by_second", "other"]
    assert t_of(lists) == {"single": 2}


def test_two_classes_of_one_superfamily_are_one():
    table = ClassTable({"q": ("a.1.1.1", "a.1.1.2"), "r": ("a.1.1.3", "a.1.1.4"), "s": "b.1.1"})
    lists = table.lists(hits(("q", "r", 1.0), ("q", "s", 2.0)))
    assert t_of(lists) == f_of(lists) == {"q": 1}


def test_an_id_in_several_rows_has_several_classes():
    table = ClassTable.read(Held("domains", b"q\ta.1.1.1\nr\tb.2.1.1\nq\tb.2.1.1\n"))
    assert table.records == {"q": ("a.1.1.1", "b.2.1.1"), "r": "b.2.1.1"}
    assert table.n_relevant(["q"]).tolist() == [1]
    assert table.class_of("q") == "a.1.1.1, b.2.1.1"


class Counted(tuple):
    """Classes that count themselves whenever they are hashed, which goes through all of them."""

    __slots__ = ()
    n_hashed = 0

    def __hash__(self):
        Counted.n_hashed += len(self)
        return super().__hash__()


def hashed(n_classes):
    """Classes that are hashed to judge by a table whose ids have so many each."""
    records = {
        name: Counted(f"{name}.{at}.1" if at else "a.1.1" for at in range(n_classes))
        for name in ("q", "r", "s")
    }
    Counted.n_hashed = 0
    assert t_of(ClassTable(records).lists(hits(("q", "r", 1.0)))) == {"q": 2}
    assert Counted.n_hashed > 0
    return Counted.n_hashed


def test_twice_the_classes_of_an_id_are_twice_the_work():
    assert hashed(200) == 2 * hashed(100)


def test_too_many_classes_of_an_id_are_refused():
    many = tuple(f"a.{at}.1" for at in range(201))
    with pytest.raises(ValueError, match=r"^r: expected at most 200 classes of an id; leave some"):
        ClassTable({"q": "a.1.1", "r": many})
    ClassTable({"q": "a.1.1", "r": many[:200]})
    headers = f">q a.1.1\nACD\n>r {','.join(many)}\nACD\n"
    columns = "#\nq\ta\ta\ta\n" + "".join(f"r\t{at}\ta\ta\n" for at in range(201))
    words = "r: expected at most 200 classes of an id"
    assert wrong_in(ClassTable.read, headers, words) == [("TooManyClasses", 3)]
    assert wrong_in(ClassTable.read, columns, words) == [("TooManyClasses", 203)]


def test_ids_that_become_equal_may_have_too_many_classes_together():
    halves = {name: tuple(f"a.{at}.{name}" for at in range(101)) for name in ("r", "R")}
    table = ClassTable({"q": "a.1.r"} | halves, rules=JoinRules(normalise=("case",)))
    with pytest.raises(ReadError, match=r"hits\.tsv: r: expected at most 200 classes of an id"):
        table.lists(hits(("q", "r", 1.0)))


def test_levels_in_columns_from_the_lowest():
    held = Held(
        "classes.tsv",
        b"# id\tfamily\tsuperfamily\tfold\n"
        b"q\tkinase\tKinases\tKinase-like\n"
        b"family\tkinase\tKinases\tKinase-like\n"
        b"superfamily\talpha\tKinases\tKinase-like\n"
        b"fold\tbeta\tOthers\tKinase-like\n"
        b"same_name\tkinase\tOthers\tGlobin-like\n",
    )
    records = ["family", "superfamily", "fold", "same_name"]
    found = hits(*(("q", record, at) for at, record in enumerate(records)))
    by_family = ClassTable.read(held).lists(found)
    # The superfamily is left out, the fold only is not; a family of another fold is another one.
    assert kept(by_family) == {"q": {"family": True, "fold": False, "same_name": False}}
    assert by_family.query_class.tolist() == ["Kinase-like.Kinases.kinase"]
    by_superfamily = ClassTable.read(held, relevant=2, ignored=1).lists(found)
    assert kept(by_superfamily) == {"q": {"family": True, "superfamily": True, "same_name": False}}
    assert t_of(by_superfamily) == {"q": 2}


def test_full_stops_in_columns_separate_no_levels():
    text = b"q\ta.1.1\ta.1\nr\ta.1.1\ta.1\ns\ta.1.2\ta.1\nt\ta.2.1\ta.2\n"
    table = ClassTable.read(Held("classes.tsv", text), relevant=2, ignored=1)
    lists = table.lists(hits(("q", "r", 1), ("q", "s", 2), ("q", "t", 3)))
    assert kept(lists) == {"q": {"r": True, "t": False}}
    assert lists.query_class.tolist() == ["a.1 / a.1.1"]
    table = ClassTable({"q": "PF1.2", "r": "PF1.3", "s": "PF1.2"}, None, 1, 0, separator="/")
    assert table.n_relevant(["q"]).tolist() == [1]


def wrong_in(read, text, words=None, **options):
    """Code and line of each problem of a file of labels."""
    held = Held("labels", text if isinstance(text, bytes) else text.encode())
    caught = refuses(words, read, held, error=ReadError, **options)
    assert {problem.file for problem in caught.problems} == {"labels"}
    return [(problem.code, problem.line) for problem in caught.problems]


TABLES = [
    (b"# id\tclass\nq\ta.1.1.1\n\nr\ta.1.1.2\r\n", {"q": "a.1.1.1", "r": "a.1.1.2"}),
    (b"id\tclass\nq\ta.1.1.1\nr\ta.1.1.2\n", {"q": "a.1.1.1", "r": "a.1.1.2"}),
    (b"q,a.1.1.1\nr,a.1.1.2\n", {"q": "a.1.1.1", "r": "a.1.1.2"}),
    (b'"Protein","Family"\n"q,1","a.1.1.x, y"\n', {"q,1": "a.1.1.x, y"}),
    (b"q\ta.1.1.1,x\n", {"q": "a.1.1.1,x"}),
    (b"class\ta.1.1.1\nid\ta.1.1.2\n", {"class": "a.1.1.1", "id": "a.1.1.2"}),
    ("\ufeffq\ta.1.1.1\n".encode(), {"q": "a.1.1.1"}),  # a byte order mark is in no id
    # Known by its content, not its name.
    (gzip.compress(b"r\ta.1.1.2\n", mtime=0), {"r": "a.1.1.2"}),
]


@pytest.mark.parametrize(("text", "records"), TABLES)
def test_read_a_table(text, records):
    table = ClassTable.read(Held("classes", text), queries=Held("queries", b"x\ta.1.1.1\n"))
    assert table.records == records
    assert table.class_of("x") == "a.1.1.1"
    assert table.class_of("nobody") is None
    assert table.n_relevant(["x"]).tolist() == [len(records)]


TEN = range(1, 11)
"""At most so many problems are told."""


BAD_FILES = [
    (ClassTable.read, "q a.1.1.1\n", "BadColumnCount", [1]),
    (ClassTable.read, "r\ta.1.1.1\nq\ta.1.1.1\tmore\n", "BadColumnCount", [2]),
    (ClassTable.read, "\ta.1.1.1\n", "BadColumnCount", [1]),
    (ClassTable.read, "\ta.1\n", "BadColumnCount", [1]),
    (ClassTable.read, "r\ta.1.1.1\nq\ta.1\n", "BadClass", [2]),
    (ClassTable.read, "q\ta..1.1\n", "BadClass", [1]),
    (ClassTable.read, "r\ta.1.1.1\nq\ta.1.1.1,b.1.1.1\n", "BadClass", [2]),
    (ClassTable.read, "r\ta.1.1.1\nq\ta.1.1.1; b.1.1.1\n", "BadClass", [2]),
    (ClassTable.read, "q\ta.1.1.1\nr\ta.1.1\nq\ta.1.1.1\n", "DuplicateTarget", [3]),
    (ClassTable.read, "# nothing\n", "EmptyInput", [None]),
    (ClassTable.read, "q\ta.1.1\0\n", "Encoding", [None]),
    (ClassTable.read, b"q\ta.1.1.1\nr\xff\ta.1.1.1\n", "Encoding", [2]),
    (ClassTable.read, "wrong\n" * 30, "BadColumnCount", TEN),
    (Qrels.read, "q1 a\n", "BadColumnCount", [1]),
    (Qrels.read, "q1 a 1\nq1 0 b 1\n", "BadColumnCount", [2]),
    (Qrels.read, "q1 a 1\nq1 b 1.5\nq1 c x\n", "BadRelevance", [2, 3]),
    (Qrels.read, f"q1 a {'9' * 900}\n", "BadRelevance", [1]),
    (Qrels.read, f"q1 a {'9' * 5000}\n", "CellTooLong", [1]),
    (Qrels.read, "q1 0 a 1\nq1 0 b 1\nq1 0 a 0\n", "DuplicateTarget", [3]),
    (Qrels.read, "\n# nothing\n", "EmptyInput", [None]),
    (Qrels.read, "wrong\n" * 30, "BadColumnCount", TEN),
    (Qrels.read, "q1 a x\n" * 30, "BadRelevance", TEN),
    (Qrels.read, "query-id,corpus-id,score\nq1,a,1\nq1,b,x\n", "BadRelevance", [3]),
    (Qrels.read, "query record grade\n", "EmptyInput", [None]),
    (Inline.read, "q\n", "BadColumnCount", [1]),
    (Inline.read, "q 1\nr -1\ns 1.5\n", "BadRelevantCount", [2, 3]),
    (Inline.read, "q 1\nq 1\n", "DuplicateQuery", [2]),
    (Inline.read, "", "EmptyInput", [None]),
    (Inline.read, "q\n" * 30, "BadColumnCount", TEN),
]


@pytest.mark.parametrize(("reader", "text", "code", "lines"), BAD_FILES)
def test_a_bad_file_of_labels_names_the_lines(reader, text, code, lines):
    assert wrong_in(reader, text) == [(code, line) for line in lines]


def test_classes_with_a_tab_at_the_end_of_each_row():
    text = "q\ta.1.1.1\t\nr\ta.1.1.1\t\n"
    found = wrong_in(ClassTable.read, text, "if each row ends in a tab, remove it")
    assert found == [("BadClass", 1), ("BadClass", 2)]


@pytest.mark.parametrize("read", [ClassTable.read, Qrels.read, Inline.read])
def test_labels_separated_by_semicolons(read):
    text = "sep=;\nq;a.1.1.1;1\n"
    found = wrong_in(read, text, "seem to be separated by semicolons: write tabs")
    assert found == [("BadColumnCount", line) for line in (1, 2)]


def test_levels_that_make_no_sense():
    refuses("relevant 2, ignored 3", ClassTable, CLASSES, relevant=2, ignored=3)
    with pytest.raises(ValueError, match=r"same_fold: class 'a\.1': expected at least 3 levels"):
        ClassTable({"same_fold": "a.1"})


def test_a_table_of_one_level():
    text = b"id\tclass\nq\tglobin\nr\tglobin\ns\tkinase\n"
    wrong_in(ClassTable.read, text, "relevant=1, ignored=0")
    table = ClassTable.read(Held("families", text), relevant=1, ignored=0)
    assert list(table.records) == ["q", "r", "s"]
    assert table.lists(hits(("q", "s", 1.0), ("q", "r", 2.0))).relevant.tolist() == [False, True]


def test_the_text_of_problems_is_short_and_printable():
    with pytest.raises(ReadError) as caught:
        ClassTable.read(Held("classes", b"wrong\n" * 30))
    assert str(caught.value).splitlines()[1:] == [
        *("    wrong", "    The same in lines 2, 3, 4, 5, 6, 7, 8, 9, 10, and perhaps in others"),
    ]
    with pytest.raises(ReadError) as caught:
        ClassTable.read(Held("classes", b"a\x1b[31m" + b"b" * 200 + b"\n"))
    text = caught.value.problems[0].text
    assert text.startswith(r"a\x1b[31mbbb")
    assert len(text) == 80


def test_no_such_file_and_a_folder(tmp_path):
    for path, words in ((tmp_path / "none.tsv", "no such file"), (tmp_path, "folder")):
        caught = refuses(words, ClassTable.read, path, error=ReadError)
        assert caught.problems[0].code == "NotFound"
        assert str(path) in str(caught)


def test_no_permission(tmp_path, monkeypatch):
    (tmp_path / "classes.tsv").touch()

    def refuse(*_args, **_options):
        raise PermissionError

    monkeypatch.setattr("tapviz.files.source.Path.open", refuse)  # root may read everything
    refuses("no permission", ClassTable.read, tmp_path / "classes.tsv", error=ReadError)


def test_a_damaged_gzip_file():
    damaged = gzip.compress(b"q\ta.1.1.1\n" * 1000)[:-20]
    wrong_in(ClassTable.read, damaged, "gzip data is cut off or damaged")


@pytest.mark.parametrize("codec", ["gzip", "zstd", "bz2"])
def test_packed_labels_within_the_limits_of_all_files(monkeypatch, codec):
    assert ClassTable.read(Held("a", packed(codec, b"r\ta.1.1.2\n"))).records == {"r": "a.1.1.2"}
    assert Qrels.read(Held("b", packed(codec, b"q1 a 1\n"))).grades == {"q1": {"a": 1}}
    monkeypatch.setattr(files, "RATIO_FROM", 1 << 16)
    text = packed(codec, b"q1 5\n" * (1 << 19))  # made hundreds of times smaller
    for reader in (ClassTable.read, Qrels.read, Qrels.read_gold, Inline.read):
        ((code, _),) = wrong_in(reader, text, "unpacks to more than is read")
        assert code == "TooLarge"


@pytest.mark.parametrize("first", ["d0000\ta.1.1.1\n", " d0000\ta.1.1.1\n", "# id\tclass\n"])
def test_classes_take_the_same_memory_however_they_are_written(monkeypatch, first):
    monkeypatch.setattr(limits, "_present", limits.Limits(decoded_file=1_000_000))
    rows = [f"d{number:04}\ta.1.1.1\n" for number in range(1, 3001)]
    held = Held("classes.tsv", "".join([first, *rows[:2000]]).encode())
    assert len(ClassTable.read(held).records) in {2000, 2001}
    text = "".join([first, *rows])
    ((_, line),) = wrong_in(ClassTable.read, text, "takes more than 1 MB of memory")
    assert 2000 < line < 3001
    # Bad rows of a file too large to hold are told first.
    text = gzip.compress(b"ab\n" * 300_000)
    assert wrong_in(ClassTable.read, text) == [("BadColumnCount", line) for line in TEN]


def test_a_file_in_memory_is_read_and_its_name_never_opened(tmp_path):
    path = tmp_path / "classes.tsv"
    path.write_text("from\tb.1.1\n")
    held = Held(str(path), b"r\ta.1.1\n")
    assert ClassTable.read(held).records == {"r": "a.1.1"}
    assert ClassTable.read(path, queries=held).queries == {"r": "a.1.1"}
    with pytest.raises(ReadError, match="expected at least 3 levels") as caught:
        ClassTable.read(Held("../../etc/passwd", b"r\ta.1.1\ns\ta\n"))
    assert [(p.file, p.line) for p in caught.value.problems] == [("../../etc/passwd", 2)]


def test_the_warning_names_the_caller():
    row = "{}\tr\t50\t9\t0\t0\t1\t9\t1\t9\t1e-3\t30\n"
    held = Held("hits.tsv", (row.format("q") + row.format("x")).encode())
    with pytest.warns(UserWarning, match="no label") as of_reading:
        read(held, labels=ClassTable({"q": "a.1.1", "r": "a.1.1"}))
    with pytest.warns(UserWarning, match="no label") as of_labels:
        ClassTable(CLASSES).lists(FOUR)
    assert [warning.filename for warning in [*of_reading, *of_labels]] == [__file__, __file__]


GRADED = JoinRules(unlabelled="ignore")
GRADES = {"q1": {"a": 2, "b": 1, "c": 0, "d": -1}, "q2": {"a": 1}, "q3": {"c": 0}}
RUN = hits(
    *(("q1", record, 9.0 - at) for at, record in enumerate("abcde")),
    ("q2", "b", 4.0),
    direction="descending",
)


JUDGED = [
    (Qrels(GRADES), "ab", "abcde", "b", [2, 1, 0], None),  # q1's grade of b is not q2's
    (Qrels(GRADES, min_rel=2), "a", "abcde", "b", [1, 0, 0], None),
    # Only graded records count.
    (Qrels(GRADES, rules=GRADED), "ab", "abcd", "", [2, 1, 0], [2, 0, 1]),
]


@pytest.mark.parametrize(("labels", "relevant", "of_q1", "of_q2", "totals", "irrelevant"), JUDGED)
def test_grades_of_pairs(labels, relevant, of_q1, of_q2, totals, irrelevant):
    lists = labels.lists(RUN)
    first = {record: record in relevant for record in of_q1}
    assert kept(lists) == {"q1": first, "q2": dict.fromkeys(of_q2, False), "q3": {}}
    assert lists.n_relevant.tolist() == totals
    assert (None if lists.n_irrelevant is None else lists.n_irrelevant.tolist()) == irrelevant
    assert (lists.direction, lists.query_class) == ("descending", None)
    refuses("min_rel=0: expected 1 or more", Qrels, GRADES, min_rel=0)


def test_queries_of_pairs_without_hits_can_be_left_out():
    labels = Qrels(GRADES, rules=JoinRules(label_queries=False))
    assert labels.lists(RUN).query.tolist() == ["q1", "q2"]
    assert Qrels(GRADES).lists(RUN, ["q3", "q1"]).query.tolist() == ["q3", "q1"]


def test_a_pair_of_the_query_itself():
    labels = {"a": {"a": 1, "b": 1}}
    found = hits(("a", "a", 1.0), ("a", "b", 2.0))
    assert t_of(Qrels(labels).lists(found)) == {"a": 1}
    both = Qrels(labels, rules=JoinRules(self_hits="keep")).lists(found)
    assert kept(both) == {"a": {"a": True, "b": True}}
    assert t_of(both) == {"a": 2}


PAIRS = [
    b"q1 a 2\nq1 b -1\n\nq2 a 1\n",
    b"# comment\nq1\ta\t2\nq1\tb\t-1\nq2\ta\t+1\n",
    b"q1 0 a 2\nq1 0 b -1\nq2 Q0 a 1\n",
    b"query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t-1\nq2\ta\t1\n",
    b'"query","doc_id","relevance"\r\n"q1","a","2"\r\n"q1","b","-1"\r\n"q2","a","1"\r\n',
    b"q1, a, 2\nq1, b, -1\nq2, a, 1\n",
    b"# grades\nqid iteration docno rel\nq1 0 a 2\nq1 0 b -1\nq2 0 a 1\n",
]


@pytest.mark.parametrize("text", PAIRS)
def test_read_pairs_of_three_and_four_columns(text):
    assert Qrels.read(Held("qrels", text)).grades == {"q1": {"a": 2, "b": -1}, "q2": {"a": 1}}
    assert Qrels.read(Held("qrels", text), min_rel=2).min_rel == 2


def test_commas_in_ids_of_pairs_between_blanks_separate_nothing():
    text = b"q,1 0 a,b,c 2\nq,1 0 b,b,c 1\n"
    assert Qrels.read(Held("qrels", text)).grades == {"q,1": {"a,b,c": 2, "b,b,c": 1}}


BAD = golden("formats/manifest.json")["bad"]
BAD_QRELS = [case for case in BAD if case["format"] == "trec-qrels"]


@pytest.mark.parametrize("case", BAD_QRELS, ids=lambda case: case["file"])
def test_bad_qrels(case):
    path = GOLDEN / "formats" / "bad" / case["file"]
    if case["file"] == "v_trec_3cols.qrels":  # bad to TREC, but a table of pairs to us
        assert Qrels.read(path).grades == {"q1": {"d1": 1}}
        path = Held("mixed", b"q1 0 d0 1\n" + path.read_bytes())
        case = case | {"line": 2}
    (problem,) = error_of(Qrels.read, path, error=ReadError).problems
    assert (problem.code, problem.line) == (case["error"], case["line"])


GOLD_SETS = [
    (b"doc1\tP1\ndoc1\tP2\ndoc2\tP1\n", {"doc1": {"P1": 1, "P2": 1}, "doc2": {"P1": 1}}),
    (
        b"doc1\tP2\tP1\ndoc2\tP1\tP1\n",
        {"doc1": {pair_id("P1", "P2"): 1}, "doc2": {pair_id("P1", "P1"): 1}},
    ),
    (
        b"doc1\t1\ndoc2\t0\ndoc3\t+\ndoc4\tFalse\n",
        {"ACT": {"doc1": 1, "doc2": 0, "doc3": 1, "doc4": 0}},
    ),
]


@pytest.mark.parametrize(("text", "grades"), GOLD_SETS)
def test_gold_sets_of_items_pairs_and_classes(text, grades):
    assert Qrels.read_gold(Held("gold", text)).grades == grades


def test_bad_gold_sets():
    assert pair_id("P1", "P2") == pair_id("P2", "P1")
    wrong_in(Qrels.read, "q1\ta\n", "gold sets, which have no grades, are given as gold")
    wrong_in(Qrels.read_gold, "doc1\tP1\tP2\ndoc1\tP2\tP1\n", "also in line 1")  # the same pair


def test_a_family_is_what_the_expression_finds_in_both_ids():
    labels = Patterns(r"^([a-z]+)_", ["fam_1", "fam_2", "fam_3", "other_1"])
    lists = labels.lists(hits(("fam_1", "fam_2", 1), ("fam_1", "other_1", 2), ("fam_1", "X", 3)))
    assert kept(lists) == {"fam_1": {"fam_2": True, "other_1": False, "X": False}}
    assert t_of(lists) == {"fam_1": 2}
    assert lists.query_class.tolist() == ["fam"]


def test_only_decoys_are_irrelevant_to_families_named_as_queries():
    database = iter(["globin/1", "globin/2", "kinase/1"])  # the decoys are not in the list
    labels = Patterns("[^/]+", database, JoinRules(decoys=r"^decoy[0-9]+"))
    found = hits(
        ("globin", "globin/2", 1),
        ("globin", "decoy7", 2),
        ("globin", "kinase/1", 3),
        ("globin", "stranger", 4),
        ("kinase", "decoy7", 5),
    )
    for _ in range(2):  # the ids of the database can be gone through again
        lists = labels.lists(found)
        globin = {"globin/2": True, "decoy7": False}
        assert kept(lists) == {"globin": globin, "kinase": {"decoy7": False}}
        assert t_of(lists) == {"globin": 2, "kinase": 1}
        assert lists.n_irrelevant is None


def test_families_of_normalised_ids():
    labels = Patterns("^[^_]+", ["sp|FAM_1|X", "fam_2"], JoinRules(normalise=("accession", "case")))
    lists = labels.lists(hits(("tr|Fam_3|Y", "FAM_1", 1), ("tr|Fam_3|Y", "Fam_2", 2)))
    assert kept(lists) == {"fam_3": {"fam_1": True, "fam_2": True}}
    assert lists.join_report.collisions == 0


INSIDE = hits(
    ("q", "a", 1), ("q", "b", 2), ("q", "b", 3), ("r", "a", 4), relevant=[True, False, False, True]
)


def test_labels_inside_with_a_table_of_t():
    lists = Inline({"q": 3, "r": 1, "s": 2}).lists(INSIDE)
    assert kept(lists) == {"q": {"a": True, "b": False}, "r": {"a": True}, "s": {}}
    assert t_of(lists) == {"q": 3, "r": 1, "s": 2}
    assert lists.n_irrelevant is None
    assert Inline({"q": 3, "r": 1, "s": 2}).lists(INSIDE, ["q"]).query.tolist() == ["q"]


def test_t_from_what_was_found_only_when_asked_and_with_a_warning():
    with pytest.warns(UserWarning, match="how many were missed is not known"):
        lists = Inline("retrieved").lists(INSIDE, ["q", "r", "t"])
    assert t_of(lists) == {"q": 1, "r": 1, "t": 0}
    error_of(Inline, error=TypeError)
    refuses("n_relevant='found'", Inline, "found")
    refuses("query q has -1", Inline, {"q": -1})


CONTRADICTIONS = [
    (Inline({"q": 1}), hits(("q", "a", 1)), "LabelsNeeded", "does not mark records"),
    (Inline({"q": 0, "r": 1}), INSIDE, "TooManyRelevant", "query q: 1 of its records"),
    (
        Inline({"q": 1}),
        hits(("q", "a", 1), ("q", "b", 2), ("q", "a", 3), relevant=[True, True, False]),
        "BadRelevance",
        "a is, for query q, relevant in one row and irrelevant in another",
    ),
]


@pytest.mark.parametrize(("labels", "found", "code", "words"), CONTRADICTIONS)
def test_labels_inside_that_contradict(labels, found, code, words):
    caught = refuses(words, labels.lists, found, error=ReadError)
    assert [problem.code for problem in caught.problems] == [code]


def test_read_a_table_of_t():
    assert Inline.read(Held("totals", b"# query T\nq 3\nr\t0\n")).n_relevant == {"q": 3, "r": 0}
