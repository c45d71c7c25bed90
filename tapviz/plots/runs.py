"""What plots of runs have in common: a score of each with its interval, and dots with names."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping

import numpy as np

from tapviz.draw import picture as p
from tapviz.draw.style import INK
from tapviz.measures import Interval
from tapviz.plots import columns as c
from tapviz.plots.differences import plain_score
from tapviz.plots.names import BESIDE, LETTER, leader_ends, place_names
from tapviz.plots.plot import PlotData
from tapviz.scores import value

MARGIN, MOST_ROOM = 0.04, 0.6
"""Room around the dots, in widths of the plot; on the right there is room for names besides."""
COMPUTING = "Intervals are being computed."


def intervals(data: PlotData) -> dict[str, Interval]:
    """The score that is chosen, of each algorithm shown; without an interval where there is none.

    Those of which it is undefined are left out.
    """
    explorer, score = data.explorer, data.explorer.score_compared
    found = {}
    for name in explorer.shown:
        compared = data.compared if name in explorer.rows else None
        one = value(explorer.case(name), score, name, compared)
        if math.isfinite(one.value):
            found[name] = Interval(one.value, one.low, one.high)
    return found


def limits(
    scores: Mapping[str, Interval], bounds: tuple[float, float] | None
) -> tuple[float, float]:
    """Ends of an axis that holds scores and their intervals, at round numbers."""
    ends = np.array([*scores.values()], np.float64).ravel()
    known = ends[np.isfinite(ends)]
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-3 * abs(high), 1e-9))) / 2
    low, high = step * (math.floor(low / step) - 1), step * (math.ceil(high / step) + 1)
    if bounds is not None:
        low, high = max(low, bounds[0] - 0.02), min(high, bounds[1] + 0.02)
    return low, high


def picture(
    data: PlotData,
    places: Mapping[str, float],
    scores: Mapping[str, Interval],
    path: p.Layer,
    x: p.Axis,
    missing: str,
    missing_at: float,
) -> p.Picture:
    """Dots of runs, with intervals and names, in front of a path that leads along them.

    Parameters
    ----------
    data : PlotData
    places : mapping of str to float
        Where along x each dot stands.
    scores : mapping of str to Interval
        Of the same algorithms.
    path : Layer
        A line, which names should not lie on; NaN makes a gap.
    x : Axis
        On which there is room for names.
    missing : str
        Why there is no dot, if there is none.
    missing_at : float
        Where along x that begins.

    Returns
    -------
    Picture
        The path, "bar" (x0, y0, x1, y1), "point" (x, y, color, marker, text), "name", "missing".
    """
    up = p.Axis(plain_score(data), *limits(scores, data.explorer.score_compared.range))
    ends = {name: (float(c.flat(x, places[name])), one.estimate) for name, one in scores.items()}
    along = np.array([c.flat(x, path.columns["x"]), path.columns["y"]])
    parts = np.split(along, np.flatnonzero(np.isnan(along[0])), axis=1)
    lines = [(some[0, ~np.isnan(some[0])], some[1, ~np.isnan(some[1])]) for some in parts]
    lengths, room = {name: min(len(name), c.LONGEST) for name in ends}, c.room_between(x, up)
    stand = place_names(ends, lengths, lines, room)
    name_x, name_y = np.array([*stand.values()], np.float64).reshape(-1, 2).T
    from_x, from_y = leader_ends(ends, stand, room)
    colors = [data.styles[name].color for name in stand]
    names = c.label_columns(c.unflat(x, name_x), name_y, [*stand], colors, of=[*stand])
    names |= {"from_x": c.unflat(x, from_x), "from_y": from_y}
    across = np.array([places[name] for name in scores])
    score, low, high = np.array([*scores.values()], np.float64).reshape(-1, 3).T
    bars = {"x0": across, "y0": low, "x1": across, "y1": high}
    tips = [tooltip(data, name, one) for name, one in scores.items()]
    looks = [data.styles[name] for name in scores]
    own = {"color": [one.color for one in looks], "marker": [one.marker for one in looks]}
    own |= {"text": tips, p.OF: [*scores]}
    dots = {"x": across, "y": score} | {key: np.array(of, np.object_) for key, of in own.items()}
    said = c.label_columns(missing_at, c.middle(up), [] if scores else [missing], INK, 90)
    bar = p.segments("bar", c.some(bars, np.isfinite(low)), INK, width=1.5)
    point = p.points("point", dots, size=9, tooltip="@text{safe}")
    layers = path, bar, point, p.texts("name", names), p.texts("missing", said)
    return p.Picture(layers, x, up)


def name_room(names: Iterable[str]) -> float:
    """Room right of the dots for the longest of some names, in widths of the axis of the dots."""
    longest = LETTER * min(max(map(len, names), default=0), c.LONGEST)
    return min((longest * (1 + 2 * MARGIN) + BESIDE) / (1 - longest), MOST_ROOM)


def tooltip(data: PlotData, name: str, one: Interval) -> str:
    """All that is known of a run, for the mouse."""
    explorer, score = data.explorer, data.explorer.score_compared
    interval = f" ({score.between(one.low, one.high)})" if math.isfinite(one.low) else ""
    run = explorer.results[name].run
    costs = {cost: getattr(run, cost.name) for cost in explorer.costs}
    lines = [f"{plain_score(data)} {score.text(one.estimate)}{interval}"]
    lines += [f"{cost.title} {cost.text(of)}" for cost, of in costs.items() if math.isfinite(of)]
    lines += [" ".join(filter(None, (run.program, run.version))), run.date, run.database]
    return "<br>".join([f"<b>{html.escape(name)}</b>", *map(html.escape, filter(None, lines))])
