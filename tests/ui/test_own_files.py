"""A person's own files: zeros, hostile names, and files that cannot be read."""

from __future__ import annotations

import contextlib
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tapviz.draw.scale import ThresholdAxis
from tapviz.labels import STANDARDS, ClassTable
from tapviz.labels.rules import LEVELS
from tapviz.lists import RetrievalLists, align
from tapviz.measures import errors_per_query, sensitivity_to_error, tap, tap_k
from tapviz.readers import read
from tapviz.scores import named
from tests.ui.conftest import Kept, Server, visit
from tests.ui.expected import by_errors, cells, rest
from tests.ui.files import blast_row
from tests.ui.page import E0, WAIT, K, Page

HOSTILE_NAME = "<img src=x onerror=alert(1)>"
HOSTILE_ID = "<img/src=x/onerror=alert(1)>"
CLASSES = {
    "q1": "a.1.1.1", "q2": "b.1.1.1", HOSTILE_ID: "c.1.1.1",
    "r1": "a.1.1.1", "r2": "a.1.1.2", "r3": "a.1.1.1",
    "s1": "b.1.1.1", "s2": "b.1.1.1", "s3": "b.1.1.3",
    "t1": "c.1.1.1", "<b>t2</b>": "c.1.1.2",
}  # fmt: skip
ALPHA = {
    "q1": [("r1", "0.0"), ("s1", "0.0"), ("r2", "1e-50"), ("t1", "1e-3"), ("r3", "0.5")],
    "q2": [("s2", "0.0"), ("s1", "1e-20"), ("r1", "0.01"), ("r2", "3")],
    HOSTILE_ID: [("t1", "1e-5"), ("r1", "0.1"), ("s1", "5"), ("<b>t2</b>", "6")],
}
BETA = {
    "q1": [("r1", "1e-40"), ("r3", "1e-4"), ("s2", "2")],
    "q2": [("r1", "0.0"), ("s2", "1e-9"), ("t1", "0.2")],
    HOSTILE_ID: [("<b>t2</b>", "1e-3"), ("s3", "4")],
}


def write(folder: Path) -> list[str]:
    """Write the files and return the arguments that open them."""
    for name, lists in (("alpha", ALPHA), (HOSTILE_NAME, BETA)):
        rows = [
            blast_row(query, record, evalue)
            for query, hits in lists.items()
            for record, evalue in hits
        ]
        (folder / f"{name}.tsv").write_text("".join(rows), "utf-8")
    table = "".join(f"{record}\t{name}\n" for record, name in CLASSES.items())
    (folder / "classes.tsv").write_text(table, "utf-8")
    files = [str(folder / f"{name}.tsv") for name in ("alpha", HOSTILE_NAME)]
    return [*files, "--labels", str(folder / "classes.tsv")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def kept_own(serve: Callable[..., Kept], folder: Path) -> Kept:
    return serve(*write(folder))


@pytest.fixture
def own(kept_own: Kept) -> Iterator[Page]:
    with visit(kept_own) as page:
        yield page


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, RetrievalLists]:
    table = ClassTable.read(folder / "classes.tsv")
    files = {name: folder / f"{name}.tsv" for name in ("alpha", HOSTILE_NAME)}
    return align({name: read(file, labels=table) for name, file in files.items()})


def test_own_files(own: Page, results: dict[str, RetrievalLists]) -> None:
    assert "alpha.tsv" in own.header()
    assert own.header().startswith("3 of 3 queries")
    assert "demo" not in own.header()
    for name, row in own.table().items():
        assert tap_k(results[name], k=20, short_lists="error").reached == 0
        assert row == ["—", "0 % of queries reach 20 errors", *rest(results[name])]
    own.type(K, "1")
    expected = {name: cells(lists, by_errors(lists, 1)) for name, lists in results.items()}
    own.shows(own.table, expected)


def test_zeros_are_drawn_and_counted(own: Page, results: dict[str, RetrievalLists]) -> None:
    axis = ThresholdAxis.of([lists.score for lists in results.values()], descending=False)
    assert axis.zero is not None
    layers = own.layers("tap")
    for name, lists in results.items():
        drawn = layers[f"curve {name}"]
        assert drawn["x"][0] == pytest.approx(axis.zero)
        assert drawn["y"][0] == pytest.approx(tap(lists, 0).value)
        assert drawn["x"][0] < axis.position(1e-50) - 1e-6
    assert own.range("tap")[0] < axis.zero
    drawn = own.layer("epq", "mean")
    assert drawn["x"][0] == pytest.approx(axis.zero)
    mean = errors_per_query(results["alpha"], 0).mean()
    assert mean == pytest.approx(1 / 3)
    assert drawn["y"][0] == pytest.approx(np.log10(1 + mean))
    for figure in ("tap", "epq"):
        text = own.layer(figure, "readout")["text"][0]
        assert "E = 0 as reported (below the program's smallest)" in text
    limits = own.range("tap")
    share = (axis.zero - limits[0]) / (limits[1] - limits[0])
    own.answers("tap", share, lambda: own.tips()[0].index("E = 0 as reported"))


def test_threshold_zero(own: Page, results: dict[str, RetrievalLists]) -> None:
    own.mode("E-value")
    own.type(E0, "0")
    expected = {name: f"{tap(lists, 0).value:.3f}" for name, lists in results.items()}
    own.shows(lambda: {name: row[0] for name, row in own.table().items()}, expected)
    axis = ThresholdAxis.of([lists.score for lists in results.values()], descending=False)
    own.shows(lambda: own.layer("tap", "line")["x"], pytest.approx([axis.zero] * 2))


