"""Several runs of one system as one algorithm, with their spread."""

import csv
import io
import json

import numpy as np
import pytest

from tapviz import Explorer, load_results
from tapviz.cli import main
from tapviz.draw.style import styles
from tapviz.explorer.score_table import score_table
from tapviz.lists.runs import as_systems, systems
from tapviz.measures import pairwise
from tapviz.measures.bootstrap import bootstrap
from tapviz.plots import PLOTS, PlotData
from tapviz.scores import SCORES, Case, Memo, Policies, SystemCase, ThresholdRule, score
from tapviz.scores.case import bootstrap_cases
from tapviz.state import Choices
from tests.printed import stdout_of

SCORE = {one.name: one for one in SCORES}
RULE = ThresholdRule(k=5)


@pytest.fixture(scope="module")
def results():
    known = load_results("profiles")
    names = ("S@1", "X", "S@2", "S@3", "alone@1")
    return dict(zip(names, [*known.values(), known["RPS-BLAST"]], strict=True))


def case(lists):
    return Case(lists, RULE, 50, Memo())


def test_names_tell_systems():
    assert systems(["a@1", "b", "a@2", "c@1", "@1", "@2", "d@", "d@x"]) == {"a": ("a@1", "a@2")}
    assert systems(["a@b@1", "a@b@2"]) == {"a@b": ("a@b@1", "a@b@2")}
    assert systems(["a", "a@1", "a@2"]) == {}  # the name is taken
    found = as_systems({"b": [1], "a@1": [2], "c": [3], "a@2": [4]}, lambda runs: [*runs])
    assert found == {"b": [1], "a": ["a@1", "a@2"], "c": [3]}


def test_scores_are_means_and_thresholds_medians(results):
    table = score(results, Policies(k=(5,), n_resamples=0))
    assert [*table.rows] == ["S", "X", "alone@1"]
    titles = [column.score.name for column in table.columns]
    for name in ("tap", "pooled_roc_n", "roc_n", "mean_average_precision", "threshold"):
        each = [case(results[run]).value(SCORE[name]) for run in ("S@1", "S@2", "S@3")]
        found = table.rows["S"][titles.index(name)]
        middle = np.median(each) if name == "threshold" else sum(each) / 3
        assert found.value == pytest.approx(middle, rel=1e-14)
        assert found.runs == tuple(each)
        variance = sum((one - sum(each) / 3) ** 2 for one in each) / 2
        assert found.sd == pytest.approx(variance**0.5, rel=1e-12)
    assert np.isnan(table.rows["X"][0].sd)


def test_what_is_undefined_for_a_run_is_undefined_for_the_system(results):
    rule = ThresholdRule(k=2000)
    runs = {name: Case(results[name], rule, 50, Memo()) for name in ("S@1", "S@2")}
    whole = SystemCase.of(runs)
    assert np.isnan(whole.value(SCORE["tap"]))
    assert "2000 errors" in whole.reason(SCORE["tap"]).replace(",", "")


def test_runs_that_are_all_the_same_have_the_interval_of_one(results):
    same = {f"S@{run}": case(results["X"]) for run in range(3)}
    whole = bootstrap_cases({"S": SystemCase.of(same)}, k=5, n_resamples=200).algorithms["S"]
    one = bootstrap({"X": results["X"]}, k=5, n_resamples=200).algorithms["X"]
    assert whole.tap == pytest.approx(one.tap, rel=1e-12)
    assert whole.e0 == one.e0
    assert whole.replicates.tap == pytest.approx(one.replicates.tap, rel=1e-12)


def test_an_interval_takes_the_runs_into_account(results):
    runs = {name: results[name] for name in ("S@1", "S@2", "S@3")}
    whole = SystemCase.of({name: case(lists) for name, lists in runs.items()})
    found = bootstrap_cases({"S": whole}, k=5, n_resamples=4000).algorithms["S"]
    each = bootstrap(runs, k=5, n_resamples=4000).algorithms
    queries = np.mean([one.replicates.tap for one in each.values()], axis=0).var()
    taps = [one.tap.estimate for one in each.values()]
    # Variance of a mean over queries and runs drawn: that of each.
    expected = queries + np.var(taps, ddof=1) / 3
    assert found.replicates.tap.var() == pytest.approx(expected, rel=0.1)


