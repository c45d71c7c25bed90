"""The command that saves plots."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tapviz.cli.arguments import add_files, add_settings, explorer_of
from tapviz.cli.flags import REQUIRED, Command, Given, declared, flag, take
from tapviz.files.small import number


def _names(text: str) -> list[str]:
    """Names separated by commas."""
    return [name.strip() for name in text.split(",")]


def _renaming(text: str) -> tuple[str, str]:
    """An algorithm and what it is called, as in "blastp=BLASTP 2.14"."""
    name, sign, new = text.partition("=")
    if not (sign and name and new):
        raise argparse.ArgumentTypeError(f"expected NAME=NEW NAME, found {text!r}")
    return name, new


@dataclass(frozen=True, kw_only=True)
class _Saved:
    output: Path = flag(
        "file that ends in .svg, .pdf, .png or .csv; .zip: the figure in all of these, with "
        "caption, settings and Python; or a folder",
        "-o",
        "--output",
        read=Path,
        metavar="PATH",
        default=REQUIRED,
    )
    plot: list[str] | None = flag(
        "tap, epq, roc, ...; may be given again (default: all)", several=True
    )
    panels: list[str] | None = flag(
        "plots that are panels A, B, ... of one figure, such as tap,precision_recall",
        read=_names,
        metavar="PLOT,PLOT,...",
    )
    type: list[str] | None = flag(
        "files in a folder; may be given again (default: svg)",
        choices=("svg", "pdf", "png", "csv"),
        several=True,
    )
    rename: list[tuple[str, str]] | None = flag(
        "what an algorithm is called in the figure; may be given again",
        read=_renaming,
        metavar="NAME=NEW",
        several=True,
    )


@dataclass(frozen=True, kw_only=True)
class _Look:
    """Options of `save_figure`."""

    width: float = flag("in mm; 86 is one column, 178 two", read=number, default=86)
    title: str | None = flag("text above the plot (default: what it shows; '': none)")
    order: Sequence[str] = flag(
        "algorithms first to last, where plots have them one below the other",
        read=_names,
        metavar="NAME,NAME,...",
        default=(),
    )
    bands: bool = flag(
        "95 %% intervals of means over queries as bands, in TAP against E_0 and ROC_n",
        default=False,
    )
    face: str = flag("family of the letters, such as Arial", default="")
    symbols: float = flag("size of marks, as a multiple of the usual one", default=1.0)
    greyscale: bool = flag("as printed without colours", default=False)


def _figure(given: Given) -> None:
    from tapviz.explorer.paper import save, save_each  # noqa: PLC0415

    own, look = take(given, _Saved), vars(take(given, _Look))
    look["names"] = dict(own.rename or ())
    plots, panels, target = own.plot, own.panels, own.output
    explorer, opened = explorer_of(given)
    if target.suffix and not target.is_dir():
        wanted = panels or plots
        if not wanted or (plots and len([*plots, *(panels or ())]) != 1):
            raise ValueError(
                f"-o {target}: choose one plot with --plot or several with --panels, or name a "
                "folder for all of them"
            )
        save(explorer, wanted, target, opened.opening, **look)
        return
    if panels:
        raise ValueError(f"-o {target}: --panels make one figure: name a file, not a folder")
    save_each(explorer, plots, target, own.type, **look)


COMMAND = Command(
    _figure,
    "save plots for a paper",
    "Save a plot, several as panels of one figure, or all of them, as SVG, PDF or PNG.",
    (add_files, declared(_Saved), declared(_Look), add_settings),
)
