"""The page, the only room that knows Panel."""

from tapviz.dashboard.page import Dashboard

__all__ = ["Dashboard"]
