"""What a person does with results, and what is handed on of it."""

from tapviz.explorer.explorer import Explorer
from tapviz.state import BY_E_VALUE, BY_ERRORS

__all__ = ["BY_ERRORS", "BY_E_VALUE", "Explorer"]
