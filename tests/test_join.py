"""Hits meet labels: ids, rules, what is counted and reported."""

import json
import warnings
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tapviz.labels import ClassTable, Inline, JoinReport, JoinRules, Qrels, ReadError, normalise
from tapviz.lists import RetrievalLists, align
from tests.hits import hits, trec_hits
from tests.refused import error_of, refuses
from tests.strategies import examples
from tests.test_labels import CLASSES, f_of, kept, t_of
from tests.twins import GOLDEN, golden

TREC = golden("trec/cases.json")["cases"]

FOUND = hits(
    ("q", "q", 0.0),
    ("q", "same_family", 1e-9),
    ("q", "same_family", 1e-8),
    ("q", "same_fold", 1e-6),
    ("q", "decoy1", 1e-5),
    ("q", "stranger", 1e-4),
    ("q", "other", 1.0),
    ("q", "stranger", 2.0),
    ("other", "q", 3.0),
)


def ruled(**rules):
    """Lists of the hits above by the classes of the other tests."""
    return ClassTable(CLASSES, rules=JoinRules(**rules)).lists(FOUND)


def adds_up(report):
    dropped = report.collapsed + report.self_hits + report.ignored + report.unlabelled_ignored
    return report.rows_read == report.hits_kept + dropped + report.rows_left_out


def test_usual_rules():
    lists = ruled()
    assert kept(lists) == {
        "q": {"same_family": True, "decoy1": False, "stranger": False, "other": False},
        "other": {"q": False},
    }
    assert lists.join_report == JoinReport(
        file="hits.tsv",
        labels="a table of classes: same to level 3 relevant, to level 2 ignored",
        rules=JoinRules(),
        rows_read=9,
        hits_kept=5,
        collapsed=2,  # the second hits on same_family and on stranger
        self_hits=1,
        ignored=1,
        unlabelled_ignored=0,
        rows_left_out=0,
        relevant=1,
        irrelevant=4,
        unlabelled_hits=3,
        unlabelled_targets=2,
        queries=2,
        empty_lists=0,
        label_only_queries=0,
        queries_without_labels=0,
        queries_not_listed=0,
        collisions=0,
    )
    assert adds_up(lists.join_report)


COUNTED = [
    (
        {"self_hits": "keep", "unlabelled": "ignore"},
        *(["q", "same_family"], ["other"], [3, 1], [1, 4]),
        {"self_hits": 0},
    ),
    (  # the table is all that counts, so that F is known
        {"unlabelled": "ignore"},
        *(["same_family"], ["other"], [2, 0], [1, 4]),
        {"unlabelled_ignored": 3, "unlabelled_hits": 3, "unlabelled_targets": 2},
    ),
    (  # ignored: same_fold, and other and q, neither family nor decoy; of decoys nobody knows F
        {"decoys": "^decoy"},
        *(["same_family"], ["decoy1"], [2, 0], None),
        {"ignored": 3, "unlabelled_ignored": 2, "unlabelled_targets": 1},
    ),
]


@pytest.mark.parametrize(("rules", "relevant", "irrelevant", "t", "f", "counts"), COUNTED)
def test_rules_say_what_counts(rules, relevant, irrelevant, t, f, counts):
    """T and F are those of q and other."""
    lists = ruled(**rules)
    assert kept(lists)["q"] == dict.fromkeys(relevant, True) | dict.fromkeys(irrelevant, False)
    assert t_of(lists) == dict(zip(("q", "other"), t, strict=True))
    known = None if lists.n_irrelevant is None else [f_of(lists)[one] for one in ("q", "other")]
    assert known == f
    values = lists.join_report.as_dict()
    assert {name: values[name] for name in counts} == counts
    assert adds_up(lists.join_report)


def test_unlabelled_records_can_be_a_mistake():
    with pytest.raises(ReadError, match="one of 2 records without a label") as caught:
        ruled(unlabelled="error")
    found = [(problem.code, problem.text) for problem in caught.value.problems]
    assert found == [("UnlabelledTarget", "decoy1"), ("UnlabelledTarget", "stranger")]
    rules = JoinRules(unlabelled="error")
    labelled = CLASSES | {"decoy1": "c.1.1", "stranger": "c.1.1"}
    assert ClassTable(labelled, rules=rules).lists(FOUND).join_report.unlabelled_hits == 0
    many = hits(("q", "other", 0), *(("q", f"r{at}", at) for at in range(30)))
    with pytest.raises(ReadError, match="one of 30 records without a label") as caught:
        ClassTable(CLASSES, rules=rules).lists(many)
    assert len(caught.value.problems) == 10


