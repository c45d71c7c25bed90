"""The page while it is empty: the places that header, controls, table and plots will take."""

from __future__ import annotations

from collections.abc import Sequence

import panel as pn

from tapviz.live.parts import LiveText
from tapviz.live.script import STYLE
from tapviz.page.components import HeaderButtons
from tapviz.page.widgets import WIDE, WIDTH, words

STYLED: dict[str, object] = {"stylesheets": [STYLE], "margin": 0}
PLOT_BOX = STYLED | {
    "css_classes": ["plot"],
    "styles": {"flex": "1 1 max(420px, 50% - 12px)", "min-width": "min(380px, 100%)"},
    "height": 440,  # at least: the style sheet knows the window
}
RAIL_WIDTH = WIDTH + 41  # its padding and its edge
OF_TABS: dict[str, object] = {"height": None, "css_classes": ["plot", "growing", "tab-area"]}


class Places:
    """A page of which only the title, verdict and table are there; its other parts are added later.

    Parameters
    ----------
    title, verdict, table : LiveText
        What is open, for the header; what may be concluded; the score table and what stands below.
    buttons : HeaderButtons
    n_frames : int
        Of plots: one for each place, and the last for the tabs.
    note : str
        A line of HTML; empty if there is none.
    above : sequence of pn.viewable.Viewable
        Controls for the header.
    """

    def __init__(
        self,
        title: LiveText,
        verdict: LiveText,
        table: LiveText,
        buttons: HeaderButtons,
        n_frames: int,
        note: str,
        above: Sequence[pn.viewable.Viewable],
    ) -> None:
        across = STYLED | WIDE
        self.header = pn.Row(
            pn.pane.HTML('<h1 class="brand">tapviz</h1>', **STYLED),
            *above,
            title,
            buttons,
            css_classes=["header"],
            **across,
        )
        self.rail = pn.Column(width=RAIL_WIDTH, css_classes=["rail"], **STYLED)
        self.frames = [pn.Column(**PLOT_BOX) for _ in range(n_frames)]
        """Where the plots are: those that are always seen, and in the last that of a tab."""
        self.frames[-1].param.update(**OF_TABS)
        # A FlexBox would show its children a while after they are there.
        styles = {"position": "relative", "flex-wrap": "wrap", "min-width": "0"}
        styles |= {"align-items": "flex-start", "gap": "12px"}
        self.grid = pn.Row(*self.frames, styles=styles, **WIDE)
        self.main = pn.Column(
            *([_line(note)] if note else []),
            verdict,
            table,
            self.grid,
            css_classes=["main"],
            styles={"min-width": "0"},
            **(across | {"margin": (0, 20, 20, 20)}),
        )
        # The results before the controls, which the style sheet puts on the left: whoever goes
        # by keys or listens is not led through all of them first.
        both = pn.Row(self.main, self.rail, css_classes=["both"], **across)
        self.page = pn.Column(self.header, both, css_classes=["tapviz"], **across)


def _line(note: str) -> pn.pane.HTML:
    # The note is HTML, escaped by its template.
    return words(f'<div class="notice">{note}</div>', sheet=STYLE, sizing_mode="stretch_width")
