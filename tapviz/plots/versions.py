"""A score of one program after another, by date or version: whether it is getting better."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from tapviz.choices import Choices
from tapviz.draw.picture import Axis, Picture, line
from tapviz.draw.style import GHOST, shortened
from tapviz.measures import Interval
from tapviz.plots.columns import NAME_MARGIN, Columns, joined
from tapviz.plots.data import PlotData
from tapviz.plots.differences import DEPENDS, plain_score
from tapviz.plots.names import Room
from tapviz.plots.plot import Plot
from tapviz.plots.runs import COMPUTING, MARGIN, dots, intervals, layers, limits, note

MOST_TICKS = 8
LONGEST_TICK = 12
NONE = "No run shown has both a date or version and this score"


def in_order(versions: Mapping[str, str]) -> list[str]:
    """Dates or versions, the oldest first: 9 before 10, 2.9 before 2.10.

    Examples
    --------
    >>> from tapviz.plots.versions import in_order
    >>> in_order({"a": "2.10", "b": "2.9", "c": "2.10", "d": "10"})
    ['2.9', '2.10', '10']
    """

    def key(version: str) -> list[tuple[int, str]]:
        parts = re.findall(r"\d+|\D+", version)
        return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]

    return sorted(set(versions.values()), key=key)


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
        "line" (x, y): through the runs of each program; x is the place of their dates or versions,
        from 0. "bar", "dot" and "name", as `tapviz.plots.runs.dots` has them. "missing": why there
        is no dot. "view".
    """
    explorer = data.explorer
    order, versions = in_order(explorer.versions), explorer.versions
    places = {name: float(order.index(versions[name])) for name in scores}
    low, high = limits(scores, explorer.score_compared.range)
    width = max(len(order) - 1, 1)
    room = Room(-2 * MARGIN * width, (1 + NAME_MARGIN) * width, low, high)
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
    score, order = data.explorer.score_compared, in_order(versions)
    parts = [
        f"{versions[name]} {name} {score.text(scores[name].estimate)}"
        for name in sorted(scores, key=lambda name: order.index(versions[name]))
    ]
    words = f"{plain_score(data)} by {axis_title(data.explorer)}: {'; '.join(parts)}."
    return words if data.compared is not None else f"{words} {COMPUTING}"


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    found = columns(data, known(data))
    view, order = found["view"], in_order(data.explorer.versions)
    every = -(-len(order) // MOST_TICKS)
    return Picture(
        (line("line", found["line"], GHOST, width=1.5), *layers(found)),
        Axis(
            axis_title(data.explorer),
            *view["x"].tolist(),
            ticks={
                float(place): shortened(order[place], LONGEST_TICK)
                for place in range(0, len(order), every)
            },
        ),
        Axis(plain_score(data), *view["y"].tolist()),
    )


def known(data: PlotData) -> dict[str, Interval]:
    """Score of the algorithms shown that have a date or a version."""
    return {name: one for name, one in intervals(data).items() if name in data.explorer.versions}


def axis_title(explorer: Choices) -> str:
    """Whether runs stand by date or by version."""
    dated = any(explorer.results[name].run.date == said for name, said in explorer.versions.items())
    return "date of the run" if dated else "version"


PLOT = Plot(
    name="versions",
    title="Score over versions",
    caption="with 95 % intervals · grey lines: runs of one program",
    how_to_read=(
        "The score of each run with its interval, from the oldest to the newest, by date or by "
        "version. A line joins the runs of one program. Intervals that overlap may still be told "
        "apart, since all runs have the same queries: *Differences* says so."
    ),
    depends=DEPENDS,
    picture=picture,
    text=text,
    tab="Versions",
    needs="versions",
    compares=True,
)
