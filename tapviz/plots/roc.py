"""ROC_n: relevant records retrieved before each error, averaged over queries and pooled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.choices import MAX_N
from tapviz.draw.picture import Axis, Layer, Picture, line
from tapviz.draw.style import ACCENT, GHOST, INK, Style, number
from tapviz.lists import RetrievalLists
from tapviz.measures import RocCurve, roc_n_curve, sensitivity_to_error
from tapviz.plots.bands import mean_bands
from tapviz.plots.columns import (
    NAME_OFFSET,
    NO_LINE,
    Columns,
    ceiling,
    end_names,
    joined,
    log_view,
    readout_columns,
    top_layers,
)
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, Plot

DRAWN_ERRORS = 100
"""Error counts at which a curve of 1,000 is drawn."""
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def columns(
    curves: Mapping[str, RocCurve],
    styles: Mapping[str, Style],
    *,
    ghosts: Mapping[str, RocCurve] | None = None,
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    curves : mapping of str to RocCurve
        Curves of each algorithm shown, all of the same length.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    ghosts : mapping of str to RocCurve, optional
        The curves of all queries, while a subset is selected.

    Returns
    -------
    Columns
        "average NAME", "pooled NAME" (x, y): x is the error; ROC_n is the mean height
        over the errors 1 to n. "name", "ghost", "view", "readout".
    """
    layers: Columns = {}
    longest = max((c.errors.size for c in curves.values()), default=1)
    errors = _drawn(longest)
    x = errors.astype(np.float64)
    for name in styles:
        data = curves.get(name)
        for kind in ("average", "pooled"):
            values = None if data is None else getattr(data, kind)
            layers[f"{kind} {name}"] = (
                NO_LINE if values is None else {"x": x, "y": values[errors - 1]}
            )
    ghost_curves = {
        name: (x, c.average[errors - 1]) for name, c in (ghosts or {}).items() if name in curves
    }
    layers["ghost"] = joined(ghost_curves)
    heights = [c.average.max(initial=0) for c in (*curves.values(), *(ghosts or {}).values())]
    heights += [c.pooled.max(initial=0) for c in curves.values()]
    top = ceiling([float(h) for h in heights])
    ends = {name: float(c.average[-1]) for name, c in curves.items()}
    layers["name"] = end_names(
        ends, styles, longest ** (1 + NAME_OFFSET), (0.0, top), float(longest)
    )
    rows = {
        name: [
            f"mean per query {mean:.3f}, pooled {pooled:.3f}"
            for mean, pooled in zip(
                c.average[errors - 1].tolist(), c.pooled[errors - 1].tolist(), strict=True
            )
        ]
        for name, c in curves.items()
    }
    heads = [f"found before error {f:,}" for f in errors.tolist()]
    layers["readout"] = readout_columns(x, top / 2, heads, rows)
    layers["view"] = log_view(longest, 0.0, top, styles)
    return layers


def _drawn(longest: int) -> NDArray[np.int64]:
    """Errors at which curves are drawn."""
    return np.unique(np.geomspace(1, longest, DRAWN_ERRORS).round().astype(np.int64))


def n_columns(n: int) -> Columns:
    """The layer "line" (x, y): where the n of ROC_n is."""
    return {"line": {"x": np.repeat(float(n), 2), "y": np.array([0.0, 1.0])}}


def focus_columns(curve: RocCurve | None) -> Columns:
    """The layer "focus" (x, y): the curve of one query; without points if there is none."""
    if curve is None or not np.isfinite(curve.average).all():
        return {"focus": NO_LINE}
    # Its steps are all there is to see: where it rises, and both ends.
    change = np.flatnonzero(np.diff(curve.average)) + 1
    at = np.unique(np.concatenate([[0], change - 1, change, [curve.errors.size - 1]]).astype(int))
    return {"focus": {"x": curve.errors[at].astype(np.float64), "y": curve.average[at]}}


