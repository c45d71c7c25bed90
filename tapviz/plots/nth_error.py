"""Queries of one algorithm by the threshold at which they reach k errors."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.choices import Range
from tapviz.draw.picture import Axis, Picture, boxes, line, readout, texts
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import GHOST, INK, Style, brief, count, number, subscript
from tapviz.measures import NthIrrelevant, Threshold, error_threshold, nth_irrelevant
from tapviz.plots.axes import threshold_axis
from tapviz.plots.columns import (
    NO_LINE,
    Columns,
    end_place,
    label_columns,
    readout_columns,
    strokes,
)
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, Plot
from tapviz.reported import measured_to

BINS = 48
"""Bins of equal width, as drawn, up to the most permissive threshold."""
QUARTERS = 4
"""Parts of the axis: those before the first query are not shown."""
HALF = 0.4
"""Half the width of a bar, in widths of a bin."""
MARGIN = 0.18
"""Room for the bar of the queries that never have k errors, in widths of the axis."""
NEVER_AT = 0.09
"""Where in this room it is."""
LONGEST_LABEL = 30
"""Characters of what is said of this bar: not by 1,000: 8,920 queries."""
EQUAL = 1e-9
"""Shares of the queries and of their weight that differ by no more are the same."""
HEADROOM = 1.25
"""The axis of queries reaches at least this many times the tallest bar: texts stand above it."""
STEPS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
"""Ends of the axis of queries, times powers of ten."""
SHARES = {0.25: "A quarter", 0.5: "Half", 0.75: "Three quarters", 1.0: "All"}


def columns(
    axis: ThresholdAxis, result: NthIrrelevant, style: Style, *, end: float = np.inf
) -> Columns:
    """Layers of the histogram.

    Parameters
    ----------
    axis : ThresholdAxis
    result : NthIrrelevant
        Score of each query's k-th irrelevant record.
    style : Style
        Of the algorithm.
    end : float
        Threshold at which the algorithm stopped reporting; infinite if that is not known.

    Returns
    -------
    Columns
        "bar" (x0, y0, x1, y1): a bar for E = 0, if the axis has a place for it, and one for each
        of `BINS` bins, strictest first, but for those without a query; y1 is the number of
        queries. "never" (x0, y0, x1, y1): the queries with fewer than k irrelevant records. "hatch"
        (x, y): strokes over the thresholds beyond the end. The heights of the bars sum to the
        number of queries. "name": what the last bar is.
        "readout". "view": no more of the axis than the bars need, in quarters.
    """
    bins = _binned(axis, result)
    never = np.array([result.n_never])
    top = _top(bins, result)
    when = f"not by {brief(end)}" if np.isfinite(end) else "never"
    labels = [f"{when}: {count(result.n_never, 'query')}"] if result.n_queries else []
    at_end, limit = end_place(axis, end), axis.end
    size = (bins.width, top)
    last = axis.end + NEVER_AT * bins.width
    return {
        "bar": _bars(bins.middle, bins.queries, abs(bins.width) / BINS),
        "hatch": NO_LINE
        if np.isnan(at_end)
        else strokes(max(at_end, bins.start, key=np.sign(bins.width).__mul__), limit, 0, top, size),
        "never": _bars(np.array([last]), never, 2 * abs(bins.width) / BINS),
        "name": label_columns(
            [axis.end + MARGIN * bins.width] * len(labels),  # the frame's right end
            [result.n_never + 0.02 * top] * len(labels),
            labels,
            [style.color] * len(labels),
            LONGEST_LABEL,
        ),
        "readout": _readout(bins, result, last, top),
        "view": {
            "x": np.array([bins.start - 0.02 * bins.width, axis.end + MARGIN * bins.width]),
            "y": np.array([0.0, top]),
        },
    }


def threshold_columns(axis: ThresholdAxis, result: NthIrrelevant, at: Threshold) -> Columns:
    """Layers of the threshold that the queries of the histogram agree on.

    Parameters
    ----------
    axis : ThresholdAxis
    result : NthIrrelevant
        As in `columns`.
    at : Threshold
        E_k, the quantile of the same scores.

    Returns
    -------
    Columns
        "line" (x, y) and "line label": E_k; empty if there is none.
    """
    bins = _binned(axis, result)
    top = _top(bins, result)
    at_e_k = [float(axis.position(at.e_k))] if np.isfinite(at.e_k) else []
    # In the middle above the line, but not beyond the frame.
    low, high = sorted([bins.start + 0.07 * bins.width, axis.end + (MARGIN - 0.09) * bins.width])
    return {
        "line": {
            "x": np.repeat(np.array(at_e_k, np.float64), 2),
            "y": np.array([0.0, 0.9 * top])[: 2 * len(at_e_k)],
        },
        "line label": label_columns(
            [min(max(x, low), high) for x in at_e_k],
            [0.95 * top] * len(at_e_k),
            [f"E{subscript(at.k)} = {brief(at.e_k)}"] * len(at_e_k),
            [INK] * len(at_e_k),
        ),
    }


def text(result: NthIrrelevant, name: str, at: Threshold) -> str:
    """The plot in words.

    Parameters
    ----------
    result : NthIrrelevant
    name : str
        The algorithm.
    at : Threshold
        E_k for the same k.
    """
    if not result.n_queries:
        return "No query is selected."
    errors = count(result.n, "error")
    share = SHARES.get(at.quantile, f"{100 * at.quantile:.3g} %")
    reached = 1 - result.n_never / result.n_queries
    weighted = not np.isclose(at.reached, reached, rtol=0, atol=EQUAL)
    by = ", by weight," if weighted else ""
    if np.isfinite(at.e_k):
        return (
            f"{share} of the {result.n_queries:,} queries of {name}{by} reach {errors} by "
            f"E_{result.n} = {brief(at.e_k)}; "
            f"{result.n_never:,} never {'does' if result.n_never == 1 else 'do'}."
        )
    n_reached = result.n_queries - result.n_never
    return (
        f"Only {n_reached:,} of the {result.n_queries:,} queries of {name} reach {errors}, less "
        f"than {share[0].lower()}{share[1:]}{by or ','} so that there is no "
        f"E_{result.n}."
    )


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    axis, style = data.axis, data.styles[data.explorer.focus_algorithm]
    result, at = _result(data), _threshold(data)
    end = measured_to(data.explorer.lists[data.explorer.focus_algorithm])
    layers = columns(axis, result, style, end=end) | threshold_columns(axis, result, at)
    return Picture(
        (
            line("hatch", layers["hatch"], GHOST, decoration=True),
            boxes("bar", layers["bar"], style.color, fill_alpha=0.45, line_alpha=0.7),
            boxes("never", layers["never"], style.color, fill_alpha=0.15, line_alpha=0.7),
            line("line", layers["line"], INK, moving=True),
            texts("line label", layers["line label"], align="center", moving=True),
            texts("name", layers["name"], align="right", baseline="bottom"),
            readout(layers["readout"]),
        ),
        threshold_axis(axis, layers["view"]),
        Axis("queries", *layers["view"]["y"].tolist()),
        drag="box_select",
    )


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries whose k-th error is in a box drawn; returns why not, or nothing."""
    del bottom, top
    explorer, axis = data.explorer, data.axis
    sign = np.sign(axis.end - axis.start) or 1.0
    first, last = (left, right) if sign > 0 else (right, left)
    never = axis.end + NEVER_AT * (axis.end - axis.start)
    # An end beyond the axis is no limit; the bar at the right holds those that never have k.
    worst = explorer.first.sign * np.inf
    ends = []
    for place, beyond in ((first, -worst), (last, worst)):
        value = float(f"{float(axis.threshold(place)):.4g}")
        before = sign * (place - axis.start) <= 0
        ends.append(beyond if before and beyond == -worst else value)
    if sign * (last - never) >= 0:
        ends[1] = worst
    if sign * (first - axis.end) > 0:
        ends[0] = worst
    low, high = sorted(ends)
    name = explorer.focus_algorithm
    return explorer.keep(Range("error", name, float(explorer.k), low, high))


