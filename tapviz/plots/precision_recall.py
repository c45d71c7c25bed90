"""Precision against recall, averaged over queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from tapviz import measures as m
from tapviz.draw import picture as p
from tapviz.draw.style import ACCENT, INK, number, tick_label, to_thousandths
from tapviz.lists import RetrievalLists, all_kept, count, is_measured
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, THRESHOLD, Plot, PlotData

MOST_POINTS = 2_000
"""Points of a query's own line; of more, those that are a thousandth apart are drawn."""
# Thresholds marked along the lines.
MARKED = (1e-100, 1e-50, 1e-20, 1e-10, 1e-5, 1e-2, 1.0, 10.0, 100.0)
MARKED_SCORES = 5
LABEL_GAP = 0.1
"""Recall between two labelled marks, or the axis and the first, at least."""


def curves(data: PlotData, means: Mapping[str, m.MeanPrecisionRecall]) -> c.Chart:
    """The whole curves, drawn faint; in front of them "tick", thresholds along the lines.

    Each is at its mean recall. Those of the algorithm in focus have labels, "tick label".
    """
    explorer, marked = data.explorer, data.settled(marked_thresholds)
    retrieved = data.each(m.retrieved_at, data.settled(c.epq_grid))
    whole = data.ghosts(CURVES[explorer.precision_of])
    faint: dict[str, c.Columns] = dict.fromkeys(data.styles, c.NO_CURVE)
    for name, mean in means.items():
        # The strictest threshold with each mean recall; NaN if none has it.
        reaching = np.append(retrieved[name].threshold, np.nan)
        first = _first_reaching(retrieved[name], mean.recall)
        columns = {"x": mean.recall, "y": mean.precision}
        faint[name] = columns | {"threshold": data.axis.position(reaching[first])}
    ghosts = {name: {"x": one.recall, "y": one.precision} for name, one in whole.items()}
    across = p.Axis("recall, averaged over queries", 0.0, 1.0, ticks=c.FIFTHS)
    up, read = p.Axis(TITLES[explorer.precision_of], 0.0, 1.02), _readout(means, retrieved)
    made = c.line_chart(
        data, faint, across, up, read, ghosts=ghosts, kind="rest ", width=1.2, alpha=0.35, left=0.0
    )
    ticks: list[tuple[float, float, str, str]] = []
    labels: list[tuple[float, float, str]] = []
    for name, recalls in data.each(_recall_at, tuple(marked)).items():
        for threshold, x in zip(marked.tolist(), recalls, strict=True):
            # Below one percent of recall marks would pile up on the axis.
            if not x > 0.01 or not is_measured(explorer.lists[name], threshold):  # noqa: PLR2004
                continue
            y = float(np.interp(x, means[name].recall, means[name].precision))
            ticks.append((x, y, data.styles[name].color, name))
            previous = labels[-1][0] if labels else 0.0
            if name == explorer.focus_algorithm and x - previous > LABEL_GAP:
                written = tick_label if threshold in MARKED else number
                labels.append((x, y, written(threshold)))
    marks = c.mark_columns(*(zip(*ticks, strict=True) if ticks else ((), (), (), ())))
    left, top, said = zip(*labels, strict=True) if labels else ((), (), ())
    own = explorer.focus_algorithm
    labelled = c.label_columns(left, top, said, data.styles[own].color, of=own)
    tick = p.points("tick", marks, marker="dash", size=8, moving=True)
    label = p.texts("tick label", labelled, align="right", baseline="top", shift=-2, moving=True)
    why = _missing(data)
    words = c.label_columns(0.5, 0.5, [why] * bool(why), INK, c.LONGEST_NOTICE)
    notice = p.texts("notice", words, align="center", wanted=bool(why))
    return made._replace(top=(tick, label, notice, *made.top))


def _missing(data: PlotData) -> str:
    """Why there is no line; empty if there may be one."""
    none = data.explorer.selection.n_queries and not data.lists.n_relevant.any()
    return "no precision: no query has a relevant record" if none else ""


def retrieved_part(mean: m.MeanPrecisionRecall, recall: float) -> c.Columns:
    """A curve up to the mean recall at a threshold; without points if there is none."""
    if np.isnan(recall):
        return c.NO_LINE
    inside = mean.recall < recall
    height = np.interp(recall, mean.recall, mean.precision)
    x, y = np.append(mean.recall[inside], recall), np.append(mean.precision[inside], height)
    return {"x": x, "y": y}


def text(data: PlotData) -> str:
    """The plot in words."""
    recalls, parts = _recalls(data), []
    if why := _missing(data):
        return f"There is {why}."
    for name, mean in data.each(CURVES[data.explorer.precision_of]).items():
        half = to_thousandths(float(np.interp(0.5, mean.recall, mean.precision)))
        at = recalls.get(name, np.nan)
        known = f"recall {at:.3f} at the threshold, " if np.isfinite(at) else ""
        parts.append(f"{name} {known}precision {half} at recall 0.5")
    return f"{'; '.join(parts) or 'No program is shown'}."


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    averaged, recalls = data.explorer.precision_of, _recalls(data)
    means = data.each(CURVES[averaged])
    made = data.curves(f"{PLOT.name} {averaged}", lambda: curves(data, means))
    tick, labels, *named = made.top
    parts = {name: retrieved_part(one, recalls.get(name, np.nan)) for name, one in means.items()}
    ends = {name: (one["x"][-1], one["y"][-1]) for name, one in parts.items() if one["x"].size}
    bold = c.each_line(data, "retrieved ", parts, width=2.2, moving=True)
    made = made._replace(top=(tick, c.diamonds(data, ends, "end"), labels, *named))
    return made.picture(*bold, *_focus(data))


