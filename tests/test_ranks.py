"""Measures of ranks and sets: by hand, by plain loops, trec_eval; one list laid out for reading."""

import math
import warnings
from functools import cache
from math import inf, nan
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import measures as m
from tapviz.labels import Qrels
from tapviz.lists import RetrievalLists
from tests import twins
from tests.hits import trec_hits
from tests.refused import refuses
from tests.strategies import any_lists, rebuilt, seeded_lists, signed, thresholds
from tests.test_golden import TAPK, computed, load
from tests.test_golden import name as called
from tests.twins import GOLDEN, Query, build, close, golden, plain

TREC = golden("trec/cases.json")["cases"]
RANKS = golden("misc/cases.json")["rank measures (definition)"]
COMMON = "mean_over_common_queries (trec_eval default)"
ALL = "mean_over_all_qrels_queries (trec_eval -c; numbers that count sum to 0)"

ONE = build([Query(4, 1.0, [(1, False), (2, True), (3, False), (3, True), (4, True)])])
ORDERS = ("optimistic", "pessimistic")
LEVELS = [place / 10 for place in range(11)]


def labelled(labels, total):
    """One list whose scores all differ."""
    return build([Query(total, 1.0, [(float(r), bool(y)) for r, y in enumerate(labels)])])


def test_by_hand():
    # I R, then I and R share a score, then R; 3 of 4 found.
    assert m.precision_at(ONE, k=2).per_query == close([1 / 2])
    assert m.precision_at(ONE, k=3).per_query == close([1 / 3])
    assert m.precision_at(ONE, k=3, ties="optimistic").per_query == close([2 / 3])
    assert m.precision_at(ONE, k=3, ties="pessimistic").per_query == close([1 / 3])
    assert m.precision_at(ONE, k=10).per_query == close([3 / 10])
    assert m.recall_at(ONE, k=3).per_query == close([1 / 4])
    assert m.recall_at(ONE, k=3, ties="optimistic").per_query == close([2 / 4])
    assert m.recall_at(ONE, k=100).per_query == close([3 / 4])
    assert m.reciprocal_rank(ONE).per_query == close([1 / 2])
    assert m.total_reciprocal_rank(ONE).per_query == close([1 / 2 + 1 / 4 + 1 / 5])
    better = m.total_reciprocal_rank(ONE, ties="optimistic")
    assert (better.per_query, better.ties) == (close([1 / 2 + 1 / 3 + 1 / 5]), "optimistic")


def test_sets_by_hand():
    found = m.f_measure(ONE)
    assert (found.precision.value, found.recall.value) == (close(3 / 5), close(3 / 4))
    assert found.f.value == close(2 * 0.6 * 0.75 / 1.35)
    assert (found.e0, found.beta, found.f.ties) == (None, 1, "")
    at = m.f_measure(ONE, 3, beta=2)
    # The threshold takes in the whole tie block: 2 of 4, and 2 of T = 4.
    assert (at.precision.value, at.recall.value) == close((1 / 2, 1 / 2))
    assert at.f.value == close(5 * 0.25 / (4 * 0.5 + 0.5))
    assert (at.e0, at.beta) == (3, 2)
    nothing = m.f_measure(ONE, 0.5)
    assert (nothing.precision.value, nothing.recall.value, nothing.f.value) == (0, 0, 0)
    # More weight on recall moves F from precision towards it.
    assert m.f_measure(ONE, beta=100).f.value == pytest.approx(3 / 4, abs=1e-4)
    assert m.f_measure(ONE, beta=0.01).f.value == pytest.approx(3 / 5, abs=1e-4)


def test_eleven_points_by_hand():
    # Precisions 1/2, 2/4, 3/5 at recalls 1/4, 2/4, 3/4: the last is the best of all.
    found = m.eleven_point(ONE)
    assert (found.recall, found.precision) == (close(LEVELS), close([3 / 5] * 8 + [0] * 3))
    assert found.average.value == close(8 * 0.6 / 11)
    # R I R R: 1, then 3/4 from recall 1/3 on.
    found = m.eleven_point(labelled([1, 0, 1, 1], 3))
    assert found.per_query[0] == close([1] * 4 + [3 / 4] * 7)
    # Levels are reached exactly: a third is at 0.3, and two of ten at 0.2.
    found = m.eleven_point(labelled([1, 1], 10))
    assert found.per_query[0] == close([1] * 3 + [0] * 8)