def text(curves: Mapping[str, RocCurve], n: int) -> str:
    """The plot in words: ROC_n is the mean height of a curve over the first n errors."""
    parts = [
        f"{name} {number(float(c.average[:n].mean()))} mean per query, "
        f"{number(float(c.pooled[:n].mean()))} pooled"
        if n <= c.errors.size
        else f"{name} was not kept so far"
        for name, c in curves.items()
    ]
    return f"ROC_{n}: {'; '.join(parts) or 'no algorithm is shown'}."


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    styles, n = data.styles, data.explorer.n
    layers = data.curves(
        PLOT.name,
        lambda: columns(
            data.each(roc_n_curve, n=_most(data)),
            styles,
            ghosts=data.ghosts(roc_n_curve, n=_most(data)),
        ),
    )
    layers = layers | n_columns(n) | _focus(data)
    limits = layers["view"]
    # The query in focus must have room.
    highest = float(layers["focus"]["y"].max(initial=0))
    top = max(float(limits["y"][1]), ceiling([highest]) if highest else 0.0)
    names = [(name, style.color, style.dash) for name, style in styles.items()]
    return Picture(
        (
            line("ghost", layers["ghost"], GHOST),
            *(
                line(
                    f"pooled {name}",
                    layers[f"pooled {name}"],
                    color,
                    dash=dash,
                    width=1.1,
                    alpha=0.6,
                )
                for name, color, dash in names
            ),
            *(
                line(f"average {name}", layers[f"average {name}"], color, dash=dash, width=2.2)
                for name, color, dash in names
            ),
            line("focus", layers["focus"], ACCENT, width=2.6, moving=True),
            line("line", layers["line"], INK, moving=True, drags="n"),
            *top_layers(layers),
        ),
        Axis(
            "errors: irrelevant records seen (log scale)",
            *limits["x"].tolist(),
            log=True,
            ticks={float(count): f"{count:,}" for count in TICKS},
        ),
        Axis("fraction of relevant found", float(limits["y"][0]), top),
    )


def bands(data: PlotData) -> list[Layer]:
    """Intervals of the means per query; pooled curves are no means."""
    errors = _drawn(_most(data))

    def values(_: str, lists: RetrievalLists) -> list[Any]:
        return [sensitivity_to_error(lists, n=n, ties="block").per_query for n in errors.tolist()]

    return mean_bands(data, errors.astype(np.float64), values)


PLOT = Plot(
    name="roc",
    title="ROC<sub>n</sub>",
    caption="ROC<sub>{n}</sub>: left of the line · thick: mean per query · thin: pooled",
    how_to_read=(
        "The fraction of relevant records retrieved before each error. Thick lines average the "
        "queries' own curves; thin ones merge the lists of all queries by E-value first. ROCₙ is "
        "the mean height of a curve left of the line at n."
    ),
    printed=(
        "Share of the relevant records retrieved before each error. Thick: mean of the "
        "queries' curves; thin: lists of all queries merged by {score}. Vertical line: n = "
        "{n}."
    ),
    depends=(*FILTER, "n", "algorithms", "focus_algorithm", "focus"),
    picture=picture,
    text=lambda data: text(data.each(roc_n_curve, n=_most(data)), data.explorer.n),
    tab="ROCₙ",
    bands=bands,
)


def _most(data: PlotData) -> int:
    """Errors that the curves go to: as many as were kept of all lists."""
    results = data.explorer.results.values()
    return min([MAX_N, *(one.kept.n_errors for one in results if one.kept is not None)])


def _focus(data: PlotData) -> Columns:
    """The curve of the query in focus, of the algorithm in focus."""
    explorer, name = data.explorer, data.explorer.focus_algorithm
    if not explorer.focus or name not in explorer.shown:
        return focus_columns(None)
    lists = explorer.results[name]
    curve = explorer.once(
        "focus ROC",
        (lists, explorer.focus),
        lambda: roc_n_curve(lists.subset(lists.query == explorer.focus), n=_most(data)),
    )
    return focus_columns(curve)
