"""Distribution of errors per query against the threshold, for one algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, boxes, line, points, segments
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import INK, Style, brief, number
from tapviz.measures import EpqDistribution, epq_distribution, errors_per_query
from tapviz.plots.axes import epq_grid, threshold_axis
from tapviz.plots.columns import (
    FAINT,
    NO_LINE,
    Columns,
    end_names,
    end_place,
    is_hatched,
    mark_columns,
    mark_not_measured,
    names_at,
    not_measured,
    not_measured_lines,
    readout_columns,
    top_layers,
    view,
)
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, THRESHOLD, Plot
from tapviz.reported import all_kept, measured_to

BOX_EVERY = 4
"""Of the thresholds at which errors are counted, every fourth gets a box."""
TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000)


def height(errors: Any) -> NDArray[np.float64]:
    """Where a number of errors is drawn: log10(1 + errors), which has a 0 and shows 1 and 1,000."""
    return np.log10(1 + np.asarray(errors, np.float64))


def columns(
    axis: ThresholdAxis,
    epqs: Mapping[str, EpqDistribution],
    name: str,
    styles: Mapping[str, Style],
    *,
    limit: float,
    ends: Mapping[str, float],
) -> Columns:
    """Layers of the distribution, which no choice of a threshold changes.

    Parameters
    ----------
    axis : ThresholdAxis
    epqs : mapping of str to EpqDistribution
        Errors per query of each algorithm shown on ``axis.grid(GRID_SIZE)``, and of
    name : str
        the one whose distribution is drawn.
    styles : mapping of str to Style
        Of every algorithm, shown or not: other plots on the same axis have room for their names.
    limit : float
        Most errors that the axis must hold.
    ends : mapping of str to float
        Threshold at which each stopped reporting; infinite if that is not known.

    Returns
    -------
    Columns
        "box" (x0, y0, x1, y1): quartiles; "whisker" (x0, y0, x1, y1): minimum and maximum;
        "median", "mean" (x, y); "beyond median", "beyond mean", "hatch median" and "hatch mean"
        (x, y): beyond what was reported, where there are no boxes; "mean NAME" (x, y): of each
        other algorithm; "name"; "view"; "readout".
    """
    epq, end = epqs[name], ends[name]
    x = axis.position(epq.threshold)
    every = slice(None, None, BOX_EVERY)
    step = float(np.median(np.diff(x[every]))) if x[every].size > 1 else 1.0
    side = 0.32 * abs(step)
    at_end, sign = end_place(axis, end), -1 if axis.end < axis.start else 1
    boxed = np.isfinite(epq.median[every]) & ~(sign * x[every] > sign * at_end)
    at = x[every][boxed]

    def heights(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return height(values[every][boxed])

    top = float(height(limit)) * 1.04
    heights_at_end = {
        "mean": float(height(epq.mean[-1])),
        "median": float(height(epq.median[-1])),
    }
    size = (axis.end - axis.start, top)
    lines: Columns = {}
    for what, values in (("median", epq.median), ("mean", epq.mean)):
        lines |= not_measured(x, height(values), at_end, what, size)
        lines[what] = lines.pop(f"curve {what}")
    for other in styles:
        measured = other != name and other in epqs and sign * x <= sign * axis.position(ends[other])
        lines[f"mean {other}"] = (
            {"x": x[measured], "y": height(epqs[other].mean[measured])}
            if np.any(measured)
            else NO_LINE
        )
    return lines | {
        "box": {"x0": at - side, "y0": heights(epq.q1), "x1": at + side, "y1": heights(epq.q3)},
        "whisker": {"x0": at, "y0": heights(epq.minimum), "x1": at, "y1": heights(epq.maximum)},
        "name": end_names(
            heights_at_end,
            dict.fromkeys(heights_at_end, styles[name]),
            names_at(axis),
            (-0.03 * top, top),
            axis.end,
            hatched=is_hatched(lines),
        ),
        "readout": _readout(axis, epqs, name, top, ends),
        "view": view(axis, -0.03 * top, top, styles),
    }


def threshold_columns(
    axis: ThresholdAxis, threshold: float, errors: float, style: Style
) -> Columns:
    """Layers that follow the threshold.

    Parameters
    ----------
    axis : ThresholdAxis
    threshold : float
        E_k or E_0; NaN if there is none.
    errors : float
        Errors of the median query there.
    style : Style

    Returns
    -------
    Columns
        "line", "level" (x, y): the threshold, and the errors of the median query there; "mark"
        (x, y, color): where they cross.
    """
    x, y = float(axis.position(threshold)), float(height(errors))
    n = int(np.isfinite(x) and np.isfinite(y))
    return {
        "line": {"x": np.repeat(x, 2 * n), "y": np.array([0.0, 5.0])[: 2 * n]},
        "level": {"x": np.array([axis.start, axis.end])[: 2 * n], "y": np.repeat(y, 2 * n)},
        "mark": mark_columns([x], [y], [style.color]),
    }


def text(
    epq: EpqDistribution,
    name: str,
    threshold: float,
    median: float,
    mean: float,
    *,
    kept_to: float | None = None,
) -> str:
    """The plot in words.

    Parameters
    ----------
    epq : EpqDistribution
    name : str
        The algorithm.
    threshold, median, mean : float
        Where the threshold is, and errors per query there.
    kept_to : float, optional
        Threshold to which condensed lists were kept.
    """
    if not epq.n_queries:
        return "No query is selected."
    most = f"at most {epq.maximum[-1]:,.0f} errors, with the median query at {epq.median[-1]:,.0f}"
    at_threshold = ""
    if np.isfinite(threshold) and np.isnan(median):
        at_threshold = f"at {brief(threshold)} the errors of {name} were not measured; "
    elif np.isfinite(threshold):
        at_threshold = (
            f"at {brief(threshold)} the median query of {name} has {median:,.0f} errors and the "
            f"mean is {number(mean)}; "
        )
    reach = "over all records" if kept_to is None else f"at {brief(kept_to)}"
    sentence = f"{at_threshold}{reach} {most}."
    return sentence[0].upper() + sentence[1:]


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    explorer, axis, name = data.explorer, data.axis, data.explorer.focus_algorithm
    style = data.styles[name]
    layers = data.curves(
        PLOT.name,
        lambda: columns(
            axis,
            {**data.each(epq_distribution, data.settled(epq_grid)), name: _distribution(data)},
            name,
            data.styles,
            limit=data.settled(most_errors),
            ends={one: measured_to(lists) for one, lists in explorer.lists.items()},
        ),
    )
    score = explorer.score(name)
    layers = layers | threshold_columns(axis, score["threshold"], score["median_epq"], style)
    color = style.color
    return Picture(
        (
            *(
                line(f"mean {one}", layers[f"mean {one}"], of.color, dash=(5, 4), alpha=FAINT)
                for one, of in data.styles.items()
            ),
            segments("whisker", layers["whisker"], color, alpha=0.55),
            boxes("box", layers["box"], color, fill_alpha=0.22, line_alpha=0.7),
            line("level", layers["level"], INK, alpha=0.5, moving=True),
            line("line", layers["line"], INK, moving=True, drags="e0"),
            line("median", layers["median"], color, width=2.2),
            line("mean", layers["mean"], color, width=1.6, dash=(5, 4)),
            *not_measured_lines("median", layers, style),
            *not_measured_lines("mean", layers, style),
            points("mark", layers["mark"], marker="diamond", size=13, moving=True),
            *top_layers(layers),
        ),
        threshold_axis(axis, layers["view"]),
        Axis(
            "errors per query",
            *layers["view"]["y"].tolist(),
            ticks={float(height(count)): f"{count:,}" for count in TICKS},
            inverse=lambda at: 10**at - 1,
        ),
    )


def most_errors(data: PlotData) -> int:
    """Most errors that any query has with any algorithm."""
    lists = data.explorer.results.values()
    return max(int(errors_per_query(one, data.axis.high).max(initial=1)) for one in lists)


def _distribution(data: PlotData) -> EpqDistribution:
    name = data.explorer.focus_algorithm
    return data.explorer.measure(epq_distribution, name, data.settled(epq_grid))


def _text(data: PlotData) -> str:
    name = data.explorer.focus_algorithm
    score = data.explorer.score(name)
    whole = all(map(all_kept, data.explorer.results.values()))
    return text(
        _distribution(data),
        name,
        *(score[one] for one in ("threshold", "median_epq", "mean_epq")),
        kept_to=None if whole else data.axis.high,
    )


PLOT = Plot(
    name="epq",
    title="Errors per query",
    caption="box: quartiles · whisker: min–max · of",
    how_to_read=(
        "At each threshold, a box holds the middle half of the queries by their number of errors, "
        "that is, irrelevant records retrieved; the whisker reaches from the fewest to the most. "
        "The solid line is the median query, the dashed one the mean, which a few queries with "
        "many errors pull up. Both are faint and hatched where the program had stopped reporting; "
        "other faint lines are the means of the other programs."
    ),
    printed=(
        "Irrelevant records retrieved for each query by {name}. Boxes: quartiles of the "
        "queries; whiskers: least and most; solid line: median; dashed line: mean; diamond: at "
        "{at}."
    ),
    depends=(*FILTER, *THRESHOLD, "algorithms", "focus_algorithm"),
    picture=picture,
    text=_text,
    of="one",
)


def _readout(
    axis: ThresholdAxis,
    epqs: Mapping[str, EpqDistribution],
    name: str,
    top: float,
    ends: Mapping[str, float],
) -> dict[str, NDArray[Any]]:
    def whole(value: float) -> str:
        return f"{value:,.0f}"

    epq = epqs[name]
    rows = {one: [f"mean {number(mean)}" for mean in epqs[one].mean] for one in epqs}
    rows[name] = [
        f"mean {number(m)} (min {whole(a)}, Q1 {whole(b)}, median {whole(c)}, Q3 {whole(d)}, "
        f"max {whole(e)})"
        for a, b, c, d, e, m in zip(
            epq.minimum, epq.q1, epq.median, epq.q3, epq.maximum, epq.mean, strict=True
        )
    ]
    for one, said in rows.items():
        mark_not_measured(said, epq.threshold, ends[one], axis)
    heads = [axis.describe(value) for value in epq.threshold.tolist()]
    return readout_columns(axis.position(epq.threshold), top / 2, heads, rows)
