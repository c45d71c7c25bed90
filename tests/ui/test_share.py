"""A link, Python and a report hand on what is seen."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from markupsafe import escape

from tapviz import Explorer, load_results, tap_k
from tests.ui.expected import bench
from tests.ui.page import CLOSE_SHARE, SHARE, K, Page

# What the button that makes a report says from now on.
LABELS = """(() => {
    window.labels = []
    for (const model of Bokeh.documents[0]._all_models.values()) {
        const label = model.properties.label
        if (/ report/.test(model.label)) label.change.connect(() => labels.push(model.label))
    }
})()"""


def link(page: Page) -> str:
    """The link that the button gives, to the clipboard or to be copied by hand."""
    if page.button(SHARE).count():
        page.press(SHARE)
    page.press("Copy link")
    field = page.browsed.locator(".copy-link input")

    def told() -> str:
        said = page.browsed.locator(".copy-link [role=status]").inner_text()
        assert said in ("copied", "press Ctrl+C")
        return str(field.input_value())

    return page.eventually(told)


def test_a_link_shows_the_same_numbers_in_a_new_session(page: Page, open_page: Any) -> None:
    page.type(K, "7")
    page.tick("phmmer")
    page.eventually(lambda: page.heads().index("TAP-7"))
    address = link(page)
    assert len(address) < 2000
    said = parse_qs(urlsplit(address).query)
    assert (said["k"], said["quantile"]) == (["7"], ["0.5"])
    assert "phmmer" in said["algorithms"]
    other = open_page("?" + urlsplit(address).query, another=True)
    other.shows(other.table, page.table())
    assert not other.browsed.get_by_text("made with other data").count()


def test_the_way_back_in_the_browser_is_to_another_page_not_to_other_settings(
    page: Page,
) -> None:
    pages = page.script("history.length")
    for k in ("3", "11"):
        page.type(K, k)
        page.shows(lambda: page.settings()["k"], [k])
    assert page.script("history.length") == pages


def test_a_link_to_other_data_is_said(open_page: Any) -> None:
    page = open_page("?dataset=scope40&k=9&data=00ff00ff00ff-8920q")
    page.sees("This link was made with other data (00ff00ff00ff, 8,920 queries)")
    assert page.heads()[1] == "TAP-9"


def test_python_on_the_page_makes_the_numbers_of_the_table(page: Page) -> None:
    page.type(K, "4")
    page.browsed.get_by_text("Python that makes these numbers").click()
    page.sees("k=4,", within=".code pre")
    names: dict[str, Any] = {}
    text = page.browsed.locator(".code pre").inner_text()
    exec(text.replace("print(", "str("), names)  # noqa: S102  # our own
    explorer: Explorer = names["explorer"]
    page.eventually(lambda: page.heads().index("TAP-4"))
    taps = {name: row[0] for name, row in page.table().items()}
    assert taps == {name: f"{explorer.tap(name).value:.3f}" for name in explorer.shown}
    page.browsed.get_by_text("Python that makes these numbers").click()


def test_a_report_is_made_while_the_page_stays_alive(page: Page) -> None:
    page.type(K, "6")
    page.eventually(lambda: page.heads().index("TAP-6"))
    page.press(SHARE)
    button = page.browsed.get_by_role("button", name="Download report", exact=True)
    with page.server.holding():
        page.press("Make a report")
        page.browsed.get_by_role("button", name=re.compile(r"Cancel report: \d+ %")).click()
        page.sees("Make a report")
        assert button.is_disabled()
        page.script(LABELS)
        page.press("Make a report")
        page.sees("Cancel report: 0 %")
        page.type(K, "8")
        page.eventually(lambda: page.heads().index("TAP-8"))
    with page.browsed.expect_download(timeout=400_000) as waiting:
        button.click(timeout=400_000)
    far = [re.fullmatch(r"Cancel report: (\d+) %", label) for label in page.script("labels")]
    percents = [int(one[1]) for one in far if one is not None]
    assert len(set(percents)) > 2
    assert waiting.value.path().stat().st_size < 5_000_000
    text = waiting.value.path().read_text("utf-8")
    assert f"{tap_k(bench()['BLASTP'], k=6).value:.3f}" in text
    assert "TAP-6" in text
    assert str(escape("load_results('scope40')")) in text
    assert f"862 of {next(iter(load_results().values())).n_queries} queries" in text
    page.press(CLOSE_SHARE)


def test_pinned_scores_are_compared_with_those_of_another_k(page: Page) -> None:
    page.more()
    page.press("Pin these scores")
    page.sees("Pinned: TAP-20, ROC50, 862 of 862 queries")
    page.type(K, "5")
    page.eventually(lambda: page.heads().index("TAP-5"))
    lists = bench()["jackhmmer"]
    change = tap_k(lists, k=5).value - tap_k(lists, k=20).value
    row = page.browsed.locator("tr[data-algorithm='jackhmmer'] + tr.pinned")

    page.shows(row.locator("td").first.inner_text, f"{change:+.3f}".replace("-", "−"))
    page.browsed.mouse.move(0, 0)
    page.press("Unpin")
    page.eventually(lambda: [None][row.count()])
