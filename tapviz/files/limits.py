"""How much of a user's files is taken in, and the memory of a process.

A server for strangers takes in less than one's own machine. Memory is kept for the next array, or
given back to the system.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from tapviz.files.problems import ReadError

MB = 1_000_000

MAX_CELL = 1000
"""Characters of an id, or of anything else in a column. What is longer is a sequence, or meant to
fill the memory."""

TEXT = 100
"""Bytes of a text in Python, besides its characters, and of its place in a dictionary."""

FREE_AT_LEAST = 500 * MB
"""Bytes that a file may take even where little memory seems to be free."""


def too_long(text: str) -> str:
    """What is wrong with a cell that is too long."""
    return f"expected at most {MAX_CELL:,} characters in a column, found {len(text):,}"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bytes that files may have. The defaults suit a server that strangers use.

    Parameters
    ----------
    upload_file : int
        Of one uploaded file.
    upload_session : int
        Of all files that one page has uploaded, or begun to upload.
    upload_process : int
        Of those of all pages of a process.
    decoded_file : int
        Of one file when it is unpacked and decoded.

    Raises
    ------
    ValueError
        If one of them is not positive.

    Examples
    --------
    >>> from tapviz.files.limits import Limits
    >>> Limits(upload_file=50_000_000).decoded_file
    1000000000
    """

    upload_file: int = 200 * MB
    upload_session: int = 1000 * MB
    upload_process: int = 2000 * MB
    decoded_file: int = 1000 * MB

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value < 1:
                raise ValueError(f"{name} is {value}: expected a number of bytes, at least 1")


OWN = Limits(upload_process=16_000 * MB, decoded_file=16_000 * MB)
"""For people who open their own files on their own machine."""

_present = OWN


def limits() -> Limits:
    """Limits of this process: `OWN`, unless it serves strangers."""
    return _present


def set_limits(new: Limits) -> None:
    """Set the limits of this process, as a server does before it serves."""
    global _present  # noqa: PLW0603  # files are read in threads, too
    _present = new


def free_memory() -> int | None:
    """Bytes of memory that are free, also for this process alone; None if nothing tells."""
    found: list[int] = []
    with suppress(OSError, ValueError, IndexError):
        told = Path("/proc/meminfo").read_text(encoding="ascii")
        found.append(1024 * int(told.split("MemAvailable:")[1].split()[0]))
    with suppress(OSError, ValueError):  # of a container; "max" where it has no limit
        own = (Path(f"/sys/fs/cgroup/memory.{name}") for name in ("max", "current"))
        most, used = (int(path.read_text(encoding="ascii")) for path in own)
        found.append(most - used)
    return min(found, default=None)


class Budget:
    """Memory that one file may take when it is read: as the limits say, and no more than is free.

    Parameters
    ----------
    file : str
        What the file is called in messages.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        most, free = limits().decoded_file, free_memory()
        self.size = most if free is None else min(most, max(free, FREE_AT_LEAST))
        self._taken = 0

    def take(self, size: int, line: int | None = None) -> None:
        """Count bytes that are held from now on.

        Raises
        ------
        ReadError
            If there are too many.
        """
        self._taken += size
        if self._taken > self.size:
            takes = f"the file takes more than {self.size / MB:,.0f} MB of memory when it is read"
            remedy = "leave out rows of no use, or open it where there is more memory"
            raise ReadError.of("TooLarge", self._file, f"{takes}, the limit here; {remedy}", line)

    def take_texts(self, texts: Sequence[str], n_arrays: int = 1) -> None:
        """Count the bytes of texts in arrays, in which each has the room of the longest."""
        self.take(n_arrays * len(texts) * (TEXT + 4 * max(map(len, texts), default=0)))


# Memory of a process

WORKER = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 30),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 28),
}
"""Of the environment of a process that is started for such work."""
MMAP_THRESHOLD, TRIM_THRESHOLD, ARENA_MAX = -3, -1, -8
"""Names of what mallopt sets, as glibc numbers them."""


def keep_memory() -> None:
    """Keep memory until the process ends.

    Given back at once, as is usual, a third of the time goes into fetching it again.
    """
    _tell_glibc("mallopt", MMAP_THRESHOLD, 1 << 30)
    _tell_glibc("mallopt", TRIM_THRESHOLD, 1 << 28)
    _tell_glibc("mallopt", ARENA_MAX, 1)
    pa.set_memory_pool(pa.system_memory_pool())


def use_few_arenas() -> None:
    """Let threads share what they free, in a process whose pages come and go.

    Each thread otherwise keeps an arena of its own, with what the pages of others have left there.
    """
    _tell_glibc("mallopt", ARENA_MAX, 2)


def give_memory_back() -> None:
    """Give back what is free, such as that of the pieces of a large file that was read.

    Neither Arrow nor glibc does so by itself, nor lets the other one use it.
    """
    pa.default_memory_pool().release_unused()
    _tell_glibc("malloc_trim", 0)


def _tell_glibc(function: str, *values: int) -> None:
    """Call a function of glibc; nothing, where the memory is not its own."""
    with suppress(AttributeError, OSError, TypeError):
        getattr(ctypes.CDLL(None), function)(*values)


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
