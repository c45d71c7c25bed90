"""ROC curves, their areas and averages: by hand, slow twins, golden cases, properties."""

import csv
from fractions import Fraction
from itertools import pairwise
from math import nan, sqrt
from statistics import NormalDist, mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import measures as m
from tapviz.measures._common import as_lists
from tests import strategies, twins
from tests.refused import refuses
from tests.strategies import any_lists, examples, mirrored, rebuilt, seeded_lists, whole_lists
from tests.twins import GOLDEN, Query, build, close, golden

ROC = golden("roc/cases.json")["cases"]
MISC = golden("misc/cases.json")
(BINORMAL,) = (cases for title, cases in MISC.items() if title.startswith("binormal"))
(BAROC,) = (cases for title, cases in MISC.items() if title.startswith("BAROC"))
SOURCES = {case["id"]: case for case in golden("sources/cases.json")}

GRID = [i / 14 for i in range(15)]


def knowing(lists, missed):
    """Make the same lists anew, F(q) known: as many irrelevant records more than are listed."""
    listed = (sum(not relevant for _, relevant in query.records) for query in twins.plain(lists))
    return rebuilt(lists, n_irrelevant=[f + more for f, more in zip(listed, missed, strict=True)])


@st.composite
def curves(draw):
    """Lists with F(q) known or not, and views of them."""
    lists = draw(whole_lists())

    def for_each(values):
        return draw(st.lists(values, min_size=lists.n_queries, max_size=lists.n_queries))

    if draw(st.booleans()):
        lists = knowing(lists, for_each(st.sampled_from((0, 0, 1, 3, 100))))
    if draw(st.booleans()):
        lists = lists.subset(np.array(for_each(st.booleans()), bool))
        lists = lists.with_weights(for_each(st.sampled_from(strategies.WEIGHTS)))
    return lists


def seeded(seed):
    """Longer lists: with F(q) unknown, known, and a view of either."""
    unknown = seeded_lists(seed)
    rng = np.random.default_rng(seed)
    known = knowing(unknown, rng.choice((0, 0, 7, 900), unknown.n_queries).tolist())
    mask = np.arange(unknown.n_queries) % 3 > 0
    return [unknown, known, unknown.subset(mask), known.subset(mask)]


# Tie blocks, relevant + irrelevant: 1+0, 1+2, 0+1. One relevant record is not listed.
RECORDS = [(1.0, True), (2.0, True), (2.0, False), (2.0, False), (3.0, False)]
UNKNOWN = build([Query(3, 1.0, RECORDS)])
KNOWN = knowing(UNKNOWN, [2])
"""Two irrelevant records are not listed either, so that F = 5."""


def test_curve_of_a_truncated_list():
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


def test_areas_of_a_truncated_list():
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


def test_mcclish_below_the_diagonal_is_undefined_and_does_not_flatter_the_mean():
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


def test_an_empty_list_ties_everything():
    empty = build([Query(2, 1.0, [])])
    assert m.auc(knowing(empty, [4])).value == 0.5
    assert m.roc_curve(knowing(empty, [4])).tpr.tolist() == [0, 1]
    found = m.auc(empty)
    assert np.isnan(found.value)
    assert found.reason == (
        "no list has a relevant record, and the irrelevant records not listed are unknown"
    )


def test_means_leave_out_and_count_undefined_queries():
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
    none = m.average_roc(mixed)
    assert none.reason == m.auc(mixed).reason
    assert np.isnan(none.tpr).all()


def test_no_width_to_normalise_by():
    assert m.partial_auc(KNOWN, 0.3, 0.3, normalization=None).value == 0
    for normalization in ("width", "mcclish"):
        found = m.partial_auc(KNOWN, 0.3, 0.3, normalization=normalization)
        assert np.isnan([found.value, *found.per_query]).all()
        assert found.reason == "fpr1 = fpr2 = 0.3: there is no width to normalise by"
        assert (found.n_no_relevant, found.n_no_irrelevant, found.n_queries) == (0, 0, 0)


def test_no_query():
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


def test_average_takes_the_top_of_steps():
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


