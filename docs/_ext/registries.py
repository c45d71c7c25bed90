"""Pages made from what tapviz declares once: plots, scores, formats, and its public names.

Before Sphinx looks for pages this writes

- ``_generated/parts/plots.md``, ``scores.md`` and ``formats.md``, which pages include, and the
  pictures beside them, drawn by tapviz;
- ``reference/generated/``: a page for each public module, class and function;
- ``notebooks/``: copies of the notebooks.

One function reads each registry (`plots`, `scores`, `formats`); everything else works on what
these return.
"""

from __future__ import annotations

import html
import importlib
import inspect
import json
import math
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from tapviz import Explorer, load_results, read_all, save_figure
from tapviz.lists.runs import Run
from tapviz.plots import PLOTS
from tapviz.plots.save import complete
from tapviz.readers import FORMATS
from tapviz.scores import COSTS, MORE_SCORES, SCORES, per_query
from tests.decoyed import decoyed

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parents[1]
NOTEBOOKS = DOCS.parent / "notebooks"
STAND_INS = {
    "explore": {"page": "stand_ins.report()"},
    "why_pooled_roc_misleads": {
        "curves": "stand_ins.pictures('f, errors read so far', "
        "{f: curves(f) for f in (1, 10, 25, 50, 100, 144, 200, 300, 400)})",
        "scale": "",
    },
}
"""Of cells whose output needs Python as it is moved, what is shown in its place."""
QUIET = {"explore": ("extension", "plot"), "why_pooled_roc_misleads": ("imports",)}
"""Cells whose output is what draws such outputs, or one of which the next cell has a picture."""
MODULES = (
    "tapviz",
    "tapviz.lists",
    "tapviz.measures",
    "tapviz.readers",
    "tapviz.labels",
    "tapviz.scores.findings",
    "tapviz.scores.verdict",
    "tapviz.scores.words",
    "tapviz.scores.holds",
    "tapviz.scores",
    "tapviz.state",
    "tapviz.explorer",
    "tapviz.plots",
    "tapviz.files.options",
    "tapviz.readers.datasets",
    "tapviz.lists.runs",
    "tapviz.readers.store",
    "tapviz.lesson",
)
"""Public modules. A name that several of them have is documented in the first."""
LOW = str.maketrans("0123456789kn", "₀₁₂₃₄₅₆₇₈₉ₖₙ")
FAMILIES = "tapviz.measures"
"""Module whose names are grouped by the modules that they come from."""


# The registries: what each declares, in the words of the pages.


class PlotEntry(NamedTuple):
    """A plot of the gallery."""

    name: str
    title: str
    how_to_read: str


class ScoreEntry(NamedTuple):
    """A score: what it is, where it comes from, and what else it is called."""

    name: str
    title: str
    description: str
    source: str
    also_called: str
    range: str
    in_python: str
    """Where it is in Python, as Markdown."""


class FormatEntry(NamedTuple):
    """A format that is read."""

    name: str
    title: str
    programs: str
    sample: str


def plots() -> list[PlotEntry]:
    """Every plot."""
    return [
        PlotEntry(one.name, plain(one.title), subscripts(one.how_to_read)) for one in PLOTS.values()
    ]


def scores() -> list[ScoreEntry]:
    """Every score: those that tables show, counts, and those asked for by name."""
    better = {True: "; larger is better", False: "; smaller is better", None: ""}
    entries = []
    for one in (*sorted(SCORES, key=lambda score: not score.in_tables), *MORE_SCORES, *COSTS):
        title = one.title.format(k="k", n="n", e0="E₀")
        limits = "an E-value or score, in the units of the program"
        if one.range is not None:
            low, high = one.range
            limits = f"{low:g} to {high:g}" if math.isfinite(high) else f"{low:g} upwards"
        entries.append(
            ScoreEntry(
                one.name,
                title[0].upper() + subscripts(title[1:]),
                subscripts(one.description),
                subscripts(one.source),
                subscripts("; ".join(one.also_called)),
                limits + better[one.higher_is_better],
                f"`{one.name}`, a column of `explorer.scores` and a key of the JSON",
            )
        )
    return entries


def formats() -> list[FormatEntry]:
    """Every format."""
    return [FormatEntry(name, one.title, one.programs, one.sample) for name, one in FORMATS.items()]


MADE_UP = {
    "costs": "Run times in this picture are made up.",
    "versions": "Versions in this picture are made up.",
    "decoys": "The decoys are made up: half of the irrelevant records, drawn by lot.",
}
"""What plots need that is not known of the bundled searches, and what is said of it."""
MADE_UP_SECONDS = {"DIAMOND": 20, "MMseqs2_iter3": 70, "BLASTP": 110, "SSEARCH": 800}


