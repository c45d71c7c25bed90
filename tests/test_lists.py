"""Retrieval lists: what is checked, that they never change, and what a subset shares."""

import copy
import pickle
import weakref
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import measures as m
from tapviz.lists import RetrievalLists, align, derived
from tests.refused import refuses
from tests.strategies import SCORES, directions, rebuilt, seeded_lists, views

GOOD = {
    "score": [1e-9, 0.5, 0.5, 2.0, 1.0, 3.0],
    "relevant": [True, False, True, False, False, True],
    "offset": [0, 4, 4, 6],
    "n_relevant": [2, 3, 1],
    "weight": [1.0, 2.0, 0.5],
    "query": ["d1", "d2", "d3"],
    "record": ["a", "b", "c", "d", "e", "f"],
    "query_class": ["a.1", "a.2", "a.1"],
}


def good(**changes):
    return RetrievalLists(**{**GOOD, **changes})


PER_QUERY = ("n_relevant", "weight", "query", "query_class", "rows")
PER_RECORD = ("score", "relevant", "record")
ARRAYS = (*PER_QUERY, *PER_RECORD, "offset")


def test_fields_are_as_given():
    lists = good()
    for name, given_values in GOOD.items():
        assert getattr(lists, name).tolist() == given_values
    assert lists.n_queries == 3
    assert lists.direction == "ascending"
    assert lists.sign == 1
    assert lists.whole is lists
    assert lists.rows.tolist() == [0, 1, 2]
    assert repr(lists) == "<RetrievalLists: 3 queries, 6 records, ascending>"


def test_defaults():
    lists = RetrievalLists([9.0, 8.0], [1, 0], [0, 2], [1], direction="descending")
    assert (lists.sign, lists.weight.tolist(), lists.query.tolist()) == (-1, [1], ["1"])
    assert (lists.record, lists.query_class) == (None, None)
    empty = RetrievalLists([], [], [0], [])  # no query is a list of lists, too
    assert empty.n_queries == empty.subset(np.zeros(0, bool)).n_queries == 0


def test_scores_are_kept_exactly_and_compared_without_overflow():
    for score in ([5e-324, 1e-300, 1e-300 * (1 + 2**-52), 1e308], [-1.7e308, 1.7e308]):
        n = len(score)
        assert RetrievalLists(score, [0] * n, [0, n], [0]).score.tolist() == score
        down = RetrievalLists(score[::-1], [0] * n, [0, n], [0], direction="descending")
        assert down.score.tolist() == score[::-1]


