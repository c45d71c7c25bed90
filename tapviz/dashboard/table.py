"""The score table and the samples of lines, as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

import numpy as np

from tapviz.draw.style import COLORS, Style, brief, number
from tapviz.explorer import BY_ERRORS, VISIBLE, Compared, Explorer, Pinned, Score
from tapviz.measures import Bracket

# Widths of the columns in pixels, so that nothing moves with the numbers; 0 takes what is left.
ALONE = (0, 116, 120, 74, 74, 74, 74, 74, 90, 126)
COMPARING = (0, 54, 112, 52, 56, 52, 52, 54, 72, 56, 70, 118, 56, 100)


def swatch(look: Style, width: int = 44) -> str:
    """Sample of an algorithm's line."""
    dash = " ".join(str(part) for part in look.dash) or "none"
    black = ' style="stroke:var(--tv-black, #000000)"' if look.color == COLORS[3] else ""
    return (
        f'<svg class="swatch" width="{width}" height="10" aria-hidden="true">'
        f'<line x1="1" y1="5" x2="{width - 1}" y2="5" stroke="{look.color}" stroke-width="2.4" '
        f'stroke-dasharray="{dash}"{black}/></svg>'
    )


def score_table(
    explorer: Explorer, looks: Mapping[str, Style], compared: Compared | None = None
) -> str:
    """The score table: a row for each algorithm shown, under the present choices.

    Parameters
    ----------
    explorer : Explorer
    looks : mapping of str to Style
    compared : Compared, optional
        Intervals and comparisons, once they are there; until then their places are empty.
    """
    by_errors, k, n = explorer.mode == BY_ERRORS, explorer.k, explorer.n
    threshold = f"E<sub>{k}</sub>" if by_errors else "E<sub>0</sub>"
    tap = f"TAP-{k}" if by_errors else f"TAP at {brief(explorer.e0)}"
    scores = [explorer.score(name) for name in explorer.shown]
    baseline = explorer.baseline
    rows = "".join(
        _row(score, looks[score.algorithm], k, compared)
        + (_compared_cells(score.algorithm, baseline, compared) if baseline else "")
        + "</tr>"
        + _pinned_row(score, explorer.pinned, columns=4 if baseline else 0)
        for score in scores
    )
    if not scores:
        rows = '<tr><td colspan="10">No algorithm is shown: tick one in the list.</td></tr>'
    note = _note(scores, explorer.pinned)
    against = heads = ""
    if baseline:
        against = (
            '<th colspan="4" scope="colgroup" class="group">less that of '
            f"{html.escape(baseline)}</th>"
        )
        heads = (
            '<th scope="col">difference</th><th scope="col">95 % interval</th>'
            '<th scope="col" title="paired randomization test, adjusted for the number of '
            'algorithms compared (Holm)">p</th>'
            '<th scope="col" title="wins, ties and losses: queries with a larger, '
            'an equal and a smaller TAP">W/T/L</th>'
        )
    kind = "scores comparing" if baseline else "scores"
    columns = "".join(
        f'<col style="width:{width}px">' if width else "<col>"
        for width in (COMPARING if baseline else ALONE)
    )
    return f"""<div class="scrolled" tabindex="0" role="region" aria-label="scores">
<table class="{kind}"><colgroup>{columns}</colgroup>
<thead>
<tr><th rowspan="2" scope="col" class="name">Algorithm</th>
<th rowspan="2" scope="col">{tap}</th>
<th rowspan="2" scope="col">95 % interval</th>
<th rowspan="2" scope="col">{threshold}</th>
<th colspan="2" scope="colgroup" class="group">errors per query</th>
<th colspan="2" scope="colgroup" class="group">peak TAP</th>
<th colspan="2" scope="colgroup" class="group">ROC<sub>{n}</sub></th>{against}</tr>
<tr><th scope="col">median</th><th scope="col">mean</th>
<th scope="col">value</th><th scope="col">at E<sub>0</sub>*</th>
<th scope="col">own mean</th><th scope="col">pooled</th>{heads}</tr>
</thead><tbody>{rows}</tbody></table></div>{note}"""


def method(explorer: Explorer, compared: Compared | None) -> str:
    """How intervals and p-values were made, in a line below the table."""
    if compared is None:
        return ""
    resampled = compared.resampled
    how = (
        "the threshold given"
        if resampled.threshold_rule == "given"
        else f"E<sub>{explorer.k}</sub> found anew in each"
    )
    said = f"Intervals: {resampled.n_resamples:,} resamples of the queries, {how}."
    if compared.comparisons:
        test = html.escape(compared.comparisons[0].test)
        said += f" p: {test}, Holm. Dotted: equal scores matter."
    said += f" Seed {resampled.seed}."
    if resampled.reason:
        said += f" {html.escape(resampled.reason)}."
    plain = re.sub("<[^>]*>", "", said)
    return f'<span class="method" title="{plain}">{said}</span>'


def warnings(explorer: Explorer) -> str:
    """The first thing to beware of, and all of them to open."""
    said = [f"{html.escape(text)}." for text in explorer.warnings]
    if not said:
        return '<div class="beware">&nbsp;</div>'
    rest = "".join(f"<p>{text}</p>" for text in said[1:])
    count = f"1 of {len(said)}: " if rest else ""
    order = ""
    if explorer.view != "order" and explorer.disagreements:
        order = "<button>Show the order by k</button>"
    return (
        f'<div class="beware">{order}<details><summary title="{said[0]}"><b>!</b> {count}{said[0]}'
        f"</summary>{rest}</details></div>"
    )


