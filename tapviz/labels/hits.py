"""Hits, which readers give to labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import Direction, ReportedHow


class Hits(NamedTuple):
    """The hits of a search program as its file gives them, before they are judged by labels.

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
    direction : {"ascending", "descending"}
        Whether small or large scores are better.
    relevant : ndarray of bool, shape (N,), or None
        Whether the file itself calls each hit relevant, where it does.
    complete : bool
        Whether these are all hits of the file. Of some of them it means nothing that they have no
        id in common with the labels, nor where they end.
    named : bool
        Whether the lists that are made of them are to have the ids of the records.
    n_skipped : int
        Rows of the file that could not be read and were left out.
    reported_to : float, optional
        Score up to which the program reported hits, where somebody or the file says so.
    reported_how : {"said", "header"}
        Who says so.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import ClassTable
    >>> from tapviz.labels import Hits
    >>> scores = np.array([1e-9, 2.0])
    >>> hits = Hits("mine", ["d1"], ["d2", "d3"], np.array([0, 0]), np.array([0, 1]), scores)
    >>> table = ClassTable({"d1": "a.1.1", "d2": "a.1.1", "d3": "b.1.1"})
    >>> table.lists(hits).relevant
    array([ True, False])
    """

    file: str
    query_id: list[str]
    record_id: list[str]
    query: NDArray[np.integer]
    record: NDArray[np.integer]
    score: NDArray[np.float64]
    direction: Direction = "ascending"
    relevant: NDArray[np.bool_] | None = None
    complete: bool = True
    named: bool = True
    n_skipped: int = 0
    reported_to: float | None = None
    reported_how: ReportedHow = "said"
