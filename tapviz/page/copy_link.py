"""The button that copies a link to what is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param
from panel.custom import JSComponent

from tapviz.live.script import script


class CopyLink(JSComponent):
    """A button; where the browser does not allow copying, the link appears in a field, selected.

    Parameters
    ----------
    style : str
        Style sheet of the page.
    query : callable
        Makes the query part of the link.
    """

    presses = param.Integer(default=0, doc="How often the button has been pressed.")
    query = param.String(default="", doc="The query part of the link, after the count of presses.")

    _esm = script("copy_link.js", "tapviz.page")

    def __init__(self, style: str, query: Callable[[], str], **params: Any) -> None:
        super().__init__(stylesheets=[style], margin=(0, 0, 0, 8), **params)
        self.param.watch(lambda event: self.param.update(query=f"{event.new}{query()}"), "presses")
