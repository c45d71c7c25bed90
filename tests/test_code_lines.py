"""How much code there is, and that a version that grows says so."""

import pytest

from scripts import code_lines

PYTHON = '''"""A module.

With a docstring.
"""

import os  # with a comment

# alone


def add(a, b):
    """Sum."""
    text = """
    as long as it is written

    """
    return a + (
        b
    )
'''
SCRIPT = """// a comment
export function add(a, b) {

  /* another
   * one */
  return a + b
}
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    (tmp_path / "tapviz" / "lists" / "bundles").mkdir(parents=True)
    (tmp_path / "tapviz" / "__init__.py").write_text("A = 1\n")
    (tmp_path / "tapviz" / "lists" / "a.py").write_text(PYTHON)
    (tmp_path / "tapviz" / "lists" / "a.js").write_text(SCRIPT)
    (tmp_path / "tapviz" / "lists" / "bundles" / "a.js").write_text(SCRIPT)
    monkeypatch.setattr(code_lines, "ROOT", tmp_path)
    return tmp_path


def test_docstrings_comments_blank_lines_and_bundles_are_no_code(tree):
    # import, def, three lines of text of which one is blank, three of return
    python = {"lists": 8, "tapviz itself": 1}
    found = code_lines.by_room(tree / "tapviz")
    assert found == {"Python": python, "JavaScript": {"lists": 3}}


@pytest.mark.parametrize(
    ("most", "code"), [("9 lines of Python and 3", 0), ("8 lines of Python and 1,000", 1)]
)
def test_a_version_says_how_much_code_it_has_at_most(tree, capsys, most, code):
    (tree / "CHANGELOG.md").write_text(
        f"## [2.0.0]\n\nIt has at most\n{most} of JavaScript code.\n"
    )
    assert code_lines.main() == code
    said = capsys.readouterr()
    assert "Python: 9 lines of code" in said.out
    assert ("more code than CHANGELOG.md says" in said.err) == bool(code)


def test_a_changelog_that_says_nothing_is_refused(tree, capsys):
    (tree / "CHANGELOG.md").write_text("## [2.0.0]\n")
    assert code_lines.main() == 1
    assert "does not say" in capsys.readouterr().err
