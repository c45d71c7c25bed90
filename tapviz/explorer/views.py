"""What a page, or a report, shows at every position of a slider: the browser then moves it."""

from __future__ import annotations

import json
import marshal
import zlib
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import groupby
from operator import is_
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Layer, Picture, columns_changed, drawn_alike, ends
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import Style
from tapviz.explorer import Explorer, score_table
from tapviz.explorer.query_rows import QueryView
from tapviz.explorer.verdict import concluded
from tapviz.measures import Cancelled, OnProgress
from tapviz.plots import PLOTS, PlotData
from tapviz.scores import Compared
from tapviz.state import BY_E_VALUE, BY_ERRORS, MAX_K, MAX_N, Choices
from tapviz.state.settings import Value

TABLE = "table"
"""What is not a plot: the score table and the verdict."""
QUERIES = "queries"
"""The first rows of the table of queries."""
STEPS = 400
"""Of the slider of E_0."""
FIRST_ROWS = 14
"""Of the table of queries, which are in sight before it is scrolled."""
MOST_NUMBERS = 2_800_000
"""Of a plot at all stops together: the server moves those of more, such as dots of many queries."""
LOG_STEP = 0.01
"""Of the slider of n, in powers of ten."""
Moved = Literal["k", "e0", "n"]
"""Setting that a slider moves."""
Control = Literal["threshold", "k", "n"]
"""What a table follows: k or E_0, whichever makes the threshold; k alone; or n."""

K = TypeVar("K", bound=Hashable)
PLAINLY = 2
"""Version of what `marshal` writes: equal values are equal bytes, sooner than JSON is made."""
SHORT = 20
"""Values of a column that is not worth shortening."""


class Distinct:
    """Values that JSON has, each distinct one kept once."""

    def __init__(self) -> None:
        self.values: list[object] = []
        self._places: dict[object, int] = {}

    def place(self, value: Any) -> int:
        """Where a value is among them."""
        key = value if isinstance(value, str) else marshal.dumps(value, PLAINLY)
        place = self._places.setdefault(key, len(self.values))
        if place == len(self.values):
            self.values.append(value)
        return place


class Track:
    """Values at the positions of a control."""

    def __init__(self) -> None:
        self._distinct = Distinct()
        self._at: defaultdict[Control, list[int]] = defaultdict(list)
        self._sources: tuple[object, ...] = ()
        self._last = 0

    def add(self, control: Control, value: Any, times: int = 1) -> None:
        """Add what is seen at the next positions of a control, so many."""
        self._last = self._distinct.place(value)
        self._at[control] += [self._last] * times

    def add_made(
        self, control: Control, times: int, make: Callable[..., object], *sources: object
    ) -> None:
        """Add what is made of some things; the very same as before are not looked at again."""
        if len(sources) == len(self._sources) and all(map(is_, sources, self._sources)):
            self._at[control] += [self._last] * times
            return
        self._sources = sources
        self.add(control, make(*sources), times)

    def data(self) -> dict[str, object]:
        """The values and their places: one value if nothing moves it.

        Places are pairs of a value and how often it comes one after the other; none are written if
        every position has a value of its own.
        """
        follows = [control for control, at in self._at.items() if len(set(at)) > 1]
        if not follows:
            return {"values": self._distinct.values[:1]}
        if len(follows) > 1:
            msg = f"a table follows one control, and this one would follow {' and '.join(follows)}"
            raise AssertionError(msg)
        at, values = self._at[follows[0]], self._distinct.values
        data: dict[str, object] = {"values": _shortened(values), "control": follows[0]}
        if at != list(range(len(at))):
            data["runs"] = [part for one, run in groupby(at) for part in (one, len(list(run)))]
        return data


