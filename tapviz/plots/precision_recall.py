"""Precision against recall, averaged over queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, line, points, readout, texts
from tapviz.draw.scale import ThresholdAxis
from tapviz.draw.style import ACCENT, GHOST, Style, number, tick_label
from tapviz.lists import RetrievalLists
from tapviz.measures import (
    MeanPrecisionRecall,
    RankedList,
    Retrieved,
    mean_precision_recall,
    mean_recall,
    pooled_precision_recall,
    recall_of,
    retrieved_at,
)
from tapviz.plots.axes import epq_grid
from tapviz.plots.columns import (
    LONGEST,
    NAME_MARGIN,
    NO_LINE,
    Columns,
    joined,
    label_columns,
    leaders,
    mark_columns,
    readout_columns,
)
from tapviz.plots.data import PlotData
from tapviz.plots.names import LETTER, NAME_GAP, Room, leader_ends, place_names
from tapviz.plots.plot import FILTER, THRESHOLD, Plot
from tapviz.reported import all_kept, is_measured

MOST_POINTS = 2_000
"""Points of a query's own line; of more, those that are a thousandth apart are drawn."""
# Thresholds marked along the lines.
MARKED = (1e-100, 1e-50, 1e-20, 1e-10, 1e-5, 1e-2, 1.0, 10.0, 100.0)
MARKED_SCORES = 5
LABEL_GAP = 0.1
"""Recall between two labelled marks, or the axis and the first, at least."""
ROOM = Room(0.0, 1 + NAME_MARGIN, 0.0, 1.02)
"""Limits of the axes, with room for names on the right."""


def columns(
    axis: ThresholdAxis,
    curves: Mapping[str, MeanPrecisionRecall],
    ticks: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]],
    retrieved: Mapping[str, Retrieved],
    styles: Mapping[str, Style],
    focus_algorithm: str,
    *,
    ghosts: Mapping[str, MeanPrecisionRecall] | None = None,
) -> Columns:
    """Layers of the curves, which no choice of a threshold changes.

    Parameters
    ----------
    axis : ThresholdAxis
    curves : mapping of str to MeanPrecisionRecall
        Averaged curve of each algorithm shown.
    ticks : mapping of str to (thresholds, recalls)
        Thresholds to mark on each line, and the mean recall there.
    retrieved : mapping of str to Retrieved
        Records of each on a grid of thresholds, for the read-out.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    focus_algorithm : str
        Algorithm whose marks are labelled.
    ghosts : mapping of str to MeanPrecisionRecall, optional
        The curves of all queries, while a subset is selected.

    Returns
    -------
    Columns
        "rest NAME" (x, y, threshold): the whole curve, drawn faint. "tick" (x, y, color) and "tick
        label": thresholds along the lines, each at its mean recall. "ghost" (x, y). "readout".
    """
    layers: Columns = {}
    for name in styles:
        data = curves.get(name)
        layers[f"rest {name}"] = (
            NO_LINE | {"threshold": NO_LINE["x"]}
            if data is None
            else {
                "x": data.recall,
                "y": data.precision,
                "threshold": axis.position(_reaching(retrieved[name], data.recall)),
            }
        )
    ghost_curves = {
        name: (c.recall, c.precision) for name, c in (ghosts or {}).items() if name in curves
    }
    layers["ghost"] = joined(ghost_curves)
    on_line: list[tuple[float, float, str]] = []
    labelled: list[tuple[float, float, str]] = []
    for name, data in curves.items():
        thresholds, at = ticks[name]
        # Below one percent of recall marks would pile up on the axis.
        for threshold, x in zip(thresholds.tolist(), at.tolist(), strict=True):
            if x > 0.01:  # noqa: PLR2004
                y = float(np.interp(x, data.recall, data.precision))
                on_line.append((x, y, styles[name].color))
                previous = labelled[-1][0] if labelled else 0.0
                if name == focus_algorithm and x - previous > LABEL_GAP:
                    label = tick_label if threshold in MARKED else number
                    labelled.append((x, y, label(threshold)))
    layers["tick"] = mark_columns(*_transposed(on_line))
    at_x, at_y, text = _transposed(labelled)
    layers["tick label"] = label_columns(
        at_x, at_y, text, [styles[focus_algorithm].color] * len(at_x)
    )
    layers["readout"] = _readout(curves, retrieved)
    return layers


