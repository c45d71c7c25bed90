"""The score table, what is doubtful about it, and the samples of lines, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from tapviz import scores as scoring
from tapviz.draw.style import COLORS, Style, subscript, told_apart
from tapviz.explorer import Explorer
from tapviz.files.options import field_name
from tapviz.lists.reported import FIELD, as_called
from tapviz.lists.words import count, ordinal, percent
from tapviz.live.templates import Markup, environment, escape, render
from tapviz.measures import Tap, disagreements, weight_titles
from tapviz.scores.findings import describe
from tapviz.state import Choices, Pinned

TIES = "records of equal score in the worst and the best order"
INTERVAL = "95 % interval"
DRAWN = "by resampling the queries; the dots and bars of the column are on one axis"
LONGEST = 18
"""Characters of a name, where several begin alike: as many as beside a line of a plot."""
SINCE = "change since pin"
TIGHT = 0.05
"""Ends of the axis of a column of intervals are multiples of this share of a power of ten."""


Columns = Sequence[scoring.Column]
Known = scoring.Compared | None
"""Intervals and comparisons, once they are there."""


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
    bar: Bar | None = None
    """An interval, drawn."""


def on_page(color: str) -> str:
    """Colour of an algorithm for a style sheet; black is white on a dark page."""
    return "var(--tv-black, #000)" if color == COLORS[3] else color


class Bar(NamedTuple):
    """An interval and its estimate, as shares of the axis of their column."""

    low: float
    value: float
    high: float
    color: str
    zero: float | None = None
    """Where a difference of 0 is."""

    @property
    def style(self) -> str:
        """What the style sheet draws."""
        ends = {"low": self.low, "value": self.value, "high": self.high, "zero": self.zero}
        shares = (f"--{name}:{100 * x:.1f}%" for name, x in ends.items() if x is not None)
        return ";".join([f"color:{on_page(self.color)}", *shares])


COMPARISON = (
    Head("difference", "score minus that of the baseline", 70),
    Head(INTERVAL, DRAWN, 184),
    Head("p", "adjusted for all pairs of algorithms, as the interval is", 54),
    Head("W/T/L", "wins, ties and losses: queries with a better, an equal and a worse score", 104),
)


def subscripts(text: str) -> Markup:
    """Text as HTML, with the subscripts of E_20 and ROC_50 set lower."""
    return Markup(scoring.SUBSCRIPT.sub(r"<sub>\1</sub>", str(escape(text))))


def plain(text: str) -> str:
    """The same without markup: E₂₀, ROC₅₀."""
    return scoring.SUBSCRIPT.sub(lambda match: subscript(match[1]), text)


@cache
def swatch(style: Style, width: int = 44) -> str:
    """Sample of an algorithm's line."""
    dash = " ".join(map(str, style.dash)) or "none"
    black = style.color == COLORS[3]
    return render("swatch.html", width=width, color=style.color, dash=dash, black=black)


def columns_shown(explorer: Choices) -> list[scoring.Column]:
    """Columns of scores that the table has: those at the threshold first."""
    asked = explorer.table_scores or explorer.errors_shown
    return [
        column
        for column in scoring.columns([explorer.rule], explorer.n, explorer.scores_shown)
        if column.score.in_tables and (column.score.compact or column.score.name in asked)
    ]


def _menus(explorer: Choices) -> list[tuple[str, str, str]]:
    """Menus of programs and of columns, the same at all stops of a slider: kind, label, boxes."""
    shown = tuple(column.score.name for column in columns_shown(explorer))

    def made() -> list[tuple[str, str, str]]:
        programs = [(name, name, name in explorer.shown) for name in explorer.results]
        label = f"{len(explorer.shown)} of {count(len(explorer.results), 'program')}"
        menus = [("programs", label, programs)]
        if not explorer.first.given:
            scores = [
                (one.name, plain(one.title.format(k="k", n="n")), one.name in shown)
                for one in dict.fromkeys([*scoring.OFFERED, *explorer.scores_shown])
                if one.in_tables
            ]
            menus.append(("columns", "columns", scores))
        return [
            (kind, label, Markup(render("ticks.html", kind=kind, boxes=boxes)))
            for kind, label, boxes in menus
        ]

    return explorer.once("menus", (tuple(explorer.shown), shown), made)


