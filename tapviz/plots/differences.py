"""Differences of every two algorithms by one score: dots with their intervals, a row for a pair."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np

from tapviz.draw import picture as p
from tapviz.draw.style import INK, shortened_apart, subscript
from tapviz.lists.words import count, shortened
from tapviz.measures import Groups, PairDifference, Scored, pairwise
from tapviz.measures.differences import NO_INTERVAL, in_common
from tapviz.measures.groups import counted
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, THRESHOLD, Plot, PlotData
from tapviz.scores import SUBSCRIPT, Score, differences, p_text
from tapviz.scores.conclusion import CHOSEN_QUERIES
from tapviz.state import RESAMPLING

ROWS = 28
"""Pairs that have room: every two of eight algorithms."""
ROOMY = 12
"""Rows that a plot of the usual height has room for."""
ROW, AROUND = 15, 66
"""Height of a row of a higher plot, and of all above and below the rows, in pixels."""
USUAL = ROOMY * ROW + AROUND
LONGEST_OF_TWO = 16
"""Characters of a name."""
# Room beside the scale, on the right for numbers, in its widths.
LEFT, RIGHT = 0.04, 0.75
TOP = 1.4
"""Places of rows are 0, -1, -2, ...; above them stands what the dots are."""
DEPENDS = (*FILTER, *THRESHOLD, "n", "algorithms", "baseline", *RESAMPLING, "compared_score")
"""Choices that make differences."""
KEY, NO_KEY, NOT_JUDGED = "● clear  ○ not clear", "○ no interval is known", "○ not judged"
COMPUTING = "computing intervals …"
FEW = "Differences are of two programs: tick at least two."


def pairs(data: PlotData) -> list[PairDifference]:
    """Every two algorithms by the score that is chosen, the better one first; most apart first.

    Without intervals and p while these are computed.
    """
    explorer, score = data.explorer, data.explorer.score_compared
    if data.compared is not None:
        found = differences(data.compared, score.name)
    else:
        scored = {}
        for name, case in explorer.cases.items():
            why = case.tap.reason if score.at_threshold else ""
            known, rising = (case.value(score), case.per_query(score)), score.sign > 0
            scored[name] = Scored(*known, higher_is_better=rising, reason=why)
        queries = Groups.single(data.lists.n_queries)
        alike, *_ = in_common(scored, queries, data.lists.weight)
        means = {name: one._replace(per_query=None) for name, one in alike.items()}
        found = pairwise({score.name: means}, groups=queries)
    found = [one.turned if one.difference.estimate < 0 else one for one in found]
    return sorted(found, key=lambda one: -np.nan_to_num(one.difference.estimate, nan=-1.0))


def shown(data: PlotData) -> list[PairDifference]:
    """The pairs that have room: all; or those with the baseline, or the algorithm in focus."""
    found = [one for one in pairs(data) if math.isfinite(one.difference.estimate)]
    if len(found) <= ROWS:
        return found
    named, rows = data.explorer.baseline or data.explorer.focus_algorithm, data.explorer.rows
    with_it = named if named in rows else rows[0]
    return [one for one in found if with_it in (one.first, one.second)][:ROWS]


def text(data: PlotData) -> str:
    """The plot in words."""
    found, score, title = pairs(data), data.explorer.score_compared, score_title(data)
    if not found:
        return FEW
    missing = sorted({part for one in found for part in undefined(one)})
    sentences = [f"No difference is defined with {part}" for part in missing]
    found = [one for one in found if math.isfinite(one.difference.estimate)]
    told = [one for one in found if one.clear]
    if data.compared is None and found:
        sentences.append(f"Intervals of the differences by {title} are being computed.")
    elif found and not _measured(found):
        why = (found[0].reason or "").removeprefix(NO_INTERVAL)
        sentences.append(f"No difference by {title} has an interval: {why}.")
    elif found and data.compared and data.compared.chosen:
        sentences.append(f"By {title} no difference is judged: {CHOSEN_QUERIES}.")
    elif found:
        differ = "differs" if len(told) == 1 else "differ"
        phrases = [_phrase(score, one) for one in told[:3]] + ["and others"] * bool(told[3:])
        of = f"{len(told)} of {count(len(found), 'pair')} of programs {differ} clearly"
        sentences.append(f"By {title} {of}{': ' if told else ''}{'; '.join(phrases)}.")
    return " ".join(sentences)


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices: a row for each pair at y = 0, -1, ...

    "bar" (x0, y0, x1, y1, pair): the interval. "clear" and "open" (x, y, color, pair): the
    difference, clear and not. "value" (x, y, text, color, pair): the difference with p. "key" (x,
    y, text, color): what a hollow dot is. "missing": why there is no row. "row" (x0, y0, x1, y1,
    text): an invisible box over all of it; `text` is HTML for the mouse.
    """
    found, score = shown(data), data.explorer.score_compared
    ends = np.array([score.less(one) for one in found], np.float64).reshape(-1, 3)
    low, high = c.coarse_limits(ends[np.isfinite(ends)]) if found else (0.0, 1.0)
    width = high - low
    left, right = low - LEFT * width, high + RIGHT * width
    bottom = -max(len(found), 4) + 0.4
    y = -np.arange(len(found), dtype=np.float64)
    judged, measured = not (data.compared and data.compared.chosen), np.isfinite(ends[:, 1])
    clear = np.array([judged and one.clear for one in found], np.bool_)
    pair = np.array([f"{one.first} − {one.second}" for one in found], np.object_)
    color = np.array([data.styles[one.first].color for one in found], np.object_)
    bars = {"x0": ends[:, 1], "y0": y, "x1": ends[:, 2], "y1": y, "pair": pair}
    dots = {"x": ends[:, 0], "y": y, "color": color, "pair": pair}
    hollow = dots | {"color": np.full(y.size, "white", np.object_)}
    said = [score.signed(score.less(one).estimate) + _p(one) for one in found]
    values = c.label_columns(high + 0.03 * width, y, said, INK)
    reasons = {
        part.replace(name, shortened(name, c.LONGEST))
        for one in ([] if found else pairs(data))
        for part in undefined(one)
        for name in (one.first, one.second)
        if part.startswith(name)
    }
    missing = [] if found else [min(reasons, default=FEW)]
    key = NO_KEY if not _measured(found) else KEY if judged else NOT_JUDGED
    keys = [key if data.compared else COMPUTING] if found else []
    every = math.comb(len(data.explorer.rows), 2)
    some = f" ({len(found)} of {count(every, 'pair')})" if len(found) < every else ""
    pairs_short = [shortened_apart((one.first, one.second), LONGEST_OF_TWO) for one in found]
    ticks = {-float(row): " − ".join(two) for row, two in enumerate(pairs_short)}
    return p.Picture(
        (
            c.zero(bottom),
            p.segments("bar", c.some(bars, measured), INK, width=2),
            p.points("open", c.some(hollow, ~clear), size=8, line_color=INK),
            p.points("clear", c.some(dots, clear), size=8, line_color=None),
            p.texts("value", values | {"pair": pair}),
            p.texts("key", c.label_columns(low, 1.0, keys, INK, 60), note=True),
            p.texts("missing", c.label_columns(left, 0.0, missing, INK, 90)),
            c.rows(left, right, y, [tooltip_html(data, one) for one in found]),
        ),
        p.Axis(f"{plain_score(data)}, first − second{some}", left, right, data_end=high),
        p.Axis("pair", bottom, TOP, ticks=ticks),
        tall=tall(len(found)),
    )