def test_scale_of_weights_is_of_no_consequence_to_the_band():
    weights = np.array([1.0, 3.0])
    one, other = (m.average_roc(TWO.with_weights(f * weights), [0.5]) for f in (1, 7))
    # Mean 5/8; the deviations 3/8 and 1/8 weigh 1 and 3, divided by 4 - 10/4.
    sd = sqrt((9 / 64 + 3 / 64) / 1.5)
    for found in (one, other):
        assert found.lower == close([5 / 8 - 1.96 * sd])
        assert found.upper == close([5 / 8 + 1.96 * sd])


def test_a_query_of_no_weight_beside_another_has_no_deviation_from_it():
    found = m.average_roc(TWO.with_weights([1e300, 1e-300]), [0.5])
    assert found.tpr == close([1])
    assert np.isnan(found.lower).all()
    assert found.reason == "one query alone has no standard deviation"


def test_steps_are_met_whatever_the_rounding_of_the_grid():
    # After 29 of 100 irrelevant records comes the relevant one; 0.29 * 100 < 29.
    records = [(float(i), i == 29) for i in range(101)]
    found = m.average_roc(knowing(build([Query(1, 1.0, records)]), [0]))
    assert found.fpr[29] * 100 != 29
    assert found.tpr.tolist() == [0] * 29 + [1] * 72


def test_one_query_has_a_mean_but_no_deviation():
    found = m.average_roc(KNOWN, [0, 0.4, 1])
    assert found.tpr == close([1 / 3, 2 / 3, 1])
    assert np.isnan([found.lower, found.upper]).all()
    assert found.reason == "one query alone has no standard deviation"
    band = m.average_roc(KNOWN, [0, 0.4, 1], band="percentile")
    assert band.lower.tolist() == band.upper.tolist() == band.tpr.tolist()
    assert not band.reason


def test_another_grid_or_subset_is_another_average():
    second = TWO.subset(np.array([False, True]))
    for lists, rate, height in ((TWO, 0.5, 3 / 4), (TWO, 0, 1 / 2), (second, 0.5, 1 / 2)) * 2:
        assert m.average_roc(lists, [rate]).tpr == close([height])


def test_cumulative_curve_by_hand():
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


def test_cumulative_curve_of_lists_counts_every_query_once():
    found = m.cumulative_auc(TWO.with_weights([1, 99]))
    assert found.x.tolist() == [0, 0.25, 1]
    assert found.above.tolist() == [2, 1, 0]
    assert found.mean == close((1 + 1 / 4) / 2)
    assert m.cumulative_auc(UNKNOWN).retrieved_only


def test_binormal_curve_by_hand():
    lists = build([Query(9, 1.0, [(-9.0, True), (-5.0, False), (-5.0, True), (-1.0, False)])])
    found = m.binormal_roc(lists, [0, 0.2, 1])  # as 9, 5, 5, 1 with larger scores better
    sd = stdev([9, 5])
    assert (found.a, found.b) == close((4 / sd, 1.0))
    normal = NormalDist()
    assert found.auc == close(normal.cdf(4 / sd / sqrt(2)))
    assert found.tpr == close([0, normal.cdf(4 / sd + normal.inv_cdf(0.2)), 1])
    assert (found.n_relevant, found.n_irrelevant) == (2, 2)
    assert found.warning == "E-values are far from normal: use -log10 E or the bit score"


@pytest.mark.parametrize("direction", ["ascending", "descending"])
def test_binormal_curve_of_equal_means(direction):
    records = [(1.0, True), (2.0, False), (3.0, True), (2.0, False), (1.0, False), (3.0, False)]
    records.sort(reverse=direction == "descending")
    found = m.binormal_roc(build([Query(2, 1.0, records)], direction))
    assert (str(found.a), found.auc) == ("0.0", 0.5)


def test_binormal_curve_of_one_query_among_several():
    found = m.binormal_roc(TWO, query="2")  # scores -2 and -4, -1 and -3
    assert found.a == close((-3 - -2) / stdev([-2, -4]))
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
def test_no_binormal_curve(records, reason):
    found = m.binormal_roc(build([Query(3, 1.0, records)]))
    assert reason in found.reason
    assert np.isnan([found.a, found.b, found.auc]).all()
    assert np.isnan(found.tpr).all()


