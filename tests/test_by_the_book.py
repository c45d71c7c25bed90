"""A measure, a format, a plot and a setting added in a copy as CONTRIBUTING.md says are there.

The steps are data: files that are new, and texts that are put after a line of a file. Whatever
takes more than the steps would be missing in the copy: on the page, in print, on the command line,
in a notebook or in the documentation.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import pytest

from tests.printed import script_of

pytestmark = pytest.mark.subprocess

ROOT = Path(__file__).parents[1]


class New(NamedTuple):
    path: str
    text: str


class After(NamedTuple):
    """A text put after the only line of the files of that path that has the pattern."""

    path: str
    line: str
    text: str


def take(folder: Path, step: New | After) -> None:
    """Do as a step says in a copy of the tree."""
    if isinstance(step, New):
        path = folder / step.path
        assert not path.exists()
        path.write_text(dedent(step.text).lstrip(), "utf-8")
        return
    ((path, place),) = (
        (path, found.end())
        for path in folder.glob(step.path)
        for found in re.finditer(f"(?m){step.line}.*\n", path.read_text("utf-8"))
    )
    text = path.read_text("utf-8")
    added = step.text.removeprefix("\n").rstrip() + "\n"
    path.write_text(text[:place] + added + text[place:], "utf-8")


class Copy(NamedTuple):
    folder: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        # What Hypothesis draws is drawn in full outside of the copy.
        env = {"PYTHONPATH": str(self.folder), "HYPOTHESIS_PROFILE": "dev"}
        where = {"cwd": self.folder, "env": os.environ | env}
        command = [sys.executable, "-W", "error", *words]
        return subprocess.run(command, **where, capture_output=True, text=True, check=False)

    def python(self, code: str) -> list[str]:
        done = self.run("-c", dedent(code))
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def tapviz(self, *lines: str) -> list[str]:
        """What commands print that end well, or say that refuse their files, in one process."""
        (found,) = self.python(script_of(line.split() for line in lines))
        return [{0: out, 2: err}[code] for code, out, err in json.loads(found)]

    def tests(self, *words: str) -> None:
        done = self.run("-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider", *words)
        assert done.returncode == 0, done.stdout + done.stderr


# --- the steps ------------------------------------------------------------------------------------

MEASURE: list[New | After] = [
    After(
        "tapviz/measures/ranks.py",
        r"^ListOrder = ",
        '''

__all__ += ["first_hit"]


def first_hit(lists: RetrievalLists) -> PerQuery:
    """Whether the record that is listed first is relevant: 1 or 0.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import first_hit
    >>> 0 < first_hit(load_results()["BLASTP"]).value < 1
    True
    """
    first, values = lists.offset[:-1], np.zeros(lists.n_queries)
    listed = np.diff(lists.offset) > 0
    values[listed] = lists.relevant[first[listed]]
    return per_query(lists, values)
''',
    ),
    New(
        "tests/test_first_hit.py",
        """
        from hypothesis import given

        from tapviz.lists import RetrievalLists
        from tapviz.measures import first_hit
        from tests import twins
        from tests.strategies import any_lists


        def test_by_hand():
            lists = RetrievalLists([1, 2, 1], [1, 0, 0], [0, 2, 3, 3], [1, 1, 1])
            assert first_hit(lists).value == 1 / 3


        @given(any_lists)
        def test_as_its_twin(lists):
            assert first_hit(lists).per_query == twins.close(twins.first_hit(lists))
        """,
    ),
    After(
        "tests/twins.py",
        r"^from tapviz\.lists import RetrievalLists$",
        """

def first_hit(lists: RetrievalLists) -> list[float]:
    return [
        float(bool(query.records) and query.records[0][1]) if query.total else nan
        for query in plain(lists)
    ]
