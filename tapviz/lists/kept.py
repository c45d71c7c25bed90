"""What lists may have besides records: grades, and what was kept of them; and a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tapviz.lists.checks import frozen

UNGRADED = -1
"""Grade of a record that nobody judged."""


class Grades(NamedTuple):
    """Grades of relevance, from 0; higher is better."""

    record: NDArray[np.int64]
    """Grade of each record, shape (N,); `UNGRADED` if nobody judged it."""
    total: NDArray[np.int64]
    """Records of the database of each grade from 0, for each query, shape (Q, G + 1)."""


class Kept(NamedTuple):
    """What is known of lists that were condensed: cut where nothing was asked any more."""

    e_keep: float
    """Score up to which all records of all lists were kept."""
    n_errors: int
    """Irrelevant records that were kept at least of each list that has so many."""
    length: NDArray[np.int64]
    """Records of each whole list, shape (Q,)."""
    found: NDArray[np.int64]
    """Relevant records among them, shape (Q,)."""
    values: Mapping[str, NDArray[np.float64]]
    """Of each query, by the names of the measures that ask for whole lists; each (Q,). And
    "interpolated", precision at each level of recall of `RECALL_GRID`, (Q, G)."""
    graded: bool = False
    """Whether records had grades, which are not kept."""

    def of(self, rows: NDArray[np.int64]) -> Kept:
        """The same of some queries."""
        values = _Rows(self.values, rows)
        length, found = frozen(self.length[rows]), frozen(self.found[rows])
        return self._replace(length=length, found=found, values=values)


@runtime_checkable
class Frame(Protocol):
    """A table of any library that speaks Arrow: pandas, polars, pyarrow, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the table through Arrow's PyCapsule interface."""


class _Rows(Mapping[str, NDArray[np.float64]]):
    """Values of some queries, copied when they are asked for: curves of all of them are large."""

    def __init__(self, values: Mapping[str, NDArray[np.float64]], rows: NDArray[np.int64]) -> None:
        self._values, self._rows = values, rows

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return frozen(self._values[name][self._rows])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[type[dict[str, NDArray[np.float64]]], tuple[object]]:
        """As they are, without the queries that are left out."""
        return dict, (dict(self),)
