"""Where to put the threshold: against a slow twin, and against a known truth."""

import json
import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tapviz import RetrievalLists, load_results
from tapviz import measures as m
from tapviz.measures.accepted import _worst, rate_ends
from tapviz.measures.advice import random_folds
from tapviz.scores import advice_csv, advice_json, advice_table
from tests import strategies, twins
from tests.refused import refuses

# Three queries, by hand. Errors at 2; at 3 and 6; at 4, 5 and 6. Of the relevant records, one of
# two is found at 1, one of one at 3, one of four at 5.
BY_HAND = RetrievalLists(
    [1.0, 2.0, 3.0, 3.0, 6.0, 4.0, 5.0, 5.0, 6.0],
    [True, False, False, True, False, False, True, False, False],
    [0, 2, 5, 9],
    [2, 1, 4],
)


def advised(lists, **options):
    return m.advise({"A": lists}, **options).algorithms["A"]


def loosest(lists: RetrievalLists, accepted: m.AcceptedErrors) -> float | None:
    """Loosest score with no more errors than accepted, and none that is stricter has more."""
    weights, best = lists.weight.tolist(), None
    most = accepted.errors * (1 + 1e-12) if accepted.statistic == "mean" else accepted.errors
    for score in twins.distinct(lists):
        if made(twins.errors_per_query(lists, score), weights, accepted) > most:
            break
        best = score
    return best


def found_at(lists: RetrievalLists, thresholds: list[float | None]) -> list[list[bool]]:
    """Relevance of what each query retrieves at a threshold of its own; None is before all."""
    queries = zip(twins.plain(lists), thresholds, strict=True)
    return [[] if e0 is None else twins.retrieved(lists, query, e0) for query, e0 in queries]


def made(errors: list[int], weights: list[float], accepted: m.AcceptedErrors) -> float:
    """Errors as they are accepted: their mean, or a quantile."""
    if accepted.statistic == "mean":
        return twins.mean(errors, weights)
    return twins.epq_quantile(errors, weights, accepted.share)


def figures(lists, thresholds: list[float | None], accepted: m.AcceptedErrors) -> list[float]:
    """Figures of queries, each at a threshold of its own, by plain loops."""
    weights, each, errors = lists.weight.tolist(), [], []
    for query, found in zip(twins.plain(lists), found_at(lists, thresholds), strict=True):
        recall = found.count(True) / query.total if query.total else math.nan
        precision = found.count(True) / len(found) if found else math.nan
        each.append((recall, precision, twins.tap_of(query.total, found)))
        errors.append(found.count(False))
    too_many = [one > accepted.errors for one in errors]
    means = [twins.mean(values, weights) for values in (*zip(*each, strict=True), too_many)]
    return [made(errors, weights, accepted), *means]


@pytest.mark.parametrize(
    ("errors", "statistic", "quantile", "threshold", "recall"),
    [
        (0.5, "mean", 0.9, 2.0, (1 / 2 + 0 + 0) / 3),  # at 3 there are 2 errors in 3 queries
        (2 / 3, "mean", 0.9, 3.0, (1 / 2 + 1 + 0) / 3),
        (1, "mean", 0.9, 4.0, (1 / 2 + 1 + 0) / 3),
        (1.4, "mean", 0.9, 5.0, (1 / 2 + 1 + 1 / 4) / 3),
        (0, "median", 0.9, 2.0, (1 / 2 + 0 + 0) / 3),
        (1, "median", 0.9, 5.0, (1 / 2 + 1 + 1 / 4) / 3),
        (1.9, "median", 0.9, 5.0, (1 / 2 + 1 + 1 / 4) / 3),
        (1, "quantile", 0.6, 5.0, (1 / 2 + 1 + 1 / 4) / 3),
        (0, "quantile", 0.3, 3.0, (1 / 2 + 1 + 0) / 3),  # one of three has none yet
    ],
)  # fmt: skip
def test_loosest_threshold_by_hand(errors, statistic, quantile, threshold, recall):
    at = m.loosest_threshold(BY_HAND, errors=errors, statistic=statistic, quantile=quantile)
    assert (at.threshold, at.recall, at.reason) == (threshold, pytest.approx(recall), "")


