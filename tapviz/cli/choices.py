"""Settings of the explorer that have a flag, for figures and reports."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tapviz.cli.arguments import add_settings, inputs_of, open_once
from tapviz.readers.datasets import dataset_info
from tapviz.readers.inputs import Opened, bundled
from tapviz.state.settings import BY_E_VALUE, BY_ERRORS, SETTINGS

if TYPE_CHECKING:
    from tapviz.explorer import Explorer


def explorer_of(given: dict[str, Any]) -> tuple[Explorer, Opened]:
    """The explorer with the choices of the command line, and what it shows."""
    from tapviz.explorer import Explorer  # noqa: PLC0415

    choices = {name: given.pop(name) for name, one in SETTINGS.items() if one.flag}
    shown = choices.pop("algorithms")
    files, options = inputs_of(given)
    if len(options.standard) > 1:
        msg = "--standard: give one here; tapviz score takes several"
        raise ValueError(msg)
    own = open_once(files, options)
    opened = own or bundled()
    results = opened.results
    if unknown := [name for name in shown or () if name not in results]:
        msg = f"--algorithm {unknown[0]}: expected one of {', '.join(results)}"
        raise ValueError(msg)
    if not shown:
        shown = list(results if own else dataset_info().shown)
    chosen = {name: value for name, value in choices.items() if value is not None}
    mode = BY_E_VALUE if "e0" in chosen else BY_ERRORS
    return Explorer(results, shown, judging=opened.judging, mode=mode, **chosen), opened


def add_choices(parser: argparse.ArgumentParser) -> None:
    """The choices."""
    add_settings(parser, SETTINGS)
