"""Which room may import which, and what importing the package loads."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tapviz

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "tapviz"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Besides the standard library, NumPy and the room itself. CONTRIBUTING.md shows the same table.
MAY_IMPORT = {
    "words": "",
    "runs": "",
    "lists": "pyarrow runs",
    "reported": "lists",
    "regex": "pyarrow",
    "spreadsheet": "",
    "files": "pyarrow spreadsheet",
    "options": "files",
    "labels": "words pyarrow lists reported files options regex",
    "readers": "words pyarrow runs lists reported files options labels",
    "store": "pyarrow runs lists files readers",
    "datasets": "pyarrow runs lists",
    "inputs": "runs lists files options labels readers store datasets",
    "measures": "words scipy lists reported",
    "condensing": "pyarrow polars dask distributed fsspec "
    "lists reported files options labels readers measures",
    "findings": "words lists reported measures",
    "scores": "words spreadsheet runs lists reported measures findings",
    "choices": "runs param pandas regex lists reported measures findings scores",
    "draw": "runs spreadsheet holoviews bokeh matplotlib",
    "plots": "words files runs lists reported measures scores choices draw",
    "explorer": "choices draw plots",
    "share": "words spreadsheet lists choices explorer",
    "session": "lists scores choices explorer share",
    "paper": "words scores choices draw plots explorer session share",
    "live": "param panel bokeh jinja2 markupsafe measures draw",
    "dashboard": "words param panel bokeh runs lists reported files options labels readers "
    "datasets inputs measures findings scores choices draw plots explorer session share paper live",
    "lesson": "words param panel markdown_it files lists datasets measures choices draw plots "
    "explorer live dashboard",
    "server": "panel bokeh tornado files inputs live session dashboard lesson",
    "cli": "words panel runs reported files options readers store datasets inputs measures scores "
    "condensing choices plots explorer session paper dashboard lesson server",
    "tapviz": "lists labels readers datasets measures plots explorer session dashboard",
}
# The one arrow against the order, and only inside a function: `RetrievalLists.from_frame` hands its
# table to the labels, which make lists of it, when somebody calls it.
WHEN_CALLED = {"lists": "labels"}
PLOTTING = ("panel", "holoviews", "bokeh", "matplotlib")
LIGHT = ("tapviz", "tapviz.measures", "tapviz.readers", "tapviz.explorer", "tapviz.lesson")


def room(module):
    """Room of a module of the package."""
    parts = module.relative_to(PACKAGE).with_suffix("").parts
    return "tapviz" if parts == ("__init__",) else parts[0]


def imported(module):
    """Rooms and packages that a module imports, anywhere in it, each with the line.

    But for those that it imports only when it is called, as it may.
    """
    tree = ast.parse(module.read_text(encoding="utf-8"))
    when_called = {f"tapviz.{name}" for name in WHEN_CALLED.get(room(module), "").split()}
    for node in ast.walk(tree):
        inside = node not in tree.body
        if (
            inside
            and isinstance(node, ast.ImportFrom)
            and ".".join(node.module.split(".")[:2]) in when_called
        ):
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}, line {node.lineno}: a relative import"
            inside = node.module == "tapviz"
            names = [f"tapviz.{a.name}" for a in node.names] if inside else [node.module]
        else:
            continue
        for name in names:
            parts = name.split(".")
            yield (parts[1] if parts[0] == "tapviz" and len(parts) > 1 else parts[0]), node.lineno


def test_every_room_is_in_the_table():
    assert {room(module) for module in MODULES} == set(MAY_IMPORT)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports(module):
    own = room(module)
    allowed = {*sys.stdlib_module_names, "numpy", own, *MAY_IMPORT[own].split()}
    wrong = [(name, line) for name, line in imported(module) if name not in allowed]
    assert not wrong, f"{own} may import {MAY_IMPORT[own] or 'NumPy only'}"


def test_no_permission_is_unused():
    used = {name: set() for name in MAY_IMPORT}
    for module in MODULES:
        used[room(module)] |= {name for name, _ in imported(module)}
    unused = {name: set(may.split()) - used[name] for name, may in MAY_IMPORT.items()}
    assert not {name: rest for name, rest in unused.items() if rest}


def test_no_room_imports_a_later_one_in_a_circle():
    done = {}
    while len(done) < len(MAY_IMPORT):
        ready = [
            name
            for name, may in MAY_IMPORT.items()
            if name not in done and not (set(may.split()) & set(MAY_IMPORT)) - set(done)
        ]
        assert ready, f"a circle among {set(MAY_IMPORT) - set(done)}"
        done.update(dict.fromkeys(ready))


def test_contributing_shows_the_table():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Rooms")[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in section.splitlines()
        if line.startswith("|")
    ][2:]
    shown = {}
    for name, _, may in rows:
        words = re.sub(r"\([^)]*\)|`", "", may).replace("-", "").split(",")
        shown[name.split()[0].strip("`")] = {word.strip() for word in words} - {""}
    assert shown == {name: set(may.split()) for name, may in MAY_IMPORT.items()}


@pytest.mark.subprocess
@pytest.mark.parametrize("name", LIGHT)
def test_importing_loads_no_plotting_library(name):
    code = f"import sys, {name}; print([m for m in {PLOTTING} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_public_names_can_be_imported():
    assert sorted(tapviz.__all__) == list(tapviz.__all__)
    for name in tapviz.__all__:
        assert getattr(importlib.import_module("tapviz"), name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tapviz.nothing  # noqa: B018


def test_no_file_names_a_place_on_somebodys_machine():
    folders = ("tapviz", "apps", "notebooks", "tests", "benchmarks", "scripts", ".ci", ".github")
    endings = {".py", ".ipynb", ".css", ".md", ".yml", ".toml", ""}
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    files += ROOT.glob("*.*")
    # Written apart, so that this file is no finding of its own.
    places = re.compile(
        "|".join(rf"(?<![\w.])/{name}\b" for name in ("work/", "root/", "home/", "tmp/venv"))
    )
    found = [
        (str(path.relative_to(ROOT)), number)
        for path in files
        if path.is_file()
        and path.suffix in endings
        and not {".git", ".mypy_cache", "__pycache__"} & set(path.parts)
        for number, line in enumerate(
            path.read_text(encoding="utf-8", errors="replace").splitlines(), 1
        )
        if places.search(line)
    ]
    assert not found