def threshold_columns(
    curves: Mapping[str, MeanPrecisionRecall],
    recalls: Mapping[str, float],
    styles: Mapping[str, Style],
    labels: Mapping[str, NDArray[Any]] | None = None,
) -> Columns:
    """Layers that follow the threshold.

    Parameters
    ----------
    curves : mapping of str to MeanPrecisionRecall
        Averaged curve of each algorithm shown.
    recalls : mapping of str to float
        Mean recall of each at the present threshold; NaN if there is none.
    styles : mapping of str to Style
        Of every algorithm, shown or not.
    labels : columns, optional
        The layer "tick label" of `columns`, which names should not lie on.

    Returns
    -------
    Columns
        "retrieved NAME" (x, y): the curve up to the mean recall at the threshold. "end" (x, y,
        color): where the threshold cuts each curve. "end name": its name beside it; or, of a curve
        that is not cut, beside its end.
    """
    layers: Columns = {}
    ends: dict[str, tuple[float, float]] = {}
    named = {
        name: (float(data.recall[-1]), float(data.precision[-1]))
        for name, data in curves.items()
        if data.recall.size and np.isfinite(data.precision[-1])
    }
    for name in styles:
        data, cut = curves.get(name), recalls.get(name, np.nan)
        layers[f"retrieved {name}"] = NO_LINE
        if data is not None and np.isfinite(cut):
            inside = data.recall < cut
            height = float(np.interp(cut, data.recall, data.precision))
            ends[name] = (cut, height)
            layers[f"retrieved {name}"] = {
                "x": np.append(data.recall[inside], cut),
                "y": np.append(data.precision[inside], height),
            }
    colors = [styles[name].color for name in ends]
    x, y = [x for x, _ in ends.values()], [y for _, y in ends.values()]
    layers["end"] = mark_columns(x, y, colors)
    named |= {name: end for name, end in ends.items() if np.isfinite(end[1])}
    places = place_names(
        named,
        {name: min(len(name), LONGEST) for name in named},
        [(data.recall, data.precision) for data in curves.values()],
        ROOM,
        None if labels is None else _boxes(labels),
    )
    layers["end name"] = label_columns(
        [x for x, _ in places.values()],
        [y for _, y in places.values()],
        list(places),
        [styles[name].color for name in places],
    ) | leaders(*leader_ends(named, places, ROOM))
    return layers


def _boxes(labels: Mapping[str, NDArray[Any]]) -> NDArray[np.float64]:
    """Corners of labels, which end at their places and hang below them, shape (M, 4)."""
    wide = np.array([LETTER * ROOM.width * len(text) for text in labels["text"].tolist()])
    x, y = labels["x"], labels["y"]
    return np.column_stack([x - wide, y - NAME_GAP * ROOM.height, x, y])


def focus_columns(ranked: RankedList | None, marked: NDArray[np.int64]) -> Columns:
    """Layers of one query's own curve; without points if there is none.

    Parameters
    ----------
    ranked : RankedList or None
        Its list, at the present threshold; an infinite one is not marked.
    marked : ndarray of int
        Records of the list at or before each threshold to mark along the curve.

    Returns
    -------
    Columns
        "focus" (x, y): recall and precision along the list, at each relevant record and before the
        next. "focus tick" and "focus end" (x, y, color): where the thresholds, and the present
        one, cut the list.
    """
    if ranked is None or ranked.n_relevant == 0:
        none = mark_columns([], [], [])
        return {"focus": NO_LINE, "focus tick": none, "focus end": none}
    recall = np.cumsum(ranked.relevant) / ranked.n_relevant
    ends = np.unique(marked[marked > 0]) - 1
    hits = np.flatnonzero(ranked.relevant)
    line = np.unique(np.concatenate([hits, hits[1:] - 1, [ranked.rank.size - 1]]).astype(int))
    line = line[line >= hits[0]] if hits.size else hits
    if line.size > MOST_POINTS:
        place = np.column_stack([recall, ranked.precision])[line].round(3)
        moves = (np.diff(place, axis=0) != 0).any(axis=1)
        line = line[np.concatenate([[True], moves[:-1], [True]])]
    at = [ranked.n_retrieved - 1] if ranked.n_retrieved and np.isfinite(ranked.e0) else []
    return {
        "focus": {"x": recall[line], "y": ranked.precision[line]},
        "focus tick": mark_columns(
            recall[ends].tolist(), ranked.precision[ends].tolist(), [ACCENT] * ends.size
        ),
        "focus end": mark_columns(
            recall[at].tolist(), ranked.precision[at].tolist(), [ACCENT] * len(at)
        ),
    }


