"""The scores of several algorithms under one set of policies, and how they are written out.

Each module names in its `__all__` what it has for users.
"""

import types
import typing

from tapviz.measures import USUAL_CONFIDENCE as USUAL_CONFIDENCE
from tapviz.measures import USUAL_QUANTILE as USUAL_QUANTILE
from tapviz.scores.advised import *
from tapviz.scores.baseline import *
from tapviz.scores.by_query import *
from tapviz.scores.case import *
from tapviz.scores.column import *
from tapviz.scores.comparisons import *
from tapviz.scores.gate import *
from tapviz.scores.more import *
from tapviz.scores.other_programs import *
from tapviz.scores.pipeline import *
from tapviz.scores.table import *
from tapviz.scores.written import *

if not typing.TYPE_CHECKING:  # for `help`; a type checker follows the imports
    __all__ = [
        name
        for name in sorted(globals())
        if not (name.startswith("_") or isinstance(globals()[name], types.ModuleType))
    ]
