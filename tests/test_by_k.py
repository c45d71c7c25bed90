"""TAP-k at every k at once, and its resamples: against one k at a time, and slow twins."""

import sys
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import Explorer, load_results
from tapviz import measures as m
from tapviz.lists import Kept, RetrievalLists
from tapviz.measures import (
    Bracket,
    TapByK,
    disagreements,
    flips,
    pooled_roc_n,
    ranks,
    tap_by_k,
    tap_k,
)
from tapviz.plots import PLOTS, PlotData, order
from tapviz.scores import Case, EveryThreshold, Memo, ThresholdRule, compare
from tapviz.scores.findings import describe
from tapviz.scores.words import describe as describe_verdict
from tapviz.state.numbers import SHARED
from tests import twins
from tests.refused import error_of, refuses
from tests.strategies import any_lists, examples, quantiles, seeded_lists
from tests.twins import Query, build

nan = float("nan")


def assert_same(results, *, max_k=0, e0=(), **options):
    """At each k, or each E_0, the same numbers as of the bootstrap there alone."""
    if max_k:
        together = m.bootstrap_by_k(results, max_k=max_k, **options)
    else:
        together = m.bootstrap_by_e0(results, e0, **options)
    errors = {"mean_epq": m.mean_error_replicates, "median_epq": m.median_error_replicates}
    others = {
        name: {score: of(lists) for score, of in errors.items()} for name, lists in results.items()
    }
    setting, values = ("k", range(1, max_k + 1)) if max_k else ("e0", e0)
    for place, value in enumerate(values):
        options[setting] = value
        alone, found = m.bootstrap(results, others=others, **options), together.at(value)
        for field in ("n_resamples", "seed", "level", "method", "threshold_rule", "k", "quantile"):
            assert getattr(found, field) == getattr(alone, field)
        assert found.reason == alone.reason
        assert str(found.groups) == str(alone.groups)
        for name, one in alone.algorithms.items():
            same = found.algorithms[name]
            assert (same.reason, same.not_reached) == (one.reason, one.not_reached)
            np.testing.assert_array_equal(same.e0, one.e0)
            np.testing.assert_array_equal(same.replicates.e0, one.replicates.e0)
            for mine, its in (
                (same.tap, one.tap),
                (same.replicates.tap, one.replicates.tap),
                (same.influences.tap, one.influences.tap),
            ):
                np.testing.assert_allclose(mine, its, rtol=1e-12, atol=1e-14)
            for score, interval in one.others.items():
                expected = (nan, nan, nan) if one.reason else interval
                np.testing.assert_allclose(same.others[score], expected, rtol=1e-12, atol=1e-14)
            arrays = together.algorithms[name]
            for score in ("tap", "e0", "mean_epq", "median_epq"):
                there = np.array(getattr(arrays, score))[:, place]
                own = getattr(same, score, None) or same.others[score]
                np.testing.assert_array_equal(there, own)
            assert arrays.reason[place] == one.reason
    return together


@pytest.mark.parametrize("fixed_threshold", [False, True])
@pytest.mark.parametrize("bayesian", [False, True])
@examples(60)
@given(any_lists.filter(lambda lists: lists.n_queries), quantiles, st.integers(0, 3))
def test_every_k_is_the_bootstrap_at_that_k(fixed_threshold, bayesian, lists, quantile, seed):
    options = {"fixed_threshold": fixed_threshold, "bayesian": bayesian}
    assert_same({"a": lists}, max_k=4, quantile=quantile, seed=seed, n_resamples=7, **options)


@pytest.mark.parametrize("bayesian", [False, True])
@examples(60)
@given(any_lists.filter(lambda lists: lists.n_queries), st.integers(0, 3))
def test_every_e0_is_the_bootstrap_at_that_e0(bayesian, lists, seed):
    scores = np.append(np.unique(lists.sign * lists.score)[:4], np.inf)
    e0 = [float(lists.sign * score) for score in scores]  # from strict to loose
    assert_same({"a": lists}, e0=e0, seed=seed, n_resamples=7, bayesian=bayesian)


