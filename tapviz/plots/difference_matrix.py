"""Who over whom: the difference of every two algorithms by one score, in a matrix."""

from __future__ import annotations

import math
import re

import numpy as np

from tapviz.draw import picture as p
from tapviz.draw.style import GHOST, GUTTER, INK, shortened
from tapviz.plots import columns as c
from tapviz.plots.data import PlotData
from tapviz.plots.differences import (
    COMPUTING,
    DEPENDS,
    FEW,
    missing,
    pairs,
    plain_score,
    score_title,
    tall,
    tooltip_html,
)
from tapviz.plots.plot import Plot

# Told apart under the common kinds of colour blindness; signs stand in the cells as well.
BETTER, WORSE = "#7FB6DA", "#EBAF85"
NUMBERED = 10
"""Algorithms among which the cells have room for numbers; of more they have signs."""
GAP = 0.04
"""Between two cells."""
KEYS = 0.0, 0.31, 0.6
"""Where the parts of the key begin, in widths of the plot."""


def ranked(data: PlotData) -> list[str]:
    """Algorithms with a score, that with the best first."""
    explorer, score = data.explorer, data.explorer.score_compared
    sign = -1 if score.higher_is_better is False else 1
    value = {name: sign * explorer.case(name).value(score) for name in explorer.rows}
    return sorted((name for name in value if math.isfinite(value[name])), key=lambda n: -value[n])


def text(data: PlotData) -> str:
    """The plot in words: the order, and which differences are not clear."""
    names = ranked(data)
    if len(names) < 2:  # noqa: PLR2004
        return FEW
    sentence = f"By {score_title(data)}, best first: {', '.join(names)}."
    if data.compared is None:
        return sentence
    alike = [
        f"{one.first} and {one.second}"
        for one in pairs(data)
        if not one.clear and math.isfinite(one.difference.estimate)
    ]
    if not alike:
        return f"{sentence} Every two differ clearly."
    rest = f" and {len(alike) - 3} other pairs" if len(alike) > 3 else ""  # noqa: PLR2004
    return f"{sentence} No clear difference: {'; '.join(alike[:3])}{rest}."


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices.

    A row and a column for each algorithm, the best at x = 0 and y = 0, then at 1 and -1, ...
    "better", "worse" and "open" (x0, y0, x1, y1): cells in which the algorithm of the row is
    clearly better than that of the column, clearly worse, or neither. "number" (x, y, text, color,
    pair): their difference. "head" (x, y, text, color): the numbers of the columns. "key" (x, y,
    text, color): what the colours are. "missing": why there is no row. "row" (x0, y0, x1, y1,
    text): the same boxes, whose `text` is HTML for the mouse.
    """
    names, score = ranked(data), data.explorer.score_compared
    n, side = len(names), float(max(len(names), 4))
    ordered = [pair for pair in pairs(data) if math.isfinite(pair.difference.estimate)]
    cells = [one for pair in ordered for one in (pair, pair.turned)]
    row = np.array([names.index(one.first) for one in cells], np.float64)
    column = np.array([names.index(one.second) for one in cells], np.float64)
    sign = np.array([one.clear * (2 * (one.difference.estimate > 0) - 1) for one in cells], int)
    edges = {"x0": column + GAP, "y0": -row - 1 + GAP, "x1": column + 1 - GAP, "y1": -row - GAP}
    tips = np.array([tooltip_html(data, one) for one in cells], np.object_)
    words = [score.signed(score.less(one).estimate) for one in cells]
    words = [_short(text) if n <= NUMBERED else text[0] for text in words]
    number = c.label_columns(column + 0.5, -row - 0.5, words, INK)
    pair = np.array([f"{one.first} − {one.second}" for one in cells], np.object_)
    places = range(n if n > 1 else 0)
    heads = [str(at + 1) for at in places]
    return p.Picture(
        (
            p.boxes("open", c.some(edges, sign == 0), GUTTER, line_alpha=0),
            p.boxes("better", c.some(edges, sign > 0), BETTER, line_alpha=0),
            p.boxes("worse", c.some(edges, sign < 0), WORSE, line_alpha=0),
            p.texts("number", number | {"pair": pair}, align="center", ground=False),
            p.texts(
                "head",
                c.label_columns(np.array(places) + 0.5, 0.4, heads, INK),
                align="center",
            ),
            p.texts("key", _key(data, n), note=True),
            missing(data, 0.0, drawn=n > 1),
            p.tooltip_boxes(edges | {"text": tips}),
        ),
        p.Axis(f"{plain_score(data)}, row − column", 0.0, side, ticks={}),
        p.Axis(
            "algorithm",
            -side,
            1.9,
            ticks={-at - 0.5: f"{shortened(names[at], c.LONGEST)} {at + 1}" for at in places},
        ),
        grid=False,
        tall=tall(len(data.explorer.rows) * 1.1),
    )


def pair_at(data: PlotData, x: float, y: float) -> tuple[str, str] | None:
    """The two algorithms of the cell that a click hits, that of the row first."""
    names, row, column = ranked(data), math.floor(-y), math.floor(x)
    if row == column or not (0 <= row < len(names) and 0 <= column < len(names)):
        return None
    return names[row], names[column]


def _short(text: str) -> str:
    """A difference in few characters: .043, −.043, 12.3."""
    return re.sub(r"^(−?)0(?=\.)", r"\1", text.removeprefix("+"))


def _key(data: PlotData, n: int) -> c.Columns:
    """What the colours are."""
    if n < 2 or data.compared is None:  # noqa: PLR2004
        return c.label_columns(0.0, 1.4, [COMPUTING] if n > 1 else [], INK, 60)
    higher = data.explorer.score_compared.higher_is_better
    more, less = ("larger", "smaller") if higher is None else ("better", "worse")
    side = max(n, 4)
    words = [f"row {more}", f"row {less}", "not clear"]
    squared = c.label_columns([at * side for at in KEYS], 1.4, ["■"] * 3, [BETTER, WORSE, GHOST])
    told = c.label_columns([(at + 0.035) * side for at in KEYS], 1.4, words, INK)
    return {name: np.stack([squared[name], told[name]], 1).ravel() for name in told}


PLOT = Plot(
    name="difference_matrix",
    title="Who over whom",
    caption="row − column · blue: row better · orange: worse · grey: no clear difference",
    how_to_read=(
        "Each cell is the score of the program of its row minus that of the program of its column, "
        "on the same queries; columns have the numbers of the rows. Blue: the row is better, "
        "orange: worse; grey: no clear difference, as in the sentence above. A click on a cell "
        "opens A vs B of the two."
    ),
    printed=(
        "Score of the program of the row minus that of the program of the column, on the same "
        "queries. Blue: the row is clearly better; orange: clearly worse; grey: no clear "
        "difference. Intervals hold for all pairs at once at 95 %."
    ),
    depends=DEPENDS,
    picture=picture,
    text=text,
    tab="Matrix",
    of="pairs",
    needs="several",
    compares=True,
    reads="either",
    pair_at=pair_at,
)
