"""The drawer below the plots: the ranked lists of one query, side by side."""

from __future__ import annotations

import html
import re
from importlib.resources import files
from typing import Any

import numpy as np
import panel as pn
import param
from panel.custom import JSComponent

from tapviz.choices import BY_ERRORS
from tapviz.draw.style import Style, number
from tapviz.explorer import Explorer
from tapviz.measures import RankedList
from tapviz.plots import barcode, plots_for
from tapviz.share import ranked_csv

WINDOW = 36
"""Rows of a list that are sent at a time: those seen, and some above and below."""
OFFERED = 20
"""Ids that are offered while the person writes one."""
WRITTEN = 6
"""Terms of Equation (1) that are written out; of more, the first and the last."""


class RankedLists(JSComponent):
    """Lists that are scrolled in the browser, which is sent the rows that are seen.

    Hovering and the barcodes need no server. Messages from the page: a window of rows to send, a
    text to focus on, a step to another query, the lists as CSV, or to close.
    """

    heads = param.List(doc="Of each list what follows the threshold.")
    lists = param.Dict(doc="What follows the query: its name, and the lists with their first rows.")
    about = param.String(doc="What there is to say of the query; or how to choose one.")
    offered = param.List(doc="Ids that contain what is being written.")
    said = param.String(doc="Why there is no such query.")

    _esm = files("tapviz.dashboard").joinpath("drawer.js").read_text(encoding="utf-8")

    def send(self, message: dict[str, Any]) -> None:
        """Send rows that were asked for."""
        self._send_msg(message)


class Drawer(pn.viewable.Viewer):
    """Ranked lists of the query in focus, for the algorithms shown; closed without one.

    Parameters
    ----------
    explorer : Explorer
    looks : dict of str to Style
    quantity : str
        What the scores are, for the head of their column.
    """

    def __init__(
        self, explorer: Explorer, looks: dict[str, Style], quantity: str = "score"
    ) -> None:
        super().__init__()
        self.explorer = explorer
        self._quantity = quantity
        self._looks = looks
        self._stamp = 0
        style = files("tapviz.dashboard").joinpath("drawer.css").read_text(encoding="utf-8")
        self.view = RankedLists(
            lists={"focus": "", "stamp": 0, "lists": []},
            stylesheets=[style],
            sizing_mode="stretch_width",
            margin=(6, 0),
        )
        self.view.on_msg(lambda event: self._told(event.data))

    def __panel__(self) -> pn.viewable.Viewable:
        return self.view

    def show(self, changed: set[str]) -> None:
        """Show the query in focus at the present thresholds; only what differs is sent."""
        heads = [self._head(name) for name in self._names]
        if heads != self.view.heads:
            self.view.heads = heads
        self.view.about = self._about()
        if changed & {"focus", "algorithms"}:
            self._stamp += 1
            self.view.param.update(said="", offered=[], lists=self._lists())

    @property
    def _names(self) -> list[str]:
        return self.explorer.shown if self.explorer.focus else []

    def _about(self) -> str:
        explorer, lists = self.explorer, self.explorer.first
        if not explorer.focus:
            words = next(plot.tab for plot in plots_for(explorer) if plot.query_at is not None)
            return f"Click a dot of the tab {words}, or write the id of a query."
        row = lists.row_of(explorer.focus)
        parts = [f"T(q) = {lists.n_relevant[row]:,}"]
        if lists.query_class is not None and lists.query_class[row]:
            parts.append(f"class {lists.query_class[row]}")
        if not explorer.selection.mask[row]:
            parts.append("not among the queries selected")
        return " · ".join(parts)

    def _lists(self) -> dict[str, Any]:
        return {
            "focus": self.explorer.focus,
            "quantity": self._quantity,
            "stamp": self._stamp,
            "lists": [
                {
                    "name": name,
                    "color": self._looks[name].color,
                    "n": self.explorer.ranked(name).rank.size,
                    "bars": _bars(self.explorer.ranked(name)),
                    "rows": self._rows(place, 0),
                    "from": 0,
                }
                for place, name in enumerate(self._names)
            ],
        }

    def _head(self, name: str) -> dict[str, Any]:
        """What follows the threshold."""
        explorer = self.explorer
        at, found = explorer.tap(name), explorer.ranked(name)
        defined = bool(np.isfinite(at.e0))
        tap = f"TAP-{at.k}" if at.k is not None else "TAP"
        # From the measure of all queries: the equation below comes to the same.
        value = float("nan")
        if defined:
            value = explorer.tap_of_focus(name)
        relevant = np.flatnonzero(found.term) + 1
        sign = "E<sub>k</sub>" if explorer.mode == BY_ERRORS else "E<sub>0</sub>"
        return {
            "tap": f"{tap} {_digits(value)}",
            "exact": repr(value),
            "equation": equation(found) if defined else html.escape(at.reason),
            "never": f"{found.n_never:,} of {found.n_relevant:,} relevant never retrieved",
            "retrieved": found.n_retrieved if defined else -1,
            "last": int(relevant[-1]) if relevant.size else 0,
            "line": f"{sign} = {number(at.e0)}" if defined else "",
            "sentinel": f"{found.n_found:,}/{found.n_retrieved:,} = {found.sentinel:.3f}"
            if found.n_retrieved
            else "nothing retrieved",
        }

    def _rows(self, place: int, first: int) -> list[list[Any]]:
        """A window of a list: record, score, relevant, precision, its rank in each list."""
        name = self._names[place]
        found = self.explorer.ranked(name)
        ranks = [self._ranks(other) for other in self._names]
        rows = slice(max(first, 0), max(first, 0) + WINDOW)
        record = found.record[rows].tolist() if found.record is not None else []
        values = zip(
            found.score[rows].tolist(),
            found.relevant[rows].tolist(),
            found.precision[rows].tolist(),
            strict=True,
        )
        return [
            [
                record[i] if record else "",
                number(score),
                int(relevant),
                f"{precision:.3f}",
                [known.get(record[i], 0) for known in ranks] if record else [],
            ]
            for i, (score, relevant, precision) in enumerate(values)
        ]

    def _ranks(self, name: str) -> dict[Any, int]:
        """Rank of each record in an algorithm's list."""
        explorer = self.explorer

        def ranks() -> dict[Any, int]:
            record = explorer.ranked(name).record
            ids = [] if record is None else record.tolist()
            # A record that is listed twice has its better rank.
            return {one: rank for rank, one in reversed(list(enumerate(ids, start=1)))}

        return explorer.once(("ranks", name), (explorer.results[name], explorer.focus), ranks)

    def _told(self, message: Any) -> None:
        """Do what the person did in the drawer."""
        explorer = self.explorer
        match message:
            case {"scroll": [int(place), int(first)], "stamp": self._stamp}:
                if 0 <= place < len(self._names):
                    self.view.send(
                        {
                            "place": place,
                            "from": max(first, 0),
                            "rows": self._rows(place, first),
                            "stamp": self._stamp,
                        }
                    )
            case {"focus": str(text)}:
                self._focus(text.strip())
            case {"typed": str(text)}:
                self.view.offered = explorer.find(text, OFFERED) if text.strip() else []
            case {"step": int(by)}:
                explorer.step_focus(by)
            case {"csv": True} if explorer.focus:
                name = re.sub(r"[^\w.-]+", "_", explorer.focus)
                self.view.send({"name": f"ranked-{name}.csv", "csv": ranked_csv(explorer)})
            case {"close": True}:
                explorer.focus = ""

    def _focus(self, text: str) -> None:
        """Focus on the query that a text names, if there is just one."""
        explorer = self.explorer
        found = explorer.find(text)
        if text in found:
            found = [text]
        if not text or len(found) == 1:
            explorer.focus = found[0] if text else ""
        elif not found:
            self.view.said = f"No query’s id contains ‘{text}’."
        else:
            self.view.said = f"‘{text}’ is in {len(found):,} ids: write one of them."


