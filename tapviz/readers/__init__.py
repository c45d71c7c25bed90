"""Files of search programs become retrieval lists.

To add a format: a module with ``recognise`` and ``read``, and its record in `FORMATS`.
"""

from tapviz.files.problems import Problem, ReadError
from tapviz.labels import RELEVANCE, STANDARDS, ClassTable
from tapviz.readers.formats import FORMATS, Detection, Format, FormatInfo, detect, formats
from tapviz.readers.options import ReadOptions
from tapviz.readers.parquet import write_parquet
from tapviz.readers.reading import Loaded, load, read, read_all
from tapviz.readers.tap import write_tap

__all__ = ["FORMATS", "RELEVANCE", "STANDARDS", "ClassTable", "Detection", "Format", "FormatInfo"]
__all__ += ["Loaded", "Problem", "ReadError", "ReadOptions", "detect", "formats", "load"]
__all__ += ["read", "read_all", "write_parquet", "write_tap"]
