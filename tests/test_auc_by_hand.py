"""ROC curves, their areas and averages: cases by hand, and what is refused."""

from math import nan, sqrt
from statistics import NormalDist, mean, stdev
from typing import Any

import numpy as np
import pytest

from tapviz import measures as m
from tests.test_auc import knowing
from tests.twins import Query, build, close

# Tie blocks, relevant + irrelevant: 1+0, 1+2, 0+1. One relevant record is not listed.
RECORDS = [(1.0, True), (2.0, True), (2.0, False), (2.0, False), (3.0, False)]
UNKNOWN = build([Query(3, 1.0, RECORDS)])
KNOWN = knowing(UNKNOWN, [2])
"""Two irrelevant records are not listed either, so that F = 5."""


def test_curve_of_a_truncated_list() -> None:
    found = m.roc_curve(KNOWN)
    assert found.fpr == close([0, 0, 2 / 5, 3 / 5, 1])
    assert found.tpr == close([0, 1 / 3, 2 / 3, 2 / 3, 1])
    assert found.threshold.tolist() == [-np.inf, 1, 2, 3, np.inf]
    assert (found.n_relevant, found.n_irrelevant, found.retrieved_only) == (3, 5, False)
    only = m.roc_curve(UNKNOWN)
    assert only.fpr == close([0, 0, 2 / 3, 1])
    assert only.tpr == close([0, 1 / 2, 1, 1])
    assert only.threshold.tolist() == [-np.inf, 1, 2, 3]
    assert (only.n_relevant, only.n_irrelevant, only.retrieved_only) == (2, 3, True)


def test_thresholds_of_descending_scores_begin_at_infinity() -> None:
    assert m.roc_curve(([1, 0], [5.0, 4.0])).threshold.tolist() == [np.inf, 5, 4]


def test_areas_of_a_truncated_list() -> None:
    # Pairs won of 15: 5 by the first, 1 + 3 by the second, 1 (2 ties) by the one not listed.
    assert m.auc(KNOWN).per_query == close([10 / 15])
    assert not m.auc(KNOWN).retrieved_only
    # Pairs won of 6: 3 and 1 + 1.
    assert m.auc(UNKNOWN).per_query == close([5 / 6])
    assert m.auc(UNKNOWN).retrieved_only
    # From FPR 0.2 to 0.8: 1/2 to 2/3 until 0.4, level until 0.6, 2/3 to 5/6 until 0.8.
    area = 0.2 * (1 / 2 + 2 / 3) / 2 + 0.2 * 2 / 3 + 0.2 * (2 / 3 + 5 / 6) / 2
    assert m.partial_auc(KNOWN, 0.2, 0.8, normalization=None).value == close(area)
    assert m.partial_auc(KNOWN, 0.2, 0.8).value == close(area / 0.6)
    mcclish = (1 + (area - 0.3) / (0.6 - 0.3)) / 2
    found = m.partial_auc(KNOWN, 0.2, 0.8, normalization="mcclish")
    assert found.value == close(mcclish)
    assert (found.fpr, found.normalization) == ((0.2, 0.8), "mcclish")


def test_mcclish_below_the_diagonal_is_undefined_and_does_not_flatter_the_mean() -> None:
    def query(*letters: bool) -> Query:
        return Query(sum(letters), 1.0, list(enumerate(letters, 1)))

    good = query(True, True, False, False)
    worse, bad = query(False, True, True, False), query(False, False, True, True)
    # Areas up to a rate of 0.5: 0.5, 0 and 0; that of the diagonal is 0.125.
    lists = knowing(build([good, worse, bad]), [0, 0, 0])
    found = m.partial_auc(lists, 0, 0.5, normalization="mcclish")
    assert found.per_query == close([1, nan, nan])
    # The mean area is 1/6: the index of that, and not the 1 of the only query above the diagonal.
    assert found.value == close((1 + (1 / 6 - 1 / 8) / (1 / 2 - 1 / 8)) / 2)
    assert found.n_queries == 3
    assert found.reason == (
        "2 of 3 queries lie below the diagonal, where McClish's index is not defined"
    )
    most = m.partial_auc(lists.subset([False, True, True]), 0, 0.5, normalization="mcclish")
    assert np.isnan([most.value, *most.per_query]).all()
    assert most.reason.startswith("2 of 2 queries lie below the diagonal")
    # The diagonal itself is chance, however its area is rounded.
    tied = knowing(build([Query(1, 1.0, [(1, True), (1, False)])]), [0])
    for end in (0.1, 0.3, 0.7):
        assert m.partial_auc(tied, 0, end, normalization="mcclish").value == close(0.5)


