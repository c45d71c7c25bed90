"""The scores of several algorithms under one set of policies, and how they are written out."""

from tapviz.scores.foldseek import foldseek_lines, why_foldseek_differs
from tapviz.scores.more import MORE_SCORES, PRESETS, named, selected
from tapviz.scores.ncbi import ncbi_lines
from tapviz.scores.pipeline import (
    Column,
    Compared,
    Policies,
    ScoreTable,
    Value,
    columns,
    compare,
    find,
    score,
    value,
)
from tapviz.scores.table import (
    DASH,
    SCORES,
    SUBSCRIPT,
    USUAL_K,
    Case,
    Memo,
    Score,
    ThresholdRule,
    number,
)
from tapviz.scores.written import OUTPUTS, as_csv, as_json, as_latex, as_table, versions, written

__all__ = [
    "DASH",
    "MORE_SCORES",
    "OUTPUTS",
    "PRESETS",
    "SCORES",
    "SUBSCRIPT",
    "USUAL_K",
    "Case",
    "Column",
    "Compared",
    "Memo",
    "Policies",
    "Score",
    "ScoreTable",
    "ThresholdRule",
    "Value",
    "as_csv",
    "as_json",
    "as_latex",
    "as_table",
    "columns",
    "compare",
    "find",
    "foldseek_lines",
    "named",
    "ncbi_lines",
    "number",
    "score",
    "selected",
    "value",
    "versions",
    "why_foldseek_differs",
    "written",
]
