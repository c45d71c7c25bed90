"""Buckets of rows become retrieval lists, and these are cut where nothing is asked any more."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tapviz.condensing.folder import is_whole, new_folder
from tapviz.condensing.parts import read_table, rows_of, write_table
from tapviz.labels import Hits, Labels
from tapviz.labels.ids import normalise
from tapviz.lists import Direction, RetrievalLists
from tapviz.measures import (
    PerQuery,
    average_precision,
    bpref,
    ipr_auc,
    r_precision,
    reciprocal_rank,
)
from tapviz.measures.precision_recall import RECALL_GRID, interpolated_at
from tapviz.readers.condensed import as_column
from tapviz.reported import MANY

RECORDS, PER_QUERY, LAST = "records.arrow", "queries.arrow", "last.arrow"
ERRORS, COUNTS = "errors.npy", "counts.json"
COUNTED = (
    "rows_read",
    "hits_kept",
    "collapsed",
    "self_hits",
    "ignored",
    "unlabelled_ignored",
    "rows_left_out",
    "relevant",
    "irrelevant",
    "unlabelled_hits",
    "empty_lists",
)
"""What is added up of the reports of all buckets."""

WHOLE: tuple[Callable[[RetrievalLists], PerQuery], ...] = (
    average_precision,
    bpref,
    ipr_auc,
    r_precision,
    reciprocal_rank,
)
"""Measures of a query that ask for its whole list, computed before it is cut."""
INTERPOLATED = "interpolated"
"""And precision at each level of recall."""
MOST_CURVES = 100_000
"""Queries of which that is kept: it takes about 1 kB for each."""


class Bucket(NamedTuple):
    """Retrieval lists of some queries, whole."""

    lists: RetrievalLists
    counts: dict[str, int]
    last: pa.Table
    """Hits that tell where lists end: of each query the last one, and the last of all."""


def judged(
    file: str,
    parts: Sequence[Path],
    bucket: int,
    n_buckets: int,
    queries: Sequence[str],
    complete: Sequence[bool],
    labels: Labels,
    direction: Direction,
) -> Bucket:
    """Join the rows of a bucket with the labels, as those of a whole file are.

    Parameters
    ----------
    file : str
        What messages call the hits.
    parts : sequence of Path
        Folders of the parts, in the order of files and lines.
    bucket, n_buckets : int
    queries : sequence of str
        The queries of the bucket that get a list, in their order.
    complete : sequence of bool
        Which of their lists hold all records of the database.
    labels : Labels
    direction : {"ascending", "descending"}
    """
    batches = [one for part in parts for one in rows_of(part, bucket, n_buckets)]
    if batches:
        rows = pa.Table.from_batches(batches)
        del batches
        query_id, query = _coded(rows["query"])
        record_id, record = _coded(rows["record"])
        score = rows["score"].to_numpy()
        relevant = rows["relevant"].to_numpy() if "relevant" in rows.column_names else None
        del rows
    else:
        query_id, record_id = [], []
        query = record = np.empty(0, np.int32)
        score, relevant = np.empty(0), None
    hits = Hits(
        file, query_id, record_id, query, record, score, direction, relevant, complete=False
    )
    lists = labels.lists(hits, list(queries))
    report = lists.join_report
    counts = {name: getattr(report, name) for name in COUNTED}
    rules = rules_of(labels)
    place = {name: at for at, name in enumerate(queries)}
    row = np.array([place.get(name, -1) for name in normalise(query_id, rules)], np.int64)
    return Bucket(lists, counts, _last(row[query] if query.size else query, score, complete, lists))


def rules_of(labels: Labels) -> tuple[str, ...]:
    """Rules by which ids are made alike."""
    rules: tuple[str, ...] = getattr(getattr(labels, "rules", None), "normalise", ())
    return rules


def _last(
    row: NDArray[np.integer],
    score: NDArray[np.float64],
    complete: Sequence[bool],
    lists: RetrievalLists,
) -> pa.Table:
    """Hits from which `list_ends` tells the same as from all of them.

    That is the last hit of each query; and the last ones of all lists that may have been cut, of
    which it matters whether so many are near the end.
    """
    place, key = row[row >= 0], lists.sign * score[row >= 0]
    worst = np.full(lists.n_queries, -np.inf)
    np.maximum.at(worst, place, key)
    at = np.flatnonzero(key == worst[place])
    at = at[np.unique(place[at], return_index=True)[1]]
    among = np.flatnonzero(~np.array([*complete, False], np.bool_)[place])
    if among.size > MANY:
        among = among[np.argpartition(key[among], -MANY)[-MANY:]]
    at = np.union1d(at, among)
    return pa.table(
        {"query": lists.query[place[at]].tolist(), "score": lists.sign * key[at]},
        schema=pa.schema([("query", pa.string()), ("score", pa.float64())]),
    )


def _coded(column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int32]]:
    """Distinct texts as they appear, and which one each row has."""
    coded = column.dictionary_encode().unify_dictionaries()
    codes = np.concatenate([part.indices.to_numpy() for part in coded.chunks])
    return coded.chunk(0).dictionary.to_pylist(), codes


def errors_of(lists: RetrievalLists, most: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Scores of the first `most` irrelevant records of each query, and where each query's begin."""
    total = np.concatenate([[0], np.cumsum(~lists.relevant)])
    start = total[lists.offset[:-1]]
    count = np.minimum(total[lists.offset[1:]] - start, most)
    offset = np.concatenate([[0], np.cumsum(count)])
    within = np.arange(offset[-1]) - np.repeat(offset[:-1], count)
    at = np.flatnonzero(~lists.relevant)[np.repeat(start, count) + within]
    return lists.score[at], offset


