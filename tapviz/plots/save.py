"""Figures for papers, and tables of what they show, under the present choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from tapviz.draw.matplotlib import FORMATS, Figure, Panel, as_bytes, figure
from tapviz.draw.picture import Picture
from tapviz.draw.table import to_csv
from tapviz.lists import RetrievalLists, write_atomically
from tapviz.measures import OnProgress
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.plots.columns import bands_in_words
from tapviz.plots.plot import Plot
from tapviz.scores import Compared
from tapviz.state import SETTINGS, Choices

KINDS = (*FORMATS, "csv")
"""Endings of files that a plot can be saved as."""


def save_figure(
    explorer: Choices,
    plot: str | Sequence[str],
    path: str | Path,
    *,
    width: float = 86,
    title: str | None = None,
    names: Mapping[str, str] | None = None,
    order: Sequence[str] = (),
    bands: bool = False,
    greyscale: bool = False,
    face: str = "",
    symbols: float = 1.0,
) -> None:
    """Save a plot, or several as one figure, as the page shows them, for a paper.

    The figure is drawn by matplotlib, without a browser: lines and texts stay lines and texts in
    SVG and PDF; a PNG has 600 pixels per inch. The same choices make the same bytes.

    Parameters
    ----------
    explorer : Choices
    plot : str or sequence of str
        Name of a plot in `tapviz.plots.PLOTS` that can be shown for these results; several are
        panels A, B, C, ..., two side by side from 140 mm on.
    path : str or Path
        Ends in ``.svg``, ``.pdf`` or ``.png``; or in ``.csv`` for the numbers that one plot draws.
    width : float
        From 50 to 400 mm: 86 is one column of a journal, 178 two. Letters have 7 pt, and 8 pt where
        one panel has the width of two columns.
    title : str, optional
        What stands above the plot. Default: what each panel shows; "" for nothing.
    names : mapping of str to str, optional
        What algorithms are called in the figure, by their names.
    order : sequence of str
        Algorithms by their own names, first to last, as plots have them one below the other or
        side by side; those left out follow as they were.
    bands : bool
        Show 95 % intervals of means over queries as bands, in the plots that have them: TAP against
        E_0, and the means per query of ROC_n. Queries are grouped as the choice `groups` says.
    greyscale : bool
        Show how it looks in print without colours.
    face : str
        Family of the letters, such as "Arial", if it is installed.
    symbols : float
        Size of marks, as a multiple of the usual one.

    Raises
    ------
    ValueError
        If there is no such plot, ending, width, algorithm or face, no plot that has bands, or the
        file cannot be written.

    Examples
    --------
    >>> from tapviz import Explorer, load_results, save_figure
    >>> explorer = Explorer(load_results(), k=5)
    >>> save_figure(explorer, "tap", "tap.pdf", width=178)
    >>> save_figure(explorer, ["tap", "precision_recall"], "figure.svg", width=178)
    """
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise ValueError(f"{path}: expected a name that ends in one of .{', .'.join(KINDS)}")
    look = {"width": width, "greyscale": greyscale, "face": face, "symbols": symbols}
    drawn = Drawn(explorer, plot, title=title, names=names, order=order, bands=bands, **look)
    if kind == "csv" and len(drawn.plots) > 1:
        said = "the numbers of one plot make a CSV; save those of others beside it"
        raise ValueError(f"{path}: {said}")
    write_atomically(path, drawn.file(kind))


class Drawn:
    """Plots under the choices of the moment, complete, as panels of a figure.

    Parameters
    ----------
    explorer : Choices
    plots : str or sequence of str
    title, names, order, bands
        As in `save_figure`.
    **look
        Its other options: how the figure looks.

    Attributes
    ----------
    data : PlotData
        With the names of the figure.
    plots : list of Plot

    Examples
    --------
    >>> from tapviz import Explorer, load_results
    >>> from tapviz.plots.save import Drawn
    >>> drawn = Drawn(Explorer(load_results(), k=5), ["tap", "epq"])
    >>> drawn.caption[:51]
    '(A) TAP against E₀. Mean TAP of the queries at ever'
    """

    def __init__(
        self,
        explorer: Choices,
        plots: str | Sequence[str],
        *,
        title: str | None = None,
        names: Mapping[str, str] | None = None,
        order: Sequence[str] = (),
        bands: bool = False,
        **look: Any,
    ) -> None:
        wanted = [plots] if isinstance(plots, str) else plots
        self.plots = [find_plot(explorer, name) for name in wanted]
        if bands and not any(plot.bands for plot in self.plots):
            known = " and ".join(one.plain_title for one in PLOTS.values() if one.bands)
            raise ValueError(f"bands: no panel has them; {known} do")
        self._bands = bands
        if title and len(self.plots) > 1:
            raise ValueError("title: several panels have titles of their own, or none")
        self._title, self._look = title, look
        self.data = complete(renamed(explorer, names or {}, order), *self.plots)

    def figure(self) -> Figure:
        """All panels as one figure."""
        given, own = self._title, [plot.title_of(self.data) for plot in self.plots]
        titles = own if given is None else [given] * len(own)
        panels = [*map(Panel, map(self._picture, self.plots), titles)]
        return figure(panels, **self._look)

    def file(self, kind: str) -> bytes:
        """Content of a file of a kind: the figure, or as CSV the numbers of the first panel."""
        return self.csv(self.plots[0]) if kind == "csv" else as_bytes(self.figure(), kind)

    def csv(self, plot: Plot) -> bytes:
        """The numbers that a plot draws."""
        return to_csv(self._picture(plot)).encode()

    def _picture(self, plot: Plot) -> Picture:
        picture = plot.picture(self.data)
        bands = plot.bands(self.data) if self._bands and plot.bands else ()
        return replace(picture, layers=(*bands, *picture.layers))

    @property
    def caption(self) -> str:
        """What stands below the figure in a paper: what each panel shows, and its symbols."""
        several = len(self.plots) > 1
        return " ".join(
            (f"({letter}) " if several else "")
            + f"{plot.title_of(self.data)}. {plot.printed_caption(self.data)}"
            + (f" {bands_in_words(self.data)}" if self._bands and plot.bands else "")
            for letter, plot in zip(ascii_uppercase, self.plots, strict=False)
        )


def renamed(explorer: Choices, names: Mapping[str, str], order: Sequence[str] = ()) -> Choices:
    """The same choices with other names of algorithms, or in another order.

    Raises
    ------
    ValueError
        If there is no such algorithm, or two would have one name.
    """
    if not names and not order:
        return explorer
    results = explorer.results
    for option, given in (("names", names), ("order", order)):
        if unknown := [name for name in given if name not in results]:
            among = f"{option}: expected algorithms among {', '.join(results)}"
            raise ValueError(f"{among}, found {unknown[0]!r}")
    results = {name: results[name] for name in (*order, *results)}
    new = {name: names.get(name) or name for name in results}
    if len(set(new.values())) < len(new):
        raise ValueError("names: two algorithms would have one name")
    chosen = {name: getattr(explorer, name) for name in SETTINGS}
    for choice in ("focus_algorithm", "baseline", "opponent"):
        chosen[choice] = new.get(chosen[choice], "")
    chosen["reported_to"] = {new[name]: at for name, at in chosen["reported_to"].items()}
    chosen["boxes"] = tuple(box._replace(a=new[box.a], b=new[box.b]) for box in chosen["boxes"])
    chosen["ranges"] = tuple(
        one._replace(algorithm=new[one.algorithm], other=new.get(one.other, one.other))
        for one in chosen["ranges"]
    )
    chosen["algorithms"] = [new[name] for name in results if name in explorer.algorithms]
    shown = [new[name] for name in explorer.style_order]

    def called(judge: Callable[[], Mapping[str, RetrievalLists]]) -> dict[str, RetrievalLists]:
        judged = judge()
        return {new[name]: judged[name] for name in results}

    judging = {name: partial(called, judge) for name, judge in explorer.judging.items()}
    return type(explorer)(called(lambda: results), shown, judging=judging, **chosen)


def find_plot(explorer: Choices, name: str) -> Plot:
    """Plot of a name.

    Raises
    ------
    ValueError
        If there is none that can be shown for these results.
    """
    if name not in PLOTS:
        known = ", ".join(plot.name for plot in plots_for(explorer))
        raise ValueError(f"plot: expected one of {known}, found {name!r}")
    if missing := PLOTS[name].missing(explorer):
        raise ValueError(f"plot {name!r} needs {missing}")
    return PLOTS[name]


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


def file_content(data: PlotData, plot: Plot, kind: str, *, width: float = 86) -> bytes:
    """Content of the file of one plot; what is slow is drawn as far as it has been computed."""
    picture = plot.picture(data)
    if kind == "csv":
        return to_csv(picture).encode()
    return as_bytes(figure([Panel(picture, plot.title_of(data))], width), kind)
