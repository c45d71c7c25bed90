"""Buckets of rows become retrieval lists, and these are cut where nothing is asked any more."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.condensing.folder import new_folder
from tapviz.condensing.ids import Ids
from tapviz.condensing.stored import read_table, rows_of, write_table
from tapviz.labels import Hits, Labels
from tapviz.labels.ids import normalise
from tapviz.lists import Direction, RetrievalLists
from tapviz.lists.reported import MANY
from tapviz.measures import (
    PerQuery,
    average_precision,
    bpref,
    ipr_auc,
    r_precision,
    reciprocal_rank,
)
from tapviz.measures.precision_recall import RECALL_GRID, interpolated_at
from tapviz.readers.parquet import as_column

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
    """The rows of some queries, by places among all ids, those of a query in runs."""

    query_id: list[str]
    query: NDArray[np.int32]
    """Place in `query_id` of each run of rows, and its length."""
    length: NDArray[np.int64]
    record_id: list[str]
    record: NDArray[np.int32]
    score: NDArray[np.float64]
    relevant: NDArray[np.bool_] | None

    def hits(self, file: str, direction: Direction, *, named: bool) -> Hits:
        """The rows as readers give them to labels."""
        return Hits(
            file,
            self.query_id,
            self.record_id,
            np.repeat(self.query, self.length),
            self.record,
            self.score,
            direction,
            self.relevant,
            complete=False,
            named=named,
        )


def bucket_in(
    parts: Sequence[Path],
    bucket: int,
    ids: Ids,
    ends: Callable[[Sequence[str]], NDArray[np.float64]] | None = None,
    sign: int = 1,
) -> Bucket:
    """The rows of a bucket that all parts hold, in the order of files and lines.

    Parameters
    ----------
    parts : sequence of Path
    bucket : int
    ids : Ids
    ends : callable, optional
        Of the ids of some queries, the scores up to which their rows are kept. Default: all are.
    sign : int
        1 if small scores are better, -1 if large ones are.
    """
    stored = [(at, one) for at, part in enumerate(parts) for one in rows_of(part, bucket)]
    places = _joined([ids.query[at][one.query] for at, one in stored], np.int32)
    own, place = np.unique(places, return_inverse=True)
    query_id: list[str] = ids.query_id.take(pa.array(own)).to_pylist()
    end = None if ends is None else sign * ends(query_id)[place]
    length, record, score, relevant = [], [], [], []
    first = 0
    for at, one in stored:
        some: Any = slice(None)
        runs = one.length
        if end is not None:
            last = end[first : first + runs.size]
            some = _rising(one.score, sign) <= np.repeat(last, runs)
            start = np.cumsum(runs) - runs
            runs = np.add.reduceat(some, start, dtype=np.int64) if runs.size else runs
        first += runs.size
        length.append(runs)
        score.append(one.score[some])
        record.append(ids.record[at][one.record[some]])
        if one.relevant is not None:
            relevant.append(one.relevant[some])
    records, record_id = _joined(record, np.int32), ids.record_id
    if records.size < len(record_id) or end is not None:
        used, records = np.unique(records, return_inverse=True)
        record_id = record_id.take(pa.array(used))
    return Bucket(
        query_id,
        place.astype(np.int32),
        _joined(length, np.int64),
        record_id.to_pylist(),
        records.astype(np.int32, copy=False),
        _joined(score, np.float64),
        _joined(relevant, np.bool_) if relevant else None,
    )


def _rising(score: NDArray[np.float64], sign: int) -> NDArray[np.float64]:
    """Numbers of which small ones are better; the same ones, if they are."""
    return score if sign == 1 else -score


def _joined(arrays: list[NDArray[Any]], kind: type) -> NDArray[Any]:
    """Arrays behind one another; they are given away."""
    whole = np.concatenate([np.zeros(0, kind), *arrays])
    arrays.clear()
    return whole


def judge(
    rows: Bucket,
    hits: Hits,
    queries: Sequence[str],
    complete: Sequence[bool],
    labels: Labels,
    most: int,
    target: Path,
) -> None:
    """Write what is known of the whole lists of a bucket: first errors, and numbers of each query.

    Parameters
    ----------
    rows : Bucket
    hits : Hits
        The same rows.
    queries : sequence of str
        The queries of the bucket that get a list, in their order.
    complete : sequence of bool
        Which of their lists hold all records of the database.
    labels : Labels
    most : int
        Errors of each query that are kept.
    target : Path
        The folder that is made.
    """
    lists = labels.lists(hits, list(queries))
    counts = {name: getattr(lists.join_report, name) for name in COUNTED}
    with new_folder(target) as folder:
        errors, offset = errors_of(lists, most)
        np.save(folder / ERRORS, errors)
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
        row = _rows_among(rows.query_id, queries, rules_of(labels))
        last = _last(row[rows.query] if rows.query.size else rows.query, rows, complete, lists)
        write_table(last, folder / LAST)
        (folder / COUNTS).write_text(json.dumps(counts), encoding="utf-8")


def _rows_among(
    ids: Sequence[str], queries: Sequence[str], rules: Sequence[str]
) -> NDArray[np.int64]:
    """Place of each id among the queries that get a list, -1 for none."""
    place = {name: at for at, name in enumerate(queries)}
    return np.array([place.get(name, -1) for name in normalise(ids, rules)], np.int64)


def rules_of(labels: Labels) -> tuple[str, ...]:
    """Rules by which ids are made alike."""
    rules: tuple[str, ...] = getattr(getattr(labels, "rules", None), "normalise", ())
    return rules


def _last(
    row: NDArray[np.integer], rows: Bucket, complete: Sequence[bool], lists: RetrievalLists
) -> pa.Table:
    """Hits from which `list_ends` tells the same as from all of them.

    That is the last hit of each query; and the last ones of all lists that may have been cut, of
    which it matters whether so many are near the end. `row` has the list of each run, or -1.
    """
    key = _rising(rows.score, lists.sign)
    start = np.cumsum(rows.length) - rows.length
    last = np.maximum.reduceat(key, start) if row.size else np.zeros(0)
    order = np.lexsort((-last, row))
    runs = order[np.unique(row[order], return_index=True)[1]]  # of each list the one that goes on
    runs = runs[row[runs] >= 0]
    at = start[runs] + rows.length[runs] - 1
    for run in np.flatnonzero(key[at] < last[runs]).tolist():  # whose last row is not the last hit
        own = slice(start[runs[run]], at[run] + 1)
        at[run] = own.start + key[own].argmax()
    cut = ~np.array([*complete, True], np.bool_)[row]
    # Each run has a hit as far out as its last one, so that none of those asked for is nearer.
    outer = np.sort(last[cut])[-MANY:]
    far = outer[0] if outer.size == MANY else -np.inf
    among = np.flatnonzero(key >= far)
    among = among[cut[np.searchsorted(start, among, side="right") - 1]]
    if among.size > MANY:
        among = among[np.argpartition(key[among], -MANY)[-MANY:]]
    at = np.union1d(at, among)
    place = row[np.searchsorted(start, at, side="right") - 1]
    return pa.table(
        {"query": lists.query[place].tolist(), "score": lists.sign * key[at]},
        schema=pa.schema([("query", pa.string()), ("score", pa.float64())]),
    )


def errors_of(lists: RetrievalLists, most: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Scores of the first `most` irrelevant records of each query, and where each query's begin."""
    # They are among as many records more than the relevant ones.
    length = np.minimum(np.diff(lists.offset), _found(lists) + most)
    offset = np.concatenate([[0], np.cumsum(length)])
    head = np.arange(offset[-1]) + np.repeat(lists.offset[:-1] - offset[:-1], length)
    irrelevant, score = ~lists.relevant[head], lists.score[head]
    total = np.concatenate([[0], np.cumsum(irrelevant)])
    start = total[offset[:-1]]
    count = np.minimum(total[offset[1:]] - start, most)
    ends = np.concatenate([[0], np.cumsum(count)])
    within = np.arange(ends[-1]) - np.repeat(ends[:-1], count)
    at = np.flatnonzero(irrelevant)[np.repeat(start, count) + within]
    return score[at], ends


