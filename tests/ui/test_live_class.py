"""A class that is live: two students and a teacher, each in a browser of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tapviz.lesson.classroom import questions
from tests.ui.conftest import ROOT, SIZE
from tests.ui.files import findings
from tests.ui.page import WAIT
from tests.ui.test_lesson import Reader


class Class:
    """`tapviz serve --class`, which can be started again at its port."""

    def __init__(self, folder: Path) -> None:
        self.file, self.port = folder / "class.log", "0"
        self.start()

    def start(self) -> None:
        with self.file.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tapviz", "serve", "--class", "--port", self.port],
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        end = monotonic() + WAIT
        while " INFO serving " not in (said := self.file.read_text("utf-8")):
            assert self.process.poll() is None, said
            assert monotonic() < end, said
            sleep(0.05)
        found = re.fullmatch(
            r"Students open (\S+:(\d+)/lesson)\nThe teacher opens (\S+)\n.*", said, re.DOTALL
        )
        assert found, said
        self.lesson, self.port, self.teacher = found[1], found[2], found[3]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(WAIT)


@pytest.fixture
def of_class(tmp_path: Path) -> Iterator[Class]:
    running = Class(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def enters(chromium: Any, of_class: Class) -> Iterator[Callable[..., Reader]]:
    """Function that lets somebody in with a browser of their own; students, or the teacher."""
    inside: list[Reader] = []

    def enter(*, teacher: bool = False) -> Reader:
        context = chromium.new_context(viewport=SIZE, reduced_motion="reduce")
        context.set_default_timeout(WAIT * 1000)
        inside.append(Reader(context.new_page()))
        if teacher:
            inside[-1].page.goto(of_class.teacher)
            return inside[-1]
        return inside[-1].open(of_class.lesson)

    yield enter
    for one in inside:
        one.page.context.close()


def question(page: Page, name: str) -> Locator:
    return page.locator(f'[data-question="{name}"]')


def press(page: Page, name: str, button: str) -> None:
    question(page, name).get_by_role("button", name=button).click()


def send(one: Reader, said: str) -> None:
    one.page.get_by_role("spinbutton").fill(said)
    one.press("Send")
    one.page.get_by_text("Sent. Your teacher reveals the answer.").wait_for()


def test_two_students_and_a_teacher(enters: Any) -> None:
    teacher, ada, bob = enters(teacher=True).page, enters(), enters()
    assert teacher.url.endswith("/class")  # without the key, which the class would see
    lifted = question(teacher, "lifted")
    expect(lifted).to_contain_text("Waiting: 0 of 2.")
    send(ada, "20")
    expect(lifted).to_contain_text("Waiting: 1 of 2.")
    assert "20" not in lifted.inner_text()  # a class that still predicts sees the number alone
    assert lifted.locator("svg").is_hidden()
    teacher.get_by_label("Students in the class").fill("40")
    expect(lifted).to_contain_text("Waiting: 1 of 40.")
    assert ada.holds("Some dots made it so") == []
    assert findings(ada.page) == []
    assert ada.page.locator("button.help").is_disabled()
    bob.skip()
    expect(lifted).to_contain_text("Waiting: 2 of 40.")
    press(teacher, "lifted", "Show the histogram")
    told = "2 of 40; 1 prediction, 1 skipped; median 20."
    expect(lifted).to_contain_text(told)
    assert findings(teacher) == []
    assert "Answer" not in lifted.inner_text()
    assert teacher.locator(".truth").count() == 0
    for one in (ada, bob):
        assert one.holds("Some dots made it so") == []
    press(teacher, "lifted", "Reveal")
    expect(lifted).to_contain_text(f"{told} Answer: 1.")
    ada.page.get_by_text("You said 20. Some dots made it so.").wait_for()
    bob.page.get_by_text("You skipped this prediction. Some dots made it so.").wait_for()
    # After a reload the answer is hidden, and what students did is not lost.
    teacher.reload()
    expect(lifted).to_contain_text("Waiting: 2 of 40.")
    assert teacher.locator(".truth").count() == 0
    ada.page.reload()
    ada.page.get_by_text("You said 20.").wait_for()
    ada.press("These are mine")
    carol = enters()
    expect(teacher.locator("#count")).to_have_text("3 students of 40 counted.")
    carol.press("Start again")  # and stays who she is, having done nothing
    carol.press("Forget my predictions?")
    # The next one in her browser is another student; one who comes late is told at once.
    ada.press("Start again")
    ada.press("Forget my predictions?")
    ada.page.get_by_role("spinbutton").fill("300")
    ada.press("Send")
    ada.page.get_by_text("You said 300. Some dots made it so.").wait_for()
    teacher.get_by_label("Students in the class").fill("")
    expect(lifted).to_contain_text("Waiting: 2 of 4.")  # what comes after Reveal is not counted


def test_the_explorer_of_a_class_leads_to_the_lesson_of_the_class(
    enters: Any, of_class: Class
) -> None:
    teacher, ada = enters(teacher=True).page, enters()
    ada.page.get_by_role("link", name="Open the explorer").click()
    ada.page.locator("table.scores").wait_for()
    ada.page.get_by_role("link", name=re.compile("^Learn")).click()
    ada.page.locator("main[data-scene]").wait_for()
    assert ada.page.url.startswith(of_class.lesson)
    send(ada, "20")
    expect(question(teacher, "lifted")).to_contain_text("Waiting: 1 of 1.")


def test_nobody_but_the_teacher_sees_predictions(enters: Any, of_class: Class) -> None:
    ada = enters()
    send(ada, "20")
    asked = 'fetch("class/predictions").then(async (one) => [one.status, await one.text()])'
    status, said = ada.page.evaluate(asked)
    assert (status, said) == (
        403,
        "This is the page of the teacher, whose address the server has printed.\n",
    )
    assert ada.page.goto(of_class.lesson.replace("lesson", "class")).status == 403


def test_a_server_that_is_started_again_is_told_again(enters: Any, of_class: Class) -> None:
    teacher, ada = enters(teacher=True).page, enters()
    ada.page.clock.install()
    ada.page.reload()
    send(ada, "20")
    expect(question(teacher, "lifted")).to_contain_text("Waiting: 1 of 1.")
    went_on = ada.page.get_by_text("You said 20. Some dots made it so.")
    # However long it takes to start again, a student who has asked in vain only a few times waits.
    ada.page.clock.pause_at(ada.page.evaluate("Date.now() / 1000 + 1"))
    of_class.stop()
    for _ in range(3):
        with ada.page.expect_event("requestfailed"):
            ada.page.clock.run_for(1000)
    of_class.start()
    ada.page.clock.resume()
    teacher.goto(of_class.teacher)
    expect(question(teacher, "lifted")).to_contain_text("Waiting: 1 of 1.")
    assert went_on.count() == 0
    # One who has gone on without the class is heard when it comes back.
    of_class.stop()
    expect(teacher.locator("#server")).to_contain_text("The server does not answer.")
    went_on.wait_for()
    of_class.start()
    teacher.goto(of_class.teacher)
    expect(question(teacher, "lifted")).to_contain_text("Waiting: 1 of 1.")


def test_who_cannot_reach_the_class_goes_on_without_it(enters: Any) -> None:
    ada = enters()
    ada.page.context.set_offline(True)
    send(ada, "20")
    ada.page.get_by_text("You said 20. Some dots made it so.").wait_for()


def test_the_lesson_of_a_class_goes_on_to_its_end(enters: Any) -> None:
    teacher, ada = enters(teacher=True).page, enters()
    for asked in questions():
        for button in ("Show the histogram", "Reveal"):
            press(teacher, asked.name, button)
    next_one, help_ = ada.page.locator("button.next"), ada.page.locator("button.help")

    def shown() -> None:
        if help_.is_enabled():
            help_.click()
        assert next_one.is_enabled()

    while (here := ada.scene) != "end":
        if here == "predict":
            ada.page.get_by_role("spinbutton").fill("0.58")
            assert ada.page.locator(".short").inner_text() == ""  # nobody needs a code
            ada.press("Send")
            ada.page.get_by_text("That is 0.48 away.").wait_for()
            expect(ada.page.locator(".inwords")).to_contain_text("below B’s 0.195 and A’s 0.971")
        ada.eventually(shown)
        next_one.click()
        ada.eventually(lambda here=here: [True].index(ada.scene != here))
    ada.page.get_by_label("What would you report?").fill("TAP-20")
    ada.press("Reveal")  # a sentence is not sent
    ada.page.get_by_text("One answer:").wait_for()
    expect(question(teacher, "pooled")).to_contain_text("0 of 1; 0 predictions, 0 skipped.")