@pytest.mark.parametrize(("seed", "quantile"), [*enumerate([0.5, 0.25, 0.7, 0.7, 0.5, 0.25])])
def test_longer_lists(seed, quantile):
    # Even seeds ascend and odd ones descend, some have weights; scores are tied.
    lists = seeded_lists(seed, n_queries=40, longest=60)
    labels = np.arange(40) // 2 * (np.arange(40) > 9)
    for part, groups in ((lists, labels), (lists.subset(np.arange(40) % 2 == 0), None)):
        options = {"max_k": 12, "quantile": quantile, "groups": groups, "n_resamples": 60}
        found = assert_same({"a": part}, **options).algorithms["a"]
        known = [not reason for reason in found.reason]
        assert any(known)
        assert np.isfinite(found.tap.low[known]).all()


def test_thresholds_of_some_replicates_are_infinite():
    # Twelve of twenty queries have a second error: in some draws fewer than half do.
    few, more = [(2.0, False)], [(1.0, True), (3.0, False), (4.0, False)]
    lists = build([Query(1, 1.0, more if q < 12 else few) for q in range(20)])
    found = assert_same({"a": lists}, max_k=3, n_resamples=200).algorithms["a"]
    first, second, third = found.reason
    assert (first, second) == ("", "")
    assert third == "Fewer than half of the queries have 3 errors."
    assert found.not_reached[0] == 0 < found.not_reached[1] < 100 < found.not_reached[2] == 200
    assert (found.e0.low[1], found.e0.high[1]) == (4, np.inf)
    assert np.isnan([found.tap.estimate[2], found.mean_epq.low[2], found.e0.high[2]]).all()


@pytest.mark.parametrize("seed", range(4))
def test_errors_are_those_of_the_slow_twin(seed):
    lists = seeded_lists(seed, n_queries=25, longest=40)
    found = m.bootstrap_by_k({"a": lists}, max_k=6, n_resamples=5).algorithms["a"]
    for k in range(1, 7):
        if found.reason[k - 1]:
            continue
        counts = twins.errors_per_query(lists, m.tap_k(lists, k=k).e0)
        mean, median = found.mean_epq.estimate[k - 1], found.median_epq.estimate[k - 1]
        assert mean == pytest.approx(np.average(counts, weights=lists.weight), rel=1e-12)
        assert median == twins.epq_quantile(counts, lists.weight.tolist(), 0.5)


def test_replicates_of_errors_by_hand():
    # Each replicate is one of two queries, drawn once or twice; of both, the upper median.
    early = Query(1, 1.0, [(1.0, False), (2.0, False), (3.0, True)])
    late = Query(1, 1.0, [(1.0, True), (2.0, False), (4.0, False), (5.0, False)])
    lists = build([early, late])
    found = m.bootstrap_by_k({"a": lists}, max_k=2, n_resamples=40).algorithms["a"]
    assert set(found.e0s[0]) == {1.0, 2.0}
    assert set(found.e0s[1]) == {2.0, 4.0}
    # At 1: errors 1 and 0; at 2: 2 and 1.
    assert found.mean_epq.estimate.tolist() == [0.5, 1.5]
    assert found.median_epq.estimate.tolist() == [1.0, 2.0]


def cut(lists, e_keep, n_errors):
    """The same lists, of which only what is up to a score, or to the n-th error, was kept."""
    query = np.repeat(np.arange(lists.n_queries), np.diff(lists.offset))
    total = np.cumsum(~lists.relevant)
    before = np.append(0, total)[lists.offset[:-1]]
    kept = (lists.score <= e_keep) | (total - before[query] <= n_errors)
    count = np.bincount(query[kept], minlength=lists.n_queries)
    found = np.bincount(query, lists.relevant, lists.n_queries).astype(int)
    arrays = lists.score[kept], lists.relevant[kept], np.append(0, np.cumsum(count))
    told = Kept(e_keep, n_errors, np.diff(lists.offset), found, {})
    return RetrievalLists(*arrays, lists.n_relevant, kept=told)