INCONSISTENT = [
    ({"direction": "down"}, "direction 'down': expected"),
    ({"offset": [0, 4, 4, 5]}, "offset: expected Q [+] 1 numbers that rise from 0 to .* 6"),
    ({"offset": [1, 4, 4, 6]}, "offset: expected"),
    ({"offset": [0, 4, 3, 6]}, "offset: expected"),
    ({"offset": []}, "offset: expected"),
    ({"offset": [0, 4.5, 4.5, 6]}, "offset: expected whole numbers"),
    ({"offset": np.array([0, np.nan, 4, 6])}, "offset: expected whole numbers"),
    ({"offset": [[0, 6]]}, r"offset: expected one dimension, found shape \(1, 2\)"),
    ({"relevant": [True]}, "relevant: expected one per record, 6, found 1"),
    ({"relevant": [0, 1, 2, 0, 0, 1]}, "relevant: expected only true and false, or 1 and 0"),
    ({"relevant": [0, 1, np.nan, 0, 0, 1]}, "relevant: expected only true and false"),
    ({"record": ["a"]}, "record: expected one per record, 6, found 1"),
    ({"n_relevant": [2, 3]}, "n_relevant: expected one per query, 3, found 2"),
    ({"n_relevant": [2, 3, 1.5]}, "n_relevant: expected whole numbers"),
    ({"n_relevant": [2, 3, np.inf]}, "n_relevant: expected whole numbers"),
    ({"n_relevant": [2, 3, 2**63]}, "n_relevant: expected whole numbers"),
    ({"n_relevant": [2, 3, 2**70]}, "n_relevant: expected whole numbers"),
    ({"query": ["d1", None, "d3"]}, "query: expected texts, found None"),
    ({"query": ["d1", "d2"]}, "query: expected one per query, 3, found 2"),
    ({"query_class": ["a"]}, "query_class: expected one per query, 3, found 1"),
    ({"weight": [1.0]}, "weight: expected one per query, 3, found 1"),
    ({"score": ["x"] * 6}, "score: could not convert"),
    ({"score": np.arange(6).astype("datetime64[D]")}, "score: expected numbers, not times"),
    ({"score": np.ma.array(np.arange(6.0), mask=np.eye(6)[3])}, "score: .* none is masked"),
    ({"score": None}, r"score: expected one dimension, found shape \(\)"),
    ({"relevant": None}, "relevant: expected only true and false"),
    ({"n_relevant": None}, "n_relevant: "),
    # What is wrong with one query or record names it; places count from 1.
    ({"query": ["d1", "d2", "d1"]}, "query d1: the id occurs more than once"),
    ({"weight": [1, 0, 1]}, "query d2: weight 0.0 is not a positive finite number"),
    ({"weight": [1, 1, -2]}, "query d3: weight -2.0 is not"),
    ({"weight": [1, np.nan, 1]}, "query d2: weight nan is not"),
    ({"weight": [np.inf, 1, 1]}, "query d1: weight inf is not"),
    (
        {"score": [1e-9, 0.5, 0.5, 2, np.nan, 3]},
        r"query d3, record 1 \(e\): score nan is not a finite number",
    ),
    ({"score": [1, 2, 2, np.inf, 1, 3], "record": None}, "query d1, record 4: score inf"),
    (
        {"score": [1e-9, 0.5, 0.4, 2, 1, 3]},
        r"query d1, record 3 \(c\): score 0.4 comes after 0.5, but ascending lists have",
    ),
    ({"score": [1, 2, 2, 2, 1, 0.5]}, r"query d3, record 2 \(f\): score 0.5 comes after"),
    (
        {"direction": "descending"},
        r"query d1, record 2 \(b\): score 0.5 comes after 1e-09, but descending lists have",
    ),
    (
        {"n_relevant": [1, 3, 1]},
        "query d1: 2 relevant records were retrieved, but n_relevant says the database has 1",
    ),
    ({"n_relevant": [2, -1, 1]}, "query d2: 0 relevant records .* has -1"),
]


@pytest.mark.parametrize(("changes", "message"), INCONSISTENT)
def test_inconsistent_lists_are_refused(changes, message):
    refuses(message, good, **changes)
    if changes.keys() == {"weight"}:
        refuses(message, good().with_weights, changes["weight"])


def test_lists_are_copies_that_never_change():
    score, weight = np.array(GOOD["score"]), np.array([1.0, 2.0, 3.0])
    lists = good(score=score)
    weighted = lists.with_weights(weight)
    score[0], weight[0] = 7, 9
    assert lists.score[0] == 1e-9
    assert weighted.weight.tolist() == [1, 2, 3]
    view = lists.subset([True, False, True]).with_weights([1, 2]).subset([True, True])
    for each in (lists, view):
        for name in ARRAYS:
            with pytest.raises(ValueError, match="read-only"):
                getattr(each, name)[0] = getattr(each, name)[1]
            with pytest.raises(AttributeError, match=f"cannot assign to field '{name}'"):
                setattr(each, name, None)


