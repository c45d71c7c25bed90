"""The ids of all parts together: parts number those they hold, from 0, each for itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.condensing.folder import is_whole, new_folder
from tapviz.condensing.stored import QUERIES, RECORDS, read_table, write_table

PLACES = "places.npz"


class Ids(NamedTuple):
    """Ids of all parts, in the order of files and lines, and where those of each part are."""

    query_id: pa.Array
    record_id: pa.Array
    query: Sequence[NDArray[np.int32]]
    """Of each part, the places of its queries."""
    record: Sequence[NDArray[np.int32]]


def gather_ids(parts: Sequence[Path], target: Path) -> None:
    """Number the ids of all parts, and write that."""
    if is_whole(target):
        return
    found: dict[str, Any] = {}
    with new_folder(target) as folder:
        for file, name in ((QUERIES, "query"), (RECORDS, "record")):
            columns = [read_table(part / file)[name].combine_chunks() for part in parts]
            coded = pa.chunked_array(columns, pa.string()).dictionary_encode().unify_dictionaries()
            known = coded.chunk(0).dictionary if coded.num_chunks else pa.array([], pa.string())
            write_table(pa.table({name: known}), folder / file)
            codes = [np.zeros(0, np.int32), *(one.indices.to_numpy() for one in coded.chunks)]
            found[name] = np.concatenate(codes)
            found[f"{name}_ends"] = np.cumsum([len(column) for column in columns])
        np.savez(folder / PLACES, **found)


def read_ids(folder: Path) -> Ids:
    """Ids that `gather_ids` wrote."""
    places = np.load(folder / PLACES)
    query, record = (
        np.split(places[name], places[f"{name}_ends"][:-1]) for name in ("query", "record")
    )
    return Ids(
        read_table(folder / QUERIES)["query"].combine_chunks(),
        read_table(folder / RECORDS)["record"].combine_chunks(),
        query,
        record,
    )
