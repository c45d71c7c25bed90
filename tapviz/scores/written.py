"""A table of scores written out: as text, LaTeX, CSV and JSON."""

from __future__ import annotations

import json
import math
import platform
import re
from collections.abc import Callable, Sequence
from typing import Any

from tapviz import spreadsheet
from tapviz.findings import describe
from tapviz.measures import Comparison
from tapviz.scores.pipeline import Column, Policies, ScoreTable, Value
from tapviz.scores.table import DASH, SUBSCRIPT

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""What ends a line, and with it a comment of LaTeX."""
NUMBERS = tuple(Value(math.nan).numbers)


def as_table(table: ScoreTable) -> str:
    """The scores as text for a terminal.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, as_table, score
    >>> text = as_table(score(load_results("profiles"), Policies(k=(5,), n_resamples=0)))
    >>> "TAP-5" in text
    True
    """
    parts = [_aligned(rows) for rows in _tables(table)]
    parts.append("\n".join(_legend(table)))
    if warnings := _warnings(table):
        parts.append("\n".join(f"warning: {text}" for text in warnings))
    return "\n\n".join(parts).replace(DASH, "-") + "\n"


def as_latex(table: ScoreTable) -> str:
    """The scores as tables for LaTeX, with the rules of the package booktabs.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, as_latex, score
    >>> text = as_latex(score(load_results("profiles"), Policies(k=(5,), n_resamples=0)))
    >>> "TAP-5" in text
    True
    """
    parts = ["% \\usepackage{booktabs}"]
    for rows in _tables(table):
        header, *body = (" & ".join(map(_tex, row)) + " \\\\" for row in rows)
        columns = "l" + "r" * (len(rows[0]) - 1)
        rules = [f"\\begin{{tabular}}{{{columns}}}", "\\toprule", header, "\\midrule", *body]
        parts.append("\n".join([*rules, "\\bottomrule", "\\end{tabular}"]))
    notes = [f"% {CONTROL.sub(' ', line)}" for line in [*_legend(table), *_warnings(table)]]
    return "\n\n".join([*parts, "\n".join(notes)]) + "\n"


def as_csv(table: ScoreTable) -> str:
    """The scores as a long table, a row for each score of each algorithm; numbers in full.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, as_csv, score
    >>> text = as_csv(score(load_results("profiles"), Policies(k=(5,), n_resamples=0)))
    >>> text.splitlines()[0]
    'algorithm,score,value,low,high,worst,best,compared_with,p'
    """
    rows = [["algorithm", "score", *NUMBERS, "compared_with", "p"]]
    for name, values in table.rows.items():
        for column, value in zip(table.columns, values, strict=True):
            rows.append([name, column.title, *map(_full, value.numbers.values()), "", ""])
    for title, one in table.comparisons:
        numbers = map(_full, (one.difference, one.low, one.high, math.nan, math.nan))
        rows.append([one.algorithm, title, *numbers, one.baseline, _full(one.p)])
    return spreadsheet.as_csv(rows)


def as_json(table: ScoreTable) -> str:
    """The scores, policies, versions and findings as JSON; undefined numbers are null.

    Examples
    --------
    >>> import json
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, as_json, score
    >>> text = as_json(score(load_results("profiles"), Policies(k=(5,), n_resamples=0)))
    >>> list(json.loads(text))
    ['versions', 'policies', 'resampled', 'algorithms', 'comparisons', 'findings', 'warnings']
    """
    plain = {
        "versions": versions(),
        "policies": table.policies._asdict()
        | {"ties": "listed; pooled ROC_n trapezoid", "interval": "percentile, paired bootstrap"},
        "resampled": {
            "unit": table.groups.unit,
            "count": table.groups.count,
            "queries": table.groups.code.size,
            "why_no_interval": table.groups.few,
        },
        "algorithms": [_algorithm(table, name) for name in table.rows],
        "comparisons": [{"score": title} | one._asdict() for title, one in table.comparisons],
        "findings": [one._asdict() | {"words": describe(one)} for one in table.findings],
        "warnings": _warnings(table),
    }
    return json.dumps(_plain(plain), indent=1, allow_nan=False) + "\n"


def versions() -> dict[str, str]:
    """Versions of what the numbers hang on.

    Examples
    --------
    >>> from tapviz.scores import versions
    >>> list(versions())
    ['python', 'tapviz', 'numpy', 'scipy', 'pyarrow']
    """
    from importlib.metadata import version  # noqa: PLC0415  # slow to import, for JSON only

    packages = ("tapviz", "numpy", "scipy", "pyarrow")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def _algorithm(table: ScoreTable, name: str) -> dict[str, Any]:
    """Scores of one algorithm by their names, those at a threshold below `thresholds`."""
    thresholds: dict[Any, dict[str, Any]] = {
        rule: {"name": rule.title, "k": rule.k, "e0": rule.e0} for rule in table.policies.rules
    }
    others: dict[str, Any] = {}
    for column, value in zip(table.columns, table.rows[name], strict=True):
        score = column.score
        into = thresholds[column.rule] if score.at_threshold else others
        into[score.name] = value.value
        if score.has_interval:
            into |= {f"{score.name}_low": value.low, f"{score.name}_high": value.high}
        if score.ties is not None and not score.at_threshold:
            into |= {f"{score.name}_worst": value.worst, f"{score.name}_best": value.best}
        if score.at_threshold:
            into |= {"reason": value.reason, "too_short": value.too_short}
    return {"algorithm": name, "thresholds": list(thresholds.values()), **others}


def _plain(value: Any) -> Any:
    """Mappings and sequences of what JSON knows; undefined numbers as None."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _tables(table: ScoreTable) -> list[list[list[str]]]:
    """Cells of the table of scores and, with a baseline, of the comparisons; header first."""
    columns = [
        (place, column) for place, column in enumerate(table.columns) if column.score.in_tables
    ]
    policies = table.policies
    header, rows = ["algorithm"], [[name] for name in table.rows]
    for place, column in columns:
        header.append(column.title)
        known = column.score.has_interval and policies.n_resamples > 0
        intervals = known and (column.score.interval_shown or policies.all_intervals)
        if intervals:
            header.append(_interval_title(policies))
        for row, values in zip(rows, table.rows.values(), strict=True):
            row.append(_cell(column, values[place]))
            if intervals:
                low, high = values[place].low, values[place].high
                row.append(_interval(low, high, table.groups.few, column.score.text))
    tables = [[header, *rows]]
    if table.comparisons:
        titles = ["algorithm", "score", "difference", _interval_title(policies), "p", "p (Holm)"]
        tables.append(
            [
                [*titles, "wins", "ties", "losses"],
                *(_comparison(title, one, table.groups.few) for title, one in table.comparisons),
            ]
        )
    return tables


