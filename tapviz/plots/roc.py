"""ROC_n: relevant records retrieved before each error, averaged over queries and pooled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tapviz import measures as m
from tapviz.draw import picture as p
from tapviz.draw.style import ACCENT, to_thousandths
from tapviz.lists import RetrievalLists
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, Plot, PlotData
from tapviz.state import MAX_N

DRAWN_ERRORS = 100
"""Error counts at which a curve of 1,000 is drawn."""
TICKS = {float(n): f"{n:,}" for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)}


def curves(data: PlotData) -> c.Chart:
    """Thick the mean of the queries' curves, thin the pooled ones behind.

    ROC_n is the mean height over the errors 1 to n.
    """
    found, behind = (of(m.roc_n_curve, n=most_drawn(data)) for of in (data.each, data.ghosts))
    errors = _drawn(data)
    x = errors.astype(np.float64)
    average, ghosts = c.of_each(lambda one: {"x": x, "y": one.average[errors - 1]}, found, behind)
    (pooled,) = c.of_each(lambda one: {"x": x, "y": one.pooled[errors - 1]}, found)

    def said(mean: float, merged: float) -> str:
        return f"mean per query {mean:.3f}, pooled {merged:.3f}"

    rows = {name: [*map(said, average[name]["y"], pooled[name]["y"])] for name in found}
    heights = [one.average for one in (*found.values(), *behind.values())]
    heights += [one.pooled for one in found.values()]
    top = c.ceiling([one.max(initial=0) for one in heights])
    title, last = "errors: irrelevant records seen (log scale)", float(errors[-1])
    across = p.Axis(title, 1.0, last, log=True, ticks=TICKS)
    up = p.Axis("fraction of relevant found", 0.0, top)
    read = c.Readout(x, [f"found before error {at:,}" for at in errors.tolist()], rows)
    made = c.line_chart(data, average, across, up, read, ghosts=ghosts, kind="average ", width=2.2)
    thin = c.each_line(data, "pooled ", pooled, width=1.1, alpha=0.6)
    return made._replace(lines=(*thin, *made.lines))


def _drawn(data: PlotData) -> NDArray[np.int64]:
    """Errors at which curves are drawn."""
    return np.unique(np.geomspace(1, most_drawn(data), DRAWN_ERRORS).round().astype(np.int64))


def text(data: PlotData) -> str:
    """The plot in words: ROC_n is the mean height of a curve over the first n errors."""
    n = data.explorer.n
    parts = [
        f"{name} {to_thousandths(float(one.average[:n].mean()))} mean per query, "
        f"{to_thousandths(float(one.pooled[:n].mean()))} pooled"
        if n <= one.errors.size
        else f"{name} was not kept so far"
        for name, one in data.each(m.roc_n_curve, n=most_drawn(data)).items()
    ]
    return f"ROC_{n}: {'; '.join(parts) or 'no program is shown'}."


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    found, focus = data.curves(PLOT.name, lambda: curves(data)), _focus(data)
    # The query in focus must have room.
    highest = float(focus["y"].max(initial=0))
    top = max(found.y.end, c.ceiling([highest]) if highest else 0.0)
    return found._replace(y=replace(found.y, end=top)).picture(
        p.line("focus", focus, ACCENT, width=2.6, moving=True),
        c.upright(data.explorer.n, drags="n"),
    )


def bands(data: PlotData) -> list[p.Layer]:
    """Intervals of the means per query; pooled curves are not means."""
    errors = _drawn(data)

    def values(_: str, lists: RetrievalLists) -> list[c.Array]:
        return [m.sensitivity_to_error(lists, n=n, ties="block").per_query for n in errors.tolist()]

    return c.mean_bands(data, errors.astype(np.float64), values)


def most_drawn(data: PlotData) -> int:
    """Errors that the curves go to: as many as were kept of all lists."""
    results = data.explorer.results.values()
    return min([MAX_N, *(one.kept.n_errors for one in results if one.kept is not None)])


def _focus(data: PlotData) -> c.Columns:
    """Columns of the curve of the query in focus, of the algorithm in focus, if there is one."""
    explorer, name = data.explorer, data.explorer.focus_algorithm
    if not explorer.focus or name not in explorer.shown:
        return c.NO_LINE
    lists = explorer.results[name]

    def made() -> m.RocCurve:
        return m.roc_n_curve(lists.subset(lists.query == explorer.focus), n=most_drawn(data))

    curve = explorer.once("focus ROC", (lists, explorer.focus), made).average
    if not np.isfinite(curve).all():
        return c.NO_LINE
    # Its steps are all there is to see: where it rises, and both ends.
    change = np.flatnonzero(np.diff(curve)) + 1
    at = np.unique(np.concatenate([[0], change - 1, change, [curve.size - 1]]).astype(int))
    return {"x": at + 1.0, "y": curve[at]}


PLOT = Plot(
    name="roc",
    title="ROC<sub>n</sub>",
    caption="ROC<sub>{n}</sub>: left of the line · thick: mean per query · thin: pooled",
    how_to_read="""The fraction of relevant records retrieved before each error. Thick lines average
    the queries' own curves; thin ones merge the lists of all queries by E-value first. ROCₙ is the
    mean height of a curve left of the line at n.""",
    printed="""Share of the relevant records retrieved before each error. Thick: mean of the
    queries' curves; thin: lists of all queries merged by {score}. Vertical line: n = {n}.""",
    depends=(*FILTER, "n", "algorithms", "focus_algorithm", "focus"),
    picture=picture,
    text=text,
    tab="ROCₙ",
    bands=bands,
)
