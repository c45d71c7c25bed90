"""Conclusions from results of which the truth is known, on every surface that shows them."""

import json
import re
from itertools import combinations, product

import numpy as np
import pytest

from tapviz import Explorer, RetrievalLists, load_results, tap_k
from tapviz.measures import reorder
from tapviz.scores import Case, Compared, Memo, Policies, ThresholdRule, as_json, compare, score
from tapviz.scores.words import describe
from tests.printed import stdout_of
from tests.strategies import even, rebuilt
from tests.twins import plain


def made(quality, *, seed=0, n_queries=60, length=40) -> RetrievalLists:
    """Lists in which a record of high quality comes first, relevant with so many odds."""
    rng = np.random.default_rng(seed)
    relevant, values = np.empty((2, n_queries, length))
    odds = np.exp(quality * np.linspace(2, -2, length) - 1)
    for row in range(n_queries):
        some = rng.random(length) < odds / (1 + odds)
        relevant[row] = some & (np.cumsum(some) <= 12)
        values[row] = 10.0 ** np.sort(rng.uniform(-8, 1, length))
    return even(values, relevant > 0, 12)


GOOD_AND_BAD = {"good": made(2.0, seed=1), "bad": made(0.3, seed=2)}


def compared(results: dict[str, RetrievalLists], rule: ThresholdRule, **options) -> Compared:
    cases = {name: Case(lists, rule, 50, Memo()) for name, lists in results.items()}
    return compare(cases, **{"n_resamples": 0, "compared": ["tap"], **options})


def words(found: Compared, by: str = "tap") -> str:
    return describe(found.verdict(by)).text


def test_a_program_that_is_better_is_called_better():
    said = words(compared(GOOD_AND_BAD, ThresholdRule(k=5)))
    assert said.startswith("good does better than bad: its TAP-5 is larger by ")


def test_programs_that_are_alike_are_not_told_apart_and_a_margin_is_excluded():
    results = {f"p{seed}": made(1.0, seed=seed) for seed in range(4)}
    found = compared(results, ThresholdRule(k=5))
    verdict, said = found.verdict("tap"), words(found)
    assert not verdict.clear
    most = max(abs(end) for one in verdict.pairs for end in one.difference[1:])
    assert said.startswith("By TAP-5, there is no clear difference between ")
    assert f"{most:.3f}" in said


BARREN = RetrievalLists([0.1, 0.2] * 12, [False] * 24, np.arange(0, 26, 2), [0] * 12)


@pytest.mark.parametrize(
    ("one", "other", "k", "said"),
    [
        (made(1.0), made(1.0), 5, "one and other are identical: every query has the same TAP-5"),
        (BARREN, BARREN, 1, "No verdict: nothing is relevant to any query."),
        (made(2.0, n_queries=9), made(0.3, n_queries=9), 5, "No verdict: 9 queries are too"),
    ],
    ids=["the same results", "nothing relevant", "too few groups"],
)
def test_without_a_difference_to_judge_it_says_why(one, other, k, said):
    assert words(compared({"one": one, "other": other}, ThresholdRule(k=k))).startswith(said)


def test_a_program_without_the_score_is_left_out():
    found = compared({**GOOD_AND_BAD, "short": made(1.0, length=8)}, ThresholdRule(k=15))
    assert list(found.verdict("tap").values) == ["good", "bad"]
    assert "short is left out: fewer than half of the queries have 15 errors." in words(found)


def test_every_rule_for_queries_without_relevant_records_has_a_verdict():
    some, at = {}, {}
    for name, lists in GOOD_AND_BAD.items():
        relevant = lists.relevant & (np.arange(lists.score.size) >= lists.offset[1])
        some[name] = rebuilt(lists, relevant=relevant, n_relevant=[0, *[12] * 59])
    for rule in ("reference", "zero", "exclude"):
        found = compared(some, ThresholdRule(k=5, no_relevant=rule))
        assert "good does better than bad" in words(found)
        at[rule] = found.verdict("tap").values["good"].estimate
    # One query of 60: its 11 errors at E_5 count as 1/12, as nothing, or not at all.
    assert at["zero"] == pytest.approx(at["exclude"] * 59 / 60)
    assert at["reference"] == pytest.approx(at["zero"] + 1 / 12 / 60)


@pytest.mark.parametrize("name", ["roc_n", "pooled_roc_n", "mean_average_precision"])
def test_another_score_has_a_verdict_of_its_own(name):
    found = compared(GOOD_AND_BAD, ThresholdRule(k=5), n_resamples=200, compared=None)
    verdict = found.verdict(name)
    assert verdict.place.title in words(found, name)
    assert "TAP" not in words(found, name)
    assert (verdict.by_k, verdict.common) == (None, None)


@pytest.mark.parametrize("rule", [ThresholdRule(k=5), ThresholdRule(None, 1.0)])
def test_scores_that_are_compared_have_a_verdict_at_their_own_place(rule):
    found = compared(GOOD_AND_BAD, rule, compared=("tap", "roc_n", "threshold"))
    places = {name: one.place[1:3] for name, one in found.verdicts.items()}
    assert places == {"tap": (rule.k, rule.e0), "roc_n": (None, None)}


