"""Using tapviz leaves the process as it is; only serving tunes it, in one place."""

import json
import subprocess
import sys

import panel as pn
import pytest

from tapviz.cli import server
from tapviz.lesson.page import Lesson
from tapviz.page.app import App
from tapviz.readers.inputs import bundled

SETTINGS = """
import gc, json, sys, threading

def settings():
    return {
        "switch interval": sys.getswitchinterval(),
        "enabled": gc.isenabled(),
        "thresholds": gc.get_threshold(),
        "frozen": gc.get_freeze_count(),
        "threads": sum(thread.name.startswith("tapviz") for thread in threading.enumerate()),
    }

def note(name):
    print(json.dumps([name, settings()]))

note("before")
"""
USED = """
import tapviz, tapviz.cli.server
note("imported")
explorer = tapviz.Explorer(tapviz.load_results("profiles"))
note("explorer")
dashboard = tapviz.Dashboard(explorer)
dashboard._repr_mimebundle_()
explorer.k = 7
note("dashboard")
explorer.comparing()(None)
note("comparison")
import asyncio
from tapviz.live.background import BackgroundTask
async def compare():
    done = asyncio.Event()
    task = BackgroundTask(lambda: done.set() if task.result is not None else None, rest=0)
    task.request(explorer.compared_key, explorer.comparing())
    await done.wait()
    note("compared")
asyncio.run(compare())
"""
SERVED = """
from tapviz.cli.server import page
page(None)
note("served")
page(None, learn=True)
note("served twice")
"""


def settings(code):
    """Settings of a process after each step of some code."""
    done = subprocess.run(
        [sys.executable, "-c", SETTINGS + code], capture_output=True, text=True, check=True
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    return dict(json.loads(line) for line in lines)


def test_importing_and_using_changes_nothing_of_the_process():
    steps = settings(USED)
    before = steps.pop("before")
    compared = steps.pop("compared")
    assert list(steps) == ["imported", "explorer", "dashboard", "comparison"]
    for step in steps.values():
        assert step == before
    assert compared.pop("threads") == 1
    assert compared == {name: value for name, value in before.items() if name != "threads"}


def test_serving_tunes_the_process():
    steps = settings(SERVED)
    served = steps["served"]
    assert served["switch interval"] == server.SWITCH_INTERVAL < steps["before"]["switch interval"]
    assert served["frozen"] > steps["before"]["frozen"]
    assert steps["served twice"]["switch interval"] == server.SWITCH_INTERVAL


@pytest.fixture
def address(monkeypatch):
    """Has the page think that it was asked for by some address."""
    monkeypatch.setattr(server, "tune_process", lambda: None)

    def ask(search):
        location = type("Location", (), {"search": search, "param": None})()
        monkeypatch.setattr(type(pn.state), "location", location)

    return ask


@pytest.mark.parametrize(
    ("search", "learn", "kind"),
    [
        ("", False, App),
        ("?k=5", False, App),
        ("?learn", False, Lesson),
        ("", True, Lesson),
        ("?view=roc", True, App),
        ("?learn&view=roc", True, Lesson),
    ],
)
def test_the_address_says_which_page(address, search, learn, kind):
    address(search)
    assert isinstance(server.page(None, learn=learn), kind)


def test_the_explorer_of_the_lessons_lists(address):
    address("?dataset=figure4&k=4")
    page = server.page(None)
    assert list(page.explorer.results) == ["as they are", "B on another scale"]
    assert page.explorer.k == 4


def test_what_was_opened_is_shown(address):
    address("")
    opened = bundled("profiles")
    page = server.page(opened)
    assert list(page.dashboard.explorer.results) == list(opened.results)
