"""Buckets of rows become retrieval lists, cut where nothing is asked of them any more."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.condensing import inputs, stored
from tapviz.condensing.parts import rules_of
from tapviz.labels.ids import normalise
from tapviz.lists import Kept, RetrievalLists, checks, reported
from tapviz.measures import average_precision, bpref, ipr_auc, r_precision, reciprocal_rank
from tapviz.measures.precision_recall import RECALL_GRID, interpolated_at
from tapviz.readers import parquet, write_parquet

RECORDS, PER_QUERY, LAST, ERRORS = "records.arrow", "queries.arrow", "last.arrow", "errors.npy"
COUNTED = (
    "rows_read", "hits_kept", "collapsed", "self_hits", "ignored", "unlabelled_ignored",
    "rows_left_out", "relevant", "irrelevant", "unlabelled_hits", "empty_lists",
)  # fmt: skip
"""What is added up of the reports of all buckets."""

WHOLE = average_precision, bpref, ipr_auc, r_precision, reciprocal_rank
"""Measures of a query that ask for its whole list, computed before it is cut."""
INTERPOLATED = "interpolated"
"""And precision at each level of recall."""
MOST_CURVES = 100_000
"""Queries of which that is kept: it takes about 1 kB for each."""


def folders(work: Path, step: str, numbers: Sequence[int]) -> list[Path]:
    """Folders of parts, buckets or cuts in that of the work."""
    return [work / step / str(number) for number in numbers]


def rows_in(
    work: Path, bucket: int, ends: Callable[[Sequence[str]], NDArray[np.float64]] | None = None
) -> stored.Rows:
    """Rows of a bucket that all parts hold, in the order of files and lines.

    Parameters
    ----------
    work : Path
    bucket : int
    ends : callable, optional
        Of the ids of some queries, the scores up to which their rows are kept. Default: all are.
    """
    plan, _ = inputs.plan_in(work)
    ids = inputs.ids_in(work)
    parts = folders(work, "parts", range(len(plan.parts)))
    held = [(at, rows) for at, part in enumerate(parts) for rows in stored.rows_of(part, bucket)]
    of_query = _joined([ids.query[at][rows.query] for at, rows in held], np.int32)
    own, place = np.unique(of_query, return_inverse=True)
    query_id: list[str] = ids.query_id.take(pa.array(own)).to_pylist()
    end = None if ends is None else plan.sign * ends(query_id)[place]
    length, record, score, relevant = [], [], [], []
    first = 0
    for at, rows in held:
        some: slice | NDArray[np.bool_] = slice(None)
        runs = rows.length
        if end is not None:
            last = end[first : first + runs.size]
            some = _rising(rows.score, plan.sign) <= np.repeat(last, runs)
            start = np.cumsum(runs) - runs
            runs = np.add.reduceat(some, start, dtype=np.int64) if runs.size else runs
        first += rows.length.size
        length.append(runs)
        score.append(rows.score[some])
        record.append(ids.record[at][rows.record[some]])
        if rows.relevant is not None:
            relevant.append(rows.relevant[some])
    records, record_id = _joined(record, np.int32), ids.record_id
    if records.size < len(record_id) or end is not None:
        used, records = np.unique(records, return_inverse=True)
        record_id = record_id.take(pa.array(used))
    of_runs = place.astype(np.int32), _joined(length, np.int64)
    of_rows = records.astype(np.int32, copy=False), _joined(score, np.float64)
    found = _joined(relevant, np.bool_) if relevant else None
    return stored.Rows(query_id, record_id.to_pylist(), *of_runs, *of_rows, relevant=found)


def _rising(score: NDArray[np.float64], sign: int) -> NDArray[np.float64]:
    """Numbers of which small ones are better; the same ones, if they are."""
    return score if sign == 1 else -score


def _joined(arrays: list[NDArray[stored.Kind]], kind: type[stored.Kind]) -> NDArray[stored.Kind]:
    """Arrays behind one another; they are given away."""
    whole = np.concatenate([np.zeros(0, kind), *arrays])
    arrays.clear()
    return whole


def judge(work: Path, bucket: int, queries: Sequence[str], complete: Sequence[bool]) -> None:
    """Write what is known of the whole lists of a bucket: first errors, and numbers of each query.

    Parameters
    ----------
    work : Path
    bucket : int
    queries : sequence of str
        The queries of the bucket that get a list, in their order.
    complete : sequence of bool
        Which of their lists hold all records of the database.
    """
    (target,) = folders(work, "buckets", [bucket])
    if stored.is_whole(target):
        return
    plan, labels = inputs.plan_in(work)
    rows = rows_in(work, bucket)
    lists = labels.lists(rows.hits(plan.name, plan.direction, named=False), list(queries))
    told = {
        "class_level": lists.class_level,
        "graded": _is_graded(lists),
        "counts": {name: getattr(lists.join_report, name) for name in COUNTED},
    }
    with stored.new_folder(target) as folder:
        errors, offset = errors_of(lists, plan.most)
        np.save(folder / ERRORS, errors)
        columns = {
            "query": pa.array(lists.query.tolist(), pa.string()),
            "length": np.diff(lists.offset),
            "n_relevant": lists.n_relevant,
            "n_errors": np.diff(offset),
            "found": checks.retrieved(lists.relevant, lists.offset),
        }
        if lists.query_class is not None:
            columns["class"] = pa.array(lists.query_class.tolist(), pa.string())
        if lists.n_irrelevant is not None:
            columns["n_irrelevant"] = lists.n_irrelevant
        columns |= {measure.__name__: measure(lists).per_query for measure in WHOLE}
        curves = interpolated_at(lists, tuple(RECALL_GRID.tolist()), "exact")
        columns[INTERPOLATED] = parquet.as_column(curves)
        stored.write_table(columns, folder / PER_QUERY, told)
        row = checks.places(queries, normalise(rows.query_id, rules_of(labels)))
        last = _last(row[rows.query] if rows.query.size else rows.query, rows, complete, lists)
        stored.write_table(last, folder / LAST)


def _last(
    row: NDArray[np.integer], rows: stored.Rows, complete: Sequence[bool], lists: RetrievalLists
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
    outer = np.sort(last[cut])[-reported.MANY :]
    among = np.flatnonzero(key >= (outer[0] if outer.size == reported.MANY else -np.inf))
    among = among[cut[np.searchsorted(start, among, side="right") - 1]]
    if among.size > reported.MANY:
        among = among[np.argpartition(key[among], -reported.MANY)[-reported.MANY :]]
    at = np.union1d(at, among)
    place = row[np.searchsorted(start, at, side="right") - 1]
    return pa.table(
        {"query": lists.query[place].tolist(), "score": lists.sign * key[at]},
        schema=pa.schema([("query", pa.string()), ("score", pa.float64())]),
    )


def errors_of(lists: RetrievalLists, most: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Scores of the first `most` irrelevant records of each query, and where each query's begin."""
    errors = np.flatnonzero(~lists.relevant)
    start = np.searchsorted(errors, lists.offset)
    at, ends = checks.in_runs(start[:-1], np.minimum(np.diff(start), most))
    return lists.score[errors[at]], ends


