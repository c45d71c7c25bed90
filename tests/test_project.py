"""What the project says of itself agrees: README, environments, version, CI."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

import tapviz

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Where conda-forge has another name.
CONDA_NAMES = {"matplotlib": "matplotlib-base", "playwright": "playwright-python"}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(language=r"\w*"):
    """Fenced blocks of README.md in a language, in their order, with the language."""
    return re.findall(rf"^```({language})\n(.*?)^```$", read("README.md"), re.DOTALL | re.MULTILINE)


def test_readme_begins_with_two_commands_and_has_no_other():
    assert [language for language, _ in blocks()][:3] == ["sh", "sh", "python"]
    (_, serve), (_, test) = blocks("sh")
    assert serve.count("\n") == test.count("\n") == 1
    assert serve.endswith(" && .venv/bin/panel serve apps/explore.py --show\n")
    assert test.endswith(" && .venv/bin/python -m pytest\n")
    assert "'.[test]'" in test
    assert (ROOT / "apps" / "explore.py").exists()


def test_ci_runs_the_command_of_readme():
    script = read(".ci/run")
    (_, _), (_, command) = blocks("sh")
    assert "pytest" not in re.sub(r"^\[\[.*$", "", script, flags=re.MULTILINE)
    # the same extraction as the script's
    extract = re.search(r"awk '(.*)' README\.md", script)
    done = subprocess.run(
        ["awk", extract[1], "README.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == command
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    jobs = yaml.safe_load(read(".github/workflows/test.yml"))["jobs"]
    assert jobs["test"]["steps"][-1] == {"run": ".ci/run"}


def test_ci_runs_every_python_that_is_promised():
    jobs = yaml.safe_load(read(".github/workflows/test.yml"))["jobs"]
    promised = [c.rsplit(" ", 1)[1] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert jobs["test"]["strategy"]["matrix"]["python"] == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"


def test_python_of_readme_prints_what_it_says():
    (_, code), *_ = blocks("python")
    (_, said), *_ = blocks("text")
    assert len([line for line in code.splitlines() if line]) == 5
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert [line.rstrip() for line in done.stdout.splitlines()] == said.splitlines()


def test_files_that_readme_links_to_exist():
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", read("README.md"))
    assert links
    # the picture is taken of the page, after everything else
    missing = [link for link in links if not (ROOT / link).exists() and not link.endswith(".png")]
    assert not missing


def test_conda_environment_is_that_of_pip():
    environment = yaml.safe_load(read("environment.yml"))
    assert environment["channels"] == ["conda-forge"]
    wanted = {f"python{PROJECT['requires-python']}", "pip"}
    for requirement in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]):
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
    extras = PROJECT["optional-dependencies"]
    requirements = (*PROJECT["dependencies"], *extras["test"], *extras["dev"])
    assert named - {"package", "---"} == {re.match(r"[\w-]+", one)[0] for one in requirements}


def test_version_is_one():
    assert PROJECT["version"] == tapviz.__version__
    versions = re.findall(r"^## \[([^]]+)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert versions[0] == "Unreleased"
    assert tapviz.__version__ in versions


def test_license():
    assert PROJECT["license"] == "BSD-3-Clause"
    assert PROJECT["license-files"] == ["LICENSE"]
    assert read("LICENSE").startswith("BSD 3-Clause License")


def test_readme_names_the_formats_that_are_read_and_no_others():
    table = read("README.md").split("| format | what |")[1].split("\n\n")[0]
    rows = [row.split("|")[1] for row in table.splitlines()[2:]]
    named = [name for row in rows for name in re.findall("`([^`]+)`", row)]
    assert sorted(named) == sorted(tapviz.readers.FORMATS)
