"""Pictures of the page for the documentation and README.md.

    python docs/screenshots.py           # all of them
    python docs/screenshots.py text      # those named

Serves the page, opens each state in Chromium and writes ``docs/screenshots/NAME.webp``. Needs what
the tests need.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent
FOLDER = DOCS / "screenshots"
sys.path.insert(0, str(DOCS.parent))

from tapviz.scores import PRESETS  # noqa: E402
from tests.ui.conftest import Server, launched  # noqa: E402
from tests.ui.page import K, Page  # noqa: E402

COLORS = 256
"""So many suffice for a page with text and lines; a picture then takes about 80 kB."""


class State(NamedTuple):
    """What a picture shows."""

    address: str = ""
    """Query part of the link that opens it."""
    act: Callable[[Page], object] = Page.settled
    """What is done on the page once it has settled."""
    width: int = 1440
    height: int = 900
    dark: bool = False


DATA = {"text": "cranfield"}
"""Data set that shows a preset; the others show that which the page opens with."""
VIEWS = {"homology": {"n": 1, "view": "sensitivity"}}
"""What choosing a preset on the page changes beside the scores."""


def preset(name: str) -> State:
    """The page under a preset."""
    scores = PRESETS[name]
    chosen = {"dataset": DATA.get(name), "table_scores": scores, **VIEWS.get(name, {})}
    given = {key: value for key, value in chosen.items() if value}
    return State("?" + urlencode(given, doseq=True))


def _queries(page: Page) -> None:
    page.press("Find and filter ▾")
    page.browsed.locator(".queries .levels").wait_for()
    page.browsed.locator(".queries").scroll_into_view_if_needed()


def _composer(page: Page) -> None:
    page.press("Figure…")
    page.browsed.locator(".figure-preview[aria-busy=false] svg").wait_for()


STATES = {
    "page": State(),
    "dark": State(dark=True),
    "narrow": State(width=1000, height=800),
    "phone": State(width=390, height=844),
    "baseline": State("?baseline=BLASTP&view=differences"),
    "one-query": State("?focus=d1ps9a3&view=strip"),
    "subset": State("?query_class=c&min_relevant=10"),
    "queries": State("?opponent=jackhmmer", _queries),
    "figure": State("", _composer),
    **{f"preset-{name}": preset(name) for name in PRESETS},
}
"""Every picture by the name of its file."""
MOVING = "drag"
"""The moving picture of the README."""
STEPS, SMALLER, PAUSE = 24, (960, 600), 120
"""How often the handle of k is moved, the size in pixels, and milliseconds for each picture."""


def drag(page: Page) -> list[Image.Image]:
    """Pictures of the page while k is moved up and down."""
    handle = page.handle(K)
    pictures = []
    for step in range(2 * STEPS):
        handle.press("ArrowRight" if step < STEPS else "ArrowLeft")
        page.at_rest()
        shot = Image.open(BytesIO(page.browsed.screenshot())).convert("RGB")
        pictures.append(shot.resize(SMALLER, Image.Resampling.LANCZOS))
    return pictures


def take(states: dict[str, State], *, moving: bool) -> None:
    """Write the picture of each state, and the moving one."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as logs, sync_playwright() as playwright:
        server, browser = Server(Path(logs)), launched(playwright)
        try:
            for name, state in states.items():
                context = browser.new_context(
                    viewport={"width": state.width, "height": state.height},
                    color_scheme="dark" if state.dark else "light",
                    reduced_motion="reduce",
                )
                page = Page(context.new_page(), server).open(state.address)
                page.settled()
                state.act(page)
                page.settled()
                write(page.browsed.screenshot(), FOLDER / f"{name}.webp")
                context.close()
            if moving:
                context = browser.new_context(viewport={"width": 1440, "height": 900})
                page = Page(context.new_page(), server).open()
                page.settled()
                first, *others = drag(page)
                first.save(
                    FOLDER / f"{MOVING}.webp",
                    save_all=True,
                    append_images=others,
                    duration=PAUSE,
                    loop=0,
                    quality=60,
                    method=6,
                )
                context.close()
        finally:
            browser.close()
            server.stop()


def write(png: bytes, path: Path) -> None:
    """Write a picture without loss but of colours."""
    few = Image.open(BytesIO(png)).convert("RGB").quantize(COLORS).convert("RGB")
    few.save(path, lossless=True, method=6)


if __name__ == "__main__":
    asked = sys.argv[1:]
    some = {name: STATES[name] for name in asked if name != MOVING}
    take(some if asked else STATES, moving=not asked or MOVING in asked)
