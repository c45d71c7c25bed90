"""The bundled data sets: real results of real search programs, ready to explore."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
import pyarrow as pa

from tapviz.files import refuse, toml_of
from tapviz.lists import Direction, Grades, RetrievalLists, Run
from tapviz.lists.checks import places
from tapviz.readers.runs import read_runs


@dataclass(frozen=True)
class Dataset:
    """What a data set is, for those who look at it.

    Attributes
    ----------
    name : str
        Name that `load_results` takes.
    title, description, caveat, attribution : str
        A few words, a sentence each, and whom to cite.
    shown : tuple of str
        Algorithms to begin with: those that tell the story.
    direction : {"ascending", "descending"}
        "ascending" where scores are E-values.
    preset : str
        Scores of the table to begin with, as in `tapviz.scores.PRESETS`.

    Examples
    --------
    >>> from tapviz.readers.datasets import DATASETS
    >>> [dataset.name for dataset in DATASETS.values()]
    ['scope40', 'profiles', 'cranfield']
    """

    name: str
    title: str
    description: str
    caveat: str
    attribution: str
    shown: tuple[str, ...]
    direction: Direction = "ascending"
    preset: str = "tap-k"


CLASS_LEVEL = 3
"""Records of the superfamily of a query are relevant."""


def _file(name: str, file: str) -> Traversable:
    return files("tapviz") / "data" / name / file


def _described(name: str) -> Dataset:
    about = toml_of(_file(name, "about.toml").read_text(encoding="utf-8"), name)
    return Dataset(name=name, **about | {"shown": tuple(about["shown"])})


DATASETS = {name: _described(name) for name in ("scope40", "profiles", "cranfield")}


def load_results(name: str = "scope40") -> dict[str, RetrievalLists]:
    """Load a bundled data set.

    Parameters
    ----------
    name : {"scope40", "profiles", "cranfield"}

    Returns
    -------
    dict of str to RetrievalLists
        The lists of each algorithm by its name, all of the same queries; E-values ascend, the
        scores of "cranfield" descend. The dict is new, the lists are shared by all who load them.

    Raises
    ------
    ValueError
        If there is no such data set; the message lists those there are.

    Examples
    --------
    >>> from tapviz import load_results
    >>> results = load_results("profiles")
    >>> sorted(results)
    ['HMMER2 local', 'HMMER2 semi-global', 'HMMER3 hmmscan', 'RPS-BLAST']
    >>> results["RPS-BLAST"].n_queries
    1351
    """
    return dict(_load(dataset_info(name).name))


def dataset_info(name: str = "scope40") -> Dataset:
    """Return what a bundled data set is: title, description, caveat and attribution.

    Raises
    ------
    ValueError
        If there is no such data set; the message lists those there are.

    Examples
    --------
    >>> from tapviz.readers.datasets import dataset_info
    >>> dataset_info("profiles").title
    'Family profiles (SCOPe 2.01, 40 % identity)'
    """
    if name not in DATASETS:
        refuse(f"no data set {name!r}: there are {', '.join(DATASETS)}")
    return DATASETS[name]


@cache
def record_classes(name: str = "scope40") -> dict[str, str]:
    """Class of each record in the lists of a bundled data set; empty where they have none.

    Examples
    --------
    >>> from tapviz.readers.datasets import record_classes
    >>> record_classes()["d1x3ka_"]
    'a.1.1.0'
    """
    if not _file(name, "classes.parquet").is_file():
        return {}
    columns = _table(name, "classes.parquet").to_pydict()
    return dict(zip(columns["record"], columns["class"], strict=True))


@cache
def _load(name: str) -> tuple[tuple[str, RetrievalLists], ...]:
    queries = _table(name, "queries.parquet")
    query = queries["query"].to_pylist()
    # The ids of all algorithms have one dictionary; `algorithm` and `query` are in the order of
    # the lists, so that a change of the code is where a list ends.
    hits = _table(name, "lists.parquet", read_dictionary=["algorithm", "query", "record"])
    hits = hits.unify_dictionaries()
    algorithm, names = _codes(hits, "algorithm")
    code, ids = _codes(hits, "query")
    row = places(query, ids)[code]
    code, ids = _codes(hits, "record")
    columns = {"record": np.array(ids, np.object_)[code]}
    columns |= {column: hits[column].to_numpy() for column in ("score", "relevant")}
    searches = {one["algorithm"]: one for one in _table(name, "algorithms.parquet").to_pylist()}
    end = np.cumsum(np.bincount(algorithm, minlength=len(names)))
    graded = "grade" in hits.column_names
    total = np.array(queries["n_of_grade"].to_pylist() if graded else [], np.int64)
    grade = hits["grade"].to_numpy().astype(np.int64) if graded else None
    of_queries = {name: queries[name].to_numpy() for name in ("n_relevant", "n_irrelevant")}
    classes = queries["class"].to_pylist()
    if None not in classes:
        of_queries |= {"query_class": classes, "class_level": CLASS_LEVEL}
    costs = _file(name, "runs.toml")
    known = read_runs(costs.read_text(encoding="utf-8"), "runs.toml") if costs.is_file() else {}
    results = []
    for at, start, stop in zip(names, end - np.bincount(algorithm), end, strict=True):
        length = np.bincount(row[start:stop], minlength=len(query))
        lists = RetrievalLists(
            **{column: values[start:stop] for column, values in columns.items()},
            **of_queries,
            offset=np.concatenate([[0], np.cumsum(length)]),
            query=query,
            direction=DATASETS[name].direction,
            grades=None if grade is None else Grades(grade[start:stop], total),
            run=known.get(at, Run()),
        )
        # Where a number of records ended the lists, none of which is empty, each was measured to
        # its last one. A list with all records of the database was not cut.
        limit, how = searches[at]["reported_to"], searches[at]["reported_how"]
        ends = lists.score[lists.offset[1:] - 1] if how == "inferred" else limit
        complete = length >= of_queries["n_relevant"] + of_queries["n_irrelevant"]
        ends = np.where(complete, lists.sign * np.inf, ends)
        results.append((at, lists.with_reported_to(ends, how)))
    return tuple(results)


def _table(name: str, file: str, read_dictionary: list[str] | None = None) -> pa.Table:
    from pyarrow import parquet  # noqa: PLC0415  # slow to import, and not needed for own files

    data = _file(name, file).read_bytes()
    return parquet.read_table(pa.BufferReader(data), read_dictionary=read_dictionary)


def _codes(table: pa.Table, column: str) -> tuple[np.ndarray, list[str]]:
    chunks = table[column].chunks
    return np.concatenate([c.indices.to_numpy() for c in chunks]), chunks[0].dictionary.to_pylist()
