"""Scores asked for by name: in tables, with intervals, on the page, in links; notes of the peak."""

import csv
import json
import re
from html import unescape

import numpy as np
import panel as pn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import Explorer, load_results
from tapviz.cli import main
from tapviz.draw.style import styles
from tapviz.explorer.report import report
from tapviz.explorer.score_table import method, score_table
from tapviz.lists import RetrievalLists
from tapviz.measures import coverage_vs_epq, ndcg, roc_n, sensitivity_to_error
from tapviz.page.controls import score_controls
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.save import complete
from tapviz.scores import (
    MORE_SCORES,
    PRESETS,
    SCORES,
    Case,
    Memo,
    Policies,
    ThresholdRule,
    as_table,
    named,
    number,
    p_text,
    score,
    selected,
    written,
)
from tapviz.scores.more import SUM3
from tests import twins
from tests.printed import json_of, stderr_of, stdout_of
from tests.refused import refuses
from tests.strategies import any_lists


def close(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.fixture(scope="module")
def results():
    """Two programs of the bundled data."""
    return {name: load_results()[name] for name in ("BLASTP", "SSEARCH")}


@given(any_lists, st.integers(1, 6))
def test_sensitivity_as_its_definition_reads(lists, n):
    found = sensitivity_to_error(lists, n=n)
    assert found.per_query == close(twins.sensitivity_to_error(lists, n))
    listed = roc_n(lists, n=1, ties="listed")
    some = lists.n_irrelevant is None or (lists.n_irrelevant > 0).all()
    if some:
        assert sensitivity_to_error(lists, n=1).per_query == close(listed.per_query.tolist())


def test_sensitivity_by_hand():
    """Relevant, error, relevant and error tied, relevant; five relevant records in all."""
    lists = RetrievalLists([1.0, 2.0, 3.0, 3.0, 4.0], [1, 0, 1, 0, 1], [0, 5, 5], [5, 2])
    assert sensitivity_to_error(lists, n=1).per_query.tolist() == [1 / 5, 0]
    assert sensitivity_to_error(lists, n=2).per_query.tolist() == [2 / 5, 0]
    assert sensitivity_to_error(lists, n=2, ties="pessimistic").per_query[0] == 1 / 5
    assert sensitivity_to_error(lists, n=2, ties="expected").per_query[0] == close(1.5 / 5)
    assert sensitivity_to_error(lists, n=3).per_query[0] == 3 / 5
    refuses("expected a whole number of errors", sensitivity_to_error, lists, n=0)


@given(any_lists)
def test_coverage_at_errors_per_query_as_its_definition_reads(lists):
    case = Case(lists, ThresholdRule(), 50, Memo())
    parts = {epq: twins.coverage_at(lists, epq) for epq in (0.1, 1, 10)}
    for epq, expected in parts.items():
        assert case.value(named(f"sepq@{epq}")) == close(expected)
    expected = 2 * parts[0.1] + 1.5 * parts[1] + parts[10]
    assert case.value(named("sum3")) == close(expected)


def test_sum3_weighs_the_coverages_as_reseek_does():
    # What its author's program printed: SEPQ0.1, SEPQ1, SEPQ10 and Sum3, of two sets of domains.
    for *parts, total in ((0.282, 0.374, 0.452, 1.577), (0.226, 0.330, 0.423, 1.370)):
        found = sum(weight * part for (_, weight), part in zip(SUM3, parts, strict=True))
        assert found == pytest.approx(total, abs=0.001)
        assert found != pytest.approx(sum(parts), abs=0.1)


def test_every_score_by_name_is_described_and_within_its_range(results):
    scores = (*SCORES, *MORE_SCORES)
    names = [one.name for one in scores]
    assert len({*names}) == len({one.titled(ThresholdRule(20), 50) for one in scores}) == len(names)
    case = Case(results["BLASTP"], ThresholdRule(), 50, Memo())
    for one in scores:
        assert one.description.endswith(".")
        assert one.source or not one.in_tables
        low, high = one.range or (-np.inf, np.inf)
        assert low <= case.value(one) <= high, one.name
    assert all(one.source and one.range and named(one.name) is one for one in MORE_SCORES)
    for scores in PRESETS.values():
        assert set(scores) <= set(names)


def test_the_number_after_the_name_is_used(results):
    lists = results["BLASTP"]
    case = Case(lists, ThresholdRule(), 50, Memo())
    assert case.value(named("ndcg@7")) == ndcg(lists, k=7).value
    assert case.value(named("sensitivity@3")) == sensitivity_to_error(lists, n=3).value
    assert case.value(named("sepq@0.25")) == coverage_vs_epq(lists).at(0.25)
    assert named("hit@5").measure(lists) == named("success@5").measure(lists)


NO_SCORES = [
    ("sepqq@1", "did you mean sepq@1, mean_epq or median_epq?"),
    ("nDGC@20", "did you mean ndcg@20, ndcg_exp@20 or bedroc@20?"),
    ("mpa", "did you mean mean_average_precision, "),
    ("TAP-5", "tap has no number; -k, -n and --e0 give"),
    ("recall@0", "expected a whole number after @"),
    ("sepq@0", "expected a positive number after @"),
    ("rbp@1", "expected a probability after @"),
    ("mrr@1.5", "expected a whole number after @, or none"),
    ("bpref@10", "expected no number after @"),
    ("", "did you mean "),
]


@pytest.mark.parametrize(("name", "words"), NO_SCORES)
def test_names_of_no_score(name, words):
    refuses(re.escape(words), named, name)


NAMES_OF_THE_FIELD = {
    "mean_average_precision": "map MAP AP average_precision",
    "map@100": "map_cut_100 AP@100 MAP@100",
    "precision@10": "P_10 P@10 Precision@10",
    "recall@100": "recall_100 R@100 Recall@100",
    "mrr": "recip_rank RR MRR reciprocal_rank",
    "mrr@10": "RR@10 MRR@10 recip_rank@10",
    "ndcg@10": "nDCG@10 ndcg_cut_10 NDCG@10 ndcg10 ndcg@010",
    "ndcg": "nDCG",
    "r_precision": "Rprec R-precision",
    "bpref": "Bpref",
    "success@5": "success_5 hit@5 hits@5 hit_rate@5",
    "sensitivity@1": "AUC1 ROC1 roc@1 ROC_1",
    "roc@5": "AUC5 ROC5 ROC_5",
    "sepq@0.1": "SEPQ0.1 sepq@0.10",
    "sum3": "Sum3",
    "ef@1": "EF1% EF@1",
    "tap": "TAP TAP-k",
}


@pytest.mark.parametrize(("name", "others"), NAMES_OF_THE_FIELD.items())
def test_names_of_the_field_are_those_of_the_same_score(name, others):
    for other in others.split():
        assert named(other) is named(name), other


def test_sensitivity_has_another_name_at_the_first_error_only():
    names = "sensitivity@1", "sensitivity@5", "roc@5", "ndcg@10"
    others = [named(name).also_called for name in names]
    first = "AUC1, ROC1, sensitivity up to the first FP"
    assert others == [(first,), (), ("AUC5",), ("ndcg_cut_10 (trec_eval)",)]


def test_names_of_the_field_in_python_links_and_on_the_command_line(results, tmp_path, capsys):
    explorer = Explorer(results, table_scores=["RR@10", "MAP"], compared_score="nDCG@10")
    assert explorer.table_scores == ["mrr@10", "mean_average_precision"]
    assert explorer.compared_score == "ndcg@10"
    assert explorer.from_query("?table_scores=P_10&table_scores=tap&compared_score=AUC1") == []
    assert explorer.table_scores == ["precision@10", "tap"]
    assert explorer.compared_score == "sensitivity@1"
    policies = Policies(scores=("MAP", "P_10"), n_resamples=50)
    table = score(results, policies, baseline="BLASTP", compared=["P@10", "map"])
    assert [column.title for column, _ in table.comparisons] == ["precision@10", "MAP"]
    (tmp_path / "q.lists").write_text("q\n1\n0 1e-9\n1 0.5\n")
    given = ["score", str(tmp_path / "q.lists"), "--scores", "RR,MRR@1,AUC1", "--output", "json"]
    (found,) = json.loads(stdout_of(capsys, [*given, "--compare-by", "Rprec"]))["algorithms"]
    assert (found["mrr"], found["mrr@1"], found["sensitivity@1"]) == (0.5, 0, 0)


def test_auc5_is_the_mean_height_of_the_curve_to_the_fifth_error():
    """As MMseqs2 counts it: relevant records before each of five errors, over 5 T(q)."""
    lists = RetrievalLists(np.arange(7.0), [1, 0, 1, 0, 0, 0, 0], [0, 7], [4])
    assert named("AUC5").measure(lists) == close((1 + 2 + 2 + 2 + 2) / (5 * 4))
    assert named("sensitivity@5").measure(lists) == close(2 / 4)
    assert named("AUC1").measure(lists) == close(1 / 4)
    tied = RetrievalLists([1.0, 1.0], [0, 1], [0, 2], [1])
    assert Case(tied, ThresholdRule(), 50, Memo()).ties(named("ROC5")) == close((4 / 5, 1))


def test_presets_and_names_together():
    shown = [one.name for one in selected(["tap", "homology"]) if one.in_tables]
    assert shown == ["tap", *PRESETS["homology"]]
    assert selected(["tap-k"]) == SCORES
    usual = [one for one in SCORES if one.in_tables]
    shown = [one for one in selected(["ndcg@10", "tap-k"]) if one.in_tables]
    assert shown == [named("ndcg@10"), *usual]
    shown = [one.name for one in selected(["mrr", "peak_tap", "mrr"]) if one.in_tables]
    assert shown == ["mrr", "peak_tap"]
    assert selected([]) == SCORES
    assert {one.name for one in selected(["mrr"])} > {"n_queries", "n_records"}


def test_scores_of_the_command_line(capsys, tmp_path):
    (tmp_path / "one.lists").write_text("q\n2\n1 1e-9\n0 0.1\n1 2\n")
    arguments = ["score", str(tmp_path / "one.lists"), "--scores", "sensitivity@1,sepq@1,tap_"]
    assert "no score 'tap_': did you mean tap, " in stderr_of(capsys, arguments)
    arguments[-1] = "sensitivity@1, sepq@1"
    found = json_of(capsys, [*arguments, "-k", "1"])["algorithms"][0]
    assert (found["sensitivity@1"], found["sepq@1"]) == (0.5, 1.0)
    assert "mean_average_precision" not in found
    assert main([*arguments, "--output", "csv", "-k", "1"]) == 0
    rows = [row["score"] for row in csv.DictReader(capsys.readouterr().out.splitlines())]
    assert {"sensitivity to error 1", "SEPQ1"} <= {*rows}
    assert "MAP" not in rows


def test_the_default_table_is_as_it_was(results):
    table = score(results, Policies(n_resamples=0))
    at_threshold_first = sorted(SCORES, key=lambda one: not one.at_threshold)
    assert [column.score for column in table.columns] == at_threshold_first


def test_intervals_of_scores_by_name(results):
    policies = Policies(scores=("homology", "ndcg@10"), n_resamples=200, all_intervals=True)
    table = score(results, policies)
    for column, value in zip(table.columns, table.rows["BLASTP"], strict=True):
        if column.score.in_tables:
            assert value.low < value.value < value.high, column.title


def test_the_table_of_the_page_shows_the_scores_chosen(results):
    explorer = Explorer(results)
    looks = styles(list(results))
    assert "SEPQ1" not in score_table(explorer, looks)
    explorer.pin()
    explorer.table_scores = ["sepq@1", "mrr"]
    text = score_table(explorer, looks)
    assert "SEPQ1" in text
    assert "MRR" in text
    assert "pooled" not in text
    explorer.baseline = "SSEARCH"
    compared = explorer.compared(n_resamples=50)
    assert "MRR" in score_table(explorer, looks, compared)
    assert explorer.scores.loc["BLASTP", "mrr"] == explorer.score("BLASTP")["mrr"]
    assert {"sepq@1", "mrr"} <= compared.bootstrap.algorithms["BLASTP"].others.keys()
    assert Explorer(results).from_query("?table_scores=nonsense")
    explorer.undo()
    explorer.undo()
    assert explorer.table_scores == []


def test_choosing_a_preset_and_an_own_choice(results):
    explorer = Explorer(results)
    explorer.param.view.objects = ["roc", "sensitivity"]
    (choice,) = score_controls(explorer).select(pn.widgets.Select)
    assert choice.value == "tap-k"
    choice.value = "homology"
    assert explorer.table_scores == list(PRESETS["homology"])
    assert (explorer.n, explorer.view) == (1, "sensitivity")
    assert explorer.compared_score == "sensitivity@1"
    explorer.table_scores = ["mrr", "tap"]  # at the head of the table
    assert choice.value == "own"
    choice.value = "tap-k"
    assert explorer.table_scores == []
    assert explorer.compared_score == "tap"
    explorer.table_scores = list(PRESETS["text"])
    assert choice.value == "text"
    assert score_controls(Explorer(results, table_scores=["mrr"]))[1].value == "own"


def test_layers_of_sensitivity():
    records = ([1.0, 2.0, 1.0, 1.0, 2.0], [1, 0, 0, 1, 1], [0, 2, 3, 5, 5])
    lists = RetrievalLists(*records, [2, 1, 2, 0])
    explorer = Explorer({"A": lists, "B": lists}, n=1, algorithms=["A"])
    data = PlotData(explorer)
    layers = PLOTS["sensitivity"].picture(data).columns
    curve = layers["curve A"]
    # 1, 1/2 and 0 of three queries; the fourth has no relevant record.
    assert curve["x"] == close([0, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 1])
    assert curve["y"].tolist() == [1, 1, 0.5, 0.5, 0, 0]
    assert np.trapezoid(curve["y"], curve["x"]) == close(sensitivity_to_error(lists, n=1).value)
    assert (layers["curve B"]["x"].size, layers["name"]["text"].tolist()) == (0, ["A"])
    texts = layers["readout"]["text"].tolist()
    assert any("the best 50% of the queries<br><b>A</b> at least 0.500" in one for one in texts)
    words = PLOTS["sensitivity"].text(data)
    assert words.startswith("Mean sensitivity up to error no. 1: A 0.500 (33.3 % of queries find")
    explorer.query_text = "none"
    assert "there is no query" in PLOTS["sensitivity"].text(data)
    assert PLOTS["sensitivity"].picture(data).layers
    explorer.algorithms = []
    assert PLOTS["sensitivity"].text(data) == "No program is shown."


def test_sensitivity_of_a_subset_stands_before_that_of_all_queries(results):
    picture = PLOTS["sensitivity"].picture(PlotData(Explorer(results, n=1, query_class="a")))
    layers = {layer.name: layer.columns for layer in picture.layers}
    assert layers["ghost"]["x"].size > layers["curve BLASTP"]["x"].size > 0
    whole = sensitivity_to_error(results["BLASTP"], n=1)
    ghost = layers["ghost"]
    end = int(np.argmax(np.isnan(ghost["x"])))
    assert np.trapezoid(ghost["y"][:end], ghost["x"][:end]) == close(whole.value)


@pytest.mark.parametrize(
    ("written", "value", "text"),
    [
        *((number, at, text) for at, text in {
            0.0: "0", 0.000999: "0.001", 0.001: "0.001", 0.0009: "0.0009", 99.96: "100",
            100.4: "100", 1234.5: "1,234", 99_999.0: "99,999", 1e5: "1e+05", -0.5: "−0.5",
            -1.2e-5: "−1.2e-05", -1234.5: "−1,234",
        }.items()),
        *((p_text, at, text) for at, text in {
            np.nan: "—", 4e-5: "<0.0001", 5e-5: "0.0001", 9.99e-4: "0.0010", 0.001: "0.001",
            0.0996: "0.100", 0.1: "0.10", 1.0: "1.00",
        }.items()),
    ],
)  # fmt: skip
def test_numbers_at_the_ends_of_each_way_to_write_them(written, value, text):
    assert written(value) == text


FOOTERS = [
    ({"k": (5,)}, "E_k found anew in each"),
    ({"k": (), "e0": (1.0,)}, "the threshold given"),
]


@pytest.mark.parametrize(("rule", "said"), FOOTERS)
def test_the_footer_says_whose_threshold_resamples_have(rule, said):
    results = load_results("profiles")
    names = [*results][:2]
    policies = Policies(**rule, n_resamples=20)
    text = as_table(score({name: results[name] for name in names}, policies))
    (line,) = re.findall("Intervals: .*", text)
    assert f"the same for all algorithms, {said}; seed 0." in line


NOTE = "optimistic: the threshold was chosen on the same queries"


@pytest.fixture(scope="module")
def table():
    results = load_results("profiles")
    policies = Policies(k=(5,), n_resamples=50, all_intervals=True)
    return score(results, policies, baseline="RPS-BLAST", compared=["peak_tap"])


@pytest.fixture(scope="module")
def explorer():
    explorer = Explorer(load_results("profiles"), k=5)
    explorer.peak_interval = True
    return explorer


def test_the_peak_alone_has_a_note():
    assert {one.name: one.note for one in SCORES if one.note} == {"peak_tap": NOTE}


@pytest.mark.parametrize("output", ["table", "markdown", "latex"])
def test_tables_mark_the_peak_its_interval_and_its_differences(table, output):
    text = written([table], output)
    cut = {"table": r"\s{2,}", "markdown": r"\s*\|\s*", "latex": r" & "}[output]
    rows = [re.split(cut, line.strip("| \\").replace("\\", "")) for line in text.splitlines()]
    head = next(row for row in rows if row[0] == "algorithm")
    at = head.index("peak TAP*")
    assert head[at + 1] == "95 % interval*"
    assert [one for one in head if "*" in one] == head[at : at + 2]
    assert sum(row[1:2] == ["peak TAP*"] for row in rows) == 3
    seen = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert seen.replace("\\", "").count(f"* {NOTE}.") == 1


def test_a_table_without_the_peak_has_no_mark():
    table = score(load_results("profiles"), Policies(k=(5,), n_resamples=0, scores=("tap",)))
    for output in ("table", "markdown", "latex", "json"):
        assert "optimistic" not in written([table], output)


def test_json_has_the_note_beside_the_numbers(table):
    said = json.loads(written([table], "json"))
    assert said["notes"] == {"peak_tap": NOTE}
    assert said["algorithms"][0]["peak_tap_low"] < said["algorithms"][0]["peak_tap_high"]


def test_multiqc_has_it_in_the_help_of_the_column(table):
    headers = json.loads(written([table], "multiqc"))["headers"]
    noted = [name for name, one in headers.items() if NOTE in one["description"]]
    assert noted == ["peak_tap", "peak_tap interval"]


def test_the_page_marks_the_column_and_says_why(explorer):
    compared = explorer.compared()
    html = unescape(score_table(explorer, complete(explorer).styles, compared))
    head = r'<th scope="col" title="(peak TAP: [^"]*)">([^<]*)</th>'
    title, below = re.search(head, html).groups()
    assert title == f"peak TAP: The largest mean TAP over all thresholds; {NOTE}"
    assert below == "value*"
    cells = re.findall(r'title="([^"]*)"', html)
    assert sum(bool(re.search(rf"95 % interval: \S+ to \S+, {NOTE}$", one)) for one in cells) == 4
    assert f"* {NOTE}." in method(explorer, compared)
    without = Explorer(load_results("profiles"), k=5)
    assert NOTE not in method(without, without.compared())


def test_the_report_says_so(explorer):
    html = unescape(report(explorer, plain=True))
    assert "value*</th>" in html
    assert f"* {NOTE}." in html
