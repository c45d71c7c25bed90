"""Queries sorted by the sensitivity up to the n-th error, against their share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tapviz.choices import Range
from tapviz.draw.picture import Axis, Picture, segments, texts
from tapviz.draw.style import INK, Style, count, number
from tapviz.measures import PerQuery, sensitivity_to_error
from tapviz.plots.columns import (
    NAME_MARGIN,
    NAME_OFFSET,
    NO_LINE,
    Columns,
    each_line,
    joined,
    label_columns,
    readout_columns,
    top_layers,
)
from tapviz.plots.data import PlotData
from tapviz.plots.names import NAME_GAP
from tapviz.plots.plot import FILTER, Plot

TOP = 1.02
SHARES = np.arange(1, 21) / 20
"""Shares of the queries at which the read-out tells the sensitivity."""
STEP = 1.12
"""From one panel to the next, in widths of a panel."""
NO_LINE_THERE = "There is no line in the box. The selection is unchanged."
TOLERANCE = 1e-12
"""Shares are sums of weights."""


class Judged(Protocol):
    """A score of each query, and its mean."""

    @property
    def value(self) -> float: ...  # noqa: D102
    @property
    def per_query(self) -> NDArray[np.float64]: ...  # noqa: D102


def columns(
    results: Mapping[str, Judged],
    weights: NDArray[np.float64],
    styles: Mapping[str, Style],
    *,
    ghosts: tuple[Mapping[str, PerQuery], NDArray[np.float64]] | None = None,
    limits: tuple[float, float] = (0.0, TOP),
) -> Columns:
    """Layers of the plot.

    Parameters
    ----------
    results : mapping of str to PerQuery
        Sensitivity, or another score, of each query, of each algorithm shown.
    weights : ndarray of float, shape (Q,)
        Of the queries.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    ghosts : mapping of str to PerQuery and their weights, optional
        The same of all queries, while a subset is selected.
    limits : (float, float)
        Ends of the axis.

    Returns
    -------
    Columns
        "curve NAME" (x, y): a share y of the relevant records is found in a share x of the queries
        at least; the area below is the mean. "name": in the order of the means. "ghost",
        "readout", "view".
    """
    layers: Columns = {}
    curves = {name: _sorted(one, weights) for name, one in results.items()}
    curves = {name: one for name, one in curves.items() if one[0].size}
    for name in styles:
        x, y = curves.get(name, (NO_LINE["x"], NO_LINE["y"]))
        layers[f"curve {name}"] = {"x": x, "y": y}
    behind = {name: _sorted(one, ghosts[1]) for name, one in ghosts[0].items()} if ghosts else {}
    layers["ghost"] = joined(behind)
    ordered = sorted(curves, key=lambda name: -results[name].value)
    low, high = limits
    gap = (high - low) / TOP
    heights = high - 0.05 * gap - NAME_GAP * TOP * gap * np.arange(len(ordered))
    layers["name"] = label_columns(
        [1 + NAME_OFFSET] * len(ordered),
        heights.tolist(),
        ordered,
        [styles[name].color for name in ordered],
    )
    rows = {
        name: [f"at least {_at(curve, share):.3f}" for share in SHARES.tolist()]
        for name, curve in curves.items()
    }
    heads = [f"the best {share:.0%} of the queries" for share in SHARES.tolist()]
    layers["readout"] = readout_columns(SHARES, (low + high) / 2, heads, rows)
    layers["view"] = {"x": np.array([0.0, 1 + NAME_MARGIN]), "y": np.array([low, high])}
    return layers


def brushed(
    results: Mapping[str, Judged],
    weights: NDArray[np.float64],
    box: tuple[float, float, float, float],
) -> tuple[str, float, float] | None:
    """The scores of the queries that a box holds of a line.

    Parameters
    ----------
    results, weights
        As in `columns`.
    box : (float, float, float, float)
        Its left, right, lower and upper end. Of several lines the one nearest to its middle counts.

    Returns
    -------
    (str, float, float) or None
        The algorithm, and the lowest and the highest score; None if there is no line in the box.
    """
    left, right, bottom, top = box
    middle, height = (left + right) / 2, (bottom + top) / 2
    found = {}
    for name, result in results.items():
        curve = _sorted(result, weights)
        starts, ends, score = curve[0][::2], curve[0][1::2], curve[1][::2]
        inside = (ends > left) & (starts < right) & (bottom <= score) & (score <= top)
        if inside.any():
            away = abs(_at(curve, middle) - height)
            found[name] = (away, float(score[inside].min()), float(score[inside].max()))
    if not found:
        return None
    name = min(found, key=lambda one: found[one][0])
    return name, *found[name][1:]


def panels(parts: Mapping[str, Columns]) -> Columns:
    """Layers of several pictures side by side, as layers of one.

    Parameters
    ----------
    parts : mapping of str to Columns
        What `columns` returns, by the titles of the panels.

    Returns
    -------
    Columns
        The same layers, the first panel from x = 0 to 1, the next from `STEP` on; names stand right
        of the last. "panel" (x, y, text, color): the titles. "edge" (x0, y0, x1, y1): left of each
        but the first.
    """
    at = {title: STEP * place for place, title in enumerate(parts)}
    layers = {}
    for name, first in next(iter(parts.values())).items():
        moved = [
            {key: old + at[title] if key == "x" else old for key, old in part[name].items()}
            for title, part in parts.items()
        ]
        if name == "name":
            layers[name] = moved[-1]
        elif name == "view":
            end = STEP * (len(at) - 1) + 1 + len(at) * NAME_MARGIN
            layers[name] = {"x": np.array([0.0, end]), "y": first["y"]}
        elif first.keys() == {"x", "y"}:
            layers[name] = joined({str(i): (one["x"], one["y"]) for i, one in enumerate(moved)})
        else:
            layers[name] = {key: np.concatenate([one[key] for one in moved]) for key in first}
    low, high = layers["view"]["y"].tolist()
    places = [*at.values()]
    layers["panel"] = label_columns(
        [place + 0.98 for place in places],
        [high - 0.06 * (high - low)] * len(at),
        [*at],
        [INK] * len(at),
    )
    edges = np.array(places[1:])
    layers["edge"] = {
        "x0": edges,
        "y0": np.full(edges.size, low),
        "x1": edges,
        "y1": np.full(edges.size, high),
    }
    return layers


def text(results: Mapping[str, PerQuery], n: int) -> str:
    """The plot in words: the area below a curve is the mean."""
    if not results:
        return "No algorithm is shown."
    first = next(iter(results.values()))
    if first.reason:
        return f"There is no sensitivity: {first.reason}."
    parts = [
        f"{name} {number(one.value)} ({np.mean(_defined(one) == 0):.0%} of queries find nothing)"
        for name, one in results.items()
    ]
    return (
        f"Mean sensitivity up to error no. {n}: {'; '.join(parts)}. Over "
        f"{count(first.n_queries, 'query')} with relevant records."
    )


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    levels = by_level(data)
    if levels:
        parts = {
            level: columns(found, weights, data.styles)
            for level, (found, weights) in levels.items()
        }
        layers = panels(parts)
    else:
        whole = data.explorer.all_lists
        ghosts = data.ghosts(sensitivity_to_error, n=data.explorer.n)
        layers = columns(
            data.each(sensitivity_to_error, n=data.explorer.n),
            data.lists.weight,
            data.styles,
            ghosts=None if ghosts is None else (ghosts, next(iter(whole.values())).weight),
        )
    limits = layers["view"]
    marks = (0, 0.5, 1) if levels else (0, 0.2, 0.4, 0.6, 0.8, 1.0)
    titles = []
    if levels:
        titles.append(segments("edge", layers["edge"], INK, width=0.8))
        titles.append(texts("panel", layers["panel"], align="right", font="bold"))
    return Picture(
        (
            *each_line(layers, data.styles),
            *titles,
            *top_layers(layers),
        ),
        Axis(
            "share of the queries, best first",
            *limits["x"].tolist(),
            ticks={
                STEP * place + share: f"{share:g}"
                for place in range(len(levels) or 1)
                for share in marks
            },
        ),
        Axis("found before error n", *limits["y"].tolist()),
        drag="box_select",
    )


def select(data: PlotData, left: float, right: float, bottom: float, top: float) -> str:
    """Keep the queries of a line that are in a box drawn; returns why not, or nothing."""
    n, levels = data.explorer.n, by_level(data)
    standard, start = "", 0.0
    if levels:  # the panel below the middle of the box
        place = min(max(int((left + right) / 2 / STEP), 0), len(levels) - 1)
        standard, start = [*levels][place], STEP * place
        results, weights = levels[standard]
    else:
        results, weights = data.each(sensitivity_to_error, n=n), data.lists.weight
    found = brushed(results, weights, (left - start, right - start, bottom, top))
    if found is None:
        return NO_LINE_THERE
    name, low, high = found
    return data.explorer.keep(Range("found", name, float(n), low, high, standard))


def by_level(
    data: PlotData,
) -> dict[str, tuple[dict[str, PerQuery], NDArray[np.float64]]]:
    """Sensitivities of the algorithms shown, and weights of the queries, by each standard.

    Empty where the results can be judged by one alone.
    """
    explorer, n = data.explorer, data.explorer.n

    def found(level: str, name: str) -> PerQuery:
        lists = explorer.judged(level)[name]
        return explorer.once(
            ("sensitivity", level, name), (lists, n), lambda: sensitivity_to_error(lists, n=n)
        )

    return {
        level: (
            {name: found(level, name) for name in explorer.shown},
            next(iter(explorer.judged(level).values())).weight,
        )
        for level in explorer.judging
    }


def _in_words(data: PlotData) -> str:
    n = data.explorer.n
    levels = by_level(data)
    if not levels:
        return text(data.each(sensitivity_to_error, n=n), n)
    return " ".join(
        f"{level.capitalize()}: {text(found, n)}" for level, (found, _) in levels.items()
    )


PLOT = Plot(
    name="sensitivity",
    title="Sensitivity to error n",
    caption="Relevant records before error no. {n}, queries sorted by it · area: the mean",
    how_to_read=(
        "Each query's share of relevant records that come before its n-th error, sorted from the "
        "best query to the worst. The area below a curve is the mean. With n = 1 it is the usual "
        "figure of Foldseek and MMseqs2. A box drawn over a line makes its queries the subset. "
        "Files that classes judge have a panel each for family, superfamily and fold."
    ),
    printed=(
        "Share of the relevant records retrieved before error no. {n}, queries sorted by it. "
        "The area below a curve is the mean."
    ),
    depends=(*FILTER, "n", "algorithms"),
    picture=picture,
    text=_in_words,
    tab="Sensitivity",
    select=select,
)


def _defined(result: PerQuery) -> NDArray[np.float64]:
    return result.per_query[~np.isnan(result.per_query)]


def _sorted(
    result: Judged, weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Steps of the sorted sensitivities against the share of the queries: corners only."""
    known = ~np.isnan(result.per_query)
    if not known.any():
        return NO_LINE["x"], NO_LINE["y"]
    order = np.argsort(-result.per_query[known], kind="stable")
    height = result.per_query[known][order]
    share = np.cumsum(weights[known][order])
    share /= share[-1]
    last = np.append(np.flatnonzero(np.diff(height)), height.size - 1)
    end, height = share[last], height[last]
    start = np.insert(end[:-1], 0, 0.0)
    return np.column_stack([start, end]).ravel(), np.repeat(height, 2)


def _at(curve: tuple[NDArray[Any], NDArray[Any]], share: float) -> float:
    """Sensitivity that a share of the queries reach."""
    x, y = curve
    return float(y[min(int(np.searchsorted(x, share - TOLERANCE)), y.size - 1)])
