"""The report in a browser without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tapviz import Explorer, load_results
from tapviz.dashboard.report import save_report
from tapviz.plots import plots_for

pytestmark = pytest.mark.ui


def test_opens_without_a_network_and_asks_for_nothing(chromium: Browser, tmp_path: Path) -> None:
    explorer = Explorer(load_results("profiles"), k=5, baseline="RPS-BLAST")
    save_report(explorer, tmp_path / "report.html", title="Profiles")
    context = chromium.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto((tmp_path / "report.html").as_uri())
    assert page.get_by_role("heading", level=1).inner_text() == "Profiles"
    widths = page.evaluate("[...document.images].map(image => image.naturalWidth)")
    assert len(widths) == len(plots_for(explorer))
    assert min(widths) > 400
    table = page.locator("table.scores").inner_text()
    assert f"{explorer.score('RPS-BLAST')['tap']:.3f}" in table
    assert "TAP-5" in table
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert said == []
    context.close()
