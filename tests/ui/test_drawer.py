"""From the aggregate down to the record: dots, boxes, the ranked lists, and undo."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tapviz.lists import align
from tapviz.measures import ranked_list, tap_k
from tapviz.readers import read
from tapviz.state.query_filter import Box
from tests.ui.conftest import Kept, visit
from tests.ui.expected import FIVE, bench, by_errors, by_threshold, cells
from tests.ui.page import A_VS_B, CLEAR, E0, K, Page, finite

LONG = 20_000


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """The page, left without a query in focus."""
    yield page
    close = page.browsed.locator(".close-drawer")
    if close.is_visible():
        close.click()
        closed(page)


def scatter(page: Page) -> dict:
    """Points of the scatter plot, once it is there and at rest."""
    page.tab(A_VS_B)
    page.shows(lambda: page.script("Boolean(tapviz.view('scatter'))"))
    page.still("scatter", 350)
    return page.layer("scatter", "point")


def draw_box(page: Page, left: float, right: float, low: float, high: float) -> None:
    page.still("scatter", 350)
    page.pull("scatter", (left, right), (low, high))


def focus_on(page: Page, query: str) -> None:
    page.enter("Focus", query)
    opened(page, query)


def opened(page: Page, query: str) -> None:
    page.browsed.locator(".drawer .title", has_text=f"Ranked lists of {query}").wait_for()


def closed(page: Page) -> None:
    page.browsed.locator(".drawer:not(.open)").wait_for()


def of(page: Page, algorithm: str, what: str = ""):
    """Part of an algorithm's list in the drawer."""
    return page.browsed.locator(f'.list[data-algorithm="{algorithm}"] {what}')


def rows(page: Page, algorithm: str) -> list[list[str]]:
    """Rank, record, score, kind and precision of the rows in the page that have arrived."""
    seen = of(page, algorithm, ".record").evaluate_all(
        "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
    )
    return [[*row[:2], *row[3:]] for row in seen if len(row) == 6]


def test_queries_are_kept_by_written_limits_without_a_mouse(page: Page) -> None:
    scatter(page)
    keys = page.browsed.keyboard
    page.browsed.get_by_role("button", name="Filter ▾", exact=True).focus()
    keys.press("Enter")
    least = page.field("TAP of B from")
    least.wait_for()
    for text in ("9", "0.9"):
        least.focus()
        keys.press("Control+a")
        keys.type(text)
        keys.press("Tab")  # to the other limit, which stays
        keys.press("Tab")
        keys.press("Enter")
        if text == "9":
            page.sees("TAP of B from: enter a number from 0 to 1")
    some = int((tap_k(bench()["SSEARCH"], k=20).per_query >= 0.9).sum())
    page.shows(lambda: f"{some} of 862 queries" in page.header())
    page.tab("Ranking")
    least.wait_for(state="hidden")
    page.tab(A_VS_B)
    page.browsed.get_by_role("button", name="Filter ▾", exact=True).wait_for()
    page.press(CLEAR)
    page.shows(lambda: "862 of 862 queries" in page.header())


# --- a dot, a list ------------------------------------------------------------------------------


