"""The bench on which people judge retrieval in bioinformatics."""

from typing import TYPE_CHECKING, Any

from tapviz.datasets import load_results
from tapviz.labels import ClassTable, Inline, JoinReport, JoinRules, Patterns, Qrels, normalise
from tapviz.lists import RetrievalLists, align
from tapviz.measures import (
    act_ranking,
    apcp,
    auc,
    average_precision,
    average_roc,
    baroc,
    betweenness_violations,
    binormal_roc,
    bootstrap,
    calibration,
    classification,
    compare_with,
    correlated_z,
    coverage_vs_epq,
    cumulative_auc,
    delong,
    element_wise,
    eleven_point,
    epq_distribution,
    error_threshold,
    errors_per_query,
    f_measure,
    group_wise,
    holm,
    influence,
    interpolated_precision_recall,
    ipr_auc,
    likelihood_ratio,
    mean_precision_recall,
    mean_recall,
    mean_roc_n_bracket,
    nth_irrelevant,
    paired_t,
    partial_auc,
    pooled_roc_n,
    pooled_roc_n_bracket,
    precision_at,
    precision_recall_curve,
    randomization_test,
    ranked_list,
    recall_at,
    reciprocal_rank,
    reorder,
    retrieved_at,
    roc_curve,
    roc_n,
    roc_n_curve,
    tap,
    tap_curve,
    tap_k,
    tie_bracket,
    total_reciprocal_rank,
    trapezoid_pr_auc,
    wilcoxon,
    win_tie_loss,
)
from tapviz.readers import ReadError, detect, formats, read, read_all, write_parquet, write_tap

if TYPE_CHECKING:
    from tapviz.dashboard import Dashboard
    from tapviz.dashboard.figures import save_figure
    from tapviz.explorer import Explorer

__version__ = "0.1.0"

__all__ = [
    "ClassTable",
    "Dashboard",
    "Explorer",
    "Inline",
    "JoinReport",
    "JoinRules",
    "Patterns",
    "Qrels",
    "ReadError",
    "RetrievalLists",
    "act_ranking",
    "align",
    "apcp",
    "auc",
    "average_precision",
    "average_roc",
    "baroc",
    "betweenness_violations",
    "binormal_roc",
    "bootstrap",
    "calibration",
    "classification",
    "compare_with",
    "correlated_z",
    "coverage_vs_epq",
    "cumulative_auc",
    "delong",
    "detect",
    "element_wise",
    "eleven_point",
    "epq_distribution",
    "error_threshold",
    "errors_per_query",
    "f_measure",
    "formats",
    "group_wise",
    "holm",
    "influence",
    "interpolated_precision_recall",
    "ipr_auc",
    "likelihood_ratio",
    "load_results",
    "mean_precision_recall",
    "mean_recall",
    "mean_roc_n_bracket",
    "normalise",
    "nth_irrelevant",
    "paired_t",
    "partial_auc",
    "pooled_roc_n",
    "pooled_roc_n_bracket",
    "precision_at",
    "precision_recall_curve",
    "randomization_test",
    "ranked_list",
    "read",
    "read_all",
    "recall_at",
    "reciprocal_rank",
    "reorder",
    "retrieved_at",
    "roc_curve",
    "roc_n",
    "roc_n_curve",
    "save_figure",
    "tap",
    "tap_curve",
    "tap_k",
    "tie_bracket",
    "total_reciprocal_rank",
    "trapezoid_pr_auc",
    "wilcoxon",
    "win_tie_loss",
    "write_parquet",
    "write_tap",
]


def __getattr__(name: str) -> Any:
    """Load what needs pandas or a plotting library only when somebody asks for it."""
    if name == "Explorer":
        from tapviz.explorer import Explorer  # noqa: PLC0415

        return Explorer
    if name == "Dashboard":
        from tapviz.dashboard import Dashboard  # noqa: PLC0415

        return Dashboard
    if name == "save_figure":
        from tapviz.dashboard.figures import save_figure  # noqa: PLC0415

        return save_figure
    msg = f"module 'tapviz' has no attribute {name!r}"
    raise AttributeError(msg)