def test_beside_decoys_others_may_be_what_they_are_without():
    without = ruled()
    lists = ruled(decoys="^decoy", beside_decoys="keep")
    assert lists.record.tolist() == without.record.tolist()
    assert lists.relevant.tolist() == without.relevant.tolist()
    assert "ignored" in str(lists.join_report)
    assert "only decoys are irrelevant" not in str(lists.join_report)
    table = {"q": "a.1.1.1", "r": "a.1.1.2", "decoy1": "a.1.1.1", "x": "b.1.1.1"}
    rules = JoinRules(decoys="^decoy", beside_decoys="keep")
    with pytest.warns(UserWarning, match="no hit is of a decoy"):
        lists = ClassTable(table, rules=rules).lists(hits(("q", "r", 1), ("q", "x", 2)))
    assert (lists.n_relevant.tolist(), lists.n_irrelevant.tolist()) == ([1], [2])


def test_decoys_that_no_hit_is_of_are_told():
    """Else a mistyped expression leaves out all errors, and every score is close to 1."""
    with pytest.warns(UserWarning, match=r"no hit is of a decoy, which decoys names: \^rev"):
        lists = ruled(decoys="^rev")
    assert kept(lists)["q"] == {"same_family": True}
    refuses("decoys is empty: expected a regular expression", ruled, decoys="")


def test_decoys_are_errors_of_queries_whose_class_has_no_others():
    table = {"q": "a.1.1.1", "r": "a.1.1.2", "x": "b.1.1.1", "decoy1": "a.1.1.1", "decoy2": "b.1.1"}
    rules = JoinRules(decoys="^decoy", beside_decoys="keep")
    labels = ClassTable(table, rules=rules, ignore_class=("a",))
    found = hits(*(("q", name, 1) for name in ("r", "x", "decoy1", "decoy2")))
    lists = labels.lists(found)
    assert kept(lists)["q"] == {"r": True, "decoy1": False, "decoy2": False}
    assert lists.n_irrelevant.tolist() == [2]


def test_decoys_in_the_table_are_counted_and_are_relevant_to_nobody():
    table = CLASSES | {"decoy1": "a.1.1.1", "decoy2": "x.1.1.1"}
    lists = ClassTable(table, rules=JoinRules(decoys="^decoy")).lists(FOUND)
    assert kept(lists)["q"] == {"same_family": True, "decoy1": False}
    assert t_of(lists) == {"q": 2, "other": 0}
    assert f_of(lists) == {"q": 2, "other": 2}
    rules = JoinRules(decoys="^decoy", label_queries=True)  # and no queries of their own
    assert "decoy1" not in ClassTable(table, rules=rules).lists(FOUND).query.tolist()


def test_decoys_among_pairs():
    labels = Qrels({"q": {"a": 1, "b": 0, "decoy1": 1}}, rules=JoinRules(decoys="^decoy"))
    lists = labels.lists(hits(*(("q", name, 1) for name in ("a", "b", "c", "decoy1", "decoy2"))))
    assert kept(lists) == {"q": {"a": True, "decoy1": False, "decoy2": False}}
    assert t_of(lists) == {"q": 1}
    assert lists.n_irrelevant is None


def test_queries_that_only_the_labels_know():
    assert ruled().query.tolist() == ["q", "other"]
    added = ruled(label_queries=True)
    assert added.query.tolist() == ["q", "other", "same_family", "same_superfamily", "same_fold"]
    report = added.join_report
    assert (report.label_only_queries, report.empty_lists, report.queries) == (3, 3, 5)
    table = ClassTable(CLASSES, {"q": "a.1.1", "x": "b.2.1"}, rules=JoinRules(label_queries=True))
    with pytest.warns(UserWarning, match="1 of 2 queries has no label"):
        assert table.lists(FOUND).query.tolist() == ["q", "x"]
    # A list of queries says which ones, whatever the labels know.
    assert table.lists(FOUND, ["q"]).query.tolist() == ["q"]