def best_first(
    explorer: Choices, names: Sequence[str] = (), score: scoring.Score | None = None
) -> list[str]:
    """Algorithms, those of the table, by a score, the one compared; those without one are last."""
    score, names = score or explorer.score_compared, names or explorer.rows
    values = {name: -score.sign * explorer.case(name).value(score) for name in names}
    return sorted(values, key=lambda name: values[name] if isfinite(values[name]) else inf)


class Name(NamedTuple):
    """The head of a row: the name of a program, whole and as it is shown."""

    whole: str
    short: str
    sample: Markup = Markup()
    """Of its line."""
    words: str = ""


class Row(NamedTuple):
    """HTML of the cells of a row of the body."""

    algorithm: str
    """Empty where it says how that of the row above has changed."""
    cells: list[Markup]


def score_table(
    explorer: Choices,
    styles: Mapping[str, Style],
    compared: Known = None,
    names: Sequence[str] = (),
    *,
    live: bool = False,
    ranked: bool = True,
) -> str:
    """The score table: a row for each algorithm shown, and the baseline, under the present choices.

    Parameters
    ----------
    explorer : Choices
    styles : mapping of str to Style
    compared : Compared, optional
        Intervals and comparisons, once they are there; until then their places are empty.
    names : sequence of str, optional
        The algorithms in the order of their rows; otherwise that of the results.
    live : bool
        As on the page: the best is first, and its head has menus of programs and columns.
    ranked : bool
        Programs that pooling lifts say so, which holds among these rows.
    """
    names = best_first(explorer) if live else names or explorer.rows
    heads, pinned = _heads(explorer), explorer.pinned
    above, below = _head_cells(heads)
    rows = _rows(explorer, styles, compared, names, ranked=ranked)
    return render(
        "score_table.html",
        above=Markup().join(above),
        below=Markup().join(below),
        columns=[one for head in heads for one in head.below or (head,)],
        interval=INTERVAL,
        rows=[(row.algorithm, Markup().join(row.cells)) for row in rows],
        menus=_menus(explorer) if live else [],
        baseline=explorer.baseline,
        pinned=subscripts(_pinned_words(pinned, explorer)) if pinned is not None else "",
    )


class Parts(NamedTuple):
    """HTML of the cells of a row: each part follows one slider."""

    at_threshold: list[Markup]
    """The name, and scores at the threshold."""
    others: list[Markup]
    compared: list[Markup]


def parts_of(
    explorer: Choices,
    styles: Mapping[str, Style],
    compared: Known = None,
    *,
    at_threshold: bool | None = None,
    ranked: bool = True,
) -> tuple[tuple[list[Markup], list[Markup]], dict[str, Parts]]:
    """HTML of the cells of a score table: of both rows of its head, and of each algorithm's row.

    Parameters
    ----------
    explorer, styles, compared, ranked
        As in `score_table`.
    at_threshold : bool, optional
        Rows have those scores alone that follow the threshold, or those that do not; the other part
        of them is empty.
    """
    baseline, found = explorer.baseline, {}
    n_others = n_other_cells(explorer) if at_threshold is None else 0
    rows = _rows(
        explorer, styles, compared, explorer.rows, ranked=ranked, at_threshold=at_threshold
    )
    for name, cells in rows:
        end = len(cells) - (0 if not baseline else 1 if name == baseline else len(COMPARISON))
        at = 1 if at_threshold is False else end - n_others
        found[name] = Parts(cells[:at], cells[at:end], cells[end:])
    above, below = _head_cells(_heads(explorer))
    return ([Markup(), *above], below), found


@lru_cache(maxsize=20_000)
def _html(kind: str, of: Head | Name | Cell) -> Markup:
    """A cell as HTML, of a kind that the template has: at the next stop most are the same."""
    return Markup(getattr(environment().get_template("cells.html").module, kind)(of))


def _head_cells(heads: Iterable[Head]) -> tuple[list[Markup], list[Markup]]:
    """Cells of both rows of the head, but for the first."""
    below = (one for head in heads for one in head.below)
    return [_html("head", head) for head in heads], [_html("below", one) for one in below]


def _row(algorithm: str, name: Name, cells: Iterable[Cell]) -> Row:
    return Row(algorithm, [_html("name", name), *(_html("cell", cell) for cell in cells)])


