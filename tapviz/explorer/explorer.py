"""The choices of a person, the scores under them, and the plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tapviz.files.extras import told
from tapviz.lists.cells import table
from tapviz.lists.words import count
from tapviz.scores import columns as columns_of
from tapviz.state import Choices

if TYPE_CHECKING:
    from holoviews import Overlay
    from matplotlib.figure import Figure


class Explorer(Choices):
    """Retrieval results of several algorithms, and the choices under which they are judged.

    Everything but the choices is derived from them, once per change however many views look.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Lists of each algorithm, for the same database. Queries that some algorithm lacks
        become empty lists of it.
    shown : sequence of str, optional
        Algorithms to begin with. Default: the first five.
    judging : mapping of str to callable, optional
        By names of standards of relevance, what returns the same results judged by them: the plot
        of sensitivity has a panel for each.
    class_of_record : callable, optional
        Class of a record of the database, by its id, which ranked lists show; empty where it is
        not known. Default: that of the query of that id.
    **params
        Choices to begin with.

    Raises
    ------
    ValueError
        If there is no algorithm or no query, or the algorithms disagree on T(q) or on the
        direction of scores.

    Examples
    --------
    >>> from tapviz import Explorer, load_results
    >>> explorer = Explorer(load_results())
    >>> explorer.k = 5
    >>> explorer.scores["tap"].round(3).loc["BLASTP"]
    np.float64(0.367)
    """

    def _repr_html_(self) -> str:
        shown = columns_of([self.rule], self.n, self.scores_shown)
        columns = [one for one in shown if one.score.in_tables]
        scores = [one.score for one in columns]
        rows = [[name, *map(self.case(name).value, scores)] for name in self.shown]
        caption = f"Explorer: {len(rows)} of {count(len(self.results), 'algorithm')}, "
        caption += f"{self.selection.n_queries:,} of {count(self.first.n_queries, 'query')}"
        return table(caption, rows, ["", *(one.title for one in columns)])

    def plot(self, name: str) -> Overlay:
        """A plot under the present choices, for a notebook.

        Parameters
        ----------
        name : str
            Name of a plot in `tapviz.plots.PLOTS` that can be shown for these results.

        Returns
        -------
        holoviews.Overlay
            It composes by ``*`` and ``+`` with plots of your own, and takes ``.opts(...)``. Later
            choices do not change it.

        Raises
        ------
        ValueError
            If there is no such plot.

        Examples
        --------
        >>> from tapviz import Explorer, load_results
        >>> explorer = Explorer(load_results(), k=5)
        >>> overlay = explorer.plot("tap").opts(title="TAP-5", width=700)
        """
        # Loaded by whoever wants a picture.
        with told():
            from tapviz.draw.holoviews import overlay, show_in_cells  # noqa: PLC0415
            from tapviz.plots.save import complete, find_plot  # noqa: PLC0415

        plot = find_plot(self, name)
        show_in_cells()
        return overlay(plot.picture(complete(self, plot)))

    def figure(
        self,
        panels: str | Sequence[str],
        *,
        width: float = 178,
        title: str | None = None,
        names: Mapping[str, str] | None = None,
        order: Sequence[str] = (),
        bands: bool = False,
        greyscale: bool = False,
        face: str = "",
        symbols: float = 1.0,
    ) -> Figure:
        """Plots under the present choices as one figure for print, with panels A, B, C, ...

        Parameters
        ----------
        panels : str or sequence of str
            Names of plots in `tapviz.plots.PLOTS`.
        width, title, names, order, bands, greyscale, face, symbols
            As in `save_figure`, which writes the same figure into a file.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ValueError
            If there is no such plot, width, algorithm or face.

        Examples
        --------
        >>> from tapviz import Explorer, load_results
        >>> explorer = Explorer(load_results(), k=5)
        >>> drawn = explorer.figure(["tap", "precision_recall"], names={"BLASTP": "blastp 2.14"})
        """
        # Loaded by whoever wants a figure.
        with told():
            from tapviz.plots.save import Drawn  # noqa: PLC0415

        look = {"width": width, "greyscale": greyscale, "face": face, "symbols": symbols}
        drawn = Drawn(self, panels, title=title, names=names, order=order, bands=bands, **look)
        return drawn.figure()


def plot_names() -> list[str]:
    """Names of all plots, each of which needs what some results have."""
    with told():
        from tapviz.plots import PLOTS  # noqa: PLC0415  # which takes a while to import

    return [*PLOTS]
