"""No page needs the network: the build warns of anything that a browser would fetch."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FETCHED = {"src", "srcset", "data", "poster"}
ADDRESS = re.compile(r"\s*(https?:)?//")
IN_CSS = re.compile(r"""(?:@import\s+|url\(\s*)["']?((?:https?:)?//[^"')\s]+)""")


class _Page(HTMLParser):
    """Addresses that a page fetches by itself; links that a reader may follow are not."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fetched = FETCHED | ({"href"} if tag in {"link", "image", "use"} else set())
        self.found += [
            value
            for name, value in attrs
            if name in fetched and value is not None and ADDRESS.match(value)
        ]


def fetched(path: Path) -> list[str]:
    """Addresses outside the site that a browser fetches for a page or a style sheet."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".css":
        return IN_CSS.findall(text)
    page = _Page()
    page.feed(text)
    return page.found + IN_CSS.findall(text)


def check(app: Sphinx, exception: Exception | None) -> None:
    """Warn of each such address in the pages that were built."""
    from sphinx.util import logging  # noqa: PLC0415  # `fetched` is tested without Sphinx

    if exception is not None or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir).rglob("*")):
        if path.suffix in {".html", ".css"}:
            for address in fetched(path):
                logging.getLogger(__name__).warning(
                    "%s fetches %s", path.relative_to(app.outdir), address
                )


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the check."""
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
