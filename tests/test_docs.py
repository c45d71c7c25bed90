"""The documentation shows all that is declared, and what goes with a release agrees with it.

Commands and Python on the pages are run when the site is built; what only stands there is looked
at here.
"""

import argparse
import ast
import importlib
import inspect
import json
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml
from panel.command.serve import Serve

import tapviz
from tapviz.cli import COMMANDS, main
from tapviz.readers import FORMATS
from tapviz.scores import PRESETS, SCORES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MADE = ("_build", "_generated", "generated", "notebooks", "jupyter_execute")
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if not set(MADE) & set(path.parts)]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SHOWN = {score.name: score.in_tables for score in SCORES}
# Run when the site is built, or output, or a directive that shows something else.
NOT_RUN_HERE = ("{", "text")
CONDA_NAMES = {"matplotlib": "matplotlib-base"}


def extension(name):
    sys.path.insert(0, str(DOCS / "_ext"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(DOCS / "_ext"))


@pytest.fixture(scope="module")
def registries():
    """The extension that makes pages from what is declared."""
    return extension("registries")


def test_parameters_of_a_long_signature_are_a_list():
    paren = '<span class="sig-paren">{}</span>'
    given = f"{paren.format('(')}\n\n<dl>\n<dd><em>k</em>,</dd>\n</dl>\n\n{paren.format(')')}"
    definitions = "<dl><dt>k</dt><dd>errors</dd></dl>"
    expected = given.replace("<dl>", '<ul class="parameters">').replace("</dl>", "</ul>")
    expected = expected.replace("<dd>", "<li>").replace("</dd>", "</li>")
    assert extension("signatures").listed(given + definitions) == expected + definitions


def squeezed(text):
    """Text without the differences that line breaks make."""
    return " ".join(text.split())


FENCE = re.compile(r"^```(\S*).*?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
"""A block of a page: the language or directive, and the content."""


def test_every_state_of_the_page_has_a_picture():
    page = (DOCS / "pictures.md").read_text(encoding="utf-8")
    taken = {path.stem for path in (DOCS / "screenshots").iterdir()}
    shown = set(re.findall(r"image\} screenshots/([a-z-]+)\.webp", page))
    assert shown == {name for name in taken if not name.startswith("preset-")} - {"drag"}
    assert (DOCS / "screenshots" / "drag.webp").stat().st_size < 2_000_000


def test_every_preset_has_a_picture():
    page = (DOCS / "presets.md").read_text(encoding="utf-8")
    for preset in PRESETS:
        assert f"--scores {preset}`" in page
        picture = f"screenshots/preset-{preset}.webp"
        assert picture in page
        assert (DOCS / picture).read_bytes()[8:12] == b"WEBP"


def test_every_plot_is_in_the_gallery(registries, tmp_path):
    page = registries.plots_part(tmp_path)
    assert registries.plots()
    for plot in registries.plots():
        assert f"## {plot.title}" in page
        assert squeezed(plot.how_to_read) in squeezed(page)
        assert (tmp_path / f"{plot.name}.svg").read_text().lstrip().startswith("<?xml")


def test_every_score_has_a_definition_a_source_and_a_range(registries):
    page = registries.scores_part()
    assert registries.scores()
    for score in registries.scores():
        assert f"## {score.title}" in page
        assert score.description
        assert score.range
        assert score.source or not SHOWN[score.name], score.name  # counts need none


def test_every_format_is_shown_with_two_lines(registries):
    page = registries.formats_part()
    for name, one in FORMATS.items():
        assert f"## `{name}`: {one.title}" in page
        assert one.sample in page


def test_every_public_name_has_a_page(registries):
    pages = dict(registries.reference_pages())
    for module, names in registries.homes().items():
        assert set(names) >= set(registries.public_names(module))
        for name, full in names.items():
            assert registries.page_name(full.rpartition(".")[0], name) in pages
            assert re.search(rf"^   ~?([\w.]*\.)?{name}$", pages[module], re.MULTILINE)
    assert set(tapviz.__all__) <= set(registries.homes()["tapviz"])


def test_every_public_name_has_an_example_or_comes_from_one_that_has(registries):
    """A result, and what only describes a type, needs none: its page says what it comes from."""
    for full, value in registries.documented().items():
        result = registries.makers().get(full)
        protocol = getattr(value, "_is_protocol", False)
        assert "\nExamples\n-----" in inspect.getdoc(value) or result or protocol, full


def test_no_two_pages_differ_in_case_only(registries):
    pages = [name.lower() for name, _ in registries.reference_pages()]
    assert len(set(pages)) == len(pages)


def test_an_address_that_a_page_fetches_is_found(tmp_path):
    offline = extension("offline")
    page = tmp_path / "page.html"
    page.write_text(
        '<link rel="stylesheet" href="https://cdn.test/a.css"><script src="//cdn.test/b.js">'
        '</script><img src="local.png"><a href="https://example.org">a link is no harm</a>'
        '<style>@import "https://cdn.test/c.css"; p { background: url(d.png) }</style>'
    )
    assert offline.fetched(page) == [
        "https://cdn.test/a.css", "//cdn.test/b.js", "https://cdn.test/c.css"
    ]  # fmt: skip
    style = tmp_path / "style.css"
    style.write_text("@font-face { src: url('https://cdn.test/e.woff2') }")
    assert offline.fetched(style) == ["https://cdn.test/e.woff2"]


def test_each_of_ten_tasks_is_a_statement(tmp_path, monkeypatch):
    """The page is run, which takes no more statements than what stands below each on it."""
    shutil.copytree(ROOT / "notebooks" / "data", tmp_path / "files")
    monkeypatch.setenv("TAPVIZ_EXAMPLES", str(tmp_path / "files"))
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "howto" / "tasks.md").read_text("utf-8")
    first, *tasks = re.split(r"(?m)^## \d+\. ", page)
    names = {}

    def run(text):
        found = []
        for kind, code in FENCE.findall(text):
            body = [line for line in code.splitlines() if not line.startswith(":")]
            if kind == "{code-cell}":
                exec("\n".join(body), names)  # noqa: S102  # of the page
                found.append(len(ast.parse("\n".join(body)).body))
            elif kind == "{shell}":
                (line,) = body
                assert main(shlex.split(line)[1:]) == 0
                found.append(1)
        return found

    run(first)
    assert [run(task) for task in tasks] == [[1]] * 10


@pytest.fixture(scope="module")
def elsewhere():
    notebook = nbformat.read(ROOT / "notebooks" / "explore.ipynb", as_version=4)
    # Of the page on reports the browser's tests run the code.
    names = "README.md", "environment.yml", "docs/howto/report.md"
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in names]
    return squeezed("\n".join([*texts, *(cell.source for cell in notebook.cells)]))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(DOCS)))
