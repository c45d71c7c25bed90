"""nDCG, bpref, BEDROC and enrichment: trec_eval, RDKit, plain loops, by hand."""

import pickle
from functools import partial
from math import exp, log2

import numpy as np
import pytest

from tapviz import measures as m
from tapviz.labels import ClassTable, JoinRules, Qrels
from tapviz.lists import UNGRADED, Grades, RetrievalLists, align
from tapviz.measures import bedroc, enrichment_factor
from tapviz.scores import named
from tests.hits import hits, trec_hits
from tests.refused import refuses
from tests.twins import GOLDEN, golden

TREC = GOLDEN / "trec"
TEXT = golden("trec/text.json")["cases"]
MEASURES = {
    "ndcg": m.ndcg,
    "ndcg_exp": partial(m.ndcg, gain="exponential"),
    "Rprec": m.r_precision,
    "recip_rank": m.reciprocal_rank,
    "bpref": m.bpref,
    **{f"ndcg_cut_{k}": partial(m.ndcg, k=k) for k in (5, 10)},
    **{f"ndcg_exp_cut_{k}": partial(m.ndcg, k=k, gain="exponential") for k in (5, 10)},
    **{f"map_cut_{k}": partial(m.average_precision_at, k=k) for k in (5, 10)},
    **{f"success_{k}": partial(m.success_at, k=k) for k in (1, 5, 10)},
    **{f"P_{k}": partial(m.precision_at, k=k) for k in (5, 10)},
    **{f"recall_{k}": partial(m.recall_at, k=k) for k in (5, 10)},
}


GRADES = {"q": {"a": 2, "b": 0, "c": 1, "d": 2, "e": -1}, "p": {"a": 1}}
FOUND = hits(
    *(("q", record, 9.0 - at) for at, record in enumerate("xcbae")), direction="descending"
)
LISTS = Qrels(GRADES).lists(FOUND)
PA = hits(("p", "a", 1.0), direction="descending")


@pytest.mark.filterwarnings("ignore:.*no label")
@pytest.mark.parametrize("case", TEXT)
def test_golden_text_retrieval(case):
    """trec_eval orders records of equal score by their ids."""
    lists = Qrels.read(TREC / f"{case}.qrels").lists(trec_hits(f"{case}.run"))
    assert set(next(iter(TEXT[case].values()))) == set(MEASURES)
    for name, measure in MEASURES.items():
        values = measure(lists, ties="docid").per_query
        for query, expected in TEXT[case].items():
            row = lists.row_of(query)
            if lists.n_relevant[row]:
                assert values[row] == pytest.approx(expected[name], rel=1e-9, abs=1e-9)
            else:  # trec_eval scores 0 where nothing is relevant
                assert expected[name] == 0
                assert np.isnan(values[row])


def test_ndcg_by_hand():
    best = 2 / log2(2) + 2 / log2(3) + 1 / log2(4)
    expected = (1 / log2(3) + 2 / log2(5)) / best
    assert m.ndcg(LISTS).per_query.tolist() == pytest.approx([expected, 0])
    best = 2 / log2(2) + 2 / log2(3)
    assert m.ndcg(LISTS, k=2).per_query[0] == pytest.approx(1 / log2(3) / best)
    best = 3 / log2(2) + 3 / log2(3) + 1 / log2(4)
    expected = (1 / log2(3) + 3 / log2(5)) / best
    assert m.ndcg(LISTS, gain="exponential").per_query[0] == pytest.approx(expected)
    refuses('expected "linear" or "exponential"', m.ndcg, LISTS, gain="square")


def test_bpref_by_hand():
    """Of q, c comes before the one record judged irrelevant, a after it; x and e count nothing."""
    assert m.bpref(LISTS).per_query.tolist() == pytest.approx([(1 + 0) / 3, 0])


def test_without_grades_relevant_records_have_grade_1():
    lists = RetrievalLists([1.0, 2.0, 3.0], [False, True, True], [0, 3], [3])
    best = sum(1 / log2(rank + 1) for rank in (1, 2, 3))
    for gain in ("linear", "exponential"):
        found = m.ndcg(lists, gain=gain).value
        assert found == pytest.approx((1 / log2(3) + 1 / log2(4)) / best)
    unknown = m.bpref(lists)
    assert np.isnan(unknown.value)
    assert unknown.reason == "it is undefined for every query"
    known = RetrievalLists([1.0, 2.0], [False, True], [0, 2], [1], n_irrelevant=[5])
    assert m.bpref(known).value == 0


def test_grades_go_with_the_records():
    assert "".join(LISTS.record) == "xcbae"
    assert LISTS.grades.record.tolist() == [UNGRADED, 1, 0, 2, UNGRADED]
    assert LISTS.grades.total.tolist() == [[1, 1, 2], [0, 1, 0]]
    second = LISTS.subset(np.array([False, True]))
    assert second.grades.record.tolist() == []
    assert second.grades.total.tolist() == [[0, 1, 0]]
    copy = pickle.loads(pickle.dumps(LISTS.subset(np.array([True, False]))))  # noqa: S301  # our own
    assert copy.grades.total.tolist() == [[1, 1, 2]]
    grades = Grades(np.array([0, 3]), np.array([[1, 0]]))
    tied = RetrievalLists([1.0, 1.0], [False, True], [0, 2], [1], grades=grades)
    assert m.reorder(tied, "optimistic").grades.record.tolist() == [3, 0]


