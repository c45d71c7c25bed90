"""The Export button: a plot for a paper, the scores, the settings, a report."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import panel as pn

from tapviz.explorer import Explorer
from tapviz.explorer.session import FILE, to_json
from tapviz.explorer.share import again, to_python
from tapviz.lists import RetrievalLists
from tapviz.lists.columns import columns_csv, columns_parquet
from tapviz.live.background import thread_pool
from tapviz.measures import Cancelled
from tapviz.page.composer import Composer
from tapviz.page.controls import WIDGET
from tapviz.plots import PlotData
from tapviz.scores import as_csv, as_latex, per_query, score

MAKE_REPORT = "Make a report"
REPORT_EVERY = 0.3
"""Seconds between two reports of progress."""
FIGURE, FIGURE_OPEN = "Figure…", "Close figure"
OPEN, CLOSED = "Export ▴", "Export ▾"
WIDGET_OPTIONS: dict[str, Any] = {"stylesheets": [WIDGET], "margin": (2, 8, 2, 0)}


class Export:
    """A button for the header, and the row of choices that it opens.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of: files show their present state.
    opening : str
        Lines of Python that bind the results to ``results``.
    title, about : str
        What the data are; see `report`.
    doubts : sequence of str
        What is doubtful about the files that were read: tables and reports say it.
    address : mapping of str to str, optional
        What the address of the page says besides the settings.
    """

    def __init__(
        self,
        data: PlotData,
        opening: str,
        title: str = "",
        about: str = "",
        doubts: Sequence[str] = (),
        address: Mapping[str, str] | None = None,
    ) -> None:
        self._data, self._address = data, address
        self._opening, self._title, self._about = opening, title, about
        self._doubts = tuple(doubts)
        self._report_html = ""
        self._composer: Composer | None = None
        self._run: object = None
        """That of the report being made; none after it, or when it was cancelled."""
        self.button = pn.widgets.Button(
            label=CLOSED,
            width=90,
            margin=(0, 0, 0, 8),
            css_classes=["opens-export"],
            stylesheets=[WIDGET],
            on_click=self._toggle,
        )
        self.row = pn.Column(visible=False, sizing_mode="stretch_width", margin=0)

    def _choices(self) -> pn.Column:
        """What the row holds: made when it is first opened."""
        explorer = self._data.explorer
        self._composer = Composer(explorer, self._opening)
        csv_file = _download("Score table as CSV", self._score_file(as_csv), 150, "scores.csv")
        latex = _download("Score table as LaTeX", self._score_file(as_latex), 160, "scores.tex")
        queries = [
            _download(
                "Scores of queries as CSV",
                self._query_scores(lambda found: columns_csv(found).encode()),
                170,
                "queries.csv",
            ),
            _download(
                "Scores of queries as Parquet",
                self._query_scores(columns_parquet),
                190,
                "queries.parquet",
            ),
        ]
        settings = _download(
            "Save session", lambda: _file(to_json(explorer, self._address)), 110, FILE
        )
        code = _download("Python", lambda: _file(self.python), 90, "tapviz_numbers.py")
        self._report_title = pn.widgets.TextInput(
            label="title of the report", placeholder=self._title, width=190, **WIDGET_OPTIONS
        )
        self._findings = pn.widgets.TextAreaInput(
            label="what you found, in your words, for its top",
            rows=1,
            auto_grow=True,
            width=300,
            **WIDGET_OPTIONS,
        )
        self._make = pn.widgets.Button(
            label=MAKE_REPORT,
            width=150,
            height=28,
            on_click=self._make_or_cancel,
            **(WIDGET_OPTIONS | {"margin": (20, 8, 2, 0)}),
        )
        self._report = _download(
            "Download report", lambda: _file(self._report_html), 150, "report.html"
        )
        self._report.disabled = True
        self._composer.view.visible = False
        self._figure = pn.widgets.Button(
            label=FIGURE,
            width=90,
            height=28,
            on_click=self._toggle_composer,
            **(WIDGET_OPTIONS | {"margin": (20, 8, 2, 0)}),
        )
        row = pn.FlexBox(
            self._figure,
            csv_file,
            latex,
            *queries,
            settings,
            code,
            self._report_title,
            self._findings,
            self._make,
            self._report,
            align_items="flex-end",
            css_classes=["export"],
            sizing_mode="stretch_width",
            margin=0,
        )
        return pn.Column(
            row,
            self._composer.view,
            styles={"padding": "0 14px 4px", "border-bottom": "1px solid var(--tv-rule)"},
            sizing_mode="stretch_width",
            margin=0,
        )

    @property
    def python(self) -> str:
        """Python that makes the present numbers."""
        return to_python(self._data.explorer, self._opening)

    def close(self) -> None:
        """Stop making a report: nobody needs it any more."""
        self._run = None
        if self._composer is not None:
            self._composer.close()

    async def _make_or_cancel(self, _: Any) -> None:
        if self._run is None:
            await self._make_report()
        else:
            self._run, self._make.label = None, MAKE_REPORT

    async def _make_report(self) -> None:
        """Make the report of what is chosen now, piece by piece: the page stays alive meanwhile."""
        # matplotlib is loaded only for figures.
        from tapviz.explorer.report import n_pieces, pieces  # noqa: PLC0415

        explorer = self._data.explorer
        now = again(explorer)
        run = self._run = object()
        percent = 0

        def advance(done: int, total: int) -> bool:
            nonlocal percent
            percent = 100 * done // total
            return self._run is run

        def show(label: str) -> None:
            if self._run is run:
                self._make.label = label

        report_pieces = pieces(
            now,
            title=self._report_title.value.strip() or self._title,
            findings=self._findings.value,
            opening=self._opening,
            about=self._about,
            doubts=self._doubts,
            progress=advance,
        )
        parts: list[str] = []
        total, loop, label = n_pieces(now), asyncio.get_running_loop(), MAKE_REPORT
        try:
            while len(parts) < total:
                show(f"Cancel report: {percent} %")
                if len(parts) in (0, total - 1):
                    # The numbers at first and the tables at last take longest, and need no page.
                    piece = loop.run_in_executor(thread_pool(), next, report_pieces)
                    while not (await asyncio.wait([piece], timeout=REPORT_EVERY))[0]:
                        show(f"Cancel report: {percent} %")
                    parts.append(piece.result())
                else:
                    parts.append(next(report_pieces))
                    await asyncio.sleep(0)
            self._report_html, self._report.disabled = "".join(parts), False
        except Cancelled:
            pass
        except ValueError:
            label = "Nothing to report"
        finally:
            show(label)
            if self._run is run:
                self._run = None

    def _toggle(self, *_: Any) -> None:
        if not self.row:
            self.row.append(self._choices())
        self.row.visible = not self.row.visible
        self.button.label = OPEN if self.row.visible else CLOSED

    def _toggle_composer(self, *_: Any) -> None:
        if self._composer is not None:
            shown = self._composer.view.visible = not self._composer.view.visible
            self._figure.label = FIGURE_OPEN if shown else FIGURE
            self._composer.show(visible=shown)

    def _query_scores(
        self, content: Callable[[dict[str, list[Any]]], bytes | memoryview]
    ) -> Callable[[], io.BytesIO]:
        """Every score of every query selected, of the algorithms shown."""

        def written() -> io.BytesIO:
            explorer = self._data.explorer
            if not explorer.shown or not explorer.selection.n_queries:
                return io.BytesIO()
            scores = per_query(_chosen(explorer, explorer.shown), explorer.policies)
            return io.BytesIO(content(scores))

        return written

    def _score_file(self, writer: Callable[..., str]) -> Callable[[], io.BytesIO]:
        def content() -> io.BytesIO:
            explorer = self._data.explorer
            if not explorer.compared_names or not explorer.selection.n_queries:
                return io.BytesIO(
                    b"There are no scores: no algorithm is shown, or no query is selected.\n"
                )
            return _file(writer(_score(explorer)._replace(doubts=self._doubts)))

        return content


def _file(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def _chosen(explorer: Explorer, names: Sequence[str]) -> dict[str, RetrievalLists]:
    """Lists of some algorithms with the queries selected; policies weigh them."""
    mask = explorer.selection.mask
    return {name: explorer.results[name].subset(mask) for name in names}


def _score(explorer: Explorer) -> Any:
    """Scores of the algorithms shown and the queries selected, under the present choices."""
    chosen = _chosen(explorer, explorer.compared_names)
    return score(chosen, explorer.policies, baseline=explorer.baseline)


def _download(
    label: str, content: Callable[[], io.BytesIO], width: int, filename: str = ""
) -> pn.widgets.FileDownload:
    return pn.widgets.FileDownload(
        label=label,
        callback=content,
        filename=filename,
        width=width,
        height=28,
        **(WIDGET_OPTIONS | {"margin": (20, 8, 2, 0)}),
    )
