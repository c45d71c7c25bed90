"""Queries whose pooled ROC_n lies outside the range of their own, and their mean TAP inside."""

from __future__ import annotations

import html
import re
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from tapviz.draw import picture as p
from tapviz.draw.style import INK, shortened, subscript
from tapviz.lists.words import count
from tapviz.measures import betweenness_violations
from tapviz.measures.betweenness import Betweenness, Violation
from tapviz.plots import columns as c
from tapviz.plots.influence import POOLED_COLOR, TAP_COLOR
from tapviz.plots.plot import FILTER, Plot, PlotData, Work
from tapviz.state import MAX_TEXT

ROWS = 10
"""Violations that have room."""
OWN_COLOR = "#767676"
# Places in a row, which has a height of 1, of ROC_n and of TAP.
ROC_AT, TAP_AT = 0.18, -0.22
LONGEST_PART, LONGEST_NAME, WHOLE = 10, 34, 10**6
"""Characters of a query or class, of both with what is said of them, and of any name."""
LISTED = 6
"""Queries of a class that its tooltip names."""
ACROSS = -0.54, 1.03
"""Ends of the axis of scores."""


def drawn(result: Betweenness | None) -> p.Picture:
    """The plot of a result.

    Parameters
    ----------
    result : Betweenness or None
        None while it has not been computed.

    Returns
    -------
    Picture
        A row for each violation, the worst at y = 0, then at -1, -2, ... "own" and "tap" (x0, y0,
        x1, y1): from the smallest to the largest ROC_n, and TAP, of its queries; "own end" and
        "tap end" (x, y, color). "pooled" and "mean tap" (x, y, color): of the queries together.
        "gap" (x0, y0, x1, y1): from the range to the pooled value. "name" (x, y, text, color).
        "key" (x, y, text, color): what the marks are; or that they are being computed. "row" (x0,
        y0, x1, y1, text): an invisible box over all of it; `text` is HTML for the mouse.
    """
    rows = result.violations[:ROWS] if result is not None else ()
    y = -np.arange(len(rows), dtype=np.float64)
    own, tap = _ranges([v.roc_n for v in rows]), _ranges([v.per_query_tap for v in rows])
    pooled = np.array([v.pooled_roc_n for v in rows], np.float64)
    nearest = np.clip(pooled, own[0], own[1])
    defined = np.isfinite(tap[0])
    up, down = y + ROC_AT, y + TAP_AT
    ranges = c.some(_lines(tap[0], tap[1], down), defined)
    own_ends = c.mark_columns(own.ravel(), np.tile(up, 2), OWN_COLOR)
    tap_ends = c.mark_columns(tap.ravel(), np.tile(down, 2), TAP_COLOR)
    merged = c.mark_columns(pooled, up, POOLED_COLOR)
    means = c.mark_columns([v.tap for v in rows], down, TAP_COLOR)
    names = c.label_columns(-0.03, y, [_name(v) for v in rows], INK, LONGEST_NAME)
    return p.Picture(
        (
            p.segments("own", _lines(own[0], own[1], up), OWN_COLOR, width=3),
            p.points("own end", own_ends, line_color=None),
            p.segments("gap", _lines(nearest, pooled, up), POOLED_COLOR, dash=(2, 4)),
            p.points("pooled", merged, marker="diamond", size=11),
            p.segments("tap", ranges, TAP_COLOR, width=1.2),
            p.points("tap end", tap_ends, size=3, line_color=None),
            p.points("mean tap", means, size=7, line_color=None),
            p.texts("name", names, align="right"),
            p.texts("key", _key(result, with_tap=bool(defined.any()))),
            c.rows(*ACROSS, y, [_tooltip_html(v, result) for v in rows if result]),
        ),
        p.Axis("score", *ACROSS, ticks=c.FIFTHS),
        p.Axis("queries merged", -ROWS + 0.45, 1.5, ticks={}),
        left=26,
        drag="box_select",
    )