def _is_graded(lists: RetrievalLists) -> bool:
    """Whether records have grades that tell more than which of them are relevant."""
    grades = lists.grades
    if grades is None:
        return False
    same = ((grades.record > 0) == lists.relevant).all() and not grades.total[:, 2:].any()
    return not (same and (grades.total[:, 1:].sum(axis=1) == lists.n_relevant).all())


def per_query(folder: Path) -> pa.Table:
    """What is known of each query of a bucket."""
    return stored.read_table(folder / PER_QUERY)


def _kept_to(folder: Path, plan: inputs.Plan, e_keep: float) -> NDArray[np.float64]:
    """Score up to which, inclusive, the list of each query of a bucket is kept; shape (Q,).

    The laxer one of E_keep and of the query's own last error asked for; infinite where the list
    has fewer errors, and is kept whole.
    """
    n_errors = per_query(folder)["n_errors"].to_numpy()
    errors = np.load(folder / ERRORS)
    end = np.full(n_errors.size, np.inf)
    enough = n_errors == plan.most
    end[enough] = plan.sign * errors[np.cumsum(n_errors)[enough] - 1]
    return plan.sign * np.maximum(end, plan.sign * e_keep)


def cut(work: Path, bucket: int, e_keep: float) -> None:
    """Write of each list of a bucket the records that are kept.

    Rows that end behind are left out before the lists are made: the best hit on a record that is
    kept is not among them.
    """
    (target,), (folder,) = folders(work, "cuts", [bucket]), folders(work, "buckets", [bucket])
    if stored.is_whole(target):
        return
    plan, labels = inputs.plan_in(work)
    rules = rules_of(labels)
    queries = per_query(folder)["query"].to_pylist()
    # A hit of no query is kept by no threshold.
    end = np.append(_kept_to(folder, plan, e_keep), -plan.sign * np.inf)
    rows = rows_in(work, bucket, lambda ids: end[checks.places(queries, normalise(ids, rules))])
    lists = labels.lists(rows.hits(plan.name, plan.direction, named=True), queries)
    record = lists.record if lists.record is not None else np.full(lists.score.size, None)
    with stored.new_folder(target) as made:
        ids = pa.array(record, pa.string()).dictionary_encode()
        columns = {"record": ids, "score": lists.score, "relevant": lists.relevant}
        stored.write_table(columns, made / RECORDS)
        stored.write_table({"kept": np.diff(lists.offset)}, made / PER_QUERY)


