"""Files of ids and their classes, and what a class may be."""

from __future__ import annotations

from collections.abc import Sequence

from tapviz.files.problems import Wrong, option
from tapviz.files.rows import Rows
from tapviz.files.source import File

MAX_CLASSES = 200
"""Classes of an id. To compare two ids takes the square of their number."""
COLUMNS = "id and class, separated by a tab, and perhaps higher classes"


def too_many(key: str, several: Sequence[object]) -> str:
    """Why the classes of an id are too many; empty if they are not."""
    if len(several) <= MAX_CLASSES:
        return ""
    return f"{key}: expected at most {MAX_CLASSES} classes of an id; leave some of them out"


def wrong_class(parts: Sequence[str], levels: int) -> str:
    """What is wrong with the levels of a class; empty if nothing is."""
    if len(parts) < levels or not all(parts[:levels]):
        return (
            f"expected at least {levels} levels separated by dots, as in a.1.1.2; if classes have "
            f"fewer levels, set the level to which those of relevant records agree, as "
            f"{option('levels', '1,0')}"
        )
    return ""


def _path(names: tuple[str, ...], levels: int) -> tuple[tuple[str, ...], Wrong | None]:
    """Levels of the class in a row, from the highest, and what is wrong with them."""
    if not names[0]:
        return names, ("BadColumnCount", f"expected {COLUMNS}, found an empty one")
    own = names[0].split(".") if len(names) == 1 else list(names[::-1])
    if len(names) > 1:
        for level in range(len(own) - 2, -1, -1):
            # Nothing outside the lower class is in the same higher one.
            own[level] = own[level] or f"({own[level + 1].strip('()')})"
    path = tuple(own)
    wrong = wrong_class(path, levels)
    return path, ("BadClass", wrong) if wrong else None


def read_classes(path: File, levels: int) -> dict[str, list[tuple[str, ...]]]:
    """Classes of each id, level by level from the highest."""
    rows = Rows(path)
    if (plain := None if rows.is_fasta else rows.pairs()) is not None:
        known = {name: _path((name,), levels) for name in {name for _, name in plain}}
        if not any(wrong for _, wrong in known.values()):
            found: dict[str, list[tuple[str, ...]]] = {}
            for key, name in plain:
                found.setdefault(key, []).append(known[name][0])
            if not any(too_many(*one) for one in found.items()):
                return found
    classes: dict[str, list[tuple[str, ...]]] = {}
    paths: dict[tuple[str, ...], tuple[tuple[str, ...], Wrong | None]] = {}  # most are in many rows
    given = rows.headers() if rows.is_fasta else rows.read(COLUMNS, separator="\t")
    for row in given:
        key, *rest = row.columns
        names = tuple(rest)
        if names not in paths:
            paths[names] = _path(names, levels)
        own, wrong = paths[names]
        if not key:
            wrong = "BadColumnCount", f"expected {COLUMNS}, found an empty one"
        if wrong:
            rows.add(wrong[0], row.line, row.text, wrong[1])
        elif rows.is_first(
            (key, own), row.line, row.text, "DuplicateTarget", f"{key} with this class"
        ):
            several = classes.setdefault(key, [])
            several.append(own)
            if len(several) == MAX_CLASSES + 1:  # said once
                rows.add("TooManyClasses", row.line, row.text, too_many(key, several))
    rows.done("a table of ids and classes", empty=not classes)
    return classes
