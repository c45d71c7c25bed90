"""Condensed lists: what they tell is what the whole lists tell, to the bit; or they say why not."""

import inspect
import math
import re
import shlex
from contextlib import suppress
from copy import deepcopy

import numpy as np
import pytest

from tapviz import Explorer, ReadError, load_results, measures, read, scores
from tapviz.cli import main
from tapviz.condensing import condense
from tapviz.explorer.report import report
from tapviz.explorer.report_tables import positions
from tapviz.lists import Kept, RetrievalLists, align
from tapviz.lists.reported import NotKeptError, all_kept, measured_to, not_measured
from tapviz.page import Dashboard
from tapviz.plots import PLOTS, PlotData
from tapviz.readers import inputs, write_parquet
from tests.printed import stderr_of
from tests.refused import refuses

K, N = 10, 20
NAMES = ("BLASTP", "SSEARCH")
CUT = {"tap": 300, "calibration": 20, "order": 5}
"""Plots whose curves end where lists were cut, and points that they have at least."""
UNKNOWN = {"peak_tap", "peak_threshold", "rbp@0.8", "recall@100", "bedroc@20", "ef@1"}
"""Scores that lists condensed with K and N do not tell, whatever k and n."""
AS_LISTED = {"mean_average_precision", "auc_ipr", "mrr", "r_precision", "bpref"}
"""Scores that were computed before lists were cut, and not for other orders of equal scores."""


@pytest.fixture(scope="module")
def searches(tmp_path_factory):
    """Files of hits, and what is relevant: two algorithms of the bundled data set."""
    folder = tmp_path_factory.mktemp("scope40")
    results = load_results()
    pairs = {}
    for name in NAMES:
        lists = results[name]
        query = np.repeat(lists.query, np.diff(lists.offset))
        rows = zip(query.tolist(), lists.record.tolist(), lists.score.tolist(), strict=True)
        with (folder / f"{name}.tsv").open("w") as file:
            file.write("query\ttarget\tevalue\n")
            file.writelines(f"{q}\t{record}\t{value!r}\n" for q, record, value in rows)
        found = zip(query[lists.relevant], lists.record[lists.relevant], strict=True)
        for q, record in found:
            pairs.setdefault(q, {})[record] = None
    for q, total in zip(lists.query.tolist(), lists.n_relevant.tolist(), strict=True):
        known = pairs.setdefault(q, {})
        known.update({f"not_found_{number}": None for number in range(total - len(known))})
    rows = [f"{q}\t0\t{record}\t1\n" for q in pairs for record in pairs[q]]
    (folder / "pairs.tsv").write_text("".join(rows))
    (folder / "queries.txt").write_text("".join(f"{q}\n" for q in lists.query))
    return folder


@pytest.fixture(scope="module")
def both(searches):
    given = {"qrels": searches / "pairs.tsv", "queries": searches / "queries.txt"}
    whole, cut = {}, {}
    for name in NAMES:
        file = searches / f"{name}.tsv"
        whole[name] = read(file, **given)
        cut[name] = condense(file, searches / name, **given, max_k=K, max_n=N)
        assert cut[name].score.size < whole[name].score.size / 2
        assert cut[name].reported_to.tolist() == whole[name].reported_to.tolist()
        assert cut[name].reported_how == whole[name].reported_how
    return whole, cut


def cases(results, k, n):
    rule = scores.ThresholdRule(k=k)
    return {name: scores.Case(results[name], rule, n, scores.Memo()) for name in NAMES}


def lists_of(both, name="BLASTP"):
    """The lists of an algorithm, whole and cut."""
    return tuple(results[name] for results in both)


def test_the_table_of_a_cell_counts_no_records_of_which_only_some_were_kept(both):
    for full, cut in zip(*(results.values() for results in both), strict=True):
        rows = full._repr_html_().partition("</caption>")[2]
        expected = re.sub(r"(<t[dh]>[^<]*</t[dh]>){2}</tr>", "</tr>", rows)
        assert cut._repr_html_().partition("</caption>")[2] == expected