def test_click_on_a_dot_opens_its_lists_and_escape_closes_them(page: Page) -> None:
    points = scatter(page)
    x, y = np.array(points["x"]), np.array(points["y"])
    at = int(np.argmax(x - y))  # alone, far from the diagonal
    query = str(bench()["BLASTP"].query[at])
    page.browsed.mouse.click(*page.place("scatter", x[at], y[at]))
    opened(page, query)
    page.browsed.mouse.move(1, 1)
    page.shows(page.browsed.locator(".drawer .list .name").all_inner_texts, FIVE)

    def shown(name: str) -> None:
        lists = bench()[name]
        at_k = tap_k(lists, k=20)
        found = ranked_list(lists, query, at_k.e0)
        value = at_k.per_query[at]
        assert found.tap == value
        assert of(page, name, ".tap").inner_text() == f"TAP-20 {value:.6f}"
        assert float(of(page, name, ".tap").get_attribute("data-exact") or "") == value
        assert of(page, name, ".equation").inner_text().endswith(f"= {value:.6f}")
        assert f"({found.n_relevant} + 1)" in of(page, name, ".equation").inner_text()
        missing = f"{found.n_never} of {found.n_relevant} relevant never retrieved"
        if not found.n_never:
            missing = f"all {found.n_relevant} relevant retrieved"
        assert of(page, name, ".never").inner_text() == missing
        for rank, record, _, kind, precision in rows(page, name):
            i = int(rank) - 1
            assert record == found.record[i]  # type: ignore[index]
            assert precision == f"{found.precision[i]:.3f}"
            letter = "▲ R" if found.relevant[i] else "▽ I"
            assert kind == letter + (" TPIR" if found.tpir[i] else "")

    for name in FIVE:
        page.eventually(partial(shown, name))
    page.shows(lambda: page.layer("scatter", "focus")["x"], [x[at]])
    found = ranked_list(bench()["BLASTP"], query, tap_k(bench()["BLASTP"], k=20).e0)
    end = pytest.approx([found.sentinel])
    page.shows(lambda: page.settings().get("focus"), [query])
    page.tab("Precision–recall")
    page.shows(lambda: page.layer("precision_recall", "focus end")["y"], end)
    page.browsed.keyboard.press("Escape")
    closed(page)
    page.shows(lambda: page.layer("precision_recall", "focus")["x"], [])


def test_the_mouse_is_told_of_all_queries_at_a_place(page: Page) -> None:
    points = scatter(page)
    place_of = list(zip(points["x"], points["y"], strict=True))
    total = dict(zip(bench()["BLASTP"].query, bench()["BLASTP"].n_relevant, strict=True))

    def told(x: float, y: float) -> str:
        page.browsed.mouse.move(1, 1)
        page.shows(page.tips, [])
        page.browsed.mouse.move(*page.place("scatter", x, y))
        return " ".join(page.eventually(lambda: page.tips()[0]).split())

    x, y = max(place_of, key=lambda at: at[0] - at[1])  # alone, far from the diagonal
    query = points["query"][place_of.index((x, y))]
    values = r" BLASTP (0\.\d{3}) SSEARCH (0\.\d{3})"
    seen = told(x, y)
    said = re.fullmatch(re.escape(f"{query}, T(q) = {total[query]:,}") + values, seen)
    assert said, seen
    assert [float(value) for value in said.groups()] == pytest.approx([y, x], abs=6e-4)

    (x, y), size = Counter(place_of).most_common(1)[0]
    assert size > 5
    seen = told(x, y)
    there = {name for name, at in zip(points["query"], place_of, strict=True) if at == (x, y)}
    named = re.findall(r"(\S+), T\(q\)", seen)
    assert len(set(named)) == 5
    assert set(named) <= there
    assert re.search(rf" and {size - 5:,} more queries here{values}$", seen), seen


def test_the_lists_are_downloaded_as_csv(page: Page) -> None:
    assert not page.browsed.get_by_role("button", name="as CSV", exact=False).is_visible()
    focus_on(page, "d1ngka_")
    with page.browsed.expect_download() as waiting:
        page.press("Download these lists as CSV")
    file = waiting.value
    assert file.suggested_filename == "ranked-d1ngka_.csv"
    rows = list(csv.DictReader(io.StringIO(file.path().read_text("utf-8"))))
    for name in FIVE:
        found = ranked_list(bench()[name], "d1ngka_", tap_k(bench()[name], k=20).e0)
        own = [row for row in rows if row["algorithm"] == name]
        assert [row["record"] for row in own] == found.record.tolist()  # type: ignore[union-attr]
        assert [float(row["precision"]) for row in own] == found.precision.tolist()
        assert sum(int(row["retrieved"]) for row in own) == found.n_retrieved


