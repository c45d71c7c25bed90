"""A measure, a format and a plot added by the steps of CONTRIBUTING.md, in a copy, are there.

The steps are data: files that are new, and texts that are put after a line of a file. Whatever
takes more than the steps would be missing in the copy.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.subprocess

ROOT = Path(__file__).parents[1]


class New(NamedTuple):
    """A file that was not there."""

    path: str
    text: str


class After(NamedTuple):
    """A text put after the only line of the files of that name that has the pattern."""

    files: str
    line: str
    text: str


def take(folder: Path, step: New | After) -> None:
    """Do as a step says in a copy of the tree."""
    if isinstance(step, New):
        path = folder / step.path
        assert not path.exists()
        path.write_text(dedent(step.text).lstrip(), "utf-8")
        return
    places = [
        (path, number)
        for path in sorted(folder.glob(step.files))
        for number, line in enumerate(path.read_text("utf-8").splitlines())
        if re.search(step.line, line)
    ]
    ((path, number),) = places
    lines = path.read_text("utf-8").splitlines(keepends=True)
    lines.insert(number + 1, step.text + "\n")
    path.write_text("".join(lines), "utf-8")


class Copy(NamedTuple):
    """A copy of the tree in which a step was taken."""

    folder: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy; warnings are errors there, too."""
        return subprocess.run(
            [sys.executable, "-W", "error", *words],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )

    def python(self, code: str) -> str:
        """What a script prints that ends well."""
        done = self.run("-c", dedent(code))
        assert done.returncode == 0, done.stderr
        return done.stdout

    def tapviz(self, *words: str) -> str:
        """What the command prints that ends well."""
        done = self.run("-m", "tapviz.cli", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def tests(self, *words: str) -> None:
        """Run tests of the copy."""
        done = self.run("-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", *words)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[New | After]], Copy]:
    """Function that makes a copy of what is installed and documented, and takes steps in it."""

    def made(steps: list[New | After]) -> Copy:
        folder = tmp_path_factory.mktemp("tree")
        unwanted = shutil.ignore_patterns("__pycache__", "_build", "_generated", ".*_cache")
        for name in ("tapviz", "docs", "tests", "apps", "scripts", ".github", ".ci"):
            shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
        for path in ROOT.glob("*.*"):
            if path.is_file() and path.name != ".git":
                shutil.copy(path, folder)
        for step in steps:
            take(folder, step)
        return Copy(folder)

    return made


# --- a measure, shown as a score ------------------------------------------------------------------

MEASURE: list[New | After] = [
    New(
        "tapviz/measures/first_hit.py",
        '''
        """How often the best record is relevant."""

        from __future__ import annotations

        import numpy as np

        from tapviz.lists import RetrievalLists


        def first_hit(lists: RetrievalLists) -> float:
            """Share of the queries whose best record is relevant."""
            first = lists.offset[:-1][np.diff(lists.offset) > 0]
            return float(lists.relevant[first].sum() / max(lists.n_queries, 1))
        ''',
    ),
    After(
        "tapviz/measures/__init__.py",
        r"^from tapviz\.measures\._ranking import",
        "from tapviz.measures.first_hit import first_hit",
    ),
    After("tapviz/measures/__init__.py", r"^__all__ = \[$", '    "first_hit",'),
    After(
        "tapviz/scores/table.py",
        r"^from tapviz\.lists import",
        "from tapviz.measures import first_hit",
    ),
    After(
        "tapviz/scores/table.py",
        r"^SCORES\b.* = \($",
        '    Score(name="first_hit", title="first hit", measure=first_hit, digits=2,\n'
        '          description="The share of the queries whose best record is relevant."),',
    ),
]
LISTS = "q1\n2\n1\t1e-9\n0\t0.5\n\nq2\n1\n0\t1e-3\n1\t2\n\nq3\n1\n1\t0.1\n\nq4\n1\n"
"""The best record is relevant in two lists of four; the last one is empty."""


@pytest.fixture(scope="module")
def with_measure(copied) -> Copy:
    copy = copied(MEASURE)
    (copy.folder / "own.txt").write_text(LISTS)
    return copy


def test_a_measure_is_in_the_library_and_a_score_of_the_explorer(with_measure: Copy) -> None:
    printed = with_measure.python(
        """
        from tapviz import Explorer, read
        from tapviz.measures import first_hit
        lists = read("own.txt", direction="ascending")
        print(first_hit(lists), Explorer({"own": lists}, k=1).scores.loc["own", "first_hit"])
        """
    )
    assert printed.split() == ["0.5", "0.5"]


