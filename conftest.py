"""Examples in docstrings run in a folder of their own, with the files that notebooks read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

FILES = Path(__file__).parent / "notebooks" / "data"


@pytest.fixture(autouse=True)
def _example_files(request: pytest.FixtureRequest) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        folder = request.getfixturevalue("tmp_path")
        shutil.copytree(FILES, folder, dirs_exist_ok=True)
        request.getfixturevalue("monkeypatch").chdir(folder)
