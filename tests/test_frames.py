"""Lists from tables in memory, and tables from lists."""

import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import ClassTable, Inline, JoinRules, Patterns, Qrels, ReadError, RetrievalLists, read
from tapviz.measures import tap_k
from tests.hits import by_query
from tests.refused import refuses
from tests.strategies import any_lists, rebuilt

HITS: dict[str, Any] = {
    "query": ["b", "a", "b", "a", "a"],
    "record": ["r1", "r1", "r2", "r3", "r4"],
    "evalue": [2.0, 1e-9, 0.5, 3.0, 0.001],
}
JUDGED = HITS | {"relevant": [True, True, False, False, True], "n_relevant": [1, 4, 1, 4, 4]}
PAIRS: dict[str, Any] = {"query": ["a", "a", "b", "c"], "record": ["r1", "r4", "r1", "r9"]}
LIBRARIES = {
    "pandas": pd.DataFrame,
    "pandas, categories": lambda columns: pd.DataFrame(columns).astype(
        dict.fromkeys(("query", "record"), "category")
    ),
    "polars": pl.DataFrame,
    "polars, categories": lambda columns: pl.DataFrame(
        columns, schema_overrides=dict.fromkeys(("query", "record"), pl.Categorical)
    ),
    "arrow": pa.table,
    "arrow, several pieces": lambda columns: pa.concat_tables(
        [pa.table(columns).slice(at, 1).unify_dictionaries() for at in range(len(columns["query"]))]
    ),
}


@pytest.fixture(params=LIBRARIES.values(), ids=LIBRARIES)
def table(request):
    return request.param


EXPECTED = {
    "b": [("r2", 0.5, False), ("r1", 2.0, True)],
    "a": [("r1", 1e-9, True), ("r4", 0.001, True), ("r3", 3.0, False)],
}


def test_a_table_that_says_what_is_relevant(table):
    lists = RetrievalLists.from_frame(table(JUDGED))
    assert list(by_query(lists).items()) == list(EXPECTED.items())  # in the order of the table
    assert (lists.n_relevant.tolist(), lists.direction) == ([1, 4], "ascending")


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA])
def test_rows_that_do_not_say_whether_they_are_relevant_are_counted(nothing):
    frame = pd.DataFrame({**JUDGED, "relevant": [True, True, nothing, False, nothing]})
    with pytest.warns(UserWarning, match="2 rows left out, the first in row 3: nothing stands"):
        lists = RetrievalLists.from_frame(frame)
    assert lists.record.tolist() == ["r1", "r1", "r3"]


def test_relevant_pairs_in_a_table(table):
    lists = RetrievalLists.from_frame(table(HITS), qrels=table(PAIRS))
    assert by_query(lists) == {**EXPECTED, "c": []}
    assert lists.n_relevant.tolist() == [1, 2, 1]


CLASSES = {"a": "x.1", "b": "y.1", "r1": "x.1", "r2": "z.2", "r3": "z.1", "r4": "x.1"}
GRADES = Qrels({"a": {"r1": 1, "r4": 2}, "b": {"r1": 1, "r2": 0}})


@pytest.mark.parametrize(
    ("options", "n_relevant"),
    [
        ({"qrels": GRADES}, [1, 2]),
        ({"labels": GRADES}, [1, 2]),
        ({"labels": Inline({"a": 4, "b": 1})}, [1, 4]),
        ({"labels": ClassTable(CLASSES, relevant=1, ignored=0)}, [0, 2]),
    ],
)
def test_labels_judge_the_rows_as_those_of_a_file(options, n_relevant):
    frame = pd.DataFrame({**HITS, "relevant": JUDGED["relevant"]})
    lists = RetrievalLists.from_frame(frame, **options)
    assert lists.n_relevant.tolist() == n_relevant
    assert (lists.join_report.rows_read, lists.join_report.file) == (5, "table")
    (labels,) = options.values()
    assert by_query(lists) == by_query(read(frame, labels=labels))


