"""What a plot shows, as plain data that any drawer can draw: layers of columns over two axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.draw.scale import PowerScale
from tapviz.draw.style import ink, tick_label

Columns = Mapping[str, np.ndarray]
"""Arrays of one length, by name: what a layer draws."""
Style = Mapping[str, Any]
"""How a layer looks: values of its kind's function, by name."""
Kind = Literal["line", "points", "texts", "segments", "boxes", "area", "readout"]
Drag = Literal["box_zoom", "box_select"]

CORNERS = ("x0", "y0", "x1", "y1")
OF = "of"
"""Column with the algorithm that an item is of, which the page lets stand out: nothing draws it."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer of a picture: columns, and how they look.

    Make one by `line`, `points`, `texts`, `segments`, `boxes`, `area` or `readout`, which say what
    columns and style it has. Lengths are in pixels of the page; print keeps their proportions.
    """

    name: str
    kind: Kind
    columns: Columns
    style: Style = field(default_factory=dict)
    moving: bool = False
    """Whether it follows the threshold or n: where nothing else changes, these alone are painted,
    above the others."""
    tooltip: str = ""
    """HTML for the mouse over one item, with names of columns as in ``@query``; empty: none."""
    note: bool = False
    """Whether it only says on the page what stands elsewhere: left out of tables and print."""
    drags: str = ""
    """Choice that is set by dragging it along x on the page, as its slider sets it; empty: none."""
    wanted: bool = True
    """Whether it may have items under the present choices: until then no page has its glyph."""
    decoration: bool = False
    """Whether it only marks an area, and its places are not numbers: left out of tables."""

    @property
    def visible(self) -> bool:
        """Whether there is anything to see; a layer that is not only answers the mouse."""
        return self.kind != "readout" and (
            self.kind != "boxes" or bool(self.style["fill_alpha"] or self.style["line_alpha"])
        )

    @property
    def size(self) -> int:
        """Number of items."""
        return int(next(iter(self.columns.values())).size)

    @property
    def leads(self) -> bool:
        """Whether lines lead to some of its texts."""
        return "from_x" in self.columns and bool(np.isfinite(self.columns["from_x"]).any())

    def along(self, axis: str) -> NDArray[np.float64]:
        """Places of lines on an axis, x or y; between segments are gaps."""
        if self.kind == "line":
            return np.asarray(self.columns[axis], np.float64)
        start, end = self.columns[f"{axis}0"], self.columns[f"{axis}1"]
        return np.column_stack([start, end, np.full(start.size, np.nan)]).ravel()

    def some(self, which: slice | NDArray[np.bool_]) -> Layer:
        """The layer with some of its items."""
        return replace(self, columns={name: held[which] for name, held in self.columns.items()})


@dataclass(frozen=True)
class Axis:
    """One axis of a picture.

    Places on it are what layers are drawn at. On a logarithmic axis they are the values
    themselves; on one with a scale of its own, or with named ticks, `values` says what they mean.
    """

    label: str
    start: float
    """Place at the left or lower end; larger than `end` where the axis runs the other way."""
    end: float
    _: KW_ONLY
    log: bool = False
    ticks: Mapping[float, str] | None = None
    """What is written at which place; None leaves both to the scale, or to whoever draws."""
    scale: PowerScale | None = None
    inverse: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None
    """Function from places to values, where they differ and there is no scale."""
    threshold: bool = False
    """Whether it is one of thresholds: the one under the mouse is marked by a line across it."""
    data_end: float | None = None
    """Place at which the axis and the grid end, where only names stand beyond."""

    def values(self, places: ArrayLike) -> NDArray[np.float64]:
        """Values drawn at places; shape as given."""
        at = np.asarray(places, np.float64)
        meaning = self.scale.values if self.scale is not None else self.inverse
        return at if meaning is None else meaning(at)

    def ticks_between(self, low: float, high: float) -> dict[float, str] | None:
        """Places and texts of the ticks between two places; None leaves them to whoever draws."""
        if self.ticks is not None:
            return {at: text for at, text in self.ticks.items() if low <= at <= high}
        if self.scale is None:
            return None
        return {at: tick_label(float(self.scale.values(at))) for at in self.scale.ticks(low, high)}


