"""What a run cost, as columns beside its scores."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tapviz.lists import RetrievalLists
from tapviz.scores.table import Score

SOURCE = "said with the results, as in runs.toml, or measured by /usr/bin/time -v"


def _cost(name: str, title: str, short: str, description: str) -> Score:
    return Score(
        name=name,
        title=title,
        group="run",
        short=short,
        measure=lambda lists: float(getattr(lists.run, name)),
        digits=None,
        higher_is_better=False,
        range=(0.0, math.inf),
        description=description,
        source=SOURCE,
    )


COSTS = (
    _cost(
        "seconds",
        "run time in s",
        "s",
        "Seconds that the run took, from start to end, for all queries.",
    ),
    _cost(
        "cpu_seconds",
        "processor time in s",
        "CPU s",
        "Seconds that all processors together worked on the run, for all queries.",
    ),
    _cost("memory", "memory in GB", "GB", "Most memory that the run had at a time, in 1e9 bytes."),
)
"""What runs cost; tables show it where it is known of any."""


def known_costs(results: Iterable[RetrievalLists]) -> tuple[Score, ...]:
    """Costs that are known of any of the runs.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.lists.runs import Run
    >>> from tapviz.scores import known_costs
    >>> lists = RetrievalLists([1e-9], [1], [0, 1], [2], run=Run(seconds=12.5))
    >>> [cost.title for cost in known_costs([lists])]
    ['run time in s']
    """
    runs = [lists.run for lists in results]
    return tuple(
        cost for cost in COSTS if any(math.isfinite(getattr(run, cost.name)) for run in runs)
    )