def test_binormal_curve_of_scores_whose_squares_vanish():
    records = [(1e-200, True), (3e-200, True), (4e-200, False), (9e-200, False)]
    found = m.binormal_roc(build([Query(2, 1.0, records)]))
    assert found.b == close(5 / 2)
    assert found.a == close(4.5 / sqrt(2))


def test_ratio_of_the_top_list():
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


def test_a_query_must_be_chosen_among_several():
    for function in (m.roc_curve, m.binormal_roc):
        refuses(r"^query: there are 2 queries, say which", function, TWO)
        refuses(r"^query: there are 0 queries, say which", function, build([]))
        refuses("no query '3'", function, TWO, query="3", error=KeyError)
    assert m.roc_curve(TWO, "2").tpr.tolist() == m.roc_curve(TWO, 1).tpr.tolist()


@pytest.mark.parametrize(("fpr1", "fpr2"), [(0.5, 0.4), (-0.1, 1), (0, 1.1), (nan, 1), (0, nan)])
def test_ranges_are_checked(fpr1, fpr2):
    refuses(rf"^fpr1 = {fpr1}, fpr2 = {fpr2}: expected 0 <= fpr1", m.partial_auc, KNOWN, fpr1, fpr2)


@pytest.mark.parametrize("wrong", [[-0.1], [1.01], [nan], [[0.5]]])
def test_rates_are_checked(wrong):
    for function in (m.average_roc, m.binormal_roc):
        refuses(r"^fpr: expected false positive rates from 0 to 1", function, KNOWN, wrong)


def test_options_are_checked():
    refuses(r"^normalization 'drop': expected ", m.partial_auc, KNOWN, 0, 1, normalization="drop")
    refuses(r"^band 'drop': expected ", m.average_roc, KNOWN, band="drop")


@pytest.mark.parametrize("wrong", [[1.5], [-0.1, 0.5], [np.inf], [[0.5]]])
def test_areas_are_checked(wrong):
    said = "the AUC of each task, found shape" if np.ndim(wrong) > 1 else "AUCs from 0 to 1, found "
    refuses(f"^values: expected {said}", m.cumulative_auc, wrong)


@pytest.mark.parametrize("wrong", [0, -1, nan, np.inf, 1e300])
def test_proportion_is_checked(wrong):
    refuses(r"^c = .*: expected a positive number", m.baroc, KNOWN, c=wrong)


# Slow twins


def twin_blocks(lists):
    """Relevant and irrelevant records of each tie block of each list, unlisted ones last."""
    result = []
    for row, query in enumerate(twins.plain(lists)):
        at = {}
        for score, relevant in query.records:
            at.setdefault(score, [0, 0])[0 if relevant else 1] += 1
        blocks = [(r, b) for r, b in at.values()]
        if lists.n_irrelevant is not None:
            r = query.total - sum(r for r, _ in blocks)
            b = int(lists.n_irrelevant[row]) - sum(b for _, b in blocks)
            blocks += [(r, b)] if r or b else []
        result.append(blocks)
    return result


def twin_points(blocks):
    """Corners of the curve; None if a kind is missing."""
    total = [sum(r for r, _ in blocks), sum(b for _, b in blocks)]
    if 0 in total:
        return None
    points, found, errors = [(Fraction(0), Fraction(0))], 0, 0
    for r, b in blocks:
        found, errors = found + r, errors + b
        points.append((Fraction(errors, total[1]), Fraction(found, total[0])))
    return points


def twin_auc(blocks):
    """Wins of relevant over irrelevant records, one pair of blocks after the other."""
    wins = Fraction(0)
    for place, (r, b) in enumerate(blocks):
        wins += Fraction(r * b, 2) + r * sum(below for _, below in blocks[place + 1 :])
    pairs = sum(r for r, _ in blocks) * sum(b for _, b in blocks)
    return float(wins / pairs) if pairs else nan


