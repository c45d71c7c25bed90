"""Precision against recall, averaged over queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import NDArray

from tapviz.draw.style import ACCENT, GHOST, Style, number, power
from tapviz.measures import MeanPrecisionRecall, RankedList, Retrieved
from tapviz.plots.frame import (
    NAME_GAP,
    Columns,
    Drawn,
    curve,
    joined,
    labels,
    marks,
    overlay,
    points,
    readout,
    readout_columns,
    spread,
    texts,
)

MOST_POINTS = 2_000
"""Points of a query's own line; of more, those that are a thousandth apart are drawn."""
LABEL_GAP = 0.06
"""Recall between two labelled marks, or the axis and the first, at least."""

X = hv.Dimension("mean_recall", label="recall")
Y = hv.Dimension("mean_precision", label="precision")


def columns(
    curves: Mapping[str, MeanPrecisionRecall],
    ticks: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]],
    retrieved: Mapping[str, Retrieved],
    looks: Mapping[str, Style],
    detail: str,
    *,
    ghosts: Mapping[str, MeanPrecisionRecall] | None = None,
) -> Columns:
    """Layers of the curves, which no choice of a threshold changes.

    Parameters
    ----------
    curves : mapping of str to MeanPrecisionRecall
        Averaged curve of each algorithm shown.
    ticks : mapping of str to (thresholds, recalls)
        Thresholds to mark on each line, and the mean recall there.
    retrieved : mapping of str to Retrieved
        Records of each on a grid of thresholds, for the read-out.
    looks : mapping of str to Style
        Every algorithm of the bench, shown or not.
    detail : str
        Algorithm whose marks are labelled.
    ghosts : mapping of str to MeanPrecisionRecall, optional
        The curves of all queries, while a subset is selected.

    Returns
    -------
    Columns
        "rest NAME" (x, y): the whole curve, drawn faint. "tick" (x, y, color) and "tick label":
        thresholds along the lines, each at its mean recall. "ghost" (x, y). "readout".
    """
    drawn: Columns = {}
    nothing = np.zeros(0)
    for name in looks:
        data = curves.get(name)
        drawn[f"rest {name}"] = (
            {"x": nothing, "y": nothing}
            if data is None
            else {"x": data.recall, "y": data.precision}
        )
    faint = {name: (c.recall, c.precision) for name, c in (ghosts or {}).items() if name in curves}
    drawn["ghost"] = joined(faint)
    on_line: list[tuple[float, float, str]] = []
    labelled: list[tuple[float, float, str]] = []
    for name, data in curves.items():
        thresholds, at = ticks[name]
        # Below one percent of recall marks would pile up on the axis.
        for threshold, x in zip(thresholds.tolist(), at.tolist(), strict=True):
            if x > 0.01:  # noqa: PLR2004
                y = float(np.interp(x, data.recall, data.precision))
                on_line.append((x, y, looks[name].color))
                previous = labelled[-1][0] if labelled else 0.0
                if name == detail and x - previous > LABEL_GAP:
                    labelled.append((x, y, power(threshold)))
    drawn["tick"] = marks(*_transposed(on_line))
    at_x, at_y, text = _transposed(labelled)
    drawn["tick label"] = texts(at_x, at_y, text, [looks[detail].color] * len(at_x))
    drawn["readout"] = _readout(curves, retrieved)
    return drawn


def threshold_columns(
    curves: Mapping[str, MeanPrecisionRecall],
    recalls: Mapping[str, float],
    looks: Mapping[str, Style],
) -> Columns:
    """Layers that follow the threshold.

    Parameters
    ----------
    curves : mapping of str to MeanPrecisionRecall
        Averaged curve of each algorithm shown.
    recalls : mapping of str to float
        Mean recall of each at the present threshold; NaN if there is none.
    looks : mapping of str to Style
        Every algorithm of the bench, shown or not.

    Returns
    -------
    Columns
        "retrieved NAME" (x, y): the curve up to the mean recall at the threshold. "end" (x, y,
        color), "end name": where the threshold cuts each curve.
    """
    drawn: Columns = {}
    nothing = np.zeros(0)
    ends: dict[str, tuple[float, float]] = {}
    for name in looks:
        data, cut = curves.get(name), recalls.get(name, np.nan)
        drawn[f"retrieved {name}"] = {"x": nothing, "y": nothing}
        if data is not None and np.isfinite(cut):
            inside = data.recall < cut
            height = float(np.interp(cut, data.recall, data.precision))
            ends[name] = (cut, height)
            drawn[f"retrieved {name}"] = {
                "x": np.append(data.recall[inside], cut),
                "y": np.append(data.precision[inside], height),
            }
    colors = [looks[name].color for name in ends]
    x, y = [x for x, _ in ends.values()], [y for _, y in ends.values()]
    drawn["end"] = marks(x, y, colors)
    # Names stand above the faint parts, in the order of the cuts.
    heights = np.array(spread(y, NAME_GAP, 0.0, 1.0))
    if ends:
        heights += max(0.0, min(max(y) + 0.03 - heights.min(), 0.99 - heights.max()))
    right = min(max(x, default=0.0) + 0.02, 0.8)
    drawn["end name"] = texts([right] * len(ends), heights.tolist(), list(ends), colors)
    return drawn