def test_levels_of_trec_eval_by_hand():
    # R I R of three: precision 1 at recall 1/3, 2/3 at 2/3; the third is never found.
    lists = labelled([1, 0, 1], 3)
    exact = m.eleven_point(lists)
    assert exact.per_query[0] == close([1] * 4 + [2 / 3] * 3 + [0] * 4)
    # Three times 0, 0.1, ..., 1, rounded: 0 0 1 1 1 2 2 2 2 3 3.
    rounded = m.eleven_point(lists, levels="trec_eval")
    assert rounded.per_query[0] == close([1] * 5 + [2 / 3] * 4 + [0] * 2)
    assert rounded.average.value == close((5 + 4 * 2 / 3) / 11)
    assert (exact.levels, rounded.levels) == ("exact", "trec_eval")
    curve = m.mean_precision_recall(lists, [0.8], levels="trec_eval")
    assert (curve.precision, curve.levels) == (close([2 / 3]), "trec_eval")
    # Halves go up: of five, 0.1 asks for one and 0.3 for two.
    halves = m.eleven_point(labelled([0, 1, 1], 5), levels="trec_eval")
    assert halves.per_query[0] == close([2 / 3] * 5 + [0] * 6)
    assert m.eleven_point(labelled([0], 3), levels="trec_eval").per_query[0] == close([0] * 11)
    refuses(r"levels 'nearest': expected", m.eleven_point, lists, levels="nearest")


def trec_eval_10(relevant, total):
    """Interpolated precision at eleven levels, walking up from the end as trec_eval 10 does."""
    wanted = [math.floor(x / 10 * total + 0.5) for x in range(11)]
    found, best = sum(relevant), 0.0
    points = [0.0] * 11
    for rank in range(len(relevant), 0, -1):
        best = max(best, found / rank)
        if relevant[rank - 1]:
            for level, count in enumerate(wanted):
                if count == found or (count == 0 and found == 1):
                    points[level] = best
            found -= 1
    return points


@given(any_lists)
def test_levels_of_trec_eval_against_its_own_loop(lists):
    found = m.eleven_point(lists, levels="trec_eval").per_query
    for row, query in zip(found, plain(lists), strict=True):
        if query.total:
            assert row == close(trec_eval_10([hit for _, hit in query.records], query.total))
        else:
            assert np.isnan(row).all()


def test_means_and_what_they_leave_out():
    lists = build(
        [
            Query(2, 1.0, [(1, True)]),
            Query(0, 50.0, [(1, False)]),
            Query(1, 3.0, []),
            Query(1, 2.0, [(1, False), (2, True)]),
        ]
    )
    found = m.reciprocal_rank(lists)
    assert found.per_query == close([1, nan, 0, 1 / 2])
    assert found.value == close((1 * 1 + 2 / 2) / 6)
    assert (found.n_no_relevant, found.n_empty, found.reason) == (1, 1, "")
    # Over queries with records only, as trec_eval averages without -c.
    some = m.reciprocal_rank(lists.subset(np.diff(lists.offset) > 0))
    assert some.value == close((1 + 2 / 2) / 3)
    assert (some.n_no_relevant, some.n_empty) == (1, 0)


SCORES = (
    lambda lists: m.precision_at(lists, k=3),
    lambda lists: m.recall_at(lists, k=3),
    m.reciprocal_rank,
    m.total_reciprocal_rank,
    lambda lists: m.f_measure(lists).f,
    lambda lists: m.f_measure(lists).precision,
    lambda lists: m.eleven_point(lists).average,
)


@pytest.mark.parametrize("scores", SCORES)
def test_undefined(scores):
    nothing = scores(build([]))
    assert np.isnan(nothing.value)
    assert nothing.reason == "there is no query"
    barren = scores(build([Query(0, 1.0, [(1, False)]), Query(0, 1.0, [])]))
    assert np.isnan([barren.value, *barren.per_query]).all()
    assert barren.reason == "no query has a relevant record"
    assert (barren.n_no_relevant, barren.n_empty) == (2, 0)
    assert np.isnan(m.eleven_point(build([])).precision).all()


