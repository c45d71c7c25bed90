"""TAP of every query with one algorithm against its TAP with another."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan
from textwrap import wrap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.draw import picture as p
from tapviz.draw.style import ACCENT, GHOST, INK, Style
from tapviz.lists.checks import Bools, Ints
from tapviz.lists.words import count, shortened
from tapviz.measures import Tap
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, THRESHOLD, Plot, PlotData
from tapviz.scores import COMPARABLE
from tapviz.state.query_filter import Box

Ids = NDArray[np.str_]
Taps = Mapping[str, Tap]
# TAPs that differ by no more than this may be equal but for rounding.
EQUAL = 1e-12
SAME = "#8A8A8A"
"""Colour of queries with equal TAPs."""
SHAPES = ("circle", "triangle", "diamond")
"""Marks of queries with equal TAPs, of A's side and of B's, which differ not by colour alone."""
LINE, LINE_GAP = 52, 0.09
"""Characters of a line of a notice, and heights of the plot from one to the next."""
HEIGHTS = -0.12, 1.12
"""Ends of an axis of TAP: above and below the points there is a line of text each."""


class Compared(NamedTuple):
    """Two algorithms that can be compared, and a score of each query with each, shape (Q,)."""

    names: tuple[str, str]
    a: c.Array
    b: c.Array
    better: Ints
    """1 where A is better, -1 where B is, else 0; shape (Q,)."""

    @classmethod
    def of(cls, names: tuple[str, str], a: c.Array, b: c.Array, sign: int = 1) -> Compared:
        """Compare scores, of which the largest are the best, or with a sign of -1 the smallest."""
        return cls(names, a, b, better(sign * (a - b)))

    @property
    def known(self) -> Compared:
        """The queries with a score of both."""
        known = self.is_known
        return self._replace(a=self.a[known], b=self.b[known], better=self.better[known])

    @property
    def is_known(self) -> Bools:
        """Whether a query has a score of both, shape (Q,)."""
        return ~np.isnan(self.a - self.b)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Queries for which A is better, B is better, and neither."""
        wins, losses = int((self.better > 0).sum()), int((self.better < 0).sum())
        return wins, losses, self.better.size - wins - losses

    def layers(
        self,
        styles: Mapping[str, Style],
        query: Ids,
        total: Ints,
        across: tuple[float, float],
        heights: tuple[float, float],
    ) -> tuple[p.Layer, p.Layer, p.Layer, p.Layer]:
        """Layers "diagonal", "point", "corner left" and "corner right", as of `drawn`.

        Parameters
        ----------
        styles : mapping of str to Style
        query : ndarray of str, shape (Q,)
        total : ndarray of int, shape (Q,)
        across, heights : (float, float)
            Ends of the diagonal, which are the sides of the counts, and their heights.
        """
        colors = [styles[name].color for name in self.names]
        wins, losses, equal = self.counts
        better, (bottom, top) = self.better, heights  # 0, 1, or -1: the last
        of_a, of_equal, of_b = counted(*self.names)
        won, lost = [f"{of_a}{wins:,}", f"{of_equal}{equal:,}"], [f"{of_b}{losses:,}"]
        ends = np.array(across)
        points = {
            "x": self.b,
            "y": self.a,
            "color": np.array([SAME, *colors], np.object_)[better],
            "marker": np.array(SHAPES, np.object_)[better],
            "query": query,
            "total": total,
        }
        left = c.label_columns(across[0], [top, bottom], won, [colors[0], INK], 60)
        right = c.label_columns(across[1], bottom, lost, colors[1], 60)
        return (
            p.line("diagonal", {"x": ends, "y": ends}, GHOST, moving=True),
            dots(points, dict(zip(self.names, "yx", strict=True)), 7.5),
            p.texts("corner left", left, moving=True),
            p.texts("corner right", right, align="right", moving=True),
        )


def drawn(
    taps: Taps, query: Ids, n_relevant: Ints, styles: Mapping[str, Style], focus: str = ""
) -> p.Picture:
    """The plot of two algorithms.

    Parameters
    ----------
    taps : mapping of str to Tap
        A, then B, each at its threshold.
    query : ndarray of str, shape (Q,)
        Ids.
    n_relevant : ndarray of int, shape (Q,)
        T(q).
    styles : mapping of str to Style
    focus : str, optional
        Query to mark.

    Returns
    -------
    Picture
        "diagonal" (x, y): equal TAPs. "point" (x, y, color, marker, query, total, better): all
        queries in their order, or none. "focus" (x, y, color): the query to mark. "notice" (x, y,
        text, color): why there are no points. "corner left" and "corner right" (x, y, text, color):
        how many queries are above, on, and below it.
    """
    problem = undefined(taps)
    a, b = taps
    compared = Compared.of((a, b), taps[a].per_query, taps[b].per_query)
    diagonal, point, left, right = compared.layers(
        styles, query, n_relevant, (0.0, 1.0), (-0.06, 1.055)
    )
    sides = np.array(["equal", a, b], np.object_)
    point = replace(point, columns={**point.columns, "better": sides[compared.better]})
    layers = (diagonal, point, ring(compared.b, compared.a, query == focus))
    return p.Picture(
        shown((*layers, notice(problem, 0.5, 0.5), left, right), problem),
        p.Axis(f"TAP of {b}, per query", -0.02, 1.02, ticks=c.FIFTHS),
        p.Axis(f"TAP of {a}, per query", *HEIGHTS, ticks=c.FIFTHS),
        drag="box_select",
    )


