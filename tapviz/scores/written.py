"""Scores written out: as text, LaTeX, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import platform
from collections.abc import Sequence
from typing import Any

from tapviz.scores.scores import VISIBLE, AlgorithmScore, Policies, Scores


def as_table(scores: Scores) -> str:
    """The scores as text for a terminal."""
    header, rows = _cells(scores)
    parts = [_aligned(header, rows)]
    if scores.comparisons:
        header, rows = _comparison_cells(scores)
        parts.append(_aligned(header, rows))
    parts.append("\n".join(_legend(scores)))
    if scores.warnings:
        parts.append("\n".join(f"warning: {text}" for text in scores.warnings))
    return "\n\n".join(parts) + "\n"


def as_latex(scores: Scores) -> str:
    """The scores as tables for LaTeX, with the rules of the package booktabs."""
    tables = [_cells(scores)]
    if scores.comparisons:
        tables.append(_comparison_cells(scores))
    parts = ["% \\usepackage{booktabs}"]
    for header, rows in tables:
        lines = [
            "\\begin{tabular}{l" + "r" * (len(header) - 1) + "}",
            "\\toprule",
            *(" & ".join(map(_tex, row)) + " \\\\" for row in [header]),
            "\\midrule",
            *(" & ".join(map(_tex, row)) + " \\\\" for row in rows),
            "\\bottomrule",
            "\\end{tabular}",
        ]
        parts.append("\n".join(lines))
    notes = [f"% {line}" for line in [*_legend(scores), *scores.warnings]]
    return "\n\n".join([*parts, "\n".join(notes)]) + "\n"


def as_csv(scores: Scores) -> str:
    """The scores as a long table: algorithm, score, value, interval; numbers in full."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["algorithm", "score", "value", "low", "high", "threshold", "compared_with", "p"]
    )
    for one in scores.algorithms:
        for score_name, value, low, high, threshold in _values(one, scores.policies.n):
            writer.writerow(
                [one.algorithm, score_name, *map(_full, (value, low, high, threshold)), "", ""]
            )
    for name, found in scores.comparisons:
        numbers = map(_full, (found.difference, found.low, found.high))
        writer.writerow([found.algorithm, name, *numbers, "", found.baseline, _full(found.p)])
    return out.getvalue()


def as_json(scores: Scores) -> str:
    """The scores, policies, versions and warnings as JSON; undefined numbers are null."""
    plain = {
        "versions": versions(),
        "policies": scores.policies._asdict()
        | {"ties": "listed; pooled ROC_n trapezoid", "interval": "percentile, paired bootstrap"},
        "algorithms": [_plain(one) for one in scores.algorithms],
        "comparisons": [{"score": name} | _plain(found) for name, found in scores.comparisons],
        "warnings": list(scores.warnings),
    }
    return json.dumps(plain, indent=1, allow_nan=False) + "\n"


