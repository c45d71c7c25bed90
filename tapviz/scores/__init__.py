"""The scores of several algorithms under one set of policies, and how they are written out."""

from tapviz.scores.ncbi import ncbi_lines
from tapviz.scores.scores import USUAL_K, AlgorithmScore, Policies, Scores, ThresholdScore, score
from tapviz.scores.written import as_csv, as_json, as_latex, as_table, versions

__all__ = [
    "USUAL_K",
    "AlgorithmScore",
    "Policies",
    "Scores",
    "ThresholdScore",
    "as_csv",
    "as_json",
    "as_latex",
    "as_table",
    "ncbi_lines",
    "score",
    "versions",
]