def _result(data: PlotData) -> NthIrrelevant:
    explorer = data.explorer
    return explorer.measure(nth_irrelevant, explorer.focus_algorithm, n=explorer.k)


def _threshold(data: PlotData) -> Threshold:
    explorer = data.explorer
    return explorer.measure(
        error_threshold, explorer.focus_algorithm, k=explorer.k, quantile=explorer.quantile
    )


PLOT = Plot(
    name="nth_error",
    title="k-th error",
    caption="{score} of each query's error no. {k}, for",
    how_to_read=(
        "A histogram of the queries by the E-value of their k-th irrelevant record. The line is "
        "E_k, by which the median query has k errors; the bar at the right holds the queries whose "
        "lists never reach k errors. Hatched: beyond where the program stopped reporting. A box "
        "drawn over bars makes their queries the subset."
    ),
    printed=(
        "Queries by the {score} of their irrelevant record no. {k}, with {name}. Vertical "
        "line: the median query; bar at the right: queries with fewer errors."
    ),
    depends=(*FILTER, "k", "quantile", "focus_algorithm"),
    picture=picture,
    text=lambda data: text(_result(data), data.explorer.focus_algorithm, _threshold(data)),
    tab="k-th error",
    of="one",
    select=select,
)


class _Bins(NamedTuple):
    """Bins, strictest first, that for E = 0 before them if there is a place for it; each (B,)."""

    queries: NDArray[np.int64]
    middle: NDArray[np.float64]
    """Where the bar is drawn."""
    span: list[str]
    """The thresholds in words."""
    start: float
    """Where the part of the axis that is shown begins."""
    width: float
    """Of all bins but that for 0; negative if thresholds run the other way."""


