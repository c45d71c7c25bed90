"""The JavaScript that Python hands to a page."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from tapviz.live.script import script

PACKAGE = Path(str(files("tapviz")))
BUNDLES = {path.parent.parent.name + "/" + path.name: path for path in PACKAGE.glob("*/bundles/*")}
COMPONENTS = sorted(
    name for name, path in BUNDLES.items() if "\n  render\n};" in path.read_text(encoding="utf-8")
)


def text(name):
    return BUNDLES[name].read_text(encoding="utf-8")


def test_a_script_is_the_bundle_of_its_room():
    assert script("tour.js") == text("live/tour.js")
    assert script("drawer.js", "tapviz.page") == text("page/drawer.js")


@pytest.mark.parametrize("name", sorted(BUNDLES))
def test_nothing_is_left_to_import(name):
    assert not re.search(r"^import |\bimport\(", text(name), re.MULTILINE)


@pytest.mark.parametrize("name", sorted(BUNDLES))
def test_python_hands_out_every_bundle(name):
    room, file = name.split("/")
    sources = "".join(path.read_text(encoding="utf-8") for path in (PACKAGE / room).glob("*.py"))
    everywhere = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert file in everywhere or f'"{file.removesuffix(".js")}"' in sources


def test_a_component_exports_what_draws_it_and_nothing_else():
    assert {"live/accessibility.js", "page/queries.js"} <= set(COMPONENTS)
    for name in COMPONENTS:
        _, _, exported = text(name).partition("\nexport {")
        assert exported == "\n  render\n};\n"


@pytest.mark.parametrize("name", ["live/at_first.js", "live/dress.js", "live/connecting.js"])
def test_what_the_page_runs_as_it_is_leaves_no_names_in_it(name):
    assert re.fullmatch(r"//.*\n(\"use strict\";\n)?\(\(\) => \{\n(?s:.*)\n\}\)\(\);\n", text(name))
