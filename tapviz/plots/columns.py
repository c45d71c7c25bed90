"""What plots have in common: columns of layers, names at the ends of lines, read-outs."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.draw import picture as p
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import GHOST, INK, Style, brief, shortened_apart
from tapviz.plots.names import FAR, NAME_GAP, Line, Room, leader_ends, place_names, spread

Array = NDArray[np.float64]
Columns = dict[str, np.ndarray]
"""Arrays of one length by name, which a layer draws."""

NAME_MARGIN = 0.35
"""Room right of the lines for their names, in widths of the plot."""
LONGEST = 18
"""Characters of a name that have room there."""
NAME_LETTER = 0.0165
"""Width of a letter in widths of a plot of about 400 pixels or more: on a narrower page letters are
smaller."""
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
FIFTHS = {at / 5: f"{at / 5:g}" for at in range(6)}
"""Ticks from 0 to 1."""
NO_LINE: Columns = {"x": np.zeros(0), "y": np.zeros(0)}


def flat(axis: p.Axis, values: ArrayLike) -> Array:
    """Where places on an axis are laid out: in decades, if it is logarithmic."""
    at = np.asarray(values, np.float64)
    return np.log10(at) if axis.log else at


def unflat(axis: p.Axis, places: ArrayLike) -> Array:
    """What `flat` lays out there."""
    at = np.asarray(places, np.float64)
    return 10.0**at if axis.log else at


def middle(axis: p.Axis) -> float:
    """The place half-way along an axis."""
    return float(unflat(axis, np.mean(flat(axis, [axis.start, axis.end]))))


def end_place(axis: ThresholdAxis, end: float) -> float:
    """Where a program stopped reporting; NaN if it did not, or beyond the axis."""
    place = float(axis.position(end)) if np.isfinite(end) else np.nan
    sign = -1 if axis.end < axis.start else 1
    return place if sign * place < sign * axis.end else np.nan


def measured_rows(rows: Iterable[str], thresholds: Array, end: float, sign: int) -> list[str]:
    """Rows of a read-out; beyond the end of what a program reported nothing was measured."""
    beyond = (sign * thresholds > sign * end).tolist()
    words = f"not measured beyond {brief(end)}"
    return [words if past else row for past, row in zip(beyond, rows, strict=True)]


def strokes(
    left: float, right: float, low: float, high: float, size: tuple[float, float]
) -> dict[str, Array]:
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


def name_margin(names: Iterable[str]) -> float:
    """Room right of the lines that holds the longest of some names, in widths of the lines."""
    longest = min(max(map(len, names), default=0), LONGEST) * NAME_LETTER
    return max(NAME_MARGIN, (longest + NAME_OFFSET) / (1 - longest))


def end_names(
    ends: Mapping[str, float],
    styles: Mapping[str, Style],
    x: float,
    limits: tuple[float, float],
    line_ends: float | Mapping[str, float] = np.nan,
    *,
    hatched: bool = False,
) -> Columns:
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
    return label_columns(x, heights, [*finite], colors) | {
        "from_x": np.where(far, starts, np.nan),
        "from_y": np.where(far, [*finite.values()], np.nan),
    }


def placed_names(
    ends: Mapping[str, tuple[float, float]],
    lines: Sequence[Line],
    room: Room,
    styles: Mapping[str, Style],
) -> Columns:
    """Columns of names right of the ends of lines that end anywhere, as by `place_names`."""
    lengths = {name: min(len(name), LONGEST) for name in ends}
    places = place_names(ends, lengths, lines, room)
    left, middle = np.array([*places.values()]).reshape(-1, 2).T
    from_x, from_y = np.array(leader_ends(ends, places, room), np.float64)
    led = {"from_x": from_x, "from_y": from_y}
    return label_columns(left, middle, [*places], [styles[one].color for one in places]) | led


def label_columns(
    x: ArrayLike, y: ArrayLike, text: Sequence[str], color: ArrayLike, longest: int = LONGEST
) -> Columns:
    """Columns of a layer of labels, which have room for `longest` characters.

    What is one number, or one colour, holds for all of them.
    """
    n = len(text)
    return {
        "x": np.full(n, x, np.float64),
        "y": np.full(n, y, np.float64),
        "text": np.asarray(shortened_apart(text, longest), np.object_),
        "color": np.full(n, color, np.object_),
    }


def mark_columns(x: ArrayLike, y: ArrayLike, color: ArrayLike) -> Columns:
    """Columns of a layer of points; those that are not finite are left out."""
    places = np.array([x, y], np.float64).reshape(2, -1)
    keep = np.isfinite(places).all(axis=0)
    colors = np.full(keep.size, color, np.object_)[keep]
    return {"x": places[0][keep], "y": places[1][keep], "color": colors}


def some(columns: p.Columns, which: slice | NDArray[np.bool_]) -> Columns:
    """Columns with some of their items."""
    return {name: held[which] for name, held in columns.items()}


def joined(curves: Iterable[tuple[Array, Array] | Array]) -> Columns:
    """Columns of one layer that draws several curves, with gaps between them."""
    gap = np.full((2, 1), np.nan)
    x, y = np.hstack([np.zeros((2, 0)), *(part for curve in curves for part in (curve, gap))])
    return {"x": x, "y": y}


def rows(left: float, right: float, y: Array, text: Sequence[str]) -> p.Layer:
    """The layer "row": invisible boxes over rows of height 1, with HTML for the mouse."""
    edges = {"x0": np.full(y.size, left), "y0": y - 0.5, "x1": np.full(y.size, right)}
    return p.tooltip_boxes({**edges, "y1": y + 0.5, "text": np.array(text, np.object_)})


def zero(bottom: float) -> p.Layer:
    """The layer "zero": an upright line at 0 along rows, which go down from y = 0."""
    return p.line("zero", {"x": np.zeros(2), "y": np.array([bottom, 0.6])}, GHOST)


def ceiling(values: list[float], step: float = 0.1) -> float:
    """Upper end of an axis from 0 that holds the values, at a multiple of `step`."""
    top = max((v for v in values if np.isfinite(v)), default=1.0)
    return max(step, float(np.ceil(top * 1.02 / step - 1e-9) * step))


def coarse_limits(changes: Array) -> tuple[float, float]:
    """Ends of a scale that holds the changes and 0, in coarse steps so that it seldom moves."""
    most = max(float(np.abs(changes).max(initial=0)), SMALLEST)
    power = 10.0 ** np.floor(np.log10(most))
    step = next(unit * power for unit in (0.5, 1.0, 2.5, 5.0) if most <= 4 * unit * power)
    low = step * np.floor(changes.min(initial=0) / step)
    high = step * np.ceil(changes.max(initial=0) / step)
    return float(low), float(high if high > low else step)


def readout_columns(x: Array, y: float, heads: list[str], rows: Mapping[str, list[str]]) -> Columns:
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