def test_a_score_is_on_the_command_line_and_in_print(with_measure: Copy) -> None:
    given = ("own.txt", "--direction", "ascending", "-k", "1")
    head, row = with_measure.tapviz("score", *given).splitlines()[:2]
    assert "first hit" in head
    assert "0.50" in row
    for output in ("latex", "csv", "json"):
        written = with_measure.tapviz("score", *given, "--output", output)
        assert "first hit" in written or "first_hit" in written, output
    with_measure.tapviz("report", *given, "-o", "report.html")
    report = (with_measure.folder / "report.html").read_text("utf-8")
    assert re.search(r"<th[^>]*>\s*first hit", report)


def test_a_score_is_on_the_page(with_measure: Copy) -> None:
    printed = with_measure.python(
        """
        from tapviz import Dashboard, Explorer, read
        page = Dashboard(Explorer({"own": read("own.txt", direction="ascending")}, k=1))
        for model in page.__panel__().get_root().references():
            print(getattr(model, "text", ""))
        """
    )
    assert re.search(r"<th[^>]*>\s*first hit", printed)


# --- a format -------------------------------------------------------------------------------------

FORMAT: list[New | After] = [
    New(
        "tapviz/readers/dashes.py",
        '''
        """Rows of query -- record -- bits below a line of dashes."""

        from __future__ import annotations

        from collections.abc import Sequence
        from typing import Any

        import numpy as np

        from tapviz.files.source import Source
        from tapviz.labels import Hits
        from tapviz.readers._lines import Match, Problems


        def recognise(head: Sequence[bytes]) -> Match | None:
            """Whether the first line is of dashes."""
            return Match("certain", "a line of dashes") if head[:1] == [b"-----"] else None


        def read(source: Source, options: Any, problems: Problems) -> Hits:
            """Read bit scores, of which large ones are good."""
            rows = []
            for number, line in list(source.lines())[1:]:
                cells = line.decode().split(" -- ")
                if len(cells) == 3:
                    rows.append((*cells[:2], problems.number(cells[2], number, line, "bits")))
                else:
                    message = f"expected 3 columns, query -- record -- bits, found {len(cells)}"
                    problems.add("BadColumnCount", number, line, message)
            problems.raise_any()
            query, record, bits = zip(*rows, strict=True)
            query_id, record_id = sorted(set(query)), sorted(set(record))
            return Hits(
                source.file,
                query_id,
                record_id,
                np.array([query_id.index(one) for one in query]),
                np.array([record_id.index(one) for one in record]),
                np.array(bits),
                direction="descending",
            )
        ''',
    ),
    After(
        "tapviz/readers/*.py",
        r"^FORMATS\b.* = \{$",
        '    "dashes": Format(\n'
        '        "rows of dashes", "nobody", "-----\\nq1 -- r1 -- 36.6",\n'
        "        dashes.recognise, dashes.read,\n"
        "    ),",
    ),
    After(
        "tapviz/readers/*.py",
        r"^from tapviz\.readers import biocreative,",
        "from tapviz.readers import dashes",
    ),
    After("README.md", r"^\| `trec` \|", "| `dashes` | rows | nobody |"),
]
RESULTS = "-----\nq1 -- r1 -- 90\nq1 -- r2 -- 80\nq2 -- r3 -- 70\nq2 -- r4 -- 60.5\n"
LABELS = "q1\ta.1.1\nq2\tb.1.1\nr1\ta.1.1\nr2\tb.1.1\nr3\tc.1.1\nr4\tb.1.1\n"


@pytest.fixture(scope="module")
def with_format(copied) -> Copy:
    copy = copied(FORMAT)
    (copy.folder / "own.txt").write_text(RESULTS)
    (copy.folder / "bad.txt").write_text(RESULTS + "q3 -- r1\n")
    (copy.folder / "classes.tsv").write_text(LABELS)
    return copy


def test_a_format_is_read_by_the_library(with_format: Copy) -> None:
    printed = with_format.python(
        """
        from tapviz import ClassTable, ReadError, detect, read
        classes = ClassTable.read("classes.tsv")
        print(detect("own.txt").format)
        lists = read("own.txt", labels=classes)
        print(lists.direction, lists.score.tolist(), lists.relevant.tolist())
        try:
            read("bad.txt", labels=classes)
        except ReadError as error:
            print(error)
        """
    )
    name, lists, problem = printed.splitlines()[:3]
    assert name == "dashes"
    assert lists == "descending [90.0, 80.0, 70.0, 60.5] [True, False, False, True]"
    assert problem.startswith("bad.txt, line 6: expected 3 columns, query -- record -- bits")