def test_queries_left_out_are_counted():
    with pytest.warns(UserWarning, match="1 of 3 queries has no label and is left out: nobody"):
        lists = ClassTable(CLASSES).lists(FOUND, ["q", "nobody", "same_fold"])
    report = lists.join_report
    assert report.queries_without_labels == 1
    assert report.queries_not_listed == 1
    assert report.rows_left_out == 1  # that of `other`
    assert (report.queries, report.empty_lists) == (2, 1)
    assert adds_up(report)


# Order and several hits on one record


def test_the_largest_of_descending_scores_is_kept_and_first():
    of_q = [("other", 1.0), ("same_family", 5.0), ("other", 9.0), ("decoy", 5.0)]
    rows = [*(("q", *row) for row in of_q), ("other", "q", -1.0)]
    found = hits(*rows, direction="descending")
    lists = ClassTable(CLASSES).lists(found)
    assert lists.record.tolist() == ["other", "same_family", "decoy", "q"]
    assert lists.score.tolist() == [9.0, 5.0, 5.0, -1.0]
    assert lists.direction == "descending"
    assert found.score.tolist() == [1.0, 5.0, 9.0, 5.0, -1.0]


def test_no_hits_at_all():
    lists = ClassTable(CLASSES).lists(hits(), ["q", "other"])
    assert kept(lists) == {"q": {}, "other": {}}
    assert (lists.join_report.rows_read, lists.join_report.empty_lists) == (0, 2)
    assert Qrels({"a": {"b": 1}}).lists(hits()).n_relevant.tolist() == [1]


WRITTEN = [
    ((), {}),
    (["accession"], {0: "P12345.2", 1: "A0A1.1"}),
    (["version"], {2: "P12345", 5: "1"}),
    (["case"], {0: "sp|p12345.2|x_human", 1: "tr|a0a1.1|y", 2: "p12345.2", 3: "d1abca_"}),
    # The accession first, whatever the order of the names.
    (["case", "version", "accession"], {0: "p12345", 1: "a0a1", 2: "p12345", 3: "d1abca_", 5: "1"}),
]


@pytest.mark.parametrize(("rules", "written"), WRITTEN)
def test_ways_to_write_ids(rules, written):
    ids = ["sp|P12345.2|X_HUMAN", "tr|A0A1.1|Y", "P12345.2", "d1abcA_", "gi|7|x", "1.5", ".5", "a."]
    assert normalise(ids, rules) == [written.get(at, name) for at, name in enumerate(ids)]
    refuses("normalise=\\['nothing'\\]", normalise, ids, ["nothing"])


def test_ids_of_both_sides_and_of_the_list_of_queries_are_written_alike():
    rules = JoinRules(normalise=("accession", "version", "case"))
    table = ClassTable({"sp|P1|A": "a.1.1", "P2.1": "a.1.1", "p3": "b.1.1"}, rules=rules)
    found = hits(("P1.7", "tr|P1|Z", 0), ("P1.7", "p2", 1), ("P1.7", "sp|P3|X", 2))
    for queries in (None, ["sp|P1|A"]):
        lists = table.lists(found, queries)
        assert kept(lists) == {"p1": {"p2": True, "p3": False}}  # P1 itself is the query
        assert t_of(lists) == {"p1": 1}
        assert lists.join_report.self_hits == 1
        assert lists.join_report.collisions == 0


def test_ids_that_become_equal_are_reported():
    classes = {"q": "a.1.1", "r.1": "a.1.1", "r.2": "b.1.1", "s": "b.1.1"}
    table = ClassTable(classes, rules=JoinRules(normalise=("version",)))
    with pytest.warns(UserWarning, match=r"are merged: s\.1 = s\.2, r\.1 = r\.2 \(3 in all\)$"):
        lists = table.lists(hits(("q", "s.1", 1), ("q", "s.2", 2), ("q", "s", 3), ("q", "r.3", 4)))
    assert kept(lists) == {"q": {"s": False, "r": True}}  # r has both classes
    report = lists.join_report
    assert (report.collisions, report.collapsed) == (3, 2)
    assert adds_up(report)
    assert t_of(lists) == {"q": 1}


