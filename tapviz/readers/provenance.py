"""What numbers were made from: files with their hashes, and what counted as relevant."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tapviz.files import Held, chosen, name_of
from tapviz.labels import RELEVANCE
from tapviz.readers.inputs import FILE_OPTIONS, Opened, ResultFile
from tapviz.readers.options import OF_RELEVANCE, ReadOptions
from tapviz.readers.runs import costs_of


def inputs(
    files: Sequence[ResultFile], options: ReadOptions, *others: str
) -> list[dict[str, object]]:
    """Every file that was read: what it was read as, its name, its size and SHA-256.

    Parameters
    ----------
    files : sequence of ResultFile
        A folder stands for the files in it.
    options : ReadOptions
    *others : str
        Further files, such as a baseline; empty ones are left out.

    Examples
    --------
    >>> from tapviz.readers import ReadOptions
    >>> from tapviz.readers.inputs import ResultFile
    >>> from tapviz.readers.provenance import inputs
    >>> (one,) = inputs([ResultFile("queries.txt")], ReadOptions())
    >>> one["role"], one["file"], len(one["sha256"])
    ('results', 'queries.txt', 64)
    """
    given: list[tuple[str, str | None, Any]]
    given = [("results", one.algorithm, one.file) for one in files]
    given += [(name, None, getattr(options, name)) for name in FILE_OPTIONS if name != "runs"]
    costs = [one for each in files for one in costs_of(each.file, options)[1]]
    given += [("runs", None, one) for one in dict.fromkeys(costs)]
    given += [("baseline", None, one) for one in others]
    return [
        {"role": role, **({"algorithm": name} if name else {}), **said}
        for role, name, file in given
        if file
        for said in hashes(file)
    ]


def relevance_of(options: ReadOptions, judged: Opened) -> dict[str, object]:
    """What counted as relevant: labels in words and their fingerprint, and each rule that holds.

    Parameters
    ----------
    options : ReadOptions
    judged : Opened
        Results by one standard.

    Examples
    --------
    >>> from tapviz.readers import ReadOptions
    >>> from tapviz.readers.inputs import open_files
    >>> from tapviz.readers.provenance import relevance_of
    >>> options = ReadOptions(labels="classes.tsv.gz")
    >>> said = relevance_of(options, open_files(["blastp.tsv.gz"], options))
    >>> said["self_hits"], said["unlabelled"]
    ('drop', 'irrelevant')
    """
    fingerprint, words = judged.judged_by
    rules = dict.fromkeys(name for name in OF_RELEVANCE if name not in RELEVANCE)
    if judged.labels is not None:  # or else it is not known which rules hold
        rules = {name: getattr(options, name) for name in rules}
    standard = getattr(judged.labels, "standard", None)
    levels = list(standard[:3]) if standard is not None else None
    said = {"by": words, "labels": fingerprint, **rules, "standard": judged.standard}
    more = {name: one for name, one in chosen(options).items() if name not in said}
    plain = {name: _plain(one) for name, one in (said | {"levels": levels}).items()}
    return {**plain, "reading": {name: _plain(one) for name, one in more.items()}}


def _plain(value: object) -> object:
    """What JSON knows."""
    if isinstance(value, Held | os.PathLike):
        return name_of(value)
    known = value is None or isinstance(value, str | int | float | tuple | list | dict)
    return value if known else type(value).__name__


def hashes(file: object) -> Iterator[dict[str, object]]:
    """Names, sizes and hashes of a file, or of the files of a folder.

    Examples
    --------
    >>> from tapviz.readers.provenance import hashes
    >>> [(one["file"], one["bytes"]) for one in hashes("queries.txt")]
    [('queries.txt', 168)]
    """
    if isinstance(file, Held):
        yield _hashed(file.name, file.data)
    elif isinstance(file, str | os.PathLike):
        path = Path(file)
        found = [one for one in sorted(path.rglob("*")) if one.is_file()] if path.is_dir() else []
        # Of a pipe, which is read once, there is the name alone.
        for one in found or [path]:
            yield _hashed(str(one), one if one.is_file() else None)
    else:
        yield {"file": type(file).__name__}


def _hashed(name: str, data: bytes | Path | None) -> dict[str, object]:
    if data is None:
        return {"file": name, "bytes": None, "sha256": None}
    with data.open("rb") if isinstance(data, Path) else io.BytesIO(data) as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return {"file": name, "bytes": stream.seek(0, os.SEEK_END), "sha256": digest}
