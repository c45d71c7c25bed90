"""What the project says of itself agrees, in words that readers know; CI; parts of the tests."""

import ast
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import tapviz
from scripts.lowest_versions import constraints, lowest
from tapviz.cli import main
from tests.conftest import CORE
from tests.refused import error_of, refuses

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Where conda-forge has another name.
CONDA_NAMES = {"matplotlib": "matplotlib-base", "playwright": "playwright-python"}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def jobs_of(workflow):
    return yaml.safe_load(read(f".github/workflows/{workflow}.yml"))["jobs"]


def blocks(language=r"\w*"):
    """Fenced blocks of README.md in a language, in their order, with the language."""
    return re.findall(rf"^```({language})\n(.*?)^```$", read("README.md"), re.DOTALL | re.MULTILINE)


def commands():
    """Every command of README.md, as words: the shell blocks, and the lines that are indented."""
    text = read("README.md")
    lines = [line for _, block in blocks("sh") for line in block.splitlines()]
    lines += re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    return [shlex.split(part) for line in lines for part in line.split(" && ")]


def requirements(*extras):
    """What tapviz requires, and what these extras do besides."""
    found = [*PROJECT["dependencies"]]
    for extra in extras:
        found += [one for one in PROJECT["optional-dependencies"][extra] if "tapviz[" not in one]
    return found


def test_readme_says_how_to_open_the_page_and_then_how_to_test():
    (_, serve), (_, test), *_ = blocks("sh")
    assert "panel serve apps/explore.py" in serve
    assert "'.[test]'" in test
    assert "python -m pytest" in test


def test_applications_that_readme_serves_exist():
    served = {
        word
        for command in commands()
        if command[1:2] == ["serve"]
        for word in command
        if word.endswith(".py")
    }
    assert "apps/explore.py" in served
    assert [path for path in sorted(served) if not (ROOT / path).exists()] == []


def test_tapviz_takes_the_commands_and_options_of_readme(capsys):
    used = {}
    for program, *words in commands():
        if Path(program).name == "tapviz":
            options = {word for word in words[1:] if word.startswith("-")}
            used.setdefault(words[0], set()).update(options)
    assert {"explore", "score", "figure", "report"} <= set(used)
    for command, options in used.items():
        assert error_of(main, [command, "--help", "all"], error=SystemExit).code == 0
        known = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", capsys.readouterr().out))
        assert not options - known, command


