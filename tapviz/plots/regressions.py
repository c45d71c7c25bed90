"""A program against another, such as its former version: where it is better, and where it lost."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.draw import picture as p
from tapviz.draw.style import INK, shortened_apart
from tapviz.lists.words import count
from tapviz.measures import PairDifference, class_members
from tapviz.plots import columns as c
from tapviz.plots import scatter
from tapviz.plots.differences import DEPENDS, LEFT, LONGEST_OF_TWO, RIGHT, TOP, tall
from tapviz.plots.plot import Plot, PlotData
from tapviz.scores import QueryTable, differences
from tapviz.scores.findings import listed

SIZES = (1, 3, 6, 11, 21)
"""Fewest relevant records of a query of each row of sizes."""
MOST, NAMED = 8, 3
"""Classes that are shown, and those that a sentence names."""
HALF = 0.34
"""Half the height of a bar."""


class Row(NamedTuple):
    """Some queries, and how the first program does on them against the second."""

    title: str
    of_class: bool
    queries: NDArray[np.int64]
    """Places of those that can be compared; the one that lost most is the first."""
    mean: float
    """Of the first program's score minus the second's."""
    counts: tuple[int, int, int]
    """Queries on which the first is better, neither is, and the second is."""

    @property
    def words(self) -> str:
        """How many queries it is better and worse for."""
        won, _, lost = self.counts
        return f"better for {won:,}, worse for {lost:,} of {self.queries.size:,}"


def rows(data: PlotData) -> list[Row]:
    """All queries; by the number of relevant records; and the classes that lost most, worst first.

    None if no query is selected, or the two have no scores of queries.
    """
    explorer = data.explorer
    if not explorer.selection.n_queries:
        return []
    table = explorer.query_table(data.pair)
    level = int(explorer.queries_by) if explorer.queries_by.isdigit() else explorer.groups
    sign = explorer.score_of_queries.sign
    return explorer.once("regressions", (table, level), lambda: [*_rows(table, level, sign)])


def _rows(table: QueryTable, level: int, sign: int) -> Iterator[Row]:
    """The same, where the gain of the first program has a sign."""
    gain = sign * table.difference * table.lists.weight
    every, n = np.flatnonzero(table.compared), table.lists.n_relevant
    if every.size:
        yield _row("all queries", every, table, gain)
    last = np.iinfo(np.int64).max
    sizes = {
        f"{least} or more relevant" if above == last else f"{least} to {above - 1} relevant": some
        for least, above in pairwise((*SIZES, last))
        if (some := every[(n[every] >= least) & (n[every] < above)]).size
    }
    if len(sizes) > 1:
        yield from (_row(title, some, table, gain) for title, some in sizes.items())
    if not level:
        return
    members = class_members(table.lists, level)
    known = table.compared[members.query]
    code, query = members.code[known], members.query[known]
    lost = np.bincount(code, gain[query], minlength=members.label.size)
    for worst in np.argsort(lost, kind="stable")[:MOST].tolist():
        if lost[worst] < 0:
            title = str(members.label[worst])
            yield _row(title, query[code == worst], table, gain)._replace(of_class=True)


def _row(title: str, queries: NDArray[np.int64], table: QueryTable, gain: c.Array) -> Row:
    some = queries[np.argsort(gain[queries], kind="stable")]
    better, weight = table.better[some], table.lists.weight[some]
    mean = float(table.difference[some] @ weight / weight.sum()) if weight.sum() else math.nan
    won, tied, lost = (int((better == side).sum()) for side in (1, 0, -1))
    return Row(title, False, some, mean, (won, tied, lost))


def between(data: PlotData) -> PairDifference | None:
    """The difference of the two by the score of the queries, with its interval; or None."""
    name, pair = data.explorer.score_of_queries.name, data.pair
    known = differences(data.compared, name) if data.compared is not None else []
    both = (one for one in known if {one.first, one.second} == {*pair})
    return next((one if one.first == pair[0] else one.turned for one in both), None)


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices: a row for all queries at y = 0, then for some of them.

    "better" and "worse" (x0, y0, x1, y1): mean difference, where the first is better and is not.
    "value" (x, y, text, color): the difference, and for how many queries it is up and down.
    "missing": why there is no row. "row" (x0, y0, x1, y1, text): an invisible box over all of it.
    """
    shown, score = rows(data), data.explorer.score_of_queries
    mean = np.array([one.mean for one in shown], np.float64)
    low, high = c.coarse_limits(mean[np.isfinite(mean)])
    width = high - low
    y, zero = -np.arange(mean.size, dtype=np.float64), np.zeros(mean.size)
    bars = {"x0": zero, "y0": y - HALF, "x1": mean, "y1": y + HALF}
    first_better = mean * score.sign > 0
    sides = zip(("better", "worse"), data.pair, (first_better, ~first_better), strict=False)
    words = [f"{score.signed(one.mean)}   +{one.counts[0]:,} −{one.counts[2]:,}" for one in shown]
    key, missing = (["mean, up, down"], []) if shown else ([], [_missing(data)])
    bottom = -max(mean.size, 4) + 0.4
    left, right, beside = low - LEFT * width, high + RIGHT * width, high + 0.03 * width
    first_second = " − ".join(shortened_apart(data.pair, LONGEST_OF_TWO))
    return p.Picture(
        (
            c.zero(bottom),
            *(
                p.boxes(side, c.some(bars, which), data.styles[name].color, line_alpha=0)
                for side, name, which in sides
            ),
            p.texts("value", c.label_columns(beside, y, words, INK, 60)),
            p.texts("key", c.label_columns(beside, 1.0, key, INK, 60), note=True),
            p.texts("missing", c.label_columns(left, 0.0, missing, INK, 90)),
            c.rows(left, right, y, [_tip(data, one) for one in shown]),
        ),
        p.Axis(f"{_title(data)}, {first_second}", left, right, data_end=high),
        p.Axis("queries", bottom, TOP, ticks={-float(n): one.title for n, one in enumerate(shown)}),
        tall=tall(mean.size),
    )