def text(result: Betweenness | None) -> str:
    """The plot in words.

    Parameters
    ----------
    result : Betweenness or None
        As in `drawn`.
    """
    if result is None:
        return "Pairs and classes of queries have not been merged yet."
    if not result.n_pairs and not result.n_classes:
        return "There are no two queries with relevant records to merge."
    of = ""
    if result.n_examined < result.n_queries:
        of = f" (of the {result.n_examined:,} queries that matter most)"
    pairs = f"{result.n_pair_violations:,} of {count(result.n_pairs, 'pair')} of queries{of}"
    classes = f"{result.n_class_violations:,} of {count(result.n_classes, 'class')}"
    both = (pairs, result.n_pairs), (classes, result.n_classes)
    examined = " and ".join(words for words, n in both if n)
    worst = [
        f"{_name(v, WHOLE)} ({v.pooled_roc_n:.3f}, parts {_range(v.roc_n)})"
        for v in result.violations[:3]
    ]
    farthest = f": {worst[0]}" if worst else ""
    if len(worst) > 1:
        farthest = f", farthest for {', '.join(worst[:-1])} and {worst[-1]}"
    tap = "Mean TAP is never outside."
    if result.reason:
        tap = f"There is no TAP-{result.k}: {result.reason.rstrip('.')}."
    outside = f"Pooled ROC_{result.n} is outside the range of its parts"
    return f"{outside} for {examined}{farthest}. {tap}"


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries of the rows that a box drawn touches; returns why not, or nothing."""
    result = _result(data)
    shown = () if result is None else result.violations[:ROWS]
    rows = [v for y, v in enumerate(shown) if bottom < 0.5 - y and top > -0.5 - y]
    if not rows or right < ACROSS[0] or left > ACROSS[1]:
        return "There is no row in the box. The selection is unchanged."
    if len(rows) == 1 and rows[0].kind == "class":
        data.explorer.query_class = rows[0].name
        return ""
    ids = np.unique(np.concatenate([row.query for row in rows])).tolist()
    text = f"^({'|'.join(map(re.escape, ids))})$"
    if len(text) > MAX_TEXT:
        return (
            f"The box holds {len(ids):,} queries, more ids than a filter takes. Draw it over one "
            "class, or over pairs."
        )
    data.explorer.query_text = text
    return ""


def _result(data: PlotData) -> Betweenness | None:
    return data.slow.get(PLOT.name)


def work(data: PlotData) -> tuple[Hashable, Work]:
    """What the violations depend on, and what looks for them."""
    explorer = data.explorer
    lists, n, k = explorer.lists[explorer.focus_algorithm], explorer.n, explorer.k
    return (lists, n, k), lambda progress: betweenness_violations(
        lists, n=n, k=k, kind="both", progress=progress
    )


PLOT: Plot = Plot(
    name="violations",
    title="Pooled out of range",
    caption="pooled ROC<sub>{n}</sub> outside its parts, of",
    how_to_read=(
        "Pairs and classes of queries whose pooled ROCₙ lies outside the range of the queries' own "
        "values: merging two lists gave a score that is worse than both, or better. A mean, such "
        "as that of TAP, always lies between. A box drawn over rows makes their queries the subset."
    ),
    printed=(
        "Pairs and classes of queries whose pooled ROC{n_sub} with {name} lies outside the "
        "range of their own ROC{n_sub}."
    ),
    depends=(*FILTER, "k", "n", "focus_algorithm"),
    picture=lambda data: drawn(_result(data)),
    text=lambda data: text(_result(data)),
    tab="Pooling",
    of="one",
    slow=work,
    select=select,
)


def _ranges(values: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Smallest and largest of each, shape (2, V)."""
    return np.array([[v.min() for v in values], [v.max() for v in values]], np.float64)


def _lines(start: c.Array, end: c.Array, y: c.Array) -> c.Columns:
    return {"x0": start, "y0": y, "x1": end, "y1": y}


def _key(result: Betweenness | None, *, with_tap: bool) -> c.Columns:
    if result is None or not result.violations:
        return c.label_columns(0.3, -1.0, ["computing …"] if result is None else [], INK)
    roc = f"ROC{subscript(result.n)}"
    parts = [(-0.52, f"◆ pooled {roc}", POOLED_COLOR), (-0.13, "●━● per query", OWN_COLOR)]
    if with_tap:
        parts += [(0.22, "● mean TAP", TAP_COLOR), (0.54, "•─• per query", TAP_COLOR)]
    x, labels, colors = zip(*parts, strict=True)
    return c.label_columns(x, 1.0, labels, colors, LONGEST_NAME)


def _name(violation: Violation, longest: int = LONGEST_PART) -> str:
    if violation.kind == "class":
        name = shortened(violation.name, longest)
        return f"class {name} ({count(violation.query.size, 'query')})"
    return " + ".join(shortened(str(query), longest) for query in violation.query)


def _range(values: NDArray[np.float64]) -> str:
    return f"{values.min():.3f} to {values.max():.3f}"


def _tooltip_html(violation: Violation, result: Betweenness) -> str:
    """Tooltip of a violation."""
    side = "below" if violation.pooled_roc_n < violation.roc_n.min() else "above"
    roc = f"ROC<sub>{result.n}</sub>"
    lines = [f"<b>{html.escape(_name(violation, WHOLE))}</b>"]
    if violation.kind == "class":
        ids = violation.query[:LISTED].tolist()
        more = violation.query.size - len(ids)
        lines.append(html.escape(", ".join(ids) + (f" and {more:,} more" if more else "")))
    lines.append(
        f"pooled {roc} {violation.pooled_roc_n:.3f}, {violation.distance:.3f} {side} its parts: "
        + _range(violation.roc_n)
    )
    if np.isfinite(violation.tap):
        lines.append(
            f"mean TAP {violation.tap:.3f}, between its parts: {_range(violation.per_query_tap)}"
        )
    return "<br>".join(lines)
