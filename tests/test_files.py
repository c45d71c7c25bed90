"""Files are written whole or not at all, and read within limits."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tapviz.files.writing import write_atomically


def names_in(folder):
    """Names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new: E₀\n")
    assert path.read_bytes() == b"new: E\xe2\x82\x80\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert names_in(tmp_path) == ["report.html"]


def test_a_new_file_has_the_permissions_that_others_have(tmp_path):
    (tmp_path / "by hand").write_bytes(b"x")
    write_atomically(tmp_path / "new", b"x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "by hand").stat().st_mode


def test_a_link_leads_to_the_new_file(tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    write_atomically(tmp_path / "link.csv", "new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"


def test_a_device_is_written_to_as_it_is():
    write_atomically(os.devnull, "nothing is left of this")
    assert not os.path.isfile(os.devnull)  # noqa: PTH113


LIMITED = """
import resource, signal, sys
from tapviz.files.writing import write_atomically
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomically("figure.svg", b"x" * 5000)
except ValueError as error:
    print(error)
"""


@pytest.mark.subprocess
def test_the_old_file_stays_where_there_is_no_room_for_the_new_one(tmp_path):
    (tmp_path / "figure.svg").write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "figure.svg: cannot be written: File too large\n"
    assert names_in(tmp_path) == ["figure.svg"]
    assert (tmp_path / "figure.svg").read_text() == "old"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("file/sub", "Not a directory"),
        ("no folder/file", "No such file or directory"),
        ("folder", "Is a directory"),
        ("a\0b", "embedded null byte"),
        ("x" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_written_is_said(tmp_path, monkeypatch, name, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("old")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match="cannot be written: ") as error:
        write_atomically(name, "new")
    assert str(error.value).split("cannot be written: ")[1] == reason
    assert (tmp_path / "file").read_text() == "old"
    assert names_in(tmp_path) == ["file", "folder"]
