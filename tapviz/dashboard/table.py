"""The score table, what is doubtful about it, and the samples of lines, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

import numpy as np

from tapviz.choices import Choices, Pinned
from tapviz.draw.style import COLORS, Style
from tapviz.explorer import Explorer
from tapviz.findings import describe
from tapviz.live.templates import Markup, escape, render
from tapviz.measures import Comparison
from tapviz.scores import DASH, SUBSCRIPT, Case, Column, Compared, Value, columns, number, value

LOWER = str.maketrans("0123456789kn", "₀₁₂₃₄₅₆₇₈₉ₖₙ")
TIES = "records of equal score in the worst and the best order"
INTERVAL = "95 % interval"


class Head(NamedTuple):
    """Head of a column, or of neighbours that belong together."""

    title: str
    help: str
    width: int
    below: tuple[Head, ...] = ()


class Cell(NamedTuple):
    """A cell of the body."""

    text: str
    kind: str = ""
    """Its CSS classes."""
    help: str = ""
    small: str = ""
    span: int = 1


class Row(NamedTuple):
    """A row of the body."""

    name: str
    cells: Sequence[Cell]
    sample: str = ""
    kind: str = ""


COMPARISON = (
    Head("difference", "of the mean TAP", 70),
    Head(INTERVAL, "by resampling the queries", 124),
    Head(
        "p",
        "paired randomization test, adjusted for the number of algorithms compared (Holm)",
        54,
    ),
    Head(
        "W/T/L",
        "wins, ties and losses: queries with a larger, an equal and a smaller TAP",
        94,
    ),
)


def subscripts(text: str) -> Markup:
    """Text as HTML, with the subscripts of E_20 and ROC_50 set lower."""
    return Markup(SUBSCRIPT.sub(r"\1<sub>\2</sub>", str(escape(text))))


def plain(text: str) -> str:
    """The same without markup: E₂₀, ROC₅₀."""
    return SUBSCRIPT.sub(lambda match: match[1] + match[2].translate(LOWER), text)


@cache
def swatch(style: Style, width: int = 44) -> str:
    """Sample of an algorithm's line."""
    dash = " ".join(map(str, style.dash)) or "none"
    black = style.color == COLORS[3]
    return render("swatch.html", width=width, color=style.color, dash=dash, black=black)


def score_table(
    explorer: Choices, styles: Mapping[str, Style], compared: Compared | None = None
) -> str:
    """The score table: a row for each algorithm shown, under the present choices.

    Parameters
    ----------
    explorer : Choices
    styles : mapping of str to Style
    compared : Compared, optional
        Intervals and comparisons, once they are there; until then their places are empty.
    """
    baseline, pinned = explorer.baseline, explorer.pinned
    shown = [
        column
        for column in columns([explorer.rule], explorer.n)
        if column.score.in_tables and (column.score.compact or not baseline)
    ]
    rows = []
    for name in explorer.shown:
        case = explorer.case(name)
        cells = [*_cells(name, case, shown, compared)]
        if baseline:
            cells += _comparison(name, baseline, compared)
        sample = Markup(swatch(styles[name], 24 if baseline else 44)) + " "
        rows.append(Row(name, cells, sample))
        if pinned is not None:
            cells = [*_changes(case, shown, pinned.scores[name])]
            cells += [Cell("", span=len(COMPARISON))] if baseline else []
            rows.append(Row("change since pin", cells, kind="pinned"))
    heads = list(_heads(shown, comparing=bool(baseline)))
    if baseline:
        heads.append(Head(f"difference from {baseline}", "", 0, COMPARISON))
    return render(
        "score_table.html",
        heads=heads,
        widths=[one.width for head in heads for one in head.below or (head,)],
        rows=rows,
        baseline=baseline,
        pinned=subscripts(_pinned_words(pinned, explorer)) if pinned is not None else "",
    )


def method(explorer: Explorer, compared: Compared | None) -> str:
    """How intervals and p-values were made, in a line below the table."""
    if compared is None or compared.bootstrap is None:
        return ""
    bootstrap = compared.bootstrap
    given = bootstrap.threshold_rule == "given"
    how = "the threshold given" if given else f"E_{explorer.k} re-estimated in each"
    words = f"{bootstrap.groups}. "
    if bootstrap.reason:
        words += f"No intervals: {bootstrap.reason}."
    else:
        unit = bootstrap.groups.unit
        words += f"Intervals: {bootstrap.n_resamples:,} resamples of the {unit}, {how}."
    tests = [one.test for one in compared.comparisons if np.isfinite(one.p)]
    if tests:
        words += f" p: {tests[0]}, Holm."
    if compared.comparisons:
        words += " Dotted underline: ties change this value."
    words += f" Seed {bootstrap.seed}."
    return render("method.html", words=subscripts(words), plain=plain(words)).strip()


def cautions(explorer: Explorer, compared: Compared | None = None) -> str:
    """The first thing to be cautious about, and all of them to open."""
    findings = explorer.findings(compared)
    words = [describe(one) for one in findings]
    return render(
        "cautions.html",
        cautions=[subscripts(text) for text in words],
        plain=plain(words[0]) + "." if words else "",
        by_k=explorer.view != "order" and any(one.kind == "order" for one in findings),
    ).strip()