def test_figures_in_the_sample_and_leaving_one_query_out_by_hand():
    one = advised(BY_HAND, errors=1, n_folds=3, n_repeats=1)
    assert one.threshold.estimate == 4
    in_sample = [1, (1 / 2 + 1 + 0) / 3, (1 / 2 + 1 / 2 + 0) / 3, m.tap(BY_HAND, 4).value, 0]
    assert [figure.in_sample for figure in one.figures.values()] == pytest.approx(in_sample)
    # Without the first, the others may have 2 errors: at 3 and 4. Without the second, at 2 and 4;
    # without the third, at 2 and 3. So the thresholds are 4, 4 and 3, where the queries left out
    # have 1, 1 and 0 errors.
    assert (one.errors.estimate, one.errors.gap) == pytest.approx((2 / 3, -1 / 3))
    assert one.recall.estimate == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert one.precision.estimate == pytest.approx((1 / 2 + 1 / 2) / 2)  # the third finds nothing
    assert one.exceeding.estimate == 0


LIMITS = st.builds(
    m.AcceptedErrors,
    st.sampled_from((0.0, 0.5, 1.0, 1.5, 2.0, 3.0)),
    st.sampled_from(("mean", "median", "quantile")),
    st.sampled_from((0.25, 0.5, 0.75, 0.9)),
)


@given(strategies.any_lists, LIMITS)
@strategies.examples(300)
def test_loosest_threshold_agrees_with_its_twin(lists, accepted):
    at = m.loosest_threshold(lists, **accepted._asdict())
    if accepted.unresolved(lists):
        assert at.reason
        return
    best = loosest(lists, accepted)
    scores = twins.distinct(lists)
    if best is None or best == scores[-1]:
        assert at.reason
        assert math.isnan(at.threshold)
        return
    assert at.threshold == best
    assert at.recall == pytest.approx(m.mean_recall(lists, best), nan_ok=True)


