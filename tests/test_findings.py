"""What is doubtful about results: found as records, and put into words."""

import csv
import io
import json
import re
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import Explorer, load_results, scores
from tapviz.explorer.report import pieces, report, save_site
from tapviz.explorer.score_table import cautions, plain
from tapviz.files.problems import doubts, warn
from tapviz.lists import RetrievalLists
from tapviz.measures import Bracket, error_threshold, largest_k, shares_relevant, tap_k
from tapviz.page.export import Export
from tapviz.plots import PlotData
from tapviz.scores.findings import KINDS, Finding, describe, shared_relevant
from tapviz.state import Box, Range
from tests.strategies import any_lists

ONE = RetrievalLists([1.0, 2.0, 3.0, 1.0], [1, 0, 0, 0], [0, 3, 4, 4], [1, 1, 0])
"""Three queries: one with two errors, one with one, one with an empty list and T(q) = 0."""


def taps(lists: dict[str, RetrievalLists], k: int, rule: str = "error") -> dict:
    return {name: tap_k(one, k=k, short_lists=rule) for name, one in lists.items()}


def test_pairs_ranked_differently():
    (found,) = scores.findings.order(
        {"A": 0.5, "B": 0.4, "C": 0.3}, {"A": 0.1, "B": 0.2, "C": 0.3}, "X", 50
    )
    assert found == Finding("order", ("C", "A"), {"score": "X", "n": 50, "pairs": 3})
    assert describe(found) == (
        "Pooled ROC_50 ranks C above A; X ranks it below, as for 2 other pairs. A few queries can "
        "dominate a pooled score"
    )
    for a, pooled in ((0.5, {"A": 0.2, "B": 0.1}), (np.nan, {"A": 0.2, "B": 0.3})):
        assert scores.findings.order({"A": a, "B": 0.4}, pooled, "X", 50) == []


def test_an_order_of_pooled_scores_that_ties_decide_is_none():
    """A relevant record and an error of one score: pooled ROC_1 of B may be 0, too."""
    e_values = {"A": [1.0, 2.0, 1e-9, 1e-8], "B": [1.0, 2.0, 1e-8, 1e-8]}
    relevant = {"A": [1, 1, 0, 1], "B": [0, 1, 1, 0]}
    first = {"B": [1.0, 2.0, 1e-8, 1e-7]}
    for scored, found in ((e_values, False), (e_values | first, True)):
        rule = scores.ThresholdRule(k=None, e0=5.0)
        cases = {
            name: scores.Case(
                RetrievalLists(scored[name], rows, [0, 2, 4], [2, 2]), rule, 1, scores.Memo()
            )
            for name, rows in relevant.items()
        }
        assert cases["A"].tap.value > cases["B"].tap.value
        a, b = (case.value(scores.named("pooled_roc_n")) for case in cases.values())
        assert a < b
        kinds = [finding.kind for finding in scores.find(cases)]
        assert ("order" in kinds) == found


def test_pooled_outside_its_parts():
    some = np.array([0.2, np.nan, 0.4])
    own = {"A": some, "B": np.array([np.nan]), "C": some}
    outside = "Pooled ROC_9 lies outside the range of ROC_9 of the single queries"
    low, high = "A 0.100 is below 0.200 to 0.400", "C 0.500 is above 0.200 to 0.400"
    for a, c, expected in (
        (0.2, np.nan, {}),
        (0.1, 0.3, {"A": low}),
        (0.3, 0.5, {"C": high}),
        (0.1, 0.5, {"A": low, "C": high}),
    ):
        found = scores.findings.pooled_outside(own, {"A": a, "B": 0.1, "C": c}, 9)
        said = f"{outside}: {', '.join(expected.values())}"
        wanted = [((*expected,), said)] if expected else []
        assert [(one.algorithms, describe(one)) for one in found] == wanted


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("error", "there is no E_2"),
        ("worst_score", "the threshold is the worst score of all lists"),
        ("pad", "the lists are continued with irrelevant records"),
    ],
)
def test_short_lists_and_the_rule_that_was_applied(rule: str, words: str):
    assert scores.findings.short_lists(taps({"A": ONE}, 1, rule), {"A": ONE}) == []
    both = {"A": ONE, "B": ONE}
    (found,) = scores.findings.short_lists(taps(both, 2, rule), both)
    assert found.algorithms == ("A", "B")
    assert found.numbers == {"k": 2, "reached": (1 / 3, 1 / 3), "rule": rule, "largest": 1}
    short = "The lists of A and B end too early for E_2: 33.3 % of the queries of each have 2"
    assert describe(found).startswith(f"{short} errors; {words}. Run")
    assert describe(found).endswith("take k = 1, the largest that all lists shown allow")
    alone = found._replace(algorithms=("A",), numbers=found.numbers | {"reached": (1 / 3,)})
    assert "of A end too early for E_2: 33.3 % of the queries have 2 errors" in describe(alone)
    unlike = found._replace(numbers=found.numbers | {"reached": (1 / 3, 0.25)})
    assert "E_2: 33.3 % and 25 % of the queries have 2 errors" in describe(unlike)
    none = found._replace(numbers=found.numbers | {"largest": 0})
    assert describe(none).endswith("or take a threshold E_0: no k has an E_k")