def test_bad_arguments():
    for k in (0, -1, 2.5, True, nan, "3"):
        for function in (m.precision_at, m.recall_at):
            refuses("expected a whole number of records", function, ONE, k=k)
    for beta in (0, -1, inf, nan):
        refuses(r"beta = .*expected a positive number", m.f_measure, ONE, beta=beta)
    refuses("e0 is NaN", m.f_measure, ONE, nan)
    # The mean over orders and block ends are rules of sums of precisions only.
    for rule in ("expected", "block", "random"):
        refuses('expected "listed", "optimistic"', m.reciprocal_rank, ONE, ties=rule)


def slow(lists, k, e0, beta):
    values = {name: [] for name in ("P", "R", "RR", "TRR", "set P", "set R", "F")}
    for query in plain(lists):
        first = [relevant for _, relevant in query.records[:k]]
        ranks = [rank for rank, (_, relevant) in enumerate(query.records, 1) if relevant]
        seen = twins.retrieved(lists, query, e0)
        precision = sum(seen) / len(seen) if seen else 0
        recall = sum(seen) / query.total if query.total else nan
        f = 0.0
        if precision > 0:
            f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        row = {
            "P": sum(first) / k,
            "R": sum(first) / query.total if query.total else nan,
            "RR": 1 / ranks[0] if ranks else 0,
            "TRR": sum(1 / rank for rank in ranks),
            "set P": precision,
            "set R": recall,
            "F": f,
        }
        for name, value in row.items():
            values[name].append(value if query.total else nan)
    return values


def compare(lists, k, e0, beta):
    sets = m.f_measure(lists, e0, beta=beta)
    found = {
        "P": m.precision_at(lists, k=k),
        "R": m.recall_at(lists, k=k),
        "RR": m.reciprocal_rank(lists),
        "TRR": m.total_reciprocal_rank(lists),
        "set P": sets.precision,
        "set R": sets.recall,
        "F": sets.f,
    }
    weights = lists.weight.tolist()
    barren = int((lists.n_relevant == 0).sum())
    empty = sum(not q.records and q.total > 0 for q in plain(lists))
    for name, expected in slow(lists, k, e0, beta).items():
        assert found[name].per_query == close(expected)
        assert found[name].value == close(twins.mean(expected, weights))
        assert (found[name].n_no_relevant, found[name].n_empty) == (barren, empty)
        assert bool(found[name].reason) == np.isnan(found[name].value)


@given(any_lists, st.integers(1, 11), thresholds, st.sampled_from((1.0, 0.5, 3.0)))
def test_against_plain_loops(lists, k, e0, beta):
    compare(lists, k, signed(lists, e0), beta)
    everything = m.f_measure(lists, beta=beta)
    ends = m.f_measure(lists, signed(lists, inf), beta=beta)
    assert everything.f.per_query == close(ends.f.per_query)


@pytest.mark.parametrize("seed", range(4))
def test_longer_lists_against_plain_loops(seed):
    lists = seeded_lists(seed)
    for some in (lists, lists.subset(np.arange(lists.n_queries) % 2 > 0)):
        for k in (1, 7, 100):
            compare(some, k, signed(some, 1e-3), 1.0)


@given(any_lists)
def test_eleven_points_are_those_of_the_mean_curve(lists):
    found = m.eleven_point(lists)
    assert found.precision == close(twins.mean_precision_recall(lists, LEVELS))
    rows = np.arange(lists.n_queries)
    alone = [m.mean_precision_recall(lists.subset(rows == q), LEVELS).precision for q in rows]
    assert found.per_query.ravel() == close(np.array(alone).ravel())
    assert found.average.per_query == close([np.mean(row) for row in alone])
    assert found.average.value == close(found.precision.mean())


@given(any_lists, st.integers(1, 11))
def test_an_order_of_ties_is_that_of_the_reordered_lists(lists, k):
    for rule in ORDERS:
        other = m.reorder(lists, rule)
        for measure, at in (
            (m.precision_at, {"k": k}),
            (m.recall_at, {"k": k}),
            (m.reciprocal_rank, {}),
            (m.total_reciprocal_rank, {}),
            (lambda *of, **options: m.eleven_point(*of, **options).average, {}),
        ):
            one = measure(lists, **at, ties=rule)
            assert one.ties == rule
            np.testing.assert_array_equal(one.per_query, measure(other, **at).per_query)
    for scores in (m.precision_at, m.recall_at):
        low, high = (scores(lists, k=k, ties=rule).per_query for rule in ORDERS[::-1])
        middle = scores(lists, k=k).per_query
        defined = lists.n_relevant > 0
        assert (low[defined] <= middle[defined]).all()
        assert (middle[defined] <= high[defined]).all()


