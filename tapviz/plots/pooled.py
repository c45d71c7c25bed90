"""Why pooled ROC_n orders two programs unlike TAP: whose errors the pool has, and without them."""

from __future__ import annotations

import html
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.draw import picture as p
from tapviz.draw.style import GUTTER, INK, number, shortened_apart, subscript
from tapviz.lists.words import count
from tapviz.measures import Suppliers, disagreements, leave_out_suppliers, roc_n_curve
from tapviz.measures.tap_curves import SAME
from tapviz.plots import columns as c
from tapviz.plots import roc
from tapviz.plots.plot import FILTER, THRESHOLD, Plot, PlotData
from tapviz.scores.findings import listed
from tapviz.scores.table import BY_NAME

MOST, ROWS = 20, 8
"""Queries that are left out at most, and those shown, unless the order turns later."""
HALF = 0.36
"""Half the height of a bar; a row has a height of 1."""
SCORES_AT = 1.3
"""Where the scale of scores begins; that of errors goes from 0 to 1, either has a length of 1."""
LEFT, RIGHT = -0.66, 3.1
TOP = 1.6
LONGEST_QUERY, LONGEST_NAME, NAMED, SPANS = 14, 16, 4, 3
"""Characters of an id and of a name; queries that a sentence names, and ranges of n."""
BAR = "#767676"
NOTHING = Suppliers(
    np.zeros(0, np.str_), np.zeros((1, 0)), np.full((1, 1), np.nan), np.zeros((1, 0)), 1, 0, 0, 0
)


class Case(NamedTuple):
    """Two programs, or one, and what pooled ROC_n makes of them."""

    names: tuple[str, ...]
    """The one that TAP puts first, and the other; one program if no two have both scores."""
    swapped: bool
    """Whether pooled ROC_n puts the other first."""
    found: Suppliers
    """Of the errors of the first."""
    against: NDArray[np.int64]
    """The n at which pooled ROC_n puts the other first."""
    most: int
    """The largest n that was looked at."""


def case(data: PlotData) -> Case | None:
    """What is shown: the pair that the two scores order most differently, or nearly so.

    A and B of A vs B go before other pairs, if they are ordered differently. None if pooled ROC_n
    is not defined.
    """
    explorer = data.explorer
    stages = explorer.changes("opened", "queries", "threshold", "n")
    key = stages, tuple(explorer.compared_names), explorer.opponent, tuple(data.pair)
    return explorer.once("pooled", key, lambda: _case(data))


