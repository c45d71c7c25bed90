"""The composer of figures: which plots as panels, how they look, a preview, and words."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn

from tapviz.explorer import Explorer
from tapviz.live.background import BackgroundTask
from tapviz.live.templates import escape
from tapviz.live.text import LiveText
from tapviz.page.controls import WIDGET
from tapviz.plots import plots_for
from tapviz.state import SETTINGS
from tapviz.state.settings import settings

PANELS = "ABCDEF"
NONE = {"none": ""}
KINDS = {
    "SVG": "svg",
    "PDF": "pdf",
    "PNG, 600 dpi": "png",
    "CSV (numbers of panel A)": "csv",
    "ZIP (all of these, settings, Python)": "zip",
}
SYMBOLS = {"small": 0.6, "usual": 1.0, "large": 1.5}
TITLES = {"with titles": True, "without": False}
COLOURS = {"in colour": False, "greyscale": True}
BANDS = {"none": False, "95 % intervals": True}
OPTIONS: dict[str, Any] = {"stylesheets": [WIDGET], "margin": (2, 8, 2, 0)}
COPY = "navigator.clipboard.writeText(words.value)"
PREVIEW = """
.figure-preview { overflow: auto; max-width: 100%; max-height: 90vh; }
.figure-preview svg { display: block; background: #fff; border: 1px solid var(--tv-rule); }
.figure-preview[aria-busy=true] svg { opacity: .5; }
.figure-preview p { margin: 0 0 4px; min-height: 1.4em; }
"""


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
            _select(f"panel {letter}", plots if letter == "A" else NONE | plots, 150)
            for letter in PANELS
        ]
        self._width = pn.widgets.IntInput(
            label="width, mm (1 column: 86; 2: 178)",
            value=86,
            start=WIDTHS[0],
            end=WIDTHS[1],
            width=190,
            **OPTIONS,
        )
        self._names = pn.widgets.TextInput(
            label="names in the figure",
            placeholder="BLASTP = BLAST 2.14; ...",
            width=220,
            **OPTIONS,
        )
        self._order = pn.widgets.TextInput(
            label="order, first to last",
            placeholder="; ".join([*explorer.results][1::-1]),
            width=170,
            **OPTIONS,
        )
        self._face = _select("face", {name: name for name in faces()}, 150)
        self._symbols = _select("symbols", SYMBOLS, 90)
        self._symbols.value = 1.0
        self._bands = _select("bands", BANDS, 130)
        self._titles = _select("titles", TITLES, 110)
        self._colours = _select("colours", COLOURS, 110)
        self._kind = _select("file", KINDS, 250)
        self._download = pn.widgets.FileDownload(
            label="Download figure",
            callback=self._file,
            filename="figure.svg",
            width=140,
            height=28,
            **(OPTIONS | {"margin": (20, 8, 2, 0)}),
        )
        self._preview = LiveText(WIDGET + PREVIEW, sizing_mode="stretch_width")
        self._words = pn.widgets.TextAreaInput(
            label="caption, methods and citation",
            disabled=False,
            rows=6,
            max_length=100_000,
            sizing_mode="stretch_width",
            **OPTIONS,
        )
        copy = pn.widgets.Button(label="Copy text", width=100, height=28, **OPTIONS)
        copy.js_on_click(args={"words": self._words}, code=COPY)
        self._drawn = ""
        self._open = False
        self._drawing = BackgroundTask(self._on_drawn, rest=0.1)
        choices = (
            *self._panels,
            self._width,
            self._names,
            self._order,
            self._face,
            self._symbols,
            self._bands,
            self._titles,
            self._colours,
        )
        for choice in choices:
            choice.param.watch(self._refresh, "value")
        self._kind.param.watch(self._name_file, "value")
        self._watcher = explorer.param.watch(self._refresh, list(SETTINGS))
        self.view = pn.Column(
            pn.FlexBox(*choices, align_items="flex-end", sizing_mode="stretch_width", margin=0),
            pn.FlexBox(self._kind, self._download, copy, align_items="flex-end", margin=0),
            self._preview,
            self._words,
            sizing_mode="stretch_width",
            margin=0,
            css_classes=["composer"],
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

    def _name_file(self, *_: Any) -> None:
        self._download.filename = f"figure.{self._kind.value}"

    def _refresh(self, *_: Any) -> None:
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
        self._preview.text = (
            f'<div class="figure-preview" role="group" aria-label="preview of the figure" '
            f'aria-busy="{str(busy).lower()}" tabindex="0">'
            f'<p role="status">{escape(message)}</p>{self._drawn}</div>'
        )

    def _work(self) -> Callable[[], tuple[str, str]]:
        """What draws the preview, in a thread: choices are read before it starts."""
        from tapviz.explorer.paper import figure_words  # noqa: PLC0415
        from tapviz.plots.save import Drawn, as_bytes  # noqa: PLC0415

        copy, panels = self._copying(), self._chosen_panels()
        content, look = self._content(), self._look()

        def work() -> tuple[str, str]:
            now = copy()
            drawn = Drawn(now, panels, **content)
            svg = as_bytes(drawn.figure(**look), "svg").decode()
            return svg[svg.index("<svg") :], figure_words(now, drawn)

        return work

    def _copying(self) -> Callable[[], Explorer]:
        """What makes a copy of the choices of now: those of the page may change meanwhile."""
        explorer = self._explorer
        order = list(explorer.style_order)
        chosen = settings(explorer)
        return partial(Explorer, explorer.results, order, judging=explorer.judging, **chosen)

    def _chosen_panels(self) -> list[str]:
        return [panel.value for panel in self._panels if panel.value]

    def _content(self) -> dict[str, Any]:
        return {
            "title": None if self._titles.value else "",
            "names": self._renaming(),
            "order": [name.strip() for name in self._order.value.split(";") if name.strip()],
            "bands": self._bands.value,
        }

    def _renaming(self) -> dict[str, str]:
        """Names of algorithms as written: "name = new name", separated by semicolons."""
        pairs: dict[str, str] = {}
        for part in filter(str.strip, self._names.value.split(";")):
            name, sign, new = (one.strip() for one in part.partition("="))
            if not (sign and new):
                msg = f"names: expected NAME = NEW NAME, found {part.strip()!r}"
                raise ValueError(msg)
            pairs[name] = new
        return pairs

    def _look(self) -> dict[str, Any]:
        return {
            "width": self._width.value,
            "greyscale": self._colours.value,
            "face": self._face.value,
            "symbols": self._symbols.value,
        }

    def _file(self) -> io.BytesIO:
        from tapviz.explorer.paper import figure_zip  # noqa: PLC0415
        from tapviz.plots.save import Drawn, as_bytes  # noqa: PLC0415

        now, look = self._copying()(), self._look()
        if self._kind.value == "zip":
            content, panels = self._content(), self._chosen_panels()
            return io.BytesIO(figure_zip(now, panels, self._opening, **look, **content))
        drawn = Drawn(now, self._chosen_panels(), **self._content())
        if self._kind.value == "csv":
            return io.BytesIO(drawn.csv(drawn.plots[0]))
        return io.BytesIO(as_bytes(drawn.figure(**look), self._kind.value))


def _select(label: str, options: Any, width: int) -> pn.widgets.Select:
    return pn.widgets.Select(label=label, options=options, width=width, **OPTIONS)
