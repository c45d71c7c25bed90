"""Areas under precision against recall: by hand, plain loops, bc-evaluate and scikit-learn."""

import warnings
from functools import cache
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import Qrels, read
from tapviz import measures as m
from tapviz.measures._common import as_lists
from tapviz.measures.interpolated import _micro_points
from tests import twins
from tests.refused import refuses
from tests.strategies import any_lists, seeded_lists
from tests.twins import GOLDEN, Query, build, close, golden, plain

BC = golden("bc/cases.json")["cases"]
ROC = golden("roc/cases.json")["cases"]
(EXAMPLES,) = (one for one in golden("sources/cases.json") if one["id"] == "biocreative_example")
OLD, OLD_ALL, NEW = "bc-evaluate 2.3.1", "bc-evaluate 2.3.1 --all", "bc-evaluate 3.2"

# R I R R I and one relevant record missed; and a list without hits; and a shorter one.
RIRRI = Query(4, 1.0, [(1, True), (2, False), (3, True), (4, True), (5, False)])
THREE = build([RIRRI, Query(2, 1.0, []), Query(1, 2.0, [(1, False), (2, True)])])


def test_curve_by_hand():
    found = m.interpolated_precision_recall(THREE, 0)
    assert found.recall == close([1 / 4, 2 / 4, 3 / 4])
    # 1, 2/3, 3/4: the last is better than the second.
    assert found.precision == close([1, 3 / 4, 3 / 4])
    assert (found.n_relevant, found.ties) == (4, "listed")
    assert m.interpolated_precision_recall(THREE, "2").recall.size == 0
    refuses("no query", m.interpolated_precision_recall, THREE, "9", error=KeyError)


def test_auc_by_hand():
    found = m.ipr_auc(THREE)
    own = (1 + 3 / 4 + 3 / 4) / 4
    assert found.per_query == close([own, 0, 1 / 2])
    assert found.value == close((own + 0 + 2 / 2) / 4)
    assert (found.n_queries, found.n_empty, found.n_no_relevant, found.reason) == (3, 1, 0, "")
    spoken = m.ipr_auc(THREE, silent="exclude")
    assert spoken.per_query == close([own, nan, 1 / 2])
    assert spoken.value == close((own + 2 / 2) / 3)
    assert (spoken.n_queries, spoken.n_empty) == (2, 1)


def test_micro_average_by_hand():
    # First 1, 2, ... records of both lists: 1 of 2, 2 of 4, 3 of 5, 4 of 6, 4 of 7; T = 7.
    best = [4 / 6] * 4
    assert m.ipr_auc(THREE, average="micro").value == close(sum(best) / 7)
    assert m.ipr_auc(THREE, average="micro", silent="exclude").value == close(sum(best) / 5)
    # A query with nothing to find is left out, with its errors.
    barren = build([RIRRI, Query(0, 1.0, [(1, False)] * 3)])
    assert m.ipr_auc(barren, average="micro").value == close((1 + 3 / 4 + 3 / 4) / 4)
    assert m.ipr_auc(barren, average="micro").n_no_relevant == 1


def test_trapezoid_by_hand():
    # From (0, 1): 1 at 1/4, 1/2 there, 2/3 at 2/4, 3/4 at 3/4.
    found = m.trapezoid_pr_auc(THREE, ties="listed")
    assert found.per_query[0] == close((1 + (1 / 2 + 2 / 3) / 2 + (2 / 3 + 3 / 4) / 2) / 4)
    # After the miss at the first rank the line starts at (0, 0).
    assert found.per_query[2] == close((0 + 1 / 2) / 2)
    tied = build([Query(2, 1.0, [(1, False), (1, True), (2, True)])])
    assert m.trapezoid_pr_auc(tied).value == close(((1 + 1 / 2) / 2 + (1 / 2 + 2 / 3) / 2) / 2)
    better = m.trapezoid_pr_auc(tied, ties="optimistic")
    assert better.value == close((1 + (1 / 2 + 2 / 3) / 2) / 2)
    assert better.ties == "optimistic"


