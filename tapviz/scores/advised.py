"""Advice about thresholds written out: as text, CSV and JSON."""

from __future__ import annotations

import json
from math import inf, isfinite, isnan
from typing import Any

from tapviz import spreadsheet
from tapviz.measures import Advice, Advised, Figure
from tapviz.scores._layout import aligned, in_full, jsonable
from tapviz.scores.table import DASH, number
from tapviz.scores.written import versions

TITLES = {
    "errors": "errors per query",
    "recall": "recall",
    "precision": "precision",
    "tap": "TAP",
    "exceeding": "with more errors",
}
"""What the figures are called."""
NUMBERS = ("value", "low", "high", "in_sample")


def figure_text(name: str, value: float) -> str:
    """A figure as tables write it; errors per query have no fixed number of digits.

    Examples
    --------
    >>> from tapviz.scores import figure_text
    >>> figure_text("recall", 0.33125), figure_text("errors", 0.0974)
    ('0.331', '0.0974')
    """
    if not isfinite(value):
        return DASH
    return number(value) if name == "errors" else f"{value:.3f}"


def threshold_text(value: float) -> str:
    """A threshold as tables write it; an infinite one is beyond what was reported.

    Examples
    --------
    >>> from math import inf
    >>> from tapviz.scores import threshold_text
    >>> threshold_text(0.047), threshold_text(inf)
    ('0.047', 'beyond the lists')
    """
    if isnan(value):
        return DASH
    return "beyond the lists" if abs(value) == inf else number(value)


def threshold_interval(one: Advised, few: str) -> str:
    """Interval of a threshold in words.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import advise
    >>> from tapviz.scores import threshold_interval
    >>> found = advise({"BLASTP": load_results()["BLASTP"]}, n_resamples=100, n_repeats=2)
    >>> threshold_interval(found.algorithms["BLASTP"], found.reason).count(" to ")
    1
    """
    _, low, high = one.threshold
    if isnan(low):
        return few or DASH
    return f"{threshold_text(low)} to {threshold_text(high)}"


def figure_interval(name: str, one: Figure, few: str) -> str:
    """Interval of a figure in words.

    Examples
    --------
    >>> from tapviz.measures import Figure
    >>> from tapviz.scores import figure_interval
    >>> figure_interval("tap", Figure(0.4, 0.35, 0.45, 0.41), "")
    '0.350 to 0.450'
    """
    if isnan(one.low):
        return few or DASH
    return f"{figure_text(name, one.low)} to {figure_text(name, one.high)}"


def advice_method(advice: Advice) -> list[str]:
    """How the advice came about, in sentences.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import advise
    >>> from tapviz.scores import advice_method
    >>> found = advise({"BLASTP": load_results()["BLASTP"]}, n_resamples=100, n_repeats=2)
    >>> advice_method(found)[0]
    'Accepted: 0.1 errors per query on average. 431 superfamilies, 862 queries.'
    """
    unit = advice.groups.unit
    lines = [f"Accepted: {advice.accepted}. {advice.groups}."]
    if advice.n_folds > 1:
        lines.append(
            f"Figures are for new queries: the threshold is found on {advice.n_folds - 1} of "
            f"{advice.n_folds} parts of the {unit} and judged on the other, "
            f"{advice.n_repeats} times; seed {advice.seed}."
        )
    else:
        lines.append(f"No figures for new queries: fewer than 2 {unit}.")
    if advice.n_resamples:
        lines.append(
            f"Intervals: {100 * advice.level:g} %, {advice.n_resamples:,} resamples of the {unit}."
        )
    return lines


def advice_warnings(advice: Advice, *, reasons: bool = True) -> list[str]:
    """Why some algorithms have no threshold, and where lists of a part ended.

    Parameters
    ----------
    advice : Advice
    reasons : bool
        Whether to say of algorithms without a threshold why; otherwise that stands elsewhere.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import advise
    >>> from tapviz.scores import advice_warnings
    >>> lists = load_results()["DIAMOND_default"]
    >>> advice_warnings(advise({"DIAMOND": lists}))
    ['DIAMOND: not reached: 0.0255 errors per query at 10, beyond which nothing was measured']
    """
    warnings = []
    for name, one in advice.algorithms.items():
        if one.reason and reasons:
            warnings.append(f"{name}: {one.reason}")
        if one.n_ended:
            parts = advice.n_folds * advice.n_repeats
            warnings.append(
                f"{name}: in {one.n_ended:,} of {parts:,} parts the lists end before there are as "
                "many errors; they were judged at their end"
            )
    return warnings


