"""Every plot of the page: its names, how to read it, and which choices it shows."""

from __future__ import annotations

from typing import NamedTuple

from tapviz.explorer import FILTER, VIEWS, Explorer
from tapviz.plots import average_roc, nth_error

THRESHOLD = ("mode", "k", "e0", "quantile")


class Plot(NamedTuple):
    """What the page says of a plot, and when it draws it again."""

    title: str
    """HTML."""
    head: str
    """The line above it, as HTML with places for n and k; what ends in "of" goes on with a name."""
    shows: tuple[str, ...]
    """Choices that it shows; the others leave it alone."""
    of_detail: tuple[str, ...] = ()
    """Layers in the colour of the algorithm that is looked at closely."""


PLOTS = {
    "tap": Plot(
        "TAP against E<sub>0</sub>",
        "◆ at the threshold · ▲ peak, not a recommended threshold",
        (*FILTER, *THRESHOLD, "algorithms"),
    ),
    "precision_recall": Plot(
        "Precision and recall",
        "| E-values along the line · faint beyond ◆",
        (*FILTER, *THRESHOLD, "algorithms", "detail", "focus"),
    ),
    "epq": Plot(
        "Errors per query",
        "box: quartiles · whisker: min–max · of",
        (*FILTER, *THRESHOLD, "detail"),
        ("whisker", "box", "median", "mean"),
    ),
    "roc": Plot(
        "ROC<sub>n</sub>",
        "ROC<sub>{n}</sub>: left of the line · thick: mean of own curves · thin: pooled",
        (*FILTER, "n", "algorithms", "detail", "focus"),
    ),
    "average_roc": Plot(
        "ROC",
        "mean of queries · band ±1.96 SD of",
        (*FILTER, "algorithms", "detail"),
        average_roc.DETAIL_LAYERS,
    ),
    "coverage": Plot(
        "Coverage",
        "against mean errors per query · ◆ at the threshold",
        (*FILTER, *THRESHOLD, "algorithms"),
    ),
    "calibration": Plot(
        "Calibration",
        "observed errors per query · line: as reported",
        (*FILTER, "algorithms"),
    ),
    "nth_error": Plot(
        "k-th error",
        "where the queries have their error no. {k}, of",
        (*FILTER, *THRESHOLD, "detail"),
        nth_error.DETAIL_LAYERS,
    ),
    "scatter": Plot(
        "A against B",
        "TAP of each query:",
        (*FILTER, *THRESHOLD, "algorithms", "detail", "baseline", "focus"),
    ),
    "influence": Plot(
        "Influence",
        "change without one query, of",
        (*FILTER, "k", "quantile", "n", "detail"),
    ),
    "violations": Plot(
        "Violations",
        "pooled ROC<sub>{n}</sub> outside its parts, of",
        (*FILTER, "k", "n", "detail"),
    ),
    "order": Plot(
        "Order",
        "of the algorithms by TAP-k · lines that cross: the choice of k decides",
        (*FILTER, "k", "quantile", "algorithms"),
    ),
}
"""By name; those of `VIEWS` one at a time."""
ALWAYS = tuple(name for name in PLOTS if name not in VIEWS.values())
"""Names of the plots that are always seen."""


STRIP = PLOTS["scatter"]._replace(title="Queries", head="TAP of each query by its T(q), of")
"""A against B where the results hold one algorithm only."""


def alone(explorer: Explorer) -> bool:
    """Whether the results hold one algorithm only."""
    return len(explorer.results) == 1


def plot_of(explorer: Explorer, name: str) -> Plot:
    """A plot of the page, for these results."""
    return STRIP if name == "scatter" and alone(explorer) else PLOTS[name]


def tabs(explorer: Explorer) -> dict[str, str]:
    """Names of the plots of the fourth place by what their tabs say."""
    return {
        STRIP.title if name == "scatter" and alone(explorer) else words: name
        for words, name in VIEWS.items()
    }


def plain(title: str) -> str:
    """A title without its markup."""
    return title.replace("<sub>", "_").replace("</sub>", "")