def test_ids_that_become_equal_on_several_sides_count_once():
    table = ClassTable(
        {"q": "a.1", "Q": "a.1", "r": "a.1"}, None, 1, 0, JoinRules(normalise=("case",))
    )
    with pytest.warns(UserWarning, match=r"are merged: q = Q \(1 in all\)"):
        lists = table.lists(hits(("q", "r", 1), ("Q", "r", 2), ("q", "Q", 3), ("r", "q", 4)))
    assert kept(lists) == {"q": {"r": True}, "r": {"q": True}}
    assert lists.join_report.collisions == 1


def test_grades_and_totals_that_contradict_after_normalisation():
    rules = JoinRules(normalise=("version",))
    found = hits(("q.1", "r", 1), relevant=[True])
    for labels, code, words in (
        (Qrels({"q": {"r.1": 1, "r.2": 0}}, rules=rules), "DuplicateTarget", "two grades, 1 and 0"),
        (Qrels({"q.1": {"r": 1}, "q.2": {"r": 0}}, rules=rules), "DuplicateTarget", "of r for"),
        (Inline({"q.1": 1, "q.2": 2}, rules), "DuplicateQuery", "more than one T"),
    ):
        caught = refuses(words, labels.lists, found, error=ReadError)
        assert [problem.code for problem in caught.problems] == [code]
    for labels in (
        Qrels({"q": {"r.1": 1, "r.2": 1}}, rules=rules),
        Inline({"q.1": 1, "q.2": 1}, rules),
    ):
        with pytest.warns(UserWarning, match=r"makes different ids equal.* \(1 in all\)"):
            lists = labels.lists(found)
        assert t_of(lists) == {"q": 1}


OF_QUERIES = (
    r"the queries are sp\|q\|X, sp\|same_fold\|X, the queries of the labels are q, "
    r"same_family, \.\.\.; normalise=\('accession',\) makes 2 of 2"
)
OF_RECORDS = r"the records of the file are SP\|OTHER\.1\|X, .*; make the ids agree"
ALL_RULES = r"normalise=\('accession', 'version', 'case'\) makes 2 of 2"
OF_THE_LIST = "the list of queries has Q, R; normalise=.'case'"


NOTHING_IN_COMMON = [
    ([("sp|q|X", "other", 1), ("sp|same_fold|X", "other", 1)], None, OF_QUERIES),
    ([("q", "SP|OTHER.1|X", 1)], None, OF_RECORDS),
    ([("q", "sp|OTHER.1|X", 1), ("q", "sp|Q|X", 1)], None, ALL_RULES),
    ([("q", "other", 1)], ["Q", "R"], OF_THE_LIST),
]


@pytest.mark.parametrize(("rows", "queries", "words"), NOTHING_IN_COMMON)
def test_no_common_id_says_what_would_help(rows, queries, words):
    caught = refuses(words, ClassTable(CLASSES).lists, hits(*rows), queries, error=ReadError)
    assert {problem.code for problem in caught.problems} == {"NoOverlap"}


def test_both_sides_without_common_id_are_both_named():
    caught = error_of(Qrels({"q": {"r": 1}}).lists, hits(("x", "y", 1)), error=ReadError)
    both = [problem.message for problem in caught.problems]
    assert len(both) == 2
    assert both[0].startswith("the queries and the queries of the labels have")
    assert both[1].startswith("the records of the file and the records of the labels have")
    table = ClassTable(CLASSES, rules=JoinRules(normalise=("case",)))  # which does not help
    with pytest.raises(ReadError, match=r"normalise=\('accession',\) makes 1 of 1"):
        table.lists(hits(("sp|q|x", "other", 1)))


def test_report_for_the_terminal():
    assert str(ruled().join_report).splitlines() == [
        "hits.tsv, by a table of classes: same to level 3 relevant, to level 2 ignored",
        "  rows read           9",
        "  hits kept           5  1 relevant, 4 irrelevant",
        "  collapsed (HSPs)    2  the scripts of Foldseek and reseek count each",
        "  self hits           1  dropped",
        "  ignored             1",
        "  without label       3  2 targets, taken for irrelevant",
        "  of queries left out 0  0 queries without labels, 0 not asked for",
        "  lists               2  0 empty, 0 known to the labels only",
    ]