@given(strategies.any_lists, LIMITS, st.integers(0, 3), st.integers(2, 4))
@strategies.examples(300)
def test_cross_fitting_agrees_with_its_twin(lists, accepted, seed, n_folds):
    groups = m.Groups.of(np.arange(lists.n_queries) // 2)
    given = {**accepted._asdict(), "n_folds": n_folds, "n_repeats": 2, "groups": groups}
    found = m.advise({"A": lists}, **given, seed=seed)
    one, n_folds = found.algorithms["A"], found.n_folds
    assert n_folds <= groups.count
    if one.reason:
        assert math.isnan(one.recall.estimate)
        return
    whole = [loosest(lists, accepted)] * lists.n_queries
    in_sample = [figure.in_sample for figure in one.figures.values()]
    assert in_sample == pytest.approx(figures(lists, whole, accepted), nan_ok=True)
    estimates = [figure.estimate for figure in one.figures.values()]
    if n_folds < 2:
        assert np.isnan(estimates).all()
        return
    rng = np.random.Generator(np.random.PCG64([seed, n_folds]))
    repeats, judged = [], []
    for _ in range(2):
        fold = random_folds(groups, n_folds, rng)
        others = [loosest(lists.subset(fold != one), accepted) for one in range(n_folds)]
        at = [others[one] for one in fold]
        repeats.append(figures(lists, at, accepted))
        judged += [found.count(False) for found in found_at(lists, at)]
    expected = np.array(repeats, np.float64).mean(axis=0).tolist()
    if accepted.statistic != "mean":  # of all repeats together, so that it is a whole number
        expected[0] = made(judged, 2 * lists.weight.tolist(), accepted)
    assert estimates == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("statistic", ["mean", "median", "quantile"])
def test_errors_in_many_blocks_agree_with_the_curve(seed, statistic):
    lists = strategies.seeded_lists(seed, n_queries=60, longest=200)
    epq = 0.8 if statistic == "quantile" else statistic
    curve = m.coverage_vs_epq(lists, epq=epq, coverage="mean_recall")
    inside = curve.epq[curve.epq < curve.epq[-1]]
    assert inside.size > 4
    for errors in inside[[0, inside.size // 3, inside.size // 2, -1]].tolist():
        at = m.loosest_threshold(lists, errors=errors, statistic=statistic, quantile=0.8)
        place = int(np.searchsorted(curve.epq, errors * (1 + 1e-12), side="right"))
        assert at.threshold == curve.threshold[place - 1]
        assert at.recall == pytest.approx(curve.coverage[place - 1])


def calibrated(rng: np.random.Generator, n_groups: int, copies: int) -> RetrievalLists:
    """Lists of which E is the expected number of errors: they come by chance, as E grows.

    Each list is there several times, as those of a superfamily may be.
    """
    queries = []
    for _ in range(n_groups):
        errors = [(e_value, False) for e_value in rng.uniform(0, 2, rng.poisson(2))]
        found = [(e_value, True) for e_value in 10 ** rng.uniform(-4, 0, 4)]
        queries += copies * [twins.Query(4, 1.0, sorted(errors + found))]
    return twins.build(queries)


def test_the_sample_promises_too_few_errors_and_cross_fitting_does_not():
    accepted, n_groups, rows = 0.22, 20, []
    for seed in range(200):
        lists = calibrated(np.random.default_rng(seed), n_groups, 2)
        given = {"errors": accepted, "n_folds": 20, "n_repeats": 2, "n_resamples": 1}
        by_group = advised(lists, **given, groups=np.repeat(np.arange(n_groups), 2))
        singly = advised(lists, **given, groups=None)
        truth = by_group.threshold.estimate  # of calibrated lists, E is the mean of the errors
        found, alone = by_group.errors, singly.errors.estimate
        rows.append((found.in_sample - truth, found.estimate - truth, alone - found.estimate))
    in_sample, cross_fitted, copies = np.mean(rows, axis=0)
    error = np.std(rows, axis=0) / np.sqrt(len(rows))
    assert in_sample < -4 * error[0]  # too few are promised
    assert abs(cross_fitted) < 2 * error[1]
    assert copies < -4 * error[2]  # a copy of a query on either side gives it away


def test_intervals_hold_the_truth_as_often_as_they_say():
    n_groups, held = 100, []
    for seed in range(100):
        lists = calibrated(np.random.default_rng(seed), n_groups, 2)
        groups = np.repeat(np.arange(n_groups), 2)
        one = advised(lists, errors=0.2, groups=groups, n_repeats=4, n_resamples=200, seed=seed)
        truth = one.threshold.estimate
        recall = (math.log10(truth) + 4) / 4
        truths = ((one.errors, truth), (one.recall, recall), (one.threshold, 0.2))
        held.append([figure.low <= true <= figure.high for figure, true in truths])
    assert (np.mean(held, axis=0) >= 0.88).all()


# The first query was measured to 3, where two others have two errors in three queries.
TO_THREE = RetrievalLists(
    BY_HAND.score, BY_HAND.relevant, BY_HAND.offset, BY_HAND.n_relevant, reported_to=[3.0, 6.0, 6.0]
)
AT_ONCE = RetrievalLists([0.0, 0.0, 1.0], [False, True, False], [0, 1, 3], [1, 1])
FIFTY = calibrated(np.random.default_rng(1), 50, 2)
SHORT = load_results()["DIAMOND_default"]  # which was not searched far enough
TAIL = {"statistic": "quantile", "quantile": 0.995}
ONE_ERROR = "100 queries cannot resolve 0.001 errors per query: one error in all is 0.01"
ONE_QUERY = "100 queries cannot resolve 0.5 % of the queries: one query is 1 %"
ENDS = "not reached: {} errors per query at {}, beyond which nothing was measured"


@pytest.mark.parametrize(
    ("lists", "errors", "statistic", "reason"),
    [
        (FIFTY, 0.001, {}, ONE_ERROR),
        (FIFTY, 1, TAIL, ONE_QUERY),
        (BY_HAND, 2, {}, "not reached: 2 errors per query at 6, the last score of all"),
        (BY_HAND.with_reported_to(8.0), 2, {}, ENDS.format(2, 8)),
        (TO_THREE, 1, {}, ENDS.format(0.667, 3)),
        (SHORT, 0.1, {}, ENDS.format(0.0255, 10)),
        (AT_ONCE, 0, {"statistic": "median"}, "more errors already at the strictest score, 0"),
    ],
)
def test_where_there_is_no_threshold_there_is_a_reason(lists, errors, statistic, reason):
    options = {"errors": errors, **statistic}
    at = m.loosest_threshold(lists, **options)
    assert at.reason == reason
    assert math.isnan(at.threshold)
    one = advised(lists, **options, n_folds=3, n_repeats=1, n_resamples=1)
    assert one.reason == reason
    figures = [one.threshold, *one.figures.values()]
    assert np.isnan([figure.estimate for figure in figures]).all()


def test_what_can_just_be_reached():
    assert not m.loosest_threshold(FIFTY, errors=0.01).reason
    assert m.loosest_threshold(TO_THREE, errors=1 / 3).threshold == 2
    assert m.loosest_threshold(SHORT, errors=0.01).threshold < 10
    at = m.loosest_threshold(AT_ONCE, errors=0, statistic="quantile", quantile=0.4)
    assert (at.threshold, at.errors, at.recall) == (0, 0, 0.5)


def test_few_groups_have_no_intervals_and_one_has_no_figures_for_new_queries():
    found = m.advise({"A": BY_HAND}, errors=1)
    assert (found.reason, found.n_folds, found.n_resamples) == ("fewer than 10 queries", 3, 0)
    one = found.algorithms["A"]
    assert math.isnan(one.recall.low)
    assert math.isfinite(one.recall.estimate)
    alone = m.advise({"A": BY_HAND}, errors=1, groups=["a", "a", "a"])
    assert math.isnan(alone.algorithms["A"].recall.estimate)
    assert math.isfinite(alone.algorithms["A"].recall.in_sample)
    assert "No figures for new queries: fewer than 2 groups." in advice_table(alone)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"errors": -1}, "errors = -1: expected"),
        ({"errors": math.nan}, "errors = nan: expected"),
        ({"errors": math.inf}, "errors = inf: expected"),
        ({"statistic": "mode"}, "statistic 'mode': expected"),
        ({"statistic": "quantile", "quantile": 1.0}, "quantile = 1.0: expected"),
        ({"n_folds": 1}, "n_folds = 1: expected"),
        ({"n_folds": 2.5}, "n_folds = 2.5: expected"),
        ({"n_repeats": 0}, "n_repeats = 0: expected"),
        ({"n_resamples": 0}, "n_resamples = 0: expected"),
        ({"seed": -1}, "seed = -1: expected"),
        ({"level": 1}, "level = 1: expected"),
        ({"confidence": 0}, "confidence = 0: expected"),
        ({"confidence": 1}, "confidence = 1: expected"),
        ({"groups": [1, 2]}, "groups: expected"),
    ],
)
def test_what_makes_no_sense_is_refused(options, words):
    refuses(words.replace("(", r"\("), m.advise, {"A": BY_HAND}, **options)


