"""Line charts: a line for each algorithm, its name at the end, and a read-out at the mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from tapviz.draw import picture as p
from tapviz.draw.scale import KINK, ThresholdAxis
from tapviz.draw.style import GHOST, INK, Style
from tapviz.lists import RetrievalLists
from tapviz.lists.reported import measured_to
from tapviz.measures import Groups, as_groups, mean_band
from tapviz.plots import columns as c
from tapviz.plots.data import PlotData
from tapviz.plots.names import NAME_GAP, Room

LONGEST_NOTICE = 80
"""Characters that have room to say why there is nothing to show."""

Values = Callable[[str, RetrievalLists], ArrayLike]
Curves = Mapping[str, p.Columns]
"""Lines by name: the columns x and y of each, the strictest threshold first."""


class Readout(NamedTuple):
    """What is read out at the mouse: at each place a heading, and a row for each algorithm."""

    x: c.Array
    heads: list[str]
    rows: Mapping[str, list[str]]


class Chart(NamedTuple):
    """Lines over two axes, as layers: all that no choice of a threshold changes."""

    behind: tuple[p.Layer, ...]
    ghost: p.Layer
    lines: tuple[p.Layer, ...]
    top: tuple[p.Layer, ...]
    x: p.Axis
    y: p.Axis

    def picture(self, *marks: p.Layer, drag: p.Drag = "box_zoom") -> p.Picture:
        """The chart with marks in front of its lines."""
        layers = (*self.behind, self.ghost, *self.lines, *marks, *self.top)
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
        Layers "ghost"; "curve NAME" (x, y, ...); with `ends`, "beyond NAME" and "hatch NAME";
        "name"; with a diagonal, "ideal" and "notice"; "readout".
    """
    styles = data.styles if styles is None else styles
    room = _room(x, y)
    across = room.width or 1.0
    lines, rest = [], []
    for name, style in styles.items():
        curve = curves.get(name, c.NO_LINE)
        if ends is not None:
            curve, beyond, hatch = _parted(curve, ends.get(name, np.nan), x, y)
            color, faint = style.color, c.FAINT
            rest.append(p.line(f"beyond {name}", beyond, color, width=1.2, alpha=faint))
            rest.append(p.line(f"hatch {name}", hatch, color, alpha=faint, decoration=True))
        if x.threshold and x.log:  # thresholds themselves, not places on the axis of other plots
            curve = {**curve, "threshold": data.axis.position(curve["x"])}
        wide = width if isinstance(width, float) else width[name]
        lines.append(
            p.line(kind + name, curve, style.color, dash=style.dash, width=wide, alpha=alpha)
        )
    behind, notice = [], []
    tips = {name: (one["x"][-1], one["y"][-1]) for name, one in curves.items() if one["x"].size}
    if diagonal:
        ideal = np.array([] if missing else [x.start, x.end])
        behind.append(p.line("ideal", {"x": ideal, "y": ideal}, INK))
        said = [missing] if missing else []
        words = c.label_columns(c.middle(x), c.middle(y), said, INK, LONGEST_NOTICE)
        notice.append(p.texts("notice", words, align="center"))
        tips |= {} if missing else {diagonal: (x.end, x.end)}
        styles = {**styles, diagonal: Style(INK, ())}
    room = room._replace(bottom=room.bottom - below * room.height)
    names_at = float(c.unflat(x, room.right + c.NAME_OFFSET * across))
    if column is None:
        hatched = any(layer.decoration and layer.size for layer in rest)
        ups = {name: float(c.flat(y, up)) for name, (_, up) in tips.items()}
        alongs = {name: float(along) for name, (along, _) in tips.items()}
        names = c.end_names(ups, styles, names_at, (room.bottom, room.top), alongs, hatched=hatched)
        names |= {key: c.unflat(y, names[key]) for key in ("y", "from_y")}
    else:
        gap = min(NAME_GAP, 0.95 / max(len(column), 1))
        heights = room.top - room.height * (0.05 / 1.02 + gap * np.arange(len(column)))
        names = c.label_columns(names_at, heights, column, [styles[one].color for one in column])
    read = read if read.rows else Readout(np.zeros(0), [], {})
    read_at = c.readout_columns(c.flat(x, read.x), c.middle(y), read.heads, read.rows)
    ghost = c.joined([(one["x"], one["y"]) for one in (ghosts or {}).values() if one["x"].size])
    margin = c.name_margin(data.styles) if right is None else right
    start, end = c.unflat(x, [room.left - left * across, room.right + margin * across])
    return Chart(
        tuple(behind),
        p.line("ghost", ghost, GHOST),
        (*lines, *rest),
        (p.texts("name", names), *notice, p.readout(read_at | {"x": c.unflat(x, read_at["x"])})),
        replace(x, start=float(start), end=float(end), data_end=x.end),
        replace(y, start=float(c.unflat(y, room.bottom))) if below else y,
    )


