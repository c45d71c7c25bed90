"""The command that lists formats."""

from __future__ import annotations

from tapviz.cli.flags import Command, Given
from tapviz.files.options import options_of
from tapviz.readers import FORMATS, ReadOptions


def _formats(_: Given) -> None:
    for name, one in FORMATS.items():
        sample = "\n".join(f"    {line}" for line in one.sample.splitlines())
        takes = ", ".join(options_of(ReadOptions)[option].flag for option in one.needs)
        print(f"{name}: {one.title}\n  written by {one.programs}\n{sample}\n  takes {takes}\n")


COMMAND = Command(
    _formats, "list the formats of files that are read", "List the formats that are read."
)
