"""A whole ranked list in one strip: relevant records up, irrelevant ones down."""

from __future__ import annotations

import numpy as np

from tapviz.lists.checks import Bools, Floats, Ints
from tapviz.plots.columns import Columns, some

MOST_BARS = 240
"""About as many bars as a narrow strip has pixels."""


def columns(relevant: Bools, most: int = MOST_BARS) -> dict[str, Columns]:
    """Layers of the strip: a bar for each record, or for several neighbours of a long list.

    Parameters
    ----------
    relevant : ndarray of bool, shape (n,)
        The list, best first.
    most : int
        Bars, at most.

    Returns
    -------
    dict of str to dict
        "relevant" and "irrelevant" (x0, y0, x1, y1): x in ranks, bar i of record i from i - 1 to
        i; y from 0 to the share of its records that are relevant, or down to minus the share of
        those that are not. Bars of height 0 are left out.
    """
    edge, share = shares(relevant, most)
    found = {}
    for name, height in (("relevant", share), ("irrelevant", share - 1)):
        bars = {"x0": edge[:-1], "y0": np.zeros(height.size), "x1": edge[1:], "y1": height}
        found[name] = some(bars, height != 0)
    return found


def shares(relevant: Bools, most: int = MOST_BARS) -> tuple[Ints, Floats]:
    """Edges of the bars, in ranks, and the share of relevant records in each.

    Parameters
    ----------
    relevant, most
        As in `columns`.
    """
    ends = np.linspace(0, relevant.size, min(relevant.size, most) + 1)
    edge = np.unique(ends.round().astype(np.int64))
    n_found = np.concatenate([[0], np.cumsum(relevant)])[edge]
    return edge, np.diff(n_found) / np.maximum(np.diff(edge), 1)
