"""What plots have in common: columns of layers, names at the ends of lines, read-outs."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Layer, line, readout, texts
from tapviz.draw.scale import PowerScale, ThresholdAxis
from tapviz.draw.style import GHOST, INK, Style, brief, shortened_apart
from tapviz.plots.names import FAR, NAME_GAP, spread

Columns = dict[str, dict[str, NDArray[Any]]]
"""Named layers of a plot: each maps column names to arrays of one length."""

NAME_MARGIN = 0.35
"""Room right of the lines for their names, in widths of the plot."""
LONGEST = 18
"""Characters of a name that have room there."""
NAME_LETTER = 0.0165
"""Width of a letter in widths of the plot, where that is as narrow as `FULL_WIDTH` of `draw.bokeh`
or wider: on a narrower page the letters of names are smaller."""
NAME_OFFSET = 0.035
"""Distance of the names from the ends of the lines, in widths of the plot: leaders have room."""
SMALLEST = 0.001
"""A scale of changes reaches at least this far."""
FAINT = 0.35
"""How much of a line's colour is left beyond where its program stopped reporting."""
HATCH_STEP = 0.012
"""Distance of the strokes of a hatched area, in widths of the plot."""
HATCH_HEIGHT = 0.018
"""Half the height of a hatched band around a line, in heights of the plot."""
HATCHED = "▨ not measured"
"""What hatching means."""
ASPECT = 0.6
"""Height of a plot, in widths."""
NO_LINE: dict[str, NDArray[np.float64]] = {"x": np.zeros(0), "y": np.zeros(0)}


def each_line(columns: Columns, styles: Mapping[str, Style]) -> list[Layer]:
    """Layers "curve NAME" of all algorithms, in front of "ghost", the same of all queries.

    And those of `not_measured`, where the plot has them.
    """
    curves = [
        line(f"curve {name}", columns[f"curve {name}"], style.color, dash=style.dash, width=2)
        for name, style in styles.items()
    ]
    for name, style in styles.items():
        if f"beyond {name}" in columns:
            curves += not_measured_lines(name, columns, style)
    return [line("ghost", columns["ghost"], GHOST), *curves]


def not_measured_lines(name: str, columns: Columns, style: Style) -> list[Layer]:
    """Layers "beyond NAME", faint, and "hatch NAME" around it."""
    return [
        line(f"beyond {name}", columns[f"beyond {name}"], style.color, width=1.2, alpha=FAINT),
        line(
            f"hatch {name}",
            columns[f"hatch {name}"],
            style.color,
            alpha=FAINT,
            decoration=True,
        ),
    ]


def not_measured(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    end: float,
    name: str,
    size: tuple[float, float],
) -> Columns:
    """Part a line where its program stopped reporting.

    Parameters
    ----------
    x, y : ndarray of float, shape (G,)
        The line, as places on the axes, strictest threshold first.
    end : float
        Where the program stopped; NaN if that is not known.
    name : str
    size : (float, float)
        Width and height of the axes; the width is negative if they run the other way.

    Returns
    -------
    Columns
        "curve NAME" (x, y): the line up to the end. "beyond NAME" (x, y): the rest of it, which
        nobody measured. "hatch NAME" (x, y): strokes around that.
    """
    sign = np.sign(size[0])
    outside = sign * x > sign * end
    if not outside.any():
        return {f"curve {name}": {"x": x, "y": y}, f"beyond {name}": NO_LINE} | {
            f"hatch {name}": NO_LINE
        }
    first = int(np.argmax(outside))
    at = y[first]  # beyond a limit that all queries have in common nothing follows
    start = [end] if first else []
    inside = {"x": np.append(x[:first], start), "y": np.append(y[:first], [at] * len(start))}
    rest = {"x": np.append(start, x[first:]), "y": np.append([at] * len(start), y[first:])}
    half = HATCH_HEIGHT * size[1]
    low, high = float(np.nanmin(rest["y"])) - half, float(np.nanmax(rest["y"])) + half
    return {
        f"curve {name}": inside,
        f"beyond {name}": rest,
        f"hatch {name}": strokes(float(rest["x"][0]), float(rest["x"][-1]), low, high, size),
    }


def is_hatched(columns: Columns) -> bool:
    """Whether any line goes on beyond where its program stopped reporting."""
    return any(name.startswith("hatch ") and one["x"].size for name, one in columns.items())


