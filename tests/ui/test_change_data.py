"""Files dropped on the page: what is recognised, what the join says, and what is opened."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tapviz.files.options import options_of
from tapviz.labels import ClassTable, JoinRules
from tapviz.lists import RetrievalLists
from tapviz.readers import read
from tests.ui.conftest import SIZE, Server, trouble
from tests.ui.expected import by_errors, cells
from tests.ui.files import blast_row
from tests.ui.page import CHANGE_DATA, OPEN_RESULTS, Page

HOSTILE = "<img src=x onerror=alert(1)>"
CLASSES = {"q1": "a.1.1", "q2": "b.1.1", "r1": "a.1.1", "r2": "a.1.1", "s1": "b.1.1", "f": "a.1.2"}
HITS = [
    ("q1", "q1", "0.0"), ("q1", "r1", "1e-30"), ("q1", "r1", "1e-9"), ("q1", "s1", "1e-5"),
    ("q1", "x", "0.01"), ("q1", "f", "0.1"), ("q1", "r2", "2"), ("q2", "x", "1e-8"),
    ("q2", "s1", "1e-3"), ("q2", "r1", "5"), ("nobody", "r1", "1"),
]  # fmt: skip

FOCUSED = """() => {
    let element = document.activeElement
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    return element.tagName === "H2" && element.textContent
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dropped")
    (folder / "blastp.tsv").write_text("".join(blast_row(*hit) for hit in HITS), "utf-8")
    (folder / "bad.tsv").write_text(
        blast_row("q1", "r1", "1") + blast_row("q1", HOSTILE, "3.2x"), "utf-8"
    )
    table = "".join(f"{record}\t{name}\n" for record, name in CLASSES.items())
    (folder / "classes.tsv").write_text(table, "utf-8")
    return folder


@pytest.fixture(scope="module")
def opened(shared: BrowserContext, server: Server) -> Iterator[Page]:
    """A page whose data are changed again and again; no dialog may appear."""
    page = Page(shared.new_page(), server).open()
    page.browsed.on("dialog", lambda dialog: page.complaints.append(dialog.message))
    yield page
    page.browsed.close()


@pytest.fixture
def dropping(opened: Page) -> Iterator[Page]:
    """The page with the panel open."""
    opened.press(CHANGE_DATA)
    opened.sees("Up to 200 MB each")
    yield opened
    problems = trouble(opened)
    if is_open(opened):
        opened.press("Close")
        opened.shows(lambda: is_open(opened), False)
    assert not problems


def is_open(page: Page) -> bool:
    return page.browsed.get_by_role("heading", name=CHANGE_DATA).filter(visible=True).count() > 0


def drop(page: Page, *files: Path) -> None:
    page.browsed.locator("input[type=file]").last.set_input_files(files)


def errors(page: Page, k: str) -> None:
    """Type k."""
    box = page.browsed.get_by_label("k", exact=True)
    box.fill(k)
    box.press("Enter")


def reported(page: Page, within: str = ".preview") -> dict[str, list[str]]:
    """Counts of the join by algorithm, as the panel or the note shows them."""
    table = page.browsed.locator(f"{within} table.read").filter(visible=True)
    assert table.count() == 1
    rows = table.evaluate(
        """table => [...table.tBodies[0].rows].map((row) => [...row.cells].map(tapviz.plain))"""
    )
    return {name: counts for name, *counts in rows}


def joined(folder: Path, **rules: str) -> RetrievalLists:
    table = ClassTable.read(folder / "classes.tsv", rules=JoinRules(**rules))
    with pytest.warns(UserWarning, match="nobody"):
        return read(folder / "blastp.tsv", labels=table)


def counts(lists: RetrievalLists) -> list[str]:
    return [f"{count:,}" for _, count, _ in lists.join_report.lines()]


def test_dropped_files_are_recognised_joined_and_opened(dropping: Page, folder: Path) -> None:
    page = dropping
    before = page.table()
    page.shows(lambda: page.browsed.evaluate(FOCUSED), CHANGE_DATA)
    drop(page, folder / "blastp.tsv")
    page.sees("BLAST tabular (-outfmt 6)")
    page.sees("Which records are relevant to which query?")
    opens = page.browsed.get_by_role("button", name=OPEN_RESULTS)
    assert opens.is_disabled()
    drop(page, folder / "classes.tsv")
    page.sees("probably classes of records: an id, a tab and a class")
    usual = joined(folder)
    page.shows(lambda: reported(page), {"blastp": counts(usual)})
    assert counts(usual) == ["11", "7", "1", "1", "1", "2", "1", "2"]
    assert "nobody" in page.browsed.locator(".preview .doubts").filter(visible=True).inner_text()

    page.browsed.get_by_label("records without a label are").select_option("left out")
    ignoring = joined(folder, unlabelled="ignore")
    assert counts(ignoring) != counts(usual)
    page.shows(lambda: reported(page), {"blastp": counts(ignoring)})
    name = page.browsed.get_by_label("program of blastp.tsv")
    name.fill("mine")
    name.press("Enter")
    page.shows(lambda: list(reported(page)), ["mine"])
    assert page.table() == before

    page.settled()
    page.shows(lambda: page.browsed.evaluate("(() => { scrollTo(0, 200); return scrollY })()"), 200)
    opens.evaluate("button => button.click()")  # which does not scroll
    page.shows(lambda: list(page.table()), ["mine"])
    page.ready()
    page.shows(lambda: page.browsed.evaluate("scrollY"), 0)
    opened = "2 of 2 queries · blastp.tsv"
    page.eventually(lambda: page.header().index(opened))
    page.settled()
    errors(page, "1")
    page.shows(lambda: page.table()["mine"], cells(ignoring, by_errors(ignoring, 1)))
    page.browsed.get_by_text("What was read").click()
    page.shows(lambda: reported(page, ".notice"), {"mine": counts(ignoring)})
    page.shows(lambda: is_open(page), False)
    options = page.browsed.get_by_label("data set", exact=True).locator("option").all_inner_texts()
    assert options[0] == "your files: blastp.tsv"
    assert len(options) > 1


def test_no_field_covers_another_or_leaves_its_line(dropping: Page, folder: Path) -> None:
    page = dropping
    drop(page, folder / "blastp.tsv", folder / "classes.tsv")
    about = [page.browsed.get_by_label(f"{what} blastp.tsv") for what in ("what", "program of")]
    for width in (390, 1000, SIZE["width"]):
        page.browsed.set_viewport_size(SIZE | {"width": width})
        below = width == 390
        page.shows(lambda: len({field.bounding_box()["y"] for field in about}), 1 + below)
        for way in options_of(JoinRules)["normalise"].choices:
            page.browsed.get_by_label(way).check()
            page.browsed.get_by_label(way).uncheck()


def test_a_file_that_cannot_be_read_leaves_everything_as_it_was(
    dropping: Page, folder: Path
) -> None:
    page = dropping
    before = page.table()
    drop(page, folder / "bad.tsv", folder / "classes.tsv")
    page.sees("bad.tsv, line 2: E-value: expected a number, found '3.2x'")
    assert f"q1 → {HOSTILE} → 50.0" in page.browsed.locator(".problems").inner_text()
    assert page.browsed.get_by_role("button", name=OPEN_RESULTS).is_disabled()
    assert page.table() == before
    errors(page, "5")
    page.shows(lambda: page.table() != before)
    page.press("Close")
    page.shows(lambda: page.browsed.locator(".problems").count(), 0)
    assert not page.browsed.locator("img[src='x']").count()


def test_reading_can_be_stopped_and_begun_again(dropping: Page, folder: Path) -> None:
    page = dropping
    rows = "".join(blast_row("q1", f"r{n}", "e-100") for n in range(1000))
    large = folder / "large.tsv.gz"
    large.write_bytes(gzip.compress((rows * 900).encode(), 1))
    drop(page, folder / "classes.tsv")
    page.sees("These are labels: add result files, too.")
    status = page.browsed.locator(".reading").filter(visible=True)
    far = re.compile(r"Reading: *[1-9][\d,]* rows, [\d.]+ of [\d.]+ MB.*Cancel")
    with page.server.holding(after=1):  # of some six times
        drop(page, large)
        page.shows(lambda: far.search(status.inner_text()) is not None, True)
        status.locator("button").click()
        page.eventually(lambda: status.inner_text().index("Stopped. Nothing was changed."))
        assert page.browsed.get_by_role("button", name=OPEN_RESULTS).is_disabled()
        assert not page.browsed.locator(".preview").filter(visible=True).count()
        status.locator("button").click()
        page.shows(lambda: far.search(status.inner_text()) is not None, True)
    page.shows(lambda: status.locator("button").count(), 0)


def test_files_that_are_too_large_are_refused(dropping: Page, tmp_path: Path) -> None:
    page = dropping
    with (tmp_path / "huge.tsv").open("wb") as file:
        file.truncate(200_000_001)
    drop(page, tmp_path / "huge.tsv")
    page.sees("File is too large")
    page.sees("Maximum file size is 200 MB")
    assert not page.browsed.locator(".file").count()


def test_ids_of_dropped_files_appear_literally(dropping: Page, tmp_path: Path) -> None:
    page = dropping
    head = "algorithm,query,record,evalue,relevant,n_relevant\n"
    lines = [f"{HOSTILE},q{HOSTILE}{n},{HOSTILE}{n},{n},{n % 2},3\n" for n in range(6)]
    (tmp_path / f"{HOSTILE}.csv").write_text(head + "".join(lines), "utf-8")
    drop(page, tmp_path / f"{HOSTILE}.csv")
    page.shows(lambda: list(reported(page)), [HOSTILE])
    page.sees("the file says itself what is relevant")
    page.sees(f"{HOSTILE}.csv")
    page.press(OPEN_RESULTS)
    page.shows(lambda: list(page.table()), [HOSTILE])
    page.ready()
    page.eventually(lambda: page.header().index(f"{HOSTILE}.csv"))
    page.browsed.get_by_text("What was read").click()
    page.query_text.fill(f"q{HOSTILE}"[:20])
    page.shows(lambda: "6 of 6 queries" in page.header(), True)
    for tab, figure in (
        ("Queries", "strip"),
        ("Why pooled differs", "pooled"),
        ("k-th error", "nth_error"),
    ):
        page.tab(tab)
        for pointed in (figure, "tap", "epq"):
            page.point(pointed, 0.4)
    page.at_rest()
    assert not page.browsed.locator("img[src='x']").count()