def test_an_empty_list_ties_everything() -> None:
    empty = build([Query(2, 1.0, [])])
    assert m.auc(knowing(empty, [4])).value == 0.5
    assert m.roc_curve(knowing(empty, [4])).tpr.tolist() == [0, 1]
    found = m.auc(empty)
    assert np.isnan(found.value)
    assert found.reason == (
        "no list has a relevant record, and the irrelevant records not listed are unknown"
    )


def test_means_leave_out_and_count_undefined_queries() -> None:
    both = [Query(1, 1.0, [(1.0, True), (2.0, False)]), Query(1, 3.0, [(1.0, False), (2.0, True)])]
    one_kind = [Query(0, 9.0, [(1.0, False)]), Query(1, 9.0, [(1.0, True)]), Query(0, 9.0, [])]
    lists = knowing(build(both + one_kind), [0] * 5)
    found = m.auc(lists)
    assert found.per_query == close([1, 0, nan, nan, nan])
    assert found.value == close(1 / 4)
    assert (found.n_no_relevant, found.n_no_irrelevant, found.n_queries) == (2, 2, 2)
    average = m.average_roc(lists, [0, 0.5, 1])
    assert average.tpr == close([1 / 4, 1 / 4, 1])
    assert (average.n_queries, average.n_no_relevant, average.n_no_irrelevant) == (2, 2, 2)
    assert m.auc(lists.subset(lists.n_relevant == 0)).reason == "no query has a relevant record"
    mixed = lists.subset(np.array([False, False, True, True, False]))
    assert m.auc(mixed).reason == "no query has both relevant and irrelevant records"
    assert m.average_roc(mixed).reason == m.auc(mixed).reason
    assert np.isnan(m.average_roc(mixed).tpr).all()


def test_no_width_to_normalise_by() -> None:
    assert m.partial_auc(KNOWN, 0.3, 0.3, normalization=None).value == 0
    for normalization in ("width", "mcclish"):
        found = m.partial_auc(KNOWN, 0.3, 0.3, normalization=normalization)
        assert np.isnan(found.value)
        assert np.isnan(found.per_query).all()
        assert found.reason == "fpr1 = fpr2 = 0.3: there is no width to normalise by"
        assert (found.n_no_relevant, found.n_no_irrelevant, found.n_queries) == (0, 0, 0)


def test_no_query() -> None:
    nothing = build([])
    average = m.average_roc(nothing, band="percentile")
    areas = m.auc(nothing), m.partial_auc(nothing, 0, 1), m.baroc(nothing)
    for found in (*areas, average, m.cumulative_auc(nothing)):
        assert found.reason == "there is no query"
    assert np.isnan(average.tpr).all()


# Two queries of equal T = F = 2: curves (0,0) (0,1) (1,1) and (0,0) (.5,0) (.5,.5) (1,.5) (1,1).
FIRST = Query(2, 1.0, [(1.0, True), (2.0, True), (3.0, False), (4.0, False)])
SECOND = Query(2, 1.0, [(1.0, False), (2.0, True), (3.0, False), (4.0, True)])
TWO = knowing(build([FIRST, SECOND]), [0, 0])


def test_average_takes_the_top_of_steps() -> None:
    found = m.average_roc(TWO, [0, 0.25, 0.5, 0.75, 1])
    assert found.tpr == close([1 / 2, 1 / 2, 3 / 4, 3 / 4, 1])
    sd = np.array([sqrt(1 / 2), sqrt(1 / 2), sqrt(1 / 8), sqrt(1 / 8), 0])
    assert found.lower == close(found.tpr - 1.96 * sd)
    assert found.upper == close(found.tpr + 1.96 * sd)
    band = m.average_roc(TWO, [0, 0.25, 0.5, 0.75, 1], band="percentile")
    assert band.lower == close([0, 0, 1 / 2, 1 / 2, 1])
    assert band.upper == close([1, 1, 1, 1, 1])
    assert (found.band, band.band) == ("sd", "percentile")
    weighted = m.average_roc(TWO.with_weights([39, 0.9]), [0.5], band="percentile")
    assert weighted.tpr == close([39.45 / 39.9])
    assert weighted.lower == close([1])  # the second has 2.3 % of the weight


def test_scale_of_weights_is_of_no_consequence_to_the_band() -> None:
    weights = np.array([1.0, 3.0])
    one, other = (m.average_roc(TWO.with_weights(f * weights), [0.5]) for f in (1, 7))
    # Mean 5/8; the deviations 3/8 and 1/8 weigh 1 and 3, divided by 4 - 10/4.
    sd = sqrt((9 / 64 + 3 / 64) / 1.5)
    for found in (one, other):
        assert found.lower == close([5 / 8 - 1.96 * sd])
        assert found.upper == close([5 / 8 + 1.96 * sd])


