"""Figures for papers, and tables of what they show, of the present choices."""

from __future__ import annotations

import csv
import html
import io
import re
from pathlib import Path

import holoviews as hv
import numpy as np

from tapviz.dashboard.gallery import PLOTS, alone, plot_of
from tapviz.dashboard.tabs import Tabs
from tapviz.dashboard.views import Views
from tapviz.draw.style import brief
from tapviz.explorer import BY_E_VALUE, Explorer
from tapviz.plots.figure import FORMATS, figure, write
from tapviz.plots.frame import CORNERS, Columns
from tapviz.plots.scale import values

KINDS = (*FORMATS, "csv")
"""Endings of files that a plot can be saved as."""
HINT = "hint"
"""Layer of texts that tell the hand what it can do on the page."""
UNSAID = ("readout", "view", "told", "row", HINT)
"""Layers that are not drawn: they answer the mouse, or hold the limits of the axes."""
LOW = str.maketrans("0123456789kn", "₀₁₂₃₄₅₆₇₈₉ₖₙ")


def save_figure(
    explorer: Explorer,
    plot: str,
    path: str | Path,
    *,
    width: int = 86,
    title: str | None = None,
    greyscale: bool = False,
) -> None:
    """Save a plot, as the page shows it under the present choices, for a paper.

    The picture is drawn by matplotlib, without a browser: lines and texts stay lines and texts in
    SVG and PDF; a PNG has 600 pixels per inch. The same choices make the same bytes.

    Parameters
    ----------
    explorer : Explorer
    plot : str
        "tap", "precision_recall", "epq", "roc", "average_roc", "coverage", "calibration",
        "nth_error", "scatter", "influence", "violations" or "order".
    path : str or Path
        Ends in ``.svg``, ``.pdf`` or ``.png``; or in ``.csv`` for the numbers that are drawn.
    width : int
        86 mm, one column of a journal, with letters of 7 pt; or 178 mm, two columns, with 8 pt.
    title : str, optional
        What stands above the plot. Default: the line above it on the page, which says how to read
        it; "" for nothing.
    greyscale : bool
        Show how it looks in print without colours.

    Raises
    ------
    ValueError
        If there is no such plot, ending or width, or the file cannot be written.

    Examples
    --------
    >>> explorer = Explorer(load_results(), k=5)
    >>> save_figure(explorer, "tap", "tap.pdf", width=178)
    """
    if plot not in PLOTS:
        msg = f"plot: expected one of {', '.join(PLOTS)}, found {plot!r}"
        raise ValueError(msg)
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        expected = ", ".join(f".{one}" for one in KINDS)
        msg = f"{path}: expected a name that ends in one of {expected}"
        raise ValueError(msg)
    tabs = Tabs(Views(explorer))
    if plot == "violations":
        _, search = tabs.violations_work()
        tabs.found = search(None)
    saved = saved_as(tabs, plot, kind, width=width, title=title, greyscale=greyscale)
    try:
        Path(path).write_bytes(saved)
    except OSError as error:
        msg = f"{path}: cannot be written: {error.strerror}"
        raise ValueError(msg) from error


def saved_as(
    tabs: Tabs,
    plot: str,
    kind: str,
    *,
    width: int = 86,
    title: str | None = None,
    greyscale: bool = False,
) -> bytes:
    """Content of the file of a plot; see `save_figure`.

    Parameters
    ----------
    tabs : Tabs
        The plots of the page. Violations are drawn as far as they have been looked for.
    plot, kind, width, title, greyscale
        As in `save_figure`; `kind` is the ending of the file.
    """
    columns = tabs.columns(plot)
    if HINT in columns:
        columns = columns | {HINT: {name: values[:0] for name, values in columns[HINT].items()}}
    picture = tabs.picture(plot, columns)
    if kind == "csv":
        return table(columns, picture).encode()
    drawn = figure(
        picture, width, title=head(tabs, plot) if title is None else title, greyscale=greyscale
    )
    file = io.BytesIO()
    write(drawn, file, kind)
    return file.getvalue()


def head(tabs: Tabs, plot: str) -> str:
    """The line above a plot on the page, without its markup."""
    explorer = tabs.explorer
    said = plot_of(explorer, plot).head.format(n=explorer.n, k=explorer.k)
    said = re.sub("<sub>(.*?)</sub>", lambda found: found[1].translate(LOW), said)
    at = f"E₀ = {brief(explorer.e0)}"
    if explorer.mode != BY_E_VALUE:
        at = f"E{str(explorer.k).translate(LOW)}"
    said = said.replace("the threshold", at)
    if said.endswith(" of"):
        said += f" {explorer.detail}"
    if plot == "scatter" and not alone(explorer):
        names = zip("AB", tabs.duellists, strict=False)
        said += " " + ", ".join(f"{letter} = {name}" for letter, name in names)
    return said


def table(columns: Columns, picture: hv.Overlay) -> str:
    """The layers of a plot as CSV: the values that its axes show, not places on them.

    Parameters
    ----------
    columns : Columns
    picture : hv.Overlay
        Drawn from them; its axes say what places mean.
    """
    options = hv.Store.lookup_options("bokeh", picture, "plot").kwargs
    ids, said = ("query", "total"), ("text", "color")
    names = ("x", "y", *CORNERS, *ids, *said)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    layers = {
        layer: data
        for layer, data in columns.items()
        if layer not in UNSAID and next(iter(data.values())).size
    }
    used = [name for name in names if any(name in data for data in layers.values())]
    writer.writerow(["layer", *used])
    for layer, data in layers.items():
        cells = []
        for name in used:
            if name not in data:
                cells.append([""] * next(iter(data.values())).size)
            elif name in ids:
                cells.append(data[name].tolist())
            elif name in said:
                cells.append([_plain(text) for text in data[name]])
            else:
                found = values(options.get(f"{name[0]}formatter"), data[name])
                cells.append([f"{one:.12g}" if np.isfinite(one) else "" for one in found.tolist()])
        writer.writerows([layer, *row] for row in zip(*cells, strict=True))
    return out.getvalue()


def _plain(text: str) -> str:
    """A text for the mouse without its markup."""
    return html.unescape(re.sub("<[^>]*>", "", text.replace("<br>", "; ")))
