"""What the page must show, from the measures themselves."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from tapviz import load_results
from tapviz.draw.scale import ThresholdAxis
from tapviz.lists import RetrievalLists
from tapviz.measures import (
    average_precision,
    errors_per_query,
    ipr_auc,
    pooled_roc_n,
    roc_n,
    tap,
    tap_curve,
    tap_k,
)
from tapviz.scores import SCORES

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
    at = tap_k(lists, k=k, quantile=quantile, short_lists="error")
    assert not at.reason
    return _at(lists, at.value, at.e0)


def by_threshold(lists: RetrievalLists, e0: float) -> At:
    return _at(lists, tap(lists, e0).value, e0)


def _at(lists: RetrievalLists, value: float, e0: float) -> At:
    errors = np.sort(errors_per_query(lists, e0))[::-1]  # half of the queries have this many
    return At(value, e0, float(errors[(errors.size + 1) // 2 - 1]), float(errors.mean()))


def cells(lists: RetrievalLists, at: At, n: int = 50) -> list[str]:
    """Cells of a row of the score table."""
    return _texts(
        {"tap": at.tap, "threshold": at.e0, "median_epq": at.median, "mean_epq": at.mean}
    ) + rest(lists, n)


def rest(lists: RetrievalLists, n: int = 50) -> list[str]:
    """The cells that no choice of a threshold changes."""
    curve = tap_curve(lists)
    return _texts(
        {
            "peak_tap": curve.peak_tap,
            "peak_threshold": curve.peak_threshold,
            "roc_n": float(np.nanmean(roc_n(lists, n=n).per_query)),
            "pooled_roc_n": pooled_roc_n(lists, n=n),
            "mean_average_precision": average_precision(lists).value,
            "auc_ipr": ipr_auc(lists).value,
        }
    )


def _texts(values: dict[str, float]) -> list[str]:
    """Numbers as the table writes them, in its order."""
    shown = [
        score for score in SCORES if score.name in values and score.in_tables and score.compact
    ]
    return [score.text(values[score.name]) for score in shown]
