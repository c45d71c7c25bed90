"""What plots are made of: results of measures for the present choices, each computed once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import Style, styles
from tapviz.lists import RetrievalLists
from tapviz.lists.reported import measured_to, scores_of_all
from tapviz.measures import Tap
from tapviz.scores import Compared
from tapviz.state import Choices

R = TypeVar("R")

LARGE = 2_000_000
"""Records of all lists, beyond which NumPy works long enough for threads to be worth it."""


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="tapviz-measures")


class PlotData:
    """Numbers of some choices as plots need them.

    The axis of thresholds and the styles of the algorithms are settled once for all results, so
    that no choice moves or recolours anything.

    Parameters
    ----------
    explorer : Choices

    Attributes
    ----------
    axis : ThresholdAxis
    styles : dict of str to Style
        Of every algorithm, shown or not.
    slow : dict of str to object
        Results of slow work, by the name of the plot; none while there is none.
    compared : Compared or None
        Intervals and differences under the present choices; None while there are none.

    Examples
    --------
    >>> from tapviz import Explorer, load_results
    >>> from tapviz.plots import PLOTS, PlotData
    >>> data = PlotData(Explorer(load_results("profiles"), k=5))
    >>> [layer.name for layer in PLOTS["tap"].picture(data).layers if layer.moving]
    ['line', 'threshold']
    """

    def __init__(self, explorer: Choices) -> None:
        self.explorer = explorer
        self.axis = ThresholdAxis.of(
            scores_of_all(explorer.results.values()),
            descending=explorer.first.direction == "descending",
        )
        self.styles: dict[str, Style] = styles(explorer.style_order)
        self.slow: dict[str, Any] = {}
        self.compared: Compared | None = None
        self._settled: dict[object, Any] = {}

    @classmethod
    def of(cls, results: Mapping[str, RetrievalLists], **choices: Any) -> PlotData:
        """Numbers of results under choices that nobody will change."""
        return cls(Choices(results, **choices))

    def settled(self, compute: Callable[[PlotData], R]) -> R:
        """What is settled once for all queries, when a plot is first drawn: axes and grids."""
        if compute not in self._settled:
            self._settled[compute] = compute(self)
        value: R = self._settled[compute]
        return value

    def curves(self, name: str, compute: Callable[[], R]) -> R:
        """What only the queries and algorithms chosen change, such as the lines of a plot."""
        explorer = self.explorer
        key = (explorer.lists, tuple(explorer.shown), explorer.focus_algorithm)
        return explorer.once(("curves", name), key, compute)

    def each(self, function: Callable[..., R], *args: object, **options: Any) -> dict[str, R]:
        """A measure of each algorithm shown; of large lists, several at a time."""
        names, lists = self.explorer.shown, self.explorer.lists

        def measured(name: str) -> R:
            return self.explorer.measure(function, name, *args, **options)

        large = sum(lists[name].whole.score.size for name in names) > LARGE
        found = _threads().map(measured, names) if large else map(measured, names)
        return dict(zip(names, found, strict=True))

    def ghosts(self, function: Callable[..., R], *args: object, **options: Any) -> dict[str, R]:
        """The same of all queries, while only some are selected; else of no algorithm."""
        if self.explorer.selection.everything:
            return {}
        return self.each(function, *args, whole=True, **options)

    @property
    def taps(self) -> dict[str, Tap]:
        """TAP of each algorithm shown at its threshold."""
        explorer = self.explorer
        key = explorer.changes("opened", "queries", "threshold"), explorer.shown
        return explorer.once("taps", key, lambda: {one: explorer.tap(one) for one in key[1]})

    @property
    def ends(self) -> dict[str, float]:
        """Threshold at which each algorithm shown stopped reporting; infinite if unknown."""
        return {name: measured_to(self.explorer.lists[name]) for name in self.explorer.shown}

    @property
    def lists(self) -> RetrievalLists:
        """Lists of the queries selected, for what is common to all."""
        return next(iter(self.explorer.lists.values()))

    @property
    def pair(self) -> list[str]:
        """A and B: the algorithm in focus, and the one chosen to be its opponent.

        If none is chosen, B is the baseline; if that is none or A, the first other algorithm. Where
        there is no other, there is no B.
        """
        explorer, a = self.explorer, self.explorer.focus_algorithm
        wanted = (explorer.opponent, explorer.baseline, *explorer.shown, *explorer.results)
        return [a, *[name for name in wanted if name not in ("", a)][:1]]
