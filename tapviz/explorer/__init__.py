"""The one place of state: what the person chose, and what follows from it. No Panel here."""

from tapviz.explorer.explorer import (
    BY_E_VALUE,
    BY_ERRORS,
    FILTER,
    MAX_BOXES,
    MAX_K,
    MAX_N,
    SETTINGS,
    VIEWS,
    Explorer,
    Pinned,
)
from tapviz.explorer.query_filter import Box, Selection

__all__ = [
    "BY_ERRORS",
    "BY_E_VALUE",
    "FILTER",
    "MAX_BOXES",
    "MAX_K",
    "MAX_N",
    "SETTINGS",
    "VIEWS",
    "Box",
    "Explorer",
    "Pinned",
    "Selection",
]
