"""What is taken along: a link, the scores, the settings and a report; and a figure for a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import panel as pn

from tapviz.explorer import Explorer
from tapviz.explorer.score_table import best_first, columns_shown
from tapviz.explorer.session import FILE, again, to_json, to_python
from tapviz.lists import RetrievalLists
from tapviz.lists.writing import columns_csv, columns_parquet
from tapviz.live.background import BackgroundTask
from tapviz.live.parts import LiveText
from tapviz.live.script import STYLE, style_sheet
from tapviz.live.templates import Markup, render
from tapviz.measures import OnProgress
from tapviz.page import widgets as w
from tapviz.page.components import CopyLink
from tapviz.page.tables import Numbers
from tapviz.plots import PlotData, plots_for
from tapviz.scores import ScoreTable, as_csv, as_latex, per_query, score, value
from tapviz.state import SETTINGS

PANELS = "ABCDEF"
KINDS = {
    "SVG": "svg",
    "PDF": "pdf",
    "PNG, 600 dpi": "png",
    "CSV (numbers of panel A)": "csv",
    "ZIP (all of these, settings, Python)": "zip",
}
LOOKS = ("width", "face", "symbols", "greyscale")
"""Fields that say how a figure looks; the others, what is in it."""
COPY = "navigator.clipboard.writeText(words.value)"
PREVIEW = w.WIDGET + style_sheet("figure_preview.css", "tapviz.page")


class Composer:
    """Choices of a figure for print, with a preview of its true size.

    Parameters
    ----------
    explorer : Explorer
        The figure shows its present state.
    opening : str
        Lines of Python that bind the results to ``results``.
    """

    def __init__(self, explorer: Explorer, opening: str) -> None:
        # matplotlib is loaded only for figures.
        from tapviz.draw.matplotlib import WIDTHS, faces  # noqa: PLC0415

        self._explorer, self._opening = explorer, opening
        plots = {plot.tab or plot.plain_title: plot.name for plot in plots_for(explorer)}
        self._panels = [
            _select(f"panel {letter}", plots if letter == "A" else {"none": ""} | plots, 150)
            for letter in PANELS
        ]
        start, end = WIDTHS
        self._fields: dict[str, Any] = {
            "width": w.widget(
                pn.widgets.FloatInput,
                "width, mm (1 column: 86; 2: 178)",
                value=86,
                step=1,
                start=start,
                end=end,
                width=190,
                **w.IN_FORM,
            ),
            "names": _text("rename programs", "BLASTP = BLAST 2.14; ...", 220),
            "order": _text("order, first to last", "; ".join([*explorer.results][1::-1]), 170),
            "face": _select("font", {name: name for name in faces()}, 150),
            "symbols": _select(
                "symbols", {"small": 0.6, "usual": 1.0, "large": 1.5}, 90, value=1.0
            ),
            "bands": _select("bands", {"none": False, "95 % intervals": True}, 130),
            "titles": _select("titles", {"with titles": True, "without": False}, 110),
            "greyscale": _select("colours", {"in colour": False, "greyscale": True}, 110),
        }
        choices = [*self._panels, *self._fields.values()]
        self._kind = _select("file", KINDS, 250)
        self._download = w.download("Download figure", self._file, 140, "figure.svg")
        self._preview = LiveText(PREVIEW, sizing_mode="stretch_width")
        self._words = pn.widgets.TextAreaInput(
            label="caption, methods and citation",
            rows=6,
            max_length=100_000,
            sizing_mode="stretch_width",
            **w.IN_FORM,
        )
        copy = w.widget(pn.widgets.Button, "Copy text", width=100, height=28, **w.IN_FORM)
        copy.js_on_click(args={"words": self._words}, code=COPY)
        self._drawn = ""
        self._open = False
        self._drawing: BackgroundTask[tuple[str, str]] = BackgroundTask(self._on_drawn, rest=0.1)
        for choice in choices:
            choice.param.watch(self._refresh, "value")
        self._kind.param.watch(self._name_file, "value")
        self._watcher = explorer.param.watch(self._refresh, list(SETTINGS))
        self.view = pn.Column(
            pn.FlexBox(*choices, align_items="flex-end", **w.WIDE),
            pn.FlexBox(self._kind, self._download, copy, align_items="flex-end", margin=0),
            self._preview,
            self._words,
            css_classes=["composer"],
            **w.WIDE,
        )

    def show(self, *, visible: bool) -> None:
        """Draw from now on, or no longer."""
        self._open = visible
        if visible:
            self._refresh()

    def close(self) -> None:
        """Look at the choices no more."""
        self._open = False
        self._drawing.discard()
        self._explorer.param.unwatch(self._watcher)

    def _name_file(self, *_: object) -> None:
        self._download.filename = f"figure.{self._kind.value}"

    def _refresh(self, *_: object) -> None:
        """Draw the preview of what is chosen now."""
        if not self._open:
            return
        self._show("updating", busy=True)
        try:
            work = self._work()
        except ValueError as problem:
            self._drawing.discard()
            self._show(str(problem), busy=False)
        else:
            self._drawing.request(work, lambda _: work())

    def _on_drawn(self) -> None:
        if self._drawing.waiting:
            return
        if self._drawing.result is not None:
            self._drawn, self._words.value = self._drawing.result
        self._show(self._drawing.error, busy=False)

    def _show(self, message: str, *, busy: bool) -> None:
        drawn = Markup(self._drawn)
        self._preview.text = render("figure_preview.html", busy=busy, message=message, drawn=drawn)

    def _work(self) -> Callable[[], tuple[str, str]]:
        """What draws the preview of what is chosen now: in a thread, while choices may change."""
        from tapviz.explorer.paper import figure_words  # noqa: PLC0415
        from tapviz.plots.save import Drawn  # noqa: PLC0415

        now = again(self._explorer)
        panels, options = self._chosen()

        def work() -> tuple[str, str]:
            drawn = Drawn(now, panels, **options)
            svg = drawn.file("svg").decode()
            return svg[svg.index("<svg") :], figure_words(now, drawn)

        return work

    def _chosen(self) -> tuple[list[str], dict[str, Any]]:
        """The plots of the panels, and the options of `save_figure`."""
        fields = self._fields
        return [panel.value for panel in self._panels if panel.value], {
            **{name: fields[name].value for name in LOOKS},
            "title": None if fields["titles"].value else "",
            "names": _renaming(w.text_of(fields["names"])),
            "order": [*filter(None, map(str.strip, w.text_of(fields["order"]).split(";")))],
            "bands": fields["bands"].value,
        }

    def _file(self) -> bytes:
        from tapviz.explorer.paper import figure_zip  # noqa: PLC0415
        from tapviz.plots.save import Drawn  # noqa: PLC0415

        panels, options = self._chosen()
        now, kind = again(self._explorer), self._kind.value
        if kind == "zip":
            return figure_zip(now, panels, self._opening, **options)
        return Drawn(now, panels, **options).file(kind)


def _renaming(text: str) -> dict[str, str]:
    """Names of algorithms as written: "name = new name", separated by semicolons."""
    pairs: dict[str, str] = {}
    for part in filter(str.strip, text.split(";")):
        name, sign, new = (side.strip() for side in part.partition("="))
        if not (sign and new):
            msg = f"names: expected NAME = NEW NAME, found {part.strip()!r}"
            raise ValueError(msg)
        pairs[name] = new
    return pairs


def _select(
    label: str, options: Mapping[str, object], width: int, **more: object
) -> pn.widgets.Select:
    return w.widget(pn.widgets.Select, label, options=options, width=width, **w.IN_FORM, **more)


def _text(label: str, placeholder: str, width: int) -> pn.widgets.TextInput:
    return w.widget(pn.widgets.TextInput, label, placeholder=placeholder, width=width, **w.IN_FORM)


MAKE_REPORT = "Make a report"
NO_SCORES = "There are no scores: no program is shown, or no query is selected.\n"


@dataclass(eq=False)
class Export:
    """The sheets that two buttons of the header open over the page.

    Parameters
    ----------
    explorer : Explorer
        Files show its present state.
    data : PlotData
        What the plots of the page are made of.
    opening : str
        Lines of Python that bind the results to ``results``.
    title, about : str
        What the data are; see `report`.
    doubts : sequence of str
        What is doubtful about the files that were read: tables and reports say it.
    address : mapping of str to str, optional
        What the address of the page says besides the settings.
    query : callable, optional
        Makes the query part of the link; otherwise the settings alone.
    turned : callable, optional
        Called with the name of the sheet that is open now, empty if none is.
    """

    explorer: Explorer
    data: PlotData
    opening: str
    title: str = ""
    about: str = ""
    doubts: Sequence[str] = ()
    address: Mapping[str, str] | None = None
    query: Callable[[], str] | None = None
    turned: Callable[[str], object] | None = None

    def __post_init__(self) -> None:
        self._report_html = ""
        self._composer: Composer | None = None
        self._numbers: Numbers | None = None
        self._reporting: BackgroundTask[str] = BackgroundTask(self._on_report, rest=0)
        self.sheets = pn.Column(**w.WIDE)
        self.opened = ""
        """Name of the sheet that is open; empty if none is."""
        self._making = {"share": self._choices, "figure": self._compose}
        self._made: dict[str, pn.Column] = {}

    def toggle(self, name: str) -> None:
        """Open a sheet, "share" or "figure", in the place of the other; or close it."""
        self.opened = "" if self.opened == name else name
        if name not in self._made:
            look: dict[str, Any] = {"css_classes": ["sheet"], "stylesheets": [STYLE]}
            # Where the page is narrow, the buttons of the header are below the sheet.
            close = w.button("Close", lambda: self.toggle(name), **w.CLOSING)
            last = pn.Row(close, css_classes=["last"], stylesheets=[STYLE], **w.WIDE)
            self._made[name] = pn.Column(self._making[name](), last, **look, **w.WIDE)
            self.sheets.append(self._made[name])
        for one, sheet in self._made.items():
            sheet.visible = one == self.opened
        if self._composer is not None:
            self._composer.show(visible=self.opened == "figure")
        if self.turned is not None:
            self.turned(self.opened)

    def _compose(self) -> pn.Column:
        """What the sheet of a figure holds: made when it is first opened."""
        self._composer = Composer(self.explorer, self.opening)
        return self._composer.view

    def update(self) -> None:
        """Show the numbers of the present choices, where a plot's are seen."""
        if self._numbers is not None:
            self._numbers.update()

    def _choices(self) -> pn.Column:
        """What the other sheet holds, likewise."""
        explorer = self.explorer
        self._numbers = Numbers(self.data)
        self._report_title = _text("title of the report", self.title, 190)
        self._findings = w.widget(
            pn.widgets.TextAreaInput,
            "summary (optional)",
            rows=1,
            auto_grow=True,
            width=300,
            **w.IN_FORM,
        )
        self._make = w.button(MAKE_REPORT, self._make_or_cancel, width=150, height=28, **w.IN_FORM)
        self._report = w.download(
            "Download report", lambda: self._report_html, 150, "report.html", disabled=True
        )
        lines: dict[str, tuple[pn.viewable.Viewable, ...]] = {
            "Page": (
                CopyLink(STYLE, self.query or explorer.to_query, align="end"),
                w.download("Save session", lambda: to_json(explorer, self.address), 110, FILE),
                w.download("Python", lambda: self.python, 90, "tapviz_numbers.py"),
            ),
            "Scores": (
                w.download("Score table as CSV", partial(self._scores, as_csv), 150, "scores.csv"),
                w.download(
                    "Score table as LaTeX", partial(self._scores, as_latex), 160, "scores.tex"
                ),
                w.download(
                    "Scores of queries as CSV", partial(self._each, columns_csv), 170, "queries.csv"
                ),
                w.download(
                    "Scores of queries as Parquet",
                    partial(self._each, columns_parquet),
                    190,
                    "queries.parquet",
                ),
            ),
            "Report": (self._report_title, self._findings, self._make, self._report),
        }
        made = [
            pn.FlexBox(
                w.words(f"<b>{title}</b>", 0, 0, 7, 0, width=70),
                *parts,
                align_items="flex-end",
                **w.WIDE,
            )
            for title, parts in lines.items()
        ]
        return pn.Column(*made, self._numbers.view, css_classes=["export"], **w.WIDE)

    @property
    def python(self) -> str:
        """Python that makes the present numbers."""
        return to_python(self.explorer, self.opening)

    def close(self) -> None:
        """Stop making a report: nobody needs it any more."""
        self._reporting.discard()
        if self._composer is not None:
            self._composer.close()

    def _make_or_cancel(self) -> None:
        """Make the report of what is chosen now, in a thread: the page stays alive meanwhile."""
        # matplotlib is loaded only for figures.
        from tapviz.explorer.report import report  # noqa: PLC0415

        if self._reporting.waiting:
            self._reporting.discard()
            self._make.label = MAKE_REPORT
            return
        now, title = again(self.explorer), w.text_of(self._report_title) or self.title
        findings = self._findings.value or ""

        def work(progress: OnProgress | None) -> str:
            try:
                return report(
                    now,
                    title=title,
                    findings=findings,
                    opening=self.opening,
                    about=self.about,
                    doubts=self.doubts,
                    progress=progress,
                )
            except ValueError:
                return ""

        self._make.label = "Cancel report: 0 %"
        self._reporting.request(now, work)

    def _on_report(self) -> None:
        """Say how much of the report is done, or hand it out."""
        task = self._reporting
        if task.progress is not None:
            done, total = task.progress
            self._make.label = f"Cancel report: {100 * done // total} %"
            return
        self._make.label = "Nothing to report" if task.result == "" else MAKE_REPORT
        if task.result:
            self._report_html, self._report.disabled = task.result, False

    def _each(self, write: Callable[[dict[str, list[Any]]], w.File]) -> w.File:
        """Every score of every query selected, of the algorithms shown; empty if there is none."""
        explorer = self.explorer
        if not explorer.shown or not explorer.selection.n_queries:
            return ""
        return write(per_query(_chosen(explorer, explorer.shown), explorer.policies))

    def _scores(self, write: Callable[[ScoreTable], str]) -> str:
        explorer = self.explorer
        if not explorer.compared_names or not explorer.selection.n_queries:
            return NO_SCORES
        return write(_score(explorer)._replace(doubts=tuple(self.doubts)))


def _chosen(explorer: Explorer, names: Sequence[str]) -> dict[str, RetrievalLists]:
    """Lists of some algorithms with the queries selected; policies weigh them."""
    mask = explorer.selection.mask
    return {name: explorer.results[name].subset(mask) for name in names}


def _score(explorer: Explorer) -> ScoreTable:
    """Scores of the algorithms shown, the best first, and of the queries selected.

    Those that the page alone shows by itself, as at a common threshold, come last.
    """
    chosen = _chosen(explorer, explorer.compared_names)
    table = score(chosen, explorer.policies, baseline=explorer.baseline)
    there = {column.score for column in table.columns}
    more = [column for column in columns_shown(explorer) if column.score not in there]
    rows = {
        name: (*table.rows[name], *(value(explorer.case(name), one.score, name) for one in more))
        for name in best_first(explorer)
    }
    return table._replace(columns=(*table.columns, *more), rows=rows)
