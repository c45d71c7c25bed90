"""What leaving one query out does to pooled ROC_n and to TAP-k, on one scale."""

from __future__ import annotations

import html

import numpy as np
from numpy.typing import NDArray

from tapviz.draw import picture as p
from tapviz.draw.style import INK, number, subscript
from tapviz.lists.words import count
from tapviz.measures import influence
from tapviz.measures.influence import Influence
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, Plot, PlotData
from tapviz.state import Range

ROWS = 12
"""Queries that have room."""
# No algorithm styles like these. Both are at least 4.5:1 on white, and one is darker.
POOLED_COLOR, TAP_COLOR = INK, "#8E3FB0"
HALF = 0.38
"""Height of a bar; two of them make a row, which has a height of 1."""
LONGEST_QUERY = 14
BOTTOM = -ROWS + 0.4
# Room for names and counts, in widths of the bars.
LEFT, RIGHT = 0.27, 0.26


def largest(result: Influence) -> NDArray[np.int64]:
    """Rows of the queries drawn: those that pooled ROC_n depends on most, most first."""
    if np.isnan(result.pooled_roc_n):
        return np.zeros(0, np.int64)
    size = np.abs(result.pooled_change)
    order = np.argsort(-np.nan_to_num(size, nan=-1.0), kind="stable")[:ROWS]
    return order[np.isfinite(size[order])]


def drawn(result: Influence) -> p.Picture:
    """The plot of a result.

    Parameters
    ----------
    result : Influence

    Returns
    -------
    Picture
        A row for each query of `largest`, at y = 0, -1, ... "pooled", "tap" (x0, y0, x1, y1): bars
        from 0 to the score without the query less the score with all. "zero" (x, y). "query" and
        "supplied" (x, y, text, color): its id, and how many of the first n errors of the pool it
        supplies. "key" (x, y, text, color). "row" (x0, y0, x1, y1, text): an invisible box over
        all of it; `text` is HTML for the mouse.
    """
    rows = largest(result)
    pooled, tap = result.pooled_change[rows], result.tap_change[rows]
    y = -np.arange(rows.size, dtype=np.float64)
    low, high = c.coarse_limits(np.concatenate([pooled, tap[np.isfinite(tap)]]))
    width = high - low
    left, right = low - LEFT * width, high + RIGHT * width
    defined = np.isfinite(tap)
    n_errors = round(float(result.supplied.sum()))
    supplied = [f"{number(result.supplied[row])} of {n_errors:,}" for row in rows]
    supplied = ["pooled errors", *supplied] if supplied else []
    n_keys = min(rows.size, 1) + bool(defined.any())
    keys = [f"■ pooled ROC{subscript(result.n)}", f"■ TAP-{result.k}"][:n_keys]
    ids = c.label_columns(low - 0.02 * width, y, result.query[rows].tolist(), INK, LONGEST_QUERY)
    shares = c.label_columns(high + 0.02 * width, [1.0, *y][: len(supplied)], supplied, INK)
    places, colors = [low, low + 0.4 * width], [POOLED_COLOR, TAP_COLOR]
    tips = [_tooltip_html(result, row, n_errors) for row in rows]
    return p.Picture(
        (
            p.boxes("pooled", _bars(pooled, y, 0.0, HALF), POOLED_COLOR),
            p.boxes("tap", _bars(tap[defined], y[defined], -HALF, 0.0), TAP_COLOR),
            c.zero(BOTTOM),
            p.texts("query", ids, align="right"),
            p.texts("supplied", shares),
            p.texts("key", c.label_columns(places[:n_keys], 1.0, keys, colors[:n_keys])),
            c.rows(left, right, y, tips),
        ),
        p.Axis("score without the query − score with all", left, right),
        p.Axis("query left out", BOTTOM, 1.5, ticks={}),
        drag="box_select",
        left=26,
    )


