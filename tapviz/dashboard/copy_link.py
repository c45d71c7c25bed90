"""The button that copies a link to what is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param
from panel.custom import JSComponent


class CopyLink(JSComponent):
    """A button; where the browser lets nobody copy, the link appears to be copied by hand.

    Parameters
    ----------
    style : str
        Style sheet of the page.
    query : callable
        Makes the query part of the link.
    """

    asked = param.Integer(default=0, doc="How often the button has been pressed.")
    told = param.String(default="", doc="The query part, behind a number that is always another.")

    _esm = """
    export function render({ model }) {
        const place = document.createElement("div")
        const button = document.createElement("button")
        const field = document.createElement("input")
        const said = document.createElement("span")
        place.className = "copy-link"
        button.textContent = "Copy link"
        field.readOnly = field.hidden = true
        field.setAttribute("aria-label", "link to this view")
        said.setAttribute("role", "status")
        button.addEventListener("click", () => { model.asked += 1 })
        model.on("told", async () => {
            const url = new URL(location.href)
            url.search = model.told.slice(model.told.indexOf("?"))
            field.value = url.href
            try {
                await navigator.clipboard.writeText(url.href)
                said.textContent = "copied"
                field.hidden = true
            } catch {
                field.hidden = false
                field.focus()
                field.select()
                said.textContent = "press Ctrl+C"
            }
            setTimeout(() => { said.textContent = "" }, 4000)
        })
        place.append(button, field, said)
        return place
    }
    """

    def __init__(self, style: str, query: Callable[[], str], **params: Any) -> None:
        super().__init__(stylesheets=[style], margin=(0, 0, 0, 14), **params)
        self.param.watch(lambda _: self.param.update(told=f"{self.asked}{query()}"), "asked")
