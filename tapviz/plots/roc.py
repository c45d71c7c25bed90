"""ROC_n: relevant records found before each error, averaged over queries and pooled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import holoviews as hv
import numpy as np
from bokeh.models import CustomJSTickFormatter, FixedTicker
from numpy.typing import NDArray

from tapviz.draw.style import ACCENT, GHOST, INK, Style, number
from tapviz.measures import RocCurve
from tapviz.plots.frame import (
    NAME_GAP,
    NAME_MARGIN,
    Columns,
    Drawn,
    ceiling,
    curve,
    joined,
    labels,
    overlay,
    readout,
    readout_columns,
    spread,
    texts,
)

DRAWN_ERRORS = 100
"""Error counts at which a curve of 1,000 is drawn."""
FORMATTER = "return Math.round(Math.pow(10, tick)).toLocaleString('en')"

X = hv.Dimension("error_position", label="errors")
Y = hv.Dimension("fraction_found", label="fraction found")


def columns(
    curves: Mapping[str, RocCurve],
    looks: Mapping[str, Style],
    *,
    ghosts: Mapping[str, RocCurve] | None = None,
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    curves : mapping of str to RocCurve
        Curves of each algorithm shown, all of the same length.
    looks : mapping of str to Style
        Every algorithm of the bench, shown or not.
    ghosts : mapping of str to RocCurve, optional
        The curves of all queries, while a subset is selected.

    Returns
    -------
    Columns
        "average NAME", "pooled NAME" (x, y): x is log10 of the error; ROC_n is the mean height
        over the errors 1 to n. "name", "ghost", "view", "readout".
    """
    drawn: Columns = {}
    nothing: dict[str, NDArray[Any]] = {"x": np.zeros(0), "y": np.zeros(0)}
    longest = max((c.errors.size for c in curves.values()), default=1)
    errors = np.unique(np.geomspace(1, longest, DRAWN_ERRORS).round().astype(np.int64))
    x = np.log10(errors)
    for name in looks:
        data = curves.get(name)
        for kind in ("average", "pooled"):
            values = None if data is None else getattr(data, kind)
            drawn[f"{kind} {name}"] = (
                nothing if values is None else {"x": x, "y": values[errors - 1]}
            )
    faint = {
        name: (x, c.average[errors - 1]) for name, c in (ghosts or {}).items() if name in curves
    }
    drawn["ghost"] = joined(faint)
    heights = [c.average.max(initial=0) for c in (*curves.values(), *(ghosts or {}).values())]
    heights += [c.pooled.max(initial=0) for c in curves.values()]
    top = ceiling([float(h) for h in heights])
    ends = {name: float(c.average[-1]) for name, c in curves.items() if np.isfinite(c.average[-1])}
    placed = spread(list(ends.values()), NAME_GAP * top, 0.02 * top, 0.98 * top)
    end = float(np.log10(longest))
    drawn["name"] = texts(
        [end * 1.015] * len(ends), placed, list(ends), [looks[name].color for name in ends]
    )
    rows = {
        name: [
            f"own {own:.3f}, pooled {pool:.3f}"
            for own, pool in zip(
                c.average[errors - 1].tolist(), c.pooled[errors - 1].tolist(), strict=True
            )
        ]
        for name, c in curves.items()
    }
    heads = [f"found before error {f:,}" for f in errors.tolist()]
    drawn["readout"] = readout_columns(x, top / 2, heads, rows)
    drawn["view"] = {
        "x": np.array([-0.02 * end, end * (1 + NAME_MARGIN)]),
        "y": np.array([0.0, top]),
    }
    return drawn


def n_columns(n: int) -> Columns:
    """The layer "line" (x, y): where the n of ROC_n is."""
    return {"line": {"x": np.repeat(np.log10(n), 2), "y": np.array([0.0, 1.0])}}


def focus_columns(found: RocCurve | None) -> Columns:
    """The layer "focus" (x, y): one query's own curve; without points if there is none."""
    nothing = np.zeros(0)
    if found is None or not np.isfinite(found.average).all():
        return {"focus": {"x": nothing, "y": nothing}}
    # Its steps are all there is to see: where it rises, and both ends.
    change = np.flatnonzero(np.diff(found.average)) + 1
    at = np.unique(np.concatenate([[0], change - 1, change, [found.errors.size - 1]]).astype(int))
    return {"focus": {"x": np.log10(found.errors[at]), "y": found.average[at]}}


def text(curves: Mapping[str, RocCurve], n: int) -> str:
    """The plot in words: ROC_n is the mean height of a curve over the first n errors."""
    parts = [
        f"{name} {number(float(c.average[:n].mean()))} own mean, "
        f"{number(float(c.pooled[:n].mean()))} pooled"
        for name, c in curves.items()
    ]
    return f"ROC_{n}: {'; '.join(parts) or 'no algorithm is shown'}."


def draw(columns: Columns, looks: Mapping[str, Style], drawn: Drawn | None = None) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    elements = [curve(columns, "ghost", dims, drawn, color=GHOST, line_width=1)]
    for name, look in looks.items():
        line = {"color": look.color, "line_dash": look.line_dash}
        elements += [
            curve(columns, f"pooled {name}", dims, drawn, **line, line_width=1.1, line_alpha=0.6),
            curve(columns, f"average {name}", dims, drawn, **line, line_width=2.2),
        ]
    elements += [
        curve(columns, "focus", dims, drawn, color=ACCENT, line_width=2.6),
        curve(columns, "line", dims, drawn, color=INK, line_width=1),
        labels(columns, "name", dims, drawn, text_align="left"),
        readout(columns, dims, drawn),
    ]
    ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    view = columns["view"]
    return overlay(
        elements,
        xlabel="errors: irrelevant records seen (log scale)",
        ylabel="fraction of relevant found",
        xlim=tuple(view["x"]),
        ylim=tuple(view["y"]),
        xticks=FixedTicker(ticks=np.log10(ticks).tolist()),
        xformatter=CustomJSTickFormatter(code=FORMATTER),
    )
