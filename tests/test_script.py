"""What Python hands to a page: JavaScript, and HTML from templates."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from tapviz.explorer.score_table import plain, subscripts
from tapviz.live.script import script
from tapviz.live.templates import Markup, render
from tests.refused import error_of, refuses

PACKAGE = Path(str(files("tapviz")))
BUNDLES = {path.parent.parent.name + "/" + path.name: path for path in PACKAGE.glob("*/bundles/*")}
COMPONENTS = sorted(
    name for name, path in BUNDLES.items() if "\n  render\n};" in path.read_text(encoding="utf-8")
)


def text(name):
    return BUNDLES[name].read_text(encoding="utf-8")


def test_a_script_is_the_bundle_of_its_room():
    assert script("hand.js") == text("live/hand.js")
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


def test_text_is_escaped_and_markup_is_not():
    text = render("method.html", words="<b>&", plain='"x"')
    assert "&lt;b&gt;&amp;" in text
    assert "<b>" not in text
    assert "&#34;x&#34;" in text
    assert "<sub>5</sub>" in render("method.html", words=Markup("E<sub>5</sub>"), plain="")


def test_what_is_missing_is_an_error():
    refuses("plain", render, "method.html", words="", error=UndefinedError)
    error_of(render, "nothing.html", error=TemplateNotFound)


def test_subscripts_are_set_and_names_left_alone():
    text = "E_20, pooled ROC_50 of MMseqs2_iter3 <i>, E_k"
    assert str(subscripts(text)) == (
        "E<sub>20</sub>, pooled ROC<sub>50</sub> of MMseqs2_iter3 &lt;i&gt;, E<sub>k</sub>"
    )
    assert plain(text) == "E₂₀, pooled ROC₅₀ of MMseqs2_iter3 <i>, Eₖ"
