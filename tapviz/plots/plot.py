"""What a plot is: one record, over which page, print, tables, report and documentation iterate.

And what plots are made of: results of measures for the present choices, each computed once.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from tapviz.draw.picture import Layer, Picture
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import Style, styles, subscript
from tapviz.lists import RetrievalLists
from tapviz.lists.reported import all_kept, measured_to, scores_of_all
from tapviz.lists.words import threshold, with_minus
from tapviz.measures import OnProgress, Tap
from tapviz.scores import SUBSCRIPT, Compared
from tapviz.state import BY_E_VALUE, FILTER, THRESHOLD, Choices

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
        descending = explorer.first.direction == "descending"
        scores = scores_of_all(explorer.results.values())
        self.axis = ThresholdAxis.of(scores, descending=descending)
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

    def at_threshold(self, name: str, compute: Callable[[], R]) -> R:
        """What nothing but these and the threshold change."""
        explorer = self.explorer
        key = explorer.changes("opened", "queries", "threshold"), explorer.shown
        return explorer.once(name, key, compute)

    def each(self, function: Callable[..., R], *args: object, **options: Any) -> dict[str, R]:
        """A measure of each algorithm shown; of large lists, several at a time."""
        explorer, names = self.explorer, self.explorer.shown

        def compute() -> dict[str, R]:
            large = sum(explorer.lists[name].whole.score.size for name in names) > LARGE
            several = _threads().map if large else map
            found = several(lambda name: explorer.measure(function, name, *args, **options), names)
            return dict(zip(names, found, strict=True))

        key = explorer.changes("opened", "queries"), names, args, options
        return explorer.once(("each", function, "whole" in options), key, compute)

    def ghosts(self, function: Callable[..., R], *args: object, **options: Any) -> dict[str, R]:
        """The same of all queries, while only some are selected; else of no algorithm."""
        if self.explorer.selection.everything:
            return {}
        return self.each(function, *args, whole=True, **options)

    @property
    def taps(self) -> dict[str, Tap]:
        """TAP of each algorithm shown at its threshold."""
        shown = self.explorer.shown
        return self.at_threshold("taps", lambda: {name: self.explorer.tap(name) for name in shown})

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


Work = Callable[[OnProgress | None], object]
"""Slow work: given a function to call with its progress, returns the result."""


@dataclass(frozen=True)
class Plot:
    """A plot of retrieval results under the present choices.

    Examples
    --------
    >>> from tapviz.plots import PLOTS
    >>> [name for name, plot in PLOTS.items() if not plot.tab][:2]
    ['tap', 'epq']
    >>> "k" in PLOTS["tap"].depends
    True
    """

    name: str
    """As `save_figure`, links and the command line have it."""
    title: str
    """HTML."""
    caption: str
    """How to read it, in a line above it; HTML with places for n and k."""
    how_to_read: str
    """The same for a first-time reader, in a few sentences."""
    printed: str
    """The same for the caption of a figure, with places for what is chosen (`printed_caption`)."""
    depends: tuple[str, ...]
    """Choices that it shows; the others leave it alone."""
    picture: Callable[[PlotData], Picture]
    """What is drawn."""
    text: Callable[[PlotData], str]
    """What it shows, in a sentence."""
    answer: Callable[[PlotData], str] | None = None
    """What stands in place of the caption: what it shows now, in few words, as plain text."""
    tab: str = ""
    """Words on its tab; one without is always seen."""
    beside: str = ""
    """Plot under whose tab it is, if it has none of its own."""
    of: Literal["each", "one", "pair", "pairs", "queries"] = "each"
    """Whether it shows each algorithm, the one in focus, that and the one to compare with, every
    two, or only the queries."""
    needs: Literal["any", "one", "several", "costs", "versions", "decoys"] = "any"
    """Of how many algorithms the results must be; or what must be known of their runs: costs, or
    dates or versions of at least two; or which records are decoys."""
    bands: Callable[[PlotData], Sequence[Layer]] | None = None
    """Intervals of its lines, for print where they are asked for."""
    whole: bool = False
    """Whether it asks for whole lists, not for condensed ones."""
    reads: Literal["lists", "scores", "either"] = "lists"
    """Whether it shows ranked lists, scores of queries that were given without them, or either."""
    slow: Callable[[PlotData], tuple[Hashable, Work]] | None = None
    """What takes seconds: what it depends on, and the work whose result goes to `PlotData.slow`."""
    compares: bool = False
    """Whether it shows `PlotData.compared`: intervals and differences, which take seconds."""
    pair_at: Callable[[PlotData, float, float], tuple[str, str] | None] | None = None
    """The two algorithms that a click at x, y hits."""
    query_at: Callable[[PlotData, float, float, float, float], list[str]] | None = None
    """Queries of the dot that a click at x, y hits, no further away than width and height."""
    select: Callable[[PlotData, float, float, float, float], str] | None = None
    """Keep the queries of a box (left, right, bottom, top); returns why not, or nothing."""

    def __post_init__(self) -> None:
        """Join the lines in which prose is written."""
        for name in ("how_to_read", "printed"):
            lines = getattr(self, name).splitlines()
            object.__setattr__(self, name, " ".join(map(str.strip, lines)))

    def missing(self, explorer: Choices) -> str:
        """What the results at hand would have to be for it to be shown; empty if it can be."""
        if self.whole and not all(map(all_kept, explorer.results.values())):
            return "whole lists: these are condensed"
        if self.reads == ("lists" if explorer.first.given else "scores"):
            return f"{self.reads} of each query"
        several = len(explorer.results) > 1
        joins = [lists.join_report for lists in explorer.results.values()]
        needs = {
            "any": ("", True),
            "one": ("one program alone", not several),
            "several": ("two programs or more", several),
            "costs": ("what the programs cost", bool(explorer.costs)),
            "versions": ("programs of two versions or dates", len(explorer.versions) > 1),
            "decoys": ("decoys", any(join is not None and join.rules.decoys for join in joins)),
        }
        words, known = needs[self.needs]
        return "" if known else words

    @property
    def plain_title(self) -> str:
        """The title without markup."""
        return _without_markup(self.title)

    def title_of(self, data: PlotData) -> str:
        """What it shows under the present choices, for print: with names, without markup."""
        if self.of == "pair" and len(data.pair) > 1:
            each = ", query by query" if self.select is not None else ""
            return "{} against {}".format(*data.pair) + each
        title = self.plain_title.replace("ROCₙ", f"ROC{subscript(data.explorer.n)}")
        return f"{title}, {data.explorer.focus_algorithm}" if self.of == "one" else title

    def caption_shown(self, data: PlotData) -> str:
        """The caption under the present choices, as the page has it: HTML."""
        if self.answer is not None:
            return SUBSCRIPT.sub(r"<sub>\1</sub>", html.escape(self.answer(data)))
        return self._caption(data)

    def _caption(self, data: PlotData) -> str:
        words = self.caption.format(**_chosen(data)) if "{" in self.caption else self.caption
        return words[:1].upper() + words[1:] if self.caption.startswith("{score}") else words

    def caption_of(self, data: PlotData) -> str:
        """How to read it, for a report, where `text` stands below: without markup."""
        words = html.unescape(_without_markup(self._caption(data)))
        words = words.replace("the threshold", _threshold(data))
        if self.of == "one":
            words += f" {data.explorer.focus_algorithm}"
        elif self.of == "pair":
            names = zip("AB", data.pair, strict=False)
            words += "; " + ", ".join(f"{letter} = {name}" for letter, name in names)
        return words

    def printed_caption(self, data: PlotData) -> str:
        """What stands below it in a paper: sentences with names, which ask for no screen."""
        return self.printed.format(**_chosen(data))


def _chosen(data: PlotData) -> dict[str, str | int]:
    """What captions have places for."""
    explorer, (a, b) = data.explorer, (*data.pair, "", "")[:2]
    names = {"name": explorer.focus_algorithm, "a": a, "b": b, "n_sub": subscript(explorer.n)}
    return {
        **names,
        "k": explorer.k,
        "n": f"{explorer.n:,}",
        "at": _threshold(data),
        "score": data.axis.quantity,
    }


def _threshold(data: PlotData) -> str:
    explorer = data.explorer
    if explorer.mode == BY_E_VALUE:
        return f"E₀ = {with_minus(threshold(explorer.e0))}"
    return f"E{subscript(explorer.k)}"


@cache
def _without_markup(text: str) -> str:
    return re.sub("<sub>(.*?)</sub>", lambda match: subscript(match[1]), text)


__all__ = ["FILTER", "THRESHOLD", "Plot", "PlotData", "Work"]