def test_the_equation_follows_the_threshold(page: Page) -> None:
    focus_on(page, "d1ngka_")
    row = bench()["BLASTP"].row_of("d1ngka_")
    page.type(K, "3")

    def shown(name: str, e0: float, value: float) -> None:
        found = ranked_list(bench()[name], "d1ngka_", e0)
        assert found.tap == value
        assert of(page, name, ".tap").inner_text().endswith(f" {value:.6f}")
        assert of(page, name, ".equation").inner_text().endswith(f"= {value:.6f}")
        of(page, name, ".jump").click()
        sentinel = f"sentinel {found.n_found}/{found.n_retrieved} = {found.sentinel:.3f}"
        assert sentinel in of(page, name, ".line").inner_text()
        above = of(page, name, ".record.inside").last.get_attribute("data-rank")
        assert above == str(found.n_retrieved)

    for name in FIVE:
        at = tap_k(bench()[name], k=3)
        page.eventually(lambda name=name, at=at: shown(name, at.e0, at.per_query[row]))
    page.mode("E-value")
    page.type(E0, "1e-3")
    value = ranked_list(bench()["jackhmmer"], "d1ngka_", 1e-3).tap
    page.eventually(lambda: shown("jackhmmer", 1e-3, value))
    assert by_threshold(bench()["jackhmmer"], 1e-3).tap != value


def test_a_query_is_found_by_writing_and_by_steps(page: Page) -> None:
    box = page.field("Focus")
    box.fill("d1ng")
    offered = page.browsed.locator(".drawer datalist option")
    expected = [q for q in bench()["BLASTP"].query.tolist() if "d1ng" in q]
    page.shows(lambda: offered.evaluate_all("all => all.map(o => o.value)"), expected)
    box.press("Enter")
    page.sees("‘d1ng’ is in 2 ids: type one in full.")
    focus_on(page, "d1ngka_")
    ids = bench()["BLASTP"].query.tolist()
    page.press("next query")
    opened(page, ids[ids.index("d1ngka_") + 1])
    page.press("previous query")
    opened(page, "d1ngka_")
    page.press("Close (Esc)")
    closed(page)


def test_a_record_is_marked_in_the_other_lists(page: Page) -> None:
    focus_on(page, "d1ngka_")
    lists = {name: bench()[name] for name in FIVE}
    records = {n: ranked_list(one, "d1ngka_", 1.0).record.tolist() for n, one in lists.items()}  # type: ignore[union-attr]
    of(page, "BLASTP", ".record[data-rank='1']").hover()

    def marked(record: str) -> None:
        for name in FIVE:
            rank = records[name].index(record) + 1 if record in records[name] else 0
            said = of(page, name, ".never").inner_text()
            assert said == f"{record}: " + (f"rank {rank}" if rank else "not retrieved")
            if any(int(row[0]) == rank for row in rows(page, name)):
                assert of(page, name, ".record.marked").get_attribute("data-rank") == str(rank)

    page.eventually(lambda: marked(records["BLASTP"][0]))
    assert of(page, "jackhmmer", ".record.marked").count() == 1
    page.browsed.mouse.move(1, 1)
    page.shows(lambda: page.browsed.locator(".record.marked").count(), 0)
    # Without a mouse: from row to row with the arrow keys.
    of(page, "SSEARCH", ".scroller").focus()
    for _ in range(12):
        page.browsed.keyboard.press("ArrowDown")
    page.eventually(lambda: marked(records["SSEARCH"][11]))


# --- a box, a subset ----------------------------------------------------------------------------


