"""Weights of queries; and a table of scores of each query, opened as results are."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tapviz import tap_k
from tapviz.measures import weigh
from tests.ui.conftest import Kept
from tests.ui.expected import FIVE, bench
from tests.ui.page import SHARE, Page

TABLE = (
    "query,algorithm,nDCG,recall\n"
    + "".join(f"q{i},one,{i / 20},0.5\n" for i in range(20))
    + "".join(f"q{i},two,{(i % 5) / 5},{i / 40}\n" for i in range(20))
)


def test_weights_of_queries_change_the_table_and_the_link(page: Page) -> None:
    page.more()
    counts_as = page.browsed.get_by_label("query weight", exact=False)
    expected = {
        how: [f"{tap_k(weigh(bench()[name], how), k=20).value:.3f}" for name in FIVE]
        for how in ("none", "relevant", "relevant_squared")
    }
    for how, title in (("relevant", "T(q)"), ("relevant_squared", "T(q)²")):
        counts_as.select_option(title)
        page.eventually(
            lambda how=how: [row[0].split(" ")[0] for row in page.table().values()].index(
                expected[how][0]
            )
        )
        assert expected[how] != expected["none"]
        page.eventually(lambda how=how: page.settings()["weights"].index(how))
        page.eventually(lambda: page.status().index("Each query counts as"))
    counts_as.select_option("1")
    page.eventually(lambda: page.settings()["weights"].index("none"))


@pytest.fixture
def given(shared: BrowserContext, serve: Callable[[Path], Kept], tmp_path: Path) -> Iterator[Page]:
    (tmp_path / "own.csv").write_text(TABLE)
    server = serve(tmp_path / "own.csv").server
    page = Page(shared.new_page(), server).open(wait=False)
    page.browsed.locator("table.scores").wait_for()
    yield page
    page.browsed.close()
    assert not server.new_complaints()


def test_a_table_of_scores_is_compared_and_exported(given: Page) -> None:
    browsed = given.browsed
    given.sees("scores of each query, read from a table")
    given.eventually(lambda: given.heads().index("nDCG"))
    assert list(given.table()) == ["one", "two"]
    assert [row[0] for row in given.table().values()] == ["0.475", "0.400"]
    given.sees("one has the better nDCG for 11 of 20 queries, two for 8; 1 are equal.")
    given.more()
    browsed.get_by_label("score compared", exact=False).first.select_option("recall")
    given.sees("one has the better recall for 20 of 20 queries")
    given.eventually(lambda: given.in_words()["Differences"].index("one against two +0.26"))
    assert browsed.get_by_text("ROCₙ", exact=True).count() == 0

    given.press(SHARE)
    button = browsed.get_by_role("button", name="Scores of queries as CSV", exact=True)
    with browsed.expect_download() as waiting:
        button.click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text("utf-8"))))
    assert waiting.value.suggested_filename == "queries.csv"
    assert len(rows) == 40
    assert (rows[3]["query"], rows[3]["algorithm"], rows[3]["nDCG"]) == ("q3", "one", "0.15")
    given.eventually(lambda: given.settings()["compared_score"].index("recall"))
