"""The value everything exchanges: all retrieval lists of one algorithm.

What is imported as itself is for other rooms, and no part of what users call.
"""

from tapviz.lists.align import align
from tapviz.lists.checks import UNGRADED, Direction, Grades, Kept, ReportedHow
from tapviz.lists.derived import derived
from tapviz.lists.lists import ARGUMENTS, Frame, RetrievalLists
from tapviz.lists.reported import all_kept as all_kept
from tapviz.lists.reported import check_kept as check_kept
from tapviz.lists.reported import check_ranked as check_ranked
from tapviz.lists.reported import is_measured as is_measured
from tapviz.lists.reported import measured_to as measured_to
from tapviz.lists.reported import not_kept as not_kept
from tapviz.lists.runs import Run as Run
from tapviz.lists.words import count as count
from tapviz.lists.writing import write_atomically as write_atomically

__all__ = ["ARGUMENTS", "UNGRADED", "Direction", "Frame", "Grades", "Kept", "ReportedHow"]
__all__ += ["RetrievalLists", "align", "derived"]
