"""Opening any file, compressed or not, as checked text; problems with file, line and remedy."""

from tapviz.files.limits import MAX_CELL, MB, TEXT, Budget, too_long
from tapviz.files.options import OptionError, chosen, options_of, refuse
from tapviz.files.problems import MAX_PROBLEMS, Problems, ReadError, doubts, option, warn
from tapviz.files.source import File, Held, Line, OnReadProgress, Source, name_of
from tapviz.files.tables import FileLike, Tabled, held, scored

__all__ = ["MAX_CELL", "MAX_PROBLEMS", "MB", "TEXT", "Budget", "File", "FileLike", "Held", "Line"]
__all__ += ["OnReadProgress", "OptionError", "Problems", "ReadError", "Source", "Tabled", "chosen"]
__all__ += ["doubts", "held", "name_of", "option", "options_of", "refuse", "scored", "too_long"]
__all__ += ["warn"]