def test_code_that_is_not_run_on_a_page_is_run_elsewhere_and_servers_take_their_options(
    path, elsewhere
):
    text = path.read_text(encoding="utf-8")
    for language, code in FENCE.findall(text):
        if not language.startswith(NOT_RUN_HERE):
            assert squeezed(code) in elsewhere
    for line in re.findall(r"^    (panel serve .*)$", text, re.MULTILINE):
        parser = argparse.ArgumentParser()
        Serve(parser)
        given = parser.parse_args(shlex.split(line)[2:])
        assert all((ROOT / file).exists() for file in given.files)
    for line in re.findall(r"^    (?:\w+=\S+ )?tapviz serve ?(.*)$", text, re.MULTILINE):
        parser = argparse.ArgumentParser()
        for add in COMMANDS["serve"].flags:
            add(parser)
        parser.parse_args(shlex.split(line))


@pytest.mark.parametrize("name", ["explore", "why_pooled_roc_misleads"])
def test_cells_that_need_python_have_a_stand_in_on_the_site(registries, name):
    source = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    before = {cell["id"]: "".join(cell["source"]) for cell in source["cells"]}
    cells = {cell["id"]: cell for cell in registries.with_stand_ins(source, name)["cells"]}
    for cell, code in registries.STAND_INS[name].items():
        assert cells[cell]["source"] == [f"{before[cell]};"]
        assert (f"{cell}-here" in cells) == bool(code)
    for cell in registries.QUIET[name]:
        assert "".join(cells[cell]["source"]) == before[cell]
        assert cells[cell]["metadata"]["tags"] == ["remove-output"]
    assert f"notebooks/{name}.ipynb" in cells["how-to-run"]["source"]


def test_links_between_pages_lead_somewhere():
    for path in PAGES:
        for link in re.findall(r"\]\(([^)#:]+\.\w+)\)", path.read_text(encoding="utf-8")):
            made = set(MADE) & set(Path(link).parts)
            assert made or (path.parent / link).exists(), f"{path}: {link}"


def test_a_table_ends_before_the_next_paragraph():
    for path in PAGES:
        swallowed = re.findall(r"^\|.*\n([^|\s].*)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert not swallowed, path


def test_the_citation_is_of_this_version_and_of_the_paper():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(citation["version"]) == tapviz.__version__
    assert citation["license"] == PROJECT["license"]
    paper = citation["preferred-citation"]
    readme = squeezed((ROOT / "README.md").read_text(encoding="utf-8"))
    assert paper["title"] in readme
    assert f"{paper['volume']}:{paper['start']}-{paper['end']}" in readme
    names = ", ".join(
        one["family-names"] + " " + "".join(part[0] for part in one["given-names"].split())
        for one in paper["authors"]
    )
    assert f"{names} ({paper['year']})" in readme


def of_conda(requirement):
    """A requirement as conda writes it."""
    name, versions = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()
    return f"{CONDA_NAMES.get(name, name)} {versions}"


def test_the_conda_recipe_is_that_of_pip():
    recipe = yaml.safe_load((ROOT / "conda.recipe" / "recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == PROJECT["version"]
    assert PROJECT["requires-python"] == f">={recipe['context']['python_min']}"
    extras = PROJECT["optional-dependencies"]
    needed = {*PROJECT["dependencies"], *extras["stats"], *extras["app"]} - {"tapviz[stats]"}
    wanted = {"python >=${{ python_min }}", *map(of_conda, needed)}
    assert set(recipe["requirements"]["run"]) == wanted
    entries = [f"{name} = {target}" for name, target in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == entries
    assert recipe["about"]["summary"] == PROJECT["description"]
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    assert {*map(of_conda, build["requires"])} <= {*recipe["requirements"]["host"]}


@pytest.mark.parametrize("path", sorted(ROOT.glob(".github/**/*.yml")), ids=lambda path: path.name)
def test_files_of_the_host_are_yaml(path):
    assert yaml.safe_load(path.read_text(encoding="utf-8"))


def test_a_release_is_checked_and_needs_no_token():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    steps = " ".join(step.get("run", "") for step in jobs["build"]["steps"])
    for part in ("python -m build", "twine check --strict", "tapviz score"):
        assert part in steps
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets." not in text