def test_subset_keeps_what_belongs_to_its_queries():
    part = good().subset([False, True, True])
    own = {name: GOOD[name][1:] for name in PER_QUERY[:-1]}
    records = {name: GOOD[name][4:] for name in PER_RECORD}
    expected = own | records | {"rows": [1, 2], "offset": [0, 0, 2]}
    assert {name: getattr(part, name).tolist() for name in ARRAYS} == expected
    assert repr(part) == "<RetrievalLists: 2 queries, 2 records, ascending>"
    part = good().with_weights([5, 6, 7]).subset([True, False, True])
    assert part.weight.tolist() == [5, 7]
    again = part.subset([False, True])
    assert again.weight.tolist() == [7]
    assert again.whole is part.whole
    assert again.query.tolist() == again.whole.query[again.rows].tolist() == ["d3"]


@pytest.mark.parametrize("mask", [[True], [0, 1, 2], [1, 0, 1], np.ones((3, 1), bool)])
def test_wrong_masks_and_other_names_are_refused(mask):
    refuses("mask: expected 3 booleans", good().subset, mask)
    for lists in (good(), good().subset([True, False, True])):
        with pytest.raises(AttributeError, match="'RetrievalLists' object has no attribute 'rank'"):
            lists.rank  # noqa: B018


def test_subset_copies_no_record_until_asked():
    lists = seeded_lists(0)
    part = lists.subset(np.arange(lists.n_queries) % 2 == 0)
    part = part.with_weights(np.arange(part.n_queries) + 1)
    m.tap_curve(part)
    for name in (*PER_RECORD, "offset"):
        with pytest.raises(AttributeError):
            vars(RetrievalLists)[name].__get__(part)  # an empty slot
    assert part.score is part.score  # copied once


# A plain value: it can be pickled and copied, and what is derived from it lives elsewhere.

COPIES = {
    "pickle": lambda lists: pickle.loads(pickle.dumps(lists)),  # noqa: S301  # our own
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}


def same(one, other):
    """Whether two lists hold the same, bit for bit."""
    arrays = (*PER_RECORD, *PER_QUERY[:-1], "offset", "n_irrelevant")
    return one.direction == other.direction and all(
        np.array_equal(a, b) if a is not None and b is not None else a is b
        for a, b in ((getattr(one, name), getattr(other, name)) for name in arrays)
    )


def compute_everything(lists):
    """Derive all that the measures keep of some lists, for several policies."""
    for ties in ("listed", "optimistic", "expected"):
        m.tap_curve(lists, ties=ties)
    m.errors_per_query(lists, 1.0)
    m.epq_distribution(lists, np.arange(9.0))
    m.roc_n(lists, n=3)
    m.pooled_roc_n(lists, n=3)
    m.influence(lists, k=1, n=3)
    m.mean_precision_recall(lists)
    m.average_roc(lists, band="percentile")
    m.coverage_vs_epq(lists, epq="median")
    m.reciprocal_rank(lists)
    m.eleven_point(lists)
    m.ipr_auc(lists)
    m.trapezoid_pr_auc(lists)


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("seed", [0, 1])
def test_lists_are_copied_after_any_measure(make, seed):
    lists = seeded_lists(seed)
    compute_everything(lists)
    for each in (lists, lists.subset(np.arange(lists.n_queries) % 2 == 0)):
        other = make(each)
        assert same(other, each)
        assert other.whole is other
        assert m.tap_curve(other).tap.tolist() == m.tap_curve(each).tap.tolist()
        for name in ("score", "relevant", "offset", "weight", "rows"):
            assert not getattr(other, name).flags.writeable


def test_what_is_unpickled_is_checked():
    make, arguments = good().__reduce__()
    with pytest.raises(ValueError, match="n_relevant says the database has 0"):
        make(*arguments[:3], np.zeros(3, int), *arguments[4:])


def test_a_subset_is_pickled_without_the_other_queries():
    lists = seeded_lists(0, n_queries=100)
    assert len(pickle.dumps(lists.subset(np.arange(100) < 5))) < len(pickle.dumps(lists)) / 5


ELSEWHERE = [
    *(partial(m.tap_k, k=k, short_lists="worst_score") for k in (1, 5)),
    partial(m.influence, k=1, n=3),
    partial(m.pooled_roc_n, n=3),
    partial(m.roc_n, n=3),
    *(
        m.average_roc,
        m.eleven_point,
        m.ipr_auc,
        m.mean_precision_recall,
        m.reciprocal_rank,
        m.tap_curve,
    ),
]


