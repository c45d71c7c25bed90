"""The drawer below the plots: the ranked lists of one query, side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import param

from tapviz.draw.style import Style, number
from tapviz.explorer import Explorer
from tapviz.explorer.score_table import why
from tapviz.explorer.session import ranked_csv
from tapviz.lists.reported import is_measured
from tapviz.live.parts import Part
from tapviz.live.script import script
from tapviz.live.templates import escape, render
from tapviz.measures import RankedList, agreement, level_names
from tapviz.page.components import Json, ScrolledRows
from tapviz.plots import barcode, plots_for
from tapviz.state import BY_ERRORS, LINKS

WINDOW = 36
"""Rows of a list that are sent at a time: those seen, and some above and below."""
MAX_SUGGESTIONS = 20
"""Ids that are suggested while one is being typed."""
MAX_TERMS = 6
"""Terms of Equation (1) that are written out; of more, the first and the last."""


class RankedLists(ScrolledRows):
    """Lists that are scrolled in the browser, which is sent the rows that are seen.

    Hovering and the barcodes need no server. Messages from the page: a window of rows to send, a
    text to focus on, a step to another query, the lists as CSV, or to close.
    """

    heads = param.List(doc="What follows the threshold, for each list.")
    lists = param.Dict(doc="What follows the query: its name, and the lists with their first rows.")
    about = param.String(doc="T(q) and class of the query; or how to choose one.")
    links = param.Dict(doc="Where ids lead: what is chosen, what can be, and how one is made.")
    suggestions = param.List(doc="Ids that contain what is being typed.")
    problem = param.String(doc="Why there is no such query.")

    _esm = script("drawer.js", "tapviz.page")


class Drawer(Part):
    """Ranked lists of the query in focus, for the algorithms shown; closed without one.

    Parameters
    ----------
    explorer : Explorer
    styles : dict of str to Style
    quantity : str
        What the scores are, for the head of their column.
    """

    view: RankedLists

    def __init__(
        self, explorer: Explorer, styles: Mapping[str, Style], quantity: str = "score"
    ) -> None:
        super().__init__()
        self.explorer = explorer
        self._quantity, self._styles = quantity, styles
        self.stamp = 0
        self.view = RankedLists(
            "drawer.css",
            self._on_message,
            lists={"focus": "", "stamp": 0, "lists": []},
            links=self._links(),
        )

    def update(self, changed: set[str]) -> None:
        """Show the query in focus at the present thresholds; only what differs is sent."""
        self.view.heads = [self._head(name) for name in self._names]
        self.view.about = self._about()
        if changed & {"links"}:
            self.view.links = self._links()
        if changed & {"focus", "algorithms"}:
            self.stamp += 1
            self.view.param.update(problem="", suggestions=[], lists=self._lists())

    @property
    def _names(self) -> list[str]:
        return self.explorer.shown if self.explorer.focus else []

    def _about(self) -> str:
        explorer, lists = self.explorer, self.explorer.first
        if not explorer.focus:
            tabs = {one.name: one.tab for one in plots_for(explorer) if one.query_at is not None}
            # The one that is open, if it has dots; without lists there is none.
            tab = tabs.get(explorer.view, next(iter(tabs.values()), ""))
            return f"Click a query in the tab {tab}, or type its id."
        row = lists.row_of(explorer.focus)
        parts = [f"T(q) = {lists.n_relevant[row]:,}"]
        if lists.query_class is not None and lists.query_class[row]:
            parts.append(f"class {lists.query_class[row]}")
        if not explorer.selection.mask[row]:
            parts.append("not among the selected queries")
        return " · ".join(parts)

    def _lists(self) -> Json:
        return {
            "focus": self.explorer.focus,
            "quantity": self._quantity,
            "stamp": self.stamp,
            "lists": [
                {
                    "name": name,
                    "color": self._styles[name].color,
                    "n": self.explorer.ranked(name).rank.size,
                    "bars": _bars(self.explorer.ranked(name)),
                    "rows": self._rows(place, 0),
                    "from": 0,
                }
                for place, name in enumerate(self._names)
            ],
        }

    def _links(self) -> Json:
        """Where the ids of records lead."""
        chosen = self.explorer.links
        pattern, part = LINKS.get(chosen, (chosen, ""))
        return {"chosen": chosen, "offered": list(LINKS), "pattern": pattern, "part": part}

    def _agreement(self, record: str) -> list[object]:
        """Class of a record, its part that the query's has, too, and that in words."""
        explorer, lists = self.explorer, self.explorer.first
        own = explorer.class_of_record(record)
        if not own or lists.query_class is None:
            return [own, 0, ""]
        of_query = str(lists.query_class[lists.row_of(explorer.focus)])
        levels = agreement(own, of_query) if of_query else 0
        if not levels:
            return [own, 0, "another class" if of_query else ""]
        names = explorer.once("levels", lists, lambda: level_names(lists))
        words = f"same {names[levels - 1]}" if levels <= len(names) else "same class"
        return [own, len(own) if ", " in own else _length(own, levels), words]

    def _head(self, name: str) -> Json:
        """What follows the threshold."""
        explorer = self.explorer
        at, ranked = explorer.tap(name), explorer.ranked(name)
        defined = bool(np.isfinite(at.e0)) and is_measured(explorer.results[name], at.e0)
        title = f"TAP-{at.k}" if at.k is not None else "TAP"
        # From the measure of all queries: the equation below comes to the same.
        value = explorer.tap_of_focus(name) if defined else float("nan")
        relevant = np.flatnonzero(ranked.term) + 1
        sign = "E<sub>k</sub>" if explorer.mode == BY_ERRORS else "E<sub>0</sub>"
        return {
            "tap": f"{title} {_digits(value)}",
            "exact": repr(value),
            "equation": equation(ranked) if defined else escape(why(at)),
            "never": _never(ranked)
            + (f" · {ranked.n_not_kept:,} more records, not kept" if ranked.n_not_kept else ""),
            "retrieved": ranked.n_retrieved if defined else -1,
            "last": int(relevant[-1]) if relevant.size else 0,
            "line": f"{sign} = {number(at.e0)}" if defined else "",
            "sentinel": f"{ranked.n_found:,}/{ranked.n_retrieved:,} = {ranked.sentinel:.3f}"
            if ranked.n_retrieved
            else "nothing retrieved",
        }

    def _rows(self, place: int, first: int) -> list[list[object]]:
        """A window: record, score, relevant, precision, its rank in each list, and its class."""
        name = self._names[place]
        ranked = self.explorer.ranked(name)
        ranks = [self._ranks(other) for other in self._names]
        rows = slice(first, first + WINDOW)
        record = ranked.record[rows].tolist() if ranked.record is not None else []
        columns = ranked.score, ranked.relevant, ranked.precision
        values = zip(*(column[rows].tolist() for column in columns), strict=True)
        return [
            [
                record[i] if record else "",
                number(score),
                int(relevant),
                f"{precision:.3f}",
                [rank_of.get(record[i], 0) for rank_of in ranks] if record else [],
                self._agreement(record[i]) if record else ["", 0, ""],
            ]
            for i, (score, relevant, precision) in enumerate(values)
        ]

    def _ranks(self, name: str) -> dict[str, int]:
        """Rank of each record in an algorithm's list."""
        explorer = self.explorer

        def ranks() -> dict[str, int]:
            record = explorer.ranked(name).record
            ids = [] if record is None else record.tolist()
            # A record that is listed twice has its better rank.
            return {record_id: rank for rank, record_id in reversed(list(enumerate(ids, start=1)))}

        return explorer.once(("ranks", name), (explorer.results[name], explorer.focus), ranks)

    def _on_message(self, message: object) -> None:
        """Do what the page asks for."""
        explorer, places = self.explorer, range(len(self._names))
        match message:
            case {"scroll": [int(place), int(at)], "stamp": self.stamp} if place in places:
                first = max(at, 0)
                rows = self._rows(place, first)
                self.view.send({"place": place, "from": first, "rows": rows, "stamp": self.stamp})
            case {"focus": str(text)}:
                self._focus(text.strip())
            case {"typed": str(text)}:
                self.view.suggestions = explorer.find(text, MAX_SUGGESTIONS) if text.strip() else []
            case {"step": int(by)}:
                explorer.step_focus(by)
            case {"csv": True} if explorer.focus:
                name = re.sub(r"[^\w.-]+", "_", explorer.focus)
                self.view.send({"name": f"ranked-{name}.csv", "csv": ranked_csv(explorer)})
            case {"links": str(text)}:
                self._link(text.strip())
            case {"close": True}:
                explorer.focus = ""

    def _link(self, text: str) -> None:
        """Let ids lead where a person says."""
        try:
            self.explorer.links = text
        except ValueError:
            self.view.problem = "An address of links begins with https:// and has {id} in it."
        else:
            self.view.problem = ""

    def _focus(self, text: str) -> None:
        """Focus on the query that a text names, if there is just one."""
        explorer = self.explorer
        ids = explorer.find(text)
        if text in ids:
            ids = [text]
        if not text or len(ids) == 1:
            explorer.focus = ids[0] if text else ""
        elif not ids:
            self.view.problem = f"No query id contains ‘{text}’."
        else:
            self.view.problem = f"‘{text}’ is in {len(ids):,} ids: type one in full."


