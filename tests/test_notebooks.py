"""Notebooks run, the page in them follows Python and Python follows the page."""

import json
import re
import shutil
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tapviz import RetrievalLists, load_results, tap_k

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = {path.stem: path for path in sorted(FOLDER.glob("*.ipynb"))}
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
# What a browser does when it shows the output of a cell: it opens a channel, draws, and says so.
OPEN = """
from bokeh.models import Slider


def _told(_view, _root, _event):
    _view._comms[_root.ref["id"]][1]._on_msg({
        "header": {"msgid": "1", "msgtype": "PATCH-DOC"},
        "metadata": {},
        "content": {"events": [_event]},
        "_buffers": {},
    })


for _view, _root, _doc, _comm in pn.state._views.values():
    _view._comms[_root.ref["id"]][1]._on_open({})
"""
DRAWN = """
for _view, _root, _doc, _comm in pn.state._views.values():
    for _part in _root.select({"class_name": "NotebookSync"}):
        _entries = [["model", {"id": _part.id}], ["data", _root.id]]
        _values = {"type": "map", "entries": _entries}
        _event = {"type": "event", "name": "data_event", "values": _values}
        _told(_view, _root, {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": _event})
"""
# What it sends when the slider of k is moved.
SLIDE = """
for _view, _root, _doc, _comm in list(pn.state._views.values()):
    for _slider in _root.select({"type": Slider}):
        if _slider.title == "errors per query k":
            _told(_view, _root, {
                "kind": "ModelChanged", "attr": "value", "new": 8, "model": {"id": _slider.id}
            })
explorer.k, float(explorer.scores.loc["BLASTP", "tap"])
"""


class Client(NotebookClient):
    """Executes a notebook and keeps what the kernel tells the page."""

    def __init__(self, *args, **options):
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
        where = {"metadata": {"path": str(tmp_path)}}
        client = Client(notebook, timeout=600, kernel_name="python3", resources=where)
        client.execute()
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                assert output["output_type"] != "error"
                assert output.get("name") != "stderr", output["text"]
        return {cell.id: cell for cell in notebook.cells}, client.told

    return run


def text(cell):
    """Plain text of a cell's last output."""
    return cell.outputs[-1]["data"]["text/plain"]


@pytest.mark.parametrize("path", NOTEBOOKS.values(), ids=NOTEBOOKS)
def test_a_notebook_is_committed_with_the_outputs_of_its_code(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].cell_type == "markdown"
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    written = sha256("\0".join(cell.source for cell in code).encode()).hexdigest()
    assert written.startswith(notebook.metadata["tapviz"]["sources"]), "docs/run_notebooks.py"
    assert {cell.execution_count for cell in code} == {None}
    outputs = [output for cell in code for output in cell.outputs]
    assert len(outputs) > 4
    assert all(one.output_type != "error" and one.get("name") != "stderr" for one in outputs)
    text = path.read_text(encoding="utf-8")
    for one in (str(path.parents[1]), "site-packages", "/home/", "/root/", " at 0x", "://cdn."):
        assert one not in text
    assert len(text) < 4_000_000


def saved(execute, name, after=None, leave_out=()):
    """Cells of an executed notebook, whose words are those that it is committed with."""
    cells, told = execute(NOTEBOOKS[name], after)
    for cell in nbformat.read(NOTEBOOKS[name], as_version=4).cells:
        if cell.cell_type == "code" and cell.outputs and cell.id not in leave_out:
            assert words(cell) == words(cells[cell.id])
    return cells, told


def words(cell):
    """All that a cell prints and says in plain text."""
    told = [one.get("text") or one["data"].get("text/plain", "") for one in cell.outputs]
    return "".join(one for one in told if " at 0x" not in one)


def test_every_notebook_is_executed_below():
    tests = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in NOTEBOOKS if f'saved(execute, "{name}"' not in tests] == []


@pytest.mark.notebook
def test_own_results_become_a_figure_in_ten_lines(execute, tmp_path):
    cells, _ = saved(execute, "your_own_results")
    assert len([line for line in cells["ten"].source.splitlines() if line]) <= 10
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")
    assert "blastp" in (tmp_path / "figure.svg").read_text()
    assert "rows read           1,843" in cells["report"].outputs[0]["text"]
    scores = {row.split()[0]: row.split()[1:] for row in text(cells["scores"]).splitlines()[2:]}
    drawn = [row.split() for row in text(cells["table"]).splitlines()[1:]]
    assert [f"{float(row[3]):.3f}" for row in drawn] == [row[0] for row in scores.values()]


