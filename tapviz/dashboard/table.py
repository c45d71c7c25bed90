"""The score table and the samples of lines, as HTML."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import numpy as np

from tapviz.explorer import BY_ERRORS, Explorer, Score
from tapviz.plots.style import Style, number


def swatch(look: Style, width: int = 44) -> str:
    """Sample of an algorithm's line."""
    dash = " ".join(str(part) for part in look.dash) or "none"
    return (
        f'<svg class="swatch" width="{width}" height="10" aria-hidden="true">'
        f'<line x1="1" y1="5" x2="{width - 1}" y2="5" stroke="{look.color}" stroke-width="2.4" '
        f'stroke-dasharray="{dash}"/></svg>'
    )


def score_table(explorer: Explorer, looks: Mapping[str, Style]) -> str:
    """The score table: a row for each algorithm shown, under the present choices."""
    by_errors, k, n = explorer.mode == BY_ERRORS, explorer.k, explorer.n
    threshold = f"E<sub>{k}</sub>" if by_errors else "E<sub>0</sub>"
    tap = f"TAP-{k}" if by_errors else f"TAP at {number(explorer.e0, 2)}"
    scores = [explorer.score(name) for name in explorer.shown]
    rows = "".join(_row(score, looks[score.algorithm], k) for score in scores)
    if not scores:
        rows = (
            '<tr><td colspan="9">No algorithm is shown: tick one in the list on the left.</td></tr>'
        )
    note = _note(scores)
    return f"""<table class="scores">
<thead>
<tr><th rowspan="2" scope="col" class="name">Algorithm</th>
<th rowspan="2" scope="col">{tap}</th><th rowspan="2" scope="col">{threshold}</th>
<th colspan="2" scope="colgroup" class="group">errors per query there</th>
<th colspan="2" scope="colgroup" class="group">peak TAP</th>
<th colspan="2" scope="colgroup" class="group">ROC<sub>{n}</sub></th></tr>
<tr><th scope="col">median</th><th scope="col">mean</th>
<th scope="col">value</th><th scope="col">at E<sub>0</sub>*</th>
<th scope="col">own mean</th><th scope="col">pooled</th></tr>
</thead><tbody>{rows}</tbody></table>{note}"""


def _row(score: Score, look: Style, k: int) -> str:
    name = html.escape(score.algorithm)
    head = f'<th scope="row" class="name">{swatch(look)} {name}</th>'
    rest = (
        _cell(_three(score.peak_tap)),
        _cell(number(score.peak_threshold, 2)),
        _cell(_three(score.mean_roc_n)),
        _cell(_three(score.pooled_roc_n)),
    )
    if score.reason:
        share = "no query is selected"
        if np.isfinite(score.reached):
            share = f"not reached: {_percent(score.reached)} of queries have {k} errors"
        reason = html.escape(score.reason)
        at = f'<td title="{reason}">—</td><td class="why" colspan="3">{share}</td>'
    else:
        at = (
            _cell(_three(score.tap), "main")
            + _cell(number(score.threshold, 2 if score.threshold < 100 else 3))  # noqa: PLR2004
            + _cell(_count(score.median_epq))
            + _cell(_mean(score.mean_epq))
        )
    return f"<tr>{head}{at}{''.join(rest)}</tr>"


def _note(scores: Sequence[Score]) -> str:
    notes = []
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
