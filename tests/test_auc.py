"""ROC curves, their areas and averages: golden cases, slow twins, cases by hand, properties."""

import csv
from fractions import Fraction
from itertools import pairwise
from math import nan
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import measures as m
from tapviz.measures._common import as_lists
from tests import strategies, twins
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
    if draw(st.booleans()):
        missed = st.sampled_from((0, 0, 1, 3, 100))
        size = {"min_size": lists.n_queries, "max_size": lists.n_queries}
        lists = knowing(lists, draw(st.lists(missed, **size)))
    if draw(st.booleans()):
        mask = draw(st.lists(st.booleans(), min_size=lists.n_queries, max_size=lists.n_queries))
        lists = lists.subset(np.array(mask, bool))
        size = {"min_size": lists.n_queries, "max_size": lists.n_queries}
        lists = lists.with_weights(draw(st.lists(st.sampled_from(strategies.WEIGHTS), **size)))
    return lists


def seeded(seed):
    """Longer lists: with F(q) unknown, known, and a view of either."""
    unknown = seeded_lists(seed)
    rng = np.random.default_rng(seed)
    known = knowing(unknown, rng.choice((0, 0, 7, 900), unknown.n_queries).tolist())
    mask = np.arange(unknown.n_queries) % 3 > 0
    return [unknown, known, unknown.subset(mask), known.subset(mask)]


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
            width = m.partial_auc(pair(case), fpr1, fpr2)
            assert width.value == close(value / (fpr2 - fpr1))
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
    (case,) = (case for case in ROC if case["style"] == "const")
    assert m.auc(pair(case)).value == 0.5
    assert m.roc_curve(pair(case)).fpr.tolist() == m.roc_curve(pair(case)).tpr.tolist() == [0, 1]
    assert m.partial_auc(pair(case), 0.2, 0.6, normalization="mcclish").value == close(0.5)
    normal = m.binormal_roc(pair(case))
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
        value = float(expected[query]["FAM"] or 0)
        assert found[row] == pytest.approx(value, rel=5e-6), query
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