def test_patterns_and_rules_of_labels():
    frame = pd.DataFrame({"query": ["f/1", "f/1"], "record": ["f/1", "f/2"], "score": [9.0, 10.0]})
    records = ["f/1", "f/2", "g/1"]
    for rule, expected in (("drop", ["f/2"]), ("keep", ["f/2", "f/1"])):
        labels = Patterns("^[^/]+", records, JoinRules(self_hits=rule))
        lists = RetrievalLists.from_frame(frame, labels=labels, direction="descending")
        assert lists.record.tolist() == expected


def test_queries_without_rows_are_empty_lists(table):
    totals = {"a": 5, "b": 2, "c": 0}
    lists = RetrievalLists.from_frame(table(JUDGED), n_relevant=totals)
    assert list(by_query(lists).items()) == [*EXPECTED.items(), ("c", [])]
    assert lists.n_relevant.tolist() == [2, 5, 0]
    named = pd.DataFrame(JUDGED).rename(columns={"query": "qid"})
    same(RetrievalLists.from_frame(named, n_relevant=totals), lists)
    some = RetrievalLists.from_frame(table(JUDGED), n_relevant=totals, queries=["c", "a"])
    assert list(by_query(some).items()) == [("c", []), ("a", EXPECTED["a"])]
    judged = RetrievalLists.from_frame(table(HITS), qrels=table(PAIRS), queries=["c", "b"])
    assert by_query(judged) == {"c": [], "b": EXPECTED["b"]}


def test_a_row_with_a_query_alone_is_an_empty_list():
    columns = {name: [*values, None] for name, values in JUDGED.items()}
    columns["query"][-1], columns["n_relevant"][-1] = "c", 7
    for frame in (pa.table(columns), pd.DataFrame(columns), pl.DataFrame(columns)):
        lists = RetrievalLists.from_frame(frame)
        assert by_query(lists) == {**EXPECTED, "c": []}
        assert lists.n_relevant.tolist() == [1, 4, 7]


@pytest.mark.parametrize("make", [read, RetrievalLists.from_frame])
def test_a_table_is_ranked_alike_by_whatever_reads_it(make):
    columns = {"query": list("aaabbb"), "record": list("xyzuvw"), "score": [1.0, 2.0, 3.0] * 2}
    frame = pd.DataFrame({**columns, "relevant": [1, 0, 0] * 2, "n_relevant": 1})
    lists = make(frame)
    assert (lists.direction, tap_k(lists, k=1).value) == ("ascending", 0.75)
    shuffled = frame.iloc[[1, 0, 2, 3, 5, 4]]
    refuses("cannot tell whether small or large values of 'score'", make, shuffled, error=ReadError)
    assert by_query(make(shuffled, direction="ascending")) == by_query(lists)
    evalues = shuffled.assign(evalue=[9.0, 8.0, 7.0] * 2)
    assert make(evalues).score.tolist() == [7.0, 8.0, 9.0] * 2


def test_ids_may_be_whole_numbers_and_other_columns_and_categories_are_of_no_consequence():
    frame = pd.DataFrame({**JUDGED, "query": [301, 302, 301, 302, 302], "rank": 1.5, "x": "y"})
    assert RetrievalLists.from_frame(frame).query.tolist() == ["301", "302"]
    frame["query"] = pd.Categorical(JUDGED["query"], categories=["z", "a", "b"])
    assert RetrievalLists.from_frame(frame).query.tolist() == ["b", "a"]


def test_grades_of_pairs():
    pairs = pd.DataFrame({**PAIRS, "grade": [1, 0, 2, -1]})
    grades = {"a": {"r1": 1, "r4": 0}, "b": {"r1": 2}, "c": {"r9": -1}}
    assert Qrels.read(pairs).grades == grades
    lists = RetrievalLists.from_frame(pd.DataFrame(HITS), qrels=pairs)
    assert lists.n_relevant.tolist() == [1, 1, 0]


FIELDS = ("score", "relevant", "offset", "n_relevant", "weight", "query", "record")
FIELDS += ("query_class", "n_irrelevant", "direction")


def same(one, other):
    for name in FIELDS:
        strict = name not in ("query", "direction")
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), strict=strict)