def better(difference: c.Array) -> Ints:
    """1 where it is positive, -1 where negative; 0 where it is undefined, or but of rounding."""
    return (difference > EQUAL).astype(np.int64) - (difference < -EQUAL)


def counted(a: str, b: str) -> tuple[str, str, str]:
    """What stands before the numbers of queries of A's side, with equal scores, of B's side."""
    short_a, short_b = (shortened(name, c.LONGEST) for name in (a, b))
    return f"▲ {short_a} better: ", "● equal: ", f"◆ {short_b} better: "


Lead = tuple[int, float, float]
"""A query, and what it scores with A and with B."""


@dataclass(frozen=True)
class Duels:
    """Two algorithms at each of some thresholds."""

    taps: Mapping[str, Sequence[Tap]]
    """Of A, then of B."""
    better: Ints
    """1 where A is better, -1 where B is, else 0; shape (T, Q)."""
    most: tuple[list[Lead], list[Lead]]
    """By which query A is ahead most, and B."""

    @classmethod
    def of(cls, taps: Mapping[str, Sequence[Tap]], of_a: c.Array, of_b: c.Array) -> Duels:
        """Compare the TAPs of at least one query, which are at hand of all thresholds, (T, Q)."""
        more, rows = of_a - of_b, np.arange(len(of_a))

        def leads(at: Ints) -> list[Lead]:
            values = (each[rows, at].tolist() for each in (of_a, of_b))
            return [*zip(at.tolist(), *values, strict=True)]

        return cls(taps, better(more), (leads(more.argmax(axis=1)), leads(more.argmin(axis=1))))

    @property
    def turned(self) -> Duels:
        """The same of B and A."""
        taps = dict(reversed([*self.taps.items()]))
        ahead, behind = ([(at, b, a) for at, a, b in some] for some in self.most)
        return Duels(taps, -self.better, (behind, ahead))

    @cached_property
    def problems(self) -> list[str]:
        """Why there is nothing to compare, at each threshold; empty where there is."""
        return [
            undefined(dict(zip(self.taps, (a, b), strict=True))) if isnan(a.value + b.value) else ""
            for a, b in zip(*self.taps.values(), strict=True)
        ]

    def texts(self, query: Ids) -> list[str]:
        """The plot in words at each threshold; `query` as in `drawn`."""
        names, size, ids = [*self.taps], count(query.size, "query"), query.tolist()
        counts = ((self.better == side).sum(axis=1).tolist() for side in (1, -1))
        said = []
        for problem, wins, losses, *most, a, b in zip(
            self.problems, *counts, *self.most, *self.taps.values(), strict=True
        ):
            if problem:
                said.append(problem)
                continue
            apart = [
                f"{name} by query {ids[at]} ({of_a:.3f} against {of_b:.3f})"
                for name, some, (at, of_a, of_b) in zip(names, (wins, losses), most, strict=True)
                if some
            ]
            more = COMPARABLE["tap"].signed(a.value - b.value)
            said.append(
                f"{names[0]} has the larger {measured(a)} for {wins:,} of {size}, "
                f"{names[1]} for {losses:,}; {query.size - wins - losses:,} are equal. "
                f"The mean difference is {more} ({a.value:.3f} against {b.value:.3f})"
                + (f", most in favour of {', of '.join(apart)}." if apart else ".")
            )
        return said


def text(taps: Taps, query: Ids) -> str:
    """The plot in words; arguments as in `drawn`."""
    if problem := undefined(taps):
        return problem
    of_a, of_b = (at.per_query[None] for at in taps.values())
    return Duels.of({name: [at] for name, at in taps.items()}, of_a, of_b).texts(query)[0]


def undefined(taps: Taps) -> str:
    """Why there are no points to draw; empty if there are."""
    without: dict[str, list[str]] = {}
    for name, at in taps.items():
        if not at.per_query.size:
            return "No query is selected."
        if isnan(at.value):
            without.setdefault(at.reason, []).append(name)
    return " ".join(
        f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} no TAP: {reason}"
        for reason, names in without.items()
    )


