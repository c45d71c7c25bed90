"""A condensed data set on the page: what was kept answers as the whole does, the rest says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tapviz import read
from tapviz.condensing import condense
from tapviz.lists import RetrievalLists
from tests.ui.conftest import Kept, visit
from tests.ui.expected import At, by_errors, by_threshold, cells
from tests.ui.page import CLEAR, E0, K, N, Page

MAX_K, MAX_N = 5, 8
COLUMNS = ("query", "target", "evalue")
PROGRAMS = ("fast", "slow")


def write(folder: Path) -> None:
    """Write two searches of made queries, of which the second finds more, and classes of all."""
    draw = np.random.default_rng(4)
    ids = [f"q{at}" for at in range(30)] + [f"r{at}" for at in range(200)]
    group = {one: at % 6 for at, one in enumerate(ids)}
    table = "".join(f"{one}\ta.{g // 3}.{g}.1\n" for one, g in group.items())
    (folder / "classes.tsv").write_text(table)
    for at, program in enumerate(PROGRAMS):
        rows = []
        for query in ids[:30]:
            found = draw.permutation(ids)[:150]
            same = np.array([group[one] == group[query] for one in found])
            depth = np.where(same, draw.uniform(0, 4 + 4 * at, found.size), 0)
            evalue = 10 ** (2 - 3 * draw.random(found.size) - depth)
            rows += [f"{query}\t{found[i]}\t{evalue[i]:.3g}\n" for i in np.argsort(evalue).tolist()]
        (folder / f"{program}.tsv").write_text("".join(rows))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of hits, and beside them what each was condensed to."""
    made = tmp_path_factory.mktemp("searches")
    write(made)
    for name in PROGRAMS:
        condense(made / f"{name}.tsv", made / name, **given(made), max_k=MAX_K, max_n=MAX_N)
    return made


def given(folder: Path) -> dict[str, Any]:
    return {"labels": folder / "classes.tsv", "columns": COLUMNS}


@pytest.fixture(scope="module")
def whole(folder: Path) -> dict[str, RetrievalLists]:
    return {name: read(folder / f"{name}.tsv", **given(folder)) for name in PROGRAMS}


@pytest.fixture(scope="module")
def kept_condensed(serve: Callable[..., Kept], folder: Path) -> Kept:
    return serve(*(folder / name for name in PROGRAMS))


@pytest.fixture
def page(kept_condensed: Kept) -> Iterator[Page]:
    with visit(kept_condensed) as page:
        yield page


def shows(page: Page, whole: dict[str, RetrievalLists], rule: Callable[..., At], n: int) -> None:
    """The table soon has what the whole lists tell, but for the peak, which was not kept."""

    def check() -> None:
        table = page.table()
        assert set(table) == set(whole)
        for name, lists in whole.items():
            expected = cells(lists, rule(lists), n)
            expected[4:6] = ["—", "—"]
            assert table[name] == expected, name

    page.eventually(check)


def test_k_e0_n_and_a_subset_answer_as_the_whole_does(
    page: Page, whole: dict[str, RetrievalLists]
) -> None:
    assert page.header().startswith("30 of 30 queries")
    # It opens with the largest k and n up to the usual ones that were kept.
    shows(page, whole, partial(by_errors, k=MAX_K), MAX_N)
    page.type(N, "3")
    page.type(K, "2")
    shows(page, whole, partial(by_errors, k=2), 3)
    page.query_text.fill("q1")
    some = np.char.startswith(whole["fast"].query.astype(str), "q1")
    subset = {name: lists.subset(some) for name, lists in whole.items()}
    page.eventually(lambda: page.header().index(f"{some.sum()} of 30 queries"))
    shows(page, subset, partial(by_errors, k=2), 3)
    page.press(CLEAR)
    page.mode("E-value")
    page.type(E0, "0.05")
    shows(page, whole, partial(by_threshold, e0=0.05), 3)


def test_beyond_what_was_kept_the_page_says_so(
    page: Page, whole: dict[str, RetrievalLists]
) -> None:
    page.type(K, "50")
    said = "not kept: condense with --max-k 50"
    page.eventually(lambda: told(page, whole, said))
    page.mode("E-value")
    page.type(E0, "50")

    def beyond() -> None:
        for name in whole:
            row = page.table()[name]
            assert row[0] == "—"
            assert row[1].startswith("not kept beyond 0.1")
            assert row[1].endswith("condense with a larger --max-k")

    page.eventually(beyond)


def told(page: Page, whole: dict[str, RetrievalLists], words: str) -> None:
    assert {name: row[:2] for name, row in page.table().items()} == {
        name: ["—", words] for name in whole
    }
