"""What plots have in common: columns of layers, names at the ends of lines, and line charts.

A line chart has a line for each algorithm, its name at the end, and a read-out at the mouse.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from sys import intern
from typing import NamedTuple, Protocol, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.draw import picture as p
from tapviz.draw.scale import KINK, ThresholdAxis
from tapviz.draw.style import GHOST, INK, Style, brief, shortened_apart
from tapviz.lists import RetrievalLists
from tapviz.lists.reported import Asked, measured_to, not_kept
from tapviz.measures import Groups, as_groups, mean_band
from tapviz.plots.names import FAR, NAME_GAP, Places, Room, spread
from tapviz.plots.plot import PlotData

T = TypeVar("T")
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
NO_CURVE: Columns = NO_LINE | {"threshold": np.zeros(0)}


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


def end_names(
    ends: Places, styles: Mapping[str, Style], x: float, room: Room, *, hatched: bool = False
) -> Columns:
    """Columns of the names of lines at their right ends, moved apart.

    Leaders go from there to names that had to move, or begin further to the right.

    Parameters
    ----------
    ends : mapping of str to (float, float)
        Where each line ends; those whose height is not finite have no name, those of which only
        that is have no leader.
    styles : mapping of str to Style
    x : float
        Where the names begin.
    room : Room
        Between whose lower and upper end they stand.
    hatched : bool
        Whether to say below them what a hatched line means.
    """
    gap = NAME_GAP * room.height
    finite = {name: end for name, end in ends.items() if np.isfinite(end[1])}
    colors = [styles[name].color for name in finite]
    furthest = max((start for start, _ in finite.values()), default=np.nan)
    if hatched:
        finite[HATCHED] = np.nan, room.bottom + gap / 2
        colors.append(INK)
    starts, own = np.array([*finite.values()], np.float64).reshape(-1, 2).T
    heights = np.array(spread(own.tolist(), gap, room.bottom + gap / 2, room.top - gap / 2))
    moved = np.abs(heights - own) > FAR * room.height
    far = (moved | (starts < furthest)) & np.isfinite(starts)
    return label_columns(x, heights, [*finite], colors, of=[*finite]) | {
        "from_x": np.where(far, starts, np.nan),
        "from_y": np.where(far, own, np.nan),
    }


def label_columns(
    x: ArrayLike,
    y: ArrayLike,
    text: Sequence[str],
    color: ArrayLike,
    longest: int = LONGEST,
    of: ArrayLike | None = None,
) -> Columns:
    """Columns of a layer of labels, which have room for `longest` characters.

    What is one number, one colour, or of one algorithm, holds for all of them.
    """
    n = len(text)
    return {
        "x": np.full(n, x, np.float64),
        "y": np.full(n, y, np.float64),
        "text": np.asarray(shortened_apart(text, longest), np.object_),
        "color": np.full(n, color, np.object_),
    } | _owners(n, of)


def mark_columns(
    x: ArrayLike, y: ArrayLike, color: ArrayLike, of: ArrayLike | None = None
) -> Columns:
    """Columns of a layer of points; those that are not finite are left out."""
    places = np.array([x, y], np.float64).reshape(2, -1)
    keep = np.isfinite(places[0]) & np.isfinite(places[1])
    colors = {"color": np.full(keep.size, color, np.object_)}
    return some({"x": places[0], "y": places[1]} | colors | _owners(keep.size, of), keep)


def _owners(n: int, of: ArrayLike | None) -> Columns:
    """The column that says whose each of n items is, if they are of algorithms."""
    return {} if of is None else {p.OF: np.full(n, of, np.object_)}


def some(columns: p.Columns, which: slice | NDArray[np.bool_]) -> Columns:
    """Columns with some of their items."""
    return {name: held[which] for name, held in columns.items()}


def of_each(drawn: Callable[[T], Columns], *several: Mapping[str, T]) -> list[dict[str, Columns]]:
    """Lines of the results of each algorithm, of several kinds of results."""
    return [{name: drawn(one) for name, one in results.items()} for results in several]


def joined(curves: Iterable[tuple[Array, Array] | Array]) -> Columns:
    """Columns of one layer that draws several curves, with gaps between them."""
    gap = np.full((2, 1), np.nan)
    x, y = np.hstack([np.zeros((2, 0)), *(part for curve in curves for part in (curve, gap))])
    return {"x": x, "y": y}


def rows(left: float, right: float, y: Array, text: Sequence[str]) -> p.Layer:
    """The layer "row": invisible boxes over rows of height 1, with HTML for the mouse."""
    edges = {"x0": np.full(y.size, left), "y0": y - 0.5, "x1": np.full(y.size, right)}
    columns = {**edges, "y1": y + 0.5, "text": np.array(text, np.object_)}
    return p.boxes("row", columns, fill_alpha=0, line_alpha=0, tooltip="@text{safe}")


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
    # Interned: pages of a process that show the same keep its texts once.
    text = [
        intern("<br>".join([head, *(name + part for name, part in zip(names, parts, strict=True))]))
        for head, parts in zip(heads, lines, strict=True)
    ]
    if x.size:  # a line answers only between its ends: the first text has a margin before it
        x = np.insert(x, 0, x[0] - 0.02 * (x[-1] - x[0]))
        text.insert(0, text[0])
    return {"x": x, "y": np.full(x.size, y), "text": np.array(text, np.object_)}


LONGEST_NOTICE = 80
"""Characters that have room to say why there is nothing to show."""

Values = Callable[[str, RetrievalLists], ArrayLike]
Curves = Mapping[str, p.Columns]
"""Lines by name: the columns x and y of each, the strictest threshold first."""


class Readout(NamedTuple):
    """What is read out at the mouse: at each place a heading, and a row for each algorithm."""

    x: Array
    heads: list[str]
    rows: Mapping[str, list[str]]


class Chart(NamedTuple):
    """Lines over two axes, as layers: all that no choice of a threshold changes."""

    behind: tuple[p.Layer, ...]
    lines: tuple[p.Layer, ...]
    top: tuple[p.Layer, ...]
    x: p.Axis
    y: p.Axis

    def picture(self, *marks: p.Layer, drag: p.Drag = "box_zoom") -> p.Picture:
        """The chart with marks in front of its lines."""
        layers = (*self.behind, *self.lines, *marks, *self.top)
        return p.Picture(layers, self.x, self.y, drag=drag)


def line_chart(
    data: PlotData,
    curves: Curves,
    x: p.Axis,
    y: p.Axis,
    read: Readout,
    *,
    ghosts: Curves | None = None,
    ends: Mapping[str, float] | None = None,
    styles: Mapping[str, Style] | None = None,
    kind: str = "curve ",
    width: float | Mapping[str, float] = 2.0,
    alpha: float = 1.0,
    column: Sequence[str] | None = None,
    diagonal: str = "",
    missing: str = "",
    left: float = 0.02,
    right: float | None = None,
    below: float = 0.0,
) -> Chart:
    """Lay out lines, their names and what is read out.

    Parameters
    ----------
    data : PlotData
    curves : mapping of str to Columns
        What is drawn of each algorithm; those that are left out have an empty line.
    x, y : Axis
        From end to end of the lines: the axes of the chart have room around them.
    read : Readout
    ghosts : mapping of str to Columns, optional
        The same of all queries, while a subset is selected.
    ends : mapping of str to float, optional
        Place at which each program stopped reporting, NaN if it did not: beyond it a line is faint
        and hatched.
    styles : mapping of str to Style, optional
        Of every line there may be. Default: of all algorithms.
    kind : str
        Begins the names of the lines' layers.
    width : float or mapping of str to float
        Of the lines, in pixels.
    alpha : float
    column : sequence of str, optional
        Names below each other, from the top. Default: at the ends of the lines.
    diagonal : str, optional
        Name of a line behind the others at which x = y.
    missing : str, optional
        Why there is nothing to compare with the diagonal.
    left, right, below : float
        Room around the lines, in widths and heights of the plot. On the right, by default, what the
        names of all algorithms take.

    Returns
    -------
    Chart
        Layers "ghost", if there may be any; "curve NAME" (x, y, ...); with `ends`, "beyond NAME"
        and "hatch NAME"; "name"; with a diagonal, "ideal" and "notice"; "readout".
    """
    styles = data.styles if styles is None else styles
    room = room_between(x, y)
    across = room.width or 1.0
    lines, rest = [], []
    for name, style in styles.items():
        curve = curves.get(name, NO_LINE)
        if ends is not None:
            curve, beyond, hatch = _parted(curve, ends.get(name, np.nan), x, y)
            color, faint = style.color, FAINT
            rest.append(p.line(f"beyond {name}", beyond, color, width=1.2, alpha=faint))
            rest.append(p.line(f"hatch {name}", hatch, color, alpha=faint, decoration=True))
        if x.threshold and x.log:  # thresholds themselves, not places on the axis of other plots
            curve = {**curve, "threshold": data.axis.position(curve["x"])}
        look: p.Stroke = {"dash": style.dash, "alpha": alpha}
        look["width"] = width if isinstance(width, float) else width[name]
        lines.append(p.line(kind + name, curve, style.color, **look))
    behind, notice = [], []
    tips = {name: (one["x"][-1], one["y"][-1]) for name, one in curves.items() if one["x"].size}
    if diagonal:
        ideal = np.array([] if missing else [x.start, x.end])
        behind.append(p.line("ideal", {"x": ideal, "y": ideal}, INK))
        said = [missing] if missing else []
        words = label_columns(middle(x), middle(y), said, INK, LONGEST_NOTICE)
        notice.append(p.texts("notice", words, align="center"))
        tips |= {} if missing else {diagonal: (x.end, x.end)}
        styles = {**styles, diagonal: Style(INK, ())}
    room = room._replace(bottom=room.bottom - below * room.height)
    names_at = float(unflat(x, room.right + NAME_OFFSET * across))
    if column is None:
        hatched = any(layer.decoration and layer.size for layer in rest)
        at_ends = {name: (float(along), float(flat(y, up))) for name, (along, up) in tips.items()}
        names = end_names(at_ends, styles, names_at, room, hatched=hatched)
        names |= {key: unflat(y, names[key]) for key in ("y", "from_y")}
    else:
        gap = min(NAME_GAP, 0.95 / max(len(column), 1))
        heights = room.top - room.height * (0.05 / 1.02 + gap * np.arange(len(column)))
        colors = [styles[one].color for one in column]
        names = label_columns(names_at, heights, column, colors, of=column)
    # A diagonal, what hatching means, and a statistic are of no algorithm.
    own = [one if one in data.styles else "" for one in names[p.OF].tolist()]
    names[p.OF] = np.array(own, np.object_)
    read = read if read.rows else Readout(np.zeros(0), [], {})
    read_at = readout_columns(flat(x, read.x), middle(y), read.heads, read.rows)
    if ghosts is not None:
        ghost = joined([(one["x"], one["y"]) for one in ghosts.values() if one["x"].size])
        behind.append(p.line("ghost", ghost, GHOST))
    if right is None:
        longest = NAME_LETTER * min(max(map(len, data.styles), default=0), LONGEST)
        right = max(NAME_MARGIN, (longest + NAME_OFFSET) / (1 - longest))
    start, end = unflat(x, [room.left - left * across, room.right + right * across])
    return Chart(
        tuple(behind),
        (*lines, *rest),
        (p.texts("name", names), *notice, p.readout(read_at | {"x": unflat(x, read_at["x"])})),
        replace(x, start=float(start), end=float(end), data_end=x.end),
        replace(y, start=float(unflat(y, room.bottom))) if below else y,
    )


GRID_SIZE = 160
"""Thresholds at which errors per query are counted."""
BAND = 0.15
"""How much of its colour a band has."""


def threshold_axis(axis: ThresholdAxis, start: float, end: float) -> p.Axis:
    """The axis of thresholds, strictest on the left, between two places."""
    title = axis.title.partition("  (")[0] if start > KINK else axis.title
    return p.Axis(title, start, end, scale=axis.scale, threshold=True)


def epq_grid(data: PlotData) -> tuple[float, ...]:
    """Thresholds at which errors per query are counted, strictest first."""
    return tuple(data.axis.grid(GRID_SIZE).tolist())


def at_thresholds(data: PlotData, grid: Array, rows: Mapping[str, Iterable[str]]) -> Readout:
    """What is read out along the axis of thresholds, as far as each program reported."""
    axis, lists, sign = data.axis, data.explorer.lists, data.explorer.first.sign
    measured = {
        name: measured_rows(words, grid, measured_to(lists[name]), sign)
        for name, words in rows.items()
    }
    return Readout(axis.position(grid), [*map(axis.describe, grid)], measured)


def mean_bands(data: PlotData, x: Array, values: Values) -> list[p.Layer]:
    """Intervals of means over queries, of each algorithm shown, as bands behind lines in print.

    Parameters
    ----------
    data : PlotData
    x : ndarray of float, shape (G,)
        Places on the axis.
    values : callable
        Given an algorithm's name and lists, returns the values of each query at the first of the
        places, as many as were measured; shape (up to G, Q).
    """
    layers = []
    for name in data.explorer.shown:
        lists = data.explorer.lists[name]
        band = mean_band(values(name, lists), weight=lists.weight, groups=_groups(data))
        known = np.flatnonzero(np.isfinite(band.low))
        columns = {"x": x[known], "y0": band.low[known], "y1": band.high[known]}
        layers.append(p.area(f"band {name}", columns, data.styles[name].color, alpha=BAND))
    return layers


def bands_in_words(data: PlotData) -> str:
    """What bands are, for the caption of a figure."""
    groups = _groups(data)
    if groups.few:
        return f"No bands: {groups.few}."
    return f"Bands: 95 % intervals of the mean at each place ({groups})."


def _groups(data: PlotData) -> Groups:
    """The groups that intervals resample under the present choices."""
    return as_groups(data.explorer.groups or None, data.lists)


def each_line(data: PlotData, kind: str, curves: Curves, **look: Unpack[p.Stroke]) -> list[p.Layer]:
    """A line of each algorithm, with its dash by default, without points if it has no curve."""
    return [
        p.line(kind + name, curves.get(name, NO_LINE), one.color, **p.Stroke(dash=one.dash) | look)
        for name, one in data.styles.items()
    ]


class Reasoned(Protocol):
    """A result that may be undefined."""

    @property
    def reason(self) -> str: ...  # noqa: D102


R = TypeVar("R", bound=Reasoned)


def no_reason(results: Mapping[str, Reasoned]) -> str:
    """Why nothing is defined of any of some results; empty if something is."""
    reasons = dict.fromkeys(one.reason for one in results.values())
    return "; ".join(reasons) if all(reasons) else ""


def not_kept_words(lists: Iterable[RetrievalLists], **asked: Unpack[Asked]) -> str:
    """Why condensed lists do not tell what is asked of them, a sentence; empty if they do."""
    reasons = (not_kept(one, **asked) for one in lists)
    return next((f"{reason.capitalize()}." for reason in reasons if reason), "")


def each_in_words(results: Mapping[str, R], what: str, start: str, said: Callable[[R], str]) -> str:
    """A sentence with a part for each algorithm, or that there is none of something, and why."""
    if not results:
        return "No program is shown."
    if reason := no_reason(results):
        return f"There is no {what}: {reason}."
    parts = [
        f"{name} is left out ({one.reason})" if one.reason else f"{name} {said(one)}"
        for name, one in results.items()
    ]
    return f"{start}{'; '.join(parts)}."


def upright(at: float | None, low: float = 0.0, high: float = 1.0, drags: str = "") -> p.Layer:
    """The layer "line": an upright line at a place that is chosen, if it has one."""
    ends = np.array([] if at is None else [at, at], np.float64)
    columns = {"x": ends, "y": np.array([low, high])[: ends.size]}
    return p.line("line", columns, INK, moving=True, drags=drags)


def diamonds(
    data: PlotData,
    places: Places,
    name: str = "threshold",
    along: Callable[[Array], Array] = np.positive,
) -> p.Layer:
    """A layer of diamonds, as of `marks`."""
    return p.points(name, marks(data, places, along), marker="diamond", size=13, moving=True)


def marks(data: PlotData, places: Places, along: Callable[[Array], Array] = np.positive) -> Columns:
    """Columns of points in the colours of algorithms; those without a place are left out.

    `along` says where on the axis x is.
    """
    x, y = np.array([*places.values()], np.float64).reshape(-1, 2).T
    return mark_columns(along(x), y, [data.styles[name].color for name in places], [*places])


def room_between(x: p.Axis, y: p.Axis) -> Room:
    """What lies between the ends of two axes, in decades along logarithmic ones."""
    left, right, bottom, top = *flat(x, [x.start, x.end]), *flat(y, [y.start, y.end])
    return Room(float(left), float(right), float(bottom), float(top))


def _parted(
    curve: p.Columns, end: float, x: p.Axis, y: p.Axis
) -> tuple[p.Columns, p.Columns, p.Columns]:
    """A line as far as its program reported; the rest, which nobody measured; strokes around it."""
    room = room_between(x, y)
    sign = np.sign(room.width)
    outside = sign * curve["x"] > sign * end
    if not outside.any():
        return curve, NO_LINE, NO_LINE
    first = int(np.argmax(outside))
    # Beyond a limit that all queries have in common nothing follows.
    edge = {"x": np.array([end]), "y": curve["y"][first : first + 1]}
    edge = some(edge, np.array([first > 0]))
    inside = {key: np.append(curve[key][:first], at) for key, at in edge.items()}
    rest = {key: np.append(at, curve[key][first:]) for key, at in edge.items()}
    half = HATCH_HEIGHT * room.height
    left, right = flat(x, rest["x"][[0, -1]]).tolist()
    heights = flat(y, rest["y"])
    low, high = float(np.nanmin(heights)) - half, float(np.nanmax(heights)) + half
    hatch = strokes(left, right, low, high, (room.width, room.height))
    return inside, rest, {"x": unflat(x, hatch["x"]), "y": unflat(y, hatch["y"])}