""",
    ),
    After(
        "tapviz/scores/table.py",
        r"^SCORES\b.* = \($",
        """
    mean_over_queries(
        "first_hit",
        "first hit",
        measures.first_hit,
        digits=2,
        description="The share of the queries whose best record is relevant.",
        source="CONTRIBUTING.md",
    ),""",
    ),
]

GOOD = "=====\nq1|r1|0.9\nq1|r2|0.8\nq2|r3|0.7\nq2|r4|0.6\n"
BAD = "=====\nq1|r1|0.9\nq3|r1\n"
GOOD_ROWS = [
    {"query": query, "target": record, "cosine": float(cosine)}
    for query, record, cosine in (row.split("|") for row in GOOD.splitlines()[1:])
]


def in_manifest(kind: str, **expected: Any) -> After:
    """What is expected of a sample."""
    case = json.dumps({"file": "lined.txt", "format": "lined", **expected})
    return After("tests/golden/formats/manifest.json", rf'^ "{kind}": \[$', f"{case},")


FORMAT: list[New | After] = [
    New(
        "tapviz/readers/ruled.py",
        '''
        """Rows below a line: a query, a record and the cosine of their angle."""

        from __future__ import annotations

        from collections.abc import Sequence

        from tapviz.files import Problems, Source
        from tapviz.labels import Hits
        from tapviz.readers._lines import Match, pieces
        from tapviz.readers._table import Column, Layout, read_rows
        from tapviz.readers.options import ReadOptions

        LAYOUT = Layout(
            texts=(Column("query", 0), Column("record", 1)),
            numbers=(Column("cosine", 2),),
            width=3,
            separator="|",
            expected=lambda row: f"expected 3 columns, found {len(row.split('|'))}",
        )


        def recognise(head: Sequence[bytes]) -> Match | None:
            """Whether the first line is a rule."""
            return Match("certain", "a double line") if head[:1] == [b"====="] else None


        def read(source: Source, options: ReadOptions, problems: Problems) -> Hits:
            """Read cosines, of which large ones are better unless the options say otherwise."""
            rows = read_rows(pieces(source, lambda _: (LAYOUT, 0), skip=1), problems)
            problems.raise_any()
            return rows.hits(source.file, options.direction or "descending")
        ''',
    ),
    After(
        "tapviz/readers/formats.py",
        r"^FORMATS\b.* = \{$",
        """
    "lined": Format(
        "rows below a line",
        "nobody",
        "=====\\nq1|r1|0.9",
        ruled.recognise,
        ruled.read,
        ("direction", "swap"),
    ),""",
    ),
    After(
        "tapviz/readers/formats.py",
        r"^from tapviz\.readers import _lines, _table, blast,",
        "from tapviz.readers import ruled",
    ),
    New("tests/golden/formats/good/lined.txt", GOOD),
    New("tests/golden/formats/bad/lined.txt", BAD),
    in_manifest("good", score="cosine", rows=GOOD_ROWS),
    in_manifest("bad", error="BadColumnCount", line=3),
    After("README.md", r"^\| `trec` \|", "| `lined` | rows | nobody |"),
]

PLOT: list[New | After] = [
    New(
        "tapviz/plots/totals.py",
        '''
        """How many queries have how many relevant records."""

        from __future__ import annotations

        import numpy as np

        from tapviz.draw.picture import Axis, Picture, boxes
        from tapviz.draw.style import ACCENT
        from tapviz.plots.plot import FILTER, Plot, PlotData


        def picture(data: PlotData) -> Picture:
            """The plot under the present choices."""
            total, n_queries = np.unique(data.lists.n_relevant, return_counts=True)
            columns = {
                "x0": total - 0.5,
                "y0": np.zeros(total.size),
                "x1": total + 0.5,
                "y1": n_queries.astype(float),
                "queries": n_queries,
            }
            return Picture(
                (boxes("bar", columns, ACCENT, tooltip="@queries queries"),),
                Axis("relevant records in the database, T(q)", -0.5, total.max(initial=1) + 0.5),
                Axis("queries", 0.0, float(n_queries.max(initial=1))),
            )


        def text(data: PlotData) -> str:
            """The plot in words."""
            total = data.lists.n_relevant
            if not total.size:
                return "There is no query."
            return f"The median query has {np.median(total):g} relevant records."


        PLOT = Plot(
            name="totals",
            title="Relevant records",
            caption="queries by T(q)",
            how_to_read="Each bar counts the queries with so many relevant records, T(q).",
            printed="Queries by their number of relevant records, T(q).",
            depends=FILTER,
            picture=picture,
            text=text,
            tab="Relevant",
            of="queries",
        )
        ''',
    ),
    After("tapviz/plots/__init__.py", r"^MODULES = \($", '    "totals "'),
]

SETTING: list[New | After] = [
    After(
        "tapviz/state/settings.py",
        r"^    pinned: ",
        """
    trim = _setting(
        0.0,
        "Leave out this share of the queries at either end of T(q).",
        bounds=(0, 0.4),
        **TYPED_FILTER,
        rail="queries",
        label="leave out at either end of T(q)",
        help="leave out this share of the queries at either end of T(q)",
        keeps=lambda lists, share: (
            (lists.n_relevant >= np.quantile(lists.n_relevant, share))
            & (lists.n_relevant <= np.quantile(lists.n_relevant, 1 - share))
        ),
        words="without {:.0%} at either end of T(q)",
    )
    no_relevant = _setting(
        "reference",
        "TAP of a query without relevant records: 1 / (retrieved + 1), 0, or left out.",
        objects=["reference", "zero", "exclude"],
        affects="threshold",
        rail="more",
        label="TAP where T(q) = 0",
        help="TAP of a query without relevant records (default: reference)",
    )""",
    ),
]
"""A part of the filter; and what makes another threshold, of which `tapviz score` has a flag."""

LISTS = "q1\n2\n1\t1e-9\n0\t0.5\n\nq2\n1\n0\t1e-3\n1\t2\n\nq3\n1\n1\t0.1\n\nq4\n1\n"
"""The best record is relevant in two lists of four; the last one is empty."""
OWN = "own.txt --direction ascending -k 1"

STEPS = {"measure": MEASURE, "format": FORMAT, "plot": PLOT, "setting": SETTING}
"""What is added, by which steps."""
LOOKING = ["first_hit", "per_query", "formats", "readers", "inputs", "options", "project"]
LOOKING += ["score", "gate", "more_scores", "figures", "settings"]
REGISTRIES = [f"tests/test_{name}.py" for name in LOOKING]
"""Modules of tests that look at all that there is and are quick; the others follow each night. A
list of names in one of them would have to be kept by whoever adds one."""
OF_EACH = "svg_has_the_size or drawn_is_what or no_text_is_cut or test_settings"
OF_ONE = "byte_for_byte or pieces_of_a_file or pdf_and_png or same_choices_make or bundled_results"
ADDED = f"totals or trim or no_relevant or not ({OF_EACH} or {OF_ONE})"
"""Of what is to be of each plot and each setting, only that of the new ones; and of what takes
seconds, nothing that is of one format, one command or one figure, whatever else there is."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy of what is installed, documented and tested, in which all steps were taken."""
    folder = tmp_path_factory.mktemp("tree")
    made = "_build", "_generated", "generated", "jupyter_execute", ".*_cache"
    unwanted = shutil.ignore_patterns(*made)  # what is compiled already is not compiled again
    left_out = {".git", ".venv", "node_modules", "build", "dist"}
    for path in ROOT.iterdir():
        if path.is_file() and path.name not in left_out:
            shutil.copy(path, folder)
        elif path.is_dir() and not (path.name in left_out or path.name.endswith("_cache")):
            shutil.copytree(path, folder / path.name, ignore=unwanted)
    for steps in STEPS.values():
        for step in steps:
            take(folder, step)
    (folder / "own.txt").write_text(LISTS, "utf-8")
    return Copy(folder)


