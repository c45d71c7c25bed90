"""Modules of JavaScript as they are in the tree, for pages that need only one of them."""

from __future__ import annotations

import base64
from importlib.resources import files


def source(room: str, name: str) -> str:
    """Text of a module."""
    return files(f"tapviz.{room}").joinpath(name).read_text(encoding="utf-8")


def imported(room: str, name: str) -> str:
    """Expression of a module that imports nothing, for an asynchronous function."""
    text = base64.b64encode(source(room, name).encode()).decode()
    return f"(await import('data:text/javascript;base64,{text}'))"