def test_what_was_read_is_said(own: Page, results: dict[str, RetrievalLists]) -> None:
    own.browsed.get_by_text("What was read").click()
    rows = own.browsed.locator("table.read tbody tr")

    def shown() -> None:
        for row, (name, lists) in zip(rows.all_inner_texts(), results.items(), strict=True):
            said = [str(count) for _, count, _ in lists.join_report.lines()]
            words = [word for word in row.replace(name, "").split() if word.isdigit()]
            assert row.startswith(name)
            assert words[:1] == said[:1]
            assert set(said) <= set(words)

    own.eventually(shown)
    own.sees("a table of classes: same to level 3 relevant, to level 2 ignored")


def test_names_appear_literally(own: Page) -> None:
    assert sorted(own.table()) == sorted(["alpha", HOSTILE_NAME])
    own.browsed.get_by_text("What was read").click()
    assert HOSTILE_NAME in own.browsed.locator("table.read").inner_text()
    own.query_text.fill(HOSTILE_ID)
    own.eventually(lambda: _one(own))
    own.query_text.fill(HOSTILE_NAME + "x")
    own.sees(f"No query matches the filter: id contains ‘{HOSTILE_NAME}x’")
    own.query_text.fill(HOSTILE_NAME + "[")
    own.sees(f"‘{HOSTILE_NAME}[’ is not a regular expression")
    own.mode("E-value")
    own.type(E0, HOSTILE_NAME)
    own.sees(f"‘{HOSTILE_NAME}’ is not a threshold")
    own.point("tap", 0.38)
    own.point("tap", 0.4)
    own.at_rest()
    assert not own.browsed.locator("img[src='x']").count()


def test_another_standard_of_relevance_without_reading_again(own: Page, folder: Path) -> None:
    files = {name: folder / f"{name}.tsv" for name in ("alpha", HOSTILE_NAME)}
    own.type(K, "1")

    def judged(standard: str) -> Callable[[], None]:
        labels = folder / "classes.tsv"
        lists = {n: read(one, labels=labels, standard=standard) for n, one in files.items()}

        def check() -> None:
            for name, row in own.table().items():
                assert row == cells(lists[name], by_errors(lists[name], 1)), name

        return check

    own.eventually(judged("sf3"))
    own.field("what is relevant").select_option("relevant: family")
    own.eventually(judged("family"))
    own.shows(lambda: own.settings().get("standard"), ["family"])
    own.press("Undo")
    own.eventually(judged("sf3"))


def test_on_a_phone_the_header_has_a_line_for_what_is_relevant_and_a_menu(own: Page) -> None:
    own.browsed.set_viewport_size({"width": 390, "height": 844})
    own.shows(lambda: own.browsed.evaluate("document.documentElement.scrollWidth"), 390)
    menu = own.browsed.get_by_role("button", name="☰").bounding_box()
    assert menu["x"] + menu["width"] <= 390
    own.browsed.get_by_role("button", name="☰").click()
    own.browsed.get_by_role("button", name="Figure…").click()
    own.sees("caption")


def test_the_scores_that_a_benchmark_publishes(own: Page, folder: Path) -> None:
    own.more()
    own.field("scores in the table").select_option("homology benchmark")
    names = ("sensitivity@1", "sensitivity@5", "sepq@0.1", "sepq@1", "sepq@10", "sum3")
    labels = folder / "classes.tsv"
    lists = {n: read(folder / f"{n}.tsv", labels=labels) for n in ("alpha", HOSTILE_NAME)}
    expected = {
        name: [named(score).text(named(score).measure(one)) for score in names]
        for name, one in lists.items()
    }

    own.shows(own.table, expected)
    own.shows(lambda: own.settings().get("table_scores"), list(names))

    table = ClassTable.read(labels)
    judged = [
        read(folder / "alpha.tsv", labels=table.judged_by(STANDARDS[level])) for level in LEVELS
    ]
    means = [sensitivity_to_error(one, n=1).value for one in judged]

    def drawn() -> None:
        curve = own.layer("sensitivity", "curve alpha")
        x, y = np.array(curve["x"], float), np.array(curve["y"], float)
        panels = np.split(np.arange(x.size), np.flatnonzero(np.isnan(x)))[: len(LEVELS)]
        areas = [np.trapezoid(y[at][~np.isnan(x[at])], x[at][~np.isnan(x[at])]) for at in panels]
        assert areas == pytest.approx(np.nan_to_num(means).tolist())

    own.eventually(drawn)
    own.field("scores in the table").select_option("TAP-k")
    own.shows(lambda: own.settings().get("table_scores"), [""])


def _one(page: Page) -> None:
    # Not an expression to them: brackets of a call are, so that it may match none, but never run.
    assert "1 of 3 queries" in page.header() or "0 of 3 queries" in page.header()


@pytest.fixture
def bad(tmp_path: Path) -> list[str]:
    arguments = write(tmp_path)
    bad = tmp_path / "bad.tsv"
    bad.write_text(blast_row("q1", "r1", "1e-5") + blast_row("q1", "r1", "3.2x"), "utf-8")
    return [str(bad), *arguments[-2:]]


@pytest.mark.parametrize(
    ("name", "words"),
    [("bad.tsv", "bad.tsv, line 2"), ("none.tsv", "there is no such file; check the path")],
)
@pytest.mark.usefixtures("chromium")
def test_file_that_cannot_be_read_ends_the_server(
    logs: Path, bad: list[str], name: str, words: str
) -> None:
    server = Server(logs, bad[0].replace("bad.tsv", name), *bad[1:])
    try:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{server.url}/explore", timeout=WAIT).read()  # noqa: S310
        assert server.process.wait(WAIT) == 2
        said = [line for line in server.log.splitlines() if name in line]
        assert len(said) == 1, server.log
        assert words in said[0]
        assert "Traceback" not in server.log
    finally:
        server.stop()
