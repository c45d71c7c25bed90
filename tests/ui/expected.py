"""What the page must show, from the measures themselves."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from tapviz import load_results
from tapviz.draw.scale import ThresholdAxis
from tapviz.lists import RetrievalLists
from tapviz.measures import errors_per_query, pooled_roc_n, roc_n, tap, tap_curve, tap_k
from tapviz.scores import named

FIVE = ["BLASTP", "SSEARCH", "PSI-BLAST", "jackhmmer", "MMseqs2_iter3"]


COMMON = 0.01
"""The E-value at which the table shows errors where the threshold is that of the median query."""


class At(NamedTuple):
    """Lists at a threshold."""

    tap: float
    e0: float
    median: float
    mean: float
    own: bool
    """Whether the table shows errors at this threshold, and not at a common one."""


@cache
def bench(name: str = "scope40") -> dict[str, RetrievalLists]:
    return load_results(name)


@cache
def axis(name: str = "scope40") -> ThresholdAxis:
    return ThresholdAxis.of([lists.score for lists in bench(name).values()], descending=False)


def by_errors(lists: RetrievalLists, k: int, quantile: float = 0.5) -> At:
    at = tap_k(lists, k=k, quantile=quantile, short_lists="error")
    assert not at.reason
    return _at(lists, at.value, at.e0, own=quantile != 0.5 or not _common(lists))


def by_threshold(lists: RetrievalLists, e0: float) -> At:
    return _at(lists, tap(lists, e0).value, e0, own=True)


def _common(lists: RetrievalLists) -> bool:
    """Whether E = 0.01 is among the E-values."""
    return lists.direction == "ascending" and lists.score.min() <= COMMON <= lists.score.max()


def _at(lists: RetrievalLists, value: float, e0: float, *, own: bool) -> At:
    errors = np.sort(errors_per_query(lists, e0))[::-1]  # half of the queries have this many
    median = float(errors[(errors.size + 1) // 2 - 1])
    return At(value, e0, median, float(errors.mean()), own)


def cells(lists: RetrievalLists, at: At, n: int = 50) -> list[str]:
    """Cells of a row of the score table."""
    errors = {"median_epq": at.median, "mean_epq": at.mean} if at.own else {}
    return _texts({"tap": at.tap, "threshold": at.e0, **errors}) + rest(lists, n, own=at.own)


def rest(lists: RetrievalLists, n: int = 50, *, own: bool = False) -> list[str]:
    """The cells that no choice of a threshold changes; of one's own with errors there."""
    curve, common = tap_curve(lists), {}
    if not own and _common(lists):
        errors = errors_per_query(lists, COMMON).mean()
        common = {"tap_at@0.01": tap(lists, COMMON).value, "errors_at@0.01": float(errors)}
    return _texts(
        {
            **common,
            "peak_tap": curve.peak_tap,
            "peak_threshold": curve.peak_threshold,
            "roc_n": float(np.nanmean(roc_n(lists, n=n).per_query)),
            "pooled_roc_n": pooled_roc_n(lists, n=n),
        }
    )


def _texts(values: dict[str, float]) -> list[str]:
    """Numbers as the table writes them."""
    return [named(name).text(value) for name, value in values.items()]
