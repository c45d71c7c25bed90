"""A table of scores written out: as text, LaTeX, CSV and JSON.

And what any table needs for that: columns that line up, numbers in full, plain JSON.
"""

from __future__ import annotations

import json
import math
import platform
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from html import escape

import numpy as np

from tapviz.lists import Run, count, writing
from tapviz.lists.reported import SEEMS
from tapviz.lists.words import MINUS, shortened
from tapviz.measures import Groups, PairDifference
from tapviz.scores.column import Column, Value
from tapviz.scores.findings import describe, visible
from tapviz.scores.gate import as_junit
from tapviz.scores.pipeline import Policies, ScoreTable
from tapviz.scores.table import DASH, MARK, SUBSCRIPT, ThresholdRule, p_text
from tapviz.scores.verdict import Verdict, as_plain
from tapviz.scores.words import describe as describe_verdict

__all__ = [
    "ENDINGS", "OUTPUTS", "WHOLE", "as_csv", "as_json", "as_latex", "as_markdown", "as_multiqc",
    "as_table", "form_of", "versions", "written",
]  # fmt: skip

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""What ends a line, and with it a comment of LaTeX."""
NEGATIVE = re.compile(r"(?<![^\s\[(])-(?=[\d.])|(?<=\de)-(?=\d)")
"""The sign of a number, or of its exponent: a hyphen where LaTeX prints what is written."""
NUMBERS = tuple(Value(math.nan).numbers)
TIES = {
    "docid": "by their ids, descending, as trec_eval has them",
    "optimistic": "relevant ones first",
    "pessimistic": "irrelevant ones first",
}
"""Orders of records of equal score, other than that of the file."""
AS_WIDE = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%"
"""As wide as it is, or as the lines of the page where these are narrower, in LaTeX."""
TESTED = ("p", "wins", "ties", "losses", "units", "unit")
"""Columns of CSV for comparisons only."""
RUN_TEXTS = ("program", "version", "date", "database")
"""What of a run tables show; JSON has all."""
LONGEST = 60
"""Characters of one of them in a table."""
CSV_HEAD = ["algorithm", "score", *NUMBERS, "compared_with", *TESTED, "warning"]


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Columns padded to their width, the first ones to the left."""
    width = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [cell.ljust(w) for cell, w in zip(cells[:left], width, strict=False)]
        padded += [cell.rjust(w) for cell, w in zip(cells[left:], width[left:], strict=True)]
        return "  ".join(padded).rstrip()

    return "\n".join(map(line, rows))


def in_full(value: float) -> str:
    """A number that reads back as it was; an undefined one is empty."""
    return repr(value) if math.isfinite(value) else ""


def json_text(plain: object) -> str:
    """JSON as a file has it."""
    return json.dumps(jsonable(plain), indent=1, allow_nan=False) + "\n"


