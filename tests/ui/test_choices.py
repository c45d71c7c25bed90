"""Other choices: n of ROC_n, algorithms, the algorithm in detail, queries, the bench."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from tapviz.draw.style import COLORS
from tapviz.measures import average_precision, epq_distribution, roc_n, tap_curve, tap_k
from tapviz.plots.columns import HATCHED
from tests.ui.expected import FIVE, bench, by_errors, cells
from tests.ui.page import CLEAR, FIGURES, ROC_N, N, Page

# --- n ----------------------------------------------------------------------------------------


def test_n_typed_and_by_arrow_keys(page: Page) -> None:
    page.tab(ROC_N)
    before = {name: row[:6] for name, row in page.table().items()}
    page.eventually(lambda: page.layer("roc", "average BLASTP"))
    curves = page.layer("roc", "average BLASTP")
    page.type(N, "200")

    def check(n: int) -> None:
        assert "ROC" + str(n) in "".join(page.heads())
        for name, row in page.table().items():
            assert row == cells(bench()[name], by_errors(bench()[name], 20), n), name
        assert page.layer("roc", "line")["x"] == [n, n]

    page.eventually(lambda: check(200))
    page.handle(N).press("ArrowLeft")
    page.eventually(lambda: check(195))  # a hundredth of a power of ten
    page.shows(lambda: page.box(N).input_value(), "195")
    assert {name: row[:6] for name, row in page.table().items()} == before
    assert page.layer("roc", "average BLASTP") == curves


def test_a_number_is_pasted_with_a_blank(page: Page) -> None:
    page.box(N).select_text()
    page.browsed.keyboard.insert_text("70 ")
    page.browsed.keyboard.press("Enter")
    page.shows(lambda: any("70" in head for head in page.heads()))
    assert page.box(N).input_value() == "70"


def test_n_dragged(page: Page) -> None:
    page.drag(N, 60, steps=6)

    def moved() -> int:
        n = int(page.box(N).input_value())
        assert n > 200
        own = float(np.nanmean(roc_n(bench()["jackhmmer"], n=n).per_query))
        assert page.table()["jackhmmer"][6] == f"{own:.3f}"
        return n

    page.eventually(moved)


def test_n_beyond_its_end_stays_within(page: Page) -> None:
    page.type(N, "5000")

    def check() -> None:
        n = page.box(N).input_value()
        assert f"ROC{n}" in [head for head in page.heads() if head.startswith("ROC")]
        assert int(n) <= 1000

    page.eventually(check)


# --- algorithms -------------------------------------------------------------------------------


def test_hidden_algorithm_changes_no_other(page: Page) -> None:
    before = {figure: page.layers(figure) for figure in ("tap", "precision_recall")}
    page.tick("SSEARCH")
    left = [name for name in FIVE if name != "SSEARCH"]
    page.shows(lambda: sorted(page.table()), sorted(left))
    page.eventually(lambda: page.programs().index("4 of 9 programs"))

    def hidden(figure: str) -> None:
        layers, after = before[figure], page.layers(figure)
        for name in layers:
            if name.endswith(" SSEARCH"):
                assert after[name]["x"] == []
            elif name.split(" ")[-1] in left:
                assert after[name] == layers[name], name
        assert sorted(set(after["name"]["text"]) - {HATCHED}) == sorted(left)

    for figure in before:
        page.eventually(partial(hidden, figure))
    colors = [COLORS[i] for i in (0, 2, 3, 4)]
    page.shows(lambda: page.layer("tap", "peak")["color"], colors)


def test_all_programs_are_shown_at_once(page: Page) -> None:
    page.browsed.locator("[popovertarget=programs]").click()
    every = page.browsed.locator("#programs").get_by_role("button", name="Show all 9")
    every.click()
    page.shows(lambda: sorted(page.table()), sorted(bench()))
    page.eventually(lambda: page.programs().index("9 of 9 programs"))
    page.shows(every.count, 0)  # there is nothing more to show
    boxes = page.browsed.locator("#programs").get_by_role("checkbox", checked=True)
    page.shows(boxes.count, 9)
    page.browsed.keyboard.press("Escape")
    page.press("Undo")
    page.shows(lambda: sorted(page.table()), sorted(FIVE))


def test_shown_algorithm_has_a_look_of_its_own(page: Page) -> None:
    for name in ("phmmer", "MMseqs2", "DIAMOND"):
        page.tick(name)
    page.shows(lambda: len(page.table()), 8)
    page.shows(lambda: all(page.layer("tap", f"curve {name}")["x"] for name in page.table()))
    layers = page.layers("tap")
    looks = set()
    for name in page.table():
        glyph = layers[f"curve {name}"]["glyph"]
        looks.add((glyph["line_color"], str(glyph["line_dash"])))
        assert layers[f"curve {name}"]["x"]
    assert len(looks) == 8
    assert page.table()["phmmer"] == cells(bench()["phmmer"], by_errors(bench()["phmmer"], 20))


def test_programs_are_ticked_by_keys(page: Page) -> None:
    keys = page.browsed.keyboard
    page.browsed.locator("button.opens").first.focus()
    for key in ("Enter", "Tab", "ArrowDown", "Space", "ArrowRight", "ArrowDown", "Space"):
        keys.press(key)
    expected = {*FIVE, "phmmer"} - {"SSEARCH"}
    page.shows(lambda: {*page.table()}, expected)
    page.shows(lambda: {*page.settings()["algorithms"]}, expected)
    menu = page.browsed.locator("#programs")
    assert menu.is_visible()  # until it is closed
    keys.press("Escape")
    menu.wait_for(state="hidden")


def test_columns_are_chosen_at_the_head_of_the_table(page: Page) -> None:
    assert "MAP" not in page.heads()
    page.menu("columns", lambda boxes: (boxes("MAP").click(), boxes("Eₖ").click()))
    page.eventually(lambda: page.heads().index("MAP"))
    page.shows(lambda: "E20" in page.heads(), False)
    mean = average_precision(bench()["jackhmmer"]).value
    page.shows(lambda: page.table()["jackhmmer"][-1], f"{mean:.3f}")
    page.more()
    page.shows(lambda: page.field("scores in the table").input_value(), "own choice")


def test_no_algorithm_is_said_in_words(page: Page) -> None:
    for name in FIVE:
        page.tick(name)
    page.sees("No program is shown")
    page.shows(lambda: page.layer("tap", "threshold")["x"], [])
    assert np.isfinite(page.range("tap")).all()
    page.tick("PSI-BLAST")
    page.shows(lambda: list(page.table()), ["PSI-BLAST"])


# --- the algorithm whose errors are drawn -----------------------------------------------------


def test_boxes_of_another_algorithm(page: Page) -> None:
    before = page.layers("epq")
    page.look_at("jackhmmer")

    def check() -> None:
        after = page.layers("epq")
        assert after["box"]["y1"] != before["box"]["y1"]
        for name in ("median", "mean", "whisker"):
            assert after[name]["glyph"]["line_color"] == COLORS[3], name
        at = by_errors(bench()["jackhmmer"], 20)
        assert after["mark"]["y"] == pytest.approx([np.log10(1 + at.median)])
        assert after["mark"]["color"] == [COLORS[3]]
        assert "jackhmmer" in page.layer("epq", "readout")["text"][0]
        assert set(page.layer("precision_recall", "tick label")["color"]) == {COLORS[3]}

    page.eventually(check)


# --- queries ----------------------------------------------------------------------------------


def subset(page: Page, mask: np.ndarray) -> None:
    """The page shows these queries only, and the whole set as ghosts."""
    n = int(mask.sum())
    wanted = {name: bench()[name].subset(mask) for name in FIVE}

    def check() -> None:
        assert f"{n:,} of 862 queries · grey: all queries" in page.header()
        for name, row in page.table().items():
            lists = wanted[name]
            at = tap_k(lists, k=20, short_lists="error")
            if at.reason:
                assert row[0] == "—"
            else:
                assert row == cells(lists, by_errors(lists, 20)), name
        curve = tap_curve(wanted["BLASTP"])
        assert page.layer("tap", "peak")["y"][0] == pytest.approx(curve.peak_tap)
        for figure in ("tap", "precision_recall"):
            assert page.layer(figure, "ghost")["x"], figure
        drawn = page.layer("epq", "median")
        assert drawn["y"][-1] == pytest.approx(
            np.log10(1 + epq_distribution(wanted["BLASTP"], (1e9,)).median[0])
        )

    page.eventually(check)


def everything(page: Page) -> None:
    """The page shows all queries, and no ghosts."""

    def check() -> None:
        assert page.header().endswith("862 of 862 queries")
        for figure in ("tap", "precision_recall"):
            assert page.layer(figure, "ghost")["x"] == []
        assert page.table()["BLASTP"] == cells(bench()["BLASTP"], by_errors(bench()["BLASTP"], 20))

    page.eventually(check)


def ids() -> np.ndarray:
    return bench()["BLASTP"].query


def test_queries_by_text_while_typing_and_clear(page: Page) -> None:
    box = page.query_text
    box.press_sequentially("d1p")
    subset(page, np.array(["d1p" in query for query in ids()]))
    assert box.input_value() == "d1p"
    page.press(CLEAR)
    everything(page)
    page.shows(box.input_value, "")


def test_queries_by_regular_expression_and_escape(page: Page) -> None:
    box = page.query_text
    box.fill("^d1.*a_$")
    subset(page, np.array([q.startswith("d1") and q.endswith("a_") for q in ids()]))
    box.press("Escape")
    everything(page)
    page.shows(box.input_value, "")


def test_escape_empties_the_box_that_a_link_has_filled(open_page) -> None:
    page = open_page("?query_text=%5Ed1d")
    page.eventually(lambda: page.header().index("11 of 862 queries"))
    page.query_text.press("Escape")
    everything(page)
    page.shows(page.query_text.input_value, "")


def test_queries_by_class(page: Page) -> None:
    page.enter("class", "a.1")
    classes = bench()["BLASTP"].query_class
    subset(page, np.array([name == "a.1" or name.startswith("a.1.") for name in classes]))


def test_queries_by_relevant_records(page: Page) -> None:
    page.more()
    for label, text in (("T(q) at least", "10"), ("T(q) at most", "20")):
        page.enter(label, text)
    total = bench()["BLASTP"].n_relevant
    subset(page, (total >= 10) & (total <= 20))


def test_one_query(page: Page) -> None:
    query = str(ids()[0])
    page.query_text.fill(f"^{query}$")
    subset(page, ids() == query)
    assert "1 of 862 queries" in page.header()


def test_no_query_matches(page: Page) -> None:
    limits = {figure: page.range(figure)[:2] for figure in FIGURES}
    page.query_text.fill("xyzzy")
    page.sees("No query matches the filter: id contains ‘xyzzy’")

    def nothing() -> None:
        assert page.header().startswith("0 of 862 queries")
        for row in page.table().values():
            assert (row[0], row[-1]) == ("—", "—")

    page.eventually(nothing)
    assert {figure: page.range(figure)[:2] for figure in FIGURES} == limits
    page.shows(lambda: page.layer("tap", "threshold")["x"], [])
    page.press("Clear filter")
    everything(page)
    page.shows(page.browsed.get_by_text("No query matches").filter(visible=True).count, 0)


def test_wrong_expression_is_said_and_nothing_is_lost(page: Page) -> None:
    before = page.table()
    page.query_text.fill("d1(")
    page.sees("is not a regular expression")
    assert page.table() == before
    assert "862 of 862" in page.header()
    page.query_text.fill("d1")
    page.shows(lambda: "not a regular expression" in page.words(), False)
    subset(page, np.array(["d1" in query for query in ids()]))


# --- the bench --------------------------------------------------------------------------------


def test_another_bench_and_back(open_page) -> None:
    page = open_page()
    choice = page.browsed.locator("select").filter(has_text="Family profiles")
    choice.select_option(index=1)
    shown = ["RPS-BLAST", "HMMER3 hmmscan", "HMMER2 semi-global", "HMMER2 local"]

    def check() -> None:
        assert page.header() == "1,351 of 1,351 queries"
        assert "4 of 4 programs" in page.programs()
        assert sorted(page.table()) == sorted(shown)

    page.eventually(check)  # a whole page is made
    page.ready()
    for name, row in page.table().items():
        at = tap_k(bench("profiles")[name], k=20, short_lists="error")
        assert row[0] == ("—" if at.reason else f"{at.value:.3f}")
    page.shows(lambda: page.layer("tap", f"curve {shown[0]}")["x"] != [])
    page.shows(lambda: page.settings()["dataset"], ["profiles"])
    choice.select_option(index=0)
    page.shows(lambda: sorted(page.table()), sorted(FIVE))
    page.ready()
    everything(page)
