"""A score of one program after another, by date or version: whether it is getting better."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tapviz.choices import Choices
from tapviz.draw.picture import Axis, Picture, line
from tapviz.draw.style import GHOST, shortened
from tapviz.measures import Interval
from tapviz.plots.columns import Columns, joined
from tapviz.plots.data import PlotData
from tapviz.plots.differences import DEPENDS, plain_score
from tapviz.plots.names import Room
from tapviz.plots.plot import Plot
from tapviz.plots.runs import COMPUTING, MARGIN, dots, intervals, layers, limits, name_room, note
from tapviz.runs import version_key

MOST_TICKS = 8
LONGEST_TICK = 12
NONE = "No run shown has both a date or version and this score"


def in_order(explorer: Choices) -> dict[str, int]:
    """Place of each run that has a date or a version, from 0: by date, program and version."""
    runs = {name: explorer.results[name].run for name in explorer.versions}
    dated = all(run.date for run in runs.values())
    keys = {
        name: (run.date if dated else "", run.program, version_key(run.version))
        for name, run in runs.items()
    }
    order = sorted(set(keys.values()))
    return {name: order.index(key) for name, key in keys.items()}


def columns(data: PlotData, scores: Mapping[str, Interval]) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    data : PlotData
    scores : mapping of str to Interval
        Of each algorithm with a date or a version.

    Returns
    -------
    Columns
        "line" (x, y): through the runs of each program; x is their place in time, from 0. "bar",
        "point" and "name", as `tapviz.plots.runs.dots` has them. "missing": why there is no dot.
        "view".
    """
    explorer = data.explorer
    order = in_order(explorer)
    places = {name: float(order[name]) for name in scores}
    low, high = limits(scores, explorer.score_compared.range)
    width = max([*order.values(), 1])
    room = Room(-2 * MARGIN * width, (1 + name_room(scores)) * width, low, high)
    programs: dict[str, list[str]] = {}
    for name in sorted(scores, key=lambda name: places[name]):
        programs.setdefault(explorer.results[name].run.program or name, []).append(name)
    lines = {
        program: (
            np.array([places[name] for name in names]),
            np.array([scores[name].estimate for name in names]),
        )
        for program, names in programs.items()
    }
    found = dots(data, places, scores, [*lines.values()], room)
    found["line"] = joined(lines)
    found["missing"] = note([] if scores else [NONE], 0.0, (low + high) / 2)
    found["view"] = {"x": np.array([room.left, room.right]), "y": np.array([low, high])}
    return found


def text(data: PlotData) -> str:
    """The plot in words."""
    scores, versions = known(data), data.explorer.versions
    if not scores:
        return f"{NONE}."
    score, order = data.explorer.score_compared, in_order(data.explorer)
    parts = [
        f"{name} ({versions[name]}) {score.text(scores[name].estimate)}"
        for name in sorted(scores, key=lambda name: order[name])
    ]
    words = f"{plain_score(data)}, by {axis_title(data.explorer)}: {'; '.join(parts)}."
    return words if data.compared is not None else f"{words} {COMPUTING}"


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    found = columns(data, known(data))
    view, versions = found["view"], data.explorer.versions
    order = in_order(data.explorer)
    every = max(1, -(-len(set(order.values())) // MOST_TICKS))
    return Picture(
        (line("line", found["line"], GHOST, width=1.5), *layers(found)),
        Axis(
            axis_title(data.explorer),
            *view["x"].tolist(),
            ticks={
                float(place): shortened(versions[name], LONGEST_TICK)
                for name, place in order.items()
                if place % every == 0
            },
        ),
        Axis(plain_score(data), *view["y"].tolist()),
    )


def axis_title(explorer: Choices) -> str:
    """In which order the runs are."""
    runs = [explorer.results[name].run for name in explorer.versions]
    if all(run.date for run in runs) or len({run.program for run in runs}) == 1:
        return "run, oldest first"
    return "version of each program"


def known(data: PlotData) -> dict[str, Interval]:
    """Score of the algorithms shown that have a date or a version."""
    return {name: one for name, one in intervals(data).items() if name in data.explorer.versions}


PLOT = Plot(
    name="versions",
    title="Score over versions",
    caption="95 % intervals · grey: runs of one program",
    how_to_read=(
        "The score of each run with its interval, from the oldest to the newest, by date or by "
        "version. A line joins the runs of one program. Intervals that overlap may still be told "
        "apart, since all runs have the same queries: *Differences* says so."
    ),
    printed=(
        "Score of each run, from the oldest to the newest, with 95 % intervals. Lines join the "
        "runs of one program."
    ),
    depends=DEPENDS,
    picture=picture,
    text=text,
    tab="Versions",
    needs="versions",
    compares=True,
)
