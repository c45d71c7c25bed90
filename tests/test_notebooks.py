"""Notebooks run, the page in them follows Python and Python follows the page."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tapviz import load_results, tap_k

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
PAGE = "application/vnd.holoviews_exec.v0+json"

STRICT = """
import warnings

warnings.simplefilter("error")
# Panel 2 will want label where the widgets of the page say name
warnings.filterwarnings("ignore", "Widget.name is deprecated", PendingDeprecationWarning)
# pyviz_comms uses what ipykernel has moved elsewhere
warnings.filterwarnings("ignore", "The `ipykernel.comm.Comm` class", DeprecationWarning)
# ipykernel warns of itself when it ends
warnings.filterwarnings("ignore", ".*do_shutdown", PendingDeprecationWarning)
"""
# What a browser does when it shows the output of a cell.
OPEN = "for _view, _root, _doc, _comm in pn.state._views.values():\n    _comm.init()"
# What it sends when the slider of k is moved.
SLIDE = """
from bokeh.models import Slider

for _view, _root, _doc, _comm in list(pn.state._views.values()):
    for _slider in _root.select({"type": Slider}):
        if _slider.title == "errors per query k":
            _event = {"kind": "ModelChanged", "attr": "value", "new": 8}
            _view._comms[_root.ref["id"]][1]._on_msg({
                "header": {"msgid": "1", "msgtype": "PATCH-DOC"},
                "metadata": {},
                "content": {"events": [_event | {"model": {"id": _slider.id}}]},
                "_buffers": {},
            })
explorer.k, float(explorer.scores.loc["BLASTP", "tap"])
"""


class Client(NotebookClient):
    """Executes a notebook and keeps what the kernel tells the page."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.told: dict[str, list[dict[str, Any]]] = defaultdict(list)

    def process_message(self, msg, cell, cell_index):
        data = msg["content"].get("data")
        if msg["msg_type"] == "comm_msg" and isinstance(data, str):
            self.told[cell.id] += json.loads(data).get("events", [])
        return super().process_message(msg, cell, cell_index)


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """Execute a copy of a notebook in which warnings are errors, with no kernel of the user's."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))

    def run(path, after=None):
        copy = Path(shutil.copy(path, tmp_path))
        shutil.copytree(path.parent / "data", tmp_path / "data")
        notebook = nbformat.read(copy, as_version=4)
        cells = [nbformat.v4.new_code_cell(STRICT)]
        for cell in notebook.cells:
            cells.append(cell)
            cells += [
                nbformat.v4.new_code_cell(s, id=i)
                for i, s in (after or {}).get(cell.id, {}).items()
            ]
        notebook.cells = cells
        client = Client(
            notebook,
            timeout=120,
            kernel_name="python3",
            resources={"metadata": {"path": str(tmp_path)}},
        )
        client.execute()
        return {cell.id: cell for cell in notebook.cells}, client.told

    return run


def text(cell):
    """Plain text of a cell's last output."""
    return cell.outputs[-1]["data"]["text/plain"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_committed_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert [cell.outputs for cell in code] == [[]] * len(code)
    assert {cell.execution_count for cell in code} == {None}
    assert notebook.cells[0].cell_type == "markdown"


@pytest.mark.notebook
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_without_errors_and_warnings(path, execute):
    cells, _ = execute(path)
    for cell in cells.values():
        for output in cell.get("outputs", []):
            assert output["output_type"] != "error"
            assert output.get("name") != "stderr", output["text"]


@pytest.mark.notebook
def test_explore_notebook_shows_the_page_which_follows_python(execute):
    path = next(path for path in NOTEBOOKS if path.stem == "explore")
    cells, told = execute(path, {"page": {"open": OPEN}, "plot": {"slide": SLIDE}})
    results = load_results("scope40")

    assert {PAGE, "text/html"} <= set(cells["page"].outputs[-1]["data"])
    assert {PAGE, "text/html"} <= set(cells["plot"].outputs[-1]["data"])

    changed = [event for event in told["move"] if event["kind"] == "ModelChanged"]
    assert (
        sum(event["attr"] == "value" and event["new"] == 5 for event in changed) == 2
    )  # slider, box
    assert any("TAP-5" in str(event["new"]) for event in changed)
    assert any(event["kind"] == "ColumnDataChanged" for event in told["move"])

    table = {row.split()[0]: row.split()[1:] for row in text(cells["scores"]).splitlines()[2:]}
    assert list(table) == ["BLASTP", "SSEARCH", "PSI-BLAST", "phmmer", "jackhmmer"]
    for name, row in table.items():
        expected = tap_k(results[name], 5)
        assert [float(row[0]), float(row[1])] == [round(expected.tap, 4), round(expected.e0, 4)]

    lists = results["BLASTP"]
    barrels = [
        query
        for query, name, total in zip(lists.query, lists.query_class, lists.n_relevant, strict=True)
        if name.startswith("c.1.") and total >= 20
    ]
    assert barrels
    assert text(cells["filter"]).split("'")[1::2] == barrels
    assert text(cells["slide"]) == str((8, tap_k(lists, 8).tap))
