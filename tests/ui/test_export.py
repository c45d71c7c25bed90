"""What the Export button gives is the plot as it is now, and the score table."""

from __future__ import annotations

import csv
import io
from itertools import chain
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from playwright.sync_api import Browser

from tapviz import tap_k
from tapviz.draw.bokeh import formatter
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import tick_label
from tapviz.plots import average_roc
from tests.ui.expected import FIVE, axis, bench
from tests.ui.page import CLOSE_FIGURE, CLOSE_SHARE, FIGURE, SHARE, K, Page

SVG = "{http://www.w3.org/2000/svg}"


def download(page: Page, button: str) -> tuple[str, str]:
    """Name and content of the file that a button gives."""
    with page.browsed.expect_download() as waiting:
        page.press(button)
    file = waiting.value
    return file.suggested_filename, file.path().read_text("utf-8")


def test_the_plot_is_saved_as_it_is_now(page: Page) -> None:
    page.press(FIGURE)
    page.browsed.get_by_label("colours", exact=True).select_option("greyscale")
    page.browsed.get_by_label("colours", exact=True).select_option("in colour")
    for name in ("Download figure", "Copy text", CLOSE_FIGURE):
        assert page.button(name).bounding_box()["height"] >= 24
    name, text = download(page, "Download figure")
    root = ET.fromstring(text)  # noqa: S314  # from our own server
    assert name == "figure.svg"
    assert float(root.get("width").removesuffix("pt")) == pytest.approx(86 / 25.4 * 72, abs=0.1)
    words = {"".join(part.itertext()) for part in root.iter(f"{SVG}text")}
    assert set(FIVE) < words
    assert "TAP against E₀" in words
    page.browsed.wait_for_selector(".figure-preview[aria-busy=false] svg")
    field = page.browsed.get_by_label("caption, methods and citation")
    page.eventually(lambda: "(TAP; Carroll et al., 2010) at E₂₀" in field.input_value())

    page.browsed.get_by_label("file", exact=True).select_option("CSV (numbers of panel A)")
    for k in (20, 5):
        page.type(K, str(k))
        page.eventually(lambda k=k: page.heads().index(f"TAP-{k}"))
        name, text = download(page, "Download figure")
        assert name == "figure.csv"
        rows = [row for row in csv.DictReader(io.StringIO(text)) if row["layer"] == "threshold"]
        expected = [tap_k(bench()[name], k=k) for name in FIVE]
        assert [float(row["x"]) for row in rows] == pytest.approx([at.e0 for at in expected])
        assert [float(row["y"]) for row in rows] == pytest.approx([at.value for at in expected])

    page.browsed.get_by_label("file", exact=True).select_option("SVG")
    page.press(SHARE)  # which closes the other sheet
    page.button("Download figure").wait_for(state="hidden")
    name, text = download(page, "Score table as CSV")
    assert name == "scores.csv"
    table = {
        row["algorithm"]: float(row["value"])
        for row in csv.DictReader(io.StringIO(text))
        if row["score"] == "TAP-5"
    }
    assert table == {name: pytest.approx(tap_k(bench()[name], k=5).value) for name in FIVE}
    name, text = download(page, "Score table as LaTeX")
    assert name == "scores.tex"
    assert "\\begin{tabular}" in text
    lines = [text.index("\n" + name.replace("_", "\\_") + " & ") for name in page.table()]
    assert lines == sorted(lines)  # the best first, as on the page
    page.press(CLOSE_SHARE)


def test_every_plot_can_be_a_panel(page: Page) -> None:
    page.press(FIGURE)
    plot = page.browsed.get_by_label("panel A", exact=True)
    plot.select_option("Coverage")
    page.browsed.get_by_label("panel B", exact=True).select_option("TAP against E₀")
    preview = page.browsed.locator(".figure-preview[aria-busy=false]")
    page.eventually(lambda: "mean errors per query" in preview.text_content())
    name, text = download(page, "Download figure")
    assert name == "figure.svg"
    assert "mean errors per query" in text
    assert "TAP against E₀" in text
    page.browsed.get_by_label("panel B", exact=True).select_option("none")
    plot.select_option("TAP against E₀")
    page.press(CLOSE_FIGURE)


def test_a_figure_has_bands_and_the_order_that_are_asked_for(page: Page) -> None:
    page.press(FIGURE)
    bands = page.browsed.get_by_label("bands", exact=True)
    order = "order, first to last"
    words = page.browsed.get_by_label("caption, methods and citation")
    problem = page.browsed.locator(".figure-preview p")

    def shown() -> list[str]:
        """Names of algorithms in the figure, one below the other."""
        texts = page.browsed.locator(
            ".figure-preview[aria-busy=false] svg text"
        ).all_text_contents()
        return [text.split(" E ≤")[0] for text in texts if " E ≤" in text]

    bands.select_option("95 % intervals")
    page.eventually(lambda: words.input_value().index("Bands: 95 % intervals of the mean"))
    page.eventually(lambda: page.browsed.locator("svg [id^=FillBetween]").nth(4).wait_for())
    plot = page.browsed.get_by_label("panel A", exact=True)
    plot.select_option("Threshold")
    page.eventually(lambda: problem.inner_text().index("bands: no panel has them"))
    bands.select_option("none")
    page.shows(shown, FIVE)
    page.enter(order, "jackhmmer; SSEARCH")
    rest = [name for name in FIVE if name not in ("jackhmmer", "SSEARCH")]
    page.shows(shown, ["jackhmmer", "SSEARCH", *rest])
    page.enter(order, "hmm")
    page.eventually(lambda: problem.inner_text().index("order: expected algorithms among"))
    page.enter(order, "")
    page.shows(shown, FIVE)
    plot.select_option("TAP against E₀")
    page.press(CLOSE_FIGURE)


SCALES = {
    "thresholds": axis().scale,
    "rates": average_roc.rates(10_000),
    "counts": PowerScale.of(0.01, 3000, zero=True),
}


@pytest.mark.parametrize("name", SCALES)
def test_ticks_say_in_figures_what_they_say_in_the_browser(chromium: Browser, name: str) -> None:
    scale = SCALES[name]
    said = formatter(scale)
    places = [*np.linspace(scale.start, scale.end, 60).tolist(), *chain(*scale.levels())]
    blank = chromium.new_page()
    told = blank.evaluate(
        """([code, args, places]) => {
            const say = new Function("tick", ...Object.keys(args), code)
            return places.map((place) => say(place, ...Object.values(args)))
        }""",
        [said.code, said.args, places],
    )
    blank.close()
    # What is near the place of 0 is not a tick.
    for place, text, value in zip(places, told, scale.values(places).tolist(), strict=True):
        if value or place == scale.zero:
            assert text == tick_label(value), place
