"""The table below the plots: a row for each query, or each class of queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import param
from numpy.typing import NDArray

from tapviz.draw.style import COLORS
from tapviz.live.parts import Part
from tapviz.live.script import script
from tapviz.page.components import Json, ScrolledRows
from tapviz.plots import PlotData, barcode
from tapviz.scores import DASH, EQUAL, ClassTable, QueryTable, class_table
from tapviz.state import Range

WINDOW = 40
"""Rows that are sent at a time: those seen, and some above and below."""
MOST_BARS = 44
"""Bars of the strip of a list in a row."""
LONGEST_TEXT = 200
"""Characters that are looked for, at most."""
SIDES = {"a": 1, "equal": 0, "b": -1}
"""Values of `Choices.queries_better`, as `QueryTable.better` has them."""
BLACK = "var(--tv-black, #000)"
STRIPS = (
    "whole lists, best first: relevant records up, irrelevant ones down; the line is the threshold"
)
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


class QueryRows(ScrolledRows):
    """The table in the browser.

    Messages from the page: rows to send (scroll), what there is a row for (by), a column to sort by
    (sort), a text (find), a side (better), to make its queries the
    subset (keep), A or B, a query to focus on, a class to select.
    """

    shown = param.Dict(doc="What the table shows, with its first rows; see `Queries`.")

    _esm = script("queries.js", "tapviz.page")


class Queries(Part):
    """The queries selected, or their classes, with their scores; closed until somebody opens it.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    """

    view: QueryRows

    def __init__(self, data: PlotData) -> None:
        super().__init__()
        self._data, self._explorer = data, data.explorer
        self._from = 0
        self.stamp = 0
        self.view = QueryRows("queries.css", self._on_message, shown=self._closed())

    def update(self) -> None:
        """Show the queries under the present choices."""
        shown = self._shown() if self._explorer.queries_by else self._closed()
        if shown != {**self.view.shown, "stamp": shown["stamp"]}:
            self.stamp += 1
            self.view.shown = {**shown, "stamp": self.stamp}

    def _closed(self) -> Json:
        return {"by": "", "levels": self._levels, "stamp": self.stamp}

    @property
    def _levels(self) -> list[list[str]]:
        """What there may be a row for: words, and the value."""
        objects = self._explorer.param.queries_by.objects
        return [[title, value] for title, value in objects.items() if value]

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
        table = self._table
        by, sort, find = explorer.queries_by, explorer.queries_order, explorer.queries_find
        better = SIDES.get(explorer.queries_better)

        def order() -> NDArray[np.int64]:
            column, descending = sort.removeprefix("-"), sort.startswith("-")
            if by == "query":
                return table.order(column, descending=descending, find=find, better=better)
            return self._classes.order(column, descending=descending, find=find)

        return explorer.once("query order", (table, by, sort, find, better), order)

    def _shown(self) -> Json:
        explorer, table, order = self._explorer, self._table, self._order
        score = explorer.score_of_queries
        sides = [int((table.compared & (table.better == side)).sum()) for side in (1, 0, -1)]
        self._from = max(min(self._from, order.size - WINDOW), 0)
        by_class = explorer.queries_by != "query"
        return {
            "by": explorer.queries_by,
            "levels": self._levels,
            "pair": self._data.pair,
            "names": list(explorer.results),
            "find": explorer.queries_find,
            "better": explorer.queries_better,
            "sides": sides,
            "keeps": bool(explorer.queries_better) and not by_class and self._can_keep,
            "order": explorer.queries_order,
            "score": score.titled(explorer.rule, explorer.n),
            "columns": [column.head for column in self._all_columns],
            "n": int(order.size),
            "total": int(self._classes.label.size if by_class else table.lists.n_queries),
            "from": self._from,
            "rows": self._rows(self._from),
            "focus": explorer.focus,
            "chosen": explorer.query_class.strip().rstrip("."),
            "stamp": self.stamp,
        }

    def _columns(self) -> list[Column]:
        """What the table shows of each query."""
        table, pair = self._table, self._data.pair
        lists, classes = table.lists, table.lists.query_class
        columns = [Column("query", "query", "id", lambda row: str(lists.query[row]))]
        if classes is not None:
            columns.append(Column("class", "class", "text", lambda row: str(classes[row])))
        if lists.given is None:
            about = "relevant records in the database"
            columns.append(_number("n_relevant", "T(q)", lists.n_relevant, about))
        errors = [
            _number(
                f"errors {name}",
                f"errors {letter}",
                table.errors[name],
                f"irrelevant records of {name} up to its threshold",
            )
            for letter, name in zip("AB", pair if table.errors else (), strict=False)
        ]
        strips = Column(
            "",
            "lists of " + " and ".join("AB"[: len(pair)]),
            "strips",
            lambda row: [self._strip(name, row) for name in pair],
            {"help": STRIPS},
        )
        between = [*errors, strips] if errors else []
        return [*columns, *self._scores(table.score, (table.difference,), between)]

    def _class_columns(self) -> list[Column]:
        """What the table shows of each class."""
        classes = self._classes
        sides = (classes.wins, classes.ties, classes.losses)
        counts = Column(
            "",
            "W/T/L",
            "counts",
            lambda row: "/".join(f"{int(side[row]):,}" for side in sides),
            {"help": "queries on which A does better, neither does, and B does"},
        )
        means = {name: group.mean for name, group in classes.score.items()}
        ends = classes.difference.mean, classes.difference.low, classes.difference.high
        return [
            Column("class", "class", "id", lambda row: str(classes.label[row])),
            _number("n_relevant", "queries", classes.n_queries),
            *self._scores(means, ends, [counts] if len(self._data.pair) > 1 else []),
        ]

    def _scores(
        self,
        score: Mapping[str, Values],
        difference: Sequence[Values],
        between: Sequence[Column],
    ) -> list[Column]:
        """Columns of the scores of A and B and their difference, more, and the others' scores."""
        pair = self._data.pair
        colors = {"colors": [self._color(name) for name in pair]}
        cell = self._differences(*difference)
        return [
            *(self._bars(name, score[name]) for name in pair),
            *([Column("difference", "A − B", "difference", cell, colors)] if len(pair) > 1 else []),
            *between,
            *(self._bars(name, score[name]) for name in self._table.score if name not in pair),
        ]

    def _bars(self, name: str, values: Values) -> Column:
        """A column of the scores of an algorithm, between those that it can have, or has."""
        score = self._explorer.score_of_queries
        low, high = score.range or (np.nan, np.nan)
        if not np.isfinite([low, high]).all():
            low, high = 0.0, _largest(self._table.score[name])

        def cell(row: int) -> list[object]:
            value = float(values[row])
            return [score.text(value), _share(value, low, high)]

        return Column(f"score {name}", name, "bar", cell, {"color": self._color(name)})

    def _differences(self, mean: Values, *ends: Values) -> Callable[[int], list[object]]:
        """Cells of differences on an axis that holds all, with their intervals, if any."""
        score, span = self._explorer.score_of_queries, _largest(mean)

        def cell(row: int) -> list[object]:
            value = float(mean[row])
            low_high = [float(end[row]) for end in ends]
            cell: list[object] = [score.signed(value), _share(value, 0, span)]
            if low_high and np.isfinite(low_high[0]):
                cell += [*(_share(end, 0, span) for end in low_high), score.between(*low_high)]
            return cell

        return cell

    def _color(self, name: str) -> str:
        color = self._data.styles[name].color
        return BLACK if color == COLORS[3] else color

    @property
    def _all_columns(self) -> list[Column]:
        return self._columns() if self._explorer.queries_by == "query" else self._class_columns()

    def _rows(self, first: int) -> list[list[object]]:
        """A window of rows: a cell for each column."""
        columns = self._all_columns
        rows = self._order[first : first + WINDOW].tolist()
        return [[column.cell(row) for column in columns] for row in rows]

    def _strip(self, name: str, row: int) -> list[object]:
        """A list as digits, the share of relevant records in each bar; and where it is cut."""
        lists, at = self._explorer.lists[name], self._explorer.tap(name)
        inside = slice(*lists.offset[row : row + 2].tolist())
        shares = barcode.shares(lists.relevant[inside], MOST_BARS)[1]
        digits = "".join(f"{round(9 * share)}" for share in shares.tolist())
        size = inside.stop - inside.start
        known = np.isfinite(at.value) and size
        return [digits, round(float(at.retrieved[row]) / size, 3) if known else -1]

    def _on_message(self, message: object) -> None:
        """Do what the page asks for."""
        explorer = self._explorer
        columns = {column["name"] for column in self.view.shown.get("columns", [])} - {""}
        match message:
            case {"scroll": int(first), "stamp": self.stamp} if explorer.queries_by:
                self._from = max(first, 0)
                rows = self._rows(self._from)
                self.view.send({"from": self._from, "rows": rows, "stamp": self.stamp})
            case {"by": str(by)} if by in explorer.param.queries_by.objects.values():
                self._from = 0
                explorer.queries_by = by
            case {"sort": str(column)} if column.removeprefix("-") in columns:
                explorer.queries_order = column
            case {"find": str(text)}:
                explorer.queries_find = text[:LONGEST_TEXT]
            case {"better": str(side)} if side in ("", *SIDES):
                explorer.queries_better = side
            case {"keep": True} if explorer.queries_better in SIDES:
                self._keep(explorer.queries_better)
            case {"a": str(name)} if name in explorer.results:
                self._pair(name, *(other for other in self._data.pair[1:] if other != name))
            case {"b": str(name)} if name in explorer.results:
                self._pair(*(other for other in self._data.pair[:1] if other != name), name)
            case {"focus": str(query)} if query in explorer.param.focus.objects:
                explorer.focus = query
            case {"within": str(label)}:
                explorer.query_class = label

    @property
    def _can_keep(self) -> bool:
        """Whether the queries on which one does better can become the subset: by TAP."""
        explorer, pair = self._explorer, self._data.pair
        defined = all(np.isfinite(explorer.tap(name).e0) for name in pair)
        return explorer.score_of_queries.name == "tap" and defined

    def _keep(self, side: str) -> None:
        """Make the queries on which A does better, neither, or B, the subset."""
        if not self._can_keep:
            return
        a, b = self._data.pair
        more = float(np.nextafter(EQUAL, 1))
        low, high = {"a": (more, 1.0), "equal": (-EQUAL, EQUAL), "b": (-1.0, -more)}[side]
        at = [float(self._explorer.tap(name).e0) for name in (a, b)]
        with param.parameterized.batch_call_watchers(self._explorer):
            self._explorer.keep(Range("lead", a, at[0], low, high, b, at[1]))
            self._explorer.queries_better = ""

    def _pair(self, *names: str) -> None:
        """Compare two others; where one of them is the other, they change their places."""
        if len(names) == len(self._data.pair):
            explorer = self._explorer
            explorer.param.update(focus_algorithm=names[0], opponent=names[1])
        else:
            a, b = self._data.pair
            self._explorer.param.update(focus_algorithm=b, opponent=a)


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
    if not np.isfinite(value) or high == low:
        return 0.0
    return round(float(np.clip((value - low) / (high - low), -1, 1)), 4)
