"""What axe finds in the built site: barriers to people without a mouse, or without eyes.

    python docs/accessible.py docs/_build/html

Opens every page, light and dark, and of the reference, whose pages are made alike, some. Prints
what axe finds and what is wider than a phone, and fails if there is anything. Needs what the
tests need.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.ui.conftest import launched

REFERENCE, EVERY = "reference/generated", 12
"""Of the pages in this folder, one in so many is looked at."""
LOOKS = {"light": 1440, "dark": 390}
FOUND = """axe.run(document, {rules: {"target-size": {enabled: true}}}).then(({violations}) =>
    violations.flatMap(({id, nodes}) => nodes.map(({html}) => `${id}: ${html.slice(0, 150)}`)))"""


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_said: object) -> None:
        """Say nothing of each request."""


def pages(site: Path) -> list[str]:
    """Addresses of the pages to look at, below that of the site."""
    every = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    made = [one for one in every if one.startswith(REFERENCE)]
    return [one for one in every if not one.startswith(("_", REFERENCE))] + made[::EVERY]


def findings(page: Page, width: int) -> Iterator[str]:
    """What is wrong with the page that is open."""
    page.evaluate(AXE_SCRIPT)
    yield from page.evaluate(FOUND)
    if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
        yield f"is {wide} pixels wide on a screen of {width}"


def main(site: Path) -> int:
    """Look at all pages; 1 if anything was found."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    found = 0
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for scheme, width in LOOKS.items():
            page = browser.new_page(
                viewport={"width": width, "height": 844},
                color_scheme=scheme,
                reduced_motion="reduce",
            )
            for one in pages(site):
                page.goto(f"{address}/{one}")
                for finding in findings(page, width):
                    print(f"{one} ({scheme}): {finding}")  # noqa: T201
                    found += 1
            page.close()
        browser.close()
    server.shutdown()
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
