"""The table below the plots: a row for each query, or each class of queries."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np
import panel as pn
import param
from numpy.typing import NDArray
from panel.custom import JSComponent

from tapviz.draw.style import COLORS
from tapviz.live.script import script
from tapviz.measures import GroupMeans
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
Column = dict[str, Any]


class QueryRows(JSComponent):
    """Rows that are scrolled in the browser, which is sent those that are seen.

    Messages from the page: rows to send (scroll), what there is a row for (by), a column to sort by
    (sort), a text (find), a side (better), to make its queries the
    subset (keep), A or B, a query to focus on, a class to select.
    """

    shown = param.Dict(doc="What the table shows, with its first rows; see `Queries`.")

    _esm = script("queries.js", "tapviz.page")

    def send(self, message: dict[str, Any]) -> None:
        """Send rows that were asked for."""
        self._send_msg(message)


class Queries(pn.viewable.Viewer):
    """The queries selected, or their classes, with their scores; closed until somebody opens it.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    """

    def __init__(self, data: PlotData) -> None:
        super().__init__()
        self._data = data
        self._explorer = data.explorer
        self._stamp = self._from = 0
        style = files("tapviz.page").joinpath("queries.css").read_text(encoding="utf-8")
        self.view = QueryRows(
            shown=self._closed(),
            stylesheets=[style],
            sizing_mode="stretch_width",
            margin=(6, 0),
        )
        self.view.on_msg(lambda event: self._on_message(event.data))

    def __panel__(self) -> pn.viewable.Viewable:
        return self.view

    def show(self) -> None:
        """Show the queries under the present choices."""
        shown = self._shown() if self._explorer.queries_by else self._closed()
        if shown != {**self.view.shown, "stamp": shown["stamp"]}:
            self._stamp += 1
            self.view.shown = {**shown, "stamp": self._stamp}

    def _closed(self) -> dict[str, Any]:
        return {"by": "", "levels": self._levels, "stamp": self._stamp}

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

    def _shown(self) -> dict[str, Any]:
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
            "columns": self._class_columns() if by_class else self._columns(),
            "n": int(order.size),
            "total": int(self._classes.label.size if by_class else table.lists.n_queries),
            "from": self._from,
            "rows": self._rows(self._from),
            "focus": explorer.focus,
            "chosen": explorer.query_class.strip().rstrip("."),
            "stamp": self._stamp,
        }

    @property
    def _others(self) -> list[str]:
        """Algorithms shown besides A and B."""
        return [name for name in self._table.score if name not in self._data.pair]

    def _bar_columns(self, names: list[str]) -> list[Column]:
        return [
            {"name": f"score {name}", "title": name, "kind": "bar", "color": self._color(name)}
            for name in names
        ]

    def _pair_columns(self) -> list[Column]:
        """Columns of the scores of A and B, and of their difference."""
        pair = self._data.pair
        columns = self._bar_columns(pair)
        if len(pair) > 1:
            columns.append(
                {
                    "name": "difference",
                    "title": "A − B",
                    "kind": "difference",
                    "colors": [self._color(name) for name in pair],
                }
            )
        return columns

    def _columns(self) -> list[Column]:
        table, pair = self._table, self._data.pair
        columns: list[Column] = [{"name": "query", "title": "query", "kind": "id"}]
        if table.lists.query_class is not None:
            columns.append({"name": "class", "title": "class", "kind": "text"})
        if table.lists.given is None:
            help_text = "relevant records in the database"
            columns.append(
                {"name": "n_relevant", "title": "T(q)", "kind": "number", "help": help_text}
            )
        columns += self._pair_columns()
        if table.errors:
            letters = "AB"[: len(pair)]
            columns += [
                {
                    "name": f"errors {name}",
                    "title": f"errors {letter}",
                    "kind": "number",
                    "help": f"irrelevant records of {name} up to its threshold",
                }
                for letter, name in zip(letters, pair, strict=True)
            ]
            columns.append(
                {
                    "name": "",
                    "title": "lists of " + " and ".join(letters),
                    "kind": "strips",
                    "help": "whole lists, best first: relevant records up, irrelevant ones down; "
                    "the line is the threshold",
                }
            )
        return columns + self._bar_columns(self._others)

    def _class_columns(self) -> list[Column]:
        columns: list[Column] = [
            {"name": "class", "title": "class", "kind": "id"},
            {"name": "n_relevant", "title": "queries", "kind": "number"},
            *self._pair_columns(),
        ]
        if len(self._data.pair) > 1:
            help_text = "queries on which A does better, neither does, and B does"
            columns.append({"name": "", "title": "W/T/L", "kind": "counts", "help": help_text})
        return columns + self._bar_columns(self._others)

    def _color(self, name: str) -> str:
        color = self._data.styles[name].color
        return BLACK if color == COLORS[3] else color

    def _rows(self, first: int) -> list[list[Any]]:
        """A window of rows: a cell for each column."""
        rows = self._order[first : first + WINDOW].tolist()
        make = self._query_row if self._explorer.queries_by == "query" else self._class_row
        return [make(row) for row in rows]

    def _query_row(self, row: int) -> list[Any]:
        table, pair = self._table, self._data.pair
        lists, score = table.lists, self._explorer.score_of_queries
        cells: list[Any] = [str(lists.query[row])]
        if lists.query_class is not None:
            cells.append(str(lists.query_class[row]))
        if lists.given is None:
            cells.append(f"{int(lists.n_relevant[row]):,}")
        cells += [self._bar(name, table.score[name][row]) for name in pair]
        if len(pair) > 1:
            value = float(table.difference[row])
            cells.append([score.signed(value), _share(value, 0, self._span)])
        if table.errors:
            errors = [float(table.errors[name][row]) for name in pair]
            cells += [f"{value:,.0f}" if np.isfinite(value) else DASH for value in errors]
            cells.append([self._strip(name, row) for name in pair])
        return cells + [self._bar(name, table.score[name][row]) for name in self._others]

    def _class_row(self, row: int) -> list[Any]:
        classes, pair = self._classes, self._data.pair
        cells: list[Any] = [str(classes.label[row]), f"{int(classes.n_queries[row]):,}"]
        cells += [self._bar(name, classes.score[name].mean[row]) for name in pair]
        if len(pair) > 1:
            cells.append(self._difference(classes.difference, row))
            sides = (classes.wins[row], classes.ties[row], classes.losses[row])
            cells.append("/".join(f"{int(side):,}" for side in sides))
        return cells + [self._bar(name, classes.score[name].mean[row]) for name in self._others]

    def _bar(self, name: str, value: float) -> list[Any]:
        text = self._explorer.score_of_queries.text(float(value))
        return [text, _share(float(value), *self._range(name))]

    def _difference(self, means: GroupMeans, row: int) -> list[Any]:
        """A difference with its interval, if it has one."""
        score = self._explorer.score_of_queries
        value, low, high = (float(one[row]) for one in (means.mean, means.low, means.high))
        cell = [score.signed(value), _share(value, 0, self._span)]
        if np.isfinite(low):
            words = score.between(low, high)
            cell += [_share(low, 0, self._span), _share(high, 0, self._span), words]
        return cell

    def _range(self, name: str) -> tuple[float, float]:
        """Ends of the bars of a score: those that it can have, or has."""
        ends = self._explorer.score_of_queries.range
        if ends is not None and np.isfinite(ends).all():
            return ends
        values = self._table.score[name]
        return 0.0, float(np.nanmax(np.abs(values), initial=0.0)) or 1.0

    @property
    def _span(self) -> float:
        """The largest difference that the axis of differences holds."""
        classes = self._explorer.queries_by != "query"
        values = self._classes.difference.mean if classes else self._table.difference
        known = np.abs(values[~np.isnan(values)])
        return float(known.max(initial=0.0)) or 1.0

    def _strip(self, name: str, row: int) -> list[Any]:
        """A list as digits, the share of relevant records in each bar; and where it is cut."""
        lists, at = self._explorer.lists[name], self._explorer.tap(name)
        inside = slice(*lists.offset[row : row + 2].tolist())
        shares = barcode.shares(lists.relevant[inside], MOST_BARS)[1]
        digits = "".join(f"{round(9 * share)}" for share in shares.tolist())
        size = inside.stop - inside.start
        known = np.isfinite(at.value) and size
        return [digits, round(float(at.retrieved[row]) / size, 3) if known else -1]

    def _on_message(self, message: Any) -> None:
        """Do what the page asks for."""
        explorer = self._explorer
        columns = {column["name"] for column in self.view.shown.get("columns", [])} - {""}
        match message:
            case {"scroll": int(first), "stamp": self._stamp} if explorer.queries_by:
                self._from = max(first, 0)
                rows = self._rows(self._from)
                self.view.send({"from": self._from, "rows": rows, "stamp": self._stamp})
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
                self._pair(name, *(one for one in self._data.pair[1:] if one != name))
            case {"b": str(name)} if name in explorer.results:
                self._pair(*(one for one in self._data.pair[:1] if one != name), name)
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


def _share(value: float, low: float, high: float) -> float:
    """Where a value is between two others; 0 where it is unknown."""
    if not np.isfinite(value) or high == low:
        return 0.0
    return round(float(np.clip((value - low) / (high - low), -1, 1)), 4)
