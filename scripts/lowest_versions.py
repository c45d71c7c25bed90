"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

    python scripts/lowest_versions.py test > lowest.txt
    pip install -c lowest.txt -e '.[test]'

Arguments are the extras whose requirements are wanted, too. A requirement with neither a lower
bound nor an exact version is an error: nothing could say what its lowest version is.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)\s*(?:\[[^]]*\])?\s*(?P<versions>[^;]*)")
LOWEST = re.compile(r"(?:>=|==|~=)\s*([^\s,]+)")


def lowest(requirement: str) -> str:
    """Constraint with the lowest version that a requirement allows.

    Parameters
    ----------
    requirement : str
        As in pyproject.toml: a name, optional extras, and versions.

    Returns
    -------
    str
        ``name==version``.

    Raises
    ------
    ValueError
        If the requirement has no lower bound.

    Examples
    --------
    >>> lowest("bokeh>=3.9,<4")
    'bokeh==3.9'
    """
    parts = REQUIREMENT.match(requirement)
    bound = parts and LOWEST.search(parts["versions"])
    if parts is None or bound is None:
        msg = f"{requirement}: expected a lower bound, as in 'bokeh>=3.9,<4'"
        raise ValueError(msg)
    return f"{parts['name']}=={bound[1]}"


def constraints(pyproject: str, extras: Sequence[str] = ()) -> list[str]:
    """Constraints for the dependencies of a project, and for those of some extras.

    Parameters
    ----------
    pyproject : str
        Text of pyproject.toml.
    extras : sequence of str
        Names of optional dependencies.

    Raises
    ------
    KeyError
        If there is no such extra.
    ValueError
        If a requirement has no lower bound.
    """
    project = tomllib.loads(pyproject)["project"]
    wanted, found = list(extras), list(project["dependencies"])
    for extra in wanted:  # which grows by those that are in others
        for requirement in project["optional-dependencies"][extra]:
            own = re.fullmatch(rf"{project['name']}\[(.+)\]", requirement)
            (wanted if own else found).append(own[1] if own else requirement)
    return [lowest(requirement) for requirement in found]


if __name__ == "__main__":
    print("\n".join(constraints(PYPROJECT.read_text(encoding="utf-8"), sys.argv[1:])))