def _heads(shown: Sequence[Column], *, comparing: bool) -> Iterator[Head]:
    """Heads of the columns of scores, neighbours of one group together."""
    for _, neighbours in groupby(shown, lambda column: column.score.group or column.score.name):
        members = list(neighbours)
        rule, n = members[0].rule, members[0].n
        heads = [head for column in members for head in _column_heads(column, comparing=comparing)]
        if group := members[0].score.group:
            yield Head(subscripts(group.format(k=rule.k, n=n)), "", 0, tuple(heads))
        else:
            yield from heads


def _column_heads(column: Column, *, comparing: bool) -> Iterator[Head]:
    score = column.score
    title = score.titled(column.rule, column.n, short=bool(score.group))
    if score.ties is not None:
        width = 58 if comparing else 124
    else:
        width = max(50 if score.digits else 58 if comparing else 62, 12 + 7 * len(title))
    help_ = plain(score.description.partition(". ")[0].removesuffix("."))
    yield Head(subscripts(title), help_, width)
    if score.interval_shown:
        yield Head(INTERVAL, "by resampling the queries", 104)


def _cells(
    name: str, case: Case, shown: Sequence[Column], compared: Compared | None
) -> Iterator[Cell]:
    reason = case.tap.reason
    if reason:
        # In place of all that would be at the threshold, why there is none.
        at = [column for column in shown if column.score.at_threshold]
        span = len(at) + sum(column.score.interval_shown for column in at) - 1
        yield Cell(DASH, help=reason)
        yield Cell(_not_reached(case), "why", span=span)
    for column in shown:
        score = column.score
        if reason and score.at_threshold:
            continue
        cell_value = value(case, score, name, compared)
        main = "main" if score.interval_shown else ""
        text, inside = score.text(cell_value.value), ""
        if np.isfinite(cell_value.low) and not score.interval_shown:
            inside = f"{INTERVAL}: {score.text(cell_value.low)} to {score.text(cell_value.high)}"
        if cell_value.tied:
            ends = f"{score.text(cell_value.worst)}–{score.text(cell_value.best)}"
            yield Cell(text, f"{main} tied".strip(), "; ".join(filter(None, (TIES, inside))), ends)
        else:
            yield Cell(text, main, inside)
        if score.interval_shown:
            text = "" if compared is None else _interval(cell_value, cell_value.no_interval)
            yield Cell(text, "interval")


def _not_reached(case: Case) -> str:
    if not case.lists.n_queries:
        return "no query is selected"
    if not np.isfinite(case.tap.reached):
        return case.tap.reason
    share = 100 * case.tap.reached
    rounded = f"{share:.0f} %" if share == 0 or share >= 1 else f"{share:.1f} %"
    errors = "1 error" if case.rule.k == 1 else f"{case.rule.k} errors"
    return f"not reached: {rounded} of queries have {errors}"


def _comparison(name: str, baseline: str, compared: Compared | None) -> Iterable[Cell]:
    if name == baseline:
        return [Cell("baseline", "why compared", span=len(COMPARISON))]
    blank = Cell("", "compared")
    if compared is None:
        return [blank] * len(COMPARISON)
    one = next((one for one in compared.comparisons if one.algorithm == name), None)
    if one is None or not np.isfinite(one.difference):
        return [Cell(DASH, "compared", one.reason if one else ""), *[blank] * 3]
    return [
        Cell(_difference(one.difference), "compared main"),
        Cell(_interval(one, compared.groups.few), "compared"),
        Cell(_p(one.p_holm), "compared", f"unadjusted: {_p(one.p)}"),
        Cell(f"{one.wins:,}/{one.ties:,}/{one.losses:,}", "compared"),
    ]


def _changes(case: Case, shown: Sequence[Column], pinned: Mapping[str, float]) -> Iterator[Cell]:
    """How the scores differ from those that were pinned; of thresholds, the pinned ones."""
    for column in shown:
        score, before = column.score, pinned[column.score.name]
        if score.range is None:
            yield Cell(score.text(before))
        else:
            yield Cell(_difference(case.value(score) - before, score.digits))
        if score.interval_shown:
            yield Cell("")


def _pinned_words(pinned: Pinned, explorer: Choices) -> str:
    at = pinned.rule.title
    if pinned.rule.k is not None and pinned.rule.quantile != explorer.param.quantile.default:
        at += f" (quantile {pinned.rule.quantile:g})"
    some = f"{pinned.n_queries:,} of {explorer.first.n_queries:,} queries"
    return f"{at}, ROC_{pinned.n}, {some}"


def _difference(change: float, digits: int | None = 3) -> str:
    """With its sign; of no fixed number of digits, as `number` writes it."""
    if not np.isfinite(change):
        return DASH
    if digits is None:
        return f"{'−' if change < 0 else '+'}{number(abs(change))}"
    return f"{change:+,.{digits}f}".replace("-", "−")


def _interval(one: Value | Comparison, few: str) -> str:
    if not np.isfinite(one.low):
        return few or DASH
    return f"{one.low:.3f} to {one.high:.3f}".replace("-", "−")


def _p(p: float) -> str:
    if not np.isfinite(p):
        return DASH
    return f"{p:.4f}" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"  # noqa: PLR2004
