"""A visitor who does anything that a page allows, for a long time.

Ten minutes of ``pytest -m nightly tests/ui/test_soak.py``; ``TAPVIZ_SOAK`` is another number of
seconds, ``TAPVIZ_SEED`` another order of acts.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import numpy as np
import pytest
from playwright.sync_api import TimeoutError  # noqa: A004  # that of acts

from tapviz import Explorer
from tapviz.scores import SCORES
from tests.ui.expected import FIVE, bench
from tests.ui.page import A_VS_B, CLOSE_SHARE, E0, FIGURES, SHARE, K, N, Page

pytestmark = pytest.mark.nightly

SECONDS = float(os.environ.get("TAPVIZ_SOAK", "600"))
SEED = int(os.environ.get("TAPVIZ_SEED", "0"))
GROWTH = 1.1
"""Memory of the last third, in that of the third before."""

TABS = ("ROC", "Coverage", "Calibration", "k-th error", A_VS_B, "Ranking", "Why pooled differs")
TEXTS = ("", "d1", "^d[0-9]", "a|b", "(", "(?=a)", "xyzzy", r"(\w*\w*\w*)*!", "é")
KEYS = ("ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End")


class Visitor:
    """Acts on a page, drawn at random."""

    def __init__(self, page: Page, draw: random.Random) -> None:
        self.page, self.draw = page, draw
        self.by_errors = True
        self.acts: dict[str, Callable[[], object]] = {
            "drag": self.drag,
            "keys": self.keys,
            "type": self.type,
            "mode": self.mode,
            "tick": lambda: page.tick(draw.choice(FIVE)),
            "details": lambda: page.look_at(draw.choice(FIVE)),
            "baseline": lambda: page.compare_with(draw.choice(["none", *FIVE])),
            "tab": lambda: page.tab(draw.choice(TABS)),
            "text": lambda: self.fill("id contains", draw.choice(TEXTS)),
            "class": lambda: self.fill("class", draw.choice(["", "a", "a.1", "z", "."])),
            "T(q)": lambda: self.fill("T(q) at least", draw.choice(["0", "5", "20", "-1", "x"])),
            "point": self.point,
            "wheel": self.wheel,
            "dark": lambda: page.press("Dark"),
            "undo": lambda: self.press_if_there("Undo"),
            "pin": lambda: self.press_if_there("More settings", "Pin these scores", "Unpin"),
            "share": lambda: self.press_if_there(SHARE, CLOSE_SHARE),
            "clear": lambda: page.browsed.keyboard.press("Escape"),
            "look on": lambda: page.browsed.wait_for_timeout(draw.choice([50, 500, 2000])),
        }

    def act(self) -> str:
        """Do something, and say what."""
        name = self.draw.choice(list(self.acts))
        try:
            self.acts[name]()
        except TimeoutError:  # what was aimed at has just become something else
            return "missed"
        return name

    def threshold(self) -> str:
        return self.draw.choice([K if self.by_errors else E0, N])

    def drag(self) -> None:
        self.page.drag(self.threshold(), self.draw.uniform(-80, 80), self.draw.randint(1, 15))

    def keys(self) -> None:
        self.page.handle(self.threshold()).focus()
        for _ in range(self.draw.randint(1, 6)):
            self.page.browsed.keyboard.press(self.draw.choice(KEYS))

    def type(self) -> None:
        self.page.type(self.threshold(), self.draw.choice(["1", "7", "50", "99", "0.01", "", "x"]))

    def mode(self) -> None:
        self.by_errors = not self.by_errors
        self.page.mode("errors per query" if self.by_errors else "E-value")
        self.page.at_rest()

    def fill(self, label: str, text: str) -> None:
        self.page.field(label).fill(text)
        self.page.field(label).press("Enter")

    def point(self) -> None:
        self.page.point(self.draw.choice(FIGURES[:3]), self.draw.random(), self.draw.random())

    def wheel(self) -> None:
        self.point()
        self.page.browsed.mouse.wheel(0, self.draw.choice([-300, 300]))

    def press_if_there(self, *names: str) -> None:
        for name in names:
            button = self.page.button(name)
            if button.filter(visible=True).count() and button.is_enabled():
                button.click()
                return


def memory(process: int) -> int:
    """Bytes of memory that a process holds."""
    held = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(held) * os.sysconf("SC_PAGE_SIZE")


def test_anything_allowed_for_a_long_time(open_page: Callable[[], Page]) -> None:
    page = open_page()
    page.browsed.set_default_timeout(30_000)
    visitor = Visitor(page, random.Random(SEED))  # noqa: S311  # acts
    print(f"seed {SEED}, {SECONDS:g} s")  # noqa: T201  # to do it again
    done: Counter[str] = Counter()
    held: list[int] = []
    begin = monotonic()
    while monotonic() - begin < SECONDS:
        done[visitor.act()] += 1
        held.append(memory(page.server.process.pid))
    print(dict(done), [f"{size / 1e6:.0f} MB" for size in held[:: max(len(held) // 12, 1)]])  # noqa: T201
    _, traceback, rest = page.server.log.partition("Traceback")
    assert not traceback, rest[:4000]
    assert done["missed"] <= done.total() / 20
    page.at_rest(2)
    page.eventually(lambda: check_table(page))
    page.complaints = [said for said in page.complaints if "favicon" not in said]
    if SECONDS >= 120:
        third = len(held) // 3
        assert np.median(held[-third:]) <= GROWTH * np.median(held[third : 2 * third])


def check_table(page: Page) -> None:
    """Compare the table with that of an explorer that has never had other choices."""
    fresh = Explorer(bench(), FIVE)
    assert not fresh.from_query(page.browsed.url.partition("?")[2])
    few = bool(fresh.baseline)  # beside the comparisons
    shown = [score for score in SCORES if score.in_tables and (score.compact or not few)]
    at_threshold = [score for score in shown if score.at_threshold]
    # The rows between are those of differences.
    table = {name: row for name, row in page.table().items() if name in fresh.results}
    assert list(table) == fresh.shown
    for name, row in table.items():
        values = fresh.score(name)
        cells = [score.text(values[score.name]) for score in shown]
        if fresh.tap(name).reason:  # which is said in one cell, after that of TAP
            assert row[0] == cells[0]
            del row[:2], cells[: len(at_threshold)]
        assert row == cells