@pytest.mark.parametrize("case", RANKS, ids=lambda case: f"{len(case['labels'])}-{case['T']}")
def test_golden_rank_measures(case):
    lists = labelled(case["labels"], case["T"])
    sets = m.f_measure(lists)
    assert sets.precision.value == close(case["precision"])
    assert (sets.recall.value, sets.f.value) == (close(case["recall"]), close(case["F1"]))
    assert m.reciprocal_rank(lists).value == close(case["RR"])
    assert m.total_reciprocal_rank(lists).value == close(case["TRR"])
    assert m.average_precision(lists).per_query == close([case["AP"]])
    for k, expected in case["P@k"].items():
        assert m.precision_at(lists, k=int(k)).value == close(expected)
    for k, expected in case["R@k"].items():
        assert m.recall_at(lists, k=int(k)).value == close(expected)


@cache
def trec_lists(run, qrels):
    """Lists of all judged queries; what was found for others is left out."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no label")
        return Qrels.read(GOLDEN / "trec" / qrels).lists(trec_hits(run))


def trec_points(lists):
    """Interpolated precision of each query at each level, by the rule of trec_eval 9.

    Of three relevant records it takes the int(0.7 * 3 + 0.9)-th, and 64-bit floats make that the
    second: query q2 of v03 finds two.
    """
    assert int(0.7 * 3 + 0.9) == 2
    return m.eleven_point(lists, ties="docid", levels="trec_eval 9").per_query


def trec_numbers(lists):
    """Compute the measures of trec_eval that are offered, of each query."""
    sets, points = m.f_measure(lists), trec_points(lists)
    found = {
        "num_ret": np.diff(lists.offset).astype(float),
        "num_rel": lists.n_relevant.astype(float),
        "map": m.average_precision(lists, ties="docid").per_query,
        "recip_rank": m.reciprocal_rank(lists, ties="docid").per_query,
        "11pt_avg": points.mean(axis=1),
        "set_P": sets.precision.per_query,
        "set_recall": sets.recall.per_query,
        "set_F": sets.f.per_query,
    }
    for level, column in zip(LEVELS, points.T, strict=True):
        found[f"iprec_at_recall_{level:.2f}"] = column
    for k in (1, 5, 10, 20):
        found[f"P_{k}"] = m.precision_at(lists, k=k, ties="docid").per_query
    for k in (5, 10, 100):
        found[f"recall_{k}"] = m.recall_at(lists, k=k, ties="docid").per_query
    for k in (5, 10):
        found[f"map_cut_{k}"] = m.average_precision_at(lists, k=k, ties="docid").per_query
    for k in (1, 5):
        found[f"success_{k}"] = m.success_at(lists, k=k, ties="docid").per_query
    found["Rprec"] = m.r_precision(lists, ties="docid").per_query
    return found


# A count within the others.
NOT_OFFERED = {"num_rel_ret"}


@pytest.mark.parametrize("case", TREC, ids=lambda case: case["id"])
def test_golden_trec(case):
    lists = trec_lists(case["run"], case["qrels"])
    found = trec_numbers(lists)
    judged = {*lists.query.tolist()} - {*case["queries_only_in_qrels"]}
    assert judged == {*case["per_query"]}
    for query, expected in case["per_query"].items():
        assert set(expected) - set(found) == NOT_OFFERED
        row = lists.row_of(query)
        # trec_eval scores 0 where nothing is relevant (q2 of v05); undefined and left out here.
        undefined = expected["num_rel"] == 0
        for name, values in found.items():
            if undefined and not name.startswith("num_"):
                assert expected[name] == 0
                assert np.isnan(values[row])
            else:
                assert values[row] == close(expected[name])
        assert expected["num_rel_ret"] == lists.subset(lists.query == query).relevant.sum()


@pytest.mark.parametrize("case", TREC, ids=lambda case: case["id"])
def test_golden_means_of_trec(case):
    everything = trec_lists(case["run"], case["qrels"])
    common = everything.subset(np.diff(everything.offset) > 0)
    assert common.n_queries == len(case["per_query"])
    for lists, expected in ((everything, case[ALL]), (common, case[COMMON])):
        # Queries without relevant records are in trec_eval's mean, with 0.
        share = (lists.n_relevant > 0).mean()
        assert share == (2 / 3 if case["id"] == "v05" else 1)
        for name, values in trec_numbers(lists).items():
            if not name.startswith("num_"):
                assert np.nanmean(values) * share == close(expected[name]), name
    ir_measures = case["ir_measures_aggregate"]
    share = (everything.n_relevant > 0).mean()
    mean_ap = np.nanmean(m.average_precision(everything, ties="docid").per_query)
    assert mean_ap * share == close(ir_measures["AP"])
    assert m.reciprocal_rank(everything, ties="docid").value * share == close(ir_measures["RR"])
    assert m.precision_at(everything, k=5, ties="docid").value * share == close(ir_measures["P@5"])
    assert m.recall_at(everything, k=5, ties="docid").value * share == close(ir_measures["R@5"])


def test_the_order_by_id_matters_in_a_golden_case():
    (case,) = (case for case in TREC if case["ties"])
    lists = trec_lists(case["run"], case["qrels"])
    # Wrong orders must be seen to differ from the golden numbers, or the cases show nothing.
    ids = ["".join(chr(0x10000 - ord(letter)) for letter in name) for name in lists.record]
    both = (lists, rebuilt(lists, record=ids))
    right, wrong = (m.average_precision(one, ties="docid").value for one in both)
    assert right == close(case[ALL]["map"])
    assert wrong != close(case[ALL]["map"])


def test_first_records_by_hand():
    """Relevant at ranks 2, 4 and 5, of which ranks 3 and 4 tie; T = 4."""
    assert [m.success_at(ONE, k=k).value for k in (1, 2)] == [0, 1]
    assert m.average_precision_at(ONE, k=4).value == pytest.approx((1 / 2 + 2 / 4) / 4)
    assert m.average_precision_at(ONE, k=5).value == m.average_precision(ONE).value
    assert m.r_precision(ONE).value == 2 / 4
    biased = m.rank_biased_precision(ONE, persistence=0.5)
    assert biased.value == pytest.approx(0.5 * (1 / 2 + 1 / 8 + 1 / 16))
    refuses("expected a probability", m.rank_biased_precision, ONE, persistence=1)


@given(any_lists, st.integers(1, 12), st.sampled_from((0.5, 0.8)))
def test_first_records_as_their_definitions_read(lists, k, p):
    expected = [twins.text_retrieval(query, k, p) for query in plain(lists)]
    for name, found in (
        ("success", m.success_at(lists, k=k)),
        ("map", m.average_precision_at(lists, k=k)),
        ("r_precision", m.r_precision(lists)),
        ("rbp", m.rank_biased_precision(lists, persistence=p)),
    ):
        assert found.per_query == close([one[name] for one in expected])


POLICIES = get_args(m.NoRelevant)


def made(relevant, total, *, descending=False, **more):
    """One list of records like "RIR", with scores 1, 2, ..."""
    score = np.arange(1.0, len(relevant) + 1) * (-1 if descending else 1)
    more |= {"query": ["q"], "direction": "descending" if descending else "ascending"}
    labels = [letter == "R" for letter in relevant]
    return RetrievalLists(score, labels, [0, len(relevant)], [total], **more)


def test_rows_and_terms_worked_by_hand():
    found = m.ranked_list(made("RIRIIRI", 5, record=list("abcdefg")), "q", 5.0)
    assert found.rank.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert found.record.tolist() == list("abcdefg")
    assert found.score.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert found.precision == pytest.approx([1, 1 / 2, 2 / 3, 2 / 4, 2 / 5, 3 / 6, 3 / 7])
    assert (found.n_retrieved, found.n_found, found.n_never) == (5, 2, 2)
    assert found.term == pytest.approx([1, 0, 2 / 3, 0, 0, 0, 0])
    assert found.tpir.tolist() == [False, False, False, True, True, False, False]
    assert (found.summed, found.sentinel) == (pytest.approx(5 / 3), pytest.approx(2 / 5))
    assert found.tap == pytest.approx((5 / 3 + 2 / 5) / 6)


BY_HAND = {
    "a relevant sentinel counts twice": (
        "RIR",
        2,
        3.0,
        (3, 2, 0),
        (1 + 2 / 3 + 2 / 3) / 3,
        2 / 3,
        [],
    ),
    "all are relevant": ("RRR", 3, 3.0, (3, 3, 0), 1, 1, []),
    "nothing is retrieved before the first": ("RI", 1, 0.5, (0, 0, 0), 0, 0, []),
    "errors alone are retrieved": ("IIR", 1, 2.0, (2, 0, 0), 0, 0, [1, 2]),
    "an empty list": ("", 3, 1.0, (0, 0, 3), 0, 0, []),
    "descending scores": ("RII", 1, -2.0, (2, 1, 0), (1 + 1 / 2) / 2, 1 / 2, [2]),
}
"""Relevance, T and a threshold; how many are retrieved, found, and never; TAP, sentinel, TPIRs."""


@pytest.mark.parametrize("case", BY_HAND.values(), ids=BY_HAND)
def test_equation_1_by_hand(case):
    relevant, total, e0, counts, tap, sentinel, tpir = case
    found = m.ranked_list(made(relevant, total, descending=e0 < 0), 0, e0)
    assert (found.n_retrieved, found.n_found, found.n_never) == counts
    assert (found.tap, found.sentinel) == (pytest.approx(tap), pytest.approx(sentinel))
    assert found.summed == pytest.approx(tap * (total + 1) - sentinel)
    assert found.rank[found.tpir].tolist() == tpir
    assert found.precision.size == found.rank.size == len(relevant)


NO_RELEVANT = [("reference", 1 / 3), ("zero", 0), ("exclude", float("nan"))]


@pytest.mark.parametrize(("rule", "value"), NO_RELEVANT)
def test_a_query_without_relevant_records(rule, value):
    found = m.ranked_list(made("III", 0), 0, 2.0, no_relevant=rule)
    assert found.tap == pytest.approx(value, nan_ok=True)
    assert found.no_relevant == rule


def test_bad_input_is_refused():
    lists = made("RI", 1)
    refuses("no query 'x'", m.ranked_list, lists, "x", 1.0, error=KeyError)
    refuses("e0 is NaN: expected a threshold", m.ranked_list, lists, 0, float("nan"))
    refuses("no_relevant 'x': expected", m.ranked_list, lists, 0, 1.0, no_relevant="x")


def agrees(lists, e0, **policy):
    """Every query's Equation (1) equals the TAP that `tap` computes for all queries at once."""
    at = m.tap(lists, e0, **policy)
    for row, query in enumerate(lists.query.tolist()):
        found = m.ranked_list(lists, query, e0, **policy)
        np.testing.assert_array_equal(found.tap, at.per_query[row])
        assert (found.n_retrieved, found.n_found) == (at.retrieved[row], at.relevant[row])
        if found.n_relevant:
            assert (found.summed + found.sentinel) / (found.n_relevant + 1) == found.tap