@pytest.mark.subprocess
def test_ci_runs_the_command_of_readme():
    script = read(".ci/run")
    _, (_, command), *_ = blocks("sh")
    assert not re.search(r"(-m |bin/)pytest(?! --doctest-modules)", script)
    # the same extraction as the script's
    extract = re.search(r"awk '(.*)' README\.md", script)
    done = subprocess.run(
        ["awk", extract[1], "README.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == command
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    assert {"run": ".ci/run"} in jobs_of("test")["all"]["steps"]


def test_ci_runs_every_python_that_is_promised():
    jobs = jobs_of("test")
    promised = [c.rsplit(" ", 1)[1] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    with_browser = re.fullmatch(r"python:(3\.\d+)-\w+", jobs["all"]["container"])[1]
    assert [*jobs["python"]["strategy"]["matrix"]["python"], with_browser] == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"


def test_files_that_readme_links_to_exist():
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", read("README.md"))
    assert links
    # the picture is taken of the page, after everything else
    assert not [link for link in links if not (ROOT / link).exists() and not link.endswith(".png")]


def test_conda_environment_is_that_of_pip():
    environment = yaml.safe_load(read("environment.yml"))
    assert environment["channels"] == ["conda-forge"]
    wanted = {f"python{PROJECT['requires-python']}", "pip"}
    for requirement in requirements("stats", "app", "test", "docs"):
        name, versions = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()
        wanted.add(CONDA_NAMES.get(name, name) + versions)
    assert set(environment["dependencies"]) == wanted
    assert len(environment["dependencies"]) == len(wanted)


def test_contributing_says_why_each_dependency_is_there():
    text = read("CONTRIBUTING.md").split("## Dependencies")[1].split("\n## ")[0]
    named = {
        name.strip()
        for row in re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
        for name in row.split(",")
    }
    wanted = requirements("stats", "app", "test", "docs", "dev")
    assert named - {"package", "---"} == {re.match(r"[\w-]+", one)[0] for one in wanted}


def test_version_is_one():
    assert PROJECT["version"] == tapviz.__version__
    versions = re.findall(r"^## \[([^]]+)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert tapviz.__version__ in versions


def test_license():
    assert (PROJECT["license"], PROJECT["license-files"]) == ("BSD-3-Clause", ["LICENSE"])
    assert read("LICENSE").startswith("BSD 3-Clause License")


def test_readme_names_the_formats_that_are_read_and_no_others():
    table = read("README.md").split("| format | what |")[1].split("\n\n")[0]
    rows = [row.split("|")[1] for row in table.splitlines()[2:]]
    named = [name for row in rows for name in re.findall("`([^`]+)`", row)]
    assert sorted(named) == sorted(tapviz.readers.FORMATS)


PLOTTING = ("panel", "bokeh", "holoviews", "matplotlib")


def test_every_module_of_the_core_exists():
    assert [name for name in sorted(CORE) if not (ROOT / "tests" / f"{name}.py").exists()] == []


@pytest.mark.subprocess
def test_the_core_collects_its_modules_only_and_loads_no_plotting_library():
    code = f"""
import sys
import pytest

class Modules:
    def pytest_collection_finish(self, session):
        print("\\ncollected", *sorted({{item.path.stem for item in session.items}}))

code = pytest.main(["-m", "core", "--collect-only", "-n0", "-p", "no:cacheprovider"], [Modules()])
print("loaded", *sorted({{*{PLOTTING}}} & set(sys.modules)))
sys.exit(code)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert " ".join(["collected", *sorted(CORE)]) in lines
    assert lines[-1].split() == ["loaded"]


LOWEST = [
    ("bokeh>=3.9,<4", "bokeh==3.9"),
    ("pyarrow>=18", "pyarrow==18"),
    ("numpy<3,>=2.0", "numpy==2.0"),
    ("one[two]~=1.5", "one==1.5"),
    ("axe-playwright-python == 0.1.7", "axe-playwright-python==0.1.7"),
    ("jupyter_bokeh>=4.0.5; python_version>='3.11'", "jupyter_bokeh==4.0.5"),
]


@pytest.mark.parametrize(("requirement", "expected"), LOWEST)
def test_lowest(requirement, expected):
    assert lowest(requirement) == expected


@pytest.mark.parametrize("requirement", ["bokeh", "bokeh<4", "bokeh>3"])
def test_a_requirement_needs_a_lower_bound(requirement):
    refuses("expected a lower bound", lowest, requirement)


def test_all_requirements_of_the_project_have_a_lowest_version_that_they_allow():
    text = read("pyproject.toml")
    found = constraints(text, ["test", "jupyter", "dev"])
    assert found[: len(constraints(text))] == constraints(text)
    for line in found:
        name, version = line.split("==")
        wanted = [
            Requirement(part)
            for part in text.split('"')
            if part.startswith((f"{name}>=", f"{name}=="))
        ]
        assert wanted
        assert any(requirement.specifier.contains(version) for requirement in wanted)


def test_an_extra_that_is_not_there():
    refuses("none", constraints, read("pyproject.toml"), ["none"], error=KeyError)


def test_the_script_prints_what_ci_installs():
    done = subprocess.run(
        [sys.executable, "scripts/lowest_versions.py", "test"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == constraints(read("pyproject.toml"), ["test"])
    jobs = jobs_of("versions")
    steps = [step.get("run", "") for step in jobs["lowest"]["steps"]]
    assert any("scripts/lowest_versions.py test" in step for step in steps)
    prerelease = " ".join(step.get("run", "") for step in jobs["prereleases"]["steps"])
    for name in ("bokeh", "panel", "holoviews", "param"):
        assert name in prerelease


# What was once said, and is said better now.
OLD = (
    "less that of",
    "less pinned",
    "the others are compared with this one",
    "Who is relevant to whom",
    "what says who is relevant",
    "what unpacks to more than",
    "of long lines some",
    "Show the order by k",
    "a few queries may decide a pooled score",
    "have their error no.",
    "promises as many errors per query",
    "that are not listed share the rest",
    "looked at closely",
    "at least this share of queries has",
    "mean recall reached at",
    "Beware",
    "equal scores matter",
    "column to judge by",
    "as usual; or",
    "columns of one's own",
    "of which 3, 11 and 12 are numbers",
    "Fewer than 0.5 of",
    "say direction=",
    "grey lines: all",
    "own mean",
    "do not stand together",
    "nobody can tell whether",
    "be it with mistakes",
    "what gzip, zstd or bzip2 made small",
    "exchange queries and records",
    "nothing lies between",
    "people without a mouse or eyes",
    "search for garbage",
    "Pour the two lists",
    "Pour both together",
    "errors poured out",
    "I would rather get",
    "agrees with your eye",
    "You had it shown",
    "One expects that the score of two searches",
    "until the merged curve is not below",
    "calls them the worst",
    "once more that at",
    "get mean TAP outside its parts",
    "the mean is nobody's",
    "You may try for ever",
    "TAP can rise for ever",
    "what is found only rises",
    "Take away",
    "What you said, and what is",
    "Up, blue, R: relevant",
    "Give a number from",
    "Not so.",
    "calls fifty searches the worst",
    "Find more in my data",
)
PLACES = ("tapviz", "apps", "docs", "notebooks", "README.md")
MADE = ("_build", "_generated", "generated", "jupyter_execute")
KINDS = (".py", ".md", ".html", ".js", ".css", ".ipynb", ".toml")


def files():
    found = [ROOT / place for place in PLACES]
    inside = [
        path for place in found for path in ([place] if place.is_file() else place.rglob("*"))
    ]
    return [
        path
        for path in sorted(inside)
        if path.suffix in KINDS and not set(MADE) & set(path.relative_to(ROOT).parts)
    ]


def said(path):
    """What stands in a file, strings of Python put together, in one line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    if path.suffix == ".py":
        constants = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        strings = [node.value for node in constants if isinstance(node.value, str)]
        comments = (line.partition("#")[2] for line in text.splitlines())
        text = " | ".join([*strings, *comments])
    return re.sub(r"\s+", " ", text)


def test_what_is_walked_is_there():
    walked = files()
    for name in ("tapviz/scores/words.py", "tapviz/page/templates/drop.html", "docs/start.md"):
        assert ROOT / name in walked
    assert ROOT / "tapviz" / "lesson" / "words" in {path.parent for path in walked}
    assert {path.suffix for path in walked} >= {".ipynb", ".js", ".md"}


def test_no_word_that_readers_stumbled_over_is_back():
    for path in files():
        text = said(path)
        assert [old for old in OLD if old in text] == [], path
