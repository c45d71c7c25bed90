"""The button that opens the controls where a screen is narrow."""

from __future__ import annotations

from typing import Any

from panel.custom import JSComponent

from tapviz.live.script import script


class ControlsButton(JSComponent):
    """Shows and hides the element of class ``rail``; the style sheet says where it is needed.

    Parameters
    ----------
    style : str
        Style sheet of the page.
    """

    _esm = script("controls_button.js")

    def __init__(self, style: str, **params: Any) -> None:
        super().__init__(stylesheets=[style], css_classes=["controls-button"], margin=0, **params)
