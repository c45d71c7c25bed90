"""Build the bundled data sets from the native output of the search programs.

    python scripts/build_datasets.py RESULTS_DIR

RESULTS_DIR has the folders ``scope40``, ``profiles`` and ``cranfield`` with the files named below;
`scripts/search_cranfield.py` writes those of the last. What is done to them is what
`tapviz.readers.read` does with a `ClassTable`, or with `Qrels` for ``cranfield``, nothing else. Of
the first two:

- of the iterations of PSI-BLAST the last one of each query is read;
- of several hits of a query on one record (HSPs) the one with the smallest E-value is kept;
- the hit of a query on itself is dropped;
- a record of the query's superfamily is relevant; one of its fold but of another superfamily is
  left out, neither relevant nor irrelevant; all others are irrelevant;
- T(q) counts the superfamily in the class table, found or not, without the query itself, and F(q)
  the irrelevant records of the database;
- queries without a hit are kept, with an empty list;
- lists are in the order of E-value, equal ones as in the file; E-values as the program printed
  them.

Of ``cranfield`` a record with a grade of 1 or more is relevant, any other of the 1,400 irrelevant;
scores have six digits.

Three Parquet files per data set (zstd) go to ``tapviz/data``: ``lists.parquet`` with a row per hit
(algorithm, query, record, score, relevant), best first inside each list; ``queries.parquet``
(query, class, n_relevant, n_irrelevant); and ``algorithms.parquet`` with the E-value up to which
each program was told to report hits, and how that is known (algorithm, reported_to,
reported_how). Grades are two columns more: ``grade`` of a hit, -1 where nobody judged it, and
``n_of_grade`` of a query, records of the database by grade from 0. ``classes.parquet`` of
``scope40`` has the class of each record in the lists (record, class). The same input gives the same
bytes with the same pyarrow.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tapviz.labels import ClassTable, JoinRules, Qrels
from tapviz.lists import RetrievalLists
from tapviz.lists.reported import limit_of
from tapviz.readers import read

DATA = Path(__file__).parents[1] / "tapviz" / "data"
OPTIONS = {"compression": "zstd", "compression_level": 19, "store_schema": False}
"""Of the Parquet files."""

# The class table of scope40 has all 14,323 domains, the database whole folds with 10,652 of them.
OUTSIDE = {"scope40": 14_323 - 10_652}

SCOPE40 = {
    "BLASTP": "blastp.m8.gz",
    "SSEARCH": "ssearch.m8.gz",
    "PSI-BLAST": "psiblast.outfmt7.gz",
    "phmmer": "phmmer.tbl.gz",
    "jackhmmer": "jackhmmer.tbl.gz",
    "MMseqs2": "mmseqs2.m8.gz",
    "MMseqs2_iter3": "mmseqs2_iter3.m8.gz",
    "DIAMOND": "diamond.m8.gz",
    "DIAMOND_default": "diamond_default.m8.gz",
}
PROFILES = {
    "RPS-BLAST": "rpsblast.tsv.gz",
    "HMMER3 hmmscan": "hmmscan.tbl.gz",
    "HMMER2 semi-global": "hmmer2_semi_global.out.gz",
    "HMMER2 local": "hmmer2_local.out.gz",
}
CRANFIELD = {
    "BM25": "bm25.run",
    "TF-IDF": "tf_idf.run",
    "LSI": "lsi.run",
    "Dirichlet LM": "dirichlet.run",
    "character n-grams": "ngrams.run",
}
ABSTRACTS = 1400
REPORTED_TO = {
    "BLASTP": 100,
    "SSEARCH": 100,
    "PSI-BLAST": 300,
    "MMseqs2": 10_000,
    "MMseqs2_iter3": 10_000,
    "DIAMOND": 10_000,
    "DIAMOND_default": 10,
    "RPS-BLAST": 1000,
    "HMMER2 semi-global": 1000,
    "HMMER2 local": 1000,
}
"""E-value limit of the commands, where the files themselves do not say it."""


def scope40(folder: Path) -> dict[str, RetrievalLists]:
    """Read the searches among protein domains: queries are records of the database."""
    labels = ClassTable.read(folder / "classes.tsv")
    return {
        name: read(
            folder / file,
            labels=labels,
            queries=folder / "queries.txt",
            reported_to=REPORTED_TO.get(name),
        )
        for name, file in SCOPE40.items()
    }


def profiles(folder: Path) -> dict[str, RetrievalLists]:
    """Read the searches among profiles: queries are not records of the database.

    RPS-BLAST names a profile by its master sequence, the others by its family.
    """
    queries = folder / "queries.tsv"
    by_family = ClassTable.read(folder / "profiles.tsv", queries=queries)
    by_master = ClassTable.read(folder / "profiles_rpsblast.tsv", queries=queries)
    return {
        name: read(
            folder / file,
            labels=by_master if name == "RPS-BLAST" else by_family,
            queries=queries,
            reported_to=REPORTED_TO.get(name),
        )
        for name, file in PROFILES.items()
    }


def cranfield(folder: Path) -> dict[str, RetrievalLists]:
    """Read the searches among abstracts, of which few were judged for each query.

    Numbers name both queries and abstracts: query 5 is not abstract 5.
    """
    labels = Qrels.read(folder / "qrels", rules=JoinRules(self_hits="keep"))
    return {name: read(folder / file, labels=labels) for name, file in CRANFIELD.items()}


def write(
    results: dict[str, RetrievalLists], folder: Path, outside: int, n_records: int | None = None
) -> None:
    """Write the lists of all algorithms, which must agree on queries, T(q) and F(q).

    So many records of the class table as `outside` says are not in the database; to every query
    they would be irrelevant. Where labels do not know all records, `n_records` says how many the
    database has.
    """
    folder.mkdir(parents=True, exist_ok=True)
    first = next(iter(results.values()))
    for name, lists in results.items():
        if not np.array_equal(lists.query, first.query) or not np.array_equal(
            lists.n_relevant, first.n_relevant
        ):
            msg = f"{name}: other queries or other T(q) than the first algorithm"
            raise ValueError(msg)
    n_irrelevant = first.n_irrelevant if n_records is None else n_records - first.n_relevant
    if n_irrelevant is None:
        msg = "the class table lacks a record"
        raise ValueError(msg)
    classes = [None] * first.n_queries if first.query_class is None else first.query_class.tolist()
    queries = pa.table(
        {
            "query": pa.array(first.query.tolist(), pa.string()),
            "class": pa.array(classes, pa.string()),
            "n_relevant": pa.array(first.n_relevant, pa.int64()),
            "n_irrelevant": pa.array(n_irrelevant - outside, pa.int64()),
        }
    )
    if first.grades is not None:
        column = pa.array(first.grades.total.tolist(), pa.list_(pa.int64()))
        queries = queries.append_column("n_of_grade", column)
    each = [
        pa.table(
            {
                "algorithm": pa.array([name] * lists.score.size, pa.string()).dictionary_encode(),
                "query": pa.array(
                    np.repeat(lists.query.astype(object), np.diff(lists.offset)), pa.string()
                ).dictionary_encode(),
                "record": pa.array(lists.record, pa.string()).dictionary_encode(),
                "score": pa.array(lists.score, pa.float64()),
                "relevant": pa.array(lists.relevant, pa.bool_()),
            }
        )
        for name, lists in results.items()
    ]
    for at, lists in enumerate(results.values()):
        if lists.grades is not None:
            each[at] = each[at].append_column("grade", pa.array(lists.grades.record, pa.int8()))
    searches = pa.table(
        {
            "algorithm": pa.array(list(results), pa.string()),
            "reported_to": pa.array(
                [limit_of(one.reported_to, one.direction) for one in results.values()]
            ),
            "reported_how": pa.array([one.reported_how for one in results.values()], pa.string()),
        }
    )
    parquet.write_table(queries, folder / "queries.parquet", **OPTIONS)
    parquet.write_table(searches, folder / "algorithms.parquet", **OPTIONS)
    parquet.write_table(
        pa.concat_tables(each).unify_dictionaries(), folder / "lists.parquet", **OPTIONS
    )


def write_classes(labels: ClassTable, results: dict[str, RetrievalLists], folder: Path) -> None:
    """Write the classes of all records that are in the lists."""
    every = [lists.record for lists in results.values() if lists.record is not None]
    found = np.unique(np.concatenate(every)).tolist()
    classes = pa.table({"record": found, "class": [*map(labels.class_of_record, found)]})
    parquet.write_table(
        classes,
        folder / "classes.parquet",
        use_dictionary=["class"],
        column_encoding={"record": "DELTA_BYTE_ARRAY"},
        write_statistics=False,
        **OPTIONS,
    )


def main(results: Path) -> None:
    """Build the data sets whose results are there, and say what is in them."""
    for make in (scope40, profiles, cranfield):
        name = make.__name__
        if not (results / name).is_dir():
            continue
        found = make(results / name)
        n_records = ABSTRACTS if make is cranfield else None
        write(found, DATA / name, OUTSIDE.get(name, 0), n_records)
        if make is scope40:
            labels = ClassTable.read(results / name / "classes.tsv")
            write_classes(labels, found, DATA / name)
        print(f"{name}: {next(iter(found.values())).n_queries:,} queries")
        for algorithm, lists in found.items():
            empty = int((np.diff(lists.offset) == 0).sum())
            print(f"  {algorithm:20} {lists.score.size:9,} hits, {empty:4} empty lists")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python scripts/build_datasets.py RESULTS_DIR")
    main(Path(sys.argv[1]))