@pytest.mark.notebook
def test_explore_notebook_shows_the_page_which_follows_python(execute):
    after = {"page": {"open": OPEN}, "move": {"drawn": DRAWN}, "plot": {"slide": SLIDE}}
    cells, told = saved(execute, "explore", after, {"page"})
    results = load_results("scope40")

    assert {PAGE, "text/html"} <= set(cells["page"].outputs[-1]["data"])
    assert {PAGE, "text/html"} <= set(cells["plot"].outputs[-1]["data"])

    assert told["move"] == []  # the browser would have dropped it
    changed = told["drawn"]
    moved = [event for event in changed if event["attr"] == "value" and event["new"] == 5]
    assert len(moved) == 2  # slider, box
    assert any("TAP-5" in str(event["new"]) for event in changed)
    assert any(event["attr"] == "data" for event in changed)
    followed = [event["new"] for event in told["filter"] if event.get("attr") == "value"]
    assert followed == ["c.1"]  # the other box comes with More settings
    assert any(event["kind"] == "ColumnDataChanged" for event in told["filter"])

    table = {row.split()[0]: row.split()[1:] for row in text(cells["scores"]).splitlines()[2:]}
    assert list(table) == ["BLASTP", "SSEARCH", "PSI-BLAST", "phmmer", "jackhmmer"]
    for name, row in table.items():
        expected = tap_k(results[name], k=5)
        assert [float(row[0]), float(row[1])] == [round(expected.value, 4), round(expected.e0, 4)]

    lists = results["BLASTP"]
    barrels = [
        query
        for query, name, total in zip(lists.query, lists.query_class, lists.n_relevant, strict=True)
        if name.startswith("c.1.") and total >= 20
    ]
    assert barrels
    assert text(cells["filter"]).split("'")[1::2] == barrels
    assert text(cells["slide"]) == str((8, tap_k(lists, k=8).value))


@pytest.mark.notebook
def test_a_plot_is_seen_where_nobody_has_loaded_what_draws_it(execute, tmp_path):
    (tmp_path / "given" / "data").mkdir(parents=True)
    cells = [
        "from tapviz import Explorer, load_results\nexplorer = Explorer(load_results('profiles'))",
        "explorer.plot('tap') * explorer.plot('tap')",
        "explorer",
    ]
    notebook = nbformat.v4.new_notebook(cells=[*map(nbformat.v4.new_code_cell, cells)])
    for cell, name in zip(notebook.cells, ("load", "plot", "table"), strict=True):
        cell.id = name
    nbformat.write(notebook, tmp_path / "given" / "plot.ipynb")
    found, _ = execute(tmp_path / "given" / "plot.ipynb")
    loaded, *_, shown = found["plot"].outputs
    assert "<script" in loaded["data"]["text/html"]
    assert {PAGE, "text/html"} <= set(shown["data"])
    assert "TAP-20" in found["table"].outputs[0]["data"]["text/html"]


@pytest.mark.notebook
def test_the_lesson_notebook_says_the_numbers_of_figure_4(execute):
    solution = (
        'other = ("RIIIIIIIII", np.append(1e-20, 10.0 ** np.arange(5, 14)))\n'
        "float(roc_n(merge(mine, other)[0], n=5, total=6)), float(roc_n(other[0], n=5, total=1))"
    )
    after = {
        "guess": {"other-guess": "my_guess = 0.25"},
        "guess-scale": {"other-scale": "my_pooled = 0.5"},
        "guess-median": {"other-median": "my_mean, my_median = 3, 4"},
        "yours": {"solution": solution},
    }
    cells, _ = saved(execute, "why_pooled_roc_misleads", after)

    def said(name):
        # What is printed may come in parts.
        return "".join(output.get("text", "") for output in cells[name].outputs).splitlines()

    assert said("own") == ["ROC_50 of A: 0.971", "ROC_50 of B: 0.195"]
    assert said("merge") == ["you said 0.250, it is 0.098"]
    assert "image/png" in cells["reveal"].outputs[-1]["data"]
    order = said("order")
    assert order[1].startswith("By error 50 the merged list has 144 records, 0 of them from A.")
    assert "93 of them from A. Share of relevant records found: merged 0.194, B alone" in order[2]
    assert order[3].endswith("merged 0.198, B alone 0.195.")
    assert PAGE in cells["curves"].outputs[-1]["data"]
    *scaled, guessed = said("scale")
    assert guessed == "you said 0.500 at 0.02, it is 0.583"
    scaled = [line.split() for line in scaled]
    assert [line[4] for line in scaled] == ["0.098", "0.189", "0.304", "0.354", "0.553", "0.583"]
    assert {line[-1] for line in scaled} == {"0.195"}
    assert [line.split() for line in said("more")[1:-1]] == [
        ["1", "0.098", "0.583", "0.746"],
        ["4", "0.039", "0.816", "0.881"],
        ["9", "0.020", "0.893", "0.926"],
        ["49", "0.004", "0.955", "0.962"],
    ]
    assert said("more")[-1] == "you said 0.500, it is 0.004"
    assert text(cells["equation"]) == text(cells["check"])
    assert float(text(cells["equation"])) == pytest.approx(0.6253, abs=5e-5)
    both = [line.split()[2:] for line in said("both")]
    assert both[0][1::2] == ["A", "B", "mean"]
    assert [line[2::2] for line in both] == [
        ["0.357", "0.196", "0.276"],
        ["0.880", "0.367", "0.624"],
        ["0.971", "0.521", "0.746"],
    ]
    assert said("median") == ["you said mean 3.0, median 4.0", "mean 2.0, median 0.0"]
    assert [line.split()[-1] for line in said("yours")] == ["1.000", "1.000", "0.167"]
    # the solution of the first exercise
    assert text(cells["solution"]) == "(1.0, 1.0)"