def test_report_says_which_rules_did_it():
    text = str(ruled(self_hits="keep", unlabelled="ignore", normalise=("case",)).join_report)
    assert "self hits           0  count like others" in text
    assert "without label       3  2 targets, left out" in text
    assert "ids made equal      0  by case" in text
    assert "only decoys are irrelevant" in str(ruled(decoys="^decoy").join_report)
    once = ClassTable(CLASSES).lists(hits(("q", "other", 1))).join_report
    assert "collapsed (HSPs)    0\n" in str(once)  # nobody else counts what is not there


def test_report_stays_with_the_lists():
    lists = ruled(decoys="^decoy")
    report = lists.join_report
    assert report.as_dict()["rules"]["decoys"] == "^decoy"
    assert json.loads(json.dumps(report.as_dict()))["hits_kept"] == 2
    other = ClassTable(CLASSES).lists(hits(("same_fold", "q", 1)))
    together = align({"a": lists, "b": other})
    assert together["a"].n_queries == 3
    counted = together["b"].join_report
    assert counted == replace(other.join_report, queries=3, empty_lists=3, queries_of_others=2)
    assert "3  3 empty, 0 known to the labels only, 2 to other programs only" in str(counted)
    assert align(together) == together
    remade = RetrievalLists.from_records(
        [0], [1.0], [True], n_relevant=[1], query=["q"], join_report=report
    )
    part = lists.subset(np.array([True, False]))
    for each in (part, lists.with_weights([2.0, 1.0]), remade):
        assert each.join_report is report
    assert RetrievalLists([], [], [0], []).join_report is None
    with pytest.raises(AttributeError):
        report.hits_kept = 0


