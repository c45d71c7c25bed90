"""What a person does with results, and what is handed on of it."""

from tapviz.explorer.explorer import Explorer

__all__ = ["Explorer"]
