"""The page, the only room that knows Panel."""

from tapviz.page.dashboard import Dashboard

__all__ = ["Dashboard"]
