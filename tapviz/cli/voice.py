"""What commands say beside their output: on standard error, unless they are to be quiet."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from tapviz.cli.flags import switch

RED, GREEN, YELLOW = 31, 32, 33


@dataclass(frozen=True, kw_only=True)
class Voice:
    """How a command speaks."""

    quiet: bool = switch("say nothing on standard error but what is wrong")
    no_color: bool = switch("no colours there, as where NO_COLOR is set")


_present = Voice()


def speak(voice: Voice) -> None:
    """Say how the command that begins is to speak."""
    global _present  # noqa: PLW0603  # of the process
    _present = voice


def say(*lines: object) -> None:
    """Print lines on standard error, unless the command is to be quiet."""
    if not _present.quiet:
        print(*lines, sep="\n", file=sys.stderr)


def is_watched() -> bool:
    """Whether somebody looks at a terminal that is to tell how far the work is."""
    return sys.stderr.isatty() and not _present.quiet


def coloured(text: str, colour: int) -> str:
    """Text in a colour, where standard error is a terminal and nobody asked for none."""
    if _present.no_color or os.environ.get("NO_COLOR") or not sys.stderr.isatty():
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"
