"""Exact numbers from retrieval lists: NumPy only, a module per family."""

from tapviz.measures.errors import (
    EpqDistribution,
    Threshold,
    epq_distribution,
    error_quantile,
    error_threshold,
    errors_per_query,
)
from tapviz.measures.precision_recall import (
    MeanPrecisionRecall,
    PrecisionRecall,
    Retrieved,
    average_precision,
    mean_precision_recall,
    mean_recall,
    precision_recall_curve,
    recall_of,
    retrieved_at,
)
from tapviz.measures.roc import RocCurve, pooled_roc_n, roc_n, roc_n_curve
from tapviz.measures.tap import Tap, TapCurve, tap, tap_curve, tap_k

__all__ = [
    "EpqDistribution",
    "MeanPrecisionRecall",
    "PrecisionRecall",
    "Retrieved",
    "RocCurve",
    "Tap",
    "TapCurve",
    "Threshold",
    "average_precision",
    "epq_distribution",
    "error_quantile",
    "error_threshold",
    "errors_per_query",
    "mean_precision_recall",
    "mean_recall",
    "pooled_roc_n",
    "precision_recall_curve",
    "recall_of",
    "retrieved_at",
    "roc_n",
    "roc_n_curve",
    "tap",
    "tap_curve",
    "tap_k",
]