def _binned(axis: ThresholdAxis, result: NthIrrelevant) -> _Bins:
    score = result.score[~np.isnan(result.score)]
    positions, length = axis.position(score), axis.end - axis.start
    reach = float(((positions - axis.start) / length).min()) if score.size and length else 0.0
    part = min(np.floor(QUARTERS * reach), QUARTERS - 1) / QUARTERS
    start = axis.start + part * length
    first = start if part else float(axis.position(axis.low))
    width = axis.end - first or 1.0
    edges = first + np.linspace(0, 1, BINS + 1) * width
    zero = (score == 0) & (axis.zero is not None)
    place = np.floor((positions[~zero] - first) / width * BINS).astype(np.int64)
    queries = np.bincount(np.clip(place, 0, BINS - 1), minlength=BINS)
    middle = (edges[1:] + edges[:-1]) / 2
    said = [brief(edge) if axis.log else number(edge, 4) for edge in axis.threshold(edges).tolist()]
    span = [f"{a} to {b}" for a, b in pairwise(said)]
    if axis.zero is not None and not part:
        queries = np.insert(queries, 0, int(zero.sum()))
        middle = np.insert(middle, 0, axis.zero)
        span.insert(0, "0")
    what = "E = " if axis.log else "score "
    return _Bins(queries, middle, [what + one for one in span], start, width)


def _top(bins: _Bins, result: NthIrrelevant) -> float:
    """Upper end of the axis of queries, in coarse steps so that it seldom moves."""
    needed = HEADROOM * max(int(bins.queries.max()), result.n_never, 4)
    power = 10.0 ** np.floor(np.log10(needed))
    return float(next(step * power for step in STEPS if needed <= step * power))


def _bars(
    middle: NDArray[np.float64], queries: NDArray[np.int64], width: float
) -> dict[str, NDArray[Any]]:
    some = queries > 0
    return {
        "x0": middle[some] - HALF * width,
        "y0": np.zeros(int(some.sum())),
        "x1": middle[some] + HALF * width,
        "y1": queries[some].astype(np.float64),
    }


def _readout(
    bins: _Bins, result: NthIrrelevant, last: float, top: float
) -> dict[str, NDArray[Any]]:
    total = result.n_queries
    so_far = np.cumsum(bins.queries).tolist()
    heads = [
        f"{span}: {here:,} queries reach {result.n} errors;<br>up to there {reached:,} of "
        f"{total:,} ({reached / max(total, 1):.0%})"
        for span, here, reached in zip(bins.span, bins.queries.tolist(), so_far, strict=True)
    ]
    heads.append(f"{result.n_never:,} of {total:,} queries never reach {result.n} errors")
    return readout_columns(np.append(bins.middle, last), top / 2, heads, {})
