"""What is under the mouse in a plot: read out below the header, and marked in every plot."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.ui.expected import FIVE
from tests.ui.page import TAP_PLOT, Page

STRIP = "document.querySelector('.tapviz-read-out')"
MARKS = """(() => {
    const { frame, canvas_view: { events_el: place } } = tapviz.view(args[0])
    const { left, top } = place.getBoundingClientRect()
    return [...place.querySelectorAll(".tapviz-crosshair > i")].map((one) => {
        const box = one.getBoundingClientRect(), line = !one.style.background
        const x = box.x - left + box.width / 2, y = box.y - top + box.height / 2
        return { line, x: frame.x_scale.invert(x), y: frame.y_scale.invert(y) }
    })
})()"""


def marks(page: Page, figure: str) -> tuple[list[float], list[tuple[float, float]]]:
    """Places of the lines across a figure, and of the dots on its curves."""
    found = page.script(MARKS, figure)
    lines = [one["x"] for one in found if one["line"]]
    return lines, [(one["x"], one["y"]) for one in found if not one["line"]]


def read_out(page: Page) -> str:
    return page.script(f"{STRIP}.hidden ? '' : {STRIP}.innerText")


def test_the_threshold_is_marked_in_all_plots_at_once(page: Page) -> None:
    def check() -> None:
        (across,), dots = marks(page, "tap")
        assert len(dots) == len(FIVE)
        (in_epq,), _ = marks(page, "epq")
        assert in_epq == pytest.approx(across, abs=0.05)
        none, on_curves = marks(page, "precision_recall")
        assert (none, len(on_curves)) == ([], len(FIVE))
        drawn = page.layer("tap", "curve jackhmmer")
        heights = [y for x, y in zip(drawn["x"], drawn["y"], strict=True) if abs(x - across) < 0.2]
        assert any(min(heights) - 0.01 <= y <= max(heights) + 0.01 for _, y in dots)

    page.answers("tap", 0.5, check)


def test_all_algorithms_are_read_out_from_the_top_of_the_plot_down(page: Page) -> None:
    def check() -> None:
        said = read_out(page)
        assert said.startswith("E₀ = ")
        found = re.findall(r"(\S+) TAP (0\.\d+)", said)
        assert sorted(name for name, _ in found) == sorted(FIVE)
        assert [value for _, value in found] == sorted((v for _, v in found), reverse=True)
        assert page.script(f"{STRIP}.querySelectorAll('svg').length") == len(FIVE)

    page.answers("tap", 0.5, check)


def test_a_point_of_a_curve_marks_its_threshold_elsewhere(page: Page) -> None:
    at = page.script("""(() => {
        const { data } = tapviz.figure("precision_recall").renderers.map((one) => one.data_source)
            .find(({ data }) => data.thresholds)
        const i = data.layer.indexOf("rest jackhmmer")
        return [data.xs[i][30], data.ys[i][30], data.thresholds[i][30]]
    })()""")
    low, high, bottom, top = page.range("precision_recall")
    share = (at[0] - low) / (high - low), 1 - (at[1] - bottom) / (top - bottom)

    def check() -> Any:
        page.point("precision_recall", share[0] - 0.01, share[1])
        page.point("precision_recall", *share)

        def marked() -> None:
            (across,), _ = marks(page, "tap")
            assert across == pytest.approx(at[2], abs=0.3)
            assert "recall 0.30" in read_out(page)

        return page.eventually(marked, wait=2)

    page.eventually(check)


def test_the_keys_move_it_and_escape_ends_it(page: Page) -> None:
    page.settled()
    plot = page.browsed.get_by_label(TAP_PLOT)
    plot.focus()
    plot.press("ArrowRight")
    first = page.eventually(lambda: marks(page, "epq")[0][0])

    def back() -> None:  # on this page the keys may have gone to the right end before
        plot.press("ArrowLeft")
        assert marks(page, "epq")[0][0] < first

    page.eventually(back)
    plot.press("Escape")

    page.shows(lambda: (read_out(page), marks(page, "epq")), ("", ([], [])))


def test_home_and_end_read_out_the_ends(page: Page) -> None:
    page.settled()
    plot = page.browsed.get_by_label(TAP_PLOT)
    plot.focus()
    low, high, _, _ = page.range("tap")

    def near(key: str, place: float) -> None:
        plot.press(key)
        ((across,), _) = marks(page, "epq")
        assert across == pytest.approx(place, abs=0.03 * (high - low))

    page.eventually(lambda: near("Home", low))
    page.eventually(lambda: near("End", high))


def test_a_histogram_over_thresholds_is_marked_and_marks(page: Page) -> None:
    page.tab("k-th error")
    page.settled()

    def marked() -> None:
        (across,), _ = marks(page, "tap")
        (here,), dots = marks(page, "nth_error")
        assert here == pytest.approx(across, abs=0.05)
        assert dots == []

    page.answers("nth_error", 0.5, marked)
    at = page.eventually(lambda: marks(page, "tap")[0][0])
    left, right, _, _ = page.range("tap")
    page.answers("tap", (at - left) / (right - left), marked)


def test_it_covers_no_plot_however_the_page_is_scrolled(page: Page) -> None:
    page.settled()
    page.script("tapviz.view('epq').el.scrollIntoView({ block: 'start' })")

    def check() -> None:
        box, plot = page.script(
            f"[{STRIP}, tapviz.view('epq').el].map((one) => one.getBoundingClientRect().toJSON())"
        )
        assert box["height"] > 0
        assert box["top"] >= plot["bottom"] or box["bottom"] <= plot["top"]

    page.answers("epq", 0.5, check)