def test_condensed_lists():
    whole = load_results("profiles")["RPS-BLAST"]
    whole = RetrievalLists(whole.score, whole.relevant, whole.offset, whole.n_relevant)
    lists = cut(whole, m.tap_k(whole, k=8).e0, 10)
    found = assert_same({"a": lists}, max_k=12, n_resamples=50).algorithms["a"]
    assert not any(found.reason[:7])
    assert found.reason[7].endswith("for E_k of some resamples lies there")
    assert found.reason[8].startswith("not kept beyond")
    assert found.reason[11] == "not kept: condense with --max-k 12"
    full = m.bootstrap_by_k({"a": whole}, max_k=12, n_resamples=50).algorithms["a"]
    for score in ("tap", "e0", "mean_epq", "median_epq"):
        ours, theirs = np.array(getattr(found, score)), np.array(getattr(full, score))
        np.testing.assert_allclose(ours[:, :7], theirs[:, :7], rtol=1e-12)
        assert np.isnan(ours[:, 7:]).all()


def test_the_other_direction_is_the_same():
    up = seeded_lists(0, n_queries=30)
    down = RetrievalLists(-up.score, up.relevant, up.offset, up.n_relevant, direction="descending")
    one, other = assert_same({"up": up, "down": down}, max_k=5, n_resamples=40).algorithms.values()
    for score in ("tap", "mean_epq", "median_epq"):
        np.testing.assert_array_equal(getattr(one, score), getattr(other, score))
    np.testing.assert_array_equal(one.e0.low, -other.e0.high)


@pytest.mark.parametrize("held", [1, 7 * 40, 1 << 23])
def test_however_many_replicates_are_held(monkeypatch, held):
    lists = seeded_lists(2, n_queries=40)
    expected = m.bootstrap_by_k({"a": lists}, max_k=5, n_resamples=30).algorithms["a"]
    monkeypatch.setattr(sys.modules["tapviz.measures.bootstrap_by"], "HELD", held)
    found = m.bootstrap_by_k({"a": lists}, max_k=5, n_resamples=30).algorithms["a"]
    np.testing.assert_array_equal(found.e0s, expected.e0s)
    np.testing.assert_allclose(found.taps, expected.taps, rtol=1e-13)
    np.testing.assert_allclose(found.mean_epq, expected.mean_epq, rtol=1e-12)


def test_nothing_to_draw_from():
    found = m.bootstrap_by_k({"a": build([])}, max_k=2, n_resamples=5)
    assert found.at(1).reason == "fewer than 10 queries"
    one = found.algorithms["a"]
    assert one.reason == ("there is no query",) * 2
    assert np.isnan([*one.tap, *one.e0, *one.mean_epq, *one.median_epq]).all()


def test_progress_and_cancelling():
    results = {name: seeded_lists(0) for name in "ab"}
    calls = []
    m.bootstrap_by_k(results, max_k=3, n_resamples=10, progress=lambda *call: calls.append(call))
    assert calls == [(done, 60) for done in range(0, 61, 10)]
    for after in (0, 30):
        with pytest.raises(m.Cancelled):
            m.bootstrap_by_k(results, max_k=3, progress=lambda done, _, after=after: done < after)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_k": 0}, "max_k = 0: expected a whole number of errors"),
        ({"quantile": 0}, "quantile = 0"),
        ({"n_resamples": 0}, "n_resamples = 0"),
        ({"level": 2}, "level = 2"),
    ],
)
def test_bad_arguments(options, message):
    refuses(message, m.bootstrap_by_k, {"a": seeded_lists(0)}, **options)
    found = m.bootstrap_by_k({"a": seeded_lists(0)}, max_k=2, n_resamples=2)
    for k, expected in ((3, "k = 3: expected at most 2"), (0, "k = 0"), (1.5, "k = 1.5")):
        refuses(expected, found.at, k)


def by_k(*taps):
    return TapByK(np.array(taps), np.ones(len(taps)))