def test_measures_run_in_other_processes():
    """As by multiprocessing, or joblib, which pickle a function, lists and a result."""
    lists = seeded_lists(0)
    here = [measure(lists) for measure in ELSEWHERE]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        there = [pool.submit(measure, lists) for measure in ELSEWHERE]
        for mine, other in zip(here, there, strict=True):
            np.testing.assert_equal(other.result(), mine)


def test_what_is_derived_goes_with_the_lists():
    lists = seeded_lists(0)
    compute_everything(lists)
    compute_everything(lists.subset(np.arange(lists.n_queries) > 2))
    reference = weakref.ref(lists)
    del lists
    assert reference() is None  # at once, without waiting for a garbage collection


def test_derived_arrays_are_computed_once_for_each_policy():
    calls = []

    @derived()
    def total(lists, power, shift):
        calls.append((power, shift))
        return float((lists.score**power + shift).sum())

    @derived(keep=2)
    def latest(lists, power):
        calls.append((power,))
        return float((lists.score**power).sum())

    lists = good()
    part = lists.subset([True, False, False])
    results = {total(lists, 2, 1), total(part, 2, shift=1), total(lists, shift=1, power=2)}
    assert len(results) == 1
    assert calls == [(2, 1)]
    for power in (1, 2, 1, 3, 2, 1):  # the third leaves the first out, and so on
        latest(lists, power)
    assert calls[1:] == [(1,), (2,), (3,), (1,)]
    assert total(good(), 2, 1) in results
    assert calls[-1] == (2, 1)  # other lists


def test_threads_share_derived_arrays():
    lists = seeded_lists(0, n_queries=60)
    parts = [lists.subset(np.arange(60) >= first) for first in range(20)]
    expected = [m.tap_curve(rebuilt(part)).tap.tolist() for part in parts]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda part: m.tap_curve(part).tap.tolist(), parts * 3))
    assert found == expected * 3


@given(lists=views())
def test_views_hold_the_records_of_their_queries(lists):
    assert lists.offset[-1] == lists.score.size == lists.relevant.size
    for row in range(lists.n_queries):
        here = slice(*lists.offset[row : row + 2])
        place = lists.rows[row]
        there = slice(*lists.whole.offset[place : place + 2])
        assert lists.score[here].tolist() == lists.whole.score[there].tolist()
        assert lists.relevant[here].tolist() == lists.whole.relevant[there].tolist()
        assert lists.query[row] == lists.whole.query[place]
        assert lists.n_relevant[row] == lists.whole.n_relevant[place]


def test_row_of():
    part = good().subset([False, True, True])
    assert [part.row_of(one) for one in ("d3", np.str_("d3"), 0, -1)] == [1, 1, 0, 1]
    refuses("no query 'd1'", part.row_of, "d1", error=KeyError)
    refuses("no query 2: there are 2", part.row_of, 2, error=KeyError)


def test_from_records_sorts_each_query():
    columns = ([2, 0, 2, 0, 0], [3.0, 2.0, 1.0, 0.5, 0.5], [True, False, False, True, False])
    per_query = {"n_relevant": [1, 0, 1], "weight": [1, 2, 3], "query_class": list("pqr")}
    records = np.array(list("vwxyz"), object)
    lists = RetrievalLists.from_records(*columns, query=list("abc"), record=records, **per_query)
    assert lists.offset.tolist() == [0, 3, 3, 5]
    assert lists.score.tolist() == [0.5, 0.5, 2, 1, 3]
    assert ids_of(lists) == ["y", "z", "w", "x", "v"]
    assert lists.relevant.tolist() == [True, False, False, False, True]
    assert lists.weight.tolist() == [1, 2, 3]


def ids_of(lists):
    return [*map(str, lists.record)]


