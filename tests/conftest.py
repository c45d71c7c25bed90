"""What all tests share: the quick part, workers, and how many examples Hypothesis draws.

``-m core`` collects only the modules named in `CORE`, so that nothing else is imported.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Tests of lists, measures and readers. They load no plotting library.
CORE = frozenset(
    {
        "test_advice",
        "test_auc",
        "test_bootstrap",
        "test_compare",
        "test_coverage",
        "test_data_in",
        "test_datasets",
        "test_files",
        "test_formats",
        "test_golden",
        "test_graded",
        "test_influence",
        "test_interpolated",
        "test_join",
        "test_labels",
        "test_lists",
        "test_measures",
        "test_mutations",
        "test_oracle",
        "test_properties",
        "test_ranks",
        "test_readers",
        "test_replicates",
        "test_scenarios",
        "test_tables",
        "test_ties",
    }
)
MAX_WORKERS = 8
"""Each worker that drives pages has a browser and a server of its own."""

# The time of an example says nothing, and no folder of examples is left behind.
settings.register_profile(
    "ci", deadline=None, database=None, derandomize=False, print_blob=True, max_examples=50
)
settings.register_profile("dev", settings.get_profile("ci"), max_examples=5)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import what `-m core` would leave out anyway."""
    if config.option.markexpr != "core" or collection_path == Path(__file__).parent:
        return None
    return collection_path.stem not in CORE or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the core, and begin with the slow modules: workers then end at about the same time."""
    for item in items:
        if item.path.stem in CORE and item.get_closest_marker("nightly") is None:
            item.add_marker("core")
    items.sort(key=lambda item: item.get_closest_marker("ui") is None)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """As many as there are cores and modules to run, up to `MAX_WORKERS`; none for one module."""
    modules = {argument.split("::")[0] for argument in config.args}
    most = MAX_WORKERS
    if all(module.endswith(".py") for module in modules):
        most = len(modules) if len(modules) > 1 else 0
    return min(os.cpu_count() or 1, MAX_WORKERS, most)


@pytest.fixture(scope="session", autouse=True)
def _no_server_is_left() -> Iterator[None]:
    """End servers that a test began in this process."""
    yield
    if "panel" in sys.modules:
        sys.modules["panel"].state.kill_all_servers()


@pytest.fixture(autouse=True)
def _no_event_loop_of_a_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let tests without a browser run as where none has been: Playwright's loop goes on."""
    loop = asyncio._get_running_loop()
    if loop is None or request.node.get_closest_marker("ui"):
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Write a file and return its path."""

    def write(text: str | bytes, name: str = "hits.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture(params=["all at once", "row by row"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the readers take one way or the other."""
    if request.param == "row by row":
        monkeypatch.setattr("tapviz.readers._table.at_once", lambda *_: None)


@pytest.fixture
def searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with the searches of the notebooks, their classes and queries."""
    shutil.copytree(Path(__file__).parents[1] / "notebooks" / "data", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