def test_a_query_of_no_weight_beside_another_has_no_deviation_from_it() -> None:
    found = m.average_roc(TWO.with_weights([1e300, 1e-300]), [0.5])
    assert found.tpr == close([1])
    assert np.isnan(found.lower).all()
    assert found.reason == "one query alone has no standard deviation"


def test_steps_are_met_whatever_the_rounding_of_the_grid() -> None:
    # After 29 of 100 irrelevant records comes the relevant one; 0.29 * 100 < 29.
    records = [(float(i), i == 29) for i in range(101)]
    found = m.average_roc(knowing(build([Query(1, 1.0, records)]), [0]))
    assert found.fpr[29] * 100 != 29
    assert found.tpr.tolist() == [0] * 29 + [1] * 72


def test_one_query_has_a_mean_but_no_deviation() -> None:
    found = m.average_roc(KNOWN, [0, 0.4, 1])
    assert found.tpr == close([1 / 3, 2 / 3, 1])
    assert np.isnan([found.lower, found.upper]).all()
    assert found.reason == "one query alone has no standard deviation"
    band = m.average_roc(KNOWN, [0, 0.4, 1], band="percentile")
    assert band.lower.tolist() == band.upper.tolist() == band.tpr.tolist()
    assert not band.reason


def test_another_grid_or_subset_is_another_average() -> None:
    coarse = m.average_roc(TWO, [0.5])
    assert m.average_roc(TWO, [0.0]).tpr == close([1 / 2])
    assert m.average_roc(TWO.subset(np.array([False, True])), [0.5]).tpr == close([1 / 2])
    assert m.average_roc(TWO, [0.5]).tpr.tolist() == coarse.tpr.tolist()


def test_cumulative_curve_by_hand() -> None:
    found = m.cumulative_auc([0.5, nan, 1.0, 0.5, 0.25])
    assert found.x.tolist() == [0, 0.25, 0.5, 1]
    assert found.above.tolist() == [4, 3, 1, 0]
    assert found.fraction == close([1, 3 / 4, 1 / 4, 0])
    assert (found.mean, found.n_tasks, found.n_undefined) == (2.25 / 4, 4, 1)
    nothing = m.cumulative_auc([nan])
    assert np.isnan(nothing.mean)
    assert np.isnan(nothing.fraction).all()
    assert nothing.above.tolist() == [0, 0]
    assert nothing.reason == "there is no task with an AUC"


def test_cumulative_curve_of_lists_counts_every_query_once() -> None:
    found = m.cumulative_auc(TWO.with_weights([1, 99]))
    assert found.x.tolist() == [0, 0.25, 1]
    assert found.above.tolist() == [2, 1, 0]
    assert found.mean == close((1 + 1 / 4) / 2)
    assert m.cumulative_auc(UNKNOWN).retrieved_only


def test_binormal_curve_by_hand() -> None:
    lists = build([Query(9, 1.0, [(-9.0, True), (-5.0, False), (-5.0, True), (-1.0, False)])])
    found = m.binormal_roc(lists, [0, 0.2, 1])  # as 9, 5, 5, 1 with larger scores better
    sd = stdev([9, 5])
    assert (found.a, found.b) == close((4 / sd, 1.0))
    assert found.auc == close(NormalDist().cdf(4 / sd / sqrt(2)))
    normal = NormalDist()
    assert found.tpr == close([0, normal.cdf(4 / sd + normal.inv_cdf(0.2)), 1])
    assert (found.n_relevant, found.n_irrelevant) == (2, 2)
    assert found.warning == "E-values are far from normal: use -log10 E or the bit score"


@pytest.mark.parametrize("direction", ["ascending", "descending"])
def test_binormal_curve_of_equal_means(direction: str) -> None:
    records = [(1.0, True), (2.0, False), (3.0, True), (2.0, False), (1.0, False), (3.0, False)]
    records.sort(reverse=direction == "descending")
    found = m.binormal_roc(build([Query(2, 1.0, records)], direction))
    assert (str(found.a), found.auc) == ("0.0", 0.5)


