"""HTML in the page that changes often."""

from __future__ import annotations

from typing import Any

import param
from panel.custom import JSComponent

from tapviz.live.compat import without_busy_indicator
from tapviz.live.script import script


@without_busy_indicator("pressed", "choice")
class LiveText(JSComponent):
    """HTML that changes often: for each change of a Div Bokeh would lay out the whole page."""

    text = param.String(default="", doc="HTML, made here; ids and names in it are escaped.")
    pressed = param.Integer(default=0, doc="How often a button in the text has been pressed.")

    choice = param.String(default="", doc="Value of the button that has been pressed last.")

    # Only what differs is touched: the browser need not lay out the rest again, and what has the
    # focus or has been opened stays so. Of children, both ends that are of a kind are kept.
    _esm = script("live_text.js")

    def __init__(self, style: str, **params: Any) -> None:
        super().__init__(stylesheets=[style], margin=0, **params)