def test_a_box_makes_the_subset_and_undo_restores(page: Page) -> None:
    points = scatter(page)
    x, y = finite(points["x"])[:862], finite(points["y"])[:862]
    draw_box(page, 0.4, 0.8, 0.02, 0.3)
    box = page.eventually(lambda: Box.read(page.settings()["boxes"][0]))
    assert (box.b_from, box.b_to) == pytest.approx((0.4, 0.8), abs=0.01)
    inside = (box.b_from <= x) & (x <= box.b_to) & (box.a_from <= y) & (y <= box.a_to)
    assert 10 < inside.sum() < 100

    def kept() -> None:
        assert f"{inside.sum()} of 862 queries" in page.header()
        for name, row in page.table().items():
            lists = bench()[name].subset(inside)
            assert row == cells(lists, by_errors(lists, 20)), name
        assert page.layer("tap", "ghost")["x"]

    page.eventually(kept)
    draw_box(page, 0.1, 0.3, 0.8, 1.0)
    page.sees("No selected query is in the box. The selection is unchanged.")
    assert f"{inside.sum()} of 862 queries" in page.header()
    # Not while writing: there Ctrl+Z is the field's own.
    page.field("Focus").press("Control+z")
    page.browsed.locator(".brand").click()
    page.browsed.keyboard.press("Control+z")
    page.shows(lambda: "862 of 862 queries" in page.header())
    page.press("Undo")  # the choice of the tab
    page.shows(lambda: page.settings()["view"], ["precision_recall"])


def test_escape_closes_the_drawer_first_and_then_clears(page: Page) -> None:
    page.query_text.fill("^d1")
    page.shows(lambda: "862 of 862" in page.header(), False)
    focus_on(page, "d1ngka_")
    page.browsed.keyboard.press("Escape")
    closed(page)
    assert "862 of 862" not in page.header()
    page.browsed.keyboard.press("Escape")
    page.shows(lambda: "862 of 862" in page.header())


def test_three_lists_stand_beside_each_other_uncut(open_page) -> None:
    three = "&".join(f"algorithms={name}" for name in FIVE[:3])
    page = open_page(f"?{three}&focus=d1vcta1")
    page.shows(lambda: page.browsed.locator(".list").count(), 3)
    lists = page.browsed.locator(".lists")
    page.shows(lambda: lists.evaluate("lists => lists.scrollWidth - lists.clientWidth"), 0)


def test_a_link_opens_the_same_lists_and_box(open_page) -> None:
    box = Box("BLASTP", "SSEARCH", 21.0, 21.0, 0.0, 0.5, 0.5, 1.0)
    other = open_page(f"?k=20&focus=d1ngka_&boxes={box!s}")
    opened(other, "d1ngka_")
    a, b = (tap_k(bench()[n], k=20).per_query for n in ("BLASTP", "SSEARCH"))
    assert tap_k(bench()["BLASTP"], k=20).e0 == tap_k(bench()["SSEARCH"], k=20).e0 == 21
    n = int(((a <= 0.5) & (b >= 0.5)).sum())
    other.shows(lambda: f"{n} of 862 queries" in other.header())
    other.sees("not among the selected queries")


# --- long lists ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two algorithms whose first query has 20,000 records each, with hostile ids."""
    folder = tmp_path_factory.mktemp("long")
    rng = np.random.default_rng(3)
    relevant = rng.random(LONG) < 0.3
    made = []
    for name in ("alpha", "beta"):
        order = np.lexsort([rng.random(LONG) - 0.5 * relevant])
        score = np.sort(10.0 ** rng.uniform(-30, 2, LONG))
        lines = ["query,record,evalue,relevant,n_relevant"]
        total = int(relevant.sum()) + 7
        lines += [
            f"<b>q1</b>,<i>r{i}</i>,{s:.3g},{int(relevant[i])},{total}"
            for i, s in zip(order.tolist(), score.tolist(), strict=True)
        ]
        lines += ["q2,x,0.1,1,2", "q2,y,3,0,2"]
        made.append(folder / f"{name}.csv")
        made[-1].write_text("\n".join(lines) + "\n", "utf-8")
    return made


@pytest.fixture(scope="module")
def kept_long(serve: Callable[..., Kept], files: list[Path]) -> Kept:
    return serve(*files)


