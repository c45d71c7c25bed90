"""Where the names of lines stand: beside the ends of their own lines, and apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NAME_GAP = 0.07
"""Height of a name, in heights of the plot."""
LETTER = 0.024
"""Width of a letter, in widths of the plot, where that is narrow."""
BESIDE = 0.022
"""From the end of a line to its name, in widths of the plot: as far as a mark reaches."""
FAR = 0.75 * NAME_GAP
"""Heights of the plot from which on a name is led to its line."""
SHIFTS = (0.0, 0.04, 0.1, 0.18, 0.28)
"""Distances to the right that are tried, in widths of the plot."""
STEEP = 0.45
"""A height of the plot in its widths: most plots are about twice as wide as high."""
# What a place costs besides its distance from the end of the line, in widths of the plot.
ON_A_LINE, ON_A_LABEL, NEARER_TO_ANOTHER, CROSSING = 0.03, 0.04, 0.12, 0.3

Line = tuple[NDArray[np.float64], NDArray[np.float64]]


class Room(NamedTuple):
    """Limits of the axes, between which names stand."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        """Of the plot."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Of the plot."""
        return self.top - self.bottom


def place_names(
    ends: Mapping[str, tuple[float, float]],
    lengths: Mapping[str, int],
    lines: Sequence[Line],
    room: Room,
    labels: NDArray[np.float64] | None = None,
) -> dict[str, tuple[float, float]]:
    """Place names right of the ends of lines that end anywhere.

    A name stands as near to the end of its own line as it can without touching another name or the
    end of a line; it should neither lie on lines and labels, nor be nearer to another line's end.
    Names are placed from the top down; of more than have room that way, all stand in one column.

    Parameters
    ----------
    ends : mapping of str to (float, float)
        End of each line, inside the room.
    lengths : mapping of str to int
        Characters of each name.
    lines : sequence of (x, y)
        What names should not lie on; x ascends.
    room : Room
    labels : ndarray of float, shape (M, 4), optional
        Corners x0, y0, x1, y1 of texts that names should not lie on.

    Returns
    -------
    dict of str to (float, float)
        Left end and middle height of each name.

    Examples
    --------
    >>> from tapviz.plots.names import Room, place_names
    >>> ends = {"A": (0.2, 0.9), "B": (0.6, 0.3)}
    >>> found = place_names(ends, {"A": 1, "B": 1}, [], Room(0, 1, 0, 1))
    >>> {name: (round(x, 3), round(y, 3)) for name, (x, y) in found.items()}
    {'A': (0.222, 0.9), 'B': (0.622, 0.3)}
    """
    high = NAME_GAP * room.height
    reach = np.array([BESIDE * room.width, 0.4 * high])  # of the mark at an end
    at = np.array(list(ends.values()), np.float64).reshape(-1, 2)
    marks = np.hstack([at - reach, at + reach])
    soft = np.zeros((0, 4)) if labels is None else labels
    taken = marks
    placed: dict[str, tuple[float, float]] = {}
    leaders = np.zeros((0, 4))
    for name in sorted(ends, key=lambda name: (-ends[name][1], ends[name][0])):
        end = np.array(ends[name])
        places = _candidates(end, lengths[name], room)
        wide = LETTER * lengths[name] * room.width
        boxes = np.column_stack(
            [places[:, 0], places[:, 1] - high / 2, places[:, 0] + wide, places[:, 1] + high / 2]
        )
        free = ~_touch(boxes, taken).any(axis=1)
        if not free.any():
            return _column(ends, lengths, room)
        places, boxes = places[free], boxes[free]
        unit = np.array([room.width, room.height / STEEP])
        distance = np.hypot(*((places - end - (reach[0], 0)) / unit).T)
        others = np.hypot(*np.moveaxis((places[:, None] - at) / unit, -1, 0)).min(axis=1)
        own = np.hypot(*((places - end) / unit).T)
        cost = (
            distance
            + ON_A_LINE * _lines_in(boxes, lines)
            + ON_A_LABEL * _touch(boxes, soft).sum(axis=1)
            + NEARER_TO_ANOTHER * (others < own)
            + CROSSING * _crossed(end, places, leaders)
        )
        best = int(np.argmin(cost))
        placed[name] = (float(places[best, 0]), float(places[best, 1]))
        taken = np.vstack([taken, boxes[best]])
        leaders = np.vstack([leaders, [*end, *places[best]]])
    return {name: placed[name] for name in ends}


