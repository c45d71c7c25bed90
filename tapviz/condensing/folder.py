"""Folders that are there with all that belongs in them, or not at all."""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DONE = "done.json"


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder to write files into, which takes its name when all of them are on the disk.

    Its last file, `DONE`, has the size and a sum of each of the others. If anything fails, nothing
    of it is left.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}")
    beside.mkdir()
    try:
        yield beside
        sums = {}
        for file in sorted(beside.iterdir()):
            _sync(file)
            sums[file.name] = [file.stat().st_size, _sum(file)]
        (beside / DONE).write_text(json.dumps(sums), encoding="utf-8")
        _sync(beside / DONE)
        if is_whole(target):  # of another worker, which was taken for lost
            shutil.rmtree(beside)
            return
        if target.exists():  # and is damaged
            shutil.rmtree(target)
        beside.rename(target)
        _sync(target.parent)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def is_whole(folder: Path) -> bool:
    """Whether a folder has all its files as they were written."""
    try:
        sums: dict[str, Any] = json.loads((folder / DONE).read_text(encoding="utf-8"))
        return all(
            (folder / name).stat().st_size == size and _sum(folder / name) == known
            for name, (size, known) in sums.items()
        )
    except (OSError, ValueError):
        return False


def _sum(file: Path) -> int:
    found = 0
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            found = zlib.crc32(block, found)
    return found


def _sync(path: Path) -> None:
    at = os.open(path, os.O_RDONLY)
    try:
        os.fsync(at)
    finally:
        os.close(at)
