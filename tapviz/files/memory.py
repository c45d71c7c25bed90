"""Memory that is kept for the next array, and memory that is given back to the system."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

import pyarrow as pa

POLARS = {
    "POLARS_MAX_THREADS": "1",  # each worker parses a piece of its own
    "_RJEM_MALLOC_CONF": "dirty_decay_ms:-1,muzzy_decay_ms:-1",
}
"""Of the environment, before polars is loaded."""
WORKER = POLARS | {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 30),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 28),
}
"""Of the environment of a process that is started for such work."""
MMAP_THRESHOLD, TRIM_THRESHOLD, ARENA_MAX = -3, -1, -8
"""Names of what mallopt sets, as glibc numbers them."""


def keep_memory() -> None:
    """Keep memory until the process ends, which has not loaded polars yet.

    Given back at once, as is usual, a third of the time goes into fetching it again.
    """
    for name, value in POLARS.items():
        os.environ.setdefault(name, value)
    with suppress(AttributeError, OSError, TypeError):  # where the memory is not glibc's
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(MMAP_THRESHOLD, 1 << 30)
        mallopt(TRIM_THRESHOLD, 1 << 28)
        mallopt(ARENA_MAX, 1)
    pa.set_memory_pool(pa.system_memory_pool())


def give_memory_back() -> None:
    """Give back what is free, such as that of the pieces of a large file that was read.

    Neither Arrow nor glibc does so by itself, nor lets the other one use it.
    """
    pa.default_memory_pool().release_unused()
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
