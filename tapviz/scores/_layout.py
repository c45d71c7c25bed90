"""What every table written out needs: columns that line up, numbers in full, plain JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Columns padded to their width, the first ones to the left."""
    width = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [cell.ljust(w) for cell, w in zip(cells[:left], width, strict=False)]
        padded += [cell.rjust(w) for cell, w in zip(cells[left:], width[left:], strict=True)]
        return "  ".join(padded).rstrip()

    return "\n".join(map(line, rows))


def in_full(value: float) -> str:
    """A number that reads back as it was; an undefined one is empty."""
    return repr(value) if math.isfinite(value) else ""


def json_text(plain: object) -> str:
    """JSON as a file has it."""
    return json.dumps(jsonable(plain), indent=1, allow_nan=False) + "\n"


def jsonable(value: object) -> object:
    """Mappings, sequences and arrays of what JSON knows; undefined numbers as None."""
    if isinstance(value, dict):
        return {name: jsonable(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        return jsonable(value.tolist())
    if isinstance(value, tuple | list):
        return [jsonable(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