@pytest.mark.parametrize(("k", "n"), [(1, 1), (5, 10), (K, N)])
@pytest.mark.parametrize("one", [*scores.SCORES, *scores.MORE_SCORES], ids=lambda one: one.name)
def test_a_score_has_the_same_bits_or_says_why_not(both, one, k, n):
    for full, cut in zip(*(cases(results, k, n).values() for results in both), strict=True):
        found, expected = cut.value(one), full.value(one)
        if one.name in UNKNOWN or (math.isnan(found) and one.name in ("sepq@10", "sum3")):
            assert math.isnan(found)
            assert cut.reason(one).startswith("not kept")
        else:
            np.testing.assert_equal(found, expected)
            np.testing.assert_equal(cut.per_query(one), full.per_query(one))
            if one.name in AS_LISTED:
                assert np.isnan(cut.ties(one)).all()
            else:
                assert cut.ties(one) == full.ties(one)
            assert cut.reason(one) == full.reason(one)


@pytest.mark.parametrize("n_resamples", [0, 50])
def test_a_difference_says_with_what_to_condense_for_its_interval(both, n_resamples):
    # E_K of all queries was kept, not that of other choices of them.
    found = scores.compare(cases(both[1], K, N), n_resamples=n_resamples, compared=["tap"])
    (pair,) = found.differences
    assert math.isfinite(pair.difference.estimate)
    assert math.isnan(pair.p)
    kept = {f"{one.kept.e_keep:.3g}" for one in both[1].values()}
    why = re.fullmatch(
        r"no interval: not kept beyond (\S+): condense with a larger --max-k", pair.reason
    )
    assert why[1] in kept
    reason = found.verdict("tap").reason
    assert reason.startswith("the difference between ")
    assert reason.endswith(f" has {pair.reason.replace(': ', ' (', 1)})")


def test_what_is_beyond_what_was_kept_says_with_what_to_condense(both):
    beyond = cases(both[1], k=2 * K, n=50)["BLASTP"]
    assert "larger --max-k" in beyond.reason(scores.named("tap"))
    for one in map(scores.named, ("roc_n", "pooled_roc_n", "n_short")):
        assert math.isnan(beyond.value(one))
        assert beyond.reason(one) == "not kept: condense with --max-n 50"
    many = measures.tap_k(both[1]["BLASTP"], k=N + 1)
    assert many.reason == f"not kept: condense with --max-k {N + 1}"
    assert np.isnan(many.per_query).all()
    lists = {"BLASTP": both[1]["BLASTP"]}
    at = {name: measures.tap(one, 50.0) for name, one in lists.items()}
    assert at["BLASTP"].reason.startswith("not kept beyond")
    assert scores.findings.not_measured(at, lists) == []  # the program went on
    too_many = measures.loosest_threshold(lists["BLASTP"], errors=90.0)
    assert re.search(r"at (\S+), not kept beyond \1: condense with a larger", too_many.reason)


def test_a_report_has_the_positions_that_were_kept(both):
    """Of k there are 100 for whole lists, and the page takes them as they are listed."""
    text, explorer = report(Explorer(both[1])), Explorer(both[1])
    assert 'data-plot="nth_error"' in text
    places = positions(PlotData(explorer))
    assert [*places["k"].values] == [*range(1, N + 1)]
    assert max(places["n"].values) == N
    assert len(positions(PlotData(Explorer(both[0])))["k"].values) == 100


@pytest.mark.parametrize(("every", "clear"), [(1, True), (6, False)])
def test_what_was_computed_before_lists_were_cut_is_not_said_to_hold_for_other_orders(
    both, every, clear
):
    kept = np.arange(both[1]["BLASTP"].n_queries) % every == every // 6
    some = {name: lists.subset(kept) for name, lists in both[1].items()}
    found = scores.compare(cases(some, 5, 10), n_resamples=0, compared=["tap", "mrr"])
    assert found.holds["mrr"].clear == clear
    assert found.holds["mrr"].text.lower().endswith("not known for every order of ties.")
    assert "—" not in [one.state for one in found.holds["tap"].conditions]


