"""Processor time that each patch of this folder saves Bokeh, and whether it writes the same.

    python docs/upstream/benchmark.py            # some minutes
    python docs/upstream/benchmark.py --plots 3 --rounds 1

The installed Bokeh is copied and patched. Both make the same document, in turns, in processes of
their own; nothing but Bokeh is imported. Printed are seconds without a patch, and the share of them
that is left with it. Needs `git`, which applies the patches.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

HERE = Path(__file__).parent
PATCHES = sorted(path.stem for path in HERE.glob("*.diff"))
STAGES = ("models", "document", "messages")
"""Making models and adding them to a page that grows, writing the page, and writing changes."""
POINTS, CHANGES = 1000, 50


def work(n_plots: int) -> Iterator[tuple[float, str]]:
    """Processor time of each stage, and what it wrote."""
    from bokeh.document import Document  # noqa: PLC0415  # the copy of the process
    from bokeh.layouts import column  # noqa: PLC0415
    from bokeh.models import ColumnDataSource, Div, HoverTool, Slider  # noqa: PLC0415
    from bokeh.plotting import figure  # noqa: PLC0415
    from bokeh.protocol import Protocol  # noqa: PLC0415

    began = process_time()
    document, page, sources = Document(), column(), []
    document.add_root(page)
    for plot in range(n_plots):
        drawn = figure(title=f"plot {plot}", tools=[HoverTool(), "pan,box_zoom,reset"])
        for line in range(4):
            place = [float(point * line) for point in range(POINTS)]
            sources.append(ColumnDataSource({"x": place, "y": place[::-1]}))
            drawn.line("x", "y", source=sources[-1])
        controls = column(Slider(start=0, end=9, value=1, title=f"control {plot}"), Div(text="."))
        page.children = [*page.children, controls, drawn]
    yield process_time() - began, ""

    began = process_time()
    text = json.dumps(document.to_json(deferred=False))
    yield process_time() - began, text

    events: list = []
    document.on_change(events.append)
    document.models.flush_synced()
    began, written = process_time(), []
    for change in range(CHANGES):
        places = [float(point * change) for point in range(POINTS)]
        sources[change % len(sources)].data = {"x": places, "y": places}
        written.append(Protocol().create("PATCH-DOC", events).content_json)
        events.clear()
    yield process_time() - began, "".join(written)


def patched(folder: Path, *names: str) -> Path:
    """Copy the installed Bokeh without its scripts, and patch the copy; where to import it from."""
    installed = Path(importlib.util.find_spec("bokeh").origin).parent
    place = folder / "_".join(names or ("as_it_is",)) / "src"
    copytree(installed, place / "bokeh", ignore=ignore_patterns("__pycache__", "static"))
    (place / "bokeh/server/static").symlink_to(installed / "server/static")
    for name in names:
        command = ["git", "apply", "--unsafe-paths", "--whitespace=nowarn", f"{HERE / name}.diff"]
        # Above all repositories git changes nothing, and says so to nobody.
        environment = os.environ | {"GIT_CEILING_DIRECTORIES": str(folder)}
        subprocess.run(command, cwd=place.parent, env=environment, check=True)  # noqa: S603
    return place


def measured(place: Path, n_plots: int) -> tuple[list[float], str]:
    """Run the work by a copy of Bokeh: seconds of each stage, and a digest of what was written."""
    command = [sys.executable, __file__, "--work", "--plots", str(n_plots)]
    environment = os.environ | {"PYTHONPATH": str(place)}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)  # noqa: S603
    seconds, digest, origin = json.loads(done.stdout)
    if Path(origin) != place / "bokeh":
        message = f"imported {origin} instead of {place}"
        raise RuntimeError(message)
    return seconds, digest


def main() -> int:
    """Compare each patch, and all of them, with Bokeh as it is; 1 if one writes something else."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plots", type=int, default=30, help="plots of the page")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        import bokeh  # noqa: PLC0415  # the copy of the process

        seconds, texts = zip(*work(given.plots), strict=True)
        digest = hashlib.sha256("".join(texts).encode()).hexdigest()
        json.dump([seconds, digest, bokeh.__path__[0]], sys.stdout)
        return 0
    kinds = {"as it is": (), **{name: (name,) for name in PATCHES}, "all": tuple(PATCHES)}
    with TemporaryDirectory() as folder:
        places = {kind: patched(Path(folder), *names) for kind, names in kinds.items()}
        runs = {
            kind: [measured(place, given.plots)] for kind, place in places.items()
        }  # the first fills the caches of compiled modules, and says what is written
        for _ in range(given.rounds):
            for kind, place in places.items():
                runs[kind].append(measured(place, given.plots))
    seconds = {
        kind: [median(stage) for stage in zip(*(taken for taken, _ in several[1:]), strict=True)]
        for kind, several in runs.items()
    }
    usual = seconds["as it is"]
    rows = [("", *STAGES, "writes"), ("as it is", *(f"{one:.3f} s" for one in usual), "")]
    written = {kind: {digest for _, digest in several} for kind, several in runs.items()}
    for kind in list(kinds)[1:]:
        same = written[kind] == written["as it is"]
        shares = (f"{new / old:.2f}" for new, old in zip(seconds[kind], usual, strict=True))
        rows.append((kind, *shares, "the same" if same else "something else"))
    for row in rows:
        sys.stdout.write(" ".join(f"{cell:>12}" for cell in row).rstrip() + "\n")
    return int(any(one != written["as it is"] for one in written.values()))


if __name__ == "__main__":
    sys.exit(main())
