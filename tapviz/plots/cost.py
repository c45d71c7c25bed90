"""A score against what the runs cost: what one gets for more time, or more memory."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from tapviz.draw.picture import Axis, Picture, line
from tapviz.draw.style import GHOST, brief
from tapviz.measures import Interval
from tapviz.plots.columns import NO_LINE, Columns
from tapviz.plots.data import PlotData
from tapviz.plots.differences import DEPENDS, plain_score
from tapviz.plots.names import Room
from tapviz.plots.plot import Plot
from tapviz.plots.runs import COMPUTING, MARGIN, dots, intervals, layers, limits, name_room, note

UNITS, FEW_DECADES = (1, 2, 5), 3
"""Ticks of an axis, which has fewer where it is long."""
ENDS = 1e-3
"""A cost of 0 is drawn there: the axis is logarithmic."""


def columns(data: PlotData, costs: Mapping[str, float], scores: Mapping[str, Interval]) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    data : PlotData
    costs : mapping of str to float
        Of each algorithm of which both are known.
    scores : mapping of str to Interval
        Of the same.

    Returns
    -------
    Columns
        "front" (x, y): the best score to be had for a cost, as steps. "bar", "point" and "name", as
        `tapviz.plots.runs.dots` has them. "missing": why there is no dot. "view".
    """
    score = data.explorer.score_compared
    places = {name: math.log10(max(cost, ENDS)) for name, cost in costs.items()}
    low, high = limits(scores, score.range)
    left, right = min(places.values(), default=0.0), max(places.values(), default=1.0)
    left, right = left - MARGIN, max(right, left + 1) + MARGIN  # a decade at least
    width = right - left
    room = Room(left - MARGIN * width, right + name_room(scores) * width, low, high)
    best = front(costs, scores, higher_is_better=score.higher_is_better is not False)
    x = np.array([places[name] for name in best])
    y = np.array([scores[name].estimate for name in best])
    steps = NO_LINE
    if best:
        steps = {"x": np.append(np.repeat(x, 2)[1:], right + MARGIN * width), "y": np.repeat(y, 2)}
    found = dots(data, places, scores, [(steps["x"], steps["y"])], room)
    found["front"] = dict(steps)
    for layer in found.values():
        for along in {"x", "x0", "x1", "from_x"} & layer.keys():
            layer[along] = 10.0 ** layer[along]
    found["missing"] = note([] if costs else [_missing(data)], 10.0**left, (low + high) / 2)
    found["view"] = {"x": 10.0 ** np.array([room.left, room.right]), "y": np.array([low, high])}
    return found


def front(
    costs: Mapping[str, float], scores: Mapping[str, Interval], *, higher_is_better: bool = True
) -> list[str]:
    """Algorithms than which none is both cheaper and better, the cheapest first (Pareto front).

    Examples
    --------
    >>> from tapviz.measures import Interval
    >>> from tapviz.plots.cost import front
    >>> nan = float("nan")
    >>> scores = {name: Interval(at, nan, nan) for name, at in (("a", 0.3), ("b", 0.2), ("c", 0.5))}
    >>> front({"a": 1.0, "b": 2.0, "c": 9.0}, scores)
    ['a', 'c']
    """
    sign = -1 if higher_is_better else 1
    kept: list[str] = []
    for name in sorted(costs, key=lambda name: (costs[name], sign * scores[name].estimate)):
        if not kept or sign * scores[name].estimate < sign * scores[kept[-1]].estimate:
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
    best = front(costs, scores, higher_is_better=score.higher_is_better is not False)
    words = f"{plain_score(data)} against {cost.title}: {'; '.join(parts)}."
    if len(costs) > 1:
        words += f" None is both cheaper and better than {' or '.join(best)}."
    return words if data.compared is not None else f"{words} {COMPUTING}"


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    found = columns(data, *known(data))
    view = found["view"]
    left, right = (math.log10(end) for end in view["x"].tolist())
    powers = range(math.floor(left), math.ceil(right) + 1)
    return Picture(
        (line("front", found["front"], GHOST, width=2), *layers(found)),
        Axis(
            f"{data.explorer.cost_shown.title} (log scale)",
            *view["x"].tolist(),
            log=True,
            ticks={
                unit * 10.0**power: brief(unit * 10.0**power)
                for power in powers
                for unit in (UNITS if right - left < FEW_DECADES else UNITS[:1])
            },
        ),
        Axis(plain_score(data), *view["y"].tolist()),
    )


def known(data: PlotData) -> tuple[dict[str, float], dict[str, Interval]]:
    """Cost and score of the algorithms shown of which both are known."""
    scores, cost = intervals(data), data.explorer.cost_shown
    costs = {name: getattr(data.explorer.results[name].run, cost.name) for name in scores}
    costs = {name: one for name, one in costs.items() if math.isfinite(one)}
    return costs, {name: scores[name] for name in costs}


def _missing(data: PlotData) -> str:
    return f"No algorithm shown has both {plain_score(data)} and {data.explorer.cost_shown.title}"


PLOT = Plot(
    name="cost",
    title="Score against cost",
    caption="95 % intervals · grey: the best for that much",
    how_to_read=(
        "A dot for each program: its score, with the interval, against what its run cost, seconds "
        "or memory. The grey steps lead along the programs than which none is both cheaper and "
        "better; whatever lies below them is beaten by another. Costs are those that are said with "
        "the results, in `runs.toml`."
    ),
    printed=(
        "Score of each program against what its run cost, with 95 % intervals. Grey steps: "
        "programs than which none is both cheaper and better."
    ),
    depends=(*DEPENDS, "cost"),
    picture=picture,
    text=text,
    tab="Cost",
    needs="costs",
    compares=True,
)