def test_intervals_and_differences_have_the_same_bits(both):
    policies = scores.Policies(k=(5,), n=10, n_resamples=100)
    full, cut = (scores.score(one, policies, baseline=NAMES[0]) for one in both)
    for name in NAMES:
        for column, ours, theirs in zip(full.columns, cut.rows[name], full.rows[name], strict=True):
            if column.score.name not in UNKNOWN:
                if column.score.name in AS_LISTED:
                    theirs = theirs._replace(worst=math.nan, best=math.nan)  # noqa: PLW2901
                np.testing.assert_equal(ours, theirs)
    ours, theirs = ([one.difference for _, one in of.comparisons] for of in (cut, full))
    np.testing.assert_equal(ours, theirs)
    assert [one.kind for one in cut.findings] == [one.kind for one in full.findings]


def test_there_is_no_interval_where_a_resample_asks_for_more(both):
    lists = both[1]["BLASTP"]
    found = measures.bootstrap({"A": lists}, k=K, n_resamples=50).algorithms["A"]
    assert np.isnan(found.tap.low)
    assert "E_k of some resamples" in found.reason
    assert np.isfinite(measures.tap_k(lists, k=K).value)


def test_errors_at_thresholds_of_resamples_that_were_not_kept_have_no_interval(both):
    whole, cut = lists_of(both)
    of = {
        "mean_epq": measures.mean_error_replicates,
        "median_epq": measures.median_error_replicates,
    }

    def found(lists):
        others = {"a": {name: make(lists) for name, make in of.items()}}
        return measures.bootstrap({"a": lists}, k=K, n_resamples=200, others=others).algorithms["a"]

    assert "E_k of some resamples" in found(cut).reason
    for name in of:
        assert np.isfinite(found(whole).others[name]).all()
        assert found(cut).others[name].estimate == found(whole).others[name].estimate
        assert np.isnan(found(cut).others[name][1:]).all()


def layers(data, name):
    plot = PLOTS[name]
    if plot.slow is not None:
        data.slow[name] = plot.slow(data)[1](lambda *_: True)
    return {one.name: one.columns for one in plot.picture(data).layers}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_shows_the_same_as_of_whole_lists_up_to_what_was_kept(both, name):
    full, cut = (PlotData(Explorer(results, k=5, n=10)) for results in both)
    assert cut.axis.high == min(lists.kept.e_keep for lists in both[1].values())
    full.axis = cut.axis
    plot = PLOTS[name]
    if plot.whole:
        assert not plot.missing(full.explorer) or plot.needs == "decoys"
        assert plot.missing(cut.explorer)
        return
    ours, theirs = layers(cut, name), layers(full, name)
    assert list(ours) == list(theirs)
    for layer, columns in ours.items():
        if layer in ("peak", "readout", "view", "name"):
            continue  # these follow from where the others end; and peaks are not known
        if layer.startswith("curve") and name in CUT:
            of = columns, theirs[layer]
            points, there = ([*zip(one["x"], one["y"], strict=True)] for one in of)
            assert len(points) > CUT[name]
            assert set(points[1:-1]) <= set(there)
        elif (name, layer) != ("threshold", "line") and not layer.startswith(
            ("curve", "average", "pooled")  # drawn at other points, and as high as these
        ):
            for column, values in columns.items():
                np.testing.assert_array_equal(values, theirs[layer][column], f"{layer} {column}")


def test_beyond_what_was_kept_plots_say_so_and_scores_are_undefined(both):
    explorer = Explorer(both[1], k=100, n=1000)
    data = PlotData(explorer)
    for name, marks, option in (
        ("nth_error", "bar", "--max-k 100"),
        ("sensitivity", "curve BLASTP", "--max-n 1000"),
    ):
        plot = PLOTS[name]
        assert not plot.picture(data).by_name[marks].size
        assert plot.text(data) == f"Not kept: condense with {option}."
    undefined = explorer.scores[["tap", "roc_n", "roc_n_worst"]]
    assert undefined.isna().all(axis=None)