def test_act_by_hand():
    positive, rank, relevant = [0, 1, 0, 1, 0], [1, 2, 3, 1, 2], [0, 1, 1, 0, 0]
    found = m.act_ranking(positive, rank, relevant, n_relevant=3, record=[*"abcde"])
    assert found.record.tolist() == ["d", "b", "c", "e", "a"]
    assert found.relevant.tolist() == [False, True, True, False, False]
    assert found.score.tolist() == [1, 2, 3, 4, 5]
    assert (found.n_relevant.tolist(), found.query.tolist()) == ([3], ["ACT"])
    assert m.act_ranking([1, 0], [1, 1], [1, 1]).n_relevant.tolist() == [2]


def test_classification_by_hand():
    found = m.classification([1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0])
    counts = (found.true_positive, found.false_positive, found.true_negative, found.false_negative)
    assert counts == (2, 1, 3, 1)
    assert found.accuracy == close(5 / 7)
    assert found.sensitivity == close(2 / 3)
    assert found.specificity == close(3 / 4)
    assert found.mcc == close((2 * 3 - 1 * 1) / (3 * 3 * 4 * 4) ** 0.5)
    assert found.reason == ""
    assert m.classification([1, 0], [1, 0]).mcc == 1
    assert m.classification([1, 0], [0, 1]).mcc == -1


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=30))
def test_mcc_is_the_correlation_of_both_classes(pairs):
    positive, relevant = np.array(pairs).T
    found = m.classification(positive, relevant)
    if positive.std() == 0 or relevant.std() == 0:
        assert found.mcc == 0
        assert found.reason.endswith("MCC is 0 by convention")
    else:
        assert found.mcc == close(np.corrcoef(positive, relevant)[0, 1])
        assert found.reason == ""
    assert found.accuracy == close((positive == relevant).mean())


def test_undefined_classification():
    nothing = m.classification([], [])
    scores = [nothing.mcc, nothing.accuracy, nothing.sensitivity, nothing.specificity]
    assert np.isnan(scores).all()
    assert nothing.reason == "there is no article"
    one = m.classification([1, 1], [1, 1])
    assert (one.mcc, one.accuracy, one.sensitivity) == (0, 1, 1)
    assert np.isnan(one.specificity)
    why = "all articles are relevant; all articles were classified as positive"
    assert one.reason == f"{why}; MCC is 0 by convention"
    assert np.isnan(m.classification([1, 0], [0, 0]).sensitivity)


def test_undefined_area():
    for average in ("macro", "micro"):
        policy = {"average": average}
        nothing = m.ipr_auc(build([]), **policy)
        assert np.isnan(nothing.value)
        assert nothing.reason == "there is no query"
        barren = m.ipr_auc(build([Query(0, 1.0, [(1, False)])]), **policy)
        assert np.isnan([barren.value, *barren.per_query]).all()
        assert barren.reason == "no query has a relevant record"
        silent = build([Query(3, 1.0, []), Query(1, 1.0, [])])
        assert m.ipr_auc(silent, **policy).value == 0
        left_out = m.ipr_auc(silent, silent="exclude", **policy)
        assert np.isnan(left_out.value)
        assert left_out.reason.startswith("all queries with a relevant record have empty lists")


def test_bad_arguments():
    for options, message in (
        ({"average": "median"}, 'expected "macro" or "micro"'),
        ({"silent": "drop"}, 'expected "include" or "exclude"'),
        ({"ties": "expected"}, 'expected "listed", "optimistic"'),
        ({"ties": "docid"}, "no ids"),
    ):
        refuses(message, m.ipr_auc, THREE, **options)
    refuses('expected "listed", "optimistic"', m.trapezoid_pr_auc, THREE, ties="expected")
    good = {"positive": [1, 1, 0], "rank": [1, 2, 1], "relevant": [1, 0, 0]}
    for wrong, message in (
        ({"rank": [1, 3, 1]}, "expected 1 to 2 for the positive articles.*found 3 in place of 2"),
        ({"rank": [1, 1, 1]}, "found 1 in place of 2"),
        ({"rank": [1, 2, 0]}, "expected 1 to 1 for the negative articles.*found 0 in place of 1"),
        ({"rank": [1, 2]}, "expected one per article, 3"),
        ({"positive": [1, 2, 0]}, "positive: expected one dimension of true and false"),
        ({"positive": [1, 0]}, "as many classes as labels, found 2 and 3"),
        ({"relevant": [[1], [0], [0]]}, "relevant: expected one dimension"),
        ({"n_relevant": 0}, "1 relevant records were retrieved"),
    ):
        refuses(message, m.act_ranking, **{**good, **wrong})
    refuses("as many classes as labels", m.classification, [1], [1, 0])


