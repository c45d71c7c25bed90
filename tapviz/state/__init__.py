"""The one place of state: what the person chose, and what follows from it. No Panel here."""

from tapviz.state.choices import MAX_TEXT, Choices, Pinned
from tapviz.state.query_filter import MAX_BOXES, Box, Range, Selection
from tapviz.state.settings import (
    ACCEPTED,
    BY_E_VALUE,
    BY_ERRORS,
    FILTER,
    LINKS,
    MAX_K,
    MAX_N,
    RESAMPLING,
    SETTINGS,
    THRESHOLD,
)

__all__ = [
    "ACCEPTED", "BY_ERRORS", "BY_E_VALUE", "FILTER", "LINKS", "MAX_BOXES", "MAX_K", "MAX_N",
    "MAX_TEXT", "RESAMPLING", "SETTINGS", "THRESHOLD", "Box", "Choices", "Pinned", "Range",
    "Selection",
]  # fmt: skip
