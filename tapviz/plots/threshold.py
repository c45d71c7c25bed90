"""The threshold for the errors that are accepted, on the curve of what is found for more errors."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from tapviz.choices import ACCEPTED
from tapviz.draw.picture import Axis, Picture, line, points, readout, texts
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import INK, Style, brief, shortened, shortened_apart
from tapviz.measures import (
    AcceptedErrors,
    Advice,
    LoosestThreshold,
    advise,
    coverage_vs_epq,
    loosest_threshold,
)
from tapviz.plots import coverage
from tapviz.plots.columns import (
    LONGEST as LONGEST_ALONE,
)
from tapviz.plots.columns import (
    NO_LINE,
    Columns,
    each_line,
    label_columns,
    mark_columns,
)
from tapviz.plots.data import PlotData
from tapviz.plots.plot import FILTER, Plot, Work

MARGIN = 0.62
"""Room right of the lines for names with thresholds, in widths of the plot."""
LONGEST = 16
"""Characters of a name that have room beside its threshold."""
LONGEST_NOTICE = 90


def accepted_columns(
    axis: PowerScale,
    curves: Columns,
    at: Mapping[str, LoosestThreshold],
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
    curves : Columns
        The layers of the curves, as of the plot of coverage.
    at : mapping of str to LoosestThreshold
        The threshold of each algorithm shown, found on the queries selected.
    accepted : AcceptedErrors
    styles : mapping of str to Style
    advice : Advice or None
        What to expect of new queries; None while it has not been computed.
    relation : str
        What stands before a threshold, such as "E ≤".

    Returns
    -------
    Columns
        "line" (x, y): the errors accepted. "threshold" (x, y, color): errors and recall of the
        queries that each threshold was found on; "new" (x, y, color): of queries that it was not
        found on; "range NAME" (x, y): their intervals. "name": algorithms with their thresholds.
        "notice": why there is none for any.
    """
    shown = {name: one for name, one in at.items() if not one.reason}
    top = float(curves["view"]["y"][1])
    inside = accepted.errors <= axis.high
    layers: Columns = {
        "line": {
            "x": np.repeat(axis.position(accepted.errors), 2),
            "y": np.array([0.0, top]),
        }
        if inside
        else NO_LINE,
        "threshold": mark_columns(
            axis.position([one.errors for one in shown.values()]).tolist(),
            [one.recall for one in shown.values()],
            [styles[name].color for name in shown],
        ),
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
            at.values(),
            strict=True,
        )
    }
    named = curves["name"]
    layers["name"] = named | {
        "text": np.array([words[name] for name in named["text"].tolist()], np.object_)
    }
    reasons = {one.reason for one in at.values()}
    common = [reasons.pop()] if len(reasons) == 1 and "" not in reasons else []
    layers["notice"] = label_columns(
        [(axis.start + axis.end) / 2] * len(common),
        [0.94 * top] * len(common),
        [shortened(reason, LONGEST_NOTICE) for reason in common],
        [INK] * len(common),
        LONGEST_NOTICE,
    )
    return layers


def text(
    at: Mapping[str, LoosestThreshold],
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
        if one.reason:
            parts.append(f"{name} has no threshold ({one.reason})")
            continue
        found = advice.algorithms.get(name) if advice is not None else None
        recall, errors = f"{one.recall:.3f} in the sample", f"{brief(one.errors)} in the sample"
        if found is not None and isfinite(found.recall.estimate):
            recall = f"{found.recall.estimate:.3f} ({recall})"
            errors = f"{brief(found.errors.estimate)} ({errors})"
        part = f"{name} {relation} {brief(one.threshold)}, recall {recall}, errors {errors}"
        parts.append(part)
    return f"For {accepted}: {'; '.join(parts)}."


def picture(data: PlotData) -> Picture:
    """The plot under the present choices."""
    explorer, styles = data.explorer, data.styles
    scale, accepted = data.settled(_scale), explorer.accepted
    options = _curve(accepted)
    layers = explorer.once(
        ("curves", PLOT.name),
        (explorer.lists, tuple(explorer.shown), *options.values()),
        lambda: coverage.columns(
            scale,
            data.each(coverage_vs_epq, **options),
            styles,
            thresholds=data.axis,
            ghosts=data.ghosts(coverage_vs_epq, **options),
            quantity="recall",
            margin=MARGIN,
        ),
    )
    view, at = layers["view"], thresholds(data)
    advice = data.slow.get(PLOT.name)
    layers = layers | accepted_columns(
        scale, layers, at, accepted, styles, advice, relation=relation_of(data)
    )
    return Picture(
        (
            *each_line(layers, styles),
            line("line", layers["line"], INK, moving=True, drags="accepted_errors"),
            *(
                line(f"range {name}", layers[f"range {name}"], style.color, width=1.4, moving=True)
                for name, style in styles.items()
            ),
            points("threshold", layers["threshold"], marker="diamond", size=13, moving=True),
            points("new", layers["new"], size=8, moving=True),
            texts("name", layers["name"], moving=True),
            texts("notice", layers["notice"], align="center", moving=True),
            readout(layers["readout"]),
        ),
        Axis("errors per query (log scale)", *view["x"].tolist(), scale=scale),
        Axis("share found (mean recall)", *view["y"].tolist()),
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
    caption="for the errors accepted (line) · ◆ found on these queries · ● new queries",
    how_to_read=(
        "The mean share of the relevant records found while the threshold is loosened, against the "
        "errors per query that it costs. The vertical line is the number of errors you accept; "
        "beside each name stands the threshold for it. A diamond is what the queries at hand get "
        "there; a dot, with its intervals, what to expect of new queries, on which the threshold "
        "was not found."
    ),
    printed=(
        "Mean recall against the errors per query that a threshold costs. Vertical line: the "
        "errors accepted; beside each name: the loosest threshold for them. Diamonds: on the "
        "queries at hand; dots with 95 % intervals: expected of new queries."
    ),
    depends=(*FILTER, *ACCEPTED, "algorithms", "groups"),
    picture=picture,
    text=lambda data: text(
        thresholds(data),
        data.explorer.accepted,
        data.slow.get(PLOT.name),
        relation=relation_of(data),
    ),
    tab="Threshold",
    slow=work,
)