def versions() -> dict[str, str]:
    """Versions of what the numbers hang on."""
    from importlib.metadata import version  # noqa: PLC0415  # slow to import, for JSON only

    packages = ("tapviz", "numpy", "scipy", "pyarrow")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def _plain(value: Any) -> Any:
    """Records as dicts, undefined numbers as None."""
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def _cells(scores: Scores) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the table of scores."""
    policies = scores.policies
    header = ["algorithm"]
    for at in scores.algorithms[0].thresholds:
        header += [at.name, *([_interval_title(policies)] if policies.n_resamples else [])]
        header += [f"E_{at.k}"] if at.k is not None else []
    header += ["peak TAP", "at E_0", f"ROC_{policies.n}", "pooled", "MAP", "AUC iP/R"]
    rows = []
    for one in scores.algorithms:
        row = [one.algorithm]
        for at in one.thresholds:
            row += [_three(at.tap), *([_interval(at.low, at.high)] if policies.n_resamples else [])]
            row += [_short(at.threshold)] if at.k is not None else []
        pooled, ties = _three(one.pooled_roc_n), one.pooled_roc_n_ties
        if ties.high - ties.low > VISIBLE:
            pooled += f" [{_three(ties.low)}, {_three(ties.high)}]"
        row += [_three(one.peak_tap), _short(one.peak_threshold), _three(one.roc_n), pooled]
        row += [_three(one.mean_average_precision), _three(one.auc_ipr)]
        rows.append(row)
    return header, rows


def _comparison_cells(scores: Scores) -> tuple[list[str], list[list[str]]]:
    policies = scores.policies
    header = ["algorithm", "score", "difference", _interval_title(policies), "p", "p (Holm)"]
    header += ["wins", "ties", "losses"]
    rows = [
        [
            f"{found.algorithm} - {found.baseline}",
            name,
            _signed(found.difference),
            _interval(found.low, found.high),
            _p(found.p),
            _p(found.p_holm),
            *(str(count) for count in (found.wins, found.ties, found.losses)),
        ]
        for name, found in scores.comparisons
    ]
    return header, rows


def _values(one: AlgorithmScore, n: int) -> list[tuple[str, float, float, float, float]]:
    nan = math.nan
    return [
        *((at.name, at.tap, at.low, at.high, at.threshold) for at in one.thresholds),
        ("peak TAP", one.peak_tap, nan, nan, one.peak_threshold),
        (f"ROC_{n}", one.roc_n, nan, nan, nan),
        (f"pooled ROC_{n}", one.pooled_roc_n, *one.pooled_roc_n_ties, nan),
        ("MAP", one.mean_average_precision, nan, nan, nan),
        ("AUC iP/R", one.auc_ipr, nan, nan, nan),
        ("queries", one.n_queries, nan, nan, nan),
        ("records", one.n_records, nan, nan, nan),
        ("queries without relevant records", one.n_no_relevant, nan, nan, nan),
        ("empty lists", one.n_empty, nan, nan, nan),
        (f"lists with fewer than {n} errors", one.n_short, nan, nan, nan),
    ]


def _legend(scores: Scores) -> list[str]:
    """How the numbers came about."""
    policies, first = scores.policies, scores.algorithms[0]
    lines = [f"{first.n_queries:,} queries."]
    if policies.k:
        lines.append(
            f"E_k: the threshold at which at least {policies.quantile:g} of the queries have k "
            "errors."
        )
    if policies.n_resamples:
        lines.append(
            f"Intervals: {100 * policies.level:g} %, {policies.n_resamples:,} resamples of the "
            f"queries, the same for all algorithms, E_k found anew in each; seed {policies.seed}."
        )
    if scores.comparisons:
        lines.append(
            f"p: {scores.comparisons[0][1].test}; seed {policies.seed}. Wins, ties and losses are "
            "queries."
        )
    brackets = [one.pooled_roc_n_ties for one in scores.algorithms]
    if any(ties.high - ties.low > VISIBLE for ties in brackets):
        lines.append("[worst, best]: pooled ROC_n over all orders of records with equal scores.")
    return lines


def _aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their width, the first to the left."""
    width = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [cells[0].ljust(width[0])]
        padded += [cell.rjust(w) for cell, w in zip(cells[1:], width[1:], strict=True)]
        return "  ".join(padded).rstrip()

    return "\n".join(map(line, [header, *rows]))


def _interval_title(policies: Policies) -> str:
    return f"{100 * policies.level:g} % interval"


def _interval(low: float, high: float) -> str:
    return f"{_three(low)} to {_three(high)}" if math.isfinite(low) else "-"


def _three(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "-"


def _signed(value: float) -> str:
    return f"{value:+.3f}" if math.isfinite(value) else "-"


def _short(value: float) -> str:
    return f"{value:.3g}" if math.isfinite(value) else "-"


def _p(value: float) -> str:
    return f"{value:.2g}" if math.isfinite(value) else "-"


def _full(value: float) -> str:
    return repr(value) if math.isfinite(value) else ""


def _tex(text: str) -> str:
    special = {c: f"\\{c}" for c in "&%$#_{}"} | {
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
    }
    return "".join(special.get(c, c) for c in text)