def twin_height(points, x):
    """Top of the curve at x."""
    tops = [tpr for fpr, tpr in points if fpr == x]
    if tops:
        return max(tops)
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 < x < x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise AssertionError


def twin_area(points, low, high):
    """Area of the trapezoids between the corners, and where the range begins and ends."""
    area = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(points):
        a, b = max(x0, low), min(x1, high)
        if a < b:
            middle = y0 + (y1 - y0) * ((a + b) / 2 - x0) / (x1 - x0)
            area += (b - a) * middle
    return float(area)


def twin_percentile(values, weights, share):
    reached, needed = 0.0, share * (1 - 1e-12) * sum(weights)
    for value, weight in sorted(zip(values, weights, strict=True)):
        reached += weight
        if reached >= needed:
            return value
    raise AssertionError


def check_areas(lists):
    blocks = twin_blocks(lists)
    expected = [twin_auc(one) for one in blocks]
    found = m.auc(lists)
    assert found.per_query == close(expected, 1e-14)
    assert found.value == close(twins.mean(expected, lists.weight.tolist()), 1e-12)
    assert found.n_queries == sum(~np.isnan(expected))
    assert found.n_no_relevant == sum(not sum(r for r, _ in one) for one in blocks)
    assert found.n_no_irrelevant == sum(not sum(b for _, b in one) for one in blocks)
    assert found.retrieved_only == (lists.n_irrelevant is None)
    assert bool(found.reason) == np.isnan(found.value)
    assert m.cumulative_auc(lists).mean == close(twins.mean(expected, [1.0] * len(expected)), 1e-12)


def check_parts(lists, i, j):
    i, j = sorted((i, j))
    low, high = Fraction(i, 14), Fraction(j, 14)
    curves = [twin_points(one) for one in twin_blocks(lists)]
    expected = [twin_area(points, low, high) if points else nan for points in curves]
    found = m.partial_auc(lists, i / 14, j / 14, normalization=None)
    assert found.per_query == close(expected, 1e-12)
    assert found.value == close(twins.mean(expected, lists.weight.tolist()), 1e-12)
    assert found.n_queries == sum(~np.isnan(expected))


def check_curves(lists):
    for row, blocks in enumerate(twin_blocks(lists)):
        points = twin_points(blocks)
        found = m.roc_curve(lists, row)
        assert bool(found.reason) == (points is None)
        if points is not None:
            assert found.fpr == close([float(x) for x, _ in points], 1e-15)
            assert found.tpr == close([float(y) for _, y in points], 1e-15)


def check_average(lists):
    curves = [twin_points(one) for one in twin_blocks(lists)]
    some = [points for points in curves if points]
    found, percentiles = m.average_roc(lists, GRID), m.average_roc(lists, GRID, band="percentile")
    assert found.n_queries == percentiles.n_queries == len(some)
    if not some:
        assert found.reason
        assert np.isnan([found.tpr, found.lower, percentiles.upper]).all()
        return
    everywhere = m.average_roc(lists).tpr
    assert (np.diff(everywhere) >= -1e-12).all()
    assert everywhere[-1] == close(1, 1e-12)
    weights = [w for w, points in zip(lists.weight.tolist(), curves, strict=True) if points]
    for place in range(15):
        values = [float(twin_height(points, Fraction(place, 14))) for points in some]
        middle = twins.mean(values, weights)
        assert found.tpr[place] == close(middle, 1e-12)
        assert percentiles.tpr[place] == found.tpr[place]
        assert percentiles.lower[place] == close(twin_percentile(values, weights, 0.025), 1e-12)
        assert percentiles.upper[place] == close(twin_percentile(values, weights, 0.975), 1e-12)
        if len(some) > 1 and len(set(weights)) == 1:
            half = 1.96 * stdev(values)
            assert found.lower[place] == close(middle - half, 1e-12)
            assert found.upper[place] == close(middle + half, 1e-12)


def check(lists, i, j):
    check_areas(lists)
    check_parts(lists, i, j)
    check_curves(lists)
    check_average(lists)


