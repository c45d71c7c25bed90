"""The threshold for the errors that are accepted, on the curve of what is found for more errors."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import isfinite
from textwrap import wrap

import numpy as np

from tapviz import measures as m
from tapviz.draw import picture as p
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import INK, brief, shortened_apart
from tapviz.plots import columns as c
from tapviz.plots import coverage
from tapviz.plots.names import Places
from tapviz.plots.plot import FILTER, Plot, PlotData, Work
from tapviz.state import ACCEPTED

TITLES = "errors per query (log scale)", "share found (mean recall)"
"""Of the axes."""
MARGIN = 0.78
"""Room right of the lines for names with thresholds, in widths of the plot."""
LONGEST = 16
"""Characters of a name that have room beside its threshold."""
LINE, LINE_GAP = 40, 0.06
"""Characters of a line of the notice, and from one to the next, in heights of the plot."""
SURE = f"{100 * m.USUAL_CONFIDENCE:g} % sure"


def text(data: PlotData) -> str:
    """The plot in words."""
    at, promised, relation = thresholds(data), promises(data), relation_of(data)
    if not at:
        return "No program is shown."
    advised = _expected(data, at)
    parts = []
    for name, one in at.items():
        sure = promised[name]
        keeps = f"at most so many, {SURE}: {relation} {brief(sure.threshold)}"
        keeps += f", recall {sure.recall:.3f}"
        if sure.reason:
            keeps = f"none with at most so many ({sure.reason})"
        if one.reason:
            same = "" if sure.reason == one.reason else f"; {keeps}"
            parts.append(f"{name} has no threshold ({one.reason}){same}")
            continue
        recall, errors = f"{one.recall:.3f} in the sample", f"{brief(one.errors)} in the sample"
        if name in advised:
            recall = f"{advised[name].recall.estimate:.3f} ({recall})"
            errors = f"{brief(advised[name].errors.estimate)} ({errors})"
        part = f"{name} {relation} {brief(one.threshold)}, recall {recall}, errors {errors}"
        parts.append(f"{part}; {keeps}")
    return f"For {data.explorer.accepted}: {'; '.join(parts)}."


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices: the curves, and what follows the errors accepted.

    "line" (x, y): the errors accepted. "range NAME" (x, y): intervals of "new". "threshold" and
    "promised" (x, y, color): errors and recall, at each, of the queries that they were found on;
    "new" (x, y, color): at the first, of queries that it was not found on. "name": algorithms with
    what is promised. "notice": why there is none for any.
    """
    explorer, scale, accepted = data.explorer, data.settled(_scale), data.explorer.accepted
    epq = accepted.quantile if accepted.statistic == "quantile" else accepted.statistic
    options = {"epq": epq, "coverage": "mean_recall"}
    curves = explorer.once(
        ("curves", PLOT.name),
        (explorer.lists, tuple(explorer.shown), *options.values()),
        lambda: coverage.curves(data, options, scale, TITLES, "recall", MARGIN),
    )
    at, promised, relation = thresholds(data), promises(data), relation_of(data)
    errors, top = accepted.errors, curves.y.end
    new, ranges = {}, {}
    for name, one in _expected(data, at).items():
        x, y = float(scale.position(one.errors.estimate)), one.recall.estimate
        new[name] = x, y
        # Across, and up and down; an end that is not known draws nothing.
        left, right = scale.position([one.errors.low, one.errors.high]).tolist()
        ranges[name] = {
            "x": np.array([left, right, np.nan, x, x]),
            "y": np.array([y, y, np.nan, one.recall.low, one.recall.high]),
        }
    alone, short = (shortened_apart([*at], longest) for longest in (c.LONGEST, LONGEST))
    words = {
        own: f"{name}, none" if one.reason else f"{name} {relation} {brief(one.threshold)}"
        for own, name, one in zip(alone, short, promised.values(), strict=True)
    }
    named = curves.top[0].columns
    texts = np.array([words[name] for name in named["text"].tolist()], np.object_)
    reasons = {one.reason for one in at.values()}
    common = [*reasons] if len(reasons) == 1 and "" not in reasons else []
    middle = (curves.x.start + (curves.x.data_end or curves.x.end)) / 2  # the names are right of it
    lines = wrap(" ".join(common), LINE)
    heights = top * (0.96 - LINE_GAP * np.arange(len(lines)))
    notice = c.label_columns(middle, heights, lines, INK, LINE)
    place = float(scale.position(errors)) if errors <= scale.high else None

    def places(of: Mapping[str, m.LoosestThreshold]) -> Places:
        known = [(name, one) for name, one in of.items() if not one.reason]
        return {name: (float(scale.position(one.errors)), one.recall) for name, one in known}

    found, low = places(at), c.marks(data, places(promised))
    beside = p.texts("name", {**named, "text": texts}, moving=True)
    reason = p.texts("notice", notice, align="center", moving=True)
    return curves._replace(top=(beside, reason, curves.top[-1])).picture(
        c.upright(place, 0.0, top, drags="accepted_errors"),
        *c.each_line(data, "range ", ranges, dash=(), width=1.4, moving=True),
        c.diamonds(data, found),
        p.points("new", c.marks(data, new), size=8, moving=True),
        p.points("promised", low, marker="inverted_triangle", size=10, moving=True),
    )