def advice_table(advice: Advice, doubts: tuple[str, ...] = ()) -> str:
    """The advice as text for a terminal.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import advise
    >>> from tapviz.scores import advice_table
    >>> found = advise({"BLASTP": load_results()["BLASTP"]}, n_resamples=100, n_repeats=2)
    >>> advice_table(found).split()[:2]
    ['algorithm', 'figure']
    """
    level = f"{100 * advice.level:g} % interval"
    rows = [["algorithm", "figure", "new queries", level, "in the sample", "gap"]]
    for name, one in advice.algorithms.items():
        few = (advice.reason or one.few_errors) if not one.reason else ""
        at = threshold_text(one.threshold.estimate)
        rows.append([name, "threshold", at, threshold_interval(one, few), "", ""])
        if one.reason:
            continue
        rows += [
            [
                "",
                TITLES[figure],
                figure_text(figure, value.estimate),
                figure_interval(figure, value, few),
                figure_text(figure, value.in_sample),
                gap_text(figure, value),
            ]
            for figure, value in one.figures.items()
        ]
    parts = [aligned(rows, left=2), "\n".join(advice_method(advice))]
    if warnings := [*doubts, *advice_warnings(advice)]:
        parts.append("\n".join(f"warning: {text}" for text in warnings))
    return "\n\n".join(parts).replace(DASH, "-") + "\n"


def gap_text(name: str, one: Figure) -> str:
    """How much a figure for new queries differs from that in the sample, with its sign.

    Examples
    --------
    >>> from tapviz.measures import Figure
    >>> from tapviz.scores import gap_text
    >>> gap_text("tap", Figure(0.4, 0.35, 0.45, 0.41))
    '-0.010'
    """
    if not isfinite(one.gap):
        return DASH
    return f"{one.gap:+.2g}" if name == "errors" else f"{one.gap:+.3f}"


def advice_csv(advice: Advice, _doubts: tuple[str, ...] = ()) -> str:
    """The advice as a long table, a row for each figure of each algorithm; numbers in full.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import advise
    >>> from tapviz.scores import advice_csv
    >>> found = advise({"BLASTP": load_results()["BLASTP"]}, n_resamples=100, n_repeats=2)
    >>> advice_csv(found).splitlines()[0]
    'algorithm,figure,value,low,high,in_sample,reason'
    """
    rows = [["algorithm", "figure", *NUMBERS, "reason"]]
    for name, one in advice.algorithms.items():
        rows.append([name, "threshold", *map(in_full, one.threshold), "", one.reason])
        rows += [
            [name, figure, *map(in_full, value), one.reason]
            for figure, value in one.figures.items()
        ]
    return spreadsheet.as_csv(rows)


def advice_json(advice: Advice, doubts: tuple[str, ...] = ()) -> str:
    """The advice as JSON; undefined numbers are null.

    Examples
    --------
    >>> import json
    >>> from tapviz import load_results
    >>> from tapviz.measures import advise
    >>> from tapviz.scores import advice_json
    >>> found = advise({"BLASTP": load_results()["BLASTP"]}, n_resamples=100, n_repeats=2)
    >>> list(json.loads(advice_json(found)))
    ['versions', 'accepted', 'policies', 'resampled', 'algorithms', 'warnings']
    """
    plain = {
        "versions": versions(),
        "accepted": advice.accepted._asdict(),
        "policies": {
            "n_folds": advice.n_folds,
            "n_repeats": advice.n_repeats,
            "n_resamples": advice.n_resamples,
            "seed": advice.seed,
            "level": advice.level,
        },
        "resampled": {
            "unit": advice.groups.unit,
            "count": advice.groups.count,
            "queries": advice.groups.code.size,
            "why_no_interval": advice.reason,
        },
        "algorithms": [_algorithm(name, one) for name, one in advice.algorithms.items()],
        "warnings": [*doubts, *advice_warnings(advice)],
    }
    return json.dumps(jsonable(plain), indent=1, allow_nan=False) + "\n"


def _algorithm(name: str, one: Advised) -> dict[str, Any]:
    threshold = dict(zip(NUMBERS, one.threshold, strict=False))
    figures = {
        figure: dict(zip(NUMBERS, value, strict=True)) for figure, value in one.figures.items()
    }
    return {
        "algorithm": name,
        "threshold": threshold,
        **figures,
        "n_ended": one.n_ended,
        "few_errors": one.few_errors,
        "reason": one.reason,
    }