GRID_SIZE = 160
"""Thresholds at which errors per query are counted."""
BAND = 0.15
"""How much of its colour a band has."""


def threshold_axis(axis: ThresholdAxis) -> p.Axis:
    """The axis of thresholds, strictest on the left, from the first to the last one."""
    return part_of_axis(axis, axis.start, axis.end)


def part_of_axis(axis: ThresholdAxis, start: float, end: float) -> p.Axis:
    """The same between two places."""
    title = axis.title.partition("  (")[0] if start > KINK else axis.title
    return p.Axis(title, start, end, scale=axis.scale, threshold=True)


def epq_grid(data: PlotData) -> tuple[float, ...]:
    """Thresholds at which errors per query are counted, strictest first."""
    return tuple(data.axis.grid(GRID_SIZE).tolist())


def at_thresholds(data: PlotData, grid: c.Array, rows: Mapping[str, Iterable[str]]) -> Readout:
    """What is read out along the axis of thresholds, as far as each program reported."""
    axis, lists, sign = data.axis, data.explorer.lists, data.explorer.first.sign
    measured = {
        name: c.measured_rows(words, grid, measured_to(lists[name]), sign)
        for name, words in rows.items()
    }
    return Readout(axis.position(grid), [*map(axis.describe, grid)], measured)


def mean_bands(data: PlotData, x: c.Array, values: Values) -> list[p.Layer]:
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


def each_line(
    kind: str,
    curves: Curves,
    styles: Mapping[str, Style],
    *,
    dash: tuple[int, ...] | None = None,
    width: float = 1.0,
    alpha: float = 1.0,
    moving: bool = False,
) -> list[p.Layer]:
    """A line of each algorithm, with its dash by default, without points if it has no curve."""
    dashes = {name: one.dash if dash is None else dash for name, one in styles.items()}
    lines = {name: (curves.get(name, c.NO_LINE), one.color) for name, one in styles.items()}
    return [
        p.line(kind + name, *of, dash=dashes[name], width=width, alpha=alpha, moving=moving)
        for name, of in lines.items()
    ]


class Reasoned(Protocol):
    """A result that may be undefined."""

    @property
    def reason(self) -> str: ...  # noqa: D102


R = TypeVar("R", bound=Reasoned)


def no_reason(results: Mapping[str, Reasoned]) -> str:
    """Why nothing is defined of any of some results; empty if something is."""
    reasons = [one.reason for one in results.values()]
    return "; ".join(dict.fromkeys(reasons)) if reasons and all(reasons) else ""


def each_in_words(
    results: Mapping[str, R], missing: str, start: str, said: Callable[[R], str]
) -> str:
    """A sentence with a part for each algorithm, or that something is missing, and why."""
    if not results:
        return "No program is shown."
    if reason := no_reason(results):
        return f"There is no {missing}: {reason}."
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
    data: PlotData, places: Mapping[str, tuple[float, float]], name: str = "threshold"
) -> p.Layer:
    """A layer of diamonds in the colours of algorithms; those without a place are left out."""
    return p.points(name, marks(data, places), marker="diamond", size=13, moving=True)


def marks(data: PlotData, places: Mapping[str, tuple[float, float]]) -> c.Columns:
    """Columns of points in the colours of algorithms; those without a place are left out."""
    x, y = np.array([*places.values()], np.float64).reshape(-1, 2).T
    return c.mark_columns(x, y, [data.styles[name].color for name in places])


def _room(x: p.Axis, y: p.Axis) -> Room:
    """What lies between the ends of two axes, in decades along logarithmic ones."""
    left, right, bottom, top = *c.flat(x, [x.start, x.end]), *c.flat(y, [y.start, y.end])
    return Room(float(left), float(right), float(bottom), float(top))


def _parted(
    curve: p.Columns, end: float, x: p.Axis, y: p.Axis
) -> tuple[p.Columns, p.Columns, p.Columns]:
    """A line as far as its program reported; the rest, which nobody measured; strokes around it."""
    room = _room(x, y)
    sign = np.sign(room.width)
    outside = sign * curve["x"] > sign * end
    if not outside.any():
        return curve, c.NO_LINE, c.NO_LINE
    first = int(np.argmax(outside))
    # Beyond a limit that all queries have in common nothing follows.
    edge = {"x": np.array([end]), "y": curve["y"][first : first + 1]}
    edge = c.some(edge, np.array([first > 0]))
    inside = {key: np.append(curve[key][:first], at) for key, at in edge.items()}
    rest = {key: np.append(at, curve[key][first:]) for key, at in edge.items()}
    half = c.HATCH_HEIGHT * room.height
    left, right = c.flat(x, rest["x"][[0, -1]]).tolist()
    heights = c.flat(y, rest["y"])
    low, high = float(np.nanmin(heights)) - half, float(np.nanmax(heights)) + half
    hatch = c.strokes(left, right, low, high, (room.width, room.height))
    return inside, rest, {"x": c.unflat(x, hatch["x"]), "y": c.unflat(y, hatch["y"])}