def _rows(
    explorer: Choices,
    styles: Mapping[str, Style],
    compared: Known,
    names: Iterable[str],
    *,
    ranked: bool,
    at_threshold: bool | None = None,
) -> Iterator[Row]:
    """Rows of the body, in the order of the names."""
    baseline, pinned, shown = explorer.baseline, explorer.pinned, columns_shown(explorer)
    followed = [one for one in shown if at_threshold in (None, one.score.at_threshold)]
    bars = _bars(explorer, styles, followed, compared)
    badges = _out_of_place(explorer, followed) if ranked else {}
    short = told_apart(explorer.rows, LONGEST)
    for name in names:
        case = explorer.case(name)
        cells = [*_cells(name, case, followed, compared, bars, badges)]
        if baseline:
            cells += _comparison(explorer, name, compared, bars.get((name, "")))
        sample = Markup(swatch(styles[name], 24 if baseline else 44)) + " "
        words = f"mean of {count(len(case.runs), 'run')}" if case.runs else ""
        yield _row(name, Name(name, short[name], sample, words), cells)
        if pinned is not None:
            cells = [*_changes(name, case, shown, pinned)]
            cells += [Cell("", span=len(COMPARISON))] if baseline else []
            yield _row("", Name(SINCE, SINCE), cells)


def _heads(explorer: Choices) -> list[Head]:
    """Heads of the columns: of scores, and of the comparison with the baseline."""
    baseline = explorer.baseline
    heads = list(_score_heads(columns_shown(explorer), comparing=bool(baseline)))
    if baseline:
        title = explorer.score_compared.titled(explorer.rule, explorer.n)
        head = subscripts(f"{title}: difference from {baseline}")
        heads.append(Head(head, "", 0, COMPARISON))
    return heads


def n_other_cells(explorer: Choices) -> int:
    """Cells of a row that follow n: those of scores that are at no threshold."""
    others = [one.score for one in columns_shown(explorer) if not one.score.at_threshold]
    return len(others) + sum(score.interval_shown for score in others)


def method(explorer: Explorer, compared: Known) -> str:
    """How intervals and p-values were made, in a line below the table."""
    if compared is None or compared.bootstrap is None:
        return ""
    bootstrap = compared.bootstrap
    how = {
        "given": ", the threshold given",
        "re-estimated": f", E_{explorer.k} re-estimated in each",
        "fixed": f", E_{explorer.k} that of all queries in each",
    }[bootstrap.threshold_rule]
    if explorer.first.given:
        how = ""
    words = f"{bootstrap.groups}. "
    if explorer.weights != "none":
        words += f"Each query counts as {weight_titles(explorer.first)[explorer.weights]}. "
    resamples = f"{bootstrap.n_resamples:,} resamples of the {bootstrap.groups.unit}{how}"
    reason = bootstrap.reason
    words += f"No intervals: {reason}." if reason else f"Intervals: {resamples}."
    words += f" No intervals of TAP and its peak: {compared.reason}." if compared.reason else ""
    if explorer.baseline:
        pairs = scoring.differences(compared, explorer.compared_score, explorer.baseline)
        if tests := [one.test for one in pairs if one.test]:
            words += f" Differences: {tests[0]}, for all pairs at once."
        words += " Dotted underline: ties change this value."
    words += f" Seed {bootstrap.seed}."
    if explorer.peak_interval:  # where there is none, the head of the column says enough
        notes = dict.fromkeys(one.score.note for one in columns_shown(explorer) if one.score.note)
        words += "".join(f" {scoring.MARK} {note}." for note in notes)
    return render("method.html", words=subscripts(words), plain=plain(words)).strip()


def cautions(explorer: Explorer, compared: Known = None) -> str:
    """The first thing to be cautious about, and all of them to open."""
    findings, pooled = explorer.findings(compared), "pooled" in explorer.param.view.objects
    words = [*map(describe, findings)]
    shown = [pooled and one.kind in ("order", "pooled_outside") for one in findings]
    return render(
        "cautions.html",
        cautions=[*zip(map(subscripts, words), shown, strict=True)],
        plain=plain(words[0]) + "." if words else "",
    ).strip()


