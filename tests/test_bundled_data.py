"""The bundled data sets give the numbers that independent programs counted on the same results."""

import numpy as np
import pytest

from tapviz import average_precision, load_results, pooled_roc_n, roc_n, tap, tap_curve, tap_k
from tapviz.scores import named

# Counted twice, by programs independent of this one. Kept hits, E_20, TAP-20, peak TAP, the
# threshold of the peak, pooled ROC_50, mean of the queries' own ROC_50, MAP. TAP and AP in the
# order listed; in ROC_50 ties share evenly, as the mean over their orders.
SCOPE40 = {
    "BLASTP": (69383, 21, 0.352951, 0.380503, 0.63, 0.221207, 0.410764, 0.388851),
    "SSEARCH": (94154, 21, 0.402772, 0.420918, 1.6, 0.240214, 0.476274, 0.447753),
    "PSI-BLAST": (107881, 21, 0.4279, 0.459985, 0.26, 0.309818, 0.483284, 0.466702),
    "phmmer": (133490, 12, 0.396347, 0.41598, 0.56, 0.237132, 0.465902, 0.439918),
    "jackhmmer": (161376, 9.5, 0.468164, 0.496011, 0.2, 0.32678, 0.537226, 0.515113),
    "MMseqs2": (118484, 163, 0.289949, 0.334389, 1.017, 0.190776, 0.324785, 0.316116),
    "MMseqs2_iter3": (94422, 144.2, 0.387146, 0.427179, 0.1583, 0.213896, 0.429234, 0.419918),
    "DIAMOND": (82923, 51.2, 0.33912, 0.373601, 0.678, 0.217624, 0.380635, 0.36728),
    "DIAMOND_default": (728, np.inf, np.nan, 0.101195, 1.76, 0.0435128, 0.0753674, 0.0753674),
}

# Counted once, by a program independent of this one, to four decimals: kept hits, E_20, TAP-20,
# and the mean own ROC_50 in the order listed. Its pooled ROC_50 follows one order of the queries
# inside ties, and its peak one record after another inside them; here ties across queries have
# no order, so that the fourth decimal of the one and the threshold of the other differ.
PROFILES = {
    "RPS-BLAST": (233907, 24, 0.3397, 0.3044, 0.6536, 0.4908, 0.14),
    "HMMER3 hmmscan": (335214, 11, 0.4265, 0.3954, 0.7722, 0.6314, 0.056),
    "HMMER2 semi-global": (481742, 120, 0.3425, 0.2286, 0.6663, 0.4212, 3.2),
    "HMMER2 local": (481742, 43, 0.2576, 0.1863, 0.5382, 0.3487, 0.63),
}


def six_digits(value: float) -> float:
    """The value as a table of six significant digits shows it."""
    return float(f"{value:.6g}")


@pytest.mark.parametrize("name", SCOPE40)
def test_scope40_gives_the_numbers_counted_independently(name):
    hits, e_k, tap_20, peak, peak_at, pooled, own, mean_ap = SCOPE40[name]
    lists = load_results()[name]
    at = tap_k(lists, k=20, short_lists="error")
    curve = tap_curve(lists)
    assert lists.score.size == hits
    assert at.e0 == e_k
    assert six_digits(at.value) == pytest.approx(tap_20, abs=1e-12, nan_ok=True)
    assert six_digits(curve.peak_tap) == peak
    assert curve.peak_threshold == peak_at
    assert six_digits(pooled_roc_n(lists, ties="expected")) == pooled
    assert six_digits(roc_n(lists, ties="expected").per_query.mean()) == own
    assert six_digits(average_precision(lists).per_query.mean()) == mean_ap


def test_without_an_e20_the_worst_score_of_all_lists_is_the_threshold():
    lists = load_results()["DIAMOND_default"]
    at = tap_k(lists, k=20, short_lists="worst_score")
    assert at.too_short
    assert at.e0 == lists.score.max()
    assert at.value == pytest.approx(tap(lists, lists.score.max()).value, abs=1e-15)
    assert "Fewer than half" in tap_k(lists, k=20).reason


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_give_the_numbers_counted_independently(name):
    hits, e_k, tap_20, pooled, own_listed, peak, peak_at = PROFILES[name]
    lists = load_results("profiles")[name]
    at = tap_k(lists, k=20, short_lists="error")
    assert lists.score.size == hits
    assert at.e0 == e_k
    assert round(at.value, 4) == tap_20
    assert round(float(np.nanmean(roc_n(lists, ties="listed").per_query)), 4) == own_listed
    assert pooled_roc_n(lists) == pytest.approx(pooled, abs=1.5e-4)
    assert record_by_record_peak(lists) == (peak, peak_at)
    assert tap_curve(lists).peak_tap <= record_by_record_peak(lists)[0] + 5e-5


def record_by_record_peak(lists):
    """Largest mean TAP when tied records are taken in one after another, query after query."""
    gains = []
    for start, stop, total in zip(lists.offset, lists.offset[1:], lists.n_relevant, strict=False):
        relevant = lists.relevant[start:stop]
        precision = np.cumsum(relevant) / np.arange(1, stop - start + 1)
        value = (np.cumsum(precision * relevant) + precision) / (total + 1)
        gains.append(np.diff(value, prepend=0))
    order = np.argsort(lists.score, kind="stable")
    curve = np.cumsum(np.concatenate(gains)[order]) / lists.n_queries
    return round(float(curve.max()), 4), float(lists.score[order][curve.argmax()])


# trec_eval 10.0 -c on the TREC runs and qrels that the data set was made of: ndcg_cut_10,
# recall_100, P_10, recip_rank, bpref, map.
CRANFIELD = {
    "BM25": (0.3373, 0.6865, 0.2200, 0.4964, 0.2331, 0.2658),
    "TF-IDF": (0.3461, 0.7192, 0.2262, 0.5140, 0.2445, 0.2856),
    "LSI": (0.3886, 0.7755, 0.2596, 0.5370, 0.2677, 0.3274),
    "Dirichlet LM": (0.3219, 0.6916, 0.2022, 0.4944, 0.2503, 0.2606),
    "character n-grams": (0.3465, 0.7483, 0.2262, 0.5008, 0.2585, 0.2824),
}
OF_TEXT = ("ndcg@10", "recall@100", "precision@10", "mrr", "bpref", "mean_average_precision")


@pytest.mark.parametrize("name", CRANFIELD)
def test_cranfield_gives_the_numbers_of_trec_eval(name):
    lists = load_results("cranfield")[name]
    ours = [round(float(named(score).measure(lists)), 4) for score in OF_TEXT]
    assert ours == list(CRANFIELD[name])


def test_relevant_irrelevant_and_left_out_records_are_the_database():
    # 10,652 domains: the query itself, its fold, of which the superfamily is relevant, all others.
    lists = load_results("scope40")["BLASTP"]
    left_out = 10_652 - 1 - lists.n_relevant - lists.n_irrelevant
    assert (left_out >= 0).all()
    # d1ps9a3 is of fold c.4, which has a single superfamily: nothing is left out.
    assert left_out[lists.row_of("d1ps9a3")] == 0