@examples(100)
@given(lists=curves(), i=st.integers(0, 14), j=st.integers(0, 14))
def test_areas_curves_and_averages_equal_their_twins(lists, i, j):
    check(lists, i, j)


@pytest.mark.parametrize("seed", range(6))
def test_longer_lists_equal_their_twins(seed):
    for lists in seeded(seed):
        check(lists, seed, 14 - 2 * seed)


@given(lists=any_lists, c=st.sampled_from((0.01, 0.5, 1.0, 1.5, 20.0)))
def test_baroc_equals_its_twin(lists, c):
    found = m.baroc(lists, c=c)
    expected = []
    for row, query in enumerate(twins.plain(lists)):
        n = max(1, int(c * query.total + 0.5))
        assert found.n[row] == n
        value = twins.area(query.records, n) / (n * query.total) if query.total else nan
        expected.append(value)
        assert found.per_query[row] == close(value, 1e-12)
        # As any ROC_n with that n.
        assert found.per_query[row] == close(m.roc_n(lists, n=n).per_query[row], 1e-12)
    assert found.value == close(twins.mean(expected, lists.weight.tolist()), 1e-12)
    assert found.n_no_relevant == sum(np.isnan(expected))
    assert bool(found.reason) == np.isnan(found.value)


def table(case):
    with (GOLDEN / "roc" / case["file"]).open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    columns = {column: np.array([float(row[column]) for row in rows]) for column in rows[0]}
    return {**columns, "label": columns["label"].astype(bool)}


def pair(case):
    columns = table(case)
    return columns["label"], columns["score"]


def of(case):
    return case["id"]


TWO_CLASSES = [case for case in ROC if "auc" in case["expected"]]
ONE_CLASS = [case for case in ROC if "auc" not in case["expected"]]
NOT_CORRECTED = {"v004", "v017", "v018", "v020", "v021", "v022"}
"""Cases in which pROC's corrected partial area is NA: it gives none that is below 0.5."""


@pytest.mark.parametrize("case", TWO_CLASSES, ids=of)
def test_auc_curve_and_roc_n_of_scikit_learn_proc_and_rocr(case):
    columns, expected = table(case), case["expected"]
    found = m.auc((columns["label"], columns["score"]))
    assert found.value == close(expected["auc"])
    assert found.value == close(expected["R"]["pROC_auc"])
    if case["style"] != "const":  # ROCR refuses constant scores
        assert found.value == close(expected["R"]["ROCR_auc"])
    assert m.auc((columns["label"], columns["score_b"])).value == close(expected["auc_b"])
    assert not found.retrieved_only
    found, curve = m.roc_curve(pair(case)), expected["roc_curve"]
    assert found.fpr == close(curve["fpr"])
    assert found.tpr == close(curve["tpr"])
    np.testing.assert_array_equal(found.threshold, [float(t) for t in curve["thresholds"]])
    lists = as_lists(pair(case))
    for key, value in expected["R"].items():
        if key.startswith("ROCn_"):
            assert m.roc_n(lists, n=int(key.removeprefix("ROCn_"))).per_query == close([value])


@pytest.mark.parametrize("case", TWO_CLASSES, ids=of)
def test_partial_auc_of_proc(case):
    seen = 0
    for key, value in case["expected"]["R"].items():
        if not key.startswith("pAUC_"):
            continue
        fpr1, fpr2 = map(float, key.split("_")[-2:])
        if "McClish" not in key:
            seen += 1
            plain = m.partial_auc(pair(case), fpr1, fpr2, normalization=None)
            assert plain.value == close(value)
            assert m.partial_auc(pair(case), fpr1, fpr2).value == close(value / (fpr2 - fpr1))
            continue
        found = m.partial_auc(pair(case), fpr1, fpr2, normalization="mcclish")
        if value is None:
            assert case["id"] in NOT_CORRECTED
            assert np.isnan([found.value, *found.per_query]).all()
            assert found.reason == (
                "the curve lies below the diagonal, where McClish's index is not defined"
            )
        else:
            assert found.value == close(value)
            assert found.reason == ""
    assert seen == 4


