"""What an installation without plots and pages can do, and what it says of the rest."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tapviz.files.extras import EXTRAS, told
from tests.printed import script_of

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DATA = ROOT / "notebooks" / "data"
IMPORTED = {"markdown-it-py": "markdown_it"}
FILES = ("blastp.tsv.gz", "ssearch.tsv.gz")
JUDGED = ("--labels", "classes.tsv.gz", "--queries", "queries.txt", "-k", "5")

# Runs Python of the standard input where only the packages that are named can be imported.
WITHOUT = """
import sys
from importlib.machinery import PathFinder
from importlib.metadata import packages_distributions

kept, code = {*sys.argv[1:]}, sys.stdin.read()
missing = {
    name for name, of in packages_distributions().items() if not kept & {one.lower() for one in of}
}

class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, *where):
        return None if name.partition(".")[0] in missing else PathFinder.find_spec(name, *where)

sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
exec(code)
"""


def names(requirements):
    return {re.match(r"[\w-]+", one)[0] for one in requirements}


BASE = names(PROJECT["dependencies"])


def run(code, *extras):
    """What code prints that is run with the dependencies of tapviz, and of some extras, alone."""
    kept = sorted(BASE.union(*(EXTRAS[extra] for extra in extras)))
    command = [sys.executable, "-W", "error", "-c", WITHOUT, "tapviz", *kept]
    given = {"input": code, "cwd": DATA, "capture_output": True, "text": True}
    done = subprocess.run(command, check=False, **given)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_commands(*commands, extras=("stats",)):
    """Exit code, output and messages of commands of tapviz."""
    return json.loads(run(script_of(commands), *extras))


def test_extras_are_those_of_the_project():
    extras = PROJECT["optional-dependencies"]
    for extra, packages in EXTRAS.items():
        assert {IMPORTED.get(name, name) for name in names(extras[extra])} - {"tapviz"} == packages
    for extra in ("test", "docs", "jupyter"):
        assert "tapviz[app]" in extras[extra]
    assert "tapviz[stats]" in extras["app"]
    assert not names(extras["app"]) & BASE


@pytest.mark.subprocess
def test_scores_need_no_plots_and_no_pages(tmp_path):
    baseline, kept = str(tmp_path / "old.json"), str(tmp_path / "kept.parquet")
    gate = ("--baseline", baseline, "--fail-if", "tap < -0.01")
    outputs = [("--output", form) for form in ("table", "json", "csv", "markdown", "latex")]
    found = run_commands(
        *(("score", *FILES, *JUDGED, "--compare", "all", *output) for output in outputs),
        ("score", *FILES, *JUDGED, "--save-baseline", baseline),
        ("score", *FILES, *JUDGED, *gate),
        ("score", *FILES, *JUDGED, "--per-query", str(tmp_path / "each.parquet")),
        ("condense", f"blastp={FILES[0]}", *JUDGED[:4], "-o", kept),
        ("score", kept),
        ("threshold", *FILES, *JUDGED[:4], "--errors", "0.1"),
        ("add", FILES[0], *JUDGED[:4], "--store", str(tmp_path / "runs")),
        ("formats",),
    )
    assert [code for code, _, _ in found] == [0] * len(found), found
    assert all(out for _, out, _ in found)
    (_, table, _), (_, as_json, _), *_ = found
    assert re.search(r"(?m)^blastp +0\.363 ", table)
    assert json.loads(as_json)["algorithms"]


@pytest.mark.subprocess
def test_python_needs_neither():
    code = """
from tapviz import read_all, tap_k
(lists,) = read_all({"blastp": "blastp.tsv.gz"}, labels="classes.tsv.gz").values()
print(round(tap_k(lists, k=5).value, 3))
"""
    assert run(code) == "0.363\n"


@pytest.mark.subprocess
def test_what_needs_plots_or_pages_says_in_one_line_what_to_install(tmp_path):
    at = ("-o", str(tmp_path / "new.html"))
    found = run_commands(
        ("report", *at), ("figure", "--plot", "tap", *at), ("site", *FILES, *JUDGED[:4], *at),
        ("lesson", *at), ("explore",), ("serve",),
    )  # fmt: skip
    for code, out, err in found:
        assert (code, out) == (2, "")
        assert re.fullmatch(r"\w+ is not installed: pip install 'tapviz\[app\]'\n", err), err
    code = """
import tapviz
for use in (
    lambda: tapviz.Dashboard, lambda: tapviz.save_figure, lambda: tapviz.save_report,
    lambda: explorer.scores, lambda: explorer.plot("tap"), lambda: explorer.figure("tap"),
):
    explorer = tapviz.Explorer(tapviz.load_results("profiles"))
    try:
        use()
    except ModuleNotFoundError as error:
        print(error)
"""
    lines = run(code).splitlines()
    assert len(lines) == 6
    assert all(line.endswith(" is not installed: pip install 'tapviz[app]'") for line in lines)


@pytest.mark.subprocess
def test_scores_without_intervals_need_no_scipy(tmp_path):
    """Differences and a gate have p-values of random signs, as with scipy."""
    asked, baseline = ("score", *FILES, *JUDGED), str(tmp_path / "old.json")
    plain = (*asked, "--resamples", "0")
    commands = (
        (*plain, "--compare", "all"),
        (*plain, "--save-baseline", baseline),
        (*plain, "--baseline", baseline, "--fail-if", "tap < -0.01"),
        ("condense", f"blastp={FILES[0]}", *JUDGED[:4], "-o", str(tmp_path / "kept.parquet")),
    )
    refused = asked, ("threshold", *FILES, *JUDGED[:4], "--errors", "0.1")
    *found, (code, out, err), (other, _, said) = run_commands(*commands, *refused, extras=())
    assert (code, out) == (other, "") == (2, "")
    assert err == "intervals need scipy: pip install 'tapviz[stats]', or give --resamples 0\n"
    assert said == "scipy is not installed: pip install 'tapviz[stats]'\n"
    (_, table, _), *_ = found
    assert re.search(r"(?m)^blastp +0\.363 ", table)
    assert [code for code, _, _ in found] == [0] * 4
    assert found[:3] == run_commands(*commands[:3])


def test_a_missing_package_of_another_extra():
    message = r"^distributed is not installed: pip install 'tapviz\[big\]'$"
    with pytest.raises(ModuleNotFoundError, match=message), told():
        raise ModuleNotFoundError("No module", name="distributed.client")