def make(bucket: Bucket, most: int, target: Path) -> None:
    """Write the whole lists of a bucket, their first errors, and what is computed of them whole."""
    if is_whole(target):
        return
    lists = bucket.lists
    with new_folder(target) as folder:
        errors, offset = errors_of(lists, most)
        np.save(folder / ERRORS, errors)
        record = lists.record if lists.record is not None else np.full(lists.score.size, None)
        write_table(
            pa.table(
                {
                    "record": pa.array(record, pa.string()).dictionary_encode(),
                    "score": lists.score,
                    "relevant": lists.relevant,
                }
            ),
            folder / RECORDS,
        )
        columns: dict[str, Any] = {
            "query": pa.array(lists.query.tolist(), pa.string()),
            "length": np.diff(lists.offset),
            "n_relevant": lists.n_relevant,
            "n_errors": np.diff(offset),
            "found": _found(lists),
        }
        if lists.query_class is not None:
            columns["class"] = pa.array(lists.query_class.tolist(), pa.string())
        if lists.n_irrelevant is not None:
            columns["n_irrelevant"] = lists.n_irrelevant
        columns |= {one.__name__: one(lists).per_query for one in WHOLE}
        curves = interpolated_at(lists, tuple(RECALL_GRID.tolist()), "exact")
        columns[INTERPOLATED] = as_column(curves)
        told = {"class_level": lists.class_level, "graded": _is_graded(lists)}
        table = pa.table(columns).replace_schema_metadata({"told": json.dumps(told)})
        write_table(table, folder / PER_QUERY)
        write_table(bucket.last, folder / LAST)
        (folder / COUNTS).write_text(json.dumps(bucket.counts), encoding="utf-8")


def _found(lists: RetrievalLists) -> NDArray[np.int64]:
    """Relevant records in each whole list."""
    total = np.concatenate([[0], np.cumsum(lists.relevant)])
    return np.asarray(total[lists.offset[1:]] - total[lists.offset[:-1]])


def _is_graded(lists: RetrievalLists) -> bool:
    """Whether records have grades that tell more than which of them are relevant."""
    grades = lists.grades
    if grades is None:
        return False
    same = ((grades.record > 0) == lists.relevant).all() and not grades.total[:, 2:].any()
    return not (same and (grades.total[:, 1:].sum(axis=1) == lists.n_relevant).all())


def per_query(folder: Path) -> pa.Table:
    """What is known of each query of a bucket."""
    return read_table(folder / PER_QUERY)


def ends(folder: Path, e_keep: float, most: int, sign: int) -> NDArray[np.float64]:
    """Score up to which, inclusive, the list of each query of a bucket is kept; shape (Q,).

    The laxer one of E_keep and of the query's own last error asked for; infinite where the list
    has fewer errors, and is kept whole.
    """
    n_errors = per_query(folder)["n_errors"].to_numpy()
    errors = np.load(folder / ERRORS)
    end = np.full(n_errors.size, sign * np.inf)
    last = np.cumsum(n_errors)
    enough = n_errors == most
    end[enough] = errors[last[enough] - 1]
    kept: NDArray[np.float64] = sign * np.maximum(sign * end, sign * e_keep)
    return kept


def cut(folder: Path, e_keep: float, most: int, direction: Direction, target: Path) -> None:
    """Write of each list the records that are kept."""
    if is_whole(target):
        return
    sign = 1 if direction == "ascending" else -1
    length = per_query(folder)["length"].to_numpy()
    end = ends(folder, e_keep, most, sign)
    table = read_table(folder / RECORDS)
    score = table["score"].to_numpy()
    keep = sign * score <= np.repeat(sign * end, length)
    query = np.repeat(np.arange(length.size), length)
    kept = np.bincount(query[keep], minlength=length.size)
    with new_folder(target) as made:
        write_table(table.filter(pa.array(keep)), made / RECORDS)
        write_table(pa.table({"kept": kept}), made / PER_QUERY)


def records_of(folder: Path) -> pa.Table:
    """Records of a cut bucket, their ids as texts."""
    table = read_table(folder / RECORDS)
    at = table.column_names.index("record")
    return table.set_column(at, "record", pc.cast(table["record"], pa.string()))