@given(any_lists, quantiles)
def test_every_k_is_tap_k(lists, quantile):
    found = tap_by_k(lists, max_k=9, quantile=quantile)
    for k in range(1, 10):
        one = tap_k(lists, k=k, quantile=quantile, short_lists="error")
        e0 = one.e0 if np.isfinite(one.value) else nan
        assert found.tap[k - 1] == pytest.approx(one.value, nan_ok=True, rel=1e-12, abs=1e-15)
        assert found.e0[k - 1] == pytest.approx(e0, nan_ok=True, rel=0)


@pytest.mark.parametrize(("most", "quantile"), [(0, 0.5), (5, 0.0), (5, 1.5)])
def test_senseless_ranges_are_refused(most, quantile):
    lists = RetrievalLists([1.0], [True], [0, 1], [1])
    with pytest.raises(ValueError, match="expected at least 1, and a fraction above 0"):
        tap_by_k(lists, max_k=most, quantile=quantile)


def test_flips_are_where_the_order_changes_however_long_it_is_equal_between():
    taps = {"A": by_k(0.5, 0.4, 0.4, 0.3), "B": by_k(0.4, 0.4, 0.5, 0.5), "C": by_k(0, 0, 0, 0)}
    assert flips(taps) == [(3, "B", "A")]
    assert flips({"A": by_k(0.5, 0.4), "B": by_k(0.4, 0.4)}) == []
    assert flips({"A": by_k(0.5, nan, 0.1), "B": by_k(0.4, 0.4, 0.4)}) == [(3, "B", "A")]


def test_equal_ones_share_their_ranks_and_undefined_ones_have_none():
    taps = {"A": by_k(0.5, 0.2), "B": by_k(0.5, nan), "C": by_k(0.1, 0.3)}
    assert ranks(taps) == pytest.approx(np.array([[1.5, 2], [1.5, nan], [3, 1]]), nan_ok=True)
    assert ranks({}).size == 0


def test_disagreements_are_pairs_in_another_order_the_clearest_first():
    tap = {"A": 0.9, "B": 0.5, "C": 0.4, "D": nan}
    assert disagreements(tap, {"A": 0.3, "B": 0.2, "C": 0.1, "D": 1}) == []
    other = {"A": 0.1, "B": 0.1, "C": 0.2, "D": 1}
    assert disagreements(tap, other) == [("A", "C"), ("B", "C")]
    # Whatever the order of records of equal score: not where two could have the same.
    ties = {"A": Bracket(0.1, 0.19), "B": Bracket(0.1, 0.2), "C": Bracket(0.2, 0.4), "D": None}
    assert disagreements(tap, other, ties=ties) == [("A", "C")]


@pytest.fixture(scope="module")
def bench():
    return load_results("scope40")


def test_the_bundled_bench_has_a_flip(bench):
    pair = {name: tap_by_k(bench[name]) for name in ("SSEARCH", "MMseqs2_iter3")}
    assert flips(pair) == [(2, "SSEARCH", "MMseqs2_iter3")]
    assert "from k = 2 on SSEARCH ranks above MMseqs2_iter3" in order.text(pair)


def test_pooled_and_tap_disagree_on_the_bundled_bench(bench):
    explorer = Explorer(bench, shown=["BLASTP", "MMseqs2_iter3"])
    (found,) = (one for one in explorer.findings() if one.kind == "order")
    assert found.algorithms == ("BLASTP", "MMseqs2_iter3")
    said = "Pooled ROC_50 ranks BLASTP above MMseqs2_iter3; TAP-20 ranks it below."
    assert describe(found).startswith(said)
    assert pooled_roc_n(bench["BLASTP"], n=50) > pooled_roc_n(bench["MMseqs2_iter3"], n=50)
    explorer.algorithms = ["BLASTP", "jackhmmer"]
    assert "order" not in {one.kind for one in explorer.findings()}


