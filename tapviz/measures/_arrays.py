"""Arrays: short names of their types, ratios, sums and means over queries."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["mean_defined"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
F = TypeVar("F", np.float32, np.float64)
ALONE, LONG = 2**18, 2**28
"""Multiplications of a matrix product up to which BLAS starts no threads, and from which they pay.

Between the two they would wait for more work so busily that they take 20 times as long as the work.
"""


def sum_by_query(
    query: NDArray[np.integer], values: NDArray[np.floating], n_queries: int
) -> Floats:
    """Sum of the values of each query, shape (Q,); 0 where it has none."""
    # Of no records at all, `bincount` would count whole numbers.
    return np.bincount(query, values, minlength=n_queries).astype(np.float64, copy=False)


def ratio(
    part: NDArray[np.number], whole: NDArray[np.number], otherwise: float | Floats = np.nan
) -> Floats:
    """Their ratio, and something else where the whole is 0."""
    shape = np.broadcast_shapes(part.shape, whole.shape)
    result = np.full_like(part, otherwise, np.float64, shape=shape)  # in the same order of memory
    np.divide(part, whole, out=result, where=whole > 0)
    return result


def product_of(rows: NDArray[F], columns: NDArray[F]) -> NDArray[F]:
    """Product of two matrices: unless it is long, as many rows at a time as need no threads."""
    some = max(ALONE // max(columns.size, 1), 1)
    step = len(rows) if len(rows) * columns.size > LONG else some
    parts = [rows[start : start + step] @ columns for start in range(0, len(rows), step)]
    return np.concatenate(parts or [rows @ columns])


def weighted_mean(values: Floats, weight: Floats) -> float:
    """Mean over queries; NaN where there are none."""
    total = weight.sum()
    # Not by BLAS, whose sums depend on the number of cores, and whose threads wait for busy ones.
    return float((values * weight).sum() / total) if total > 0 else float("nan")


def mean_defined(values: Floats, weight: Floats) -> float:
    """Weighted mean over the queries whose value is not NaN; NaN if there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import mean_defined
    >>> mean_defined(np.array([1.0, np.nan, 4.0]), np.array([2.0, 1.0, 1.0]))
    2.0
    """
    use = ~np.isnan(values)
    return weighted_mean(values[use], weight[use])
