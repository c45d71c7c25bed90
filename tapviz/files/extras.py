"""What an installation may lack, and the command that brings it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

EXTRAS = {
    "stats": {"scipy"},
    "app": {"bokeh", "holoviews", "jinja2", "markdown_it", "matplotlib", "pandas", "panel"},
    "big": {"aiohttp", "distributed", "fsspec"},
}
"""Extras of pyproject.toml that are loaded late, and the packages of each as they are imported."""


def not_installed(error: ModuleNotFoundError) -> str:
    """Say which package is missing, and what to install.

    Examples
    --------
    >>> from tapviz.files.extras import not_installed
    >>> not_installed(ModuleNotFoundError(name="panel.custom"))
    "panel is not installed: pip install 'tapviz[app]'"
    >>> not_installed(ModuleNotFoundError(name="scipy"))
    "scipy is not installed: pip install 'tapviz[stats]'"
    """
    package = str(error.name).partition(".")[0]
    return f"{package} is not installed: {install(package)}"


def install(package: str) -> str:
    """The command that brings a package: with the extra to which it belongs, or alone."""
    extra = next((f"'tapviz[{one}]'" for one, has in EXTRAS.items() if package in has), package)
    return f"pip install {extra}"


@contextmanager
def told() -> Iterator[None]:
    """Say of a package that is missing within what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(not_installed(error), name=error.name) from None