def test_the_same_seed_gives_the_same_numbers_and_another_others():
    lists = calibrated(np.random.default_rng(3), 30, 1)
    first, again, other = (
        advised(lists, errors=0.2, n_resamples=40, n_repeats=2, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.threshold.estimate == other.threshold.estimate
    assert first.recall.low != other.recall.low


def test_no_query_is_judged_by_a_threshold_that_has_seen_its_group():
    groups = m.Groups.of(np.repeat(np.arange(7), 3))
    fold = random_folds(groups, 3, np.random.default_rng(0))
    assert all(len(set(fold[groups.code == one])) == 1 for one in range(7))
    assert sorted(np.unique(fold[::3], return_counts=True)[1]) == [2, 2, 3]


def test_progress_is_told_and_can_stop_the_work():
    lists = calibrated(np.random.default_rng(3), 30, 1)
    told, options = [], {"errors": 0.2, "n_resamples": 40, "n_repeats": 5}
    m.advise({"A": lists, "B": lists}, **options, progress=lambda *at: told.append(at))
    assert (told[0], told[-1]) == ((0, 90), (90, 90))
    assert all(before < after for (before, _), (after, _) in pairwise(told))
    with pytest.raises(m.Cancelled):
        m.advise({"A": lists}, errors=0.2, progress=lambda done, _: done < 3)


def test_a_threshold_in_use_makes_the_errors_that_were_said():
    lists = load_results()["BLASTP"]
    at = m.loosest_threshold(lists, errors=0.1)
    assert m.errors_per_query(lists, at.threshold).mean() == at.errors <= 0.1
    later = np.unique(lists.score[lists.score > at.threshold])[0]
    assert m.errors_per_query(lists, later).mean() > 0.1


@pytest.fixture(scope="module")
def advice():
    results = load_results()
    some = {name: results[name] for name in ("BLASTP", "DIAMOND_default")}
    return m.advise(some, errors=0.1, n_resamples=50, n_repeats=2, seed=7)


def test_table_says_how_the_numbers_came_about(advice):
    text = advice_table(advice, ("a doubt",))
    lines = text.splitlines()
    assert re.split("  +", lines[0]) == [
        "algorithm", "figure", "new queries", "95 % interval", "in the sample", "gap"
    ]  # fmt: skip
    assert re.split("  +", lines[1])[:3] == ["BLASTP", "threshold, on average", "0.047"]
    assert [line.split("  ")[0] for line in lines[2:7]] == [""] * 5
    recall = advice.algorithms["BLASTP"].recall
    interval = f"{recall.low:.3f} to {recall.high:.3f}"
    assert re.search(rf" {recall.estimate:.3f} +{interval} ", lines[3])
    assert re.split("  +", lines[7]) == ["", "threshold, at most, 90 % sure", "0.019"]
    assert re.split("  +", lines[9]) == ["", "recall there", "0.324"]
    assert re.split("  +", lines[10]) == ["DIAMOND_default", "threshold, on average", "-", "-"]
    assert re.split("  +", lines[11]) == ["", "threshold, at most, 90 % sure", "-"]
    assert "0.1 errors per query on average. 431 superfamilies, 862 queries." in text
    assert "9 of 10 parts of the superfamilies and judged on the other, 2 times; seed 7." in text
    assert "Intervals: 95 %; of recall and TAP by 50 resamples of the superfamilies" in text
    assert "other superfamilies have more errors than accepted about every other time" in text
    assert "90 % sure: in no more than 10 of 100 such samples" in text
    assert "warning: a doubt\nwarning: DIAMOND_default: not reached" in text


def test_json_and_csv_have_the_numbers_in_full(advice):
    told = json.loads(advice_json(advice, ("a doubt",)))
    blastp, diamond = told["algorithms"]
    figure, promised = advice.algorithms["BLASTP"].recall, advice.algorithms["BLASTP"].promised
    own = {"low": figure.low, "high": figure.high, "in_sample": figure.in_sample}
    assert blastp["recall"] == {"value": figure.estimate, **own}
    assert blastp["threshold"]["value"] == 0.047
    assert diamond["threshold"] == {"value": None, "low": None, "high": None}
    assert told["accepted"] == {"errors": 0.1, "statistic": "mean", "quantile": 0.9}
    assert told["policies"]["confidence"] == 0.9
    in_sample = {"errors": promised.errors, "recall": promised.recall}
    assert blastp["promised"] == {"threshold": 0.019, "in_sample": in_sample, "reason": ""}
    assert diamond["promised"]["reason"].startswith("not reached")
    assert told["warnings"][0] == "a doubt"
    rows = [line.split(",") for line in advice_csv(advice).splitlines()]
    assert rows[0] == ["algorithm", "figure", "value", "low", "high", "in_sample", "reason"]
    assert [row[1] for row in rows[1:10]] == [
        *("threshold", "errors", "recall", "precision", "tap", "exceeding"),
        *("promised_threshold", "promised_errors", "promised_recall"),
    ]
    assert float(rows[3][2]) == figure.estimate
    assert (rows[7][2], float(rows[9][5])) == ("0.019", promised.recall)


def upper(total: float, variance: float, unseen: float, tail: float) -> float:
    """Quantile of the gamma distribution whose mean and variance these are, with the unseen."""
    mean, spread = total + unseen, variance + unseen**2
    return stats.gamma.isf(tail, mean**2 / spread, scale=spread / mean)


def one_error_each(n_queries: int, n_errors: int, end: float = 1000.0) -> RetrievalLists:
    """Lists of a relevant record at 0, and in so many of them an error, at 1, 2, ..."""
    errors = [[(1.0 + query, False)] for query in range(n_errors)]
    errors += [[]] * (n_queries - n_errors)
    lists = twins.build([twins.Query(1, 1.0, [(0.0, True), *own]) for own in errors])
    return lists.with_reported_to(end)


@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.99])
def test_promise_by_hand_where_no_query_has_more_than_an_error(confidence):
    n, accepted, kept = 200, 0.1, 0
    for errors in range(50):
        rate = errors / n
        variance = errors * (1 - rate) ** 2 + (n - errors) * rate**2
        if upper(errors, variance * n / (n - 1), 1, 1 - confidence) > accepted * n:
            break
        kept = errors
    lists = one_error_each(n, n)
    at = m.promised_threshold(lists, errors=accepted, confidence=confidence, groups=None)
    assert at.threshold == kept > 0
    assert (at.errors, at.recall, at.reason) == (kept / n, 1, "")


