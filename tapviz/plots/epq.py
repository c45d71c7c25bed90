"""Distribution of errors per query against the threshold, for one algorithm."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tapviz import measures as m
from tapviz.draw import picture as p
from tapviz.draw.style import INK, Style, brief, number
from tapviz.lists import all_kept, count, measured_to
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, THRESHOLD, Plot, PlotData
from tapviz.scores import named

BOX_EVERY = 4
"""Of the thresholds at which errors are counted, every fourth gets a box."""
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000)
DASH = (5, 4)
"""Of means."""


def height(errors: ArrayLike) -> c.Array:
    """Where a number of errors is drawn: log10(1 + errors), which has a 0 and shows 1 and 1,000."""
    return np.log10(1 + np.asarray(errors, np.float64))


def curves(data: PlotData) -> c.Chart:
    """The distribution, which no choice of a threshold changes.

    Median and mean of the algorithm in focus; where it reported, boxes of the quartiles, and
    whiskers to minimum and maximum; and the means of the other algorithms behind.
    """
    axis, name = data.axis, data.explorer.focus_algorithm
    epqs, color = _distributions(data), data.styles[name].color
    ends = {one: measured_to(lists) for one, lists in data.explorer.lists.items()}
    epq, end, sign = epqs[name], c.end_place(axis, ends[name]), np.sign(axis.end - axis.start) or 1
    x = axis.position(epq.threshold)
    every = slice(None, None, BOX_EVERY)
    step = float(np.median(np.diff(x[every]))) if x[every].size > 1 else 1.0
    boxed = np.isfinite(epq.median[every]) & ~(sign * x[every] > sign * end)
    at, side = x[every][boxed], 0.32 * abs(step)
    quarters = (epq.minimum, epq.q1, epq.q3, epq.maximum)
    least, q1, q3, most = (height(one[every][boxed]) for one in quarters)

    def said(mean: float, *quartiles: float) -> str:
        low, q1, middle, q3, high = (f"{one:,.0f}" for one in quartiles)
        spread = f"min {low}, Q1 {q1}, {epq.median_name} {middle}, Q3 {q3}, max {high}"
        return f"mean {number(mean)} ({spread})"

    rows = {one: [f"mean {number(mean)}" for mean in epqs[one].mean] for one in epqs}
    rows[name] = [*map(said, epq.mean, epq.minimum, epq.q1, epq.median, epq.q3, epq.maximum)]
    top = float(height(data.settled(most_errors))) * 1.04
    ticks = {float(height(errors)): f"{errors:,}" for errors in TICKS}
    made = c.line_chart(
        data,
        {"mean": {"x": x, "y": height(epq.mean)}, "median": {"x": x, "y": height(epq.median)}},
        c.threshold_axis(axis, axis.start, axis.end),
        p.Axis("errors per query", 0.0, top, ticks=ticks, inverse=lambda at: 10**at - 1),
        c.at_thresholds(data, epq.threshold, rows),
        ends=dict.fromkeys(("median", "mean"), end),
        styles={"median": Style(color, ()), "mean": Style(color, DASH)},
        kind="",
        width={"median": 2.2, "mean": 1.6},
        below=0.03,
    )
    means = {}
    for other in [one for one in epqs if one != name]:
        measured = sign * x <= sign * axis.position(ends[other])
        means[other] = {"x": x[measured], "y": height(epqs[other].mean[measured])}
    whiskers = {"x0": at, "y0": least, "x1": at, "y1": most}
    quartiles = {"x0": at - side, "y0": q1, "x1": at + side, "y1": q3}
    others = c.each_line(data, "mean ", means, dash=DASH, alpha=c.FAINT)
    whisker = p.segments("whisker", whiskers, color, alpha=0.55)
    box = p.boxes("box", quartiles, color, fill_alpha=0.22, line_alpha=0.7)
    return made._replace(behind=(*others, whisker, box))


def text(data: PlotData) -> str:
    """The plot in words."""
    name = data.explorer.focus_algorithm
    epq, case = _distributions(data)[name], data.explorer.case(name)
    threshold, median, mean = map(case.value, map(named, ("threshold", "median_epq", "mean_epq")))
    if not epq.n_queries:
        return "No query is selected."
    median_last = f"with the median query at {epq.median[-1]:,.0f}"
    most = f"at most {count(epq.maximum[-1], 'error')}, {median_last}"
    at_threshold = ""
    if np.isfinite(threshold) and np.isnan(median):
        at_threshold = f"at {brief(threshold)} the errors of {name} were not measured; "
    elif np.isfinite(threshold):
        at_threshold = (
            f"at {brief(threshold)} the median query of {name} has {count(median, 'error')} and "
            f"the mean is {number(mean)}; "
        )
    kept = all(map(all_kept, data.explorer.results.values()))
    reach = "over all records" if kept else f"at {brief(data.axis.high)}"
    sentence = f"{at_threshold}{reach} {most}."
    return sentence[0].upper() + sentence[1:]


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    name, axis = data.explorer.focus_algorithm, data.axis
    case, found = data.explorer.case(name), data.curves(PLOT.name, lambda: curves(data))
    threshold, median = map(case.value, map(named, ("threshold", "median_epq")))
    x, y = float(axis.position(threshold)), float(height(median))
    at = x if np.isfinite([x, y]).all() else None
    level = c.NO_LINE if at is None else {"x": np.array([axis.start, axis.end]), "y": np.full(2, y)}
    lines = p.line("level", level, INK, alpha=0.5, moving=True), c.upright(at, 0.0, 5.0, drags="e0")
    mark = c.diamonds(data, {name: (x, y)}, "mark")
    return found._replace(behind=(*found.behind, *lines)).picture(mark)


def most_errors(data: PlotData) -> int:
    """Most errors that any query has with any algorithm."""
    lists = data.explorer.results.values()
    return max(int(m.errors_per_query(one, data.axis.high).max(initial=1)) for one in lists)


def _distributions(data: PlotData) -> dict[str, m.EpqDistribution]:
    """Of each algorithm shown, and of the one in focus."""
    name, grid = data.explorer.focus_algorithm, data.settled(c.epq_grid)
    found = data.each(m.epq_distribution, grid)
    return {**found, name: data.explorer.measure(m.epq_distribution, name, grid)}


PLOT = Plot(
    name="epq",
    title="Errors per query",
    caption="box: quartiles, whisker: range, of",
    how_to_read="""At each threshold, a box holds the middle half of the queries by their number of
    errors, that is, irrelevant records retrieved; the whisker reaches from the fewest to the most.
    The solid line is the median query (the upper of the two in the middle if the number of queries
    is even), the dashed line the mean, which a few queries with many errors pull up. Both are faint
    and hatched where the program had stopped reporting; other faint lines are the means of the
    other programs.""",
    printed="""Irrelevant records retrieved for each query by {name}. Boxes: quartiles of the
    queries; whiskers: least and most; solid line: median; dashed line: mean; diamond: at {at}.""",
    depends=(*FILTER, *THRESHOLD, "algorithms", "focus_algorithm"),
    picture=picture,
    text=text,
    of="one",
)
