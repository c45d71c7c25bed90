"""ROC curves averaged over queries, with their spread for one algorithm."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from tapviz import measures as m
from tapviz.draw import picture as p
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import GHOST, brief, to_thousandths
from tapviz.lists.words import count
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, Plot, PlotData

GRID_SIZE = 80
"""False-positive rates at which curves are averaged, evenly spaced as drawn, besides 0."""
TOP = 1.02


def rates(most_irrelevant: int) -> PowerScale:
    """Axis of false-positive rates, from 0 and that of one irrelevant record to 1.

    Curves are averaged at ``rates(...).grid(GRID_SIZE)``.

    Parameters
    ----------
    most_irrelevant : int
        Largest F(q) of all queries; or, if it is unknown, most irrelevant records in a list.
    """
    # A decade at least; the smallest rate of a larger database has its own place all the same.
    return PowerScale.of(1 / max(most_irrelevant, 10), 1.0, zero=True)


def curves(data: PlotData) -> c.Chart:
    """Mean recall of each algorithm; the band of the one in focus, and a random order behind.

    Names are in the order of the areas drawn, since all curves end in the same point.
    """
    scale, grid, focus = data.settled(_scale), data.settled(_grid), data.explorer.focus_algorithm
    averaged, whole = data.each(m.average_roc, grid), data.ghosts(m.average_roc, grid)
    found = {name: one for name, one in averaged.items() if _defined(one)}
    behind = {name: one for name, one in whole.items() if name in found and _defined(one)}
    lines, ghosts = c.of_each(
        lambda one: {"x": scale.position(one.fpr), "y": one.tpr}, found, behind
    )
    rate = next((one.fpr for one in found.values()), np.zeros(0))
    rows = {name: [f"recall {at:.3f}" for at in one.tpr.tolist()] for name, one in found.items()}
    band = dict.fromkeys(p.CORNERS, np.zeros(0))
    if focus in found and np.isfinite(found[focus].lower).all():
        x = scale.position(rate)
        middle = (x[1:] + x[:-1]) / 2
        low, high = np.clip([found[focus].lower, found[focus].upper], 0, 1)
        # Boxes side by side, one around each rate.
        sides = np.append(x[:1], middle), low, np.append(middle, x[-1:]), high
        band = dict(zip(p.CORNERS, sides, strict=True))
        ends = zip(rows[focus], low, high, strict=True)
        rows[focus] = [f"{row} (band {below:.2f} to {above:.2f})" for row, below, above in ends]
    basis = f"<br><i>{_basis(found.values())}</i>" if found else ""
    heads = [f"false-positive rate {brief(value)}{basis}" for value in rate.tolist()]
    across = p.Axis("false-positive rate (log scale)", scale.start, scale.end, scale=scale)
    up = p.Axis("recall, averaged over queries", 0.0, TOP)
    read = c.Readout(scale.position(rate), heads, rows)
    best = sorted(found, key=lambda name: -float(found[name].tpr.mean()))
    made = c.line_chart(data, lines, across, up, read, ghosts=ghosts, column=best)
    chance = np.array(grid)
    by_chance = p.line("chance", {"x": scale.position(chance), "y": chance}, GHOST, dash=(2, 4))
    spread = p.boxes("band", band, data.styles[focus].color, fill_alpha=0.1, line_alpha=0)
    return made._replace(behind=(spread, by_chance, *made.behind))


def text(data: PlotData) -> str:
    """The plot in words."""
    curves, aucs = data.each(m.average_roc, data.settled(_grid)), data.each(m.auc)
    if not curves:
        return "No program is shown."
    defined = [one for one in curves.values() if _defined(one)]
    reasons = {one.reason for one in curves.values()}
    if len(reasons) == 1 and not defined:
        return f"There is no ROC curve: {reasons.pop()}."
    parts = [
        f"{name} {to_thousandths(aucs[name].value)} and {to_thousandths(float(one.tpr[0]))}"
        if _defined(one)
        else f"{name} undefined ({one.reason})"
        for name, one in curves.items()
    ]
    sentence = f"Mean AUC, and recall before the first false positive: {'; '.join(parts)}."
    if not defined:
        return sentence
    least, most = (f(one.n_queries for one in defined) for f in (min, max))
    queries = count(most, "query") if least == most else f"{least:,} to {count(most, 'query')}"
    over = f"{queries} with relevant and irrelevant records; {_basis(defined)}"
    return f"{sentence} Averaged over {over}."


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    return data.curves(PLOT.name, lambda: curves(data)).picture()


def _scale(data: PlotData) -> PowerScale:
    first = data.explorer.first
    if first.n_irrelevant is not None:
        return rates(int(first.n_irrelevant.max(initial=1)))
    lists = data.explorer.results.values()
    most = [m.errors_per_query(one, one.sign * np.inf).max(initial=1) for one in lists]
    return rates(int(max(most)))


def _grid(data: PlotData) -> tuple[float, ...]:
    return tuple(data.settled(_scale).grid(GRID_SIZE).tolist())


def _defined(one: m.AverageRoc) -> bool:
    return bool(np.isfinite(one.tpr).all())


def _basis(defined: Collection[m.AverageRoc]) -> str:
    """What false-positive rates are relative to."""
    kinds = {one.retrieved_only for one in defined}
    if kinds == {False}:
        return "beyond the end of each list: a straight line (random order)"
    if kinds == {True}:
        return "only retrieved records count, since the number of irrelevant ones is not known"
    return "of some programs only retrieved records count: the curves are not comparable"


PLOT = Plot(
    name="average_roc",
    title="ROC",
    caption="mean of queries · band ±1.96 SD of",
    how_to_read="""Recall against the share of irrelevant records retrieved, averaged over queries
    at each rate. The dotted line is a random order; the band is 1.96 standard deviations on either
    side for the program in focus.""",
    whole=True,
    printed="""Recall against the share of irrelevant records retrieved, averaged over queries at
    each rate. Band: 1.96 standard deviations on either side, for {name}; dotted: random order.""",
    depends=(*FILTER, "algorithms", "focus_algorithm"),
    picture=picture,
    text=text,
    tab="ROC",
    beside="roc",
    of="one",
)
