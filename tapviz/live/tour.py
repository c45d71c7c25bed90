"""The button that offers a tour of the page."""

from __future__ import annotations

from typing import Any

from panel.custom import JSComponent

from tapviz.live.script import script


class Tour(JSComponent):
    """Shows what is where on the page, in four steps over what is open.

    Parameters
    ----------
    style : str
        Style sheet of the page.
    """

    _esm = script("tour.js")

    def __init__(self, style: str, **params: Any) -> None:
        super().__init__(stylesheets=[style], margin=(0, 0, 0, 8), **params)
