"""What the command line prints, run in this process."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tapviz.cli import main


def stdout_of(capsys: pytest.CaptureFixture[str], arguments: Sequence[str], code: int = 0) -> str:
    """Standard output of the command with some arguments, which ends with an exit code."""
    assert main(arguments) == code
    return capsys.readouterr().out