@pytest.mark.parametrize("case", ONE_CLASS, ids=of)
def test_one_class_is_undefined(case):
    relevant, score = pair(case)
    missing = "an irrelevant record" if relevant.all() else "a relevant record"
    by = "width", "mcclish", None
    parts = [m.partial_auc((relevant, score), 0, 0.5, normalization=one) for one in by]
    for found in (m.auc((relevant, score)), *parts):
        assert np.isnan([found.value, *found.per_query]).all()
        assert (found.n_queries, found.reason) == (0, f"no query has {missing}")
    curve = m.roc_curve((relevant, score))
    assert curve.reason == f"no query has {missing}"
    assert np.isnan(curve.tpr).all() == (not relevant.any())
    assert np.isnan(curve.fpr).all() == relevant.all()
    normal = m.binormal_roc((relevant, score))
    assert np.isnan([normal.a, normal.b, normal.auc]).all()
    assert normal.reason


def test_constant_scores():
    assert [case["id"] for case in ONE_CLASS] == ["v003", "v026", "v027", "v028", "v029"]
    (constant,) = (pair(case) for case in ROC if case["style"] == "const")
    assert m.auc(constant).value == 0.5
    curve = m.roc_curve(constant)
    assert curve.fpr.tolist() == curve.tpr.tolist() == [0, 1]
    assert m.partial_auc(constant, 0.2, 0.6, normalization="mcclish").value == close(0.5)
    normal = m.binormal_roc(constant)
    assert normal.reason == "all relevant records have the same score: no standard deviation"
    assert np.isnan(normal.tpr).all()


@pytest.mark.parametrize("case", BINORMAL, ids=of)
def test_binormal_curve(case):
    scores = case["positives"] + case["negatives"]
    relevant = [True] * len(case["positives"]) + [False] * len(case["negatives"])
    levels = {float(fpr): tpr for fpr, tpr in case["tpr_at_fpr"].items()}
    found = m.binormal_roc((relevant, scores), list(levels))
    assert found.tpr == close(list(levels.values()))
    assert (found.a, found.b, found.auc) == close((case["a"], case["b"], case["auc"]))
    # pROC fits by maximum likelihood, on the observed range only.
    assert found.auc == pytest.approx(case["pROC smooth(fitdistr, normal) auc"], abs=0.03)
    assert found.reason == found.warning == ""


@pytest.mark.parametrize("case", BAROC, ids=lambda case: f"{len(case['labels'])}-{case['T']}")
def test_baroc(case):
    records = [(float(rank), bool(relevant)) for rank, relevant in enumerate(case["labels"])]
    lists = build([Query(case["T"], 1.0, records)])
    for c, expected in case["baroc"].items():
        found = m.baroc(lists, c=float(c))
        assert found.n.tolist() == [expected["n"]]
        assert found.value == close(expected["baroc"])
        assert found.per_query == close([expected["baroc"]])


def test_cumulative_curve():
    peer = golden("peers/cumulative_auc.json")
    found = m.cumulative_auc(peer["auc"])
    for x, count in peer["count_strictly_above"].items():
        place = np.searchsorted(found.x, float(x), side="right") - 1
        assert found.above[place] == count
    assert found.mean == close(peer["mean (= integral of the normalised curve)"])
    assert found.fraction[:-1] @ np.diff(found.x) == close(found.mean, 1e-14)


def test_sensitivity_up_to_the_first_error_of_the_foldseek_benchmark():
    """ROC_1 in the order of the file; the family is relevant, the rest of the fold ignored."""
    peers = GOLDEN / "peers"
    scop = dict(line.split() for line in (peers / "scop_lookup.tsv").read_text().splitlines())
    hits = {query: [] for query in scop}
    for line in (peers / "foldseek.m8").read_text().splitlines():
        query, target = line.split("\t")[:2]
        own, other = scop[query], scop.get(target, "")
        fold = own.rsplit(".", 2)[0]
        if query == target or (own != other and other.startswith(f"{fold}.")):
            continue
        hits[query].append(own == other)
    families = list(scop.values())
    ranked = {query: [(float(r), y) for r, y in enumerate(own)] for query, own in hits.items()}
    lists = build([Query(families.count(scop[q]) - 1, 1.0, own) for q, own in ranked.items()])
    with (peers / "foldseek.rocx.expected").open() as file:
        expected = {row["NAME"]: row for row in csv.DictReader(file, delimiter="\t")}
    assert expected.keys() == hits.keys()
    found = m.roc_n(lists, n=1, ties="listed").per_query
    for row, query in enumerate(hits):
        # The program prints six digits, and nothing for 0.
        assert found[row] == pytest.approx(float(expected[query]["FAM"] or 0), rel=5e-6), query
        assert int(expected[query]["FAMCNT"]) == lists.n_relevant[row] + 1
        assert float(expected[query]["FP"] or 0) == (False in hits[query])


