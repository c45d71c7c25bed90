"""Pictures for a page without a server: plain data as JSON, drawn as SVG by `browser.js`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from math import ceil, isfinite, log10
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from tapviz.draw.picture import OF, Axis, Layer, Picture
from tapviz.draw.style import ON_DARK, tick_label

PIXELS = 20_000
"""Parts of an axis that its numbers tell apart: ten to a pixel of a wide screen."""
DIGITS = 6
"""Significant digits of all other numbers."""
TICKS = (3, 6, 11)
"""At most so many ticks on an axis that has none of its own, from coarse to fine."""
Json = dict[str, Any]
"""Values that JSON has, by name."""
ON_X, ON_Y = {"x", "x0", "x1", "from_x"}, {"y", "y0", "y1", "from_y"}


def picture_data(picture: Picture) -> Json:
    """A picture as values that JSON has, which `draw` of the module takes.

    Parameters
    ----------
    picture : Picture

    Returns
    -------
    dict
        "layers": those of `layer_data`, in the order in which they are painted, without notes. "x",
        "y": those of `axis_data`. "left", "fontSize", "grid", "tall": as `Picture` has them.
    """
    return {
        "layers": [layer_data(layer, picture) for layer in picture.layers if not layer.note],
        "x": axis_data(picture.x),
        "y": axis_data(picture.y),
        "left": picture.left,
        "fontSize": picture.font_size,
        "grid": picture.grid,
        "tall": picture.tall,
    }


def layer_data(layer: Layer, picture: Picture) -> Json:
    """A layer of a picture: what `update` of a drawn one takes.

    Places have the precision that a screen shows, other numbers six digits; undefined is None. A
    column that says the same of every item is that one value.
    """
    data: Json = {
        "name": layer.name,
        "kind": layer.kind,
        "columns": {
            name: columns_data([values], axis_of(name, picture.x, picture.y))[0]
            for name, values in layer.columns.items()
            if name != OF
        },
        "size": layer.size,
        "style": dict(layer.style),
    }
    told = {"moving": layer.moving, "tooltip": layer.tooltip}
    return data | {name: value for name, value in told.items() if value}


def axis_data(axis: Axis) -> Json:
    """An axis, with ticks from coarse to fine, of which `draw` takes the finest with room."""
    data: Json = {
        "label": axis.label,
        "start": axis.start,
        "end": axis.end,
        "levels": [[[at, text] for at, text in level.items()] for level in _levels(axis)],
    }
    told = {"log": axis.log, "threshold": axis.threshold}
    data |= {name: value for name, value in told.items() if value}
    if axis.data_end is not None:
        data["dataEnd"] = axis.data_end
    if axis.scale is not None:
        data["gutter"], data["kink"] = axis.scale.gutter, axis.scale.kink
    return data


def custom_properties(colors: Mapping[str, str], of: str = "on") -> str:
    """CSS that gives colours of pictures other values on a page: `draw` paints by properties.

    Of "ink" are those of words alone.

    Examples
    --------
    >>> from tapviz.draw.browser import custom_properties
    >>> custom_properties({"#333333": "#DADADA"})
    '--on-333333: #DADADA;'
    """
    return " ".join(
        f"--{of}-{light.removeprefix('#').lower()}: {other};" for light, other in colors.items()
    )


DARK = custom_properties(ON_DARK)
"""Declarations of a dark page, to be put into a rule."""


def rounded(values: np.ndarray, axis: Axis | None) -> list[float | None]:
    """Numbers with the digits that can be seen on an axis; without one, with six."""
    if axis is None or axis.log:
        return [_plain(float(f"{value:.{DIGITS}g}")) for value in values.tolist()]
    span = abs(axis.end - axis.start) or 1.0
    at: list[float] = values.astype(np.float64).round(ceil(log10(PIXELS / span))).tolist()
    return [one if isfinite(one) and not one.is_integer() else _plain(one) for one in at]


def axis_of(name: str, x: Axis, y: Axis) -> Axis | None:
    """The one of two axes along which a column of a layer has its places, if it has any."""
    return x if name in ON_X else y if name in ON_Y else None


def columns_data(columns: Sequence[np.ndarray], axis: Axis | None) -> list[object]:
    """Columns of a layer along the same axis; see `layer_data`. Numbers are rounded at once."""
    joined = np.concatenate(columns)
    values = iter(rounded(joined, axis) if joined.dtype.kind in "fiu" else joined.tolist())
    plain = [[*islice(values, one.size)] for one in columns]
    return [one[0] if _alike(one) and one[0] is not None else one for one in plain]


def _alike(values: Sequence[object]) -> bool:
    return len(values) > 1 and all(value == values[0] for value in values)


def _plain(value: float) -> float | int | None:
    """A number without a needless point; none if undefined."""
    if not isfinite(value):
        return None
    return int(value) if value.is_integer() else value


def _levels(axis: Axis) -> list[dict[float, str]]:
    # Where only names stand beyond, the line of the axis ends before them.
    low, high = sorted((axis.start, axis.end if axis.data_end is None else axis.data_end))
    own = axis.ticks_between(low, high)
    if own is not None:
        return [own]
    levels = []
    if axis.log:  # powers of ten; and where these are few, 2 and 5 times them
        powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
        for multiples in ((1,), (1, 2, 5)):
            places = [factor * 10.0**power for power in powers for factor in multiples]
            levels.append({at: tick_label(at) for at in places if low <= at <= high})
        return levels
    for most in TICKS:
        locator = MaxNLocator(most - 1, steps=[1, 2, 5, 10])
        at = [float(place) for place in locator.tick_values(low, high) if low <= place <= high]
        step = at[1] - at[0] if len(at) > 1 else 1.0
        decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)))
        levels.append({place: f"{place:,.{decimals}f}".replace("-", "−") for place in at})
    return levels