# --- at other places ---


@pytest.fixture(scope="module", params=["scope40", "profiles", "cranfield"])
def bundled(request):
    results = load_results(request.param)
    return results, compared(results, ThresholdRule(k=20))


def test_the_order_at_every_k_is_that_of_the_scores(bundled):
    results, found = bundled
    verdict = found.verdict("tap")
    by_k = verdict.by_k
    for k in {1, 2, 3, 19, by_k.last}:
        taps = {name: tap_k(results[name], k=k).value for name in verdict.values}
        apart = [taps[one.first] - taps[one.second] for one in verdict.pairs]
        np.testing.assert_allclose(by_k.difference[k - 1], apart, atol=1e-12)
    # Only the scores of cranfield are not E-values, and have no common threshold.
    assert (verdict.common is None) == ("BM25" in results)


def test_on_the_default_page_the_change_at_one_error_is_named():
    """SSEARCH and MMseqs2_iter3 cross between k = 1 and 2, and change places at E = 0.01."""
    found = Explorer(load_results(), ["SSEARCH", "MMseqs2_iter3"], k=20).compared(n_resamples=0)
    said = words(found)
    assert "MMseqs2_iter3 is ahead at k = 1" in said
    assert "At a common threshold, E = 0.01, MMseqs2_iter3 is clearly ahead, by 0.045" in said
    assert "same order" not in said


def test_how_far_it_holds(bundled):
    _, found = bundled
    holds = found.holding("tap")
    names = [one.name for one in holds.conditions]
    kinds = {one.kind for one in holds.conditions}
    assert {"k", "ties"} <= kinds
    if "groups" in kinds:
        assert names[:3] == ["family", "superfamily", "fold"]
        assert {"E = 0.01", "E = 0.1", "E = 1"} <= set(names)
        # At the level at which relevance was judged nothing else is asked than before.
        assert holds.conditions[1].state == "holds"
    # Which of them hold is compared with the records by `tests.side_by_side`.
    clear = sum(one.difference.low > 0 for one in found.verdict("tap").pairs)
    every = next(one for one in holds.conditions if one.kind == "k")
    assert every.held + every.weakened + every.turned == clear


def write_files(folder, rows_of, relevant):
    """Files with rows of each program, and what is relevant to which query; as arguments."""
    for name, rows in rows_of.items():
        lines = [f"q{q}\t{record}\t{score}\n" for q, record, score in rows]
        (folder / f"{name}.tsv").write_text("query\ttarget\tevalue\n" + "".join(lines))
    lines = [f"q{q} 0 {record} 1\n" for q, record in relevant]
    (folder / "pairs.qrels").write_text("".join(lines))
    return [*(f"{name}.tsv" for name in rows_of), "--qrels", "pairs.qrels"]


@pytest.fixture
def tied_files(tmp_path, monkeypatch):
    """Two files of the same rows, of which only tied lines are swapped."""
    monkeypatch.chdir(tmp_path)
    rows_of = {"good_first": [], "bad_first": []}
    for q in range(24):
        hit, miss = (q, f"r{q}", 1e-9), (q, f"x{q}", 1e-9)
        later = [(q, f"y{q}.{n}", n) for n in range(1, 4)]
        rows_of["good_first"] += [hit, miss, *later]
        rows_of["bad_first"] += [miss, hit, *later]
    return [*write_files(tmp_path, rows_of, [(q, f"r{q}") for q in range(24)]), "-k", "2"]


@pytest.mark.parametrize("output", ["table", "json", "latex"])
def test_the_order_of_tied_lines_decides_nothing(tied_files, output, capsys):
    command = ["score", *tied_files, "--resamples", "100", "--output", output]
    said = stdout_of(capsys, command).replace(r"\_", "_")
    assert "The order of ties decides between good_first and bad_first" in said
    assert "does better" not in said
    # In the order least favourable to good_first, bad_first is ahead as clearly, for every query.
    assert "turns for some orders of ties" in said or output == "json"
    assert "for every order of ties" not in said
    if output == "json":
        told = json.loads(said)
        (pair,) = [one for one in told["conclusion"]["pairs"] if one["at"] == "chosen"]
        assert (pair["clear"], pair["p"]) == (False, 1.0)
        assert pair["low"] <= 0 <= pair["high"]
        assert told["holds"][-1]["state"] == "turns"


def ranked(*of_queries):
    """Lists of one relevant record each, at a rank; or at the first two, tied, the relevant first.

    Its average precision is 1 over the rank; of the two 1 as listed, and 1/2 in the other order.
    """
    ranks = [one for n, rank in of_queries for one in [rank] * n]
    values = [[1.0, 1.0, 3.0] if rank == "tied" else [1.0, 2.0, 3.0] for rank in ranks]
    relevant = [[at == (1 if rank == "tied" else rank) for at in (1, 2, 3)] for rank in ranks]
    return even(values, relevant, 1)