def test_a_difference_of_systems_varies_with_their_runs_too(results):
    table = score(results, Policies(k=(5,), n_resamples=200), baseline="S")
    pairs = {one.first: one for _, one in table.comparisons}
    assert set(pairs) == {"X", "alone@1"}
    known = table.scored[table.policies.rules[0]]["tap"]
    assert known["S"].run_variance > 0
    one_run = {name: scored._replace(run_variance=0.0) for name, scored in known.items()}
    for one in pairwise({"tap": one_run}, groups=table.groups):
        if "S" in one[:2]:
            wide = pairs[one.second if one.first == "S" else one.first].difference
            assert wide.high - wide.low > one.difference.high - one.difference.low
    again = score(results, Policies(k=(5,), n_resamples=200), baseline="S")
    assert [one.p for _, one in again.comparisons] == [one.p for _, one in table.comparisons]
    with pytest.raises(ValueError, match="expected one of 'S', 'X', 'alone@1'"):
        score(results, Policies(), baseline="S@1")


def test_one_name_and_files_on_the_command_line(results, tmp_path, capsys):
    results = {name: one.subset(np.arange(one.n_queries) % 9 == 0) for name, one in results.items()}
    for run in ("S@1", "S@2"):
        results[run].to_frame().to_csv(tmp_path / f"seed{run[-1]}.csv.gz", index=False)
    results["X"].to_frame().to_csv(tmp_path / "X.csv", index=False)
    asked = [f"model@={tmp_path}/seed*.csv.gz", str(tmp_path / "X.csv"), "-k", "5"]
    assert main(["score", *asked, "--resamples", "0", "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["algorithms"]
    assert [one["algorithm"] for one in found] == ["model", "X"]
    assert found[0]["runs"] == ["model@seed1", "model@seed2"]
    taps = [case(results[run]).value(SCORE["tap"]) for run in ("S@1", "S@2")]
    assert found[0]["thresholds"][0]["tap_runs"] == pytest.approx(taps)
    assert found[0]["thresholds"][0]["tap_sd"] == pytest.approx(np.std(taps, ddof=1))
    assert "tap_sd" not in found[1]["thresholds"][0]
    printed = stdout_of(capsys, ["score", *asked, "--resamples", "0"])
    assert f"{np.mean(taps):.3f} (sd {np.std(taps, ddof=1):.3f})" in printed
    assert "model: the mean of 2 runs (model@seed1, model@seed2)" in printed
    printed = stdout_of(capsys, ["score", *asked, "--resamples", "0", "--output", "csv"])
    row = next(one for one in csv.DictReader(io.StringIO(printed)) if one["score"] == "TAP-5")
    ends = [case(results[run]).ties(SCORE["tap"]) for run in ("S@1", "S@2")]
    assert [float(row[end]) for end in ("worst", "best")] == np.mean(ends, axis=0).tolist()


def test_without_ties_the_ends_of_a_system_are_its_score_to_the_bit(results):
    lists = results["X"]
    some = np.arange(lists.n_queries)
    runs = {f"S@{run}": case(lists.subset(some % 13 != run)) for run in range(13)}
    whole = SystemCase.of(runs)
    found = whole.ties(SCORE["mean_average_precision"])
    each = [one.ties(SCORE["mean_average_precision"]) for one in runs.values()]
    assert found == tuple(np.mean(ends) for ends in zip(*each, strict=True))


def test_the_page_has_a_row_for_a_system(results):
    explorer = Choices(results, [*results], k=5)
    assert explorer.rows == ["S", "X", "alone@1"]
    html = score_table(explorer, styles(explorer.style_order))
    assert 'data-algorithm="S"' in html
    assert 'data-algorithm="S@1"' not in html
    assert "mean of 3 runs" in html
    assert "standard deviation 0.0" in html
    explorer.algorithms = ["S@1", "X"]  # of one run alone there is no mean
    assert explorer.rows == ["S@1", "X"]
    explorer.baseline = "S"  # of all runs
    assert explorer.rows == ["S", "X"]


def test_runs_of_a_system_look_alike():
    found = styles(["S@1", "X", "S@2", "Y"])
    assert found["S@1"] == found["S@2"] == found["S"]
    assert len({found["S"], found["X"], found["Y"]}) == 3
    assert [*found] == ["S@1", "X", "S@2", "Y"]
    with pytest.raises(KeyError):
        found["Z"]


def test_pairs_of_systems_are_drawn(results):
    data = PlotData(Explorer(results, [*results], k=5))
    data.compared = data.explorer.compared(n_resamples=100)
    text = PLOTS["differences"].text(data)
    assert "S " in text
    assert "S@1" not in text
    for plot in PLOTS.values():
        assert plot.slow is not None or plot.picture(data).layers
