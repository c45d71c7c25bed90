"""Where the names of lines stand: beside the ends of their own lines, and apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists.checks import Floats

NAME_GAP = 0.09
"""Height of a name, in heights of the plot, where that is low."""
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
ON_A_LINE, NEARER_TO_ANOTHER, CROSSING = 0.03, 0.12, 0.3

Places = Mapping[str, tuple[float, float]]
"""A place in a plot, x and y, of each name."""
Line = tuple[Floats, Floats]
Leader = tuple[float, float, float, float]
"""From x, y at the end of a line to x, y of its name."""


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
    ends: Places, lengths: Mapping[str, int], lines: Sequence[Line], room: Room
) -> Places:
    """Place names right of the ends of lines that end anywhere.

    A name stands as near to the end of its own line as it can without touching another name or the
    end of a line; it should neither lie on lines, nor be nearer to another line's end.
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
    if not ends:
        return {}
    order = sorted(ends, key=lambda name: (-ends[name][1], ends[name][0]))
    at = np.array([ends[name] for name in order], np.float64)
    high = NAME_GAP * room.height
    wide = LETTER * np.array([lengths[name] for name in order]) * room.width
    reach = np.array([BESIDE * room.width, 0.4 * high])  # of the mark at an end
    name, places, on_lines = _candidates(at, wide, room, lines)
    end = at[name]
    x, y = places.T
    boxes = np.column_stack([x, y - high / 2, x + wide[name], y + high / 2])
    free = ~np.any(_touch(boxes, np.hstack([at - reach, at + reach])), axis=0)
    unit = np.array([room.width, room.height / STEEP])
    across, along = (places.T[:, None] - at.T[..., None]) / unit[:, None, None]
    away = across**2 + along**2
    nearer = away.min(axis=0) < away[name, np.arange(name.size)]
    cost = np.hypot(*((places - end - (reach[0], 0)) / unit).T) + ON_A_LINE * on_lines
    cost += NEARER_TO_ANOTHER * nearer
    placed: dict[str, tuple[float, float]] = {}
    leaders: list[Leader] = []
    for row, (start, stop) in enumerate(pairwise(np.searchsorted(name, range(len(order) + 1)))):
        left = start + np.flatnonzero(free[start:stop])
        if not left.size:
            return _column(ends, lengths, room)
        best = _cheapest(cost[left], at[row], places[left], leaders)
        leaders.append((*at[row].tolist(), *places[left[best]].tolist()))
        placed[order[row]] = leaders[-1][2:]
        free[stop:] &= ~_touch(boxes[stop:], boxes[left[best], None])[0]
    return {name: placed[name] for name in ends}


def leader_ends(ends: Places, places: Places, room: Room) -> tuple[Floats, Floats]:
    """Where the leaders of names begin: at the ends of their lines.

    NaN for names beside them, and for those too long to stand right of them, which a leader would
    cross out.
    """
    x, y = np.array([ends[name] for name in places], np.float64).reshape(-1, 2).T
    left, middle = np.array([*places.values()], np.float64).reshape(-1, 2).T
    far = (abs(middle - y) > FAR * room.height) | (abs(left - x) > 3 * BESIDE * room.width)
    led = far & (left > x)
    return np.where(led, x, np.nan), np.where(led, y, np.nan)