def slow_area(*queries):
    """Step along recall of all queries; the height is the best precision from there on."""
    total = sum(query.total for query in queries)
    points = []
    for k in range(1, max((len(query.records) for query in queries), default=0) + 1):
        seen = [relevant for query in queries for _, relevant in query.records[:k]]
        points.append((sum(seen) / total, sum(seen) / len(seen)))
    area, before = 0.0, 0.0
    for place, (recall, _) in enumerate(points):
        area += (recall - before) * max(p for _, p in points[place:])
        before = recall
    return area


def slow_trapezoid(query, *, at_blocks):
    points, found = [(0.0, 1.0)], 0
    for rank, (score, relevant) in enumerate(query.records, start=1):
        found += relevant
        inside = rank < len(query.records) and query.records[rank][0] == score
        if not (inside and at_blocks):
            points.append((found / query.total, found / rank))
    recall, precision = zip(*points, strict=True)
    return float(np.trapezoid(precision, recall))


def compare(lists):
    for silent in ("include", "exclude"):
        keep = [bool(q.total and (q.records or silent == "include")) for q in plain(lists)]
        asked = [*zip(keep, plain(lists), strict=True)]
        values = [slow_area(query) if use else nan for use, query in asked]
        found = m.ipr_auc(lists, silent=silent)
        assert found.per_query == close(values)
        assert found.value == close(twins.mean(values, lists.weight.tolist()))
        assert found.n_queries == sum(keep)
        used = [query for use, query in asked if use]
        micro = m.ipr_auc(lists, average="micro", silent=silent)
        assert micro.value == close(slow_area(*used) if used else nan)
        assert micro.per_query == close(values)
    for ties in ("listed", "block"):
        expected = [
            slow_trapezoid(query, at_blocks=ties == "block") if query.total else nan
            for query in plain(lists)
        ]
        assert m.trapezoid_pr_auc(lists, ties=ties).per_query == close(expected)


@given(any_lists)
def test_against_plain_loops(lists):
    compare(lists)
    for q in range(lists.n_queries):
        curve = m.interpolated_precision_recall(lists, q)
        plain_curve = m.precision_recall_curve(lists, q)
        assert curve.recall.tolist() == plain_curve.recall.tolist()
        best = [max(plain_curve.precision[j:]) for j in range(curve.recall.size)]
        assert curve.precision.tolist() == best
        if curve.n_relevant:
            area = float(curve.precision @ np.diff(curve.recall, prepend=0))
            assert m.ipr_auc(lists).per_query[q] == close(area)


@pytest.mark.parametrize("seed", range(4))
def test_longer_lists_against_plain_loops(seed):
    lists = seeded_lists(seed)
    compare(lists)
    compare(lists.subset(np.arange(lists.n_queries) % 2 > 0))


@given(any_lists)
def test_orders_of_ties(lists):
    values = {}
    for rule in ("pessimistic", "listed", "optimistic"):
        other = lists if rule == "listed" else m.reorder(lists, rule)
        for average in ("macro", "micro"):
            one = m.ipr_auc(lists, ties=rule, average=average)
            assert one.ties == rule
            assert one.value == close(m.ipr_auc(other, average=average).value)
        values[rule] = m.ipr_auc(lists, ties=rule).per_query[lists.n_relevant > 0]
        for q in range(lists.n_queries):
            curve = m.interpolated_precision_recall(lists, q, ties=rule)
            again = m.interpolated_precision_recall(other, q)
            assert curve.precision.tolist() == again.precision.tolist()
    assert (values["pessimistic"] <= values["listed"] + 1e-12).all()
    assert (values["listed"] <= values["optimistic"] + 1e-12).all()
    # Interpolation never lowers a precision.
    own = m.average_precision(lists).per_query[lists.n_relevant > 0]
    assert (own <= values["listed"] + 1e-12).all()


