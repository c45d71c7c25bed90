"""Run by the servers of the browser tests: slow work waits as long as a file is there.

A test that looks at what is on the page meanwhile need not be quicker than the work.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from math import inf
from pathlib import Path
from time import sleep
from typing import Any

from tapviz.live.background import thread_pool

HELD = Path(os.environ["TAPVIZ_TEST_HELD"])
POOL = thread_pool()
submit = POOL.submit


def waiting(work: Callable[..., Any], *args: Any) -> Future[Any]:
    """Submit work that waits when it says how far it is; if it never does, at the start.

    The file says how often it may have said so before.
    """
    last = args[-1] if args else None
    if not callable(last):
        return submit(_at_first, work, *args)

    said = count(1)

    def advance(done: int, total: int) -> Any:
        goes_on, number = last(done, total), next(said)
        while goes_on is not False and number > _allowed():
            sleep(0.02)
            goes_on = last(done, total)
        return goes_on

    return submit(work, *args[:-1], advance)


def _allowed() -> float:
    try:
        return int(HELD.read_text() or 0)
    except FileNotFoundError:
        return inf


def _at_first(work: Callable[..., Any], *args: Any) -> Any:
    while HELD.exists():
        sleep(0.02)
    return work(*args)


POOL.submit = waiting  # type: ignore[method-assign]