def _title(data: PlotData) -> str:
    return data.explorer.score_of_queries.titled(data.explorer.rule, data.explorer.n)


def _missing(data: PlotData) -> str:
    return scatter.undefined(scatter.pair(data)) or "The two have no scores of the same queries."


def _tip(data: PlotData, one: Row) -> str:
    first = data.lists.query[one.queries[0]]
    shown = f"{_title(data)} {data.explorer.score_of_queries.signed(one.mean)}"
    lost = f"lost most: {first}; a click opens its lists" if one.counts[2] else "none is worse"
    title, *rest = map(html.escape, (one.title, shown, one.words, lost))
    return "<br>".join([f"<b>{title}</b>", *rest])


def answer(data: PlotData) -> str:
    """In a sentence or two whether the first is better, and what a gate would say."""
    shown, score = rows(data), data.explorer.score_of_queries
    if not shown:
        return _missing(data)
    said = f"{_title(data)} {score.signed(shown[0].mean)}"
    known = between(data)
    if known is not None and math.isfinite(known.difference.low):
        estimate, low, high = score.less(known)
        said = f"{_title(data)} {score.signed(estimate)} ({score.between(low, high)})"
        judged = data.compared and not data.compared.chosen
        if judged and {*data.explorer.compared_names} == {*data.pair}:  # as a gate compares them
            fails = low > 0 if score.sign < 0 else high < 0
            said += f", {'a' if fails else 'no'} clear loss"
    first, second = data.pair
    return f"{first} against {second}: {said}; {shown[0].words}."


def text(data: PlotData) -> str:
    """The plot in words."""
    worst = [one for one in rows(data) if one.of_class][:NAMED]
    if not worst:
        return answer(data)
    signed = data.explorer.score_of_queries.signed
    names = [
        f"{one.title} ({signed(one.mean)}, {count(one.queries.size, 'query')})" for one in worst
    ]
    return f"{answer(data)} Most is lost in {listed(names)}."


def query_at(data: PlotData, _x: float, y: float, *_: float) -> list[str]:
    """The query that lost most of the row that a click hits."""
    shown, row = rows(data), round(-y)
    return [str(data.lists.query[shown[row].queries[0]])] if 0 <= row < len(shown) else []


PLOT = Plot(
    name="regressions",
    title="New against old",
    caption="mean difference of queries; below, the classes that lost most",
    how_to_read="""Two versions of a program, A the new one and B the old: the mean difference over
    all queries, over those with few and with many relevant records, and over the classes that lost
    most in total, the worst first. Beside each bar: the number of queries for which A is better and
    worse. If only these two are shown, a sentence says what tapviz score --fail-if would do: it
    fails where the whole interval lies on the wrong side of 0. Click a row to open the lists of the
    query that lost most.""",
    printed="""Score of {a} minus that of {b}: means over all queries, over those with so many
    relevant records, and over the classes that lost most. Numbers: queries for which {a} is better
    and worse.""",
    depends=(*DEPENDS, "focus_algorithm", "opponent", "queries_by"),
    picture=picture,
    text=text,
    answer=answer,
    tab="New against old",
    beside="scatter",
    of="pair",
    needs="several",
    compares=True,
    query_at=query_at,
)