def test_binormal_curve_of_one_query_among_several() -> None:
    found = m.binormal_roc(TWO, query="2")
    scores = {True: [-2.0, -4.0], False: [-1.0, -3.0]}
    a = (mean(scores[True]) - mean(scores[False])) / stdev(scores[True])
    assert found.a == close(a)
    assert found.fpr == close(np.linspace(0, 1, 101))


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([(1.0, True), (2.0, False), (3.0, False)], "at least two relevant records"),
        ([(1.0, True), (2.0, True), (3.0, False)], "at least two irrelevant records"),
        # The sum of three times 0.1 is not three times 0.1, but this has no deviation.
        ([(0.1, True)] * 3 + [(2.0, False), (3.0, False)], "all relevant records have the same"),
        ([(0.1, True), (0.2, True)] + [(0.3, False)] * 3, "all irrelevant records have the same"),
        ([(0.0, True), (5e-324, True), (1.0, False), (2.0, False)], "too small or too large"),
    ],
)
def test_no_binormal_curve(records: list[tuple[float, bool]], reason: str) -> None:
    found = m.binormal_roc(build([Query(3, 1.0, records)]))
    assert reason in found.reason
    assert np.isnan([found.a, found.b, found.auc]).all()
    assert np.isnan(found.tpr).all()


def test_binormal_curve_of_scores_whose_squares_vanish() -> None:
    records = [(1e-200, True), (3e-200, True), (4e-200, False), (9e-200, False)]
    found = m.binormal_roc(build([Query(2, 1.0, records)]))
    assert found.b == close(5 / 2)
    assert found.a == close(4.5 / sqrt(2))


def test_ratio_of_the_top_list() -> None:
    three = [(1.0, True), (2.0, False), (3.0, True)]
    queries = (2, [*three, (4.0, False), (5.0, False)]), (4, three), (3, RECORDS), (0, [])
    lists = build([Query(total, 1.0, records) for total, records in queries])
    found = m.baroc(lists)
    assert found.n.tolist() == [2, 4, 3, 1]
    # Two errors, after 1 and 2; one after 1, then level at 2; ties: after 5/4, 7/4, then 2.
    assert found.per_query == close([3 / 4, 7 / 16, (5 / 4 + 7 / 4 + 2) / 9, nan])
    assert found.ratio == close([2 / 2, 2 / 4, 2 / 3, nan])
    assert (found.n_no_relevant, found.n_short) == (1, 1)
    # Within the tie block, the second error is after 7/4.
    assert m.baroc(lists, c=2 / 3).ratio[2] == close(7 / 8)


def test_a_query_must_be_chosen_among_several() -> None:
    for function in (m.roc_curve, m.binormal_roc):
        with pytest.raises(ValueError, match=r"^query: there are 2 queries, say which"):
            function(TWO)
        with pytest.raises(ValueError, match=r"^query: there are 0 queries, say which"):
            function(build([]))
        with pytest.raises(KeyError, match="no query '3'"):
            function(TWO, query="3")
    assert m.roc_curve(TWO, "2").tpr.tolist() == m.roc_curve(TWO, 1).tpr.tolist()


@pytest.mark.parametrize(("fpr1", "fpr2"), [(0.5, 0.4), (-0.1, 1), (0, 1.1), (nan, 1), (0, nan)])
def test_ranges_are_checked(fpr1: float, fpr2: float) -> None:
    with pytest.raises(ValueError, match=rf"^fpr1 = {fpr1}, fpr2 = {fpr2}: expected 0 <= fpr1"):
        m.partial_auc(KNOWN, fpr1, fpr2)


@pytest.mark.parametrize("wrong", [[-0.1], [1.01], [nan], [[0.5]]])
def test_rates_are_checked(wrong: Any) -> None:
    for function in (m.average_roc, m.binormal_roc):
        with pytest.raises(ValueError, match=r"^fpr: expected false positive rates from 0 to 1"):
            function(KNOWN, wrong)


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match=r"^normalization 'drop': expected "):
        m.partial_auc(KNOWN, 0, 1, normalization="drop")
    with pytest.raises(ValueError, match=r"^band 'drop': expected "):
        m.average_roc(KNOWN, band="drop")


SHAPE = "the AUC of each task, found shape"


@pytest.mark.parametrize("wrong", [[1.5], [-0.1, 0.5], [np.inf], [[0.5]]])
def test_areas_are_checked(wrong: list[float]) -> None:
    said = SHAPE if wrong == [[0.5]] else "AUCs from 0 to 1, found "
    with pytest.raises(ValueError, match=f"^values: expected {said}"):
        m.cumulative_auc(wrong)


@pytest.mark.parametrize("wrong", [0, -1, nan, np.inf, 1e300])
def test_proportion_is_checked(wrong: float) -> None:
    with pytest.raises(ValueError, match=r"^c = .*: expected a positive number"):
        m.baroc(KNOWN, c=wrong)
