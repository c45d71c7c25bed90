"""Parts of the page that scripts make."""

from __future__ import annotations

from collections.abc import Callable

import param

from tapviz.draw.tokens import controls
from tapviz.live.parts import Component
from tapviz.live.script import script, style_sheet
from tapviz.live.theme import Theme

Json = dict[str, object]


class ScrolledRows(Component):
    """Rows of which the browser has those that are seen; it asks for others by a message.

    Parameters
    ----------
    style : str
        Name of the style sheet.
    answer : callable
        Does what a message of the page asks for.
    """

    __abstract = True

    def __init__(self, style: str, answer: Callable[[object], None], **params: object) -> None:
        sheets = controls(), style_sheet(style, "tapviz.page")
        super().__init__(*sheets, sizing_mode="stretch_width", margin=(6, 0), **params)
        self.on_msg(lambda event: answer(event.data))

    def send(self, message: Json) -> None:
        """Send rows that were asked for."""
        self._send_msg(message)


class HeaderButtons(Theme):
    """The buttons of the header; on a narrow page they are in a menu.

    They also do for the page what `Accessibility` does. The tour and the lesson are offered where
    the page is all that there is to see.

    Parameters
    ----------
    style : str
        Style sheet of the page.
    press : callable
        Does what a button is for: "undo", "redo", or the name of a sheet, as in `opened`.
    """

    disabled = param.List(default=[], doc='Of "undo" and "redo", what there is nothing for.')
    opened = param.String(default="", doc='The sheet that is open, "share" or "figure".')

    _esm = script("header_buttons.js", "tapviz.page")

    def __init__(self, style: str, press: Callable[[str], object], **params: object) -> None:
        super().__init__(style, styles={"flex": "none", "margin-left": "auto"}, **params)
        self.on_msg(lambda event: press(event.data))


class CopyLink(Component):
    """A button; where the browser does not allow copying, the link appears in a field, selected.

    Parameters
    ----------
    style : str
        Style sheet of the page.
    query : callable
        Makes the query part of the link.
    """

    _esm = script("copy_link.js", "tapviz.page")

    def __init__(self, style: str, query: Callable[[], str], **params: object) -> None:
        super().__init__(style, margin=(0, 8, 2, 0), **params)
        self.on_msg(lambda _event: self._send_msg(query()))


class Heading(Component):
    """Heading that takes the focus when it appears, so that keyboards and readers get there."""

    text = param.String(default="")
    shown = param.Boolean(default=False)

    # The page reports that it is shown, so that it has sent a message since it got the panel: in
    # the first message after it got new parts, BokehJS describes those it mentions once more.
    _esm = script("heading.js", "tapviz.page")


class OnTheWay(Component):
    """Counts the dropped files that have not come to the server, of which it knows nothing else.

    FilePond, which shows them, says what happens to them by events of the page.
    """

    files = param.Integer(default=0)

    _esm = script("on_the_way.js", "tapviz.page")