def test_a_pooled_score_outside_its_parts_is_named(bench):
    (found,) = Explorer(bench, shown=["jackhmmer"], query_text="(d4dh2b_|d2ok5a4)").findings()
    said = "Pooled ROC_50 lies outside the range of ROC_50 of the single queries"
    assert describe(found) == f"{said}: jackhmmer 0.289 is below 0.578 to 0.988"


def test_lists_that_end_first_are_named_with_what_to_do(bench):
    explorer = Explorer(bench, shown=["DIAMOND_default"])
    found, *_ = explorer.findings()
    assert (found.kind, found.numbers["k"]) == ("short_lists", 20)
    assert describe(found).startswith("The lists of DIAMOND_default end too early for E_20: ")
    assert "Run the search again with a larger E-value limit" in describe(found)
    explorer.k = 1
    assert "E_20" not in " ".join(map(describe, explorer.findings()))


def test_lines_are_minus_the_ranks_and_end_where_tap_k_is_undefined():
    def lists(*relevant):
        return RetrievalLists(np.arange(1.0, len(relevant) + 1), relevant, [0, len(relevant)], [2])

    # B, which begins with an error, is ahead from the second one on; A has no third one.
    explorer = Explorer({"A": lists(1, 0, 0), "B": lists(0, 1, 1, 0, 0), "C": lists(0)}, k=7)
    explorer.algorithms = ["A", "B"]
    drawn = PLOTS["order"].picture(PlotData(explorer)).columns
    assert drawn["curve A"]["x"].tolist() == [1, 2]
    assert drawn["curve A"]["y"].tolist() == [-1, -2]
    assert drawn["curve B"]["y"].tolist() == [-2, -1, -1]
    assert drawn["curve C"]["x"].size == 0
    assert drawn["name"]["text"].tolist() == ["A", "B"]
    # A: (1 + 1/3) / (2 + 1); B: (1/2 + 2/3 + 2/4) / (2 + 1), and (1/2 + 2/3 + 2/5) / (2 + 1).
    assert drawn["readout"]["text"][2:4].tolist() == [
        "k = 2<br><b>A</b> no. 2, TAP-2 0.444<br><b>B</b> no. 1, TAP-2 0.556",
        "k = 3<br><b>A</b> undefined<br><b>B</b> no. 1, TAP-3 0.522",
    ]
    assert drawn["line"]["x"].tolist() == [7, 7]


def test_words_name_the_last_k_that_all_have():
    assert order.text({"A": by_k(1.0)}).startswith("Fewer than two programs")
    falling = np.linspace(0.5, 0.1, 100)
    long, none = by_k(*falling), by_k(*[nan] * 100)
    short = by_k(*np.where(np.arange(100) < 32, falling - 0.05, nan))
    same = "The ranking of the programs by TAP-k is the same for every k from 1 to "
    two = {"A": by_k(0.5, 0.4), "B": by_k(0.4, 0.3)}
    assert order.text(two) == f"{same}2; A has no TAP-k beyond."
    assert order.text({"A": long, "B": short}) == f"{same}32; B has no TAP-k beyond."
    assert order.text({"A": long, "B": short, "C": none}) == f"{same}32; B has no TAP-k beyond."
    assert order.text({"A": long, "B": by_k(*falling / 2)}) == f"{same}100."
    only = "The ranking of the programs by TAP-k is known at k = 1 only; B has no TAP-k beyond."
    assert order.text({"A": by_k(0.5, 0.4), "B": by_k(0.4, nan)}) == only
    nothing = "Fewer than two of the programs have a TAP-k: there is no ranking."
    assert order.text({"A": long, "C": none}) == nothing


# --- what has been worked out once for every k ----------------------------------------------------

NAMES = ("BLASTP", "SSEARCH", "MMseqs2_iter3", "DIAMOND_default")
RESAMPLES = 200
E0 = (0.0, 1e-30, 1e-5, 0.01, 0.1, 1.0, 10.0, 11.0, 100.0, 1000.0)
"""To the last some searches did not go, and one did not go beyond 10."""


