"""Opening any file, compressed or not, as checked text; problems with file, line and remedy."""

from tapviz.files.extras import install
from tapviz.files.limits import MAX_CELL, MB, TEXT, Budget, Limits, too_long
from tapviz.files.options import REQUIRED, Option, OptionError, chosen, options_of, refuse
from tapviz.files.problems import MAX_PROBLEMS, Problems, ReadError, doubts, option, warn
from tapviz.files.small import json_of, number, text_of, whole
from tapviz.files.source import File, Held, Line, OnReadProgress, Source, name_of
from tapviz.files.tables import FileLike, Tabled, held, scored

__all__ = [
    "MAX_CELL", "MAX_PROBLEMS", "MB", "REQUIRED", "TEXT", "Budget", "File", "FileLike", "Held",
    "Limits", "Line", "OnReadProgress", "Option", "OptionError", "Problems", "ReadError", "Source",
    "Tabled", "chosen", "doubts", "held", "install", "json_of", "name_of", "number", "option",
    "options_of", "refuse", "scored", "text_of", "too_long", "warn", "whole",
]  # fmt: skip