# --- where they are to be seen --------------------------------------------------------------------


@pytest.mark.parametrize("kind", STEPS)
def test_contributing_names_every_file_that_a_step_touches(kind: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.split(f"## To add a {kind}\n")[1].split("\n## ")[0]
    for path in {Path(step.path) for step in STEPS[kind]}:
        folders = [folder for folder in path.parents if len(folder.parts) > 1]
        places = [path.name, *(f"{folder.as_posix()}/" for folder in folders)]
        if path.match("tests/test_*.py"):
            places.append("test of its family")
        assert any(place in section for place in places), path


def test_what_is_tested_by_registries_and_samples_is_right(copy: Copy) -> None:
    """Files are read by Python, command and page, scores printed, and settings are one record."""
    copy.tests(*REGISTRIES, "-m", "not nightly and not subprocess", "-k", ADDED)


@pytest.mark.nightly
def test_all_that_needs_no_browser_is_right(copy: Copy) -> None:
    copy.tests("-m", "not ui and not nightly", "--ignore", "tests/test_by_the_book.py")


def test_a_plot_is_in_print_and_on_the_command_line(copy: Copy) -> None:
    contents = {"svg": "relevant records in", "csv": "bar", "pdf": "%PDF"}
    saved = [f"figure {OWN} --plot totals -o totals.{ending}" for ending in contents]
    saved.append(f"report {OWN} -o report.html")
    refused, *_ = copy.tapviz(f"figure {OWN} --plot none -o none.svg", *saved)
    report = (copy.folder / "report.html").read_text("utf-8")
    assert "totals" in refused
    for ending, content in contents.items():
        assert content.encode() in (copy.folder / f"totals.{ending}").read_bytes()
    assert "Relevant records" in report
    assert "The median query has 1 relevant records." in report


def test_a_score_and_a_plot_are_on_the_page_and_in_a_notebook(copy: Copy) -> None:
    table, tab, bars, overlay = copy.python(
        """
        import holoviews as hv
        import re
        from bokeh.models import GlyphRenderer
        from tapviz import Dashboard, Explorer, load_results

        explorer = Explorer(load_results("profiles"), k=5, table_scores=["tap", "first_hit"])
        page = Dashboard(explorer)
        root = page.__panel__().get_root()
        texts = " ".join(str(getattr(model, "text", "")) for model in root.references())
        print(re.search(r"<th[^>]*>\\s*first hit", texts) is not None)
        tabs = [model.labels for model in root.references() if hasattr(model, "labels")]
        more = [model.options for model in root.references() if hasattr(model, "options")]
        print(any("Relevant" in words for words in tabs) or "'Relevant'" in str(more))
        explorer.view = "totals"
        figure = root.select_one({"name": "totals"})
        (bar,) = figure.select({"type": GlyphRenderer, "name": "bar"})
        print(sum(bar.data_source.data["queries"]) == explorer.first.n_queries)
        print(isinstance(explorer.plot("totals") * hv.HLine(0.5), hv.Overlay))
        """
    )
    assert (table, tab, bars, overlay) == ("True",) * 4


def test_a_setting_is_on_the_command_line_and_on_the_page(copy: Copy) -> None:
    (text,) = copy.tapviz(f"score {OWN} --trim 0.3")
    assert "Only queries with trim = 0.3." in text
    box, part, undone = copy.python(
        """
        import panel as pn
        from tapviz import Dashboard, Explorer, load_results

        explorer = Explorer(load_results("profiles"), k=5)
        page = Dashboard(explorer).__panel__()
        title = "leave out at either end of T(q)"
        (box,) = [one for one in page.select(pn.widgets.FloatInput) if one.label == title]
        box.value = 0.25
        print(explorer.trim, 0 < explorer.selection.n_queries < explorer.first.n_queries)
        print(explorer.filter_parts[0].words)
        explorer.clear_filter()
        print(box.value, explorer.selection.everything)
        """
    )
    assert (box, part) == ("0.25 True", "without 25% at either end of T(q)")
    assert undone == "0.0 True"


def test_a_measure_a_format_and_a_plot_are_documented(copy: Copy) -> None:
    pages = "\n".join(
        copy.python(
            """
            import sys
            from pathlib import Path
            sys.path.insert(0, "docs/_ext")
            import registries

            print(registries.scores_part())
            print(registries.formats_part())
            pages = dict(registries.reference_pages())
            print(pages["tapviz.measures"], pages["tapviz.measures.first_hit"])
            registries.PLOTS = {"totals": registries.PLOTS["totals"]}  # the others take seconds
            print(registries.plots_part(Path("gallery")))
            """
        )
    )
    assert "## First hit\n\nThe share of the queries whose best record is relevant." in pages
    assert "## `lined`: rows below a line\n\nWritten by nobody." in pages
    assert ".. autofunction:: first_hit\n" in pages
    assert "## Relevant records\n" in pages
    assert "Each bar counts the queries with so many relevant records, T(q)." in pages
    assert (copy.folder / "gallery" / "totals.svg").is_file()
