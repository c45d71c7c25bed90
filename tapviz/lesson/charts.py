"""Pictures of the scenes: their colours, their layers, and what of them follows a control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from tapviz.draw.browser import layer_data, picture_data
from tapviz.draw.picture import Axis, Layer, Picture, boxes, line, points, readout, texts
from tapviz.draw.style import INK, brief
from tapviz.lesson.scene import Chart, Follows, Shown
from tapviz.lists import RetrievalLists
from tapviz.lists.checks import Floats, Ints
from tapviz.plots.columns import FIFTHS, label_columns, mark_columns
from tapviz.plots.names import NAME_GAP, spread

Values = Mapping[str, Sequence[float]]
"""Heights of curves by their names, at each position of a control."""
Ticks = Mapping[float, str]
LEFT_OF_ALL = 1e-3
"""Where an E-value of 0 is drawn, as a part of the least other one."""
LINE = 100
"""Length of an axis of scores that are not E-values."""
DRAWN_ERRORS = 300
"""Errors that the merged list is read to."""
STEPS = ((25, 100), (50, DRAWN_ERRORS))
"""Errors between ticks, and how far an axis goes at most that has these."""

# At least 4.5:1 on white, since names are written in them.
COLOR = {
    "A": "#00734F",
    "B": "#222222",
    "merged": "#8F2D78",
    "pooled": "#8F2D78",
    "average": "#8A4B00",
    "B’s own": "#222222",
    "mean TAP": "#0B5FA5",
    "TAP of B": "#0B5FA5",
}
DARK_COLOR = {
    "#00734F": "#35C397",
    "#222222": "#EDEDED",
    "#8F2D78": "#E58BCB",
    "#8A4B00": "#E3A355",
    "#0B5FA5": "#74B6F2",
}
"""The same colours on a dark page."""
DASH = {"B": (6, 4), "B’s own": (6, 4), "average": (2, 3), "mean TAP": (12, 4)}
DASH["TAP of B"] = DASH["mean TAP"]


def curve_line(name: str, x: ArrayLike, y: ArrayLike) -> Layer:
    """The curve of a name, in its colour and dash."""
    columns = {"x": np.asarray(x, np.float64), "y": np.asarray(y, np.float64)}
    width = 3.0 if name in ("merged", "pooled") else 2.0
    return line(f"curve {name}", columns, COLOR[name], dash=DASH.get(name, ()), width=width)


def upright(x: ArrayLike) -> Layer:
    """Upright lines, one for each place."""
    at = np.asarray(x, np.float64)
    corners = {"x0": at, "y0": np.zeros(at.size), "x1": at, "y1": np.ones(at.size)}
    return boxes("line", corners, INK, line_width=1.5)


def area_below(name: str, heights: ArrayLike, color: str) -> Layer:
    """The area below a curve, in strips as wide as an error."""
    y = np.asarray(heights, np.float64)
    x = np.arange(1, y.size + 1, dtype=np.float64)
    corners = {"x0": x - 1, "y0": np.zeros(y.size), "x1": x, "y1": y}
    return boxes(name, corners, color, fill_alpha=0.13, line_alpha=0)


def moving_name(name: str, x: ArrayLike, y: ArrayLike) -> Layer:
    """Name of a curve beside its present end, for each place; below it where there is room."""
    at, heights = np.asarray(x, np.float64), np.asarray(y, np.float64)
    below = (heights > 0.15) & (heights < 0.5)  # noqa: PLR2004  # lower is the axis, higher B's name
    places = np.where(below, heights - 0.07, heights + 0.06)
    return texts(f"name {name}", label_columns(at + 3, places, [name] * at.size, COLOR[name], 28))


def points_at(name: str, x: ArrayLike, y: ArrayLike, color: str) -> Layer:
    """Dots, one for each place."""
    return points(name, mark_columns(x, y, color), size=10)


def tabled(layer: Layer, slot: str) -> Layer:
    """The layer with the heights of a column of a table."""
    columns = {**layer.columns, "y": np.full(layer.size, f"{{{slot}}}", np.object_)}
    return replace(layer, columns=columns)


def read_off(curves: Mapping[str, Floats]) -> Layer:
    """What curves of shares have before each error, for whoever points there."""
    x = np.arange(1, len(next(iter(curves.values()))) + 1)
    told = [
        f"Before error {at}: {', '.join(f'{name} {y[at - 1]:.3f}' for name, y in curves.items())}"
        for at in x
    ]
    return readout({"x": x, "y": np.full(x.size, 0.5), "text": np.array(told, np.object_)})


def shares_found(
    curves: Mapping[str, Floats],
    x: Ints,
    xlabel: str,
    *,
    below: Sequence[Layer] = (),
    at: int | None = None,
    later: Mapping[str, str] | None = None,
    unnamed: Sequence[str] = (),
) -> Picture:
    """Share of relevant records found before each error.

    `at` draws a line with its label; `later` are the names of curves that come with the answer.
    """
    layers = [*below, *(curve_line(name, x, y) for name, y in curves.items())]
    layers += [moving_name(name, x, curves[name]) for name in unnamed]
    last, later = float(x[-1]), dict(later or {})
    ends = {name: float(y[-1]) for name, y in curves.items() if name not in unnamed}
    heights = dict(zip(ends, spread(list(ends.values()), NAME_GAP * 1.2, 0.02, 0.98), strict=True))
    now = {name: name for name in ends if name not in later}
    for layer, names in (("name", now), ("name later", later)):
        if names:
            places, colors = zip(*((heights[name], COLOR[name]) for name in names), strict=True)
            columns = label_columns(last * 1.012, places, list(names.values()), colors, 28)
            layers.append(texts(layer, columns))
    if at:
        rule = {"x": np.array([at, at], np.float64), "y": np.array([0.0, 1.0])}
        label = label_columns(at * 1.03, 0.9, [f"n = {at}"], INK, 28)
        layers += [line("line", rule, INK), texts("label", label)]
    step = next((step for step, end in STEPS if last <= end), 100)
    ticks = {1.0: "1"} | {float(t): str(t) for t in range(step, int(last) + 1, step)}
    across = Axis(xlabel, 0.0, last * 1.16, ticks=ticks)
    up = Axis("share of relevant records found", 0.0, 1.03, ticks=FIFTHS)
    return Picture(tuple(layers), across, up, font_size=13)


def scores_chart(values: Values, x: Floats, xlabel: str, control: str, ticks: Ticks) -> Shown:
    """Scores against a control, with a dot where it is."""
    lines = [curve_line(name, x, y) for name, y in values.items()]
    dots = [points_at(f"at {name}", x, y, COLOR[name]) for name, y in values.items()]
    heights = spread([y[-1] for y in values.values()], NAME_GAP * 1.2, 0.02, 0.98)
    colors = [COLOR[name] for name in values]
    ends = texts("name", label_columns(_right_of(x), heights, list(values), colors, 28))
    picture = _scores_picture([*lines, *dots, ends], x, xlabel, ticks)
    return {"picture": picture, "follows": {dot.name: (control, "at") for dot in dots}}


def group_chart(
    values: Values,
    moved: tuple[str, str],
    ends: ArrayLike,
    xlabel: str,
    controls: tuple[str, str],
    ticks: Ticks,
) -> Shown:
    """Scores against the second of two controls, seen once the reader has predicted.

    One of them depends on the first control, too.

    `moved` is the name of that score, and the slot of its heights; `ends` has its last heights, one
    for each position of the first control.
    """
    (first, second), (other, slot) = controls, moved
    x = np.arange(1, len(next(iter(values.values()))) + 1, dtype=np.float64)
    curve = tabled(curve_line(other, x, x), slot)
    dots = [points_at(f"at {name}", x, y, COLOR[name]) for name, y in values.items()]
    dots.append(tabled(points_at(f"at {other}", x, x, COLOR[other]), slot))
    follows: Follows = {curve.name: (second, "all")}
    follows |= {dot.name: (second, "at") for dot in dots}
    layers = [*(curve_line(name, x, y) for name, y in values.items()), curve, *dots]
    lasts = [y[-1] for y in values.values()]
    heights = [spread([*lasts, float(end)], NAME_GAP * 1.6, 0.05, 0.98) for end in np.asarray(ends)]
    for name, at in zip([*values, other], zip(*heights, strict=True), strict=True):
        columns = label_columns(_right_of(x), at, [name] * len(at), COLOR[name], 28)
        layers.append(texts(f"name {name}", columns))
        follows[f"name {name}"] = (first, "at")
    picture, known = _scores_picture(layers, x, xlabel, ticks), [layer.name for layer in layers]
    return {"picture": picture, "follows": follows, "known": known}


def _right_of(x: Floats) -> float:
    """Where names begin that stand at the ends of curves."""
    return float(x[-1] + 0.012 * (x[-1] - x[0]))


def _scores_picture(layers: Sequence[Layer], x: Floats, xlabel: str, ticks: Ticks) -> Picture:
    low, high = float(x[0]), float(x[-1])
    across = Axis(xlabel, low - 0.01 * (high - low), high + 0.22 * (high - low), ticks=ticks)
    return Picture(tuple(layers), across, Axis("score", 0.0, 1.03, ticks=FIFTHS), font_size=13)


def chart_data(chart: Chart) -> Shown:
    """A chart as values that JSON has, for `draw` of ``browser.js``."""
    picture = chart.picture
    return vars(chart) | {
        "picture": picture_data(picture),
        "known": list(chart.known),
        "before": {name: layer_data(layer, picture) for name, layer in chart.before.items()},
    }


def axis_of(lists: RetrievalLists) -> tuple[Floats, list[tuple[float, str]]]:
    """Where each record is drawn, best first, and ticks: exponents of E-values, or scores."""
    values = lists.sign * lists.score
    powers = lists.sign > 0 and not (values < 0).any()
    if powers:
        least = values[values > 0].min(initial=1.0) * LEFT_OF_ALL
        values = np.log10(np.where(values > 0, values, least))
    span = float(np.ptp(values)) or 1.0
    unit, step = (1.0, max(step_of(span / 4), 1.0)) if powers else (LINE / span, step_of(span / 4))
    at = np.arange(np.ceil(values.min() / step), values.max() / step + 1e-9) * step
    told = [(f"1e{v:.0f}" if v else "1") if powers else brief(lists.sign * float(v)) for v in at]
    return (values * unit).round(2), [*zip((at * unit).tolist(), told, strict=True)]


def step_of(least: float) -> float:
    """The next larger one of 1, 2 and 5, times a power of ten."""
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(power * times for times in (1, 2, 5, 10) if power * times >= least))
