"""What is on the page while the server does not answer, and in which colours it opens."""

from __future__ import annotations

from typing import Any

from tests.ui.page import ROC_N

FRESH = "() => document.documentElement.style.getPropertyValue('--tv-fresh')"
SEEN = (
    "(() => { const figure = tapviz.figure(args[0]); return Boolean(figure) && "
    "tapviz.view(args[0]).el.checkVisibility({ visibilityProperty: true }) })()"
)
GROUND = "document.documentElement.dataset.tapviz"


def test_while_the_server_does_not_answer_what_is_shown_is_dimmed(open_page: Any) -> None:
    page = open_page().settled()
    line = page.browsed.locator("#tapviz-waiting")
    with page.server.stopped():
        page.tick("phmmer")  # which the page cannot show by itself, as it does steps of k
        page.shows(line.inner_text, "Updating …")
        assert page.browsed.evaluate(FRESH) == "0.5"
        assert "phmmer" not in page.table()
    page.eventually(lambda: page.table()["phmmer"])
    page.shows(lambda: page.browsed.evaluate(FRESH), "")
    assert not line.inner_text()


def test_a_tab_that_is_not_drawn_yet_shows_no_other_plot(open_page: Any) -> None:
    page = open_page("?view=roc").settled()
    assert page.script(SEEN, "roc")
    with page.server.stopped():
        page.button("Differences").click()
        page.shows(lambda: page.script(SEEN, "roc"), False)
    page.shows(lambda: page.script(SEEN, "differences"), True)
    page.tab(ROC_N)
    page.shows(lambda: page.script(SEEN, "roc"), True)
    assert not page.script(SEEN, "differences")


def test_a_page_opens_as_dark_as_the_system_and_stays_as_chosen(open_page: Any) -> None:
    page = open_page(another=True, color_scheme="dark")

    def ink() -> Any:
        return page.layers("tap")["curve jackhmmer"]["glyph"]["line_color"]

    page.shows(ink, "#FFFFFF")
    assert page.browsed.evaluate(GROUND) == "dark"
    page.settled()
    assert "ground" not in page.settings()
    page.press("Dark")
    page.eventually(lambda: page.settings()["ground"].index("light"))
    page.shows(ink, "#000000")
    page.open().settled()
    assert page.browsed.evaluate(GROUND) == "light"


def test_a_plot_that_was_seen_before_is_seen_again(open_page: Any) -> None:
    page = open_page()
    for _ in range(3):
        for tab, plot in (("ROCₙ", "roc"), ("Differences", "differences")):
            page.settled()
            page.tab(tab)
            page.shows(lambda plot=plot: page.script(SEEN, plot), True)
