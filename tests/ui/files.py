"""Files of HTML in a browser: they ask for nothing but themselves, and complain of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from tests.ui.conftest import SIZE

# With the rule of WCAG 2.2 that axe leaves out unless it is asked for.
AXE = """axe.run(document, {rules: {"target-size": {enabled: true}}}).then(({violations}) =>
    violations.map(({id, nodes}) => [id, ...nodes.map(({html}) => html)]))"""


def blast_row(query: str, record: str, evalue: object) -> str:
    """A line of BLAST's table, -outfmt 6."""
    return f"{query}\t{record}\t50.0\t100\t40\t1\t1\t100\t1\t100\t{evalue}\t77\n"


class Watched:
    """What pages ask for, and what they complain of."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.complaints: list[str] = []

    def watch(self, page: Page) -> Page:
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def assert_quiet(self, within: Path) -> None:
        """Nothing was asked for but a file, or files of a folder."""
        inside = (within.as_uri(), "data:", "blob:")
        assert [url for url in self.asked if not url.startswith(inside)] == []
        assert self.complaints == []


@contextmanager
def opened(
    browser: Browser, file: Path, within: Path | None = None, **options: Any
) -> Iterator[Page]:
    """A page that shows a file, without a network and without files but those within a folder."""
    context = browser.new_context(**{"offline": True, "viewport": SIZE} | options)
    watched = Watched()
    page = watched.watch(context.new_page())
    page.goto(file.as_uri())
    yield page
    context.close()
    watched.assert_quiet(within or file)


def findings(page: Page) -> list[list[str]]:
    """All that axe finds: the rule, and what breaks it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[list[str]] = page.evaluate(AXE)
    return found


def cut(page: Page) -> list[str]:
    """Words above the plots that have too little room: they end early, or lie over others."""
    found: list[str] = page.locator(".verdict, .verdict p, .method, .holds").evaluate_all(
        """all => all.filter(one => {
            const next = one.nextElementSibling?.getBoundingClientRect()
            const { bottom } = one.getBoundingClientRect()
            const over = next && next.height > 1 && next.top < bottom - 1
            return over || one.scrollHeight > one.clientHeight + 1
        }).map(one => one.textContent)"""
    )
    return found
