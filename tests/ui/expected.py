"""What the page must show, from the measures themselves."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from tapviz import load_results
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import brief, number
from tapviz.lists import RetrievalLists
from tapviz.measures import errors_per_query, pooled_roc_n, roc_n, tap, tap_curve, tap_k

FIVE = ["BLASTP", "SSEARCH", "PSI-BLAST", "jackhmmer", "MMseqs2_iter3"]


class At(NamedTuple):
    """Lists at a threshold."""

    tap: float
    e0: float
    median: float
    mean: float


@cache
def bench(name: str = "scope40") -> dict[str, RetrievalLists]:
    return load_results(name)


@cache
def axis(name: str = "scope40") -> ThresholdAxis:
    return ThresholdAxis.of([lists.score for lists in bench(name).values()], descending=False)


def by_errors(lists: RetrievalLists, k: int, quantile: float = 0.5) -> At:
    at = tap_k(lists, k, quantile=quantile, short_lists="error")
    assert not at.reason
    return _at(lists, at.tap, at.e0)


def by_threshold(lists: RetrievalLists, e0: float) -> At:
    return _at(lists, tap(lists, e0).tap, e0)


def _at(lists: RetrievalLists, value: float, e0: float) -> At:
    errors = np.sort(errors_per_query(lists, e0))[::-1]  # half of the queries have this many
    return At(value, e0, float(errors[(errors.size + 1) // 2 - 1]), float(errors.mean()))


def cells(lists: RetrievalLists, at: At, n: int = 50) -> list[str]:
    """Cells of a row of the score table."""
    return [
        f"{at.tap:.3f}",
        brief(at.e0),
        f"{at.median:,.0f}",
        f"{at.mean:,.1f}" if at.mean >= 10 else number(at.mean),
        *rest(lists, n),
    ]


def rest(lists: RetrievalLists, n: int = 50) -> list[str]:
    """The cells that no choice of a threshold changes."""
    curve = tap_curve(lists)
    return [
        f"{curve.peak_tap:.3f}",
        brief(curve.peak_threshold),
        f"{np.nanmean(roc_n(lists, n)):.3f}",
        f"{pooled_roc_n(lists, n):.3f}",
    ]
