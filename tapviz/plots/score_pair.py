"""The score compared of every query with one algorithm against that with another."""

from __future__ import annotations

from tapviz.draw import picture as p
from tapviz.lists.words import count
from tapviz.plots.differences import score_title
from tapviz.plots.distribution import limits
from tapviz.plots.plot import FILTER, Plot, PlotData
from tapviz.plots.scatter import Compared, notice
from tapviz.state import Range


def compared(data: PlotData) -> Compared | str:
    """What can be compared, with NaN where a query has no score; or why nothing can."""
    score, (a, b) = data.explorer.score_compared, data.pair
    of_a, of_b = (data.explorer.case(name).per_query(score) for name in (a, b))
    if of_a is None or of_b is None:
        return f"{score_title(data)} is not a mean over queries."
    return Compared.of((a, b), of_a, of_b, score.sign)


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    found, (a, b) = compared(data), data.pair
    across, up = (f"{score_title(data)} of {name}, per query" for name in (b, a))
    if isinstance(found, str):
        return p.Picture((notice(found, 0.5, 0.5),), p.Axis(across, 0, 1), p.Axis(up, 0, 1))
    low, high = limits([found.a, found.b])
    room = 0.07 * (high - low)
    query, total = data.lists.query[found.is_known], data.lists.n_relevant[found.is_known]
    heights = low - room, high + 0.5 * room
    layers = found.known.layers(data.styles, query, total, (low, high), heights)
    y = p.Axis(up, low - 2 * room, high + 1.5 * room)
    return p.Picture(layers, p.Axis(across, low, high), y, drag="box_select")


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries whose dots are in a box drawn; returns why not, or nothing."""
    if isinstance(words := compared(data), str):
        return words
    a, b = data.pair
    score = data.explorer.score_compared.name
    sides = {a: (round(bottom, 4), round(top, 4)), b: (round(left, 4), round(right, 4))}
    ranges = [Range("score", name, 0.0, *ends, score) for name, ends in sides.items()]
    return data.explorer.keep(*ranges)


def text(data: PlotData) -> str:
    """The plot in words."""
    found, score = compared(data), data.explorer.score_compared
    if isinstance(found, str):
        return found
    a, b = (data.explorer.case(name) for name in found.names)
    known = found.known
    wins, losses, ties = known.counts
    return (
        f"{known.names[0]} has the better {score_title(data)} for {wins:,} of "
        f"{count(known.a.size, 'query')}, {known.names[1]} for {losses:,}; {ties:,} are equal. The "
        f"means are {score.text(a.value(score))} and {score.text(b.value(score))}."
    )


PLOT = Plot(
    name="score_pair",
    title="Score with A and with B",
    caption="a mark for each query",
    how_to_read="""Each mark is a query, at its score with B and with A. Triangles are queries that
    A answers better, diamonds those that B answers better. Draw a box over marks to make them the
    subset. Shown for tables of scores; the score is chosen under Baseline.""",
    printed="""Each mark is a query, at its score with {b} and with {a}. Triangles: {a} is better;
    diamonds: {b} is better.""",
    depends=(*FILTER, "algorithms", "focus_algorithm", "baseline", "opponent", "compared_score"),
    picture=picture,
    text=text,
    of="pair",
    needs="several",
    reads="scores",
    select=select,
)