def test_the_lesson_notebook_tells_nothing_before_it_is_predicted():
    notebook = nbformat.read(NOTEBOOKS["why_pooled_roc_misleads"], as_version=4)
    told = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    open_at_once = re.sub(r"<details>.*?</details>", "", "\n".join(told), flags=re.DOTALL)
    folded = "\n".join(re.findall(r"<details>.*?</details>", "\n".join(told), re.DOTALL))
    shown = "\n".join(words(cell) for cell in notebook.cells if cell.cell_type == "code")
    told = ("467", "0.098", "below both", "0.583", "0.004", "0.955", "94 / 962", "no user sees")
    for answer in told:
        assert answer in folded
        assert answer not in open_at_once
        assert not re.search(rf"\b{answer}\b", shown)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    sliders = [source for source in code if "Slider(" in source]
    # a slider without it has no name for a screen reader
    assert len(sliders) == 2
    assert all("label=" in source and "Accessibility()" in source for source in sliders)


@pytest.mark.parametrize("path", NOTEBOOKS.values(), ids=NOTEBOOKS)
def test_a_notebook_installs_tapviz_where_it_is_missing(path):
    notebook = nbformat.read(path, as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    said = "\nif find_spec(\"tapviz\") is None:\n    %pip install --quiet '..[app]'"
    assert first.source.rstrip("\n").endswith(said)
    assert (path.parent / ".." / "pyproject.toml").exists()  # as README.md has it: from a clone


@pytest.mark.notebook
def test_the_papers_are_reproduced_but_for_what_is_said(execute):
    cells, _ = saved(execute, "reproduce_the_papers")
    counts = dict(line.rsplit(maxsplit=1) for line in text(cells["counts"]).splitlines()[1:-1])
    assert counts == {"match": "50", "needs data not public": "16", "mismatch": "8"}
    unequal = text(cells["mismatches"])
    exact = ("0.3114", "0.7461", "0.9375", "0.6875", "0.3125", "1.667", "5.05 million")
    for part in (*exact, "0.30 and 0.00"):
        assert part in unequal
    for name in ("figure3", "figure5", "poster", "pooled"):
        assert "<svg" in cells[name].outputs[-1]["data"]["image/svg+xml"]


def test_a_missing_jupyter_bokeh_is_said_in_one_line(monkeypatch, capsys):
    from tapviz import Dashboard, Explorer  # noqa: PLC0415
    from tapviz.live import notebook_sync  # noqa: PLC0415
    from tapviz.page import dashboard as page  # noqa: PLC0415

    monkeypatch.setattr(page.pn.viewable.Viewer, "_repr_mimebundle_", lambda *_: "the page")
    dashboard = Dashboard(Explorer({"A": RetrievalLists([1.0], [True], [0, 1], [1])}))
    assert dashboard._repr_mimebundle_() == "the page"
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(notebook_sync, "find_spec", lambda _: None)
    assert dashboard._repr_mimebundle_() == "the page"
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "pip install jupyter_bokeh" in out


@pytest.mark.parametrize("at_once", [None, 10])
def test_the_page_in_a_cell_is_given_what_its_sliders_move_unless_that_takes_long(
    at_once, monkeypatch
):
    from tapviz import Dashboard, Explorer  # noqa: PLC0415
    from tapviz.live.notebook_sync import NotebookSync  # noqa: PLC0415
    from tapviz.live.turns import Hand  # noqa: PLC0415
    from tapviz.page import dashboard, moves  # noqa: PLC0415

    if at_once is not None:
        monkeypatch.setattr(moves, "AT_ONCE", at_once)
    given = []

    def output(page, *_):
        (hand,), (sync,) = page.view.select(Hand), page.view.select(NotebookSync)
        given.append((sync.moves, {*hand.views}, {*hand.moving}))

    monkeypatch.setattr(dashboard.pn.viewable.Viewer, "_repr_mimebundle_", output)
    page = Dashboard(Explorer(load_results("profiles"), k=5))
    page._repr_mimebundle_()
    page._repr_mimebundle_()  # in another cell
    parts = ["tap", "epq", "precision_recall", "table", "queries"]
    views = {*(f"k {part}" for part in parts), "n table"} if at_once is None else set()
    assert given == [(bool(views), views, views)] * 2
    # From here on Python moves it.
    (hand,) = page.view.select(Hand)
    assert (hand.views, hand.moving) == ({}, [])
