"""Which room may import which, and what importing the package loads."""

import ast
import importlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import tapviz

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "tapviz"
MODULES = sorted(PACKAGE.rglob("*.py"))

# A room imports from lower floors only; the first is the lowest. CONTRIBUTING.md says more.
FLOORS = (
    "files lists",
    "draw labels measures",
    "live readers scores",
    "condensing state",
    "plots",
    "explorer",
    "lesson page",
    "cli",
)
ROOMS = " ".join(FLOORS).split()
# What a room needs besides the standard library and NumPy.
PACKAGES = {
    "files": "pyarrow",
    "lists": "pyarrow",
    "draw": "holoviews bokeh matplotlib",
    "measures": "scipy",
    "live": "param panel bokeh jinja2 markupsafe",
    "readers": "pyarrow",
    "condensing": "pyarrow dask distributed fsspec",
    "state": "param pandas",
    "explorer": "holoviews matplotlib",
    "lesson": "param panel markdown_it",
    "page": "param panel bokeh",
    "cli": "panel bokeh tornado",
}
MAX_ROOMS, MAX_ARROWS, MAX_LINES = 16, 60, 600
PLOTTING = ("panel", "holoviews", "bokeh", "matplotlib")
SITE = "['matplotlib']"
"""What reports and a leaderboard need of these."""
LIGHT = ("tapviz", "tapviz.measures", "tapviz.readers", "tapviz.explorer", "tapviz.lesson")


each_module = pytest.mark.parametrize(
    "module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE))
)


def room(module):
    parts = module.relative_to(PACKAGE).with_suffix("").parts
    return "tapviz" if parts in {("__init__",), ("__main__",)} else parts[0]


@cache
def nodes(module):
    return list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))


def imported(module):
    """Rooms and packages that a module imports, anywhere in it, each with the line."""
    for node in nodes(module):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}, line {node.lineno}: a relative import"
            inside = node.module == "tapviz"
            names = [f"tapviz.{name}" for name in names] if inside else [node.module]
        for name in names:
            yield name.removeprefix("tapviz.").split(".")[0], node.lineno


def lower(own):
    """Rooms on the floors below that of a room; all are below the public face."""
    floors = [floor.split() for floor in FLOORS]
    below = next((n for n, floor in enumerate(floors) if own in floor), len(floors))
    return {name for floor in floors[:below] for name in floor}


def test_every_room_is_on_a_floor_and_nothing_in_the_corridor():
    assert len(ROOMS) == len(set(ROOMS)) <= MAX_ROOMS
    assert {room(module) for module in MODULES} == {"tapviz", *ROOMS}
    files = {path.name for path in PACKAGE.iterdir() if path.is_file()}
    assert files == {"__init__.py", "__main__.py", "py.typed"}


@each_module
def test_imports(module):
    own = room(module)
    packages = {*sys.stdlib_module_names, "numpy", *PACKAGES.get(own, "").split()}
    wrong = [one for one in imported(module) if one[0] not in {own} | packages | lower(own)]
    assert not wrong, f"{own} may import {sorted(lower(own))} and {PACKAGES.get(own)}"


@pytest.mark.parametrize("own", ROOMS)
def test_scripts_import_from_lower_floors_too(own):
    texts = [path.read_text(encoding="utf-8") for path in (PACKAGE / own).glob("*.js")]
    names = {name for text in texts for name in re.findall(r'from "\.\./(\w+)/', text)}
    assert names <= lower(own)


def test_no_room_is_allowed_a_package_that_it_does_not_import():
    used = {name: set() for name in PACKAGES}
    for module in MODULES:
        used.get(room(module), set()).update(name for name, _ in imported(module))
    unused = {name: set(may.split()) - used[name] for name, may in PACKAGES.items()}
    assert not {name: rest for name, rest in unused.items() if rest}


def test_no_file_is_long():
    files = [*MODULES, *(path for path in PACKAGE.glob("*/*.js") if path.parent.name != "bundles")]
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert not {path.name: number for path, number in lines.items() if number > MAX_LINES}


DOOR = "files/small.py"
OF_ROWS = re.compile(
    r"readers/(_lines|_table|blast|hmmer|merging|per_query|table|tap|text)\.py"
    r"|labels/(classes|join|qrels|rules)\.py"
)
"""What reads rows of results and labels by patterns of its own; the oracle watches it."""
READS = re.compile(
    "(files|labels|readers|condensing|cli|lists)/|state/(settings|query_filter)|scores/baseline"
    "|explorer/session|lesson/(codes|scene)[.]"
)
"""What reads what somebody wrote."""
PARSERS = {"json": "load loads", "csv": "reader DictReader", "pickle": "load loads", "tomllib": ""}
ALREADY = {  # numbers already, and what the system or the program itself says
    "files/limits.py": {"*"},
    "lists/lists.py": {"found[0]", "query"},
    "lists/reported.py": {"ends[order[min(at, order.size - 1)]]"},
    "lists/words.py": {"number"},
    "state/query_filter.py": {
        "self.at", "rows[0 if by > 0 else -1]",
        "rows[(place + by - (by > 0 and (not inside))) % rows.size]",
    },
}  # fmt: skip
METHODS = ("strip", "group", "decode", "read")
COMPUTED = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.JoinedStr, ast.Constant)


