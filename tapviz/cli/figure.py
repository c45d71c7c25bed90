"""The command that saves plots."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tapviz.cli.arguments import add_files
from tapviz.cli.choices import add_choices, explorer_of
from tapviz.cli.command import Command


def _figure(given: dict[str, Any]) -> None:
    from tapviz.plots import plots_for  # noqa: PLC0415
    from tapviz.plots.save import KINDS, save_figure  # noqa: PLC0415

    look = {name: given.pop(name) for name in ("width", "title", "greyscale")}
    plots, kinds = given.pop("plot"), given.pop("type")
    target = Path(given.pop("output"))
    explorer, _ = explorer_of(given)
    if target.suffix and not target.is_dir():
        if len(plots or ()) != 1:
            msg = f"-o {target}: choose one plot with --plot, or name a folder for all of them"
            raise ValueError(msg)
        save_figure(explorer, plots[0], target, **look)
        return
    target.mkdir(parents=True, exist_ok=True)
    for plot in plots or [one.name for one in plots_for(explorer)]:
        for kind in kinds or KINDS[:1]:
            save_figure(explorer, plot, target / f"{plot}.{kind}", **look)


def _add_looks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="PATH",
        help="file that ends in .svg, .pdf, .png or .csv; or a folder",
    )
    parser.add_argument(
        "--plot", action="append", help="tap, epq, roc, ...; may be given again (default: all)"
    )
    parser.add_argument(
        "--type",
        action="append",
        choices=("svg", "pdf", "png", "csv"),
        help="files in a folder; may be given again (default: svg)",
    )
    parser.add_argument(
        "--width", type=int, choices=(86, 178), default=86, help="in mm (default: %(default)s)"
    )
    parser.add_argument("--title", help="text above the plot (default: how to read it; '': none)")
    parser.add_argument("--greyscale", action="store_true", help="as printed without colours")


COMMAND = Command(
    _figure,
    "save plots for a paper",
    "Save a plot, or all of them, as SVG, PDF or PNG, or its numbers as CSV.",
    (add_files, _add_looks, add_choices),
)
