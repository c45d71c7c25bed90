"""Advice about thresholds written out: as text, CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite, isinf, isnan
from typing import Any

from tapviz import measures
from tapviz.lists import RetrievalLists, writing
from tapviz.lists.words import MINUS
from tapviz.scores.table import DASH, number
from tapviz.scores.written import aligned, in_full, json_text, resampled, versions

__all__ = [
    "advice_csv", "advice_json", "advice_method", "advice_of", "advice_table", "advice_warnings",
    "figure_interval", "figure_text", "gap_text", "kinds_of_threshold",
]  # fmt: skip

TITLES = {
    "threshold": "threshold",
    "errors": "errors per query",
    "recall": "recall",
    "precision": "precision",
    "tap": "TAP",
    "exceeding": "queries above the limit",
}
"""What the figures are called."""
NUMBERS = ("value", "low", "high", "in_sample")
POLICIES = ("n_folds", "n_repeats", "n_resamples", "seed", "level", "confidence")


def advice_of(
    results: Mapping[str, RetrievalLists],
    *,
    weights: measures.QueryWeights,
    groups: str | None = None,
    **options: Any,
) -> measures.Advice:
    """Thresholds for algorithms whose queries are weighted alike.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
    weights : str
        How queries are weighted: see `tapviz.measures.weigh`.
    groups : str, optional
        Queries that are drawn together: by default those that share relevant records; "" if each
        is drawn by itself.
    **options
        Those of `tapviz.measures.advise`.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import advice_of
    >>> results = load_results("profiles")
    >>> advice = advice_of(results, weights="relevant", errors=0.5, n_repeats=1)
    >>> advice.accepted.errors, list(advice.algorithms) == list(results)
    (0.5, True)
    """
    weighted = {name: measures.weigh(lists, weights) for name, lists in results.items()}
    drawn = "relevance" if groups is None else groups or None
    return measures.advise(weighted, groups=drawn, **options)


def figure_text(name: str, value: float) -> str:
    """A figure as tables write it; thresholds and errors have no fixed number of digits.

    Examples
    --------
    >>> from tapviz.scores import figure_text
    >>> figure_text("recall", 0.33125), figure_text("errors", 0.0974)
    ('0.331', '0.0974')
    """
    if not isfinite(value):
        return DASH
    return number(value) if name in ("threshold", "errors") else f"{value:.3f}"


def figure_interval(name: str, one: measures.Figure | measures.Interval, few: str) -> str:
    """Interval of a figure or a threshold in words.

    Examples
    --------
    >>> from math import inf
    >>> from tapviz.measures import Figure, Interval
    >>> from tapviz.scores import figure_interval
    >>> figure_interval("tap", Figure(0.4, 0.35, 0.45, 0.41), "")
    '0.350 to 0.450'
    >>> figure_interval("threshold", Interval(0.02, -inf, 0.3), "")
    'up to 0.3'
    """
    if isnan(one.low):
        return few or DASH
    low, high = figure_text(name, one.low), figure_text(name, one.high)
    if isinf(one.low):
        return "any" if isinf(one.high) else f"up to {high}"
    return f"{low} or more" if isinf(one.high) else f"{low} to {high}"


def kinds_of_threshold(accepted: measures.AcceptedErrors, confidence: float) -> tuple[str, str]:
    """What the threshold that is promised is called, and the other.

    Examples
    --------
    >>> from tapviz.measures import AcceptedErrors
    >>> from tapviz.scores import kinds_of_threshold
    >>> kinds_of_threshold(AcceptedErrors(0.1), 0.9)
    ('at most, 90 % sure', 'on average')
    """
    about = "on average" if accepted.statistic == "mean" else "expected"
    return f"at most, {100 * confidence:g} % sure", about


def advice_method(advice: measures.Advice) -> list[str]:
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
        parts = f"{advice.n_folds - 1} of {advice.n_folds} parts of the {unit}"
        lines.append(
            f"Figures are for new queries: the threshold is found on {parts} and judged on the "
            f"other, {advice.n_repeats} times; seed {advice.seed}."
        )
    else:
        lines.append(f"No figures for new queries: fewer than 2 {unit}.")
    if advice.n_resamples:
        promised, found = kinds_of_threshold(advice.accepted, advice.confidence)
        lines.append(
            f"Intervals: {100 * advice.level:g} %; of recall and TAP by {advice.n_resamples:,} "
            f"resamples of the {unit}, of the others by how errors are spread over them."
        )
        lines.append(
            f"Threshold {found}: other {unit} have more errors than accepted about every other "
            f"time. Threshold {promised}: in no more than {100 * (1 - advice.confidence):g} of 100 "
            f"such samples, unless {unit} that are not among them are far worse than the worst "
            "here."
        )
    return lines


def advice_warnings(advice: measures.Advice, *, reasons: bool = True) -> list[str]:
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
        promised = one.promised.reason
        if one.reason and reasons:
            warnings.append(f"{name}: {one.reason}")
        if promised and promised != one.reason and reasons:
            warnings.append(f"{name}: no threshold is promised: {promised}")
        if one.n_ended:
            of = f"{one.n_ended:,} of {advice.n_folds * advice.n_repeats:,} parts"
            end = "the lists end before there are as many errors; they were judged at their end"
            warnings.append(f"{name}: in {of} {end}")
    return warnings


def advice_table(advice: measures.Advice, doubts: tuple[str, ...] = ()) -> str:
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
    promised, found = kinds_of_threshold(advice.accepted, advice.confidence)
    for name, one in advice.algorithms.items():
        at = figure_text("threshold", one.threshold.estimate)
        span = figure_interval("threshold", one.threshold, "" if one.reason else advice.reason)
        rows.append([name, f"threshold, {found}", at, span, "", ""])
        for figure, value in one.figures.items() if not one.reason else ():
            new, old = (figure_text(figure, at) for at in (value.estimate, value.in_sample))
            span = figure_interval(figure, value, advice.reason)
            rows.append(["", TITLES[figure], new, span, old, gap_text(figure, value)])
        at = figure_text("threshold", one.promised.threshold)
        rows.append(["", f"threshold, {promised}", at, "", "", ""])
        for figure, here in _promised(one).items() if not one.promised.reason else ():
            at = figure_text(figure, here)
            rows.append(["", f"{TITLES[figure]} there", "", "", at, ""])
    parts = [aligned(rows, left=2), "\n".join(advice_method(advice))]
    if warnings := [*doubts, *advice_warnings(advice)]:
        parts.append("\n".join(f"warning: {text}" for text in warnings))
    return "\n\n".join(parts).replace(DASH, "-").replace(MINUS, "-") + "\n"


def gap_text(name: str, one: measures.Figure) -> str:
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


def advice_csv(advice: measures.Advice, _doubts: tuple[str, ...] = ()) -> str:
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
    return writing.as_csv([["algorithm", "figure", *NUMBERS, "reason"], *_csv_rows(advice)])


def _csv_rows(advice: measures.Advice) -> Iterator[list[str]]:
    for name, one in advice.algorithms.items():
        yield [name, "threshold", *map(in_full, one.threshold), "", one.reason]
        for figure, value in one.figures.items():
            yield [name, figure, *map(in_full, value), one.reason]
        at, reason = one.promised.threshold, one.promised.reason
        yield [name, "promised_threshold", in_full(at), "", "", "", reason]
        for figure, here in _promised(one).items():
            yield [name, f"promised_{figure}", "", "", "", in_full(here), reason]


def advice_json(advice: measures.Advice, doubts: tuple[str, ...] = ()) -> str:
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
        "policies": {name: getattr(advice, name) for name in POLICIES},
        "resampled": resampled(advice.groups, advice.reason),
        "algorithms": [_algorithm(name, one) for name, one in advice.algorithms.items()],
        "warnings": [*doubts, *advice_warnings(advice)],
    }
    return json_text(plain)


def _algorithm(name: str, one: measures.Advised) -> dict[str, object]:
    figures = {"threshold": one.threshold, **one.figures}
    at, reason = one.promised.threshold, one.promised.reason
    return {
        "algorithm": name,
        **{figure: dict(zip(NUMBERS, of, strict=False)) for figure, of in figures.items()},
        "n_ended": one.n_ended,
        "reason": one.reason,
        "promised": {"threshold": at, "in_sample": _promised(one), "reason": reason},
    }


def _promised(one: measures.Advised) -> dict[str, float]:
    """Figures of the queries at hand at the threshold that is promised."""
    return {"errors": one.promised.errors, "recall": one.promised.recall}
