"""Brackets of scores over all orders of records of equal score: by query, as means, written."""

import csv
import io
import json
import re
from functools import partial
from itertools import groupby, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import measures as m
from tapviz.draw.style import styles
from tapviz.explorer import Explorer
from tapviz.explorer.score_table import score_table
from tapviz.lists import Grades, RetrievalLists
from tapviz.measures.tap_curves import peak_tap_bracket
from tapviz.readers import read
from tapviz.scores import (
    MORE_SCORES,
    SCORES,
    Case,
    Memo,
    Policies,
    SystemCase,
    ThresholdRule,
    as_table,
    score,
)
from tests import twins
from tests.printed import stdout_of
from tests.strategies import any_lists, examples, rebuilt, signed, thresholds
from tests.twins import Query, build, mean

BY_NAME = {one.name: one for one in (*SCORES, *MORE_SCORES)}
ORDERS = ("pessimistic", "optimistic")
MEANS = [one for one in BY_NAME.values() if one.reordered is not None]
AT_RULE = ThresholdRule(None, 2.0)
close = partial(twins.close, tolerance=1e-12)


def case(lists, rule=AT_RULE, n=2):
    return Case(lists, rule, n, Memo())


@st.composite
def one_query(draw):
    """The list of one query, graded or not: few scores, so that there are ties."""
    size = draw(st.integers(1, 6))
    grade = draw(st.lists(st.sampled_from([-1, 0, 1, 2, 3]), min_size=size, max_size=size))
    value = sorted(draw(st.lists(st.sampled_from([1.0, 2.0, 3.0]), min_size=size, max_size=size)))
    least = draw(st.sampled_from([1, 2]))  # the lowest grade that is relevant
    relevant = [one >= least for one in grade]
    missed = draw(st.integers(0, 2))
    totals = [[grade.count(one) + (missed if one == least else 0) for one in range(4)]]
    return RetrievalLists(
        value,
        relevant,
        [0, size],
        [sum(relevant) + missed],
        n_irrelevant=[size - sum(relevant) + draw(st.integers(0, 5))],
        grades=Grades(np.array(grade), np.array(totals)) if draw(st.booleans()) else None,
    )


def arrangements(lists):
    """One list with its records of equal score in all orders."""
    scores, grades = lists.score.tolist(), lists.grades
    blocks = [[*block] for _, block in groupby(range(len(scores)), scores.__getitem__)]
    for orders in product(*map(permutations, blocks)):
        order = [place for block in orders for place in block]
        graded = grades and Grades(grades.record[order], grades.total)
        relevant, others = lists.relevant[order], lists.n_irrelevant
        yield rebuilt(lists, relevant=relevant, n_irrelevant=others, grades=graded)


def as_listed(one, lists):
    """The score of the only query, which crosses no tie on a diagonal."""
    found = case(lists).per_query(one)
    if one.name in ("roc_n", "roc@5"):
        found = m.roc_n(lists, n=5 if "@" in one.name else 2, ties="listed").per_query
    return float(found[0])


@pytest.mark.parametrize("one", MEANS, ids=lambda one: one.name)
@examples(30)
@given(lists=one_query())
def test_the_bracket_of_a_query_is_that_of_all_orders(one, lists):
    found = case(lists).per_query_ties(one)
    values = [as_listed(one, each) for each in arrangements(lists)]
    assert (found.low[0], found.high[0]) == close((min(values), max(values)))
    assert case(lists).ties(one) == close((found.low[0], found.high[0]))


def test_which_scores_have_a_bracket():
    without = {name for name, one in BY_NAME.items() if one.in_tables and not one.has_ties}
    at_thresholds = {"threshold", "median_epq", "mean_epq", "sepq@0.1", "sepq@1", "sepq@10", "sum3"}
    assert without == at_thresholds | {"peak_threshold", "errors_at@0.01"}
    assert "records of equal score as listed" in BY_NAME["peak_threshold"].description


@given(any_lists, thresholds, st.integers(1, 4), st.sampled_from(["error", "worst_score", "pad"]))
def test_brackets_are_those_of_reordered_lists(lists, e0, k, short):
    for rule in [ThresholdRule(None, signed(lists, e0)), ThresholdRule(k, short_lists=short)]:
        for name in ("tap", "mean_average_precision"):
            found = case(lists, rule, n=k).per_query_ties(BY_NAME[name])
            ends = case(lists, rule, n=k).ties(BY_NAME[name])
            for values, end, order in zip(found, ends or (), ORDERS, strict=True):
                again = case(m.reorder(lists, order), rule, n=k)
                assert values == close(again.per_query(BY_NAME[name]))
                assert end == close(mean(values.tolist(), lists.weight.tolist()))
    assert case(lists, n=k).ties(BY_NAME["roc_n"]) == close(m.mean_roc_n_bracket(lists, n=k))


@given(any_lists, st.sampled_from(["reference", "zero", "exclude"]))
def test_peaks_are_those_of_reordered_lists(lists, rule):
    found = peak_tap_bracket(lists, m.tap_curve(lists, no_relevant=rule))
    for end, order in zip(found, ORDERS, strict=True):
        assert end == close(m.tap_curve(m.reorder(lists, order), no_relevant=rule).peak_tap)


