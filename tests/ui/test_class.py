"""The teacher's page in a browser: codes in, histograms beside the answers out, nothing lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from playwright.sync_api import Page as Browsed

from tapviz.lesson.classroom import class_page, questions
from tapviz.lesson.codes import edition, encode, length
from tests.ui.files import findings
from tests.ui.files import opened as opened_file
from tests.ui.modules import imported

ASKED = questions()
GUESSES: list[dict[str, float | str | None]] = [
    {"shape": "peaks", "pooled": 0.58, "mean": 2.0, "median": 0.0},
    {"shape": "peaks", "pooled": 0.6, "mean": 0.5, "median": 2_000_000.0},
    {"shape": "rises", "pooled": 0.1, "mean": 10.0, "median": 0.0},
    {"shape": "peaks", "pooled": None},
]
CODES = [encode(ASKED, one) for one in GUESSES]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("class") / "class.html"
    path.write_text(class_page(), encoding="utf-8")
    return path


@pytest.fixture
def opened(chromium: Any, file: Path) -> Iterator[Any]:
    """Function that opens the page; it asks for nothing but itself, and complains of nothing."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(opened_file(chromium, file, **options))


def paste(page: Browsed, lines: list[str]) -> None:
    page.get_by_label("One code per line").fill("\n".join(lines))
    page.evaluate("new Promise((done) => setTimeout(done))")


def count(page: Browsed) -> str:
    return page.get_by_role("status").inner_text()


def remarks(page: Browsed) -> list[str]:
    return page.locator("#problems li").all_inner_texts()


def question(page: Browsed, name: str) -> Locator:
    return page.locator(f'[data-question="{name}"]')


def table(page: Browsed, name: str) -> dict[str, int]:
    """Students in each row of a question's table that has any."""
    rows = question(page, name).locator("tbody tr")
    cells = rows.evaluate_all("rows => rows.map((row) => [...row.cells].map((c) => c.textContent))")
    return {words: int(students) for words, students in cells if students != "0"}


def test_the_predictions_of_a_class_are_counted_beside_the_answers(opened: Any) -> None:
    page = opened()
    assert count(page) == "No codes yet."
    paste(page, CODES)
    for name in (one.name for one in ASKED):
        question(page, name).get_by_role("button", name="Reveal").click()
    assert count(page) == "4 students counted."
    assert remarks(page) == []
    assert table(page, "shape") == {"rises and falls": 3, "only rises": 1}
    assert table(page, "pooled") == {
        "0.1 to below 0.15": 1, "0.55 to below 0.6": 1, "0.6 to below 0.65": 1, "skipped": 1
    }  # fmt: skip
    assert table(page, "mean") == {
        "above 0, below 1": 1, "1 to below 10": 1, "10 to below 100": 1, "skipped": 1
    }  # fmt: skip
    assert table(page, "median") == {"0": 2, "1,000,000 to below 10,000,000": 1, "skipped": 1}
    pooled = question(page, "pooled")
    assert "3 predictions, 1 skipped; median 0.58. Answer: 0.098." in pooled.inner_text()
    assert "answer 0.098" in pooled.locator("svg").text_content()
    # the column of 0.1 and the answer stand where the axis has them
    answer = float(pooled.locator("line.truth").get_attribute("x1"))
    assert answer == pytest.approx(12 + (440 - 24) * 94 / 962)
    bars = [float(one.get_attribute("x")) for one in pooled.locator("rect").all()]
    assert bars == pytest.approx([12 + 416 * at + 1 for at in (0.1, 0.55, 0.6)], abs=0.06)


def test_the_answers_are_held_back_until_asked_for_and_after_a_reload(opened: Any) -> None:
    page = opened()
    for _ in range(2):
        paste(page, CODES)
        assert count(page) == "4 students counted."
        assert "0.098" not in page.locator("#questions").inner_text()
        assert "nswer" not in page.locator("#questions").aria_snapshot()
        assert page.locator(".truth").count() == 0
        question(page, "pooled").get_by_role("button", name="Reveal").click()
        told = page.locator("#questions").inner_text()
        assert "Answer: 0.098." in told
        assert "0.004" not in told  # that of another question
        page.reload()


def test_what_is_no_code_is_named_with_its_line_and_the_rest_is_counted(opened: Any) -> None:
    page = opened()
    wrong = CODES[1][:-1] + ("0" if CODES[1][-1] != "0" else "1")
    lines = [CODES[0], wrong, "", f"Ada: {CODES[2].lower().replace('-', ' ')}", "hello", "Bo:"]
    size, short = length(ASKED), len(CODES[0][:-2].replace("-", ""))
    start = f"begins with HE, not {edition(ASKED)}"
    paste(page, [*lines, CODES[0], CODES[0][:-2], "<b>bold</b>"])
    assert count(page) == "2 students counted."
    assert remarks(page) == [
        f"Line 2, “{wrong}”, is not counted: mistyped: compare it with the student's.",
        f"Line 5, “hello”, is not counted: {start}: mistyped, or of another lesson.",
        "Line 6: “Bo:” has no code after the colon.",
        "Line 7 has the code of line 1, which counts once.",
        f"Line 8, “{CODES[0][:-2]}”, is not counted: has {short} characters, not {size}.",
        "Line 9, “<b>bold</b>”, is not counted: < is in no code.",
    ]
    page.reload()
    expect(page.get_by_role("status")).to_have_text("2 students counted.")
    page.get_by_role("button", name="Clear").click()
    assert count(page) == "No codes yet."


