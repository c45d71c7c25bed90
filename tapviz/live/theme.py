"""Light or dark: the page by variables of its style sheets, figures by other colours."""

from __future__ import annotations

from urllib.parse import parse_qs

import panel as pn
import param
from bokeh.core.property.vectorization import Value
from bokeh.model import Model

from tapviz.draw.style import ON_DARK
from tapviz.draw.tokens import controls, sheet
from tapviz.live.parts import Component
from tapviz.live.script import script, style_sheet

HAS_TOKENS = "has_tokens"
"""Variable of the template of a document that comes with the tokens."""
OVER = style_sheet("over.css")
"""Styles of what lies over a page."""
HEAD = f"""<style id="tapviz-tokens">{sheet()}{controls()}
{style_sheet("head.css")}{OVER}</style>
<script>{script("dress.js")}</script>"""
"""What a served page has in its head: its first frame is in the right colours and letters."""

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


class Theme(Component):
    """What turns the page dark, and light again, by a button in it (`theme_button.js`).

    As the system is, unless the address says ``ground=dark`` or ``ground=light`` (Panel has plans
    of its own for ``theme``), or the button has been pressed here before.

    Parameters
    ----------
    style : str
        Style sheet of the page.
    """

    dark = param.Boolean(default=False)
    chosen = param.String(default="", doc='"dark" or "light" where the system is not so.')
    whole = param.Boolean(default=False, doc="Whether the page is all that there is to see.")
    sheet = param.String(default="", doc="Tokens, for a document that has none of them.")

    __abstract = True

    def __init__(self, style: str, **params: object) -> None:
        document, location = pn.state.curdoc, pn.state.location
        settings = parse_qs((location.search if location is not None else "").lstrip("?"))
        ground = settings.get("ground", [""])[-1]
        has_tokens = document is not None and HAS_TOKENS in document.template_variables
        super().__init__(
            style,
            dark=ground == "dark",
            chosen=ground if ground in ("dark", "light") else "",
            whole=document is not None,
            sheet="" if has_tokens else sheet() + OVER * (document is not None),
            **params,
        )