def pair_at(data: PlotData, _x: float, y: float) -> tuple[str, str] | None:
    """The two algorithms of the row that a click hits."""
    found, row = shown(data), round(-y)
    return (found[row].first, found[row].second) if 0 <= row < len(found) else None


def tall(rows: float) -> float:
    """Height of a plot with so many rows, as a multiple of the usual one."""
    return max(1.0, (rows * ROW + AROUND) / USUAL)


def score_title(data: PlotData) -> str:
    """What the score is called: TAP-20, pooled ROC_50."""
    return data.explorer.score_compared.titled(data.explorer.rule, data.explorer.n)


def tooltip_html(data: PlotData, one: PairDifference) -> str:
    """All that is known of a pair, for the mouse."""
    score = data.explorer.score_compared
    estimate, low, high = score.less(one)
    names = [f"<b>{html.escape(name)}</b>" for name in (one.first, one.second)]
    lines = [" − ".join(names), f"{html.escape(plain_score(data))} {score.signed(estimate)}"]
    if data.compared is None:
        return "<br>".join([*lines, "interval and p: computing …"])
    if math.isfinite(low):
        level = data.compared.level
        lines.append(f"{100 * level:g} % interval {score.between(low, high)}, p {p_text(one.p)}")
        lines += [] if data.compared.chosen else [words_of(one)]
    if one.counted:
        won, tied, lost = map(count, one.counts, ("win", "tie", "loss"))
        lines.append(f"{won}, {tied}, {lost}")
    lines.append(counted(one.units, one.unit))
    return "<br>".join([*lines, *([html.escape(one.reason)] if one.reason else [])])


def words_of(one: PairDifference) -> str:
    """Whether the two differ clearly, in few words."""
    if one.identical:
        return "identical: every query scores the same"
    if one.ties_decide:
        return "the order of equal scores decides"
    return "a clear difference" if one.clear else "no clear difference"


def undefined(one: PairDifference) -> list[str]:
    """Which algorithm has no score, and why, if the difference is undefined."""
    if math.isfinite(one.difference.estimate) or one.reason is None:
        return []
    return [part if part.endswith(".") else f"{part}." for part in one.reason.split("; ")]


def plain_score(data: PlotData) -> str:
    """The title with its subscript lowered."""
    return SUBSCRIPT.sub(lambda match: subscript(match[1]), score_title(data))


def _measured(found: Sequence[PairDifference]) -> bool:
    """Whether a difference has an interval, without which nobody knows what is clear."""
    return any(math.isfinite(one.difference.low) for one in found)


def _p(one: PairDifference) -> str:
    return f", p {p_text(one.p)}" if one.test else ""


def _phrase(score: Score, one: PairDifference) -> str:
    estimate, low, high = score.less(one)
    between = score.between(low, high) + _p(one)
    return f"{one.first} against {one.second} {score.signed(estimate)} ({between})"


PLOT = Plot(
    name="differences",
    title="Differences",
    caption="95 % intervals that hold for all pairs at once",
    how_to_read="""Each row compares two programs, the better one first: the difference between
    their scores on the same queries, with an interval wide enough for those of all pairs to hold at
    once, for every order of records of equal score. A filled dot marks a clear difference, one
    whose interval does not reach 0; the sentence above says the same. None is filled where queries
    were chosen by how programs do on them. Click a row to open A vs B for the two.""",
    printed="""Score of the first program minus that of the second on the same queries, with 95 %
    intervals that hold for all pairs at once. Filled dots: clear differences.""",
    depends=DEPENDS,
    picture=picture,
    text=text,
    tab="Differences",
    of="pairs",
    needs="several",
    compares=True,
    reads="either",
    pair_at=pair_at,
)