def text(curves: Mapping[str, MeanPrecisionRecall], recalls: Mapping[str, float]) -> str:
    """The plot in words.

    Parameters
    ----------
    curves : mapping of str to MeanPrecisionRecall
    recalls : mapping of str to float
        Mean recall of each at its threshold, where there is one.
    """
    parts = []
    for name, mean in curves.items():
        half = float(np.interp(0.5, mean.recall, mean.precision))
        at = recalls.get(name, np.nan)
        at_threshold = f"recall {at:.3f} at the threshold, " if np.isfinite(at) else ""
        parts.append(f"{name} {at_threshold}precision {number(half)} at recall 0.5")
    return f"{'; '.join(parts) or 'No algorithm is shown'}."


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    styles = data.styles
    averaged = CURVES[data.explorer.precision_of]
    means = data.each(averaged)
    marked = data.settled(marked_thresholds)
    layers = data.curves(
        f"{PLOT.name} {data.explorer.precision_of}",
        lambda: columns(
            data.axis,
            means,
            {
                name: _measured(data.explorer.lists[name], marked, at)
                for name, at in data.each(_recall_at, tuple(marked)).items()
            },
            data.each(retrieved_at, data.settled(epq_grid)),
            styles,
            data.explorer.focus_algorithm,
            ghosts=data.ghosts(averaged),
        ),
    )
    at_threshold = threshold_columns(means, _recalls(data), styles, layers["tick label"])
    layers = layers | at_threshold | _focus(data)
    names = [(name, style.color, style.dash) for name, style in styles.items()]
    return Picture(
        (
            line("ghost", layers["ghost"], GHOST),
            *(
                line(
                    f"rest {name}", layers[f"rest {name}"], color, dash=dash, width=1.2, alpha=0.35
                )
                for name, color, dash in names
            ),
            *(
                line(
                    f"retrieved {name}",
                    layers[f"retrieved {name}"],
                    color,
                    dash=dash,
                    width=2.2,
                    moving=True,
                )
                for name, color, dash in names
            ),
            line("focus", layers["focus"], ACCENT, width=2.6, moving=True),
            points("focus tick", layers["focus tick"], marker="dash", size=12, moving=True),
            points("focus end", layers["focus end"], marker="diamond", size=13, moving=True),
            points("tick", layers["tick"], marker="dash", size=8, moving=True),
            points("end", layers["end"], marker="diamond", size=13, moving=True),
            texts(
                "tick label",
                layers["tick label"],
                align="right",
                baseline="top",
                shift=-2,
                moving=True,
            ),
            texts("end name", layers["end name"], moving=True),
            readout(layers["readout"]),
        ),
        Axis(
            "recall, averaged over queries",
            ROOM.left,
            ROOM.right,
            ticks={at / 5: f"{at / 5:g}" for at in range(6)},
        ),
        Axis(TITLES[data.explorer.precision_of], ROOM.bottom, ROOM.top),
    )


def _pooled(lists: RetrievalLists) -> MeanPrecisionRecall:
    if not all_kept(lists):  # precision may be higher further down
        mean = mean_precision_recall(lists)
        return mean._replace(precision=np.full(mean.recall.size, np.nan))
    return pooled_precision_recall(lists).interpolated()