@given(any_lists, thresholds)
def test_the_sum_is_the_tap_of_any_list(lists, threshold):
    for rule in POLICIES:
        agrees(lists, signed(lists, threshold), no_relevant=rule)


@given(any_lists, thresholds)
def test_rows_of_any_list(lists, threshold):
    e0 = signed(lists, threshold)
    for row in range(lists.n_queries):
        found = m.ranked_list(lists, row, e0)
        seen, terms, last = 0, [], 0
        for rank, relevant in enumerate(found.relevant.tolist(), start=1):
            seen += relevant
            assert found.precision[rank - 1] == seen / rank
            inside = lists.sign * found.score[rank - 1] <= lists.sign * e0
            terms.append(seen / rank if relevant and inside else 0)
            last = rank if relevant and inside else last
        assert found.term.tolist() == terms
        places = (np.flatnonzero(found.tpir) + 1).tolist()
        assert places == list(range(last + 1, found.n_retrieved + 1))
        assert found.n_never == found.n_relevant - seen


@pytest.mark.parametrize("case", TAPK, ids=called)
def test_the_sum_is_the_tap_of_golden_cases(case):
    whole = computed(case)
    lists = load("tapk", case["file"], case["direction"])
    if np.isfinite(whole.e0):
        agrees(lists, whole.e0)
