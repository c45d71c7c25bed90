"""The command that saves plots."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tapviz.cli.arguments import add_files
from tapviz.cli.choices import add_choices, explorer_of
from tapviz.cli.command import Command
from tapviz.lists.writing import write_atomically

LOOK = ("width", "title", "greyscale", "face", "symbols", "order", "bands")
"""Options that `save_figure` has under the same name."""


def _figure(given: dict[str, Any]) -> None:
    from tapviz.plots import plots_for  # noqa: PLC0415
    from tapviz.plots.save import KINDS, save_figure  # noqa: PLC0415

    look = {name: given.pop(name) for name in LOOK}
    look["names"] = dict(given.pop("rename") or ())
    plots, panels, kinds = given.pop("plot"), given.pop("panels"), given.pop("type")
    target = Path(given.pop("output"))
    explorer, opened = explorer_of(given)
    if target.suffix and not target.is_dir():
        wanted = panels or plots
        if not wanted or (plots and len([*plots, *(panels or ())]) != 1):
            msg = (
                f"-o {target}: choose one plot with --plot or several with --panels, or name a "
                "folder for all of them"
            )
            raise ValueError(msg)
        if target.suffix.lower() == ".zip":
            from tapviz.explorer.paper import figure_zip  # noqa: PLC0415

            write_atomically(target, figure_zip(explorer, wanted, opened.opening, **look))
        else:
            save_figure(explorer, wanted, target, **look)
        return
    if panels:
        msg = f"-o {target}: --panels make one figure: name a file, not a folder"
        raise ValueError(msg)
    target.mkdir(parents=True, exist_ok=True)
    for plot in plots or [one.name for one in plots_for(explorer)]:
        for kind in kinds or KINDS[:1]:
            save_figure(explorer, plot, target / f"{plot}.{kind}", **look)


def _names(text: str) -> list[str]:
    """Names separated by commas."""
    return [name.strip() for name in text.split(",")]


def _renaming(text: str) -> tuple[str, str]:
    """An algorithm and what it is called, as in "blastp=BLASTP 2.14"."""
    name, sign, new = text.partition("=")
    if not (sign and name and new):
        msg = f"expected NAME=NEW NAME, found {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return name, new


def _add_looks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="PATH",
        help="file that ends in .svg, .pdf, .png or .csv; .zip: the figure in all of these, with "
        "caption, settings and Python; or a folder",
    )
    parser.add_argument(
        "--plot", action="append", help="tap, epq, roc, ...; may be given again (default: all)"
    )
    parser.add_argument(
        "--panels",
        type=_names,
        metavar="PLOT,PLOT,...",
        help="plots that are panels A, B, ... of one figure, such as tap,precision_recall",
    )
    parser.add_argument(
        "--type",
        action="append",
        choices=("svg", "pdf", "png", "csv"),
        help="files in a folder; may be given again (default: svg)",
    )
    parser.add_argument(
        "--width",
        type=float,
        default=86,
        help="in mm; 86 is one column, 178 two (default: %(default)s)",
    )
    parser.add_argument("--title", help="text above the plot (default: what it shows; '': none)")
    parser.add_argument(
        "--rename",
        action="append",
        type=_renaming,
        metavar="NAME=NEW",
        help="what an algorithm is called in the figure; may be given again",
    )
    parser.add_argument(
        "--order",
        type=_names,
        default=(),
        metavar="NAME,NAME,...",
        help="algorithms first to last, where plots have them one below the other",
    )
    parser.add_argument(
        "--bands",
        action="store_true",
        help="95 %% intervals of means over queries as bands, in TAP against E_0 and ROC_n",
    )
    parser.add_argument("--face", default="", help="family of the letters, such as Arial")
    parser.add_argument(
        "--symbols", type=float, default=1.0, help="size of marks, as a multiple of the usual one"
    )
    parser.add_argument("--greyscale", action="store_true", help="as printed without colours")


COMMAND = Command(
    _figure,
    "save plots for a paper",
    "Save a plot, several as panels of one figure, or all of them, as SVG, PDF or PNG.",
    (add_files, _add_looks, add_choices),
)
