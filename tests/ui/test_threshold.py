"""The threshold: k, E_0 and the quantile. Every figure and the table follow together."""

from __future__ import annotations

import pytest

from tapviz.measures import mean_recall, tap_k
from tests.ui.expected import FIVE, At, axis, bench, by_errors, by_threshold, cells, rest
from tests.ui.page import E0, K, Page


def shows(page: Page, expected: dict[str, At], head: list[str]) -> None:
    """The table and every figure soon show the same thresholds."""
    page.eventually(lambda: shown(page, expected, head))


def shown(page: Page, expected: dict[str, At], head: list[str]) -> None:
    """They show them now."""
    assert page.heads()[1:3] == head
    assert page.table() == {name: cells(bench()[name], at) for name, at in expected.items()}
    values = list(expected.values())
    marked = page.layer("tap", "threshold")
    assert marked["x"] == pytest.approx(axis().position([at.e0 for at in values]))
    assert marked["y"] == pytest.approx([at.tap for at in values])
    layers = page.layers("precision_recall")
    recall = [mean_recall(bench()[name], at.e0) for name, at in expected.items()]
    assert layers["end"]["x"] == pytest.approx(recall)
    for name, cut in zip(expected, recall, strict=True):
        assert max(layers[f"retrieved {name}"]["x"]) == pytest.approx(cut)
    line = page.layer("epq", "line")
    here = float(axis().position(values[0].e0))
    assert line["x"] == pytest.approx([here, here])


def all_at(k: int) -> dict[str, At]:
    return {name: by_errors(bench()[name], k) for name in FIVE}


def unmoved(page: Page) -> object:
    """What a threshold must leave alone."""
    curves = {
        key: value
        for key, value in page.layers("tap").items()
        if key.split(" ")[0] in ("curve", "peak", "name", "readout")
    }
    rests = {k: v for k, v in page.layers("precision_recall").items() if k.startswith("rest")}
    roc = {name: row[4:] for name, row in page.table().items()}
    return curves, rests, roc, page.header(), page.layer("epq", "box")


def test_k_typed(page: Page) -> None:
    before = unmoved(page)
    page.type(K, "5")
    shows(page, all_at(5), ["TAP-5", "E5"])
    assert unmoved(page) == before
    page.shows(lambda: page.handle(K).get_attribute("aria-valuenow"), "5.0")
    page.sees("E5")


def test_k_by_arrow_keys(page: Page) -> None:
    handle = page.handle(K)
    handle.focus()
    for _ in range(3):
        handle.press("ArrowRight")
    shows(page, all_at(23), ["TAP-23", "E23"])
    page.shows(lambda: page.box(K).input_value(), "23")
    handle.press("ArrowLeft")
    shows(page, all_at(22), ["TAP-22", "E22"])


def test_k_dragged(page: Page) -> None:
    page.drag(K, 40, steps=8)

    def moved() -> None:
        k = int(page.box(K).input_value())
        assert k > 30
        shown(page, all_at(k), [f"TAP-{k}", f"E{k}"])

    page.eventually(moved)


def test_k_beyond_the_slider(page: Page) -> None:
    page.type(K, "120")
    page.shows(lambda: page.heads()[1], "TAP-120")
    for name, row in page.table().items():
        at = tap_k(bench()[name], k=120, short_lists="error")
        assert row[0] == ("—" if at.reason else f"{at.value:.3f}")


@pytest.mark.parametrize("text", ["0", "-3", "", "abc"])
def test_k_that_is_no_number_of_errors_changes_nothing_silently(page: Page, text: str) -> None:
    page.type(K, text)
    page.at_rest()

    def agrees() -> None:
        assert page.box(K).input_value() == page.heads()[1].removeprefix("TAP-")

    page.eventually(agrees)


def test_one_e_value_for_all_and_back(page: Page) -> None:
    page.mode("E-value")
    at_first = {name: by_threshold(bench()[name], 0.01) for name in FIVE}
    shows(page, at_first, ["TAP at 0.01", "E0"])
    for text, value, head in (("8.1", 8.1, "8.1"), ("1e-3", 1e-3, "0.001"), ("0", 0.0, "0")):
        page.type(E0, text)
        expected = {name: by_threshold(bench()[name], value) for name in FIVE}
        shows(page, expected, [f"TAP at {head}", "E0"])
        here = float(axis().position(value))
        page.shows(lambda: page.layer("tap", "line")["x"], pytest.approx([here, here]))
        page.shows(lambda: page.settings()["e0"], [str(value)])
    page.mode("errors per query")
    shows(page, all_at(20), ["TAP-20", "E20"])
    page.shows(lambda: page.layer("tap", "line")["x"], [])
    # The two never chase each other.
    page.shows(lambda: page.settings()["mode"], ["k"])
    assert (page.settings()["e0"], page.settings()["k"]) == (["0.0"], ["20"])


def test_e_value_by_arrow_keys_is_what_the_box_says(page: Page) -> None:
    page.mode("E-value")
    page.shows(lambda: page.heads()[1], "TAP at 0.01")
    handle = page.handle(E0)
    handle.focus()
    for _ in range(6):
        handle.press("ArrowRight")

    def follows() -> None:
        text = page.box(E0).input_value()
        assert float(text) > 0.01
        assert page.settings()["e0"] == [str(float(text))]
        expected = {name: by_threshold(bench()[name], float(text)) for name in FIVE}
        shown(page, expected, [page.heads()[1], "E0"])

    page.eventually(follows)


@pytest.mark.parametrize("text", ["abc", "-1", "1e999", ""])
def test_e_value_that_is_none_is_said_and_nothing_is_lost(page: Page, text: str) -> None:
    page.mode("E-value")
    page.shows(lambda: page.heads()[1], "TAP at 0.01")
    before = page.table()
    page.type(E0, text)
    page.sees("is not a threshold: write 8.1, 1e-3 or 0")
    assert page.table() == before
    page.shows(lambda: page.settings()["e0"], ["0.01"])
    page.type(E0, "8.1")
    page.shows(lambda: page.heads()[1], "TAP at 8.1")
    page.shows(lambda: "is not a threshold" not in page.words())


def test_quantile(page: Page) -> None:
    page.more()
    page.enter("share of queries that reach k errors", "0.75")
    expected = {name: by_errors(bench()[name], 20, 0.75) for name in FIVE}
    shows(page, expected, ["TAP-20", "E20"])


def test_too_few_errors_are_said_in_words(page: Page) -> None:
    page.tick("DIAMOND_default")
    lists = bench()["DIAMOND_default"]
    at = tap_k(lists, k=20, short_lists="error")
    assert at.reason

    def check() -> None:
        row = page.table()["DIAMOND_default"]
        share = f"{100 * at.reached:.3g} %"
        assert share in (page.browsed.locator(".cautions").text_content() or "")
        assert row == ["—", f"{share} of queries reach 20 errors", *rest(lists)]

    page.eventually(check)
    page.browsed.set_viewport_size({"width": 1280, "height": 900})
    over = "one => one.scrollWidth - one.clientWidth"
    page.shows(lambda: page.browsed.locator("td.why").evaluate(over), 0)  # over no other cell

    def marked() -> None:
        # No mark where there is no threshold.
        assert len(page.layer("tap", "threshold")["x"]) == 5
        assert len(page.layer("precision_recall", "end")["x"]) == 5
        assert page.layer("precision_recall", "retrieved DIAMOND_default")["x"] == []
        assert len(page.layer("tap", "peak")["x"]) == 6

    page.eventually(marked)