def cases(k, e0=None):
    results, rule = load_results(), ThresholdRule(k=k, e0=e0)
    return {name: Case(results[name], rule, 50, Memo()) for name in NAMES}


@pytest.fixture(scope="module")
def every():
    return EveryThreshold.of(cases(20), compare(cases(20), n_resamples=RESAMPLES))


@pytest.fixture(scope="module")
def every_e0():
    there = cases(None, 0.1)
    return EveryThreshold.of(there, compare(there, n_resamples=RESAMPLES), E0)


def assert_intervals(found, wanted, left_out=frozenset(), **tolerance):
    """The intervals of each program are those that are wanted, but for some scores without any."""
    assert found.bootstrap.algorithms.keys() == wanted.bootstrap.algorithms.keys()
    for name, one in found.bootstrap.algorithms.items():
        same = wanted.bootstrap.algorithms[name]
        assert same.others.keys() - one.others.keys() == left_out
        assert one.others.keys() <= same.others.keys()
        scores = {"e0": same.e0, "tap": same.tap, **({} if same.reason else same.others)}
        for score in scores.keys() - left_out:
            interval = one.others.get(score) or getattr(one, score)
            given = {"rtol": 1e-9, "atol": 1e-12, **tolerance}
            np.testing.assert_allclose(interval, scores[score], err_msg=f"{name} {score}", **given)


@pytest.mark.parametrize("k", [1, 2, 7, 60, 73, 74, 100])
def test_what_is_looked_up_is_what_would_be_found(every, k):
    assert_looked_up(every, cases(k))


@pytest.mark.parametrize("e0", E0)
def test_what_is_looked_up_at_an_e0_is_what_would_be_found(every_e0, e0):
    assert_looked_up(every_e0, cases(None, e0), rounding=1e-15)  # sums in another order


def test_only_thresholds_that_were_resampled_are_looked_up(every, every_e0):
    assert every.place(ThresholdRule(k=101)) is None
    assert every.place(ThresholdRule(k=None, e0=0.1)) is None
    assert every_e0.place(ThresholdRule(k=20)) is None
    refuses("TAP at 0.2: expected a threshold that was resampled", every_e0.at, cases(None, 0.2))
    refuses("e0 = 0.2: expected one of those that were resampled", every_e0.resampled.at, 0.2)


def assert_looked_up(every, there, rounding=0.0):
    """What is looked up has all that is found anew but for differences of thresholds and errors."""
    found, wanted = every.at(there), compare(there, n_resamples=RESAMPLES)
    assert_intervals(found, wanted)
    for name, verdict in found.verdicts.items():
        np.testing.assert_equal(describe_verdict(verdict), describe_verdict(wanted.verdicts[name]))
    known = {(one.score, *one[:2]): one for one in found.differences}
    for one in wanted.differences:
        if one.score in found.verdicts:
            same = known[one.score, *one[:2]]
            for field in ("difference", "listed"):
                numbers = getattr(same, field), getattr(one, field)
                np.testing.assert_allclose(*numbers, rtol=0, atol=rounding)
            alike = same._replace(difference=one.difference, listed=one.listed)
            np.testing.assert_equal(alike._asdict(), one._asdict())


def test_a_step_of_k_resamples_nothing_anew(every, monkeypatch):
    """So that it can follow the hand."""
    for name in ("bootstrap", "bootstrap_by_k", "contrasts", "pairwise"):
        monkeypatch.delattr(m, name)
    assert every.at(cases(31)).verdicts["tap"].place.k == 31
    error_of(compare, cases(31), n_resamples=RESAMPLES, error=AttributeError)


def test_a_step_of_k_costs_little_beside_finding_it_anew(every):
    looked_up, anew = cases(31), cases(32)
    for case in (*looked_up.values(), *anew.values()):
        _ = case.tap
    start = process_time()
    every.at(looked_up)
    between = process_time()
    compare(anew, n_resamples=1000)
    assert between - start < (process_time() - between) / 5


