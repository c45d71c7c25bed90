"""The button that copies a link to what is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param
from panel.custom import JSComponent


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

    _esm = """
    export function render({ model }) {
        const container = document.createElement("div")
        const button = document.createElement("button")
        const field = document.createElement("input")
        const status = document.createElement("span")
        container.className = "copy-link"
        button.textContent = "Copy link"
        field.readOnly = field.hidden = true
        field.setAttribute("aria-label", "link to this view")
        status.setAttribute("role", "status")
        button.addEventListener("click", () => { model.presses += 1 })
        model.on("query", async () => {
            const url = new URL(location.href)
            url.search = model.query.slice(model.query.indexOf("?"))
            field.value = url.href
            try {
                await navigator.clipboard.writeText(url.href)
                status.textContent = "copied"
                field.hidden = true
            } catch {
                field.hidden = false
                field.focus()
                field.select()
                status.textContent = "press Ctrl+C"
            }
            setTimeout(() => { status.textContent = "" }, 4000)
        })
        container.append(button, field, status)
        return container
    }
    """

    def __init__(self, style: str, query: Callable[[], str], **params: Any) -> None:
        super().__init__(stylesheets=[style], margin=(0, 0, 0, 8), **params)
        self.param.watch(lambda event: self.param.update(query=f"{event.new}{query()}"), "presses")
