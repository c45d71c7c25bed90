"""False discoveries by the labels against those that decoys promise."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, line, texts
from tapviz.draw.style import INK, Style, count
from tapviz.lists import RetrievalLists, derived
from tapviz.measures import FalseDiscovery, false_discovery
from tapviz.plots.columns import (
    NAME_OFFSET,
    NO_LINE,
    Columns,
    ceiling,
    each_line,
    end_names,
    joined,
    label_columns,
    name_margin,
    readout_columns,
    top_layers,
)
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, Plot

LEVELS = np.arange(1, 101) / 1000
"""q-values, 0.001 to 0.1."""
TEXT_LEVEL = 0.01
"""q-value at which the text says what is accepted."""
LAST = float(LEVELS[-1])
LONGEST_NOTICE = 80
ONLY_DECOYS = "only decoys are irrelevant here"


def columns(
    results: Mapping[str, FalseDiscovery],
    styles: Mapping[str, Style],
    *,
    ghosts: Mapping[str, FalseDiscovery] | None = None,
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    results : mapping of str to FalseDiscovery
        Of each algorithm shown.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    ghosts : mapping of str to FalseDiscovery, optional
        The same of all queries, while a subset is selected.

    Returns
    -------
    Columns
        "curve NAME" (x, y): the q-value and the share of irrelevant records among the targets
        accepted by it, from the first q-value that accepts any. "ideal" (x, y): as estimated.
        "name", "ghost" (x, y). "notice": why there is nothing to show. "readout", "view".
    """
    curves = {name: _curve(one) for name, one in results.items()}
    whole = {name: _curve(one) for name, one in (ghosts or {}).items() if name in results}
    reason = _reason(results)
    heights = [float(y.max()) for _, y in (*curves.values(), *whole.values()) if y.size]
    high = ceiling([*heights, LAST], 0.05)
    layers: Columns = {"ghost": joined({name: one for name, one in whole.items() if one[0].size})}
    for name in styles:
        x, y = curves.get(name, (NO_LINE["x"], NO_LINE["y"]))
        layers[f"curve {name}"] = {"x": x, "y": y}
    layers["ideal"] = NO_LINE if reason else {"x": np.array([0, LAST]), "y": np.array([0, LAST])}
    ends = {name: (float(x[-1]), float(y[-1])) for name, (x, y) in curves.items() if x.size}
    if not reason:
        ends["as estimated"] = (LAST, LAST)
    layers["name"] = end_names(
        {name: y for name, (_, y) in ends.items()},
        {**styles, "as estimated": Style(INK, ())},
        LAST * (1 + NAME_OFFSET),
        (0.0, high),
        {name: x for name, (x, _) in ends.items()},
    )
    layers["notice"] = label_columns(
        [LAST / 2] * bool(reason),
        [high / 2] * bool(reason),
        [reason] * bool(reason),
        [INK] * bool(reason),
        LONGEST_NOTICE,
    )
    rows = {
        name: [_accepted(one, q) for q in LEVELS.tolist()]
        for name, one in results.items()
        if not one.reason
    }
    heads = [f"q-value up to {q:g}" for q in LEVELS.tolist()] if rows else []
    layers["readout"] = readout_columns(LEVELS[: len(heads)], high / 2, heads, rows)
    layers["view"] = {
        "x": np.array([0.0, LAST * (1 + name_margin(styles))]),
        "y": np.array([0.0, high]),
    }
    return layers


def text(results: Mapping[str, FalseDiscovery]) -> str:
    """The plot in words.

    Parameters
    ----------
    results : mapping of str to FalseDiscovery
        Of each algorithm shown.
    """
    if not results:
        return "No algorithm is shown."
    reason = _reason(results)
    if reason:
        remedy = "; keep other irrelevant records beside them" if ONLY_DECOYS in reason else ""
        return f"There is no q-value to compare with labels: {reason}{remedy}."
    parts = [
        f"{name} is left out ({one.reason})"
        if one.reason
        else f"{name} accepts {_accepted(one, TEXT_LEVEL)}"
        for name, one in results.items()
    ]
    return f"At a q-value of {TEXT_LEVEL:g}, {'; '.join(parts)}."


def judged(lists: RetrievalLists) -> FalseDiscovery:
    """False discoveries of lists whose decoys are known by their ids."""
    found = false_discovery(lists, _are_decoys(lists))
    if not found.reason and lists.join_report.rules.only_decoys:
        nothing = false_discovery(lists, np.zeros(lists.whole.score.size, np.bool_))
        return nothing._replace(reason=ONLY_DECOYS)
    return found


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    layers = data.curves(
        PLOT.name, lambda: columns(data.each(judged), data.styles, ghosts=data.ghosts(judged))
    )
    view = layers["view"]
    tick = {q: f"{q:g}" for q in (0, 0.02, 0.04, 0.06, 0.08, 0.1)}
    return Picture(
        (
            line("ideal", layers["ideal"], INK),
            *each_line(layers, data.styles),
            texts("notice", layers["notice"], align="center"),
            *top_layers(layers),
        ),
        Axis("q-value of the targets, by decoys", *view["x"].tolist(), ticks=tick),
        Axis("share irrelevant", *view["y"].tolist()),
    )


PLOT = Plot(
    name="q_value",
    title="q-value",
    caption="irrelevant among accepted targets · line: as estimated",
    how_to_read=(
        "Decoys estimate which share of the targets that a threshold accepts is false; the q-value "
        "of a target is the smallest such estimate at which it is accepted. The labels tell which "
        "share is. A line above the diagonal: more is false than the decoys promise. Where the "
        "irrelevant records are entrapment, added to a database of which nobody knows what is "
        "false, the line is a lower bound."
    ),
    printed=(
        "Share of irrelevant records among the accepted targets against the q-value estimated "
        "from decoys. Diagonal: as estimated."
    ),
    depends=(*FILTER, "algorithms"),
    picture=picture,
    text=lambda data: text(data.each(judged)),
    tab="q-value",
    needs="decoys",
    whole=True,
)


@derived()
def _are_decoys(lists: RetrievalLists) -> NDArray[np.bool_]:
    """Which records are decoys, by their ids."""
    if lists.join_report is None or lists.record is None:
        return np.zeros(lists.score.size, np.bool_)
    ids = lists.record.tolist()
    decoys = lists.join_report.rules.decoys_among(dict.fromkeys(ids))
    return np.fromiter((record in decoys for record in ids), np.bool_, len(ids))


def _reason(results: Mapping[str, FalseDiscovery]) -> str:
    """Why no algorithm shown has q-values; empty if one has."""
    reasons = [one.reason for one in results.values()]
    return "; ".join(dict.fromkeys(reasons)) if reasons and all(reasons) else ""


def _curve(result: FalseDiscovery) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    at = result.accepted(LEVELS)
    some = at >= 0
    return LEVELS[some], result.observed[at[some]]


def _accepted(result: FalseDiscovery, q: float) -> str:
    """What is accepted by a q-value, and how much of it is false."""
    at = int(result.accepted(q)[0])
    if at < 0:
        return "nothing"
    share = f"{100 * result.observed[at]:.2g} % irrelevant"
    return f"{count(int(result.targets[at]), 'target')}, {share}"