@pytest.fixture
def long(kept_long: Kept) -> Iterator[Page]:
    with visit(kept_long) as page:
        yield page


def test_of_20_000_records_those_seen_are_sent(long: Page, files: list[Path]) -> None:
    results = align({path.stem: read(path) for path in files})
    long.type(K, "1")
    long.pushes.clear()
    query = "<b>q1</b>"
    focus_on(long, query)  # literally
    expected = {name: ranked_list(lists, query, 1.0) for name, lists in results.items()}

    def arrived(name: str, last: int) -> None:
        seen = rows(long, name)
        assert len(seen) >= 5
        assert int(seen[-1][0].replace(",", "")) >= last
        for rank, record, _, kind, precision in seen:
            i = int(rank.replace(",", "")) - 1
            assert record == expected[name].record[i]  # type: ignore[index]
            assert precision == f"{expected[name].precision[i]:.3f}"
            assert ("R" in kind) == expected[name].relevant[i]

    for name in expected:
        long.eventually(lambda name=name: arrived(name, 5))
        assert of(long, name, ".record").count() < 30
    assert long.browsed.locator(".drawer b b, .drawer .id i").count() == 0
    assert 0 < sum(push.count("<i>r") for push in long.pushes) < 200
    # The end, the middle, a page: by key, by the strip, by the wheel.
    of(long, "beta", ".strip").press("End")
    long.eventually(lambda: arrived("beta", LONG))
    box = of(long, "alpha", ".strip").bounding_box()
    assert box is not None
    long.browsed.mouse.click(box["x"] + box["width"] / 2, box["y"] + 5)
    long.eventually(lambda: arrived("alpha", LONG // 2))
    of(long, "alpha", ".scroller").hover()
    first = int(rows(long, "alpha")[0][0].replace(",", ""))
    long.browsed.mouse.wheel(0, 24 * 500)
    long.eventually(lambda: arrived("alpha", first + 400))
    assert sum(push.count("<i>r") for push in long.pushes) < 1000
    # A record far from what is seen of the other list is found there all the same.
    of(long, "alpha", ".record").nth(3).hover()

    def found() -> None:
        record = of(long, "alpha", ".record.marked .id").inner_text()
        assert re.fullmatch(r"<i>r\d+</i>", record)
        rank = expected["beta"].record.tolist().index(record) + 1  # type: ignore[union-attr]
        assert of(long, "beta", ".never").inner_text() == f"{record}: rank {rank:,}"

    long.eventually(found)


def test_records_show_their_class_and_lead_to_what_is_known_of_them(open_page) -> None:
    page = open_page("?focus=d1ngka_&algorithms=BLASTP")
    row = page.browsed.locator(".list .record[data-rank='1']").first
    page.shows(lambda: row.locator(".class").inner_text(), "a.1.1.1")
    assert row.locator(".class b").inner_text() == "a.1.1.1"
    assert row.locator(".class").get_attribute("title") == "a.1.1.1: same family"
    assert row.locator("a").count() == 0
    choice = page.browsed.get_by_label("where ids lead")
    choice.select_option(label="links to PDB")
    link = row.locator("a")
    page.shows(link.count, 1)
    record = row.locator(".id").inner_text()
    assert link.get_attribute("href") == f"https://www.rcsb.org/structure/{record[1:5]}"
    assert link.get_attribute("rel") == "noopener noreferrer"
    page.shows(lambda: page.settings()["links"], ["PDB"])
    choice.select_option(label="other links…")
    own = page.browsed.get_by_label("address of links")
    own.fill("javascript:{id}")
    own.press("Enter")
    page.sees("An address of links begins with https://")
    own.fill("https://example.org/{id}?from=<b>")
    own.press("Enter")
    page.shows(lambda: page.browsed.locator(".drawer .problem").inner_text() != "")
    own.fill("https://example.org/?q={id}")
    own.press("Enter")
    page.shows(lambda: link.get_attribute("href"), f"https://example.org/?q={record}")
