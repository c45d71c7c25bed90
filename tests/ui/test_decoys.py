"""A person's own search among targets and decoys."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.ui.conftest import Kept, visit
from tests.ui.page import Page, finite

HITS = "t" * 24 + "f" + "t" * 15 + "d" + "t" * 20 + "fd" + "t" * 5
"""Relevant targets, false ones and decoys, best first."""


@pytest.fixture(scope="module")
def kept_decoys(serve: Callable[..., Kept], tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("decoys")
    names = {"t": "target", "f": "other", "d": "rev_target"}
    rows = [f"q\t{names[kind]}{at}\t{at + 1}e-9\n" for at, kind in enumerate(HITS)]
    (folder / "hits.tsv").write_text("query\trecord\tevalue\n" + "".join(rows))
    pairs = [f"q 0 target{at} 1\n" for at, kind in enumerate(HITS) if kind == "t"]
    (folder / "pairs.qrels").write_text("".join(pairs))
    options = ["--qrels", str(folder / "pairs.qrels"), "--decoys", "^rev_"]
    return serve(folder / "hits.tsv", *options, "--beside-decoys", "keep")


@pytest.fixture
def own(kept_decoys: Kept) -> Iterator[Page]:
    with visit(kept_decoys, again=True) as page:
        yield page


def test_q_values_stand_beside_the_share_of_false_targets(own: Page) -> None:
    own.tab("q-value")

    def drawn() -> None:
        curve = own.layer("q_value", "curve hits")
        x, y = finite(curve["x"]), finite(curve["y"])
        # By q = 1/40 all 40 targets before the first decoy are accepted, of which one is false;
        # by 2/61 the 61 before the second, of which two are; by 3/66 all.
        for q, false, targets in ((0.025, 1, 40), (0.033, 2, 61), (0.1, 2, 66)):
            assert y[np.flatnonzero(x <= q + 1e-9)[-1]] == pytest.approx(false / targets)
        assert x[0] == pytest.approx(0.025)

    own.eventually(drawn)
    own.eventually(lambda: _says(own))
    own.eventually(lambda: _linked(own))


def _says(page: Page) -> None:
    assert page.in_words()["q-value"] == "At a q-value of 0.01, hits accepts nothing."


def _linked(page: Page) -> None:
    assert page.settings()["view"] == ["q_value"]
