"""Light or dark: the page by variables of its style sheets, figures by other colours."""

from __future__ import annotations

from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs

import panel as pn
import param
from bokeh.core.property.vectorization import Value
from bokeh.model import Model
from panel.custom import JSComponent

from tapviz.draw.style import ON_DARK
from tapviz.live.compat import without_busy_indicator

STYLE = files("tapviz.live").joinpath("page.css").read_text(encoding="utf-8")
"""Style sheet of the page."""

FROM_DARK = {dark: light for light, dark in ON_DARK.items() if light != "white"}


def shade(color: str, *, dark: bool) -> str:
    """A colour of a light figure as it is in a dark one, or as it is."""
    return ON_DARK.get(color, color) if dark else color


def repaint(model: Model, *, dark: bool) -> None:
    """Turn the colours of a figure, drawn light or dark, to those of the other."""
    known = ON_DARK if dark else FROM_DARK
    for part in model.references():
        for name in part.properties():
            if not name.endswith("color"):
                continue
            held = getattr(part, name)
            color = held.value if isinstance(held, Value) else held
            if isinstance(color, str) and color in known:
                setattr(part, name, known[color])


@without_busy_indicator("dark")
class Theme(JSComponent):
    """The button that turns the page dark, and light again.

    Light unless the address says ``ground=dark``: Panel has plans of its own for ``theme``.

    Parameters
    ----------
    style : str
        Style sheet of the page.
    """

    dark = param.Boolean(default=False)
    whole = param.Boolean(default=False, doc="Whether the page is all that there is to see.")
    sheet = param.String(default=files("tapviz.live").joinpath("dark.css").read_text("utf-8"))

    _esm = """
    export function render({ model }) {
        const container = document.createElement("div")
        const button = document.createElement("button")
        container.className = "theme"
        button.textContent = "Dark"
        if (!document.getElementById("tapviz-dark")) {
            const sheet = document.createElement("style")
            sheet.id = "tapviz-dark"
            sheet.textContent = model.sheet
            document.head.append(sheet)
        }
        const show = () => {
            document.documentElement.dataset.tapviz = model.dark ? "dark" : "light"
            button.setAttribute("aria-pressed", model.dark)
            if (model.whole) document.body.style.background = "var(--tv-ground, #fff)"
        }
        button.addEventListener("click", () => { model.dark = !model.dark })
        model.on("dark", show)
        show()
        container.append(button)
        return container
    }
    """

    def __init__(self, style: str, **params: Any) -> None:
        location = pn.state.location
        settings = parse_qs((location.search if location is not None else "").lstrip("?"))
        super().__init__(
            dark=settings.get("ground", [""])[-1] == "dark",
            whole=pn.state.curdoc is not None,
            stylesheets=[style],
            margin=(0, 0, 0, 8),
            **params,
        )
