"""What all pages look like: type, colours and controls, and the text face."""

from __future__ import annotations

import base64
from functools import cache
from importlib.resources import as_file, files

FACE = "Inter Tabular"
"""Inter with figures of one width: numbers that move or stand in columns do not jitter."""

ROOM = files("tapviz.draw")


@cache
def sheet() -> str:
    """Custom properties, light and dark, and the face itself: nothing jumps when it arrives."""
    face = base64.b64encode(ROOM.joinpath("fonts/inter.woff2").read_bytes()).decode()
    return (
        f'@font-face {{ font-family: "{FACE}"; font-weight: 400 700; font-display: block; '
        f"src: url(data:font/woff2;base64,{face}) format('woff2'); }}\n"
        + ROOM.joinpath("tokens.css").read_text(encoding="utf-8")
    )


@cache
def controls() -> str:
    """Buttons, fields and choices as all pages have them; `sheet` has the properties they name."""
    return ROOM.joinpath("controls.css").read_text(encoding="utf-8")


@cache
def register() -> None:
    """Let matplotlib draw with the face, from the first figure on."""
    from matplotlib.font_manager import fontManager  # noqa: PLC0415  # pages need none

    for name in ("inter.ttf", "inter-bold.ttf"):
        with as_file(ROOM.joinpath("fonts", name)) as path:
            fontManager.addfont(path)
