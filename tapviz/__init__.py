"""Judge retrieval in bioinformatics: TAP-k, ROC_n, precision-recall and errors per query.

The names here are those that most people need. The rest is in `tapviz.measures` (all measures),
`tapviz.readers` (files), `tapviz.labels` (what is relevant) and `tapviz.readers.datasets`.

Examples
--------
>>> from tapviz import load_results, tap_k
>>> lists = load_results("profiles")["HMMER3 hmmscan"]
>>> round(tap_k(lists, k=5).value, 3)
0.481
"""

import importlib
from typing import TYPE_CHECKING, Any

from tapviz.files.extras import told
from tapviz.labels import ClassTable, Inline, JoinReport, JoinRules, Patterns, Qrels
from tapviz.lists import RetrievalLists, align
from tapviz.measures import (
    Bootstrap,
    Bracket,
    PairDifference,
    PerQuery,
    Scored,
    Tap,
    TapCurve,
    Threshold,
    average_precision,
    bootstrap,
    error_threshold,
    errors_per_query,
    pairwise,
    pooled_roc_n,
    roc_n,
    tap,
    tap_curve,
    tap_k,
)
from tapviz.readers import ReadError, read, read_all
from tapviz.readers.datasets import load_results
from tapviz.readers.reading import lists_of_frame

if TYPE_CHECKING:
    from tapviz.explorer import Explorer
    from tapviz.explorer.report import save_report
    from tapviz.explorer.session import open_session, save_session
    from tapviz.page import Dashboard
    from tapviz.plots.save import save_figure

__version__ = "0.1.0"


RetrievalLists.judged_frame = lists_of_frame

__all__ = [
    "Bootstrap",
    "Bracket",
    "ClassTable",
    "Dashboard",
    "Explorer",
    "Inline",
    "JoinReport",
    "JoinRules",
    "PairDifference",
    "Patterns",
    "PerQuery",
    "Qrels",
    "ReadError",
    "RetrievalLists",
    "Scored",
    "Tap",
    "TapCurve",
    "Threshold",
    "align",
    "average_precision",
    "bootstrap",
    "error_threshold",
    "errors_per_query",
    "load_results",
    "open_session",
    "pairwise",
    "pooled_roc_n",
    "read",
    "read_all",
    "roc_n",
    "save_figure",
    "save_report",
    "save_session",
    "tap",
    "tap_curve",
    "tap_k",
]

LAZY = {
    "Explorer": "tapviz.explorer",
    "Dashboard": "tapviz.page",
    "save_figure": "tapviz.plots.save",
    "save_report": "tapviz.explorer.report",
    "open_session": "tapviz.explorer.session",
    "save_session": "tapviz.explorer.session",
}
"""What needs pandas or a plotting library, and the module that has it."""


def __getattr__(name: str) -> Any:
    """Load what needs pandas or a plotting library when it is first asked for."""
    if name in LAZY:
        with told():
            return getattr(importlib.import_module(LAZY[name]), name)
    msg = f"module 'tapviz' has no attribute {name!r}"
    raise AttributeError(msg)