def focus_columns(found: RankedList | None, marked: NDArray[np.int64]) -> Columns:
    """Layers of one query's own curve; without points if there is none.

    Parameters
    ----------
    found : RankedList or None
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
    nothing = np.zeros(0)
    if found is None or found.n_relevant == 0:
        none = marks([], [], [])
        return {"focus": {"x": nothing, "y": nothing}, "focus tick": none, "focus end": none}
    recall = np.cumsum(found.relevant) / found.n_relevant
    ends = np.unique(marked[marked > 0]) - 1
    hits = np.flatnonzero(found.relevant)
    line = np.unique(np.concatenate([hits, hits[1:] - 1, [found.rank.size - 1]]).astype(int))
    line = line[line >= hits[0]] if hits.size else hits
    if line.size > MOST_POINTS:
        place = np.column_stack([recall, found.precision])[line].round(3)
        moves = (np.diff(place, axis=0) != 0).any(axis=1)
        line = line[np.concatenate([[True], moves[:-1], [True]])]
    at = [found.n_retrieved - 1] if found.n_retrieved and np.isfinite(found.e0) else []
    return {
        "focus": {"x": recall[line], "y": found.precision[line]},
        "focus tick": marks(
            recall[ends].tolist(), found.precision[ends].tolist(), [ACCENT] * ends.size
        ),
        "focus end": marks(recall[at].tolist(), found.precision[at].tolist(), [ACCENT] * len(at)),
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
        here = f"recall {recalls[name]:.3f} at the threshold, " if name in recalls else ""
        parts.append(f"{name} {here}precision {number(half)} at recall 0.5")
    return f"{'; '.join(parts) or 'No algorithm is shown'}."


def draw(columns: Columns, looks: Mapping[str, Style], drawn: Drawn | None = None) -> hv.Overlay:
    """Picture of the layers; `drawn` is told of each when it is rendered."""
    dims = (X, Y)
    elements = [curve(columns, "ghost", dims, drawn, color=GHOST, line_width=1)]
    for name, look in looks.items():
        line = {"color": look.color, "line_dash": look.line_dash}
        elements += [
            curve(columns, f"rest {name}", dims, drawn, **line, line_width=1.2, line_alpha=0.35),
            curve(columns, f"retrieved {name}", dims, drawn, **line, line_width=2.2),
        ]
    elements += [
        curve(columns, "focus", dims, drawn, color=ACCENT, line_width=2.6),
        points(columns, "focus tick", dims, drawn, marker="dash", angle=90, size=12),
        points(columns, "focus end", dims, drawn, marker="diamond", size=13, line_color="white"),
        points(columns, "tick", dims, drawn, marker="dash", angle=90, size=8),
        points(columns, "end", dims, drawn, marker="diamond", size=13, line_color="white"),
        labels(
            columns,
            "tick label",
            dims,
            drawn,
            text_align="right",
            text_baseline="top",
            xoffset=-0.006,
        ),
        labels(columns, "end name", dims, drawn, text_align="left"),
        readout(columns, dims, drawn),
    ]
    return overlay(
        elements,
        xlabel="recall, averaged over queries",
        ylabel="precision",
        xlim=(0, 1),
        ylim=(0, 1.02),
    )


def _transposed(rows: list[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[], [], []]


def _readout(
    curves: Mapping[str, MeanPrecisionRecall], retrieved: Mapping[str, Retrieved]
) -> dict[str, NDArray[Any]]:
    recall = next((c.recall for c in curves.values()), np.zeros(0))
    rows = {}
    for name, data in curves.items():
        at = retrieved[name]
        place = np.searchsorted(np.nan_to_num(at.mean_recall), recall)  # the first that reaches it
        rows[name] = [f"precision {value:.3f}" for value in data.precision.tolist()]
        for level, first in enumerate(place.tolist()):
            rows[name][level] += (
                f" · mean recall reached at {number(at.threshold[first], 2)}: "
                f"{at.relevant[first]:,} R, {at.irrelevant[first]:,} I"
                if first < at.threshold.size
                else " · no threshold reaches this mean recall"
            )
    return readout_columns(recall, 0.5, [f"recall {value:.2f}" for value in recall.tolist()], rows)
