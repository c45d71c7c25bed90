"""The directive ``shell``: commands that are run when the page is built, with what they print.

    ```{shell}
    :exit: 2
    tapviz score bad.tsv --labels classes.tsv
    ```

Every page has a folder of its own with copies of ``notebooks/data``. A command that ends with
another exit code than the one given (default: 0) is a warning, which fails the build.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
FILES = ROOT / "notebooks" / "data"
SECONDS = 120


@cache
def example_files(_page: str = "") -> Path:
    """A folder with the files that the pages are about, one for each page."""
    folder = Path(tempfile.mkdtemp(prefix="tapviz-docs-"))
    shutil.copytree(FILES, folder, dirs_exist_ok=True)
    (folder / "README.md").unlink()
    return folder


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a reader would who has installed the package."""
    paths = [str(Path(sys.executable).parent), os.environ["PATH"]]
    env = os.environ | {"PATH": os.pathsep.join(paths), "COLUMNS": "80", "NO_COLOR": "1"}
    return subprocess.run(  # noqa: S603  # the pages' own commands
        ["bash", "-c", command],  # noqa: S607
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )


class Shell(SphinxDirective):
    """Run the commands of the content and show them with their output."""

    has_content = True
    option_spec = {  # noqa: RUF012  # as docutils declares it
        "exit": directives.nonnegative_int,
        "lines": directives.nonnegative_int,
        "hide-output": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Nodes of the command and of what it printed."""
        command = "\n".join(self.content)
        done = run(command, example_files(self.env.docname))
        wanted = self.options.get("exit", 0)
        if done.returncode != wanted:
            message = f"exit code {done.returncode}, not {wanted}: {command}\n{done.stdout}"
            raise self.error(message)
        shown: list[nodes.Node] = [self._block(command, "bash", "command")]
        lines = done.stdout.rstrip().splitlines()
        most = self.options.get("lines", len(lines))
        if len(lines) > most:
            lines = [*lines[:most], "..."]
        if lines and "hide-output" not in self.options:
            shown.append(self._block("\n".join(lines), "text", "output"))
        return shown

    def _block(self, text: str, language: str, kind: str) -> nodes.literal_block:
        block = nodes.literal_block(text, text, language=language, classes=[kind])
        self.set_source_info(block)
        return block


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("shell", Shell)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
