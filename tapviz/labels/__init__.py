"""Which records are relevant to which query: labels turn hits into retrieval lists.

All kinds of labels have one method, ``lists(hits, queries=None)``, and go through one join.
"""

from tapviz.files import File, Held, ReadError, Source, doubts, name_of, warn
from tapviz.labels.classes import ClassTable, Patterns
from tapviz.labels.hits import Hits, JoinReport
from tapviz.labels.ids import NORMALISATIONS, normalise
from tapviz.labels.join import Labels, fingerprint
from tapviz.labels.kinds import kind_of
from tapviz.labels.qrels import Inline, Qrels, pair_id
from tapviz.labels.rules import LEVELS, RELEVANCE, STANDARDS, JoinRules, Standard

__all__ = [
    "LEVELS", "NORMALISATIONS", "RELEVANCE", "STANDARDS", "ClassTable", "File", "Held", "Hits",
    "Inline", "JoinReport", "JoinRules", "Labels", "Patterns", "Qrels", "ReadError", "Source",
    "Standard", "doubts", "fingerprint", "kind_of", "name_of", "normalise", "pair_id", "warn",
]  # fmt: skip