@pytest.mark.parametrize("system", ["A", "B"])
def test_examples_of_the_biocreative_page(system):
    ranks = EXAMPLES[f"{system}_relevant_ranks"]
    records = [(float(r), r in ranks) for r in range(1, EXAMPLES["list_length"] + 1)]
    lists = build([Query(EXAMPLES["T"], 1.0, records)])
    for average in ("macro", "micro"):
        assert m.ipr_auc(lists, average=average).value == close(EXAMPLES["auc_iPR"][system])
    ap = EXAMPLES["AP (bc-evaluate 3.2)"][system]
    assert m.average_precision(lists).per_query == close([ap])
    assert m.total_reciprocal_rank(lists).value == close(EXAMPLES["TRR"][system])
    for k in (3, 10):
        assert m.precision_at(lists, k=k).value == close(EXAMPLES[f"P@{k}"][system])


@pytest.mark.parametrize("case", ROC, ids=lambda case: case["id"])
def test_golden_trapezoid_of_scikit_learn(case):
    rows = np.loadtxt(GOLDEN / "roc" / case["file"], skiprows=1, ndmin=2)
    found = m.trapezoid_pr_auc(as_lists((rows[:, 0] > 0, rows[:, 1])), ties="block")
    expected = case["expected"].get("pr_auc_trapezoid (sklearn auc of pr curve, starts at (0,1))")
    assert (expected is None) == (case["positives"] == 0) == np.isnan(found.value)
    assert found.value == close(nan if expected is None else expected)


def rows_of(file):
    return [line.split("\t") for line in (GOLDEN / "bc" / file).read_text().splitlines() if line]


@cache
def bc_lists(gold, results):
    """Lists of all articles of the gold standard (INT, IPT), by rank; others are left out."""
    folder = GOLDEN / "bc"
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no label and (is|are) left out")
        return read(folder / results, labels=Qrels.read_gold(folder / gold), score="rank")


def bc_cases(*, act):
    return [case for case in BC if (case["task"] == "ACT") == act]


@pytest.mark.parametrize("case", bc_cases(act=False), ids=lambda case: case["id"])
@pytest.mark.parametrize("peer", [OLD, OLD_ALL, NEW])
def test_golden_normalization_and_pairs(case, peer):
    lists = bc_lists(case["gold"], case["results"])
    expected = case[peer]
    # Version 2.3.1 leaves articles without results out unless told otherwise; 3.2 does not, and
    # neither does tapviz: a system must not gain by silence.
    silent = "exclude" if peer == OLD else "include"
    if peer == OLD:
        lists = lists.subset(np.diff(lists.offset) > 0)
    assert lists.n_queries == expected["documents"]
    sets = m.f_measure(lists)
    scores = {"precision": sets.precision, "recall": sets.recall, "f_score": sets.f}
    for name, score in scores.items():
        assert score.value == close(expected["macro"][name])
    own = {"avrg_p": m.average_precision(lists)} if peer == NEW else {"auc_ipr": m.ipr_auc(lists)}
    for article, values in expected["per_document"].items():
        for name, score in (scores | own).items():
            assert score.per_query[lists.row_of(article)] == close(values[name])
    (tp,), (fp,) = m.retrieved_at(lists, [np.inf])[1:3]
    fn = lists.n_relevant.sum() - tp
    assert (tp, fp, fn) == (expected["tp"], expected["fp"], expected["fn"])
    micro = [tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)]
    assert micro == close([expected["micro"][one] for one in ("precision", "recall", "f_score")])
    if peer != NEW:
        everything = bc_lists(case["gold"], case["results"])
        macro = m.ipr_auc(everything, silent=silent)
        assert macro.value == close(expected["macro"]["auc_ipr"])
        assert macro.n_queries == expected["documents"]
        micro_auc = m.ipr_auc(everything, average="micro", silent=silent).value
        assert micro_auc == close(expected["micro"]["auc_ipr"])