def sonego(column):
    labels = SOURCES["sonego_table1"]["columns"][column]
    return labels, list(range(len(labels), 0, -1))


@pytest.mark.parametrize("column", "abcdefgh")
def test_table_1_of_the_review(column):
    case = SOURCES["sonego_table1"]
    found = m.auc(sonego(column)).value
    assert found == close(case["exact_auc"][column])
    assert found == pytest.approx(case["printed_auc"][column], abs=0.0126)  # rounded both ways


def test_figure_3_of_the_review():
    case = SOURCES["sonego_fig3"]
    found = m.roc_curve(sonego("a"))
    place = case["threshold after rank"]
    assert found.threshold[place] == 20 - place + 1
    assert (found.tpr[place], found.fpr[place]) == close((case["TPR"], case["FPR"]))


@given(lists=curves(), x=st.sampled_from(GRID))
def test_partial_areas_add_up(lists, x):
    everything = m.auc(lists).per_query
    assert m.partial_auc(lists, 0, 1, normalization=None).per_query == close(everything, 1e-12)
    assert m.partial_auc(lists, 0, 1).per_query == close(everything, 1e-12)
    index = np.where(everything < 0.5, np.nan, everything)
    assert m.partial_auc(lists, 0, 1, normalization="mcclish").per_query == close(index, 1e-12)
    parts = [m.partial_auc(lists, *ends, normalization=None).per_query for ends in ((0, x), (x, 1))]
    assert parts[0] + parts[1] == close(everything, 1e-12)


@given(lists=whole_lists())
def test_roc_n_up_to_the_last_irrelevant_record_is_the_area(lists):
    complete = knowing(lists, [0] * lists.n_queries)
    area = m.auc(complete).per_query
    for row, last in enumerate(complete.n_irrelevant.tolist()):
        if last:
            assert m.roc_n(complete, n=last).per_query[row] == close(area[row], 1e-12)


@given(lists=curves())
def test_negating_scores_and_direction_changes_nothing(lists):
    other = mirrored(lists, n_irrelevant=lists.n_irrelevant)
    np.testing.assert_equal(m.auc(other), m.auc(lists))
    np.testing.assert_equal(m.partial_auc(other, 0.1, 0.4), m.partial_auc(lists, 0.1, 0.4))
    np.testing.assert_equal(m.average_roc(other), m.average_roc(lists))
    np.testing.assert_equal(m.baroc(other), m.baroc(lists))
    for row in range(lists.n_queries):
        one, negated = m.roc_curve(lists, row), m.roc_curve(other, row)
        np.testing.assert_equal(negated._replace(threshold=-negated.threshold), one)
        one, negated = m.binormal_roc(lists, query=row), m.binormal_roc(other, query=row)
        np.testing.assert_equal(negated._replace(warning=one.warning), one)


@given(values=st.lists(st.floats(0, 1) | st.just(nan), max_size=30))
def test_area_under_the_cumulative_curve_is_the_mean(values):
    found = m.cumulative_auc(values)
    defined = [value for value in values if value == value]  # noqa: PLR0124  # not NaN
    assert found.n_undefined == len(values) - len(defined)
    assert found.above.tolist() == [sum(v > x for v in defined) for x in found.x]
    if defined:
        assert found.fraction[:-1] @ np.diff(found.x) == close(mean(defined), 1e-12)
        assert found.mean == close(mean(defined), 1e-12)
