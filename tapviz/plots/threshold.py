"""The threshold for the errors that are accepted, on the curve of what is found for more errors."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from tapviz.draw.picture import Picture, line, points, texts
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import INK, Style, brief, shortened_apart
from tapviz.measures import (
    USUAL_CONFIDENCE,
    AcceptedErrors,
    Advice,
    LoosestThreshold,
    advise,
    coverage_vs_epq,
    loosest_threshold,
    promised_threshold,
)
from tapviz.plots import coverage
from tapviz.plots.chart import Chart
from tapviz.plots.columns import LONGEST as LONGEST_ALONE
from tapviz.plots.columns import NO_LINE, Columns, label_columns, mark_columns
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, Plot, Work
from tapviz.state import ACCEPTED

TITLES = "errors per query (log scale)", "share found (mean recall)"
"""Of the axes."""
MARGIN = 0.78
"""Room right of the lines for names with thresholds, in widths of the plot."""
LONGEST = 16
"""Characters of a name that have room beside its threshold."""
LONGEST_NOTICE = 90
SURE = f"{100 * USUAL_CONFIDENCE:g} % sure"


def accepted_columns(
    axis: PowerScale,
    curves: Chart,
    at: Mapping[str, LoosestThreshold],
    promised: Mapping[str, LoosestThreshold],
    accepted: AcceptedErrors,
    styles: Mapping[str, Style],
    advice: Advice | None,
    *,
    relation: str,
) -> Columns:
    """Layers that follow the errors that are accepted.

    Parameters
    ----------
    axis : PowerScale
    curves : Chart
        As of the plot of coverage.
    at : mapping of str to LoosestThreshold
        The threshold of each algorithm shown, found on the queries selected.
    promised : mapping of str to LoosestThreshold
        That with at most as many errors among new queries.
    accepted : AcceptedErrors
    styles : mapping of str to Style
    advice : Advice or None
        What to expect of new queries; None while it has not been computed.
    relation : str
        What stands before a threshold, such as "E ≤".

    Returns
    -------
    Columns
        "line" (x, y): the errors accepted. "threshold" and "promised" (x, y, color): errors and
        recall, at each, of the queries that they were found on; "new" (x, y, color): at the first,
        of queries that it was not found on; "range NAME" (x, y): their intervals. "name":
        algorithms with what is promised. "notice": why there is none for any.
    """
    shown = {name: one for name, one in at.items() if not one.reason}
    top = curves.y.end
    inside = accepted.errors <= axis.high
    layers: Columns = {
        "line": {
            "x": np.repeat(axis.position(accepted.errors), 2),
            "y": np.array([0.0, top]),
        }
        if inside
        else NO_LINE,
        "threshold": _marks(axis, shown, styles),
        "promised": _marks(axis, promised, styles),
    }
    new: dict[str, tuple[float, float]] = {}
    for name in styles:
        layers[f"range {name}"] = NO_LINE
        one = advice.algorithms.get(name) if advice is not None and name in shown else None
        if one is None or not isfinite(one.recall.estimate):
            continue
        errors, recall = one.errors, one.recall
        x, y = float(axis.position(errors.estimate)), recall.estimate
        new[name] = x, y
        # Across, and up and down; an end that is not known draws nothing.
        left, right = axis.position([errors.low, errors.high]).tolist()
        layers[f"range {name}"] = {
            "x": np.array([left, right, np.nan, x, x]),
            "y": np.array([y, y, np.nan, recall.low, recall.high]),
        }
    layers["new"] = mark_columns(
        [x for x, _ in new.values()],
        [y for _, y in new.values()],
        [styles[name].color for name in new],
    )
    names = list(at)
    words = {
        alone: f"{short}, none" if one.reason else f"{short} {relation} {brief(one.threshold)}"
        for alone, short, one in zip(
            shortened_apart(names, LONGEST_ALONE),
            shortened_apart(names, LONGEST),
            promised.values(),
            strict=True,
        )
    }
    named = curves.top[0].columns
    layers["name"] = {
        **named,
        "text": np.array([words[name] for name in named["text"].tolist()], np.object_),
    }
    reasons = {one.reason for one in at.values()}
    common = [reasons.pop()] if len(reasons) == 1 and "" not in reasons else []
    layers["notice"] = label_columns(
        (axis.start + axis.end) / 2, 0.94 * top, common, INK, LONGEST_NOTICE
    )
    return layers


def _marks(
    axis: PowerScale, at: Mapping[str, LoosestThreshold], styles: Mapping[str, Style]
) -> dict[str, np.ndarray]:
    some = {name: one for name, one in at.items() if not one.reason}
    return mark_columns(
        axis.position([one.errors for one in some.values()]).tolist(),
        [one.recall for one in some.values()],
        [styles[name].color for name in some],
    )


def _brief(one: LoosestThreshold) -> str:
    return "none" if one.reason else brief(one.threshold)


def text(
    at: Mapping[str, LoosestThreshold],
    promised: Mapping[str, LoosestThreshold],
    accepted: AcceptedErrors,
    advice: Advice | None,
    *,
    relation: str,
) -> str:
    """The plot in words.

    Parameters
    ----------
    at : mapping of str to LoosestThreshold
        The threshold of each algorithm shown.
    promised : mapping of str to LoosestThreshold
        As in `accepted_columns`.
    accepted : AcceptedErrors
    advice : Advice or None
        As in `accepted_columns`.
    relation : str
        What stands before a threshold, such as "E ≤".
    """
    if not at:
        return "No algorithm is shown."
    parts = []
    for name, one in at.items():
        sure = promised[name]
        keeps = f"at most so many, {SURE}: {relation} {_brief(sure)}, recall {sure.recall:.3f}"
        if sure.reason:
            keeps = f"none with at most so many ({sure.reason})"
        if one.reason:
            same = "" if sure.reason == one.reason else f"; {keeps}"
            parts.append(f"{name} has no threshold ({one.reason}){same}")
            continue
        found = advice.algorithms.get(name) if advice is not None else None
        recall, errors = f"{one.recall:.3f} in the sample", f"{brief(one.errors)} in the sample"
        if found is not None and isfinite(found.recall.estimate):
            recall = f"{found.recall.estimate:.3f} ({recall})"
            errors = f"{brief(found.errors.estimate)} ({errors})"
        part = f"{name} {relation} {brief(one.threshold)}, recall {recall}, errors {errors}"
        parts.append(f"{part}; {keeps}")
    return f"For {accepted}: {'; '.join(parts)}."


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    explorer, styles = data.explorer, data.styles
    scale, accepted = data.settled(_scale), explorer.accepted
    options = _curve(accepted)
    curves = explorer.once(
        ("curves", PLOT.name),
        (explorer.lists, tuple(explorer.shown), *options.values()),
        lambda: coverage.curves(data, options, scale, TITLES, "recall", MARGIN),
    )
    at, promised, advice = thresholds(data), promises(data), data.slow.get(PLOT.name)
    layers = accepted_columns(
        scale, curves, at, promised, accepted, styles, advice, relation=relation_of(data)
    )
    return Picture(
        (
            curves.ghost,
            *curves.lines,
            line("line", layers["line"], INK, moving=True, drags="accepted_errors"),
            *(
                line(f"range {name}", layers[f"range {name}"], style.color, width=1.4, moving=True)
                for name, style in styles.items()
            ),
            points("threshold", layers["threshold"], marker="diamond", size=13, moving=True),
            points("new", layers["new"], size=8, moving=True),
            points(
                "promised", layers["promised"], marker="inverted_triangle", size=10, moving=True
            ),
            texts("name", layers["name"], moving=True),
            texts("notice", layers["notice"], align="center", moving=True),
            curves.top[-1],
        ),
        curves.x,
        curves.y,
    )


def work(data: PlotData) -> tuple[Any, Work]:
    """What the advice depends on, and what works it out."""
    explorer = data.explorer
    lists = {name: explorer.lists[name] for name in explorer.shown}
    accepted, groups = explorer.accepted, explorer.groups or None
    key = (tuple(lists), tuple(lists.values()), accepted, groups)

    def find(progress: Any) -> Advice | None:
        if not lists:
            return None
        return advise(lists, **accepted._asdict(), groups=groups, progress=progress)

    return key, find


def _curve(accepted: AcceptedErrors) -> dict[str, Any]:
    epq = accepted.quantile if accepted.statistic == "quantile" else accepted.statistic
    return {"epq": epq, "coverage": "mean_recall"}


def thresholds(data: PlotData) -> dict[str, LoosestThreshold]:
    """Threshold of each algorithm shown, found on the queries selected."""
    return data.each(loosest_threshold, **data.explorer.accepted._asdict())


def promises(data: PlotData) -> dict[str, LoosestThreshold]:
    """That with at most as many errors among new queries, with the usual confidence."""
    explorer = data.explorer
    return data.each(
        promised_threshold, **explorer.accepted._asdict(), groups=explorer.groups or None
    )


def relation_of(data: PlotData) -> str:
    """What stands before a threshold: records on this side of it are retrieved."""
    if data.axis.descending:
        return "score ≥"
    return "E ≤" if data.axis.log else "score ≤"


def _scale(data: PlotData) -> PowerScale:
    explorer = data.explorer
    curves = {
        name: coverage_vs_epq(lists, coverage="mean_recall")
        for name, lists in explorer.results.items()
    }
    return coverage.errors_axis(explorer.first.weight, curves)


PLOT: Plot = Plot(
    name="threshold",
    title="Threshold",
    caption=f"for the errors accepted (line) · ▼ at most, {SURE} · ◆ expected · ● new queries",
    how_to_read=(
        "The mean share of the relevant records found while the threshold is loosened, against the "
        "errors per query that it costs. The vertical line is the number of errors you accept; "
        f"a triangle is the threshold with at most as many among new queries, {SURE}: it stands "
        "beside the name. A diamond is the one with as many on average, or expected of a median "
        "or quantile, which new queries exceed about every other time; a dot, with its intervals, "
        "what to expect of these there. Triangle and diamond are where the queries at hand are."
    ),
    printed=(
        "Mean recall against the errors per query that a threshold costs. Vertical line: the "
        "errors accepted; triangles, and beside each name: the loosest threshold with at most as "
        f"many among new queries, {SURE}. Diamonds: that with as many on average; dots with 95 % "
        "intervals: expected there of new queries."
    ),
    depends=(*FILTER, *ACCEPTED, "algorithms", "groups"),
    picture=picture,
    text=lambda data: text(
        thresholds(data),
        promises(data),
        data.explorer.accepted,
        data.slow.get(PLOT.name),
        relation=relation_of(data),
    ),
    tab="Threshold",
    slow=work,
)