@pytest.mark.parametrize("case", TREC, ids=lambda case: case["id"])
def test_golden_trec(case):
    found = trec_hits(case["run"])
    labels = Qrels.read(GOLDEN / "trec" / case["qrels"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        lists = labels.lists(found)
    assert len(caught) == bool(case["queries_only_in_run"])
    report = lists.join_report
    assert report.queries_without_labels == len(case["queries_only_in_run"])
    assert report.label_only_queries == len(case["queries_only_in_qrels"])
    assert adds_up(report)
    expected = case["per_query"]
    assert sorted(lists.query) == sorted([*expected, *case["queries_only_in_qrels"]])
    common = replace(labels, rules=JoinRules(label_queries=False))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sorted(common.lists(found).query) == sorted(expected)


NAMES = ("q0", "q1", "Q1", "q2", "r0", "r1", "R1", "r2", "decoy0", "decoy1")
LEVELS = ("a.1.1", "a.1.2", "a.2.1", "b.1.1")
names = st.sampled_from(NAMES)
rules = st.builds(
    JoinRules,
    self_hits=st.sampled_from(["drop", "keep"]),
    unlabelled=st.sampled_from(["irrelevant", "anyway", "ignore", "error"]),
    decoys=st.sampled_from([None, "^decoy"]),
    beside_decoys=st.sampled_from(["ignore", "keep"]),
    normalise=st.sampled_from([(), ("case",)]),
    label_queries=st.sampled_from([None, True, False]),
)
own_classes = st.sampled_from(LEVELS) | st.lists(
    st.sampled_from(LEVELS), min_size=2, max_size=3, unique=True
).map(tuple)
tables = st.builds(
    ClassTable,
    st.dictionaries(names, own_classes, min_size=1),
    st.none() | st.dictionaries(names, own_classes, min_size=1),
    relevant=st.sampled_from([2, 3]),
    ignored=st.sampled_from([0, 1, 2]),
    rules=rules,
)
pairs = st.builds(
    Qrels,
    st.dictionaries(names, st.dictionaries(names, st.integers(-1, 2), min_size=1), min_size=1),
    st.sampled_from([1, 2]),
    rules,
)
rows = st.lists(st.tuples(names, names, st.integers(0, 3)), max_size=25)


class Twin:
    """The labels, asked one pair at a time."""

    def __init__(self, labels):
        self.rules, self.labels = labels.rules, labels
        self.only_decoys = self.rules.decoys and self.rules.beside_decoys == "ignore"
        self.fold = str.casefold if self.rules.normalise else str
        if isinstance(labels, ClassTable):
            self.records = self.merged(labels.records)
            self.queries = self.records if labels.queries is None else self.merged(labels.queries)
            self.adds = bool(self.rules.label_queries)
        else:
            self.queries = {}
            for query, own in labels.grades.items():
                for record, grade in own.items():
                    grades = self.queries.setdefault(self.fold(query), {})
                    grades.setdefault(self.fold(record), set()).add(grade)
            self.records = {record for own in self.queries.values() for record in own}
            self.adds = self.rules.label_queries is not False

    def merged(self, table):
        classes = {}
        for name, own in table.items():
            several = {own} if isinstance(own, str) else own
            classes.setdefault(self.fold(name), set()).update(several)
        return classes

    def contradicts(self):
        return isinstance(self.labels, Qrels) and any(
            len(grades) > 1 for own in self.queries.values() for grades in own.values()
        )

    def labelled(self, query, record):
        """What the labels say, but for decoys and what they do not know."""
        if isinstance(self.labels, Qrels):
            grades = self.queries[query].get(record)
            if grades is None:
                return "unlabelled"
            return "relevant" if min(grades) >= self.labels.min_rel else "irrelevant"
        if record not in self.records:
            return "unlabelled"

        def agree(level):
            return level and any(
                one.split(".")[:level] == other.split(".")[:level]
                for one in self.queries[query]
                for other in self.records[record]
            )

        if agree(self.labels.relevant):
            return "relevant"
        return "ignored" if agree(self.labels.ignored) else "irrelevant"

    def state(self, query, record):
        if self.rules.decoys is not None and record.startswith("decoy"):
            return "irrelevant"
        said = self.labelled(query, record)
        if said == "irrelevant" and self.only_decoys:
            return "ignored"
        return said

    def doubts(self, judged):
        """Whether so few records have a label, or half by other capitals, that ids seem wrong."""
        if self.only_decoys or self.rules.unlabelled != "irrelevant":
            return False
        n_known = sum(count for (_, known), count in judged.items() if known)
        if isinstance(self.labels, ClassTable) and n_known < 0.05 * judged.total():
            return True
        missing = {record for record, known in judged if not known} - {*self.records}
        small = [record.casefold() for record in self.records]
        found = [record for record in missing if record.casefold() in small]
        return missing and len(found) >= len(missing) / 2 and len({*small}) == len(small)

    def total(self, query, state):
        """T(q) or F(q), by all records of the labels."""
        return sum(
            self.state(query, record) == state
            for record in self.records
            if record != query or self.rules.self_hits == "keep"
        )


def joined(twin, rows, asked, direction):
    """Lists and counts, row by row; None where there must be an error."""
    fold, rules = twin.fold, twin.rules
    rows = [(fold(query), fold(record), score) for query, record, score in rows]
    in_file = list(dict.fromkeys(query for query, *_ in rows))
    wanted = in_file if asked is None else list(dict.fromkeys(map(fold, asked)))
    kept_queries = [query for query in wanted if query in twin.queries]
    records = {record for _, record, _ in rows}
    nothing_in_common = {*in_file}.isdisjoint(wanted) or records.isdisjoint(twin.records)
    if twin.contradicts() or (wanted and not kept_queries) or (rows and nothing_in_common):
        return None
    added = []
    if asked is None and twin.adds:
        decoy = "decoy" if rules.decoys else "none"
        added = [q for q in twin.queries if q not in in_file and not q.startswith(decoy)]
    counted = "collapsed", "self_hits", "ignored", "unlabelled_ignored", "rows_left_out"
    count, judged = dict.fromkeys(counted, 0), Counter()
    lists = {query: {} for query in kept_queries + added}
    sign = 1 if direction == "ascending" else -1
    for query, record, score in sorted(rows, key=lambda row: sign * row[2]):
        if query not in lists:
            count["rows_left_out"] += 1
            continue
        if query == record and rules.self_hits == "drop":
            count["self_hits"] += 1
            continue
        state = twin.state(query, record)
        judged[record, state != "unlabelled"] += 1
        if state == "unlabelled" and rules.unlabelled == "error":
            return None
        if state == "unlabelled" and not twin.only_decoys and rules.takes_unlabelled:
            state = "irrelevant"
        if state in ("ignored", "unlabelled"):
            count[{"ignored": "ignored"}.get(state, "unlabelled_ignored")] += 1
        elif record in lists[query]:
            count["collapsed"] += 1
        else:
            lists[query][record] = (float(score), state == "relevant")
    return None if twin.doubts(judged) else (lists, count)


LABELLED = ClassTable(
    {"q0": "a.1.1", "q1": "a.1.1"}, relevant=2, rules=JoinRules(unlabelled="irrelevant")
)


@examples(200)
@given(
    labels=tables | pairs,
    rows=rows,
    asked=st.none() | st.lists(names, min_size=1, unique=True),
    direction=st.sampled_from(["ascending", "descending"]),
)
@example(LABELLED, [("q0", "q0", 0), ("q0", "r0", 0)], None, "ascending")
@example(LABELLED, [("q0", "q1", 0), ("q0", "Q1", 0)], None, "ascending")
def test_agrees_with_a_slow_twin(labels, rows, asked, direction):
    assert_as_twin(labels, rows, asked, direction)


def test_longer_files_agree_with_a_slow_twin():
    rng = np.random.default_rng(7)
    ids = [f"r{at}" for at in range(40)]  # of which five have no label
    rows = [(ids[rng.integers(20)], ids[rng.integers(40)], rng.integers(6)) for _ in range(600)]
    classes = {one: f"a.{rng.integers(3)}.{rng.integers(3)}.1" for one in ids[:35]}
    grades = {one: dict(zip(ids[:35], rng.integers(-1, 3, 35), strict=True)) for one in ids[:20]}
    for labels in (ClassTable(classes), Qrels(grades), Qrels(grades, 2)):
        assert_as_twin(labels, rows, None, "ascending")


def assert_as_twin(labels, rows, asked, direction):
    twin = Twin(labels)
    expected = joined(twin, rows, asked, direction)
    found = hits(*rows, direction=direction)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        if expected is None:
            error_of(labels.lists, found, asked, error=ReadError)
            return
        lists = labels.lists(found, asked)
    in_lists, count = expected
    assert sorted(lists.query) == sorted(in_lists)
    for row, query in enumerate(lists.query.tolist()):
        part = slice(lists.offset[row], lists.offset[row + 1])
        own = in_lists[query]
        assert lists.record[part].tolist() == list(own)
        assert lists.score[part].tolist() == [score for score, _ in own.values()]
        assert lists.relevant[part].tolist() == [relevant for _, relevant in own.values()]
        assert lists.n_relevant[row] == twin.total(query, "relevant")
        if lists.n_irrelevant is not None:
            assert lists.n_irrelevant[row] == twin.total(query, "irrelevant")
    report = lists.join_report
    assert {name: getattr(report, name) for name in count} == count
    assert report.rows_read == len(rows)
    assert report.hits_kept == lists.score.size == report.relevant + report.irrelevant
    assert report.empty_lists == sum(not own for own in in_lists.values())
    assert adds_up(report)


judged_rows = st.tuples(names, names, st.integers(0, 3), st.booleans())


@given(rows=st.lists(judged_rows, min_size=1, max_size=9), missed=st.integers(0, 3))
def test_labels_inside_agree_with_a_slow_twin(rows, missed):
    truth = {}
    for query, record, _, relevant in rows:
        truth.setdefault((query, record), set()).add(relevant)
    labels = Inline({query: missed + len(rows) for query in NAMES[:5]})
    found = hits(*(row[:3] for row in rows), relevant=[row[3] for row in rows])
    contradict = any(len(said) > 1 for said in truth.values())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        if contradict or {row[0] for row in rows}.isdisjoint(NAMES[:5]):
            error_of(labels.lists, found, error=ReadError)
            return
        lists = labels.lists(found)
    assert kept(lists) == {
        query: {r: True in said for (q, r), said in truth.items() if q == query != r}
        for query in lists.query.tolist()
    }
    assert sorted(lists.query) == sorted(NAMES[:5])
    assert adds_up(lists.join_report)
