"""What plots of runs have in common: a score of each with its interval, and dots with names."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping

import numpy as np

from tapviz.draw.picture import Axis, Layer, Picture, points, segments, texts
from tapviz.draw.style import INK
from tapviz.measures import Interval
from tapviz.plots.columns import LONGEST, flat, label_columns, placed_names, unflat
from tapviz.plots.data import PlotData
from tapviz.plots.differences import plain_score
from tapviz.plots.names import BESIDE, LETTER, Room
from tapviz.scores import value

MARGIN = 0.04
"""Room around the dots, in widths of the plot; on the right there is room for names besides."""
COMPUTING = "Intervals are being computed."


def intervals(data: PlotData) -> dict[str, Interval]:
    """The score that is chosen, of each algorithm shown; without an interval where there is none.

    Those of which it is undefined are left out.
    """
    explorer, score = data.explorer, data.explorer.score_compared
    found = {}
    for name in explorer.shown:
        known = data.compared
        if known is not None and name not in explorer.rows:
            known = None
        one = value(explorer.case(name), score, name, known)
        if math.isfinite(one.value):
            found[name] = Interval(one.value, one.low, one.high)
    return found


def limits(
    scores: Mapping[str, Interval], bounds: tuple[float, float] | None
) -> tuple[float, float]:
    """Ends of an axis that holds scores and their intervals, at round numbers."""
    ends = np.array([list(one) for one in scores.values()], np.float64).reshape(-1, 3)
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
    path: Layer,
    x: Axis,
    y: tuple[float, float],
    missing: str,
    missing_at: float,
) -> Picture:
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
    y : (float, float)
        Ends of the axis of scores.
    missing : str
        Why there is no dot; empty if there is.
    missing_at : float
        Where along x that begins.

    Returns
    -------
    Picture
        The path, "bar" (x0, y0, x1, y1), "point" (x, y, color, marker, text), "name", "missing".
    """
    at = {name: float(flat(x, place)) for name, place in places.items()}
    left, right = flat(x, [x.start, x.end]).tolist()
    ends = {name: (at[name], one.estimate) for name, one in scores.items()}
    along, heights = flat(x, path.columns["x"]), path.columns["y"]
    gaps = np.flatnonzero(np.isnan(along))
    parts = zip(np.split(along, gaps), np.split(heights, gaps), strict=True)
    lines = [(some[~np.isnan(some)], high[~np.isnan(some)]) for some, high in parts]
    names = placed_names(ends, lines, Room(left, right, *y), data.styles)
    names |= {key: unflat(x, names[key]) for key in ("x", "from_x")}
    known = [name for name, one in scores.items() if math.isfinite(one.low)]
    across = np.array([places[name] for name in known])
    bars = {"x0": across, "y0": np.array([scores[name].low for name in known])}
    bars |= {"x1": across, "y1": np.array([scores[name].high for name in known])}
    dots = {
        "x": np.array([places[name] for name in scores]),
        "y": np.array([one.estimate for one in scores.values()]),
        "color": np.array([data.styles[name].color for name in scores], np.object_),
        "marker": np.array([data.styles[name].marker for name in scores], np.object_),
        "text": np.array([tooltip(data, name, scores[name]) for name in scores], np.object_),
    }
    said = label_columns(missing_at, sum(y) / 2, [missing] if missing else [], INK, 90)
    return Picture(
        (
            path,
            segments("bar", bars, INK, width=1.5),
            points("point", dots, size=9, tooltip="@text{safe}"),
            texts("name", names),
            texts("missing", said),
        ),
        x,
        Axis(plain_score(data), *y),
    )


def name_room(names: Iterable[str], most: float = 0.6) -> float:
    """Room right of the dots for the longest of some names, in widths of the axis of the dots."""
    longest = LETTER * min(max(map(len, names), default=0), LONGEST)
    return min((longest * (1 + 2 * MARGIN) + BESIDE) / (1 - longest), most)


def tooltip(data: PlotData, name: str, one: Interval) -> str:
    """All that is known of a run, for the mouse."""
    explorer, score = data.explorer, data.explorer.score_compared
    lines = [f"<b>{html.escape(name)}</b>"]
    interval = f" ({score.between(one.low, one.high)})" if math.isfinite(one.low) else ""
    lines.append(html.escape(f"{plain_score(data)} {score.text(one.estimate)}{interval}"))
    run = explorer.results[name].run
    lines += [
        html.escape(f"{cost.title} {cost.text(getattr(run, cost.name))}")
        for cost in explorer.costs
        if math.isfinite(getattr(run, cost.name))
    ]
    said = " ".join(filter(None, (run.program, run.version)))
    lines += [html.escape(text) for text in (said, run.date, run.database) if text]
    return "<br>".join(lines)
