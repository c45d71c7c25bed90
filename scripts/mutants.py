"""Changes of the code that no test notices: mutants of a room that survive.

    python scripts/mutants.py measures --sample 150 --seed 1
    python scripts/mutants.py measures/tap.py        # all of a module

A mutant is one change in one function: a comparison that is turned or moved by one, another
operator, a number one larger, a condition that is negated, an option that is not given. Texts are
left alone. Each is compiled in a process of its own, which has the libraries from its parent; no
file is written. It meets the examples of its module, and the test modules that name most of what it
has for their size; a test that fails, or takes ten times as long, kills it. Survivors are printed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import os
import random
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
MOST_TESTS = 12
"""Test modules, at most, that a mutant meets, those first that have most to do with it."""
NO_TESTS = 5
"""What pytest ends with where it finds none."""
OTHERS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


class Mutant(NamedTuple):
    """A change of a module: of which node, in the order of `ast.walk`, and by which function."""

    path: Path
    node: int
    change: Callable[[ast.AST], ast.AST]
    line: int
    words: str


def changes(node: ast.AST) -> Iterator[Callable[[ast.AST], ast.AST]]:
    """Functions that change a node, in place, or give another one."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            if type(operator) in OTHERS:
                yield lambda node, at=place: _set(node, "ops", _other(node.ops[at]), at)
    elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)):
        if type(node.op) in OTHERS:
            yield lambda node: _set(node, "op", _other(node.op))
    elif isinstance(node, ast.UnaryOp):
        yield lambda node: node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda node: _set(node, "value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield lambda node: _set(node, "value", node.value + 1)
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield lambda node: _set(node, "test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.Call):
        for place, keyword in enumerate(node.keywords):
            if keyword.arg is not None:
                yield lambda node, at=place: _set(
                    node, "keywords", node.keywords[:at] + node.keywords[at + 1 :]
                )


def _other(operator: ast.AST) -> ast.AST:
    return OTHERS[type(operator)]()


def _set(node: ast.AST, name: str, value: object, at: int | None = None) -> ast.AST:
    if at is None:
        setattr(node, name, value)
    else:
        getattr(node, name)[at] = value
    return node


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All mutants of a module."""
    tree = ast.parse(path.read_text("utf-8"))
    within: set[ast.AST] = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for part in (*function.args.defaults, *function.args.kw_defaults, *function.body):
                within.update(ast.walk(part) if part is not None else ())
    for node in ast.walk(tree):  # annotations compute nothing, and messages are words
        for name in ("annotation", "returns", "exc"):
            part = getattr(node, name, None)
            within.difference_update(ast.walk(part) if part is not None else ())
    for number, node in enumerate(ast.walk(tree)):
        if node not in within:
            continue
        for change in changes(node):
            changed = change(copy.deepcopy(node))
            header = (ast.unparse(one).splitlines()[0] for one in (node, changed))
            yield Mutant(path, number, change, getattr(node, "lineno", 0), " -> ".join(header))


def compiled(mutant: Mutant) -> CodeType:
    """The module with the change."""
    tree = ast.parse(mutant.path.read_text("utf-8"))
    old = list(ast.walk(tree))[mutant.node]
    new = mutant.change(old)

    class Replace(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else self.generic_visit(node)

    if new is not old:
        tree = Replace().visit(tree)
    return compile(ast.fix_missing_locations(tree), str(mutant.path), "exec", dont_inherit=True)


def tests_of(path: Path) -> list[str]:
    """The module itself, for its examples, and the test modules that name most of what it has.

    What is private to a room is tested by what the modules have that import it.
    """
    import_it = re.compile(rf"\b{path.stem} import")
    users = [user for user in path.parent.glob("*.py") if import_it.search(user.read_text("utf-8"))]
    names = {
        one.name
        for module in (users if path.stem.startswith("_") else [path])
        for one in ast.parse(module.read_text("utf-8")).body
        if isinstance(one, (ast.FunctionDef, ast.ClassDef)) and not one.name.startswith("_")
    }
    pattern = re.compile(rf"\b({'|'.join(sorted(names) or ['$.'])}|{path.stem})\b")
    named = {
        test: len(set(pattern.findall(test.read_text("utf-8"))))
        for test in sorted((ROOT / "tests").glob("test_*.py"))
    }
    own = [test for test in named if test.stem == f"test_{path.stem}"]
    share = {test: count / test.stat().st_size ** 0.5 for test, count in named.items() if count}
    most = sorted(share, key=lambda test: -share[test])
    chosen = list(dict.fromkeys(own + most))[:MOST_TESTS]
    return [str(path), *map(str, chosen)]


def run(tests: list[str], mutant: Mutant | None, seconds: float) -> int | None:
    """Result of pytest in a process of its own, which may take some processor time.

    None if it takes longer, or dies of something else.
    """
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else None
    import pytest  # noqa: PLC0415

    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    code = 1
    with contextlib.suppress(BaseException):
        if mutant is not None:
            code_of, usual = compiled(mutant), SourceFileLoader.get_code

            def get_code(self: SourceFileLoader, name: str) -> CodeType | None:
                return code_of if self.path == str(mutant.path) else usual(self, name)

            SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "--doctest-modules"]
            marks = "not ui and not subprocess and not notebook and not nightly"
            code = int(pytest.main([*options, "-m", marks, *tests]))
    os._exit(code)


def main() -> int:
    """Print the survivors of a sample of a room or of a module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("room", help="folder or module of tapviz, such as measures")
    parser.add_argument("--sample", type=int, help="how many, at random (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument(
        "--trust", action="store_true", help="that tests pass without a change: it is not tried"
    )
    given = parser.parse_args()
    place = ROOT / "tapviz" / given.room
    paths = sorted(place.glob("*.py")) if place.is_dir() else [place]
    every = [mutant for path in paths for mutant in mutants_of(path)]
    sample = every
    if given.sample is not None and given.sample < len(every):
        sample = random.Random(given.seed).sample(every, given.sample)  # noqa: S311
    os.environ.setdefault("HYPOTHESIS_PROFILE", "dev")
    os.chdir(ROOT)
    # Loaded once, for all children; hypothesis is not, as pytest rewrites what it loads of it.
    import numpy  # noqa: F401, ICN001, PLC0415
    import pyarrow.csv  # noqa: F401, PLC0415
    import pytest  # noqa: F401, PLC0415
    import scipy.stats  # noqa: F401, PLC0415

    limits: dict[Path, float] = {}
    n_survivors = n_met = 0
    for mutant in sorted(sample, key=lambda one: (one.path, one.line)):
        tests = tests_of(mutant.path)
        name = mutant.path.relative_to(ROOT / "tapviz")
        if given.trust:
            limits[mutant.path] = 120.0
        if mutant.path not in limits:
            before = os.times().children_user
            if code := run(tests, None, 3600):
                print(f"{name}: {'no' if code == NO_TESTS else 'failing'} tests, not looked at")
                limits[mutant.path] = 0.0
                continue
            limits[mutant.path] = 10 * (os.times().children_user - before) + 5
        if not limits[mutant.path]:
            continue
        n_met += 1
        if run(tests, mutant, limits[mutant.path]) == 0:
            n_survivors += 1
            print(f"{name}, line {mutant.line}: {mutant.words}", flush=True)
    print(f"{n_survivors} of {n_met} survive ({len(every):,} mutants in all)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
