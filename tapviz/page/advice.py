"""The tab of the threshold: what is accepted, above the plot, and the advice in numbers below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import panel as pn

from tapviz.draw.style import number
from tapviz.explorer.score_table import swatch
from tapviz.live.templates import Markup, render
from tapviz.live.text import LiveText
from tapviz.measures import USUAL_CONFIDENCE, Advice, Advised, LoosestThreshold
from tapviz.page.controls import (
    BOX,
    RAIL,
    UNSEEN_LABEL,
    WIDGET,
    control,
    log_slider,
    number_box,
)
from tapviz.plots.data import PlotData
from tapviz.plots.threshold import PLOT, promises, relation_of, thresholds
from tapviz.scores import (
    advice_method,
    advice_warnings,
    figure_interval,
    figure_text,
    kinds_of_threshold,
)

HEADS = {
    "errors": ("errors per query", "mean, median or quantile of the errors, whichever you limit"),
    "recall": ("recall", "share of its relevant records that a query finds, mean over queries"),
    "precision": (
        "precision",
        "share of relevant records among those retrieved, mean over queries that retrieve any",
    ),
    "tap": ("TAP", "mean Threshold Average Precision at the threshold"),
    "exceeding": ("with more errors", "share of the queries with more errors than you accept"),
}
HELP = (
    "the loosest threshold at which new queries have at most the errors you accept",
    "the loosest threshold at which these queries have them; new ones have more every other time",
)
"""Of the two thresholds."""
STEP = 0.02
"""Of the slider, in decades of errors per query."""


class Cell(NamedTuple):
    """A figure: for new queries, its interval, and in the sample."""

    text: str
    interval: str = ""
    sample: str = ""


class At(NamedTuple):
    """A threshold."""

    kind: str
    text: str
    below: str
    """Its interval, or what the queries at hand find there."""
    value: str
    """What a button sets E_0 to."""
    reason: str
    """Why there is none; empty otherwise."""


class Row(NamedTuple):
    """An algorithm."""

    name: str
    sample: Markup
    promised: At
    found: At
    cells: list[Cell]


class ThresholdAdvice:
    """Controls for the errors that are accepted, and the table of thresholds for them.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    style : str
        Style sheet of the page.
    """

    def __init__(self, data: PlotData, style: str) -> None:
        self._data, self._style = data, style
        self.controls = pn.Row(
            visible=False,
            margin=(2, 0),
            sizing_mode="stretch_width",
            css_classes=["tab-area"],
            stylesheets=[style],
            styles={"flex-wrap": "wrap", "min-width": "0", "gap": "2px 6px"},
        )
        self.table = LiveText(style, visible=False, sizing_mode="stretch_width")
        self.table.param.watch(self._on_used, "pressed")

    def show(self, *, seen: bool) -> None:
        """Show the controls and the table, or hide them; they are made when they are first seen."""
        if seen and not self.controls:
            self.controls[:] = self._accepted_controls()
        self.controls.visible = self.table.visible = seen
        self.update()

    def update(self) -> None:
        """Show the advice for the present choices."""
        if not self.table.visible:
            return
        advice = self._data.slow.get(PLOT.name)
        self.table.text = render(
            "advice.html",
            accepted=str(self._data.explorer.accepted),
            relation=relation_of(self._data),
            kinds=list(zip(self._kinds, HELP, strict=True)),
            heads=list(HEADS.values()),
            rows=list(self._rows(advice)),
            method=advice_method(advice) if advice is not None else [],
            warnings=advice_warnings(advice, reasons=False) if advice is not None else [],
        )

    @property
    def _kinds(self) -> tuple[str, str]:
        """What the two thresholds are called."""
        return kinds_of_threshold(self._data.explorer.accepted, USUAL_CONFIDENCE)

    def _rows(self, advice: Advice | None) -> Iterator[Row]:
        promised, (at_most, about) = promises(self._data), self._kinds
        for name, one in thresholds(self._data).items():
            advised = advice.algorithms.get(name) if advice is not None else None
            few = advice.reason if advice is not None else ""
            span = figure_interval("threshold", advised.threshold, few) if advised else ""
            sure = promised[name]
            yield Row(
                name,
                Markup(swatch(self._data.styles[name], 24)),
                _at(at_most, sure, f"recall {figure_text('recall', sure.recall)}"),
                _at(about, one, span),
                _cells(advised, few) if not one.reason else [],
            )

    def _on_used(self, _: Any) -> None:
        self._data.explorer.use_threshold(float(self.table.choice))

    def _accepted_controls(self) -> list[pn.viewable.Viewable]:
        explorer = self._data.explorer
        slider = log_slider(
            explorer,
            "accepted_errors",
            "errors per query accepted",
            lambda errors: float(f"{errors:.2g}"),
            step=STEP,
            width=120,
        )
        box, problem = number_box(
            explorer, "accepted_errors", width=BOX, step=0.01, stylesheets=[UNSEEN_LABEL]
        )
        statistic = control(
            explorer, "accepted_statistic", width=160, margin=0, stylesheets=[WIDGET, UNSEEN_LABEL]
        )
        quantile, quantile_problem = number_box(
            explorer,
            "accepted_quantile",
            width=BOX,
            step=0.05,
            stylesheets=[UNSEEN_LABEL],
        )

        def with_quantile(*_: Any) -> None:
            quantile.visible = explorer.accepted_statistic == "quantile"

        with_quantile()
        explorer.param.watch(with_quantile, "accepted_statistic")
        return [
            _words("<b>Accept</b>"),
            slider,
            box,
            _words("errors per query"),
            statistic,
            quantile,
            problem,
            quantile_problem,
        ]


def _at(kind: str, one: LoosestThreshold, below: str) -> At:
    return At(kind, number(one.threshold), below, repr(one.threshold), one.reason)


def _cells(advised: Advised | None, few: str) -> list[Cell]:
    if advised is None:
        return [Cell("…")] * len(HEADS)
    return [
        Cell(
            figure_text(name, figure.estimate),
            figure_interval(name, figure, few),
            figure_text(name, figure.in_sample),
        )
        for name, figure in advised.figures.items()
    ]


def _words(text: str) -> pn.pane.HTML:
    return pn.pane.HTML(text, stylesheets=[RAIL], margin=(6, 0, 0, 0))
