"""TAP of every query with one algorithm against T(q): what A against B is where there is no B."""

from __future__ import annotations

import numpy as np

from tapviz.draw import picture as p
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import INK, Style
from tapviz.lists.checks import Ints
from tapviz.lists.words import count
from tapviz.measures import Tap
from tapviz.plots import columns as c
from tapviz.plots import scatter
from tapviz.plots.plot import FILTER, THRESHOLD, Plot, PlotData
from tapviz.plots.scatter import Ids


def axis(n_relevant: Ints) -> PowerScale:
    """Axis of T(q) for these and smaller sets of queries; 0 has a place where it occurs."""
    some = n_relevant[n_relevant > 0]
    least, most = int(some.min(initial=2**31)), int(some.max(initial=1))
    return PowerScale.of(min(least, most), most, zero=bool((n_relevant == 0).any()))


def drawn(
    name: str, at: Tap, query: Ids, total: Ints, scale: PowerScale, style: Style, focus: str = ""
) -> p.Picture:
    """The plot of one algorithm.

    Parameters
    ----------
    name : str
        The algorithm.
    at : Tap
        At its threshold.
    query : ndarray of str, shape (Q,)
        Ids.
    total : ndarray of int, shape (Q,)
        T(q).
    scale : PowerScale
        Of T(q).
    style : Style
    focus : str, optional
        Query to mark.

    Returns
    -------
    Picture
        "mean" (x, y): a line at their mean TAP, as the score table has it. "point" (x, y, color,
        query, total): all queries in their order, or none. "focus" (x, y, color): the query to
        mark. "notice": why there are no points. "corner" (x, y, text, color): the mean in words.
    """
    problem = scatter.undefined({name: at})
    room = 0.02 * ((scale.end - scale.start) or 1.0)
    start, end = scale.start - room, scale.end + room
    x, y = scale.position(total), at.per_query
    color = np.full(y.size, style.color, np.object_)
    point = {"x": x, "y": y, "color": color, "query": query, "total": total}
    mean = {"x": np.array([start, end]), "y": np.full(2, at.value)}
    label = [f"mean {scatter.measured(at)} {at.value:.3f}"]
    layers = (
        p.line("mean", mean, INK, dash=(6,), moving=True),
        scatter.dots(point, {name: "y"}, 6.0),
        scatter.ring(x, y, query == focus),
        scatter.notice(problem, (scale.start + scale.end) / 2, 0.5),
        p.texts("corner", c.label_columns(scale.start, 1.055, label, INK, 60), moving=True),
    )
    return p.Picture(
        scatter.shown(layers, problem),
        p.Axis("relevant records in the database (T(q), log scale)", start, end, scale=scale),
        p.Axis("TAP, per query", *scatter.HEIGHTS, ticks=c.FIFTHS),
        drag="box_select",
    )


def text(name: str, at: Tap, query: Ids, n_relevant: Ints) -> str:
    """The plot in words.

    Parameters
    ----------
    name, at, query, n_relevant
        As in `drawn`.
    """
    if problem := scatter.undefined({name: at}):
        return problem
    value = at.per_query
    low, middle, high = np.quantile(value, [0.25, 0.5, 0.75])
    mean = f"The mean {scatter.measured(at)} of {name} over {count(value.size, 'query')}"
    half = f"half of the queries lie from {low:.3f} to {high:.3f}"
    sentence = f"{mean} is {at.value:.3f}; {half}, the median is {middle:.3f}."
    cut = int(np.sort(n_relevant)[(value.size - 1) // 2])
    with_few = n_relevant <= cut
    if not with_few.all():
        few, many = (f"{np.median(value[some]):.3f}" for some in (with_few, ~with_few))
        most = f"the {count(with_few.sum(), 'query')} with T(q) of at most {cut:,}"
        sentence += f" It is {few} for {most}, {many} for the others."
    if value.max() > value.min():
        ends = [f"{query[i]} ({value[i]:.3f})" for i in (int(value.argmin()), int(value.argmax()))]
        sentence += f" The lowest is that of {ends[0]}, the highest that of {ends[1]}."
    return sentence


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    style = data.styles[data.explorer.focus_algorithm]
    return drawn(*_shown(data), data.settled(_scale), style, data.explorer.focus)


def _shown(data: PlotData) -> tuple[str, Tap, Ids, Ints]:
    name = data.explorer.focus_algorithm
    return name, data.explorer.tap(name), data.lists.query, data.lists.n_relevant


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries of a box drawn; returns why that was refused, or nothing."""
    total = data.explorer.first.n_relevant
    place = data.settled(_scale).position(total)
    inside = total[(left <= place) & (place <= right)]
    # A side beyond which there is no query is not a limit.
    least = int(inside.min(initial=total.max() + 1)) if left > place.min() else 0
    most = int(inside.max(initial=0)) if right < place.max() else None
    low, high = round(bottom, 4), round(top, 4)
    return scatter.select_between(data, low, high, min_relevant=least, max_relevant=most)


def _scale(data: PlotData) -> PowerScale:
    return axis(data.explorer.first.n_relevant)


PLOT = Plot(
    name="strip",
    title="Queries",
    caption="TAP of each query by its T(q), of",
    how_to_read="""Each dot is a query, at the number of relevant records in the database, T(q), and
    its TAP. The dashed line is the mean. Click a dot to open its ranked list; draw a box over dots
    to make them the subset.""",
    printed="""TAP of each query with {name} at {at}, against the number of relevant records in the
    database, T(q). Dashed: the mean.""",
    depends=(*FILTER, *THRESHOLD, "focus_algorithm", "focus"),
    picture=picture,
    text=lambda data: text(*_shown(data)),
    tab="Queries",
    of="one",
    needs="one",
    query_at=lambda data, *click: scatter.hit(picture(data), *click),
    select=select,
)
