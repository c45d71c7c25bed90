"""Plots, a module each: numbers become columns, columns become a picture."""

from __future__ import annotations

from importlib import import_module

from tapviz.plots.plot import Plot, PlotData
from tapviz.state import Choices

MODULES = (
    "tap epq precision_recall "
    "differences threshold pooled scatter regressions strip roc coverage calibration q_value "
    "nth_error sensitivity average_roc order cost versions "
    "distribution score_pair"
)
"""Modules with a plot each, in the order of the page: of those always seen, of tabs, of scores."""

PLOTS: dict[str, Plot] = {
    plot.name: plot
    for plot in (import_module(f"{__name__}.{module}").PLOT for module in MODULES.split())
}
"""Every plot by its name: page, print, tables, report, command line, documentation and tests
iterate over them."""


def plots_for(explorer: Choices) -> list[Plot]:
    """Plots that can be shown for the results at hand.

    Examples
    --------
    >>> from tapviz import Explorer, load_results
    >>> from tapviz.plots import plots_for
    >>> [plot.name for plot in plots_for(Explorer(load_results()))][:3]
    ['tap', 'epq', 'precision_recall']
    """
    return [plot for plot in PLOTS.values() if not plot.missing(explorer)]


FORMER = {"influence": "pooled", "violations": "pooled", "difference_matrix": "differences"}
"""Plots that links of former versions name, and those that answer their questions now."""

__all__ = ["FORMER", "PLOTS", "Plot", "PlotData", "plots_for"]
