"""Run the notebooks and keep what they show, so that they are read, and move, without Python.

    python docs/run_notebooks.py            # all of them
    python docs/run_notebooks.py explore    # those named

Writes the outputs into ``notebooks/``. Where the page is the output of a cell, the report of its
searches is kept, as on the documentation's page, but as one piece. Needs what the documentation
and the tests need.
"""

from __future__ import annotations

import copy
import html
import os
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

DOCS = Path(__file__).parent
PATHS = [str(DOCS / "_ext"), str(DOCS.parent)]
sys.path[:0] = PATHS

from lesson import living  # noqa: E402
from registries import NOTEBOOKS, QUIET, STAND_INS, with_stand_ins  # noqa: E402
from stand_ins import REPORT  # noqa: E402

SAVED = (
    "<p>Saved without Python: this is the report of the searches that the page shows first. Its "
    "sliders move; where scripts are left out, as on GitHub, this line is all there is.</p>"
)

ANSWERS = {
    "why_pooled_roc_misleads": ("merge", "reveal", "order", "curves", "scale", "more", "median")
}
"""Cells that say what their reader is asked to predict: only who runs them sees it."""


def executed(notebook: Any, name: str) -> dict[str, list[Any]]:
    """Outputs of each cell of a notebook, or of its stand-in."""
    ran = with_stand_ins(notebook, name) if name in STAND_INS else notebook
    for cell in ran["cells"]:
        cell["source"] = "".join(cell["source"])
    with TemporaryDirectory() as folder:
        shutil.copytree(NOTEBOOKS / "data", Path(folder, "data"))
        client = NotebookClient(
            nbformat.from_dict(ran),
            timeout=600,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
        )
        client.execute(env=os.environ | {"PYTHONPATH": os.pathsep.join(PATHS)})
    found = {cell.id: cell.get("outputs", []) for cell in client.nb.cells}
    quiet: dict[str, list[Any]] = {
        cell: [] for cell in (*QUIET.get(name, ()), *ANSWERS.get(name, ()))
    }
    here = {cell: found[f"{cell}-here"] for cell in found if f"{cell}-here" in found}
    return found | here | quiet


def kept(outputs: list[Any]) -> list[Any]:
    """Outputs as they are kept: what is printed in one piece, no address in memory, no number."""
    result: list[Any] = []
    for one in outputs:
        if one.output_type == "stream" and result and result[-1].get("name") == one.name:
            result[-1].text += one.text
            continue
        if "data" in one:
            if " at 0x" in one.data.get("text/plain", ""):
                del one.data["text/plain"]
            if REPORT in one.data.get("text/html", ""):
                one.data["text/html"] = SAVED + one.data["text/html"].replace(
                    f'src="{REPORT}"', f'srcdoc="{html.escape(living())}"'
                )
        if "execution_count" in one:
            one.execution_count = None
        result.append(one)
    return result


def sources(notebook: Any) -> str:
    """What outputs are of: a hash of the code of all cells."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return sha256("\0".join(code).encode()).hexdigest()[:16]


def run(path: Path) -> None:
    """Execute a notebook and write it with its outputs."""
    notebook = nbformat.read(path, as_version=4)
    found = executed(copy.deepcopy(notebook), path.stem)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = kept(found[cell.id])
    notebook.metadata["tapviz"] = {"sources": sources(notebook)}
    nbformat.write(notebook, path)
    print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")  # noqa: T201


def main() -> None:
    """Run the notebooks that are named, or all."""
    wanted = sys.argv[1:]
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if not wanted or path.stem in wanted:
            run(path)


if __name__ == "__main__":
    main()
