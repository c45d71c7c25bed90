"""The wheel, outside the repository: what README, the conda recipe and the Dockerfile do with it.

What pip would fetch is there already; the wheel is unpacked as pip does.
"""

import gzip
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep

import pytest
import yaml

pytest.importorskip("hatchling", reason="pip install -e '.[test]'")
pytestmark = pytest.mark.subprocess
ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RECIPE = yaml.safe_load((ROOT / "conda.recipe" / "recipe.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
PATIENCE = 180
SERVING = ("explore", "serve")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the wheel, its commands, and files as README has them; and the environment."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    (entries,) = (folder / "site").glob("*.dist-info/entry_points.txt")
    scripts = ConfigParser()
    scripts.read(entries)
    bin_ = folder / "bin"
    bin_.mkdir()
    (bin_ / "python").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    # Before an editable installation, however that is made.
    first = f"import sys\nsys.path.insert(0, {str(folder / 'site')!r})\n"
    (folder / "site" / "sitecustomize.py").write_text(first)
    for name, target in scripts["console_scripts"].items():
        module, function = target.split(":")
        code = f"import sys\nfrom {module} import {function}\n"
        code += f"if __name__ == '__main__':\n    sys.exit({function}())\n"  # as pip has it
        (bin_ / name).write_text(f"#!{sys.executable}\n{code}")
    for script in bin_.iterdir():
        script.chmod(0o755)
    path = os.pathsep.join([str(bin_), os.environ["PATH"]])
    env = os.environ | {"PATH": path, "PYTHONPATH": str(folder / "site")}
    work = folder / "work"
    work.mkdir()
    data = ROOT / "notebooks" / "data"
    for source, name in (("blastp", "blastp"), ("ssearch", "phmmer"), ("classes", "classes")):
        with gzip.open(data / f"{source}.tsv.gz") as packed:
            (work / f"{name}.tsv").write_bytes(packed.read())
    where = "import tapviz; print(tapviz.__file__)"
    assert run(["python", "-c", where], work, env).startswith(str(folder / "site"))
    return work, env


def run(command, work, env):
    """What a command prints."""
    done = subprocess.run(
        command, cwd=work, env=env, check=False, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def test_the_recipe_passes_its_own_tests(installed):
    for one in RECIPE["tests"]:
        for line in one.get("script", ()):
            assert run(["bash", "-e", "-c", line], *installed)
        if "python" in one:
            code = "".join(f"import {name}\n" for name in one["python"]["imports"])
            run(["python", "-W", "error", "-c", code], *installed)


def test_what_readme_types_works(installed):
    """Each command that serves no page; without resamples, whose number is tested elsewhere."""
    lines = re.findall(r"^    (?:\.venv/bin/)?tapviz (.*)$", README, re.MULTILINE)
    lines = [line for line in map(shlex.split, lines) if line[0] not in SERVING]
    assert {"score", "threshold", "figure", "report", "lesson"} <= {line[0] for line in lines}
    for line in lines:
        few = ["--resamples", "20"] if line[0] in ("score", "threshold") else []
        printed = run(["tapviz", *line, *few], *installed)
        made = [installed[0] / file for at, file in pairwise(line) if at == "-o"]
        assert printed or all(file.stat().st_size > 1000 for file in made)


def test_python_of_readme_prints_what_it_says(installed):
    code = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[0]
    said = re.findall(r"^```text\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[0]
    printed = run(["python", "-W", "error", "-c", code], *installed)
    assert [line.rstrip() for line in printed.splitlines()] == said.splitlines()


def test_the_image_starts_and_is_healthy(installed):
    """The command of the Dockerfile, and its check, at a port that is free here."""
    work, env = installed
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.MULTILINE)
    (options,) = re.findall(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)
    (check,) = re.findall(r"^HEALTHCHECK .*? CMD (.*)$", DOCKERFILE, re.MULTILINE)
    with socket.create_server(("localhost", 0)) as free:
        port = str(free.getsockname()[1])
    command, check = (
        [word.replace("5006", port) for word in words]
        for words in (json.loads(entry) + json.loads(options), json.loads(check))
    )
    with (work / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=work, env=env, stdout=log, stderr=log)
    try:
        end = monotonic() + PATIENCE
        while subprocess.run(check, cwd=work, env=env, capture_output=True, check=False).returncode:
            assert server.poll() is None, (work / "log").read_text()
            assert monotonic() < end, (work / "log").read_text()
            sleep(0.1)
    finally:
        server.terminate()
        server.wait(PATIENCE)


def test_the_image_has_what_serves_pages():
    (install,) = [line for line in DOCKERFILE.splitlines() if "pip install" in line]
    assert '/wheels/*.whl)[app]"' in install