def test_the_curves_of_roc_n_go_as_far_as_errors_were_kept(both):
    full, cut = (measures.roc_n_curve(one["BLASTP"], n=N) for one in both)
    np.testing.assert_equal(cut, full)
    drawn = layers(PlotData(Explorer(both[1], k=5, n=10)), "roc")
    for curve in ("average", "pooled"):
        of = drawn[f"{curve} BLASTP"]
        np.testing.assert_array_equal([of["x"], of["y"]], [range(1, N + 1), getattr(full, curve)])


GIVEN = {
    "k": 5, "n": 10, "epq": 0.5, "errors": 0.5, "e0": 0.1, "query": 3, "thresholds": [0.1],
    "weights": "relevant", "level": 1, "fpr1": 0.0, "fpr2": 0.1, "x": 0.1, "groups": None,
    "partner": {}, "rule": "optimistic",
}  # fmt: skip
"""Arguments that measures ask for, but for those that hang on the lists."""
ELSEWHERE = "tap_curve coverage_vs_epq ranked_list shares_relevant calibration class_groups"
"""Other tests are about these, whose results end where lists were cut."""
OF_LISTS = [
    name
    for name in measures.__all__
    if inspect.isfunction(getattr(measures, name)) and name not in ELSEWHERE.split()
    if next(iter(inspect.signature(getattr(measures, name)).parameters)).startswith("lists")
]


def same_or_unknown(ours, theirs):
    """Whether two results are the same but for what is NaN in ours, or a reason."""
    if getattr(ours, "reason", "").startswith("not kept") and math.isnan(ours.value):
        return True
    if isinstance(ours, tuple):
        return all(map(same_or_unknown, ours, theirs))
    if ours is None or callable(ours) or isinstance(ours, RetrievalLists):
        return (ours is None) == (theirs is None)
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    if ours.dtype.kind not in "fiub":
        return ours.tolist() == theirs.tolist() or str(ours).startswith("not kept")
    return ours.shape == theirs.shape and bool(((ours == theirs) | np.isnan(ours)).all())


