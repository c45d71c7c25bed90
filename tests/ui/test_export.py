"""What the Export button gives is the plot as it is now, and the score table."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from bokeh.models import CustomJSTickFormatter
from playwright.sync_api import Browser
from tapviz.draw.log_axis import LogAxis
from tapviz.plots.scale import said

from tapviz import tap_k
from tapviz.plots import average_roc, epq, influence, roc
from tests.ui.expected import FIVE, axis, bench
from tests.ui.page import K, Page

pytestmark = pytest.mark.ui

SVG = "{http://www.w3.org/2000/svg}"


def download(page: Page, button: str) -> tuple[str, str]:
    """Name and content of the file that a button gives."""
    with page.browsed.expect_download() as waiting:
        page.press(button)
    file = waiting.value
    return file.suggested_filename, file.path().read_text("utf-8")


def test_the_plot_is_saved_as_it_is_now(page: Page) -> None:
    page.press("Export ▾")
    page.browsed.get_by_label("colours", exact=True).select_option("greyscale")
    page.browsed.get_by_label("colours", exact=True).select_option("in colour")
    for name in ("Download figure", "Score table as CSV", "Score table as LaTeX", "Export ▴"):
        button = page.browsed.get_by_role("button", name=name, exact=True)
        assert button.bounding_box()["height"] >= 24
    name, text = download(page, "Download figure")
    root = ET.fromstring(text)  # noqa: S314  # from our own server
    assert name == "tap-86mm.svg"
    assert float(root.get("width").removesuffix("pt")) == pytest.approx(86 / 25.4 * 72, abs=0.1)
    words = {"".join(part.itertext()) for part in root.iter(f"{SVG}text")}
    assert set(FIVE) < words
    assert any("E₂₀" in word for word in words)

    page.browsed.get_by_label("file", exact=True).select_option("CSV (numbers)")
    for k in (20, 5):
        page.type(K, str(k))
        page.eventually(lambda k=k: page.heads().index(f"TAP-{k}"))
        name, text = download(page, "Download figure")
        assert name == "tap.csv"
        rows = [row for row in csv.DictReader(io.StringIO(text)) if row["layer"] == "threshold"]
        expected = [tap_k(bench()[name], k=k) for name in FIVE]
        assert [float(row["x"]) for row in rows] == pytest.approx([at.e0 for at in expected])
        assert [float(row["y"]) for row in rows] == pytest.approx([at.tap for at in expected])

    name, text = download(page, "Score table as CSV")
    assert name == "scores.csv"
    table = {
        row["algorithm"]: float(row["value"])
        for row in csv.DictReader(io.StringIO(text))
        if row["score"] == "TAP-5"
    }
    assert table == {name: pytest.approx(tap_k(bench()[name], k=5).tap) for name in FIVE}
    name, text = download(page, "Score table as LaTeX")
    assert name == "scores.tex"
    assert "\\begin{tabular}" in text
    page.browsed.get_by_label("file", exact=True).select_option("SVG")
    page.press("Export ▴")


def test_the_plot_in_the_fourth_place_is_offered(page: Page) -> None:
    page.press("Export ▾")
    page.tab("Coverage")
    plot = page.browsed.get_by_label("plot", exact=True).locator("visible=true")
    plot.select_option("Coverage")
    name, text = download(page, "Download figure")
    assert name == "coverage-86mm.svg"
    assert "mean errors per query" in text
    page.tab("ROCₙ")
    plot.select_option("TAP against E_0")
    page.press("Export ▴")


FORMATTERS = {
    "thresholds": (axis().ticks()["xformatter"], np.linspace(axis().start, axis().end, 60)),
    "rates": (
        average_roc.rates(10_000).ticks("x")["xformatter"],
        np.linspace(*average_roc.rates(10_000).view(0), 40),
    ),
    "counts": (
        LogAxis.of(0.01, 3000, zero=True).ticks("x")["xformatter"],
        np.log10([0.01, 0.02, 0.5, 1, 20, 1500, 3000]),
    ),
    "errors": (epq.FORMATTER, epq.height(epq.TICKS)),
    "records": (roc.FORMATTER, np.log10([1, 2, 5, 10, 1000])),
    "changes": (influence.FORMATTER, np.array([-0.005, 0, 1e-5, 0.25, 0.00012345])),
}


@pytest.mark.parametrize("name", FORMATTERS)
def test_ticks_say_in_figures_what_they_say_in_the_browser(chromium: Browser, name: str) -> None:
    formatter, places = FORMATTERS[name]
    if isinstance(formatter, str):
        formatter = CustomJSTickFormatter(code=formatter)
    blank = chromium.new_page()
    told = blank.evaluate(
        """([code, args, places]) => {
            const say = new Function("tick", ...Object.keys(args), code)
            return places.map((place) => say(place, ...Object.values(args)))
        }""",
        [formatter.code, formatter.args, places.tolist()],
    )
    blank.close()
    assert told == [said(formatter, place) for place in places.tolist()]
