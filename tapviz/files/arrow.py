"""Arrow in commands that make no data frame."""

from __future__ import annotations

import sys

import pyarrow as pa


class _NoPandas:
    """Finds all modules where they are, but for pandas."""

    def find_spec(self, name: str, *_: object) -> None:
        """Let others look."""
        if name == "pandas":
            raise ImportError(name)


def leave_pandas_out() -> None:
    """Let Arrow see no pandas, which it imports to see whether what it is given is a data frame.

    It looks for it once, and the import takes as long as a million rows.
    """
    if "pandas" in sys.modules:
        return
    nowhere = _NoPandas()
    sys.meta_path.insert(0, nowhere)
    try:
        pa.array([])
    finally:
        sys.meta_path.remove(nowhere)
