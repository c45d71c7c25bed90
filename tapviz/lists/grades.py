"""Grades of relevance, where labels have more than relevant and irrelevant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

UNGRADED = -1
"""Grade of a record that nobody judged."""


class Grades(NamedTuple):
    """Grades of relevance, from 0; higher is better."""

    record: NDArray[np.int64]
    """Grade of each record, shape (N,); `UNGRADED` if nobody judged it."""
    total: NDArray[np.int64]
    """Records of the database of each grade from 0, for each query, shape (Q, G + 1)."""
