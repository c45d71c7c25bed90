"""What leaving one query out does to pooled ROC_n and to TAP-k, on one scale."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, boxes, line, texts, tooltip_boxes
from tapviz.draw.style import GHOST, INK, number, subscript
from tapviz.lists.words import count
from tapviz.measures import influence
from tapviz.measures.influence import Influence
from tapviz.plots.columns import Columns, coarse_limits, label_columns, row_columns
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, Plot
from tapviz.state import Range

ROWS = 12
"""Queries that have room."""
# No algorithm styles like these. Both are at least 4.5:1 on white, and one is darker.
POOLED_COLOR, TAP_COLOR = INK, "#8E3FB0"
HALF = 0.38
"""Height of a bar; two of them make a row, which has a height of 1."""
LONGEST_QUERY = 14
# Room for names and counts, in widths of the bars.
LEFT, RIGHT = 0.27, 0.26


def largest(result: Influence) -> NDArray[np.int64]:
    """Rows of the queries drawn: those that pooled ROC_n depends on most, most first."""
    if np.isnan(result.pooled_roc_n):
        return np.zeros(0, np.int64)
    size = np.abs(result.pooled_change)
    order = np.argsort(-np.nan_to_num(size, nan=-1.0), kind="stable")[:ROWS]
    return order[np.isfinite(size[order])]


def columns(result: Influence) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    result : Influence

    Returns
    -------
    Columns
        A row for each query of `largest`, at y = 0, -1, ... "pooled", "tap" (x0, y0, x1, y1): bars
        from 0 to the score without the query less the score with all. "query" and "supplied" (x,
        y, text, color): its id, and how many of the first n errors of the pool it supplies.
        "row" (x0, y0, x1, y1, text): an invisible box over all of it; `text` is HTML for the
        mouse. "zero" (x, y). "key" (x, y, text, color). "view".
    """
    rows = largest(result)
    pooled, tap = result.pooled_change[rows], result.tap_change[rows]
    y = -np.arange(rows.size, dtype=np.float64)
    low, high = coarse_limits(np.concatenate([pooled, tap[np.isfinite(tap)]]))
    width = high - low
    left, right = low - LEFT * width, high + RIGHT * width
    bottom, top = -ROWS + 0.4, 1.5
    defined = np.isfinite(tap)
    n_errors = round(float(result.supplied.sum()))
    supplied = [f"{number(result.supplied[row])} of {n_errors:,}" for row in rows]
    supplied = ["pooled errors", *supplied] if supplied else []
    n_keys = min(rows.size, 1) + bool(defined.any())
    keys = [f"■ pooled ROC{subscript(result.n)}", f"■ TAP-{result.k}"][:n_keys]
    colors = [POOLED_COLOR, TAP_COLOR][:n_keys]
    return {
        "row": row_columns(left, right, y, [_tooltip_html(result, row, n_errors) for row in rows]),
        "pooled": _bars(pooled, y, 0.0, HALF),
        "tap": _bars(tap[defined], y[defined], -HALF, 0.0),
        "zero": {"x": np.zeros(2), "y": np.array([bottom, 0.6])},
        "query": label_columns(
            low - 0.02 * width, y, result.query[rows].tolist(), INK, LONGEST_QUERY
        ),
        "supplied": label_columns(high + 0.02 * width, [1.0, *y][: len(supplied)], supplied, INK),
        "key": label_columns([low, low + 0.4 * width][:n_keys], 1.0, keys, colors),
        "view": {"x": np.array([left, right]), "y": np.array([bottom, top])},
    }


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
        supplied = number(result.supplied[row])
        which = f", which supplies {supplied} of the first {count(n_errors, 'pooled error')},"
        suppliers = int((result.supplied > 0).sum())
        shares = f" {suppliers:,} of {count(result.query.size, 'query')} supply all {n_errors:,}."
    pooled = _change(float(result.pooled_change[row]), result.pooled_roc_n)
    sentence = (
        f"Without {result.query[row]}{which} {roc} changes by {pooled} from "
        f"{result.pooled_roc_n:.3f}"
    )
    if np.isfinite(result.tap_change[row]):
        most = float(np.nanmax(np.abs(result.tap_change)))
        sentence += (
            f", {tap} by {_change(float(result.tap_change[row]), result.tap)} from "
            f"{result.tap:.3f}; no query changes {tap} by more than {number(most)}."
        )
    else:
        sentence += f". There is no change of {tap} to show: {result.tap_reason.rstrip('.')}."
    if result.pooled_reason:
        shares += f" Without some queries {roc} is undefined: {result.pooled_reason}."
    return sentence + shares


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    layers = columns(_result(data))
    view = layers["view"]
    return Picture(
        (
            boxes("pooled", layers["pooled"], POOLED_COLOR),
            boxes("tap", layers["tap"], TAP_COLOR),
            line("zero", layers["zero"], GHOST),
            texts("query", layers["query"], align="right"),
            texts("supplied", layers["supplied"]),
            texts("key", layers["key"]),
            tooltip_boxes(layers["row"]),
        ),
        Axis("score without the query − score with all", *view["x"].tolist()),
        Axis("query left out", *view["y"].tolist(), ticks={}),
        drag="box_select",
        left=26,
    )


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
    picture=picture,
    text=lambda data: text(_result(data)),
    tab="One query",
    of="one",
    select=select,
)


def _bars(
    change: NDArray[np.float64], y: NDArray[np.float64], below: float, above: float
) -> dict[str, NDArray[Any]]:
    return {
        "x0": np.minimum(change, 0),
        "y0": y + below,
        "x1": np.maximum(change, 0),
        "y1": y + above,
    }


def _change(change: float, score: float) -> str:
    """A change, and what share of the score it is."""
    if score == 0:
        return f"{change:+.3g}"
    percent = 100 * change / score
    digits = "+.3g" if abs(percent) < 1000 else "+,.0f"  # noqa: PLR2004
    return f"{change:+.3g} ({percent:{digits}} %)"


def _tooltip_html(result: Influence, row: int, n_errors: int) -> str:
    """Tooltip of a query."""
    lines = [f"without <b>{html.escape(str(result.query[row]))}</b>"]
    lines.append(
        f"pooled ROC<sub>{result.n}</sub> {result.pooled_roc_n:.4f} → "
        f"{result.pooled_without[row]:.4f}: "
        + _change(float(result.pooled_change[row]), result.pooled_roc_n)
    )
    if np.isfinite(result.tap_change[row]):
        lines.append(
            f"TAP-{result.k} {result.tap:.4f} → {result.tap_without[row]:.4f}: "
            + _change(float(result.tap_change[row]), result.tap)
        )
    lines.append(
        f"supplies {number(result.supplied[row])} of the first {count(n_errors, 'pooled error')}"
    )
    return "<br>".join(lines)
