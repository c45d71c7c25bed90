"""What a page shows at every position of a slider, computed once: the browser then moves it."""

from __future__ import annotations

import json
import zlib
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.bokeh import moves_alone
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import number
from tapviz.explorer import Explorer
from tapviz.explorer.score_table import Parts, best_first, parts_of, score_table
from tapviz.explorer.tracks import Control, Track, Tracks
from tapviz.explorer.verdict import concluded
from tapviz.measures import Cancelled, OnProgress
from tapviz.plots import PLOTS, PlotData
from tapviz.state import BY_E_VALUE, BY_ERRORS, MAX_K, MAX_N
from tapviz.state.settings import Value

TABLE = "table"
"""What is not a plot: the score table and the verdict."""
STEPS = 400
"""Of the slider of E_0."""
LOG_STEP = 0.01
"""Of the slider of n, in powers of ten."""
Moved = Literal["k", "e0", "n"]
"""Setting that a slider moves."""


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
        return self.values[
            min(max(round((place - self.start) / self.step), 0), len(self.values) - 1)
        ]

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
    short = number(value, 4)
    try:
        return short if float(short) == value else repr(value)
    except ValueError:
        return repr(value)


def stops(axis: ThresholdAxis) -> dict[Moved, Stops]:
    """Positions of the sliders of k, E_0 and n.

    What is written beside the slider of E_0, with two digits, is what is used.
    """
    low, high = sorted((axis.start, axis.end))
    step = (high - low) / STEPS or 1.0
    places = low + step * np.arange(STEPS + 1 if high > low else 1)
    e0 = (float(f"{float(axis.threshold(place)):.2g}") for place in places)
    n = (
        round(10.0 ** (LOG_STEP * place)) for place in range(round(np.log10(MAX_N) / LOG_STEP) + 1)
    )
    return {
        "k": Stops("k", 1, 1, tuple(range(1, MAX_K + 1))),
        "e0": Stops("e0", low, step, tuple(e0)),
        "n": Stops("n", 0.0, LOG_STEP, tuple(n)),
    }


def view(
    explorer: Explorer, part: str, at: Stops, progress: OnProgress | None = None
) -> bytes | None:
    """What a part of the page shows at every stop of a slider, packed.

    Parameters
    ----------
    explorer : Explorer
        Whose setting is moved: one that nobody else has.
    part : str
        Name of a plot, or `TABLE`.
    at : Stops
    progress : callable, optional
        Called with the stops that are done and their number; False stops the work.

    Returns
    -------
    bytes or None
        JSON, compressed by zlib. None if more moves than layers that are said to.

    Raises
    ------
    Cancelled
        If `progress` returned False.
    """
    data = PlotData(explorer)
    made: _Figure | _Table = _Table(data, at) if part == TABLE else _Figure(data, part)
    for done, value in enumerate(at.values):
        if progress is not None and progress(done, len(at.values)) is False:
            raise Cancelled
        explorer.param.update(**at.choices(value))
        if not made.add(at.control):
            return None
    slider = {"start": at.start, "step": at.step, "size": len(at.values)}
    text = json.dumps(slider | made.data(), allow_nan=False, separators=(",", ":"))
    return zlib.compress(text.encode())


class _Figure:
    """Layers of a plot that move."""

    def __init__(self, data: PlotData, name: str) -> None:
        self._data, self._plot = data, PLOTS[name]
        self._before = self._plot.picture(data)
        self._caption = Track()
        self._tracks = Tracks[tuple[str, str]]()

    def add(self, control: Control) -> bool:
        before, picture = self._before, self._plot.picture(self._data)
        if not moves_alone(before, picture):
            return False
        self._caption.add(control, self._plot.caption_shown(self._data))
        for layer in picture.layers:
            if layer.moving:
                for name, values in layer.columns.items():
                    self._tracks[layer.name, name].add(control, _column(values))
        return True

    def data(self) -> dict[str, Any]:
        layers: dict[str, dict[str, object]] = {}
        for (layer, name), track in self._tracks.data().items():
            layers.setdefault(layer, {})[name] = track
        return {"figure": self._plot.name, "layers": layers, "caption": self._caption.data()}


class _Table:
    """The score table, whose rows have parts that follow one slider each; and the verdict."""

    def __init__(self, data: PlotData, at: Stops) -> None:
        explorer = self._explorer = data.explorer
        self._styles = data.styles
        judged_at_threshold = explorer.score_compared.at_threshold
        self._judged: Control = "threshold" if judged_at_threshold else "n"
        self._head = Tracks[tuple[int, int]]()
        self._rows = Tracks[tuple[str, str]]()
        self._texts = Tracks[str]()
        self._others = 0
        self._boxes = [*map(exact, at.values)]

    def add(self, control: Control) -> bool:
        explorer, compared = self._explorer, self._explorer.known
        head, rows = parts_of(explorer, score_table(explorer, self._styles, compared))
        for row, cells in enumerate(head):
            self._head.add(control, {(row, place): cell for place, cell in enumerate(cells)})
        followed = {"at_threshold": "threshold", "others": "n", "compared": self._judged}
        for name, parts in rows.items():
            self._others = len(parts.others)
            for part, cells in zip(Parts._fields, parts, strict=True):
                if followed[part] == control:
                    self._rows[name, part].add(control, "".join(cells))
        if control == self._judged:
            verdict, order = concluded(explorer, compared), best_first(explorer)
            self._texts.add(control, {"verdict": verdict, "order": order})
        return True

    def data(self) -> dict[str, Any]:
        rows: dict[str, dict[str, object]] = {}
        for (name, part), track in self._rows.data().items():
            rows.setdefault(name, {})[part] = track
        head = [(*place, track) for place, track in self._head.data().items() if "control" in track]
        texts = self._texts.data()
        return {"boxes": self._boxes, "head": head, "others": self._others, "rows": rows, **texts}


def _column(values: NDArray[Any]) -> list[object]:
    """A column as JSON has it: undefined is None."""
    if values.dtype.kind != "f":
        return list(values.tolist())
    return [value if np.isfinite(value) else None for value in values.tolist()]


__all__ = ["TABLE", "Moved", "Stops", "stops", "view"]
