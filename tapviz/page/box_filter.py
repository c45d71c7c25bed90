"""A box without a mouse: limits of TAP that are written instead of drawn."""

from __future__ import annotations

from typing import Any

import panel as pn

from tapviz.live.templates import render
from tapviz.page.controls import RAIL, UNSEEN_LABEL, WIDGET
from tapviz.plots.data import PlotData
from tapviz.plots.scatter import select_between

OPEN, CLOSED = "Filter ▴", "Filter ▾"
SIDES = ("from", "to")


class BoxFilter:
    """A button for the line above A against B, and the row that it opens.

    Parameters
    ----------
    data : PlotData
        What the plots of the page are made of.
    style : str
        Style sheet of the page.
    """

    def __init__(self, data: PlotData, style: str) -> None:
        self._data = data
        self.button = pn.widgets.Button(
            label=CLOSED,
            width=76,
            margin=(0, 0, 0, 6),
            stylesheets=[WIDGET],
            on_click=self._toggle,
        )
        self._boxes: dict[tuple[str, str], pn.widgets.FloatInput] = {}
        self._problem = pn.pane.HTML("", visible=False, margin=0, stylesheets=[style])
        self.row = pn.Column(visible=False, sizing_mode="stretch_width", margin=(4, 0, 2, 0))

    def _limits(self) -> pn.Row:
        """What the row holds: made when it is first opened."""
        letters = "AB"[: len(self._data.explorer.results)]
        self._boxes = {
            (letter, side): pn.widgets.FloatInput(
                label=f"TAP of {letter} {side}",
                value=float(side == "to"),
                step=0.05,
                width=62,
                margin=0,
                stylesheets=[WIDGET, UNSEEN_LABEL],
            )
            for letter in letters
            for side in SIDES
        }
        parts: list[Any] = []
        for letter in letters:
            quantity = "TAP" if len(letters) == 1 else f"TAP of {letter}"
            words = (f"{quantity} from", "to")
            for side, word in zip(SIDES, words, strict=True):
                parts += [_word(word), self._boxes[letter, side]]
        keep_button = pn.widgets.Button(
            label="Keep",
            width=58,
            margin=(0, 0, 0, 8),
            stylesheets=[WIDGET],
            on_click=self._keep,
        )
        return pn.Row(*parts, keep_button, margin=0, styles={"flex-wrap": "wrap", "min-width": "0"})

    def show(self, *, seen: bool) -> None:
        """Show the button, or hide it and close the row."""
        self.button.visible = seen
        if not seen and self.row.visible:
            self._toggle()

    def _toggle(self, *_: Any) -> None:
        if not self.row:
            self.row[:] = [self._limits(), self._problem]
        self.row.visible = not self.row.visible
        self.button.label = OPEN if self.row.visible else CLOSED
        self._problem.visible = False

    def _keep(self, *_: Any) -> None:
        values = [box.value for box in self._boxes.values()]
        problem = self._problem_of(values) or select_between(self._data, *values)
        self._problem.object = render("problem.html", problem=problem)
        self._problem.visible = bool(problem)

    def _problem_of(self, values: list[Any]) -> str:
        """What is wrong with the numbers; empty if nothing is."""
        for box, value in zip(self._boxes.values(), values, strict=True):
            if value is None or not 0 <= value <= 1:
                return f"{box.label}: enter a number from 0 to 1"
        if any(low > high for low, high in zip(values[::2], values[1::2], strict=True)):
            return "The lower limit must not exceed the upper one"
        return ""


def _word(text: str) -> pn.pane.HTML:
    return pn.pane.HTML(text, stylesheets=[RAIL], margin=(6, 5, 0, 6))