@cache
def example(needs: str, reads: str) -> Explorer:
    """What the pictures show: the bundled searches under the choices that the page opens with."""
    results = load_results()
    if needs == "decoys":
        results = decoyed(results)
    elif needs in MADE_UP:
        results = {
            name: results[name].with_run(Run("made up", f"v{place}", seconds=seconds))
            for place, (name, seconds) in enumerate(MADE_UP_SECONDS.items(), 1)
        }
    if reads == "scores":
        return Explorer(read_all(pd.DataFrame(per_query(results))))
    return Explorer({"BLASTP": results["BLASTP"]} if needs == "one" else results)


def draw(name: str, path: Path) -> str:
    """Draw a plot of the example; return it in words."""
    plot = PLOTS[name]
    explorer = example(plot.needs, plot.reads)
    save_figure(explorer, name, path)
    return plot.text(complete(explorer, plot))


# The parts that pages include.


def plots_part(folder: Path) -> str:
    """The gallery; its pictures go into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for plot in plots():
        words = draw(plot.name, folder / f"{plot.name}.svg").replace("\n", " ")
        words = subscripts(words)
        made_up = MADE_UP.get(PLOTS[plot.name].needs, "")
        parts.append(
            f"({anchor('plot', plot.name)})=\n## {plot.title}\n\n"
            f"```{{image}} /_generated/plots/{plot.name}.svg\n:class: plot\n"
            f":alt: {words}\n```\n\n"
            f"{plot.how_to_read}\n\n"
            f"*This picture in words:* {escape(words)}\n\n"
            f"{made_up}\n\n"
            f'`--plot {plot.name}`, `save_figure(explorer, "{plot.name}", ...)`\n'
        )
    return "\n".join(parts)


def scores_part() -> str:
    """Every score with its definition."""
    parts = []
    for score in scores():
        facts = {
            "Range": score.range,
            "Source": score.source,
            "Also called": score.also_called,
            "In Python": score.in_python,
        }
        rows = "".join(f"{term}\n: {text}\n\n" for term, text in facts.items() if text)
        parts.append(
            f"({anchor('score', score.name)})=\n## {score.title}\n\n{score.description}\n\n{rows}"
        )
    return "\n".join(parts)


def formats_part() -> str:
    """Every format with two lines of it."""
    return "\n".join(
        f"({anchor('format', one.name)})=\n## `{one.name}`: {one.title}\n\n"
        f"Written by {one.programs}.\n\n```text\n{one.sample}\n```\n"
        for one in formats()
    )


def anchor(kind: str, name: str) -> str:
    """Where other pages find an entry."""
    return f"{kind}-{name.replace('_', '-')}"


def plain(title: str) -> str:
    """A title in HTML as text, with its subscripts as letters."""
    title = re.sub("<sub>(.*?)</sub>", lambda found: found[1].translate(LOW), title)
    return html.unescape(re.sub("<[^>]*>", "", title))


def subscripts(text: str) -> str:
    """Text with E_k as Eₖ."""
    return re.sub(r"_([0-9kn]+)\b", lambda found: found[1].translate(LOW), text)


def escape(text: str) -> str:
    """Text in which Markdown finds nothing to format."""
    return re.sub(r"([\\`*_{}\[\]<>$#|])", r"\\\1", text)


# The reference.


def public_names(module: str) -> list[str]:
    """Names in ``__all__``, or else what is defined in the module and has no underscore."""
    loaded = importlib.import_module(module)
    if hasattr(loaded, "__all__"):
        return [name for name in loaded.__all__ if not inspect.ismodule(getattr(loaded, name))]
    return [
        name
        for name, value in vars(loaded).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module
    ]


@cache
def homes() -> dict[str, dict[str, str]]:
    """For each public module the full name under which each of its names is documented."""
    seen: dict[int, str] = {}
    found: dict[str, dict[str, str]] = {}
    for module in MODULES:
        found[module] = {}
        for name in public_names(module):
            value = getattr(importlib.import_module(module), name)
            full = f"{module}.{name}"
            if inspect.isclass(value) or inspect.isfunction(value):
                full = seen.setdefault(id(value), full)
            found[module][name] = full
    return {module: names for module, names in found.items() if names}


@cache
def documented() -> dict[str, Any]:
    """Every public class and function by the full name under which it is documented."""
    found = {}
    for module, names in homes().items():
        for name, full in names.items():
            value = getattr(importlib.import_module(module), name)
            if inspect.isclass(value) or inspect.isfunction(value):
                found[full] = value
    return found


@cache
def makers() -> dict[str, list[str]]:
    """For each public class the functions, methods and results that one comes from."""
    found: dict[str, list[str]] = {}
    classes = {full.rpartition(".")[2]: full for full, one in documented().items()}
    for full, value in documented().items():
        for place, annotation in _annotations(full, value):
            for word in re.findall(r"\w+", annotation):
                made = classes.get(word, full)
                known = getattr(sys.modules[value.__module__], word, None)
                if made != full and known is documented()[made]:
                    found.setdefault(made, []).append(place)
    return {full: list(dict.fromkeys(places)) for full, places in found.items()}


def _annotations(full: str, value: Any) -> Iterator[tuple[str, str]]:
    """What a function returns, and what the members of a class return or are."""
    if not inspect.isclass(value):
        yield full, str(getattr(value, "__annotations__", {}).get("return", ""))
        return
    for annotation in getattr(value, "__annotations__", {}).values():
        written = str(getattr(annotation, "__forward_arg__", annotation))
        if "Callable" not in written:
            yield full, written
    for name, member in vars(value).items():
        function = getattr(member, "fget", getattr(member, "__func__", member))
        if not name.startswith("_") and inspect.isfunction(function):
            yield f"{full}.{name}", str(function.__annotations__.get("return", ""))


def reference_pages() -> Iterator[tuple[str, str]]:
    """Name and text of each page of the reference."""
    for module, names in homes().items():
        yield module, _module_page(module, names)
        for name, full in names.items():
            if full == f"{module}.{name}":
                yield page_name(module, name), _object_page(module, name)
    toctree = "\n".join(f"   {module}" for module in homes())
    yield "index", f"{_title('Modules')}.. toctree::\n   :maxdepth: 1\n\n{toctree}\n"


def page_name(module: str, name: str) -> str:
    """Name of the page of a name; `Tap` and `tap` are two files wherever case is ignored, too."""
    twin = f"{module}.{name.lower()}"
    others = {*MODULES, *homes()[module].values()}
    if name.lower() != name and twin in others:
        return f"{module}.{name}-class"
    return f"{module}.{name}"


def _title(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n\n"


def _module_page(module: str, names: dict[str, str]) -> str:
    text = f"{_title(module)}.. automodule:: {module}\n   :no-members:\n\n"
    for heading, group in _groups(module, list(names)):
        rows = "\n".join(f"   {_entry(module, names[name])}" for name in group)
        text += f".. rubric:: {heading}\n\n" if heading else ""
        text += f".. autosummary::\n   :nosignatures:\n\n{rows}\n\n"
    own = [page_name(module, name) for name in names if names[name] == f"{module}.{name}"]
    if own:
        text += ".. toctree::\n   :hidden:\n\n" + "".join(f"   {page}\n" for page in own)
    return text


def _entry(module: str, full: str) -> str:
    """A name in the table of a module: in full, though shown without, if it is another's."""
    home, _, name = full.rpartition(".")
    return name if home == module else f"~{full}"