def end_place(axis: ThresholdAxis, end: float) -> float:
    """Where a program stopped reporting; NaN if it did not, or beyond the axis."""
    place = float(axis.position(end)) if np.isfinite(end) else np.nan
    sign = -1 if axis.end < axis.start else 1
    return place if sign * place < sign * axis.end else np.nan


def mark_not_measured(
    rows: list[str], thresholds: NDArray[np.float64], end: float, axis: ThresholdAxis
) -> None:
    """Say in a read-out, from the end of what a program reported, that nothing was measured."""
    sign = -1 if axis.descending else 1
    for row in np.flatnonzero(sign * thresholds > sign * end).tolist():
        rows[row] = f"not measured beyond {brief(end)}"


def strokes(
    left: float, right: float, low: float, high: float, size: tuple[float, float]
) -> dict[str, NDArray[np.float64]]:
    """Columns (x, y) of diagonal strokes that hatch an area, with gaps between them.

    Parameters
    ----------
    left, right, low, high : float
        Places on the axes; the stricter threshold is on the left.
    size : (float, float)
        Width and height of the axes; the width is negative if they run the other way.
    """
    width, height = (right - left) / size[0], ASPECT * (high - low) / size[1]
    if not (width > 0 and height > 0):
        return NO_LINE
    begin = np.arange(HATCH_STEP / 2 - height, width, HATCH_STEP)
    along = np.stack([np.maximum(begin, 0), np.minimum(begin + height, width)], 1)
    up = along - begin[:, None]
    gap = np.full((begin.size, 1), np.nan)
    return {
        "x": np.hstack([left + along * size[0], gap]).ravel(),
        "y": np.hstack([low + up / ASPECT * size[1], gap]).ravel(),
    }


def top_layers(columns: Columns) -> list[Layer]:
    """Names at the ends of the lines and the read-out, in front of all others."""
    return [texts("name", columns["name"]), readout(columns["readout"])]


def names_at(axis: PowerScale | ThresholdAxis) -> float:
    """Where the names begin, right of the lines."""
    return axis.end + NAME_OFFSET * ((axis.end - axis.start) or 1.0)


def name_margin(names: Iterable[str]) -> float:
    """Room right of the lines that holds the longest of some names, in widths of the lines."""
    longest = min(max(map(len, names), default=0), LONGEST) * NAME_LETTER
    return max(NAME_MARGIN, (longest + NAME_OFFSET) / (1 - longest))


def view(
    axis: PowerScale | ThresholdAxis,
    low: float,
    high: float,
    names: Iterable[str] = (),
    margin: float | None = None,
) -> dict[str, NDArray[Any]]:
    """The layer "view" (x, y): limits of the axes, with room on the right, by default for names."""
    room = name_margin(names) if margin is None else margin
    return {"x": np.array(axis.view(room)), "y": np.array([low, high])}


def log_view(
    last: int, low: float, high: float, names: Iterable[str] = ()
) -> dict[str, NDArray[Any]]:
    """The same for a logarithmic axis of counts from 1 to the last."""
    return {
        "x": float(last) ** np.array([-0.02, 1 + name_margin(names)]),
        "y": np.array([low, high]),
    }


def end_names(
    ends: Mapping[str, float],
    styles: Mapping[str, Style],
    x: float,
    limits: tuple[float, float],
    line_ends: float | Mapping[str, float] = np.nan,
    *,
    hatched: bool = False,
) -> dict[str, NDArray[Any]]:
    """Columns of the names of lines at their right ends, moved apart.

    Parameters
    ----------
    ends : mapping of str to float
        Height at which each line ends; those that are not finite have no name.
    styles : mapping of str to Style
    x : float
        Where the names begin.
    limits : (float, float)
        Lower and upper end of the axis of heights.
    line_ends : float or mapping of str to float, optional
        Where the lines end: leaders go from there to names that had to move, or begin further to
        the right. Without it there are none.
    hatched : bool
        Whether to say below them what a hatched line means.
    """
    low, high = limits
    finite = {name: end for name, end in ends.items() if np.isfinite(end)}
    gap = NAME_GAP * (high - low)
    colors = [styles[name].color for name in finite]
    starts = [line_ends if isinstance(line_ends, float) else line_ends[name] for name in finite]
    furthest = max(starts, default=np.nan)
    if hatched:
        finite[HATCHED] = low + gap / 2
        colors.append(INK)
        starts.append(np.nan)
    heights = spread(list(finite.values()), gap, low + gap / 2, high - gap / 2)
    moved = np.abs(np.array(heights) - np.array([*finite.values()])) > FAR * (high - low)
    far = (moved | (np.array(starts) < furthest)) & np.isfinite(starts)
    return label_columns([x] * len(finite), heights, list(finite), colors) | leaders(
        np.where(far, starts, np.nan).tolist(),
        np.where(far, [*finite.values()], np.nan).tolist(),
    )