@pytest.mark.parametrize("case", bc_cases(act=False), ids=lambda case: case["id"])
def test_golden_average_precision(case):
    """Average precision of bc-evaluate 3.2 over articles is not the mean of the articles' own.

    Its macro-average goes along the ranks, with precision and recall averaged over articles at
    each rank; an article keeps its last values when its list has ended. tapviz has MAP.
    """
    lists = bc_lists(case["gold"], case["results"])
    silent = case["id"] == "v06"  # where an article has no results
    assert m.ipr_auc(lists).n_empty == silent
    assert (m.ipr_auc(lists).value < m.ipr_auc(lists, silent="exclude").value) == silent
    expected = case[NEW]
    recall, precision = _micro_points(lists, lists.rows)
    assert precision @ np.diff(recall, prepend=0) == close(expected["micro"]["avrg_p"])

    def at(query, k):
        seen = [relevant for _, relevant in query.records[:k]]
        return sum(seen) / query.total, sum(seen) / len(seen) if seen else 0

    longest = int(np.diff(lists.offset).max())
    points = [np.mean([at(q, k) for q in plain(lists)], axis=0) for k in range(longest + 1)]
    recall, precision = np.transpose(points)
    assert float(precision[1:] @ np.diff(recall)) == close(expected["macro"]["avrg_p"])
    own = [values["avrg_p"] for values in expected["per_document"].values()]
    assert np.mean(m.average_precision(lists).per_query) == close(np.mean(own))
    if len(own) > 1:
        assert np.mean(own) != close(expected["macro"]["avrg_p"])


def act_of(case):
    """Articles reported, as `act_ranking` takes them, and the positive ones of the gold set."""
    gold = {article: label == "1" for article, label in rows_of(case["gold"])}
    # The files say 0 and 1. bc-evaluate also takes + and -, but reads + as negative, against its
    # own documentation.
    rows = [row for row in rows_of(case["results"]) if row[0] in gold]
    assert {row[1] for row in rows} <= {"0", "1"}
    columns = [row[1] == "1" for row in rows], [int(row[2]) for row in rows]
    return *columns, [gold[row[0]] for row in rows], sum(gold.values())


@pytest.mark.parametrize("case", bc_cases(act=True), ids=lambda case: case["id"])
def test_golden_article_classification(case):
    *act, n_relevant = act_of(case)
    positive, _, relevant = act
    lists = m.act_ranking(*act, n_relevant=n_relevant)
    assert m.ipr_auc(lists).value == close(case[OLD]["auc_iP/R"])
    if case["id"] == "v03":  # articles that were not reported count
        assert n_relevant > sum(relevant)
        assert m.ipr_auc(m.act_ranking(*act)).value != close(case[OLD]["auc_iP/R"])
    trapezoid = m.trapezoid_pr_auc(lists, ties="listed").value
    assert trapezoid == close(case[NEW]["auc_P/R trapezoid from (0,1)"])
    found = m.classification(positive, relevant)
    curve = m.precision_recall_curve(lists, "ACT")
    for peer in (OLD, NEW):
        expected = case[peer]
        hits = expected["hits"]
        assert (found.true_positive, found.false_positive) == (hits["tp"], hits["fp"])
        assert (found.true_negative, found.false_negative) == (hits["tn"], hits["fn"])
        for name in ("accuracy", "sensitivity", "specificity", "mcc"):
            assert getattr(found, name) == close(expected[name])
        # Undefined where an article that is positive was not reported.
        at_full = curve.precision[-1] if curve.recall[-1:] == 1 else None
        assert (at_full is None) == (expected["p_at_full_r"] is None)
        if at_full is not None:
            assert at_full == close(expected["p_at_full_r"])
    # In v02 no article was classified as positive: MCC is 0 / 0, and 0 by convention.
    assert bool(found.reason) == (case["id"] == "v02")
