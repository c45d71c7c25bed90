"""Condensed data sets as folders, written whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tapviz.condensing import buckets
from tapviz.condensing.folder import new_folder
from tapviz.condensing.stored import read_table
from tapviz.lists import Direction, Kept, RetrievalLists
from tapviz.lists.reported import Ends
from tapviz.readers import write_parquet
from tapviz.readers.parquet import ABOUT, LISTS, values_of


def write_condensed(
    target: Path,
    whole: Sequence[Path],
    cuts: Sequence[Path],
    queries: Sequence[str],
    *,
    direction: Direction,
    e_keep: float,
    n_errors: int,
    ends: Ends,
    about: dict[str, Any],
) -> RetrievalLists:
    """Put the cut buckets together, in the order of the queries.

    Parameters
    ----------
    target : Path
        The folder that is made.
    whole, cuts : sequence of Path
        Folders of the buckets, and of what was kept of them.
    queries : sequence of str
    direction : {"ascending", "descending"}
    e_keep, n_errors
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
    tables = [buckets.per_query(one) for one in whole]
    kept = [read_table(one / buckets.PER_QUERY) for one in cuts]
    each = pa.concat_tables(
        [table.append_column("kept", one["kept"]) for table, one in zip(tables, kept, strict=True)],
        promote_options="default",
    )
    place = {query: at for at, query in enumerate(each["query"].to_pylist())}
    order = np.array([place[query] for query in queries], np.int64)
    counts = each["kept"].to_numpy()
    start = np.concatenate([[0], np.cumsum(counts)])[:-1]
    records = pa.concat_tables([read_table(one / buckets.RECORDS) for one in cuts])
    length = counts[order]
    offset = np.concatenate([[0], np.cumsum(length)])
    at = np.arange(offset[-1]) + np.repeat(start[order] - offset[:-1], length)
    records = records.unify_dictionaries().combine_chunks().take(pa.array(at))
    coded = records["record"].combine_chunks()
    ids = np.array([*coded.dictionary.to_pylist(), None], np.object_)  # -1: no id
    each = each.take(pa.array(order)).combine_chunks()
    told = [json.loads(table.schema.metadata[b"told"]) for table in tables]
    reports = [json.loads((one / buckets.COUNTS).read_text(encoding="utf-8")) for one in whole]
    about["counts"] = {name: sum(one[name] for one in reports) for name in buckets.COUNTED}
    known = {"class", "n_irrelevant"} & set(each.column_names)
    names = [one.__name__ for one in buckets.WHOLE]
    if len(queries) <= buckets.MOST_CURVES:
        names.append(buckets.INTERPOLATED)
    lists = RetrievalLists(
        score=records["score"].to_numpy(),
        relevant=records["relevant"].to_numpy(),
        offset=offset,
        n_relevant=each["n_relevant"].to_numpy(),
        query=each["query"].to_pylist(),
        direction=direction,
        record=ids[coded.indices.fill_null(-1).to_numpy()],
        query_class=each["class"].to_pylist() if "class" in known else None,
        n_irrelevant=each["n_irrelevant"].to_numpy()
        if "n_irrelevant" in known and not each["n_irrelevant"].null_count
        else None,
        class_level=told[0]["class_level"] if told else None,
        reported_to=ends.reported_to,
        reported_how=ends.how,
        kept=Kept(
            e_keep,
            n_errors,
            each["length"].to_numpy(),
            each["found"].to_numpy(),
            {name: values_of(each[name]) for name in names},
            graded=any(one["graded"] for one in told),
        ),
    )
    with new_folder(target) as folder:
        write_parquet(lists, folder / LISTS)
        (folder / ABOUT).write_text(json.dumps(about, indent=1), encoding="utf-8")
    return lists