def equation(found: RankedList) -> str:
    """Equation (1) with its terms filled in, as HTML: precisions as in the list's rows."""
    if found.n_relevant == 0:
        retrieved = f"{found.n_retrieved:,}"
        return f"T(q) = 0: TAP = 1 / ({retrieved} + 1) = <b>{_digits(found.tap)}</b>"
    rank = (np.flatnonzero(found.term) + 1).tolist()
    terms = [f'<span class="r">{j:,}/{t:,}</span>' for j, t in enumerate(rank, start=1)]
    if len(terms) > WRITTEN:
        between = f"<i>… {len(terms) - WRITTEN + 1:,} more …</i>"
        terms = [*terms[: WRITTEN - 3], between, *terms[-2:]]
    sentinel = f"{found.n_found:,}/{found.n_retrieved:,}" if found.n_retrieved else "0"
    terms.append(f'<span class="s">● {sentinel}</span>')
    return (
        f"TAP = ({' + '.join(terms)}) / ({found.n_relevant:,} + 1)<br>= "
        f'(<span class="r">{_digits(found.summed)}</span> + '
        f'<span class="s">{_digits(found.sentinel)}</span>) / {found.n_relevant + 1:,} = '
        f"<b>{_digits(found.tap)}</b>"
    )


def _digits(value: float) -> str:
    return f"{value:.6f}" if np.isfinite(value) else "—"


def _bars(found: RankedList) -> dict[str, list[list[float]]]:
    """Bars of the whole list, each from, to and height."""
    return {
        name: [
            [int(x0), int(x1), round(float(y1), 3)]
            for x0, x1, y1 in zip(bar["x0"], bar["x1"], bar["y1"], strict=True)
        ]
        for name, bar in barcode.columns(found.relevant).items()
    }
