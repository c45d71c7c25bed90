"""What commands say beside their output: on standard error, unless they are to be quiet."""

from __future__ import annotations

import os
import sys

RED, GREEN, YELLOW = 31, 32, 33


class _Voice:
    """How the present command speaks."""

    quiet = False
    plain = False


def speak(*, quiet: bool = False, plain: bool = False) -> None:
    """Say how the command that begins is to speak: only of what is wrong; without colours."""
    _Voice.quiet, _Voice.plain = quiet, plain


def say(*lines: object) -> None:
    """Print lines on standard error, unless the command is to be quiet."""
    if not _Voice.quiet:
        print(*lines, sep="\n", file=sys.stderr)


def is_watched() -> bool:
    """Whether somebody looks at a terminal that is to tell how far the work is."""
    return sys.stderr.isatty() and not _Voice.quiet


def coloured(text: str, colour: int) -> str:
    """Text in a colour, where standard error is a terminal and nobody asked for none."""
    if _Voice.plain or os.environ.get("NO_COLOR") or not sys.stderr.isatty():
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"
