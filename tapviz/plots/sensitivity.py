"""Queries sorted by the sensitivity up to the n-th error, against their share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from tapviz.draw import picture as p
from tapviz.draw.style import INK, to_thousandths
from tapviz.lists.words import count, percent
from tapviz.measures import PerQuery, sensitivity_to_error
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, Plot, PlotData
from tapviz.state import Range
from tapviz.state.queries import most_errors

TOP = 1.02
SHARES = np.arange(1, 21) / 20
"""Shares of the queries at which the read-out tells the sensitivity."""
STEP = 1.12
"""From one panel to the next, in widths of a panel."""
NO_LINE_THERE = "There is no line in the box. The selection is unchanged."
TOLERANCE = 1e-12
"""Shares are sums of weights."""


class Values(NamedTuple):
    """A score of each query, and its mean."""

    value: float
    per_query: c.Array


Judged = PerQuery | Values


def curves(
    data: PlotData,
    results: Mapping[str, Judged],
    weights: c.Array,
    titles: tuple[str, str] = ("share of the queries, best first", "found before error n"),
    *,
    ghosts: Mapping[str, Judged] | None = None,
    alike: Mapping[str, int] | None = None,
    limits: tuple[float, float] = (0.0, TOP),
    right: float = c.NAME_MARGIN,
) -> c.Chart:
    """Lay out scores of queries, sorted: a share x has y at least; the area below is the mean.

    Parameters
    ----------
    data : PlotData
    results : mapping of str to PerQuery
        Sensitivity, or another score, of each query, of each algorithm shown.
    weights : ndarray of float, shape (Q,)
        Of the queries.
    titles : (str, str)
        Of the axes.
    ghosts : mapping of str to PerQuery, optional
        The same of all queries, while a subset is selected.
    alike : mapping of str to int, optional
        Equal where the same queries and algorithm have the same scores.
    limits : (float, float)
        Ends of the axis of scores.
    right : float
        Room for names, which are in the order of the means, in widths of the plot.
    """
    explorer = data.explorer

    def made(name: str) -> tuple[c.Columns, list[str]]:
        line = _sorted(results[name], weights)
        scores = _at(line, SHARES).tolist() if line["x"].size else []
        return line, [f"at least {score:.3f}" for score in scores]

    lines = {
        name: explorer.once(("sorted", name), (explorer.lists, alike[name]), partial(made, name))
        if alike
        else made(name)
        for name in results
    }
    found = {name: line for name, (line, _) in lines.items() if line["x"].size}
    rows = {name: lines[name][1] for name in found}
    whole = next(iter(explorer.all_lists.values())).weight
    across, up = p.Axis(titles[0], 0.0, 1.0, ticks=c.FIFTHS), p.Axis(titles[1], *limits)
    read = c.Readout(SHARES, [f"the best {one:.0%} of the queries" for one in SHARES], rows)
    behind = {name: _sorted(one, whole) for name, one in (ghosts or {}).items()}
    best = sorted(found, key=lambda name: -results[name].value)
    return c.line_chart(
        data, found, across, up, read, ghosts=behind, column=best, left=0.0, right=right
    )


def keep_brushed(
    data: PlotData,
    results: Mapping[str, Judged],
    weights: c.Array,
    box: tuple[float, float, float, float],
    quantity: str,
    at: float,
    other: str,
) -> str:
    """Keep the queries whose scores a box holds of a line; returns why not, or nothing.

    Parameters
    ----------
    data : PlotData
    results, weights
        As in `curves`.
    box : (float, float, float, float)
        Its left, right, lower and upper end. Of several lines the one nearest to its middle counts.
    quantity, at, other
        As in `Range`, which has the algorithm of that line, and its lowest and highest score there.
    """
    left, right, bottom, top = box
    middle, height = (left + right) / 2, (bottom + top) / 2
    found = {}
    for name, result in results.items():
        curve = _sorted(result, weights)
        starts, ends, score = curve["x"][::2], curve["x"][1::2], curve["y"][::2]
        inside = (ends > left) & (starts < right) & (bottom <= score) & (score <= top)
        if inside.any():
            away = abs(float(_at(curve, middle)) - height)
            found[name] = (away, float(score[inside].min()), float(score[inside].max()))
    if not found:
        return NO_LINE_THERE
    name = min(found, key=lambda one: found[one][0])
    _, low, high = found[name]
    return data.explorer.keep(Range(quantity, name, at, low, high, other))


def panels(parts: Mapping[str, c.Chart]) -> p.Picture:
    """Several charts side by side as one picture.

    Parameters
    ----------
    parts : mapping of str to Chart
        Of `curves`, by the titles of the panels.

    Returns
    -------
    Picture
        The same layers, the first panel from x = 0 to 1, the next from `STEP` on; names stand right
        of the last. "panel" (x, y, text, color): the titles. "edge" (x0, y0, x1, y1): left of each
        but the first.
    """
    starts = STEP * np.arange(len(parts))

    def joined(layers: tuple[p.Layer, ...]) -> p.Layer:
        moved = [
            {**layer.columns, "x": layer.columns["x"] + start}
            for layer, start in zip(layers, starts, strict=True)
        ]
        if layers[0].kind == "line":
            columns = c.joined([(one["x"], one["y"]) for one in moved])
        elif layers[0].kind == "texts":
            columns = moved[-1]
        else:
            columns = {key: np.concatenate([one[key] for one in moved]) for key in moved[0]}
        return replace(layers[0], columns=columns)

    charts = [*parts.values()]
    first = charts[0]
    low, high = first.y.start, first.y.end
    titles = c.label_columns(starts + 0.98, high - 0.06 * (high - low), [*parts], INK)
    between = starts[1:]
    edges = dict(zip(p.CORNERS, np.broadcast_arrays(between, low, between, high), strict=True))
    ticks = {start + share: f"{share:g}" for start in starts.tolist() for share in (0, 0.5, 1)}
    last = float(starts[-1]) + 1
    end = last + len(parts) * c.NAME_MARGIN
    whole = first._replace(
        behind=tuple(map(joined, zip(*(one.behind for one in charts), strict=True))),
        lines=tuple(map(joined, zip(*(one.lines for one in charts), strict=True))),
        top=tuple(map(joined, zip(*(one.top for one in charts), strict=True))),
        x=replace(first.x, end=end, data_end=last, ticks=ticks),
    )
    edge = p.segments("edge", edges, INK, width=0.8)
    panel = p.texts("panel", titles, align="right")
    return whole.picture(edge, panel, drag="box_select")


def _text(results: Mapping[str, PerQuery], n: int) -> str:
    """One panel in words: the area below a curve is the mean."""

    def said(one: PerQuery) -> str:
        nothing = percent(np.mean(one.per_query[~np.isnan(one.per_query)] == 0))
        return f"{to_thousandths(one.value)} ({nothing} of queries find nothing)"

    start = f"Mean sensitivity up to error no. {n:,}: "
    sentence = c.each_in_words(results, "sensitivity", start, said)
    known = [one.n_queries for one in results.values() if not one.reason]
    over = f" Over {count(known[0], 'query')} with relevant records." if known else ""
    return sentence + over


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    levels, n, lists = by_level(data), data.explorer.n, data.explorer.lists
    if levels:
        return panels({level: curves(data, *found) for level, found in levels.items()})
    found, ghosts = {}, {}
    if not c.not_kept_words(lists.values(), errors=n):
        found, ghosts = data.each(sensitivity_to_error, n=n), data.ghosts(sensitivity_to_error, n=n)
    most = data.curves("most errors", lambda: {name: most_errors(of) for name, of in lists.items()})
    # When n passes all errors of a program, it has found all that it ever will.
    alike = {name: min(n, most[name] + 1) for name in found}
    made = curves(data, found, data.lists.weight, ghosts=ghosts, alike=alike)
    return made.picture(drag="box_select")


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries of a line that are in a box drawn; returns why not, or nothing."""
    n = data.explorer.n
    levels = by_level(data) or {"": (data.each(sensitivity_to_error, n=n), data.lists.weight)}
    # The panel below the middle of the box.
    place = min(max(int((left + right) / 2 / STEP), 0), len(levels) - 1)
    standard, start = [*levels][place], STEP * place
    results, weights = levels[standard]
    box = left - start, right - start, bottom, top
    return keep_brushed(data, results, weights, box, "found", float(n), standard)