@given(any_lists, st.booleans(), st.booleans(), st.booleans())
def test_a_table_of_lists_makes_the_same_lists(lists, classes, totals, ids):
    n, size, more = lists.n_queries, lists.score.size, {}
    if ids:
        more["record"] = [f"r{at}" for at in np.random.default_rng(size).permutation(size)]
    if classes:
        more["query_class"] = ["a.1", ""] * (n // 2) + ["b"] * (n % 2)
    if totals:
        more["n_irrelevant"] = np.arange(n) + 99
    lists = rebuilt(lists, **more)
    table = lists.to_frame("arrow")
    for frame in (table, table.to_pandas(), pl.DataFrame(table)):
        same(RetrievalLists.from_frame(frame, direction=lists.direction), lists)


def test_a_table_of_lists_is_one_of_pandas_unless_another_is_asked_for():
    lists = RetrievalLists.from_frame(pd.DataFrame(JUDGED), n_relevant={"a": 4, "b": 1, "c": 2})
    frame = lists.to_frame()
    assert (type(frame), type(lists.to_frame("arrow"))) == (pd.DataFrame, pa.Table)
    assert frame.columns.tolist() == ["query", "record", "evalue", "relevant", "n_relevant"]
    assert frame["query"].tolist() == ["b", "b", "a", "a", "a", "c"]
    assert frame["record"].isna().tolist() == [False] * 5 + [True]


def changed(row=None, value=None, **columns):
    table = {name: list(values) for name, values in {**JUDGED, **columns}.items() if values}
    if row is not None:
        name, at = row
        table[name][at] = value
    return table


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (changed(query=None), "expected a column of queries, named query; there are record, "),
        (changed(evalue=None), "expected a column evalue or bits"),
        (changed(relevant=None), "does not say what is relevant: give labels="),
        (changed(n_relevant=None), "how many are in the database, T(q): add a column n_relevant"),
        (changed(evalue=["x"] * 5), "column evalue: expected double, found string"),
        (changed(("query", 3)), "row 4: query: expected an id, found"),
        (changed(("record", 2)), "row 3: record: expected an id, found"),
        (changed(("evalue", 1)), "row 2: E-value: expected a number, found"),
        (changed(("evalue", 4), np.inf), "row 5: E-value: expected a finite number"),
        (changed(relevant=[0, 1, 2, 0, 1]), "row 3: relevant: expected 1, 0 or nothing"),
        (changed(("n_relevant", 2), 3), "row 3: n_relevant of query b is '3' here and '1' before"),
        (changed(n_relevant=[0, 4, 0, 4, 4]), "row 1: query b: 1 of its records are relevant"),
    ],
)
def test_what_is_wrong_names_column_and_row(columns, message):
    refuses(re.escape(message), RetrievalLists.from_frame, pa.table(columns))


TWICE = pd.DataFrame({"query": ["a", "a", "a"], "record": ["r1", "r2", "r1"]})


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (HITS, {"qrels": TWICE}, "qrels, row 3: r1 for query a is also in row 1"),
        (JUDGED, {"n_relevant": {"a": 4}}, "row 1: n_relevant: expected a whole number"),
        (JUDGED, {"queries": ["a", "d"]}, "queries wanted are not in this file, d among"),
        (HITS, {"qrels": 7}, "expected a file, a table with named columns"),
        *(
            (HITS, {"qrels": pd.DataFrame(PAIRS), **other}, "expected one of labels, qrels and n_r")
            for other in ({"labels": Inline({})}, {"n_relevant": {"a": 1}})
        ),
    ],
)
def test_what_else_says_what_is_relevant_is_checked(columns, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        RetrievalLists.from_frame(pd.DataFrame(columns), **options)


def test_a_grade_is_a_whole_number():
    grades = {"record": ["1", "2", "3"], "grade": [1, 0.5, 0]}
    refuses(r"table, row 2: grade: expected .*, found '0.5'", Qrels.read, TWICE.assign(**grades))


@pytest.mark.parametrize("frame", [[1], "hits.tsv", None])
def test_what_is_no_table_is_refused(frame):
    refuses("a table with named columns", RetrievalLists.from_frame, frame, error=TypeError)