def last_x(columns: Columns, names: Iterable[str]) -> dict[str, float]:
    """Where the layer "curve NAME" of each name ends."""
    return {name: float(columns[f"curve {name}"]["x"][-1]) for name in names}


def leaders(x: list[float], y: list[float]) -> dict[str, NDArray[Any]]:
    """More columns of a layer of labels: where lines that lead to them begin; NaN for none."""
    return {"from_x": np.asarray(x, np.float64), "from_y": np.asarray(y, np.float64)}


def label_columns(
    x: list[float], y: list[float], text: list[str], color: list[str], longest: int = LONGEST
) -> dict[str, NDArray[Any]]:
    """Columns of a layer of labels; texts have room for `longest` characters."""
    return {
        "x": np.asarray(x, np.float64),
        "y": np.asarray(y, np.float64),
        "text": np.asarray(shortened_apart(text, longest), np.object_),
        "color": np.asarray(color, np.object_),
    }


def mark_columns(x: list[float], y: list[float], color: list[str]) -> dict[str, NDArray[Any]]:
    """Columns of a layer of points; those that are not finite are left out."""
    places = np.array([x, y], np.float64).reshape(2, -1)
    keep = np.isfinite(places).all(axis=0)
    return {
        "x": places[0][keep],
        "y": places[1][keep],
        "color": np.asarray(color, np.object_)[keep],
    }


def joined(curves: Mapping[str, tuple[NDArray[Any], NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Columns of one layer that draws several curves, with gaps between them."""
    gap = [np.nan]
    x = [part for curve in curves.values() for part in (curve[0], gap)]
    y = [part for curve in curves.values() for part in (curve[1], gap)]
    return {"x": np.concatenate([*x, []]), "y": np.concatenate([*y, []])}


def ceiling(values: list[float], step: float = 0.1) -> float:
    """Upper end of an axis from 0 that holds the values, at a multiple of `step`."""
    top = max((v for v in values if np.isfinite(v)), default=1.0)
    return max(step, float(np.ceil(top * 1.02 / step - 1e-9) * step))


def coarse_limits(changes: NDArray[np.float64]) -> tuple[float, float]:
    """Ends of a scale that holds the changes and 0, in coarse steps so that it seldom moves."""
    most = max(float(np.abs(changes).max(initial=0)), SMALLEST)
    power = 10.0 ** np.floor(np.log10(most))
    step = next(unit * power for unit in (0.5, 1.0, 2.5, 5.0) if most <= 4 * unit * power)
    low = step * np.floor(changes.min(initial=0) / step)
    high = step * np.ceil(changes.max(initial=0) / step)
    return float(low), float(high if high > low else step)


def readout_columns(
    x: NDArray[np.float64], y: float, heads: list[str], rows: Mapping[str, list[str]]
) -> dict[str, NDArray[Any]]:
    """Columns of a read-out: a heading and a line per algorithm at each place.

    Parameters
    ----------
    x : ndarray of float, shape (G,)
    y : float
        Height at which the text appears.
    heads : list of str, length G
    rows : mapping of str to list of str, each of length G
        What to say of each algorithm.
    """
    names = [f"<b>{html.escape(name)}</b> " for name in rows]
    lines = zip(*rows.values(), strict=True) if rows else ([] for _ in heads)
    text = [
        "<br>".join([head, *(name + part for name, part in zip(names, parts, strict=True))])
        for head, parts in zip(heads, lines, strict=True)
    ]
    if x.size:  # a line answers only between its ends: the first text has a margin before it
        x = np.insert(x, 0, x[0] - 0.02 * (x[-1] - x[0]))
        text.insert(0, text[0])
    return {"x": x, "y": np.full(x.size, y), "text": np.array(text, np.object_)}