def _case(data: PlotData) -> Case | None:
    explorer = data.explorer
    asked = dict.fromkeys([*explorer.compared_names, *(data.pair if explorer.opponent else [])])
    every = {name: explorer.case(name).value(BY_NAME["pooled_roc_n"]) for name in asked}
    pooled = {name: value for name, value in every.items() if np.isfinite(value)}
    if not pooled:
        return None
    taps = {name: explorer.tap(name).value for name in pooled}
    swapped = disagreements(taps, pooled)
    ordered = [(a, b) for a, b in permutations(taps, 2) if taps[a] > taps[b]]
    names = tuple(pooled)[:2]
    if swapped:
        names = next((pair for pair in swapped if {*pair} == {*data.pair}), swapped[0])
    elif ordered:  # the pair that pooled ROC_n holds least apart
        names = min(ordered, key=lambda pair: pooled[pair[0]] - pooled[pair[1]])
    # Of the same two whatever the threshold is, which a hand moves.
    at, lists = explorer.changes("opened", "queries", "n"), [explorer.lists[one] for one in names]
    found = explorer.once(
        ("suppliers", names), at, lambda: leave_out_suppliers(*lists, n=explorer.n, most=MOST)
    )
    most = roc.most_drawn(data)
    curves = [explorer.measure(roc_n_curve, one, n=most).pooled for one in names]
    n = np.arange(1, most + 1)
    against = n[(curves[-1] - curves[0]).cumsum() / n > SAME]
    return Case(names, bool(swapped), found, against, most)


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices: a row for all queries at y = 0, then without one more.

    "supplied" (x0, y0, x1, y1, query): how many pooled errors of the first program the query of the
    row supplies, on a scale from 0 to 1. "turn" (x0, y0, x1, y1): the row at which the order turns.
    "score NAME" (x, y) and "dot" (x, y, color): pooled ROC_n, from `SCORES_AT` on. "query",
    "number", "scores" (x, y, text, color): the id, the errors, and both scores. "name" (x, y, text,
    color): whose they are. "missing": why there is nothing. "row" (x0, y0, x1, y1, text): an
    invisible box over all of it; `text` is HTML for the mouse.
    """
    shown = case(data)
    names, found = (shown.names, shown.found) if shown else ((), NOTHING)
    rows = min(max(ROWS, found.turns or 0), found.query.size)
    supplied, pooled = found.supplied[0, :rows], found.pooled[: len(names), : rows + 1]
    y = -np.arange(rows + bool(names), dtype=np.float64)
    most = max(float(supplied.max(initial=0)), 1.0)
    low, high = _limits(pooled)
    place = dict(zip(names, SCORES_AT + (pooled - low) / (high - low), strict=True))
    colors = [data.styles[name].color for name in names]
    length, up = supplied / most, y[1:]
    bars = {"x0": np.zeros(rows), "y0": up - HALF, "x1": length, "y1": up + HALF}
    turn = np.array([] if found.turns is None else [-float(found.turns)])
    ends = {"x0": np.full(turn.size, LEFT), "x1": np.full(turn.size, RIGHT)}
    curves = {name: {"x": x, "y": y} for name, x in place.items()}
    every = np.array([*place.values()]).ravel(), np.tile(y, len(names))
    whose = np.repeat(np.array([colors, names], np.object_), y.size, axis=1)
    dots = c.mark_columns(*every, *whose)
    ids = ["all queries", *(f"− {one}" for one in found.query[:rows].tolist())][: y.size]
    both = (" · ".join(f"{score:.3f}" for score in column) for column in pooled.T.tolist())
    scores = [words.replace("nan", "—") for words in both][: y.size]
    # Whose errors the bars are, and whose scores the dots.
    short = shortened_apart(names, LONGEST_NAME)
    words = [f"{count(found.n_errors, 'error')} of {one}" for one in short[:1]]
    places = [LEFT + 0.05, SCORES_AT, SCORES_AT + 0.92][: len(words) + len(short)]
    words += [f"● {one}" for one in short]
    said = _labels(places, 1.0, words, [INK, *colors][: len(words)], 60)
    said |= {p.OF: np.array([*names[:1], *names], np.object_)}
    ticks = {0.0: "0", 1.0: f"{most:.3g}", SCORES_AT: f"{low:g}", SCORES_AT + 1: f"{high:g}"}

    def inverse(x: c.Array) -> c.Array:
        return np.where(x < (SCORES_AT + 1) / 2, x * most, low + (x - SCORES_AT) * (high - low))

    title = f"errors · pooled ROC{subscript(data.explorer.n)} without these queries"
    return p.Picture(
        (
            p.boxes("turn", ends | {"y0": turn - 0.5, "y1": turn + 0.5}, GUTTER, line_alpha=0),
            p.boxes("supplied", bars | {"query": found.query[:rows]}, BAR, line_alpha=0),
            *c.each_line(data, "score ", curves),
            p.points("dot", dots, size=5, line_color=None),
            p.texts("query", _labels(-0.03, y, ids, INK, LONGEST_QUERY), align="right"),
            p.texts("number", _labels(length + 0.02, up, [*map(number, supplied)], INK)),
            p.texts("scores", _labels(SCORES_AT + 1.08, y, scores, INK)),
            p.texts("name", said),
            p.texts("missing", _labels(LEFT, 0.0, [] if names else [_nothing(data)], INK, 90)),
            c.rows(LEFT, RIGHT, y, _tips(names, found)[: y.size]),
        ),
        p.Axis(title, LEFT, RIGHT, ticks=ticks if names else {}, inverse=inverse),
        p.Axis("query left out", -max(rows, ROWS) - 0.6, TOP, ticks={}),
        left=26,
        grid=False,
        tall=max(rows / ROWS, 1.0),
    )


def _limits(pooled: c.Array) -> tuple[float, float]:
    """Ends of a scale that holds the scores, in coarse steps."""
    some = pooled[np.isfinite(pooled)]
    low, high = (float(some.min()), float(some.max())) if some.size else (0.0, 1.0)
    step = 10.0 ** np.floor(np.log10(max(high - low, 0.01)))
    low, high = step * np.floor(low / step), step * np.ceil(high / step)
    return low, max(high, low + step)


def _labels(x: ArrayLike, y: ArrayLike, said: list[str], ink: ArrayLike, n: int = 30) -> c.Columns:
    """Columns of labels whose letters are smaller on a narrow page, as those of names."""
    nowhere = np.full(len(said), np.nan)
    return c.label_columns(x, y, said, ink, n) | {"from_x": nowhere, "from_y": nowhere}


def _tips(programs: tuple[str, ...], found: Suppliers) -> list[str]:
    """What the mouse is told at each row."""
    names, tips = [f"<b>{html.escape(name)}</b>" for name in programs], []
    for row, scores in enumerate(found.pooled[: len(names)].T.tolist()):
        lines = ["with all queries"]
        if row:
            supplied = zip(names, found.supplied[:, row - 1].tolist(), strict=True)
            lines = [f"<b>{html.escape(str(found.query[row - 1]))}</b>, pooled errors supplied:"]
            lines += [f"{name} {number(value)} of {found.n_errors:,}" for name, value in supplied]
            lines.append(f"without {'it' if row == 1 else f'these {row} queries'}:")
        roc_n = f"pooled ROC<sub>{found.n}</sub>"
        lines += [f"{name} {roc_n} {score:.4f}" for name, score in zip(names, scores, strict=True)]
        tips.append("<br>".join(lines))
    return tips


def _nothing(data: PlotData) -> str:
    """Why there is nothing to show."""
    explorer = data.explorer
    if not explorer.selection.n_queries:
        return "No query is selected."
    if not explorer.compared_names:
        return "No program is shown."
    some = data.lists.n_relevant.any()
    why = "so many errors were not kept" if some else "no query has a relevant record"
    return f"There is no pooled ROC_{explorer.n}: {why}."


def answer(data: PlotData) -> str:
    """In a sentence or two why the order differs; or that it does not."""
    shown = case(data)
    if shown is None:
        return _nothing(data)
    found, roc_n = shown.found, f"Pooled ROC_{shown.found.n}"
    if len(shown.names) < 2:  # noqa: PLR2004
        first, last = found.pooled[0, [0, -1]].tolist()
        without = f", {last:.3f} without the {count(found.query.size, 'query')} with most errors"
        some = found.query.size and np.isfinite(last)
        alone = f"{roc_n} of {shown.names[0]} is {first:.3f}{without if some else ''}"
        return f"{alone}. There is no second program to compare it with."
    tap, (better, worse) = data.explorer.rule.title, shown.names
    if not shown.swapped:
        ahead, behind = found.pooled[:, 0].tolist()
        above, below = (data.explorer.tap(name).value for name in shown.names)
        if not above > below:
            both = f"{roc_n} of {better} is {ahead:.3f}, of {worse} {behind:.3f}"
            return f"{both}: {tap} ranks neither above the other."
        nearest = f"Nearest to another order: {better} {ahead:.3f}, {worse} {behind:.3f}"
        return f"{roc_n} and {tap} rank the programs shown alike. {nearest}."
    before = f"{roc_n} puts {worse} before {better}"
    of = count(found.n_queries, "query")
    if found.turns is None:
        return f"{before}, even without the {found.query.size} of {of} with most of its errors."
    left = found.query[: found.turns].tolist()
    which = listed(left) if len(left) <= NAMED else f"{', '.join(left[:NAMED])} and others"
    some = found.enough[:1].tolist() if found.turns > 1 else []
    enough = "".join(f"; leaving out {one} alone is enough" for one in some)
    return f"{before}; without {which}, {found.turns:,} of {of}, it does not{enough}."


def text(data: PlotData) -> str:
    """The plot in words."""
    sentence, shown = answer(data), case(data)
    if shown is None:
        return sentence
    found, name = shown.found, shown.names[0]
    if found.turns:
        sentence += " Then {:.3f} against {:.3f}.".format(*found.pooled[:, found.turns])
    if found.query.size:
        first = f"{found.query[0]} supplies {number(found.supplied[0, 0])}"
        supply = "supplies" if found.n_suppliers == 1 else "supply"
        all_of = f"{found.n_suppliers:,} of {count(found.n_queries, 'query')} {supply} all"
        errors = count(found.n_errors, "pooled error")
        sentence += f" Of the first {errors} of {name} {first}; {all_of}."
    if len(shown.names) > 1:
        at = f"n = {_spans(shown.against)}, of" if shown.against.size else "no n of"
        order = f"Pooled ROC_n puts {shown.names[1]} before {name}"
        sentence += f" {order} for {at} 1 to {shown.most:,}."
    return sentence


def _spans(numbers: NDArray[np.int64]) -> str:
    """Whole numbers as ranges, of which the first are named."""
    parts = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
    words = [f"{one[0]:,} to {one[-1]:,}" if one.size > 1 else f"{one[0]:,}" for one in parts]
    return listed([*words[:SPANS], *["others"] * (len(words) > SPANS)])


def query_at(data: PlotData, _x: float, y: float, *_: float) -> list[str]:
    """The query of the row that a click hits."""
    shown, row = case(data), round(-y)
    ids = [] if shown is None else shown.found.query.tolist()
    return ids[row - 1 : row] if row > 0 else []


PLOT = Plot(
    name="pooled",
    title="Why pooled ROCₙ differs",
    caption="pooled errors by query, and pooled ROC<sub>{n}</sub> without them",
    how_to_read="""Two programs that pooled ROCₙ and TAP rank differently. Bars: the queries that
    supply the pooled errors of the program that TAP ranks first. Dots: pooled ROCₙ of both without
    the query of that row and all queries above it; shaded: the row at which their order turns.
    Click a row to open the lists of its query.""",
    printed="""Bars: pooled errors of a program by the queries that supply them. Dots: pooled
    ROC{n_sub} of two programs without the query of the row and all above it; shaded: where their
    order turns.""",
    depends=(*FILTER, *THRESHOLD, "n", "algorithms", "baseline", "focus_algorithm", "opponent"),
    picture=picture,
    text=text,
    answer=answer,
    tab="Why pooled differs",
    of="pairs",
    query_at=query_at,
)
