"""The bundled data sets: what is in them, how they are loaded, and what others count in them."""

import re
import runpy
import sys

import numpy as np
import pytest

from scripts import build_datasets
from tapviz import average_precision, pooled_roc_n, roc_n, tap, tap_curve, tap_k
from tapviz.lists import RetrievalLists
from tapviz.readers import ClassTable, datasets, read
from tapviz.readers.datasets import DATASETS, dataset_info, load_results
from tapviz.scores import PRESETS, named
from tests.refused import refuses

DATA = build_datasets.DATA
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
# Hits kept of each algorithm, as counted outside this project.
KEPT = {
    "scope40": {name: row[0] for name, row in SCOPE40.items()},
    "profiles": {name: row[0] for name, row in PROFILES.items()},
    "cranfield": dict.fromkeys(CRANFIELD, 45_000),
}


@pytest.mark.parametrize("name", list(KEPT))
def test_hits_of_each_algorithm(name):
    kept = [(algorithm, lists.score.size) for algorithm, lists in load_results(name).items()]
    assert kept == list(KEPT[name].items())


def assert_alike(lists, others, *names):
    for name in names:
        assert getattr(lists, name).tolist() == getattr(others, name).tolist(), name


@pytest.mark.parametrize("name", ["scope40", "profiles"])
def test_all_algorithms_have_the_same_queries(name):
    first, *others = load_results(name).values()
    for lists in others:
        assert_alike(lists, first, "query", "n_relevant", "query_class")
        assert lists.direction == "ascending"
        assert lists.record.size == lists.score.size


def t_of(lists):
    """How many queries there are, and the least, median and largest T(q)."""
    t = lists.n_relevant
    return lists.n_queries, t.min(), np.median(t), t.max()


def test_scope40_is_what_its_description_says():
    lists = load_results("scope40")["BLASTP"]
    assert (lists.query[0], lists.query_class[0]) == ("d2bk9a_", "a.1.1.0")
    assert t_of(lists) == (862, 4, 9, 327)
    assert lists.record[:3].tolist() == ["d2c0ka_", "d1x3ka_", "d1x46a_"]  # not d2bk9a_ itself
    assert lists.score[:3].tolist() == [3.11e-40, 3.88e-21, 3.62e-12]


def test_profiles_is_what_its_description_says():
    lists = load_results("profiles")["HMMER3 hmmscan"]
    assert t_of(lists) == (1351, 1, 2, 11)
    assert (lists.record[0], lists.score[0]) == ("F_a.1.1.2", 6.6e-21)


def test_cranfield_is_what_its_description_says():
    results = load_results("cranfield")
    first = results["BM25"]
    for lists in results.values():
        assert lists.query.tolist() == [str(query) for query in range(1, 226)]
        assert lists.n_relevant.tolist() == first.n_relevant.tolist()
        assert (lists.n_relevant + lists.n_irrelevant == 1400).all()
        assert (np.diff(lists.offset) == 200).all()
        assert lists.direction == "descending"
        assert lists.query_class is None
        # A number of records ends the lists, each at its last one.
        assert lists.reported_how == "inferred"
        assert lists.reported_to.tolist() == lists.score[lists.offset[1:] - 1].tolist()
        # A complete answer has code 1 in the collection, and the best grade here.
        assert lists.grades.total.sum(axis=0).tolist() == [225, 363, 734, 387, 128]
        assert ((lists.grades.record > 0) == lists.relevant).all()
    assert (first.n_relevant.min(), first.n_relevant.max()) == (1, 39)
    # Question 5 is not abstract 5: no self hit was dropped.
    assert (np.repeat(first.query, np.diff(first.offset)) == first.record).any()
    # The first judgements of the collection: "1 184 2", "1 12 3", "1 52 4" and "1 13 4".
    grade = dict(zip(first.record[:200].tolist(), first.grades.record[:200].tolist(), strict=True))
    assert [grade[one] for one in ("184", "12", "52", "13")] == [3, 2, 1, 1]


def test_most_queries_of_diamond_by_default_find_little():
    assert (np.diff(load_results()["DIAMOND_default"].offset) == 0).sum() == 530


def test_loaded_once_but_the_dict_is_yours():
    first = load_results("scope40")
    del first["BLASTP"]
    second = load_results("scope40")
    assert second["SSEARCH"] is first["SSEARCH"]
    assert first.keys() == second.keys() - {"BLASTP"}


def test_an_unknown_data_set_lists_those_there_are():
    for function in (load_results, dataset_info):
        refuses("no data set 'pfam': there are scope40, profiles, ", function, "pfam")


@pytest.mark.parametrize("name", list(KEPT))
def test_every_data_set_says_what_it_is_and_whom_to_cite(name):
    info = dataset_info(name)
    assert info.name == name
    assert re.search(r"\b(19|20)[0-9]{2}, ", info.attribution)
    assert all((info.title, info.description, info.caveat))
    assert list(DATASETS) == list(KEPT)
    assert set(info.shown) <= set(load_results(name))
    assert info.preset in PRESETS