def leader_ends(
    ends: Mapping[str, tuple[float, float]],
    places: Mapping[str, tuple[float, float]],
    room: Room,
) -> tuple[list[float], list[float]]:
    """Where the leaders of names begin: at the ends of their lines; NaN for those beside them."""
    x, y = [], []
    for name, (left, middle) in places.items():
        end_x, end_y = ends[name]
        far = abs(middle - end_y) > FAR * room.height or abs(left - end_x) > 3 * BESIDE * room.width
        x.append(end_x if far else np.nan)
        y.append(end_y if far else np.nan)
    return x, y


def spread(y: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move heights apart until neighbours are at least `gap` from each other, inside a range.

    Where there are too many of them for the range, they are as far apart as it lets them be.
    """
    if len(y) > 1:
        gap = min(gap, (high - low) / (len(y) - 1))
    order = np.argsort(y, kind="stable")
    placed = np.asarray(y, np.float64)[order]
    for i in range(1, placed.size):
        placed[i] = max(placed[i], placed[i - 1] + gap)
    if placed.size:
        placed[-1] = min(placed[-1], high)
    for i in range(placed.size - 2, -1, -1):
        placed[i] = min(placed[i], placed[i + 1] - gap)
    placed = np.maximum(placed, low)
    result = np.empty_like(placed)
    result[order] = placed
    return [float(height) for height in result]


def _candidates(end: NDArray[np.float64], length: int, room: Room) -> NDArray[np.float64]:
    """Places of a name, shape (C, 2), all of them inside the room."""
    half = NAME_GAP * room.height / 2
    most = max(room.right - LETTER * length * room.width, room.left)
    shifts = end[0] + (np.array(SHIFTS) + BESIDE) * room.width
    x = np.unique(np.append(np.clip(shifts, room.left, most), most if shifts[0] > most else []))
    steps = np.ceil(room.height / half)
    y = end[1] + half * np.arange(-steps, steps + 1)
    y = np.append(y, np.clip(end[1], room.bottom + half, room.top - half))
    y = y[(y >= room.bottom + half * 0.999) & (y <= room.top - half * 0.999)]
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def _touch(boxes: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether boxes overlap others, shape (C, M)."""
    a, b = boxes[:, None], others[None]
    tolerance = 1e-9
    apart = (a[..., 2:] <= b[..., :2] + tolerance) | (b[..., 2:] <= a[..., :2] + tolerance)
    overlap: NDArray[np.bool_] = np.logical_not(apart.any(axis=-1))
    return overlap


def _lines_in(boxes: NDArray[np.float64], lines: Sequence[Line]) -> NDArray[np.int64]:
    """How many lines cross each box."""
    count = np.zeros(len(boxes), np.int64)
    x = np.linspace(boxes[:, 0], boxes[:, 2], 4)
    for at, height in lines:
        if at.size:
            y, inside = np.interp(x, at, height), x <= at[-1]
            highest = np.where(inside, y, -np.inf).max(axis=0)
            lowest = np.where(inside, y, np.inf).min(axis=0)
            count += (highest > boxes[:, 1]) & (lowest < boxes[:, 3])
    return count


def _crossed(
    end: NDArray[np.float64], places: NDArray[np.float64], leaders: NDArray[np.float64]
) -> NDArray[np.int64]:
    """How many leaders each leader from the end to a place would cross."""

    def side(
        a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        u, v = b - a, c - a
        turn: NDArray[np.float64] = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
        return turn

    from_, to = leaders[None, :, :2], leaders[None, :, 2:]
    a, b = end[None, None], places[:, None]
    crossing = (side(a, b, from_) * side(a, b, to) < 0) & (
        side(from_, to, a) * side(from_, to, b) < 0
    )
    count: NDArray[np.int64] = crossing.sum(axis=1)
    return count


def _column(
    ends: Mapping[str, tuple[float, float]], lengths: Mapping[str, int], room: Room
) -> dict[str, tuple[float, float]]:
    """All names below each other at the right."""
    longest = max((lengths[name] for name in ends), default=0)
    x = max(room.right - LETTER * longest * room.width, room.left)
    gap = NAME_GAP * room.height
    heights = spread([y for _, y in ends.values()], gap, room.bottom + gap / 2, room.top - gap / 2)
    return {name: (x, y) for name, y in zip(ends, heights, strict=True)}