class Tracks(defaultdict[K, Track]):
    """Tracks by the names of what they are of."""

    def __init__(self) -> None:
        super().__init__(Track)

    def add(self, control: Control, values: Mapping[K, object], times: int = 1) -> None:
        """Add what is seen of several things at the next positions of a control."""
        for name, value in values.items():
            self[name].add(control, value, times)

    def data(self) -> dict[K, dict[str, object]]:
        """The values and their places, by name."""
        return {name: track.data() for name, track in self.items()}


def _shortened(values: list[object]) -> list[object]:
    """Long columns as what differs from the longest: how much they begin alike, and the rest."""
    longest = max((one for one in values if isinstance(one, list)), key=len, default=list[object]())
    if len(longest) < SHORT or longest not in values:
        return values
    result: list[object] = []
    for one in values:
        if one is longest or not isinstance(one, list):
            result.append(one)
            continue
        ends = range(1, len(one) + 1)  # sooner than to look at each value
        alike = bisect(ends, 0, key=lambda end: one[:end] != longest[:end])
        result.append({"alike": alike, "rest": one[alike:]} if alike > SHORT else one)
    return [{"longest": values.index(longest)}, *result] if result != values else values


class Stops(NamedTuple):
    """Positions of a slider, and the values of its setting there.

    Examples
    --------
    >>> from tapviz import Explorer, load_results
    >>> from tapviz.explorer.views import stops
    >>> from tapviz.plots import PlotData
    >>> at = stops(PlotData(Explorer(load_results("profiles"))).axis)
    >>> at["k"].values[:3], at["k"].place_of(3), at["k"].place_of(101)
    ((1, 2, 3), 2, None)
    """

    setting: Moved
    start: float
    step: float
    values: tuple[float, ...]

    @property
    def end(self) -> float:
        """Last place on the slider."""
        return self.start + self.step * (len(self.values) - 1)

    def read(self, place: float) -> float:
        """Value at the stop next to a place on the slider, or at the end beyond which it is."""
        stop = round((place - self.start) / self.step)
        return self.values[min(max(stop, 0), len(self.values) - 1)]

    def place_of(self, value: float) -> int | None:
        """Which stop has a value; None if none has."""
        return self.values.index(value) if value in self.values else None

    def choices(self, value: float) -> dict[str, Value]:
        """The settings that a hand at a value of the slider has made."""
        modes: dict[str, dict[str, Value]] = {"k": {"mode": BY_ERRORS}, "e0": {"mode": BY_E_VALUE}}
        return modes.get(self.setting, {}) | {self.setting: value}

    @property
    def control(self) -> Control:
        """What follows it."""
        return "n" if self.setting == "n" else "threshold"


def exact(value: float) -> str:
    """Shortest text that reads back as the same number."""
    return min((one for one in (f"{value:g}", repr(value)) if float(one) == value), key=len)


def stops(axis: ThresholdAxis) -> dict[Moved, Stops]:
    """Positions of the sliders of k, E_0 and n.

    What is written beside the slider of E_0, with two digits, is what is used.
    """
    low, high = sorted((axis.start, axis.end))
    step = (high - low) / STEPS or 1.0
    places = low + step * np.arange(STEPS + 1 if high > low else 1)
    e0 = (float(f"{float(axis.threshold(place)):.2g}") for place in places)
    n = (round(10.0 ** (LOG_STEP * at)) for at in range(round(np.log10(MAX_N) / LOG_STEP) + 1))
    return {
        "k": Stops("k", 1, 1, tuple(range(1, MAX_K + 1))),
        "e0": Stops("e0", low, step, tuple(e0)),
        "n": Stops("n", 0.0, LOG_STEP, tuple(n)),
    }