def _groups(module: str, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Names under the headings of their families."""
    if module != FAMILIES:
        return [("", list(names))]
    loaded = importlib.import_module(module)
    groups: dict[str, list[str]] = {}
    for name in names:
        value = getattr(loaded, name)
        source = importlib.import_module(getattr(value, "__module__", module))
        hidden = source.__name__.rsplit(".", 1)[-1].startswith("_")
        own = source.__name__.startswith(f"{module}.") and not hidden
        heading = (source.__doc__ or "").split("\n", 1)[0].rstrip(".") if own else "Common to all"
        groups.setdefault(heading, []).append(name)
    return sorted(groups.items(), key=lambda group: (group[0] == "Common to all", group[0]))


def _object_page(module: str, name: str) -> str:
    value = getattr(importlib.import_module(module), name)
    head = f"{_title(f'{module}.{name}')}.. currentmodule:: {module}\n\n"
    if inspect.isclass(value):
        page = f"{head}.. autoclass:: {name}\n   :members:\n\n{_parameters(value)}"
        return page + _comes_from(f"{module}.{name}")
    return f"{head}.. auto{'function' if inspect.isfunction(value) else 'data'}:: {name}\n"


def _comes_from(full: str) -> str:
    """Where a result comes from: an example of it is that of the function."""
    places = makers().get(full, [])
    rows = ", ".join(f":py:obj:`~{place}`" for place in places)
    return f".. rubric:: Comes from\n\n{rows}\n" if rows else ""


def _parameters(value: Any) -> str:
    """The Parameters of a Param class, which autodoc does not know."""
    if not hasattr(value, "param"):
        return ""
    found = value.param.objects("existing").items()
    own = {name: one for name, one in found if one.owner is value and one.doc and name != "name"}
    lines = [f"``{name}`` (default {one.default!r})\n   {one.doc}\n" for name, one in own.items()]
    return ".. rubric:: Choices\n\n" + "\n".join(lines) if lines else ""


def signature(
    _app: Sphinx, what: str, _name: str, value: Any, _options: Any, text: str, _returns: Any
) -> tuple[str, str | None] | None:
    """Types as they are written: those of a NamedTuple's fields, and what a function returns."""
    written = getattr(value, "__annotations__", {})
    if what == "class" and hasattr(value, "_fields"):
        types = {name: getattr(one, "__forward_arg__", one) for name, one in written.items()}
        return f"({', '.join(f'{name}: {one}' for name, one in types.items())})", None
    returns = written.get("return") if what in {"function", "method"} else None
    return text, returns if isinstance(returns, str) and returns != "None" else None


def docstring(
    _app: Sphinx, what: str, name: str, value: Any, _options: Any, lines: list[str]
) -> None:
    """Leave out what Python says by itself of a NamedTuple's field, and of a constant's type."""
    if what == "data":
        lines[:] = constant_docstring(name.rpartition(".")[2], value)
    if any(line.startswith("Alias for field number") for line in lines):
        lines[:] = []


def constant_docstring(name: str, value: Any) -> list[str]:
    """What is written below a constant in the module that defines it."""
    from sphinx.pycode import ModuleAnalyzer  # noqa: PLC0415  # the rest is tested without Sphinx

    for module, loaded in list(sys.modules.items()):
        if module.startswith("tapviz.") and vars(loaded).get(name) is value:
            below = ModuleAnalyzer.for_module(module).find_attr_docs()
            if ("", name) in below:
                return below["", name]
    return []


# Notebooks.

HOW_TO_RUN = """```{{note}}
What moves on this page does so without Python. In the notebook it follows Python, and
Python follows it. To run it, in a clone of the repository: `pip install '.[jupyter]'`, then
`jupyter lab notebooks/{name}.ipynb`.
```"""


def copy_notebooks(folder: Path) -> None:
    """Copy the notebooks, to be run, and their data; what needs Python has a stand-in."""
    folder.mkdir(exist_ok=True)
    shutil.copytree(NOTEBOOKS / "data", folder / "data", dirs_exist_ok=True)
    for source in NOTEBOOKS.glob("*.ipynb"):
        notebook = json.loads(source.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"] = []
        if source.stem in STAND_INS:
            notebook = with_stand_ins(notebook, source.stem)
        write(folder / source.name, json.dumps(notebook))


def with_stand_ins(notebook: Any, name: str) -> Any:
    """A notebook for a page behind which no Python runs."""
    cells = []
    for cell in notebook["cells"]:
        cells.append(cell)
        if cell["id"] in QUIET[name]:
            cell["metadata"]["tags"] = ["remove-output"]
        code = STAND_INS[name].get(cell["id"])
        if code is not None:
            cell["source"] = ["".join(cell["source"]) + ";"]  # its last value is not shown
        if code:
            shown = {"source": f"import stand_ins\n\n{code}", "outputs": []}
            shown |= {"cell_type": "code", "id": f"{cell['id']}-here", "execution_count": None}
            cells.append(shown | {"metadata": {"tags": ["remove-input"]}})
    note = {"cell_type": "markdown", "id": "how-to-run", "metadata": {}}
    cells.insert(1, note | {"source": HOW_TO_RUN.format(name=name)})
    return notebook | {"cells": cells}


def write(path: Path, text: str) -> None:
    """Write a file unless it holds the same already, so that Sphinx reads it no second time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def generate(_app: Sphinx, _config: Any) -> None:
    """Write everything that is made."""
    parts = DOCS / "_generated" / "parts"
    write(parts / "plots.md", plots_part(DOCS / "_generated" / "plots"))
    write(parts / "scores.md", scores_part())
    write(parts / "formats.md", formats_part())
    write(parts / "datasheet.md", (files("tapviz") / "data" / "DATASHEET.md").read_text("utf-8"))
    reference = DOCS / "reference" / "generated"
    pages = {f"{name}.rst": text for name, text in reference_pages()}
    for name, text in pages.items():
        write(reference / name, text)
    for stale in reference.glob("*.rst"):
        if stale.name not in pages:
            stale.unlink()
    copy_notebooks(DOCS / "notebooks")


def resolve(app: Sphinx, env: Any, node: Any, content: Any) -> Any:
    """Link a name of any module: `tap_k` in a docstring of the explorer."""
    target = node.get("reftarget", "")
    if node.get("refdomain") != "py" or not re.search(r"[A-Z_]", target):
        return None
    for names in homes().values():
        first, _, rest = target.partition(".")
        if first in names:
            full = names[first] + (f".{rest}" if rest else "")
            return env.domains.python_domain.resolve_xref(
                env, node["refdoc"], app.builder, "obj", full, node, content
            )
    return None


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them."""
    app.connect("config-inited", generate)
    app.connect("missing-reference", resolve)
    app.connect("autodoc-process-signature", signature)
    app.connect("autodoc-process-docstring", docstring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
