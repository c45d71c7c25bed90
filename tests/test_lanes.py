"""The parts of the tests that can be run by themselves."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CORE

TESTS = Path(__file__).parent
PLOTTING = ("panel", "bokeh", "holoviews", "matplotlib")


def test_every_module_of_the_core_exists():
    assert [name for name in sorted(CORE) if not (TESTS / f"{name}.py").exists()] == []


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
        [sys.executable, "-c", code], cwd=TESTS.parent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert " ".join(["collected", *sorted(CORE)]) in lines
    assert lines[-1].split() == ["loaded"]