def spread(y: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move heights apart until neighbours are at least `gap` from each other, inside a range.

    They move as little as they can: the sum of the squares is least. Where there are too many of
    them for the range, they are as far apart as it lets them be.

    References
    ----------
    Ayer et al. (1955), Ann. Math. Stat. 26:641: pool adjacent violators.
    """
    if len(y) > 1:
        gap = min(gap, (high - low) / (len(y) - 1))
    order = np.argsort(y, kind="stable")
    # Less the gaps below them, heights need only not to descend: those that do share their mean.
    blocks: list[tuple[float, int]] = []
    for place, height in enumerate(np.asarray(y, np.float64)[order].tolist()):
        mean, size = height - gap * place, 1
        while blocks and blocks[-1][0] > mean:
            below, number = blocks.pop()
            mean, size = (below * number + mean * size) / (number + size), number + size
        blocks.append((mean, size))
    means = np.repeat([mean for mean, _ in blocks], [size for _, size in blocks])
    placed = np.clip(means, low, max(low, high - gap * (len(y) - 1))) + gap * np.arange(len(y))
    result = np.empty(len(y))
    result[order] = placed
    return [float(height) for height in result]


def _candidates(
    ends: Floats, wide: Floats, room: Room, lines: Sequence[Line]
) -> tuple[NDArray[np.intp], Floats, NDArray[np.int64]]:
    """Places of all names inside the room, name after name.

    Returns the name of each, (C,), itself, (C, 2), and how many lines cross its box, (C,).
    """
    half = NAME_GAP * room.height / 2
    most = np.maximum(room.right - wide, room.left)[:, None]
    shifts = ends[:, :1] + (np.array(SHIFTS) + BESIDE) * room.width
    x = np.clip(shifts, room.left, most)  # rises
    steps = np.ceil(room.height / half)
    beside = np.clip(ends[:, 1], room.bottom + half, room.top - half)
    y = np.column_stack([ends[:, 1:] + half * np.arange(-steps, steps + 1), beside])
    inside = (y >= room.bottom + half * 0.999) & (y <= room.top - half * 0.999)
    another = np.diff(x, axis=1, prepend=np.nan) != 0
    name, row, column = np.nonzero(inside[:, :, None] & another[:, None])
    height = y[name, row]
    along = np.linspace(x, x + wide[:, None], 4)
    drawn = [line for line in lines if line[0].size]
    inside = np.array([along <= at[-1] for at, _ in drawn]).reshape(-1, *along.shape)
    line = np.array([np.interp(along, *one) for one in drawn]).reshape(inside.shape)
    highest = np.where(inside, line, -np.inf).max(axis=1)[:, name, column]
    lowest = np.where(inside, line, np.inf).min(axis=1)[:, name, column]
    on_lines = ((highest > height - half) & (lowest < height + half)).sum(axis=0)
    return name, np.column_stack([x[name, column], height]), on_lines


def _touch(boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Whether others overlap boxes, shape (M, C)."""
    others, tolerance = others[:, None], 1e-9
    before = boxes[:, 2:] > others[..., :2] + tolerance
    behind = others[..., 2:] > boxes[:, :2] + tolerance
    overlap: NDArray[np.bool_] = np.all(before & behind, axis=-1)
    return overlap


def _cheapest(cost: Floats, end: Floats, places: Floats, leaders: Sequence[Leader]) -> int:
    """The place that costs least, where each leader that its own would cross costs, too."""
    best, least = 0, np.inf
    for row in np.argsort(cost, kind="stable").tolist():
        if cost[row] >= least:
            break
        own = (*end.tolist(), *places[row].tolist())
        full = cost[row] + CROSSING * sum(_cross(own, other) for other in leaders)
        if full < least:
            best, least = row, full
    return best


def _cross(one: Leader, other: Leader) -> bool:
    """Whether two leaders cross."""

    def side(leader: Leader, x: float, y: float) -> float:
        from_x, from_y, to_x, to_y = leader
        return (to_x - from_x) * (y - from_y) - (to_y - from_y) * (x - from_x)

    return (
        side(one, *other[:2]) * side(one, *other[2:]) < 0
        and side(other, *one[:2]) * side(other, *one[2:]) < 0
    )


def _column(ends: Places, lengths: Mapping[str, int], room: Room) -> Places:
    """All names below each other at the right."""
    longest = max((lengths[name] for name in ends), default=0)
    x = max(room.right - LETTER * longest * room.width, room.left)
    gap = NAME_GAP * room.height
    heights = spread([y for _, y in ends.values()], gap, room.bottom + gap / 2, room.top - gap / 2)
    return {name: (x, y) for name, y in zip(ends, heights, strict=True)}