def jsonable(value: object) -> object:
    """Mappings, sequences and arrays of what JSON knows; undefined numbers as None."""
    if isinstance(value, dict):
        return {name: jsonable(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        return jsonable(value.tolist())
    if isinstance(value, tuple | list):
        return [jsonable(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def resampled(groups: Groups, why_no_interval: str) -> dict[str, object]:
    """What was drawn, as JSON has it."""
    drawn = {"unit": groups.unit, "count": groups.count, "queries": groups.code.size}
    return drawn | {"why_no_interval": why_no_interval}


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
    said = [*_verdicts(table), _legend(table)]
    parts = [*map(aligned, _tables(table)), *map("\n".join, said)]
    if warnings := table.warnings:
        parts.append("\n".join(f"warning: {text}" for text in warnings))
    return "\n\n".join(parts).replace(DASH, "-").replace(MINUS, "-") + "\n"


def as_markdown(table: ScoreTable) -> str:
    """The scores as Markdown, as for the summary of a job in CI; first what was checked.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, as_markdown, score
    >>> text = as_markdown(score(load_results("profiles"), Policies(k=(5,), n_resamples=0)))
    >>> text.splitlines()[1].replace(" ", "")[:7]
    '|---|--'
    """
    marks = {True: "**failed**", False: "passed"}
    parts = ["\n".join(f"- {marks[one.failed]}: {_md(one.words)}" for one in table.checks)]
    for rows in _tables(table):
        header, *body = (f"| {' | '.join(map(_md, row))} |" for row in rows)
        parts.append("\n".join([header, f"|---{'|--:' * (len(rows[0]) - 1)}|", *body]))
    parts += [_md("\n".join(said)) for said in [*_verdicts(table), _legend(table)]]
    parts.append("\n".join(f"- warning: {_md(text)}" for text in table.warnings))
    return "\n\n".join(filter(None, parts)) + "\n"


def as_latex(table: ScoreTable) -> str:
    """The scores as a table for LaTeX, with the rules of the package booktabs.

    One that is wider than the lines of the page is made as narrow, by the package graphicx. The
    caption is what may be concluded, what ties change, and what titles with a mark are.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, as_latex, score
    >>> text = as_latex(score(load_results("profiles"), Policies(k=(5,), n_resamples=0)))
    >>> "TAP-5" in text
    True
    """
    parts = []
    for rows in _tables(table):
        header, *body = (" & ".join(map(_tex, row)) + " \\\\" for row in rows)
        columns = "l" + "r" * (len(rows[0]) - 1)
        begin = [AS_WIDE, f"\\begin{{tabular}}{{{columns}}}", "\\toprule", header, "\\midrule"]
        parts.append("\n".join([*begin, *body, "\\bottomrule", "\\end{tabular}}"]))
    ties = [f"{describe(one)}." for one in table.findings if one.kind == "ties"]
    verdicts = (text for said in _verdicts(table) for text in said)
    words = " ".join([*verdicts, *table.weighed, *ties, *_notes(table)])
    caption = [f"\\caption{{{_tex(words)}}}"] if words else []
    notes = [f"% {CONTROL.sub(' ', line)}" for line in [*_legend(table), *table.warnings]]
    packages = [f"% \\usepackage{{{name}}}" for name in ("booktabs", "graphicx")]
    lines = [*packages, "\\begin{table}", "\\centering", *caption]
    lines += ["\n\n\\bigskip\n".join(parts), "\\end{table}", "", *notes]
    return "\n".join(lines) + "\n"


def as_csv(table: ScoreTable) -> str:
    """The scores as a long table, a row for each score of each algorithm; numbers in full.

    Rows at the end, without a score, have by what the queries were selected, and what is doubtful:
    a row for each algorithm that it concerns, or one without an algorithm.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, as_csv, score
    >>> text = as_csv(score(load_results("profiles"), Policies(k=(5,), n_resamples=0)))
    >>> text.splitlines()[0].partition(",compared_with,")[0]
    'algorithm,score,value,low,high,worst,best,sd'
    """
    return writing.as_csv([CSV_HEAD, *_csv_rows(table)])


def _csv_rows(table: ScoreTable) -> Iterator[list[str]]:
    for name, values in table.rows.items():
        for column, value in zip(table.columns, values, strict=True):
            numbers = map(in_full, value.numbers.values())
            yield [name, column.title, *numbers, "", *[""] * len(TESTED), ""]
    for column, one in table.comparisons:
        numbers = map(in_full, (*column.score.less(one), math.nan, math.nan, math.nan))
        counts = [str(count) if one.counted else "" for count in one.counts]
        tested = [in_full(one.p), *counts, str(one.units), one.unit]
        yield [one.first, column.title, *numbers, one.second, *tested, ""]
    doubts = [("", words) for words in (*_selected(table), *table.doubts)]
    found = [(name, describe(one)) for one in table.findings for name in one.algorithms or ("",)]
    for name, words in doubts + found:
        yield [name, *[""] * (len(CSV_HEAD) - 2), words]


def as_json(table: ScoreTable) -> str:
    """The scores, policies, versions and findings as JSON; undefined numbers are null.

    Examples
    --------
    >>> import json
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, as_json, score
    >>> text = as_json(score(load_results("profiles"), Policies(k=(5,), n_resamples=0)))
    >>> list(json.loads(text))[:4]
    ['versions', 'standard', 'policies', 'resampled']
    """
    return json_text(_plain(table))


def _plain(table: ScoreTable) -> dict[str, object]:
    """All that JSON has of a table."""
    policies, conclusions = table.policies._asdict(), [*map(_conclusion, table.verdicts)]
    return {
        "versions": versions(),
        "standard": table.standard,
        **table.made,
        "policies": policies
        | policies.pop("queries")
        | {
            "ties": f"{policies['ties']}; ROC_n trapezoid",
            "interval": "expanded percentile, bootstrap",
            "difference": "studentised maximum over pairs, signs of groups",
        },
        "resampled": resampled(table.groups, table.why_no_interval),
        "join": dict(table.joined),
        "algorithms": [_algorithm(table, name) for name in table.rows],
        "comparisons": [_compared(column, one) for column, one in table.comparisons],
        "notes": {one.score.name: one.score.note for one in table.columns if one.score.note},
        "conclusion": next(iter(conclusions), None),
        "holds": None if table.holds is None else [one._asdict() for one in table.holds.conditions],
        "other_conclusions": conclusions[1:],
        "checks": [one._asdict() for one in table.checks],
        "findings": [one._asdict() | {"words": describe(one)} for one in table.findings],
        "warnings": table.warnings,
    }


def as_multiqc(tables: Sequence[ScoreTable]) -> str:
    """The scores as a table of MultiQC: custom content, for a file whose name ends in _mqc.json.

    Of several tables the rows are named by the standard, too.

    Examples
    --------
    >>> import json
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, as_multiqc, score
    >>> table = score(load_results("profiles"), Policies(k=(5,), n_resamples=0))
    >>> content = json.loads(as_multiqc([table]))
    >>> content["plot_type"], round(content["data"]["RPS-BLAST"]["tap@TAP-5"], 3)
    ('table', 0.378)
    """
    headers: dict[str, dict[str, object]] = {}
    data: dict[str, dict[str, float | str]] = {}
    words = [f"Scores of retrieval by tapviz: {tables[0].groups}."]
    for table in tables:
        words += [f"{'Failed' if one.failed else 'Passed'}: {one.words}." for one in table.checks]
        words += [*(one for said in _verdicts(table) for one in said[:1]), *table.warnings]
        for name, values in table.rows.items():
            text = escape(name, quote=False)  # which MultiQC takes for markup
            row = data.setdefault(f"{text} ({table.standard})" if len(tables) > 1 else text, {})
            for place, column in table.shown:
                score = column.score
                # A score at several thresholds is there several times.
                key = f"{score.name}@{column.rule.title}" if score.at_threshold else score.name
                row[key] = values[place].value
                headers[key] = {
                    "title": column.title,
                    "description": score.brief,
                    "format": "{:.3g}" if score.digits is None else f"{{:,.{score.digits}f}}",
                    "scale": "Greens" if score.higher_is_better else False,
                    **dict(zip(("min", "max"), score.range or (), strict=False)),
                }
                if _with_interval(column, table.policies):
                    row[f"{key} interval"] = _interval(table, column, values[place])
                    title = f"{column.title}, {_interval_title(table.policies)}"
                    headers[f"{key} interval"] = headers[key] | {"title": title, "scale": False}
    content = {
        "id": "tapviz",
        "section_name": "Retrieval",
        "description": "<br>".join(map(escape, dict.fromkeys(words))),
        "plot_type": "table",
        "pconfig": {"id": "tapviz_scores", "title": "tapviz: scores", "col1_header": "Algorithm"},
        "headers": headers,
        "data": data,
    }
    return json_text(content)


def written(tables: Sequence[ScoreTable], output: str) -> str:
    """One table, or those of several standards of relevance, as one text.

    Text and LaTeX have a table for each standard; CSV has a column, JSON an object by standard.

    Parameters
    ----------
    tables : sequence of ScoreTable
        At least one; of several, each of another standard.
    output : {"table", "latex", "csv", "json", "markdown", "junit", "multiqc"}

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Policies, score, written
    >>> table = score(load_results("profiles"), Policies(k=(5,), n_resamples=0))
    >>> both = [table._replace(standard=name) for name in ("family", "fold")]
    >>> written(both, "csv").splitlines()[0].partition(",compared_with,")[0]
    'standard,algorithm,score,value,low,high,worst,best,sd'
    """
    if output in WHOLE:
        return WHOLE[output](tables)
    write = OUTPUTS[output]
    if len(tables) == 1:
        return write(tables[0])
    if output == "csv":
        rows = [[table.standard, *row] for table in tables for row in _csv_rows(table)]
        return writing.as_csv([["standard", *CSV_HEAD], *rows])
    if output == "json":
        return json_text({one.standard: _plain(one) for one in tables})
    mark = "% " if output == "latex" else ""
    return "\n".join(f"{mark}Standard: {table.standard}\n\n{write(table)}" for table in tables)


def versions() -> dict[str, str]:
    """Versions of what the numbers hang on.

    Examples
    --------
    >>> from tapviz.scores import versions
    >>> list(versions())
    ['python', 'tapviz', 'numpy', 'scipy', 'pyarrow']
    """
    from importlib import metadata  # noqa: PLC0415  # slow to import, for JSON only

    found = {"python": platform.python_version()}
    for name in ("tapviz", "numpy", "scipy", "pyarrow"):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def _algorithm(table: ScoreTable, name: str) -> dict[str, object]:
    """Scores of one algorithm by their names, those at a threshold below `thresholds`."""
    thresholds: dict[ThresholdRule, dict[str, object]] = {
        rule: {"name": rule.title, "k": rule.k, "e0": rule.e0} for rule in table.policies.rules
    }
    others: dict[str, object] = {}
    for column, value in zip(table.columns, table.rows[name], strict=True):
        score = column.score
        into = thresholds[column.rule] if score.at_threshold else others
        into[score.name] = value.value
        if value.runs:
            into |= {f"{score.name}_sd": value.sd, f"{score.name}_runs": value.runs}
        if score.has_interval:
            into |= {f"{score.name}_low": value.low, f"{score.name}_high": value.high}
        if score.has_ties:
            into |= {f"{score.name}_worst": value.worst, f"{score.name}_best": value.best}
        if score.at_threshold:
            into |= {"reason": value.reason, "too_short": value.too_short}
    several = {"runs": table.systems[name]} if name in table.systems else {}
    about = {"algorithm": name, **several, "run": table.runs[name].known}
    return {**about, "thresholds": list(thresholds.values()), **others}


def _conclusion(found: Verdict) -> dict[str, object]:
    return {
        "score": found.place.title,
        "k": found.place.k,
        "e0": found.place.e0,
        "tiers": found.tiers,
        **as_plain(found, describe_verdict(found)),
        "left_out": dict(found.left_out),
        "reason": found.reason,
    }


def _verdicts(table: ScoreTable) -> list[list[str]]:
    """What may be concluded at each threshold, a paragraph for each part; and how far it holds."""
    said = [
        [" ".join(one.text for one in part) for part in describe_verdict(found) if part]
        for found in table.verdicts
    ]
    if said and table.holds is not None and table.holds.text:
        said[0].append(table.holds.text)
    return said


def _compared(column: Column, one: PairDifference) -> dict[str, object]:
    """A comparison; the difference is the score of the first minus that of the second."""
    return one._asdict() | {
        "score": column.title,
        "higher_is_better": column.score.higher_is_better,
        **dict(zip(("difference", "low", "high"), column.score.less(one), strict=True)),
        "clear": one.clear,
        "ties_decide": one.ties_decide,
    }


def _tables(table: ScoreTable) -> list[list[list[str]]]:
    """Cells of the table of scores and, with a baseline, of the comparisons; header first."""
    policies = table.policies
    columns = [["algorithm", *table.rows]]
    for place, column in table.shown:
        score, values = column.score, [of[place] for of in table.rows.values()]
        columns.append([score.marked(column.title), *(_cell(column, one) for one in values)])
        if _with_interval(column, policies):
            intervals = (_interval(table, column, one) for one in values)
            columns.append([score.marked(_interval_title(policies)), *intervals])
    tables = [[[*row] for row in zip(*columns, strict=True)]]
    if any(_said(run) for run in table.runs.values()):
        tables.append(_runs(table))
    if table.comparisons:
        titles = ["pair", "score", "difference", _interval_title(policies), "p"]
        cells = [_comparison(*one, table.groups.few) for one in table.comparisons]
        tables.append([[*titles, "wins", "ties", "losses"], *cells])
    return tables


def _said(run: Run) -> dict[str, str]:
    """What is known of a run in words; what it cost is among the scores."""
    known = run.known
    return {name: shortened(str(known[name]), LONGEST) for name in RUN_TEXTS if name in known}


def _runs(table: ScoreTable) -> list[list[str]]:
    """Cells of the table of programs, versions and the like, with the columns that are known."""
    said = {name: _said(run) for name, run in table.runs.items()}
    known = [name for name in RUN_TEXTS if any(name in one for one in said.values())]
    rows = [[name, *(one.get(column, DASH) for column in known)] for name, one in said.items()]
    return [["run", *known], *rows]


def _with_interval(column: Column, policies: Policies) -> bool:
    """Whether the interval of a score stands beside it; a threshold that was given has none."""
    score, given = column.score, column.rule.k is None and column.score.name == "threshold"
    known = score.has_interval and policies.n_resamples > 0 and not given
    return known and (score.interval_shown or policies.all_intervals)


def _interval(table: ScoreTable, column: Column, value: Value) -> str:
    none = table.groups.few or value.no_interval.removesuffix(".")
    return column.score.interval_text(value.low, value.high, none, "-")


def _cell(column: Column, value: Value) -> str:
    text = column.score.text
    if column.score.interval_shown and value.reason and not value.too_short:
        return value.reason.removesuffix(SEEMS)  # which is long, and stands below the table
    ties = f" [{text(value.worst)}, {text(value.best)}]" if _tied(column, value) else ""
    spread = f" (sd {text(value.sd)})" if math.isfinite(value.sd) else ""
    return text(value.value) + spread + ties


def _tied(column: Column, value: Value) -> bool:
    """Whether the order of equal scores changes it in the decimals shown."""
    digits = column.score.digits
    return value.tied if digits is None else visible(value.worst, value.best, digits)


def _comparison(column: Column, one: PairDifference, few: str) -> list[str]:
    score, (estimate, low, high) = column.score, column.score.less(one)
    return [
        f"{one.first} - {one.second}",
        score.marked(column.title),
        score.signed(estimate, minus="-"),
        score.interval_text(low, high, few, "-"),
        p_text(one.p),
        *(map(str, one.counts) if one.counted else (DASH,) * 3),
    ]


def _selected(table: ScoreTable) -> list[str]:
    """By what the queries were selected, if by anything."""
    chosen = ", ".join(f"{name} = {value}" for name, value in table.policies.queries.items())
    return [f"Only queries with {chosen}."] if chosen else []


def _legend(table: ScoreTable) -> list[str]:
    """How the numbers came about."""
    policies = table.policies
    lines = [f"Standard of relevance: {table.standard}."] if table.standard else []
    lines += [f"{table.groups}.", *_selected(table)]
    lines += table.weighed
    if policies.ties != "listed":
        lines.append(f"Records of equal score: {TIES[policies.ties]}.")
    at_threshold = any(column.score.at_threshold for _, column in table.shown)
    if policies.k and at_threshold:
        share = f"at least {policies.quantile:g} of the queries"
        lines.append(f"E_k: the threshold at which {share} have k errors. EPQ: errors per query.")
    anew = "that of all queries" if policies.fixed_threshold else "found anew"
    threshold = f"E_k {anew} in each" if policies.k else "the threshold given"
    if table.not_resampled and any(column.score.figure for _, column in table.shown):
        lines.append(f"No intervals of TAP and its peak: {table.not_resampled}.")
    cells = [(one, value[at]) for at, one in table.shown for value in table.rows.values()]
    if any(_with_interval(one, policies) and math.isfinite(value.low) for one, value in cells):
        how = f"{100 * policies.level:g} %, {policies.n_resamples:,} resamples"
        alike = f"the same for all algorithms{f', {threshold}' if at_threshold else ''}"
        lines.append(f"Intervals: {how} of the {table.groups.unit}, {alike}; seed {policies.seed}.")
    spread = "standard deviation over the runs; intervals take queries and runs into account"
    for name, runs in table.systems.items():
        mean = f"the mean of {count(len(runs), 'run')} ({', '.join(runs)})"
        lines.append(f"{name}: {mean}, of thresholds the median. sd: {spread}.")
    if tests := list(dict.fromkeys(one.test for _, one in table.comparisons if one.test)):
        lists = any(column.score.source for column, _ in table.comparisons)  # or given scores
        order = ", and for every order of equal scores" if lists else ""
        hold = f"Intervals and p hold for all pairs at once{order}."
        how = f"{'; or '.join(tests)}; seed {policies.seed}"
        lines.append(f"Differences: {how}. {hold} Wins, ties and losses are queries.")
    if any(_tied(*cell) for cell in cells):
        lines.append("[worst, best]: over all orders of records with equal scores.")
    for name, values in table.rows.items():
        ends = dict.fromkeys(one.reason for one in values if one.reason.endswith(SEEMS))
        lines += (f"{name}: {end}." for end in ends)
    return [*lines, *_notes(table)]


def _notes(table: ScoreTable) -> list[str]:
    """What scores with a mark are."""
    notes = dict.fromkeys(one.score.note for one in table.columns if one.score.note)
    return [f"{MARK} {note}." for note in notes]


def _interval_title(policies: Policies) -> str:
    return f"{100 * policies.level:g} % interval"


def _md(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_<>|\[\]#~])", r"\\\1", CONTROL.sub(" ", text))


def _tex(text: str) -> str:
    special = {c: f"\\{c}" for c in "&%$#_{}"} | {
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
        "<": "\\textless{}",
        ">": "\\textgreater{}",
        "|": "\\textbar{}",
        DASH: "--",
        MINUS: "$-$",
    }
    text = NEGATIVE.sub(MINUS, CONTROL.sub(" ", text))
    parts = SUBSCRIPT.split(text)  # text, subscript, text, ...
    escaped = ["".join(special.get(c, c) for c in part) for part in parts]
    for place in range(1, len(parts), 2):
        escaped[place] = f"$_{{{parts[place]}}}$"
    guard = "{}" if text.startswith(("[", "*")) else ""  # else an option of the row before
    return guard + "".join(escaped)


OUTPUTS: dict[str, Callable[[ScoreTable], str]] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
    "latex": as_latex,
    "markdown": as_markdown,
}
"""How a table can be written."""
WHOLE = {"junit": as_junit, "multiqc": as_multiqc}
"""How all tables are written together."""
ENDINGS = {
    "_mqc.json": "multiqc",
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".xml": "junit",
    ".txt": "table",
}
"""What is written to a file, by how its name ends."""


def form_of(file: str, asked: str = "") -> str:
    """How a table is written to a file: as asked, or by the ending of its name.

    Raises
    ------
    ValueError
        If nobody asked, and the ending says nothing.

    Examples
    --------
    >>> from tapviz.scores import form_of
    >>> form_of("scores.json"), form_of("tapviz_mqc.json"), form_of("scores", "csv")
    ('json', 'multiqc', 'csv')
    """
    known = (form for end, form in ENDINGS.items() if file.lower().endswith(end))
    if form := asked or next(known, ""):
        return form
    endings = ", ".join(ENDINGS)
    raise ValueError(f"-o {file}: say how to write by --output, or by an ending: {endings}")