def _cell(column: Column, value: Value) -> str:
    text = column.score.text
    if column.score.interval_shown and value.reason and not value.too_short:
        return value.reason
    ties = f" [{text(value.worst)}, {text(value.best)}]" if value.tied else ""
    return text(value.value) + ties


def _comparison(title: str, one: Comparison, few: str) -> list[str]:
    return [
        f"{one.algorithm} - {one.baseline}",
        title,
        f"{one.difference:+.3f}" if math.isfinite(one.difference) else DASH,
        _interval(one.low, one.high, few),
        *(f"{p:.2g}" if math.isfinite(p) else DASH for p in (one.p, one.p_holm)),
        *((DASH,) * 3 if one.reason else map(str, (one.wins, one.ties, one.losses))),
    ]


def _legend(table: ScoreTable) -> list[str]:
    """How the numbers came about."""
    policies = table.policies
    lines = [f"{table.groups}."]
    if policies.k:
        lines.append(
            f"E_k: the threshold at which at least {policies.quantile:g} of the queries have k "
            "errors. EPQ: errors per query."
        )
    if policies.n_resamples and not table.groups.few:
        lines.append(
            f"Intervals: {100 * policies.level:g} %, {policies.n_resamples:,} resamples of the "
            f"{table.groups.unit}, the same for all algorithms, E_k "
            f"{'that of all queries' if policies.fixed_threshold else 'found anew'} in each; "
            f"seed {policies.seed}."
        )
    tests = [one.test for _, one in table.comparisons if math.isfinite(one.p)]
    if tests:
        lines.append(f"p: {tests[0]}; seed {policies.seed}. Wins, ties and losses are queries.")
    if any(value.tied for values in table.rows.values() for value in values):
        lines.append("[worst, best]: over all orders of records with equal scores.")
    return lines


def _warnings(table: ScoreTable) -> list[str]:
    return [*table.doubts, *map(describe, table.findings)]


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their width, the first to the left."""
    width = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [cells[0].ljust(width[0])]
        padded += [cell.rjust(w) for cell, w in zip(cells[1:], width[1:], strict=True)]
        return "  ".join(padded).rstrip()

    return "\n".join(map(line, rows))


def _interval_title(policies: Policies) -> str:
    return f"{100 * policies.level:g} % interval"


def _interval(
    low: float, high: float, few: str, text: Callable[[float], str] = "{:.3f}".format
) -> str:
    return f"{text(low)} to {text(high)}" if math.isfinite(low) else few or DASH


def _full(value: float) -> str:
    return repr(value) if math.isfinite(value) else ""


def _tex(text: str) -> str:
    special = {c: f"\\{c}" for c in "&%$#_{}"} | {
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
        DASH: "--",
    }
    parts = SUBSCRIPT.split(CONTROL.sub(" ", text))  # text, E or ROC, subscript, text, ...
    escaped = ["".join(special.get(c, c) for c in part) for part in parts]
    for place in range(2, len(parts), 3):
        escaped[place] = f"$_{{{parts[place]}}}$"
    guard = "{}" if text.startswith(("[", "*")) else ""  # else an option of the row before
    return guard + "".join(escaped)
