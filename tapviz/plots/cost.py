"""A score against what the runs cost: what one gets for more time, or more memory."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from tapviz.draw.picture import Axis, Picture, line
from tapviz.draw.style import GHOST, brief
from tapviz.measures import Interval
from tapviz.plots import runs
from tapviz.plots.columns import NO_LINE
from tapviz.plots.differences import DEPENDS, plain_score
from tapviz.plots.plot import Plot, PlotData

UNITS, FEW_DECADES = (1, 2, 5), 3
"""Ticks of an axis, which has fewer where it is long."""
ENDS = 1e-3
"""A cost of 0 is drawn there: the axis is logarithmic."""


def front(costs: Mapping[str, float], scores: Mapping[str, Interval], sign: int = 1) -> list[str]:
    """Algorithms that no other beats in both cost and score, the cheapest first (Pareto front).

    Times `sign`, larger scores are better.

    Examples
    --------
    >>> from tapviz.measures import Interval
    >>> from tapviz.plots.cost import front
    >>> nan = float("nan")
    >>> scores = {name: Interval(at, nan, nan) for name, at in (("a", 0.3), ("b", 0.2), ("c", 0.5))}
    >>> front({"a": 1.0, "b": 2.0, "c": 9.0}, scores)
    ['a', 'c']
    """
    kept: list[str] = []
    for name in sorted(costs, key=lambda name: (costs[name], -sign * scores[name].estimate)):
        if not kept or sign * scores[name].estimate > sign * scores[kept[-1]].estimate:
            kept.append(name)
    return kept


def text(data: PlotData) -> str:
    """The plot in words."""
    costs, scores = known(data)
    score, cost = data.explorer.score_compared, data.explorer.cost_shown
    if not costs:
        return f"{_missing(data)}."
    parts = [
        f"{name} {score.text(scores[name].estimate)} for {cost.text(costs[name])}"
        for name in sorted(costs, key=lambda name: costs[name])
    ]
    best = front(costs, scores, score.sign)
    words = f"{plain_score(data)} against {cost.title}: {'; '.join(parts)}."
    if len(costs) > 1:
        words += f" None is both cheaper and better than {' or '.join(best)}."
    return words if data.compared is not None else f"{words} {runs.COMPUTING}"


def picture(data: PlotData) -> Picture:
    """The plot under the present choices: "front", as steps, the best score for a cost."""
    costs, scores = known(data)
    score, shown = data.explorer.score_compared, data.explorer.cost_shown
    places = {name: max(cost, ENDS) for name, cost in costs.items()}
    decades = [math.log10(place) for place in places.values()]
    left = min(decades, default=0.0) - runs.MARGIN
    right = max(max(decades, default=1.0), left + runs.MARGIN + 1) + runs.MARGIN
    width = right - left
    best = front(costs, scores, score.sign)
    steps = NO_LINE
    if best:
        end = 10.0 ** (right + runs.MARGIN * width)
        along = np.repeat([places[name] for name in best], 2)[1:]
        heights = np.repeat([scores[name].estimate for name in best], 2)
        steps = {"x": np.append(along, end), "y": heights}
    first, last = left - runs.MARGIN * width, right + runs.name_room(scores) * width
    units = UNITS if last - first < FEW_DECADES else UNITS[:1]
    powers = range(math.floor(first), math.ceil(last) + 1)
    marks = [unit * 10.0**power for power in powers for unit in units]
    ticks = {mark: brief(mark) for mark in marks}
    path = line("front", steps, GHOST, width=2)
    x = Axis(f"{shown.title} (log scale)", 10.0**first, 10.0**last, log=True, ticks=ticks)
    return runs.picture(data, places, scores, path, x, _missing(data), 10.0**left)


def known(data: PlotData) -> tuple[dict[str, float], dict[str, Interval]]:
    """Cost and score of the algorithms shown of which both are known."""
    scores, cost = runs.intervals(data), data.explorer.cost_shown
    costs = {name: getattr(data.explorer.results[name].run, cost.name) for name in scores}
    costs = {name: one for name, one in costs.items() if math.isfinite(one)}
    return costs, {name: scores[name] for name in costs}


def _missing(data: PlotData) -> str:
    return f"No program shown has both {plain_score(data)} and {data.explorer.cost_shown.title}"


PLOT = Plot(
    name="cost",
    title="Score against cost",
    caption="95 % intervals · grey: the best for that much",
    how_to_read="""A dot for each program: its score, with the interval, against what its run cost
    in seconds or memory. The grey steps connect the programs that no other beats in both score and
    cost; every program below them is beaten by another. Costs are those given with the results, in
    `runs.toml`.""",
    printed="""Score of each program against what its run cost, with 95 % intervals. Grey steps:
    programs that no other beats in both score and cost.""",
    depends=(*DEPENDS, "cost"),
    picture=picture,
    text=text,
    tab="Cost",
    beside="differences",
    needs="costs",
    compares=True,
)