def _score_heads(shown: Columns, *, comparing: bool) -> Iterator[Head]:
    """Heads of the columns of scores, neighbours of one group together."""
    for _, neighbours in groupby(shown, lambda column: column.score.group or column.score.name):
        members = list(neighbours)
        heads = [head for column in members for head in _column_heads(column, comparing=comparing)]
        if group := members[0].score.group:
            title = group.format(k=members[0].rule.k, n=members[0].n)
            yield Head(subscripts(title), "", 0, tuple(heads))
        else:
            yield from heads


@lru_cache(maxsize=1000)
def _column_heads(column: scoring.Column, *, comparing: bool) -> tuple[Head, ...]:
    score = column.score
    title = score.titled(column.rule, column.n, short=bool(score.group))
    if _roomy(score):
        width = 58 if comparing else 176 if score.pooled else 124
    else:
        width = max(50 if score.digits else 58 if comparing else 62, 12 + 7 * len(title))
    whole = score.titled(column.rule, column.n)
    head = Head(subscripts(score.marked(title)), plain(f"{whole}: {score.brief}"), width)
    if not score.interval_shown:
        return (head,)
    return head, Head(INTERVAL, DRAWN, 104 if comparing else 190)


def _bars(
    explorer: Choices, styles: Mapping[str, Style], shown: Columns, compared: Known
) -> dict[tuple[str, str], Bar]:
    """Bars by algorithm and score, and of differences from the baseline under ""."""
    if compared is None:
        return {}
    cases = explorer.cases.items()
    columns = {
        score.name: {name: scoring.value(of, score, name, compared) for name, of in cases}
        for score in (column.score for column in shown)
        if score.interval_shown
    }
    if explorer.baseline:
        score = explorer.score_compared
        pairs = scoring.differences(compared, score.name, explorer.baseline)
        columns[""] = {one.first: scoring.Value(*score.less(one)) for one in pairs}
    bars = {}
    for of, values in columns.items():
        measured = {name: one for name, one in values.items() if np.isfinite(one[:3]).all()}
        ends = [end for one in measured.values() for end in one[:3]]
        start, end = _axis_ends(ends if of else [*ends, 0.0])
        for name, one in measured.items():
            places = (one.low, one.value, one.high, 0.0)
            low, at, high, zero = ((x - start) / (end - start) for x in places)
            bars[name, of] = Bar(low, at, high, styles[name].color, None if of else zero)
    return bars


def _axis_ends(values: Sequence[float]) -> tuple[float, float]:
    """Round numbers around values: rows that change a little do not move the others."""
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    step = TIGHT * 10.0 ** np.ceil(np.log10(max(high - low, 1e-6)))
    start = float(np.floor(low / step) * step)
    return start, max(float(np.ceil(high / step) * step), start + step)


def _cells(
    name: str,
    case: scoring.Case,
    shown: Columns,
    compared: Known,
    bars: Mapping[tuple[str, str], Bar],
    badges: Mapping[str, str],
) -> Iterator[Cell]:
    reason = case.tap.reason
    at = [column for column in shown if column.score.at_threshold]
    if reason and at:
        # In place of all that would be at the threshold, why there is none.
        span = len(at) + sum(column.score.interval_shown for column in at) - 1
        yield Cell(scoring.DASH, "without", why(case.tap))
        yield Cell(_not_reached(case), "why", why(case.tap), span=span)
    for column in shown:
        score = column.score
        if reason and score.at_threshold:
            continue
        one = scoring.value(case, score, name, compared)
        shown_apart, inside, tied = score.interval_shown, "", ""
        if isfinite(one.low) and not shown_apart:
            inside = f"{INTERVAL}: {score.text(one.low)} to {score.text(one.high)}"
            inside = f"{inside}, {score.note}" if score.note else inside
        small = badge = badges.get(name, "") if score.pooled else ""
        if has_ties := one.tied:
            tied = f"{score.text(one.worst)}–{score.text(one.best)}"
            if _roomy(score) and not badge:
                small, tied = tied, TIES
            else:
                tied = f"{tied}: {TIES}"
        kinds = "main" * shown_apart, badge and "badge", "tied" * has_ties
        help_ = "; ".join(filter(None, (tied, _spread(one, score), inside)))
        yield Cell(score.text(one.value), " ".join(filter(None, kinds)), help_, small)
        if shown_apart:
            ends = one.low, one.high, one.no_interval
            text = "" if compared is None else score.interval_text(*ends)
            yield Cell(text, "interval", bar=bars.get((name, score.name)))