@given(any_lists, st.sampled_from([0.1, 0.25, 0.5, 0.7, 1]))
def test_the_largest_k_is_the_last_with_a_threshold(lists: RetrievalLists, quantile: float) -> None:
    k = largest_k(lists, quantile)
    assert k == 0 or not error_threshold(lists, k=k, quantile=quantile).reason
    assert error_threshold(lists, k=k + 1, quantile=quantile).reason


def test_counts_agree_with_their_verbs():
    at = taps({"A": ONE, "B": ONE}, 1)
    for some, said in (
        ({"A": at["A"]}, "A: 1 of 3 lists is empty"),
        (at, "Empty lists: A 1, B 1 of 3 lists"),
    ):
        assert [*map(describe, scores.findings.empty_lists(some))] == [said]
    (none,) = scores.findings.no_relevant(at)
    assert describe(none).startswith("1 of 3 queries has no relevant record")
    (few,) = scores.findings.few_errors(at, {"A": 3, "B": 0}, 2)
    assert few.algorithms == ("A",)
    assert describe(few).endswith("with fewer than 2 errors: A 3 of 3 lists")


@pytest.mark.parametrize(("n_irrelevant", "short"), [(None, 2), ([2, 2], 1), ([2, 1], 0)])
def test_a_list_with_every_irrelevant_record_of_the_database_is_not_cut(n_irrelevant, short):
    lists = RetrievalLists(
        query=["a", "b"], offset=[0, 3, 5], score=[1, 2, 3, 1, 2], n_relevant=[1, 1],
        relevant=[True, False, False, True, False], n_irrelevant=n_irrelevant,
    )  # fmt: skip
    case = scores.Case(lists, scores.ThresholdRule(1), 50, scores.Memo())
    found = [one for one in scores.find({"A": case}) if one.kind == "few_errors"]
    assert [one.numbers["count"] for one in found] == [(short,)] * bool(short)


def test_ties_that_do_not_show_are_none():
    brackets = {"A": Bracket(0.1, 0.1004), "B": Bracket(0.1, 0.2), "C": Bracket(np.nan, np.nan)}
    (found,) = scores.findings.ties("TAP-5", brackets)
    assert found.algorithms == ("B",)
    assert describe(found) == (
        "Ties change TAP-5, by the order of records of equal score: B 0.100 to 0.200"
    )


def test_the_same_are_found_for_a_page_and_on_the_command_line():
    results = {"A": ONE, "B": ONE}
    rule = scores.ThresholdRule(2)
    found = scores.find({name: scores.Case(ONE, rule, 5, scores.Memo()) for name in results})
    table = scores.score(results, scores.Policies(k=(2, 1), n=5, n_resamples=0))
    assert found == list(table.findings)
    assert [one.kind for one in found] == sorted((one.kind for one in found), key=KINDS.index)
    assert {"short_lists", "no_relevant", "empty_lists", "few_errors"} <= {o.kind for o in found}
    for one in found:
        assert f"warning: {describe(one)}\n" in scores.as_table(table)
    assert scores.find({}) == []


