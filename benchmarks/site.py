"""Processor time of a leaderboard: four runs of 250 queries with 14 rows each.

    python benchmarks/site.py [--against FOLDER]

Times, alternating, each in a process of its own, with what Python compiles kept: `tapviz site`;
`tapviz site --plain`, whose report stands still; and the floor, a process that imports NumPy,
Arrow, scipy and matplotlib, and draws as many pictures of four lines as SVG as a site has. With
`--against`, also `tapviz site` of another tree, such as a worktree of an older commit.
"""

from __future__ import annotations

import argparse
import compileall
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import tapviz

QUERIES, HITS, RECORDS, FAMILIES = 250, 14, 1_000, 125
RUNS = {"run 1": 0.9, "run 2": 0.8, "run 3": 0.7, "run 4": 0.6}
"""Share of the family that each finds."""
FLOOR = """
import io
import pyarrow, scipy.sparse, scipy.special
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
for _ in range(17):
    drawn = Figure(figsize=(7, 4.2))
    FigureCanvasAgg(drawn)
    axes = drawn.add_subplot()
    for place in range(4):
        axes.plot(np.arange(360), np.arange(360) * place, label=f"run {place}")
    drawn.savefig(io.BytesIO(), format="svg", bbox_inches="tight")
"""


def write(folder: Path) -> list[str]:
    """Write runs and classes of records, and return what `tapviz add` takes for each run."""
    rng = np.random.default_rng(0)
    ids = [f"d{number:04d}" for number in range(RECORDS)]
    family = np.arange(RECORDS) % FAMILIES
    classes = "".join(f"{one}\ta.1.1.{of}\n" for one, of in zip(ids, family, strict=True))
    (folder / "classes.tsv").write_text(classes)
    for name, share in RUNS.items():
        rows = ["query\ttarget\tevalue\n"]
        for query in range(QUERIES):
            mates = np.flatnonzero((family == family[query]) & (np.arange(RECORDS) != query))
            found = mates[rng.random(mates.size) < share]
            others = np.flatnonzero(family != family[query])
            errors = rng.choice(others, HITS - found.size, replace=False)
            powers = rng.normal(-12 * share, 8, found.size), rng.normal(0, 1, errors.size)
            records, evalues = np.append(found, errors), 10.0 ** np.concatenate(powers)
            rows += [
                f"{ids[query]}\t{ids[records[at]]}\t{evalues[at]:.3g}\n"
                for at in np.argsort(evalues)
            ]
        (folder / f"{name}.tsv").write_text("".join(rows))
    return [*RUNS]


def seconds(command: list[str], folder: Path, tree: Path) -> float:
    """Processor time of a command in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"PYTHONPATH": str(tree)}
    subprocess.run(  # noqa: S603  # ours
        [sys.executable, *command], cwd=folder, env=environment, check=True, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Write the runs, time each command, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another tree of tapviz")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    here = Path(tapviz.__file__).parent.parent
    trees = {"": here} | ({"against": given.against.resolve()} if given.against else {})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        timed = {"floor": (["-c", FLOOR], here)}
        for of, tree in trees.items():
            compileall.compile_dir(tree / "tapviz", quiet=1)
            store = f"store {of}".strip()
            for run in write(folder):
                judged = ["--labels", "classes.tsv", "--store", store, "--name", run]
                seconds(["-m", "tapviz", "add", f"{run}.tsv", *judged], folder, tree)
            site = ["-m", "tapviz", "site", store, "-o", "public"]
            timed[f"site {of}".strip()] = (site, tree)
            if tree is here:
                timed["site --plain"] = ([*site, "--plain"], tree)
        taken: dict[str, list[float]] = {what: [] for what in timed}
        for _ in range(given.rounds):
            for what, (command, tree) in timed.items():
                taken[what].append(seconds(command, folder, tree))
    floor = statistics.median(taken["floor"])
    print(f"{'':>14} {'least s':>8} {'median s':>9} {'of floor':>9}")
    for what, some in taken.items():
        median = statistics.median(some)
        print(f"{what:>14} {min(some):8.2f} {median:9.2f} {median / floor:9.1f}")


if __name__ == "__main__":
    main()
