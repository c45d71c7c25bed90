"""A score of one program after another, by date or version: whether it is getting better."""

from __future__ import annotations

import numpy as np

from tapviz.draw.picture import Axis, Picture, line
from tapviz.draw.style import GHOST
from tapviz.lists.runs import version_key
from tapviz.lists.words import shortened
from tapviz.measures import Interval
from tapviz.plots import runs
from tapviz.plots.columns import joined
from tapviz.plots.differences import DEPENDS, plain_score
from tapviz.plots.plot import Plot, PlotData
from tapviz.state import Choices

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
    return words if data.compared is not None else f"{words} {runs.COMPUTING}"


def picture(data: PlotData) -> Picture:
    """The plot under the present choices: "line" leads through the runs of each program."""
    explorer, scores = data.explorer, known(data)
    order, versions = in_order(explorer), explorer.versions
    places = {name: float(order[name]) for name in scores}
    programs: dict[str, list[str]] = {}
    for name in sorted(scores, key=lambda name: places[name]):
        programs.setdefault(explorer.results[name].run.program or name, []).append(name)
    points = {name: (places[name], scores[name].estimate) for name in scores}
    lines = [np.array([points[name] for name in names]).T for names in programs.values()]
    width, right = max([*order.values(), 1]), 1 + runs.name_room(scores)
    every = max(1, -(-len(set(order.values())) // MOST_TICKS))
    marked = {name: float(place) for name, place in order.items() if place % every == 0}
    ticks = {at: shortened(versions[name], LONGEST_TICK) for name, at in marked.items()}
    path = line("line", joined(lines), GHOST, width=1.5)
    x = Axis(axis_title(explorer), -2 * runs.MARGIN * width, right * width, ticks=ticks)
    return runs.picture(data, places, scores, path, x, NONE, 0.0)


def axis_title(explorer: Choices) -> str:
    """In which order the runs are."""
    runs = [explorer.results[name].run for name in explorer.versions]
    if all(run.date for run in runs) or len({run.program for run in runs}) == 1:
        return "run, oldest first"
    return "version of each program"


def known(data: PlotData) -> dict[str, Interval]:
    """Score of the algorithms shown that have a date or a version."""
    dated, found = data.explorer.versions, runs.intervals(data)
    return {name: one for name, one in found.items() if name in dated}


PLOT = Plot(
    name="versions",
    title="Score over versions",
    caption="95 % intervals · grey: runs of one program",
    how_to_read="""The score of each run with its interval, from the oldest to the newest, by date
    or by version. A line joins the runs of one program. Runs whose intervals overlap may still
    differ clearly, since all runs have the same queries: *Differences* says so.""",
    printed="""Score of each run, from the oldest to the newest, with 95 % intervals. Lines join the
    runs of one program.""",
    depends=DEPENDS,
    picture=picture,
    text=text,
    tab="Versions",
    beside="differences",
    needs="versions",
    compares=True,
)
