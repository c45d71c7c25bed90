"""Rows of the table of queries, or of classes of queries, as a page shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.style import told_apart
from tapviz.explorer.score_table import on_page
from tapviz.measures.groups import counted
from tapviz.plots import PlotData, barcode
from tapviz.scores import DASH, ClassTable, QueryTable, class_table

LONGEST = 12
"""Characters of a name above a column, where several begin alike."""
MOST_BARS = 44
"""Bars of the strip of a list in a row."""
SIDES = {"a": 1, "equal": 0, "b": -1}
"""Values of `Choices.queries_better`, as `QueryTable.better` has them."""
LIST = (
    "whole list, best first: relevant records up, irrelevant ones down; the line is the threshold"
)
Json = dict[str, object]
Values = NDArray[np.float64] | NDArray[np.int64]


class Column(NamedTuple):
    """What the table shows of each row, by its number."""

    name: str
    """By which it is sorted; empty if it cannot be."""
    title: str
    kind: str
    cell: Callable[[int], object]
    look: Mapping[str, object] = {}
    """Help, and colours."""

    @property
    def head(self) -> Json:
        """What the page is told of it."""
        return {"name": self.name, "title": self.title, "kind": self.kind, **self.look}


class QueryView:
    """What a page shows of the queries selected, or of their classes: heads and rows.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    """

    def __init__(self, data: PlotData) -> None:
        self._data, self._explorer = data, data.explorer

    @property
    def levels(self) -> list[list[str]]:
        """What there may be a row for, with all columns: words, and the value."""
        objects = self._explorer.param.queries_by.objects
        return [[title, value] for title, value in objects.items() if value]

    @property
    def by_class(self) -> bool:
        """Whether there is a row for each class."""
        return self._explorer.queries_by not in ("", "query")

    @property
    def can_keep(self) -> bool:
        """Whether the queries on which one does better can become the subset: by TAP."""
        explorer, pair = self._explorer, self._data.pair
        defined = all(np.isfinite(explorer.tap(name).e0) for name in pair)
        return explorer.score_of_queries.name == "tap" and defined

    @property
    def _table(self) -> QueryTable:
        return self._explorer.query_table(self._data.pair)

    @property
    def _classes(self) -> ClassTable:
        table, level = self._table, int(self._explorer.queries_by)
        return self._explorer.once("class table", (table, level), lambda: class_table(table, level))

    @property
    def _order(self) -> NDArray[np.int64]:
        """Places of the rows, in their order."""
        explorer = self._explorer
        table, by, sort = self._table, explorer.queries_by, explorer.queries_order
        # Where it is brief, what is looked for is not seen.
        find = explorer.queries_find if by else ""
        better = SIDES.get(by and explorer.queries_better)

        def order() -> NDArray[np.int64]:
            column, descending = sort.removeprefix("-"), sort.startswith("-")
            if self.by_class:
                return self._classes.order(column, descending=descending, find=find)
            return table.order(column, descending=descending, find=find, better=better)

        return explorer.once("query order", (table, by, sort, find, better), order)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self._order.size

    def heads(self) -> Json:
        """Heads and counts."""
        explorer, table = self._explorer, self._table
        return {
            "sides": [int((table.compared & (table.better == side)).sum()) for side in (1, 0, -1)],
            "keeps": bool(explorer.queries_better) and not self.by_class and self.can_keep,
            "score": explorer.score_of_queries.titled(explorer.rule, explorer.n),
            "columns": [column.head for column in self._columns],
            "n": self.n_rows,
            "counted": self._counted,
        }

    @property
    def _counted(self) -> str:
        """How many rows there are, and of how many."""
        by = self._explorer.queries_by or "query"
        (unit,) = (words for words, value in self.levels if value == by)
        total = self._classes.label.size if self.by_class else self._table.lists.n_queries
        some = f"{self.n_rows:,} of " if self.n_rows < total else ""
        return f"{some}{counted(total, unit)}"

    def rows(self, first: int, size: int) -> list[list[object]]:
        """Some rows: a cell for each column."""
        columns = self._columns
        rows = self._order[first : first + size].tolist()
        return [[column.cell(row) for column in columns] for row in rows]

    @property
    def _columns(self) -> list[Column]:
        return self._class_columns() if self.by_class else self._query_columns()

    def _query_columns(self) -> list[Column]:
        """What the table shows of each query."""
        table, pair = self._table, self._data.pair
        lists, classes = table.lists, table.lists.query_class
        columns = [Column("query", "query", "id", lambda row: str(lists.query[row]))]
        if classes is not None:
            columns.append(Column("class", "class", "text", lambda row: str(classes[row])))
        if lists.given is None:
            about = "T(q): relevant records in the database"
            columns.append(_number("n_relevant", "relevant", lists.n_relevant, about))
        what = "irrelevant records of {} up to its threshold"
        errors = [
            _number(f"errors {name}", f"errors {letter}", table.errors[name], what.format(name))
            for letter, name in zip("AB", pair if table.errors else (), strict=False)
        ]
        strips = {name: self._strips(name) for name in pair if table.errors}
        return [*columns, *self._scores(table.score, (table.difference,), strips, errors)]

    def _class_columns(self) -> list[Column]:
        """What the table shows of each class."""
        classes = self._classes
        sides = (classes.wins, classes.ties, classes.losses)
        about = {"help": "queries on which A does better, neither does, and B does"}

        def outcome(row: int) -> str:
            return "/".join(f"{int(side[row]):,}" for side in sides)

        counts = Column("", "W/T/L", "counts", outcome, about)
        means = {name: group.mean for name, group in classes.score.items()}
        ends = classes.difference.mean, classes.difference.low, classes.difference.high
        return [
            Column("class", "class", "id", lambda row: str(classes.label[row])),
            _number("n_relevant", "queries", classes.n_queries),
            *self._scores(means, ends, {}, [counts] if len(self._data.pair) > 1 else []),
        ]

    def _scores(
        self,
        score: Mapping[str, Values],
        difference: Sequence[Values],
        strips: Mapping[str, Column],
        more: Sequence[Column],
    ) -> list[Column]:
        """Columns of the scores of A and B, their lists and their difference.

        And, unless the table is brief, more of them and the scores of the others.
        """
        pair = self._data.pair
        colors = {"colors": [self._color(name) for name in pair]}
        cell = self._differences(*difference)
        columns: list[Column] = []
        for name in pair:
            columns.append(self._bars(name, score[name]))
            if name in strips:
                columns.append(strips[name])
        if len(pair) > 1:
            columns.append(Column("difference", "A − B", "difference", cell, colors))
        if not self._explorer.queries_by:
            return columns
        others = [name for name in self._table.score if name not in pair]
        return [*columns, *more, *(self._bars(name, score[name]) for name in others)]

    def _bars(self, name: str, values: Values) -> Column:
        """A column of the scores of an algorithm, between those that it can have, or has."""
        score = self._explorer.score_of_queries
        low, high = score.range or (np.nan, np.nan)
        if not np.isfinite([low, high]).all():
            low, high = 0.0, _largest(self._table.score[name])

        def cell(row: int) -> list[object]:
            value = float(values[row])
            return [score.text(value), _share(value, low, high)]

        short = told_apart([*self._table.score], LONGEST)[name]
        look = {"color": self._color(name), "help": name}
        return Column(f"score {name}", short, "bar", cell, look)

    def _differences(self, mean: Values, *ends: Values) -> Callable[[int], list[object]]:
        """Cells of differences on an axis that holds all, with their intervals, if any."""
        score, span = self._explorer.score_of_queries, _largest(mean)
        lows, highs = ends or (np.full_like(mean, np.nan),) * 2

        def cell(row: int) -> list[object]:
            value, low, high = (float(of[row]) for of in (mean, lows, highs))
            cell: list[object] = [score.signed(value), _share(value, 0, span)]
            if np.isfinite(low):
                cell += [_share(low, 0, span), _share(high, 0, span), score.between(low, high)]
            return cell

        return cell

    def _color(self, name: str) -> str:
        return on_page(self._data.styles[name].color)

    def _strips(self, name: str) -> Column:
        """A column of lists as digits, the share of relevant records in each bar, and their cut."""
        explorer = self._explorer
        lists, at = explorer.lists[name], explorer.tap(name)
        known = explorer.once(("strips", name), lists, dict[int, str])

        def cell(row: int) -> list[object]:
            inside = slice(*lists.offset[row : row + 2].tolist())
            size = inside.stop - inside.start
            if row not in known:
                shares = barcode.shares(lists.relevant[inside], MOST_BARS)[1]
                known[row] = "".join(f"{round(9 * share)}" for share in shares.tolist())
            is_cut = np.isfinite(at.value) and size
            return [known[row], round(float(at.retrieved[row]) / size, 3) if is_cut else -1]

        return Column("", "list", "strip", cell, {"help": f"{name}: {LIST}"})


def _number(name: str, title: str, values: Values, about: str = "") -> Column:
    """A column of whole numbers; a dash where there is none."""

    def cell(row: int) -> str:
        return f"{values[row]:,.0f}" if np.isfinite(values[row]) else DASH

    return Column(name, title, "number", cell, {"help": about} if about else {})


def _largest(values: Values) -> float:
    """The largest absolute value, or 1 if there is none but 0."""
    return float(np.nanmax(np.abs(values), initial=0.0)) or 1.0


def _share(value: float, low: float, high: float) -> float:
    """Where a value is between two others; 0 where it is unknown."""
    if not isfinite(value) or high == low:
        return 0.0
    return round(min(max((value - low) / (high - low), -1.0), 1.0), 4)
