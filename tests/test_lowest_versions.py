"""The lowest versions that pyproject.toml allows, for a job of CI."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from scripts.lowest_versions import PYPROJECT, constraints, lowest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ("bokeh>=3.9,<4", "bokeh==3.9"),
        ("pyarrow>=18", "pyarrow==18"),
        ("numpy<3,>=2.0", "numpy==2.0"),
        ("one[two]~=1.5", "one==1.5"),
        ("axe-playwright-python == 0.1.7", "axe-playwright-python==0.1.7"),
        ("jupyter_bokeh>=4.0.5; python_version>='3.11'", "jupyter_bokeh==4.0.5"),
    ],
)
def test_lowest(requirement, expected):
    assert lowest(requirement) == expected


@pytest.mark.parametrize("requirement", ["bokeh", "bokeh<4", "bokeh>3"])
def test_a_requirement_needs_a_lower_bound(requirement):
    with pytest.raises(ValueError, match="expected a lower bound"):
        lowest(requirement)


def test_all_requirements_of_the_project_have_a_lowest_version_that_they_allow():
    text = PYPROJECT.read_text(encoding="utf-8")
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
    with pytest.raises(KeyError, match="none"):
        constraints(PYPROJECT.read_text(encoding="utf-8"), ["none"])


def test_the_script_prints_what_ci_installs():
    done = subprocess.run(
        [sys.executable, "scripts/lowest_versions.py", "test"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert lines == constraints(PYPROJECT.read_text(encoding="utf-8"), ["test"])
    jobs = yaml.safe_load((ROOT / ".github/workflows/versions.yml").read_text("utf-8"))["jobs"]
    steps = [step.get("run", "") for step in jobs["lowest"]["steps"]]
    assert any("scripts/lowest_versions.py test" in step for step in steps)
    prerelease = " ".join(step.get("run", "") for step in jobs["prereleases"]["steps"])
    for name in ("bokeh", "panel", "holoviews", "param"):
        assert name in prerelease
