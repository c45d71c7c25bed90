"""The verdict at the top of the page: there soon, dimmed while it is out of date, then right."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from tapviz import Explorer, load_results
from tapviz.scores.words import describe
from tests.ui.expected import FIVE
from tests.ui.page import CLEAR, K, Page

WATCH = """
window.seen = []
const find = (root) => root.querySelector(".verdict") ?? [...root.querySelectorAll("*")]
    .map((element) => element.shadowRoot && find(element.shadowRoot)).find(Boolean)
const verdict = find(document)
new MutationObserver(() => seen.push([verdict.getAttribute("aria-busy"), verdict.innerText]))
    .observe(verdict, { attributes: true, characterData: true, childList: true, subtree: true })
"""


def shows(page: Page, k: int) -> None:
    """The verdict is soon that of k, and no longer dimmed."""
    found = Explorer(load_results(), FIVE, k=k).compared(n_resamples=0).verdict("tap")
    assert found is not None
    said = [sentence.text for part in describe(found) for sentence in part]
    wanted = [one.replace("E_k", "Ek") for one in said]

    def check() -> None:
        verdict = page.browsed.locator('.verdict[aria-busy="false"]')
        said = " ".join(verdict.locator("p").all_text_contents())
        for sentence in wanted:
            assert sentence in said

    page.eventually(check)


def test_what_is_not_dimmed_while_k_moves_is_right(page: Page) -> None:
    shows(page, 20)
    page.browsed.evaluate(WATCH)
    page.type(K, "43")
    shows(page, 43)
    for busy, words in page.browsed.evaluate("seen"):
        assert busy == "true" or "TAP-43 is " in words


def test_it_is_dimmed_until_it_is_that_of_the_queries_selected(page: Page) -> None:
    shows(page, 20)
    page.at_rest(1)
    page.browsed.evaluate(WATCH)
    page.query_text.fill("^d1")  # of which no page knows anything
    page.eventually(lambda: page.browsed.evaluate("seen")[-1][0].index("false"))
    seen = page.browsed.evaluate("seen")
    assert seen[0][0] == "true"
    assert "862 queries" not in seen[-1][1]


def test_there_is_none_of_queries_that_were_chosen_by_how_programs_do(open_page: Any) -> None:
    box = ["BLASTP", "SSEARCH", 20, 20, 0, 0.4, 0.2, 1]
    page = open_page("?" + urlencode({"boxes": json.dumps(box)}))
    page.sees("No verdict: these queries were chosen by how programs do on them.")
    page.press("all 6 cautions")
    page.press("show me")  # beside that on the pooled score
    page.shows(lambda: page.settings()["view"], ["pooled"])
    assert page.browsed.locator("#cautions").is_hidden()
    page.press(CLEAR)
    shows(page, 20)


def test_it_is_read_out_politely_and_wraps_on_a_phone(open_page: Any) -> None:
    page = open_page()  # of its own: a page that is used again keeps its size
    verdict = page.browsed.locator(".verdict")
    assert verdict.get_attribute("role") == "status"
    page.browsed.set_viewport_size({"width": 390, "height": 844})
    shows(page, 20)

    def fits() -> None:
        box = verdict.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert verdict.evaluate("(element) => element.scrollWidth <= element.clientWidth")

    page.eventually(fits)