def test_a_format_is_read_by_the_command(with_format: Copy) -> None:
    assert "dashes: rows of dashes\n  written by nobody\n" in with_format.tapviz("formats")
    # At E_1 = 80 q1 has r1 and r2, (1 + 1/2) / 2, and q2 nothing.
    for given in ([], ["--format", "dashes"]):
        scores = with_format.tapviz("score", "own.txt", "--labels", "classes.tsv", "-k1", *given)
        assert re.search(r"^own +0\.375\b", scores, re.MULTILINE), scores
    done = with_format.run("-m", "tapviz.cli", "score", "bad.txt", "--labels", "classes.tsv")
    assert done.returncode == 2
    assert done.stderr.startswith("bad.txt, line 6: ")


def test_a_format_opens_on_the_page(with_format: Copy) -> None:
    printed = with_format.python(
        """
        from pathlib import Path
        from tapviz.dashboard.app import App
        from tapviz.dashboard.data import DataPanel

        opened = []
        panel = DataPanel(opened.append, lambda: None, "")
        panel.dropper.value = {n: Path(n).read_bytes() for n in ("own.txt", "classes.tsv")}
        panel._pressed()  # without a loop nothing is read until it is asked for
        panel._open_button.clicks += 1
        app = App(opened[0])
        print(app.__panel__().get_root().select_one({"name": "tap"}) is not None)
        print(*app.dashboard.explorer.scores.index)
        """
    )
    assert printed.split() == ["True", "own"]


def test_a_format_is_documented(with_format: Copy) -> None:
    with_format.tests("tests/test_project.py", "-k", "format")


# --- a plot ---------------------------------------------------------------------------------------

PLOT: list[New | After] = [
    New(
        "tapviz/plots/peaks.py",
        '''
        """The peak of TAP of each algorithm."""

        from __future__ import annotations

        import numpy as np

        from tapviz.draw.picture import Axis, Picture, points
        from tapviz.measures import tap_curve
        from tapviz.plots.data import PlotData
        from tapviz.plots.plot import FILTER, Plot


        def picture(data: PlotData) -> Picture:
            """The plot under the present choices."""
            peaks = {name: curve.peak_tap for name, curve in data.each(tap_curve).items()}
            columns = {
                "x": np.arange(len(peaks), dtype=float),
                "y": np.array(list(peaks.values())),
                "color": np.array([data.styles[name].color for name in peaks]),
            }
            return Picture(
                (points("top", columns, marker="circle", size=9),),
                Axis("algorithm", -1.0, float(len(peaks))),
                Axis("peak of TAP", 0.0, 1.0),
            )


        PLOT = Plot(
            name="peaks",
            title="Peaks of TAP",
            caption="the largest TAP of each algorithm",
            how_to_read="Each dot is the largest TAP that an algorithm reaches.",
            depends=(*FILTER, "algorithms"),
            picture=picture,
            text=lambda data: f"Peaks of {len(data.explorer.shown)} algorithms.",
            tab="Peaks",
        )
        ''',
    ),
    After("tapviz/plots/__init__.py", r"^from tapviz\.plots import \($", "    peaks,"),
    After("tapviz/plots/__init__.py", r"^        order,$", "        peaks,"),
]


@pytest.fixture(scope="module")
def with_plot(copied) -> Copy:
    copy = copied(PLOT)
    (copy.folder / "own.txt").write_text(LISTS)
    return copy


def test_a_plot_is_on_the_page(with_plot: Copy) -> None:
    printed = with_plot.python(
        """
        from bokeh.models import GlyphRenderer
        from tapviz import Dashboard, Explorer, load_results
        explorer = Explorer(load_results(), k=5)
        page = Dashboard(explorer)
        root = page.__panel__().get_root()
        print(any("Peaks" in getattr(model, "labels", []) for model in root.references()))
        explorer.view = "peaks"
        figure = root.select_one({"name": "peaks"})
        (top,) = figure.select({"type": GlyphRenderer, "name": "top"})
        print(list(top.data_source.data["y"]) == explorer.scores["peak_tap"].tolist())
        """
    )
    assert printed.split() == ["True", "True"]


def test_a_plot_is_in_print_and_on_the_command_line(with_plot: Copy) -> None:
    given = ("own.txt", "--direction", "ascending", "-k", "1")
    for ending, found in (("svg", "peak of TAP"), ("csv", "top"), ("pdf", ""), ("png", "")):
        with_plot.tapviz("figure", *given, "--plot", "peaks", "-o", f"peaks.{ending}")
        assert found.encode() in (with_plot.folder / f"peaks.{ending}").read_bytes()
    with_plot.tapviz("report", *given, "-o", "report.html")
    report = (with_plot.folder / "report.html").read_text("utf-8")
    assert "Peaks of TAP" in report
    assert "Peaks of 1 algorithms." in report
