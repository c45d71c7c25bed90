"""Scores of all queries, sorted: how the score compared is distributed over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Picture
from tapviz.plots import sensitivity
from tapviz.plots.differences import score_title
from tapviz.plots.plot import FILTER, Plot, PlotData

NAMES = 0.55
"""Room for names on the right."""
ROOM = 0.05
"""Above and below the scores, as a share of the axis."""


def values_of(data: PlotData) -> dict[str, sensitivity.Values]:
    """The score compared, of each algorithm shown; none if it is not a mean over queries."""
    score = data.explorer.score_compared
    cases = {name: data.explorer.case(name) for name in data.explorer.shown}
    return {
        name: sensitivity.Values(case.value(score), per_query)
        for name, case in cases.items()
        if (per_query := case.per_query(score)) is not None
    }


def limits(values: list[NDArray[np.float64]]) -> tuple[float, float]:
    """From 0 to 1, or as far as scores of queries go beyond, with some room."""
    known = np.concatenate([np.zeros(1), *values])
    low, high = float(np.nanmin(known)), max(float(np.nanmax(known)), 1.0)
    room = ROOM * (high - low)
    return low - (room if low < 0 else 0), high + room


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    found, weights = values_of(data), data.lists.weight
    titles = "share of the queries, largest first", f"{score_title(data)} of a query"
    ends = limits([one.per_query for one in found.values()])
    made = sensitivity.curves(data, found, weights, titles, limits=ends, right=NAMES)
    return made.picture(drag="box_select")


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries of a line that are in a box drawn; returns why not, or nothing."""
    found, weights, box = values_of(data), data.lists.weight, (left, right, bottom, top)
    score = data.explorer.score_compared.name
    return sensitivity.keep_brushed(data, found, weights, box, "score", 0.0, score)


def text(data: PlotData) -> str:
    """The plot in words."""
    explorer, found = data.explorer, values_of(data)
    if not explorer.shown:
        return "No program is shown."
    score = explorer.score_compared
    if not found:
        return f"{score_title(data)} is not a mean over queries."
    parts = [
        f"{name} {score.text(one.value)}, median {score.text(float(np.nanmedian(one.per_query)))}"
        for name, one in found.items()
        if not np.isnan(one.per_query).all()
    ]
    return f"Mean {score_title(data)} of the queries: {'; '.join(parts) or 'undefined'}."


PLOT = Plot(
    name="distribution",
    title="Distribution over queries",
    caption="The score compared, queries sorted by it · area: the mean",
    how_to_read="""The score of each query, from the largest to the smallest. Where none is
    negative, the area below a curve is the mean. Draw a box over a line to make its queries the
    subset. Shown for tables of scores; the score is chosen under Baseline.""",
    printed="""Score of each query, from the largest to the smallest. The area below a curve is the
    mean.""",
    depends=(*FILTER, "algorithms", "compared_score"),
    picture=picture,
    text=text,
    reads="scores",
    select=select,
)
