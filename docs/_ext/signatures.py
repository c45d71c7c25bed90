"""Parameters of a signature as a list: Sphinx makes definitions without terms of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAREN = r'<span class="sig-paren">'
PARAMETERS = re.compile(rf"({PAREN}[(\[]</span>\s*)<dl>(.*?)</dl>(?=\s*{PAREN})", re.DOTALL)


def listed(body: str) -> str:
    """HTML of a page with such lists."""

    def as_list(found: re.Match[str]) -> str:
        items = found[2].replace("<dd>", "<li>").replace("</dd>", "</li>")
        return f'{found[1]}<ul class="parameters">{items}</ul>'

    return PARAMETERS.sub(as_list, body)


def _change(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    if "body" in context:
        context["body"] = listed(context["body"])


def setup(app: Sphinx) -> dict[str, Any]:
    """Change each page before it is written."""
    app.connect("html-page-context", _change)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