CURVES: dict[str, Callable[[RetrievalLists], MeanPrecisionRecall]] = {
    "mean": mean_precision_recall,
    "pooled": _pooled,
}
TITLES = {"mean": "precision", "pooled": "precision of all records, each 1 / T(q)"}
"""Of the axis."""
PLOT = Plot(
    name="precision_recall",
    title="Precision and recall",
    caption="| {score}s along the line · faint beyond ◆",
    how_to_read=(
        "Each line is the precision of one program at every level of recall, averaged over "
        "queries. The bold part is what is retrieved up to the threshold, which a diamond marks; "
        "strokes along the line say at which E-value a recall is reached. By choice it is the "
        "precision of all records at a common threshold, of which each counts as 1 / T(q)."
    ),
    printed=(
        "Precision against recall, averaged over queries. Bold: up to {at} (diamonds); "
        "strokes: {score}s along the line."
    ),
    depends=(*FILTER, *THRESHOLD, "algorithms", "focus_algorithm", "focus", "precision_of"),
    picture=picture,
    text=lambda data: text(data.each(CURVES[data.explorer.precision_of]), _recalls(data)),
)


def marked_thresholds(data: PlotData) -> NDArray[np.float64]:
    """Thresholds marked along the lines, shape (M,)."""
    axis = data.axis
    if axis.log:
        return np.array([e0 for e0 in MARKED if axis.low <= e0 <= axis.high])
    return axis.grid(MARKED_SCORES + 2)[1:-1]


def _recall_at(lists: RetrievalLists, thresholds: tuple[float, ...]) -> NDArray[np.float64]:
    """Mean recall at each threshold."""
    return np.array([mean_recall(lists, e0) for e0 in thresholds])


def _measured(
    lists: RetrievalLists, thresholds: NDArray[np.float64], recalls: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Thresholds up to which the program reported, and the recalls there."""
    inside = np.array([is_measured(lists, e0) for e0 in thresholds], np.bool_)
    return thresholds[inside], recalls[inside]


def _recalls(data: PlotData) -> dict[str, float]:
    """Mean recall at each algorithm's threshold, where it has one."""
    return {
        name: recall_of(data.explorer.lists[name], at.relevant)
        for name, at in data.taps.items()
        if np.isfinite(at.value)
    }


def _focus(data: PlotData) -> Columns:
    """The curve of the query in focus, of the algorithm in focus."""
    explorer = data.explorer
    name, lists = explorer.focus_algorithm, explorer.results[explorer.focus_algorithm]
    if not explorer.focus or name not in explorer.shown:
        return focus_columns(None, np.zeros(0, np.int64))
    ranked = explorer.ranked(name)
    at = data.settled(marked_thresholds)
    marked = np.searchsorted(lists.sign * ranked.score, lists.sign * at, side="right")
    return focus_columns(ranked, marked)


def _transposed(rows: list[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[], [], []]


def _first_reaching(at: Retrieved, recall: NDArray[np.float64]) -> NDArray[np.intp]:
    """Row of the strictest threshold with each mean recall; one beyond the last if none has it."""
    return np.searchsorted(np.nan_to_num(at.mean_recall), recall)


def _reaching(at: Retrieved, recall: NDArray[np.float64]) -> NDArray[np.float64]:
    """The strictest threshold with each mean recall; NaN if none has it."""
    return np.append(at.threshold, np.nan)[_first_reaching(at, recall)]


def _readout(
    curves: Mapping[str, MeanPrecisionRecall], retrieved: Mapping[str, Retrieved]
) -> dict[str, NDArray[Any]]:
    recall = next((c.recall for c in curves.values()), np.zeros(0))
    rows = {}
    for name, data in curves.items():
        at = retrieved[name]
        place = _first_reaching(at, recall)
        rows[name] = [f"precision {value:.3f}" for value in data.precision.tolist()]
        for level, first in enumerate(place.tolist()):
            rows[name][level] += (
                f" · at threshold {number(at.threshold[first], 2)}: "
                f"{at.relevant[first]:,} relevant, {at.irrelevant[first]:,} errors"
                if first < at.threshold.size
                else " · no threshold reaches this mean recall"
            )
    return readout_columns(recall, 0.5, [f"recall {value:.2f}" for value in recall.tolist()], rows)
