"""What the readers hand to the labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import Direction


class Hits(NamedTuple):
    """What a search program found, as its file says it, before anybody says what is relevant.

    Attributes
    ----------
    file : str
        Where the hits were read.
    query_id : list of str, length Q
        Ids of the queries the file names, also those without hits.
    record_id : list of str, length R
        Ids of the records found.
    query, record : ndarray of int, shape (N,)
        Place in `query_id` and in `record_id` of each hit, in the order of the file.
    score : ndarray of float64, shape (N,)
        E-value or score of each hit as read.
    bits : ndarray of float64, shape (N,), or None
        Bit score of each hit, where the file has it besides.
    direction : {"ascending", "descending"}
        Whether small scores are good.
    relevant : ndarray of bool, shape (N,), or None
        What the file itself says of each hit, where it does.
    """

    file: str
    query_id: list[str]
    record_id: list[str]
    query: NDArray[np.integer]
    record: NDArray[np.integer]
    score: NDArray[np.float64]
    bits: NDArray[np.float64] | None = None
    direction: Direction = "ascending"
    relevant: NDArray[np.bool_] | None = None
