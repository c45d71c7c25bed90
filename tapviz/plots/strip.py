"""TAP of every query with one algorithm against T(q): what A against B is where there is no B."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, line, texts
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import ACCENT, INK, Style
from tapviz.lists.words import count
from tapviz.measures import Tap
from tapviz.plots import scatter
from tapviz.plots.columns import NO_LINE, Columns, label_columns, mark_columns
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, THRESHOLD, Plot

ENDS = np.array([-0.12, 1.12])
"""Of the axis of TAP: above and below the points there is a line of text each."""


def axis(n_relevant: NDArray[np.int64]) -> PowerScale:
    """Axis of T(q) for these and smaller sets of queries; 0 has a place where it occurs."""
    some = n_relevant[n_relevant > 0]
    least, most = int(some.min(initial=2**31)), int(some.max(initial=1))
    return PowerScale.of(min(least, most), most, zero=bool((n_relevant == 0).any()))


def columns(
    name: str,
    at: Tap,
    query: NDArray[np.str_],
    n_relevant: NDArray[np.int64],
    totals: PowerScale,
    style: Style,
    focus: str = "",
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    name : str
        The algorithm.
    at : Tap
        At its threshold.
    query : ndarray of str, shape (Q,)
        Ids.
    n_relevant : ndarray of int, shape (Q,)
        T(q).
    totals : PowerScale
        Of T(q).
    style : Style
    focus : str, optional
        Query to mark.

    Returns
    -------
    Columns
        "focus" (x, y, color): the query to mark. "point" (x, y, color, query, total): all queries
        in their order, or none. "tooltip" (text): a template for each. "mean"
        (x, y): a line at their mean TAP, as the score table has it. "corner" (x, y, text, color):
        its label. "notice": why there are no points. "hint": what the mouse can do. "view".
    """
    ends = np.array(totals.view(0.02))
    layers: Columns = {
        "mean": NO_LINE,
        "point": scatter.no_dots(),
        "tooltip": scatter.tooltip({}),
        "focus": mark_columns([], [], []),
        **dict.fromkeys(("corner", "notice", "hint"), label_columns(0.0, 0.0, [], INK)),
        "view": {"x": ends, "y": ENDS},
    }
    if problem := scatter.undefined({name: at}):
        return layers | {"notice": scatter.notice(problem, (totals.start + totals.end) / 2, 0.5)}
    x, y = totals.position(n_relevant), at.per_query
    layers["point"] = {
        "x": x,
        "y": y,
        "color": np.full(y.size, style.color, np.object_),
        "query": query,
        "total": n_relevant,
    }
    layers["tooltip"] = scatter.tooltip({name: "y"})
    layers["focus"] = mark_columns(x[query == focus], y[query == focus], ACCENT)
    layers["mean"] = {"x": ends, "y": np.full(2, at.value)}
    label = f"mean {scatter.measured(at)} {at.value:.3f}"
    layers["corner"] = label_columns(totals.start, 1.055, [label], INK, 60)
    middle = (totals.start + totals.end) / 2
    layers["hint"] = label_columns(middle, -0.06, [scatter.MOUSE_HELP], INK, 60)
    return layers


def text(name: str, at: Tap, query: NDArray[np.str_], n_relevant: NDArray[np.int64]) -> str:
    """The plot in words.

    Parameters
    ----------
    name, at, query, n_relevant
        As in `columns`.
    """
    if problem := scatter.undefined({name: at}):
        return problem
    value = at.per_query
    low, middle, high = np.quantile(value, [0.25, 0.5, 0.75])
    sentence = (
        f"The mean {scatter.measured(at)} of {name} over {count(value.size, 'query')} is "
        f"{at.value:.3f}; "
        f"half of the queries lie from {low:.3f} to {high:.3f}, the median is {middle:.3f}."
    )
    cut = int(np.sort(n_relevant)[(value.size - 1) // 2])
    with_few = n_relevant <= cut
    if not with_few.all():
        sentence += (
            f" It is {np.median(value[with_few]):.3f} for the {count(with_few.sum(), 'query')} "
            f"with T(q) of at most {cut:,}, {np.median(value[~with_few]):.3f} for the others."
        )
    if value.max() > value.min():
        ends = [f"{query[i]} ({value[i]:.3f})" for i in (int(value.argmin()), int(value.argmax()))]
        sentence += f" The lowest is that of {ends[0]}, the highest that of {ends[1]}."
    return sentence


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    explorer, scale = data.explorer, data.settled(_scale)
    name, lists = explorer.focus_algorithm, data.lists
    at, style = explorer.tap(name), data.styles[name]
    layers = columns(name, at, lists.query, lists.n_relevant, scale, style, explorer.focus)
    x, y = (layers["view"][along].tolist() for along in "xy")
    return Picture(
        (
            line("mean", layers["mean"], INK, dash=(6,)),
            *scatter.dots(layers),
            texts("notice", layers["notice"], align="center"),
            texts("corner", layers["corner"]),
            texts("hint", layers["hint"], align="center", note=True),
        ),
        Axis("relevant records in the database (T(q), log scale)", *x, scale=scale),
        Axis("TAP, per query", *y, ticks={at / 5: f"{at / 5:g}" for at in range(6)}),
        drag="box_select",
    )


def query_at(data: PlotData, x: float, y: float, width: float, height: float) -> list[str]:
    """Queries of the dot that a click hits; see `tapviz.plots.scatter.query_at`."""
    point = picture(data).by_name["point"].columns
    return scatter.hit(point, (x, y), (width, height))


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries of a box drawn; returns why that was refused, or nothing."""
    total = data.explorer.first.n_relevant
    place = data.settled(_scale).position(total)
    inside = total[(left <= place) & (place <= right)]
    # A side beyond which there is no query is no limit.
    least = int(inside.min(initial=total.max() + 1)) if left > place.min() else 0
    most = int(inside.max(initial=0)) if right < place.max() else None
    low, high = round(bottom, 4), round(top, 4)
    return scatter.select_between(data, low, high, min_relevant=least, max_relevant=most)


def _scale(data: PlotData) -> PowerScale:
    return axis(data.explorer.first.n_relevant)


def _text(data: PlotData) -> str:
    name, lists = data.explorer.focus_algorithm, data.lists
    return text(name, data.explorer.tap(name), lists.query, lists.n_relevant)


PLOT = Plot(
    name="strip",
    title="Queries",
    caption="TAP of each query by its T(q), of",
    how_to_read=(
        "Each dot is a query, at the number of relevant records in the database, T(q), and its "
        "TAP. The dashed line is the mean. A click on a dot opens its ranked list; a box drawn "
        "over dots makes them the subset."
    ),
    printed=(
        "TAP of each query with {name} at {at}, against the number of relevant records in the "
        "database, T(q). Dashed: the mean."
    ),
    depends=(*FILTER, *THRESHOLD, "focus_algorithm", "focus"),
    picture=picture,
    text=_text,
    tab="Queries",
    of="one",
    needs="one",
    query_at=query_at,
    select=select,
)
