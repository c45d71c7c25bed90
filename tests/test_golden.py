"""Numbers of other programs and of the publications; tests/golden/README.md says which."""

from functools import cache

import numpy as np
import pytest

from tapviz import RetrievalLists, read
from tapviz import measures as m
from tests import twins
from tests.twins import GOLDEN, golden

TAPK, CURVES = (golden(f"tapk/{name}.json")["cases"] for name in ("cases", "curves"))
POOLED = golden("pooled/cases.json")["cases"]
SOURCES = {case["id"]: case for case in golden("sources/cases.json")}

POLICIES = {
    "short_lists=worst_score": {"short_lists": "worst_score"},
    "threshold from unweighted queries, mean weighted": {"weighted_threshold": False},
    "T=0 scored 0 (Eq. 1 literally)": {"no_relevant": "zero"},
    "T=0 queries left out of the mean (still counted in E_k)": {"no_relevant": "exclude"},
}


@cache
def load(folder, file, direction):
    full = {"asc": "ascending", "desc": "descending"}[direction]
    lists = read(GOLDEN / folder / file, format="tap", direction=full)
    return lists.with_reported_to(lists.sign * np.inf)  # the peers take lists as they are


def close(expected):
    return twins.close(float(expected) if isinstance(expected, str) else expected)  # "nan", "inf"


def name(case):
    options = case.get("params", {})
    return "-".join([case.get("id", case["file"]), *(f"{k}={v}" for k, v in options.items())])


def computed(case, **policy):
    """Compute what TAP-k did; the policies it knows unless told otherwise."""
    lists = load("tapk", case["file"], case["direction"])
    options = dict(case["params"])
    if options.pop("unweighted", False):
        lists = lists.with_weights(np.ones(lists.n_queries))
    if "e0" in options:
        return m.tap(lists, options["e0"], **policy)
    short = "pad" if options.pop("pad", False) else "error"
    return m.tap_k(lists, **{**options, "short_lists": short, **policy})


@pytest.mark.parametrize("case", TAPK, ids=name)
def test_tapk(case):
    found = computed(case)
    if case.get("expected_error") == "too_few_errors":
        assert found.too_short
        assert np.isnan(found.value)
        assert found.reason.startswith("Fewer than ")
        return
    expected = case["expected"]
    # A threshold is one of the scores, so equal to the last bit; nothing else tells 1e-180 from 0.
    np.testing.assert_equal(found.e0, float(expected["e0"]))
    assert found.value == close(expected["tap"])
    assert found.per_query == close([query["tap"] for query in expected["queries"]])
    assert found.too_short == bool(np.isnan(found.e0))


OTHER_POLICIES = [
    pytest.param(case, policy, expected, id=f"{name(case)}-{policy}")
    for case in TAPK
    for policy, expected in case.get("also_oracle", {}).items()
]


@pytest.mark.parametrize(("case", "policy", "expected"), OTHER_POLICIES)
def test_policies_that_tapk_does_not_know(case, policy, expected):
    found = computed(case, **POLICIES[policy])
    if not isinstance(expected, dict):
        expected = {"tap": expected}
    assert found.value == close(expected["tap"])
    if "e0" in expected:
        np.testing.assert_equal(found.e0, float(expected["e0"]))
    if "taps" in expected:
        assert found.per_query == close(expected["taps"])


@pytest.mark.parametrize("case", CURVES, ids=name)
def test_curves(case):
    found = m.tap_curve(load("tapk", case["file"], case["direction"]))
    points = np.array(case["mean_tap_at_each_distinct_score"], float).reshape(-1, 2)
    np.testing.assert_array_equal(found.threshold, points[:, 0])
    assert found.tap == close(points[:, 1])
    assert found.peak_tap == close(case["peak_tap"])
    peak = case["E0_star (strictest score within 1e-12 of the peak)"]
    np.testing.assert_equal(found.peak_threshold, float(peak))


@pytest.mark.parametrize("case", POOLED, ids=name)
def test_roc_n(case):
    lists = load("pooled", case["file"], case["direction"])
    expected = case["expected"]
    assert lists.n_relevant.sum() == expected["pooled_total_relevant"]
    for n, value in expected["pooled_roc_n"].items():
        assert m.pooled_roc_n(lists, n=int(n)) == close(value)
        assert m.roc_n_curve(lists, n=int(n)).pooled.mean() == close(value)
    for query, values in expected["roc_n"].items():
        for n, value in values.items():
            found = m.roc_n(lists, n=int(n)).per_query[lists.row_of(query)]
            assert found == close("nan" if value is None else value)


