"""The bundled data sets: what is in them, and how they are loaded."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tapviz.lists import RetrievalLists
from tapviz.readers import ClassTable, datasets, read
from tapviz.readers.datasets import DATASETS, dataset_info, load_results
from tapviz.scores import PRESETS
from tests.test_bundled_data import CRANFIELD, PROFILES, SCOPE40

ROOT = Path(__file__).parents[1]
# Hits kept of each algorithm, as counted outside this project.
KEPT = {
    "scope40": {name: row[0] for name, row in SCOPE40.items()},
    "profiles": {name: row[0] for name, row in PROFILES.items()},
    "cranfield": dict.fromkeys(CRANFIELD, 45_000),
}
CLASSIFIED = ["scope40", "profiles"]


@pytest.mark.parametrize("name", list(KEPT))
def test_hits_of_each_algorithm(name):
    results = load_results(name)
    assert {key: lists.score.size for key, lists in results.items()} == KEPT[name]
    assert list(results) == list(KEPT[name])


@pytest.mark.parametrize("name", CLASSIFIED)
def test_all_algorithms_have_the_same_queries(name):
    first, *others = load_results(name).values()
    for lists in others:
        assert lists.query.tolist() == first.query.tolist()
        assert lists.n_relevant.tolist() == first.n_relevant.tolist()
        assert lists.query_class.tolist() == first.query_class.tolist()
        assert lists.direction == "ascending"
        assert lists.record.size == lists.score.size


def test_scope40_is_what_its_description_says():
    lists = load_results("scope40")["BLASTP"]
    assert lists.n_queries == 862
    assert lists.query[0] == "d2bk9a_"
    assert lists.query_class[0] == "a.1.1.0"
    assert (lists.n_relevant.min(), lists.n_relevant.max()) == (4, 327)
    assert np.median(lists.n_relevant) == 9
    assert lists.record[:3].tolist() == ["d2c0ka_", "d1x3ka_", "d1x46a_"]  # not d2bk9a_ itself
    assert lists.score[:3].tolist() == [3.11e-40, 3.88e-21, 3.62e-12]


def test_profiles_is_what_its_description_says():
    lists = load_results("profiles")["HMMER3 hmmscan"]
    assert lists.n_queries == 1351
    assert (lists.n_relevant.min(), lists.n_relevant.max()) == (1, 11)
    assert np.median(lists.n_relevant) == 2
    assert lists.record[0] == "F_a.1.1.2"
    assert lists.score[0] == 6.6e-21


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
    own = np.repeat(first.query, np.diff(first.offset)) == first.record
    assert own.any()
    # The first judgements of the collection: "1 184 2", "1 12 3", "1 52 4" and "1 13 4".
    grade = dict(zip(first.record[:200].tolist(), first.grades.record[:200].tolist(), strict=True))
    assert [grade[one] for one in ("184", "12", "52", "13")] == [3, 2, 1, 1]


def test_most_queries_of_diamond_by_default_find_little():
    lists = load_results()["DIAMOND_default"]
    assert (np.diff(lists.offset) == 0).sum() == 530


def test_loaded_once_but_the_dict_is_yours():
    first = load_results("scope40")
    del first["BLASTP"]
    second = load_results("scope40")
    assert "BLASTP" in second
    assert second["SSEARCH"] is first["SSEARCH"]


def test_an_unknown_data_set_lists_those_there_are():
    for function in (load_results, dataset_info):
        with pytest.raises(ValueError, match="no data set 'pfam': there are scope40, profiles, "):
            function("pfam")


@pytest.mark.parametrize("name", list(KEPT))
def test_every_data_set_says_what_it_is_and_whom_to_cite(name):
    info = dataset_info(name)
    assert info.name == name
    assert re.search(r"\b(19|20)[0-9]{2}, ", info.attribution)
    assert all((info.title, info.description, info.caveat))
    assert list(DATASETS) == list(KEPT)


@pytest.mark.parametrize("name", list(KEPT))
def test_a_data_set_takes_a_few_megabytes(name):
    folder = ROOT / "tapviz" / "data" / name
    assert sum(file.stat().st_size for file in folder.iterdir()) < 4e6


def test_the_data_sheet_names_every_algorithm():
    sheet = (ROOT / "tapviz" / "data" / "DATASHEET.md").read_text()
    for algorithms in KEPT.values():
        for algorithm, kept in algorithms.items():
            assert f"| {algorithm} |" in sheet
            assert f" {kept:,} " in sheet


def test_what_a_data_set_opens_with_is_there():
    for name, info in DATASETS.items():
        assert set(info.shown) <= set(load_results(name))
        assert info.preset in PRESETS


def _script():
    path = ROOT / "scripts" / "build_datasets.py"
    spec = importlib.util.spec_from_file_location("build_datasets", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_written_is_what_was_read(tmp_path, monkeypatch):
    table = tmp_path / "classes.tsv"
    table.write_text("q\ta.1.1.1\nr\ta.1.1.2\ns\tb.1.1.1\nt\tb.1.1.1\nx\ta.1.1.1\n")
    hits = tmp_path / "hits.m8"
    row = "{}\t{}\t50\t9\t0\t0\t1\t9\t1\t9\t{}\t30\n"
    hits.write_text(row.format("q", "s", 4.940656e-324) + row.format("q", "r", 0.1))
    labels = ClassTable.read(table)
    some = read(hits, labels=labels, queries=["x", "q"])
    results = {"some": some, "few": some.with_weights(some.weight)}
    script = _script()
    for folder in ("scope40", "again"):
        script.write(results, tmp_path / "data" / folder, 1)
    for file in ("lists.parquet", "queries.parquet"):
        first = (tmp_path / "data" / "scope40" / file).read_bytes()
        assert first == (tmp_path / "data" / "again" / file).read_bytes()

    monkeypatch.setattr(datasets, "files", lambda _package: tmp_path)
    loaded = dict(datasets._load.__wrapped__("scope40"))
    assert list(loaded) == ["some", "few"]
    for lists in loaded.values():
        assert lists.offset.tolist() == [0, 0, 2]
        assert lists.score.tolist() == [4.940656e-324, 0.1]
        for name in ("query", "query_class", "n_relevant", "relevant", "record"):
            assert getattr(lists, name).tolist() == getattr(some, name).tolist()
        # One record of the class table is not in the database.
        assert lists.n_irrelevant.tolist() == (some.n_irrelevant - 1).tolist() == [1, 1]


def test_results_that_do_not_belong_together_are_not_written(tmp_path):
    results = {
        name: RetrievalLists([], [], [0, 0], [1], query=[query], query_class=[""], record=[])
        for name, query in (("one", "a"), ("two", "b"))
    }
    with pytest.raises(ValueError, match="two: other queries"):
        _script().write(results, tmp_path, 0)


@pytest.mark.subprocess
def test_the_script_says_how_to_call_it():
    path = ROOT / "scripts" / "build_datasets.py"
    result = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=False, cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert result.returncode != 0
    assert "usage: python scripts/build_datasets.py RESULTS_DIR" in result.stderr