def by_level(data: PlotData) -> dict[str, tuple[dict[str, PerQuery], c.Array]]:
    """Sensitivities of the algorithms shown, and weights of the queries, by each standard.

    Empty where the results can be judged by one alone.
    """
    explorer, n = data.explorer, data.explorer.n

    def found(level: str, name: str) -> PerQuery:
        lists = explorer.judged(level)[name]
        made = partial(sensitivity_to_error, lists, n=n)
        return explorer.once(("sensitivity", level, name), (lists, n), made)

    levels = {}
    for level in explorer.judging:
        weight = next(iter(explorer.judged(level).values())).weight
        levels[level] = {name: found(level, name) for name in explorer.shown}, weight
    return levels


def _sorted(result: Judged, weights: c.Array) -> c.Columns:
    """Steps of the sorted sensitivities against the share of the queries: corners only."""
    known = ~np.isnan(result.per_query)
    if not known.any():
        return c.NO_LINE
    height, weights = result.per_query[known], weights[known]
    if (weights == weights[0]).all():
        height = -np.sort(-height)  # in a tenth of the time
    else:
        order = np.argsort(-height, kind="stable")
        height, weights = height[order], weights[order]
    share = np.cumsum(weights)
    share /= share[-1]
    last = np.append(np.flatnonzero(np.diff(height)), height.size - 1)
    end, height = share[last], height[last]
    start = np.append(0.0, end[:-1])
    return {"x": np.column_stack([start, end]).ravel(), "y": np.repeat(height, 2)}


def _at(curve: p.Columns, share: float | c.Array) -> c.Array:
    """Sensitivity that shares of the queries reach."""
    x, y = curve["x"], curve["y"]
    return y[np.minimum(np.searchsorted(x, share - TOLERANCE), y.size - 1)]


def text(data: PlotData) -> str:
    """The plot in words."""
    n, levels = data.explorer.n, by_level(data)
    if not levels:
        unknown = c.not_kept_words(data.explorer.lists.values(), errors=n)
        return unknown or _text(data.each(sensitivity_to_error, n=n), n)
    parts = [f"{level.capitalize()}: {_text(found, n)}" for level, (found, _) in levels.items()]
    return " ".join(parts)


PLOT = Plot(
    name="sensitivity",
    title="Sensitivity to error n",
    caption="Relevant records before error no. {n}, queries sorted by it · area: the mean",
    how_to_read="""Each query's share of relevant records that come before its n-th error, sorted
    from the best query to the worst. The area below a curve is the mean. With n = 1 it is the
    figure that Foldseek and MMseqs2 usually report. Draw a box over a line to make its queries the
    subset. Files judged by classes have a panel each for family, superfamily and fold.""",
    printed="""Share of the relevant records retrieved before error no. {n}, queries sorted by it.
    The area below a curve is the mean.""",
    depends=(*FILTER, "n", "algorithms"),
    picture=picture,
    text=text,
    tab="Sensitivity",
    beside="nth_error",
    select=select,
)
