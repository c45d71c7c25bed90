"""The value everything exchanges: all retrieval lists of one algorithm."""

from tapviz.lists.align import align
from tapviz.lists.checks import Direction, ReportedHow
from tapviz.lists.derived import derived
from tapviz.lists.kept import UNGRADED, Frame, Grades, Kept
from tapviz.lists.lists import ARGUMENTS, RetrievalLists

__all__ = [
    "ARGUMENTS", "UNGRADED", "Direction", "Frame", "Grades", "Kept", "ReportedHow",
    "RetrievalLists", "align", "derived",
]  # fmt: skip
