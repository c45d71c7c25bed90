"""JavaScript files take in the modules that they import."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from tapviz.live.script import expression, script

NAMES = sorted(path.name for path in files("tapviz.live").iterdir() if path.name.endswith(".js"))


@pytest.mark.parametrize("name", NAMES)
def test_no_import_is_left(name: str) -> None:
    assert not re.search(r"^import ", script(name), re.MULTILINE)


@pytest.mark.parametrize("name", ["keys.js", "late_plots.js", "highlight.js", "connection_lost.js"])
def test_what_the_page_runs_as_it_is_exports_nothing(name: str) -> None:
    assert not re.search(r"^export ", script(name), re.MULTILINE)


@pytest.mark.parametrize("name", ["accessibility.js", "notebook_sync.js", "paint_signal.js"])
def test_a_component_exports_what_draws_it_and_nothing_else(name: str) -> None:
    assert re.findall(r"^export .*", script(name), re.MULTILINE) == [
        line for line in script(name).splitlines() if line.startswith("export function render(")
    ]


def test_an_expression_has_all_that_a_module_exports() -> None:
    text = expression("shadow.js")
    assert text.startswith("(() => {")
    assert text.endswith("return { find }\n})()")
    assert "export" not in text


def test_imported_names_are_taken_from_the_module() -> None:
    assert "const { find } = (() => {" in script("keys.js")