def views(
    explorer: Explorer, parts: Sequence[str], at: Stops, progress: OnProgress | None = None
) -> dict[str, bytes | None]:
    """What parts of the page show at every stop of a slider, packed.

    Parameters
    ----------
    explorer : Explorer
        Whose setting is moved: one that nobody else has.
    parts : sequence of str
        Names of plots, `TABLE` and `QUERIES`.
    at : Stops
    progress : callable, optional
        Called with the stops that are done and their number; False stops the work.

    Returns
    -------
    dict of str to bytes or None
        JSON, compressed by zlib. None of a part of which more moves than layers that are said to.

    Raises
    ------
    Cancelled
        If `progress` returned False.
    """
    data, done = PlotData(explorer), 0
    left: dict[str, _Figure | _Table | _Queries] = {part: _part(part, data, at) for part in parts}
    explorer.param.update(**at.choices(at.values[0]))
    values = [(value, len([*alike])) for value, alike in groupby(at.values)]
    visited = explorer.visit(at.setting, [value for value, _ in values])
    for (_, times), _ in zip(values, visited, strict=True):
        if progress is not None and progress(done, len(at.values)) is False:
            raise Cancelled
        left = {part: one for part, one in left.items() if one.add(at.control, times)}
        done += times
    slider = {"start": at.start, "step": at.step, "size": len(at.values)}
    packed: dict[str, bytes | None] = dict.fromkeys(parts)
    for part, one in left.items():
        text = json.dumps(slider | one.data(), allow_nan=False, separators=(",", ":"))
        packed[part] = zlib.compress(text.encode())
    return packed


class _Figure:
    """Layers of a plot that move; or all of it, if others follow, or what is on its axes."""

    def __init__(self, data: PlotData, name: str) -> None:
        self._data, self._plot = data, PLOTS[name]
        self._before = self._plot.picture(data)
        self._caption = Track()
        self._seen: list[tuple[Control, int, Picture]] = []
        """At how many stops which picture, one after the other."""
        self._n_numbers = 0
        self._alone = True
        """Whether nothing follows but layers that are said to."""

    def add(self, control: Control, times: int) -> bool:
        explorer = self._data.explorer
        if self._plot.compares:
            self._data.compared = explorer.or_at_any_n(explorer.known)
            if self._data.compared is None:  # forgotten meanwhile: the server finds it again
                return False
        before, picture = self._before, self._plot.picture(self._data)
        pairs = zip(before.layers, picture.layers, strict=True)
        followed = [new for old, new in pairs if new.moving or columns_changed(old, new)]
        self._n_numbers += sum(layer.size * len(layer.columns) for layer in followed)
        if self._n_numbers > MOST_NUMBERS or not drawn_alike(before, picture):
            return False
        still = (before.x, before.y) == (picture.x, picture.y)
        self._alone = self._alone and still and all(layer.moving for layer in followed)
        self._caption.add(control, self._plot.caption_shown(self._data), times)
        self._seen.append((control, times, picture))
        return True

    def data(self) -> dict[str, Any]:
        columns, axes = Tracks[tuple[str, str]](), Tracks[tuple[str, str]]()
        for control, times, picture in self._seen:
            for layer in picture.layers:
                if layer.moving or not self._alone:
                    for name, values in _places(layer).items():
                        columns[layer.name, name].add_made(control, times, _column, values)
            for side, axis in (("x", picture.x), ("y", picture.y)) if not self._alone else ():
                ticks = None if axis.ticks is None else [*axis.ticks.items()]
                words = {"ends": ends(axis), "dataEnd": axis.data_end, "label": axis.label}
                for name, word in (words | {"ticks": ticks}).items():
                    axes[side, name].add(control, word, times)
        found = {
            "figure": self._plot.name,
            "layers": _nested(columns.data()),
            "caption": self._caption.data(),
        }
        return found if self._alone else found | {"axes": _nested(axes.data())}


def _places(layer: Layer) -> Mapping[str, NDArray[Any]]:
    """Columns of a layer as the page has them: segments are one line, with gaps."""
    return {axis: layer.along(axis) for axis in "xy"} if layer.kind == "segments" else layer.columns


