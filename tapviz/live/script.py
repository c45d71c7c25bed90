"""The JavaScript files of this package, each with what it imports."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w.]+)"$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|function) (\w+))", re.MULTILINE)


@cache
def script(name: str, package: str = "tapviz.live") -> str:
    """Text of a JavaScript file of a package, in which the modules that it imports are put.

    Panel and Bokeh run a text, and a text in the page has no place from which to import another.
    """
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return IMPORT.sub(lambda found: f"const {found[1]} = {expression(found[2], package)}", text)


def expression(name: str, package: str = "tapviz.live") -> str:
    """JavaScript expression whose value is an object of all that a module exports."""
    text = script(name, package)
    names = ", ".join(found[1] for found in EXPORT.finditer(text))
    return f"(() => {{\n{EXPORT.sub('', text)}\nreturn {{ {names} }}\n}})()"