def _found(lists: RetrievalLists) -> NDArray[np.int64]:
    """Relevant records in each whole list."""
    ends = np.searchsorted(np.flatnonzero(lists.relevant), lists.offset)
    return np.diff(ends).astype(np.int64)


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


def cut(
    read: Callable[[Callable[[Sequence[str]], NDArray[np.float64]], int], Bucket],
    file: str,
    folder: Path,
    labels: Labels,
    e_keep: float,
    most: int,
    direction: Direction,
    target: Path,
) -> None:
    """Write of each list the records that are kept.

    Rows that end behind are left out before the lists are made: the best hit on a record that is
    kept is not among them. `read` is `bucket_in` of the bucket, by its last two arguments.
    """
    sign = 1 if direction == "ascending" else -1
    queries = per_query(folder)["query"].to_pylist()
    # A hit of no query is kept by no threshold.
    end = np.append(ends(folder, e_keep, most, sign), -sign * np.inf)
    rows = read(lambda ids: end[_rows_among(ids, queries, rules_of(labels))], sign)
    lists = labels.lists(rows.hits(file, direction, named=True), queries)
    record = lists.record if lists.record is not None else np.full(lists.score.size, None)
    with new_folder(target) as made:
        table = pa.table(
            {
                "record": pa.array(record, pa.string()).dictionary_encode(),
                "score": lists.score,
                "relevant": lists.relevant,
            }
        )
        write_table(table, made / RECORDS)
        write_table(pa.table({"kept": np.diff(lists.offset)}), made / PER_QUERY)
