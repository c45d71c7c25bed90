"""The tab of the threshold: what is accepted, above the plot, and the advice in numbers below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import panel as pn

from tapviz.choices import LEAST_AND_MOST_ERRORS
from tapviz.dashboard.controls import (
    BOX,
    RAIL,
    SLIDER_OPTIONS,
    UNSEEN_LABEL,
    WIDGET,
    LiveFloatSlider,
    number_box,
)
from tapviz.dashboard.table import swatch
from tapviz.draw.style import number
from tapviz.live.templates import Markup, render
from tapviz.live.text import LiveText
from tapviz.measures import Advice, Advised, LoosestThreshold
from tapviz.plots.data import PlotData
from tapviz.plots.threshold import PLOT, relation_of, thresholds
from tapviz.scores import (
    advice_method,
    advice_warnings,
    figure_interval,
    figure_text,
    threshold_interval,
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
STEP = 0.02
"""Of the slider, in decades of errors per query."""


class Cell(NamedTuple):
    """A figure: for new queries, its interval, and in the sample."""

    text: str
    interval: str = ""
    sample: str = ""


class Row(NamedTuple):
    """An algorithm."""

    name: str
    sample: Markup
    threshold: str
    interval: str
    value: str
    """What a button sets E_0 to; empty: there is none."""
    reason: str
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
        at = thresholds(self._data)
        self.table.text = render(
            "advice.html",
            accepted=str(self._data.explorer.accepted),
            relation=relation_of(self._data),
            heads=list(HEADS.values()),
            rows=list(self._rows(at, advice)),
            method=advice_method(advice) if advice is not None else [],
            warnings=advice_warnings(advice, reasons=False) if advice is not None else [],
        )

    def _rows(self, at: dict[str, LoosestThreshold], advice: Advice | None) -> Iterator[Row]:
        for name, one in at.items():
            advised = advice.algorithms.get(name) if advice is not None else None
            few = ""
            if advice is not None and advised is not None:
                few = advice.reason or advised.few_errors
            yield Row(
                name,
                Markup(swatch(self._data.styles[name], 24)),
                number(one.threshold),
                threshold_interval(advised, few) if advised is not None else "",
                "" if one.reason else repr(one.threshold),
                one.reason,
                _cells(advised, few),
            )

    def _on_used(self, _: Any) -> None:
        self._data.explorer.use_threshold(float(self.table.choice))

    def _accepted_controls(self) -> list[pn.viewable.Viewable]:
        explorer = self._data.explorer
        low, high = np.log10(LEAST_AND_MOST_ERRORS).tolist()
        slider = LiveFloatSlider(
            label="errors per query accepted",
            start=low,
            end=high,
            step=STEP,
            value=float(np.log10(explorer.accepted_errors)),
            tags=["accepted_errors"],
            **SLIDER_OPTIONS | {"width": 120},
        )
        box, problem = number_box(
            explorer,
            "accepted_errors",
            "errors accepted",
            width=BOX,
            step=0.01,
            stylesheets=[UNSEEN_LABEL],
        )
        statistic = pn.widgets.Select.from_param(
            explorer.param.accepted_statistic,
            label="of the errors per query",
            width=160,
            margin=0,
            stylesheets=[WIDGET, UNSEEN_LABEL],
        )
        quantile, quantile_problem = number_box(
            explorer,
            "accepted_quantile",
            "share of the queries",
            width=BOX,
            step=0.05,
            stylesheets=[UNSEEN_LABEL],
        )

        def moved(event: Any) -> None:
            if abs(event.new - np.log10(explorer.accepted_errors)) > STEP / 2:
                explorer.accepted_errors = float(f"{10.0**event.new:.2g}")

        def follow(*_: Any) -> None:
            place = float(np.log10(explorer.accepted_errors))
            if abs(slider.value - place) > STEP:
                slider.value = place

        def with_quantile(*_: Any) -> None:
            quantile.visible = explorer.accepted_statistic == "quantile"

        with_quantile()
        slider.param.watch(moved, "value")
        explorer.param.watch(follow, "accepted_errors")
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
