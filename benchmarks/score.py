"""From a file of 3 million BLAST rows to scores: beside polars, which merely parses it.

Run it with ``python benchmarks/score.py``. It writes a table of 10,000 queries x 300 hits (12
columns, -outfmt 6) and a class table into a temporary folder, and times, alternating, each in a
process of its own: polars parsing the file, and ``tapviz score`` from the command to the printed
table. Both may use all cores, and both are compiled, as an installation does. The budget is a
ratio of 2. Also printed: peak memory of both.
"""

from __future__ import annotations

import argparse
import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

import tapviz

QUERIES, HITS, RECORDS, CLASSES = 10_000, 300, 40_000, 1_500
BUDGET = 2.0

SCORE = ["-m", "tapviz", "score"]
PARSE = """
import sys, polars
polars.read_csv(sys.argv[1], separator="\\t", has_header=False)
"""


def write(folder: Path, queries: int) -> tuple[Path, Path]:
    """Write a BLAST table and a class table, and return their paths."""
    rng = np.random.default_rng(0)
    records = max(RECORDS, queries)  # each query is one of them
    group = rng.integers(0, CLASSES, records)
    ids = [f"d{number:05d}a_" for number in range(records)]
    classes, table = folder / "classes.tsv", folder / "blast.tsv"
    classes.write_text(
        "".join(f"{name}\ta.{c // 30}.{c % 30}.1\n" for name, c in zip(ids, group, strict=True))
    )
    members = [np.flatnonzero(group == c) for c in range(CLASSES)]
    with table.open("w") as out:
        for query in range(queries):
            depth = rng.uniform(20, 200)
            evalue = np.sort(10 ** (1 - depth * (1 - np.sqrt(rng.random(HITS))) ** 2))
            bits = 50 - 4 * np.log10(evalue)
            found = rng.choice(records, HITS, replace=False)
            family = members[group[query]]
            early = np.flatnonzero(rng.random(HITS) < 0.9 * np.exp(-np.arange(HITS) / 10))
            early = early[: family.size]
            # A record twice, where the family is also among the others: a second HSP.
            found[early] = rng.permutation(family)[: early.size]
            identity, length = rng.uniform(20, 100, HITS), rng.integers(40, 400, HITS)
            out.writelines(
                f"{ids[query]}\t{ids[r]}\t{i:.3f}\t{n}\t{n // 3}\t2\t1\t{n}\t5\t{n + 5}\t"
                f"{'0.0' if e < 1e-180 else f'{e:.2e}' if e < 0.01 else f'{e:.3g}'}\t{b:.1f}\n"
                for r, i, n, e, b in zip(found, identity, length, evalue, bits, strict=True)
            )
    return table, classes


class Run(NamedTuple):
    """What a command took."""

    seconds: float
    megabytes: float
    """Peak memory."""
    printed: str


def run(*command: str) -> Run:
    """Run a command in a process of its own."""
    with tempfile.TemporaryFile("w+") as out:
        started = time.perf_counter()
        process = subprocess.Popen([sys.executable, *command], stdout=out)  # noqa: S603  # ours
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{command[:2]} ended with {process.returncode}")
        out.seek(0)
        return Run(seconds, used.ru_maxrss / 1024, out.read())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeats", type=int, default=5)
    options.add_argument("--queries", type=int, default=QUERIES)
    given = options.parse_args()
    compileall.compile_dir(Path(tapviz.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as name:
        table, classes = write(Path(name), given.queries)
        commands = {
            "polars parses the file": ["-c", PARSE, str(table)],
            "tapviz score": [*SCORE, str(table), "--labels", str(classes)],
            "tapviz score, without intervals": [
                *SCORE,
                str(table),
                "--labels",
                str(classes),
                "--resamples",
                "0",
            ],
        }
        runs: dict[str, list[Run]] = {title: [] for title in commands}
        for _ in range(given.repeats):
            for title, command in commands.items():
                runs[title].append(run(*command))
        megabytes = table.stat().st_size / 2**20
    print(f"{given.queries * HITS:,} rows, {megabytes:.0f} MB; {given.repeats} runs each")
    print(f"  {'':34}{'seconds':>9}{'ratio':>8}{'peak MB':>9}")
    parse = statistics.median(one.seconds for one in runs["polars parses the file"])
    for title, found in runs.items():
        seconds = statistics.median(one.seconds for one in found)
        peak = max(one.megabytes for one in found)
        print(f"  {title:34}{seconds:9.2f}{seconds / parse:8.2f}{peak:9.0f}")
    ratio = statistics.median(one.seconds for one in runs["tapviz score"]) / parse
    print(f"  budget: {BUDGET} times polars, {'met' if ratio <= BUDGET else 'NOT MET'}")
    print(runs["tapviz score"][0].printed)


if __name__ == "__main__":
    main()
