"""Queries of one algorithm by the threshold at which they reach k errors."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.draw import picture as p
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import GHOST, INK, brief, number, subscript
from tapviz.lists.reported import measured_to
from tapviz.lists.words import count, percent
from tapviz.measures import NthIrrelevant, Threshold, error_threshold, nth_irrelevant
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, Plot, PlotData
from tapviz.state import Range

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
    share = SHARES.get(at.quantile, percent(at.quantile))
    reached = 1 - result.n_never / result.n_queries
    by = "" if np.isclose(at.reached, reached, rtol=0, atol=EQUAL) else ", by weight,"
    e_k, queries = f"E_{result.n}", f"{count(result.n_queries, 'query')} of {name}"
    if np.isfinite(at.e_k):
        never = f"{result.n_never:,} never {'does' if result.n_never == 1 else 'do'}"
        return f"{share} of the {queries}{by} reach {errors} by {e_k} = {brief(at.e_k)}; {never}."
    only = f"Only {result.n_queries - result.n_never:,} of the {queries} reach {errors}"
    less = f"less than {share[0].lower()}{share[1:]}{by or ','}"
    return f"{only}, {less} so that there is no {e_k}."


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices.

    There is a bar for E = 0, if the axis has a place for it, and one for each of `BINS` bins,
    strictest first, but for those without a query; and "never", for the queries with fewer than k
    irrelevant records: the heights of the bars sum to the number of queries. No more of the axis is
    shown than the bars need, in quarters.
    """
    axis, (result, name, threshold) = data.axis, _measured(data)
    e_k, color, lists = threshold.e_k, data.styles[name].color, data.explorer.lists[name]
    end = measured_to(lists)
    if (lists.sign * result.score > lists.sign * end).any():  # most lists end there, others later
        end = float(lists.sign * np.inf)
    bins = _binned(axis, result)
    width, n_never = bins.width, result.n_never
    # The upper end of the axis of queries is in coarse steps, so that it seldom moves.
    needed = HEADROOM * max(int(bins.queries.max()), n_never, 4)
    power = 10.0 ** np.floor(np.log10(needed))
    top = float(next(step * power for step in STEPS if needed <= step * power))
    when = f"not by {brief(end)}" if np.isfinite(end) else "never"
    labels = [f"{when}: {count(n_never, 'query')}"] if result.n_queries else []
    last, right = axis.end + NEVER_AT * width, float(axis.end + MARGIN * width)
    hatch, at_end = c.NO_LINE, c.end_place(axis, end)
    if not np.isnan(at_end):
        first = max(at_end, bins.start, key=np.sign(width).__mul__)
        hatch = c.strokes(first, axis.end, 0, top, (width, top))
    bars = _bars(bins.middle, bins.queries, abs(width) / BINS)
    never = _bars(np.array([last]), np.array([n_never]), 2 * abs(width) / BINS)
    said = c.label_columns(right, n_never + 0.02 * top, labels, color, LONGEST_LABEL)
    at = float(axis.position(e_k)) if np.isfinite(e_k) else None
    # In the middle above the line, but not beyond the frame.
    low, high = sorted([bins.start + 0.07 * width, axis.end + (MARGIN - 0.09) * width])
    words = [] if at is None else [f"E{subscript(result.n)} = {brief(e_k)}"]
    label = c.label_columns(min(max(at or 0.0, low), high), 0.95 * top, words, INK)
    return p.Picture(
        (
            p.line("hatch", hatch, GHOST, decoration=True),
            p.boxes("bar", bars, color, fill_alpha=0.45, line_alpha=0.7),
            p.boxes("never", never, color, fill_alpha=0.15, line_alpha=0.7),
            c.upright(at, 0.0, 0.9 * top),
            p.texts("line label", label, align="center", moving=True),
            p.texts("name", said, align="right", baseline="bottom"),
            p.readout(_readout(bins, result, last, top)),
        ),
        c.threshold_axis(axis, float(bins.start - 0.02 * width), right),
        p.Axis("queries", 0.0, top),
        drag="box_select",
    )