@pytest.mark.parametrize("name", OF_LISTS)
def test_no_measure_takes_cut_lists_for_whole_ones(both, name):
    measure, (whole, cut) = getattr(measures, name), lists_of(both, "SSEARCH")
    known = inspect.signature(measure).parameters
    of_lists = {"decoy": ~whole.relevant, "found": whole.n_relevant // 2}
    given = {one: value for one, value in (GIVEN | of_lists).items() if one in known}
    beyond = {"k": 2 * N, "n": 2 * N, "e0": 100.0, "thresholds": [100.0]}
    for more in ({}, {one: value for one, value in beyond.items() if one in given}):
        expected = measure(whole, **given | more | contributed(name, whole))
        with suppress(NotKeptError):
            own = contributed(name, cut)
            assert same_or_unknown(measure(cut, **given | more | own), expected)


def contributed(name, lists):
    """What measures of contributions take of the lists themselves."""
    at = measures.tap_k(lists, k=5)
    own = {
        "linear_tap": {"found": at},
        "slope_at": {"e_k": at.e0, "k": 5, "curve": measures.tap_curve(lists)},
        "tap_sums": {},
    }
    return own[name] | {"groups": measures.Groups.single(lists.n_queries)} if name in own else {}


def test_curves_end_where_lists_were_cut(both):
    whole, cut = lists_of(both)
    curve, full = measures.tap_curve(cut), measures.tap_curve(whole)
    assert curve.threshold[-1] == cut.kept.e_keep
    np.testing.assert_array_equal(curve.tap, full.tap[: curve.tap.size])
    assert math.isnan(curve.peak_tap)
    coverage, all_of_it = measures.coverage_vs_epq(cut), measures.coverage_vs_epq(whole)
    np.testing.assert_array_equal(coverage.coverage, all_of_it.coverage[: coverage.coverage.size])
    refuses("expected errors per query from 0 to", coverage.at, 100)


def test_what_ends_with_the_lists_is_the_same_as_far_as_they_go(both):
    whole, cut = lists_of(both)
    ours, theirs = (measures.calibration(one, [0.1, 100.0]) for one in (cut, whole))
    assert ours.observed[0] == theirs.observed[0]
    assert math.isnan(ours.observed[1])
    assert ours.largest == cut.kept.e_keep
    ours, theirs = (measures.ranked_list(one, 3, 0.1) for one in (cut, whole))
    for name in ("tap", "n_never", "n_retrieved"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.n_not_kept == theirs.rank.size - ours.rank.size > 0
    # Which relevant records are common is known of those that were kept.
    assert not (measures.shares_relevant(cut) & ~measures.shares_relevant(whole)).any()


def test_beyond_e_keep_nothing_is_told(both):
    cut = both[1]["BLASTP"]
    assert measured_to(cut) == cut.kept.e_keep
    beyond = 2 * cut.kept.e_keep
    assert not_measured(cut, beyond).startswith("not kept beyond 9.3")
    found = measures.tap(cut, beyond)
    assert found.reason == not_measured(cut, beyond)
    assert np.isnan([found.value, *measures.tap(cut, math.inf).per_query]).all()


def test_queries_whose_lists_were_not_cut_are_whole(both):
    whole, cut = lists_of(both)
    uncut = np.diff(cut.offset) == cut.kept.length
    assert 0 < np.count_nonzero(uncut) < uncut.size
    assert all_kept(cut.subset(uncut))
    ours, theirs = (measures.tap(of.subset(uncut), math.inf).per_query for of in (cut, whole))
    np.testing.assert_equal(ours, theirs)


def test_a_policy_that_was_not_computed_before_the_cut_is_refused(both):
    with pytest.raises(NotKeptError, match="whole lists"):
        measures.average_precision(both[1]["BLASTP"], ties="pessimistic")


def test_condensed_lists_are_written_copied_and_aligned_with_what_is_known(both, tmp_path):
    lists = both[1]["BLASTP"]
    file = tmp_path / "lists.parquet"
    write_parquet(lists, file)
    few = lists.subset(np.arange(lists.n_queries) < 50)
    other = RetrievalLists([1.0], [False], [0, 1], [0], query=["another"])
    for copy in (read(file), deepcopy(lists), lists.with_weights(lists.weight)):
        np.testing.assert_equal(copy.kept._replace(values=dict(copy.kept.values)), lists.kept)
        np.testing.assert_equal(measures.average_precision(copy), measures.average_precision(lists))
    aligned = align({"few": few, "other": other})["few"]
    assert aligned.kept.length.tolist() == [*few.kept.length.tolist(), 0]
    ours, theirs = (measures.average_precision(one).per_query for one in (aligned, few))
    np.testing.assert_equal(ours[:50], theirs)
    refuses("condensed lists of one algorithm", write_parquet, both[1], tmp_path / "both.parquet")


def test_a_damaged_note_of_what_was_kept_is_refused(both, tmp_path):
    lists = both[1]["BLASTP"]
    kept = lists.kept._replace(length=np.zeros_like(lists.kept.length))
    damaged = lists.replaced(kept=kept, reported_to=None, reported_how=None)
    write_parquet(damaged, tmp_path / "lists.parquet")
    with pytest.raises(ReadError, match="is damaged; condense the files again"):
        read(tmp_path / "lists.parquet")


def test_a_folder_opens_like_a_file(both, searches, tmp_path, capsys):
    folder, report = str(searches / "BLASTP"), tmp_path / "report.html"
    assert main(["score", folder, "-k", "5", "-n", "10", "--resamples", "0"]) == 0
    assert f"{measures.tap_k(both[0]['BLASTP'], k=5).value:.3f}" in capsys.readouterr().out
    svg = str(tmp_path / "tap.svg")
    assert main(["figure", folder, "-k", "5", "-o", svg, "--plot", "tap"]) == 0
    assert main(["report", folder, "-k", "5", "-n", "10", "--plain", "-o", str(report)]) == 0
    assert "BLASTP" in report.read_text()
    assert Dashboard(Explorer(both[1], k=5, n=10)) is not None  # and a page shows it


@pytest.mark.parametrize("command", ["score", "explore", "report"])
def test_files_that_need_more_memory_than_there_is_say_what_to_type(
    searches, monkeypatch, capsys, tmp_path, command
):
    monkeypatch.setattr(inputs, "free_memory", lambda: 3_000_000)
    monkeypatch.setattr(inputs, "FREE_AT_LEAST", 1_000_000)
    file, pairs = str(searches / "SSEARCH.tsv"), str(searches / "pairs.tsv")
    output = ["-o", "report.html"] if command == "report" else []
    told = stderr_of(capsys, [command, file, "--qrels", pairs, *output])
    assert "and 0.0 GB are free" in told
    typed = f"tapviz condense {file} --qrels {pairs} -o SSEARCH-condensed"
    assert typed in told
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(typed)[1:]) == 0
    assert main(["score", "SSEARCH-condensed", "-k", "5", "--resamples", "0"]) == 0
    assert 0.9 < inputs.memory_to_read(file) / (120 * 94_154) < 1.1
    lists = read(file, qrels=pairs)
    write_parquet(lists, searches / "SSEARCH.parquet")
    needed = inputs.memory_to_read(str(searches / "SSEARCH.parquet"))
    assert needed == 120 * np.maximum(np.diff(lists.offset), 1).sum()  # a row of an empty list


def test_sensitivity_and_grades_of_condensed_lists():
    kept = Kept(0.5, 1, np.array([7]), np.array([1]), {}, graded=True)
    lists = RetrievalLists([0.1, 0.9], [True, False], [0, 2], [1], kept=kept)
    refuses("grades", scores.named("ndcg@1").measure, lists, error=NotKeptError)
    assert scores.named("sensitivity@1").measure(lists) == 1


def test_a_promise_is_the_same_or_says_why_not(both):
    for name in NAMES:
        for errors in (0.1, 0.5):
            full, cut = (measures.promised_threshold(one[name], errors=errors) for one in both)
            assert cut == full
            assert not full.reason
        # What a group not seen may add is looked up where there are ten times as many errors.
        many = measures.promised_threshold(both[1][name], errors=5)
        assert many.reason.startswith("not kept beyond")


@pytest.mark.parametrize("errors", [0.1, 5])
def test_intervals_of_advice_are_the_same_or_unknown(both, errors):
    """For 5 errors they ask what a group not seen may add at 50, and these were not kept."""
    how = {"errors": errors, "n_repeats": 2, "n_resamples": 50}
    full, cut = (measures.advise({"A": one["BLASTP"]}, **how).algorithms["A"] for one in both)
    assert np.isfinite([*full.errors[:3], *full.threshold]).all()
    assert (cut.errors.estimate, cut.recall) == (full.errors.estimate, full.recall)
    if errors < 1:
        assert (cut.errors, cut.threshold) == (full.errors, full.threshold)
    else:
        assert cut.threshold.estimate == full.threshold.estimate
        assert np.isnan([*cut.errors[1:3], *cut.threshold[1:]]).all()


def test_a_table_says_why_scores_of_condensed_lists_are_undefined(both):
    policies = scores.Policies(k=(5,), n=N, n_resamples=0)
    whole, cut = (scores.score({"BLASTP": one["BLASTP"]}, policies) for one in both)
    asks = "of BLASTP: not kept: it asks for whole lists, which were condensed"
    assert whole.doubts == ()
    assert cut.doubts == (f"peak TAP {asks}", f"peak TAP at E_0 {asks}")