def test_grades_of_algorithms_with_other_queries():
    one = Qrels(GRADES, rules=JoinRules(label_queries=False)).lists(FOUND)
    together = align({"one": one, "other": Qrels({"p": GRADES["p"]}).lists(PA)})
    for lists in together.values():
        assert lists.grades.total.tolist() == [[1, 1, 2], [0, 1, 0]]
    assert m.ndcg(together["other"]).per_query.tolist() == [0, 1]
    assert ClassTable({"p": "a.1.1", "a": "a.1.1"}).lists(PA).grades is None


def test_grades_of_normalised_ids_and_grades_that_are_none():
    rules = JoinRules(normalise=("case",))
    assert Qrels({"P": {"A": 2}}, rules=rules).lists(PA).grades.record.tolist() == [2]
    assert Qrels({"p": {"a": 101}}).lists(PA).grades is None


def test_lists_refuse_grades_of_others():
    grades = Grades(np.zeros(2), np.zeros((1, 2)))
    words = "grades: expected one per record, 1"
    refuses(words, RetrievalLists, [1.0], [True], [0, 1], [1], grades=grades)


RDKIT = golden("early/rdkit.json")["cases"]


def of_ranks(ranks, length, total, n_relevant):
    """One list of some length with relevant records at these ranks, of a database of some size."""
    score = np.arange(1.0, length + 1)
    known = {"n_irrelevant": [total - n_relevant]}
    return RetrievalLists(score, np.isin(score, ranks), [0, length], [n_relevant], **known)


@pytest.mark.parametrize("case", RDKIT, ids=lambda case: str(case["n"]))
def test_golden_rdkit(case):
    lists = of_ranks(case["relevant"], case["n"], case["n"], len(case["relevant"]))
    for alpha, expected in case["bedroc"].items():
        assert bedroc(lists, alpha=float(alpha)).value == pytest.approx(expected, abs=1e-12)
    for percent, expected in case["ef"].items():
        found = enrichment_factor(lists, percent=float(percent)).value
        assert found == pytest.approx(expected, rel=1e-12)


def test_bedroc_by_hand():
    """Relevant records have ranks 1 and 3 of 4; 1 and 2 would be best, 3 and 4 worst."""
    lists = of_ranks([1, 3], 4, 4, 2)
    at = [exp(-8 * rank / 4) for rank in (1, 2, 3, 4)]
    expected = (at[0] + at[2] - at[2] - at[3]) / (at[0] + at[1] - at[2] - at[3])
    assert bedroc(lists, alpha=8).value == pytest.approx(expected)


def test_records_not_retrieved_come_last():
    whole = of_ranks([1, 3, 99, 100], 100, 100, 4)
    cut = of_ranks([1, 3], 5, 100, 4)
    assert bedroc(cut).value == pytest.approx(bedroc(whole).value, rel=1e-12)
    for percent in (1, 3, 50):
        assert enrichment_factor(cut, percent=percent).value == pytest.approx(
            enrichment_factor(whole, percent=percent).value
        )
    assert enrichment_factor(cut, percent=3).value == pytest.approx(2 * 100 / (4 * 3))


def test_seven_percent_of_a_hundred_are_seven():
    """0.07 * 100 is 7.000000000000001 in binary; the eighth record must not count."""
    assert enrichment_factor(of_ranks([8], 100, 100, 1), percent=7).value == 0
    assert enrichment_factor(of_ranks([7], 100, 100, 1), percent=7).value == pytest.approx(100 / 7)


def test_undefined_without_the_size_of_the_database():
    unknown = RetrievalLists([0.1, 0.2], [True, False], [0, 2], [1])
    for found in (bedroc(unknown), enrichment_factor(unknown)):
        assert np.isnan(found.value)
        assert found.reason == "it is undefined for every query"
    assert np.isnan(bedroc(of_ranks([1, 2], 2, 2, 2)).value)  # nothing irrelevant to come after


@pytest.mark.parametrize("alpha", [0, -1, np.inf, np.nan])
def test_alpha_is_refused(alpha):
    refuses(r"alpha = .*: expected a positive number", bedroc, of_ranks([1], 2, 2, 1), alpha=alpha)


@pytest.mark.parametrize("percent", [0, 100.5, np.nan])
def test_percentage_is_refused(percent):
    with pytest.raises(ValueError, match="expected a percentage above 0 and at most 100"):
        enrichment_factor(of_ranks([1], 2, 2, 1), percent=percent)


def test_as_scores_of_tables():
    lists = of_ranks([1, 3], 5, 100, 4)
    assert named("bedroc@20").measure(lists) == bedroc(lists).value
    assert named("ef@5").title == "EF 5 %"
    assert named("ef@5").measure(lists) == enrichment_factor(lists, percent=5).value
    refuses("expected a percentage after @, such as ef@1", named, "ef@101")