def _pooled(lists: RetrievalLists) -> m.MeanPrecisionRecall:
    if not all_kept(lists):  # precision may be higher further down
        mean = m.mean_precision_recall(lists)
        return mean._replace(precision=np.full(mean.recall.size, np.nan))
    return m.pooled_precision_recall(lists).interpolated()


CURVES: dict[str, Callable[[RetrievalLists], m.MeanPrecisionRecall]] = {
    "mean": m.mean_precision_recall,
    "pooled": _pooled,
}
TITLES = {"mean": "precision", "pooled": "precision of all records, each 1 / T(q)"}
"""Of the axis."""
PLOT = Plot(
    name="precision_recall",
    title="Precision and recall",
    caption="| {score}s along the line · faint beyond ◆",
    how_to_read="""Each line is the precision of one program at every level of recall, averaged over
    queries. The bold part is what is retrieved up to the threshold, which a diamond marks; strokes
    along the line show the E-value at which a recall is reached. A setting shows instead the
    precision of all records at a common threshold, each counted as 1 / T(q).""",
    printed="""Precision against recall, averaged over queries. Bold: up to {at} (diamonds);
    strokes: {score}s along the line.""",
    depends=(*FILTER, *THRESHOLD, "algorithms", "focus_algorithm", "focus", "precision_of"),
    picture=picture,
    text=text,
    tab="Precision–recall",
)


def marked_thresholds(data: PlotData) -> c.Array:
    """Thresholds marked along the lines, shape (M,)."""
    axis = data.axis
    if axis.log:
        return np.array([e0 for e0 in MARKED if axis.low <= e0 <= axis.high])
    return axis.grid(MARKED_SCORES + 2)[1:-1]


def _recall_at(lists: RetrievalLists, thresholds: tuple[float, ...]) -> list[float]:
    """Mean recall at each threshold."""
    return [m.mean_recall(lists, e0) for e0 in thresholds]


def _recalls(data: PlotData) -> dict[str, float]:
    """Mean recall at each algorithm's threshold, where it has one."""
    lists = data.explorer.lists

    def recalls() -> dict[str, float]:
        known = {name: at for name, at in data.taps.items() if np.isfinite(at.value)}
        return {name: m.recall_of(lists[name], at.relevant) for name, at in known.items()}

    return data.at_threshold("recalls", recalls)


def _focus(data: PlotData) -> tuple[p.Layer, ...]:
    """Layers of the query in focus, with the algorithm in focus; without points if there is none.

    "focus" (x, y): recall and precision along its list, at each relevant record and before the
    next. "focus tick" and "focus end" (x, y, color): where the thresholds marked, and the present
    one, cut the list; an infinite one does not.
    """
    explorer, name = data.explorer, data.explorer.focus_algorithm
    ranked = explorer.ranked(name) if explorer.focus and name in explorer.shown else None
    recall = precision = np.zeros(0)
    line = ends = at = np.zeros(0, np.int64)
    if ranked is not None and ranked.n_relevant:
        sign = explorer.results[name].sign
        recall, precision = np.cumsum(ranked.relevant) / ranked.n_relevant, ranked.precision
        thresholds = sign * data.settled(marked_thresholds)
        marked = np.searchsorted(sign * ranked.score, thresholds, side="right")
        ends = np.unique(marked[marked > 0]) - 1
        hits = np.flatnonzero(ranked.relevant)
        line = np.unique(np.concatenate([hits, hits[1:] - 1, [ranked.rank.size - 1]]).astype(int))
        line = line[line >= hits[0]] if hits.size else hits
        cut = ranked.n_retrieved > 0 and np.isfinite(ranked.e0)
        at = np.array([ranked.n_retrieved - 1])[: int(cut)]
    if line.size > MOST_POINTS:
        place = np.column_stack([recall, precision])[line].round(3)
        moves = (np.diff(place, axis=0) != 0).any(axis=1)
        line = line[np.concatenate([[True], moves[:-1], [True]])]
    own = {"x": recall[line], "y": precision[line]}
    tick, end = (c.mark_columns(recall[some], precision[some], ACCENT) for some in (ends, at))
    roles: p.Roles = {"moving": True, "wanted": bool(explorer.focus)}
    return (
        p.line("focus", own, ACCENT, width=2.6, moving=True),
        p.points("focus tick", tick, marker="dash", size=12, **roles),
        p.points("focus end", end, marker="diamond", size=13, **roles),
    )


def _first_reaching(at: m.Retrieved, recall: c.Array) -> NDArray[np.intp]:
    """Row of the strictest threshold with each mean recall; one beyond the last if none has it."""
    return np.searchsorted(np.nan_to_num(at.mean_recall), recall)


def _readout(
    curves: Mapping[str, m.MeanPrecisionRecall], retrieved: Mapping[str, m.Retrieved]
) -> c.Readout:
    recall = next((one.recall for one in curves.values()), np.zeros(0))
    rows: dict[str, list[str]] = {name: [] for name in curves}
    for name, curve in curves.items():
        at = retrieved[name]
        for value, first in zip(curve.precision, _first_reaching(at, recall), strict=True):
            reached = "no threshold reaches this mean recall"
            if first < at.threshold.size:
                there = f"{at.relevant[first]:,} relevant, {count(at.irrelevant[first], 'error')}"
                reached = f"at threshold {number(at.threshold[first], 2)}: {there}"
            rows[name].append(f"precision {value:.3f} · {reached}")
    return c.Readout(recall, [f"recall {value:.2f}" for value in recall.tolist()], rows)
