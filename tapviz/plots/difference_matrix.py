"""Who over whom: the difference of every two algorithms by one score, in a matrix."""

from __future__ import annotations

import math
import re

import numpy as np

from tapviz.draw.picture import Axis, Picture, boxes, texts, tooltip_boxes
from tapviz.draw.style import GHOST, GUTTER, INK, shortened
from tapviz.measures import PairDifference
from tapviz.plots.columns import LONGEST, Columns, label_columns
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


def ranked(data: PlotData) -> list[str]:
    """Algorithms with a score, that with the best first."""
    explorer, score = data.explorer, data.explorer.score_compared
    sign = -1 if score.higher_is_better is False else 1
    value = {name: sign * explorer.case(name).value(score) for name in explorer.rows}
    return sorted((name for name in value if math.isfinite(value[name])), key=lambda n: -value[n])


def columns(data: PlotData) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    data : PlotData

    Returns
    -------
    Columns
        A row and a column for each algorithm, the best at x = 0 and y = 0, then at 1 and -1, ...
        "better", "worse" and "open" (x0, y0, x1, y1): cells in which the algorithm of the row is
        clearly better than that of the column, clearly worse, or neither. "number" (x, y, text,
        color, pair): their difference. "row" (x0, y0, x1, y1, text): the same boxes, whose `text`
        is HTML for the mouse. "head" (x, y, text, color): the numbers of the columns. "key" (x, y,
        text, color): what the colours are. "missing": why there is no row. "view".
    """
    names, score = ranked(data), data.explorer.score_compared
    n = len(names)
    place = {name: at for at, name in enumerate(names)}
    cells = [
        (place[one.first], place[one.second], one)
        for pair in pairs(data)
        if math.isfinite(pair.difference.estimate)
        for one in (pair, pair.turned)
    ]
    layers: Columns = {
        name: _boxes([cell for cell in cells if _kind(cell[2]) == name])
        for name in ("better", "worse", "open")
    }
    tip = np.array([tooltip_html(data, one) for *_, one in cells], np.object_)
    layers["row"] = _boxes(cells) | {"text": tip}
    middle = [column + 0.5 for _, column, _ in cells], [-row - 0.5 for row, _, _ in cells]
    shown = [score.signed(score.less(one).estimate) for *_, one in cells]
    shown = [_short(text) if n <= NUMBERED else text[0] for text in shown]
    pair = np.array([f"{one.first} − {one.second}" for *_, one in cells], np.object_)
    layers["number"] = label_columns(*middle, shown, [INK] * len(cells)) | {"pair": pair}
    numbers = [str(at + 1) for at in range(n)] if n > 1 else []
    at = [place + 0.5 for place in range(len(numbers))]
    layers["head"] = label_columns(at, [0.4] * len(numbers), numbers, [INK] * len(numbers))
    side = float(max(n, 4))
    layers["key"] = _key(data, n)
    layers["missing"] = label_columns(
        *(([], [], [], []) if n > 1 else ([0.0], [0.0], missing(data)[:1], [INK])), 90
    )
    layers["view"] = {"x": np.array([0.0, side]), "y": np.array([-side, 1.9])}
    return layers


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


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    layers, names = columns(data), ranked(data)
    view = layers["view"]
    return Picture(
        (
            boxes("open", layers["open"], GUTTER, line_alpha=0),
            boxes("better", layers["better"], BETTER, line_alpha=0),
            boxes("worse", layers["worse"], WORSE, line_alpha=0),
            texts("number", layers["number"], align="center", ground=False),
            texts("head", layers["head"], align="center"),
            texts("key", layers["key"], note=True),
            texts("missing", layers["missing"]),
            tooltip_boxes(layers["row"]),
        ),
        Axis(f"{plain_score(data)}, row − column", *view["x"].tolist(), ticks={}),
        Axis(
            "algorithm",
            *view["y"].tolist(),
            ticks={
                -at - 0.5: f"{shortened(name, LONGEST)} {at + 1}"
                for at, name in enumerate(names)
                if len(names) > 1
            },
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


def _kind(one: PairDifference) -> str:
    if not one.clear:
        return "open"
    return "better" if one.difference.estimate > 0 else "worse"


def _short(text: str) -> str:
    """A difference in few characters: .043, −.043, 12.3."""
    return re.sub(r"^(−?)0(?=\.)", r"\1", text.removeprefix("+"))


def _boxes(cells: list[tuple[int, int, PairDifference]]) -> dict[str, np.ndarray]:
    row = np.array([row for row, _, _ in cells], np.float64)
    column = np.array([column for _, column, _ in cells], np.float64)
    return {
        "x0": column + GAP,
        "y0": -row - 1 + GAP,
        "x1": column + 1 - GAP,
        "y1": -row - GAP,
    }


def _key(data: PlotData, n: int) -> dict[str, np.ndarray]:
    """What the colours are."""
    if n < 2:  # noqa: PLR2004
        return label_columns([], [], [], [])
    if data.compared is None:
        return label_columns([0.0], [1.4], [COMPUTING], [INK], 60)
    score = data.explorer.score_compared
    more, less = ("larger", "smaller") if score.higher_is_better is None else ("better", "worse")
    side = max(n, 4)
    items = (
        (0.0, BETTER, f"row {more}"),
        (0.31, WORSE, f"row {less}"),
        (0.6, GHOST, "not clear"),
    )
    return label_columns(
        [x for at, _, _ in items for x in (at * side, (at + 0.035) * side)],
        [1.4] * 6,
        [text for _, _, words in items for text in ("■", words)],
        [color for _, mark, _ in items for color in (mark, INK)],
    )


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