def test_lists_without_such_ties_are_not_scored_again():
    tied = [Query(3, 1.0, [(1, True), (1, True), (2, False), (2, False), (3, True)])]
    lists = build([*tied, Query(1, 1.0, []), Query(0, 1.0, [(1, False)])])
    listed = m.average_precision(lists).per_query

    def never(*_):
        raise AssertionError

    assert m.query_bracket(never, lists, listed).low is listed
    found = case(lists).per_query_ties(BY_NAME["tap"])
    assert found.low is found.high


def test_only_lists_that_are_open_are_scored_again():
    lists = build(
        [
            Query(1, 1.0, [(1, True), (2, False)]),
            Query(1, 1.0, [(1, False), (1, True)]),
            Query(2, 1.0, [(1, True), (1, True)]),
            Query(1, 1.0, [(1, True), (1, False)]),
        ]
    )
    asked = []

    def measure(some, rows):
        asked.append((some.relevant.tolist(), rows.tolist()))
        return m.average_precision(some).per_query

    whole = m.query_bracket(measure, lists, m.average_precision(lists).per_query)
    assert [end.tolist() for end in whole] == [[1, 0.5, 1, 0.5], [1, 1, 1, 1]]
    part = lists.subset(np.array([False, False, True, True]))
    found = m.query_bracket(measure, part, m.average_precision(part).per_query)
    assert [end.tolist() for end in found] == [[1, 0.5], [1, 1]]
    worst, best = [False, True], [True, False]
    assert asked == [(worst * 2, [1, 3]), (best * 2, [1, 3]), (worst, [1]), (best, [1])]


def test_higher_grades_come_first_in_the_best_order():
    # Grades 0 and 1 are irrelevant, 2 and 3 relevant: the best order is 3 2 1 0.
    grades = Grades(np.array([1, 3, 0, 2]), np.array([[1, 1, 1, 1]]))
    lists = RetrievalLists([1.0] * 4, [0, 1, 0, 1], [0, 4], [2], grades=grades)
    for order, expected in zip(ORDERS, ([0, 1, 2, 3], [3, 2, 1, 0]), strict=True):
        assert m.reorder(lists, order).grades.record.tolist() == expected
    assert m.ndcg(m.reorder(lists, "optimistic")).value == 1.0


def test_a_system_has_the_means_of_its_runs():
    tied, clear = ([(1, True), (1, False)], [(1, True), (2, False)])
    runs = {"S@1": case(build([Query(1, 1.0, tied)])), "S@2": case(build([Query(1, 1.0, clear)]))}
    system, one = SystemCase.of(runs), BY_NAME["mean_average_precision"]
    assert [end.tolist() for end in system.per_query_ties(one)] == [[(1 / 2 + 1) / 2], [1.0]]
    assert system.ties(one) == (3 / 4, 1.0)
    assert system.per_query_ties(BY_NAME["pooled_roc_n"]) is None


TOP = {"listed": ("1\t1e-20", "0\t1e-20"), "swapped": ("0\t1e-20", "1\t1e-20")}
COMMAND = ["score", "listed.lists", "swapped.lists", "-k", "1", "-n", "1", "--resamples", "0"]
BY_HAND = {
    # E_1 is 1e-20, where each list has a relevant and an irrelevant record; T(q) is 2 and 1.
    "tap": ((2 * 1 / 2 / 3 + 2 * 1 / 2 / 2) / 2, ((1 + 1 / 2) / 3 + (1 + 1 / 2) / 2) / 2),
    # At 1e-5: 3 records, 2 relevant; and 2 records, 1 relevant.
    "peak_tap": (
        ((1 / 2 + 2 / 3 + 2 / 3) / 3 + (1 / 2 + 1 / 2) / 2) / 2,
        ((1 + 2 / 3 + 2 / 3) / 3 + (1 + 1 / 2) / 2) / 2,
    ),
    "roc_n": (0, (1 / 2 + 1) / 2),
    "pooled_roc_n": (0, 2 / 3),
    "mean_average_precision": (((1 / 2 + 2 / 3) / 2 + 1 / 2) / 2, ((1 + 2 / 3) / 2 + 1) / 2),
    "auc_ipr": (((2 / 3 + 2 / 3) / 2 + 1 / 2) / 2, ((1 + 2 / 3) / 2 + 1) / 2),
}
TITLES = {"tap": "TAP-1", "roc_n": "ROC_1", "pooled_roc_n": "pooled ROC_1", "auc_ipr": "AUC iP/R"}
TITLES |= {"mean_average_precision": "MAP", "peak_tap": "peak TAP"}


@pytest.fixture
def same_rows(tmp_path, monkeypatch):
    """Two files of the same rows, of which only those of equal score are swapped."""
    monkeypatch.chdir(tmp_path)
    for name, (first, second) in TOP.items():
        one = ["q1", "2", first, second, "1\t1e-5", "0\t1e-4"]
        two = ["q2", "1", first, second, "0\t1e-3"]
        (tmp_path / f"{name}.lists").write_text("\n".join(["", *one, "", *two, ""]))
    return {name: read(tmp_path / f"{name}.lists") for name in TOP}