@dataclass(frozen=True, eq=False)
class Picture:
    """Layers, first to last as they are painted, over two axes."""

    layers: tuple[Layer, ...]
    x: Axis
    y: Axis
    drag: Drag = "box_zoom"
    """What dragging the mouse does."""
    left: int = 62
    """Room for the y axis and its label, in pixels."""
    font_size: int = 12
    """Size of the letters on the page, in pixels."""
    grid: bool = True
    tall: float = 1.0
    """Height as a multiple of the usual one, where many rows need more."""
    by_name: Mapping[str, Layer] = field(init=False)
    """The layers by their names."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {layer.name: layer for layer in self.layers})

    @property
    def columns(self) -> dict[str, Columns]:
        """Columns of all layers by name."""
        return {layer.name: layer.columns for layer in self.layers}


class Roles(TypedDict, total=False):
    """What a layer is for, besides its looks: see `Layer`."""

    moving: bool
    tooltip: str
    note: bool
    drags: str
    wanted: bool
    decoration: bool


class Stroke(Roles, total=False):
    """How lines look, and what they are for."""

    width: float
    dash: tuple[int, ...]
    alpha: float


def line(
    name: str,
    columns: Columns,
    color: str,
    *,
    width: float = 1.0,
    dash: tuple[int, ...] = (),
    alpha: float = 1.0,
    **roles: Unpack[Roles],
) -> Layer:
    """Line through the columns x and y; NaN makes a gap.

    A column "threshold" says at which place on the axis of thresholds each point is, so that the
    page can mark the threshold that is under the mouse in another plot. It goes one way along the
    line; points beyond all thresholds have NaN. Without it, x says so on an axis of thresholds.
    """
    style = {"color": color, "width": width, "dash": dash, "alpha": alpha}
    return Layer(name, "line", columns, style, **roles)


def points(
    name: str,
    columns: Columns,
    *,
    marker: str = "circle",
    size: float = 6.0,
    fill_alpha: float = 1.0,
    line_color: str | None = "white",
    line_width: float = 1.0,
    **roles: Unpack[Roles],
) -> Layer:
    """Points at the columns x and y, each of its color.

    `marker` is "circle", "triangle", "inverted_triangle", "diamond", "square" or "dash", a short
    upright stroke. With a column marker each point has its own, which is not a dash.
    """
    style = {"marker": marker, "size": size, "fill_alpha": fill_alpha}
    style |= {"line_color": line_color, "line_width": line_width}
    return Layer(name, "points", columns, style, **roles)


def texts(
    name: str,
    columns: Columns,
    *,
    align: Literal["left", "center", "right"] = "left",
    baseline: Literal["top", "middle", "bottom"] = "middle",
    shift: float = 0.0,
    **roles: Unpack[Roles],
) -> Layer:
    """Texts at the columns x and y, each of the ink of its color; `shift` moves them, in pixels.

    Print puts some white behind them, which lines below do not cross.
    A line leads to a text from the columns from_x and from_y, where there are such and not NaN.
    """
    style = {"align": align, "baseline": baseline, "shift": shift}
    columns = {**columns, "color": np.array([*map(ink, columns["color"])], np.object_)}
    return Layer(name, "texts", columns, style, **roles)


def segments(name: str, columns: Columns, color: str, **look: Unpack[Stroke]) -> Layer:
    """Straight lines from x0, y0 to x1, y1, which do not move; looks as of `line`."""
    return replace(line(name, columns, color, **look), kind="segments")


def boxes(
    name: str,
    columns: Columns,
    color: str = "black",
    *,
    fill_alpha: float = 1.0,
    line_alpha: float = 1.0,
    line_width: float = 1.0,
    **roles: Unpack[Roles],
) -> Layer:
    """Boxes from x0, y0 to x1, y1; the line around them has their color."""
    style = {"color": color, "fill_alpha": fill_alpha, "line_alpha": line_alpha}
    style |= {"line_color": color, "line_width": line_width}
    return Layer(name, "boxes", columns, style, **roles)


def area(name: str, columns: Columns, color: str, *, alpha: float) -> Layer:
    """Area over the column x between y0 and y1; in print alone."""
    return Layer(name, "area", columns, {"color": color, "alpha": alpha})


def readout(columns: Columns) -> Layer:
    """Invisible line through x and y that answers the mouse above and below it with its text."""
    return Layer("readout", "readout", columns)


def drawn_alike(before: Picture, after: Picture) -> bool:
    """Whether what has drawn a picture shows another by new columns, and new words on its axes.

    These are their labels, ends and ticks. Looks stay, and so does whether there are leaders. How
    tall it is does not matter: rows are then closer together, or further apart.
    """
    layers = zip(before.layers, after.layers, strict=True)
    return all(
        (old.style, old.tooltip, old.wanted) == (new.style, new.tooltip, new.wanted)
        and (old.leads or not new.leads)
        for old, new in layers
    ) and _outside(before) == _outside(after)


def _outside(picture: Picture) -> tuple[object, ...]:
    """What is neither in layers nor written on axes."""
    same: dict[str, Any] = {"label": "", "start": 0, "end": 0, "ticks": None, "inverse": None}
    x, y = picture.x, picture.y
    axes = replace(x, **same, data_end=None), replace(y, **same)
    return (*axes, x.ticks is None, y.ticks is None, x.data_end is None)


def columns_changed(before: Layer, after: Layer) -> set[str]:
    """Names of the columns of a layer that are not what they were."""
    if before.columns is after.columns:
        return set()
    return {
        name
        for name, values in after.columns.items()
        if not _same(before.columns.get(name), values)
    }


def _same(before: np.ndarray | None, after: np.ndarray) -> bool:
    if before is after:
        return True
    if before is None or before.size != after.size:
        return False
    if before.dtype.kind == "O":
        return bool(before.tolist() == after.tolist())
    return np.array_equal(before, after, equal_nan=before.dtype.kind == "f")


def ends(axis: Axis) -> tuple[float, float]:
    """Ends of an axis, which must differ to be drawn."""
    return axis.start, axis.end if axis.end != axis.start else axis.start + 1