@pytest.fixture
def _shared_with_nobody():
    """Leave what has been worked out for every k to no other test."""
    yield
    SHARED.__init__(keep=16)


def tap_in_words(found):
    return describe_verdict(found.verdict("tap"))


@pytest.mark.usefixtures("_shared_with_nobody")
def test_choices_know_every_k_once_somebody_has_worked_it_out():
    explorer = Explorer(load_results("profiles"), k=5)
    work = explorer.every_threshold(explorer.compared())
    explorer.k = 12
    assert explorer.known is None
    work(None)
    assert explorer.known is not None
    assert explorer.known is explorer.known
    assert tap_in_words(explorer.known) == tap_in_words(explorer.compared(seed=0))
    explorer.k = 9
    assert explorer.known is not None
    assert explorer.every_threshold(explorer.known) is None  # nothing is left to do
    # Differences by another score are not among what is known.
    for change in ({"compared_score": "mean_epq"}, {"query_class": "a"}, {"mode": "e0"}):
        explorer.param.update(**change)
        assert explorer.known is None, change
        explorer.undo()
        assert explorer.known is not None
    explorer.param.update(mode="e0", e0=0.01)
    found = explorer.compared()
    assert explorer.every_threshold(found) is None  # it is not said which there are
    explorer.every_threshold(found, (0.01, 1.0))(None)
    explorer.e0 = 1.0
    assert tap_in_words(explorer.known) == tap_in_words(explorer.compared(seed=0))
    explorer.e0 = 0.5
    assert explorer.known is None


@pytest.mark.usefixtures("_shared_with_nobody")
def test_choices_know_every_e0_where_large_scores_are_better():
    """The slider goes from the least score to the largest, which is from loose to strict."""
    explorer = Explorer(load_results("cranfield"), mode="e0", e0=30)
    explorer.every_threshold(explorer.compared(), (10, 20, 30))(None)
    for e0 in (20, 10):
        explorer.e0 = e0
        assert tap_in_words(explorer.known) == tap_in_words(explorer.compared(seed=0))


BY_N = {"roc_n", "pooled_roc_n"}


def test_what_n_does_not_change_stays_while_the_rest_is_found_anew():
    explorer = Explorer(load_results("profiles"), k=5)
    found = explorer.compared()
    assert explorer.or_at_any_n(found) is found
    explorer.n = 7
    kept, anew = explorer.or_at_any_n(None), explorer.compared()
    assert_intervals(kept, anew, BY_N, rtol=0, atol=0)
    wanted = [one for one in anew.differences if one.score not in BY_N]
    np.testing.assert_equal([*map(tuple, kept.differences)], [*map(tuple, wanted)])
    assert tap_in_words(kept) == tap_in_words(anew)
    for change in ({"compared_score": "roc_n"}, {"k": 6}, {"query_class": "a"}):
        explorer.or_at_any_n(anew)
        before = {name: getattr(explorer, name) for name in change}
        explorer.param.update(**change)
        assert explorer.or_at_any_n(None) is None, change
        explorer.param.update(**before)


@pytest.mark.usefixtures("_shared_with_nobody")
def test_another_n_leaves_the_intervals_of_every_k_and_resamples_none_of_them():
    explorer = Explorer(load_results("profiles"), k=5, n=50)
    explorer.every_threshold(explorer.compared())(None)
    explorer.param.update(n=7, k=9)
    assert explorer.known is None  # nobody has found those of n yet
    assert explorer.known_at_every_threshold
    kept, anew = explorer.or_at_any_n(None), explorer.compared()
    assert_intervals(kept, anew, BY_N)
    assert tap_in_words(kept) == tap_in_words(anew)
    explorer.compared_score = "roc_n"  # of which all depends on n
    assert explorer.or_at_any_n(None) is None
    assert not explorer.known_at_every_threshold
    explorer.compared_score = "tap"
    resampled = []
    explorer.every_threshold(anew)(lambda *done: resampled.append(done))
    assert not resampled
    explorer.k = 12
    assert_intervals(explorer.known, explorer.compared())