def printed(capsys, output, *others):
    return stdout_of(capsys, [*COMMAND, *others, "--output", output])


def bracket(name):
    return "[{:.3f}, {:.3f}]".format(*BY_HAND[name])


CAUTIONS = [
    f"Ties change {{}}, by the order of records of equal score: listed {ends}, swapped {ends}"
    for ends in ("{:.3f} to {:.3f}".format(*BY_HAND[name]) for name in ("tap", "pooled_roc_n"))
]


@pytest.mark.usefixtures("same_rows")
@pytest.mark.parametrize("output", ["table", "markdown", "latex"])
def test_files_of_the_same_rows_have_the_same_brackets_in_print(output, capsys):
    said = printed(capsys, output)
    plain = said.replace("\\[", "[").replace("\\]", "]").replace("\\_", "_")
    listed, swapped = (
        next(line for line in plain.splitlines() if re.match(rf"\W*{name}\b.*\[", line))
        for name in TOP
    )
    for name in BY_HAND:
        assert bracket(name) in listed
        assert bracket(name) in swapped
    assert re.findall(r"\[.*?\]", listed) == re.findall(r"\[.*?\]", swapped)
    assert "0.625 [0.417, 0.625]" in listed
    assert "0.417 [0.417, 0.625]" in swapped
    for caution, title in zip(CAUTIONS, ("TAP-1", "pooled ROC_1"), strict=True):
        assert caution.format(title) in plain
    assert "[worst, best]: over all orders of records with equal scores." in plain


@pytest.mark.usefixtures("same_rows")
def test_files_of_the_same_rows_have_the_same_brackets_in_json_and_csv(capsys):
    found = json.loads(printed(capsys, "json"))
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "csv"))))
    cautions = {words.split(",")[0] for words in found["warnings"] if words.startswith("Ties")}
    assert cautions == {"Ties change TAP-1", "Ties change pooled ROC_1"}
    for one in found["algorithms"]:
        (at,) = one["thresholds"]
        csv_rows = {row["score"]: row for row in rows if row["algorithm"] == one["algorithm"]}
        for name, (worst, best) in BY_HAND.items():
            numbers = at if name == "tap" else one
            assert numbers[f"{name}_worst"] == pytest.approx(worst, abs=1e-15)
            assert numbers[f"{name}_best"] == pytest.approx(best, abs=1e-15)
            row = csv_rows[TITLES[name]]
            assert float(row["worst"]) == numbers[f"{name}_worst"]
            assert float(row["best"]) == numbers[f"{name}_best"]
        assert "threshold_worst" not in at
        assert csv_rows["E_1"]["worst"] == ""
        said = {row["warning"] for row in rows if row["algorithm"] == one["algorithm"]}
        assert said >= {CAUTIONS[0].format("TAP-1"), CAUTIONS[1].format("pooled ROC_1")}


@pytest.mark.usefixtures("same_rows")
def test_the_caption_in_latex_says_what_ties_change(capsys):
    said = printed(capsys, "latex")
    caption = next(line for line in said.splitlines() if line.startswith("\\caption"))
    assert CAUTIONS[0].format("TAP-1") + "." in caption
    assert CAUTIONS[1].format("pooled ROC$_{1}$") + "." in caption


@pytest.mark.usefixtures("same_rows")
def test_scores_asked_for_have_a_bracket_and_a_caution(capsys):
    said = printed(capsys, "table", "--scores", "mrr,threshold")
    assert said.count("[0.500, 1.000]") == 2
    assert "Ties change MRR, by the order of records of equal score: listed 0.500 to 1.000" in said
    assert "Ties change TAP" not in said


def test_the_page_shows_the_brackets_of_the_command_line(same_rows, capsys):
    usual = [score.name for score in SCORES if score.in_tables]
    explorer = Explorer(same_rows, k=1, n=1, table_scores=usual)
    html = score_table(explorer, styles(explorer.style_order))
    for ends in BY_HAND.values():
        assert html.count("{:.3f}–{:.3f}".format(*ends)) == 2
    found = explorer.scores
    at = json.loads(printed(capsys, "json"))["algorithms"][0]["thresholds"][0]
    assert found.loc["listed", "tap_worst"] == at["tap_worst"]
    assert found.loc["swapped", "tap_best"] == at["tap_best"]


def test_without_ties_nothing_is_said():
    one = [(1, True), (1, True), (2, False), (2, False)]  # all relevant, or all irrelevant
    lists = build([Query(3, 1.0, one), Query(1, 1.0, [(3, False), (4, True)])])
    table = score({"A": lists}, Policies(k=(1,), n_resamples=0))
    for column, value in zip(table.columns, table.rows["A"], strict=True):
        if column.score.has_ties:
            assert value.worst == value.value == value.best
    said = as_table(table)
    assert "Ties" not in said
    assert "[worst, best]" not in said
