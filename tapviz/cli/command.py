"""What a command is."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple


class Command(NamedTuple):
    """A command: what runs it, its help, and what adds its flags."""

    run: Callable[[dict[str, Any]], int | None]
    """Returns the exit code, None for 0."""
    help: str
    description: str
    flags: tuple[Callable[[argparse.ArgumentParser], None], ...] = ()
    is_brief: bool = False
    """Whether it reads, computes and ends, and makes no data frame."""