@pytest.mark.parametrize("direction", ["ascending", "descending"])
def test_from_records_breaks_ties_by_the_second_key_then_keeps_the_order(direction):
    def ranked(second=None):
        columns = ([0] * 4, [1.0] * 4, [False] * 4)
        record = np.array(list("wxyz"), object)
        options = {"query": ["a"], "record": record, "direction": direction, "second": second}
        return ids_of(RetrievalLists.from_records(*columns, n_relevant=[0], **options))

    assert ranked() == ["w", "x", "y", "z"]
    assert ranked([1, 9, 1, 5]) == ["x", "z", "w", "y"]


@given(
    records=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(SCORES), st.booleans())),
    direction=directions,
)
def test_from_records_loses_no_record(records, direction):
    row, score, relevant = zip(*records, strict=True) if records else ((),) * 3
    lists = RetrievalLists.from_records(
        row, score, relevant, n_relevant=[99] * 4, query=list("abcd"), direction=direction
    )
    rows = np.repeat(np.arange(4), np.diff(lists.offset)).tolist()
    found = zip(rows, lists.score.tolist(), lists.relevant.tolist(), strict=True)
    assert sorted(found) == sorted(records)


@pytest.mark.parametrize("row", [[0, 2], [-1, 0]])
def test_from_records_refuses_rows_that_are_no_query(row):
    with pytest.raises(ValueError, match="row: expected places of the queries, from 0 to 1"):
        RetrievalLists.from_records(row, [1, 2], [0, 0], n_relevant=[0, 0], query=["a", "b"])


def lists_of(queries, total=3, **options):
    score = [s for scores in queries.values() for s in scores]
    offset, totals = np.cumsum([0, *map(len, queries.values())]), [total] * len(queries)
    return RetrievalLists(score, [1] * len(score), offset, totals, query=list(queries), **options)


def test_align_gives_empty_lists_for_queries_without_a_hit():
    one = lists_of({"a": [1.0, 2.0], "b": [3.0]}, query_class=["x", "y"])
    two = lists_of({"c": [4.0], "b": [5.0, 6.0]}, record=["s", "t", "u"], weight=[2, 1])
    aligned = align({"one": one, "two": two})
    for lists in aligned.values():
        assert lists.query.tolist() == ["a", "b", "c"]
        assert lists.n_relevant.tolist() == [3, 3, 3]
        assert lists.weight.tolist() == [1, 1, 2]
        assert lists.query_class.tolist() == ["x", "y", ""]
    assert aligned["one"].offset.tolist() == [0, 2, 3, 3]
    assert aligned["one"].score.tolist() == [1, 2, 3]
    assert aligned["two"].offset.tolist() == [0, 0, 2, 3]
    assert aligned["two"].score.tolist() == [5, 6, 4]
    assert ids_of(aligned["two"]) == ["t", "u", "s"]


def test_align_returns_lists_that_agree_as_they_are_and_orders_the_others():
    one, two = lists_of({"a": [1.0], "b": []}), lists_of({"a": [], "b": [2.0]})
    aligned = align({"one": one, "two": two, "turned": lists_of({"b": [3.0], "a": [4.0]})})
    assert aligned["one"] is one
    assert aligned["two"] is two
    assert aligned["turned"].query.tolist() == ["a", "b"]
    assert aligned["turned"].score.tolist() == [4, 3]
    assert align({}) == {}


NOT_COMPARABLE = [
    ({"total": 4}, r"query a: one has 3 relevant records in the database, T\(q\), two has 4"),
    ({"direction": "descending"}, "one has ascending scores and two descending ones"),
    ({"weight": [2.0]}, "query a: one has 1 as its weight, two has 2"),
]


@pytest.mark.parametrize(("other", "message"), NOT_COMPARABLE)
def test_align_refuses_what_cannot_be_compared(other, message):
    one, two = lists_of({"a": [1.0]}), lists_of({"a": [1.0]}, **other)
    refuses(message, align, {"one": one, "two": two})
