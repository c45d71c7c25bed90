"""The application: the bundled benches, or the person's own files, on one page."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

import panel as pn

from tapviz.dashboard.controls import UNSEEN_LABEL, WIDGET
from tapviz.dashboard.page import Dashboard
from tapviz.datasets import BENCHES, load_results
from tapviz.explorer import Explorer
from tapviz.lists import RetrievalLists

OWN_FILES = "tapviz explore blastp.tsv phmmer.tsv --labels classes.tsv"


class App(pn.viewable.Viewer):
    """Bundled benches to choose from; with results of the person's own, those.

    Settings in the address of the page are taken over; what cannot be used is said.

    Parameters
    ----------
    results : mapping of str to RetrievalLists, optional
        Results to open instead of a bundled bench.
    title : str, optional
        What they are.
    """

    def __init__(
        self, results: Mapping[str, RetrievalLists] | None = None, title: str = ""
    ) -> None:
        super().__init__()
        search = pn.state.location.search if pn.state.location is not None else ""
        self._unknown = ""
        self._body = pn.Column(sizing_mode="stretch_width", margin=0)
        if results is not None:
            explorer = Explorer(results)
            self._open(Dashboard(explorer, title=title, note=_problems(explorer, search or "")))
            return
        self._choice = pn.widgets.Select(
            label="bench",
            value=next(iter(BENCHES)),
            options={b.title: b.name for b in BENCHES.values()},
            width=330,
            margin=(0, 14, 0, 0),
            stylesheets=[WIDGET, UNSEEN_LABEL],
        )
        asked = parse_qs((search or "").lstrip("?")).get("bench", [""])[-1]
        if asked in BENCHES:
            self._choice.value = asked
        elif asked:
            self._unknown = (
                f"<p>bench = {html.escape(repr(asked))} in the address cannot be used here</p>"
            )
        self._choice.param.watch(lambda event: self._show_bench(event.new, ""), "value")
        self._show_bench(self._choice.value, search or "")

    def __panel__(self) -> pn.viewable.Viewable:
        return self._body

    def _show_bench(self, name: str, search: str) -> None:
        bench = BENCHES[name]
        explorer = Explorer(load_results(name), shown=list(bench.shown))
        note = (
            f"<b>This is demo data.</b> Open your own: <code>{OWN_FILES}</code>"
            f"<details><summary>What counts as relevant, and whose data</summary>"
            f"{html.escape(bench.description)} {html.escape(bench.caveat)} "
            f"{html.escape(bench.attribution)}</details>{self._unknown}"
            f"{_problems(explorer, search)}"
        )
        self._unknown = ""
        self._open(
            Dashboard(
                explorer, title="demo", note=note, above=self._choice, address={"bench": name}
            )
        )

    def _open(self, dashboard: Dashboard) -> None:
        self.dashboard: Any = dashboard
        self._body[:] = [dashboard]


def _problems(explorer: Explorer, search: str) -> str:
    return "".join(f"<p>{html.escape(problem)}</p>" for problem in explorer.from_query(search))