def text(result: Influence) -> str:
    """The plot in words.

    Parameters
    ----------
    result : Influence
    """
    if not result.query.size:
        return "No query is selected."
    rows = largest(result)
    roc, tap = f"pooled ROC_{result.n}", f"TAP-{result.k}"
    if not rows.size:
        return f"There is no change of {roc} to show: {result.pooled_reason.rstrip('.')}."
    row = int(rows[0])
    n_errors = round(float(result.supplied.sum()))
    which = shares = ""
    if n_errors:
        which = f", which {_supplied(result, row, n_errors)},"
        suppliers = int((result.supplied > 0).sum())
        shares = f" {suppliers:,} of {count(result.query.size, 'query')} supply all {n_errors:,}."
    pooled = _change(float(result.pooled_change[row]), result.pooled_roc_n)
    sentence = (
        f"Without {result.query[row]}{which} {roc} changes by {pooled} from "
        f"{result.pooled_roc_n:.3f}"
    )
    if np.isfinite(result.tap_change[row]):
        change, most = float(result.tap_change[row]), float(np.nanmax(np.abs(result.tap_change)))
        sentence += f", {tap} by {_change(change, result.tap)} from {result.tap:.3f}; "
        sentence += f"no query changes {tap} by more than {number(most)}."
    else:
        sentence += f". There is no change of {tap} to show: {result.tap_reason.rstrip('.')}."
    if result.pooled_reason:
        shares += f" Without some queries {roc} is undefined: {result.pooled_reason}."
    return sentence + shares


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries whose rows are in a box drawn; returns why not, or nothing."""
    del left, right
    explorer, result = data.explorer, _result(data)
    if not explorer.selection.everything:
        return "Clear the filter first: how much a query matters depends on the others."
    place = -np.arange(largest(result).size)
    rows = largest(result)[(place + HALF >= bottom) & (place - HALF <= top)]
    if not rows.size:
        return "There is no query in the box. The selection is unchanged."
    size = np.abs(result.pooled_change[rows])
    low, high = float(size.min()), float(size.max())
    return explorer.keep(Range("influence", explorer.focus_algorithm, float(explorer.n), low, high))


def _result(data: PlotData) -> Influence:
    explorer = data.explorer
    return explorer.measure(
        influence, explorer.focus_algorithm, k=explorer.k, n=explorer.n, quantile=explorer.quantile
    )


PLOT = Plot(
    name="influence",
    title="Which query matters",
    caption="change without one query, of",
    how_to_read=(
        "For the queries that pooled ROCₙ depends on most: how much it and TAP-k change when that "
        "query alone is left out. A pooled score can hang on one query; a mean of queries cannot. "
        "A box drawn over rows makes their queries the subset."
    ),
    printed=(
        "Change of pooled ROC{n_sub} and of the mean TAP with {name} when one query is left "
        "out, for the queries that matter most to pooled ROC{n_sub}."
    ),
    depends=(*FILTER, "k", "quantile", "n", "focus_algorithm"),
    picture=lambda data: drawn(_result(data)),
    text=lambda data: text(_result(data)),
    tab="One query",
    of="one",
    select=select,
)


def _bars(change: c.Array, y: c.Array, below: float, above: float) -> c.Columns:
    low, high = np.minimum(change, 0), np.maximum(change, 0)
    return {"x0": low, "y0": y + below, "x1": high, "y1": y + above}


def _supplied(result: Influence, row: int, n_errors: int) -> str:
    errors = count(n_errors, "pooled error")
    return f"supplies {number(result.supplied[row])} of the first {errors}"


def _change(change: float, score: float) -> str:
    """A change, and what share of the score it is."""
    if score == 0:
        return f"{change:+.3g}"
    percent = 100 * change / score
    digits = "+.3g" if abs(percent) < 1000 else "+,.0f"  # noqa: PLR2004
    return f"{change:+.3g} ({percent:{digits}} %)"


def _tooltip_html(result: Influence, row: int, n_errors: int) -> str:
    """Tooltip of a query."""

    def moved(score: str, whole: float, without: float, change: float) -> str:
        return f"{score} {whole:.4f} → {without:.4f}: {_change(float(change), whole)}"

    pooled = result.pooled_roc_n, result.pooled_without[row], result.pooled_change[row]
    tap = result.tap, result.tap_without[row], result.tap_change[row]
    lines = [
        f"without <b>{html.escape(str(result.query[row]))}</b>",
        moved(f"pooled ROC<sub>{result.n}</sub>", *pooled),
        *([moved(f"TAP-{result.k}", *tap)] if np.isfinite(result.tap_change[row]) else []),
        _supplied(result, row, n_errors),
    ]
    return "<br>".join(lines)
