"""Figures for papers, and tables of what they show, under the present choices."""

from __future__ import annotations

import io
from pathlib import Path

from tapviz.choices import Choices
from tapviz.draw.matplotlib import FORMATS, figure, write
from tapviz.draw.table import to_csv
from tapviz.files.writing import write_atomically
from tapviz.measures import OnProgress
from tapviz.plots import PlotData, plots_for
from tapviz.plots.plot import Plot
from tapviz.scores import Compared

KINDS = (*FORMATS, "csv")
"""Endings of files that a plot can be saved as."""


def save_figure(
    explorer: Choices,
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
    explorer : Choices
    plot : str
        Name of a plot in `tapviz.plots.PLOTS` that can be shown for these results.
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
    >>> from tapviz import Explorer, load_results, save_figure
    >>> explorer = Explorer(load_results(), k=5)
    >>> save_figure(explorer, "tap", "tap.pdf", width=178)
    """
    shown = find_plot(explorer, plot)
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        expected = ", ".join(f".{one}" for one in KINDS)
        msg = f"{path}: expected a name that ends in one of {expected}"
        raise ValueError(msg)
    data = complete(explorer, shown)
    saved = file_content(data, shown, kind, width=width, title=title, greyscale=greyscale)
    write_atomically(path, saved)


def find_plot(explorer: Choices, name: str) -> Plot:
    """Plot of a name.

    Raises
    ------
    ValueError
        If there is none that can be shown for these results.
    """
    plots = {plot.name: plot for plot in plots_for(explorer)}
    if name not in plots:
        msg = f"plot: expected one of {', '.join(plots)}, found {name!r}"
        raise ValueError(msg)
    return plots[name]


def complete(
    explorer: Choices,
    *plots: Plot,
    compared: Compared | None = None,
    progress: OnProgress | None = None,
) -> PlotData:
    """What plots are made of, with what takes seconds for them.

    Parameters
    ----------
    explorer : Choices
    *plots : Plot
    compared : Compared, optional
        Intervals and differences, if they are there already.
    progress : callable, optional
        Called with the work done for a plot and its total; False stops it.
    """
    data = PlotData(explorer)
    data.compared = compared
    for plot in plots:
        if plot.slow is not None:
            _, work = plot.slow(data)
            data.slow[plot.name] = work(progress)
    some = explorer.compared_names and explorer.selection.n_queries
    if some and compared is None and any(plot.compares for plot in plots):
        data.compared = explorer.compared()
    return data


def file_content(
    data: PlotData,
    plot: Plot,
    kind: str,
    *,
    width: int = 86,
    title: str | None = None,
    greyscale: bool = False,
) -> bytes:
    """Content of the file of a plot; see `save_figure`.

    Parameters
    ----------
    data : PlotData
        What is slow is drawn as far as it has been computed.
    plot : Plot
    kind, width, title, greyscale
        As in `save_figure`; `kind` is the ending of the file.
    """
    picture = plot.picture(data)
    if kind == "csv":
        return to_csv(picture).encode()
    above = plot.caption_of(data) if title is None else title
    file = io.BytesIO()
    write(figure(picture, width, title=above, greyscale=greyscale), file, kind)
    return file.getvalue()
