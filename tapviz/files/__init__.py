"""Opening any file, compressed or not, as checked text; problems with file, line and remedy."""

from tapviz.files.extras import install
from tapviz.files.limits import MAX_CELL, MB, TEXT, Budget, Limits, too_long
from tapviz.files.options import REQUIRED, Option, OptionError, chosen, options_of, refuse, takes
from tapviz.files.problems import MAX_PROBLEMS, Problem, Problems, ReadError, doubts, option, warn
from tapviz.files.regex import Regex
from tapviz.files.rows import Row, RowError, Rows
from tapviz.files.small import json_of, number, text_of, toml_of, whole
from tapviz.files.source import CHUNK, CODECS, File, Held, Line, OnReadProgress, Source, name_of
from tapviz.files.tables import BLANKS, ID, IDS, QUERY, RECORD, FileLike, Tabled, held, scored

__all__ = [
    "BLANKS", "CHUNK", "CODECS", "ID", "IDS", "MAX_CELL", "MAX_PROBLEMS", "MB", "QUERY", "RECORD",
    "REQUIRED", "TEXT", "Budget", "File", "FileLike", "Held", "Limits", "Line", "OnReadProgress",
    "Option", "OptionError", "Problem", "Problems", "ReadError", "Regex", "Row", "RowError", "Rows",
    "Source", "Tabled", "chosen", "doubts", "held", "install", "json_of", "name_of", "number",
    "option", "options_of", "refuse", "scored", "takes", "text_of", "toml_of", "too_long", "warn",
    "whole",
]  # fmt: skip
