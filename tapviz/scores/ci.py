"""Scores for what runs in CI: JUnit's XML, and custom content of MultiQC."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from tapviz.scores._layout import json_text
from tapviz.scores.column import Column
from tapviz.scores.pipeline import Check, ScoreTable

__all__ = ["as_junit", "as_multiqc"]

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(tables: Sequence[ScoreTable]) -> str:
    """Checks as test cases in JUnit's XML, a suite for each table.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import Check, Policies, as_junit, score
    >>> table = score(load_results("profiles"), Policies(k=(5,), n_resamples=0))
    >>> one = Check("tap < -0.01", "new", "TAP-5", True, "TAP-5 of new fell by 0.1")
    >>> as_junit([table._replace(checks=(one,))]).splitlines()[1]
    '<testsuites tests="1" failures="1">'
    """
    suites = [line for table in tables for line in _suite(table)]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f"<testsuites {_counts([one for table in tables for one in table.checks])}>")
    return "\n".join([*lines, *suites, "</testsuites>"]) + "\n"


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
    data: dict[str, dict[str, object]] = {}
    for table in tables:
        for name, values in table.rows.items():
            row = f"{name} ({table.standard})" if len(tables) > 1 else name
            for column, value in zip(table.columns, values, strict=True):
                if not column.score.in_tables:
                    continue
                key = _key(column)
                headers.setdefault(key, _header(column))
                data.setdefault(row, {})[key] = value.value
    content = {
        "id": "tapviz",
        "section_name": "Retrieval",
        "description": f"Scores of retrieval by tapviz: {tables[0].groups}.",
        "plot_type": "table",
        "pconfig": {"id": "tapviz_scores", "title": "tapviz: scores", "col1_header": "Algorithm"},
        "headers": headers,
        "data": data,
    }
    return json_text(content)


def _key(column: Column) -> str:
    """Name of a column, in which a score at several thresholds is there several times."""
    score = column.score
    return f"{score.name}@{column.rule.title}" if score.at_threshold else score.name


def _header(column: Column) -> dict[str, object]:
    score = column.score
    digits = score.digits
    limits = dict(zip(("min", "max"), score.range, strict=True)) if score.range else {}
    return {
        "title": column.title,
        "description": score.brief,
        "format": "{:.3g}" if digits is None else f"{{:,.{digits}f}}",
        "scale": False,
        **limits,
    }


def _suite(table: ScoreTable) -> list[str]:
    name = f"tapviz {table.standard}".strip()
    lines = [f'  <testsuite name="{_xml(name)}" {_counts(table.checks)}>']
    for one in table.checks:
        case = f"{one.title}: {one.asked}"
        lines.append(f'    <testcase classname="{_xml(one.algorithm)}" name="{_xml(case)}">')
        if one.failed:
            lines.append(f'      <failure message="{_xml(one.words)}"/>')
        else:
            lines.append(f"      <system-out>{_xml(one.words)}</system-out>")
        lines.append("    </testcase>")
    return [*lines, "  </testsuite>"]


def _counts(checks: Sequence[Check]) -> str:
    return f'tests="{len(checks)}" failures="{sum(one.failed for one in checks)}"'


def _xml(text: str) -> str:
    return escape(NOT_XML.sub("?", text))
