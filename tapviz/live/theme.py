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
from tapviz.draw.tokens import sheet
from tapviz.live.compat import without_busy_indicator
from tapviz.live.script import script

STYLE = files("tapviz.live").joinpath("page.css").read_text(encoding="utf-8")
"""Style sheet of the page."""
TOUR = files("tapviz.live").joinpath("tour.css").read_text(encoding="utf-8")
HAS_TOKENS = "has_tokens"
"""Variable of the template of a document that comes with the tokens."""
HEAD = f"""<style id="tapviz-tokens">{sheet()}
body {{ background: var(--tv-page); font-family: var(--tv-face); }}
.tapviz-skip:not(:focus) {{ position: absolute; width: 1px; height: 1px; clip-path: inset(50%); }}
:is(.tapviz-skip, #tapviz-waiting) {{
  position: fixed; z-index: 50; top: 8px; left: 50%; translate: -50%; padding: 4px 12px; border: 0;
  border-radius: var(--tv-radius); background: var(--tv-ink); color: var(--tv-ground);
  font: var(--tv-text)/24px var(--tv-face); pointer-events: none;
}}
.tapviz-skip:focus-visible {{ outline: 2px solid var(--tv-link); outline-offset: 1px; }}
#tapviz-waiting:empty {{ display: none; }}
{TOUR}</style>
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


@without_busy_indicator("dark", "chosen")
class Theme(JSComponent):
    """The button that turns the page dark, and light again.

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

    _esm = script("theme_button.js")

    def __init__(self, style: str, **params: Any) -> None:
        document, location = pn.state.curdoc, pn.state.location
        settings = parse_qs((location.search if location is not None else "").lstrip("?"))
        ground = settings.get("ground", [""])[-1]
        has_tokens = document is not None and HAS_TOKENS in document.template_variables
        super().__init__(
            dark=ground == "dark",
            chosen=ground if ground in ("dark", "light") else "",
            whole=document is not None,
            sheet="" if has_tokens else sheet(),
            stylesheets=[style],
            margin=(0, 0, 0, 8),
            **params,
        )
