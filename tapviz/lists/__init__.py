"""The value everything exchanges: all retrieval lists of one algorithm."""

from tapviz.lists.align import align
from tapviz.lists.checks import Direction, ReportedHow
from tapviz.lists.derived import derived
from tapviz.lists.kept import UNGRADED, Frame, Grades, Kept
from tapviz.lists.lists import ARGUMENTS, RetrievalLists
from tapviz.lists.reported import all_kept, check_kept, is_measured, measured_to, not_kept
from tapviz.lists.runs import Run, systems
from tapviz.lists.words import count
from tapviz.lists.writing import write_atomically

__all__ = [
    "ARGUMENTS", "UNGRADED", "Direction", "Frame", "Grades", "Kept", "ReportedHow",
    "RetrievalLists", "Run", "align", "all_kept", "check_kept", "count", "derived", "is_measured",
    "measured_to", "not_kept", "systems", "write_atomically",
]  # fmt: skip