@pytest.mark.parametrize(
    "chosen",
    [
        {"ranges": (Range("error", "RPS-BLAST", 20, low=0, high=1000),)},
        {"boxes": (Box("RPS-BLAST", "HMMER3 hmmscan", 1, 1, 0, 0.2, 0.5, 1),)},
    ],
)
def test_that_queries_were_chosen_by_what_is_tested_is_said_first(chosen):
    explorer = Explorer(load_results("profiles"), k=5, query_class="a")
    assert "chosen" not in {one.kind for one in explorer.findings()}
    explorer.param.view.objects = ["precision_recall", "pooled"]
    explorer.param.update(**chosen)
    said = describe(explorer.findings()[0])
    assert said.startswith("These queries were chosen by how programs do on them: intervals and ")
    beside, _, opened = cautions(explorer).partition("popovertarget")
    assert said in beside
    assert "show me" not in beside  # the plot that shows why pooled scores differ
    kinds = {one.kind for one in explorer.findings()}
    assert ("show me" in opened) == bool(kinds & {"order", "pooled_outside"})
    page = report(explorer, plain=True)
    assert said in page
    assert "No verdict: these queries were chosen by how programs do on them." in page
    table = scores.score(explorer.lists, explorer.policies._replace(n_resamples=20))
    assert table.findings[0].kind == "chosen"
    for written in (scores.as_markdown(table), scores.as_latex(table), scores.as_json(table)):
        assert "No verdict: these queries were chosen by how programs do on them." in written
        assert "does best" not in written
    for found in (explorer.compared(n_resamples=20), explorer.known):
        assert found is None or not found.verdict("tap").clear
    explorer.param.update(ranges=(), boxes=())
    assert explorer.compared(n_resamples=20).verdict("tap").clear


def test_queries_that_share_relevant_records_are_said_where_classes_are_unknown():
    # Queries 1 and 2 both find r1 relevant; what they share that is irrelevant does not count.
    arrays = [1.0, 2.0] * 3, [True, False] * 3, [0, 2, 4, 6], [1, 1, 1]
    record = ["r1", "r9", "r1", "r9", "r3", "r9"]
    lists = RetrievalLists(*arrays, record=record)
    assert shares_relevant(lists).tolist() == [True, True, False]
    assert shares_relevant(RetrievalLists([], [], [0], [])).tolist() == []

    def kinds(lists, **more):
        case = {"A": scores.Case(lists, scores.ThresholdRule(k=1), 2, scores.Memo())}
        return {one.kind for one in scores.find(case, scores.compare(case, n_resamples=5, **more))}

    assert "shared_relevant" in kinds(lists)
    assert "shared_relevant" not in kinds(lists, groups=[1, 1, 2])
    classified = RetrievalLists(*arrays, record=record, query_class=["a", "a", "b"])
    some = [lists.subset(np.array(keep)) for keep in ([False, False, True], [True, False, True])]
    for others in (classified, *some):
        assert "shared_relevant" not in kinds(others)
    (found,) = shared_relevant(shares_relevant(lists))
    assert describe(found).startswith("2 of 3 queries share relevant records with others")


def test_a_leaderboard_ends_each_caution_once(tmp_path):
    doubts = ["a.tsv: looks cut off."]
    page = save_site({"A": ONE}, tmp_path, k=2, n=5, plain=True, doubts=doubts).read_text()
    assert "<li>a.tsv: looks cut off.</li>" in page


def test_page_report_and_every_export_say_all_of_them():
    explorer = Explorer({"A": ONE, "B": ONE}, k=2, n=5, baseline="A")
    doubts = ("a.tsv: looks cut off",)
    found = explorer.findings(explorer.compared())
    expected = [plain(describe(one)) for one in found]
    assert {"few_errors", "short_lists", "no_relevant", "empty_lists"} <= {o.kind for o in found}
    page = cautions(explorer, explorer.compared())
    report = "".join(pieces(explorer, plain=True, doubts=doubts))
    alive = "".join(pieces(explorer, doubts=doubts))
    export = Export(explorer, PlotData(explorer), "results = ...", doubts=doubts)
    policies = scores.Policies(k=(2,), n=5, groups=None)
    table = scores.score(explorer.results, policies, baseline="A")._replace(doubts=doubts)
    written = {
        "page": page,
        "report": report,
        "live report": alive,
        "text": scores.as_table(table),
        "LaTeX": scores.as_latex(table),
        "JSON": json.loads(scores.as_json(table))["warnings"],
        "CSV": [row["warning"] for row in csv.DictReader(io.StringIO(scores.as_csv(table)))],
        "exported LaTeX": export._scores(scores.as_latex),
        "exported CSV": export._scores(scores.as_csv),
    }
    for place, text in written.items():
        said = text if isinstance(text, str) else " ".join(text)
        said = plain(re.sub("<sub>(.*?)</sub>", r"_\1", unescape(said)))
        for words in expected:
            assert words in said, (place, words)
        if place != "page":  # which says it where it says what was read
            assert "a.tsv: looks cut off" in said, place


def test_what_is_doubtful_about_several_files_is_said_once():
    with doubts() as found:
        for name in ("a.tsv", "b.tsv", "c.tsv"):
            warn(name, "looks cut off")
            warn(name, "has no column of E-values" if name == "b.tsv" else "looks cut off")
    assert found == ["a.tsv, b.tsv, c.tsv: looks cut off", "b.tsv: has no column of E-values"]