def _expected(data: PlotData, at: Mapping[str, m.LoosestThreshold]) -> dict[str, m.Advised]:
    """What to expect of new queries, of the algorithms of which that is known."""
    advice = data.slow.get(PLOT.name)
    advised = {} if advice is None else advice.algorithms
    return {
        name: advised[name]
        for name in data.styles
        if name in at and not at[name].reason and name in advised
        if isfinite(advised[name].recall.estimate)
    }


def work(data: PlotData) -> tuple[Hashable, Work]:
    """What the advice depends on, and what works it out."""
    explorer = data.explorer
    lists = {name: explorer.lists[name] for name in explorer.shown}
    accepted, groups = explorer.accepted, explorer.groups or None
    key = (tuple(lists), tuple(lists.values()), accepted, groups)

    def find(progress: m.OnProgress | None) -> m.Advice | None:
        more = {**accepted._asdict(), "groups": groups, "progress": progress}
        return m.advise(lists, **more) if lists else None

    return key, find


def thresholds(data: PlotData) -> dict[str, m.LoosestThreshold]:
    """Threshold of each algorithm shown, found on the queries selected."""
    return data.each(m.loosest_threshold, **data.explorer.accepted._asdict())


def promises(data: PlotData) -> dict[str, m.LoosestThreshold]:
    """That with at most as many errors among new queries, with the usual confidence."""
    accepted, groups = data.explorer.accepted._asdict(), data.explorer.groups or None
    return data.each(m.promised_threshold, **accepted, groups=groups)


def relation_of(data: PlotData) -> str:
    """What stands before a threshold: records on this side of it are retrieved."""
    return "score ≥" if data.axis.descending else "E ≤" if data.axis.log else "score ≤"


def _scale(data: PlotData) -> PowerScale:
    return coverage.errors_axis(data, "mean_recall")


PLOT: Plot = Plot(
    name="threshold",
    title="Threshold",
    caption=f"use the value beside the name (▼ at most, {SURE}) · ◆ expected · ● new queries",
    how_to_read=f"""The mean share of the relevant records found as the threshold is loosened,
    against the errors per query that this costs. The vertical line is the number of errors you
    accept. A triangle marks the threshold with at most as many errors among new queries, {SURE};
    its value stands beside the name and is the one to search with. A diamond marks the threshold
    with as many on average, or as expected of a median or quantile, which new queries exceed about
    every other time; a dot, with its intervals, shows what to expect of new queries there.
    Triangles and diamonds show where the queries at hand are. E_k only compares programs at equal
    errors, and the peak of TAP was chosen on these very queries.""",
    printed=f"""Mean recall against the errors per query that a threshold costs. Vertical line: the
    errors accepted; triangles, and beside each name: the loosest threshold with at most as many
    among new queries, {SURE}. Diamonds: that with as many on average; dots with 95 % intervals:
    expected there of new queries.""",
    depends=(*FILTER, *ACCEPTED, "algorithms", "groups"),
    picture=picture,
    text=text,
    tab="Threshold",
    slow=work,
)
