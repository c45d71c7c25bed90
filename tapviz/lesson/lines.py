"""Lines of the lesson: curves of one list and another, of their pool, and of scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, line, points, readout, texts
from tapviz.draw.style import INK
from tapviz.plots.columns import (
    NAME_GAP,
    Columns,
    label_columns,
    mark_columns,
    readout_columns,
    spread,
)

NAMES = 0.24
"""Room right of the lines for their names, in widths of the plot."""
BELOW = 0.05
LONGEST = 28
"""Characters of a name."""


class LineStyle(NamedTuple):
    """Colour and dash of a line; its name is legible in the same colour."""

    color: str
    dash: tuple[int, ...] = ()
    width: float = 2.0


# At least 4.5:1 on white, since names are written in them.
LINE_STYLES = {
    "A": LineStyle("#00734F"),
    "B": LineStyle("#222222", (6, 4)),
    "merged": LineStyle("#8F2D78", (), 3.0),
    "mean TAP": LineStyle("#0B5FA5", (12, 4)),
    "B alone": LineStyle("#222222", (6, 4)),
    "TAP of B": LineStyle("#0B5FA5", (12, 4)),
    "pooled": LineStyle("#8F2D78", (), 3.0),
}


def columns(
    curves: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]],
    names: tuple[str, ...],
    view: tuple[float, float],
    *,
    line: float | None = None,
    at: Mapping[str, tuple[float, float]] | None = None,
    head: str = "",
) -> Columns:
    """Layers of the picture.

    Parameters
    ----------
    curves : mapping of str to (x, y)
        The present lines; x ascends, or descends in all of them.
    names : tuple of str
        All possible lines; each a name in `LINE_STYLES`.
    view : tuple of float
        Limits of x for the lines; the names stand right of them. Heights go from 0 to 1.
    line : float, optional
        Where a vertical line is.
    at : mapping of str to (x, y), optional
        A point on a line, by the line's name.
    head : str
        Text of the read-out before x.

    Returns
    -------
    Columns
        "curve NAME" (x, y), "point" (x, y, color), "line" (x, y), "name" (x, y, text, color) at
        the ends of the lines, "readout", "view".
    """
    nothing = np.zeros(0)
    layers: Columns = {}
    for name in names:
        x, y = curves.get(name, (nothing, nothing))
        layers[f"curve {name}"] = {"x": np.asarray(x, np.float64), "y": np.asarray(y, np.float64)}
    markers = dict(at or {})
    layers["point"] = mark_columns(
        [x for x, _ in markers.values()],
        [y for _, y in markers.values()],
        [LINE_STYLES[name].color for name in markers],
    )
    ends = {name: float(y[-1]) for name, (_, y) in curves.items() if len(y)}
    low, high = view
    # The name of a line that ends amid others stands a little below it.
    amid = {name: curves[name][0][-1] < high for name in ends}
    heights = [end - BELOW if amid[name] else end for name, end in ends.items()]
    layers["name"] = label_columns(
        [float(curves[name][0][-1]) + 0.012 * (high - low) for name in ends],
        spread(heights, NAME_GAP * 1.1, 0.02, 0.98),
        list(ends),
        [LINE_STYLES[name].color for name in ends],
        LONGEST,
    )
    x = nothing if line is None else np.array([line, line])
    layers["line"] = {"x": x, "y": np.array([0.0, 1.0])[: x.size]}
    layers["readout"] = _readout(curves, head)
    layers["view"] = {
        "x": np.array([low - 0.01 * (high - low), high + NAMES * (high - low)]),
        "y": np.array([0.0, 1.02]),
    }
    return layers


def picture(
    columns: Columns,
    *,
    xlabel: str,
    ylabel: str,
    xticks: tuple[float, ...] = (),
    labels: Mapping[float, str] | None = None,
) -> Picture:
    """Picture of the layers.

    Parameters
    ----------
    columns : Columns
    xlabel, ylabel : str
    xticks : tuple of float
    labels : mapping of float to str, optional
        Text of a tick instead of its number.
    """
    if labels is None and xticks:
        labels = {at: f"{at:g}" for at in xticks}
    curves = [name for name in columns if name.startswith("curve ")]
    line_styles = [LINE_STYLES[name.removeprefix("curve ")] for name in curves]
    return Picture(
        (
            line("line", columns["line"], INK),
            *(
                line(name, columns[name], style.color, dash=style.dash, width=style.width)
                for name, style in zip(curves, line_styles, strict=True)
            ),
            points("point", columns["point"], size=9),
            texts("name", columns["name"]),
            readout(columns["readout"]),
        ),
        Axis(xlabel, *columns["view"]["x"].tolist(), ticks=labels),
        Axis(
            ylabel,
            *columns["view"]["y"].tolist(),
            ticks={at / 5: f"{at / 5:g}" for at in range(6)},
        ),
        font_size=13,
    )


def _readout(
    curves: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]], head: str
) -> dict[str, NDArray[Any]]:
    longest = max((np.asarray(x) for x, _ in curves.values()), key=len, default=np.zeros(0))
    rows = {
        name: [f"{value:.3f}" for value in y] + ["not yet"] * (longest.size - len(y))
        for name, (_, y) in curves.items()
    }
    return readout_columns(longest, 0.5, [f"{head}{value:g}" for value in longest], rows)
