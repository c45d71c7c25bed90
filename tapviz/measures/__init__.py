"""Exact numbers from retrieval lists: NumPy and scipy only, a module per family.

Each module names in its `__all__` what it has for users.
"""

import types
import typing

from tapviz.lists.cells import record_html as _as_html
from tapviz.measures._common import *
from tapviz.measures.accepted import *
from tapviz.measures.advice import *
from tapviz.measures.auc import *
from tapviz.measures.betweenness import *
from tapviz.measures.bootstrap import *
from tapviz.measures.bootstrap_by import *
from tapviz.measures.coverage import *
from tapviz.measures.differences import *
from tapviz.measures.errors import *
from tapviz.measures.graded import *
from tapviz.measures.groups import *
from tapviz.measures.influence import *
from tapviz.measures.interpolated import *
from tapviz.measures.intervals import *
from tapviz.measures.precision_recall import *
from tapviz.measures.ranks import *
from tapviz.measures.replicates import *
from tapviz.measures.resampled import *
from tapviz.measures.roc import *
from tapviz.measures.roc_shapes import *
from tapviz.measures.significance import *
from tapviz.measures.tap import *
from tapviz.measures.tap_curves import *
from tapviz.measures.ties import *

if not typing.TYPE_CHECKING:  # for `help`; a type checker follows the imports
    __all__ = [
        name
        for name in sorted(globals())
        if not (name.startswith("_") or isinstance(globals()[name], types.ModuleType))
    ]
    for _name in __all__:  # so that all results are small tables in a notebook
        if hasattr(globals()[_name], "_fields"):
            globals()[_name]._repr_html_ = _as_html
