"""The commands that serve pages: explore, serve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tapviz.cli import flags
from tapviz.cli.arguments import add_files, inputs_of, open_once
from tapviz.cli.flags import Given, between, command, declared, flag, several, switch, take
from tapviz.files import MB, Limits, Option, text_of

PORT, MANY = between(0, 65535), between(1, 1_000_000)
LIMITED = {
    "upload_file": "size of an uploaded file",
    "upload_session": "size of all files uploaded to a page",
    "upload_process": "size of all files uploaded to a process",
    "decoded_file": "size of an uploaded file when it is unpacked",
}


@dataclass(frozen=True, kw_only=True)
class _Shown:
    port: int = flag("port to serve at (default: any free)", read=PORT, default=0)
    no_show: bool = switch("do not open the browser")
    session: Path | None = flag(
        "settings to begin with, from Export > Save session on the page",
        "FILE",
        read=Path,
        default=None,
    )


@dataclass(frozen=True, kw_only=True)
class Service:
    """How pages are served to others."""

    limits: Limits = field(default_factory=Limits)
    """Of the files that visitors upload."""
    port: int = flag("port to serve at", read=PORT, default=5006)
    address: str = flag(
        "address to serve at: 0.0.0.0 for all addresses of this machine (default: localhost, which "
        "nobody else can reach)",
        default="localhost",
    )
    origins: Sequence[str] = several(
        "host by which browsers open the pages, if a proxy uses another; repeatable (default: only "
        "localhost)",
        "--allow-origin HOST[:PORT]",
    )
    prefix: str = flag("first part of all paths, such as /tapviz behind a proxy")
    processes: int = flag("processes that share the port", read=between(1, 256), default=1)
    max_sessions: int = flag("most pages open in a process at a time", read=MANY, default=100)
    renew_after: int = flag(
        "number of pages after which a process is replaced, once nobody uses it, which frees its "
        "memory (default: 200 with several processes; a single one is not replaced unless this is "
        "given, and then another process watches over it)",
        read=MANY,
        default=0,
    )
    max_connections: int = flag(
        "most connections from one address to a process at a time; a class behind one address, or "
        "a proxy, shares them",
        read=MANY,
        default=500,
    )
    frames: Sequence[str] = several(
        "site that may show the pages in a frame, such as https://huggingface.co; repeatable "
        "(default: only the server itself)",
        "--allow-frame SITE",
    )
    of_class: bool = switch(
        "collect what students predict in the lesson, for the page of their teacher", "--class"
    )
    log_level: str = flag(
        "level of the log, which goes to stderr",
        choices=("debug", "info", "warning", "error"),
        default="info",
    )


@command(
    "open results in the browser",
    "Open results in the browser: your files, or the bundled data sets.",
    (add_files, declared(_Shown, "server")),
)
def _explore(given: Given) -> None:
    own = take(given, _Shown)
    opened = open_once(*inputs_of(given))
    # These load pandas and Panel; bad input is told before.
    from tapviz.explorer.session import read_session  # noqa: PLC0415

    file = own.session
    session = None if file is None else read_session(text_of(file).encode(), str(file))
    from tapviz.cli.server import explore  # noqa: PLC0415

    explore(opened, port=own.port, show=not own.no_show, session=session)


def _add_limits(parser: flags.Options) -> None:
    for name, limit in vars(Limits()).items():
        called, words = f"--max-{name.replace('_', '-')} MB", f"{LIMITED[name]}, in MB"
        flag = Option(name=name, help=words, called=called, default=limit // MB, read=flags.whole)
        flag.add_to(flags.group(parser, "server"))


@command(
    "serve explorer and lesson to a class",
    "Serve explorer and lesson to others: your files, or the bundled data sets. Visitors may "
    "also upload files of their own, which only they see.",
    (add_files, declared(Service, "server"), _add_limits),
)
def _serve(given: Given) -> None:
    limits = Limits(**{name: given.pop(name) * MB for name in LIMITED if name in given})
    service = replace(take(given, Service), limits=limits)
    opened = open_once(*inputs_of(given))
    from tapviz.cli.server import serve  # noqa: PLC0415

    serve(opened, service)