def _row(score: Score, look: Style, k: int, compared: Compared | None) -> str:
    name = html.escape(score.algorithm)
    head = f'<th scope="row" class="name" title="{name}">{swatch(look)} {name}</th>'
    rest = (
        _cell(_three(score.peak_tap)),
        _cell(brief(score.peak_threshold)),
        _cell(_three(score.mean_roc_n)),
        _tied(_three(score.pooled_roc_n), score.pooled_ties),
    )
    if score.reason:
        share = "no query is selected"
        if np.isfinite(score.reached):
            share = f"not reached: {_percent(score.reached)} of queries have {k} errors"
        reason = html.escape(score.reason)
        at = f'<td title="{reason}">—</td><td class="why" colspan="4">{share}</td>'
    else:
        interval, ties = "", None
        if compared is not None:
            found = compared.resampled.algorithms[score.algorithm].tap
            interval = _interval(found.low, found.high)
            ties = compared.tap_ties.get(score.algorithm)
        at = (
            _tied(_three(score.tap), ties, "main")
            + _cell(interval, "interval")
            + _cell(brief(score.threshold))
            + _cell(_count(score.median_epq))
            + _cell(_mean(score.mean_epq))
        )
    return f"<tr>{head}{at}{''.join(rest)}"


def _compared_cells(name: str, baseline: str, compared: Compared | None) -> str:
    if name == baseline:
        return '<td class="why compared" colspan="4">the others are compared with this one</td>'
    if compared is None:
        return _cell("", "compared") * 4
    found = next((one for one in compared.comparisons if one.algorithm == name), None)
    if found is None or not np.isfinite(found.difference):
        reason = "" if found is None else found.reason
        dash = f'<td class="compared" title="{html.escape(reason)}">—</td>'
        return dash + _cell("", "compared") * 3
    return (
        _cell(_difference(found.difference), "compared main")
        + _cell(_interval(found.low, found.high), "compared")
        + f'<td class="compared" title="unadjusted: {_p(found.p)}">{_p(found.p_holm)}</td>'
        + _cell(f"{found.wins:,}/{found.ties:,}/{found.losses:,}", "compared")
    )


def _pinned_row(score: Score, pinned: Pinned | None, columns: int) -> str:
    """How the scores differ from those that were kept."""
    if pinned is None:
        return ""
    kept = pinned.scores[score.algorithm]
    rest = f'<td colspan="{columns}"></td>' if columns else ""

    def less(name: str) -> str:
        return _cell(_difference(getattr(score, name) - getattr(kept, name)))

    return (
        '<tr class="pinned"><th scope="row" class="name">less pinned</th>'
        f"{less('tap')}<td></td>{_cell(brief(kept.threshold))}"
        f"{less('median_epq')}{less('mean_epq')}{less('peak_tap')}"
        f"{_cell(brief(kept.peak_threshold))}{less('mean_roc_n')}{less('pooled_roc_n')}{rest}</tr>"
    )


def _difference(value: float) -> str:
    if not np.isfinite(value):
        return "—"
    return f"{value:+.3f}".replace("-", "−")


def _interval(low: float, high: float) -> str:
    if not np.isfinite(low):
        return "—"
    return f"{low:.3f} to {high:.3f}".replace("-", "−")


def _p(value: float) -> str:
    if not np.isfinite(value):
        return "—"
    return f"{value:.4f}" if value < 0.001 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"  # noqa: PLR2004


def _tied(text: str, ties: Bracket[float] | None, kind: str = "") -> str:
    """A cell that says between which values the order of equal scores can move its number."""
    if ties is None or not ties.high - ties.low > VISIBLE:
        return _cell(text, kind)
    low, high = _three(ties.low), _three(ties.high)
    if low == high:
        return _cell(text, kind)
    return (
        f'<td class="{kind} tied" title="records of equal score in the worst and the best order">'
        f"<small>{low}–{high} </small>{text}</td>"
    )


def _note(scores: Sequence[Score], pinned: Pinned | None) -> str:
    notes = []
    if pinned is not None:
        notes.append(
            f"Pinned: {html.escape(pinned.words)}. Below each algorithm: how its scores now differ "
            "from those, and the thresholds there."
        )
    if scores and (barren := scores[0].n_no_relevant):
        have = "query has" if barren == 1 else "queries have"
        notes.append(
            f"{barren:,} {have} no relevant record in the database (T(q) = 0): TAP counts "
            "1 / (retrieved + 1) for each, ROC_n leaves them out."
        )
    return f'<p class="note">{" ".join(notes)}</p>' if notes else ""


def _cell(text: str, kind: str = "") -> str:
    return f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>"


def _three(value: float) -> str:
    return f"{value:.3f}" if np.isfinite(value) else "—"


def _count(value: float) -> str:
    return f"{value:,.0f}" if np.isfinite(value) else "—"


def _mean(value: float) -> str:
    return f"{value:,.1f}" if value >= 10 else number(value)  # noqa: PLR2004


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.01 else f"{100 * share:.1f} %"  # noqa: PLR2004