@pytest.mark.parametrize("case", POOLED, ids=name)
def test_nth_irrelevant_score(case):
    lists = load("pooled", case["file"], case["direction"])
    for query, scores in case["expected"]["nth_irrelevant_score"].items():
        alone = lists.subset(lists.query == query)
        for n, score in scores.items():
            np.testing.assert_equal(
                m.error_threshold(alone, k=int(n)).e_k, np.nan if score is None else float(score)
            )


@pytest.mark.parametrize("case", POOLED, ids=name)
def test_errors_per_query(case):
    lists = load("pooled", case["file"], case["direction"])
    rows = case["expected"]["epq"]
    thresholds = [row["threshold"] for row in rows]
    found = m.epq_distribution(lists, thresholds)
    linear = m.epq_distribution(lists, thresholds, quantile_rule="linear")
    for place, row in enumerate(rows):
        errors = dict(zip(lists.query, m.errors_per_query(lists, row["threshold"]), strict=True))
        assert errors == row["epq"]
        (rule,) = (value for key, value in row.items() if key.startswith("k_rule_quantiles"))
        assert found.minimum[place] == row["min"]
        assert found.maximum[place] == row["max"]
        assert found.mean[place] == close(row["mean"])
        assert [found.q1[place], found.median[place], found.q3[place]] == list(rule.values())
        interpolated = [linear.q1[place], linear.median[place], linear.q3[place]]
        assert interpolated == close(list(row["numpy_linear_quantiles"].values()))


@pytest.mark.parametrize("case", POOLED, ids=name)
def test_coverage(case):
    lists = load("pooled", case["file"], case["direction"])
    points = np.array(case["expected"]["coverage_vs_epq [score, coverage, mean EPQ]"])
    found = m.retrieved_at(lists, points[:, 0])
    assert found.relevant / lists.n_relevant.sum() == close(points[:, 1])
    assert found.irrelevant / lists.n_queries == close(points[:, 2])


@pytest.mark.parametrize("example", ["tapnote_ex1", "tapnote_ex2", "tapnote_ex3"])
def test_examples_of_the_note(example):
    case = SOURCES[example]
    lists = load("sources", case["file"], case["direction"])
    found = m.tap_k(lists, k=case["k"], short_lists="worst_score")
    assert found.e0 == case["exact"]["e0"] == case["printed"]["cutoff"]
    assert found.per_query == close(case["exact"]["taps"])
    assert found.value == close(case["exact"]["tap"])
    assert found.per_query == pytest.approx(case["printed"]["APCP"], abs=0.0005 + 1e-12)
    assert found.too_short == (case["short_lists"] is not None)


def test_printed_mean_of_example_1_is_a_mean_of_rounded_numbers():
    case = SOURCES["tapnote_ex1"]
    found = m.tap_k(load("sources", case["file"], case["direction"]), k=case["k"])
    assert round(found.value, 3) == 0.311
    printed = case["printed"]
    assert round(float(np.mean(printed["APCP"])), 3) == printed["TAP-5"] == 0.312


def figure_4():
    """Make two lists with the numbers printed in Figure 4, which gives no lists.

    A finds 467 of its 481 relevant records before any error and 35 errors up to E_0 = 8.1. B has
    94 relevant records before its first 280 errors and the rest, 376, between later ones; its
    errors have better E-values than the relevant records of A.
    """
    # Relevant or not, the powers of ten of the first and last score, and how many.
    a = [(True, -120, -5, 467), (False, -2, 0.9, 35), (False, 0.95, 1, 65)]
    b = [(True, -179, -171, 94), (False, -170, -121, 280), (True, -99, -50, 205)]
    b += [(False, -49, -20, 220), (True, -19, -2, 171), (False, -1.5, 0.9, 40)]
    score = np.concatenate([np.logspace(*ends, number) for _, *ends, number in a + b])
    relevant = np.repeat([one[0] for one in a + b], [one[-1] for one in a + b])
    return RetrievalLists(score, relevant, [0, 567, 567 + 1010], [481, 481], query=["A", "B"])


def test_figure_4_where_pooled_roc_n_misleads():
    case = SOURCES["paper_fig4"]
    lists = figure_4()
    printed = case["pooled_ROC50"]
    own = m.roc_n(lists, n=50).per_query
    assert own == pytest.approx([printed["ROC50_A"], printed["ROC50_B"]], abs=0.00005)
    assert m.pooled_roc_n(lists, n=50) == pytest.approx(printed["pooled"], abs=0.0005)
    # All 50 errors are of B and before any relevant record of A.
    assert m.pooled_roc_n(lists, n=50) == close(own[1] * 481 / 962)
    found = m.tap(lists, 8.1)
    assert found.per_query == pytest.approx([case["TAP"]["A"], case["TAP"]["B"]], abs=0.00005)
    # The mean printed, 0.745, is not that of the two numbers printed beside it.
    assert found.value == pytest.approx((0.9708 + 0.5214) / 2, abs=0.00005)
