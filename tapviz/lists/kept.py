"""What is known of lists that were condensed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists.checks import frozen


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
        values = {name: frozen(each[rows]) for name, each in self.values.items()}
        length, found = frozen(self.length[rows]), frozen(self.found[rows])
        return self._replace(length=length, found=found, values=values)