def test_the_browser_makes_and_reads_the_codes_of_python(opened: Any) -> None:
    page = opened()
    made = page.evaluate(
        f"""async (guesses) => {{
            const {{ encode, decode }} = {imported("lesson", "codes.js")}
            const {{ edition, questions }} = JSON.parse(document.getElementById("data").textContent)
            return guesses.map((one) => {{
                const code = encode(questions, edition, one)
                return [code, decode(questions, edition, code)]
            }})
        }}""",
        GUESSES,
    )
    assert [code for code, _ in made] == CODES
    names = {one.name for one in ASKED}
    assert [found for _, found in made] == [dict.fromkeys(names) | one for one in GUESSES]


def test_files_are_read_whether_lists_of_codes_or_saved_pages(opened: Any, tmp_path: Path) -> None:
    page = opened()
    saved, codes, other = (tmp_path / name for name in ("ada.html", "class.txt", "other.html"))
    saved.write_text(f'<!DOCTYPE html><meta name="tapviz-code" content="{CODES[0]}">')
    codes.write_text("\r\n".join([*CODES[1:3], "", "Bo: nothing"]))
    other.write_text("<!DOCTYPE html><title>something else</title>")
    page.get_by_label("Choose files").set_input_files([saved, codes, other])
    page.get_by_text("3 students counted.").wait_for()
    assert page.get_by_label("One code per line").input_value() == "\n".join(
        [f"ada.html: {CODES[0]}", *CODES[1:3], "Bo: nothing"]
    )
    assert [one.split(":")[0] for one in remarks(page)] == [
        "other.html", "Line 4, “Bo"
    ]  # fmt: skip


def test_forty_codes_in_three_notations_are_forty(opened: Any) -> None:
    page = opened()
    codes = [encode(ASKED, {"pooled": i / 40, "lifted": i, "mean": float(i)}) for i in range(40)]
    lines = [
        line
        for i, code in enumerate(codes)
        for line in (code, f"{i + 1}. “{code.lower().replace('-', ' ')}”", f"Student {i}: {code}")
    ]
    paste(page, lines)
    assert count(page) == "40 students counted."
    assert remarks(page)[-1] == "And 60 more."
    assert sum(table(page, "pooled").values()) == 40
    page.get_by_label("Students in the class").fill("42")
    assert count(page) == "40 students of 42 counted."
    assert "40 of 42; 40 predictions, 0 skipped" in question(page, "pooled").inner_text()


def test_a_thousand_lines_of_rubbish_are_answered_and_the_codes_among_them_count(
    opened: Any,
) -> None:
    page = opened()
    rubbish = ["x" * 500, "12 " * 100, "<b>", ": : :", CODES[0][:-1], "HE" * 300, "ä“”", "0" * 900]
    paste(page, [*rubbish * 125, *CODES])
    assert count(page) == "4 students counted."
    assert len(remarks(page)) == 21
    assert remarks(page)[-1] == "And 980 more."


def test_codes_of_three_characters_are_a_prediction_each(opened: Any) -> None:
    page = opened()
    three = page.evaluate(
        f"""async () => {{
            const {{ encodeOne }} = {imported("lesson", "codes.js")}
            const {{ questions }} = JSON.parse(document.getElementById("data").textContent)
            const of = (name, said) => encodeOne(questions, name, said)
            const pooled = [0.58, 0.58, null, 0.1].map((said) => of("pooled", said))
            return [...pooled, of("added", 0.9)]
        }}"""
    )
    assert {len(one) for one in three} == {3}
    pooled = question(page, "pooled")
    field = pooled.get_by_label("Codes of three characters")
    field.fill(
        f"Ada: {three[0]}, “{three[1].lower()}” {three[2]}; Bob:{three[3]} {three[4]} nothing"
    )
    expect(pooled).to_contain_text("3 predictions, 1 skipped; median 0.58.")
    wrong = f"No codes of this question: {three[4]}, nothing"
    assert pooled.locator(".wrong").inner_text() == wrong
    paste(page, CODES)
    expect(pooled).to_contain_text("6 predictions, 2 skipped")
    page.reload()
    expect(pooled).to_contain_text("6 predictions, 2 skipped")
    page.get_by_role("button", name="Clear").click()
    expect(pooled).to_contain_text("0 predictions, 0 skipped")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_out(opened: Any, scheme: str) -> None:
    page = opened(color_scheme=scheme)
    paste(page, [*CODES, "hello"])
    page.locator("summary").first.click()
    assert findings(page) == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 256), (1000, 800)])
def test_nothing_is_cut_on_a_narrow_screen(opened: Any, width: int, height: int) -> None:
    page = opened(viewport={"width": width, "height": height})
    paste(page, [*CODES, "hello"])
    for one in page.locator("summary").all():
        one.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
