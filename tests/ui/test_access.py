"""Without a mouse, without eyes, in the dark and on a narrow screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser

from tests.ui.conftest import SIZE, Server, trouble
from tests.ui.page import Page

pytestmark = pytest.mark.ui

# Boxes to tick and radio buttons of the browser are 13 px; what counts is the line around them.
RULES = {"target-size": {"enabled": True}}


def findings(page: Page) -> list[str]:
    """What axe finds serious or critical."""
    if not page.browsed.evaluate("'axe' in window"):
        page.browsed.evaluate(AXE_SCRIPT)
    found = page.browsed.evaluate(
        "rules => axe.run(document, {resultTypes: ['violations'], rules})", RULES
    )
    return [
        f"{rule['id']}: {node['html'][:200]}: {node['failureSummary']}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.fixture(scope="module")
def own(chromium: Browser, server: Server) -> Iterator[Any]:
    """Function that opens pages for this module only."""
    context = chromium.new_context(viewport=SIZE)

    def opened(address: str = "") -> Page:
        return Page(context.new_page(), server).open(address)

    yield opened
    context.close()


def test_no_state_of_the_page_has_a_serious_finding(own: Any) -> None:
    page = own()
    assert findings(page) == []
    page.press("Export ▾")
    page.press("Change data")
    page.sees("Change data")
    page.type("Focus", "d1a0pa_")
    assert findings(page) == []
    assert trouble(page) == []