def _never(ranked: RankedList) -> str:
    """How many relevant records a list does not have."""
    if ranked.n_relevant and not ranked.n_never:
        which = "1 of 1" if ranked.n_relevant == 1 else f"all {ranked.n_relevant:,}"
        return f"{which} relevant retrieved"
    return f"{ranked.n_never:,} of {ranked.n_relevant:,} relevant never retrieved"


def equation(ranked: RankedList) -> str:
    """Equation (1) with its terms filled in, as HTML: precisions as in the list's rows."""
    rank = (np.flatnonzero(ranked.term) + 1).tolist()
    terms = [f"{j:,}/{t:,}" for j, t in enumerate(rank, start=1)]
    n_skipped = len(terms) - MAX_TERMS + 1 if len(terms) > MAX_TERMS else 0
    return render(
        "equation.html",
        first=terms[: MAX_TERMS - 3] if n_skipped else terms,
        n_skipped=n_skipped,
        last=terms[-2:] if n_skipped else [],
        sentinel=f"{ranked.n_found:,}/{ranked.n_retrieved:,}" if ranked.n_retrieved else "0",
        n_retrieved=ranked.n_retrieved,
        n_relevant=ranked.n_relevant,
        sum=_digits(ranked.summed),
        precision=_digits(ranked.sentinel),
        tap=_digits(ranked.tap),
    )


def _length(name: str, levels: int) -> int:
    """Characters of the first levels of a class."""
    separator = " / " if " / " in name else "."
    return len(separator.join(name.split(separator)[:levels]))


def _digits(value: float) -> str:
    return f"{value:.6f}" if np.isfinite(value) else "—"


def _bars(ranked: RankedList) -> dict[str, list[list[float]]]:
    """Bars of the whole list, each from, to and height."""
    return {
        name: [
            [int(x0), int(x1), round(float(y1), 3)]
            for x0, x1, y1 in zip(bar["x0"], bar["x1"], bar["y1"], strict=True)
        ]
        for name, bar in barcode.columns(ranked.relevant).items()
    }
