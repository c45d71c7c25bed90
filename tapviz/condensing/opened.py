"""Condensed data sets as folders: written whole, and read as retrieval lists."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tapviz.condensing import buckets
from tapviz.condensing.folder import new_folder
from tapviz.condensing.parts import read_table
from tapviz.lists import Direction, RetrievalLists
from tapviz.readers import read, write_parquet

LISTS, QUERIES, KEPT = "lists.parquet", "queries.parquet", "condensed.json"


def is_condensed(path: str | os.PathLike[str]) -> bool:
    """Whether a path is the folder of a condensed data set."""
    return (Path(path) / KEPT).is_file()


def write_condensed(
    target: Path,
    whole: Sequence[Path],
    cuts: Sequence[Path],
    queries: Sequence[str],
    *,
    direction: Direction,
    kept: dict[str, Any],
) -> RetrievalLists:
    """Put the cut buckets together, in the order of the queries."""
    tables = [buckets.per_query(one) for one in whole]
    ends = [read_table(one / buckets.PER_QUERY) for one in cuts]
    each = pa.concat_tables(
        [
            table.append_column("kept", one["kept"]).append_column("end", one["end"])
            for table, one in zip(tables, ends, strict=True)
        ],
        promote_options="default",
    )
    place = {query: at for at, query in enumerate(each["query"].to_pylist())}
    order = np.array([place[query] for query in queries], np.int64)
    counts = each["kept"].to_numpy()
    start = np.concatenate([[0], np.cumsum(counts)])[:-1]
    records = pa.concat_tables([buckets.records_of(one) for one in cuts])
    length = counts[order]
    offset = np.concatenate([[0], np.cumsum(length)])
    at = np.arange(offset[-1]) + np.repeat(start[order] - offset[:-1], length)
    records = records.take(pa.array(at)).combine_chunks()
    each = each.take(pa.array(order)).combine_chunks()
    level = (tables[0].schema.metadata or {}).get(b"class_level", b"").decode()
    reports = [json.loads((one / buckets.COUNTS).read_text(encoding="utf-8")) for one in whole]
    kept["counts"] = {name: sum(one[name] for one in reports) for name in buckets.COUNTED}
    kept["class_level"] = int(level) if level else None
    known = {"class", "n_irrelevant"} & set(each.column_names)
    lists = RetrievalLists(
        score=records["score"].to_numpy(),
        relevant=records["relevant"].to_numpy(),
        offset=offset,
        n_relevant=each["n_relevant"].to_numpy(),
        query=each["query"].to_pylist(),
        direction=direction,
        record=np.array(records["record"].to_pylist() or [None], np.object_)[: at.size],
        query_class=each["class"].to_pylist() if "class" in known else None,
        n_irrelevant=each["n_irrelevant"].to_numpy()
        if "n_irrelevant" in known and not each["n_irrelevant"].null_count
        else None,
    )
    with new_folder(target) as folder:
        write_parquet(lists, folder / LISTS)
        names = ["query", "length", "found", "end", *buckets.WHOLE]
        parquet.write_table(each.select(names), folder / QUERIES)
        (folder / KEPT).write_text(json.dumps(kept, indent=1), encoding="utf-8")
    return open_condensed(target)


def open_condensed(path: str | os.PathLike[str]) -> RetrievalLists:
    """Read a condensed data set."""
    return read(Path(path) / LISTS)
