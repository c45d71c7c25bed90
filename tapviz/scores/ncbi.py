"""What the program TAP-k of PyPI prints."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tapviz.lists import RetrievalLists
from tapviz.measures import Tap, tap, tap_k, weigh
from tapviz.scores.pipeline import Policies

__all__ = ["ncbi_lines"]


def ncbi_lines(lists: RetrievalLists, policies: Policies) -> Iterator[str]:
    """What the program TAP-k of PyPI prints with ``-s``: two lines for each k, or each E_0.

    Raises
    ------
    ValueError
        At a k that too few lists have errors for, with that program's words.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, ncbi_lines
    >>> _, line = ncbi_lines(load_results()["BLASTP"], Policies(k=(5,)))
    >>> line.split()[-1]
    '0.3665'
    """
    lists = weigh(lists, policies.weights)
    kind = "unweighted" if (lists.weight == 1).all() else "weighted"
    for k in policies.k:
        at = tap_k(
            lists,
            k=k,
            quantile=policies.quantile,
            short_lists=policies.short_lists,
            no_relevant=policies.no_relevant,
        )
        if at.reason:
            msg = f"Fewer than {policies.quantile} of the retrieval lists have {k} errors."
            raise ValueError(msg)
        yield f"EPQ (threshold at {policies.quantile} quantile)\t{kind} mean TAP"
        yield f"{k} ({at.e0})\t{_plain_mean(at, lists):.4f}"
    lists = lists.with_reported_to(lists.sign * math.inf)  # the reference takes them as they are
    for e0 in policies.e0:
        yield f"Threshold\t{kind} mean TAP"
        at = tap(lists, e0, no_relevant=policies.no_relevant)
        yield f"{e0}\t{_plain_mean(at, lists):.4f}"


def _plain_mean(at: Tap, lists: RetrievalLists) -> float:
    """Mean in the order and with the rounding of a plain sum, so that the last digit agrees."""
    some = ~np.isnan(at.per_query)
    weight = lists.weight[some].tolist()
    pairs = zip(at.per_query[some].tolist(), weight, strict=True)
    return float(sum(value * w for value, w in pairs) / sum(weight)) if sum(weight) else math.nan
