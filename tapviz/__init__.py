"""The bench on which people judge retrieval in bioinformatics."""

from typing import TYPE_CHECKING, Any

from tapviz.datasets import load_results
from tapviz.labels import ClassTable
from tapviz.lists import RetrievalLists, align
from tapviz.measures import (
    average_precision,
    epq_distribution,
    error_threshold,
    errors_per_query,
    mean_precision_recall,
    mean_recall,
    pooled_roc_n,
    precision_recall_curve,
    retrieved_at,
    roc_n,
    roc_n_curve,
    tap,
    tap_curve,
    tap_k,
)
from tapviz.readers import ReadError, read

if TYPE_CHECKING:
    from tapviz.dashboard import Dashboard
    from tapviz.explorer import Explorer

__version__ = "0.1.0"

__all__ = [
    "ClassTable",
    "Dashboard",
    "Explorer",
    "ReadError",
    "RetrievalLists",
    "align",
    "average_precision",
    "epq_distribution",
    "error_threshold",
    "errors_per_query",
    "load_results",
    "mean_precision_recall",
    "mean_recall",
    "pooled_roc_n",
    "precision_recall_curve",
    "read",
    "retrieved_at",
    "roc_n",
    "roc_n_curve",
    "tap",
    "tap_curve",
    "tap_k",
]


def __getattr__(name: str) -> Any:
    """Load what needs pandas or a plotting library only when somebody asks for it."""
    if name == "Explorer":
        from tapviz.explorer import Explorer  # noqa: PLC0415

        return Explorer
    if name == "Dashboard":
        from tapviz.dashboard import Dashboard  # noqa: PLC0415

        return Dashboard
    msg = f"module 'tapviz' has no attribute {name!r}"
    raise AttributeError(msg)