def _out_of_place(explorer: Choices, shown: Columns) -> dict[str, str]:
    """Programs that the pooled score puts higher than the mean of the same score of each query.

    Than some other, at least, for every order of records of equal score.
    """
    mean, pooled = (scoring.named(name) for name in ("roc_n", "pooled_roc_n"))
    if not {mean, pooled} <= {column.score for column in shown}:
        return {}
    cases = {name: explorer.case(name) for name in explorer.rows}
    by_mean, by_pool = (
        {name: case.value(score) for name, case in cases.items()} for score in (mean, pooled)
    )
    ties = {name: case.ties(pooled) for name, case in cases.items()}
    lifted = {name for _, name in disagreements(by_mean, by_pool, ties=ties)}

    def place(name: str, values: Mapping[str, float]) -> int:
        return 1 + sum(one > values[name] for one in values.values())

    return {
        name: f"{ordinal(here)}, by mean {ordinal(there)}"
        for name in cases
        if (here := place(name, by_pool)) < (there := place(name, by_mean)) and name in lifted
    }


def _roomy(score: scoring.Score) -> bool:
    """Whether its column has room for a bracket of ties."""
    return score.has_ties and (score.interval_shown or score.pooled)


def _spread(one: scoring.Value, score: scoring.Score) -> str:
    """What there is to know of the runs of a system."""
    if not isfinite(one.sd):
        return ""
    middle = "median" if score.range is None else "mean"
    ends = f"{score.text(min(one.runs))} to {score.text(max(one.runs))}"
    runs = count(len(one.runs), "run")
    return f"{middle} of {runs}, {ends}; standard deviation {score.text(one.sd)}"


def why(at: Tap) -> str:
    """Why there is no TAP, options as *Change data* calls them."""
    return as_called(at.reason, field_name(FIELD))


def _not_reached(case: scoring.Case) -> str:
    if not case.lists.n_queries:
        return "no query is selected"
    if not np.isfinite(case.tap.reached):
        return why(case.tap)
    errors = count(case.rule.k or 0, "error")
    return f"{percent(case.tap.reached)} of queries reach {errors}"


def _comparison(explorer: Choices, name: str, compared: Known, bar: Bar | None) -> Iterable[Cell]:
    baseline, score, blank = explorer.baseline, explorer.score_compared, Cell("", "compared")
    if name == baseline:
        return [Cell("baseline", "why compared", span=len(COMPARISON))]
    if compared is None:
        return [blank] * len(COMPARISON)
    pairs = scoring.differences(compared, score.name, baseline)
    one = next((one for one in pairs if one.first == name), None)
    if one is None or not np.isfinite(one.difference.estimate):
        return [Cell(scoring.DASH, "compared", (one and one.reason) or ""), *[blank] * 3]
    difference, low, high = score.less(one)
    counts = "/".join(f"{count:,}" for count in one.counts)
    interval, reason = score.interval_text(low, high, compared.groups.few), one.reason or ""
    return [
        Cell(score.signed(difference), "compared main"),
        Cell(interval, "compared", reason, bar=bar),
        Cell(scoring.p_text(one.p), "compared", reason),
        Cell(counts if one.counted else scoring.DASH, "compared"),
    ]


def _changes(name: str, case: scoring.Case, shown: Columns, pinned: Pinned) -> Iterator[Cell]:
    """How the scores differ from those that were pinned; of thresholds, the pinned ones.

    TAP-k is compared with that of another k, and not with TAP at E_0.
    """
    other = (pinned.rule.k is None) != (case.rule.k is None)
    for column in shown:
        score = column.score
        unlike = other and score.at_threshold
        before = np.nan if unlike else pinned.scores[name].get(score.name, np.nan)
        is_threshold = score.range is None
        yield Cell(score.text(before) if is_threshold else score.signed(case.value(score) - before))
        if score.interval_shown:
            yield Cell("")


def _pinned_words(pinned: Pinned, explorer: Choices) -> str:
    at = pinned.rule.title
    if pinned.rule.k is not None and pinned.rule.quantile != explorer.param.quantile.default:
        at += f" (quantile {pinned.rule.quantile:g})"
    some = f"{pinned.n_queries:,} of {count(explorer.first.n_queries, 'query')}"
    return f"{at}, ROC_{pinned.n}, {some}"
