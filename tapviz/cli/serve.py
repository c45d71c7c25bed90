"""The commands that serve pages: explore, serve."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tapviz.cli.arguments import (
    PORT,
    add_files,
    add_processes,
    between,
    inputs_of,
    open_once,
    whole,
)
from tapviz.cli.command import Command
from tapviz.files.limits import MB, Limits

SERVICE = (
    "port",
    "address",
    "origins",
    "prefix",
    "processes",
    "max_sessions",
    "log_level",
)
"""Options of `tapviz.cli.server.Service` besides the limits."""


LIMITED = {
    "upload_file": "size of an uploaded file",
    "upload_session": "size of all files uploaded to a page",
    "upload_process": "size of all files uploaded to a process",
    "decoded_file": "size of an uploaded file when it is unpacked",
}


def _explore(given: dict[str, Any]) -> None:
    port, show = given.pop("port"), not given.pop("no_show")
    file = given.pop("session")
    opened = open_once(*inputs_of(given))
    # These load pandas and Panel; bad input is told before.
    from tapviz.explorer.session import read_session  # noqa: PLC0415

    session = None if file is None else read_session(file.read_bytes(), str(file))
    from tapviz.cli.server import explore  # noqa: PLC0415

    explore(opened, port=port, show=show, session=session)


def _serve(given: dict[str, Any]) -> None:
    limits = Limits(**{name: given.pop(name) * MB for name in LIMITED})
    service = {name: given.pop(name) for name in SERVICE}
    opened = open_once(*inputs_of(given))
    from tapviz.cli.server import Service, serve  # noqa: PLC0415

    serve(opened, Service(limits=limits, **service))


def _add_serving(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=PORT, default=0, help="port to serve at (default: any free)")
    parser.add_argument("--no-show", action="store_true", help="do not open the browser")
    parser.add_argument(
        "--session",
        type=Path,
        metavar="FILE",
        help="settings to begin with: what Export > Save session of the page has saved",
    )


def _add_service(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=PORT, default=5006, help="port to serve at (default: %(default)s)"
    )
    parser.add_argument(
        "--address",
        default="localhost",
        help="address to serve at: 0.0.0.0 for all of this machine (default: %(default)s, which "
        "nobody else reaches)",
    )
    parser.add_argument(
        "--allow-origin",
        dest="origins",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help="name by which browsers open the pages, if a proxy uses another; may "
        "be given again (default: only localhost)",
    )
    parser.add_argument(
        "--prefix", default="", help="first part of all paths, such as /tapviz behind a proxy"
    )
    add_processes(parser, "--processes", 256, "processes that share the port")
    parser.add_argument(
        "--max-sessions",
        type=between(1, 1_000_000),
        default=100,
        help="pages that a process has open at a time (default: %(default)s)",
    )
    for name, limit in vars(Limits()).items():
        parser.add_argument(
            f"--max-{name.replace('_', '-')}",
            dest=name,
            type=whole,
            default=limit // MB,
            metavar="MB",
            help=f"{LIMITED[name]}, in MB (default: %(default)s)",
        )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="info",
        help="of the log, which goes to stderr (default: %(default)s)",
    )


EXPLORE = Command(
    _explore,
    "open results in the browser",
    "Open results in the browser: your files, or the bundled data sets.",
    (add_files, _add_serving),
)


SERVE = Command(
    _serve,
    "serve explorer and lesson to a class",
    "Serve explorer and lesson to others: your files, or the bundled data sets. Visitors may "
    "also upload files of their own, which only they see.",
    (add_files, _add_service),
)