@pytest.mark.parametrize(
    ("one", "other", "decides", "least", "state"),
    [
        # 18 queries are better by 1/2 as listed, and equal in the other order; 3 always are better,
        # and 3 worse by 1/6: the order of ties decides, and nobody else is ahead for it.
        ([(18, "tied"), (3, 1), (3, 3)], [(24, 2)], True, (3 / 2 - 3 / 6) / 24, "weakens"),
        # With one that always is better, and 4 that are worse, the other is ahead, not clearly.
        ([(18, "tied"), (1, 1), (4, 3)], [(23, 2)], True, (1 / 2 - 4 / 6) / 23, "weakens"),
        # 4 are better by 1/2; 20, equal as listed, are worse by as much in the other order.
        ([(20, "tied"), (4, 1)], [(20, 1), (4, 2)], False, (4 - 20) / 2 / 24, "turns"),
        # Not clear, and no order of the one tied query puts the other ahead.
        ([(1, "tied"), (4, 1), (20, 2)], [(25, 2)], False, 4 / 2 / 25, "holds"),
    ],
)
def test_what_the_order_of_ties_makes_of_an_order(one, other, decides, least, state):
    results, by = {"one": ranked(*one), "other": ranked(*other)}, "mean_average_precision"
    found = compared(results, ThresholdRule(k=1), compared=[by])
    (pair,) = found.verdict(by).pairs
    assert (pair.first, pair.clear, pair.ties_decide) == ("one", False, decides)
    assert ("The order of ties decides" in words(found, by)) == decides
    assert found.holding(by).conditions[-1].state == state
    # That is what the lists in the order least favourable to the first say as they are.
    orders = {"one": "pessimistic", "other": "optimistic"}
    again = {name: reorder(results[name], order) for name, order in orders.items()}
    (pair,) = compared(again, ThresholdRule(k=1), compared=[by]).verdict(by).pairs
    listed = pair.listed if pair.first == "one" else pair.turned.listed
    assert listed.estimate == pytest.approx(least)
    assert (listed.high < 0) == (state == "turns")


# --- the score that was asked for leads ---


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def rows(name, lists):
        for q, query in enumerate(plain(lists)):
            found = 0
            for at, (e_value, relevant) in enumerate(query.records):
                yield q, f"r{found}" if relevant else f"{name}{at}", e_value
                found += relevant

    rows_of = {name: rows(name, lists) for name, lists in GOOD_AND_BAD.items()}
    return write_files(tmp_path, rows_of, product(range(60), [f"r{n}" for n in range(12)]))


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ([], "TAP-5"),
        (["--scores", "ndcg@10"], "nDCG@10"),
        (["--scores", "ndcg@10,tap"], "nDCG@10"),
        (["--compare-by", "roc_n"], "ROC_50"),
        (["--compare", "all", "--compare-by", "pooled_roc_n"], "pooled ROC_50"),
    ],
)
def test_the_verdict_is_about_the_score_that_was_asked_for(files, options, title, capsys):
    common = ["score", *files, "-k", "5", "--resamples", "200", *options]
    conclusion = json.loads(stdout_of(capsys, [*common, "--output", "json"]))["conclusion"]
    assert conclusion["score"] == title
    assert f"its {title} is larger by " in conclusion["sentences"][0]["text"]
    printed = stdout_of(capsys, [*common, "--output", "latex"]).replace("\\_", "_")
    caption = re.search(r"\\caption\{(.*)\}", printed)[1]
    assert f"its {title}".replace("_50", "$_{50}$") in caption or title in caption


def test_warnings_are_about_the_scores_that_were_asked_for(files, capsys):
    command = ["score", *files, "-k", "5", "--resamples", "0", "--output", "json"]
    usual, ndcg, tap = (
        " ".join(json.loads(stdout_of(capsys, [*command, *scores]))["warnings"])
        for scores in ((), ("--scores", "ndcg@10"), ("--scores", "tap"))
    )
    assert "Curves of ROC_50 stay flat" in usual  # of lists with fewer errors
    assert "ROC" not in ndcg + tap
    assert "TAP" not in ndcg


# --- one record on every surface, which test_side_by_side.py compares ---


def test_json_says_what_sentences_rest_on():
    results = load_results("profiles")
    said = json.loads(as_json(score(results, Policies(k=(5,), n_resamples=0))))["conclusion"]
    assert {"a", "b", "at", "difference", "low", "high", "p", "clear"} == set(said["pairs"][0])
    n_pairs = len([*combinations(results, 2)])
    assert [one["at"] for one in said["pairs"]][:n_pairs] == ["chosen"] * n_pairs
    assert all(one["a"] != one["b"] for one in said["pairs"])
    for sentence in said["sentences"]:
        named = [said["pairs"][place] for place in sentence["pairs"]]
        if sentence["part"] == "conclusion":
            assert any(one["a"] in sentence["text"] for one in named)
