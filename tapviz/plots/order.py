"""Ranking of the algorithms by TAP-k against k: lines cross where the choice of k decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tapviz.draw import picture as p
from tapviz.measures import TapByK, flips, ranks, tap_by_k
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, Plot, PlotData
from tapviz.state import MAX_K

TICKS = {float(k): str(k) for k in (1, 2, 5, 10, 20, 50, 100)}
MAX_TEXT_CHANGES = 3
"""Changes of the ranking that the text lists one by one."""


def curves(data: PlotData) -> c.Chart:
    """Minus the rank at each k, so that the best is on top, as far as TAP-k is defined."""
    by_k, whole = (_by_k(data, of) for of in (data.each, data.ghosts))
    x = np.arange(1.0, MAX_K + 1)
    place, behind = (dict(zip(some, -places(some), strict=True)) for some in (by_k, whole))
    defined = {name: np.isfinite(y) for name, y in place.items()}

    def said(k: float, rank: float, tap: float) -> str:
        return "undefined" if np.isnan(tap) else f"no. {-rank:g}, TAP-{k:g} {tap:.3f}"

    rows = {name: [*map(said, x, place[name], one.tap)] for name, one in by_k.items()}
    title = "k: errors per query at the threshold (log scale)"
    numbers = {-float(rank): str(rank) for rank in range(1, len(data.styles) + 1)}
    lowest = -max(len(by_k), 1) - 0.5
    lines = {name: {"x": x[some], "y": place[name][some]} for name, some in defined.items()}
    ghosts = {name: {"x": x, "y": y} for name, y in behind.items() if defined[name].any()}
    across = p.Axis(title, 1.0, MAX_K, log=True, ticks=TICKS)
    up = p.Axis("rank by TAP-k", lowest, -0.5, ticks=numbers, inverse=np.negative)
    read = c.Readout(x, [f"k = {k:g}" for k in x], rows)
    return c.line_chart(data, lines, across, up, read, ghosts=ghosts)


def places(by_k: Mapping[str, TapByK]) -> c.Array:
    """Ranks, (A, K), in which one that has no TAP-k any more keeps its place: no other rises."""
    found = ranks(by_k)
    known = np.isfinite(found)
    free = before = np.zeros(0)
    for k, now in enumerate(known.T):
        if not now.any():
            break
        if not k:
            free = np.arange(1.0, now.sum() + 1)
        elif now.sum() < (last := known[:, k - 1]).sum():
            order = np.argsort(np.argsort(before[last], kind="stable"))
            free = np.sort(free[order][now[last]])
        before = found[:, k].copy()
        found[now, k] = np.interp(before[now], np.arange(1.0, free.size + 1), free)
    return found


def text(by_k: Mapping[str, TapByK]) -> str:
    """The plot in words: where the ranking changes."""
    if len(by_k) < 2:  # noqa: PLR2004
        return "Fewer than two programs are shown: there is no ranking."
    last = {name: int(np.isfinite(one.tap).sum()) for name, one in by_k.items()}
    ranked = [k for k in last.values() if k]
    if len(ranked) < 2:  # noqa: PLR2004
        return "Fewer than two of the programs have a TAP-k: there is no ranking."
    changes = flips(by_k)
    if not changes:
        most = min(ranked)
        same = f"is the same for every k from 1 to {most}"
        where = same if most > 1 else "is known at k = 1 only"
        ends = next(name for name, k in last.items() if k == most)
        beyond = f"; {ends} has no TAP-k beyond" if most < MAX_K else ""
        return f"The ranking of the programs by TAP-k {where}{beyond}."
    told = changes[:MAX_TEXT_CHANGES]
    flip_texts = [f"from k = {one.k} on {one.rises} ranks above {one.falls}" for one in told]
    if len(changes) > len(told):
        flip_texts.append(f"and {len(changes) - len(told)} more")
    return f"The ranking by TAP-k depends on k: {'; '.join(flip_texts)}."


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    made = data.curves(f"{PLOT.name} {data.explorer.quantile}", lambda: curves(data))
    return made.picture(c.upright(data.explorer.k, -1000.0, 0.0))


def _by_k(data: PlotData, of: Callable[..., dict[str, TapByK]]) -> dict[str, TapByK]:
    return of(tap_by_k, max_k=MAX_K, quantile=data.explorer.quantile)


PLOT = Plot(
    name="order",
    title="Ranking by k",
    caption="of the programs by TAP-k · lines that cross: the choice of k decides",
    how_to_read="""The rank of each program by TAP-k, for every k. Where lines cross, the choice of
    k decides which program comes out ahead. A program without a TAP-k beyond some k keeps its rank
    there, so that no other rises by that.""",
    printed="""Rank of each program by TAP-k, for every k. Lines that cross: the ranking depends on
    k.""",
    depends=(*FILTER, "k", "quantile", "algorithms"),
    picture=picture,
    text=lambda data: data.curves(
        f"order {data.explorer.quantile} in words", lambda: text(_by_k(data, data.each))
    ),
    tab="Ranking",
    beside="differences",
)