@pytest.mark.parametrize("name", list(KEPT))
def test_a_data_set_takes_a_few_megabytes_and_is_in_the_data_sheet(name):
    assert sum(file.stat().st_size for file in (DATA / name).iterdir()) < 4e6
    sheet = (DATA / "DATASHEET.md").read_text()
    for algorithm, kept in KEPT[name].items():
        assert f"| {algorithm} |" in sheet
        assert f" {kept:,} " in sheet


# --- what independent programs counted ------------------------------------------------------------


@pytest.mark.parametrize("name", SCOPE40)
def test_scope40_gives_the_numbers_counted_independently(name):
    lists = load_results()[name]
    at, curve = tap_k(lists, k=20, short_lists="error"), tap_curve(lists)
    own = roc_n(lists, ties="expected").per_query.mean()
    mean_ap = average_precision(lists).per_query.mean()
    found = at.value, curve.peak_tap, pooled_roc_n(lists, ties="expected"), own, mean_ap
    _, e_k, tap_20, peak, peak_at, *others = SCOPE40[name]
    assert (at.e0, curve.peak_threshold) == (e_k, peak_at)
    digits = [float(f"{value:.6g}") for value in found]
    assert digits == pytest.approx([tap_20, peak, *others], abs=1e-12, nan_ok=True)


def test_without_an_e20_the_worst_score_of_all_lists_is_the_threshold():
    lists = load_results()["DIAMOND_default"]
    at = tap_k(lists, k=20, short_lists="worst_score")
    assert at.too_short
    assert at.e0 == lists.score.max()
    assert at.value == pytest.approx(tap(lists, at.e0).value, abs=1e-15)
    assert "Fewer than half" in tap_k(lists, k=20).reason


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_give_the_numbers_counted_independently(name):
    _, e_k, tap_20, pooled, own_listed, peak, peak_at = PROFILES[name]
    lists = load_results("profiles")[name]
    at = tap_k(lists, k=20, short_lists="error")
    assert (at.e0, round(at.value, 4)) == (e_k, tap_20)
    assert round(float(np.nanmean(roc_n(lists, ties="listed").per_query)), 4) == own_listed
    assert pooled_roc_n(lists) == pytest.approx(pooled, abs=1.5e-4)
    assert record_by_record_peak(lists) == (peak, peak_at)
    assert tap_curve(lists).peak_tap <= peak + 5e-5


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


# --- the script that builds them ------------------------------------------------------------------


def test_what_is_written_is_what_was_read(tmp_path, monkeypatch):
    table = tmp_path / "classes.tsv"
    table.write_text("q\ta.1.1.1\nr\ta.1.1.2\ns\tb.1.1.1\nt\tb.1.1.1\nx\ta.1.1.1\n")
    hits = tmp_path / "hits.m8"
    row = "{}\t{}\t50\t9\t0\t0\t1\t9\t1\t9\t{}\t30\n"
    hits.write_text(row.format("q", "s", 4.940656e-324) + row.format("q", "r", 0.1))
    some = read(hits, labels=ClassTable.read(table), queries=["x", "q"])
    results = {"some": some, "few": some.with_weights(some.weight)}
    folders = [tmp_path / "data" / name for name in ("scope40", "again")]
    for folder in folders:
        build_datasets.write(results, folder, 1)
    for file in ("lists.parquet", "queries.parquet"):
        first, again = (folder.joinpath(file).read_bytes() for folder in folders)
        assert first == again

    monkeypatch.setattr(datasets, "files", lambda _package: tmp_path)
    loaded = dict(datasets._load.__wrapped__("scope40"))
    assert list(loaded) == ["some", "few"]
    for lists in loaded.values():
        assert lists.offset.tolist() == [0, 0, 2]
        assert lists.score.tolist() == [4.940656e-324, 0.1]
        assert_alike(lists, some, "query", "query_class", "n_relevant", "relevant", "record")
        # One record of the class table is not in the database.
        assert lists.n_irrelevant.tolist() == (some.n_irrelevant - 1).tolist() == [1, 1]


def test_results_that_do_not_belong_together_are_not_written(tmp_path):
    results = {
        name: RetrievalLists([], [], [0, 0], [1], query=[query], query_class=[""], record=[])
        for name, query in (("one", "a"), ("two", "b"))
    }
    refuses("two: other queries", build_datasets.write, results, tmp_path, 0)


def test_the_script_says_how_to_call_it(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["build_datasets.py"])
    with pytest.raises(SystemExit, match=r"^usage: python scripts/build_datasets.py RESULTS_DIR$"):
        runpy.run_path(build_datasets.__file__, run_name="__main__")
