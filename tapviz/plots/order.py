"""Order of the algorithms by TAP-k against k: lines cross where the choice of k decides."""

from __future__ import annotations

from collections.abc import Mapping

import holoviews as hv
import numpy as np
from bokeh.models import CustomJSTickFormatter, FixedTicker

from tapviz.draw.style import INK, Style
from tapviz.measures import TapByK, flips, ranks
from tapviz.plots.frame import (
    NAME_MARGIN,
    Columns,
    Drawn,
    curve,
    each_curve,
    joined,
    labels,
    overlay,
    readout,
    readout_columns,
    spread,
    texts,
)
from tapviz.plots.roc import FORMATTER

TICKS = (1, 2, 5, 10, 20, 50, 100)
PLACE_FORMATTER = "return String(-tick)"
"""Texts of the ticks of places, the best of which is on top."""
SAID = 3
"""Changes of the order that the text tells one by one."""

X = hv.Dimension("errors_per_query_position", label="k")
Y = hv.Dimension("place_in_order", label="place")


def columns(
    by_k: Mapping[str, TapByK],
    looks: Mapping[str, Style],
    *,
    ghosts: Mapping[str, TapByK] | None = None,
) -> Columns:
    """Layers of the lines.

    Parameters
    ----------
    by_k : mapping of str to TapByK
        TAP-k of each algorithm shown, all for the same k.
    looks : mapping of str to Style
        Every algorithm of the bench, shown or not.
    ghosts : mapping of str to TapByK, optional
        The same for all queries, while a subset is selected.

    Returns
    -------
    Columns
        "curve NAME" (x, y): x is log10 of k, y minus the rank, so that the best is on top; empty
        where TAP-k is undefined. "name": texts at the ends. "ghost". "readout". "view".
    """
    place = {name: -rank for name, rank in zip(by_k, ranks(by_k), strict=True)}
    before = {name: -rank for name, rank in zip(ghosts or {}, ranks(ghosts or {}), strict=True)}
    most = max((one.tap.size for one in by_k.values()), default=1)
    k = np.arange(1, most + 1)
    x = np.log10(k)
    drawn: Columns = {}
    known = {name: y for name, y in place.items() if np.isfinite(y).any()}
    for name in looks:
        some = np.isfinite(known.get(name, np.full(most, np.nan)))
        drawn[f"curve {name}"] = {"x": x[some], "y": known.get(name, x)[some]}
    drawn["ghost"] = joined({name: (x, y) for name, y in before.items() if name in known})
    ends = [float(y[np.isfinite(y)][-1]) for y in known.values()]
    bottom = -max(len(by_k), 1) - 0.5
    drawn["name"] = texts(
        [1.015 * x[-1]] * len(ends),
        spread(ends, -0.062 * bottom, bottom, -0.5),
        list(known),
        [looks[name].color for name in known],
    )
    rows = {
        name: [
            "undefined" if np.isnan(tap) else f"no. {-rank:g}, TAP-{at} {tap:.3f}"
            for at, rank, tap in zip(k.tolist(), place[name].tolist(), one.tap, strict=True)
        ]
        for name, one in by_k.items()
    }
    drawn["readout"] = readout_columns(x, bottom / 2, [f"k = {at}" for at in k.tolist()], rows)
    drawn["view"] = {
        "x": np.array([-0.02 * x[-1], x[-1] * (1 + NAME_MARGIN)]),
        "y": np.array([bottom, -0.5]),
    }
    return drawn


def k_columns(k: int) -> Columns:
    """The layer "line" (x, y): where the k of the page is."""
    return {"line": {"x": np.repeat(np.log10(k), 2), "y": np.array([-1000.0, 0.0])}}


def text(by_k: Mapping[str, TapByK]) -> str:
    """The plot in words: where the order changes."""
    if len(by_k) < 2:  # noqa: PLR2004
        return "Fewer than two algorithms are shown: there is no order."
    changes = flips(by_k)
    most = next(iter(by_k.values())).tap.size
    if not changes:
        return f"The order of the algorithms by TAP-k is the same for every k from 1 to {most}."
    said = [f"from k = {one.k} on {one.rises} is before {one.falls}" for one in changes[:SAID]]
    rest = f"; and {len(changes) - SAID} more" if len(changes) > SAID else ""
    return f"The order by TAP-k depends on k: {'; '.join(said)}{rest}."


def draw(columns: Columns, looks: Mapping[str, Style], drawn: Drawn | None = None) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    elements = each_curve(columns, dims, looks, drawn)
    elements += [
        curve(columns, "line", dims, drawn, color=INK, line_width=1),
        labels(columns, "name", dims, drawn, text_align="left"),
        readout(columns, dims, drawn),
    ]
    view = columns["view"]
    return overlay(
        elements,
        xlabel="k: errors per query at the threshold (log scale)",
        ylabel="place by TAP-k",
        xlim=tuple(view["x"]),
        ylim=tuple(view["y"]),
        xticks=FixedTicker(ticks=np.log10(TICKS).tolist()),
        xformatter=CustomJSTickFormatter(code=FORMATTER),
        yticks=FixedTicker(ticks=[-place for place in range(1, len(looks) + 1)]),
        yformatter=CustomJSTickFormatter(code=PLACE_FORMATTER),
    )