def select(data: PlotData, left: float, right: float, *_: float) -> str:
    """Keep the queries whose k-th error is in a box drawn; returns why not, or nothing."""
    explorer, axis = data.explorer, data.axis
    length, worst = axis.end - axis.start, explorer.first.sign * np.inf
    sign = np.sign(length) or 1.0
    first, last = (left, right) if sign > 0 else (right, left)
    low, high = (float(f"{float(axis.threshold(place)):.4g}") for place in (first, last))
    # An end beyond the axis is not a limit; the bar at the right holds those that never have k.
    if sign * (first - axis.start) <= 0:
        low = -worst
    if sign * (first - axis.end) > 0:
        low = worst
    if sign * (last - (axis.end + NEVER_AT * length)) >= 0:
        high = worst
    low, high = sorted((low, high))
    return explorer.keep(Range("error", explorer.focus_algorithm, float(explorer.k), low, high))


def _measured(data: PlotData) -> tuple[NthIrrelevant, str, Threshold]:
    """The errors of the algorithm in focus, its name, and its E_k."""
    explorer, name = data.explorer, data.explorer.focus_algorithm
    k, quantile = explorer.k, explorer.quantile
    if _unknown(data):  # there is no more to draw than of no query
        none = explorer.lists[name].subset(np.zeros(explorer.selection.n_queries, np.bool_))
        return nth_irrelevant(none, n=k), name, error_threshold(none, k=k, quantile=quantile)
    at = explorer.measure(error_threshold, name, k=k, quantile=quantile)
    return explorer.measure(nth_irrelevant, name, n=k), name, at


def _unknown(data: PlotData) -> str:
    explorer = data.explorer
    return c.not_kept_words([explorer.lists[explorer.focus_algorithm]], k=explorer.k)


PLOT = Plot(
    name="nth_error",
    title="k-th error",
    caption="{score} of each query's error no. {k}, for",
    how_to_read="""A histogram of the queries by the E-value of their k-th irrelevant record. The
    line is E_k, by which the median query has k errors; the bar at the right holds the queries
    whose lists never reach k errors. Hatched: beyond where the program stopped reporting. Draw a
    box over bars to make their queries the subset.""",
    printed="""Queries by the {score} of their irrelevant record no. {k}, with {name}. Vertical
    line: the median query; bar at the right: queries with fewer errors.""",
    depends=(*FILTER, "k", "quantile", "focus_algorithm"),
    picture=picture,
    text=lambda data: _unknown(data) or text(*_measured(data)),
    tab="k-th error",
    of="one",
    select=select,
)


class _Bins(NamedTuple):
    """Bins, strictest first, that for E = 0 before them if there is a place for it; each (B,)."""

    queries: NDArray[np.int64]
    middle: c.Array
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
    part = min(math.floor(QUARTERS * reach), QUARTERS - 1) / QUARTERS
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
        queries, middle = np.insert(queries, 0, zero.sum()), np.insert(middle, 0, axis.zero)
        span.insert(0, "0")
    what = "E = " if axis.log else "score "
    return _Bins(queries, middle, [what + one for one in span], start, width)


def _bars(middle: c.Array, queries: NDArray[np.int64], width: float) -> c.Columns:
    left, right = middle - HALF * width, middle + HALF * width
    bars = {"x0": left, "y0": np.zeros(middle.size), "x1": right, "y1": queries * 1.0}
    return c.some(bars, queries > 0)


def _readout(bins: _Bins, result: NthIrrelevant, last: float, top: float) -> c.Columns:
    total, errors = result.n_queries, count(result.n, "error")
    so_far = np.cumsum(bins.queries).tolist()
    heads = [
        f"{span}: {count(here, 'query')} reach{'es' if here == 1 else ''} {errors};<br>"
        f"up to there {reached:,} of {total:,} ({reached / max(total, 1):.0%})"
        for span, here, reached in zip(bins.span, bins.queries.tolist(), so_far, strict=True)
    ]
    heads.append(f"{result.n_never:,} of {count(total, 'query')} never reach {errors}")
    return c.readout_columns(np.append(bins.middle, last), top / 2, heads, {})
