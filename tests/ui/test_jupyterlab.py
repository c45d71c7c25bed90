"""The page in a real JupyterLab: a slider in a cell moves a plot."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser
from playwright.sync_api import Page as Browsed

from tapviz import load_results, tap_k
from tests.ui.conftest import ROOT, SIZE
from tests.ui.expected import axis
from tests.ui.page import eventually

pytestmark = pytest.mark.notebook
pytest.importorskip("jupyterlab", reason="pip install -e '.[test]'")

SHOWN = ["BLASTP", "SSEARCH", "PSI-BLAST", "phmmer", "jackhmmer"]
# Marks of the thresholds in the first figure of the page, as the browser has them.
MARKS = """() => {
    for (const document of globalThis.Bokeh?.documents ?? []) {
        for (const model of document._all_models.values()) {
            if (model.type !== "Figure" || model.name !== "tap") continue
            if (!Bokeh.index.find_one(model)) continue
            const layer = model.renderers.find((one) => one.name === "threshold")
            return Array.from(layer.data_source.data.x)
        }
    }
    return null
}"""
HANDLE = """() => {
    for (const document of Bokeh.documents) {
        for (const model of document._all_models.values()) {
            if (model.title !== "errors per query k" || !/Slider$/.test(model.type)) continue
            return Bokeh.index.find_one(model).shadow_el.querySelector(".noUi-handle")
        }
    }
}"""
# What the boxes of the filter hold: a class, and a part of an id.
FILTER = """() => {
    const held = {}
    for (const document of Bokeh.documents) {
        for (const model of document._all_models.values()) held[model.title] ??= model.value
    }
    return [held["class"], held["id contains (or regular expression)"]]
}"""
ASK = """async (code) => {
    const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session
    const future = kernel.requestExecute({ code })
    let said = null
    future.onIOPub = ({ content }) => { said = content.data?.["text/plain"] ?? said }
    await future.done
    return said
}"""


@pytest.fixture(scope="module")
def lab(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:  # noqa: ARG001  # no browser: no server
    """JupyterLab over a copy of the notebook, with no settings of the user's."""
    folder = tmp_path_factory.mktemp("lab")
    work, home = folder / "work", folder / "home"
    work.mkdir()
    shutil.copy(ROOT / "notebooks" / "explore.ipynb", work)
    settings = {
        "config/labconfig/page_config.json": {
            "disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}
        },
        # Outputs out of sight would not be in the page.
        "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings": {
            "windowingMode": "none"
        },
    }
    for name, content in settings.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(json.dumps(content))
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = "tapviz"  # noqa: S105  # for this test
    options = {
        "ServerApp.port": port,
        "ServerApp.ip": "127.0.0.1",
        "IdentityProvider.token": token,
        "ServerApp.root_dir": work,
        "ServerApp.allow_root": True,
    }
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser", "--expose-app-in-browser"),
                *(f"--{name}={value}" for name, value in options.items()),
            ],
            stdout=out,
            stderr=subprocess.STDOUT,
            env=os.environ
            | {
                "JUPYTER_CONFIG_DIR": str(home / "config"),
                "JUPYTER_DATA_DIR": str(home / "data"),
                "JUPYTER_RUNTIME_DIR": str(home / "run"),
                "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
                "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
                "IPYTHONDIR": str(home / "ipython"),
                "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            },
        )
    try:
        end = monotonic() + 180
        while f"127.0.0.1:{port}/lab" not in log.read_text("utf-8", "replace"):
            assert process.poll() is None, log.read_text("utf-8", "replace")
            assert monotonic() < end, log.read_text("utf-8", "replace")
            sleep(0.1)
        yield f"http://127.0.0.1:{port}/lab/tree/explore.ipynb?token={token}", work
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:  # on a busy machine it may never end by itself
            process.kill()
            process.wait()


@pytest.fixture
def opened(chromium: Browser, lab: tuple[str, Path]) -> Iterator[Browsed]:
    """The notebook in JupyterLab; nothing is asked of any other host."""
    context = chromium.new_context(viewport=SIZE)
    page = context.new_page()
    page.set_default_timeout(180_000)
    elsewhere: list[str] = []
    page.on("request", lambda request: elsewhere.append(request.url))
    open_notebook(page, lab[0])
    yield page
    context.close()
    local = ("http://127.0.0.1", "ws://127.0.0.1", "blob:", "data:")
    assert [url for url in elsewhere if not url.startswith(local)] == []


def open_notebook(page: Browsed, url: str) -> None:
    page.goto(url)
    page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context?.isReady")


def run(page: Browsed, command: str) -> Any:
    """Execute a command of JupyterLab."""
    return page.evaluate("(command) => jupyterapp.commands.execute(command)", command)


def agree(page: Browsed, k: int) -> None:
    """Wait until page and Python both have all queries, and this k."""
    marked(page, k)
    page.wait_for_function(f"() => String(({FILTER})()) === ','")
    held = "explorer.k, explorer.query_class, explorer.query_text"
    eventually(page, lambda: [str((k, "", ""))].index(page.evaluate(ASK, held)))
    marked(page, k)  # still


def marked(page: Browsed, k: int) -> None:
    """Wait until the marks are where E_k is."""
    results = load_results()
    expected = axis().position([tap_k(results[name], k=k).e0 for name in SHOWN]).tolist()
    page.wait_for_function(
        f"""(expected) => {{
            const marks = ({MARKS})()
            return marks?.length === expected.length
                && marks.every((x, i) => Math.abs(x - expected[i]) < 1e-6)
        }}""",
        arg=expected,
    )


def test_a_slider_in_a_cell_moves_a_plot_and_the_last_state_is_kept(
    opened: Browsed, lab: tuple[str, Path]
) -> None:
    page, (url, work) = opened, lab
    page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'"
    )
    run(page, "runmenu:run-all")
    page.locator(".jp-RenderedSVG img").wait_for()
    plotted = page.locator(".jp-CodeCell", has_text='explorer.plot("tap")')
    plotted.locator(".jp-OutputArea canvas").first.wait_for()
    # The notebook's own cells have set k, and a filter that the last one takes back.
    agree(page, 5)
    page.evaluate_handle(HANDLE).as_element().focus()
    page.keyboard.press("ArrowRight")
    agree(page, 6)

    run(page, "docmanager:save")
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    saved = nbformat.read(work / "explore.ipynb", as_version=4)
    assert not [
        output
        for cell in saved.cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]
    # Opened again while the kernel runs, it shows what Python has.
    open_notebook(page, url)
    page.locator(".jp-RenderedSVG img").wait_for()
    agree(page, 6)
    run(page, "kernelmenu:shutdown")
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.sessionContext.session?.kernel")
    # What was saved is seen, though the kernel that made it is gone.
    open_notebook(page, url)
    page.locator(".jp-RenderedSVG img").wait_for()
    page.wait_for_function(f"() => ({MARKS})()?.length === 5")
    page.get_by_text("Python does not answer: the sliders of the threshold").wait_for()
    page.evaluate_handle(HANDLE).as_element().focus()
    page.keyboard.press("ArrowLeft")
    marked(page, 19)