def notice(words: str, x: float, y: float) -> p.Layer:
    """Words in the middle of a plot that has nothing to show, in lines."""
    lines = wrap(words, LINE)
    heights = y + LINE_GAP * ((len(lines) - 1) / 2 - np.arange(len(lines)))
    written = c.label_columns(x, heights, lines, INK, LINE)
    return p.texts("notice", written, align="center", moving=True)


def shown(layers: Iterable[p.Layer], problem: str) -> tuple[p.Layer, ...]:
    """Layers; if there is a problem, all but the notice of it are empty."""
    return tuple(
        layer.some(slice(0)) if problem and layer.name != "notice" else layer for layer in layers
    )


def dots(columns: p.Columns, tips: Mapping[str, str], size: float) -> p.Layer:
    """A dot for each query, which the mouse can box; `tips` as of `tooltip`."""
    look: p.Style = {"size": size, "fill_alpha": 0.45, "line_color": None}
    return p.points("point", columns, **look, tooltip=tooltip(tips), moving=True)


def ring(x: c.Array, y: c.Array, at: Bools) -> p.Layer:
    """A ring around the query in focus."""
    columns = c.mark_columns(x[at], y[at], ACCENT)
    return p.points(
        "focus", columns, size=15, fill_alpha=0, line_color=ACCENT, line_width=2.5, moving=True
    )


def tooltip(columns: Mapping[str, str]) -> str:
    """Tooltip of a query, with others in the same place.

    Parameters
    ----------
    columns : mapping of str to {"x", "y"}
        The column that holds the score with each algorithm.

    Returns
    -------
    str
        One template for all queries, HTML.
    """
    lines = ["<b>@query</b>, T(q) = @total{0,0}", "$index{others}"]
    for name, column in columns.items():
        # The mark of a column is none in a name.
        plain = html.escape(name).replace("@", "&commat;").replace("$", "&dollar;")
        lines.append(f"<b>{plain}</b> @{column}{{0.000}}")
    return "".join(f'<div style="white-space:pre-line">{line}</div>' for line in lines)


def measured(at: Tap) -> str:
    """Name of the measure."""
    return "TAP" if at.k is None else f"TAP-{at.k}"


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    lists = data.lists
    return drawn(pair(data), lists.query, lists.n_relevant, data.styles, data.explorer.focus)


def pair(data: PlotData) -> dict[str, Tap]:
    """TAP of A, the algorithm in focus, and of B, the one to compare it with."""
    return {name: data.explorer.tap(name) for name in data.pair}


def hit(drawn: p.Picture, x: float, y: float, width: float, height: float) -> list[str]:
    """Queries of the dot nearest to a click, if it is within reach.

    Parameters
    ----------
    drawn : Picture
        Its dots are the layer "point".
    x, y : float
        Where.
    width, height : float
        How far from it, along each axis, a dot is hit.
    """
    point = drawn.columns["point"]
    distance = np.hypot((point["x"] - x) / width, (point["y"] - y) / height)
    if not distance.size or not distance.min() <= 1:
        return []
    nearest = int(np.argmin(distance))
    same = (point["x"] == point["x"][nearest]) & (point["y"] == point["y"][nearest])
    return [*map(str, point["query"][same])]


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries of a box drawn; returns why that was refused, or nothing."""
    # Less than a pixel is lost, and links stay short.
    return select_between(data, *(round(end, 4) for end in (bottom, top, left, right)))


def select_between(
    data: PlotData, *ends: float, min_relevant: int = 0, max_relevant: int | None = None
) -> str:
    """Keep the queries whose TAPs with A and B lie between two values each.

    Parameters
    ----------
    data : PlotData
    *ends : float
        From and to which TAP with A; and with B, where there is a B.
    min_relevant, max_relevant : int
        Limits of T(q).

    Returns
    -------
    str
        Why that was refused; empty if it was done.
    """
    taps = pair(data)
    if problem := undefined(taps):
        return problem
    a, b = next(iter(taps)), next(reversed(taps))  # the same if there is only one
    box = Box(a, b, taps[a].e0, taps[b].e0, *(*ends, *ends)[:4])
    return data.explorer.select(box, min_relevant, max_relevant)


PLOT = Plot(
    name="scatter",
    title="A against B",
    caption="a mark for each query: ▲ A is better, ◆ B is better",
    how_to_read="""Each mark is a query, at its TAP with program B and with program A. Triangles,
    above the diagonal, are queries that A answers better; diamonds, below it, those that B answers
    better. Click a mark to open its ranked lists; draw a box over marks to make them the
    subset.""",
    printed="""Each mark is a query, at its TAP with {b} and with {a}, at {at}. Triangles: {a} is
    better; diamonds: {b} is better.""",
    depends=(*FILTER, *THRESHOLD, "algorithms", "focus_algorithm", "baseline", "opponent", "focus"),
    picture=picture,
    text=lambda data: text(pair(data), data.lists.query),
    tab="A vs B",
    of="pair",
    needs="several",
    query_at=lambda data, *click: hit(picture(data), *click),
    select=select,
)