def texts_to_values(module):
    """Where a module makes JSON, TOML, cells or numbers of what may be a text: line and how."""
    for node in nodes(module):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            known = PARSERS.get(node.value.id.removeprefix("python_"), "").split()
            if node.attr in known:
                yield node.lineno, f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [getattr(node, "module", None), *(alias.name for alias in node.names)]
            if "tomllib" in names or set(names) & {"loads", "reader", "DictReader"}:
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.keyword) and getattr(node.value, "id", "") in ("int", "float"):
            yield node.value.lineno, ast.unparse(node)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Name):
            (first, *others) = node.args
            if node.func.id == "map" and getattr(first, "id", "") in ("int", "float"):
                yield node.lineno, ast.unparse(node)
            elif node.func.id in ("int", "float") and not others:
                method = getattr(getattr(first, "func", None), "attr", "strip")
                text = isinstance(first, ast.Call) and method in METHODS
                if text or not isinstance(first, (*COMPUTED, ast.Call)):
                    yield node.lineno, f"number: {ast.unparse(first)}"


@each_module
def test_texts_become_values_by_one_door(module):
    name = module.relative_to(PACKAGE).as_posix()
    if name == DOOR:
        return
    already = ALREADY.get(name, set())
    found = [
        (line, how)
        for line, how in texts_to_values(module)
        if not how.startswith("number: ")
        or (READS.match(name) and "*" not in already and how[len("number: ") :] not in already)
    ]
    if OF_ROWS.fullmatch(name):
        found = [one for one in found if "json" in one[1] or "toml" in one[1] or "pickle" in one[1]]
    if name == "condensing/inputs.py":  # what its own user wrote, see `check_own`
        found = [one for one in found if one[1] != "pickle.load"]
    assert not found, f"use tapviz.files.small: {found}"


def test_the_door_would_see_what_goes_round_it(tmp_path):
    round_it = [
        "json.loads(x)", "json.load(x)", "import tomllib", "from json import loads",
        "csv.reader(x)", "int(text)", "float(row[1])", "float(match.group(1))",
        "list(map(int, words))", "flag(read=float)", "pickle.loads(x)", "int(text.strip())",
    ]  # fmt: skip
    others = ["json.dumps(x)", "int(x.sum())", "float(a + b)", "float('nan')", "int(text, 32)"]
    for line in (*round_it, *others):
        module = tmp_path / f"{line}.py"
        module.write_text(line)
        assert bool(list(texts_to_values(module))) == (line in round_it), line


def test_there_are_few_arrows_between_rooms():
    rooms = {*ROOMS}
    arrows = {
        (room(module), name)
        for module in MODULES
        for name, _ in imported(module)
        if {room(module), name} <= rooms and name != room(module)
    }
    assert len(arrows) <= MAX_ARROWS, sorted(arrows)


def test_contributing_shows_the_floors():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Rooms")[1].split("\n## ")[0]
    shown, (_, _, *rows) = {}, re.findall(r"(?m)^\|.*", section)
    for row in rows:
        floor, name, _, packages = map(str.strip, re.split(r"(?<!\\)\|", row)[1:-1])
        words = re.sub(r"\([^)]*\)|`", "", packages).replace("-", "").split(",")
        shown[name.strip("`")] = floor, {word.strip() for word in words} - {""}
    assert shown == {
        name: (str(number), set(PACKAGES.get(name, "").split()))
        for number, floor in enumerate(FLOORS, 1)
        for name in floor.split()
    }


@pytest.mark.subprocess
def test_importing_loads_no_plotting_library():
    code = f"""import importlib, sys
for name in {LIGHT}:
    importlib.import_module(name)
    print(name, [one for one in {(*PLOTTING, "scipy.stats")} if one in sys.modules])
import tapviz.explorer.report
print([one for one in {PLOTTING} if one in sys.modules])"""
    said = subprocess.check_output([sys.executable, "-W", "error", "-c", code], text=True)
    assert said.splitlines() == [*(f"{name} []" for name in LIGHT), SITE]


def test_public_names_can_be_imported():
    assert sorted(tapviz.__all__) == list(tapviz.__all__)
    for name in tapviz.__all__:
        assert getattr(importlib.import_module("tapviz"), name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tapviz.nothing  # noqa: B018


def test_no_file_names_a_place_on_somebodys_machine():
    folders = ("tapviz", "apps", "notebooks", "tests", "benchmarks", "scripts", ".ci", ".github")
    endings = {".py", ".ipynb", ".css", ".md", ".yml", ".toml", ""}
    files = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    places = re.compile(r"(?<![\w.])/(work/|root/|home/|tmp/venv)\b")
    left_out = {".git", ".mypy_cache", "__pycache__"}
    for path in (*files, *ROOT.glob("*.*")):
        if path.is_file() and path.suffix in endings and not left_out & set(path.parts):
            found = places.search(path.read_text(encoding="utf-8", errors="replace"))
            assert not found, (str(path.relative_to(ROOT)), found)