class Cells:
    """Cells of the score table, whose rows have parts that follow one slider each.

    Parameters
    ----------
    explorer : Choices
        Whose setting is moved.
    styles : mapping of str to Style
    ranked : bool
        As of `score_table`: not where some of the rows may be hidden.
    """

    def __init__(
        self, explorer: Choices, styles: Mapping[str, Style], *, ranked: bool = True
    ) -> None:
        self._explorer, self._styles, self._ranked = explorer, styles, ranked
        self.judged: Control = "threshold" if explorer.score_compared.at_threshold else "n"
        """What intervals of differences, and the verdict, follow."""
        self._head = Tracks[tuple[int, int]]()
        self._rows = Tracks[tuple[str, str]]()
        self._order = Tracks[str]()

    def add(self, control: Control, times: int, *known: tuple[Choices, Compared | None]) -> None:
        """Add the present cells: of each row those of the last of some choices that has it."""
        explorer, at = self._explorer, control == "threshold"
        rows: dict[str, score_table.Parts] = {}
        for one, compared in known:
            head, found = score_table.parts_of(
                one, self._styles, compared, at_threshold=at, ranked=self._ranked
            )
            rows |= found
            if one is explorer:
                for row, cells in enumerate(head):
                    places = {(row, place): cell for place, cell in enumerate(cells)}
                    self._head.add(control, places, times)
        if control == self.judged:
            self._order.add(control, {"order": score_table.best_first(explorer)}, times)
        followed = {"at_threshold": "threshold", "others": "n", "compared": self.judged}
        for name, parts in rows.items():
            for part, cells in zip(score_table.Parts._fields, parts, strict=True):
                if followed[part] == control:
                    self._rows[name, part].add(control, "".join(cells), times)

    def data(self) -> dict[str, Any]:
        """What `turnRows` of the page takes."""
        rows = _nested(self._rows.data())
        head = [(*place, track) for place, track in self._head.data().items() if "control" in track]
        others = score_table.n_other_cells(self._explorer)
        return {"head": head, "others": others, "rows": rows, **self._order.data()}


class _Table:
    """The score table and the verdict."""

    def __init__(self, data: PlotData, at: Stops) -> None:
        self._explorer = data.explorer
        self._cells = Cells(data.explorer, data.styles)
        self._texts = Tracks[str]()
        self._boxes = [*map(exact, at.values)]

    def add(self, control: Control, times: int) -> bool:
        explorer, compared = self._explorer, self._explorer.known
        if control == "threshold":
            compared = explorer.or_at_any_n(compared)
        self._cells.add(control, times, (explorer, compared))
        if control == self._cells.judged:
            self._texts.add(control, {"verdict": concluded(explorer, compared)}, times)
        return True

    def data(self) -> dict[str, Any]:
        return {"boxes": self._boxes, **self._cells.data(), **self._texts.data()}


class _Queries:
    """Rows of queries; each cell that some of them have is kept once."""

    def __init__(self, data: PlotData) -> None:
        self._content = QueryView(data)
        self._cells = Distinct()
        self._tracks = Tracks[str]()

    def add(self, control: Control, times: int) -> bool:
        rows = [[*map(self._cells.place, row)] for row in self._content.rows(0, FIRST_ROWS)]
        self._tracks.add(control, self._content.heads() | {"rows": rows}, times)
        return True

    def data(self) -> dict[str, Any]:
        return {"cells": self._cells.values, "queries": self._tracks.data()}


def _part(name: str, data: PlotData, at: Stops) -> _Figure | _Table | _Queries:
    if name == TABLE:
        return _Table(data, at)
    return _Queries(data) if name == QUERIES else _Figure(data, name)


def _nested(tracks: Mapping[tuple[str, str], object]) -> dict[str, dict[str, object]]:
    """Tracks by the first, then the second part of their names."""
    found: dict[str, dict[str, object]] = {}
    for (whole, part), track in tracks.items():
        found.setdefault(whole, {})[part] = track
    return found


def _column(values: NDArray[Any]) -> list[object]:
    """A column as JSON has it: undefined is None."""
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return list(values.tolist())
    return [value if np.isfinite(value) else None for value in values.tolist()]
