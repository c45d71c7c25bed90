"""Condensed lists in a Parquet file: what is known of the whole ones travels beside the table."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.files.problems import ReadError, problem
from tapviz.lists import Kept, RetrievalLists

LISTS, ABOUT = "lists.parquet", "condensed.json"
"""Files of the folder that `tapviz condense` makes."""


def lists_in(path: Any) -> Path | None:
    """The file of lists in the folder of a condensed data set; None if it is no such folder."""
    if not isinstance(path, (str, os.PathLike)) or not (Path(path) / ABOUT).is_file():
        return None
    return Path(path) / LISTS


def kept_bytes(lists: RetrievalLists) -> bytes:
    """What is known of condensed lists besides their records."""
    kept = lists.kept
    if kept is None:
        msg = "these lists were not condensed"
        raise ValueError(msg)
    columns = {"query": pa.array(lists.query.tolist(), pa.string()), "length": kept.length}
    columns["found"] = kept.found
    columns |= {name: as_column(values) for name, values in kept.values.items()}
    told = {
        "e_keep": kept.e_keep,
        "n_errors": kept.n_errors,
        "graded": kept.graded,
        "class_level": lists.class_level,
    }
    table = pa.table(columns).replace_schema_metadata({"tapviz": json.dumps(told)})
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def as_column(values: NDArray[Any]) -> pa.Array:
    """Values of each query, one or several, as a column of Arrow."""
    if values.ndim == 1:
        return pa.array(values)
    return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])


def with_kept(lists: RetrievalLists, told: bytes, file: str) -> RetrievalLists:
    """Lists that know what was kept of them, by what `kept_bytes` wrote.

    Raises
    ------
    ReadError
        If that does not belong to these lists.
    """
    try:
        table = pa.ipc.open_stream(told).read_all().combine_chunks()
        known = json.loads(table.schema.metadata[b"tapviz"])
        if table["query"].to_pylist() != lists.query.tolist():
            raise _damaged(file)
        values = {
            name: values_of(table[name])
            for name in table.column_names
            if name not in ("query", "length", "found")
        }
        length, found = table["length"].to_numpy(), table["found"].to_numpy()
        if (length < np.diff(lists.offset)).any():
            raise _damaged(file)
        e_keep, n_errors = float(known["e_keep"]), int(known["n_errors"])
        kept = Kept(e_keep, n_errors, length, found, values, bool(known["graded"]))
        return lists.replaced(kept=kept, class_level=known["class_level"])
    except (pa.ArrowException, KeyError, TypeError, ValueError, OSError) as error:
        if isinstance(error, ReadError):
            raise
        raise _damaged(file) from None


def values_of(column: pa.ChunkedArray) -> NDArray[Any]:
    """Values that `as_column` made a column of."""
    if not pa.types.is_fixed_size_list(column.type):
        values: NDArray[Any] = column.to_numpy()
        return values
    width = column.type.list_size
    flat: NDArray[Any] = np.concatenate([np.zeros(0), *(c.flatten() for c in column.chunks)])
    return flat.reshape(-1, width)


def _damaged(file: str) -> ReadError:
    message = "what was noted when these lists were condensed is damaged; condense the files again"
    return ReadError([problem("Encoding", file, None, "", message)])
