"""What a click into a plot or a box of the table does, and a rectangle that is drawn in a plot."""

from __future__ import annotations

from typing import Any

from tapviz.explorer import Explorer
from tapviz.plots import PLOTS, PlotData

HIT = (0.022, 0.05)
"""Largest distance of a click from a dot that it hits, as shares of the axes: about ten pixels."""


def click(data: PlotData, event: Any) -> None:
    """Focus on the query of a dot; of several in one place, on the next at each click.

    Of two algorithms show A vs B.
    """
    explorer = data.explorer
    plot = PLOTS[explorer.view]
    if plot.pair_at is not None:
        pair = plot.pair_at(data, event.x, event.y)
        if pair is not None:
            names = dict(zip(("focus_algorithm", "opponent"), pair, strict=True))
            view = {} if explorer.first.given else {"view": "scatter"}
            explorer.param.update(**names, **view)
        return
    ranges = (event.model.x_range, event.model.y_range)
    spans = [abs(axis.end - axis.start) * hit for axis, hit in zip(ranges, HIT, strict=True)]
    queries = plot.query_at(data, event.x, event.y, *spans) if plot.query_at else []
    if queries:
        focus = explorer.focus
        following = queries.index(focus) + 1 if focus in queries else 0
        explorer.focus = queries[following % len(queries)]


def keep_box(data: PlotData, event: Any) -> str | None:
    """Keep the queries of the rectangle drawn; why not, or None while it is being drawn."""
    geometry = event.geometry
    select = PLOTS[event.model.name].select
    if not event.final or geometry["type"] != "rect" or select is None:
        return None
    return select(data, *(geometry[end] for end in ("x0", "x1", "y0", "y1")))


def tick(explorer: Explorer, ticked: str) -> None:
    """Show the algorithms, or the columns, whose boxes are ticked: a line each, after the menu.

    Or let the scores go that were pinned.
    """
    menu, *names = ticked.split("\n")
    if menu == "unpin":
        explorer.unpin()
    elif menu == "programs":
        explorer.algorithms = [one for one in explorer.results if one in names]
    elif names:
        known = explorer.param.table_scores.objects
        explorer.show_scores([one for one in names if one in known])