def test_promise_of_a_quantile_counts_queries_with_more_errors():
    lists, kept = one_error_each(200, 200), []
    for confidence in (0.99, 0.8):
        given = {"confidence": confidence, "groups": None}
        at = m.promised_threshold(lists, errors=0.1, **given)
        other = m.promised_threshold(lists, errors=0, statistic="quantile", quantile=0.9, **given)
        assert (other.threshold, other.errors) == (at.threshold, 0)
        kept.append(at.threshold)
    assert kept[0] < kept[1]


def test_a_group_that_is_worse_at_looser_thresholds_makes_the_promise_stricter():
    lists, query = one_error_each(200, 200), np.arange(200)
    # To the 50th, errors are in groups of their own; the next 50 are those of one group.
    together = np.where(query < 50, query, 50 + query // 100)
    of = [m.promised_threshold(lists, errors=0.1, groups=one) for one in (together, query)]
    assert of[0].threshold < of[1].threshold < 50


TWENTY = one_error_each(20, 10)
TOO_FEW = "too few queries: even where none of the 20 has "


@pytest.mark.parametrize(
    ("lists", "errors", "statistic", "reason"),
    [
        (BY_HAND, 1, "mean", "fewer than 10 queries"),
        (BY_HAND, 0.1, "mean", "3 queries cannot resolve 0.1 errors per query"),
        (TWENTY, 0.1, "mean", f"{TOO_FEW}an error, others may"),
        (TWENTY, 0, "quantile", f"{TOO_FEW}more errors, 12 %"),
        (one_error_each(2000, 3, end=8.0), 0.1, "mean", ENDS.format(0.0015, 8)),
    ],
)
def test_where_nothing_is_promised_there_is_a_reason(lists, errors, statistic, reason):
    at = m.promised_threshold(lists, errors=errors, statistic=statistic, groups=None)
    assert np.isnan([at.threshold, at.errors, at.recall]).all()
    assert at.reason.startswith(reason)


def test_what_is_promised_does_not_need_lists_to_the_errors_on_average():
    lists = one_error_each(200, 15, end=20.0)
    found = m.advise({"A": lists}, errors=0.1, groups=None, n_resamples=10, n_repeats=2)
    one = found.algorithms["A"]
    assert one.reason.startswith("not reached")
    assert 0 < one.promised.threshold < 15
    at_most = rf"threshold, at most, 90 % sure +{one.promised.threshold:g}\n"
    assert re.search(rf"threshold, on average +- +-\n +{at_most}", advice_table(found))


def test_estimates_of_counts_are_whole_numbers_and_their_interval_holds_them():
    lists = calibrated(np.random.default_rng(5), 60, 2)
    groups = np.repeat(np.arange(60), 2)
    for statistic in ("median", "quantile"):
        given = {"statistic": statistic, "quantile": 0.8, "groups": groups, "n_repeats": 7}
        one = advised(lists, errors=1, **given)
        numbers = np.array(one.errors[:3])
        assert (numbers == np.round(numbers)).all()
        assert one.errors.low <= one.errors.estimate <= one.errors.high


def test_how_far_a_group_has_exceeded_its_half_by_hand():
    errors = np.arange(1.0, 5.0)  # three of the first group, and then one of the second
    found = _worst(errors, errors, np.ones(4), np.array([0, 0, 0, 1]), np.ones(2), 1.0)
    assert found.tolist() == [1.0, 1.0, 1.5, 1.5]  # at least one error; 2 - 1, 3 - 1.5, 3 - 2


def test_bounds_of_a_rate_are_those_of_one_more_group_by_hand():
    # Groups of 0 and 2 errors: 1 each expected, a variance of 2 * 2 / 1, and one more group that
    # adds 1 error to the upper bound, and to both variances its square.
    ends = rate_ends(np.array([0.0, 2.0]), np.ones(2), 0.025, 1.0)
    low = stats.gamma.ppf(0.025, 2**2 / 5, scale=5 / 2)
    assert ends == pytest.approx((low / 2, stats.gamma.isf(0.025, 3**2 / 5, scale=5 / 3) / 2))


def test_few_groups_may_have_any_number_of_errors():
    lists = one_error_each(12, 6)
    given = {"groups": None, "n_resamples": 10}
    one = advised(lists, errors=0, statistic="quantile", quantile=0.9, **given)
    assert (one.errors.high, one.threshold.low) == (math.inf, -math.inf)
    assert " up to " in advice_table(m.advise({"A": lists}, errors=0.1, **given))


# The superfamilies of scope40 are the population: few of them make most errors of this program.
CONCENTRATED = "MMseqs2_iter3"


def drawn(lists: RetrievalLists, rows: np.ndarray) -> RetrievalLists:
    """Lists of the queries in some rows, which may come again, as queries of their own."""
    length = np.diff(lists.offset)[rows]
    offset = np.concatenate([[0], np.cumsum(length)])
    at = np.repeat(lists.offset[rows] - offset[:-1], length) + np.arange(offset[-1])
    return RetrievalLists(lists.score[at], lists.relevant[at], offset, lists.n_relevant[rows])


def test_promise_and_intervals_hold_where_few_groups_make_the_errors():
    lists, accepted, draws, n_groups = load_results()[CONCENTRATED], 0.1, 150, 110
    code = m.class_groups(lists).code
    members = [np.flatnonzero(code == one) for one in range(code.max() + 1)]
    at_most = m.loosest_threshold(lists, errors=accepted).threshold
    rng, kept, held = np.random.default_rng(24), [], []
    for _ in range(draws):
        some = [members[one] for one in rng.integers(0, len(members), n_groups)]
        groups = m.Groups.of(np.repeat(np.arange(n_groups), [one.size for one in some]))
        sample = drawn(lists, np.concatenate(some))
        one = advised(sample, errors=accepted, groups=groups, n_repeats=3, n_resamples=1)
        fresh = m.errors_per_query(lists, one.threshold.estimate).mean()
        truths = ((one.errors, fresh), (one.threshold, at_most))
        held.append([figure.low <= true <= figure.high for figure, true in truths])
        sure = one.promised
        kept.append(sure.reason or m.errors_per_query(lists, sure.threshold).mean() <= accepted)
    broken = 1 - np.mean([bool(one) for one in kept])  # nothing promised, nothing broken
    assert broken <= 0.1 + 2 * np.sqrt(0.1 * 0.9 / draws)
    assert (np.mean(held, axis=0) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / draws)).all()


def test_intervals_of_the_errors_hold_what_other_queries_make():
    """Groups of two queries, whose errors come at a rate of their own, alike in both."""
    rng = np.random.default_rng(8)
    held, draws, groups = 0, 150, m.Groups.of(np.repeat(np.arange(40), 2))
    for seed in range(draws):
        queries = []
        for rate in np.repeat(rng.gamma(1.5, 1 / 1.5, 40), 2):
            errors = [(score, False) for score in np.sort(rng.random(rng.poisson(4 * rate)))]
            queries.append(twins.Query(1, 1.0, [(0.0, True), *errors]))
        given = {"groups": groups, "n_resamples": 300, "n_repeats": 3, "seed": seed}
        one = advised(twins.build(queries), errors=0.5, **given)
        # Errors come uniformly between 0 and 1, at a mean rate of 4: so many at the threshold.
        truth = 4 * one.threshold.estimate
        held += one.errors.low <= truth <= one.errors.high
    # 0.95, less at most three standard errors.
    assert 0.95 - 3 * np.sqrt(0.95 * 0.05 / draws) <= held / draws