def write_condensed(
    target: Path,
    work: Path,
    numbers: Sequence[int],
    queries: Sequence[str],
    e_keep: float,
    ends: reported.Ends,
    about: dict[str, object],
) -> RetrievalLists:
    """Put the cut buckets together, in the order of the queries.

    Parameters
    ----------
    target : Path
        The folder that is made.
    work : Path
    numbers : sequence of int
        The buckets that have queries.
    queries : sequence of str
    e_keep : float
        As in `Kept`.
    ends : Ends
        How far the lists go, in the order of the queries.
    about : dict
        What a person may want to know of the data set, in words of JSON.

    Returns
    -------
    RetrievalLists
        The lists, as they are read from there.
    """
    plan, _ = inputs.plan_in(work)
    tables = [per_query(folder) for folder in folders(work, "buckets", numbers)]
    cuts = folders(work, "cuts", numbers)
    told = [stored.told_of(table) for table in tables]
    whole = [
        table.append_column("kept", stored.read_table(folder / PER_QUERY)["kept"])
        for table, folder in zip(tables, cuts, strict=True)
    ]
    each = pa.concat_tables(whole, promote_options="default")
    order = checks.places(each["query"].to_pylist(), queries)
    counts = each["kept"].to_numpy()
    at, offset = checks.in_runs((np.cumsum(counts) - counts)[order], counts[order])
    records = pa.concat_tables([stored.read_table(folder / RECORDS) for folder in cuts])
    records = records.unify_dictionaries().combine_chunks().take(pa.array(at))
    coded = records["record"].combine_chunks()
    ids = np.array([*coded.dictionary.to_pylist(), None], np.object_)  # -1: no id
    each = each.take(pa.array(order)).combine_chunks()
    known = {name for name in each.column_names if not each[name].null_count}
    names = [measure.__name__ for measure in WHOLE]
    if len(queries) <= MOST_CURVES:
        names.append(INTERPOLATED)
    values = {name: parquet.values_of(each[name]) for name in names}
    lengths = each["length"].to_numpy(), each["found"].to_numpy()
    lists = RetrievalLists(
        score=records["score"].to_numpy(),
        relevant=records["relevant"].to_numpy(),
        offset=offset,
        n_relevant=each["n_relevant"].to_numpy(),
        query=each["query"].to_pylist(),
        direction=plan.direction,
        record=ids[coded.indices.fill_null(-1).to_numpy()],
        query_class=each["class"].to_pylist() if "class" in each.column_names else None,
        n_irrelevant=each["n_irrelevant"].to_numpy() if "n_irrelevant" in known else None,
        class_level=told[0]["class_level"] if told else None,
        reported_to=ends.reported_to,
        reported_how=ends.how,
        kept=Kept(e_keep, plan.most, *lengths, values, graded=any(of["graded"] for of in told)),
    )
    with stored.new_folder(target) as folder:
        write_parquet(lists, folder / parquet.LISTS)
        (folder / parquet.ABOUT).write_text(json.dumps(about, indent=1), encoding="utf-8")
    return lists
