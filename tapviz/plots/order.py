"""Ranking of the algorithms by TAP-k against k: lines cross where the choice of k decides."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tapviz.choices import MAX_K
from tapviz.draw.picture import Axis, Picture, line
from tapviz.draw.style import INK, Style
from tapviz.measures import TapByK, flips, ranks, tap_by_k
from tapviz.plots.columns import (
    NAME_OFFSET,
    Columns,
    each_line,
    end_names,
    joined,
    last_x,
    log_view,
    readout_columns,
    top_layers,
)
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, Plot

TICKS = (1, 2, 5, 10, 20, 50, 100)
MAX_TEXT_CHANGES = 3
"""Changes of the ranking that the text lists one by one."""


def columns(
    by_k: Mapping[str, TapByK],
    styles: Mapping[str, Style],
    *,
    ghosts: Mapping[str, TapByK] | None = None,
) -> Columns:
    """Layers of the lines.

    Parameters
    ----------
    by_k : mapping of str to TapByK
        TAP-k of each algorithm shown, all for the same k.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    ghosts : mapping of str to TapByK, optional
        The same for all queries, while a subset is selected.

    Returns
    -------
    Columns
        "curve NAME" (x, y): x is k, y minus the rank, so that the best is on top; empty
        where TAP-k is undefined. "name": texts at the ends. "ghost". "readout". "view".
    """
    place = {name: -rank for name, rank in zip(by_k, ranks(by_k), strict=True)}
    before = {name: -rank for name, rank in zip(ghosts or {}, ranks(ghosts or {}), strict=True)}
    most = max((one.tap.size for one in by_k.values()), default=1)
    k = np.arange(1, most + 1)
    x = k.astype(np.float64)
    layers: Columns = {}
    ranked = {name: y for name, y in place.items() if np.isfinite(y).any()}
    for name in styles:
        some = np.isfinite(ranked.get(name, np.full(most, np.nan)))
        layers[f"curve {name}"] = {"x": x[some], "y": ranked.get(name, x)[some]}
    layers["ghost"] = joined({name: (x, y) for name, y in before.items() if name in ranked})
    ends = {name: float(y[np.isfinite(y)][-1]) for name, y in ranked.items()}
    bottom = -max(len(by_k), 1) - 0.5
    layers["name"] = end_names(
        ends, styles, float(most) ** (1 + NAME_OFFSET), (bottom, -0.5), last_x(layers, ends)
    )
    rows = {
        name: [
            "undefined" if np.isnan(tap) else f"no. {-rank:g}, TAP-{at} {tap:.3f}"
            for at, rank, tap in zip(k.tolist(), place[name].tolist(), one.tap, strict=True)
        ]
        for name, one in by_k.items()
    }
    layers["readout"] = readout_columns(x, bottom / 2, [f"k = {at}" for at in k.tolist()], rows)
    layers["view"] = log_view(most, bottom, -0.5, styles)
    return layers


def k_columns(k: int) -> Columns:
    """The layer "line" (x, y): where the k of the page is."""
    return {"line": {"x": np.repeat(float(k), 2), "y": np.array([-1000.0, 0.0])}}


def text(by_k: Mapping[str, TapByK]) -> str:
    """The plot in words: where the ranking changes."""
    if len(by_k) < 2:  # noqa: PLR2004
        return "Fewer than two algorithms are shown: there is no ranking."
    changes = flips(by_k)
    most = next(iter(by_k.values())).tap.size
    if not changes:
        return f"The ranking of the algorithms by TAP-k is the same for every k from 1 to {most}."
    flip_texts = [
        f"from k = {one.k} on {one.rises} ranks above {one.falls}"
        for one in changes[:MAX_TEXT_CHANGES]
    ]
    rest = (
        f"; and {len(changes) - MAX_TEXT_CHANGES} more" if len(changes) > MAX_TEXT_CHANGES else ""
    )
    return f"The ranking by TAP-k depends on k: {'; '.join(flip_texts)}{rest}."


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    styles = data.styles
    layers = columns(_by_k(data), styles, ghosts=data.ghosts(tap_by_k, **_rule(data)))
    layers = layers | k_columns(data.explorer.k)
    limits = layers["view"]
    return Picture(
        (
            *each_line(layers, styles),
            line("line", layers["line"], INK, moving=True),
            *top_layers(layers),
        ),
        Axis(
            "k: errors per query at the threshold (log scale)",
            *limits["x"].tolist(),
            log=True,
            ticks={float(k): str(k) for k in TICKS},
        ),
        Axis(
            "rank by TAP-k",
            *limits["y"].tolist(),
            ticks={-float(rank): str(rank) for rank in range(1, len(styles) + 1)},
            inverse=lambda at: -at,
        ),
    )


def _rule(data: PlotData) -> dict[str, float]:
    return {"max_k": MAX_K, "quantile": data.explorer.quantile}


def _by_k(data: PlotData) -> dict[str, TapByK]:
    return data.each(tap_by_k, **_rule(data))


PLOT = Plot(
    name="order",
    title="Ranking by k",
    caption="of the algorithms by TAP-k · lines that cross: the choice of k decides",
    how_to_read=(
        "The rank of each program by TAP-k, for every k. Where lines cross, the choice of k "
        "decides which program comes out ahead."
    ),
    printed=(
        "Rank of each program by TAP-k, for every k. Lines that cross: the ranking depends on k."
    ),
    depends=(*FILTER, "k", "quantile", "algorithms"),
    picture=picture,
    text=lambda data: text(_by_k(data)),
    tab="Ranking",
)
