"""The command that writes a report."""

from __future__ import annotations

from dataclasses import dataclass

from tapviz.cli.arguments import add_files, add_settings, explorer_of
from tapviz.cli.flags import REQUIRED, Command, Given, declared, flag, take
from tapviz.cli.terminal import gc_disabled, show_progress
from tapviz.cli.voice import is_watched


@dataclass(frozen=True, kw_only=True)
class _Report:
    output: str = flag("an HTML file", "-o", "--output", metavar="PATH", default=REQUIRED)
    title: str = flag("its title (default: what was opened)", metavar="TEXT", default="")
    findings: str = flag(
        "what you found, in your own words, to stand at the top", metavar="TEXT", default=""
    )
    plain: bool = flag("without scripts: nothing in it moves", default=False)


@gc_disabled()
def _report(given: Given) -> None:
    from tapviz.explorer.report import save_report  # noqa: PLC0415

    own = take(given, _Report)
    explorer, opened = explorer_of(given)
    save_report(
        explorer,
        own.output,
        title=own.title or opened.title,
        opening=opened.opening,
        about=opened.about,
        findings=own.findings,
        doubts=opened.doubts,
        plain=own.plain,
        progress=show_progress if is_watched() else None,
    )


COMMAND = Command(
    _report,
    "write a report: one HTML file with scores, plots and settings",
    "Write one HTML file with scores, plots, settings and what was read, in which k, E_0 and n "
    "still move.",
    (add_files, declared(_Report), add_settings),
    is_brief=True,
)
